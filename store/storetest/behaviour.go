package storetest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/store/naive"
	"github.com/crosswave/crosswave/store/survey"
)

// behaviours is what a store does, whatever is in it; many respondents are so many.
func behaviours(many int) []check {
	return []check{
		{"store/empty", emptyStore},
		{"store/versions", versions},
		{"store/release_comes_back", releaseComesBack},
		{"store/no_respondents", noRespondents},
		{"store/unseen_before_commit", halfway(unseenBeforeCommit)},
		{"store/abort", halfway(abortLeavesNothing)},
		{"store/changed_base", halfway(changedBase)},
		{"store/changed_version", halfway(changedVersion)},
		{"store/order_and_batches", orderAndBatches},
		{"store/append_renumbered", appendRenumbered},
		{"store/append_new_unit", loaded(appendNewUnit)},
		{"store/relabelled", halfway(relabelled)},
		{"store/queries_together", loaded(queriesTogether)},
		{"store/wide_tables", loaded(wideTables)},
		{"store/many_respondents", func(ctx context.Context, open func() Engine) error {
			return manyRespondents(ctx, open, many)
		}},
		{"store/cancelled", halfway(cancelled)},
		{"store/cancelled_midway", loaded(cancelledMidway)},
		{"store/counts_during_imports", countsDuringImports},
		{"store/reopened", halfway(reopened)},
	}
}

// scene is an engine and a reference that hold the same part of a study.
type scene struct {
	ctx       context.Context
	engine    Engine
	reference *naive.Store
	study     *Study
	rest      []survey.Respondent // those of the study that are not there yet
	frame     *audience.Frame     // the engine's, to begin with
}

// loaded runs a check on a scene with all of the behaviourStudy.
func loaded(run func(*scene) error) func(context.Context, func() Engine) error {
	return onScene(func(respondents int) int { return respondents }, run)
}

// halfway runs a check on a scene with the first half of the behaviourStudy's respondents.
func halfway(run func(*scene) error) func(context.Context, func() Engine) error {
	return onScene(func(respondents int) int { return respondents / 2 }, run)
}

func onScene(part func(respondents int) int, run func(*scene) error) func(context.Context, func() Engine) error {
	return func(ctx context.Context, open func() Engine) error {
		st := behaviourStudy()
		n := part(len(st.Respondents))
		s := &scene{ctx: ctx, study: st, rest: st.Respondents[n:], engine: open(), reference: new(naive.Store)}
		there := &Study{Survey: st.Survey, Respondents: st.Respondents[:n]}
		if err := errors.Join(there.Load(ctx, s.reference), there.Load(ctx, s.engine)); err != nil {
			return err
		}
		var err error
		if s.frame, err = s.engine.Frame(ctx); err != nil {
			return err
		}
		return run(s)
	}
}

// begin starts an import of the rest into the engine, so many respondents at a time; change is what it would commit.
func (s *scene) begin(batch int) (w survey.Writer, change survey.Change, err error) {
	base, err := s.engine.Release(s.ctx)
	if err != nil {
		return nil, change, err
	}
	if change, err = s.study.change(nil); err != nil {
		return nil, change, err
	}
	if w, err = s.engine.Begin(s.ctx, base, s.study.Survey); err != nil {
		return nil, change, err
	}
	return w, change, s.study.add(s.ctx, w, change.Frame, s.rest, batch)
}

// publish puts the rest into both.
func (s *scene) publish() error {
	for _, e := range []Engine{s.engine, s.reference} {
		if _, err := s.study.publish(s.ctx, e, s.rest, nil, 0); err != nil {
			return err
		}
	}
	return nil
}

// same tells whether both hold the same.
func (s *scene) same() error { return same(s.ctx, s.engine, s.reference) }

// behaviourStudy is a random study with respondents in at least three waves and more than one namespace.
func behaviourStudy() *Study {
	for seed := uint64(1000); ; seed++ {
		st := NewRandom(seed).Study()
		filled := 0
		for _, w := range st.Survey.Waves {
			if len(st.waves(w.Code)) > 20 {
				filled++
			}
		}
		if filled >= 3 && len(st.Survey.Namespaces) > 1 && len(st.Survey.Questions) > 4 {
			return st
		}
	}
}

