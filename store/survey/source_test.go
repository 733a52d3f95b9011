package survey

import (
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

const plainBook = `{"namespaces": [{"code": "core", "weight": {"column": "w", "missing": "one"}}], "respondent": {"column": "id"}, "missing": ["NA"],
  "wave": {"column": "wave", "missing": "skip", "values": [{"code": "1"}, {"code": "2"}]},
  "location": {"column": "place", "values": [{"code": "n"}, {"code": "s"}]},
  "questions": [
    {"code": "s", "type": "single", "column": "s", "datapoints": [{"code": "1"}, {"code": "2"}, {"code": "a long answer"}]},
    {"code": "m", "type": "multi", "column": "m", "separator": ";", "datapoints": [{"code": "1"}, {"code": "2"}, {"code": "3"}]},
    {"code": "n", "type": "number", "column": "n", "bands": [{"code": "low", "to": 500}, {"code": "high", "from": 500}]},
    {"code": "again", "type": "number", "column": "n", "missing": ["7"], "bands": [{"code": "all"}]},
    {"code": "y", "type": "multi", "datapoints": [{"code": "a", "column": "ya"}, {"code": "b", "column": "yb"}]}]}`

// plainData makes so many rows for plainBook.
func plainData(r *rand.Rand, rows int) [][]string {
	pick := func(from ...string) string { return from[r.IntN(len(from))] }
	data := [][]string{{"id", "w", "wave", "place", "s", "m", "n", "ya", "yb", "unused"}}
	for i := range rows {
		data = append(data, []string{
			fmt.Sprint("p", i), pick("", "NA", "1", "0", "2.5", fmt.Sprint(r.IntN(1000), ".", r.IntN(1000))),
			pick("1", "2", "1", "2", "NA", ""), pick("n", "s", " n"),
			pick("", "1", "2", "01", "3", "a long answer", " a long answer ", "NA", fmt.Sprint("other ", r.IntN(3000))),
			pick("", "1", "1;2", "3;;1", "NA;2", "9;1"),
			fmt.Sprint(r.IntN(1000)), pick("1", "0", "yes", ""), pick("1", "0"), pick("", "x", "says \"so\",\nand goes", "é"),
		})
	}
	return data
}

func csvText(rows [][]string) string {
	var b strings.Builder
	w := csv.NewWriter(&b)
	w.WriteAll(rows)
	return b.String()
}

// readAll writes down all that a source gives.
func readAll(src Source) string {
	var b, unlisted strings.Builder
	skipped := int64(0)
	for batch, err := range src.Respondents(context.Background()) {
		if err != nil {
			fmt.Fprintln(&b, err)
			break
		}
		for _, r := range batch.Respondents {
			a := slices.Clone(r.Attributes)
			slices.Sort(a)
			fmt.Fprintln(&b, r.Row, r.ID, r.Wave, r.Location, r.Weights, a, r.Answered)
		}
		for _, u := range batch.Unlisted {
			fmt.Fprintln(&unlisted, "unlisted", u)
		}
		skipped += batch.Skipped
	}
	return b.String() + unlisted.String() + fmt.Sprintln("skipped", skipped)
}

// csvOptions say how a test reads a CSV text.
type csvOptions struct{ goroutines, block int }

// open opens a CSV text.
func open(t testing.TB, book, text string, o csvOptions) *tableSource {
	t.Helper()
	c, err := ReadCodebook([]byte(book))
	if err != nil {
		t.Fatal(err)
	}
	table, err := OpenText(text, 0, o.block)
	if err != nil {
		t.Fatal(err)
	}
	src, err := NewSource(table, c, o.goroutines)
	if err != nil {
		t.Fatal(err)
	}
	return src.(*tableSource)
}

// naive reads plainBook's respondents one by one with encoding/csv and the plan alone: no blocks, no tables, no
// goroutines.
func naive(t *testing.T, src *tableSource, text string) string {
	var b strings.Builder
	r := csv.NewReader(strings.NewReader(text))
	r.Read()
	for {
		rec, err := r.Read()
		if err == io.EOF {
			return b.String()
		} else if err != nil {
			t.Fatal(err)
		}
		row, _ := r.FieldPos(0)
		wave, ok := src.plan.wave.values[readValue(rec[2], false)]
		if !ok {
			continue
		}
		location := src.plan.location.values[readValue(rec[3], false)]
		weight, reason := src.plan.weight(&src.plan.weights[0], rec[1])
		if reason != "" {
			t.Fatal(reason)
		}
		var attributes []int32
		answered := make([]uint64, (src.plan.layout.Items()+63)/64)
		for i := range src.plan.columns {
			c := &src.plan.columns[i]
			a := c.answer(rec[c.index])
			attributes = append(attributes, a.attributes...)
			for _, item := range a.items {
				answered[item>>6] |= 1 << (item & 63)
			}
		}
		slices.Sort(attributes)
		fmt.Fprintln(&b, row, rec[0], wave, location, []any{weight}, attributes, answered)
	}
}

// TestCSVRandom compares the reader with a naive one on random files: more distinct texts than tables take, quotes and
// line feeds in fields.
func TestCSVRandom(t *testing.T) {
	for seed := range uint64(4) {
		r := rand.New(rand.NewPCG(seed, 1))
		text := csvText(plainData(r, 8000))
		src := open(t, plainBook, text, csvOptions{goroutines: 2, block: 1 + r.IntN(1<<16)})
		var got strings.Builder
		for line := range strings.Lines(readAll(src)) {
			if !strings.HasPrefix(line, "unlisted") && !strings.HasPrefix(line, "skipped") {
				got.WriteString(line)
			}
		}
		if diff := cmp.Diff(naive(t, src, text), got.String()); diff != "" {
			t.Fatalf("seed %d: %s", seed, diff)
		}
	}
}

// TestGoroutines: how many read, and in what blocks, does not matter to what is read, errors included.
func TestGoroutines(t *testing.T) {
	rows := plainData(rand.New(rand.NewPCG(5, 5)), 3000)
	good := csvText(rows)
	late := slices.Clone(rows)
	late[2500] = append(slices.Clone(late[2500]), "one too many")
	two := slices.Clone(late)
	two[1700] = slices.Clone(two[1700])
	two[1700][3] = "nowhere"
	for name, text := range map[string]string{"good": good, "an error": csvText(late), "two errors": csvText(two)} {
		want := ""
		for _, goroutines := range []int{1, 2, 7} {
			for _, size := range []int{100, 5000, 0} {
				src := open(t, plainBook, text, csvOptions{goroutines, size})
				got := readAll(src)
				if want == "" {
					want = got
				}
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("%s, %d goroutines, blocks of %d: %s", name, goroutines, size, diff)
				}
			}
		}
		if name == "good" == strings.Contains(want, "row ") {
			t.Errorf("%s ends with %s", name, want[max(0, len(want)-300):])
		}
	}
}

