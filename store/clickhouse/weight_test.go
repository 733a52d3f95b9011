package clickhouse

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/crosswave/crosswave/store/survey/decimal"
)

// inUnits is what units makes of a stored weight, in the integers of the server.
func inUnits(m int64, e int32, k int) *big.Int {
	n, power := big.NewInt(m), func(x int) *big.Int { return new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(x)), nil) }
	if k >= int(e) {
		return n.Mul(n, power(k-int(e)))
	}
	over := power(int(e) - k)
	half := new(big.Int).Mul(big.NewInt(5), power(int(e)-k-1))
	return n.Quo(n.Add(n, half), over)
}

// exactly is the rule: the weight × 10^k, rounded half away from zero.
func exactly(t *testing.T, text string, k int) *big.Int {
	t.Helper()
	x, ok := new(big.Rat).SetString(text)
	if !ok {
		t.Fatalf("%q is no number", text)
	}
	ten := new(big.Rat).SetInt(new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(max(k, -k))), nil))
	if k < 0 {
		ten.Inv(ten)
	}
	x.Mul(x, ten)
	twice := new(big.Int).Add(new(big.Int).Mul(x.Num(), big.NewInt(2)), x.Denom())
	return twice.Quo(twice, new(big.Int).Mul(x.Denom(), big.NewInt(2)))
}

// A weight, as it is stored, has the size that the rule gives it in every unit it can be counted in; weights come after
// one another in a namespace.
func TestEncodeWeight(t *testing.T) {
	check := func(t *testing.T, text string, most *int) {
		t.Helper()
		d, err := decimal.Parse(text, true)
		if err != nil || d.IsZero() {
			return
		}
		m, e, err := encodeWeight(d, most)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			return
		}
		if m <= 0 || m >= digits {
			t.Errorf("%s: %d is no mantissa", text, m)
		}
		tried := 0
		for k := -3; k <= 12; k++ {
			want := exactly(t, text, k)
			if want.Sign() == 0 || want.BitLen() > 40 {
				continue
			}
			tried++
			if got := inUnits(m, e, k); got.Cmp(want) != 0 {
				t.Errorf("%s is stored as %de%d: in units of 10^%d it is %s, which should be %s", text, m, -e, -k, got, want)
			}
		}
		if d.Decimals() <= 17 && tried == 0 {
			t.Logf("%s is in range of no unit", text)
		}
	}
	usual := func() *int { n := usualDecimals; return &n }
	for _, text := range []string{
		"1", "0.5", "0.00005", "0.00004999999999999999999999", "2.5", "1234.56785",
		"1234.567849999999999999999999999999999", "1099511627775", "109951162777.55",
		"0.123456789012345678901234567890", "999999.9999999999999999999999", "0.1e-5", "1e12", "3.00000000000000000001",
		"0.49999999999999999999", "0.5000000000000000000001",
	} {
		check(t, text, usual())
	}
	r := rand.New(rand.NewPCG(1, 1))
	for range 200 {
		most := usual()
		for range 50 {
			var b strings.Builder
			for range 1 + r.IntN(6) {
				b.WriteByte(byte('0' + r.IntN(10)))
			}
			if n := r.IntN(28); n > 0 {
				b.WriteByte('.')
				digit := func() byte { return byte('0' + r.IntN(10)) }
				if r.IntN(3) == 0 { // near a half
					digit = func() byte { return "459"[r.IntN(3)] }
				}
				for range n {
					b.WriteByte(digit())
				}
			}
			check(t, b.String(), most)
		}
		if *most < usualDecimals || *most > 9 {
			t.Fatalf("%d decimals are taken for usual", *most)
		}
	}
}

// Weights of as many decimals as are usual share one exponent, so that counting need not tell them apart.
func TestEncodeWeightSharesExponents(t *testing.T) {
	most, seen := usualDecimals, map[int32]bool{}
	for i := range 1000 {
		d, err := decimal.Parse(fmt.Sprintf("%d.%04d", i, i*7), true)
		if err != nil {
			t.Fatal(err)
		}
		if d.IsZero() {
			continue
		}
		_, e, err := encodeWeight(d, &most)
		if err != nil {
			t.Fatal(err)
		}
		seen[e] = true
	}
	if len(seen) != 1 || !seen[usualDecimals] {
		t.Errorf("exponents %v", seen)
	}
}
