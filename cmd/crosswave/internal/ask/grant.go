package ask

import (
	"fmt"
	"slices"
	"strings"

	"github.com/crosswave/crosswave/audience"
)

// Grant reads what a key may use, each member a list of texts: codes or labels with commas between them, or *.
// Datapoints are written QUESTION:DATAPOINT,…, and QUESTION:* is all of a question. The codes are as a Grant has them;
// those that do not exist, which a key would silently grant nothing by, are an *Error.
func Grant(f *audience.Frame, g audience.Grant) (audience.Grant, error) {
	namespaces := list{what: "namespace", of: "the store has"}
	for _, n := range f.Namespaces {
		namespaces.add(n.Code, n.Name)
	}
	var out audience.Grant
	for _, m := range []struct {
		flag  string
		texts []string
		to    *[]string
		read  func(s *scanner) ([]string, error)
	}{
		{"--namespaces", g.Namespaces, &out.Namespaces, namespaces.granted},
		{"--questions", g.Questions, &out.Questions, func(s *scanner) ([]string, error) { return grantedQuestions(f, s) }},
		{"--datapoints", g.Datapoints, &out.Datapoints, func(s *scanner) ([]string, error) {
			return grantedDatapoints(f,
				s)
		}},
		{"--locations", g.Locations, &out.Locations, locations(f).datapoints.granted},
		{"--waves", g.Waves, &out.Waves, waves(f).datapoints.granted},
	} {
		for _, text := range m.texts {
			codes, err := []string{"*"}, error(nil)
			if strings.TrimSpace(text) != "*" {
				codes, err = m.read(&scanner{text})
			}
			if err != nil {
				return out, &Error{m.flag + " " + text, err.Error()}
			}
			*m.to = append(*m.to, codes...)
		}
	}
	return out, nil
}

// granted reads the rest of a text as a list of l.
func (l *list) granted(s *scanner) ([]string, error) {
	places, err := s.list(l, ",")
	var codes []string
	for _, i := range places {
		codes = append(codes, l.codes[i])
	}
	return codes, err
}

// grantedQuestions reads a list of questions. A code without a namespace is that question in all namespaces, as a Grant
// has it.
func grantedQuestions(f *audience.Frame, s *scanner) ([]string, error) {
	var codes []string
	for {
		word, isCode := s.code(func(code string) bool { return len(grantedBy(f, code)) > 0 }, ",")
		if !isCode {
			var err error
			if word, err = s.word(","); err != nil {
				return nil, err
			}
			if word, err = grantedQuestion(f, word); err != nil {
				return nil, err
			}
		}
		codes = append(codes, word)
		if !s.skip(",") {
			return codes, nil
		}
	}
}

// grantedQuestion is the code that a Grant has for what a code or a label names.
func grantedQuestion(f *audience.Frame, word string) (string, error) {
	if len(grantedBy(f, word)) > 0 {
		return word, nil
	}
	all := questions(f)
	i, err := all.find(word)
	if err != nil {
		return "", err
	}
	return f.Questions[i].Key(), nil
}

// grantedBy are the questions that a code in a Grant stands for.
func grantedBy(f *audience.Frame, code string) (questions []int) {
	for i := range f.Questions {
		if q := &f.Questions[i]; q.Code == code || q.Key() == code {
			questions = append(questions, i)
		}
	}
	return questions
}

// grantedDatapoints reads a list of datapoints, each behind its question, or behind another of the same.
func grantedDatapoints(f *audience.Frame, s *scanner) ([]string, error) {
	var codes []string
	question, points := "", &list{}
	for {
		word, isCode := s.code(func(code string) bool { return code == "*" || slices.Contains(points.codes, code) }, ",")
		if question == "" || !isCode {
			asked, isQuestion := s.code(func(code string) bool { return len(grantedBy(f, code)) > 0 }, ":")
			if !isQuestion {
				var err error
				if asked, err = s.word(":,"); err != nil {
					return nil, err
				}
			}
			if s.skip(":") {
				var err error
				if question, points, err = grantedPoints(f, asked); err != nil {
					return nil, err
				}
				continue
			}
			if question == "" {
				return nil, fmt.Errorf("it names no datapoint: write QUESTION:DATAPOINT, or QUESTION:* for all of a question")
			}
			i, err := points.find(asked)
			if err != nil {
				return nil, err
			}
			word = points.codes[i]
		}
		codes = append(codes, question+":"+word)
		if !s.skip(",") {
			return codes, nil
		}
	}
}

// grantedPoints is a question as a Grant has it, with its datapoints.
func grantedPoints(f *audience.Frame, word string) (string, *list, error) {
	code, err := grantedQuestion(f, word)
	if err != nil {
		return "", nil, err
	}
	points := &list{what: "datapoint", of: "question " + code + " has"}
	for _, i := range grantedBy(f, code) {
		for _, d := range f.Questions[i].Datapoints {
			if !slices.Contains(points.codes, d.Code) {
				points.add(d.Code, d.Name)
			}
		}
	}
	return code, points, nil
}
