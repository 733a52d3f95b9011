package inference

import (
	"math"
	"math/big"
	"testing"
)

// study is one made-up survey: the moments of its respondents by fieldwork and by kind, all 16 of which have no one in
// common; and how many there are for each number, for the mean.
type study struct {
	respondents map[int]int64
	moments     map[int]*[16]Moments
	numbers     map[int]map[int64]Moments // of those in a in the base
}

// The kinds: who is in the row, in column a, in column b and in the base is in those whose numbers have these bits.
const inRow, inA, inB, inBase = 1, 2, 4, 8

// studies are those that testdata/survey.R has made up.
func studies(t *testing.T) map[string]*study {
	all := map[string]*study{}
	for _, line := range fixture(t, "respondents.csv") {
		x := numbers(t, line)
		if all[line[0]] == nil {
			all[line[0]] = &study{map[int]int64{}, map[int]*[16]Moments{}, map[int]map[int64]Moments{}}
		}
		s, fieldwork, weight := all[line[0]], int(x[1]), int64(x[2])
		if s.moments[fieldwork] == nil {
			s.moments[fieldwork] = new([16]Moments)
			s.numbers[fieldwork] = map[int64]Moments{}
		}
		one := moments(1, weight, new(big.Int).Mul(big.NewInt(weight), big.NewInt(weight)))
		kind := int(x[3])*inRow + int(x[4])*inA + int(x[5])*inB + int(x[6])*inBase
		s.respondents[fieldwork]++
		s.moments[fieldwork][kind] = s.moments[fieldwork][kind].Add(one)
		if kind&(inA|inBase) == inA|inBase {
			number := int64(x[7])
			s.numbers[fieldwork][number] = s.numbers[fieldwork][number].Add(one)
		}
	}
	return all
}

// who gives those of the base who are in all of these.
func (s *study) who(kinds int) (size float64, sample int64, df float64, effective float64) {
	return s.either(kinds|inBase, kinds|inBase)
}

// either gives those in all of one or in all of the other.
func (s *study) either(one, other int) (size float64, sample int64, df float64, effective float64) {
	var squares float64
	for _, moments := range s.moments {
		var here Moments
		for kind, m := range moments {
			if kind&one == one || kind&other == other {
				here = here.Add(m)
			}
		}
		size += float64(here.Weight)
		squares += here.Squares()
		sample += here.Sample
		if here.Sample > 0 {
			df--
		}
	}
	return size, sample, max(df+float64(sample), 1), size * size / squares
}

// variance is that of a figure with this gradient, and Σ g²Q.
func (s *study) variance(gradient func(kind int) float64) (variance, crude float64) {
	var v Variance
	for fieldwork := 1; fieldwork <= len(s.respondents); fieldwork++ {
		var parts []Part
		for kind, m := range s.moments[fieldwork] {
			if kind&inBase > 0 {
				parts = append(parts, Part{m, gradient(kind)})
			}
		}
		v.Add(s.respondents[fieldwork], parts...)
	}
	return v.Value(), v.crude
}

// in is 1 if the kind is in all of these.
func in(kind, of int) float64 {
	if kind&of == of {
		return 1
	}
	return 0
}

