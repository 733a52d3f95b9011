package survey

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"math/big"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/store/survey/decimal"
	"github.com/google/go-cmp/cmp"
)

// trackBook is a survey with everything in it whose answers show what becomes of them.
const trackBook = `{"namespaces": [{"code": "core", "weight": {"column": "w"}}, {"code": "shop", "base": "core", "weight": {"column": "v", "missing": "zero"}}],
  "respondent": {"column": "id"}, "missing": ["NA"],
  "wave": {"column": "wave", "values": [{"code": "w1"}, {"code": "w2"}, {"code": "w3"}]},
  "location": {"column": "place", "values": [{"code": "n"}, {"code": "s"}, {"code": "e"}]},
  "questions": [
    {"code": "s", "type": "single", "column": "s", "datapoints": [{"code": "1"}, {"code": "2"}]},
    {"code": "m", "type": "multi", "column": "m", "separator": ";", "asked": [{"wave": "w1"}, {"location": "s"}], "datapoints": [{"code": "1"}, {"code": "2"}, {"code": "3", "asked": [{"wave": "w2"}]}]},
    {"code": "y", "namespace": "shop", "type": "multi", "datapoints": [{"code": "a", "column": "ya"}, {"code": "b", "column": "yb"}]},
    {"code": "g", "type": "grid", "suffixes": [{"code": 1}, {"code": 2}, {"code": 3}], "datapoints": [{"code": "a", "column": "ga"}, {"code": "b", "column": "gb"}]},
    {"code": "n", "namespace": "shop", "type": "number", "column": "n", "bands": [{"code": "low", "to": 5}, {"code": "high", "from": 5}]}]}`

// trackData makes so many rows for trackBook, with ragged coverage; the weights and numbers of wave w3 have more
// decimals than the others.
func trackData(r *rand.Rand, rows int) [][]string {
	pick := func(from ...string) string { return from[r.IntN(len(from))] }
	data := [][]string{{"id", "w", "v", "wave", "place", "s", "m", "ya", "yb", "ga", "gb", "n"}}
	for i := range rows {
		wave, place := pick("w1", "w2", "w3"), pick("n", "s", "e")
		weight := fmt.Sprint(r.IntN(3), ".", r.IntN(100))
		if wave == "w3" {
			weight = fmt.Sprint(r.IntN(30), ".", 1+r.IntN(100000))
		}
		row := []string{fmt.Sprintf("p%05d", i), weight, pick("", "0", "1", "0.5"), wave, place,
			pick("1", "2", "", "x"), pick("1", "2;3", "", "3;1"), pick("1", "0", ""), pick("1", "0", ""),
			pick("1", "2", "3", ""), pick("1", "", "7"), fmt.Sprint(r.IntN(10))}
		if wave == "w1" {
			row[5] = ""
		}
		if wave == "w3" {
			row[11] = fmt.Sprintf("%d.%03d", r.IntN(4000)-2000, r.IntN(1000))
		}
		if place == "e" {
			row[8], row[9] = "", "NA"
		}
		data = append(data, row)
	}
	return data
}

// dumpOf imports rows in lots, the first as a new survey, and writes down what is published.
func dumpOf(t *testing.T, book string, lots ...[][]string) string {
	t.Helper()
	m := &memory{}
	for i, lot := range lots {
		mode := Create
		if i > 0 {
			mode = Append
		}
		if _, err := Import(context.Background(), open(t, book, csvText(lot), csvOptions{goroutines: 1 + i%3}), m,
			Options{Mode: mode}); err != nil {
			t.Fatal(err)
		}
	}
	return m.dump()
}

