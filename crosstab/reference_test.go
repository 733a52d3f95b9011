package crosstab_test

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/audience/estimate"
	"github.com/crosswave/crosswave/crosstab"
	"github.com/crosswave/crosswave/internal/inference"
	"github.com/crosswave/crosswave/internal/testsize"
	"github.com/crosswave/crosswave/store/naive"
	"github.com/crosswave/crosswave/store/storetest"
)

// reference says how sure the figures of a crosstab are, from what each respondent adds to them: no moments, no
// gradients of parts, no plan. Distributions are those of internal/inference, which is held against R by itself.
type reference struct {
	*testing.T
	*ragged
	level   *inference.Level
	checked int
	tests   map[string][]*estimate.Difference // families
}

// cellWeights are the effective weights of a cell's respondents, within what it covers; 0 of others.
type cellWeights struct {
	*linear
	base, row, column, both []float64
}

func (r *reference) weigh(c *crosstab.Cell) *cellWeights {
	l := &linear{r.frame, r.store.Respondents(), c.Namespace}
	base, row, column := r.request.Base.Expr, r.row(c), r.column(c)
	return &cellWeights{l, l.weights(c.Cover, base), l.weights(c.Cover, base, row), l.weights(c.Cover, base, column),
		l.weights(c.Cover, base, row, column)}
}

// freedom is how many respondents a list has, and its degrees of freedom: those less the fieldworks they are in.
func (l *linear) freedom(lists ...[]float64) (sample int64, df float64) {
	fieldworks := map[int]bool{}
	for i := range l.respondents {
		if slices.ContainsFunc(lists, func(list []float64) bool { return list[i] > 0 }) {
			sample++
			fieldworks[l.respondents[i].Fieldwork(l.frame)] = true
		}
	}
	return sample, max(1, float64(sample)-float64(len(fieldworks)))
}

func effective(weights []float64) float64 {
	squares := 0.0
	for _, w := range weights {
		squares += w * w
	}
	if squares == 0 {
		return 0
	}
	return total(weights) * total(weights) / squares
}

// proportion is a share as intervals and qualities go by it, and what its standard error can be told to.
func (l *linear) proportion(part, whole []float64) (p inference.Proportion, scale float64) {
	se, scale := l.deviation(ratio(part, whole))
	if se < 1e-12*scale {
		se = 0
	}
	p = inference.Proportion{P: total(part) / total(whole), Complement: total(less(whole, part)) / total(whole),
		Variance: se * se, Effective: effective(whole)}
	p.Sample, p.DF = l.freedom(whole)
	return p, scale
}

func (r *reference) near(at string, got, want, tolerance float64) {
	r.Helper()
	r.checked++
	if !(math.Abs(got-want) <= tolerance) && got != want {
		r.Errorf("%s: %v, want %v", at, got, want)
	}
}

// quality is what a proportion is marked with.
func (r *reference) quality(p inference.Proportion) estimate.Quality {
	low := r.request.Statistics.LowBase
	if low.Rule == estimate.NCHS {
		return []estimate.Quality{estimate.OK, estimate.Caution, estimate.Withhold}[inference.NewNCHSRule().Quality(p)]
	}
	switch {
	case p.Sample < cmp.Or(low.Withhold, 30):
		return estimate.Withhold
	case p.Sample < cmp.Or(low.Caution, 100):
		return estimate.Caution
	}
	return estimate.OK
}

func (r *reference) percentage(at string, got *estimate.Interval, l *linear, part, whole []float64) {
	r.Helper()
	if total(whole) == 0 || got == nil {
		if (total(whole) == 0) != (got == nil) {
			r.Errorf("%s: %v, the share of %v people", at, got, total(whole))
		}
		return
	}
	p, scale := l.proportion(part, whole)
	se := math.Sqrt(p.Variance)
	r.near(at+" standard error", got.StandardError/100, se, 1e-9*scale+1e-15)
	low, high := r.level.KornGraubard(p)
	loose := 1e-9
	if se > 0 {
		loose += 1e-9 * scale / se
	}
	r.near(at+" low", got.Low/100, low, loose)
	r.near(at+" high", got.High/100, high, loose)
	if want := r.quality(p); got.Quality != want {
		r.Errorf("%s: the quality is %s, want %s: %+v", at, got.Quality, want, p)
	}
}

