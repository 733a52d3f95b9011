package stats_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/stats"
)

// idle is a store that counts nothing, so that what is measured is all but the counting.
type idle struct{ frame *audience.Frame }

func (s idle) Frame(context.Context) (*audience.Frame, error) { return s.frame, nil }

func (s idle) Count(_ context.Context, _ uint64, qs []audience.Query) ([][]*audience.Table, error) {
	out := make([][]*audience.Table, len(qs))
	for i, q := range qs {
		for range q.Strata {
			out[i] = append(out[i], audience.NewTable(len(q.Rows), len(q.Columns)))
		}
	}
	return out, nil
}

// wide is a store of 30 waves, 40 locations and questions q0 to q2 of 200, 20 and 2 datapoints.
func wide(b *testing.B) audience.Store {
	f := &audience.Survey{}
	for i := range 30 {
		f.Waves = append(f.Waves, audience.Wave{Code: fmt.Sprint("wave_", i)})
	}
	for i := range 40 {
		f.Locations = append(f.Locations, audience.Location{Code: fmt.Sprint("location_", i)})
	}
	all := audience.NewCover(30 * 40)
	for i := range 30 * 40 {
		all.Set(i)
	}
	f.Namespaces = []audience.Namespace{{Code: "core"}}
	coverage := audience.Coverage{Fielded: []audience.Cover{all}, Decimals: []int{4}, Asked: make([][]audience.Cover, 3)}
	for i, n := range []int{200, 20, 2} {
		q := audience.Question{Namespace: "core", Code: fmt.Sprint("q", i)}
		for d := range n {
			q.Datapoints = append(q.Datapoints, audience.Datapoint{Code: fmt.Sprint(q.Code, "_", d)})
			coverage.Asked[i] = append(coverage.Asked[i], all)
		}
		f.Questions = append(f.Questions, q)
	}
	frame, err := audience.NewFrame(1, f, coverage)
	if err != nil {
		b.Fatal(err)
	}
	return idle{frame}
}

func BenchmarkRun(b *testing.B) {
	st := wide(b)
	audiences := []audience.Audience{called("one", is("q2:q2_0")), called("two", is("q2:q2_1"))}
	for name, r := range map[string]stats.Request{
		"none":      {Question: "q0", Audiences: audiences},
		"waves":     {Question: "q0", Audiences: audiences, Splitter: stats.Waves},
		"locations": {Question: "q0", Audiences: audiences, Splitter: stats.Locations},
		"question":  {Question: "q0", Audiences: audiences, Splitter: "q1"},
		"segmented": {Question: "q0", Audiences: audiences, Splitter: "q1", SegmentedBase: true},
	} {
		b.Run(name, func(b *testing.B) {
			n := 0
			for b.Loop() {
				res, err := stats.Run(b.Context(), st, r)
				if err != nil {
					b.Fatal(err)
				}
				n = 0
				for range res.Entries() {
					n++
				}
			}
			b.ReportMetric(float64(n), "entries/op")
		})
	}
}
