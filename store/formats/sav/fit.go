package sav

import (
	"fmt"
	"slices"
	"strings"
)

// Fit changes d so that [Write] takes it, and returns what it changed. Texts that are too long are cut and end in an
// ellipsis, names get other characters or numbers, and what the format has no place for is left out: say, a set of one
// variable. Values are never changed, nor the widths of texts, except where a width is not one there can be.
//
// Names change in the sets and the weight as well. The list of changes is in
// the order of the dictionary and never shortened.
func (d *Dictionary) Fit() []Note {
	f := fitter{d: d}
	f.text(&d.Label, maxFileLabel, "file label")
	f.documents()
	renamed := f.names()
	for i := range d.Variables {
		f.variable(&d.Variables[i])
	}
	if d.Weight != "" {
		if name, ok := renamed[fold(d.Weight)]; ok {
			d.Weight = name
		}
		if v := d.Variable(d.Weight); v == nil || !v.Numeric() {
			f.note("weight %q is not the name of a number; left out", d.Weight)
			d.Weight = ""
		}
	}
	f.sets(renamed)
	d.Attributes = f.attributes(d.Attributes, "file")
	return f.notes
}

type fitter struct {
	d     *Dictionary
	notes []Note
}

func (f *fitter) note(format string, args ...any) {
	f.notes = append(f.notes, Note{Text: fmt.Sprintf(format, args...)})
}

// text makes s valid and cuts it.
func (f *fitter) text(s *string, limit int, format string, args ...any) {
	if problem := textProblem(*s, limit); problem != "" {
		f.note("%s %s; changed", fmt.Sprintf(format, args...), problem)
		*s = cutText(strings.ToValidUTF8(*s, "\uFFFD"), limit, "…")
	}
}

// documents breaks lines that are too long, at a space if there is one.
func (f *fitter) documents() {
	var lines []string
	for i, line := range f.d.Documents {
		if textProblem(line, maxDocument) != "" {
			f.note("document line %d %s; broken up", i+1, textProblem(line, maxDocument))
		}
		line = strings.ToValidUTF8(line, "\uFFFD")
		for len(line) > maxDocument {
			part := cutText(line, maxDocument, "")
			if at := strings.LastIndexByte(part, ' '); at > 0 {
				part = part[:at]
			}
			lines = append(lines, strings.TrimRight(part, " \x00"))
			line = strings.TrimLeft(line[len(part):], " ")
		}
		lines = append(lines, strings.TrimRight(line, " \x00"))
	}
	f.d.Documents = lines
}

// names makes the names of variables valid and different. It returns the new
// names by the folded old ones, of those that changed.
func (f *fitter) names() map[string]string {
	d, names, renamed := f.d, newNamer(maxName), map[string]string{}
	kept := make([]bool, len(d.Variables))
	first := make(map[string]int, len(d.Variables))
	for i := range d.Variables {
		if _, ok := first[fold(d.Variables[i].Name)]; !ok {
			first[fold(d.Variables[i].Name)] = i
		}
		kept[i] = nameProblem(d.Variables[i].Name) == "" && names.claim(d.Variables[i].Name)
	}
	for i := range d.Variables {
		if kept[i] {
			continue
		}
		v := &d.Variables[i]
		name := names.give(repairName(v.Name))
		if problem := nameProblem(v.Name); problem != "" {
			f.note("variable %q: %s; renamed to %q", v.Name, problem, name)
		} else {
			f.note("second variable %q; renamed to %q", v.Name, name)
		}
		if first[fold(v.Name)] == i {
			renamed[fold(v.Name)] = name
		}
		v.Name = name
	}
	return renamed
}

func (f *fitter) variable(v *Variable) {
	if width := min(max(v.Width, 0), maxWidth); width != v.Width {
		f.note("variable %q: width %d; changed to %d", v.Name, v.Width, width)
		v.Width = width
	}
	f.text(&v.Label, maxLabel, "variable %q: label", v.Name)
	for _, format := range []*Format{&v.Print, &v.Write} {
		if *format != (Format{}) && !format.fits(v.Width) {
			f.note("variable %q: format %v does not suit width %d; the usual one is used", v.Name, *format, v.Width)
			*format = Format{}
		}
	}
	if v.Measure > Scale || v.Align > Centre || v.Role > Split || v.Columns < 0 || v.Columns > maxWidth {
		f.note("variable %q: measure, alignment, role or column width is not one there is; the usual ones are used", v.Name)
		v.Measure, v.Align, v.Role, v.Columns = MeasureUnknown, Left, Input, 0
	}
	f.labels(v)
	f.missing(v)
	v.Attributes = f.attributes(v.Attributes, fmt.Sprintf("variable %q", v.Name))
}

