package audience

import (
	"context"
	"fmt"
	"slices"
	"strings"
)

// Definition is a derived question: one that nobody was asked, and whose answers are expressions over the questions
// that people were asked, or over other derived ones. In a Frame that was extended by it, it is a question like those
// of the survey.
//
// A leaf that names one of its datapoints, with a Min of 1, is the datapoint's expression: it has the same state in
// each fieldwork, and the same respondents. A leaf that names several has the state that section "Effective fieldwork"
// of FIGURES.md says, and on a datapoint whose expression is not measured in some fieldwork nobody is positive there.
type Definition struct {
	// Namespace is the deepest one that any of the expressions uses, the default one where they use none; "" stands for
	// whichever it is.
	Namespace   string
	Code        string // unlike that of any question of the survey, whatever its namespace
	Name        string
	Description string
	Datapoints  []DefinedDatapoint
}

// DefinedDatapoint is an answer of a derived question.
type DefinedDatapoint struct {
	Code string
	Name string
	Expr Expr // who gives it
}

// The most that the expression of a datapoint may come to with all derived questions in it written out, and what the
// derived questions of all expressions of a Spec may come to together.
const (
	mostLevels     = 64
	mostNodes      = 10_000
	mostNodesOfAll = 100_000
)

// extension is what a Frame has beside the survey: derived questions, which stand behind those of the survey.
type extension struct {
	of      *Frame // without them
	key     string
	list    []Definition
	first   int         // the index of the first derived question
	answers [][]defined // of each derived question, of each of its datapoints
}

// defined is the expression of a datapoint of a derived question, looked up.
type defined struct {
	x         Expr   // canonical, and without derived questions
	states    states // of the expression as it was written
	measured  Cover
	namespace int // the deepest it uses, -1 if none
	pseudo    bool
	nodes     int // of x
	levels    int // of x
}

// Extend returns f with derived questions. Those that can't be used are left out, as if they weren't there: that say
// something that can't be meant, that use what f doesn't have or hides, directly or through others, or whose code the
// survey has; CheckDefinitions tells why. A key stands for a list: for each the Frame is made once, so that what is
// derived from it is, too. A Frame that was extended before has the new list alone.
func (f *Frame) Extend(key string, list []Definition) *Frame {
	if f.extension != nil {
		f = f.extension.of
	}
	if len(list) == 0 {
		return f
	}
	return f.views.of("extended by "+key, func() *Frame {
		extended, _ := f.extend(key, list)
		return extended
	})
}

// CheckDefinitions is Extend for a list that is looked at once. It also tells of each of the definitions why f can't be
// extended by it beside the others, nil for those by which it is. The errors name the place within the definition
// (datapoints[1].expression): *InvalidError, also for those that read each other in a circle, *EmptyError,
// *ComplexError, *UnavailableError and *IncompatibleError.
func (f *Frame) CheckDefinitions(list []Definition) (extended *Frame, faults []error) {
	if f.extension != nil {
		f = f.extension.of
	}
	return f.extend("", list)
}

// Derived tells whether a question is a derived one.
func (f *Frame) Derived(question int) bool {
	return f.extension != nil && question >= f.extension.first
}

// Extension is the key that f was extended with; "" if it has no derived questions.
func (f *Frame) Extension() string {
	if f.extension == nil {
		return ""
	}
	return f.extension.key
}

// Definition is that of a derived question. It must not be changed.
func (f *Frame) Definition(question int) Definition {
	code := f.Questions[question].Code
	at := slices.IndexFunc(f.extension.list, func(d Definition) bool { return d.Code == code })
	return f.extension.list[at]
}

// Extend returns st with derived questions: its Frame has those that definitions gives, with a key as Frame.Extend
// takes it, and what it is asked to count has their expressions in the place of them. Who may use what is settled
// below: st is what Restrict returned.
func Extend(st Store, definitions func(context.Context) (key string, list []Definition, err error)) Store {
	return &extended{st, definitions}
}

type extended struct {
	Store
	definitions func(context.Context) (string, []Definition, error)
}

func (e *extended) WantsWhole(cells int) bool { return WantsWhole(e.Store, cells) }

func (e *extended) Threads() int { return Threads(e.Store) }

func (e *extended) Frame(ctx context.Context) (*Frame, error) {
	f, err := e.Store.Frame(ctx)
	if err != nil {
		return nil, err
	}
	key, list, err := e.definitions(ctx)
	if err != nil {
		return nil, err
	}
	return f.Extend(key, list), nil
}

