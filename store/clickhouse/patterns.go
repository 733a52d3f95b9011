package clickhouse

import (
	"fmt"
	"math"
	"math/bits"
	"strings"

	"github.com/crosswave/crosswave/store/survey/decimal"
)

// Of respondents whose answers are words, the rows of a tile are put into groups of a few. A respondent has a pattern
// in each group: a number with a bit for each of its rows, which is 1 if the respondent is in the row. The server first
// makes a line of each pattern that occurs in a group, with sums for all columns side by side; then it adds up, for
// each row, the lines whose patterns have the row's bit. So a respondent is added to as many lines as there are groups,
// and what is done for each row is done with lines, of which there are few.

// A group has as many rows as keep the lines few beside the respondents, within bounds. More than the most would be
// faster with large tables only, as sums that don't fit a processor's cache are slow to add to.
const (
	leastPattern = 4
	mostPattern  = 8
)

// pattern says how a statement about words counts the rows of its tile.
type pattern struct {
	rows   int      // in each group, but for the last, which may have fewer
	groups []string // the SQL expressions of a respondent's patterns; none if there are no rows
	// How a line of a pattern is known: from the lowest bit on by the pattern, its group, its stratum, and its wave.
	groupBits, stratumBits, waveBits int
	packing                          packing
	// With inKey it has, above all these, a bit for each column.
	inKey   bool
	columns string // the SQL expression of these bits; "" if there are none
	// With rowSums a line of the result is a group's, for each pattern of the columns, and has sums for each of its rows.
	rowSums bool
	// The number that the rows are about, if that is the pattern.
	number *valued
}

// lineSize is what bounds the lines of patterns. With spread they are sent from server to server, and should be fewer
// still.
type lineSize struct {
	strata      int
	respondents int64
	spread      bool
}

// rows is how many of n rows a group has.
func (l lineSize) rows(n int) int {
	rows := mostPattern
	lines := func() int64 { return int64(l.strata) * int64((n+rows-1)/rows) << rows }
	for rows > leastPattern && (l.spread || lines()*int64(rows) > l.respondents/4) {
		rows--
	}
	return min(rows, n)
}

// A statement's sums are of so many columns at most: what a server does for each block of respondents grows with the
// square of them.
const mostSums = 64

// shape is how the rows and columns of a table are counted.
type shape struct {
	turned bool // rows and columns are the table's columns and rows
	inKey  bool // columns are bits of a line's key, as rows are; else each has sums of its own
	number *valued
}

// Columns that are bits of a line's key are so many at most, and a statement has so many groups of rows then. While
// columns are so few that their patterns are no more than a group's rows, a line of the result is one of them.
const (
	mostColumnBits = 6
	mostGroups     = 16
	fewColumnBits  = 3
)

// shape chooses what counts a table fastest: by patterns of its rows or of its columns, and with sums for each of the
// others, or without. A respondent costs, for each group, a line and its sums: so many for everyone, and as many for
// each column that has sums of its own; beside those a line costs more, as it is given the columns' conditions.
func (l lineSize) shape(rows, columns, sums int) shape {
	cost := func(s shape) int {
		rows, columns, line := rows, columns, 13 // a line takes as long as so many sums
		if s.turned {
			rows, columns = columns, rows
		}
		size := l.rows(rows)
		if s.inKey {
			if l.spread || rows <= fewRows || columns > mostColumnBits {
				return math.MaxInt
			}
			size, columns, line = mostPattern, 0, 7
		}
		groups := 1
		if rows > 0 {
			groups = (rows-1)/size + 1
		}
		return groups * (line + (1+columns)*sums)
	}
	best := shape{}
	for _, s := range []shape{{turned: true}, {inKey: true}, {turned: true, inKey: true}} {
		if cost(s) < cost(best) {
			best = s
		}
	}
	return best
}

// cut chooses how the rows and columns of a table are counted, and how many of them go into a statement.
func (s *Store) cut(c *coder, rows, columns []option, size lineSize, square squaring) (sh shape, tall, wide int,
	err error) {
	cells := s.cells(size.strata, square.how != not)
	for _, turned := range []bool{false, true} {
		if turned {
			rows, columns = columns, rows
		}
		v := about(c.frame, rows)
		if v == nil {
			continue
		}
		wide := min(len(columns), mostSums, cells/(v.values()+1)-1)
		if v.sql, err = v.key(c); err != nil {
			return sh, 0, 0, err
		}
		if v.sql != "" && wide >= min(len(columns), leastBeside) {
			return shape{turned: turned, number: v}, len(rows), even(len(columns), max(1, wide)), nil
		}
	}
	rows, columns = columns, rows
	sh = size.shape(len(rows), len(columns), 1+len(square.parts()))
	if sh.turned {
		rows, columns = columns, rows
	}
	tall, wide = s.tile(len(rows), len(columns), size.strata, square.how != not)
	wide = even(len(columns), min(wide, mostSums))
	if sh.inKey {
		groups := func(rows int) int { return (rows-1)/mostPattern + 1 }
		tall = mostPattern * even(groups(len(rows)), min(groups(tall), mostGroups))
	}
	return sh, tall, wide, nil
}

