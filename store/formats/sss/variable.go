package sss

import (
	"encoding/xml"
	"errors"
	"fmt"
	"strings"
)

func (p *parser) readVariable(e xml.StartElement) error {
	v := &Variable{}
	p.variable = v
	v.Ident, _ = attribute(e, "ident")
	s, _ := attribute(e, "type")
	switch v.Type = Type(strings.ToLower(s)); v.Type {
	case Single, Multiple, Quantity, Character, Logical, Date, Time:
	default:
		return fmt.Errorf("its type is %q; it can be single, multiple, quantity, character, logical, date or time",
			shorten(s))
	}
	s, _ = attribute(e, "use")
	switch v.Use = Use(strings.ToLower(s)); v.Use {
	case "", Serial, Weight:
	default:
		p.note("use %q is not used", shorten(s))
		v.Use = ""
	}
	switch s, _ := attribute(e, "format"); strings.ToLower(s) {
	case "literal":
		v.Literal = v.Type == Single || v.Type == Multiple
	case "", "numeric":
	default:
		p.note("format %q is not used", shorten(s))
	}
	v.Filter, _ = attribute(e, "filter")
	if err := p.children(func(name string, e xml.StartElement) error { return p.part(v, name, e) }); err != nil {
		return err
	}
	if v.Start == 0 {
		return errors.New("it has no position element")
	}
	if v.Name == "" {
		if v.Name = p.def.Record.Ident + v.Ident; v.Name == "" {
			return errors.New("it has neither a name nor an ident")
		}
		p.note("it has no name: named after its ident")
	}
	p.variable = nil
	p.def.Record.Variables = append(p.def.Record.Variables, *v)
	return nil
}

// part reads one element inside a variable.
func (p *parser) part(v *Variable, name string, e xml.StartElement) (err error) {
	switch name {
	case "name":
		v.Name, err = p.line()
	case "label":
		v.Label, err = p.text()
	case "filter":
		v.Filter, err = p.line()
	case "position":
		err = p.position(v, e)
	case "spread":
		err = p.spread(v, e)
	case "size":
		var s string
		if s, err = p.line(); err == nil && s != "" {
			v.Size, err = count(s, "size")
		}
	case "values":
		err = p.children(func(name string, e xml.StartElement) error { return p.listed(v, name, e) })
	case "value", "range": // seen outside values, too
		err = p.listed(v, name, e)
	default:
		err = p.unknown(e)
	}
	return err
}

func (p *parser) position(v *Variable, e xml.StartElement) error {
	if v.Start != 0 {
		return errors.New("it has more than one position element")
	}
	s, ok := attribute(e, "start")
	if !ok {
		return errors.New("its position has no start")
	}
	start, err := count(s, "the start of its position")
	if err != nil {
		return err
	}
	if start == 0 {
		return errors.New("its position starts at 0; the first is 1")
	}
	v.Start, v.Finish = start, start
	if s, ok := attribute(e, "finish"); ok && s != "" {
		if v.Finish, err = count(s, "the finish of its position"); err != nil {
			return err
		}
		if v.Finish < v.Start {
			return fmt.Errorf("its position finishes at %d, before its start at %d", v.Finish, v.Start)
		}
	}
	return p.skip()
}

func (p *parser) spread(v *Variable, e xml.StartElement) (err error) {
	if v.Type != Multiple {
		p.note("element spread is not used: it belongs to multiples")
		return p.skip()
	}
	s, ok := attribute(e, "subfields")
	if !ok {
		return errors.New("its spread has no subfields")
	}
	if v.Spread.Subfields, err = count(s, "the number of its subfields"); err != nil {
		return err
	}
	if v.Spread.Subfields == 0 {
		return errors.New("its spread has 0 subfields; it needs at least 1")
	}
	if s, ok := attribute(e, "width"); ok && s != "" {
		if v.Spread.Width, err = count(s, "the width of its subfields"); err != nil {
			return err
		}
		if v.Spread.Width == 0 {
			return errors.New("its subfields are 0 wide; they need at least 1 character")
		}
	}
	return p.skip()
}

func (p *parser) listed(v *Variable, name string, e xml.StartElement) (err error) {
	switch name {
	case "value":
		code, _ := attribute(e, "code")
		if code == "" {
			return errors.New("one of its values has no code")
		}
		value := Value{Code: code}
		value.Score, _ = attribute(e, "score")
		if _, ok := number(value.Score); value.Score != "" && !ok {
			p.note("the score of value %s, %q, is not a number: not used", shorten(code), shorten(value.Score))
			value.Score = ""
		}
		if value.Label, err = p.text(); err != nil {
			return err
		}
		v.Values = append(v.Values, value)
		return nil
	case "range":
		r := Range{}
		r.From, _ = attribute(e, "from")
		r.To, _ = attribute(e, "to")
		if r.From == "" || r.To == "" {
			return errors.New("one of its ranges lacks an end; it needs from and to")
		}
		v.Ranges = append(v.Ranges, r)
		return p.skip()
	}
	return p.unknown(e)
}
