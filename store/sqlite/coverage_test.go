package sqlite

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/crosswave/crosswave/audience"
)

// Coverage comes back as it was stored: covers that differ stay different, whatever their bits.
func TestStoredCoverage(t *testing.T) {
	sv := &audience.Survey{Namespaces: []audience.Namespace{{Code: "core"}}}
	for w := range 2 {
		sv.Waves = append(sv.Waves, audience.Wave{Code: fmt.Sprint("w", w), Start: fmt.Sprintf("2024-0%d-01", w+1)})
	}
	for l := range 64 {
		sv.Locations = append(sv.Locations, audience.Location{Code: fmt.Sprint("l", l)})
	}
	asked := []audience.Cover{
		{0, 0}, {0, 1}, {1, 0}, {1 << 8, 0}, {^uint64(0), ^uint64(0)},
		{0x0100ff, 0x01}, {0, 0x0100ff01}, // no byte of a word may pass for the end of one
		{0xff, 0}, {0xff, 0xff}, {0xff00ff, 0}, {0, 0xff00ff},
	}
	q := audience.Question{Namespace: "core", Code: "q"}
	for i := range asked {
		q.Datapoints = append(q.Datapoints, audience.Datapoint{Code: fmt.Sprint("d", i)})
	}
	sv.Questions = []audience.Question{q}
	want := audience.Coverage{Fielded: []audience.Cover{{^uint64(0), ^uint64(0)}}, Decimals: []int{3},
		Asked: [][]audience.Cover{asked}}
	f, err := audience.NewFrame(0, sv, want)
	check(t, err)
	stored, err := storeCoverage(f).frame(7, sv)
	check(t, err)
	if stored.Version != 7 {
		t.Error("version", stored.Version)
	}
	if diff := cmp.Diff(want, stored.Coverage()); diff != "" {
		t.Error(diff)
	}
}
