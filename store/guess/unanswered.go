package guess

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/crosswave/crosswave/store/survey/decimal"
)

// Survey tools write small numbers below zero for questions that were left out, skipped by a filter, or came after
// the respondent had gone. In files that do so they are no answers, whether they have labels or not.

// leftOut are the words of labels for what was not answered. Who does not know, or refuses, has answered.
var leftOut = regexp.MustCompile(`(?i)^\W*(?:` +
	`(?:question )?not (?:answered|asked|applicable|shown|reached|administered)|` +
	`no (?:answer|response)|unanswered|item non-?response|skip(?:ped)?\b|filter(?:ed)?\b|inapplicable|missing|` +
	`dropped out|drop-?out|break-?off|(?:interview |survey )?interrupted|ni odgovoril|preskok|prekinjeno|` +
	`naknadno vprašanje|nicht (?:beantwortet|gefragt|zutreffend)|trifft nicht zu|keine angabe|abgebrochen|übersprungen|` +
	`non (?:posée|concerné|applicable)|sans réponse|non réponse|no (?:contesta|responde|aplica|corresponde)|` +
	`sin respuesta|não (?:respondeu|se aplica|perguntado)|non (?:risponde|pertinente))`)

// notAnswers are the codes below zero that tools write where there is no answer, and besideThem those that may stand
// beside them as answers.
var notAnswers, besideThem = set("-1 -2 -3 -4 -5"), set("-7 -8 -9 -97 -98 -99")

// farAway is a number of nines below zero that is no answer wherever it stands without a label, as Survey Solutions
// writes -999999999.
var farAway = regexp.MustCompile(`^-9{5,}$`)

// unanswered finds the codes below zero that are no answers, and takes them for missing as if the file declared them.
// Labels say it by their words; without labels, so many columns that have them beside answers from 1 on do.
func (g *guesser) unanswered() {
	const enough, many = 3, 5 // columns, with codes below -1 and without
	evidence, scales, below := 0, 0, false
	for _, i := range g.open() {
		switch c := g.columns[i]; {
		case !c.belowZero(), c.most.Float64() <= 1:
		case c.aroundZero():
			scales++
		case c.fromOne():
			evidence++
			below = below || c.least.Float64() < -1
		}
	}
	told := evidence > scales && (evidence >= many || evidence >= enough && below)
	var taken []string
	for _, i := range g.open() {
		c, codes := g.columns[i], []string(nil)
		for _, l := range c.Labels {
			if v := canonical(l.Value); notAnswers[v] && leftOut.MatchString(l.Text) ||
				l.Text != l.Value && farBelow.MatchString(strings.TrimSpace(l.Text)) {
				codes = append(codes, v)
			}
		}
		far := false
		for _, v := range c.values {
			nines := farAway.MatchString(v.text) || v.text == "-9999" && c.aloneBelow(v.text)
			if nines && c.number && !c.many && c.labels.names[v.text] == "" {
				codes, far = append(codes, v.text), true
			}
		}
		nobody := c.most.Sign() < 0 && c.least.Float64() < -1
		if told && c.belowZero() && (c.fromOne() || c.zeroOne() || nobody) {
			for _, v := range c.values {
				if notAnswers[v.text] {
					codes = append(codes, v.text)
				}
			}
		}
		if len(codes) > 0 && c.lose(codes) {
			taken = append(taken, c.origin.Name)
			const steps = 11 // of a scale
			c.quantity = c.quantity || far && len(c.values) > steps
		}
	}
	if g.efs() {
		for _, i := range g.open() {
			if c := g.columns[i]; !c.many && len(c.Labels) == 0 && c.lose(efsCodes[:]) {
				taken = append(taken, c.origin.Name)
			}
		}
	}
	if g.sosci() {
		for _, i := range g.open() {
			if c := g.columns[i]; !c.many && len(c.Labels) == 0 && c.number && c.lose([]string{"-9"}) {
				taken = append(taken, c.origin.Name)
			}
		}
	}
	taken = append(taken, g.codesOfFile()...)
	g.farNines()
	g.notShown()
	g.inAllOptions()
	g.codesAmongWords()
	g.passedOver()
	g.numbersAmongWords()
	g.beyondCounting()
	g.lettersWithoutLabel()
	g.keyedTwice()
	if len(taken) > 0 {
		g.note("%s: codes below zero read as no answer, because tools write them for questions that were left out, "+
			"skipped or not reached", listed(taken))
	}
}

// aloneBelow tells whether a number is the only one below zero in a column, where all others are whole and have fewer
// digits.
func (c *column) aloneBelow(number string) bool {
	return c.integer && c.most.Sign() > 0 && !slices.ContainsFunc(c.values, func(v value) bool {
		return v.text != number && (strings.HasPrefix(v.text, "-") || len(v.text) >= len(number)-1)
	})
}

