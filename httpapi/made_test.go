package httpapi_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/crosswave/crosswave/saved"
)

// maker makes requests up from what the contract says of them.
type maker struct {
	*rand.Rand
	doc *openapi3.T
}

// made is a request that was made up.
type made struct {
	op, method, path, query, body string
	header                        map[string]string
}

func (m made) String() string {
	return fmt.Sprintf("%s %s?%s %v %q", m.method, m.path, m.query, m.header, m.body)
}

func (m made) send(api http.Handler, key string) *httptest.ResponseRecorder {
	target := (&url.URL{Path: m.path}).EscapedPath()
	if m.query != "" {
		target += "?" + m.query
	}
	r := httptest.NewRequest(m.method, target, strings.NewReader(m.body))
	r.Header.Set("Authorization", key)
	r.Header.Set("X-Request-Id", "made-up")
	for name, value := range m.header {
		r.Header.Set(name, value)
	}
	w := httptest.NewRecorder()
	api.ServeHTTP(w, r)
	return w
}

// request makes a request of any operation up, one in five of which is spoilt.
func (m *maker) request() made {
	ops := operations(m.doc)
	name := one(m.Rand, slices.Sorted(maps.Keys(ops)))
	method, path, _ := strings.Cut(name, " ")
	op := ops[name]
	out := made{op: name, method: method, path: path, header: map[string]string{}}
	query := url.Values{}
	for _, p := range op.Parameters {
		value := m.parameter(p.Value)
		switch {
		case p.Value.In == "path":
			out.path = strings.ReplaceAll(out.path, "{"+p.Value.Name+"}", value)
		case m.IntN(4) > 0:
		case p.Value.In == "query":
			query.Set(p.Value.Name, value)
		default:
			out.header[p.Value.Name] = value
		}
	}
	out.query = query.Encode()
	if op.RequestBody != nil {
		schema := op.RequestBody.Value.Content.Get("application/json").Schema
		out.body = string(mustJSON(m.value("", schema, 0)))
		if bodies := valid[path]; len(bodies) > 0 && m.IntN(4) == 0 {
			out.body = one(m.Rand, bodies)
		} else if method == http.MethodPatch && m.IntN(2) == 0 { // or hardly any change would be taken
			out.body = `{"name": "another name"}`
		}
		if m.IntN(5) == 0 {
			out.body = spoil(m.Rand, out.body)
		}
	}
	return out
}

func mustJSON(v any) []byte {
	data, err := json.Marshal(v)
	if err != nil { // cannot happen: all of it was made of texts, numbers, lists and maps
		return nil
	}
	return data
}

func one[T any](r *rand.Rand, list []T) T { return list[r.IntN(len(list))] }

// id is that of a record of any user and service, or of none.
func (m *maker) id() string {
	if m.IntN(2) == 0 {
		return fmt.Sprintf("00000000-0000-4000-8000-%012d", 1+m.IntN(12)) // one that a request has made
	}
	return one(m.Rand, []string{privateID("a", m.IntN(4)), privateID("b", m.IntN(4)), sharedID, "hidden-a", "hidden-b",
		"theirs", "shared", "screens", "brands", "mine", "apart", "1", "2", "3", "none", "a b",
		strings.ToUpper(privateID("a", 0))})
}

// folder is the id of a folder of either user, or of one that there is not.
func (m *maker) folder() string {
	return one(m.Rand, []string{privateID("a", 8), privateID("a", 9), privateID("b", 9), saved.NoFolder,
		"dddddddd-0000-4000-8000-000000000001", "dddddddd-0000-4000-8000-000000000002"})
}

func (m *maker) parameter(p *openapi3.Parameter) string {
	switch p.Name {
	case "id":
		return m.id()
	case "folder_id":
		return m.folder()
	case "code": // of a derived question: what requests call theirs, and what the other user does
		return one(m.Rand, []string{"w2", "w1", "north", "east", "none", "theirs_a", "theirs_b"})
	case "flags":
		return one(m.Rand, []string{"authored", "curated,isP2", "none"})
	case "If-Match":
		return one(m.Rand, []string{`"v1"`, `"v2"`, "*", `"x"`})
	case "If-Data-Version":
		return one(m.Rand, []string{"1", "1", "1", "2"})
	case "stream", "coverage", "matched":
		return one(m.Rand, []string{"true", "false", "x"})
	}
	return fmt.Sprint(m.IntN(4))
}

// answers are the datapoints of questions.
var answers = map[string][]string{
	"gender": {"f", "m"}, "core.gender": {"f", "m"}, "age": {"young", "old"}, "brands": {"b1", "b3"},
	"core.brands": {"b1", "b2"}, "use": {"tv", "phone"}, "mood_old": {"good", "bad"}, "mood": {"good", "bad"},
	"core.mood": {"good"}, "visit": {"s1", "s2"}, "shop.visit": {"s1"}, "read": {"yes", "no"}, "diary.read": {"no"},
	"waves": {"w1", "w2"}, "locations": {"north", "south", "east"}, "none": {"x"}, "theirs_a": {"x"}, "theirs_b": {"x"},
}

