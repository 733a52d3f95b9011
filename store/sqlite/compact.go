package sqlite

import (
	"context"
	"os"

	"github.com/crosswave/crosswave/audience"
)

// CompactReport tells what Compact gained.
type CompactReport struct {
	Before int64 `json:"before"` // bytes of the file with the log beside it
	After  int64 `json:"after"`
}

// Compact gives back the room in the file that withdrawn and replaced respondents, and records that were removed, have
// left, and overwrites it. It needs as much room again while it works, and takes as long as copying the file twice.
// Nobody can write meanwhile, no import and no saved audience: they wait, for as long as they wait for any other who
// writes; questions are answered.
func (s *Store) Compact(ctx context.Context) (*CompactReport, error) {
	if s.write == nil {
		return nil, audience.ErrReadOnly
	}
	r := &CompactReport{Before: s.bytes()}
	if err := s.tidy(ctx); err != nil {
		return nil, err
	}
	for _, statement := range []string{`VACUUM`, `PRAGMA wal_checkpoint(TRUNCATE)`} {
		if _, err := s.write.ExecContext(ctx, statement); err != nil {
			return nil, s.busy(err)
		}
	}
	r.After = s.bytes()
	return r, nil
}

// bytes is the size of the file and of its log.
func (s *Store) bytes() (total int64) {
	for _, path := range []string{s.path, s.path + "-wal"} {
		if info, err := os.Stat(path); err == nil {
			total += info.Size()
		}
	}
	return total
}
