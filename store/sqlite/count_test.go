package sqlite

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/internal/testsize"
	"github.com/crosswave/crosswave/store/survey"
	"github.com/crosswave/crosswave/store/survey/decimal"
)

// differ is an error if a store does not count what is wanted.
func differ(ctx context.Context, s audience.Store, want [][]*audience.Table) error {
	got, err := ask(ctx, s)
	if err != nil {
		return err
	}
	if diff := cmp.Diff(want, got); diff != "" {
		return fmt.Errorf("counts differ (-want +got):\n%s", diff)
	}
	return nil
}

func same(t *testing.T, s audience.Store, want [][]*audience.Table) {
	t.Helper()
	check(t, differ(t.Context(), s, want))
}

// What a store counts does not depend on threads, chunks, cache, kernel, the order of rows, nor on how it came to hold
// them.
func TestCountIsTheSame(t *testing.T) {
	st := synthetic(1, testsize.Of(300, 2500, 2500))
	want := reference(t, st)
	shuffled := append([]survey.Respondent(nil), st.Respondents...)
	rand.New(rand.NewPCG(3, 4)).Shuffle(len(shuffled), func(i, j int) {
		shuffled[i], shuffled[j] = shuffled[j],
			shuffled[i]
	})
	configs := []Config{{Threads: 4, ChunkRespondents: 64}, {Threads: 3, ChunkRespondents: 333, CacheBytes: 1}}
	if !testing.Short() && !testsize.Quick() {
		configs = append(configs, Config{Threads: 1}, Config{Threads: 2}, Config{Threads: 4},
			Config{Threads: 2, ChunkRespondents: 1000}, Config{Threads: 1, Kernel: "go"},
			Config{Threads: 2, ImportBytes: 10_000})
	}
	for _, c := range configs {
		t.Run(fmt.Sprintf("%+v", c), func(t *testing.T) {
			s := openStore(t, Memory, c)
			publish(t, s, st, st.Respondents)
			same(t, s, want)
			same(t, s, want)
			s = openStore(t, Memory, c)
			publish(t, s, st, shuffled)
			same(t, s, want)
		})
	}
	t.Run("wave by wave", func(t *testing.T) {
		alone(t)
		s := openStore(t, Memory, Config{ChunkRespondents: 500})
		for w := range 4 { // the last changes the unit
			upTo := part(st, func(r *survey.Respondent) bool { return r.Wave <= w })
			publish(t, s, upTo, part(st, inWave(w)).Respondents)
			same(t, s, reference(t, upTo))
		}
		same(t, s, want)
		publish(t, s, st, part(st, inWave(1)).Respondents, "w2") // replaced by itself
		same(t, s, want)
		three := part(st, func(r *survey.Respondent) bool { return r.Wave != 3 })
		publish(t, s, three, nil, "w4")
		same(t, s, reference(t, three))
		publish(t, s, st, part(st, inWave(3)).Respondents)
		same(t, s, want)
	})
}

// Where all in a chunk have the same weight, they are counted to what each of them by itself comes to.
func TestCountEqualWeights(t *testing.T) {
	st := synthetic(10, testsize.Of(300, 2500, 2500))
	for i := range st.Respondents {
		if r := &st.Respondents[i]; r.Wave < 2 && !r.Weights[0].IsZero() {
			r.Weights[0] = decimal.FromInt(int64(3 + r.Wave))
		}
	}
	want := reference(t, st)
	for _, c := range []Config{{}, {ChunkRespondents: 64}} {
		s := openStore(t, Memory, c)
		publish(t, s, st, st.Respondents)
		for range 2 {
			same(t, s, want)
		}
		equal := map[string]bool{}
		for _, e := range s.cache.entries {
			if e.equal > 0 {
				for _, ch := range s.current.chunks {
					equal[ch.wave] = equal[ch.wave] || e.id>>columnBits == ch.id && ch.sample("core") > 1
				}
			}
		}
		if c.ChunkRespondents == 0 && (!equal["w1"] || !equal["w2"] || equal["w3"] || equal["w4"]) {
			t.Errorf("weights are equal in waves %v, not w1 and w2", equal)
		}
	}
}

// A table that is counted in several tiles holds what its parts come to, each asked for by itself.
func TestCountLargeTables(t *testing.T) {
	st := synthetic(13, testsize.Of(600, 1000, 1000))
	s := openStore(t, Memory, Config{Threads: 2})
	publish(t, s, st, st.Respondents)
	f, err := s.Frame(t.Context())
	check(t, err)
	var xs []audience.Expr
	for i := range 24 {
		for j := range i {
			xs = append(xs, audience.Or{leaf("core.m", fmt.Sprintf("m%d", 2*i)), leaf("core.m", fmt.Sprintf("m%d", 2*j))})
		}
	}
	if len(xs) <= tile {
		t.Fatalf("%d rows are one tile", len(xs))
	}
	count := func(rows, columns []audience.Expr) *audience.Table {
		tables, err := s.Count(t.Context(), f.Version, []audience.Query{{Namespace: "core", Rows: rows, Columns: columns,
			Strata: fieldworks(f)[2:3], Measures: audience.Squares}})
		check(t, err)
		return tables[0][0]
	}
	columns := append(slices.Clone(xs[:tile-9]), datapoints(f, "core.m")...)
	whole := count(xs, columns)
	if n := whole.At(len(xs), len(columns)).Sample; n < 5 {
		t.Fatalf("%d respondents are in the last cell, which is too few to tell", n)
	}
	const part = 100
	for r := 0; r < len(xs); r += part {
		for c := 0; c < len(columns); c += part {
			rows, cols := xs[r:min(r+part, len(xs))], columns[c:min(c+part, len(columns))]
			piece := count(rows, cols)
			for i := range rows {
				for j := range cols {
					got, want := whole.Moments(r+i+1, c+j+1), piece.Moments(i+1, j+1)
					if got != want || whole.At(r+i+1, c+j+1) != piece.At(i+1, j+1) {
						t.Fatalf("row %d, column %d: %+v, want %+v", r+i, c+j, got, want)
					}
				}
			}
		}
	}
}

