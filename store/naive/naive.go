// Package naive is an engine that looks at every respondent for every cell. Other engines are compared with it: by
// their tests, and where a store is checked by counting its respondents once more. So it is written to be read: no
// bitmaps, no plan, nothing prepared but the weights in whole units.
package naive

import (
	"context"
	"fmt"
	"math/big"
	"slices"
	"sync"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/store/survey"
)

// Store keeps respondents in memory, one by one, under the codes that a survey file uses. It keeps only the newest
// version. The zero value is an empty store.
type Store struct {
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
	Numbers        map[string]*big.Rat // by question with its namespace, exact
	Whole          map[string]int64    // the numbers in units of 10^-k of the question's, k being Frame.Numbers.Decimals
}

// Answer is what a respondent can be positive on: a question with its namespace ("core.q1"), a datapoint and, of a
// grid, a suffix (else 0).
type Answer struct {
	Question, Datapoint string
	Suffix              int
}

// New returns a store that has published a release with these respondents, whose Units and Whole it works out.
func New(release *survey.Release, respondents []Respondent) (*Store, error) {
	s := &Store{release: release, respondents: slices.Clone(respondents)}
	for i := range s.respondents {
		if err := s.respondents[i].weigh(release.Frame); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// Load imports a survey into a new store. The source of another store, sqlite.Store.Source say, gives one with the same
// frame, the version aside, which answers as that store must.
func Load(ctx context.Context, source survey.Source) (*Store, error) {
	s := new(Store)
	_, err := survey.Import(ctx, source, s, survey.Options{})
	return s, err
}

// Frame tells what is published. Before anything is, it is an empty frame of version 0.
func (s *Store) Frame(ctx context.Context) (*audience.Frame, error) {
	release, _ := s.published()
	return release.Frame, ctx.Err()
}

// Release returns what is published.
func (s *Store) Release(ctx context.Context) (*survey.Release, error) {
	release, _ := s.published()
	return release, ctx.Err()
}

// Respondents returns those that are published, to be looked at only.
func (s *Store) Respondents() []Respondent {
	_, respondents := s.published()
	return respondents
}

// published is a release and its respondents.
func (s *Store) published() (*survey.Release, []Respondent) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if s.release == nil {
		f, err := audience.NewFrame(0, &audience.Survey{}, audience.Coverage{})
		if err != nil {
			panic(err) // nothing in it can be wrong
		}
		return &survey.Release{Frame: f}, nil
	}
	return s.release, s.respondents
}

// Count goes through the respondents, one by one.
func (s *Store) Count(ctx context.Context, version uint64, qs []audience.Query) ([][]*audience.Table, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	release, respondents := s.published()
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
		tables[s] = q.NewTable()
	}
	for i := range respondents {
		r := &respondents[i]
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if r.Units[q.Namespace] == 0 {
			continue
		}
		if in, err := r.In(f, q.Base); err != nil {
			return nil, err
		} else if !in {
			continue
		}
		rows, err := r.inEach(f, q.Rows)
		if err != nil {
			return nil, err
		}
		columns, err := r.inEach(f, q.Columns)
		if err != nil {
			return nil, err
		}
		for i, stratum := range q.Strata {
			if stratum.Has(r.Fieldwork(f)) {
				add(tables[i], rows, columns, r.Units[q.Namespace])
			}
		}
	}
	return tables, nil
}

// inEach tells of each audience whether the respondent is in it; index 0 is everyone in the base.
func (r *Respondent) inEach(f *audience.Frame, xs []audience.Expr) ([]bool, error) {
	all := []bool{true}
	for _, x := range xs {
		in, err := r.In(f, x)
		if err != nil {
			return nil, err
		}
		all = append(all, in)
	}
	return all, nil
}

// add counts one respondent into the cells of the rows and columns that the respondent is in.
func add(t *audience.Table, rows, columns []bool, weight int64) {
	for i, row := range rows {
		for j, column := range columns {
			if row && column {
				at := i*len(columns) + j
				t.Counts[at].Sample++
				t.Counts[at].Weight += weight
				if t.Squares != nil {
					t.Squares[at] = t.Squares[at].Plus(audience.Square(weight))
				}
			}
		}
	}
}

