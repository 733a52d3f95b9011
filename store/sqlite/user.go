package sqlite

import (
	"context"
	"database/sql"
	"fmt"

	"github.com/crosswave/crosswave/saved"
)

// UserNumber returns the number of a user, and gives it if this is the first that is heard of them.
func (s *Store) UserNumber(ctx context.Context, user string) (number int64, err error) {
	number, known, err := findUser(ctx, s.read, user)
	if known || err != nil {
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

// findUser returns the number of a user, if they have one.
func findUser(ctx context.Context, q querier, user string) (number int64, known bool, err error) {
	_, err = collect(ctx, q, func(scan func(...any) error) (struct{}, error) {
		var n int64
		var id string
		var sound bool
		err := scan(&n, &id, &sound)
		if err == nil && !sound {
			err = &DamagedError{fmt.Sprintf("user %d", n)}
		}
		if err == nil && id == user {
			number, known = n, true
		}
		return struct{}{}, err
	}, `SELECT u.number, u.id, u.seal = `+userSeal+` FROM user u WHERE u.id = ?1 OR u.again = rowseal(?1)`,
		user)
	return number, known && err == nil, err
}

// giveNumber returns the number of a user within a transaction and keeps it. What stores of before format 10 knew of
// their users comes first: there the number of any whole number is that.
func giveNumber(ctx context.Context, tx *sql.Tx, user string) (number int64, err error) {
	number, known, err := findUser(ctx, tx, user)
	if known || err != nil {
		return number, err
	}
	if err := saved.CheckUser(user); err != nil {
		return 0, err
	}
	number, own := saved.OwnNumber(user)
	if !own {
		// A number that records have is given, though the row that says to whom may be damaged.
		err := tx.QueryRowContext(ctx, `SELECT coalesce(max(number) + 1, ?1) FROM (
			SELECT max(number) AS number FROM user WHERE number BETWEEN ?1 AND ?2
			UNION ALL SELECT max(user) FROM saved WHERE user BETWEEN ?1 AND ?2
			UNION ALL SELECT max(user) FROM derived WHERE user BETWEEN ?1 AND ?2
			UNION ALL SELECT max(user) FROM key WHERE user BETWEEN ?1 AND ?2)`, saved.FirstUserNumber,
			lastUserNumber).Scan(&number)
		if err != nil {
			return 0, err
		}
	}
	_, err = tx.ExecContext(ctx, `INSERT INTO user (number, id, again) VALUES (?1, ?2, rowseal(?2))`, number, user)
	if err == nil {
		_, err = tx.ExecContext(ctx, sealUser+` WHERE u.number = ?`, number)
	}
	return number, err
}

// lastUserNumber is where giving numbers ends: what is above it may have been anyone's when users were numbers.
const lastUserNumber = 1<<53 - 2
