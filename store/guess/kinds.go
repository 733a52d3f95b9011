package guess

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/store/survey"
)

// rest reads the columns that are in no group, each as a question of its own if it can be one.
func (g *guesser) rest() {
	for _, i := range g.open() {
		if g.answers > g.file.mostAnswers() {
			return // to no avail
		}
		c := g.columns[i]
		switch {
		case c.Name == "":
			g.leave(i, Reason{Kind: ReasonNameless})
		case c.broken:
			g.leave(i, Reason{Kind: ReasonBytes})
		case c.filled == 0 && (c.missing == 0 || bare(c.choices()) == len(c.choices())):
			g.leave(i, Reason{Kind: Empty}) // whatever its labels: nobody was asked
		case g.joinedAgain(i):
			g.leave(i, Reason{Kind: ReasonAgain})
		case c.technical():
			g.leave(i, Reason{Kind: ReasonTool})
		case c.ofDesign():
			g.leave(i, Reason{Kind: ReasonDesign})
		case c.Kind == Date || c.date && !c.number && len(c.Labels) == 0:
			g.leave(i, Reason{Kind: ReasonTimes})
		case len(c.Labels) > 0 && g.labelledChoice(i):
		case c.number && c.Kind != Text:
			g.numbers(i)
		case g.writtenBeside(i):
			g.leave(i, Reason{Kind: ReasonFreeText})
		case g.separatedChoice(i):
		default:
			g.texts(i)
		}
	}
	var unused, lacking []string
	for i, c := range g.columns {
		if g.readings[i].Of != "" && c.missing > c.lost {
			lacking = append(lacking, c.origin.Name)
		}
	}
	if len(lacking) > 0 {
		g.note("%s: values that the file declares as missing are no answers", listed(lacking))
	}
	for i := range g.columns {
		if r := &g.readings[i]; r.As == NotUsed && r.Why.Kind != AnotherWeight && r.Why.Kind != Empty {
			unused = append(unused, r.Column)
		}
	}
	if len(unused) > 0 {
		g.note("%s: not used, because they hold dates, free text, or a value of its own for every respondent", listed(unused))
	}
}

// joinedAgain tells whether a column holds all that was chosen, with a column for each answer beside it: those of a
// multiple choice whose names go on behind its own with the answers that stand in it, as q5/tea does behind q5.
func (g *guesser) joinedAgain(i int) bool {
	c := g.columns[i]
	if c.number && c.integer && c.most.Float64() > 999 || c.filled == 0 {
		return false
	}
	if g.parts[c.Name] > 0 && g.beginsWithOptions(i) {
		return true
	}
	options := map[string]bool{}
	for j := i + 1; j < len(g.columns); j++ {
		rest, found := strings.CutPrefix(g.columns[j].Name, c.Name)
		if !found && g.parts[c.Name] == 0 {
			break
		}
		if found && g.readings[j].As == "multi" && len(rest) > 1 && strings.ContainsAny(rest[:1], "/._") {
			options[strings.Trim(rest, "/._")] = true
		}
	}
	if len(options) < 2 {
		return false
	}
	known, all := 0, 0
	for _, v := range c.values {
		for _, piece := range strings.Fields(v.text) {
			all++
			known += btoi(options[piece] || options[notInNames.ReplaceAllString(piece, ".")])
		}
	}
	return all > 0 && 10*known >= 9*all
}

// choice makes a question of one column with a list of answers. A code that is not the column's name is explained by
// it.
func (g *guesser) choice(i int, kind, separator string, list []choice, why Reason) {
	c := g.columns[i]
	code, label := g.code(c.origin.Name), c.origin.Label
	if label == "" && code != c.Name {
		label = c.Name
	}
	d := draft{at: i, question: audience.Question{Code: code, Name: label, Kind: kind}}
	d.columns = survey.QuestionColumns{Column: c.origin.Name, Separator: separator, Missing: absent(c)}
	d.question.Datapoints, d.columns.Datapoints = datapoints(code, list)
	g.add(d)
	g.read(i, kind, code, why)
}

// single makes a question of one choice.
func (g *guesser) single(i int, why ReasonKind) {
	g.choice(i, audience.Single, "", g.columns[i].choices(), Reason{Kind: why})
}

const mostAnswers = 5000 // of a question

