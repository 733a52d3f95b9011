package guess

import (
	"fmt"
	"slices"
	"strings"

	"github.com/crosswave/crosswave/audience"
)

// CheckKind is what a Check is about.
type CheckKind string

// The kinds of checks, what moves figures most first.
const (
	// CheckLost: some respondents lack the weight Names, weigh 0 and are in no figure.
	CheckLost CheckKind = "lost"
	// CheckHeader: the first row was found to be a respondent's, and the columns have no names.
	CheckHeader CheckKind = "header"
	// CheckWeight: the column Names was guessed to be the weight, because of Why.
	CheckWeight CheckKind = "weight"
	// CheckOther: the columns Names look like weights, and are not used.
	CheckOther CheckKind = "other"
	// CheckUnweighted: no column is the weight, so that every respondent weighs 1.
	CheckUnweighted CheckKind = "unweighted"
	// CheckWave, CheckLocation: the column Names was guessed to tell waves or locations, because of Why.
	CheckWave     CheckKind = "wave"
	CheckLocation CheckKind = "location"
	// CheckOrder: nothing decides whether days or months come first in the dates of the column Names, and Why tells what
	// is taken to.
	CheckOrder CheckKind = "order"
	// CheckDates: the dates of the column Names could tell the waves, and are not used because of Why.
	CheckDates CheckKind = "dates"
	// CheckMissing: the values Names are taken for no answer wherever they stand.
	CheckMissing CheckKind = "missing"
	// CheckGrid, CheckMulti: the questions Names were put together of several columns that the file does not declare as
	// one question.
	CheckGrid  CheckKind = "grid"
	CheckMulti CheckKind = "multi"
	// CheckLeft: the columns Names hold something and are no part of the survey.
	CheckLeft CheckKind = "left"
)

// Check is a guess that bears on figures.
type Check struct {
	Kind  CheckKind
	Names []string // of columns, questions or values, as the kind says
	Why   Reason   // none: the kind says it all
	Flag  string   // of import and inspect, that settles it: "--weight NAME"
}

// String is the check as a line for people, without its flag.
func (c Check) String() string {
	names := c.names()
	switch c.Kind {
	case CheckLost:
		return fmt.Sprintf("%s: respondents without this weight weigh 0 and are in no figure", names)
	case CheckHeader:
		return "the first row holds answers as those below: it is read as a respondent's, and columns have no names"
	case CheckWeight:
		return fmt.Sprintf("%s: every figure is weighted by it, because %s", names, c.Why)
	case CheckOther:
		return fmt.Sprintf("%s: not used, though it looks like a weight", names)
	case CheckUnweighted:
		return "every respondent weighs 1, as no column is surely the weight"
	case CheckWave, CheckLocation:
		return fmt.Sprintf("%s: tells the %s, because %s", names, c.Kind, c.Why)
	case CheckOrder:
		return fmt.Sprintf("%s: %s", names, c.Why)
	case CheckDates:
		return fmt.Sprintf("%s: not used, though its dates could tell the waves: %s", names, c.Why)
	case CheckMissing:
		return fmt.Sprintf("%s: no answer, wherever it stands", names)
	case CheckGrid:
		return fmt.Sprintf("%s: put together as a grid of several columns each", names)
	case CheckMulti:
		return fmt.Sprintf("%s: put together as a multiple choice of several columns each", names)
	case CheckLeft:
		return fmt.Sprintf("%s: not used", names)
	}
	return names
}

// names lists the names so that they fit a line.
func (c Check) names() string {
	const most, longest = 5, 40
	var list []string
	for _, name := range c.Names[:min(len(c.Names), most)] {
		list = append(list, short(name, longest))
	}
	if more := len(c.Names) - most; more > 0 {
		return fmt.Sprintf("%s and %d more", strings.Join(list, ", "), more)
	}
	return strings.Join(list, ", ")
}

