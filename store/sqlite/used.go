package sqlite

import (
	"context"
	"database/sql"
	"fmt"
	"maps"
	"sync"
	"time"
)

// KeyUse tells how a key is used.
type KeyUse struct {
	// Last is the hour, UTC, in which the key last opened the store, as far as that could be written down; zero if it is
	// not known to have been used.
	Last time.Time
	// Kept is until when a secret opens the key that was replaced; zero if none does now.
	Kept time.Time
}

// KeyUses tells of keys by their ids; of those that it does not have there is nothing to tell.
//
// Uses are written down by the way, once an hour for each key that is used: no request waits for that, and none fails
// of it. Where there is no room, where somebody else writes for long, or when the process is killed, a use may be
// missing, and Last is then of an earlier one. A store that is opened for reading only notes none.
func (s *Store) KeyUses(ctx context.Context) (map[int64]KeyUse, error) {
	out := map[int64]KeyUse{}
	_, err := collect(ctx, s.read, func(scan func(...any) error) (none struct{}, err error) {
		var key, hour int64
		var sound bool
		if err = scan(&key, &hour, &sound); err == nil && !sound {
			err = &DamagedError{fmt.Sprintf("when key %d was last used", key)}
		}
		out[key] = KeyUse{Last: time.Unix(hour*secondsAnHour, 0).UTC()}
		return none, err
	}, `SELECT d.key, d.hour, d.seal = `+usedSeal+` FROM used d ORDER BY d.key`)
	if err != nil {
		return nil, err
	}
	list, err := collect(ctx, s.read, scanReplaced, `SELECT `+replacedColumns+` ORDER BY r.id`)
	if err != nil {
		return nil, err
	}
	for _, r := range list {
		if use := out[r.key]; r.until.After(time.Now()) && r.until.After(use.Kept) {
			use.Kept = r.until
			out[r.key] = use
		}
	}
	return out, nil
}

const secondsAnHour = 3600

// afterFailure is how long to wait before uses are written again that could not be.
const afterFailure = time.Minute

// uses are those of keys that this Store knows of, by the hour.
type uses struct {
	mu      sync.Mutex
	noted   map[int64]int64 // the last hour of each key
	waiting map[int64]int64 // those of them that are not written
	writing bool
	next    time.Time // when to write next, at the earliest
}

// noteUse notes that a key is used at a time, and has it written by the way if that is news.
func (s *Store) noteUse(key int64, at time.Time) {
	if s.write == nil || !s.uses.note(key, at) {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.closed {
		s.tidying.Go(s.writeUses)
	}
}

// note tells whether somebody has to begin to write.
func (u *uses) note(key int64, at time.Time) bool {
	hour := at.Unix() / secondsAnHour
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.noted == nil {
		u.noted, u.waiting = map[int64]int64{}, map[int64]int64{}
	}
	if u.noted[key] < hour {
		u.noted[key], u.waiting[key] = hour, hour
	}
	if u.writing || len(u.waiting) == 0 || at.Before(u.next) {
		return false
	}
	u.writing = true
	return true
}

// take returns what is to be written now. With nothing more the writing has ended.
func (u *uses) take(at time.Time) map[int64]int64 {
	u.mu.Lock()
	defer u.mu.Unlock()
	if len(u.waiting) == 0 || at.Before(u.next) {
		u.writing = false
		return nil
	}
	taken := u.waiting
	u.waiting = map[int64]int64{}
	return taken
}

// giveBack has what could not be written wait for later, unless something newer does.
func (u *uses) giveBack(taken map[int64]int64, next time.Time) {
	u.mu.Lock()
	defer u.mu.Unlock()
	maps.Copy(taken, u.waiting)
	u.waiting, u.next = taken, next
}

func (s *Store) writeUses() {
	for {
		taken := s.uses.take(time.Now())
		if taken == nil {
			return
		}
		if err := s.putUses(context.Background(), taken); err != nil {
			s.uses.giveBack(taken, time.Now().Add(afterFailure))
		}
	}
}

// putUses writes the last hours of keys, unless the store has later ones. It does so over a connection of its own, that
// waits for nobody who writes, so that nobody who writes has to wait behind it; and what is lost with a machine that
// loses its power need not be durable at once.
func (s *Store) putUses(ctx context.Context, hours map[int64]int64) error {
	d, err := s.views.driver()
	if err != nil {
		return err
	}
	db := sql.OpenDB(connector{d, s.dsn("_synchronous", "NORMAL", "_txlock", "immediate")})
	defer db.Close()
	db.SetMaxOpenConns(1)
	if _, err := db.ExecContext(ctx, `PRAGMA busy_timeout = 0`); err != nil {
		return err
	}
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	for key, hour := range hours {
		// A row that is damaged is made good by the next use.
		if _, err := tx.ExecContext(ctx, `INSERT INTO used AS d (key, hour, seal) VALUES (?1, ?2, rowseal('used', ?1, ?2))
			ON CONFLICT (key) DO UPDATE SET hour = excluded.hour, seal = excluded.seal
			WHERE excluded.hour > d.hour OR d.seal <> `+usedSeal, key, hour); err != nil {
			return err
		}
	}
	return tx.Commit()
}
