package guess

import (
	_ "embed"
	"iter"
	"regexp"
	"slices"
	"strings"

	"github.com/crosswave/crosswave/internal/forest"
)

// What no rule holds together is judged by what columns of one question have in common in real surveys: by a forest
// that was learnt from the truths in testdata/corpus, but for those of the hidden files. TestLearn says how.

//go:embed together.forest
var togetherText string

// joint is two columns that may be of one question, one behind the other.
type joint struct {
	before, at int
	points     float64 // for it, as forest.Points has them
}

// judge judges every two columns that stand one behind the other and may be rows or options; what was written beside
// "other" may stand between them. It has to be done before columns are taken, as what stands in them is let go then.
func (g *guesser) judge() error {
	clues := newClueSet()
	together, err := forest.Parse(togetherText, clues.names())
	if err != nil {
		return err
	}
	for j, numbers := range g.pairs(clues) {
		j.points = together.Points(numbers)
		g.joints = append(g.joints, j)
	}
	return nil
}

// mostInRun bounds how many columns are looked at together.
const mostInRun = 2048

// pairs are all two columns of joints, with the numbers that speak for it that they are of one question and against it,
// as clues name them. The numbers are overwritten from one pair to the next.
func (g *guesser) pairs(clues *clueSet) iter.Seq2[joint, []float64] {
	return func(yield func(joint, []float64) bool) {
		var run []int
		file := lookAtFile(g.columns)
		for i, c := range g.columns {
			usable := !c.taken && !c.Virtual && !c.copy && c.Kind != Text && c.Kind != Date &&
				(c.scale() || c.tick().kind != noTick)
			if usable {
				run = append(run, i)
			}
			if usable && len(run) < mostInRun || c.Virtual || c.copy || !usable && !c.taken && c.written() {
				continue
			}
			if !g.pairsOf(run, file, clues, yield) {
				return
			}
			run = run[:0]
		}
		g.pairsOf(run, file, clues, yield)
	}
}

// pairsOf are the pairs of columns that stand together.
func (g *guesser) pairsOf(run []int, file *fileLook, clues *clueSet, yield func(joint, []float64) bool) bool {
	if len(run) < 2 {
		return true
	}
	all := make([]clued, len(run)-1)
	a := file.fit(lookAt(run[0], g.columns[run[0]]))
	for k := range all {
		b := file.fit(lookAt(run[k+1], g.columns[run[k+1]]))
		all[k] = clues.of(pairOf(a, b, g.sample))
		a = b
	}
	var numbers []float64
	for k := range all {
		numbers = clues.append(numbers[:0], all, k)
		if !yield(joint{before: run[k], at: run[k+1]}, numbers) {
			return false
		}
	}
	return true
}

// clueSet is the clues about a pair, and which of them are told of the pairs around it, too.
type clueSet struct {
	clues    []clue
	near     []int // of the pairs before and behind it
	changing []int // by how much more there is of it than of those
}

func newClueSet() *clueSet {
	s := &clueSet{clues: slices.Concat(nameClues(), wordClues(), answerClues())}
	find := func(names ...string) (list []int) {
		for i, c := range s.clues {
			if slices.Contains(names, c.name) {
				list = append(list, i)
			}
		}
		return list
	}
	s.near = find("name.begin", "name.beginLetters", "name.alike", "name.number", "name.next", "name.end", "name.parts",
		"name.numberBefore", "words.begin", "words.beginShare", "words.end", "words.same", "words.length", "words.asks",
		"words.divided", "answers.sameLabels", "answers.labels", "answers.common", "answers.sameMost", "answers.ticks",
		"answers.scales", "answers.sameYes", "answers.steps", "asked.same", "asked.together", "asked.togetherOfSome",
		"asked.filter")
	s.changing = find("name.beginLetters", "name.parts", "words.begin", "words.end", "answers.common")
	return s
}

