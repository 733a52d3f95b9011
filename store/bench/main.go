// Command bench measures Crosswave beside its peers: the same generated survey, the same questions, the same process,
// one after the other; R, which answers for standard errors and intervals, is a process of its own. It checks that all
// of them give the same integers, and R the same figures within a rounding, prints a table of ratios to stderr and one
// JSON line per comparison to stdout. To have some cases only:
//
//	go run . -cases statistics -growth=false -respondents 1000000
//
// It is a module of its own, so that the cgo of a peer stays out of the engine.
package main

import (
	"context"
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

func main() {
	sizes := flag.String("respondents", "1000000,5000000", "how many respondents, one run each")
	threads := flag.String("threads", "1,2", "with how many threads")
	only := flag.String("cases", "", "only cases whose name has one of these in it, separated by commas")
	rounds := flag.Int("rounds", 5, "timed rounds of each measurement, more of short ones; the fastest counts")
	growth := flag.Bool("growth", true, "print how cost grows with respondents, cells and questions")
	flag.Parse()
	if err := run(context.Background(), *sizes, *threads, *only, *rounds, *growth); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, sizes, threads, only string, rounds int, growth bool) error {
	dir, err := os.MkdirTemp("", "crosswave-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	r := &report{}
	r.machine()
	ns, err := numbers(sizes)
	if err != nil {
		return err
	}
	ts, err := numbers(threads)
	if err != nil {
		return err
	}
	for _, n := range ns {
		b := &bench{report: r, rounds: rounds, threads: ts, only: strings.FieldsFunc(only,
			func(c rune) bool { return c == ',' }), n: n,
			path: filepath.Join(dir, fmt.Sprintf("%d.db", n)), smallest: n == ns[0]}
		if err := b.run(ctx); err != nil {
			return fmt.Errorf("%d respondents: %w", n, err)
		}
	}
	if growth {
		if err := measureGrowth(ctx, r, dir, rounds); err != nil {
			return err
		}
	}
	if len(only) == 0 || strings.Contains(only, "import") {
		if err := measureImport(ctx, r, dir); err != nil {
			return err
		}
	}
	r.print()
	return nil
}

func numbers(list string) (out []int, err error) {
	for _, s := range strings.Split(list, ",") {
		n, err := strconv.Atoi(s)
		if err != nil {
			return nil, err
		}
		out = append(out, n)
	}
	return out, nil
}

// fastest times f, after a round that does not count, and returns the fewest milliseconds it took: what else goes on in
// the machine only adds to them. Short ones are timed more often.
func fastest(rounds int, f func() error) (float64, error) {
	ms, err := sideBySide(rounds, f)
	if err != nil {
		return 0, err
	}
	return ms[0], nil
}

// sideBySide is fastest for several, which take turns: so they have the same machine, whatever else goes on there.
func sideBySide(rounds int, fs ...func() error) ([]float64, error) {
	best, all := make([]float64, len(fs)), time.Duration(0)
	for i := -1; i < rounds || i < 20*rounds && all < time.Duration(len(fs))*500*time.Millisecond; i++ {
		for j, f := range fs {
			begun := time.Now()
			if err := f(); err != nil {
				return nil, err
			}
			took := time.Since(begun)
			if i < 0 {
				best[j] = math.Inf(1)
				continue
			}
			best[j], all = min(best[j], milliseconds(took)), all+took
		}
	}
	return best, nil
}

// once times f, the first time.
func once(f func() error) (float64, error) {
	begun := time.Now()
	err := f()
	return milliseconds(time.Since(begun)), err
}

func milliseconds(d time.Duration) float64 { return float64(d.Nanoseconds()) / 1e6 }
