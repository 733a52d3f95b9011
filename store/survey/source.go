package survey

import (
	"context"
	"iter"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/internal/ordered"
)

// tableSource is a Table read by a codebook.
type tableSource struct {
	codebook   *Codebook
	table      Table
	header     []string
	plan       *plan
	goroutines int

	settling sync.Mutex // of waves that the codebook does not list
}

// NewSource reads a table by a codebook. What the codebook names must be among the columns. Up to so many goroutines
// read rows at the same time, 0 being one per CPU; the respondents, their order and an error do not depend on it. What
// is wrong with a row is an *Error.
//
// Reading takes memory for a few blocks of rows and for the values that columns hold again and again, whatever the size
// of the file. Where the codebook's waves are periods that it does not list, they are found out when the survey is
// first described or read: the table's column of dates is read once for that.
func NewSource(t Table, c *Codebook, goroutines int) (Source, error) {
	if err := c.Check(); err != nil {
		return nil, err
	}
	if goroutines <= 0 {
		goroutines = runtime.GOMAXPROCS(0)
	}
	var header []string
	for _, name := range t.Header() {
		header = append(header, strings.TrimSpace(name))
	}
	c, err := c.Expand(header, nil)
	if err != nil {
		return nil, err
	}
	p, err := newPlan(c, header)
	if err != nil {
		return nil, err
	}
	return &tableSource{codebook: c, table: t, header: header, plan: p, goroutines: goroutines}, nil
}

// needed lists the columns that the plan reads, in the order of the file.
func (p *plan) needed() []int {
	list := []int{p.respondent, p.wave.column, p.location.column}
	for i := range p.weights {
		list = append(list, p.weights[i].column)
	}
	for i := range p.columns {
		list = append(list, p.columns[i].index)
	}
	slices.Sort(list)
	return slices.DeleteFunc(slices.Compact(list), func(column int) bool { return column < 0 })
}

// Describe returns the survey of the codebook, with the waves that are found out of the data.
func (s *tableSource) Describe(ctx context.Context) (*audience.Survey, error) {
	if err := s.settle(ctx); err != nil {
		return nil, err
	}
	return s.codebook.Survey, nil
}

// blocksPerWorker is how many blocks there are per worker: each takes memory for every column.
const blocksPerWorker = 4

// Respondents streams the respondents of the table's rows. Workers make them of several blocks at the same time, and
// they come in the order of the file. What is wrong with a row comes after the respondents before it.
func (s *tableSource) Respondents(ctx context.Context) iter.Seq2[*Batch, error] {
	if err := s.settle(ctx); err != nil {
		return func(yield func(*Batch, error) bool) { yield(nil, err) }
	}
	work := ordered.Work[Block, task]{
		Items:   func(ctx context.Context) iter.Seq2[Block, error] { return s.table.Blocks(ctx, s.plan.needed()) },
		Begin:   func(t *task, b Block) { t.begin(b, s.table.Size()) },
		Worker:  func() func(*task) { return newWorker(s.plan).read },
		Workers: s.goroutines, PerWorker: blocksPerWorker,
	}
	return func(yield func(*Batch, error) bool) {
		for t, err := range work.Do(ctx) {
			if err == nil && t.batch.any() && !yield(&t.batch, nil) {
				return
			}
			if err == nil {
				err = t.err
			}
			if err != nil {
				yield(nil, err)
				return
			}
		}
	}
}
