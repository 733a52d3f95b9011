package clickhouse_test

import (
	"os"
	"sync"
	"testing"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/store/clickhouse/clickhousetest"
	"github.com/crosswave/crosswave/store/demo"
	"github.com/crosswave/crosswave/store/survey"
)

// shared is the cluster that most tests use.
var shared struct {
	once sync.Once
	dir  string
	all  []*clickhousetest.Server
	err  error
}

func TestMain(m *testing.M) {
	if dsn := os.Getenv(importInto); dsn != "" {
		importForever(dsn)
	}
	if dsn := os.Getenv(appendInto); dsn != "" {
		appendOne(dsn)
	}
	if dsn := os.Getenv(publishInto); dsn != "" {
		publishForever(dsn)
	}
	code := m.Run()
	for _, s := range shared.all {
		s.Kill()
	}
	if shared.dir != "" {
		os.RemoveAll(shared.dir)
	}
	os.Exit(code)
}

func needServer(t testing.TB) {
	t.Helper()
	if reason := clickhousetest.Skip(); reason != "" {
		t.Skip(reason)
	}
}

// heavy is for tests of which little is left with -short, as under the race detector: the servers, which it does not
// see, do the work.
func heavy(t testing.TB) {
	t.Helper()
	if testing.Short() {
		t.Skip("with -short a few of the tests are run: the servers, which the race detector does not see, do the work")
	}
}

func cluster(t testing.TB) []*clickhousetest.Server {
	t.Helper()
	needServer(t)
	shared.once.Do(func() {
		if shared.dir, shared.err = os.MkdirTemp("", "crosswave-clickhouse-"); shared.err != nil {
			return
		}
		if shared.all, shared.err = clickhousetest.New(shared.dir); shared.err != nil {
			return
		}
		for _, s := range shared.all {
			if shared.err = s.Start(); shared.err != nil {
				return
			}
		}
	})
	if shared.err != nil {
		t.Fatal(shared.err)
	}
	return shared.all
}

// ownCluster is a cluster that a test may maltreat.
func ownCluster(t testing.TB) []*clickhousetest.Server {
	t.Helper()
	needServer(t)
	all, err := clickhousetest.New(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range all {
		if err := s.Start(); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(s.Kill)
	}
	return all
}

func load(t testing.TB, st survey.Store, respondents int) {
	t.Helper()
	if _, err := survey.Import(t.Context(), demo.New(demo.Config{Seed: 1, Respondents: respondents}), st,
		survey.Options{}); err != nil {
		t.Fatal(err)
	}
}

// square is a query of n rows × n columns over everything, one stratum.
func square(t testing.TB, f *audience.Frame, n int) audience.Query {
	t.Helper()
	q := audience.Query{Namespace: f.Namespaces[0].Code, Strata: []audience.Cover{audience.NewCover(f.Size())}}
	for i := range f.Size() {
		q.Strata[0].Set(i)
	}
	var all []audience.Expr
	for i := range f.Questions {
		if f.Questions[i].Namespace != q.Namespace {
			continue
		}
		for _, a := range f.PerDatapoint(i) {
			all = append(all, a.Expr)
		}
	}
	if len(all) < 2*n {
		t.Fatalf("the demo survey has %d datapoints", len(all))
	}
	q.Rows, q.Columns = all[:n], all[len(all)-n:]
	return q
}

func count(t testing.TB, st audience.Store, n int) [][]*audience.Table {
	t.Helper()
	f, err := st.Frame(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	tables, err := st.Count(t.Context(), f.Version, []audience.Query{square(t, f, n)})
	if err != nil {
		t.Fatal(err)
	}
	return tables
}
