package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/crosswave/crosswave/store/formats"
	"github.com/crosswave/crosswave/store/sqlite"
	"github.com/crosswave/crosswave/store/survey"
)

type exportCommand struct {
	database
	distributed
	readOnly
	Out   string `arg:"" help:"Where to: NAME.sav, NAME.zsav, NAME.sss (Triple-S) or NAME.csv."`
	Force bool   `help:"Replace files that are there."`
}

func (c *exportCommand) Run(ctx context.Context, m Main) error {
	db, err := c.openStore(ctx, c.DB, m)
	if err != nil {
		return err
	}
	defer db.Close()
	source, closeSource, err := c.source(ctx, db)
	if err != nil {
		return err
	}
	defer closeSource()
	questions, err := shared(ctx, db)
	if err != nil {
		return err
	}
	w := startProgress(m.Stderr, "writing "+c.Out)
	defer w.end()
	done, err := formats.Export(ctx, source, c.Out, formats.ExportOptions{Overwrite: c.Force, Derived: questions,
		Progress: func(respondents int64) { w.imported(survey.Progress{Respondents: respondents}) }})
	if err != nil {
		return err
	}
	w.end()
	fmt.Fprintf(m.Stdout, "%s respondents exported to\n", grouped(float64(done.Respondents), 0))
	for _, name := range done.Files {
		fmt.Fprintf(m.Stdout, "  %s\n", name)
	}
	for _, note := range done.Notes {
		fmt.Fprintf(m.Stdout, "- %s\n", note)
	}
	return nil
}

// source reads the respondents back from where they are.
func (c *exportCommand) source(ctx context.Context, db *sqlite.Store) (_ survey.Source, closeSource func() error,
	err error) {
	release, err := db.Release(ctx)
	if err != nil {
		return nil, nil, err
	}
	embedded, err := db.Source(ctx)
	if err != nil {
		return nil, nil, err
	}
	switch {
	case release.Engine == nil:
		return embedded, embedded.Close, nil
	case c.ClickHouse == "":
		return nil, nil, errors.Join(errors.New("the store's respondents are in ClickHouse: name the servers with "+
			"--clickhouse"), embedded.Close())
	}
	shards, err := c.with(ctx, db)
	if err != nil {
		return nil, nil, errors.Join(err, embedded.Close())
	}
	source, err := shards.Source(ctx, embedded)
	if err != nil {
		return nil, nil, errors.Join(err, shards.Close(), embedded.Close())
	}
	return source, func() error { return errors.Join(source.Close(), shards.Close(), embedded.Close()) }, nil
}
