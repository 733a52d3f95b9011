package stats_test

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/internal/inference"
	"github.com/crosswave/crosswave/internal/testsize"
	"github.com/crosswave/crosswave/stats"
	"github.com/crosswave/crosswave/store/naive"
	"github.com/crosswave/crosswave/store/storetest"
	gocmp "github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// Profiles of random studies of ragged coverage, by callers who may not use all of it, are those of respondents that
// are added up one by one: figures bit for bit, tests to 1e-7, as the naive sums cancel.
func TestRandomProfiles(t *testing.T) {
	const perStudy = 6
	studies := uint64(testsize.Of(15, 60, 400))
	var seen profileTally
	for seed := range studies {
		g := storetest.NewRandom(seed + 7000)
		ref, study := new(naive.Store), g.Study()
		must(t, study.Load(t.Context(), ref))
		for i := range perStudy {
			o := storetest.NewOracle(ref)
			a := &asker{Rand: g.Rand, frame: o.Frame}
			grant := a.grant()
			o.Frame = o.Frame.For(grant)
			q := a.profile()
			if d := compareProfile(t, audience.Restrict(ref, grant), o, q, &seen); d != "" {
				t.Fatalf("seed %d, question %d: %+v\n%s\n%s", seed, i, q, d, study.Text())
			}
		}
	}
	t.Logf("%+v", seen)
	if n := int(studies) * perStudy; seen.entries < 5*n || seen.tested < n || seen.untested == 0 || seen.standing == 0 ||
		seen.left == 0 || seen.refused == 0 || seen.unmeasured == 0 || seen.incompatible == 0 {
		t.Errorf("the questions ask too little: %+v", seen)
	}
}

type profileTally struct {
	entries, tested, untested, standing, unmeasured, left, refused, incompatible int
}

// profile is any query.
func (a *asker) profile() stats.ProfileQuery {
	q := stats.ProfileQuery{Audience: called("", a.expr(1+a.IntN(3))), Waves: some(a, a.waves(), 70),
		Locations: some(a, a.locations(), 70), MinSample: int64(1 + a.IntN(8)), FalseDiscovery: float64(1 + a.IntN(60)),
		OrderBy:   []stats.ProfileOrder{"", stats.Certain, stats.ByIndex, stats.ByDifference}[a.IntN(4)],
		Direction: []stats.Direction{"", stats.Both, stats.Over, stats.Under}[a.IntN(4)], Coverage: a.chance(20)}
	if a.chance(30) {
		q.Base.Expr = a.expr(2)
	}
	if a.chance(30) {
		for range 1 + a.IntN(3) {
			_, code := a.question()
			q.Questions = append(q.Questions, code)
		}
	}
	if a.chance(30) {
		q.Limit, q.Offset = a.IntN(6), a.IntN(4)
	}
	return q
}

// compareProfile compares a profile with what respondents say one by one.
func compareProfile(t *testing.T, st audience.Store, o *storetest.Oracle, q stats.ProfileQuery,
	seen *profileTally) string {
	t.Helper()
	got, err := stats.Profile(t.Context(), st, q)
	refused := hiddenCodes(o.Frame, q.Waves, q.Locations, q.Audience.Expr, q.Base.Expr)
	for _, code := range q.Questions {
		i, _ := o.Frame.Question(code)
		refused = refused || o.Frame.HidesQuestion(i) || len(o.Frame.PerDatapoint(i)) == 0
	}
	var unavailable *audience.UnavailableError
	if errors.As(err, &unavailable) != refused {
		return fmt.Sprintf("uses hidden codes: %v, but the error is %v", refused, err)
	}
	if refused {
		seen.refused++
		return ""
	}
	want, naive := profileOf(o, q)
	if incompatible := (*audience.IncompatibleError)(nil); errors.As(naive, &incompatible) {
		seen.incompatible++
		if !errors.As(err, &incompatible) {
			return fmt.Sprintf("the error is %v; the oracle says %v", err, naive)
		}
		return ""
	}
	if err != nil {
		return err.Error()
	}
	seen.entries += got.Measured
	seen.tested += got.Tested
	seen.untested += got.Measured - got.Tested
	seen.standing += got.Standing
	seen.unmeasured += got.Unmeasured
	seen.left += got.Incompatible
	return want.compare(got, q)
}

// profiled is a profile, respondent by respondent.
type profiled struct {
	entries                  []stats.ProfileEntry // in the survey's order
	incompatible, unmeasured int
}

