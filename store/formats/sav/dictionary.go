package sav

import (
	"cmp"
	"slices"
	"strings"
	"time"
)

// Dictionary is what a system file says besides the cases.
type Dictionary struct {
	Label     string    // of the file; at most 64 bytes
	Product   string    // program that wrote the file
	Created   time.Time // no zone is kept: UTC stands for the clock of the writer; zero when not known
	Documents []string  // lines of text; at most 80 bytes each

	Variables []Variable // in the order of the columns; names differ, whatever the case of their letters
	Weight    string     // name of the variable cases are weighted by, or ""
	Sets      []Set      // multiple-response sets, in the order of the file

	Attributes []Attribute // of the file
}

// Variable describes one column.
type Variable struct {
	Name    string // long name; at most 64 bytes
	Short   string // name within the file, at most 8 bytes; the writer makes one where it is empty or taken
	Width   int    // 0 for numbers; for texts 1 to 32767, in bytes of the file's encoding
	Label   string
	Labels  []ValueLabel // in the order of the file. Several variables may share one slice: don't change it in place
	Missing Missing

	Measure Measure
	Print   Format // how values are shown; the writer takes a zero Format for F8.2, and A with the width for texts
	Write   Format // how values are written to text files; zero: as Print
	Columns int    // width in the data editor, characters; the writer takes 0 for 8
	Align   Align
	Role    Role

	Attributes []Attribute
}

// Numeric reports whether the values of v are numbers.
func (v *Variable) Numeric() bool { return v.Width == 0 }

// ValueLabel returns the label of a value, or false if it has none.
func (v *Variable) ValueLabel(x Value) (string, bool) {
	for _, l := range v.Labels {
		if l.Value == x {
			return l.Label, true
		}
	}
	return "", false
}

// ValueLabel is the label of one value.
type ValueLabel struct {
	Value Value
	Label string
}

// Missing lists which values of a variable are user-missing: up to three single
// values, or for numbers a range and at most one value beside it.
type Missing struct {
	Values []Value
	Range  bool    // whether there is a range
	Low    float64 // first value of the range; -Inf for LOWEST
	High   float64 // last value of the range; +Inf for HIGHEST
}

// Has reports whether v is user-missing. System-missing is not.
func (m *Missing) Has(v Value) bool {
	return slices.Contains(m.Values, v) || m.Range && v.kind == kindNumber && m.Low <= v.number && v.number <= m.High
}

// Empty reports whether no value is user-missing.
func (m *Missing) Empty() bool { return !m.Range && len(m.Values) == 0 }

// Measure is the measurement level of a variable.
type Measure uint8

// The measurement levels.
const (
	MeasureUnknown Measure = iota
	Nominal
	Ordinal
	Scale
)

func (m Measure) String() string {
	return pick([]string{"unknown", "nominal", "ordinal", "scale"}, int(m))
}

// Align is how a column is aligned in the data editor.
type Align uint8

// The alignments.
const (
	Left Align = iota
	Right
	Centre
)

func (a Align) String() string { return pick([]string{"left", "right", "centre"}, int(a)) }

// Role is what dialogs offer a variable for.
type Role uint8

// The roles.
const (
	Input Role = iota
	Target
	Both
	NoRole
	Partition
	Split
)

func (r Role) String() string {
	return pick([]string{"input", "target", "both", "none", "partition", "split"}, int(r))
}

func pick(names []string, i int) string {
	if i < len(names) {
		return names[i]
	}
	return "?"
}

// Attribute is a custom attribute of a file or a variable: a name, and one value or an array of them.
type Attribute struct {
	Name   string
	Values []string
}

// Set is a multiple-response set: variables that are together the answers to one question.
type Set struct {
	Name      string // begins with $
	Label     string
	Kind      SetKind
	Variables []string // names, in the order of the file

	// Counted is the value that means "chosen" in a dichotomous set.
	Counted Value
	// CountedLabels tells where a dichotomous set has the names of its categories from: false for the labels of the
	// variables, true for the label that each variable gives to the counted value (CATEGORYLABELS=COUNTEDVALUES in SPSS).
	CountedLabels bool
	// LabelFromVariable tells that the set has no label of its own but that of its first variable (LABELSOURCE=VARLABEL in
	// SPSS), which the reader puts in Label. The format has this only beside CountedLabels.
	LabelFromVariable bool
}

// SetKind tells how the variables of a set are to be read.
type SetKind uint8

// The kinds of sets.
const (
	// Category: the variables share one list of values; each holds one choice.
	Category SetKind = iota
	// Dichotomy: each variable is one choice, taken where it has the counted value.
	Dichotomy
)

func (k SetKind) String() string { return pick([]string{"category", "dichotomy"}, int(k)) }

// Index returns the place of the variable of that name, or -1. Case does not matter in names.
func (d *Dictionary) Index(name string) int {
	return slices.IndexFunc(d.Variables, func(v Variable) bool { return strings.EqualFold(v.Name, name) })
}

// Variable returns the variable of that name, or nil, like [Dictionary.Index].
func (d *Dictionary) Variable(name string) *Variable {
	if i := d.Index(name); i >= 0 {
		return &d.Variables[i]
	}
	return nil
}

// CategoryLabel returns the name of the category that a variable stands for in a dichotomous set, from the source that
// the set names; where that has nothing, from the other; and at last the name of the variable.
func (d *Dictionary) CategoryLabel(s *Set, variable string) string {
	v := d.Variable(variable)
	if v == nil {
		return variable
	}
	counted, _ := v.ValueLabel(s.Counted)
	if s.CountedLabels {
		return cmp.Or(counted, v.Label, v.Name)
	}
	return cmp.Or(v.Label, counted, v.Name)
}
