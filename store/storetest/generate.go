package storetest

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/store/survey"
	"github.com/crosswave/crosswave/store/survey/decimal"
)

// Random makes small studies and questions about them, the same ones from the same seed. The studies are ragged in
// every way that the rules know of: namespaces on chains and branches, late locations, waves without dates, coverage
// declared and derived, grids, items asked on their own, weights and numbers of any number of decimals, respondents who
// take part in some namespaces only.
type Random struct{ *rand.Rand }

// NewRandom begins with a seed.
func NewRandom(seed uint64) Random { return Random{rand.New(rand.NewPCG(seed, 20))} }

// chance is true so many times of 100.
func (g Random) chance(percent int) bool { return g.IntN(100) < percent }

// between is from low to high, both included.
func (g Random) between(low, high int) int { return low + g.IntN(high-low+1) }

// Study makes a survey and its respondents, at most a few hundred.
func (g Random) Study() *Study {
	s := &audience.Survey{}
	for i := range g.between(1, 4) {
		s.Namespaces = append(s.Namespaces, g.namespace(s, i))
	}
	for i := range g.between(1, 6) {
		w := audience.Wave{Code: fmt.Sprintf("w%d", i+1)}
		if g.chance(75) {
			w.Start = fmt.Sprintf("2024-%02d-01", g.between(1, 12))
		}
		s.Waves = append(s.Waves, w)
	}
	for i := range g.between(1, 5) {
		s.Locations = append(s.Locations, audience.Location{Code: fmt.Sprintf("l%d", i+1)})
	}
	for i := range g.between(3, 9) {
		q := g.question(s, i)
		if findQuestion(s, columnOf(s, &q)) < 0 {
			s.Questions = append(s.Questions, q)
		}
	}
	st := &Study{Survey: s}
	g.respondents(st)
	st.giveNumbers()
	return st
}

func (g Random) namespace(s *audience.Survey, i int) audience.Namespace {
	if i == 0 {
		return audience.Namespace{Code: "core", Universe: g.universe()}
	}
	n := audience.Namespace{Code: fmt.Sprintf("n%d", i), Universe: g.universe()}
	if g.chance(80) {
		n.Base = s.Namespaces[g.IntN(i)].Code
	}
	return n
}

func (g Random) universe() string {
	if g.chance(25) {
		return "sum"
	}
	return ""
}

func (g Random) question(s *audience.Survey, i int) audience.Question {
	q := audience.Question{
		Namespace: s.Namespaces[g.IntN(len(s.Namespaces))].Code,
		Code:      fmt.Sprintf("q%d", i+1),
		Kind: []string{audience.Single, audience.Multi, audience.Multi, audience.Grid, audience.Grid,
			audience.Number}[g.IntN(6)],
	}
	if i > 0 && g.chance(25) { // the code of another namespace's question
		q.Code = "q1"
	}
	for d := range g.between(1, 6) {
		q.Datapoints = append(q.Datapoints, audience.Datapoint{Code: string(rune('a' + d))})
	}
	if q.Kind == audience.Grid {
		codes := []int{0, 1, 2, 3, 10, 1<<31 - 1}
		g.Shuffle(len(codes), func(i, j int) { codes[i], codes[j] = codes[j], codes[i] })
		for _, code := range codes[:g.between(1, 4)] {
			q.Suffixes = append(q.Suffixes, audience.Suffix{Code: code})
		}
	}
	q.Separate = (q.Kind == audience.Multi || q.Kind == audience.Grid) && g.chance(50)
	if g.chance(30) {
		q.Asked = g.asked(s)
	}
	for d := range q.Datapoints {
		if g.chance(10) {
			q.Datapoints[d].Asked = g.asked(s)
		}
	}
	return q
}

// asked declares coverage.
func (g Random) asked(s *audience.Survey) audience.Asked {
	asked := audience.Asked{}
	for g.chance(75) {
		var a audience.Fieldwork
		if g.chance(70) {
			a.Wave = s.Waves[g.IntN(len(s.Waves))].Code
		}
		if g.chance(60) {
			a.Location = s.Locations[g.IntN(len(s.Locations))].Code
		}
		asked = append(asked, a)
	}
	return asked
}

