package clickhouse

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/store/survey"
)

// Published is a source of the respondents of one version of the embedded store. *sqlite.Source is one.
type Published interface {
	survey.Source
	Version() uint64
}

// Move loads the respondents of the embedded store, which src reads back (sqlite.Store.Source), into ClickHouse, and
// publishes them there: survey, frame, saved audiences and all else stay as they are, every figure keeps its bytes, and
// the embedded store gives up its own copy in the same moment. It returns how many respondents were moved. With an
// error nothing has changed; it is audience.ErrChanged if something was published since src was opened.
func (s *Store) Move(ctx context.Context, src Published, progress func(survey.Progress)) (int64, error) {
	base, err := s.embedded.Release(ctx)
	if err != nil {
		return 0, err
	}
	switch {
	case base.Engine != nil:
		return 0, errors.New("the store's respondents are in ClickHouse already: --to copies them to other servers")
	case len(base.Facts) == 0:
		return 0, errors.New("the store has no respondents; import into ClickHouse at once")
	}
	if src.Version() != base.Version() {
		return 0, audience.ErrChanged
	}
	sv, err := src.Describe(ctx)
	if err != nil {
		return 0, err
	}
	return s.moveIn(ctx, base, sv, src, progress)
}

// moveIn brings the respondents of a release here and publishes them as they were, in place of where they are.
func (s *Store) moveIn(ctx context.Context, base *survey.Release, sv *audience.Survey, src survey.Source,
	progress func(survey.Progress)) (int64, error) {
	w, err := s.begin(ctx, base, nil, sv, s.config.Format)
	if err != nil {
		return 0, err
	}
	if s.taking != nil {
		s.taking.number = w.own
	}
	n, err := w.move(ctx, base, src, progress)
	if err != nil {
		return 0, errors.Join(err, w.Abort())
	}
	return n, nil
}

// Take loads the respondents of a store that are in another table, or on other servers, of ClickHouse, which src reads
// back, and publishes them here: on more shards, say, or on replicas. Nothing else changes, and no figure. From then on
// they are counted here alone; the table that they were in stays as it is, and is of no use any more. This Store, which
// has the same embedded one, is for nothing else until Take returns how many respondents it took. With an error nothing
// has changed; it is audience.ErrChanged if something was published since src was opened.
func (s *Store) Take(ctx context.Context, src *Source, progress func(survey.Progress)) (int64, error) {
	if src.store.table == s.table {
		for _, sh := range src.store.servers {
			if slices.ContainsFunc(s.servers, func(own *shard) bool { return own.address == sh.address }) {
				return 0, fmt.Errorf("ClickHouse server %s has table %s already: name another table (?table=)", sh.address,
					s.table)
			}
		}
	}
	base, err := s.embedded.Release(ctx)
	if err != nil {
		return 0, err
	}
	if base.Version() != src.version.frame.Version || base.Engine == nil {
		return 0, audience.ErrChanged
	}
	sv, err := src.Describe(ctx)
	if err != nil {
		return 0, err
	}
	s.taking = &taken{}
	defer func() { s.taking = nil }()
	return s.moveIn(ctx, base, sv, src, progress)
}

// taken is the import by which Take brings respondents who are elsewhere: until it is published there are none here,
// whatever the embedded store says.
type taken struct{ number uint64 }

// published tells whether the embedded store says that the import is published.
func (t *taken) published(engine []byte) bool {
	st, err := readState(engine)
	return err == nil && t.number != 0 && st.Published == t.number
}

func (w *writer) move(ctx context.Context, base *survey.Release, src survey.Source, progress func(survey.Progress)) (
	int64, error) {
	type fieldwork struct{ wave, location string }
	found, total := map[fieldwork]int64{}, int64(0)
	for batch, err := range src.Respondents(ctx) {
		if err != nil {
			return 0, err
		}
		if err := w.Add(ctx, batch.Respondents); err != nil {
			return 0, err
		}
		for i := range batch.Respondents {
			r := &batch.Respondents[i]
			found[fieldwork{w.survey.Waves[r.Wave].Code, w.survey.Locations[r.Location].Code}]++
		}
		total += int64(len(batch.Respondents))
		if progress != nil {
			progress(survey.Progress{Respondents: total, Done: batch.Done, Total: batch.Total})
		}
	}
	change := survey.Change{Frame: base.Frame, Facts: base.Facts}
	for _, f := range base.Facts {
		if n := found[fieldwork{f.Wave, f.Location}]; n != f.Respondents {
			return 0, fmt.Errorf("of wave %q and location %q the store gave %d respondents; it has %d", f.Wave, f.Location, n,
				f.Respondents)
		}
	}
	for _, wave := range base.Frame.Waves {
		change.Drop = append(change.Drop, wave.Code)
	}
	// What is dropped is either the embedded store's own, and here there was nothing before, or what is here.
	_, err := w.Commit(ctx, change)
	return total, err
}
