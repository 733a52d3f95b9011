package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"runtime"
	"strings"
	"text/tabwriter"

	"github.com/crosswave/crosswave/internal/kernel"
)

// comparison is one line of the result. Ratio is always "larger is better", Goal its lower bound.
type comparison struct {
	Case        string
	Peer        string
	Respondents int
	Threads     int
	CPU         string // the features that decide about the kernel, as the report has them
	Kernel      string // ours; empty: that of the report
	Ours        timing
	Theirs      timing
	Ratio       float64
	Goal        float64
}

// MarshalJSON writes the line of a comparison. A spread that is not known is left out.
func (c comparison) MarshalJSON() ([]byte, error) {
	known := func(t timing) *float64 {
		if t.spread < 0 {
			return nil
		}
		return &t.spread
	}
	return json.Marshal(struct {
		Case        string   `json:"case"`
		Peer        string   `json:"peer"`
		Respondents int      `json:"respondents"`
		Threads     int      `json:"threads"`
		CPU         string   `json:"cpu"`
		Kernel      string   `json:"kernel"`
		OursMS      float64  `json:"ours_ms"`
		OursSpread  *float64 `json:"ours_spread,omitempty"`
		PeerMS      float64  `json:"peer_ms"`
		PeerSpread  *float64 `json:"peer_spread,omitempty"`
		Ratio       float64  `json:"ratio"`
		Goal        float64  `json:"goal"`
	}{c.Case, c.Peer, c.Respondents, c.Threads, c.CPU, c.Kernel, c.Ours.ms, known(c.Ours), c.Theirs.ms, known(c.Theirs),
		c.Ratio, c.Goal})
}

type report struct {
	kernel   string // of what is compared, where nothing else is said
	features string // of the processor
	lines    []comparison
	notes    []string
	readGBps float64
}

// beats is a comparison with a peer: the ratio is how many times longer the peer takes.
func (r *report) beats(c comparison) {
	c.Ratio = c.Theirs.ms / c.Ours.ms
	r.add(c)
}

// within is a bound on a figure of our own: the ratio is allowed / measured.
func (r *report) within(name, of string, respondents, threads int, measured, reference timing, times float64) {
	r.add(comparison{Case: name, Peer: of, Respondents: respondents, Threads: threads, Ours: measured,
		Theirs: reference, Ratio: times * reference.ms / measured.ms, Goal: 1})
}

func (r *report) add(c comparison) {
	c.CPU, c.Kernel = r.features, cmp.Or(c.Kernel, r.kernel)
	r.lines = append(r.lines, c)
	b, err := json.Marshal(c)
	if err != nil {
		b = []byte(err.Error())
	}
	fmt.Println(string(b))
	fmt.Fprintf(os.Stderr, "%-28s %-22s %9d × %d threads, %-6s: %20s, %20s, ratio %.2f (goal %.2f)\n", c.Case, c.Peer,
		c.Respondents, c.Threads, c.Kernel, c.Ours, c.Theirs, c.Ratio, c.Goal)
}

func (r *report) note(format string, args ...any) {
	r.notes = append(r.notes, fmt.Sprintf(format, args...))
}

// machine measures what bounds every method: how fast masked adds go, and how fast memory is read.
func (r *report) machine() {
	r.readGBps = readGBps()
	r.features = features()
	r.note("%s/%s, %d processors, %s; kernel %s; adding a weight to 16 sums takes %.3f ns, memory is read "+
		"at %.1f GB/s on one thread",
		runtime.GOOS, runtime.GOARCH, runtime.NumCPU(), r.features, r.kernel, stepNS(kernel.Best()), r.readGBps)
}

func (r *report) print() {
	fmt.Fprintln(os.Stderr)
	w := tabwriter.NewWriter(os.Stderr, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "case\tpeer\trespondents\tthreads\tkernel\tours\tpeer\tratio\tgoal\t\t")
	for _, c := range r.lines {
		verdict := ""
		switch {
		case c.Goal > 0 && c.Ratio >= c.Goal:
			verdict = "met"
		case c.Goal > 0:
			verdict = "missed"
		}
		fmt.Fprintf(w, "%s\t%s\t%d\t%d\t%s\t%s\t%s\t%.2f\t%.2f\t%s\t\n", c.Case, c.Peer, c.Respondents, c.Threads,
			c.Kernel, c.Ours, c.Theirs, c.Ratio, c.Goal, verdict)
	}
	w.Flush()
	fmt.Fprintln(os.Stderr, "\n"+strings.Join(r.notes, "\n"))
}
