package stats_test

import (
	"errors"
	"fmt"
	"math/big"
	"slices"
	"testing"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/audience/estimate"
	"github.com/crosswave/crosswave/internal/inference"
	"github.com/crosswave/crosswave/internal/testsize"
	"github.com/crosswave/crosswave/stats"
	"github.com/crosswave/crosswave/store/naive"
	"github.com/crosswave/crosswave/store/storetest"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// numbered is an entry's numbers, respondent by respondent: what each stands for and has, within what the entry covers.
type numbered struct {
	*summarised
	namespace string
	cover     audience.Cover
	people    []*big.Rat // by respondent; nil: not in it, or without a number
	total     *big.Rat
	mean      *big.Rat // nil: of no one
}

// summarised is a summary with the respondents that it is of.
type summarised struct {
	*testing.T
	name    string
	oracle  *storetest.Oracle
	numbers []*big.Rat // of the respondents; nil: none
	request stats.SummaryRequest
	entries []stats.SummaryEntry
	level   *inference.Level
}

// share is what a respondent stands for within a cover.
func (s *summarised) share(r *naive.Respondent, namespace string, cover audience.Cover) *big.Rat {
	f := s.oracle.Frame
	n := f.Namespace(namespace)
	at := r.Fieldwork(f)
	if r.Units[namespace] == 0 || !cover.Has(at) {
		return nil
	}
	waves := int64(0)
	_, l := f.Fieldwork(at)
	for w := range f.Waves {
		if cover.Has(f.At(w, l)) {
			waves++
		}
	}
	if f.Namespaces[n].Universe == audience.Sum {
		waves = 1
	}
	x := new(big.Rat).SetFrac64(r.Units[namespace], waves)
	ten := big.NewRat(10, 1)
	for range max(0, f.Decimals(n)) {
		x.Quo(x, ten)
	}
	for range max(0, -f.Decimals(n)) {
		x.Mul(x, ten)
	}
	return x
}

// of finds the numbers of those whom in tells.
func (s *summarised) of(namespace string, cover audience.Cover, in func(i int) bool) *numbered {
	n := &numbered{summarised: s, namespace: namespace, cover: cover, total: new(big.Rat),
		people: make([]*big.Rat, len(s.numbers))}
	sum := new(big.Rat)
	for i := range s.oracle.Respondents {
		if s.numbers[i] == nil || !in(i) {
			continue
		}
		if share := s.share(&s.oracle.Respondents[i], namespace, cover); share != nil {
			n.people[i] = share
			n.total.Add(n.total, share)
			sum.Add(sum, new(big.Rat).Mul(share, s.numbers[i]))
		}
	}
	if n.total.Sign() > 0 {
		n.mean = sum.Quo(sum, n.total)
	}
	return n
}

// without is those of n who are not in m.
func (n *numbered) without(m *numbered) *numbered {
	return n.of(n.namespace, n.cover, func(i int) bool { return n.people[i] != nil && m.people[i] == nil })
}

// linear is by how much each respondent moves the mean.
func (n *numbered) linear(i int) *big.Rat {
	z := new(big.Rat)
	if n.people[i] == nil {
		return z
	}
	z.Sub(n.numbers[i], n.mean)
	return z.Mul(z, n.people[i]).Quo(z, n.total)
}

// deviation is √ of the variance of a sum over all respondents of a namespace.
func (s *summarised) deviation(namespace string, z func(i int) *big.Rat) float64 {
	type sums struct {
		n           int64
		sum, square *big.Rat
	}
	by := map[int]*sums{}
	for i := range s.oracle.Respondents {
		r := &s.oracle.Respondents[i]
		if r.Units[namespace] == 0 {
			continue
		}
		at := r.Fieldwork(s.oracle.Frame)
		if by[at] == nil {
			by[at] = &sums{0, new(big.Rat), new(big.Rat)}
		}
		x := z(i)
		by[at].n++
		by[at].sum.Add(by[at].sum, x)
		by[at].square.Add(by[at].square, x.Mul(x, x))
	}
	total := new(big.Rat)
	for _, h := range by {
		if h.n > 1 {
			h.sum.Mul(h.sum, h.sum).Quo(h.sum, new(big.Rat).SetInt64(h.n))
			h.square.Sub(h.square, h.sum).Mul(h.square, big.NewRat(h.n, h.n-1))
		}
		total.Add(total, h.square)
	}
	return root(total)
}

func root(x *big.Rat) float64 {
	f := new(big.Float).SetPrec(200).SetRat(x)
	out, _ := f.Sqrt(f).Float64()
	return out
}

// freedom is the degrees of freedom of those with a number in any of some entries.
func freedom(of ...*numbered) float64 {
	respondents, fieldworks := 0, map[int]bool{}
	for i := range of[0].people {
		if slices.ContainsFunc(of, func(n *numbered) bool { return n.people[i] != nil }) {
			respondents++
			fieldworks[of[0].oracle.Respondents[i].Fieldwork(of[0].oracle.Frame)] = true
		}
	}
	return max(1, float64(respondents-len(fieldworks)))
}

// metrics are the figures of an entry.
func (n *numbered) metrics(quantiles []float64) stats.SummaryMetrics {
	out := stats.SummaryMetrics{}
	if n.mean == nil {
		return out
	}
	var order []int
	squares, above := new(big.Rat), new(big.Rat)
	for i, share := range n.people {
		if share != nil {
			order = append(order, i)
			squares.Add(squares, new(big.Rat).Mul(share, share))
			d := new(big.Rat).Sub(n.numbers[i], n.mean)
			above.Add(above, d.Mul(d, d).Mul(d, share))
		}
	}
	out.Respondents.Sample = int64(len(order))
	out.Respondents.Size = rounded(n.total)
	out.EffectiveSample = rounded(squares.Quo(new(big.Rat).Mul(n.total, n.total), squares))
	out.Mean = pointer(rounded(n.mean))
	if k := int64(len(order)); k > 1 {
		out.StandardDeviation = pointer(root(above.Quo(above, n.total).Mul(above, big.NewRat(k, k-1))))
	}
	slices.SortFunc(order, func(i, j int) int { return n.numbers[i].Cmp(n.numbers[j]) })
	out.Min, out.Max = pointer(rounded(n.numbers[order[0]])), pointer(rounded(n.numbers[order[len(order)-1]]))
	for _, q := range quantiles {
		least, sum := new(big.Rat).Mul(estimate.Decimal(q), n.total), new(big.Rat)
		least.Quo(least, big.NewRat(100, 1))
		for _, i := range order {
			if sum.Add(sum, n.people[i]); sum.Cmp(least) >= 0 {
				out.Quantiles = append(out.Quantiles, stats.Quantile{Percent: q, Value: rounded(n.numbers[i])})
				break
			}
		}
	}
	return out
}

func rounded(x *big.Rat) float64 {
	f, _ := x.Float64()
	return f
}

func pointer(x float64) *float64 { return &x }

// difference compares two means; nil where there is nothing to compare.
func difference(a, b *numbered) *estimate.Difference {
	if a.mean == nil || b.mean == nil || a.namespace != b.namespace {
		return nil
	}
	se := a.deviation(a.namespace, func(i int) *big.Rat { z := a.linear(i); return z.Sub(z, b.linear(i)) })
	if se == 0 {
		return nil
	}
	d := rounded(new(big.Rat).Sub(a.mean, b.mean))
	df := max(1, freedom(a, b)-1)
	t, p := inference.Test(d, se, df)
	return &estimate.Difference{Difference: d, StandardError: se, T: t, DF: df, P: p, AdjustedP: p, Sound: true}
}

// about compares numbers that were rounded on the way.
var about = cmp.Options{cmpopts.EquateApprox(1e-11, 1e-300), cmpopts.EquateEmpty(),
	cmp.Comparer(audience.Figure.Equal)}

// respondents finds the numbers of each entry, and of the rest of its base, within what the entry covers.
func (s *summarised) respondents() (all, rests []*numbered) {
	r, o := s.request, s.oracle
	base := audience.Expr(audience.Everyone{})
	if r.Base.Expr != nil {
		base = r.Base.Expr
	}
	question := o.Part(s.use())
	for _, segment := range s.segments() {
		for _, a := range s.audiences() {
			parts := []storetest.Part{o.Part(base), o.Part(a.Expr), o.Part(segment.x), question}
			set, whole := []int{0, 1, 2, 3}, []int{0, 3}
			if r.SegmentedBase {
				whole = []int{0, 2, 3}
			}
			namespace, cover, _, err := o.Measure(audience.Spec{Waves: r.Waves, Locations: r.Locations}, parts)
			if err != nil {
				s.Fatalf("%s: %v", s.name, err)
			}
			in := func(set []int) func(i int) bool {
				return func(i int) bool {
					return !slices.ContainsFunc(set, func(p int) bool { return !parts[p].In(i) })
				}
			}
			n := s.of(namespace, cover, in(set))
			all = append(all, n)
			rests = append(rests, s.of(namespace, cover, in(whole)).without(n))
		}
	}
	return all, rests
}

func (s *summarised) segments() []segment {
	r := s.request
	return segments(s.oracle.Frame, stats.Request{Splitter: r.Splitter, Segments: r.Segments, Waves: r.Waves,
		Locations: r.Locations})
}

func (s *summarised) audiences() []audience.Audience {
	if len(s.request.Audiences) == 0 {
		return []audience.Audience{{Expr: audience.Everyone{}}}
	}
	return s.request.Audiences
}

// check compares the entries of a summary with what its respondents say. It returns how many it looked at.
func (s *summarised) check() int {
	all, rests := s.respondents()
	if len(all) != len(s.entries) {
		s.Errorf("%s: %d entries, want %d", s.name, len(s.entries), len(all))
		return 0
	}
	segments, audiences := s.segments(), s.audiences()
	for i, n := range all {
		segment, a := segments[i/len(audiences)].code, audiences[i%len(audiences)].ID
		want := stats.SummaryEntry{Segment: segment, Audience: a, Waves: covered(s.oracle.Frame, n.cover),
			Metrics: n.metrics(s.request.Quantiles)}
		got := s.entries[i]
		got.Statistics = nil
		if d := cmp.Diff(want, got, about); d != "" {
			s.Errorf("%s: segment %q, audience %q: (-want +got)\n%s", s.name, segment, a, d)
		}
		s.exactly(&want.Metrics, &got.Metrics)
	}
	if s.request.Statistics != nil && !s.Failed() {
		s.statistics(all, rests, len(audiences))
	}
	return len(all)
}

// exactly compares what is rounded once.
func (s *summarised) exactly(want, got *stats.SummaryMetrics) {
	value := func(x *float64) float64 {
		if x == nil {
			return 0
		}
		return *x
	}
	if value(want.Mean) != value(got.Mean) || value(want.StandardDeviation) != value(got.StandardDeviation) ||
		want.EffectiveSample != got.EffectiveSample || value(want.Min) != value(got.Min) ||
		!slices.Equal(want.Quantiles, got.Quantiles) {
		s.Errorf("%s: the last digit is not as it should be:\n%s", s.name, cmp.Diff(want, got,
			cmp.Comparer(audience.Figure.Equal)))
	}
}

// statistics compares how sure the means are.
func (s *summarised) statistics(all, rests []*numbered, audiences int) {
	var want []*stats.SummaryStatistics
	families := map[estimate.Compare][]*estimate.Difference{}
	o := s.request.Statistics
	compare := func(c estimate.Compare, a, b *numbered) *estimate.Difference {
		if !o.Compares(c) {
			return nil
		}
		d := difference(a, b)
		if d != nil {
			families[c] = append(families[c], d)
		}
		return d
	}
	for i, n := range all {
		x := &stats.SummaryStatistics{}
		if n.mean != nil {
			se := n.deviation(n.namespace, n.linear)
			low, high := s.level.Around(rounded(n.mean), se, freedom(n))
			x.Mean = &estimate.Interval{StandardError: se, Low: low, High: high}
			x.Rest = compare(estimate.Rest, n, rests[i])
		}
		if i >= audiences && s.request.Splitter != "" {
			x.Previous = compare(estimate.Previous, n, all[i-audiences])
		}
		want = append(want, x)
	}
	pairs := map[[2]int]*estimate.Difference{}
	for i := range all {
		for j := range i {
			switch {
			case i/audiences == j/audiences && len(s.request.Audiences) > 0:
				pairs[[2]int{j, i}] = compare(estimate.Audiences, all[j], all[i])
			case i%audiences == j%audiences && s.request.Splitter != "":
				pairs[[2]int{j, i}] = compare(estimate.Segments, all[j], all[i])
			}
		}
	}
	for _, family := range families {
		estimate.New(*o).Adjust(family)
	}
	for i, x := range want {
		comparisons := func(c estimate.Compare, others func(j int) (string, bool)) *stats.Comparisons {
			if !o.Compares(c) {
				return nil
			}
			return comparisonsOf(i, len(all), pairs, o, others)
		}
		x.Audiences = comparisons(estimate.Audiences, func(j int) (string, bool) {
			return s.entries[j].Audience, i/audiences == j/audiences
		})
		x.Segments = comparisons(estimate.Segments, func(j int) (string, bool) {
			return s.entries[j].Segment, i%audiences == j%audiences
		})
		if d := cmp.Diff(x, s.entries[i].Statistics, about); d != "" {
			s.Errorf("%s: entry %d: (-want +got)\n%s", s.name, i, d)
		}
	}
}

// comparisonsOf are those of an entry with others, by the differences of pairs.
func comparisonsOf(i, n int, pairs map[[2]int]*estimate.Difference, o *estimate.Options,
	others func(j int) (string, bool)) *stats.Comparisons {
	out := &stats.Comparisons{}
	for j := range n {
		name, is := others(j)
		found := pairs[[2]int{min(i, j), max(i, j)}]
		if !is || i == j || found == nil {
			continue
		}
		d := *found
		if j < i {
			d.Difference, d.T = -d.Difference, -d.T
		}
		if o.Pairs {
			out.Pairs = append(out.Pairs, stats.Pair{Other: name, Difference: d})
		}
		switch significant := d.AdjustedP <= (100-95)/100.; {
		case significant && d.Difference > 0:
			out.HigherThan = append(out.HigherThan, name)
		case significant:
			out.LowerThan = append(out.LowerThan, name)
		}
	}
	return out
}

// use is the question as it is used, for what it covers.
func (s *summarised) use() audience.Expr {
	f, r := s.oracle.Frame, s.request
	i, _ := f.Question(r.Question)
	q := &f.Questions[i]
	if q.Kind == audience.Number {
		return audience.Slice{Question: q.Key(), Bit: audience.AnyNumber}
	}
	leaf := audience.Answers{Question: q.Key(), Datapoints: r.Datapoints}
	if !q.Grid() {
		for _, d := range q.Datapoints {
			if d.Midpoint != nil {
				leaf.Datapoints = append(leaf.Datapoints, d.Code)
			}
		}
	}
	return leaf
}

// numbersOf are the numbers of the respondents by a question: those they gave, or the midpoints of their answers. ok is
// false if somebody has several.
func numbersOf(o *storetest.Oracle, r stats.SummaryRequest) (numbers []*big.Rat, ok bool) {
	question, _ := o.Frame.Question(r.Question)
	q := &o.Frame.Questions[question]
	numbers, ok = make([]*big.Rat, len(o.Respondents)), true
	if q.Kind == audience.Number {
		unit := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(o.Frame.Numbers(question).Decimals)), nil)
		for i := range o.Respondents {
			if whole, has := o.Respondents[i].Whole[q.Key()]; has {
				numbers[i] = new(big.Rat).SetFrac(big.NewInt(whole), unit)
			}
		}
		return numbers, true
	}
	for i := range o.Respondents {
		positive := o.Respondents[i].Positive
		found := func(midpoint *float64, datapoint int, a naive.Answer) {
			asked := o.Frame.Asked(question, datapoint).Has(o.Respondents[i].Fieldwork(o.Frame))
			if midpoint != nil && positive[a] && asked {
				ok = ok && numbers[i] == nil
				numbers[i] = estimate.Decimal(*midpoint)
			}
		}
		if q.Grid() {
			for _, s := range q.Suffixes {
				if len(r.Suffixes) == 0 || slices.Contains(r.Suffixes, s.Code) {
					found(s.Midpoint, o.Frame.Datapoint(question, r.Datapoints[0]), naive.Answer{Question: q.Key(),
						Datapoint: r.Datapoints[0], Suffix: s.Code})
				}
			}
			continue
		}
		for j, d := range q.Datapoints {
			found(d.Midpoint, j, naive.Answer{Question: q.Key(), Datapoint: d.Code})
		}
	}
	return numbers, ok
}

