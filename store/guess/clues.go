package guess

import (
	"hash/maphash"
	"maps"
	"slices"
	"strings"
	"unicode"
)

// Clues are what two columns, one behind the other, have in common and what not: the numbers by which it is judged
// whether they are of one question. None of them decides anything alone.

// look is a column as clues see it.
type look struct {
	*column
	at     int
	name   string // small letters; "" if the name is a sentence
	parts  []part // of the name
	kinds  string // of the parts, and what stands between them
	text   string // the question's words, or a name that is a sentence
	words  []string
	labels map[string]string // of values, in small letters
	values map[string]bool   // the first of those that occur
	tick   tick
	scale  bool
	known  bool // the answers are steps of a known scale, four of them
	rung   bool // … or some of them

	stem        string // the name up to its last number
	last        int    // … which is that; -1: it has none
	sameStem    int    // columns of the file with that stem
	sameAnswers int    // columns of the file with the same labels, or the same few values
	columns     int    // of the file
}

// mostSeen is how many values of a column are compared.
const mostSeen = 25

// lookAt sees a column.
func lookAt(at int, c *column) *look {
	l := &look{column: c, at: at, text: c.wording, tick: c.tick(), scale: c.scale(), known: c.ladder(), rung: c.rung()}
	if strings.Count(c.code, " ") < 2 {
		l.name = strings.ToLower(c.code)
	}
	if l.text == c.code {
		l.text = ""
	}
	switch {
	case l.text != "":
	case c.Label != "":
		l.text = c.Label
	case strings.Count(c.Name, " ") >= 2:
		l.text = c.Name
	}
	l.parts = parts(l.name)
	var kinds strings.Builder
	for _, p := range l.parts {
		if p.kind == '_' {
			kinds.WriteString(p.text)
		} else {
			kinds.WriteRune(p.kind)
		}
	}
	l.kinds = kinds.String()
	l.words = strings.FieldsFunc(strings.ToLower(l.text), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsNumber(r) && !unicode.IsMark(r)
	})
	l.labels = make(map[string]string, len(c.Labels))
	for _, label := range c.Labels {
		l.labels[label.Value] = strings.ToLower(label.Text)
	}
	l.values = map[string]bool{}
	for _, v := range c.values[:min(len(c.values), mostSeen)] {
		l.values[v.text] = true
	}
	l.stem, l.last = numberedStem(l.parts)
	return l
}

// numberedStem is a name up to its last number, and that; the whole name and -1 if there is none.
func numberedStem(name []part) (string, int) {
	for k := len(name) - 1; k >= 0; k-- {
		if name[k].kind == '0' {
			return joined(name[:k]), atoi(name[k].text)
		}
	}
	return joined(name), -1
}

// answersOf is the labels of a column, or else its values, as one text, by which columns with the same can be counted.
func answersOf(c *column) string {
	const most = 12 // values
	var list []string
	for _, l := range c.Labels {
		list = append(list, l.Value+"="+l.Text)
	}
	if len(list) == 0 && !c.many && len(c.values) <= most {
		for _, v := range c.values {
			list = append(list, v.text)
		}
	}
	slices.Sort(list)
	return strings.Join(list, "\x00")
}

// fileLook is what columns of a file have in common with each other, as far as clues ask.
type fileLook struct {
	seed           maphash.Seed
	stems, answers map[uint64]int // how many columns have it
	columns        int
}

func lookAtFile(columns []*column) *fileLook {
	f := &fileLook{seed: maphash.MakeSeed(), stems: map[uint64]int{}, answers: map[uint64]int{}, columns: len(columns)}
	for _, c := range columns {
		stem, _ := numberedStem(parts(strings.ToLower(c.code)))
		f.stems[maphash.String(f.seed, stem)]++
		f.answers[maphash.String(f.seed, answersOf(c))]++
	}
	return f
}

