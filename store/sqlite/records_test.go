package sqlite_test

import (
	"context"
	"path/filepath"
	"testing"

	"github.com/crosswave/crosswave/insights"
	"github.com/crosswave/crosswave/saved"
	"github.com/crosswave/crosswave/store/sqlite"
	"github.com/crosswave/crosswave/store/storetest"
)

// onDisk is a store that the suite of saved audiences can close and open again.
type onDisk struct {
	*sqlite.Store
	t *testing.T
}

func (s onDisk) ReopenSaved(ctx context.Context) (saved.Store, error) {
	if err := s.Close(); err != nil {
		return nil, err
	}
	return onDisk{open(s.t, s.Path(), sqlite.Config{}), s.t}, ctx.Err()
}

func TestSavedConforms(t *testing.T) {
	storetest.TestSaved(t, func(t *testing.T) saved.Store {
		return onDisk{open(t, filepath.Join(t.TempDir(), "store.db"), sqlite.Config{}), t}
	})
}

func TestInsightsConform(t *testing.T) {
	storetest.TestInsights(t, func(t *testing.T, f *insights.File) insights.Store {
		s := open(t, sqlite.Memory, sqlite.Config{})
		if err := s.PutInsights(t.Context(), f, true); err != nil {
			t.Fatal(err)
		}
		return s
	})
}
