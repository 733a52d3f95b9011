package formats_test

import (
	"iter"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/crosswave/crosswave/store/formats/sav"
)

// smallSPSS writes a .sav of six cases.
func smallSPSS(t *testing.T) string {
	t.Helper()
	n := sav.Number
	yes := []sav.ValueLabel{{Value: n(1), Label: "Chosen"}, {Value: n(0), Label: "Not chosen"}}
	media := []sav.ValueLabel{{Value: n(1), Label: "Radio"}, {Value: n(2), Label: "Print"}, {Value: n(3), Label: "Web"}}
	d := &sav.Dictionary{
		Weight: "w",
		Variables: []sav.Variable{
			{Name: "caseid"}, {Name: "w", Print: sav.Format{Type: sav.FormatF, Width: 8, Decimals: 3}},
			{Name: "q1", Label: "Do you?", Labels: []sav.ValueLabel{{Value: n(1), Label: "Yes"},
				{Value: n(2), Label: "No"}, {Value: n(9), Label: "Refused"}},
				Missing: sav.Missing{Values: []sav.Value{n(8), n(9)}}},
			{Name: "inc", Label: "Income", Missing: sav.Missing{Range: true, Low: math.Inf(-1), High: -1}},
			{Name: "o1", Label: "Git", Labels: yes}, {Name: "o2", Label: "Make", Labels: yes},
			{Name: "m1", Label: "First", Labels: media}, {Name: "m2", Label: "Second", Labels: media},
			{Name: "day", Print: sav.Format{Type: sav.FormatDATE, Width: 11}},
		},
		Sets: []sav.Set{
			{Name: "$tools", Label: "Tools", Kind: sav.Dichotomy, Counted: n(1), Variables: []string{"o1", "o2"}},
			{Name: "$media", Label: "Media", Variables: []string{"m1", "m2"}},
		},
	}
	none := sav.Value{}
	rows := [][]sav.Value{
		{n(11), n(0.5), n(1), n(1200.5), n(1), n(0), n(1), n(3), n(13e9)},
		{n(12), n(1.5), n(2), n(-1), n(0), n(0), n(2), none, n(13e9)},
		{n(13), none, n(9), n(-2), none, none, none, none, none},
		{n(14), n(1), n(8), n(800), n(1), n(1), n(1), n(1), n(13e9)},
		{n(15), n(1), n(1), none, none, none, none, n(2), n(13e9)},
		{n(16), n(2.125), none, n(45000), n(0), n(0), none, none, n(13e9)},
	}
	path := filepath.Join(t.TempDir(), "small.sav")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var seq iter.Seq2[[]sav.Value, error] = func(yield func([]sav.Value, error) bool) {
		for _, r := range rows {
			if !yield(r, nil) {
				return
			}
		}
	}
	if err := sav.Write(f, d, seq, sav.WriteOptions{}); err != nil {
		t.Fatal(err)
	}
	return path
}
