package audience

import (
	"cmp"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Describe says in words who x is, with the names of f where it knows them and codes where it does not: "Gender: Female
// AND (Age: 16–24 OR at least 2 of Sports tried: Surfing, Skiing, Sailing)". A nil Expr is "Everyone".
func Describe(x Expr, f *Frame) string {
	s, _ := describe(x, f)
	first, size := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(first)) + s[size:]
}

// describe also tells whether the text needs brackets inside a larger one.
func describe(x Expr, f *Frame) (text string, compound bool) {
	switch x := node(x).(type) {
	case nil, Everyone:
		return "everyone", false
	case Waves:
		return describeCodes("wave", x.Codes, x.Min, func(c string) string {
			if w := f.Wave(c); w >= 0 {
				return f.Waves[w].Name
			}
			return ""
		}), false
	case Locations:
		return describeCodes("location", x.Codes, x.Min, func(c string) string {
			if l := f.Location(c); l >= 0 {
				return f.Locations[l].Name
			}
			return ""
		}), false
	case Answers:
		return describeAnswers(x, f), false
	case Band:
		return describeBand(x, f), false
	case Slice:
		if x.Bit == AnyNumber {
			return x.Question + ": any number", false
		}
		return fmt.Sprintf("%s: numbers with bit %d", x.Question, x.Bit), false
	case Value:
		return fmt.Sprintf("%s: the number %d", x.Question, x.Number), false
	case Not:
		if s, compound := describe(x.X, f); compound {
			return "NOT (" + s + ")", false
		} else {
			return "NOT " + s, false
		}
	case And:
		return describeParts(x, " AND ", "everyone", f)
	case Cut:
		return describeParts(x.flat(), " AND ", "everyone", f)
	case Or:
		return describeParts(x, " OR ", "no one", f)
	}
	return "everyone", false
}

func describeParts(parts []Expr, joint, empty string, f *Frame) (string, bool) {
	if len(parts) == 0 {
		return empty, false
	}
	texts := make([]string, len(parts))
	for i, p := range parts {
		s, compound := describe(p, f)
		if len(parts) == 1 {
			return s, compound
		}
		if compound {
			s = "(" + s + ")"
		}
		texts[i] = s
	}
	return strings.Join(texts, joint), true
}

func describeCodes(what string, codes []string, least int, name func(string) string) string {
	switch {
	case least > 1:
		return "no one"
	case len(codes) == 0:
		return "any " + what
	}
	names := make([]string, len(codes))
	for i, c := range codes {
		names[i] = cmp.Or(name(c), c)
	}
	return what + " " + either(names)
}

func describeAnswers(x Answers, f *Frame) string {
	q := &Question{Code: x.Question}
	if i, err := f.Question(x.Question); err == nil && i >= 0 {
		q = &f.Questions[i]
	}
	title := cmp.Or(q.Name, q.Code)
	names := make([]string, len(x.Datapoints))
	for i, code := range x.Datapoints {
		names[i] = code
		if d := q.Datapoint(code); d >= 0 {
			names[i] = cmp.Or(q.Datapoints[d].Name, code)
		}
	}
	var text string
	switch {
	case x.Min > 1 && len(names) == 0:
		text = fmt.Sprintf("at least %d of %s", x.Min, title)
	case x.Min > 1:
		text = fmt.Sprintf("at least %d of %s: %s", x.Min, title, strings.Join(names, ", "))
	case len(names) == 0:
		text = title + ": any answer"
	default:
		text = title + ": " + either(names)
	}
	if len(x.Suffixes) == 0 {
		return text
	}
	suffixes := make([]string, len(x.Suffixes))
	for i, code := range x.Suffixes {
		suffixes[i] = fmt.Sprint(code)
		if s := q.Suffix(code); s >= 0 {
			suffixes[i] = cmp.Or(q.Suffixes[s].Name, suffixes[i])
		}
	}
	return text + " (" + either(suffixes) + ")"
}

func either(names []string) string {
	if len(names) > 1 {
		last := len(names) - 1
		return strings.Join(names[:last], ", ") + " or " + names[last]
	}
	return names[0]
}
