package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/cmd/crosswave/internal/ask"
	"github.com/crosswave/crosswave/derived"
	"github.com/crosswave/crosswave/httpapi"
	"github.com/crosswave/crosswave/saved"
	"github.com/crosswave/crosswave/store/sqlite"
)

type questionCommand struct {
	Define questionDefine `cmd:"" help:"Derive a question from others: its answers are audiences. Or change it."`
	List   questionList   `cmd:"" help:"List the derived questions, and which of them can't be used."`
	Show   questionShow   `cmd:"" help:"Write a derived question as JSON, as the server answers."`
	Remove questionRemove `cmd:"" help:"Remove a derived question that nothing names."`
}

// us is the user as whom commands ask where none is given: they see that user's derived questions and the shared ones.
const us = "1"

// owner is the flag that says whose derived questions are meant.
type owner struct {
	User string `default:"1" help:"The user whose questions they are, beside those that are shared."`
}

func (o owner) check() error {
	if err := saved.CheckUser(o.User); err != nil {
		return usage("--%v", err)
	}
	return nil
}

// extended is the frame of a store with the derived questions of a user.
func extended(ctx context.Context, db *sqlite.Store, user string) (*audience.Frame, error) {
	frame, err := db.Frame(ctx)
	if err != nil {
		return nil, err
	}
	key, list, err := derived.Definitions(ctx, db, user)
	if err != nil {
		return nil, err
	}
	return frame.Extend(key, list), nil
}

type questionDefine struct {
	database
	owner
	Code        string   `arg:"" help:"The question's code: letters, digits, - and _."`
	Answers     []string `arg:"" optional:"" sep:"none" help:"${derivedanswers}"`
	Name        *string  `placeholder:"TEXT" help:"What the question is called; its code unless given."`
	Description *string  `placeholder:"TEXT" help:"What is meant."`
	Shared      *bool    `negatable:"" help:"Let all users of the store use it, or no others any more."`
}

// Run defines a question, or changes the one of that code if it is the user's.
func (c *questionDefine) Run(ctx context.Context, m Main) error {
	if err := c.check(); err != nil {
		return err
	}
	db, err := c.open(ctx)
	if err != nil {
		return err
	}
	defer db.Close()
	frame, err := extended(ctx, db, c.User)
	if err != nil {
		return err
	}
	patch := derived.Patch{Code: &c.Code, Name: c.Name, Description: c.Description, Shared: c.Shared}
	if len(c.Answers) > 0 {
		points, err := c.points(frame)
		if err != nil {
			return err
		}
		patch.Datapoints = &points
	}
	o := derived.Options{Frame: frame, Now: time.Now()}
	q, err := db.Derived(ctx, c.Code)
	switch {
	case errors.Is(err, audience.ErrNotFound) && len(c.Answers) == 0:
		return usage("say which answers %q has: CODE=AUDIENCE, as in young=age:16-24,25-34", c.Code)
	case errors.Is(err, audience.ErrNotFound):
		q, err = derived.Create(ctx, db, o, c.User, patch)
	case err == nil && q.User != c.User && !q.Shared:
		err = fmt.Errorf("%q: %w", c.Code, derived.ErrTaken)
	case err == nil:
		q, err = derived.Update(ctx, db, o, c.User, c.Code, nil, patch)
	}
	if err != nil {
		return ask.Explain(frame, err)
	}
	shared := "user " + q.User + "'s"
	if q.Shared {
		shared = "shared"
	}
	_, err = fmt.Fprintf(m.Stdout, "%s is defined: version %d, %s, %d answers\n",
		plain(audience.Key(q.Namespace, q.Code)), q.Version, plain(shared), len(q.Datapoints))
	return err
}

// points reads answers: CODE=AUDIENCE each, the name of an answer being its code unless the code is followed by one
// after a colon: CODE:NAME=AUDIENCE. An audience may be a band of numbers.
func (c *questionDefine) points(f *audience.Frame) (list []derived.Datapoint, err error) {
	for _, text := range c.Answers {
		called, who, found := strings.Cut(text, "=")
		code, name, named := strings.Cut(called, ":")
		if !found || code == "" {
			return nil, usage("%q is no answer: write CODE=AUDIENCE, as in young=age:16-24,25-34, or CODE:NAME=AUDIENCE", text)
		}
		x, err := ask.Answer(f, who)
		if err != nil {
			return nil, usageError{err}
		}
		if !named {
			name = code
		}
		list = append(list, derived.Datapoint{Code: code, Name: name, Expr: x})
	}
	return list, nil
}

