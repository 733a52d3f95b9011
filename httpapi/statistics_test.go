package httpapi

import (
	"encoding/json"
	"fmt"
	"math"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/crosswave/crosswave/audience/estimate"
	"github.com/crosswave/crosswave/crosstab"
	"github.com/crosswave/crosswave/internal/strictjson"
	"github.com/crosswave/crosswave/stats"
)

// optionsOf reads the member statistics of a body.
func optionsOf(text string) (*estimate.Options, error) {
	v, err := strictjson.Parse([]byte(text))
	if err != nil {
		return nil, err
	}
	body := v.Object("statistics")
	options := readStatistics(body.Get("statistics"))
	return options, body.Err()
}

func TestReadStatistics(t *testing.T) {
	for text, want := range map[string]*estimate.Options{
		`{}`:                   nil,
		`{"statistics": null}`: nil,
		`{"statistics": {}}`:   {},
		`{"statistics": {"level": null, "compare": [], "pairs": false, "correction": null, "low_base": null}}`: {},
		`{"statistics": {"low_base": {"rule": "sample", "withhold": null}}}`: {
			LowBase: estimate.LowBase{Rule: estimate.SampleRule}},
		`{"statistics": {"level": 99.9, "compare": ["rest", "columns", "previous"], "pairs": true, "correction": "holm",
		  "low_base": {"rule": "sample", "withhold": 50, "caution": 2e2}}}`: {Level: 99.9,
			Compare: []estimate.Compare{estimate.Rest, estimate.Columns, estimate.Previous}, Pairs: true,
			Correction: estimate.Holm,
			LowBase:    estimate.LowBase{Rule: estimate.SampleRule, Withhold: 50, Caution: 200}},
		`{"statistics": {"level": 90, "low_base": {"rule": "nchs"}}}`: {Level: 90,
			LowBase: estimate.LowBase{Rule: estimate.NCHS}},
	} {
		got, err := optionsOf(text)
		if err != nil {
			t.Error(text, err)
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%s\n%s", text, d)
		}
	}
}

// Every fault names the place and what would be right.
func TestReadStatisticsFaults(t *testing.T) {
	for statistics, want := range map[string]string{
		`true`:           `statistics: an object is expected, not a boolean`,
		`95`:             `statistics: an object is expected, not a number`,
		`[]`:             `statistics: an object is expected, not an array`,
		`{"levels": 95}`: `statistics.levels: unknown member "levels"; "level" is probably meant`,
		`{"alpha": 5}`: `statistics.alpha: unknown member "alpha"; known here: level, compare, pairs, correction, ` +
			`low_base`,
		`{"level": "95"}`: `statistics.level: a number is expected, not a string`,
		`{"level": 0}`: `statistics.level: a level of confidence is in percent, above 50 and below 100, as ` +
			`95 is`,
		`{"compare": "rest"}`:         `statistics.compare: an array is expected, not a string`,
		`{"compare": ["rest", null]}`: `statistics.compare[1]: a string is expected, not null`,
		`{"compare": [["rest"]]}`:     `statistics.compare[0]: a string is expected, not an array`,
		`{"pairs": 1}`:                `statistics.pairs: a boolean is expected, not a number`,
		`{"correction": false}`:       `statistics.correction: a string is expected, not a boolean`,
		`{"low_base": "nchs"}`:        `statistics.low_base: an object is expected, not a string`,
		`{"low_base": {"withold": 30}}`: `statistics.low_base.withold: unknown member "withold"; "withhold" is ` +
			`probably meant`,
		`{"low_base": {"rule": 1}}`: `statistics.low_base.rule: a string is expected, not a number`,
		`{"low_base": {"withhold": 0}}`: `statistics.low_base.withhold: a number of respondents, 1 or more, is ` +
			`expected, not 0: below 1 there are none`,
		`{"low_base": {"withhold": 29.5}}`: `statistics.low_base.withhold: a whole number is expected, not 29.5`,
		`{"low_base": {"caution": -1}}`: `statistics.low_base.caution: a number of respondents, 1 or more, is ` +
			`expected, not -1: below 1 there are none`,
	} {
		if _, err := optionsOf(`{"statistics": ` + statistics + `}`); err == nil || err.Error() != want {
			t.Errorf("%s: %v\nwant %s", statistics, err, want)
		}
	}
}

