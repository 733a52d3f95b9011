package clickhouse

import (
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/crosswave/crosswave/audience"
)

// said is an expression about a number, and what it says of a respondent with a number or with none.
type said struct {
	x    audience.Expr
	says func(number int64, given bool) bool
}

// anySaid makes one of a question whose numbers have so many bits, nested as deep as depth.
func anySaid(r *rand.Rand, question string, bits, depth int) said {
	list := func() (xs []audience.Expr, all []said) {
		for range 1 + r.IntN(3) {
			one := anySaid(r, question, bits, depth-1)
			xs, all = append(xs, one.x), append(all, one)
		}
		return xs, all
	}
	kind := r.IntN(6)
	if depth == 0 {
		kind = r.IntN(3)
	}
	switch kind {
	case 0:
		bit := r.IntN(bits)
		return said{audience.Slice{Question: question, Bit: bit}, func(n int64, given bool) bool {
			return given && n&(1<<bit) != 0
		}}
	case 1:
		return said{audience.Slice{Question: question, Bit: audience.AnyNumber},
			func(_ int64, given bool) bool { return given }}
	case 2:
		number := r.Int64N(1<<bits) - 1<<(bits-1)
		return said{audience.Value{Question: question, Number: number}, func(n int64, given bool) bool {
			return given && n == number
		}}
	case 3:
		one := anySaid(r, question, bits, depth-1)
		return said{audience.Not{X: one.x}, func(n int64, given bool) bool { return !one.says(n, given) }}
	case 4:
		xs, all := list()
		return said{audience.And(xs), func(n int64, given bool) bool {
			for _, one := range all {
				if !one.says(n, given) {
					return false
				}
			}
			return true
		}}
	}
	xs, all := list()
	return said{audience.Or(xs), func(n int64, given bool) bool {
		for _, one := range all {
			if one.says(n, given) {
				return true
			}
		}
		return false
	}}
}

// The rows of a number that is known by the digits that rows look at, as a server writes them, are those that the whole
// number is in; who has none has a 0.
func TestRowsOfANumber(t *testing.T) {
	const bits = 5
	r := rand.New(rand.NewPCG(3, 1))
	c := &coder{frame: sliced(t, bits)}
	narrow := 0
	for range 3000 {
		v, side := &valued{}, &side{}
		var list []said
		for range 1 + r.IntN(5) {
			one := anySaid(r, "core.age", bits, 2)
			list, side.expressions = append(list, one), append(side.expressions, one.x)
			if !v.reads(c.frame, one.x) {
				t.Fatalf("%v is about more than a number", one.x)
			}
		}
		if v.values() < 1<<bits {
			narrow++
		}
		for n := int64(-1 << (bits - 1)); n <= 1<<(bits-1); n++ {
			given := n < 1<<(bits-1)
			want := []uint32{everyRow}
			number := n
			if !given {
				number = 0
			}
			for i, one := range list {
				if one.says(number, given) {
					want = append(want, conditionKeys+uint32(i))
				}
			}
			key := int(number & v.digits >> v.shift())
			if v.given {
				key *= 2
				if given {
					key++
				}
			}
			if key >= 1<<v.bits() {
				t.Fatalf("%v: the key of %d is %d, beyond %d bits", side.expressions, n, key, v.bits())
			}
			if d := cmp.Diff(want, v.rows(side, key)); d != "" {
				t.Fatalf("%v of %d, %v: %s", side.expressions, n, given, d)
			}
		}
	}
	if narrow < 300 {
		t.Errorf("only %d look at some of the digits alone", narrow)
	}
}

// Rows are counted by their number if all are about the same one and it has few values, of which lines are told in a
// table of some columns.
func TestAboutANumber(t *testing.T) {
	digit := func(question string, bit int) audience.Expr { return audience.Slice{Question: question, Bit: bit} }
	age := []audience.Expr{digit("core.age", 2), audience.Not{X: digit("core.age", 4)},
		audience.And{digit("core.age", 2), digit("core.age", 3)}}
	for _, c := range []struct {
		name         string
		bits         int
		rows         []audience.Expr
		digits       int64
		given        bool
		keys, values int
	}{
		{"few rows", 5, age[:2], 0, false, 0, 0},
		{"digits", 5, age, 0b11100, false, 3, 8},
		{"digits, and who has one", 5, append(age[:3:3], digit("core.age", audience.AnyNumber)), 0b11100, true, 4, 9},
		{"a value", 5, append(age[:3:3], audience.Value{Question: "core.age", Number: -3}), 0b11111, true, 6, 33},
		{"another number", 5, append(age[:3:3], digit("core.spent", 1)), 0, false, 0, 0},
		{"a wave", 5, append(age[:3:3], audience.Waves{Codes: []string{"w1"}}), 0, false, 0, 0},
		{"everyone", 5, append(age[:3:3], audience.And{}), 0b11100, false, 3, 8},
		{"as many digits as may be", 12, append(age[:3:3], digit("core.age", 11)), 0b100000011100, false, 10, 1024},
		{"one too many", 12, append(age[:3:3], digit("core.age", 11), digit("core.age", 1)), 0, false, 0, 0},
	} {
		var rows []option
		for _, x := range c.rows {
			rows = append(rows, option{expression: x})
		}
		v := about(sliced(t, c.bits), rows)
		switch {
		case v == nil && c.keys == 0:
		case v == nil || c.keys == 0:
			t.Errorf("%s: %+v", c.name, v)
		case v.digits != c.digits || v.given != c.given || v.bits() != c.keys || v.values() != c.values:
			t.Errorf("%s: %+v, %d bits, %d values", c.name, v, v.bits(), v.values())
		}
	}
}
