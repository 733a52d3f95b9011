package sqlite

import (
	"cmp"
	"context"
	"math/rand/v2"
	"reflect"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/store/naive"
	"github.com/crosswave/crosswave/store/survey"
)

// cellsAtOnce is the rows, and the columns, of a query of sampled cells.
const cellsAtOnce = 4

// recount counts so many cells (0: 256), chosen at random, with this store and with the naive engine, which is given
// the published respondents some at a time: its tables add up.
func (s *Store) recount(ctx context.Context, cells int, r *CheckReport) error {
	source, err := s.Source(ctx)
	if err != nil {
		return err
	}
	defer source.Close()
	f := source.release.frame
	queries := sampled(f, cmp.Or(cells, 256))
	if len(queries) == 0 {
		return nil
	}
	got, err := s.Count(ctx, f.Version, queries)
	if err != nil {
		return err
	}
	want := make([][]*audience.Table, len(queries))
	for i := range queries {
		for range queries[i].Strata {
			want[i] = append(want[i], queries[i].NewTable())
		}
	}
	for batch, err := range source.Respondents(ctx) {
		if err == nil {
			err = addNaive(ctx, source.survey, f, batch.Respondents, queries, want)
		}
		if err != nil {
			return err
		}
	}
	for i, q := range queries {
		for j := range q.Strata {
			r.Cells += int64(len(want[i][j].Counts))
			if !reflect.DeepEqual(want[i][j], got[i][j]) {
				r.damaged("counts of namespace %s, rows %s, columns %s are not those of its respondents one by one", q.Namespace,
					audience.Print(q.Rows[0]), audience.Print(q.Columns[0]))
			}
		}
	}
	return nil
}

// addNaive has the naive engine count some respondents and adds that to tables.
func addNaive(ctx context.Context, sv *audience.Survey, f *audience.Frame, rs []survey.Respondent,
	queries []audience.Query, to [][]*audience.Table) error {
	var engine naive.Store
	w, err := engine.Begin(ctx, nil, sv)
	if err != nil {
		return err
	}
	if err := w.Add(ctx, rs); err != nil {
		return err
	}
	version, err := w.Commit(ctx, survey.Change{Frame: f})
	if err != nil {
		return err
	}
	tables, err := engine.Count(ctx, version, queries)
	if err != nil {
		return err
	}
	for i := range tables {
		for j := range tables[i] {
			to[i][j].Add(tables[i][j])
		}
	}
	return nil
}

// sampled are queries of at least so many cells: answers of two questions of a namespace, chosen at random, by each
// other, within everyone, wave by wave.
func sampled(f *audience.Frame, cells int) (queries []audience.Query) {
	byNamespace := map[string][]int{}
	for i := range f.Questions {
		if q := &f.Questions[i]; len(q.Datapoints) > 0 {
			byNamespace[q.Namespace] = append(byNamespace[q.Namespace], i)
		}
	}
	var strata []audience.Cover
	for w := range f.Waves {
		wave := audience.NewCover(f.Size())
		for l := range f.Locations {
			wave.Set(f.At(w, l))
		}
		strata = append(strata, wave)
	}
	for len(byNamespace) > 0 && cells > 0 {
		for _, n := range f.Namespaces {
			questions := byNamespace[n.Code]
			if len(questions) == 0 {
				continue
			}
			q := audience.Query{Namespace: n.Code, Strata: strata}
			for range cellsAtOnce {
				q.Rows = append(q.Rows, anyAnswer(f, questions))
				q.Columns = append(q.Columns, anyAnswer(f, questions))
			}
			queries = append(queries, q)
			cells -= cellsAtOnce * cellsAtOnce * len(strata)
		}
	}
	return queries
}

// anyAnswer is one answer, chosen at random, of one of some questions.
func anyAnswer(f *audience.Frame, questions []int) audience.Expr {
	q := &f.Questions[questions[rand.IntN(len(questions))]]
	x := audience.Answers{Question: q.Key(), Datapoints: []string{q.Datapoints[rand.IntN(len(q.Datapoints))].Code}, Min: 1}
	if len(q.Suffixes) > 0 && rand.IntN(2) == 0 {
		x.Suffixes = []int{q.Suffixes[rand.IntN(len(q.Suffixes))].Code}
	}
	return x
}
