package xlsx

import (
	"archive/zip"
	"encoding/xml"
	"errors"
	"io"
	"math"

	"github.com/crosswave/crosswave/store/formats/cells"
)

// readTexts reads the shared texts, if there are any. No more than so many bytes are held for them.
func readTexts(f *zip.File, most int64) (*cells.Texts, error) {
	list := &cells.Texts{}
	if f == nil {
		return list, nil
	}
	t, err := parse(f, math.MaxInt64)
	if err != nil {
		return nil, err
	}
	defer t.close()
	var words wording
	held := int64(0)
	for {
		token, err := t.next()
		if errors.Is(err, io.EOF) {
			return list, nil
		}
		if err != nil {
			return nil, err
		}
		switch e := token.(type) {
		case xml.StartElement:
			words.begin(e.Name.Local)
			if e.Name.Local == "si" {
				words.text = words.text[:0]
			}
		case xml.EndElement:
			words.end(e.Name.Local)
			if e.Name.Local != "si" {
				break
			}
			text := unescaped(words.text)
			if held += int64(len(text)) + 8; held > most {
				return nil, t.wrong("the texts of the cells take more than %d MB of memory, which is too much for a file of "+
					"this size: save the sheet as CSV (UTF-8)", most>>20)
			}
			list.Add(text)
		case xml.CharData:
			if err := words.take(e); err != nil {
				return nil, &Error{Part: t.part, Err: err}
			}
		}
	}
}

// wording puts a text together of the runs in which it is formatted. How a text is pronounced is no part of it.
type wording struct {
	text       []byte
	in, spoken bool
}

func (w *wording) begin(name string) {
	switch name {
	case "t":
		w.in = !w.spoken
	case "rPh":
		w.spoken = true
	}
}

func (w *wording) end(name string) {
	switch name {
	case "t":
		w.in = false
	case "rPh":
		w.spoken = false
	}
}

func (w *wording) take(text []byte) error {
	if !w.in {
		return nil
	}
	if len(w.text)+len(text) > longestToken {
		return errToken
	}
	w.text = append(w.text, text...)
	return nil
}

// unescaped writes _x0041_ as the character it stands for, in place, and all characters as rows have them.
func unescaped(text []byte) []byte {
	out := text[:0]
	for i := 0; i < len(text); i++ {
		c := text[i]
		if c == '_' && i+6 < len(text) && text[i+1] == 'x' && text[i+6] == '_' {
			if code, ok := hexadecimal(text[i+2 : i+6]); ok && (code < 0xd800 || code > 0xdfff) {
				i += 6
				out = append(out, string(cells.Visible(code))...)
				continue
			}
		}
		out = append(out, cells.Visible(c))
	}
	return out
}

func hexadecimal(digits []byte) (code rune, ok bool) {
	for _, d := range digits {
		switch {
		case d >= '0' && d <= '9':
			code = code<<4 | rune(d-'0')
		case d >= 'A' && d <= 'F':
			code = code<<4 | rune(d-'A'+10)
		case d >= 'a' && d <= 'f':
			code = code<<4 | rune(d-'a'+10)
		default:
			return 0, false
		}
	}
	return code, true
}