func TestLevelOf(t *testing.T) {
	for query, want := range map[string]*estimate.Options{
		"": nil, "coverage=true": nil, "statistics=95": {Level: 95}, "statistics=99.5": {Level: 99.5},
		"statistics=9e1": {Level: 90},
	} {
		params, err := url.ParseQuery(query)
		if err != nil {
			t.Fatal(err)
		}
		got, err := levelOf(params)
		if err != nil {
			t.Error(query, err)
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%s\n%s", query, d)
		}
	}
	const fault = "statistics: the parameter is given once: a level of confidence is in percent, above 50 and below " +
		"100, as 95 is"
	for _, query := range []string{"statistics", "statistics=", "statistics=true", "statistics=50", "statistics=100",
		"statistics=0.95", "statistics=NaN", "statistics=Inf", "statistics=0x5f", "statistics=null",
		"statistics=%2295%22", "statistics=95&statistics=95"} {
		params, err := url.ParseQuery(query)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := levelOf(params); got != nil || err == nil || err.Error() != fault {
			t.Errorf("%s: %v %v", query, got, err)
		}
	}
}

// difference is one whose numbers can be told apart.
func difference(x float64) estimate.Difference {
	return estimate.Difference{Difference: x, StandardError: 2, T: x / 2, DF: 10, P: 1e-157, AdjustedP: 3e-157}
}

// What a cell says of how sure it is, whole.
func TestCellStatistics(t *testing.T) {
	percentage := &estimate.Interval{StandardError: 1.5, Low: 40, High: 60.25, Quality: estimate.Caution}
	minus := difference(-12)
	for want, s := range map[string]*crosstab.Statistics{
		``: nil,
		// what could not be had, or was not asked for, is absent
		`,"statistics":{"base":{"effective_sample":0},"row":{"effective_sample":0},"column":{"effective_sample":0},` +
			`"intersect":{"effective_sample":0}}`: {},
		`,"statistics":{"base":{"effective_sample":8.5},"row":{"effective_sample":4.25,` +
			`"percentage":{"standard_error":1.5,"low":40,"high":60.25,"quality":"caution"},` +
			`"intersect_percentage":{"standard_error":0.5,"low":0,"high":1,"quality":"ok"}},` +
			`"column":{"effective_sample":3,"intersect_percentage":{"standard_error":1.5,"low":40,"high":60.25,` +
			`"quality":"caution"}},"intersect":{"effective_sample":2,` +
			`"size":{"standard_error":1000000,"low":-0.5,"high":1e+21},"percentage":{"standard_error":0,"low":0,` +
			`"high":4e-7,"quality":"withhold"},"index":{"standard_error":20,"low":81,"high":123}},` +
			`"rest":{"difference":-12,"standard_error":2,"t":-6,"df":10,"p":1e-157,"adjusted_p":3e-157},` +
			`"previous":{"difference":-12,"standard_error":2,"t":-6,"df":10,"p":1e-157,"adjusted_p":3e-157},` +
			`"columns":{"higher_than":[1,13],"lower_than":[4],"pairs":[` +
			`{"column_index":1,"difference":12,"standard_error":2,"t":6,"df":10,"p":1e-157,"adjusted_p":3e-157},` +
			`{"column_index":4,"difference":-8,"standard_error":2,"t":-4,"df":10,"p":1e-157,"adjusted_p":3e-157}]}}`: {
			BaseEffectiveSample: 8.5,
			Row: crosstab.AxisStatistics{EffectiveSample: 4.25, Percentage: percentage,
				IntersectPercentage: &estimate.Interval{StandardError: 0.5, High: 1, Quality: estimate.OK}},
			Column: crosstab.AxisStatistics{EffectiveSample: 3, IntersectPercentage: percentage},
			Intersect: crosstab.IntersectStatistics{EffectiveSample: 2,
				Size:       &estimate.Interval{StandardError: 1e6, Low: -0.5, High: 1e21},
				Percentage: &estimate.Interval{High: 4e-7, Quality: estimate.Withhold},
				Index:      &estimate.Interval{StandardError: 20, Low: 81, High: 123}},
			Rest: &minus, Previous: &minus,
			Columns: &crosstab.ColumnStatistics{HigherThan: []int{1, 13}, LowerThan: []int{4},
				Pairs: []crosstab.ColumnPair{{ColumnIndex: 1, Difference: difference(12)},
					{ColumnIndex: 4, Difference: difference(-8)}}},
		},
		// letters without pairs; no column is higher or lower
		`,"statistics":{"base":{"effective_sample":1},"row":{"effective_sample":0},"column":{"effective_sample":0},` +
			`"intersect":{"effective_sample":0},"columns":{"higher_than":[],"lower_than":[]}}`: {BaseEffectiveSample: 1,
			Columns: &crosstab.ColumnStatistics{}},
		// no column that it can be compared with
		`,"statistics":{"base":{"effective_sample":2},"row":{"effective_sample":0},"column":{"effective_sample":0},` +
			`"intersect":{"effective_sample":0},"columns":{"higher_than":[],"lower_than":[],"pairs":[]}}`: {
			BaseEffectiveSample: 2, Columns: &crosstab.ColumnStatistics{Pairs: []crosstab.ColumnPair{}}},
	} {
		written := new(numbers)
		without := string(written.cell(nil, &crosstab.Cell{}))
		for range 2 { // with numbers that are remembered, too
			got := string(written.cell(nil, &crosstab.Cell{Statistics: s}))
			if d := cmp.Diff(without+want, got); d != "" {
				t.Error(d)
			}
			if !json.Valid([]byte(`{` + got + `}`)) {
				t.Errorf("no JSON: %s", got)
			}
		}
	}
}

