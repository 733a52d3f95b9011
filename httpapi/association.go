package httpapi

import (
	"net/http"
	"strconv"

	"github.com/crosswave/crosswave/internal/strictjson"
	"github.com/crosswave/crosswave/stats"
)

// association answers POST /v2/query/association.
func (c *call) association() error {
	body, err := c.body("rows", "columns", "base_audience", "locations", "waves", "coverage")
	if err != nil {
		return err
	}
	q := stats.AssociationQuery{Rows: readAxis(body.Get("rows")), Columns: readAxis(body.Get("columns")),
		Waves: body.Texts("waves"), Locations: body.Texts("locations"), Coverage: body.Bool("coverage"),
		MostCells: c.Limits.Cells}
	if err := body.Err(); err != nil {
		return err
	}
	if q.Base, _, err = c.wrapper(body.Get("base_audience")); err != nil {
		return err
	}
	if err := c.lookup(func() error { return nil }, wantedBase(&q.Base)); err != nil {
		return err
	}
	found, err := stats.Associate(c.ctx(), c.restricted, q)
	if err != nil {
		return err
	}
	b := appendAxisOf([]byte(`{"meta":{"type":"ASSOCIATION","rows":`), q.Rows)
	b = appendAxisOf(append(b, `,"columns":`...), q.Columns)
	b = appendAssociation(append(b, `},"data":`...), found)
	return c.reply(http.StatusOK, append(b, "}\n"...))
}

// readAxis reads a question whose answers are rows or columns.
func readAxis(v strictjson.Value) stats.AssociationAxis {
	o := v.Object("question", "datapoints")
	return stats.AssociationAxis{Question: o.Text("question"), Datapoints: o.Texts("datapoints")}
}

// appendAxisOf appends a question as it was sent, its datapoints if it has any.
func appendAxisOf(b []byte, a stats.AssociationAxis) []byte {
	b = strictjson.AppendString(append(b, `{"question":`...), a.Question)
	if len(a.Datapoints) > 0 {
		b = appendList(append(b, `,"datapoints":`...), strictjson.Once(a.Datapoints), strictjson.AppendString)
	}
	return append(b, '}')
}

// appendAssociation appends what was found. What could not be had is left out.
func appendAssociation(b []byte, a *stats.Association) []byte {
	b = append(b, '{')
	if test := a.Independence; test != nil {
		b = appendEstimate(append(b, `"f":`...), test.F)
		b = appendEstimate(append(b, `,"df":`...), test.DF)
		b = appendEstimate(append(b, `,"df_denominator":`...), test.DFDenominator)
		b = append(appendEstimate(append(b, `,"p":`...), test.P), ',')
	}
	if a.CramersV != nil {
		b = append(appendEstimate(append(b, `"cramers_v":`...), *a.CramersV), ',')
	}
	b = strconv.AppendInt(append(b, `"sample":`...), a.Sample, 10)
	b = appendEstimate(append(b, `,"effective_sample":`...), a.EffectiveSample)
	return append(appendWithheld(appendCoverage(b, a.Coverage), a.Withheld), '}')
}
