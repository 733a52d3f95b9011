package clickhouse

import (
	"fmt"
	"slices"

	"github.com/crosswave/crosswave/audience"
)

// scope is the respondents in some strata of a query: in which waves and locations they are, and which pair of the two
// is in which stratum. Waves and locations are known by the numbers that state gives them.
type scope struct {
	waves  []*wave // those of which respondents are published
	strata []int   // which of the query's strata have respondents; a statement knows them by their index in this list
	pairs  []int   // wave·2^16 + location, of all the strata
	to     []int   // the stratum of each pair: an index into strata
	whole  bool    // the pairs are all locations of all the waves
	locs   []int   // the locations of the pairs, ascending
}

// layerStrata is the most strata in a layer. The key of a line has 16 bits for the stratum, and the last number that
// these can hold stands for none.
const layerStrata = 1<<16 - 1

// layers divides the strata of a query, given by index, into layers: those of a layer are disjoint, so that a
// respondent is in one of them at most, and have room in a key. Each layer takes statements of its own; nearly always
// there is one.
func layers(q *audience.Query) (out [][]int) {
	var covered []audience.Cover
	for i, cover := range q.Strata {
		at := 0
		for at < len(out) && (len(out[at]) == layerStrata || !covered[at].And(cover).Empty()) {
			at++
		}
		if at == len(out) {
			out, covered = append(out, nil), append(covered, nil)
		}
		out[at], covered[at] = append(out[at], i), covered[at].Or(cover)
	}
	return out
}

// newScope finds those respondents of one layer of a query's strata who are in given parts of the waves, which are
// known by their codes.
func newScope(v *version, waves map[string]*wave, q *audience.Query, strata []int) *scope {
	sc := &scope{}
	f := v.frame
	for _, i := range strata {
		cover := q.Strata[i]
		at := -1
		for bit := range cover.All() {
			if bit >= f.Size() {
				break
			}
			wi, li := f.Fieldwork(bit)
			w := waves[f.Waves[wi].Code]
			l, there := v.state.locations[f.Locations[li].Code]
			if w == nil || len(w.Parts) == 0 || !there {
				continue
			}
			if at < 0 {
				at = len(sc.strata)
				sc.strata = append(sc.strata, i)
			}
			if !slices.Contains(sc.waves, w) {
				sc.waves = append(sc.waves, w)
			}
			sc.pairs, sc.to = append(sc.pairs, int(w.Number)<<16|int(l)), append(sc.to, at)
			sc.locs = append(sc.locs, int(l))
		}
	}
	sc.locs = set(sc.locs)
	sc.whole = len(sc.pairs) == len(sc.waves)*len(v.state.Locations)
	return sc
}

// condition writes the SQL condition that holds for the respondents in the scope and for no others.
func (sc *scope) condition() string {
	text := livePairs(sc.waves).condition()
	switch {
	case sc.whole:
	case len(sc.pairs) == len(sc.waves)*len(sc.locs):
		text += " AND " + among("loc", sc.locs)
	default:
		text += fmt.Sprintf(" AND %s AND toUInt32(wave) * 65536 + loc IN (%s)", among("loc", sc.locs), numbers(sc.pairs))
	}
	return text
}

// stratum writes the SQL expression that tells of which stratum a respondent in the scope is: an index into sc.strata.
func (sc *scope) stratum() string {
	return fmt.Sprintf("transform(toUInt32(wave) * 65536 + loc, [%s], [%s], toUInt16(65535))", numbers(sc.pairs),
		numbers(sc.to))
}

// decimals are the numbers of decimals, ascending, with which weights in a namespace are stored in the scope: the
// values of its column e. There are none if nobody in the scope has a weight.
func (sc *scope) decimals(namespace int) []int {
	var es []int
	for _, w := range sc.waves {
		for _, p := range w.Parts {
			if namespace < len(p.Weights) {
				es = append(es, p.Weights[namespace].Decimals...)
			}
		}
	}
	return set(es)
}

// respondents is how many there are in the waves of the scope.
func (sc *scope) respondents() (n int64) {
	for _, w := range sc.waves {
		for i := range w.Parts {
			n += w.Parts[i].Respondents
		}
	}
	return n
}
