package sav

import (
	"fmt"
	"math"
	"strings"
	"unicode/utf8"
)

// Limits of the format, in bytes of UTF-8.
const (
	maxFileLabel  = 64
	maxLabel      = 255 // of a variable
	maxValueLabel = 255 // the length is a byte; SPSS itself lets people type 120
	maxDocument   = 80
	maxSetLabel   = 255
)

// check says why d cannot be written, or returns nil.
func (d *Dictionary) check() error {
	bad := func(variable, format string, args ...any) error {
		return &InvalidError{Variable: variable, Problem: fmt.Sprintf(format, args...)}
	}
	if len(d.Variables) == 0 {
		return bad("", "no variables; expected at least one")
	}
	if problem := textProblem(d.Label, maxFileLabel); problem != "" {
		return bad("", "file label %s", problem)
	}
	for i, line := range d.Documents {
		if problem := textProblem(line, maxDocument); problem != "" {
			return bad("", "document line %d %s", i+1, problem)
		}
	}
	names := make(map[string]*Variable, len(d.Variables))
	for i := range d.Variables {
		v := &d.Variables[i]
		if names[fold(v.Name)] != nil {
			return bad(v.Name, "second variable of that name")
		}
		names[fold(v.Name)] = v
		if problem := v.problem(); problem != "" {
			return bad(v.Name, "%s", problem)
		}
	}
	if w := names[fold(d.Weight)]; d.Weight != "" && (w == nil || !w.Numeric()) {
		return bad("", "weight is %q; expected the name of a number", d.Weight)
	}
	sets := map[string]bool{}
	for i := range d.Sets {
		s := &d.Sets[i]
		if sets[fold(s.Name)] {
			return bad("", "second multiple-response set %q", s.Name)
		}
		sets[fold(s.Name)] = true
		if problem := s.problem(names); problem != "" {
			return bad("", "multiple-response set %q: %s", s.Name, problem)
		}
	}
	if problem := attributesProblem(d.Attributes); problem != "" {
		return bad("", "%s", problem)
	}
	return nil
}

func textProblem(s string, limit int) string {
	if len(s) > limit {
		return fmt.Sprintf("has %d bytes; expected at most %d", len(s), limit)
	}
	if !utf8.ValidString(s) {
		return "is not valid UTF-8"
	}
	return ""
}

// problem says what is wrong with a variable, or returns "".
func (v *Variable) problem() string {
	if problem := nameProblem(v.Name); problem != "" {
		return problem
	}
	if v.Width < 0 || v.Width > maxWidth {
		return fmt.Sprintf("width is %d; expected 0 for a number, or 1 to %d bytes of text", v.Width, maxWidth)
	}
	if problem := textProblem(v.Label, maxLabel); problem != "" {
		return "label " + problem
	}
	for _, f := range []Format{v.Print, v.Write} {
		if f != (Format{}) && !f.fits(v.Width) {
			return fmt.Sprintf("format %v does not suit its width %d; leave it out for the usual one", f, v.Width)
		}
	}
	if v.Measure > Scale || v.Align > Centre || v.Role > Split || v.Columns < 0 || v.Columns > math.MaxInt32 {
		return fmt.Sprintf("measure %d, alignment %d, role %d or column width %d is not one there is", v.Measure,
			v.Align, v.Role, v.Columns)
	}
	seen := make(map[Value]bool, len(v.Labels))
	for _, l := range v.Labels {
		if problem := v.valueProblem(l.Value, v.Width); problem != "" {
			return "value label: " + problem
		}
		if seen[l.Value] {
			return fmt.Sprintf("value label: second label of %q", l.Value)
		}
		seen[l.Value] = true
		if problem := textProblem(l.Label, maxValueLabel); problem != "" {
			return fmt.Sprintf("label of %q %s", l.Value, problem)
		}
	}
	if problem := v.missingProblem(); problem != "" {
		return "missing values: " + problem
	}
	return attributesProblem(v.Attributes)
}