// Reading loads what a query is about and nothing else.
func TestCountLoadsWhatItNeeds(t *testing.T) {
	st := synthetic(2, testsize.Of(500, 2000, 2000))
	s := openStore(t, Memory, Config{})
	publish(t, s, st, st.Respondents)
	f, err := s.Frame(t.Context())
	check(t, err)
	loads := func(q audience.Query) int64 {
		before := s.cache.snapshot().Loads
		_, err := s.Count(t.Context(), f.Version, []audience.Query{q})
		check(t, err)
		return s.cache.snapshot().Loads - before
	}
	rows := func(xs ...audience.Expr) audience.Query {
		return audience.Query{Namespace: "core", Rows: xs, Strata: strata(f, false)}
	}
	if got := loads(rows(leaf("core.m", "m40"))); got != 8 {
		t.Errorf("%d columns and weights were loaded in four waves, not 8", got)
	}
	if got := loads(rows(leaf("core.m", "m40"), leaf("core.m", "m49"))); got != 0 {
		t.Errorf("%d columns were loaded that were there or that everybody is in", got)
	}
	if got := loads(rows(audience.And{audience.Waves{Codes: []string{"w2"}, Min: 1}, leaf("core.m", "m41")})); got != 1 {
		t.Errorf("%d columns were loaded for an answer within one wave", got)
	}
	q := rows(leaf("core.m", "m42"))
	q.Strata = strata(f, true)[2:3]
	if got := loads(q); got != 1 {
		t.Errorf("%d columns were loaded for a stratum of one wave", got)
	}
	q = rows(leaf("core.m", "m43"))
	q.Base = audience.Not{X: audience.Everyone{}}
	if got := loads(q); got != 0 {
		t.Errorf("%d columns were loaded for an empty base", got)
	}
}

func TestCountErrors(t *testing.T) {
	st := synthetic(2, 500)
	s := openStore(t, Memory, Config{})
	publish(t, s, st, st.Respondents)
	f, err := s.Frame(t.Context())
	check(t, err)
	for _, x := range []audience.Expr{
		leaf("core.nothing", "x"), leaf("core.m", "x"), audience.Answers{Question: "ext.g", Datapoints: []string{"g1"},
			Suffixes: []int{7}, Min: 1},
		audience.Waves{Codes: []string{"w9"}, Min: 1}, audience.Locations{Codes: []string{"l9"}, Min: 1}, nil,
		audience.Cut{}, audience.And{nil}, audience.Not{},
	} {
		var invalid *audience.InvalidError
		_, err := s.Count(t.Context(), f.Version, []audience.Query{{Namespace: "core", Rows: []audience.Expr{x},
			Strata: strata(f, false)}})
		if !errors.As(err, &invalid) {
			t.Errorf("%#v: %v", x, err)
		}
	}
	if _, err := s.Count(t.Context(), f.Version, []audience.Query{{Namespace: "none"}}); err == nil {
		t.Error("an unknown namespace was counted")
	}
	for _, version := range []uint64{0, f.Version - 1, f.Version + 1} {
		if _, err := s.Count(t.Context(), version, nil); !errors.Is(err, audience.ErrChanged) {
			t.Errorf("version %d: %v", version, err)
		}
	}
	if tables, err := s.Count(t.Context(), f.Version, nil); err != nil || len(tables) != 0 {
		t.Errorf("no queries: %v, %v", tables, err)
	}
}

// A Count that is given up ends, and what it held is let go.
func TestCountCancelled(t *testing.T) {
	st := synthetic(2, testsize.Of(600, 4000, 4000))
	s := openStore(t, Memory, Config{Threads: 2, ChunkRespondents: 500})
	publish(t, s, st, st.Respondents)
	f, err := s.Frame(t.Context())
	check(t, err)
	many := audience.Query{Namespace: "core", Strata: strata(f, true)}
	for i := range 500 {
		x := audience.And{leaf("core.m", fmt.Sprintf("m%d", i%49)),
			audience.Not{X: leaf("core.m", fmt.Sprintf("m%d", (i+7)%49), fmt.Sprintf("m%d", i/49))}}
		many.Rows, many.Columns = append(many.Rows, x), append(many.Columns, x)
	}
	given := 0
	for i := range 20 {
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error, 1)
		go func() {
			_, err := s.Count(ctx, f.Version, []audience.Query{many, many, many})
			done <- err
		}()
		for s.cache.snapshot().Held == 0 && i > 0 && len(done) == 0 { // until it is under way
		}
		cancel()
		switch err := <-done; {
		case errors.Is(err, context.Canceled):
			given++
		case err != nil:
			t.Fatal("a Count that was given up returned", err)
		}
		if held := s.cache.snapshot().Held; held != 0 {
			t.Fatalf("%d bytes are still held", held)
		}
	}
	if given == 0 {
		t.Error("every Count ended before it was given up")
	}
	same(t, s, reference(t, st))
}
