package survey

import (
	"slices"
	"testing"
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
		{`tea, milk`, []string{"tea, milk"}},
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
