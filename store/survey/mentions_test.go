package survey

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Columns of mentions come to what one column does that holds all that was mentioned with something between.
func TestMentionsAreOneList(t *testing.T) {
	const several = `"mentions": ["m1", "m2", "m3"]`
	book := func(where string) string {
		return `{"namespaces": [{"code": "core"}], "respondent": {"column": "id"}, "missing": ["99"], "questions": [
			{"code": "before", "type": "single", "column": "m1", "datapoints": [{"code": "1"}, {"code": "2"}, {"code": "3"}]},
			{"code": "m", "type": "multi", ` + where + `, "datapoints": [{"code": "1"}, {"code": "2"}, {"code": "3"}]},
			{"code": "after", "type": "multi", "datapoints": [{"code": "a", "column": "m2"}, {"code": "b", "column": "m2",
				"value": "2"}]}]}`
	}
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(seed, 7))
		rows := [][]string{{"id", "m1", "m2", "m3", "all"}}
		for i := range 200 {
			row := []string{fmt.Sprint("p", i)}
			for range 3 {
				row = append(row, []string{"", "1", "2", "3", "99", "2.0"}[r.IntN(6)])
			}
			rows = append(rows, append(row, strings.Join(row[1:], ";")))
		}
		read := func(where string) string {
			return readAll(open(t, book(where), csvText(rows), csvOptions{goroutines: 2, block: 512}))
		}
		if d := cmp.Diff(read(`"column": "all", "separator": ";"`), read(several)); d != "" {
			t.Fatalf("seed %d: %s", seed, d)
		}
	}
	c, err := ReadCodebook([]byte(book(several)))
	if err != nil {
		t.Fatal(err)
	}
	text, err := WriteCodebook(c)
	if err != nil {
		t.Fatal(err)
	}
	back, err := ReadCodebook(text)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(c, back); d != "" {
		t.Error(d)
	}
	for where, says := range map[string]string{
		`"mentions": ["m1"], "column": "m2", "separator": ";"`: "questions[1].mentions: mentions are columns",
		`"mentions": ["m1"], "separator": ";"`:                 "questions[1].mentions: mentions are columns",
		`"mentions": ["m1", "m1"]`:                             `questions[1].mentions[1]: the column "m1"`,
		`"mentions": []`:                                       "questions[1].datapoints[0].column",
	} {
		if _, err := ReadCodebook([]byte(book(where))); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v, want %q", where, err, says)
		}
	}
	single := strings.Replace(book(several), `"type": "multi", "mentions"`, `"type": "grid", "mentions"`, 1)
	if _, err := ReadCodebook([]byte(single)); err == nil || !strings.Contains(err.Error(), "grid has no mentions") {
		t.Error(err)
	}
	table, err := OpenText("id,m1,m2\na,1,2\n", 0, 512)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := NewSource(table, c, 1); err == nil || !strings.Contains(err.Error(), "questions[1].mentions[2]") {
		t.Error(err)
	}
}
