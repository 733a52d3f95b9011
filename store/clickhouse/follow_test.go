package clickhouse_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/internal/testsize"
	"github.com/crosswave/crosswave/store/clickhouse"
	"github.com/crosswave/crosswave/store/sqlite"
	"github.com/crosswave/crosswave/store/storetest"
	"github.com/crosswave/crosswave/store/survey"
)

// meanwhile is a file during whose import, when all of it was read, something happens.
type meanwhile struct {
	survey.Source
	happens func()
}

func (m meanwhile) Respondents(ctx context.Context) iter.Seq2[*survey.Batch, error] {
	return func(yield func(*survey.Batch, error) bool) {
		for batch, err := range m.Source.Respondents(ctx) {
			if !yield(batch, err) {
				return
			}
		}
		m.happens()
	}
}

// lot is the respondents of a study in one wave, as a file of its own: with a location and a question that no other
// file has, and datapoints of its own in a question that all have. The question stands first, so that the numbers of
// all others are moved in the merged survey.
func lot(st *storetest.Study, wave int) survey.Source {
	sv := st.Survey.Clone()
	own := "own_" + sv.Waves[wave].Code
	first, shared := audience.Question{Namespace: sv.Namespaces[0].Code, Code: own, Kind: audience.Multi},
		audience.Question{Namespace: sv.Namespaces[0].Code, Code: "shared", Kind: audience.Multi}
	for i := range 70 {
		first.Datapoints = append(first.Datapoints, audience.Datapoint{Code: fmt.Sprint(i)})
	}
	shared.Datapoints = []audience.Datapoint{{Code: own}, {Code: "all"}}
	sv.Questions = append([]audience.Question{first}, append(sv.Questions, shared)...)
	sv.Locations = append([]audience.Location{{Code: own}}, sv.Locations...)
	before, layout := survey.NewLayout(st.Survey), survey.NewLayout(sv)
	out := &storetest.Study{Survey: sv}
	for i, r := range st.Respondents {
		if r.Wave != wave {
			continue
		}
		attributes := []int32{layout.Attribute(0, i%len(first.Datapoints), 0),
			layout.Attribute(len(sv.Questions)-1, i%2, 0)}
		for _, a := range r.Attributes {
			attributes = append(attributes, a+int32(len(first.Datapoints)))
		}
		answered := make([]uint64, (layout.Items()+63)/64)
		set := func(item int) { answered[item>>6] |= 1 << (item & 63) }
		set(0)
		set(layout.Items() - 1)
		for item := range before.Items() {
			if r.Answered[item>>6]>>(item&63)&1 != 0 {
				set(item + 1)
			}
		}
		r.Numbers = slices.Clone(r.Numbers)
		for k := range r.Numbers {
			r.Numbers[k].Question++
		}
		r.Attributes, r.Answered, r.Location = attributes, answered, r.Location+1
		if i%5 == 0 {
			r.Location = 0
		}
		out.Respondents = append(out.Respondents, r)
	}
	return out.Source()
}

// Imports of different waves that go on at the same time, in processes of their own, are all published, though each
// gives numbers to codes that no other has, and stores answers in its own format: the report, the frame and all figures
// are those of one import after the other.
func TestImportsAtTheSameTime(t *testing.T) {
	heavy(t)
	tried := 0
	for seed := uint64(0); tried < testsize.Of(1, 4, 12); seed++ {
		study := storetest.NewRandom(seed).Study()
		var waves []int
		for i := range study.Survey.Waves {
			if slices.ContainsFunc(study.Respondents, func(r survey.Respondent) bool { return r.Wave == i }) {
				waves = append(waves, i)
			}
		}
		if len(waves) < 3 {
			continue
		}
		tried++
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			path, reports := filepath.Join(t.TempDir(), "store.db"), make([]*survey.Report, len(waves))
			var bring func(i int) // the import of a wave, during which the next one is imported
			bring = func(i int) {
				if i == len(waves) {
					return
				}
				p := open(t, path, clickhouse.Config{Addresses: addresses(cluster(t)), Database: "together", Timeout: patient,
					Format: []clickhouse.Format{clickhouse.Arrays, clickhouse.Words}[i%2]})
				var err error
				reports[i], err = survey.Import(t.Context(), meanwhile{lot(study, waves[i]), func() { bring(i + 1) }}, p,
					survey.Options{Mode: survey.Append})
				if err != nil {
					t.Fatal(err)
				}
			}
			bring(0)
			p := open(t, path, clickhouse.Config{Addresses: addresses(cluster(t)), Database: "together", Timeout: patient})
			embedded := open(t, sqlite.Memory, p.config).embedded
			for i, wave := range slices.Backward(waves) {
				report, err := survey.Import(t.Context(), lot(study, wave), embedded, survey.Options{Mode: survey.Append})
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(report, reports[i], cmp.AllowUnexported(survey.OutsideReport{})); diff != "" {
					t.Errorf("the report of wave %d (-alone +at the same time):\n%s", wave, diff)
				}
			}
			alike(t, embedded, p)
			if found, err := p.Check(t.Context()); err != nil || len(found.Faults) > 0 || found.Others != 0 {
				t.Errorf("the check finds %+v, %v", found, err)
			}
		})
	}
}

