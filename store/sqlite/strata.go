package sqlite

import (
	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/internal/kernel"
)

// stratum is the respondents of a chunk that lie in one stratum of a query: some of the chunk's runs, cut into blocks.
type stratum struct {
	index  int   // of the query's strata
	runs   []int // indices into the chunk's runs
	blocks []block
}

// block is up to kernel.BlockWords words of one chunk in one stratum: what is evaluated and counted at a time. Runs of
// small locations share a block, so it may be in several segments.
type block []segment

// segment is words of a chunk, one after the other.
type segment struct{ word, words int }

// enough is how many words a segment has at least that shares no block. Columns and weights of a block in one segment
// are read where they lie; those of others have to be put together first, which takes longer than to count one block
// more.
const enough = kernel.BlockWords / 8

// end is the word behind the last.
func (s segment) end() int { return s.word + s.words }

func (b block) words() int {
	n := 0
	for _, s := range b {
		n += s.words
	}
	return n
}

// fieldworks are those of the chunk's runs, in their order; -1 is one that the release lacks.
func (r *release) fieldworks(c *chunk) []int {
	f := r.frame
	w, all := f.Wave(c.wave), make([]int, len(c.runs))
	for i, run := range c.runs {
		if l := f.Location(run.location); w >= 0 && l >= 0 {
			all[i] = f.At(w, l)
		} else {
			all[i] = -1
		}
	}
	return all
}

// in tells whether a run of the chunk lies in some fieldwork.
func (w *chunkWork) in(run int, cover audience.Cover) bool {
	at := w.fieldworks[run]
	return at >= 0 && cover.Has(at)
}

// strata finds the strata of a query that have respondents in a chunk. They are disjoint, so there is room for the runs
// of all of them where there is for those of the chunk.
func (w *chunkWork) strata(q *query) (out []stratum) {
	runs := make([]int, 0, len(w.chunk.runs))
	var c cutting
	for i, cover := range q.strata {
		first, words := len(runs), 0
		for j, r := range w.chunk.runs {
			if w.in(j, cover) {
				runs = append(runs, j)
				words += r.words
			}
		}
		of := runs[first:len(runs):len(runs)]
		if len(of) == 0 {
			continue
		}
		c.begin((words+kernel.BlockWords-1)/kernel.BlockWords + len(of))
		for _, j := range of {
			c.add(w.chunk.runs[j])
		}
		out = append(out, stratum{index: i, runs: of, blocks: c.blocks})
	}
	return out
}

// cutting cuts runs of one stratum into blocks.
type cutting struct {
	blocks   []block
	segments []segment // of all blocks, one after the other
	free     int       // words that the last block has room for
}

// begin begins another stratum. Of most segments there is one for each block and one more for each run.
func (c *cutting) begin(segments int) {
	c.blocks, c.segments, c.free = make([]block, 0, segments), make([]segment, 0, segments), 0
}

// add puts the words of a run into blocks.
func (c *cutting) add(r run) {
	for at, left := r.word, r.words; left > 0; {
		goesOn := false
		if c.free > 0 {
			last := c.blocks[len(c.blocks)-1]
			goesOn = last[len(last)-1].end() == at
			if alone := len(last) == 1 && last[0].words >= enough; !goesOn && (alone || left >= enough) {
				c.free = 0
			}
		}
		if c.free == 0 {
			c.blocks, c.free = append(c.blocks, nil), kernel.BlockWords
		}
		b, n := &c.blocks[len(c.blocks)-1], min(c.free, left)
		if goesOn {
			(*b)[len(*b)-1].words += n
		} else {
			c.segments = append(c.segments, segment{at, n})
			*b = c.segments[len(c.segments)-len(*b)-1:]
		}
		at, left, c.free = at+n, left-n, c.free-n
	}
}
