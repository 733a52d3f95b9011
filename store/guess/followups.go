package guess

import "regexp"

// Items with questions that follow up on each, as E1, E1a, E1b, E2, E2a, E2b: the items are one grid, and so is what
// was asked of each of them.

// anItem is the name of an item in a section that has a letter, and followUp that of a question about it.
var (
	anItem   = regexp.MustCompile(`^(\pL{1,4})(\d{1,2})$`)
	followUp = regexp.MustCompile(`^(\pL{1,4}\d{1,2})([a-z])$`)
)

// followUps makes grids of items and of the questions that follow up on each, where the same ones follow on three or
// more, or three on two. Yes and no may be said to questions that have nothing in common.
func (g *guesser) followUps() {
	open := g.open()
	for n := 0; n < len(open); n++ {
		lanes := g.followed(open[n:])
		if len(lanes) < 2 || len(lanes[0]) < 2 || len(lanes[0]) == 2 && len(lanes) < 4 {
			continue
		}
		for k, rows := range lanes {
			shape := newShape()
			for _, m := range rows {
				c := g.columns[m.at]
				if !c.scale() || len(c.choices()) <= 2 || c.alone || shape.n > 0 && !shape.fits(c) {
					shape = nil
					break
				}
				shape.add(c)
			}
			if shape == nil {
				continue
			}
			code := anItem.FindStringSubmatch(g.columns[lanes[0][0].at].code)[1]
			if k > 0 {
				code += string(rune('a' + k - 1))
			}
			g.grid(code, "", rows, Reason{Kind: ReasonRows, Bond: ByName})
		}
		n += len(lanes)*len(lanes[0]) - 1
	}
}

// followed are the items from the first column on, and behind them the questions that follow up on each, by letter:
// of each item the same, from a on.
func (g *guesser) followed(open []int) (lanes [][]member) {
	stem := ""
	for n := 0; n < len(open); n += len(lanes) {
		item := anItem.FindStringSubmatch(g.columns[open[n]].code)
		if item == nil || stem != "" && item[1] != stem {
			break
		}
		stem = item[1]
		questions := 0
		for ; n+1+questions < len(open); questions++ {
			at := open[n+1+questions]
			m := followUp.FindStringSubmatch(g.columns[at].code)
			if at != open[n]+1+questions || m == nil || m[1] != item[0] || m[2] != string(rune('a'+questions)) {
				break
			}
		}
		switch {
		case questions == 0:
			return lanes
		case lanes == nil:
			lanes = make([][]member, 1+questions)
		case len(lanes) != 1+questions:
			return lanes
		}
		for k := range lanes {
			lanes[k] = append(lanes[k], member{at: open[n+k]})
		}
	}
	return lanes
}
