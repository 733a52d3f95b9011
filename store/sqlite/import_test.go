package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/internal/testsize"
	"github.com/crosswave/crosswave/store/survey"
	"github.com/crosswave/crosswave/store/survey/decimal"
)

// rows counts what is in a table.
func rows(t *testing.T, s *Store, table string) (n int) {
	t.Helper()
	check(t, s.read.QueryRow(`SELECT count(*) FROM `+table).Scan(&n))
	return n
}

// contents is how much of everything a store holds, published or not.
func contents(t *testing.T, s *Store) string {
	t.Helper()
	var all []string
	for _, table := range []string{"import", "chunk", "answers", "weights", "units", "numbers", "ids"} {
		all = append(all, fmt.Sprint(rows(t, s, table), " ", table))
	}
	return strings.Join(all, ", ")
}

func firstWaves(st *survey.Respondent) bool { return st.Wave < 3 }

// Nothing of an import shows before Commit, and nothing is left of it after Abort.
func TestAbort(t *testing.T) {
	alone(t)
	whole := synthetic(6, testsize.Of(375, 1500, 1500))
	st := part(whole, firstWaves)
	s := openStore(t, Memory, Config{ChunkRespondents: 50})
	publish(t, s, st, st.Respondents)
	want, before := reference(t, st), contents(t, s)
	for _, full := range []bool{false, true} {
		w, _ := begin(t, s, whole, part(whole, inWave(3)).Respondents)
		if full { // written, but not published
			check(t, s.update(t.Context(), func(tx *sql.Tx) error {
				w := w.(*writer)
				w.mu.Lock()
				defer w.mu.Unlock()
				return w.storeBuilt(t.Context(), tx)
			}))
			w.(*writer).stored()
		}
		same(t, s, want)
		check(t, w.Abort())
		check(t, w.Abort())
		if after := contents(t, s); after != before {
			t.Errorf("before the import: %s; after it was given up: %s", before, after)
		}
		if err := w.Add(t.Context(), whole.Respondents[:1]); err == nil {
			t.Error("Add after Abort")
		}
		if _, err := w.Commit(t.Context(), survey.Change{}); err == nil {
			t.Error("Commit after Abort")
		}
	}
	same(t, s, want)
	if files, _ := filepath.Glob(s.Path() + "-import*"); len(files) > 0 {
		t.Error("a lock is left:", files)
	}
}

// Of two imports on top of the same base the second to commit fails, in one Store or in two, and leaves nothing.
func TestCommitChanged(t *testing.T) {
	alone(t)
	whole := synthetic(6, testsize.Of(250, 1000, 1000))
	st := part(whole, firstWaves)
	path := filepath.Join(t.TempDir(), "store.db")
	a, b := openStore(t, path, Config{}), openStore(t, path, Config{})
	publish(t, a, st, st.Respondents)
	for _, other := range []*Store{a, b} {
		first, change := begin(t, a, whole, part(whole, inWave(3)).Respondents)
		second, again := begin(t, other, whole, part(whole, inWave(3)).Respondents)
		version, err := first.Commit(t.Context(), change)
		check(t, err)
		if _, err := second.Commit(t.Context(), again); !errors.Is(err, audience.ErrChanged) {
			t.Fatal("the second Commit:", err)
		}
		check(t, second.Abort())
		for _, s := range []*Store{a, b} {
			f, err := s.Frame(t.Context())
			check(t, err)
			if f.Version != version {
				t.Errorf("version %d instead of %d", f.Version, version)
			}
			same(t, s, reference(t, whole))
		}
		if n := rows(t, a, "import"); n != 0 {
			t.Error(n, "imports are left")
		}
		publish(t, a, st, nil, "w4")
	}
}

