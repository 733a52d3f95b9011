package decimal

import (
	"math/big"
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/crosswave/crosswave/internal/exact"
)

// The unit of numbers: the most decimals with which all are below 2^40 on either side of 0, in the fewest bits.
func TestNumberUnit(t *testing.T) {
	for _, test := range []struct {
		decimals        int
		least, greatest string
		k, bits         int
		err             error
	}{
		{0, "0", "0", 0, 1, nil},
		{0, "-1", "0", 0, 1, nil},
		{0, "0", "1", 0, 2, nil},
		{0, "-2", "1", 0, 2, nil},
		{0, "-129", "5", 0, 9, nil},
		{-3, "1000", "9000", 0, 15, nil},
		{2, "-1.28", "1.27", 2, 8, nil},
		{2, "1", "1.28", 2, 9, nil},
		{30, "0", "4e-30", 30, 4, nil},
		{1, "0", "109951162777.5", 1, 41, nil},
		{1, "0", "109951162777.6", 0, 38, nil},
		{1, "-109951162777.6", "0", 0, 38, nil},
		{9, "0.000000001", "1099511627775.4", 0, 41, nil},
		{9, "-1099511627775.4", "0.000000001", 0, 41, nil},
		{9, "0", "1099511627775.5", 0, 0, ErrNumber},
		{0, "-1099511627776", "0", 0, 0, ErrNumber},
		{0, "-1e400", "0", 0, 0, ErrNumber},
		{5, "0.5", "1000", 5, 28, nil},
	} {
		k, bits, err := NumberUnit(test.decimals, must(t, test.least), must(t, test.greatest))
		if k != test.k || bits != test.bits || err != test.err {
			t.Errorf("%d decimals, %s to %s: k is %d and bits are %d, %v, not %d, %d, %v", test.decimals, test.least,
				test.greatest, k, bits, err, test.k, test.bits, test.err)
		}
	}
}

// TestNumberUnitRandom compares with a search in math/big.
func TestNumberUnitRandom(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	limit := new(big.Int).Lsh(big.NewInt(1), 40)
	for range 5000 {
		numbers, decimals := [2]Decimal{}, 0
		for i := range numbers {
			d, err := Parse(strconv.FormatInt(int64(r.Uint64())>>(20+r.IntN(44)), 10)+"e-"+strconv.Itoa(r.IntN(15)), true)
			if err != nil {
				t.Fatal(err)
			}
			numbers[i], decimals = d, max(decimals, d.Decimals())
		}
		least, greatest := numbers[0], numbers[1]
		if least.Cmp(greatest) > 0 {
			least, greatest = greatest, least
		}
		units := func(d Decimal, k int) *big.Int {
			x, _ := new(big.Rat).SetString(d.String())
			return exact.Units(x, k)
		}
		want := decimals
		for want >= 0 && (units(least, want).CmpAbs(limit) >= 0 || units(greatest, want).CmpAbs(limit) >= 0) {
			want--
		}
		k, bits, err := NumberUnit(decimals, least, greatest)
		if want < 0 {
			if err != ErrNumber {
				t.Fatalf("%s to %s: %v", least, greatest, err)
			}
			continue
		}
		if err != nil || k != want {
			t.Fatalf("%s to %s: k is %d, %v, not %d", least, greatest, k, err, want)
		}
		low, high := units(least, k).Int64(), units(greatest, k).Int64()
		in := func(bits int) bool { return -1<<(bits-1) <= low && high < 1<<(bits-1) }
		if !in(bits) || bits > 1 && in(bits-1) {
			t.Fatalf("%d to %d are kept in %d bits", low, high, bits)
		}
	}
}

// FromUnits gives the canonical form.
func TestFromUnits(t *testing.T) {
	for _, test := range []struct {
		n    int64
		k    int
		want string
	}{{0, 5, "0"}, {-150, 2, "-1.5"}, {7, 0, "7"}, {1200, 2, "12"}, {3, -2, "300"},
		{-1 << 63, 3, "-9223372036854775.808"}} {
		if got := FromUnits(test.n, test.k); got != must(t, test.want) {
			t.Errorf("%d × 10^-%d is %s, not %s", test.n, test.k, got, test.want)
		}
	}
}