// names are those of the numbers that append gives.
func (s *clueSet) names() (list []string) {
	for _, c := range s.clues {
		list = append(list, c.name)
	}
	for _, where := range []string{"before", "behind"} {
		for _, i := range s.near {
			list = append(list, where+":"+s.clues[i].name)
		}
		for _, i := range s.changing {
			list = append(list, "more-than-"+where+":"+s.clues[i].name)
		}
	}
	return append(list, "before:likeAnswers", "behind:likeAnswers", "before:likeNames", "behind:likeNames")
}

// clued is a pair as clues tell it.
type clued struct {
	numbers        []float64
	answers, names bool // they are alike
}

func (s *clueSet) of(p *pair) clued {
	c := clued{numbers: make([]float64, 0, len(s.clues)), names: p.alike}
	for _, clue := range s.clues {
		c.numbers = append(c.numbers, clue.of(p))
	}
	c.answers = len(p.a.labels) > 0 && p.named == len(p.a.labels) && p.named == len(p.b.labels) ||
		5*p.both > 3*p.all || p.a.tick.yes != "" && p.a.tick.yes == p.b.tick.yes
	return c
}

// append appends the numbers of the k-th of pairs that stand one behind the other.
func (s *clueSet) append(numbers []float64, all []clued, k int) []float64 {
	here := all[k].numbers
	numbers = append(numbers, here...)
	for _, at := range []int{k - 1, k + 1} {
		if at < 0 || at >= len(all) {
			for range s.near {
				numbers = append(numbers, -1)
			}
			for _, i := range s.changing {
				numbers = append(numbers, here[i]+1)
			}
			continue
		}
		near := all[at].numbers
		for _, i := range s.near {
			numbers = append(numbers, near[i])
		}
		for _, i := range s.changing {
			numbers = append(numbers, here[i]-near[i])
		}
	}
	answers, names := func(c *clued) bool { return c.answers }, func(c *clued) bool { return c.names }
	return append(numbers, howFar(all, k, -1, answers), howFar(all, k, 1, answers), howFar(all, k, -1, names),
		howFar(all, k, 1, names))
}

// howFar is how many pairs in a row are like that, up to twelve.
func howFar(all []clued, k, step int, like func(*clued) bool) float64 {
	const most = 12
	n := 0
	for k += step; k >= 0 && k < len(all) && n < most && like(&all[k]); k += step {
		n++
	}
	return float64(n)
}

// How many points columns need to be rows of one grid that no rule found. Where words tell of both what is asked or
// answered, two thirds likelier than not will do, and six times as likely for two alone. Where numbers stand under bare
// names, which rules understand better, it is nearly four times, and thirty times for two alone and for one that is
// added to what a rule found.
const (
	likely     = 0.5
	sureEnough = 1.3
	likelyPair = 1.8
	pairEnough = 3.4
)

// more adds to the columns of a question one or two that stand before or behind them, if they are surely of the same
// question and fit: where more go on so, a rule had something against it. Columns of a question that takes turns with
// another stand apart, and nothing is added to them.
func (g *guesser) more(members []member, fits func(*column) bool) []member {
	const most = 2
	for k := 1; k < len(members); k++ {
		if next, _ := g.beside(members[k-1].at, 1); next != members[k].at {
			return members
		}
	}
	for _, step := range []int{-1, 1} {
		at := members[0].at
		if step > 0 {
			at = members[len(members)-1].at
		}
		var list []member
		for len(list) <= most {
			next, points := g.beside(at, step)
			if next < 0 || points < pairEnough || !g.free(next) || !fits(g.columns[next]) {
				break
			}
			list = append(list, member{at: next})
			at = next
		}
		if len(list) <= most {
			members = append(members, list...)
			slices.SortFunc(members, func(a, b member) int { return a.at - b.at })
		}
	}
	return members
}

// beside is the column that a joint has behind another, or before it, and the points of the joint; -1 if there is none.
func (g *guesser) beside(at, step int) (int, float64) {
	k, found := slices.BinarySearchFunc(g.joints, at, func(j joint, at int) int {
		if step > 0 {
			return j.before - at
		}
		return j.at - at
	})
	switch {
	case !found:
		return -1, 0
	case step > 0:
		return g.joints[k].at, g.joints[k].points
	}
	return g.joints[k].before, g.joints[k].points
}

