package guess_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/crosswave/crosswave/store/guess"
	"github.com/google/go-cmp/cmp"
)

// What is guessed and bears on figures is to be checked, what moves them most first; what was said, or what the file
// declares, is not.
func TestChecks(t *testing.T) {
	make := func() *guess.File {
		f := repeated(40, "id|wave|country|weight|wt_trim|tick_a|tick_b|rate_1|rate_2|brand|note", count(1),
			among("2024", "2025"), among("de", "fr"), among("0.875", "1.125", "", "1.25"), among("0.5", "1.5", "1.123", "0.877"),
			among("1", "0"), among("0", "1"), among("1", "2", "3", "4", "5"), among("5", "4", "3", "2", "1"),
			among("x", "y", "N/A"), func(i int) string { return fmt.Sprintf("words of %d", i) }).file()
		scale := []guess.Label{}
		for i := 1; i <= 5; i++ {
			scale = append(scale, guess.Label{Value: fmt.Sprint(i), Text: fmt.Sprintf("step %d", i)})
		}
		for i := range f.Columns {
			if strings.HasPrefix(f.Columns[i].Name, "rate") {
				f.Columns[i].Labels, f.Columns[i].Label = scale, "How do you rate it? "+f.Columns[i].Name
			}
		}
		return f
	}
	kinds := func(list []guess.Check) (out []string) {
		for _, c := range list {
			out = append(out, fmt.Sprintf("%s %s %s", c.Kind, strings.Join(c.Names, "+"), c.Flag))
			if !strings.Contains(c.String(), strings.Join(c.Names, ", ")) {
				t.Errorf("%q does not name %q", c, c.Names)
			}
		}
		return out
	}
	f := make()
	all := guess.Options{Weight: "weight"}
	got := kinds(guessed(t, f, all).Checks(f, all))
	for _, want := range []string{"lost weight --weight=-", "wave wave --wave=-", "location country --location=-",
		`missing "N/A" --codebook FILE`, "multi tick --multi CODE=COLUMN,...", "left note --codebook FILE"} {
		if !slices.Contains(got, want) {
			t.Errorf("no check %q in %q", want, got)
		}
	}
	if slices.ContainsFunc(got, func(line string) bool { return strings.HasPrefix(line, "weight") }) {
		t.Errorf("the weight was said, but %q", got)
	}
	order := []string{"lost", "weight", "other", "unweighted", "wave", "location", "missing", "grid", "multi", "left"}
	if !slices.IsSortedFunc(got, func(a, b string) int {
		return slices.Index(order, strings.Fields(a)[0]) - slices.Index(order, strings.Fields(b)[0])
	}) {
		t.Errorf("%q are not in their order", got)
	}
	none := repeated(40, "id|brand|weight", count(1), among("x", "y"), among("62.5", "71.0", "80.5", "58.0")).file()
	if got := kinds(guessed(t, none, guess.Options{}).Checks(none, guess.Options{})); !slices.Contains(got,
		"other weight --weight weight") {
		t.Errorf("a column that may be the weight is no question: %q", got)
	}
	none.Unnamed = true
	if got := kinds(guessed(t, none, guess.Options{}).Checks(none, guess.Options{})); !slices.Contains(got,
		"header  --header yes") {
		t.Errorf("a file without names of columns is not told of: %q", got)
	}
	f = make()
	f.Sets = []guess.Set{{Name: "tick", Columns: []string{"tick_a", "tick_b"}, Options: []string{"a", "b"}, Value: "1"}}
	said := guess.Options{Weight: guess.None, Wave: "wave", Location: "country"}
	for _, line := range kinds(guessed(t, f, said).Checks(f, said)) {
		for _, kind := range []string{"multi", "wave", "location", "unweighted", "lost"} {
			if strings.HasPrefix(line, kind) {
				t.Errorf("%q was said, or is declared", line)
			}
		}
	}
}

// Notes of one kind about many columns are one note; few are told one by one.
func TestGrouped(t *testing.T) {
	columns := []string{"id"}
	values := []func(int) string{count(1)}
	for i := range 6 {
		columns, values = append(columns, fmt.Sprintf("%c%d", 'p'+i, i)), append(values, among("1", "2", fmt.Sprint(7+i)))
	}
	few := func(labelled int) []string {
		f := repeated(40, strings.Join(columns[:labelled+1], "|"), values[:labelled+1]...).file()
		for i := 1; i <= labelled; i++ {
			f.Columns[i].Label = fmt.Sprintf("%c question", 'p'+i)
			f.Columns[i].Labels = []guess.Label{{Value: "1", Text: "One"}, {Value: "2", Text: fmt.Sprintf("Two of %d", i)}}
		}
		var list []string
		m := guessed(t, f, guess.Options{})
		for _, n := range m.Grouped() {
			if strings.Contains(n, "without a label") {
				list = append(list, n)
			}
		}
		alone := slices.DeleteFunc(slices.Clone(m.Notes), func(n string) bool {
			return !strings.Contains(n, "without a label")
		})
		if len(alone) != labelled {
			t.Errorf("%d notes of %d columns", len(alone), labelled)
		}
		return list
	}
	if got := few(3); len(got) != 3 {
		t.Errorf("few notes are %q", got)
	}
	want := []string{"question p0: 1 value without a label in the file, and an answer all the same; " +
		"likewise q1, r2, s3, t4, u5"}
	if d := cmp.Diff(want, few(6)); d != "" {
		t.Error(d)
	}
}
