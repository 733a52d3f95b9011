package sqlite_test

import (
	"context"
	"path/filepath"
	"testing"

	"github.com/crosswave/crosswave/internal/kernel"
	"github.com/crosswave/crosswave/internal/testsize"
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

// TestConformance runs the suite on stores of each configuration, the one that most have at the greatest length. Quick
// tests leave out those that are much like others.
func TestConformance(t *testing.T) {
	inMemory := func(c sqlite.Config) func(*testing.T) storetest.Engine {
		return func(t *testing.T) storetest.Engine { return open(t, sqlite.Memory, c) }
	}
	conforms := func(name string, studies int, open func(*testing.T) storetest.Engine) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			storetest.Suite{Studies: studies}.Test(t, open)
		})
	}
	most, studies := testsize.Of(2, 20, 50), testsize.Of(2, 8, 50)
	if testsize.Quick() {
		most, studies = 8, 3
	}
	conforms("memory", most, inMemory(sqlite.Config{}))
	if testing.Short() {
		ks := kernel.All()
		conforms("small cache and chunks, second kernel", studies, inMemory(sqlite.Config{ChunkRespondents: 64,
			CacheBytes: 1000, Threads: 3, Kernel: ks[min(1, len(ks)-1)].Name()}))
		return
	}
	conforms("tiny chunks", studies, inMemory(sqlite.Config{ChunkRespondents: 7, Threads: 3}))
	conforms("disk", studies, func(t *testing.T) storetest.Engine {
		return &reopener{open(t, filepath.Join(t.TempDir(), "store.db"), sqlite.Config{}), sqlite.Config{}}
	})
	if testsize.Quick() {
		return
	}
	conforms("small cache", studies, inMemory(sqlite.Config{ChunkRespondents: 100, CacheBytes: 1000, Threads: 1}))
	for _, k := range kernel.All()[1:] { // the first is what the others run on
		conforms(k.Name(), studies, inMemory(sqlite.Config{Kernel: k.Name(), Threads: 2}))
	}
}
