package stats

import (
	"context"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/audience/estimate"
	"github.com/crosswave/crosswave/internal/strictjson"
)

// WaveRequest is an audience to count by wave. It must say who it is.
type WaveRequest struct {
	Expression       audience.Expr
	Waves, Locations []string // codes; none: all that may be used
	// Matched cuts all of it to the locations that are covered in every wave in which the audience was asked, so that
	// waves compare. If there is none, nothing is measured.
	Matched  bool
	Coverage bool // Coverage of the result and of its waves is filled in
	// Statistics asks how sure the waves' percentages are: WaveCount.Statistics is filled in. Waves are always compared
	// with the one before; what else it names to compare is an error.
	Statistics *estimate.Options
}

// WaveResult is an audience, counted in all and by wave.
type WaveResult struct {
	Base, Audience audience.Figure // everyone and the audience, where the audience was asked
	Percentage     float64         // of the base, 0–100
	Waves          []WaveCount     // oldest first; a wave in which the audience was not asked is left out
	// Coverage is what the figures in all cover, and whether the waves cover different locations; nil unless it was asked
	// for.
	Coverage *audience.Covered
	// Withheld tells that Base and Audience tell of fewer respondents than the caller may be told of, so that they and
	// the percentage are 0. The waves tell of themselves. See audience.Grant.
	Withheld bool
}

// WaveCount is an audience in one wave.
type WaveCount struct {
	Code, Name string
	Sample     int64   // respondents in the audience
	Percentage float64 // of the people of the wave, where the audience was asked in it, 0–100
	// Coverage is what it covers, complete if that is all fieldwork of the wave that was requested; nil unless it was
	// asked for.
	Coverage *audience.Covered
	// Statistics says how sure the percentage is; nil unless it was asked for.
	Statistics *WaveStatistics
	// Withheld tells that it was measured, but tells of fewer respondents than the caller may be told of: its figures are
	// 0, and Statistics has no interval and no difference.
	Withheld bool
}

// WaveCounts counts an audience wave by wave. Errors are those of audience.Frame.Check with the origin expression,
// *audience.EmptyError and *audience.IncompatibleError.
func WaveCounts(ctx context.Context, st audience.Store, r WaveRequest) (*WaveResult, error) {
	if r.Expression == nil {
		return nil, &audience.EmptyError{Path: "expression"}
	}
	if r.Statistics != nil {
		if err := r.Statistics.Check(estimate.Previous); err != nil {
			return nil, err
		}
	}
	var t *trend
	var tabs []*audience.Crosstab
	err := audience.Read(ctx, st, func(reading *audience.Reading) error {
		f := reading.Frame
		if err := f.Check(r.Waves, r.Locations, audience.Use{Origin: "expression", Expr: r.Expression}); err != nil {
			return err
		}
		var err error
		t, err = r.trend(f)
		if err != nil {
			return audience.Renamed(err, "rows[0]", "expression")
		}
		if r.Statistics != nil && len(t.specs) > 0 {
			tabs, err = t.estimate(ctx, reading, *r.Statistics)
			return err
		}
		tabs, err = reading.Tabulate(ctx, t.specs...)
		return err
	})
	if err != nil {
		return nil, err
	}
	return t.result(&r, tabs), nil
}

// trend is a WaveRequest seen in a Frame.
type trend struct {
	frame  *audience.Frame
	waves  []string         // that are counted, oldest first
	specs  []audience.Spec  // the audience in all, and by wave; none if matched waves have no location in common
	covers *audience.Covers // of what was requested by wave; nil unless that is asked for
	// whole is the figure in all, and union the cover of all waves, as they would be without matching
	whole audience.Cell
	union audience.Cover

	table    *estimate.Table        // of the waves; nil unless it is asked how sure they are
	previous []*estimate.Difference // by column of the table
}

func (r *WaveRequest) trend(f *audience.Frame) (*trend, error) {
	whole := audience.Spec{Rows: []audience.Expr{r.Expression}, Waves: strictjson.Once(r.Waves),
		Locations: strictjson.Once(r.Locations)}
	if err := whole.Check(f); err != nil {
		return nil, err
	}
	byWave := whole
	t := &trend{frame: f, waves: made(wavesOf(f, r.Waves), nil)}
	for _, code := range t.waves {
		byWave.Columns = append(byWave.Columns, audience.Waves{Codes: []string{code}})
	}
	t.specs = []audience.Spec{whole, byWave}
	if !r.Matched && !r.Coverage {
		return t, nil
	}
	if err := t.plan(whole, byWave); err != nil {
		return nil, err
	}
	if r.Coverage {
		var err error
		if t.covers, err = audience.NewCovers(f, byWave); err != nil {
			return nil, err
		}
	}
	if r.Matched {
		common := f.CommonLocations(t.union)
		for i := range t.specs {
			t.specs[i].Locations = common
		}
		if len(common) == 0 { // which would be all
			t.specs = nil
		}
	}
	return t, nil
}

// plan finds out what would be covered.
func (t *trend) plan(whole, byWave audience.Spec) error {
	tab, err := audience.Plan(t.frame, whole)
	if err != nil {
		return err
	}
	t.whole = tab.Cell(1, 0)
	if tab, err = audience.Plan(t.frame, byWave); err != nil {
		return err
	}
	t.union = audience.NewCover(t.frame.Size())
	for i := range t.waves {
		t.union = t.union.Or(tab.Cell(1, i+1).Cover)
	}
	return nil
}

func (t *trend) result(r *WaveRequest, tabs []*audience.Crosstab) *WaveResult {
	out, f := &WaveResult{}, t.frame
	all := audience.Cell{Namespace: t.whole.Namespace, Cover: audience.NewCover(f.Size())}
	if len(tabs) > 0 {
		all = tabs[0].Cell(1, 0)
		for i, code := range t.waves {
			c := tabs[1].Cell(1, i+1)
			if c.Cover.Empty() {
				continue
			}
			out.Waves = append(out.Waves, WaveCount{Code: code, Name: f.Waves[f.Wave(code)].Name, Sample: c.Both.Sample,
				Percentage: c.Both.Percentage(c.Column), Coverage: t.covered(i+1, c), Statistics: t.statistics(i+1, &c),
				Withheld: c.Withheld})
		}
	}
	out.Withheld = all.Withheld
	out.Base, out.Audience, out.Percentage = all.Base, all.Row, all.Row.Percentage(all.Base)
	if out.Coverage = t.covered(0, all); out.Coverage != nil {
		out.Coverage.LocationsDiffer = !r.Matched && f.LocationsDiffer(t.union)
	}
	return out
}

// covered tells what the figure of a wave covers, by its place from 1, or that in all, 0; nil if it was not asked for.
func (t *trend) covered(wave int, c audience.Cell) *audience.Covered {
	if t.covers == nil {
		return nil
	}
	covered := t.covers.Of(1, wave, c)
	if wave > 0 {
		w := t.frame.Wave(t.waves[wave-1])
		within := audience.NewCover(t.frame.Size())
		for l := range t.frame.Locations {
			within.Set(t.frame.At(w, l))
		}
		covered.Complete = c.Cover.Equal(t.covers.Requested(c.Namespace).And(within))
	}
	return &covered
}
