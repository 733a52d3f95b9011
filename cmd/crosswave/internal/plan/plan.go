// Package plan reads the plan of a tab book, a JSON document of the tables that it has:
//
//	{
//	  "columns": ["gender", "waves"], "base": "age:young", "waves": ["w1"], "locations": ["uk"],
//	  "statistics": {"level": 95, "level_low": 90, "compare": ["columns"], "correction": "holm",
//	                 "low_base": {"rule": "sample", "withhold": 30, "caution": 100}},
//	  "tables": [
//	    {"name": "Drinks", "rows": ["Hot drinks=bought:tea,coffee", "bought"], "base": "answered"},
//	    {"rows": [{"question": "visits"}], "columns": ["waves"], "matched": true, "statistics": null}
//	  ]
//	}
//
// Rows, columns and bases are texts as package ask reads them, or expressions as JSON. What stands beside the tables is
// for each of those that do not say it themselves.
package plan

import (
	"errors"
	"fmt"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/audience/estimate"
	"github.com/crosswave/crosswave/cmd/crosswave/internal/ask"
	"github.com/crosswave/crosswave/crosstab"
	"github.com/crosswave/crosswave/internal/strictjson"
)

// MostTables is how many tables a plan may have: a book is held in memory until it is written.
const MostTables = 1000

// Table is a table of a plan.
type Table struct {
	Path     string // its place in the plan: tables[3]
	Name     string // "": none is given
	Request  crosstab.Request
	LevelLow float64 // of small letters, in percent; 0: there are none
}

// Error is a fault of a plan.
type Error struct {
	Path   string // tables[3].rows[0]; "" for the whole text
	Reason string // what is wrong and what would be right
}

func (e *Error) Error() string {
	if e.Path == "" {
		return e.Reason
	}
	return e.Path + ": " + e.Reason
}

// Read reads a plan of a survey: one table at least, all of whose codes exist. What is wrong with it is an *Error, but
// where it is no JSON of that shape a *strictjson.Error, with the place, too.
func Read(f *audience.Frame, text []byte) ([]Table, error) {
	v, err := strictjson.Parse(text)
	if err != nil {
		return nil, err
	}
	r := &reader{frame: f, whole: v.Object("tables", "columns", "base", "waves", "locations", "statistics")}
	items := r.whole.Items("tables")
	if err := v.Err(); err != nil {
		return nil, err
	}
	switch n := len(items); {
	case n == 0:
		return nil, &Error{"tables", `a plan has one table at least: [{"rows": ["QUESTION"]}]`}
	case n > MostTables:
		return nil, &Error{"tables", fmt.Sprintf("%d tables are more than the %d of one book", n, MostTables)}
	}
	var tables []Table
	for i, item := range items {
		t, err := r.table(fmt.Sprintf("tables[%d]", i), item)
		if err = errors.Join(v.Err(), err); err != nil {
			return nil, err
		}
		tables = append(tables, t)
	}
	return tables, nil
}

// reader reads the tables of a plan.
type reader struct {
	frame *audience.Frame
	whole strictjson.Object
}

// member is one of a table, or, where it does not have it, of the whole plan; with its place.
func (r *reader) member(table strictjson.Object, path, name string) (strictjson.Value, string) {
	if !table.Has(name) && r.whole.Has(name) {
		return r.whole.Get(name), name
	}
	return table.Get(name), path + "." + name
}

