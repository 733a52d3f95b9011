package storetest

import (
	"context"
	"fmt"
	"math/big"
	"slices"
	"sync"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/store/survey"
)

// Reference is the naive reference: an engine in memory that keeps respondents one by one, under the codes that a
// survey file uses, and looks at each of them for each cell. It is what other engines are compared with, so it is
// written to be read: no bitmaps, no plan, nothing prepared but the weights in whole units. It keeps only the newest
// version. The zero value is an empty store.
type Reference struct {
	mu          sync.RWMutex
	release     *survey.Release // nil: nothing published yet
	respondents []Respondent
}

// Respondent is one answered questionnaire, by codes.
type Respondent struct {
	Wave, Location string
	Weights        map[string]*big.Rat // by namespace code, exact; none or 0: not taking part
	Units          map[string]int64    // the weights in units of 10^-k people, k being Frame.Decimals
	Positive       map[Answer]bool
}

// Answer is what a respondent can be positive on: a question with its namespace ("core.q1"), a datapoint and, of a
// grid, a suffix (else 0).
type Answer struct {
	Question, Datapoint string
	Suffix              int
}

// Frame tells what is published. Before anything is, it is an empty frame of version 0.
func (r *Reference) Frame(ctx context.Context) (*audience.Frame, error) {
	release, _ := r.published()
	return release.Frame, ctx.Err()
}

// Release returns what is published.
func (r *Reference) Release(ctx context.Context) (*survey.Release, error) {
	release, _ := r.published()
	return release, ctx.Err()
}

// Respondents returns those that are published, to be looked at only.
func (r *Reference) Respondents() []Respondent {
	_, respondents := r.published()
	return respondents
}

// published is a release and its respondents.
func (r *Reference) published() (*survey.Release, []Respondent) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	if r.release == nil {
		f, err := audience.NewFrame(0, &audience.Survey{}, audience.Coverage{})
		if err != nil {
			panic(err) // nothing in it can be wrong
		}
		return &survey.Release{Frame: f}, nil
	}
	return r.release, r.respondents
}

// Count goes through the respondents, one by one.
func (r *Reference) Count(ctx context.Context, version uint64, qs []audience.Query) ([][]*audience.Table, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	release, respondents := r.published()
	if release.Version() != version {
		return nil, audience.ErrChanged
	}
	answers := make([][]*audience.Table, len(qs))
	for i, q := range qs {
		var err error
		if answers[i], err = count(ctx, release.Frame, respondents, q); err != nil {
			return nil, err
		}
	}
	return answers, nil
}

func count(ctx context.Context, f *audience.Frame, respondents []Respondent, q audience.Query) ([]*audience.Table,
	error) {
	tables := make([]*audience.Table, len(q.Strata))
	for s := range tables {
		tables[s] = audience.NewTable(len(q.Rows), len(q.Columns))
	}
	for i := range respondents {
		r := &respondents[i]
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if r.Units[q.Namespace] == 0 || !r.in(f, q.Base) {
			continue
		}
		rows := []bool{true} // index 0 is everyone in the base
		for _, x := range q.Rows {
			rows = append(rows, r.in(f, x))
		}
		columns := []bool{true}
		for _, x := range q.Columns {
			columns = append(columns, r.in(f, x))
		}
		for s, stratum := range q.Strata {
			if stratum.Has(r.fieldwork(f)) {
				add(tables[s], rows, columns, r.Units[q.Namespace])
			}
		}
	}
	return tables, nil
}

// add counts one respondent into the cells of the rows and columns that the respondent is in.
func add(t *audience.Table, rows, columns []bool, weight int64) {
	for i, row := range rows {
		for j, column := range columns {
			if row && column {
				cell := &t.Counts[i*len(columns)+j]
				cell.Sample++
				cell.Weight += weight
			}
		}
	}
}

// fieldwork is the bit of a cover that stands for the respondent's wave and location.
func (r *Respondent) fieldwork(f *audience.Frame) int {
	return f.At(f.Wave(r.Wave), f.Location(r.Location))
}

// in tells whether the respondent is in the audience x.
func (r *Respondent) in(f *audience.Frame, x audience.Expr) bool {
	switch x := x.(type) {
	case nil, audience.Everyone:
		return true
	case audience.And:
		for _, part := range x {
			if !r.in(f, part) {
				return false
			}
		}
		return true
	case audience.Or:
		for _, part := range x {
			if r.in(f, part) {
				return true
			}
		}
		return false
	case audience.Not:
		return !r.in(f, x.X)
	case audience.Waves:
		return x.Min <= 1 && (len(x.Codes) == 0 || slices.Contains(x.Codes, r.Wave))
	case audience.Locations:
		return x.Min <= 1 && (len(x.Codes) == 0 || slices.Contains(x.Codes, r.Location))
	case audience.Answers:
		return r.answered(f, x)
	}
	panic(fmt.Sprintf("storetest: an expression of type %T", x))
}

// answered tells whether the respondent is positive on at least Min of the leaf's datapoints.
func (r *Respondent) answered(f *audience.Frame, leaf audience.Answers) bool {
	_, q := question(f, leaf)
	positive := 0
	for _, code := range listed(q, leaf) {
		if r.positive(q, code, leaf.Suffixes) {
			positive++
		}
	}
	return positive >= least(leaf)
}

// positive tells whether the respondent is positive on the datapoint with any of the suffixes, of all that there are if
// none is listed.
func (r *Respondent) positive(q *audience.Question, datapoint string, suffixes []int) bool {
	if !q.Grid() {
		return r.Positive[Answer{q.Key(), datapoint, 0}]
	}
	for _, s := range q.Suffixes {
		if (len(suffixes) == 0 || slices.Contains(suffixes, s.Code)) && r.Positive[Answer{q.Key(), datapoint, s.Code}] {
			return true
		}
	}
	return false
}

// question is the question of a leaf. Leaves come checked; one that names no question is a fault of the test.
func question(f *audience.Frame, leaf audience.Answers) (int, *audience.Question) {
	i, err := f.Question(leaf.Question)
	if err != nil || i < 0 {
		panic(fmt.Sprintf("storetest: question %q: %v", leaf.Question, err))
	}
	return i, &f.Questions[i]
}

// listed is the leaf's datapoints, each once; all of the question's if none is listed.
func listed(q *audience.Question, leaf audience.Answers) []string {
	var codes []string
	for _, code := range leaf.Datapoints {
		if !slices.Contains(codes, code) {
			codes = append(codes, code)
		}
	}
	if len(leaf.Datapoints) == 0 {
		for _, d := range q.Datapoints {
			codes = append(codes, d.Code)
		}
	}
	return codes
}

// least is how many datapoints must be positive.
func least(leaf audience.Answers) int { return max(1, leaf.Min) }