// fit tells a column how many of the file are like it.
func (f *fileLook) fit(l *look) *look {
	l.sameStem = f.stems[maphash.String(f.seed, l.stem)]
	l.sameAnswers = f.answers[maphash.String(f.seed, answersOf(l.column))]
	l.columns = f.columns
	return l
}

// pair is two columns, one behind the other, and what their names and words have in common.
type pair struct {
	a, b      *look
	alike     bool // their names are made of the same kinds of parts
	differ    int  // the only part in which the names differ; -1: there is none, or more
	step      int  // from the number in the first to the one in the second
	numbers   bool // … which are numbers
	before    int  // bytes that the names begin with in common
	behind    int  // bytes that they end with in common
	shared    int  // parts that they begin with in common
	first     int  // words that the questions begin with in common
	last      int  // words that they end with in common
	text      int  // bytes that the questions begin with in common
	both, all int  // values in both, and in either
	named     int  // labels that say the same of one value in both
	together  bool // the same respondents said something in both, as far as a sample tells
}

func pairOf(a, b *look, sample *crossing) *pair {
	p := &pair{a: a, b: b, alike: len(a.parts) > 0 && a.kinds == b.kinds, differ: -1}
	p.together = a.filled == b.filled && sample.askedSame(a.at, b.at)
	p.before, p.behind = len(commonPrefix(a.name, b.name)), len(commonSuffix(a.name, b.name))
	p.text = len(commonPrefix(a.text, b.text))
	for p.shared < min(len(a.parts), len(b.parts)) && a.parts[p.shared].text == b.parts[p.shared].text {
		p.shared++
	}
	if p.alike {
		n := 0
		for i := range a.parts {
			if a.parts[i].text != b.parts[i].text {
				p.differ = i
				n++
			}
		}
		if n != 1 {
			p.differ = -1
		}
	}
	if p.differ >= 0 && a.parts[p.differ].kind == '0' && b.parts[p.differ].kind == '0' {
		p.numbers, p.step = true, atoi(b.parts[p.differ].text)-atoi(a.parts[p.differ].text)
		if p.differ == len(a.parts)-1 {
			p.before += carried(a.parts[p.differ].text, p.step)
		}
	}
	for p.first < min(len(a.words), len(b.words)) && a.words[p.first] == b.words[p.first] {
		p.first++
	}
	for p.last < min(len(a.words), len(b.words)) &&
		a.words[len(a.words)-1-p.last] == b.words[len(b.words)-1-p.last] {
		p.last++
	}
	for v := range a.values {
		p.both += btoi(b.values[v])
	}
	p.all = len(a.values) + len(b.values) - p.both
	for v, text := range a.labels {
		other, there := b.labels[v]
		p.named += btoi(there && other == text)
	}
	return p
}

// carried is how many digits more a number would have in common with the next one if that went on in its last digit, as
// that of 18 does: 19 and 20 have none in common for no reason but how numbers are written.
func carried(number string, step int) int {
	nines := len(number) - len(strings.TrimRight(number, "9"))
	if step != 1 || nines == len(number) {
		return 0
	}
	return nines
}

// clue is a number about a pair, and its name in a forest.
type clue struct {
	name string
	of   func(p *pair) float64
}

// yes is a clue that is there or not.
func yes(name string, of func(p *pair) bool) clue {
	return clue{name, func(p *pair) float64 { return float64(btoi(of(p))) }}
}

// share is a part of a whole, from 0 to 1.
func share(part, whole int) float64 { return float64(part) / float64(max(1, whole)) }

