package sss

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

const (
	maxRecord    = 16 << 20 // characters of a record, and fields of a CSV record
	maxBitstring = 1 << 16  // positions of one bitstring
	maxPicks     = 1 << 19  // positions and sub-fields of all multiples
	maxWidth     = 4 * maxRecord
	maxDense     = 1 << 12 // codes below it are looked up in a table
)

// plan is a definition made ready for reading and writing data.
type plan struct {
	def    *Definition
	fields []field
	length int // characters (fixed) or fields (CSV) that a record needs for every variable
	notes  []string
}

// field is a variable made ready.
type field struct {
	v     *Variable
	index int // of the variable
	csv   bool
	start int // from 0; for CSV the field's index
	end   int // after the last
	// subfields, width and apart describe a spread multiple. apart: each sub-field is a CSV field of its own.
	subfields, width int
	apart            bool
	codes            codes
	listed           bool    // whether the definition lists values or ranges at all
	ranges           []Range // with both ends in canonical form
	positions        int     // of a bitstring: the highest code listed
	bits             []Pick  // of a bitstring, by position; an empty Code is not listed
}

// codes finds the index of a code among a variable's values.
type codes struct {
	literal bool    // all codes are text
	mixed   bool    // some codes are text though they are not said to be
	dense   []int32 // by code, index + 1
	sparse  map[string]int32
}

// find returns the index of a code in canonical form, or -1.
func (c *codes) find(code string) int32 {
	if !c.literal && len(code) <= 4 && digits(code) {
		if n, _ := strconv.Atoi(code); n < len(c.dense) && c.dense[n] > 0 {
			return c.dense[n] - 1
		}
	}
	if i, ok := c.sparse[code]; ok {
		return i
	}
	return -1
}

// compile checks that a definition can be read by, and prepares it. Errors are *DefinitionError.
func compile(def *Definition) (*plan, error) {
	p := &plan{def: def, fields: make([]field, len(def.Record.Variables))}
	if len(p.fields) == 0 {
		return nil, &DefinitionError{Err: errors.New("it describes no variables")}
	}
	picks, width := 0, 0
	for i := range p.fields {
		v, f := &def.Record.Variables[i], &p.fields[i]
		f.index = i
		err := p.prepare(f, v)
		p.length = max(p.length, f.end)
		picks += len(f.bits) + f.subfields
		width += f.end - f.start
		switch {
		case err != nil:
		case picks > maxPicks:
			err = fmt.Errorf("up to it, the multiples have more than %d positions and sub-fields", maxPicks)
		case width > maxWidth:
			err = fmt.Errorf("up to it, the variables take more than %d characters", maxWidth)
		}
		if err != nil {
			return nil, &DefinitionError{Variable: v.handle(), Err: err}
		}
	}
	p.checkNames()
	return p, nil
}

func (p *plan) note(v *Variable, format string, args ...any) {
	if len(p.notes) <= maxNotes {
		p.notes = append(p.notes, "variable "+v.handle()+": "+fmt.Sprintf(format, args...))
	}
}

func (p *plan) prepare(f *field, v *Variable) error {
	f.v, f.csv = v, p.def.Record.Format == CSV
	f.start, f.end = v.Start-1, max(v.Start, v.Finish)
	if v.Start < 1 || v.Finish > maxRecord || v.Start > maxRecord {
		return fmt.Errorf("its position is %d to %d; places are counted from 1 to %d", v.Start, v.Finish, maxRecord)
	}
	if err := p.prepareCodes(f, v); err != nil {
		return err
	}
	if err := prepareRanges(f, v); err != nil {
		return err
	}
	f.listed = len(v.Values) > 0 || len(v.Ranges) > 0
	switch {
	case v.Type != Multiple:
	case v.Spread.Subfields > 0:
		return p.prepareSpread(f, v)
	default:
		return p.prepareBits(f, v)
	}
	p.oneField(f)
	return nil
}

// oneField notes that the variable of a CSV field has no more places than that one.
func (p *plan) oneField(f *field) {
	if f.csv && f.end-f.start > 1 {
		p.note(f.v, "the finish of its position, %d, is not used: it is one field", f.v.Finish)
		f.end = f.start + 1
	}
}

// compared returns the form in which a type's listed values are compared.
func compared(t Type, literal bool, s string) (string, error) {
	s = clean(s)
	if t == Character || t == Logical || literal && (t == Single || t == Multiple) {
		return s, nil
	}
	s, err := canonical(t, s)
	if err == errTime {
		err = errors.New("is not a time HHMMSS")
	}
	return value(s), err
}

func (p *plan) prepareCodes(f *field, v *Variable) error {
	c := &f.codes
	c.literal = v.Literal || v.Type == Character
	for i, value := range v.Values {
		code, err := compared(v.Type, c.literal, value.Code)
		if err != nil {
			spread := v.Type == Multiple && v.Spread.Subfields > 0
			if v.Type == Multiple && !spread {
				return fmt.Errorf("code %q is no position in a bitstring", shorten(value.Code))
			}
			if v.Type != Single && !spread {
				return fmt.Errorf("its value %q %w", shorten(value.Code), err)
			}
			if !c.mixed {
				p.note(v, "code %q %v, though the format isn't literal: compared as text", shorten(value.Code), err)
			}
			c.mixed, code = true, clean(value.Code)
		}
		if c.find(code) >= 0 {
			p.note(v, "code %s is listed twice: the first counts", shorten(value.Code))
			continue
		}
		c.put(code, int32(i), v.Type)
	}
	return nil
}

