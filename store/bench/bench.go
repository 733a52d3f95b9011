package main

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/internal/kernel"
	"github.com/crosswave/crosswave/store/sqlite"
	"github.com/crosswave/crosswave/store/survey"
)

// bench is the comparisons at one number of respondents.
type bench struct {
	report   *report
	rounds   rounds
	kernel   string // forced; empty: the fastest
	quick    bool   // without slow peers, and without what is measured for itself
	threads  []int
	only     []string
	n        int
	path     string
	smallest bool // the slow peers take part at the smallest size only

	data  *data
	duck  *duck
	plain map[string][]count // the answer to each question, from plain loops
}

// count is a cell: respondents, the sum of their weights, and where they are asked for that of their squared weights.
type count struct {
	sample, weight int64
	squares        audience.Uint128
}

// question is what all are asked: a cell for each row × column × stratum.
type question struct {
	name          string
	rows, columns []audience.Expr
	strata        []audience.Cover
	member        func(row bool, i, respondent int) bool // the same, for plain loops
	stratum       []uint8                                // of each respondent; nil: there is but one
	squares       bool
}

// query is what a store is asked, in the first namespace.
func (q *question) query(f *audience.Frame) audience.Query {
	out := audience.Query{Namespace: f.Namespaces[0].Code, Rows: q.rows, Columns: q.columns, Strata: q.strata}
	if q.squares {
		out.Measures = audience.Squares
	}
	return out
}

func (b *bench) run(ctx context.Context) (err error) {
	if err := b.prepare(ctx); err != nil {
		return err
	}
	if b.duck, err = newDuck(ctx, b.data); err != nil {
		return fmt.Errorf("DuckDB: %w", err)
	}
	defer b.duck.Close()
	steps := []func(context.Context) error{b.tables, b.oneCell, b.stats, b.nested, b.statistics, b.summaries, b.floors,
		b.kernels, b.twoThreads, b.cold, b.endToEnd}
	if !b.quick {
		steps = append(steps, b.many, b.besideR)
	}
	for _, step := range steps {
		if err := step(ctx); err != nil {
			return err
		}
	}
	return nil
}

// prepare generates the survey and fills a store with it.
func (b *bench) prepare(ctx context.Context) error {
	source := newSource(b.n)
	db, err := sqlite.Open(ctx, b.path, sqlite.Config{})
	if err != nil {
		return err
	}
	if _, err := survey.Import(ctx, source, db, survey.Options{}); err != nil {
		return err
	}
	f, err := db.Frame(ctx)
	if err != nil {
		return err
	}
	if err := db.Close(); err != nil {
		return err
	}
	b.plain = map[string][]count{}
	b.data, err = generate(ctx, source, f, b.n)
	return err
}

// config is that of a store of ours.
func (b *bench) config(threads int) sqlite.Config {
	return sqlite.Config{Threads: threads, Kernel: b.kernel}
}

// peers is how often peers are timed, which take longer.
func (b *bench) peers() rounds { return rounds{max(hands, b.rounds.least/2), b.rounds.longest} }

// wanted tells whether a case was asked for.
func (b *bench) wanted(name string) bool {
	return len(b.only) == 0 || slices.ContainsFunc(b.only, func(part string) bool { return strings.Contains(name, part) })
}

// cross is the question of two sides.
func (b *bench) cross(name string, rows, columns []int, columnLimit int) question {
	d := b.data
	q := question{name: name, strata: []audience.Cover{d.cover}}
	for _, s := range rows {
		q.rows = append(q.rows, d.sides[s].options...)
	}
	for _, s := range columns {
		q.columns = append(q.columns, d.sides[s].options...)
	}
	q.columns = q.columns[:min(columnLimit, len(q.columns))]
	q.member = func(row bool, i, respondent int) bool {
		sides := columns
		if row {
			sides = rows
		}
		return d.bits[sides[i/50]][respondent]>>(i%50)&1 != 0
	}
	return q
}

// loops answers a question by plain loops.
func (b *bench) loops(q question) []count {
	if out, ok := b.plain[q.name]; ok {
		return out
	}
	strata := len(q.strata)
	out := make([]count, len(q.rows)*len(q.columns)*strata)
	rows, columns := make([]int, 0, len(q.rows)), make([]int, 0, len(q.columns))
	for r := range b.n {
		rows, columns = rows[:0], columns[:0]
		for i := range q.rows {
			if q.member(true, i, r) {
				rows = append(rows, i)
			}
		}
		for j := range q.columns {
			if q.member(false, j, r) {
				columns = append(columns, j)
			}
		}
		s := 0
		if q.stratum != nil {
			s = int(q.stratum[r])
		}
		square := audience.Uint128{}
		if q.squares {
			square = audience.Square(b.data.weight[r])
		}
		for _, i := range rows {
			for _, j := range columns {
				c := &out[(i*len(q.columns)+j)*strata+s]
				c.sample++
				c.weight += b.data.weight[r]
				c.squares = c.squares.Plus(square)
			}
		}
	}
	b.plain[q.name] = out
	return out
}