// fileCode is a number below zero by which whole files tell that there is no answer, and why.
var fileCode = regexp.MustCompile(`^-(?:[6-9]|[6-9]{2,3}|9\d\d)$`)

// belowMiddle is a step of a scale around zero.
var belowMiddle = regexp.MustCompile(`^-[1-5]$`)

// codesOfFile takes numbers below zero for missing that stand in many columns of a file, which has no other numbers
// below zero but, beside codes of two digits, those of scales around zero; columns of words that have them lose them,
// too.
func (g *guesser) codesOfFile() (taken []string) {
	const many, among = 10, 10 // columns, and one of so many with whole numbers
	codes, having, numbers, around := map[string]bool{}, 0, 0, false
	for _, i := range g.open() {
		c := g.columns[i]
		if c.many || !c.number || !c.integer || len(c.Labels) > 0 || c.Kind == Date {
			continue
		}
		if numbers++; c.least.Sign() >= 0 || c.most.Sign() < 0 {
			continue
		}
		having++
		for _, v := range c.values {
			if !strings.HasPrefix(v.text, "-") {
				continue
			}
			switch {
			case fileCode.MatchString(v.text):
				codes[v.text] = true
			case belowMiddle.MatchString(v.text):
				around = true
			default:
				return nil
			}
		}
	}
	list := slices.Sorted(maps.Keys(codes))
	near := slices.ContainsFunc(list, func(code string) bool { return len(code) == len("-9") })
	if having < many || among*having < numbers || around && near {
		return nil
	}
	for _, i := range g.open() {
		c := g.columns[i]
		texts := !c.number && len(c.values) > 0
		if !c.many && len(c.Labels) == 0 && c.Kind != Date && (texts || c.number && c.integer) && c.lose(list) {
			taken = append(taken, c.origin.Name)
		}
	}
	return taken
}

// farNines takes 999 and the like for missing where they stand far from all other whole numbers of a column, in four
// columns or more, of which one holds an amount: nobody is that old. Beside 9999 may stand numbers just before it, such
// as 9996 for who was not asked, and as many eights, sevens or sixes: they stay what they are.
func (g *guesser) farNines() {
	const enough, far, before, steps = 4, 5, 4, 12
	for _, nines := range []int{999, 9999, 99999, 999999} {
		code := strconv.Itoa(nines)
		beside := func(n int) bool {
			return nines > 999 && (n > nines-before && n < nines || n == nines/9*6 || n == nines/9*7 || n == nines/9*8)
		}
		var list []int
		amounts := false
		for _, i := range g.open() {
			c := g.columns[i]
			if c.many || !c.number || !c.integer || len(c.Labels) > 0 || c.Kind == Date || c.unseen(code) ||
				slices.ContainsFunc(c.values, func(v value) bool {
					n := atoi(v.text)
					return n != nines && !beside(n) && n > nines/far
				}) {
				continue
			}
			list = append(list, i)
			amounts = amounts || len(c.values) > steps
		}
		var taken []string
		for _, i := range list {
			if len(list) >= enough && amounts && g.columns[i].lose([]string{code}) {
				c := g.columns[i]
				c.beside = nil
				for _, v := range c.values {
					if beside(atoi(v.text)) {
						c.beside = append(c.beside, v.text)
					}
				}
				c.quantity = c.quantity || c.countsBeyond()
				taken = append(taken, c.origin.Name)
			}
		}
		if len(taken) > 0 {
			g.note("%s: %s read as no answer, because it is far from all other numbers there", listed(taken), code)
		}
	}
}

// countsBeyond tells whether the numbers of a column, but for those that stand beside them, are no codes of a list, as
// they go further than there are of them.
func (c *column) countsBeyond() bool {
	n := len(c.values) - len(c.beside)
	return n > 1 && c.ordinary() >= float64(n+2)
}

// efsCodes are what EFS Survey writes where a question was not shown, where it was left out, and where no words are.
var efsCodes = [...]string{"-66", "-77", "-99"}

// efs tells whether EFS Survey wrote the file.
func (g *guesser) efs() bool {
	_, code := g.at["dispcode"]
	_, number := g.at["lfdn"]
	_, external := g.at["external_lfdn"]
	return code && (number || external)
}

// neverShown are the words that tools and people write in place of an answer where a question was not put, and codes
// of programs for one that was left out. "No answer" in words is one that published tables count.
var neverShown = regexp.MustCompile(`(?i)^(?:(?:question )?not[ _]?(?:shown|displayed|asked|answered|reached|administered)|` +
	`no_(?:answer|response)|did_not_(?:answer|respond))$`)

