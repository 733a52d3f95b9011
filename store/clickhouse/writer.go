package clickhouse

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/store/survey"
)

// generationer is a writer of the embedded store: it tells the number of its import.
type generationer interface {
	survey.Follower
	Generation() int64
}

// writer is an import: rows of a generation of its own that nobody counts before the embedded store publishes it.
type writer struct {
	store      *Store
	embedded   generationer
	format     Format
	survey     *audience.Survey
	base       *state      // what was published when it was begun, or was published last before it
	state      *state      // of base, with numbers for all of survey
	attributes []attribute // by number in survey.Layout
	waves      []uint16    // numbers, by the survey's indices
	locations  []uint16
	names      []int    // namespace numbers
	questions  []uint32 // the numbers of questions of numbers, 0 of others
	asks       []int    // the namespaces of questions, by the survey's index

	from     record         // what the servers' records say of this store while base is published
	own      uint64         // number of this import, in column gen
	next     uint64         // id of the next respondent
	stored   map[int]*tally // by wave
	decimals []int          // most decimals seen, and usualDecimals at least, by the survey's namespaces
	places   []int          // most decimals seen of numbers, by the survey's questions
	senders  []*sender      // by shard

	ctx      context.Context
	cancel   context.CancelCauseFunc
	sending  sync.WaitGroup
	closed   bool // no more is sent
	arrived  bool // the servers have all of it
	tried    bool // Commit was called
	finished bool
}

// usualDecimals is how many decimals weights are stored with unless they have more: where all have the same, counting
// is spared telling them apart.
const usualDecimals = 4

// sender sends blocks to a shard, one while the next is filled.
type sender struct {
	shard  *shard
	narrow bool   // the shard's table was made before there were tokens
	block  *block // being filled
	full   chan *block
	free   chan *block
}

// Begin opens an import on top of base. Respondents will be numbered by sv.
func (s *Store) Begin(ctx context.Context, base *survey.Release, sv *audience.Survey) (survey.Writer, error) {
	if base != nil && base.Engine == nil && len(base.Facts) > 0 {
		return nil, errEmbedded
	}
	if base == nil {
		return s.begin(ctx, nil, nil, sv, s.config.Format)
	}
	return s.begin(ctx, base, base.Engine, sv, s.config.Format)
}

// begin opens an import on top of base, of which engine says what is in this Store's table.
func (s *Store) begin(ctx context.Context, base *survey.Release, engine []byte, sv *audience.Survey,
	format Format) (*writer, error) {
	st, err := s.readState(engine)
	if err != nil {
		return nil, err
	}
	w := &writer{store: s, format: format, survey: sv, base: st, stored: map[int]*tally{},
		decimals: slices.Repeat([]int{usualDecimals}, len(sv.Namespaces)), places: make([]int, len(sv.Questions))}
	if err := s.own(ctx); err != nil {
		return nil, err
	}
	embedded, err := s.embedded.Begin(ctx, base, sv)
	if err != nil {
		return nil, err
	}
	var ok bool
	if w.embedded, ok = embedded.(generationer); !ok {
		return nil, errors.Join(errors.New("the embedded store does not number its imports"), embedded.Abort())
	}
	w.ctx, w.cancel = context.WithCancelCause(context.WithoutCancel(ctx))
	err = w.ready(ctx)
	if err != nil {
		return nil, errors.Join(err, w.embedded.Abort())
	}
	return w, nil
}

// ready gives the import its number, and its survey's codes theirs, and makes room for it.
func (w *writer) ready(ctx context.Context) error {
	mine, err := w.store.standing(ctx)
	if err != nil {
		return err
	}
	w.from = mine.record
	w.from.published = w.base.Published
	narrow, err := w.store.narrow(ctx)
	if err != nil {
		return err
	}
	stored, err := w.store.partitions(ctx)
	if err != nil {
		return err
	}
	generation := w.embedded.Generation()
	w.own, err = number(generation, slices.Contains(narrow, true), func(n uint64) bool {
		return slices.ContainsFunc(stored, func(p partition) bool { return p.number == n })
	})
	if err != nil {
		return err
	}
	given, attributes, err := w.store.reserve(ctx, begun{w.own, generation}, w.survey)
	if err != nil {
		return err
	}
	if !given.covers(w.base) {
		return audience.ErrChanged
	}
	st := *w.base
	w.state, w.attributes = &st, attributes
	st.Table = w.store.table
	st.renumber(given)
	w.number()
	w.format = w.state.choose(w.format)
	if err := w.store.makeTables(ctx, w.state.columns(w.state.layout().with(layoutOf(w.format)))); err != nil {
		return err
	}
	w.begin(narrow)
	return nil
}

