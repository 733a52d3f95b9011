package main

import (
	"context"
	"fmt"
	"net"
	"os"
	"path/filepath"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/crosstab"
	"github.com/crosswave/crosswave/httpapi"
	"github.com/crosswave/crosswave/httpapi/explorer"
	"github.com/crosswave/crosswave/insights"
	"github.com/crosswave/crosswave/store/demo"
	"github.com/crosswave/crosswave/store/sqlite"
	"github.com/crosswave/crosswave/store/survey"
)

type demoCommand struct {
	DB          string `name:"db" placeholder:"FILE" help:"Where to keep the demo store; it is thrown away unless given."`
	Respondents int    `default:"40000" help:"How many respondents to generate."`
	Seed        uint64 `default:"1" help:"Another seed, other respondents."`
	Addr        string `default:"127.0.0.1:8080" placeholder:"HOST:PORT" help:"Where to serve, on this machine only."`
	Once        bool   `help:"Stop after the table."`
}

func (c *demoCommand) Run(ctx context.Context, m Main) error {
	path := c.DB
	if path == "" {
		dir, err := os.MkdirTemp("", "crosswave-demo-")
		if err != nil {
			return err
		}
		defer os.RemoveAll(dir)
		path = filepath.Join(dir, "demo.db")
	}
	db, err := sqlite.Open(ctx, path, sqlite.Config{})
	if err != nil {
		return err
	}
	defer db.Close()
	release, err := db.Release(ctx)
	if err != nil {
		return err
	}
	if release.Version() == 0 {
		fmt.Fprintf(m.Stderr, "generating %s respondents …\n", grouped(float64(c.Respondents), 0))
		source := demo.New(demo.Config{Seed: c.Seed, Respondents: c.Respondents})
		w := startProgress(m.Stderr, "generating respondents")
		_, err := survey.Import(ctx, source, db, survey.Options{Progress: w.imported})
		if w.end(); err != nil {
			return err
		}
		published, err := insights.Read(demo.Insights())
		if err != nil {
			return err
		}
		if err := db.PutInsights(ctx, published, false); err != nil {
			return err
		}
	}
	if err := demoTable(ctx, db, m); err != nil || c.Once {
		return err
	}
	return c.serve(ctx, db, m)
}

// demoRows and demoColumns are what the demo crosses.
var demoRows, demoColumns = []string{"gender", "age"}, []string{"exercise"}

func demoTable(ctx context.Context, db *sqlite.Store, m Main) error {
	f, err := db.Frame(ctx)
	if err != nil {
		return err
	}
	r := crosstab.Request{LastWaves: crosstab.AllWaves}
	if r.Rows, err = audiences(f, "rows", demoRows); err != nil {
		return err
	}
	if r.Columns, err = audiences(f, "columns", demoColumns); err != nil {
		return err
	}
	return writeTable(ctx, db, r, 0, "table", shading{}, m)
}

func (c *demoCommand) serve(ctx context.Context, db *sqlite.Store, m Main) error {
	_, secret, err := db.CreateKey(ctx, sqlite.Key{Name: "demo", Grant: audience.All()})
	if err != nil {
		return err
	}
	log := watching{}.logger(m.Stderr)
	api, err := handler(db, httpapi.Config{Log: log, Encoders: encoders()})
	if err != nil {
		return err
	}
	if api, err = explorer.Handler("", api); err != nil {
		return err
	}
	if err := refuseOpenDoor(ctx, db, c.Addr); err != nil {
		return err
	}
	listener, err := net.Listen("tcp", c.Addr)
	if err != nil {
		return err
	}
	fmt.Fprint(m.Stderr, "\n", explorerLink("http://"+listener.Addr().String(), secret))
	fmt.Fprintf(m.Stderr, `serving on http://%[1]s until interrupted; try

  curl -s http://%[1]s/v2/query/crosstab -H 'Authorization: %[2]s' \
    -d '{"rows": [{"expression": {"question": "gender", "datapoints": ["gender_1"]}}]}'

`, listener.Addr(), secret)
	return serve(ctx, listener, api, 0, log)
}
