package guess

import (
	"slices"
	"strconv"
	"strings"
)

// shape is the answers of columns that may be rows of one grid.
type shape struct {
	labels map[string]string // of values, as they compare
	codes  map[string]bool   // values without a label that were seen
	most   float64           // the largest number among them
	n      int               // columns
	said   given
}

func newShape() *shape {
	return &shape{labels: map[string]string{}, codes: map[string]bool{}, said: given{}}
}

// add takes a column.
func (s *shape) add(c *column) {
	for _, o := range c.choices() {
		if o.labelled {
			s.labels[o.value] = plainLabel(c, o.name)
		} else if !special(o.value, c) {
			s.codes[o.value] = true
			if f, err := strconv.ParseFloat(o.value, 64); err == nil {
				s.most = max(s.most, f)
			}
		}
	}
	s.said.add(c)
	s.n++
}

// fits tells whether a column has the answers of those before: the same labels, but for a few values that only one of
// them has; without labels, mostly the same values.
func (s *shape) fits(c *column) bool {
	if s.n == 0 {
		return true
	}
	if !s.said.agrees(c) {
		return false
	}
	shared, conflicts, labelled, codes, both := 0, 0, 0, 0, 0
	most := 0.0
	for _, o := range c.choices() {
		if o.labelled {
			labelled++
			if text, there := s.labels[o.value]; there {
				plain := plainLabel(c, o.name)
				if shared++; !alikeTexts(text, plain) && !(alikeInBrackets(text, plain) && s.toldApart(c)) {
					conflicts++
				}
			}
			continue
		}
		if special(o.value, c) {
			continue
		}
		codes++
		if s.codes[o.value] {
			both++
		}
		if f, err := strconv.ParseFloat(o.value, 64); err == nil {
			most = max(most, f)
		}
	}
	if (labelled > 0) != (len(s.labels) > 0) {
		return false
	}
	if labelled > 0 {
		if least := min(codes, len(s.codes)); c.onlyAsides() && 2*both < least {
			return false // what they share is no more than what stands beside every scale
		}
		return conflicts == 0 && 3*shared >= 2*min(labelled, len(s.labels)) && 2*shared >= max(labelled, len(s.labels))
	}
	union := codes + len(s.codes) - both
	if c.number && c.filled >= 100 && max(most, s.most) > 1.7*min(most, s.most) {
		return false // as far as one scale goes, so does the other, where many answered
	}
	if !c.number {
		return 2*both >= union || both >= 2 && both == min(codes, len(s.codes)) || s.onScale(c)
	}
	return 2*both >= union || s.sparse(c, most) || 4*both >= 3*min(codes, len(s.codes)) && min(codes, len(s.codes)) >= 3 &&
		max(most, s.most) <= 1.7*min(most, s.most)
}

// holds tells whether a column has three codes or more and all of them are codes of those before: 9 for no answer makes
// a scale of none by itself.
func (s *shape) holds(c *column) bool {
	const least = 3
	return c.number && !c.many && len(c.Labels) == 0 && len(c.values) >= least &&
		!slices.ContainsFunc(c.values, func(v value) bool { return !s.codes[v.text] })
}

// answersAs tells whether a column has the answers of another: the same yes, or steps that fit.
func (c *column) answersAs(o *column) bool {
	shape := newShape()
	shape.add(o)
	return c.tick() == o.tick() && (c.tick().kind >= one || c.scale() && shape.fits(c))
}

// fewAnswers is how many answers leave steps of a scale that nobody took.
const fewAnswers = 60

// sparse tells whether a column goes as far as a scale of few steps before, where so few answered that not all of its
// steps were taken.
func (s *shape) sparse(c *column, most float64) bool {
	if c.filled >= fewAnswers || most != s.most || most < 4 || most > 10 {
		return false
	}
	return !slices.ContainsFunc(c.values, func(v value) bool {
		f, err := strconv.ParseFloat(v.text, 64)
		return err != nil || f < 0 || f != float64(int(f))
	})
}

// onScale tells whether the words of a column and those before are steps of one scale that is known as such.
func (s *shape) onScale(c *column) bool {
	var texts []string
	for text := range s.codes {
		texts = append(texts, text)
	}
	for _, o := range c.choices() {
		if !s.codes[o.value] {
			texts = append(texts, o.value)
		}
	}
	return scaleOf(texts) != nil
}

