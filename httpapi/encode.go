package httpapi

import (
	"math"
	"strconv"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/crosstab"
	"github.com/crosswave/crosswave/internal/strictjson"
)

// numbers writes numbers and remembers how: most figures of a stream are those of its rows and columns again, and a
// number's shortest form takes long to find.
type numbers [512]struct {
	bits uint64 // of the number
	n    uint8  // length of its text; 0: none is known
	text [longestNumber]byte
}

// longestNumber is the length of the longest: -2.2250738585072014e-308 and its like.
const longestNumber = 24

func (n *numbers) append(b []byte, x float64) []byte {
	bits := math.Float64bits(x)
	known := &n[bits*0x9e3779b97f4a7c15>>55]
	if known.n == 0 || known.bits != bits {
		from := len(b)
		if b = appendNumber(b, x); len(b)-from <= len(known.text) {
			known.bits, known.n = bits, uint8(copy(known.text[:], b[from:]))
		}
		return b
	}
	return append(b, known.text[:known.n]...)
}

// cell appends the members that all crosstab cells have: audiences, base and intersect, and what else was asked for.
func (n *numbers) cell(b []byte, c *crosstab.Cell) []byte {
	b = n.axis(append(b, `"audiences":{"row":`...), &c.Row)
	b = n.axis(append(b, `,"column":`...), &c.Column)
	b = n.figure(append(b, `},"base":{`...), c.Base)
	b = n.figure(append(b, `},"intersect":{`...), c.Intersect.Figure)
	b = n.append(append(b, `,"percentage":`...), c.Intersect.Percentage)
	b = n.append(append(b, `,"index":`...), c.Intersect.Index)
	b = appendCellStatistics(appendCoverage(append(b, '}'), c.Coverage), c.Statistics)
	return appendWithheld(b, c.Withheld)
}

// appendWithheld appends the member that tells that figures are 0 because the caller may not be told of them.
func appendWithheld(b []byte, withheld bool) []byte {
	if withheld {
		b = append(b, `,"withheld":true`...)
	}
	return b
}

// appendCoverage appends the member that tells what a figure covers, if that was asked for. Whether the locations of a
// trend's waves differ is told where they do.
func appendCoverage(b []byte, c *audience.Covered) []byte {
	if c == nil {
		return b
	}
	b = strictjson.AppendString(append(b, `,"coverage":{"namespace":`...), c.Namespace)
	b = appendList(append(b, `,"waves":`...), c.Waves, strictjson.AppendString)
	b = appendList(append(b, `,"locations":`...), c.Locations, strictjson.AppendString)
	b = strconv.AppendBool(append(b, `,"complete":`...), c.Complete)
	b = appendList(append(b, `,"partly_asked":`...), c.PartlyAsked, func(b []byte, d audience.DatapointKey) []byte {
		b = strictjson.AppendString(append(b, `{"namespace_code":`...), d.Namespace)
		b = strictjson.AppendString(append(b, `,"question_code":`...), d.Question)
		return append(strictjson.AppendString(append(b, `,"datapoint_code":`...), d.Datapoint), '}')
	})
	if c.LocationsDiffer {
		b = append(b, `,"locations_differ":true`...)
	}
	return append(b, '}')
}

func (n *numbers) axis(b []byte, a *crosstab.Axis) []byte {
	b = strictjson.AppendString(append(b, `{"audience":`...), a.Audience)
	b = n.figure(append(b, ','), a.Figure)
	b = n.append(append(b, `,"percentage":`...), a.Percentage)
	b = n.append(append(b, `,"intersect_percentage":`...), a.IntersectPercentage)
	return append(b, '}')
}

func (n *numbers) figure(b []byte, f audience.Figure) []byte {
	b = n.append(append(b, `"size":`...), f.Size)
	return strconv.AppendInt(append(b, `,"sample":`...), f.Sample, 10)
}

// appendList appends a JSON array whose elements each writes.
func appendList[T any](b []byte, list []T, each func([]byte, T) []byte) []byte {
	b = append(b, '[')
	for i, x := range list {
		if i > 0 {
			b = append(b, ',')
		}
		b = each(b, x)
	}
	return append(b, ']')
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
