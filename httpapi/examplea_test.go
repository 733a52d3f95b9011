package httpapi_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"os"
	"path/filepath"
	"testing"

	"github.com/crosswave/crosswave/httpapi"
	"github.com/crosswave/crosswave/store/formats/csv"
	"github.com/crosswave/crosswave/store/sqlite"
	"github.com/crosswave/crosswave/store/survey"
)

const exampleA = "../store/storetest/testdata/example-a"

// openExampleA imports example-a into a store in memory.
func openExampleA(t testing.TB, config sqlite.Config) *sqlite.Store {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(exampleA, "codebook.json"))
	if err != nil {
		t.Fatal(err)
	}
	codebook, err := survey.ReadCodebook(text)
	if err != nil {
		t.Fatal(err)
	}
	table, err := csv.Open(filepath.Join(exampleA, "data.csv"), csv.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer table.Close()
	source, err := survey.NewSource(table, codebook, 0)
	if err != nil {
		t.Fatal(err)
	}
	db, err := sqlite.Open(t.Context(), sqlite.Memory, config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	if _, err := survey.Import(t.Context(), source, db, survey.Options{}); err != nil {
		t.Fatal(err)
	}
	return db
}

// figuresCase is a case of figures.json: figures computed row by row with exact fractions.
type figuresCase struct {
	Name          string
	Endpoint      string
	Rows, Columns []json.RawMessage
	Base          json.RawMessage
	Waves         []string
	Locations     []string
	Cells         [][]map[string]any
	Question      string
	Datapoint     string
	Suffixes      []string
	Audience      json.RawMessage
	Splitter      string
	SegmentedBase bool `json:"segmented_base"`
	Segments      map[string]map[string]any
	Expression    json.RawMessage
	Result        map[string]any
}

func figures(t testing.TB) []figuresCase {
	text, err := os.ReadFile(filepath.Join(exampleA, "figures.json"))
	if err != nil {
		t.Fatal(err)
	}
	var doc struct{ Cases []figuresCase }
	if err := json.Unmarshal(text, &doc); err != nil {
		t.Fatal(err)
	}
	return doc.Cases
}

type wrapper struct {
	Expression json.RawMessage `json:"expression"`
}

func wrappers(xs []json.RawMessage) []wrapper {
	var ws []wrapper
	for _, x := range xs {
		ws = append(ws, wrapper{x})
	}
	return ws
}

func base(x json.RawMessage) *wrapper {
	if len(x) == 0 || string(x) == "null" {
		return nil
	}
	return &wrapper{x}
}

func TestExampleAOverHTTP(t *testing.T) {
	api, err := httpapi.New(httpapi.Config{Store: openExampleA(t, sqlite.Config{}), Authorize: authorize})
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]int{}
	for _, c := range figures(t) {
		seen[c.Endpoint]++
		t.Run(c.Name, func(t *testing.T) {
			switch c.Endpoint {
			case "crosstab":
				checkCrosstab(t, api, c)
			case "stats":
				checkStats(t, api, c)
			case "audience_wave_counts":
				checkWaveCounts(t, api, c)
			default:
				t.Fatal("no such endpoint: ", c.Endpoint)
			}
		})
	}
	if seen["crosstab"] == 0 || seen["stats"] == 0 || seen["audience_wave_counts"] == 0 {
		t.Error("cases are missing: ", seen)
	}
}

func ask(t *testing.T, api http.Handler, path string, body any) []byte {
	t.Helper()
	text, err := json.Marshal(body)
	if err != nil {
		t.Fatal(err)
	}
	w := post(t, api, path, "full", string(text))
	if w.Code != http.StatusOK {
		t.Fatalf("%s: %d %s", path, w.Code, w.Body)
	}
	return w.Body.Bytes()
}

