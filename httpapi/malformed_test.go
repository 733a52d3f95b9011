package httpapi_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"strings"
	"testing"

	"github.com/crosswave/crosswave/httpapi"
	"github.com/crosswave/crosswave/internal/testsize"
)

// valid are bodies that are answered with 200, to be spoilt.
var valid = map[string][]string{
	"/v2/query/crosstab": {
		`{"rows":[{"id":"a","expression":{"question":"gender","datapoints":["f"]}},{"expression":{"or":[{"question":"use","suffixes":["1"],"min_count":2},{"question":"age"}],"not":true}}],"columns":[{"name":"x","expression":{"and":[{"question":"brands"},{"question":"waves","datapoints":["w1"]}]}}],"waves":["w1","w2"],"locations":["north"],"base_audience":{"expression":{"question":"mood_old","options":["good"]}}}`,
		`{"rows":[{"expression":{"question":"shop.visit"}}],"coverage":true}`,
		`{"columns":[{"expression":{"question":"waves","datapoints":["w1"]}},{"id":"w","expression":{"question":"waves","options":["w2"]}}],"matched":true,"coverage":false}`,
		`{"rows":[{"expression":{"question":"gender"}}],"statistics":{"level":95,"compare":["rest","columns","previous"],"pairs":true,"correction":"holm","low_base":{"rule":"sample","withhold":30,"caution":100}}}`,
	},
	"/v2/query/intersection": {
		`{"audiences":{"row":{"expression":{"question":"gender"}},"column":{"expression":{"question":"age","datapoints":["old"]}}},"waves":["w2"],"coverage":true}`,
		`{"audiences":{"row":{"expression":{"question":"gender"}}},"statistics":{"compare":["rest"],"low_base":{"rule":"nchs"}}}`,
	},
	"/v2/query/stats": {
		`{"question":"use","datapoints":["phone"],"suffixes":["1",2],"splitter":"brands","segments":["b1"],"segmented_base":true,"audiences":[{"id":"a","expression":{"question":"gender"}}],"locations":["north"],"waves":["w2"],"base_audience":{"expression":{"question":"age"}},"coverage":true}`,
		`{"question":"brands","splitter":"waves","statistics":{"level":99,"compare":["rest","previous","audiences","segments"],"correction":"fdr","pairs":true}}`,
	},
	"/v2/query/summary": {
		`{"question":"use","datapoints":["phone"],"suffixes":["1",2],"quantiles":[25,50,99.5],"splitter":"brands","segments":["b1"],"segmented_base":true,"audiences":[{"id":"a","expression":{"question":"gender"}}],"locations":["north"],"waves":["w2"],"base_audience":{"expression":{"question":"age"}},"coverage":true,"statistics":{"level":99,"compare":["rest","previous","audiences","segments"],"pairs":true}}`,
	},
	"/v2/query/association": {
		`{"rows":{"question":"gender"},"columns":{"question":"use","datapoints":["tv"]},"locations":["north"],"waves":["w2"],"base_audience":{"expression":{"question":"age"}},"coverage":true}`,
	},
	"/v2/query/profile": {
		`{"audience":{"id":"a","expression":{"question":"gender","datapoints":["f"]}},"base_audience":{"expression":{"question":"age"}},"questions":["brands","core.use"],"waves":["w2"],"locations":["north"],"min_sample":2,"false_discovery":10,"order_by":"index","direction":"over","limit":3,"offset":1,"coverage":true,"statistics":{"level":90,"low_base":{"rule":"sample","withhold":2,"caution":3}}}`,
		`{"audience":{"expression":{"question":"use","suffixes":["1"],"not":true}},"limit":2}`,
	},
	"/v2/query/audience_wave_counts": {
		`{"and":[{"question":"gender","options":["f"]},{"question":"use","suffixes":["1"],"not":true}]}`,
	},
	"/v3/query/audience_wave_counts": {
		`{"expression":{"or":[{"question":"gender","datapoints":["f"]},{"question":"brands","min_count":2}]},"locations":["north"],"waves":["w1","w2"],"coverage":true,"matched":true}`,
	},
}

