package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/internal/testsize"
)

// An import can begin while another process removes what a dead one has left, however long that takes.
func TestImportWhileSweeping(t *testing.T) {
	st := synthetic(6, 300)
	path := filepath.Join(t.TempDir(), "store.db")
	a, b := openStore(t, path, Config{}), openStore(t, path, Config{})
	_, err := a.write.Exec(`INSERT INTO import (begun) VALUES (1)`) // it died
	check(t, err)
	b.mu.Lock() // stops the sweep
	tidied := make(chan error, 1)
	go func() { tidied <- b.tidy(t.Context()) }()
	for rows(t, a, "import") > 0 {
		time.Sleep(time.Millisecond)
	}
	imported := make(chan struct{})
	go func() {
		defer close(imported)
		if w, err := a.Begin(t.Context(), nil, st.Survey); err != nil {
			t.Error(err)
		} else if err := w.Abort(); err != nil {
			t.Error(err)
		}
	}()
	select {
	case <-imported:
	case <-time.After(2 * time.Minute):
		t.Error("the import waits for the sweep")
	}
	b.mu.Unlock()
	check(t, <-tidied)
	<-imported
}

// A version that is being counted keeps its chunks and its weights, whatever is published; in another process they may
// go, and then Count says that the store has changed.
func TestRetired(t *testing.T) {
	alone(t)
	whole := synthetic(8, testsize.Of(300, 1200, 1200))
	st := part(whole, firstWaves)
	path := filepath.Join(t.TempDir(), "store.db")
	a, b := openStore(t, path, Config{CacheBytes: 1}), openStore(t, path, Config{CacheBytes: 1})
	version := publish(t, a, st, st.Respondents)
	want := reference(t, st)
	held, err := a.hold(t.Context(), version)
	check(t, err)
	chunks, units := rows(t, a, "chunk"), rows(t, a, "units")
	_, err = b.Frame(t.Context())
	check(t, err)

	// Another unit, and w1 replaced by itself.
	publish(t, a, whole, append(part(whole, inWave(3)).Respondents, part(whole, inWave(0)).Respondents...), "w1")
	g, err := newGraph(held, queries(held.frame), a.sliceColumn)
	check(t, err)
	c := newCounting(a, g, queries(held.frame))
	check(t, c.run(t.Context()))
	if diff := cmp.Diff(want, c.tables); diff != "" {
		t.Error("the version that is held counts differently:", diff)
	}
	same(t, a, reference(t, whole))
	if got := rows(t, a, "chunk"); got != chunks+2 {
		t.Errorf("%d chunks, not those %d before and two new ones", got, chunks)
	}
	a.letGo(held)
	a.tidying.Wait()
	if got := rows(t, a, "chunk"); got != chunks+1 {
		t.Errorf("%d chunks are left, not those %d before but for one, and two new ones", got, chunks)
	}
	if got := rows(t, a, "units"); got != units/3*4 {
		t.Errorf("%d integer weights are left, not %d", got, units/3*4)
	}
	if _, err := b.Count(t.Context(), version, queries(held.frame)); !errors.Is(err, audience.ErrChanged) {
		t.Error("a Count of what was removed by another:", err)
	}
	same(t, b, reference(t, whole))
}

// Weights in units that nobody used when garbage was looked for may be in use again when it is removed: they stay.
func TestGarbageInUseAgain(t *testing.T) {
	whole := synthetic(9, 300)
	st := part(whole, firstWaves)
	s := openStore(t, Memory, Config{ChunkRespondents: 50})
	held, err := s.hold(t.Context(), publish(t, s, st, st.Respondents))
	check(t, err)
	publish(t, s, whole, part(whole, inWave(3)).Respondents) // in other units
	delete(s.held, held)
	g, err := s.garbage(t.Context())
	check(t, err)
	if len(g.units) == 0 {
		t.Fatal("nothing is garbage")
	}
	publish(t, s, st, nil, "w4")
	if done, err := s.remove(t.Context(), g); done || err != nil {
		t.Errorf("what was garbage in an earlier version: done %v, %v", done, err)
	}
	same(t, s, reference(t, st))
	check(t, s.sweep(t.Context()))
	same(t, s, reference(t, st))
}

// A version can be counted until the Store has seen the next one, also if a sweep comes between.
func TestSweepBeforeSeen(t *testing.T) {
	whole := synthetic(9, 300)
	st := part(whole, firstWaves)
	s := openStore(t, Memory, Config{CacheBytes: 1})
	version := publish(t, s, st, st.Respondents)
	before, err := s.Frame(t.Context())
	check(t, err)
	w, change := begin(t, s, whole, whole.Respondents)
	change.Drop = []string{"w1", "w2", "w3"}
	for b := range w.(*writer).buffers {
		check(t, w.(*writer).flush(t.Context(), w.(*writer).buffers[b]))
	}
	close(w.(*writer).full)
	w.(*writer).full = nil
	<-w.(*writer).done
	// Commit's first half
	check(t, s.update(t.Context(), func(tx *sql.Tx) error { return w.(*writer).publish(t.Context(), tx, change) }))

	g, err := s.garbage(t.Context())
	check(t, err)
	held, err := s.hold(t.Context(), version)
	check(t, err)
	_, err = s.remove(t.Context(), g)
	check(t, err)
	got, err := s.Count(t.Context(), version, queries(before))
	check(t, err)
	if diff := cmp.Diff(reference(t, st), got); diff != "" {
		t.Error(diff)
	}
	check(t, w.Abort()) // which sweeps
	s.letGo(held)
	_, err = s.Frame(t.Context())
	check(t, err)
	check(t, s.sweep(t.Context()))
	if n := rows(t, s, "chunk"); n != 4 {
		t.Error(n, "chunks are left, not those of four waves")
	}
	same(t, s, reference(t, whole))
}

// However many sweep at a time, what is published can be read: whoever waits for the other has no connection.
func TestSweepsWhileLoading(t *testing.T) {
	s := openStore(t, Memory, Config{Threads: 1})
	st := synthetic(9, 300)
	publish(t, s, st, st.Respondents)
	s.mu.Lock() // as who reads a new version does
	var sweeping sync.WaitGroup
	for range s.read.Stats().MaxOpenConnections {
		sweeping.Go(func() {
			if err := s.sweep(t.Context()); err != nil {
				t.Error(err)
			}
		})
	}
	time.Sleep(200 * time.Millisecond) // until they are where they need s.mu
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	_, err := s.load(ctx, s.current)
	s.mu.Unlock()
	sweeping.Wait()
	check(t, err)
}
