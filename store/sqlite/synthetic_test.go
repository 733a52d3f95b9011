package sqlite

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/store/naive"
	"github.com/crosswave/crosswave/store/storetest"
	"github.com/crosswave/crosswave/store/survey"
	"github.com/crosswave/crosswave/store/survey/decimal"
)

// synthetic is a survey made for these tests: two namespaces, four waves, five locations; a multiple-choice question m
// and a single-choice question s of 50 datapoints each, of which some are rare and one is what everybody says, and a
// grid g. Weights have three decimals, in the last wave four. Four of five gave a whole number to n, in the last wave
// larger ones with two decimals.
func synthetic(seed uint64, respondents int) *storetest.Study {
	rnd := rand.New(rand.NewPCG(seed, 1))
	sv := &audience.Survey{
		Namespaces: []audience.Namespace{{Code: "core"}, {Code: "ext", Base: "core"}},
		Questions: []audience.Question{
			{Namespace: "core", Code: "m", Kind: audience.Multi},
			{Namespace: "core", Code: "s", Kind: audience.Single},
			{Namespace: "ext", Code: "g", Kind: audience.Grid, Suffixes: []audience.Suffix{{Code: 1}, {Code: 2}, {Code: 5}}},
			{Namespace: "core", Code: "n", Kind: audience.Number},
		},
	}
	for w := range 4 {
		sv.Waves = append(sv.Waves, audience.Wave{Code: fmt.Sprintf("w%d", w+1), Start: fmt.Sprintf("2024-%02d-01", 3*w+1)})
	}
	for l := range 5 {
		sv.Locations = append(sv.Locations, audience.Location{Code: fmt.Sprintf("l%d", l+1)})
	}
	for i := range sv.Questions {
		q := &sv.Questions[i]
		q.Asked = audience.Asked{{}}
		for d := range 50 {
			if q.Code == "g" && d == 10 || q.Code == "n" && d == 1 {
				break
			}
			q.Datapoints = append(q.Datapoints, audience.Datapoint{Code: fmt.Sprintf("%s%d", q.Code, d)})
		}
	}
	layout := survey.NewLayout(sv)
	st := &storetest.Study{Survey: sv}
	answered := make([]uint64, (layout.Items()+63)/64)
	for i := range answered {
		answered[i] = ^uint64(0)
	}
	for i := range respondents {
		r := survey.Respondent{Row: int64(i + 1), ID: fmt.Sprint(i), Wave: rnd.IntN(4), Location: min(rnd.IntN(7), 4),
			Answered: answered}
		step := int64(10)
		if r.Wave == 3 {
			step = 1
		}
		r.Weights = make([]decimal.Decimal, 2)
		r.Weights[0], _ = decimal.Parse(fmt.Sprintf("%d.%04d", rnd.IntN(3000), step*rnd.Int64N(10000/step)+step), false)
		if rnd.IntN(3) == 0 {
			r.Weights[1] = decimal.FromInt(rnd.Int64N(900) + 1)
		}
		if rnd.IntN(50) == 0 {
			r.Weights[0] = decimal.Decimal{}
		}
		for d := range 50 {
			if d == 49 || rnd.Float64() < 0.4*float64(d+1)/50/float64(1+200*(d%10/9)) { // m9, m19 … are rare
				r.Attributes = append(r.Attributes, layout.Attribute(0, d, 0))
			}
		}
		r.Attributes = append(r.Attributes, layout.Attribute(1, min(rnd.IntN(55), 49), 0))
		if !r.Weights[1].IsZero() {
			for d := range 10 {
				if s := rnd.IntN(6); s < 3 {
					r.Attributes = append(r.Attributes, layout.Attribute(2, d, s))
				}
			}
		}
		if rnd.IntN(5) > 0 {
			number := decimal.FromInt(rnd.Int64N(200) - 20)
			if r.Wave == 3 {
				number = decimal.FromUnits(rnd.Int64N(4_000_000)-1_000_000, 2)
			}
			r.Numbers = []survey.Given{{Question: 3, Value: number}}
		}
		st.Respondents = append(st.Respondents, r)
	}
	return st
}

