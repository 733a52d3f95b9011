package guess

import (
	"regexp"
	"slices"
	"strings"
)

// optionInTens is a name with a number whose last digit may be that of an option: B193 is the third of B19.
var optionInTens = regexp.MustCompile(`^(\pL[\pL_]*)(\d{1,2})([1-9])$`)

// inTens is columns that may be the options of one question, from 1 on.
type inTens struct {
	at, options int
	word        string // what stands before the number
	digits      int    // of the number
	number      int
}

// optionsInTens puts a stroke before the last digit of names where it is that of an option, as in B191 to B195, B201 to
// B206 and B211 to B218: columns that follow one another, of questions that follow one another, each from 1 on, some of
// which end before 9. All of a question have the same answers, or numbers, and no column is called as one of the
// questions. Of questions with numbers of one digit it takes three, and the same answers, as sections of a
// questionnaire may be numbered so. The next few questions behind are as those before them.
func (g *guesser) optionsInTens() {
	const near = 5 // numbers of questions
	named := map[string]bool{}
	for _, c := range g.columns {
		named[strings.ToLower(c.code)] = true
	}
	list := g.questionsInTens(named)
	var last *inTens // the last of those that are sure
	for from := 0; from < len(list); {
		to := from + 1
		for ; to < len(list) && list[to].follows(&list[to-1]); to++ {
		}
		run := list[from:to]
		first := &run[0]
		if sureInTens(run) || last != nil && last.word == first.word && last.digits == first.digits &&
			first.number > last.number && first.number <= last.number+near {
			for _, q := range run {
				g.divideTens(q)
			}
			last = &run[len(run)-1]
		}
		from = to
	}
}

// follows tells whether a question is the next behind another.
func (q *inTens) follows(before *inTens) bool {
	return q.at == before.at+before.options && q.word == before.word && q.digits == before.digits &&
		q.number == before.number+1
}

// sureInTens tells whether the last digits of questions that follow one another can hardly be other than options.
func sureInTens(run []inTens) bool {
	const least, leastOfOneDigit, most = 2, 3, 9 // questions, and the last option that there is a digit for
	short := 0
	for _, q := range run {
		short += btoi(q.options < most)
	}
	if run[0].digits == 1 {
		return short >= leastOfOneDigit
	}
	return short >= least
}

// questionsInTens lists the questions of two options or more whose columns have the same answers.
func (g *guesser) questionsInTens(named map[string]bool) (list []inTens) {
	for at := 0; at < len(g.columns); {
		q := inTens{at: at}
		var members []member
		for at+q.options < len(g.columns) {
			m := optionInTens.FindStringSubmatch(g.columns[at+q.options].code)
			if m == nil || atoi(m[3]) != q.options+1 || q.options > 0 && (m[1] != q.word || atoi(m[2]) != q.number) ||
				named[strings.ToLower(m[1]+m[2])] || named[strings.ToLower(m[1]+m[2]+"_"+m[3])] {
				break
			}
			q.word, q.digits, q.number = m[1], len(m[2]), atoi(m[2])
			members = append(members, member{at: at + q.options})
			q.options++
		}
		if q.options >= 2 && q.number > 0 && (g.oneShape(members) || q.digits == 2 && g.bareNumbers(members)) {
			list = append(list, q)
		}
		at += max(1, q.options)
	}
	return list
}

// bareNumbers tells whether columns hold numbers without labels, as amounts of several things.
func (g *guesser) bareNumbers(members []member) bool {
	return !slices.ContainsFunc(members, func(m member) bool {
		c := g.columns[m.at]
		return !c.number || len(c.Labels) > 0
	})
}

// divideTens puts the stroke into the names of a question's columns.
func (g *guesser) divideTens(q inTens) {
	for i := q.at; i < q.at+q.options; i++ {
		m := optionInTens.FindStringSubmatch(g.columns[i].code)
		g.columns[i].code = m[1] + m[2] + "_" + m[3]
	}
}

// rowInTwoDigits is a name with a letter or two and the number of a question, of which the last two digits may be that
// of a row: F31605 is the fifth of F316.
var rowInTwoDigits = regexp.MustCompile(`^(\pL{1,2}\d{3,4})(\d\d)$`)

// rowsInTwoDigits puts a stroke before the last two digits of names where they are those of rows, as in Q60601 to
// Q60610: nearly all names with a number are so long and are counted from 01 on, and three columns or more that follow
// one another have numbers that go up.
func (g *guesser) rowsInTwoDigits() {
	const questions, fewest = 10, 3 // at least, and rows of one
	known, first, numbered := map[string]bool{}, 0, 0
	for _, c := range g.columns {
		if m := rowInTwoDigits.FindStringSubmatch(c.code); m != nil {
			known[m[1]] = true
			first += btoi(m[2] == "01")
		} else if numberedShort.MatchString(c.code) {
			numbered++
		}
	}
	if first < questions || 10*first < 9*len(known) || 5*numbered > len(known) {
		return
	}
	for from := 0; from < len(g.columns); {
		stem, last, to := "", 0, from
		for ; to < len(g.columns); to++ {
			m := rowInTwoDigits.FindStringSubmatch(g.columns[to].code)
			if m == nil || to > from && m[1] != stem || atoi(m[2]) <= last {
				break
			}
			stem, last = m[1], atoi(m[2])
		}
		if to-from >= fewest {
			for _, c := range g.columns[from:to] {
				c.code = stem + "_" + c.code[len(stem):]
			}
		}
		from = max(to, from+1)
	}
}

// numberedShort is a name of letters and a number of fewer digits.
var numberedShort = regexp.MustCompile(`^\pL{1,2}\d{1,4}\pL?$`)
