package clickhouse_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/internal/testsize"
	"github.com/crosswave/crosswave/store/clickhouse"
	"github.com/crosswave/crosswave/store/demo"
	"github.com/crosswave/crosswave/store/sqlite"
	"github.com/crosswave/crosswave/store/survey"
)

// The waves of the demo survey that these tests begin with, and two that come after them.
var (
	firstOnes = []string{"q1_2024", "q2_2024", "q3_2024"}
	third     = "q3_2024"
	fourth    = "q4_2024"
	fifth     = "q1_2025"
)

func someWaves(seed uint64, waves ...string) survey.Source {
	return demo.New(demo.Config{Seed: seed, Respondents: 4000, Only: waves})
}

// grown appends waves to a store.
func grown(t testing.TB, st survey.Store, seed uint64, waves ...string) error {
	t.Helper()
	_, err := survey.Import(t.Context(), someWaves(seed, waves...), st, survey.Options{Mode: survey.Append})
	return err
}

// refused wants an error to be an OwnerError that says what to do.
func refused(t testing.TB, err error) (other *clickhouse.OwnerError) {
	t.Helper()
	if !errors.As(err, &other) || !errors.Is(err, audience.ErrNoAnswer) ||
		!strings.Contains(err.Error(), "crosswave clickhouse adopt") ||
		!strings.Contains(err.Error(), other.Table) || !strings.Contains(err.Error(), other.Address) {
		t.Fatalf("the error is %v", err)
	}
	return other
}

