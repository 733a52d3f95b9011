package guess

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Numbers that are few and quantities all the same: counts, totals and steps of a hundred.

// howMany asks for a count or names one, in the languages of many surveys, and totals name a sum or a score.
var (
	howMany = regexp.MustCompile(`(?i)(?:^|[^\pL])(?:how many|number of|no\. of|household[ _]?size|family[ _]?size|` +
		`wie ?viele|anzahl|cu[áa]nt[oa]s|n[úu]mero de|combien de|nombre de|quant[oa]s|quant[ie]|numero di|hoeveel|aantal|` +
		`kaç|kolik(?:rát)?|po[čc]et|сколько|количество|liczba|hány|siblings?)(?:[^\pL]|$)`)
	totals = regexp.MustCompile(`(?i)(?:^|[^\pL])(?:total|scor(?:e|es|ing)|points|correct|incorrect)(?:[^\pL]|$)`)
)

// grouped are words that say of ages or amounts that they were put into groups.
var grouped = set(`group groups grp range bracket brackets band bands category categories cat class interval gruppe
	gruppen klasse kategorie altersgruppe grupo grupos faixa rango tramo tranche groupe catégorie fascia grupa kategoria
	группа категория grubu kelompok`)

// intoGroups tells whether a column holds the numbers of groups, as its name says: few of them, from 0 or 1 on.
func (c *column) intoGroups() bool {
	return (has(words(c.Name), grouped) || has(words(c.Label), grouped) && len(words(c.Label)) <= 6) && !c.many &&
		c.integer && c.least.Sign() >= 0 && c.least.Float64() <= 1 && c.most.Float64() < float64(len(c.values))+2
}

// ofGroups are words for what is put into groups where its numbers are codes.
var ofGroups = set(`age alter edad âge idade età wiek yaş ålder leeftijd возраст income salary earnings ingreso ingresos
	renda einkommen revenu salario`)

// young are words for those whose ages are small numbers.
var young = set(`child children kid kids baby babies son sons daughter daughters hijo hijos hija hijas niño niños enfant
	enfants kind kinder filho filhos filha youngest oldest eldest infant`)

// amounts are those of them for amounts, which are put into more groups than ages are.
var amounts = set(`income salary earnings ingreso ingresos renda einkommen revenu salario`)

// onlyGroups tells whether ages or incomes are so few numbers from 0 or 1 on that they are those of groups.
func (c *column) onlyGroups() bool {
	const ages, incomes, enough = 12, 30, 30
	if c.quantity || len(c.Labels) > 0 || c.filled < enough || c.many || !c.integer || c.Kind == Quantity ||
		len(c.values) < 2 || c.least.Sign() < 0 || c.least.Float64() > 1 || has(words(c.Name+" "+c.Label), young) ||
		!has(words(c.Name), ofGroups) && !has(words(c.Label), ofGroups) {
		return false
	}
	top, groups, most := c.ordinary(), 0, float64(ages)
	for _, v := range c.values {
		groups += btoi(float64(atoi(v.text)) <= top)
	}
	if has(words(c.Name), amounts) {
		most = incomes
	}
	return top <= most && top < float64(groups)+2
}

// Words for people and for how old they are, in names of columns.
var (
	peopleWords = set(`resident residents person persons people member members children child kids adult adults male
		males female females men women man woman boy boys girl girls niño niños niña niñas ninos ninas adulto adultos
		adulta adultas hombre hombres mujer mujeres personas enfant enfants adulte adultes homme hommes femme femmes
		personnes kinder erwachsene personen criança crianças criancas homens mulheres pessoas bambini adulti uomini
		donne anak dewasa`)
	stageWords = set(`infant infants toddler toddlers baby babies young youth youths child children teen teens teenager
		teenagers adolescent adolescents adult adults senior seniors elderly elder elders old pensioners`)
	boundWords = set(`under over below above less more younger older menos mas más menores mayores moins plus unter
		über ab bis up acima abaixo`)
)

// peopleOfAnAge tells whether a name says people and how old they are, as residents_6_to_12, adultos_65_mas and
// female_infant do.
func peopleOfAnAge(name string) bool {
	var ages []int
	said, people, stage, bound, months := 0, false, false, false, false
	for _, p := range parts(name) {
		word := strings.ToLower(p.text)
		if p.kind == '0' {
			ages = append(ages, atoi(p.text))
		}
		said += btoi(peopleWords[word] || stageWords[word])
		people, stage, bound = people || peopleWords[word], stage || stageWords[word], bound || boundWords[word]
		months = months || word == "m" // as in 6m_4y
	}
	switch len(ages) {
	case 0:
		return people && stage && said > 1
	case 1:
		return people && bound
	case 2:
		return people && (ages[0] < ages[1] || months)
	}
	return false
}

