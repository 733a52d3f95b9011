package storetest

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/internal/exact"
	"github.com/crosswave/crosswave/internal/script"
	"github.com/crosswave/crosswave/store/survey"
	"github.com/crosswave/crosswave/store/survey/decimal"
)

// numbers is how the numbers of question i are kept, by the rules.
func (st *Study) numbers(f *audience.Frame, i int) audience.Numbers {
	q := &st.Survey.Questions[i]
	namespace := slices.IndexFunc(st.Survey.Namespaces, func(n audience.Namespace) bool { return n.Code == q.Namespace })
	cover := st.where(f, func(r *survey.Respondent) bool {
		return r.Weights[namespace].Sign() > 0 && st.given(f, r, i) != nil
	})
	var all []*big.Rat
	for k := range st.Respondents {
		r := &st.Respondents[k]
		if x := st.given(f, r, i); x != nil && cover.Has(st.at(f, r)) {
			all = append(all, x)
		}
	}
	if len(all) == 0 {
		return audience.Numbers{}
	}
	n := audience.Numbers{Asked: cover}
	for _, x := range all {
		n.Decimals = max(n.Decimals, decimals(x))
	}
	for slices.ContainsFunc(all, func(x *big.Rat) bool { return !small(x, n.Decimals) }) && n.Decimals > 0 {
		n.Decimals--
	}
	for n.Bits = 1; slices.ContainsFunc(all, func(x *big.Rat) bool {
		return !within(exact.Units(x, n.Decimals), n.Bits)
	}); {
		n.Bits++
	}
	n.Least, n.Greatest = math.MaxInt64, math.MinInt64
	for _, x := range all {
		units := exact.Units(x, n.Decimals).Int64()
		n.Least, n.Greatest = min(n.Least, units), max(n.Greatest, units)
	}
	return n
}

// within tells whether an integer is one of so many bits in two's complement.
func within(x *big.Int, bits int) bool {
	most := new(big.Int).Lsh(big.NewInt(1), uint(bits-1))
	return x.Cmp(most) < 0 && x.Cmp(most.Neg(most)) >= 0
}

// given is the respondent's number to question i; nil if there is none, or if the question is declared as not asked
// there.
func (st *Study) given(f *audience.Frame, r *survey.Respondent, i int) *big.Rat {
	if !st.put(f, r, i) {
		return nil
	}
	for _, n := range r.Numbers {
		if n.Question == i {
			return rational(n.Value.String())
		}
	}
	return nil
}

// put tells whether question i may have been put to the respondent: not so if each datapoint is declared as not asked
// there. f need not be ready.
func (st *Study) put(f *audience.Frame, r *survey.Respondent, i int) bool {
	for j := range st.Survey.Questions[i].Datapoints {
		asked := declaration(f, i, j)
		if asked == nil || declared(f, asked).Has(st.at(f, r)) {
			return true
		}
	}
	return false
}

// numbers looks at how the numbers of a question are kept: numbers QUESTION K BITS FIELDWORK…
func (r *run) numbers(step script.Step, words []string) error {
	f, err := r.engine.Frame(r.ctx)
	if err != nil {
		return err
	}
	if len(words) < 3 {
		return step.Errorf("numbers QUESTION K BITS FIELDWORK… is expected")
	}
	i, err := f.Question(words[0])
	if err != nil || i < 0 {
		return step.Errorf("there is no question %q", words[0])
	}
	n := f.Numbers(i)
	if got := fmt.Sprint(n.Decimals, " ", n.Bits); got != words[1]+" "+words[2] {
		return step.Errorf("k and bits are %s", got)
	}
	want, err := readCover(f, words[3:])
	if err == nil && !n.Asked.Equal(want) {
		err = step.Errorf("they are kept of %s", coverText(f, n.Asked))
	}
	return err
}

// In scripts a leaf of numbers is written as one datapoint of its question: "bit 3", "number 17" or "any number".

const anyNumber = "any number"

// written is x with each slice as scripts write it, and read the reverse.
func written(x audience.Expr) audience.Expr {
	return replaced(x, func(x audience.Expr) audience.Expr {
		if value, is := x.(audience.Value); is {
			code := fmt.Sprint("number ", value.Number)
			return audience.Answers{Question: value.Question, Datapoints: []string{code}}
		}
		slice, is := x.(audience.Slice)
		if !is {
			return x
		}
		code := anyNumber
		if slice.Bit != audience.AnyNumber {
			code = fmt.Sprint("bit ", slice.Bit)
		}
		return audience.Answers{Question: slice.Question, Datapoints: []string{code}}
	})
}