// labelledChoice reads a column whose values have labels as a choice, unless most values have none, as those of a
// number with a few special values.
func (g *guesser) labelledChoice(i int) bool {
	c := g.columns[i]
	if c.many || len(c.values) > mostAnswers {
		return false
	}
	list := c.choices()
	extra := bare(list)
	if separator := c.labelledLists(); separator != "" && extra > 0 {
		list = slices.DeleteFunc(slices.Clone(list), func(o choice) bool { return !o.labelled })
		g.inFields(i, list, Reason{Kind: ReasonSeparated, Text: separator})
		return true
	}
	switch {
	case len(list) == 0, len(list) > mostAnswers:
		return false
	case c.farLabels(), c.quantity && c.number && c.labelsBelowZero():
		return false // a number beside which codes stand for what is none
	case c.onlyAsides() && c.number && slices.ContainsFunc(list, func(o choice) bool {
		return !o.labelled && atoi(o.value) > 10
	}):
		return false // a number, of which no value but those beside it has a name
	case len(c.Labels) > 30: // a list, of occupations perhaps
	case extra > 25, c.Kind == Quantity && extra > 0, extra > 3 && extra > len(list)/2 && c.number &&
		(c.called() || c.decimals > 0):
		return false
	}
	g.single(i, ReasonLabels)
	if extra > 0 {
		g.note("question %s: %s without a label in the file, and an answer all the same", g.readings[i].Of,
			plural(extra, "value"))
	}
	return true
}

// numbers reads a column of numbers: codes, a number to cut into bands, or nothing that can be asked about.
func (g *guesser) numbers(i int) {
	c := g.columns[i]
	n, few := len(c.values), c.fewNumbers()
	switch {
	case c.unique() && c.integer && len(c.Labels) == 0 && (!c.unsure && c.rows() > 20 && !c.called() ||
		c.rank(respondentNames) >= 0):
		g.leave(i, Reason{Kind: ReasonOwnNumbers})
	case !c.many && n == 1 && len(c.Labels) == 0 && !c.quantity:
		g.single(i, ReasonOneValue)
	case len(c.Labels) > 30:
		g.leave(i, Reason{Kind: ReasonMany})
	case c.unwieldy():
		g.leave(i, Reason{Kind: ReasonDigits})
	case c.identifies():
		g.leave(i, Reason{Kind: ReasonID})
	case c.coded() && few && n <= mostCoded:
		g.single(i, ReasonCodes)
		g.singles = append(g.singles, c.origin.Name)
	case c.coded():
		g.leave(i, Reason{Kind: ReasonManyCodes})
	case few && c.onlyGroups():
		g.single(i, ReasonCodes)
		g.singles = append(g.singles, c.origin.Name)
	case c.Kind == Quantity || c.called() || len(c.Labels) > 0 || c.counts() || c.tens():
		g.banded(i)
	case few && (g.counts(c) || g.countsBeside(i) || g.amongNumbers(i)):
		g.banded(i)
	case c.likeCodes():
		g.single(i, ReasonFewNumber)
		g.singles = append(g.singles, c.origin.Name)
	default:
		g.banded(i)
	}
}

// fewNumbers tells whether a column holds few whole numbers; those below zero are codes for no answer in some files.
func (c *column) fewNumbers() bool { return !c.many && c.integer && c.least.Float64() >= -99 }

// likeCodes tells whether few whole numbers are as few as those of answers to choose from are, or go from 0 or 1 on,
// or have some beside them that stand for other answers, as 96 and 98 do.
func (c *column) likeCodes() bool {
	const few, most = 12, 25
	n, top := len(c.values), c.most.Float64()
	if !c.fewNumbers() || n > most {
		return false
	}
	if len(c.beside) > 0 {
		n, top = n-len(c.beside), c.ordinary()
	}
	return n <= few && top <= 999 || c.least.Sign() >= 0 && top < float64(n)+2 || c.specialsAbove()
}

// specialsAbove tells whether numbers that stand for other answers are among the values, and all others lie below them:
// among amounts around a hundred 98 is one, too.
func (c *column) specialsAbove() bool {
	first, last := math.MaxInt, math.MinInt
	for _, v := range c.values {
		if n := atoi(v.text); specials[v.text] {
			first = min(first, n)
		} else {
			last = max(last, n)
		}
	}
	return first < math.MaxInt && last < first
}

// identifies tells whether a column of numbers is named as an id, and nearly every respondent has another one.
func (c *column) identifies() bool {
	list := words(c.code)
	named := c.rank(respondentNames) >= 0 || has(list, set("id ids idnum idno idnr idnumber"))
	return named && c.integer && len(c.Labels) == 0 && (c.many || 10*int64(len(c.values)) >= 9*c.filled)
}

// mostCoded is how many codes without a label are answers to choose from.
const mostCoded = 40

// doubtful are words for places that mean other things, too: land is owned, a state is one of mind, and dep may be a
// depression.
var doubtful = set("land state states estado estados dep lan mun nation reg area zona zone home city uf")

// codedWords say of numbers that they are codes, of respondents' own words or of states, however small they are.
var codedWords = set("codif codificada codificado codificacion ciuo isco fips stfips")

