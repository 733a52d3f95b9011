package decimal

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// rat gives the value of a decimal by way of its parts.
func rat(d Decimal) *big.Rat {
	n := new(big.Int).SetUint64(d.mantissa)
	if d.long != "" {
		n.SetString(d.long, 10)
	}
	if d.negative {
		n.Neg(n)
	}
	return new(big.Rat).Mul(new(big.Rat).SetInt(n), ten(int(d.exponent)))
}

// ten gives 10^n.
func ten(n int) *big.Rat {
	power := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(max(n, -n))), nil)
	if n < 0 {
		return new(big.Rat).SetFrac(big.NewInt(1), power)
	}
	return new(big.Rat).SetInt(power)
}

func must(t testing.TB, s string) Decimal {
	t.Helper()
	d, err := Parse(s, true)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func TestParse(t *testing.T) {
	long := strings.Repeat("1234567890", 10) + "1"
	for _, test := range []struct {
		text     string
		exponent bool
		want     Decimal
		written  string
		decimals int
	}{
		{"0", false, Decimal{}, "0", 0},
		{"-0", false, Decimal{}, "0", 0},
		{"+000.000", false, Decimal{}, "0", 0},
		{"0e-100000", true, Decimal{}, "0", 0},
		{"1", false, Decimal{mantissa: 1}, "1", 0},
		{"1.50", false, Decimal{mantissa: 15, exponent: -1}, "1.5", 1},
		{"01.5", false, Decimal{mantissa: 15, exponent: -1}, "1.5", 1},
		{"+1.5", false, Decimal{mantissa: 15, exponent: -1}, "1.5", 1},
		{" \t-1.5\r\n", false, Decimal{mantissa: 15, exponent: -1, negative: true}, "-1.5", 1},
		{"\u00a01.5\u2003", false, Decimal{mantissa: 15, exponent: -1}, "1.5", 1},
		{".5", false, Decimal{mantissa: 5, exponent: -1}, "0.5", 1},
		{"5.", false, Decimal{mantissa: 5}, "5", 0},
		{"-.025", false, Decimal{mantissa: 25, exponent: -3, negative: true}, "-0.025", 3},
		{"1200", false, Decimal{mantissa: 12, exponent: 2}, "1200", -2},
		{"15e-1", true, Decimal{mantissa: 15, exponent: -1}, "1.5", 1},
		{"1.5E+3", true, Decimal{mantissa: 15, exponent: 2}, "1500", -2},
		{"1e0000000000000000000000003", true, Decimal{mantissa: 1, exponent: 3}, "1000", -3},
		{"1e100000", true, Decimal{mantissa: 1, exponent: 100000}, "1e100000", -100000},
		{"12.5e-99999", true, Decimal{mantissa: 125, exponent: -100000}, "125e-100000", 100000},
		{"10000000000000000000000", false, Decimal{mantissa: 1, exponent: 22}, "1e22", -22},
		{"1000000000000000000000", false, Decimal{mantissa: 1, exponent: 21}, "1000000000000000000000", -21},
		{"0.00000000000000000000012", false, Decimal{mantissa: 12, exponent: -23}, "0.00000000000000000000012", 23},
		{"0.00000000000000000000000012", false, Decimal{mantissa: 12, exponent: -26}, "12e-26", 26},
		{"9999999999999999999", false, Decimal{mantissa: 9999999999999999999}, "9999999999999999999", 0},
		{"18446744073709551615", false, Decimal{mantissa: math.MaxUint64}, "18446744073709551615", 0},
		{"18446744073709551616", false, Decimal{long: "18446744073709551616"}, "18446744073709551616", 0},
		{"184467440737.09551616", false, Decimal{long: "18446744073709551616", exponent: -8}, "184467440737.09551616", 8},
		{"184467440737.0955161500", false, Decimal{mantissa: math.MaxUint64, exponent: -8}, "184467440737.09551615", 8},
		{"000000000000000000000000000001.5", false, Decimal{mantissa: 15, exponent: -1}, "1.5", 1},
		{"-" + long, false, Decimal{long: long, negative: true}, "-" + long, 0},
		{"." + long + "00", false, Decimal{long: long, exponent: -101}, "0." + long, 101},
	} {
		got, err := Parse(test.text, test.exponent)
		if err != nil {
			t.Error(err)
			continue
		}
		if got != test.want {
			t.Errorf("Parse(%q) = %#v, want %#v", test.text, got, test.want)
		}
		if got.String() != test.written || got.Decimals() != test.decimals {
			t.Errorf("%q is %s with %d decimals, want %s with %d", test.text, got, got.Decimals(), test.written, test.decimals)
		}
	}
}

func TestParseRefuses(t *testing.T) {
	nines := strings.Repeat("9", MaxExponent+1)
	for _, test := range []struct {
		text     string
		exponent bool
		reason   string
	}{
		{"", true, empty}, {" ", true, empty}, {"\t\n", false, empty}, {"\u00a0", false, empty},
		{"+", true, notDigits}, {"-", true, notDigits}, {".", true, notDigits}, {"-.", true, notDigits},
		{"e5", true, notDigits},
		{".e5", true, notDigits}, {"--1", true, notDigits}, {"+-1", true, notDigits}, {"1-", true, notDigits},
		{"1.2.3", true, notDigits},
		{"1,5", true, notDigits}, {"1 000", true, notDigits}, {"1_000", true, notDigits}, {"0x10", true, notDigits},
		{"0b1", true, notDigits},
		{"NaN", true, notDigits}, {"nan", true, notDigits}, {"Inf", true, notDigits}, {"-Infinity", true, notDigits},
		{"∞", true, notDigits},
		{"1%", true, notDigits}, {"1/2", true, notDigits}, {"1f", true, notDigits}, {"1\x00", true, notDigits},
		{"\xff", true, notDigits}, {"١", true, notDigits},
		{"1e", true, badExponent}, {"1e+", true, badExponent}, {"1e-", true, badExponent}, {"1e1.5", true, badExponent},
		{"1e5e5", true, badExponent}, {"1e 5", true, badExponent}, {"1e--5", true, badExponent}, {"1ex", false, badExponent},
		{"1e5", false, noExponent}, {"1E-5", false, noExponent},
		{"1e100001", true, tooFar}, {"1e-100001", true, tooFar}, {"0e100001", true, tooFar}, {"10e-100001", true, tooFar},
		{"10e100000", true, tooFar}, {"0.1e-100000", true, tooFar}, {"1e99999999999999999999999", true, tooFar},
		{"." + strings.Repeat("0", MaxExponent) + "1", false, tooFar},
		{"1" + strings.Repeat("0", MaxExponent+1), false, tooFar},
		{"123456789012345678901e100001", true, tooFar}, {"1234567890123456789010e100000", true, tooFar},
		{"0.123456789012345678901e-100000", true, tooFar},
		{nines, false, tooLong},
	} {
		got, err := Parse(test.text, test.exponent)
		var e *Error
		if !errors.As(err, &e) || e.Reason != test.reason || e.Text != test.text || got != (Decimal{}) {
			t.Errorf("Parse(%.40q, %v) = %v, %v; want reason %q", test.text, test.exponent, got, err, test.reason)
		}
		if err != nil && len(err.Error()) > 200 {
			t.Errorf("the message for %.20q… has %d bytes", test.text, len(err.Error()))
		}
	}
	if _, err := Parse("1.50x", false); err.Error() != `"1.50x" is no decimal number: digits with at most one `+
		`decimal point are expected` {
		t.Error(err)
	}
}

// grammar is what Parse promises to read.
var grammar = regexp.MustCompile(`^[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE]([+-]?[0-9]+))?$`)

// checkParse compares Parse with the grammar, with math/big and with strconv.
func checkParse(t *testing.T, s string) {
	t.Helper()
	parts := grammar.FindStringSubmatch(strings.TrimSpace(s))
	d, err := Parse(s, true)
	if err != nil {
		var e *Error
		if !errors.As(err, &e) {
			t.Fatalf("%q: the error is a %T", s, err)
		}
		if parts != nil && e.Reason != tooFar && e.Reason != tooLong {
			t.Fatalf("a good number is refused: %v", err)
		}
		return
	}
	if parts == nil {
		t.Fatalf("%q is read as %s", s, d)
	}
	if _, err := Parse(s, false); (err == nil) != (parts[2] == "") {
		t.Fatalf("%q without exponents: %v", s, err)
	}
	written := strings.TrimSpace(s)
	if f, _ := strconv.ParseFloat(written, 64); math.Float64bits(f+0) != math.Float64bits(d.Float64()+0) {
		t.Fatalf("%q: Float64 %v, want %v", s, d.Float64(), f)
	}
	if again, err := Parse(d.Plain(), false); err != nil || again != d {
		t.Fatalf("%s: Plain gives %.100s, which is read as %s, %v", d, d.Plain(), again, err)
	}
	if again, err := Parse(d.String(), true); err != nil || again != d {
		t.Fatalf("%q: %s is read back as %s, %v", s, d, again, err)
	}
	if again, n, err := Read(append(d.Append(nil), 7, 8)); err != nil || again != d || n != len(d.Append(nil)) {
		t.Fatalf("%q: the binary form of %s is read back as %s, %d bytes, %v", s, d, again, n, err)
	}
	checkCanonical(t, d)
	if e := int(d.exponent); e < -2000 || e > 2000 {
		return // slow in math/big
	}
	if want, ok := new(big.Rat).SetString(written); !ok || want.Cmp(rat(d)) != 0 {
		t.Fatalf("%q is read as %s", s, d)
	}
}

func checkCanonical(t *testing.T, d Decimal) {
	t.Helper()
	_, err := strconv.ParseUint(d.long, 10, 64)
	switch {
	case d.long == "" && d.mantissa == 0 && d != Decimal{},
		d.long == "" && d.mantissa != 0 && d.mantissa%10 == 0,
		d.long != "" && (d.mantissa != 0 || err == nil || d.long[0] == '0' || d.long[len(d.long)-1] == '0'):
		t.Fatalf("%#v is not canonical", d)
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{"0", "1.50", "-0.025", " 5. ", ".5", "+1e-3", "1E5", "12345678901234567890.5",
		"18446744073709551616", "1,5",
		"NaN", "0x1p-2", "1_0", "1e100000", "1e-100001", "0.000000000000000000000000000000000000001e38",
		"2.2250738585072011e-308", "9007199254740993"} {
		f.Add(s)
	}
	f.Fuzz(checkParse)
}

// randomText writes a number of all lengths and forms, ordinary weights among them.
func randomText(r *rand.Rand) string {
	var b strings.Builder
	b.WriteString([]string{"", "", "", "-", "+"}[r.IntN(5)])
	digits := func(most int) {
		for range r.IntN(most + 1) {
			b.WriteByte("0000123456789999"[r.IntN(16)])
		}
	}
	sizes := []int{1, 3, 8, 21, 45}
	digits(sizes[r.IntN(len(sizes))])
	if r.IntN(3) > 0 {
		b.WriteByte('.')
		digits(sizes[r.IntN(len(sizes))])
	}
	if r.IntN(4) == 0 {
		fmt.Fprintf(&b, "e%d", r.IntN(80)-40)
	}
	return b.String()
}

func TestParseRandom(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 50_000 {
		checkParse(t, randomText(r))
	}
}

// random gives a number that parses.
func random(r *rand.Rand) Decimal {
	for {
		if d, err := Parse(randomText(r), true); err == nil {
			return d
		}
	}
}

func TestCmp(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	equal := 0
	for range 50_000 {
		d, e := random(r), random(r)
		switch r.IntN(4) {
		case 0: // the same digits elsewhere
			e = d
			e.exponent += int32(r.IntN(3) - 1)
			if e.IsZero() {
				e = Decimal{}
			}
		case 1: // one digit more
			if n, err := Parse(d.digitsText()+"1e"+strconv.Itoa(int(d.exponent)-1), true); err == nil {
				e = n
				e.negative = d.negative
			}
		}
		want := rat(d).Cmp(rat(e))
		if got := d.Cmp(e); got != want || e.Cmp(d) != -want || (d == e) != (want == 0) {
			t.Fatalf("%s and %s: Cmp %d, want %d; == %v", d, e, got, want, d == e)
		}
		if want == 0 {
			equal++
		}
		if d.Sign() != rat(d).Sign() || d.IsZero() != (rat(d).Sign() == 0) {
			t.Fatalf("%s has sign %d", d, d.Sign())
		}
	}
	if equal < 1000 {
		t.Errorf("only %d pairs were equal", equal)
	}
}

func (d Decimal) digitsText() string { return string(d.digits(nil)) }

func TestScaled(t *testing.T) {
	for _, test := range []struct {
		text string
		k    int
		want int64
		ok   bool
	}{
		{"0", 1 << 40, 0, true}, {"0", -1 << 40, 0, true},
		{"1.25", 2, 125, true}, {"1.25", 4, 12500, true}, {"1.25", 1, 13, true}, {"-1.25", 1, -13, true},
		{"1.24", 1, 12, true},
		{"1.25", 0, 1, true}, {"0.5", 0, 1, true}, {"-0.5", 0, -1, true}, {"0.49999", 0, 0, true},
		{"1200", -2, 12, true}, {"1250", -2, 13, true},
		{"1200", -4, 0, true}, {"5000", -4, 1, true}, {"4999", -4, 0, true}, {"1", -1 << 40, 0, true},
		{"1", 1 << 40, 0, false},
		{"9223372036854775807", 0, math.MaxInt64, true}, {"9223372036854775808", 0, 0, false}, {"-9223372036854775808",
			0, math.MinInt64, true},
		{"-9223372036854775809", 0, 0, false}, {"9223372036854775807.4", 0, math.MaxInt64, true},
		{"9223372036854775807.5", 0, 0, false},
		{"1", 18, 1e18, true}, {"1", 19, 0, false}, {"9", 18, 9e18, true}, {"1e300", 0, 0, false}, {"1e300", -300, 1, true},
		{"18446744073709551615", -20, 0, true}, {"18446744073709551615", -19, 2, true}, {"99999999999999999999.5", -20,
			1, true},
		{"12345678901234567890123", -22, 1, true}, {"52345678901234567890123", -23, 1, true},
		{"42345678901234567890123", -23, 0, true},
		{"52345678901234567890123", -24, 0, true}, {"0.12345678901234567890123", 18, 123456789012345679, true},
		{"12345678901234567890123", 4, 0, false}, {"-12345678901234567890123", -1 << 40, 0, true},
		{"12345678901234567890123", 1 << 40, 0, false},
		{"18446744073709551615.9", 0, 0, false},
	} {
		got, ok := must(t, test.text).Scaled(test.k)
		if ok != test.ok || ok && got != test.want {
			t.Errorf("%s × 10^%d = %d, %v; want %d, %v", test.text, test.k, got, ok, test.want, test.ok)
		}
	}
	r := rand.New(rand.NewPCG(5, 6))
	fit := 0
	for range 50_000 {
		d, k := random(r), r.IntN(60)-30
		got, ok := d.Scaled(k)
		want := halfAway(new(big.Rat).Mul(rat(d), ten(k)))
		if ok != want.IsInt64() || ok && got != want.Int64() {
			t.Fatalf("%s × 10^%d = %d, %v; want %s", d, k, got, ok, want)
		}
		if ok && got != 0 {
			fit++
		}
	}
	if fit < 5000 {
		t.Errorf("only %d were neither 0 nor too large", fit)
	}
}

// halfAway rounds as the name says: the floor of |x| + 1/2, with the sign of x.
func halfAway(x *big.Rat) *big.Int {
	up := new(big.Rat).Add(new(big.Rat).Abs(x), big.NewRat(1, 2))
	n := new(big.Int).Quo(up.Num(), up.Denom())
	if x.Sign() < 0 {
		n.Neg(n)
	}
	return n
}

func TestFromInt(t *testing.T) {
	for _, n := range []int64{0, 1, -1, 10, -1200, 1 << 53, math.MaxInt64, math.MinInt64, math.MinInt64 + 1} {
		d := FromInt(n)
		checkCanonical(t, d)
		if d != must(t, strconv.FormatInt(n, 10)) {
			t.Errorf("FromInt(%d) = %s", n, d)
		}
		if back, ok := d.Scaled(0); back != n || !ok {
			t.Errorf("FromInt(%d) comes back as %d, %v", n, back, ok)
		}
	}
}

func TestFromFloat(t *testing.T) {
	check := func(f float64) {
		t.Helper()
		d, err := FromFloat(f)
		if err != nil {
			t.Fatal(err)
		}
		checkCanonical(t, d)
		if want := must(t, strconv.FormatFloat(f, 'e', -1, 64)); d != want || d.Float64() != f {
			t.Fatalf("FromFloat(%v) = %s, want %s", f, d, want)
		}
	}
	for _, f := range []float64{0, math.Copysign(0, -1), 0.1, -0.1, 1.5, 1e21, 1 << 53, 1<<53 + 2, 1<<62 + 1,
		math.MaxFloat64, -math.MaxFloat64,
		math.SmallestNonzeroFloat64, 0.30000000000000004, 2.2250738585072014e-308, 5e-324, 1e22, 1e23} {
		check(f)
	}
	r := rand.New(rand.NewPCG(7, 8))
	for range 20_000 {
		check(float64(r.IntN(1_000_000)) / 1000)
		if f := math.Float64frombits(r.Uint64()); !math.IsNaN(f) && !math.IsInf(f, 0) {
			check(f)
		}
	}
	for _, f := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		var e *Error
		if d, err := FromFloat(f); !errors.As(err, &e) || d != (Decimal{}) {
			t.Errorf("FromFloat(%v) = %s, %v", f, d, err)
		}
	}
}

func TestFloat64OutOfRange(t *testing.T) {
	if f := must(t, "1e400").Float64(); !math.IsInf(f, 1) {
		t.Error(f)
	}
	if f := must(t, "-1e400").Float64(); !math.IsInf(f, -1) {
		t.Error(f)
	}
	if f := must(t, "-1e-400").Float64(); f != 0 {
		t.Error(f)
	}
}

func TestParseDoesNotAllocate(t *testing.T) {
	for _, s := range []string{"1", "1.0834", " 0.25 ", "1234567.123456789"} {
		if n := testing.AllocsPerRun(100, func() { Parse(s, false) }); n != 0 {
			t.Errorf("Parse(%q) allocates %v times", s, n)
		}
	}
	if n := testing.AllocsPerRun(100, func() { FromFloat(1.0834) }); n != 0 {
		t.Errorf("FromFloat allocates %v times", n)
	}
}

func ExampleParse() {
	for _, s := range []string{"1.50", "1200", "0,5"} {
		d, err := Parse(s, false)
		if err != nil {
			fmt.Println(err)
			continue
		}
		fmt.Println(d, d.Decimals())
	}
	// Output:
	// 1.5 1
	// 1200 -2
	// "0,5" is no decimal number: digits with at most one decimal point are expected
}

func BenchmarkParse(b *testing.B) {
	for _, s := range []string{"1", "1.0834", "0.734561234", "12345678901234567.123456"} {
		b.Run(s, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				Parse(s, false)
			}
		})
	}
}

func BenchmarkFromFloat(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		FromFloat(1.0834)
	}
}

func BenchmarkScaled(b *testing.B) {
	d := must(b, "1.0834")
	for b.Loop() {
		d.Scaled(6)
	}
}

func BenchmarkCmp(b *testing.B) {
	d, e := must(b, "1.0834"), must(b, "1.25")
	for b.Loop() {
		d.Cmp(e)
	}
}

func BenchmarkFloat64(b *testing.B) {
	d := must(b, "1.0834")
	for b.Loop() {
		d.Float64()
	}
}