func copyFile(t testing.TB, from, to string) {
	t.Helper()
	data, err := os.ReadFile(from)
	if err == nil {
		err = os.WriteFile(to, data, 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// filled makes the file of a store with the first waves in ClickHouse.
func filled(t testing.TB, c clickhouse.Config) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "store.db")
	p, err := openPair(t.Context(), path, c)
	if err == nil {
		_, err = survey.Import(t.Context(), someWaves(1, firstOnes...), p, survey.Options{})
		err = errors.Join(err, p.Close(), p.embedded.Close())
	}
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// twins opens a store with the first waves, and a copy of its file.
func twins(t testing.TB, c clickhouse.Config) (a, b *pair) {
	path := filled(t, c)
	copied := filepath.Join(t.TempDir(), "copy.db")
	copyFile(t, path, copied)
	return open(t, path, c), open(t, copied, c)
}

// embeddedWith counts what the embedded store alone has of the first waves and, with another seed, one more.
func embeddedWith(t testing.TB, seed uint64, wave string) [][]*audience.Table {
	t.Helper()
	p, err := sqlite.Open(t.Context(), sqlite.Memory, sqlite.Config{})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	if _, err := survey.Import(t.Context(), someWaves(1, firstOnes...), p, survey.Options{}); err != nil {
		t.Fatal(err)
	}
	if err := grown(t, p, seed, wave); err != nil {
		t.Fatal(err)
	}
	return count(t, p, 5)
}

func counts(t testing.TB, who string, p audience.Store, want [][]*audience.Table) {
	t.Helper()
	if diff := cmp.Diff(want, count(t, p, 5)); diff != "" {
		t.Fatalf("%s counts otherwise (-want +got):\n%s", who, diff)
	}
}

// Of two copies of a store's file on one table the first to import goes on. The other's import is refused, and leaves
// nothing; its questions are answered by what it has published. When it adopts the table it is the other way round.
// Neither ever counts or removes what only the other has published, though both know their imports by the same numbers.
func TestTwoCopies(t *testing.T) {
	heavy(t)
	for _, mode := range modes {
		t.Run(mode.name, func(t *testing.T) {
			a, b := twins(t, mode.config(cluster(t)))
			before := count(t, b, 5)
			if err := grown(t, a, 2, fourth); err != nil {
				t.Fatal(err)
			}
			first, second := embeddedWith(t, 2, fourth), embeddedWith(t, 3, fourth)
			counts(t, "the first copy", a, first)
			counts(t, "the second copy", b, before)
			published := rows(t, a)
			for _, write := range []func() error{
				func() error { return grown(t, b, 3, fourth) },
				func() error { return grown(t, b, 3, fifth) },
				func() error { _, err := survey.Withdraw(t.Context(), b, []string{third}); return err },
			} {
				if other := refused(t, write()); !other.Copy {
					t.Errorf("it is no copy: %v", other)
				}
			}
			if n := rows(t, a); n != published {
				t.Errorf("the servers have %d rows; it was %d before an import was refused", n, published)
			}
			counts(t, "the second copy", b, before)

			adopted, err := b.Adopt(t.Context(), false)
			if err != nil {
				t.Fatal(err)
			}
			id, err := a.embedded.ID(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			got, err := b.Release(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			own := int64(0)
			for _, x := range got.Facts {
				own += x.Respondents
			}
			if diff := cmp.Diff(clickhouse.Adoption{Stores: []string{id}, Respondents: own, Others: published - own},
				adopted); diff != "" {
				t.Errorf("adopted (-want +got):\n%s", diff)
			}
			if err := grown(t, b, 3, fourth); err != nil {
				t.Fatal(err)
			}
			counts(t, "the second copy", b, second)
			counts(t, "the first copy", a, first)
			if other := refused(t, grown(t, a, 2, fifth)); !other.Copy {
				t.Errorf("it is no copy: %v", other)
			}
			counts(t, "the first copy", a, first)
		})
	}
}

// together holds the respondents of several sources back until all are asked for theirs.
type together struct {
	survey.Source
	begun *sync.WaitGroup
}

func (s together) Respondents(ctx context.Context) iter.Seq2[*survey.Batch, error] {
	return func(yield func(*survey.Batch, error) bool) {
		s.begun.Done()
		s.begun.Wait()
		for b, err := range s.Source.Respondents(ctx) {
			if !yield(b, err) {
				return
			}
		}
	}
}

// Of two copies that import at once one publishes, and the other is refused and removes only its own.
func TestTwoCopiesAtOnce(t *testing.T) {
	heavy(t)
	mode := modes[2].config(cluster(t))
	for range testsize.Of(1, 3, 20) {
		a, b := twins(t, mode)
		before := count(t, a, 5)
		two := []*pair{a, b}
		errs := make([]error, 2)
		var begun, imports sync.WaitGroup
		begun.Add(2)
		for i, p := range two {
			imports.Go(func() {
				_, errs[i] = survey.Import(t.Context(), together{someWaves(uint64(i+2), fourth), &begun}, p,
					survey.Options{Mode: survey.Append})
			})
		}
		imports.Wait()
		won := 0
		if errs[0] != nil {
			won = 1
		}
		if errs[won] != nil {
			refused(t, errs[0]) // each may have been the first on one of the servers
			refused(t, errs[1])
			t.Fatalf("neither was published: %v; %v", errs[0], errs[1])
		}
		if other := refused(t, errs[1-won]); !other.Copy {
			t.Errorf("it is no copy: %v", other)
		}
		counts(t, "who published", two[won], embeddedWith(t, uint64(won+2), fourth))
		counts(t, "who was refused", two[1-won], before)
		if err := grown(t, two[won], 5, fifth); err != nil {
			t.Error(err)
		}
	}
}

// A store's file that is put back as it was, and imports again, neither counts the respondents of the import that it no
// longer knows of, nor removes them unless it is told to.
func TestFilePutBack(t *testing.T) {
	config := clickhouse.Config{Addresses: addresses(cluster(t))}
	path := filled(t, config)
	old := filepath.Join(t.TempDir(), "old.db")
	copyFile(t, path, old)
	p, err := openPair(t.Context(), path, config)
	if err != nil {
		t.Fatal(err)
	}
	err = errors.Join(grown(t, p, 2, fourth), p.Close(), p.embedded.Close())
	if err != nil {
		t.Fatal(err)
	}
	copyFile(t, old, path)
	p = open(t, path, config)
	if other := refused(t, grown(t, p, 3, fourth)); !other.Copy {
		t.Errorf("it is no copy: %v", other)
	}
	adopted, err := p.Adopt(t.Context(), false)
	if err != nil || adopted.Others == 0 || adopted.Missing != nil {
		t.Fatalf("%+v, error %v", adopted, err)
	}
	lost := adopted.Others
	if err := grown(t, p, 3, fourth); err != nil {
		t.Fatal(err)
	}
	right := embeddedWith(t, 3, fourth)
	counts(t, "the store put back", p, right)
	adopted, err = p.Adopt(t.Context(), true)
	if err != nil || adopted.Others != lost || adopted.Missing != nil {
		t.Fatalf("%+v, error %v", adopted, err)
	}
	if n := rows(t, p); n != adopted.Respondents {
		t.Errorf("the servers have %d rows, %d of them the store's", n, adopted.Respondents)
	}
	counts(t, "the store put back", p, right)

	// As it was before the import of which it was the basis replaced a wave: that is gone, and adopting says so.
	copyFile(t, old, path+".old")
	q := open(t, path+".old", config)
	if _, err := survey.Withdraw(t.Context(), p, []string{third}); err != nil {
		t.Fatal(err)
	}
	adopted, err = q.Adopt(t.Context(), false)
	var missing *clickhouse.MissingError
	if err != nil || !errors.As(adopted.Missing, &missing) || missing.Wave != third {
		t.Errorf("%+v, error %v", adopted, err)
	}
}

// The second store that is given a table is refused, and may adopt it. Neither counts or removes the other's.
func TestOneTableTwoStores(t *testing.T) {
	config := modes[1].config(cluster(t))
	config.Database, config.Table = "one_table", "shared"
	p, q := open(t, sqlite.Memory, config), open(t, sqlite.Memory, config)
	load(t, p, 1000)
	right := count(t, p, 5)
	id, err := p.embedded.ID(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	_, err = survey.Import(t.Context(), someWaves(2), q, survey.Options{})
	if other := refused(t, err); other.Store != id || other.Copy || !strings.Contains(err.Error(), "?table=") {
		t.Errorf("the error is %v", err)
	}
	if n := rows(t, q); n != 1000 {
		t.Errorf("the servers have %d rows", n)
	}
	adopted, err := q.Adopt(t.Context(), false)
	if diff := cmp.Diff(clickhouse.Adoption{Stores: []string{id}, Others: 1000}, adopted); diff != "" || err != nil {
		t.Errorf("adopted, error %v (-want +got):\n%s", err, diff)
	}
	if _, err := survey.Import(t.Context(), someWaves(2), q, survey.Options{}); err != nil {
		t.Fatal(err)
	}
	counts(t, "the first store", p, right)
	_, err = survey.Withdraw(t.Context(), p, firstOnes[:1])
	refused(t, err)
	counts(t, "the first store", p, right)
	if n := rows(t, q); n != 5000 {
		t.Errorf("the servers have %d rows", n)
	}
}

// Several stores that are given one new table at the same time never all get it, and no import of theirs fails for
// another reason.
func TestOneNewTableAtOnce(t *testing.T) {
	heavy(t)
	for round := range testsize.Of(1, 4, 20) {
		config := clickhouse.Config{Addresses: addresses(cluster(t)), Database: "one_new", Table: fmt.Sprint("t", round)}
		var all []*pair
		for range 3 {
			all = append(all, open(t, sqlite.Memory, config))
		}
		errs := make([]error, len(all))
		var imports sync.WaitGroup
		for i, p := range all {
			imports.Go(func() {
				_, errs[i] = survey.Import(t.Context(), someWaves(uint64(i), third), p, survey.Options{})
			})
		}
		imports.Wait()
		own := 0
		for _, err := range errs {
			if err == nil {
				own++
			} else {
				refused(t, err)
			}
		}
		if own > 1 {
			t.Errorf("%d stores own the table", own)
		}
	}
}

// failing is an embedded store that has something happen before each publication, which an error calls off.
type failing struct {
	*sqlite.Store
	before func() error
}

type failingWriter struct {
	survey.Writer
	store *failing
}

func (s *failing) Begin(ctx context.Context, base *survey.Release, sv *audience.Survey) (survey.Writer, error) {
	w, err := s.Store.Begin(ctx, base, sv)
	return &failingWriter{w, s}, err
}

func (w *failingWriter) Generation() int64 {
	return w.Writer.(interface{ Generation() int64 }).Generation()
}

func (w *failingWriter) Follow(ctx context.Context, base *survey.Release, sv *audience.Survey, drop []string) error {
	return w.Writer.(survey.Follower).Follow(ctx, base, sv, drop)
}

func (w *failingWriter) Commit(ctx context.Context, change survey.Change) (uint64, error) {
	if err := w.store.before(); err != nil {
		return 0, err
	}
	return w.Writer.Commit(ctx, change)
}

// An import that fails in the moment of its publication leaves the table to the store that owned it.
func TestPublicationFails(t *testing.T) {
	config := clickhouse.Config{Addresses: addresses(cluster(t))}
	path := filled(t, config)
	embedded, err := sqlite.Open(t.Context(), path, sqlite.Config{})
	if err != nil {
		t.Fatal(err)
	}
	defer embedded.Close()
	full := errors.New("the disk is full")
	store := &failing{embedded, func() error { return full }}
	s, err := clickhouse.Open(t.Context(), store, config)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	before := count(t, s, 5)
	if err := grown(t, s, 2, fourth); !errors.Is(err, full) {
		t.Fatalf("the error is %v", err)
	}
	counts(t, "the store", s, before)
	store.before = func() error { return nil }
	if err := grown(t, s, 3, fourth); err != nil {
		t.Fatal(err)
	}
	counts(t, "the store", s, embeddedWith(t, 3, fourth))
}
