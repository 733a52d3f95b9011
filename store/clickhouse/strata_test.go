package clickhouse_test

import (
	"context"
	"fmt"
	"iter"
	"testing"
	"time"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/store/clickhouse"
	"github.com/crosswave/crosswave/store/sqlite"
	"github.com/crosswave/crosswave/store/survey"
	"github.com/crosswave/crosswave/store/survey/decimal"
)

// diagonal is a survey of as many waves as locations, one respondent of weight 1 in each wave, who is of the location
// with the same number.
type diagonal int

func (d diagonal) Describe(context.Context) (*audience.Survey, error) {
	sv := &audience.Survey{
		Namespaces: []audience.Namespace{{Code: "core"}},
		Questions: []audience.Question{{Namespace: "core", Code: "q", Kind: audience.Single,
			Datapoints: []audience.Datapoint{{Code: "yes"}}}},
	}
	for i := range int(d) {
		sv.Waves = append(sv.Waves, audience.Wave{Code: fmt.Sprint("w", i)})
		sv.Locations = append(sv.Locations, audience.Location{Code: fmt.Sprint("l", i)})
	}
	return sv, nil
}

func (d diagonal) Respondents(context.Context) iter.Seq2[*survey.Batch, error] {
	return func(yield func(*survey.Batch, error) bool) {
		b := &survey.Batch{}
		for i := range int(d) {
			b.Respondents = append(b.Respondents, survey.Respondent{
				Row: int64(i + 1), ID: fmt.Sprint(i), Wave: i, Location: i,
				Weights: []decimal.Decimal{decimal.FromInt(1)}, Attributes: []int32{0}, Answered: []uint64{1},
			})
		}
		yield(b, nil)
	}
}

// Every fieldwork can be a stratum of its own: more than the 16 bits of a statement's key have room for, and within the
// time that a statement may take.
func TestVeryManyStrata(t *testing.T) {
	heavy(t)
	p := open(t, sqlite.Memory, clickhouse.Config{Addresses: addresses(cluster(t))[:1]})
	if _, err := survey.Import(t.Context(), diagonal(260), p, survey.Options{}); err != nil {
		t.Fatal(err)
	}
	f, err := p.Frame(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	q := audience.Query{Namespace: "core"}
	for i := range f.Size() {
		stratum := audience.NewCover(f.Size())
		stratum.Set(i)
		q.Strata = append(q.Strata, stratum)
	}
	if len(q.Strata) <= 1<<16 {
		t.Fatalf("%d strata", len(q.Strata))
	}
	start := time.Now()
	tables, err := p.Count(t.Context(), f.Version, []audience.Query{q})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d strata in %v", len(q.Strata), time.Since(start))
	for i, table := range tables[0] {
		w, l := f.Fieldwork(i)
		want := audience.Count{}
		if f.Waves[w].Code[1:] == f.Locations[l].Code[1:] {
			want = audience.Count{Sample: 1, Weight: 1}
		}
		if table.Counts[0] != want {
			t.Fatalf("%s in %s: %+v, want %+v", f.Waves[w].Code, f.Locations[l].Code, table.Counts[0], want)
		}
	}
}
