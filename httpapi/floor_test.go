package httpapi_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/httpapi"
	"github.com/crosswave/crosswave/internal/testsize"
	"github.com/crosswave/crosswave/store/storetest"
	"github.com/google/go-cmp/cmp"
)

// TestFloorEverywhere: whatever the scripts ask for figures, somebody with a floor is told the figures that everybody
// is, or that they are withheld, and no sample of one to the floor less one. Crosstab cells are withheld by the rule.
func TestFloorEverywhere(t *testing.T) {
	alone(t)
	doc, err := contract()
	if err != nil {
		t.Fatal(err)
	}
	api, err := httpapi.New(httpapi.Config{Store: ragged(t), Log: slog.New(slog.DiscardHandler),
		Authorize: func(_ context.Context, key string) (httpapi.Caller, error) {
			floor, err := strconv.ParseInt(key, 10, 64)
			grant := audience.All()
			grant.MinSample = floor
			return httpapi.Caller{User: "1", Grant: grant}, err
		}})
	if err != nil {
		t.Fatal(err)
	}
	ask := func(x exchange, key string) (documents []any) {
		r := httptest.NewRequestWithContext(t.Context(), x.method, x.path, strings.NewReader(x.body))
		r.Header.Set("Authorization", key)
		w := httptest.NewRecorder()
		api.ServeHTTP(w, r)
		if w.Code != 200 {
			return nil
		}
		checkContract(t, r, w)
		d := json.NewDecoder(bytes.NewReader(w.Body.Bytes()))
		for {
			var v any
			if err := d.Decode(&v); err == io.EOF {
				return documents
			} else if err != nil {
				t.Fatal(err)
			}
			documents = append(documents, v)
		}
	}
	seen := map[string]*floored{}
	for _, x := range exchanges(t, doc) {
		if x.op == nil || !strings.Contains(x.path, "/query/") && x.op.OperationID != "explore" {
			continue
		}
		open := ask(x, "0")
		for _, floor := range []int64{3, 2, 5}[:testsize.Of(1, 3, 3)] {
			of := seen[x.op.OperationID]
			if of == nil {
				of = &floored{}
				seen[x.op.OperationID] = of
			}
			of.floor, of.test, of.ranked = floor, t, x.op.OperationID == "profile"
			got := ask(x, strconv.FormatInt(floor, 10))
			if len(got) != len(open) {
				t.Fatalf("%s: %d documents instead of %d", x.where, len(got), len(open))
			}
			for i := range got {
				of.compare(fmt.Sprintf("%s with a floor of %d: %d", x.where, floor, i), open[i], got[i])
			}
		}
	}
	for _, operation := range []string{"crosstab", "intersection", "stats", "summary", "profile", "association",
		"waveCountsV2", "waveCountsV3", "explore"} {
		of := seen[operation]
		if of == nil {
			t.Errorf("%s was not asked", operation)
			continue
		}
		t.Logf("%s: %d withheld, %d samples told", operation, of.withheld, of.samples)
		if of.withheld == 0 || of.samples == 0 {
			t.Errorf("%s: %d withheld, %d samples told", operation, of.withheld, of.samples)
		}
	}
}

// floored compares what somebody with a floor is told with what everybody is, and counts what it came upon.
type floored struct {
	test              *testing.T
	floor             int64
	ranked            bool // entries come in an order of their own
	withheld, samples int
}

// unlike are members that are of all that was told, or of single respondents, so that they may differ where figures are
// told; and where nothing is, they stand beside the figures.
var unlike = map[string]bool{"statistics": true, "quantiles": true, "min": true, "max": true, "meta": true}

// echoed are members of a withheld object that are no figures.
var echoed = map[string]bool{"row": true, "column": true, "row_index": true, "column_index": true, "suffixes": true,
	"attribute_key": true, "attribute": true, "audience": true, "coverage": true,
	"per_wave_count": true, "audience_id": true}

func (f *floored) compare(place string, open, got any) {
	switch got := got.(type) {
	case map[string]any:
		before, _ := open.(map[string]any)
		f.cell(place, before, got)
		if got["withheld"] == true {
			f.withheld++
			f.nothing(place, got)
			if waves := got["per_wave_count"]; waves != nil {
				f.compare(place+" per_wave_count", before["per_wave_count"], waves)
			}
			return
		}
		for name, v := range got {
			if n, is := v.(float64); is && (name == "total" || strings.HasSuffix(name, "sample")) &&
				name != "effective_sample" {
				f.samples++
				if 0 < n && n < float64(f.floor) {
					f.test.Errorf("%s %s: %v respondents are told of", place, name, n)
				}
			}
			if !unlike[name] {
				f.compare(place+" "+name, before[name], v)
			}
		}
	case []any:
		before, _ := open.([]any)
		if len(before) != len(got) && !f.ranked {
			f.test.Errorf("%s: %d entries instead of %d", place, len(got), len(before))
			return
		}
		for i := range got {
			if f.ranked {
				f.compare(place, nil, got[i])
			} else {
				f.compare(fmt.Sprint(place, " ", i), before[i], got[i])
			}
		}
	default:
		if open != nil && !f.ranked && !cmp.Equal(open, got) {
			f.test.Errorf("%s: %v instead of %v", place, got, open)
		}
	}
}

// cell holds whether a crosstab cell is withheld against the rule.
func (f *floored) cell(place string, open, got map[string]any) {
	sample := func(v any, names ...string) int64 {
		for _, name := range names {
			v = v.(map[string]any)[name]
		}
		return int64(v.(float64))
	}
	if open["intersect"] == nil {
		return
	}
	base := sample(open, "base", "sample")
	want := base > 0 && storetest.Withheld(f.floor, base, sample(open, "audiences", "row", "sample"),
		sample(open, "audiences", "column", "sample"), sample(open, "intersect", "sample"))
	if is := got["withheld"] == true; is != want && base > 0 { // of nobody it may be so, if that was measured
		f.test.Errorf("%s: withheld is %v", place, is)
	}
}

// nothing finds what is told by an object that is withheld.
func (f *floored) nothing(place string, v any) {
	switch v := v.(type) {
	case map[string]any:
		for name, x := range v {
			switch {
			case echoed[name]:
			case name == "interval" || name == "mean" || name == "rest" && x.(map[string]any)["t"] != nil:
				f.test.Errorf("%s: %s is told", place, name)
			default:
				f.nothing(place+" "+name, x)
			}
		}
	case []any:
		for _, x := range v {
			f.nothing(place, x)
		}
	case float64:
		if v != 0 {
			f.test.Errorf("%s is %v, though withheld", place, v)
		}
	}
}
