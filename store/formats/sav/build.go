package sav

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/crosswave/crosswave/internal/charset"
	"github.com/crosswave/crosswave/store/formats/internal/statfile"
)

// build makes the dictionary from the raw records. The order matters: the encoding first; then what goes by short
// names, and what goes by long names once very long strings are joined and long names given.
func (p *parser) build(opt Options) error {
	if err := p.machine(); err != nil {
		return err
	}
	if err := p.chooseEncoding(opt); err != nil {
		return err
	}
	f := p.file
	f.Label = p.text(p.label, 109, "the file label")
	f.Created = p.created
	for _, line := range p.documents {
		f.Documents = append(f.Documents, p.text(line, 0, "a document line"))
	}
	p.numCases()
	p.makeVariables()
	p.display()
	if err := p.applyLabels(); err != nil {
		return err
	}
	short := p.names(func(v *rawVar) string { return p.shortKey(v.name[:]) })
	p.veryLong(short)
	p.longNames(short)
	p.uniqueNames()
	long := p.names(func(v *rawVar) string { return fold(v.variable.Name) })
	p.longMissings(long)
	p.longLabels(long)
	p.attributes(long)
	p.sets(short, long)
	p.weightVariable()
	p.finish()
	return nil
}

// names indexes the variables by a name of theirs; of equal names the first
// counts. Pieces of very long strings have no name of their own.
func (p *parser) names(key func(*rawVar) string) map[string]*rawVar {
	m := make(map[string]*rawVar, len(p.vars))
	for _, v := range p.vars {
		key := key(v)
		if _, taken := m[key]; !taken && !v.part {
			m[key] = v
		}
	}
	return m
}

// shortKey is what short names are found by. They are 8 bytes even if that cuts
// a character in two, and then the bytes themselves must do.
func (p *parser) shortKey(raw []byte) string {
	raw = trimPadding(raw)
	if p.file.decoder.IsUTF8() && !utf8.Valid(raw) {
		return "\x00" + string(raw)
	}
	name, _ := p.file.decoder.whole(raw)
	return fold(name)
}

// fold makes names equal that differ in the case of letters only.
func fold(name string) string { return strings.ToLower(strings.ToUpper(name)) }

// machine reads the records about the computer that wrote the file.
func (p *parser) machine() error {
	for _, r := range p.records[extIntegers] {
		if r.size != 4 || len(r.data) < 32 {
			p.file.notes.Add(r.offset, "machine integers of %d bytes; expected 32; skipped", len(r.data))
			continue
		}
		if rep := int32(p.Order.Uint32(r.data[16:])); rep == 2 || rep == 3 {
			return &FormatError{Offset: r.offset + 32, Kind: ErrUnsupported,
				Problem: fmt.Sprintf("numbers are in the floating-point form %d of another computer; expected 1 (IEEE 754)", rep)}
		}
	}
	for _, r := range p.records[extFloats] {
		if r.size != 8 || len(r.data) < 24 {
			p.file.notes.Add(r.offset, "machine floats of %d bytes; expected 24; skipped", len(r.data))
			continue
		}
		// Some writers use a number of their own here, and then in the cases.
		if v := p.float(r.data); v < -1e300 {
			p.file.sysmis = v
		} else {
			p.file.notes.Add(r.offset, "system-missing value is declared to be %g; expected %g, which is used", v, systemMissing)
		}
	}
	return nil
}

func (p *parser) chooseEncoding(opt Options) error {
	use := func(c charset.Charset) { p.file.decoder, p.file.Encoding = &decoder{c}, c.ReadAs() }
	named := func(name string, offset int64, source string) error {
		c, err := statfile.FindEncoding(name)
		if err != nil {
			return &FormatError{Offset: offset, Kind: ErrUnsupported, Problem: fmt.Sprintf(
				"%s is %q, which is not known; expected a name such as UTF-8 or windows-1252. Say which it is when "+
					"opening the file", source, name)}
		}
		use(c)
		return nil
	}
	if opt.Encoding != "" {
		c, err := statfile.FindEncoding(opt.Encoding)
		use(c)
		return err
	}
	for _, r := range p.records[extEncoding] {
		if name := string(trimPadding(r.data)); name != "" {
			return named(name, r.offset, "the encoding of the file")
		}
	}
	for _, r := range p.records[extIntegers] {
		if r.size != 4 || len(r.data) < 32 {
			continue
		}
		if name := codePageName(int32(p.Order.Uint32(r.data[28:]))); name != "" {
			return named(name, r.offset+16+28, "the character code of the file")
		}
	}
	use(p.guessEncoding())
	return nil
}

