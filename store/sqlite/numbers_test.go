package sqlite

import (
	"bytes"
	"fmt"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/internal/exact"
	"github.com/crosswave/crosswave/store/survey"
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

// givenNumbers are numbers of some positions of a chunk of three runs.
func givenNumbers(t testing.TB, texts map[int]string) (*chunk, *written, map[int]decimal.Decimal) {
	t.Helper()
	c := &chunk{id: 7, wave: "w1"}
	c.place([]run{{location: "uk", respondents: 64}, {location: "us", respondents: 1}, {location: "fr", respondents: 100}})
	w := &written{numbered: numbered{question: 3}, has: make([]uint64, c.words)}
	all := map[int]decimal.Decimal{}
	for position, text := range texts {
		d, err := decimal.Parse(text, true)
		check(t, err)
		all[position] = d
	}
	for position := range 64 * c.words {
		if d, there := all[position]; there {
			w.add(uint32(position), d)
		}
	}
	return c, w, all
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
			c, w, all := givenNumbers(t, test.texts)
			data, err := w.encode()
			check(t, err)
			if int(data[0]) != test.width {
				t.Errorf("%d bytes a number, not %d", data[0], test.width)
			}
			n, err := decodeNumbers(c, &w.numbered, seal(numbersName(c.id, 3), data))
			check(t, err)
			got := map[int]decimal.Decimal{}
			check(t, n.each(func(position int, d decimal.Decimal) { got[position] = d }))
			if fmt.Sprint(got) != fmt.Sprint(all) {
				t.Errorf("%v instead of %v", got, all)
			}
			for _, k := range []int{0, 1, 2, 5, 9, 17, 19, 29, 40} {
				checkSlices(t, c, w, n, k, all)
			}
		})
	}
}

// checkSlices compares the slices of numbers in units of 10^-k with the digits of each number.
func checkSlices(t *testing.T, c *chunk, w *written, n *numbers, k int, all map[int]decimal.Decimal) {
	t.Helper()
	to, beyond := make([][]uint64, mostBits), map[int]bool{}
	for bit := range to {
		if bit%3 != 1 { // those are not wanted
			to[bit] = make([]uint64, c.words)
		}
	}
	check(t, n.slices(k, to, func(word int) { beyond[word] = true }))
	limit := new(big.Int).Lsh(big.NewInt(1), mostBits-1)
	for position, d := range all {
		x, _ := new(big.Rat).SetString(d.String())
		units := exact.Units(x, k)
		if units.Cmp(limit) >= 0 || units.Cmp(new(big.Int).Neg(limit)) < 0 {
			if units.SetInt64(0); !beyond[position/64] {
				t.Errorf("that %s does not fit with %d decimals is not told", d, k)
			}
		}
		for bit, words := range to {
			digit := units.Int64() >> bit & 1
			if words != nil && int64(words[position/64]>>(position%64)&1) != digit {
				t.Errorf("%s with %d decimals: digit %d is not %d", d, k, bit, digit)
			}
			if same, is := w.constant(k, bit); is && same != digit && len(beyond) == 0 {
				t.Errorf("%s with %d decimals: digit %d is said to be always %d", d, k, bit, same)
			}
		}
	}
}

// FuzzDecodeNumbers: whatever the bytes, reading them ends, and what can be read has a number for each who gave one.
func FuzzDecodeNumbers(f *testing.F) {
	var empty *chunk
	for _, texts := range []map[int]string{{0: "1", 64: "-2"}, {0: "1e30", 3: "0.5"}, {0: "1.25", 200: "1099511627775"}} {
		c, w, _ := givenNumbers(f, texts)
		data, err := w.encode()
		check(f, err)
		f.Add(data, w.respondents, 3)
		empty = c
	}
	f.Fuzz(func(t *testing.T, data []byte, respondents, k int) {
		c := *empty
		n, err := decodeNumbers(&c, &numbered{question: 3, respondents: respondents},
			seal(numbersName(c.id, 3), bytes.Clone(data)))
		if err != nil {
			return
		}
		seen := 0
		if err := n.each(func(int, decimal.Decimal) { seen++ }); err == nil && seen != respondents {
			t.Errorf("%d numbers of %d respondents", seen, respondents)
		}
		to := make([][]uint64, mostBits)
		to[0] = make([]uint64, c.words)
		n.slices(k%100, to, func(int) {})
	})
}

