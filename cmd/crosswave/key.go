package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/cmd/crosswave/internal/ask"
	"github.com/crosswave/crosswave/saved"
	"github.com/crosswave/crosswave/store/sqlite"
)

type keyCommand struct {
	Create keyCreate `cmd:"" help:"Make a key and print it, once: only its hash is kept."`
	List   keyList   `cmd:"" help:"List the keys, without their secrets, and in which hour each was last used."`
	Rotate keyRotate `cmd:"" help:"Give a key a new secret and print it, once; the key stays what it is."`
	Revoke keyRevoke `cmd:"" help:"End a key at once."`
}

type keyCreate struct {
	database
	Name       string   `help:"What the key is for."`
	User       string   `default:"1" help:"The user the key acts as, by any id: saved audiences belong to users."`
	Expires    lifetime `placeholder:"DURATION" help:"${expires}"`
	Namespaces []string `sep:"none" default:"*" help:"Namespaces the key may use, with commas between them."`
	Questions  []string `sep:"none" default:"*" help:"Questions the key may use: q1, or core.q1."`
	Datapoints []string `sep:"none" default:"*" help:"Datapoints the key may use: q1:1,2, or q1:* for all of them."`
	Locations  []string `sep:"none" default:"*" help:"Locations the key may use."`
	Waves      []string `sep:"none" default:"*" help:"Waves the key may use."`
	MinSample  int64    `placeholder:"N" help:"Tell the key of no fewer respondents than this."`
}

func (c *keyCreate) Run(ctx context.Context, m Main) error {
	db, err := c.open(ctx)
	if err != nil {
		return err
	}
	defer db.Close()
	if c.Expires < 0 {
		return usage("--expires %v lies in the past", time.Duration(c.Expires))
	}
	if c.MinSample < 0 {
		return usage("--min-sample %d is no number of respondents", c.MinSample)
	}
	frame, err := db.Frame(ctx)
	if err != nil {
		return err
	}
	if err := saved.CheckUser(c.User); err != nil {
		return usage("--%v", err)
	}
	key := sqlite.Key{Name: c.Name, User: c.User}
	if key.Grant, err = ask.Grant(frame, audience.Grant{Namespaces: c.Namespaces, Questions: c.Questions,
		Datapoints: c.Datapoints, Locations: c.Locations, Waves: c.Waves}); err != nil {
		return usageError{err}
	}
	key.Grant.MinSample = c.MinSample
	if c.Expires > 0 {
		key.Expires = time.Now().Add(time.Duration(c.Expires))
	}
	_, secret, err := db.CreateKey(ctx, key)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(m.Stdout, secret)
	return err
}

type keyList struct {
	database
	readOnly
}

func (c *keyList) Run(ctx context.Context, m Main) error {
	db, err := c.openStore(ctx, c.DB, m)
	if err != nil {
		return err
	}
	defer db.Close()
	keys, err := db.ListKeys(ctx)
	if err != nil {
		return err
	}
	uses, wrong := db.KeyUses(ctx) // keys are listed, and can be revoked, though it fails
	rows := [][]string{{"ID", "NAME", "USER", "CREATED", "LAST USED", "STATE", "GRANTS"}}
	for _, k := range keys {
		use := uses[k.ID]
		rows = append(rows, []string{fmt.Sprint(k.ID), plain(k.Name), plain(k.User),
			k.Created.UTC().Format(time.DateOnly), lastUsed(use), keyState(k, use), grants(k.Grant)})
	}
	_, err = io.WriteString(m.Stdout, listed(rows, len(rows[0])))
	return errors.Join(err, wrong)
}

// lastUsed is the hour in which a key was last used.
func lastUsed(use sqlite.KeyUse) string {
	if use.Last.IsZero() {
		return "–"
	}
	return use.Last.Format("2006-01-02 15h")
}

func keyState(k sqlite.Key, use sqlite.KeyUse) string {
	state := "valid"
	switch {
	case !k.Revoked.IsZero():
		return "revoked"
	case !k.Expires.IsZero() && k.Expires.Before(time.Now()):
		return "expired"
	case !k.Expires.IsZero():
		state += " to " + k.Expires.UTC().Format(time.DateTime)
	}
	if !use.Kept.IsZero() {
		state += ", an old secret to " + use.Kept.Format(time.DateTime)
	}
	return state
}

func grants(g audience.Grant) string {
	if g.Whole() {
		return "everything"
	}
	var parts []string
	for _, p := range []struct {
		name  string
		codes []string
	}{{"namespaces", g.Namespaces}, {"questions", g.Questions}, {"datapoints", g.Datapoints},
		{"locations", g.Locations}, {"waves", g.Waves}} {
		if s := strings.Join(p.codes, ","); s != "*" {
			parts = append(parts, p.name+" "+s)
		}
	}
	if g.MinSample > 0 {
		parts = append(parts, fmt.Sprintf("min sample %d", g.MinSample))
	}
	return strings.Join(parts, "; ")
}

type keyRevoke struct {
	database
	ID int64 `arg:"" help:"The key's id, as key list shows it."`
}

func (c *keyRevoke) Run(ctx context.Context, m Main) error {
	db, err := c.open(ctx)
	if err != nil {
		return err
	}
	defer db.Close()
	if err := db.RevokeKey(ctx, c.ID); err != nil {
		return err
	}
	fmt.Fprintf(m.Stderr, "key %d is revoked\n", c.ID)
	return nil
}

type keyRotate struct {
	database
	ID   int64    `arg:"" help:"The key's id, as key list shows it."`
	Keep lifetime `placeholder:"DURATION" help:"${keep}"`
}

func (c *keyRotate) Run(ctx context.Context, m Main) error {
	if c.Keep < 0 {
		return usage("--keep %v lies in the past", time.Duration(c.Keep))
	}
	db, err := c.open(ctx)
	if err != nil {
		return err
	}
	defer db.Close()
	_, secret, err := db.RotateKey(ctx, c.ID, time.Duration(c.Keep))
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(m.Stdout, secret)
	return err
}
