package clickhouse

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/crosswave/crosswave/audience"
)

// Squares are added up as the narrowest numbers in which the sum of them has room, whoever has the largest weight.
func TestSquaring(t *testing.T) {
	of := func(respondents int64, largest string) part {
		return part{Respondents: respondents, Weights: []weights{{Largest: "999999999999"}, {Largest: largest}}}
	}
	for _, c := range []struct {
		name     string
		parts    []part
		decimals int
		want     how
	}{
		{"a few", []part{of(3, "10")}, 0, atOnce},
		{"nobody has a weight", []part{{Respondents: 3}}, 0, atOnce},
		{"64 bits", []part{of(1<<20-1, fmt.Sprint(1<<22-1))}, 0, atOnce},
		{"one more respondent", []part{of(1<<20-1, fmt.Sprint(1<<22-1)), of(1, "1")}, 0, inHalves},
		{"one bit more", []part{of(1<<20-1, fmt.Sprint(1<<22))}, 0, inHalves},
		{"in a smaller unit", []part{of(1<<20-1, "4.19")}, 6, atOnce},
		{"in one still smaller", []part{of(1<<20-1, "4.19")}, 7, inHalves},
		{"32 bits", []part{of(1, "1"), of(1<<32-2, fmt.Sprint(int64(1)<<32-1))}, 0, inHalves},
		{"33 bits", []part{of(1, fmt.Sprint(int64(1)<<32))}, 0, asDecimal},
		{"too many", []part{of(1<<32, "1")}, 0, asDecimal},
	} {
		sc := &scope{}
		for i, p := range c.parts {
			sc.waves = append(sc.waves, &wave{Number: uint16(i), Parts: []part{p}})
		}
		if got, err := sc.squaring(1, c.decimals); err != nil || got.how != c.want {
			t.Errorf("%s: %d, error %v, want %d", c.name, got.how, err, c.want)
		}
	}
}

// Halves make up the sum: 3·2^32 + 2^33 + 1 is 5·2^32 + 1, and 2^62 of upper halves is 2^94.
func TestSquaresInHalves(t *testing.T) {
	q, list := squaring{how: inHalves}, make([]audience.Moments, 2)
	if err := q.read(list, [][]uint64{{1<<33 + 1, 0}, {3, 1 << 62}}); err != nil {
		t.Fatal(err)
	}
	got := []audience.Uint128{list[0].Squares, list[1].Squares}
	if d := cmp.Diff([]audience.Uint128{{Low: 5<<32 + 1}, {High: 1 << 30}}, got); d != "" {
		t.Error(d)
	}
	if err := q.read(list, [][]uint64{{1}, {3, 4}}); err == nil {
		t.Error("a line of one sum is taken for two columns")
	}
}
