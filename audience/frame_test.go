package audience

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestPerDatapoint(t *testing.T) {
	f := ragged(t)
	grid, _ := f.Question("grid")
	want := []Audience{
		{ID: "1", Name: "Answer 1", Expr: Answers{Question: "core.grid", Datapoints: []string{"1"}, Min: 1}},
		{ID: "2", Name: "Answer 2", Expr: Answers{Question: "core.grid", Datapoints: []string{"2"}, Min: 1}},
	}
	if d := cmp.Diff(want, f.PerDatapoint(grid)); d != "" {
		t.Error(d)
	}
	some, none := All(), All()
	some.Datapoints = []string{"grid:2"}
	if d := cmp.Diff(want[1:], f.For(some).PerDatapoint(grid)); d != "" {
		t.Errorf("of a caller who may use one: %s", d)
	}
	none.Questions = []string{"q"}
	if got := f.For(none).PerDatapoint(grid); got != nil {
		t.Errorf("of a caller who may not use the question: %v", got)
	}
}

func TestCodesOfACover(t *testing.T) {
	f := ragged(t)
	c := NewCover(f.Size())
	for _, at := range [][2]int{{2, 2}, {0, 1}, {2, 1}} {
		c.Set(f.At(at[0], at[1]))
	}
	if d := cmp.Diff([]string{"w1", "w3"}, f.WaveCodes(c)); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff([]string{"b", "c"}, f.LocationCodes(c)); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff([][]string{{}, {}}, [][]string{f.WaveCodes(nil), f.LocationCodes(nil)}); d != "" {
		t.Errorf("of an empty cover: %s", d)
	}
}

// Where a store does not say from where to where numbers go, they go as far as their bits have room.
func TestRangeOfNumbers(t *testing.T) {
	for _, test := range []struct {
		kept            Numbers
		least, greatest int64
	}{
		{Numbers{}, 0, 0},
		{Numbers{Bits: 8}, -128, 127},
		{Numbers{Bits: 8, Greatest: 80}, 0, 80},
		{Numbers{Bits: 8, Least: -100}, -100, 0},
		{Numbers{Bits: 8, Least: 65, Greatest: 65}, 65, 65},
	} {
		if least, greatest := test.kept.Range(); least != test.least || greatest != test.greatest {
			t.Errorf("%+v: from %d to %d, not from %d to %d", test.kept, least, greatest, test.least, test.greatest)
		}
	}
}
