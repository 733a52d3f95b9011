package naive_test

import (
	"context"
	"fmt"
	"os/exec"
	"strings"
	"testing"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/internal/testsize"
	"github.com/crosswave/crosswave/store/demo"
	"github.com/crosswave/crosswave/store/naive"
	"github.com/crosswave/crosswave/store/sqlite"
	"github.com/crosswave/crosswave/store/storetest"
	"github.com/crosswave/crosswave/store/survey"
	"github.com/google/go-cmp/cmp"
)

// A store is counted once more from its own source: the demo survey, and random studies of ragged coverage.
func TestLoadFromAStore(t *testing.T) {
	sources := map[string]survey.Source{"demo": demo.New(demo.Config{Respondents: testsize.Of(60, 500, 500)})}
	for seed := range uint64(5) {
		sources[fmt.Sprint("study ", seed)] = storetest.NewRandom(seed).Study().Source()
	}
	for name, source := range sources {
		t.Run(name, func(t *testing.T) {
			db, err := sqlite.Open(t.Context(), sqlite.Memory, sqlite.Config{})
			if err != nil {
				t.Fatal(err)
			}
			defer db.Close()
			if _, err := survey.Import(t.Context(), source, db, survey.Options{}); err != nil {
				t.Fatal(err)
			}
			published, err := db.Source(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			defer published.Close()
			again, err := naive.Load(t.Context(), published)
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(everything(t, db), everything(t, again)); d != "" {
				t.Errorf("the store (-) and the recount (+):\n%s", d)
			}
		})
	}
}

// everything is the coverage of a store and the counts of every datapoint in each fieldwork where it was asked, and of
// every digit of numbers, by text. (A store keeps answers of people of weight 0 where nobody else was asked, which no
// figure covers and its source leaves out.)
func everything(t *testing.T, st audience.Store) map[string]string {
	t.Helper()
	f, err := st.Frame(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{"coverage": fmt.Sprint(f.Coverage())}
	for i, n := range f.Namespaces {
		q := audience.Query{Namespace: n.Code}
		asked := []audience.Cover{f.Fielded(i)} // of each row; the first is everyone
		for k := range f.Questions {
			for d, a := range f.PerDatapoint(k) {
				q.Rows, asked = append(q.Rows, a.Expr), append(asked, f.Asked(k, d))
			}
			numbers := f.Numbers(k)
			for bit := audience.AnyNumber; bit < numbers.Bits; bit++ {
				q.Rows = append(q.Rows, audience.Slice{Question: f.Questions[k].Key(), Bit: bit})
				asked = append(asked, f.Fielded(i))
			}
		}
		for at := range f.Size() {
			c := audience.NewCover(f.Size())
			c.Set(at)
			q.Strata = append(q.Strata, c)
		}
		tables, err := st.Count(t.Context(), f.Version, []audience.Query{q})
		if err != nil {
			t.Fatal(err)
		}
		for at, table := range tables[0] {
			w, l := f.Fieldwork(at)
			for k, c := range table.Counts {
				if !asked[k].Has(at) {
					continue
				}
				out[fmt.Sprint(i, f.Waves[w].Code, f.Locations[l].Code, k)] = fmt.Sprint(c)
			}
		}
	}
	return out
}

// What can't be counted is an error.
func TestInRefuses(t *testing.T) {
	f, err := audience.NewFrame(1, &audience.Survey{Namespaces: []audience.Namespace{{Code: "core"}}}, audience.Coverage{})
	if err != nil {
		t.Fatal(err)
	}
	st, err := naive.New(&survey.Release{Frame: f}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for want, x := range map[string]audience.Expr{
		`there is no question "lost"`:                                audience.Slice{Question: "lost"},
		`there is no question "gone"`:                                audience.Answers{Question: "gone"},
		`an expression of type *audience.Waves can't be counted`:     &audience.Waves{},
		`an expression of type *audience.Answers can't be counted`:   audience.Not{X: &audience.Answers{}},
		`an expression of type *audience.Everyone can't be counted`:  audience.And{&audience.Everyone{}},
		`an expression of type *audience.Locations can't be counted`: audience.Or{&audience.Locations{}},
	} {
		r := &naive.Respondent{}
		if _, err := r.In(f, x); err == nil || err.Error() != want {
			t.Errorf("%T: %v, want %s", x, err, want)
		}
	}
	if tables, err := st.Count(context.Background(), 1, []audience.Query{{Namespace: "core"}}); err != nil {
		t.Errorf("a store of nobody: %v, %v", tables, err)
	}
}

// A store is checked in production, so nothing that is there for tests comes along.
func TestLinksNoTesting(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", "github.com/crosswave/crosswave/store/naive").Output()
	if err != nil {
		t.Fatal(err)
	}
	for dependency := range strings.FieldsSeq(string(out)) {
		if dependency == "testing" || strings.HasPrefix(dependency, "testing/") {
			t.Errorf("it links %s", dependency)
		}
	}
}
