package estimate

import (
	"math/big"
	"math/bits"
	"sync/atomic"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/internal/inference"
)

// numberBlock is some columns of numbers, counted.
type numberBlock struct {
	numbers  *Numbers
	main     *located             // row 1 is those with a number
	any      *located             // nil where main has squares: those with a number, of whom these are known
	patterns *located             // those with a number, by their highest bits, from a row on
	several  atomic.Bool          // somebody has more than one number
	bases    map[int32]*inNumbers // by section of main: everyone in the base, once findBase found them

	patternsFrom int
	// whole counts the rows without the columns, in a namespace.
	whole func(namespace string) (*located, error)
}

// located is a crosstab whose cells are found in its sections.
type located struct {
	*audience.Crosstab
	sections []audience.Section
	at       []spot
}

func newLocated(tab *audience.Crosstab) *located {
	l := &located{Crosstab: tab}
	l.sections, l.at = locate(tab)
	return l
}

// find returns the section of a cell; nil if it was not measured.
func (l *located) find(row, column int) (*audience.Section, spot) {
	at := l.at[row*(len(l.Spec.Columns)+1)+column]
	if at.section == 0 {
		return nil, at
	}
	return &l.sections[at.section-1], at
}

// inNumbers is the numbers of a column, fieldwork by fieldwork as its section has them; nil where nobody has one.
type inNumbers struct {
	strata []*inference.Numbers
	rows   [][]int64 // of each stratum, the weight of each row of the numbers that are parts
}

// column finds the numbers of a column of the block; nil if it was not measured.
func (b *numberBlock) column(j int) *inNumbers {
	s, at := b.main.find(1, j)
	if s == nil {
		return nil
	}
	return b.sum(s, s.RowPlaces[at.row], s.ColumnPlaces[at.column], func(row int) (*audience.Section, int, int) {
		of, at := b.main.find(row, j)
		if of == nil {
			return nil, 0, 0
		}
		return of, of.RowPlaces[at.row], of.ColumnPlaces[at.column]
	})
}

// findBase finds the numbers of everyone in the base, within what a column of the block covers, if it was measured.
// Where rows cover different fieldwork, the column may have nobody in that of a row, so that there is no cell of the
// two.
func (b *numberBlock) findBase(j int) error {
	s, at := b.main.find(1, j)
	if s == nil || b.bases[at.section] != nil {
		return nil
	}
	if b.bases == nil {
		b.bases = map[int32]*inNumbers{}
	}
	from, column := b.main, j
	if b.numbers.ragged {
		var err error
		if from, err = b.whole(s.Namespace); err != nil {
			return err
		}
		column = 0
	}
	b.bases[at.section] = b.sum(s, s.RowPlaces[at.row], 0, func(row int) (*audience.Section, int, int) {
		of, at := from.find(row, column)
		if of == nil {
			return nil, 0, 0
		}
		return of, of.RowPlaces[at.row], 0
	})
	return nil
}

// rest is the numbers of the base, which was found, without those of a column.
func (b *numberBlock) rest(j int, column *inNumbers) []*inference.Numbers {
	_, at := b.main.find(1, j)
	base := b.bases[at.section]
	out := make([]*inference.Numbers, len(base.strata))
	for i, n := range base.strata {
		if n != nil {
			out[i] = n.Less(column.strata[i])
		}
	}
	return out
}

// count is that of a stratum at two places, and its squares if there are any.
func count(s *audience.Stratum, row, column int) (c audience.Count, squares audience.Uint128) {
	if row < 0 || column < 0 {
		return c, squares
	}
	at := row*(s.Table.Columns+1) + column
	if s.Table.Squares != nil {
		squares = s.Table.Squares[at]
	}
	return s.Table.Counts[at], squares
}

// sum adds up the rows of a column, or of the base, within a section, where row and column are the places of those with
// a number. Rows may cover different fieldwork: who is in none where it was asked, has no number there. Where a row is
// counted, find tells: in a section, and where there; nil if it was not measured.
func (b *numberBlock) sum(s *audience.Section, row, column int,
	find func(row int) (*audience.Section, int, int)) *inNumbers {
	out := b.begin(s, row, column)
	byFieldwork := map[int]int{}
	for k := range s.Strata {
		byFieldwork[s.Strata[k].Fieldwork] = k
	}
	var add adder
	for i := range b.numbers.rows {
		of, rowPlace, columnPlace := find(2 + i)
		if of == nil {
			continue
		}
		for k := range of.Strata {
			h := &of.Strata[k]
			to := k
			if of != s {
				var within bool
				if to, within = byFieldwork[h.Fieldwork]; !within {
					continue
				}
			}
			if c, squares := count(h, rowPlace, columnPlace); c.Sample > 0 {
				add.row(out.strata[to], &b.numbers.rows[i], c, squares, b.numbers.ragged)
				if out.rows[to] != nil {
					out.rows[to][i] = c.Weight
				}
			}
		}
	}
	for k, n := range out.strata {
		any, _ := count(&s.Strata[k], row, column)
		if n != nil && n.Sample > any.Sample {
			b.several.Store(true)
		}
	}
	return out
}