// codeWords say of whole numbers that they are names and not amounts: of places, people, occupations and the like;
// amountWords that they are amounts all the same.
var (
	codeWords = set(`id ids code codes cod codigo código kode psu upm ubigeo fips cluster conglomerado folio
		interviewer encuestador entrevistador enquêteur intervieweur supervisor serial isco isic nace ciuo naics dma
		tract taz taz2010 puma puma10 puma20 geoid zcta cbsa`)
	amountWords = set(`number numero número nummer count many much size tamaño miles km distance minutes hours years
		population income spend total sum score percent cuántos cuántas quantos combien wieviele anzahl n rate average
		age time days index`)
)

// calledCode is a name that says in the end that codes stand in the column, of what was written beside: fish2code.
var calledCode = regexp.MustCompile(`(?i)\d_?code$`)

// coded tells whether a column holds whole numbers that name something. Small ones may be counts.
func (c *column) coded() bool {
	name, asked := words(c.code), words(c.wording)
	if c.integer && len(c.Labels) == 0 && (has(name, codedWords) || calledCode.MatchString(c.code)) {
		return true
	}
	if !c.integer || c.least.Float64() < 10 || c.most.Float64() < 100 || len(c.Labels) > 0 {
		return false
	}
	if c.code == c.wording && len(name) > 1 || len(asked) > 8 || has(name, amountWords) || has(asked, amountWords) {
		return false
	}
	place := func(list []string) bool {
		return len(list) <= 8 && slices.ContainsFunc(list, func(w string) bool {
			return slices.Contains(placeWords, w) && !doubtful[w]
		})
	}
	return has(name, codeWords) || has(asked, codeWords) || place(name) || len(asked) <= 4 && place(asked)
}

// rows is the number of rows of the file.
func (c *column) rows() int64 { return c.filled + c.empty + c.missing }

// specials are the numbers that questionnaires give to answers beside the list.
var specials = set("96 97 98 99 996 997 998 999")

// banded makes a number question.
func (g *guesser) banded(i int) {
	c := g.columns[i]
	code := g.code(c.origin.Name)
	d := draft{at: i, question: audience.Question{Code: code, Name: c.origin.Label, Kind: audience.Number, Unit: c.unit()}}
	d.columns = survey.QuestionColumns{Column: c.origin.Name, Missing: absent(c)}
	bands := c.bands()
	codes, asides := names{}, []string(nil)
	for k, b := range bands {
		point := audience.Datapoint{Code: codes.take(fmt.Sprintf("%s_%d", code, k+1), ""), Name: b.name}
		place := survey.AnswerColumn{From: b.from, To: b.to}
		if b.aside {
			asides = append(asides, fmt.Sprintf("%s (%s)", b.from, b.name))
			place = survey.AnswerColumn{Column: c.origin.Name, Value: b.from}
		} else {
			middle := b.middle
			point.Midpoint = &middle
		}
		d.question.Datapoints = append(d.question.Datapoints, point)
		d.columns.Datapoints = append(d.columns.Datapoints, place)
	}
	g.add(d)
	why := Reason{Kind: ReasonNumbers}
	if c.called() {
		why.Kind = ReasonCalled
	} else if c.Kind == Quantity {
		why.Kind = ReasonQuantity
	}
	g.read(i, "number", code, why)
	g.note("column %s: read as a number in %s from %s to %s, because %s", c.origin.Name, plural(len(bands), "band"),
		c.least, c.most, why)
	if len(asides) > 0 {
		g.note("column %s: %s: an answer, and no number", c.origin.Name, strings.Join(asides, ", "))
	}
}

// separatedChoice reads a column that holds several answers in one field.
func (g *guesser) separatedChoice(i int) bool {
	c := g.columns[i]
	separator, ok := c.separator()
	if !ok {
		separator, ok = g.separatedBeside(i)
	}
	if !ok {
		return g.severalAsOthers(i)
	}
	pieces := c.pieces.by(slices.Index(separators[:], separator))
	several := separator == ";" || !c.many && sortedLists(c.values, separator) ||
		severalAsked.MatchString(c.Name+" "+c.Label) && pieces.least < pieces.at && !has(words(c.Name), proseWords)
	if c.unique() && c.filled >= 20 && (!several || pieces.all < 3*int64(len(pieces.list))) {
		return false // sentences, unless the same pieces are put together in as many ways as there are respondents
	}
	g.fields[i] = fields{separator, pieces.list}
	g.inFields(i, pieces.answers(c, separator), Reason{Kind: ReasonSeparated, Text: separator})
	return true
}

