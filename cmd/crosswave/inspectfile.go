package main

import (
	"context"
	"fmt"
	"path/filepath"

	"github.com/crosswave/crosswave/store/formats"
	"github.com/crosswave/crosswave/store/guess"
	"github.com/crosswave/crosswave/store/survey"
)

// inspectFile prints how a survey file is read, and writes the codebook.
func (c *inspectCommand) inspectFile(ctx context.Context, m Main) error {
	w := startProgress(m.Stderr, "reading "+c.File)
	defer w.end()
	f, err := c.reading.open(c.File, w)
	if err != nil {
		return err
	}
	defer f.Close()
	result := &guess.Result{Codebook: f.Codebook, Columns: nil}
	guessed := f.Codebook == nil || c.reading.overrules()
	if guessed {
		result, err = c.reading.guess(ctx, f, w)
	} else {
		result.Columns = guess.Readings(f.Codebook, f.Columns)
	}
	if w.end(); err != nil {
		return err
	}
	if guessed {
		fmt.Fprintf(m.Stdout, "%s: %s, %s respondents, %d columns\n\n", c.File, f.Format,
			grouped(float64(result.Rows), 0), len(result.Columns))
	} else {
		fmt.Fprintf(m.Stdout, "%s: %s, read by %s\n\n", c.File, f.Format, f.CodebookFrom)
	}
	var checks []check
	if guessed {
		checks = checksOf(result.Checks(&f.File, c.reading.options()), nil)
	}
	if err := writeChecks(checks, m.Stdout); err != nil {
		return err
	}
	if _, err := result.WriteTo(m.Stdout); err != nil {
		return err
	}
	if err := c.writePage(ctx, f, result, checks, m); err != nil {
		return err
	}
	return c.writeCodebook(f, result.Codebook, m)
}

// writePage writes the page about a file, if that is asked for.
func (c *inspectCommand) writePage(ctx context.Context, f *formats.File, result *guess.Result, checks []check,
	m Main) error {
	if c.HTML == "" {
		return nil
	}
	w := startProgress(m.Stderr, "counting the values of "+c.File)
	defer w.end()
	counting := f.File
	counting.Table = &progressTable{f.Table, w}
	shown, err := guess.Distributions(ctx, &counting)
	if err != nil {
		return &formats.Error{Path: f.Path, Err: err}
	}
	text, err := writePage(f, result, checks, shown)
	if err != nil {
		return err
	}
	if err := writeNew(c.HTML, text, c.Force); err != nil {
		return err
	}
	_, err = fmt.Fprintf(m.Stdout, "\nHow each column is read is in %s, to be opened in a browser.\n", c.HTML)
	return err
}

// writeCodebook writes the codebook of a file, if that is asked for, and says what to do with it.
func (c *inspectCommand) writeCodebook(f *formats.File, book *survey.Codebook, m Main) error {
	if c.Codebook == "" {
		return nil
	}
	text, err := survey.WriteCodebook(book)
	if err != nil {
		return err
	}
	if err := writeNew(c.Codebook, text, c.Force); err != nil {
		return err
	}
	fmt.Fprintf(m.Stdout, "\nThe codebook is in %s. Edit it, and import with --codebook %s", c.Codebook, c.Codebook)
	if f.Inside {
		fmt.Fprintln(m.Stdout, "; without that, the one inside the file is used.")
	} else {
		fmt.Fprintf(m.Stdout, "; named %s, it is used without being asked for.\n", filepath.Base(formats.Beside(c.File)))
	}
	return nil
}
