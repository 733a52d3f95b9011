package guess

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
)

// The order of answers in words that are on no scale that is known word by word: degrees of one word and of its
// opposite, and Chinese steps, which are made of a degree, a "not" and one word.

// chineseDegrees are what steps begin with, the longer first, with their places around the middle.
var chineseDegrees = []struct {
	begins string
	place  int
}{
	{"非常不", -3}, {"完全不", -3}, {"十分不", -3}, {"强烈不", -3}, {"极其不", -3}, {"極不", -3}, {"极不", -3}, {"很不", -3},
	{"比较不", -1}, {"比較不", -1}, {"有点不", -1}, {"不太", -1}, {"不大", -1}, {"不", -2},
	{"比较", 1}, {"比較", 1}, {"有点", 1}, {"基本", 1}, {"较", 1},
	{"非常", 3}, {"完全", 3}, {"十分", 3}, {"强烈", 3}, {"极其", 3}, {"極", 3}, {"极", 3}, {"很", 3},
	{"", 2},
}

// chineseMiddle are words for the middle of such a scale.
var chineseMiddle = set("一般 中立 普通 无所谓 不确定 不好说 没感觉")

// chineseSteps gives the places of answers that are degrees of one word, as 非常重要, 重要, 不重要 are; nil if these are
// something else.
func chineseSteps(texts []string) map[string]int {
	const least, beside = 3, 100
	places, word, steps, sides := map[string]int{}, "", 0, [2]bool{}
	for _, text := range texts {
		if chineseMiddle[text] {
			places[text] = 0
			continue
		}
		if at := aside(text); at > 0 {
			places[text] = beside + at
			continue
		}
		for _, d := range chineseDegrees {
			rest, found := strings.CutPrefix(text, d.begins)
			if !found || rest == "" {
				continue
			}
			if !unicode.Is(unicode.Han, []rune(rest)[0]) || word != "" && rest != word {
				return nil
			}
			word, places[text], sides[btoi(d.place > 0)] = rest, d.place, true
			steps++
			break
		}
	}
	if steps < least || !sides[0] || !sides[1] {
		return nil
	}
	return places
}

// degreeWords are what stands in front of the word of a scale, by how much of it they mean: -2 is none of it, and the
// word alone is 2.
var degreeWords = map[string]float64{
	"not at all": -2, "not": -1, "not very": -1, "not so": -1, "somewhat": 1, "slightly": .5, "a little": .5,
	"fairly": 1.2, "moderately": 1.5, "very": 4, "highly": 4, "extremely": 5, "completely": 5, "nada": -2,
	"nada de": -2, "no": -1, "poco": 0, "poca": 0, "algo": 1, "bastante": 3, "muy": 4, "mucho": 4, "totalmente": 5,
	"completamente": 5, "pouco": 0, "pouca": 0, "um pouco": 0, "muito": 4, "muita": 4, "pas du tout": -2,
	"pas": -1, "peu": 0, "un peu": 0, "plutôt": 1, "assez": 1, "très": 4, "moyennement": 1, "tout à fait": 5,
	"gar nicht": -2, "überhaupt nicht": -2, "nicht": -1, "wenig": 0, "weniger": 0, "etwas": 1, "eher": 1,
	"ziemlich": 1, "sehr": 4, "per niente": -2, "per nulla": -2, "non": -1, "abbastanza": 1,
	"molto": 4, "helemaal niet": -2, "niet": -1,
	"enigszins": 1, "redelijk": 1, "zeer": 4, "heel": 4, "erg": 4, "ikke": -1, "inte": -1, "litt": 1, "lite": 1,
	"meget": 4, "veldig": 4, "svært": 4, "mycket": 4, "deloc": -2, "puțin": 0, "foarte": 4, "sangat": 4,
	"tidak": -1, "rất": 4, "không": -1, "hơi": 1, "çok": 4, "hiç": -2, "bardzo": 4, "velmi": 4, "nagyon": 4, "очень": 4,
	"не": -1, "совсем не": -2,
}

