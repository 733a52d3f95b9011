package guess

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// What stands between columns of one question, and columns that nothing but their place and their numbers holds
// together.

// attention are words of a question that only finds out whether respondents read what they answer.
var attention = regexp.MustCompile(`(?i)attention[ _]?check|attn[ _]?ch|\bquality[ _]check|paying attention|` +
	`instructed (?:item|response)|(?:pregunta|ítem) (?:de )?(?:control|atenci)|kontrollfrage|aufmerksamkeits|` +
	`^\W*(?:please |kindly |to show |in order to )?(?:select|choose|mark|tick|click|check|answer)\b.{3,40}` +
	`(?:\bhere\b|\b(?:for|in|on|to) this (?:row|line|item|statement|question)|` +
	`to (?:show|confirm|prove|indicate|verify))|` +
	`\bto (?:show|confirm|prove|verify) (?:that )?you (?:are|have|read)`)

// checks tells whether a column holds how respondents did as they were told, which is no row of the questions around
// it.
func (c *column) checks() bool {
	return len(c.Name)+len(c.Label) < 400 && (attention.MatchString(c.Name) || attention.MatchString(c.wording))
}

// behind is the place of the column that follows rows, but for those that check attention and copies of rows.
func (g *guesser) behind(rows []member) int {
	at := rows[len(rows)-1].at + 1
	for at < len(g.columns) && (g.columns[at].checks() || g.columns[at].copy) {
		at++
	}
	return at
}

// sequence makes a grid of columns that stand together, whose names are numbered from 1 on across several letters or
// words, as E1, A2, C3 and so on are in an inventory of several scales, or behind the numbers of questions that go up,
// too, as c82cop1, c83cop2 and so on are, and which have the same answers.
func (g *guesser) sequence(open []int) {
	const least = 5
	number := func(c *column) (string, int) {
		stem := strings.TrimRight(c.code, digits)
		if stem == c.code || len(c.code) > 40 || len(c.code)-len(stem) > 3 || strings.Trim(stem, digits+"_.-") == "" {
			return "", 0
		}
		return stem, atoi(c.code[len(stem):])
	}
	var rows []member
	known, shape := map[string]bool{}, newShape()
	for _, i := range open {
		c := g.columns[i]
		if len(rows) > 0 && c.checks() {
			continue
		}
		stem, n := number(c)
		if c.taken || c.alone || len(rows) > 0 && i != g.behind(rows) || n != len(rows)+1 || !c.scale() || !shape.fits(c) ||
			c.tick().chosen() {
			break
		}
		known[strings.ToLower(stem)] = true
		shape.add(c)
		rows = append(rows, member{at: i})
	}
	if len(rows) < least || len(known) < 2 || 2*len(known) > len(rows) && !g.countedTwice(rows) {
		return
	}
	stem := strings.TrimRight(g.common(rows), digits+"_.-")
	if name := twoNumbers.FindStringSubmatch(g.columns[open[0]].code); name != nil && 2*len(known) > len(rows) {
		if stem = strings.Trim(name[3], joints); g.named(stem) {
			stem = g.columns[open[0]].code
		}
	}
	if len(stem) < 2 {
		stem = g.columns[open[0]].code
	}
	g.alike(&family{stem: stem, members: rows, strong: true, bond: ByName})
}

// alphabet makes a grid of columns that stand together, are called A, B, C and so on and have the same answers, three
// or more.
func (g *guesser) alphabet(open []int) {
	const least, steps = 4, 3
	var rows []member
	shape := newShape()
	for _, i := range open {
		c, letter := g.columns[i], string(rune('a'+len(rows)))
		if !strings.EqualFold(c.code, letter) || c.taken || c.alone || len(rows) > 0 && i != g.behind(rows) ||
			!c.scale() || len(c.choices()) < steps || !shape.fits(c) {
			break
		}
		shape.add(c)
		rows = append(rows, member{at: i})
	}
	if len(rows) >= least && !g.ownQuestions(rows) {
		last := g.columns[rows[len(rows)-1].at].code
		g.alike(&family{stem: g.columns[rows[0].at].code + "_" + last, members: rows, strong: true, bond: ByName})
	}
}

