package httpapi_test

import (
	"flag"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/crosswave/crosswave/httpapi"
	"github.com/crosswave/crosswave/internal/script"
	"github.com/crosswave/crosswave/internal/testsize"
	"github.com/crosswave/crosswave/store/sqlite"
)

var keep = flag.Bool("keep", false, "keep the document and the answers of the version that is not released yet")

const wire = "testdata/wire"

// versions are those of the interface that are kept, the current one last.
func versions(t *testing.T) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(wire)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		names = append(names, e.Name())
	}
	if current := currentVersion(t); !slices.Contains(names, current) {
		t.Fatalf("version %s of the interface is not kept: see CONTRIBUTING.md", current)
	}
	return names
}

func currentVersion(t *testing.T) string {
	t.Helper()
	d, err := readDocument(httpapi.Contract())
	if err != nil {
		t.Fatal(err)
	}
	version, _ := object(d["info"])["version"].(string)
	return version
}

// TestWire: what a version of the interface has promised is kept. Each folder of testdata/wire has a version's
// document, a survey, and requests over it with their answers; all of it must still hold, but for new members.
func TestWire(t *testing.T) {
	for _, version := range versions(t) {
		folder := filepath.Join(wire, version)
		if *keep && version == currentVersion(t) {
			keepVersion(t, folder)
		}
		t.Run(version+" document", func(t *testing.T) {
			text, err := os.ReadFile(filepath.Join(folder, "openapi.json"))
			if err != nil {
				t.Fatal(err)
			}
			old, err := readDocument(text)
			if err != nil {
				t.Fatal(err)
			}
			now, err := readDocument(httpapi.Contract())
			if err != nil {
				t.Fatal(err)
			}
			for _, b := range breaks(old, now) {
				t.Error(b)
			}
		})
		t.Run(version+" answers", func(t *testing.T) {
			_, asks, kept := keptAnswers(t, folder)
			for i, got := range answersNow(t, folder, asks) {
				for _, l := range lost(kept[i], got) {
					t.Errorf("%s:%d: %s\n%s", folder, asks[i].Number, asks[i].Text, l)
				}
			}
		})
	}
}

// keptAnswers reads the script of a version: its text, what is asked and what was answered.
func keptAnswers(t *testing.T, folder string) (s *script.Script, asks []script.Step, answers []string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(folder, "answers.http"))
	if err != nil {
		t.Fatal(err)
	}
	if s, err = script.Parse("answers.http", string(text)); err != nil {
		t.Fatal(err)
	}
	for i := 0; i+1 < len(s.Steps); i += 2 {
		asks = append(asks, s.Steps[i])
		answers = append(answers, s.Steps[i+1].Text+"\n"+joined(s.Steps[i+1].Lines))
	}
	return s, asks, answers
}

// answersNow are the answers of this version.
func answersNow(t *testing.T, folder string, asks []script.Step) (answers []string) {
	t.Helper()
	api, err := httpapi.New(httpapi.Config{Store: storeOf(t, filepath.Join(folder, "survey"), sqlite.Memory),
		Authorize: authorize, Log: slog.New(slog.DiscardHandler), Now: clock(), NewID: ids(),
		Limits: httpapi.Limits{Body: 2 << 10, Rows: 8, Columns: 8, Cells: 40, Running: 2, RunningEach: 1}})
	if err != nil {
		t.Fatal(err)
	}
	for _, ask := range asks {
		got := send(t, api, ask)
		if head, _, _ := strings.Cut(got, "\n"); strings.Contains(head, " text/") { // a page for people
			got = head
		}
		answers = append(answers, got)
	}
	return answers
}

// keepVersion writes what there is into the folder of a version.
func keepVersion(t *testing.T, folder string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(folder, "openapi.json"), httpapi.Contract(), 0o644); err != nil {
		t.Fatal(err)
	}
	s, asks, _ := keptAnswers(t, folder)
	name := filepath.Join(folder, "answers.http")
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	rewrite(t, name, strings.Split(string(text), "\n"), s, answersNow(t, folder, asks))
}

