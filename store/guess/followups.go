package guess

import (
	"maps"
	"regexp"
	"strings"
)

// Items with questions that follow up on each, as E1, E1a, E1b, E2, E2a, E2b: the items are one grid, and so is what
// was asked of each of them.

// anItem is the name of an item in a section that has a letter, and followUp that of a question about it.
var (
	anItem   = regexp.MustCompile(`^(\pL{1,4})(\d{1,2})$`)
	followUp = regexp.MustCompile(`^(\pL{1,4}\d{1,2})([a-z])$`)
)

// followUps makes grids of items and of the questions that follow up on each, where the same two or more follow on
// three items or more, or on two where they do so on three elsewhere. Nothing but such names tells what was asked:
// words of the questions do better. What follows up is asked of others than the item, or has other answers; rows
// under a question are asked of the same and have the same.
func (g *guesser) followUps() {
	open, found := g.open(), 0
	for n := 0; n < len(open); n++ {
		lanes := g.followed(open[n:])
		if len(lanes) < 3 || len(lanes[0]) < 3 && len(lanes) != found || !g.followEachOther(lanes) {
			continue
		}
		found = len(lanes)
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

// followEachOther tells whether the questions behind an item are no rows of it: no two next to each other have the
// same answers from as many respondents. Their columns have no words, and their names do not number questions.
func (g *guesser) followEachOther(lanes [][]member) bool {
	const near = 20 // one respondent in so many
	for k, rows := range lanes {
		alike := 0
		for r, m := range rows {
			c := g.columns[m.at]
			if c.wording != "" || k == 0 && generic[strings.ToLower(strings.TrimRight(c.code, digits))] {
				return false
			}
			if k > 0 {
				before := g.columns[lanes[k-1][r].at]
				apart := before.filled - c.filled
				alike += btoi(near*max(apart, -apart) <= before.filled)
			}
		}
		if 2*alike > len(rows) && maps.Equal(g.answersOf(rows), g.answersOf(lanes[k-1])) {
			return false
		}
	}
	return true
}

// answersOf are the values of some columns, without those beside a scale.
func (g *guesser) answersOf(rows []member) map[string]bool {
	all := map[string]bool{}
	for _, m := range rows {
		for _, v := range g.columns[m.at].values {
			if !besideScale(v.text) {
				all[v.text] = true
			}
		}
	}
	return all
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
