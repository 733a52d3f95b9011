package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"iter"
	"math/bits"
	"slices"
	"strconv"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/store/survey"
	"github.com/crosswave/crosswave/store/survey/decimal"
)

// Source reads the published respondents back out of a store: to export them, or to load them into another engine. It
// holds one version, whatever is published meanwhile, until Close.
//
// All that a figure depends on comes back: waves, locations, weights exactly as they were written, answers, and where
// everything was asked, which Describe declares. A respondent has its running number as its id, stands by wave and
// location, and counts as having answered whatever was asked there.
type Source struct {
	store   *Store
	release *release
	survey  *audience.Survey
}

// Source opens the published respondents for reading.
func (s *Store) Source(ctx context.Context) (*Source, error) {
	r, err := s.refresh(ctx)
	if err != nil {
		return nil, err
	}
	if r, err = s.hold(ctx, r.version); err != nil {
		return nil, err
	}
	out := &Source{store: s, release: r, survey: r.frame.Survey.Clone()}
	declare(out.survey, r.frame)
	return out, nil
}

// Close lets go of the version.
func (s *Source) Close() error {
	s.store.letGo(s.release)
	return nil
}

// declare writes down in a copy of the survey that f carries where everything was asked.
func declare(s *audience.Survey, f *audience.Frame) {
	for i := range s.Questions {
		q := &s.Questions[i]
		whole := audience.NewCover(f.Size())
		for j := range q.Datapoints {
			whole = whole.Or(f.Asked(i, j))
		}
		q.Asked = asked(f, whole)
		for j := range q.Datapoints {
			q.Datapoints[j].Asked = nil
			if own := f.Asked(i, j); !own.Equal(whole) {
				q.Datapoints[j].Asked = asked(f, own)
			}
		}
	}
}

func asked(f *audience.Frame, c audience.Cover) audience.Asked {
	out := audience.Asked{}
	for i := range c.All() {
		w, l := f.Fieldwork(i)
		out = append(out, audience.Fieldwork{Wave: f.Waves[w].Code, Location: f.Locations[l].Code})
	}
	return out
}

// Version is the version it reads.
func (s *Source) Version() uint64 { return s.release.version }

// Describe returns the survey.
func (s *Source) Describe(context.Context) (*audience.Survey, error) { return s.survey, nil }

// sourceBatch is how many respondents are given at a time.
const sourceBatch = 4096

// Respondents streams the respondents, a chunk at a time.
func (s *Source) Respondents(ctx context.Context) iter.Seq2[*survey.Batch, error] {
	return func(yield func(*survey.Batch, error) bool) {
		total := int64(0)
		for _, c := range s.release.chunks {
			total += int64(c.respondents)
		}
		e, err := newExtraction(s)
		if err != nil {
			yield(nil, err)
			return
		}
		for _, c := range s.release.chunks {
			rs, err := e.chunk(ctx, c)
			if err != nil {
				yield(nil, err)
				return
			}
			for part := range slices.Chunk(rs, sourceBatch) {
				if !yield(&survey.Batch{Respondents: part, Done: part[len(part)-1].Row, Total: total}, nil) {
					return
				}
			}
		}
	}
}

// extraction turns columns back into respondents.
type extraction struct {
	source     *Source
	attributes map[int64]int32 // by column
	waves      map[string]int  // index in the survey by code
	locations  map[string]int
	layout     *survey.Layout
	row        int64
	positions  []int // of the respondents of the chunk at hand
}

func newExtraction(s *Source) (*extraction, error) {
	_, columns, err := s.release.layout.extend(s.survey)
	if err != nil {
		return nil, err
	}
	e := &extraction{source: s, attributes: make(map[int64]int32, len(columns)), waves: map[string]int{},
		locations: map[string]int{}, layout: survey.NewLayout(s.survey)}
	for a, column := range columns {
		e.attributes[column] = int32(a)
	}
	for i, w := range s.survey.Waves {
		e.waves[w.Code] = i
	}
	for i, l := range s.survey.Locations {
		e.locations[l.Code] = i
	}
	return e, nil
}

