package sqlite

import (
	"errors"
	"fmt"
	"path/filepath"
	"testing"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/store/demo"
	"github.com/crosswave/crosswave/store/survey"
	"github.com/google/go-cmp/cmp"
)

// What is read back out of a store makes a store that answers the same: two namespaces, ragged coverage, late
// locations, several units, small chunks.
func TestSourceMakesTheSameStore(t *testing.T) {
	alone(t)
	first, err := Open(t.Context(), Memory, Config{ChunkRespondents: 640})
	check(t, err)
	defer first.Close()
	_, err = survey.Import(t.Context(), demo.New(demo.Config{Respondents: 6000}), first, survey.Options{})
	check(t, err)
	source, err := first.Source(t.Context())
	check(t, err)
	defer source.Close()
	second, err := Open(t.Context(), Memory, Config{})
	check(t, err)
	defer second.Close()
	report, err := survey.Import(t.Context(), source, second, survey.Options{})
	check(t, err)
	if report.Respondents != 6000 || len(report.Outside)+len(report.Unlisted) > 0 {
		t.Errorf("%d respondents came back; %+v %+v", report.Respondents, report.Outside, report.Unlisted)
	}
	a, b := frameText(t, first), frameText(t, second)
	if d := cmp.Diff(a, b); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff(everyMargin(t, first), everyMargin(t, second)); d != "" {
		t.Error(d)
	}
}

// Weights that are gone are damage, or, where another process published and removed them, a store that has changed.
func TestSourceWithoutWeights(t *testing.T) {
	st := synthetic(3, 200)
	for i := range st.Respondents {
		st.Respondents[i].Attributes = nil // then nothing else of a chunk is read
	}
	path := filepath.Join(t.TempDir(), "store.db")
	s, other := openStore(t, path, Config{}), openStore(t, path, Config{})
	read := func(source *Source) error {
		for _, err := range source.Respondents(t.Context()) {
			if err != nil {
				return err
			}
		}
		return nil
	}
	publish(t, s, st, st.Respondents)
	source, err := s.Source(t.Context())
	check(t, err)
	defer source.Close()
	check(t, read(source))
	publish(t, other, st, st.Respondents, "w1", "w2", "w3", "w4")
	if err := read(source); !errors.Is(err, audience.ErrChanged) {
		t.Error("what another has replaced:", err)
	}
	again, err := s.Source(t.Context())
	check(t, err)
	defer again.Close()
	_, err = s.write.Exec(`DELETE FROM weights`)
	check(t, err)
	var damaged *DamagedError
	if err := read(again); !errors.As(err, &damaged) {
		t.Error("what is gone:", err)
	}
}

// frameText writes down what a figure depends on: coverage, fieldwork, units.
func frameText(t *testing.T, s *Store) (lines []string) {
	f, err := s.Frame(t.Context())
	check(t, err)
	for i, n := range f.Namespaces {
		lines = append(lines, fmt.Sprint(n.Code, n.Base, n.Universe, f.Decimals(i), f.Fielded(i)))
	}
	for i := range f.Questions {
		for j, d := range f.Questions[i].Datapoints {
			lines = append(lines, fmt.Sprint(f.Questions[i].Key(), d.Code, f.Asked(i, j)))
		}
	}
	return lines
}

// everyMargin counts every attribute in every wave, in the units of the store.
func everyMargin(t *testing.T, s audience.Store) (counts []audience.Count) {
	f, err := s.Frame(t.Context())
	check(t, err)
	var qs []audience.Query
	for i := range f.Questions {
		q := audience.Query{Namespace: f.Questions[i].Namespace}
		for _, d := range f.Questions[i].Datapoints {
			x := audience.Answers{Question: f.Questions[i].Key(), Datapoints: []string{d.Code}, Min: 1}
			q.Rows = append(q.Rows, x)
			for _, sx := range f.Questions[i].Suffixes {
				x.Suffixes = []int{sx.Code}
				q.Rows = append(q.Rows, x)
			}
		}
		for w := range f.Waves {
			c := audience.NewCover(f.Size())
			for l := range f.Locations {
				c.Set(f.At(w, l))
			}
			q.Strata = append(q.Strata, c)
		}
		qs = append(qs, q)
	}
	tables, err := s.Count(t.Context(), f.Version, qs)
	check(t, err)
	for _, strata := range tables {
		for _, table := range strata {
			counts = append(counts, table.Counts...)
		}
	}
	return counts
}