// ends tells whether a column has labels for the same two or three steps of a scale as those before, whatever they say,
// and none for those between: opposites, such as cheap and dear in one row and old and young in the next.
func (s *shape) ends(c *column) bool {
	list := c.choices()
	steps := bare(list)
	labelled := len(list) - steps
	if !s.said.agrees(c) || labelled < 2 || labelled > 3 || labelled != len(s.labels) || steps < 2 || len(s.codes) < 2 ||
		!c.number {
		return false
	}
	return !slices.ContainsFunc(list, func(o choice) bool {
		_, there := s.labels[o.value]
		return o.labelled && !there
	})
}

// plainLabel is a label as labels compare: in small letters, without the column's name or the value before it.
func plainLabel(c *column, text string) string {
	text = strings.ToLower(strings.Join(strings.Fields(text), " "))
	if rest, found := strings.CutPrefix(text, strings.ToLower(c.code)); found && rest != "" {
		text = rest
	}
	return strings.Trim(text, " .-:)0123456789")
}

// alikeTexts tells whether two labels say the same, but for an ending in the middle or the like.
func alikeTexts(a, b string) bool {
	if a == b {
		return true
	}
	most := max(len(a), len(b))
	prefix := len(commonPrefix(a, b))
	suffix := min(len(commonSuffix(a, b)), min(len(a), len(b))-prefix)
	return most >= 12 && prefix+suffix >= most-4 && 10*(prefix+suffix) >= 8*most
}

// special tells whether a number without a label stands beside the answers: a negative one, or 9, 99, 98 and the like
// far behind the others.
func special(value string, c *column) bool {
	if !c.number {
		return false
	}
	f, err := strconv.ParseFloat(value, 64)
	if err != nil {
		return false
	}
	if f < 0 {
		return f == float64(int(f)) && f >= -99 && c.least.Float64() >= -99
	}
	return (besideScale(value) || c.hundred(value)) && c.ordinary() < f/3 || c.beyond(f) || c.stray(f) ||
		slices.Contains(c.beside, value)
}

// beyond tells whether a number is one of 7, 8 and 9 that stand behind a gap after a scale from 0 or 1 on, as codes of
// those who do not know or did not answer do.
func (c *column) beyond(f float64) bool {
	if f != 7 && f != 8 && f != 9 || c.many || !c.integer || len(c.Labels) > 0 {
		return false
	}
	seen := [10]bool{}
	for _, v := range c.values {
		if len(v.text) == 1 && v.text[0] >= '0' && v.text[0] <= '9' {
			seen[v.text[0]-'0'] = true
		} else if !besideScale(v.text) && v.text[0] != '-' {
			return false
		}
	}
	last := 0 // of the scale
	for last < 9 && seen[last+1] {
		last++
	}
	for k := last + 1; k <= 9; k++ {
		if seen[k] && (k < 7 || k < last+3) {
			return false
		}
	}
	return (last >= 2 || last == 1 && seen[0] && c.indexed() && !c.called()) && f > float64(last)
}

// indexed tells whether a column's name ends with a number or one letter, as those of the rows of a question do.
func (c *column) indexed() bool {
	list := parts(c.code)
	if len(list) < 2 {
		return false
	}
	last := list[len(list)-1]
	return last.kind == '0' || last.kind == 'a' && len(last.text) == 1
}

// hundred tells whether a number is a hundred that stands behind 99 far from all other numbers but 98: the last of the
// codes beside the answers.
func (c *column) hundred(text string) bool {
	const far = 20
	return text == "100" && !c.many && c.integer && !c.unseen("99") && !slices.ContainsFunc(c.values, func(v value) bool {
		return v.text != "100" && v.text != "99" && v.text != "98" && atoi(v.text) > far
	})
}

// besideScale tells whether a number is one of those that questionnaires give to answers beside a scale.
func besideScale(text string) bool {
	switch text {
	case "66", "77", "88", "666", "777", "888":
		return true
	}
	return specials[text]
}

// ordinary is the largest number of a column but for those that stand beside the answers.
func (c *column) ordinary() (most float64) {
	for _, v := range c.values {
		f, err := strconv.ParseFloat(v.text, 64)
		if err == nil && !besideScale(v.text) && !c.hundred(v.text) && !c.beyond(f) && !c.stray(f) &&
			!slices.Contains(c.beside, v.text) {
			most = max(most, f)
		}
	}
	return most
}

// mostSteps is how many labels, those of missing values included, a column may have to be a yes or no or the row of a
// grid.
const mostSteps = 100