// profileOf makes a profile of every attribute by itself.
func profileOf(o *storetest.Oracle, q stats.ProfileQuery) (*profiled, error) {
	out, f := &profiled{}, o.Frame
	spec := audience.Spec{Waves: q.Waves, Locations: q.Locations}
	base := o.Part(audience.Everyone{})
	if q.Base.Expr != nil {
		base = o.Part(q.Base.Expr)
	}
	if _, _, _, err := o.Measure(spec, []storetest.Part{base, o.Part(q.Audience.Expr)}); err != nil {
		return nil, err
	}
	named := map[int]bool{}
	for _, code := range q.Questions {
		i, _ := f.Question(code)
		named[i] = true
	}
	for i := range f.Questions {
		question := &f.Questions[i]
		for _, d := range f.PerDatapoint(i) {
			for s := range max(1, len(question.Suffixes)) {
				if len(named) > 0 && !named[i] {
					continue
				}
				e := stats.ProfileEntry{AttributeKey: stats.AttributeKey{Namespace: question.Namespace,
					Question: question.Code, Datapoint: d.ID}, P: 1, AdjustedP: 1}
				x := audience.Answers{Question: question.Key(), Datapoints: []string{d.ID}}
				if question.Grid() {
					e.Grid, e.Suffix = true, question.Suffixes[s].Code
					x.Suffixes = []int{e.Suffix}
				}
				parts := []storetest.Part{base, o.Part(q.Audience.Expr), o.Part(x)}
				namespace, cover, figures, err := o.Measure(spec, parts, []int{0}, []int{0, 1, 2}, []int{0, 1}, []int{0, 2})
				switch {
				case err != nil && len(named) > 0:
					return nil, err
				case err != nil:
					out.incompatible++
				case cover.Empty():
					out.unmeasured++
				default:
					e.Waves = covered(f, cover)
					all, positive, of, point := figures[0], figures[1], figures[2], figures[3]
					e.Metrics = stats.Metrics{Positive: positive.Figure(), Audience: of.Figure(), Datapoint: point.Figure(),
						AudiencePercentage: positive.Percentage(of), DatapointPercentage: positive.Percentage(point),
						AudienceIndex: storetest.Index(positive, all, of, point)}
					if storetest.Withheld(f.Floor(), all.Sample, point.Sample, of.Sample, positive.Sample) {
						e.Metrics, e.Withheld = stats.Metrics{}, true
					} else {
						contrast(o, &e, q, namespace, cover, x)
					}
					out.entries = append(out.entries, e)
				}
			}
		}
	}
	return out, nil
}

// side adds up the weights of respondents, how they are squared, and those who are positive.
type side struct {
	sample                    int64
	weight, squares, positive float64
}

func (s *side) effective() float64 { return s.weight * s.weight / s.squares }

// contrast tests an attribute, by the sums of respondents.
func contrast(o *storetest.Oracle, e *stats.ProfileEntry, q stats.ProfileQuery, namespace string, cover audience.Cover,
	x audience.Expr) {
	f := o.Frame
	waves := map[int]float64{}
	for i := range cover.All() {
		if _, l := f.Fieldwork(i); f.Namespaces[f.Namespace(namespace)].Universe != audience.Sum {
			waves[l]++
		} else {
			waves[l] = 1
		}
	}
	in := func(r *naive.Respondent, x audience.Expr) bool {
		yes, err := r.In(f, x)
		return err == nil && yes
	}
	var sides [2]side
	for i := range o.Respondents {
		r := &o.Respondents[i]
		at := r.Fieldwork(f)
		units := r.Units[namespace]
		if units == 0 || !cover.Has(at) || q.Base.Expr != nil && !in(r, q.Base.Expr) {
			continue
		}
		s := &sides[1]
		if in(r, q.Audience.Expr) {
			s = &sides[0]
		}
		_, l := f.Fieldwork(at)
		weight := float64(units) / waves[l]
		s.sample++
		s.weight += weight
		s.squares += weight * weight
		if in(r, x) {
			s.positive += weight
		}
	}
	a, b := &sides[0], &sides[1]
	if b.weight > 0 {
		e.RestPercentage, e.RestEffectiveSample = 100*b.positive/b.weight, b.effective()
	}
	if a.weight > 0 && b.weight > 0 {
		e.Difference = e.Metrics.AudiencePercentage - e.RestPercentage
	}
	if min(a.sample, b.sample) < q.MinSample {
		return
	}
	na, nb, pa, pb := a.effective(), b.effective(), a.positive/a.weight, b.positive/b.weight
	pooled := (na*pa + nb*pb) / (na + nb)
	if a.positive+b.positive == 0 || a.positive == a.weight && b.positive == b.weight {
		return
	}
	term := func(n, p, of float64) float64 {
		if p <= 0 {
			return 0
		}
		return 2 * n * p * math.Log(p/of)
	}
	g := term(na, pa, pooled) + term(na, 1-pa, 1-pooled) + term(nb, pb, pooled) + term(nb, 1-pb, 1-pooled)
	e.Tested, e.P = true, math.Erfc(math.Sqrt(max(g, 0)/2))
}

