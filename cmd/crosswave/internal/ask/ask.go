// Package ask reads how people name what they ask about on a command line:
//
//	[NAME=]QUESTION[:DATAPOINT,…][/SUFFIX,…]
//
// A question stands for an audience for each of its datapoints, or of those listed: gender, or gender:f,m. A grid
// stands for an audience for each pair of a datapoint (a statement, say) and a suffix (a point of its scale), or of
// those listed: q7, q7:price, q7/5,4. With a NAME what is listed becomes one audience, those with any of it: "Top
// two=q7:price/5,4". A grid without datapoints, which asks the same of each statement, becomes one for each of them:
// Agree=q7/5,4 is those who say 5 or 4 of the first, those who say so of the second, and so on. The questions waves and
// locations are always there; their datapoints are the survey's waves and locations.
//
// What is named is a code, or a label (a name of the survey's) where only one thing has it; capitals in it do not
// matter. The longest text that is a code as it stands is taken for it, whatever it holds, unless it begins with a
// double quote. Else what holds one of , : / = stands in double quotes, and a quote within them is written twice.
//
// What begins with { is an expression as JSON.
package ask

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"github.com/crosswave/crosswave/audience"
)

// Error is a text that names nothing, or not what it should.
type Error struct {
	Text   string // as written
	Reason string // what is wrong and what would be right
}

func (e *Error) Error() string { return e.Text + ": " + e.Reason }

// Audiences are those that a text stands for: one at least. What the text does not name rightly is an *Error.
func Audiences(f *audience.Frame, text string) ([]audience.Audience, error) {
	x, found, err := expression(f, text, audience.Parser{})
	if err != nil {
		return nil, err
	}
	if found {
		text = strings.TrimSpace(text)
		return []audience.Audience{{ID: text, Name: audience.Describe(x, f), Expr: x}}, nil
	}
	t, err := parse(f, text)
	if err != nil {
		return nil, &Error{text, err.Error()}
	}
	as := t.audiences()
	if len(as) == 0 {
		return nil, &Error{text, "it has no datapoints"}
	}
	return as, nil
}

// One is the one audience that a text stands for: those with any of what it lists. A question that lists nothing and
// has no name stands for several, which is an *Error, too.
func One(f *audience.Frame, text string) (audience.Audience, error) {
	x, found, err := expression(f, text, audience.Parser{})
	if err != nil {
		return audience.Audience{}, err
	}
	if found {
		return audience.Audience{Expr: x}, nil
	}
	t, err := parse(f, text)
	if err != nil {
		return audience.Audience{}, &Error{text, err.Error()}
	}
	if t.datapoints == nil && t.suffixes == nil && t.name == "" {
		return audience.Audience{}, &Error{text, t.several()}
	}
	return audience.Audience{Name: t.name, Expr: t.any(t.datapoints)}, nil
}

// expression reads a text that is an expression as JSON.
func expression(f *audience.Frame, text string, p audience.Parser) (x audience.Expr, found bool, err error) {
	if trimmed := strings.TrimSpace(text); !strings.HasPrefix(trimmed, "{") || isQuestion(f)(trimmed) {
		return nil, false, nil
	}
	x, err = p.Parse([]byte(text))
	if err == nil && x == nil {
		err = fmt.Errorf(`the expression is empty; {"question": "waves"} is everyone`)
	}
	if err != nil {
		return nil, true, &Error{text, err.Error()}
	}
	return x, true, nil
}

// several says what to write in place of a question where one audience is needed.
func (t *term) several() string {
	list := t.subject.datapoints
	if len(list.codes) == 0 {
		return "it has no datapoints"
	}
	first := t.subject.code() + ":" + Quote(list.codes[0])
	text := fmt.Sprintf("one audience is needed, and the question %s has %d datapoints: write which, as in %s (%s)",
		t.subject.code(), len(list.codes), first, list.name(0))
	if len(list.codes) > 1 {
		text += fmt.Sprintf(", several with commas, as in %s,%s", first, Quote(list.codes[1]))
	}
	return text + fmt.Sprintf(", or any=%s for those with any of them", t.subject.code())
}

// term is a text that was read.
type term struct {
	name       string // "": none
	subject    *subject
	datapoints []int // by index, each once; nil: none are listed
	suffixes   []int // likewise
}

// subject is what is asked about: a question, or the waves or locations of the survey.
type subject struct {
	frame      *audience.Frame
	question   int    // of the frame; -1 for the pseudo-questions
	pseudo     string // waves or locations
	datapoints list
	suffixes   list
}

