package httpapi_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	"github.com/crosswave/crosswave/httpapi"
)

// Generated clients take a number without a format for what their language has: some for one of 32 bits, in which
// 710053087.8984346 people are 710053056. And a list of types is nothing that all of them understand, unless it only
// lets null in.
func TestEveryNumberHasItsFormat(t *testing.T) {
	seen := 0
	var look func(path string, v any)
	look = func(path string, v any) {
		switch v := v.(type) {
		case []any:
			for i, item := range v {
				look(fmt.Sprintf("%s[%d]", path, i), item)
			}
		case map[string]any:
			kind, _ := v["type"].(string) // where a member is called type, it is something else
			if list, is := v["type"].([]any); is {
				types := slices.DeleteFunc(slices.Clone(list), func(name any) bool { return name == "null" })
				if len(types) != 1 {
					t.Errorf("%s is of types %v: use oneOf", path, list)
				}
				kind, _ = types[0].(string)
			}
			_, constant := v["const"].(string)
			_, listed := v["enum"].([]any)
			if (constant || listed) && kind == "" {
				t.Errorf("%s has values and no type, so that clients take it for anything", path)
			}
			if want := map[string]string{"number": "double", "integer": "int64"}[kind]; want != "" {
				seen++
				if v["format"] != want {
					t.Errorf("%s is a %s of format %v, want %s", path, kind, v["format"], want)
				}
			}
			for name, member := range v {
				if name != "example" && name != "value" {
					look(path+"."+name, member)
				}
			}
		}
	}
	var document any
	if err := json.Unmarshal(httpapi.Contract(), &document); err != nil {
		t.Fatal(err)
	}
	look("$", document)
	if seen < 50 {
		t.Errorf("only %d numbers were found", seen)
	}
}
