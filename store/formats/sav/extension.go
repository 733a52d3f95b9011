package sav

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"github.com/crosswave/crosswave/store/formats/internal/statfile"
)

// longLabels reads the value labels of strings over 8 bytes.
func (p *parser) longLabels(long map[string]*rawVar) {
	for _, r := range p.records[extLongLabels] {
		in := fields{data: r.data, order: p.Order}
		for len(in.data) > 0 {
			name := p.text(in.counted(), r.offset, "a variable name")
			width, n := in.int32(), in.int32()
			if in.short || n < 0 || int(n) > len(in.data)/8 {
				p.file.notes.Add(r.offset, "value labels of long strings end inside those of %q; the rest is skipped", name)
				break
			}
			labels := make([]ValueLabel, 0, n)
			for range n {
				value, label := in.counted(), in.counted()
				if in.short {
					break
				}
				labels = append(labels, ValueLabel{
					Text(p.text(value, r.offset, "a labelled value")), p.text(label, r.offset, "a value label")})
			}
			if in.short {
				p.file.notes.Add(r.offset, "value labels of long strings end inside those of %q; the rest is skipped", name)
			}
			switch v := long[fold(name)]; {
			case v == nil:
				p.file.notes.Add(r.offset, "value labels for %q, which is no variable; skipped", name)
			case v.width == 0:
				p.file.notes.Add(r.offset, "value labels of strings of width %d for the number %q; skipped", width, name)
			case len(v.variable.Labels) > 0:
				p.file.notes.Add(r.offset, "second list of value labels for %q; skipped", name)
			default:
				v.variable.Labels = uniqueLabels(labels)
			}
		}
	}
}

// longMissings reads the missing values of strings over 8 bytes. Values are of 8 bytes whatever the width of the
// string: the rest of it must be spaces. Files of an old PSPP repeat the length before each value.
func (p *parser) longMissings(long map[string]*rawVar) {
	for _, r := range p.records[extLongMissings] {
		in := fields{data: r.data, order: p.Order}
		for len(in.data) > 0 {
			name := p.text(in.counted(), r.offset, "a variable name")
			count, length := in.take(1), int(in.int32())
			if in.short || count[0] > 3 || length < 0 || length > maxWidth {
				p.file.notes.Add(r.offset, "missing values of long strings: those of %q make no sense; the rest is skipped", name)
				break
			}
			var values []Value
			for i := range int(count[0]) {
				if peek := in; i > 0 && length > 4 && int(peek.int32()) == length && len(in.data) >= 4+length {
					in.take(4)
				}
				if b := in.take(length); b != nil {
					values = append(values, Text(p.text(b, r.offset, "a missing value")))
				}
			}
			switch v := long[fold(name)]; {
			case in.short:
				p.file.notes.Add(r.offset, "missing values of long strings end inside those of %q; the rest is skipped", name)
			case v == nil || v.width == 0:
				p.file.notes.Add(r.offset, "missing values for %q, which is no string variable; skipped", name)
			default:
				v.variable.Missing.Values = values
			}
		}
	}
}

// attributes reads the custom attributes of the file and of variables. The attribute $@Role is the role of a variable.
func (p *parser) attributes(long map[string]*rawVar) {
	for _, r := range p.records[extFileAttrs] {
		text, _ := p.file.decoder.whole(r.data)
		attrs, rest, err := parseAttributes(text)
		if err == nil && rest != "" {
			err = fmt.Errorf("found %q after the last one", clip(rest))
		}
		if err != nil {
			p.file.notes.Add(r.offset, "attributes of the file: %v; the rest is skipped", err)
		}
		p.file.Attributes = append(p.file.Attributes, attrs...)
	}
	for _, r := range p.records[extVarAttrs] {
		text, _ := p.file.decoder.whole(r.data)
		for text = strings.Trim(text, "\x00 \r\n"); text != ""; {
			name, rest, found := strings.Cut(text, ":")
			if !found {
				p.file.notes.Add(r.offset, "variable attributes: found %q; expected NAME:ATTRIBUTES; skipped", clip(text))
				break
			}
			attrs, rest, err := parseAttributes(rest)
			if err != nil {
				p.file.notes.Add(r.offset, "attributes of variable %q: %v; the rest is skipped", name, err)
			}
			p.giveAttributes(long[fold(name)], name, attrs, r.offset)
			if err != nil {
				break
			}
			text = strings.TrimPrefix(rest, "/")
		}
	}
}

