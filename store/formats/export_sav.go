package formats

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/store/formats/sav"
	"github.com/crosswave/crosswave/store/survey"
)

// The attributes of a .sav that hold its codebook: the JSON in pieces, and what the dictionary was when it was written.
const (
	codebookAttribute    = "crosswave.codebook"
	fingerprintAttribute = "crosswave.dictionary"
	pieceSize            = 30000 // bytes; SPSS takes values up to 32,767
)

// embedded reads the codebook inside a .sav. It counts only as long as the dictionary is the one that it was written
// for: who recodes a variable and labels it anew makes it wrong.
func embedded(d *sav.Dictionary) *survey.Codebook {
	var text, of string
	for _, a := range d.Attributes {
		switch a.Name {
		case codebookAttribute:
			text = strings.Join(a.Values, "")
		case fingerprintAttribute:
			of = strings.Join(a.Values, "")
		}
	}
	if text == "" || of != fingerprint(d) {
		return nil
	}
	c, err := survey.ReadCodebook([]byte(text))
	if err != nil {
		return nil
	}
	return c
}

// fingerprint is a digest of what a dictionary says of the values of its variables.
func fingerprint(d *sav.Dictionary) string {
	h := sha256.New()
	for i := range d.Variables {
		v := &d.Variables[i]
		fmt.Fprintf(h, "%q %d %v %v %v %v\n", v.Name, v.Width, v.Missing.Values, v.Missing.Range, v.Missing.Low,
			v.Missing.High)
		for _, l := range v.Labels {
			fmt.Fprintf(h, "%q %q\n", l.Value.String(), strings.TrimSpace(l.Label))
		}
	}
	for _, s := range d.Sets {
		fmt.Fprintf(h, "%q %d %q %q\n", s.Name, s.Kind, s.Variables, s.Counted.String())
	}
	return hex.EncodeToString(h.Sum(nil))
}

// spssColumns are where the plan's columns stand among the variables.
type spssColumns struct {
	dictionary sav.Dictionary
	weights    []int // variable of each namespace, -1: none
	first      []int // of each column of the plan; it has max(1, most) variables
}

// writeSPSS writes a .sav, or a .zsav, with labels, multiple-response sets, the weight of the default namespace, and
// the codebook inside.
func (e *exporter) writeSPSS(path string) error {
	p := &e.plan
	c := e.spssDictionary()
	for _, n := range c.dictionary.Fit() {
		e.note("%s", n.Text)
	}
	if err := e.embed(c); err != nil {
		return err
	}
	for i := range p.weights {
		if n := p.weights[i].inexact; n > 0 && c.weights[i] >= 0 {
			e.note("namespace %s: %d weights have more digits than the 15 or so that SPSS keeps, and are rounded to "+
				"those", p.survey.Namespaces[i].Code, n)
		}
	}
	for i, n := range p.numbers {
		if n != nil && n.inexact > 0 {
			e.note("question %s: %d numbers have more digits than the 15 or so that SPSS keeps, and are rounded to those",
				p.survey.Questions[i].Code, n.inexact)
		}
	}
	o := sav.WriteOptions{Cases: e.report.Respondents}
	if strings.EqualFold(filepath.Ext(path), ".zsav") {
		o.Compression = sav.Zlib
	}
	return e.write(path, func(f *os.File) error { return sav.Write(f, &c.dictionary, e.spssRows(c), o) })
}

// spssDictionary describes the variables.
func (e *exporter) spssDictionary() *spssColumns {
	p := &e.plan
	at := p.names(func(name string) string { return name })
	c := &spssColumns{}
	d := &c.dictionary
	d.Label = p.survey.Name
	add := func(v sav.Variable) int {
		d.Variables = append(d.Variables, v)
		return len(d.Variables) - 1
	}
	id := sav.Variable{Name: at.respondent, Label: "Respondent", Measure: sav.Nominal,
		Print: sav.Format{Type: sav.FormatF, Width: 16}}
	if !p.wholeIDs {
		id.Width, id.Print = max(1, p.ids), sav.Format{}
	}
	add(id)
	add(codes(at.wave, "Wave", p.waves))
	add(codes(at.location, "Location", p.location))
	for i, n := range p.survey.Namespaces {
		if at.weights[i] == "" {
			c.weights = append(c.weights, -1)
			continue
		}
		f := &p.weights[i]
		places := min(max(f.places, 0), 16)
		v := sav.Variable{Name: at.weights[i], Label: "Weight: " + cmp.Or(n.Name, n.Code), Measure: sav.Scale,
			Print: sav.Format{Type: sav.FormatF, Width: min(40, places+12), Decimals: places}}
		c.weights = append(c.weights, add(v))
	}
	if at.weights[0] != "" {
		d.Weight = at.weights[0]
	}
	for k := range p.columns {
		col := &p.columns[k]
		c.first = append(c.first, len(d.Variables))
		if col.number {
			add(sav.Variable{Name: at.columns[k], Label: col.label, Measure: sav.Scale, Print: p.numbers[col.question].format()})
			continue
		}
		if col.flag {
			v := codes(at.columns[k], col.label, []option{{0, "No"}, {1, "Yes"}})
			add(v)
			continue
		}
		var several []string
		for n := range max(1, col.most) {
			v := codes(at.columns[k], col.label, col.options)
			if n > 0 {
				v.Name = freeName(d, at, fmt.Sprintf("%s_%d", at.columns[k], n+1))
			}
			several = append(several, v.Name)
			add(v)
		}
		if len(several) > 1 {
			d.Sets = append(d.Sets, sav.Set{Name: "$" + at.columns[k], Label: col.label, Kind: sav.Category, Variables: several})
		}
	}
	for i, g := range p.groups {
		if g.kind == audience.Multi && g.last-g.first > 1 {
			q := &p.survey.Questions[i]
			d.Sets = append(d.Sets, sav.Set{Name: "$" + q.Code, Label: q.Name, Kind: sav.Dichotomy,
				Counted: sav.Number(1), Variables: slices.Clone(at.columns[g.first:g.last])})
		}
	}
	return c
}

