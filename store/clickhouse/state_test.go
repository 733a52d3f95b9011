package clickhouse

import (
	"fmt"
	"strings"
	"testing"

	"github.com/crosswave/crosswave/audience"
)

// wide is a survey of so many questions with so many datapoints each, one of them with suffixes.
func wide(questions, datapoints int) *audience.Survey {
	sv := &audience.Survey{Namespaces: []audience.Namespace{{Code: "core"}}, Waves: []audience.Wave{{Code: "w1"}},
		Locations: []audience.Location{{Code: "uk"}}}
	for i := range questions {
		q := audience.Question{Namespace: "core", Code: fmt.Sprintf("q%d", i)}
		for j := range datapoints {
			q.Datapoints = append(q.Datapoints, audience.Datapoint{Code: fmt.Sprintf("d%d", j)})
		}
		if i == 1 {
			q.Suffixes = []audience.Suffix{{Code: 1}, {Code: 2}}
		}
		sv.Questions = append(sv.Questions, q)
	}
	return sv
}

// Numbers and columns of what there is stay as they are through publishing, reading and growing, and every question has
// all of its attributes in one column.
func TestStateGrows(t *testing.T) {
	st, err := readState(nil)
	if err != nil {
		t.Fatal(err)
	}
	first, err := st.extend(wide(20, 10))
	if err != nil {
		t.Fatal(err)
	}
	if len(first) != 21*10 || st.Next != 21*10 {
		t.Fatalf("%d attributes, the next is %d", len(first), st.Next)
	}
	text, err := st.publish()
	if err != nil {
		t.Fatal(err)
	}
	again, err := readState(text)
	if err != nil {
		t.Fatal(err)
	}
	if text2, err := again.publish(); err != nil || string(text) != string(text2) {
		t.Fatalf("published, read and published again it is another (%v):\n%s\n%s", err, text, text2)
	}
	second, err := again.extend(wide(25, 12))
	if err != nil {
		t.Fatal(err)
	}
	numbers := map[uint32]bool{}
	sum := 0
	for _, n := range again.Columns {
		sum += n
	}
	if len(second) != 26*12 || sum != len(second) || int(again.Next) != len(second) {
		t.Errorf("%d attributes, %d in columns, the next is %d", len(second), sum, again.Next)
	}
	at := 0
	for i := range 25 {
		column := second[at].column
		for j := range 12 {
			suffixes := 1
			if i == 1 {
				suffixes = 2
			}
			for k := range suffixes {
				a := second[at]
				at++
				if a.column != column {
					t.Errorf("question %d is in columns %d and %d", i, column, a.column)
				}
				if numbers[a.number] {
					t.Errorf("number %d is given twice", a.number)
				}
				numbers[a.number] = true
				if i < 20 && j < 10 {
					before := i*10 + j
					if i == 1 {
						before = 10 + 2*j + k
					} else if i > 1 {
						before += 10
					}
					if first[before] != a {
						t.Errorf("question %d, datapoint %d, suffix %d was %v and is %v", i, j, k, first[before], a)
					}
				}
			}
		}
	}
}

// A survey with very many attributes does not get very many columns.
func TestStateColumns(t *testing.T) {
	for _, c := range []struct{ questions, datapoints, most int }{{1, 2, 1}, {20, 10, 5}, {1000, 10, 80},
		{100, 1000, 110}, {20_000, 5, 80}} {
		st, err := readState(nil)
		if err != nil {
			t.Fatal(err)
		}
		all, err := st.extend(wide(c.questions, c.datapoints))
		if err != nil {
			t.Fatal(err)
		}
		if len(st.Columns) > c.most || len(all) > 1000 && len(st.Columns) < 10 {
			t.Errorf("%d questions × %d datapoints are in %d columns", c.questions, c.datapoints, len(st.Columns))
		}
	}
	st, err := readState(nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := st.extend(wide(2, 3)); err != nil {
		t.Fatal(err)
	}
	st.Next = mostAttributes - 2
	for _, c := range []struct {
		questions, datapoints int
		room                  bool
	}{{2, 3, true}, {1, 3, true}, {3, 3, false}, {1, 5, true}, {1, 5, true}, {1, 6, false}} {
		_, err := st.extend(wide(c.questions, c.datapoints))
		if c.room && err != nil || !c.room && (err == nil || !strings.Contains(err.Error(), "all it can hold")) {
			t.Errorf("%d questions × %d datapoints: the error is %v", c.questions, c.datapoints, err)
		}
	}
}

func TestReadStateRefuses(t *testing.T) {
	for _, c := range []struct{ text, says string }{
		{"", "can't be read"}, {"[]", "can't be read"}, {`{"format": 1}`, "of format 1; this program knows 2 to 6"},
		{`{"format": 7, "table": "a"}`, "of format 7"},
	} {
		if _, err := readState([]byte(c.text)); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: the error is %v", c.text, err)
		}
	}
}

func TestAmong(t *testing.T) {
	for _, c := range []struct {
		list []uint32
		want string
	}{
		{[]uint32{4}, "a = 4"},
		{[]uint32{6, 4, 5, 5}, "(a >= 4 AND a <= 6)"},
		{[]uint32{1, 3, 4}, "(a = 1 OR (a >= 3 AND a <= 4))"},
		{[]uint32{1, 3, 5, 7, 9}, "a IN (1, 3, 5, 7, 9)"},
	} {
		if got := among("a", c.list); got != c.want {
			t.Errorf("%v: %s, want %s", c.list, got, c.want)
		}
	}
}
