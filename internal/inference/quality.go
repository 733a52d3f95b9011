package inference

// Quality is whether a percentage rests on enough respondents to be shown. A percentage without an interval is to be
// withheld: that is for the caller to say, who has no Proportion then.
type Quality uint8

const (
	OK       Quality = iota
	Caution          // to be shown with a word of warning
	Withhold         // not to be shown
)

// Limits of SampleRule unless others are wished for, in respondents.
const (
	DefaultWithhold = 30
	DefaultCaution  = 100
)

// SampleRule goes by the unweighted sample of a percentage's denominator: one below Withhold is to be withheld, and one
// below Caution calls for caution.
type SampleRule struct{ Withhold, Caution int64 }

// Quality is the quality of p by the rule.
func (r SampleRule) Quality(p Proportion) Quality {
	switch {
	case p.Sample < r.Withhold:
		return Withhold
	case p.Sample < r.Caution:
		return Caution
	}
	return OK
}

// NCHSRule is the Data Presentation Standards for Proportions of the National Center for Health Statistics (2017). It
// has an interval of its own, at 95 % whatever the level of the intervals shown.
type NCHSRule struct{ level *Level }

// NewNCHSRule makes a rule.
func NewNCHSRule() *NCHSRule { return &NCHSRule{NewLevel(95)} }

// What the standards ask for.
const (
	nchsSample  = 30   // respondents and effective respondents
	nchsWidest  = 0.30 // an interval this wide says nothing
	nchsNarrow  = 0.05 // one no wider than this says enough, however small the percentage
	nchsShare   = 1.30 // of the percentage, for those between
	nchsFreedom = 8    // degrees of freedom that a variance is worth
)

// Quality is the quality of p by the rule.
func (r *NCHSRule) Quality(p Proportion) Quality {
	n := float64(p.Sample)
	certain := p.P <= 0 || p.Complement <= 0
	effective, size := n, n
	if !certain && p.Variance > 0 {
		effective = min(n, p.simple())
		size = min(n, r.level.effective(p))
	}
	if p.Sample < nchsSample || effective < nchsSample {
		return Withhold
	}

	low, high := r.level.clopperPearson(p.P, p.Complement, size)
	width := high - low
	switch {
	case width >= nchsWidest, width > nchsNarrow && width > nchsShare*p.P:
		return Withhold
	case p.DF < nchsFreedom, certain, width > nchsNarrow && width > nchsShare*p.Complement:
		return Caution
	}
	return OK
}
