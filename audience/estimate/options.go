package estimate

import (
	"fmt"
	"slices"

	"github.com/crosswave/crosswave/audience"
)

// Options is what to tell of how sure figures are. The zero value asks for intervals at 95 % and compares nothing.
type Options struct {
	Level      float64   // of confidence, in percent, above 50 and below 100; 0 is 95
	Compare    []Compare // what is compared with what, each once
	Pairs      bool      // every pair that was compared is told, beside which are higher and lower
	Correction Correction
	LowBase    LowBase
}

// Compare is a family of comparisons. All tests of a family are corrected together.
type Compare string

const (
	// Rest compares each column with the rest of the base, in each row. The family is all cells of a table.
	Rest Compare = "rest"
	// Previous compares each column with the one before it, in each row; a trend, where the columns are waves. The family
	// is all cells of a table.
	Previous Compare = "previous"
	// Columns compares each column of a crosstab with each other, in each row. A family is the pairs within a row.
	Columns Compare = "columns"
	// Audiences compares, in statistics, each audience with each other within a segment, and Segments each segment with
	// each other within an audience. A family is the pairs of one datapoint.
	Audiences Compare = "audiences"
	Segments  Compare = "segments"
)

// Correction is how p-values of a family of tests are corrected for their number.
type Correction string

const (
	None       Correction = "none"       // not at all; "" is the same
	Bonferroni Correction = "bonferroni" // times their number
	Holm       Correction = "holm"       // Holm (1979)
	FDR        Correction = "fdr"        // Benjamini and Hochberg (1995): the share of false ones among those found
)

// LowBase is the rule by which percentages of few respondents are marked. The zero value is the sample rule with 30 and
// 100.
type LowBase struct {
	Rule Rule
	// With the sample rule: below how many respondents in a percentage's denominator it is to be withheld, and below how
	// many it is read with caution. 0: 30 and 100.
	Withhold, Caution int64
}

// Rule is a rule for low bases.
type Rule string

const (
	// SampleRule goes by the number of respondents in a percentage's denominator; "" is the same.
	SampleRule Rule = "sample"
	// NCHS is that of the US National Center for Health Statistics: Data Presentation Standards for Proportions (2017). It
	// goes by the effective sample, the degrees of freedom and the width of the percentage's interval at 95 %.
	NCHS Rule = "nchs"
)

// Check finds what is wrong with options, where only the given comparisons make sense. The error is an
// *audience.InvalidError with the path of the member within statistics, as in "statistics.level".
func (o *Options) Check(allowed ...Compare) error {
	invalid := func(path, format string, args ...any) error {
		return &audience.InvalidError{Path: "statistics." + path, Reason: fmt.Sprintf(format, args...)}
	}
	if !(o.Level == 0 || o.Level > 50 && o.Level < 100) {
		return invalid("level", "a level of confidence is in percent, above 50 and below 100, as 95 is")
	}
	for i, c := range o.Compare {
		if !slices.Contains(allowed, c) {
			return invalid(fmt.Sprintf("compare[%d]", i), "%q can't be compared here: %s can", string(c), list(allowed))
		}
	}
	switch o.Correction {
	case "", None, Bonferroni, Holm, FDR:
	default:
		return invalid("correction", "%q is no correction: %s are", string(o.Correction),
			list([]Correction{None, Bonferroni, Holm, FDR}))
	}
	switch o.LowBase.Rule {
	case "", SampleRule:
	case NCHS:
		if o.LowBase.Withhold != 0 || o.LowBase.Caution != 0 {
			return invalid("low_base", "the rule nchs has limits of its own: withhold and caution are those of the rule sample")
		}
	default:
		return invalid("low_base.rule", "%q is no rule for low bases: %s are", string(o.LowBase.Rule),
			list([]Rule{SampleRule, NCHS}))
	}
	switch b := o.LowBase; {
	case b.Withhold < 0:
		return invalid("low_base.withhold", "a number of respondents is 0 or more")
	case b.Caution < 0:
		return invalid("low_base.caution", "a number of respondents is 0 or more")
	}
	return nil
}

// list names the values of a type of texts.
func list[T ~string](values []T) string {
	text := ""
	for i, v := range values {
		switch {
		case i > 0 && i == len(values)-1:
			text += " and "
		case i > 0:
			text += ", "
		}
		text += string(v)
	}
	return text
}

// Compares tells whether a family of comparisons is asked for.
func (o *Options) Compares(c Compare) bool { return slices.Contains(o.Compare, c) }