func checkCrosstab(t *testing.T, api http.Handler, c figuresCase) {
	stream := ask(t, api, "/v2/query/crosstab", map[string]any{"rows": wrappers(c.Rows), "columns": wrappers(c.Columns),
		"base_audience": base(c.Base), "waves": c.Waves, "locations": c.Locations})
	lines := bufio.NewScanner(bytes.NewReader(stream))
	lines.Buffer(nil, 1<<20)
	n := 0
	for lines.Scan() {
		var got map[string]any
		if err := json.Unmarshal(lines.Bytes(), &got); err != nil {
			t.Fatal(err)
		}
		i, j := int(got["row_index"].(float64))-1, int(got["column_index"].(float64))-1
		same(t, fmt.Sprintf("cell %d,%d", i, j), c.Cells[i][j], got)
		single := ask(t, api, "/v2/query/intersection",
			map[string]any{"audiences": map[string]any{"row": wrapper{c.Rows[i]}, "column": wrapper{c.Columns[j]}},
				"base_audience": base(c.Base), "waves": c.Waves, "locations": c.Locations})
		var one struct{ Data map[string]any }
		if err := json.Unmarshal(single, &one); err != nil {
			t.Fatal(err)
		}
		same(t, fmt.Sprintf("intersection %d,%d", i, j), c.Cells[i][j], one.Data)
		n++
	}
	if want := len(c.Rows) * len(c.Columns); n != want {
		t.Errorf("%d cells, want %d", n, want)
	}
}

func checkStats(t *testing.T, api http.Handler, c figuresCase) {
	body := map[string]any{"question": c.Question, "datapoints": []string{c.Datapoint}, "suffixes": c.Suffixes,
		"splitter": c.Splitter, "segmented_base": c.SegmentedBase, "waves": c.Waves, "locations": c.Locations}
	if a := base(c.Audience); a != nil {
		body["audiences"] = []*wrapper{a}
	}
	var got struct {
		Data []struct {
			Segment string
			Waves   []any
			Metrics map[string]any
		}
	}
	if err := json.Unmarshal(ask(t, api, "/v2/query/stats", body), &got); err != nil {
		t.Fatal(err)
	}
	if len(got.Data) < len(c.Segments) {
		t.Errorf("%d entries, want %d", len(got.Data), len(c.Segments))
	}
	for _, entry := range got.Data {
		want, ok := c.Segments[entry.Segment]
		if !ok {
			continue
		}
		entry.Metrics["waves"] = entry.Waves
		same(t, entry.Segment, want, entry.Metrics)
	}
}

func checkWaveCounts(t *testing.T, api http.Handler, c figuresCase) {
	var got map[string]any
	if err := json.Unmarshal(ask(t, api, "/v3/query/audience_wave_counts", map[string]any{"expression": c.Expression,
		"locations": c.Locations, "waves": c.Waves}), &got); err != nil {
		t.Fatal(err)
	}
	same(t, "result", c.Result, got)
}

// same holds what came against what is expected, member by member: samples and texts equal, all other numbers within
// 1e-9 of their size.
func same(t *testing.T, path string, want, got any) {
	t.Helper()
	switch want := want.(type) {
	case map[string]any:
		g, ok := got.(map[string]any)
		if !ok {
			t.Errorf("%s: %v, want an object", path, got)
			return
		}
		for name, w := range want {
			same(t, path+"."+name, w, g[name])
		}
	case []any:
		g, ok := got.([]any)
		if !ok || len(g) != len(want) {
			t.Errorf("%s: %v, want %v", path, got, want)
			return
		}
		for i, w := range want {
			same(t, fmt.Sprintf("%s[%d]", path, i), w, g[i])
		}
	case float64:
		g, ok := got.(float64)
		whole := filepath.Ext(path) == ".sample" || len(path) > 7 && path[len(path)-7:] == "_sample"
		if !ok || whole && g != want || math.Abs(g-want) > 1e-9*math.Abs(want) {
			t.Errorf("%s: %v, want %v", path, got, want)
		}
	default:
		if want != got {
			t.Errorf("%s: %v, want %v", path, got, want)
		}
	}
}
