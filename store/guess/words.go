package guess

import (
	"cmp"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// words divides a name or a label into words in small letters: at what is neither letter nor digit, where small letters
// turn to capitals, and between letters and digits.
func words(text string) []string {
	var list []string
	var word []rune
	flush := func() {
		if len(word) > 0 {
			list = append(list, strings.ToLower(string(word)))
			word = word[:0]
		}
	}
	for _, r := range text {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			flush()
			continue
		case len(word) > 0:
			last := word[len(word)-1]
			if unicode.IsDigit(last) != unicode.IsDigit(r) || unicode.IsLower(last) && unicode.IsUpper(r) {
				flush()
			}
		}
		word = append(word, r)
	}
	flush()
	return list
}

// has tells whether any of the words is in the set.
func has(list []string, set map[string]bool) bool {
	return slices.ContainsFunc(list, func(w string) bool { return set[w] })
}

func set(text string) map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq(text) {
		m[w] = true
	}
	return m
}

// slug is a text as a code: small letters and digits, with _ for what is between them, at most 40 characters.
func slug(text string) string {
	var b strings.Builder
	n, gap := 0, false
	for _, r := range strings.ToLower(text) {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			gap = n > 0
			continue
		}
		if gap {
			b.WriteByte('_')
			gap = false
			n++
		}
		if n++; n > 40 {
			break
		}
		b.WriteRune(r)
	}
	return b.String()
}

// names sees to it that codes differ.
type names map[string]bool

// take gives a code that was not given before: the wish, or the wish with a number.
func (n names) take(wish, otherwise string) string {
	wish = cmp.Or(wish, otherwise)
	code := wish
	for i := 2; n[code]; i++ {
		code = wish + "_" + strconv.Itoa(i)
	}
	n[code] = true
	return code
}

// What people and programs write for yes and no, in small letters.
var (
	yesWords = set("1 yes y true t x ja oui si sí sim tak da checked selected mentioned ticked quoted chosen picked " +
		"marked 是 はい 예 네 да نعم כן ναι evet igen kyllä ano áno jah jā taip ya có ใช่ हाँ হ্যাঁ")
	noWords = set("0 no n false f nein non não nao nie nee unchecked unselected 否 いいえ 아니오 아니요 нет لا לא όχι " +
		"hayır nem ei nei nej ne nē nu tidak không ไม่ใช่ नहीं না")
)

// isYes and isNo tell what a value or its label means.
func isYes(text string) bool { return yesWords[strings.ToLower(text)] }

func isNo(text string) bool {
	text = strings.ToLower(text)
	if noWords[text] {
		return true
	}
	return unchosen(text)
}

// unchosen tells whether a text says that something was not chosen, in so many words.
func unchosen(text string) bool {
	first, rest, _ := strings.Cut(strings.ToLower(strings.TrimSpace(text)), " ")
	if first == "unchecked" || first == "unselected" || first == "unticked" {
		return rest == ""
	}
	switch first {
	case "not", "no", "nicht", "non", "não", "nao", "niet", "ikke", "inte", "nie":
	default:
		return false
	}
	return rest == "" && first == "not" || yesWords[rest] || slices.ContainsFunc(chosenStems, func(s string) bool {
		return strings.HasPrefix(rest, s) && !strings.Contains(rest, " ")
	})
}

// chosenStems begin words for what was chosen or mentioned.
var chosenStems = []string{"select", "mention", "menci", "genannt", "erwähnt", "gewählt", "ausgewählt",
	"angekreuzt", "cit",
	"chos", "pick", "quot", "tick", "check", "mark", "marc", "elegi", "selec", "coch", "choisi", "genoemd", "gekozen",
	"escolh", "nevnt", "valgt", "vald"}

// defaultYes are the values that a codebook takes for a yes where it names none.
var defaultYes = set("1 yes true y t")

