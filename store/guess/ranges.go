package guess

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// The order of answers that are ranges of numbers, of which the first and the last are open at one end.

// What ranges say beside their numbers: that they go no further up or no further down, or what only joins two
// numbers.
var (
	below = set(`within less under below fewer up until upto menos menor hasta até moins unter bis weniger meno
		fino minder tot mniej poniżej do méně kevesebb kurang dưới mindre младше менее меньше до менше az altı
		altında alatt puțin sub menor أقل < ≤ <=`)
	above = set(`more over above plus older greater beyond más mayor mais acima plus über mehr oltre più meer
		boven älter więcej powyżej více több lebih trên mer mere flere över øver older ouder äldre eldre ældre
		старше более больше свыше більше понад fazla üstü üzeri üzerinde felett több peste mult mayor أكثر > ≥ >= +`)
	joining = set(`than first an un une uno una um uma ein eine einem einen einer één or to and between from at
		least most the of de a y e o et ou und oder bis von e tra da di dan än enn end og och til till niż než dari
		tot van i od do až en que entre à au đến cận d l als von чем от и з від ніж den dan ile arası arasında ve
		között és mint și între mai decât من إلى و equal maximum minimum max min past - – — ~`)
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
	// units are the words that are no part of what is said of the numbers, such as years or euros; any unit of time is
	// "time", and the numbers are minutes then.
	units []string
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

// timeUnits are units of time, in minutes: the words for each.
var timeUnits = timesOf(map[float64]string{
	1: `minute min minuto minuten minuti minuut minuter minutter minut minuty minuta perc menit phút dakika минута минуты
		минут`,
	60: `hour hr hora heure stunde stunden std ora ore uur time timer timme timmar godzina godziny godzin hodina hodiny hodin óra
		jam giờ saat час часа часов`,
	24 * 60: `day día dia jour tag tage tagen giorno giorni dag dagen dage dagar dager dzień dni den dny dní nap hari ngày
		gün день дня дней`,
	7 * 24 * 60: `week semana semaine woche wochen settimana settimane weken uge uger vecka veckor uke uker tydzień
		tygodnie tygodni týden týdny týdnů hét minggu tuần hafta неделя недели недель`,
	30 * 24 * 60: `month mese mesi mois monat monate monaten mes mês maand maanden måned måneder månad månader miesiąc
		miesiące miesięcy měsíc měsíce měsíců hónap bulan tháng ay месяц месяца месяцев`,
	365 * 24 * 60: `year yr año ano an année jahr jahre jahren anno anni jaar jaren år rok lata lat roky let év tahun năm
		yıl год года лет`,
})

func timesOf(words map[float64]string) map[string]float64 {
	out := map[string]float64{}
	for minutes, list := range words {
		for _, word := range strings.Fields(list) {
			out[word] = minutes
		}
	}
	return out
}

// multiples are words for what numbers are counted in, and timesWords are those that say how often.
var (
	multiples = map[string]float64{"thousand": 1e3, "k": 1e3, "mil": 1e3, "tsd": 1e3, "tausend": 1e3, "ribu": 1e3,
		"тыс": 1e3, "lakh": 1e5, "lakhs": 1e5, "lac": 1e5, "lacs": 1e5, "crore": 1e7, "crores": 1e7, "million": 1e6,
		"millions": 1e6, "mio": 1e6, "milhão": 1e6, "milhões": 1e6, "millón": 1e6, "millones": 1e6, "juta": 1e6,
		"млн": 1e6, "万": 1e4}
	timesWords = set("time times vez veces vezes fois mal keer gånger ganger gange raz razy " +
		"krát kali lần kez volte раз раза")
)

// timeUnit is a unit of time in minutes, 0 if a word is none. In many languages several have an s behind them, and in
// Turkish "than" stands there.
func timeUnit(word string) float64 {
	for _, end := range []string{"", "s", "es", "dan", "den", "tan"} {
		if unit, found := strings.CutSuffix(word, end); found && timeUnits[unit] > 0 {
			return timeUnits[unit]
		}
	}
	return 0
}

// atLeast says that a number is the least, in words of which some mean less elsewhere.
var atLeast = regexp.MustCompile(`\b(?:at least|(?:por lo|al|pelo|ao) menos|au moins|mindestens|almeno|ten minste|` +
	`minst|mindst)\b`)

// inBrackets is what ranges say besides.
var inBrackets = regexp.MustCompile(`\s*\([^()]*\pL[^()]*\)`)

// boundsOf reads a range; false if it is none.
func boundsOf(text string, n numeral) (b bounds, ok bool) {
	if belowZero.MatchString(text) {
		return b, false
	}
	text = spacedThousands.ReplaceAllString(strings.ToLower(text), "$1$2")
	if bare := inBrackets.ReplaceAllString(text, ""); strings.ContainsAny(bare, digits) {
		text = bare
	}
	text = noLess.ReplaceAllString(noMore.ReplaceAllString(atLeast.ReplaceAllString(text, ""), "under"), "over")
	r := rangeReader{multiple: 1}
	parts := rangeParts.FindAllString(text, -1)
	for i, part := range parts {
		part = r.behind(part)
		switch {
		case part == "", part == "an" && i+1 < len(parts) && timeUnit(parts[i+1]) > 0: // an hour, and no year
		case part[0] >= '0' && part[0] <= '9':
			number, err := n.read(part)
			if err != nil || r.numbers == 2 {
				return b, false
			}
			if r.numbers++; r.numbers == 1 {
				r.from = number
			}
			r.beside = true
		default:
			r.word(part)
		}
	}
	return r.done(), r.numbers > 0 || r.underOne()
}

// rangeReader is a range while its words are read.
type rangeReader struct {
	bounds
	numbers  int
	beside   bool    // a number was the last thing, or "less than": the unit of time may come next
	multiple float64 // what the numbers are counted in
	time     float64 // the unit of time of the first number, or of both; 0: none
	often    bool    // it is said how often
	rate     float64 // … in which unit of time; 0: none
}

// word takes a word or a sign of the range.
func (r *rangeReader) word(part string) {
	unit := timeUnit(part)
	switch {
	case r.numbers > 0 && r.beside && multiples[part] > 0:
		if r.multiple == 1 && (r.numbers == 1 || r.from < 1000) { // it is that of both, if the first is short
			r.multiple = multiples[part]
		}
	case unit > 0 && r.often && r.rate == 0:
		r.units, r.rate = append(r.units, "often"), unit
	case timesWords[part] && r.numbers > 0:
		r.often, r.beside = true, false
	case unit > 0 && r.beside:
		if r.units = append(r.units, "time"); r.time == 0 {
			r.time = unit
		}
	case below[part]:
		r.open, r.beside = -1, r.beside || r.numbers == 0
	case above[part]:
		r.open = 1
	case !joining[part]:
		r.units, r.beside = append(r.units, strings.TrimSuffix(part, "s")), false
	}
}

// underOne tells whether the range is "less than a month": without a number, of one.
func (r *rangeReader) underOne() bool { return r.numbers == 0 && r.time > 0 && r.open == -1 }

// done is the range that was read, its first number in units of one.
func (r *rangeReader) done() bounds {
	b := r.bounds
	if r.numbers == 2 {
		b.open = 0
	}
	if r.underOne() {
		b.from = 1
	}
	if b.from *= r.multiple; r.time > 0 {
		b.from *= r.time
	}
	if r.rate > 0 {
		b.from /= r.rate
	}
	slices.Sort(b.units)
	b.units = slices.Compact(b.units)
	return b
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

// inRanges sorts texts, if all but those beside the answers are ranges in one unit of which one is open. What has no
// number, as "none" or "not at all", comes before them; another one, of whom nothing was counted, behind.
func inRanges(texts []string) bool {
	const least, besideRanges = 3, 3
	const mostWordy = 2 // one that says none, and one beside the ranges
	written := numeralOf(texts)
	all := make(map[string]bounds, len(texts))
	var units []string
	var wordy []string // without a number
	ranges, open, without, back := 0, 0, 0, false
	for _, text := range texts {
		if aside(text) > 0 && !nothing[lower(text)] {
			continue
		}
		b, ok := boundsOf(text, written)
		switch {
		case ok && ranges == 0:
			units = b.units
		case ok && !slices.Equal(b.units, units):
			if units = inBoth(units, b.units); len(units) == 0 {
				return false
			}
		case !ok && strings.ContainsAny(text, digits):
			return false
		case !ok && len(wordy) == mostWordy:
			return false
		case !ok:
			wordy = append(wordy, text)
			continue
		}
		back = back || has(words(text), ago)
		ranges += btoi(ok)
		open += btoi(ok && b.open != 0)
		all[text] = b
	}
	for _, text := range wordy {
		if saysNone(text, units) && !back {
			all[text] = bounds{open: -2}
			without++
		}
	}
	if others := len(wordy) - without; ranges < least || open == 0 || without > 1 || others > 1 ||
		others == 1 && ranges < besideRanges {
		return false
	}
	slices.SortStableFunc(texts, func(a, b string) int {
		x, isX := all[a]
		y, isY := all[b]
		if !isX || !isY {
			return cmp.Or(btoi(!isX)-btoi(!isY), min(aside(a), 1)-min(aside(b), 1), aside(a)-aside(b))
		}
		return cmp.Or(cmp.Compare(x.from, y.from), x.open-y.open)
	})
	return true
}

// inBoth are the words that two lists in order have in common.
func inBoth(a, b []string) []string {
	return slices.DeleteFunc(slices.Clone(a), func(word string) bool { return !slices.Contains(b, word) })
}

// nothing are words for none of what is counted in ranges, and noneOf begin texts that say so.
var (
	nothing = set("none never nothing zero ninguno ninguna nada nenhum nenhuma aucun aucune keine keiner nessuno " +
		"没有 无 없음")
	noneOf = set("no none never nothing not ninguno ninguna nunca ningún nenhum nenhuma não aucun aucune jamais pas " +
		"keine kein nie nessuno nessuna mai non geen nooit ingen aldrig aldri ikke żaden nigdy brak tidak không")
)

// saysNone tells whether a text says that nothing was counted: in one word, or with a word that the ranges have, too.
func saysNone(text string, units []string) bool {
	low := lower(text)
	first, rest, _ := strings.Cut(low, " ")
	return nothing[low] || noneOf[strings.Trim(first, ",")] && slices.ContainsFunc(words(rest), func(word string) bool {
		return countedWords[word] || slices.Contains(units, strings.TrimSuffix(word, "s"))
	})
}

// countedWords are words for what is often counted in ranges, whether these name it or not.
var countedWords = set("income ingresos renda revenu einkommen children kids hijos filhos enfants kinder experience " +
	"experiencia experiência expérience erfahrung")

// ago says of ranges of time that they go back: who never did something comes behind them.
var ago = set("ago last past within hace vor há fa derniers dernières")