// numbersEverywhere gives the answers of a random study midpoints, some of them alike.
func numbersEverywhere(g storetest.Random, s *audience.Survey) {
	midpoint := func() *float64 {
		values := []float64{0, -1.5, 2, 3.25, 1e9, 1e9 + 1, 0.1, 7, -12.75, 1e-7}
		if x := values[g.IntN(len(values))]; g.IntN(6) > 0 {
			return &x
		}
		return nil
	}
	for i := range s.Questions {
		q := &s.Questions[i]
		for j := range q.Datapoints {
			q.Datapoints[j].Midpoint = midpoint()
		}
		for j := range q.Suffixes {
			q.Suffixes[j].Midpoint = midpoint()
		}
	}
}

// Summaries of random studies are what their respondents say one by one, in exact fractions: means, standard deviations
// and quantiles to the last digit, and how sure the means and their differences are.
func TestSummariesAreAsRespondentsSay(t *testing.T) {
	seen := map[string]int{}
	for seed := range uint64(testsize.Of(15, 150, 400)) {
		g := storetest.NewRandom(5000 + seed)
		study := g.Study()
		numbersEverywhere(g, study.Survey)
		ref := new(naive.Store)
		if err := study.Load(t.Context(), ref); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		o := storetest.NewOracle(ref)
		a := &asker{Rand: g.Rand, frame: o.Frame}
		for i := range 8 {
			r := a.summary()
			name := fmt.Sprintf("seed %d, request %d", seed, i)
			summariseRandom(t, name, ref, o, r, seen)
			if t.Failed() {
				t.Fatalf("%+v\n%s", r, study.Text())
			}
		}
	}
	t.Logf("%v", seen)
	for _, what := range []string{"entries", "statistics", "several", "refused", "numbers", "kept"} {
		if seen[what] == 0 {
			t.Errorf("the requests ask too little: %v", seen)
		}
	}
}