// chunk returns the respondents of a chunk.
func (e *extraction) chunk(ctx context.Context, c *chunk) ([]survey.Respondent, error) {
	at := make([][]int32, 64*c.words) // attributes by position
	if err := e.answers(ctx, c, at); err != nil {
		return nil, err
	}
	namespaces := e.source.survey.Namespaces
	rs := make([]survey.Respondent, 0, c.respondents)
	e.positions = e.positions[:0]
	for _, r := range c.runs {
		answered := e.layout.Answered(e.source.survey, e.source.release.frame, c.wave, r.location)
		for i := range r.respondents {
			e.row++
			e.positions = append(e.positions, 64*r.word+i)
			rs = append(rs, survey.Respondent{Row: e.row, ID: strconv.FormatInt(e.row, 10), Wave: e.waves[c.wave],
				Location: e.locations[r.location],
				Weights:  make([]decimal.Decimal, len(namespaces)), Attributes: at[64*r.word+i], Answered: answered})
		}
	}
	for n := range namespaces {
		if err := e.weights(ctx, c, n, rs); err != nil {
			return nil, err
		}
	}
	return rs, e.numbers(ctx, c, rs)
}

// numbers enters the numbers that were given, as they were written.
func (e *extraction) numbers(ctx context.Context, c *chunk, rs []survey.Respondent) error {
	if len(c.numbers) == 0 {
		return nil
	}
	s, r := e.source.store, e.source.release
	at := make([]*survey.Respondent, 64*c.words) // by position
	for i := range rs {
		at[e.positions[i]] = &rs[i]
	}
	for i := range e.source.survey.Questions {
		q := r.layout.questions[e.source.survey.Questions[i].Key()]
		if q == nil || c.numbered(q.Number) == nil {
			continue
		}
		var data []byte
		err := s.read.QueryRowContext(ctx, `SELECT data FROM numbers WHERE chunk = ? AND question = ?`, c.id,
			q.Number).Scan(&data)
		if errors.Is(err, sql.ErrNoRows) {
			return s.missing(ctx, r, numbersName(c.id, q.Number))
		}
		if err != nil {
			return s.damage(err)
		}
		n, err := decodeNumbers(c, c.numbered(q.Number), data)
		if err != nil {
			return err
		}
		if err := n.Each(func(position int, d decimal.Decimal) {
			to := at[position]
			to.Numbers = append(to.Numbers, survey.Given{Question: i, Value: d})
		}); err != nil {
			return &DamagedError{numbersName(c.id, q.Number)}
		}
	}
	return nil
}

// answers enters the attributes of a chunk by position.
func (e *extraction) answers(ctx context.Context, c *chunk, at [][]int32) error {
	s := e.source.store
	var columns []int
	for i, column := range c.columns {
		if _, ok := e.attributes[column]; ok { // else it is of a question that the survey no longer has
			columns = append(columns, i)
		}
	}
	missing, err := s.readColumns(ctx, c, columns, nil, func(i int, col column) error {
		attribute := e.attributes[c.columns[columns[i]]]
		col.each(func(position int) { at[position] = append(at[position], attribute) })
		return nil
	})
	if err == nil && missing != "" {
		err = s.missing(ctx, e.source.release, missing)
	}
	return err
}

// each calls do for every position in the column, ascending.
func (c *column) each(do func(position int)) {
	for _, p := range c.list {
		do(int(p))
	}
	for w, word := range c.words {
		for ; word != 0; word &= word - 1 {
			do(64*w + bits.TrailingZeros64(word))
		}
	}
}

// weights enters a namespace's weights as they were written.
func (e *extraction) weights(ctx context.Context, c *chunk, namespace int, rs []survey.Respondent) error {
	code := e.source.survey.Namespaces[namespace].Code
	if c.sample(code) == 0 {
		return nil
	}
	var exact []byte
	err := e.source.store.read.QueryRowContext(ctx, `SELECT data FROM weights WHERE chunk = ? AND namespace = ?`, c.id,
		code).Scan(&exact)
	if errors.Is(err, sql.ErrNoRows) {
		return e.source.store.missing(ctx, e.source.release, exactName(c.id, code))
	}
	if err != nil {
		return e.source.store.damage(err)
	}
	exact, err = unseal(exactName(c.id, code), exact)
	if err != nil {
		return err
	}
	for i := range rs {
		d, n, err := decimal.Read(exact)
		if err != nil {
			return &DamagedError{exactName(c.id, code)}
		}
		rs[i].Weights[namespace] = d
		exact = exact[n:]
	}
	return nil
}