func (r *reader) table(path string, item strictjson.Value) (t Table, err error) {
	o := item.Object("name", "rows", "columns", "base", "waves", "locations", "statistics", "matched")
	t = Table{Path: path, Name: o.Text("name")}
	q := &t.Request
	q.LastWaves, q.Matched = crosstab.AllWaves, o.Bool("matched")
	rows := o.Get("rows")
	if q.Rows, err = r.audiences(path+".rows", rows.Items()); err != nil {
		return t, err
	}
	columns, at := r.member(o, path, "columns")
	if q.Columns, err = r.audiences(at, columns.Items()); err != nil {
		return t, err
	}
	if len(q.Rows)+len(q.Columns) == 0 && o.Err() == nil {
		return t, &Error{path, "a table has rows, or columns"}
	}
	base, at := r.member(o, path, "base")
	if q.Base, err = ask.Base(r.frame, written(base), q.Rows, "rows"); err != nil {
		return t, r.fault(at, err)
	}
	if err := r.check(at, q.Base); err != nil {
		return t, err
	}
	waves, at := r.member(o, path, "waves")
	if q.Waves, err = ask.Waves(r.frame, waves.Texts()); err != nil {
		return t, r.fault(at, err)
	}
	locations, at := r.member(o, path, "locations")
	if q.Locations, err = ask.Locations(r.frame, locations.Texts()); err != nil {
		return t, r.fault(at, err)
	}
	sure, at := r.member(o, path, "statistics")
	if q.Statistics, t.LevelLow, err = statistics(at, sure); err != nil {
		return t, err
	}
	if err := q.CheckSize(); err != nil && o.Err() == nil {
		return t, r.fault(path, err)
	}
	return t, nil
}

// written is an expression as JSON, or a text.
func written(v strictjson.Value) string {
	if text := v.Compact(); len(text) > 0 && text[0] == '{' {
		return string(text)
	}
	return v.Text()
}

// audiences are those of a list, each of whose entries stands for one or several.
func (r *reader) audiences(path string, items []strictjson.Value) (as []audience.Audience, err error) {
	for i, item := range items {
		at := fmt.Sprintf("%s[%d]", path, i)
		text := written(item)
		if item.Err() != nil {
			return nil, nil // which is told in its turn
		}
		some, err := ask.Audiences(r.frame, text)
		if err != nil {
			return nil, r.fault(at, err)
		}
		for _, a := range some {
			if err := r.check(at, a); err != nil {
				return nil, err
			}
		}
		as = append(as, some...)
	}
	return as, nil
}

// check finds codes in an audience that do not exist, as those of an expression may.
func (r *reader) check(path string, a audience.Audience) error {
	if a.Expr == nil {
		return nil
	}
	if err := r.frame.Check(nil, nil, audience.Use{Origin: path, Expr: a.Expr}); err != nil {
		return r.fault(path, ask.Explain(r.frame, err))
	}
	return nil
}

func (r *reader) fault(path string, err error) error { return &Error{path, err.Error()} }

// statistics reads how a table is to tell how sure its figures are; nil if it is not to.
func statistics(path string, v strictjson.Value) (o *estimate.Options, low float64, err error) {
	if !v.Exists() || v.Null() {
		return nil, 0, nil
	}
	s := v.Object("level", "level_low", "compare", "correction", "low_base")
	b := s.Get("low_base").Object("rule", "withhold", "caution")
	o = &estimate.Options{Level: s.Float("level"), Correction: estimate.Correction(s.Text("correction")),
		LowBase: estimate.LowBase{Rule: estimate.Rule(b.Text("rule")), Withhold: b.Int("withhold"),
			Caution: b.Int("caution")}}
	low = s.Float("level_low")
	o.Pairs = low != 0
	for _, name := range s.Texts("compare") {
		o.Compare = append(o.Compare, estimate.Compare(name))
	}
	if !s.Has("compare") {
		o.Compare = []estimate.Compare{estimate.Columns}
	}
	if v.Err() != nil {
		return nil, 0, nil // which is told in its turn
	}
	var invalid *audience.InvalidError
	switch err := o.Check(estimate.Rest, estimate.Columns, estimate.Previous); {
	case errors.As(err, &invalid):
		return nil, 0, &Error{path + invalid.Path[len("statistics"):], invalid.Reason}
	case err != nil:
		return nil, 0, &Error{path, err.Error()}
	}
	if o.Level == 0 {
		o.Level = 95
	}
	switch {
	case low == 0:
	case !o.Compares(estimate.Columns):
		return nil, 0, &Error{path + ".level_low", "it is the level of small letters, which comparing columns gives"}
	case !(low > 50 && low < o.Level):
		return nil, 0, &Error{path + ".level_low", "it is in percent, above 50 and below level"}
	}
	return o, low, nil
}
