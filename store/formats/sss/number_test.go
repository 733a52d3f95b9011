package sss

import (
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"
)

func TestNumber(t *testing.T) {
	for in, want := range map[string]string{
		"0": "0", "007": "7", "  12 ": "12", "+5": "5", "-5": "-5", "-0": "0", "-0.00": "0.00", "00": "0", ".5": "0.5",
		"-.5": "-0.5",
		"5.":  "5", "-007.50": "-7.50", "1.4000": "1.4000", "0000.0": "0.0", "1E2": "100", "-1e2": "-100", "1.25e1": "12.5",
		"1.25E-3": "0.00125", "12e-1": "1.2", "1e+3": "1000",
		"99999999999999999999.9999999999": "99999999999999999999.9999999999",
		"":                                "", ".": "", "-": "", "1,5": "", "abc": "", "1 2": "", "1e": "", "1e101": "",
		"e5": "", "--1": "",
		"0x10": "", "١": "",
	} {
		got, ok := number(in)
		if got != want || ok != (want != "") {
			t.Errorf("number(%q) = %q, %t; want %q", in, got, ok, want)
		}
	}
}

// Numbers keep their value, and compare as exact fractions do.
func TestNumberAgainstFractions(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	text := func() string {
		b := strings.Repeat(string("+-  "[random.IntN(4)]), random.IntN(2))
		b += strings.Repeat("0", random.IntN(3)) + big.NewInt(random.Int64N(200)).String()
		if random.IntN(2) == 0 {
			b += "." + strings.Repeat("0", random.IntN(3)) + strings.Repeat("5", random.IntN(2)) + strings.Repeat("0",
				random.IntN(2))
		}
		if random.IntN(4) == 0 {
			b += []string{"e1", "E-2", "e+3", "e0"}[random.IntN(4)]
		}
		return b
	}
	fraction := func(s string) *big.Rat {
		r, ok := new(big.Rat).SetString(strings.TrimSpace(s))
		if !ok {
			t.Fatalf("%q is no number", s)
		}
		return r
	}
	for range 20000 {
		a, b := text(), text()
		x, ok := number(a)
		y, ok2 := number(b)
		if !ok || !ok2 {
			t.Fatalf("number doesn't take %q or %q", a, b)
		}
		if fraction(a).Cmp(fraction(x)) != 0 {
			t.Fatalf("number(%q) = %q, another value", a, x)
		}
		if again, _ := number(x); again != x {
			t.Fatalf("number(%q) = %q", x, again)
		}
		want, got := fraction(a).Cmp(fraction(b)), compare(x, y)
		if want < 0 != (got < 0) || want > 0 != (got > 0) {
			t.Fatalf("compare(%q, %q) = %d, want %d", x, y, got, want)
		}
		if (value(x) == value(y)) != (want == 0) {
			t.Fatalf("value(%q) = %q, value(%q) = %q", x, value(x), y, value(y))
		}
	}
}

func TestDateAndClock(t *testing.T) {
	for in, want := range map[string]string{
		"20050504": "20050504", "2005-05-04": "20050504", "20240229": "20240229", "20000229": "20000229",
		"20230229": "", "19000229": "", "20050431": "", "20051301": "", "00000000": "", "2005054": "", "04/05/2005": "",
		"abcdefgh": "",
	} {
		if got, ok := date(in); ok != (want != "") || ok && got != want {
			t.Errorf("date(%q) = %q, %t; want %q", in, got, ok, want)
		}
	}
	for in, want := range map[string]string{
		"112000": "112000", "1224": "122400", "93000": "093000", " 93000": "093000", "11:20:00": "112000", "11:20": "112000",
		"235959": "235959", "240000": "", "236000": "", "235960": "", "1": "", "1:20": "", "11:20:0": "", "1a2000": "",
		"11-20-00": "",
	} {
		if got, ok := clock(in); ok != (want != "") || ok && got != want {
			t.Errorf("clock(%q) = %q, %t; want %q", in, got, ok, want)
		}
	}
}
