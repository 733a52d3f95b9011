package catalogue

import (
	"cmp"
	"fmt"
	"math/bits"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/internal/words"
)

// MostSearched is how many characters a search may have.
const MostSearched = 256

// Found is a part of what a filter picks.
type Found struct {
	Questions []QuestionRecord
	Total     int // how many there are on all pages
}

// Match says where in a question's texts the words of a search stand.
type Match struct {
	Code        bool            `json:"code"`
	Name        bool            `json:"name"`
	Description bool            `json:"description"`
	Categories  []CategoryRef   `json:"categories"` // that the question is in, in the survey's order
	Datapoints  []MatchedAnswer `json:"datapoints"` // by their names, of those that the caller may use
	Suffixes    []MatchedAnswer `json:"suffixes"`   // likewise
}

// MatchedAnswer is a datapoint or a suffix whose name has a word of a search.
type MatchedAnswer struct {
	Code string `json:"code"`
	Name string `json:"name"`
}

// Find lists the questions that a filter picks, from the Offset-th on and Limit of them, in the survey's order; the
// errors are those of Questions, and an *audience.InvalidError for a search, a limit or an offset that can't be meant.
//
// With a Search they are those of the questions that the caller may use in which all of its words are found: in the
// name, the code, the names of the categories that the question is in, of its datapoints and suffixes, and in the
// description. A word is found where a word of the text begins with it, whatever case and accents. What the caller may
// not use is not looked at, and has no part in the order either.
//
// A question whose code is what is searched for comes first. Else each word counts by the best place where it stands,
// those places in the order above and in each a whole word above the beginning of one, and as often as it's rare: once,
// and once more each time that half as many questions have it. What counts the same is in the survey's order.
func (c *Catalogue) Find(filter QuestionFilter) (Found, error) {
	if err := filter.check(); err != nil {
		return Found{}, err
	}
	picked, err := c.picked(filter.Questions)
	if err != nil {
		return Found{}, err
	}
	var sought []string
	var hits []hit
	searched := strings.TrimSpace(filter.Search) != ""
	if searched {
		sought = words.Query(filter.Search)
		hits = c.finder().hits(filter.Search, sought)
	} else {
		hits = c.listed()
	}
	if picked != nil {
		hits = slices.DeleteFunc(hits, func(h hit) bool { return !picked[h.question] })
	}
	out := Found{Questions: []QuestionRecord{}, Total: len(hits)}
	hits = hits[min(filter.Offset, len(hits)):]
	if filter.Limit > 0 {
		hits = hits[:min(filter.Limit, len(hits))]
	}
	for _, h := range hits {
		out.Questions = append(out.Questions, c.question(h.question, filter))
	}
	if searched {
		for i, match := range c.finder().matches(hits, sought) {
			out.Questions[i].Match = match
		}
	}
	return out, nil
}

// listed is all questions but those that the survey hides.
func (c *Catalogue) listed() (hits []hit) {
	for i := range c.frame.Questions {
		if !c.frame.Questions[i].Hidden {
			hits = append(hits, hit{question: i})
		}
	}
	return hits
}

// check finds what can't be meant of a filter but for its questions.
func (f *QuestionFilter) check() error {
	switch {
	case utf8.RuneCountInString(f.Search) > MostSearched:
		return &audience.InvalidError{Path: "search", Reason: fmt.Sprintf("it has more than %d characters", MostSearched)}
	case f.Limit < 0:
		return &audience.InvalidError{Path: "limit", Reason: fmt.Sprintf("%d is below 0", f.Limit)}
	case f.Offset < 0:
		return &audience.InvalidError{Path: "offset", Reason: fmt.Sprintf("%d is below 0", f.Offset)}
	}
	return nil
}

// finder is the index of the survey as one caller may use it, and beside it that of the caller's derived questions.
type finder struct {
	index     *index
	derived   *index // nil: there are none
	first     int    // the index of the first derived question
	catalogue *Catalogue
	usable    []bool    // of each question, whether it is looked at
	below     [][]int32 // of each category, the questions in it and in those below it that are
}

// finder is made when something is first searched for.
func (c *Catalogue) finder() *finder { return audience.Derive(c.frame, newFinder) }

func newFinder(f *audience.Frame) *finder {
	c := New(f)
	s := &finder{index: audience.DeriveSurvey(f, indexed), catalogue: c, usable: make([]bool, len(f.Questions)),
		below: make([][]int32, len(f.Categories))}
	for s.first = len(f.Questions); s.first > 0 && f.Derived(s.first-1); s.first-- {
	}
	if s.first < len(f.Questions) {
		s.derived = indexed(&audience.Survey{Questions: f.Questions[s.first:]})
	}
	for i := range f.Questions {
		points := f.Questions[i].Datapoints
		s.usable[i] = !f.HidesQuestion(i) && len(points) == 0
		for j := range points {
			s.usable[i] = s.usable[i] || !f.HidesQuestion(i) && !f.HidesDatapoint(i, j)
		}
	}
	for i := range f.Categories {
		for _, q := range c.descendants(i) {
			if s.usable[q] {
				s.below[i] = append(s.below[i], int32(q))
			}
		}
	}
	return s
}