// ours asks a store. The cells are checked against the plain loops, and the time is that of Count alone.
func (b *bench) ours(ctx context.Context, q question, config sqlite.Config) (timing, error) {
	db, err := sqlite.Open(ctx, b.path, config)
	if err != nil {
		return timing{}, err
	}
	defer db.Close()
	return b.asked(ctx, db, q, b.rounds)
}

func (b *bench) asked(ctx context.Context, db *sqlite.Store, q question, rounds rounds) (timing, error) {
	f, err := db.Frame(ctx)
	if err != nil {
		return timing{}, err
	}
	ask := []audience.Query{q.query(f)}
	var got [][]*audience.Table
	ms, err := rounds.fastest(func() error {
		got, err = db.Count(ctx, f.Version, ask)
		return err
	})
	if err != nil {
		return timing{}, err
	}
	cells := make([]count, len(q.rows)*len(q.columns)*len(q.strata))
	for i := range q.rows {
		for j := range q.columns {
			for s := range q.strata {
				c := got[0][s].At(i+1, j+1)
				cell := count{sample: c.Sample, weight: c.Weight}
				if q.squares {
					cell.squares = got[0][s].Moments(i+1, j+1).Squares
				}
				cells[(i*len(q.columns)+j)*len(q.strata)+s] = cell
			}
		}
	}
	return ms, agree("Crosswave", q, b.loops(q), cells)
}

// agree is an error where a peer's cells are others than those of the plain loops.
func agree(peer string, q question, want, got []count) error {
	if len(want) != len(got) {
		return fmt.Errorf("%s: %s gives %d cells, want %d", q.name, peer, len(got), len(want))
	}
	for i := range want {
		if want[i] != got[i] {
			return fmt.Errorf("%s: %s gives %+v in cell %d, want %+v", q.name, peer, got[i], i, want[i])
		}
	}
	return nil
}

// peer is another way to answer a question.
type peer struct {
	name  string
	goal  float64
	slow  bool                            // asked once, at the smallest size
	gives func(count) count               // what of a cell it gives, which is all that is compared; nil: all
	load  func(ctx context.Context) error // nil: nothing is left to load
	ask   func(ctx context.Context, threads int) ([]count, error)
	// read fetches the cells where ask leaves them with the peer, so that no time is taken for it; nil: ask returns them.
	read func(ctx context.Context) ([]count, error)
}

// versus measures ours and each peer at each number of threads.
func (b *bench) versus(ctx context.Context, q question, peers ...peer) error {
	if !b.wanted(q.name) {
		return nil
	}
	for _, threads := range b.threads {
		ours, err := b.ours(ctx, q, b.config(threads))
		if err != nil {
			return err
		}
		for _, p := range peers {
			if p.slow && (b.quick || !b.smallest || threads != b.threads[0]) {
				continue
			}
			ms, err := b.time(ctx, q, p, threads)
			if err != nil {
				return fmt.Errorf("%s: %s: %w", q.name, p.name, err)
			}
			b.report.beats(comparison{Case: q.name, Peer: p.name, Respondents: b.n, Threads: threads, Ours: ours,
				Theirs: ms, Goal: p.goal})
		}
	}
	return nil
}

func (b *bench) time(ctx context.Context, q question, p peer, threads int) (ms timing, err error) {
	if p.load != nil {
		if err := p.load(ctx); err != nil {
			return timing{}, err
		}
	}
	var got []count
	ask := func() error {
		got, err = p.ask(ctx, threads)
		return err
	}
	if p.slow {
		ms, err = once(ask)
	} else {
		ms, err = b.peers().fastest(ask)
	}
	if err != nil {
		return timing{}, err
	}
	if p.read != nil {
		if got, err = p.read(ctx); err != nil {
			return timing{}, err
		}
	}
	want := b.loops(q)
	if p.gives != nil {
		want = slices.Clone(want)
		for i, c := range want {
			want[i] = p.gives(c)
		}
	}
	return ms, agree(p.name, q, want, got)
}

// listsGoal is how many times faster than DuckDB's lists large crosstabs are to be: it depends on how much a kernel
// does at a time, and with the others nothing is expected.
func (b *bench) listsGoal() float64 {
	switch cmp.Or(b.kernel, kernel.Best().Name()) {
	case "avx512", "sky":
		return 60
	case "avx2":
		return 35
	}
	return 0
}

// shapes are the questions of the large crosstabs.
func (b *bench) shapes() (single, multi, large question) {
	return b.cross("50x50 multi x single", []int{0}, []int{3}, 50),
		b.cross("50x50 multi x multi", []int{0}, []int{1}, 50),
		b.cross("200x20", []int{0, 1, 2, 3}, []int{3}, 20)
}

// tables are the large crosstabs.
func (b *bench) tables(ctx context.Context) error {
	single, multi, large := b.shapes()
	lists := b.listsGoal()
	if err := b.versus(ctx, single, b.duck.long(20), b.duck.lists("m0", "p", 50, lists), b.duck.wide(0, 3, 50),
		b.sqliteSQL(), b.roaring(single, true), b.roaring(single, false)); err != nil {
		return err
	}
	if err := b.versus(ctx, multi, b.duck.lists("m0", "m1", 50, lists), b.roaring(multi, true)); err != nil {
		return err
	}
	return b.versus(ctx, large, b.duck.lists("every", "p", 20, lists), b.roaring(large, true))
}

