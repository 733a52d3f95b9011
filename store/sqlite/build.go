package sqlite

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/binary"
	"slices"
	"sync"

	"github.com/crosswave/crosswave/internal/background"
	"github.com/crosswave/crosswave/internal/blob"
	"github.com/crosswave/crosswave/store/sqlite/numbers"
	"github.com/crosswave/crosswave/store/survey"
	"github.com/crosswave/crosswave/store/survey/decimal"
)

// buffer is respondents of one wave that wait to become a chunk. What they said lies in slabs, so that a buffer grows
// without being copied.
type buffer struct {
	wave        int
	bytes       int64
	respondents []buffered
	answers     [][]int32 // attributes
	weights     [][]byte  // exact, namespace by namespace; then numbers, each behind its question
}

// buffered tells where in a buffer's slabs the answers and the weights of a respondent lie.
type buffered struct {
	location         int32
	answers, weights extent
	print            uint64 // of the id
}

// extent is a part of a slab: from one index up to another.
type extent struct{ slab, from, to int32 }

const (
	answersSlab = 1 << 15
	weightsSlab = 1 << 14
)

// add takes a respondent in and tells how many bytes that took.
func (b *buffer) add(r *survey.Respondent, print uint64, pool *slabs) int64 {
	if n := len(b.answers); n == 0 || cap(b.answers[n-1])-len(b.answers[n-1]) < len(r.Attributes) {
		b.answers = append(b.answers, pool.answers.take(max(answersSlab, len(r.Attributes))))
	}
	answers := &b.answers[len(b.answers)-1]
	said := extent{int32(len(b.answers) - 1), int32(len(*answers)), int32(len(*answers) + len(r.Attributes))}
	*answers = append(*answers, r.Attributes...)

	if n := len(b.weights); n == 0 || len(b.weights[n-1]) > weightsSlab {
		// grows if one respondent's weights are very long
		b.weights = append(b.weights, pool.weights.take(weightsSlab+weightsSlab/4))
	}
	weights := &b.weights[len(b.weights)-1]
	weighs := extent{slab: int32(len(b.weights) - 1), from: int32(len(*weights))}
	for _, w := range r.Weights {
		*weights = w.Append(*weights)
	}
	for _, n := range r.Numbers {
		*weights = n.Value.Append(binary.AppendUvarint(*weights, uint64(n.Question)))
	}
	weighs.to = int32(len(*weights))

	b.respondents = append(b.respondents, buffered{int32(r.Location), said, weighs, print})
	n := int64(36 + weighs.to - weighs.from + 4*(said.to-said.from))
	b.bytes += n
	return n
}

// empty gives the slabs back. The buffer is of no use any more.
func (b *buffer) empty(pool *slabs) {
	pool.answers.give(b.answers...)
	pool.weights.give(b.weights...)
	*b = buffer{}
}

func (b *buffer) answersOf(r *buffered) []int32 {
	return b.answers[r.answers.slab][r.answers.from:r.answers.to]
}

func (b *buffer) weightsOf(r *buffered) []byte {
	return b.weights[r.weights.slab][r.weights.from:r.weights.to]
}

// slabs are emptied slabs that wait for another buffer.
type slabs struct {
	answers   free[int32]
	weights   free[byte]
	positions free[uint32]
}

type free[T any] struct {
	mu    sync.Mutex
	slabs [][]T
}

// take returns an empty slab with room for n. If the last one given has none, it is given up.
func (f *free[T]) take(n int) []T {
	f.mu.Lock()
	defer f.mu.Unlock()
	if last := len(f.slabs) - 1; last >= 0 {
		s := f.slabs[last]
		f.slabs = f.slabs[:last]
		if cap(s) >= n {
			return s[:0]
		}
	}
	return make([]T, 0, n)
}

func (f *free[T]) give(slabs ...[]T) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.slabs = append(f.slabs, slabs...)
}

// built is a chunk that is ready to be stored.
type built struct {
	chunk     *chunk
	weights   map[string][]byte // exact, by namespace; not sealed
	numbers   [][]byte          // of each of the chunk's numbers; not sealed
	prints    []uint64          // of each respondent's id, in the chunk's order
	weighed   [][]uint64        // of each of the chunk's samples, who is in it
	positions [][]uint32        // of each of the chunk's columns, ascending
	all       []uint32          // what they are parts of
	bytes     int64
}

