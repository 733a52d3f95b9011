package storetest

import (
	"slices"

	"github.com/crosswave/crosswave/audience"
)

// asker makes random questions about what a frame tells.
type asker struct {
	Random
	frame     *audience.Frame
	questions []int // that may be used, by index
	waves     []string
	locations []string
	slices    bool // of numbers are asked about, too
	bands     bool // likewise
}

// asker uses the questions of one namespace and of those it is built on; at times of all, whether they meet in a
// respondent or not.
func (g Random) asker(f *audience.Frame) *asker {
	a := &asker{Random: g, frame: f}
	n := g.IntN(len(f.Namespaces))
	all := g.chance(4)
	for i := range f.Questions {
		if all || f.BuiltOn(n, f.Namespace(f.Questions[i].Namespace)) {
			a.questions = append(a.questions, i)
		}
	}
	for _, w := range f.Waves {
		a.waves = append(a.waves, w.Code)
	}
	for _, l := range f.Locations {
		a.locations = append(a.locations, l.Code)
	}
	return a
}

// slicer is an asker that asks about slices of numbers, too, which a request can't name.
func (g Random) slicer(f *audience.Frame) *asker {
	a := g.asker(f)
	a.slices = true
	return a
}

// Expr makes an expression of at most so many levels about what f tells. It may use namespaces that don't meet in a
// respondent.
func (g Random) Expr(f *audience.Frame, levels int) audience.Expr { return g.asker(f).expr(levels) }

// Spec asks for figures. Most specs can be answered; some meet an *audience.IncompatibleError.
func (g Random) Spec(f *audience.Frame) audience.Spec { return g.asker(f).spec() }

// some is part of the codes, in any order, at times with one of them twice.
func some[T any](g Random, codes []T) []T {
	codes = slices.Clone(codes)
	g.Shuffle(len(codes), func(i, j int) { codes[i], codes[j] = codes[j], codes[i] })
	codes = codes[:max(g.IntN(len(codes)+1), g.IntN(len(codes)+1))]
	if len(codes) > 0 && g.chance(15) {
		codes = append(codes, codes[0])
	}
	return codes
}

// expr is an expression of at most so many levels.
func (a *asker) expr(levels int) audience.Expr {
	if levels <= 1 || a.chance(30) {
		return a.leaf()
	}
	switch n := a.IntN(20); {
	case n < 6:
		return audience.And(a.parts(levels))
	case n < 13:
		return audience.Or(a.parts(levels))
	case n < 16:
		return audience.Not{X: a.expr(levels - 1)}
	case n < 19: // as a question reworded between waves or markets is asked
		return audience.Or{
			audience.And{a.pseudo(), a.expr(levels - 2)},
			audience.And{a.pseudo(), a.expr(levels - 2)},
		}
	}
	x := a.expr(levels - 1) // no one
	return audience.And{x, audience.Not{X: x}}
}

func (a *asker) parts(levels int) []audience.Expr {
	var parts []audience.Expr
	for range a.between(1, 3) {
		parts = append(parts, a.expr(levels-1))
	}
	if a.chance(3) {
		return nil
	}
	return parts
}

func (a *asker) leaf() audience.Expr {
	if x := a.slice(); x != nil {
		return x
	}
	if x := a.band(); x != nil {
		return x
	}
	if len(a.questions) == 0 || a.chance(18) {
		return a.pseudo()
	}
	i := a.questions[a.IntN(len(a.questions))]
	q := &a.frame.Questions[i]
	x := audience.Answers{Question: q.Key()}
	if bare, err := a.frame.Question(q.Code); err == nil && bare == i && a.chance(50) {
		x.Question = q.Code
	}
	if a.chance(80) {
		for _, d := range some(a.Random, q.Datapoints) {
			x.Datapoints = append(x.Datapoints, d.Code)
		}
	}
	if q.Grid() && a.chance(60) {
		for _, s := range some(a.Random, q.Suffixes) {
			x.Suffixes = append(x.Suffixes, s.Code)
		}
	}
	if a.chance(40) {
		x.Min = a.between(0, len(listed(q, x))+1)
	}
	return x
}

// slice is a slice of numbers at times, if the asker asks about them; else nil.
func (a *asker) slice() audience.Expr {
	if !a.slices || len(a.questions) == 0 {
		return nil
	}
	first := a.IntN(len(a.questions))
	for k := range a.questions {
		i := a.questions[(first+k)%len(a.questions)]
		if n := a.frame.Numbers(i); n.Bits > 0 && a.chance(30) {
			if a.chance(30) {
				return a.values(i, 1)[0]
			}
			return audience.Slice{Question: a.frame.Questions[i].Key(), Bit: a.between(audience.AnyNumber, n.Bits-1)}
		}
	}
	return nil
}

