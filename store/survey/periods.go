package survey

import (
	"context"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/store/survey/period"
)

// mostPeriods is how many waves may be made of the dates of a table.
const mostPeriods = 1000

// openWaves tells whether the waves are periods of dates that the codebook does not list: those of the data are.
func (c *Codebook) openWaves() bool {
	return c.Wave.By != "" && len(c.Wave.Values) == 0 && len(c.Survey.Waves) == 0
}

// withPeriods is the codebook with waves that are these periods, in their order.
func (c *Codebook) withPeriods(list []period.Period) *Codebook {
	out, s := *c, *c.Survey
	out.Survey, s.Waves, out.Wave.Values = &s, nil, nil
	for _, p := range list {
		s.Waves = append(s.Waves, audience.Wave{Code: p.Code, Name: p.Name, Start: p.Start, End: p.End,
			Kind: string(c.Wave.By)})
		out.Wave.Values = append(out.Wave.Values, p.Code)
	}
	return &out
}

// periodsIn reads the column of dates once and lists the periods that they are of, the earliest first. What is no date
// is left to be told where the row is read.
func periodsIn(ctx context.Context, t Table, column int, c *Codebook) ([]period.Period, error) {
	found := map[string]period.Period{}
	seen := map[period.Date]bool{} // of the latest dates: most rows have one that was there before
	for block, err := range t.Blocks(ctx, []int{column}) {
		if err != nil {
			return nil, err
		}
		if err := periodsOf(block, column, c.Wave, seen, found); err != nil {
			block.Release()
			return nil, err
		}
		block.Release()
	}
	if len(found) == 0 {
		return nil, &CodebookError{"wave.by", fmt.Sprintf("there is no date in column %q; one is written 2024-12-31, "+
			"31.12.2024 or 12/31/2024", c.Wave.Column)}
	}
	return slices.SortedFunc(maps.Values(found), func(a, b period.Period) int {
		return strings.Compare(a.Start, b.Start)
	}), ctx.Err()
}

// periodsOf adds the periods of a block.
func periodsOf(block Block, column int, w FieldworkColumn, seen map[period.Date]bool,
	found map[string]period.Period) error {
	const mostSeen = 1 << 12
	var row Row
	for {
		err := block.Next(&row)
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		date, ok := period.Read(Plain(string(row.Field(column))))
		if !ok || seen[date] {
			continue
		}
		if len(seen) == mostSeen {
			clear(seen)
		}
		seen[date] = true
		day, ok := date.Day(w.Dates)
		if !ok {
			continue
		}
		p, ok := period.Of(day, w.By)
		if !ok {
			continue
		}
		if found[p.Code] = p; len(found) > mostPeriods {
			return &CodebookError{"wave.by", fmt.Sprintf("the dates in column %q are of more than %d periods (%s); longer "+
				"ones are meant, or others are to be listed as values", w.Column, mostPeriods, w.By)}
		}
	}
}

// settle finds out the waves of a codebook that does not list them.
func (s *tableSource) settle(ctx context.Context) error {
	s.settling.Lock()
	defer s.settling.Unlock()
	if !s.codebook.openWaves() {
		return nil
	}
	list, err := periodsIn(ctx, s.table, s.plan.wave.column, s.codebook)
	if err != nil {
		return err
	}
	c := s.codebook.withPeriods(list)
	if err := c.Check(); err != nil {
		return err
	}
	p, err := newPlan(c, s.header)
	if err == nil {
		s.codebook, s.plan = c, p
	}
	return err
}
