package sqlite

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/internal/strictjson"
	"github.com/crosswave/crosswave/saved"
)

const savedColumns = `s.id, s.v1, u.id, s.user, s.name, s.description, s.expression, s.datasets, s.datasets_set <> 0,
	s.flags, coalesce(f.id, '` + saved.NoFolder + `'), coalesce(f.v1, 0), s.position, s.shared <> 0, s.created, s.updated,
	s.version, s.seal = ` + savedSeal + `, coalesce(u.seal = ` + userSeal + `, 0),
	s.folder IS NULL OR coalesce(f.seal = ` + folderSeal + `, 0)
	FROM saved s LEFT JOIN folder f ON f.v1 = s.folder LEFT JOIN user u ON u.number = s.user`

// Saved returns a saved audience, whoever owns it.
func (s *Store) Saved(ctx context.Context, id string) (saved.Audience, error) {
	return findSaved(ctx, s.read, id)
}

// findSaved reads a saved audience from a pool or within a transaction.
func findSaved(ctx context.Context, q querier, id string) (saved.Audience, error) {
	list, err := collect(ctx, q, scanSaved, `SELECT `+savedColumns+` WHERE s.id = ?1 OR s.again = rowseal(?1)`, id)
	for _, a := range list {
		if a.ID == id {
			return a, err
		}
	}
	if err == nil {
		err = fmt.Errorf("saved audience %s: %w", id, audience.ErrNotFound)
	}
	return saved.Audience{}, err
}

// InsertSaved puts in a new audience, and its folder if that is new.
func (s *Store) InsertSaved(ctx context.Context, a saved.Audience) (saved.Audience, error) {
	return s.putSaved(ctx, a, func(tx *sql.Tx, user int64, values []any) error {
		_, err := tx.ExecContext(ctx, `INSERT INTO saved (name, description, expression, datasets, datasets_set, flags,
			folder, position, shared, shared_again, updated, version, id, again, user, user_again, created)
			VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?9, ?10, ?11, ?12, rowseal(?12), ?13, ?13, ?14)`,
			append(values, a.ID, user, a.Created.UnixNano())...)
		return err
	})
}

// ReplaceSaved compares the version and sets the record.
func (s *Store) ReplaceSaved(ctx context.Context, a saved.Audience, version int64) (saved.Audience, error) {
	return s.putSaved(ctx, a, func(tx *sql.Tx, _ int64, values []any) error {
		return oneChanged(tx.ExecContext(ctx, `UPDATE saved SET name = ?1, description = ?2, expression = ?3, datasets = ?4,
			datasets_set = ?5, flags = ?6, folder = ?7, position = ?8, shared = ?9, shared_again = ?9, updated = ?10,
			version = ?11
			WHERE id = ?12 AND version = ?13`, append(values, a.ID, version)...))
	})
}

// putSaved gives a its folder, has it written, given the number of its owner and the values of the columns that a
// change may set in the order of the statements above, and returns the record as it is then.
func (s *Store) putSaved(ctx context.Context, a saved.Audience, write func(tx *sql.Tx, user int64,
	values []any) error) (out saved.Audience, err error) {
	err = s.update(ctx, func(tx *sql.Tx) error {
		// Whose it is never changes, whatever a says.
		before, err := findSaved(ctx, tx, a.ID)
		a.UserNumber = before.UserNumber
		if errors.Is(err, audience.ErrNotFound) {
			a.UserNumber, err = giveNumber(ctx, tx, a.User)
		}
		if err != nil {
			return err
		}
		folder, err := placeFolder(ctx, tx, &a)
		if err != nil {
			return err
		}
		if err := write(tx, a.UserNumber, []any{a.Name, a.Description, string(a.Expression.JSON), texts(a.Datasets),
			a.DatasetsSet, texts(a.Flags), folder, a.Position, a.Shared, a.Updated.UnixNano(), a.Version}); err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, sealSaved+` WHERE s.id = ?`, a.ID); err != nil {
			return err
		}
		out, err = findSaved(ctx, tx, a.ID)
		return err
	})
	return out, err
}

// DeleteSaved compares the version and removes the record. Folders stay.
func (s *Store) DeleteSaved(ctx context.Context, id string, version int64) error {
	return s.update(ctx, func(tx *sql.Tx) error {
		if _, err := findSaved(ctx, tx, id); err != nil && !errors.Is(err, audience.ErrNotFound) {
			return err // what is damaged may have another's id
		}
		return oneChanged(tx.ExecContext(ctx, `DELETE FROM saved WHERE id = ? AND version = ?`, id, version))
	})
}

// oneChanged is saved.ErrConflict if the compare-and-set found no record to change.
func oneChanged(result sql.Result, err error) error {
	if err != nil {
		return err
	}
	n, err := result.RowsAffected()
	if err == nil && n == 0 {
		err = saved.ErrConflict
	}
	return err
}

// Folders lists the folders of a user, and those that are nobody's yet, by their numbers.
func (s *Store) Folders(ctx context.Context, user string) ([]saved.Folder, error) {
	number, err := knownUser(ctx, s.read, user)
	if err != nil {
		return nil, err
	}
	return foldersOf(ctx, s.read, number)
}

