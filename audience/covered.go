package audience

import (
	"slices"

	"github.com/crosswave/crosswave/internal/strictjson"
)

// Covered tells what a figure covers, in codes.
type Covered struct {
	Namespace string   // whose respondents and weights it is counted with
	Waves     []string // of its effective fieldwork, oldest first; empty: it was not measured
	Locations []string // likewise, in the survey's order
	// Complete tells that it is all of the fieldwork that was requested, of the figure's namespace.
	Complete bool
	// PartlyAsked are the datapoints listed in the figure's expressions that were not asked in all of what it covers,
	// in the survey's order, each once: where one was not asked nobody is positive on it.
	PartlyAsked []DatapointKey
	// LocationsDiffer tells that the figure is of a trend whose waves cover different locations, so that a difference
	// between waves may be one between locations.
	LocationsDiffer bool
}

// DatapointKey names a datapoint in the whole survey.
type DatapointKey struct{ Namespace, Question, Datapoint string }

// Covers tells what the figures of a Spec cover. Use NewCovers. It is immutable.
type Covers struct {
	frame         *Frame
	requested     []Cover // of each namespace
	base          []int   // datapoints, numbered through all questions, that a figure might cover in part
	rows, columns [][]int
}

// NewCovers looks up the expressions of a Spec, whose codes must be usable in f (Spec.Check).
func NewCovers(f *Frame, s Spec) (*Covers, error) {
	p, v := newPlanner(f), &Covers{frame: f}
	all := NewCover(f.Size())
	for n := range f.Namespaces {
		v.requested = append(v.requested, p.requested(s, n))
		all = all.Or(v.requested[n])
	}
	var err error
	partly := func(path string, xs []Expr) (lists [][]int) {
		for _, x := range xs {
			b, bad := f.bind(path, x)
			if bad != nil {
				err = bad
				return nil
			}
			lists = append(lists, f.partly(b.x, all))
		}
		return lists
	}
	v.rows, v.columns = partly("rows", s.Rows), partly("columns", s.Columns)
	if base := partly("base", []Expr{s.Base}); err == nil {
		v.base = base[0]
	}
	return v, err
}

// partly lists the datapoints in a bound expression that were not asked in all of a cover.
func (f *Frame) partly(x Expr, c Cover) (list []int) {
	Walk(x, func(x Expr) bool {
		if leaf, ok := x.(Answers); ok {
			q, _ := f.Question(leaf.Question)
			for _, code := range leaf.Datapoints {
				if d := f.Datapoint(q, code); !f.Asked(q, d).contains(c) {
					list = append(list, f.look.first[q]+d)
				}
			}
		}
		return true
	})
	slices.Sort(list)
	return slices.Compact(list)
}

// contains tells whether all of d is in c.
func (c Cover) contains(d Cover) bool {
	for i, w := range d {
		if i >= len(c) && w != 0 || i < len(c) && w&^c[i] != 0 {
			return false
		}
	}
	return true
}

// Requested is the fieldwork that was requested of a namespace. It must not be changed.
func (v *Covers) Requested(namespace string) Cover {
	n := v.frame.Namespace(namespace)
	if n < 0 {
		return nil
	}
	return v.requested[n]
}

// Of tells what a figure of row i and column j covers, counted as in Crosstab.Cell, where cell has its Namespace and
// Cover.
func (v *Covers) Of(i, j int, cell Cell) Covered {
	f := v.frame
	out := Covered{Namespace: cell.Namespace, Waves: f.WaveCodes(cell.Cover), Locations: f.LocationCodes(cell.Cover),
		Complete: !cell.Cover.Empty() && cell.Cover.Equal(v.Requested(cell.Namespace)), PartlyAsked: []DatapointKey{}}
	var numbers []int
	lists := [][]int{v.base}
	if i > 0 {
		lists = append(lists, v.rows[i-1])
	}
	if j > 0 {
		lists = append(lists, v.columns[j-1])
	}
	for _, n := range slices.Concat(lists...) {
		if q, d := f.datapoint(n); !f.Asked(q, d).contains(cell.Cover) {
			numbers = append(numbers, n)
		}
	}
	slices.Sort(numbers)
	for _, n := range slices.Compact(numbers) {
		out.PartlyAsked = append(out.PartlyAsked, f.datapointKey(n))
	}
	return out
}

// datapoint is the question and the datapoint with a number through all questions.
func (f *Frame) datapoint(number int) (question, datapoint int) {
	q, _ := slices.BinarySearch(f.look.first, number+1) // the first question that begins later
	return q - 1, number - f.look.first[q-1]
}

func (f *Frame) datapointKey(number int) DatapointKey {
	q, d := f.datapoint(number)
	return DatapointKey{f.Questions[q].Namespace, f.Questions[q].Code, f.Questions[q].Datapoints[d].Code}
}

// How many bytes a Covered takes as JSON beside its codes, about, and so does a datapoint in it.
const (
	coveredBytes   = 130
	datapointBytes = 60
)

// MostBytes is how many bytes the Covered of all figures of the Spec may take together, written as JSON.
func (v *Covers) MostBytes() int64 {
	f, each := v.frame, int64(coveredBytes)
	all := NewCover(f.Size())
	for n, c := range v.requested {
		all = all.Or(c)
		each = max(each, coveredBytes+quoted(f.Namespaces[n].Code))
	}
	each += quoted(f.WaveCodes(all)...) + quoted(f.LocationCodes(all)...)
	keys := func(lists ...[]int) (bytes int64) {
		for _, list := range lists {
			for _, n := range list {
				k := f.datapointKey(n)
				bytes += datapointBytes + quoted(k.Namespace, k.Question, k.Datapoint)
			}
		}
		return bytes
	}
	rows, columns := int64(max(1, len(v.rows))), int64(max(1, len(v.columns)))
	return rows*columns*(each+keys(v.base)) + columns*keys(v.rows...) + rows*keys(v.columns...)
}

// quoted is how many bytes texts take in a JSON list.
func quoted(texts ...string) (n int64) {
	for _, t := range texts {
		n += int64(len(strictjson.AppendString(nil, t))) + 1
	}
	return n
}

// Plan decides what the figures of a Spec cover in f and counts nothing: the Cells of the Crosstab have their Namespace
// and Cover alone.
func Plan(f *Frame, s Spec) (*Crosstab, error) { return newPlanner(f).plan(s) }

// CommonLocations are the codes of the locations that a cover has in each of its waves, in the survey's order.
func (f *Frame) CommonLocations(c Cover) []string {
	waves, fielded := map[int]bool{}, make([]int, len(f.Locations))
	for i := range c.All() {
		w, l := f.Fieldwork(i)
		waves[w] = true
		fielded[l]++
	}
	var codes []string
	for l, n := range fielded {
		if n > 0 && n == len(waves) {
			codes = append(codes, f.Locations[l].Code)
		}
	}
	return codes
}

// LocationsDiffer tells whether the waves of a cover have different locations.
func (f *Frame) LocationsDiffer(c Cover) bool {
	return len(f.CommonLocations(c)) < len(f.LocationCodes(c))
}
