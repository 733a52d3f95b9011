// Command sizing measures what a cluster takes beside one machine: it generates the demo survey, keeps it in a store of
// its own and in several ClickHouse servers on this machine, serves both, and asks both the same questions over HTTP,
// without a cache of results. It tells how long an answer took, the processor time of the servers and of serve, and the
// bytes on disk, and fails if an answer differs from the other in a single byte.
//
//	sizing -binary FILE [-respondents 100000,400000,1600000] [-format words] [-shards 3] [-only NAME,NAME]
//
// Of several rounds it tells the least. Times are worth something only where nothing else runs; processor times are
// disturbed less. Servers share one machine's processors here: it cannot show how time falls with more machines.
package main

import (
	"cmp"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// options are the flags.
type options struct {
	binary, format, work string
	respondents          []int
	shards, rounds       int
	only                 []string
	parameters           string // more of the DSN
	wait                 bool
}

func main() {
	o := options{}
	flag.StringVar(&o.binary, "binary", "", "the program")
	sizes := flag.String("respondents", "100000,400000,1600000", "how many respondents, one run each")
	flag.StringVar(&o.format, "format", "words", "how the servers store answers: words or arrays")
	flag.IntVar(&o.shards, "shards", 3, "how many servers")
	flag.IntVar(&o.rounds, "rounds", 3, "how often a question is asked")
	only := flag.String("only", "", "only questions whose name has one of these in it, separated by commas")
	flag.StringVar(&o.parameters, "parameters", "", "more parameters of the servers' address, such as &threads=1")
	flag.StringVar(&o.work, "work", "", "a directory for stores and servers, which stay there; else a temporary one")
	flag.BoolVar(&o.wait, "wait", false, "leave the servers running at the end, until a line comes in")
	flag.Parse()
	o.only = strings.FieldsFunc(*only, func(c rune) bool { return c == ',' })
	for text := range strings.SplitSeq(*sizes, ",") {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 {
			fail(fmt.Errorf("-respondents: %q is no number of respondents", text))
		}
		o.respondents = append(o.respondents, n)
	}
	if err := o.run(); err != nil {
		fail(err)
	}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, "sizing:", err)
	os.Exit(1)
}

func (o *options) run() (err error) {
	work := o.work
	if work == "" {
		if work, err = os.MkdirTemp("", "crosswave-sizing-"); err != nil {
			return err
		}
		defer os.RemoveAll(work)
	}
	for _, n := range o.respondents {
		dir := filepath.Join(work, fmt.Sprint(n))
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return err
		}
		if err := o.measure(dir, n); err != nil {
			return fmt.Errorf("%d respondents: %w", n, err)
		}
	}
	return nil
}

// measure asks everything about so many respondents.
func (o *options) measure(dir string, n int) error {
	s, err := o.set(dir, n)
	if err != nil {
		return err
	}
	defer s.close()
	questions, err := s.questions()
	if err != nil {
		return err
	}
	fmt.Printf("\n%d respondents in %s; bytes on disk each: embedded %.1f, %d servers %.1f\n%s\n\n", n, o.format,
		float64(s.embeddedBytes)/float64(n), o.shards, float64(s.serverBytes)/float64(n), s.imported)
	fmt.Print("| question | cells | embedded s | its CPU s | servers s | their CPU s | serve's CPU s | CPU times | " +
		"load |\n|---|---|---|---|---|---|---|---|---|\n")
	different := 0
	for _, q := range questions {
		among := func(name string) bool { return strings.Contains(q.name, name) }
		if len(o.only) > 0 && !slices.ContainsFunc(o.only, among) {
			continue
		}
		same, err := s.compare(q, o.rounds)
		if err != nil {
			return fmt.Errorf("%s: %w", q.name, err)
		}
		if !same {
			different++
		}
	}
	if different > 0 {
		return fmt.Errorf("%d answers differ", different)
	}
	if o.wait {
		fmt.Fprintln(os.Stderr, "the servers are", s.dsn, "and over HTTP", s.urls(), "; a line ends them")
		fmt.Scanln()
	}
	return nil
}

// taken is what an answer took.
type taken struct {
	wall, servers, serve float64 // in seconds
}

func (t taken) cpu() float64 { return t.servers + t.serve }

// least is the least of each of the rounds.
func least(rounds []taken) taken {
	t := rounds[0]
	for _, r := range rounds[1:] {
		t = taken{min(t.wall, r.wall), min(t.servers, r.servers), min(t.serve, r.serve)}
	}
	return t
}

// compare asks both stores a question, and prints a line of what that took.
func (s *set) compare(q question, rounds int) (same bool, err error) {
	var took [2][]taken
	var bodies [2][]byte
	for range rounds {
		for i, at := range []*served{s.embedded, s.cluster} {
			var t taken
			if bodies[i], t, err = s.ask(at, q); err != nil {
				return false, err
			}
			took[i] = append(took[i], t)
		}
	}
	embedded, cluster := least(took[0]), least(took[1])
	same = string(bodies[0]) == string(bodies[1])
	note := ""
	if !same {
		note = " **differs**"
	}
	fmt.Printf("| %s%s | %s | %.3f | %.2f | %.2f | %.2f | %.2f | %.0f | %s |\n", q.name, note, q.cells, embedded.wall,
		embedded.serve, cluster.wall, cluster.servers, cluster.serve, cluster.cpu()/max(embedded.serve, 0.01), load())
	return same, nil
}

// load is how many processes wanted a processor in the last minute, on average.
func load() string {
	text, _ := os.ReadFile("/proc/loadavg")
	first, _, _ := strings.Cut(string(text), " ")
	return cmp.Or(first, "?")
}

// ask asks one of the stores, and tells what it took.
func (s *set) ask(at *served, q question) (body []byte, t taken, err error) {
	servers, serve := s.serversCPU(), cpu(at.process.Process.Pid)
	began := time.Now()
	body, err = at.post(q.path, q.body)
	t.wall = time.Since(began).Seconds()
	t.servers, t.serve = s.serversCPU()-servers, cpu(at.process.Process.Pid)-serve
	return body, t, err
}
