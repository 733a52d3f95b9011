package sss

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

const (
	maxDefinition = 32 << 20 // bytes
	maxDepth      = 64       // levels of elements; Triple-S has seven
	maxNotes      = 100      // lines of Definition.Notes
)

// ParseDefinition reads a definition. Errors are *DefinitionError, and wrap ErrHierarchy or ErrNotXML where that is
// what is wrong.
func ParseDefinition(r io.Reader) (*Definition, error) {
	raw, err := io.ReadAll(io.LimitReader(r, maxDefinition+1))
	if err != nil {
		return nil, err
	}
	if len(raw) > maxDefinition {
		return nil, &DefinitionError{Err: fmt.Errorf("it has more than %d MiB", maxDefinition>>20)}
	}
	text, c, declared, note, err := decodeDefinition(raw)
	if err != nil {
		return nil, &DefinitionError{Err: err}
	}
	if first := bytes.TrimSpace(text); len(first) == 0 || first[0] != '<' {
		return nil, &DefinitionError{Err: ErrNotXML}
	}
	p := &parser{xml: xml.NewDecoder(bytes.NewReader(text)), def: &Definition{}}
	// HTML's entities stand in many labels, and need no DTD to be understood.
	p.xml.Entity = xml.HTMLEntity
	p.xml.CharsetReader = func(_ string, r io.Reader) (io.Reader, error) { return r, nil } // decoded above
	if declared {
		p.def.Encoding = c.Name
	}
	if note != "" {
		p.def.Notes = append(p.def.Notes, note)
	}
	if err := p.document(); err != nil {
		return nil, p.wrap(err)
	}
	plan, err := compile(p.def)
	if err != nil {
		return nil, err
	}
	p.def.Notes = append(p.def.Notes, plan.notes...)
	if n := len(p.def.Notes); n > maxNotes {
		p.def.Notes = append(p.def.Notes[:maxNotes-1:maxNotes-1], fmt.Sprintf("and %d more", n-maxNotes+1))
	}
	return p.def, nil
}

type parser struct {
	xml      *xml.Decoder
	def      *Definition
	space    string // name space of the sss element, mostly none
	depth    int
	variable *Variable // being read
}

func (p *parser) wrap(err error) error {
	var done *DefinitionError
	if errors.As(err, &done) {
		return err
	}
	line, _ := p.xml.InputPos()
	e := &DefinitionError{Line: line, Err: err}
	var syntax *xml.SyntaxError
	if errors.As(err, &syntax) {
		e.Line, e.Err = syntax.Line, errors.New(syntax.Msg)
		if strings.HasPrefix(syntax.Msg, "invalid character entity") {
			e.Err = errors.New(syntax.Msg + "; entities that a DTD declares are not read")
		}
	}
	if p.variable != nil {
		e.Variable = p.variable.handle()
	}
	return e
}

func (v *Variable) handle() string {
	if v.Name != "" {
		return shorten(v.Name)
	}
	return shorten(v.Ident)
}

func (p *parser) note(format string, args ...any) {
	if len(p.def.Notes) > maxNotes { // one more than is kept, so that the rest is known to be left out
		return
	}
	where := ""
	if line, _ := p.xml.InputPos(); line > 0 {
		where = fmt.Sprintf("line %d: ", line)
	}
	if p.variable != nil {
		where += "variable " + p.variable.handle() + ": "
	}
	p.def.Notes = append(p.def.Notes, where+fmt.Sprintf(format, args...))
}

// token returns the next start, end or text of an element, and keeps count of the depth.
func (p *parser) token() (xml.Token, error) {
	for {
		t, err := p.xml.Token()
		if err != nil {
			return nil, err
		}
		switch t.(type) {
		case xml.StartElement:
			if p.depth++; p.depth > maxDepth {
				return nil, fmt.Errorf("elements stand more than %d deep in one another", maxDepth)
			}
		case xml.EndElement:
			p.depth--
		case xml.CharData:
		default:
			continue // comments, processing instructions, DTDs
		}
		return t, nil
	}
}

