package main

import (
	"context"
	"fmt"
	"io"
	"os"

	"github.com/alecthomas/kong"
	"github.com/crosswave/crosswave/store/formats"
	"github.com/crosswave/crosswave/store/sqlite"
	"github.com/crosswave/crosswave/store/survey"
	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"
)

type importCommand struct {
	database
	distributed
	reading
	Codebook    string   `name:"codebook" aliases:"cb" placeholder:"CB.json" help:"${codebook}"`
	Data        string   `arg:"" help:"${surveyfile}"`
	Append      bool     `xor:"mode" help:"Add to what the store holds; new waves or locations only."`
	ReplaceWave []string `xor:"mode" placeholder:"CODE" help:"Withdraw these waves and put in those of the file."`
	Strict      strict   `placeholder:"WHAT" help:"${strict}"`
	JSON        bool     `name:"json" help:"Write the report as JSON."`
}

func (c *importCommand) Run(ctx context.Context, m Main) error {
	file, err := c.reading.open(c.Data)
	if err != nil {
		return err
	}
	defer file.Close()
	source, err := c.reading.source(ctx, file, c.Codebook)
	if err != nil {
		return err
	}
	hash, err := formats.Hash(c.Data)
	if err != nil {
		return err
	}
	db, err := sqlite.Open(ctx, c.DB, sqlite.Config{})
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
	report, err := runImport(ctx, source, store, o, m.Stderr)
	if err != nil {
		return fmt.Errorf("%s: %w", c.Data, err)
	}
	if err := db.NoteImported(ctx, c.Data, hash); err != nil {
		return err
	}
	return writeReport(report, c.JSON, m.Stdout)
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
func runImport(ctx context.Context, source survey.Source, store survey.Store, o survey.Options, stderr io.Writer) (
	*survey.Report, error) {
	show, done := progress("importing", stderr)
	defer done()
	o.Progress = show
	return survey.Import(ctx, source, store, o)
}

// progress gives what shows how far something is, if somebody watches; nil else.
func progress(what string, stderr io.Writer) (show func(survey.Progress), done func()) {
	file, ok := stderr.(*os.File)
	if !ok || !term.IsTerminal(int(file.Fd())) {
		return nil, func() {}
	}
	bar := progressbar.NewOptions64(-1, progressbar.OptionSetWriter(stderr), progressbar.OptionSetDescription(what),
		progressbar.OptionClearOnFinish(), progressbar.OptionThrottle(100_000_000))
	return func(p survey.Progress) {
		if p.Total > 0 {
			bar.ChangeMax64(p.Total)
		}
		bar.Describe(fmt.Sprintf("%s respondents", grouped(float64(p.Respondents), 0)))
		bar.Set64(p.Done)
	}, func() { bar.Finish() }
}

func writeReport(r *survey.Report, asJSON bool, out io.Writer) error {
	if asJSON {
		return printJSON(out, r)
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
	return writeReport(report, c.JSON, m.Stdout)
}
