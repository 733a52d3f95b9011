package sqlite

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	sqlite3 "modernc.org/sqlite/lib"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/internal/blob"
	"github.com/crosswave/crosswave/internal/kernel"
	"github.com/crosswave/crosswave/store/sqlite/numbers"
)

// acquire holds what is wanted of a chunk; cold tells that some of it had to be read from the file.
func (s *Store) acquire(ctx context.Context, r *release, w *chunkWork) (held []*entry, cold bool, err error) {
	held, err = s.cache.acquire(ctx, w.wants, func(entries []*entry) error {
		cold = true
		return s.loadEntries(ctx, r, w.chunk, entries)
	})
	return held, cold, err
}

// loadEntries reads columns and weights of a chunk.
func (s *Store) loadEntries(ctx context.Context, r *release, c *chunk, entries []*entry) error {
	entries = slices.Clone(entries)
	slices.SortFunc(entries, func(a, b *entry) int { return cmp.Compare(a.id, b.id) })
	answers, _ := slices.BinarySearchFunc(entries, blobID(c.id, firstOwnColumn), byID)
	if err := s.loadOwn(ctx, r, c, entries[answers:]); err != nil {
		return err
	}
	// No more are read into one piece of memory than it does no harm to give up together.
	const most = 256
	for entries := range slices.Chunk(entries[:answers], most) {
		if err := s.loadColumns(ctx, r, c, entries); err != nil {
			return err
		}
	}
	return nil
}

// byID compares an entry with an id.
func byID(e *entry, id int64) int { return cmp.Compare(e.id, id) }

// column is the column of a chunk that the entry is.
func (e *entry) column() int64 { return e.id & (1<<columnBits - 1) }

// loadOwn reads what is no answers: weights and slices of numbers.
func (s *Store) loadOwn(ctx context.Context, r *release, c *chunk, entries []*entry) error {
	byColumn := make(map[int64]*entry, len(entries))
	for _, e := range entries {
		byColumn[e.column()] = e
	}
	for _, name := range weightNames(r.frame) {
		column := s.weightColumn(name)
		if e := byColumn[column]; e != nil {
			delete(byColumn, column)
			if err := s.loadWeights(ctx, r, c, name, e); err != nil {
				return err
			}
		}
	}
	return s.loadNumbers(ctx, r, c, byColumn)
}

// strokes is how many strokes a statement reads.
const strokes = 8

// readStrokes is the statement that reads strokes. One that is not there has NULL for a bound, and is not looked for.
func readStrokes() string {
	var all []string
	for i := range strokes {
		all = append(all, fmt.Sprintf(`(SELECT count(take(?1, id, data)) FROM answers WHERE id BETWEEN ?%d AND ?%d)`,
			2+2*i, 3+2*i))
	}
	return `SELECT ` + strings.Join(all, " + ")
}

// loadColumns reads columns of a chunk into the entries, ascending, that they are of.
func (s *Store) loadColumns(ctx context.Context, r *release, c *chunk, entries []*entry) error {
	columns := make([]int, len(entries))
	var dense []*entry
	at := -1
	for i, e := range entries {
		at++ // most are next to each other
		if at == len(c.columns) || c.columns[at] != e.column() {
			var known bool
			if at, known = slices.BinarySearch(c.columns, e.column()); !known {
				return s.missing(ctx, r, columnName(e.id))
			}
		}
		columns[i] = at
		if !blob.Sparse(int(c.counts[at]), c.words) {
			dense = append(dense, e)
		}
	}
	missing, err := s.readColumns(ctx, c, columns, s.memory.Room(len(dense), c.words), func(i int, col column) error {
		entries[i].col = col
		return nil
	})
	switch {
	case err != nil:
		return err
	case missing != "":
		return s.missing(ctx, r, missing)
	}
	for _, e := range dense {
		e.together = dense
	}
	return nil
}

