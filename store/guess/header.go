package guess

import (
	"cmp"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// Headers that hold a code and the question's words, as survey tools write them.
var (
	// code[SQ002]. Text [Option], of LimeSurvey
	limeHeader = regexp.MustCompile(`^([\p{L}][\p{L}\d_]*)\[([^\]]*)\](?:\[([^\]]*)\])?[.:]\s*(.*)$`)
	// Q12. Text, q1a: Text, 29) Text, 7a1. Text
	codeHeader = regexp.MustCompile(`^(?:([\p{L}_-]{0,24}\d+[\p{L}\d_-]{0,10})[.):]|` +
		`([\p{L}][\p{L}_-]*)\.|([\p{Lu}][\p{Lu}_]+):)` +
		`\s+(\S.*)$`)
	// Q5 - Text, Q5_2 – Text
	dashHeader = regexp.MustCompile(`^([\p{L}_]{1,24}\d+[\p{L}\d_]{0,10})\s+[-–—|]\s+(\S.*)$`)
	// Q5—Text, Q5 02—Text
	strokeHeader = regexp.MustCompile(`^([\p{L}_]{1,24}\d+[\p{L}\d_]{0,10})(?: (\d{1,3}))?—(\S.*)$`)
	// Q5 Tea, Q5_2 Text, 4.1 Text: a question's number, and words without anything between
	spaceHeader = regexp.MustCompile(`^([A-SU-VX-Za-su-vx-z]{1,3}\d+[\p{L}\d_.]{0,10}|[\p{L}_]{1,24}[_.]\d+|` +
		`\d{1,3}(?:[._]\d{1,3})+)\s+(\pL.*)$`)
	// 4.1. Text, 4.1.Text, 4. 1. Text
	pointHeader = regexp.MustCompile(`^(\d{1,3}(?:\. ?\d{1,3})+)\.\s*(\pL.*)$`)
	// Q5_2 [Tea]
	bracketHeader = regexp.MustCompile(`^(\pL[\p{L}\d]*[_.][\p{L}\d_.]*)\s+\[([^\[\]]+)\]$`)
	lastOption    = regexp.MustCompile(`^(.*\S)\s*\[([^\[\]]*)\]\s*$`)
)

// header is a column's name where it holds a question's words, too.
type header struct{ code, wording, option, stem string }

// kindOfQuestion is the kind of a question as some tools write it in front of its words, as in [single-select].
var kindOfQuestion = regexp.MustCompile(`(?i)^\s*\[(?:(?:single|multi|multiple)[ -]?(?:select|choice|response|punch|answer)|` +
	`matrix|grid|number|numeric|statement|text|open[ -]?end(?:ed)?|rank(?:ing)?|scale|slider)\]\s*`)

// withoutCode is a label without the column's name in front of it, or what the name is but for a wave's mark behind
// it, and without the kind of the question.
func withoutCode(name, label string) string {
	label = label[len(kindOfQuestion.FindString(label)):]
	m := codeHeader.FindStringSubmatch(label)
	if m == nil {
		return label
	}
	m[4] = m[4][len(kindOfQuestion.FindString(m[4])):]
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

// shortened gives the columns of a list the codes that they would have if a program had not cut names to eight
// letters: quality, qualit_1 to qualit_9 and quali_10 are quality_1, quality_2 and so on. Old programs called the
// items of a list so, the first by the name alone.
func (g *guesser) shortened() {
	const longest, least = 8, 3 // letters, and items behind the first
	for i, first := range g.columns {
		name := first.code
		if len(name) < longest-1 || len(name) > longest || strings.Trim(name, digits) != name {
			continue
		}
		cut, n := 0, 1
		for ; i+n < len(g.columns); n++ {
			end := "_" + strconv.Itoa(n)
			stem := name[:min(len(name), longest-len(end))]
			if g.columns[i+n].code != stem+end {
				break
			}
			cut += btoi(stem != name)
		}
		if n <= least || cut < n-1 {
			continue
		}
		for k := range n {
			g.columns[i+k].code = name + "_" + strconv.Itoa(k+1)
		}
	}
}

var turnedRound = regexp.MustCompile(`(?i)^(.*[\p{L}_.]\d+)[_.]?(?:r|rev|inv|rec|recoded|reversed|reverse)$`)

// reversals takes from the codes of columns the mark of an item whose answers were turned round, as in int3R beside
// int2 and int4: where no column has the name without it, nor one with another letter behind the number.
func (g *guesser) reversals() {
	named, lettered := map[string]bool{}, map[string]bool{}
	for _, c := range g.columns {
		low := strings.ToLower(c.code)
		named[low] = true
		if at := len(low) - 1; at > 0 && strings.TrimRight(low[:at], digits) != low[:at] && low[at] >= 'a' && low[at] != 'r' {
			lettered[low[:at]] = true
		}
	}
	plain := map[int]string{}
	for i, c := range g.columns {
		m := turnedRound.FindStringSubmatch(c.code)
		if m == nil || strings.Contains(c.code, " ") {
			continue
		}
		if low := strings.ToLower(m[1]); !named[low] && !lettered[low] {
			plain[i] = m[1]
		}
	}
	codes := map[int]string{}
	for i, code := range plain {
		stem := strings.TrimRight(code, digits)
		beside := func(at int) bool {
			if at < 0 || at >= len(g.columns) {
				return false
			}
			other := cmp.Or(plain[at], g.columns[at].code)
			return strings.EqualFold(strings.TrimRight(other, digits), stem) && other != stem
		}
		if beside(i-1) || beside(i+1) {
			codes[i] = code
		}
	}
	for i, code := range codes {
		g.columns[i].code = code
	}
}

// formGroups takes from the codes of columns the groups of a form's questions, which some tools write in front of
// them, as in farm/animals/hens, farm:animals:hens or "Farm : Which animals? : hens": they tell nothing of what belongs
// together. What stands before / or such a colon is a group where it is no column's name, and the columns behind it are
// of three kinds or more, or of two in a group.
func (g *guesser) formGroups() {
	const deepest, longest = 8, 500
	columns := map[string][]*column{}
	for _, c := range g.columns {
		at := sectionsEnd(c.code[:min(len(c.code), longest)])
		for deep := 0; at > 0 && deep < deepest; deep++ {
			columns[c.code[:at]] = append(columns[c.code[:at]], c)
			at = sectionsEnd(c.code[:at])
		}
	}
	groups := map[string]bool{}
	for _, path := range slices.Sorted(maps.Keys(columns)) { // each behind those that it is in
		least := 3
		if at := sectionsEnd(path); at > 0 && groups[path[:at]] {
			least = 2
		}
		_, named := g.at[path]
		groups[path] = !named && severalKinds(columns[path], least)
	}
	for _, c := range g.columns {
		code := c.code
		for at := sectionsEnd(code); at > 0; at = sectionsEnd(code[:at]) {
			rest := strings.TrimSpace(strings.TrimLeft(code[at:], "/ :"))
			if !groups[code[:at]] || rest == "" {
				continue
			}
			if c.wording == c.code {
				c.wording = rest
			}
			c.code = rest
			break
		}
	}
}

// sectionsEnd is where the last stroke, or colon between spaces, of a name stands, or a colon in one without spaces; 0
// or less if there is none.
func sectionsEnd(name string) int {
	at := max(strings.LastIndexByte(name, '/'), strings.LastIndex(name, " : "))
	if !strings.Contains(name, " ") {
		at = max(at, strings.LastIndexByte(name, ':'))
	}
	return at
}

// severalKinds tells whether columns have so many kinds of answers: words of the respondents' own, numbers, dates,
// yes and no, and each list of answers are one.
func severalKinds(columns []*column, least int) bool {
	var shapes []*shape
	others := map[string]bool{}
	for _, c := range columns {
		switch {
		case c.filled == 0:
		case c.date:
			others["date"] = true
		case c.tick().kind != noTick, c.ownOrNo() != "":
			others["tick"] = true
		case c.scale():
			at := slices.IndexFunc(shapes, func(s *shape) bool { return s.fits(c) })
			if at < 0 {
				shapes = append(shapes, newShape())
				at = len(shapes) - 1
			}
			shapes[at].add(c)
		case c.number:
			others["number"] = true
		default:
			others["words"] = true
		}
		if len(shapes)+len(others) >= least {
			return true
		}
	}
	return false
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

// ofTheTool is what a tool writes behind questions that have nothing else in common.
var ofTheTool = regexp.MustCompile(`(?i)\s*[-–:]\s*(?:slide to (?:answer|select)|move the slider|click to write .{0,24})\s*$`)

// numberInBrackets is the number of a question in front of its words, as in "[703-1] Do you know it?".
var numberInBrackets = regexp.MustCompile(`^\s*\[\d[\d.-]*\]\s+`)

// readHeader divides a name into a code and words. Without a code in it, the code is the name.
func readHeader(name, label string) header {
	name, label = ofTheTool.ReplaceAllString(name, ""), ofTheTool.ReplaceAllString(label, "")
	if label != "" {
		return header{code: name, wording: withoutCode(name, numberInBrackets.ReplaceAllString(label, ""))}
	}
	if strings.Contains(name, "\n") { // a header may go over several lines
		line := strings.Join(strings.Fields(name), " ")
		h := readHeader(line, "")
		if h.code == line {
			h.code = name
		}
		return h
	}
	name = strings.TrimPrefix(name, "Variable: External: ") // what a panel knows, as Conjointly writes it
	if !strings.Contains(name, "]") {
		name = strings.TrimPrefix(name, "[") // typed by mistake
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
	if m := pointHeader.FindStringSubmatch(name); m != nil {
		return header{code: strings.ReplaceAll(m[1], " ", ""), wording: m[2]}
	}
	if m := codeHeader.FindStringSubmatch(name); m != nil {
		return header{code: m[1] + m[2] + m[3], wording: strings.TrimSpace(m[4])}
	}
	if m := dashHeader.FindStringSubmatch(name); m != nil {
		return header{code: m[1], wording: m[2]}
	}
	if m := strokeHeader.FindStringSubmatch(name); m != nil {
		return header{code: strings.TrimSuffix(m[1]+"_"+m[2], "_"), wording: m[3]}
	}
	if m := bracketHeader.FindStringSubmatch(name); m != nil {
		return header{code: m[1], wording: m[2]}
	}
	if m := spaceHeader.FindStringSubmatch(name); m != nil {
		return header{code: m[1], wording: m[2]}
	}
	if len(strings.Fields(name)) >= 3 || withoutSpaces(name) || strings.Contains(name, ": ") {
		return header{code: name, wording: name}
	}
	return header{code: name}
}
