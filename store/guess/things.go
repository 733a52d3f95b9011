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

// numberedThings makes grids of what was asked of each of three things or more, which have numbers: each question is
// one, if the same two questions or more were asked of all, of one after the other. Columns that go on with things of
// which not all was asked are left to other rules, as a whole.
func (g *guesser) numberedThings() {
	const leastThings, leastAsked, leastSteps = 3, 2, 3 // of yes and no each thing may be a question with its options
	var asked []string                                  // of each of the things, one after the other
	questions := map[string]*family{}                   // of the run at hand, by what was asked
	word, thing, last, things := "", "", -1, 0
	var first, now []string // what was asked of the first thing, and of this one
	end := func() {
		whole := things
		if !slices.Equal(first, now) {
			whole = 0 // the run ends within a thing
		}
		for _, question := range asked {
			f := questions[question]
			if whole >= leastThings && len(first) >= leastAsked && g.oneShape(f.members) {
				g.alike(f)
			}
		}
		asked, questions, things, first, now = nil, map[string]*family{}, 0, nil, nil
	}
	for _, i := range g.open() {
		c := g.columns[i]
		of, mark, question, ok := namedThing(c.code)
		letters := strings.ToLower(strings.TrimRight(mark, digits))
		if !ok || c.alone || !c.scale() || len(c.values) < leastSteps || numberedTimes[strings.ToLower(of)] ||
			generic[strings.ToLower(of)] || numberedTimes[letters] && of == "" {
			continue
		}
		switch {
		case last >= 0 && i != last+1 || of != word && things > 0:
			end()
			word, thing = of, ""
		case mark != thing && things > 0 && !slices.Equal(first, now):
			end()
			thing = ""
		}
		if word = of; mark != thing {
			things, thing, now = things+1, mark, nil
		}
		if now = append(now, question); things == 1 {
			first = now
			asked = append(asked, question)
		}
		if questions[question] == nil {
			stem := question
			if of != "" {
				stem = of + "_" + question
			}
			questions[question] = &family{stem: stem, strong: true, bond: ByBranch}
		}
		questions[question].members = append(questions[question].members, member{at: i, name: mark})
		last = i
	}
	end()
}