// probes are queries that show whether two stores hold the same.
func probes(f *audience.Frame, seed uint64, n int) []audience.Query {
	g := NewRandom(seed)
	var qs []audience.Query
	for range n {
		qs = append(qs, g.slicer(f).query().query(f))
	}
	for _, n := range f.Namespaces { // each answer within each fieldwork
		q := audience.Query{Namespace: n.Code}
		for i := range f.Questions {
			for _, a := range f.PerDatapoint(i) {
				q.Rows = append(q.Rows, a.Expr)
			}
		}
		for i := range f.Size() {
			c := audience.NewCover(f.Size())
			c.Set(i)
			q.Strata = append(q.Strata, c)
		}
		qs = append(qs, q)
	}
	squares := qs[len(qs)-1] // of the last namespace
	squares.Measures = audience.Squares
	return append(qs, squares)
}

// same tells whether both stores hold the same, by what they say of it and by counting.
func same(ctx context.Context, engine, reference Engine) error {
	if err := sameFrames(ctx, engine, reference); err != nil {
		return err
	}
	f, err := reference.Frame(ctx)
	if err != nil {
		return err
	}
	return compareCounts(ctx, engine, reference, probes(f, 7, 20))
}

// Before anything is published the version is 0, and there is a frame with nothing in it.
func emptyStore(ctx context.Context, open func() Engine) error {
	engine := open()
	r, err := engine.Release(ctx)
	if err != nil {
		return fmt.Errorf("its Release: %w", err)
	}
	f, err := engine.Frame(ctx)
	if err != nil {
		return fmt.Errorf("its Frame: %w", err)
	}
	if r.Version() != 0 || f.Version != 0 || len(f.Waves)+len(f.Locations)+len(f.Namespaces)+len(f.Questions) > 0 {
		return fmt.Errorf("a new store has release version %d and a frame of version %d with %d waves", r.Version(),
			f.Version, len(f.Waves))
	}
	return nil
}

// Each commit has a version of its own, which Release, its frame and Frame tell.
func versions(ctx context.Context, open func() Engine) error {
	engine, st := open(), behaviourStudy()
	var last uint64
	for range 3 {
		v, err := st.publish(ctx, engine, nil, nil, 0)
		if err != nil {
			return err
		}
		r, err := engine.Release(ctx)
		if err != nil {
			return err
		}
		f, err := engine.Frame(ctx)
		if err != nil {
			return err
		}
		if v <= last || r.Version() != v || f.Version != v {
			return fmt.Errorf("after version %d Commit gave %d; the release has %d, Frame %d", last, v, r.Version(),
				f.Version)
		}
		last = v
	}
	return nil
}

// Survey, frame and facts come back as they were committed.
func releaseComesBack(ctx context.Context, open func() Engine) error {
	engine, st := open(), behaviourStudy()
	half := 0.5
	st.Survey.Name = "A survey"
	st.Survey.Waves[0].Name, st.Survey.Waves[0].End, st.Survey.Waves[0].Kind = "First wave", "2024-12-31", "quarter"
	st.Survey.Locations[0] = audience.Location{ID: "7", Code: st.Survey.Locations[0].Code, Name: "Ålesund",
		ISOCode: "NO", Region: audience.Region{Code: "r", Name: "North"}}
	st.Survey.Questions[0].Name, st.Survey.Questions[0].Flags = `What "kind"?`, []string{"new"}
	st.Survey.Questions[0].Datapoints[0].Name, st.Survey.Questions[0].Datapoints[0].Midpoint = "Less than ½", &half
	st.Survey.Categories = []audience.Category{{ID: "c", Name: "All", Questions: []string{"q1"}}}
	st.Survey.Datasets = []audience.Dataset{{Code: "d", Syndicated: true}}
	change, err := st.change(nil)
	if err != nil {
		return err
	}
	change.Facts[0].Answered = map[string]int64{"core.q1": 3}
	change.Facts[0].Namespaces[0] = survey.NSFacts{Sample: 3, Decimals: 2, Largest: "1.25", Smallest: "0.5", Total: "3"}
	if _, err := st.commit(ctx, engine, change, st.Respondents, 0); err != nil {
		return err
	}
	r, err := engine.Release(ctx)
	if err != nil {
		return err
	}
	if err := diffFrames(r.Frame, change.Frame); err != nil {
		return err
	}
	for _, part := range []struct {
		name      string
		got, want any
	}{{"survey", r.Frame.Survey, change.Frame.Survey}, {"facts", r.Facts, change.Facts}} {
		got, err := json.Marshal(part.got)
		if err != nil {
			return err
		}
		want, err := json.Marshal(part.want)
		if err != nil {
			return err
		}
		if string(got) != string(want) {
			return fmt.Errorf("the release has the %s\n%s\ninstead of\n%s", part.name, got, want)
		}
	}
	return nil
}