// each gives every place of the words that begin with a word, and whether it is the word itself that stands there.
func (s *finder) each(word string, yield func(at place, whole bool)) {
	s.index.each(word, yield)
	if s.derived != nil {
		s.derived.each(word, func(at place, whole bool) {
			at.of += int32(s.first)
			yield(at, whole)
		})
	}
}

// coded are the questions that go by a code, as it was searched for.
func (s *finder) coded(text string) []int {
	code := words.Plain(strings.TrimSpace(text))
	list := slices.Clone(s.index.codes[code])
	if s.derived != nil {
		for _, q := range s.derived.codes[code] {
			list = append(list, s.first+q)
		}
	}
	return list
}

// hit is a question that is found.
type hit struct {
	question int
	exact    bool // its code is what is searched for
	score    int
}

// hits are the questions that have all words, ranked, and those whose code is the text.
func (s *finder) hits(text string, sought []string) (list []hit) {
	had := make([]int, len(s.usable)) // how many of the words so far
	score := make([]int, len(s.usable))
	all := 0
	for _, usable := range s.usable {
		if usable {
			all++
		}
	}
	best := make([]int8, len(s.usable))
	for n, word := range sought {
		with := s.standing(word, best)
		rarity := 0
		if len(with) > 0 {
			rarity = bits.Len(uint(all / len(with)))
		}
		for _, q := range with {
			if had[q] == n {
				had[q]++
				score[q] += rarity * int(best[q])
			}
			best[q] = 0
		}
	}
	exact := map[int]bool{}
	for _, q := range s.coded(text) {
		exact[q] = s.usable[q]
	}
	for q := range s.usable {
		if exact[q] || len(sought) > 0 && had[q] == len(sought) {
			list = append(list, hit{q, exact[q], score[q]})
		}
	}
	slices.SortStableFunc(list, func(a, b hit) int {
		switch {
		case a.exact && !b.exact:
			return -1
		case b.exact && !a.exact:
			return 1
		}
		return cmp.Compare(b.score, a.score)
	})
	return list
}

// standing are the questions that have a word, each once, and notes the worth of its best place in each.
func (s *finder) standing(word string, best []int8) (with []int32) {
	note := func(q int32, worth int8) {
		if best[q] == 0 {
			with = append(with, q)
		}
		best[q] = max(best[q], worth)
	}
	s.each(word, func(at place, whole bool) {
		worth := int8(worth(at.text))
		if whole {
			worth++
		}
		if at.text == inCategory {
			for _, q := range s.below[at.of] {
				note(q, worth)
			}
		} else if s.shows(at) {
			note(at.of, worth)
		}
	})
	return with
}

// shows tells whether the caller may use what a place of a question is of.
func (s *finder) shows(at place) bool {
	return s.usable[at.of] && (at.text&^textNumber != inDatapoint ||
		!s.catalogue.frame.HidesDatapoint(int(at.of), int(at.text&textNumber)))
}

// matches says for each hit where the words stand in it.
func (s *finder) matches(hits []hit, sought []string) []*Match {
	of := make(map[int32]int, len(hits))
	texts := make([][]uint32, len(hits))
	categories := make([][]int, len(hits))
	for i, h := range hits {
		of[int32(h.question)] = i
		if h.exact {
			texts[i] = append(texts[i], inCode)
		}
	}
	for _, word := range sought {
		s.each(word, func(at place, _ bool) {
			if at.text == inCategory {
				for _, q := range s.below[at.of] {
					if i, wanted := of[q]; wanted {
						categories[i] = append(categories[i], int(at.of))
					}
				}
			} else if i, wanted := of[at.of]; wanted && s.shows(at) {
				texts[i] = append(texts[i], at.text)
			}
		})
	}
	out := make([]*Match, len(hits))
	for i, h := range hits {
		slices.Sort(texts[i])
		slices.Sort(categories[i])
		out[i] = s.match(h.question, slices.Compact(texts[i]), slices.Compact(categories[i]))
	}
	return out
}

// match writes down the texts of a question, and the categories, that have a word.
func (s *finder) match(question int, texts []uint32, categories []int) *Match {
	q := &s.catalogue.frame.Questions[question]
	m := &Match{Categories: s.catalogue.refs(categories), Datapoints: []MatchedAnswer{}, Suffixes: []MatchedAnswer{}}
	for _, text := range texts {
		number := int(text & textNumber)
		switch text &^ textNumber {
		case inName:
			m.Name = true
		case inCode:
			m.Code = true
		case inDescription:
			m.Description = true
		case inDatapoint:
			m.Datapoints = append(m.Datapoints, MatchedAnswer{q.Datapoints[number].Code, q.Datapoints[number].Name})
		case inSuffix:
			m.Suffixes = append(m.Suffixes, MatchedAnswer{strconv.Itoa(q.Suffixes[number].Code), q.Suffixes[number].Name})
		}
	}
	return m
}
