package httpapi_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/httpapi"
	"github.com/crosswave/crosswave/store/demo"
	"github.com/crosswave/crosswave/store/sqlite"
	"github.com/crosswave/crosswave/store/survey"
)

// A generated survey is served to those who have a key. Authorize tells whose key it is and what they may use; the
// figures of somebody who may use one location are those of that location.
func ExampleNew() {
	ctx := context.Background()
	db, err := sqlite.Open(ctx, sqlite.Memory, sqlite.Config{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer db.Close()
	if _, err := survey.Import(ctx, demo.New(demo.Config{Respondents: 5000}), db, survey.Options{}); err != nil {
		fmt.Println(err)
		return
	}
	authorize := func(_ context.Context, key string) (httpapi.Caller, error) {
		grant := audience.All()
		switch key {
		case "whole":
		case "british":
			grant.Locations = []string{"s2_44"}
		default:
			return httpapi.Caller{}, audience.ErrNotFound // 401
		}
		return httpapi.Caller{User: "1", Grant: grant}, nil
	}
	handler, err := httpapi.New(httpapi.Config{Store: db, Authorize: authorize, BasePath: "/audiences"})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, key := range []string{"whole", "british", "stolen"} {
		r := httptest.NewRequest(http.MethodPost, "/audiences/v3/query/audience_wave_counts",
			strings.NewReader(`{"expression": {"question": "gender"}}`))
		r.Header.Set("Authorization", "Bearer "+key)
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, r)
		var body struct {
			Sample int64 `json:"audience_sample"`
		}
		if err := json.Unmarshal(w.Body.Bytes(), &body); err != nil {
			fmt.Println(err)
		}
		fmt.Printf("%s: %d, %d respondents\n", key, w.Code, body.Sample)
	}
	// Output:
	// whole: 200, 5000 respondents
	// british: 200, 471 respondents
	// stolen: 401, 0 respondents
}