// What an entry says of how sure it is, whole.
func TestEntryStatistics(t *testing.T) {
	minus := difference(-12)
	s := &stats.Statistics{
		BaseEffectiveSample: 12, PositiveEffectiveSample: 2, AudienceEffectiveSample: 6.5, DatapointEffectiveSample: 3,
		AudiencePercentage:  &estimate.Interval{StandardError: 1, Low: 2, High: 3, Quality: estimate.OK},
		DatapointPercentage: &estimate.Interval{StandardError: 4, Low: 5, High: 6, Quality: estimate.Withhold},
		AudienceIndex:       &estimate.Interval{StandardError: 7, Low: 8, High: 9},
		Rest:                &minus, Previous: &minus,
		Audiences: &stats.Comparisons{HigherThan: []string{"a\"b", ""},
			Pairs: []stats.Pair{{Other: "a\"b", Difference: difference(12)}}},
		Segments: &stats.Comparisons{LowerThan: []string{"w1"},
			Pairs: []stats.Pair{{Other: "w1", Difference: difference(-8)}}},
	}
	const want = `,"statistics":{"base":{"effective_sample":12},"positive":{"effective_sample":2},` +
		`"audience":{"effective_sample":6.5},"datapoint":{"effective_sample":3},` +
		`"audience_percentage":{"standard_error":1,"low":2,"high":3,"quality":"ok"},` +
		`"datapoint_percentage":{"standard_error":4,"low":5,"high":6,"quality":"withhold"},` +
		`"audience_index":{"standard_error":7,"low":8,"high":9},` +
		`"rest":{"difference":-12,"standard_error":2,"t":-6,"df":10,"p":1e-157,"adjusted_p":3e-157},` +
		`"previous":{"difference":-12,"standard_error":2,"t":-6,"df":10,"p":1e-157,"adjusted_p":3e-157},` +
		`"audiences":{"higher_than":["a\"b",""],"lower_than":[],"pairs":[` +
		`{"audience":"a\"b","difference":12,"standard_error":2,"t":6,"df":10,"p":1e-157,"adjusted_p":3e-157}]},` +
		`"segments":{"higher_than":[],"lower_than":["w1"],"pairs":[` +
		`{"segment":"w1","difference":-8,"standard_error":2,"t":-4,"df":10,"p":1e-157,"adjusted_p":3e-157}]}}`
	for want, s := range map[string]*stats.Statistics{want: s, "": nil,
		`,"statistics":{"base":{"effective_sample":0},"positive":{"effective_sample":0},` +
			`"audience":{"effective_sample":0},"datapoint":{"effective_sample":0}}`: {}} {
		e := stats.Entry{}
		without := strings.TrimSuffix(string(appendEntry(nil, &e)), "}")
		e.Statistics = s
		if d := cmp.Diff(without+want+"}", string(appendEntry(nil, &e))); d != "" {
			t.Error(d)
		}
	}
}

// What a wave says of how sure it is, whole.
func TestWaveStatistics(t *testing.T) {
	minus := difference(-12)
	for want, s := range map[string]*stats.WaveStatistics{
		``:                                     nil,
		`,"statistics":{"effective_sample":0}`: {},
		`,"statistics":{"effective_sample":6.5,"percentage":{"standard_error":1,"low":2,"high":3,"quality":"ok"},` +
			`"previous":{"difference":-12,"standard_error":2,"t":-6,"df":10,"p":1e-157,"adjusted_p":3e-157}}`: {
			EffectiveSample: 6.5, Previous: &minus,
			Percentage: &estimate.Interval{StandardError: 1, Low: 2, High: 3, Quality: estimate.OK}},
	} {
		if d := cmp.Diff(want, string(appendWaveStatistics(nil, s))); d != "" {
			t.Error(d)
		}
	}
}

