package main

import (
	"context"
	"database/sql"
	"fmt"
	"testing"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/saved"
	"github.com/crosswave/crosswave/store/storetest"
)

// reopened is a shelf that the suite can close and open again.
type reopened struct {
	*shelf
	dsn string
}

func (r reopened) ReopenSaved(ctx context.Context) (saved.Store, error) {
	if err := r.db.Close(); err != nil {
		return nil, err
	}
	db, err := openDatabase(ctx, r.dsn)
	return reopened{&shelf{db, r.tenant}, r.dsn}, err
}

// Each shelf of the suite is that of another tenant of one database, so none sees what others have put there.
func TestShelf(t *testing.T) {
	server := startPostgres(t)
	tenants := 0
	storetest.TestSaved(t, func(t *testing.T) saved.Store {
		tenants++
		return reopened{&shelf{open(t, server), newTenant(t, server, fmt.Sprint("tenant", tenants))}, server.dsn()}
	})
}

// Numbers are a tenant's own, and so is what is shared.
func TestShelvesKnowNothingOfEachOther(t *testing.T) {
	server := startPostgres(t)
	db := open(t, server)
	x := audience.Answers{Question: "gender"}
	a := saved.Audience{ID: "00000000-0000-4000-8000-000000000001", User: "one@example.com", Name: "Everyone",
		Expression: saved.Expression{JSON: audience.Print(x), Expr: x}, FolderID: saved.NoFolder, Shared: true, Version: 1}
	shelves := []*shelf{{db, newTenant(t, server, "acme")}, {db, newTenant(t, server, "bolt")}}
	for _, s := range shelves {
		if list, err := s.SavedFor(t.Context(), a.User); len(list) > 0 || err != nil {
			t.Errorf("%s is shown %v (%v)", s.tenant, list, err)
		}
		got, err := s.InsertSaved(t.Context(), a)
		if err != nil || got.V1ID != 1 || got.UserNumber != saved.FirstUserNumber {
			t.Errorf("%s: %+v %v", s.tenant, got, err)
		}
	}
	if err := shelves[0].DeleteSaved(t.Context(), a.ID, 1); err != nil {
		t.Error(err)
	}
	if _, err := shelves[1].Saved(t.Context(), a.ID); err != nil {
		t.Error(err)
	}
}

func open(t *testing.T, server *postgres) *sql.DB {
	t.Helper()
	db, err := openDatabase(t.Context(), server.dsn())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

// newTenant makes a tenant without people, who may use everything.
func newTenant(t *testing.T, server *postgres, id string) string {
	t.Helper()
	if _, err := open(t, server).ExecContext(t.Context(), `INSERT INTO tenant (id, allowed) VALUES ($1, $2)`, id,
		`{}`); err != nil {
		t.Fatal(err)
	}
	return id
}
