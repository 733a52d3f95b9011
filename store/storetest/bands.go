package storetest

import (
	"math/big"
	"strconv"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/internal/exact"
	"github.com/crosswave/crosswave/store/naive"
)

// inBand tells whether a respondent's number, as it is counted, is in a band.
func inBand(r *naive.Respondent, f *audience.Frame, x audience.Band) bool {
	at, q := question(f, audience.Answers{Question: x.Question})
	whole, there := r.Whole[q.Key()]
	if !there {
		return false
	}
	number := new(big.Rat).SetInt64(whole)
	number.Mul(number, exact.Power(-f.Numbers(at).Decimals))
	end := func(x float64) *big.Rat { return rational(strconv.FormatFloat(x, 'g', -1, 64)) }
	return (x.From == nil || number.Cmp(end(*x.From)) >= 0) && (x.To == nil || number.Cmp(end(*x.To)) < 0)
}

// numbersState is the state of what asks for the numbers of a question.
func numbersState(f *audience.Frame, code string, i int) state {
	if at, _ := question(f, audience.Answers{Question: code}); f.Numbers(at).Asked.Has(i) {
		return maybe
	}
	return unknown
}

// band is a band of numbers at times, if the asker asks for bands and there are numbers; else nil.
func (a *asker) band() audience.Expr {
	if !a.bands || len(a.questions) == 0 {
		return nil
	}
	first := a.IntN(len(a.questions))
	for k := range a.questions {
		i := a.questions[(first+k)%len(a.questions)]
		if n := a.frame.Numbers(i); n.Bits > 0 && a.chance(30) {
			x := audience.Band{Question: a.frame.Questions[i].Key()}
			one, other := a.end(n), a.end(n)
			switch a.IntN(4) {
			case 0:
				x.From = &one
			case 1:
				x.To = &one
			default:
				if one == other {
					other++
				}
				x.From, x.To = new(min(one, other)), new(max(one, other))
			}
			return x
		}
	}
	return nil
}

// end is a number near those that are kept so, or among them, and sometimes between two.
func (a *asker) end(n audience.Numbers) float64 {
	units := int64(a.between(-2, 1<<a.between(1, n.Bits)))
	if a.chance(50) {
		units = -units
	}
	x := new(big.Rat).SetInt64(units)
	if a.chance(20) {
		x.Add(x, big.NewRat(1, 2))
	}
	number, _ := x.Mul(x, exact.Power(-n.Decimals)).Float64()
	return number
}