// number looks up the numbers of the survey's codes.
func (w *writer) number() {
	w.waves, w.locations, w.names, w.questions, w.asks = nil, nil, nil, nil, nil
	for _, x := range w.survey.Waves {
		w.waves = append(w.waves, w.state.waves[x.Code].Number)
	}
	for _, x := range w.survey.Locations {
		w.locations = append(w.locations, w.state.locations[x.Code])
	}
	for _, x := range w.survey.Namespaces {
		w.names = append(w.names, w.state.namespace(x.Code))
	}
	for i := range w.survey.Questions {
		q := &w.survey.Questions[i]
		w.questions = append(w.questions, w.state.questions[q.Key()].Number)
		w.asks = append(w.asks, slices.IndexFunc(w.survey.Namespaces, func(n audience.Namespace) bool {
			return n.Code == q.Namespace
		}))
	}
}

// begin starts to send to each shard; narrow tells of each whether its table was made before there were tokens.
func (w *writer) begin(narrow []bool) {
	for i, sh := range w.store.shards {
		s := &sender{shard: sh, narrow: narrow[i], block: newBlock(w.state, w.format), full: make(chan *block),
			free: make(chan *block, 1)}
		s.free <- newBlock(w.state, w.format)
		w.senders = append(w.senders, s)
		w.sending.Go(func() {
			for b := range s.full {
				if w.ctx.Err() == nil {
					if err := b.send(w.ctx, w.store, s, w.own); err != nil {
						w.cancel(err)
					}
				}
				b.empty()
				s.free <- b
			}
		})
	}
}

// Add takes respondents in.
func (w *writer) Add(ctx context.Context, rs []survey.Respondent) error {
	if w.closed || w.finished {
		return errors.New("the import is over")
	}
	for i := range rs {
		r := &rs[i]
		if err := r.Check(w.survey, len(w.attributes)); err != nil {
			return err
		}
		w.next++
		s := w.senders[intHash64(w.next)%uint64(len(w.senders))]
		if err := w.put(s.block, r); err != nil {
			return err
		}
		if len(s.block.id) >= w.store.config.BlockRespondents || s.block.total >= blockAnswers {
			if err := w.flush(ctx, s); err != nil {
				return err
			}
		}
	}
	return nil
}

// blockAnswers bounds a block's memory, whatever respondents have answered.
const blockAnswers = 8 << 20

// put writes a respondent into a block.
func (w *writer) put(b *block, r *survey.Respondent) error {
	t := w.stored[r.Wave]
	if t == nil {
		t = newTally(len(w.state.Namespaces))
		w.stored[r.Wave] = t
	}
	t.respondents++
	b.begin(w.next, w.waves[r.Wave], w.locations[r.Location])
	for i, d := range r.Weights {
		if d.IsZero() {
			continue
		}
		number := w.names[i]
		m, e, err := encodeWeight(d, &w.decimals[i])
		if err != nil {
			return fmt.Errorf("row %d: %w", r.Row, err)
		}
		b.weigh(number, m, e)
		t.weights[number].add(d, int(e))
	}
	for _, a := range r.Attributes {
		b.answer(w.attributes[a])
	}
	for _, g := range r.Numbers {
		if err := w.give(b, t, r, g); err != nil {
			return fmt.Errorf("row %d: %w", r.Row, err)
		}
	}
	b.end()
	return nil
}