// begin begins the numbers of a column with those who have one. Where rows cover different fieldwork, only those count
// who are in a row.
func (b *numberBlock) begin(s *audience.Section, row, column int) *inNumbers {
	out := &inNumbers{strata: make([]*inference.Numbers, len(s.Strata)), rows: make([][]int64, len(s.Strata))}
	for k := range s.Strata {
		h := &s.Strata[k]
		c, squares := count(h, row, column)
		if c.Sample == 0 {
			continue
		}
		if b.numbers.ragged {
			c, squares = audience.Count{}, audience.Uint128{}
		}
		n := &inference.Numbers{Fieldwork: h.Fieldwork, Respondents: h.Respondents, Divisor: int64(h.Waves),
			Sample: c.Sample, Weights: [3]*big.Int(zeros(3))}
		n.Weights[0].SetInt64(c.Weight)
		if h.Table.Squares != nil {
			n.Squares = [3]*big.Int{whole(squares), {}, {}}
		}
		out.strata[k] = n
		if b.numbers.slices == nil {
			out.rows[k] = make([]int64, len(b.numbers.rows))
		}
	}
	return out
}

// zeros returns some zeros, all in one place in memory, with room for what weights and numbers usually add up to: 256
// bits. There are so many of them that to make each by itself would take as long as to add up.
func zeros(n int) []*big.Int {
	const words = 256 / bits.UintSize
	zeros, ints, room := make([]*big.Int, n), make([]big.Int, n), make([]big.Word, n*words)
	for i := range zeros {
		zeros[i] = ints[i].SetBits(room[i*words : i*words : (i+1)*words])
	}
	return zeros
}

// whole is a sum of squares as it is.
func whole(x audience.Uint128) *big.Int {
	out := new(big.Int).SetUint64(x.High)
	return out.Or(out.Lsh(out, 64), new(big.Int).SetUint64(x.Low))
}

// adder adds rows to sums of numbers, with room for what is on the way.
type adder struct{ count, product big.Int }

// row adds a row, and its respondents too if that is asked for.
func (a *adder) row(to *inference.Numbers, r *numberRow, c audience.Count, squares audience.Uint128, people bool) {
	a.add(to.Weights[:], r, a.count.SetInt64(c.Weight), people)
	if to.Squares[0] != nil {
		a.add(to.Squares[:], r, whole(squares), people)
	}
	if people {
		to.Sample += c.Sample
	}
}

func (a *adder) add(to []*big.Int, r *numberRow, n *big.Int, people bool) {
	if people {
		to[0].Add(to[0], n)
	}
	if r.sum != nil {
		to[1].Add(to[1], a.product.Mul(n, r.sum))
	}
	to[2].Add(to[2], a.product.Mul(n, r.square))
}

// effective is the effective sample of those of a column who have a number, and a mean.
func (b *numberBlock) effective(j int, m *inference.Mean) float64 {
	if b.any == nil {
		return m.Effective()
	}
	s, at := b.any.find(1, j)
	if s == nil {
		return 0
	}
	// What has the same divisor counts alike, and is added up first: it is little beside the strata.
	type sums struct {
		audience.Count
		squares audience.Uint128
	}
	byDivisor := map[int]sums{}
	for k := range s.Strata {
		h := &s.Strata[k]
		if c, squares := count(h, s.RowPlaces[at.row], s.ColumnPlaces[at.column]); c.Sample > 0 {
			sum := byDivisor[h.Waves]
			sum.Sample, sum.Weight, sum.squares = sum.Sample+c.Sample, sum.Weight+c.Weight, sum.squares.Plus(squares)
			byDivisor[h.Waves] = sum
		}
	}
	var strata []*inference.Numbers
	for divisor, sum := range byDivisor {
		strata = append(strata, &inference.Numbers{Divisor: int64(divisor), Sample: sum.Sample,
			Weights: [3]*big.Int{big.NewInt(sum.Weight), {}, {}}, Squares: [3]*big.Int{whole(sum.squares), {}, {}}})
	}
	return inference.NewMean(strata, big.NewInt(1)).Effective()
}
