// Package estimate says how sure figures are: intervals around them, and tests of the differences between them.
//
// Every figure is a smooth function of the weighted totals of a few disjoint parts of the base, so one formula gives
// the variance of all of them, from what audience.Tabulate counts where squares of weights are asked for: the sample,
// the weights and the squared weights of each part, fieldwork by fieldwork. Each fieldwork is a sample of its own;
// respondents are drawn independently, weights are taken as given, and there is no correction for finite populations.
// FIGURES.md has the formula with an example, and internal/inference the mathematics.
package estimate

// Interval is how sure a figure is, in the figure's own unit: people, percent (0–100), index points or that of numbers.
type Interval struct {
	StandardError float64
	Low, High     float64 // the ends of the interval of confidence
	Quality       Quality // of a percentage; "" for other figures
}

// Quality says how a percentage with few respondents behind it is to be read. It is a mark: the figure stays.
type Quality string

const (
	OK       Quality = "ok"
	Caution  Quality = "caution"  // read it with caution
	Withhold Quality = "withhold" // better not publish it; so is a percentage that has no interval
)

// Difference compares two percentages of one row, or two means: their difference, and its test.
type Difference struct {
	Difference    float64 // the one less the other, in percentage points; of means in the unit of the numbers
	StandardError float64 // of the difference, likewise, above 0
	T             float64 // Difference / StandardError
	DF            float64 // degrees of freedom, 1 or more
	P             float64 // two-sided p-value of Student's t
	AdjustedP     float64 // corrected for the number of tests in its family
	// Sound tells that both sides have positives and neither is to be withheld: only then is it ever significant. Means
	// always are.
	Sound bool
}

// Significant tells whether the difference is significant at a level in percent: whether it is sound, and AdjustedP is
// at most (100 - level)/100.
func (d *Difference) Significant(level float64) bool {
	return d.Sound && d.AdjustedP <= (100-level)/100
}
