package audience

import (
	"fmt"
	"reflect"
	"strings"
	"sync"
)

// Frame is all that is known before anything is counted: the survey, where each of its namespaces was fielded and each
// of its datapoints asked, in which unit weights are counted, and what of it the caller may use. Waves, locations,
// namespaces, questions and datapoints are named by their index in the Survey, whose waves are oldest first. A Frame is
// immutable and belongs to one version of a store. Build it with NewFrame.
type Frame struct {
	Version uint64
	*Survey // shared: it must not be changed

	coverage Coverage
	look     *lookup
	hidden   *hidden // nil: the caller may use everything
	floor    int64   // respondents; 0: none
	visible  Cover
	views    *views // of this version, as callers with other grants see it
	bindings *bindings
	derived  *derived
	surveyed *derived // formed of the survey alone: frames of one version share it
	// extension is the derived questions; nil: there are none
	extension *extension
}

// Coverage is what is known of the fieldwork of a survey. What is left out is empty: not fielded, not asked, whole
// people.
type Coverage struct {
	Fielded  []Cover   // of each namespace: where it has respondents
	Decimals []int     // of each namespace k: the store's integers are weights in units of 10^-k people
	Asked    [][]Cover // of each question's datapoints: the fieldwork in which it was asked
	Numbers  []Numbers // of each question
}

// Numbers says how a store keeps the numbers that respondents gave to a question, beside the bands they are in. The
// zero Numbers is that of a question without any: of another kind, or imported by a version that kept bands alone.
type Numbers struct {
	Decimals int   // k: they are whole numbers of 10^-k of the question's unit
	Bits     int   // in two's complement: from -2^(Bits-1) to 2^(Bits-1)-1; 0: there are none; at most 41
	Asked    Cover // the fieldwork in which the question was asked and numbers are kept: elsewhere nobody has one

	// Least and Greatest are the numbers between which all are, themselves among them; both 0 where they are not known, as
	// in what a version stored that did not look. Use Range. They are numbers of single respondents, whatever a Frame
	// shows: nobody who has a floor is to be told of them.
	Least, Greatest int64
}

// Range is from where to where numbers are found, both included: as far as they go, or where that is not known, as far
// as the bits have room.
func (n Numbers) Range() (least, greatest int64) {
	if n.Bits == 0 || n.Least != 0 || n.Greatest != 0 {
		return n.Least, n.Greatest
	}
	half := int64(1) << (n.Bits - 1)
	return -half, half - 1
}

// Fits tells whether a number has room in the bits.
func (n Numbers) Fits(number int64) bool {
	half := int64(1) << max(0, n.Bits-1)
	return n.Bits > 0 && -half <= number && number < half
}

// lookup finds codes. Frames of one version share it.
type lookup struct {
	waves, locations, namespaces map[string]int
	questions                    map[string][]int // by bare code
	keys                         map[string]int   // by code with its namespace
	datapoints                   []map[string]int // of each question
	first                        []int            // number of each question's first datapoint; one more at the end
}

// NewFrame makes the Frame of a version, with nothing hidden but the questions of which the survey says so. In the
// survey codes must be unique, a namespace's code without a dot and its base listed; the names of the pseudo-questions
// are reserved.
func NewFrame(version uint64, s *Survey, c Coverage) (*Frame, error) {
	f := &Frame{Version: version, Survey: s, coverage: c, look: &lookup{}, views: &views{},
		bindings: &bindings{}, derived: &derived{}, surveyed: &derived{}}
	if err := f.look.fill(s); err != nil {
		return nil, err
	}
	f.visible = f.fieldwork(func(_, _ int) bool { return true })
	f.hideQuestions()
	return f, nil
}

// WithVersion is f as the Frame of another version.
func (f *Frame) WithVersion(version uint64) *Frame {
	if x := f.extension; x != nil {
		return x.of.WithVersion(version).Extend(x.key, x.list)
	}
	g := *f
	g.Version, g.views, g.bindings, g.derived = version, &views{}, &bindings{}, &derived{}
	return &g
}

