package sqlite

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/crosswave/crosswave/audience"
)

// Key says who may ask and what they may use. Its secret is known to its holder only.
type Key struct {
	ID      int64
	Name    string // for people; need not be unique
	User    string // whose saved audiences it sees; see saved.CheckUser
	Grant   audience.Grant
	Created time.Time
	Expires time.Time // zero: never
	Revoked time.Time // zero: it is not
}

// Why a secret opens nothing. All of them are audience.ErrNotFound.
var (
	ErrKeyUnknown = fmt.Errorf("the key is not known: %w", audience.ErrNotFound)
	ErrKeyRevoked = fmt.Errorf("the key was revoked: %w", audience.ErrNotFound)
	ErrKeyExpired = fmt.Errorf("the key has expired: %w", audience.ErrNotFound)
	// ErrKeyReplaced is of a secret that RotateKey has put another in the place of.
	ErrKeyReplaced = fmt.Errorf("the key has another secret now: %w", audience.ErrNotFound)
)

// keyPrefix begins every secret, so that people and scanners recognise one that has strayed.
const keyPrefix = "crosswave_"

// CreateKey makes a key of Name, User ("": "1"), Grant and Expires and returns it with its secret, which is not kept
// and can't be had again: 256 random bits after a prefix. Only the secret's SHA-256 is stored.
func (s *Store) CreateKey(ctx context.Context, k Key) (Key, string, error) {
	k.User = cmp.Or(k.User, "1")
	k.Created, k.Expires, k.Revoked = now(), k.Expires.UTC().Truncate(time.Millisecond), time.Time{}
	grant, err := json.Marshal(k.Grant)
	if err != nil {
		return Key{}, "", err
	}
	secret := newSecret()
	err = s.update(ctx, func(tx *sql.Tx) error {
		user, err := giveNumber(ctx, tx, k.User)
		if err != nil {
			return err
		}
		result, err := tx.ExecContext(ctx, `INSERT INTO key (name, user, hash, allowed, created, expires, again) `+
			`VALUES (?1, ?2, ?3, ?4, ?5, ?6, rowseal(?3))`,
			k.Name, user, keyHash(secret), string(grant), k.Created.UnixMilli(), milliseconds(k.Expires))
		if err == nil {
			k.ID, err = result.LastInsertId()
		}
		if err == nil {
			_, err = tx.ExecContext(ctx, sealKey+` WHERE k.id = ?`, k.ID)
		}
		return err
	})
	if err != nil {
		return Key{}, "", err
	}
	return k, secret, nil
}

func keyHash(secret string) []byte {
	sum := sha256.Sum256([]byte(secret))
	return sum[:]
}

func milliseconds(t time.Time) sql.NullInt64 {
	return sql.NullInt64{Int64: t.UnixMilli(), Valid: !t.IsZero()}
}

const keyColumns = `k.id, k.name, u.id, k.allowed, k.created, k.expires, k.revoked, k.hash,
	k.seal = ` + keySeal + `, coalesce(u.seal = ` + userSeal + `, 0)
	FROM key k LEFT JOIN user u ON u.number = k.user`

// ListKeys returns all keys, revoked and expired ones included, by id.
func (s *Store) ListKeys(ctx context.Context) ([]Key, error) {
	return collect(ctx, s.read, func(scan func(...any) error) (Key, error) {
		k, _, err := scanKey(scan)
		return k, err
	}, `SELECT `+keyColumns+` ORDER BY k.id`)
}

// RevokeKey ends a key for good, at once and in all processes. A key revoked before stays as it is; an id that there is
// none of is ErrKeyUnknown. Secrets that were replaced end with their key.
func (s *Store) RevokeKey(ctx context.Context, id int64) error {
	return s.update(ctx, func(tx *sql.Tx) error {
		_, _, err := keyWith(ctx, tx, id)
		if err != nil {
			return err
		}
		if _, err = tx.ExecContext(ctx, `UPDATE key SET revoked = coalesce(revoked, ?) WHERE id = ?`, now().UnixMilli(),
			id); err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, sealKey+` WHERE k.id = ?`, id)
		return err
	})
}

// Authorize returns the key with a secret: ErrKeyUnknown, ErrKeyRevoked, ErrKeyExpired or ErrKeyReplaced if that opens
// nothing now. That the key was used is noted: see KeyUses.
func (s *Store) Authorize(ctx context.Context, secret string) (Key, error) {
	if !strings.HasPrefix(secret, keyPrefix) {
		return Key{}, ErrKeyUnknown
	}
	hash := keyHash(secret)
	k, err := s.keyOf(ctx, hash)
	if errors.Is(err, ErrKeyUnknown) {
		k, err = s.keyOfReplaced(ctx, hash)
	}
	if err != nil {
		return Key{}, err
	}
	at := time.Now()
	if err := k.ended(at); err != nil {
		return Key{}, err
	}
	s.noteUse(k.ID, at)
	return k, nil
}

// ended is why a key opens nothing at a time; nil if it does.
func (k Key) ended(at time.Time) error {
	switch {
	case !k.Revoked.IsZero():
		return ErrKeyRevoked
	case !k.Expires.IsZero() && !at.Before(k.Expires):
		return ErrKeyExpired
	}
	return nil
}

// keyOf is the key whose secret has a hash.
func (s *Store) keyOf(ctx context.Context, hash []byte) (found Key, err error) {
	found, _, err = scanKey(s.read.QueryRowContext(ctx, `SELECT `+keyColumns+` WHERE k.hash = ?`, hash).Scan)
	if !errors.Is(err, sql.ErrNoRows) {
		return found, err
	}
	there := false
	_, err = collect(ctx, s.read, func(scan func(...any) error) (struct{}, error) {
		k, has, err := scanKey(scan)
		if err == nil && bytes.Equal(has, hash) {
			found, there = k, true // made in between
		}
		return struct{}{}, err
	}, `SELECT `+keyColumns+` WHERE k.again = rowseal(?)`, hash)
	if err == nil && !there {
		err = ErrKeyUnknown
	}
	return found, err
}

// damagedKeys is a DamagedError if a key is not as it was sealed.
func damagedKeys(ctx context.Context, q querier) error {
	return allSound(ctx, q, "key", `SELECT k.id FROM key k WHERE k.seal <> `+keySeal)
}

// scanKey reads a key of keyColumns, and the hash of its secret.
func scanKey(scan func(...any) error) (k Key, hash []byte, err error) {
	var user sql.NullString
	var sound, userSound bool
	var grant string
	var created int64
	var expires, revoked sql.NullInt64
	if err := scan(&k.ID, &k.Name, &user, &grant, &created, &expires, &revoked, &hash, &sound, &userSound); err != nil {
		return Key{}, nil, err
	}
	if !sound {
		return Key{}, nil, &DamagedError{fmt.Sprintf("key %d", k.ID)}
	}
	if err := json.Unmarshal([]byte(grant), &k.Grant); err != nil {
		return Key{}, nil, &DamagedError{fmt.Sprintf("what key %d grants", k.ID)}
	}
	if !user.Valid || !userSound {
		return Key{}, nil, &DamagedError{fmt.Sprintf("whose key %d is", k.ID)}
	}
	k.User, k.Created = user.String, time.UnixMilli(created).UTC()
	if expires.Valid {
		k.Expires = time.UnixMilli(expires.Int64).UTC()
	}
	if revoked.Valid {
		k.Revoked = time.UnixMilli(revoked.Int64).UTC()
	}
	return k, hash, nil
}