// lettersAfter groups columns that stand together and are called by the same letters and A, B, C and so on behind them,
// as REASONA, REASONB and REASONC are, three or more with the same answers.
func (g *guesser) lettersAfter(open []int) {
	const least, letters, last = 3, 4, 26
	first := g.columns[open[0]]
	stem, found := strings.CutSuffix(first.code, "A")
	if !found || len(stem) < letters || strings.ContainsAny(stem, digits+" ") || stem[len(stem)-1] < 'A' ||
		stem[len(stem)-1] > 'Z' {
		return
	}
	var rows []member
	for _, i := range open[:min(len(open), last)] {
		c := g.columns[i]
		if c.code != stem+string(rune('A'+len(rows))) || c.taken || c.alone || !c.answersAs(first) {
			break
		}
		rows = append(rows, member{at: i})
	}
	if len(rows) >= least {
		g.alike(&family{stem: stem, members: rows, strong: true, bond: ByName})
	}
}

// twoNumbers is a name with the number of a question and that of an item, and letters in front of each.
var twoNumbers = regexp.MustCompile(`^(\pL{1,3}[_.]?)(\d{1,3})([_.]?\pL{2,}[_.]?)(\d{1,3})$`)

// countedTwice tells whether the names of columns are the same letters around two numbers, both of which go up by one
// from each to the next. Ages and what else respondents are may be those of several people.
func (g *guesser) countedTwice(rows []member) bool {
	first := twoNumbers.FindStringSubmatch(g.columns[rows[0].at].code)
	if first == nil {
		return false
	}
	if word := strings.ToLower(strings.Trim(first[3], joints)); numberWords[word] || whoTheyAre[word] {
		return false
	}
	for k, m := range rows {
		name := twoNumbers.FindStringSubmatch(g.columns[m.at].code)
		if name == nil || name[1] != first[1] || name[3] != first[3] || atoi(name[2]) != atoi(first[2])+k ||
			atoi(name[4]) != atoi(first[4])+k {
			return false
		}
	}
	return true
}

var itemLetter = regexp.MustCompile(`^\s*\(?([a-zA-Z])[.)]\s*\S`)

// lettersInFront groups columns that stand together, have the same answers, and whose words have the letters a, b, c in
// front: the question before them was left out.
func (g *guesser) lettersInFront(open []int) {
	const least = 3
	var rows []member
	shape := newShape()
	tick := g.columns[open[0]].tick()
	for _, i := range open {
		c := g.columns[i]
		m := itemLetter.FindStringSubmatch(c.wording)
		if c.taken || c.alone || len(rows) > 0 && i != g.behind(rows) || m == nil ||
			strings.ToLower(m[1])[0] != byte('a'+len(rows)) ||
			!(tick.chosen() && tick.kind == c.tick().kind || c.scale() && shape.fits(c)) {
			break
		}
		shape.add(c)
		rows = append(rows, member{at: i})
	}
	if len(rows) >= least {
		g.alike(&family{stem: g.columns[open[0]].code, members: rows, strong: true, bond: ByScale})
	}
}

// sameWords makes a grid of columns that stand together under the same words with the same labels: programs cut labels
// short, and the row with them.
func (g *guesser) sameWords(open []int) {
	const least, letters = 3, 15
	first := g.columns[open[0]]
	if first.alone || first.Label == "" || len(first.wording) < letters || len(first.Labels) < 3 || !first.scale() {
		return
	}
	rows, shape := []member{{at: open[0]}}, newShape()
	shape.add(first)
	for _, i := range open[1:] {
		c := g.columns[i]
		if c.taken || c.alone || i != g.behind(rows) || c.wording != first.wording || !c.scale() || !shape.fits(c) {
			break
		}
		shape.add(c)
		rows = append(rows, member{at: i})
	}
	if len(rows) >= least {
		stem := g.common(rows)
		if len(stem) < 2 {
			stem = first.code
		}
		g.alike(&family{stem: stem, label: first.wording, members: rows, strong: true, bond: ByWords})
	}
}

