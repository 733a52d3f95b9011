package clickhouse_test

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/crosswave/crosswave/store/clickhouse"
	"github.com/crosswave/crosswave/store/sqlite"
	"github.com/crosswave/crosswave/store/storetest"
)

// modes are the ways to keep respondents in ClickHouse.
var modes = []struct {
	name   string
	config func([]*server) clickhouse.Config
}{
	{"one server", func(all []*server) clickhouse.Config {
		return clickhouse.Config{Addresses: addresses(all[:1])}
	}},
	{"Distributed table", func(all []*server) clickhouse.Config {
		return clickhouse.Config{Addresses: addresses(all), Cluster: clusterName, Database: "distributed"}
	}},
	{"two addresses", func(all []*server) clickhouse.Config {
		return clickhouse.Config{Addresses: addresses(all), TileCells: 100, BlockRespondents: 50}
	}},
}

func addresses(all []*server) (list []string) {
	for _, s := range all {
		list = append(list, s.address())
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

func TestConformance(t *testing.T) {
	for _, mode := range modes {
		t.Run(mode.name, func(t *testing.T) {
			config := mode.config(cluster(t))
			storetest.Test(t, func(t *testing.T) storetest.Engine {
				path := sqlite.Memory
				if strings.HasSuffix(t.Name(), "/reopened") {
					path = filepath.Join(t.TempDir(), "store.db")
				}
				return open(t, path, config)
			})
		})
	}
}