// notShown takes words for missing that say that a question was not put or left out, in three columns or more.
func (g *guesser) notShown() {
	const enough = 3
	said := map[int][]string{}
	for _, i := range g.open() {
		c := g.columns[i]
		if c.many || len(c.Labels) > 0 {
			continue
		}
		for _, v := range c.values {
			if neverShown.MatchString(v.text) {
				said[i] = append(said[i], v.text)
			}
		}
	}
	if len(said) < enough {
		return
	}
	var taken []string
	columns := slices.Sorted(maps.Keys(said))
	for _, i := range columns {
		if c := g.columns[i]; c.lose(said[i]) {
			taken = append(taken, c.origin.Name)
		}
	}
	g.note("%s: %q and the like are read as no answer, as they say", listed(taken), said[columns[0]][0])
}

// farBelow is a code for no answer as programs write it, in nines, eights and the like.
var farBelow = regexp.MustCompile(`^-(?:9{1,4}|8{2,3}|7{2,3}|6{2,3}|9[5-8]|99[5-8])$`)

// codesAmongWords takes codes such as -99 for missing that stand beside answers in words, in three columns or more,
// and where they stand beside numbers from 0 on in the same file.
func (g *guesser) codesAmongWords() {
	const enough, most = 3, 100
	among := map[string]int{}
	few := func(c *column) bool {
		return !c.many && len(c.Labels) == 0 && len(c.values) <= most && len(c.values) > 1
	}
	for _, i := range g.open() {
		if c := g.columns[i]; few(c) && !c.number {
			for _, v := range c.values {
				among[v.text] += btoi(farBelow.MatchString(v.text))
			}
		}
	}
	var codes, taken []string
	for _, code := range sortedKeys(among) {
		if among[code] >= enough {
			codes = append(codes, code)
		}
	}
	for _, i := range g.open() {
		c := g.columns[i]
		if len(codes) == 0 || !few(c) || c.number && slices.ContainsFunc(c.values, func(v value) bool {
			return strings.HasPrefix(v.text, "-") && !slices.Contains(codes, v.text)
		}) {
			continue
		}
		if c.lose(codes) {
			taken = append(taken, c.origin.Name)
		}
	}
	if len(taken) > 0 {
		g.note("%s: %s read as no answer, because it stands beside answers in words", listed(taken),
			strings.Join(codes, ", "))
	}
}

// passedBy is a short word in capitals, such as SL, which stands for the logic of skipping.
var passedBy = regexp.MustCompile(`^\p{Lu}{2,4}$`)

// passedOver takes a short word in capitals for missing that stands beside 0 and 1 and nothing else in ten columns or
// more, and alone in three: scripts write it where a question was passed over.
func (g *guesser) passedOver() {
	const manyBeside, manyAlone = 10, 3
	beside, alone := map[string]int{}, map[string]int{}
	for _, i := range g.open() {
		c := g.columns[i]
		if c.many || len(c.Labels) > 0 {
			continue
		}
		var word string
		ticks := 0
		for _, v := range c.values {
			switch {
			case v.text == "0" || v.text == "1":
				ticks++
			case passedBy.MatchString(v.text):
				word = v.text
			}
		}
		if word != "" && len(c.values) == ticks+1 {
			beside[word] += btoi(ticks > 0)
			alone[word] += btoi(ticks == 0)
		}
	}
	for _, word := range sortedKeys(beside) {
		if beside[word] < manyBeside || alone[word] < manyAlone {
			continue
		}
		var taken []string
		for _, i := range g.open() {
			c := g.columns[i]
			if c.many || len(c.Labels) > 0 || !c.lose([]string{word}) {
				continue
			}
			taken = append(taken, c.origin.Name)
			c.number, c.integer = c.allNumbers()
		}
		g.note("%s: %q read as no answer, because it stands beside nothing but 0 and 1 in many columns, and alone in "+
			"others", listed(taken), word)
	}
}

// allNumbers tells whether all values of a column are numbers, and whether these are whole.
func (c *column) allNumbers() (numbers, whole bool) {
	numbers, whole = len(c.values) > 0, len(c.values) > 0
	for _, v := range c.values {
		d, err := decimal.Parse(strings.TrimSpace(v.text), true)
		numbers = numbers && err == nil
		whole = whole && err == nil && d.Decimals() <= 0
	}
	return numbers, whole
}

// numbersPart is the number of a part of a question, as in 13A, or several numbers in a field.
var numbersPart = regexp.MustCompile(`^\d+[A-Z]$|^\d+(?:\s*[;|]\s*\d+)+$|^\d+(?:\s*[,+]\s*\d+){2,}$`)

