package clickhouse

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/ClickHouse/clickhouse-go/v2/lib/driver"

	"github.com/crosswave/crosswave/audience"
)

// version is what is published at a time, as counting needs it.
type version struct {
	frame *audience.Frame
	state *state
}

// Count answers queries about one version: [query][stratum]. Each query is one statement, more if its table is large, and each statement is one question to
// all shards. If any of them fails, the answer is an error: *Error, or ctx's own if that was cancelled.
func (s *Store) Count(ctx context.Context, number uint64, qs []audience.Query) ([][]*audience.Table, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	v, err := s.hold(ctx, number)
	if err != nil {
		return nil, err
	}
	defer s.letGo(v)
	tables := make([][]*audience.Table, len(qs))
	var work []*statement
	for i := range qs {
		for range qs[i].Strata {
			tables[i] = append(tables[i], audience.NewTable(len(qs[i].Rows), len(qs[i].Columns)))
		}
		statements, err := s.statements(v, &qs[i], tables[i])
		if err != nil {
			return nil, err
		}
		work = append(work, statements...)
	}
	if len(work) == 0 {
		return tables, nil
	}
	err = s.askAll(ctx, work)
	if ctx.Err() != nil {
		return nil, cmp.Or(err, ctx.Err())
	}
	f, failed := s.embedded.Frame(ctx)
	switch {
	case failed != nil:
		return nil, failed
	case f.Version == number: // what is published is not removed
		if err != nil {
			return nil, err
		}
		return tables, nil
	case err != nil:
		return nil, audience.ErrChanged
	}
	// Another version was published meanwhile, and what it replaced may have been removed. If all is still there, all was there to be counted.
	if err := s.intact(ctx, v); err != nil {
		return nil, err
	}
	return tables, nil
}

// intact makes sure that the servers still have all of a version that is no longer published; audience.ErrChanged if they have not.
func (s *Store) intact(ctx context.Context, v *version) error {
	stored, err := s.partitions(ctx)
	if err != nil {
		return err
	}
	left := map[[2]int64]int64{}
	for _, p := range stored {
		left[[2]int64{int64(p.wave), p.generation}] += p.rows
	}
	for _, w := range v.state.Waves {
		for _, p := range w.Parts {
			if left[[2]int64{int64(w.Number), int64(p.Generation)}] != p.Respondents {
				return audience.ErrChanged
			}
		}
	}
	return nil
}

// hold returns a version and keeps what it counts from being removed by this Store until it is let go of.
func (s *Store) hold(ctx context.Context, number uint64) (*version, error) {
	v, err := s.version(ctx, number)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.held[v]++
	return v, nil
}

// letGo gives up what hold gave. The last to use an older version has it removed.
func (s *Store) letGo(v *version) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.held[v]--; s.held[v] > 0 {
		return
	}
	delete(s.held, v)
	if v == s.current || s.closed {
		return
	}
	s.tidying.Go(func() {
		ctx, cancel := context.WithTimeout(context.Background(), s.config.Timeout)
		defer cancel()
		s.tidy(ctx) // what can't be removed now will be by the next import
	})
}

// version returns what is published if it has the number; audience.ErrChanged else. When it sees a version for the first time it makes sure that the servers
// have all its respondents.
func (s *Store) version(ctx context.Context, number uint64) (*version, error) {
	s.mu.Lock()
	v := s.current
	s.mu.Unlock()
	if v != nil && v.frame.Version == number {
		return v, nil
	}
	r, err := s.embedded.Release(ctx)
	if err != nil {
		return nil, err
	}
	if r.Version != number {
		return nil, audience.ErrChanged
	}
	if r.Engine == nil && len(r.Facts) > 0 {
		return nil, errEmbedded
	}
	v = &version{frame: r.Frame}
	if v.state, err = readState(r.Engine); err != nil {
		return nil, err
	}
	if r.Engine != nil && v.state.Table != s.table {
		return nil, fmt.Errorf("the store's respondents are in table %s, and table %s is named", v.state.Table, s.table)
	}
	if err := s.verify(ctx, v); err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.current == nil || s.current.frame.Version < number {
		s.current = v
	}
	return v, nil
}

