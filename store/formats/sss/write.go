package sss

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/crosswave/crosswave/internal/charset"
	"golang.org/x/text/transform"
)

// Write writes a survey: the data as the cases come, then the definition, so that a failure leaves no definition that
// promises more than there is. It writes Triple-S 2.0, or 1.2 (fixed data only, without dates, times, scores, literal
// codes and modes) where def.Version says 1.1 or 1.2. Lines of the data end in CR LF.
//
// Where every variable has a Start, the places are those; else Write reads the cases twice, first to find how wide
// every field has to be, so cases must then be repeatable. It also fills in what the standard asks for and def leaves
// out: idents, sizes, ranges of quantities and of codes that have no values, the width of sub-fields. A multiple with a
// code above 1,024 and without a Spread is given one. def itself stays as it is.
//
// ParseDefinition and Reader give back what was written, except that blanks at the end of a text are lost, a text of
// blanks is missing, and CR LF within a text becomes LF. Codes that aren't listed are written, too; what cannot be is
// an error, a *DefinitionError or a *DataError: an answer too long for its field, a line break in fixed data, a
// character that def.Encoding lacks, a number that is none, "none of these" in a spread of literal codes (which would
// read as missing).
func Write(defW, dataW io.Writer, def *Definition, cases iter.Seq2[*Case, error]) error {
	d, c, err := writable(def)
	if err != nil {
		return err
	}
	if slices.ContainsFunc(d.Record.Variables, func(v Variable) bool { return v.Start == 0 }) {
		if err := place(d, cases); err != nil {
			return err
		}
	}
	p, err := compile(d)
	if err != nil {
		return err
	}
	if err := p.checkPlaces(); err != nil {
		return err
	}
	out := transform.NewWriter(dataW, c.NewEncoder())
	w := &dataWriter{plan: p, charset: c, order: p.inOrder(), out: bufio.NewWriterSize(out, 1<<16)}
	if err := w.write(cases); err != nil {
		return err
	}
	if err := errors.Join(w.out.Flush(), out.Close()); err != nil {
		return err
	}
	return writeDefinition(defW, d, c)
}

// checkPlaces refuses variables that would write over one another.
func (p *plan) checkPlaces() error {
	order := p.inOrder()
	for i := 1; i < len(order); i++ {
		if a, b := order[i-1], order[i]; b.start < a.end {
			return &DefinitionError{Variable: b.v.handle(), Err: fmt.Errorf("it stands at %d to %d, where %s stands, too",
				b.start+1, b.end, a.v.handle())}
		}
	}
	return nil
}

type dataWriter struct {
	plan    *plan
	charset charset.Charset
	order   []*field
	out     *bufio.Writer
	scratch []byte
}

func (w *dataWriter) write(cases iter.Seq2[*Case, error]) error {
	csv := w.plan.def.Record.Format == CSV
	if csv && w.plan.def.Record.Skip > 0 {
		if err := w.header(); err != nil {
			return err
		}
	}
	row := 0
	for c, err := range cases {
		if err != nil {
			return err
		}
		row++
		if len(c.Data) != len(w.plan.fields) {
			return &DataError{Row: row, Err: fmt.Errorf("the case has %d answers, the definition %d variables",
				len(c.Data), len(w.plan.fields))}
		}
		at := 0
		for _, f := range w.order {
			text, err := w.encode(f, &c.Data[f.index])
			if err == nil {
				at, err = w.put(f, text, at)
			}
			if err != nil {
				return &DataError{Row: row, Variable: f.v.handle(), Column: f.start + 1, Finish: f.end, CSV: csv,
					Value: shorten(text), Err: err}
			}
		}
		for ; csv && at < w.plan.length-1; at++ {
			w.out.WriteByte(',')
		}
		if _, err := w.out.WriteString("\r\n"); err != nil {
			return err
		}
	}
	return nil
}

func (w *dataWriter) header() error {
	at := 0
	for _, f := range w.order {
		if !holds(w.charset, f.v.Name) {
			return &DefinitionError{Variable: f.v.handle(), Err: fmt.Errorf("its name has a character that %s lacks",
				w.charset.Name)}
		}
		at = w.separate(f, at)
		w.quote(f.v.Name, false)
		for ; at < f.end-1; at++ { // sub-fields with a field each
			w.out.WriteByte(',')
		}
	}
	_, err := w.out.WriteString("\r\n")
	return err
}

// separate writes the commas up to a field from the field that was written last.
func (w *dataWriter) separate(f *field, at int) int {
	for ; at < f.start; at++ {
		w.out.WriteByte(',')
	}
	return at
}

// quote writes a CSV field. Fields that are empty, or begin or end in a blank, are quoted, too: some readers trim them
// or skip the line.
func (w *dataWriter) quote(s string, always bool) {
	if !always && s != "" && !strings.ContainsAny(s, ",;\"\r\n\t") && s[0] != ' ' && s[len(s)-1] != ' ' &&
		s[0] < utf8.RuneSelf {
		w.out.WriteString(s)
		return
	}
	w.out.WriteByte('"')
	w.out.WriteString(strings.ReplaceAll(s, `"`, `""`))
	w.out.WriteByte('"')
}

// put writes a field's text after those before it in the record; at is where they end.
func (w *dataWriter) put(f *field, text string, at int) (int, error) {
	if !f.csv {
		return w.putFixed(f, text, at)
	}
	at = w.separate(f, at)
	switch {
	case f.apart:
		for i := range f.subfields {
			if i > 0 {
				w.out.WriteByte(',')
			}
			part, rest, _ := strings.Cut(text, "\x00") // as encodeSpread joined them
			w.quote(part, false)
			text = rest
		}
		return f.end - 1, nil
	case f.v.Type == Multiple && text != "":
		w.quote(text, true)
	case text == "" && w.plan.length > 1:
	default:
		w.quote(text, false)
	}
	return at, nil
}