// freeName is a name that no variable has, nor is to have.
func freeName(d *sav.Dictionary, at *places, name string) string {
	for d.Index(name) >= 0 || slices.ContainsFunc(at.columns, func(c string) bool { return strings.EqualFold(c, name) }) {
		name += "_"
	}
	return name
}

// codes describes a variable of codes.
func codes(name, label string, options []option) sav.Variable {
	v := sav.Variable{Name: name, Label: label, Measure: sav.Nominal, Print: sav.Format{Type: sav.FormatF, Width: 8}}
	for _, o := range options {
		v.Labels = append(v.Labels, sav.ValueLabel{Value: sav.Number(float64(o.code)), Label: o.name})
	}
	return v
}

// embed puts the codebook into the dictionary, whose names are those of the file by now.
func (e *exporter) embed(c *spssColumns) error {
	d := &c.dictionary
	at := &places{respondent: d.Variables[0].Name, wave: d.Variables[1].Name, location: d.Variables[2].Name}
	for _, i := range c.weights {
		name := ""
		if i >= 0 {
			name = d.Variables[i].Name
		}
		at.weights = append(at.weights, name)
	}
	for _, i := range c.first {
		at.columns = append(at.columns, d.Variables[i].Name)
	}
	for k := range c.first {
		if p := &e.plan.columns[k]; p.most > 1 {
			i := slices.IndexFunc(d.Sets, func(s sav.Set) bool {
				return s.Kind == sav.Category && s.Variables[0] == at.columns[k]
			})
			if i < 0 {
				return fmt.Errorf("the set that holds the answers in column %q is not there", at.columns[k])
			}
			at.columns[k] = d.Sets[i].Name
		}
	}
	text, err := survey.WriteCodebook(e.plan.codebook(at))
	if err != nil {
		return err
	}
	var small bytes.Buffer
	if err := json.Compact(&small, text); err != nil {
		return err
	}
	var pieces []string
	for rest := small.String(); rest != ""; {
		n := min(len(rest), pieceSize)
		for n < len(rest) && rest[n]&0xc0 == 0x80 {
			n--
		}
		// A piece must neither begin nor end with a blank, which padding would swallow.
		for n < len(rest) && n > 1 && (rest[n-1] == ' ' || rest[n] == ' ') {
			n--
		}
		pieces, rest = append(pieces, rest[:n]), rest[n:]
	}
	d.Attributes = append(d.Attributes, sav.Attribute{Name: codebookAttribute, Values: pieces},
		sav.Attribute{Name: fingerprintAttribute, Values: []string{fingerprint(d)}})
	return nil
}

// spssRows streams the cases.
func (e *exporter) spssRows(c *spssColumns) iter.Seq2[[]sav.Value, error] {
	p := &e.plan
	return func(yield func([]sav.Value, error) bool) {
		row, codes := make([]sav.Value, len(c.dictionary.Variables)), []int(nil)
		for r, err := range e.records {
			if err != nil {
				yield(nil, err)
				return
			}
			clear(row)
			row[0] = sav.Text(r.ID)
			if n, _ := wholeNumber(r.ID); p.wholeIDs {
				row[0] = sav.Number(n)
			}
			row[1], row[2] = sav.Number(float64(p.waves[r.Wave].code)), sav.Number(float64(p.location[r.Location].code))
			for i, at := range c.weights {
				if at >= 0 && !r.Weights[i].IsZero() {
					row[at] = sav.Number(r.Weights[i].Float64())
				}
			}
			for k := range p.columns {
				if a := &r.answers[k]; a.answered && p.columns[k].number {
					row[c.first[k]] = sav.Number(a.number.Float64())
					continue
				}
				codes = p.columns[k].codes(codes[:0], &r.answers[k])
				for n, code := range codes {
					row[c.first[k]+n] = sav.Number(float64(code))
				}
			}
			if !yield(row, nil) {
				return
			}
		}
	}
}
