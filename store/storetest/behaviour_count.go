package storetest

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/store/naive"
)

// Queries asked together are answered as if each were asked alone; none, and ones without rows, columns or strata, are
// answered too.
func queriesTogether(s *scene) error {
	ctx, engine, f := s.ctx, s.engine, s.frame
	if tables, err := engine.Count(ctx, f.Version, nil); err != nil || len(tables) != 0 {
		return fmt.Errorf("its Count of nothing gives %d tables, error %v", len(tables), err)
	}
	everything := audience.NewCover(f.Size())
	for i := range f.Size() {
		everything.Set(i)
	}
	core := f.Namespaces[0].Code
	bare := []audience.Query{
		{Namespace: core},
		{Namespace: core, Strata: []audience.Cover{nil, audience.NewCover(f.Size()), everything}},
		{Namespace: core, Strata: []audience.Cover{everything}, Base: audience.Or{},
			Rows: []audience.Expr{audience.And{}}, Columns: []audience.Expr{audience.Everyone{}}},
		{Namespace: core, Strata: []audience.Cover{everything}, Rows: []audience.Expr{audience.Not{X: audience.Or{}},
			audience.Or{}}},
	}
	for i := range f.Questions { // of one shape
		bare = append(bare, audience.Query{Namespace: core, Strata: []audience.Cover{everything},
			Rows: []audience.Expr{formed(f, audience.Answers{Question: f.Questions[i].Key()})}})
	}
	if err := compareCounts(ctx, engine, s.reference, bare); err != nil {
		return err
	}
	qs := append(probes(f, 11, 60), bare...)
	together, err := engine.Count(ctx, f.Version, qs)
	if err != nil {
		return err
	}
	for i := range qs {
		alone, err := engine.Count(ctx, f.Version, qs[i:i+1])
		if err != nil {
			return err
		}
		if err := compareTables(together[i:i+1], alone); err != nil {
			return fmt.Errorf("query %d of %d asked together: %w", i, len(qs), err)
		}
	}
	return compareCounts(ctx, engine, s.reference, qs)
}

// Tables with more rows and columns than a word has bits are like others.
func wideTables(s *scene) error {
	g := NewRandom(5)
	for _, shape := range [][2]int{{1, 63}, {64, 1}, {65, 65}, {3, 130}, {129, 17}, {0, 200}} {
		a := g.asker(s.frame)
		t := a.query()
		t.spec.Rows, t.spec.Columns = nil, nil
		for range shape[0] {
			t.spec.Rows = append(t.spec.Rows, a.expr(2))
		}
		for range shape[1] {
			t.spec.Columns = append(t.spec.Columns, a.expr(2))
		}
		qs := []audience.Query{t.query(s.frame), t.query(s.frame)}
		qs[1].Measures, qs[1].Strata = audience.Squares, a.fieldworks()
		if err := compareCounts(s.ctx, s.engine, s.reference, qs); err != nil {
			return fmt.Errorf("%d rows × %d columns: %w", shape[0], shape[1], err)
		}
	}
	return nil
}

// A fieldwork may have far more respondents than a word has bits or an engine takes at a time.
func manyRespondents(ctx context.Context, open func() Engine, n int) error {
	st := behaviourStudy()
	few := st.Respondents
	for g := NewRandom(9); len(st.Respondents) < n; {
		r := few[g.IntN(len(few))]
		r.Row = int64(len(st.Respondents) + 1)
		r.ID = fmt.Sprintf("m%d", r.Row)
		st.Respondents = append(st.Respondents, r)
	}
	change, err := st.change(nil)
	if err != nil {
		return err
	}
	engine, reference := open(), new(naive.Store)
	for _, e := range []Engine{engine, reference} {
		if _, err := st.commit(ctx, e, change, st.Respondents, 777); err != nil {
			return err
		}
	}
	f, err := reference.Frame(ctx)
	if err != nil {
		return err
	}
	return compareCounts(ctx, engine, reference, probes(f, 6, 4))
}

// Nothing is done for a context that has ended.
func cancelled(s *scene) error {
	ended, cancel := context.WithCancel(s.ctx)
	cancel()
	tables, err := s.engine.Count(ended, s.frame.Version, probes(s.frame, 1, 5))
	if !errors.Is(err, context.Canceled) || tables != nil {
		return fmt.Errorf("its Count with a context that has ended gives %d tables, error %v", len(tables), err)
	}
	w, change, err := s.begin(0)
	if err != nil {
		return err
	}
	if _, err := w.Commit(ended, change); err == nil {
		return errors.New("its Commit with a context that has ended gives no error")
	}
	if err := w.Abort(); err != nil {
		return err
	}
	return s.same()
}

// A count that is cancelled on its way is an error, or was ready before: never half of it.
func cancelledMidway(s *scene) error {
	qs := probes(s.frame, 2, 100)
	want, err := ask(s.ctx, s.reference, qs)
	if err != nil {
		return err
	}
	for _, wait := range []time.Duration{0, 10 * time.Microsecond, 100 * time.Microsecond, time.Millisecond,
		10 * time.Millisecond} {
		short, cancel := context.WithCancel(s.ctx)
		timer := time.AfterFunc(wait, cancel)
		got, err := s.engine.Count(short, s.frame.Version, qs)
		timer.Stop()
		cancel()
		switch {
		case errors.Is(err, context.Canceled) && got == nil:
		case err != nil:
			return fmt.Errorf("its Count, cancelled after %v: the error is %w", wait, err)
		default:
			if err := compareTables(got, want); err != nil {
				return fmt.Errorf("its Count, cancelled after %v: %w", wait, err)
			}
		}
	}
	return compareCounts(s.ctx, s.engine, s.reference, qs)
}

