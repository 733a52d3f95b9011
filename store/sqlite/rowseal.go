package sqlite

import (
	"context"
	"database/sql/driver"
	"encoding/binary"
	"fmt"
	"math"

	"modernc.org/sqlite"

	"github.com/crosswave/crosswave/internal/castagnoli"
)

// Rows that are no blobs (keys, users, folders, saved audiences, insights, …) are sealed by a column: rowseal over the
// table's name and the values of all other columns, which whoever reads the row forms anew. What a row is found by
// stands in it twice, the second time as its rowseal in the column again or as a copy, each with an index, and rows
// are looked for by both: one that changed is found by the other, and its seal tells.

// The seals of the tables' rows, as SQL, under the names that statements give the tables. Texts are sealed as bytes,
// since a function gets a text up to its first zero byte only.
const (
	userSeal = `rowseal('user', u.number, CAST(u.id AS BLOB), u.again)`
	keySeal  = `rowseal('key', k.id, CAST(k.name AS BLOB), k.user, k.hash, CAST(k.allowed AS BLOB), k.created, k.expires,
		k.revoked, k.again)`
	savedSeal = `rowseal('saved', s.v1, CAST(s.id AS BLOB), s.user, CAST(s.name AS BLOB), CAST(s.description AS BLOB),
		CAST(s.expression AS BLOB), CAST(s.datasets AS BLOB), s.datasets_set, CAST(s.flags AS BLOB), s.folder, s.position,
		s.shared, s.created, s.updated, s.version, s.again, s.user_again, s.shared_again)`
	folderSeal  = `rowseal('folder', f.v1, f.user, CAST(f.id AS BLOB), f.user_again)`
	derivedSeal = `rowseal('derived', d.id, CAST(d.code AS BLOB), d.user, CAST(d.namespace AS BLOB), CAST(d.name AS BLOB),
		CAST(d.description AS BLOB), CAST(d.datapoints AS BLOB), d.shared, d.created, d.updated, d.version, d.again,
		d.user_again, d.shared_again)`
	insightSeal = `rowseal('insight', i.id, CAST(i.record AS BLOB))`
	genericSeal = `rowseal('generic', CAST(g.id AS BLOB), CAST(g.record AS BLOB))`

	replacedSeal  = `rowseal('replaced', r.id, r.key, r.hash, r.until, r.again)`
	usedSeal      = `rowseal('used', d.key, d.hour)`
	inventorySeal = `rowseal('inventory', CAST(v.name AS BLOB), v.rows, v.seals)`
)

// The statements that seal rows; what follows says which.
const (
	sealUser    = `UPDATE user AS u SET seal = ` + userSeal
	sealKey     = `UPDATE key AS k SET seal = ` + keySeal
	sealSaved   = `UPDATE saved AS s SET seal = ` + savedSeal
	sealFolder  = `UPDATE folder AS f SET seal = ` + folderSeal
	sealDerived = `UPDATE derived AS d SET seal = ` + derivedSeal
	sealInsight = `UPDATE insight AS i SET seal = ` + insightSeal
	sealGeneric = `UPDATE generic AS g SET seal = ` + genericSeal

	sealReplaced = `UPDATE replaced AS r SET seal = ` + replacedSeal
)

// registerRowseal gives the connections of a driver the SQL function rowseal(name, value, …): the CRC-32C of its
// arguments, each with its type and length, so that no two rows have the same bytes.
func registerRowseal(d *sqlite.Driver) error {
	return d.RegisterFunction("rowseal", &sqlite.FunctionImpl{NArgs: -1, Deterministic: true, Scalar: rowseal})
}

func rowseal(_ *sqlite.FunctionContext, values []driver.Value) (driver.Value, error) {
	sum := uint32(0)
	for _, value := range values {
		var head [9]byte
		var text []byte
		number := uint64(0)
		switch v := value.(type) {
		case nil:
			head[0] = 'n'
		case int64:
			head[0], number = 'i', uint64(v)
		case float64:
			head[0], number = 'f', math.Float64bits(v)
		case string:
			head[0], number, text = 't', uint64(len(v)), []byte(v)
		case []byte:
			head[0], number, text = 'b', uint64(len(v)), v
		default:
			return nil, fmt.Errorf("rowseal of a %T", value)
		}
		binary.LittleEndian.PutUint64(head[1:], number)
		sum = castagnoli.Update(castagnoli.Update(sum, head[:]), text)
	}
	return int64(sum), nil
}

// allSound is a DamagedError if the query, which selects what rows are called that are not as they were sealed,
// finds any: it names the first. It is for where something is not there, in tables that are short.
func allSound(ctx context.Context, q querier, what, query string, args ...any) error {
	names, err := collect(ctx, q, func(scan func(...any) error) (name string, err error) {
		err = scan(&name)
		return name, err
	}, query, args...)
	if err == nil && len(names) > 0 {
		err = &DamagedError{what + " " + names[0]}
	}
	return err
}