// difference checks that of one share from another. Either is of weights of its own.
func (r *reference) difference(at string, got *estimate.Difference, l *linear, in, whole, in2, whole2 []float64) {
	r.Helper()
	if total(whole) == 0 || total(whole2) == 0 {
		if got != nil {
			r.Errorf("%s: %+v, of no one", at, *got)
		}
		return
	}
	a, scaleA := l.proportion(in, whole)
	b, scaleB := l.proportion(in2, whole2)
	se, scale := l.deviation(less(ratio(in, whole), ratio(in2, whole2)))
	rounding := 1e-12 * (scaleA + scaleB)
	if se < rounding || got == nil {
		if got != nil || se > 1e-9*scale+rounding {
			r.Errorf("%s: %+v, with a standard error of %v", at, got, se)
		}
		return
	}
	d := a.P - b.P
	if math.Abs(d) < 1e-14 {
		d = 0
	}
	_, df := l.freedom(whole, whole2)
	df = max(1, df-1)
	wantT, p := inference.Test(d, se, df)
	loose := 1e-8 + 1e-9*scale/se + 1e-13/se
	r.near(at+" difference", got.Difference/100, d, 1e-12)
	r.near(at+" standard error", got.StandardError/100, se, 1e-9*scale+1e-3*rounding)
	r.near(at+" t", got.T, wantT, loose*max(1, math.Abs(wantT)))
	r.near(at+" df", got.DF, df, 0)
	r.near(at+" p", got.P, p, loose)
	sound := total(in) > 0 && total(in2) > 0 && r.quality(a) != estimate.Withhold && r.quality(b) != estimate.Withhold
	if got.Sound != sound {
		r.Errorf("%s: sound is %v, want %v: %+v and %+v", at, got.Sound, sound, a, b)
	}
}

// cell checks all that is known of a cell by itself.
func (r *reference) cell(c *crosstab.Cell, w *cellWeights) {
	s := c.Statistics
	at := func(what string) string {
		return fmt.Sprint("seed ", r.seed, ": ", c.RowIndex, " ", c.ColumnIndex, ": ", what)
	}
	for i, x := range []struct {
		got  float64
		want []float64
	}{{s.BaseEffectiveSample, w.base}, {s.Row.EffectiveSample, w.row}, {s.Column.EffectiveSample, w.column},
		{s.Intersect.EffectiveSample, w.both}} {
		r.near(at("effective sample")+fmt.Sprint(i), x.got, effective(x.want), 1e-9*x.got)
	}
	r.percentage(at("row"), s.Row.Percentage, w.linear, w.row, w.base)
	r.percentage(at("column"), s.Column.Percentage, w.linear, w.column, w.base)
	r.percentage(at("both"), s.Intersect.Percentage, w.linear, w.both, w.base)
	r.percentage(at("of the column"), s.Row.IntersectPercentage, w.linear, w.both, w.column)
	r.percentage(at("of the row"), s.Column.IntersectPercentage, w.linear, w.both, w.row)

	_, df := w.freedom(w.base)
	se, scale := w.deviation(w.both)
	r.near(at("size"), s.Intersect.Size.StandardError, se, 1e-9*scale)
	low, high := r.level.Around(total(w.both), se, df)
	r.near(at("size low"), s.Intersect.Size.Low, low, 1e-7*scale)
	r.near(at("size high"), s.Intersect.Size.High, high, 1e-7*scale)
	r.index(at("index"), c, w, df)

	rest := less(w.base, w.column)
	for i := range rest {
		if w.column[i] > 0 { // the same weight, but for rounding
			rest[i] = 0
		}
	}
	inRest := slices.Clone(w.row)
	for i := range rest {
		if rest[i] == 0 {
			inRest[i] = 0
		}
	}
	r.difference(at("rest"), s.Rest, w.linear, w.both, w.column, inRest, rest)
}

func (r *reference) index(at string, c *crosstab.Cell, w *cellWeights, df float64) {
	got := c.Statistics.Intersect.Index
	if total(w.both) == 0 {
		if got != nil {
			r.Errorf("%s: %v, of no one", at, *got)
		}
		return
	}
	z := make([]float64, len(w.base))
	crude := 0.0
	for i := range z {
		z[i] = w.both[i]/total(w.both) - w.column[i]/total(w.column) + (w.base[i]/total(w.base) - w.row[i]/total(w.row))
		crude += math.Pow(w.both[i]/total(w.both), 2)
	}
	se, scale := w.deviation(z)
	index := c.Intersect.Index
	low, high := r.level.AroundLog(index, se, df)
	if endless := math.IsInf(high, 1); endless || got == nil {
		if endless != (got == nil) {
			r.Errorf("%s: %v, though its end is %v", at, got, high)
		}
		return
	}
	r.near(at, got.StandardError/index, se, 1e-9*scale+1e-14*math.Sqrt(crude))
	width := math.Log(high / index)
	r.near(at+" low", math.Log(got.Low/low), 0, 1e-8*max(1, width))
	r.near(at+" high", math.Log(got.High/high), 0, 1e-8*max(1, width))
}

