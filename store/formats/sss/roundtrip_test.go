package sss

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/crosswave/crosswave/internal/testsize"
)

// maker makes random surveys in the form in which they are read: reading what is written of one gives the same again.
type maker struct {
	*rand.Rand
	def *Definition
}

func (m *maker) odds(n int) bool { return m.IntN(n) == 0 }

// words are of every script that the encodings used here have.
func (m *maker) words(most int) string {
	alphabet := []string{"a", "B", "7", "é", "ß", "&", "<", `"`, "'", "]]>", ",", ";", "0"}
	if m.def.Encoding != "ISO-8859-1" {
		alphabet = append(alphabet, "€", "語", "🙂", "\u00a0")
	}
	var b strings.Builder
	for i := range m.IntN(most + 1) {
		if i > 0 && m.odds(3) {
			b.WriteString(" ")
		}
		b.WriteString(alphabet[m.IntN(len(alphabet))])
	}
	return b.String()
}

func (m *maker) text() Text {
	t := Text{Plain: m.words(6)}
	if m.odds(4) && t.Plain != "" {
		t.Plain += "\n" + "second" + m.words(2)
	}
	for range m.IntN(3) {
		v := Variant{Language: []string{"en", "fr-FR"}[m.IntN(2)], Text: "x" + m.words(3)}
		if m.def.Version == "2.0" && m.odds(2) {
			v.Mode = []string{"interview", "analysis"}[m.IntN(2)]
		}
		t.Variants = append(t.Variants, v)
	}
	return t
}

func (m *maker) number(decimals int) string {
	s := strconv.Itoa(m.IntN([]int{1, 10, 100000}[m.IntN(3)]))
	if decimals > 0 {
		s += "." + fmt.Sprintf("%0*d", decimals, m.IntN(100))
	}
	if m.odds(3) && strings.Trim(s, "0.") != "" {
		s = "-" + s
	}
	return s
}

func (m *maker) values(v *Variable) {
	seen := map[string]bool{}
	for range 1 + m.IntN(8) {
		code := strconv.Itoa(1 + m.IntN([]int{9, 200, 20000}[m.IntN(3)]))
		if v.Type == Multiple && v.Spread.Subfields == 0 && len(code) > 3 {
			code = code[:3]
		}
		if v.Type == Single && m.odds(8) {
			code = "0"
		}
		if v.Literal {
			code = "k" + m.words(2) + "k"
		}
		if seen[code] {
			continue
		}
		seen[code] = true
		value := Value{Code: code, Label: m.text()}
		if m.def.Version == "2.0" && m.odds(3) {
			value.Score = m.number(m.IntN(2))
		}
		v.Values = append(v.Values, value)
	}
}

func (m *maker) definition() *Definition {
	m.def = &Definition{Version: []string{"1.2", "2.0"}[m.IntN(2)], Encoding: []string{"UTF-8", "ISO-8859-1",
		"UTF-16"}[m.IntN(3)]}
	d := m.def
	d.Languages, d.Modes = []string{"en", "fr-FR"}, []string{"interview", "analysis"}
	d.Date, d.Time, d.Origin, d.User, d.Name, d.SurveyVersion = m.words(2), m.words(2), m.words(2), m.words(2),
		m.words(3), m.words(1)
	d.Title = m.text()
	d.Record = Record{Ident: "A", Href: m.words(3), Format: Fixed}
	types := []Type{Single, Multiple, Quantity, Character, Logical}
	if d.Version == "2.0" {
		types = append(types, Date, Time)
		if m.odds(2) {
			d.Record.Format, d.Record.Skip = CSV, m.IntN(2)
		}
	}
	for i := range 1 + m.IntN(12) {
		v := Variable{Ident: strconv.Itoa(i + 1), Name: "q" + strconv.Itoa(i), Label: m.text(),
			Type: types[m.IntN(len(types))]}
		if i > 0 && m.odds(4) && d.Record.Variables[0].Type == Logical {
			v.Filter = "q0"
		}
		switch v.Type {
		case Single:
			v.Literal = d.Version == "2.0" && m.odds(4)
			m.values(&v)
		case Multiple:
			if m.odds(2) {
				v.Spread = Spread{Subfields: 1 + m.IntN(4)}
				v.Literal = d.Version == "2.0" && m.odds(4)
			}
			m.values(&v)
			if v.Spread.Subfields > 0 {
				for _, value := range v.Values {
					v.Spread.Width = max(v.Spread.Width, len([]rune(value.Code)))
				}
			}
		case Quantity:
			if m.odds(2) {
				v.Values = []Value{{Code: "999", Label: m.text()}}
			} else {
				v.Use = []Use{"", Serial, Weight}[m.IntN(3)]
				v.Ranges = []Range{{"-99999.00", "99999.00"}}
			}
		case Character:
			v.Size = 20
		}
		d.Record.Variables = append(d.Record.Variables, v)
	}
	return d
}

