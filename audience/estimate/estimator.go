package estimate

import (
	"math"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/internal/inference"
)

// Estimator forms intervals and tests as Options has them. Several goroutines may use it, and its Tables.
type Estimator struct {
	Options
	level *inference.Level
	base  inference.SampleRule
	nchs  *inference.NCHSRule // nil: the rule is base
	most  int                 // how many counts are held at a time
}

// New makes an estimator of options that were checked (Options.Check).
func New(o Options) *Estimator {
	if o.Level == 0 {
		o.Level = 95
	}
	e := &Estimator{Options: o, level: inference.NewLevel(o.Level), most: mostCounts,
		base: inference.SampleRule{Withhold: inference.DefaultWithhold, Caution: inference.DefaultCaution}}
	if o.LowBase.Withhold > 0 {
		e.base.Withhold = o.LowBase.Withhold
	}
	if o.LowBase.Caution > 0 {
		e.base.Caution = o.LowBase.Caution
	}
	if o.LowBase.Rule == NCHS {
		e.nchs = inference.NewNCHSRule()
	}
	return e
}

// Adjust corrects the p-values of one family for their number.
func (e *Estimator) Adjust(family []*Difference) {
	ps := make([]float64, len(family))
	for i, d := range family {
		ps[i] = d.P
	}
	for i, p := range e.correction().Adjust(ps) {
		family[i].AdjustedP = p
	}
}

func (e *Estimator) correction() inference.Correction {
	switch e.Correction {
	case Bonferroni:
		return inference.Bonferroni
	case Holm:
		return inference.Holm
	case FDR:
		return inference.FDR
	}
	return inference.None
}

// quality is the quality of a percentage.
func (e *Estimator) quality(p inference.Proportion) Quality {
	q := inference.Withhold
	switch {
	case e.nchs != nil:
		q = e.nchs.Quality(p)
	default:
		q = e.base.Quality(p)
	}
	switch q {
	case inference.OK:
		return OK
	case inference.Caution:
		return Caution
	}
	return Withhold
}

// percentage is the interval of a percentage; nil where the denominator is no one.
func (e *Estimator) percentage(p inference.Proportion) *Interval {
	if p.Sample == 0 {
		return nil
	}
	low, high := e.level.KornGraubard(p)
	return &Interval{StandardError: 100 * math.Sqrt(p.Variance), Low: 100 * low, High: 100 * high, Quality: e.quality(p)}
}

// around is the interval of a size.
func (e *Estimator) around(x, variance, df float64) *Interval {
	return e.aroundError(x, math.Sqrt(variance), df)
}

// aroundError is the interval of a size or a mean with a standard error.
func (e *Estimator) aroundError(x, se, df float64) *Interval {
	low, high := e.level.Around(x, se, df)
	return &Interval{StandardError: se, Low: low, High: high}
}

// index is the interval of an index, from the variance of its logarithm; nil for an index of 0, and where so few
// respondents told it that its interval has no end.
func (e *Estimator) index(index, variance, df float64) *Interval {
	if index == 0 {
		return nil
	}
	se := math.Sqrt(variance)
	low, high := e.level.AroundLog(index, se, df)
	if math.IsInf(high, 0) {
		return nil
	}
	return &Interval{StandardError: index * se, Low: low, High: high}
}

// test compares two shares whose difference has a variance; false where nothing could vary.
func test(difference, variance, df float64) (d Difference, is bool) {
	se := math.Sqrt(variance)
	if !(se > 0) {
		return Difference{}, false
	}
	t, p := inference.Test(difference, se, df)
	return Difference{Difference: 100 * difference, StandardError: 100 * se, T: t, DF: df, P: p, AdjustedP: p}, true
}

// moments are those of an audience as inference has them.
func moments(m audience.Moments) inference.Moments {
	return inference.Moments{Sample: m.Sample, Weight: m.Weight, High: m.Squares.High, Low: m.Squares.Low}
}

// share is part/whole, and 1 less that, each from exact sizes; 0 and 0 of no one.
type share struct{ p, q float64 }

func shareOf(part, whole audience.Figure) share {
	return share{part.Percentage(whole) / 100, whole.Without(part).Percentage(whole) / 100}
}

// freedom is the degrees of freedom of so many respondents in so many fieldworks; at least 1.
func freedom(respondents int64, fieldworks int) float64 {
	return float64(max(1, respondents-int64(fieldworks)))
}
