package main

import (
	"context"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/crosstab"
)

// How questions are listed: where each was asked, and how its answers went from wave to wave.

// Marks of a wave, from nobody to everybody.
const (
	notAsked     = '·'
	askedInSome  = '▄'
	askedInWhole = '█'
)

// levels are the heights of a trend; a share of 0 has the lowest.
var levels = []rune("▁▂▃▄▅▆▇█")

// inspectQuestions lists the questions, and with datapoints the answers to each.
func inspectQuestions(ctx context.Context, st audience.Store, f *audience.Frame, datapoints bool, out io.Writer) error {
	header := []string{"QUESTION", "DATAPOINTS", "SUFFIXES", "ASKED IN", "WAVES", "NAME"}
	if datapoints {
		header = append(header[:5], "LATEST", "NAME")
	}
	rows := [][]string{header}
	for i := range f.Questions {
		q := &f.Questions[i]
		asked := audience.NewCover(f.Size())
		for j := range q.Datapoints {
			asked = asked.Or(f.Asked(i, j))
		}
		fielded := f.Fielded(f.Namespace(q.Namespace))
		row := []string{q.Key(), strconv.Itoa(len(q.Datapoints)), strconv.Itoa(len(q.Suffixes)),
			fmt.Sprintf("%d of %d", asked.And(fielded).Len(), fielded.Len()), askedByWave(f, asked, fielded)}
		if !datapoints {
			rows = append(rows, append(row, plain(q.Name)))
			continue
		}
		rows = append(rows, append(row, "", plain(q.Name)))
		trends, err := trendsOf(ctx, st, f, i)
		if err != nil {
			return err
		}
		for j, d := range q.Datapoints {
			latest := unmeasured
			if x, found := trends[j].latest(); found {
				latest = grouped(x, 1) + " %"
			}
			rows = append(rows, []string{"  " + d.Code, "", "", strconv.Itoa(f.Asked(i, j).And(fielded).Len()),
				trends[j].String(), latest, plain(d.Name)})
		}
	}
	text := listed(rows, len(rows[0])) + fmt.Sprintf("\nWAVES: %c asked wherever the wave was, %c in some locations, %c "+
		"nowhere.\n", askedInWhole, askedInSome, notAsked)
	if datapoints {
		text += fmt.Sprintf("Of a datapoint, how many percent gave it in each wave, from %c, which is 0, to %c, which is "+
			"its highest; LATEST is the last wave in which it was asked.\n", levels[0], levels[len(levels)-1])
	}
	_, err := io.WriteString(out, text)
	return err
}

// askedByWave has a mark for each wave: where what was fielded then was asked.
func askedByWave(f *audience.Frame, asked, fielded audience.Cover) string {
	var b strings.Builder
	for w := range f.Waves {
		all, some := true, false
		for l := range f.Locations {
			if at := f.At(w, l); fielded.Has(at) {
				some = some || asked.Has(at)
				all = all && asked.Has(at)
			}
		}
		switch {
		case !some:
			b.WriteRune(notAsked)
		case all:
			b.WriteRune(askedInWhole)
		default:
			b.WriteRune(askedInSome)
		}
	}
	return b.String()
}

// trend is the share of people who gave an answer, wave by wave, in percent; NaN where it was not asked.
type trend []float64

// trendsOf are the trends of a question's datapoints, all that were asked of grids together.
func trendsOf(ctx context.Context, st audience.Store, f *audience.Frame, question int) ([]trend, error) {
	q := &f.Questions[question]
	trends := make([]trend, len(q.Datapoints))
	if len(trends) == 0 {
		return trends, nil
	}
	r := crosstab.Request{LastWaves: crosstab.AllWaves}
	for _, d := range q.Datapoints {
		r.Rows = append(r.Rows, audience.Audience{
			Expr: audience.Answers{Question: q.Key(), Datapoints: []string{d.Code}}})
	}
	for _, w := range f.Waves {
		r.Columns = append(r.Columns, audience.Audience{Expr: audience.Waves{Codes: []string{w.Code}}})
	}
	result, err := crosstab.Run(ctx, st, r)
	if err != nil {
		return nil, err
	}
	for c := range result.Cells() {
		share := math.NaN()
		if c.Base.Sample > 0 && c.Column.Sample > 0 {
			share = c.Row.IntersectPercentage
		}
		trends[c.RowIndex-1] = append(trends[c.RowIndex-1], share)
	}
	return trends, nil
}

// latest is the share of the last wave in which it was asked, if it was asked at all.
func (t trend) latest() (share float64, found bool) {
	for _, x := range t {
		if !math.IsNaN(x) {
			share, found = x, true
		}
	}
	return share, found
}

// String draws the trend, a character for each wave.
func (t trend) String() string {
	highest := 0.0
	for _, x := range t {
		if x > highest { // NaN is not
			highest = x
		}
	}
	var b strings.Builder
	for _, x := range t {
		switch {
		case math.IsNaN(x):
			b.WriteRune(notAsked)
		case x <= 0:
			b.WriteRune(levels[0])
		default:
			b.WriteRune(levels[max(1, int(math.Round(x/highest*float64(len(levels)-1))))])
		}
	}
	return b.String()
}
