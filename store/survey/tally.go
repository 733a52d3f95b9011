package survey

import (
	"math"
	"math/bits"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/store/survey/decimal"
)

// tally adds up what must be known of the respondents of a file once all were seen: their weights and what they have
// answered, by fieldwork. Fieldwork is numbered wave × locations + location, by the survey's order.
type tally struct {
	survey     *audience.Survey
	layout     *Layout
	fieldwork  []*fieldwork // nil: no respondents
	members    [][]uint64   // per namespace, the items of its questions
	options    []uint64     // the items of multiple choices, to which one answers no
	asItem     []int32      // the item of each attribute
	separate   []itemRange  // of the questions that have several items
	weights    []*weights   // per namespace
	namespaces []int        // of each question
	scratch    []uint64
	positive   []uint64 // of one respondent, for a moment: items
}

// fieldwork is what is known of the respondents of a wave in a location.
type fieldwork struct {
	respondents int64
	weightZero  int64 // of them, those who take part in no namespace
	namespaces  []namespaceTally
	weightless  []uint64      // the items of which any has a value who does not take part in the question's namespace
	numbers     []numberTally // by question; nil: none was given
	// Of those who take part in the question's namespace:
	covered   []uint64 // the items of which any has a value
	items     counts   // with a value of the item
	declined  []uint64 // the options that any said no to
	questions []int64  // with a value of any item of a question with several
}

type namespaceTally struct {
	sample            int64
	decimals          int
	largest, smallest decimal.Decimal
	total             decimal.Sum
}

// itemRange is the items of a question.
type itemRange struct {
	question    int
	first, last int // last is not among them
}

func newTally(s *audience.Survey, layout *Layout) *tally {
	t := &tally{survey: s, layout: layout, fieldwork: make([]*fieldwork, len(s.Waves)*len(s.Locations))}
	words := (layout.Items() + 63) / 64
	t.scratch, t.options, t.positive = make([]uint64, words), make([]uint64, words), make([]uint64, words)
	t.asItem = make([]int32, layout.Attributes())
	at := map[string]int{}
	for i, n := range s.Namespaces {
		at[n.Code] = i
		t.members = append(t.members, make([]uint64, words))
		t.weights = append(t.weights, &weights{})
	}
	for i := range s.Questions {
		q := &s.Questions[i]
		t.namespaces = append(t.namespaces, at[q.Namespace])
		for j := range q.Datapoints {
			item := layout.Item(i, j)
			t.members[at[q.Namespace]][item>>6] |= 1 << (item & 63)
			if q.Separate && q.Kind == audience.Multi {
				t.options[item>>6] |= 1 << (item & 63)
			}
			for k := range max(1, len(q.Suffixes)) {
				t.asItem[layout.Attribute(i, j, k)] = int32(item)
			}
		}
		if q.Separate {
			t.separate = append(t.separate, itemRange{i, int(layout.items[i]), int(layout.items[i+1])})
		}
	}
	return t
}

// at gives the fieldwork of a respondent.
func (t *tally) at(wave, location int) *fieldwork {
	at := wave*len(t.survey.Locations) + location
	if t.fieldwork[at] == nil {
		words := len(t.scratch)
		t.fieldwork[at] = &fieldwork{
			namespaces: make([]namespaceTally, len(t.survey.Namespaces)), covered: make([]uint64, words),
			weightless: make([]uint64, words), declined: make([]uint64, words),
			items: newCounts(words), questions: make([]int64, len(t.separate)),
		}
	}
	return t.fieldwork[at]
}

// add takes a respondent whose weights were checked, and what they answered.
func (t *tally) add(r *Respondent, answered []uint64) {
	f := t.at(r.Wave, r.Location)
	f.respondents++
	all, some := true, false
	for i, w := range r.Weights {
		if w.IsZero() {
			all = false
			continue
		}
		some = true
		f.namespaces[i].add(w)
		t.weights[i].add(w, r.Row)
	}
	if !some {
		f.weightZero++
	}
	if !all {
		given := answered
		answered = t.takingPart(r, answered)
		for i, word := range given {
			f.weightless[i] |= word &^ answered[i]
		}
	}
	for i, word := range answered {
		f.covered[i] |= word
	}
	f.items.add(answered)
	t.decline(f, r.Attributes, answered)
	t.addNumbers(f, r)
	for i, q := range t.separate {
		if anyBit(answered, q.first, q.last) {
			f.questions[i]++
		}
	}
}

// decline notes the options that a respondent said no to, unless somebody did before.
func (t *tally) decline(f *fieldwork, attributes []int32, answered []uint64) {
	open := uint64(0)
	for i, word := range answered {
		open |= word & t.options[i] &^ f.declined[i]
	}
	if open == 0 {
		return
	}
	clear(t.positive)
	for _, a := range attributes {
		item := t.asItem[a]
		t.positive[item>>6] |= 1 << (item & 63)
	}
	for i, word := range answered {
		f.declined[i] |= word & t.options[i] &^ t.positive[i]
	}
}

// takingPart cuts the items down to those of namespaces in which the respondent takes part.
func (t *tally) takingPart(r *Respondent, answered []uint64) []uint64 {
	clear(t.scratch)
	for i, w := range r.Weights {
		if !w.IsZero() {
			for k, m := range t.members[i] {
				t.scratch[k] |= m & answered[k]
			}
		}
	}
	return t.scratch
}