// values are so many values of a question's numbers, one after the other: small ones, of which some have respondents.
func (a *asker) values(question, many int) (xs []audience.Expr) {
	n := a.frame.Numbers(question)
	least, end := int64(-1)<<(n.Bits-1), int64(1)<<(n.Bits-1)
	first := max(least, min(end-int64(many), int64(a.between(-8, 8))))
	for x := first; x < min(end, first+int64(many)); x++ {
		xs = append(xs, audience.Value{Question: a.frame.Questions[question].Key(), Number: x})
	}
	return xs
}

func (a *asker) pseudo() audience.Expr {
	least := 0
	if a.chance(15) {
		least = a.between(0, 2)
	}
	switch a.IntN(10) {
	case 0:
		return audience.Everyone{}
	case 1, 2, 3, 4:
		return audience.Waves{Codes: some(a.Random, a.waves), Min: least}
	}
	return audience.Locations{Codes: some(a.Random, a.locations), Min: least}
}

// whole is an expression as a whole row, column or base.
func (a *asker) whole() audience.Expr {
	if a.chance(10) {
		return audience.Cut{a.expr(3), a.expr(2)}
	}
	return a.expr(a.between(1, 4))
}

// axis is a few rows or columns, the same twice at times; at others none.
func (a *asker) axis() []audience.Expr {
	var xs []audience.Expr
	for range a.between(0, 5) {
		xs = append(xs, a.whole())
	}
	if a.slices && a.chance(15) && len(a.questions) > 0 {
		if i := a.questions[a.IntN(len(a.questions))]; a.frame.Numbers(i).Bits > 0 {
			xs = append(xs, a.values(i, a.between(2, 40))...)
		}
	}
	if len(xs) > 0 && a.chance(10) {
		xs = append(xs, xs[0])
	}
	return xs
}

// spec asks for figures.
func (a *asker) spec() audience.Spec {
	s := audience.Spec{Rows: a.axis(), Columns: a.axis()}
	if a.chance(60) {
		s.Base = a.whole()
	}
	if a.chance(30) {
		s.Waves = some(a.Random, a.waves)
	}
	if a.chance(30) {
		s.Locations = some(a.Random, a.locations)
	}
	if a.chance(50) {
		s.LastWaves = a.between(1, 5)
	}
	if a.chance(20) {
		s.Namespace = a.frame.Namespaces[a.IntN(len(a.frame.Namespaces))].Code
	}
	return s
}

// motley asks for rows and columns of so many different reaches that they are not planned pair by pair.
func (a *asker) motley() audience.Spec {
	axis := func() []audience.Expr {
		var xs []audience.Expr
		for range 60 {
			x := audience.And{a.pseudo(), a.expr(2)}
			for range a.between(1, 3) {
				x = append(x, audience.Or{audience.Waves{Codes: some(a.Random, a.waves)},
					audience.Locations{Codes: some(a.Random, a.locations)}})
			}
			xs = append(xs, x)
		}
		return xs
	}
	return audience.Spec{Rows: axis(), Columns: axis()}
}

// query asks an engine for counts.
func (a *asker) query() trial {
	t := trial{spec: audience.Spec{Rows: a.axis(), Columns: a.axis()},
		namespace: a.frame.Namespaces[a.IntN(len(a.frame.Namespaces))].Code}
	if a.chance(60) {
		t.spec.Base = a.whole()
	}
	if a.chance(30) {
		if t.spec.Measures = a.squares(); t.spec.Measures == audience.Squares {
			t.strata = a.fieldworks()
			return t
		}
	}
	for range a.IntN(5) {
		t.strata = append(t.strata, audience.NewCover(a.frame.Size()))
	}
	for i := range a.frame.Size() {
		if s := a.IntN(len(t.strata) + 1); s < len(t.strata) {
			t.strata[s].Set(i)
		}
	}
	return t
}

// squares are those of each fieldwork, or of several together.
func (g Random) squares() audience.Measures {
	if g.chance(50) {
		return pooledSquares
	}
	return audience.Squares
}

// fieldworks are some strata of one fieldwork each, as squares are counted by.
func (a *asker) fieldworks() []audience.Cover {
	var strata []audience.Cover
	for _, i := range a.Perm(a.frame.Size())[:a.IntN(a.frame.Size()+1)] {
		c := audience.NewCover(a.frame.Size())
		c.Set(i)
		strata = append(strata, c)
	}
	return strata
}

// grant hides some of what there is, mostly nothing.
func (a *asker) grant() audience.Grant {
	g := audience.All()
	if a.chance(10) {
		g.Waves = some(a.Random, a.waves)
	}
	if a.chance(10) {
		g.Locations = some(a.Random, a.locations)
	}
	if a.chance(5) {
		g.Namespaces = nil
		for _, n := range some(a.Random, a.frame.Namespaces) {
			g.Namespaces = append(g.Namespaces, n.Code)
		}
	}
	if a.chance(5) {
		g.Questions = nil
		for _, q := range some(a.Random, a.frame.Questions) {
			g.Questions = append(g.Questions, q.Key())
		}
	}
	if a.chance(10) {
		g.MinSample = int64(1 + a.IntN(6))
	}
	return g
}
