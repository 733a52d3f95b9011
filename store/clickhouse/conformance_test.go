package clickhouse_test

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/crosswave/crosswave/internal/testsize"
	"github.com/crosswave/crosswave/store/clickhouse"
	"github.com/crosswave/crosswave/store/clickhouse/clickhousetest"
	"github.com/crosswave/crosswave/store/sqlite"
	"github.com/crosswave/crosswave/store/storetest"
)

// patient is a time limit for statements where none is to be reached: machines may be slow, and stand still for
// minutes.
const patient = 10 * time.Minute

// modes are the ways to keep respondents in ClickHouse.
var modes = []struct {
	name   string
	wholly bool // whole tests run the checks of many statements, too
	config func([]*clickhousetest.Server) clickhouse.Config
}{
	{"one server", true, func(all []*clickhousetest.Server) clickhouse.Config {
		return clickhouse.Config{Addresses: addresses(all[:1]), Format: clickhouse.Arrays, Threads: 1, Timeout: patient}
	}},
	{"Distributed table", true, func(all []*clickhousetest.Server) clickhouse.Config {
		return clickhouse.Config{Addresses: addresses(all), Cluster: clickhousetest.Cluster, Database: "distributed",
			Threads: 1, Timeout: patient}
	}},
	{"words", true, func(all []*clickhousetest.Server) clickhouse.Config {
		return clickhouse.Config{Addresses: addresses(all), Format: clickhouse.Words, Database: "words",
			Threads: 1, Timeout: patient}
	}},
	{"two addresses", false, func(all []*clickhousetest.Server) clickhouse.Config {
		return clickhouse.Config{Addresses: addresses(all), Format: clickhouse.Arrays, TileCells: 300, BlockRespondents: 100,
			Threads: 1, Timeout: patient}
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

// shortSubset are the checks that are run with -short, in the last of the modes: the race detector sees something of
// them.
var shortSubset = []string{"store/counts_during_imports", "store/cancelled_midway"}

// once are checks of many statements, which are run with one server only unless tests are whole: the modes differ in
// where statements are sent, which the others show. Whole tests run them in the modes that want them wholly.
var once = []string{"store/queries_together", "store/cancelled_midway", "store/wide_tables",
	"store/unseen_before_commit", "store/abort", "store/order_and_batches", "store/append_new_unit", "random/0",
	"import/random_2"}

func TestConformance(t *testing.T) {
	for i, mode := range modes {
		t.Run(mode.name, func(t *testing.T) {
			config := mode.config(cluster(t))
			t.Parallel()
			opened := func(t *testing.T) storetest.Engine {
				among := func(list []string) bool {
					return slices.ContainsFunc(list, func(name string) bool { return strings.HasSuffix(t.Name(), "/"+name) })
				}
				if i != len(modes)-1 || !among(shortSubset) {
					heavy(t)
				}
				if i > 0 && !testing.Short() && !(mode.wholly && testsize.Whole()) && among(once) {
					t.Skip("it is run with one server, and in whole tests, with CROSSWAVE_TESTS=whole, in two modes more")
				}
				path := sqlite.Memory
				if strings.HasSuffix(t.Name(), "/reopened") {
					path = filepath.Join(t.TempDir(), "store.db")
				}
				return open(t, path, config)
			}
			studies := testsize.Of(1, 2, 6) // a statement takes servers some milliseconds
			if i > 0 {
				studies = min(studies, 3)
			}
			storetest.Suite{Studies: studies}.Test(t, opened)
		})
	}
}