// scale tells whether a column holds one of a few answers, as the rows of a grid do.
func (c *column) scale() bool {
	if c.many || c.quantity || c.Kind == Text || c.Kind == Date || c.Kind == Quantity && len(c.Labels) == 0 ||
		c.filled == 0 || c.date && !c.number && len(c.Labels) == 0 || len(c.Labels) > mostSteps {
		return false
	}
	if len(c.Labels) == 0 && len(c.values) > 20 {
		return false
	}
	list := c.choices()
	switch {
	case len(c.Labels) > 0:
		return len(list) >= 2 && len(list) <= 30 && c.withinLabels(list)
	case c.renumbered:
		return true
	case c.number:
		n := len(list)
		for _, o := range list {
			if special(o.value, c) {
				n--
			}
		}
		return (c.integer || c.fractions() || c.mended()) && n >= 2 && n <= 11 && c.least.Float64() >= -99 &&
			(c.most.Float64() <= 999 || len(c.beside) > 0) &&
			c.ordinary() < float64(n)+6
	}
	return len(list) >= 2 && (len(list) <= 12 || c.numberedSteps()) && c.longest <= longValue &&
		c.filled > int64(len(list)) && !c.separated()
}

// numberedSteps tells whether what stands in a column of words is mostly the steps of a scale in numbers, with words
// for its ends and beside it, as "0 not at all", 1 to 9, "10 very much" and "don't know" are.
func (c *column) numberedSteps() bool {
	const most, worded, far = 16, 5, 10 // values, of which so many are words, and the last step
	if len(c.values) > most {
		return false
	}
	steps := map[int]bool{}
	for _, v := range c.values {
		if n, err := strconv.Atoi(v.text); err == nil {
			if n < -far || n > far || steps[n] {
				return false
			}
			steps[n] = true
		}
	}
	return len(c.values)-len(steps) <= worded && 2*len(steps) > len(c.values)
}

// fractions tells whether the numbers of a column are few steps of a scale that was moved to lie around 0 or between 0
// and 1, as -1, -0.5, 0.5 and 1 are: each of them a half or a quarter, and given by many.
func (c *column) fractions() bool {
	const mostSteps = 9
	if c.many || c.integer || len(c.values) < 3 || len(c.values) > mostSteps || c.filled < 10*int64(len(c.values)) {
		return false
	}
	return !slices.ContainsFunc(c.values, func(v value) bool {
		f, err := strconv.ParseFloat(v.text, 64)
		return err != nil || f < -4 || f > 4 || 4*f != float64(int(4*f))
	})
}

// graded tells whether the values without a label are marks out of ten, from 0 or 1 on, or each step of a shorter
// scale: counts go on, and most are 0 or 1.
func (c *column) graded() bool {
	const ten, some = 10, 5
	top, steps, common := 0, 0, value{}
	for _, v := range c.values {
		if c.labels.names[v.text] != "" {
			continue
		}
		if strings.HasPrefix(v.text, "-") {
			return false
		}
		if steps++; v.n > common.n {
			common = v
		}
		top = max(top, atoi(v.text))
	}
	if c.filled < fewAnswers && top > ten/2 && top <= ten && atoi(common.text) > 2 {
		return true // few answered: some steps were not taken
	}
	if top == ten {
		return steps >= some && atoi(common.text) > 2
	}
	return (top == 5 || top == 7) && steps == top && c.least.Sign() > 0
}

// onlyAsides tells whether all labels are of answers that stand beside a scale or a number, as "don't know" does.
func (c *column) onlyAsides() bool {
	return len(c.labels.names) > 0 && len(c.labels.idle) == len(c.labels.names)
}

// withinLabels tells whether the values without a label are few, or steps between two that have one.
func (c *column) withinLabels(list []choice) bool {
	const ten, least = 10, 4
	counts, highest, _, far := c.farCodes()
	if c.number && c.onlyAsides() {
		return c.integer && (c.renumbered || c.graded())
	}
	if far {
		return c.integer && counts >= least && highest <= ten && c.least.Sign() > 0
	}
	if bare(list) <= 2 {
		return true
	}
	if !c.number || !c.integer {
		return false
	}
	var ends []float64
	for _, o := range list {
		if f, err := strconv.ParseFloat(o.value, 64); err == nil && o.labelled {
			ends = append(ends, f)
		}
	}
	if len(ends) < 2 {
		return false
	}
	slices.Sort(ends)
	for _, o := range list {
		if f, err := strconv.ParseFloat(o.value, 64); !o.labelled && (err != nil || f < ends[0] || f > ends[len(ends)-1]) {
			return false
		}
	}
	return bare(list) <= 11
}