// even is how many of n go into each piece if all pieces are to be alike and none has more than most.
func even(n, most int) int {
	pieces := max(1, (n+most-1)/most)
	return max(1, (n+pieces-1)/pieces)
}

// newPattern puts the conditions of a tile's rows into groups. With inKey so it does with those of the columns, all of
// which are one. If the rows are about a number, that is their only group.
func newPattern(rows, columns *side, size lineSize, sh shape) *pattern {
	n := len(rows.conditions)
	if sh.number != nil {
		return &pattern{rows: sh.number.bits(), groups: []string{sh.number.sql}, stratumBits: bits.Len(uint(size.strata - 1)),
			number: sh.number}
	}
	p := &pattern{rows: size.rows(n), inKey: sh.inKey && n > fewRows}
	if p.inKey {
		p.rows = min(mostPattern, n)
		k := len(columns.conditions)
		if p.rowSums = k <= fewColumnBits; k > 0 {
			p.columns = patternOf(columns, 0, k)
		}
	}
	for from := 0; from < n; from += p.rows {
		p.groups = append(p.groups, patternOf(rows, from, min(from+p.rows, n)))
	}
	p.groupBits, p.stratumBits = bits.Len(uint(max(1, len(p.groups))-1)), bits.Len(uint(size.strata-1))
	return p
}

// above is the bit of a key from which on it has a bit for each column.
func (p *pattern) above() int { return p.rows + p.groupBits + p.stratumBits + p.waveBits }

// patternOf writes the pattern of some of the rows. Attributes whose bits stand side by side in a word are taken from
// it all at once.
func patternOf(rows *side, from, to int) string {
	var parts []string
	for i := from; i < to; {
		j := i + 1
		for first := rows.alone[i]; j < to && first >= 0 && rows.alone[j] == first+j-i &&
			rows.alone[j]/wordBits == first/wordBits; j++ {
		}
		part := "toUInt16(" + rows.conditions[i] + ")"
		if j-i > 1 {
			word, bit := rows.alone[i]/wordBits, rows.alone[i]%wordBits
			part = fmt.Sprintf("toUInt16(bitAnd(bitShiftRight(%s, %d), %d))", wordColumn(word), bit, 1<<(j-i)-1)
		}
		if i > from {
			// Not a product: when a Distributed table passes NOT x * 2 on, it is the product that is negated.
			part = fmt.Sprintf("bitShiftLeft(%s, %d)", part, i-from)
		}
		parts = append(parts, part)
		i = j
	}
	text := parts[len(parts)-1]
	for i := len(parts) - 2; i >= 0; i-- {
		text = "bitOr(" + parts[i] + ", " + text + ")"
	}
	return text
}

// key writes the SQL expression of a line's key, of which a respondent has one for each group; "" if all have the same.
func (p *pattern) key(scope *scope, columns int) string {
	of := func(bits int) string {
		switch {
		case bits <= 16: // such keys are looked up fastest
			return "toUInt16"
		case bits <= 32:
			return "toUInt32"
		}
		return "toUInt64"
	}
	var parts []string
	own := p.rows + p.groupBits
	if p.stratumBits > 0 {
		parts = append(parts, fmt.Sprintf("%s * %d", scope.stratum(), 1<<own))
	}
	if p.waveBits > 0 {
		parts = append(parts, fmt.Sprintf("toUInt64(wave) * %d", 1<<(own+p.stratumBits)))
	}
	if p.columns != "" {
		parts = append(parts, fmt.Sprintf("toUInt64(%s) * %d", p.columns, 1<<p.above()))
	}
	// Servers take the parts in this order, and all after arrayJoin once for each group.
	switch len(p.groups) {
	case 0:
	case 1:
		parts = append(parts, of(own)+"("+p.groups[0]+")")
	default:
		var list []string
		for i, g := range p.groups {
			if i > 0 {
				g += fmt.Sprintf(" + %d", i<<p.rows)
			}
			list = append(list, of(own)+"("+g+")")
		}
		parts = append(parts, "arrayJoin(["+strings.Join(list, ", ")+"])")
	}
	if len(parts) == 1 && len(p.groups) > 0 || len(parts) == 0 {
		return strings.Join(parts, "")
	}
	return of(p.above()+columns) + "(" + strings.Join(parts, " + ") + ")"
}

