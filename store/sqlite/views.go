package sqlite

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"sync"
	"sync/atomic"

	"modernc.org/sqlite"
)

// views lets blobs be read where SQLite holds them. What comes out of a query the ordinary way is copied once by the
// driver, to be copied again into what a column is in memory; a SQL function sees the page itself. So columns are read
// by statements of the form
//
//	SELECT count(take(?1, id, data)) FROM …
//
// in which take hands id and data to whoever the first parameter stands for.
type views struct {
	next    atomic.Int64
	running sync.Map // *view by its number: threads that look theirs up should not wait for each other
}

// view is one statement that runs.
type view struct {
	take func(id int64, data []byte) error
	err  error
}

// driver returns a driver whose connections know take and rowseal. It must not hold on to the store: the package keeps
// functions for as long as the program runs.
func (v *views) driver() (*sqlite.Driver, error) {
	d := &sqlite.Driver{}
	if err := registerRowseal(d); err != nil {
		return nil, err
	}
	return d, d.RegisterFunction("take", &sqlite.FunctionImpl{NArgs: 3, Scalar: v.take, VolatileArgs: true})
}

func (v *views) take(_ *sqlite.FunctionContext, args []driver.Value) (driver.Value, error) {
	number, _ := args[0].(int64)
	known, _ := v.running.Load(number)
	r, ok := known.(*view)
	if !ok {
		return nil, errors.New("take is only for the store's own statements")
	}
	id, _ := args[1].(int64)
	if data, ok := args[2].([]byte); !ok {
		r.err = &DamagedError{"a blob that is none"}
	} else {
		r.err = r.take(id, data)
	}
	return int64(1), r.err
}

// each runs a statement whose first parameter is take's and calls take for each row; an error ends it and is returned.
// What take is given is good until it returns. The statement runs to its end whatever becomes of ctx, as giving one up
// costs a connection.
func (v *views) each(ctx context.Context, stmt *sql.Stmt, take func(id int64, data []byte) error, args ...any) error {
	r := &view{take: take}
	number := v.next.Add(1)
	v.running.Store(number, r)
	defer v.running.Delete(number)
	var n int64
	err := stmt.QueryRowContext(context.WithoutCancel(ctx), append([]any{number}, args...)...).Scan(&n)
	if r.err != nil {
		return r.err
	}
	return err
}

// querier is a pool or a transaction.
type querier interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

// collect returns what scan makes of each row of a query.
func collect[T any](ctx context.Context, q querier, scan func(scan func(...any) error) (T, error), query string,
	args ...any) (list []T, err error) {
	rows, err := q.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		x, err := scan(rows.Scan)
		if err != nil {
			return nil, err
		}
		list = append(list, x)
	}
	return list, rows.Err()
}

func scanID(scan func(...any) error) (id int64, err error) {
	err = scan(&id)
	return id, err
}

// connector opens connections of a driver.
type connector struct {
	driver *sqlite.Driver
	dsn    string
}

func (c connector) Connect(ctx context.Context) (driver.Conn, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return c.driver.Open(c.dsn)
}

func (c connector) Driver() driver.Driver { return c.driver }
