package crosstab_test

import (
	"context"
	"math"
	"testing"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/audience/estimate"
	"github.com/crosswave/crosswave/crosstab"
	"github.com/crosswave/crosswave/store/naive"
	"github.com/crosswave/crosswave/store/storetest"
)

// linear is a figure by respondent: what each adds to it, z, so that its variance is that of the sum of z in samples of
// each fieldwork.
type linear struct {
	frame       *audience.Frame
	respondents []naive.Respondent
	namespace   string
}

// weights are the effective weights of the respondents who are covered and in x; 0 of others.
func (l *linear) weights(cover audience.Cover, x ...audience.Expr) []float64 {
	f := l.frame
	waves := map[int]float64{}
	for i := range cover.All() {
		_, location := f.Fieldwork(i)
		waves[location]++
	}
	out := make([]float64, len(l.respondents))
	for i := range l.respondents {
		r := &l.respondents[i]
		at := r.Fieldwork(f)
		if !cover.Has(at) {
			continue
		}
		in := true
		for _, x := range x {
			is, err := r.In(f, x)
			in = in && is && err == nil
		}
		if in {
			_, location := f.Fieldwork(at)
			n := f.Namespace(l.namespace)
			out[i] = float64(r.Units[l.namespace]) / math.Pow10(f.Decimals(n))
			if f.Namespaces[n].Universe != audience.Sum {
				out[i] /= waves[location]
			}
		}
	}
	return out
}

func total(weights []float64) (t float64) {
	for _, w := range weights {
		t += w
	}
	return t
}

// deviation is the standard error of the sum of z, and what it can be told to: √Σ z².
func (l *linear) deviation(z []float64) (se, scale float64) {
	n, mean, sum := map[int]float64{}, map[int]float64{}, map[int]float64{}
	for i := range l.respondents {
		if r := &l.respondents[i]; r.Units[l.namespace] > 0 {
			n[r.Fieldwork(l.frame)]++
			mean[r.Fieldwork(l.frame)] += z[i]
			scale += z[i] * z[i]
		}
	}
	for i := range l.respondents {
		if r := &l.respondents[i]; r.Units[l.namespace] > 0 {
			h := r.Fieldwork(l.frame)
			d := z[i] - mean[h]/n[h]
			if n[h] == 1 {
				d = z[i]
			}
			sum[h] += d * d
		}
	}
	variance := 0.0
	for h, s := range sum {
		variance += s * n[h] / max(1, n[h]-1)
	}
	return math.Sqrt(variance), math.Sqrt(scale)
}

// ratio is how each respondent adds to the share part/whole.
func ratio(part, whole []float64) []float64 {
	z := make([]float64, len(part))
	x, y := total(part), total(whole)
	for i := range z {
		z[i] = (part[i] - x/y*whole[i]) / y
	}
	return z
}

func less(x, y []float64) []float64 {
	z := make([]float64, len(x))
	for i := range z {
		z[i] = x[i] - y[i]
	}
	return z
}