// respondents fills the study. Where a location is late, a namespace pauses or an item is left out is drawn first, then
// who answered what.
func (g Random) respondents(st *Study) {
	s, layout := st.Survey, survey.NewLayout(st.Survey)
	weights := make([]func() string, len(s.Namespaces))
	for n := range weights {
		weights[n] = g.weights()
	}
	density := make([]int, layout.Attributes())
	for a := range density {
		density[a] = []int{0, 10, 30, 50, 50, 70, 90, 100}[g.IntN(8)]
	}
	for l := range s.Locations {
		late := 0
		if g.chance(40) {
			late = g.IntN(len(s.Waves))
		}
		for w := late; w < len(s.Waves); w++ {
			f := g.fieldwork(s, layout, weights, density)
			for range g.crowd(len(st.Respondents)) {
				r := f.respondent()
				r.Wave, r.Location = w, l
				r.Row = int64(len(st.Respondents) + 1)
				r.ID = fmt.Sprintf("r%d", r.Row)
				st.Respondents = append(st.Respondents, r)
			}
		}
	}
	g.Shuffle(len(st.Respondents), func(i, j int) {
		st.Respondents[i], st.Respondents[j] = st.Respondents[j], st.Respondents[i]
	})
}

// crowd is how many respondents a fieldwork has: often few, at times none, around 64, where words of bits end, or more.
func (g Random) crowd(already int) int {
	switch {
	case g.chance(10):
		return 0
	case already < 300 && g.chance(15):
		return []int{63, 64, 65, 127, 128, 130}[g.IntN(6)]
	}
	return g.between(1, 9)
}

// weights is a way of weighting, for a namespace.
func (g Random) weights() func() string {
	digits := func(n int) string {
		text := ""
		for range n {
			text += string(rune('0' + g.IntN(10)))
		}
		return text
	}
	switch g.IntN(9) {
	case 0:
		return func() string { return "1" }
	case 1:
		return func() string { return fmt.Sprint(g.between(1, 500)) }
	case 2:
		return func() string { return fmt.Sprint(1000 * g.between(1, 50)) }
	case 3:
		return func() string { return fmt.Sprintf("%d.%02d", g.between(1, 20), g.IntN(100)) }
	case 4, 5: // up to 2^40, the most that a weight may be
		most := []int{9, 1098}[g.IntN(2)]
		return func() string { return fmt.Sprint(g.between(1, most)) + "." + digits(3) + "e9" }
	case 6: // k above 22: 10^k is no float64
		return func() string { return fmt.Sprint(g.between(1, 900)) + "e-29" }
	}
	most := g.between(1, 14)
	return func() string {
		return []string{"0.3", "0.05", "1.", "2.0", "8."}[g.IntN(5)] + digits(g.between(0, most)) + "1"
	}
}

// site is a fieldwork in the making: who takes part in what, and what is asked.
type site struct {
	g            Random
	survey       *audience.Survey
	layout       *survey.Layout
	weights      []func() string
	density      []int // percent, by attribute
	takesPart    []int // percent, by namespace
	asked        []bool
	giveNoAnswer int // percent
}

func (g Random) fieldwork(s *audience.Survey, layout *survey.Layout, weights []func() string, density []int) *site {
	p := &site{g: g, survey: s, layout: layout, weights: weights, density: density, giveNoAnswer: []int{0, 0, 10,
		40}[g.IntN(4)]}
	for range s.Namespaces {
		p.takesPart = append(p.takesPart, []int{0, 40, 90, 100, 100, 100, 100}[g.IntN(7)])
	}
	for q := range s.Questions {
		asked := g.chance(85)
		for range layoutItems(layout, &s.Questions[q], q) {
			p.asked = append(p.asked, asked && g.chance(90))
		}
	}
	return p
}

// layoutItems is how many items question i has.
func layoutItems(layout *survey.Layout, q *audience.Question, i int) int {
	return layout.Item(i, len(q.Datapoints)-1) - layout.Item(i, 0) + 1
}

func (p *site) respondent() survey.Respondent {
	g := p.g
	r := survey.Respondent{Answered: make([]uint64, (p.layout.Items()+63)/64)}
	for n := range p.survey.Namespaces {
		var weight decimal.Decimal
		if g.chance(p.takesPart[n]) {
			weight, _ = decimal.Parse(p.weights[n](), true)
		}
		r.Weights = append(r.Weights, weight)
	}
	for i := range p.survey.Questions {
		p.answer(&r, &p.survey.Questions[i], i)
	}
	return r
}

// answer gives the respondent's answers to question i.
func (p *site) answer(r *survey.Respondent, q *audience.Question, i int) {
	g, chosen := p.g, false
	var answered []int // items
	for j := range q.Datapoints {
		item := p.layout.Item(i, j)
		if !p.asked[item] {
			continue
		}
		if !slices.Contains(answered, item) {
			if g.chance(p.giveNoAnswer) {
				continue
			}
			answered = append(answered, item)
			setItem(r, item)
		}
		for k := range max(1, len(q.Suffixes)) {
			a := p.layout.Attribute(i, j, k)
			if g.chance(p.density[a]) && !(chosen && q.Kind == audience.Single) {
				r.Attributes = append(r.Attributes, a)
				chosen = true
			}
		}
	}
}