// judged groups columns that are in no question yet by how likely each is of one with the one before it: rows of grids,
// and then three options of yes and no or more.
func (g *guesser) judged() {
	row := func(at int) bool {
		c := g.columns[at]
		return g.free(at) && c.scale() && !c.tick().chosen() && !c.amount()
	}
	of := func(j joint) bool {
		return j.points >= g.enough(j, likely, sureEnough) && row(j.before) && row(j.at) && !g.scaleEnds(j) &&
			!g.questionsByNumber(j)
	}
	for from, end := range stretches(g.joints, of) {
		if first := g.joints[from]; end-from <= 1 && first.points < g.enough(first, likelyPair, pairEnough) {
			continue
		}
		if end < len(g.joints) && g.joints[end-1].goesOn(g.joints[end]) && g.nextRow(g.joints[end], row) {
			end++
		}
		if from > 0 && g.joints[from-1].goesOn(g.joints[from]) && g.nextRow(g.joints[from-1], row) {
			from--
		}
		g.asOne(g.joints[from:end])
	}
	for from, end := range stretches(g.joints, g.optionsTogether) {
		if end-from > 1 {
			g.asOne(g.joints[from:end])
		}
	}
}

// optionsTogether tells whether both columns of a joint are surely options of one question that no rule found: they
// say yes or no in the same words, or are 0 and 1 and have no label. Where their names begin alike, and nothing else
// tells what they are, rules know better. Those that as many left without an answer are options anyway.
func (g *guesser) optionsTogether(j joint) bool {
	const enough, letters = 1.5, 2
	a, b := g.columns[j.before], g.columns[j.at]
	if !g.free(j.before) || !g.free(j.at) {
		return false
	}
	tick, told := b.tick(), a.wording != "" && b.wording != ""
	if a.silent > 0 && a.silent == b.silent {
		return tick.kind >= onlyNo && a.tick().kind >= onlyNo
	}
	if j.points < enough || tick != a.tick() {
		return false
	}
	apart := len(commonPrefix(a.code, b.code)) < letters
	return tick.kind == yesNo && (told || apart) || tick.kind == oneZero && a.Label == "" && b.Label == "" && apart
}

// enough is how many points a joint needs: fewer where words tell of both columns what is asked or answered. They are
// not trusted where what is asked is a number, and where two questions take turns, as in a1, c1, a2, c2.
func (g *guesser) enough(j joint, told, untold float64) float64 {
	a, b := g.columns[j.before], g.columns[j.at]
	tells := func(c *column) bool {
		return len(c.Labels) > 0 || !c.number || c.wording != "" && !howMany.MatchString(c.wording)
	}
	stem, number := numberedStem(parts(a.code))
	other, same := numberedStem(parts(b.code))
	if !tells(a) || !tells(b) || number > 0 && number == same && stem != other {
		return untold
	}
	return told
}

// questionsByNumber tells whether the names of both columns of a joint, which nothing else tells anything of, say which
// question each is: letters that they have in common and a number, behind which several grids have the number of a row.
func (g *guesser) questionsByNumber(j joint) bool {
	const several = 3 // grids
	a, b := g.columns[j.before], g.columns[j.at]
	if a.wording != "" || b.wording != "" {
		return false
	}
	before, _ := endNumber(a.code)
	letters, number := endNumber(b.code)
	if before != letters || number == "" {
		return false
	}
	return once(g.rowNumbers, letters, func() bool {
		grids := map[string]bool{}
		for i, c := range g.columns {
			rest, found := strings.CutPrefix(c.code, letters)
			if m := numberAndRow.FindStringSubmatch(rest); found && m != nil && g.readings[i].As == "grid" {
				grids[m[1]] = true
			}
		}
		return len(grids) >= several
	})
}

// numberAndRow is the number of a question and that of a row.
var numberAndRow = regexp.MustCompile(`^(\d{1,3})[_.-]\d{1,2}$`)

