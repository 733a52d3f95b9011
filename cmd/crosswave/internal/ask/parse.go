package ask

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/crosswave/crosswave/audience"
)

// Quote writes a code so that it is read as nothing else.
func Quote(code string) string {
	if code != "" && code == strings.TrimSpace(code) && !strings.ContainsAny(code, `,:/="`) && code[0] != '{' {
		return code
	}
	return `"` + strings.ReplaceAll(code, `"`, `""`) + `"`
}

// scanner reads a text from its beginning.
type scanner struct{ rest string }

// code takes the longest text that is a code as it stands and ends where one of the ends follows, or the text ends.
// What begins with a quote is never one, so that what is quoted can only be read in one way: with a code that is a
// quote, ":a"="b" would name that code's datapoints otherwise.
func (s *scanner) code(is func(string) bool, ends string) (string, bool) {
	if strings.HasPrefix(strings.TrimSpace(s.rest), `"`) {
		return "", false
	}
	for i := len(s.rest); i >= 0; i = strings.LastIndexAny(s.rest[:i], ends) {
		if word := strings.TrimSpace(s.rest[:i]); word != "" && is(word) {
			s.rest = s.rest[i:]
			return word, true
		}
	}
	return "", false
}

// word takes what is in quotes, or all up to one of the ends.
func (s *scanner) word(ends string) (string, error) {
	s.rest = strings.TrimLeft(s.rest, " \t\n")
	if !strings.HasPrefix(s.rest, `"`) {
		i := strings.IndexAny(s.rest, ends)
		if i < 0 {
			i = len(s.rest)
		}
		word := strings.TrimSpace(s.rest[:i])
		s.rest = s.rest[i:]
		return word, nil
	}
	var word strings.Builder
	for rest := s.rest[1:]; ; {
		i := strings.IndexByte(rest, '"')
		if i < 0 {
			return "", fmt.Errorf("the quote before %s has no end", s.rest[1:])
		}
		word.WriteString(rest[:i])
		if rest = rest[i+1:]; !strings.HasPrefix(rest, `"`) {
			s.rest = strings.TrimLeft(rest, " \t\n")
			break
		}
		word.WriteByte('"')
		rest = rest[1:]
	}
	if s.rest != "" && !strings.ContainsRune(ends, rune(s.rest[0])) {
		return "", fmt.Errorf("%s follows a closing quote; a quote within quotes is written twice", s.rest)
	}
	return word.String(), nil
}

// skip takes a character if it comes next.
func (s *scanner) skip(c string) bool {
	rest, found := strings.CutPrefix(s.rest, c)
	if found {
		s.rest = rest
	}
	return found
}

// parse reads a term.
func parse(f *audience.Frame, text string) (*term, error) {
	s, t := &scanner{text}, &term{}
	word, isCode := s.code(isQuestion(f), ":/")
	if !isCode {
		var err error
		if word, err = s.word(":/="); err != nil {
			return nil, err
		}
	}
	if !isCode && s.skip("=") {
		if t.name = word; word == "" {
			return nil, errors.New("there is no name before =")
		}
		if word, isCode = s.code(isQuestion(f), ":/"); !isCode {
			var err error
			if word, err = s.word(":/"); err != nil {
				return nil, err
			}
		}
	}
	if word == "" {
		return nil, errors.New("it names no question")
	}
	var err error
	if t.subject, err = find(f, word); err != nil {
		if strings.Contains(s.rest, "=") {
			err = fmt.Errorf("%w (a name or label that holds one of , : / = stands in double quotes)", err)
		}
		return nil, err
	}
	if s.skip(":") {
		if t.datapoints, err = s.list(&t.subject.datapoints, ",/"); err != nil {
			return nil, err
		}
	}
	if s.skip("/") {
		if len(t.subject.suffixes.codes) == 0 {
			return nil, fmt.Errorf("question %s is no grid and has no suffixes; what holds one of , : / = stands in double "+
				"quotes", t.subject.code())
		}
		if t.suffixes, err = s.list(&t.subject.suffixes, ","); err != nil {
			return nil, err
		}
	}
	return t, nil
}

// list reads what is listed of l, each once.
func (s *scanner) list(l *list, ends string) ([]int, error) {
	var listed []int
	for {
		word, isCode := s.code(func(code string) bool { return slices.Contains(l.codes, code) }, ends)
		if !isCode {
			var err error
			if word, err = s.word(ends); err != nil {
				return nil, err
			}
		}
		i, err := l.find(word)
		if err != nil {
			return nil, err
		}
		if !slices.Contains(listed, i) {
			listed = append(listed, i)
		}
		if !s.skip(",") {
			return listed, nil
		}
	}
}

// isQuestion tells whether a text is the code of a question as it stands.
func isQuestion(f *audience.Frame) func(string) bool {
	return func(code string) bool {
		i, err := f.Question(code)
		return i >= 0 || err != nil || code == "waves" || code == "locations"
	}
}

// find finds what a code or a label asks about.
func find(f *audience.Frame, word string) (*subject, error) {
	switch word {
	case "waves":
		return waves(f), nil
	case "locations":
		return locations(f), nil
	}
	i, err := f.Question(word)
	if err != nil {
		return nil, err
	}
	if i < 0 {
		if i, err = questions(f).find(word); err != nil {
			return nil, err
		}
	}
	return question(f, i), nil
}

// questions are all questions, under the codes that they can be asked for with.
func questions(f *audience.Frame) *list {
	l := &list{what: "question", of: "crosswave inspect lists them"}
	for i := range f.Questions {
		q := &f.Questions[i]
		code := q.Key()
		if k, err := f.Question(q.Code); err == nil && k == i {
			code = q.Code
		}
		l.add(code, q.Name)
	}
	return l
}
