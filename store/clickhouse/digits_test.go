package clickhouse

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/crosswave/crosswave/audience"
)

// sliced is a frame with two questions of numbers of so many bits.
func sliced(t *testing.T, bits int) *audience.Frame {
	t.Helper()
	sv := &audience.Survey{Namespaces: []audience.Namespace{{Code: "core"}}, Waves: []audience.Wave{{Code: "w1"}},
		Locations: []audience.Location{{Code: "uk"}}}
	everywhere := audience.NewCover(1)
	everywhere.Set(0)
	c := audience.Coverage{Fielded: []audience.Cover{everywhere}, Decimals: []int{0}}
	for _, code := range []string{"age", "spent"} {
		sv.Questions = append(sv.Questions, audience.Question{Namespace: "core", Code: code, Kind: audience.Number,
			Datapoints: []audience.Datapoint{{Code: "all"}}})
		c.Asked = append(c.Asked, []audience.Cover{everywhere})
		c.Numbers = append(c.Numbers, audience.Numbers{Bits: bits, Asked: everywhere})
	}
	f, err := audience.NewFrame(1, sv, c)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// digitsHold tells whether an expression on digits of one number holds for a number.
func digitsHold(x audience.Expr, number int64) bool {
	switch x := x.(type) {
	case audience.And:
		for _, part := range x {
			if !digitsHold(part, number) {
				return false
			}
		}
		return true
	case audience.Or:
		for _, part := range x {
			if digitsHold(part, number) {
				return true
			}
		}
		return false
	case audience.Not:
		return !digitsHold(x.X, number)
	}
	return number>>x.(audience.Slice).Bit&1 != 0
}

// What is taken for a comparison says just that of every number, whatever is joined and how; and it is not taken for
// one if it is about another question, too.
func TestReachingIsAComparison(t *testing.T) {
	const bits = 4
	c := &coder{frame: sliced(t, bits)}
	r := rand.New(rand.NewPCG(7, 1))
	question := "core.age"
	digit := func(bit int) audience.Expr {
		x := audience.Expr(audience.Slice{Question: question, Bit: bit})
		if (bit == bits-1) != (r.IntN(12) == 0) {
			x = audience.Not{X: x}
		}
		return x
	}
	taken, left := map[int64]int{}, 0
	for range 40_000 {
		bit := r.IntN(bits)
		x := digit(bit)
		for bit++; bit < bits; bit++ {
			list := []audience.Expr{x, digit(bit)}
			for ; bit < bits-1 && r.IntN(3) == 0; bit++ {
				list = append(list, digit(bit+1))
			}
			if r.IntN(15) == 0 {
				bit++
			}
			if r.IntN(30) == 0 {
				list[0], list[1] = list[1], list[0]
			}
			x = audience.And(list)
			if r.IntN(2) == 0 {
				x = audience.Or(list)
			}
		}
		reached, ok := c.reaching(x)
		if !ok {
			left++
			continue
		}
		taken[reached.turned]++
		for n := int64(-1 << (bits - 1)); n < 1<<(bits-1); n++ {
			if want, got := digitsHold(x, n), n&(1<<bits-1)^1<<(bits-1) >= reached.turned; want != got {
				t.Fatalf("%v is taken for reaching %d; of %d it says %v", x, reached.turned, n, want)
			}
		}
	}
	if len(taken) != 1<<bits-2 || left < 1000 { // the least number, and that with the top digit alone, are no and or or
		t.Errorf("%v are taken, and %d left", taken, left)
	}
	mixed := audience.And{audience.Slice{Question: "core.spent", Bit: 2}, digit(3)}
	if _, ok := c.reaching(mixed); ok {
		t.Error("digits of two questions are taken for a number")
	}
}

// asked is a store that keeps what it is asked.
type asked struct {
	*audience.Frame
	queries []audience.Query
}

func (a *asked) Count(_ context.Context, _ uint64, qs []audience.Query) ([][]*audience.Table, error) {
	a.queries = append(a.queries, qs...)
	return nil, errors.New("nothing is counted")
}

type framed struct{ *asked }

func (f framed) Frame(context.Context) (*audience.Frame, error) { return f.asked.Frame, nil }

// Bands of numbers are asked for by comparisons, however many digits there are, and not by their digits.
func TestBandsAreComparisons(t *testing.T) {
	f := sliced(t, 41)
	engine := &asked{Frame: f}
	var spec audience.Spec
	bounds := []float64{-1 << 40, -123_456_789_012, -1, 0, 1, 2, 3, 18, 1 << 20, 999_999_999_999}
	for i, from := range bounds {
		for _, to := range bounds[i+1:] {
			spec.Rows = append(spec.Rows, audience.Band{Question: "spent", From: &from, To: &to})
		}
	}
	audience.Tabulate(t.Context(), framed{engine}, func(*audience.Frame) ([]audience.Spec, error) {
		return []audience.Spec{spec}, nil
	})
	st, err := readState(nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := st.extend(f.Survey); err != nil {
		t.Fatal(err)
	}
	question := st.questions["core.spent"].Number
	st.Waves[0].Parts = []part{{Numbers: []given{{Question: question, Decimals: []int{0, 2, 5}}}}}
	rows := 0
	for _, q := range engine.queries {
		c := &coder{frame: f, state: st}
		for _, row := range q.Rows {
			text, err := c.condition(row)
			if err != nil {
				t.Fatal(err)
			}
			if rows++; len(text) > 250 || !strings.Contains(text, ">= toInt64(") && !strings.Contains(text, "given") {
				t.Errorf("%v is asked as %s", row, text)
			}
			if name := fmt.Sprintf("number%d_", question); strings.Contains(text, name) {
				if whole := c.with(text); strings.Count(whole, "indexOf") != 5 || !strings.HasPrefix(whole, "WITH ") {
					t.Errorf("%s is written as %s", text, whole)
				}
			}
		}
	}
	if rows < len(spec.Rows) {
		t.Errorf("%d bands are %d rows", len(spec.Rows), rows)
	}
}

// Digits of one number that have to be all as they are said to be are one comparison, however ands are nested; what is
// impossible is not asked, and a number that is always 0 has no digits.
func TestDigitsAreOneComparison(t *testing.T) {
	f := sliced(t, 9)
	st, err := readState(nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := st.extend(f.Survey); err != nil {
		t.Fatal(err)
	}
	age := st.questions["core.age"].Number
	st.Waves[0].Parts = []part{{Apart: true, Numbers: []given{{Question: age, Decimals: []int{0}}}}}
	digit := func(code string, bit int) audience.Expr { return audience.Slice{Question: "core." + code, Bit: bit} }
	not := func(x audience.Expr) audience.Expr { return audience.Not{X: x} }
	waves := audience.Waves{Codes: []string{"w1"}, Min: 1}
	for _, c := range []struct {
		x    audience.Expr
		want string
	}{
		{audience.And{digit("age", 2), not(digit("age", 0))}, "(bitAnd(number1_, toInt64(5)) = toInt64(4))"},
		{audience.And{audience.And{audience.And{digit("age", -1), digit("age", 8)}, waves}, not(digit("age", 3))},
			"((given1_ != 0) AND (wave = 0) AND (bitAnd(number1_, toInt64(264)) = toInt64(256)))"},
		{audience.And{digit("age", 2), digit("spent", 1)}, never},
		{audience.And{digit("age", 2), not(digit("spent", 1))}, "(bitAnd(number1_, toInt64(4)) != 0)"},
		{audience.And{digit("age", 2), audience.And{digit("age", 1), not(digit("age", 2))}}, never},
		{audience.And{not(digit("spent", 2)), not(digit("spent", 1))}, always},
		{audience.And{not(digit("spent", 2)), digit("spent", 1)}, never},
		{audience.And{digit("age", 1), audience.And{digit("age", 7), not(digit("age", 8))}},
			"((bitAnd(number1_, toInt64(2)) != 0) AND " +
				"(bitXor(bitAnd(number1_, toInt64(511)), toInt64(256)) >= toInt64(384)))"},
	} {
		co := &coder{frame: f, state: st, format: Words}
		if got, err := co.condition(c.x); err != nil || got != c.want {
			t.Errorf("%v is asked as %s, error %v; want %s", c.x, got, err, c.want)
		}
	}
}