// countsOfPeople makes numbers of three columns or more that stand together, are called as people of some ages are, and
// hold whole numbers from 0 on without labels, half of them above 1: how many of each there are in a household. Two
// that begin with the same age, as women_1_2 and women_1_3 would, are numbered otherwise.
func (g *guesser) countsOfPeople() {
	const least, most = 3, 40
	var run []*column
	several, from, twice := 0, map[string]bool{}, false // from is up to the first age
	flush := func() {
		if len(run) >= least && 2*several >= len(run) && !twice {
			for _, c := range run {
				c.quantity = true
			}
		}
		run, several, from, twice = nil, 0, map[string]bool{}, false
	}
	for _, c := range g.columns {
		if c.taken || c.alone || !c.number || !c.integer || len(c.Labels) > 0 || c.filled == 0 || c.least.Sign() != 0 ||
			c.most.Float64() > most || !peopleOfAnAge(c.code) {
			flush()
			continue
		}
		run = append(run, c)
		several += btoi(c.most.Float64() > 1)
		if m := firstAge.FindStringSubmatch(c.code); m != nil {
			twice = twice || from[m[1]]
			from[m[1]] = true
		}
	}
	flush()
}

// firstAge is a name up to the first of two numbers in it, without units.
var firstAge = regexp.MustCompile(`^(\D*\d+)\D+\d`)

// farCode is a number that questionnaires give to what is no number.
var farCode = regexp.MustCompile(`^(?:7{2,4}|8{2,4}|88?[89]\d?|8?90|9{2,5}|9{1,3}[5-8])$`)

// farLabels tells whether a column holds counts beside which a few codes that are far away have labels, whatever
// these say, as "less than one" does: nothing else has one, and there are more counts than a scale has steps, or its
// words ask for a count.
func (c *column) farLabels() bool {
	const steps, least = 10, 4
	counts, highest, lowest, far := c.farCodes()
	if !far || !c.integer || c.many {
		return false
	}
	asked := howMany.MatchString(c.Name) || howMany.MatchString(c.Label)
	return counts >= least && (highest > steps && (lowest > 100 || counts > steps) || asked)
}

// countsBesideCodes makes numbers of counts beside which nothing has a label but codes below zero, such as -99 "don't
// know": those whose words ask how many, and those that have the same labels and are called as one of these but for a
// number, as R2_a beside R1_a.
func (g *guesser) countsBesideCodes() {
	type look struct{ labels, letters string }
	asked := map[look]bool{}
	of := func(c *column) look { return look{answersOf(c), lettersOf(c.code)} }
	counts := func(c *column) bool {
		return !c.taken && c.number && c.integer && c.filled > 0 && c.labelsBelowZero() &&
			!slices.ContainsFunc(c.choices(), func(o choice) bool { return !o.labelled && strings.HasPrefix(o.value, "-") })
	}
	for _, c := range g.columns {
		if counts(c) && howMany.MatchString(c.Label) {
			asked[of(c)] = true
		}
	}
	for _, c := range g.columns {
		c.quantity = c.quantity || len(asked) > 0 && counts(c) && asked[of(c)]
	}
}

// labelsBelowZero tells whether a column has labels, and all are of codes below zero.
func (c *column) labelsBelowZero() bool {
	return len(c.Labels) > 0 && slices.Max(codesOf(c.Labels)) < 0
}

// farCodes tells whether all that has labels in a column of numbers are codes far away from all else, how many
// numbers else it holds, the highest of them, and the lowest code.
func (c *column) farCodes() (counts, highest, lowest int, far bool) {
	if !c.number || len(c.Labels) == 0 {
		return 0, 0, 0, false
	}
	for _, o := range c.choices() {
		if o.labelled {
			if !farCode.MatchString(o.value) {
				return 0, 0, 0, false
			}
			continue
		}
		n, err := strconv.Atoi(o.value)
		if err != nil || n < 0 {
			return 0, 0, 0, false
		}
		counts++
		highest = max(highest, n)
	}
	lowest = slices.Min(codesOf(c.Labels))
	return counts, highest, lowest, lowest > 2*highest
}

// codesOf are the numbers of labels.
func codesOf(labels []Label) (codes []int) {
	for _, l := range labels {
		codes = append(codes, atoi(canonical(l.Value)))
	}
	return codes
}

