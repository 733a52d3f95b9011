package clickhouse

import (
	"context"
	"errors"
	"fmt"

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
		return 0, errors.New("the store's respondents are in ClickHouse already")
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
	w, err := s.begin(ctx, base, sv)
	if err != nil {
		return 0, err
	}
	n, err := w.move(ctx, base, src, progress)
	if err != nil {
		return 0, errors.Join(err, w.Abort())
	}
	return n, nil
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
			return 0, fmt.Errorf("of wave %q and location %q the embedded store gave %d respondents; it has %d", f.Wave,
				f.Location, n, f.Respondents)
		}
	}
	for _, wave := range base.Frame.Waves {
		change.Drop = append(change.Drop, wave.Code)
	}
	// The embedded store drops its respondents; here, where nothing was published before, there is nothing to drop.
	_, err := w.Commit(ctx, change)
	return total, err
}
