package formats

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"unicode"
)

// Headers of three rows, in which tools write codes, questions and options.

// joinCodes makes names and labels of a row of codes above two of questions and their options. Columns without a code
// that go on with the question of one have that and their option as a name, and others their label.
func joinCodes(first, second, third []string) (names, labels []string) {
	names, second, third = trimmed(first), trimmed(second), trimmed(third)
	labels = joinRows(second, third)
	code, question := "", ""
	for i := range names {
		asks := !blank(second[i])
		switch {
		case !blank(names[i]):
			code, question = names[i], second[i]
		case code != "" && (!asks || second[i] == question):
			if third[i] != "" && !isResponse(third[i]) {
				names[i] = code + "[" + third[i] + "]"
			}
			if i > 0 && names[i-1] == code && third[i-1] != "" && !isResponse(third[i-1]) {
				names[i-1] = code + "[" + third[i-1] + "]"
			}
		default:
			code = ""
		}
		if blank(names[i]) {
			names[i] = labels[i]
		}
	}
	return names, labels
}

// isCodes tells whether the first row holds codes, in one word each, above two rows of questions and their options. A
// question of several columns may have its code above the first of them only.
func isCodes(first, second, third []string, below [][]string) bool {
	if len(first) != len(second) || len(first) != len(third) {
		return false
	}
	codes, others, asked := 0, 0, 0
	for i := range first {
		code := strings.TrimSpace(first[i])
		asked += count(!blank(second[i]) && (i == 0 || second[i] != second[i-1]))
		switch {
		case blank(code):
		case len(code) <= 40 && !strings.Contains(code, " ") && !measured(code) && code != strings.TrimSpace(second[i]):
			codes++
		default:
			others++
		}
	}
	most := 2*codes > len(first) || codes >= 5 && others == 0 && 2*codes > asked
	return codes >= 2 && most && others*10 <= codes && slices.ContainsFunc(third, isResponse) &&
		isTwoRows(second, third, below)
}

// isVariables tells whether the names of the columns stand in the third row: a word each, of which no two are the same
// and none is an answer, below questions, of which several stand over more columns than one.
func isVariables(first, second, third []string, below [][]string) bool {
	const least = 3
	if len(first) != len(second) || len(first) != len(third) || len(first) < least {
		return false
	}
	seen, asked, repeats := map[string]bool{}, 0, 0
	for i := range third {
		name := strings.TrimSpace(third[i])
		if name == "" || seen[name] || strings.ContainsFunc(name, unicode.IsSpace) ||
			!hasLetter(name) {
			return false
		}
		if same, _ := standing(name, below, i); same > 0 {
			return false
		}
		seen[name] = true
		question := strings.TrimSpace(first[i])
		asked += count(strings.Contains(question, " "))
		repeats += count(i > 0 && question != "" && question == strings.TrimSpace(first[i-1]))
	}
	return asked >= least && repeats >= least
}

// joinAbove makes labels of questions and of what stands below those of several columns, or where there is no question.
func joinAbove(first, second []string) []string {
	first, second = trimmed(first), trimmed(second)
	labels := make([]string, len(first))
	for i, question := range first {
		several := i > 0 && question == first[i-1] || i+1 < len(first) && question == first[i+1]
		switch {
		case question == "":
			labels[i] = second[i]
		case several && second[i] != "":
			labels[i] = question + "[" + second[i] + "]"
		default:
			labels[i] = question
		}
	}
	return labels
}

// isTopics tells whether the first row holds codes, in one word each, above two rows of words: topics, each of columns
// next to each other, and what of its topic each column is. Nobody has these words for an answer, and where more than a
// few have answered, most columns hold numbers.
func isTopics(first, second, third []string, below [][]string) bool {
	if len(first) != len(second) || len(first) != len(third) || len(below) < leastOver ||
		saysNothing(trimmed(second)) || saysNothing(trimmed(third)) {
		return false
	}
	topic, further, told, over, seen := "", 0, 0, 0, map[string]bool{}
	for i, code := range trimmed(first) {
		above, own := strings.TrimSpace(second[i]), strings.TrimSpace(third[i])
		if seen[code] || len(strings.Fields(code)) != 1 || !hasLetter(above) || !hasLetter(own) {
			return false
		}
		seen[code] = true
		c := cellsOf(below, i)
		if c.texts[above] > 0 || c.texts[own] > 0 {
			return false
		}
		further += count(above == topic)
		topic = above
		if c.filled >= leastOver {
			told++
			over += count(c.numbers == c.filled)
		}
	}
	return over >= leastOver && 4*over >= 3*told && 2*further >= len(first)
}

// joinTopics makes labels of topics and what of them columns are. A topic goes before that of columns next to each
// other whose codes are the same but for what is behind the last stroke in them.
func joinTopics(codes, topics, own []string) []string {
	labels, topics := trimmed(own), trimmed(topics)
	question := func(i int) string {
		if i < 0 || i >= len(codes) || strings.LastIndexAny(codes[i], "_.-") < 0 {
			return ""
		}
		return topics[i] + codes[i][:strings.LastIndexAny(codes[i], "_.-")]
	}
	for i, label := range labels {
		if q := question(i); q != "" && (q == question(i-1) || q == question(i+1)) {
			labels[i] = topics[i] + "[" + label + "]"
		}
	}
	return labels
}

// isParted tells whether each column has its name in just one of the second and the third row, some in either, below a
// row with a few headings. Names are words, none stands there twice or is an answer below.
func isParted(first, second, third []string, below [][]string) bool {
	const least = 2
	if len(first) != len(second) || len(first) != len(third) || len(below) < least {
		return false
	}
	headings, lower, upper, seen := 0, 0, 0, map[string]bool{}
	for i := range first {
		name := strings.TrimSpace(second[i]) + strings.TrimSpace(third[i])
		if blank(second[i]) == blank(third[i]) || seen[name] && len(strings.Fields(name)) < 3 || measured(name) {
			return false
		}
		if same, _ := standing(name, below, i); same > 0 {
			return false
		}
		seen[name] = true
		headings += count(!blank(first[i]))
		upper += count(blank(third[i]))
		lower += count(blank(second[i]))
	}
	return upper >= least && lower >= least && 2*headings < len(first)
}

// joinParted makes the names that isParted found. A heading is that of the columns from its own on, as far as they have
// the answers of that one.
func joinParted(first, second, third []string, below [][]string) []string {
	first, second, third = trimmed(first), trimmed(second), trimmed(third)
	names := make([]string, len(first))
	heading, under := "", map[string]int{}
	for i := range names {
		names[i] = cmp.Or(second[i], third[i])
		c := cellsOf(below, i)
		if !blank(first[i]) {
			heading, under = first[i], c.texts
		}
		among := 0
		for text := range c.texts {
			among += count(under[text] > 0)
		}
		if heading == "" || 2*among < len(c.texts) || among == 0 {
			heading = ""
			continue
		}
		maps.Copy(under, c.texts)
		names[i] = heading + "[" + names[i] + "]"
	}
	return names
}