// guessEncoding is for old files, which name no encoding: UTF-8 if all texts of
// the dictionary are valid in it, otherwise that in which their letters are those
// of a language, or that of Western European Windows.
func (p *parser) guessEncoding() charset.Charset {
	inUTF8 := &decoder{charset.UTF8()}
	sample := statfile.Sample{Valid: func(b []byte) bool {
		_, ok := inUTF8.text(b)
		return ok
	}}
	sample.See(p.label)
	for _, v := range p.vars {
		sample.See(v.name[:])
		sample.See(v.label)
	}
	for _, set := range p.labelSets {
		for _, label := range set.labels {
			sample.See(label)
		}
	}
	for _, line := range p.documents {
		sample.See(line)
	}
	c, language := sample.Guess()
	if sample.ASCII() {
		return c
	}
	if sample.UTF8() {
		c, language = charset.UTF8(), ""
	}
	p.file.notes.Guessed(c, language)
	return c
}

// numCases prefers the header's number, which holds what fits 32 bits, over that of the extension record.
func (p *parser) numCases() {
	f := p.file
	var wide int64 = -1
	for _, r := range p.records[extCases] {
		if r.size != 8 || len(r.data) < 16 {
			p.file.notes.Add(r.offset, "number of cases in %d bytes; expected 16; skipped", len(r.data))
			continue
		}
		in := fields{data: r.data[8:], order: p.Order}
		if wide = in.int64(); f.NumCases >= 0 && wide >= 0 && wide != f.NumCases && int64(int32(wide)) != f.NumCases {
			f.notes.Add(r.offset, "number of cases is %d here and %d in the header; the header's is used", wide, f.NumCases)
			wide = f.NumCases
		}
	}
	// 0 beside an unknown number in the header is a field never filled in.
	if wide > 0 {
		f.NumCases = wide
	}
	f.NumCases = max(f.NumCases, -1)
}

// display reads measurement levels, column widths and alignments: two or three
// numbers for each variable, very long strings counting by pieces.
func (p *parser) display() {
	for _, r := range p.records[extDisplay] {
		n := len(r.data) / 4
		each := 0
		if len(p.vars) > 0 && r.size == 4 {
			each = n / len(p.vars)
		}
		if each*len(p.vars) != n || each != 2 && each != 3 {
			p.file.notes.Add(r.offset, "%d display parameters for %d variables; expected two or three for each; skipped", n,
				len(p.vars))
			continue
		}
		in := fields{data: r.data, order: p.Order}
		for _, raw := range p.vars {
			v := &raw.variable
			measure, columns := in.int32(), int32(0)
			if each == 3 {
				columns = in.int32()
			}
			align := in.int32()
			v.Columns = int(max(columns, 0))
			if measure >= 0 && measure <= int32(Scale) {
				v.Measure = Measure(measure)
			}
			if align >= 0 && align <= int32(Centre) {
				v.Align = Align(align)
			}
		}
	}
}

// veryLong joins the pieces of strings over 255 bytes. A string of width w has a
// piece for every 252 bytes or part of them, although each holds 255.
func (p *parser) veryLong(short map[string]*rawVar) {
	for _, r := range p.records[extVeryLong] {
		for entry := range strings.SplitSeq(string(r.data), "\t") {
			entry = strings.Trim(entry, "\x00 \r\n")
			if entry == "" {
				continue
			}
			if problem := p.join(entry, short); problem != "" {
				p.file.notes.Add(r.offset, "very long string %q: %s; skipped", entry, problem)
			}
		}
	}
}