// loadWeights reads the integer weights of a chunk into an entry.
func (s *Store) loadWeights(ctx context.Context, r *release, c *chunk, name weightName, e *entry) error {
	err := s.views.each(ctx, s.units, func(_ int64, data []byte) (err error) {
		e.weights, e.col.words, err = decodeUnits(s.memory, s.kernel, c, name, data)
		e.equal = kernel.EqualWeight(e.weights)
		if e.weights.Small != nil {
			e.spare = weightBytes(c.words) - smallBytes(c.words)
		}
		return err
	}, c.id, name.namespace, name.decimals)
	switch {
	case err != nil:
		return s.damage(err)
	case e.col.words == nil:
		return s.missing(ctx, r, unitsName(c.id, name))
	}
	return nil
}

// loadNumbers reads the slices of numbers among entries and takes them off. The numbers of a question are read once for
// all its slices.
func (s *Store) loadNumbers(ctx context.Context, r *release, c *chunk, entries map[int64]*entry) error {
	wanted := map[sliceName]map[int]*entry{} // by digit, of each question and unit
	for column, e := range entries {
		if name, is := s.sliceOf(column); is {
			bit := name.bit
			name.bit = 0
			if wanted[name] == nil {
				wanted[name] = map[int]*entry{}
			}
			wanted[name][bit] = e
			delete(entries, column)
		}
	}
	for name, slices := range wanted {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := s.loadSlices(ctx, r, c, name, slices); err != nil {
			return err
		}
	}
	return nil
}

// loadSlices reads the numbers of a question and makes slices of them, by digit.
func (s *Store) loadSlices(ctx context.Context, r *release, c *chunk, name sliceName, entries map[int]*entry) error {
	numbered := c.numbered(r.layout.questions[name.question].Number)
	read := false
	err := s.views.each(ctx, s.numbers, func(_ int64, data []byte) error {
		read = true
		n, err := decodeNumbers(c, numbered, data)
		if err != nil {
			return err
		}
		var to [][]uint64
		for bit, e := range entries {
			if bit == audience.AnyNumber {
				e.col.words = n.Has()
				continue
			}
			to = append(to, make([][]uint64, max(0, bit+1-len(to)))...)
			to[bit] = make([]uint64, c.words)
			e.col.words = to[bit]
		}
		return r.slices(c, name, n, to)
	}, c.id, numbered.question)
	switch {
	case err != nil:
		return s.damage(err)
	case !read:
		return s.missing(ctx, r, numbersName(c.id, numbered.question))
	}
	return nil
}

// slices fills bitmaps, by digit. Where the numbers are kept, each must fit.
func (r *release) slices(c *chunk, name sliceName, n *numbers.Column, to [][]uint64) error {
	damaged := &DamagedError{fmt.Sprintf("%s, of question %s: one can't be counted in units of 10^%d",
		numbersName(c.id, r.layout.questions[name.question].Number), name.question, -name.decimals)}
	if len(to) == 0 {
		return nil
	}
	beyond := false
	i, err := r.frame.Question(name.question)
	if err != nil {
		return err
	}
	asked := r.frame.Numbers(i).Asked
	err = n.Slices(name.decimals, to, func(word int) {
		for _, run := range c.runs {
			if run.word <= word && word < run.word+run.words {
				at := r.frame.At(r.frame.Wave(c.wave), r.frame.Location(run.location))
				beyond = beyond || asked.Has(at)
			}
		}
	})
	if err != nil || beyond {
		return damaged
	}
	return nil
}

// missing is the error for something that the release has but the file has not: removed because another process
// published a newer one, or damage.
func (s *Store) missing(ctx context.Context, r *release, what string) error {
	version, err := s.published(ctx)
	switch {
	case err != nil:
		return err
	case version != r.version:
		return audience.ErrChanged
	}
	return &DamagedError{what + " is missing"}
}

// damage returns err as a *DamagedError if it is SQLite's own finding that the file is damaged.
func (s *Store) damage(err error) error {
	if isCode(err, sqlite3.SQLITE_CORRUPT) || isCode(err, sqlite3.SQLITE_NOTADB) {
		return &DamagedError{err.Error()}
	}
	return err
}
