package audience

import (
	"context"
	"math/bits"
	"runtime"
)

// Query is a whole question to an engine: how many respondents and how many people are in each cell of rows × columns,
// inside the base, in each stratum of fieldwork.
//
// Tabulate forms queries, and an engine may rely on what it promises. Questions are written with their namespace
// ("core.q1"). Leaves list their datapoints, codes of the Frame, each once, and have a Min of at least 1. A Query holds
// no Cut, no pointer and no nil but a nil Base, which is everyone. Nothing of it may be changed.
type Query struct {
	// Namespace says whose respondents and weights: those who have a weight above 0 in it are counted, by that weight.
	Namespace string
	Base      Expr
	Rows      []Expr
	Columns   []Expr
	// Strata are disjoint sets of fieldwork, and each is answered by a Table. One without fieldwork gets a table of zeros.
	Strata []Cover
	// Measures is what is counted besides samples and weights.
	Measures Measures
}

// Measures says what is counted of each cell besides its sample and its weight.
type Measures uint8

// Squares adds the sum of squared weights, from which follows how sure a figure is. Each stratum is one fieldwork then,
// as that is what was sampled for itself, unless the strata are Pooled: these are no finer with squares than without,
// which is enough for effective samples.
const (
	Squares Measures = 1 << iota
	Pooled
)

// Has tells whether all of n are measured.
func (m Measures) Has(n Measures) bool { return m&n == n }

// apart tells whether each fieldwork is a stratum of its own.
func (m Measures) apart() bool { return m.Has(Squares) && !m.Has(Pooled) }

// Count is what an engine knows of a cell.
type Count struct {
	Sample int64 // respondents
	Weight int64 // the sum of their weights, in units of 10^-k people (Frame.Decimals)
}

func (c *Count) add(d Count) {
	c.Sample += d.Sample
	c.Weight += d.Weight
}

// Uint128 is a sum of squared weights, in units of 10^-2k people², as a number of 128 bits. A weight is below 2^40
// units, so that the squares of 2^48 respondents fit.
type Uint128 struct{ High, Low uint64 }

// Plus is x + y.
func (x Uint128) Plus(y Uint128) Uint128 {
	low, carry := bits.Add64(x.Low, y.Low, 0)
	return Uint128{x.High + y.High + carry, low}
}

// Minus is x - y, where y is not the greater.
func (x Uint128) Minus(y Uint128) Uint128 {
	low, borrow := bits.Sub64(x.Low, y.Low, 0)
	return Uint128{x.High - y.High - borrow, low}
}

// Square is the square of a weight.
func Square(weight int64) Uint128 {
	high, low := bits.Mul64(uint64(weight), uint64(weight))
	return Uint128{high, low}
}

// Moments is what is known of a cell where squares are measured.
type Moments struct {
	Count
	Squares Uint128 // the sum of squared weights
}

// Table holds the Counts of a Query in one stratum: (rows+1) × (columns+1), where index 0 is everyone in the base. So
// At(0, 0) is the base, At(i, 0) a row's margin, At(0, j) a column's and At(i, j) a cell.
//
// Tables of disjoint respondents add up: those of the threads, chunks or servers that each counted a part.
type Table struct {
	Rows, Columns int
	Counts        []Count   // row-major, (Rows+1)·(Columns+1)
	Squares       []Uint128 // of the same cells; nil unless they are measured
}

// NewTable returns a table of zeros, without squares.
func NewTable(rows, columns int) *Table {
	return &Table{Rows: rows, Columns: columns, Counts: make([]Count, (rows+1)*(columns+1))}
}

// NewTable returns a table of zeros for one stratum of q.
func (q *Query) NewTable() *Table {
	t := NewTable(len(q.Rows), len(q.Columns))
	if q.Measures.Has(Squares) {
		t.Squares = make([]Uint128, len(t.Counts))
	}
	return t
}

// At returns the count of row i and column j, 0 being the base.
func (t *Table) At(i, j int) Count { return t.Counts[i*(t.Columns+1)+j] }

// Moments returns all that is known of row i and column j, 0 being the base. The squares must have been measured.
func (t *Table) Moments(i, j int) Moments {
	at := i*(t.Columns+1) + j
	return Moments{t.Counts[at], t.Squares[at]}
}

// Add adds u, of the same shape and with the same measures, to t.
func (t *Table) Add(u *Table) {
	for i, c := range u.Counts {
		t.Counts[i].add(c)
	}
	for i, x := range u.Squares {
		t.Squares[i] = t.Squares[i].Plus(x)
	}
}

// Framer tells what is in a store now: the survey, where it was fielded and asked, and the version of all that. Whoever
// asks twice may get another version the second time.
type Framer interface {
	Frame(ctx context.Context) (*Frame, error)
}

// Counter answers questions about one version of a store. Count returns a Table for each stratum of each query, in
// their order: either all are there and exact, or there is an error and none. Tables may be shared, and must not be
// changed.
//
// It returns ErrChanged if it can no longer answer for that version, an *InvalidError for a code that the version does
// not have, and the context's error if that ends first.
type Counter interface {
	Count(ctx context.Context, version uint64, qs []Query) ([][]*Table, error)
}

// WholeCounter is a Counter that may want whole queries of up to so many cells, margins among them. Tabulate then does
// not sort rows and columns by what they cover, with a query for each combination, but asks one query a namespace for
// all of them at once, over finer strata: that is right where a query costs a pass over all respondents, whatever it
// asks, and what nobody is in costs nothing. No figure depends on it. Where tables of that kind would not fit into
// memory, queries come as to any other Counter.
type WholeCounter interface {
	Counter
	WantsWhole(cells int) bool
}

// WantsWhole tells whether a Counter wants whole queries of so many cells. Whoever stands before another Counter passes
// this on.
func WantsWhole(c Counter, cells int) bool {
	w, ok := c.(WholeCounter)
	return ok && w.WantsWhole(cells)
}

// ThreadedCounter is a Counter that says with how many threads it counts.
type ThreadedCounter interface {
	Counter
	Threads() int
}

// Threads is how many threads may form figures from what a Counter has counted: as many as it counts with, or those of
// the program if it does not say. No figure depends on it. Whoever stands before another Counter passes this on.
func Threads(c Counter) int {
	if t, ok := c.(ThreadedCounter); ok {
		return t.Threads()
	}
	return runtime.GOMAXPROCS(0)
}

// Store is what everything above stands on. Implementations are safe for concurrent use.
type Store interface {
	Framer
	Counter
}

// Pair makes a Store of one that knows what there is and one that counts: an embedded store with a distributed counter,
// which has to know the versions that the first one tells of.
func Pair(f Framer, c Counter) Store { return pair{f, c} }

type pair struct {
	Framer
	Counter
}

func (p pair) WantsWhole(cells int) bool { return WantsWhole(p.Counter, cells) }

func (p pair) Threads() int { return Threads(p.Counter) }