// counts tells whether a column holds counts or totals, as its name or its question says, and not the numbers of
// answers to choose from: these are seldom more than seven, and hardly any count is as high as the highest.
func (c *column) counts() bool {
	const least, top, zeroTop, rare = 5, 8, 5, 20
	if c.many || !c.integer || len(c.Labels) > 0 || len(c.values) < least || c.least.Sign() < 0 || c.shared() ||
		oneAsked.MatchString(c.Name+" "+c.Label) {
		return false
	}
	if most := c.most.Float64(); most < top && !(most >= zeroTop && c.least.Sign() == 0) {
		return false
	}
	if totals.MatchString(c.Name) || totals.MatchString(c.Label) {
		return !strings.Contains(c.Name+c.Label, "?") && len(words(c.Name)) <= mostWords && len(words(c.Label)) <= mostWords
	}
	return (howMany.MatchString(c.Name) || howMany.MatchString(c.Label)) && c.times(c.most.Float64())*rare <= c.filled
}

// countsBeside tells whether a question how many there are has few numbers as answers, where one next to it that
// begins with the same words is a count.
func (g *guesser) countsBeside(i int) bool {
	const near, same = 5, 4 // columns, and words without numbers
	opening := func(c *column) string {
		list := slices.DeleteFunc(words(c.wording), func(w string) bool { return strings.ContainsAny(w, digits) })
		return strings.Join(list[:min(len(list), same)], " ")
	}
	c := g.columns[i]
	if !howMany.MatchString(c.wording) || len(c.Labels) > 0 || c.least.Sign() < 0 || c.shared() {
		return false
	}
	for j := max(0, i-near); j <= min(i+near, len(g.columns)-1); j++ {
		o := g.columns[j]
		if j != i && o.number && (o.many || o.counts() || g.readings[j].As == "number") && opening(o) == opening(c) {
			return true
		}
	}
	return false
}

// amongNumbers tells whether a column has few numbers where half of the columns with its name, up to the number in
// it, have so many that they are quantities, as scores of the parts of a test and thresholds of hearing are, and none
// has so few as questions have answers. The steps of a scale are none.
func (g *guesser) amongNumbers(i int) bool {
	const scale, least = 7, 2
	c := g.columns[i]
	name := beforeNumber(c.code)
	if name == "" || generic[name] || len(c.Labels) > 0 || c.shared() || c.most.Float64() <= scale ||
		c.most.Float64() < float64(len(c.values)) || c.least.Sign() < 0 && !c.inFives() {
		return false
	}
	alike, numbers := 0, 0
	for j, o := range g.columns {
		if j == i || beforeNumber(o.code) != name {
			continue
		}
		if o.number && !o.many && o.most.Float64() <= scale && len(o.Labels) == 0 && o.filled > 0 {
			return false // a question among others
		}
		alike++
		numbers += btoi(g.readings[j].As == "number" || !o.taken && o.number && len(o.Labels) == 0 &&
			(!o.likeCodes() || o.tens()))
	}
	return numbers >= least && 2*numbers >= alike
}

// inFives tells whether all numbers of a column are multiples of five, as no codes are.
func (c *column) inFives() bool {
	const fewest = 5
	return len(c.values) >= fewest && !slices.ContainsFunc(c.values, func(v value) bool {
		return atoi(strings.TrimPrefix(v.text, "-"))%5 != 0
	})
}

// beforeNumber is a word of three letters or more in front of the first number in a name, in small letters; "" if
// there is none.
func beforeNumber(name string) string {
	if m := wordAndNumber.FindStringSubmatch(name); m != nil {
		return strings.ToLower(m[1])
	}
	return ""
}

var wordAndNumber = regexp.MustCompile(`^(\pL{3,})[_.]?\d`)

// times is how often a number stands in a column.
func (c *column) times(number float64) (n int64) {
	for _, v := range c.values {
		if f, err := strconv.ParseFloat(v.text, 64); err == nil && f == number {
			n += v.n
		}
	}
	return n
}

// shared tells whether a number stands beside the others that questionnaires give to those who do not know.
func (c *column) shared() bool {
	for _, v := range c.values {
		if besideScale(v.text) && c.ordinary() < c.most.Float64()/3 {
			return true
		}
	}
	return false
}

// tens tells whether a column holds fives and tens up to 100, of which no list of answers is made: shares, and places
// on a scale from 0 to 100. One answer in five may lie between them, if no more than half of all numbers up to the
// largest are there.
func (c *column) tens() bool {
	const least, top, step, between, sparse = 5, 20, 5, 5, 2
	if c.many || !c.integer || len(c.Labels) > 0 || c.most.Float64() > 100 || c.most.Float64() < top {
		return false
	}
	rest, fives := int64(0), 0
	for _, v := range c.values {
		n, err := strconv.Atoi(v.text)
		switch {
		case err != nil || n < 0:
			return false
		case n%step == 0:
			fives++
		default:
			rest += v.n
		}
	}
	return fives >= least && (rest == 0 || between*rest <= c.filled && sparse*len(c.values) <= int(c.most.Float64()))
}
