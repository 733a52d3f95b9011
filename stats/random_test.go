package stats_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/internal/testsize"
	"github.com/crosswave/crosswave/stats"
	"github.com/crosswave/crosswave/store/naive"
	"github.com/crosswave/crosswave/store/storetest"
	"github.com/google/go-cmp/cmp"
)

// Random questions about random studies of ragged coverage: 1,000 of statistics and 1,000 of wave counts, 200 each with
// -short, 4,000 in whole tests. What comes must be what the naive oracle says, bit for bit.
func TestRandom(t *testing.T) {
	const perStudy = 20
	studies := uint64(testsize.Of(10, 50, 200))
	var seen tally
	for seed := range studies {
		g := storetest.NewRandom(seed)
		ref, study := new(naive.Store), g.Study()
		if err := study.Load(t.Context(), ref); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		for i := range perStudy {
			o := storetest.NewOracle(ref)
			a := &asker{Rand: g.Rand, frame: o.Frame}
			grant := a.grant()
			o.Frame = o.Frame.For(grant)
			st := audience.Restrict(ref, grant)
			r := a.request()
			if d := compareRun(t, st, o, r, &seen); d != "" {
				t.Fatalf("seed %d, question %d: %+v\n%s\n%s", seed, i, r, d, study.Text())
			}
			w := stats.WaveRequest{Expression: a.expr(3), Waves: some(a, a.waves(), 60), Locations: some(a, a.locations(), 60)}
			if d := compareWaves(t, st, o, w, &seen); d != "" {
				t.Fatalf("seed %d, wave counts %d: %+v\n%s\n%s", seed, i, w, d, study.Text())
			}
		}
	}
	// A run that says nothing finds nothing: most answers hold people, some are not measured, some requests are refused.
	t.Logf("%+v", seen)
	if n := int(studies) * perStudy; seen.people < n || seen.unmeasured == 0 || seen.refused == 0 ||
		seen.incompatible == 0 || seen.waves < n/2 || seen.withheld == 0 {
		t.Errorf("the questions ask too little: %+v", seen)
	}
}

// tally is what a run came upon.
type tally struct{ entries, people, unmeasured, refused, incompatible, waves, withheld int }

// compareRun compares statistics with the oracle's.
func compareRun(t *testing.T, st audience.Store, o *storetest.Oracle, r stats.Request, seen *tally) string {
	res, err := stats.Run(t.Context(), st, r)
	if done, d := compareErrors(o.Frame, err, seen, hidden(o.Frame, r)); done {
		return d
	}
	want, naive := entries(o, r)
	var incompatible *audience.IncompatibleError
	if errors.As(err, &incompatible) && (naive != nil || len(want) == 0) {
		seen.incompatible++
		return ""
	}
	if err != nil || naive != nil {
		return fmt.Sprintf("%v; the oracle says %v", err, naive)
	}
	var got []stats.Entry
	for e := range res.Entries() {
		got = append(got, e)
		seen.entries++
		if e.Metrics.Positive.Sample > 0 {
			seen.people++
		}
		if e.Withheld {
			seen.withheld++
		}
		if len(e.Waves) == 0 {
			seen.unmeasured++
		}
	}
	return cmp.Diff(want, got)
}

// compareWaves compares wave counts with the oracle's.
func compareWaves(t *testing.T, st audience.Store, o *storetest.Oracle, r stats.WaveRequest, seen *tally) string {
	got, err := stats.WaveCounts(t.Context(), st, r)
	if done, d := compareErrors(o.Frame, err, seen, hiddenCodes(o.Frame, r.Waves, r.Locations, r.Expression)); done {
		return d
	}
	want, naive := waveCounts(o, r)
	if naive != nil {
		if incompatible := (*audience.IncompatibleError)(nil); !errors.As(err, &incompatible) {
			return fmt.Sprintf("%v; the oracle says %v", err, naive)
		}
		seen.incompatible++
		return ""
	}
	if err != nil {
		return err.Error()
	}
	seen.waves += len(got.Waves)
	return cmp.Diff(want, got)
}

