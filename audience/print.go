package audience

import (
	"strconv"

	"github.com/crosswave/crosswave/internal/strictjson"
)

// Print writes x as JSON on one line, as Parse reads it. A nil Expr is {}.
func Print(x Expr) []byte { return AppendPrint(nil, x) }

// AppendPrint appends what Print writes to b.
func AppendPrint(b []byte, x Expr) []byte {
	b = append(b, '{')
	b = appendMembers(b, x)
	return append(b, '}')
}

// appendMembers writes the members of x's node, without the braces, so that a negation can stand beside them.
func appendMembers(b []byte, x Expr) []byte {
	switch x := node(x).(type) {
	case nil:
		return b
	case Everyone:
		return append(b, `"question":"waves"`...)
	case Waves:
		return appendLeaf(b, "waves", x.Codes, nil, x.Min)
	case Locations:
		return appendLeaf(b, "locations", x.Codes, nil, x.Min)
	case Answers:
		return appendLeaf(b, x.Question, x.Datapoints, x.Suffixes, x.Min)
	case Band:
		return appendBand(b, x)
	case Slice: // Parse knows no such member: it is for programs and for telling expressions apart
		b = strictjson.AppendString(append(b, `"question":`...), x.Question)
		return strconv.AppendInt(append(b, `,"bit":`...), int64(x.Bit), 10)
	case Value: // likewise
		b = strictjson.AppendString(append(b, `"question":`...), x.Question)
		return strconv.AppendInt(append(b, `,"number":`...), x.Number, 10)
	case Not:
		inner := node(x.X)
		if _, twice := inner.(Not); twice || inner == nil || isNobody(inner) { // a node can be negated once
			return append(appendList(b, "and", []Expr{inner}), `,"not":true`...)
		}
		return append(appendMembers(b, inner), `,"not":true`...)
	case And:
		return appendList(b, "and", x)
	case Cut:
		return appendList(b, "and", x.flat())
	case Or:
		if len(x) == 0 { // no one
			return append(b, `"question":"waves","not":true`...)
		}
		return appendList(b, "or", x)
	}
	return b
}

func appendList(b []byte, name string, parts []Expr) []byte {
	if len(parts) == 0 { // an empty And is everyone
		return append(b, `"question":"waves"`...)
	}
	b = append(append(append(b, '"'), name...), `":[`...)
	for i, p := range parts {
		if i > 0 {
			b = append(b, ',')
		}
		b = AppendPrint(b, p)
	}
	return append(b, ']')
}

func appendLeaf(b []byte, question string, codes []string, suffixes []int, least int) []byte {
	b = strictjson.AppendString(append(b, `"question":`...), question)
	if len(codes) > 0 {
		b = append(b, `,"datapoints":[`...)
		for i, c := range codes {
			if i > 0 {
				b = append(b, ',')
			}
			b = strictjson.AppendString(b, c)
		}
		b = append(b, ']')
	}
	if len(suffixes) > 0 {
		b = append(b, `,"suffixes":[`...)
		for i, s := range suffixes {
			if i > 0 {
				b = append(b, ',')
			}
			b = strconv.AppendInt(b, int64(s), 10)
		}
		b = append(b, ']')
	}
	if least > 1 {
		b = strconv.AppendInt(append(b, `,"min_count":`...), int64(least), 10)
	}
	return b
}
