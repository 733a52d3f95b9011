package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strconv"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/store/sqlite"
)

type inspectCommand struct {
	DB        string `name:"db" env:"CROSSWAVE_DB" placeholder:"FILE" help:"The store to show."`
	Questions bool   `help:"List every datapoint of every question of the store, too."`
	File      string `arg:"" optional:"" help:"A survey file, to show how it would be read."`
	reading
	distributed
	readOnly
	Codebook string `placeholder:"OUT.json" help:"${writecodebook}"`
	HTML     string `name:"html" placeholder:"OUT.html" help:"${page}"`
	Force    bool   `help:"Replace the codebook or the page if it is there."`
}

func (c *inspectCommand) Run(ctx context.Context, m Main) error {
	if c.DB == "" && c.File != "" && isStore(c.File) {
		c.DB, c.File = c.File, ""
	}
	if c.File != "" && c.DB == os.Getenv("CROSSWAVE_DB") {
		c.DB = "" // which is there for other commands; a file is named for this one
	}
	if (c.DB == "") == (c.File == "") {
		return usage("give a store with --db, or a survey file")
	}
	if c.File != "" {
		return c.inspectFile(ctx, m)
	}
	db, err := c.openStore(ctx, c.DB, m)
	if err != nil {
		return err
	}
	defer db.Close()
	f, err := db.Frame(ctx)
	if err != nil {
		return err
	}
	fmt.Fprintf(m.Stdout, "%s: version %d\n\n", c.DB, f.Version)
	if err := inspectWarnings(ctx, db, m.Stdout); err != nil {
		return err
	}
	shards, err := c.with(ctx, db)
	if err != nil {
		return err
	}
	var store audience.Store = db
	if shards != nil {
		defer shards.Close()
		if err := inspectShards(ctx, shards, m.Stdout); err != nil {
			return err
		}
		store = audience.Pair(db, shards)
	}
	if err := inspectFieldwork(ctx, store, f, m.Stdout); err != nil {
		return err
	}
	if err := inspectQuestions(ctx, store, f, c.Questions, m.Stdout); err != nil {
		return err
	}
	return inspectEngine(ctx, db, m.Stdout)
}

// inspectWarnings prints what of the store will mislead, if anything will.
func inspectWarnings(ctx context.Context, db *sqlite.Store, out io.Writer) error {
	release, err := db.Release(ctx)
	if err != nil {
		return err
	}
	if warnings := release.Warnings(); len(warnings) > 0 {
		_, err = fmt.Fprintf(out, "%s\n", warnings)
	}
	return err
}

// inspectFieldwork prints, for each namespace, who was asked when and where: respondents and people.
func inspectFieldwork(ctx context.Context, db audience.Store, f *audience.Frame, out io.Writer) error {
	for n, ns := range f.Namespaces {
		base := ""
		if ns.Base != "" {
			base = ", built on " + ns.Base
		}
		fmt.Fprintf(out, "namespace %s%s: %s; weights in units of 10^%d people\n", ns.Code, base, ns.Name, -f.Decimals(n))
		waves, err := tabulateWaves(ctx, db, n)
		if err != nil {
			return err
		}
		rows := [][]string{{"wave", "locations", "respondents", "people"}}
		for i, wave := range f.Waves {
			if cell := waves.Cell(0, i+1); cell.Base.Sample > 0 {
				rows = append(rows, []string{wave.Code, strconv.Itoa(cell.Cover.Len()), grouped(float64(cell.Base.Sample), 0),
					people(cell.Base.Size)})
			}
		}
		if _, err := fmt.Fprintln(out, listed(rows, 0)); err != nil {
			return err
		}
	}
	return nil
}

// tabulateWaves measures everyone of a namespace, wave by wave.
func tabulateWaves(ctx context.Context, db audience.Store, namespace int) (*audience.Crosstab, error) {
	tabs, err := audience.Tabulate(ctx, db, func(f *audience.Frame) ([]audience.Spec, error) {
		spec := audience.Spec{Namespace: f.Namespaces[namespace].Code}
		for _, w := range f.Waves {
			spec.Columns = append(spec.Columns, audience.Waves{Codes: []string{w.Code}})
		}
		return []audience.Spec{spec}, nil
	})
	if err != nil {
		return nil, err
	}
	return tabs[0], nil
}

// inspectEngine prints what the store takes on disk, and what of it was held in memory to print the above.
func inspectEngine(ctx context.Context, db *sqlite.Store, out io.Writer) error {
	st, err := db.Stats(ctx)
	if err != nil {
		return err
	}
	mib := func(bytes int64) string { return grouped(float64(bytes)/(1<<20), 1) + " MiB" }
	_, err = fmt.Fprintf(out, "\n%s respondents in %d chunks of %s columns, %s on disk (%s of it free)\ncounted by "+
		"%s on %d threads; %s of columns in memory, %s at the most\n",
		grouped(float64(st.Respondents), 0), st.Chunks, grouped(float64(st.Columns), 0), mib(st.FileBytes),
		mib(st.FreeBytes), st.Kernel, st.Threads, mib(st.Cache.Bytes), mib(st.Cache.Most))
	return err
}

func printJSON(out io.Writer, v any) error {
	e := json.NewEncoder(out)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(v)
}