func (c *codes) put(code string, i int32, t Type) {
	if n, err := strconv.Atoi(code); err == nil && n >= 0 && n < maxDense && !c.literal && t != Date && t != Time {
		if n >= len(c.dense) {
			c.dense = append(c.dense, make([]int32, n+1-len(c.dense))...)
		}
		c.dense[n] = i + 1
		return
	}
	if c.sparse == nil {
		c.sparse = map[string]int32{}
	}
	c.sparse[code] = i
}

func prepareRanges(f *field, v *Variable) error {
	for _, r := range v.Ranges {
		if v.Type == Character || v.Type == Logical {
			continue
		}
		from, err := compared(v.Type, false, r.From)
		if err != nil {
			return fmt.Errorf("its range starts at %q, which %w", shorten(r.From), err)
		}
		to, err := compared(v.Type, false, r.To)
		if err != nil {
			return fmt.Errorf("its range ends at %q, which %w", shorten(r.To), err)
		}
		if compare(from, to) > 0 {
			return fmt.Errorf("its range goes from %s to %s, which is less", shorten(r.From), shorten(r.To))
		}
		f.ranges = append(f.ranges, Range{from, to})
	}
	return nil
}

func (f *field) inRanges(n string) bool {
	return slices.ContainsFunc(f.ranges, func(r Range) bool {
		return compare(r.From, n) <= 0 && compare(n, r.To) <= 0
	})
}

func (p *plan) prepareSpread(f *field, v *Variable) error {
	f.subfields, f.width = v.Spread.Subfields, v.Spread.Width
	span := f.end - f.start
	if f.subfields > maxPicks || f.width > maxRecord {
		return fmt.Errorf("its spread has %d sub-fields of %d characters", f.subfields, f.width)
	}
	if f.csv {
		// The standard has all sub-fields in one field. A field for each is read, too, where the position says so.
		if f.apart = span > 1 && span == f.subfields; f.apart {
			return nil
		}
		p.oneField(f)
		if f.width == 0 && f.subfields > 1 {
			return errors.New("its sub-fields have no width, which spreads in CSV data need")
		}
		return nil
	}
	if f.width == 0 {
		if span%f.subfields != 0 {
			return fmt.Errorf("%d sub-fields don't divide its %d columns, and no width is given", f.subfields, span)
		}
		f.width = span / f.subfields
	}
	if f.subfields*f.width > span {
		return fmt.Errorf("%d sub-fields of %d don't fit into its %d columns", f.subfields, f.width, span)
	}
	return nil
}

func (p *plan) prepareBits(f *field, v *Variable) error {
	if v.Literal {
		return errors.New("it has literal codes, which a bitstring has no positions for")
	}
	ends := make([]string, 0, len(v.Values)+len(f.ranges))
	for _, value := range v.Values {
		code, _ := wholeNumber(value.Code)
		ends = append(ends, code)
	}
	for _, r := range f.ranges {
		ends = append(ends, r.From, r.To)
	}
	for _, code := range ends {
		n, err := strconv.Atoi(code)
		if err != nil || n < 1 || n > maxBitstring {
			return fmt.Errorf("code %s is no position in a bitstring, which has 1 to %d", shorten(code), maxBitstring)
		}
		f.positions = max(f.positions, n)
	}
	span := f.end - f.start
	if f.csv && !f.listed {
		p.note(v, "it lists no values, so its marks mean nothing and are left out")
	}
	switch {
	case f.csv:
		p.oneField(f)
	case f.positions > span:
		p.note(v, "its %d columns hold the codes up to %d only", span, span)
		f.positions = span
	case !f.listed:
		f.positions = min(span, maxBitstring)
	}
	f.bits = make([]Pick, f.positions)
	for i := range f.bits {
		code := strconv.Itoa(i + 1)
		if index := f.codes.find(code); index >= 0 {
			f.bits[i] = Pick{v.Values[index].Code, index}
		} else if !f.listed || f.inRanges(code) {
			f.bits[i] = Pick{code, -1}
		}
	}
	return nil
}

// checkNames notes what Triple-S asks of names and idents and data can do without.
func (p *plan) checkNames() {
	names, idents := map[string]Type{}, map[string]bool{}
	for i := range p.fields {
		v := p.fields[i].v
		name := strings.ToLower(v.Name)
		if _, ok := names[name]; ok {
			p.note(v, "another variable has the same name")
		}
		names[name] = v.Type
		if v.Ident != "" && idents[v.Ident] {
			p.note(v, "another variable has the same ident, %s", shorten(v.Ident))
		}
		idents[v.Ident] = true
	}
	for i := range p.fields {
		v := p.fields[i].v
		if v.Filter == "" {
			continue
		}
		if t, ok := names[strings.ToLower(v.Filter)]; !ok || t != Logical {
			p.note(v, "its filter %s is not the name of a logical variable", shorten(v.Filter))
		}
	}
}

// inOrder returns the fields by their place in the record.
func (p *plan) inOrder() []*field {
	order := make([]*field, len(p.fields))
	for i := range p.fields {
		order[i] = &p.fields[i]
	}
	slices.SortStableFunc(order, func(a, b *field) int { return a.start - b.start })
	return order
}