// nameClues are those of the columns' names.
func nameClues() []clue {
	return []clue{
		yes("name.both", func(p *pair) bool { return p.a.name != "" && p.b.name != "" }),
		yes("name.alike", func(p *pair) bool { return p.alike }),
		yes("name.onePart", func(p *pair) bool { return p.differ >= 0 }),
		yes("name.number", func(p *pair) bool { return p.numbers }),
		yes("name.next", func(p *pair) bool { return p.numbers && p.step == 1 }),
		yes("name.soon", func(p *pair) bool { return p.step > 1 && p.step <= 3 }),
		yes("name.back", func(p *pair) bool { return p.step < 0 }),
		yes("name.atEnd", func(p *pair) bool { return p.differ >= 0 && p.differ == len(p.a.parts)-1 }),
		yes("name.letter", func(p *pair) bool { return p.letters() }),
		yes("name.nextLetter", func(p *pair) bool {
			return p.letters() && p.a.parts[p.differ].text[0]+1 == p.b.parts[p.differ].text[0]
		}),
		{"name.begin", func(p *pair) float64 { return share(p.before, min(len(p.a.name), len(p.b.name))) }},
		{"name.beginLetters", func(p *pair) float64 { return float64(min(p.before, 15)) }},
		{"name.end", func(p *pair) float64 { return share(p.behind, min(len(p.a.name), len(p.b.name))) }},
		{"name.endLetters", func(p *pair) float64 { return float64(min(p.behind, 10)) }},
		yes("name.numberBefore", func(p *pair) bool { return strings.ContainsAny(p.stem(), digits) }),
		yes("name.generic", func(p *pair) bool {
			stem := strings.Trim(p.stem(), "_.-: ")
			return stem == "" || generic[stem]
		}),
		{"name.parts", func(p *pair) float64 { return float64(p.shared) }},
		{"name.rest", func(p *pair) float64 { return float64(max(len(p.a.parts), len(p.b.parts)) - p.shared) }},
		yes("name.sameStem", func(p *pair) bool { return p.a.stem == p.b.stem && p.a.last >= 0 && p.b.last >= 0 }),
		{"name.stemShare", func(p *pair) float64 { return share(p.b.sameStem, p.b.columns) }},
		{"name.stems", func(p *pair) float64 { return float64(min(p.b.sameStem, 40)) }},
		yes("name.first", func(p *pair) bool { return p.b.last == 1 || p.b.last == 0 }),
		{"name.last", func(p *pair) float64 { return float64(min(p.b.last, 60)) }},
		yes("name.divided", func(p *pair) bool { return p.shared > 0 && p.a.parts[p.shared-1].kind == '_' }),
	}
}

// letters tells whether names differ in a letter or two.
func (p *pair) letters() bool {
	return p.differ >= 0 && p.a.parts[p.differ].kind == 'a' && p.b.parts[p.differ].kind == 'a' &&
		len(p.a.parts[p.differ].text) <= 2
}

// stem is what names begin with in common, without the beginning of a number in which they differ.
func (p *pair) stem() string {
	stem := p.a.name[:p.before]
	if p.numbers {
		stem = strings.TrimRight(stem, digits)
	}
	return stem
}