// TestWireKeepsAll: of the current version, a good answer of each operation is kept, a request with each member that a
// body may have, and an answer with each status but those that depend on nothing that is asked.
func TestWireKeepsAll(t *testing.T) {
	doc, err := contract()
	if err != nil {
		t.Fatal(err)
	}
	_, asks, answers := keptAnswers(t, filepath.Join(wire, currentVersion(t)))
	good, bodies := map[string]bool{}, map[string]string{}
	for i, ask := range asks {
		words := ask.Words()
		path, _, _ := strings.Cut(words[2], "?")
		if op := operation(doc, words[1], path); op != nil && strings.HasPrefix(answers[i], "answer 2") {
			good[op.OperationID] = true
			bodies[op.OperationID] += joined(ask.Lines)
		}
	}
	for name, op := range operations(doc) {
		if !good[op.OperationID] && op.OperationID != "openapi" {
			t.Errorf("no good answer of %s is kept", name)
		}
		if op.RequestBody == nil {
			continue
		}
		for member := range op.RequestBody.Value.Content.Get("application/json").Schema.Value.Properties {
			// as they take what an update takes
			readOnly := op.OperationID == "savedCreate" || op.OperationID == "derivedCreate"
			if !readOnly && !strings.Contains(bodies[op.OperationID], `"`+member+`":`) {
				t.Errorf("no request of %s with %s is kept", name, member)
			}
		}
	}
}

// edit is a change of the JSON at a path.
type edit struct {
	path string // members with / between them; ~ stands for / within one
	to   any    // nil: it is taken away
}

// more is what is added to the end of an array.
type more []any

func (e edit) apply(t *testing.T, d document) {
	t.Helper()
	parts := strings.Split(e.path, "/")
	m := map[string]any(d)
	for i, part := range parts {
		part = strings.ReplaceAll(part, "~", "/")
		if i == len(parts)-1 {
			if e.to == nil && m[part] == nil {
				t.Fatalf("there is no %s", e.path)
			}
			switch to := e.to.(type) {
			case nil:
				delete(m, part)
			case more:
				m[part] = append(list(m[part]), to...)
			default:
				m[part] = to
			}
			return
		}
		if m = object(m[part]); m == nil {
			t.Fatalf("there is no %s at %s", part, e.path)
		}
	}
}

