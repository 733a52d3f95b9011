package httpapi_test

import (
	"log/slog"
	"net/http"
	"strings"
	"testing"

	"github.com/crosswave/crosswave/httpapi"
)

// A profile counts as many attributes as a request may have cells, and is as long as a response may be: with a limit it
// is shorter.
func TestProfileLimits(t *testing.T) {
	const women = `{"audience": {"expression": {"question": "gender", "datapoints": ["f"]}}`
	for _, test := range []struct {
		limits httpapi.Limits
		body   string
		want   string // in the error; "": none
	}{
		{httpapi.Limits{Cells: 19}, women + `}`, ""},
		{httpapi.Limits{Cells: 18}, women + `}`, "19 attributes are more than the 18"},
		{httpapi.Limits{Cells: 18}, women + `, "questions": ["brands"]}`, ""},
		{httpapi.Limits{Cells: -1}, women + `}`, ""},
		{httpapi.Limits{Response: 20_000}, women + `}`, "send a limit, or name some questions"},
		{httpapi.Limits{Response: 14_500}, women + `, "limit": 10}`, ""},
		{httpapi.Limits{Response: 14_500}, women + `, "limit": 10, "coverage": true}`, "send a limit"},
	} {
		st := &lookups{Store: ragged(t)}
		api, err := httpapi.New(httpapi.Config{Store: st, Authorize: authorize, Log: slog.New(slog.DiscardHandler),
			Limits: test.limits})
		if err != nil {
			t.Fatal(err)
		}
		w := post(t, api, "/v2/query/profile", "full", test.body)
		if test.want == "" && w.Code != http.StatusOK || test.want != "" && (w.Code != http.StatusBadRequest ||
			!strings.Contains(w.Body.String(), "too_complex") || !strings.Contains(w.Body.String(), test.want)) {
			t.Errorf("%+v, %s: %d %s", test.limits, test.body, w.Code, w.Body)
		}
		if counted := st.queries != nil; counted != (test.want == "") {
			t.Errorf("%+v, %s: counted: %v", test.limits, test.body, counted)
		}
	}
}
