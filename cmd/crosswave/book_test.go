package main

import (
	"context"
	"errors"
	"io"
	"path/filepath"
	"sync/atomic"
	"testing"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/cmd/crosswave/internal/plan"
	"github.com/crosswave/crosswave/crosstab"
	"github.com/crosswave/crosswave/store/demo"
	"github.com/crosswave/crosswave/store/sqlite"
	"github.com/crosswave/crosswave/store/survey"
)

// attended is a store that knows how many count in it, and how many did so at a time.
type attended struct {
	audience.Store
	now, most, all atomic.Int64
}

func (l *attended) Count(ctx context.Context, version uint64, qs []audience.Query) ([][]*audience.Table, error) {
	defer l.now.Add(-1)
	for now := l.now.Add(1); now > l.most.Load(); {
		l.most.CompareAndSwap(l.most.Load(), now)
	}
	l.all.Add(1)
	return l.Store.Count(ctx, version, qs)
}

// The tables of a book are crossed ahead of the one that is written, few at a time. The error is that of the first
// table that has one, whichever comes to its own first, and nobody goes on counting then.
func TestBookAhead(t *testing.T) {
	db, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "book.db"), sqlite.Config{Threads: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := survey.Import(t.Context(), demo.New(demo.Config{Respondents: 200}), db, survey.Options{}); err != nil {
		t.Fatal(err)
	}
	f, err := db.Frame(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var tables []plan.Table
	for i := range 12 {
		r := crosstab.Request{LastWaves: crosstab.AllWaves, Rows: f.PerDatapoint(i), Columns: f.PerDatapoint(i + 1)}
		tables = append(tables, plan.Table{Path: string(rune('a' + i)), Name: "a table", Request: r})
	}
	st := &attended{Store: db}
	if err := writeBook(t.Context(), st, f.Version, tables, io.Discard, nil); err != nil {
		t.Fatal(err)
	}
	if all, most := st.all.Load(), st.most.Load(); all != 12 || most > 1+ahead {
		t.Errorf("%d tables were counted, %d at a time", all, most)
	}
	for _, i := range []int{5, 6} {
		tables[i].Request.Waves = []string{"no such wave"}
	}
	st = &attended{Store: db}
	err = writeBook(t.Context(), st, f.Version, tables, io.Discard, nil)
	var unknown *audience.UnavailableError
	if !errors.As(err, &unknown) || err.Error()[:3] != "f: " {
		t.Errorf("got %v, want that table f names an unknown wave", err)
	}
	if all, now := st.all.Load(), st.now.Load(); all > 5+ahead || now != 0 {
		t.Errorf("%d tables were counted with an error in the sixth, %d still are", all, now)
	}
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if err := writeBook(ctx, db, f.Version, tables, io.Discard, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v of a book that was given up", err)
	}
}
