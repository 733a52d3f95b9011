package guess

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// wordSections takes from the codes of columns the section of the questionnaire that stands in front of each, as in
// health_sleep, health_doctor, work_hours: where nearly all columns have a word so, and questions of several kinds
// stand behind the same one, again and again, such words tell nothing of what belongs together.
func (g *guesser) wordSections() {
	const (
		least, fewest = 40, 5 // columns, and those of a section
		kinds, mixed  = 3, 4  // of answers in a section, and sections of so many
	)
	begin, _ := g.beginning()
	columns, all := map[string][]*column{}, 0
	for _, c := range g.columns {
		if c.Virtual {
			continue
		}
		all++
		rest, _ := strings.CutPrefix(c.code, begin)
		if word, behind, found := strings.Cut(rest, "_"); found && behind != "" && len(word) >= 2 &&
			!strings.ContainsAny(word, digits+" ") && strings.IndexAny(behind, digits) != 0 {
			columns[word] = append(columns[word], c)
		}
	}
	within, several, ofSeveral := 0, 0, 0
	for _, list := range columns {
		if len(list) < fewest {
			continue
		}
		within += len(list)
		if severalKinds(list, kinds) || severalRanges(list, kinds) {
			several++
			ofSeveral += len(list)
		}
	}
	if all < least || 10*within < 9*all || several < mixed || 3*ofSeveral < 2*within {
		return
	}
	taken := set("")
	for _, c := range g.columns {
		taken[strings.ToLower(c.code)] = true
	}
	for _, word := range slices.Sorted(maps.Keys(columns)) {
		for _, c := range columns[word] {
			rest := strings.TrimPrefix(c.code, begin+word+"_")
			if rest == "" || taken[strings.ToLower(rest)] {
				continue
			}
			taken[strings.ToLower(rest)] = true
			if c.wording == c.code {
				c.wording = rest
			}
			c.code = rest
		}
	}
}

// severalRanges tells whether codes without labels end with so many different numbers among columns that enough
// respondents answered for each code to be there.
func severalRanges(columns []*column, least int) bool {
	const enough = 200
	ends := map[float64]bool{}
	for _, c := range columns {
		if c.number && !c.many && len(c.Labels) == 0 && c.scale() && c.filled >= enough {
			ends[c.ordinary()] = true
		}
	}
	return len(ends) >= least
}

// beginAgain divides many rows that stand in the order of letters where that begins again: each part is a question
// whose options or rows were sorted. Rows in no order are one part.
func beginAgain(run []member) (parts [][]member) {
	const many, least, descents = 12, 3, 5 // rows, of a part, and of so many one that stands before its neighbour
	keys, down := make([]string, len(run)), 0
	for k, m := range run {
		keys[k] = strings.Map(letter, m.name)
		down += btoi(k > 0 && keys[k] < keys[k-1])
	}
	if len(run) < many || descents*down > len(run) {
		return [][]member{run}
	}
	start := 0
	for k := 1; k < len(run); k++ {
		if keys[k] >= keys[k-1] || k-start < least || len(run)-k < least {
			continue
		}
		before := 0 // how many of the part stand before this one
		for _, key := range keys[start:k] {
			before += btoi(key < keys[k])
		}
		if 2*before <= k-start {
			parts, start = append(parts, run[start:k]), k
		}
	}
	return append(parts, run[start:])
}

// letter is a letter as texts are sorted by it here, other writing before Latin, or a negative number for all else.
func letter(r rune) rune {
	const behind = 0x100000 // all other letters
	switch r = unicode.ToLower(r); {
	case !unicode.IsLetter(r):
		return -1
	case unicode.Is(unicode.Latin, r):
		return behind + r
	}
	return r
}

// inSection notes the numbers in front of the name of a column that is of a whole question, as 3. is in 3.16: they
// are those of sections of the questionnaire.
func (g *guesser) inSection(name string) {
	for i, r := range name {
		switch {
		case strings.ContainsRune(joints, r) && i > 0:
			g.hasQuestion[name[:i+1]] = true
		case !strings.ContainsRune(digits, r):
			return
		}
	}
}

// ofQuestion is the name of a question or of a row of it, such as Q04 and Q04a.
var ofQuestion = regexp.MustCompile(`^\pL{1,2}(\d+)(\pL?)(?:$|[-_.])`)

// inFront finds what stands in front of the names of many questions with several kinds of answers, as fes4_ does in
// fes4_Q01 and fes4_Q04a: it is the survey's, and no question's. Some of them have rows with letters from a on, and
// others none.
func (g *guesser) inFront() {
	const least, questions, kinds, lettered = 30, 6, 3, 3
	type front struct {
		columns, ofQuestions int
		letters              map[string]string // of each question
		shapes               []*shape
	}
	fronts := map[string]*front{}
	for _, i := range g.open() {
		c := g.columns[i]
		at := strings.IndexAny(c.code, joints) + 1
		if at < 2 || !strings.ContainsAny(c.code[:at], digits) {
			continue
		}
		f := fronts[c.code[:at]]
		if f == nil {
			f = &front{letters: map[string]string{}}
			fronts[c.code[:at]] = f
		}
		f.columns++
		if m := ofQuestion.FindStringSubmatch(c.code[at:]); m != nil {
			f.ofQuestions++
			f.letters[m[1]] += m[2]
			if len(f.shapes) < kinds && !slices.ContainsFunc(f.shapes, func(s *shape) bool { return s.fits(c) }) {
				f.shapes = append(f.shapes, newShape())
				f.shapes[len(f.shapes)-1].add(c)
			}
		}
	}
	for text, f := range fronts {
		with, without := 0, 0
		for _, letters := range f.letters {
			with += btoi(strings.HasPrefix(strings.ToLower(letters), "ab"))
			without += btoi(letters == "")
		}
		if f.columns >= least && 2*f.ofQuestions > f.columns && len(f.letters) >= questions && len(f.shapes) >= kinds &&
			with >= lettered && without > 0 {
			g.hasQuestion[text] = true
		}
	}
}
