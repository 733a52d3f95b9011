package httpapi

import (
	"math"
	"strconv"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/crosstab"
	"github.com/crosswave/crosswave/internal/strictjson"
)

// appendCell appends the members that all crosstab cells have: audiences, base and intersect.
func appendCell(b []byte, c *crosstab.Cell) []byte {
	b = appendAxis(append(b, `"audiences":{"row":`...), &c.Row)
	b = appendAxis(append(b, `,"column":`...), &c.Column)
	b = appendFigure(append(b, `},"base":{`...), c.Base)
	b = appendFigure(append(b, `},"intersect":{`...), c.Intersect.Figure)
	b = appendNumber(append(b, `,"percentage":`...), c.Intersect.Percentage)
	b = appendNumber(append(b, `,"index":`...), c.Intersect.Index)
	return append(b, '}')
}

func appendAxis(b []byte, a *crosstab.Axis) []byte {
	b = strictjson.AppendString(append(b, `{"audience":`...), a.Audience)
	b = appendFigure(append(b, ','), a.Figure)
	b = appendNumber(append(b, `,"percentage":`...), a.Percentage)
	b = appendNumber(append(b, `,"intersect_percentage":`...), a.IntersectPercentage)
	return append(b, '}')
}

func appendFigure(b []byte, f audience.Figure) []byte {
	b = appendNumber(append(b, `"size":`...), f.Size)
	return strconv.AppendInt(append(b, `,"sample":`...), f.Sample, 10)
}

// appendNumber appends a finite number in the shortest form that reads back as it, as encoding/json writes it.
func appendNumber(b []byte, x float64) []byte {
	format := byte('f')
	if abs := math.Abs(x); abs != 0 && (abs < 1e-6 || abs >= 1e21) {
		format = 'e'
	}
	b = strconv.AppendFloat(b, x, format, -1, 64)
	if n := len(b); format == 'e' && n >= 4 && b[n-4] == 'e' && b[n-3] == '-' && b[n-2] == '0' { // e-09 is written e-9
		b[n-2] = b[n-1]
		b = b[:n-1]
	}
	return b
}