// figure computes what a line of survey.csv has, but for the set and the figure's name: each has the estimate, its
// standard error and its degrees of freedom first. crude is Σ g²Q.
func (s *study) figure(name string, level float64) (got []float64, crude float64) {
	l := NewLevel(100 * level)
	all, _, dfAll, _ := s.who(0)
	row, _, _, _ := s.who(inRow)
	a, _, dfA, _ := s.who(inA)
	both, _, _, _ := s.who(inRow | inA)
	interval := func(x, variance, df float64) []float64 {
		low, high := l.Around(x, math.Sqrt(variance), df)
		return []float64{x, math.Sqrt(variance), df, low, high}
	}
	test := func(d, variance, df float64) []float64 {
		t, p := Test(d, math.Sqrt(variance), df)
		return []float64{d, math.Sqrt(variance), df, t, p}
	}
	switch name {
	case "size":
		v, crude := s.variance(func(kind int) float64 { return in(kind, inRow) })
		return interval(row, v, dfAll), crude
	case "share.base", "share.a":
		of := inBase
		if name == "share.a" {
			of = inA
		}
		part, sample, df, effective := s.who(of)
		within, _, _, _ := s.who(of | inRow)
		p := within / part
		v, crude := s.variance(func(kind int) float64 { return in(kind, of) * (in(kind, inRow) - p) / part })
		low, high := l.KornGraubard(Proportion{p, (part - within) / part, v, sample, df, effective})
		return []float64{p, math.Sqrt(v), df, float64(sample), low, high}, crude
	case "mean":
		return s.mean(a, dfA, interval)
	case "index":
		v, crude := s.variance(func(kind int) float64 {
			// Each bracket is exactly 0, or less the other, where the column or the row is all there is.
			return (in(kind, inRow|inA)/both - in(kind, inA)/a) + (1/all - in(kind, inRow)/row)
		})
		index := 100 * both * all / (row * a)
		low, high := l.AroundLog(index, math.Sqrt(v), dfAll)
		return []float64{index, math.Sqrt(v), dfAll, low, high}, crude
	case "columns":
		b, _, _, _ := s.who(inB)
		bothB, _, _, _ := s.who(inRow | inB)
		_, _, df, _ := s.either(inA|inBase, inB|inBase)
		pA, pB := both/a, bothB/b
		v, crude := s.variance(func(kind int) float64 {
			return in(kind, inA)*(in(kind, inRow)-pA)/a - in(kind, inB)*(in(kind, inRow)-pB)/b
		})
		return test(pA-pB, v, df-1), crude
	}
	pA, pRest := both/a, (row-both)/(all-a)
	v, crude := s.variance(func(kind int) float64 {
		if kind&inA > 0 {
			return (in(kind, inRow) - pA) / a
		}
		return -(in(kind, inRow) - pRest) / (all - a)
	})
	return test(pA-pRest, v, dfAll-1), crude
}

// mean is that of the numbers in a, one part a number.
func (s *study) mean(size, df float64, interval func(x, v, df float64) []float64) (got []float64, crude float64) {
	var total float64
	for _, numbers := range s.numbers {
		for x, m := range numbers {
			total += float64(x) * float64(m.Weight)
		}
	}
	mean := total / size
	var v Variance
	for fieldwork := 1; fieldwork <= len(s.respondents); fieldwork++ {
		var parts []Part
		for x := int64(-3); x <= 20; x++ {
			parts = append(parts, Part{s.numbers[fieldwork][x], (float64(x) - mean) / size})
		}
		v.Add(s.respondents[fieldwork], parts...)
	}
	return interval(mean, v.Value(), df), v.crude
}

// Figures are those of R's survey package, as testdata/survey.R had them printed. Where R has no interval, as for
// shares of 0 and 1, there are rules of ours, with tests of their own.
func TestFiguresAsRSurvey(t *testing.T) {
	all := studies(t)
	lines := fixture(t, "survey.csv")
	if len(all) != 9 || len(lines) < 90 {
		t.Fatalf("there are %d studies and %d figures", len(all), len(lines))
	}
	compared := 0
	for _, line := range lines {
		want := numbers(t, line[2:])
		got, crude := all[line[0]].figure(line[1], want[0])
		want = want[1:]
		for i := range want {
			off, scale := math.Abs(got[i]-want[i]), 1e-7*max(1, math.Abs(want[i]))
			if i == 1 {
				scale = 1e-9 * math.Sqrt(crude)
			}
			if i > 2 && want[1] < 1e-15 {
				continue
			}
			compared++
			if !(off <= scale) {
				t.Errorf("%v: number %d is %v, want %v", line, i, got[i], want[i])
			}
		}
	}
	if compared < 450 {
		t.Errorf("only %d numbers were compared", compared)
	}
}
