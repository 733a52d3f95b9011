package guess

import (
	"cmp"
	"slices"
	"strings"
)

// The order of what people have learnt, and of how far they got: such answers are worded in as many ways as there are
// questionnaires, so that no list of them has all.

// rungs are words and beginnings of sentences that say how far somebody got, the higher the later. Of several in a
// text the longest tells, and of those of one length the highest.
var rungs = rungsOf([]string{
	"no formal|no schooling|no education|never attended|none|illiterate|sin estudios|sin educación|" +
		"ninguno|sem escolaridad|analfabet|sans diplôme|aucun diplôme|kein abschluss|ohne abschluss|" +
		"nessun titolo|brak wykształcenia|tidak sekolah|未受教育|文盲",
	"primary|elementary|primaria|primario|primária|fundamental|primaire|grundschule|elementare|podstawow|" +
		"folkeskole|grundskola|grunnskole|základní|základné|általános iskola|basisschool|sd|小学|小學|国小|國小",
	"less than high school|some high school|lower secondary|middle school|junior high|junior high school|" +
		"secundaria incompleta|collège|hauptschul|mittelschule|realschul|mittlere reife|licenza media|" +
		"gimnazj|vmbo|smp|初中|国中|國中",
	"9th grade|10th grade|brevet|high school|secondary|secundaria|ensino médio|médio|secundário|lycée|" +
		"baccalauréat|abitur|matura|maturit|diploma di scuola superiore|średni|gymnasiel|gymnas|havo|vwo|sma|" +
		"smk|slta|高中|高职|高職|中专|中專",
	"higher secondary|upper secondary|senior secondary|preparatoria|bachillerato|a level|a-level|" +
		"cap, bep|bac pro",
	"some college|college|some university|vocational|trade|technical|apprentice|ausbildung|lehre|técnic|" +
		"tecnólog|formation professionnelle|bts|mbo|zawodow|erhvervs|kort videregående|专科|專科|大专|大專",
	"associate|diploma|certificate|2 year degree|d1|d2|d3|mellemlang videregående",
	"bachelor|degree|tertiary|university|universidad|université|università|universität|hochschul|" +
		"undergraduate|college degree|university degree|college graduate|4 year degree|licenciatura|" +
		"licencjat|licence|universitari|pregrado|graduação|ensino superior|superior|laurea triennale|hbo|" +
		"bakalář|bakalár|s1|lang videregående|本科|大学|大學|学士|學士|大卒",
	"master|postgraduate|graduate degree|graduate|posgrado|postgrado|maestría|mestrado|pós-graduação|" +
		"especialización|laurea magistrale|magister|magistrale|s2|硕士|碩士|修士|研究生",
	"professional degree",
	"doctor|phd|ph.d|doctoral|doctorado|doutorado|doctorat|promotion|dottorato|doktor|s3|博士",
	"post-doc|postdoc|post doc",
})

// rung is a word of the list, and its place.
type rung struct {
	word  string
	place int
}

// rungsOf lists words with the places of the lists they stand in, the longest first.
func rungsOf(lists []string) []rung {
	var out []rung
	for place, list := range lists {
		for word := range strings.SplitSeq(list, "|") {
			out = append(out, rung{word, place})
		}
	}
	slices.SortStableFunc(out, func(a, b rung) int { return cmp.Or(len(b.word)-len(a.word), b.place-a.place) })
	return out
}

// rungOf is how far a text says that somebody got; false if it does not say.
func rungOf(low string) (place int, ok bool) {
	for _, r := range rungs {
		for at := 0; at < len(low); {
			found := strings.Index(low[at:], r.word)
			if found < 0 {
				break
			}
			begin := at + found
			end := begin + len(r.word)
			// Short ones are words of their own, the others begin one.
			if !insideWord(low, begin) && (len(r.word) > 3 || !insideWord(low, end)) || r.word[0] >= 0x80 {
				return r.place, true
			}
			at = end
		}
	}
	return 0, false
}

// insideWord tells whether a letter or a digit stands on both sides of a place in a text.
func insideWord(text string, at int) bool {
	letter := func(b byte) bool { return b >= 0x80 || b >= 'a' && b <= 'z' || b >= '0' && b <= '9' }
	return at > 0 && at < len(text) && letter(text[at-1]) && letter(text[at])
}

// begun are words that say of a rung that somebody did not get to its end; incomplete begins others.
var (
	begun      = set("unfinished some less below under no without sin sem sans ohne abgebrochen")
	incomplete = "incomplet"
)

// onLadder sorts texts that say how far somebody got in learning, on several rungs; what is asked beside them comes
// behind.
func onLadder(texts []string) bool {
	const least, most, between = 3, 20, 2 // rungs, texts, and places from one rung to the next
	if len(texts) > most {
		return false
	}
	places, reached := map[string]int{}, map[int]bool{}
	for _, text := range texts {
		low := lower(text)
		place, ok := rungOf(low)
		switch {
		case ok:
			reached[place] = true
			place = between*place - btoi(has(words(low), begun) || strings.Contains(low, incomplete))
		case aside(text) > 0, strings.HasPrefix(low, "other"), strings.HasPrefix(low, "otr"):
			place = 100 + aside(text)
		default:
			return false
		}
		places[text] = place
	}
	if len(reached) < least {
		return false
	}
	slices.SortStableFunc(texts, func(a, b string) int { return places[a] - places[b] })
	return true
}
