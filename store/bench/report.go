package main

import (
	"encoding/json"
	"fmt"
	"os"
	"runtime"
	"strings"
	"text/tabwriter"
)

// comparison is one line of the result. Ratio is always "larger is better", Goal its lower bound.
type comparison struct {
	Case        string  `json:"case"`
	Peer        string  `json:"peer"`
	Respondents int     `json:"respondents"`
	Threads     int     `json:"threads"`
	OursMS      float64 `json:"ours_ms"`
	PeerMS      float64 `json:"peer_ms"`
	Ratio       float64 `json:"ratio"`
	Goal        float64 `json:"goal"`
}

type report struct {
	lines    []comparison
	notes    []string
	stepNS   float64 // a weight added to 16 sums; 0: not known here
	readGBps float64
}

// beats is a comparison with a peer: the ratio is how many times longer the peer takes.
func (r *report) beats(c comparison) {
	c.Ratio = c.PeerMS / c.OursMS
	r.add(c)
}

// within is a bound on a figure of our own: the ratio is allowed / measured.
func (r *report) within(name, of string, respondents, threads int, measuredMS, referenceMS, times float64) {
	r.add(comparison{Case: name, Peer: of, Respondents: respondents, Threads: threads, OursMS: measuredMS,
		PeerMS: referenceMS, Ratio: times * referenceMS / measuredMS, Goal: 1})
}

func (r *report) add(c comparison) {
	r.lines = append(r.lines, c)
	b, err := json.Marshal(c)
	if err != nil {
		b = []byte(err.Error())
	}
	fmt.Println(string(b))
	fmt.Fprintf(os.Stderr, "%-28s %-22s %9d × %d threads: %10.2f ms, %10.2f ms, ratio %.2f (goal %.2f)\n", c.Case,
		c.Peer, c.Respondents, c.Threads, c.OursMS, c.PeerMS, c.Ratio, c.Goal)
}

func (r *report) note(format string, args ...any) {
	r.notes = append(r.notes, fmt.Sprintf(format, args...))
}

// machine measures what bounds every method: how fast masked adds go, and how fast memory is read.
func (r *report) machine() {
	r.stepNS = stepNS()
	r.readGBps = readGBps()
	r.note("%s/%s, %d processors; adding a weight to 16 sums takes %.3f ns, memory is read at %.1f GB/s on one thread",
		runtime.GOOS, runtime.GOARCH, runtime.NumCPU(), r.stepNS, r.readGBps)
}

func (r *report) print() {
	fmt.Fprintln(os.Stderr)
	w := tabwriter.NewWriter(os.Stderr, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "case\tpeer\trespondents\tthreads\tours ms\tpeer ms\tratio\tgoal\t\t")
	for _, c := range r.lines {
		verdict := ""
		switch {
		case c.Goal > 0 && c.Ratio >= c.Goal:
			verdict = "met"
		case c.Goal > 0:
			verdict = "missed"
		}
		fmt.Fprintf(w, "%s\t%s\t%d\t%d\t%.2f\t%.2f\t%.2f\t%.2f\t%s\t\n", c.Case, c.Peer, c.Respondents, c.Threads,
			c.OursMS, c.PeerMS, c.Ratio, c.Goal, verdict)
	}
	w.Flush()
	fmt.Fprintln(os.Stderr, "\n"+strings.Join(r.notes, "\n"))
}