func (w *dataWriter) pad(n int) { w.out.WriteString(strings.Repeat(" ", max(n, 0))) }

func (w *dataWriter) putFixed(f *field, text string, at int) (int, error) {
	n, width := utf8.RuneCountInString(text), f.end-f.start
	if n > width {
		return at, fmt.Errorf("has %d characters; there is room for %d", n, width)
	}
	w.pad(f.start - at)
	right := f.v.Type == Quantity || f.v.Type == Logical || f.v.Type == Single && !f.v.Literal
	if right {
		w.pad(width - n)
	}
	w.out.WriteString(text)
	if !right {
		w.pad(width - n)
	}
	return f.end, nil
}

// encode returns the text of an answer without padding; the empty text is missing.
func (w *dataWriter) encode(f *field, d *Datum) (string, error) {
	if !d.Present {
		return "", nil
	}
	switch f.v.Type {
	case Single:
		code, err := w.single(f, d)
		if err != nil {
			return code, err
		}
		return code, w.check(f, code)
	case Multiple:
		if f.subfields > 0 {
			return w.encodeSpread(f, d)
		}
		return w.encodeBits(f, d)
	case Character:
		s := trimRight(strings.ReplaceAll(d.Text, "\r\n", "\n"))
		return s, w.check(f, s)
	}
	s, err := canonical(f.v.Type, d.Text)
	if err != nil {
		return d.Text, err
	}
	if f.v.Type == Time && !f.csv && f.end-f.start == 4 && s[4:] == "00" {
		s = s[:4]
	}
	return s, nil
}

func (w *dataWriter) single(f *field, d *Datum) (string, error) {
	code := d.Text
	switch len(d.Picks) {
	case 0:
	case 1:
		code = d.Picks[0].Code
	default:
		return "", fmt.Errorf("has %d codes, a single one", len(d.Picks))
	}
	return canonicalCode(f.v.Literal, code)
}

func canonicalCode(literal bool, code string) (string, error) {
	if literal {
		if code = strings.Trim(code, " \t"); code == "" {
			return "", errors.New("is no code")
		}
		return code, nil
	}
	n, err := canonical(Single, code)
	if err != nil {
		return code, err
	}
	return n, nil
}

// check refuses text that would not be read as it is.
func (w *dataWriter) check(f *field, s string) error {
	ascii := true
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case c >= utf8.RuneSelf:
			ascii = false
		case c == '\n' && !f.csv:
			return errors.New("has a line break, which fixed data has no way to write; CSV data does")
		case c < ' ' && c != '\n' && c != '\t':
			return fmt.Errorf("has the control character %U", c)
		}
	}
	switch {
	case ascii:
	case !utf8.ValidString(s):
		return errors.New("is not valid UTF-8")
	case strings.ContainsRune(s, '\ufeff'):
		return errors.New("has a byte order mark")
	case !holds(w.charset, s):
		return fmt.Errorf("has a character that %s lacks", w.charset.Name)
	}
	return nil
}

func (w *dataWriter) encodeBits(f *field, d *Datum) (string, error) {
	w.scratch = append(w.scratch[:0], strings.Repeat("0", f.positions)...)
	for _, pick := range d.Picks {
		code, _ := wholeNumber(pick.Code)
		n, err := strconv.Atoi(code)
		if err != nil || n < 1 || n > f.positions || f.bits[n-1].Code == "" {
			return pick.Code, errors.New("is not listed, and so has no position in the bitstring")
		}
		w.scratch[n-1] = '1'
	}
	return string(w.scratch), nil
}

func (w *dataWriter) encodeSpread(f *field, d *Datum) (string, error) {
	if len(d.Picks) > f.subfields {
		return "", fmt.Errorf("has %d codes; there are %d sub-fields", len(d.Picks), f.subfields)
	}
	if len(d.Picks) == 0 && f.v.Literal {
		return "", errors.New("has none of the codes, which sub-fields of literal codes have no way to write")
	}
	w.scratch = w.scratch[:0]
	for i := range f.subfields {
		code, filler := "0", "0"
		if f.v.Literal {
			code, filler = "", " "
		}
		if i < len(d.Picks) {
			var err error
			if code, err = canonicalCode(f.v.Literal, d.Picks[i].Code); err != nil {
				return d.Picks[i].Code, err
			}
			if code == "0" && !f.v.Literal {
				return code, errors.New("marks sub-fields without an answer, and so is no code of a spread")
			}
			if err := w.check(f, code); err != nil {
				return code, err
			}
		}
		n := utf8.RuneCountInString(code)
		switch {
		case f.apart:
			if i > 0 {
				w.scratch = append(w.scratch, 0)
			}
			w.scratch = append(w.scratch, code...)
			continue
		case f.width > 0 && n > f.width:
			return code, fmt.Errorf("has %d characters; its sub-fields are %d wide", n, f.width)
		case f.v.Literal:
			w.scratch = append(w.scratch, code...)
			w.scratch = append(w.scratch, strings.Repeat(filler, max(f.width-n, 0))...)
		default:
			if code[0] == '-' {
				filler = " "
			}
			w.scratch = append(w.scratch, strings.Repeat(filler, max(f.width-n, 0))...)
			w.scratch = append(w.scratch, code...)
		}
	}
	return string(w.scratch), nil
}
