package main

import (
	"context"
	"fmt"
	"io"

	"github.com/alecthomas/kong"
	"github.com/crosswave/crosswave/store/formats"
	"github.com/crosswave/crosswave/store/guess"
	"github.com/crosswave/crosswave/store/sqlite"
	"github.com/crosswave/crosswave/store/survey"
)

type importCommand struct {
	database
	distributed
	reading
	threaded
	Codebook    string   `name:"codebook" aliases:"cb" placeholder:"CB.json" help:"${codebook}"`
	Data        string   `arg:"" help:"${surveyfile}"`
	Append      bool     `xor:"mode" help:"Add to what the store holds; new waves or locations only."`
	ReplaceWave []string `xor:"mode" placeholder:"CODE" help:"Withdraw these waves and put in those of the file."`
	Strict      strict   `placeholder:"WHAT" help:"${strict}"`
	JSON        bool     `name:"json" help:"Write the report as JSON."`
}

func (c *importCommand) Run(ctx context.Context, m Main) error {
	w := startProgress(m.Stderr, "reading "+c.Data)
	defer w.end()
	file, err := c.reading.open(c.Data, w)
	if err != nil {
		return err
	}
	defer file.Close()
	source, questions, guesses, err := c.reading.source(ctx, file, c.Codebook, w)
	if err != nil {
		return err
	}
	w.step("reading " + c.Data)
	hash, err := formats.Hash(c.Data)
	if err != nil {
		return err
	}
	db, err := sqlite.Open(ctx, c.DB, c.threaded.config())
	if err != nil {
		return err
	}
	defer db.Close()
	o := survey.Options{Mode: survey.Create, Strict: survey.Strict(c.Strict)}
	switch {
	case c.Append:
		o.Mode = survey.Append
	case len(c.ReplaceWave) > 0:
		o.Mode, o.ReplaceWaves = survey.Replace, c.ReplaceWave
	}
	store, err := c.keeper(ctx, db)
	if err != nil {
		return err
	}
	report, err := runImport(ctx, source, store, o, c.Data, w)
	if err != nil {
		return err
	}
	if err := db.NoteImported(ctx, c.Data, hash); err != nil {
		return err
	}
	w.end()
	if err := writeReport(report, guesses, c.JSON, m.Stdout); err != nil {
		return err
	}
	return bring(ctx, db, questions, m.Stderr)
}

// strict is what --strict makes an error; bare, it is answers.
type strict survey.Strict

// IsBool tells that the flag may stand without a value.
func (*strict) IsBool() bool { return true }

// Decode reads --strict and --strict=WHAT.
func (s *strict) Decode(ctx *kong.DecodeContext) error {
	what := "answers"
	if next := ctx.Scan.Peek(); next.Type == kong.FlagValueToken {
		what = fmt.Sprint(ctx.Scan.Pop().Value)
	}
	switch what {
	case "answers", "true":
		*s = strict(survey.StrictAnswers)
	case "warnings":
		*s = strict(survey.StrictWarnings)
	case "all":
		*s = strict(survey.StrictAll)
	case "false":
		*s = 0
	default:
		return fmt.Errorf("%q is none of answers, warnings and all", what)
	}
	return nil
}

func delimiter(s string) (rune, error) {
	if s == "tab" || s == `\t` {
		return '\t', nil
	}
	if r := []rune(s); len(r) == 1 {
		return r[0], nil
	}
	return 0, usage("--delimiter %q: one character, or tab", s)
}

// runImport imports and shows how far it is.
func runImport(ctx context.Context, source survey.Source, store survey.Store, o survey.Options, path string,
	w *progress) (*survey.Report, error) {
	w.step("importing " + path)
	o.Progress = w.imported
	report, err := survey.Import(ctx, source, store, o)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return report, nil
}

// writeReport writes what an import found and did, and on top what is to be checked first.
func writeReport(r *survey.Report, guesses []guess.Check, asJSON bool, out io.Writer) error {
	if asJSON {
		return printJSON(out, r)
	}
	if err := writeChecks(checksOf(guesses, r.Warnings), out); err != nil {
		return err
	}
	_, err := r.WriteTo(out)
	return err
}

type waveCommand struct {
	Remove waveRemove `cmd:"" help:"Withdraw waves: their respondents go."`
}

type waveRemove struct {
	database
	distributed
	Waves []string `arg:"" help:"Wave codes."`
	JSON  bool     `name:"json" help:"Write the report as JSON."`
}

func (c *waveRemove) Run(ctx context.Context, m Main) error {
	db, err := c.open(ctx)
	if err != nil {
		return err
	}
	defer db.Close()
	store, err := c.keeper(ctx, db)
	if err != nil {
		return err
	}
	report, err := survey.Withdraw(ctx, store, c.Waves)
	if err != nil {
		return err
	}
	return writeReport(report, nil, c.JSON, m.Stdout)
}
