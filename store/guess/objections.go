package guess

import (
	"regexp"
	"slices"
	"strings"
)

// What speaks against columns being one question although a stem or a word holds them together.

// objected tells whether the columns of a family are no one question.
func (g *guesser) objected(f *family) bool {
	return len(f.members) < 2 || g.lettersAlone(f) || g.aboutPeople(f) || g.measuredTwice(f) ||
		g.sameLetter(f) || g.fewQuestions(f) || g.aboutThemselves(f)
}

// sameLetter tells whether columns that differ in a part of their names hold one letter, which all their names end
// with, as EC5AX, EC5BX and EC5CX do: each is that option of a question of its own.
func (g *guesser) sameLetter(f *family) bool {
	letter := g.columns[f.members[0].at].ownLetter()
	return f.bond == ByBranch && letter != "" && !slices.ContainsFunc(f.members, func(m member) bool {
		return g.columns[m.at].ownLetter() != letter
	})
}

// fewQuestions tells whether two or three columns whose words begin alike are whole questions of yes and no, as "Has
// your dog ever run away?" is: so few are questions of their own.
func (g *guesser) fewQuestions(f *family) bool {
	const most = 3
	if f.bond != ByWords || f.asked || len(f.members) > most {
		return false
	}
	return !slices.ContainsFunc(f.members, func(m member) bool {
		c := g.columns[m.at]
		return !c.questions() || c.tick().kind != yesNo
	})
}

// times are words for when something was measured.
var times = set(`baseline endline midline pre post before after pretest posttest followup entry exit begin end start`)

// measuredTwice tells whether the names of two columns are the same but for a word for when they were measured, as
// toilet_baseline and toilet_endline are: each is a question of its own.
func (g *guesser) measuredTwice(f *family) bool {
	const most = 2
	if len(f.members) == most && g.asksAgain() {
		first, second := g.columns[f.members[0].at], g.columns[f.members[1].at]
		if twoTimes(first.code, second.code) && (first.tick().kind != oneZero || len(first.Labels) > 0) {
			return true
		}
	}
	if f.bond != ByName || f.asked || len(f.members) > most {
		return false
	}
	return !slices.ContainsFunc(f.members, func(m member) bool {
		rest, found := strings.CutPrefix(g.columns[m.at].code, f.stem)
		return !found || !times[strings.ToLower(strings.Trim(rest, joints))]
	})
}

// secondTime is a name of the second of two times, without the number of a question in it.
var secondTime = regexp.MustCompile(`^[\pL_.]*\pL[_.]?(?:T|t)?2$`)

// twoTimes tells whether two names are the same but for 1 and 2 at their ends.
func twoTimes(first, second string) bool {
	name, found := strings.CutSuffix(first, "1")
	return found && secondTime.MatchString(second) && second == name+"2"
}

// asksAgain tells whether the file asks the same questions twice: many names end with 1 and 2 and with no other number,
// and a few kinds of answers are among them; none goes on to 3.
func (g *guesser) asksAgain() bool {
	if g.askedPairs == nil {
		again := g.manyPairs()
		g.askedPairs = &again
	}
	return *g.askedPairs
}

// manyPairs looks for what asksAgain tells.
func (g *guesser) manyPairs() bool {
	const least, kinds = 8, 4
	named := map[string]bool{}
	for _, c := range g.columns {
		named[c.code] = true
	}
	pairs, longer := 0, 0
	var shapes []*shape
	for _, c := range g.columns {
		if !secondTime.MatchString(c.code) {
			continue
		}
		switch name := c.code[:len(c.code)-1]; {
		case !named[name+"1"]:
		case named[name+"3"]:
			longer++
		default:
			pairs++
			if len(shapes) < kinds && c.scale() && !slices.ContainsFunc(shapes, func(s *shape) bool { return s.fits(c) }) {
				s := newShape()
				s.add(c)
				shapes = append(shapes, s)
			}
		}
	}
	return pairs >= least && longer == 0 && len(shapes) >= kinds
}

// asksOthers tells whether whole questions ask for different things: they begin with different words, and their answers
// are numbers of which nothing says what they stand for and that go to different lengths.
func (g *guesser) asksOthers(members []member) bool {
	openings, tops := map[string]bool{}, map[float64]bool{}
	for _, m := range members {
		c := g.columns[m.at]
		if !c.number || len(c.Labels) > 0 {
			return false
		}
		if list := words(c.wording); len(list) > 0 {
			openings[list[0]] = true
		}
		tops[c.ordinary()] = true
	}
	return 4*len(openings) >= 3*len(members) && 2*len(tops) > len(members)
}

// whoTheyAre are words for what questionnaires ask people about themselves.
var whoTheyAre = set(`gender sex age race ethnicity education marital religion nationality género genero sexo edad raza
	educación educacion geschlecht alter sexe âge genre idade gênero sesso età płeć wiek cinsiyet yaş пол возраст`)

// aboutPeople tells whether a word alone holds columns together of which one asks who respondents are, and whose
// numbers go to different lengths: the word is that of a section.
func (g *guesser) aboutPeople(f *family) bool {
	if f.strong || f.bond != ByName {
		return false
	}
	about, numbers, tops := false, 0, map[float64]bool{}
	for _, m := range f.members {
		c := g.columns[m.at]
		list := words(c.code)
		about = about || len(list) == 2 && whoTheyAre[list[1]]
		if c.number && len(c.Labels) == 0 && c.scale() {
			numbers++
			tops[c.ordinary()] = true
		}
	}
	return about && 2*len(tops) > numbers
}

// aboutThemselves tells whether nothing but a number, which may be that of a section, holds columns together of which
// two or more say who respondents are in a few words, such as "1.2 Age" and "1.4 Monthly income".
func (g *guesser) aboutThemselves(f *family) bool {
	const least, most = 2, 4 // columns, and words of each
	if f.bond != ByName || f.label != "" || strings.Trim(f.stem, digits+joints) != "" {
		return false
	}
	n := 0
	for _, m := range f.members {
		asked := words(g.columns[m.at].wording)
		n += btoi(len(asked) <= most && (has(asked, whoTheyAre) || has(asked, ofGroups)))
	}
	return n >= least
}

// lettersAlone tells whether columns that no question's number holds together hold no more than letters from A on:
// those of answers that each question has its own of, in tests for example.
func (g *guesser) lettersAlone(f *family) bool {
	const last = 'F'
	numbered := f.bond == ByName && (f.asked || f.label != "" || strings.ContainsAny(f.stem, digits))
	if numbered || f.bond != ByName && f.bond != ByScale && f.bond != Judged {
		return false
	}
	return !slices.ContainsFunc(f.members, func(m member) bool {
		c := g.columns[m.at]
		return len(c.Labels) > 0 || len(c.values) < 2 || slices.ContainsFunc(c.values, func(v value) bool {
			return v.text != "0" && (len(v.text) != 1 || v.text[0] < 'A' || v.text[0] > last)
		})
	})
}