// build makes a chunk of a buffer.
func (w *writer) build(ctx context.Context, b *buffer) (*built, error) {
	c := &chunk{wave: w.survey.Waves[b.wave].Code}
	out := &built{chunk: c, weights: map[string][]byte{}, bytes: b.bytes}
	order, positions := w.stand(c, b)
	if err := w.weigh(out, b, order, positions); err != nil {
		return nil, err
	}
	for _, i := range order {
		out.prints = append(out.prints, b.respondents[i].print)
	}
	w.transpose(out, b, order, positions)
	out.share()
	out.choose()
	return out, ctx.Err()
}

// stand lays out the chunk: order lists the buffer's respondents by location, and positions where in the chunk's
// bitmaps each of them stands.
func (w *writer) stand(c *chunk, b *buffer) (order []int32, positions []uint32) {
	starts := make([]int, len(w.survey.Locations)+1)
	for i := range b.respondents {
		starts[b.respondents[i].location+1]++
	}
	var runs []run
	for l, n := range starts[1:] {
		if n > 0 {
			runs = append(runs, run{location: w.survey.Locations[l].Code, respondents: n})
		}
		starts[l+1] += starts[l]
	}
	c.place(runs)
	order, positions = make([]int32, len(b.respondents)), make([]uint32, 0, len(b.respondents))
	for i := range b.respondents {
		l := b.respondents[i].location
		order[starts[l]] = int32(i)
		starts[l]++
	}
	for _, r := range c.runs {
		for i := range r.respondents {
			positions = append(positions, uint32(64*r.word+i))
		}
	}
	return order, positions
}

// weigh puts the exact weights, which the buffer has respondent by respondent, together by namespace, and the numbers
// by question.
func (w *writer) weigh(out *built, b *buffer, order []int32, positions []uint32) error {
	exact, samples := make([][]byte, len(w.survey.Namespaces)), make([]int, len(w.survey.Namespaces))
	weighed := make([][]uint64, len(w.survey.Namespaces))
	for n := range weighed {
		weighed[n] = make([]uint64, out.chunk.words)
	}
	given := make([]*written, len(w.survey.Questions))
	for rank, i := range order {
		data := b.weightsOf(&b.respondents[i])
		for n := range exact {
			d, size, err := decimal.Read(data)
			if err != nil {
				return err
			}
			exact[n] = append(exact[n], data[:size]...)
			data = data[size:]
			if p := positions[rank]; !d.IsZero() {
				samples[n]++
				weighed[n][p>>6] |= 1 << (p & 63)
			}
		}
		if err := w.number(out.chunk, given, positions[rank], data); err != nil {
			return err
		}
	}
	for n, ns := range w.survey.Namespaces {
		if samples[n] > 0 {
			out.chunk.samples = append(out.chunk.samples, blob.Sample{Namespace: ns.Code, Respondents: samples[n]})
			out.weights[ns.Code], out.weighed = exact[n], append(out.weighed, weighed[n])
		}
	}
	return out.number(given)
}

// written is the numbers of a question that come with respondents of a chunk.
type written struct {
	question int64 // as in the ids of columns
	*numbers.Builder
}

// number takes the numbers of the respondent at a position.
func (w *writer) number(c *chunk, given []*written, position uint32, data []byte) error {
	for len(data) > 0 {
		question, n := binary.Uvarint(data)
		d, size, err := decimal.Read(data[max(0, n):])
		if err != nil {
			return err
		}
		data = data[n+size:]
		if given[question] == nil {
			q := w.layout.questions[w.survey.Questions[question].Key()]
			given[question] = &written{q.Number, numbers.NewBuilder(c.words)}
		}
		given[question].Add(position, d)
	}
	return nil
}

// number puts the numbers into the form in which they are stored.
func (b *built) number(given []*written) error {
	given = slices.DeleteFunc(given, func(n *written) bool { return n == nil })
	slices.SortFunc(given, func(a, b *written) int { return cmp.Compare(a.question, b.question) })
	for _, n := range given {
		data, err := n.Encode()
		if err != nil {
			return err
		}
		b.chunk.numbers, b.numbers = append(b.chunk.numbers, numbered{n.question, n.Summary}), append(b.numbers, data)
	}
	return nil
}

