package guess

import (
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Copies of items whose answers were turned round, in the same file as what was answered.

// turnedStem is the name of such a copy that has its R in front of the number of the item; turnedRound is one that has
// it behind.
var turnedStem = regexp.MustCompile(`^(.*\pL)[Rr]([_.]?\d+)$`)

// turnedCopies finds the columns that are copies of others in front of them with the answers turned round, as int3R is
// behind int3: by their names, and as each step of the one was taken as often as its opposite in the other. They stand
// alone, and divide no question in whose rows they stand, until turnedRows puts them together. Where one of a stem has
// such a name and is no copy, all may be what was made of the items in the end.
func (g *guesser) turnedCopies() {
	at := map[string]int{}
	for i, c := range g.columns {
		at[strings.ToLower(c.code)] = i
	}
	copies, others := map[int]int{}, map[string]bool{}
	for i, c := range g.columns {
		item := itemTurned(c.code)
		if item == "" {
			continue
		}
		if k, there := at[strings.ToLower(item)]; there && k < i && c.turns(g.columns[k]) {
			copies[i] = k
		} else {
			others[lettersOf(item)] = true
		}
	}
	for i, k := range copies {
		if c := g.columns[i]; !others[lettersOf(itemTurned(c.code))] {
			c.alone, c.copy = true, true
			c.code = g.columns[k].code + "R"
		}
	}
}

// itemTurned is the name of the item of which a column is a copy by its name; "" if it is called as none is.
func itemTurned(name string) string {
	if m := turnedRound.FindStringSubmatch(name); m != nil {
		return m[1]
	}
	if m := turnedStem.FindStringSubmatch(name); m != nil {
		return m[1] + m[2]
	}
	return ""
}

// turnedRows makes a grid of the copies of the items of one stem.
func (g *guesser) turnedRows() {
	const least = 2
	rows, stems := map[string][]member{}, []string{}
	for i, c := range g.columns {
		if !c.copy || c.taken {
			continue
		}
		stem := strings.TrimRight(strings.TrimRight(strings.TrimSuffix(c.code, "R"), digits), joints)
		if rows[stem] == nil {
			stems = append(stems, stem)
		}
		rows[stem] = append(rows[stem], member{at: i})
	}
	for _, stem := range stems {
		shape, fit := newShape(), len(rows[stem]) >= least
		for _, m := range rows[stem] {
			fit = fit && shape.fits(g.columns[m.at])
			shape.add(g.columns[m.at])
		}
		if fit {
			g.grid(stem+"_R", "", rows[stem], Reason{Kind: ReasonRows, Bond: ByName})
		}
	}
}

// turns tells whether each step of a scale was taken as often in a column as its opposite in another, and not as often
// as itself.
func (c *column) turns(item *column) bool {
	const least = 20 // respondents
	if c.filled < least || len(c.values) < 3 || len(c.values) > mostSteps || len(c.values) != len(item.values) {
		return false
	}
	one, there := c.timesTaken()
	other, also := item.timesTaken()
	if !there || !also {
		return false
	}
	ends, same := slices.Min(slices.Collect(maps.Keys(one)))+slices.Max(slices.Collect(maps.Keys(other))), true
	for step, n := range one {
		if other[ends-step] != n {
			return false
		}
		same = same && other[step] == n
	}
	return !same
}

// timesTaken are the whole numbers in a column, with how often each stands there, if nothing else does.
func (c *column) timesTaken() (times map[int]int64, ok bool) {
	times = map[int]int64{}
	for _, v := range c.values {
		step, err := strconv.Atoi(v.text)
		if err != nil {
			return nil, false
		}
		times[step] = v.n
	}
	return times, !c.many
}
