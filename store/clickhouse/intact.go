package clickhouse

import (
	"context"
	"slices"

	"github.com/crosswave/crosswave/store/survey"
)

// Intact makes sure, before an import changes anything, that the servers have all respondents of base but those of some
// waves, which are about to be replaced. Else it is a *MissingError: what a server has lost may yet be put back from a
// backup, which no longer fits once something was published beside it.
func (s *Store) Intact(ctx context.Context, base *survey.Release, but []string) error {
	if base.Engine == nil {
		return nil
	}
	st, err := s.readState(base.Engine)
	if err != nil {
		return err
	}
	mine, err := s.standing(ctx)
	if err != nil {
		return err
	}
	all, err := s.allRecords(ctx)
	if err != nil {
		return err
	}
	if mine.owner != 0 { // of a copy of this store's file one is told that it is one, and not what it lacks
		if err := s.catchUp(ctx, mine, all); err != nil {
			return err
		}
		for _, h := range all {
			if err := mine.allows(s, h.server, h.records); err != nil {
				return err
			}
		}
	}
	st.Waves = slices.DeleteFunc(st.Waves, func(w *wave) bool { return slices.Contains(but, w.Code) })
	v := &version{base.Frame, st}
	return s.choosing(ctx, func(ctx context.Context) error {
		if err := s.intact(ctx, v); err != nil {
			return s.settle(ctx, v, err)
		}
		return nil
	})
}

var _ survey.Fragile = (*Store)(nil)