// TestOrderDoesNotMatter: neither the order of rows, nor how many read them, nor whether the waves come at once or one
// after the other changes what is published: coverage, units, facts, weights, answers and numbers.
func TestOrderDoesNotMatter(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	rows := trackData(r, 2000)
	head, body := rows[0], rows[1:]
	want := dumpOf(t, trackBook, rows)
	if !strings.Contains(want, "unit 5") {
		t.Fatal("the weights of w3 do not decide the unit")
	}
	if !strings.Contains(want, "shop.n: 22 bits of 10^-3, asked") {
		t.Fatal("the numbers of w3 do not decide the unit: ", want[:strings.Index(want, "facts")])
	}
	shuffled := slices.Clone(body)
	r.Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
	if diff := cmp.Diff(want, dumpOf(t, trackBook, append([][]string{head}, shuffled...))); diff != "" {
		t.Errorf("shuffled: %s", diff)
	}
	for _, order := range [][]string{{"w1", "w2", "w3"}, {"w3", "w1", "w2"}, {"w2", "w3", "w1"}} {
		var lots [][][]string
		for _, wave := range order {
			lot := [][]string{head}
			for _, row := range shuffled {
				if row[3] == wave {
					lot = append(lot, row)
				}
			}
			lots = append(lots, lot)
		}
		if diff := cmp.Diff(want, dumpOf(t, trackBook, lots...)); diff != "" {
			t.Errorf("waves in order %v: %s", order, diff)
		}
	}
}

// TestAppendRenumbers: the questions, datapoints, suffixes, namespaces and locations of an append may stand in another
// order.
func TestAppendRenumbers(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 1))
	rows := trackData(r, 500)
	lots := [2][][]string{{rows[0]}, {rows[0]}}
	for _, row := range rows[1:] {
		lot := 0
		if row[3] == "w3" {
			lot = 1
		}
		lots[lot] = append(lots[lot], row)
	}
	want := dumpOf(t, trackBook, lots[0], lots[1])
	var book map[string]any
	if err := json.Unmarshal([]byte(trackBook), &book); err != nil {
		t.Fatal(err)
	}
	var turn func(v any)
	turn = func(v any) {
		switch v := v.(type) {
		case map[string]any:
			for _, x := range v {
				turn(x)
			}
		case []any:
			slices.Reverse(v)
			for _, x := range v {
				turn(x)
			}
		}
	}
	for _, q := range book["questions"].([]any) {
		if q := q.(map[string]any); q["namespace"] == nil {
			q["namespace"] = "core"
		}
	}
	turn(book)
	turned, err := json.Marshal(book)
	if err != nil {
		t.Fatal(err)
	}
	m := &memory{}
	for i, lot := range lots {
		b, mode := trackBook, Create
		if i > 0 {
			b, mode = string(turned), Append
		}
		if _, err := Import(context.Background(), open(t, b, csvText(lot), csvOptions{}), m,
			Options{Mode: mode}); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff(want, m.dump()); diff != "" {
		t.Error(diff)
	}
}

// TestNothingPublished: an error anywhere, a context that ends and an import that was faster leave the store as it was,
// and the writer gives up.
func TestNothingPublished(t *testing.T) {
	rows := trackData(rand.New(rand.NewPCG(3, 1)), 300)
	good := csvText(rows)
	twice := csvText(append(slices.Clone(rows), rows[7]))
	ctx := context.Background()
	canceled, cancel := context.WithCancel(ctx)
	for name, c := range map[string]struct {
		ctx  context.Context
		text string
		o    Options
		set  func(*memory)
		want string
	}{
		"a row is wrong": {ctx: ctx, text: good + "short\n",
			want: "row 302: the row has 1 fields, but the header names 12 columns"},
		"an id stands twice": {ctx: ctx, text: twice,
			want: "row 302: the respondent has the id of row 8; an id stands once in a file"},
		"strict": {ctx: ctx, text: good, o: Options{Strict: StrictAnswers}, want: `is none of the datapoints of question`},
		"the writer fails": {ctx: ctx, text: good, set: func(m *memory) { m.refuse = errRefused },
			want: errRefused.Error()},
		"canceled": {ctx: canceled, text: good, o: Options{Progress: func(Progress) { cancel() }},
			want: context.Canceled.Error()},
	} {
		m := &memory{}
		if c.set != nil {
			c.set(m)
		}
		_, err := Import(c.ctx, open(t, trackBook, c.text, csvOptions{}), m, c.o)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", name, err, c.want)
		}
		if m.release.Version() != 0 || len(m.people) > 0 || m.aborted != 1 {
			t.Errorf("%s: version %d with %d respondents, %d imports given up", name, m.release.Version(), len(m.people),
				m.aborted)
		}
	}
	m := &memory{}
	o := Options{Progress: func(Progress) { // somebody else publishes
		f, err := audience.NewFrame(m.release.Version()+1, &audience.Survey{}, audience.Coverage{})
		if err != nil {
			t.Error(err)
		}
		m.release.Frame = f
	}}
	if _, err := Import(ctx, open(t, trackBook, good, csvOptions{}), m, o); !errors.Is(err, audience.ErrChanged) ||
		m.aborted != 1 {
		t.Errorf("%v, %d given up", err, m.aborted)
	}
}

