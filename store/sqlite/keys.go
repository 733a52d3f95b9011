package sqlite

import (
	"cmp"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"database/sql"
	"encoding/base64"
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
	var random [32]byte
	rand.Read(random[:])
	secret := keyPrefix + base64.RawURLEncoding.EncodeToString(random[:])
	err = s.update(ctx, func(tx *sql.Tx) error {
		user, err := giveNumber(ctx, tx, k.User)
		if err != nil {
			return err
		}
		result, err := tx.ExecContext(ctx, `INSERT INTO key (name, user, hash, allowed, created, expires) VALUES `+
			`(?, ?, ?, ?, ?, ?)`,
			k.Name, user, keyHash(secret), string(grant), k.Created.UnixMilli(), milliseconds(k.Expires))
		if err == nil {
			k.ID, err = result.LastInsertId()
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

const keyColumns = `k.id, k.name, u.id, k.allowed, k.created, k.expires, k.revoked
	FROM key k LEFT JOIN user u ON u.number = k.user`

// ListKeys returns all keys, revoked and expired ones included, by id.
func (s *Store) ListKeys(ctx context.Context) ([]Key, error) {
	return collect(ctx, s.read, scanKey, `SELECT `+keyColumns+` ORDER BY k.id`)
}

// RevokeKey ends a key for good, at once and in all processes. A key revoked before stays as it is; an id that there is
// none of is ErrKeyUnknown.
func (s *Store) RevokeKey(ctx context.Context, id int64) error {
	return s.update(ctx, func(tx *sql.Tx) error {
		result, err := tx.ExecContext(ctx, `UPDATE key SET revoked = coalesce(revoked, ?) WHERE id = ?`,
			now().UnixMilli(), id)
		if err != nil {
			return err
		}
		if n, err := result.RowsAffected(); err != nil || n > 0 {
			return err
		}
		return ErrKeyUnknown
	})
}

// Authorize returns the key with a secret: ErrKeyUnknown, ErrKeyRevoked or ErrKeyExpired if that opens nothing now.
func (s *Store) Authorize(ctx context.Context, secret string) (Key, error) {
	if !strings.HasPrefix(secret, keyPrefix) {
		return Key{}, ErrKeyUnknown
	}
	k, err := scanKey(s.read.QueryRowContext(ctx, `SELECT `+keyColumns+` WHERE k.hash = ?`, keyHash(secret)).Scan)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return Key{}, ErrKeyUnknown
	case err != nil:
		return Key{}, err
	case !k.Revoked.IsZero():
		return Key{}, ErrKeyRevoked
	case !k.Expires.IsZero() && !time.Now().Before(k.Expires):
		return Key{}, ErrKeyExpired
	}
	return k, nil
}

func scanKey(scan func(...any) error) (Key, error) {
	var k Key
	var user sql.NullString
	var grant string
	var created int64
	var expires, revoked sql.NullInt64
	if err := scan(&k.ID, &k.Name, &user, &grant, &created, &expires, &revoked); err != nil {
		return Key{}, err
	}
	if err := json.Unmarshal([]byte(grant), &k.Grant); err != nil {
		return Key{}, &DamagedError{fmt.Sprintf("what key %d grants", k.ID)}
	}
	if !user.Valid {
		return Key{}, &DamagedError{fmt.Sprintf("whose key %d is", k.ID)}
	}
	k.User, k.Created = user.String, time.UnixMilli(created).UTC()
	if expires.Valid {
		k.Expires = time.UnixMilli(expires.Int64).UTC()
	}
	if revoked.Valid {
		k.Revoked = time.UnixMilli(revoked.Int64).UTC()
	}
	return k, nil
}
