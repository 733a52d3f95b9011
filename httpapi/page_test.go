package httpapi_test

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/xml"
	"errors"
	"html"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/tidwall/gjson"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/httpapi"
	"github.com/crosswave/crosswave/insights"
	"github.com/crosswave/crosswave/store/demo"
	"github.com/crosswave/crosswave/store/sqlite"
)

// docsPage is what GET /docs answers.
func docsPage(t *testing.T, basePath string) string {
	t.Helper()
	api, err := httpapi.New(httpapi.Config{Store: stalled{}, Authorize: authorize, BasePath: basePath,
		Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	r := httptest.NewRequest(http.MethodGet, basePath+"/docs", nil)
	w := httptest.NewRecorder()
	api.ServeHTTP(w, r)
	if w.Code != http.StatusOK || w.Header().Get("Content-Type") != "text/html; charset=utf-8" {
		t.Fatal(w.Code, w.Header())
	}
	policy := w.Header().Get("Content-Security-Policy")
	want := "default-src 'none'; style-src " + hashed(w.Body.String(), "style") + "; script-src " +
		hashed(w.Body.String(), "script") +
		"; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
	if policy != want {
		t.Errorf("the policy is %q, want %q", policy, want)
	}
	return w.Body.String()
}

// hashed is how a policy names the text of an element.
func hashed(page, element string) string {
	text := regexp.MustCompile("(?s)<" + element + ">(.*?)</" + element + ">").FindStringSubmatch(page)[1]
	sum := sha256.Sum256([]byte(text))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

// TestPage: the page is well-formed, loads nothing and runs one script of its own, links to what is there, and tells of
// every endpoint, member and error. What people read comes before the list of contents.
func TestPage(t *testing.T) {
	page := docsPage(t, "/api")
	ids, links, scripts := map[string]bool{}, map[string]bool{}, 0
	d := xml.NewDecoder(strings.NewReader(page))
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal("the page is not well-formed: ", err)
		}
		start, ok := token.(xml.StartElement)
		if !ok {
			continue
		}
		if name := start.Name.Local; name == "script" {
			scripts++
		} else if name == "link" || name == "img" || name == "iframe" {
			t.Errorf("the page has a %s", name)
		}
		for _, a := range start.Attr {
			switch {
			case a.Name.Local == "id" && ids[a.Value]:
				t.Errorf("two elements have the id %s", a.Value)
			case a.Name.Local == "id":
				ids[a.Value] = true
			case a.Name.Local == "href" && a.Value != "/api/openapi.json":
				links[a.Value] = true
			case a.Name.Local == "src" || a.Name.Local == "style" || strings.HasPrefix(a.Name.Local, "on"):
				t.Errorf("%s has %s=%s", start.Name.Local, a.Name.Local, a.Value)
			}
		}
	}
	for link := range links {
		if !ids[strings.TrimPrefix(link, "#")] {
			t.Errorf("a link leads to %s, which is not there", link)
		}
	}
	if scripts != 1 {
		t.Errorf("the page has %d scripts", scripts)
	}
	if strings.Index(page, "<nav") < strings.Index(page, "</main>") {
		t.Error("the contents come before the text")
	}
	doc, err := contract()
	if err != nil {
		t.Fatal(err)
	}
	for name, op := range operations(doc) {
		if !ids[op.OperationID] {
			t.Errorf("%s is not on the page", name)
		}
	}
	for name := range doc.Components.Schemas {
		if !ids["schema-"+name] {
			t.Errorf("the schema %s is not on the page", name)
		}
	}
	for _, text := range []string{"URL=http://127.0.0.1:8080/api KEY=",
		`<td class="d0 required">row_index</td><td>integer</td>`, "<code>rate_limited</code> 429",
		"application/x-ndjson or application/json-seq", `<a href="#schema-QueryForbidden">QueryForbidden</a>`,
		`|B∩<strong>C</strong>|`, `data-method="GET" data-path="/v1/me"`, `data-base="/api"`} {
		if !strings.Contains(page, text) {
			t.Errorf("the page does not say %s", text)
		}
	}
}

// demoStore is the store that crosswave demo makes, of so many respondents; 0 means as many as that.
func demoStore(t *testing.T, respondents int) *sqlite.Store {
	t.Helper()
	db := imported(t, sqlite.Config{}, demo.New(demo.Config{Seed: 1, Respondents: respondents}))
	file, err := insights.Read(demo.Insights())
	if err != nil {
		t.Fatal(err)
	}
	if err := db.PutInsights(t.Context(), file, false); err != nil {
		t.Fatal(err)
	}
	return db
}

// TestAnswers sends the examples of the document to the store that crosswave demo makes, in the document's order. The
// answers it shows are those that come; -update writes them.
func TestAnswers(t *testing.T) {
	if testing.Short() {
		t.Skip("it needs all of the demo's respondents, for which the race detector, run with -short, takes minutes")
	}
	const saved = "6b1f8e9c-52a4-4c0e-9d27-0f3f6a1b7c55" // the id that the examples use
	noon := time.Date(2026, 1, 15, 12, 0, 0, 0, time.UTC)
	api, err := httpapi.New(httpapi.Config{Store: demoStore(t, 0), Authorize: authorize,
		Log: slog.New(slog.DiscardHandler), Limits: httpapi.Limits{Running: 7, RunningEach: 7},
		Now: func() time.Time { noon = noon.Add(time.Minute); return noon }, NewID: func() string { return saved }})
	if err != nil {
		t.Fatal(err)
	}
	w := httptest.NewRecorder()
	api.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/openapi.json", nil))
	doc := gjson.ParseBytes(w.Body.Bytes())
	shown := 0
	doc.Get("paths").ForEach(func(path, item gjson.Result) bool {
		item.ForEach(func(method, op gjson.Result) bool {
			name := op.Get("operationId").String()
			if name == "openapi" || name == "docs" { // which are the document itself
				return true
			}
			r := exampleRequest(strings.ToUpper(method.String()), path.String(), doc, op)
			r.Header.Set("Authorization", "full")
			w := httptest.NewRecorder()
			api.ServeHTTP(w, r)
			if !*update {
				checkContract(t, r, w)
			}
			if w.Code >= 300 {
				t.Errorf("%s: %d %s", name, w.Code, w.Body)
				return true
			}
			first, _, _ := strings.Cut(w.Body.String(), "\n") // of a stream, its first object
			if first == "" {
				return true
			}
			shown++
			showAnswer(t, name, first)
			if name == "crosstab" {
				shown++
				r := exampleRequest(http.MethodPost, path.String()+"?stream=false", doc, op)
				r.Header.Set("Authorization", "full")
				w := httptest.NewRecorder()
				api.ServeHTTP(w, r)
				checkContract(t, r, w)
				showAnswer(t, "crosstabWhole", w.Body.String())
			}
			if name == "crosstab" || name == "profile" {
				showCSV(t, api, doc, path.String(), op)
			}
			if ref := op.Get("responses.20*.content.*.examples.demo.$ref").String(); ref != "#/components/examples/"+name {
				t.Errorf("%s shows the answer %q", name, ref)
			}
			return true
		})
		return true
	})
	files, err := filepath.Glob("openapi/answers/*.json")
	if err != nil || len(files) != shown {
		t.Errorf("%d answers to show, and %d files", shown, len(files))
	}
}

// showCSV holds the example of a CSV answer, its first lines, against what comes.
func showCSV(t *testing.T, api http.Handler, doc gjson.Result, path string, op gjson.Result) {
	t.Helper()
	r := exampleRequest(http.MethodPost, path, doc, op)
	r.Header.Set("Authorization", "full")
	r.Header.Set("Accept", "text/csv")
	w := httptest.NewRecorder()
	api.ServeHTTP(w, r)
	checkContract(t, r, w)
	shown := op.Get("responses.200.content.text/csv.example").String()
	if w.Code != http.StatusOK || strings.Count(shown, "\n") != 2 || !strings.HasPrefix(w.Body.String(), shown) {
		t.Errorf("%s shows as CSV\n%q\nand what comes begins\n%q", path, shown, first(w.Body.String(), 2))
	}
}

// first are the first lines of a text.
func first(text string, lines int) string {
	parts := strings.SplitAfterN(text, "\n", lines+1)
	return strings.Join(parts[:min(lines, len(parts))], "")
}

// showAnswer holds an answer against the file that the document shows, or writes it.
func showAnswer(t *testing.T, name, answer string) {
	t.Helper()
	file, got := "openapi/answers/"+name+".json", gjson.Get(answer, "@pretty").Raw
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(want), got); d != "" {
		t.Errorf("%s:\n%s", name, d)
	}
}