// What is wrong with a respondent or a frame is said, and nothing is published.
func TestImportErrors(t *testing.T) {
	st := synthetic(6, 100)
	s := openStore(t, Memory, Config{})
	for name, spoil := range map[string]func(*survey.Respondent){
		"wave 9":            func(r *survey.Respondent) { r.Wave = 9 },
		"wave -1":           func(r *survey.Respondent) { r.Wave = -1 },
		"location 5":        func(r *survey.Respondent) { r.Location = 5 },
		"1 weights":         func(r *survey.Respondent) { r.Weights = r.Weights[:1] },
		"attribute -1":      func(r *survey.Respondent) { r.Attributes = []int32{-1} },
		"attribute 1000000": func(r *survey.Respondent) { r.Attributes = []int32{1000000} },
		"question -1":       func(r *survey.Respondent) { r.Numbers = []survey.Given{{Question: -1}} },
		"question 4":        func(r *survey.Respondent) { r.Numbers = []survey.Given{{Question: 4}} },
		`"core.s"`:          func(r *survey.Respondent) { r.Numbers = []survey.Given{{Question: 1}} },
		`"core.n", 0 and 1`: func(r *survey.Respondent) {
			r.Numbers = []survey.Given{{Question: 3}, {Question: 3, Value: decimal.FromInt(1)}}
		},
	} {
		w, _ := begin(t, s, st, nil)
		r := st.Respondents[0]
		spoil(&r)
		if err := w.Add(t.Context(), []survey.Respondent{r}); err == nil || !strings.Contains(err.Error(), "row 1: ") ||
			!strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
		check(t, w.Abort())
	}
	for name, spoil := range map[string]func(*audience.Survey, *audience.Coverage){
		"no wave":      func(sv *audience.Survey, _ *audience.Coverage) { sv.Waves = sv.Waves[1:] },
		"no location":  func(sv *audience.Survey, _ *audience.Coverage) { sv.Locations = sv.Locations[1:] },
		"units":        func(_ *audience.Survey, c *audience.Coverage) { c.Decimals[0] = 20 },
		"listed twice": func(sv *audience.Survey, _ *audience.Coverage) { sv.Waves[1].Code = sv.Waves[0].Code },
	} {
		w, change := begin(t, s, st, st.Respondents)
		sv, coverage := change.Frame.Survey.Clone(), change.Frame.Coverage()
		spoil(sv, &coverage)
		spoilt, err := audience.NewFrame(0, sv, coverage)
		if err != nil { // what no Frame can be has come about by hand
			spoilt = change.Frame.WithVersion(0)
			spoilt.Survey = sv
		}
		change.Frame = spoilt
		if _, err := w.Commit(t.Context(), change); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
		check(t, w.Abort())
	}
	bad := *st.Survey
	bad.Waves = append(bad.Waves[:3:3], bad.Waves[3])
	bad.Waves[3].Code = "w\xff"
	if _, err := s.Begin(t.Context(), nil, &bad); err == nil {
		t.Error("a code that is not UTF-8 was taken")
	}
	if contents(t, s) != "0 import, 0 chunk, 0 answers, 0 weights, 0 units, 0 numbers, 0 ids" {
		t.Error(contents(t, s))
	}
	publish(t, s, st, st.Respondents)
	same(t, s, reference(t, st))
}

// Weights that changed on disk are found out when a new unit needs them, and the import that brings it fails.
func TestImportDamagedWeights(t *testing.T) {
	whole := synthetic(6, 400)
	st := part(whole, firstWaves)
	s := openStore(t, Memory, Config{})
	publish(t, s, st, st.Respondents)
	var data []byte
	check(t, s.read.QueryRow(`SELECT data FROM weights WHERE chunk = 1 AND namespace = 'core'`).Scan(&data))
	data[len(data)/2] ^= 1
	_, err := s.write.Exec(`UPDATE weights SET data = ? WHERE chunk = 1 AND namespace = 'core'`, data)
	check(t, err)
	w, change := begin(t, s, whole, part(whole, inWave(3)).Respondents)
	var damaged *DamagedError
	if _, err := w.Commit(t.Context(), change); !errors.As(err, &damaged) {
		t.Error("Commit:", err)
	}
	check(t, w.Abort())
	same(t, s, reference(t, st))
}

