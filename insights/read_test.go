package insights_test

import (
	"strings"
	"testing"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/insights"
	gocmp "github.com/google/go-cmp/cmp"
)

const fullFile = `{
  "insights": [
    {"id": 7, "name": "Screens", "description": "Long.", "type": "report", "category_ids": [21, 31],
     "images": [{"id": 70, "is_main": true, "thumb_path": "s", "page_thumb_path": "m", "page_preview_thumb_path": "l"}, {}],
     "is_trending": true, "trending": 81.5, "popularity": 1204,
     "published_at": "2025-03-01", "created_at": "2025-02-20T08:00:00Z", "updated_at": "2025-03-02T10:15:00.25+01:00"},
    {"id": -8}],
  "generic": [
    {"id": "bed", "text": "Phones in bed.", "metrics": ["index", "percentage"],
     "origins": {
       "attributes": [
         {"attribute_key": {"namespace_code": "core", "question_code": "bed", "datapoint_code": "phone", "suffix_code": "1"}, "generated_text": "phone in bed"},
         {"attribute_key": {"question_code": "bed", "datapoint_code": "phone"}}],
       "audiences": [
         {"id": "women", "title": "Women", "description": "All.", "expression": {"question": "gender", "datapoints": ["f"]}},
         {"id": "5f6d"}],
       "locations": ["n"], "waves": ["w1"], "datasets": ["d"]}},
    {"id": "plain", "text": "Plain."}]
}`

func TestRead(t *testing.T) {
	got, err := insights.Read([]byte(fullFile))
	want := &insights.File{
		Insights: []insights.Insight{
			{ID: 7, Name: "Screens", Description: "Long.", Type: "report", CategoryIDs: []int64{21, 31},
				Images: []insights.Image{{ID: 70, IsMain: true, ThumbPath: "s", PageThumbPath: "m",
					PagePreviewThumbPath: "l"}, {}},
				IsTrending: true, Trending: 81.5, Popularity: 1204, PublishedAt: "2025-03-01",
				CreatedAt: "2025-02-20T08:00:00Z", UpdatedAt: "2025-03-02T10:15:00.25+01:00"},
			{ID: -8, CategoryIDs: []int64{}, Images: []insights.Image{}}},
		Generic: []insights.Generic{
			{ID: "bed", Text: "Phones in bed.", Metrics: []string{"index", "percentage"}, Origins: insights.Origins{
				Attributes: []insights.OriginAttribute{
					{Key: insights.AttributeKey{NamespaceCode: "core", QuestionCode: "bed", DatapointCode: "phone",
						SuffixCode: "1"}, GeneratedText: "phone in bed"},
					{Key: insights.AttributeKey{QuestionCode: "bed", DatapointCode: "phone"}}},
				Audiences: []insights.OriginAudience{
					{ID: "women", Title: "Women", Description: "All.",
						Expression: audience.Answers{Question: "gender", Datapoints: []string{"f"},
							Path: "generic[0].origins.audiences[0].expression"}},
					{ID: "5f6d"}},
				Locations: []string{"n"}, Waves: []string{"w1"}, Datasets: []string{"d"}}},
			{ID: "plain", Text: "Plain."}},
	}
	if d := gocmp.Diff(want, got); d != "" || err != nil {
		t.Errorf("%v\n%s", err, d)
	}
}

// WriteGeneric writes what ReadGeneric reads.
func TestWriteGeneric(t *testing.T) {
	file, err := insights.Read([]byte(fullFile))
	if err != nil {
		t.Fatal(err)
	}
	for _, g := range file.Generic {
		text, err := insights.WriteGeneric(g)
		if err != nil {
			t.Fatal(err)
		}
		again, err := insights.ReadGeneric(string(text), "")
		paths := gocmp.FilterPath(func(p gocmp.Path) bool { return p.Last().String() == ".Path" }, gocmp.Ignore())
		if d := gocmp.Diff(g, again, paths); d != "" || err != nil {
			t.Errorf("%v\n%s", err, d)
		}
	}
}

