package storetest

import (
	"fmt"
	"math"
	"math/big"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/internal/exact"
)

// Moments is what is known of an audience in one fieldwork, in whole units: its sample, and the sums of its weights and
// of their squares.
type Moments struct {
	Sample          int64
	Weight, Squares *big.Int
}

// Moments are those of the respondents whom in tells, by fieldwork, in a namespace.
func (o *Oracle) Moments(namespace string, in func(respondent int) bool) []Moments {
	all := make([]Moments, o.Frame.Size())
	for i := range all {
		all[i] = Moments{0, new(big.Int), new(big.Int)}
	}
	for i := range o.Respondents {
		r := &o.Respondents[i]
		if units := r.Units[namespace]; units > 0 && in(i) {
			m, weight := &all[r.Fieldwork(o.Frame)], big.NewInt(units)
			m.Sample++
			m.Weight.Add(m.Weight, weight)
			m.Squares.Add(m.Squares, weight.Mul(weight, weight))
		}
	}
	return all
}

// integer is a sum of squares as an integer of any size.
func integer(x audience.Uint128) *big.Int {
	n := new(big.Int).SetUint64(x.High)
	return n.Lsh(n, 64).Or(n, new(big.Int).SetUint64(x.Low))
}

// pooledSquares are those of strata that may be of several fieldworks.
const pooledSquares = audience.Squares | audience.Pooled

// compareSections compares the moments of a crosstab whose spec measures squares with the oracle's: each cell that was
// measured is in one section, with each fieldwork of its cover.
func compareSections(o *Oracle, tab *audience.Crosstab, cells [][]Cell) error {
	s := tab.Spec
	base, rows, columns := o.Part(s.Base), o.axis(s.Rows), o.axis(s.Columns)
	compare := compareSection
	if s.Measures == pooledSquares {
		compare = comparePooled
	}
	seen := map[[2]int]bool{}
	for section := range tab.Sections() {
		for i, row := range section.Rows {
			for j, column := range section.Columns {
				if seen[[2]int{row, column}] {
					return fmt.Errorf("cell %d %d is in two sections", row, column)
				}
				seen[[2]int{row, column}] = true
				at, to := max(row, 1)-1, max(column, 1)-1
				if err := compare(o, &section, i, j, cells[at][to], base, rows[at], columns[to]); err != nil {
					return fmt.Errorf("cell %d %d: %w", row, column, err)
				}
			}
		}
	}
	for i := range cells {
		for j := range cells[i] {
			at := [2]int{min(i+1, len(s.Rows)), min(j+1, len(s.Columns))}
			if seen[at] == cells[i][j].Cover.Empty() {
				return fmt.Errorf("cell %d %d is measured %v, but it is in a section: %v", at[0], at[1],
					!cells[i][j].Cover.Empty(), seen[at])
			}
		}
	}
	return nil
}

// axis is the parts of an axis; everyone where there are none.
func (o *Oracle) axis(xs []audience.Expr) []Part {
	if len(xs) == 0 {
		return []Part{o.Part(audience.Everyone{})}
	}
	var parts []Part
	for _, x := range xs {
		parts = append(parts, o.Part(x))
	}
	return parts
}

// compareSection compares row i and column j of a section with what is right.
func compareSection(o *Oracle, s *audience.Section, i, j int, cell Cell, base, row, column Part) error {
	if err := compareExtent(o, s, cell); err != nil {
		return err
	}
	everyone := o.Moments(s.Namespace, func(int) bool { return true })
	want := o.allMoments(s.Namespace, base, row, column)
	at := 0
	for fieldwork := range cell.Cover.All() {
		if at == len(s.Strata) || s.Strata[at].Fieldwork != fieldwork {
			return fmt.Errorf("stratum %d is not fieldwork %d of its cover", at, fieldwork)
		}
		stratum := &s.Strata[at]
		at++
		if n := everyone[fieldwork].Sample; stratum.Respondents != n {
			return fmt.Errorf("fieldwork %d has %d respondents instead of %d", fieldwork, stratum.Respondents, n)
		}
		if person := o.person(s.Namespace, cell.Cover, fieldwork); math.Float64bits(stratum.Person) !=
			math.Float64bits(person) {
			return fmt.Errorf("fieldwork %d: a unit is %v people instead of %v", fieldwork, stratum.Person, person)
		}
		var got [4]audience.Moments
		got[0], got[1], got[2], got[3] = stratum.Moments(s.RowPlaces[i], s.ColumnPlaces[j])
		for k, name := range momentNames {
			if err := compareMoments(got[k], want[k][fieldwork]); err != nil {
				return fmt.Errorf("fieldwork %d, %s: %w", fieldwork, name, err)
			}
		}
	}
	if at < len(s.Strata) {
		return fmt.Errorf("it has %d strata instead of %d", len(s.Strata), at)
	}
	return nil
}