// errEmbedded is a store that keeps its respondents itself.
var errEmbedded = errors.New("the respondents are in the embedded store: copy them to ClickHouse first (crosswave clickhouse copy)")

// verify compares the respondents that questions find with those that were published.
func (s *Store) verify(ctx context.Context, v *version) error {
	live := livePairs(v.state.Waves)
	if len(live.pairs) == 0 {
		return nil
	}
	sql := fmt.Sprintf("SELECT wave, toInt64(count()) FROM %s WHERE %s GROUP BY wave", s.read, live.condition())
	var mu sync.Mutex
	found := map[uint16]int64{}
	err := everywhere(ctx, s.asked(), func(ctx context.Context, _ int, sh *shard) error {
		return s.query(ctx, sh, sql, func(r driver.Rows) error {
			var number uint16
			var n int64
			err := r.Scan(&number, &n)
			mu.Lock()
			found[number] += n
			mu.Unlock()
			return err
		})
	})
	if err != nil {
		return err
	}
	for _, w := range v.state.Waves {
		want := int64(0)
		for _, p := range w.Parts {
			want += p.Respondents
		}
		if found[w.Number] != want {
			f, err := s.embedded.Frame(ctx)
			if err == nil && f.Version != v.frame.Version {
				return audience.ErrChanged
			}
			return &MissingError{Wave: w.Code, Want: want, Got: found[w.Number]}
		}
	}
	return nil
}

// asked are the servers that a statement goes to: all, or, of a cluster, one after the other.
func (s *Store) asked() []*shard {
	if s.config.Cluster == "" {
		return s.shards
	}
	i := int(s.queries.Add(1) % uint64(len(s.shards)))
	return s.shards[i : i+1]
}

// live is published rows: pairs of a wave's number and a generation.
type live struct {
	waves, generations []uint32
	pairs              []string
}

func livePairs(waves []*wave) live {
	var l live
	for _, w := range waves {
		for _, p := range w.Parts {
			l.waves = append(l.waves, uint32(w.Number))
			l.generations = append(l.generations, p.Generation)
			l.pairs = append(l.pairs, fmt.Sprintf("(%d, %d)", w.Number, p.Generation))
		}
	}
	return l
}

// condition holds for published rows. The first two parts tell the server which partitions it need not read.
func (l live) condition() string {
	set := func(list []uint32) string {
		list = slices.Clone(list)
		slices.Sort(list)
		return numbers(slices.Compact(list))
	}
	return fmt.Sprintf("wave IN (%s) AND gen IN (%s) AND (wave, gen) IN (%s)", set(l.waves), set(l.generations), strings.Join(l.pairs, ", "))
}

// statement counts a tile of a query's tables.
type statement struct {
	sql           string
	to            []*audience.Table // by stratum
	strata        []int             // index into to of the strata that are told apart; one: there is no column s
	row, column   int               // of the tile's first row and column, less 1
	rows, columns int               // in the tile; 0: there is no column r, or c

	mu sync.Mutex
}

