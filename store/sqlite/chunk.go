package sqlite

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"slices"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/internal/blob"
)

// chunk describes respondents of one wave that are stored together, as far as that is known without reading a column.
// It is immutable, but for what is found out about them on the way.
type chunk struct {
	id          int64
	wave        string
	respondents int
	words       int            // length of its bitmaps, in words of 64 positions
	runs        []run          // one after the other
	samples     []blob.Sample  // of the namespaces in which anybody has a weight above 0
	columns     []int64        // those stored, ascending
	counts      []int32        // respondents positive on each
	numbers     []numbered     // of questions of which any are stored, ascending
	sharing     []blob.Sharing // of questions with answers by several, ascending
	perRow      int            // bitmaps in a row but the last; 0: each column has a row of its own
	asDigits    []int64        // questions stored as digits, ascending
	rows        answerRows
	sets        sets
}

// run is the words of a chunk in which the respondents of one location stand, without a gap from its first bit on. The
// bits after the last respondent are 0 in every column.
type run struct {
	location    string
	word, words int
	respondents int
}

// column returns how many respondents are positive on a column; 0 means that it is not stored.
func (c *chunk) column(column int64) int {
	if i, ok := slices.BinarySearch(c.columns, column); ok {
		return int(c.counts[i])
	}
	return 0
}

// sample returns how many respondents have a weight above 0; 0 means that no weights are stored.
func (c *chunk) sample(namespace string) int {
	for _, s := range c.samples {
		if s.Namespace == namespace {
			return s.Respondents
		}
	}
	return 0
}

// numbered is what is known of the numbers of a question; nil: none are stored.
func (c *chunk) numbered(question int64) *numbered {
	i, there := slices.BinarySearchFunc(c.numbers, question, func(n numbered, question int64) int {
		return cmp.Compare(n.question, question)
	})
	if !there {
		return nil
	}
	return &c.numbers[i]
}

// place lays out the chunk: one run after the other, each with words for as many respondents as it says.
func (c *chunk) place(runs []run) {
	c.runs = runs
	for i := range runs {
		r := &runs[i]
		r.word, r.words = c.words, (r.respondents+63)/64
		c.words += r.words
		c.respondents += r.respondents
	}
}

// within is an error if the frame lacks the chunk's wave or one of its locations.
func (c *chunk) within(f *audience.Frame) error {
	if f.Wave(c.wave) < 0 {
		return fmt.Errorf("the frame has no wave %q, but the store has respondents of it", c.wave)
	}
	for _, r := range c.runs {
		if f.Location(r.location) < 0 {
			return fmt.Errorf("the frame has no location %q, but the store has respondents of it in wave %q", r.location, c.wave)
		}
	}
	return nil
}

func chunkName(id int64) string { return fmt.Sprintf("chunk %d", id) }

// header writes the chunk as readHeader reads it.
func (c *chunk) header() []byte {
	h := blob.Head{Wave: c.wave, Samples: c.samples, Columns: c.columns, Counts: c.counts,
		Numbers: headsOf(c.numbers), Sharing: c.sharing, PerRow: c.perRow, Digits: c.asDigits}
	for _, r := range c.runs {
		h.Runs = append(h.Runs, blob.Run{Location: r.location, Respondents: r.respondents})
	}
	return seal(chunkName(c.id), h.Append(nil))
}

// readHeader reads what header wrote.
func readHeader(id int64, data []byte) (*chunk, error) {
	data, err := unseal(chunkName(id), data)
	if err != nil {
		return nil, err
	}
	h, ok := blob.ReadHead(data, blob.Limits{Run: maxChunk, Columns: firstOwnColumn, Questions: maxQuestions + 1})
	if !ok {
		return nil, &DamagedError{chunkName(id)}
	}
	numbers, err := readNumbers(h.Numbers)
	if err != nil {
		return nil, &DamagedError{chunkName(id)}
	}
	c := &chunk{id: id, wave: h.Wave, samples: h.Samples, columns: h.Columns, counts: h.Counts,
		numbers: numbers, sharing: h.Sharing, perRow: h.PerRow, asDigits: h.Digits}
	runs := make([]run, len(h.Runs))
	for i, r := range h.Runs {
		runs[i] = run{location: r.Location, respondents: r.Respondents}
	}
	c.place(runs)
	c.lay()
	return c, nil
}

// readChunks returns the chunks with the ids. Those that the release before has are not read again.
func readChunks(ctx context.Context, tx *sql.Tx, ids []int64, before *release) ([]*chunk, error) {
	known := map[int64]*chunk{}
	if before != nil {
		for _, c := range before.chunks {
			known[c.id] = c
		}
	}
	stmt, err := tx.PrepareContext(ctx, `SELECT header FROM chunk WHERE id = ?`)
	if err != nil {
		return nil, err
	}
	defer stmt.Close()
	chunks := make([]*chunk, len(ids))
	for i, id := range ids {
		if chunks[i] = known[id]; chunks[i] != nil {
			continue
		}
		var header []byte
		err := stmt.QueryRowContext(ctx, id).Scan(&header)
		if err == sql.ErrNoRows {
			err = &DamagedError{chunkName(id) + " is missing"}
		}
		if err != nil {
			return nil, err
		}
		if chunks[i], err = readHeader(id, header); err != nil {
			return nil, err
		}
	}
	return chunks, nil
}