// comparePooled does the same where strata may be of several fieldworks: those in which a unit stands for as many
// people have the same moments together.
func comparePooled(o *Oracle, s *audience.Section, i, j int, cell Cell, base, row, column Part) error {
	if err := compareExtent(o, s, cell); err != nil {
		return err
	}
	type moments [len(momentNames)]audience.Moments
	got := map[float64]moments{}
	for k := range s.Strata {
		var m moments
		m[0], m[1], m[2], m[3] = s.Strata[k].Moments(s.RowPlaces[i], s.ColumnPlaces[j])
		sum := got[s.Strata[k].Person]
		for at := range sum {
			sum[at] = audience.Moments{Count: audience.Count{Sample: sum[at].Sample + m[at].Sample,
				Weight: sum[at].Weight + m[at].Weight}, Squares: sum[at].Squares.Plus(m[at].Squares)}
		}
		got[s.Strata[k].Person] = sum
	}
	all := o.allMoments(s.Namespace, base, row, column)
	want := map[float64][]Moments{}
	for fieldwork := range cell.Cover.All() {
		person := o.person(s.Namespace, cell.Cover, fieldwork)
		if want[person] == nil {
			for range momentNames {
				want[person] = append(want[person], Moments{0, new(big.Int), new(big.Int)})
			}
		}
		for at := range momentNames {
			to, m := &want[person][at], all[at][fieldwork]
			to.Sample += m.Sample
			to.Weight.Add(to.Weight, m.Weight)
			to.Squares.Add(to.Squares, m.Squares)
		}
	}
	if len(got) != len(want) {
		return fmt.Errorf("a unit stands for %d numbers of people instead of %d", len(got), len(want))
	}
	for person, moments := range want {
		for at, name := range momentNames {
			if err := compareMoments(got[person][at], moments[at]); err != nil {
				return fmt.Errorf("where a unit is %v people, %s: %w", person, name, err)
			}
		}
	}
	return nil
}

// momentNames are what moments of a cell are of, in the order of audience.Stratum.Moments.
var momentNames = [...]string{"base", "row", "column", "both"}

// allMoments are those of the base, of the row and the column within it, and of both.
func (o *Oracle) allMoments(namespace string, base, row, column Part) [len(momentNames)][]Moments {
	return [...][]Moments{
		o.Moments(namespace, func(r int) bool { return base.in[r] }),
		o.Moments(namespace, func(r int) bool { return base.in[r] && row.in[r] }),
		o.Moments(namespace, func(r int) bool { return base.in[r] && column.in[r] }),
		o.Moments(namespace, func(r int) bool { return base.in[r] && row.in[r] && column.in[r] }),
	}
}

// compareExtent compares where a section is counted with where a cell of it should be.
func compareExtent(o *Oracle, s *audience.Section, cell Cell) error {
	if s.Namespace != cell.Namespace || !s.Cover.Equal(cell.Cover) {
		return fmt.Errorf("its section is of namespace %s and covers %s, instead of %s and %s", s.Namespace,
			coverText(o.Frame, s.Cover), cell.Namespace, coverText(o.Frame, cell.Cover))
	}
	return nil
}

// person is how many people a unit of weight stands for in a fieldwork of a cover.
func (o *Oracle) person(namespace string, cover audience.Cover, fieldwork int) float64 {
	n, waves := o.Frame.Namespace(namespace), int64(1)
	if o.Frame.Namespaces[n].Universe != audience.Sum {
		_, l := o.Frame.Fieldwork(fieldwork)
		waves = covered(o.Frame, cover, l)
	}
	unit := big.NewRat(1, waves)
	person, _ := unit.Quo(unit, exact.Power(o.Frame.Decimals(n))).Float64()
	return person
}

func compareMoments(got audience.Moments, want Moments) error {
	if got.Sample != want.Sample || big.NewInt(got.Weight).Cmp(want.Weight) != 0 ||
		integer(got.Squares).Cmp(want.Squares) != 0 {
		return fmt.Errorf("the sample, the weights and their squares are %d, %d and %d instead of %d, %d and %d", got.Sample,
			got.Weight, integer(got.Squares), want.Sample, want.Weight, want.Squares)
	}
	return nil
}
