package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

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

// writeBook writes the tables of a plan, all of one version of the store. One table at a time is held as figures.
func writeBook(ctx context.Context, st audience.Store, version uint64, tables []plan.Table, out io.Writer,
	w *progress) error {
	b, err := sheet.New()
	if err != nil {
		return err
	}
	defer b.Close()
	for i, t := range tables {
		x, err := cross(ctx, st, t.Request)
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
