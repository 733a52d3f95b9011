package main

import (
	"context"
	"fmt"
	"io"
	"os"

	"github.com/crosswave/crosswave/store/survey"
)

type codebookCommand struct {
	Show  codebookShow  `cmd:"" help:"Write what a store says about its survey as JSON, to be edited."`
	Apply codebookApply `cmd:"" help:"${applycodebook}"`
}

type codebookShow struct {
	database
	readOnly
}

// Run writes the codebook of a store.
func (c *codebookShow) Run(ctx context.Context, m Main) error {
	db, err := c.openStore(ctx, c.DB, m)
	if err != nil {
		return err
	}
	defer db.Close()
	frame, err := db.Frame(ctx)
	if err != nil {
		return err
	}
	if frame.Version == 0 {
		return fmt.Errorf("%s holds no survey yet", c.DB)
	}
	questions, err := shared(ctx, db)
	if err != nil {
		return err
	}
	text, err := survey.WriteRecords(frame.Survey, questions...)
	if err != nil {
		return err
	}
	_, err = m.Stdout.Write(text)
	return err
}

type codebookApply struct {
	database
	distributed
	File string `arg:"" help:"What crosswave codebook show has written, edited; - for standard input."`
}

// Run publishes the names, texts and order of a codebook.
func (c *codebookApply) Run(ctx context.Context, m Main) error {
	text, err := c.read(m.Stdin)
	if err != nil {
		return err
	}
	to, err := survey.ReadRecords(text)
	if err != nil {
		return fmt.Errorf("%s: %w", c.File, err)
	}
	questions, err := survey.ReadDerived(text)
	if err != nil {
		return fmt.Errorf("%s: %w", c.File, err)
	}
	db, err := c.open(ctx)
	if err != nil {
		return err
	}
	defer db.Close()
	store, err := c.keeper(ctx, db)
	if err != nil {
		return err
	}
	version, changes, err := survey.Relabel(ctx, store, to)
	if err != nil {
		return fmt.Errorf("nothing was changed: %s: %w", c.File, err)
	}
	if len(changes) == 0 {
		fmt.Fprintf(m.Stdout, "Nothing differs: the store stays at version %d.\n", version)
		return bring(ctx, db, questions, m.Stdout)
	}
	fmt.Fprintf(m.Stdout, "The store is at version %d. Changed, and no figure with it:\n", version)
	const most = 20
	for i, change := range changes {
		if i == most {
			fmt.Fprintf(m.Stdout, "  and %d more\n", len(changes)-most)
			break
		}
		fmt.Fprintf(m.Stdout, "  %s\n", change)
	}
	return bring(ctx, db, questions, m.Stdout)
}

func (c *codebookApply) read(stdin io.Reader) ([]byte, error) {
	if c.File == "-" {
		return io.ReadAll(stdin)
	}
	return os.ReadFile(c.File)
}
