package survey

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A number is read from its text whatever the table of texts remembers of the column: in one band, in several, in none,
// in a column that is another question's, too, written in any way that is allowed, blanks around it or not.
func TestNumbersOfColumns(t *testing.T) {
	book, err := ReadCodebook([]byte(`{"namespaces": [{"code": "core"}], "respondent": {"column": "id"}, "missing": ["-9"],
	  "questions": [
	    {"code": "one", "type": "number", "column": "a", "bands": [{"code": "all"}]},
	    {"code": "some", "type": "number", "column": "b", "bands": [{"code": "low", "to": 50}, {"code": "mid", "from": 40, "to": 60}]},
	    {"code": "both", "type": "number", "column": "c", "bands": [{"code": "all"}]},
	    {"code": "grade", "type": "single", "column": "c", "datapoints": [{"code": "1"}, {"code": "2"}]}]}`))
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(1, 1))
	texts := []string{"", "-9", "x", "0", "7", "007", "+12", "-3", "45", "45.0", "4.5e1", " 60 ", "1e2", ".5", "5.",
		"123456789012", "123456789012345678901e-18", "-0", "00000000000000000001", "NaN", "\t9"}
	for range 200 {
		texts = append(texts, fmt.Sprint(r.IntN(100)), fmt.Sprintf("%.2f", 100*r.Float64()))
	}
	var data strings.Builder
	data.WriteString("id,a,b,c\n")
	var want []string
	p, err := newPlan(book, []string{"id", "a", "b", "c"})
	if err != nil {
		t.Fatal(err)
	}
	for i := range 3000 {
		fmt.Fprintf(&data, "%d", i)
		var numbers []string
		for c := range 3 {
			text := texts[r.IntN(len(texts))]
			fmt.Fprintf(&data, ",%s", text)
			for _, n := range p.columns[c].answer(text).numbers {
				numbers = append(numbers, fmt.Sprint(n.Question, "=", n.Value))
			}
		}
		data.WriteString("\n")
		want = append(want, strings.Join(numbers, " "))
	}
	table, err := OpenText(data.String(), 0, 0)
	if err != nil {
		t.Fatal(err)
	}
	src, err := NewSource(table, book, 2)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for batch, err := range src.Respondents(context.Background()) {
		if err != nil {
			t.Fatal(err)
		}
		for i := range batch.Respondents {
			byQuestion := map[int]string{}
			for _, n := range batch.Respondents[i].Numbers {
				byQuestion[n.Question] += fmt.Sprint(n.Question, "=", n.Value)
			}
			var numbers []string
			for q := range book.Questions {
				if text, there := byQuestion[q]; there {
					numbers = append(numbers, text)
				}
			}
			got = append(got, strings.Join(numbers, " "))
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if all := strings.Join(want, " "); !strings.Contains(all, "1=45") ||
		!strings.Contains(all, "2=123.456789012345678901") {
		t.Error("the texts do not come to the numbers that they should")
	}
}