// valueProblem says why x cannot be a value of v, whose text may have width bytes.
func (v *Variable) valueProblem(x Value, width int) string {
	switch {
	case x.kind == kindMissing && v.Numeric():
		return "found system-missing; expected a number"
	case v.Numeric() && x.kind == kindText:
		return fmt.Sprintf("found the text %q; expected a number", clip(x.text))
	case v.Numeric():
		if math.IsInf(x.number, 0) {
			return "found an infinite number"
		}
	case x.kind == kindNumber:
		return fmt.Sprintf("found the number %v; expected a text", x)
	case len(x.text) > width:
		return fmt.Sprintf("found the text %q of %d bytes; expected at most %d", clip(x.text), len(x.text), width)
	case !utf8.ValidString(x.text):
		return fmt.Sprintf("found the text %q, which is not valid UTF-8", clip(x.text))
	}
	return ""
}

func (v *Variable) missingProblem() string {
	m := &v.Missing
	most := 3
	if m.Range {
		most = 1
		if !v.Numeric() {
			return "a range, which only numbers can have"
		}
		if !(m.Low <= m.High) {
			return fmt.Sprintf("range from %g to %g; expected the lower end first", m.Low, m.High)
		}
	}
	if len(m.Values) > most {
		return fmt.Sprintf("%d single values; expected at most %d (3, or 1 beside a range)", len(m.Values), most)
	}
	for _, x := range m.Values {
		if problem := v.valueProblem(x, min(v.Width, 8)); problem != "" {
			return problem
		}
	}
	return ""
}

// problem says what is wrong with a set of some of these variables, or returns "".
func (s *Set) problem(names map[string]*Variable) string {
	name, found := strings.CutPrefix(s.Name, "$")
	if !found {
		return "name does not begin with $"
	}
	if problem := nameProblem(name); problem != "" || len(s.Name) > maxName {
		return "name after the $: " + problem
	}
	// A label that comes from a variable is not written with the set.
	if problem := textProblem(s.Label, maxSetLabel); problem != "" && !s.LabelFromVariable {
		return "label " + problem
	}
	if strings.ContainsAny(s.Label, "\r\n") && !s.LabelFromVariable {
		return "label has a line break"
	}
	if len(s.Variables) < 2 {
		return fmt.Sprintf("%d variables; expected two or more", len(s.Variables))
	}
	first := names[fold(s.Variables[0])]
	for _, name := range s.Variables {
		v := names[fold(name)]
		if v == nil {
			return fmt.Sprintf("there is no variable %q", name)
		}
		if v.Numeric() != first.Numeric() {
			return fmt.Sprintf("%q and %q are a number and a text; expected all alike", first.Name, v.Name)
		}
	}
	switch {
	case s.Kind > Dichotomy:
		return fmt.Sprintf("kind is %d; expected category or dichotomy", s.Kind)
	case s.Kind == Category && (s.CountedLabels || s.LabelFromVariable):
		return "a category set cannot have its labels from counted values or its label from a variable"
	case s.LabelFromVariable && !s.CountedLabels:
		return "its label can come from a variable only if its categories are labelled by the counted value"
	case s.Kind == Dichotomy:
		if problem := first.valueProblem(s.Counted, first.Width); problem != "" {
			return "counted value: " + problem
		}
		if s.Counted.kind == kindMissing || first.Numeric() && s.Counted.number != math.Trunc(s.Counted.number) {
			return fmt.Sprintf("counted value is %q; expected a whole number, or a text where the variables are", s.Counted)
		}
		if strings.ContainsAny(s.Counted.text, "\r\n") {
			return "counted value has a line break"
		}
	}
	return ""
}

func attributesProblem(attrs []Attribute) string {
	for _, a := range attrs {
		switch {
		case attributeName(a.Name) != a.Name || a.Name == "":
			return fmt.Sprintf(
				"attribute %q: expected a name of letters, digits and . _ $ # @ [ ] and at most %d bytes", a.Name, maxName)
		case a.Name == roleAttribute:
			return "attribute " + roleAttribute + " is what the role is kept in; set that instead"
		case len(a.Values) == 0:
			return fmt.Sprintf("attribute %q has no value", a.Name)
		}
		for _, x := range a.Values {
			if strings.Contains(x, "\n") || !utf8.ValidString(x) {
				return fmt.Sprintf("attribute %q: value %q has a line feed or is not valid UTF-8", a.Name, clip(x))
			}
		}
	}
	return ""
}

// attributeName returns a name with what cannot be in one replaced.
func attributeName(name string) string {
	name = strings.Map(func(r rune) rune {
		if nameRune(r, false) || r == '[' || r == ']' {
			return r
		}
		return '_'
	}, strings.ToValidUTF8(name, "_"))
	return cutText(name, maxName, "")
}