// give writes a number that a respondent gave into a block.
func (w *writer) give(b *block, t *tally, r *survey.Respondent, g survey.Given) error {
	if g.Question < 0 || g.Question >= len(w.questions) || w.questions[g.Question] == 0 {
		return fmt.Errorf("the number %s is one of question %d, which has none", g.Value, g.Question)
	}
	m, e, err := encodeNumber(g.Value, &w.places[g.Question])
	if err != nil {
		return fmt.Errorf("question %q: %w", w.survey.Questions[g.Question].Key(), err)
	}
	question := w.questions[g.Question]
	if !b.give(question, m, e) {
		return fmt.Errorf("question %q: the number %s can't be stored", w.survey.Questions[g.Question].Key(), g.Value)
	}
	t.number(question, w.locations[r.Location], g.Value, e, r.Weights[w.asks[g.Question]].Sign() > 0)
	return nil
}

// flush hands a shard's block over to be sent, and waits while the one before is.
func (w *writer) flush(ctx context.Context, s *sender) error {
	if len(s.block.id) == 0 {
		return nil
	}
	select {
	case s.full <- s.block:
	case <-ctx.Done():
		return ctx.Err()
	}
	s.block = <-s.free
	return context.Cause(w.ctx)
}

// drain sends what is left and waits until all has arrived.
func (w *writer) drain(ctx context.Context) error {
	var err error
	for _, s := range w.senders {
		if err == nil {
			err = w.flush(ctx, s)
		}
	}
	w.close()
	if err == nil {
		err = context.Cause(w.ctx)
	}
	if err == nil {
		err = ctx.Err()
	}
	return err
}

func (w *writer) close() {
	if w.closed {
		return
	}
	w.closed = true
	for _, s := range w.senders {
		close(s.full)
	}
	w.sending.Wait()
}

// Commit publishes: the embedded store's commit is the one moment.
func (w *writer) Commit(ctx context.Context, change survey.Change) (uint64, error) {
	switch {
	case w.finished || w.tried:
		return 0, errors.New("the import is over")
	case change.Frame == nil:
		return 0, errors.New("there is no frame to publish")
	}
	w.tried = true
	if !w.arrived {
		if err := w.drain(ctx); err != nil {
			return 0, err
		}
	}
	if err := w.arrive(ctx); err != nil {
		return 0, err
	}
	w.arrived = true
	w.state.drop(change.Drop)
	for i, t := range w.stored {
		wave := w.state.waves[w.survey.Waves[i].Code]
		wave.Parts = append(wave.Parts, t.part(w.own, w.format))
	}
	if err := w.state.check(change.Frame); err != nil {
		return 0, err
	}
	w.state.Published = w.own
	engine, err := w.state.publish()
	if err != nil {
		return 0, err
	}
	change.Engine = engine
	version, err := w.store.publish(ctx, w.from, w.own, func() (uint64, error) {
		return w.embedded.Commit(ctx, change)
	})
	if err != nil {
		return 0, err
	}
	w.finished = true
	w.cancel(nil)
	w.store.mu.Lock()
	w.store.newest = max(w.store.newest, version)
	w.store.mu.Unlock()
	w.store.sweep(context.WithoutCancel(ctx)) // what can't be removed now will be by the next import
	return version, nil
}

// arrive makes sure that the servers have all that was sent.
func (w *writer) arrive(ctx context.Context) error {
	if len(w.stored) == 0 {
		return nil
	}
	got, err := w.store.given(ctx, w.own)
	if err == nil {
		err = w.store.spread(ctx, w.own)
	}
	if err != nil {
		return err
	}
	for i, t := range w.stored {
		if n := got[w.waves[i]]; n != t.respondents {
			return fmt.Errorf("of wave %q %d respondents were sent, and the servers have %d", w.survey.Waves[i].Code,
				t.respondents, n)
		}
	}
	return nil
}

// Abort gives up and removes what was sent.
func (w *writer) Abort() error {
	if w.finished {
		return nil
	}
	w.finished = true
	w.close() // a block under way arrives, so that it can be removed
	w.cancel(nil)
	err := w.embedded.Abort()
	return errors.Join(err, w.store.remove(context.Background(), []begun{{w.own, w.embedded.Generation()}}))
}

// intHash64 is ClickHouse's function of the name.
func intHash64(x uint64) uint64 {
	x ^= x >> 33
	x *= 0xff51afd7ed558ccd
	x ^= x >> 33
	x *= 0xc4ceb9fe1a85ec53
	return x ^ x>>33
}

var _ interface {
	audience.Store
	survey.Store
} = (*Store)(nil)
