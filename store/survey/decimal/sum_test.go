package decimal

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
)

func TestSum(t *testing.T) {
	for _, test := range []struct {
		terms string
		want  string
	}{
		{"", "0"},
		{"0 0.0", "0"},
		{"1.5 2.25 0.25", "4"},
		{"0.1 0.1 0.1 -0.3", "0"},
		{"600 400", "1000"},
		{"1e6 1e7 1e-25 1e-26", "11000000.00000000000000000000000011"},
		{"1e40 -1e40 3", "3"},
		{"-1e40 1e-5", "-9999999999999999999999999999999999999999.99999"},
		{"18446744073709551616 18446744073709551615", "36893488147419103231"},
		{"-18446744073709551615 -18446744073709551615 -18446744073709551615", "-55340232221128654845"},
		{"1e50", "1e50"},
	} {
		var s Sum
		exact := new(big.Rat)
		for _, term := range strings.Fields(test.terms) {
			s.Add(must(t, term))
			exact.Add(exact, rat(must(t, term)))
		}
		if s.String() != test.want || rat(s.total()).Cmp(exact) != 0 || s.Sign() != exact.Sign() {
			t.Errorf("the sum of %s is %s, sign %d; want %s", test.terms, s.String(), s.Sign(), test.want)
		}
	}
}

// TestSumOrder: a sum is the same, and written the same, in any order, in parts that are stored and read back, and
// equal to that of math/big.
func TestSumOrder(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		terms := make([]Decimal, r.IntN(60))
		exact := new(big.Rat)
		for i := range terms {
			terms[i] = random(r)
			exact.Add(exact, rat(terms[i]))
		}
		var whole Sum
		for _, d := range terms {
			whole.Add(d)
		}
		if rat(whole.total()).Cmp(exact) != 0 {
			t.Fatalf("the sum of %v is %s, want %s", terms, whole.String(), exact)
		}
		if want, _ := exact.Float64(); whole.Float64() != want {
			t.Fatalf("Float64 of %s is %v, want %v", whole.String(), whole.Float64(), want)
		}
		r.Shuffle(len(terms), func(i, j int) { terms[i], terms[j] = terms[j], terms[i] })
		parts := make([]Sum, 1+r.IntN(4))
		for _, d := range terms {
			parts[r.IntN(len(parts))].Add(d)
		}
		var merged Sum
		for i := range parts {
			part := &parts[i]
			if r.IntN(2) == 0 {
				stored, err := ParseSum(part.String())
				if err != nil {
					t.Fatal(err)
				}
				part = stored
			}
			merged.AddSum(part)
		}
		if merged.String() != whole.String() {
			t.Fatalf("in parts the sum of %v is %s, want %s", terms, merged.String(), whole.String())
		}
		if d := random(r); whole.Cmp(d) != exact.Cmp(rat(d)) {
			t.Fatalf("Cmp of %s and %s is %d", whole.String(), d, whole.Cmp(d))
		}
		if len(terms) > 0 && whole.Cmp(terms[0]) != exact.Cmp(rat(terms[0])) {
			t.Fatalf("Cmp of %s and %s is %d", whole.String(), terms[0], whole.Cmp(terms[0]))
		}
	}
}

// TestSumBeyond64Bits doubles sums until the fixed-size parts overflow, with either sign.
func TestSumBeyond64Bits(t *testing.T) {
	for _, term := range []string{"18446744073709551615", "-18446744073709551615", "-0.7", "5e30"} {
		var s Sum
		s.Add(must(t, term))
		want := rat(must(t, term))
		for i := range 300 {
			s.AddSum(&s)
			want.Add(want, want)
			if rat(s.total()).Cmp(want) != 0 {
				t.Fatalf("%s doubled %d times is %s", term, i+1, s.String())
			}
		}
	}
	// The limits of the range are reached exactly.
	var s Sum
	s.near[-nearFirst] = math.MaxInt64
	s.Add(FromInt(1))
	s.AddSum(&Sum{near: [nearCount]int64{-nearFirst: math.MinInt64}})
	s.Add(FromInt(-1))
	if s.String() != "-1" {
		t.Errorf("2^63 - 2^63 - 1 = %s", s.String())
	}
}

func TestParseSum(t *testing.T) {
	var widest Sum
	for _, s := range []string{"1e100000", "1e-100000", "-1e-99999", strings.Repeat("9", MaxExponent) + "e100000"} {
		widest.Add(must(t, s))
	}
	text := widest.String()
	s, err := ParseSum(text)
	if err != nil || s.String() != text {
		t.Errorf("a sum of %d digits is not read back: %v", len(text), err)
	}
	if widest.Cmp(must(t, "1e100000")) != 1 {
		t.Error("the widest sum is not larger than a part of it")
	}
	for _, text := range []string{"", "x", "1,5", "1e400001", "1e-400001"} {
		var e *Error
		if s, err := ParseSum(text); !errors.As(err, &e) || s != nil {
			t.Errorf("ParseSum(%q) = %v, %v", text, s, err)
		}
	}
}

func FuzzParseSum(f *testing.F) {
	f.Add("0")
	f.Add("1234.5")
	f.Add("-12e30")
	f.Add("36893488147419103231.0001")
	f.Fuzz(func(t *testing.T, text string) {
		s, err := ParseSum(text)
		if err != nil {
			if d, err := Parse(text, true); err == nil {
				t.Fatalf("ParseSum refuses %s", d)
			}
			return
		}
		again, err := ParseSum(s.String())
		if err != nil || again.String() != s.String() {
			t.Fatalf("%q: %s is read back as %v, %v", text, s.String(), again, err)
		}
		again.AddSum(s)
		s.AddSum(s)
		if again.String() != s.String() {
			t.Fatalf("%q twice is %s and %s", text, again.String(), s.String())
		}
	})
}

