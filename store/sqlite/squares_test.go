package sqlite

import (
	"context"
	"errors"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/internal/kernel"
)

// What threads have counted is carried from the low half of a table's squares into the high one, also where an
// expression stands several times: 2^24 respondents of 2^40-1 units come to more than 2^64 by far.
func TestSquaresCarryIntoTables(t *testing.T) {
	q := &query{rows: side{refs: []ref{everyone}, at: []int{0}}, cols: side{refs: []ref{everyone, 0},
		at: []int{0, 1, 1}}, squares: true}
	var e evaluator
	table := (&audience.Query{Columns: make([]audience.Expr, 2), Measures: audience.Squares}).NewTable()
	for range 3 {
		e.ready(q)
		e.counts[0], e.counts[1] = kernel.Count{Sample: 1 << 24, Weight: 1 << 60}, kernel.Count{Sample: 2, Weight: 3}
		e.squares[0], e.squares[1] = kernel.Square{High: 1 << 39, Low: math.MaxUint64}, kernel.Square{Low: 1 << 63}
		e.dirty = true
		e.addTo(table, q)
	}
	want := []audience.Uint128{{High: 3<<39 + 2, Low: math.MaxUint64 - 2}, {High: 1, Low: 1 << 63},
		{High: 1, Low: 1 << 63}}
	if diff := cmp.Diff(want, table.Squares); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	e.addTo(table, q) // which has nothing new
	if diff := cmp.Diff(want, table.Squares); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

// An evaluator that has counted squares counts a query without them as if it never had, and the other way round.
func TestSquaresAreOfTheirQuery(t *testing.T) {
	s := openStore(t, Memory, Config{Threads: 1})
	st := synthetic(7, 500)
	publish(t, s, st, st.Respondents)
	f, err := s.Frame(t.Context())
	check(t, err)
	qs := []audience.Query{
		{Namespace: "core", Rows: datapoints(f, "core.s"), Strata: fieldworks(f), Measures: audience.Squares},
		{Namespace: "core", Rows: datapoints(f, "core.m"), Columns: datapoints(f, "core.m"), Strata: fieldworks(f)},
		{Namespace: "ext", Rows: datapoints(f, "core.s"), Strata: fieldworks(f), Measures: audience.Squares},
		{Namespace: "core", Rows: datapoints(f, "core.s"), Strata: fieldworks(f)},
	}
	together, err := s.Count(t.Context(), f.Version, qs)
	check(t, err)
	for i := range qs {
		alone, err := s.Count(t.Context(), f.Version, qs[i:i+1])
		check(t, err)
		if diff := cmp.Diff(alone[0], together[i]); diff != "" {
			t.Errorf("query %d alone and with others: -alone +together\n%s", i, diff)
		}
		for _, table := range together[i] {
			if (table.Squares != nil) != (qs[i].Measures == audience.Squares) {
				t.Errorf("query %d has squares or has not: %v", i, table.Squares)
			}
		}
	}
	if diff := cmp.Diff(together[3], without(together[0])); diff != "" {
		t.Errorf("counts with squares and without: -without +with\n%s", diff)
	}
}

// without is tables without their squares.
func without(tables []*audience.Table) []*audience.Table {
	var out []*audience.Table
	for _, t := range tables {
		u := *t
		u.Squares = nil
		out = append(out, &u)
	}
	return out
}

// A count of squares that nobody waits for any more gives no tables.
func TestSquaresCancelled(t *testing.T) {
	s := openStore(t, Memory, Config{Threads: 3})
	st := synthetic(8, 300)
	publish(t, s, st, st.Respondents)
	f, err := s.Frame(t.Context())
	check(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	q := audience.Query{Namespace: "core", Rows: datapoints(f, "core.s"), Strata: fieldworks(f),
		Measures: audience.Squares}
	if tables, err := s.Count(ctx, f.Version, []audience.Query{q}); tables != nil || !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled count gave %d tables and %v", len(tables), err)
	}
}
