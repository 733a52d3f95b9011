package numbers

import (
	"bytes"
	"fmt"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/crosswave/crosswave/internal/exact"
	"github.com/crosswave/crosswave/store/survey/decimal"
)

// Whatever is wanted of the digits, transposing gives those that a loop over them gives.
func TestTranspose(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 1))
	for digits := 0; digits <= 64; digits++ {
		var values, got block64
		for i := range values {
			values[i] = rnd.Uint64()
		}
		got = values
		got.transpose(digits)
		for j := range digits {
			want := uint64(0)
			for i, v := range values {
				want |= v >> j & 1 << i
			}
			if got[j] != want {
				t.Fatalf("of %d digits, digit %d is %x instead of %x", digits, j, got[j], want)
			}
		}
	}
}

// Scaling is multiplying by a power of ten and rounding half away from zero, or it says that the outcome is too large.
func TestScale(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 1))
	limit := new(big.Int).Lsh(big.NewInt(1), 62)
	for range 100_000 {
		n, shift := int64(rnd.Uint64())>>rnd.IntN(64), rnd.IntN(50)-25
		if rnd.IntN(3) == 0 && shift < 0 && shift > -18 { // halves
			half := int64(5)
			for range -shift - 1 {
				half *= 10
			}
			n = half * (rnd.Int64N(21) - 10)
		}
		want := exact.Units(new(big.Rat).SetInt64(n), shift)
		got, fits := newScale(shift).of(n)
		if fit := shift <= 0 || want.CmpAbs(limit) < 0; fits != fit || fit && (!want.IsInt64() || got != want.Int64()) {
			t.Fatalf("%d times 10^%d is %d, %v instead of %d", n, shift, got, fits, want)
		}
	}
}

// words is how many words of positions the tests have.
const words = 4

// givenNumbers are numbers of some positions.
func givenNumbers(t testing.TB, texts map[int]string) (*Builder, map[int]decimal.Decimal) {
	t.Helper()
	b := NewBuilder(words)
	all := map[int]decimal.Decimal{}
	for position, text := range texts {
		d, err := decimal.Parse(text, true)
		check(t, err)
		all[position] = d
	}
	for position := range 64 * words {
		if d, there := all[position]; there {
			b.Add(uint32(position), d)
		}
	}
	return b, all
}

// Numbers come back exactly as they were written, and slices hold those whose number in any unit has the digit, whether
// they are stored as whole numbers of some bytes or one by one.
func TestNumbersAreKept(t *testing.T) {
	for name, test := range map[string]struct {
		texts map[int]string
		width int
	}{
		"zeros":          {map[int]string{0: "0", 63: "0", 64: "0", 227: "0"}, 1},
		"a byte":         {map[int]string{0: "127", 1: "-128", 64: "5"}, 1},
		"two bytes":      {map[int]string{0: "1.28", 130: "-1.27", 227: "2"}, 2},
		"three bytes":    {map[int]string{5: "-8388608"}, 3},
		"six bytes":      {map[int]string{0: "109951162777.5", 1: "-0.5", 2: "1.5"}, 6},
		"eight bytes":    {map[int]string{0: "-9223372036854775808", 1: "9223372036854775807", 2: "0"}, 8},
		"too fine":       {map[int]string{0: "1e10", 1: "1e-10", 64: "-2.5"}, 0},
		"too large":      {map[int]string{0: "1e30", 200: "12"}, 0},
		"too many":       {map[int]string{0: "0.1234567890123456789012345", 1: "-0.5"}, 0},
		"tens and ones":  {map[int]string{0: "1e3", 1: "120", 2: "7"}, 2},
		"tiny, one unit": {map[int]string{0: "12e-29", 1: "-7e-29"}, 1},
	} {
		t.Run(name, func(t *testing.T) {
			b, all := givenNumbers(t, test.texts)
			data, err := b.Encode()
			check(t, err)
			if int(data[0]) != test.width {
				t.Errorf("%d bytes a number, not %d", data[0], test.width)
			}
			c, err := Decode(data, words, b.Respondents)
			check(t, err)
			got := map[int]decimal.Decimal{}
			check(t, c.Each(func(position int, d decimal.Decimal) { got[position] = d }))
			if fmt.Sprint(got) != fmt.Sprint(all) {
				t.Errorf("%v instead of %v", got, all)
			}
			for _, k := range []int{0, 1, 2, 5, 9, 17, 19, 29, 40} {
				checkSlices(t, &b.Summary, c, k, all)
			}
		})
	}
}

