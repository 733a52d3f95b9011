package audience

import "context"

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
}

// Count is what an engine knows of a cell.
type Count struct {
	Sample int64 // respondents
	Weight int64 // the sum of their weights, in units of 10^-k people (Frame.Decimals)
}

func (c *Count) add(d Count) {
	c.Sample += d.Sample
	c.Weight += d.Weight
}

// Table holds the Counts of a Query in one stratum: (rows+1) × (columns+1), where index 0 is everyone in the base. So
// At(0, 0) is the base, At(i, 0) a row's margin, At(0, j) a column's and At(i, j) a cell.
//
// Tables of disjoint respondents add up: those of the threads, chunks or servers that each counted a part.
type Table struct {
	Rows, Columns int
	Counts        []Count // row-major, (Rows+1)·(Columns+1)
}

// NewTable returns a table of zeros.
func NewTable(rows, columns int) *Table {
	return &Table{Rows: rows, Columns: columns, Counts: make([]Count, (rows+1)*(columns+1))}
}

// At returns the count of row i and column j, 0 being the base.
func (t *Table) At(i, j int) Count { return t.Counts[i*(t.Columns+1)+j] }

// Add adds u, of the same shape, to t.
func (t *Table) Add(u *Table) {
	for i, c := range u.Counts {
		t.Counts[i].add(c)
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