// foldersOf lists the folders of the user with a number, and those that are nobody's yet.
func foldersOf(ctx context.Context, q querier, number sql.NullInt64) ([]saved.Folder, error) {
	scan := func(scan func(...any) error) (f saved.Folder, err error) {
		var sound bool
		if err = scan(&f.V1, &f.ID, &sound); err == nil && !sound {
			err = &DamagedError{fmt.Sprintf("folder %d", f.V1)}
		}
		return f, err
	}
	return collect(ctx, q, scan, `SELECT f.v1, f.id, f.seal = `+folderSeal+` FROM folder f WHERE f.user = ?1 OR
		f.user_again = ?1 OR f.user IS NULL OR f.user_again IS NULL ORDER BY f.v1`, number)
}

// knownUser is the number of a user; NULL if they have none.
func knownUser(ctx context.Context, q querier, user string) (number sql.NullInt64, err error) {
	number.Int64, number.Valid, err = findUser(ctx, q, user)
	return number, err
}

// placeFolder gives the number of the folder of a user that an audience is to lie in; NULL for none. One that is
// nobody's becomes the user's, and a new one is made, with the number that a.Folder asks for if that is free.
func placeFolder(ctx context.Context, tx *sql.Tx, a *saved.Audience) (v1 sql.NullInt64, err error) {
	if a.FolderID == saved.NoFolder {
		return v1, nil
	}
	if _, err := foldersOf(ctx, tx, sql.NullInt64{Int64: a.UserNumber, Valid: true}); err != nil {
		return v1, err // else one that is damaged would seem not to be there
	}
	find := func() error {
		return tx.QueryRowContext(ctx, `SELECT v1 FROM folder WHERE user = ? AND id = ?`, a.UserNumber,
			a.FolderID).Scan(&v1)
	}
	for _, make := range []string{
		`UPDATE folder SET user = ?1, user_again = ?1 WHERE v1 = (SELECT min(v1) FROM folder WHERE user IS NULL AND id = ?2)`,
		`INSERT OR IGNORE INTO folder (v1, user, user_again, id) SELECT ?3, ?1, ?1, ?2 WHERE ?3 > 0`,
		// the lowest number that is free
		`INSERT INTO folder (v1, user, user_again, id) SELECT v1, ?1, ?1, ?2 FROM (
			SELECT 1 AS v1 WHERE NOT EXISTS (SELECT 1 FROM folder WHERE v1 = 1) UNION ALL
			SELECT v1 + 1 FROM folder f WHERE NOT EXISTS (SELECT 1 FROM folder WHERE v1 = f.v1 + 1)) ORDER BY v1 LIMIT 1`,
	} {
		if err = find(); !errors.Is(err, sql.ErrNoRows) {
			return v1, err
		}
		if _, err = tx.ExecContext(ctx, make, a.UserNumber, a.FolderID, a.Folder); err != nil {
			return v1, err
		}
		if _, err = tx.ExecContext(ctx, sealFolder+` WHERE f.user = ? AND f.id = ?`, a.UserNumber, a.FolderID); err != nil {
			return v1, err
		}
	}
	return v1, find()
}

// texts is a list of texts as JSON.
func texts(list []string) string {
	b, _ := json.Marshal(strictjson.List(list)) // texts always marshal
	return string(b)
}

func scanSaved(scan func(...any) error) (saved.Audience, error) {
	var a saved.Audience
	var user sql.NullString
	var expression, datasets, flags string
	var created, updated int64
	var sound, userSound, folderSound bool
	if err := scan(&a.ID, &a.V1ID, &user, &a.UserNumber, &a.Name, &a.Description, &expression, &datasets,
		&a.DatasetsSet, &flags, &a.FolderID, &a.Folder, &a.Position, &a.Shared, &created, &updated, &a.Version, &sound,
		&userSound, &folderSound); err != nil {
		return a, err
	}
	switch {
	case !sound:
		return a, &DamagedError{fmt.Sprintf("saved audience %s (number %d)", a.ID, a.V1ID)}
	case !folderSound:
		return a, &DamagedError{fmt.Sprintf("the folder of saved audience %s", a.ID)}
	case !user.Valid || !userSound:
		return a, &DamagedError{fmt.Sprintf("whose saved audience %s is", a.ID)}
	}
	a.User, a.Created, a.Updated = user.String, time.Unix(0, created).UTC(), time.Unix(0, updated).UTC()
	// it was within the limits when it was saved
	unlimited := audience.Parser{MaxLevels: math.MaxInt, MaxNodes: math.MaxInt}
	x, err := unlimited.Parse([]byte(expression))
	if err != nil {
		return a, &DamagedError{fmt.Sprintf("the expression of saved audience %s", a.ID)}
	}
	a.Expression = saved.Expression{JSON: []byte(expression), Expr: x}
	if err := errors.Join(json.Unmarshal([]byte(datasets), &a.Datasets), json.Unmarshal([]byte(flags),
		&a.Flags)); err != nil {
		return a, &DamagedError{fmt.Sprintf("a list of saved audience %s", a.ID)}
	}
	return a, nil
}