// TestProgress: it goes up, and ends with all.
func TestProgress(t *testing.T) {
	text := csvText(trackData(rand.New(rand.NewPCG(4, 1)), 1000))
	src := open(t, trackBook, text, csvOptions{block: 1000})
	var last Progress
	steps := 0
	_, err := Import(context.Background(), src, &memory{}, Options{Progress: func(p Progress) {
		if p.Respondents < last.Respondents || p.Done < last.Done || p.Total != int64(len(text)) {
			t.Errorf("%+v after %+v", p, last)
		}
		last = p
		steps++
	}})
	if err != nil || last != (Progress{1000, int64(len(text)), int64(len(text))}) || steps < 10 {
		t.Errorf("%v: %+v in %d steps", err, last, steps)
	}
}

// TestReportJSON: an empty report holds no null, and the JSON says what the text says.
func TestReportJSON(t *testing.T) {
	text, err := json.Marshal(newReport())
	if err != nil || strings.Contains(string(text), "null") {
		t.Errorf("%s %v", text, err)
	}
	src := open(t, plainBook, "id,w,wave,place,s,m,n,ya,yb\n1,0.25,1,n,x,1,7,1,\n2,3,,n,x,1,7,1,\n", csvOptions{})
	report, err := Import(context.Background(), src, &memory{}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	got, err := json.MarshalIndent(report, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	want := `{
  "version": 1,
  "rows": 2,
  "skipped": 1,
  "empty": 0,
  "respondents": 1,
  "warnings": [
    {
      "kind": "rows_left_out",
      "count": 1
    },
    {
      "kind": "few_respondents",
      "namespace": "core",
      "wave": "1",
      "location": "n",
      "count": 1
    }
  ],
  "fieldwork": [
    {
      "wave": "1",
      "location": "n",
      "respondents": 1,
      "namespaces": [
        {
          "code": "core",
          "sample": 1,
          "total": "0.25"
        }
      ]
    }
  ],
  "namespaces": [
    {
      "code": "core",
      "sample": 1,
      "total": "0.25",
      "decimals": 2,
      "rounding": 0
    }
  ],
  "numbers": [
    {
      "question": "core.n",
      "decimals": 0,
      "bits": 4,
      "rounding": 0
    }
  ],
  "withdrawn": [],
  "changes": [],
  "notes": [],
  "unlisted": [
    {
      "question": "core.s",
      "count": 1,
      "row": 2,
      "column": "s",
      "examples": [
        "x"
      ]
    }
  ],
  "outside": [],
  "sparse": []
}`
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Error(diff)
	}
}

// TestRounding compares the largest rounding of random weights with one worked out in exact fractions.
func TestRounding(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 1))
	for range 300 {
		w := &weights{}
		var all []decimal.Decimal
		for range 1 + r.IntN(20) {
			digits := 1 + r.IntN(18)
			text := fmt.Sprintf("%d", 1+r.Int64N(pow(digits)))
			d, err := decimal.Parse(fmt.Sprintf("%se-%d", text, r.IntN(16)), true)
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, d)
			w.add(d, 1)
		}
		k := r.IntN(14)
		want := 0.0
		vanished := false
		unit := new(big.Rat).SetFrac(big.NewInt(1), new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(k)), nil))
		for _, d := range all {
			n, fits := d.Scaled(k)
			vanished = vanished || !fits || n == 0
			exact, _ := new(big.Rat).SetString(d.String())
			off := new(big.Rat).Mul(new(big.Rat).SetInt64(n), unit)
			off.Sub(off, exact).Quo(off, exact).Abs(off)
			share, _ := off.Float64()
			want = max(want, share)
		}
		if vanished {
			continue // such an import is refused
		}
		if got := w.rounding(k); got < want*(1-1e-9) || got > want*(1+1e-9) {
			if !w.imprecise || got < want {
				t.Errorf("weights %v in 10^-%d: %g, want %g", all, k, got, want)
			}
		}
	}
}