// scales are answers in their order, each with the words that say it.
var scales = [][]string{
	{"strongly disagree|disagree strongly|completely disagree|totally disagree", "disagree",
		"tend to disagree|disagree somewhat|somewhat disagree", "slightly disagree|disagree slightly",
		"neither agree nor disagree|neither agree or disagree|neither|neutral|undecided",
		"slightly agree|agree slightly", "tend to agree|agree somewhat|somewhat agree", "agree",
		"strongly agree|agree strongly|completely agree|totally agree"},
	{"extremely dissatisfied|completely dissatisfied", "very dissatisfied", "dissatisfied",
		"somewhat dissatisfied|slightly dissatisfied|fairly dissatisfied",
		"neither satisfied nor dissatisfied|neither|neutral", "somewhat satisfied|slightly satisfied|fairly satisfied",
		"satisfied", "very satisfied", "extremely satisfied|completely satisfied"},
	{"extremely unlikely", "very unlikely", "unlikely", "somewhat unlikely|fairly unlikely|slightly unlikely",
		"neither likely nor unlikely|neither|neutral",
		"somewhat likely|fairly likely|slightly likely", "likely", "very likely", "extremely likely"},
	{"never", "almost never|hardly ever", "rarely|seldom", "occasionally", "sometimes", "often|frequently", "usually",
		"very often", "almost always", "always"},
	{"not at all|not at all important|not important", "not very|not very important|unimportant",
		"slightly|slightly important|a little|a little important",
		"somewhat|somewhat important|moderately|moderately important|neutral",
		"fairly|fairly important|quite|important", "very|very important", "extremely|extremely important"},
	{"terrible|very poor|very bad", "poor|bad", "fair|average|ok|neutral", "good", "very good", "excellent"},
	{"very low", "low", "medium|moderate|average", "high", "very high"},
	{"yes", "maybe", "no"},
	{"none of the time", "a little of the time|rarely", "some of the time", "about half the time|half of the time",
		"a good bit of the time", "much of the time", "most of the time", "all of the time"},
	{"not at all", "several days", "more than half the days", "nearly every day"},
	{"not at all true|not true at all|never true", "a little true|slightly true", "somewhat true", "moderately true",
		"mostly true", "very true", "completely true|extremely true|always true"},
	{"much less than", "less than", "the same|about the same", "more than", "much more than"},
	{"much worse", "worse", "somewhat worse|a little worse", "the same|about the same|no change",
		"somewhat better|a little better", "better", "much better"},
	{"never", "less than once a year", "once a year|yearly|annually", "less than once a month|less often",
		"once a quarter|quarterly", "once a month|monthly", "once a fortnight", "once a week|weekly",
		"several times a week", "once a day|daily|every day", "several times a day|more than once a day"},
}

// asides are answers that stand beside a scale, in small letters.
var asides = []string{"other", "none", "none of these", "none of the above", "not applicable", "n/a", "don't know",
	"dont know", "do not know", "not sure", "unsure", "can't say",
	"refused", "prefer not to say", "prefer not to answer", "no answer", "not stated", "i don't know", "i do not know",
	"dk", "dk/na", "na", "dk/ref", "dk/refused", "don't know/refused", "don't know/no answer", "refusal", "no opinion",
	"no response", "not answered", "inapplicable", "does not apply", "doesn't apply", "not asked", "skipped", "missing",
	"otro", "otra", "otros", "ninguno", "ninguna", "no sabe", "no contesta", "no responde", "ns/nc", "ns/nr", "ns-nc",
	"no sabe/no contesta", "no sabe/no responde", "no sabe / no responde", "no sabe / no contesta", "no aplica", "ns", "nc",
	"nr", "no procede", "no precisa", "no sé", "prefiero no responder", "prefiero no decirlo", "outro", "outra", "nenhum",
	"nenhuma", "não sabe", "não respondeu", "não sabe/não respondeu", "nr/ns", "não se aplica", "não sei", "autre", "aucun",
	"aucune", "ne sait pas", "nsp", "refus", "sans réponse", "sans objet", "non concerné", "je ne sais pas",
	"ne se prononce pas", "andere", "sonstige", "sonstiges", "weiß nicht", "weiss nicht", "keine angabe", "keine antwort",
	"k.a.", "trifft nicht zu", "verweigert", "altro", "nessuno", "non so", "non risponde", "weet niet", "geen antwoord",
	"geen mening", "n.v.t.", "vet ikke", "vet ej", "vet inte", "ved ikke", "ikke relevant", "en osaa sanoa", "nie wiem",
	"trudno powiedzieć", "nie dotyczy", "nevím", "neviem", "bilmiyorum", "не знаю", "затрудняюсь ответить", "другое",
	"нет ответа", "отказ", "不知道", "不清楚", "わからない", "無回答", "모름", "모르겠다", "무응답"}

