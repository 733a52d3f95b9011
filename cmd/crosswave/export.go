package main

import (
	"context"
	"fmt"

	"github.com/crosswave/crosswave/store/survey/files"
)

type exportCommand struct {
	database
	Out   string `arg:"" help:"Where to: NAME.sav, NAME.zsav, NAME.sss (Triple-S) or NAME.csv."`
	Force bool   `help:"Replace files that are there."`
}

func (c *exportCommand) Run(ctx context.Context, m Main) error {
	db, err := c.open(ctx)
	if err != nil {
		return err
	}
	defer db.Close()
	source, err := db.Source(ctx)
	if err != nil {
		return err
	}
	defer source.Close()
	done, err := files.Export(ctx, source, c.Out, files.ExportOptions{Overwrite: c.Force})
	if err != nil {
		return err
	}
	fmt.Fprintf(m.Stdout, "%s respondents exported to\n", grouped(float64(done.Respondents), 0))
	for _, name := range done.Files {
		fmt.Fprintf(m.Stdout, "  %s\n", name)
	}
	for _, note := range done.Notes {
		fmt.Fprintf(m.Stdout, "- %s\n", note)
	}
	return nil
}
