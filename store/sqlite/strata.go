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

// strata finds the strata of a query that have respondents in a chunk.
func (w *chunkWork) strata(q *query) []stratum {
	var out []stratum
	for i, cover := range q.strata {
		st := stratum{index: i}
		words := 0
		for j, r := range w.chunk.runs {
			if w.in(j, cover) {
				st.runs = append(st.runs, j)
				words += r.words
			}
		}
		if len(st.runs) == 0 {
			continue
		}
		st.blocks = make([]block, 0, (words+kernel.BlockWords-1)/kernel.BlockWords)
		free := 0 // words that the last block has room for
		for _, j := range st.runs {
			st.blocks, free = appendRun(st.blocks, free, w.chunk.runs[j])
		}
		out = append(out, st)
	}
	return out
}

// appendRun puts the words of a run into blocks, of which the last has room for so many, and returns how much room the
// last has then.
func appendRun(blocks []block, free int, r run) ([]block, int) {
	for at, left := r.word, r.words; left > 0; {
		goesOn := false
		if free > 0 {
			last := blocks[len(blocks)-1]
			goesOn = last[len(last)-1].end() == at
			if alone := len(last) == 1 && last[0].words >= enough; !goesOn && (alone || left >= enough) {
				free = 0
			}
		}
		if free == 0 {
			blocks, free = append(blocks, nil), kernel.BlockWords
		}
		b, n := &blocks[len(blocks)-1], min(free, left)
		if goesOn {
			(*b)[len(*b)-1].words += n
		} else {
			*b = append(*b, segment{at, n})
		}
		at, left, free = at+n, left-n, free-n
	}
	return blocks, free
}