func (p *parser) giveAttributes(v *rawVar, name string, attrs []Attribute, offset int64) {
	if v == nil {
		p.file.notes.Add(offset, "attributes for %q, which is no variable; skipped", name)
		return
	}
	for _, a := range attrs {
		if a.Name != roleAttribute {
			v.variable.Attributes = append(v.variable.Attributes, a)
			continue
		}
		n, err := strconv.Atoi(a.Values[0])
		if err != nil || n < 0 || n > int(Split) {
			p.file.notes.Add(offset, "role of variable %q is %q; expected 0 to %d; taken for 0 (input)", name, a.Values[0],
				Split)
			n = 0
		}
		v.variable.Role = Role(n)
	}
}

const roleAttribute = "$@Role"

// parseAttributes reads name('value'\n'value'\n) any number of times, up to the end or a slash. Values are closed by
// quote and line feed together, so that quotes inside need no marks.
func parseAttributes(text string) (attrs []Attribute, rest string, err error) {
	for {
		text = strings.TrimLeft(text, " \r\n\x00")
		if text == "" || text[0] == '/' {
			return attrs, text, nil
		}
		name, after, found := strings.Cut(text, "(")
		if !found || name == "" {
			return attrs, "", fmt.Errorf("found %q; expected NAME('value')", clip(text))
		}
		a := Attribute{Name: name}
		for text = after; ; {
			line, after, found := strings.Cut(text, "\n")
			if text != "" && text[0] == ')' && len(a.Values) > 0 {
				text = text[1:]
				break
			}
			if line = strings.TrimSuffix(line, "\r"); !found || len(line) < 2 || line[0] != '\'' || line[len(line)-1] != '\'' {
				return attrs, "", fmt.Errorf("value of %q is %s; expected 'value' and a line feed", clip(name), clip(line))
			}
			a.Values = append(a.Values, line[1:len(line)-1])
			text = after
		}
		attrs = append(attrs, a)
	}
}

// clip shortens a text for a message.
func clip(s string) string {
	if len(s) > 40 {
		return strings.ToValidUTF8(s[:40], "") + "…"
	}
	return s
}

// sets reads the multiple-response sets of both records. A set that the second has again replaces that of the first.
func (p *parser) sets(short, long map[string]*rawVar) {
	at := map[string]int{}
	for _, subtype := range []int32{extSets, extSets2} {
		for _, r := range p.records[subtype] {
			mistakes := 0
			for data := r.data; ; {
				data = bytes.TrimLeft(data, "\n\r \x00")
				if len(data) == 0 {
					break
				}
				if mistakes == statfile.MostNotes {
					p.file.notes.Add(r.offset, "too many mistakes in the multiple-response sets; the rest is skipped")
					break
				}
				raw, rest, err := parseSet(data)
				data = rest
				if err != nil {
					mistakes++
					p.file.notes.Add(r.offset, "multiple-response set %q: %v; skipped", clip(string(raw.name)), err)
					continue
				}
				s := p.makeSet(raw, r.offset, short, long)
				if i, again := at[fold(s.Name)]; again {
					p.file.Sets[i] = s
					continue
				}
				at[fold(s.Name)] = len(p.file.Sets)
				p.file.Sets = append(p.file.Sets, s)
			}
		}
	}
}

