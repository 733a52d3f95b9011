package clickhouse

import (
	"fmt"
	"math/bits"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/store/survey/decimal"
)

// rowsOf are so many rows, each a condition of its own.
func rowsOf(n int) *side {
	var options []option
	for i := range n {
		options = append(options, option{condition: fmt.Sprintf("c%d", i)})
	}
	return newSide(options, everyRow)
}

// Whatever groups the rows are in, the bits of a line's key tell its row and stratum: everyone comes from the first
// group alone, and a wave in the key from nowhere.
func TestPatternKeys(t *testing.T) {
	for _, n := range []int{0, 1, 3, 4, 8, 9, 20, 50, 673} {
		for _, strata := range []int{1, 2, 112} {
			for _, respondents := range []int64{0, 100_000, 1 << 40} {
				p := newPattern(rowsOf(n), rowsOf(0), lineSize{strata, respondents, false}, shape{})
				if want := (n + max(1, p.rows) - 1) / max(1, p.rows); len(p.groups) != want || p.rows > mostPattern {
					t.Fatalf("%d rows: %d groups of %d", n, len(p.groups), p.rows)
				}
				seen := map[uint32]int{}
				for group := range max(1, len(p.groups)) {
					// The key of a respondent in all rows of the group, and of the last stratum and some wave.
					key := uint64(1<<p.rows-1) | uint64(group)<<p.rows | uint64(strata-1)<<(p.rows+p.groupBits) |
						3<<(p.rows+p.groupBits+p.stratumBits)
					for rest := key&(1<<p.rows-1) | everyoneOf(p, key); rest != 0; rest &= rest - 1 {
						of := uint64(1)<<(p.groupBits+p.stratumBits) - 1
						line := key&(of<<p.rows)*2 + 1<<bits.TrailingZeros64(rest)
						if p.few() {
							line, rest = key, 0 // all rows at once
						}
						stratum, rows := p.read(line)
						if stratum != strata-1 {
							t.Fatalf("%d rows, %d strata: %x is of stratum %d", n, strata, line, stratum)
						}
						for _, row := range rows {
							seen[row]++
						}
					}
				}
				last := len(p.groups)*p.rows - n // rows that the last group has no bits for
				if len(seen) != 1+n+last || seen[everyRow] != 1 {
					t.Fatalf("%d rows, %d strata: %v", n, strata, seen)
				}
				for i := range n {
					if seen[conditionKeys+uint32(i)] != 1 {
						t.Errorf("%d rows: row %d comes %d times", n, i, seen[conditionKeys+uint32(i)])
					}
				}
			}
		}
	}
}

// everyoneOf computes what row writes for everyone.
func everyoneOf(p *pattern, key uint64) uint64 {
	if key>>p.rows&(1<<p.groupBits-1) == 0 {
		return 1 << p.rows
	}
	return 0
}

// Rows whose bits stand side by side are taken from a word at once, within the word and the group.
func TestPatternOf(t *testing.T) {
	bit := func(n uint32) option {
		return option{condition: anyBit([]uint32{n}), attribute: attribute{number: n}, alone: true}
	}
	rows := newSide([]option{bit(3), bit(4), bit(5), {condition: "x"}, bit(62), bit(63), bit(64), bit(66)}, everyRow)
	want := "bitOr(toUInt16(bitAnd(bitShiftRight(b0, 3), 7)), bitOr(bitShiftLeft(toUInt16(x), 3), " +
		"bitOr(bitShiftLeft(toUInt16(bitAnd(bitShiftRight(b0, 62), 3)), 4), " +
		"bitOr(bitShiftLeft(toUInt16((bitTest(b1, 0))), 6), bitShiftLeft(toUInt16((bitTest(b1, 2))), 7)))))"
	if d := cmp.Diff(want, patternOf(rows, 0, 8)); d != "" {
		t.Error(d)
	}
	want = "bitOr(toUInt16(bitAnd(bitShiftRight(b0, 4), 3)), bitShiftLeft(toUInt16(x), 2))"
	if d := cmp.Diff(want, patternOf(rows, 1, 4)); d != "" {
		t.Error(d)
	}
}

// Of the keys of lines with a bit for each column the columns are above all else, wherever the rest ends.
func TestPatternKeysOfColumns(t *testing.T) {
	for _, c := range []struct {
		rows, columns, strata, waveBits, above int
		want                                   string
	}{
		{2, 1, 1, 0, 2, ""}, // so few rows are read as they are
		{3, 0, 1, 0, 3, ""},
		{3, 1, 1, 0, 3, "toUInt16(c0)"},
		{9, 2, 1, 0, 9, "bitOr(toUInt16(c0), bitShiftLeft(toUInt16(c1), 1))"},
		{64, 1, 112, 3, 21, "toUInt16(c0)"},
	} {
		p := newPattern(rowsOf(c.rows), rowsOf(c.columns), lineSize{c.strata, 1, false}, shape{inKey: true})
		p.waveBits = c.waveBits
		if p.above() != c.above || p.columns != c.want || p.inKey == p.few() {
			t.Errorf("%+v: from bit %d on %q, %+v", c, p.above(), p.columns, p)
		}
	}
}