// Codes are what columns, weights and chunks are known by: a survey that lists everything in another order finds what
// was stored, and what it leaves out is there again when it comes back.
func TestImportRenumbered(t *testing.T) {
	st := synthetic(11, 800)
	s := openStore(t, Memory, Config{})
	publish(t, s, st, st.Respondents)
	f, err := s.Frame(t.Context())
	check(t, err)
	everything := queries(f)
	answer := func() [][]*audience.Table {
		t.Helper()
		f, err := s.Frame(t.Context())
		check(t, err)
		qs := slices.Clone(everything)
		for i := range qs {
			qs[i].Strata = strata(f, false) // their bits are those of the frame
		}
		tables, err := s.Count(t.Context(), f.Version, qs)
		check(t, err)
		return tables
	}
	want := answer()

	turned := *st.Survey
	turned.Questions, turned.Locations, turned.Waves = slices.Clone(turned.Questions), slices.Clone(turned.Locations),
		slices.Clone(turned.Waves)
	slices.Reverse(turned.Questions)
	slices.Reverse(turned.Locations)
	for i := range turned.Questions {
		q := &turned.Questions[i]
		q.Datapoints, q.Suffixes = slices.Clone(q.Datapoints), slices.Clone(q.Suffixes)
		slices.Reverse(q.Datapoints)
		slices.Reverse(q.Suffixes)
	}
	change := func(sv *audience.Survey, c audience.Coverage) {
		t.Helper()
		base, err := s.Release(t.Context())
		check(t, err)
		w, err := s.Begin(t.Context(), base, sv)
		check(t, err)
		frame, err := audience.NewFrame(0, sv, c)
		check(t, err)
		_, err = w.Commit(t.Context(), survey.Change{Frame: frame})
		check(t, err)
	}
	coverage := f.Coverage()
	coverage.Asked = slices.Clone(coverage.Asked)
	slices.Reverse(coverage.Asked)
	coverage.Numbers = slices.Clone(coverage.Numbers)
	slices.Reverse(coverage.Numbers)
	for i := range coverage.Asked {
		coverage.Asked[i] = slices.Clone(coverage.Asked[i])
		slices.Reverse(coverage.Asked[i])
	}
	change(&turned, coverage)
	if diff := cmp.Diff(want, answer()); diff != "" {
		t.Error("in another order:", diff)
	}
	less, few := turned, coverage
	less.Questions, few.Asked = less.Questions[1:2], coverage.Asked[1:2]
	few.Numbers = nil
	change(&less, few)
	change(st.Survey, f.Coverage())
	if diff := cmp.Diff(want, answer()); diff != "" {
		t.Error("after some questions were gone for a version:", diff)
	}
}

// An import that was taken for dead can't do harm: it fails.
func TestImportTakenForDead(t *testing.T) {
	st := synthetic(6, 500)
	s := openStore(t, Memory, Config{})
	w, change := begin(t, s, st, st.Respondents)
	_, err := s.write.Exec(`DELETE FROM import`)
	check(t, err)
	if _, err := w.Commit(t.Context(), change); !errors.Is(err, errGone) {
		t.Error("Commit:", err)
	}
	check(t, w.Abort())
	publish(t, s, st, st.Respondents)
	same(t, s, reference(t, st))
}

// An import is not taken for dead by who opens the store through a link.
func TestImportBesideLink(t *testing.T) {
	st := synthetic(6, 500)
	path := filepath.Join(t.TempDir(), "store.db")
	link := filepath.Join(t.TempDir(), "link.db")
	s := openStore(t, path, Config{})
	if err := os.Symlink(path, link); err != nil {
		t.Skip("links can't be made here:", err)
	}
	w, change := begin(t, s, st, st.Respondents)
	other := openStore(t, link, Config{})
	_, err := w.Commit(t.Context(), change)
	check(t, err)
	same(t, other, reference(t, st))
}

// Two stores of one file see each other's commits at the next request; one that was asked about a version that is gone
// says so.
func TestTwoStores(t *testing.T) {
	alone(t)
	whole := synthetic(7, testsize.Of(300, 1200, 1200))
	st := part(whole, firstWaves)
	path := filepath.Join(t.TempDir(), "store.db")
	a, b := openStore(t, path, Config{}), openStore(t, path, Config{ReadOnly: true})
	for i, step := range []func(){
		func() { publish(t, a, st, st.Respondents) },
		func() { publish(t, a, whole, part(whole, inWave(3)).Respondents) },
		func() { publish(t, a, st, nil, "w4") },
	} {
		old, err := b.Frame(t.Context())
		check(t, err)
		step()
		f, err := b.Frame(t.Context())
		check(t, err)
		if f.Version != uint64(i+1) {
			t.Errorf("version %d instead of %d", f.Version, i+1)
		}
		if _, err := b.Count(t.Context(), old.Version, nil); !errors.Is(err, audience.ErrChanged) {
			t.Error("a Count of the version before:", err)
		}
		want := reference(t, st)
		if i == 1 {
			want = reference(t, whole)
		}
		same(t, a, want)
		same(t, b, want)
	}
	f, err := b.Frame(t.Context())
	check(t, err)
	release, err := a.Release(t.Context())
	check(t, err)
	if diff := cmp.Diff(st.Survey, f.Survey); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(st.Survey, release.Frame.Survey); diff != "" {
		t.Error(diff)
	}
}