// endWords makes a grid of columns that stand together, have the same labels, and whose questions end with the same
// words, as in "Garden birds in your street" and "Night lights in your street".
func (g *guesser) endWords(open []int) {
	const least, many, fewest, enough = 3, 4, 3, 4 // rows, and words
	first := g.columns[open[0]]
	if first.alone || first.Label == "" || len(first.Labels) < 3 || !first.scale() || g.numberedQuestion(first) {
		return
	}
	rows, shape, suffix := []member{{at: open[0]}}, newShape(), strings.Fields(first.wording)
	shape.add(first)
	for _, i := range open[1:] {
		c := g.columns[i]
		list := strings.Fields(c.wording)
		n := lastCommonWords(suffix, list)
		if c.taken || c.alone || i != g.behind(rows) || !c.scale() || !shape.fits(c) || n < fewest ||
			!telling(strings.Join(suffix[len(suffix)-n:], " ")) || g.asked(rows, c) {
			break
		}
		suffix = slices.Clone(suffix[len(suffix)-n:])
		shape.add(c)
		rows = append(rows, member{at: i})
	}
	if len(rows) >= many || len(rows) >= least && len(suffix) >= enough {
		stem := g.common(rows)
		if len(stem) < 2 {
			stem = first.code
		}
		g.alike(&family{stem: stem, members: rows, strong: true, bond: ByWords})
	}
}

// crossed groups columns that stand together and whose names are two words, the first a thing and the second what was
// asked of it, as in tea_taste, tea_price, milk_taste, milk_price: the same of each of three things or more. Each
// question is a grid of the things.
func (g *guesser) crossed(open []int) {
	const leastThings, mostAsked = 3, 12
	var things []string
	var asked []string // of each thing, in order
	var run []int
	for _, i := range open {
		c := g.columns[i]
		thing, what := twoWords(c.code)
		if c.taken || c.alone || what == "" || len(run) > 0 && i != run[len(run)-1]+1 {
			break
		}
		switch {
		case len(things) == 0 || thing != things[0] && len(things) == 1 && len(run) == len(asked):
			things = append(things, thing)
		case thing != things[len(things)-1] && len(run)%len(asked) == 0:
			things = append(things, thing)
		}
		if thing != things[len(things)-1] {
			break
		}
		if len(things) == 1 {
			asked = append(asked, what)
		} else if len(run)-(len(things)-1)*len(asked) >= len(asked) || what != asked[len(run)-(len(things)-1)*len(asked)] {
			break
		}
		run = append(run, i)
	}
	whole := 0
	if len(asked) > 0 {
		whole = len(run) / len(asked)
	}
	if len(asked) < 2 || len(asked) > mostAsked || whole < leastThings {
		return
	}
	first := newShape()
	first.add(g.columns[run[0]])
	if !slices.ContainsFunc(run[1:len(asked)], func(i int) bool {
		c := g.columns[i]
		return !c.written() && (!c.scale() || !first.fits(c)) // what was written beside "other" is no row of either
	}) {
		return // one scale for all of them: what is asked of a thing are its rows
	}
	if slices.ContainsFunc(run, func(i int) bool { return g.columns[i].tick().chosen() }) {
		return // whether there is such a thing is a question of its own, and what follows it another
	}
	for k, what := range asked {
		var rows []member
		shape := newShape()
		for t := range whole {
			c := g.columns[run[t*len(asked)+k]]
			if !c.scale() || !shape.fits(c) {
				rows = nil
				break
			}
			shape.add(c)
			rows = append(rows, member{at: run[t*len(asked)+k], name: things[t]})
		}
		if len(rows) >= leastThings {
			g.alike(&family{stem: what, members: rows, strong: true, bond: ByName})
		}
	}
}

// twoWords divides a name of two words with . or _ between them, and without digits; "" if it is none.
func twoWords(name string) (first, second string) {
	at := strings.IndexAny(name, "._")
	if at < 2 || strings.ContainsAny(name, digits+" ") || strings.ContainsAny(name[at+1:], "._") || len(name)-at < 3 {
		return "", ""
	}
	return name[:at], name[at+1:]
}