// A survey without respondents can be published; its counts are 0.
func noRespondents(ctx context.Context, open func() Engine) error {
	st, engine, reference := behaviourStudy(), open(), new(naive.Store)
	st.Respondents = nil
	if err := errors.Join(st.Load(ctx, reference), st.Load(ctx, engine)); err != nil {
		return err
	}
	return same(ctx, engine, reference)
}

// What was added is not seen before it is committed.
func unseenBeforeCommit(s *scene) error {
	w, change, err := s.begin(10)
	if err != nil {
		return err
	}
	if err := s.same(); err != nil {
		return fmt.Errorf("before Commit: %w", err)
	}
	if _, err := w.Commit(s.ctx, change); err != nil {
		return err
	}
	if err := w.Abort(); err != nil {
		return fmt.Errorf("its Abort after Commit: %w", err)
	}
	all := new(naive.Store)
	if err := s.study.Load(s.ctx, all); err != nil {
		return err
	}
	return same(s.ctx, s.engine, all)
}

// An import given up on leaves nothing, and another one can be made.
func abortLeavesNothing(s *scene) error {
	w, _, err := s.begin(7)
	if err != nil {
		return err
	}
	for range 2 {
		if err := w.Abort(); err != nil {
			return fmt.Errorf("its Abort: %w", err)
		}
	}
	after, err := s.engine.Release(s.ctx)
	if err != nil {
		return err
	}
	if after.Version() != s.frame.Version {
		return fmt.Errorf("its Abort moved the version from %d to %d", s.frame.Version, after.Version())
	}
	if err := s.same(); err != nil {
		return fmt.Errorf("after Abort: %w", err)
	}
	if err := s.publish(); err != nil {
		return fmt.Errorf("after Abort: %w", err)
	}
	return s.same()
}

// Of two imports on one base the second is refused, and leaves nothing.
func changedBase(s *scene) error {
	slow, change, err := s.begin(0)
	if err != nil {
		return err
	}
	if err := s.publish(); err != nil {
		return fmt.Errorf("beside an import under way: %w", err)
	}
	if _, err := slow.Commit(s.ctx, change); !errors.Is(err, audience.ErrChanged) {
		return fmt.Errorf("its Commit on a base that is no longer published: the error is %v, not ErrChanged", err)
	}
	if err := slow.Abort(); err != nil {
		return err
	}
	return s.same()
}

// A count of a version that is gone is ErrChanged, or that version's numbers; of one that never was, ErrChanged.
func changedVersion(s *scene) error {
	old := s.frame.Version
	qs := probes(s.frame, 3, 10)
	want, err := ask(s.ctx, s.reference, qs)
	if err != nil {
		return err
	}
	if _, err := s.study.publish(s.ctx, s.engine, s.rest, nil, 0); err != nil {
		return err
	}
	got, err := s.engine.Count(s.ctx, old, qs)
	switch {
	case errors.Is(err, audience.ErrChanged) && got == nil:
	case err != nil:
		return fmt.Errorf("its Count of an older version: the error is %v, not ErrChanged", err)
	default:
		if err := compareTables(got, want); err != nil {
			return fmt.Errorf("its Count of an older version: %w", err)
		}
	}
	if got, err := s.engine.Count(s.ctx, old+1000, qs); !errors.Is(err, audience.ErrChanged) || got != nil {
		return fmt.Errorf("its Count of a version that never was: the error is %v, not ErrChanged", err)
	}
	return nil
}

// Whatever the order of respondents and however many at a time, the counts are the same.
func orderAndBatches(ctx context.Context, open func() Engine) error {
	st, reference := behaviourStudy(), new(naive.Store)
	if err := st.Load(ctx, reference); err != nil {
		return err
	}
	for i, batch := range []int{1, 13, 64, 0} {
		g, shuffled := NewRandom(uint64(i)), st.clone()
		g.Shuffle(len(shuffled.Respondents), func(i, j int) {
			shuffled.Respondents[i], shuffled.Respondents[j] = shuffled.Respondents[j], shuffled.Respondents[i]
		})
		engine := open()
		if _, err := shuffled.publish(ctx, engine, shuffled.Respondents, nil, batch); err != nil {
			return err
		}
		if err := same(ctx, engine, reference); err != nil {
			return fmt.Errorf("shuffled, %d at a time: %w", batch, err)
		}
	}
	return nil
}
