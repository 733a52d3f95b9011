package clickhouse_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/httpapi"
	"github.com/crosswave/crosswave/store/clickhouse"
	"github.com/crosswave/crosswave/store/clickhouse/clickhousetest"
	"github.com/crosswave/crosswave/store/demo"
	"github.com/crosswave/crosswave/store/sqlite"
	"github.com/crosswave/crosswave/store/survey"
)

// crosstab is the body of a bulk crosstab, as served.
func crosstab(t *testing.T, store httpapi.Store, counter audience.Counter, body []byte) []byte {
	t.Helper()
	h, err := httpapi.New(httpapi.Config{Store: store, Counter: counter, Authorize: func(context.Context,
		string) (httpapi.Caller, error) {
		return httpapi.Caller{User: "1", Grant: audience.All()}, nil
	}})
	if err != nil {
		t.Fatal(err)
	}
	w := httptest.NewRecorder()
	r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/v2/query/crosstab", bytes.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	h.ServeHTTP(w, r)
	if w.Code != http.StatusOK {
		t.Fatalf("status %d: %s", w.Code, w.Body)
	}
	return w.Body.Bytes()
}

// Crosstab streams are the same, byte for byte, whoever keeps the respondents.
func TestSameBytes(t *testing.T) {
	heavy(t)
	embedded, err := sqlite.Open(t.Context(), sqlite.Memory, sqlite.Config{})
	if err != nil {
		t.Fatal(err)
	}
	defer embedded.Close()
	load(t, embedded, 4000)
	f, err := embedded.Frame(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	type named struct {
		ID         string `json:"id"`
		Name       string `json:"name"`
		Expression any    `json:"expression"`
	}
	list := func(from, to int) (out []named) {
		for _, q := range f.Questions[from:to] {
			out = append(out, named{q.Key(), q.Name, map[string]any{"question": q.Key(),
				"datapoints": []string{q.Datapoints[0].Code}}})
		}
		for _, w := range f.Waves {
			out = append(out, named{w.Code, w.Name, map[string]any{"question": "waves", "datapoints": []string{w.Code}}})
		}
		return out
	}
	body, err := json.Marshal(map[string]any{"rows": list(0, 20), "columns": list(20, 30)})
	if err != nil {
		t.Fatal(err)
	}
	want := crosstab(t, embedded, nil, body)
	t.Logf("%d bytes", len(want))
	for _, mode := range modes {
		p := open(t, sqlite.Memory, clickhouse.Config(mode.config(cluster(t))))
		load(t, p, 4000)
		if got := crosstab(t, p.embedded, p, body); !bytes.Equal(got, want) {
			t.Errorf("%s: the stream differs from the embedded store's", mode.name)
		}
	}
}

// Respondents can be loaded in one mode and counted in the other.
func TestModesMixed(t *testing.T) {
	heavy(t)
	all := cluster(t)
	path := filepath.Join(t.TempDir(), "store.db")
	added := open(t, path, clickhouse.Config{Addresses: addresses(all)})
	distributed := open(t, path, clickhouse.Config{Addresses: addresses(all), Cluster: clickhousetest.Cluster})
	load(t, added, 2000)
	if diff := cmp.Diff(count(t, added, 5), count(t, distributed, 5)); diff != "" {
		t.Errorf("the Distributed table counts otherwise (-addresses +Distributed):\n%s", diff)
	}
	r, err := added.Release(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	// More attributes come in than the columns there are take.
	src := more{demo.New(demo.Config{Seed: 1, Respondents: 2000, Only: []string{r.Frame.Waves[0].Code}})}
	if _, err := survey.Import(t.Context(), src, added, survey.Options{Mode: survey.Replace,
		ReplaceWaves: []string{r.Frame.Waves[0].Code}}); err != nil {
		t.Fatal(err)
	}
	f, err := added.Frame(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	q := square(t, f, 1)
	q.Rows = []audience.Expr{audience.Answers{Question: f.Namespaces[0].Code + ".more"}}
	want, err := added.Count(t.Context(), f.Version, []audience.Query{q})
	if err != nil {
		t.Fatal(err)
	}
	got, err := distributed.Count(t.Context(), f.Version, []audience.Query{q})
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("error %v (-addresses +Distributed):\n%s", err, diff)
	}
}

// more is a source with one more question, of many datapoints, which nobody answers.
type more struct{ survey.Source }

func (m more) Describe(ctx context.Context) (*audience.Survey, error) {
	sv, err := m.Source.Describe(ctx)
	if err != nil {
		return nil, err
	}
	out := *sv
	q := audience.Question{Namespace: sv.Namespaces[0].Code, Code: "more", Kind: audience.Multi}
	for i := range 200 {
		q.Datapoints = append(q.Datapoints, audience.Datapoint{Code: fmt.Sprint(i)})
	}
	out.Questions = append(slices.Clone(sv.Questions), q)
	return &out, nil
}

func (m more) Respondents(ctx context.Context) iter.Seq2[*survey.Batch, error] {
	return func(yield func(*survey.Batch, error) bool) {
		sv, err := m.Describe(ctx)
		if err != nil {
			yield(nil, err)
			return
		}
		words := (survey.NewLayout(sv).Items() + 63) / 64
		for b, err := range m.Source.Respondents(ctx) {
			if err == nil {
				for i := range b.Respondents {
					answered := make([]uint64, words)
					copy(answered, b.Respondents[i].Answered)
					b.Respondents[i].Answered = answered
				}
			}
			if !yield(b, err) {
				return
			}
		}
	}
}
