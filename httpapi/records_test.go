package httpapi_test

import (
	"encoding/json"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/crosswave/crosswave/httpapi"
	"github.com/crosswave/crosswave/internal/testsize"
)

// records are good bodies of the endpoints that read and write records, to be spoilt.
var records = []struct{ method, path, body string }{
	{"POST", "/v3/questions/filter",
		`{"include":{"categories":true,"datapoints":true,"taxonomy_paths":false},"questions":[{"namespace_code":"core","question":"use"},{"question":"age"},{"namespace_code":"shop"}]}`},
	{"POST", "/v2/locations/filter",
		`{"include":{"regions":true},"namespaces":[{"code":"core"},{"code":"shop"}],"waves":[{"code":"w1"}]}`},
	{"POST", "/v2/waves/filter", `{"namespaces":[{"code":"core"}],"locations":[{"code":"north"}]}`},
	{"POST", "/v2/namespaces/filter",
		`{"namespaces":[{"code":"core"}],"waves":[{"code":"w1"}],"locations":[{"code":"north"}]}`},
	{"POST", "/v2/categories/filter", `{"categories":[{"id":"2"},{"id":"24"}]}`},
	{"POST", "/v2/datasets/filter", `{"datasets":[{"code":"whole"}]}`},
	{"POST", "/v3/insights/filter",
		`{"filters":{"categories":[23,24],"is_trending":true,"types":["report","chart"]},"limit":10,"offset":0,"order":"desc","order_by":"name","total":7}`},
	{"POST", "/v2/saved/audiences",
		`{"name":"N","expression":{"or":[{"question":"use","datapoints":["tv"],"suffixes":["1",2],"min_count":1},{"question":"waves","datapoints":["w1"]}],"not":true},"datasets":["whole"],"flags":["isP2"],"position":1.5,"shared":false,"folder_id":null}`},
	{"PATCH", savedPath,
		`{"name":"N","expression":{"and":[{"question":"gender","options":["f"]}]},"datasets":["whole"],"flags":["isP2","authored"],"folder":0,"folder_id":"00000000-0000-0000-0000-000000000000","position":-1.5,"shared":true,"id":"x","v1_id":3,"updated_at":"now"}`},
}

// Malformed bodies are answered with 4xx in the shape of the group, never 5xx, and what they were to change stays as it
// was.
func TestMalformedRecords(t *testing.T) {
	alone(t)
	const seed = 20250101
	r := rand.New(rand.NewPCG(seed, 2))
	api := savedAPI(t, httpapi.Limits{Body: 64 << 10})
	ask := func(method, path, body string) *httptest.ResponseRecorder {
		q := httptest.NewRequestWithContext(t.Context(), method, path, strings.NewReader(body))
		q.Header.Set("Authorization", "full")
		w := httptest.NewRecorder()
		api.ServeHTTP(w, q)
		return w
	}
	bodies := testsize.Of(50, 200, 1000)
	for _, record := range records {
		if w := ask(record.method, record.path, record.body); w.Code >= 300 {
			t.Errorf("%s %s: the good body is answered with %d %s", record.method, record.path, w.Code, w.Body)
		}
		spoilt := hostile()
		for range bodies {
			spoilt = append(spoilt, spoil(r, record.body))
		}
		for _, body := range spoilt {
			before := ask("GET", "/v2/saved/audiences", "").Body.String()
			w := ask(record.method, record.path, body)
			if w.Code < 300 {
				continue
			}
			var answer struct {
				Code      int
				Err, Type string
			}
			if err := json.Unmarshal(w.Body.Bytes(), &answer); err != nil || answer.Code != w.Code ||
				answer.Err == "" || answer.Type == "" || w.Code < 400 || w.Code > 499 || w.Code == http.StatusNotFound {
				t.Fatalf("seed %d: %s %s answers %d %s to %q (%v)", seed, record.method, record.path, w.Code, w.Body, body, err)
			}
			if after := ask("GET", "/v2/saved/audiences", "").Body.String(); after != before {
				t.Fatalf("seed %d: %s %s answers %d to %q and changes\n%s\ninto\n%s", seed, record.method, record.path,
					w.Code, body, before, after)
			}
		}
	}
}
