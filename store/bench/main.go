// Command bench measures Crosswave beside its peers: the same generated survey, the same questions, the same process,
// one after the other; R, which answers for standard errors and intervals, is a process of its own. It checks that all
// of them give the same integers, and R the same figures within a rounding, prints a table of ratios to stderr and one
// JSON line per comparison to stdout. Each case is repeated until the fastest of its rounds agree within 5 percent, or
// for 20 seconds; by how much they differ stands behind each time. To have some cases only, or one kernel:
//
//	go run . -cases statistics -growth=false -respondents 1000000 -kernel avx2
//
// In two minutes, on one thread and a fifth of the respondents, without what takes long:
//
//	go run . -quick
//
// It is a module of its own, so that the cgo of a peer stays out of the engine.
package main

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/crosswave/crosswave/internal/kernel"
)

// options are what the command is asked for.
type options struct {
	respondents, threads []int
	cases                []string
	rounds               rounds
	kernel               string
	growth, imports      bool
	quick                bool
}

func main() {
	o, err := parse(os.Args[1:])
	if err == nil {
		err = run(context.Background(), o)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// parse reads the flags.
func parse(args []string) (o options, err error) {
	flags := flag.NewFlagSet("bench", flag.ExitOnError)
	sizes := flags.String("respondents", "1000000,5000000", "how many respondents, one run each")
	threads := flags.String("threads", "1,2", "with how many threads")
	only := flags.String("cases", "", "only cases whose name has one of these in it, separated by commas")
	flags.IntVar(&o.rounds.least, "rounds", 5, "timed rounds of each measurement, more until they are steady")
	flags.StringVar(&o.kernel, "kernel", "", "our kernel, "+names()+"; the first unless given")
	flags.BoolVar(&o.growth, "growth", true, "print how cost grows with respondents, cells and questions")
	flags.BoolVar(&o.quick, "quick", false, "200,000 respondents, one thread, two minutes")
	flags.Parse(args)
	if o.kernel != "" && !slices.ContainsFunc(kernel.All(), func(k *kernel.Kernel) bool { return k.Name() == o.kernel }) {
		return o, fmt.Errorf("-kernel %s: this processor runs %s", o.kernel, names())
	}
	o.cases = strings.FieldsFunc(*only, func(c rune) bool { return c == ',' })
	o.imports = len(o.cases) == 0 || strings.Contains(*only, "import")
	if o.quick {
		*sizes, *threads, o.growth, o.imports, o.rounds = "200000", "1", false, false, rounds{3, time.Second}
	}
	if o.respondents, err = numbers(*sizes); err != nil {
		return o, fmt.Errorf("-respondents: %w", err)
	}
	if o.threads, err = numbers(*threads); err != nil {
		return o, fmt.Errorf("-threads: %w", err)
	}
	return o, nil
}

// names are those of the kernels that the processor runs, the fastest first.
func names() string {
	var names []string
	for _, k := range kernel.All() {
		names = append(names, k.Name())
	}
	return strings.Join(names, ", ")
}

func run(ctx context.Context, o options) error {
	dir, err := os.MkdirTemp("", "crosswave-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	r := &report{kernel: cmp.Or(o.kernel, kernel.Best().Name())}
	r.machine()
	for _, n := range o.respondents {
		b := &bench{report: r, rounds: o.rounds, kernel: o.kernel, quick: o.quick, threads: o.threads, only: o.cases, n: n,
			path: filepath.Join(dir, fmt.Sprintf("%d.db", n)), smallest: n == o.respondents[0]}
		if err := b.run(ctx); err != nil {
			return fmt.Errorf("%d respondents: %w", n, err)
		}
	}
	if o.growth {
		if err := measureGrowth(ctx, r, dir, o.rounds); err != nil {
			return err
		}
	}
	if o.imports {
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
