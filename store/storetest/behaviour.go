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
		{"store/unseen_before_commit", unseenBeforeCommit},
		{"store/abort", abortLeavesNothing},
		{"store/changed_base", changedBase},
		{"store/changed_version", changedVersion},
		{"store/order_and_batches", orderAndBatches},
		{"store/append_renumbered", appendRenumbered},
		{"store/append_new_unit", appendNewUnit},
		{"store/queries_together", queriesTogether},
		{"store/wide_tables", wideTables},
		{"store/many_respondents", func(ctx context.Context, open func() Engine) error {
			return manyRespondents(ctx,
				open, many)
		}},
		{"store/cancelled", cancelled},
		{"store/cancelled_midway", cancelledMidway},
		{"store/counts_during_imports", countsDuringImports},
		{"store/reopened", reopened},
	}
}

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
		qs = append(qs, g.asker(f).query().query(f))
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
	return qs
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

// pair loads a study into an engine and a reference.
func pair(ctx context.Context, open func() Engine, st *Study) (Engine, *naive.Store, error) {
	engine, reference := open(), new(naive.Store)
	return engine, reference, errors.Join(st.Load(ctx, reference), st.Load(ctx, engine))
}

// Before anything is published the version is 0, and there is a frame with nothing in it.
func emptyStore(ctx context.Context, open func() Engine) error {
	engine := open()
	r, err := engine.Release(ctx)
	if err != nil {
		return fmt.Errorf("Release: %w", err)
	}
	f, err := engine.Frame(ctx)
	if err != nil {
		return fmt.Errorf("Frame: %w", err)
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
	st := behaviourStudy()
	st.Respondents = nil
	engine, reference, err := pair(ctx, open, st)
	if err != nil {
		return err
	}
	return same(ctx, engine, reference)
}

// What was added is not seen before it is committed.
func unseenBeforeCommit(ctx context.Context, open func() Engine) error {
	st := behaviourStudy()
	first := &Study{Survey: st.Survey, Respondents: st.Respondents[:len(st.Respondents)/2]}
	engine, reference, err := pair(ctx, open, first)
	if err != nil {
		return err
	}
	base, err := engine.Release(ctx)
	if err != nil {
		return err
	}
	change, err := st.change(nil)
	if err != nil {
		return err
	}
	w, err := engine.Begin(ctx, base, st.Survey)
	if err != nil {
		return err
	}
	if err := st.add(ctx, w, change.Frame, st.Respondents[len(st.Respondents)/2:], 10); err != nil {
		return err
	}
	if err := same(ctx, engine, reference); err != nil {
		return fmt.Errorf("before Commit: %w", err)
	}
	if _, err := w.Commit(ctx, change); err != nil {
		return err
	}
	if err := w.Abort(); err != nil {
		return fmt.Errorf("Abort after Commit: %w", err)
	}
	all := new(naive.Store)
	if err := st.Load(ctx, all); err != nil {
		return err
	}
	return same(ctx, engine, all)
}

// An import given up on leaves nothing, and another one can be made.
func abortLeavesNothing(ctx context.Context, open func() Engine) error {
	st := behaviourStudy()
	half := len(st.Respondents) / 2
	first := &Study{Survey: st.Survey, Respondents: st.Respondents[:half]}
	engine, reference, err := pair(ctx, open, first)
	if err != nil {
		return err
	}
	before, err := engine.Release(ctx)
	if err != nil {
		return err
	}
	w, err := engine.Begin(ctx, before, st.Survey)
	if err != nil {
		return err
	}
	if err := st.add(ctx, w, before.Frame, st.Respondents, 7); err != nil {
		return err
	}
	for range 2 {
		if err := w.Abort(); err != nil {
			return fmt.Errorf("Abort: %w", err)
		}
	}
	after, err := engine.Release(ctx)
	if err != nil {
		return err
	}
	if after.Version() != before.Version() {
		return fmt.Errorf("Abort moved the version from %d to %d", before.Version(), after.Version())
	}
	if err := same(ctx, engine, reference); err != nil {
		return fmt.Errorf("after Abort: %w", err)
	}
	for _, e := range []Engine{engine, reference} {
		if _, err := st.publish(ctx, e, st.Respondents[half:], nil, 0); err != nil {
			return fmt.Errorf("after Abort: %w", err)
		}
	}
	return same(ctx, engine, reference)
}

// Of two imports on one base the second is refused, and leaves nothing.
func changedBase(ctx context.Context, open func() Engine) error {
	st := behaviourStudy()
	half := len(st.Respondents) / 2
	first := &Study{Survey: st.Survey, Respondents: st.Respondents[:half]}
	engine, reference, err := pair(ctx, open, first)
	if err != nil {
		return err
	}
	base, err := engine.Release(ctx)
	if err != nil {
		return err
	}
	change, err := st.change(nil)
	if err != nil {
		return err
	}
	slow, err := engine.Begin(ctx, base, st.Survey)
	if err != nil {
		return err
	}
	if err := st.add(ctx, slow, change.Frame, st.Respondents[half:], 0); err != nil {
		return err
	}
	for _, e := range []Engine{engine, reference} {
		if _, err := st.publish(ctx, e, st.Respondents[half:], nil, 0); err != nil {
			return fmt.Errorf("beside an import under way: %w", err)
		}
	}
	if _, err := slow.Commit(ctx, change); !errors.Is(err, audience.ErrChanged) {
		return fmt.Errorf("Commit on a base that is no longer published: the error is %v, not ErrChanged", err)
	}
	if err := slow.Abort(); err != nil {
		return err
	}
	return same(ctx, engine, reference)
}

// A count of a version that is gone is ErrChanged, or that version's numbers; of one that never was, ErrChanged.
func changedVersion(ctx context.Context, open func() Engine) error {
	st := behaviourStudy()
	half := len(st.Respondents) / 2
	first := &Study{Survey: st.Survey, Respondents: st.Respondents[:half]}
	engine, reference, err := pair(ctx, open, first)
	if err != nil {
		return err
	}
	old, err := engine.Frame(ctx)
	if err != nil {
		return err
	}
	qs := probes(old, 3, 10)
	want, err := ask(ctx, reference, qs)
	if err != nil {
		return err
	}
	if _, err := st.publish(ctx, engine, st.Respondents[half:], nil, 0); err != nil {
		return err
	}
	got, err := engine.Count(ctx, old.Version, qs)
	switch {
	case errors.Is(err, audience.ErrChanged) && got == nil:
	case err != nil:
		return fmt.Errorf("Count of an older version: the error is %v, not ErrChanged", err)
	default:
		if err := compareTables(got, want); err != nil {
			return fmt.Errorf("Count of an older version: %w", err)
		}
	}
	if got, err := engine.Count(ctx, old.Version+1000, qs); !errors.Is(err, audience.ErrChanged) || got != nil {
		return fmt.Errorf("Count of a version that never was: the error is %v, not ErrChanged", err)
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