func pow(n int) int64 {
	p := int64(1)
	for range n {
		p *= 10
	}
	return p
}

// TestRoundingToPeople: beside a very large weight, others are rounded to whole people.
func TestRoundingToPeople(t *testing.T) {
	book := `{"namespaces": [{"code": "core", "weight": {"column": "w"}}], "respondent": {"column": "id"}, ` +
		`"questions": []}`
	report, err := Import(context.Background(), open(t, book, "id,w\n1,2e11\n2,15.5\n", csvOptions{}), &memory{},
		Options{})
	if err != nil {
		t.Fatal(err)
	}
	// 15.5 people are 16: half of 15.5 too many.
	if n := report.Namespaces[0]; n.Decimals != 0 || n.Rounding != 0.5/15.5 {
		t.Errorf("%+v", n)
	}
}

// TestWeightsTooLarge: no unit of less than a person is there for 2^40 people in one weight or 2^62 in all.
func TestWeightsTooLarge(t *testing.T) {
	const book = `{"namespaces": [{"code": "core", "weight": {"column": "w"}}], "respondent": {"column": "id"}, ` +
		`"wave": {"column": "v", "values": [{"code": "1"}, {"code": "2"}, {"code": "3"}]}, "questions": []}`
	const oneRule = "one weight stands for less than 1,099,511,627,776 (2^40) people"
	for _, c := range []struct {
		name           string
		largest, total string // of what is stored of wave 1
		weight, want   string // of the row that is appended, and its error
	}{
		{"the largest that is counted", "1", "1", "1099511627775.49", ""},
		{"a weight of 2^40", "1", "1", "1099511627776",
			`row 2: the weight 1099511627776 of namespace "core" is too large: ` + oneRule},
		{"a weight that is rounded to 2^40", "1", "1", "1099511627775.5",
			`row 2: the weight 1099511627775.5 of namespace "core" is too large: ` + oneRule},
		{"a weight that is no float64", "1", "1", "1e400",
			`row 2: the weight 1e400 of namespace "core" is too large: ` + oneRule},
		{"the largest sum", "1000000000000", "4611686018427387000", "903", ""},
		{"a sum of 2^62", "1000000000000", "4611686018427387000", "904",
			`the weights of namespace "core" add up to 4611686018427387904: all weights of a namespace together stand for ` +
				`less than 4,611,686,018,427,387,904 (2^62) people; divide all of them by one number`},
		{"a store of an earlier version", "1e300", "1e300", "904",
			`in wave "1" and location "all", which are stored, a weight of namespace "core" is 1e300: ` + oneRule +
				`; withdraw or replace that wave`},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := &memory{}
			ctx := context.Background()
			if _, err := Import(ctx, open(t, book, "id,v,w\n1,1,1\n2,3,1\n", csvOptions{}), m, Options{}); err != nil {
				t.Fatal(err)
			}
			m.release.Facts[0].Namespaces[0].Largest, m.release.Facts[0].Namespaces[0].Total = c.largest, c.total
			before := m.dump()
			// Of wave 3 there is one person, who goes.
			data := "id,v,w\n1,3," + c.weight + "\n"
			report, err := Import(ctx, open(t, book, data, csvOptions{}), m, Options{Mode: Replace, ReplaceWaves: []string{"3"}})
			if err == nil != (c.want == "") || err != nil && err.Error() != c.want {
				t.Errorf("the error is\n%v\nwant\n%s", err, c.want)
			}
			if err == nil && report.Namespaces[0].Decimals != 0 {
				t.Errorf("%+v", report.Namespaces[0])
			}
			if err != nil && m.dump() != before {
				t.Error("the store has changed")
			}
			if c.largest != "1e300" {
				return
			}
			if _, err := Withdraw(ctx, m, []string{"3"}); err == nil {
				t.Error("what stays has no unit")
			}
			if _, err := Withdraw(ctx, m, []string{"1"}); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestCounts compares the bit by bit counts with one by one.
func TestCounts(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 1))
	for _, n := range []int{0, 1, 254, 255, 256, 1000} {
		c := newCounts(3)
		want := make([]int64, 192)
		for range n {
			set := []uint64{r.Uint64(), r.Uint64() & r.Uint64(), ^uint64(0)}
			for i := range want {
				want[i] += int64(set[i>>6] >> (i & 63) & 1)
			}
			c.add(set)
		}
		if diff := cmp.Diff(want, c.all()); diff != "" {
			t.Errorf("%d sets: %s", n, diff)
		}
	}
}