// spoil makes something else of a body. It may happen to be a good body still.
func spoil(r *rand.Rand, body string) string {
	b := []byte(body)
	words := []string{"null", "true", "-1", "1e999", "[]", "{}", `""`, `"no_such"`, `{"question":"no_such"}`, "[[[[",
		`"rows":[],`, "\x00", "\xff", `\ud800`, "1.5", "99999999999999999999", `"and":[{}],`, `"not":true,`}
	for range 1 + r.IntN(3) {
		switch at := r.IntN(len(b)); r.IntN(6) {
		case 0: // a byte changes
			b[at] = byte(r.IntN(256))
		case 1: // a piece goes
			b = append(b[:at:at], b[min(len(b), at+1+r.IntN(12)):]...)
		case 2: // a piece comes twice
			b = append(b[:at:at], append(bytes.Clone(b[at:min(len(b), at+1+r.IntN(30))]), b[at:]...)...)
		case 3: // a word comes in
			b = append(b[:at:at], append([]byte(words[r.IntN(len(words))]), b[at:]...)...)
		case 4: // a value becomes another
			if i := bytes.IndexByte(b[at:], ':'); i >= 0 {
				at += i + 1
				b = append(b[:at:at], append([]byte(words[r.IntN(len(words))]), b[min(len(b), at+1+r.IntN(10)):]...)...)
			}
		case 5: // a name becomes another
			b = bytes.Replace(b, []byte(`"question"`), []byte([]string{`"questions"`, `"Question"`, `"datapoints"`,
				`"id"`}[r.IntN(4)]), 1)
		}
		if len(b) == 0 {
			b = []byte("{")
		}
	}
	return string(b)
}

// hostile are bodies that mean harm.
func hostile() []string {
	return []string{
		strings.Repeat("[", 30_000), strings.Repeat(`{"and":`, 4_000), strings.Repeat(`{"rows":[`, 3_000), `{"rows":` +
			strings.Repeat("[", 10_000) + strings.Repeat("]", 10_000) + `}`,
		`{"rows":[{"expression":` + strings.Repeat(`{"and":[`, 90) + `{"question":"gender"}` + strings.Repeat(`]}`,
			90) + `}]}`,
		`{"rows":[{"expression":{"question":"gender","datapoints":[` + strings.Repeat(`"f",`, 6_000) + `"nope"]}}]}`,
		"", " ", "\xef\xbb\xbf{}", "{}{}", "{} x", `{"rows":1}`, `{"rows":[1]}`, `[]`, `"text"`, `0`, `{"waves":"w1"}`,
		`{"waves":[1]}`, `{"locations":[null]}`,
	}
}

// Ten thousand malformed bodies are answered with 4xx that names the place, never 5xx, and change nothing.
func TestMalformedBodies(t *testing.T) {
	alone(t)
	db := ragged(t)
	api, err := httpapi.New(httpapi.Config{Store: db, Authorize: authorize, Log: slog.New(slog.DiscardHandler),
		Limits: httpapi.Limits{Body: 64 << 10}})
	if err != nil {
		t.Fatal(err)
	}
	const seed = 20240229
	r := rand.New(rand.NewPCG(seed, 1))
	before := post(t, api, "/v2/query/crosstab", "full", valid["/v2/query/crosstab"][0]).Body.String()
	refused, sent := 0, 0
	check := func(path, body string) {
		sent++
		w := post(t, api, path, "full", body)
		switch {
		case w.Code == http.StatusOK:
			return
		case w.Code < 400 || w.Code > 499:
			t.Fatalf("%s answers %d to %q: %s", path, w.Code, body, w.Body)
		}
		refused++
		var answer struct {
			Error     string `json:"error"`
			ErrorType string `json:"error_type"`
			Code      int    `json:"code"`
		}
		if err := json.Unmarshal(w.Body.Bytes(), &answer); err != nil || answer.Code != w.Code || answer.Error == "" ||
			answer.ErrorType == "" {
			t.Fatalf("%s answers %q to %q: %v", path, w.Body, body, err)
		}
		if !names(answer.Error) {
			t.Fatalf("%s does not name the place in %q: %s", path, body, answer.Error)
		}
	}
	spoilt := testsize.Of(150, 800, 4000)
	for path, bodies := range valid {
		for _, body := range hostile() {
			check(path, body)
		}
		for refusedBefore := refused; refused-refusedBefore < spoilt; {
			check(path, spoil(r, bodies[r.IntN(len(bodies))]))
		}
	}
	t.Logf("seed %d: %d bodies sent, %d refused", seed, sent, refused)
	if after := post(t, api, "/v2/query/crosstab", "full", valid["/v2/query/crosstab"][0]).Body.String(); after != before {
		t.Errorf("the store answers otherwise now:\n%s\n%s", before, after)
	}
}

// names tells whether an error names a place: a path, a line and column, or a code of the request.
func names(text string) bool {
	for _, sign := range []string{"line ", "rows", "columns", "base_audience", "audiences", "waves", "locations",
		"not available: ", "the body", "namespaces ", "the expression is empty"} {
		if strings.Contains(text, sign) {
			return true
		}
	}
	first, _, found := strings.Cut(text, ": ")
	return found && (!strings.Contains(first, " ") || strings.Contains(first, `["`))
}

func TestValidBodiesAreValid(t *testing.T) {
	api, err := httpapi.New(httpapi.Config{Store: ragged(t), Authorize: authorize})
	if err != nil {
		t.Fatal(err)
	}
	for path, bodies := range valid {
		for i, body := range bodies {
			if w := post(t, api, path, "full", body); w.Code != http.StatusOK {
				t.Error(fmt.Sprint(path, i), w.Code, w.Body)
			}
		}
	}
}
