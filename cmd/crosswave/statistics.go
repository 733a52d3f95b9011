package main

import (
	"errors"
	"slices"
	"strconv"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/audience/estimate"
	"github.com/crosswave/crosswave/crosstab"
)

// statistics are the flags that ask how sure a crosstab's figures are. But for --stats they say how that is told.
type statistics struct {
	Stats      bool     `help:"${stats}"`
	Level      float64  `default:"95" placeholder:"PERCENT" help:"${level}"`
	LevelLow   float64  `placeholder:"PERCENT" help:"${levellow}"`
	Compare    []string `placeholder:"WHAT" help:"${compare}"`
	Correction string   `default:"none" enum:"none,bonferroni,holm,fdr" help:"${correction}"`
	LowBase    string   `default:"sample" enum:"sample,nchs" help:"${lowbase}"`
	Withhold   *int64   `placeholder:"N" help:"${withhold}"`
	Caution    *int64   `placeholder:"N" help:"${caution}"`
}

// usualLevel is the level of confidence where none is given.
const usualLevel = 95

// options are what the flags ask for of a crosstab with so many columns; nil without --stats.
func (s *statistics) options(columns int) (*estimate.Options, error) {
	if !s.Stats {
		return nil, s.unused()
	}
	o := &estimate.Options{Level: s.Level, Correction: estimate.Correction(s.Correction),
		LowBase: estimate.LowBase{Rule: estimate.Rule(s.LowBase), Withhold: bound(s.Withhold), Caution: bound(s.Caution)}}
	for _, c := range s.Compare {
		if c := estimate.Compare(c); !o.Compares(c) {
			o.Compare = append(o.Compare, c)
		}
	}
	if len(o.Compare) == 0 {
		o.Compare = []estimate.Compare{estimate.Columns}
	}
	if slices.Equal(s.Compare, []string{"none"}) {
		o.Compare = nil
	}
	// The domain tells only what is significant at one level: for another, its pairs are looked at.
	o.Pairs = s.LevelLow != 0
	if err := s.check(o, columns); err != nil {
		return nil, err
	}
	if err := o.Check(estimate.Columns, estimate.Rest, estimate.Previous); err != nil {
		return nil, inFlags(err)
	}
	return o, nil
}

// check finds what is wrong with levels and the letters that are asked for.
func (s *statistics) check(o *estimate.Options, columns int) error {
	letters := o.Compares(estimate.Columns)
	switch {
	case !(s.Level > 50 && s.Level < 100): // of which the options take 0 for the usual one
		return usage("--level %s: a level of confidence is in percent, above 50 and below 100, as 95 is", percent(s.Level))
	case letters && columns > crosstab.MaxCompared:
		return usage("--compare columns: %d columns are more than the %d that can be compared with each other: ask for "+
			"fewer columns, for --compare rest, or for --compare none", columns, crosstab.MaxCompared)
	case s.LevelLow != 0 && !letters:
		return usage("--level-low is the level of small letters, which --compare columns gives")
	case s.LevelLow != 0 && !(s.LevelLow > 50 && s.LevelLow < s.Level):
		return usage("--level-low %s: it is in percent, above 50 and below --level, which is %s", percent(s.LevelLow),
			percent(s.Level))
	}
	return nil
}

// bound is a least number of respondents as the options have it, where 0 is another word for the usual one. No
// respondents at all never make a percentage, so that 1 bounds nothing.
func bound(n *int64) int64 {
	switch {
	case n == nil:
		return 0
	case *n == 0:
		return 1
	}
	return *n
}

// unused finds a flag that means nothing without --stats.
func (s *statistics) unused() error {
	for _, f := range []struct {
		name  string
		given bool
	}{
		{"--level", s.Level != usualLevel}, {"--level-low", s.LevelLow != 0}, {"--compare", len(s.Compare) > 0},
		{"--correction", s.Correction != string(estimate.None)}, {"--low-base", s.LowBase != string(estimate.SampleRule)},
		{"--withhold", s.Withhold != nil}, {"--caution", s.Caution != nil},
	} {
		if f.given {
			return usage("%s says how --stats tells how sure figures are: give that, too", f.name)
		}
	}
	return nil
}

// inFlags tells an error of options in the words of the command line.
func inFlags(err error) error {
	var invalid *audience.InvalidError
	if !errors.As(err, &invalid) {
		return err
	}
	for path, flag := range map[string]string{"statistics.low_base": "--low-base",
		"statistics.low_base.withhold": "--withhold", "statistics.low_base.caution": "--caution"} {
		if invalid.Path == path {
			return usage("%s: %s", flag, invalid.Reason)
		}
	}
	return usage("--compare: %s", invalid.Reason)
}

// percent writes a level.
func percent(level float64) string { return strconv.FormatFloat(level, 'f', -1, 64) + " %" }

// statisticsMember is how a request of the server asks for options.
func statisticsMember(o *estimate.Options) map[string]any {
	low := map[string]any{"rule": o.LowBase.Rule}
	if o.LowBase.Withhold != 0 {
		low["withhold"] = o.LowBase.Withhold
	}
	if o.LowBase.Caution != 0 {
		low["caution"] = o.LowBase.Caution
	}
	member := map[string]any{"level": o.Level, "pairs": o.Pairs, "correction": o.Correction, "low_base": low}
	if len(o.Compare) > 0 {
		member["compare"] = o.Compare
	}
	return member
}
