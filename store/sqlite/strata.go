package sqlite

import "github.com/crosswave/crosswave/internal/kernel"

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

func (b block) words() int {
	n := 0
	for _, s := range b {
		n += s.words
	}
	return n
}

// strata finds the strata of a query that have respondents in a chunk.
func (g *graph) strata(q *query, c *chunk) []stratum {
	f := g.release.frame
	w := f.Wave(c.wave)
	if w < 0 {
		return nil
	}
	at := make([]int, len(c.runs)) // the fieldwork of each run
	for j, r := range c.runs {
		at[j] = -1
		if l := f.Location(r.location); l >= 0 {
			at[j] = f.At(w, l)
		}
	}
	var out []stratum
	for i, cover := range q.strata {
		st := stratum{index: i}
		free := 0 // words that the last block has room for
		for j, r := range c.runs {
			if at[j] >= 0 && cover.Has(at[j]) {
				st.runs = append(st.runs, j)
				st.blocks, free = appendRun(st.blocks, free, r)
			}
		}
		if len(st.blocks) > 0 {
			out = append(out, st)
		}
	}
	return out
}

// appendRun puts the words of a run into blocks, of which the last has room for so many, and returns how much room the
// last has then.
func appendRun(blocks []block, free int, r run) ([]block, int) {
	for at, left := r.word, r.words; left > 0; {
		if free == 0 {
			blocks, free = append(blocks, nil), kernel.BlockWords
		}
		b, n := &blocks[len(blocks)-1], min(free, left)
		if k := len(*b); k > 0 && (*b)[k-1].word+(*b)[k-1].words == at {
			(*b)[k-1].words += n
		} else {
			*b = append(*b, segment{at, n})
		}
		at, left, free = at+n, left-n, free-n
	}
	return blocks, free
}
