package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/store/sqlite"
	"github.com/crosswave/crosswave/store/survey"
)

// store opens the store to serve. A survey file is imported first if the store is new, and then there is a first key,
// whose secret is returned.
func (c *serveCommand) store(ctx context.Context, m Main) (*sqlite.Store, string, error) {
	if c.File != "" && c.DB == "" && isStore(c.File) {
		c.DB, c.File = c.File, ""
	}
	switch {
	case c.File == "" && c.DB == "":
		return nil, "", usage("give a store with --db, or a survey file")
	case c.File == "":
		db, err := database{c.DB}.open(ctx)
		return db, "", err
	case c.DB == "":
		c.DB = c.File + ".db"
	}
	file, err := os.Stat(c.File)
	if err != nil {
		return nil, "", err
	}
	if old, err := os.Stat(c.DB); err == nil && old.ModTime().Before(file.ModTime()) {
		fmt.Fprintf(m.Stderr, "%s has changed since %s was written: what is served is what was imported then\n", c.File, c.DB)
	}
	db, err := c.imported(ctx, m)
	if err != nil {
		return nil, "", err
	}
	secret, err := firstKey(ctx, db)
	if err != nil {
		return nil, "", errors.Join(err, db.Close())
	}
	return db, secret, nil
}

// imported opens the store, into which the survey file is imported if it holds nothing. A file that cannot be read
// leaves no store behind.
func (c *serveCommand) imported(ctx context.Context, m Main) (_ *sqlite.Store, err error) {
	var db *sqlite.Store
	made := false
	if _, err := os.Stat(c.DB); err == nil {
		if db, err = sqlite.Open(ctx, c.DB, sqlite.Config{}); err != nil {
			return nil, err
		}
		release, err := db.Release(ctx)
		if err == nil && release.Version() > 0 && c.reading.overrules() {
			err = usage("%s was imported into %s before, and how it is read can be changed no more: name another "+
				"store with --db", c.File, c.DB)
		}
		if err != nil {
			return nil, errors.Join(err, db.Close())
		}
		if release.Version() > 0 {
			return db, nil
		}
	}
	defer func() {
		if err != nil && db != nil {
			err = errors.Join(err, db.Close())
		}
		if err != nil && made {
			err = errors.Join(err, os.Remove(c.DB))
		}
	}()
	file, err := c.reading.open(c.File)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	source, err := c.reading.source(ctx, file, "")
	if err != nil {
		return nil, err
	}
	if db == nil {
		if db, err = sqlite.Open(ctx, c.DB, sqlite.Config{}); err != nil {
			return nil, err
		}
		made = true
	}
	report, err := runImport(ctx, source, db, survey.Options{}, m.Stderr)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", c.File, err)
	}
	return db, writeReport(report, false, m.Stderr)
}

// firstKey makes a key with full access for a store that has none, and returns its secret.
func firstKey(ctx context.Context, db *sqlite.Store) (secret string, err error) {
	keys, err := db.ListKeys(ctx)
	if err != nil || len(keys) > 0 {
		return "", err
	}
	_, secret, err = db.CreateKey(ctx, sqlite.Key{Name: "first", Grant: audience.All()})
	return secret, err
}

// isStore tells whether a file is a database rather than a survey.
func isStore(path string) bool {
	const magic = "SQLite format 3\x00"
	file, err := os.Open(path)
	if err != nil {
		return false
	}
	defer file.Close()
	head := make([]byte, len(magic))
	_, err = io.ReadFull(file, head)
	return err == nil && string(head) == magic
}

// showFirstQuery prints a request that can be tried at once: it crosses the first two questions.
func showFirstQuery(ctx context.Context, db *sqlite.Store, where, secret string, m Main) error {
	f, err := db.Frame(ctx)
	if err != nil {
		return err
	}
	var axes []string
	for i := range f.Questions {
		if len(axes) < 2 && len(f.Questions[i].Datapoints) > 0 {
			one := map[string]any{"question": f.Questions[i].Key(), "datapoints": []string{f.Questions[i].Datapoints[0].Code}}
			text, err := json.Marshal([]any{map[string]any{"expression": one}})
			if err != nil {
				return err
			}
			axes = append(axes, string(text))
		}
	}
	body := "{}"
	switch len(axes) {
	case 1:
		body = fmt.Sprintf(`{"rows": %s}`, axes[0])
	case 2:
		body = fmt.Sprintf(`{"rows": %s, "columns": %s}`, axes[0], axes[1])
	}
	fmt.Fprintf(m.Stderr, `
a key with full access was made; it is shown only here. Try

  curl -s http://%s/v2/query/crosstab -H 'Authorization: %s' \
    -d '%s'

`, where, secret, strings.ReplaceAll(body, "'", `'\''`))
	return nil
}