// What tells how sure a figure is has twelve digits at the most, and reads back as a number that is as near.
func TestAppendEstimate(t *testing.T) {
	for x, want := range map[float64]string{
		0: "0", math.Copysign(0, -1): "0", 1: "1", -2.5: "-2.5", 1.0 / 3: "0.333333333333", 200.0 / 3: "66.6666666667",
		-100: "-100", 123456789012345: "123456789012000", 1e15 / 7: "142857142857000", 1e21: "1e+21",
		99999999999:    "99999999999",
		99999999999.99: "100000000000", 2e-5 / 3: "0.00000666666666667", 1e-157 / 3: "3.33333333333e-158",
		math.SmallestNonzeroFloat64: "5e-324", math.MaxFloat64: "1.79769313486e+308", 0.0001: "0.0001",
	} {
		got := string(appendEstimate(nil, x))
		if got != want {
			t.Errorf("%v is written %s, not %s", x, got, want)
		}
		if y, err := strconv.ParseFloat(got, 64); err != nil || math.Abs(y-x) > 1e-11*math.Abs(x) {
			t.Errorf("%s is read as %v: %v", got, y, err)
		}
	}
}

// What is said of the size of statistics is never too little, and not far from what they take with the longest numbers.
func TestStatisticsBytes(t *testing.T) {
	const longest = -1.2345678901234567e-157 // 19 bytes, as are no others
	interval := &estimate.Interval{StandardError: longest, Low: longest, High: longest, Quality: estimate.Withhold}
	unmarked := &estimate.Interval{StandardError: longest, Low: longest, High: longest}
	d := estimate.Difference{Difference: longest, StandardError: longest, T: longest, DF: longest, P: longest,
		AdjustedP: longest}
	for _, compared := range []int{1, 2, 9, 60} {
		all := make([]int, compared-1)
		axis := crosstab.AxisStatistics{EffectiveSample: longest, Percentage: interval, IntersectPercentage: interval}
		cell := &crosstab.Statistics{BaseEffectiveSample: longest, Row: axis, Column: axis,
			Intersect: crosstab.IntersectStatistics{EffectiveSample: longest, Size: unmarked, Percentage: interval,
				Index: unmarked},
			Rest: &d, Previous: &d, Columns: &crosstab.ColumnStatistics{HigherThan: all}}
		others := &stats.Comparisons{LowerThan: make([]string, compared-1)}
		entry := &stats.Statistics{BaseEffectiveSample: longest, PositiveEffectiveSample: longest,
			AudienceEffectiveSample: longest, DatapointEffectiveSample: longest, AudiencePercentage: interval,
			DatapointPercentage: interval, AudienceIndex: unmarked, Rest: &d, Previous: &d, Audiences: others,
			Segments: others}
		ids := make([]string, compared)
		for i := range ids {
			ids[i] = fmt.Sprint("\"audience ", i)
		}
		for i := range all {
			all[i] = compared
			cell.Columns.Pairs = append(cell.Columns.Pairs, crosstab.ColumnPair{ColumnIndex: compared, Difference: d})
			others.LowerThan[i] = ids[i]
			others.Pairs = append(others.Pairs, stats.Pair{Other: ids[i], Difference: d})
		}
		options := &estimate.Options{Pairs: true, Compare: []estimate.Compare{estimate.Rest, estimate.Previous,
			estimate.Columns, estimate.Audiences, estimate.Segments}}
		check := func(name string, taken int, said int64) {
			if said < int64(taken) || said > int64(taken)*6/5 {
				t.Errorf("%s among %d: %d bytes, and %d are said", name, compared, taken, said)
			}
		}
		n := int64(compared)
		check("cell", len(appendCellStatistics(nil, cell)), crosstabStatisticsBytes(options, n))
		check("entries", compared*compared*len(appendStatistics(nil, entry)), statsStatisticsBytes(options, n, n, ids, ids))
		options.Pairs, cell.Columns.Pairs, others.Pairs = false, nil, nil
		check("cell without pairs", len(appendCellStatistics(nil, cell)), crosstabStatisticsBytes(options, n))
		check("entries without pairs", compared*compared*len(appendStatistics(nil, entry)), statsStatisticsBytes(options,
			n, n, ids, ids))
		cell.Rest, cell.Previous, cell.Columns = nil, nil, nil
		entry.Rest, entry.Previous, entry.Audiences, entry.Segments = nil, nil, nil, nil
		options.Compare = nil
		check("cell alone", len(appendCellStatistics(nil, cell)), crosstabStatisticsBytes(options, n))
		check("entries alone", compared*compared*len(appendStatistics(nil, entry)), statsStatisticsBytes(options, n, n,
			ids, ids))
	}
	if n := len(appendEstimate(nil, longest)); n != 19 {
		t.Errorf("%v takes %d bytes", longest, n)
	}
	if n := crosstabStatisticsBytes(nil, math.MaxInt32) + statsStatisticsBytes(nil, 9, 9, nil, nil); n != 0 {
		t.Errorf("%d bytes are said where no statistics are asked for", n)
	}
}
