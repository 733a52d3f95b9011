package clickhouse

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/ClickHouse/clickhouse-go/v2/lib/driver"

	"github.com/crosswave/crosswave/audience"
)

// A statement makes of every respondent a line for each pair of a row and a column that it is in, and groups the lines.
// What they are grouped by is one number, which is faster than several: the stratum, 24 bits of the row and 24 of the
// column. A row or column that is one attribute goes by the attribute's number, as it stands in the array of the
// respondent's answers, so that it costs nothing to have more of them; another one by its place among the conditions;
// and everyone, who gives the margins, by a number of its own.
const (
	keyBits       = 24
	keyMask       = 1<<keyBits - 1
	conditionKeys = mostAttributes // of the conditions, from here on
	everyRow      = keyMask
	// another one: two arrays that are written alike would be one to the server, its rows and columns going hand in hand
	everyColumn = keyMask - 1
)

// test is a row or column: a condition, which may be that the respondent has an attribute.
type test struct {
	condition string
	attribute attribute
	single    bool
}

func (c *coder) tests(xs []audience.Expr) ([]test, error) {
	list := make([]test, len(xs))
	for i, x := range xs {
		t, err := &list[i], error(nil)
		if t.condition, err = c.condition(x); err != nil {
			return nil, err
		}
		if t.attribute, t.single, err = c.single(x); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// axis is the rows or columns of a tile.
type axis struct {
	sql string           // array of the keys that a respondent has; "": all respondents have the same, that of everyone
	at  map[uint32][]int // rows or columns by key: 0 everyone, then the tests
}

func newAxis(tests []test, everyone uint32) *axis {
	a := &axis{at: map[uint32][]int{everyone: {0}}}
	var columns []int
	attributes := map[int][]uint32{} // by column
	var keys, conditions []string
	seen := map[string]uint32{}
	for i, t := range tests {
		key := everyone
		switch known, there := seen[t.condition]; {
		case t.condition == never:
			continue
		case t.condition == always:
		case t.single:
			key = t.attribute.number
			if !slices.Contains(columns, t.attribute.column) {
				columns = append(columns, t.attribute.column)
			}
			attributes[t.attribute.column] = append(attributes[t.attribute.column], key)
		case there:
			key = known
		default:
			key = conditionKeys + uint32(len(conditions))
			seen[t.condition] = key
			keys, conditions = append(keys, fmt.Sprintf("toUInt32(%d)", key)), append(conditions, t.condition)
		}
		a.at[key] = append(a.at[key], i+1)
	}
	parts := []string{fmt.Sprintf("[toUInt32(%d)]", everyone)}
	for _, c := range columns {
		parts = append(parts, fmt.Sprintf("arrayFilter(a -> %s, %s)", among("a", attributes[c]), answerColumn(c)))
	}
	if len(conditions) > 0 {
		parts = append(parts, fmt.Sprintf("arrayFilter((a, m) -> m != 0, [%s], [%s])", strings.Join(keys, ", "),
			strings.Join(conditions, ", ")))
	}
	if len(parts) > 1 {
		a.sql = "arrayConcat(" + strings.Join(parts, ", ") + ")"
	}
	return a
}

// statement counts a tile of a query's tables.
type statement struct {
	sql           string
	to            []*audience.Table // by stratum
	strata        []int             // index into to of the strata that are told apart
	rows, columns *axis
	row, column   int // of the tile's first row and column, less 1

	mu sync.Mutex
}

// statements writes a query as SQL.
func (s *Store) statements(v *version, q *audience.Query, to []*audience.Table) ([]*statement, error) {
	f, c := v.frame, &coder{v.frame, v.state}
	n := f.Namespace(q.Namespace)
	if n < 0 {
		return nil, &audience.InvalidError{Reason: fmt.Sprintf("namespace %q is not in the store", q.Namespace)}
	}
	base, err := c.condition(q.Base)
	if err != nil {
		return nil, err
	}
	rows, err := c.tests(q.Rows)
	if err != nil {
		return nil, err
	}
	columns, err := c.tests(q.Columns)
	if err != nil {
		return nil, err
	}
	number := v.state.namespace(q.Namespace)
	if base == never || number < 0 {
		return nil, nil
	}
	var out []*statement
	for _, strata := range layers(q) {
		scope := newScope(v, q, strata)
		es := scope.decimals(number)
		if len(es) == 0 {
			continue // nobody takes part
		}
		w, e := weightColumns(number)
		where := []string{scope.condition(), w + " > 0"}
		if base != always {
			where = append(where, base)
		}
		weight := units(w, e, es, f.Decimals(n))
		tall, wide := s.tile(len(rows), len(columns), len(scope.strata))
		for i := 0; i == 0 || i < len(rows); i += tall {
			r := newAxis(rows[i:min(i+tall, len(rows))], everyRow)
			for j := 0; j == 0 || j < len(columns); j += wide {
				c := newAxis(columns[j:min(j+wide, len(columns))], everyColumn)
				st := &statement{to: to, strata: scope.strata, rows: r, columns: c, row: i, column: j}
				st.sql = sql(s.read, st.key(scope), weight, where)
				out = append(out, st)
			}
		}
	}
	return out, nil
}

// tile is how many rows and columns go into a statement.
func (s *Store) tile(rows, columns, strata int) (tall, wide int) {
	const results = 1 << 18 // lines of a statement's result
	cells := max(64, min(s.config.TileCells, results/strata))
	wide = max(1, min(columns, max(cells/(rows+1)-1, 63)))
	tall = max(1, min(rows, cells/(wide+1)-1))
	return tall, wide
}

// key is what lines are grouped by, UInt64; "" if all are one group.
func (st *statement) key(scope *scope) string {
	var parts []string
	if len(scope.strata) > 1 {
		parts = append(parts, fmt.Sprintf("toUInt64(%s) * %d", scope.stratum(), 1<<(2*keyBits)))
	}
	if st.rows.sql != "" {
		parts = append(parts, fmt.Sprintf("toUInt64(arrayJoin(%s)) * %d", st.rows.sql, 1<<keyBits))
	}
	if st.columns.sql != "" {
		parts = append(parts, fmt.Sprintf("toUInt64(arrayJoin(%s))", st.columns.sql))
	}
	return strings.Join(parts, " + ")
}

func sql(table, key, units string, where []string) string {
	from := " FROM " + table + " WHERE " + strings.Join(where, " AND ")
	if key == "" {
		return "SELECT toUInt64(0), toInt64(count()), toInt64(sum(" + units + "))" + from
	}
	return "SELECT " + key + " AS k, toInt64(count()), toInt64(sum(" + units + "))" + from + " GROUP BY k"
}

// add takes in a line of a result.
func (st *statement) add(line driver.Rows) error {
	var key uint64
	var n audience.Count
	if err := line.Scan(&key, &n.Sample, &n.Weight); err != nil {
		return err
	}
	row, column := uint32(everyRow), uint32(everyColumn)
	if st.rows.sql != "" {
		row = uint32(key >> keyBits & keyMask)
	}
	if st.columns.sql != "" {
		column = uint32(key & keyMask)
	}
	stratum := int(key >> (2 * keyBits))
	rows, columns := st.rows.at[row], st.columns.at[column]
	if stratum >= len(st.strata) || rows == nil || columns == nil || n.Sample < 0 || n.Weight < 0 {
		return fmt.Errorf("the answer has a line %d %d %d, which was not asked for", key, n.Sample, n.Weight)
	}
	st.mu.Lock()
	defer st.mu.Unlock()
	t := st.to[st.strata[stratum]]
	for _, i := range rows {
		for _, j := range columns {
			// The margins are in every tile; they are taken from the first.
			if i == 0 && st.row > 0 || j == 0 && st.column > 0 {
				continue
			}
			at := 0
			if i > 0 {
				at = (st.row + i) * (t.Columns + 1)
			}
			if j > 0 {
				at += st.column + j
			}
			t.Counts[at].Sample += n.Sample
			t.Counts[at].Weight += n.Weight
		}
	}
	return nil
}
