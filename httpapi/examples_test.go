package httpapi_test

import (
	"bytes"
	"encoding/json"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/google/go-cmp/cmp"

	"github.com/crosswave/crosswave/httpapi"
)

// examplesOf are the examples of a body, those beside each other and the one alone.
func examplesOf(content *openapi3.MediaType) (values []any) {
	for _, name := range slices.Sorted(maps.Keys(content.Examples)) {
		values = append(values, content.Examples[name].Value.Value)
	}
	if content.Example != nil {
		values = append(values, content.Example)
	}
	return values
}

// TestEveryStatusHasExamples: whatever an endpoint may answer is shown, in each content type, and is as its schema says
// with nothing beside; so are the requests.
func TestEveryStatusHasExamples(t *testing.T) {
	doc, err := closed()
	if err != nil {
		t.Fatal(err)
	}
	shown := 0
	look := func(place string, content openapi3.Content) {
		for media, c := range content {
			values := examplesOf(c)
			if len(values) == 0 {
				t.Errorf("%s, %s: there is no example", place, media)
			}
			for _, v := range values {
				shown++
				if err := c.Schema.Value.VisitJSON(v, openapi3.EnableJSONSchema2020(), openapi3.MultiErrors()); err != nil {
					t.Errorf("%s, %s: the example is not as the schema says: %v", place, media, err)
				}
			}
		}
	}
	for name, op := range operations(doc) {
		if op.RequestBody != nil {
			look(name, op.RequestBody.Value.Content)
		}
		for status, response := range op.Responses.Map() {
			look(name+" "+status, response.Value.Content)
			if len(response.Value.Content) == 0 && status != "204" && status != "304" {
				t.Errorf("%s %s has no content", name, status)
			}
		}
	}
	if shown < 200 {
		t.Errorf("only %d examples were found", shown)
	}
}

// number is one that an error tells and that depends on the limits and the survey of the service.
var number = regexp.MustCompile(`\d+(\.\d+)?`)

// TestErrorExamplesAreReal: the errors that the document shows are what services answer in other tests, word for word;
// but the numbers in their texts are those of a service with the usual limits.
func TestErrorExamplesAreReal(t *testing.T) {
	doc, err := contract()
	if err != nil {
		t.Fatal(err)
	}
	plain := func(v any) string {
		text, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		return number.ReplaceAllString(string(text), "#")
	}
	real := map[string]bool{}
	enter := func(body string) {
		var v any
		if err := json.Unmarshal([]byte(body), &v); err != nil {
			t.Fatalf("%v in %s", err, body)
		}
		real[plain(v)] = true
	}
	for _, x := range exchanges(t, doc) {
		for i, status := range x.statuses {
			if status >= "400" {
				enter(x.answers[i])
			}
		}
	}
	for _, bodies := range refused {
		for _, body := range bodies {
			enter(body)
		}
	}
	enter(cannotCount)
	enter(busy)
	enter(full)
	enter(noRoom)
	for name, response := range doc.Components.Responses {
		for _, content := range response.Value.Content {
			for _, v := range examplesOf(content) {
				if !real[plain(v)] {
					t.Errorf("%s: nothing answers as its example has it: %s", name, plain(v))
				}
			}
		}
	}
}

// sightings counts by member of a schema in how many answers it was, and was not.
type sightings map[string]*struct{ with, without int }

// look enters what a value has of the optional members of its schema. Schemas with a name go by that.
func (s sightings) look(place string, ref *openapi3.SchemaRef, v any) {
	named(place, ref, v, func(member, name string, required bool, in map[string]any) {
		if required {
			return
		}
		if s[member] == nil {
			s[member] = &struct{ with, without int }{}
		}
		if _, has := in[name]; has {
			s[member].with++
		} else {
			s[member].without++
		}
	})
}

// written are members of what a client wrote and gets back as it was, so that no server always or never sends them.
func written(member string) bool {
	return strings.HasPrefix(member, "Expression.") || strings.HasPrefix(member, "Audience.")
}

// TestRequiredMembers: a member of an answer that no answer in the scripts lacks is required, and what is optional is
// there in some. That required members are there is what each test of an answer looks at.
func TestRequiredMembers(t *testing.T) {
	doc, err := contract()
	if err != nil {
		t.Fatal(err)
	}
	seen := sightings{}
	for _, x := range exchanges(t, doc) {
		for i, status := range x.statuses {
			if x.op == nil || x.op.Responses.Value(status) == nil {
				continue
			}
			whole := strings.HasPrefix(x.answers[i], `{"meta":{"type":"CROSSTAB"`)
			for media, content := range x.op.Responses.Value(status).Value.Content {
				if media == "text/html" || media == "application/json-seq" ||
					x.op.OperationID == "crosstab" && status == "200" && whole != (media == "application/json") {
					continue
				}
				for _, v := range documents(t, x.answers[i]) {
					seen.look(x.op.OperationID+" "+status, content.Schema, v)
				}
			}
		}
	}
	for _, member := range slices.Sorted(maps.Keys(seen)) {
		switch s := seen[member]; {
		case written(member):
		case member == "WaveStatistics.percentage": // absent only of a wave in which nobody has a weight
		case s.without == 0:
			t.Errorf("%s is in all %d answers and should be required", member, s.with)
		case s.with == 0:
			t.Errorf("%s is in none of %d answers: no script shows it", member, s.without)
		}
	}
	if len(seen) < 40 {
		t.Errorf("only %d optional members were found", len(seen))
	}
}

