package xlsx

import (
	"archive/zip"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"
)

const (
	longestToken = 1 << 20 // bytes of a tag or a text; a cell of Excel has up to 32,767 characters
	deepest      = 64      // elements within each other
	smallPart    = 16 << 20
)

var (
	errToken   = errors.New("a tag or a text is longer than 1 MiB")
	errLong    = errors.New("the part unpacks to more than such a part needs")
	errInside  = errors.New("it ends inside an element")
	errDoctype = errors.New("it has a document type, which no workbook needs")
)

// tokens is a part as XML tokens, of which none is longer than may be held.
type tokens struct {
	part    string
	file    io.ReadCloser
	in      *bounded
	decoder *xml.Decoder
	depth   int
}

// bounded ends what comes of a reader after so many bytes since a mark, and so many in all.
type bounded struct {
	r           io.Reader
	left, total int64
}

func (b *bounded) Read(p []byte) (int, error) {
	switch {
	case b.left <= 0:
		return 0, errToken
	case b.total <= 0:
		return 0, errLong
	}
	n, err := b.r.Read(p[:min(int64(len(p)), b.left, b.total)])
	b.left, b.total = b.left-int64(n), b.total-int64(n)
	return n, err
}

// parse begins to read a part, of which no more than so many bytes may come.
func parse(f *zip.File, most int64) (*tokens, error) {
	file, err := f.Open()
	if err != nil {
		return nil, &Error{Part: f.Name, Err: err}
	}
	in := &bounded{file, longestToken, most}
	return &tokens{part: f.Name, file: file, in: in, decoder: xml.NewDecoder(in)}, nil
}

func (t *tokens) close() { t.file.Close() }

// wrong is an error of the part.
func (t *tokens) wrong(format string, args ...any) error {
	return &Error{Part: t.part, Reason: fmt.Sprintf(format, args...)}
}

// next is the next token, or io.EOF behind a whole document.
func (t *tokens) next() (xml.Token, error) {
	t.in.left = longestToken
	token, err := t.decoder.RawToken()
	switch {
	case errors.Is(err, io.EOF) && t.depth == 0:
		return nil, io.EOF
	case errors.Is(err, io.EOF):
		return nil, &Error{Part: t.part, Err: errInside}
	case err != nil:
		return nil, &Error{Part: t.part, Err: err}
	}
	switch token.(type) {
	case xml.StartElement:
		if t.depth++; t.depth > deepest {
			return nil, t.wrong("more than %d elements stand within each other", deepest)
		}
	case xml.EndElement:
		if t.depth--; t.depth < 0 {
			return nil, t.wrong("an element ends that did not begin")
		}
	case xml.Directive:
		return nil, &Error{Part: t.part, Err: errDoctype}
	}
	return token, nil
}

// elements calls see for each element that begins in a part, with the name of the one around it.
func elements(f *zip.File, see func(around string, e xml.StartElement) error) error {
	t, err := parse(f, smallPart)
	if err != nil {
		return err
	}
	defer t.close()
	var path [deepest + 1]string
	for {
		token, err := t.next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if e, ok := token.(xml.StartElement); ok {
			path[t.depth] = e.Name.Local
			if err := see(path[t.depth-1], e); err != nil {
				return err
			}
		}
	}
}

// attribute is the value of an attribute, whatever its namespace.
func attribute(e *xml.StartElement, name string) string {
	for i := range e.Attr {
		if e.Attr[i].Name.Local == name {
			return e.Attr[i].Value
		}
	}
	return ""
}

// truth reads a boolean of XML schema, false unless it is there.
func truth(text string) bool { return text == "1" || strings.EqualFold(text, "true") }