// pair checks the comparison of two cells of a row, which may cover different fieldwork.
func (r *reference) pair(what string, got *estimate.Difference, a, b *crosstab.Cell,
	w map[*crosstab.Cell]*cellWeights) {
	at := fmt.Sprint("seed ", r.seed, ": row ", a.RowIndex, ", ", what, " of ", a.ColumnIndex, " and ", b.ColumnIndex)
	if a.Cover.Empty() || b.Cover.Empty() || a.Namespace != b.Namespace {
		if got != nil {
			r.Errorf("%s: %+v, though they can't be compared", at, *got)
		}
		return
	}
	x, y := w[a], w[b]
	r.difference(at, got, x.linear, x.both, x.column, y.both, y.column)
}

// rowOf checks the comparisons of the cells of a row.
func (r *reference) rowOf(cells []*crosstab.Cell, w map[*crosstab.Cell]*cellWeights) {
	pairs := map[[2]int]*estimate.Difference{}
	for _, a := range cells {
		if a.Statistics.Columns == nil {
			continue
		}
		r.letters(a)
		for i := range a.Statistics.Columns.Pairs {
			p := &a.Statistics.Columns.Pairs[i]
			pairs[[2]int{a.ColumnIndex, p.ColumnIndex}] = &p.Difference
		}
	}
	for i, a := range cells {
		for k, b := range cells {
			if a == b {
				continue
			}
			d := pairs[[2]int{a.ColumnIndex, b.ColumnIndex}]
			r.pair("columns", d, a, b, w)
			if i < k && d != nil {
				family := fmt.Sprint("columns of row ", a.RowIndex)
				r.tests[family] = append(r.tests[family], d)
			}
			if back := pairs[[2]int{b.ColumnIndex, a.ColumnIndex}]; d != nil && back != nil &&
				(d.AdjustedP != back.AdjustedP || d.T != -back.T) {
				r.Errorf("seed %d: %+v and %+v are of one pair", r.seed, *d, *back)
			}
		}
		var previous *crosstab.Cell
		switch {
		case i > 0:
			previous = cells[i-1]
			r.pair("previous", a.Statistics.Previous, a, previous, w)
		case a.Statistics.Previous != nil:
			r.Errorf("seed %d: the first column has a column before it", r.seed)
		}
		for family, d := range map[string]*estimate.Difference{"rest": a.Statistics.Rest,
			"previous": a.Statistics.Previous} {
			if d != nil {
				r.tests[family] = append(r.tests[family], d)
			}
		}
	}
}

// letters checks which columns a cell is said to be above and below.
func (r *reference) letters(c *crosstab.Cell) {
	var higher, lower []int
	last := 0
	for _, p := range c.Statistics.Columns.Pairs {
		if p.ColumnIndex <= last {
			r.Errorf("seed %d: pairs are not in order", r.seed)
		}
		last = p.ColumnIndex
		switch is := p.Sound && p.AdjustedP <= (100-level(r.ragged))/100; {
		case is && p.Difference.Difference > 0:
			higher = append(higher, p.ColumnIndex)
		case is:
			lower = append(lower, p.ColumnIndex)
		}
	}
	if got := c.Statistics.Columns; !slices.Equal(got.HigherThan, higher) || !slices.Equal(got.LowerThan, lower) {
		r.Errorf("seed %d: %d %d is above %v and below %v, want %v and %v", r.seed, c.RowIndex, c.ColumnIndex,
			got.HigherThan, got.LowerThan, higher, lower)
	}
}