func (p *parser) document() error {
	root := false
	for {
		t, err := p.token()
		if err == io.EOF {
			if !root {
				return errors.New("it has no sss element")
			}
			return nil
		}
		if err != nil {
			return err
		}
		start, ok := t.(xml.StartElement)
		if !ok {
			continue
		}
		if !strings.EqualFold(start.Name.Local, "sss") {
			return fmt.Errorf("it begins with an element %s instead of sss", shorten(start.Name.Local))
		}
		root, p.space = true, start.Name.Space
		if err := p.sss(start); err != nil {
			return err
		}
	}
}

// children calls read for each element inside the one just begun, which has to read the whole of it. Elements of other
// name spaces are extensions of some program and left out.
func (p *parser) children(read func(name string, e xml.StartElement) error) error {
	for {
		t, err := p.token()
		if err != nil {
			return err
		}
		switch t := t.(type) {
		case xml.EndElement:
			return nil
		case xml.CharData:
			if s := clean(string(t)); s != "" {
				p.note("text %q stands where none belongs", shorten(s))
			}
		case xml.StartElement:
			if t.Name.Space != p.space {
				err = p.skip()
			} else {
				err = read(strings.ToLower(t.Name.Local), t)
			}
			if err != nil {
				return err
			}
		}
	}
}

// skip reads the rest of an element and forgets it.
func (p *parser) skip() error {
	for level := p.depth; p.depth >= level; {
		if _, err := p.token(); err != nil {
			return err
		}
	}
	return nil
}

func (p *parser) unknown(e xml.StartElement) error {
	switch name := strings.ToLower(e.Name.Local); name {
	case "hierarchy", "level", "parent":
		return ErrHierarchy
	default:
		p.note("element %s is not used", shorten(name))
		return p.skip()
	}
}

// attribute returns an attribute's value without the white space around it.
func attribute(e xml.StartElement, name string) (string, bool) {
	for _, a := range e.Attr {
		if a.Name.Space == "" && strings.EqualFold(a.Name.Local, name) {
			return clean(a.Value), true
		}
	}
	return "", false
}

func (p *parser) sss(e xml.StartElement) error {
	d := p.def
	d.Version, _ = attribute(e, "version")
	switch major, _, _ := strings.Cut(d.Version, "."); {
	case d.Version == "1.1" || d.Version == "1.2" || d.Version == "2.0":
	case d.Version == "":
		p.note("no version is given: read as 2.0")
	case major == "1" || major == "2" || major == "3":
		p.note("version %s: read as 2.0", shorten(d.Version))
	default:
		return fmt.Errorf("this is Triple-S version %q; 1.1, 1.2 and 2.0 can be read", shorten(d.Version))
	}
	if s, _ := attribute(e, "languages"); s != "" {
		d.Languages = strings.Fields(s)
	}
	if s, _ := attribute(e, "modes"); s != "" {
		d.Modes = strings.Fields(strings.ToLower(s))
	}
	surveys := 0
	lines := map[string]*string{"date": &d.Date, "time": &d.Time, "origin": &d.Origin, "user": &d.User}
	err := p.children(func(name string, e xml.StartElement) (err error) {
		switch to := lines[name]; {
		case to != nil:
			*to, err = p.line()
		case name == "survey":
			if surveys++; surveys > 1 {
				return errors.New("it has more than one survey element")
			}
			err = p.survey()
		default:
			err = p.unknown(e)
		}
		return err
	})
	if err == nil && surveys == 0 {
		err = errors.New("it has no survey element")
	}
	return err
}

func (p *parser) survey() error {
	d, records := p.def, 0
	err := p.children(func(name string, e xml.StartElement) (err error) {
		switch name {
		case "name":
			d.Name, err = p.line()
		case "version":
			d.SurveyVersion, err = p.line()
		case "title":
			d.Title, err = p.text()
		case "record":
			if records++; records > 1 {
				return errors.New("it has more than one record element; surveys of one kind of record can be read")
			}
			err = p.record(e)
		default:
			err = p.unknown(e)
		}
		return err
	})
	if err == nil && records == 0 {
		err = errors.New("it has no record element, so nothing describes the data")
	}
	return err
}