// alike compares frames and figures.
func alike(t *testing.T, want, got audience.Store) {
	t.Helper()
	f, err := want.Frame(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	g, err := got.Frame(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(f.Survey, g.Survey); diff != "" {
		t.Errorf("the survey (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(f.Coverage(), g.Coverage()); diff != "" {
		t.Errorf("the coverage (-want +got):\n%s", diff)
	}
	spec := audience.Spec{Measures: audience.Squares}
	for i := range f.Questions {
		all := f.PerDatapoint(i)
		for j := 0; j < len(all); j += 1 + len(all)/5 {
			spec.Rows = append(spec.Rows, all[j].Expr)
		}
		if f.Numbers(i).Bits > 0 {
			spec.Rows = append(spec.Rows, audience.Slice{Question: f.Questions[i].Key(), Bit: 1})
		}
	}
	for _, w := range f.Waves {
		spec.Columns = append(spec.Columns, audience.Waves{Codes: []string{w.Code}})
	}
	for _, l := range f.Locations {
		spec.Columns = append(spec.Columns, audience.Locations{Codes: []string{l.Code}})
	}
	if diff := cmp.Diff(cells(t, want, spec), cells(t, got, spec), cmp.AllowUnexported(audience.Figure{})); diff != "" {
		t.Errorf("the figures (-want +got):\n%s", diff)
	}
}

// Of two imports at the same time that bring the same wave, or replace it, the second is refused, and leaves nothing.
func TestImportsOfOneWaveAtTheSameTime(t *testing.T) {
	heavy(t)
	config := clickhouse.Config{Addresses: addresses(cluster(t)), Timeout: patient}
	path := filled(t, config)
	p, other := open(t, path, config), open(t, path, config)
	replace := survey.Options{Mode: survey.Replace, ReplaceWaves: []string{third}}
	add := survey.Options{Mode: survey.Append}
	for _, c := range []struct {
		first, second         survey.Options
		firstWave, secondWave string
		refused               func(error) bool
	}{
		{replace, replace, third, third, func(err error) bool { return errors.Is(err, audience.ErrChanged) }},
		{add, add, fourth, fourth, func(err error) bool {
			return err != nil && strings.Contains(err.Error(), "which was published first") &&
				strings.Contains(err.Error(), fourth)
		}},
		{replace, add, third, fifth, func(err error) bool { return err == nil }},
		{replace, replace, fourth, third, func(err error) bool { return err == nil }},
	} {
		c.second.ReplaceWaves, c.first.ReplaceWaves = []string{c.secondWave}, []string{c.firstWave}
		_, err := survey.Import(t.Context(), meanwhile{someWaves(8, c.secondWave), func() {
			if _, err := survey.Import(t.Context(), someWaves(9, c.firstWave), other, c.first); err != nil {
				t.Fatal(err)
			}
		}}, p, c.second)
		if !c.refused(err) {
			t.Errorf("wave %s while wave %s: %v", c.secondWave, c.firstWave, err)
		}
		found, err := p.Check(t.Context())
		if err != nil || len(found.Faults) > 0 || found.Others != 0 {
			t.Errorf("wave %s while wave %s: the check finds %+v, %v", c.secondWave, c.firstWave, found, err)
		}
	}
}
