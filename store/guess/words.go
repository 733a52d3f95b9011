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

// words divides a name or a label into words in small letters: at what is neither letter nor digit, where small
// letters turn to capitals, and between letters and digits.
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
	yesWords = set("1 yes y true t x on ja oui si sí sì sim tak da checked selected mentioned ticked quoted chosen " +
		"picked marked ✓ ✔ ☑ ☒ ✅ √ 是 有 はい 예 네 да نعم כן ναι evet igen kyllä ano áno jah jā taip ya iya ndiyo " +
		"ndio có ใช่ हाँ হ্যাঁ")
	noWords = set("0 no n false f off ☐ ✗ ✘ nein non não nao nie nee unchecked unselected 否 没有 無 无 不是 沒有 いいえ 아니오 " +
		"아니요 нет لا לא όχι hayır nem ei nei nej ne nē nu tidak hapana không ไม่ใช่ नहीं না")
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
	if dashes(text) {
		return true
	}
	text = strings.TrimPrefix(strings.ToLower(strings.TrimSpace(text)), "item ") // as panels write labels
	if strings.HasPrefix(text, "no to: ") {
		return true // as Decipher writes it
	}
	first, rest, _ := strings.Cut(text, " ")
	if first == "unchecked" || first == "unselected" || first == "unticked" {
		return rest == ""
	}
	switch first {
	case "not", "no", "nicht", "non", "não", "nao", "niet", "ikke", "inte", "ej", "nie", "ei", "tidak", "не":
	default:
		joined, found := strings.CutPrefix(text, "nie")
		return found && slices.ContainsFunc(chosenStems, func(s string) bool { return strings.HasPrefix(joined, s) })
	}
	return rest == "" && first == "not" || yesWords[rest] || slices.ContainsFunc(chosenStems, func(s string) bool {
		return strings.HasPrefix(rest, s) && !strings.Contains(rest, " ")
	})
}

// dashes tells whether a text is nothing but the dashes that some tools write where nothing was chosen.
func dashes(text string) bool { return text != "" && strings.Trim(text, "-–—") == "" }

// chosenStems begin words for what was chosen or mentioned.
var chosenStems = []string{"select", "mention", "menci", "genannt", "erwähnt", "gewählt", "ausgewählt",
	"angekreuzt", "cit",
	"chos", "pick", "quot", "tick", "check", "mark", "marc", "elegi", "selec", "coch", "choisi", "genoemd", "gekozen",
	"escolh", "selez", "scelt", "nevnt", "valgt", "vald", "wybran", "zaznacz", "valit", "dipilih", "выбран", "отмеч"}

// defaultYes are the values that a codebook takes for a yes where it names none.
var defaultYes = set("1 yes true y t")