// labels never changes the slice, which other variables may share.
func (f *fitter) labels(v *Variable) {
	kept := make([]ValueLabel, 0, len(v.Labels))
	seen := make(map[Value]bool, len(v.Labels))
	for _, l := range v.Labels {
		problem := v.valueProblem(l.Value, v.Width)
		if problem == "" && seen[l.Value] {
			problem = "second label of the same value"
		}
		if problem != "" {
			f.note("variable %q: label %q: %s; left out", v.Name, clip(l.Label), problem)
			continue
		}
		seen[l.Value] = true
		f.text(&l.Label, maxValueLabel, "variable %q: label of %q", v.Name, l.Value)
		kept = append(kept, l)
	}
	if !slices.Equal(kept, v.Labels) {
		v.Labels = kept
	}
}

func (f *fitter) missing(v *Variable) {
	m := &v.Missing
	if m.Range && (!v.Numeric() || !(m.Low <= m.High)) {
		f.note("variable %q: missing values from %g to %g are no range of its values; left out", v.Name, m.Low, m.High)
		m.Range, m.Low, m.High = false, 0, 0
	}
	most := 3
	if m.Range {
		most = 1
	}
	var kept []Value
	for _, x := range m.Values {
		problem := v.valueProblem(x, min(v.Width, 8))
		if problem == "" && len(kept) == most {
			problem = fmt.Sprintf("there is room for %d", most)
		}
		if problem != "" {
			f.note("variable %q: missing value %q: %s; left out", v.Name, x, problem)
			continue
		}
		kept = append(kept, x)
	}
	m.Values = kept
}

func (f *fitter) sets(renamed map[string]string) {
	index := make(map[string]*Variable, len(f.d.Variables))
	for i := range f.d.Variables {
		index[fold(f.d.Variables[i].Name)] = &f.d.Variables[i]
	}
	names := newNamer(maxName)
	var kept []Set
	for _, s := range f.d.Sets {
		name, _ := strings.CutPrefix(s.Name, "$")
		if name = names.give("$" + repairName(cutText(repairName(name), maxName-2, ""))); name != s.Name {
			f.note("multiple-response set %q; renamed to %q", s.Name, name)
			s.Name = name
		}
		f.text(&s.Label, maxSetLabel, "multiple-response set %q: label", s.Name)
		s.Label = strings.TrimRight(strings.NewReplacer("\r", " ", "\n", " ").Replace(s.Label), " \x00")
		if s.LabelFromVariable && (!s.CountedLabels || s.Kind == Category) {
			s.LabelFromVariable = false // the label itself stays
		}
		if s.Kind == Category {
			s.CountedLabels = false
		}
		variables := make([]string, 0, len(s.Variables))
		for _, name := range s.Variables {
			if other, ok := renamed[fold(name)]; ok {
				name = other
			}
			if index[fold(name)] == nil {
				f.note("multiple-response set %q: no variable %q; left out of the set", s.Name, name)
				continue
			}
			variables = append(variables, name)
		}
		s.Variables = variables
		if problem := s.problem(index); problem != "" {
			f.note("multiple-response set %q: %s; left out", s.Name, problem)
			continue
		}
		kept = append(kept, s)
	}
	f.d.Sets = kept
}

func (f *fitter) attributes(attrs []Attribute, of string) []Attribute {
	var kept []Attribute
	for _, a := range attrs {
		was := a.Name
		if a.Name = attributeName(a.Name); a.Name == "" || a.Name == roleAttribute || len(a.Values) == 0 {
			f.note("%s: attribute %q has no value or a name there cannot be; left out", of, was)
			continue
		}
		values := slices.Clone(a.Values)
		for i, x := range values {
			values[i] = strings.ReplaceAll(strings.ToValidUTF8(x, "\uFFFD"), "\n", " ")
		}
		if a.Name != was || !slices.Equal(values, a.Values) {
			f.note("%s: attribute %q has a name or value with what cannot be in one; changed", of, was)
		}
		a.Values = values
		kept = append(kept, a)
	}
	return kept
}
