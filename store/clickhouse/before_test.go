package clickhouse_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	ch "github.com/ClickHouse/clickhouse-go/v2"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/store/clickhouse"
	"github.com/crosswave/crosswave/store/sqlite"
	"github.com/crosswave/crosswave/store/survey"
)

// formerly makes of a store's respondents, all of one import, what they were before there were tokens: a table whose
// column gen has 32 bits, a generation in it, and a state of format 2 that knows of no more.
func formerly(t testing.TB, p *pair, table string) {
	t.Helper()
	release, engine := engineOf(t, p)
	from := engine["table"].(string)
	engine["format"], engine["table"] = 2, table
	delete(engine, "published")
	for _, w := range engine["waves"].([]any) {
		parts, _ := w.(map[string]any)["parts"].([]any)
		for _, x := range parts {
			x.(map[string]any)["generation"] = 1
		}
	}
	for _, address := range p.config.Addresses {
		server, err := ch.Open(&ch.Options{Addr: []string{address}})
		if err != nil {
			t.Fatal(err)
		}
		defer server.Close()
		for _, sql := range []string{
			"CREATE DATABASE IF NOT EXISTS " + strings.Split(table, ".")[0],
			fmt.Sprintf("CREATE TABLE %s ENGINE = MergeTree PARTITION BY (wave, gen) ORDER BY (loc, id) AS SELECT id, wave, "+
				"toUInt32(1) AS gen, loc, %s FROM %s", table, strings.Join(columns(t, server, from), ", "), from),
		} {
			if err := server.Exec(t.Context(), sql); err != nil {
				t.Fatal(err)
			}
		}
	}
	republish(t, p, release, engine)
	if err := p.embedded.Remember(t.Context(), func([]byte) ([]byte, error) { return nil, nil }); err != nil {
		t.Fatal(err)
	}
}

// engineOf is what a store has published, and what that says of its respondents in ClickHouse.
func engineOf(t testing.TB, p *pair) (*survey.Release, map[string]any) {
	t.Helper()
	release, err := p.Release(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	engine := map[string]any{}
	if err := json.Unmarshal(release.Engine, &engine); err != nil {
		t.Fatal(err)
	}
	return release, engine
}

// republish has a store publish the same once more, with something else said of its respondents in ClickHouse.
func republish(t testing.TB, p *pair, release *survey.Release, engine map[string]any) {
	t.Helper()
	text, err := json.Marshal(engine)
	if err != nil {
		t.Fatal(err)
	}
	w, err := p.embedded.Begin(t.Context(), release, release.Frame.Survey)
	if err == nil {
		_, err = w.Commit(t.Context(), survey.Change{Frame: release.Frame, Facts: release.Facts, Engine: text})
	}
	if err != nil {
		t.Fatal(err)
	}
}

// columns are those of a table that hold weights and answers.
func columns(t testing.TB, server ch.Conn, table string) (list []string) {
	t.Helper()
	database, name, _ := strings.Cut(table, ".")
	r, err := server.Query(t.Context(), fmt.Sprintf("SELECT name FROM system.columns WHERE database = '%s' AND "+
		"table = '%s' AND NOT (name IN ('id', 'wave', 'gen', 'loc'))", database, name))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	for r.Next() {
		var column string
		if err := r.Scan(&column); err != nil {
			t.Fatal(err)
		}
		list = append(list, column)
	}
	return list
}

// A table that was made before it had an owner, and before imports had tokens, is asked as it is, and becomes that of
// the first of the stores to import that have respondents in it.
func TestTableMadeBefore(t *testing.T) {
	heavy(t)
	for _, mode := range modes {
		t.Run(mode.name, func(t *testing.T) {
			config := mode.config(cluster(t))
			path := filled(t, config)
			p, err := openPair(t.Context(), path, config)
			if err != nil {
				t.Fatal(err)
			}
			right := count(t, p, 5)
			config.Database, config.Table = "made_before", strings.ReplaceAll(mode.name, " ", "_")
			formerly(t, p, config.Database+"."+config.Table)
			if err := errors.Join(p.Close(), p.embedded.Close()); err != nil {
				t.Fatal(err)
			}
			copied := filepath.Join(t.TempDir(), "copy.db")
			copyFile(t, path, copied)
			p, q := open(t, path, config), open(t, copied, config)
			counts(t, "the store", p, right)
			counts(t, "the copy", q, right)
			_, err = survey.Import(t.Context(), someWaves(2, fourth), open(t, sqlite.Memory, config), survey.Options{})
			if other := refused(t, err); other.Store != "" || other.Copy {
				t.Errorf("a store that has nothing in the table: %v", err)
			}

			if err := grown(t, p, 2, fourth); err != nil {
				t.Fatal(err)
			}
			counts(t, "the store", p, embeddedWith(t, 2, fourth))
			counts(t, "the copy", q, right)
			if other := refused(t, grown(t, q, 3, fourth)); !other.Copy {
				t.Errorf("the copy: %v", other)
			}
			counts(t, "the copy", q, right)
			_, err = survey.Import(t.Context(), someWaves(3, third), p,
				survey.Options{Mode: survey.Replace, ReplaceWaves: []string{third}})
			if err != nil {
				t.Fatal(err)
			}
			release, err := p.Release(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			want := int64(0)
			for _, x := range release.Facts {
				want += x.Respondents
			}
			if n := rows(t, p); n != want {
				t.Errorf("the servers have %d rows, and %d respondents are published", n, want)
			}
			count(t, p, 5)
			f, err := q.Frame(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			var missing *clickhouse.MissingError
			if tables, err := q.Count(t.Context(), f.Version, []audience.Query{square(t, f, 5)}); tables != nil ||
				!errors.As(err, &missing) || missing.Wave != third {
				t.Errorf("the copy, of which a wave was replaced: the error is %v", err)
			}
		})
	}
}
