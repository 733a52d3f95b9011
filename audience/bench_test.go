package audience

import (
	"fmt"
	"testing"
)

// wide is a frame of 16 waves × 20 locations in which 400 questions have one of 12 coverages.
func wide(b *testing.B) *Frame {
	f := &Survey{}
	for i := range 16 {
		f.Waves = append(f.Waves, Wave{Code: fmt.Sprint("w", i)})
	}
	for i := range 20 {
		f.Locations = append(f.Locations, Location{Code: fmt.Sprint("l", i)})
	}
	n := len(f.Waves) * len(f.Locations)
	all := NewCover(n)
	for i := range n {
		all.Set(i)
	}
	f.Namespaces = []Namespace{{Code: "core"}}
	coverage := Coverage{Fielded: []Cover{all}}
	for q := range 400 {
		c := NewCover(n)
		for i := range n {
			if k := q % 12; k == 0 || i/20 > k && (i%20)%(k+1) != 1 {
				c.Set(i)
			}
		}
		f.Questions = append(f.Questions, Question{Namespace: "core", Code: fmt.Sprint("q", q),
			Datapoints: []Datapoint{{Code: "1"}, {Code: "2"}, {Code: "3"}}})
		coverage.Asked = append(coverage.Asked, []Cover{c, c, c})
	}
	frame, err := NewFrame(1, f, coverage)
	if err != nil {
		b.Fatal(err)
	}
	return frame
}

// BenchmarkTabulate is planning and forming figures for 200 × 200 audiences over ragged coverage, with an engine that
// takes no time.
func BenchmarkTabulate(b *testing.B) {
	s := &spy{frame: wide(b)}
	var spec Spec
	for i := range 200 {
		spec.Rows = append(spec.Rows, Answers{Question: fmt.Sprint("q", i), Datapoints: []string{"1"}})
		spec.Columns = append(spec.Columns, And{Answers{Question: fmt.Sprint("q", 200+i), Datapoints: []string{"2"}},
			Not{Answers{Question: fmt.Sprint("q", 200+i), Datapoints: []string{"3"}}}})
	}
	for b.Loop() {
		tabs, err := Tabulate(b.Context(), s, func(f *Frame) ([]Spec, error) { return []Spec{spec}, spec.Check(f) })
		if err != nil {
			b.Fatal(err)
		}
		var total Figure
		for i := range 200 {
			for j := range 200 {
				c := tabs[0].Cell(i+1, j+1)
				total.Sample += c.Both.Sample
			}
		}
	}
}