// inFields makes a multiple choice of a column that may hold several answers in a field, with the reason's text between
// them.
func (g *guesser) inFields(i int, list []choice, why Reason) {
	g.choice(i, audience.Multi, why.Text, list, why)
	g.note("column %s: read as a multiple choice of %s, because %s", g.columns[i].origin.Name,
		plural(len(list), "answer"), why)
}

// proseWords ask for sentences.
var proseWords = set("explain why describe comment comments specify elaborate enter address addresses names")

// texts reads a column of words as a choice if few stand there again and again.
func (g *guesser) texts(i int) {
	c := g.columns[i]
	n := int64(len(c.values))
	switch {
	case c.unique() && !c.unsure && c.filled >= 5:
		g.leave(i, Reason{Kind: ReasonOwnTexts})
	case c.comments():
		g.leave(i, Reason{Kind: ReasonFreeText})
	case c.mostlyFew(), c.longAnswers():
		g.single(i, ReasonFewTexts)
		g.singles = append(g.singles, c.origin.Name)
	case c.besideRefusals(), c.specified(), c.many || c.longest > longValue || n > 300,
		n > 12 && c.filled < 4*n, n > 4 && c.filled < 2*n:
		g.leave(i, Reason{Kind: ReasonFreeText})
	default:
		g.single(i, ReasonFewTexts)
		g.singles = append(g.singles, c.origin.Name)
	}
}

// remarks are words for what respondents may write of their own.
var remarks = set(`comment comments commentary remark remarks kommentar kommentare anmerkung anmerkungen bemerkung
	bemerkungen comentario comentarios comentário comentários observaciones observações commentaire commentaires remarque
	remarques commenti osservazioni opmerking opmerkingen uwagi komentarz комментарий комментарии коментар`)

// comments tells whether a column asks for nothing but remarks, or for more of them, and is not answered by yes and no
// or on a scale.
func (c *column) comments() bool {
	list := words(c.Name)
	if c.wording != "" {
		list = words(c.wording)
	}
	if len(list) == 0 || !remarks[list[len(list)-1]] || len(list) > 2 || len(list) == 2 && !furtherWords[list[0]] {
		return false
	}
	return len(c.Labels) == 0 && !c.tick().chosen() && c.ordered() == nil
}

// furtherWords are words in front of remarks.
var furtherWords = set(`additional further other general final any more weitere sonstige otros otras más outros outras
	autres altri andere`)

// besideRefusals tells whether each thing that respondents wrote beside "no answer" and the like was written only once.
func (c *column) besideRefusals() bool {
	const least = 4
	own, refused := 0, false
	for _, v := range c.values {
		switch {
		case aside(v.text) > 0:
			refused = true
		case v.n > 1:
			return false
		default:
			own++
		}
	}
	return refused && own >= least && !c.many
}

// longAnswers tells whether respondents chose one of a few answers that are whole sentences, nearly each of them often.
// Of answers to choose from, one at least has no more than 150 letters; essays are longer, all of them.
func (c *column) longAnswers() bool {
	const most, often, longest, letters = 12, 3, 4 * longValue, 150
	n := int64(len(c.values))
	if c.many || n < 2 || n > most || c.longest > longest || c.filled < 2*often*n || c.specified() {
		return false
	}
	seldom, short := int64(0), false
	for _, v := range c.values {
		if v.n < often {
			seldom += v.n
		}
		short = short || utf8.RuneCountInString(v.text) <= letters
	}
	return short && 20*seldom <= c.filled
}

// mostlyFew tells whether nearly everyone gave one of a few answers, each of which several gave, to a question to which
// others wrote their own.
func (c *column) mostlyFew() bool {
	const most, list, seldom, length, sentence = 300, 20, 100, 200, 20
	n := int64(len(c.values))
	if c.many || n > most || n <= 12 || c.specified() || c.besideOther() || 3*c.filled < c.rows() {
		return false
	}
	least, share := int64(3), 0.75
	if c.filled < seldom {
		least, share = 2, 0.8
	}
	answers, given, long := 0, int64(0), int64(0)
	written := map[string]bool{}
	for _, v := range c.values {
		if v.n < least {
			continue
		}
		low := strings.ToLower(v.text)
		if written[low] || strings.Contains(low, "://") {
			return false // nobody but respondents writes an answer in two ways
		}
		written[low] = true
		if v.n >= c.filled/seldom && len(v.text) <= length {
			answers++
			given += v.n
			long += v.n * int64(utf8.RuneCountInString(v.text))
		}
	}
	if long >= sentence*given && !has(words(c.Name), remarks) { // nobody writes as much as others do, letter by letter
		share = 0.6
	}
	return answers >= 2 && answers <= list && float64(given) >= share*float64(c.filled)
}