// expression is one that says something, mostly of what the limited key grants.
func (m *maker) expression(depth int) map[string]any {
	if depth < 2 && m.IntN(4) == 0 {
		var list []any
		for range 1 + m.IntN(3) {
			list = append(list, m.expression(depth+1))
		}
		return map[string]any{one(m.Rand, []string{"and", "or"}): list}
	}
	question := one(m.Rand, []string{"gender", "brands", "use", "age", "visit", "waves", "locations", "gender", "use"})
	if m.IntN(6) == 0 {
		question = one(m.Rand, slices.Sorted(maps.Keys(answers)))
	}
	out := map[string]any{"question": question}
	if all := answers[question]; m.IntN(4) > 0 {
		out["datapoints"] = []string{one(m.Rand, all)}
	}
	if m.IntN(5) == 0 {
		out["not"] = true
	}
	if question == "use" && m.IntN(2) == 0 {
		out["suffixes"] = []any{1 + m.IntN(3)}
	}
	return out
}

// value makes up a value of a schema, by the name of its member where that says more.
func (m *maker) value(name string, ref *openapi3.SchemaRef, depth int) any {
	s := ref.Value
	switch {
	case strings.HasSuffix(ref.Ref, "/Expression"), name == "expression":
		return m.expression(0)
	case s.Const != nil:
		return s.Const
	case len(s.Enum) > 0:
		return one(m.Rand, s.Enum)
	case len(s.OneOf) > 0:
		return m.value(name, one(m.Rand, s.OneOf), depth)
	case len(s.AnyOf) > 0:
		return m.value(name, one(m.Rand, s.AnyOf), depth)
	case s.Type == nil || m.IntN(60) == 0:
		return nil
	case s.Type.Includes("object"):
		return m.object(s, depth)
	case s.Type.Includes("array"):
		list := []any{}
		for range m.IntN(4) {
			list = append(list, m.value(name, s.Items, depth+1))
		}
		return list
	case s.Type.Includes("boolean"):
		return m.IntN(2) == 0
	case s.Type.Includes("integer"), s.Type.Includes("number"):
		return m.number(name, s)
	}
	return m.text(name)
}

// object has what is required, and of all else as much as lets a request be answered now and then.
func (m *maker) object(s *openapi3.Schema, depth int) any {
	out := map[string]any{}
	for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
		p := s.Properties[name]
		rare := 3
		if p.Value.ReadOnly || name == "statistics" {
			rare = 10
		}
		if slices.Contains(s.Required, name) || slices.Contains([]string{"rows", "columns", "audience", "audiences",
			"expression", "name"}, name) || m.IntN(rare) == 0 && depth < 6 {
			out[name] = m.value(name, p, depth+1)
		}
	}
	return out
}

func (m *maker) number(name string, s *openapi3.Schema) any {
	switch name {
	case "level":
		return one(m.Rand, []any{80, 95, 99.5})
	case "categories", "category_ids":
		return one(m.Rand, []any{1, 2, 23, 24, 241, 7})
	case "false_discovery":
		return 10
	case "quantiles":
		return m.IntN(101)
	}
	least := 0
	if s.Min != nil {
		least = int(*s.Min)
	}
	return least + m.IntN(6)
}

func (m *maker) text(name string) string {
	switch name {
	case "question", "questions", "question_code":
		return one(m.Rand, append([]string{"gender", "use", "brands"}, slices.Sorted(maps.Keys(answers))...))
	case "datapoints", "options", "segments":
		return one(m.Rand, []string{"f", "m", "b1", "b1", "b3", "b2", "tv", "phone", "w2", "north", "s1"})
	case "suffixes":
		return one(m.Rand, []string{"1", "2"})
	case "splitter":
		return one(m.Rand, []string{"waves", "gender", "locations", "brands", "mood", "read"})
	case "waves":
		return one(m.Rand, []string{"w2", "w2", "w2", "w1", "w3"})
	case "locations":
		return one(m.Rand, []string{"north", "north", "south", "east", "west"})
	case "code", "namespace_code", "namespaces":
		return one(m.Rand, []string{"core", "shop", "diary", "w2", "w1", "north", "east", "none"})
	case "folder_id":
		return m.folder()
	case "id":
		return m.id()
	case "datasets":
		return one(m.Rand, []string{"whole", "screens", "none"})
	case "flags":
		return one(m.Rand, []string{"authored", "curated", "isP2"})
	case "categories":
		return one(m.Rand, []string{"1", "2", "24", "7"})
	}
	return one(m.Rand, []string{"a", "Women", "ü", "x y", "–", ""})
}
