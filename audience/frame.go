package audience

import (
	"fmt"
	"slices"
	"strings"
)

// Frame is all that is known before anything is counted: which waves, locations, namespaces and questions there are,
// where each was fielded and asked, and what of it the caller may use. It is immutable; a store has one per version.
// Build it with NewFrame.
type Frame struct {
	Version    uint64
	Waves      []Wave      // oldest first: dated ones by start, undated ones after them, ties as first listed
	Locations  []Location  // in catalogue order
	Namespaces []Namespace // the first is the default
	Questions  []Question  // in catalogue order

	waves, locations, namespaces map[string]int
	questions                    map[string][]int // by bare code
}

// Wave is a period of fieldwork.
type Wave struct {
	Code, Name string
	Start, End string // dates, 2024-01-31; "" if not known
	Hidden     bool   // the caller may not use it
}

// Location is a market.
type Location struct {
	Code, Name string
	Hidden     bool
}

// Namespace is one questionnaire with its own respondents and weights.
type Namespace struct {
	Code, Name string
	Base       string // the namespace it is built on, "" if none
	Sum        bool   // its weights are already divided over waves, so waves add up instead of being averaged
	Decimals   int    // k: the store's integers are weights in units of 10^-k people
	Fielded    Cover  // where it has respondents
	Hidden     bool
}

// Question is a question of one namespace with its answer codes.
type Question struct {
	Namespace, Code string
	Name            string
	Datapoints      []Datapoint
	Suffixes        []Suffix // of a grid; none otherwise
	Hidden          bool

	points map[string]int // index of Datapoints by code; made by NewFrame
}

// Datapoint is an answer code.
type Datapoint struct {
	Code, Name string
	Asked      Cover // the fieldwork in which it was asked
	Hidden     bool
}

// Suffix is a second answer code of a grid question: how often, how much, how likely.
type Suffix struct {
	Code int // 0 to 2³¹−1
	Name string
}

// Key is the question's code with its namespace: unique in a Frame.
func (q *Question) Key() string { return q.Namespace + "." + q.Code }

// Datapoint returns the index of a datapoint code, or -1.
func (q *Question) Datapoint(code string) int {
	if q.points != nil {
		return lookup(q.points, code)
	}
	return slices.IndexFunc(q.Datapoints, func(d Datapoint) bool { return d.Code == code })
}

// Suffix returns the index of a suffix code, or -1.
func (q *Question) Suffix(code int) int {
	return slices.IndexFunc(q.Suffixes, func(s Suffix) bool { return s.Code == code })
}

// Grid tells whether the question has suffixes.
func (q *Question) Grid() bool { return len(q.Suffixes) > 0 }

// NewFrame checks f and readies it for use. Codes must be unique, a namespace's code without a dot and its base listed;
// the pseudo-questions' names are reserved.
func NewFrame(f Frame) (*Frame, error) {
	f.waves, f.locations, f.namespaces = map[string]int{}, map[string]int{}, map[string]int{}
	f.questions = map[string][]int{}
	for i, w := range f.Waves {
		if err := enter(f.waves, "wave", w.Code, i); err != nil {
			return nil, err
		}
	}
	for i, l := range f.Locations {
		if err := enter(f.locations, "location", l.Code, i); err != nil {
			return nil, err
		}
	}
	for i, n := range f.Namespaces {
		if strings.Contains(n.Code, ".") {
			return nil, fmt.Errorf("namespace %q: a namespace code holds no dot", n.Code)
		}
		if err := enter(f.namespaces, "namespace", n.Code, i); err != nil {
			return nil, err
		}
	}
	for i := range f.Namespaces {
		if err := f.checkBase(i); err != nil {
			return nil, err
		}
	}
	f.Questions = slices.Clone(f.Questions)
	keys := map[string]int{}
	for i := range f.Questions {
		q := &f.Questions[i]
		if err := f.checkQuestion(q); err != nil {
			return nil, err
		}
		if err := enter(keys, "question", q.Key(), i); err != nil {
			return nil, err
		}
		f.questions[q.Code] = append(f.questions[q.Code], i)
	}
	return &f, nil
}

func enter(m map[string]int, what, code string, i int) error {
	if code == "" {
		return fmt.Errorf("%s %d has no code", what, i)
	}
	if _, there := m[code]; there {
		return fmt.Errorf("%s %q is listed twice", what, code)
	}
	m[code] = i
	return nil
}

func (f *Frame) checkBase(i int) error {
	seen := 0
	for n := f.Namespaces[i]; n.Base != ""; {
		b, ok := f.namespaces[n.Base]
		if !ok {
			return fmt.Errorf("namespace %q is built on %q, which is not listed", n.Code, n.Base)
		}
		if seen++; seen > len(f.Namespaces) {
			return fmt.Errorf("namespace %q is built on itself", n.Code)
		}
		n = f.Namespaces[b]
	}
	return nil
}

