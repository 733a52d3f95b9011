package guess

import (
	"slices"
	"strings"
)

// What numbers in names are of: questions, items of a bank, or rows and options.

// continues tells whether the number at the end of a stem is that of a question among others: p14 and p16 are there,
// or parts of them, as p1401 is, where others have none.
func (g *guesser) continues(s stem) bool {
	return once(g.continuing, s.text, func() bool {
		list := parts(s.text)
		before, number := joined(list[:len(list)-1]), atoi(list[len(list)-1].text)
		near := func(text string) bool { return atoi(text) >= number-2 && atoi(text) <= number+2 }
		whole, divided := false, false
		for _, c := range g.columns {
			rest, found := strings.CutPrefix(c.code, before)
			end := strings.TrimLeft(rest, digits)
			if rest = rest[:len(rest)-len(end)]; !found || rest == "" {
				continue
			}
			question, first := strings.CutSuffix(rest, "01")
			switch {
			case len(rest) <= 2 && near(rest):
				return true
			case len(rest) <= 2:
				whole = true
			case first && end == "" && len(question) <= 2 && near(question) && atoi(question) != number:
				divided = true
			}
		}
		return whole && divided
	})
}

// once is what find finds for a key, kept: all columns are looked at for it, and each of them may ask.
func once(known map[string]bool, key string, find func() bool) bool {
	is, found := known[key]
	if !found {
		is = find()
		known[key] = is
	}
	return is
}

// picked tells whether the numbers behind a stem, written in three digits, go back from one column to the next: then
// columns were picked from a longer questionnaire and its numbers are those of questions.
func (g *guesser) picked(s stem) bool {
	last, back := "", false
	for _, c := range g.columns {
		rest, found := strings.CutPrefix(c.code, s.text)
		if !found || len(rest) != 3 || strings.Trim(rest, digits) != "" {
			continue
		}
		back = back || rest < last
		last = rest
	}
	return back
}

// bank tells whether the numbers behind a stem are those of items of a bank, as q_253, q_952 and q_1904 are: many
// columns that stand together and have the same answers, and numbers that go up and down.
func (g *guesser) bank(s stem) bool {
	const least, steps = 20, 4
	var rows []member
	shape, last, down := newShape(), 0, 0
	for i, c := range g.columns {
		rest, found := strings.CutPrefix(c.code, s.text)
		if !found || rest == "" || strings.Trim(rest, digits) != "" {
			continue
		}
		if len(rows) > 0 && i != g.behind(rows) || !c.scale() || len(c.values) < steps || !shape.fits(c) {
			return false
		}
		shape.add(c)
		rows = append(rows, member{at: i})
		down += btoi(atoi(rest) < last)
		last = atoi(rest)
	}
	return len(rows) >= least && 4*down >= len(rows) && !g.ownQuestions(rows)
}

// numbering tells whether the numbers behind a stem are those of questions and not of rows: several other kinds of
// questions are numbered so, too, or these have parts.
func (g *guesser) numbering(s stem) bool {
	return once(g.numberings, s.text+string(s.behind), func() bool { return g.numbersQuestions(s) })
}

// numbersQuestions is numbering, found out by all columns.
func (g *guesser) numbersQuestions(s stem) bool {
	anything := generic[strings.ToLower(strings.Trim(s.text, joints))] || groupCode.MatchString(s.text)
	if anything && g.bank(s) {
		return false
	}
	if anything && g.picked(s) {
		return true
	}
	if anything && g.statements(s) {
		return false
	}
	again := !anything && g.twice(s.text)
	all, ones, own, amounts := 0, 0, false, false
	stretches, last := 0, -2 // of columns that stand together
	var kinds []*shape
	texts := map[string]bool{} // of columns that hold one each
	for i, c := range g.columns {
		if len(c.code) <= len(s.text) || !strings.HasPrefix(c.code, s.text) || c.Virtual {
			continue
		}
		rest := parts(c.code[len(s.text):])
		if rest[0].kind != '0' {
			continue
		}
		stretches += btoi(i > last+1 && c.wording != "")
		last = i
		if len(rest) > 1 && again {
			continue // what was asked a second time
		}
		if len(rest) > 1 && rest[1].kind == '_' && rest[len(rest)-1].index() {
			return true
		}
		if all++; c.filled == 0 {
			continue
		}
		t := c.tick()
		if len(c.Labels) > 0 && t.chosen() || len(c.Labels) == 0 && (t.kind == oneZero || t.kind == onlyNo ||
			t.kind == ownWords) || c.ownOrNo() != "" {
			own = true
			continue // an option or not, whatever its words
		}
		if len(c.Labels) == 0 && t.kind == one && (isYes(t.yes) || !texts[t.yes]) {
			texts[t.yes] = true
			ones++
			continue // an option, or nothing
		}
		if c.oneLabelled() && (isYes(c.Labels[0].Text) || !texts[c.Labels[0].Text]) {
			texts[c.Labels[0].Text] = true
			ones++
			continue // likewise
		}
		if s.behind == 'r' && c.number && len(c.Labels) == 0 && !c.scale() {
			amounts = true
			continue
		}
		if c.taken && len(rest) > 1 {
			continue // the turned copy of a row, which is in another grid
		}
		at := slices.IndexFunc(kinds, func(k *shape) bool {
			return c.scale() && (k.fits(c) || k.ends(c)) || k.n > 1 && c.mistyped()
		})
		if at < 0 {
			kinds = append(kinds, newShape())
			at = len(kinds) - 1
		}
		kinds[at].add(c)
	}
	n := len(kinds) + btoi(own) + btoi(amounts)
	if n == 0 && ones >= 3 {
		return anything && stretches > 1 // nothing but options, of several questions where others stand between
	}
	if n += ones; anything {
		return n > 1 || all < 5 || stretches > 1 && own
	}
	return n > max(2, all/4)
}
