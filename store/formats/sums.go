package formats

import (
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
)

// What the numbers of a column come to.

// columnSum is what the numbers of a column come to, in how many rows anything stands in it, and some of its words.
type columnSum struct {
	n, sum, squares float64
	least, most     float64
	filled          int64
	texts           map[string]bool
	times           map[float64]int64 // of each number, as long as they are few
}

func (s *columnSum) add(f float64) {
	if s.n == 0 {
		s.least, s.most = f, f
	}
	s.least, s.most = min(s.least, f), max(s.most, f)
	s.n, s.sum, s.squares = s.n+1, s.sum+f, s.squares+f*f
}

// count counts how often a number stands in the column, as long as they are few.
func (s *columnSum) count(f float64) {
	const few = 60
	if s.times == nil {
		s.times = map[float64]int64{}
	}
	if _, known := s.times[f]; known || len(s.times) < few {
		s.times[f]++
	}
}

// median is the middle of the numbers; not a number if they are too many different ones.
func (s *columnSum) median() float64 {
	all, below := int64(0), int64(0)
	for _, n := range s.times {
		all += n
	}
	if all != int64(s.n) {
		return math.NaN()
	}
	numbers := slices.Sorted(maps.Keys(s.times))
	for i, f := range numbers {
		switch below += s.times[f]; {
		case 2*below > all:
			return f
		case 2*below == all && i+1 < len(numbers):
			return (f + numbers[i+1]) / 2
		}
	}
	return math.NaN()
}

// inTheMidst tells whether a number is the median or the commonest number, or may be it, where they are too many
// different ones to tell.
func (s *columnSum) inTheMidst(said float64) bool {
	middle, most := s.median(), int64(0)
	if math.IsNaN(middle) {
		return s.least <= said && said <= s.most
	}
	for _, n := range s.times {
		most = max(most, n)
	}
	return said == middle || s.times[said] == most
}

// keep keeps a text, as far as it is not too much.
func (s *columnSum) keep(text string) {
	const longest, most = 100, 100 // bytes, and texts
	if text == "" || len(text) > longest || len(s.texts) >= most {
		return
	}
	if s.texts == nil {
		s.texts = map[string]bool{}
	}
	if !s.texts[text] {
		s.texts[strings.Clone(text)] = true
	}
}

// comesTo tells whether a statistic of the column is a number, rounded to so many decimals.
func (s *columnSum) comesTo(kind statistic, said float64, decimals int) bool {
	if s.n == 0 {
		return kind == another && said == float64(s.filled)
	}
	off := 1e-9 * math.Abs(said)
	if decimals > 0 { // a whole number near the mean is what respondents answer
		off += 0.5001 * math.Pow10(-decimals)
	}
	mean := s.sum / s.n
	switch squares := max(0, s.squares-s.n*mean*mean); kind {
	case meanOf:
		return math.Abs(mean-said) <= off
	case totalOf:
		return math.Abs(s.sum-said) <= off
	case middleOf:
		return s.inTheMidst(said)
	case another:
		return said == s.least || said == s.most || said == s.n || said == float64(s.filled) ||
			math.Abs(squares/s.n-said) <= off || s.n > 1 && math.Abs(squares/(s.n-1)-said) <= off
	case deviationOf:
		return math.Abs(math.Sqrt(squares/s.n)-said) <= off || s.n > 1 && math.Abs(math.Sqrt(squares/(s.n-1))-said) <= off
	}
	return false
}

// plainNumber reads a number with a point or a comma before its decimals.
func plainNumber(field string) (f float64, decimals int, ok bool) {
	text := strings.TrimSpace(field)
	if text == "" || text[0] > '9' { // no number begins so: it need not be tried
		return 0, 0, false
	}
	if strings.Count(text, ",") == 1 && !strings.Contains(text, ".") {
		text = strings.Replace(text, ",", ".", 1)
	}
	f, err := strconv.ParseFloat(text, 64)
	if at := strings.IndexByte(text, '.'); at >= 0 {
		decimals = len(text) - at - 1
	}
	return f, decimals, err == nil && !math.IsInf(f, 0) && !math.IsNaN(f)
}