// The standard errors of a survey's figures are those of what each respondent adds to them.
func TestStandardErrors(t *testing.T) {
	ctx := context.Background()
	st, err := storetest.SampleExampleA(ctx, 20)
	if err != nil {
		t.Fatal(err)
	}
	f, err := st.Frame(ctx)
	if err != nil {
		t.Fatal(err)
	}
	var audiences []audience.Audience
	for _, q := range f.Questions {
		for _, d := range q.Datapoints[:min(2, len(q.Datapoints))] {
			audiences = append(audiences, audience.Audience{ID: q.Code + ":" + d.Code,
				Expr: audience.Answers{Question: q.Key(), Datapoints: []string{d.Code}}})
		}
	}
	r := crosstab.Request{LastWaves: crosstab.AllWaves, Statistics: &estimate.Options{Pairs: true,
		Compare: []estimate.Compare{estimate.Rest, estimate.Columns, estimate.Previous}}}
	for i, a := range audiences {
		if i%3 == 0 && len(r.Rows) < 5 {
			r.Rows = append(r.Rows, a)
		} else if len(r.Columns) < 6 {
			r.Columns = append(r.Columns, a)
		}
	}
	res, err := crosstab.Run(ctx, st, r)
	if err != nil {
		t.Fatal(err)
	}
	checked := 0
	covers := map[int]audience.Cover{}
	for c := range res.Cells() {
		covers[1000*c.RowIndex+c.ColumnIndex] = c.Cover
	}
	for c := range res.Cells() {
		s := c.Statistics
		l := &linear{f, st.Respondents(), c.Namespace}
		row, column := r.Rows[c.RowIndex-1].Expr, r.Columns[c.ColumnIndex-1].Expr
		base, inRow := l.weights(c.Cover), l.weights(c.Cover, row)
		inColumn, both := l.weights(c.Cover, column), l.weights(c.Cover, row, column)
		check := func(what string, got *estimate.Interval, z []float64, unit float64) {
			t.Helper()
			want, scale := l.deviation(z)
			if got == nil {
				if unit > 0 && scale > 0 {
					t.Errorf("%d %d %s: none", c.RowIndex, c.ColumnIndex, what)
				}
				return
			}
			checked++
			if math.Abs(got.StandardError/unit-want) > 1e-9*scale {
				t.Errorf("%d %d %s: %v, want %v", c.RowIndex, c.ColumnIndex, what, got.StandardError/unit, want)
			}
		}
		check("size", s.Intersect.Size, both, 1)
		check("percentage", s.Intersect.Percentage, ratio(both, base), 100)
		check("row", s.Row.Percentage, ratio(inRow, base), 100)
		check("column", s.Column.Percentage, ratio(inColumn, base), 100)
		check("of the column", s.Row.IntersectPercentage, ratio(both, inColumn), 100)
		check("of the row", s.Column.IntersectPercentage, ratio(both, inRow), 100)
		if total(both) > 0 {
			z := make([]float64, len(base))
			for i := range z {
				z[i] = both[i]/total(both) + base[i]/total(base) - inRow[i]/total(inRow) - inColumn[i]/total(inColumn)
			}
			check("index", s.Intersect.Index, z, c.Intersect.Index)
		}
		difference := func(what string, got *estimate.Difference, part, whole []float64) {
			t.Helper()
			if total(whole) == 0 || total(inColumn) == 0 {
				if got != nil {
					t.Errorf("%d %d %s: %v of no one", c.RowIndex, c.ColumnIndex, what, got)
				}
				return
			}
			se, scale := l.deviation(less(ratio(both, inColumn), ratio(part, whole)))
			if got == nil {
				if se > 1e-9*scale {
					t.Errorf("%d %d %s: none, want %v", c.RowIndex, c.ColumnIndex, what, se)
				}
				return
			}
			checked++
			want := 100 * (total(both)/total(inColumn) - total(part)/total(whole))
			if math.Abs(got.StandardError/100-se) > 1e-9*scale || math.Abs(got.Difference-want) > 1e-9*100 {
				t.Errorf("%d %d %s: %v ± %v, want %v ± %v", c.RowIndex, c.ColumnIndex, what, got.Difference,
					got.StandardError, want, 100*se)
			}
		}
		difference("rest", s.Rest, less(inRow, both), less(base, inColumn))
		for _, p := range s.Columns.Pairs {
			other := r.Columns[p.ColumnIndex-1].Expr
			cover := covers[1000*c.RowIndex+p.ColumnIndex]
			difference("pair", &p.Difference, l.weights(cover, row, other), l.weights(cover, other))
		}
	}
	if checked < 300 {
		t.Errorf("only %d figures were checked", checked)
	}
}

// Matched, a wave that the request does not cover has no part in comparisons, though its locations alone would have had
// it among the last waves.
func TestMatchedComparesWhatIsCovered(t *testing.T) {
	st := new(naive.Store)
	if err := storetest.RunScript(t.Context(), "matched", `
survey
  namespace core
  wave w1 2024-01-01
  wave w2 2024-04-01
  wave w3 2024-07-01
  location uk fr
  question local multi separate yes

respondents
  wave | location | core | local
  w1   | uk       | 1    | yes
  w1   | uk       | 2    | !yes
  w1   | uk       | 4    | yes
  w2   | uk       | 3    | yes
  w2   | uk       | 5    | yes
  w2   | uk       | 5    | !yes
  w3   | fr       | 7    |
`, func() storetest.Engine { return st }); err != nil {
		t.Fatal(err)
	}
	request := crosstab.Request{Rows: []audience.Audience{leaf("local", "yes")}, Columns: waves("w1", "w2"),
		LastWaves: 2, Matched: true, Statistics: &estimate.Options{Pairs: true, Compare: []estimate.Compare{estimate.Columns,
			estimate.Previous}}}
	for last, compared := range map[int]bool{2: false, 3: true} {
		request.LastWaves = last
		cells, err := crossed(t.Context(), st, request)
		if err != nil {
			t.Fatal(err)
		}
		if measured := !cells[0].Cover.Empty(); measured != compared || cells[1].Cover.Empty() {
			t.Fatalf("the last %d waves: w1 is measured: %v", last, measured)
		}
		s := cells[1].Statistics
		if (s.Previous != nil) != compared || (len(s.Columns.Pairs) == 1) != compared {
			t.Errorf("the last %d waves: w2 is compared with w1: %v and %v", last, s.Previous, s.Columns.Pairs)
		}
	}
}
