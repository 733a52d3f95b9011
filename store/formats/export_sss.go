package formats

import (
	"cmp"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/store/formats/sss"
)

// writeTripleS writes a Triple-S 2.0 definition, and the data beside it as CSV. A multiple choice is a multiple where
// its options were always asked together, and a logical per option where they were not; numbers are quantities.
func (e *exporter) writeTripleS(path string) error {
	p := &e.plan
	at := p.names(tripleSName)
	def := &sss.Definition{Version: "2.0", Encoding: "UTF-8", Origin: "Crosswave", Title: sss.Text{Plain: p.survey.Name}}
	data := strings.TrimSuffix(path, filepath.Ext(path)) + ".csv"
	def.Record = sss.Record{Ident: "A", Format: sss.CSV, Skip: 1, Href: filepath.Base(data)}
	f := &tripleSFields{at: at}
	f.describe(p, def)
	err := e.write(path, func(definition *os.File) error {
		return e.write(data, func(out *os.File) error { return sss.Write(definition, out, def, e.tripleSCases(f)) })
	})
	if err != nil {
		return err
	}
	return e.writeCodebook(path, p.codebook(f.at))
}

// tripleSName makes a name of a text: without white space and what separates.
func tripleSName(name string) string {
	return strings.Map(func(r rune) rune {
		if r <= ' ' || strings.ContainsRune(`"',;[]<>&`, r) {
			return '_'
		}
		return r
	}, name)
}

// tripleSFields are the variables.
type tripleSFields struct {
	at *places
	of []tripleSVariable // behind respondent, wave and location
}

// tripleSVariable is what a variable holds: a weight, or columns of the plan.
type tripleSVariable struct {
	weight      int  // namespace, if it has no columns
	first, last int  // columns; several are the options of a multiple
	multiple    bool // it takes all answers of its columns
}

// describe makes the variables, and gives the columns of multiples the names that a reader gives them.
func (f *tripleSFields) describe(p *exportPlan, def *sss.Definition) {
	add := func(v sss.Variable, of tripleSVariable) {
		def.Record.Variables = append(def.Record.Variables, v)
		of.multiple = v.Type == sss.Multiple
		f.of = append(f.of, of)
	}
	text := func(s string) sss.Text { return sss.Text{Plain: s} }
	def.Record.Variables = []sss.Variable{
		{Name: f.at.respondent, Label: text("Respondent"), Type: sss.Character, Use: sss.Serial, Size: max(1, p.ids)},
		{Name: f.at.wave, Label: text("Wave"), Type: sss.Single, Values: tripleSValues(p.waves)},
		{Name: f.at.location, Label: text("Location"), Type: sss.Single, Values: tripleSValues(p.location)},
	}
	for i, n := range p.survey.Namespaces {
		if f.at.weights[i] == "" {
			continue
		}
		v := sss.Variable{Name: f.at.weights[i], Label: text("Weight: " + cmp.Or(n.Name, n.Code)), Type: sss.Quantity}
		if i == 0 {
			v.Use = sss.Weight
		}
		add(v, tripleSVariable{weight: i})
	}
	taken := map[string]bool{}
	for _, v := range def.Record.Variables {
		taken[strings.ToLower(v.Name)] = true
	}
	for _, name := range f.at.columns {
		taken[strings.ToLower(name)] = true
	}
	for i, g := range p.groups {
		q := &p.survey.Questions[i]
		if g.kind == audience.Multi && !g.ragged && g.last > g.first {
			name := tripleSName(q.Code)
			for n := 2; taken[strings.ToLower(name)]; n++ {
				name = fmt.Sprintf("%s_%d", tripleSName(q.Code), n)
			}
			taken[strings.ToLower(name)] = true
			v := sss.Variable{Name: name, Label: text(q.Name), Type: sss.Multiple}
			for k := g.first; k < g.last; k++ {
				v.Values = append(v.Values, tripleSValues(p.columns[k].options)...)
				f.at.columns[k] = fmt.Sprintf("%s[%d]", name, p.columns[k].options[0].code)
			}
			add(v, tripleSVariable{first: g.first, last: g.last})
			continue
		}
		for k := g.first; k < g.last; k++ {
			c := &p.columns[k]
			v := sss.Variable{Name: f.at.columns[k], Label: text(c.label), Type: sss.Single}
			switch {
			case c.flag:
				v.Type, v.Label = sss.Logical, text(join(cmp.Or(q.Name, q.Code), c.label))
			case c.most > 1:
				v.Type = sss.Multiple
			case c.number:
				v.Type = sss.Quantity
			}
			if !c.flag && !c.number {
				v.Values = tripleSValues(c.options)
			}
			add(v, tripleSVariable{first: k, last: k + 1})
		}
	}
}

func tripleSValues(list []option) []sss.Value {
	var out []sss.Value
	for _, o := range list {
		out = append(out, sss.Value{Code: strconv.Itoa(o.code), Label: sss.Text{Plain: o.name}})
	}
	return out
}

// tripleSCases streams the cases.
func (e *exporter) tripleSCases(f *tripleSFields) iter.Seq2[*sss.Case, error] {
	p := &e.plan
	return func(yield func(*sss.Case, error) bool) {
		c, codes := &sss.Case{Data: make([]sss.Datum, len(f.of)+3)}, []int(nil)
		single := func(d *sss.Datum, code int) {
			d.Present, d.Text = true, strconv.Itoa(code)
			d.Picks = append(d.Picks[:0], sss.Pick{Code: d.Text})
		}
		for r, err := range e.records {
			if err != nil {
				yield(nil, err)
				return
			}
			c.Data[0] = sss.Datum{Present: true, Text: r.ID}
			single(&c.Data[1], p.waves[r.Wave].code)
			single(&c.Data[2], p.location[r.Location].code)
			for i, of := range f.of {
				d := &c.Data[3+i]
				d.Present, d.Text, d.Picks = false, "", d.Picks[:0]
				if of.last == 0 {
					if w := r.Weights[of.weight]; !w.IsZero() {
						d.Present, d.Text = true, w.String()
					}
					continue
				}
				switch a := &r.answers[of.first]; {
				case !a.answered:
				case of.multiple:
					d.Present = true
					for k := of.first; k < of.last; k++ {
						for _, pick := range r.answers[k].picks {
							d.Picks = append(d.Picks, sss.Pick{Code: strconv.Itoa(p.columns[k].options[pick].code)})
						}
					}
				case p.columns[of.first].number:
					d.Present, d.Text = true, a.number.Plain()
				default:
					codes = p.columns[of.first].codes(codes[:0], a)
					single(d, codes[0])
				}
			}
			if !yield(c, nil) {
				return
			}
		}
	}
}