// exampleRequest is the request that an operation's examples make.
func exampleRequest(method, path string, doc, op gjson.Result) *http.Request {
	path, given, _ := strings.Cut(path, "?")
	query := []string{given}
	for _, p := range op.Get("parameters").Array() {
		if ref := p.Get("$ref").String(); ref != "" {
			p = doc.Get(strings.ReplaceAll(strings.TrimPrefix(ref, "#/"), "/", "."))
		}
		name, value := p.Get("name").String(), p.Get("example")
		switch {
		case p.Get("in").String() == "path":
			path = strings.ReplaceAll(path, "{"+name+"}", value.String())
		case p.Get("in").String() == "query" && value.IsArray():
			for _, v := range value.Array() {
				query = append(query, name+"="+url.QueryEscape(v.String()))
			}
		case p.Get("in").String() == "query" && value.Exists():
			query = append(query, name+"="+url.QueryEscape(value.String()))
		}
	}
	return httptest.NewRequest(method, path+"?"+strings.Join(query, "&"),
		strings.NewReader(op.Get("requestBody.content.application/json.example").Raw))
}

// TestCurl runs the commands on the page against the demo store, as a reader would, with curl.
func TestCurl(t *testing.T) {
	if _, err := exec.LookPath("curl"); err != nil {
		t.Skip("curl is not installed (Debian: apt-get install curl)")
	}
	db := demoStore(t, 6000)
	_, secret, err := db.CreateKey(t.Context(), sqlite.Key{Grant: audience.All()})
	if err != nil {
		t.Fatal(err)
	}
	api, err := httpapi.New(httpapi.Config{Store: db, BasePath: "/api", Log: slog.New(slog.DiscardHandler),
		Authorize: func(ctx context.Context, secret string) (httpapi.Caller, error) {
			key, err := db.Authorize(ctx, secret)
			return httpapi.Caller{User: key.User, Grant: key.Grant}, err
		}})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(api)
	defer server.Close()
	id, n := "", 0
	for _, part := range strings.Split(docsPage(t, "/api"), `<pre class="curl">`)[1:] {
		n++
		command, _, _ := strings.Cut(part, "</pre>")
		command = html.UnescapeString(command)
		sh := exec.CommandContext(t.Context(), "sh", "-c", command+` -w '\n%{http_code}'`)
		sh.Env = append(os.Environ(), "URL="+server.URL+"/api", "KEY="+secret, "ID="+id)
		out, err := sh.Output()
		if err != nil {
			t.Errorf("%s\n%v", command, err)
			continue
		}
		at := strings.LastIndexByte(string(out), '\n')
		if status := string(out[at+1:]); status < "200" || status > "204" {
			t.Errorf("%s\n%s", command, out)
		}
		if id == "" && strings.HasPrefix(string(out), `{"id":"`) && strings.Contains(command, "/v2/saved/audiences") {
			id = gjson.GetBytes(out[:at], "id").String()
		}
	}
	if n != len(httpapi.Routes()) {
		t.Errorf("%d commands for %d endpoints", n, len(httpapi.Routes()))
	}
}
