package audience

import (
	"iter"
	"slices"
)

// Section is the rows × columns of a Crosstab that are counted over the same fieldwork, in the same namespace, as they
// were counted: in whole numbers. Where squares were measured, and not Pooled, these are its moments, from which
// follows how sure each figure is.
type Section struct {
	Rows, Columns []int // as Crosstab.Cell counts them
	// RowPlaces and ColumnPlaces are where those stand in the tables; 0 is the base, and below 0 it is no one.
	RowPlaces, ColumnPlaces []int
	Namespace               string
	Cover                   Cover // not empty
	// Strata are, where squares were measured and not Pooled, one for each fieldwork of the cover, in the survey's order,
	// waves outermost; else parts of the cover in which a unit of weight counts alike, in any order.
	Strata []Stratum
}

// Stratum is one fieldwork of a Section, a sample of its own; or, where squares were not measured, or Pooled, several.
type Stratum struct {
	Fieldwork int // as a Cover numbers it; the first, if there are several
	// Respondents are all that the namespace has there, with a weight above 0, in the base or not; 0 if it may be several.
	Respondents int64
	Waves       int     // by which weights are divided there
	Person      float64 // how many people a unit of weight stands for there
	Table       *Table
}

// Moments are those of the row and the column with these places: the base; base ∩ row; base ∩ column; all three.
func (s *Stratum) Moments(row, column int) (base, inRow, inColumn, both Moments) {
	base = s.Table.Moments(0, 0)
	if row >= 0 {
		inRow = s.Table.Moments(row, 0)
	}
	if column >= 0 {
		inColumn = s.Table.Moments(0, column)
	}
	if row >= 0 && column >= 0 {
		both = s.Table.Moments(row, column)
	}
	return base, inRow, inColumn, both
}

// Sections ranges over the sections of a crosstab. Cells that were not measured are in none, all others in one.
func (c *Crosstab) Sections() iter.Seq[Section] {
	return func(yield func(Section) bool) {
		rows, columns := c.rows.indices(), c.columns.indices()
		for i := range c.pairs {
			for j := range c.pairs[i] {
				p := &c.pairs[i][j]
				if p.sum == nil {
					continue
				}
				r := Section{Namespace: p.namespace, Cover: p.cover}
				r.Rows, r.RowPlaces = inSection(rows[i], p.rows)
				r.Columns, r.ColumnPlaces = inSection(columns[j], p.columns)
				if p.query.apart {
					r.Strata = c.strata(p)
				} else {
					p.pool(&r)
				}
				if len(r.Rows) > 0 && len(r.Columns) > 0 && !yield(r) {
					return
				}
			}
		}
	}
}

// indices are the members of each group, as Cell counts them.
func (a *axis) indices() [][]int {
	out := make([][]int, len(a.groups))
	for i, m := range a.members {
		if !a.empty {
			i++
		}
		out[m.group] = append(out[m.group], i)
	}
	return out
}

// inSection are the members of a group that were measured, and their places.
func inSection(members, places []int) (indices, at []int) {
	indices, at = make([]int, 0, len(places)), make([]int, 0, len(places))
	for i, p := range places {
		if p != unmeasured {
			indices, at = append(indices, members[i]), append(at, p)
		}
	}
	return indices, at
}

// strata are those of a pairing whose query has one for each fieldwork, in the survey's order.
func (c *Crosstab) strata(p *pairing) []Stratum {
	type divided struct {
		waves  int
		person float64
	}
	by := make([]divided, len(p.query.query.Strata)) // of no waves where the pairing has none
	n := 0
	for _, t := range p.sum.terms {
		for _, s := range t.strata {
			by[s] = divided{t.n, p.sum.scale.unit(t.n)}
		}
		n += len(t.strata)
	}
	out := make([]Stratum, 0, n)
	everyone := 0 // the stratum of everyone that holds the fieldwork at hand, or an earlier one
	for s, cover := range p.query.query.Strata {
		share := by[s]
		if share.waves == 0 {
			continue
		}
		x := Stratum{Waves: share.waves, Person: share.person, Table: p.query.tables[s]}
		for i := range cover.All() {
			x.Fieldwork = i
			break
		}
		if p.everyone != nil {
			for !p.everyone.query.Strata[everyone].Has(x.Fieldwork) {
				everyone++
			}
			x.Respondents = p.everyone.tables[everyone].At(0, 0).Sample
		}
		out = append(out, x)
	}
	return out
}

// pool sets the strata of a section to those of a pairing, with all together in which a unit of weight counts alike.
// Where these are several, the tables that they are added up in have the places of the section alone: those of a query
// may be many more.
func (p *pairing) pool(s *Section) {
	several := slices.ContainsFunc(p.sum.terms, func(t term) bool { return len(t.strata) > 1 })
	rows, columns := used(s.RowPlaces), used(s.ColumnPlaces)
	for _, t := range p.sum.terms {
		x := Stratum{Fieldwork: -1, Waves: t.n, Person: p.sum.scale.unit(t.n), Table: p.query.tables[t.strata[0]]}
		if several {
			x.Table = p.together(t.strata, rows, columns)
		}
		for _, stratum := range t.strata {
			for i := range p.query.query.Strata[stratum].All() {
				if x.Fieldwork < 0 || i < x.Fieldwork {
					x.Fieldwork = i
				}
				break
			}
		}
		s.Strata = append(s.Strata, x)
	}
	if several {
		renumber(s.RowPlaces, rows)
		renumber(s.ColumnPlaces, columns)
	}
}

// together adds up the tables of strata, in some rows and columns, which are those of its table in turn.
func (p *pairing) together(strata, rows, columns []int) *Table {
	t := NewTable(len(rows)-1, len(columns)-1)
	if p.query.query.Measures.Has(Squares) {
		t.Squares = make([]Uint128, len(t.Counts))
	}
	for _, s := range strata {
		from, at := p.query.tables[s], 0
		for _, row := range rows {
			for _, column := range columns {
				of := row*(from.Columns+1) + column
				t.Counts[at].add(from.Counts[of])
				if t.Squares != nil {
					t.Squares[at] = t.Squares[at].Plus(from.Squares[of])
				}
				at++
			}
		}
	}
	return t
}

// used are the places of tables that members with these places read, each once and in order: the base and theirs.
func used(places []int) []int {
	all := append([]int{0}, places...)
	slices.Sort(all)
	all = slices.Compact(all)
	return all[slices.Index(all, 0):]
}

// renumber sets places to where they stand among those that are used. Those of no one stay below 0.
func renumber(places, used []int) {
	for i, p := range places {
		if p >= 0 {
			places[i], _ = slices.BinarySearch(used, p)
		}
	}
}