// units are words for what amounts are counted in.
var units = set(`years months weeks days hours minutes jahre monate wochen tage stunden minuten años meses semanas días
	horas minutos cm kg km anos dias ans mois semaines jours heures anni mesi giorni ore euros dollars`)

// numbersAmongWords takes what a few wrote in words, or with a unit behind it, for missing in a column that nearly
// all others answered with numbers, of which there are more than a list has: of so many answers, so many numbers,
// which go beyond that, and one in so many in words.
func (g *guesser) numbersAmongWords() {
	var taken, lost []string
	for _, i := range g.open() {
		c := g.columns[i]
		many, fewest, among, nearly := int64(50), 12, 20.0, int64(12)
		counted := has(words(c.Name), units) || len(words(c.Label)) <= mostWords && has(words(c.Label), units)
		if counted {
			many, fewest, among, nearly = 30, 8, 7, 8 // it asks for so many of them
		}
		if c.number || c.many || c.date || len(c.Labels) > 0 || c.filled < many || c.Kind != Unknown {
			continue
		}
		words, written, numbers, parts := []string(nil), int64(0), 0, 0
		whole, highest := true, 0.0
		for _, v := range c.values {
			d, err := decimal.Parse(strings.TrimSpace(v.text), true)
			if err != nil {
				words, written = append(words, v.text), written+v.n
				parts += btoi(numbersPart.MatchString(v.text))
				continue
			}
			numbers++
			whole, highest = whole && d.Decimals() <= 0, max(highest, d.Float64())
		}
		if parts > 2 || numbers < fewest || highest <= among || nearly*written > c.filled || !c.lose(words) {
			continue
		}
		c.number, c.integer, c.quantity = true, whole, c.quantity || counted
		taken, lost = append(taken, c.origin.Name), append(lost, fmt.Sprintf("%q", short(words[0], 30)))
	}
	if len(taken) > 0 {
		g.note("%s: read as numbers; what a few wrote there in words or with a unit, such as %s, is no answer", listed(taken),
			strings.Join(lost[:min(len(lost), 3)], ", "))
	}
}

// belowZero tells whether a column of few whole numbers has codes for no answer, without a label, and no other
// numbers below zero.
func (c *column) belowZero() bool {
	if c.many || !c.number || !c.integer || len(c.values) > mostCoded || c.Kind == Date || c.least.Sign() >= 0 {
		return false
	}
	found := false
	for _, v := range c.values {
		if labelled := c.labels.names[v.text] != ""; strings.HasPrefix(v.text, "-") && !labelled {
			if !notAnswers[v.text] && !besideThem[v.text] {
				return false
			}
			found = found || notAnswers[v.text]
		}
	}
	return found
}

// aroundZero tells whether each number has its opposite, as those of a scale around zero have.
func (c *column) aroundZero() bool {
	return !slices.ContainsFunc(c.values, func(v value) bool {
		opposite, found := strings.CutPrefix(v.text, "-")
		if !found {
			opposite = "-" + v.text
		}
		return v.text != "0" && c.unseen(opposite)
	})
}

// fromOne tells whether the numbers that are not below zero are two or more from 1 on.
func (c *column) fromOne() bool {
	answers := 0
	for _, v := range c.values {
		answers += btoi(!strings.HasPrefix(v.text, "-"))
	}
	return answers >= 2 && c.unseen("0")
}

// zeroOne tells whether the numbers that are not below zero are 0, or 0 and 1.
func (c *column) zeroOne() bool { return !c.unseen("0") && c.most.Float64() <= 1 }

// lose takes values of a column for missing, and tells whether any of them was seen.
func (c *column) lose(codes []string) (seen bool) {
	before, own := c.Missing, *c.Column
	own.Missing = func(text string) bool {
		return slices.Contains(codes, canonical(text)) || before != nil && before(text)
	}
	c.Column, c.list = &own, nil
	c.values = slices.DeleteFunc(c.values, func(v value) bool {
		lost := slices.Contains(codes, v.text)
		if lost {
			seen = true
			c.declared = append(c.declared, v)
			c.filled, c.missing = c.filled-v.n, c.missing+v.n
			c.lost += v.n
		}
		return lost
	})
	if c.filled == 0 {
		c.number, c.integer, c.date = false, false, false
		return seen
	}
	c.bounded = false
	for _, v := range c.values {
		if d, err := decimal.Parse(strings.TrimSpace(v.text), true); err == nil && c.labels.names[v.text] == "" {
			c.bounds(d)
		}
	}
	return seen
}