// asides are answers that stand beside a scale, in small letters.
var asides = []string{"other", "none", "none of these", "none of the above", "not applicable", "n/a", "don't know",
	"dont know", "do not know", "not sure", "unsure", "can't say",
	"refused", "prefer not to say", "prefer not to answer", "no answer", "not stated", "i don't know", "i do not know",
	"dk", "dk/na", "na", "dk/ref", "dk/refused", "don't know/refused", "don't know/no answer", "refusal", "no opinion",
	"no response", "not answered", "inapplicable", "does not apply", "doesn't apply", "not asked", "skipped", "missing",
	"otro", "otra", "otros", "ninguno", "ninguna", "no sabe", "no contesta", "no responde", "ns/nc", "ns/nr", "ns-nc",
	"no sabe/no contesta", "no sabe/no responde", "no se aplica", "no aplica", "ns/c", "ns",
	"nc",
	"nr", "n.s.", "n.c.", "n.r.", "n.p.", "no recuerda",
	"no procede", "no precisa", "no sé", "prefiero no responder", "prefiero no decirlo", "outro", "outra",
	"nenhum",
	"nenhuma", "não sabe", "não respondeu", "não sabe/não respondeu", "nr/ns", "não se aplica", "não sei", "autre",
	"aucun",
	"aucune", "ne sait pas", "nsp", "refus", "sans réponse", "sans objet", "non concerné", "je ne sais pas",
	"ne se prononce pas", "andere", "sonstige", "sonstiges", "weiß nicht", "weiss nicht", "keine angabe",
	"keine antwort",
	"k.a.", "trifft nicht zu", "verweigert", "altro", "nessuno", "non so", "non risponde", "weet niet", "geen antwoord",
	"geen mening", "n.v.t.", "vet ikke", "vet ej", "vet inte", "ved ikke", "ikke relevant", "en osaa sanoa", "nie wiem",
	"trudno powiedzieć", "nie dotyczy", "nevím", "neviem", "bilmiyorum", "не знаю", "затрудняюсь ответить", "другое",
	"нет ответа", "отказ", "不知道", "不清楚", "わからない", "無回答", "모름", "모르겠다", "무응답",
	"拒答", "拒绝回答", "拒絕回答", "漏答", "遺漏值", "跳答", "跳題", "不適用", "不适用", "無意見", "无意见", "很難說",
	"说不清", "其他", "其它", "以上皆非", "答えたくない", "非該当", "該当しない", "その他", "거절", "응답거절",
	"해당없음", "해당 없음", "기타", "모름/무응답", "잘 모르겠다", "decline to answer", "declined", "rather not say",
	"would rather not say", "i prefer not to answer", "i prefer not to say", "unknown", "can't choose",
	"no contestó", "rehúsa", "se niega a responder", "prefiero no contestar", "ne souhaite pas répondre",
	"je préfère ne pas répondre", "non réponse", "weiß ich nicht", "kann ich nicht sagen", "möchte ich nicht sagen",
	"prefiro não responder", "prefiro não dizer", "non sa", "non sa/non risponde", "preferisco non rispondere",
	"wil niet zeggen", "odmowa", "odmowa odpowiedzi", "brak odpowiedzi", "neodpověděl", "odmítl odpovědět", "egyéb",
	"nem tudja", "nem válaszolt", "nt/nv", "cevap yok", "fikrim yok", "belirtmek istemiyorum", "tidak tahu",
	"tidak menjawab", "không biết", "vil ikke svare", "vill ej svara", "ikke svart", "ei vastausta",
	"en halua vastata", "отказ от ответа", "важко сказати", "не відповів"}

// asideNumbers are their places among them.
var asideNumbers = placesAmong(asides)

// placesAmong gives the place of each text in a list.
func placesAmong(list []string) map[string]int {
	places := map[string]int{}
	for i, text := range slices.Backward(list) { // the first place, where one stands there twice
		places[text] = i
	}
	return places
}

// asideAt is the place of a text among asides, -1 if it is none.
func asideAt(text string) int {
	if at, is := asideNumbers[text]; is {
		return at
	}
	return -1
}

// scaleOf gives the place of each text on a scale that holds them all, nil if none does.
func scaleOf(texts []string) map[string]int {
	if len(texts) < 2 {
		return nil
	}
	low := make([]string, len(texts))
	for i, text := range texts {
		low[i] = lower(text)
		if !strings.Contains(low[i], " ") {
			low[i] = strings.ReplaceAll(low[i], "_", " ") // as KoBo and its like write answers of several words
		}
		low[i] = strings.Join(strings.Fields(low[i]), " ")
	}
	if places := chineseSteps(texts); places != nil {
		return places
	}
	if places := placesOnAny(scales, texts, low); places != nil {
		return places
	}
	if bare := withoutLast(low); bare != nil {
		if places := placesOnAny(degrees, texts, bare); places != nil {
			return places
		}
	}
	if places := opposites(texts, low); places != nil {
		return places
	}
	return numberedSteps(texts)
}

// looseScaleOf gives the place of each text where texts are in an order, though it takes some reading to see that:
// besides what stands in brackets, by what they end with, or as degrees of two words. It is nil if they are in none.
// Answers that are so in order need not be those of a rating.
func looseScaleOf(texts []string) map[string]int {
	low := make([]string, len(texts))
	for i, text := range texts {
		low[i] = lower(text)
	}
	for _, low := range [][]string{low, withoutBrackets(low)} {
		if low == nil {
			continue
		}
		if places := placesOnAny(scales, texts, low); places != nil {
			return places
		}
		if end := endOfMost(low); end != "" && len(texts) > 2 { // as in "mild pain" and "no pain"
			bare := make([]string, len(low))
			for i, text := range low {
				bare[i] = strings.TrimSuffix(text, " "+end)
			}
			if places := placesOnAny(scales, texts, bare); places != nil {
				return places
			}
		}
		if places := degreesByEnd(texts, low); places != nil {
			return places
		}
		if places := polesOf(texts, low); places != nil {
			return places
		}
	}
	return nil
}