// TestWireCatches: the comparison finds what would break clients, and nothing else.
func TestWireCatches(t *testing.T) {
	alone(t)
	const stats = "paths/~v2~query~stats/post/"
	text := func(s string) any { return map[string]any{"type": s} }
	for _, c := range []struct {
		name   string
		edit   edit
		broken string // part of what is found; "": nothing is
	}{
		{"a path that is gone", edit{"paths/~v2~query~stats", nil}, "POST /v2/query/stats: is gone"},
		{"a method that is gone", edit{"paths/~v2~saved~audiences~{id}/delete", nil}, "is gone"},
		{"another name for programs", edit{stats + "operationId", "figures"}, "operationId"},
		{"a key that is needed now", edit{"paths/~healthz/get/security", nil}, "needs another key"},
		{"a key in another place", edit{"components/securitySchemes/key/in", "query"}, "key is sent otherwise"},
		{"another kind of key", edit{"security", []any{map[string]any{"key": []any{}}}}, "another key is needed"},
		{"a member of a request that is gone", edit{"components/schemas/Expression/properties/min_count", nil},
			"is gone from the request"},
		{"a member of a request that is required now", edit{"components/schemas/Expression/required",
			[]any{"question"}}, ".question: is required now"},
		{"a member of a request of another type", edit{"components/schemas/Expression/properties/question/type",
			"integer"}, "question: the type was [string null] and is [integer] in the request"},
		{"a body that is required now", edit{"paths/~v3~insights~filter/post/requestBody/required", true}, ""}, // was so
		{"a word that is no more", edit{"components/schemas/StatisticsOptions/properties/correction/enum",
			[]any{"none", "holm"}}, "bonferroni is no word any more"},
		{"a limit that is lower", edit{"components/schemas/StatisticsOptions/properties/level/minimum", 90.0}, "minimum"},
		{"another value unless sent", edit{"components/schemas/StatisticsOptions/properties/level/default", 99.0},
			"default was 95"},
		{"a parameter that is gone", edit{"paths/~v2~query~crosstab/post/parameters", nil},
			"parameter query stream is gone"},
		{"a parameter that is required now", edit{stats + "parameters", more{map[string]any{"in": "query",
			"name": "unit", "required": true, "schema": text("string")}}}, "query unit is required now"},
		{"a status that is gone", edit{stats + "responses/403", nil}, "403: is gone"},
		{"a content type that is gone", edit{"paths/~v2~query~crosstab/post/responses/200/content/application~json-seq",
			nil}, "application/json-seq is gone"},
		{"a header that is gone", edit{"paths/~v2~query~crosstab/post/responses/200/headers/X-Cell-Count", nil},
			"header X-Cell-Count is gone"},
		{"a member of an answer that is gone", edit{"components/schemas/CellBase/properties/sample", nil},
			".sample: is gone from the answer"},
		{"a member of an answer that may be left out", edit{"components/schemas/Me/required", []any{"user_id"}},
			".limits: may be left out now"},
		{"a member of an answer of another type", edit{"components/schemas/Location/properties/code/type", "integer"},
			"the type was [string]"},
		{"a member of an answer that may be null", edit{"components/schemas/Location/properties/code/type",
			[]any{"string", "null"}}, "the type was [string]"},
		{"a member of an answer of another format", edit{"components/schemas/Me/properties/data_version/format",
			"int32"}, "format was int64"},
		{"an answer in another shape", edit{"components/schemas/QueryError/properties/code", text("string")},
			"the type was [integer]"},
		{"another constant", edit{"components/schemas/QueryForbidden/properties/error_type/const", "denied"},
			"was forbidden and is denied"},
		{"a negative number", edit{"components/schemas/Me/properties/data_version/minimum", -1.0}, "minimum"},

		{"a key described otherwise", edit{"components/securitySchemes/key/description", "Your key."}, ""},
		{"a new path", edit{"paths/~v2~query~new", map[string]any{"get": map[string]any{}}}, ""},
		{"a new method", edit{"paths/~v2~query~stats/get", map[string]any{}}, ""},
		{"a new member of an answer", edit{"components/schemas/CellBase/properties/new", text("string")}, ""},
		{"a new member of a request", edit{"components/schemas/Expression/properties/new", text("string")}, ""},
		{"a new status", edit{stats + "responses/507", map[string]any{}}, ""},
		{"a new parameter", edit{stats + "parameters", more{map[string]any{"in": "query", "name": "unit",
			"schema": text("string")}}}, ""},
		{"a new header", edit{"paths/~v2~query~crosstab/post/responses/200/headers/New", map[string]any{
			"schema": text("string")}}, ""},
		{"another description", edit{"components/schemas/CellBase/properties/size/description", "People."}, ""},
		{"a limit that is higher", edit{"components/schemas/StatisticsOptions/properties/level/exclusiveMinimum", 1.0}, ""},
		{"a type that was not told", edit{"paths/~v2~query~association/post/responses/200/content/application~json/" +
			"schema/properties/meta/properties/type/type", "string"}, ""},
		{"a number where whole ones were sent", edit{"paths/~v3~insights~filter/post/requestBody/content/" +
			"application~json/schema/properties/limit/type", []any{"number", "null"}}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			old, err := readDocument(httpapi.Contract())
			if err != nil {
				t.Fatal(err)
			}
			new, err := readDocument(httpapi.Contract())
			if err != nil {
				t.Fatal(err)
			}
			c.edit.apply(t, new)
			found := strings.Join(breaks(old, new), "\n")
			if c.broken == "" && found != "" || !strings.Contains(found, c.broken) {
				t.Errorf("found %q, want %q", found, c.broken)
			}
		})
	}
}

