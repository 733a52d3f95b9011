package clickhouse

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/ClickHouse/clickhouse-go/v2/lib/driver"

	"github.com/crosswave/crosswave/store/survey/decimal"
)

// block holds respondents on their way to a server, in the columns of its table: index i of each is respondent i.
type block struct {
	id      []uint64
	wave    []uint16
	loc     []uint16
	w       [][]int64 // by namespace number: the weight is w·10^-e
	e       [][]int32
	answers []answers // by column of answers; none where they are words
	words   [][]uint64
	numbers []givens // by group of questions of numbers; none where each has columns of its own
	apart   []pieces // by question of numbers
	total   int      // how many answers and numbers there are in all columns, and words
}

// answers is one column of answers: those of all respondents, one respondent after the other.
type answers struct {
	list []uint32 // attribute numbers
	ends []int    // where each respondent's answers end in list
}

func newBlock(st *state, format Format) *block {
	n := len(st.Namespaces)
	b := &block{w: make([][]int64, n), e: make([][]int32, n)}
	if format == Words {
		b.words, b.apart = make([][]uint64, st.words()), make([]pieces, st.Numbered)
	} else {
		b.answers, b.numbers = make([]answers, len(st.Columns)), make([]givens, st.groups())
	}
	return b
}

func (b *block) empty() {
	b.id, b.wave, b.loc, b.total = b.id[:0], b.wave[:0], b.loc[:0], 0
	for i := range b.answers {
		a := &b.answers[i]
		a.list, a.ends = a.list[:0], a.ends[:0]
	}
	for i := range b.words {
		b.words[i] = b.words[i][:0]
	}
	for i := range b.numbers {
		n := &b.numbers[i]
		n.keys, n.values, n.ends = n.keys[:0], n.values[:0], n.ends[:0]
	}
	for i := range b.apart {
		n := &b.apart[i]
		n.low, n.middle, n.high = n.low[:0], n.middle[:0], n.high[:0]
	}
	for i := range b.w {
		b.w[i], b.e[i] = b.w[i][:0], b.e[i][:0]
	}
}

// begin starts a respondent who takes part in nothing and has answered nothing.
func (b *block) begin(id uint64, wave, loc uint16) {
	b.id, b.wave, b.loc = append(b.id, id), append(b.wave, wave), append(b.loc, loc)
	for i := range b.w {
		b.w[i], b.e[i] = append(b.w[i], 0), append(b.e[i], 0)
	}
	for i := range b.words {
		b.words[i] = append(b.words[i], 0)
	}
	for i := range b.apart {
		n := &b.apart[i]
		n.low, n.middle, n.high = append(n.low, 0), append(n.middle, 0), append(n.high, 0)
	}
	b.total += len(b.words) + 2*len(b.apart)
}

// weigh gives the respondent that was begun a weight.
func (b *block) weigh(namespace int, m int64, e int32) {
	b.w[namespace][len(b.id)-1], b.e[namespace][len(b.id)-1] = m, e
}

// answer notes that the respondent that was begun is positive on an attribute.
func (b *block) answer(a attribute) {
	if b.words != nil {
		b.words[a.number/wordBits][len(b.id)-1] |= 1 << (a.number % wordBits)
		return
	}
	to := &b.answers[a.column]
	to.list = append(to.list, a.number)
	b.total++
}

// end finishes a respondent. Sorted answers are smaller on disk.
func (b *block) end() {
	for i := range b.answers {
		a := &b.answers[i]
		slices.Sort(a.of(len(a.ends)))
		a.ends = append(a.ends, len(a.list))
	}
	for i := range b.numbers {
		b.numbers[i].ends = append(b.numbers[i].ends, len(b.numbers[i].keys))
	}
}

// of returns the answers of respondent i. If that one is not finished, they are all that came after the one before.
func (a *answers) of(i int) []uint32 {
	from, to := 0, len(a.list)
	if i > 0 {
		from = a.ends[i-1]
	}
	if i < len(a.ends) {
		to = a.ends[i]
	}
	return a.list[from:to]
}

// insertWaves is how many waves one INSERT may bring: newer servers refuse one that fills more than 100 partitions.
const insertWaves = 90

// send inserts the block into a shard's own table.
func (b *block) send(ctx context.Context, s *Store, to *sender, number uint64) error {
	for some := range slices.Chunk(set(b.wave), insertWaves) {
		var rows []int
		for i, w := range b.wave {
			if w >= some[0] && w <= some[len(some)-1] {
				rows = append(rows, i)
			}
		}
		insert := func(ctx context.Context, conn driver.Conn) error {
			return b.insert(ctx, conn, s.table, to.narrow, number, rows)
		}
		if err := s.statement(ctx, to.shard, insert); err != nil {
			return err
		}
	}
	return nil
}

