package sqlite

import (
	"fmt"

	"github.com/crosswave/crosswave/internal/blob"
	"github.com/crosswave/crosswave/store/sqlite/numbers"
	"github.com/crosswave/crosswave/store/survey/decimal"
)

// The numbers of a question are stored once for a chunk, exactly, and in no unit: whatever the unit is that a release
// counts them in, slices are cut from them when they are first asked for, and kept in the cache.

// numbered is what is known of the numbers that respondents of a chunk gave to a question without reading them.
type numbered struct {
	question int64 // as in the ids of columns
	numbers.Summary
}

// sliceName names a slice by what it depends on: the question with its namespace, the unit of 10^-decimals, and the
// digit, which may be audience.AnyNumber.
type sliceName struct {
	question      string
	decimals, bit int
}

// sliceColumn is the column under which the cache knows a slice; it belongs to the last question, as those of weights.
func (s *Store) sliceColumn(name sliceName) (int64, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	column, there := s.slices[name]
	if !there {
		n := s.ownColumns()
		if n > maxNumber {
			return 0, fmt.Errorf("%d slices of numbers were asked for since the store was opened, which is all that are "+
				"told apart: open it again", len(s.slices))
		}
		column = firstOwnColumn | n
		s.slices[name], s.sliceNames[column] = column, name
	}
	return column, nil
}

// sliceOf is the slice that the cache knows under a column.
func (s *Store) sliceOf(column int64) (name sliceName, is bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	name, is = s.sliceNames[column]
	return name, is
}

// sliceBytes is how much memory a slice of a chunk of so many words takes.
func sliceBytes(words int) int64 { return 8 * int64(words) }

func numbersName(chunk, question int64) string {
	return fmt.Sprintf("numbers of question %d in chunk %d", question, chunk)
}

// decodeNumbers takes apart the blob of a chunk's numbers, which belongs to the caller.
func decodeNumbers(c *chunk, n *numbered, data []byte) (*numbers.Column, error) {
	damaged := &DamagedError{numbersName(c.id, n.question)}
	data, err := unseal(damaged.What, data)
	if err != nil {
		return nil, err
	}
	column, err := numbers.Decode(data, c.words, n.Respondents)
	if err != nil || !c.holds(column.Has()) {
		return nil, damaged
	}
	return column, nil
}

// holds tells whether only positions of respondents are in a bitmap.
func (c *chunk) holds(set []uint64) bool {
	for _, r := range c.runs {
		last := r.respondents - 64*(r.words-1) // of the last word, 1 to 64
		if set[r.word+r.words-1]>>(last-1)>>1 != 0 {
			return false
		}
	}
	return true
}

// headsOf is what a header says of the numbers of a chunk.
func headsOf(list []numbered) (heads []blob.Numbers) {
	for _, n := range list {
		heads = append(heads, blob.Numbers{Question: n.question, Respondents: n.Respondents, Least: n.Least.String(),
			Greatest: n.Greatest.String()})
	}
	return heads
}

// readNumbers reads it.
func readNumbers(heads []blob.Numbers) (list []numbered, err error) {
	for _, h := range heads {
		n := numbered{question: h.Question}
		n.Respondents = h.Respondents
		if n.Least, err = decimal.Parse(h.Least, true); err != nil {
			return nil, err
		}
		if n.Greatest, err = decimal.Parse(h.Greatest, true); err != nil {
			return nil, err
		}
		list = append(list, n)
	}
	return list, nil
}
