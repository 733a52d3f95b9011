package main

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/audience/estimate"
	"github.com/crosswave/crosswave/crosstab"
	"github.com/crosswave/crosswave/stats"
)

// text is a summary for reading: an entry a line, with what the marks mean below.
func (s *summary) text(width int) string {
	header, left := s.header()
	rows := [][]string{header}
	for i := range s.entries {
		rows = append(rows, s.line(i))
	}
	var b strings.Builder
	b.WriteString(strings.Join(wrap(s.caption(), width), "\n") + "\n\n" + listed(rows, left))
	if notes := s.notes(slices.ContainsFunc(s.entries, notMeasured)); len(notes) > 0 {
		b.WriteByte('\n')
		for _, note := range notes {
			b.WriteString(strings.Join(wrap(note, width), "\n") + "\n")
		}
	}
	return b.String()
}

// notMeasured tells whether an entry is of nobody who was asked.
func notMeasured(e stats.SummaryEntry) bool { return len(e.Waves) == 0 }

// caption names the question, and who was asked.
func (s *summary) caption() string {
	i, _ := s.frame.Question(s.request.Question) // it was asked for
	q, caption := &s.frame.Questions[i], s.request.Question
	if q.Name != "" {
		caption += ", " + q.Name
	}
	for _, code := range s.request.Datapoints {
		caption += ": " + cmp.Or(q.Datapoints[s.frame.Datapoint(i, code)].Name, code)
	}
	if s.unit != "" {
		caption += ", in " + s.unit
	}
	if x := s.request.Base.Expr; x != nil {
		caption += "; base: " + audience.Describe(x, s.frame)
	}
	return caption
}

// header names the columns, the first of which, so many, are texts.
func (s *summary) header() (names []string, left int) {
	if s.request.Splitter != "" {
		names = append(names, s.request.Splitter)
	}
	if s.who != nil || len(names) == 0 {
		names = append(names, "audience")
	}
	left = len(names)
	if s.lettered() {
		names = append(names, "")
	}
	names = append(names, "sample", "size", "mean")
	if s.request.Statistics != nil {
		names = append(names, "", "interval")
	}
	names = append(names, "sd", "min")
	for _, q := range s.request.Quantiles {
		if q == 50 {
			names = append(names, "median")
		} else {
			names = append(names, number(q)+" %")
		}
	}
	names = append(names, "max")
	if s.lettered() {
		names = append(names, "above")
	}
	return names, left
}

// line is an entry; what could not be had is a dash.
func (s *summary) line(i int) (cells []string) {
	e := &s.entries[i]
	if s.request.Splitter != "" {
		cells = append(cells, plain(s.names[i]))
	}
	switch {
	case s.who != nil:
		cells = append(cells, plain(s.who[i]))
	case len(cells) == 0:
		cells = append(cells, "Total")
	}
	if s.lettered() {
		cells = append(cells, crosstab.Letter(i+1))
	}
	m := &e.Metrics
	sample, size := grouped(float64(m.Respondents.Sample), 0), people(m.Respondents.Size)
	if len(e.Waves) == 0 {
		sample, size = unmeasured, unmeasured
	}
	cells = append(cells, sample, size, rounded(m.Mean))
	if x := e.Statistics; x != nil {
		between := unmeasured
		if x.Mean != nil {
			between = rounded(&x.Mean.Low) + " – " + rounded(&x.Mean.High)
		}
		cells = append(cells, crosstab.RestMarks()[s.direction(x.Rest)]+
			crosstab.PreviousMarks(s.request.Statistics)[s.direction(x.Previous)], between)
	}
	cells = append(cells, rounded(m.StandardDeviation), shown(m.Min))
	for k := range s.request.Quantiles {
		if k < len(m.Quantiles) {
			cells = append(cells, shown(&m.Quantiles[k].Value))
		} else {
			cells = append(cells, unmeasured)
		}
	}
	cells = append(cells, shown(m.Max))
	if s.lettered() {
		cells = append(cells, s.letters(i))
	}
	return cells
}

// rounded writes a number to five digits, or whole where it has more.
func rounded(x *float64) string {
	if x == nil {
		return unmeasured
	}
	decimals := 0
	if *x != 0 {
		decimals = min(9, max(0, 4-int(math.Floor(math.Log10(math.Abs(*x))))))
	}
	return grouped(*x, decimals)
}

// shown writes a number that somebody gave, with all its digits.
func shown(x *float64) string {
	if x == nil {
		return unmeasured
	}
	return number(*x)
}

// lettered tells whether entries are compared with each other.
func (s *summary) lettered() bool {
	o := s.request.Statistics
	return o != nil && (o.Compares(estimate.Segments) || o.Compares(estimate.Audiences))
}

// letters name the entries whose mean that of an entry is significantly above.
func (s *summary) letters(i int) string {
	var names []string
	x := s.entries[i].Statistics
	audiences := max(1, len(s.request.Audiences))
	for j := range s.entries {
		than := func(c *stats.Comparisons, name string) bool { return c != nil && slices.Contains(c.HigherThan, name) }
		if i/audiences == j/audiences && than(x.Audiences, s.entries[j].Audience) ||
			i%audiences == j%audiences && than(x.Segments, s.entries[j].Segment) {
			names = append(names, crosstab.Letter(j+1))
		}
	}
	return strings.Join(names, " ")
}

// notes say what the marks and letters mean.
func (s *summary) notes(unmeasured bool) (lines []string) {
	if o := s.request.Statistics; o != nil {
		level := percent(o.Level)
		if s.lettered() {
			lines = append(lines, "Letters: the mean is significantly above that of the lines they name, at "+level+".")
		}
		if marks := crosstab.RestMarks(); o.Compares(estimate.Rest) {
			lines = append(lines, marks[1]+marks[-1]+" the mean is significantly above or below that of the rest of the "+
				"base, at "+level+".")
		}
		if marks := crosstab.PreviousMarks(o); o.Compares(estimate.Previous) {
			lines = append(lines, marks[1]+marks[-1]+" the mean is significantly above or below that of the segment before, "+
				"at "+level+".")
		}
		if len(lines) > 0 {
			text := "Test: two-sided design-based t-test on means (linearised variance; each wave in a location is a sample " +
				"of its own); "
			if named := crosstab.CorrectionName(o.Correction); named != "" {
				text += "corrected for the number of tests (" + named + ")."
			} else {
				text += "not corrected for the number of tests."
			}
			lines = append(lines, text)
		}
		lines = append(lines, "interval: that of the mean, at "+level+".")
	}
	if unmeasured {
		lines = append(lines, noted)
	}
	return lines
}