// extending is a Frame that definitions are put into, each after those that it reads.
type extending struct {
	frame  *Frame
	list   []Definition
	byCode map[string]int
	faults []error
	done   []bool
	path   []int // the definitions that are being put in, each read by the one before
}

// extend makes the Frame that Extend returns, and the errors that CheckDefinitions does.
func (f *Frame) extend(key string, list []Definition) (*Frame, []error) {
	e := extending{frame: f.roomy(len(list)), list: list, byCode: map[string]int{}, faults: make([]error, len(list)),
		done: make([]bool, len(list))}
	e.frame.extension = &extension{of: f, key: key, list: list, first: len(f.Questions)}
	for i, d := range list {
		if first, twice := e.byCode[d.Code]; twice {
			e.done[i] = true
			e.faults[i] = &InvalidError{Path: "code", Reason: fmt.Sprintf("the code %q is that of derived question %d, too",
				d.Code, first)}
			continue
		}
		e.byCode[d.Code] = i
	}
	for i := range list {
		e.visit(i)
	}
	return e.frame, e.faults
}

// roomy is a copy of f that up to n questions can be put into, and that nobody has seen yet.
func (f *Frame) roomy(n int) *Frame {
	g, s, look := *f, *f.Survey, *f.look
	s.Questions = slices.Grow(slices.Clone(s.Questions), n)
	look.questions, look.keys = cloned(look.questions, n), cloned(look.keys, n)
	look.datapoints = slices.Grow(slices.Clone(look.datapoints), n)
	look.first = slices.Grow(slices.Clone(look.first), n)
	asked := slices.Grow(slices.Clone(f.coverage.Asked), n)
	for len(asked) < len(s.Questions) { // what is left out was not asked
		asked = append(asked, nil)
	}
	g.Survey, g.look, g.coverage.Asked = &s, &look, asked
	g.views, g.bindings, g.derived = &views{}, &bindings{}, &derived{}
	return &g
}

func cloned[T any](m map[string]T, more int) map[string]T {
	out := make(map[string]T, len(m)+more)
	for k, v := range m {
		out[k] = v
	}
	return out
}

// visit puts a definition in, after those that it reads.
func (e *extending) visit(i int) {
	if e.done[i] {
		return
	}
	if at := slices.Index(e.path, i); at >= 0 {
		e.circle(e.path[at:])
		return
	}
	e.path = append(e.path, i)
	for _, read := range e.reads(i) {
		e.visit(read)
	}
	e.path = e.path[:len(e.path)-1]
	e.done[i] = true
	if e.faults[i] == nil {
		e.faults[i] = e.put(i)
	}
}

// reads are the definitions that one reads, by their places in the list.
func (e *extending) reads(i int) (list []int) {
	for _, d := range e.list[i].Datapoints {
		Walk(d.Expr, func(x Expr) bool {
			if leaf, ok := x.(Answers); ok {
				if read, there := e.byCode[e.frame.bare(leaf.Question)]; there {
					list = append(list, read)
				}
			}
			return true
		})
	}
	return list
}

// bare is a question code without the namespace before it, if there is one.
func (f *Frame) bare(code string) string {
	if ns, bare, ok := strings.Cut(code, "."); ok && f.Namespace(ns) >= 0 {
		return bare
	}
	return code
}

// circle notes that definitions read each other in a circle.
func (e *extending) circle(list []int) {
	for k, i := range list {
		var codes []string
		for _, j := range append(slices.Clone(list[k:]), list[:k+1]...) {
			codes = append(codes, fmt.Sprintf("%q", e.list[j].Code))
		}
		reason := fmt.Sprintf("derived question %s reads itself", codes[0])
		if len(list) > 1 {
			reason = fmt.Sprintf("derived questions read each other in a circle: %s", strings.Join(codes, " reads "))
		}
		e.faults[i] = &InvalidError{Path: "datapoints", Reason: reason}
	}
}