func (p *parser) record(e xml.StartElement) error {
	r := &p.def.Record
	r.Ident, _ = attribute(e, "ident")
	r.Href, _ = attribute(e, "href")
	for _, name := range []string{"encoding", "data-file-encoding"} {
		if s, ok := attribute(e, name); ok {
			r.Encoding = s
		}
	}
	switch s, _ := attribute(e, "format"); strings.ToLower(s) {
	case "", "fixed":
		r.Format = Fixed
	case "csv":
		r.Format = CSV
	default:
		return fmt.Errorf("the record's format is %q; it can be fixed or csv", shorten(s))
	}
	if s, ok := attribute(e, "skip"); ok && s != "" {
		n, err := count(s, "skip")
		if err != nil {
			return err
		}
		r.Skip = n
	}
	return p.children(func(name string, e xml.StartElement) error {
		if name != "variable" {
			return p.unknown(e)
		}
		return p.readVariable(e)
	})
}

// line reads an element's text as one line.
func (p *parser) line() (string, error) {
	t, err := p.text()
	return strings.ReplaceAll(t.String(), "\n", " "), err
}

// text reads the inside of a title, label or value: text, line breaks, and text elements for a language or a mode.
func (p *parser) text() (Text, error) {
	var t Text
	var plain words
	err := p.words(&plain, func(e xml.StartElement) error {
		v := Variant{}
		for _, a := range e.Attr {
			switch strings.ToLower(a.Name.Local) {
			case "lang":
				v.Language = clean(a.Value)
			case "mode":
				v.Mode = strings.ToLower(clean(a.Value))
			}
		}
		var own words
		if err := p.words(&own, func(xml.StartElement) error {
			return errors.New("a text element stands in another")
		}); err != nil {
			return err
		}
		v.Text = own.String()
		switch {
		case v.Text == "":
		case v.Language == "" && v.Mode == "" && plain.String() == "":
			t.Plain = v.Text // some programs put every text into an element
		default:
			t.Variants = append(t.Variants, v)
		}
		return nil
	})
	if s := plain.String(); s != "" {
		if t.Plain != "" {
			t.Variants = append([]Variant{{Text: t.Plain}}, t.Variants...)
		}
		t.Plain = s
	}
	return t, err
}

// words gathers the text of an element. Markup inside it other than line breaks counts for what it says.
func (p *parser) words(w *words, text func(xml.StartElement) error) error {
	for level := p.depth; ; {
		t, err := p.token()
		if err != nil {
			return err
		}
		switch t := t.(type) {
		case xml.CharData:
			w.add(t)
		case xml.EndElement:
			if p.depth < level {
				return nil
			}
		case xml.StartElement:
			switch strings.ToLower(t.Name.Local) {
			case "br":
				w.newline()
			case "text":
				if err := text(t); err != nil {
					return err
				}
			}
		}
	}
}

// words is text with runs of white space made one space.
type words struct {
	b     []byte
	space bool
}

func (w *words) add(s []byte) {
	for _, c := range s {
		if c == ' ' || c == '\t' || c == '\n' || c == '\r' {
			w.space = true
			continue
		}
		if w.space && len(w.b) > 0 && w.b[len(w.b)-1] != '\n' {
			w.b = append(w.b, ' ')
		}
		w.space = false
		w.b = append(w.b, c)
	}
}

func (w *words) newline() {
	w.space = false
	w.b = append(w.b, '\n')
}

func (w *words) String() string { return strings.Trim(string(w.b), " \n") }

// count reads a number of records, characters or sub-fields.
func count(s, what string) (int, error) {
	s = clean(s)
	n, err := strconv.Atoi(s)
	switch {
	case !digits(s):
		return 0, fmt.Errorf("%s is %q; it has to be a whole number", what, shorten(s))
	case err != nil || n > maxRecord:
		return 0, fmt.Errorf("%s is %s; at most %d is possible", what, shorten(s), maxRecord)
	}
	return n, nil
}
