package clickhouse

import (
	"fmt"
	"math/bits"
	"strings"

	"github.com/ClickHouse/clickhouse-go/v2/lib/driver"

	"github.com/crosswave/crosswave/audience"
)

// total is a number of each respondent that a statement about words adds up.
type total struct {
	name, number string
	of           []string // what becomes of its sum, name, in the answer: the sum itself, or parts of it; text with %s
	apart        bool     // sums are results of their own, not arrays: decimals
}

// totals are what is added up, in the order of the answer.
func (st *statement) totals(weight string) (list []total) {
	switch b := st.pattern.packing.bits; {
	case b > 0:
		x := total{name: "x", number: fmt.Sprintf("toUInt64(%s) * %d + 1", weight, uint64(1)<<b), of: []string{"%s"}}
		if !st.packed() {
			x.of = []string{fmt.Sprintf("bitAnd(%%s, %d)", uint64(1)<<b-1), fmt.Sprintf("bitShiftRight(%%s, %d)", b)}
		}
		list = append(list, x)
	default:
		list = append(list, total{name: "y", number: "toUInt64(1)", of: []string{"%s"}},
			total{name: "x", number: "toUInt64(" + weight + ")", of: []string{"%s"}})
	}
	for k, part := range st.square.parts() {
		list = append(list, total{[]string{"low", "high"}[k], part, []string{"%s"}, st.square.how == asDecimal})
	}
	return list
}

// sumWords writes what is added up for everyone and for each column, as a line of the result has it, and what of that
// is added up for each pattern, by names; patterns that are few are the lines of the result. The sums of columns come
// in arrays: to add up each of them by itself would take servers longer to plan than to do.
func (st *statement) sumWords(weight string) (inner []string, result string) {
	p := st.pattern
	var out []string
	array := func(list []string, apart bool) string {
		if apart {
			return strings.Join(list, ", ")
		}
		return "[" + strings.Join(list, ", ") + "]"
	}
	for _, t := range st.totals(weight) {
		sums := []string{"sum(" + t.number + ")"}
		for _, c := range st.columns.conditions {
			sums = append(sums, fmt.Sprintf("sumIf(%s, %s)", t.number, c))
		}
		switch {
		case p.few():
			out = append(out, array(sums, t.apart))
		case p.inKey:
			inner = append(inner, sums[0]+" AS "+t.name)
			for _, of := range t.of {
				part := fmt.Sprintf(of, t.name)
				list := []string{"sum(" + part + ")"}
				from, n := p.above(), len(st.columns.conditions)
				if p.rowSums {
					from, n = 0, p.rows
				}
				for bit := from; bit < from+n; bit++ {
					list = append(list, fmt.Sprintf("sumIf(%s, bitTest(p, %d))", part, bit))
				}
				out = append(out, array(list, t.apart))
			}
		case t.apart:
			for i := range sums {
				inner = append(inner, fmt.Sprintf("%s AS %s%d", sums[i], t.name, i))
				out = append(out, fmt.Sprintf("sum(%s%d)", t.name, i))
			}
		default:
			inner = append(inner, array(sums, false)+" AS "+t.name)
			for _, of := range t.of {
				list := t.name
				if of != "%s" {
					list = fmt.Sprintf("arrayMap(s -> %s, %s)", fmt.Sprintf(of, "s"), t.name)
				}
				out = append(out, "sumForEach("+list+")")
			}
		}
	}
	return inner, strings.Join(out, ", ")
}

// packed tells whether respondents and weights come as one integer in the answer, too.
func (st *statement) packed() bool {
	p := st.pattern
	return p.packing.bits > 0 && (!p.packing.byWave || p.few())
}

// scanWords reads a line that has sums of everyone and of each of the columns, or rows if it is those that it has sums
// for, and its key.
func (st *statement) scanWords(line driver.Rows) (key uint64, list []audience.Moments, err error) {
	var samples, weights []uint64
	list = make([]audience.Moments, 1+len(st.columns.conditions))
	if st.pattern.rowSums {
		list = make([]audience.Moments, 1+st.pattern.rows)
	}
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
		return 0, nil, err
	}
	if err := st.square.read(list, integers); err != nil {
		return 0, nil, err
	}
	for _, x := range both {
		samples = append(samples, x&(1<<st.pattern.packing.bits-1))
		weights = append(weights, x>>st.pattern.packing.bits)
	}
	if len(samples) != len(list) || len(weights) != len(list) {
		return 0, nil, fmt.Errorf("the answer has a line of %d samples and %d weights for %d sums", len(samples),
			len(weights), len(list))
	}
	for i := range list {
		list[i].Sample, list[i].Weight = int64(samples[i]), int64(weights[i])
	}
	return key, list, nil
}

// cellKey is the key of a cell in a column of the statement: 0 is everyone.
func cellKey(stratum int, row uint32, column int) uint64 {
	number := uint32(everyColumn)
	if column > 0 {
		number = uint32(conditionKeys + column - 1)
	}
	return uint64(stratum)<<(2*keyBits) | uint64(row)<<keyBits | uint64(number)
}

// readWords reads a line as the cells that it stands for.
func (st *statement) readWords(line driver.Rows) ([]cell, error) {
	key, list, err := st.scanWords(line)
	if err != nil {
		return nil, err
	}
	if st.pattern.rowSums {
		return st.rowCells(key, list), nil
	}
	stratum, rows := st.pattern.read(key)
	all := make([]cell, 0, len(rows)*len(list))
	for _, row := range rows {
		for i := range list {
			all = append(all, cell{cellKey(stratum, row, i), list[i]})
		}
	}
	return all, nil
}

// rowCells makes cells of the sums of everyone and of each row of a group, of respondents who are in the columns that
// the line's key has bits for. Everyone is the same in all groups, and taken from the first.
func (st *statement) rowCells(key uint64, list []audience.Moments) (all []cell) {
	p := st.pattern
	group, stratum := int(key>>p.rows&(1<<p.groupBits-1)), int(key>>(p.rows+p.groupBits)&(1<<p.stratumBits-1))
	columns := key >> p.above()
	for i := range list {
		row := uint32(everyRow)
		if i > 0 {
			row = conditionKeys + uint32(group*p.rows+i-1)
		}
		if list[i].Sample == 0 || i == 0 && group > 0 {
			continue
		}
		all = append(all, cell{cellKey(stratum, row, 0), list[i]})
		for rest := columns; rest != 0; rest &= rest - 1 {
			all = append(all, cell{cellKey(stratum, row, 1+bits.TrailingZeros64(rest)), list[i]})
		}
	}
	return all
}