// checkSlices compares the slices of numbers in units of 10^-k with the digits of each number.
func checkSlices(t *testing.T, s *Summary, c *Column, k int, all map[int]decimal.Decimal) {
	t.Helper()
	to, beyond := make([][]uint64, MostBits), map[int]bool{}
	for bit := range to {
		if bit%3 != 1 { // those are not wanted
			to[bit] = make([]uint64, words)
		}
	}
	check(t, c.Slices(k, to, func(word int) { beyond[word] = true }))
	limit := new(big.Int).Lsh(big.NewInt(1), MostBits-1)
	for position, d := range all {
		x, _ := new(big.Rat).SetString(d.String())
		units := exact.Units(x, k)
		if units.Cmp(limit) >= 0 || units.Cmp(new(big.Int).Neg(limit)) < 0 {
			if units.SetInt64(0); !beyond[position/64] {
				t.Errorf("that %s does not fit with %d decimals is not told", d, k)
			}
		}
		for bit, slice := range to {
			digit := units.Int64() >> bit & 1
			if slice != nil && int64(slice[position/64]>>(position%64)&1) != digit {
				t.Errorf("%s with %d decimals: digit %d is not %d", d, k, bit, digit)
			}
			if same, is := s.Constant(k, bit); is && same != digit && len(beyond) == 0 {
				t.Errorf("%s with %d decimals: digit %d is said to be always %d", d, k, bit, same)
			}
		}
	}
}

// Bytes that are no column of so many numbers are refused.
func TestDecodeRefuses(t *testing.T) {
	b, _ := givenNumbers(t, map[int]string{0: "1.28", 130: "-1.27"})
	whole, err := b.Encode()
	check(t, err)
	for name, test := range map[string]struct {
		data        []byte
		respondents int
	}{
		"nothing":                {nil, 2},
		"nine bytes a number":    {append([]byte{9}, whole[1:]...), 2},
		"no decimals":            {whole[:1], 2},
		"a bitmap cut short":     {whole[:20], 2},
		"numbers cut short":      {whole[:len(whole)-1], 2},
		"a byte too many":        {append(bytes.Clone(whole), 0), 2},
		"another count of these": {whole, 3},
	} {
		if _, err := Decode(test.data, words, test.respondents); err == nil {
			t.Errorf("%s: it is read", name)
		}
	}
}

// FuzzDecode: whatever the bytes, reading them ends, and what can be read has a number for each who gave one.
func FuzzDecode(f *testing.F) {
	for _, texts := range []map[int]string{{0: "1", 64: "-2"}, {0: "1e30", 3: "0.5"}, {0: "1.25", 200: "1099511627775"}} {
		b, _ := givenNumbers(f, texts)
		data, err := b.Encode()
		check(f, err)
		f.Add(data, b.Respondents, 3)
	}
	f.Fuzz(func(t *testing.T, data []byte, respondents, k int) {
		c, err := Decode(data, words, respondents)
		if err != nil {
			return
		}
		seen := 0
		if err := c.Each(func(int, decimal.Decimal) { seen++ }); err == nil && seen != respondents {
			t.Errorf("%d numbers of %d respondents", seen, respondents)
		}
		to := make([][]uint64, MostBits)
		to[0] = make([]uint64, words)
		c.Slices(k%100, to, func(int) {})
	})
}

func check(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