// Fieldwork is the bit of a cover that stands for the respondent's wave and location.
func (r *Respondent) Fieldwork(f *audience.Frame) int {
	return f.At(f.Wave(r.Wave), f.Location(r.Location))
}

// In tells whether the respondent is in the audience x. The error is an *audience.InvalidError if x names a question
// that is not there, or is a pointer.
func (r *Respondent) In(f *audience.Frame, x audience.Expr) (bool, error) {
	switch x := x.(type) {
	case nil, audience.Everyone:
		return true, nil
	case audience.And:
		return r.inParts(f, x, false)
	case audience.Cut:
		return r.inParts(f, x, false)
	case audience.Or:
		return r.inParts(f, x, true)
	case audience.Not:
		in, err := r.In(f, x.X)
		return !in, err
	case audience.Waves:
		return x.Min <= 1 && (len(x.Codes) == 0 || slices.Contains(x.Codes, r.Wave)), nil
	case audience.Locations:
		return x.Min <= 1 && (len(x.Codes) == 0 || slices.Contains(x.Codes, r.Location)), nil
	case audience.Answers:
		return r.answered(f, x)
	case audience.Slice:
		return r.numbered(f, x)
	case audience.Value:
		return r.valued(f, x)
	}
	return false, &audience.InvalidError{Reason: fmt.Sprintf("an expression of type %T can't be counted", x)}
}

// inParts goes through the parts until one settles the whole: one that the respondent is not in an And, one that they
// are in an Or.
func (r *Respondent) inParts(f *audience.Frame, parts []audience.Expr, settled bool) (bool, error) {
	for _, part := range parts {
		if in, err := r.In(f, part); err != nil || in == settled {
			return settled, err
		}
	}
	return !settled, nil
}

// answered tells whether the respondent is positive on at least Min of the leaf's datapoints.
func (r *Respondent) answered(f *audience.Frame, leaf audience.Answers) (bool, error) {
	q, err := question(f, leaf.Question, leaf.Path)
	if err != nil {
		return false, err
	}
	positive := 0
	for _, d := range q.Datapoints {
		listed := len(leaf.Datapoints) == 0 || slices.Contains(leaf.Datapoints, d.Code)
		if listed && r.positive(q, d.Code, leaf.Suffixes) {
			positive++
		}
	}
	return positive >= max(1, leaf.Min), nil
}

// numbered tells whether the respondent has a number to the leaf's question and, unless the leaf is everyone who has
// one, the digit is 1.
func (r *Respondent) numbered(f *audience.Frame, leaf audience.Slice) (bool, error) {
	q, err := question(f, leaf.Question, leaf.Path)
	if err != nil {
		return false, err
	}
	i, _ := f.Question(leaf.Question)
	if bits := f.Numbers(i).Bits; leaf.Bit < audience.AnyNumber || leaf.Bit >= bits {
		return false, &audience.InvalidError{Path: leaf.Path, Reason: fmt.Sprintf("question %q has numbers of %d bits, and "+
			"none of them is bit %d", q.Key(), bits, leaf.Bit)}
	}
	number, there := r.Whole[q.Key()]
	return there && (leaf.Bit == audience.AnyNumber || number>>leaf.Bit&1 == 1), nil
}

// valued tells whether the respondent's number to the leaf's question is the leaf's.
func (r *Respondent) valued(f *audience.Frame, leaf audience.Value) (bool, error) {
	q, err := question(f, leaf.Question, leaf.Path)
	if err != nil {
		return false, err
	}
	i, _ := f.Question(leaf.Question)
	if n := f.Numbers(i); !n.Fits(leaf.Number) {
		return false, &audience.InvalidError{Path: leaf.Path, Reason: fmt.Sprintf("question %q has numbers of %d bits, "+
			"which have no room for %d", q.Key(), n.Bits, leaf.Number)}
	}
	number, there := r.Whole[q.Key()]
	return there && number == leaf.Number, nil
}

// question is the question of a leaf.
func question(f *audience.Frame, code, path string) (*audience.Question, error) {
	i, err := f.Question(code)
	if err != nil {
		return nil, err
	}
	if i < 0 {
		return nil, &audience.InvalidError{Path: path, Reason: fmt.Sprintf("there is no question %q", code)}
	}
	return &f.Questions[i], nil
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
