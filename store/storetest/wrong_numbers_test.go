package storetest

import (
	"math/big"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/internal/exact"
	"github.com/crosswave/crosswave/store/naive"
)

// wrongNumbers have a fault in what they make of numbers.
func wrongNumbers(enter func(string, wrong, ...string)) {
	slices := "script/number_slices"
	enter("numbers are not counted", wrong{expr: sliced(func(*audience.Frame, audience.Slice) audience.Expr {
		return audience.Or{}
	})}, slices, "random")
	enter("everyone has a number", wrong{expr: sliced(func(_ *audience.Frame, x audience.Slice) audience.Expr {
		if x.Bit == audience.AnyNumber {
			return audience.Everyone{}
		}
		return x
	})}, slices, "random")
	enter("no number is below 0", wrong{expr: sliced(func(f *audience.Frame, x audience.Slice) audience.Expr {
		if i, err := f.Question(x.Question); err == nil && x.Bit == f.Numbers(i).Bits-1 {
			return audience.Or{}
		}
		return x
	})}, slices, "random")
	enter("the next digit", wrong{expr: sliced(func(f *audience.Frame, x audience.Slice) audience.Expr {
		if i, err := f.Question(x.Question); err == nil && x.Bit >= 0 && x.Bit < f.Numbers(i).Bits-1 {
			x.Bit++
		}
		return x
	})}, slices, "random")
	enter("numbers without their sign", wrong{after: recounted(func(x *big.Rat, k int) int64 {
		return max(exact.Units(x, k).Int64(), -exact.Units(x, k).Int64())
	})}, slices, "random")
	enter("numbers are rounded towards zero", wrong{after: recounted(func(x *big.Rat, k int) int64 {
		scaled := new(big.Rat).Mul(x, exact.Power(k))
		return new(big.Int).Quo(scaled.Num(), scaled.Denom()).Int64()
	})}, "script/number_unit")
	enter("numbers are rounded half up", wrong{after: recounted(func(x *big.Rat, k int) int64 {
		scaled := new(big.Rat).Mul(x, exact.Power(k))
		scaled.Add(scaled, big.NewRat(1, 2))
		return new(big.Int).Div(scaled.Num(), scaled.Denom()).Int64()
	})}, "script/number_unit")
	enter("numbers stay in the unit they came in", wrong{after: func(before, now []naive.Respondent,
		_ *audience.Frame) {
		for i := range before {
			if i < len(now) && len(before[i].Whole) == len(now[i].Whole) {
				now[i].Whole = before[i].Whole
			}
		}
	}}, slices, "script/number_unit")
	wrongNumberFrames(enter)
}

// wrongNumberFrames say wrong things of how numbers are kept.
func wrongNumberFrames(enter func(string, wrong, ...string)) {
	// each changes what is said of the numbers of each question that has any.
	each := func(change func(*audience.Frame, int, *audience.Numbers)) wrong {
		return wrong{frame: func(f *audience.Frame, _ *audience.Survey, c *audience.Coverage) {
			for i := range c.Numbers {
				if c.Numbers[i].Bits > 0 {
					change(f, i, &c.Numbers[i])
				}
			}
		}}
	}
	enter("a digit too many", each(func(_ *audience.Frame, _ int, n *audience.Numbers) { n.Bits++ }),
		"script/number_slices", "script/number_unit", "random")
	enter("numbers are kept wherever the question was asked", each(func(f *audience.Frame, i int, n *audience.Numbers) {
		for d := range f.Questions[i].Datapoints {
			n.Asked = n.Asked.Or(f.Asked(i, d))
		}
	}), "script/number_slices", "script/number_unit")
	enter("another unit of numbers", each(func(_ *audience.Frame, _ int, n *audience.Numbers) { n.Decimals++ }),
		"script/number_slices", "random")
	enter("numbers forgotten by the frame",
		wrong{frame: func(_ *audience.Frame, _ *audience.Survey, c *audience.Coverage) { c.Numbers = nil }},
		"script/number_slices", "random")
}

// sliced changes only leaves of numbers.
func sliced(change func(*audience.Frame, audience.Slice) audience.Expr) func(*audience.Frame,
	audience.Expr) audience.Expr {
	return func(f *audience.Frame, x audience.Expr) audience.Expr {
		if s, ok := x.(audience.Slice); ok {
			return change(f, s)
		}
		return x
	}
}

// recounted sets the integers of numbers another way.
func recounted(units func(number *big.Rat, k int) int64) func(_, _ []naive.Respondent, _ *audience.Frame) {
	return func(_, now []naive.Respondent, f *audience.Frame) {
		for i := range now {
			for key := range now[i].Whole {
				q, _ := f.Question(key)
				now[i].Whole[key] = units(now[i].Numbers[key], f.Numbers(q).Decimals)
			}
		}
	}
}
