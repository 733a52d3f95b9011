package guess

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// The order of answers in words that are on no scale that is known word by word: degrees of one word and of its
// opposite; Chinese steps, which are made of a degree, a "not" and one word; and ranges of numbers, of which the first
// and the last are open at one end.

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
var degreeWords = map[string]int{
	"not at all": -2, "not": -1, "not very": -1, "not so": -1, "somewhat": 1, "slightly": 1, "a little": 1,
	"fairly": 1, "moderately": 1, "very": 4, "highly": 4, "extremely": 5, "completely": 5, "nada": -2,
	"nada de": -2, "no": -1, "poco": 0, "poca": 0, "algo": 1, "bastante": 3, "muy": 4, "mucho": 4, "totalmente": 5,
	"completamente": 5, "pouco": 0, "pouca": 0, "um pouco": 0, "muito": 4, "muita": 4, "pas du tout": -2,
	"pas": -1, "peu": 0, "un peu": 0, "plutôt": 1, "assez": 1, "très": 4, "tout à fait": 5, "gar nicht": -2,
	"überhaupt nicht": -2, "nicht": -1, "wenig": 0, "weniger": 0, "etwas": 1, "eher": 1, "ziemlich": 1, "sehr": 4,
	"per niente": -2, "per nulla": -2, "non": -1, "abbastanza": 1, "molto": 4, "helemaal niet": -2, "niet": -1,
	"enigszins": 1, "redelijk": 1, "zeer": 4, "heel": 4, "erg": 4, "ikke": -1, "inte": -1, "litt": 1, "lite": 1,
	"meget": 4, "veldig": 4, "svært": 4, "mycket": 4, "deloc": -2, "puțin": 0, "foarte": 4, "sangat": 4,
	"tidak": -1, "rất": 4, "çok": 4, "hiç": -2, "bardzo": 4, "velmi": 4, "nagyon": 4, "очень": 4, "не": -1,
	"совсем не": -2,
}

// negations begin a word that means the opposite of the rest.
var negations = []string{"dis", "un", "in", "im", "ir", "il", "des", "mé", "ne", "nie", "u", "o", "on", "niet "}

// middles are words for what is between two opposites.
var middles = set("neutral normal neither regular neutro neutre neutrale neutraal indiferente indifferent nøytral " +
	"average medium moderate undecided netral biasa")

// opposites gives the places of answers that are degrees of one word and of its opposite, as "very satisfied",
// "satisfied", "neutral" and "dissatisfied" are, or of one word alone that stands there by itself, too; nil if they are
// something else.
func opposites(texts, low []string) map[string]int {
	const least, most, beside = 3, 9, 100
	word := ""
	for _, text := range low { // the shortest: no degree is in front of it
		if !strings.Contains(text, " ") && !middles[text] && aside(text) == 0 && (word == "" || len(text) < len(word)) {
			word = text
		}
	}
	if len(texts) > most+2 || len([]rune(word)) < 4 {
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
	if steps < least || len(between) > 1 {
		return nil
	}
	for _, text := range between {
		if places[text] = 0; !both {
			places[text] = 5 // between little of it and some
		}
	}
	return places
}

// neithers begin what is between two opposites.
var neithers = []string{"neither ", "ni ", "nem ", "né ", "weder ", "noch ", "verken ", "varken "}

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
			return 10 * n, true
		default:
			return opposite - 10*max(n, 1), true
		}
	}
	return 0, false
}

// What ranges say beside their numbers: that they go no further up or no further down, or what only joins two numbers.
var (
	below = set(`less under below fewer up until upto menos menor hasta até moins unter bis weniger meno fino minder tot
		mniej poniżej do méně kevesebb kurang dưới mindre < ≤ <=`)
	above = set(`more over above plus older greater beyond más mayor mais acima plus über mehr oltre più meer boven älter
		więcej powyżej více több lebih trên mer mere flere över øver older ouder äldre eldre ældre oltre > ≥ >= +`)
	joining = set(`than or to and between from at least most the of de a y e o et ou und oder bis von e tra da di dan än
		enn end og och til till niż než dari tot van i od do až en que entre à au equal maximum minimum max min past - – — ~`)
	// In Chinese, Japanese and Korean these stand behind the unit, and nothing divides them from it.
	belowBehind = []string{"以下", "以内", "以內", "未满", "未滿", "未満", "미만", "이하"}
	aboveBehind = []string{"以上", "超过", "超過", "이상", "초과"}
)

// noMore and noLess turn round what a range says.
var noMore, noLess = regexp.MustCompile(`\b(?:no|not) more\b`), regexp.MustCompile(`\b(?:no|not) less\b`)