// Checks lists the guesses that should be looked at first, one of each kind, in the order of the kinds. o and f are
// what the guess was made with: what was said, or what the file declares, was not guessed.
func (m *Result) Checks(f *File, o Options) []Check {
	columns := map[string]*Column{}
	for i := range f.Columns {
		columns[f.Columns[i].Name] = &f.Columns[i]
	}
	flags := map[CheckKind]string{CheckLost: "--weight=-", CheckUnweighted: "--weight COLUMN",
		CheckMissing: "--codebook FILE", CheckGrid: "--grid CODE=COLUMN,...", CheckMulti: "--multi CODE=COLUMN,...",
		CheckLeft: "--codebook FILE"}
	found := map[CheckKind]*Check{}
	note := func(kind CheckKind, name string, why Reason, flag string) {
		if found[kind] == nil {
			found[kind] = &Check{Kind: kind, Why: why, Flag: flag}
		}
		if name != "" && !slices.Contains(found[kind].Names, name) {
			found[kind].Names = append(found[kind].Names, name)
		}
	}
	if f.Unnamed {
		note(CheckHeader, "", Reason{}, "--header yes")
	}
	weighted := false
	for _, r := range m.Columns {
		guessed := r.Why.Kind != Said
		switch r.As {
		case "weight":
			if weighted = true; guessed && columns[r.Column] != nil && !columns[r.Column].Weight {
				note(CheckWeight, r.Column, r.Why, flags[CheckLost])
			}
		case "wave", "location":
			if guessed {
				note(CheckKind(r.As), r.Column, r.Why, "--"+r.As+"=-")
			}
		case audience.Grid, audience.Multi:
			if kind := CheckKind(r.As); guessed && !f.declares(r.Column) {
				note(kind, r.Of, Reason{}, flags[kind])
			}
		case NotUsed:
			switch r.Why.Kind {
			case AnotherWeight:
				note(CheckOther, r.Column, Reason{}, "--weight "+argument(r.Column))
			case Empty, Said:
			default:
				if m.maybeWave != nil && r.Column == m.maybeWave.column {
					continue
				}
				note(CheckLeft, r.Column, Reason{}, flags[CheckLeft])
			}
		}
	}
	for _, column := range m.perhaps {
		note(CheckOther, column, Reason{}, "--weight "+argument(column))
	}
	if w := m.maybeWave; w != nil {
		note(CheckDates, w.column, w.why(), fmt.Sprintf("--wave %s --wave-by %s", argument(w.column), w.by))
	}
	if order := m.Codebook.Wave.Dates; m.unsure != "" {
		note(CheckOrder, m.unsure, Reason{Kind: ReasonUndecided, Order: order}, "--dates "+string(other(order)))
	}
	for i, w := range m.Codebook.Weights {
		if w.Missing == "zero" {
			note(CheckLost, m.Codebook.Weights[i].Column, Reason{}, flags[CheckLost])
		}
	}
	if !weighted && o.Weight == "" {
		note(CheckUnweighted, "", Reason{}, flags[CheckUnweighted])
	}
	for _, value := range m.Codebook.Missing {
		if strings.TrimSpace(value) != "" {
			note(CheckMissing, fmt.Sprintf("%q", value), Reason{}, flags[CheckMissing])
		}
	}
	var list []Check
	for _, kind := range []CheckKind{CheckLost, CheckHeader, CheckWeight, CheckOther, CheckUnweighted, CheckWave,
		CheckOrder, CheckDates, CheckLocation, CheckMissing, CheckGrid, CheckMulti, CheckLeft} {
		if found[kind] != nil {
			list = append(list, *found[kind])
		}
	}
	return list
}

// argument is a name as a shell takes it for one word.
func argument(name string) string {
	if strings.ContainsFunc(name, func(r rune) bool {
		return r < 0x80 && !('a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' ||
			strings.ContainsRune("_-.:,/@%+", r))
	}) {
		return "'" + strings.ReplaceAll(name, "'", `'\''`) + "'"
	}
	return name
}

// declares tells whether the file says that a column is part of a multiple-response question.
func (f *File) declares(column string) bool {
	return slices.ContainsFunc(f.Sets, func(s Set) bool {
		return s.Joined == column || slices.Contains(s.Columns, column)
	})
}

// told is a note with what it was made of: those of one kind have the same format.
type told struct {
	format string
	args   []any
	text   string
}

// about begins the formats of notes about one thing, so that those about several can be told together.
var about = []string{"column %s: ", "question %s: "}

// fewNotes is how many notes of a kind are told one by one.
const fewNotes = 3

// Grouped is Notes with those of one kind together: the first of them, and what it is true of likewise.
func (m *Result) Grouped() []string {
	if len(m.told) != len(m.Notes) {
		return m.Notes
	}
	others := map[string][]string{} // what the notes of a kind are about
	for _, n := range m.told {
		if n.alike() {
			others[n.format] = append(others[n.format], fmt.Sprint(n.args[0]))
		}
	}
	var list []string
	done := map[string]bool{}
	for _, n := range m.told {
		names := others[n.format]
		switch {
		case len(names) <= fewNotes:
			list = append(list, n.text)
		case !done[n.format]:
			done[n.format] = true
			list = append(list, fmt.Sprintf("%s; likewise %s", n.text, listed(names[1:])))
		}
	}
	return list
}

// alike tells whether the note is one of those about one thing that may be told together.
func (n *told) alike() bool {
	return len(n.args) > 0 && slices.ContainsFunc(about, func(begin string) bool {
		return strings.HasPrefix(n.format, begin)
	})
}