// adjusted checks the corrected p-values of a family, by what the corrections are defined as.
func (r *reference) adjusted(name string, family []*estimate.Difference) {
	n := float64(len(family))
	for _, d := range family {
		least, largest := 1.0, 0.0 // of the p's that are as large or larger, and as small or smaller
		for _, e := range family {
			upTo := 0.0 // how many have a p up to that of e
			below := 0.0
			for _, f := range family {
				if f.P <= e.P {
					upTo++
				}
				if f.P < e.P {
					below++
				}
			}
			if e.P >= d.P {
				least = min(least, e.P*n/upTo)
			}
			if e.P <= d.P {
				largest = max(largest, e.P*(n-below))
			}
		}
		want := d.P
		switch r.request.Statistics.Correction {
		case estimate.Bonferroni:
			want = d.P * n
		case estimate.Holm:
			want = largest
		case estimate.FDR:
			want = least
		}
		r.near(fmt.Sprint("seed ", r.seed, ": ", name, ": adjusted p of ", d.P), d.AdjustedP, min(1, want), 1e-12)
	}
}

// How sure figures are is what the respondents say, one by one: in random ragged surveys with namespaces of their own,
// where columns overlap and cover different fieldwork, waves among them, matched or not.
func TestAsRespondentsSay(t *testing.T) {
	checked, matched, differing := 0, 0, 0
	for seed := range uint64(testsize.Of(20, 100, 1500)) {
		r := &reference{T: t, ragged: newRagged(t, 1000+seed), tests: map[string][]*estimate.Difference{}}
		r.level = inference.NewLevel(level(r.ragged))
		weights := map[*crosstab.Cell]*cellWeights{}
		rows := map[int][]*crosstab.Cell{}
		covers := map[string]bool{}
		for i := range r.cells {
			c := &r.cells[i]
			rows[c.RowIndex] = append(rows[c.RowIndex], c)
			if c.Cover.Empty() {
				if s := c.Statistics; s.Rest != nil || s.Intersect.Size != nil || s.Row.Percentage != nil {
					t.Errorf("seed %d: %d %d was not measured: %+v", seed, c.RowIndex, c.ColumnIndex, s)
				}
				continue
			}
			covers[fmt.Sprint(c.Namespace, c.Cover)] = true
			weights[c] = r.weigh(c)
			r.cell(c, weights[c])
		}
		for _, row := range rows {
			r.rowOf(row, weights)
		}
		for name, family := range r.tests {
			r.adjusted(name, family)
		}
		checked += r.checked
		if r.request.Matched {
			matched++
		}
		if len(covers) > 1 {
			differing++
		}
		if t.Failed() {
			t.Logf("the request: %s", audience.Print(r.request.Base.Expr))
			break
		}
	}
	t.Logf("%d numbers; %d matched crosstabs, %d with different covers", checked, matched, differing)
	if checked < 2000 || matched == 0 || differing == 0 {
		t.Error("too few were checked")
	}
}

// Where nearly all weight of two columns is in the row, their difference varies by the few others, whose weights are
// lost beside the row's.
func TestDifferenceOfNearlyAll(t *testing.T) {
	text := &strings.Builder{}
	text.WriteString("survey\n  namespace core\n  wave w1 2024-01-01\n  location uk\n  question row single yes no\n" +
		"  question column single a b\n\nrespondents\n  wave | location | core | row | column\n")
	for i := range 40 {
		column := "ab"[i%2 : i%2+1]
		fmt.Fprintf(text, "  w1 | uk | %d | yes | %s\n", 900_000_000_000+i*7, column)
		fmt.Fprintf(text, "  w1 | uk | %d | no | %s\n", 100+i*i, column)
	}
	st := new(naive.Store)
	if err := storetest.RunScript(t.Context(), "nearly all", text.String(), func() storetest.Engine {
		return st
	}); err != nil {
		t.Fatal(err)
	}
	f, err := st.Frame(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	r := &reference{T: t, level: inference.NewLevel(95), ragged: &ragged{store: st, frame: f, request: crosstab.Request{
		Rows:    []audience.Audience{leaf("row", "yes"), leaf("row", "no")},
		Columns: []audience.Audience{leaf("column", "a"), leaf("column", "b")},
		Statistics: &estimate.Options{Pairs: true, Compare: []estimate.Compare{estimate.Rest,
			estimate.Columns}},
	}}}
	if r.cells, err = crossed(t.Context(), st, r.request); err != nil {
		t.Fatal(err)
	}
	for i := range r.cells {
		a, b := r.weigh(&r.cells[i]), r.weigh(&r.cells[i^1])
		s := r.cells[i].Statistics
		if s.Rest == nil || len(s.Columns.Pairs) != 1 {
			t.Fatalf("cell %d has no differences", i)
		}
		r.difference("rest", s.Rest, a.linear, a.both, a.column, b.both, b.column)
		r.difference("columns", &s.Columns.Pairs[0].Difference, a.linear, a.both, a.column, b.both, b.column)
	}
}
