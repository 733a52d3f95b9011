package guess

import (
	"regexp"
	"slices"
	"strings"
)

// thingInFront is a name of a thing with its number and what was asked of it, as Skill_2_Importance is, and thingBehind
// one of what was asked and the thing, as friendliness_ui2 is.
var (
	thingInFront = regexp.MustCompile(`^(\pL{4,})[-_.]?(\d{1,2})[-_.](\pL{3,}[-_.\pL]*)$`)
	thingBehind  = regexp.MustCompile(`^(\pL{4,}(?:[-_.]\pL+)*)[-_.](\pL{1,3}\d{1,2})$`)
)

// numberedTimes number when something was asked, and parts where it stands: what is behind them are the rows of a
// question.
var numberedTimes = set(`time wave week month year round session phase visit day trial block part section study page form
	scale group question item statement test pretest posttest baseline follow followup survey welle zeit jahr woche monat tag
	teil runde vague mois semaine jour partie onda semana mes dia parte fase sesion sessao tempo timepoint meting semester
	quarter occasion lesson vraag otazka domanda kysymys pytanie pergunta pregunta frage fråga spørgsmål matrix grid battery
	skala escala scala échelle assessment erhebung befragung messung messzeitpunkt measurement interview medicion medición
	term termin sitzung seance séance appointment meeting stage period shift weeks months days years times waves rounds
	sessions visits t w q v fu d m y`)

// namedThing divides a name: words for the things, the thing's own mark, and what was asked of it.
func namedThing(name string) (word, thing, asked string, ok bool) {
	if m := thingInFront.FindStringSubmatch(name); m != nil {
		return m[1], m[2], m[3], true
	}
	if m := thingBehind.FindStringSubmatch(name); m != nil {
		return "", m[2], m[1], true
	}
	return "", "", "", false
}

// askedOf is what was asked of one of several things, column by column. word is what things of a run have in common, if
// names tell any.
type askedOf struct {
	word, name string
	asked      []string
	at         []int
}

// things gives runs of things that follow one another, of each of which the same was asked in the same order. named
// divides the name of a column. A run is ragged if a thing goes on with it of which other was asked.
func (g *guesser) things(named func(c *column) (word, thing, asked string, ok bool)) (runs [][]askedOf, ragged []bool) {
	var run []askedOf
	var now askedOf
	flush := func(torn bool) {
		if len(run) > 0 {
			runs, ragged = append(runs, run), append(ragged, torn)
		}
		run = nil
	}
	end := func() { // of a thing
		if len(run) > 0 && len(now.at) > 0 && !slices.Equal(run[0].asked, now.asked) {
			flush(true)
		}
		if len(now.at) > 0 {
			run = append(run, now)
		}
		now = askedOf{}
	}
	last := -1
	for _, i := range g.open() {
		word, name, asked, ok := named(g.columns[i])
		follows := ok && i == last+1 && word == now.word
		if !follows || name != now.name {
			end()
		}
		if !follows {
			flush(false)
		}
		if last = i; ok {
			now.word, now.name = word, name
			now.asked, now.at = append(now.asked, asked), append(now.at, i)
		}
	}
	end()
	flush(false)
	return runs, ragged
}

// questionsOf are what was asked of each thing of a run, each a question of its own.
func questionsOf(run []askedOf) (families []*family) {
	for k, asked := range run[0].asked {
		f := &family{stem: asked, strong: true, bond: ByBranch}
		if run[0].word != "" {
			f.stem = run[0].word + "_" + asked
		}
		for _, t := range run {
			f.members = append(f.members, member{at: t.at[k], name: t.name})
		}
		families = append(families, f)
	}
	return families
}

// numberedThings makes grids of what was asked of each of three things or more, which have numbers: each question is
// one, if the same two questions or more were asked of all, of one after the other. Columns that go on with things of
// which not all was asked are left to other rules, as a whole.
func (g *guesser) numberedThings() {
	const leastThings, leastAsked, leastSteps = 3, 2, 3 // of yes and no each thing may be a question with its options
	runs, ragged := g.things(func(c *column) (word, mark, question string, ok bool) {
		word, mark, question, ok = namedThing(c.code)
		of := strings.ToLower(word)
		letters := strings.ToLower(strings.TrimRight(mark, digits))
		return word, mark, question, ok && !c.alone && c.scale() && len(c.values) >= leastSteps && !numberedTimes[of] &&
			!generic[of] && (of != "" || !numberedTimes[letters])
	})
	for k, run := range runs {
		if ragged[k] || len(run) < leastThings || len(run[0].asked) < leastAsked {
			continue
		}
		for _, f := range questionsOf(run) {
			if g.oneShape(f.members) {
				g.alike(f)
			}
		}
	}
}