// negations begin a word that means the opposite of the rest.
var negations = []string{"dis", "un", "in", "im", "ir", "il", "des", "mé", "ne", "nie", "u", "o", "on", "niet "}

// middles are words for what is between two opposites.
var middles = set("neutral normal neither regular neutro neutre neutrale neutraal indiferente indifferent nøytral " +
	"average medium moderate undecided netral biasa")

// opposites gives the places of answers that are degrees of one word and of its opposite, as "very satisfied",
// "satisfied", "neutral" and "dissatisfied" are, or of one word alone that stands there by itself, too; nil if they
// are something else.
func opposites(texts, low []string) map[string]int {
	const least = 3
	word := ""
	for _, text := range low { // the shortest: no degree is in front of it
		if !strings.Contains(text, " ") && !middles[text] && aside(text) == 0 && (word == "" || len(text) < len(word)) {
			word = text
		}
	}
	return degreesOf(texts, low, word, least)
}

// degreesByEnd gives the places of answers that are degrees of what all of them end with, or of one of them that
// others have a degree in front of; nil if they are something else.
func degreesByEnd(texts, low []string) map[string]int {
	const least = 2
	if len(texts) > mostDegrees {
		return nil
	}
	low = slices.Clone(low)
	for i, text := range low { // "not useful at all" is "not at all useful"
		if rest, found := strings.CutSuffix(text, " at all"); found {
			if word, found := strings.CutPrefix(rest, "not "); found {
				low[i] = "not at all " + word
			}
		}
	}
	for _, word := range low {
		if slices.ContainsFunc(low, func(other string) bool { return strings.HasSuffix(other, " "+word) }) {
			if places := degreesOf(texts, low, word, least); places != nil {
				return places
			}
		}
	}
	return degreesOf(texts, low, endOfMost(low), least)
}

// endOfMost is what most texts of several words end with, the longest words that they have in common; "" if they end
// otherwise.
func endOfMost(low []string) string {
	var end []string
	for _, text := range low {
		list := strings.Fields(text)
		if len(list) < 2 || middles[text] || aside(text) > 0 {
			continue
		}
		if end == nil {
			end = list[1:]
			continue
		}
		n := 0
		for n < min(len(end), len(list)) && end[len(end)-1-n] == list[len(list)-1-n] {
			n++
		}
		end = end[len(end)-n:]
	}
	return strings.Join(end, " ")
}

// mostDegrees is how many answers there are at most, with what stands between degrees and beside them.
const mostDegrees = 11

// degreesOf gives the places of answers that are so many degrees of a word and of its opposite, and one between them
// or beside them; nil if they are something else.
func degreesOf(texts, low []string, word string, least int) map[string]int {
	const fewest, most, beside = 3, 9, 100
	if len(texts) > mostDegrees || len([]rune(word)) < 4 {
		return nil
	}
	places, taken := map[string]int{}, map[int]bool{}
	var between []string
	steps, both := 0, false
	for i, text := range low {
		place, ok := degreeOf(text, word)
		switch {
		case ok && taken[place]:
			return nil
		case ok:
			places[texts[i]], taken[place], both = place, true, both || place <= opposite
			steps++
		case aside(text) > 0:
			places[texts[i]] = beside + aside(text)
		case middles[text], slices.ContainsFunc(neithers, func(n string) bool { return strings.HasPrefix(text, n) }):
			between = append(between, texts[i])
		default:
			return nil
		}
	}
	if steps < least || steps+len(between) < fewest || len(between) > 1 {
		return nil
	}
	for _, text := range between {
		// Where there is what the word is not, or its opposite, it is between that and the word.
		if places[text] = 0; !both && !taken[int(10*degreeWords["not"])] {
			places[text] = 5 // between little of it and some
		}
	}
	return places
}

