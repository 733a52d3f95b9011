package httpapi_test

import (
	"context"
	"iter"
	"log/slog"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/httpapi"
	"github.com/crosswave/crosswave/internal/testsize"
	"github.com/crosswave/crosswave/store/demo"
	"github.com/crosswave/crosswave/store/sqlite"
	"github.com/crosswave/crosswave/store/survey"
	"github.com/crosswave/crosswave/store/survey/decimal"
)

// shuffled is a source whose respondents come in another order.
type shuffled struct {
	survey.Source
	seed uint64
}

func (s shuffled) Respondents(ctx context.Context) iter.Seq2[*survey.Batch, error] {
	return func(yield func(*survey.Batch, error) bool) {
		var all []survey.Respondent
		for b, err := range s.Source.Respondents(ctx) {
			if err != nil {
				yield(nil, err)
				return
			}
			for _, r := range b.Respondents {
				r.ID = strings.Clone(r.ID)
				r.Weights, r.Attributes, r.Answered = slices.Clone(r.Weights), slices.Clone(r.Attributes), slices.Clone(r.Answered)
				r.Numbers = slices.Clone(r.Numbers)
				all = append(all, r)
			}
		}
		rand.New(rand.NewPCG(s.seed, 0)).Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
		for part := range slices.Chunk(all, 1+len(all)/7) {
			if !yield(&survey.Batch{Respondents: part}, nil) {
				return
			}
		}
	}
}

