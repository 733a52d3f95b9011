package guess_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/crosswave/crosswave/store/guess"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// What stands in a column is counted by value, by bars between round edges where numbers are many, and not at all where
// texts are.
func TestDistributions(t *testing.T) {
	f := repeated(200, "brand|score|step|size|words|none", among("x", "y", "x", ""), among("10", "9", "2.0"),
		among("2", "9", "2", "7"), func(i int) string { return fmt.Sprint(float64(i) / 10) },
		func(i int) string { return fmt.Sprintf("words of %d", i) }, among("")).file()
	f.Columns[2].Labels = []guess.Label{{Value: "1", Text: "One"}, {Value: "2", Text: "Two"}, {Value: "9", Text: "Other"}}
	got, err := guess.Distributions(t.Context(), f)
	if err != nil {
		t.Fatal(err)
	}
	bars := []guess.Bar{}
	for i := range 10 {
		bars = append(bars, guess.Bar{From: float64(2 * i), To: float64(2*i + 2), Share: 0.1})
	}
	want := []guess.Distribution{
		{Rows: 200, Empty: 50, Shares: []guess.Share{{"x", "", 100}, {"y", "", 50}}},
		{Rows: 200, Shares: []guess.Share{{"2", "", 66}, {"9", "", 67}, {"10", "", 67}}},
		{Rows: 200, Shares: []guess.Share{{"1", "One", 0}, {"2", "Two", 100}, {"9", "Other", 50}, {"7", "", 50}}},
		{Rows: 200, Bars: bars},
		{Rows: 200, Various: true},
		{Rows: 200, Empty: 200},
	}
	near := cmp.Comparer(func(a, b float64) bool { return math.Abs(a-b) < 1e-9 })
	if d := cmp.Diff(want, got, near, cmpopts.EquateEmpty()); d != "" {
		t.Error(d)
	}
}

// A share is told as people write it: without what arithmetic left behind a number, and with its label.
func TestShareText(t *testing.T) {
	for _, c := range []struct {
		share guess.Share
		want  string
	}{
		{guess.Share{Value: "2.4000000000000004"}, "2.4"},
		{guess.Share{Value: "2.8999999999999999"}, "2.9"},
		{guess.Share{Value: "0.3333333333333333"}, "0.333333333333"},
		{guess.Share{Value: "20070622103145"}, "20070622103145"},
		{guess.Share{Value: "72057594037927936"}, "72057594037927936"},
		{guess.Share{Value: "1.25"}, "1.25"},
		{guess.Share{Value: "words with 12.0000000001"}, "words with 12.0000000001"},
		{guess.Share{Value: "1", Label: "One"}, "1 One"},
		{guess.Share{Value: "One", Label: "One"}, "One"},
	} {
		if got := c.share.Text(); got != c.want {
			t.Errorf("%q is told as %q, want %q", c.share.Value, got, c.want)
		}
	}
}