// poles are the two ends of answers that are degrees of either, as "very liberal" and "slightly conservative" are;
// the one that comes first here, where that is known, comes first.
var poles = set("liberal left left-wing democrat democratic labour izquierda esquerda gauche links sinistra " +
	"progressive")

// strengths are what stands in front of one of two poles, the strongest first.
var strengths = map[string]int{
	"extremely": 9, "very": 8, "strong": 8, "strongly": 8, "highly": 8, "mostly": 7, "": 6, "fairly": 5,
	"moderately": 4, "moderate": 4, "rather": 4, "somewhat": 3, "slightly": 2, "weak": 2, "not very strong": 2,
	"not so strong": 2, "lean": 1, "leaning": 1, "leans": 1, "center": 1, "centre": 1, "muy": 8, "totalmente": 9,
	"algo": 3, "poco": 2, "muito": 8, "um pouco": 2, "très": 8, "plutôt": 4, "assez": 5, "sehr": 8, "eher": 4,
	"etwas": 2, "molto": 8, "abbastanza": 5, "zeer": 8, "meget": 8, "mycket": 8, "ganske": 5, "eerder": 4,
}

// polesOf gives the places of answers that are degrees of one of two words each, the stronger the further from what
// is between them; nil if they are something else.
func polesOf(texts, low []string) map[string]int {
	const least, beside = 4, 100
	ends := map[string]int{}
	for _, text := range low {
		degree, end := cutLast(text)
		if _, known := strengths[degree]; known && !middles[text] && aside(text) == 0 {
			ends[end]++
		}
	}
	names := make([]string, 0, 2)
	for end, n := range ends {
		if n >= 2 {
			names = append(names, end)
		}
	}
	if len(names) != 2 {
		return nil
	}
	slices.SortFunc(names, func(a, b string) int {
		against := func(a, b string) bool { // uncomfortable comes before comfortable
			return slices.ContainsFunc(negations, func(negation string) bool { return a == negation+b })
		}
		return cmp.Or(btoi(against(b, a))-btoi(against(a, b)), btoi(poles[b])-btoi(poles[a]), strings.Compare(a, b))
	})
	places, taken, between := map[string]int{}, map[int]bool{}, 0
	for i, text := range low {
		degree, end := cutLast(text)
		strength, known := strengths[degree]
		place := 0
		switch {
		case known && end == names[0]:
			place = -strength
		case known && end == names[1]:
			place = strength
		case aside(text) > 0:
			place = beside + aside(text)
		default:
			between++
		}
		if taken[place] {
			return nil
		}
		places[texts[i]], taken[place] = place, true
	}
	if len(texts) < least || between > 1 {
		return nil
	}
	return places
}

// cutLast cuts the last word off a text.
func cutLast(text string) (before, last string) {
	at := strings.LastIndexByte(text, ' ')
	return strings.TrimSpace(text[:max(at, 0)]), text[at+1:]
}

// neithers begin what is between two opposites.
var neithers = []string{"neither ", "ni ", "nem ", "né ", "weder ", "noch ", "verken ", "varken ",
	"bình thường"}

// opposite is below the place of none at all of what a word means: those of the opposite begin there.
const opposite = -100

// degreeOf is the place of a text that is a degree of a word, or of its opposite: ten times how much of it.
func degreeOf(text, word string) (place int, ok bool) {
	const alone = 2
	for _, negation := range append([]string{""}, negations...) {
		degree, found := strings.CutSuffix(text, negation+word)
		if !found || degree != "" && !strings.HasSuffix(degree, " ") {
			continue
		}
		n, known := degreeWords[strings.TrimSpace(degree)]
		if degree == "" {
			n, known = alone, true
		}
		switch {
		case !known:
		case negation == "":
			return int(10 * n), true
		default:
			return opposite - int(10*max(n, .3)), true
		}
	}
	return 0, false
}
