package audience

import (
	"context"
	"slices"
	"strconv"
)

// Spec is what one wants to know: a figure for each row × column inside a base, over some fieldwork. All codes in it
// must be usable (Frame.Check).
type Spec struct {
	Base          Expr   // nil is everyone
	Rows, Columns []Expr // an empty axis has index 0 only: the base stands in
	Waves         []string
	Locations     []string // none: all that the caller may use; Waves likewise
	// Namespace is where a figure is counted whose expressions use no namespace; "" is the default namespace.
	Namespace string
	// LastWaves, if above 0 and no Waves are given, takes figure by figure the last so many waves in which the figure's
	// namespace has respondents.
	LastWaves int
	// Within, if not "", is a namespace that counts as used by every figure: so that what is told of others that were
	// counted in it has the same respondents.
	Within string
	// Measures is what is counted besides samples and weights: Crosstab.Sections has it.
	Measures Measures
}

// Cell is what is known of one row × column. All of it is counted over the same fieldwork and the same respondents.
type Cell struct {
	Base, Row, Column, Both Figure // the base; base ∩ row; base ∩ column; base ∩ row ∩ column
	Namespace               string // whose respondents and weights
	Cover                   Cover  // the effective fieldwork; empty: not measured
	// Withheld tells that it was measured, and that the caller is not told: the figures are 0. Grant.MinSample says why.
	Withheld bool
}

// Crosstab holds the figures of a Spec, counted.
type Crosstab struct {
	Frame *Frame
	Spec  Spec

	rows, columns axis
	pairs         [][]pairing // [row group][column group]
}

// Cell returns the figures of row i and column j, counted from 1 as in Spec.Rows and Spec.Columns. On an empty axis the
// index is 0. It is withheld where it tells of fewer than the floor of c.Frame.
func (c *Crosstab) Cell(i, j int) Cell {
	cell := c.cell(i, j)
	if c.Frame.withholds(&cell) {
		return Cell{Namespace: cell.Namespace, Cover: cell.Cover, Withheld: true}
	}
	return cell
}

// cell is what was counted for row i and column j, whoever may be told.
func (c *Crosstab) cell(i, j int) Cell {
	r, k := c.rows.at(i), c.columns.at(j)
	p := &c.pairs[r.group][k.group]
	out := Cell{Namespace: p.namespace, Cover: p.cover}
	row, column := p.rows[r.place], p.columns[k.place]
	if row == unmeasured || column == unmeasured {
		out.Cover = NewCover(c.Frame.Size())
	}
	if p.sum == nil || out.Cover.Empty() {
		return out
	}
	p.sum.merge(p.query)
	for _, t := range p.sum.terms {
		var n [4]Count
		for table := range t.tables(p.query.tables) {
			n[0].add(table.At(0, 0))
			if row >= 0 {
				n[1].add(table.At(row, 0))
			}
			if column >= 0 {
				n[2].add(table.At(0, column))
			}
			if row >= 0 && column >= 0 {
				n[3].add(table.At(row, column))
			}
		}
		for i, f := range [...]*Figure{&out.Base, &out.Row, &out.Column, &out.Both} {
			f.add(p.sum.scale, t, n[i])
		}
	}
	for _, f := range [...]*Figure{&out.Base, &out.Row, &out.Column, &out.Both} {
		f.Size = f.exact.people()
	}
	return out
}

// Namespaces are the codes of those in which any cell is counted, in the survey's order.
func (c *Crosstab) Namespaces() (codes []string) {
	for i := range c.Frame.Namespaces {
		code := c.Frame.Namespaces[i].Code
		if slices.ContainsFunc(c.pairs, func(row []pairing) bool {
			return slices.ContainsFunc(row, func(p pairing) bool { return p.namespace == code })
		}) {
			codes = append(codes, code)
		}
	}
	return codes
}

// Tabulate decides which fieldwork each figure covers and counts all of them with one call of st.Count, from one
// version of the store. ask is given that version's Frame, checks the request against it and forms the specs; it is
// called again if the store changes meanwhile. The Crosstabs are in the order of the specs.
//
// A figure covers the requested fieldwork in which its namespace has respondents and in which none of its expressions
// is unknown or never: it is measured where it was asked, not diluted by the rest. It is counted in the deepest
// namespace its expressions use. A size is per location the average over that location's covered waves, then the sum
// over locations. A figure's bits do not depend on what else is asked.
func Tabulate(ctx context.Context, st Store, ask func(*Frame) ([]Spec, error)) (tabs []*Crosstab, err error) {
	err = Read(ctx, st, func(r *Reading) error {
		specs, err := ask(r.Frame)
		if err != nil {
			return err
		}
		tabs, err = r.Tabulate(ctx, specs...)
		return err
	})
	if err != nil {
		return nil, err
	}
	return tabs, nil
}

// Check looks up the codes of s, with origins of its own (base, rows[0] …), and tells whether namespaces without common
// respondents meet in a figure (*IncompatibleError).
func (s Spec) Check(f *Frame) error {
	if err := s.checkCodes(f); err != nil {
		return err
	}
	_, err := newPlanner(f).bindAxes(s)
	return err
}

// originOf is rows[0], columns[1] and the like.
func originOf(axis string, i int) string { return axis + "[" + strconv.Itoa(i) + "]" }

func (s Spec) checkCodes(f *Frame) error {
	uses := append(make([]Use, 0, 1+len(s.Rows)+len(s.Columns)), Use{"base", s.Base})
	for i, x := range s.Rows {
		uses = append(uses, Use{originOf("rows", i), x})
	}
	for i, x := range s.Columns {
		uses = append(uses, Use{originOf("columns", i), x})
	}
	return f.Check(s.Waves, s.Locations, uses...)
}
