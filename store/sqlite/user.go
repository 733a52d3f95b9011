package sqlite

import (
	"context"
	"database/sql"
	"errors"

	"github.com/crosswave/crosswave/saved"
)

// UserNumber returns the number of a user, and gives it if this is the first that is heard of them.
func (s *Store) UserNumber(ctx context.Context, user string) (number int64, err error) {
	err = s.read.QueryRowContext(ctx, `SELECT number FROM user WHERE id = ?`, user).Scan(&number)
	if !errors.Is(err, sql.ErrNoRows) {
		return number, err
	}
	if number, own := saved.OwnNumber(user); own {
		return number, nil
	}
	if err := saved.CheckUser(user); err != nil {
		return 0, err
	}
	err = s.update(ctx, func(tx *sql.Tx) error {
		number, err = giveNumber(ctx, tx, user)
		return err
	})
	return number, err
}

// giveNumber returns the number of a user within a transaction and keeps it. What stores of before format 10 knew of
// their users comes first: there the number of any whole number is that.
func giveNumber(ctx context.Context, tx *sql.Tx, user string) (number int64, err error) {
	err = tx.QueryRowContext(ctx, `SELECT number FROM user WHERE id = ?`, user).Scan(&number)
	if !errors.Is(err, sql.ErrNoRows) {
		return number, err
	}
	if err := saved.CheckUser(user); err != nil {
		return 0, err
	}
	number, own := saved.OwnNumber(user)
	if !own {
		if err := tx.QueryRowContext(ctx, `SELECT coalesce(max(number) + 1, ?1) FROM user WHERE number BETWEEN ?1 AND ?2`,
			saved.FirstUserNumber, lastUserNumber).Scan(&number); err != nil {
			return 0, err
		}
	}
	_, err = tx.ExecContext(ctx, `INSERT INTO user (number, id) VALUES (?, ?)`, number, user)
	return number, err
}

// lastUserNumber is where giving numbers ends: what is above it may have been anyone's when users were numbers.
const lastUserNumber = 1<<53 - 2
