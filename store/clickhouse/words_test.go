package clickhouse_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	ch "github.com/ClickHouse/clickhouse-go/v2"
	"github.com/google/go-cmp/cmp"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/internal/testsize"
	"github.com/crosswave/crosswave/store/clickhouse"
	"github.com/crosswave/crosswave/store/sqlite"
	"github.com/crosswave/crosswave/store/storetest"
	"github.com/crosswave/crosswave/store/survey"
)

// byTurns is a store whose imports store answers in one format and the other by turns.
type byTurns struct {
	*pair
	words   *clickhouse.Store
	imports int
}

func (b *byTurns) Begin(ctx context.Context, base *survey.Release, sv *audience.Survey) (survey.Writer, error) {
	b.imports++
	if b.imports%2 == 0 {
		return b.words.Begin(ctx, base, sv)
	}
	return b.pair.Begin(ctx, base, sv)
}

func openByTurns(t *testing.T, config clickhouse.Config) *byTurns {
	t.Helper()
	config.Format = clickhouse.Arrays
	b := &byTurns{pair: open(t, sqlite.Memory, config)}
	config.Format = clickhouse.Words
	var err error
	if b.words, err = clickhouse.Open(t.Context(), b.embedded, config); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := b.words.Close(); err != nil {
			t.Error(err)
		}
	})
	return b
}

// Respondents in arrays and respondents in words are counted side by side: studies that come in several imports, of
// both formats, are answered as the naive engine answers them.
func TestFormatsSideBySide(t *testing.T) {
	heavy(t)
	for i, config := range []clickhouse.Config{
		{Addresses: addresses(cluster(t)), Database: "turns", Timeout: patient},
		{Addresses: addresses(cluster(t)), Database: "turns_distributed", Cluster: "shards", Timeout: patient},
	} {
		// Numbers of seed 11 have up to 18 decimals, and bands of them many digits.
		for _, seed := range append([]uint64{11}, []uint64{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}[:testsize.Of(1, 3, 5)]...) {
			t.Run(fmt.Sprintf("%d/%d", i, seed), func(t *testing.T) {
				err := storetest.RunRandom(t.Context(), seed, func() storetest.Engine { return openByTurns(t, config) })
				if err != nil {
					t.Fatal(err)
				}
			})
		}
	}
}

// What is converted, to words and back, answers as before, and takes no more room than before once it is done.
func TestConvert(t *testing.T) {
	heavy(t)
	config := clickhouse.Config{Addresses: addresses(cluster(t)), Database: "converted", Format: clickhouse.Arrays}
	p := open(t, sqlite.Memory, config)
	load(t, p, 3000)
	f, err := p.Frame(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	spec := audience.Spec{Rows: mixed(f, 20, 0), Columns: mixed(f, 20, 1), Measures: audience.Squares}
	for i := range f.Questions {
		if f.Numbers(i).Bits > 0 {
			spec.Rows = append(spec.Rows, audience.Slice{Question: f.Questions[i].Key(), Bit: 1})
		}
	}
	want := cells(t, p, spec)
	convert := func(to clickhouse.Format) (int64, error) {
		embedded, err := p.embedded.Source(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		defer embedded.Close()
		src, err := p.Source(t.Context(), embedded)
		if err != nil {
			t.Fatal(err)
		}
		defer src.Close()
		return p.Convert(t.Context(), src, to, nil)
	}
	for _, to := range []clickhouse.Format{clickhouse.Words, clickhouse.Words, clickhouse.Arrays} {
		if n, err := convert(to); err != nil || n != 3000 {
			t.Fatalf("to %s: %d respondents, error %v", to, n, err)
		}
		if got, err := p.Formats(t.Context()); err != nil || got[to] != 3000 || len(got) != 1 {
			t.Errorf("to %s: there are %v, error %v", to, got, err)
		}
		if diff := cmp.Diff(want, cells(t, p, spec), cmp.AllowUnexported(audience.Figure{})); diff != "" {
			t.Fatalf("to %s: (-before +after)\n%s", to, diff)
		}
	}
	if _, err := convert("bits"); err == nil {
		t.Error("it is converted to bits")
	}
	rows := int64(0)
	for deadline := time.Now().Add(10 * time.Second); ; {
		rows = 0
		for _, h := range p.Health(t.Context()) {
			rows += h.Rows
		}
		if rows == 3000 || time.Now().After(deadline) {
			break
		}
		time.Sleep(50 * time.Millisecond)
	}
	if rows != 3000 {
		t.Errorf("the servers have %d respondents", rows)
	}
}

// cells are those of a table.
func cells(t *testing.T, st audience.Store, spec audience.Spec) (all []audience.Cell) {
	t.Helper()
	tabs, err := audience.Tabulate(t.Context(), st, func(*audience.Frame) ([]audience.Spec, error) {
		return []audience.Spec{spec}, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for i := range spec.Rows {
		for j := range spec.Columns {
			all = append(all, tabs[0].Cell(i+1, j+1))
		}
	}
	return all
}

// A format that is not known is refused, and words are stored unless something else is said.
func TestFormatIsChosen(t *testing.T) {
	config := clickhouse.Config{Addresses: []string{"127.0.0.1:1"}, Format: "bits"}
	if _, err := clickhouse.Open(t.Context(), nil, config); err == nil {
		t.Error("answers are stored as bits")
	}
	heavy(t)
	for format, column := range map[clickhouse.Format]string{clickhouse.Chosen: "b0", clickhouse.Arrays: "d0"} {
		p := open(t, sqlite.Memory, clickhouse.Config{Addresses: addresses(cluster(t))[:1], Format: format})
		load(t, p, 300)
		f, err := p.Frame(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if _, err := p.Count(t.Context(), f.Version, []audience.Query{square(t, f, 3)}); err != nil {
			t.Fatal(err)
		}
		server, err := ch.Open(&ch.Options{Addr: p.config.Addresses})
		if err != nil {
			t.Fatal(err)
		}
		defer server.Close()
		has := map[string]bool{}
		for _, name := range columns(t, server, p.Table()) {
			has[name] = true
		}
		if !has[column] || has["d0"] == has["b0"] {
			t.Errorf("format %q: the columns are %v", format, has)
		}
	}
}