func (p *parser) join(entry string, short map[string]*rawVar) (problem string) {
	name, digits, _ := strings.Cut(entry, "=")
	width, err := strconv.Atoi(strings.TrimSpace(digits))
	if err != nil || width < 1 || width > maxWidth {
		return fmt.Sprintf("expected NAME=WIDTH with a width up to %d", maxWidth)
	}
	first := short[p.shortKey([]byte(name))]
	switch {
	case first == nil || first.part:
		return "there is no such variable"
	case width <= 255:
		return "" // nothing to join
	case first.variable.Width > 255:
		return "it was joined before"
	}
	at := int(p.index[first.index-1])
	n := pieces(width)
	if at+n > len(p.vars) {
		return fmt.Sprintf("it has %d pieces, but only %d variables are left", n, len(p.vars)-at)
	}
	for i := range n {
		piece := p.vars[at+i]
		want := pieceWidth(width, i)
		if got := int(piece.width); (got+7)/8 != (want+7)/8 || piece.part {
			return fmt.Sprintf("piece %d (%q) has the width %d; expected %d", i+1, piece.variable.Short, got, want)
		}
	}
	for i := 1; i < n; i++ {
		p.vars[at+i].part = true
		if key := p.shortKey(p.vars[at+i].name[:]); short[key] == p.vars[at+i] {
			delete(short, key)
		}
	}
	first.variable.Width = width
	first.variable.Print.Width, first.variable.Write.Width = width, width
	return ""
}

const maxWidth = 32767 // bytes of the longest string

// pieces returns the number of variable records that begin a piece of a string.
func pieces(width int) int {
	if width <= 255 {
		return 1
	}
	return (width + 251) / 252
}

// pieceWidth returns the declared width of a piece.
func pieceWidth(width, i int) int {
	if n := pieces(width); n == 1 || i == n-1 {
		return width - i*252
	}
	return 255
}

func (p *parser) longNames(short map[string]*rawVar) {
	for _, r := range p.records[extLongNames] {
		for entry := range strings.SplitSeq(string(r.data), "\t") {
			key, name, found := strings.Cut(strings.Trim(entry, "\x00 \r\n"), "=")
			v := short[p.shortKey([]byte(key))]
			name = p.text([]byte(name), r.offset, "a long name")
			switch {
			case key == "":
			case !found || name == "":
				p.file.notes.Add(r.offset, "long name %q; expected SHORT=Long; skipped", entry)
			case v == nil:
				if !p.isPiece(key) {
					p.file.notes.Add(r.offset, "long name %q for %q, which is no variable; skipped", name, key)
				}
			default:
				v.variable.Name = name
			}
		}
	}
}

// isPiece reports whether a short name is that of a piece of a very long string.
func (p *parser) isPiece(key string) bool {
	if p.pieceNames == nil {
		p.pieceNames = map[string]bool{}
		for _, v := range p.vars {
			if v.part {
				p.pieceNames[p.shortKey(v.name[:])] = true
			}
		}
	}
	return p.pieceNames[p.shortKey([]byte(key))]
}

// uniqueNames gives another name to variables whose name is taken.
func (p *parser) uniqueNames() {
	taken := make(map[string]bool, len(p.vars))
	for _, v := range p.vars {
		taken[fold(v.variable.Name)] = true
	}
	seen := make(map[string]int, len(p.vars))
	for _, v := range p.vars {
		if v.part {
			continue
		}
		key := fold(v.variable.Name)
		n := seen[key]
		seen[key] = n + 1
		if n == 0 {
			continue
		}
		name := v.variable.Name
		for n++; taken[fold(name)]; n++ {
			name = fmt.Sprintf("%s_%d", v.variable.Name, n)
		}
		seen[key] = n - 1
		taken[fold(name)] = true
		p.file.notes.Add(v.offset, "second variable called %q; renamed to %q", v.variable.Name, name)
		v.variable.Name = name
	}
}

func (p *parser) weightVariable() {
	if p.weight == 0 {
		return
	}
	v := p.byIndex(p.weight)
	if v == nil || v.part || v.width != 0 {
		p.file.notes.Add(76, "the weight variable has dictionary index %d, where no number begins; the file is taken as "+
			"not weighted", p.weight)
		return
	}
	p.file.Weight = v.variable.Name
}

// finish moves the variables into the dictionary and lays out a case.
func (p *parser) finish() {
	count := 0
	for _, v := range p.vars {
		if !v.part {
			count++
		}
	}
	p.file.Variables = make([]Variable, 0, count)
	for _, v := range p.vars {
		if v.part {
			p.file.layout.piece(int(v.width))
			continue
		}
		p.file.Variables = append(p.file.Variables, v.variable)
		p.file.layout.variable(int(v.width), v.variable.Width)
	}
}
