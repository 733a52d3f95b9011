package sss

import (
	"cmp"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/crosswave/crosswave/internal/charset"
)

// spreadAbove is the code above which Write spreads a multiple unless told how to store it: a bitstring would be mostly
// zeros.
const spreadAbove = 1 << 10

// writable returns a copy of a definition with the version, encoding, idents and the like that Write uses, or says why
// it cannot be written.
func writable(def *Definition) (*Definition, charset.Charset, error) {
	c := charset.UTF8()
	if def.Encoding != "" {
		var err error
		if c, err = charset.Find(def.Encoding); err != nil {
			return nil, c, &DefinitionError{Err: err}
		}
	}
	d := *def
	d.Notes, d.Encoding = nil, c.Name
	d.Record.Variables = slices.Clone(def.Record.Variables)
	old := d.Version == "1.1" || d.Version == "1.2"
	if d.Version = "2.0"; old {
		d.Version = "1.2"
	}
	if d.Record.Ident == "" {
		d.Record.Ident = "V"
	}
	switch d.Record.Format {
	case CSV:
		d.Record.Skip = min(d.Record.Skip, 1)
		if old {
			return nil, c, &DefinitionError{Err: errors.New("Triple-S 1.2 has no CSV data; 2.0 does")}
		}
	case "", Fixed:
		d.Record.Format, d.Record.Skip = Fixed, 0
	default:
		return nil, c, &DefinitionError{Err: fmt.Errorf("the record's format is %q; it can be fixed or csv", d.Record.Format)}
	}
	texts := append([]string{d.Name, d.SurveyVersion, d.Date, d.Time, d.Origin, d.User, d.Record.Ident, d.Record.Href},
		d.Languages...)
	if err := checkTexts(append(texts, d.Modes...)...); err != nil {
		return nil, c, &DefinitionError{Err: err}
	}
	if err := checkText(d.Title, old); err != nil {
		return nil, c, &DefinitionError{Err: fmt.Errorf("its title %w", err)}
	}
	names := map[string]bool{}
	for i := range d.Record.Variables {
		v := &d.Record.Variables[i]
		if err := checkVariable(v, old, names); err != nil {
			return nil, c, &DefinitionError{Variable: v.handle(), Err: err}
		}
	}
	idents, free := map[string]bool{}, 1
	for _, v := range d.Record.Variables {
		idents[v.Ident] = true
	}
	for i := range d.Record.Variables {
		v := &d.Record.Variables[i]
		for ; v.Ident == ""; free++ {
			if s := strconv.Itoa(free); !idents[s] {
				v.Ident = s
			}
		}
		d.gather(v.Label)
		for _, value := range v.Values {
			d.gather(value.Label)
		}
	}
	d.gather(d.Title)
	return &d, c, nil
}

// gather adds the languages and modes of a text to those the definition says it has.
func (d *Definition) gather(t Text) {
	for _, v := range t.Variants {
		if v.Language != "" && !slices.Contains(d.Languages, v.Language) {
			d.Languages = append(slices.Clip(d.Languages), v.Language)
		}
		if v.Mode != "" && !slices.Contains(d.Modes, v.Mode) {
			d.Modes = append(slices.Clip(d.Modes), v.Mode)
		}
	}
}

func checkVariable(v *Variable, old bool, names map[string]bool) error {
	switch name := strings.ToLower(v.Name); {
	case name == "":
		return errors.New("it has no name")
	case strings.ContainsAny(name, " \t\r\n"):
		return errors.New("its name has white space")
	case names[name]:
		return errors.New("another variable has the same name (the case of letters doesn't tell names apart)")
	default:
		names[name] = true
	}
	switch v.Type {
	case Single, Multiple, Quantity, Character, Logical, Date, Time:
	default:
		return fmt.Errorf("its type is %q, which Triple-S doesn't have", v.Type)
	}
	if len(v.Ranges) > 1 {
		return fmt.Errorf("it has %d ranges; Triple-S has room for one", len(v.Ranges))
	}
	if v.Size > maxRecord || v.Spread.Subfields < 0 || v.Spread.Width < 0 || v.Size < 0 {
		return fmt.Errorf("its size %d or spread %d × %d is out of bounds", v.Size, v.Spread.Subfields, v.Spread.Width)
	}
	if v.Type == Single || v.Type == Multiple && (v.Spread.Subfields > 0 || v.Start == 0) {
		for _, value := range v.Values {
			if _, ok := wholeNumber(value.Code); !ok {
				v.Literal = true
			}
		}
	}
	texts := []string{v.Ident, v.Name, v.Filter, string(v.Use)}
	for _, r := range v.Ranges {
		texts = append(texts, r.From, r.To)
	}
	for _, value := range v.Values {
		texts = append(texts, value.Code, value.Score)
		if err := checkText(value.Label, old); err != nil {
			return fmt.Errorf("the label of value %s %w", shorten(value.Code), err)
		}
		if old && value.Score != "" {
			return fmt.Errorf("value %s has a score, which Triple-S 1.2 doesn't have", shorten(value.Code))
		}
	}
	if err := checkText(v.Label, old); err != nil {
		return fmt.Errorf("its label %w", err)
	}
	if old && (v.Type == Date || v.Type == Time || v.Literal) {
		return errors.New("Triple-S 1.2 has no dates, times or literal codes; 2.0 does")
	}
	return checkTexts(texts...)
}

// checkTexts refuses what XML cannot hold.
func checkTexts(texts ...string) error {
	for _, s := range texts {
		if !utf8.ValidString(s) {
			return fmt.Errorf("%q is not valid UTF-8", shorten(s))
		}
		for _, c := range s {
			if c < ' ' && c != '\t' && c != '\n' && c != '\r' || c == 0xfffe || c == 0xffff {
				return fmt.Errorf("%q has the character %U, which XML doesn't allow", shorten(s), c)
			}
		}
	}
	return nil
}