// TestWireCatchesAnswers: so does the comparison of answers.
func TestWireCatchesAnswers(t *testing.T) {
	const ok, failed = "answer 200 application/json Data-Version:1\n", "answer 400 application/json\n"
	const cells = "answer 200 application/x-ndjson X-Cell-Count:2 ETag:\"a\"\n{\"x\":1}\n{\"x\":2}"
	for _, c := range []struct{ name, old, new, lost string }{
		{"the same", ok + `{"a":1}`, ok + `{"a":1}`, ""},
		{"a new member", ok + `{"a":1}`, ok + `{"b":2,"a":1}`, ""},
		{"a new member deep down", ok + `{"a":[{"b":null}]}`, ok + `{"a":[{"b":null,"c":[]}]}`, ""},
		{"the same number", ok + `{"a":10}`, ok + `{"a":1e1}`, ""},
		{"another text of an error", failed + `{"error":"a","code":1}`, failed + `{"error":"b","code":1}`, ""},
		{"another tag", cells, strings.Replace(cells, `"a"`, `"b"`, 1), ""},
		{"a new method", "answer 405 application/json Allow:GET, HEAD\n{}",
			"answer 405 application/json Allow:DELETE, GET, HEAD\n{}", ""},

		{"a member that is gone", ok + `{"a":1,"b":2}`, ok + `{"a":1}`, ".b is gone"},
		{"a member that is null", ok + `{"a":1}`, ok + `{"a":null}`, ".a was 1 and is <nil>"},
		{"another value", ok + `{"a":{"b":[1,2]}}`, ok + `{"a":{"b":[1,3]}}`, ".a.b[1] was 2 and is 3"},
		{"the last digit", ok + `{"a":0.1}`, ok + `{"a":0.10000000000000002}`, ".a was 0.1"},
		{"a text for a number", ok + `{"a":1}`, ok + `{"a":"1"}`, ".a was 1"},
		{"another order of an array", ok + `{"a":[1,2]}`, ok + `{"a":[2,1]}`, ".a[0] was 1"},
		{"a longer array", ok + `{"a":[1]}`, ok + `{"a":[1,2]}`, ".a was [1]"},
		{"an object for an array", ok + `{"a":[1]}`, ok + `{"a":{}}`, ".a was [1]"},
		{"another kind of error", failed + `{"error_type":"a"}`, failed + `{"error_type":"b"}`, ".error_type was a"},
		{"no text of an error", failed + `{"error":"a"}`, failed + `{"error":null}`, ".error is no text"},
		{"the message of what is no error", ok + `{"message":"a"}`, ok + `{"message":"b"}`, ".message was a"},
		{"another status", ok + `{}`, failed + `{}`, `it was "answer 200`},
		{"another content type", ok + `{}`, "answer 200 application/x-ndjson Data-Version:1\n{}", `it was "answer 200`},
		{"another version", ok + `{}`, "answer 200 application/json Data-Version:2\n{}", "Data-Version"},
		{"no tag", cells, strings.Replace(cells, ` ETag:"a"`, "", 1), "the header ETag"},
		{"a method that is gone", "answer 405 application/json Allow:GET, HEAD\n{}",
			"answer 405 application/json Allow:GET\n{}", "the method HEAD is gone"},
		{"a line lost", cells, strings.Replace(cells, "{\"x\":1}\n", "", 1), "it had 2 objects and has 1"},
		{"lines in another order", cells, strings.NewReplacer(":1}", ":2}", ":2}", ":1}").Replace(cells), ".x was 1"},
		{"another framing", cells, strings.Replace(cells, `{"x":1`, `<RS>{"x":1`, 1), "it is framed otherwise"},
		{"half of it", ok + `{"a":1}`, ok + `{"a":`, "unexpected EOF"},
	} {
		found := strings.Join(lost(c.old, c.new), "\n")
		if c.lost == "" && found != "" || !strings.Contains(found, c.lost) {
			t.Errorf("%s: found %q, want %q", c.name, found, c.lost)
		}
	}
}

// Every kept answer is looked at: with any member of any of them called otherwise, the comparison finds it.
func TestWireLooksEverywhere(t *testing.T) {
	_, _, answers := keptAnswers(t, filepath.Join(wire, currentVersion(t)))
	n, step := 0, testsize.Of(40, 4, 1)
	for _, kept := range answers {
		head, body, _ := strings.Cut(kept, "\n")
		lines := splitBody(body)
		for i, line := range lines {
			for _, spoilt := range renamed(line) {
				if n++; n%step > 0 {
					continue
				}
				lines[i] = spoilt
				if len(lost(kept, head+"\n"+strings.Join(lines, "\n"))) == 0 {
					t.Fatalf("nothing is found in\n%s\nof\n%s", spoilt, line)
				}
			}
			lines[i] = line
		}
	}
	if n < 2000 {
		t.Errorf("only %d members were met", n)
	}
}

// renamed is a JSON text with each of its members in turn called otherwise.
func renamed(text string) (out []string) {
	for i := 1; i < len(text)-1; i++ {
		if text[i] == '"' && text[i-1] != '\\' && text[i+1] == ':' {
			out = append(out, text[:i]+" spoilt"+text[i:])
		}
	}
	return out
}
