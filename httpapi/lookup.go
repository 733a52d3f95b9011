package httpapi

import (
	"errors"
	"fmt"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/internal/strictjson"
	"github.com/crosswave/crosswave/saved"
)

// wanted are audiences of a request, in the order in which they are looked up.
type wanted struct {
	name string // rows, base_audience …
	list []*audience.Audience
	base bool // it may say nothing, which is everyone
	one  bool // name is its path; else the list's, and the audience has an index
}

func wantedAll(name string, as []audience.Audience) wanted {
	w := wanted{name: name}
	for i := range as {
		w.list = append(w.list, &as[i])
	}
	return w
}

func wantedBase(a *audience.Audience) wanted {
	return wanted{name: "base_audience", list: []*audience.Audience{a}, base: true, one: true}
}

func (w *wanted) path(i int) string {
	if w.one {
		return w.name
	}
	return fmt.Sprintf("%s[%d]", w.name, i)
}

// lookup gives audiences that have an id and no expression that of the saved audience with that id. One that is not
// there, or that the caller may not read, is an *audience.EmptyError. Each id is looked up once, and only when
// checkSize has found the request not too large.
func (c *call) lookup(checkSize func() error, in ...wanted) error {
	named := false
	for _, w := range in {
		for i, a := range w.list {
			switch {
			case a.Expr != nil:
			case a.ID != "":
				named = true
			case !w.base:
				return &audience.EmptyError{Path: w.path(i) + ".expression"}
			}
		}
	}
	if !named {
		return nil
	}
	if err := checkSize(); err != nil {
		return err
	}
	known := map[string]savedExpression{}
	for _, w := range in {
		for i, a := range w.list {
			if a.Expr != nil || a.ID == "" {
				continue
			}
			if err := c.fill(a, w.path(i), known); err != nil {
				return err
			}
		}
	}
	return nil
}

// savedExpression is the expression of a saved audience, with the number of its nodes.
type savedExpression struct {
	expr  audience.Expr
	nodes int
}

// fill gives an audience the expression of the saved audience with its id. The nodes count as if they had been sent,
// each time.
func (c *call) fill(a *audience.Audience, path string, known map[string]savedExpression) error {
	if x, ok := known[a.ID]; ok {
		a.Expr = x.expr
		return c.parser.Count(path, x.nodes)
	}
	found, err := saved.Read(c.ctx(), c.Saved, c.caller.User, a.ID)
	if errors.Is(err, audience.ErrNotFound) {
		return &audience.EmptyError{Path: path + ".id", ID: a.ID}
	}
	if err != nil {
		return err
	}
	v, err := strictjson.Parse(found.Expression.JSON)
	if err != nil {
		return err
	}
	before := c.parser.Nodes()
	if a.Expr, err = c.parser.Expr(v.At("saved audience " + found.ID + ".expression")); err != nil {
		return err
	}
	known[a.ID] = savedExpression{a.Expr, c.parser.Nodes() - before}
	return nil
}