func (f *Frame) checkQuestion(q *Question) error {
	if _, ok := f.namespaces[q.Namespace]; !ok {
		return fmt.Errorf("question %q is of namespace %q, which is not listed", q.Code, q.Namespace)
	}
	if q.Code == "waves" || q.Code == "locations" {
		return fmt.Errorf("%q is reserved and can be no question's code", q.Code)
	}
	q.points = make(map[string]int, len(q.Datapoints))
	suffixes := map[int]bool{}
	for i, d := range q.Datapoints {
		if err := enter(q.points, "datapoint of question "+q.Code, d.Code, i); err != nil {
			return err
		}
	}
	for _, s := range q.Suffixes {
		if s.Code < 0 || s.Code > 1<<31-1 {
			return fmt.Errorf("question %q: suffix code %d is not within 0 to %d", q.Code, s.Code, 1<<31-1)
		}
		if suffixes[s.Code] {
			return fmt.Errorf("question %q: suffix %d is listed twice", q.Code, s.Code)
		}
		suffixes[s.Code] = true
	}
	return nil
}

// Size is the number of (wave, location) pairs, fielded or not: covers of this Frame have room for as many.
func (f *Frame) Size() int { return len(f.Waves) * len(f.Locations) }

// At is the bit of a cover that stands for wave w and location l.
func (f *Frame) At(w, l int) int { return w*len(f.Locations) + l }

// Fieldwork is the wave and the location, by index, that bit i of a cover stands for.
func (f *Frame) Fieldwork(i int) (wave, location int) {
	return i / len(f.Locations), i % len(f.Locations)
}

// Wave returns the index of a wave code, or -1; hidden ones included.
func (f *Frame) Wave(code string) int { return lookup(f.waves, code) }

// Location returns the index of a location code, or -1; hidden ones included.
func (f *Frame) Location(code string) int { return lookup(f.locations, code) }

// Namespace returns the index of a namespace code, or -1; hidden ones included.
func (f *Frame) Namespace(code string) int { return lookup(f.namespaces, code) }

func lookup(m map[string]int, code string) int {
	if i, ok := m[code]; ok {
		return i
	}
	return -1
}

// Question returns the index of the question that a code names, or -1 if there is none. A code may be written with its
// namespace: what stands before the first dot. If that is no namespace, the whole is the code. A code without one is
// looked up in the default namespace, then wherever exactly one namespace has it. Several have it: an InvalidError that
// names them. Hidden questions are found too; among namespaces other than the default a visible one is preferred.
func (f *Frame) Question(code string) (int, error) {
	if ns, bare, ok := strings.Cut(code, "."); ok {
		if _, ok := f.namespaces[ns]; ok {
			for _, i := range f.questions[bare] {
				if f.Questions[i].Namespace == ns {
					return i, nil
				}
			}
			return -1, nil
		}
	}
	var visible []int
	for _, i := range f.questions[code] {
		if f.Questions[i].Namespace == f.Namespaces[0].Code { // checkQuestion: there is one
			return i, nil
		}
		if !f.Questions[i].Hidden {
			visible = append(visible, i)
		}
	}
	switch {
	case len(visible) == 1:
		return visible[0], nil
	case len(visible) > 1:
		names := make([]string, len(visible))
		for k, i := range visible {
			names[k] = f.Questions[i].Key()
		}
		return -1, &InvalidError{Reason: fmt.Sprintf("question %q is in several namespaces: write one of %s", code,
			strings.Join(names, ", "))}
	case len(f.questions[code]) > 0:
		return f.questions[code][0], nil
	}
	return -1, nil
}

// Depth is how many namespaces the namespace is built on, one upon the other.
func (f *Frame) Depth(namespace int) int {
	d := 0
	for n := f.Namespaces[namespace]; n.Base != ""; n = f.Namespaces[f.namespaces[n.Base]] {
		d++
	}
	return d
}

// BuiltOn tells whether namespace a is b or is built on it, directly or not.
func (f *Frame) BuiltOn(a, b int) bool {
	for a != b {
		base := f.Namespaces[a].Base
		if base == "" {
			return false
		}
		a = f.namespaces[base]
	}
	return true
}

// Visible is the fieldwork whose wave and location the caller may use.
func (f *Frame) Visible() Cover {
	c := NewCover(f.Size())
	for w := range f.Waves {
		for l := range f.Locations {
			if !f.Waves[w].Hidden && !f.Locations[l].Hidden {
				c.Set(f.At(w, l))
			}
		}
	}
	return c
}
