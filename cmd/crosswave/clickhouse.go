package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
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
	return openShards(ctx, db, "--clickhouse", d.ClickHouse)
}

// passwordVariable is the environment variable of the servers' password, for what names none: others on the machine see
// what stands in a command line, and what is written into a file of settings is kept.
const passwordVariable = "CROSSWAVE_CLICKHOUSE_PASSWORD"

// openShards opens the servers that a flag names.
func openShards(ctx context.Context, db *sqlite.Store, flag, dsn string) (*clickhouse.Store, error) {
	config, err := clickhouse.ParseDSN(dsn)
	if err != nil {
		return nil, usage("%s: %v", flag, err)
	}
	if config.Password == "" {
		config.Password = os.Getenv(passwordVariable)
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
	Copy    clickhouseCopy    `cmd:"" help:"Move a store's respondents to ClickHouse; all else stays, also each figure."`
	Adopt   clickhouseAdopt   `cmd:"" help:"${adopt}"`
	Check   clickhouseCheck   `cmd:"" help:"${shardscheck}"`
	Convert clickhouseConvert `cmd:"" help:"${convert}"`
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
	To string `placeholder:"DSN" help:"Copy them from the servers that --clickhouse names to these, or to another table."`
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
	if c.To != "" {
		return c.further(ctx, m, db, shards, source)
	}
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

// further copies what is in ClickHouse to other servers, or into another table.
func (c *clickhouseCopy) further(ctx context.Context, m Main, db *sqlite.Store, from *clickhouse.Store,
	describer survey.Source) error {
	to, err := openShards(ctx, db, "--to", c.To)
	if err != nil {
		return err
	}
	defer to.Close()
	source, err := from.Source(ctx, describer)
	if err != nil {
		return err
	}
	defer source.Close()
	w := startProgress(m.Stderr, "copying "+c.DB)
	n, err := to.Take(ctx, source, w.imported)
	w.end()
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(m.Stdout, "%s respondents are in table %s; serve and import with what --to says from now on\n"+
		"table %s on the servers before is not asked any more, and can be dropped\n", grouped(float64(n), 0), to.Table(),
		from.Table())
	return err
}

type clickhouseConvert struct {
	database
	distributed
	To string `enum:"words,arrays" required:"" help:"${convertto}"`
}

func (c *clickhouseConvert) Run(ctx context.Context, m Main) error {
	db, shards, err := openBoth(ctx, c.database, c.distributed, "--clickhouse DSN says where the respondents are")
	if err != nil {
		return err
	}
	defer db.Close()
	defer shards.Close()
	to := clickhouse.Format(c.To)
	there, err := shards.Formats(ctx)
	if err != nil {
		return err
	}
	done, err := shards.Converted(ctx, to)
	if err != nil {
		return err
	}
	if done && there[to] > 0 {
		_, err := fmt.Fprintf(m.Stdout, "all %s respondents are in %s already\n", grouped(float64(there[to]), 0), to)
		return err
	}
	embedded, err := db.Source(ctx)
	if err != nil {
		return err
	}
	defer embedded.Close()
	source, err := shards.Source(ctx, embedded)
	if err != nil {
		return err
	}
	defer source.Close()
	w := startProgress(m.Stderr, "converting "+c.DB)
	n, err := shards.Convert(ctx, source, to, w.imported)
	w.end()
	if err != nil {
		return err
	}
	also := ""
	if to != clickhouse.Words { // which imports choose by themselves
		also = fmt.Sprintf("; name format=%s in the DSN to import so, too", to)
	}
	_, err = fmt.Fprintf(m.Stdout, "%s respondents are in %s%s\n", grouped(float64(n), 0), to, also)
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

type clickhouseCheck struct {
	database
	distributed
	JSON bool `name:"json" help:"Write the report as JSON."`
}

func (c *clickhouseCheck) Run(ctx context.Context, m Main) error {
	if c.ClickHouse == "" {
		return usage("--clickhouse DSN says which servers to check")
	}
	db, err := openStore(ctx, c.DB, sqlite.Config{ReadOnly: true})
	if err != nil {
		return err
	}
	defer db.Close()
	shards, err := c.with(ctx, db)
	if err != nil {
		return err
	}
	defer shards.Close()
	found, err := shards.Check(ctx)
	if err != nil {
		return err
	}
	if c.JSON {
		err = printJSON(m.Stdout, found)
	} else {
		err = writeInventory(found, m.Stdout)
	}
	if err == nil && len(found.Faults) > 0 {
		err = errAnswered
	}
	return err
}

// writeInventory prints what each server has of each wave, and what is wrong a line each.
func writeInventory(found *clickhouse.Inventory, out io.Writer) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(w, "WAVE\tPUBLISHED\tFOUND\t")
	for _, address := range found.Servers {
		fmt.Fprint(w, address, "\t")
	}
	fmt.Fprintln(w)
	for _, k := range found.Waves {
		fmt.Fprintf(w, "%s\t%s\t%s\t", plain(k.Wave), grouped(float64(k.Published), 0), grouped(float64(k.Found), 0))
		for _, n := range k.By {
			fmt.Fprintf(w, "%s\t", grouped(float64(n), 0))
		}
		fmt.Fprintln(w)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	if found.Others > 0 {
		fmt.Fprintf(out, "%s respondents are of imports under way, or left by some that were killed\n",
			grouped(float64(found.Others), 0))
	}
	for _, fault := range found.Faults {
		fmt.Fprintln(out, "wrong:", plain(fault))
	}
	if len(found.Faults) == 0 {
		fmt.Fprintln(out, "Questions find all respondents.")
	}
	return nil
}
