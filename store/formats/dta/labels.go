package dta

import (
	"fmt"
	"strings"
)

// labelsSection names the place of labels in errors.
const labelsSection = "the labels of values"

// rawTable is a table of labels before its texts are decoded.
type rawTable struct {
	offset int64
	name   []byte
	labels []rawLabel
}

type rawLabel struct {
	code int32
	text []byte
}

// findUsed lists the tables that variables have: others need not be held.
func (p *parser) findUsed() {
	for i := range p.vars {
		if v := &p.vars[i]; v.typ < Text && len(v.table) > 0 {
			p.used[string(v.table)] = true
		}
	}
}

// table reads a table of labels: its length, its name, and then how many labels there are, how many bytes of texts,
// where each text begins in these, the numbers, and the texts.
func (p *parser) table() {
	at := p.Pos
	size := p.count(4, labelsSection)
	name := p.field(p.layout.name, labelsSection)
	p.Skip(3, labelsSection)
	what := fmt.Sprintf("%s: table %q", labelsSection, name)
	if !p.used[string(name)] {
		p.Skip(size, what)
		return
	}
	b := p.Bytes(size, what)
	if p.Err != nil {
		return
	}
	if len(b) < 8 {
		p.Err = damaged(at, "%s: %d bytes; expected at least 8", what, size)
		return
	}
	n, length := int64(p.Order.Uint32(b)), int64(p.Order.Uint32(b[4:]))
	if n > int64(len(b))/8 || 8+8*n+length > int64(len(b)) {
		p.Err = damaged(at, "%s: %d labels with %d bytes of text; they do not fit into its %d bytes", what, n, length, size)
		return
	}
	t := rawTable{offset: at, name: name, labels: make([]rawLabel, 0, n)}
	starts, codes, texts := b[8:8+4*n], b[8+4*n:8+8*n], b[8+8*n:8+8*n+length]
	// Each text stands once, so that all of them are as long as what they stand in; some programs share those that are
	// equal, but a file in which all share a long one would take more memory than it is large.
	budget := 4*length + 64<<10
	for i := range int(n) {
		from := int64(p.Order.Uint32(starts[4*i:]))
		if from >= length {
			p.file.notes.Add(at, "%s: label %d stands outside of it; skipped", what, i+1)
			continue
		}
		text := cutNUL(texts[from:])
		if budget -= int64(len(text)); budget < 0 {
			p.Err = damaged(at, "%s: its labels overlap", what)
			return
		}
		t.labels = append(t.labels, rawLabel{int32(p.Order.Uint32(codes[4*i:])), text})
	}
	p.tables = append(p.tables, t)
}

// build makes the variables from what was read.
func (p *parser) build(o Options) error {
	f := p.file
	at := 0
	f.Variables = make([]Variable, len(p.vars))
	for i := range p.vars {
		raw := &p.vars[i]
		f.Variables[i] = Variable{Type: raw.typ, Width: raw.width, at: at}
		at += raw.size()
	}
	if err := p.chooseEncoding(o); err != nil {
		return err
	}
	f.Label = strings.TrimSpace(p.text(p.title, "the label of the data"))
	tables := p.makeTables()
	taken := make(map[string]bool, len(p.vars))
	for i := range p.vars {
		raw, v := &p.vars[i], &f.Variables[i]
		v.Name = p.name(raw, i, taken)
		v.Label = p.text(raw.label, "the label of a variable")
		v.Format = Format(p.text(raw.format, "a display format"))
		v.Table = p.text(raw.table, "the name of a table of labels")
		if v.Numeric() {
			v.Labels, v.unit = tables[string(raw.table)], v.Format.Unit()
			v.coded = coded(v, p.coded)
		}
	}
	return nil
}

// coded lists the numbers of a date that stand for something else, such as -3 for an error. Variables that share their
// labels share the list.
func coded(v *Variable, shared map[*ValueLabel]map[float64]bool) map[float64]bool {
	if v.unit == NoDate || len(v.Labels) == 0 {
		return nil
	}
	list := shared[&v.Labels[0]]
	if list == nil {
		list = make(map[float64]bool, len(v.Labels))
		for _, l := range v.Labels {
			if l.Missing == 0 {
				list[float64(l.Code)] = true
			}
		}
		shared[&v.Labels[0]] = list
	}
	return list
}

// name is a variable's own name, which it shares with none before it. Stata tells small letters from capitals.
func (p *parser) name(raw *rawVar, i int, taken map[string]bool) string {
	wish := p.text(raw.name, "the name of a variable")
	if wish == "" {
		wish = fmt.Sprintf("VAR%d", i+1)
		p.file.notes.Add(0, "variable %d without a name; called %s", i+1, wish)
	}
	name := wish
	for n := i + 1; taken[name]; n++ {
		name = fmt.Sprintf("%s_%d", wish, n)
	}
	if name != wish {
		p.file.notes.Add(0, "variable %d is a second %q; called %s", i+1, wish, name)
	}
	taken[name] = true
	return name
}

// makeTables decodes the tables of labels. Of several with one name the first counts.
func (p *parser) makeTables() map[string][]ValueLabel {
	made := make(map[string][]ValueLabel, len(p.tables))
	for _, t := range p.tables {
		if _, again := made[string(t.name)]; again {
			p.file.notes.Add(t.offset, "second table of labels %q; skipped", t.name)
			continue
		}
		made[string(t.name)] = p.makeLabels(&t)
	}
	noted := map[string]bool{}
	for i := range p.vars {
		if v := &p.vars[i]; p.used[string(v.table)] && made[string(v.table)] == nil && !noted[string(v.table)] {
			noted[string(v.table)] = true
			p.file.notes.Add(0, "variable %q has the labels %q, of which there are none in the file", v.name, v.table)
		}
	}
	return made
}

// makeLabels decodes the labels of a table. Of several for one value the first counts.
func (p *parser) makeLabels(t *rawTable) []ValueLabel {
	list := make([]ValueLabel, 0, len(t.labels))
	seen := make(map[int32]bool, len(t.labels))
	for _, raw := range t.labels {
		l := ValueLabel{Code: raw.code}
		if p.layout.extended && raw.code >= missingLong {
			l = ValueLabel{Missing: missingAt(int64(raw.code) - missingLong)}
		} else if !p.layout.extended && raw.code == 1<<31-1 {
			l = ValueLabel{Missing: SystemMissing}
		}
		if l.Missing == SystemMissing {
			p.file.notes.Add(t.offset, "table of labels %q: a label of the system-missing value; skipped", t.name)
			continue
		}
		if seen[raw.code] {
			p.file.notes.Add(t.offset, "table of labels %q: a second label of %s; skipped", t.name, l.Value())
			continue
		}
		seen[raw.code] = true
		l.Label = p.text(raw.text, "a label of a value")
		list = append(list, l)
	}
	return list
}

// text decodes a text that stands beside the rows, and notes bytes that are none in the encoding.
func (p *parser) text(b []byte, what string) string {
	s, ok := p.file.decoder.text(b)
	if !ok {
		p.file.notes.Once(&p.badNoted, 0, "%s is not valid %s: it is read as %q, and others likewise", what,
			p.file.Encoding, clip(s))
	}
	return s
}

// clip shortens a text for a note.
func clip(s string) string {
	const most = 60
	if runes := []rune(s); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return s
}