// placesOnAny gives the place of each text on the first of some scales that has all of them in the words given, but for
// those that may stand beside any; nil if none has.
func placesOnAny(scales []map[string]int, texts, low []string) map[string]int {
	beside := make([]int, len(low)) // as it is known once for all of many scales
	for i, text := range low {
		beside[i] = asideAt(text)
	}
	for _, scale := range scales {
		if places := placesOn(scale, texts, low, beside); places != nil {
			return places
		}
	}
	return nil
}

// withoutBrackets are texts without what stands in brackets behind some of them, nil if none of them has any, or two
// are the same then.
func withoutBrackets(low []string) []string {
	bare, seen, any := make([]string, len(low)), map[string]bool{}, false
	for i, text := range low {
		bare[i] = strings.TrimSpace(inBrackets.ReplaceAllString(text, ""))
		if any = any || bare[i] != text; bare[i] == "" || seen[bare[i]] {
			return nil
		}
		seen[bare[i]] = true
	}
	if !any {
		return nil
	}
	return bare
}

// placesOn gives the place of each text on a scale; beside is that among the answers that may stand beside it.
func placesOn(scale map[string]int, texts, low []string, beside []int) map[string]int {
	on := 0
	for i, text := range low {
		if _, there := scale[text]; there {
			on++
		} else if beside[i] < 0 {
			return nil
		}
	}
	if on < 2 {
		return nil
	}
	places := map[string]int{}
	for i, text := range texts {
		if at, there := scale[low[i]]; there {
			places[text] = at
		} else {
			places[text] = 100 + beside[i]
		}
	}
	return places
}

// withoutLast are texts without the word that most of them end with, as "important" is in "not important" and "very
// important"; nil if they end otherwise. Answers beside the scale stay.
func withoutLast(low []string) []string {
	ends := map[string]int{}
	for _, text := range low {
		if at := strings.LastIndexByte(text, ' '); at > 0 {
			ends[text[at:]]++
		}
	}
	for end, n := range ends {
		if 4*n < 3*len(low) {
			continue
		}
		bare := make([]string, len(low))
		for i, text := range low {
			bare[i] = strings.TrimSuffix(text, end)
		}
		return bare // no other is that of three in four
	}
	return nil
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

// lower is a text as scales and asides are written.
func lower(text string) string { return strings.ReplaceAll(strings.ToLower(text), "’", "'") }

// inOrder sorts texts as people would: on their scale, else numbers by what they are, and runs of digits in words
// likewise, with what stands beside every scale behind them.
func inOrder(texts []string) {
	places := scaleOf(texts)
	if places == nil && inRanges(texts) {
		return
	}
	if inNaturalOrder(texts); places == nil {
		places = looseScaleOf(texts)
	}
	if places != nil {
		slices.SortStableFunc(texts, func(a, b string) int { return places[a] - places[b] })
		return
	}
	if onLadder(texts) {
		return
	}
	if slices.ContainsFunc(texts, func(text string) bool { return aside(text) > 0 }) {
		slices.SortStableFunc(texts, func(a, b string) int { return aside(a) - aside(b) })
	}
}

// besideStrokes takes away spaces beside strokes.
var besideStrokes = strings.NewReplacer(" / ", "/", "/ ", "/", " /", "/")

// aside is 0 for what stands in its place among the answers, else its place behind them. Signs around it, and what
// stands in brackets in front to say that it is not read out, say nothing more.
func aside(text string) int {
	low := besideStrokes.Replace(lower(text))
	at := asideAt(low)
	if at < 0 && strings.ContainsAny(low, "()[]*") {
		if note, rest, found := strings.Cut(low, ") "); found && strings.HasPrefix(note, "(") {
			low = rest
		}
		at = asideAt(strings.Trim(low, "()[]* "))
	}
	return 1 + at
}

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
