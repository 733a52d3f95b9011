package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/crosswave/crosswave/store/clickhouse"
	"github.com/crosswave/crosswave/store/sqlite"
	"github.com/crosswave/crosswave/store/survey"
)

// distributed is the flag that names the servers on which a store's respondents are kept.
type distributed struct {
	ClickHouse string `name:"clickhouse" env:"CROSSWAVE_CLICKHOUSE" placeholder:"DSN" help:"${clickhouse}"`
}

// with opens the servers for a store; nil if none are named.
func (d distributed) with(ctx context.Context, db *sqlite.Store) (*clickhouse.Store, error) {
	if d.ClickHouse == "" {
		return nil, nil
	}
	config, err := clickhouse.ParseDSN(d.ClickHouse)
	if err != nil {
		return nil, usage("--clickhouse: %v", err)
	}
	return clickhouse.Open(ctx, db, config)
}

// keeper is what takes a store's respondents in. Its connections end with the program.
func (d distributed) keeper(ctx context.Context, db *sqlite.Store) (survey.Store, error) {
	shards, err := d.with(ctx, db)
	if err != nil || shards == nil {
		return db, err
	}
	return shards, nil
}

// shardsReady tells whether all servers answer.
func shardsReady(s *clickhouse.Store) func(context.Context) error {
	return func(ctx context.Context) error {
		var errs []error
		for _, h := range s.Health(ctx) {
			errs = append(errs, h.Err)
		}
		return errors.Join(errs...)
	}
}

// inspectShards prints the state of each server.
func inspectShards(ctx context.Context, s *clickhouse.Store, out io.Writer) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "SHARD\tRESPONDENTS\tMIB\tSTATE")
	for _, h := range s.Health(ctx) {
		state := "ClickHouse " + h.Version
		if h.Err != nil {
			state = h.Err.Error()
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", h.Address, grouped(float64(h.Rows), 0), grouped(float64(h.Bytes)/(1<<20), 1),
			state)
	}
	fmt.Fprintln(w)
	return w.Flush()
}

type clickhouseCommand struct {
	Copy  clickhouseCopy  `cmd:"" help:"Move a store's respondents to ClickHouse; all else stays, and no figure changes."`
	Adopt clickhouseAdopt `cmd:"" help:"${adopt}"`
}

// openBoth opens a store and the servers that hold its respondents, or are to hold them. A flag that is not there is a
// usage error that says what for.
func openBoth(ctx context.Context, d database, servers distributed, why string) (*sqlite.Store,
	*clickhouse.Store, error) {
	if servers.ClickHouse == "" {
		return nil, nil, usage("%s", why)
	}
	db, err := d.open(ctx)
	if err != nil {
		return nil, nil, err
	}
	shards, err := servers.with(ctx, db)
	if err != nil {
		return nil, nil, errors.Join(err, db.Close())
	}
	return db, shards, nil
}

type clickhouseCopy struct {
	database
	distributed
}

func (c *clickhouseCopy) Run(ctx context.Context, m Main) error {
	db, shards, err := openBoth(ctx, c.database, c.distributed, "--clickhouse DSN says where to")
	if err != nil {
		return err
	}
	defer db.Close()
	defer shards.Close()
	source, err := db.Source(ctx)
	if err != nil {
		return err
	}
	defer source.Close()
	w := startProgress(m.Stderr, "copying "+c.DB)
	n, err := shards.Move(ctx, source, w.imported)
	w.end()
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(m.Stdout, "%s respondents are in ClickHouse; serve and import with --clickhouse from now on\n",
		grouped(float64(n), 0))
	return err
}

type clickhouseAdopt struct {
	database
	distributed
	RemoveOthers bool `help:"Also remove all respondents in the table that are not this store's."`
}

func (c *clickhouseAdopt) Run(ctx context.Context, m Main) error {
	db, shards, err := openBoth(ctx, c.database, c.distributed, "--clickhouse DSN says where the table is")
	if err != nil {
		return err
	}
	defer db.Close()
	defer shards.Close()
	id, err := db.ID(ctx)
	if err != nil {
		return err
	}
	done, err := shards.Adopt(ctx, c.RemoveOthers)
	if err != nil {
		return err
	}
	var before []string
	for _, store := range done.Stores {
		if store == id {
			store = "this store, or another copy of it"
		}
		before = append(before, store)
	}
	if len(before) == 0 {
		before = []string{"nobody"}
	}
	others := "they stay, and --remove-others removes them"
	if c.RemoveOthers {
		others = "they were removed"
	}
	fmt.Fprintf(m.Stdout, "table %s is this store's (%s) from now on; it was that of %s\n"+
		"any other store or copy that imports into it is refused; what it has published can be asked while it is there\n"+
		"%s respondents in the table are this store's\n", shards.Table(), id, strings.Join(before, ", "),
		grouped(float64(done.Respondents), 0))
	if done.Others > 0 {
		fmt.Fprintf(m.Stdout, "%s are of imports that this store does not know of: %s\n", grouped(float64(done.Others), 0),
			others)
	}
	if done.Missing != nil {
		fmt.Fprintln(m.Stdout, done.Missing)
	}
	return nil
}
