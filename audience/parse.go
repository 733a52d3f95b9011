package audience

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"math"
	"strconv"

	"github.com/crosswave/crosswave/internal/strictjson"
)

// Parse reads an expression from JSON. What is written there as nothing (null, {}, empty lists) gives a nil Expr.
// Errors are *InvalidError, *EmptyError or *ComplexError and name the JSON path.
func Parse(data []byte) (Expr, error) { return new(Parser).Parse(data) }

// Parser reads expressions and audiences within limits on how large they may be together. Use one for all of a request.
// The zero value has the default limits.
type Parser struct {
	MaxLevels int // levels of nesting of one expression; 0 means 64
	MaxNodes  int // nodes of all expressions together; 0 means 10,000
	// Bands allows leaves that are bands of numbers, with from or to: those of derived questions may be. Without, these
	// members are unknown.
	Bands bool

	nodes int
}

// Nodes is how many nodes p has read so far.
func (p *Parser) Nodes() int { return p.nodes }

// Count counts n nodes as read that stand at path once more, say those of a saved audience that is used twice. It is a
// *ComplexError if that makes too many.
func (p *Parser) Count(path string, n int) error {
	p.nodes += n
	if limit := cmp.Or(p.MaxNodes, 10_000); p.nodes > limit {
		return &ComplexError{Path: path, Reason: fmt.Sprintf("the expressions have more than %d nodes", limit)}
	}
	return nil
}

// Parse is Parse within the limits of p.
func (p *Parser) Parse(data []byte) (Expr, error) {
	v, err := strictjson.Parse(data)
	if err != nil {
		return nil, invalid(err)
	}
	return p.Expr(v)
}

// JSON is a value within a JSON text that somebody else reads the rest of. Errors name it by the path that it has
// there.
type JSON interface {
	Raw() string  // the value as it is written; "" if it is absent
	Path() string // rows[3].expression; "" for the whole text
}

// value reads a piece of JSON. The values that our own readers make have been scanned with the text around them and are
// not scanned once more.
func value(of JSON) (strictjson.Value, error) {
	if v, ok := of.(strictjson.Value); ok {
		return v, nil
	}
	var v strictjson.Value
	if of == nil {
		return v, nil
	}
	if of.Raw() != "" {
		var err error
		if v, err = strictjson.Parse([]byte(of.Raw())); err != nil {
			return v, within(of.Path(), err)
		}
	}
	return v.At(of.Path()), nil
}

// within is an error of the JSON reader, told of a text that stands at a path.
func within(path string, err error) error {
	e := (*strictjson.Error)(nil)
	if errors.As(err, &e) && path != "" {
		inside := *e
		switch {
		case e.Path == "":
			inside.Path = path
		case e.Path[0] == '[':
			inside.Path = path + e.Path
		default:
			inside.Path = path + "." + e.Path
		}
		err = &inside
	}
	return invalid(err)
}

// Expr reads an expression; a nil Expr and no error if there is none. Errors are as those of the function Parse.
func (p *Parser) Expr(from JSON) (Expr, error) {
	v, err := value(from)
	if err != nil {
		return nil, err
	}
	x, err := p.node(v, 1)
	if err != nil {
		return nil, err
	}
	return x, invalid(v.Err())
}

// Audience reads an audience wrapper: id, name, expression, each of which may be left out. Errors are as those of the
// function Parse.
func (p *Parser) Audience(from JSON) (Audience, error) {
	v, err := value(from)
	if err != nil || !v.Exists() {
		return Audience{}, err
	}
	o := v.Object("id", "name", "expression")
	a := Audience{ID: o.Text("id"), Name: o.Text("name")}
	x, err := p.Expr(o.Get("expression"))
	a.Expr = x
	return a, err
}

// invalid turns an error of the JSON reader into this package's own.
func invalid(err error) error {
	if e := (*strictjson.Error)(nil); errors.As(err, &e) {
		if e.Syntax {
			return &InvalidError{Path: e.Path, Reason: fmt.Sprintf("line %d, column %d: %s", e.Line, e.Column, e.Reason)}
		}
		return &InvalidError{Path: e.Path, Reason: e.Reason}
	}
	return err
}

