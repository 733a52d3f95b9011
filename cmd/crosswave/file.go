package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/store/formats"
	"github.com/crosswave/crosswave/store/guess"
	"github.com/crosswave/crosswave/store/survey"
	"github.com/crosswave/crosswave/store/survey/period"
)

// reading is the flags that say how a survey file without a codebook is to be understood. What they leave open is
// guessed.
type reading struct {
	Respondent string   `placeholder:"COLUMN" help:"The column of the respondents' ids; - for none: the row's number."`
	Wave       string   `placeholder:"COLUMN" help:"The column of waves; - for none."`
	WaveBy     string   `placeholder:"PERIOD" help:"${waveby}"`
	Dates      string   `placeholder:"ORDER" help:"${dates}"`
	Location   string   `placeholder:"COLUMN" help:"The column of locations; - for none."`
	Weight     string   `placeholder:"COLUMN" help:"The column of weights; - for none."`
	Grid       []string `sep:"none" placeholder:"CODE=COLUMN,..." help:"${grid}"`
	Multi      []string `sep:"none" placeholder:"CODE=COLUMN,..." help:"${multi}"`
	Delimiter  string   `placeholder:"CHARACTER" help:"${delimiter}"`
	Header     string   `placeholder:"YES" help:"${header}"`
	Encoding   string   `placeholder:"NAME" help:"${encoding}"`
	Sheet      string   `placeholder:"NAME" help:"${sheet}"`
	Member     string   `placeholder:"NAME" help:"${member}"`
}

// overrules tells whether a flag says how to understand the file, so that a codebook that it brings along is not used.
func (r *reading) overrules() bool {
	return r.Respondent != "" || r.Wave != "" || r.WaveBy != "" || r.Dates != "" || r.Location != "" ||
		r.Weight != "" || len(r.Grid) > 0 || len(r.Multi) > 0
}

// options are the flags as options of the guess.
func (r *reading) options() guess.Options {
	o := guess.Options{Respondent: r.Respondent, Wave: r.Wave, Location: r.Location, Weight: r.Weight,
		WaveBy: period.By(r.WaveBy), Dates: period.Order(r.Dates)}
	for _, text := range r.Grid {
		code, columns := codeAndColumns(text)
		o.Grids = append(o.Grids, guess.Grid{Code: code, Columns: columns})
	}
	for _, text := range r.Multi {
		code, columns := codeAndColumns(text)
		o.Multis = append(o.Multis, guess.Multi{Code: code, Columns: columns})
	}
	return o
}

// codeAndColumns reads CODE=COLUMN,COLUMN, the code being left to be found out if it is missing.
func codeAndColumns(text string) (code string, columns []string) {
	code, list, found := strings.Cut(text, "=")
	if !found {
		code, list = "", text
	}
	return strings.TrimSpace(code), splitList(list)
}

func splitList(text string) []string {
	var list []string
	for part := range strings.SplitSeq(text, ",") {
		if part = strings.TrimSpace(part); part != "" {
			list = append(list, part)
		}
	}
	return list
}

// open opens a survey file.
func (r *reading) open(path string, w *progress) (*formats.File, error) {
	o := formats.Options{Encoding: r.Encoding, Sheet: r.Sheet, Member: r.Member, Progress: w.set}
	if r.Delimiter != "" {
		var err error
		if o.Delimiter, err = delimiter(r.Delimiter); err != nil {
			return nil, err
		}
	}
	switch o.Header = formats.Header(r.Header); o.Header {
	case formats.HeaderFound, formats.HeaderThere, formats.NoHeader:
	default:
		return nil, usage("--header %q: yes or no", r.Header)
	}
	f, err := formats.Open(path, o)
	if choice := (*formats.ChoiceError)(nil); errors.As(err, &choice) && len(choice.Names) > 0 {
		return nil, usage("%w; --%s NAME chooses", choice, choice.Choice)
	} else if choice != nil {
		return nil, usage("--%s: %w", choice.Choice, choice)
	}
	return f, err
}

// guess makes a codebook for a file. A flag that leads nowhere is a wrong call.
func (r *reading) guess(ctx context.Context, f *formats.File, w *progress) (*guess.Result, error) {
	w.step("looking at every value of " + f.Path)
	table := f.Table
	f.Table = &progressTable{table, w}
	m, err := f.Guess(ctx, r.options())
	f.Table = table
	var option *guess.OptionError
	if errors.As(err, &option) {
		return nil, usage("--%w", option)
	}
	return m, err
}

// source reads a file by the codebook at path, else by the one that it brings along, else by one that is guessed, of
// which the checks tell. It also gives the derived questions that the codebook names.
func (r *reading) source(ctx context.Context, f *formats.File, path string, w *progress) (survey.Source,
	[]audience.Definition, []guess.Check, error) {
	switch {
	case path != "" && r.overrules():
		return nil, nil, nil, usage("--codebook says what the columns are; --respondent, --wave, --wave-by, --dates, " +
			"--location, --weight, --grid and --multi are for files without one")
	case path != "":
		text, err := os.ReadFile(path)
		if err != nil {
			return nil, nil, nil, err
		}
		codebook, err := survey.ReadCodebook(text)
		if err != nil {
			return nil, nil, nil, fmt.Errorf("%s: %w", path, err)
		}
		source, err := f.Source(codebook)
		return source, codebook.Derived, nil, err
	case f.Codebook != nil && !r.overrules():
		source, err := f.Source(f.Codebook, "the file was read by "+f.CodebookFrom)
		if err != nil {
			return nil, nil, nil, fmt.Errorf("%w; it was read by %s", err, f.CodebookFrom)
		}
		return source, f.Codebook.Derived, nil, nil
	}
	m, err := r.guess(ctx, f, w)
	if err != nil {
		return nil, nil, nil, err
	}
	source, err := f.Source(m.Codebook, m.Grouped()...)
	return source, nil, m.Checks(&f.File, r.options()), err
}

// writeNew writes a file that is not there yet, unless it may be replaced.
func writeNew(path string, text []byte, replace bool) error {
	flags := os.O_WRONLY | os.O_CREATE | os.O_EXCL
	if replace {
		flags = os.O_WRONLY | os.O_CREATE | os.O_TRUNC
	}
	file, err := os.OpenFile(path, flags, 0o644)
	if errors.Is(err, os.ErrExist) {
		return usage("%s is there already; --force replaces it", path)
	}
	if err != nil {
		return err
	}
	_, err = file.Write(text)
	return errors.Join(err, file.Close())
}
