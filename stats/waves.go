package stats

import (
	"context"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/internal/strictjson"
)

// WaveRequest is an audience to count by wave. It must say who it is.
type WaveRequest struct {
	Expression       audience.Expr
	Waves, Locations []string // codes; none: all that may be used
}

// WaveResult is an audience, counted in all and by wave.
type WaveResult struct {
	Base, Audience audience.Figure // everyone and the audience, where the audience was asked
	Percentage     float64         // of the base, 0–100
	Waves          []WaveCount     // oldest first; a wave in which the audience was not asked is left out
}

// WaveCount is an audience in one wave.
type WaveCount struct {
	Code, Name string
	Sample     int64   // respondents in the audience
	Percentage float64 // of the people of the wave, where the audience was asked in it, 0–100
}

// WaveCounts counts an audience wave by wave. Errors are those of audience.Frame.Check with the origin expression,
// *audience.EmptyError and *audience.IncompatibleError.
func WaveCounts(ctx context.Context, st audience.Store, r WaveRequest) (*WaveResult, error) {
	if r.Expression == nil {
		return nil, &audience.EmptyError{Path: "expression"}
	}
	whole := audience.Spec{Rows: []audience.Expr{r.Expression}, Waves: strictjson.Once(r.Waves),
		Locations: strictjson.Once(r.Locations)}
	var waves []string
	tabs, err := audience.Tabulate(ctx, st, func(f *audience.Frame) ([]audience.Spec, error) {
		if err := f.Check(r.Waves, r.Locations, audience.Use{Origin: "expression", Expr: r.Expression}); err != nil {
			return nil, err
		}
		if err := whole.Check(f); err != nil {
			return nil, audience.Renamed(err, "rows[0]", "expression")
		}
		byWave := whole
		waves = made(wavesOf(f, r.Waves), nil)
		for _, code := range waves {
			byWave.Columns = append(byWave.Columns, audience.Waves{Codes: []string{code}})
		}
		return []audience.Spec{whole, byWave}, nil
	})
	if err != nil {
		return nil, err
	}
	return waveResult(tabs[0], tabs[1], waves), nil
}

func waveResult(whole, byWave *audience.Crosstab, waves []string) *WaveResult {
	all := whole.Cell(1, 0)
	out := &WaveResult{Base: all.Base, Audience: all.Row, Percentage: all.Row.Percentage(all.Base)}
	f := whole.Frame
	for i, code := range waves {
		c := byWave.Cell(1, i+1)
		if c.Cover.Empty() {
			continue
		}
		out.Waves = append(out.Waves, WaveCount{
			Code: code, Name: f.Waves[f.Wave(code)].Name,
			Sample: c.Both.Sample, Percentage: c.Both.Percentage(c.Column),
		})
	}
	return out
}
