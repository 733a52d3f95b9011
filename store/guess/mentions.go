package guess

import (
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/crosswave/crosswave/audience"
)

// ordinals are words that tell of a column whether it holds what was mentioned first, second and so on; those for what
// is foremost go with second and third, too: "the biggest problem" and "the second biggest problem".
var ordinals = ordinalsOf(
	`first 1st top primary primer primera primero primeira primeiro premier première erste erster erstes ersten prima primo
	1ª 1º 1ra 1ro 1er 1ère eerste første första pierwszy pierwsza pierwsze первый первая первое birinci pertama`,
	`second 2nd secondary segon segunda segundo deuxième seconde zweite zweiter zweites zweiten seconda secondo
	2ª 2º 2da 2do 2e 2ème tweede andre andra drugi druga drugie второй вторая второе ikinci kedua`,
	`third 3rd tercer tercera tercero terceira terceiro troisième dritte dritter drittes dritten terza terzo
	3ª 3º 3ra 3ro 3e 3ème derde tredje trzeci trzecia trzecie третий третья третье üçüncü ketiga`,
	`fourth 4th cuarta cuarto quarta quarto quatrième vierte vierter viertes
	4ª 4º 4ta 4to 4e 4ème vierde fjerde fjärde czwarty czwarta четвертый четвертая dördüncü keempat`,
	`fifth 5th quinta quinto cinquième fünfte fünfter fünftes
	5ª 5º 5ta 5to 5e 5ème vijfde femte piąty piąta пятый пятая beşinci kelima`,
)

// mentionWords are words that a number stands beside if it is that of a mention.
var mentionWords = set(`mention mentions mentioned mención mencion menção mencao nennung citation citazione choice
	priority prioridad prioridade reason razón razon motivo raison grund preference preferencia
	preferência préférence`)

func ordinalsOf(places ...string) map[string]int {
	m := map[string]int{}
	for i, list := range places {
		for w := range strings.FieldsSeq(list) {
			m[w] = i + 1
		}
	}
	return m
}

// bracketedNumber is a question with the number of a mention behind it.
var bracketedNumber = regexp.MustCompile(`^(.*\pL.*)\(([1-9])\)\s*$`)

// rank tells which mention a column holds by its question, or its name where it has none: the word or the number that
// says so, 1 if none does. The number of the question in front is left out.
func rank(text string) (place int, rest []string, said bool) {
	if m := bracketedNumber.FindStringSubmatch(text); m != nil {
		return atoi(m[2]), words(m[1]), true
	}
	list := words(text)
	for len(list) > 0 && (len([]rune(list[0])) == 1 || strings.Trim(list[0], "0123456789") == "") {
		if len(list) > 1 && list[0] == "1" && list[1] == "st" || len(list) > 1 && (list[1] == "nd" || list[1] == "rd" ||
			list[1] == "th") {
			break
		}
		list = list[1:]
	}
	place = 1
	for i := 0; i < len(list); i++ {
		w := list[i]
		number := strings.Trim(w, "12345") == "" && len(w) == 1
		switch {
		case number && i+1 < len(list) && ordinals[w+list[i+1]] > 0:
			place, said = ordinals[w+list[i+1]], true
			i++
		case number && (i > 0 && mentionWords[list[i-1]] || i+1 < len(list) && mentionWords[list[i+1]]):
			place, said = atoi(w), true
		case ordinals[w] > 0 && !said:
			place, said = ordinals[w], true
		default:
			rest = append(rest, w)
		}
	}
	return place, rest, said
}

// mostBetween is how many columns may stand between two mentions: what was written beside "other", and what follows it.
const mostBetween = 2

// ranks lists the groups of columns that may hold what was mentioned first, second and so on, in that order, near each
// other and under the same words.
func (f *File) ranks() (groups [][]int) {
	taken := map[int]bool{}
	for i := range f.Columns {
		place, rest, _ := f.Columns[i].rank()
		if taken[i] || place != 1 || len(rest) == 0 {
			continue
		}
		group := []int{i}
		for j := i + 1; j < len(f.Columns) && j <= group[len(group)-1]+mostBetween+1; j++ {
			place, other, said := f.Columns[j].rank()
			if said && place == len(group)+1 && sameWords(rest, other) {
				group = append(group, j)
			}
		}
		if len(group) >= 2 {
			groups = append(groups, group)
			for _, j := range group {
				taken[j] = true
			}
		}
	}
	return groups
}

// rank is that of the column's question, or of its name where it has none; 0 if it can be no mention.
func (c *Column) rank() (place int, rest []string, said bool) {
	const longest = 1000
	switch {
	case c.Virtual || c.Kind == Quantity || c.Kind == Date || len(c.Name)+len(c.Label) > longest:
		return 0, nil, false
	case c.bareLabel() != "": // "Q5a. The first problem"
		return rank(c.bareLabel())
	case c.Label != "":
		return rank(c.Label)
	}
	return rank(c.Name)
}

