package sav

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// everything is a small table with one of each thing that the format has.
func everything() *table {
	yesNo := []ValueLabel{{Number(0), "No"}, {Number(1), "Yes, größer €"}}
	num := func(name, label string, change func(v *Variable)) Variable {
		v := Variable{Name: name, Label: label, Measure: Nominal, Columns: 6, Align: Right,
			Print: Format{FormatF, 5, 1}, Write: Format{FormatF, 6, 2}}
		if change != nil {
			change(&v)
		}
		return v
	}
	str := func(name string, width int, change func(v *Variable)) Variable {
		v := Variable{Name: name, Width: width, Print: Format{FormatA, width, 0}, Write: Format{FormatA, width, 0},
			Columns: 12}
		if change != nil {
			change(&v)
		}
		return v
	}
	return &table{
		Dictionary: Dictionary{
			Label: "Everything at once", Created: time.Date(2026, 3, 31, 17, 45, 1, 0, time.UTC),
			Documents: []string{"First line", "", "third – line"}, Weight: "weight",
			Attributes: []Attribute{{"origin", []string{"here", "there"}}, {"quote", []string{"it's 'so'"}}},
			Variables: []Variable{
				num("respondent_number", "Number", func(v *Variable) { v.Measure, v.Role = Scale, NoRole }),
				num("choice_a", "Apples", func(v *Variable) { v.Labels = yesNo }),
				num("choice_b", "Pears", func(v *Variable) { v.Labels = yesNo }),
				num("weight", "", func(v *Variable) { v.Measure = Scale; v.Missing = Missing{Values: []Value{Number(-1)}} }),
				num("range", "Range", func(v *Variable) {
					v.Missing = Missing{Range: true, Low: math.Inf(-1), High: -1, Values: []Value{Number(99)}}
				}),
				num("open", "Open", func(v *Variable) { v.Missing = Missing{Range: true, Low: 1000, High: math.Inf(1)} }),
				num("when", "Date", func(v *Variable) {
					v.Print, v.Write = Format{FormatDATETIME, 23, 2},
						Format{FormatDATE, 11, 0}
				}),
				str("letter", 1, func(v *Variable) {
					v.Labels = []ValueLabel{{Text("a"), "Ah"}, {Text("b"), "Be"}}
					v.Missing = Missing{Values: []Value{Text("x"), Text("y"), Text("z")}}
				}),
				str("eight", 8, nil),
				str("nine", 9, func(v *Variable) {
					v.Labels = []ValueLabel{{Text("ninebytes"), "Nine"}, {Text(""), "Nothing"}}
					v.Missing = Missing{Values: []Value{Text("eightbyt")}}
				}),
				str("very_long_one", 256, func(v *Variable) { v.Label = "Very long" }),
				str("very_long_two", 1335, func(v *Variable) {
					v.Labels = []ValueLabel{{Text(strings.Repeat("ü", 600)), "Umlauts"}}
					v.Attributes = []Attribute{{"note", []string{"a", "b"}}}
					v.Role = Split
				}),
				num("größe", "Unicode name", nil),
			},
			Sets: []Set{
				{Name: "$fruit", Label: "Fruit\twith tab", Kind: Dichotomy, Counted: Number(1),
					Variables: []string{"choice_a", "choice_b"}},
				{Name: "$cats", Kind: Category, Variables: []string{"choice_b", "choice_a", "größe"}},
				{Name: "$texts", Label: "Of texts – counted", Kind: Dichotomy, Counted: Text("a"), CountedLabels: true,
					Variables: []string{"letter", "eight"}},
				{Name: "$source", Label: "Apples", Kind: Dichotomy, Counted: Number(-12), CountedLabels: true,
					LabelFromVariable: true,
					Variables:         []string{"choice_a", "range"}},
			},
		},
		Rows: [][]Value{
			{Number(1), Number(1), Number(0), Number(0.1), Number(-5), Number(1e300), Number(13744980610.25),
				Text("a"), Text("eight888"), Text("ninebytes"), Text(strings.Repeat("x", 256)),
				Text(strings.Repeat("ü", 667) + "!"), Number(151)},
			{Number(2), {}, Number(1), Number(1.0 / 3), Number(99), Number(-99), {},
				Text("x"), Text(""), Text("  lead"), Text(strings.Repeat("abcdefg", 36) + "wxyz"), Text(""), Number(152)},
			{Number(3), Number(-100), Number(math.Copysign(0, -1)), {}, Number(1e-300), Number(123456789012345), Number(0),
				Text(""), Text("ß"), Text("€"), Text("a" + strings.Repeat(" ", 254) + "z"), Text("short"),
				Number(math.MaxFloat64 / 2)},
		},
	}
}

