package clickhouse

import (
	"encoding/binary"
	"fmt"
	"math/big"
	"slices"
	"strings"
	"sync"

	"github.com/ClickHouse/clickhouse-go/v2/lib/driver"

	"github.com/crosswave/crosswave/audience"
)

// For a statement the server makes lines of every respondent, one for each pair of a row and a column that the
// respondent is in, and groups the lines by their key. A key is one number, as that is faster than several: 16 bits for
// the stratum, 24 for the row, and 24 for the column. Within the 24 bits, a row or column that asks about one attribute
// alone has that attribute's number. It is taken from the array of the respondent's answers as it stands, so that more
// of them cost nothing. Any other row or column is a condition, and has a number from conditionKeys on. Everyone, who
// gives the margins, has a number of its own.
const (
	keyBits       = 24
	keyMask       = 1<<keyBits - 1
	conditionKeys = mostAttributes // the number of a statement's first condition
	everyRow      = keyMask
	// Everyone has another number among the columns: if the arrays of rows and of columns were written alike, the server
	// would take them for one and the same, and pair each row with one column only.
	everyColumn = keyMask - 1
)

// option is a row or column of a table: a condition, and if that is no more than having one attribute, which.
type option struct {
	expression audience.Expr
	condition  string
	attribute  attribute
	single     bool // attribute is set, and is looked for among numbers
	alone      bool // attribute is set, and is a bit of a word
}

// options writes the rows or columns of a query as SQL.
func (c *coder) options(xs []audience.Expr) ([]option, error) {
	list := make([]option, len(xs))
	for i, x := range xs {
		o, err := &list[i], error(nil)
		o.expression = x
		if o.condition, err = c.condition(x); err != nil {
			return nil, err
		}
		one := false
		if o.attribute, one, err = c.single(x); err != nil {
			return nil, err
		}
		o.single, o.alone = one && c.format != Words, one && c.format == Words
	}
	return list, nil
}

// side is the rows, or the columns, of the tile of a table that a statement counts.
type side struct {
	sql string           // the array of a respondent's numbers; "" if every respondent has that of everyone and no other
	at  map[uint32][]int // by number, the rows or columns that it stands for: 0 is everyone, 1 the first of the options
	// The conditions among the options, each once: the first has the number conditionKeys, and so on.
	conditions  []string
	alone       []int           // of each condition, the number of the attribute whose bit in a word it is, or -1
	expressions []audience.Expr // of each condition
}

func newSide(options []option, everyone uint32) *side {
	s := &side{at: map[uint32][]int{everyone: {0}}}
	var columns []int
	attributes := map[int][]uint32{} // by column
	var keys []string
	seen := map[string]uint32{}
	for i, o := range options {
		key := everyone
		switch known, there := seen[o.condition]; {
		case o.condition == never:
			continue
		case o.condition == always:
		case o.single:
			key = o.attribute.number
			if !slices.Contains(columns, o.attribute.column) {
				columns = append(columns, o.attribute.column)
			}
			attributes[o.attribute.column] = append(attributes[o.attribute.column], key)
		case there:
			key = known
		default:
			key = conditionKeys + uint32(len(s.conditions))
			seen[o.condition] = key
			keys, s.conditions = append(keys, fmt.Sprintf("toUInt32(%d)", key)), append(s.conditions, o.condition)
			alone := -1
			if o.alone {
				alone = int(o.attribute.number)
			}
			s.alone, s.expressions = append(s.alone, alone), append(s.expressions, o.expression)
		}
		s.at[key] = append(s.at[key], i+1)
	}
	parts := []string{fmt.Sprintf("[toUInt32(%d)]", everyone)}
	for _, c := range columns {
		parts = append(parts, fmt.Sprintf("arrayFilter(a -> %s, %s)", among("a", attributes[c]), answerColumn(c)))
	}
	if len(s.conditions) > 0 {
		parts = append(parts, fmt.Sprintf("arrayFilter((a, m) -> m != 0, [%s], [%s])", strings.Join(keys, ", "),
			strings.Join(s.conditions, ", ")))
	}
	if len(parts) > 1 {
		s.sql = "arrayConcat(" + strings.Join(parts, ", ") + ")"
	}
	return s
}

