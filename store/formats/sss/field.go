package sss

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

var (
	errSingle  = errors.New("is not a whole number")
	errNumber  = errors.New("is not a number")
	errLogical = errors.New("is not 1 or 0")
	errDate    = errors.New("is not a date YYYYMMDD")
	errTime    = errors.New("is not a time of day HHMMSS or HHMM")
	errBits    = errors.New("is not a string of 1 and 0")
	errCut     = errors.New("begins or ends within a character; its positions count bytes, and not those of this encoding")
)

// decode reads a field's text into d, which is missing so far.
func (r *Reader) decode(f *field, d *Datum, text string, index int) error {
	if r.columns == byteColumns && !utf8.ValidString(text) {
		return errCut
	}
	switch f.v.Type {
	case Multiple:
		if f.subfields > 0 {
			return r.decodeSpread(f, d, text, index)
		}
		return r.decodeBits(f, d, text, index)
	case Character:
		if text = trimRight(text); text == "" {
			return nil
		}
		d.Present, d.Text = true, text
		if len(f.v.Values) > 0 {
			r.label(f, d, clean(text))
		}
		return nil
	}
	if text = trim(text); text == "" {
		return nil
	}
	switch f.v.Type {
	case Single:
		key, pick, listed, err := f.code(text)
		if err != nil {
			return err
		}
		if !listed {
			r.note(index, Unlisted, text, 1)
		}
		d.Text, d.Picks = key, append(d.Picks, pick)
	default:
		scalar, err := canonical(f.v.Type, text)
		if err != nil {
			return err
		}
		d.Text = scalar
		key := value(scalar)
		if !r.label(f, d, key) && f.listed && f.v.Type != Logical && !f.inRanges(key) {
			r.note(index, Unlisted, d.Text, 1)
		}
	}
	d.Present = true
	return nil
}

// canonical returns the form in which answers of a type are given; that of a single is of codes that aren't literal.
// Its errors go on from the text that is wrong.
func canonical(t Type, text string) (string, error) {
	ok, err := true, error(nil)
	switch t {
	case Single, Multiple:
		text, ok = wholeNumber(text)
		err = errSingle
	case Quantity:
		text, ok = number(text)
		err = errNumber
	case Logical:
		text, ok = wholeNumber(text)
		ok, err = ok && (text == "0" || text == "1"), errLogical
	case Date:
		text, ok = date(text)
		err = errDate
	case Time:
		text, ok = clock(text)
		err = errTime
	}
	if !ok {
		return "", err
	}
	return text, nil
}

// label adds the pick of a value that the answer equals.
func (r *Reader) label(f *field, d *Datum, key string) bool {
	i := f.codes.find(key)
	if i >= 0 {
		d.Picks = append(d.Picks, Pick{f.v.Values[i].Code, i})
	}
	return i >= 0
}

// code reads the code of a single, or of a sub-field of a multiple. It returns its canonical form, too, and whether it
// is listed.
func (f *field) code(text string) (key string, pick Pick, listed bool, err error) {
	key, whole := text, false
	if !f.codes.literal {
		if key, whole = wholeNumber(text); !whole {
			if key = text; !f.codes.mixed {
				return "", Pick{}, false, errSingle
			}
		}
	}
	if i := f.codes.find(key); i >= 0 {
		return key, Pick{f.v.Values[i].Code, i}, true, nil
	}
	return key, Pick{key, -1}, !f.listed || whole && f.inRanges(key), nil
}

func (r *Reader) decodeBits(f *field, d *Datum, text string, index int) error {
	// In CSV data, spreadsheets turn 0010 into 10, which would be other answers if it were read as it stands.
	if f.csv {
		if text = trimRight(text); text != "" && len(text) < f.positions {
			return fmt.Errorf("has %d of the %d positions of its bitstring; leading zeros may be lost", len(text), f.positions)
		}
	}
	strays, first := 0, 0
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '1':
			d.Present = true
			if i < len(f.bits) && f.bits[i].Code != "" {
				d.Picks = append(d.Picks, f.bits[i])
			} else if strays++; strays == 1 {
				first = i + 1
			}
		case c == '0':
			d.Present = true
		case strings.IndexByte(blanks, c) < 0:
			return errBits
		}
	}
	if strays > 0 {
		r.note(index, Unlisted, strconv.Itoa(first), strays)
	}
	return nil
}

func (r *Reader) decodeSpread(f *field, d *Datum, text string, index int) error {
	width := f.width
	if f.csv && !f.apart {
		text = trimRight(text)
		if width == 0 {
			width = max(len(text), 1)
		}
		if n := utf8.RuneCountInString(text); n > f.subfields*width || !f.codes.literal && n%width != 0 {
			return fmt.Errorf("has %d characters, not up to %d codes of %d; leading zeros may be lost", n, f.subfields, width)
		}
	}
	strays, first := 0, "" // codes that aren't listed; they are noted when the whole answer has been read
	for n := 0; n < f.subfields && (f.apart || text != ""); n++ {
		part := ""
		if f.apart {
			part = r.row[f.start+n]
		} else {
			part, text = cut(text, width)
		}
		// 0 fills sub-fields without a code; so does a blank.
		if part = trim(part); part == "" {
			continue
		}
		d.Present = true
		if !f.codes.literal && strings.Trim(part, "0") == "" {
			continue
		}
		_, pick, listed, err := f.code(part)
		if err != nil {
			return err
		}
		if !listed {
			strays++
			first = cmp.Or(first, part)
		}
		if !r.chosen(d.Picks, pick) {
			d.Picks = append(d.Picks, pick)
		}
	}
	if strays > 0 {
		r.note(index, Unlisted, first, strays)
	}
	return nil
}

// chosen reports whether a pick is there already. Real answers have few, but a record can have a million sub-fields.
func (r *Reader) chosen(picks []Pick, pick Pick) bool {
	const few = 32
	if len(picks) < few {
		return slices.Contains(picks, pick)
	}
	if len(picks) == few {
		clear(r.seen)
		for _, p := range picks {
			r.seen[p.Code] = true
		}
	}
	was := r.seen[pick.Code]
	r.seen[pick.Code] = true
	return was
}

// cut divides s behind its first n characters.
func cut(s string, n int) (first, rest string) {
	for i := range s {
		if n--; n < 0 {
			return s[:i], s[i:]
		}
	}
	return s, ""
}
