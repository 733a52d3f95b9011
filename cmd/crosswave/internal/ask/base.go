package ask

import (
	"fmt"
	"slices"
	"strings"

	"github.com/crosswave/crosswave/audience"
)

// Answered, as a base, is those who answered the question of the rows.
const Answered = "answered"

// Base is the audience that a text names, or everyone if it names none: one audience, or Answered where no question has
// that code. The rows are called what the caller calls them.
func Base(f *audience.Frame, text string, rows []audience.Audience, called string) (audience.Audience, error) {
	if text == "" {
		return audience.Audience{}, nil
	}
	if i, err := f.Question(Answered); text != Answered || i >= 0 || err != nil {
		return One(f, text)
	}
	var codes []string
	for _, a := range rows {
		for _, code := range Questions(f, a.Expr) {
			if !slices.Contains(codes, code) {
				codes = append(codes, code)
			}
		}
	}
	switch len(codes) {
	case 0:
		return audience.Audience{}, fmt.Errorf("%s is those who answered the question of %s, and %s asks none", Answered,
			called, called)
	case 1:
		return audience.Audience{Expr: audience.Answers{Question: codes[0]}}, nil
	}
	return audience.Audience{}, fmt.Errorf("%s is those who answered the question of %s, and %s asks %s: ask one at "+
		"a time", Answered, called, called, strings.Join(codes, ", "))
}

// Questions are those of an expression's leaves, with their namespaces, each once; as written, where there is no such
// question.
func Questions(f *audience.Frame, x audience.Expr) (codes []string) {
	audience.Walk(x, func(x audience.Expr) bool {
		if leaf, ok := x.(audience.Answers); ok {
			code := leaf.Question
			if i, err := f.Question(code); err == nil && i >= 0 {
				code = f.Questions[i].Key()
			}
			if !slices.Contains(codes, code) {
				codes = append(codes, code)
			}
		}
		return true
	})
	return codes
}