// compare compares the oracle's entries with those of a result, which must be in order.
func (w *profiled) compare(got *stats.ProfileResult, q stats.ProfileQuery) string {
	var ps []float64
	var at []int
	for i := range w.entries {
		if w.entries[i].Tested {
			ps, at = append(ps, w.entries[i].P), append(at, i)
		}
	}
	standing, sure := 0, true
	for i, p := range inference.FDR.Adjust(ps) {
		w.entries[at[i]].AdjustedP = p
		w.entries[at[i]].Stands = p <= q.FalseDiscovery/100
		sure = sure && math.Abs(p-q.FalseDiscovery/100) > 1e-6
		if w.entries[at[i]].Stands {
			standing++
		}
	}
	numbers := []int{got.Measured, got.Tested, got.Incompatible, got.Unmeasured}
	if d := gocmp.Diff([]int{len(w.entries), len(ps), w.incompatible, w.unmeasured}, numbers); d != "" {
		return d
	}
	if sure && got.Standing != standing {
		return fmt.Sprintf("%d stand instead of %d", got.Standing, standing)
	}
	byKey := map[stats.AttributeKey]stats.ProfileEntry{}
	for _, e := range w.entries {
		byKey[e.AttributeKey] = e
	}
	var entries, want []stats.ProfileEntry
	for e := range got.Entries() {
		x := byKey[e.AttributeKey]
		if !sure {
			x.Stands = e.Stands
		}
		if d := gocmp.Diff(x.Metrics, e.Metrics); d != "" {
			return d
		}
		entries, want = append(entries, e), append(want, x)
	}
	ignore := cmpopts.IgnoreFields(stats.ProfileEntry{}, "Statistics", "Coverage", "Metrics")
	if d := gocmp.Diff(want, entries, ignore, cmpopts.EquateApprox(1e-7, 1e-9)); d != "" {
		return d
	}
	return ranked(w.entries, entries, got, q)
}

// ranked tells what is wrong with the order of entries and with which of all they are.
func ranked(all, entries []stats.ProfileEntry, got *stats.ProfileResult, q stats.ProfileQuery) string {
	n := 0
	for _, e := range all {
		if of := direction(&e); q.Direction == stats.Over && of > 0 || q.Direction == stats.Under && of < 0 ||
			q.Direction == "" || q.Direction == stats.Both {
			n++
		}
	}
	told := max(0, n-q.Offset)
	if q.Limit > 0 {
		told = min(told, q.Limit)
	}
	if got.Ranked != n || len(entries) != told || got.Len() != told {
		return fmt.Sprintf("%d ranked and %d told, instead of %d and %d", got.Ranked, len(entries), n, told)
	}
	by := func(e *stats.ProfileEntry) float64 {
		switch i := e.Statistics.AudienceIndex; {
		case q.OrderBy == stats.ByDifference:
			return math.Abs(e.Difference)
		case q.OrderBy == stats.ByIndex && direction(e) != 0:
			return math.Abs(math.Log(e.Metrics.AudienceIndex / 100))
		case q.OrderBy != stats.ByIndex && i != nil && i.Low > 100:
			return math.Log(i.Low / 100)
		case q.OrderBy != stats.ByIndex && i != nil && i.High < 100:
			return -math.Log(i.High / 100)
		}
		return 0
	}
	if !slices.IsSortedFunc(entries, func(a, b stats.ProfileEntry) int { return cmp.Compare(by(&b), by(&a)) }) {
		return "the entries are not in order"
	}
	for _, e := range entries {
		if of := direction(&e); q.Direction == stats.Over && of <= 0 || q.Direction == stats.Under && of >= 0 {
			return fmt.Sprintf("%v is not %s", e.AttributeKey, q.Direction)
		}
	}
	return ""
}

// direction is whether the index is above or below 100; neither where it has nothing to compare.
func direction(e *stats.ProfileEntry) int {
	if e.Metrics.Datapoint.Sample == 0 || e.Metrics.Audience.Sample == 0 {
		return 0
	}
	return cmp.Compare(e.Metrics.AudienceIndex, 100)
}
