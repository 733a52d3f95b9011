package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/crosstab"
	"github.com/crosswave/crosswave/crosstab/sheet"
	"github.com/crosswave/crosswave/httpapi"
)

// encoders are the forms that answers over HTTP have beside those that httpapi has by itself.
func encoders() []httpapi.Encoder { return []httpapi.Encoder{sheet.Encoder{}} }

// workbook is the flags that have a table written as a workbook.
type workbook struct {
	Out   string `placeholder:"NAME.xlsx" help:"Write the table as a workbook in place of printing it."`
	Force bool   `help:"Replace the file of --out if it is there."`
}

// checkOut finds flags that do not go together.
func (w *workbook) checkOut(format string) error {
	switch {
	case w.Out == "" && w.Force:
		return usage("--force replaces the file of --out: give that, too")
	case w.Out == "":
		return nil
	case format != "table":
		return usage("--out writes a workbook: leave out --format %s, or --out", format)
	}
	if err := checkWorkbook(w.Out); err != nil {
		return usage("--out %w", err)
	}
	return nil
}

// checkWorkbook is an error if a path is not that of a workbook.
func checkWorkbook(path string) error {
	if !strings.EqualFold(filepath.Ext(path), ".xlsx") {
		return fmt.Errorf("%s: a workbook is called NAME.xlsx", path)
	}
	return nil
}

// writeTable writes the table of a request with its totals.
func (w *workbook) writeTable(ctx context.Context, st audience.Store, r crosstab.Request, low float64) error {
	x, err := cross(ctx, st, r)
	if err != nil {
		return err
	}
	return writeFile(w.Out, w.Force, func(out io.Writer) error {
		b, err := sheet.New()
		if err != nil {
			return err
		}
		defer b.Close()
		if err := b.Add(ctx, x.sheet("Crosstab", low)); err != nil {
			return err
		}
		return b.Write(ctx, out)
	})
}

// sheet is a crosstab as one of a workbook, whose letters are small at a lower level of confidence; 0 is none.
func (x *crossed) sheet(title string, low float64) sheet.Table {
	return sheet.Table{Title: title, Frame: x.frame, Request: x.request, Rows: x.rows, Columns: x.columns, Totals: true,
		LevelLow: low, Cells: func(yield func(crosstab.Cell) bool) {
			for _, row := range x.cells {
				for _, c := range row {
					if !yield(c) {
						return
					}
				}
			}
		}}
}

// writeFile writes a file that is there whole or not at all, and replaces one only if it may.
func writeFile(path string, replace bool, write func(io.Writer) error) (err error) {
	if _, err := os.Lstat(path); err == nil && !replace {
		return fmt.Errorf("%s is there already; --force replaces it", path)
	}
	file, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			os.Remove(file.Name())
		}
	}()
	if err = write(file); err == nil {
		err = errors.Join(file.Chmod(0o644), file.Sync())
	}
	if err = errors.Join(err, file.Close()); err != nil {
		return err
	}
	return os.Rename(file.Name(), path)
}