func TestRoundTrip(t *testing.T) {
	want := everything()
	for name, order := range orders {
		for _, c := range compressions {
			t.Run(fmt.Sprint(name, "/", c), func(t *testing.T) {
				data := encode(t, want, WriteOptions{Compression: c}, order)
				f, got := decode(t, data)
				sameTable(t, got, want)
				if f.NumCases != 3 || f.Compression != c || f.ByteOrder.String() != order.String() || f.Encoding != "UTF-8" {
					t.Errorf("%d cases, %v, %v, %s", f.NumCases, f.Compression, f.ByteOrder, f.Encoding)
				}
				if notes := f.Notes(); len(notes) > 0 {
					t.Errorf("notes: %v", notes)
				}
				if math.Float64bits(got.Rows[2][2].number) != 1<<63 {
					t.Error("minus zero lost its sign")
				}
				if again := encode(t, got, WriteOptions{Compression: c}, order); !bytes.Equal(again, data) {
					t.Error("writing what was read gives another file")
				}
			})
		}
	}
}

// TestRoundTripRandom writes random tables and reads them back.
func TestRoundTripRandom(t *testing.T) {
	for seed := range uint64(150) {
		rng := random(seed)
		want := randomTable(rng)
		c := compressions[rng.IntN(3)]
		order := orders[[]string{"little", "big"}[rng.IntN(2)]]
		if err := want.Dictionary.check(); err != nil {
			t.Fatalf("seed %d makes what cannot be written: %v", seed, err)
		}
		f, got := decode(t, encode(t, want, WriteOptions{Compression: c}, order))
		sameTable(t, got, want)
		if notes := f.Notes(); len(notes) > 0 {
			t.Errorf("notes: %v", notes)
		}
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
}

const letters = "abcdefghijklmnopqrstuvwxyzäß€日本0123456789_"

// randomText has up to n bytes and no space at its end.
func randomText(rng *rand.Rand, n int) string {
	var b strings.Builder
	runes := []rune(letters + " '=/:,")
	for b.Len() < n && rng.IntN(n+1) > 0 {
		b.WriteRune(runes[rng.IntN(len(runes))])
	}
	return strings.TrimRight(cutText(b.String(), n, ""), " ")
}

func randomValue(rng *rand.Rand, width int) Value {
	switch {
	case width > 0:
		return Text(randomText(rng, width))
	case rng.IntN(4) == 0:
		return Number(rng.NormFloat64() * math.Pow(10, float64(rng.IntN(40)-20)))
	}
	return Number(float64(rng.IntN(400) - 150))
}

func randomVariable(rng *rand.Rand, name string) Variable {
	v := Variable{Name: name, Label: randomText(rng, rng.IntN(256)), Measure: Measure(rng.IntN(4)),
		Align: Align(rng.IntN(3)),
		Role:  Role(rng.IntN(6)), Columns: rng.IntN(50)}
	if rng.IntN(3) == 0 {
		v.Width = []int{1, 7, 8, 9, 16, 255, 256, 504, 505, 5000, 1 + rng.IntN(2000)}[rng.IntN(11)]
	} else if rng.IntN(2) == 0 {
		types := []FormatType{FormatF, FormatCOMMA, FormatDATE, FormatTIME, FormatE, FormatYMDHMS, FormatWKDAY, FormatPCT}
		v.Print = Format{types[rng.IntN(len(types))], 20 + rng.IntN(20), rng.IntN(3)}
		if !v.Print.fits(0) {
			v.Print.Decimals = 0
		}
	}
	distinct := func(n, width int) (out []Value) {
		seen := map[Value]bool{}
		for range n {
			if x := randomValue(rng, width); !seen[x] {
				seen[x] = true
				out = append(out, x)
			}
		}
		return out
	}
	for _, x := range distinct(rng.IntN(6), v.Width) {
		v.Labels = append(v.Labels, ValueLabel{x, randomText(rng, rng.IntN(256))})
	}
	v.Missing.Values = distinct(rng.IntN(4), min(v.Width, 8))
	if v.Width == 0 && rng.IntN(4) == 0 {
		low := float64(rng.IntN(100))
		v.Missing = Missing{Range: true, Low: low, High: low + 1 + float64(rng.IntN(9)), Values: distinct(rng.IntN(2), 0)}
	}
	for i := range rng.IntN(3) {
		v.Attributes = append(v.Attributes, Attribute{fmt.Sprintf("attr%d", i), []string{randomText(rng, 30),
			randomText(rng, 3)}})
	}
	return v
}

func randomTable(rng *rand.Rand) *table {
	tb := &table{}
	d := &tb.Dictionary
	d.Label = randomText(rng, 64)
	d.Created = time.Date(1980+rng.IntN(90), time.Month(1+rng.IntN(12)), 1+rng.IntN(28), rng.IntN(24), 3, 4, 0, time.UTC)
	for range rng.IntN(3) {
		d.Documents = append(d.Documents, randomText(rng, 80))
	}
	var numbers []string
	for i := range 1 + rng.IntN(12) {
		name := fmt.Sprintf("question_%s%d", strings.NewReplacer(" ", "", "€", "", "'", "", "=", "", "/", "", ":", "",
			",", "").Replace(randomText(rng, 20)), i)
		v := randomVariable(rng, name)
		if v.Numeric() {
			numbers = append(numbers, name)
		}
		if i > 0 && rng.IntN(3) == 0 && d.Variables[i-1].Width == v.Width {
			v.Labels = d.Variables[i-1].Labels
		}
		d.Variables = append(d.Variables, v)
	}
	if len(numbers) > 1 {
		d.Weight = numbers[rng.IntN(len(numbers))]
		for i := range rng.IntN(4) {
			s := Set{Name: fmt.Sprintf("$set%d", i), Label: randomText(rng, 60), Variables: numbers}
			if rng.IntN(3) > 0 {
				s.Kind, s.Counted, s.CountedLabels = Dichotomy, Number(float64(rng.IntN(10))), rng.IntN(2) == 0
			}
			d.Sets = append(d.Sets, s)
		}
	}
	for range rng.IntN(20) {
		var row []Value
		for i := range d.Variables {
			x := randomValue(rng, d.Variables[i].Width)
			if d.Variables[i].Numeric() && rng.IntN(5) == 0 {
				x = Value{}
			}
			row = append(row, x)
		}
		tb.Rows = append(tb.Rows, row)
	}
	return tb
}

// TestBlocks writes more than one block of zlib data.
func TestBlocks(t *testing.T) {
	if testing.Short() {
		t.Skip("blocks of more than their 4 MB, written and read by one goroutine, take long")
	}
	rng := random(7)
	d := Dictionary{Variables: []Variable{{Name: "a"}, {Name: "b", Width: 20}}}
	const n = 200_000
	rows := func(yield func([]Value, error) bool) {
		rng := random(7)
		row := make([]Value, 2)
		for range n {
			row[0], row[1] = Number(rng.Float64()), Text(fmt.Sprint(rng.Uint64()))
			if !yield(row, nil) {
				return
			}
		}
	}
	var m memory
	if err := Write(&m, &d, rows, WriteOptions{Compression: Zlib}); err != nil {
		t.Fatal(err)
	}
	f, err := openBytes(m.data, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if len(f.blocks) < 2 || f.blocks[0].plain != blockSize {
		t.Errorf("blocks: %v", f.blocks)
	}
	count := 0
	for c, err := range f.Cases() {
		if err != nil {
			t.Fatal(err)
		}
		x, _ := c.Float(0)
		if want, text := rng.Float64(), fmt.Sprint(rng.Uint64()); x != want || c.Text(1) != text {
			t.Fatalf("case %d: %v %q; expected %v %q", c.Row, x, c.Text(1), want, text)
		}
		count++
	}
	if count != n {
		t.Errorf("%d cases; expected %d", count, n)
	}
}

// TestLineBreaks has a set take a label from a variable that it could not have
// itself.
func TestLineBreaks(t *testing.T) {
	tb := everything()
	tb.Dictionary.Created = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	tb.Dictionary.Variables[1].Label = "Two\r\nlines"
	sets := tb.Dictionary.Sets
	sets[len(sets)-1].Label = "Two\r\nlines"
	_, got := decode(t, encode(t, tb, WriteOptions{}, orders["little"]))
	sameTable(t, got, tb)
}

// TestSeveralLoops reads one file in two loops at once, and one that is broken off.
func TestSeveralLoops(t *testing.T) {
	want := everything()
	for _, c := range compressions {
		f, err := openBytes(encode(t, want, WriteOptions{Compression: c}, orders["little"]), Options{})
		if err != nil {
			t.Fatal(err)
		}
		for outer, err := range f.Cases() {
			if err != nil {
				t.Fatal(err)
			}
			for inner, err := range f.Cases() {
				if err != nil {
					t.Fatal(err)
				}
				if x, _ := inner.Float(0); x != float64(inner.Row) {
					t.Fatalf("case %d has the number %v", inner.Row, x)
				}
				if inner.Row == 2 {
					break
				}
			}
			if x, _ := outer.Float(0); x != float64(outer.Row) || outer.Text(9) != want.Rows[outer.Row-1][9].text {
				t.Fatalf("case %d has the number %v and the text %q", outer.Row, x, outer.Text(9))
			}
		}
	}
}

// onlyWriter hides that a destination can seek.
type onlyWriter struct{ io.Writer }

func TestUnknownNumberOfCases(t *testing.T) {
	tb := everything()
	for _, test := range []struct {
		say, want int64
	}{{0, -1}, {3, 3}} {
		var b bytes.Buffer
		if err := Write(onlyWriter{&b}, &tb.Dictionary, tb.rows(), WriteOptions{Cases: test.say}); err != nil {
			t.Fatal(err)
		}
		f, got := decode(t, b.Bytes())
		if f.NumCases != test.want {
			t.Errorf("%d cases in the header; expected %d", f.NumCases, test.want)
		}
		sameTable(t, got, tb)
	}
	var invalid *InvalidError
	if err := Write(onlyWriter{io.Discard}, &tb.Dictionary, tb.rows(), WriteOptions{Cases: 4}); !errors.As(err,
		&invalid) || invalid.Row != 3 {
		t.Errorf("3 rows where 4 were announced: %v", err)
	}
	if err := Write(onlyWriter{io.Discard}, &tb.Dictionary, tb.rows(), WriteOptions{Compression: Zlib}); err == nil {
		t.Error("a .zsav file without seeking: no error")
	}
}

func TestWriteInvalid(t *testing.T) {
	for _, test := range []struct {
		change func(tb *table)
		want   string
	}{
		{func(tb *table) { tb.Dictionary.Variables = nil }, `dictionary: no variables; expected at least one`},
		{func(tb *table) { tb.Dictionary.Label = strings.Repeat("x", 65) },
			`dictionary: file label has 65 bytes; expected at most 64`},
		{func(tb *table) { tb.Dictionary.Variables[1].Name = "a b" },
			`dictionary, variable "a b": name has ' '; expected letters, digits and . _ $ # @, with a letter or @ first`},
		{func(tb *table) { tb.Dictionary.Variables[1].Name = "to" },
			`dictionary, variable "to": name is a reserved word of SPSS`},
		{func(tb *table) { tb.Dictionary.Variables[1].Name = "WEIGHT" },
			`dictionary, variable "weight": second variable of that name`},
		{func(tb *table) { tb.Dictionary.Variables[1].Width = 40000 },
			`dictionary, variable "choice_a": width is 40000; expected 0 for a number, or 1 to 32767 bytes of text`},
		{func(tb *table) { tb.Dictionary.Variables[0].Labels = []ValueLabel{{Text("x"), "X"}} },
			`dictionary, variable "respondent_number": value label: found the text "x"; expected a number`},
		{func(tb *table) { tb.Dictionary.Variables[9].Missing.Values[0] = Text("ninebytes") },
			`dictionary, variable "nine": missing values: found the text "ninebytes" of 9 bytes; expected at most 8`},
		{func(tb *table) { tb.Dictionary.Variables[4].Missing.Values = []Value{Number(1), Number(2)} },
			`dictionary, variable "range": missing values: 2 single values; expected at most 1 (3, or 1 beside a range)`},
		{func(tb *table) { tb.Dictionary.Variables[0].Print = Format{FormatF, 50, 0} },
			`dictionary, variable "respondent_number": format F50.0 does not suit its width 0; leave it out for the usual one`},
		{func(tb *table) { tb.Dictionary.Weight = "letter" },
			`dictionary: weight is "letter"; expected the name of a number`},
		{func(tb *table) { tb.Dictionary.Sets[0].Variables[0] = "letter" },
			`dictionary: multiple-response set "$fruit": "letter" and "choice_b" are a number and a text; expected all alike`},
		{func(tb *table) { tb.Dictionary.Sets[1].Variables = []string{"weight", "nowhere"} },
			`dictionary: multiple-response set "$cats": there is no variable "nowhere"`},
		{func(tb *table) { tb.Dictionary.Attributes[0].Values[0] = "a\nb" },
			`dictionary: attribute "origin": value "a\nb" has a line feed or is not valid UTF-8`},
		{func(tb *table) { tb.Rows[1] = tb.Rows[1][:5] }, `row 2: 5 values; expected 13, one for each variable`},
		{func(tb *table) { tb.Rows[2][7] = Text("ä") },
			`row 3, variable "letter": found the text "ä" of 2 bytes; expected at most 1`},
		{func(tb *table) { tb.Rows[0][0] = Text("ä") },
			`row 1, variable "respondent_number": found the text "ä"; expected a number`},
		{func(tb *table) { tb.Rows[0][0] = Number(math.Inf(1)) },
			`row 1, variable "respondent_number": found an infinite number`},
		{func(tb *table) { tb.Rows[0][8] = Number(8) }, `row 1, variable "eight": found the number 8; expected a text`},
	} {
		tb := everything()
		test.change(tb)
		err := Write(&memory{}, &tb.Dictionary, tb.rows(), WriteOptions{})
		var invalid *InvalidError
		if want := "cannot write as SPSS system file: " + test.want; !errors.As(err, &invalid) || err.Error() != want {
			t.Errorf("got  %v\nwant %s", err, want)
		}
	}
}

func TestWriteFailures(t *testing.T) {
	tb := everything()
	full := errors.New("disk full")
	if err := Write(failing{full}, &tb.Dictionary, tb.rows(), WriteOptions{}); !errors.Is(err, full) {
		t.Errorf("a destination that fails: %v", err)
	}
	broken := errors.New("broken rows")
	var rows iter.Seq2[[]Value, error] = func(yield func([]Value, error) bool) { yield(nil, broken) }
	if err := Write(io.Discard, &tb.Dictionary, rows, WriteOptions{}); !errors.Is(err, broken) {
		t.Errorf("rows that fail: %v", err)
	}
}

type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }

// TestFit makes what cannot be written fit, and then writes and reads it.
func TestFit(t *testing.T) {
	labels := []ValueLabel{{Number(1), strings.Repeat("long ", 60)}, {Value{}, "none"}, {Number(1), "again"},
		{Text("x"), "text"}}
	long := strings.Repeat("ä", 40)
	d := Dictionary{
		Label: long, Documents: []string{strings.Repeat("word ", 30)}, Weight: "2 fast",
		Variables: []Variable{
			{Name: "2 fast", Labels: labels, Print: Format{FormatA, 3, 0}},
			{Name: "by", Label: strings.Repeat("x", 300), Labels: labels},
			{Name: "V_2_fast", Width: -3, Missing: Missing{Values: []Value{Number(1), Number(2), Number(3), Number(4)}}},
			{Name: "BY", Width: 4, Missing: Missing{Range: true, Low: 1, High: 2, Values: []Value{Text("12345")}}},
			{Name: "", Attributes: []Attribute{{"a b", []string{"x\ny"}}, {"none", nil}, {roleAttribute, []string{"1"}}}},
		},
		Sets: []Set{
			{Name: "fruit", Label: "two\nlines", Variables: []string{"2 FAST", "By", "gone"}, LabelFromVariable: true},
			{Name: "$fruit", Variables: []string{"V_2_fast", ""}},
			{Name: "$one", Variables: []string{"V_2_fast"}},
		},
	}
	notes := d.Fit()
	var got []string
	for _, n := range notes {
		got = append(got, n.String())
	}
	want := []string{
		`file label has 80 bytes; expected at most 64; changed`,
		`document line 1 has 150 bytes; expected at most 80; broken up`,
		`variable "2 fast": name has '2'; expected letters, digits and . _ $ # @, with a letter or @ first; renamed ` +
			`to "V2_fast"`,
		`variable "by": name is a reserved word of SPSS; renamed to "by_"`,
		`variable "BY": name is a reserved word of SPSS; renamed to "BY__1"`,
		`variable "": name is empty; renamed to "V"`,
		`variable "V2_fast": format A3 does not suit width 0; the usual one is used`,
		`variable "V2_fast": label of "1" has 300 bytes; expected at most 255; changed`,
		`variable "V2_fast": label "none": found system-missing; expected a number; left out`,
		`variable "V2_fast": label "again": second label of the same value; left out`,
		`variable "V2_fast": label "text": found the text "x"; expected a number; left out`,
		`variable "by_": label has 300 bytes; expected at most 255; changed`,
		`variable "by_": label of "1" has 300 bytes; expected at most 255; changed`,
		`variable "by_": label "none": found system-missing; expected a number; left out`,
		`variable "by_": label "again": second label of the same value; left out`,
		`variable "by_": label "text": found the text "x"; expected a number; left out`,
		`variable "V_2_fast": width -3; changed to 0`,
		`variable "V_2_fast": missing value "4": there is room for 3; left out`,
		`variable "BY__1": missing values from 1 to 2 are no range of its values; left out`,
		`variable "BY__1": missing value "12345": found the text "12345" of 5 bytes; expected at most 4; left out`,
		`variable "V": attribute "a b" has a name or value with what cannot be in one; changed`,
		`variable "V": attribute "none" has no value or a name there cannot be; left out`,
		`variable "V": attribute "$@Role" has no value or a name there cannot be; left out`,
		`multiple-response set "fruit"; renamed to "$fruit"`,
		`multiple-response set "$fruit": no variable "gone"; left out of the set`,
		`multiple-response set "$fruit"; renamed to "$fruit_1"`,
		`multiple-response set "$one": 1 variables; expected two or more; left out`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("notes (-want +got):\n%s", diff)
	}
	wantSets := []Set{
		{Name: "$fruit", Label: "two lines", Variables: []string{"V2_fast", "by_"}},
		{Name: "$fruit_1", Variables: []string{"V_2_fast", "V"}},
	}
	if diff := cmp.Diff(wantSets, d.Sets, values, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("sets (-want +got):\n%s", diff)
	}
	if d.Weight != "V2_fast" || d.Label != strings.Repeat("ä", 30)+"…" || len(d.Documents) != 2 {
		t.Errorf("weight %q, label %q, documents %q", d.Weight, d.Label, d.Documents)
	}
	if labels[0].Label != strings.Repeat("long ", 60) {
		t.Error("a shared slice of labels was changed in place")
	}
	if more := d.Fit(); len(more) > 0 {
		t.Errorf("fitting again changes more: %v", more)
	}
	d.Created = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	tb := &table{Dictionary: d, Rows: [][]Value{{Number(1), {}, Number(2), Text("abcd"), Number(0)}}}
	_, back := decode(t, encode(t, tb, WriteOptions{}, orders["little"]))
	sameTable(t, back, tb)
}
