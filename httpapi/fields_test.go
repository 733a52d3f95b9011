package httpapi_test

import (
	"encoding/json"
	"log/slog"
	"maps"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/crosswave/crosswave/httpapi"
)

// in puts members of a record where the record stands: in("a", "b c") is "a a.b a.c". What stands in an array is
// written a[].
func in(place string, members ...string) string {
	paths := []string{strings.TrimSuffix(place, "[]")}
	for _, list := range members {
		for _, m := range strings.Fields(list) {
			paths = append(paths, place+"."+m)
		}
	}
	return strings.Join(paths, " ")
}

// The records of the interface, member by member. Where it leaves the shape of an array's elements open, they are
// categoryRef, questionRef and codes.
var (
	expressionFields = "question datapoints options suffixes min_count not " + in("and[]", "question") + " " +
		in("or[]", "question")
	wrapperFields     = "id name " + in("expression", expressionFields)
	categoryRefFields = "id name order"
	questionRefFields = "namespace_code code name"
	datasetFields     = "code name description base_audience_label base_namespace_code depth order is_syndicated " +
		in("child_categories[]", categoryRefFields)
	pathFields      = in("categories_lineage[]", categoryRefFields) + " " + in("dataset", datasetFields)
	attributeFields = "namespace_code question_code question_name datapoint_code datapoint_name suffix_code suffix_name"
	categoryFields  = "id name description order attribute_count " + in("lineage[]", categoryRefFields) + " " +
		in("child_categories[]", categoryRefFields) + " " + in("child_questions[]", questionRefFields) + " " +
		in("datasets[]", datasetFields) + " " + in("descendant_attributes[]", attributeFields) + " " +
		in("taxonomy_paths[]", pathFields)
	valuedFields   = in("midpoint", "value") + " " + in("order", "value")
	questionFields = "code name description namespace_code unit accessible attribute_count order flags " +
		"knowledge_base message notice warning " +
		in("datapoints[]", "accessible code name", valuedFields) + " " + in("suffixes[]", "code name", valuedFields) +
		" " + in("datasets[]", datasetFields) + " " + in("categories[]", categoryFields) + " " + in("taxonomy_paths[]",
		pathFields)
	locationFields = "id code iso_code name accessible " + in("namespaces[]", "code wave_codes") + " " +
		in("region", "id code name area")

	imageFields            = "id is_main thumb_path page_thumb_path page_preview_thumb_path"
	attributeKeyFields     = in("attribute_key", "namespace_code question_code datapoint_code suffix_code")
	insightAttributeFields = attributeKeyFields +
		" question_description question_name datapoint_name suffix_name generated_text"
	insightAudienceFields = "id title description"
	calculationFields     = attributeKeyFields + " " + in("attribute", insightAttributeFields) + " audience_id " +
		in("audience", insightAudienceFields) + " percentage index sample size"
	viewFields = in("insight", "id text metrics", in("origins", in("attributes[]", attributeKeyFields,
		"generated_text"), in("audiences[]", insightAudienceFields), "locations waves datasets")) + " " +
		in("attributes[]", insightAttributeFields) + " " + in("audiences[]", insightAudienceFields) + " " +
		in("question_calculations[]", in("question", "question_description question_name"), "suffixes metric_priority",
			in("calculations[]", calculationFields)) + " " +
		in("location_groups[]", "group", in("details", "description", in("locations[]", "code name"))) + " " +
		in("timeframe_groups[]", "group", in("details", "description", in("timeframes[]", "code name"))) + " " +
		in("datasets[]", "title description url")

	codesFields = in("questions[]", "code datapoints origin") + " locations waves"
	savedFields = "id v1_id user_id name description " + in("expression", in("or[]", expressionFields)) +
		" datasets flags folder_id position shared " +
		in("permissions", "audience_overall", in("meta", codesFields)) + " " + in("sharings", "everyone") +
		" created_at updated_at"

	axisFields = "audience size sample percentage intersect_percentage"
	cellFields = in("audiences", in("row", axisFields), in("column", axisFields)) + " " + in("base", "size sample") +
		" " + in("intersect", "size sample percentage index")
	coverageFields = "namespace waves locations complete locations_differ " + in("partly_asked[]",
		"namespace_code question_code datapoint_code")
	intervalFields   = "standard_error low high"
	markedFields     = intervalFields + " quality"
	differenceFields = "difference standard_error t df p adjusted_p"
	ownFields        = "effective_sample " + in("percentage", markedFields) + " " + in("intersect_percentage",
		markedFields)
	sureCellFields = in("statistics", in("base", "effective_sample"), in("row", ownFields), in("column", ownFields),
		in("intersect", "effective_sample", in("size", intervalFields), in("percentage", markedFields), in("index",
			intervalFields)), in("rest", differenceFields), in("previous", differenceFields), in("columns",
			"higher_than lower_than", in("pairs[]", "column_index", differenceFields)))
	sureAttributeFields = in("statistics", in("base", "effective_sample"), in("positive", "effective_sample"),
		in("audience", "effective_sample"), in("datapoint", "effective_sample"), in("audience_percentage", markedFields),
		in("datapoint_percentage", markedFields), in("audience_index", intervalFields))
	sureEntryFields = in("statistics", in("base", "effective_sample"), in("positive", "effective_sample"), in("audience",
		"effective_sample"), in("datapoint", "effective_sample"), in("audience_percentage", markedFields),
		in("datapoint_percentage", markedFields), in("audience_index", intervalFields), in("rest", differenceFields),
		in("previous", differenceFields),
		in("audiences", "higher_than lower_than", in("pairs[]", "audience", differenceFields)),
		in("segments", "higher_than lower_than", in("pairs[]", "segment", differenceFields)))
	metricsFields = "positive_size positive_sample audience_index audience_percentage audience_sample audience_size " +
		"datapoint_percentage datapoint_sample datapoint_size"
)

