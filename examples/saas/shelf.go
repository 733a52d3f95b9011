package main

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/saved"
)

// shelf keeps the audiences of one tenant in PostgreSQL: a saved.Store. What is shared is shared with all users of the
// tenant, as each tenant has a shelf of its own, which knows of no other.
type shelf struct {
	db     *sql.DB
	tenant string
}

// record is what a row of the table audience has in JSON.
type record struct {
	Name        string    `json:"name"`
	Description string    `json:"description"`
	Expression  string    `json:"expression"` // as its user wrote it, byte by byte
	Datasets    []string  `json:"datasets"`
	DatasetsSet bool      `json:"datasets_set"`
	Flags       []string  `json:"flags"`
	Updated     time.Time `json:"updated"`
}

// columns are those of an audience, in the order in which they are scanned. A user without a number of the table has
// their own.
const columns = `a.id, a.v1, a.owner, coalesce(u.number, 0), coalesce(f.id, '` + saved.NoFolder + `'),
	coalesce(f.v1, 0), a.position, a.shared, a.version, a.created, a.record
	FROM audience a
	LEFT JOIN user_number u ON u.tenant = a.tenant AND u.id = a.owner
	LEFT JOIN folder f ON f.tenant = a.tenant AND f.v1 = a.folder`

func scanAudience(scan func(...any) error) (a saved.Audience, err error) {
	var text []byte
	if err := scan(&a.ID, &a.V1ID, &a.User, &a.UserNumber, &a.FolderID, &a.Folder, &a.Position, &a.Shared, &a.Version,
		&a.Created, &text); err != nil {
		return a, err
	}
	if number, own := saved.OwnNumber(a.User); own {
		a.UserNumber = number
	}
	var r record
	if err := json.Unmarshal(text, &r); err != nil {
		return a, fmt.Errorf("the record of audience %s: %w", a.ID, err)
	}
	// It was within the limits when it was saved.
	unlimited := audience.Parser{MaxLevels: math.MaxInt, MaxNodes: math.MaxInt}
	expr, err := unlimited.Parse([]byte(r.Expression))
	if err != nil {
		return a, fmt.Errorf("the expression of audience %s: %w", a.ID, err)
	}
	a.Expression = saved.Expression{JSON: []byte(r.Expression), Expr: expr}
	a.Name, a.Description, a.Datasets, a.DatasetsSet, a.Flags = r.Name, r.Description, r.Datasets, r.DatasetsSet, r.Flags
	a.Created, a.Updated = a.Created.UTC(), r.Updated.UTC()
	return a, nil
}

// Saved returns an audience of the tenant, whoever of it owns it.
func (s *shelf) Saved(ctx context.Context, id string) (saved.Audience, error) {
	return s.find(ctx, s.db, id)
}

func (s *shelf) find(ctx context.Context, q interface {
	QueryRowContext(context.Context, string, ...any) *sql.Row
}, id string) (saved.Audience, error) {
	a, err := scanAudience(q.QueryRowContext(ctx, `SELECT `+columns+` WHERE a.tenant = $1 AND a.id = $2`, s.tenant,
		id).Scan)
	if errors.Is(err, sql.ErrNoRows) {
		err = fmt.Errorf("audience %s: %w", id, audience.ErrNotFound)
	}
	return a, err
}

// SavedFor lists the audiences of a user and those that others of the tenant share.
func (s *shelf) SavedFor(ctx context.Context, user string) (list []saved.Audience, err error) {
	rows, err := s.db.QueryContext(ctx, `SELECT `+columns+` WHERE a.tenant = $1 AND (a.owner = $2 OR a.shared)
		ORDER BY a.position, a.id`, s.tenant, user)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		a, err := scanAudience(rows.Scan)
		if err != nil {
			return nil, err
		}
		list = append(list, a)
	}
	return list, rows.Err()
}