func TestUnit(t *testing.T) {
	// 2^40 = 1,099,511,627,776; 2^62 = 4,611,686,018,427,387,904.
	for _, test := range []struct {
		decimals       int
		largest, total string
		want           int
		err            error
	}{
		{0, "0", "0", 0, nil},
		{4, "1.0834", "1000000", 4, nil},
		{-2, "1200", "48000", 0, nil},
		{0, "1099511627775", "1", 0, nil},
		{0, "1099511627776", "1", 0, ErrLargest},
		{2, "1099511627775.49", "1", 0, nil},
		{2, "1099511627775.5", "1", 0, ErrLargest}, // would round to 2^40
		{12, "1", "1", 12, nil},
		{13, "1", "1", 12, nil},
		{13, "1.0995", "1", 12, nil},
		{13, "1.1", "1", 11, nil},
		{20, "0.1", "0.1", 13, nil},
		{300, "1e-290", "1", 18, nil},
		{4, "25000", "4611686018427387.903", 3, nil},
		{4, "25000", "4611686018427387.904", 2, nil},
		{4, "2500", "461168601842738.7903", 4, nil},
		{4, "2500", "461168601842738.7904", 3, nil},
		{0, "1", "4611686018427387903", 0, nil},
		{1, "1", "4611686018427387903.9", 0, nil},
		{0, "1", "4611686018427387904", 0, ErrTotal},
		{5, "1e300", "1e301", 0, ErrLargest},
		{-300, "1e300", "1e300", 0, ErrLargest},
	} {
		total, err := ParseSum(test.total)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := Unit(test.decimals, must(t, test.largest), total); got != test.want || err != test.err {
			t.Errorf("Unit(%d, %s, %s) = %d, %v, want %d, %v", test.decimals, test.largest, test.total, got, err,
				test.want, test.err)
		}
	}
}

// TestUnitRandom compares with a search downwards in math/big, and sees that every weight then fits.
func TestUnitRandom(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	one, kernel := new(big.Rat).SetInt64(1<<40), new(big.Rat).SetInt(new(big.Int).Lsh(big.NewInt(1), 62))
	refused := 0
	for range 2000 {
		weights, total, sum := make([]Decimal, 1+r.IntN(20)), new(Sum), new(big.Rat)
		decimals, largest, zoom := math.MinInt, Decimal{}, r.IntN(30)-15
		for i := range weights {
			w := must(t, fmt.Sprintf("%d.%0*de%d", r.IntN(1+1<<r.IntN(30)), r.IntN(9), r.IntN(1000), zoom))
			total.Add(w)
			sum.Add(sum, rat(w))
			if weights[i] = w; !w.IsZero() {
				decimals = max(decimals, w.Decimals())
			}
			if w.Cmp(largest) > 0 {
				largest = w
			}
		}
		if largest.IsZero() {
			continue
		}
		want := max(0, decimals)
		for new(big.Rat).SetInt(halfAway(new(big.Rat).Mul(rat(largest), ten(want)))).Cmp(one) >= 0 ||
			new(big.Rat).Mul(sum, ten(want)).Cmp(kernel) >= 0 {
			want--
		}
		k, err := Unit(decimals, largest, total)
		if (err == nil) != (want >= 0) || err == nil && k != want {
			t.Fatalf("Unit(%d, %s, %s) = %d, %v, want %d", decimals, largest, total.String(), k, err, want)
		}
		if err != nil {
			refused++
			continue
		}
		for _, w := range weights {
			if n, ok := w.Scaled(k); !ok || n >= 1<<40 || k >= decimals &&
				rat(must(t, strconv.FormatInt(n, 10)+"e"+strconv.Itoa(-k))).Cmp(rat(w)) != 0 {
				t.Fatalf("%s in the unit 10^-%d is %d, %v", w, k, n, ok)
			}
		}
	}
	if refused < 100 {
		t.Errorf("%d of 2,000 were too much for any unit", refused)
	}
}

func ExampleUnit() {
	var total Sum
	var largest Decimal
	decimals := math.MinInt
	for _, text := range []string{"0.85", "1.2034", "0"} {
		w, _ := Parse(text, false)
		total.Add(w)
		if !w.IsZero() {
			decimals = max(decimals, w.Decimals())
		}
		if w.Cmp(largest) > 0 {
			largest = w
		}
	}
	k, _ := Unit(decimals, largest, &total)
	n, _ := largest.Scaled(k)
	fmt.Println(total.String(), k, n)
	// Output: 2.0534 4 12034
}

func BenchmarkSumAdd(b *testing.B) {
	terms := []Decimal{must(b, "1.0834"), must(b, "0.9"), must(b, "1.25"), must(b, "0.333"), FromInt(1)}
	var s Sum
	for i := 0; b.Loop(); i++ {
		s.Add(terms[i%len(terms)])
	}
}

func BenchmarkSumAddSum(b *testing.B) {
	var s, part Sum
	part.Add(must(b, "1.0834"))
	for b.Loop() {
		s.AddSum(&part)
	}
}

func BenchmarkUnit(b *testing.B) {
	var s Sum
	for i := range 1000 {
		s.Add(must(b, fmt.Sprintf("%d.%d", i, i)))
	}
	largest := must(b, "999.999")
	for b.Loop() {
		Unit(3, largest, &s)
	}
}

// BenchmarkSumSparse sums numbers of as many different exponents as there can be.
func BenchmarkSumSparse(b *testing.B) {
	for b.Loop() {
		var s Sum
		for e := -MaxExponent; e <= MaxExponent; e += 10 {
			s.Add(Decimal{mantissa: 7, exponent: int32(e)})
		}
		s.Cmp(FromInt(1))
	}
}