// traffic is an engine that waves come into and go from while it is asked.
type traffic struct {
	ctx       context.Context
	engine    Engine
	reference *naive.Store
	all       *Study // what comes
	there     *Study // what is there
	queries   []audience.Query
	want      map[uint64][][]*audience.Table // by version
}

// publish puts a wave in, or takes it out, and notes what is right then.
func (t *traffic) publish(wave string, out bool) error {
	next := &Study{Survey: t.all.Survey}
	for _, r := range t.there.Respondents {
		if !out || next.Survey.Waves[r.Wave].Code != wave {
			next.Respondents = append(next.Respondents, r)
		}
	}
	added, drop := t.all.waves(wave), []string(nil)
	if out {
		added, drop = nil, []string{wave}
	}
	next.Respondents = append(next.Respondents, added...)
	t.there = next
	version, err := next.publish(t.ctx, t.engine, added, drop, 20)
	if err != nil {
		return err
	}
	if _, err := next.publish(t.ctx, t.reference, added, drop, 0); err != nil {
		return err
	}
	if t.queries == nil {
		f, err := t.reference.Frame(t.ctx)
		if err != nil {
			return err
		}
		t.queries = probes(f, 4, 3)
	}
	t.want[version], err = ask(t.ctx, t.reference, t.queries)
	return err
}

// rounds puts all waves but the first in, takes them out and puts them in again.
func (t *traffic) rounds() error {
	for round := range 3 {
		for _, w := range t.all.Survey.Waves[1:] {
			if err := t.publish(w.Code, round == 1); err != nil {
				return err
			}
		}
	}
	return nil
}

// check looks whether all that one watcher saw was right.
func (t *traffic) check(seen []sighting) error {
	if len(seen) == 0 {
		return errors.New("while imports went on no count was answered")
	}
	for i, s := range seen {
		if i > 0 && s.version < seen[i-1].version {
			return fmt.Errorf("version %d was seen after version %d", s.version, seen[i-1].version)
		}
		if t.want[s.version] == nil {
			return fmt.Errorf("a version %d was seen, which no Commit gave", s.version)
		}
		if err := compareTables(s.tables, t.want[s.version]); err != nil {
			return fmt.Errorf("while imports went on, version %d: %w", s.version, err)
		}
	}
	return nil
}

// While waves come and go each count is that of one version, whole.
func countsDuringImports(ctx context.Context, open func() Engine) error {
	st := behaviourStudy()
	t := &traffic{ctx: ctx, engine: open(), reference: new(naive.Store), all: st, there: &Study{Survey: st.Survey},
		want: map[uint64][][]*audience.Table{}}
	if err := t.publish(st.Survey.Waves[0].Code, false); err != nil {
		return err
	}
	over, stop := context.WithCancel(ctx)
	defer stop()
	var wg sync.WaitGroup
	seen, faults := make([][]sighting, 3), make([]error, 3)
	for i := range seen {
		wg.Go(func() { seen[i], faults[i] = watch(over, ctx, t.engine, t.queries) })
	}
	fault := t.rounds()
	stop()
	wg.Wait()
	if err := errors.Join(append(faults, fault)...); err != nil {
		return err
	}
	for i := range seen {
		if err := t.check(seen[i]); err != nil {
			return err
		}
	}
	return nil
}

// sighting is what a count gave while imports went on.
type sighting struct {
	version uint64
	tables  [][]*audience.Table
}

// watch counts again and again until over, always the newest version.
func watch(over, ctx context.Context, engine Engine, qs []audience.Query) ([]sighting, error) {
	var seen []sighting
	for over.Err() == nil {
		f, err := engine.Frame(ctx)
		if err != nil {
			return nil, err
		}
		tables, err := engine.Count(ctx, f.Version, qs)
		switch {
		case errors.Is(err, audience.ErrChanged):
		case err != nil:
			return nil, fmt.Errorf("its Count while imports go on: %w", err)
		case len(seen) < 2000:
			seen = append(seen, sighting{f.Version, tables})
		}
		time.Sleep(time.Millisecond)
	}
	return seen, nil
}

// A store that was closed holds what was published, and goes on from there.
func reopened(s *scene) error {
	r, ok := s.engine.(Reopener)
	if !ok {
		return nil
	}
	var err error
	if s.engine, err = r.Reopen(s.ctx); err != nil {
		return fmt.Errorf("calling Reopen: %w", err)
	}
	after, err := s.engine.Frame(s.ctx)
	if err != nil {
		return err
	}
	if before := s.frame.Version; before != after.Version {
		return fmt.Errorf("version %d is version %d after the store was closed and opened", before, after.Version)
	}
	if err := s.same(); err != nil {
		return fmt.Errorf("reopened: %w", err)
	}
	if err := s.publish(); err != nil {
		return err
	}
	return s.same()
}
