package clickhouse

import (
	"context"
	"errors"
	"slices"
)

// Adoption is what Adopt found and did.
type Adoption struct {
	// Stores are the IDs of the stores that owned the table until then, on any of the servers: its own where that was
	// another copy of it, none where nobody did.
	Stores []string
	// Respondents are those that this store has published, as far as the servers have them; Others all that are neither
	// published by it nor of an import of it that is under way, by now removed or left as they are.
	Respondents, Others int64
	// Missing tells, as a *MissingError, of a wave of which the servers lack respondents; nil if they have all.
	Missing error
}

// Adopt makes this store the owner of its table, whoever owned it: after an older copy of its file was put back, or to
// go on with one of two copies. From then on every other copy, and every other store that used the table, is refused by
// its next import; what they have published stays and can be asked, unless removeOthers says to remove it.
func (s *Store) Adopt(ctx context.Context, removeOthers bool) (Adoption, error) {
	var out Adoption
	if err := s.introduce(ctx, true); err != nil {
		return out, err
	}
	mine, err := s.standing(ctx)
	if err != nil {
		return out, err
	}
	before, err := s.allRecords(ctx)
	if err != nil {
		return out, err
	}
	for _, h := range before {
		for _, r := range h.records {
			if !slices.Contains(out.Stores, r.store) {
				out.Stores = append(out.Stores, r.store)
			}
		}
	}
	if err := s.reached(ctx, func(ctx context.Context, _ int, sh *shard) error {
		return s.replace(ctx, sh, mine)
	}); err != nil {
		return out, err
	}
	return out, s.takeStock(ctx, &out, mine, removeOthers)
}

// replace makes a store's record the only one on a server.
func (s *Store) replace(ctx context.Context, sh *shard, mine standing) error {
	if err := s.write(ctx, sh, mine.record); err != nil {
		return err
	}
	for range 10 { // another store may be renaming its record
		found, err := s.records(ctx, sh)
		if err != nil {
			return err
		}
		if slices.Equal(found, []record{mine.record}) {
			return nil
		}
		for _, r := range found {
			if r != mine.record {
				err = errors.Join(err, s.strike(ctx, sh, r))
			}
		}
		if err != nil {
			return err
		}
	}
	return errors.New("another store is taking the table over at the same time")
}

// takeStock counts, and removes, what servers have.
func (s *Store) takeStock(ctx context.Context, out *Adoption, mine standing, removeOthers bool) error {
	_, st, known, err := s.published(ctx)
	if err != nil {
		return err
	}
	stored, err := s.partitions(ctx)
	if err != nil {
		return err
	}
	for _, p := range stored {
		switch {
		case st.live(p.wave, p.number):
			out.Respondents += p.rows
		case !mine.turned[p.number]:
			out.Others += p.rows
			if removeOthers {
				err = errors.Join(err, s.dropPartition(ctx, p))
			}
		}
	}
	if err == nil && known {
		var missing *MissingError
		if err = s.intact(ctx, &version{state: st}); errors.As(err, &missing) {
			out.Missing, err = missing, nil
		}
	}
	return err
}