// A Count reads the numbers of a question once for all its slices, and none for digits that are the same in all numbers
// of a chunk. An append that changes the unit changes no chunk that is there.
func TestSlicesAreMadeOnce(t *testing.T) {
	st := synthetic(3, 900)
	first := part(st, func(r *survey.Respondent) bool { return r.Wave == 0 })
	s := openStore(t, Memory, Config{Threads: 1})
	publish(t, s, first, first.Respondents)
	f, err := s.Frame(t.Context())
	check(t, err)
	const question = 3
	kept := f.Numbers(question)
	if kept.Decimals != 0 || kept.Bits != 9 {
		t.Fatalf("-20 to 179 are kept in %d bits with %d decimals", kept.Bits, kept.Decimals)
	}
	loads := func(bits ...int) int64 {
		before := s.cache.snapshot().Loads
		f, err := s.Frame(t.Context())
		check(t, err)
		q := audience.Query{Namespace: "core", Strata: strata(f, false)}
		for _, bit := range bits {
			q.Rows = append(q.Rows, audience.Slice{Question: "core.n", Bit: bit})
		}
		_, err = s.Count(t.Context(), f.Version, []audience.Query{q})
		check(t, err)
		return s.cache.snapshot().Loads - before
	}
	for _, test := range []struct {
		bits []int
		want int64
	}{
		{[]int{audience.AnyNumber, 0, 1}, 4}, // and the weights
		{[]int{1, 0, audience.AnyNumber}, 0},
		{[]int{0, 2, 8}, 2},
	} {
		if got := loads(test.bits...); got != test.want {
			t.Errorf("slices %v: %d columns are made, not %d", test.bits, got, test.want)
		}
	}
	before := contents(t, s)
	publish(t, s, st, part(st, func(r *survey.Respondent) bool { return r.Wave > 0 }).Respondents)
	next, err := s.Frame(t.Context())
	check(t, err)
	if now := next.Numbers(question); now.Decimals != 2 || now.Bits != 23 {
		t.Fatalf("-10,000 to 30,000 are kept in %d bits with %d decimals", now.Bits, now.Decimals)
	}
	if n := rows(t, s, "numbers"); n != 4 {
		t.Errorf("%d rows of numbers of four chunks; before: %s", n, before)
	}
	same(t, s, reference(t, st))
	if _, err := survey.Withdraw(t.Context(), s, nil); err == nil {
		t.Error("no wave is withdrawn")
	}
	publish(t, s, first, nil, "w2", "w3", "w4")
	same(t, s, reference(t, first))
	if got := contents(t, s); got != before {
		t.Errorf("%s when what was added is gone, before it came: %s", got, before)
	}
}

// Digits that are the same in all numbers of a chunk are known without reading them.
func TestConstantDigits(t *testing.T) {
	st := synthetic(3, 300)
	for i := range st.Respondents {
		st.Respondents[i].Numbers = []survey.Given{{Question: 3, Value: decimal.FromInt(int64(64 + i%16))}}
	}
	s := openStore(t, Memory, Config{Threads: 1})
	publish(t, s, st, st.Respondents)
	f, err := s.Frame(t.Context())
	check(t, err)
	var rows []audience.Expr
	for _, bit := range []int{4, 5, 6, 7, audience.AnyNumber} { // 64 to 79: 0100xxxx
		rows = append(rows, audience.Slice{Question: "core.n", Bit: bit})
	}
	q := audience.Query{Namespace: "core", Rows: rows, Strata: strata(f, false)}
	tables, err := s.Count(t.Context(), f.Version, []audience.Query{q})
	check(t, err)
	all := tables[0][0].At(0, 0)
	for i, want := range []audience.Count{{}, {}, all, {}, all} {
		if got := tables[0][0].At(i+1, 0); got != want {
			t.Errorf("row %d: %+v instead of %+v", i+1, got, want)
		}
	}
	if columns := s.cache.snapshot().Columns; columns != len(s.current.chunks) {
		t.Errorf("%d columns are read, and there are weights of %d chunks", columns, len(s.current.chunks))
	}
}
