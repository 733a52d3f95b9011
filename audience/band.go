package audience

import (
	"cmp"
	"fmt"
	"math/big"
	"strconv"

	"github.com/crosswave/crosswave/internal/strictjson"
)

// Band is a leaf of derived questions: the respondents whose number is From or more and less than To. It asks the
// numbers themselves, so its ends need not be those of the question's own bands. It is measured where the numbers are
// kept (Numbers.Asked). No engine sees it: in a Query it is written in Slices.
type Band struct {
	Question string // as in Answers; one of which numbers are kept (Frame.Numbers)
	// From and To are in the question's unit, finite, and count as the shortest decimals that read back as them; nil is
	// open.
	From, To *float64
	Path     string // as in Answers
}

func (Band) expr() {}

// band reads a leaf that is a band; nil if it is none.
func band(code string, v strictjson.Value, o strictjson.Object) Expr {
	from, to := o.Get("from"), o.Get("to")
	if !from.Exists() && !to.Exists() {
		return nil
	}
	for _, name := range []string{"datapoints", "options", "suffixes", "min_count"} {
		if o.Get(name).Exists() {
			o.Get(name).Fail("%s beside from or to: a band is of numbers, whatever answers they stand for", name)
		}
	}
	x := Band{Question: code, Path: v.Path()}
	end := func(v strictjson.Value) *float64 {
		if !v.Exists() {
			return nil
		}
		return new(v.Float())
	}
	x.From, x.To = end(from), end(to)
	if x.From != nil && x.To != nil && *x.From >= *x.To {
		to.Fail("the band ends at %s, and begins at %s: to is above from, and not in the band", to.Raw(), from.Raw())
	}
	if code == "waves" || code == "locations" {
		v.Fail("%q has no numbers", code)
	}
	return x
}

// appendBand writes the members of a band.
func appendBand(b []byte, x Band) []byte {
	b = strictjson.AppendString(append(b, `"question":`...), x.Question)
	for _, end := range []struct {
		name  string
		value *float64
	}{{"from", x.From}, {"to", x.To}} {
		if end.value != nil {
			b = append(append(append(b, `,"`...), end.name...), `":`...)
			b = strconv.AppendFloat(b, *end.value, 'g', -1, 64)
		}
	}
	return b
}

func describeBand(x Band, f *Frame) string {
	title := x.Question
	if i, err := f.Question(x.Question); err == nil && i >= 0 {
		title = cmp.Or(f.Questions[i].Name, f.Questions[i].Code)
	}
	text := func(x float64) string { return strconv.FormatFloat(x, 'f', -1, 64) }
	switch {
	case x.From != nil && x.To != nil:
		return fmt.Sprintf("%s: from %s to below %s", title, text(*x.From), text(*x.To))
	case x.From != nil:
		return fmt.Sprintf("%s: %s or more", title, text(*x.From))
	case x.To != nil:
		return fmt.Sprintf("%s: below %s", title, text(*x.To))
	}
	return title + ": any number"
}

// band checks a leaf that is a band: it tells of all the question's answers, so the caller must be allowed to use each.
func (c *checker) band(origin string, x Band) {
	c.answers(origin, Answers{Question: x.Question, Path: x.Path})
	i, err := c.frame.Question(x.Question)
	if err != nil || i < 0 || c.frame.HidesQuestion(i) {
		return
	}
	if c.frame.Numbers(i).Bits == 0 {
		c.fail(x.Path, "question", fmt.Sprintf("no numbers are kept of question %q: bands are of a question of numbers, "+
			"which, if it was imported before numbers were kept, has to be imported again", x.Question))
	}
}

// band writes a band in slices.
func (b *binder) band(x Band) (Expr, error) {
	i, err := b.question(x.Question)
	if err != nil {
		return nil, err
	}
	kept := b.frame.Numbers(i)
	s := sliced{question: b.frame.Questions[i].Key(), bits: kept.Bits}
	parts := And{s.slice(AnyNumber)}
	if x.From != nil {
		parts = append(parts, s.reaching(unitsFrom(*x.From, kept.Decimals)))
	}
	if x.To != nil {
		parts = append(parts, Not{s.reaching(unitsFrom(*x.To, kept.Decimals))})
	}
	return parts, nil
}

// unitsFrom is the least number of units of 10^-decimals that is x or more.
func unitsFrom(x float64, decimals int) *big.Int {
	exact, _ := new(big.Rat).SetString(strconv.FormatFloat(x, 'g', -1, 64))
	exact.Mul(exact, new(big.Rat).SetInt(powerOf10(decimals)))
	floor, rest := new(big.Int).DivMod(exact.Num(), exact.Denom(), new(big.Int))
	if rest.Sign() > 0 {
		floor.Add(floor, big.NewInt(1))
	}
	return floor
}

// sliced are the numbers of a question, in binary digits.
type sliced struct {
	question string
	bits     int
}

func (s *sliced) slice(bit int) Expr { return Slice{Question: s.question, Bit: bit} }

// reaching is, of those who have a number, those with one of at least so many units.
//
// Numbers in two's complement are in order once their top digit is turned round, so that those below 0 have a 0 there.
// Of two such numbers the larger is told by the highest digit in which they differ. So, from the lowest digit up: where
// the least number has a 1, one that reaches it has a 1 as well and reaches it in the digits below; where it has a 0,
// one that has a 1 is above it, and another reaches it if it does so in the digits below.
func (s *sliced) reaching(least *big.Int) Expr {
	half := new(big.Int).Lsh(big.NewInt(1), uint(s.bits-1))
	turned := new(big.Int).Add(least, half)
	switch {
	case turned.Sign() <= 0:
		return s.slice(AnyNumber)
	case turned.BitLen() > s.bits:
		return Not{s.slice(AnyNumber)}
	}
	var reached Expr // nil: all do
	for bit := range s.bits {
		and, isAnd := reached.(And)
		or, isOr := reached.(Or)
		one := s.slice(bit)
		if bit == s.bits-1 {
			one = Not{one}
		}
		switch {
		case turned.Bit(bit) == 1 && reached == nil:
			reached = one
		case turned.Bit(bit) == 1 && isAnd:
			reached = append(and, one)
		case turned.Bit(bit) == 1:
			reached = And{reached, one}
		case reached == nil:
		case isOr:
			reached = append(or, one)
		default:
			reached = Or{reached, one}
		}
	}
	return reached
}