func (b *bench) oneCell(ctx context.Context) error {
	q := b.cross("1x1", []int{0}, []int{3}, 50)
	const row, column = 4, 3
	inner := q.member
	q.rows, q.columns = q.rows[row:row+1], q.columns[column:column+1]
	q.member = func(isRow bool, _, respondent int) bool {
		if isRow {
			return inner(true, row, respondent)
		}
		return inner(false, column, respondent)
	}
	return b.versus(ctx, q, b.duck.cell(row, column, 15), b.roaring(q, true))
}

// stats is a statistics query: 50 options × one audience × 8 waves.
func (b *bench) stats(ctx context.Context) error {
	q := b.cross("stats 50x1x8 waves", []int{0}, []int{3}, 50)
	q.columns, q.strata, q.stratum = q.columns[:1], b.data.byWave, b.data.waves
	return b.versus(ctx, q, b.duck.stats(15))
}

// nested is the table of expressions.
func (b *bench) nested(ctx context.Context) error {
	return b.versus(ctx, b.expressions(), b.duck.nested())
}

// expressions is a table of such: each row someone who has an option and not another, or two of three; each column two
// options or neither.
func (b *bench) expressions() question {
	d := b.data
	q := question{name: "20x20 nested", strata: []audience.Cover{d.cover}}
	m0, m1 := d.sides[0].options, d.sides[1].options
	for i := range 20 {
		q.rows = append(q.rows, audience.Or{audience.And{m0[i], audience.Not{X: m1[i]}},
			audience.Answers{Question: m0[0].(audience.Answers).Question,
				Datapoints: []string{d.sides[0].codes[i], d.sides[0].codes[i+10], d.sides[0].codes[i+20]}, Min: 2}})
		q.columns = append(q.columns, audience.Not{X: audience.And{audience.Or{m1[i], m1[i+1]}, audience.Not{X: m0[i+25]}}})
	}
	has := func(side, option, respondent int) bool { return d.bits[side][respondent]>>option&1 != 0 }
	q.member = func(row bool, i, r int) bool {
		if !row {
			return !((has(1, i, r) || has(1, i+1, r)) && !has(0, i+25, r))
		}
		two := 0
		for _, o := range []int{i, i + 10, i + 20} {
			if has(0, o, r) {
				two++
			}
		}
		return has(0, i, r) && !has(1, i, r) || two >= 2
	}
	return q
}

// floors compares each kernel with what its additions alone would take, which no method of listing one side against the
// other can do without, for some shapes of tables.
func (b *bench) floors(ctx context.Context) error {
	for _, shape := range []struct {
		name          string
		rows, columns []int
		limit         int
		goal          float64 // of the fastest kernel
	}{
		{"50x50 multi x single", []int{0}, []int{3}, 50, 0.55},
		{"50x50 multi x multi", []int{0}, []int{1}, 50, 0},
		{"200x20", []int{0, 1, 2, 3}, []int{3}, 20, 0},
	} {
		q := b.cross(shape.name, shape.rows, shape.columns, shape.limit)
		for _, k := range kernel.All() {
			step := stepNS(k)
			if step == 0 || !b.wanted("floor of "+shape.name) {
				continue
			}
			ours, err := b.ours(ctx, q, sqlite.Config{Threads: 1, Kernel: k.Name()})
			if err != nil {
				return err
			}
			goal := shape.goal
			if k != kernel.Best() {
				goal = 0
			}
			floor := unsure(b.data.steps(shape.rows, shape.columns[0], shape.limit) * step / 1e6)
			b.report.add(comparison{Case: "floor of " + shape.name, Peer: "its additions", Respondents: b.n, Threads: 1,
				Kernel: k.Name(), Ours: ours, Theirs: floor, Ratio: floor.ms / ours.ms, Goal: goal})
		}
	}
	return nil
}

// kernels compares the kernels with each other.
func (b *bench) kernels(ctx context.Context) error {
	q := b.cross("50x50 multi x single", []int{0}, []int{3}, 50)
	if !b.wanted("kernels") {
		return nil
	}
	times := map[string]timing{}
	for _, k := range kernel.All() {
		ms, err := b.ours(ctx, q, sqlite.Config{Threads: 1, Kernel: k.Name()})
		if err != nil {
			return err
		}
		times[k.Name()] = ms
		b.report.add(comparison{Case: "kernels: " + q.name, Peer: "the fastest", Respondents: b.n, Threads: 1,
			Kernel: k.Name(), Ours: ms, Theirs: times[kernel.Best().Name()], Ratio: times[kernel.Best().Name()].ms / ms.ms})
	}
	if best, ok := times["avx512"]; ok {
		b.report.within("kernels: avx2 <= 3x avx512", "avx512", b.n, 1, times["avx2"], best, 3)
		b.report.within("kernels: go <= 10x avx512", "avx512", b.n, 1, times["go"], best, 10)
	}
	return nil
}