// wordClues are those of the questions' words.
func wordClues() []clue {
	fewer := func(p *pair) int { return min(len(p.a.words), len(p.b.words)) }
	asks := func(l *look) bool { return strings.HasSuffix(strings.TrimSpace(l.text), "?") }
	small := func(l *look) bool {
		return strings.IndexFunc(l.text, unicode.IsLower) == 0
	}
	return []clue{
		yes("words.both", func(p *pair) bool { return p.a.text != "" && p.b.text != "" }),
		yes("words.one", func(p *pair) bool { return (p.a.text != "") != (p.b.text != "") }),
		yes("words.same", func(p *pair) bool { return len(p.a.words) > 0 && slices.Equal(p.a.words, p.b.words) }),
		{"words.begin", func(p *pair) float64 { return float64(p.first) }},
		{"words.beginShare", func(p *pair) float64 { return share(p.first, fewer(p)) }},
		{"words.end", func(p *pair) float64 { return float64(p.last) }},
		{"words.endShare", func(p *pair) float64 { return share(min(p.last, fewer(p)), fewer(p)) }},
		yes("words.divided", func(p *pair) bool {
			common := strings.TrimRight(p.a.text[:p.text], " ")
			return p.text > 3 && strings.TrimRight(common, "-–:?[(/.…|") != common
		}),
		{"words.many", func(p *pair) float64 { return float64(len(p.a.words)+len(p.b.words)) / 2 }},
		{"words.length", func(p *pair) float64 { return share(fewer(p), max(len(p.a.words), len(p.b.words))) }},
		yes("words.asksFirst", func(p *pair) bool { return asks(p.a) }),
		yes("words.asks", func(p *pair) bool { return asks(p.b) }),
		yes("words.restAsksFirst", func(p *pair) bool { return strings.Contains(p.a.text[p.text:], "?") }),
		yes("words.restAsks", func(p *pair) bool { return strings.Contains(p.b.text[p.text:], "?") }),
		yes("words.smallFirst", func(p *pair) bool { return small(p.a) }),
		yes("words.small", func(p *pair) bool { return small(p.b) }),
		yes("words.itemFirst", func(p *pair) bool { return itemNumber.MatchString(p.a.text) }),
		yes("words.item", func(p *pair) bool { return itemNumber.MatchString(p.b.text) }),
		yes("words.otherFirst", func(p *pair) bool { return p.a.otherOption(p.text) }),
		yes("words.other", func(p *pair) bool { return p.b.otherOption(p.text) }),
		yes("words.beginsAnew", func(p *pair) bool { return len(p.b.words) > 2 && asking[p.b.words[0]] }),
		yes("words.beganAnew", func(p *pair) bool { return len(p.a.words) > 2 && asking[p.a.words[0]] }),
		{"words.common", func(p *pair) float64 {
			of := set("")
			for _, w := range p.a.words {
				of[w] = true
			}
			both, all := 0, len(of)
			seen := map[string]bool{}
			for _, w := range p.b.words {
				if !seen[w] {
					seen[w] = true
					both += btoi(of[w])
					all += btoi(!of[w])
				}
			}
			return share(both, all)
		}},
	}
}

// otherOption tells whether what stands behind the first so many bytes of a question's words, or else its name, says
// that it is one of the options that come last: other, none, or that one does not know.
func (l *look) otherOption(behind int) bool {
	list := words(l.text[behind:])
	if l.text == "" {
		list = words(l.name)
	}
	const most = 8
	return len(list) <= most && has(list, comingLast)
}

// comingLast are words of options that come last.
var comingLast = set(`other others otherwise none nothing know dk otro otra otros otras ninguno ninguna ningún nada sabe
	autre autres aucun aucune rien sait andere anderes sonstiges sonstige keine keines nichts weiß outro outra outros
	outras nenhum nenhuma altro altra nessuno annet annat andet anders geen inne żadne другое ничего diğer hiçbiri lainnya
	khác 其他 以上都不 その他 기타`)

// asking are words that questions begin with.
var asking = set(`what which how who where when why do does did are is was were have has had can could would will should
	if please qué que cuál cual cuáles cómo como cuánto cuántos cuántas quién dónde cuándo por para en de usted ha está
	was welche welcher welches wie wer wo wann warum haben hat sind ist bitte inwieweit quel quelle quels quelles comment
	combien qui où quand pourquoi avez êtes est pensez qual quais quanto quantos quem onde você o a`)

