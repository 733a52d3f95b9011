package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"sync"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/cmd/crosswave/internal/plan"
	"github.com/crosswave/crosswave/crosstab/sheet"
)

type bookCommand struct {
	asking
	Plan  string `arg:"" help:"${bookplan}"`
	Out   string `arg:"" help:"The workbook to write: NAME.xlsx."`
	Force bool   `help:"Replace the workbook if it is there."`
}

func (c *bookCommand) Run(ctx context.Context, m Main) error {
	if err := checkWorkbook(c.Out); err != nil {
		return usageError{err}
	}
	text, err := c.read(m)
	if err != nil {
		return err
	}
	s, err := c.begin(ctx, m)
	if err != nil {
		return err
	}
	defer s.end()
	tables, err := plan.Read(s.frame, text)
	if err != nil {
		return usage("%s: %w", c.Plan, err)
	}
	w := startProgress(m.Stderr, "writing "+c.Out)
	defer w.end()
	err = writeFile(c.Out, c.Force, func(out io.Writer) error {
		return writeBook(ctx, s.store, s.frame.Version, tables, out, w)
	})
	if err != nil {
		return err
	}
	w.end()
	_, err = fmt.Fprintf(m.Stdout, "%s: %s tables\n", c.Out, grouped(float64(len(tables)), 0))
	return err
}

func (c *bookCommand) read(m Main) ([]byte, error) {
	if c.Plan == "-" {
		return io.ReadAll(m.Stdin)
	}
	return os.ReadFile(c.Plan)
}

// ahead is how many tables of a book are crossed while one is written.
const ahead = 2

// writeBook writes the tables of a plan, all of one version of the store. Few of them at a time are held as figures:
// the one that is written, and those that are crossed meanwhile.
func writeBook(ctx context.Context, st audience.Store, version uint64, tables []plan.Table, out io.Writer,
	w *progress) error {
	b, err := sheet.New()
	if err != nil {
		return err
	}
	defer b.Close()
	var crossing sync.WaitGroup
	defer crossing.Wait()
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	for i, done := range crossAhead(ctx, st, tables, &crossing) {
		t := &tables[i]
		x, err := done()
		switch {
		case err != nil:
			return fmt.Errorf("%s: %w", t.Path, err)
		case x.frame.Version != version:
			return errors.New("the store was changed while the book was written: write it again")
		}
		if err := b.Add(ctx, x.sheet(t.Name, t.LevelLow)); err != nil {
			return fmt.Errorf("%s: %w", t.Path, err)
		}
		w.set(int64(i+1), int64(len(tables)))
	}
	return b.Write(ctx, out)
}

// crossAhead ranges over tables with what waits for their figures. Some tables ahead of the one at hand are crossed
// already, each by a goroutine that crossing knows of.
func crossAhead(ctx context.Context, st audience.Store, tables []plan.Table, crossing *sync.WaitGroup) iter.Seq2[int,
	func() (*crossed, error)] {
	return func(yield func(int, func() (*crossed, error)) bool) {
		var begun []func() (*crossed, error)
		for i := range tables {
			for len(begun) <= ahead && i+len(begun) < len(tables) {
				request, done := tables[i+len(begun)].Request, make(chan struct{})
				var x *crossed
				var err error
				crossing.Go(func() {
					defer close(done)
					x, err = cross(ctx, st, request)
				})
				begun = append(begun, func() (*crossed, error) {
					<-done
					return x, err
				})
			}
			if !yield(i, begun[0]) {
				return
			}
			begun = begun[1:]
		}
	}
}
