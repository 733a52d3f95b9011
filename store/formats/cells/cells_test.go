package cells_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/crosswave/crosswave/store/formats/cells"
)

// A format says what a number is, by its code or its number.
func TestKinds(t *testing.T) {
	for code, want := range map[string]cells.Kind{
		"General": cells.Plain, "0.00%": cells.Plain, `0.0" days"`: cells.Plain, `[Red]#,##0;yyyy`: cells.Plain,
		`yyyy\-mm\-dd`: cells.Date, "mmmm": cells.Date, "[$-409]d/m/yy;@": cells.Date, "h:mm AM/PM": cells.Time,
		"m/d/yy h:mm": cells.DateTime, "[h]:mm": cells.Duration, "[ss]": cells.Duration, "[h": cells.Plain, `"`: cells.Plain,
	} {
		if got := cells.KindOf(code); got != want {
			t.Errorf("%s is %d, want %d", code, got, want)
		}
	}
	for number, want := range map[int]cells.Kind{0: cells.Plain, 14: cells.Date, 20: cells.Time, 22: cells.DateTime,
		46: cells.Duration, 56: cells.DayOrTime, 49: cells.Plain} {
		if got := cells.BuiltinKind(number); got != want {
			t.Errorf("%d is %d, want %d", number, got, want)
		}
	}
}

// A number is written alike, whether it stands as text or not.
func TestNumbers(t *testing.T) {
	for _, c := range []struct {
		n     float64
		kind  cells.Kind
		epoch cells.Epoch
		want  string
	}{
		{0, cells.Plain, cells.From1900, "0"}, {12, cells.Plain, cells.From1900, "12"},
		{0.1 + 0.2, cells.Plain, cells.From1900, "0.3"}, {1e15, cells.Plain, cells.From1900, "1000000000000000"},
		{999999999999999, cells.Plain, cells.From1900, "999999999999999"}, {1e21, cells.Plain, cells.From1900, "1e+21"},
		{59, cells.Date, cells.From1900, "1900-02-28"}, {61, cells.Date, cells.From1900, "1900-03-01"},
		{0, cells.Date, cells.From1904, "1904-01-01"}, {45382.9999999, cells.DateTime, cells.From1900, "2024-04-01 00:00:00"},
		{0.5, cells.DayOrTime, cells.From1900, "12:00:00"}, {37438, cells.DayOrTime, cells.From1900, "2002-07-01"},
		{1.5, cells.Duration, cells.From1900, "36:00:00"}, {-1, cells.Date, cells.From1900, "-1"},
	} {
		got, ok := cells.AppendNumber(nil, c.n, c.kind, c.epoch)
		if string(got) != c.want || !ok {
			t.Errorf("%v of kind %d is %s, want %s", c.n, c.kind, got, c.want)
		}
		text, ok := cells.AppendText(nil, fmt.Append(nil, c.n), c.kind, c.epoch)
		if string(text) != c.want || !ok {
			t.Errorf("the text %v of kind %d is %s, want %s", c.n, c.kind, text, c.want)
		}
	}
	for _, n := range []float64{math.Inf(1), math.NaN()} {
		if got, ok := cells.AppendNumber(nil, n, cells.Plain, cells.From1900); ok {
			t.Errorf("%v is %s", n, got)
		}
	}
}

// Cells that come in any order stand from left to right, the last of a column alone, and a row is not endless.
func TestRow(t *testing.T) {
	var row cells.Row
	row.Begin(3)
	for i, text := range []string{"c", "a", "b", "a again"} {
		if err := row.Add([]int{2, 0, 1, 0}[i], []byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	row.Sort()
	var got []string
	for _, c := range row.Cells {
		got = append(got, cells.ColumnName(c.Column)+"="+string(row.Text(c)))
	}
	if text := strings.Join(got, " "); text != "A=a again B=b C=c" {
		t.Error(text)
	}
	if err := row.Add(3, make([]byte, 4<<20)); err == nil {
		t.Error("a row of more than 4 MiB was taken")
	}
}

// Texts are found by their numbers, however many there are.
func TestTexts(t *testing.T) {
	var list cells.Texts
	const count = 10_000
	for i := range count {
		list.Add(fmt.Append(nil, i))
	}
	for _, i := range []int{0, 4095, 4096, count - 1} {
		if text, ok := list.At(i); !ok || string(text) != fmt.Sprint(i) {
			t.Errorf("text %d is %q", i, text)
		}
	}
	for _, i := range []int{-1, count, 1 << 40} {
		if text, ok := list.At(i); ok {
			t.Errorf("text %d is %q", i, text)
		}
	}
}
