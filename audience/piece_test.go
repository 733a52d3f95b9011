package audience_test

import (
	"testing"

	"github.com/crosswave/crosswave/audience"
	"github.com/google/go-cmp/cmp"
)

// piece is JSON within a text that somebody else reads, with a reader of their own.
type piece struct{ path, text string }

func (p piece) Raw() string  { return p.text }
func (p piece) Path() string { return p.path }

func TestPiecesOfJSON(t *testing.T) {
	p := new(audience.Parser)
	a, err := p.Audience(piece{"rows[3]", `{"id": "a", "name": "A", "expression": {"and": [{"question": "q"}]}}`})
	want := audience.Audience{ID: "a", Name: "A",
		Expr: audience.And{audience.Answers{Question: "q", Path: "rows[3].expression.and[0]"}}}
	if d := cmp.Diff(want, a); d != "" || err != nil {
		t.Errorf("%v\n%s", err, d)
	}
	x, err := p.Expr(piece{"expression", `{"question": "waves"}`})
	if d := cmp.Diff(audience.Expr(audience.Waves{Path: "expression"}), x); d != "" || err != nil {
		t.Errorf("%v\n%s", err, d)
	}
	suffixes, err := audience.Suffixes(piece{"suffixes", `["1", 20]`})
	if d := cmp.Diff([]int{1, 20}, suffixes); d != "" || err != nil {
		t.Errorf("%v\n%s", err, d)
	}
	for _, absent := range []audience.JSON{nil, piece{"rows[0]", ""}, piece{"rows[0]", "null"}} {
		a, err := p.Audience(absent)
		if d := cmp.Diff(audience.Audience{}, a); d != "" || err != nil {
			t.Errorf("%v: %v\n%s", absent, err, d)
		}
		if x, err := p.Expr(absent); x != nil || err != nil {
			t.Errorf("%v: %v, %v", absent, x, err)
		}
		if codes, err := audience.Suffixes(absent); codes != nil || err != nil {
			t.Errorf("%v: %v, %v", absent, codes, err)
		}
	}
}

func TestPiecesOfJSONThatAreWrong(t *testing.T) {
	audienceOf := func(from audience.JSON) error { _, err := new(audience.Parser).Audience(from); return err }
	exprOf := func(from audience.JSON) error { _, err := new(audience.Parser).Expr(from); return err }
	suffixesOf := func(from audience.JSON) error { _, err := audience.Suffixes(from); return err }
	for _, c := range []struct {
		read func(audience.JSON) error
		from piece
		want string
	}{
		{audienceOf, piece{"rows[3]", `{"expression": {"and": [{"question": 1}]}}`},
			`rows[3].expression.and[0].question: a string is expected, not a number`},
		{audienceOf, piece{"rows[3]", `{"id": 1}`}, `rows[3].id: a string is expected, not a number`},
		{audienceOf, piece{"rows[3]", `{"expression": {"not": true}}`}, `rows[3].expression: the expression is empty: ` +
			`say who the audience is, or ask for everyone with {"question": "waves"}`},
		{exprOf, piece{"base", `{"question": "q", "question": "r"}`},
			`base.question: line 1, column 19: this member is there twice; an object has each name once`},
		{exprOf, piece{"bases", `[{"a": 1, "a": 2}]`},
			`bases[0].a: line 1, column 11: this member is there twice; an object has each name once`},
		{exprOf, piece{"base", `{`}, `base: line 1, column 2: the text ends where a member name is expected`},
		{exprOf, piece{"", `{"question": `}, `question: line 1, column 14: the text ends where a value is expected`},
		{suffixesOf, piece{"suffixes", `["x"]`},
			`suffixes: suffix 0 is "x": a suffix code is a whole number from 0 to 2147483647`},
	} {
		if err := c.read(c.from); err == nil || err.Error() != c.want {
			t.Errorf("%v:\n got %v\nwant %s", c.from, err, c.want)
		}
	}
}