// amount tells whether numbers are of something that there may be none or several of, as a name that is no sentence
// says: "Number dogs".
func (c *column) amount() bool {
	const few = 6
	name := words(c.Name)
	return c.number && len(c.Labels) == 0 && len(name) > 1 && len(name) <= few &&
		(howMany.MatchString(c.Name) || name[0] == "number")
}

// scaleEnds tells whether one scale ends between the columns of a joint and another begins: the two columns before it
// have codes up to the same number, and the two behind it up to another one.
func (g *guesser) scaleEnds(j joint) bool {
	const many = 100
	top := func(at int) float64 {
		if at < 0 || at >= len(g.columns) {
			return -1
		}
		c := g.columns[at]
		if !c.number || len(c.Labels) > 0 || c.many || c.filled < many || c.taken {
			return -1
		}
		return c.ordinary()
	}
	a, b := top(j.before), top(j.at)
	return a > 0 && b > 0 && a != b && top(j.before-1) == a && top(j.before-2) == a && top(j.at+1) == b && top(j.at+2) == b
}

// nextRow tells whether a joint adds the first or the last row of a grid, which has less in common with what stands
// around it than the others: it is likelier than not, the numbers follow each other, or it is nearly sure enough, and
// it goes as far on the scale.
func (g *guesser) nextRow(j joint, row func(at int) bool) bool {
	a, b := g.columns[j.before], g.columns[j.at]
	const nearly = 0.9 // points
	return j.points > 0 && row(j.before) && row(j.at) && (j.points > nearly || follows(a.code, b.code, numberedStem) ||
		follows(a.code, b.code, numberedBegin)) && a.filled == b.filled && len(a.Labels) == len(b.Labels) &&
		a.number == b.number && a.ordinary() == b.ordinary()
}

// follows tells whether the second of two names has the next number behind what they have in common.
func follows(name, other string, numbered func([]part) (string, int)) bool {
	stem, number := numbered(parts(name))
	begin, next := numbered(parts(other))
	return stem == begin && number >= 0 && next == number+1
}

// numberedBegin is a name up to its first number, and that; the whole name and -1 if there is none.
func numberedBegin(name []part) (string, int) {
	for k := range name {
		if name[k].kind == '0' {
			return joined(name[:k]), atoi(name[k].text)
		}
	}
	return joined(name), -1
}

// goesOn tells whether a joint begins with the column that the one before ends with.
func (j joint) goesOn(next joint) bool { return next.before == j.at }

// stretches are where joints follow one another that are so: from one to before another.
func stretches(joints []joint, so func(joint) bool) iter.Seq2[int, int] {
	return func(yield func(int, int) bool) {
		for from := 0; from < len(joints); from++ {
			end := from
			for end < len(joints) && (end == from || joints[end-1].goesOn(joints[end])) && so(joints[end]) {
				end++
			}
			if end > from {
				if !yield(from, end) {
					return
				}
				from = end - 1
			}
		}
	}
}

// asOne reads the columns of joints that follow one another as one question.
func (g *guesser) asOne(joints []joint) {
	run := []member{{at: joints[0].before}}
	for _, j := range joints {
		run = append(run, member{at: j.at})
	}
	stem := g.common(run)
	first := g.columns[run[0].at].code
	rest := strings.TrimPrefix(first, stem)
	cut := endsInNumber(stem) && rest != strings.TrimLeft(rest, digits) // a number was
	if len(stem) < 2 || cut {
		stem = first
	}
	g.alike(&family{stem: stem, members: run, strong: true, bond: Judged})
}

// free tells whether a column is in no question yet and may be a row: it is no amount, neither the same for everyone
// nor written by a tool, and not what was written beside "other".
func (g *guesser) free(i int) bool {
	c := g.columns[i]
	switch {
	case c.taken, c.alone, c.named, c.technical():
		return false
	case len(c.Labels) > 0:
		return true
	case len(c.values) == 1 && c.filled == c.rows(), c.besideOther():
		return false
	}
	return !c.number || !(c.Kind == Quantity || c.called() || c.counts() || c.tens() || g.counts(c))
}