// scaleOf gives the place of each text on a scale that holds them all, nil if none does.
func scaleOf(texts []string) map[string]int {
	if len(texts) < 2 {
		return nil
	}
	for _, scale := range scales {
		places, on := map[string]int{}, 0
		for _, text := range texts {
			low := lower(text)
			if i := stepOf(scale, low); i >= 0 {
				places[text] = i
				on++
			} else if i := slices.Index(asides, low); i >= 0 {
				places[text] = 100 + i
			} else {
				break
			}
		}
		if len(places) == len(texts) && on >= 2 {
			return places
		}
	}
	return numberedSteps(texts)
}

// numberedStep is an answer with its place on a scale in front of it, as in "4 = I agree" or "4 - often".
var numberedStep = regexp.MustCompile(`^(\d{1,2})\s*[=.:)(–—-]\s*\p{L}`)

// numberedSteps gives the place of each text where all begin with a number of their own, nil else.
func numberedSteps(texts []string) map[string]int {
	const most = 10
	places, taken := map[string]int{}, map[int]bool{}
	for _, text := range texts {
		m := numberedStep.FindStringSubmatch(text)
		if m == nil || atoi(m[1]) > most || taken[atoi(m[1])] {
			return nil
		}
		places[text], taken[atoi(m[1])] = atoi(m[1]), true
	}
	return places
}

// stepOf is the place of a text on a scale, -1 if it is not on it.
func stepOf(scale []string, text string) int {
	return slices.IndexFunc(scale, func(step string) bool { return slices.Contains(strings.Split(step, "|"), text) })
}

// lower is a text as scales and asides are written.
func lower(text string) string { return strings.ReplaceAll(strings.ToLower(text), "’", "'") }

// inOrder sorts texts as people would: on their scale, else numbers by what they are, and runs of digits in words
// likewise, with what stands beside every scale behind them.
func inOrder(texts []string) {
	if places := scaleOf(texts); places != nil {
		slices.SortStableFunc(texts, func(a, b string) int { return places[a] - places[b] })
		return
	}
	inNaturalOrder(texts)
	if slices.ContainsFunc(texts, func(text string) bool { return aside(text) > 0 }) {
		slices.SortStableFunc(texts, func(a, b string) int { return aside(a) - aside(b) })
	}
}

// aside is 0 for what stands in its place among the answers, else its place behind them.
func aside(text string) int { return 1 + slices.Index(asides, lower(text)) }

// inNaturalOrder sorts texts in which numbers count as numbers.
func inNaturalOrder(texts []string) {
	if len(texts) < 2 {
		return
	}
	keys := make([]naturalKey, len(texts))
	for i, text := range texts {
		keys[i] = newNaturalKey(text)
	}
	slices.SortStableFunc(keys, naturalKey.compare)
	for i := range keys {
		texts[i] = keys[i].text
	}
}

// naturalKey is a text with what it is compared by.
type naturalKey struct {
	text     string
	number   float64
	isNumber bool
	words    []string
}

func newNaturalKey(text string) naturalKey {
	k := naturalKey{text: text, words: words(text)}
	var err error
	k.number, err = strconv.ParseFloat(text, 64)
	k.isNumber = err == nil
	return k
}

func (k naturalKey) compare(o naturalKey) int {
	if k.isNumber && o.isNumber {
		return cmp.Compare(k.number, o.number)
	}
	for i := range min(len(k.words), len(o.words)) {
		x, errX := strconv.Atoi(k.words[i])
		y, errY := strconv.Atoi(o.words[i])
		if errX == nil && errY == nil && x != y {
			return x - y
		}
		if c := strings.Compare(k.words[i], o.words[i]); c != 0 && (errX != nil || errY != nil) {
			return c
		}
	}
	return cmp.Or(len(k.words)-len(o.words), strings.Compare(k.text, o.text))
}

// sortedKeys are the keys of a map in their order.
func sortedKeys(m map[string]int) []string { return slices.Sorted(maps.Keys(m)) }