// statement counts a tile, which is some rows × some columns of a query's tables, in the strata of one layer.
type statement struct {
	sql           string
	to            []*audience.Table // of each of the query's strata
	strata        []int             // what the stratum in a key stands for: an index into to
	rows, columns *side
	row, column   int  // how many rows and columns of the tables come before the tile's
	turned        bool // rows and columns are the tables' columns and rows
	squares       bool // squares of weights are added up, too
	square        squaring
	format        Format
	pattern       *pattern // of the rows, if the format is Words

	mu      sync.Mutex
	numbers map[stratumValue][]audience.Moments // of everyone and of each column, if the rows are about a number
}

// statements writes a query as SQL, for each format in which there are respondents: for each layer of its strata a
// statement per tile, whose answers go into to.
func (s *Store) statements(v *version, q *audience.Query, to []*audience.Table) (out []*statement, err error) {
	formats := v.state.formats()
	for _, format := range []Format{Arrays, Words} {
		if !formats[format] && (format == Words || len(formats) > 0) { // what is asked is looked at, whatever there is
			continue
		}
		list, err := s.statementsIn(format, v, q, to)
		if err != nil {
			return nil, err
		}
		out = append(out, list...)
	}
	return out, nil
}

// statementsIn writes a query about the respondents whose answers are in a format.
func (s *Store) statementsIn(format Format, v *version, q *audience.Query, to []*audience.Table) ([]*statement,
	error) {
	f, c := v.frame, &coder{format: format, frame: v.frame, state: v.state}
	n := f.Namespace(q.Namespace)
	if n < 0 {
		return nil, &audience.InvalidError{Reason: fmt.Sprintf("namespace %q is not in the store", q.Namespace)}
	}
	base, err := c.condition(q.Base)
	if err != nil {
		return nil, err
	}
	rows, err := c.options(q.Rows)
	if err != nil {
		return nil, err
	}
	columns, err := c.options(q.Columns)
	if err != nil {
		return nil, err
	}
	number := v.state.namespace(q.Namespace)
	if base == never || number < 0 {
		return nil, nil
	}
	var out []*statement
	waves, named := v.state.in(format), c.with
	for layer, strata := range layers(q) {
		scope := newScope(v, waves, q, strata)
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
		packed, err := scope.packing(number, f.Decimals(n))
		if err != nil {
			return nil, err
		}
		squares := q.Measures.Has(audience.Squares)
		square := squaring{}
		if squares && format == Words {
			if square, err = scope.squaring(number, f.Decimals(n)); err != nil {
				return nil, err
			}
			square.sql = c.call(fmt.Sprintf("square%d_", layer), square.of(weight))
		}
		size := lineSize{strata: len(scope.strata), respondents: scope.respondents(), spread: s.config.Cluster != ""}
		rows, columns, shape := rows, columns, shape{}
		tall, wide := s.tile(len(rows), len(columns), len(scope.strata), squares)
		if format == Words {
			if shape, tall, wide, err = s.cut(c, rows, columns, size, square); err != nil {
				return nil, err
			}
		}
		if shape.turned {
			rows, columns = columns, rows
		}
		for i := 0; i == 0 || i < len(rows); i += tall {
			r := newSide(rows[i:min(i+tall, len(rows))], everyRow)
			for j := 0; j == 0 || j < len(columns); j += wide {
				c := newSide(columns[j:min(j+wide, len(columns))], everyColumn)
				st := &statement{to: to, strata: scope.strata, rows: r, columns: c, row: i, column: j, turned: shape.turned,
					squares: squares, square: square, format: format}
				if format == Words {
					st.pattern = newPattern(r, c, size, shape)
					st.askWords(s.read, scope, weight, packed, where, named)
				} else {
					st.sql = named(sql(s.read, st.key(scope), sums(weight, squares), where))
				}
				out = append(out, st)
			}
		}
	}
	return out, nil
}

// tile is how many rows and columns go into a statement. A table that is too large is cut by rows, so that a column's
// condition is written, and its margin counted, as few times as can be; by columns, too, if only few rows would fit.
func (s *Store) tile(rows, columns, strata int, squares bool) (tall, wide int) {
	const few = 8
	cells := s.cells(strata, squares)
	if wide = columns; cells/(columns+1)-1 < few {
		wide = min(columns, max(cells/(rows+1)-1, 63))
	}
	wide = max(1, wide)
	tall = max(1, min(rows, cells/(wide+1)-1))
	return tall, wide
}