// part is the study without respondents for which keep is false.
func part(st *storetest.Study, keep func(*survey.Respondent) bool) *storetest.Study {
	out := &storetest.Study{Survey: st.Survey}
	for _, r := range st.Respondents {
		if keep(&r) {
			out.Respondents = append(out.Respondents, r)
		}
	}
	return out
}

func inWave(w int) func(*survey.Respondent) bool {
	return func(r *survey.Respondent) bool { return r.Wave == w }
}

// begin opens an import that makes a store hold the study.
func begin(t testing.TB, s survey.Store, st *storetest.Study, added []survey.Respondent) (survey.Writer,
	survey.Change) {
	t.Helper()
	base, err := s.Release(t.Context())
	check(t, err)
	f, err := st.Frame()
	check(t, err)
	w, err := s.Begin(t.Context(), base, st.Survey)
	check(t, err)
	check(t, w.Add(t.Context(), added))
	return w, survey.Change{Frame: f}
}

// publish makes a store that lacks added hold the study.
func publish(t testing.TB, s survey.Store, st *storetest.Study, added []survey.Respondent, drop ...string) uint64 {
	t.Helper()
	w, change := begin(t, s, st, added)
	change.Drop = drop
	version, err := w.Commit(t.Context(), change)
	check(t, err)
	return version
}