// belowZero is a number below zero, of which ranges are not read.
var belowZero = regexp.MustCompile(`(?:^|\pL\s)[-−]\d`)

// rangeParts are the numbers, the words and the signs of a range.
var rangeParts = regexp.MustCompile(`\d+(?:[.,]\d+)*|[<>≤≥]=?|\+|[\p{L}]+`)

// bounds is a range as ranges compare.
type bounds struct {
	from float64
	open int // -1: it ends there; 1: it begins there and has no end
	unit string
}

// numeral is how numbers are written in a list of answers: what divides their decimals, "" if none has such.
type numeral struct{ point string }

// decimalPlaces are digits behind a sign that are no thousands: one or two of them, more than three, or such behind a
// zero.
var decimalPlaces = regexp.MustCompile(`(?:^|\D)(?:\d+([.,])(?:\d{1,2}|\d{4,})|0([.,])\d+)(?:\D|$)`)

// numeralOf finds out how numbers are written.
func numeralOf(texts []string) (n numeral) {
	for _, text := range texts {
		if m := decimalPlaces.FindStringSubmatch(text); m != nil {
			n.point = m[1] + m[2]
		}
	}
	return n
}

// read reads a number.
func (n numeral) read(text string) (float64, error) {
	for _, sign := range []string{".", ","} {
		if sign == n.point {
			text = strings.ReplaceAll(text, sign, "_")
		} else {
			text = strings.ReplaceAll(text, sign, "")
		}
	}
	return strconv.ParseFloat(strings.ReplaceAll(text, "_", "."), 64)
}

// spacedThousands are thousands that a space sets apart.
var spacedThousands = regexp.MustCompile(`(\d)[ \x{a0}\x{202f}](\d{3})\b`)

// boundsOf reads a range; false if it is none.
func boundsOf(text string, n numeral) (b bounds, ok bool) {
	var units []string
	numbers := 0
	if belowZero.MatchString(text) {
		return b, false
	}
	text = spacedThousands.ReplaceAllString(strings.ToLower(text), "$1$2")
	text = noLess.ReplaceAllString(noMore.ReplaceAllString(text, "under"), "over")
	for _, part := range rangeParts.FindAllString(text, -1) {
		part = b.behind(part)
		switch {
		case part == "":
		case part[0] >= '0' && part[0] <= '9':
			number, err := n.read(part)
			if err != nil || numbers == 2 {
				return b, false
			}
			if numbers++; numbers == 1 {
				b.from = number
			}
		case below[part]:
			b.open = -1
		case above[part]:
			b.open = 1
		case !joining[part]:
			units = append(units, strings.TrimSuffix(part, "s"))
		}
	}
	if numbers == 2 {
		b.open = 0
	}
	slices.Sort(units)
	b.unit = strings.Join(slices.Compact(units), " ")
	return b, numbers > 0
}

// behind takes away what stands behind a unit and says at which end the range is open.
func (b *bounds) behind(part string) (unit string) {
	for _, ends := range belowBehind {
		if rest, found := strings.CutSuffix(part, ends); found {
			b.open = -1
			return rest
		}
	}
	for _, ends := range aboveBehind {
		if rest, found := strings.CutSuffix(part, ends); found {
			b.open = 1
			return rest
		}
	}
	return part
}

// inRanges sorts texts, if all but those beside the answers are ranges in one unit of which one is open; what has no
// number, as "none", comes before them.
func inRanges(texts []string) bool {
	const least = 3
	written := numeralOf(texts)
	all := make(map[string]bounds, len(texts))
	var units []string
	ranges, open, without := 0, 0, 0
	for _, text := range texts {
		if aside(text) > 0 && !nothing[lower(text)] {
			continue
		}
		b, ok := boundsOf(text, written)
		if !ok {
			if !nothing[lower(text)] || without > 0 {
				return false
			}
			without++
			b.from, b.open = 0, -2
			all[text] = b
			continue
		}
		if !slices.Contains(units, b.unit) {
			units = append(units, b.unit)
		}
		ranges++
		open += btoi(b.open != 0)
		all[text] = b
	}
	if ranges < least || open == 0 || len(units) > 1 {
		return false
	}
	slices.SortStableFunc(texts, func(a, b string) int {
		x, isX := all[a]
		y, isY := all[b]
		if !isX || !isY {
			return cmp.Or(btoi(!isX)-btoi(!isY), aside(a)-aside(b))
		}
		return cmp.Or(cmp.Compare(x.from, y.from), x.open-y.open)
	})
	return true
}

// nothing are words for none of what is counted in ranges.
var nothing = set("none never nothing zero ninguno ninguna nada nenhum nenhuma aucun aucune keine keiner nessuno " +
	"没有 无 없음")