// insert sends the rows of the block that are listed, by index.
func (b *block) insert(ctx context.Context, conn driver.Conn, table string, narrow bool, number uint64,
	rows []int) error {
	columns := []string{"id", "wave", "gen", "loc"}
	for i := range b.w {
		w, e := weightColumns(i)
		columns = append(columns, w, e)
	}
	for i := range b.words {
		columns = append(columns, wordColumn(i))
	}
	for i := range b.apart {
		columns = append(columns, pieceColumns(uint32(i+1))...)
	}
	for i := range b.answers {
		columns = append(columns, answerColumn(i))
	}
	for i := range b.numbers {
		keys, values := numberColumns(i)
		columns = append(columns, keys, values)
	}
	batch, err := conn.PrepareBatch(ctx, fmt.Sprintf("INSERT INTO %s (%s)", table, strings.Join(columns, ", ")))
	if err != nil {
		return err
	}
	defer batch.Close()
	var gen any = slices.Repeat([]uint64{number}, len(rows))
	if narrow {
		gen = slices.Repeat([]uint32{uint32(number)}, len(rows))
	}
	data := []any{pick(b.id, rows), pick(b.wave, rows), gen, pick(b.loc, rows)}
	for i := range b.w {
		data = append(data, pick(b.w[i], rows), pick(b.e[i], rows))
	}
	for i := range b.words {
		data = append(data, pick(b.words[i], rows))
	}
	for i := range b.apart {
		n := &b.apart[i]
		data = append(data, pick(n.low, rows), pick(n.middle, rows), pick(n.high, rows))
	}
	for i, d := range data {
		if err := batch.Column(i).Append(d); err != nil {
			return err
		}
	}
	for i := range b.answers {
		column := batch.Column(len(data) + i)
		for _, row := range rows {
			if err := column.AppendRow(b.answers[i].of(row)); err != nil {
				return err
			}
		}
	}
	for i := range b.numbers {
		keys, values := batch.Column(len(data)+len(b.answers)+2*i), batch.Column(len(data)+len(b.answers)+2*i+1)
		for _, row := range rows {
			k, v := b.numbers[i].of(row)
			if err := errors.Join(keys.AppendRow(k), values.AppendRow(v)); err != nil {
				return err
			}
		}
	}
	return batch.Send()
}

// pick returns the elements at the indices in rows.
func pick[T any](from []T, rows []int) []T {
	if len(rows) == len(from) {
		return from
	}
	out := make([]T, len(rows))
	for i, r := range rows {
		out[i] = from[r]
	}
	return out
}

// digits is 10^18: w of a stored weight w·10^-e is below it, so that it has at most 18 digits.
const digits = 1_000_000_000_000_000_000

// encodeWeight returns m and e, for which the weight is m·10^-e. Where it can be, e is the most decimals that any
// weight before had, which is kept in most, so that few different e occur. A weight of very many digits is cut off:
// what is left rounds as the whole does in every unit 10^-k in which it is less than 2^40, as 5 digits and more stand
// behind k.
func encodeWeight(d decimal.Decimal, most *int) (m int64, e int32, err error) {
	const few = 9
	if n := d.Decimals(); n > *most && n <= few {
		*most = n
	}
	if d.Decimals() <= *most {
		if m, ok := d.Scaled(*most); ok && m < digits {
			return m, int32(*most), nil
		}
	}
	n := d.Decimals()
	if k, err := decimal.Unit(n, d, &decimal.Sum{}); err == nil && k+5 < n {
		n = k + 5
	}
	m, ok := d.Scaled(n)
	if !ok || m <= 0 || m >= digits {
		return 0, 0, fmt.Errorf("the weight %s can't be stored", d)
	}
	back, err := decimal.Parse(fmt.Sprintf("%de%d", m, -n), true)
	if err == nil && back.Cmp(d) > 0 {
		m-- // cut, not rounded: it will be rounded once
	}
	return m, int32(n), err
}

// tally counts what an import brings of one wave.
type tally struct {
	respondents int64
	weights     []weightTally // by namespace number
	numbers     map[uint32]*numberTally
}

type weightTally struct {
	decimals          map[int]bool
	largest, smallest decimal.Decimal
	total             decimal.Sum
}

func newTally(namespaces int) *tally {
	return &tally{weights: make([]weightTally, namespaces), numbers: map[uint32]*numberTally{}}
}

func (t *weightTally) add(d decimal.Decimal, e int) {
	if t.decimals == nil {
		t.decimals, t.largest, t.smallest = map[int]bool{}, d, d
	}
	t.decimals[e] = true
	if d.Cmp(t.largest) > 0 {
		t.largest = d
	}
	if d.Cmp(t.smallest) < 0 {
		t.smallest = d
	}
	t.total.Add(d)
}

func (t *tally) part(number uint64, format Format) part {
	p := part{Number: number, Respondents: t.respondents, Words: format == Words, Apart: format == Words}
	for i := range t.weights {
		w := &t.weights[i]
		if w.decimals == nil {
			p.Weights = append(p.Weights, weights{})
			continue
		}
		p.Weights = append(p.Weights, weights{
			Decimals: slices.Sorted(maps.Keys(w.decimals)),
			Largest:  w.largest.String(), Smallest: w.smallest.String(), Total: w.total.String(),
		})
	}
	for _, question := range slices.Sorted(maps.Keys(t.numbers)) {
		p.Numbers = append(p.Numbers, t.numbers[question].given(question))
	}
	return p
}

// publish writes the state as the embedded store keeps it, for readState.
func (st *state) publish() ([]byte, error) {
	switch l := st.layout(); { // what programs of before read, too, if they can
	case l.apart:
		st.Format = stateFormat
	case l.words:
		st.Format = listedWords
	default:
		st.Format = arraysOnly
	}
	return json.Marshal(st)
}
