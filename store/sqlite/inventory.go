package sqlite

import (
	"context"
	"database/sql"
)

// inventoried are the tables of sealed rows whose rows an inventory is kept of, by triggers of the schema, and what one
// of their rows is called.
func inventoried() [][2]string {
	return [][2]string{{"user", "users"}, {"key", "keys"}, {"replaced", "replaced secrets"}, {"saved", "saved audiences"},
		{"folder", "folders"}, {"derived", "derived questions"}, {"insight", "insights"}, {"generic", "generic insights"}}
}

// checkInventory finds tables that have not all the rows that were put into them, or others. A seal tells of its row
// only while that is there.
func checkInventory(ctx context.Context, tx *sql.Tx, r *CheckReport) error {
	for _, table := range inventoried() {
		var rows, seals, wasRows, wasSeals int64
		var sound bool
		err := tx.QueryRowContext(ctx, `SELECT count(*), coalesce(sum(seal), 0) FROM `+table[0]).Scan(&rows, &seals)
		if err != nil {
			return err
		}
		list, err := collect(ctx, tx, func(scan func(...any) error) (none struct{}, err error) {
			return none, scan(&wasRows, &wasSeals, &sound)
		}, `SELECT v.rows, v.seals, v.seal = `+inventorySeal+` FROM inventory v WHERE v.name = ?`, table[0])
		if err != nil {
			return err
		}
		switch {
		case len(list) == 0 || !sound:
			r.damaged("the inventory of %s", table[1])
		case rows != wasRows:
			r.damaged("%s: %d were put in, and %d are there", table[1], wasRows, rows)
		case seals != wasSeals:
			r.damaged("%s: they are not those that were put in", table[1])
		}
	}
	return nil
}