// compareErrors tells whether that is all there is to compare: a request is refused if, and only if, it uses a hidden
// code.
func compareErrors(f *audience.Frame, err error, seen *tally, hidden bool) (done bool, d string) {
	var unavailable *audience.UnavailableError
	if refused := errors.As(err, &unavailable); refused != hidden {
		return true, fmt.Sprintf("uses hidden codes: %v, but the error is %v", hidden, err)
	}
	if hidden {
		seen.refused++
	}
	return hidden, ""
}

// entries forms statistics figure by figure.
func entries(o *storetest.Oracle, r stats.Request) ([]stats.Entry, error) {
	spec := audience.Spec{Waves: r.Waves, Locations: r.Locations}
	audiences := r.Audiences
	if len(audiences) == 0 {
		audiences = []audience.Audience{{Expr: audience.Everyone{}}}
	}
	base := o.Part(r.Base.Expr)
	if r.Base.Expr == nil {
		base = o.Part(audience.Everyone{})
	}
	var list []stats.Entry
	for _, d := range datapoints(o.Frame, r) {
		for _, s := range segments(o.Frame, r) {
			for _, a := range audiences {
				parts := []storetest.Part{base, o.Part(a.Expr), o.Part(s.x),
					o.Part(audience.Answers{Question: r.Question, Datapoints: []string{d}, Suffixes: r.Suffixes})}
				all, alone := []int{0}, []int{0, 3}
				if r.SegmentedBase {
					all, alone = []int{0, 2}, []int{0, 2, 3}
				}
				_, cover, f, err := o.Measure(spec, parts, all, []int{0, 1, 2, 3}, []int{0, 1, 2}, alone)
				if err != nil {
					return nil, err
				}
				e := stats.Entry{Datapoint: d, Segment: s.code, Audience: a.ID, Waves: covered(o.Frame, cover)}
				for _, code := range r.Suffixes {
					if !slices.Contains(e.Suffixes, code) {
						e.Suffixes = append(e.Suffixes, code)
					}
				}
				e.Metrics = stats.Metrics{Positive: f[1].Figure(), Audience: f[2].Figure(), Datapoint: f[3].Figure(),
					AudiencePercentage: f[1].Percentage(f[2]), DatapointPercentage: f[1].Percentage(f[3]),
					AudienceIndex: storetest.Index(f[1], f[0], f[2], f[3])}
				e.Withheld = !cover.Empty() && storetest.Withheld(o.Frame.Floor(), f[0].Sample, f[3].Sample, f[2].Sample,
					f[1].Sample)
				if e.Withheld {
					e.Metrics = stats.Metrics{}
				}
				list = append(list, e)
			}
		}
	}
	return list, nil
}

func datapoints(f *audience.Frame, r stats.Request) (codes []string) {
	for _, d := range r.Datapoints {
		if !slices.Contains(codes, d) {
			codes = append(codes, d)
		}
	}
	if len(codes) == 0 {
		i, _ := f.Question(r.Question)
		for _, d := range f.Questions[i].Datapoints {
			codes = append(codes, d.Code)
		}
	}
	return codes
}

// segment is a segment by its code; without a splitter there is one, everyone.
type segment struct {
	code string
	x    audience.Expr
}

func segments(f *audience.Frame, r stats.Request) (list []segment) {
	wanted := func(code string, requested []string) bool {
		return (len(r.Segments) == 0 || slices.Contains(r.Segments, code)) && (len(requested) == 0 ||
			slices.Contains(requested, code))
	}
	switch r.Splitter {
	case "":
		return []segment{{"", audience.Everyone{}}}
	case "waves":
		for i, w := range f.Waves {
			if !f.HidesWave(i) && wanted(w.Code, r.Waves) {
				list = append(list, segment{w.Code, audience.Waves{Codes: []string{w.Code}}})
			}
		}
	case "locations":
		for i, l := range f.Locations {
			if !f.HidesLocation(i) && wanted(l.Code, r.Locations) {
				list = append(list, segment{l.Code, audience.Locations{Codes: []string{l.Code}}})
			}
		}
	default:
		i, _ := f.Question(r.Splitter)
		for _, d := range f.Questions[i].Datapoints {
			if wanted(d.Code, nil) {
				list = append(list, segment{d.Code, audience.Answers{Question: r.Splitter, Datapoints: []string{d.Code}}})
			}
		}
	}
	return list
}