// InsertSaved puts in a new audience.
func (s *shelf) InsertSaved(ctx context.Context, a saved.Audience) (out saved.Audience, err error) {
	err = s.change(ctx, func(tx *sql.Tx) error {
		if _, err := s.giveNumber(ctx, tx, a.User); err != nil {
			return err
		}
		if err := tx.QueryRowContext(ctx, `UPDATE tenant SET audiences = audiences + 1 WHERE id = $1 RETURNING audiences`,
			s.tenant).Scan(&a.V1ID); err != nil {
			return err
		}
		folder, err := s.place(ctx, tx, a.User, &a)
		if err != nil {
			return err
		}
		text, err := recordOf(a)
		if err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, `INSERT INTO audience
			(tenant, id, v1, owner, folder, position, shared, version, created, record)
			VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
			s.tenant, a.ID, a.V1ID, a.User, folder, a.Position, a.Shared, a.Version, a.Created, text); err != nil {
			return err
		}
		out, err = s.find(ctx, tx, a.ID)
		return err
	})
	return out, err
}

// ReplaceSaved compares the version and sets what may change.
func (s *shelf) ReplaceSaved(ctx context.Context, a saved.Audience, version int64) (out saved.Audience, err error) {
	err = s.change(ctx, func(tx *sql.Tx) error {
		var owner string
		err := tx.QueryRowContext(ctx, `SELECT owner FROM audience WHERE tenant = $1 AND id = $2 AND version = $3
			FOR UPDATE`,
			s.tenant, a.ID, version).Scan(&owner)
		if errors.Is(err, sql.ErrNoRows) {
			return saved.ErrConflict
		}
		if err != nil {
			return err
		}
		folder, err := s.place(ctx, tx, owner, &a)
		if err != nil {
			return err
		}
		text, err := recordOf(a)
		if err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, `UPDATE audience SET folder = $3, position = $4, shared = $5, version = $6,
			record = $7 WHERE tenant = $1 AND id = $2`,
			s.tenant, a.ID, folder, a.Position, a.Shared, a.Version, text); err != nil {
			return err
		}
		out, err = s.find(ctx, tx, a.ID)
		return err
	})
	return out, err
}

// DeleteSaved compares the version and removes the audience.
func (s *shelf) DeleteSaved(ctx context.Context, id string, version int64) error {
	result, err := s.db.ExecContext(ctx, `DELETE FROM audience WHERE tenant = $1 AND id = $2 AND version = $3`, s.tenant,
		id, version)
	if err != nil {
		return err
	}
	if n, err := result.RowsAffected(); err != nil || n > 0 {
		return err
	}
	return saved.ErrConflict
}

// Folders lists the folders of a user by their numbers.
func (s *shelf) Folders(ctx context.Context, user string) (list []saved.Folder, err error) {
	rows, err := s.db.QueryContext(ctx, `SELECT id, v1 FROM folder WHERE tenant = $1 AND owner = $2 ORDER BY v1`,
		s.tenant, user)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var f saved.Folder
		if err := rows.Scan(&f.ID, &f.V1); err != nil {
			return nil, err
		}
		list = append(list, f)
	}
	return list, rows.Err()
}

// UserNumber returns the number of a user, and gives it if this is the first that is heard of them.
func (s *shelf) UserNumber(ctx context.Context, user string) (number int64, err error) {
	if number, own := saved.OwnNumber(user); own {
		return number, nil
	}
	if err := saved.CheckUser(user); err != nil {
		return 0, err
	}
	err = s.db.QueryRowContext(ctx, `SELECT number FROM user_number WHERE tenant = $1 AND id = $2`, s.tenant,
		user).Scan(&number)
	if !errors.Is(err, sql.ErrNoRows) {
		return number, err
	}
	err = s.change(ctx, func(tx *sql.Tx) error {
		number, err = s.giveNumber(ctx, tx, user)
		return err
	})
	return number, err
}

func (s *shelf) giveNumber(ctx context.Context, tx *sql.Tx, user string) (number int64, err error) {
	if number, own := saved.OwnNumber(user); own {
		return number, nil
	}
	if err := saved.CheckUser(user); err != nil {
		return 0, err
	}
	err = tx.QueryRowContext(ctx, `SELECT number FROM user_number WHERE tenant = $1 AND id = $2`, s.tenant,
		user).Scan(&number)
	if !errors.Is(err, sql.ErrNoRows) {
		return number, err
	}
	if err := tx.QueryRowContext(ctx, `UPDATE tenant SET users = users + 1 WHERE id = $1 RETURNING users`,
		s.tenant).Scan(&number); err != nil {
		return 0, err
	}
	_, err = tx.ExecContext(ctx, `INSERT INTO user_number (tenant, id, number) VALUES ($1, $2, $3)`, s.tenant, user,
		number)
	return number, err
}

// place gives the number of the folder that an audience is to lie in, NULL for none, and makes that if its owner has
// none of the id: with the number that the audience asks for, if that is free, else the lowest that is.
func (s *shelf) place(ctx context.Context, tx *sql.Tx, owner string, a *saved.Audience) (v1 sql.NullInt64, err error) {
	if a.FolderID == saved.NoFolder {
		return v1, nil
	}
	err = tx.QueryRowContext(ctx, `SELECT v1 FROM folder WHERE tenant = $1 AND owner = $2 AND id = $3`, s.tenant, owner,
		a.FolderID).Scan(&v1)
	if !errors.Is(err, sql.ErrNoRows) {
		return v1, err
	}
	err = tx.QueryRowContext(ctx, `INSERT INTO folder (tenant, owner, id, v1) SELECT $1, $2, $3, n FROM (
			SELECT $4::bigint AS n, 1 AS choice WHERE $4::bigint > 0
			UNION ALL SELECT 1, 2
			UNION ALL (SELECT v1 + 1, 2 FROM folder WHERE tenant = $1)
		) wanted WHERE NOT EXISTS (SELECT 1 FROM folder WHERE tenant = $1 AND v1 = n)
		ORDER BY choice, n LIMIT 1 RETURNING v1`,
		s.tenant, owner, a.FolderID, a.Folder).Scan(&v1)
	return v1, err
}

// change runs do in a transaction in which nothing else of the tenant is changed that has a number.
func (s *shelf) change(ctx context.Context, do func(tx *sql.Tx) error) error {
	tx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	var there bool
	err = tx.QueryRowContext(ctx, `SELECT true FROM tenant WHERE id = $1 FOR UPDATE`, s.tenant).Scan(&there)
	if err != nil {
		return fmt.Errorf("tenant %s: %w", s.tenant, err)
	}
	if err := do(tx); err != nil {
		return err
	}
	return tx.Commit()
}

func recordOf(a saved.Audience) (string, error) {
	text, err := json.Marshal(record{a.Name, a.Description, string(a.Expression.JSON), a.Datasets, a.DatasetsSet, a.Flags,
		a.Updated})
	return string(text), err
}