// columnOffset is added to the numbers of columns: two arrays that are written alike would be one and the same to the server, and its rows and columns go hand in hand.
const columnOffset = 1 << 20

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
	list := func(xs []audience.Expr) ([]string, error) {
		out := make([]string, len(xs))
		for i, x := range xs {
			if out[i], err = c.condition(x); err != nil {
				return nil, err
			}
		}
		return out, nil
	}
	rows, err := list(q.Rows)
	if err != nil {
		return nil, err
	}
	columns, err := list(q.Columns)
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
		weight := units(w, e, es, f.Namespaces[n].Decimals)
		tall, wide := s.tile(len(rows), len(columns), len(scope.strata))
		for i := 0; i == 0 || i < len(rows); i += tall {
			for j := 0; j == 0 || j < len(columns); j += wide {
				st := &statement{to: to, strata: scope.strata, row: i, column: j}
				r, c := rows[i:min(i+tall, len(rows))], columns[j:min(j+wide, len(columns))]
				st.rows, st.columns = len(r), len(c)
				st.sql = sql(s.read, scope, r, c, weight, where)
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

// sql writes a statement.
func sql(table string, scope *scope, rows, columns []string, units string, where []string) string {
	var names, keys []string
	key := func(name, text string) {
		names, keys = append(names, text+" AS "+name), append(keys, name)
	}
	if len(scope.strata) > 1 {
		key("s", scope.stratum())
	}
	if len(rows) > 0 {
		key("r", indices(rows, 0))
	}
	if len(columns) > 0 {
		key("c", indices(columns, columnOffset))
	}
	names = append(names, "toInt64(count())", "toInt64(sum("+units+"))")
	text := "SELECT " + strings.Join(names, ", ") + " FROM " + table + " WHERE " + strings.Join(where, " AND ")
	if len(keys) > 0 {
		text += " GROUP BY " + strings.Join(keys, ", ")
	}
	return text
}

// indices is the numbers, from offset on, of the conditions that a row fulfils, the first standing for everyone: a row of the result for each.
func indices(conditions []string, offset int) string {
	list, tests := []string{fmt.Sprintf("toUInt32(%d)", offset)}, []string{always}
	for i, c := range conditions {
		if c != never {
			list, tests = append(list, fmt.Sprint(offset+i+1)), append(tests, c)
		}
	}
	return fmt.Sprintf("arrayJoin(arrayFilter((i, m) -> m != 0, [%s], [%s]))", strings.Join(list, ", "), strings.Join(tests, ", "))
}

// askAll asks statements, so many at a time.
func (s *Store) askAll(ctx context.Context, work []*statement) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	next := make(chan *statement)
	var wg sync.WaitGroup
	for range min(s.config.Statements, len(work)) {
		wg.Go(func() {
			for st := range next {
				if err := s.ask(ctx, st); err != nil {
					cancel(err)
				}
			}
		})
	}
	for _, st := range work {
		select {
		case next <- st:
		case <-ctx.Done():
		}
	}
	close(next)
	wg.Wait()
	return context.Cause(ctx)
}

// ask asks one statement of all shards and adds their answers.
func (s *Store) ask(ctx context.Context, st *statement) error {
	return everywhere(ctx, s.asked(), func(ctx context.Context, _ int, sh *shard) error {
		return s.query(ctx, sh, st.sql, st.add)
	})
}

// add takes in a line of a result.
func (st *statement) add(line driver.Rows) error {
	var stratum uint16
	var row, column uint32
	var n audience.Count
	var to []any
	if len(st.strata) > 1 {
		to = append(to, &stratum)
	}
	if st.rows > 0 {
		to = append(to, &row)
	}
	if st.columns > 0 {
		to = append(to, &column)
		column = columnOffset
	}
	if err := line.Scan(append(to, &n.Sample, &n.Weight)...); err != nil {
		return err
	}
	i, j := int(row), 0
	if st.columns > 0 {
		j = int(column) - columnOffset
	}
	if int(stratum) >= len(st.strata) || i > st.rows || j < 0 || j > st.columns || n.Sample < 0 || n.Weight < 0 {
		return fmt.Errorf("the answer has a line %d %d %d %d %d, which was not asked for", stratum, row, column, n.Sample, n.Weight)
	}
	// The margins are in every tile; they are taken from the first.
	if i == 0 && st.row > 0 || j == 0 && st.column > 0 {
		return nil
	}
	if i > 0 {
		i += st.row
	}
	if j > 0 {
		j += st.column
	}
	st.mu.Lock()
	defer st.mu.Unlock()
	t := st.to[st.strata[stratum]]
	c := &t.Counts[i*(t.Columns+1)+j]
	c.Sample += n.Sample
	c.Weight += n.Weight
	return nil
}