func (p *Parser) node(v strictjson.Value, level int) (Expr, error) {
	if !v.Exists() {
		return nil, nil
	}
	if limit := cmp.Or(p.MaxLevels, 64); level > limit {
		return nil, &ComplexError{Path: v.Path(), Reason: fmt.Sprintf("the expression is nested more than %d levels "+
			"deep", limit)}
	}
	if err := p.Count(v.Path(), 1); err != nil {
		return nil, err
	}
	known := []string{"and", "or", "not", "question", "datapoints", "options", "suffixes", "min_count"}
	if p.Bands {
		known = append(known, "from", "to")
	}
	o := v.Object(known...)
	var parts And
	leaf, err := p.leaf(v, o)
	if err != nil {
		return nil, err
	}
	if leaf != nil {
		parts = append(parts, leaf)
	}
	if all, err := p.list(o.Get("and"), level); err != nil {
		return nil, err
	} else if len(all) > 0 {
		parts = append(parts, And(all))
	}
	if any, err := p.list(o.Get("or"), level); err != nil {
		return nil, err
	} else if len(any) > 0 {
		parts = append(parts, Or(any))
	}
	not := o.Bool("not")
	if err := o.Err(); err != nil {
		return nil, invalid(err)
	}
	var x Expr = parts
	switch len(parts) {
	case 0:
		if not {
			return nil, &EmptyError{Path: v.Path()}
		}
		return nil, nil
	case 1:
		x = parts[0]
	}
	if not {
		x = Not{x}
	}
	return x, nil
}

// list reads the parts of an and or an or. Each of them must say something.
func (p *Parser) list(v strictjson.Value, level int) ([]Expr, error) {
	var parts []Expr
	for _, item := range v.Items() {
		x, err := p.node(item, level+1)
		if err != nil {
			return nil, err
		}
		if err := v.Err(); err != nil {
			return nil, invalid(err)
		}
		if x == nil {
			return nil, &EmptyError{Path: item.Path()}
		}
		parts = append(parts, x)
	}
	return parts, invalid(v.Err())
}

func (p *Parser) leaf(v strictjson.Value, o strictjson.Object) (Expr, error) {
	points, options := o.Texts("datapoints"), o.Texts("options")
	codes := suffixes(o.Get("suffixes"))
	least := o.Int("min_count")
	switch {
	case least < 0:
		o.Get("min_count").Fail("min_count is %d: it is a number of datapoints, 0 or more", least)
	case len(points) > 0 && len(options) > 0 && !sameSet(points, options):
		o.Get("options").Fail("options and datapoints are two names of one list and say different things: leave one out")
	case len(points) == 0:
		points = options
	}
	least = min(least, math.MaxInt32)
	question := o.Get("question")
	if !question.Exists() {
		for _, name := range []string{"datapoints", "options", "suffixes"} {
			if list := o.Get(name); len(list.Items()) > 0 {
				list.Fail("%s without a question: name the question it belongs to", name)
			}
		}
		for _, name := range []string{"from", "to"} {
			if end := o.Get(name); end.Exists() {
				end.Fail("%s without a question: name the question it belongs to", name)
			}
		}
		if least != 0 {
			o.Get("min_count").Fail("min_count without a question: name the question it belongs to")
		}
		return nil, invalid(o.Err())
	}
	code := question.Text()
	if code == "" {
		question.Fail("the question code is empty")
	}
	if p.Bands {
		if x := band(code, v, o); x != nil {
			return x, invalid(o.Err())
		}
	}
	if code == "waves" || code == "locations" {
		if len(codes) > 0 {
			o.Get("suffixes").Fail("%q has no suffixes", code)
		}
	}
	if err := o.Err(); err != nil {
		return nil, invalid(err)
	}
	switch code {
	case "waves":
		return Waves{Codes: points, Min: int(least), Path: v.Path()}, nil
	case "locations":
		return Locations{Codes: points, Min: int(least), Path: v.Path()}, nil
	}
	return Answers{Question: code, Datapoints: points, Suffixes: codes, Min: int(least), Path: v.Path()}, nil
}

// Suffixes reads a list of suffix codes: whole numbers, be they written as strings or as numbers. A code that is none
// is an *InvalidError.
func Suffixes(from JSON) ([]int, error) {
	v, err := value(from)
	if err != nil {
		return nil, err
	}
	codes := suffixes(v)
	return codes, invalid(v.Err())
}

// suffixes reads a list of suffix codes at v. A code that is none is an error of the document.
func suffixes(v strictjson.Value) []int {
	var out []int
	for i, code := range v.Codes() {
		n, err := strconv.ParseUint(code, 10, 31)
		if err != nil || strconv.FormatUint(n, 10) != code {
			v.Fail("suffix %d is %q: a suffix code is a whole number from 0 to %d", i, code, math.MaxInt32)
			return nil
		}
		out = append(out, int(n))
	}
	return out
}

func sameSet(a, b []string) bool { return maps.Equal(set(a), set(b)) }

func set(list []string) map[string]bool {
	m := make(map[string]bool, len(list))
	for _, s := range list {
		m[s] = true
	}
	return m
}
