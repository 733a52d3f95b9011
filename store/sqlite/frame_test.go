package sqlite

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/crosswave/crosswave/audience"
)

// A frame comes back as it was stored: covers that differ stay different, whatever their bits.
func TestStoredFrame(t *testing.T) {
	var f audience.Frame
	for w := range 2 {
		f.Waves = append(f.Waves, audience.Wave{Code: fmt.Sprint("w", w), Start: fmt.Sprintf("2024-0%d-01", w+1)})
	}
	for l := range 64 {
		f.Locations = append(f.Locations, audience.Location{Code: fmt.Sprint("l", l)})
	}
	q := audience.Question{Namespace: "core", Code: "q"}
	for i, c := range []audience.Cover{
		{0, 0}, {0, 1}, {1, 0}, {1 << 8, 0}, {^uint64(0), ^uint64(0)},
		{0x0100ff, 0x01}, {0, 0x0100ff01}, // no byte of a word may pass for the end of one
		{0xff, 0}, {0xff, 0xff}, {0xff00ff, 0}, {0, 0xff00ff},
	} {
		q.Datapoints = append(q.Datapoints, audience.Datapoint{Code: fmt.Sprint("d", i), Asked: c})
	}
	f.Questions = []audience.Question{q}
	f.Namespaces = []audience.Namespace{{Code: "core", Decimals: 3, Fielded: audience.Cover{^uint64(0), ^uint64(0)}}}
	stored, err := storeFrame(&f).frame(7)
	check(t, err)
	if stored.Version != 7 {
		t.Error("version", stored.Version)
	}
	if diff := cmp.Diff(f.Namespaces, stored.Namespaces); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(f.Questions[0].Datapoints, stored.Questions[0].Datapoints); diff != "" {
		t.Error(diff)
	}
}
