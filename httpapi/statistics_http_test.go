package httpapi_test

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/httpapi"
	"github.com/crosswave/crosswave/store/sqlite"
)

// witness is a store that notes what it is asked to count.
type witness struct {
	*sqlite.Store
	mu    sync.Mutex
	asked []audience.Query
}

func (w *witness) Count(ctx context.Context, version uint64, qs []audience.Query) ([][]*audience.Table, error) {
	w.mu.Lock()
	w.asked = append(w.asked, qs...)
	w.mu.Unlock()
	return w.Store.Count(ctx, version, qs)
}

// everyStatistic asks for all there is to tell, where these can be compared.
func everyStatistic(compare ...string) string {
	return `"statistics": {"level": 60, "compare": ["` + strings.Join(compare, `", "`) +
		`"], "pairs": true, "low_base": {"withhold": 2}}`
}

// uncertain are requests for all there is to tell of how sure figures are, about the question that stands for %[1]s,
// with waves and locations for %[2]s.
var uncertain = []struct{ path, body string }{
	{"/v2/query/crosstab", `{"rows": [{"expression": {"question": "%[1]s"}}], "columns": [` +
		`{"expression": {"question": "%[1]s", "not": true}}, {"expression": {"question": "waves"}}], "coverage": true, ` +
		`%[2]s` + everyStatistic("rest", "previous", "columns") + `}`},
	{"/v2/query/crosstab", `{"rows": [{"expression": {"question": "%[1]s"}}], %[2]s` +
		everyStatistic("rest", "previous", "columns") + `}`},
	{"/v2/query/intersection", `{"audiences": {"row": {"expression": {"question": "%[1]s"}}}, "coverage": true, %[2]s` +
		everyStatistic("rest") + `}`},
	{"/v2/query/stats", `{"question": "%[1]s", "splitter": "locations", "coverage": true, %[2]s` +
		everyStatistic("rest", "previous", "audiences", "segments") + `}`},
}

