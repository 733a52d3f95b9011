package clickhouse

import (
	"fmt"
	"math/big"
	"testing"

	ch "github.com/ClickHouse/clickhouse-go/v2"
	"github.com/ClickHouse/clickhouse-go/v2/lib/driver"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/store/clickhouse/clickhousetest"
)

// decimalNumber is a decimal number as the driver makes it.
type decimalNumber struct{ *big.Int }

func (n decimalNumber) BigInt() *big.Int { return n.Int }

// bit is 2^n.
func bit(n uint) *big.Int { return new(big.Int).Lsh(big.NewInt(1), n) }

// number128 is a sum of squares as one number.
func number128(x audience.Uint128) *big.Int {
	n := new(big.Int).SetUint64(x.High)
	return n.Lsh(n, 64).Add(n, new(big.Int).SetUint64(x.Low))
}

// line is what a server answers: a key, respondents, their weights, and the squares of these.
type line struct {
	driver.Rows
	key            uint64
	sample, weight int64
	squares        *big.Int
}

func (l line) Scan(to ...any) error {
	*to[0].(*uint64), *to[1].(*int64), *to[2].(*int64) = l.key, l.sample, l.weight
	if len(to) < 4 {
		return nil
	}
	return to[3].(*squares).Scan(decimalNumber{l.squares})
}

// Sums of squares from several servers add up in 128 bits, with every carry, up to as many respondents of the largest
// weight as there may be and beyond.
func TestAddSquares(t *testing.T) {
	largest := new(big.Int).Sub(bit(40), big.NewInt(1))
	largest.Mul(largest, largest)
	for _, parts := range [][]*big.Int{
		{big.NewInt(0), big.NewInt(1)},
		{new(big.Int).Sub(bit(64), big.NewInt(1)), big.NewInt(1)},
		{new(big.Int).Sub(bit(64), big.NewInt(1)), new(big.Int).Sub(bit(64), big.NewInt(1)), big.NewInt(2)},
		{new(big.Int).Sub(bit(102), big.NewInt(1)), bit(63), bit(63)},
		{new(big.Int).Mul(largest, bit(24)), new(big.Int).Mul(largest, bit(31)), largest},
		{new(big.Int).Sub(bit(127), big.NewInt(1)), bit(127)},
	} {
		q := audience.Query{Strata: make([]audience.Cover, 1), Measures: audience.Squares}
		st := &statement{to: []*audience.Table{q.NewTable()}, strata: []int{0}, rows: newSide(nil, everyRow),
			columns: newSide(nil, everyColumn), squares: true}
		want := new(big.Int)
		for _, x := range parts {
			if err := st.add(line{sample: 3, weight: 5, squares: x}); err != nil {
				t.Fatal(err)
			}
			want.Add(want, x)
		}
		n := int64(len(parts))
		if got := st.to[0].Moments(0, 0); number128(got.Squares).Cmp(want) != 0 || got.Sample != 3*n || got.Weight != 5*n {
			t.Errorf("%v: the sum is %v, of %+v", parts, number128(got.Squares), got)
		}
	}
	for _, x := range []any{decimalNumber{big.NewInt(-1)}, decimalNumber{bit(128)}, "1", 1.0, nil} {
		if err := new(squares).Scan(x); err == nil {
			t.Errorf("%v is taken for a sum of squares", x)
		}
	}
}

// A server adds up the squares of more respondents than sums of 64 bits have room for, even of squares of 20 bits of
// each weight. They weigh as much as so many can, all together below 2^62.
func TestServerAddsSquares(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes some seconds of a server, which the race detector, run with -short, does not see")
	}
	if reason := clickhousetest.Skip(); reason != "" {
		t.Skip(reason)
	}
	all, err := clickhousetest.New(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if err := all[0].Start(); err != nil {
		t.Fatal(err)
	}
	defer all[0].Kill()
	server, err := ch.Open(&ch.Options{Addr: []string{all[0].Address()}})
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	const respondents, weight = 1<<24 + 1<<20, 1<<37 - 1
	// The weight is w·10^-e as it is stored, and counted in the unit of its own decimals.
	text := sql(fmt.Sprintf("(SELECT toInt64(%d) AS w, toInt32(4) AS e FROM system.numbers LIMIT %d)", weight,
		respondents), "", sums(units("w", "e", []int{4}, 4), true), []string{"w > 0"})
	var key uint64
	var n audience.Moments
	if err := server.QueryRow(t.Context(), text).Scan(&key, &n.Sample, &n.Weight, (*squares)(&n.Squares)); err != nil {
		t.Fatal(err)
	}
	want := big.NewInt(weight)
	want.Mul(want, want).Mul(want, big.NewInt(respondents))
	if number128(n.Squares).Cmp(want) != 0 || n.Sample != respondents || n.Weight != weight*respondents {
		t.Errorf("%s\ngives %+v, and the sum of squares should be %v", text, n, want)
	}
}

// What does not ask for squares is asked as ever, in the tiles that it ever was cut into.
func TestTiles(t *testing.T) {
	s := &Store{config: Config{TileCells: 4096}}
	for _, c := range []struct {
		rows, columns, strata int
		squares               bool
		tall, wide            int
	}{
		{20, 20, 1, false, 20, 20}, {20, 20, 1, true, 20, 20}, {1000, 1000, 1, false, 63, 63},
		{1000, 1000, 1, true, 63, 63}, {50, 50, 160, false, 31, 50}, {50, 50, 160, true, 18, 50},
		{50, 50, layerStrata, false, 1, 50}, {50, 50, layerStrata, true, 1, 50}, {0, 0, 5, true, 1, 1},
	} {
		tall, wide := s.tile(c.rows, c.columns, c.strata, c.squares)
		if tall != c.tall || wide != c.wide {
			t.Errorf("%+v: tiles of %d × %d", c, tall, wide)
		}
	}
	if got, want := sql("t", "x", sums("w0", false), []string{"wave = 1"}),
		"SELECT x AS k, toInt64(count()), toInt64(sum(w0)) FROM t WHERE wave = 1 GROUP BY k"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
