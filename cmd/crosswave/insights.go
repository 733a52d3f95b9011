package main

import (
	"context"
	"fmt"
	"os"

	"github.com/crosswave/crosswave/insights"
)

type insightsCommand struct {
	Import insightsImport `cmd:"" help:"Put the insights of a file into a store."`
}

type insightsImport struct {
	database
	File    string `arg:"" help:"The insights file."`
	Replace bool   `help:"Remove what the store holds and the file does not."`
}

func (c *insightsImport) Run(ctx context.Context, m Main) error {
	text, err := os.ReadFile(c.File)
	if err != nil {
		return err
	}
	file, err := insights.Read(text)
	if err != nil {
		return fmt.Errorf("%s: %w", c.File, err)
	}
	db, err := c.open(ctx)
	if err != nil {
		return err
	}
	defer db.Close()
	frame, err := db.Frame(ctx)
	if err != nil {
		return err
	}
	if err := file.Check(frame); err != nil {
		fmt.Fprintf(m.Stderr, "crosswave: these insights can't be explored for now:\n%v\n", err)
	}
	if err := db.PutInsights(ctx, file, c.Replace); err != nil {
		return err
	}
	fmt.Fprintf(m.Stderr, "%d insights and %d generic insights are in\n", len(file.Insights), len(file.Generic))
	return nil
}
