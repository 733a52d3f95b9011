// Command drills does to the real binary what nobody hopes for: it is killed, its disk fills up or fails, its clients
// send nonsense, go away or dawdle, and many ask at once. Each drill tells how often it tried something and how often
// that failed.
//
//	drills -binary FILE -repository DIR [-short] [NAME …]
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
)

// drill is one of them.
type drill struct {
	name, what string
	run        func(*ground) error
}

func drills() []drill {
	return []drill{
		{"served", "kill -9 of a server with eight writers", killServed},
		{"killed", "kill -9 of import, append, replacement, migration, backup and restore", killCommands},
		{"cluster", "backup and restore of a store on two ClickHouse servers", restoreCluster},
		{"full", "a disk that fills up under a server and under commands", fillDisk},
		{"broken", "a disk that fails under a server and under commands", breakDisk},
		{"nonsense", "mutated requests", mutate},
		{"aborted", "clients that go away in the midst of an answer", abort},
		{"slow", "clients that dawdle", dawdle},
		{"ended", "SIGTERM under fifty streams, and a second signal", terminate},
		{"shared", "a small request beside four large ones", share},
		{"soak", "a mixture of requests, 200 a second", soak},
	}
}

// ground is where a drill takes place, and its tally.
type ground struct {
	binary, repository string
	work               string // a directory of the drill's own
	demo               string // a store with the demo survey, to be copied
	long               bool

	mu            sync.Mutex
	tried, failed int
	notes         []string
}

func main() {
	binary := flag.String("binary", "", "the program")
	repository := flag.String("repository", ".", "where the project is")
	short := flag.Bool("short", false, "a few of each only")
	demo := flag.String("demo", "", "a store with the demo survey; one of 40,000 respondents is made unless given")
	flag.Parse()
	if err := all(*binary, *repository, *demo, !*short, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "drills:", err)
		os.Exit(1)
	}
}

// all runs the drills that are named, or every one.
func all(binary, repository, demo string, long bool, names []string) error {
	work, err := os.MkdirTemp("", "crosswave-drills-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	known := drills()
	for _, name := range names {
		if !slices.ContainsFunc(known, func(d drill) bool { return d.name == name }) {
			return fmt.Errorf("there is no drill %q", name)
		}
	}
	if demo == "" {
		demo = filepath.Join(work, "demo.db")
		if _, err := run(binary, "demo", "--once", "--db", demo); err != nil {
			return err
		}
	}
	failed := 0
	for _, d := range known {
		if len(names) > 0 && !slices.Contains(names, d.name) {
			continue
		}
		g := &ground{binary: binary, repository: repository, work: filepath.Join(work, d.name), demo: demo, long: long}
		if err := os.Mkdir(g.work, 0o700); err != nil {
			return err
		}
		began := time.Now()
		if err := d.run(g); err != nil {
			g.fail("%v", err)
		}
		failed += g.failed
		fmt.Printf("%-9s %s: %d tried, %d failed, %.0f s%s\n", d.name, d.what, g.tried, g.failed, time.Since(began).Seconds(),
			strings.Join(append([]string{""}, g.notes...), "; "))
		if err := os.RemoveAll(g.work); err != nil {
			return err
		}
	}
	if failed > 0 {
		return fmt.Errorf("%d failures", failed)
	}
	return nil
}

// of is how many there are of something, in the long form and in the short.
func (g *ground) of(long, short int) int {
	if g.long {
		return long
	}
	return short
}

func (g *ground) try() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.tried++
}

// fail counts a failure, and shows the first ones.
func (g *ground) fail(format string, args ...any) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.failed++; g.failed <= 20 {
		fmt.Printf("FAIL %s: %s\n", filepath.Base(g.work), fmt.Sprintf(format, args...))
	}
}

// goal tells of what depends on how fast the machine is and on what else it does: a failure in the long form if it was
// missed, which runs where nothing else does, and never in the short.
func (g *ground) goal(met bool, format string, args ...any) {
	switch {
	case met:
	case g.long:
		g.fail(format, args...)
	default:
		g.note("missed here, and a failure in the long form: "+format, args...)
	}
}

// hangs is after how long something that does not end is taken to hang. It is far more than anything takes, so that a
// slow machine is no failure.
const hangs = 10 * time.Minute

// note is told with the tally.
func (g *ground) note(format string, args ...any) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.notes = append(g.notes, fmt.Sprintf(format, args...))
}

// path is a path of the drill's own.
func (g *ground) path(name string) string { return filepath.Join(g.work, name) }

// store is a copy of the store with the demo survey.
func (g *ground) store(name string) (string, error) {
	return g.path(name), copyFile(g.demo, g.path(name))
}

func copyFile(from, to string) error {
	data, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return os.WriteFile(to, data, 0o600)
}