// answerClues are those of what stands in the columns, and of who answered.
func answerClues() []clue {
	labelled := func(l *look) bool { return len(l.labels) > 0 }
	steps := func(l *look) float64 { return float64(min(max(len(l.values), len(l.labels)), 20)) }
	numbers := func(p *pair) bool { return p.a.number && p.b.number }
	word := func(l *look) bool { return l.tick.kind == one || l.tick.kind == blank || l.tick.kind == onlyNo }
	return []clue{
		yes("answers.labelled", func(p *pair) bool { return labelled(p.a) && labelled(p.b) }),
		yes("answers.oneLabelled", func(p *pair) bool { return labelled(p.a) != labelled(p.b) }),
		yes("answers.sameLabels", func(p *pair) bool {
			return labelled(p.a) && maps.Equal(p.a.labels, p.b.labels)
		}),
		{"answers.labels", func(p *pair) float64 { return share(p.named, max(len(p.a.labels), len(p.b.labels))) }},
		{"answers.common", func(p *pair) float64 { return share(p.both, p.all) }},
		{"answers.within", func(p *pair) float64 { return share(p.both, min(len(p.a.values), len(p.b.values))) }},
		yes("answers.many", func(p *pair) bool { return p.a.many || p.b.many }),
		yes("answers.numbers", numbers),
		yes("answers.oneNumbers", func(p *pair) bool { return p.a.number != p.b.number }),
		yes("answers.sameMost", func(p *pair) bool {
			return numbers(p) && p.a.filled > 0 && p.b.filled > 0 && p.a.most.Cmp(p.b.most) == 0
		}),
		yes("answers.sameLeast", func(p *pair) bool {
			return numbers(p) && p.a.filled > 0 && p.b.filled > 0 && p.a.least.Cmp(p.b.least) == 0
		}),
		{"answers.stepsFirst", func(p *pair) float64 { return steps(p.a) }},
		{"answers.steps", func(p *pair) float64 { return steps(p.b) }},
		yes("answers.scales", func(p *pair) bool { return p.a.scale && p.b.scale }),
		yes("answers.oneScale", func(p *pair) bool { return p.a.scale != p.b.scale }),
		yes("answers.known", func(p *pair) bool { return p.a.known && p.b.known }),
		yes("answers.rungs", func(p *pair) bool { return p.a.rung && p.b.rung }),
		{"answers.tick", func(p *pair) float64 {
			if p.a.tick.kind != p.b.tick.kind {
				return -1
			}
			return float64(p.a.tick.kind)
		}},
		yes("answers.ticks", func(p *pair) bool { return p.a.tick.kind >= onlyNo && p.b.tick.kind >= onlyNo }),
		yes("answers.oneTick", func(p *pair) bool { return p.a.tick.chosen() != p.b.tick.chosen() }),
		yes("answers.word", func(p *pair) bool { return word(p.a) || word(p.b) }),
		yes("answers.sameYes", func(p *pair) bool { return p.a.tick.yes != "" && p.a.tick.yes == p.b.tick.yes }),
		{"answers.sameInFile", func(p *pair) float64 { return share(p.b.sameAnswers, p.b.columns) }},
		{"answers.sameColumns", func(p *pair) float64 { return float64(min(p.b.sameAnswers, 40)) }},
		{"answers.long", func(p *pair) float64 { return float64(min(120, p.a.longest+p.b.longest)) / 2 }},
		yes("asked.same", func(p *pair) bool { return p.a.filled == p.b.filled }),
		yes("asked.all", func(p *pair) bool { return p.a.filled == p.a.rows() && p.b.filled == p.b.rows() }),
		{"asked.apart", func(p *pair) float64 {
			return float64(max(p.a.filled-p.b.filled, p.b.filled-p.a.filled)) / float64(max(1, p.a.rows()))
		}},
		{"asked.ratio", func(p *pair) float64 {
			return float64(min(p.a.filled, p.b.filled)) / float64(max(1, p.a.filled, p.b.filled))
		}},
		{"asked.share", func(p *pair) float64 { return float64(p.b.filled) / float64(max(1, p.b.rows())) }},
		yes("asked.together", func(p *pair) bool { return p.together }),
		yes("asked.togetherOfSome", func(p *pair) bool { return p.together && p.a.filled < p.a.rows() }),
		yes("asked.filter", func(p *pair) bool {
			return p.b.filled < p.a.filled && slices.ContainsFunc(p.a.column.values, func(v value) bool {
				return v.n == p.b.filled
			})
		}),
		yes("asked.gap", func(p *pair) bool { return p.b.at-p.a.at > 1 }),
	}
}