// row writes the SQL expression of the key of a line of the result, in terms of p, the key of a line of a pattern: one
// for each row that the pattern has, and for the first group one for everyone. From the lowest bit on it has a bit for
// each row of a group, and one for everyone, of which one is 1; the group; and the stratum. It is not asked for if few
// is true: patterns are then read as they are, and everyone has all of them. With rowSums it is the key of a line of a
// pattern without the rows and the wave.
func (p *pattern) row() string {
	of := func(bits int) uint64 { return 1<<bits - 1 }
	rest := of(p.groupBits+p.stratumBits) << p.rows
	if p.rowSums {
		return fmt.Sprintf("toUInt64(bitAnd(p, %d))", rest|of(fewColumnBits)<<p.above())
	}
	return fmt.Sprintf("toUInt64(bitAnd(p, %d)) * 2 + toUInt64(arrayJoin(bitmaskToArray(bitAnd(p, %d) + "+
		"(bitAnd(p, %d) = 0) * %d)))", rest, of(p.rows), of(p.groupBits)<<p.rows, 1<<p.rows)
}

// few tells whether there are hardly more patterns than rows, or it is not the server that knows the rows of a pattern.
// Then the server is spared the lines of rows: to be told of them costs an older one as much as all else of the
// statement.
func (p *pattern) few() bool { return p.number != nil || p.rows <= fewRows && len(p.groups) <= 1 }

const fewRows = 2

// read tells the stratum and the rows, by their numbers in keys, of a line of the result. A row that there is none of
// has a number that none has.
func (p *pattern) read(key uint64) (stratum int, rows []uint32) {
	if p.few() {
		rows = append(rows, everyRow)
		for at := range p.rows {
			if key>>at&1 == 1 {
				rows = append(rows, conditionKeys+uint32(at))
			}
		}
		return int(key >> p.rows & (1<<p.stratumBits - 1)), rows
	}
	one, rest := key&(2<<p.rows-1), key>>(p.rows+1)
	group, stratum := int(rest&(1<<p.groupBits-1)), int(rest>>p.groupBits)
	if at := bits.TrailingZeros64(one); at < p.rows {
		return stratum, []uint32{conditionKeys + uint32(group*p.rows+at)}
	}
	return stratum, []uint32{everyRow}
}

// packing says how the respondents and the weights of a line are added up as one integer of 64 bits, in half the time
// that two take: weights·2^bits + respondents.
type packing struct {
	bits   int  // 0: they have no room in one integer
	byWave bool // they have room if each wave is added up by itself
}

// packing finds out how the respondents of the scope, and their weights in a namespace in units of 10^-decimals people,
// have room in one integer. No server has more of them than all servers together.
func (sc *scope) packing(namespace, decimals int) (packing, error) {
	all, weights, waves := int64(0), &decimal.Sum{}, packing{byWave: true}
	type wave struct {
		respondents int64
		weights     *decimal.Sum
	}
	var list []wave
	for _, w := range sc.waves {
		one := wave{weights: &decimal.Sum{}}
		for i := range w.Parts {
			p := &w.Parts[i]
			one.respondents += p.Respondents
			if namespace < len(p.Weights) && p.Weights[namespace].Total != "" {
				sum, err := decimal.ParseSum(p.Weights[namespace].Total)
				if err != nil {
					return packing{}, err
				}
				one.weights.AddSum(sum)
			}
		}
		all += one.respondents
		weights.AddSum(one.weights)
		waves.bits = max(waves.bits, bits.Len64(uint64(one.respondents)))
		list = append(list, one)
	}
	if n := bits.Len64(uint64(all)); fits(n, all, weights, decimals) {
		return packing{bits: n}, nil
	}
	for _, w := range list {
		if !fits(waves.bits, w.respondents, w.weights, decimals) {
			return packing{}, nil
		}
	}
	return waves, nil
}

// fits tells whether weights have room beside so many bits, whichever way each respondent's is rounded.
func fits(bits int, respondents int64, weights *decimal.Sum, decimals int) bool {
	if bits < 1 || bits > 31 {
		return false
	}
	limit, err := decimal.Parse(fmt.Sprintf("%de%d", uint64(1)<<(64-bits)-uint64(respondents), -decimals), true)
	return err == nil && weights.Cmp(limit) < 0
}

// askWords writes a statement about words: the inner SELECT makes lines of patterns, and the one around it lines of
// rows of them, unless patterns are few. What is asked by names is put in front of the inner one, as older servers know
// them there alone.
func (st *statement) askWords(table string, scope *scope, weight string, packed packing, where []string,
	named func(string) string) {
	p := st.pattern
	p.packing = packed
	if packed.byWave {
		for _, w := range scope.waves {
			p.waveBits = max(p.waveBits, bits.Len16(w.Number))
		}
	}
	key, group := p.key(scope, len(st.columns.conditions)), " GROUP BY p"
	if key == "" {
		key, group = "toUInt16(0)", ""
	}
	inner, sums := st.sumWords(weight)
	from := fmt.Sprintf(" FROM %s WHERE %s%s", table, strings.Join(where, " AND "), group)
	if p.few() {
		st.sql = named("SELECT toUInt64(" + key + " AS p) AS k, " + sums + from)
		return
	}
	st.sql = fmt.Sprintf("SELECT %s AS k, %s FROM (%s) GROUP BY k", p.row(), sums,
		named("SELECT "+strings.Join(append([]string{key + " AS p"}, inner...), ", ")+from))
}
