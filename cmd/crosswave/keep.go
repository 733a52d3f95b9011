package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"

	"github.com/crosswave/crosswave/store/sqlite"
)

type backupCommand struct {
	database
	Out       string `arg:"" help:"${backupout}"`
	Overwrite bool   `help:"Replace a file that is there."`
	JSON      bool   `name:"json" help:"Write the report as JSON."`
}

func (c *backupCommand) Run(ctx context.Context, m Main) error {
	db, err := openStore(ctx, c.DB, sqlite.Config{ReadOnly: true})
	if err != nil {
		return err
	}
	defer db.Close()
	done, err := db.Backup(ctx, c.Out, c.Overwrite)
	if err != nil {
		return overwriting(err)
	}
	if c.JSON {
		return printJSON(m.Stdout, done)
	}
	// As sha256sum writes it, and reads it.
	if _, err := fmt.Fprintf(m.Stdout, "%s  %s\n", done.SHA256, c.Out); err != nil {
		return err
	}
	fmt.Fprintf(m.Stderr, "backed up: %s bytes. %s\n", grouped(float64(done.Bytes), 0), looked(done.Check))
	return nil
}

// overwriting says how a file that is in the way is overwritten.
func overwriting(err error) error {
	if errors.Is(err, fs.ErrExist) {
		return usage("%v: --overwrite replaces it", err)
	}
	return err
}

type restoreCommand struct {
	database
	Backup    string `arg:"" help:"The backup."`
	SHA256    string `name:"sha256" placeholder:"HEX" help:"${backupsum}"`
	Overwrite bool   `help:"Replace the store that is there, which nobody may have open."`
}

func (c *restoreCommand) Run(ctx context.Context, m Main) error {
	done, err := sqlite.Restore(ctx, c.Backup, c.DB, c.SHA256, c.Overwrite)
	if err != nil {
		return overwriting(err)
	}
	fmt.Fprintf(m.Stderr, "%s is put back. %s\n", c.DB, looked(done.Check))
	return nil
}

type checkCommand struct {
	database
	Cells int  `default:"256" help:"${cells}"`
	JSON  bool `name:"json" help:"Write the report as JSON."`
}

func (c *checkCommand) Run(ctx context.Context, m Main) error {
	if c.Cells < 0 {
		return usage("--cells %d is less than none", c.Cells)
	}
	db, err := openStore(ctx, c.DB, sqlite.Config{ReadOnly: true})
	if err != nil {
		return err
	}
	defer db.Close()
	cells := c.Cells
	if cells == 0 {
		cells = -1
	}
	found, err := db.Check(ctx, sqlite.CheckOptions{Cells: cells})
	if err != nil {
		return err
	}
	if c.JSON {
		err = printJSON(m.Stdout, found)
	} else {
		err = writeCheck(found, m.Stdout)
	}
	if err == nil && len(found.Damages) > 0 {
		err = errAnswered
	}
	return err
}

// writeCheck writes what was checked, and what is damaged a line each.
func writeCheck(r *sqlite.CheckReport, out io.Writer) error {
	text := looked(r) + "\n"
	for _, damage := range r.Damages {
		text += "damaged: " + plain(damage) + "\n"
	}
	if len(r.Damages) > 0 {
		text += "Restore the store from a backup, or import it again.\n"
	} else {
		text += "Nothing is damaged.\n"
	}
	for _, question := range r.Unusable {
		text += "not usable: " + plain(question) + "\n"
	}
	_, err := io.WriteString(out, text)
	return err
}

// looked tells what a check looked at.
func looked(r *sqlite.CheckReport) string {
	count := func(n int64) string { return grouped(float64(n), 0) }
	text := fmt.Sprintf("Checked version %d: the file's structure, %s records, ", r.Version, count(r.Rows))
	if r.Elsewhere {
		return text + "and no respondents, as they are in ClickHouse."
	}
	return text + fmt.Sprintf("%s respondents in %s chunks with %s checksums, and %s cells counted once more.",
		count(r.Respondents), count(r.Chunks), count(r.Blobs), count(r.Cells))
}

type compactCommand struct {
	database
	JSON bool `name:"json" help:"Write the report as JSON."`
}

func (c *compactCommand) Run(ctx context.Context, m Main) error {
	db, err := c.open(ctx)
	if err != nil {
		return err
	}
	defer db.Close()
	done, err := db.Compact(ctx)
	if err != nil {
		return err
	}
	if c.JSON {
		return printJSON(m.Stdout, done)
	}
	_, err = fmt.Fprintf(m.Stdout, "%s bytes before, %s after\n", grouped(float64(done.Before), 0),
		grouped(float64(done.After), 0))
	return err
}

type respondentCommand struct {
	Remove respondentRemove `cmd:"" help:"Remove whoever has an id, from every wave and from the file."`
}

type respondentRemove struct {
	database
	ID   string `arg:"" help:"${respondentid}"`
	JSON bool   `name:"json" help:"Write the report as JSON."`
}

func (c *respondentRemove) Run(ctx context.Context, m Main) error {
	db, err := c.open(ctx)
	if err != nil {
		return err
	}
	defer db.Close()
	done, err := db.RemoveRespondent(ctx, c.ID)
	if done != nil && len(done.Unknown) > 0 {
		fmt.Fprintf(m.Stderr, "crosswave: ids are not known of respondents of %s, which came in before fingerprints of ids "+
			"were kept: import these waves again to look through them\n", plain(strings.Join(done.Unknown, ", ")))
	}
	if err != nil {
		return err
	}
	if c.JSON {
		return printJSON(m.Stdout, done)
	}
	_, err = fmt.Fprintf(m.Stdout, "%s removed, of %s. Backups and survey files still have them.\n",
		grouped(float64(done.Removed), 0), plain(strings.Join(done.Waves, ", ")))
	return err
}
