package sav

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"github.com/crosswave/crosswave/internal/charset"
	"github.com/crosswave/crosswave/store/formats/internal/statfile"
)

// dictionary writes everything before the cases. If the number of cases will be
// known in the end, there is a place for it.
func (w *writer) dictionary(counted bool) {
	w.header()
	for i := range w.Variables {
		w.variable(i)
	}
	for _, key := range w.lists {
		w.labels(w.byList[key])
	}
	if len(w.Documents) > 0 {
		w.int32(6, int32(len(w.Documents)))
		for _, line := range w.Documents {
			w.text(line, maxDocument)
		}
	}
	w.extensionHeader(extIntegers, 4, 8)
	endian := int32(2)
	if w.order.String() == "BigEndian" {
		endian = 1
	}
	w.int32(1, 0, 0, -1, 1, 1, endian, 65001)
	w.extensionHeader(extFloats, 8, 3)
	w.float(systemMissing)
	w.float(highest)
	w.float(lowest)
	w.setRecord(extSets, false)
	w.display()
	w.longNames()
	w.veryLong()
	if counted || w.cases >= 0 {
		w.extensionHeader(extCases, 8, 2)
		w.int64(1)
		if counted {
			w.casesAt = w.pos
		}
		w.int64(w.cases)
	}
	w.attributes()
	w.setRecord(extSets2, true)
	w.extension(extEncoding, charset.UTF8().Name)
	w.longLabels()
	w.longMissings()
	w.int32(999, 0)
}

func (w *writer) extensionHeader(subtype, size, count int32) { w.int32(7, subtype, size, count) }

// extension writes a record of text, unless there is none.
func (w *writer) extension(subtype int32, text string) {
	if text == "" {
		return
	}
	if len(text) > statfile.MaxPart {
		w.tooLarge = subtype
		return
	}
	w.extensionHeader(subtype, 1, int32(len(text)))
	w.Write([]byte(text))
}

func (w *writer) variable(i int) {
	v := &w.Variables[i]
	print := cmp.Or(v.Print, defaultFormat(v.Width))
	write := cmp.Or(v.Write, print)
	m := &v.Missing
	codes := int32(len(m.Values))
	switch {
	case v.Width > 8:
		codes = 0 // they have a record of their own
	case m.Range:
		codes = -2 - codes
	}
	w.variableRecord(pieceWidth(v.Width, 0), v.Label, codes, packFormat(print), packFormat(write), w.short[i])
	if m.Range {
		w.float(max(m.Low, lowest))
		w.float(min(m.High, highest))
	}
	if v.Width <= 8 {
		for _, x := range m.Values {
			w.value(x)
		}
	}
	w.continuation(pieceWidth(v.Width, 0))
	for k, name := range w.pieces[i] {
		width := pieceWidth(v.Width, k+1)
		format := packFormat(defaultFormat(width))
		w.variableRecord(width, "", 0, format, format, name)
		w.continuation(width)
	}
}

func (w *writer) variableRecord(width int, label string, missing, print, write int32, name string) {
	hasLabel := int32(0)
	if label != "" {
		hasLabel = 1
	}
	w.int32(2, int32(width), hasLabel, missing, print, write)
	w.text(name, 8)
	if label != "" {
		w.int32(int32(len(label)))
		w.text(label, (len(label)+3)/4*4)
	}
}

// continuation writes the records for the rest of a string of over 8 bytes.
func (w *writer) continuation(width int) {
	format := packFormat(defaultFormat(8))
	for range (width+7)/8 - 1 {
		w.int32(2, -1, 0, 0, format, format)
		w.text("", 8)
	}
}

func packFormat(f Format) int32 {
	return int32(f.Type)<<16 | int32(min(f.Width, 255))<<8 | int32(f.Decimals)
}

// labels writes the labels that these variables have in common.
func (w *writer) labels(vars []int) {
	list := w.Variables[vars[0]].Labels
	w.int32(3, int32(len(list)))
	for _, l := range list {
		w.value(l.Value)
		w.Write([]byte{byte(len(l.Label))})
		w.text(l.Label, len(l.Label)/8*8+7)
	}
	w.int32(4, int32(len(vars)))
	for _, i := range vars {
		w.int32(int32(w.index[fold(w.Variables[i].Name)]))
	}
}

func (w *writer) setRecord(subtype int32, countedLabels bool) {
	var b strings.Builder
	for i := range w.Sets {
		if s := &w.Sets[i]; s.CountedLabels == countedLabels {
			b.WriteString(w.setText(s))
		}
	}
	w.extension(subtype, b.String())
}

func (w *writer) display() {
	n := 0
	for i := range w.Variables {
		n += 1 + len(w.pieces[i])
	}
	w.extensionHeader(extDisplay, 4, int32(3*n))
	for i := range w.Variables {
		v := &w.Variables[i]
		for range 1 + len(w.pieces[i]) {
			w.int32(int32(v.Measure), int32(cmp.Or(v.Columns, 8)), int32(v.Align))
		}
	}
}

func (w *writer) longNames() {
	var b strings.Builder
	for i := range w.Variables {
		if i > 0 {
			b.WriteByte('\t')
		}
		b.WriteString(w.short[i] + "=" + w.Variables[i].Name)
	}
	w.extension(extLongNames, b.String())
}

func (w *writer) veryLong() {
	var b strings.Builder
	for i := range w.Variables {
		if width := w.Variables[i].Width; width > 255 {
			fmt.Fprintf(&b, "%s=%05d\x00\t", w.short[i], width)
		}
	}
	w.extension(extVeryLong, b.String())
}

func (w *writer) attributes() {
	var b strings.Builder
	attributesText(&b, w.Attributes)
	w.extension(extFileAttrs, b.String())
	b.Reset()
	for i := range w.Variables {
		v := &w.Variables[i]
		if len(v.Attributes) == 0 && v.Role == Input {
			continue
		}
		if b.Len() > 0 {
			b.WriteByte('/')
		}
		b.WriteString(v.Name + ":")
		attributesText(&b, v.Attributes)
		attributesText(&b, []Attribute{{roleAttribute, []string{strconv.Itoa(int(v.Role))}}})
	}
	w.extension(extVarAttrs, b.String())
}

// counted appends a length and the text.
func (w *writer) counted(b []byte, text string) []byte {
	return append(w.order.AppendUint32(b, uint32(len(text))), text...)
}

// padded returns text with spaces up to n bytes.
func padded(text string, n int) string { return text + strings.Repeat(" ", n-len(text)) }

func (w *writer) longLabels() {
	var b []byte
	for i := range w.Variables {
		v := &w.Variables[i]
		if v.Width <= 8 || len(v.Labels) == 0 {
			continue
		}
		b = w.counted(b, v.Name)
		b = w.order.AppendUint32(b, uint32(v.Width))
		b = w.order.AppendUint32(b, uint32(len(v.Labels)))
		for _, l := range v.Labels {
			b = w.counted(w.counted(b, padded(l.Value.text, v.Width)), l.Label)
		}
	}
	w.extension(extLongLabels, string(b))
}

func (w *writer) longMissings() {
	var b []byte
	for i := range w.Variables {
		v := &w.Variables[i]
		if v.Width <= 8 || len(v.Missing.Values) == 0 {
			continue
		}
		b = w.counted(b, v.Name)
		b = append(b, byte(len(v.Missing.Values)))
		b = w.order.AppendUint32(b, 8)
		for _, x := range v.Missing.Values {
			b = append(b, padded(x.text, 8)...)
		}
	}
	w.extension(extLongMissings, string(b))
}