func (m *maker) datum(v *Variable) Datum {
	if m.odds(4) {
		return Datum{}
	}
	d := Datum{Present: true}
	pick := func(i int) { d.Picks = append(d.Picks, Pick{v.Values[i].Code, int32(i)}) }
	switch v.Type {
	case Single:
		pick(m.IntN(len(v.Values)))
		if d.Text = v.Values[d.Picks[0].Index].Code; !v.Literal && m.odds(10) {
			d.Text, d.Picks = "3", []Pick{{"3", -1}} // perhaps listed, and then as it is listed
			for i, value := range v.Values {
				if value.Code == "3" {
					d.Picks[0].Index = int32(i)
				}
			}
		}
	case Multiple:
		if v.Spread.Subfields == 0 {
			code := func(i int) int { n, _ := strconv.Atoi(v.Values[i].Code); return n }
			order := m.Perm(len(v.Values))
			slices.SortFunc(order, func(i, j int) int { return code(i) - code(j) })
			for _, i := range order {
				if m.odds(2) {
					pick(i)
				}
			}
			break
		}
		for _, i := range m.Perm(len(v.Values))[:m.IntN(min(v.Spread.Subfields, len(v.Values))+1)] {
			pick(i)
		}
		if v.Literal && len(d.Picks) == 0 {
			return Datum{}
		}
	case Quantity:
		d.Text = m.number(m.IntN(3))
		if m.odds(3) {
			d.Text = "999"
		}
		if len(v.Values) > 0 && value(d.Text) == "999" {
			pick(0)
		}
	case Character:
		d.Text = m.words(8) + strings.Repeat("\n", m.IntN(2))
		if m.def.Record.Format == Fixed {
			d.Text = strings.TrimRight(d.Text, "\n")
		}
		if d.Text == "" {
			return Datum{}
		}
	case Logical:
		d.Text = strconv.Itoa(m.IntN(2))
	case Date:
		d.Text = fmt.Sprintf("%04d%02d%02d", 1+m.IntN(9999), 1+m.IntN(12), 1+m.IntN(28))
	case Time:
		d.Text = fmt.Sprintf("%02d%02d%02d", m.IntN(24), m.IntN(60), m.IntN(60))
	}
	return d
}

// Reading what was written gives the same, first as Write lays it out, then, in the places it chose, without any
// difference.
func TestRoundTrip(t *testing.T) {
	rounds := testsize.Of(30, 150, 2000)
	for seed := range uint64(rounds) {
		m := &maker{Rand: rand.New(rand.NewPCG(seed, 7))}
		d := m.definition()
		cases := make([]*Case, m.IntN(8))
		for i := range cases {
			cases[i] = &Case{}
			for j := range d.Record.Variables {
				cases[i].Data = append(cases[i].Data, m.datum(&d.Record.Variables[j]))
			}
		}
		before := fmt.Sprintf("%#v", d)
		first, again := d, d
		for step := range 2 {
			var def, data bytes.Buffer
			if err := Write(&def, &data, first, stream(cases)); err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
			var err error
			if again, err = ParseDefinition(&def); err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
			var ignore []cmp.Option
			if step == 0 { // the places are Write's
				ignore = append(ignore, cmpopts.IgnoreFields(Variable{}, "Start", "Finish"))
			}
			if diff := cmp.Diff(first, again, append(ignore, cmpopts.EquateEmpty())...); diff != "" {
				t.Fatalf("seed %d, definition: %s", seed, diff)
			}
			first = again
			r, err := Open(again, &data, Options{})
			if err != nil {
				t.Fatal(err)
			}
			n := 0
			for c, err := range r.Cases() {
				if err != nil {
					t.Fatalf("seed %d: %v", seed, err)
				}
				if n == len(cases) {
					t.Fatalf("seed %d: more cases than were written", seed)
				}
				if diff := cmp.Diff(cases[n].Data, c.Data, cmpopts.EquateEmpty()); diff != "" {
					t.Fatalf("seed %d, case %d: %s", seed, n, diff)
				}
				n++
			}
			if n != len(cases) {
				t.Fatalf("seed %d: %d cases of %d", seed, n, len(cases))
			}
		}
		if after := fmt.Sprintf("%#v", d); after != before {
			t.Fatalf("seed %d: Write changed the definition it was given", seed)
		}
	}
}