// put puts a definition into the frame, of which all that it reads is there by now.
func (e *extending) put(i int) error {
	f, d := e.frame, e.list[i]
	if err := f.checkCodes(&d); err != nil {
		return err
	}
	var uses []Use
	for k, point := range d.Datapoints {
		uses = append(uses, Use{definedPath(k), point.Expr})
	}
	if err := f.Check(nil, nil, uses...); err != nil {
		return err
	}
	q := Question{Namespace: d.Namespace, Code: d.Code, Name: d.Name, Description: d.Description}
	answers := make([]defined, len(d.Datapoints))
	deepest := bound{namespace: -1}
	for k, point := range d.Datapoints {
		var err error
		if answers[k], err = f.define(definedPath(k), point.Expr); err != nil {
			return err
		}
		used := binder{frame: f, path: definedPath(k), out: &deepest}
		if err := used.use(answers[k].namespace); err != nil {
			return err
		}
		q.Datapoints = append(q.Datapoints, Datapoint{Code: point.Code, Name: point.Name})
	}
	switch namespace := f.Namespaces[max(0, deepest.namespace)].Code; {
	case d.Namespace == "":
		q.Namespace = namespace
	case d.Namespace != namespace:
		return &InvalidError{Path: "datapoints", Reason: fmt.Sprintf("the question is of namespace %q, and its expressions "+
			"use %q: a question of another namespace needs another code", d.Namespace, namespace)}
	}
	if f.HidesNamespace(f.Namespace(q.Namespace)) {
		return &UnavailableError{Questions: []UnavailableQuestion{{Code: Key(q.Namespace, "*"), Origin: "datapoints"}}}
	}
	return f.attach(q, answers)
}

// definedPath is where an expression stands in a definition.
func definedPath(datapoint int) string { return fmt.Sprintf("datapoints[%d].expression", datapoint) }

// checkCodes finds what is wrong with a definition but for its expressions.
func (f *Frame) checkCodes(d *Definition) error {
	switch {
	case len(f.Namespaces) == 0:
		return &InvalidError{Reason: "there is no survey yet to derive a question from"}
	case d.Code == "":
		return &InvalidError{Path: "code", Reason: "a derived question needs a code"}
	case len(f.look.questions[d.Code]) > 0:
		return &InvalidError{Path: "code", Reason: fmt.Sprintf("the survey has a question %q itself", d.Code)}
	case f.bare(d.Code) != d.Code:
		return &InvalidError{Path: "code", Reason: fmt.Sprintf("%q begins with the code of a namespace", d.Code)}
	case len(d.Datapoints) == 0:
		return &InvalidError{Path: "datapoints", Reason: "a derived question needs a datapoint"}
	}
	seen := map[string]bool{}
	for i, point := range d.Datapoints {
		path := fmt.Sprintf("datapoints[%d]", i)
		switch {
		case point.Code == "":
			return &InvalidError{Path: path + ".code", Reason: "a datapoint needs a code"}
		case seen[point.Code]:
			return &InvalidError{Path: path + ".code", Reason: fmt.Sprintf("there are two datapoints %q", point.Code)}
		case node(point.Expr) == nil:
			return &EmptyError{Path: definedPath(i)}
		}
		seen[point.Code] = true
	}
	return nil
}

// define looks up the expression of a datapoint, whose codes have passed Check.
func (f *Frame) define(path string, x Expr) (d defined, err error) {
	out := &bound{namespace: -1}
	b := binder{frame: f, path: path, out: out}
	canonical, err := b.canonical(x)
	if err != nil {
		return d, err
	}
	d.nodes, d.levels = f.extent(canonical)
	if d.nodes > mostNodes || d.levels > mostLevels {
		return d, &ComplexError{Path: path, Reason: fmt.Sprintf("with the derived questions in it written out the "+
			"expression has more than %d nodes, or is nested more than %d levels deep", mostNodes, mostLevels)}
	}
	d.states = f.states(canonical)
	d.measured, d.namespace, d.pseudo = d.states.measured(), out.namespace, out.pseudo
	d.x = f.written(canonical)
	return d, nil
}

// attach puts a derived question behind all others.
func (f *Frame) attach(q Question, answers []defined) error {
	if err := f.look.question(&q); err != nil {
		return &InvalidError{Path: "code", Reason: err.Error()}
	}
	i := len(f.Questions)
	f.look.keys[q.Key()] = i
	f.look.questions[q.Code] = append(f.look.questions[q.Code], i)
	f.look.first = append(f.look.first, f.look.first[i]+len(q.Datapoints))
	f.Questions = append(f.Questions, q)
	covers := make([]Cover, len(answers))
	for k := range answers {
		covers[k] = answers[k].measured
	}
	f.coverage.Asked = append(f.coverage.Asked, covers)
	f.extension.answers = append(f.extension.answers, answers)
	return nil
}