// While imports come and go every Count is right for the version it was asked about.
func TestCountDuringImports(t *testing.T) {
	whole := synthetic(9, testsize.Of(300, 1200, 1200))
	st := part(whole, firstWaves)
	path := filepath.Join(t.TempDir(), "store.db")
	a, b := openStore(t, path, Config{ChunkRespondents: 200, CacheBytes: 50_000}), openStore(t, path, Config{})
	publish(t, a, st, st.Respondents)
	odd, even := reference(t, st), reference(t, whole) // by version
	stop := make(chan struct{})
	var wg sync.WaitGroup
	for _, s := range []*Store{a, b} {
		for range 2 {
			wg.Go(func() {
				for n := 0; ; n++ {
					select {
					case <-stop:
						return
					default:
					}
					f, err := s.Frame(t.Context())
					if err != nil {
						t.Error(err)
						return
					}
					got, err := s.Count(t.Context(), f.Version, queries(f))
					want := odd
					if f.Version%2 == 0 {
						want = even
					}
					switch {
					case errors.Is(err, audience.ErrChanged):
					case err != nil:
						t.Error(err)
						return
					case !cmp.Equal(want, got):
						t.Errorf("version %d was counted wrong", f.Version)
						return
					}
				}
			})
		}
	}
	for range testsize.Of(2, 5, 5) {
		publish(t, a, whole, part(whole, inWave(3)).Respondents)
		publish(t, b, st, nil, "w4")
	}
	close(stop)
	wg.Wait()
	same(t, a, odd)
	same(t, b, odd)
}

// A process that is killed in the middle of an import, at whatever moment, leaves the store as it was, and the next
// import removes what it left.
func TestKilledImport(t *testing.T) {
	if path := os.Getenv("CROSSWAVE_KILLED"); path != "" {
		importAndWait(t, path, os.Getenv("CROSSWAVE_MOMENT"))
	}
	alone(t)
	whole := synthetic(10, testsize.Of(375, 1500, 1500))
	st := part(whole, firstWaves)
	path := filepath.Join(t.TempDir(), "store.db")
	s, err := Open(t.Context(), path, Config{})
	check(t, err)
	publish(t, s, st, st.Respondents)
	want, before := reference(t, st), contents(t, s)
	left := 0
	for i, moment := range []string{"added", "stored", "stored", "published"} {
		cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestKilledImport$")
		cmd.Env = append(os.Environ(), "CROSSWAVE_KILLED="+path, "CROSSWAVE_MOMENT="+moment)
		out, err := cmd.StdoutPipe()
		check(t, err)
		check(t, cmd.Start())
		buf := make([]byte, 100)
		n, _ := out.Read(buf)
		if got := string(buf[:n]); !strings.Contains(got, "ready") {
			t.Fatal("the child said", got)
		}
		check(t, cmd.Process.Kill())
		cmd.Wait()
		same(t, s, want)
		if contents(t, s) != before {
			left++
		}
		if i == 1 { // a store that was open all the time cleans up when it imports
			w, _ := begin(t, s, whole, nil)
			check(t, w.Abort())
		} else { // others when they are opened
			check(t, s.Close())
			s, err = Open(t.Context(), path, Config{})
			check(t, err)
		}
		if after := contents(t, s); after != before {
			t.Errorf("killed when it had %s: before %s, after %s", moment, before, after)
		}
		same(t, s, want)
	}
	if left == 0 {
		t.Error("no import was killed with anything to leave")
	}
	publish(t, s, whole, part(whole, inWave(3)).Respondents)
	same(t, s, reference(t, whole))
	check(t, s.Close())
}

// importAndWait is what the process does that is killed.
func importAndWait(t *testing.T, path, moment string) {
	whole := synthetic(10, testsize.Of(375, 1500, 1500))
	s, err := Open(t.Context(), path, Config{ChunkRespondents: 20})
	check(t, err)
	w, change := begin(t, s, whole, part(whole, inWave(3)).Respondents)
	store := func(ctx context.Context, publish bool) error {
		return s.update(ctx, func(tx *sql.Tx) error {
			w := w.(*writer)
			w.mu.Lock()
			defer w.mu.Unlock()
			if !publish {
				return w.storeBuilt(ctx, tx)
			}
			if err := w.publish(ctx, tx, change); err != nil {
				return err
			}
			fmt.Println("ready")
			select {} // with everything written but the commit itself
		})
	}
	switch moment {
	case "stored":
		check(t, store(t.Context(), false))
	case "published":
		check(t, store(t.Context(), true))
	}
	fmt.Println("ready")
	select {}
}