func (k *lookup) fill(s *Survey) error {
	k.waves, k.locations, k.namespaces = map[string]int{}, map[string]int{}, map[string]int{}
	k.questions, k.keys = map[string][]int{}, map[string]int{}
	for i, w := range s.Waves {
		if err := enter(k.waves, "wave", w.Code, i); err != nil {
			return err
		}
	}
	for i, l := range s.Locations {
		if err := enter(k.locations, "location", l.Code, i); err != nil {
			return err
		}
	}
	for i, n := range s.Namespaces {
		if strings.Contains(n.Code, ".") {
			return fmt.Errorf("namespace %q: a namespace code holds no dot", n.Code)
		}
		if err := enter(k.namespaces, "namespace", n.Code, i); err != nil {
			return err
		}
	}
	for i := range s.Namespaces {
		if err := k.checkBase(s, i); err != nil {
			return err
		}
	}
	n := 0
	for i := range s.Questions {
		q := &s.Questions[i]
		if err := k.question(q); err != nil {
			return err
		}
		if err := enter(k.keys, "question", q.Key(), i); err != nil {
			return err
		}
		k.questions[q.Code] = append(k.questions[q.Code], i)
		k.first = append(k.first, n)
		n += len(q.Datapoints)
	}
	k.first = append(k.first, n)
	return nil
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

func (k *lookup) checkBase(s *Survey, i int) error {
	seen := 0
	for n := s.Namespaces[i]; n.Base != ""; {
		b, ok := k.namespaces[n.Base]
		if !ok {
			return fmt.Errorf("namespace %q is built on %q, which is not listed", n.Code, n.Base)
		}
		if seen++; seen > len(s.Namespaces) {
			return fmt.Errorf("namespace %q is built on itself", n.Code)
		}
		n = s.Namespaces[b]
	}
	return nil
}

func (k *lookup) question(q *Question) error {
	if _, ok := k.namespaces[q.Namespace]; !ok {
		return fmt.Errorf("question %q is of namespace %q, which is not listed", q.Code, q.Namespace)
	}
	if q.Code == "waves" || q.Code == "locations" {
		return fmt.Errorf("%q is reserved and can be no question's code", q.Code)
	}
	datapoints := make(map[string]int, len(q.Datapoints))
	for i, d := range q.Datapoints {
		if err := enter(datapoints, "datapoint of question "+q.Code, d.Code, i); err != nil {
			return err
		}
	}
	k.datapoints = append(k.datapoints, datapoints)
	suffixes := map[int]bool{}
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

// Coverage is what the Frame was made with. It must not be changed.
func (f *Frame) Coverage() Coverage { return f.coverage }

// Fielded is where a namespace has respondents.
func (f *Frame) Fielded(namespace int) Cover { return nth(f.coverage.Fielded, namespace) }

// Decimals is the k of a namespace: the store's integers are weights in units of 10^-k people.
func (f *Frame) Decimals(namespace int) int { return nth(f.coverage.Decimals, namespace) }

// Asked is the fieldwork in which a datapoint was asked.
func (f *Frame) Asked(question, datapoint int) Cover {
	return nth(nth(f.coverage.Asked, question), datapoint)
}

// Numbers says how the numbers of a question are kept.
func (f *Frame) Numbers(question int) Numbers { return nth(f.coverage.Numbers, question) }

// nth is list[i], or nothing where the list is shorter.
func nth[T any](list []T, i int) (none T) {
	if i < len(list) {
		return list[i]
	}
	return none
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
func (f *Frame) Wave(code string) int { return index(f.look.waves, code) }

// Location returns the index of a location code, or -1; hidden ones included.
func (f *Frame) Location(code string) int { return index(f.look.locations, code) }

// Namespace returns the index of a namespace code, or -1; hidden ones included.
func (f *Frame) Namespace(code string) int { return index(f.look.namespaces, code) }

// QuestionIn returns the index of the question that a namespace has under a code, both as the survey has them, or -1;
// hidden ones included.
func (f *Frame) QuestionIn(namespace, code string) int {
	return index(f.look.keys, Key(namespace, code))
}

// Datapoint returns the index of a datapoint code of a question, or -1; hidden ones included.
func (f *Frame) Datapoint(question int, code string) int {
	return index(f.look.datapoints[question], code)
}

func index(m map[string]int, code string) int {
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
	if ns, bare, ok := strings.Cut(code, "."); ok && f.Namespace(ns) >= 0 {
		return f.QuestionIn(ns, bare), nil
	}
	named := f.look.questions[code]
	var visible []int
	for _, i := range named {
		if f.Questions[i].Namespace == f.Namespaces[0].Code { // it is of a namespace, so there is one
			return i, nil
		}
		if !f.HidesQuestion(i) {
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
	case len(named) > 0:
		return named[0], nil
	}
	return -1, nil
}

// defaultNamespace is the first namespace that the caller may use, or -1.
func (f *Frame) defaultNamespace() int {
	for n := range f.Namespaces {
		if !f.HidesNamespace(n) {
			return n
		}
	}
	return -1
}

// Depth is how many namespaces the namespace is built on, one upon the other.
func (f *Frame) Depth(namespace int) int {
	d := 0
	for n := f.Namespaces[namespace]; n.Base != ""; n = f.Namespaces[f.Namespace(n.Base)] {
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
		a = f.Namespace(base)
	}
	return true
}

// Visible is the fieldwork whose wave and location the caller may use. It must not be changed.
func (f *Frame) Visible() Cover { return f.visible }

// fieldwork is the cover of those waves and locations that are in.
func (f *Frame) fieldwork(in func(wave, location int) bool) Cover {
	c := NewCover(f.Size())
	for w := range f.Waves {
		for l := range f.Locations {
			if in(w, l) {
				c.Set(f.At(w, l))
			}
		}
	}
	return c
}

// WaveCodes are the codes of the waves that a cover has any fieldwork in, oldest first; never nil.
func (f *Frame) WaveCodes(c Cover) []string {
	codes := []string{}
	for i := range c.All() {
		w, _ := f.Fieldwork(i)
		if code := f.Waves[w].Code; len(codes) == 0 || codes[len(codes)-1] != code { // waves are outermost
			codes = append(codes, code)
		}
	}
	return codes
}

// LocationCodes are the codes of the locations that a cover has any fieldwork in, in the survey's order; never nil.
func (f *Frame) LocationCodes(c Cover) []string {
	in := make([]bool, len(f.Locations))
	for i := range c.All() {
		_, l := f.Fieldwork(i)
		in[l] = true
	}
	codes := []string{}
	for l := range in {
		if in[l] {
			codes = append(codes, f.Locations[l].Code)
		}
	}
	return codes
}

// PerDatapoint returns an audience for each datapoint of a question that the caller may use, in the question's order:
// those positive on it. Its code is the audience's ID, its name the audience's name.
func (f *Frame) PerDatapoint(question int) []Audience {
	q := &f.Questions[question]
	var out []Audience
	for i, d := range q.Datapoints {
		if !f.HidesQuestion(question) && !f.HidesDatapoint(question, i) {
			out = append(out, Audience{ID: d.Code, Name: d.Name,
				Expr: Answers{Question: q.Key(), Datapoints: []string{d.Code}, Min: 1}})
		}
	}
	return out
}

// derived holds what was formed of a Frame, or of its survey, by type.
type derived struct{ byType sync.Map } // reflect.Type → func() T

// Derive returns what form makes of f, which is done once for each Frame and type T: a domain's index of the survey,
// say, which is then made once for a version and a grant and not at each request.
func Derive[T any](f *Frame, form func(*Frame) T) T {
	return derive(f.derived, f, form)
}

// DeriveSurvey returns what form makes of f's survey, without derived questions, which is done once for each version
// and type T, whatever the grants of those who ask: what of it a caller may not use is left out by who reads it.
func DeriveSurvey[T any](f *Frame, form func(*Survey) T) T {
	if f.extension != nil {
		f = f.extension.of
	}
	return derive(f.surveyed, f.Survey, form)
}

func derive[S, T any](d *derived, of S, form func(S) T) T {
	once, _ := d.byType.LoadOrStore(reflect.TypeFor[T](), sync.OnceValue(func() T { return form(of) }))
	return once.(func() T)()
}
