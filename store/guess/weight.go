package guess

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
)

// A weight changes every figure, so a column is not the weight because of its name alone: what speaks for it and
// against it is scored, and what comes near is named as a question.
const (
	enoughEvidence = 6 // points from which a column is used as the weight
	someEvidence   = 3 // points from which a column is named as a question
)

// mostMeasured is more than what is measured of bodies comes to.
const mostMeasured = 400

// mostPeople is more people than there are. Weights with a larger total may have lost their decimal points.
const mostPeople = 1e10

// Words that names and labels of weights have. Of the first kind nothing else is called so; of the second, bodies may
// be; of the third, much else.
var (
	weightWords = set(`weights wstep weighting weightfactor weightvar wgt wgts wght wt wts wtfactor gewichtung
		gewichtungsfaktor gewichtungsvariable hochrechnung hochrechnungsfaktor pondération ponderation
		ponderación ponderacion ponderação ponderacao ponderador ponderada ponderado pondera ponde pond fexp facexp
		factexp factorexp fex perwt hhwt finalwt finwt popwt samplewt sampwt svywt wtssall wtss pwgtp expansion
		expansión expansão redressement redress calage poststratification poststrat stratification raking rake
		rim calibration calibrated wegingsfactor weging weegfactor waga ważenie kalibrering viktning vægtning
		painokerroin pervgt hgew pgew 가중치 权重 權重 加权 加權 ウェイト 加重`)
	perhapsWeights = set("weight gewicht poids peso pes vikt vægt vekt paino pon wei súly ağırlık вес веса")
	maybeWeights   = set("fac factor facteur fator faktor coef coeff coeficiente coefficient w inflation projection " +
		"grossing")
	// Words beside which a weight is that of a body or of a thing, in a name or a label.
	bodyWords = set("kg kilo kilos kilogram kilograms kilogramm pound pounds lb lbs body birth stone lose losing loss " +
		"your you overweight bmi gained gain gramm grams libras corporal körper körpergewicht")
	// Words of columns beside which a column called weight may be that of the body.
	sizeWords = set("kg cm height bmi stature größe groesse körpergröße talla estatura altura taille lengte längd " +
		"imc waist hip")
)

// evidence is what speaks for a column being the weight.
type evidence struct {
	column   int
	points   int
	called   int  // of the points, those of its name and label
	complete bool // every respondent has a number
	possible bool // its values can be weights: the flag that names it would be obeyed
	body     bool // it is as large as bodies weigh, beside their heights
	speaks   []Evidence
	against  []Evidence
}

func (e *evidence) add(points int, kind EvidenceKind) { e.found(Evidence{Kind: kind, Points: points}) }

func (e *evidence) found(what Evidence) {
	e.points += what.Points
	if what.Points > 0 {
		e.speaks = append(e.speaks, what)
	} else {
		e.against = append(e.against, what)
	}
}

// ofThings are words that end as weights do and are none.
var ofThings = set("lightweight heavyweight overweight underweight counterweight paperweight featherweight")

// calledWeight scores what a column is called, from 3, which says weight, to 0; -1 is a body's.
func (c *column) calledWeight() int {
	score := func(list []string) int {
		joined := strings.Join(list, "")
		switch {
		case len(list) == 0:
			return 0
		case has(list, weightWords), weightWords[joined], slices.ContainsFunc(list, func(w string) bool {
			return strings.HasPrefix(w, "ponder") || strings.HasPrefix(w, "weight") && w != "weight" && w != "weighted" ||
				strings.HasSuffix(w, "weight") && w != "weight" && !ofThings[w] || strings.HasSuffix(w, "wgt") ||
				strings.HasPrefix(w, "gewichtung") || strings.HasPrefix(w, "redress")
		}):
			return 3
		case has(list, perhapsWeights):
			return 2
		case has(list, maybeWeights):
			return 1
		}
		return 0
	}
	name, label := words(c.code), words(c.wording)
	if has(name, bodyWords) || has(label, bodyWords) {
		return -1
	}
	n := score(name)
	if n == 0 && shortPonder.MatchString(c.code) {
		n = 2
	}
	if len(label) <= 8 {
		n = max(n, score(label))
	}
	if n == 0 && c.aroundOne() && (saysWeighted.MatchString(c.wording) || nearlyWeight.MatchString(c.code)) {
		return 1
	}
	if n == 2 && len(label) == 1 && has(name, perhapsWeights) && has(label, perhapsWeights) {
		return 3 // both say so, and nothing else
	}
	return n
}

