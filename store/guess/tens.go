package guess

import (
	"regexp"
	"strings"
)

// optionInTens is a name with a number whose last digit may be that of an option: B193 is the third of B19.
var optionInTens = regexp.MustCompile(`^(\pL[\pL_]*)(\d{1,2})([1-9])$`)

// tens puts a stroke before the last digit of names where it is that of an option, as in B191 to B195, B201 to B206 and
// B211 to B218: columns that follow one another, of questions that follow one another, each from 1 on, some of which
// end before 9, and no column is called as one of the questions. Of questions with numbers of one digit it takes more
// of them to tell.
func (g *guesser) tens() {
	named := map[string]bool{}
	for _, c := range g.columns {
		named[strings.ToLower(c.code)] = true
	}
	var runs []optionsInTens
	sure := map[string]bool{} // words before numbers
	for at := 0; at < len(g.columns); {
		r := g.inTens(at, named)
		at += max(1, r.columns)
		if r.columns > 0 {
			runs = append(runs, r)
			sure[r.word] = sure[r.word] || r.sure()
		}
	}
	for _, r := range runs {
		for i := r.at; sure[r.word] && r.several == r.questions && i < r.at+r.columns; i++ {
			m := optionInTens.FindStringSubmatch(g.columns[i].code)
			g.columns[i].code = m[1] + m[2] + "_" + m[3]
		}
	}
}

// optionsInTens is how many columns from a place on have a last digit that may be an option's, of how many questions,
// how many of these have several, and how many end before 9.
type optionsInTens struct {
	at, columns               int
	word                      string // what stands before the number, and a nought for each digit of a question's
	questions, several, short int
}

// sure tells whether the numbers can hardly be others. Of questions with numbers of one digit it takes more.
func (r *optionsInTens) sure() bool {
	const ofOneDigit = 3
	if strings.HasSuffix(r.word, "00") {
		return r.questions >= 2 && r.several >= 2 && r.short >= 2
	}
	return r.questions >= ofOneDigit && r.several == r.questions && r.short >= ofOneDigit
}

// inTens gives the columns from a place on whose last digits may be those of options.
func (g *guesser) inTens(at int, named map[string]bool) optionsInTens {
	r := optionsInTens{at: at}
	question, option := 0, 0
	ended := func() {
		r.several += btoi(option >= 2)
		r.short += btoi(option > 0 && option < 9)
	}
	for ; at+r.columns < len(g.columns); r.columns++ {
		m := optionInTens.FindStringSubmatch(g.columns[at+r.columns].code)
		if m == nil || named[strings.ToLower(m[1]+m[2])] {
			break
		}
		word, of, n := m[1]+strings.Repeat("0", len(m[2])), atoi(m[2]), atoi(m[3])
		switch {
		case r.columns > 0 && word != r.word:
			ended()
			return r
		case r.columns > 0 && of == question && n == option+1:
		case n == 1 && (r.columns == 0 || of == question+1):
			ended()
			r.questions++
		default:
			ended()
			return r
		}
		r.word, question, option = word, of, n
	}
	ended()
	return r
}
