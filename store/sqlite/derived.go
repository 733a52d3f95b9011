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
	"github.com/crosswave/crosswave/derived"
	"github.com/crosswave/crosswave/saved"
)

const derivedColumns = `d.id, d.code, u.id, d.namespace, d.name, d.description, d.datapoints, d.shared <> 0, d.created,
	d.updated, d.version, d.seal = ` + derivedSeal + `, coalesce(u.seal = ` + userSeal + `, 0)
	FROM derived d LEFT JOIN user u ON u.number = d.user`

// Derived returns a derived question, whoever owns it.
func (s *Store) Derived(ctx context.Context, code string) (derived.Question, error) {
	return findDerived(ctx, s.read, code)
}

// findDerived reads a derived question from a pool or within a transaction.
func findDerived(ctx context.Context, q querier, code string) (derived.Question, error) {
	list, err := collect(ctx, q, scanDerived, `SELECT `+derivedColumns+` WHERE d.code = ?1 OR d.again = rowseal(?1)`, code)
	for _, found := range list {
		if found.Code == code {
			return found, err
		}
	}
	if err == nil {
		err = fmt.Errorf("derived question %q: %w", code, audience.ErrNotFound)
	}
	return derived.Question{}, err
}

// DerivedFor lists the derived questions that a user owns or that are shared, by code. It is asked with nearly every
// request, most of which find none.
func (s *Store) DerivedFor(ctx context.Context, user string) ([]derived.Question, error) {
	var any bool
	if err := s.read.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM derived)`).Scan(&any); err != nil || !any {
		return nil, err
	}
	number, err := knownUser(ctx, s.read, user)
	if err != nil {
		return nil, err
	}
	return collect(ctx, s.read, scanDerived, `SELECT `+derivedColumns+` WHERE d.user = ?1 OR d.user_again = ?1 OR
		d.shared = 1 OR d.shared_again = 1 ORDER BY d.code`, number)
}

// DerivedReaders lists the saved audiences and derived questions that hold a code as a text. A text with an escape may
// hold any, and so may a row that is not as it was sealed.
func (s *Store) DerivedReaders(ctx context.Context, code string) (list []derived.Reader, err error) {
	const holding = `instr(%[1]s, ?1) > 0 OR instr(%[1]s, '\u') > 0 OR %[2]s`
	audiences, err := collect(ctx, s.read, scanSaved, `SELECT `+savedColumns+` WHERE `+
		fmt.Sprintf(holding, "s.expression", "s.seal <> "+savedSeal)+` ORDER BY s.v1`, code)
	if err != nil {
		return nil, err
	}
	for _, a := range audiences {
		list = append(list, derived.Reader{Kind: derived.AudienceReader, User: a.User, Name: a.Name, Shared: a.Shared,
			Exprs: []audience.Expr{a.Expression.Expr}})
	}
	questions, err := collect(ctx, s.read, scanDerived, `SELECT `+derivedColumns+` WHERE `+
		fmt.Sprintf(holding, "d.datapoints", "d.seal <> "+derivedSeal)+` ORDER BY d.code`, code)
	if err != nil {
		return nil, err
	}
	for _, q := range questions {
		r := derived.Reader{Kind: derived.QuestionReader, User: q.User, Name: q.Name, Code: q.Code, Shared: q.Shared}
		for _, d := range q.Datapoints {
			r.Exprs = append(r.Exprs, d.Expr)
		}
		list = append(list, r)
	}
	return list, nil
}

// InsertDerived puts in a new question.
func (s *Store) InsertDerived(ctx context.Context, q derived.Question) error {
	return s.update(ctx, func(tx *sql.Tx) error {
		if _, err := findDerived(ctx, tx, q.Code); !errors.Is(err, audience.ErrNotFound) {
			if err == nil {
				err = fmt.Errorf("%q: %w", q.Code, derived.ErrTaken)
			}
			return err
		}
		user, err := giveNumber(ctx, tx, q.User)
		if err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, `INSERT INTO derived (code, again, user, user_again, namespace, name, description,
			datapoints, shared, shared_again, created, updated, version)
			VALUES (?1, rowseal(?1), ?2, ?2, ?3, ?4, ?5, ?6, ?7, ?7, ?8, ?9, ?10)`, q.Code, user, q.Namespace, q.Name,
			q.Description, storedDatapoints(q.Datapoints), q.Shared, q.Created.UnixNano(), q.Updated.UnixNano(),
			q.Version); err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, sealDerived+` WHERE d.code = ?`, q.Code)
		return err
	})
}

// ReplaceDerived compares the version and sets the record.
func (s *Store) ReplaceDerived(ctx context.Context, q derived.Question, version int64) error {
	return s.update(ctx, func(tx *sql.Tx) error {
		if err := soundDerived(ctx, tx, q.Code); err != nil {
			return err
		}
		if err := derivedChanged(tx.ExecContext(ctx, `UPDATE derived SET namespace = ?1, name = ?2, description = ?3,
			datapoints = ?4, shared = ?5, shared_again = ?5, updated = ?6, version = ?7 WHERE code = ?8 AND version = ?9`,
			q.Namespace, q.Name, q.Description, storedDatapoints(q.Datapoints), q.Shared, q.Updated.UnixNano(), q.Version,
			q.Code, version)); err != nil {
			return err
		}
		_, err := tx.ExecContext(ctx, sealDerived+` WHERE d.code = ?`, q.Code)
		return err
	})
}

// DeleteDerived compares the version and removes the record.
func (s *Store) DeleteDerived(ctx context.Context, code string, version int64) error {
	return s.update(ctx, func(tx *sql.Tx) error {
		if err := soundDerived(ctx, tx, code); err != nil {
			return err
		}
		return derivedChanged(tx.ExecContext(ctx, `DELETE FROM derived WHERE code = ? AND version = ?`, code, version))
	})
}

// soundDerived is a DamagedError if what is found by a code is damaged: it may have another's code.
func soundDerived(ctx context.Context, tx *sql.Tx, code string) error {
	if _, err := findDerived(ctx, tx, code); err != nil && !errors.Is(err, audience.ErrNotFound) {
		return err
	}
	return nil
}

// derivedChanged is derived.ErrConflict if the compare-and-set found no record to change.
func derivedChanged(result sql.Result, err error) error {
	if err = oneChanged(result, err); errors.Is(err, saved.ErrConflict) {
		return derived.ErrConflict
	}
	return err
}

// storedDatapoint is a datapoint as it is stored.
type storedDatapoint struct {
	Code       string `json:"code"`
	Name       string `json:"name"`
	Expression string `json:"expression"` // JSON
}

func storedDatapoints(points []derived.Datapoint) string {
	list := make([]storedDatapoint, len(points))
	for i, d := range points {
		list[i] = storedDatapoint{d.Code, d.Name, string(d.JSON)}
	}
	b, _ := json.Marshal(list) // texts always marshal
	return string(b)
}

func scanDerived(scan func(...any) error) (q derived.Question, err error) {
	var user sql.NullString
	var id, created, updated int64
	var datapoints string
	var sound, userSound bool
	if err := scan(&id, &q.Code, &user, &q.Namespace, &q.Name, &q.Description, &datapoints, &q.Shared, &created, &updated,
		&q.Version, &sound, &userSound); err != nil {
		return q, err
	}
	var list []storedDatapoint
	switch {
	case !sound:
		return q, &DamagedError{fmt.Sprintf("derived question %q (number %d)", q.Code, id)}
	case !user.Valid || !userSound:
		return q, &DamagedError{fmt.Sprintf("whose derived question %q is", q.Code)}
	case json.Unmarshal([]byte(datapoints), &list) != nil:
		return q, &DamagedError{fmt.Sprintf("the datapoints of derived question %q", q.Code)}
	}
	q.User, q.Created, q.Updated = user.String, time.Unix(0, created).UTC(), time.Unix(0, updated).UTC()
	// they were within the limits when they were defined
	unlimited := audience.Parser{MaxLevels: math.MaxInt, MaxNodes: math.MaxInt, Bands: true}
	for _, d := range list {
		x, err := unlimited.Parse([]byte(d.Expression))
		if err != nil {
			return q, &DamagedError{fmt.Sprintf("an expression of derived question %q", q.Code)}
		}
		q.Datapoints = append(q.Datapoints, derived.Datapoint{Code: d.Code, Name: d.Name, JSON: []byte(d.Expression),
			Expr: x})
	}
	return q, nil
}

// unusable lists the derived questions that can't be used by anybody, beside why.
func unusable(ctx context.Context, tx *sql.Tx, f *audience.Frame) (list []string, err error) {
	all, err := collect(ctx, tx, scanDerived, `SELECT `+derivedColumns+` ORDER BY d.code`)
	if err != nil {
		return nil, err
	}
	for _, p := range derived.Problems(f, all) {
		list = append(list, fmt.Sprintf("derived question %q: %v", p.Code, p.Cause))
	}
	return list, nil
}