// anyBit tells whether any bit from first to before last is set.
func anyBit(set []uint64, first, last int) bool {
	for w := first >> 6; w<<6 < last; w++ {
		word := set[w]
		if w<<6 < first {
			word &= ^uint64(0) << (first & 63)
		}
		if last < (w+1)<<6 {
			word &= 1<<(last&63) - 1
		}
		if word != 0 {
			return true
		}
	}
	return false
}

func (n *namespaceTally) add(w decimal.Decimal) {
	if n.sample++; n.sample == 1 {
		n.largest, n.smallest = w, w
	} else if w != n.largest && w != n.smallest {
		if w.Cmp(n.largest) > 0 {
			n.largest = w
		} else if w.Cmp(n.smallest) < 0 {
			n.smallest = w
		}
	}
	n.decimals = max(n.decimals, w.Decimals())
	n.total.Add(w)
}

// facts gives a fieldwork's numbers as they are kept.
func (t *tally) facts(f *fieldwork, wave, location string) Facts {
	out := Facts{Wave: wave, Location: location, Respondents: f.respondents, Answered: map[string]int64{}}
	for i := range f.namespaces {
		n := &f.namespaces[i]
		facts := NSFacts{Sample: n.sample, Decimals: n.decimals}
		if n.sample > 0 {
			facts.Largest, facts.Smallest, facts.Total = n.largest.String(), n.smallest.String(), n.total.String()
		}
		out.Namespaces = append(out.Namespaces, facts)
	}
	for i, n := range t.answered(f) {
		if n > 0 {
			out.Answered[t.survey.Questions[i].Key()] = n
		}
	}
	out.Numbers = t.numberFacts(f)
	return out
}

// answered gives, per question, the respondents of its namespace with a value.
func (t *tally) answered(f *fieldwork) []int64 {
	list := make([]int64, len(t.survey.Questions))
	items := f.items.all()
	for i := range list {
		if t.layout.items[i] < t.layout.items[i+1] {
			list[i] = items[t.layout.items[i]]
		}
	}
	for i, q := range t.separate {
		list[q.question] = f.questions[i]
	}
	return list
}

// counts counts the set bits of many sets, bit by bit. The sets are added as numbers of one digit per plane, 64 bits at
// a time.
type counts struct {
	planes []uint64 // 8 of each word: the digits of up to 255, lowest first
	added  int
	totals []int64
}

func newCounts(words int) counts {
	return counts{planes: make([]uint64, 8*words), totals: make([]int64, 64*words)}
}

func (c *counts) add(set []uint64) {
	for i, carry := range set {
		planes := c.planes[8*i : 8*i+8]
		for p := 0; carry != 0; p++ {
			planes[p], carry = planes[p]^carry, planes[p]&carry
		}
	}
	if c.added++; c.added == 255 {
		c.flush()
	}
}

func (c *counts) flush() {
	for i, plane := range c.planes {
		for ; plane != 0; plane &= plane - 1 {
			c.totals[i>>3<<6+bits.TrailingZeros64(plane)] += 1 << (i & 7)
		}
	}
	clear(c.planes)
	c.added = 0
}

// all gives the number of sets that had each bit.
func (c *counts) all() []int64 {
	c.flush()
	return c.totals
}

// weights is what is known of the weights of a namespace in all of a file.
type weights struct {
	smallest decimal.Decimal // above 0; 0: there is none
	row      int64           // where the smallest stands first
	decimals int             // the most
	// by k: the largest share of itself that a weight differs by from a whole number of units of 10^-k
	worst     [mostDecimals]float64
	imprecise bool // a weight has more digits than worst can tell
}

const mostDecimals = 24

// powers are the powers of ten that fit.
var powers = func() (t [19]int64) {
	t[0] = 1
	for i := 1; i < len(t); i++ {
		t[i] = 10 * t[i-1]
	}
	return t
}()

func (w *weights) add(d decimal.Decimal, row int64) {
	if w.smallest.IsZero() || d != w.smallest && d.Cmp(w.smallest) < 0 {
		w.smallest, w.row = d, row
	}
	decimals := d.Decimals()
	if decimals <= 0 {
		return
	}
	w.decimals = max(w.decimals, decimals)
	mantissa, ok := d.Scaled(decimals)
	if !ok || decimals > mostDecimals {
		w.imprecise = true
		return
	}
	for shift, k := 1, decimals-1; k >= 0; shift, k = shift+1, k-1 {
		if shift >= len(powers) {
			w.imprecise = true
			return
		}
		if float64(powers[shift])/2 <= w.worst[k]*float64(mantissa) {
			continue // it cannot be worse
		}
		rest := mantissa % powers[shift]
		w.worst[k] = max(w.worst[k], float64(min(rest, powers[shift]-rest))/float64(mantissa))
	}
}

// rounding is the largest share of itself by which a weight differs from its whole number of units of 10^-k.
func (w *weights) rounding(k int) float64 {
	switch {
	case w.smallest.IsZero() || k >= w.decimals:
		return 0
	case !w.imprecise:
		return w.worst[k]
	}
	return bound(w.smallest, k)
}

// bound is a share of itself that no weight from smallest up can differ by from a whole number of units of 10^-k.
func bound(smallest decimal.Decimal, k int) float64 {
	return math.Pow(10, -float64(k)) / 2 / smallest.Float64()
}