// shortPonder is "ponderación" or the like in capitals, cut short before a letter or two for what is weighted, as in
// PONDI1.
var shortPonder = regexp.MustCompile(`^POND[A-Z]{1,2}\d?$`)

// nearlyWeight is a word for weights with a letter behind it for what is weighted, as in PESOE, or the short one at the
// end of a name, as in tcindwt: names of a column whose numbers lie around 1.
var nearlyWeight = regexp.MustCompile(`(?i)^(?:peso|poids|gewicht|waga|weight|vikt)\pL$|^\pL+wt$`)

// saysWeighted is a label of who is weighted by the column. A score that is weighted is no weight.
var saysWeighted = regexp.MustCompile(`(?i)^\W*(?:weighted (?:sample|base|respondents|cases)\b|` +
	`base: all respondents \(weighted\))`)

// aroundOne tells whether a column holds numbers with four decimals or more around 1, none of them 0: pesos that are
// money, and indices, do so hardly ever.
func (c *column) aroundOne() bool {
	const fewest = 4
	return c.number && c.filled > 0 && c.least.Sign() > 0 && c.decimals >= fewest && c.mean() > 0.95 && c.mean() < 1.05
}

// aroundThousands tells whether the mean of a column is near 1,000, 1,000,000 or the like: weights around 1 are written
// so where a file has whole numbers only. Codes such as 24E10476 are numbers without a mean, and as good as infinite.
func (c *column) aroundThousands() bool {
	for mean := c.mean() / 1000; mean > 0.95 && !math.IsInf(mean, 1); mean /= 1000 {
		if mean < 1.05 {
			return true
		}
	}
	return false
}

// weigh collects the evidence for column i. bodies tells that the file has columns of sizes of bodies.
func (g *guesser) weigh(i int, bodies bool) *evidence {
	c := g.columns[i]
	e := &evidence{column: i, called: c.calledWeight(), complete: c.filled == g.rows && c.filled > 0}
	if c.Weight {
		e.called = 3
	}
	e.possible = c.number && len(c.declared) == 0 && c.filled > 0
	switch {
	case e.called > 0:
		e.add(e.called, EvidenceCalled)
	case e.called < 0:
		e.add(-10, EvidenceCalledOther)
	}
	if !e.possible || c.least.Sign() < 0 || c.most.Sign() == 0 {
		e.add(-10, EvidenceNoWeights)
		return e
	}
	mean, distinct := c.mean(), len(c.values)
	switch {
	case !c.many && distinct == 1:
		e.add(-10, EvidenceSame)
	case mean > 0.95 && mean < 1.05 && !(c.integer && distinct < 4):
		e.add(3, EvidenceMean)
	case mean > 0.5 && mean < 2 && c.least.Float64() < 1 && c.most.Float64() > 1 && !c.integer:
		e.add(1, EvidenceAround)
	case mean*float64(c.filled) > mostPeople && !c.aroundThousands():
		e.add(-4, EvidenceBeyond)
	case mean > 300 && mean*float64(c.filled) > 1e4, e.called > 0 && c.integer && mean > 50 &&
		mean*float64(c.filled) > 1e5 && c.most.Float64() > mostMeasured:
		e.add(2, EvidenceTotal)
	case c.integer && c.most.Float64() <= 10:
		e.add(-2, EvidenceSmall)
	case e.called >= 2 && c.ofStrata():
		e.add(2, EvidenceStrata)
		e.body = bodies
	case mean > 20 && c.most.Float64() < mostMeasured:
		e.add(-4, EvidenceMeasured)
		e.body = bodies
	case mean < 20 && c.least.Float64() >= 1: // a scale's mean; weights around 1 go below it
		e.add(-4, EvidenceMeasured)
	}
	switch {
	case c.decimals >= 3:
		e.add(2, EvidenceManyDecimals)
	case c.decimals == 2:
		e.add(1, EvidenceDecimals)
	case c.integer && c.most.Float64() < 300:
		e.add(-1, EvidenceWhole)
	}
	if len(c.Labels) > 0 {
		e.add(-2, EvidenceLabels)
	}
	if bodies && e.called == 2 && math.Abs(mean-1) > 0.2 {
		e.add(-4, EvidenceSizes)
	}
	if kindOfWeight.MatchString(c.code) && g.severalWeights() {
		e.add(-3, EvidenceOneOfSeveral)
	}
	if e.complete {
		e.add(1, EvidenceComplete)
	} else {
		e.found(Evidence{EvidenceLacking, -3, g.rows - c.filled})
	}
	return e
}

