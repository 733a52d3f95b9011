package sqlite_test

import (
	"context"
	"path/filepath"
	"testing"

	"github.com/crosswave/crosswave/internal/kernel"
	"github.com/crosswave/crosswave/store/sqlite"
	"github.com/crosswave/crosswave/store/storetest"
)

func open(t testing.TB, path string, c sqlite.Config) *sqlite.Store {
	t.Helper()
	s, err := sqlite.Open(t.Context(), path, c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error("Close:", err)
		}
	})
	return s
}

// reopener is a store on disk that can be closed and opened again.
type reopener struct {
	*sqlite.Store
	config sqlite.Config
}

func (r *reopener) Reopen(ctx context.Context) (storetest.Engine, error) {
	if err := r.Close(); err != nil {
		return nil, err
	}
	s, err := sqlite.Open(ctx, r.Path(), r.config)
	if err != nil {
		return nil, err
	}
	return &reopener{s, r.config}, nil
}

func conforms(path func(*testing.T) string, c sqlite.Config) func(*testing.T) {
	return func(t *testing.T) {
		storetest.Test(t, func(t *testing.T) storetest.Engine {
			return open(t, path(t), c)
		})
	}
}

func inMemory(*testing.T) string { return sqlite.Memory }

func TestConformance(t *testing.T) {
	t.Run("memory", conforms(inMemory, sqlite.Config{}))
	t.Run("small cache", conforms(inMemory, sqlite.Config{ChunkRespondents: 100, CacheBytes: 1000, Threads: 1}))
	if testing.Short() { // the race detector, run with -short, takes ten times as long
		t.Run("small chunks", conforms(inMemory, sqlite.Config{ChunkRespondents: 64, Threads: 3}))
		return
	}
	t.Run("tiny chunks", conforms(inMemory, sqlite.Config{ChunkRespondents: 7, Threads: 3}))
	t.Run("disk", func(t *testing.T) {
		storetest.Test(t, func(t *testing.T) storetest.Engine {
			return &reopener{open(t, filepath.Join(t.TempDir(), "store.db"), sqlite.Config{}), sqlite.Config{}}
		})
	})
	for _, k := range kernel.All()[1:] { // the first is what the others run on
		t.Run(k.Name(), conforms(inMemory, sqlite.Config{Kernel: k.Name(), Threads: 2}))
	}
}