// cells is how many cells a tile has at most, in each stratum.
func (s *Store) cells(strata int, squares bool) int {
	const results = 3 << 18 // numbers of 64 bits in a statement's result, and in what servers send each other for it
	line := 3               // a key, the respondents, their weights
	if squares {
		line += 2
	}
	return max(64, min(s.config.TileCells, results/line/strata))
}

// key writes the SQL expression of a line's key, a UInt64; "" if all lines have the same.
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

// sums writes the SQL expressions of what is added up of the respondents of a line: their number, their weights, and
// the squares of these if they are asked for. Sums of squares have up to 102 bits, more than any integer of an older
// server has, but its decimals of 38 digits, which are integers of 128 bits to it, have room for them.
func sums(units string, squares bool) string {
	text := "toInt64(count()), toInt64(sum(" + units + "))"
	if squares {
		text += fmt.Sprintf(", sum(toDecimal128(%[1]s, 0) * toDecimal128(%[1]s, 0))", units)
	}
	return text
}

// sql writes a statement's text: its lines are a key and some sums.
func sql(table, key, sums string, where []string) string {
	from := " FROM " + table + " WHERE " + strings.Join(where, " AND ")
	if key == "" {
		return "SELECT toUInt64(0), " + sums + from
	}
	return "SELECT " + key + " AS k, " + sums + from + " GROUP BY k"
}

// cell is one of the sums in a line of a result.
type cell struct {
	key uint64
	audience.Moments
}

// read reads a line of a result.
func (st *statement) read(line driver.Rows) ([]cell, error) {
	if st.format == Words {
		return st.readWords(line)
	}
	var c cell
	to := []any{&c.key, &c.Sample, &c.Weight}
	if st.squares {
		to = append(to, (*squares)(&c.Squares))
	}
	err := line.Scan(to...)
	return []cell{c}, err
}

// squares is a sum of squares that is read from a server's decimal number.
type squares audience.Uint128

// Scan takes what the driver makes of a decimal number, whose type is of a package of its own.
func (x *squares) Scan(value any) error {
	number, ok := value.(interface{ BigInt() *big.Int })
	if !ok {
		return fmt.Errorf("a sum of squares came as %T", value)
	}
	n := number.BigInt()
	if n.Sign() < 0 || n.BitLen() > 128 {
		return fmt.Errorf("a sum of squares came as %v, which has no 128 bits", n)
	}
	var bytes [16]byte
	n.FillBytes(bytes[:])
	x.High, x.Low = binary.BigEndian.Uint64(bytes[:8]), binary.BigEndian.Uint64(bytes[8:])
	return nil
}

// add adds a line of a result to the cells that it stands for.
func (st *statement) add(line driver.Rows) error {
	if st.format == Words && st.pattern.number != nil {
		return st.addNumber(line)
	}
	cells, err := st.read(line)
	if err != nil {
		return err
	}
	st.mu.Lock()
	defer st.mu.Unlock()
	for i := range cells {
		if err := st.put(cells[i].key, &cells[i].Moments); err != nil {
			return err
		}
	}
	return nil
}

// put adds what stands under a key to the cells that the key stands for.
func (st *statement) put(key uint64, n *audience.Moments) error {
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
	t := st.to[st.strata[stratum]]
	for _, i := range rows {
		for _, j := range columns {
			// The margins are in every tile; they are taken from the first.
			if i == 0 && st.row > 0 || j == 0 && st.column > 0 {
				continue
			}
			row, column := 0, 0
			if i > 0 {
				row = st.row + i
			}
			if j > 0 {
				column = st.column + j
			}
			if st.turned {
				row, column = column, row
			}
			at := row*(t.Columns+1) + column
			t.Counts[at].Sample += n.Sample
			t.Counts[at].Weight += n.Weight
			if st.squares {
				t.Squares[at] = t.Squares[at].Plus(n.Squares)
			}
		}
	}
	return nil
}
