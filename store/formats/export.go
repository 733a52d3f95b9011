package formats

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/store/survey"
	"github.com/crosswave/crosswave/store/survey/decimal"
)

// ExportOptions say how to export. The zero value is a good choice.
type ExportOptions struct {
	Overwrite bool // replace files that are there
	// Derived are derived questions that the codebook names, too.
	Derived  []audience.Definition
	Progress func(respondents int64)
}

// Exported tells what an export wrote.
type Exported struct {
	Respondents int64
	Files       []string
	Notes       []string // what could not be written as it is, a sentence each
}

// Export writes a survey to a file of the format that the path's extension names: .sav or .zsav, .sss or .xml with the
// data beside it as .csv, or .csv. The codebook that reads it back is inside a .sav, and beside the others as
// FILE.codebook.json. The source is read more than once. Files appear whole or not at all.
//
// What comes back is the survey itself, with an exception that changes no figure: the datapoints of a multiple choice
// have a column each and are therefore Separate. A question of numbers is a column of numbers, and the codebook has
// ends for its bands that put each number where it was: not those it was once imported with, which no store keeps.
// Where there are none, or numbers are not known of all who are in a band, a second column tells the bands, and the
// notes tell of it.
func Export(ctx context.Context, src survey.Source, path string, o ExportOptions) (*Exported, error) {
	write := map[string]func(*exporter, string) error{
		".sav": (*exporter).writeSPSS, ".zsav": (*exporter).writeSPSS, ".sss": (*exporter).writeTripleS,
		".xml": (*exporter).writeTripleS, ".csv": (*exporter).writeCSV,
	}[strings.ToLower(filepath.Ext(path))]
	if write == nil {
		return nil, &Error{Path: path, Reason: "surveys are written as .sav, .zsav, .sss (Triple-S) and .csv; the " +
			"extension names the format"}
	}
	e := &exporter{ctx: ctx, source: src, options: o}
	if err := e.prepare(); err != nil {
		return nil, err
	}
	err := write(e, path)
	if err == nil {
		err = e.publish()
	}
	if err != nil {
		for _, f := range e.written {
			if failed := os.Remove(f.temporary); !errors.Is(failed, fs.ErrNotExist) {
				err = errors.Join(err, failed)
			}
		}
		return nil, err
	}
	return &e.report, nil
}

// exporter is an export under way.
type exporter struct {
	ctx     context.Context
	source  survey.Source
	options ExportOptions
	plan    exportPlan
	report  Exported
	written []writtenFile
}

// writtenFile is a file that is not published yet.
type writtenFile struct{ temporary, path string }

// write makes a file of what fill writes, to be published under a path.
func (e *exporter) write(path string, fill func(f *os.File) error) error {
	if _, err := os.Lstat(path); err == nil && !e.options.Overwrite {
		return fmt.Errorf("%s is there already; it is replaced only if that is asked for", path)
	}
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
	if err != nil {
		return err
	}
	e.written = append(e.written, writtenFile{f.Name(), path})
	err = fill(f)
	if err == nil {
		err = errors.Join(f.Chmod(0o644), f.Sync())
	}
	return errors.Join(err, f.Close())
}

// publish gives the files their names.
func (e *exporter) publish() error {
	for _, f := range e.written {
		if err := os.Rename(f.temporary, f.path); err != nil {
			return err
		}
		e.report.Files = append(e.report.Files, f.path)
	}
	return nil
}

// note adds to what the report tells.
func (e *exporter) note(format string, args ...any) {
	e.report.Notes = append(e.report.Notes, fmt.Sprintf(format, args...))
}

// writeCodebook writes the codebook beside the data.
func (e *exporter) writeCodebook(path string, c *survey.Codebook) error {
	text, err := survey.WriteCodebook(c)
	if err != nil {
		return err
	}
	return e.write(Beside(path), func(f *os.File) error { _, err := f.Write(text); return err })
}

// record is what a respondent says, by the columns of the plan.
type record struct {
	*survey.Respondent
	answers []cell
}

// cell is what stands in a column.
type cell struct {
	answered bool
	number   decimal.Decimal // of a column of numbers
	picks    []int           // of the column's options, by place
}

// codes appends what stands in a column for an answer: the codes of its options, 1 or 0 of a flag, and nothing where
// nothing was answered.
func (c *exportColumn) codes(list []int, a *cell) []int {
	switch {
	case !a.answered:
		return list
	case c.flag:
		return append(list, len(a.picks))
	case len(a.picks) == 0:
		return append(list, c.otherCode())
	}
	for _, pick := range a.picks {
		list = append(list, c.options[pick].code)
	}
	return list
}

// records streams the respondents.
func (e *exporter) records(yield func(*record, error) bool) {
	p := &e.plan
	r := &record{answers: make([]cell, len(p.columns))}
	n := int64(0)
	for batch, err := range e.source.Respondents(e.ctx) {
		if err == nil {
			err = e.ctx.Err()
		}
		if err != nil {
			yield(nil, err)
			return
		}
		for i := range batch.Respondents {
			r.Respondent = &batch.Respondents[i]
			for k := range p.columns {
				c := &p.columns[k]
				r.answers[k].picks = r.answers[k].picks[:0]
				r.answers[k].answered = !c.number && r.Answered[c.item>>6]>>(c.item&63)&1 != 0
			}
			for _, a := range r.Attributes {
				k := p.columnOf[a]
				if k < 0 {
					continue
				}
				r.answers[k].picks = append(r.answers[k].picks, int(a-p.columns[k].first))
				r.answers[k].answered = true
			}
			for _, n := range r.Numbers {
				if k := p.numberIn[n.Question]; k >= 0 {
					r.answers[k].answered, r.answers[k].number = true, n.Value
				}
			}
			for k := range p.columns {
				a := &r.answers[k]
				if len(a.picks) > 1 {
					slices.Sort(a.picks)
				} else if len(a.picks) == 0 && (p.columns[k].declared || p.unasked(&p.columns[k], r.Wave, r.Location)) {
					a.answered = false
				}
			}
			if !yield(r, nil) {
				return
			}
		}
		n += int64(len(batch.Respondents))
		if e.options.Progress != nil {
			e.options.Progress(n)
		}
	}
	if err := e.ctx.Err(); err != nil {
		yield(nil, err)
	}
}

// wholeNumber reads a text as a whole number that a float64 holds, written as one writes it.
func wholeNumber(text string) (float64, bool) {
	if text == "" || len(text) > 15 || text[0] == '0' && len(text) > 1 {
		return 0, false
	}
	n := 0.0
	for i := range len(text) {
		if text[i] < '0' || text[i] > '9' {
			return 0, false
		}
		n = 10*n + float64(text[i]-'0')
	}
	return n, n < 1<<53
}
