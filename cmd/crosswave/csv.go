package main

import (
	"context"
	"encoding/csv"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/crosstab"
)

// csvHeader names the columns of --format csv; with --stats those of crosstab.StatisticsHeader come after them. Codes
// in one field stand with ; between them.
var csvHeader = slices.Concat(
	[]string{"row_question", "row", "row_name", "column_question", "column", "column_name"}, crosstab.Header(),
	[]string{"namespace", "waves", "locations", "complete", "left_out_waves", "left_out_locations"})

// writeCSV writes a line a cell. Columns are significantly different at a lower level, too, unless that is 0.
func writeCSV(ctx context.Context, st audience.Store, r crosstab.Request, low float64, out io.Writer) error {
	x, err := cross(ctx, st, r)
	if err != nil {
		return err
	}
	w := csv.NewWriter(out)
	header := csvHeader
	if r.Statistics != nil {
		header = slices.Concat(header, crosstab.StatisticsHeader())
	}
	w.Write(header)
	for i := range x.rows {
		for j := range x.columns {
			fields := x.fields(i, j)
			if r.Statistics != nil {
				fields = append(fields, x.cells[i][j].Statistics.StatisticsFields(r.Statistics, j, len(x.columns)-1,
					low)...)
			}
			w.Write(fields)
		}
	}
	w.Flush()
	return w.Error()
}

// above tells a direction.
var above = map[int]string{1: "higher", -1: "lower"}

func number(x float64) string { return strconv.FormatFloat(x, 'f', -1, 64) }

// fields are those of csvHeader for a cell.
func (x *crossed) fields(i, j int) []string {
	c, row, column := &x.cells[i][j], x.rows[i], x.columns[j]
	e := x.extent(c, row.Expr, column.Expr)
	codes := func(list []string) string { return strings.Join(list, ";") }
	return slices.Concat([]string{codes(asked(x.frame, row.Expr)), row.ID, name(row),
		codes(asked(x.frame, column.Expr)), column.ID, name(column)}, c.Fields(),
		[]string{c.Namespace, codes(e.waves), codes(e.locations), strconv.FormatBool(e.complete),
			codes(e.withoutWaves), codes(e.withoutLocations)})
}