func read(x audience.Expr) audience.Expr {
	return replaced(x, func(x audience.Expr) audience.Expr {
		leaf, is := x.(audience.Answers)
		if !is || len(leaf.Datapoints) != 1 {
			return x
		}
		slice := audience.Slice{Question: leaf.Question, Bit: audience.AnyNumber, Path: leaf.Path}
		if leaf.Datapoints[0] == anyNumber {
			return slice
		}
		if text, is := strings.CutPrefix(leaf.Datapoints[0], "number "); is {
			if n, err := strconv.ParseInt(text, 10, 64); err == nil {
				return audience.Value{Question: leaf.Question, Number: n, Path: leaf.Path}
			}
		}
		digits, is := strings.CutPrefix(leaf.Datapoints[0], "bit ")
		bit, err := strconv.Atoi(digits)
		if !is || err != nil {
			return x
		}
		slice.Bit = bit
		return slice
	})
}

// replaced is x with each leaf as change makes it.
func replaced(x audience.Expr, change func(audience.Expr) audience.Expr) audience.Expr {
	all := func(parts []audience.Expr) []audience.Expr {
		parts = slices.Clone(parts)
		for i := range parts {
			parts[i] = replaced(parts[i], change)
		}
		return parts
	}
	switch x := x.(type) {
	case audience.And:
		return audience.And(all(x))
	case audience.Or:
		return audience.Or(all(x))
	case audience.Cut:
		return audience.Cut(all(x))
	case audience.Not:
		return audience.Not{X: replaced(x.X, change)}
	}
	return change(x)
}

// giveNumbers has most of those who answered a question of numbers give one, whatever bands they are in. It draws from
// a sequence of its own, so that a study is what it was before there were numbers.
func (st *Study) giveNumbers() {
	layout := survey.NewLayout(st.Survey)
	g := Random{rand.New(rand.NewPCG(uint64(len(st.Respondents)), uint64(layout.Attributes())))}
	for i, q := range st.Survey.Questions {
		if q.Kind != audience.Number {
			continue
		}
		ways, item := g.numbering(len(st.Survey.Waves)), layout.Item(i, 0)
		for k := range st.Respondents {
			r := &st.Respondents[k]
			if r.Answered[item/64]>>(item%64)&1 == 0 || g.chance(15) {
				continue
			}
			number, _ := decimal.Parse(ways[r.Wave](), true)
			r.Numbers = append(r.Numbers, survey.Given{Question: i, Value: number})
		}
	}
}

// numbering is a way of giving numbers to a question, of its own in each wave.
func (g Random) numbering(waves int) []func() string {
	digits := func(n int) string {
		text := ""
		for range n {
			text += string(rune('0' + g.IntN(10)))
		}
		return text
	}
	sign := []string{"", "", "-"}
	ways := []func() string{
		func() string { return []string{"0", "-1"}[g.IntN(2)] },
		func() string { return fmt.Sprint(g.between(16, 90)) },
		func() string { return fmt.Sprint(g.between(-3, 200)) },
		func() string { return fmt.Sprintf("%s%d.%02d", sign[g.IntN(3)], g.between(0, 300), g.IntN(100)) },
		func() string { return fmt.Sprintf("%s%de3", sign[g.IntN(3)], g.between(0, 900)) },
		// Around a tenth of 2^40, and the most that a number may be.
		func() string { return sign[g.IntN(3)] + "10995116277" + digits(1) + "." + digits(g.between(1, 3)) },
		func() string { return sign[g.IntN(3)] + "1099511627775.4" },
		func() string { return fmt.Sprintf("%s%de-29", sign[g.IntN(3)], g.between(0, 900)) },
		func() string { return sign[g.IntN(3)] + "0." + digits(g.between(1, 20)) + "5" },
	}
	usual := ways[g.IntN(len(ways))]
	var list []func() string
	for range waves {
		way := usual
		if g.chance(20) {
			way = ways[g.IntN(len(ways))]
		}
		list = append(list, way)
	}
	return list
}