// covered lists the waves that have any fieldwork in a cover.
func covered(f *audience.Frame, c audience.Cover) []string {
	codes := []string{}
	for w := range f.Waves {
		for l := range f.Locations {
			if c.Has(f.At(w, l)) {
				codes = append(codes, f.Waves[w].Code)
				break
			}
		}
	}
	return codes
}

// waveCounts forms wave counts figure by figure.
func waveCounts(o *storetest.Oracle, r stats.WaveRequest) (*stats.WaveResult, error) {
	spec := audience.Spec{Waves: r.Waves, Locations: r.Locations}
	x := o.Part(r.Expression)
	_, whole, f, err := o.Measure(spec, []storetest.Part{x}, nil, []int{0})
	if err != nil {
		return nil, err
	}
	floor := o.Frame.Floor()
	out := &stats.WaveResult{Base: f[0].Figure(), Audience: f[1].Figure(), Percentage: f[1].Percentage(f[0])}
	if !whole.Empty() && storetest.Withheld(floor, f[0].Sample, f[1].Sample, f[0].Sample, f[1].Sample) {
		out = &stats.WaveResult{Withheld: true}
	}
	for i, w := range o.Frame.Waves {
		if o.Frame.HidesWave(i) || len(r.Waves) > 0 && !slices.Contains(r.Waves, w.Code) {
			continue
		}
		wave := o.Part(audience.Waves{Codes: []string{w.Code}})
		_, cover, f, err := o.Measure(spec, []storetest.Part{x, wave}, []int{1}, []int{0, 1})
		if err != nil {
			return nil, err
		}
		if cover.Empty() {
			continue
		}
		count := stats.WaveCount{Code: w.Code, Name: w.Name, Sample: f[1].Sample, Percentage: f[1].Percentage(f[0])}
		// within the wave everyone is in its column
		if storetest.Withheld(floor, f[0].Sample, f[1].Sample, f[0].Sample, f[1].Sample) {
			count.Sample, count.Percentage, count.Withheld = 0, 0, true
		}
		out.Waves = append(out.Waves, count)
	}
	return out, nil
}

// hidden tells whether a request uses a code that is hidden.
func hidden(f *audience.Frame, r stats.Request) bool {
	xs := []audience.Expr{audience.Answers{Question: r.Question, Datapoints: r.Datapoints}, r.Base.Expr}
	for _, a := range r.Audiences {
		xs = append(xs, a.Expr)
	}
	waves, locations := r.Waves, r.Locations
	switch r.Splitter {
	case "":
	case "waves":
		waves = append(slices.Clone(waves), r.Segments...)
	case "locations":
		locations = append(slices.Clone(locations), r.Segments...)
	default:
		xs = append(xs, audience.Answers{Question: r.Splitter, Datapoints: r.Segments})
	}
	return hiddenCodes(f, waves, locations, xs...)
}

func hiddenCodes(f *audience.Frame, waves, locations []string, xs ...audience.Expr) bool {
	found := slices.ContainsFunc(waves, func(c string) bool { return f.HidesWave(f.Wave(c)) }) ||
		slices.ContainsFunc(locations, func(c string) bool { return f.HidesLocation(f.Location(c)) })
	for _, x := range xs {
		audience.Walk(x, func(x audience.Expr) bool {
			switch x := x.(type) {
			case audience.Waves:
				found = found || hiddenCodes(f, x.Codes, nil)
			case audience.Locations:
				found = found || hiddenCodes(f, nil, x.Codes)
			case audience.Answers:
				i, _ := f.Question(x.Question)
				for j, d := range f.Questions[i].Datapoints {
					found = found || f.HidesDatapoint(i, j) && (len(x.Datapoints) == 0 || slices.Contains(x.Datapoints, d.Code))
				}
			}
			return true
		})
	}
	return found
}

// asker makes random requests about what a frame tells.
type asker struct {
	*rand.Rand
	frame *audience.Frame
}

