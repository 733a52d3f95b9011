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
