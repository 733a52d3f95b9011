package clickhouse

import (
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/crosswave/crosswave/store/survey/decimal"
)

// A number, as it is stored, is the integer that the rule makes of it in every unit in which it has no more than 41
// bits, be it above 0, below it, or 0, and so small that it becomes 0.
func TestEncodeNumber(t *testing.T) {
	tried := 0
	check := func(text string, most *int) {
		t.Helper()
		d, err := decimal.Parse(text, true)
		if err != nil {
			t.Fatal(err)
		}
		m, e, err := encodeNumber(d, most)
		if err != nil || e < 0 || m <= -digits || m >= digits {
			t.Fatalf("%s is stored as %de%d: %v", text, m, -e, err)
		}
		size, below := strings.CutPrefix(text, "-")
		for k := 0; k <= 24; k++ {
			want := exactly(t, size, k)
			if want.BitLen() > 40 {
				continue
			}
			if below {
				want.Neg(want)
			}
			tried++
			if got := inNumberUnits(m, int(e), k); got.Cmp(want) != 0 {
				t.Errorf("%s is stored as %de%d: in units of 10^%d it is %s, which should be %s", text, m, -e, -k, got, want)
			}
		}
	}
	for _, text := range []string{"0", "1", "-1", "0.5", "-0.5", "2.5", "-2.5", "1.25", "-1.35", "1e11", "-1.2e11",
		"1099511627775", "-1099511627775", "109951162777.4999", "0.00000000000000000000001", "-1e-40", "5e-20",
		"-4.99999999999999999999",
		"-2.00000000000000000001", "123456.7890123456789", "-0.45", "1e-300"} {
		most := 0
		check(text, &most)
		most = 9
		check(text, &most)
	}
	r := rand.New(rand.NewPCG(2, 2))
	for range 100 {
		most := 0
		for range 50 {
			digits := func(n int) (text string) {
				for range n {
					text += string("0123456789459"[r.IntN(13)])
				}
				return text
			}
			text := digits(1 + r.IntN(7))
			if n := r.IntN(30); n > 0 {
				text += "." + digits(n)
			}
			if r.IntN(2) == 0 {
				text = "-" + text
			}
			check(text, &most)
		}
	}
	if tried < 40_000 {
		t.Errorf("only %d units were tried", tried)
	}
}

// inNumberUnits computes what inUnit writes.
func inNumberUnits(m int64, e, k int) *big.Int {
	if inUnit("v", e, k) == "" {
		return new(big.Int)
	}
	power := func(x int) *big.Int { return new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(x)), nil) }
	if k >= e {
		return power(k-e).Mul(power(k-e), big.NewInt(m))
	}
	half := new(big.Int).Mul(big.NewInt(5), power(e-k-1))
	if m < 0 {
		half.Neg(half)
	}
	return half.Quo(half.Add(half, big.NewInt(m)), power(e-k)) // towards zero, as the server divides
}

// What is written for a unit is arithmetic of integers, each of which the server takes for one of 64 bits.
func TestInUnit(t *testing.T) {
	for _, c := range []struct {
		e, k int
		want string
	}{
		{2, 2, "v"},
		{0, 3, "v * toInt64(1000)"},
		{3, 1, "intDiv(v + if(v < 0, toInt64(-50), toInt64(50)), toInt64(100))"},
		{18, 0, "intDiv(v + if(v < 0, toInt64(-500000000000000000), toInt64(500000000000000000)), " +
			"toInt64(1000000000000000000))"},
		{0, 18, "v * toInt64(1000000000000000000)"},
		{19, 0, ""}, {0, 19, ""},
	} {
		if got := inUnit("v", c.e, c.k); got != c.want {
			t.Errorf("%d decimals in units of 10^%d: %s, want %s", c.e, -c.k, got, c.want)
		}
	}
}
