package httpapi_test

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"mime"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/google/go-cmp/cmp"

	"github.com/crosswave/crosswave/httpapi"
	"github.com/crosswave/crosswave/internal/script"
	"github.com/crosswave/crosswave/internal/strictjson"
)

// contract is the document as a server serves it, read.
var contract = sync.OnceValues(func() (*openapi3.T, error) {
	api, err := httpapi.New(httpapi.Config{Store: stalled{}, Authorize: authorize, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		return nil, err
	}
	w := httptest.NewRecorder()
	api.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/openapi.json", nil))
	if w.Code != http.StatusOK {
		return nil, fmt.Errorf("GET /openapi.json answers %d: %s", w.Code, w.Body)
	}
	if _, err := strictjson.Parse(w.Body.Bytes()); err != nil { // among others, each name is there once
		return nil, err
	}
	return openapi3.NewLoader().LoadFromData(w.Body.Bytes())
})

// closed is the contract with every object of a response closed: what the document does not name must not be there.
// (The document itself leaves them open: members may be added.)
var closed = sync.OnceValues(func() (*openapi3.T, error) {
	doc, err := contract()
	if err != nil {
		return nil, err
	}
	seen := map[*openapi3.Schema]bool{}
	for _, op := range operations(doc) {
		for _, response := range op.Responses.Map() {
			for _, content := range response.Value.Content {
				closeObjects(content.Schema, seen)
			}
		}
	}
	return doc, nil
})

func closeObjects(ref *openapi3.SchemaRef, seen map[*openapi3.Schema]bool) {
	if ref == nil || seen[ref.Value] {
		return
	}
	s := ref.Value
	seen[s] = true
	if len(s.Properties) > 0 && s.AdditionalProperties.Has == nil {
		no := false
		s.AdditionalProperties.Has = &no
	}
	closeObjects(s.Items, seen)
	for _, p := range slices.Concat(slices.Collect(maps.Values(s.Properties)), s.AnyOf) {
		closeObjects(p, seen)
	}
}

// operations are those of a document by method and path.
func operations(doc *openapi3.T) map[string]*openapi3.Operation {
	out := map[string]*openapi3.Operation{}
	for path, item := range doc.Paths.Map() {
		for method, op := range item.Operations() {
			out[method+" "+path] = op
		}
	}
	return out
}

// TestContract: the document is valid, its examples are valid requests, and it speaks of the endpoints that there are,
// with errors of their shape.
func TestContract(t *testing.T) {
	doc, err := contract()
	if err != nil {
		t.Fatal(err)
	}
	if err := doc.Validate(t.Context(), openapi3.EnableExamplesValidation(),
		openapi3.EnableSchemaFormatValidation()); err != nil {
		t.Error(err)
	}
	ops := operations(doc)
	var routed []string
	for _, r := range httpapi.Routes() {
		name := r.Method + " " + r.Path
		routed = append(routed, name)
		op := ops[name]
		if op == nil {
			continue
		}
		if open := op.Security != nil && len(*op.Security) == 0; open != r.Open {
			t.Errorf("%s: the document says that it needs no key: %v; the route table: %v", name, open, r.Open)
		}
		for status, response := range op.Responses.Map() {
			if response.Value.Headers["X-Request-Id"] == nil {
				t.Errorf("%s: the %s does not tell of the request's id", name, status)
			}
			if want := "#/components/responses/" + strings.ToUpper(r.Shape[:1]) + r.Shape[1:] +
				status; status >= "400" && response.Ref != want {
				t.Errorf("%s: the %s is %q, want %s", name, status, response.Ref, want)
			}
		}
	}
	text, err := json.Marshal(doc)
	if err != nil {
		t.Fatal(err)
	}
	for kind, names := range map[string][]string{"schemas": slices.Collect(maps.Keys(doc.Components.Schemas)),
		"responses": slices.Collect(maps.Keys(doc.Components.Responses)),
		"headers":   slices.Collect(maps.Keys(doc.Components.Headers)),
		"examples":  slices.Collect(maps.Keys(doc.Components.Examples))} {
		for _, name := range names {
			if !bytes.Contains(text, []byte(`"#/components/`+kind+"/"+name+`"`)) {
				t.Errorf("nothing uses %s/%s", kind, name)
			}
		}
	}
	slices.Sort(routed)
	if d := cmp.Diff(routed, slices.Sorted(maps.Keys(ops))); d != "" {
		t.Error("routes and document differ:\n", d)
	}
}

// TestContractDescribesEverything: no operation without a summary, no member, parameter or header without a
// description.
func TestContractDescribesEverything(t *testing.T) {
	doc, err := contract()
	if err != nil {
		t.Fatal(err)
	}
	seen := map[*openapi3.Schema]bool{}
	var walk func(path string, ref *openapi3.SchemaRef)
	walk = func(path string, ref *openapi3.SchemaRef) {
		if ref == nil || seen[ref.Value] {
			return
		}
		seen[ref.Value] = true
		for name, p := range ref.Value.Properties {
			if p.Value.Description == "" && p.Ref == "" {
				t.Errorf("%s.%s has no description", path, name)
			}
			if strings.HasSuffix(name, "percentage") && !strings.Contains(p.Value.Description, "0–100") {
				t.Errorf("%s.%s does not say that it is in percent, 0–100", path, name)
			}
			walk(path+"."+name, p)
		}
		walk(path+"[]", ref.Value.Items)
	}
	for name, op := range operations(doc) {
		if op.Summary == "" || len(op.Tags) != 1 || doc.Tags.Get(op.Tags[0]) == nil {
			t.Errorf("%s has no summary or not one of the tags", name)
		}
		for _, p := range op.Parameters {
			if p.Value.Description == "" {
				t.Errorf("%s: parameter %s has no description", name, p.Value.Name)
			}
		}
		if op.RequestBody != nil {
			content := op.RequestBody.Value.Content.Get("application/json")
			if content.Example == nil {
				t.Errorf("%s has no example", name)
			}
			walk(name, content.Schema)
		}
		for status, response := range op.Responses.Map() {
			for header, h := range response.Value.Headers {
				if h.Value.Description == "" {
					t.Errorf("%s: header %s of %s has no description", name, header, status)
				}
			}
			for _, content := range response.Value.Content {
				walk(name+" "+status, content.Schema)
			}
		}
	}
}

// The server of the document is where the handler is mounted.
func TestContractBasePath(t *testing.T) {
	api, err := httpapi.New(httpapi.Config{Store: stalled{}, Authorize: authorize, BasePath: "/api/audiences"})
	if err != nil {
		t.Fatal(err)
	}
	w := httptest.NewRecorder()
	api.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/api/audiences/openapi.json", nil))
	doc, err := openapi3.NewLoader().LoadFromData(w.Body.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	if got := doc.Servers[0].URL; got != "/api/audiences" {
		t.Errorf("the server is %q", got)
	}
}

// checkContract holds a response against the document.
func checkContract(t testing.TB, r *http.Request, w *httptest.ResponseRecorder) {
	t.Helper()
	if err := violation(r.Method, r.URL.Path, w.Code, w.Header(), w.Body.Bytes()); err != nil {
		t.Errorf("%s %s, %d: not as the document has it: %v\n%.2000s", r.Method, r.URL.Path, w.Code, err, w.Body)
	}
}

// violation is an error if the response is none that the document allows. A path or method that it does not know must
// be answered with 404 or 405 in the record shape.
func violation(method, path string, status int, header http.Header, body []byte) error {
	doc, err := closed()
	if err != nil {
		return err
	}
	var response *openapi3.Response
	if op := operation(doc, method, path); op == nil {
		if status != http.StatusNotFound && status != http.StatusMethodNotAllowed {
			return errors.New("the document knows no such endpoint")
		}
		response = doc.Components.Responses["Record404"].Value
	} else if ref := op.Responses.Status(status); ref != nil {
		response = ref.Value
	} else {
		return errors.New("the document has no such status")
	}
	for name, h := range response.Headers {
		switch value := header.Get(name); {
		case value == "" && h.Value.Required:
			return fmt.Errorf("there is no header %s", name)
		case value != "" && h.Value.Schema.Value.Type.Is("integer"):
			if n, err := strconv.Atoi(value); err != nil || float64(n) < *h.Value.Schema.Value.Min {
				return fmt.Errorf("the header %s is %q", name, value)
			}
		}
	}
	if len(response.Content) == 0 {
		if len(body) > 0 {
			return errors.New("there is a body")
		}
		return nil
	}
	media, _, err := mime.ParseMediaType(header.Get("Content-Type"))
	if err != nil {
		return err
	}
	content := response.Content[media]
	if content == nil {
		return fmt.Errorf("the content type is %s", media)
	}
	return invalid(content.Schema.Value, media, header, body)
}

// invalid is an error if a body is not as its schema says; of a stream, each of its objects.
func invalid(schema *openapi3.Schema, media string, header http.Header, body []byte) error {
	switch media {
	case "text/html", bookType:
		return nil
	case "text/csv":
		lines, err := csv.NewReader(bytes.NewReader(body)).ReadAll() // which are all as long as the first
		if n := header.Get("X-Cell-Count"); err == nil && n != "" && n != strconv.Itoa(len(lines)-1) {
			err = fmt.Errorf("X-Cell-Count is %s and there are %d lines", n, len(lines))
		}
		return err
	case "application/x-ndjson", "application/json-seq":
		lines := bytes.SplitAfter(body, []byte("\n"))
		if n := lines[len(lines)-1]; len(n) > 0 {
			return fmt.Errorf("the stream ends with %q", n)
		}
		lines = lines[:len(lines)-1]
		if got := header.Get("X-Cell-Count"); got != strconv.Itoa(len(lines)) {
			return fmt.Errorf("X-Cell-Count is %s and there are %d objects", got, len(lines))
		}
		array := []byte{'['}
		for i, line := range lines {
			line, found := bytes.CutPrefix(line, []byte("\x1e"))
			if found != (media == "application/json-seq") {
				return fmt.Errorf("object %d begins with a record separator: %v", i, found)
			}
			if !json.Valid(line) {
				return fmt.Errorf("object %d is no JSON", i)
			}
			if i > 0 {
				array = append(array, ',')
			}
			array = append(array, line...)
		}
		// all at once, as schemas are compiled anew each time
		return invalidJSON(openapi3.NewArraySchema().WithItems(schema), append(array, ']'))
	}
	return invalidJSON(schema, body)
}

func invalidJSON(schema *openapi3.Schema, body []byte) error {
	var v any
	if err := json.Unmarshal(body, &v); err != nil {
		return err
	}
	return schema.VisitJSON(v, openapi3.EnableJSONSchema2020(), openapi3.MultiErrors(), openapi3.VisitAsResponse())
}

// operation finds what the document says of a request.
func operation(doc *openapi3.T, method, path string) *openapi3.Operation {
	if method == http.MethodHead {
		method = http.MethodGet
	}
	parts := strings.Split(path, "/")
	for name, op := range operations(doc) {
		m, pattern, _ := strings.Cut(name, " ")
		if m == method && slices.EqualFunc(parts, strings.Split(pattern, "/"), func(part, p string) bool {
			return part == p || strings.HasPrefix(p, "{") && part != "" && !literal(doc, path)
		}) {
			return op
		}
	}
	return nil
}

// literal tells whether the document has the path without placeholders, which goes before one with them.
func literal(doc *openapi3.T, path string) bool { return doc.Paths.Value(path) != nil }

// TestContractRejects: the checks above do find what is wrong.
func TestContractRejects(t *testing.T) {
	api, err := httpapi.New(httpapi.Config{Store: ragged(t), Authorize: authorize, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	replace := func(from, to string) func(*httptest.ResponseRecorder) {
		return func(w *httptest.ResponseRecorder) {
			body := w.Body.String()
			if !strings.Contains(body, from) {
				t.Fatalf("the response has no %s: %s", from, body)
			}
			w.Body = bytes.NewBufferString(strings.Replace(body, from, to, 1))
		}
	}
	const cell = `{"rows": [{"id": "w", "expression": {"question": "gender", "datapoints": ["f"]}}, {"expression": ` +
		`{"question": "brands"}}]}`
	for _, c := range []struct {
		name, path, body string
		status           int
		spoil            func(*httptest.ResponseRecorder)
	}{
		{"a member that is missing", "/v2/query/crosstab", cell, 200, replace(`"row_index":2,`, ``)},
		{"a member that is too many", "/v2/query/crosstab", cell, 200, replace(`"row_index":1`, `"row_index":1,"total":1`)},
		{"a text for a number", "/v2/query/crosstab", cell, 200, replace(`"row_index":1`, `"row_index":"1"`)},
		{"a fraction for an integer", "/v2/query/crosstab", cell, 200, replace(`"row_index":1`, `"row_index":1.5`)},
		{"a wrong member deep down", "/v2/query/crosstab", cell, 200, replace(`"question":"gender"`, `"questions":"gender"`)},
		{"a stream cut short", "/v2/query/crosstab", cell, 200,
			func(w *httptest.ResponseRecorder) { w.Body.Truncate(w.Body.Len() - 5) }},
		{"a line lost", "/v2/query/crosstab", cell, 200, func(w *httptest.ResponseRecorder) { w.Body.ReadString('\n') }},
		{"no count", "/v2/query/crosstab", cell, 200, func(w *httptest.ResponseRecorder) { w.Header().Del("X-Cell-Count") }},
		{"another content type", "/v2/query/crosstab", cell, 200,
			func(w *httptest.ResponseRecorder) { w.Header().Set("Content-Type", "application/json") }},
		{"another status", "/v2/query/crosstab", cell, 200, func(w *httptest.ResponseRecorder) { w.Code = 202 }},
		{"another constant", "/v2/query/intersection", `{"audiences": {}}`, 200, replace(`INTERSECTION`, `CELL`)},
		{"null for a number", "/v2/query/stats", `{"question": "gender"}`, 200, replace(`"audience_index":100`,
			`"audience_index":null`)},
		{"another error type", "/v2/query/stats", `{}`, 400, replace(`invalid_query`, `wrong`)},
		{"the shape of another group", "/v2/locations/filter", `{"x": 1}`, 400, replace(`"err"`, `"error"`)},
		{"codes that are not listed", "/v2/query/stats", `{"question": "none"}`, 403, replace(`"locations":[],`, ``)},
		{"an endpoint that is not there", "/v2/query/stats", `{"question": "gender"}`, 200,
			func(w *httptest.ResponseRecorder) {}},
	} {
		w := post(t, api, c.path, "full", c.body)
		if w.Code != c.status {
			t.Errorf("%s: %d %s", c.name, w.Code, w.Body)
			continue
		}
		if err := violation(http.MethodPost, c.path, w.Code, w.Header(), w.Body.Bytes()); err != nil {
			t.Errorf("%s: rejected before it was spoilt: %v", c.name, err)
		}
		c.spoil(w)
		if strings.HasPrefix(c.name, "an endpoint") {
			c.path += "/all"
		}
		if err := violation(http.MethodPost, c.path, w.Code, w.Header(), w.Body.Bytes()); err == nil {
			t.Errorf("%s is not rejected: %s", c.name, w.Body)
		}
	}
}

// exchange is a step of a script with the statuses and bodies that it is answered with.
type exchange struct {
	where             string
	method, path      string // as it was sent
	op                *openapi3.Operation
	body              string
	statuses, answers []string
}

// exchanges reads all scripts.
func exchanges(t *testing.T, doc *openapi3.T) (out []exchange) {
	t.Helper()
	for _, pattern := range []string{"testdata/*.http", "testdata/access/*.http"} {
		files, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			s, err := script.Parse(filepath.Base(file), string(text))
			if err != nil {
				t.Fatal(err)
			}
			for _, step := range s.Steps {
				if words := step.Words(); words[0] == "ask" {
					path, _, _ := strings.Cut(words[2], "?")
					out = append(out, exchange{where: fmt.Sprintf("%s:%d", file, step.Number), method: words[1], path: words[2],
						op: operation(doc, words[1], path), body: joined(step.Lines)})
				} else {
					last := &out[len(out)-1]
					last.statuses = append(last.statuses, words[1])
					last.answers = append(last.answers, joined(step.Lines))
				}
			}
		}
	}
	return out
}

// TestContractAdmits: the document admits all bodies that are served in the scripts. (Null is the same as nothing in
// requests, which it says in words.)
func TestContractAdmits(t *testing.T) {
	doc, err := contract()
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, x := range exchanges(t, doc) {
		if x.op == nil || x.op.RequestBody == nil || !slices.ContainsFunc(x.statuses,
			func(s string) bool { return s < "300" }) {
			continue
		}
		n++
		var v any
		if err := json.Unmarshal([]byte(x.body), &v); err != nil {
			t.Fatal(x.where, err)
		}
		schema := x.op.RequestBody.Value.Content.Get("application/json").Schema.Value
		if err := schema.VisitJSON(withoutNulls(v), openapi3.EnableJSONSchema2020(), openapi3.MultiErrors()); err != nil {
			t.Errorf("%s: served, and not as the document has it: %.1000v", x.where, err)
		}
	}
	if n < 50 {
		t.Errorf("only %d requests", n)
	}
}

func withoutNulls(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for name, member := range v {
			if member == nil {
				delete(v, name)
			} else {
				withoutNulls(member)
			}
		}
	case []any:
		for _, item := range v {
			withoutNulls(item)
		}
	}
	return v
}

// elsewhere are statuses that a script can't bring about, by the test that compares their bodies.
var elsewhere = map[string]string{
	"openapi 200": "TestContract", "docs 200": "TestPage", "ready 503": "TestNotReady",
	"savedUpdate 409": "TestConflict", "savedDelete 409": "TestConflict",
	"savedCreate 507": "TestStorageFull", "savedUpdate 507": "TestStorageFull", "savedDelete 507": "TestStorageFull",
	"derivedCreate 507": "TestStorageFull", "derivedUpdate 507": "TestStorageFull", "derivedDelete 507": "TestStorageFull",
}

// TestEveryStatusIsGolden: each status that the document has of an endpoint is the whole answer to something in a
// script, or in a Go test where a script can't bring it about.
func TestEveryStatusIsGolden(t *testing.T) {
	doc, err := contract()
	if err != nil {
		t.Fatal(err)
	}
	golden := map[string]bool{}
	for _, x := range exchanges(t, doc) {
		for _, status := range x.statuses {
			if x.op != nil {
				golden[x.op.OperationID+" "+status] = true
			}
		}
	}
	for name, op := range operations(doc) {
		for status := range op.Responses.Map() {
			if !golden[op.OperationID+" "+status] && elsewhere[op.OperationID+" "+status] == "" &&
				!slices.Contains(refusals(op), status) {
				t.Errorf("%s: no script has an answer %s", name, status)
			}
		}
	}
}