func imported(t *testing.T, config sqlite.Config, sources ...survey.Source) *sqlite.Store {
	t.Helper()
	db, err := sqlite.Open(t.Context(), sqlite.Memory, config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	for i, s := range sources {
		o := survey.Options{}
		if i > 0 {
			o.Mode = survey.Append
		}
		if _, err := survey.Import(t.Context(), s, db, o); err != nil {
			t.Fatal(err)
		}
	}
	return db
}

// everything is a crosstab of a demo store over ragged coverage: wave and location columns, both namespaces, suffixes,
// min_count, a reworded question; and of a part of it, how sure it is.
func everything(t *testing.T, db *sqlite.Store) string {
	t.Helper()
	f, err := db.Frame(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var rows, columns []string
	for i := range f.Questions {
		q := &f.Questions[i]
		leaf := audience.Answers{Question: q.Key(), Datapoints: []string{q.Datapoints[len(q.Datapoints)/2].Code}}
		if q.Grid() {
			leaf.Suffixes = []int{q.Suffixes[0].Code}
		}
		rows = append(rows, `{"expression":`+string(audience.Print(leaf))+`}`)
		if len(q.Datapoints) > 3 {
			rows = append(rows, `{"expression":`+
				string(audience.Print(audience.Not{X: audience.Answers{Question: q.Key(), Min: 2}}))+`}`)
		}
	}
	for _, w := range f.Waves {
		columns = append(columns, `{"expression":`+string(audience.Print(audience.Waves{Codes: []string{w.Code}}))+`}`)
	}
	for _, l := range f.Locations {
		columns = append(columns, `{"expression":`+string(audience.Print(audience.Locations{Codes: []string{l.Code}}))+`}`)
	}
	columns = append(columns, rows[:6]...)
	api, err := httpapi.New(httpapi.Config{Store: db, Authorize: authorize, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	waves := `"` + strings.Join(codesOf(f), `","`) + `"`
	body := func(rows []string, more string) string {
		return `{"rows":[` + strings.Join(rows, ",") + `],"columns":[` + strings.Join(columns, ",") + `],"waves":[` + waves +
			`]` + more + `}`
	}
	streams := ""
	for _, body := range []string{body(rows, ""),
		body(rows[:10], `,"statistics":{"compare":["rest","previous","columns"],"correction":"fdr"}`)} {
		w := post(t, api, "/v2/query/crosstab", "full", body)
		if w.Code != 200 {
			t.Fatal(w.Code, w.Body)
		}
		streams += w.Body.String()
	}
	for _, body := range []string{`{"question":"groceries","splitter":"waves"}`,
		`{"question":"steps","quantiles":[2.5,50,97.5],"audiences":[` + strings.Join(rows[:6], ",") +
			`],"statistics":{"compare":["rest","audiences"],"pairs":true}}`} {
		w := post(t, api, "/v2/query/summary", "full", body)
		if w.Code != 200 {
			t.Fatal(w.Code, w.Body)
		}
		streams += w.Body.String()
	}
	return streams
}

func codesOf(f *audience.Frame) (codes []string) {
	for _, w := range f.Waves {
		codes = append(codes, w.Code)
	}
	return codes
}

// The same respondents give the same bytes, in whatever order, chunks and portions they come and with whatever threads
// and kernel they are counted.
func TestIdenticalStreams(t *testing.T) {
	n := testsize.Of(800, 3000, 12_000)
	generated := func(waves ...string) survey.Source {
		return demo.New(demo.Config{Seed: 7, Respondents: n, Only: waves})
	}
	whole := imported(t, sqlite.Config{Threads: 1}, generated())
	want := everything(t, whole)
	if n := strings.Count(want, "\n"); n < 1000 {
		t.Fatalf("only %d cells", n)
	}
	f, err := whole.Frame(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var waveByWave []survey.Source
	for _, w := range f.Waves {
		waveByWave = append(waveByWave, generated(w.Code))
	}
	units := unitChanges(t, waveByWave)
	if units == 0 {
		t.Error("no wave changes the unit of weights: the test does not see whether integers are made anew")
	}
	type made struct {
		config  sqlite.Config
		sources []survey.Source
		quick   bool // the short tests have it, too: several threads
	}
	for name, m := range map[string]made{
		"shuffled":    {sqlite.Config{Threads: 1}, []survey.Source{shuffled{generated(), 1}}, false},
		"two threads": {sqlite.Config{Threads: 2}, []survey.Source{generated()}, false},
		"small chunks": {sqlite.Config{Threads: 2, ChunkRespondents: 192},
			[]survey.Source{shuffled{generated(), 2}}, true},
		"the Go kernel":            {sqlite.Config{Threads: 1, Kernel: "go"}, []survey.Source{generated()}, false},
		"wave by wave":             {sqlite.Config{}, waveByWave, false},
		"wave by wave, last first": {sqlite.Config{}, reversed(waveByWave), false},
	} {
		if testing.Short() && !m.quick {
			continue
		}
		db := imported(t, m.config, m.sources...)
		if got := everything(t, db); got != want {
			a, b := strings.Split(want, "\n"), strings.Split(got, "\n")
			for i := range a {
				if i >= len(b) || a[i] != b[i] {
					t.Errorf("%s: line %d differs\n%s\n%s", name, i, a[i], b[min(i, len(b)-1)])
					break
				}
			}
		}
	}
}

func reversed(sources []survey.Source) []survey.Source {
	out := slices.Clone(sources)
	slices.Reverse(out)
	return out
}

// unitChanges counts the waves whose weights have more decimals than all before them.
func unitChanges(t *testing.T, waves []survey.Source) (changes int) {
	most := -100
	for i, s := range waves {
		here := -100
		for b, err := range s.Respondents(t.Context()) {
			if err != nil {
				t.Fatal(err)
			}
			for _, r := range b.Respondents {
				if w := r.Weights[0]; w != (decimal.Decimal{}) {
					here = max(here, w.Decimals())
				}
			}
		}
		if here > most && i > 0 {
			changes++
		}
		most = max(most, here)
	}
	return changes
}

// A cell has the same bytes asked alone and among others.
func TestCellAloneAndAmongOthers(t *testing.T) {
	alone(t)
	db := imported(t, sqlite.Config{}, demo.New(demo.Config{Seed: 3, Respondents: 6000}))
	api, err := httpapi.New(httpapi.Config{Store: db, Authorize: authorize})
	if err != nil {
		t.Fatal(err)
	}
	f, err := db.Frame(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var rows, columns []string
	for i := range 10 {
		q, p := &f.Questions[i*len(f.Questions)/10], &f.Questions[(i*len(f.Questions)/10+5)%len(f.Questions)]
		rows = append(rows, `{"expression":`+
			string(audience.Print(audience.Answers{Question: q.Key(), Datapoints: []string{q.Datapoints[0].Code}}))+`}`)
		columns = append(columns, `{"expression":`+
			string(audience.Print(audience.Answers{Question: p.Key(), Datapoints: []string{p.Datapoints[1].Code}}))+`}`)
	}
	ask := func(rows, columns []string) []string {
		w := post(t, api, "/v2/query/crosstab", "full", `{"rows":[`+strings.Join(rows, ",")+`],"columns":[`+
			strings.Join(columns, ",")+`],"statistics":{}}`)
		if w.Code != 200 {
			t.Fatal(w.Code, w.Body)
		}
		return strings.Split(strings.TrimSpace(w.Body.String()), "\n")
	}
	all := ask(rows, columns)
	for i := range rows {
		for j := range columns {
			figures := func(line string) string { return line[:strings.Index(line, `,"row":{"expression`)] }
			alone := ask(rows[i:i+1], columns[j:j+1])[0]
			if a, b := figures(alone), figures(all[i*len(columns)+j]); a != b {
				t.Errorf("row %d × column %d\nalone %s\namong %s", i, j, a, b)
			}
		}
	}
}
