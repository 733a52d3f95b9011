package clickhouse_test

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/crosswave/crosswave/internal/testsize"
	"github.com/crosswave/crosswave/store/clickhouse"
	"github.com/crosswave/crosswave/store/clickhouse/clickhousetest"
	"github.com/crosswave/crosswave/store/sqlite"
	"github.com/crosswave/crosswave/store/storetest"
)

// modes are the ways to keep respondents in ClickHouse.
var modes = []struct {
	name   string
	config func([]*clickhousetest.Server) clickhouse.Config
}{
	{"one server", func(all []*clickhousetest.Server) clickhouse.Config {
		return clickhouse.Config{Addresses: addresses(all[:1]), Threads: 1}
	}},
	{"Distributed table", func(all []*clickhousetest.Server) clickhouse.Config {
		return clickhouse.Config{Addresses: addresses(all), Cluster: clickhousetest.Cluster, Database: "distributed",
			Threads: 1}
	}},
	{"two addresses", func(all []*clickhousetest.Server) clickhouse.Config {
		return clickhouse.Config{Addresses: addresses(all), TileCells: 300, BlockRespondents: 100, Threads: 1}
	}},
}

func addresses(all []*clickhousetest.Server) (list []string) {
	for _, s := range all {
		list = append(list, s.Address())
	}
	return list
}

// pair is an embedded store and what counts for it.
type pair struct {
	*clickhouse.Store
	embedded *sqlite.Store
	config   clickhouse.Config
}

func open(t testing.TB, path string, c clickhouse.Config) *pair {
	t.Helper()
	p, err := openPair(t.Context(), path, c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := errors.Join(p.Close(), p.embedded.Close()); err != nil {
			t.Error(err)
		}
	})
	return p
}

func openPair(ctx context.Context, path string, c clickhouse.Config) (*pair, error) {
	embedded, err := sqlite.Open(ctx, path, sqlite.Config{})
	if err != nil {
		return nil, err
	}
	s, err := clickhouse.Open(ctx, embedded, c)
	if err != nil {
		return nil, errors.Join(err, embedded.Close())
	}
	return &pair{s, embedded, c}, nil
}

func (p *pair) Reopen(ctx context.Context) (storetest.Engine, error) {
	if err := errors.Join(p.Close(), p.embedded.Close()); err != nil {
		return nil, err
	}
	return openPair(ctx, p.embedded.Path(), p.config)
}

// raceSubset are the checks that the race detector sees something of, in the last of the modes.
var raceSubset = []string{"store/counts_during_imports", "store/cancelled_midway", "store/queries_together", "random/0"}

func TestConformance(t *testing.T) {
	for _, mode := range modes {
		t.Run(mode.name, func(t *testing.T) {
			config := mode.config(cluster(t))
			t.Parallel()
			opened := func(t *testing.T) storetest.Engine {
				inSubset := func(name string) bool { return strings.HasSuffix(t.Name(), "/"+name) }
				if mode.name != modes[2].name || !slices.ContainsFunc(raceSubset, inSubset) {
					heavy(t)
				}
				path := sqlite.Memory
				if strings.HasSuffix(t.Name(), "/reopened") {
					path = filepath.Join(t.TempDir(), "store.db")
				}
				return open(t, path, config)
			}
			suite := storetest.Suite{Studies: testsize.Of(1, 3, 11)} // a statement takes servers some milliseconds
			suite.Test(t, opened)
		})
	}
}
