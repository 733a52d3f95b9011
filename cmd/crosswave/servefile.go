package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/store/formats"
	"github.com/crosswave/crosswave/store/sqlite"
	"github.com/crosswave/crosswave/store/survey"
)

// store opens the store to serve. A survey file is imported first if the store is new, and then there is a first key,
// whose secret is returned. Given both, it says what becomes of each.
func (c *serveCommand) store(ctx context.Context, m Main) (*sqlite.Store, string, error) {
	if c.File != "" && isStore(c.File) {
		if c.DB != "" && !sameFile(c.DB, c.File) {
			return nil, "", usage("%s is a store, and so is --db %s: give one of them", c.File, c.DB)
		}
		c.DB, c.File = c.File, ""
	}
	switch {
	case c.File == "" && c.DB == "":
		return nil, "", usage("give a store with --db, or a survey file")
	case c.File == "":
		db, err := c.openWith(ctx, c.DB, c.opened(), m)
		return db, "", err
	}
	if _, err := os.Stat(c.File); err != nil {
		return nil, "", err
	}
	if c.DB == "" {
		c.DB = c.File + ".db"
	}
	db, err := c.imported(ctx, m)
	if err != nil {
		return nil, "", err
	}
	secret, err := firstKey(ctx, db)
	if errors.Is(err, audience.ErrReadOnly) {
		err = fmt.Errorf("%s has no key yet, so that nobody could ask it, and can't be given one: %w", c.DB, err)
	}
	if err != nil {
		return nil, "", errors.Join(err, db.Close())
	}
	return db, secret, nil
}

// held opens the store if a survey was imported into it; nil if none was. It says what is served then.
func (c *serveCommand) held(ctx context.Context, m Main) (_ *sqlite.Store, err error) {
	if _, err := os.Stat(c.DB); errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	db, err := c.openWith(ctx, c.DB, c.opened(), m)
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, db.Close())
		}
	}()
	release, err := db.Release(ctx)
	switch {
	case err != nil:
		return nil, err
	case release.Version() == 0:
		return nil, db.Close()
	case c.reading.overrules() || c.Sheet != "" || c.Member != "":
		return nil, usage("%s holds a survey already, and how %s is read can be changed no more: name another store "+
			"with --db", c.DB, c.File)
	}
	hash, err := formats.Hash(c.File)
	if err != nil {
		fmt.Fprintf(m.Stderr, "%s holds a survey already, which is served; %s can't be read to see whether it is the "+
			"same: %v\n", c.DB, c.File, err)
		return db, nil
	}
	was, known, err := db.WasImported(ctx, hash)
	if err != nil {
		return nil, err
	}
	switch says := "another store, named with --db, takes it in as it is"; {
	case was:
		fmt.Fprintf(m.Stderr, "%s was imported into %s before: that is served\n", c.File, c.DB)
	case known:
		fmt.Fprintf(m.Stderr, "%s is not what was imported into %s, or has changed since: what is served is what the "+
			"store holds; %s\n", c.File, c.DB, says)
	default:
		fmt.Fprintf(m.Stderr, "%s holds a survey already: that is served, and %s is not read; %s\n", c.DB, c.File, says)
	}
	return db, nil
}

// imported opens the store, into which the survey file is imported if it holds nothing. A file that cannot be read
// leaves no store behind.
func (c *serveCommand) imported(ctx context.Context, m Main) (db *sqlite.Store, err error) {
	if db, err = c.held(ctx, m); db != nil || err != nil {
		return db, err
	}
	if c.ReadOnly {
		return nil, usage("there is nothing in %s yet, and --read-only keeps %s from being imported into it", c.DB, c.File)
	}
	_, err = os.Stat(c.DB)
	made := errors.Is(err, fs.ErrNotExist)
	defer func() {
		if err != nil && db != nil {
			err = errors.Join(err, db.Close())
			if db = nil; made {
				err = errors.Join(err, os.Remove(c.DB))
			}
		}
	}()
	w := startProgress(m.Stderr, "reading "+c.File)
	defer w.end()
	file, err := c.reading.open(c.File, w)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	source, questions, guesses, err := c.reading.source(ctx, file, "", w)
	if err != nil {
		return nil, err
	}
	w.step("reading " + c.File)
	hash, err := formats.Hash(c.File)
	if err != nil {
		return nil, err
	}
	if db, err = sqlite.Open(ctx, c.DB, c.opened()); err != nil {
		return nil, err
	}
	w.say("importing %s into %s\n", c.File, c.DB)
	report, err := runImport(ctx, source, db, survey.Options{}, c.File, w)
	if err != nil {
		return db, err
	}
	if err := db.NoteImported(ctx, c.File, hash); err != nil {
		return db, err
	}
	w.end()
	if err := writeReport(report, guesses, false, m.Stderr); err != nil {
		return db, err
	}
	return db, bring(ctx, db, questions, m.Stderr)
}

// opened is how the store is opened.
func (c *serveCommand) opened() sqlite.Config {
	config := c.threaded.config()
	config.CacheBytes, config.Kernel = int64(c.Cache)<<20, c.Kernel
	return config
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

// sameFile tells whether two paths lead to one file.
func sameFile(a, b string) bool {
	x, errX := os.Stat(a)
	y, errY := os.Stat(b)
	return errX == nil && errY == nil && os.SameFile(x, y)
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

  curl -s %s/v2/query/crosstab -H 'Authorization: %s' \
    -d '%s'

`, where, secret, strings.ReplaceAll(body, "'", `'\''`))
	return nil
}
