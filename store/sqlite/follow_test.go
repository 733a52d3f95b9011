package sqlite

import (
	"fmt"
	"reflect"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/internal/testsize"
	"github.com/crosswave/crosswave/store/naive"
	"github.com/crosswave/crosswave/store/storetest"
	"github.com/crosswave/crosswave/store/survey"
)

// netted are the answers to the single-choice question of the synthetic survey, nets of them, also of nets, and what is
// in none of these; some stand there twice.
func netted(f *audience.Frame) []audience.Expr {
	answers := datapoints(f, "core.s")
	first, second := leaf("core.s", "s0", "s1", "s2"), audience.Or{answers[3], answers[49]}
	xs := append([]audience.Expr{first, audience.Not{X: first}, audience.Not{X: answers[7]},
		audience.Or{first, second, answers[9]}, audience.Not{X: leaf("core.m", "m20")},
		leaf("core.s", "s4", "s5"), audience.Or{answers[5], leaf("core.m", "m3")}}, answers...)
	return append(xs, first, audience.Not{X: answers[7]}, answers[49], audience.Not{X: leaf("core.m", "m20")})
}

// Places that follow from others have the cells that they would be counted to, whether or not answers exclude each
// other and leave nobody out.
func TestCountFollows(t *testing.T) {
	whole := synthetic(9, testsize.Of(400, 3000, 3000))
	layout := survey.NewLayout(whole.Survey)
	first := layout.Attribute(1, 0, 0)
	changed := func(change func(*survey.Respondent)) *storetest.Study {
		st := &storetest.Study{Survey: whole.Survey, Respondents: slices.Clone(whole.Respondents)}
		for i := range st.Respondents {
			r := &st.Respondents[i]
			if r.Attributes = slices.Clone(r.Attributes); r.Wave == 1 && i%3 == 0 {
				change(r)
			}
		}
		return st
	}
	for _, c := range []struct {
		name       string
		study      *storetest.Study
		rows, wave int // that follow from others, in all waves and in the first
	}{
		{"exclusive and complete", whole, 7, 7},
		{"one answer too many", changed(func(r *survey.Respondent) {
			r.Attributes = slices.Compact(slices.Sorted(slices.Values(append(r.Attributes, first, first+1))))
		}), 4, 7},
		{"one answer too few", changed(func(r *survey.Respondent) {
			r.Attributes = slices.DeleteFunc(r.Attributes, func(a int32) bool { return a >= first && a < first+50 })
		}), 6, 7},
	} {
		for _, config := range []Config{{Threads: 2}, {Threads: 3, ChunkRespondents: 100}} {
			t.Run(fmt.Sprintf("%s, %d respondents a chunk", c.name, config.ChunkRespondents), func(t *testing.T) {
				s, reference := openStore(t, Memory, config), &naive.Store{}
				publish(t, s, c.study, c.study.Respondents)
				publish(t, reference, c.study, c.study.Respondents)
				f, err := s.Frame(t.Context())
				check(t, err)
				xs, multi := netted(f), datapoints(f, "core.m")[30:]
				qs := []audience.Query{
					{Namespace: "core", Rows: xs, Columns: multi, Strata: strata(f, false)},
					{Namespace: "core", Rows: xs, Columns: multi, Strata: strata(f, true)[:1]},
					{Namespace: "core", Rows: multi[:9], Columns: xs, Strata: fieldworks(f), Measures: audience.Squares},
					{Namespace: "core", Rows: xs, Columns: xs, Base: multi[14], Strata: strata(f, false)},
					{Namespace: "ext", Rows: xs, Columns: multi[10:12], Strata: strata(f, true)},
				}
				if c.study == whole { // what headers tell is made use of at once
					g, err := newGraph(s.current, qs, s.sliceColumn)
					check(t, err)
					if n := len(g.queries[0].rows.follows); n != c.rows {
						t.Errorf("%d rows follow from others before any is counted, want %d", n, c.rows)
					}
				}
				want, err := reference.Count(t.Context(), f.Version, qs)
				check(t, err)
				for range 3 { // columns are read, then looked at, then made use of
					got, err := s.Count(t.Context(), f.Version, qs)
					check(t, err)
					if !reflect.DeepEqual(want, got) {
						t.Fatalf("-want +got\n%s", cmp.Diff(want, got))
					}
				}
				g, err := newGraph(s.current, qs, s.sliceColumn)
				check(t, err)
				if all, wave := len(g.queries[0].rows.follows), len(g.queries[1].rows.follows); all != c.rows || wave != c.wave {
					t.Errorf("%d rows follow from others in all waves and %d in one, want %d and %d", all, wave, c.rows, c.wave)
				}
			})
		}
	}
}

// Counts that another query asks for, too, are known from there, and squares are those that they would be counted to:
// of fewer rows and columns, in another order or twice, of those that follow from others, with everyone or some in the
// base. What another query asks for of a different base, different strata or fewer columns is counted.
func TestCountKnown(t *testing.T) {
	study := synthetic(10, testsize.Of(400, 3000, 3000))
	for _, config := range []Config{{Threads: 2}, {Threads: 3, ChunkRespondents: 100}} {
		t.Run(fmt.Sprintf("%d respondents a chunk", config.ChunkRespondents), func(t *testing.T) {
			s, reference := openStore(t, Memory, config), &naive.Store{}
			publish(t, s, study, study.Respondents)
			publish(t, reference, study, study.Respondents)
			f, err := s.Frame(t.Context())
			check(t, err)
			xs, multi := netted(f), datapoints(f, "core.m")[20:]
			waves, whole := strata(f, true), strata(f, false)
			pooled := audience.Squares | audience.Pooled
			qs := []audience.Query{
				{Namespace: "core", Rows: xs, Columns: multi, Strata: waves},
				{Namespace: "core", Rows: xs, Columns: multi[:9], Base: multi[3], Strata: whole},
				{Namespace: "core", Rows: xs[2:5], Columns: multi, Strata: waves, Measures: pooled},
				{Namespace: "core", Rows: append(xs[7:9:9], xs[1], xs[7]), Columns: multi[3:5], Strata: waves, Measures: pooled},
				{Namespace: "core", Columns: multi[:20], Strata: waves, Measures: audience.Squares},
				{Namespace: "core", Rows: xs, Columns: multi[2:9], Base: multi[3], Strata: whole, Measures: pooled},
				{Namespace: "core", Rows: xs, Columns: multi[2:9], Base: multi[4], Strata: whole, Measures: pooled},
				{Namespace: "core", Rows: xs, Columns: multi, Base: multi[3], Strata: whole, Measures: pooled},
				{Namespace: "core", Rows: xs[2:5], Columns: multi, Strata: waves[1:], Measures: pooled},
				{Namespace: "ext", Rows: xs[2:5], Columns: multi[:9], Strata: waves, Measures: pooled},
			}
			g, err := newGraph(s.current, qs, s.sliceColumn)
			check(t, err)
			var known []int
			for i := range g.queries {
				if g.queries[i].known != nil {
					known = append(known, i)
				}
			}
			if want := []int{2, 3, 4, 5}; !slices.Equal(known, want) {
				t.Errorf("the counts of queries %d are known from others, want %d", known, want)
			}
			want, err := reference.Count(t.Context(), f.Version, qs)
			check(t, err)
			for range 3 {
				got, err := s.Count(t.Context(), f.Version, qs)
				check(t, err)
				if !reflect.DeepEqual(want, got) {
					t.Fatalf("-want +got\n%s", cmp.Diff(want, got))
				}
			}
		})
	}
}
