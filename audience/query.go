package audience

import "context"

// Query is a whole question to an engine: how many respondents and how many people are in each cell of rows × columns,
// inside the base, in each stratum of fieldwork. Engines get it formed by Tabulate: questions are written with their
// namespace ("core.q1"), leaves have their datapoints listed (codes of the Frame, each once) and a Min of at least 1,
// no Cut, no pointer and no nil stands in it, save that a nil Base is everyone.
type Query struct {
	Namespace string // whose respondents and weights: those with a weight above 0 there
	Base      Expr
	Rows      []Expr
	Columns   []Expr
	Strata    []Cover // disjoint; one Table each. An empty stratum covers nothing
}

// Count is what an engine knows of a cell.
type Count struct {
	Sample int64 // respondents
	Weight int64 // the sum of their weights, in units of 10^-k people (Namespace.Decimals)
}

func (c *Count) add(d Count) {
	c.Sample += d.Sample
	c.Weight += d.Weight
}

// Table holds the Counts of a Query in one stratum: (rows+1) × (columns+1), where index 0 is everyone in the base. So
// At(0, 0) is the base, At(i, 0) a row's margin, At(0, j) a column's and At(i, j) a cell. Tables of disjoint
// respondents add up.
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
		t.Counts[i].Sample += c.Sample
		t.Counts[i].Weight += c.Weight
	}
}

// Framer tells what is in a store now.
type Framer interface {
	Frame(ctx context.Context) (*Frame, error)
}

// Counter answers questions about one version of a store: [query][stratum], exact, or an error and nothing. It returns
// ErrChanged if it can no longer answer for that version.
type Counter interface {
	Count(ctx context.Context, version uint64, qs []Query) ([][]*Table, error)
}

// Store is what everything above stands on. Implementations are safe for concurrent use.
type Store interface {
	Framer
	Counter
}

// Pair makes a Store of one that knows what there is and one that counts: an embedded store with a distributed counter.
func Pair(f Framer, c Counter) Store { return pair{f, c} }

type pair struct {
	Framer
	Counter
}