func check(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func openStore(t testing.TB, path string, c Config) *Store {
	t.Helper()
	s, err := Open(t.Context(), path, c)
	check(t, err)
	t.Cleanup(func() { check(t, s.Close()) })
	return s
}

// leaf is a question's datapoints as engines get them.
func leaf(question string, datapoints ...string) audience.Answers {
	return audience.Answers{Question: question, Datapoints: datapoints, Min: 1}
}

// datapoints is an expression for each datapoint of a question.
func datapoints(f *audience.Frame, question string) []audience.Expr {
	i, err := f.Question(question)
	if err != nil || i < 0 {
		panic(question)
	}
	var xs []audience.Expr
	for _, d := range f.Questions[i].Datapoints {
		xs = append(xs, leaf(question, d.Code))
	}
	return xs
}

// strata are a cover per wave, or one of everything.
func strata(f *audience.Frame, perWave bool) []audience.Cover {
	all := []audience.Cover{audience.NewCover(f.Size())}
	var waves []audience.Cover
	for w := range f.Waves {
		c := audience.NewCover(f.Size())
		for l := range f.Locations {
			c.Set(f.At(w, l))
			all[0].Set(f.At(w, l))
		}
		waves = append(waves, c)
	}
	if perWave {
		return waves
	}
	return all
}

// fieldworks are a cover for each wave and location.
func fieldworks(f *audience.Frame) []audience.Cover {
	var each []audience.Cover
	for i := range f.Size() {
		c := audience.NewCover(f.Size())
		c.Set(i)
		each = append(each, c)
	}
	return each
}

// queries are what these tests ask of the synthetic survey.
func queries(f *audience.Frame) []audience.Query {
	all, waves := strata(f, false), strata(f, true)
	odd := audience.NewCover(f.Size()) // two locations that do not stand side by side
	for w := range f.Waves {
		odd.Set(f.At(w, 0))
		odd.Set(f.At(w, 2))
	}
	nested := []audience.Expr{
		audience.Everyone{},
		audience.And{leaf("core.m", "m3", "m48"), audience.Not{X: leaf("core.s", "s0", "s1", "s2")}},
		audience.Or{audience.And{audience.Waves{Codes: []string{"w1"}, Min: 1}, leaf("core.m", "m40")},
			audience.And{audience.Locations{Codes: []string{"l2", "l5"}, Min: 1}, leaf("core.m", "m41")}},
		audience.Answers{Question: "core.m", Datapoints: []string{"m9", "m19", "m30", "m40", "m45"}, Min: 2},
		audience.Answers{Question: "core.m", Datapoints: []string{"m9", "m49", "m30", "m40", "m45"}, Min: 3},
		audience.Answers{Question: "ext.g", Datapoints: []string{"g1", "g2", "g3"}, Suffixes: []int{1, 5}, Min: 2},
		audience.And{},
		audience.Or{},
		audience.Not{X: audience.And{leaf("core.m", "m49"), audience.Waves{Codes: []string{"w2", "w3"}, Min: 1}}},
	}
	var digits []audience.Expr
	if n, err := f.Question("core.n"); err == nil {
		for bit := range f.Numbers(n).Bits {
			digits = append(digits, audience.Slice{Question: "core.n", Bit: bit})
		}
	}
	someone := audience.Slice{Question: "core.n", Bit: audience.AnyNumber}
	return []audience.Query{
		{Namespace: "core", Rows: datapoints(f, "core.m"), Columns: datapoints(f, "core.s"), Strata: all},
		{Namespace: "core", Rows: append(digits, someone), Columns: append(digits[:min(5, len(digits)):min(5, len(digits))],
			nested...), Strata: waves},
		{Namespace: "core", Base: someone, Rows: digits, Columns: digits, Strata: fieldworks(f)[4:8],
			Measures: audience.Squares},
		{Namespace: "ext", Base: audience.Not{X: someone}, Rows: digits, Strata: all},
		{Namespace: "core", Rows: datapoints(f, "core.m"), Columns: datapoints(f, "core.m"), Strata: waves},
		{Namespace: "core", Base: nested[1], Rows: nested, Columns: nested, Strata: append([]audience.Cover{odd, nil},
			audience.NewCover(f.Size()))},
		{Namespace: "ext", Base: leaf("core.m", "m49"), Rows: append(datapoints(f, "ext.g"), nested...), Columns: nil,
			Strata: waves},
		{Namespace: "ext", Base: audience.Or{}, Columns: nested, Strata: all},
		{Namespace: "core", Strata: waves},
		{Namespace: "core", Rows: datapoints(f, "core.m")[40:], Columns: datapoints(f, "core.s")[:17],
			Strata: fieldworks(f), Measures: audience.Squares},
		{Namespace: "core", Base: nested[1], Rows: nested, Columns: append(nested, nested[1], audience.Everyone{}),
			Strata: fieldworks(f), Measures: audience.Squares},
		{Namespace: "ext", Base: leaf("core.m", "m49"), Rows: datapoints(f, "ext.g"), Columns: nested,
			Strata: fieldworks(f)[3:9], Measures: audience.Squares},
		{Namespace: "core", Strata: fieldworks(f), Measures: audience.Squares},
		// Tables of many rows and few columns, in blocks of one segment and of several.
		{Namespace: "core", Rows: datapoints(f, "core.m"), Columns: datapoints(f, "core.s")[:1], Strata: fieldworks(f),
			Measures: audience.Squares},
		{Namespace: "core", Base: nested[1], Rows: append(datapoints(f, "core.m"), nested...),
			Columns: []audience.Expr{leaf("core.m", "m48"), leaf("core.m", "m9"), nested[3]}, Strata: []audience.Cover{odd}},
		{Namespace: "ext", Rows: append(datapoints(f, "ext.g"), datapoints(f, "core.m")...), Columns: nested[2:4],
			Strata: waves},
	}
}

// ask counts the queries of these tests.
func ask(ctx context.Context, s audience.Store) ([][]*audience.Table, error) {
	f, err := s.Frame(ctx)
	if err != nil {
		return nil, err
	}
	return s.Count(ctx, f.Version, queries(f))
}

// reference is what they come to.
func reference(t testing.TB, st *storetest.Study) [][]*audience.Table {
	t.Helper()
	var r naive.Store
	publish(t, &r, st, st.Respondents)
	tables, err := ask(t.Context(), &r)
	check(t, err)
	return tables
}
