package clickhouse

import (
	"fmt"
	"math/bits"
	"strings"

	"github.com/ClickHouse/clickhouse-go/v2/lib/driver"

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

// turned tells whether a table is counted faster by its columns' patterns, with sums for each row. A respondent costs,
// for each group, a line and sums: one for each column and one for everyone, or two where squares are measured, too.
func (l lineSize) turned(rows, columns int, squares bool) bool {
	const line = 13 // as many sums take as long
	sums := 1
	if squares {
		sums = 2
	}
	cost := func(rows, columns int) int {
		groups := 1
		if rows > 0 {
			groups = (rows-1)/l.rows(rows) + 1
		}
		return groups * (line + (1+columns)*sums)
	}
	return cost(columns, rows) < cost(rows, columns)
}

// even is how many of n go into each piece if all pieces are to be alike and none has more than most.
func even(n, most int) int {
	pieces := max(1, (n+most-1)/most)
	return max(1, (n+pieces-1)/pieces)
}

// newPattern puts the conditions of a tile's rows into groups.
func newPattern(rows *side, size lineSize) *pattern {
	n := len(rows.conditions)
	p := &pattern{rows: size.rows(n)}
	for from := 0; from < n; from += p.rows {
		p.groups = append(p.groups, patternOf(rows, from, min(from+p.rows, n)))
	}
	p.groupBits, p.stratumBits = bits.Len(uint(max(1, len(p.groups))-1)), bits.Len(uint(size.strata-1))
	return p
}

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
func (p *pattern) key(scope *scope) string {
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
	if p.stratumBits > 0 {
		parts = append(parts, fmt.Sprintf("%s * %d", scope.stratum(), 1<<own))
	}
	if p.waveBits > 0 {
		parts = append(parts, fmt.Sprintf("toUInt64(wave) * %d", 1<<(own+p.stratumBits)))
	}
	if len(parts) == 1 && len(p.groups) > 0 || len(parts) == 0 {
		return strings.Join(parts, "")
	}
	return of(own+p.stratumBits+p.waveBits) + "(" + strings.Join(parts, " + ") + ")"
}

// row writes the SQL expression of the key of a line of the result, in terms of p, the key of a line of a pattern: one
// for each row that the pattern has, and for the first group one for everyone. From the lowest bit on it has a bit for
// each row of a group, and one for everyone, of which one is 1; the group; and the stratum. It is not asked for if few
// is true: patterns are then read as they are, and everyone has all of them.
func (p *pattern) row() string {
	of := func(bits int) uint64 { return 1<<bits - 1 }
	rest := of(p.groupBits+p.stratumBits) << p.rows
	return fmt.Sprintf("toUInt64(bitAnd(p, %d)) * 2 + toUInt64(arrayJoin(bitmaskToArray(bitAnd(p, %d) + "+
		"(bitAnd(p, %d) = 0) * %d)))", rest, of(p.rows), of(p.groupBits)<<p.rows, 1<<p.rows)
}

// few tells whether there are hardly more patterns than rows. Then the server is spared the lines of rows: to be told
// of them costs an older one as much as all else of the statement.
func (p *pattern) few() bool { return p.rows <= 2 && len(p.groups) <= 1 }

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
	key, group := p.key(scope), " GROUP BY p"
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

// sumWords writes what is added up for everyone and for each column, as a line of the result has it, and what of that
// is added up for each pattern, by names; patterns that are few are the lines of the result.
func (st *statement) sumWords(weight string) (inner []string, result string) {
	p := st.pattern
	one := weight
	if p.packing.bits > 0 {
		one = fmt.Sprintf("toUInt64(%s) * %d + 1", weight, uint64(1)<<p.packing.bits)
	}
	var samples, weights []string
	squares := make([][]string, len(st.square.parts()))
	for i := range 1 + len(st.columns.conditions) {
		sum := func(what, name, part string) string {
			text := fmt.Sprintf("sum(%s)", what)
			if i > 0 {
				text = fmt.Sprintf("sumIf(%s, %s)", what, st.columns.conditions[i-1])
			}
			if p.few() {
				return text
			}
			name = fmt.Sprint(name, i)
			inner = append(inner, text+" AS "+name)
			return "sum(" + fmt.Sprintf(part, name) + ")"
		}
		switch {
		case st.packed():
			weights = append(weights, sum(one, "x", "%s"))
		case p.packing.bits > 0:
			low := fmt.Sprintf("bitAnd(%%s, %d)", uint64(1)<<p.packing.bits-1)
			samples = append(samples, "toInt64("+sum(one, "x", low)+")")
			weights = append(weights, fmt.Sprintf("toInt64(sum(bitShiftRight(x%d, %d)))", i, p.packing.bits))
		default:
			samples = append(samples, "toInt64("+sum("toInt64(1)", "y", "%s")+")")
			weights = append(weights, "toInt64("+sum(weight, "x", "%s")+")")
		}
		for k, part := range st.square.parts() {
			squares[k] = append(squares[k], sum(part, []string{"low", "high"}[k], "%s"))
		}
	}
	result = "[" + strings.Join(weights, ", ") + "]"
	if !st.packed() {
		result = "[" + strings.Join(samples, ", ") + "], " + result
	}
	for _, sums := range squares {
		text := strings.Join(sums, ", ")
		if st.square.how != asDecimal {
			text = "[" + text + "]"
		}
		result += ", " + text
	}
	return inner, result
}

// packed tells whether respondents and weights come as one integer in the answer, too.
func (st *statement) packed() bool {
	p := st.pattern
	return p.packing.bits > 0 && (!p.packing.byWave || p.few())
}

// readWords reads a line that has sums for each of the columns.
func (st *statement) readWords(line driver.Rows) ([]cell, error) {
	var key uint64
	var samples, weights []int64
	list := make([]cell, 1+len(st.columns.conditions))
	to := []any{&key, &samples, &weights}
	var both []uint64
	if st.packed() {
		to = []any{&key, &both}
	}
	integers := make([][]uint64, len(st.square.parts()))
	for k := range integers {
		if st.square.how != asDecimal {
			to = append(to, &integers[k])
			continue
		}
		for i := range list {
			to = append(to, (*squares)(&list[i].Squares))
		}
	}
	if err := line.Scan(to...); err != nil {
		return nil, err
	}
	if err := st.square.read(list, integers); err != nil {
		return nil, err
	}
	for _, x := range both {
		samples = append(samples, int64(x&(1<<st.pattern.packing.bits-1)))
		weights = append(weights, int64(x>>st.pattern.packing.bits))
	}
	if len(samples) != len(list) || len(weights) != len(list) {
		return nil, fmt.Errorf("the answer has a line of %d samples and %d weights for %d columns", len(samples),
			len(weights), len(list))
	}
	stratum, rows := st.pattern.read(key)
	all := make([]cell, 0, len(rows)*len(list))
	for _, row := range rows {
		for i := range list {
			c := list[i]
			column := uint32(everyColumn)
			if i > 0 {
				column = uint32(conditionKeys + i - 1)
			}
			c.key = uint64(stratum)<<(2*keyBits) | uint64(row)<<keyBits | uint64(column)
			c.Sample, c.Weight = samples[i], weights[i]
			all = append(all, c)
		}
	}
	return all, nil
}
