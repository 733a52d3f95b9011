package sqlite

import (
	"slices"

	"github.com/crosswave/crosswave/audience"
)

// derivation is how the cells that follow from others are set in each table of a query, by the places of its rows and
// its columns in a table. There may be a table for each fieldwork, so it is made once for all of them.
type derivation struct{ rows, cols []derivedPlace }

// derivedPlace is a place whose cells are the sum of those at other places, or what these leave of everyone, which is
// place 0.
type derivedPlace struct {
	at   int
	of   []int
	rest bool
}

// derivation says how the tables of a query are completed once all else is counted.
func (q *query) derivation() *derivation {
	return &derivation{q.rows.derivedPlaces(), q.cols.derivedPlaces()}
}

// derivedPlaces are the places of a side that follow from others, in the order in which they are to be set, and then
// those where they stand again.
func (s *side) derivedPlaces() []derivedPlace {
	if len(s.follows) == 0 {
		return nil
	}
	index := make([]int, len(s.refs)) // the first of each place in the table
	for i, at := range slices.Backward(s.at) {
		index[at] = i
	}
	out := make([]derivedPlace, 0, len(s.follows))
	follows := make([]bool, len(s.refs))
	for _, f := range s.follows {
		d := derivedPlace{at: index[f.at], of: make([]int, len(f.of)), rest: f.rest}
		for i, of := range f.of {
			d.of[i] = index[of]
		}
		out = append(out, d)
		follows[f.at] = true
	}
	for i, at := range s.at {
		if follows[at] && index[at] != i {
			out = append(out, derivedPlace{at: i, of: []int{index[at]}})
		}
	}
	return out
}

// complete sets the cells of a table that follow from others: rows first, then columns, also those of such rows. It
// goes along each row for all of the columns together, as cells of a row lie side by side in memory, and those of a
// column are as far apart as a row is long.
func (d *derivation) complete(t *audience.Table) {
	stride := t.Columns + 1
	for j := range stride {
		setLine(t, d.rows, j, stride)
	}
	for i := range t.Rows + 1 {
		setLine(t, d.cols, i*stride, 1)
	}
}

// setLine sets those cells of one row or column of a table that follow from others of it: its first cell is everyone's,
// and from one of its cells to the next it is so many. A place that is counted in the place of its complement is what
// its own cell leaves, so a cell is not written before all are read.
func setLine(t *audience.Table, places []derivedPlace, first, step int) {
	for i := range places {
		p := &places[i]
		var n audience.Count
		for _, of := range p.of {
			c := &t.Counts[first+of*step]
			n.Sample += c.Sample
			n.Weight += c.Weight
		}
		if p.rest {
			all := &t.Counts[first]
			n = audience.Count{Sample: all.Sample - n.Sample, Weight: all.Weight - n.Weight}
		}
		t.Counts[first+p.at*step] = n
		if t.Squares == nil {
			continue
		}
		var x audience.Uint128
		for _, of := range p.of {
			x = x.Plus(t.Squares[first+of*step])
		}
		if p.rest {
			x = t.Squares[first].Minus(x)
		}
		t.Squares[first+p.at*step] = x
	}
}

// known says where the counts of a query's cells are known from: from another one that asks for the same and more, but
// for no squares, as a summary does for effective samples. Only squares are left to be counted then.
type known struct {
	query      int   // whose tables have them
	rows, cols []int // of each row and column, which one it is there
}

// knownFrom finds, among the queries before another, one that has the counts of all of its cells; nil if there is none.
func (g *graph) knownFrom(q *query) *known {
	if !q.squares {
		return nil
	}
	for i := range g.queries {
		from := &g.queries[i]
		if from.squares || from.namespace != q.namespace || from.base != q.base ||
			!slices.EqualFunc(from.strata, q.strata, audience.Cover.Equal) {
			continue
		}
		rows, cols := from.rows.placesOf(&q.rows), from.cols.placesOf(&q.cols)
		if rows != nil && cols != nil {
			return &known{i, rows, cols}
		}
	}
	return nil
}

// placesOf gives of each place of another side the first one of s that has the same expression; nil if one has none.
func (s *side) placesOf(other *side) []int {
	index := make(map[ref]int, len(s.asked))
	for i, at := range slices.Backward(s.at) {
		index[s.asked[at]] = i
	}
	places := make([]int, len(other.at))
	for i, at := range other.at {
		place, there := index[other.asked[at]]
		if !there {
			return nil
		}
		places[i] = place
	}
	return places
}

// take sets the counts of a table to those that another, which is complete, has of the same cells.
func (k *known) take(t, from *audience.Table) {
	for i, row := range k.rows {
		to, counts := t.Counts[i*len(k.cols):][:len(k.cols)], from.Counts[row*(from.Columns+1):][:from.Columns+1]
		for j, col := range k.cols {
			to[j] = counts[col]
		}
	}
}
