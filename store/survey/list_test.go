package survey

import (
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"
)

// Lists as programs write them, and texts that are none.
func TestItems(t *testing.T) {
	for _, c := range []struct {
		text string
		want []string
	}{
		{`["tea","milk"]`, []string{"tea", "milk"}},
		{` ["tea", "milk"] `, []string{"tea", "milk"}},
		{`['tea', 'milk']`, []string{"tea", "milk"}},
		{`[1, 2.5]`, []string{"1", "2.5"}},
		{`[tea, milk]`, []string{"tea", "milk"}},
		{`["Yes, always", "no"]`, []string{"Yes, always", "no"}},
		{`["a \"b\"", "caf\u00e9", "1\/2"]`, []string{`a "b"`, "café", "1/2"}},
		{`['it\'s', "it's"]`, []string{"it's", "it's"}},
		{`["never closed, b]`, []string{`"never closed`, "b"}},
		{`["\q"]`, []string{`\q`}},
		{`["tea", "", ]`, []string{"tea"}},
		{`[]`, nil},
		{`{tea,milk}`, []string{"tea", "milk"}},
		{`{"green tea",milk}`, []string{"green tea", "milk"}},
		{`{'tea', 'milk'}`, []string{"tea", "milk"}},
		{`{}`, nil},
		{`{"tea": true}`, []string{`{"tea": true}`}},
		{`c("tea", "milk")`, []string{"tea", "milk"}},
		{`c(1, 2)`, []string{"1", "2"}},
		{`('tea', 'milk')`, []string{"tea", "milk"}},
		{`("tea",)`, []string{"tea"}},
		{`(tea, milk)`, []string{"(tea, milk)"}},
		{`tea, milk`, []string{"tea, milk"}},
		{`['a \\', 'b\'c', 'say "\u00e9"']`, []string{`a \`, "b'c", `say "é"`}},
		{`[tea`, []string{"[tea"}},
		{``, []string{""}},
	} {
		if got := slices.Collect(Items(c.text)); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, not %q", c.text, got, c.want)
		}
	}
	for item := range Items("[1, 2]") { // the first is enough
		if item != "1" {
			t.Errorf("the first item is %q", item)
		}
		break
	}
}

// Whatever stands in a field, its items are no longer than it is, and those of a list written anew are the same.
func FuzzItems(f *testing.F) {
	for _, text := range []string{`["tea", 'milk']`, `{a,b}`, `c("a", "b")`, `('a',)`, `["\u00e9", "\q", ""]`, `{"a": 1}`,
		``, `["\\'v"]`} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var again []string
		for item := range Items(text) {
			if len(item) > max(3*len(text), 4) { // of a byte that is none, the sign that stands for it
				t.Fatalf("%q of %q", item, text)
			}
			again = append(again, strconv.Quote(item))
		}
		if !IsList(text) {
			return
		}
		items := slices.Collect(Items(text))
		anew := slices.Collect(Items("[" + strings.Join(again, ",") + "]"))
		if utf8.ValidString(text) && !slices.Equal(anew, items) {
			t.Fatalf("%q: %q, and written anew %q", text, items, anew)
		}
	})
}