// A table of many rows and few columns has the columns in the keys of lines, whichever way round it was asked for; one
// of as many of both has not, nor one whose lines servers send to each other.
func TestShape(t *testing.T) {
	const respondents = 1_600_000
	for _, c := range []struct {
		name                string
		rows, columns, sums int
		size                lineSize
		want                shape
	}{
		{"nothing", 0, 0, 1, lineSize{1, respondents, false}, shape{}},
		{"a cell", 1, 1, 1, lineSize{1, respondents, false}, shape{}},
		{"square", 20, 20, 1, lineSize{1, respondents, false}, shape{}},
		{"a profile", 1000, 1, 3, lineSize{104, respondents, false}, shape{inKey: true}},
		{"a profile, turned", 1, 1000, 3, lineSize{104, respondents, false}, shape{turned: true, inKey: true}},
		{"too many columns", 1000, mostColumnBits + 1, 3, lineSize{104, respondents, false}, shape{turned: true}},
		{"sent on", 1000, 1, 3, lineSize{104, respondents, true}, shape{turned: true}},
		{"answers by gender", 3, 50, 1, lineSize{4, respondents, false}, shape{turned: true, inKey: true}},
		{"few rows", 12, 20, 1, lineSize{1, respondents, false}, shape{}},
	} {
		if got := c.size.shape(c.rows, c.columns, c.sums); got != c.want {
			t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
		}
	}
}

// Lines are few beside the respondents, and where servers send them to each other.
func TestPatternRows(t *testing.T) {
	for _, c := range []struct {
		rows, strata int
		respondents  int64
		spread       bool
		want         int
	}{
		{20, 1, 1_000_000, false, mostPattern}, {20, 1, 1000, false, leastPattern}, {20, 1, 1_000_000, true, leastPattern},
		{20, 112, 1_000_000, false, 6}, {3, 1, 1_000_000, false, 3}, {2, 1, 10, true, 2},
	} {
		size := lineSize{c.strata, c.respondents, c.spread}
		if p := newPattern(rowsOf(c.rows), rowsOf(0), size, shape{}); p.rows != c.want {
			t.Errorf("%+v: groups of %d", c, p.rows)
		}
	}
}

// Respondents and weights are one integer where they have room in one, all or those of each wave, to the last unit.
func TestPacking(t *testing.T) {
	among := func(waves ...part) *scope {
		sc := &scope{}
		for i, p := range waves {
			sc.waves = append(sc.waves, &wave{Number: uint16(i), Parts: []part{p}})
		}
		return sc
	}
	of := func(respondents int64, total string) part {
		return part{Respondents: respondents, Weights: []weights{{}, {Total: total}}}
	}
	for _, c := range []struct {
		name     string
		scope    *scope
		decimals int
		want     packing
	}{
		{"a few", among(of(3, "10")), 0, packing{bits: 2}},
		{"no weights", among(part{Respondents: 8}), 0, packing{bits: 4}},
		{"the most", among(of(1<<20-1, fmt.Sprint(1<<44-1<<20))), 0, packing{bits: 20}},
		{"one more", among(of(1<<20-1, fmt.Sprint(1<<44-1<<20+1))), 0, packing{}},
		{"in a smaller unit", among(of(1<<20-1, "1759218499")), 4, packing{bits: 20}},
		{"in one still smaller", among(of(1<<20-1, "1759218499")), 5, packing{}},
		{"each wave", among(of(1<<20-1, fmt.Sprint(1<<43)), of(5, fmt.Sprint(1<<43))), 0, packing{20, true}},
		{"not the second", among(of(1, "1"), of(1<<20-1, fmt.Sprint(1<<44))), 0, packing{}},
		{"nobody", among(), 0, packing{byWave: true}},
		{"too many", among(of(1<<31, "1")), 0, packing{}},
	} {
		if got, err := c.scope.packing(1, c.decimals); err != nil || got != c.want {
			t.Errorf("%s: %+v, error %v, want %+v", c.name, got, err, c.want)
		}
	}
	if fits(4, 15, &decimal.Sum{}, 0) != true {
		t.Error("nothing does not fit")
	}
}

// A line with sums for each row of a group is of everyone, if the group is the first, and of the rows that anybody is
// in: for everyone and for each column that the line's key has a bit for, above the wave.
func TestCellsOfRows(t *testing.T) {
	columns := rowsOf(2)
	st := &statement{columns: columns, pattern: newPattern(rowsOf(20), columns, lineSize{5, 1, false}, shape{inKey: true})}
	st.pattern.waveBits = 2
	line := make([]audience.Moments, 1+mostPattern)
	line[0].Sample, line[0].Weight = 7, 70
	line[3].Sample, line[3].Weight = 2, 20
	for _, c := range []struct {
		group, stratum, columns uint64
		want                    []cell
	}{
		{0, 4, 0, []cell{{cellKey(4, everyRow, 0), line[0]}, {cellKey(4, conditionKeys+2, 0), line[3]}}},
		{2, 1, 0b10, []cell{{cellKey(1, conditionKeys+18, 0), line[3]}, {cellKey(1, conditionKeys+18, 2), line[3]}}},
		{1, 0, 0b11, []cell{{cellKey(0, conditionKeys+10, 0), line[3]}, {cellKey(0, conditionKeys+10, 1), line[3]},
			{cellKey(0, conditionKeys+10, 2), line[3]}}},
	} {
		key := c.group<<8 | c.stratum<<10 | c.columns<<15
		if d := cmp.Diff(c.want, st.rowCells(key, line), cmp.AllowUnexported(cell{})); d != "" {
			t.Errorf("group %d: %s", c.group, d)
		}
	}
	if got, want := st.pattern.row(), "toUInt64(bitAnd(p, 237312))"; got != want { // bits 8 to 12 and 15 to 17
		t.Errorf("%s, want %s", got, want)
	}
	if wide := newPattern(rowsOf(20), rowsOf(4), lineSize{5, 1, false}, shape{inKey: true}); wide.rowSums {
		t.Error("lines for each pattern of four columns, which may be more than the rows of a group")
	}
}