func summariseRandom(t *testing.T, name string, ref audience.Store, o *storetest.Oracle, r stats.SummaryRequest,
	seen map[string]int) {
	res, err := stats.Summary(t.Context(), ref, r)
	var incompatible *audience.IncompatibleError
	var invalid *audience.InvalidError
	switch {
	case errors.As(err, &incompatible):
		return
	case errors.As(err, &invalid):
		seen[refusal(t, name, o, r, err)]++
		return
	case err != nil:
		t.Fatalf("%s: %v", name, err)
	}
	s := &summarised{T: t, name: name, oracle: o, request: r, level: inference.NewLevel(95)}
	s.numbers, _ = numbersOf(o, r)
	for e := range res.Entries() {
		s.entries = append(s.entries, e)
		if e.Metrics.Mean != nil {
			seen["numbers"]++
		}
	}
	if i, _ := o.Frame.Question(r.Question); o.Frame.Questions[i].Kind == audience.Number {
		seen["kept"] += len(s.entries)
	}
	seen["entries"] += s.check()
	if r.Statistics != nil {
		seen["statistics"] += len(s.entries)
	}
}

// refusal is why a request was refused; there must be a reason.
func refusal(t *testing.T, name string, o *storetest.Oracle, r stats.SummaryRequest, err error) string {
	i, _ := o.Frame.Question(r.Question)
	q := &o.Frame.Questions[i]
	midpoints := slices.ContainsFunc(q.Datapoints, func(d audience.Datapoint) bool { return d.Midpoint != nil })
	if q.Grid() {
		midpoints = slices.ContainsFunc(q.Suffixes, func(s audience.Suffix) bool {
			return s.Midpoint != nil && (len(r.Suffixes) == 0 || slices.Contains(r.Suffixes, s.Code))
		})
	}
	switch {
	case q.Kind == audience.Multi, q.Grid() && len(r.Datapoints) != 1, q.Kind != audience.Number && !midpoints,
		q.Kind == audience.Number && o.Frame.Numbers(i).Bits == 0:
		return "refused"
	}
	if _, one := numbersOf(o, r); one {
		t.Errorf("%s: refused for no reason: %v", name, err)
	}
	return "several"
}

// summary asks for a random summary.
func (a *asker) summary() stats.SummaryRequest {
	inner := a.request()
	q, code := a.question()
	for q.Kind == audience.Multi && a.chance(95) {
		q, code = a.question()
	}
	r := stats.SummaryRequest{Question: code, Splitter: inner.Splitter, Segments: inner.Segments,
		SegmentedBase: inner.SegmentedBase, Audiences: inner.Audiences, Base: inner.Base, Waves: inner.Waves,
		Locations: inner.Locations, Quantiles: []float64{50, 0, 100, 33.3, 2.5}}
	if q.Grid() && a.chance(95) {
		r.Datapoints = []string{q.Datapoints[a.IntN(len(q.Datapoints))].Code}
		r.Suffixes = some(a, suffixes(q), 50)
	}
	if a.chance(70) {
		r.Statistics = &estimate.Options{Pairs: a.chance(70), Compare: []estimate.Compare{estimate.Rest,
			estimate.Previous, estimate.Audiences, estimate.Segments},
			Correction: []estimate.Correction{estimate.None, estimate.Holm}[a.IntN(2)]}
	}
	return r
}
