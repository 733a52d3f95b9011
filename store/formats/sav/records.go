package sav

import (
	"fmt"
	"math"
)

// rawVar is a variable record before its texts are decoded.
type rawVar struct {
	offset  int64
	index   int32 // 1-based, counting the records that only continue a long string
	width   int32
	name    [8]byte
	label   []byte
	missing int32 // number of values; negative with a range
	values  [3][8]byte
	print   uint32
	write   uint32

	variable Variable
	part     bool // a piece of the very long string before it
}

func (p *parser) variable(at int64) {
	v := p.variableRecord(at)
	if p.Err != nil {
		return
	}
	if v.width < 0 || v.width > 255 {
		p.Err = damaged(at+4, "variable record has type %d; expected 0 for a number or 1 to 255 for the width of a "+
			"string", v.width)
		return
	}
	if v.missing == -1 || v.missing < -3 || v.missing > 3 || v.missing < 0 && v.width > 0 {
		p.Err = damaged(at+12, "variable record of width %d has missing value code %d; expected 0 to 3, or for a "+
			"number -2 or -3",
			v.width, v.missing)
		return
	}
	p.index = append(p.index, int32(len(p.vars)))
	v.index = int32(len(p.index))
	p.vars = append(p.vars, &v)
	for range (max(v.width, 1) - 1) / 8 {
		at := p.Pos
		if kind := p.int32("the rest of a long string"); p.Err == nil && kind != 2 {
			p.Err = damaged(at, "found a record of type %d inside a string of width %d; expected 2", kind, v.width)
		}
		if more := p.variableRecord(at); p.Err == nil && more.width != -1 {
			p.Err = damaged(at+4, "variable record has type %d inside a string of width %d; expected -1", more.width, v.width)
		}
		if p.Err != nil {
			return
		}
		p.index = append(p.index, -1)
	}
}

// variableRecord reads what follows the record type; some files have a label
// even on the records that continue a string.
func (p *parser) variableRecord(at int64) (v rawVar) {
	const what = "a variable record"
	v.offset = at
	v.width = p.int32(what)
	hasLabel := p.int32(what)
	v.missing = p.int32(what)
	v.print, v.write = uint32(p.int32(what)), uint32(p.int32(what))
	v.name = p.eight(what)
	switch {
	case p.Err != nil:
		return v
	case hasLabel == 1:
		n := int64(p.int32("a variable label"))
		if p.Err == nil && n < 0 {
			p.Err = damaged(p.Pos-4, "a variable label has a length of %d bytes; expected 0 or more", n)
		}
		v.label = p.Bytes((n+3)/4*4, "a variable label")
		if p.Err == nil {
			v.label = v.label[:n]
		}
	case hasLabel != 0:
		p.Err = damaged(at+8, "variable record has label code %d; expected 0 or 1", hasLabel)
		return v
	}
	for i := range min(max(v.missing, -v.missing), 3) {
		v.values[i] = p.eight("the missing values of a variable")
	}
	return v
}

// rawLabels is one list of value labels and the variables it belongs to.
type rawLabels struct {
	offset int64
	values [][8]byte
	labels [][]byte
	vars   []int32
}

func (p *parser) valueLabels(at int64) {
	n := int64(p.int32("the number of value labels"))
	// A label takes 16 bytes at least.
	if p.Err == nil && (n < 0 || n > p.Left()/16) {
		p.Err = damaged(at+4, "record of %d value labels; expected at most the %d for which the rest of the file "+
			"has room", n, p.Left()/16)
	}
	if p.Err != nil {
		return
	}
	set := rawLabels{offset: at, values: make([][8]byte, n), labels: make([][]byte, n)}
	for i := range n {
		set.values[i] = p.eight("a value label")
		var length [1]byte
		p.Read(length[:], "a value label")
		// Length byte and text together fill a multiple of eight.
		padded := int64(length[0])/8*8 + 7
		if text := p.Bytes(padded, "a value label"); p.Err == nil {
			set.labels[i] = text[:length[0]]
		}
		if p.Err != nil {
			return
		}
	}
	at = p.Pos
	kind, count := p.int32("the variables of value labels"), int64(p.int32("the variables of value labels"))
	if p.Err == nil && kind != 4 {
		p.Err = damaged(at, "found a record of type %d after value labels; expected 4 (their variables)", kind)
	}
	if p.Err == nil && (count < 0 || count > p.Left()/4) {
		p.Err = damaged(at+4, "value labels for %d variables; expected at most %d by the rest of the file", count, p.Left()/4)
	}
	if p.Err != nil {
		return
	}
	set.vars = make([]int32, count)
	for i := range set.vars {
		set.vars[i] = p.int32("the variables of value labels")
	}
	p.labelSets = append(p.labelSets, set)
}