func checkText(t Text, old bool) error {
	if err := checkTexts(t.Plain); err != nil {
		return err
	}
	for _, v := range t.Variants {
		if err := checkTexts(v.Text, v.Language, v.Mode); err != nil {
			return err
		}
		if strings.ContainsAny(v.Language+v.Mode, " \t\r\n") {
			return fmt.Errorf("has the language %q and the mode %q; neither may have white space", v.Language, v.Mode)
		}
		if old && (v.Mode != "" || v.Language == "") {
			return errors.New("has texts by mode, which Triple-S 1.2 doesn't have")
		}
	}
	return nil
}

// seen is what the first pass over the cases finds of a variable.
type seen struct {
	width    int // of the longest answer or code, in characters
	picks    int
	min, max string // of numbers and codes, in canonical form; empty if there were none
	decimals int
}

func (s *seen) number(n string) {
	s.width = max(s.width, len(n))
	if s.min == "" || compare(n, s.min) < 0 {
		s.min = n
	}
	if s.max == "" || compare(n, s.max) > 0 {
		s.max = n
	}
	if _, fraction, ok := strings.Cut(n, "."); ok {
		s.decimals = max(s.decimals, len(fraction))
	}
}

func (s *seen) code(literal bool, code string) {
	if n, ok := wholeNumber(code); ok && !literal {
		s.number(n)
		return
	}
	s.width = max(s.width, utf8.RuneCountInString(clean(code)))
}

// place gives every variable its place, one after another, in fields as wide as the definition and the cases ask for.
func place(d *Definition, cases iter.Seq2[*Case, error]) error {
	vs := d.Record.Variables
	found := make([]seen, len(vs))
	row := 0
	for c, err := range cases {
		if err != nil {
			return err
		}
		row++
		if len(c.Data) != len(vs) {
			return &DataError{Row: row, Err: fmt.Errorf("the case has %d answers, the definition %d variables",
				len(c.Data), len(vs))}
		}
		for i := range vs {
			found[i].add(&vs[i], &c.Data[i])
		}
	}
	at := 1
	for i := range vs {
		width, err := widen(&vs[i], &found[i])
		if err != nil {
			return &DefinitionError{Variable: vs[i].handle(), Err: err}
		}
		if d.Record.Format == CSV {
			width = 1
		}
		if vs[i].Start, vs[i].Finish = at, at+width-1; vs[i].Finish > maxRecord {
			return &DefinitionError{Variable: vs[i].handle(),
				Err: fmt.Errorf("up to it, a record has more than %d characters", maxRecord)}
		}
		at += width
	}
	return nil
}

func (s *seen) add(v *Variable, d *Datum) {
	if !d.Present {
		return
	}
	switch v.Type {
	case Single, Multiple:
		s.picks = max(s.picks, len(d.Picks))
		for _, pick := range d.Picks {
			s.code(v.Literal, pick.Code)
		}
		if v.Type == Single && len(d.Picks) == 0 {
			s.code(v.Literal, d.Text)
		}
	case Quantity:
		if n, ok := number(d.Text); ok {
			s.number(n)
		}
	case Character:
		s.width = max(s.width, utf8.RuneCountInString(trimRight(d.Text)))
	}
}

// widen fills in what a variable leaves out and returns the characters it takes in fixed data.
func widen(v *Variable, s *seen) (int, error) {
	switch v.Type {
	case Logical:
		return 1, nil
	case Date:
		return 8, nil
	case Time:
		return 6, nil
	case Character:
		v.Size = max(v.Size, s.width, 1)
		return v.Size, nil
	}
	if len(v.Values) == 0 && len(v.Ranges) == 0 && !v.Literal {
		v.Ranges = []Range{s.span(v.Type)}
	}
	for _, value := range v.Values {
		if v.Type == Quantity {
			s.widthOf(value.Code)
		} else {
			s.code(v.Literal, value.Code)
		}
	}
	for _, r := range v.Ranges {
		s.widthOf(r.From)
		s.widthOf(r.To)
	}
	s.width = max(s.width, 1)
	if v.Type != Multiple {
		return s.width, nil
	}
	highest, _ := strconv.Atoi(s.max)
	for _, r := range v.Ranges {
		n, _ := wholeNumber(r.To)
		to, _ := strconv.Atoi(n)
		highest = max(highest, to)
	}
	if v.Spread.Subfields == 0 && (highest > spreadAbove || v.Literal) {
		v.Spread.Subfields = max(s.picks, 1)
	}
	if v.Spread.Subfields == 0 {
		return max(highest, 1), nil
	}
	if v.Spread.Width == 0 {
		v.Spread.Width = s.width
	}
	if v.Spread.Subfields > maxPicks || v.Spread.Width > maxRecord {
		return 0, fmt.Errorf("its spread has %d sub-fields of %d characters", v.Spread.Subfields, v.Spread.Width)
	}
	return v.Spread.Subfields * v.Spread.Width, nil
}

func (s *seen) widthOf(number string) {
	s.width = max(s.width, utf8.RuneCountInString(clean(number)))
}

// span is the range of what was seen, with the decimals of the number that has most.
func (s *seen) span(t Type) Range {
	from := cmp.Or(s.min, "0")
	if t == Multiple {
		from = "1"
	}
	return Range{fill(from, s.decimals), fill(cmp.Or(s.max, from), s.decimals)}
}

// fill adds zeros to a number up to a number of decimals.
func fill(n string, decimals int) string {
	if decimals == 0 {
		return n
	}
	_, fraction, ok := strings.Cut(n, ".")
	if !ok {
		n += "."
	}
	return n + strings.Repeat("0", decimals-len(fraction))
}
