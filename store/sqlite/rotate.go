package sqlite

import (
	"bytes"
	"cmp"
	"context"
	"crypto/rand"
	"database/sql"
	"encoding/base64"
	"fmt"
	"time"
)

// RotateKey gives a key a new secret, which is returned and can't be had again; what else the key is stays. The secret
// that it replaces opens the key for as long as keep says, at the most for as long as the key itself is good. With a
// keep of 0 or less it opens nothing from now on, and neither does any that was replaced before. A key that has ended
// is ErrKeyRevoked or ErrKeyExpired; an id that there is none of ErrKeyUnknown.
func (s *Store) RotateKey(ctx context.Context, id int64, keep time.Duration) (k Key, secret string, err error) {
	secret = newSecret()
	err = s.update(ctx, func(tx *sql.Tx) error {
		var hash []byte
		k, hash, err = keyWith(ctx, tx, id)
		if err != nil {
			return err
		}
		at := now()
		if err := k.ended(at); err != nil {
			return err
		}
		if err := replaceSecret(ctx, tx, id, hash, at, max(0, keep)); err != nil {
			return err
		}
		if _, err = tx.ExecContext(ctx, `UPDATE key SET hash = ?1, again = rowseal(?1) WHERE id = ?2`, keyHash(secret),
			id); err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, sealKey+` WHERE k.id = ?`, id)
		return err
	})
	if err != nil {
		return Key{}, "", err
	}
	return k, secret, nil
}

// newSecret is one that nobody has: 256 random bits after a prefix.
func newSecret() string {
	var random [32]byte
	rand.Read(random[:])
	return keyPrefix + base64.RawURLEncoding.EncodeToString(random[:])
}

// keyWith is the key with an id, and the hash of its secret.
func keyWith(ctx context.Context, q querier, id int64) (k Key, hash []byte, err error) {
	list, err := collect(ctx, q, func(scan func(...any) error) (Key, error) {
		k, has, err := scanKey(scan)
		hash = has
		return k, err
	}, `SELECT `+keyColumns+` WHERE k.id = ?`, id)
	switch {
	case err != nil:
		return Key{}, nil, err
	case len(list) == 0:
		return Key{}, nil, cmp.Or(damagedKeys(ctx, q), ErrKeyUnknown)
	}
	return list[0], hash, nil
}

// replaceSecret keeps the hash of a key's secret for a while as one that was replaced.
func replaceSecret(ctx context.Context, tx *sql.Tx, id int64, hash []byte, at time.Time, keep time.Duration) error {
	if err := allSound(ctx, tx, "replaced secret", `SELECT r.id FROM replaced r WHERE r.seal <> `+
		replacedSeal); err != nil {
		return err // else it would be sealed as it is
	}
	until := at.Add(keep).UnixMilli()
	if keep == 0 {
		if _, err := tx.ExecContext(ctx, `UPDATE replaced SET until = min(until, ?) WHERE key = ?`, until, id); err != nil {
			return err
		}
	}
	_, err := tx.ExecContext(ctx, `INSERT INTO replaced (key, hash, until, again) VALUES (?1, ?2, ?3, rowseal(?2))`,
		id, hash, until)
	if err == nil {
		_, err = tx.ExecContext(ctx, sealReplaced+` WHERE r.key = ?`, id)
	}
	return err
}

const replacedColumns = `r.id, r.key, r.hash, r.until, r.seal = ` + replacedSeal + ` FROM replaced r`

// replaced is a secret that a key had before.
type replaced struct {
	key   int64
	hash  []byte
	until time.Time
}

func scanReplaced(scan func(...any) error) (r replaced, err error) {
	var id, until int64
	var sound bool
	if err = scan(&id, &r.key, &r.hash, &until, &sound); err == nil && !sound {
		err = &DamagedError{fmt.Sprintf("replaced secret %d", id)}
	}
	r.until = time.UnixMilli(until).UTC()
	return r, err
}

// keyOfReplaced is the key that a replaced secret with a hash still opens: ErrKeyReplaced if it does no more.
func (s *Store) keyOfReplaced(ctx context.Context, hash []byte) (Key, error) {
	list, err := collect(ctx, s.read, scanReplaced, `SELECT `+replacedColumns+
		` WHERE r.hash = ?1 OR r.again = rowseal(?1)`, hash)
	if err != nil {
		return Key{}, err
	}
	for _, r := range list {
		if !bytes.Equal(r.hash, hash) {
			continue
		}
		if !time.Now().Before(r.until) {
			return Key{}, ErrKeyReplaced
		}
		k, _, err := keyWith(ctx, s.read, r.key)
		return k, err
	}
	return Key{}, ErrKeyUnknown
}