// kindOfWeight is a name that says weight and of what kind, as propwt and basewt_adj do.
var kindOfWeight = regexp.MustCompile(`(?i)^\pL+_?w(?:gh?)?t(?:_\pL+)?$`)

// severalWeights tells whether three columns or more are called weights of a kind each, and may be: which of them is
// the one to use their names do not say.
func (g *guesser) severalWeights() bool {
	const least, decimals = 3, 3
	n := 0
	for _, c := range g.columns {
		n += btoi(c.number && c.decimals >= decimals && c.filled == g.rows && c.least.Sign() > 0 &&
			kindOfWeight.MatchString(c.code))
	}
	return n >= least
}

// ofStrata tells whether a column holds few numbers with many decimals, each of many respondents, as the weights of
// strata are. Of bodies there are more different weights, and hardly one below 20 kilograms.
func (c *column) ofStrata() bool {
	const decimals, most, respondents, body = 6, 30, 50, 20
	return !c.many && c.decimals >= decimals && len(c.values) > 1 && len(c.values) <= most &&
		int64(respondents*len(c.values)) <= c.filled && c.least.Float64() < body
}

// guessWeight takes the column for which most speaks, if that is enough and no respondent would be lost.
func (g *guesser) guessWeight() (int, Reason) {
	bodies := slices.ContainsFunc(g.columns, func(c *column) bool {
		return has(words(c.Name), sizeWords) || len(words(c.Label)) <= 12 && has(words(c.Label), sizeWords)
	})
	var best *evidence
	g.weights = map[int]*evidence{}
	for _, i := range g.open() {
		c := g.columns[i]
		switch {
		case c.Weight && len(c.declared) > 0:
			g.note("column %s: the file says that it is the weight, but some of its values are declared as missing, "+
				"so it is not used as such", c.origin.Name)
			continue
		case c.Weight && c.number:
			return i, Reason{Kind: ReasonFile}
		}
		if c.Kind == Text || c.Kind == Date || !c.number {
			continue
		}
		e := g.weigh(i, bodies)
		if e.called <= 0 && e.points < enoughEvidence { // a number like a weight and nothing more
			continue
		}
		g.weights[i] = e
		if e.called > 0 && e.complete && e.points >= enoughEvidence && (best == nil || e.points > best.points) {
			best = e
		}
	}
	if best == nil {
		return -1, Reason{}
	}
	return best.column, Reason{Kind: ReasonEvidence, Evidence: best.speaks}
}