// A key gets from statistics what a key that grants everything gets if it asks for no more than that: how many
// respondents there are in fieldwork, which is part of each variance, is counted where the key may count. Namespaces
// that it does not grant are asked for nothing.
func TestStatisticsKeepToTheGrant(t *testing.T) {
	seen := &witness{Store: ragged(t)}
	api, err := httpapi.New(httpapi.Config{Store: seen, Authorize: authorize, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	f, err := seen.Frame(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, holder := range []struct{ key, question, scope string }{
		{"no east", "mood", `"locations": ["north", "south"], `},
		{"no east", "shop.visit", `"locations": ["north", "south"], `},
		{"only shop", "shop.visit", ``},
		{"only diary", "diary.read", ``},
		{"limited", "use", `"waves": ["w2"], "locations": ["north", "south"], `},
	} {
		grant := callers[holder.key].Grant
		for _, r := range uncertain {
			seen.asked = nil
			own := post(t, api, r.path, holder.key, fmt.Sprintf(r.body, holder.question, ""))
			if own.Code != http.StatusOK || !strings.Contains(own.Body.String(), `"statistics":{`) {
				t.Fatal(holder.key, r.path, own.Code, own.Body)
			}
			if !slices.ContainsFunc(seen.asked, func(q audience.Query) bool { return q.Measures.Has(audience.Squares) }) {
				t.Errorf("%s, %s: no squares were counted", holder.key, r.path)
			}
			for _, q := range seen.asked {
				if !granted(grant.Namespaces, q.Namespace) {
					t.Errorf("%s, %s: namespace %s is counted", holder.key, r.path, q.Namespace)
				}
				for _, s := range q.Strata {
					for i := range s.All() {
						if w, l := f.Fieldwork(i); !granted(grant.Waves, f.Waves[w].Code) ||
							!granted(grant.Locations, f.Locations[l].Code) {
							t.Errorf("%s, %s: %s in %s is counted", holder.key, r.path, f.Waves[w].Code, f.Locations[l].Code)
						}
					}
				}
			}
			whole := post(t, api, r.path, "full", fmt.Sprintf(r.body, holder.question, holder.scope))
			if d := cmp.Diff(whole.Body.String(), own.Body.String()); d != "" {
				t.Errorf("%s, %s: not what all of it is in its scope\n%s", holder.key, r.path, d)
			}
		}
	}
}

func granted(codes []string, code string) bool {
	return slices.Contains(codes, "*") || slices.Contains(codes, code)
}

// Statistics change nothing of what is told beside them.
func TestStatisticsLeaveTheRest(t *testing.T) {
	api, err := httpapi.New(httpapi.Config{Store: ragged(t), Authorize: authorize})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range uncertain {
		for _, question := range []string{"brands", "use", "mood", "shop.visit", "diary.read"} {
			with := fmt.Sprintf(r.body, question, "")
			at := strings.Index(with, `"statistics"`)
			without := strings.TrimSuffix(strings.TrimSpace(with[:at]), ",") + "}"
			want, got := post(t, api, r.path, "full", without), post(t, api, r.path, "full", with)
			if d := cmp.Diff(want.Body.String(), withoutStatistics(t, got.Body.String())); d != "" || want.Code != 200 {
				t.Errorf("%s, %s: %d\n%s", r.path, question, want.Code, d)
			}
		}
	}
}

// withoutStatistics cuts the members statistics out of an answer.
func withoutStatistics(t *testing.T, body string) string {
	t.Helper()
	const name = `,"statistics":{`
	cut := 0
	for {
		at := strings.Index(body, name)
		if at < 0 {
			break
		}
		end, depth := at+len(name), 1
		for ; depth > 0; end++ {
			switch body[end] {
			case '{':
				depth++
			case '}':
				depth--
			}
		}
		body = body[:at] + body[end:]
		cut++
	}
	if cut == 0 {
		t.Error("there are no statistics: ", body)
	}
	return body
}

// More than 60 can't be compared with each other.
func TestComparedLimit(t *testing.T) {
	api, err := httpapi.New(httpapi.Config{Store: ragged(t), Authorize: authorize})
	if err != nil {
		t.Fatal(err)
	}
	many := func(n int) string {
		return `[` + strings.Repeat(`{"expression": {"question": "gender"}}, `, n-1) + `{"expression": {"question": "age"}}]`
	}
	for _, test := range []struct{ path, body string }{
		{"/v2/query/crosstab", `{"columns": %s, "statistics": {"compare": ["%s"]}}`},
		{"/v2/query/stats", `{"question": "age", "audiences": %s, "statistics": {"compare": ["%s"]}}`},
	} {
		family := "columns"
		if strings.HasSuffix(test.path, "stats") {
			family = "audiences"
		}
		for _, c := range []struct {
			n      int
			family string
			status int
		}{{60, family, 200}, {61, family, 400}, {61, "rest", 200}} {
			w := post(t, api, test.path, "full", fmt.Sprintf(test.body, many(c.n), c.family))
			if w.Code != c.status || c.status == 400 && !strings.Contains(w.Body.String(), `"too_complex"`) {
				t.Errorf("%s: %d with %s: %d %.300s", test.path, c.n, c.family, w.Code, w.Body)
			}
		}
	}
}

// What is said of a response's size before it is counted is never too little with statistics, and where names are short
// not much too much.
func TestStatisticsResponseLimit(t *testing.T) {
	alone(t)
	db := ragged(t)
	serve := func(limit int, path, body string) (status, size int) {
		api, err := httpapi.New(httpapi.Config{Store: db, Authorize: authorize,
			Limits: httpapi.Limits{Response: int64(limit)}})
		if err != nil {
			t.Fatal(err)
		}
		w := post(t, api, path, "full", body)
		if w.Code == http.StatusBadRequest && !strings.Contains(w.Body.String(), `"too_complex"`) {
			t.Error(path, w.Body)
		}
		return w.Code, w.Body.Len()
	}
	who := func(id, question, datapoint string) string {
		return `{"id": "` + id + `", "expression": {"question": "` + question + `", "datapoints": ["` + datapoint + `"]}}`
	}
	lists := map[string]string{}
	for name, id := range map[string]string{"short": "", "long": strings.Repeat(`a \"long\" id `, 200)} {
		var list []string
		for _, d := range []string{"gender f", "gender m", "age young", "age old", "brands b1", "brands b2", "mood good"} {
			question, datapoint, _ := strings.Cut(d, " ")
			list = append(list, who(id+datapoint, question, datapoint))
		}
		lists[name] = `[` + strings.Join(list, ", ") + `]`
	}
	crosstab, stats := "/v2/query/crosstab", "/v2/query/stats"
	for name, list := range lists {
		for _, test := range []struct{ path, body string }{
			{crosstab, `{"rows": LIST, "columns": LIST, ` + everyStatistic("rest", "previous", "columns") + `}`},
			{crosstab, `{"rows": LIST, "columns": LIST, "statistics": {"level": 60, "compare": ["columns"]}}`},
			{crosstab, `{"rows": LIST, "columns": LIST, "statistics": {}}`},
			{stats, `{"question": "brands", "splitter": "locations", "audiences": LIST, ` +
				everyStatistic("rest", "previous", "audiences", "segments") + `}`},
			{stats, `{"question": "brands", "splitter": "locations", "audiences": LIST, "statistics": {"level": 60, ` +
				`"compare": ["audiences"]}}`},
			{stats, `{"question": "brands", "statistics": {}}`},
		} {
			body := strings.ReplaceAll(test.body, "LIST", list)
			status, size := serve(-1, test.path, body)
			if status != http.StatusOK {
				t.Fatal(test.path, test.body, status)
			}
			if status, _ := serve(size-100, test.path, body); status != http.StatusBadRequest {
				t.Errorf("%s ids: a response of %d bytes passes a limit of %d: %s %s", name, size, size-100, test.path, test.body)
			}
			if status, _ := serve(3*size, test.path, body); status != http.StatusOK && name == "short" {
				t.Errorf("a response of %d bytes is refused within a limit of %d: %s %s", size, 3*size, test.path, test.body)
			}
		}
	}
}
