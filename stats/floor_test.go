package stats_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/audience/estimate"
	"github.com/crosswave/crosswave/internal/testsize"
	"github.com/crosswave/crosswave/stats"
	"github.com/crosswave/crosswave/store/naive"
	"github.com/crosswave/crosswave/store/storetest"
	"github.com/google/go-cmp/cmp"
)

// withFloor is a grant of everything with a floor.
func withFloor(n int64) audience.Grant {
	g := audience.All()
	g.MinSample = n
	return g
}

// Random associations as somebody with a floor is told them: as everybody is, or, where those who answered both are
// fewer or any two answers have somebody and fewer in common, not at all.
func TestFloorInAssociations(t *testing.T) {
	told, withheld := 0, 0
	for seed := range uint64(testsize.Of(15, 60, 400)) {
		r := newRaggedPairs(t, seed, 4)
		for _, p := range r.pairs {
			for _, floor := range []int64{2, 4, 8} {
				got, err := stats.Associate(t.Context(), audience.Restrict(r.store, withFloor(floor)), p.query)
				if err != nil {
					t.Fatal(err)
				}
				cells, all := map[[2]int]int64{}, int64(0)
				for _, one := range p.answered {
					if one.row > 0 {
						cells[[2]int{one.row, one.column}]++
						all++
					}
				}
				want := *p.found
				want.Withheld = all < floor
				for _, n := range cells {
					want.Withheld = want.Withheld || n < floor
				}
				if len(p.answered) == 0 { // it covers nothing
					want.Withheld = false
				}
				if told++; want.Withheld {
					told, withheld = told-1, withheld+1
					want = stats.Association{Withheld: true, Coverage: want.Coverage}
				}
				if d := cmp.Diff(&want, got); d != "" {
					t.Fatalf("seed %d, floor %d: %+v: %s", seed, floor, p.query, d)
				}
			}
		}
	}
	t.Logf("%d told, %d withheld", told, withheld)
	if told < 10 || withheld < 10 {
		t.Errorf("%d told, %d withheld", told, withheld)
	}
}

// Random summaries of numbers as somebody with a floor is told them.
func TestFloorInSummaries(t *testing.T) {
	seen := map[string]int{}
	for seed := range uint64(testsize.Of(12, 60, 250)) {
		g := storetest.NewRandom(15000 + seed)
		study := g.Study()
		numbersEverywhere(g, study.Survey)
		ref := new(naive.Store)
		must(t, study.Load(t.Context(), ref))
		o := storetest.NewOracle(ref)
		a := &asker{Rand: g.Rand, frame: o.Frame}
		for i := range 8 {
			f := &flooredSummary{summarised: summarised{T: t, name: fmt.Sprintf("seed %d, request %d", seed, i), oracle: o,
				request: a.summary()}, floor: int64(1 + a.IntN(5)), seen: seen}
			if f.request.Statistics != nil {
				f.request.Statistics.Correction = estimate.None
			}
			f.compare(ref)
		}
	}
	t.Logf("%v", seen)
	for _, what := range []string{"told", "withheld", "withheld by its numbers", "quantiles", "no quantiles", "pairs",
		"no pairs"} {
		if seen[what] == 0 {
			t.Errorf("the requests ask too little of %q: %v", what, seen)
		}
	}
}

// flooredSummary is a summary as everybody is told it, and the floor of somebody.
type flooredSummary struct {
	summarised
	floor int64
	seen  map[string]int
}

func (f *flooredSummary) compare(ref audience.Store) {
	open, err := stats.Summary(f.Context(), ref, f.request)
	var incompatible *audience.IncompatibleError
	var invalid *audience.InvalidError
	if errors.As(err, &incompatible) || errors.As(err, &invalid) {
		return
	}
	must(f.T, err)
	restricted, err := stats.Summary(f.Context(), audience.Restrict(ref, withFloor(f.floor)), f.request)
	must(f.T, err)
	for e := range open.Entries() {
		f.entries = append(f.entries, e)
	}
	f.numbers, _ = numbersOf(f.oracle, f.request)
	all, _ := f.respondents()
	rules, i := f.rules(), 0
	for got := range restricted.Entries() {
		f.entry(i, rules[i], all[i], got)
		i++
	}
	if i != len(f.entries) {
		f.Fatalf("%s: %d entries instead of %d", f.name, i, len(f.entries))
	}
}

// rules tells of each entry whether its cell is withheld: the base, those of it with a number, the audience in its
// segment, and those of it with a number.
func (f *flooredSummary) rules() (withheld []bool) {
	r, o := f.request, f.oracle
	base := audience.Expr(audience.Everyone{})
	if r.Base.Expr != nil {
		base = r.Base.Expr
	}
	for _, segment := range f.segments() {
		for _, a := range f.audiences() {
			parts := []storetest.Part{o.Part(base), o.Part(a.Expr), o.Part(segment.x), o.Part(f.anyNumber())}
			whole := []int{0}
			if r.SegmentedBase {
				whole = []int{0, 2}
			}
			_, cover, figures, err := o.Measure(audience.Spec{Waves: r.Waves, Locations: r.Locations}, parts, whole,
				append(slices.Clone(whole), 3), []int{0, 1, 2}, []int{0, 1, 2, 3})
			must(f.T, err)
			withheld = append(withheld, !cover.Empty() && storetest.Withheld(f.floor, figures[0].Sample, figures[1].Sample,
				figures[2].Sample, figures[3].Sample))
		}
	}
	return withheld
}

