package clickhouse

import (
	"fmt"
	"slices"

	"github.com/crosswave/crosswave/audience"
)

// scope is the rows that a query is about and how they fall into its strata.
type scope struct {
	waves  []*wave // that have respondents
	strata []int   // those of the query that have any; s is an index into it
	pairs  []int   // wave·2^16 + location
	to     []int   // s, of each pair
	whole  bool    // all locations of all its waves are in the strata
	locs   []int   // locations that occur
}

// layerStrata is the most strata in a layer: the key of a line has 16 bits for them, and the last number is nobody's.
const layerStrata = 1<<16 - 1

// layers divides the strata of a query so that those of a layer are disjoint and have room in a key: nearly always
// there is one layer.
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

// newScope is the rows of some strata of a query.
func newScope(v *version, q *audience.Query, strata []int) *scope {
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
			w := v.state.waves[f.Waves[wi].Code]
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
	slices.Sort(sc.locs)
	sc.locs = slices.Compact(sc.locs)
	sc.whole = len(sc.pairs) == len(sc.waves)*len(v.state.Locations)
	return sc
}

// condition holds for the rows in the scope.
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

// stratum is the s of a row in the scope.
func (sc *scope) stratum() string {
	return fmt.Sprintf("transform(toUInt32(wave) * 65536 + loc, [%s], [%s], toUInt16(65535))", numbers(sc.pairs),
		numbers(sc.to))
}

// decimals are the e of a namespace that occur in the scope, ascending.
func (sc *scope) decimals(namespace int) []int {
	var es []int
	for _, w := range sc.waves {
		for _, p := range w.Parts {
			if namespace < len(p.Weights) {
				es = append(es, p.Weights[namespace].Decimals...)
			}
		}
	}
	slices.Sort(es)
	return slices.Compact(es)
}