// sameWords tells whether two lists of words are the same, or one is the beginning of the other, cut where a program
// cuts names.
func sameWords(a, b []string) bool {
	x, y := strings.Join(a, " "), strings.Join(b, " ")
	if len(x) > len(y) {
		x, y = y, x
	}
	return x == y || len(x) >= 12 && strings.HasPrefix(y, x)
}

// nothingMore are labels for what a respondent did not mention any more.
var nothingMore = regexp.MustCompile(`(?i)^(?:no|none|nothing) (?:further|more|other|second|third|additional)\b|` +
	`^(?:ningun[ao]?|no) (?:otr[ao]s?|más|mas|menciona)\b|^nenhum[ao]? outr|^keine weitere|^(?:pas|aucune?) (?:d.)?autre|` +
	`^nessun.? altr`)

// told is how many respondents gave an answer, and did not say that they had none, or none besides those before.
func (c *column) told() int64 {
	n := c.filled
	for _, v := range c.values {
		if c.fills(v.text) {
			n -= v.n
		}
	}
	return n
}

// fills tells whether an answer only fills the place of one that is not there: its label says that there is none, or it
// is a nought among numbers without labels.
func (c *column) fills(text string) bool {
	return c.labels.idle[text] || text == "0" && c.number && len(c.Labels) == 0
}

// mentions makes multiple choices of columns that hold what was mentioned first, second and so on: by their questions
// or names, with the same answers, which are no steps of a scale, fewer of them at each place, and hardly anybody with
// the same answer twice.
func (g *guesser) mentions() {
	for k, group := range g.ranked[:g.inWords] {
		for n := len(group); n > 0 && g.columns[group[n-1]].filled == 0; n-- { // nobody mentioned so many
			group = group[:n-1]
		}
		if len(group) < 2 {
			continue
		}
		first := g.columns[group[0]]
		shape, list := newShape(), []choice{}
		var members []member
		for n, i := range group {
			c := g.columns[i]
			if c.taken || c.named || c.alone || c.many || c.filled == 0 || len(c.values) > mostAnswers ||
				c.number && !c.numbersOptions() || c.separated() || c.tick().kind != noTick || c.ordered() != nil ||
				n > 0 && (!shape.fits(c) || c.told() > g.columns[group[n-1]].told()) {
				members = nil
				break
			}
			shape.add(c)
			members = append(members, member{at: i})
			for _, o := range c.choices() {
				if !slices.ContainsFunc(list, func(p choice) bool { return p.value == o.value }) {
					list = append(list, o)
				}
			}
		}
		if members == nil || len(list) < 4 || g.repeated[len(g.file.Sets)+k] > max(5, g.rows/10) || first.filled < 10 {
			continue
		}
		g.mentioned(members, list)
	}
}

// numbersOptions tells of a column of numbers whether they may be those of the options of a list: they have labels, or
// are whole, from 1 on and few, and its name tells of no amount.
func (c *column) numbersOptions() bool {
	const most = 40
	return len(c.Labels) > 0 && !c.onlyAsides() ||
		c.integer && c.least.Sign() > 0 && c.most.Float64() <= most && !c.quantity &&
			!has(words(c.code), amountWords) && !has(words(c.wording), amountWords)
}

// mentioned makes one multiple choice of columns that each hold one of its answers.
func (g *guesser) mentioned(members []member, list []choice) {
	slices.SortStableFunc(list, func(a, b choice) int { return btoi(!a.labelled) - btoi(!b.labelled) })
	stem := strings.TrimSuffix(g.common(members), "_0")
	if !strings.ContainsFunc(stem, unicode.IsLetter) {
		stem = g.columns[members[0].at].code
	}
	code, label := g.heading(stem, "", members)
	d := draft{at: members[0].at, question: audience.Question{Code: code, Name: label, Kind: audience.Multi}}
	var columns []*column
	for _, m := range members {
		columns = append(columns, g.columns[m.at])
		d.columns.Mentions = append(d.columns.Mentions, g.columns[m.at].origin.Name)
	}
	d.columns.Missing = absent(columns...)
	if !slices.ContainsFunc(list, func(o choice) bool { return o.value == "0" }) &&
		slices.ContainsFunc(columns, func(c *column) bool { return c.fills("0") && !c.unseen("0") }) {
		d.columns.Missing = append(d.columns.Missing, "0")
	}
	d.question.Datapoints, d.columns.Datapoints = datapoints(code, list)
	why := Reason{Kind: ReasonMentions}
	for _, m := range members {
		g.read(m.at, "multi", code, why)
	}
	g.add(d)
	g.note("question %s: %s read as one multiple choice (%s), because %s", code, plural(len(members), "column"),
		g.span(members), why)
}