// otherWeights names the columns that may be weights and are not used: as questions, the likeliest first, with the
// flag that would take them. Those that can be nothing but weights are no questions of the survey either. More than two
// that are like a weight in their numbers alone are measurements.
func (g *guesser) otherWeights() {
	const mostAlike = 2
	var list []*evidence
	alike := 0
	for _, i := range g.open() {
		c := g.columns[i]
		if e := g.weights[i]; e != nil && (e.points >= someEvidence || e.called >= 2) {
			list = append(list, e)
			alike += btoi(e.called <= 0)
		} else if e == nil && !c.number && c.Kind != Text && c.Kind != Date && c.filled > 0 &&
			c.calledWeight() == 3 && len(c.Labels) == 0 && len(c.wording) < 60 {
			g.note("column %s: its name or label says weight, but its values are not those of one, so it is not "+
				"used as such: %s", c.origin.Name, c.summary())
		}
	}
	if alike > mostAlike {
		list = slices.DeleteFunc(list, func(e *evidence) bool { return e.called <= 0 })
	}
	slices.SortStableFunc(list, func(a, b *evidence) int { return b.points - a.points })
	for _, e := range list {
		c := g.columns[e.column]
		constant := !c.many && len(c.values) == 1 // a weight of which only some rows of a larger file are here
		looks := e.called == 3 && constant || !e.body && e.plausible(c) && (e.called == 3 || e.called == 2 && e.points > 0)
		if looks {
			g.leave(e.column, Reason{Kind: AnotherWeight})
		}
		switch {
		case looks && g.weight.Column != "":
			g.note("column %s: not used; it looks like another weight, which --weight %s would take, and so would a "+
				"second namespace of the codebook", c.origin.Name, c.origin.Name)
		case !e.possible:
			g.note("column %s: its name or label says weight, but its values are not those of one, so it is not "+
				"used as such: %s", c.origin.Name, c.summary())
		case g.options.Weight != None && g.weight.Column == "" && len(c.Labels) == 0 && !constant:
			against := ""
			if len(e.against) > 0 {
				against = "; but " + evidenceSentence(e.against)
			}
			g.perhaps = append(g.perhaps, c.origin.Name)
			g.note("column %s: is it the weight? %s%s. It is not used as such; --weight %s would", c.origin.Name,
				capital(evidenceSentence(e.speaks)), against, c.origin.Name)
		}
	}
}

// plausible tells whether the values of a column that is called a weight can hardly be anything else: not a measurement
// in whole numbers, nor a question of yes and no.
func (e *evidence) plausible(c *column) bool {
	if !e.possible || c.least.Sign() < 0 || !c.many && len(c.values) <= max(2, len(c.Labels)) {
		return false
	}
	return !c.integer || c.most.Float64() <= 10 || c.mean() > 300
}

// capital is a text with a capital at its beginning.
func capital(text string) string {
	if text == "" {
		return text
	}
	return strings.ToUpper(text[:1]) + text[1:]
}

func (g *guesser) takeWeight(i int, why Reason) error {
	if i < 0 {
		g.note("every respondent weighs 1: no column is the weight")
		return nil
	}
	c := g.columns[i]
	if len(c.declared) > 0 {
		return &OptionError{"weight", fmt.Sprintf("column %q holds values that the file declares as missing (%s); a "+
			"weight is a number or nothing", c.origin.Name, c.declared[0].text)}
	}
	if !c.number {
		return &OptionError{"weight", fmt.Sprintf("column %q holds other things than numbers (%s), so it cannot be "+
			"the weight", c.origin.Name, c.summary())}
	}
	g.weight.Column = c.origin.Name
	g.read(i, "weight", "", why)
	g.note("column %s: read as the weight, because %s", c.origin.Name, why)
	if lacking := c.empty + c.missing; lacking > 0 {
		g.weight.Missing = "zero"
		g.note("column %s: %d respondents have no weight and are taken to weigh 0, so they are in no figure",
			c.origin.Name, lacking)
	}
	return nil
}