// ranking tells whether columns hold the place that each of so many things was given: the numbers from 1 to as many as
// there are columns, and each of them as often as any other, as everyone gives each place once. Other numbers may stand
// beside them that have labels, as that of "don't know" has.
func (g *guesser) ranking(members []member) bool {
	const least, most = 3, 40
	k := len(members)
	if k < least || k > most {
		return false
	}
	given := make([]int64, k)
	for _, m := range members {
		c := g.columns[m.at]
		if c.many || !c.number || !c.integer || c.filled == 0 || len(c.values) < min(least, k) {
			return false
		}
		for _, v := range c.values {
			place, err := strconv.Atoi(v.text)
			within, labelled := err == nil && place >= 1 && place <= k, c.labels.names[v.text] != ""
			if within == labelled {
				return false
			}
			if within {
				given[place-1] += v.n
			}
		}
	}
	return slices.Min(given) >= 5 && 50*(slices.Max(given)-slices.Min(given)) <= slices.Max(given)
}

// rankingSome tells whether columns hold the places of a few of many things, as the first five of thirteen: numbers
// from 1 on without labels, each nearly as often as any other, however often a thing was given one, and respondents
// have as many answers as there are places. Few may have gone on, or left one out.
func (g *guesser) rankingSome(members []member) bool {
	const least, fewest, leastRows, most = 3, 6, 30, 40 // places, things, rows, and things at most
	k := g.sample
	if len(members) < fewest || len(members) > most || k == nil || k.width == 0 || k.rows() < leastRows {
		return false
	}
	given := make([]int64, len(members)+1) // by the place; the first for other numbers
	for _, m := range members {
		c := g.columns[m.at]
		if c.many || !c.number && c.filled > 0 || len(c.Labels) > 0 {
			return false
		}
		for _, v := range c.values {
			place, err := strconv.Atoi(v.text)
			if err != nil || place < 1 || place > len(members) {
				place = 0
			}
			given[place] += v.n
		}
	}
	places, all := 0, int64(0)
	for _, n := range given {
		all += n
	}
	for places+1 < len(given) && 4*given[places+1] >= 3*given[1] && 4*given[1] >= 3*given[places+1] {
		places++
	}
	within := int64(0)
	for _, n := range given[1 : places+1] {
		within += n
	}
	if places < least || 2*places > len(members) || 10*within < 9*all {
		return false
	}
	rows, exactly := 0, 0
	for row := range k.rows() {
		n := 0
		for _, m := range members {
			n += btoi(k.row(row)[m.at] != saysNothing)
		}
		rows += btoi(n > 0)
		exactly += btoi(n == places)
	}
	return rows >= leastRows && 3*exactly >= 2*rows
}

var construct = regexp.MustCompile(`^(\pL{2,})[_.]?(\d)$`)

// amongConstructs tells whether two columns, numbered 1 and 2, are the items of one of several constructs that stand
// together on one scale of four steps or more, as PU1, PU2, PEOU1, PEOU2 and so on do: three of them, each numbered
// from 1 on, and one of three items or more.
func (g *guesser) amongConstructs(run []member) bool {
	const least, most, steps = 3, 3, 4
	shape := newShape()
	item := func(i int) (stem string, n int) {
		if i < 0 || i >= len(g.columns) || g.columns[i].wording != "" {
			return "", 0
		}
		c, m := g.columns[i], construct.FindStringSubmatch(g.columns[i].code)
		switch {
		case m == nil, generic[strings.ToLower(m[1])]:
			return "", 0
		case c.taken && g.readings[i].As == "grid":
		case c.taken, c.alone, !c.number, len(c.Labels) > 0, !c.scale(), c.ordinary() < steps, !shape.fits(c):
			return "", 0
		default:
			shape.add(c)
		}
		return strings.ToLower(m[1]), atoi(m[2])
	}
	first := run[0].at
	for stem, _ := item(first - 1); stem != ""; stem, _ = item(first - 1) {
		first--
	}
	constructs, items, large, last := 0, 0, 0, ""
	for i := first; ; i++ {
		stem, n := item(i)
		if stem == last && n == items+1 && stem != "" {
			items++
			constructs, large = constructs+btoi(items == 2), large+btoi(items == most)
			continue
		}
		if stem == "" || n != 1 {
			break
		}
		last, items = stem, 1
	}
	return constructs >= least && large > 0
}