func (a *asker) chance(percent int) bool { return a.IntN(100) < percent }

func (a *asker) waves() (codes []string) {
	for _, w := range a.frame.Waves {
		codes = append(codes, w.Code)
	}
	return codes
}

func (a *asker) locations() (codes []string) {
	for _, l := range a.frame.Locations {
		codes = append(codes, l.Code)
	}
	return codes
}

func points(q *audience.Question) (codes []string) {
	for _, d := range q.Datapoints {
		codes = append(codes, d.Code)
	}
	return codes
}

func suffixes(q *audience.Question) (codes []int) {
	for _, s := range q.Suffixes {
		codes = append(codes, s.Code)
	}
	return codes
}

// some is part of the codes, in any order, at times with one of them twice, and so often none.
func some[T any](a *asker, codes []T, none int) []T {
	if a.chance(none) || len(codes) == 0 {
		return nil
	}
	codes = slices.Clone(codes)
	a.Shuffle(len(codes), func(i, j int) { codes[i], codes[j] = codes[j], codes[i] })
	codes = codes[:1+a.IntN(len(codes))]
	if a.chance(15) {
		codes = append(codes, codes[0])
	}
	return codes
}

// question is any question that is not hidden by name, with its namespace or, where that is enough, without.
func (a *asker) question() (*audience.Question, string) {
	i := a.IntN(len(a.frame.Questions))
	q := &a.frame.Questions[i]
	if bare, err := a.frame.Question(q.Code); err == nil && bare == i && a.chance(50) {
		return q, q.Code
	}
	return q, q.Key()
}

func (a *asker) request() stats.Request {
	q, code := a.question()
	r := stats.Request{
		Question: code, Datapoints: some(a, points(q), 50), Suffixes: some(a, suffixes(q), 50), SegmentedBase: a.chance(40),
		Waves: some(a, a.waves(), 60), Locations: some(a, a.locations(), 60),
	}
	switch a.IntN(6) {
	case 0, 1:
		r.Splitter, r.Segments = "waves", some(a, a.waves(), 70)
	case 2:
		r.Splitter, r.Segments = "locations", some(a, a.locations(), 70)
	case 3, 4:
		q, code := a.question()
		r.Splitter, r.Segments = code, some(a, points(q), 70)
	}
	for i := range a.IntN(3) {
		r.Audiences = append(r.Audiences, audience.Audience{ID: fmt.Sprint("a", i), Expr: a.expr(1 + a.IntN(3))})
	}
	if a.chance(30) {
		r.Base.Expr = a.expr(2)
	}
	return r
}

// expr is an expression of at most so many levels.
func (a *asker) expr(levels int) audience.Expr {
	if levels > 1 && a.chance(50) {
		parts := []audience.Expr{a.expr(levels - 1), a.expr(levels - 1)}
		switch a.IntN(3) {
		case 0:
			return audience.And(parts)
		case 1:
			return audience.Or(parts)
		}
		return audience.Not{X: parts[0]}
	}
	switch a.IntN(8) {
	case 0:
		return audience.Everyone{}
	case 1:
		return audience.Waves{Codes: some(a, a.waves(), 10)}
	case 2:
		return audience.Locations{Codes: some(a, a.locations(), 10)}
	}
	q, code := a.question()
	return audience.Answers{Question: code, Datapoints: some(a, points(q), 20), Suffixes: some(a, suffixes(q), 50),
		Min: a.IntN(3)}
}

// grant hides, mostly, nothing; at times some waves, locations or datapoints.
func (a *asker) grant() audience.Grant {
	g := audience.All()
	switch a.IntN(10) {
	case 0:
		g.Waves = some(a, a.waves(), 0)
	case 1:
		g.Locations = some(a, a.locations(), 0)
	case 2:
		var codes []string
		for i := range a.frame.Questions {
			for _, d := range a.frame.Questions[i].Datapoints {
				codes = append(codes, a.frame.Questions[i].Key()+":"+d.Code)
			}
		}
		g.Datapoints = some(a, codes, 0)
	}
	if a.chance(20) {
		g.MinSample = int64(1 + a.IntN(5))
	}
	return g
}