// thingFirst is the name of a column that is a thing in letters and a word for what was asked of it.
var thingFirst = regexp.MustCompile(`^(\pL{3,}(?:_\pL+)*)_(\pL{2,})$`)

// namedThings makes a question of what was asked of each of many things, eight or more, whose names tell first the
// thing and then what was asked: fluoxetine_dose, fluoxetine_needed, sertraline_dose, sertraline_needed and so on.
// Other columns may stand between, and few may have answered of a thing, so that one answer stands there; but the same
// things were asked of in two questions or more, of which there are fewer than things, and each has answers on one
// scale, or 0 and 1.
func (g *guesser) namedThings() {
	const things, fewest, lacking = 8, 2, 4 // lacking: one thing in so many may lack a question
	asked := map[string][]member{}
	var order []string
	for _, i := range g.open() {
		m := thingFirst.FindStringSubmatch(g.columns[i].code)
		if m == nil || g.columns[i].alone || verbs[strings.ToLower(m[1])] || times[strings.ToLower(m[1])] {
			continue
		}
		if asked[m[2]] == nil {
			order = append(order, m[2])
		}
		asked[m[2]] = append(asked[m[2]], member{at: i, name: m[1]})
	}
	of := func(question string) map[string]bool {
		set := map[string]bool{}
		for _, m := range asked[question] {
			set[m.name] = true
		}
		return set
	}
	for _, question := range order {
		own := of(question)
		if len(own) < things {
			continue
		}
		questions := 0
		for _, other := range order {
			both := 0
			for thing := range of(other) {
				both += btoi(own[thing])
			}
			questions += btoi(lacking*both >= (lacking-1)*len(own))
		}
		more := slices.ContainsFunc(g.columns, func(c *column) bool { // of things that are called otherwise
			return strings.HasSuffix(c.code, "_"+question) && !thingFirst.MatchString(c.code)
		})
		if questions >= fewest && 2*questions <= len(own) && !more && g.oneScale(asked[question]) {
			g.alike(&family{stem: question, members: asked[question], strong: true, bond: ByBranch})
		}
	}
}

// thingAndTime is the name of a column that is a thing in a word or several, a word for what was asked of it and
// perhaps a number for when.
var thingAndTime = regexp.MustCompile(`^(\pL{3,}(?:[_-]\pL+)*)[_-](\pL+(?:_\d{1,2})?)$`)

// thingsInTurn makes questions of what was asked of each of five things or more, one after the other, whose names tell
// first the thing and then what was asked, as in CNN_use_1, CNN_trust_1, BBC_use_1 and BBC_trust_1: two things or more
// of each, and the same of all.
func (g *guesser) thingsInTurn() {
	const least, fewest = 5, 2
	runs, _ := g.things(func(c *column) (word, name, asked string, ok bool) {
		m := thingAndTime.FindStringSubmatch(c.code)
		if m == nil || c.alone || verbs[strings.ToLower(m[1])] || times[strings.ToLower(m[1])] {
			return "", "", "", false
		}
		return "", m[1], m[2], true
	})
	for _, run := range runs {
		if len(run) < least || len(run[0].asked) < fewest {
			continue
		}
		for _, f := range questionsOf(run) {
			g.alike(f)
		}
	}
}

// oneScale tells whether columns hold steps of one scale of numbers, or 0 and 1, most of them more than one step; where
// few answered, [guesser.oneShape] would ask too much of each.
func (g *guesser) oneScale(members []member) bool {
	const most = 11
	values, several := map[string]bool{}, 0
	for _, m := range members {
		c := g.columns[m.at]
		if c.filled == 0 {
			continue
		}
		if c.taken || c.many || !c.number || !c.integer || c.quantity || len(c.Labels) > 0 || c.least.Sign() < 0 {
			return false
		}
		several += btoi(len(c.values) > 1)
		for _, v := range c.values {
			values[v.text] = true
		}
	}
	for v := range values {
		if atoi(v) >= most {
			return false
		}
	}
	return 2*several > len(members) && len(values) > 1 && len(values) <= most
}
