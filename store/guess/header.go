package guess

import (
	"regexp"
	"strings"
	"unicode"
)

// Headers that hold a code and the question's words, as survey tools write them.
var (
	// code[SQ002]. Text [Option], of LimeSurvey
	limeHeader = regexp.MustCompile(`^([\p{L}][\p{L}\d_]*)\[([^\]]*)\](?:\[([^\]]*)\])?[.:]\s*(.*)$`)
	// Q12. Text, q1a: Text, 29) Text, 7a1. Text
	codeHeader = regexp.MustCompile(`^(?:([\p{L}_-]{0,24}\d+[\p{L}\d_-]{0,10})[.):]|([\p{L}][\p{L}_-]*)\.|([\p{Lu}][\p{Lu}_]+):)` +
		`\s+(\S.*)$`)
	// Q5 - Text, Q5_2 – Text
	dashHeader = regexp.MustCompile(`^([\p{L}_]{1,24}\d+[\p{L}\d_]{0,10})\s+[-–—|]\s+(\S.*)$`)
	lastOption = regexp.MustCompile(`^(.*\S)\s*\[([^\[\]]*)\]\s*$`)
)

// header is a column's name where it holds a question's words, too.
type header struct{ code, wording, option, stem string }

// withoutCode is a label without the column's name in front of it, or what the name is but for a wave's mark behind it.
func withoutCode(name, label string) string {
	m := codeHeader.FindStringSubmatch(label)
	if m == nil {
		return label
	}
	code := m[1] + m[2] + m[3]
	if len(name) < len(code) || !strings.EqualFold(name[:len(code)], code) || len(name) > len(code) &&
		name[len(code)] != '_' && name[len(code)] != '.' {
		return label
	}
	return strings.TrimSpace(m[4])
}

// wavesMark takes from the codes of columns what most of them end with, as in a file of one wave of a panel in which
// all names end in _W26: it tells no column from another.
func (g *guesser) wavesMark() {
	const least = 20
	ends, named := map[string]int{}, map[string]bool{}
	for _, c := range g.columns {
		named[strings.ToLower(c.code)] = true
		if at := strings.LastIndexAny(c.code, "_."); at > 0 && len(c.code)-at >= 3 && !strings.Contains(c.code, " ") {
			ends[c.code[at:]]++
		}
	}
	for end, n := range ends {
		if n < least || 5*n < 3*len(g.columns) || !strings.ContainsAny(end, "0123456789") {
			continue
		}
		for _, c := range g.columns {
			if code, found := strings.CutSuffix(c.code, end); found && !named[strings.ToLower(code)] {
				c.code = code
			}
		}
		return // no other is that of most
	}
}

// withoutSpaces tells whether a name is words in a writing without spaces between them, eight characters or more.
func withoutSpaces(name string) bool {
	const least = 8
	n := 0
	for _, r := range name {
		n += btoi(unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai))
	}
	return n >= least
}

// readHeader divides a name into a code and words. Without a code in it, the code is the name.
func readHeader(name, label string) header {
	if label != "" {
		return header{code: name, wording: withoutCode(name, label)}
	}
	if strings.Contains(name, "\n") { // a header may go over several lines
		line := strings.Join(strings.Fields(name), " ")
		h := readHeader(line, "")
		if h.code == line {
			h.code = name
		}
		return h
	}
	if m := limeHeader.FindStringSubmatch(name); m != nil {
		h := header{code: m[1] + "[" + m[2] + "]", wording: m[4], stem: m[1], option: m[2]}
		if o := lastOption.FindStringSubmatch(m[4]); o != nil {
			h.wording, h.option = o[1], o[2]
		}
		if m[3] != "" {
			h.code += "[" + m[3] + "]"
		}
		return h
	}
	if m := codeHeader.FindStringSubmatch(name); m != nil {
		return header{code: m[1] + m[2] + m[3], wording: strings.TrimSpace(m[4])}
	}
	if m := dashHeader.FindStringSubmatch(name); m != nil {
		return header{code: m[1], wording: m[2]}
	}
	if len(strings.Fields(name)) >= 3 || withoutSpaces(name) {
		return header{code: name, wording: name}
	}
	return header{code: name}
}
