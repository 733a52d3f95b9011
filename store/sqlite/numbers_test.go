package sqlite

import (
	"math"
	"testing"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/store/storetest"
	"github.com/crosswave/crosswave/store/survey"
	"github.com/crosswave/crosswave/store/survey/decimal"
)

// A Count reads the numbers of a question once for all its slices, and none for digits that are the same in all numbers
// of a chunk. An append that changes the unit changes no chunk that is there.
func TestSlicesAreMadeOnce(t *testing.T) {
	alone(t)
	st := synthetic(3, 900)
	first := part(st, func(r *survey.Respondent) bool { return r.Wave == 0 })
	s := openStore(t, Memory, Config{Threads: 1})
	publish(t, s, first, first.Respondents)
	f, err := s.Frame(t.Context())
	check(t, err)
	const question = 3
	kept := f.Numbers(question)
	if kept.Decimals != 0 || kept.Bits != 9 {
		t.Fatalf("-20 to 179 are kept in %d bits with %d decimals", kept.Bits, kept.Decimals)
	}
	least, greatest := ends(first, question)
	if kept.Least != least || kept.Greatest != greatest {
		t.Fatalf("%d to %d are said to be %d to %d", least, greatest, kept.Least, kept.Greatest)
	}
	loads := func(bits ...int) int64 {
		before := s.cache.snapshot().Loads
		f, err := s.Frame(t.Context())
		check(t, err)
		q := audience.Query{Namespace: "core", Strata: strata(f, false)}
		for _, bit := range bits {
			q.Rows = append(q.Rows, audience.Slice{Question: "core.n", Bit: bit})
		}
		_, err = s.Count(t.Context(), f.Version, []audience.Query{q})
		check(t, err)
		return s.cache.snapshot().Loads - before
	}
	for _, test := range []struct {
		bits []int
		want int64
	}{
		{[]int{audience.AnyNumber, 0, 1}, 4}, // and the weights
		{[]int{1, 0, audience.AnyNumber}, 0},
		{[]int{0, 2, 8}, 2},
	} {
		if got := loads(test.bits...); got != test.want {
			t.Errorf("slices %v: %d columns are made, not %d", test.bits, got, test.want)
		}
	}
	before := contents(t, s)
	publish(t, s, st, part(st, func(r *survey.Respondent) bool { return r.Wave > 0 }).Respondents)
	next, err := s.Frame(t.Context())
	check(t, err)
	if now := next.Numbers(question); now.Decimals != 2 || now.Bits != 23 {
		t.Fatalf("-10,000 to 30,000 are kept in %d bits with %d decimals", now.Bits, now.Decimals)
	} else if now.Least > 100*least || now.Greatest < 100*greatest || !now.Fits(now.Least) || !now.Fits(now.Greatest) {
		t.Fatalf("%d to %d and more are said to be %d to %d hundredths", least, greatest, now.Least, now.Greatest)
	}
	if n := rows(t, s, "numbers"); n != 4 {
		t.Errorf("%d rows of numbers of four chunks; before: %s", n, before)
	}
	same(t, s, reference(t, st))
	if _, err := survey.Withdraw(t.Context(), s, nil); err == nil {
		t.Error("no wave is withdrawn")
	}
	publish(t, s, first, nil, "w2", "w3", "w4")
	same(t, s, reference(t, first))
	if got := contents(t, s); got != before {
		t.Errorf("%s when what was added is gone, before it came: %s", got, before)
	}
}

// ends are the least and the greatest whole number that respondents gave to a question.
func ends(st *storetest.Study, question int) (least, greatest int64) {
	least, greatest = math.MaxInt64, math.MinInt64
	for i := range st.Respondents {
		for _, n := range st.Respondents[i].Numbers {
			if x, _ := n.Value.Scaled(0); n.Question == question {
				least, greatest = min(least, x), max(greatest, x)
			}
		}
	}
	return least, greatest
}

// Digits that are the same in all numbers of a chunk are known without reading them.
func TestConstantDigits(t *testing.T) {
	st := synthetic(3, 300)
	for i := range st.Respondents {
		st.Respondents[i].Numbers = []survey.Given{{Question: 3, Value: decimal.FromInt(int64(64 + i%16))}}
	}
	s := openStore(t, Memory, Config{Threads: 1})
	publish(t, s, st, st.Respondents)
	f, err := s.Frame(t.Context())
	check(t, err)
	var rows []audience.Expr
	for _, bit := range []int{4, 5, 6, 7, audience.AnyNumber} { // 64 to 79: 0100xxxx
		rows = append(rows, audience.Slice{Question: "core.n", Bit: bit})
	}
	q := audience.Query{Namespace: "core", Rows: rows, Strata: strata(f, false)}
	tables, err := s.Count(t.Context(), f.Version, []audience.Query{q})
	check(t, err)
	all := tables[0][0].At(0, 0)
	for i, want := range []audience.Count{{}, {}, all, {}, all} {
		if got := tables[0][0].At(i+1, 0); got != want {
			t.Errorf("row %d: %+v instead of %+v", i+1, got, want)
		}
	}
	if columns := s.cache.snapshot().Columns; columns != len(s.current.chunks) {
		t.Errorf("%d columns are read, and there are weights of %d chunks", columns, len(s.current.chunks))
	}
}