func (s *subject) code() string {
	if s.question < 0 {
		return s.pseudo
	}
	q := &s.frame.Questions[s.question]
	if i, err := s.frame.Question(q.Code); err == nil && i == s.question {
		return Quote(q.Code)
	}
	return Quote(q.Key())
}

func question(f *audience.Frame, i int) *subject {
	q := &f.Questions[i]
	s := &subject{frame: f, question: i}
	s.datapoints.what, s.suffixes.what = "datapoint", "suffix"
	for _, d := range q.Datapoints {
		s.datapoints.add(d.Code, d.Name)
	}
	for _, x := range q.Suffixes {
		s.suffixes.add(strconv.Itoa(x.Code), x.Name)
	}
	s.datapoints.of, s.suffixes.of = "question "+s.code()+" has", "question "+s.code()+" has"
	return s
}

func waves(f *audience.Frame) *subject {
	s := &subject{frame: f, question: -1, pseudo: "waves", datapoints: list{what: "wave", of: "the store has"}}
	for _, w := range f.Waves {
		s.datapoints.add(w.Code, w.Name)
	}
	return s
}

func locations(f *audience.Frame) *subject {
	s := &subject{frame: f, question: -1, pseudo: "locations", datapoints: list{what: "location", of: "the store has"}}
	for _, l := range f.Locations {
		s.datapoints.add(l.Code, l.Name)
	}
	return s
}

// Waves turns codes or labels of waves into their codes.
func Waves(f *audience.Frame, texts []string) ([]string, error) { return waves(f).all(texts) }

// Locations turns codes or labels of locations into their codes.
func Locations(f *audience.Frame, texts []string) ([]string, error) { return locations(f).all(texts) }

func (s *subject) all(texts []string) ([]string, error) {
	var codes []string
	for _, text := range texts {
		i, err := s.datapoints.find(text)
		if err != nil {
			return nil, err
		}
		codes = append(codes, s.datapoints.codes[i])
	}
	return codes, nil
}

// audiences are those that the term stands for, in the order in which they are listed.
func (t *term) audiences() []audience.Audience {
	points, scale := &t.subject.datapoints, &t.subject.suffixes
	if t.name != "" && (t.datapoints != nil || len(scale.codes) == 0) {
		return []audience.Audience{{ID: t.name, Name: t.name, Expr: t.any(t.datapoints)}}
	}
	var as []audience.Audience
	for _, d := range indices(t.datapoints, len(points.codes)) {
		switch {
		case t.name != "":
			as = append(as, audience.Audience{ID: points.codes[d], Name: points.name(d) + ": " + t.name,
				Expr: t.any([]int{d})})
			continue
		case len(scale.codes) == 0:
			as = append(as, audience.Audience{ID: points.codes[d], Name: points.names[d], Expr: t.any([]int{d})})
			continue
		}
		for _, s := range indices(t.suffixes, len(scale.codes)) {
			one := term{subject: t.subject, suffixes: []int{s}}
			as = append(as, audience.Audience{ID: points.codes[d] + "/" + scale.codes[s],
				Name: points.name(d) + ": " + scale.name(s), Expr: one.any([]int{d})})
		}
	}
	return as
}

// any is those who are positive on any of some datapoints, of all if none are given, with the suffixes of the term.
func (t *term) any(datapoints []int) audience.Expr {
	var codes []string
	for _, d := range datapoints {
		codes = append(codes, t.subject.datapoints.codes[d])
	}
	switch t.subject.pseudo {
	case "waves":
		return audience.Waves{Codes: codes}
	case "locations":
		return audience.Locations{Codes: codes}
	}
	q := &t.subject.frame.Questions[t.subject.question]
	x := audience.Answers{Question: q.Key(), Datapoints: codes, Min: 1}
	for _, s := range t.suffixes {
		x.Suffixes = append(x.Suffixes, q.Suffixes[s].Code)
	}
	return x
}

// indices are those given, or all of n.
func indices(some []int, n int) []int {
	if some != nil {
		return some
	}
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	return all
}

// list is what a word may name: codes, with their labels.
type list struct {
	what, of     string // "datapoint", "question q1 has"
	codes, names []string
}

func (l *list) add(code, name string) {
	l.codes, l.names = append(l.codes, code), append(l.names, name)
}

func (l *list) name(i int) string { return cmp.Or(l.names[i], l.codes[i]) }
