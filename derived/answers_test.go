package derived_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/audience/estimate"
	"github.com/crosswave/crosswave/crosstab"
	"github.com/crosswave/crosswave/internal/testsize"
	"github.com/crosswave/crosswave/stats"
	"github.com/crosswave/crosswave/store/naive"
	"github.com/crosswave/crosswave/store/sqlite"
	"github.com/crosswave/crosswave/store/storetest"
)

// On random ragged studies a datapoint of a derived question is its expression written out: alone, beneath a negation
// and among other things, in crosstabs, statistics and wave counts, with what they cover and how sure they are, on the
// reference and on the embedded engine.
func TestAnswersAreTheirExpressions(t *testing.T) {
	compared, measured, nested := 0, 0, 0
	for seed := range uint64(testsize.Of(4, 25, 100)) {
		g := storetest.NewRandom(seed)
		study, reference := g.Study(), new(naive.Store)
		engine, err := sqlite.Open(t.Context(), sqlite.Memory, sqlite.Config{})
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range []storetest.Engine{reference, engine} {
			if err := study.Load(t.Context(), e); err != nil {
				t.Fatal(err)
			}
		}
		plain, err := reference.Frame(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		list := g.Derived(plain)
		frame := plain.Extend("test", list)
		for _, d := range list {
			for _, point := range d.Datapoints {
				written, ok := writtenOut(frame, point.Expr)
				if at, err := frame.Question(d.Code); err != nil || at < 0 || !ok {
					continue // it can't be used, or can't be written out
				}
				if string(audience.Print(written)) != string(audience.Print(point.Expr)) {
					nested++
				}
				leaf := audience.Answers{Question: d.Code, Datapoints: []string{point.Code}}
				other := g.Expr(plain, 2)
				for name, st := range map[string]audience.Store{"reference": reference, "engine": engine} {
					extended := audience.Extend(st, func(context.Context) (string, []audience.Definition, error) {
						return "test", list, nil
					})
					got, want := answers(t, extended, leaf, other), answers(t, st, written, other)
					if diff := cmp.Diff(want, got); diff != "" {
						t.Fatalf("seed %d, %s: %s, datapoint %s: %s\n%s\n%s", seed, name, d.Code, point.Code,
							audience.Print(written), diff, study.Text())
					}
					compared++
					if strings.Contains(got, `"Sample":`) {
						measured++
					}
				}
			}
		}
		if err := engine.Close(); err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("%d compared, %d of them with figures, %d that read others", compared, measured, nested)
	if compared < 20 || measured < compared/2 || nested == 0 && !testing.Short() { // few studies may have none that does
		t.Errorf("%d compared, %d of them with figures, %d that read others: too few", compared, measured, nested)
	}
}

// writtenOut is x with expressions in the place of derived questions; false if a leaf names several answers of one.
func writtenOut(f *audience.Frame, x audience.Expr) (audience.Expr, bool) {
	all := func(parts []audience.Expr) (out []audience.Expr, ok bool) {
		ok = true
		for _, p := range parts {
			y, fine := writtenOut(f, p)
			out, ok = append(out, y), ok && fine
		}
		return out, ok
	}
	switch x := x.(type) {
	case audience.And:
		parts, ok := all(x)
		return audience.And(parts), ok
	case audience.Or:
		parts, ok := all(x)
		return audience.Or(parts), ok
	case audience.Not:
		y, ok := writtenOut(f, x.X)
		return audience.Not{X: y}, ok
	case audience.Answers:
		at, err := f.Question(x.Question)
		if err != nil || at < 0 || !f.Derived(at) {
			return x, err == nil
		}
		points := slices.DeleteFunc(slices.Clone(f.Definition(at).Datapoints), func(d audience.DefinedDatapoint) bool {
			return len(x.Datapoints) > 0 && !slices.Contains(x.Datapoints, d.Code)
		})
		if len(points) != 1 || x.Min > 1 {
			return x, false
		}
		return writtenOut(f, points[0].Expr)
	}
	return x, true
}

// answers is all that is told of an audience, as text; an error is told as what it is about.
func answers(t *testing.T, st audience.Store, x, other audience.Expr) string {
	t.Helper()
	var b strings.Builder
	of := func(x audience.Expr) audience.Audience { return audience.Audience{ID: "a", Expr: x} }
	rows := []audience.Audience{of(x), of(audience.Not{X: x}), of(audience.And{x, other}),
		of(audience.Or{audience.Not{X: x}, other})}
	// The negation keeps the columns from being a trend, which they are where all are written as waves.
	tab, err := crosstab.Run(t.Context(), st, crosstab.Request{Rows: rows, Coverage: true,
		Columns:    []audience.Audience{of(other), of(x), of(audience.Not{X: x})},
		Statistics: &estimate.Options{Compare: []estimate.Compare{estimate.Rest}}})
	if err != nil {
		fmt.Fprintf(&b, "crosstab: %T\n", err)
	} else {
		for cell := range tab.Cells() {
			fmt.Fprintln(&b, told(t, cell))
		}
	}
	f, err := st.Frame(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	result, err := stats.Run(t.Context(), st, stats.Request{Question: f.Questions[0].Key(), Splitter: stats.Waves,
		Audiences: rows, Coverage: true})
	if err != nil {
		fmt.Fprintf(&b, "stats: %T\n", err)
	} else {
		for e := range result.Entries() {
			fmt.Fprintln(&b, told(t, e))
		}
	}
	for _, x := range []audience.Expr{x, audience.Not{X: x}} {
		waves, err := stats.WaveCounts(t.Context(), st, stats.WaveRequest{Expression: x, Coverage: true})
		if err != nil {
			fmt.Fprintf(&b, "waves: %T\n", err)
		} else {
			fmt.Fprintln(&b, told(t, waves))
		}
	}
	return b.String()
}

// told is a value with all that can be read of it.
func told(t *testing.T, x any) string {
	t.Helper()
	text, err := json.Marshal(x)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// A question that is derived is told of as any other is: by datapoint in statistics, as what splits, and in a profile.
func TestWhereverACodeStands(t *testing.T) {
	s := newScene(t)
	s.define("1", false, "net", "x", `{"question": "gender", "datapoints": ["f"]}`, "y",
		`{"question": "gender", "datapoints": ["f"], "not": true}`)
	st := s.as("1")
	of := func(r stats.Request) (all []string) {
		t.Helper()
		result, err := stats.Run(t.Context(), st, r)
		if err != nil {
			t.Fatal(err)
		}
		for e := range result.Entries() {
			all = append(all, fmt.Sprintf("%s|%s %d/%d", e.Datapoint, e.Segment, e.Metrics.Positive.Sample,
				e.Metrics.Audience.Sample))
		}
		return all
	}
	if diff := cmp.Diff([]string{"x| 2/3", "y| 1/3"}, of(stats.Request{Question: "net"})); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"f|x 2/2", "f|y 0/1", "m|x 0/2", "m|y 1/1"}, of(stats.Request{Question: "gender",
		Splitter: "core.net"})); diff != "" {
		t.Error(diff)
	}
	if _, err := stats.Summary(t.Context(), st, stats.SummaryRequest{Question: "net"}); err == nil ||
		!strings.Contains(err.Error(), "has no numbers") {
		t.Error(err)
	}
	found, err := stats.Associate(t.Context(), st, stats.AssociationQuery{Rows: stats.AssociationAxis{Question: "net"},
		Columns: stats.AssociationAxis{Question: "gender"}})
	if err != nil || found.Sample != 3 || found.CramersV == nil || *found.CramersV != 1 {
		t.Error(found, err)
	}
	profile, err := stats.Profile(t.Context(), st, stats.ProfileQuery{Questions: []string{"net"}, MinSample: 1,
		Audience: audience.Audience{Expr: audience.Answers{Question: "net", Datapoints: []string{"y"}}}})
	if err != nil {
		t.Fatal(err)
	}
	var entries []string
	for e := range profile.Entries() {
		entries = append(entries, fmt.Sprint(e.Question, " ", e.Datapoint, " ", e.Metrics.Positive.Sample))
	}
	slices.Sort(entries)
	if diff := cmp.Diff([]string{"net x 0", "net y 1"}, entries); diff != "" {
		t.Error(diff)
	}
}
