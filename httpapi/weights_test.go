package httpapi_test

import (
	"context"
	"encoding/json"
	"iter"
	"math"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/httpapi"
	"github.com/crosswave/crosswave/insights"
	"github.com/crosswave/crosswave/store/sqlite"
	"github.com/crosswave/crosswave/store/survey"
	"github.com/crosswave/crosswave/store/survey/decimal"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// heavy is a survey of one question, whose first respondents weigh the most that a weight may and say yes, and whose
// last weighs something else and says no.
type heavy struct {
	most int // respondents with the largest weight
	last decimal.Decimal
}

const (
	largestWeight = 1<<40 - 1
	largestSum    = 1<<62 - 1
)

func (h heavy) Describe(context.Context) (*audience.Survey, error) {
	return &audience.Survey{
		Waves: []audience.Wave{{Code: "w"}}, Locations: []audience.Location{{Code: "l"}},
		Namespaces: []audience.Namespace{{Code: "core"}},
		Questions: []audience.Question{{Namespace: "core", Code: "q", Kind: audience.Single,
			Datapoints: []audience.Datapoint{{Code: "yes"}, {Code: "no"}}}},
	}, nil
}

func (h heavy) Respondents(context.Context) iter.Seq2[*survey.Batch, error] {
	weigh := []decimal.Decimal{decimal.FromInt(largestWeight)}
	return func(yield func(*survey.Batch, error) bool) {
		var rs []survey.Respondent
		for i := range h.most + 1 {
			r := survey.Respondent{Row: int64(i + 1), ID: strconv.Itoa(i), Weights: weigh, Attributes: []int32{0},
				Answered: []uint64{1}}
			if i == h.most {
				r.Weights, r.Attributes = []decimal.Decimal{h.last}, []int32{1}
			}
			if rs = append(rs, r); len(rs) == 8192 || i == h.most {
				if !yield(&survey.Batch{Respondents: rs}, nil) {
					return
				}
				rs = rs[:0]
			}
		}
	}
}

// TestWeightsAtTheLimits reads figures of the largest weights that can be imported: they are the numbers they should
// be, none is NaN, infinite or wrapped.
func TestWeightsAtTheLimits(t *testing.T) {
	for _, c := range []struct {
		name string
		most int
		last string
		slow bool
	}{
		{"one weight", 1, "0.5", false}, // which is counted as 1
		{"two weights", 2, "1", false},
		{"the sum", 1 << 22, strconv.Itoa(largestSum - largestWeight<<22), true},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.slow && testing.Short() {
				t.Skip("it imports four million respondents, which takes the race detector, run with -short, minutes")
			}
			last, err := decimal.Parse(c.last, false)
			if err != nil {
				t.Fatal(err)
			}
			weigh(t, heavy{c.most, last}, math.Round(last.Float64()))
		})
	}
}

// weigh imports a survey and reads its figures over HTTP.
func weigh(t *testing.T, h heavy, last float64) {
	db, err := sqlite.Open(t.Context(), sqlite.Memory, sqlite.Config{})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := survey.Import(t.Context(), h, db, survey.Options{}); err != nil {
		t.Fatal(err)
	}
	const origin = `{"attribute_key": {"question_code": "q", "datapoint_code": "yes"}}`
	published, err := insights.Read([]byte(`{"insights": [], "generic": [{"id": "i", "text": "Yes.", "origins": ` +
		`{"attributes": [` +
		origin + `], "audiences": [{"id": "yes", "expression": {"question": "q", "datapoints": ["yes"]}}]}}]}`))
	if err != nil {
		t.Fatal(err)
	}
	if err := db.PutInsights(t.Context(), published, false); err != nil {
		t.Fatal(err)
	}
	api, err := httpapi.New(httpapi.Config{Store: db, Authorize: authorize})
	if err != nil {
		t.Fatal(err)
	}
	yes := float64(h.most) * largestWeight
	whole := yes + last
	near := cmpopts.EquateApprox(1e-12, 0)

	var cell struct {
		Base      struct{ Size float64 }
		Intersect struct{ Size, Percentage, Index float64 }
	}
	body := `{"rows": [{"expression": {"question": "q", "datapoints": ["yes"]}}], "columns": [{"expression": ` +
		`{"question": ` +
		`"q", "datapoints": ["yes"]}}]}`
	read(t, api, http.MethodPost, "/v2/query/crosstab", body, &cell)
	want := cell
	want.Base.Size, want.Intersect.Size = whole, yes
	want.Intersect.Percentage, want.Intersect.Index = 100*yes/whole, 100*whole/yes
	if diff := cmp.Diff(want, cell, near); diff != "" {
		t.Error("crosstab:", diff)
	}
	var explored struct {
		Calculations []struct {
			Calculations []struct {
				Size              int64
				Percentage, Index float64
			}
		} `json:"question_calculations"`
	}
	read(t, api, http.MethodGet, "/v1/insights-api/generic/insights/i", "", &explored)
	if len(explored.Calculations) != 1 || len(explored.Calculations[0].Calculations) != 1 {
		t.Fatalf("explored: %+v", explored)
	}
	if got := explored.Calculations[0].Calculations[0]; got.Size != int64(yes) || got.Percentage != 100 ||
		math.Abs(got.Index-100*whole/yes) > 1e-9 {
		t.Errorf("explored: %+v, want a size of %d", got, int64(yes))
	}
}

// read asks and reads the answer, which must be one of numbers.
func read(t *testing.T, api http.Handler, method, path, body string, into any) {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), method, path, strings.NewReader(body))
	r.Header.Set("Authorization", "full")
	w := httptest.NewRecorder()
	api.ServeHTTP(w, r)
	if err := json.Unmarshal(w.Body.Bytes(), into); err != nil || w.Code != http.StatusOK {
		t.Fatalf("%s: %d %v\n%s", path, w.Code, err, w.Body)
	}
}