// transpose turns each respondent's attributes into each attribute's positions: a counting sort, in as many parts as
// there are threads.
func (w *writer) transpose(out *built, b *buffer, order []int32, positions []uint32) {
	parts := max(1, min(w.store.config.Threads, int(b.bytes>>18)))
	next := make([][]uint32, parts) // of each part, where the next position of each attribute goes
	background.Each(w.ctx, parts, parts, func(p int) {
		counts := make([]uint32, len(w.columns))
		for _, i := range order[p*len(order)/parts : (p+1)*len(order)/parts] {
			for _, a := range b.answersOf(&b.respondents[i]) {
				counts[a]++
			}
		}
		next[p] = counts
	})
	ends := make([]uint32, len(w.columns))
	total := uint32(0)
	for _, a := range w.order {
		for p := range next {
			next[p][a], total = total, total+next[p][a]
		}
		ends[a] = total
	}
	all := w.slabs.positions.take(int(total))[:total]
	out.all = all
	background.Each(w.ctx, parts, parts, func(p int) {
		next := next[p]
		for rank := p * len(order) / parts; rank < (p+1)*len(order)/parts; rank++ {
			position := positions[rank]
			for _, a := range b.answersOf(&b.respondents[order[rank]]) {
				all[next[a]] = position
				next[a]++
			}
		}
	})
	from := uint32(0)
	for _, a := range w.order {
		list := all[from:ends[a]]
		from = ends[a]
		if len(list) > 0 {
			list = slices.Compact(list) // an attribute listed twice counts once
			out.chunk.columns = append(out.chunk.columns, w.columns[a])
			out.chunk.counts = append(out.chunk.counts, int32(len(list)))
			out.positions = append(out.positions, list)
		}
	}
}

// store writes the chunk, which no version lists yet, and gives it its id.
func (b *built) store(ctx context.Context, tx *sql.Tx, w *writer) error {
	c := b.chunk
	err := tx.QueryRowContext(ctx, `SELECT coalesce(max(seq), 0) + 1 FROM sqlite_sequence WHERE name = 'chunk'`).Scan(
		&c.id)
	if err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, `INSERT INTO chunk (id, wave, generation, respondents, header) VALUES (?, ?, `+
		`?, ?, ?)`,
		c.id, c.wave, w.generation, c.respondents, c.header()); err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, `INSERT INTO ids (chunk, data) VALUES (?, ?)`, c.id,
		encodeIDs(w.name, c.id, b.prints)); err != nil {
		return err
	}
	for namespace, exact := range b.weights {
		data := seal(exactName(c.id, namespace), slices.Clone(exact))
		if _, err := tx.ExecContext(ctx, `INSERT INTO weights (chunk, namespace, data) VALUES (?, ?, ?)`, c.id,
			namespace, data); err != nil {
			return err
		}
	}
	for i, n := range c.numbers {
		data := seal(numbersName(c.id, n.question), slices.Clone(b.numbers[i]))
		if _, err := tx.ExecContext(ctx, `INSERT INTO numbers (chunk, question, data) VALUES (?, ?, ?)`, c.id, n.question,
			data); err != nil {
			return err
		}
	}
	return b.storeRows(ctx, tx, w.store.config.Threads)
}

// storeRows writes the rows of table answers, which so many threads make.
func (b *built) storeRows(ctx context.Context, tx *sql.Tx, threads int) error {
	c := b.chunk
	insert, err := tx.PrepareContext(ctx, `INSERT INTO answers (id, data) VALUES (?, ?)`)
	if err != nil {
		return err
	}
	defer insert.Close()
	const batch = 256
	rows := make([][]byte, batch)
	parts := c.parts(c.all())
	for from := 0; from < len(c.rows.ids); from += batch {
		n := min(batch, len(c.rows.ids)-from)
		of := make([][]rowPart, n)
		for i := range of {
			end := slices.IndexFunc(parts, func(p rowPart) bool { return p.row > from+i })
			if end < 0 {
				end = len(parts)
			}
			of[i], parts = parts[:end], parts[end:]
		}
		background.Each(ctx, threads, n, func(i int) { rows[i] = b.encodeRow(of[i]) })
		for i, row := range rows[:n] {
			if _, err := insert.ExecContext(ctx, blobID(c.id, c.rows.ids[from+i]), row); err != nil {
				return err
			}
		}
	}
	return nil
}