// TestAnyBit tries every range of a few words.
func TestAnyBit(t *testing.T) {
	set := make([]uint64, 3)
	for _, bit := range []int{0, 1, 63, 64, 100, 127, 128, 191} {
		clear(set)
		set[bit>>6] |= 1 << (bit & 63)
		for first := range 192 {
			for last := first + 1; last <= 192; last++ {
				if got, want := anyBit(set, first, last), first <= bit && bit < last; got != want {
					t.Fatalf("bit %d in %d to %d: %v", bit, first, last, got)
				}
			}
		}
	}
}

// TestIDs compares the finding of twins with a map, with runs that do not fit in memory, and sees the temporary file
// go.
func TestIDs(t *testing.T) {
	r := rand.New(rand.NewPCG(10, 1))
	for range 200 {
		folder := t.TempDir()
		s := newIDs(folder)
		s.limit = 1 + r.IntN(20)
		seen := map[string]int64{}
		var first, second int64
		for row := range int64(1 + r.IntN(200)) {
			id := fmt.Sprint(r.IntN(3000))
			if err := s.add(id, row+2); err != nil {
				t.Fatal(err)
			}
			if at, twin := seen[id]; twin && second == 0 {
				first, second = at, row+2
			} else if !twin {
				seen[id] = row + 2
			}
		}
		a, b, err := s.duplicate()
		if err != nil || a != first || b != second {
			t.Fatalf("rows %d and %d (%v), want %d and %d", a, b, err, first, second)
		}
		if err := s.close(); err != nil {
			t.Fatal(err)
		}
		if left, err := os.ReadDir(folder); err != nil || len(left) > 0 {
			t.Fatalf("%v is left, %v", left, err)
		}
	}
}

// TestIDsFolder: where there is no room for ids, the import says so.
func TestIDsFolder(t *testing.T) {
	s := newIDs("/there/is/no/such/folder")
	s.limit = 1
	if err := errors.Join(s.add("a", 1), s.add("b", 2)); err == nil ||
		!strings.Contains(err.Error(), "keeping respondent ids in a temporary file") {
		t.Error(err)
	}
}

// given is a source of respondents as they are given.
type given struct {
	survey      *audience.Survey
	respondents []Respondent
}

func (g given) Describe(context.Context) (*audience.Survey, error) { return g.survey, nil }

func (g given) Respondents(context.Context) iter.Seq2[*Batch, error] {
	return func(yield func(*Batch, error) bool) { yield(&Batch{Respondents: g.respondents}, nil) }
}

// TestAnySource: the rules hold whatever the source.
func TestAnySource(t *testing.T) {
	book, err := ReadCodebook([]byte(`{"namespaces": [{"code": "core"}], "respondent": {"column": "id"}, ` +
		`"questions": []}`))
	if err != nil {
		t.Fatal(err)
	}
	one := []decimal.Decimal{decimal.FromInt(1)}
	for want, r := range map[string]Respondent{
		"row 7: the respondent has no id": {Row: 7, Weights: one},
		`row 7: the weight -1 of namespace "core" is negative; a weight is 0 or more`: {Row: 7, ID: "a",
			Weights: []decimal.Decimal{decimal.FromInt(-1)}},
		"row 7: 2 weights for 1 namespaces": {Row: 7, ID: "a",
			Weights: append(one, one...)},
		"<nil>": {Row: 7, ID: "a", Weights: one},
	} {
		if _, err := Import(context.Background(), given{book.Survey, []Respondent{r}}, &memory{},
			Options{}); fmt.Sprint(err) != want {
			t.Errorf("%v\nwant %s", err, want)
		}
	}
	bad := *book.Survey
	bad.Waves = append(bad.Waves, bad.Waves[0])
	if _, err := Import(context.Background(), given{&bad, nil}, &memory{}, Options{}); fmt.Sprint(
		err) != `codebook: wave.values[1].code: wave "all" is listed twice (first as number 1)` {
		t.Error(err)
	}
}