// TestUnlistedOrder: values that are none of the datapoints come in the order of rows and columns.
func TestUnlistedOrder(t *testing.T) {
	src := open(t, plainBook, "id,w,wave,place,s,m,n,ya,yb\n1,1,1,n,x,8;9,none,,\n2,1,1,n,x,,,,\n", csvOptions{})
	var got []Unlisted
	for batch, err := range src.Respondents(context.Background()) {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, batch.Unlisted...)
	}
	want := []Unlisted{{0, "s", "x", 2}, {1, "m", "8", 2}, {1, "m", "9", 2}, {2, "n", "none", 2}, {3, "n", "none", 2},
		{0, "s", "x", 3}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// TestStop: a consumer may stop at any time, and a context ends the stream with its error; nothing goes on behind.
func TestStop(t *testing.T) {
	text := csvText(plainData(rand.New(rand.NewPCG(6, 6)), 3000))
	src := open(t, plainBook, text, csvOptions{goroutines: 3, block: 2000})
	for range src.Respondents(context.Background()) {
		break
	}
	ctx, cancel := context.WithCancel(context.Background())
	batches := 0
	var last error
	for _, err := range src.Respondents(ctx) {
		if last = err; err == nil {
			batches++
		}
		cancel()
	}
	if !errors.Is(last, context.Canceled) || batches != 1 {
		t.Errorf("after %d batches: %v", batches, last)
	}
	ctx, cancel = context.WithTimeout(context.Background(), -time.Second)
	defer cancel()
	for batch, err := range src.Respondents(ctx) {
		if batch != nil || !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%v %v", batch, err)
		}
	}
}

// TestNotUTF8: text in another encoding is refused where it would be compared.
func TestNotUTF8(t *testing.T) {
	book := `{"namespaces": [{"code": "c"}], "respondent": {"column": "id"}, "questions": [
		{"code": "q", "type": "single", "column": "q", "datapoints": [{"code": "1"}]}, {"code": "y", "type": "multi", "datapoints": [{"code": "a", "column": "y"}]}]}`
	for row, want := range map[string]string{
		"1,\xe9,1,1":            `row 3, column "q": the text is not UTF-8; the file must be saved as UTF-8`,
		"1,long long \xe9,1,1":  `row 3, column "q": the text is not UTF-8; the file must be saved as UTF-8`,
		"1,1,\xe9,1":            `row 3, column "y": the text is not UTF-8; the file must be saved as UTF-8`,
		"\xe9,1,1,1":            `row 3, column "id": the text is not UTF-8; the file must be saved as UTF-8`,
		"1,1,1,\xe9 not looked": "",
	} {
		src := open(t, book, "id,q,y,unused\n0,1,1,1\n"+row+"\n", csvOptions{})
		got := ""
		for _, err := range src.Respondents(context.Background()) {
			if err != nil {
				got = err.Error()
			}
		}
		if got != want {
			t.Errorf("%q: %s\nwant %s", row, got, want)
		}
	}
}