// measured tells of columns of one family whether they are numbers to calculate with, as amounts per brand are, and not
// codes: some hold more numbers than a scale has, or each goes as far as it happens to.
func (g *guesser) measured(members []member) bool {
	all, wide, fractions, scales := 0, 0, 0, 0
	tops := map[float64]int{}
	highest, commonest := 0.0, 0
	for _, m := range members {
		c := g.columns[m.at]
		if c.taken || !c.number || len(c.Labels) > 0 || c.filled == 0 || c.ownNumber() || c.writing() {
			continue
		}
		all++
		top := c.most.Float64()
		if !c.many {
			top = c.ordinary()
		}
		part := !c.integer && !c.fractions() && !c.mended()
		if c.many || part || len(c.values) > 14 || top > 12 && len(c.values) > 3 || c.Kind == Quantity || c.quantity {
			wide++
		}
		fractions += btoi(part)
		scales += btoi(!part && len(c.values) >= 5 && c.scale())
		if !c.many && len(c.values) <= 2 && top <= 1 {
			continue
		}
		tops[top]++
		highest, commonest = max(highest, top), max(commonest, tops[top])
	}
	totals := 3*scales >= 2*all // are the few with fractions, of the scales beside them
	return all >= 2 && (3*wide >= all || fractions > 0 && !totals ||
		len(tops) >= 3 && 2*len(tops) >= all && 2*commonest < all && highest > 7)
}

// sameCodes tells whether the columns of a question hold the same few numbers, most of which follow one another far
// above what a scale has, as Qualtrics numbers steps that were written anew: 43, 44, 45, 47 and 48. What is
// counted goes as far as it happens to in each column, and far amounts are round.
func (g *guesser) sameCodes(f *family) bool {
	const least, fewest, most, far, answers = 3, 4, 12, 12, 60
	if !f.strong || len(f.members) < least {
		return false
	}
	var codes []int
	for _, m := range f.members {
		c := g.columns[m.at]
		if c.taken || !c.number || !c.integer || c.many || len(c.Labels) > 0 || c.quantity || len(c.values) < fewest ||
			len(c.values) > most || c.filled < answers || c.least.Sign() < 0 {
			return false
		}
		var own []int
		for _, v := range c.values {
			own = append(own, atoi(v.text))
		}
		if slices.Sort(own); codes != nil && !slices.Equal(own, codes) {
			return false
		}
		codes = own
	}
	above, following := 0, 0
	for k, n := range codes {
		above += btoi(n > far)
		following += btoi(n > far && k > 0 && codes[k-1] == n-1)
	}
	return above >= least && 2*following >= above
}

// renumber says of the columns of a family that their numbers are steps.
func (f *family) renumber(g *guesser) {
	for _, m := range f.members {
		g.columns[m.at].renumbered = true
	}
}

// numericFamily marks the numbers of a family as numbers if they are, and as steps if they were numbered anew.
func (g *guesser) numericFamily(f *family) {
	if len(f.members) == 0 {
		return
	}
	own := 0 // options that are numbers
	for _, m := range f.members {
		own += btoi(g.columns[m.at].ownName())
	}
	if g.numbered(f.members) || 2*own > len(f.members) || g.ownOrNo(f.members, g.ticksOf(f.members)) {
		return
	}
	if g.sameCodes(f) || g.outOfTen(f) {
		f.renumber(g)
	}
	if g.columns[f.members[0].at].renumbered || !g.measured(f.members) {
		return
	}
	if !f.strong && (len(f.members) < 3 || slices.ContainsFunc(f.members, func(m member) bool {
		c := g.columns[m.at]
		return !c.number || len(c.Labels) > 0 || !c.many && len(c.values) < 5
	})) {
		return // other things that begin with the same word
	}
	first := lettersOf(g.columns[f.members[0].at].code)
	oneName := !slices.ContainsFunc(f.members, func(m member) bool { return lettersOf(g.columns[m.at].code) != first })
	for _, m := range f.members {
		c := g.columns[m.at]
		if c.number && len(c.Labels) == 0 && c.filled > 0 {
			other := c.twoOrThree()
			c.alone = c.alone || other && !oneName // another fact about respondents
			c.quantity = c.quantity || !other
		}
	}
}