// documents are the JSON documents of a body or stream.
func documents(t *testing.T, body string) (out []any) {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader([]byte(strings.ReplaceAll(body, "<RS>", ""))))
	for {
		var v any
		switch err := d.Decode(&v); err {
		case nil:
			out = append(out, v)
		case io.EOF:
			return out
		default:
			t.Fatalf("%v in %.200s", err, body)
		}
	}
}

// named visits the members that the schema of a value names: each by its place, with the object that has it or lacks
// it.
func named(place string, ref *openapi3.SchemaRef, v any, visit func(member, name string, required bool,
	in map[string]any)) {
	if ref == nil {
		return
	}
	if ref.Ref != "" {
		place = ref.Ref[strings.LastIndex(ref.Ref, "/")+1:]
	}
	switch v := v.(type) {
	case []any:
		for _, item := range v {
			named(place+"[]", ref.Value.Items, item, visit)
		}
	case map[string]any:
		for name, p := range ref.Value.Properties {
			visit(place+"."+name, name, slices.Contains(ref.Value.Required, name), v)
			named(place+"."+name, p, v[name], visit)
		}
	}
}

// TestRequiredOfRequests: without a required member the server refuses what it served with it; and each optional one
// can be left out of something that is served with it.
func TestRequiredOfRequests(t *testing.T) {
	doc, err := contract()
	if err != nil {
		t.Fatal(err)
	}
	api, err := httpapi.New(httpapi.Config{Store: ragged(t), Authorize: authorize, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	tried, left := map[string]bool{}, map[string]bool{} // required members, and whether optional ones could be left out
	for _, x := range exchanges(t, doc) {
		if x.op == nil || x.op.RequestBody == nil || !strings.HasPrefix(x.statuses[0], "20") ||
			x.method == http.MethodPatch { // of which nothing is required
			continue
		}
		body := withoutNulls(documents(t, x.body)[0])
		send := func() int {
			text, err := json.Marshal(body)
			if err != nil {
				t.Fatal(err)
			}
			r := httptest.NewRequest(x.method, x.path, bytes.NewReader(text))
			r.Header.Set("Authorization", "full")
			w := httptest.NewRecorder()
			api.ServeHTTP(w, r)
			return w.Code
		}
		named(x.op.OperationID, x.op.RequestBody.Value.Content.Get("application/json").Schema, body,
			func(member, name string, required bool, in map[string]any) {
				value, has := in[name]
				if left[member] = left[member] || !has && !required; !has || tried[member] || left[member] {
					return
				}
				delete(in, name)
				status := send()
				in[name] = value
				switch {
				case !required:
					left[member] = status < 300
				case status != http.StatusBadRequest:
					t.Errorf("%s: %s is required, and without it the answer is %d", x.where, member, status)
				}
				tried[member] = required
			})
	}
	for member, can := range left {
		if !can && !tried[member] {
			t.Errorf("%s can't be left out of anything: is it required?", member)
		}
	}
	maps.DeleteFunc(tried, func(_ string, required bool) bool { return !required })
	want := []string{"AssociationAxis.question", "CodeFilter.code", "DerivedDatapointNew.code",
		"DerivedDatapointNew.expression", "DerivedQuestionNew.code", "DerivedQuestionNew.datapoints",
		"SavedAudienceNew.expression", "SavedAudienceNew.name",
		"association.columns", "association.rows", "categories.categories[].id", "intersection.audiences",
		"profile.audience", "stats.question", "summary.question", "waveCountsV3.expression"}
	if d := cmp.Diff(want, slices.Sorted(maps.Keys(tried))); d != "" {
		t.Errorf("the required members of requests that were tried (-want +got):\n%s", d)
	}
}

// TestNewAndChangedAudiences: a new audience has the members of a changed one, two of which it must have.
func TestNewAndChangedAudiences(t *testing.T) {
	doc, err := contract()
	if err != nil {
		t.Fatal(err)
	}
	fresh, changed := doc.Components.Schemas["SavedAudienceNew"].Value, doc.Components.Schemas["SavedAudiencePatch"].Value
	a, err := json.Marshal(fresh.Properties)
	if err != nil {
		t.Fatal(err)
	}
	b, err := json.Marshal(changed.Properties)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(b), string(a)); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff([]string{"name", "expression"}, fresh.Required); d != "" || len(changed.Required) > 0 {
		t.Errorf("%s, and of changes %v", d, changed.Required)
	}
}

// TestEveryKeyedEndpointFollowsVersions: each endpoint that needs a key takes the version that it is to answer from,
// and tells which it was; records can be asked for only if they have changed.
func TestEveryKeyedEndpointFollowsVersions(t *testing.T) {
	doc, err := contract()
	if err != nil {
		t.Fatal(err)
	}
	for name, op := range operations(doc) {
		keyed := op.Security == nil
		if takes := op.Parameters.GetByInAndName("header", "If-Data-Version") != nil; takes != keyed {
			t.Errorf("%s needs a key: %v, takes If-Data-Version: %v", name, keyed, takes)
		}
		tags := op.Responses.Value("304") != nil
		if takes := op.Parameters.GetByInAndName("header", "If-None-Match") != nil; takes != tags {
			t.Errorf("%s answers 304: %v, takes If-None-Match: %v", name, tags, takes)
		}
		for status, response := range op.Responses.Map() {
			if tells := response.Value.Headers["Data-Version"] != nil; status < "400" && tells != keyed {
				t.Errorf("%s %s: needs a key: %v, tells Data-Version: %v", name, status, keyed, tells)
			}
		}
	}
}