// applyLabels gives the variables their labels. Variables of one list share one slice: with a slice for each, labels ×
// variables could be far more than the file holds.
func (p *parser) applyLabels() error {
	budget := p.Size/16 + 1024 // labels that may be copied for variables that cannot share a slice
	for _, raw := range p.labelSets {
		made := map[int32][]ValueLabel{} // by the number of bytes that count; 0 for numbers
		for _, index := range raw.vars {
			v := p.byIndex(index)
			if v == nil {
				p.file.notes.Add(raw.offset, "value labels name dictionary index %d, where no variable begins; skipped", index)
				continue
			}
			if v.width > 8 {
				p.file.notes.Add(raw.offset, "value labels of at most 8 bytes for %q, a string of %d; skipped", v.variable.Name,
					v.width)
				continue
			}
			labels, ok := made[v.width]
			if !ok {
				if len(made) > 0 {
					budget -= int64(len(raw.values))
				}
				labels = p.labelsFor(&raw, v.width)
				made[v.width] = labels
			}
			if len(v.variable.Labels) == 0 {
				v.variable.Labels = labels
				continue
			}
			if budget -= int64(len(v.variable.Labels) + len(labels)); budget < 0 {
				return damaged(raw.offset, "the same value labels are for many variables in conflict; expected one "+
					"list for each variable")
			}
			p.file.notes.Add(raw.offset, "second list of value labels for %q; the first goes first", v.variable.Name)
			v.variable.Labels = uniqueLabels(append(v.variable.Labels[:len(v.variable.Labels):len(v.variable.Labels)],
				labels...))
		}
	}
	return nil
}

// labelsFor makes the labels of a list for numbers (width 0) or for strings.
func (p *parser) labelsFor(raw *rawLabels, width int32) []ValueLabel {
	out := make([]ValueLabel, 0, len(raw.values))
	for i, b := range raw.values {
		value := p.number(b)
		if width > 0 {
			value = Text(p.text(b[:width], raw.offset, "a labelled value"))
		} else if value.SystemMissing() {
			p.file.notes.Add(raw.offset, "label of the system-missing value; skipped")
			continue
		}
		out = append(out, ValueLabel{value, p.text(raw.labels[i], raw.offset, "a value label")})
	}
	labels := uniqueLabels(out)
	if n := len(out) - len(labels); n > 0 {
		p.file.notes.Add(raw.offset, "%d labels for values that have one already; skipped", n)
	}
	return labels
}

// uniqueLabels keeps the first label of each value.
func uniqueLabels(labels []ValueLabel) []ValueLabel {
	seen := make(map[Value]bool, len(labels))
	kept := labels[:0:len(labels)]
	for _, l := range labels {
		if !seen[l.Value] {
			seen[l.Value] = true
			kept = append(kept, l)
		}
	}
	return kept
}

// byIndex returns the variable that begins at a dictionary index.
func (p *parser) byIndex(index int32) *rawVar {
	if index < 1 || int(index) > len(p.index) || p.index[index-1] < 0 {
		return nil
	}
	return p.vars[p.index[index-1]]
}

// text decodes a text of the dictionary, and notes bytes it cannot read.
func (p *parser) text(b []byte, offset int64, what string) string {
	s, ok := p.file.decoder.text(b)
	if !ok {
		p.file.notes.Add(offset, "%s is not valid %s: %q; the bytes that mean nothing are shown as \uFFFD", what,
			p.file.Encoding, s)
	}
	return s
}

// makeVariables decodes the variable records.
func (p *parser) makeVariables() {
	for i, raw := range p.vars {
		name := p.text(raw.name[:], raw.offset, "a variable name")
		if name == "" {
			name = fmt.Sprintf("VAR%d", i+1)
			p.file.notes.Add(raw.offset, "variable without a name; called %s", name)
		}
		raw.variable = Variable{
			Name: name, Short: name, Width: int(raw.width),
			Label:   p.text(raw.label, raw.offset, "a variable label"),
			Missing: p.missing(raw),
			Print:   p.format(raw),
		}
		if raw.variable.Write = unpackFormat(raw.write); !raw.variable.Write.suits(raw.width) {
			raw.variable.Write = raw.variable.Print
		}
	}
}

// missing reads the missing values of a variable record. The ends of a range may be open.
func (p *parser) missing(raw *rawVar) (m Missing) {
	values := raw.values[:min(max(raw.missing, -raw.missing), 3)]
	if raw.missing < 0 {
		m.Range, m.Low, m.High = true, p.float(values[0][:]), p.float(values[1][:])
		if !(m.Low > lowest) {
			m.Low = math.Inf(-1)
		}
		if !(m.High < highest) {
			m.High = math.Inf(1)
		}
		values = values[2:]
	}
	for i := range values {
		if raw.width > 0 {
			m.Values = append(m.Values, Text(p.text(values[i][:min(8, raw.width)], raw.offset, "a missing value")))
		} else if v := p.number(values[i]); !v.SystemMissing() {
			m.Values = append(m.Values, v)
		}
	}
	return m
}

func (p *parser) number(b [8]byte) Value {
	f := p.float(b[:])
	if f == p.file.sysmis {
		return Value{}
	}
	return Number(f)
}

// format is the print format; files in the wild have some that make no sense, which are taken for the usual one.
func (p *parser) format(raw *rawVar) Format {
	f := unpackFormat(raw.print)
	if f.suits(raw.width) {
		return f
	}
	if raw.print != 0 {
		p.file.notes.Add(raw.offset, "variable %q has display format %#x, which is none for its width %d; the usual one is "+
			"used", trimPadding(raw.name[:]), raw.print, raw.width)
	}
	return defaultFormat(int(raw.width))
}

func unpackFormat(packed uint32) Format {
	return Format{Type: FormatType(packed >> 16), Width: int(packed >> 8 & 0xff), Decimals: int(packed & 0xff)}
}

// suits reports whether f is for texts or numbers as the variable is.
func (f Format) suits(width int32) bool {
	return f.Type.known() && (f.Type.Class() == ClassText) == (width > 0)
}

func defaultFormat(width int) Format {
	if width > 0 {
		return Format{Type: FormatA, Width: width}
	}
	return Format{Type: FormatF, Width: 8, Decimals: 2}
}
