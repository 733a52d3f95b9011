package guess

import (
	"regexp"
	"slices"
	"strings"

	"github.com/crosswave/crosswave/store/survey"
)

// How many answers a question asks for, by its words and by what was answered.

// severalAsked are words by which questions tell that more than one answer may be chosen, as people put them.
var severalAsked = regexp.MustCompile(`(?i)all (?:that|which|of the|those)\b.{0,30}\bappl|` +
	`(?:select|check|choose|mark|tick|pick|list) (?:any|all|multiple|several|as many|more than one)\b|` +
	`(?:more than one|multiple|several) (?:answer|` +
	`option|choice|response|selection|item)s?\b|(?:may|can|could) (?:select|choose|check|pick|mark|tick) ` +
	`(?:more than|multiple|several|many|up to)|` +
	`(?:select|choose|pick|check|tick) (?:(?:up to|your|the|top) )*(?:[2-9]|two|three|four|five)\b|` +
	`(?:respond|answer|choose|select) (?:more than once|several times)|` +
	`(?:varias|múltiples|multiples) (?:respuesta|opci)|m[aá]s de una? (?:respuesta|opci|alternativa|op[cç])|` +
	`todas? (?:las|as|los|os) (?:que|opciones|opções|respuestas|alternativas)|mais de um|várias (?:respostas|opções)|` +
	`plusieurs (?:réponses|choix|options|possibilités)|toutes les réponses|tout ce qui|mehrfach|mehrere (?:antwort|` +
	`nennung|option)|alle zutreffend|più (?:risposte|di una|opzioni)|tutte le (?:risposte|opzioni)|` +
	`meerdere (?:antwoord|opties)|alle (?:antwoorden|der passer|som passer|relevante|som gjelder|som gäller)|` +
	`flera (?:svar|alternativ)|` +
	`flere (?:svar|alternativ)|kaikki (?:sopivat|jotka)|useita|wszystkie (?:pasuj|odpowied)|kilka odpowiedzi|` +
	`v[sš]echn[yo] (?:možnosti|odpověd|vyhovuj)|viac odpoved|více odpověd|birden fazla|несколько (?:вариант|ответ)|` +
	`вс[её] (?:подходящ|что|вариант|ответ|применим)|多选|多選|可多|複数|복수|중복|모두 (?:선택|고르|체크)`)

// oneAsked are words by which questions tell that one answer is to be chosen, whichOne those by which they ask for one,
// and oneOrMore what takes them back.
var (
	whichOne = regexp.MustCompile(`(?i)\bwhich one (?:is|would|do|does|of)\b`)
	oneAsked = regexp.MustCompile(`(?i)\b(?:select|choose|check|pick|mark|tick) ` +
		`(?:only |just )?(?:one|1)\b|\b(?:one|single) (?:answer|option|choice) only\b|` +
		`\bonly one (?:answer|option|choice)\b|\bdrop-?down (?:list|menu)\b|` +
		`una (?:sola|única) (?:respuesta|opci)|s[oó]lo una (?:respuesta|opci)|apenas uma |` +
		`somente uma |une seule (?:réponse|option)|nur eine (?:antwort|nennung|option)|una sola (?:risposta|opzione)|` +
		`один (?:вариант|ответ)|выпадающий список|单选|單選|單一選擇`)
	oneOrMore = regexp.MustCompile(`(?i)\b(?:one|1) (?:or|and/or) (?:more|several|both)|\bat least (?:one|1)\b`)
)

// A choosing is how many answers the words of a question ask for.
type choosing uint8

const (
	notLookedAt choosing = iota
	chooseAny            // they do not say
	chooseSeveral
	chooseOne
	chooseWhich // one, if what was answered does not tell otherwise
)

// choosing looks at the words once, as rules ask again and again.
func (c *column) choosing() choosing {
	if c.toChoose != notLookedAt {
		return c.toChoose
	}
	c.toChoose = chooseAny
	switch name := c.Name + " " + c.Label; {
	case severalAsked.MatchString(name), oneOrMore.MatchString(name):
		c.toChoose = chooseSeveral
	case oneAsked.MatchString(name):
		c.toChoose = chooseOne
	case whichOne.MatchString(name):
		c.toChoose = chooseWhich
	}
	return c.toChoose
}

// oneGiven tells whether a column holds one answer a field, whatever stands between its words: the question asks for
// one, commas stand between answers of hardly anyone among many, or what divides answers stands behind each of them and
// never between two.
func (c *column) oneGiven() bool {
	const many, rare = 100, 20 // respondents, and of so many at most one who gave two
	switch c.choosing() {
	case chooseSeveral:
		return false
	case chooseOne:
		return true
	case chooseWhich:
		if !c.ended() {
			return true
		}
	}
	if c.sequences() {
		return true
	}
	if c.many || c.filled < many {
		return false
	}
	several, found := int64(0), false
	for k, separator := range separators {
		p := c.pieces.by(k)
		if separator == " " || seldom[separator] || p == nil || p.off || p.divided == 0 {
			continue
		}
		if p.at == 1 && separator == survey.ListSeparator {
			return false
		}
		if p.at == 1 { // behind each, as in "tea;"
			return true
		}
		if separator != "," { // the others stand in few answers
			return false
		}
		found = true
		if p.apart(c.values, separator) {
			return false
		}
		for _, v := range c.values {
			pieces := 0
			for piece := range divided(v.text, separator) {
				pieces += btoi(canonical(piece) != "")
			}
			if pieces > 1 {
				several += v.n
			}
		}
	}
	return found && rare*several <= c.filled
}

// ended tells whether a semicolon stands behind each answer, and some fields hold several, as Microsoft's forms write
// what several boxes were ticked of: then more than one could be chosen, though the question asks which one.
func (c *column) ended() bool {
	const least = 3 // fields of several answers
	several := int64(0)
	for _, v := range c.values {
		if !strings.HasSuffix(v.text, ";") {
			return false
		}
		several += v.n * int64(btoi(strings.Count(v.text, ";") > 1))
	}
	return !c.many && several >= least
}

// sequences tells whether most fields that could be several answers hold one of them twice, where there are few: they
// are what came one after the other, as tosses of a coin are, and nobody chooses an answer twice.
func (c *column) sequences() bool {
	const least, outcomes = 5, 4 // such fields, and pieces at the most
	for k, separator := range separators {
		p := c.pieces.by(k)
		if c.many || separator == " " || seldom[separator] || p == nil || p.off || p.divided == 0 ||
			len(p.list) > outcomes {
			continue
		}
		several, again := int64(0), int64(0)
		for _, v := range c.values {
			var list []string
			for piece := range divided(v.text, separator) {
				if piece = canonical(piece); piece != "" {
					list = append(list, piece)
				}
			}
			slices.Sort(list)
			several += v.n * int64(btoi(len(list) > 1))
			again += v.n * int64(btoi(len(slices.Compact(list)) < len(list)))
		}
		return several >= least && 2*again > several
	}
	return false
}