type questionList struct {
	database
	readOnly
	owner
	JSON bool `name:"json" help:"Write them as JSON, as the server answers."`
}

// Run lists the questions.
func (c *questionList) Run(ctx context.Context, m Main) error {
	if err := c.check(); err != nil {
		return err
	}
	db, err := c.openStore(ctx, c.DB, m)
	if err != nil {
		return err
	}
	defer db.Close()
	if c.JSON {
		return asUser(ctx, db, c.User, http.MethodGet, "/v2/questions/derived", m)
	}
	frame, err := extended(ctx, db, c.User)
	if err != nil {
		return err
	}
	list, _, err := derived.List(ctx, db, frame, c.User, 0, 0)
	if err != nil {
		return err
	}
	rows := [][]string{{"QUESTION", "NAME", "ANSWERS", "VERSION", "OF", "STATE"}}
	for i := range list {
		q, of, state := &list[i], "user "+list[i].User, "usable"
		if q.Shared {
			of = "all"
		}
		if !derived.Usable(frame, q) {
			state = "not usable: crosswave check says why"
		}
		rows = append(rows, []string{plain(audience.Key(q.Namespace, q.Code)), plain(q.Name), fmt.Sprint(len(q.Datapoints)),
			fmt.Sprint(q.Version), plain(of), state})
	}
	_, err = io.WriteString(m.Stdout, listed(rows, len(rows[0])))
	return err
}

type questionShow struct {
	database
	readOnly
	owner
	Code string `arg:"" help:"The question's code."`
}

// Run writes a question.
func (c *questionShow) Run(ctx context.Context, m Main) error {
	if err := c.check(); err != nil {
		return err
	}
	db, err := c.openStore(ctx, c.DB, m)
	if err != nil {
		return err
	}
	defer db.Close()
	return asUser(ctx, db, c.User, http.MethodGet, "/v2/questions/derived/"+url.PathEscape(c.Code), m)
}

type questionRemove struct {
	database
	owner
	Code string `arg:"" help:"The question's code."`
}

// Run removes a question.
func (c *questionRemove) Run(ctx context.Context, m Main) error {
	if err := c.check(); err != nil {
		return err
	}
	db, err := c.open(ctx)
	if err != nil {
		return err
	}
	defer db.Close()
	frame, err := extended(ctx, db, c.User)
	if err != nil {
		return err
	}
	if err := derived.Delete(ctx, db, frame, c.User, c.Code, nil); err != nil {
		return err
	}
	_, err = fmt.Fprintf(m.Stdout, "%s is removed\n", plain(c.Code))
	return err
}

// asUser writes what the server answers to a request of a user without a body.
func asUser(ctx context.Context, db *sqlite.Store, user, method, path string, m Main) error {
	api, err := httpapi.New(httpapi.Config{Store: db, Authorize: fullAccess(user)})
	if err != nil {
		return err
	}
	status, err := answer(ctx, api, method, path, nil, m.Stdout)
	if err == nil && status >= 400 {
		err = errAnswered
	}
	return err
}

// shared are the derived questions of a store that a codebook names: those that are shared.
func shared(ctx context.Context, db *sqlite.Store) (list []audience.Definition, err error) {
	all, err := db.DerivedFor(ctx, "")
	for i := range all {
		if all[i].Shared {
			d := all[i].Definition()
			d.Namespace = ""
			list = append(list, d)
		}
	}
	return list, err
}

// bring puts the derived questions of a codebook into a store as shared ones, and tells of them on out.
func bring(ctx context.Context, db *sqlite.Store, list []audience.Definition, out io.Writer) error {
	if len(list) == 0 {
		return nil
	}
	frame, err := db.Frame(ctx)
	if err != nil {
		return err
	}
	brought, err := derived.Bring(ctx, db, derived.Options{Frame: frame, Now: time.Now()}, us, list)
	for _, code := range brought {
		fmt.Fprintf(out, "derived question %s is defined, and shared\n", plain(code))
	}
	if err != nil {
		return fmt.Errorf("of the codebook's derived questions some are not: %w", err)
	}
	return nil
}