// fullExpression has every member that an expression can have.
const fullExpression = `{"question": "use", "datapoints": ["phone", "tv"], "options": ["tv", "phone"], "suffixes": ` +
	`[1], "min_count": 1, "not": true, "and": [{"question": "age"}], "or": [{"question": "gender"}]}`

// closedExpression has codes of each kind that are not for the key limited.
const closedExpression = `{"or": [` + fullExpression + `, {"question": "brands", "datapoints": ["b2"]}, ` +
	`{"question": "waves", "datapoints": ["w1"]}, {"question": "locations", "datapoints": ["east"]}]}`

// fullWrapper has every member of an audience wrapper.
const fullWrapper = `{"id": "w", "name": "Not", "expression": ` + fullExpression + `}`

// Every field of every record of the interface is in a real response, with a value that is not the zero value; and
// there is no other field.
func TestFields(t *testing.T) {
	api, err := httpapi.New(httpapi.Config{Store: ragged(t), Authorize: authorize, Log: slog.New(slog.DiscardHandler),
		NewID: ids()})
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		record, method, path, key, body string
		status                          int
		fields                          string
	}{
		{"crosstab", "POST", "/v2/query/crosstab", "full", `{"rows": [` + fullWrapper + `], "columns": [` +
			fullWrapper + `]}`, 200,
			cellFields + " " + in("row", wrapperFields) + " " + in("column", wrapperFields) + " row_index column_index"},
		{"intersection", "POST", "/v2/query/intersection", "full", `{"audiences": {"row": ` + fullWrapper +
			`, "column": ` + fullWrapper + `}}`, 200, in("meta", "type") + " " + in("data", cellFields)},
		{"wave counts, version 2", "POST", "/v2/query/audience_wave_counts", "full",
			`{"question": "gender", "options": ["f"]}`, 200, in("data[]", "wave_code total percentage")},
		{"what a trend covers", "POST", "/v2/query/audience_wave_counts?coverage=true", "full", `{"question": "brands"}`, 200,
			in("data[]", "wave_code total percentage", in("coverage", "namespace waves locations complete",
				in("partly_asked[]", "namespace_code question_code datapoint_code"))) + " " + in("coverage", coverageFields)},
		{"wave counts, version 3", "POST", "/v3/query/audience_wave_counts", "full",
			`{"expression": {"question": "gender", "datapoints": ["f"]}}`, 200,
			"base_size base_sample audience_sample audience_size audience_percentage " + in("per_wave_count[]",
				"code name sample percentage")},
		{"statistics", "POST", "/v2/query/stats", "full", `{"question": "use", "suffixes": [1], "splitter": ` +
			`"waves", "audiences": [{"id": "w", "expression": {"question": "gender"}}]}`, 200,
			in("meta", "type question splitter") + " " + in("data[]", "datapoint waves segment audience suffixes",
				in("metrics", metricsFields))},
		{"association", "POST", "/v2/query/association", "full", `{"rows": {"question": "gender"}, "columns": {"question": ` +
			`"use", "datapoints": ["tv"]}, "base_audience": {"expression": {"question": "brands"}}, "coverage": true}`, 200,
			in("meta", "type", in("rows", "question"), in("columns", "question datapoints")) + " " +
				in("data", "f df df_denominator p cramers_v sample effective_sample", in("coverage",
					"namespace waves locations complete", in("partly_asked[]", "namespace_code question_code datapoint_code")))},
		{"how sure a crosstab is", "POST", "/v2/query/crosstab", "full", `{"rows": [` + fullWrapper + `, {"expression": ` +
			`{"question": "brands", "datapoints": ["b1"]}}], "columns": [` + fullWrapper + `, {"expression": {"question": ` +
			`"gender", "datapoints": ["f"]}}, {"expression": {"question": "gender", "datapoints": ["m"]}}], ` +
			everyStatistic("rest", "previous", "columns") + `}`, 200,
			cellFields + " " + in("row", wrapperFields) + " " + in("column", wrapperFields) + " row_index column_index " +
				sureCellFields},
		{"how sure statistics are", "POST", "/v2/query/stats", "full", `{"question": "use", "suffixes": [1], "splitter": ` +
			`"brands", "audiences": [{"id": "f", "expression": {"question": "gender", "datapoints": ["f"]}}, {"id": "m", ` +
			`"expression": {"question": "gender", "datapoints": ["m"]}}], ` +
			everyStatistic("rest", "previous", "audiences", "segments") + `}`, 200,
			in("meta", "type question splitter") + " " + in("data[]", "datapoint waves segment audience suffixes",
				in("metrics", metricsFields), sureEntryFields)},
		{"summaries", "POST", "/v2/query/summary", "full", `{"question": "use", "datapoints": ["phone"], "quantiles": ` +
			`[25, 50], "splitter": "brands", "audiences": [{"id": "young", "expression": {"question": "age", "datapoints": ` +
			`["young"]}}, {"id": "old", "expression": {"question": "age", "datapoints": ["old"]}}], ` +
			everyStatistic("rest", "previous", "audiences", "segments") + `}`, 200,
			in("meta", "type question splitter unit") + " " + in("data[]", "segment audience waves", in("metrics",
				"sample size effective_sample mean standard_deviation min max", in("quantiles", "25 50")), in("statistics",
				in("mean", intervalFields), in("rest", differenceFields), in("previous", differenceFields),
				in("audiences", "higher_than lower_than", in("pairs[]", "audience", differenceFields)),
				in("segments", "higher_than lower_than", in("pairs[]", "segment", differenceFields))))},
		{"a profile", "POST", "/v2/query/profile", "full", `{"audience": {"expression": {"and": [{"question": ` +
			`"visit", "datapoints": ["s1"]}, {"question": "brands", "datapoints": ["b1", "b3"]}]}}, "min_sample": 1, ` +
			`"false_discovery": 99, "coverage": true}`, 200,
			in("meta", "type measured tested standing ranked unmeasured incompatible") + " " + in("data[]",
				"namespace question datapoint suffixes waves", in("metrics", metricsFields), in("coverage",
					"namespace waves locations complete", in("partly_asked[]", "namespace_code question_code datapoint_code")),
				in("rest", "percentage effective_sample"), "difference p adjusted_p stands", sureAttributeFields)},
		{"how sure wave counts are", "POST", "/v2/query/audience_wave_counts?statistics=95", "full",
			`{"question": "gender", "options": ["f"]}`, 200, in("data[]", "wave_code total percentage", in("statistics",
				"effective_sample", in("percentage", markedFields), in("previous", differenceFields)))},
		{"questions", "POST", "/v3/questions/filter", "full",
			`{"include": {"categories": true, "datapoints": true, "taxonomy_paths": true}}`, 200,
			in("questions[]", questionFields)},
		{"questions found", "POST", "/v3/questions/filter", "full", `{"search": "use media week tele", "include": ` +
			`{"categories": true, "datapoints": true, "taxonomy_paths": true}}`, 200, in("questions[]", questionFields,
			in("match", "code name description", in("categories[]", "id name order"), in("datapoints[]", "code name"),
				in("suffixes[]", "code name"))) + " limit offset=0 total"},
		{"questions in pages", "POST", "/v3/questions/filter", "full", `{"offset": 3, "include": {"categories": true, ` +
			`"datapoints": true, "taxonomy_paths": true}}`, 200, in("questions[]", questionFields) + " limit offset total"},
		{"locations", "POST", "/v2/locations/filter", "full", `{"include": {"regions": true}}`, 200,
			in("locations[]", locationFields)},
		{"waves", "POST", "/v2/waves/filter", "full", `{}`, 200,
			in("waves[]", "code name accessible date_start date_end kind", in("namespaces[]", "code location_codes"))},
		{"namespaces", "POST", "/v2/namespaces/filter", "full", `{}`, 200,
			in("namespaces[]", "code name description accessible base_namespace_code universe wave_codes location_codes")},
		{"categories", "POST", "/v2/categories/filter", "full", `{}`, 200, in("categories[]", categoryFields)},
		{"datasets", "POST", "/v2/datasets/filter", "full", `{}`, 200, in("datasets[]", datasetFields)},
		{"insight", "GET", "/v3/insights/1", "full", "", 200, "id name description type category_ids " +
			in("images[]", imageFields)},
		{"insights", "POST", "/v3/insights/filter", "full", `{"order": "desc", "offset": 3}`, 200,
			in("insights[]", "id name description", in("images[]", imageFields)) + " limit offset order order_by total"},
		{"explore view", "GET", "/v1/insights-api/generic/insights/screens", "full", "", 200, viewFields},
		{"saved audience, made", "POST", "/v2/saved/audiences", "full", `{"name": "N", "expression": ` +
			closedExpression + `, "datasets": ["whole"], "flags": ["isP2"],
			"folder_id": "aaaaaaaa-0000-4000-8000-00000000000a", "position": 1, "shared": true}`, 201, ""},
		{"saved audience", "GET", "/v2/saved/audiences/00000000-0000-4000-8000-000000000001", "limited", "", 200,
			savedFields},
		{"saved audiences", "GET", "/v2/saved/audiences", "limited", "", 200, in("meta", "total") + " " +
			in("data[]", savedFields)},
		{"query, 400", "POST", "/v2/query/stats", "full", `{}`, 400, "error error_type code message"},
		{"query, 403", "POST", "/v2/query/stats", "limited",
			`{"question": "brands", "datapoints": ["b2"], "waves": ["w1"], "locations": ["east"]}`, 403,
			"error error_type code message " + in("meta", in("forbidden_codes", codesFields))},
		{"insight, 404", "GET", "/v1/insights-api/generic/insights/none", "full", "", 404, "code message"},
		{"insight, 401", "GET", "/v1/insights-api/generic/insights/none", "none", "", 401, "message"},
		{"record, 400", "POST", "/v2/locations/filter", "full", `{"x": 1}`, 400, "code err type"},
	} {
		r := httptest.NewRequestWithContext(t.Context(), test.method, test.path, strings.NewReader(test.body))
		r.Header.Set("Authorization", test.key)
		w := httptest.NewRecorder()
		api.ServeHTTP(w, r)
		if w.Code != test.status {
			t.Errorf("%s: %d %s", test.record, w.Code, w.Body)
			continue
		}
		if test.fields == "" { // it is there for those after it
			continue
		}
		found := map[string]bool{}
		for stream := json.NewDecoder(w.Body); stream.More(); { // one object, or those of a stream
			var body any
			if err := stream.Decode(&body); err != nil {
				t.Errorf("%s: %v", test.record, err)
				break
			}
			collect(found, "", body)
		}
		named := strings.Fields(test.fields)
		for i, field := range named {
			field, zero := strings.CutSuffix(field, "=0")
			named[i] = field
			switch filled, there := found[field]; {
			case !there:
				t.Errorf("%s: there is no %s", test.record, field)
			case !filled && !zero:
				t.Errorf("%s: %s has no value but the zero value", test.record, field)
			case filled && zero:
				t.Errorf("%s: %s has another value than the zero value", test.record, field)
			}
		}
		for _, field := range slices.Sorted(maps.Keys(found)) {
			if !slices.Contains(named, field) {
				t.Errorf("%s: %s is no field of the interface", test.record, field)
			}
		}
	}
}