// makeSet decodes a set and finds its variables, which it has by short names.
func (p *parser) makeSet(raw rawSet, offset int64, short, long map[string]*rawVar) Set {
	s := Set{
		Name:              p.text(raw.name, offset, "the name of a multiple-response set"),
		Label:             p.text(raw.label, offset, "the label of a multiple-response set"),
		CountedLabels:     raw.kind == 'E',
		LabelFromVariable: raw.labelFromVariable,
	}
	var first *rawVar
	for _, b := range raw.variables {
		name := p.text(b, offset, "a variable name")
		v := short[p.shortKey(b)]
		if v == nil {
			v = long[fold(name)]
		}
		if v == nil {
			p.file.notes.Add(offset, "multiple-response set %q has %q, which is no variable; left out of the set", s.Name, name)
			continue
		}
		if first == nil {
			first = v
		}
		s.Variables = append(s.Variables, v.variable.Name)
	}
	if s.LabelFromVariable && s.Label == "" && first != nil {
		s.Label = first.variable.Label
	}
	if raw.kind == 'C' {
		return s
	}
	s.Kind = Dichotomy
	counted := p.text(raw.counted, offset, "the counted value of a multiple-response set")
	s.Counted = Text(counted)
	if first == nil || first.width == 0 {
		if f, err := strconv.ParseFloat(strings.TrimSpace(counted), 64); err == nil {
			s.Counted = Number(f)
		} else {
			p.file.notes.Add(offset, "multiple-response set %q counts %q; expected a number", s.Name, counted)
		}
	}
	return s
}

// rawSet is a set before its texts are decoded: their lengths are in bytes.
type rawSet struct {
	name              []byte
	kind              byte // C category, D dichotomy, E dichotomy with the labels of the counted values
	labelFromVariable bool
	counted           []byte
	label             []byte
	variables         [][]byte
}

// parseSet reads one set, such as
//
//	$a=C 8 My label v1 v2
//	$b=D1 1 5 Label v3 v4
//	$c=E 11 1 1 0  v5 v6
//
// and a line feed, and returns what follows; after an error, the next line.
func parseSet(data []byte) (s rawSet, rest []byte, err error) {
	line, next, _ := bytes.Cut(data, []byte("\n"))
	name, _, found := bytes.Cut(line, []byte("="))
	after := data[min(len(name)+1, len(data)):]
	if s.name = name; !found || len(after) == 0 {
		return s, next, fmt.Errorf("expected NAME= and a kind")
	}
	s.kind, after = after[0], after[1:]
	switch s.kind {
	case 'C':
	case 'D', 'E':
		if s.kind == 'E' {
			one, found := bytes.CutPrefix(after, []byte(" 1 "))
			eleven, found11 := bytes.CutPrefix(after, []byte(" 11 "))
			switch {
			case found:
				after = one
			case found11:
				s.labelFromVariable, after = true, eleven
			default:
				return s, next, fmt.Errorf("found %q after E; expected 1 or 11", after[:min(4, len(after))])
			}
		}
		if s.counted, after, err = countedText(after); err != nil {
			return s, next, fmt.Errorf("counted value: %w", err)
		}
	default:
		return s, next, fmt.Errorf("found kind %q; expected C, D or E", s.kind)
	}
	if s.label, after, err = countedText(bytes.TrimPrefix(after, []byte(" "))); err != nil {
		return s, next, fmt.Errorf("label: %w", err)
	}
	line, rest, _ = bytes.Cut(after, []byte("\n"))
	if len(line) > 0 && line[0] != ' ' {
		return s, rest, fmt.Errorf("found %q after the label; expected a space and the variables", clip(string(line)))
	}
	s.variables = bytes.Fields(bytes.Trim(line, "\x00\r"))
	return s, rest, nil
}

// countedText reads a number of bytes, a space and that many bytes.
func countedText(b []byte) (text, rest []byte, err error) {
	digits, _, found := bytes.Cut(b[:min(12, len(b))], []byte(" "))
	after := b[min(len(digits)+1, len(b)):]
	n, err := strconv.Atoi(string(digits))
	if !found || err != nil || n < 0 || n > len(after) {
		return nil, nil, fmt.Errorf("found %q; expected a length in bytes, a space and a text of that length", digits)
	}
	return after[:n], after[n:], nil
}