// entry holds an entry as somebody with the floor is told it against what everybody is told.
func (f *flooredSummary) entry(i int, rule bool, n *numbered, got stats.SummaryEntry) {
	want := f.entries[i]
	given := map[string]int64{} // how many gave each number
	for r, share := range n.people {
		if share != nil {
			given[n.numbers[r].RatString()]++
		}
	}
	few := want.Metrics.Respondents.Sample > 0 && want.Metrics.Respondents.Sample < f.floor
	for _, gave := range given {
		few = few || len(given) <= 3 && f.answers() <= 3 && gave < f.floor
	}
	switch {
	case (rule || few) && !got.Withheld, got.Withheld && !rule && !few && f.answers() > 3:
		f.Fatalf("%s, entry %d, floor %d: withheld is %v\n%+v", f.name, i, f.floor, got.Withheld, want.Metrics)
	case got.Withheld:
		f.seen["withheld"]++
		if !rule {
			f.seen["withheld by its numbers"]++
		}
		if d := cmp.Diff(stats.SummaryMetrics{}, got.Metrics, about); d != "" {
			f.Fatalf("%s, entry %d: withheld, but %s", f.name, i, d)
		}
		if s := got.Statistics; s != nil && (s.Mean != nil || s.Rest != nil || s.Previous != nil ||
			s.Audiences != nil && len(s.Audiences.Pairs) > 0 || s.Segments != nil && len(s.Segments.Pairs) > 0) {
			f.Fatalf("%s, entry %d: withheld, but %+v", f.name, i, s)
		}
		return
	}
	f.seen["told"]++
	f.told(i, &want, &got)
}

// anyNumber is who has a number: of a grid, by one of the suffixes that stand for one.
func (f *flooredSummary) anyNumber() audience.Expr {
	leaf, is := f.use().(audience.Answers)
	i, _ := f.oracle.Frame.Question(f.request.Question)
	if q := &f.oracle.Frame.Questions[i]; is && q.Grid() {
		for _, s := range q.Suffixes {
			if s.Midpoint != nil && (len(f.request.Suffixes) == 0 || slices.Contains(f.request.Suffixes, s.Code)) {
				leaf.Suffixes = append(leaf.Suffixes, s.Code)
			}
		}
		return leaf
	}
	return f.use()
}

// answers is of how many answers the numbers are; many, if respondents gave the numbers themselves.
func (f *flooredSummary) answers() (n int) {
	i, _ := f.oracle.Frame.Question(f.request.Question)
	q := &f.oracle.Frame.Questions[i]
	if q.Kind == audience.Number {
		if bits := f.oracle.Frame.Numbers(i).Bits; bits < 2 {
			return 1 << bits
		}
		return 4
	}
	if q.Grid() {
		for _, s := range q.Suffixes {
			if s.Midpoint != nil && (len(f.request.Suffixes) == 0 || slices.Contains(f.request.Suffixes, s.Code)) {
				n++
			}
		}
		return n
	}
	for _, d := range q.Datapoints {
		if d.Midpoint != nil {
			n++
		}
	}
	return n
}

// told compares what is told of an entry: no ends, quantiles with enough beyond them, and no difference that everybody
// is not told.
func (f *flooredSummary) told(i int, want, got *stats.SummaryEntry) {
	if want.Metrics.Mean != nil {
		want.Metrics.Min, want.Metrics.Max = nil, nil
		var enough []stats.Quantile
		for _, q := range want.Metrics.Quantiles {
			if float64(want.Metrics.Respondents.Sample)*min(q.Percent, 100-q.Percent) >= float64(100*f.floor) {
				enough = append(enough, q)
				f.seen["quantiles"]++
			} else {
				f.seen["no quantiles"]++
			}
		}
		want.Metrics.Quantiles = enough
	}
	if d := cmp.Diff(want.Metrics, got.Metrics, about); d != "" {
		f.Fatalf("%s, entry %d, floor %d: (-want +got)\n%s", f.name, i, f.floor, d)
	}
	if want.Statistics == nil {
		return
	}
	if d := cmp.Diff(want.Statistics.Mean, got.Statistics.Mean); d != "" {
		f.Fatalf("%s, entry %d: %s", f.name, i, d)
	}
	for _, of := range [][2]*estimate.Difference{{want.Statistics.Rest, got.Statistics.Rest},
		{want.Statistics.Previous, got.Statistics.Previous}} {
		if of[1] != nil && !cmp.Equal(of[0], of[1]) {
			f.Fatalf("%s, entry %d: a difference of %+v instead of %+v", f.name, i, of[1], of[0])
		}
	}
	for _, of := range [][2]*stats.Comparisons{{want.Statistics.Audiences, got.Statistics.Audiences},
		{want.Statistics.Segments, got.Statistics.Segments}} {
		if of[0] == nil {
			continue
		}
		for _, pair := range of[1].Pairs {
			if !slices.Contains(of[0].Pairs, pair) {
				f.Fatalf("%s, entry %d: a pair %+v, not of %+v", f.name, i, pair, of[0].Pairs)
			}
		}
		f.seen["pairs"] += len(of[1].Pairs)
		f.seen["no pairs"] += len(of[0].Pairs) - len(of[1].Pairs)
	}
}
