package sqlite

import (
	"cmp"
	"slices"

	"github.com/crosswave/crosswave/internal/blob"
)

// How answers share the respondents of a chunk is found out when the chunk is made, for all answers that anybody gave
// to a question, and stands in its header: so the first table that is asked for need not count what follows from
// others. Chunks that an older program made say nothing of it, and neither do headers of some answers of a question, if
// all do not exclude each other. That is found out from columns in memory (see query.learn).

// share finds out how answers share respondents, of each question of which they may exclude each other.
func (b *built) share() {
	c := b.chunk
	for from, to := 0, 0; from < len(c.columns); from = to {
		question, sum := c.columns[from]>>numberBits, 0
		for to = from; to < len(c.columns) && c.columns[to]>>numberBits == question; to++ {
			sum += int(c.counts[to])
		}
		if to-from < 2 || sum > c.respondents {
			continue // what follows needs no look at who gave them
		}
		s := blob.Sharing{Question: question}
		union := make([]uint64, c.words)
		s.Exclusive = !slices.ContainsFunc(b.positions[from:to], func(positions []uint32) bool {
			return !(&column{list: positions}).joins(union)
		})
		for i, weighed := range b.weighed {
			if s.Exclusive && covers(union, weighed) {
				s.Complete = append(s.Complete, i)
			}
		}
		c.sharing = append(c.sharing, s)
	}
}

// shared returns what the header says of all answers that anybody in the chunk gave to a question, in a namespace;
// false if it says nothing.
func (c *chunk) shared(question int64, namespace string) (found foundSet, is bool) {
	i, is := slices.BinarySearchFunc(c.sharing, question, func(s blob.Sharing, question int64) int {
		return cmp.Compare(s.Question, question)
	})
	if !is {
		return found, false
	}
	from, _ := slices.BinarySearch(c.columns, question<<numberBits)
	to, _ := slices.BinarySearch(c.columns, (question+1)<<numberBits)
	s := &c.sharing[i]
	found = foundSet{columns: c.columns[from:to], exclusive: s.Exclusive}
	for _, n := range s.Complete {
		found.complete = found.complete || c.samples[n].Namespace == namespace
	}
	return found, true
}