// collect notes the path of each member of a body, and whether it has a value somewhere that is not the zero value.
func collect(found map[string]bool, path string, v any) {
	filled := false
	switch v := v.(type) {
	case map[string]any:
		filled = len(v) > 0
		for name, member := range v {
			if path != "" {
				name = path + "." + name
			}
			collect(found, name, member)
		}
	case []any:
		filled = len(v) > 0
		for _, item := range v {
			if _, object := item.(map[string]any); object {
				collect(found, path+"[]", item)
			}
		}
	case string:
		filled = v != ""
	case float64:
		filled = v != 0
	case bool:
		filled = v
	}
	if path != "" && !strings.HasSuffix(path, "[]") {
		found[path] = found[path] || filled
	}
}

// The test would notice a field that is missing, empty everywhere, or too many.
func TestCollect(t *testing.T) {
	var body any
	if err := json.Unmarshal([]byte(`{"a": [{"b": 0, "c": ""}, {"b": 1, "d": {"e": null}}], "f": [], "g": false}`),
		&body); err != nil {
		t.Fatal(err)
	}
	found := map[string]bool{}
	collect(found, "", body)
	want := map[string]bool{"a": true, "a[].b": true, "a[].c": false, "a[].d": true, "a[].d.e": false, "f": false,
		"g": false}
	if !maps.Equal(found, want) {
		t.Error(found)
	}
	if got := in("a[]", "b", in("d", "e")); got != "a a[].b a[].d a[].d.e" {
		t.Error(got)
	}
}
