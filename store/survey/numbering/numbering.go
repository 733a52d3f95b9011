// Package numbering is for engines, which store answers under numbers: it numbers the attributes of questions, and
// finds the numbers that a leaf of an expression asks about. An attribute keeps its number, whatever later surveys list
// and in whatever order they list it, so that respondents stored before need not be touched.
package numbering

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/crosswave/crosswave/audience"
)

// NoSuffix stands for the suffix of an attribute that has none; suffix codes are not negative.
const NoSuffix = -1

// Numbers are those of one question's attributes: each datapoint with each suffix, or the datapoint alone where the
// question has no suffixes. The zero value has none. JSON holds them as a list of datapoints, in the order in which
// they came.
type Numbers struct {
	datapoints []datapoint
	at         map[string]int // by code: index into datapoints
}

type datapoint struct {
	Code     string   `json:"code"`
	Suffixes []int    `json:"suffixes"` // codes, or NoSuffix alone
	Numbers  []uint32 `json:"numbers"`  // one per suffix
}

// MarshalJSON writes the list of datapoints.
func (n Numbers) MarshalJSON() ([]byte, error) { return json.Marshal(n.datapoints) }

// UnmarshalJSON reads what MarshalJSON wrote.
func (n *Numbers) UnmarshalJSON(data []byte) error {
	*n = Numbers{at: map[string]int{}}
	if err := json.Unmarshal(data, &n.datapoints); err != nil {
		return err
	}
	for i, d := range n.datapoints {
		if len(d.Suffixes) != len(d.Numbers) {
			return fmt.Errorf("datapoint %q has %d suffixes and %d numbers", d.Code, len(d.Suffixes), len(d.Numbers))
		}
		n.at[d.Code] = i
	}
	return nil
}

// Number returns the number of an attribute; false if it has none.
func (n Numbers) Number(datapoint string, suffix int) (uint32, bool) {
	if i, there := n.at[datapoint]; there {
		d := &n.datapoints[i]
		if j := slices.Index(d.Suffixes, suffix); j >= 0 {
			return d.Numbers[j], true
		}
	}
	return 0, false
}

// Covers tells whether n has all the attributes that other has, under the same numbers.
func (n Numbers) Covers(other Numbers) bool {
	for _, d := range other.datapoints {
		for i, suffix := range d.Suffixes {
			if number, there := n.Number(d.Code, suffix); !there || number != d.Numbers[i] {
				return false
			}
		}
	}
	return true
}

// After is the number that follows the greatest given; 0 if there is none.
func (n Numbers) After() (after uint32) {
	for _, d := range n.datapoints {
		for _, number := range d.Numbers {
			after = max(after, number+1)
		}
	}
	return after
}

// Extend returns numbers for all attributes of q beside those that n has, and lists the numbers of q's attributes in
// the order of survey.Layout. An attribute that has no number gets the one that next returns. n stays as it is.
func (n Numbers) Extend(q *audience.Question, next func() uint32) (Numbers, []uint32) {
	out := Numbers{slices.Clone(n.datapoints), maps.Clone(n.at)}
	if out.at == nil {
		out.at = make(map[string]int, len(q.Datapoints))
	}
	suffixes := Suffixes(q)
	list := make([]uint32, 0, len(q.Datapoints)*len(suffixes))
	for _, d := range q.Datapoints {
		i, there := out.at[d.Code]
		if !there {
			i = len(out.datapoints)
			out.at[d.Code] = i
			out.datapoints = append(out.datapoints, datapoint{Code: d.Code})
		}
		to := &out.datapoints[i]
		to.Suffixes, to.Numbers = slices.Clip(to.Suffixes), slices.Clip(to.Numbers) // n's own must not grow
		for _, s := range suffixes {
			j := slices.Index(to.Suffixes, s)
			if j < 0 {
				j = len(to.Suffixes)
				to.Suffixes, to.Numbers = append(to.Suffixes, s), append(to.Numbers, next())
			}
			list = append(list, to.Numbers[j])
		}
	}
	return out, list
}

// Suffixes are the codes that the attributes of each of a question's datapoints have: NoSuffix alone if it has none.
func Suffixes(q *audience.Question) []int {
	codes := make([]int, 0, max(1, len(q.Suffixes)))
	for _, s := range q.Suffixes {
		codes = append(codes, s.Code)
	}
	if len(codes) == 0 {
		return []int{NoSuffix}
	}
	return codes
}

// Leaf is what a leaf of an expression asks about, spelt out: nothing is left to mean all.
type Leaf struct {
	Question   *audience.Question
	Datapoints []string // codes, each once
	Suffixes   []int    // codes, each once; NoSuffix alone where the question has none
}

// Find looks a leaf up in a frame. What the frame has not is an *audience.InvalidError.
func Find(f *audience.Frame, x audience.Answers) (Leaf, error) {
	fault := func(format string, args ...any) (Leaf, error) {
		return Leaf{}, &audience.InvalidError{Path: x.Path, Reason: fmt.Sprintf(format, args...)}
	}
	i, err := f.Question(x.Question)
	if err != nil {
		return Leaf{}, err
	}
	if i < 0 {
		return fault("question %q is not in the store", x.Question)
	}
	q := &f.Questions[i]
	l := Leaf{Question: q}
	for _, s := range x.Suffixes {
		if q.Suffix(s) < 0 {
			return fault("question %q has no suffix %d", x.Question, s)
		}
		if !slices.Contains(l.Suffixes, s) {
			l.Suffixes = append(l.Suffixes, s)
		}
	}
	if len(x.Suffixes) == 0 {
		l.Suffixes = Suffixes(q)
	}
	seen := make(map[string]bool, len(x.Datapoints))
	for _, code := range x.Datapoints {
		if f.Datapoint(i, code) < 0 {
			return fault("question %q has no datapoint %q", x.Question, code)
		}
		if !seen[code] {
			seen[code] = true
			l.Datapoints = append(l.Datapoints, code)
		}
	}
	if len(x.Datapoints) == 0 {
		for _, d := range q.Datapoints {
			l.Datapoints = append(l.Datapoints, d.Code)
		}
	}
	return l, nil
}

// Of returns the numbers that a leaf asks about, a list for each of its datapoints that has any.
func (n Numbers) Of(l Leaf) [][]uint32 {
	var lists [][]uint32
	for _, code := range l.Datapoints {
		var list []uint32
		for _, s := range l.Suffixes {
			if number, there := n.Number(code, s); there {
				list = append(list, number)
			}
		}
		if len(list) > 0 {
			lists = append(lists, list)
		}
	}
	return lists
}