// Every error names its place and says what would be right; nothing is read then.
func TestReadErrors(t *testing.T) {
	generic := func(members string) string {
		return `{"generic": [{"id": "a", "text": "T"}, {"id": "g", "text": "T", ` + members + `}]}`
	}
	origins := func(members string) string { return generic(`"origins": {` + members + `}`) }
	attribute := func(key string) string { return origins(`"attributes": [{"attribute_key": ` + key + `}]`) }
	for text, want := range map[string]string{
		`{`:                           `the text ends where a member name is expected (line 1, column 2)`,
		`null`:                        `an object is expected, not null`,
		`[]`:                          `an object is expected, not an array`,
		`{"insight": []}`:             `insight: unknown member "insight"; "insights" is probably meant`,
		`{"insights": {}}`:            `insights: an array is expected, not an object`,
		`{"insights": [{}]}`:          `insights[0].id: an insight needs an id, an integer`,
		`{"insights": [null]}`:        `insights[0].id: an insight needs an id, an integer`,
		`{"insights": [{"id": "7"}]}`: `insights[0].id: a number is expected, not a string`,
		`{"insights": [{"id": 1.5}]}`: `insights[0].id: a whole number is expected, not 1.5`,
		`{"insights": [{"id": 1}, {"id": 2}, {"id": 1}]}`: `insights[2].id: insight 1 is there twice`,
		`{"insights": [{"id": 1, "kind": "report"}]}`: `insights[0].kind: unknown member "kind"; ` +
			`known here: id, name, description, type, category_ids, images, is_trending, trending, popularity, ` +
			`published_at, created_at, updated_at`,
		`{"insights": [{"id": 1, "category_ids": ["a"]}]}`: `insights[0].category_ids[0]: a number is ` +
			`expected, not a string`,
		`{"insights": [{"id": 1, "category_ids": [2, null]}]}`: `insights[0].category_ids[1]: a whole ` +
			`number is expected, not null`,
		`{"insights": [{"id": 1, "images": [{"path": ""}]}]}`: `insights[0].images[0].path: unknown ` +
			`member "path"; known here: id, is_main, thumb_path, page_thumb_path, page_preview_thumb_path`,
		`{"insights": [{"id": 1, "published_at": "1 March"}]}`: `insights[0].published_at: "1 March" is ` +
			`no date; one is written 2024-01-31 or 2024-01-31T09:30:00Z`,
		`{"insights": [{"id": 1, "created_at": "2024-02-30"}]}`: `insights[0].created_at: "2024-02-30" is ` +
			`no date; one is written 2024-01-31 or 2024-01-31T09:30:00Z`,
		`{"insights": [{"id": 1, "updated_at": "2024-02-01 10:00"}]}`: `insights[0].updated_at: "2024-02-01 ` +
			`10:00" is no date; one is written 2024-01-31 or 2024-01-31T09:30:00Z`,
		`{"insights": [{"id": 1, "updated_at": "2024-02-01T10:00:00"}]}`: `insights[0].updated_at: ` +
			`"2024-02-01T10:00:00" is no date; one is written 2024-01-31 or 2024-01-31T09:30:00Z`,
		`{"generic": [{}]}`:                     `generic[0].id: a generic insight needs an id, a text`,
		`{"generic": [{"id": "g"}]}`:            `generic[0].text: a generic insight needs a text`,
		`{"generic": [{"id": 1, "text": "T"}]}`: `generic[0].id: a string is expected, not a number`,
		generic(
			`"metrics": ["index", "share"]`): `generic[1].metrics[1]: "share" is none of percentage, index, sample, size`,
		generic(
			`"metrics": ["index", "size", "index"]`): `generic[1].metrics[2]: metric index is there twice`,
		`{"generic": [{"id": "g", "text": "T"}, {"id": "g", "text": "T"}]}`: `generic[1].id: generic insight g is ` +
			`there twice`,
		origins(
			`"audience": []`): `generic[1].origins.audience: unknown member "audience"; "audiences" is probably meant`,
		origins(
			`"attributes": [{}]`): `generic[1].origins.attributes[0].attribute_key.question_code: an attribute ` +
			`needs a question_code`,
		attribute(
			`{"question_code": "q"}`): `generic[1].origins.attributes[0].attribute_key.datapoint_code: an attribute ` +
			`needs a datapoint_code`,
		attribute(
			`{"question_code": "q", "datapoint_code": "d", "suffix_code": "01"}`): `generic[1].origins.attributes[0].attribute_key.suffix_code: "01" is no suffix code: a whole number from 0 to 2147483647, written as a text`,
		attribute(
			`{"question_code": "q", "datapoint_code": "d", "suffix_code": "2147483648"}`): `generic[1].origins.attributes[0].attribute_key.suffix_code: "2147483648" is no suffix code: a whole number from 0 to 2147483647, written as a text`,
		origins(`"attributes": [{"attribute_key": {"question_code": "q", "datapoint_code": "d"}}, {"attribute_key": ` +
			`{"question_code": "q", "datapoint_code": "d"}, "generated_text": "x"}]`): `generic[1].origins.attributes[1].attribute_key: attribute .q.d. is there twice`,
		origins(
			`"audiences": [{"title": "Women"}]`): `generic[1].origins.audiences[0].id: an origin audience needs an ` +
			`id: that of a saved audience, or any with an expression`,
		origins(
			`"audiences": [{"id": "a"}, {"id": "a"}]`): `generic[1].origins.audiences[1].id: audience a is there twice`,
		origins(
			`"audiences": [{"id": "a", "expression": {}}]`): `generic[1].origins.audiences[0].expression: the ` +
			`expression is empty: say who the audience is, or ask for everyone with {"question": "waves"}`,
		origins(
			`"audiences": [{"id": "a", "expression": {"and": [{"questions": "q"}]}}]`): `generic[1].origins.audiences[0].expression.and[0].questions: unknown member "questions"; "question" is probably meant`,
		origins(
			`"waves": ["w1", 2]`): `generic[1].origins.waves[1]: a string is expected, not a number`,
	} {
		file, err := insights.Read([]byte(text))
		if err == nil || err.Error() != want || file != nil {
			t.Errorf("%s\n got %v\nwant %s", text, err, want)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte(fullFile))
	f.Add([]byte(`{"insights": [{"id": 1e0}], "generic": [{"id": "\ud83d\ude00", "text": "T", "origins": ` +
		`{"audiences": [{"id": "a", "expression": {"question": "waves", "not": true}}]}}]}`))
	f.Add([]byte(`{"generic": [{"id": "g", "text": "T", "metrics": null, "origins": null}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		file, err := insights.Read(data)
		if err != nil {
			if file != nil || err.Error() == "" {
				t.Errorf("%v %v", file, err)
			}
			return
		}
		for _, g := range file.Generic {
			text, err := insights.WriteGeneric(g)
			if err != nil {
				t.Fatal(err)
			}
			again, err := insights.ReadGeneric(string(text), "")
			if err != nil {
				t.Fatalf("%s: %v", text, err)
			}
			if twice, err := insights.WriteGeneric(again); err != nil || string(twice) != string(text) {
				t.Errorf("%s\n%s\n%v", text, twice, err)
			}
		}
	})
}

func TestCheck(t *testing.T) {
	frame := framed(t)
	file, err := insights.Read([]byte(`{"generic": [
		{"id": "fine", "text": "T", "origins": {"attributes": [{"attribute_key": {"question_code": "use", "datapoint_code": "tv", "suffix_code": "1"}}],
			"audiences": [{"id": "saved"}, {"id": "f", "expression": {"question": "gender", "datapoints": ["f"]}}], "waves": ["w1"], "locations": ["n"]}},
		{"id": "codes", "text": "T", "origins": {"attributes": [{"attribute_key": {"question_code": "gender", "datapoint_code": "x"}}],
			"audiences": [{"id": "f", "expression": {"question": "none"}}], "waves": ["w9"], "locations": ["e"]}},
		{"id": "suffix", "text": "T", "origins": {"attributes": [{"attribute_key": {"question_code": "use", "datapoint_code": "tv", "suffix_code": "9"}}]}},
		{"id": "no grid", "text": "T", "origins": {"attributes": [{"attribute_key": {"question_code": "gender", "datapoint_code": "f", "suffix_code": "1"}}]}},
		{"id": "apart", "text": "T", "origins": {"attributes": [{"attribute_key": {"question_code": "visit", "datapoint_code": "s1"}}], "audiences": [{"id": "r", "expression": {"question": "read"}}]}}]}`))
	if err != nil {
		t.Fatal(err)
	}
	want := strings.Join([]string{
		`generic insight codes: not available: datapoints x of question "gender" (in origins.attributes[0]); ` +
			`question "none" (in origins.audiences[0]); locations e; waves w9`,
		`generic insight suffix: origins.attributes[0].suffixes[0]: question "use" has no suffix 9`,
		`generic insight no grid: origins.attributes[0].suffixes: question "gender" is no grid and has no suffixes: ` +
			`leave them out`,
		`generic insight apart: namespaces shop and diary have no common respondents: use one of them, or one that ` +
			`is built on the other`,
	}, "\n")
	if err := file.Check(frame); err == nil || err.Error() != want {
		t.Errorf("%v\nwant\n%s", err, want)
	}
}
