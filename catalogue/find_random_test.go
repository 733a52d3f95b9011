package catalogue_test

import (
	"cmp"
	"fmt"
	"math/bits"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/catalogue"
	"github.com/crosswave/crosswave/internal/testsize"
	"github.com/crosswave/crosswave/internal/words"
	gocmp "github.com/google/go-cmp/cmp"
)

// vocabulary is words that begin each other, with accents and without.
var vocabulary = []string{"a", "ab", "abc", "tea", "Tea-time", "teapot", "Té", "Straße", "strasse", "st", "L’Oréal",
	"q1", "q_2", "清涼飲料", "料", "x"}

// randomText is a few of those.
func randomText(r *rand.Rand) string {
	var list []string
	for range r.IntN(4) {
		list = append(list, vocabulary[r.IntN(len(vocabulary))])
	}
	return strings.Join(list, " ")
}

// randomSurvey is of two namespaces, with questions and categories that are called anything.
func randomSurvey(r *rand.Rand) *audience.Survey {
	s := &audience.Survey{Namespaces: []audience.Namespace{{Code: "core"}, {Code: "shop", Base: "core"}}}
	for i := range 1 + r.IntN(20) {
		q := audience.Question{Namespace: s.Namespaces[r.IntN(2)].Code, Code: "q" + strconv.Itoa(i), Name: randomText(r),
			Description: randomText(r), Hidden: r.IntN(8) == 0}
		for j := range r.IntN(5) {
			q.Datapoints = append(q.Datapoints, audience.Datapoint{Code: "d" + strconv.Itoa(j), Name: randomText(r)})
		}
		for j := range r.IntN(3) * r.IntN(2) {
			q.Suffixes = append(q.Suffixes, audience.Suffix{Code: j, Name: randomText(r)})
		}
		s.Questions = append(s.Questions, q)
	}
	for i := range r.IntN(6) {
		c := audience.Category{ID: strconv.Itoa(i), Name: randomText(r)}
		if i > 0 && r.IntN(2) == 0 {
			c.Parent = strconv.Itoa(r.IntN(i))
		}
		for range r.IntN(4) {
			c.Questions = append(c.Questions, s.Questions[r.IntN(len(s.Questions))].Key())
		}
		s.Categories = append(s.Categories, c)
	}
	return s
}

// randomGrant allows most of a survey.
func randomGrant(r *rand.Rand, s *audience.Survey) audience.Grant {
	g := audience.All()
	if r.IntN(3) == 0 {
		g.Namespaces = []string{s.Namespaces[r.IntN(2)].Code}
	}
	if r.IntN(2) == 0 {
		g.Questions, g.Datapoints = nil, nil
		for _, q := range s.Questions {
			if r.IntN(4) > 0 {
				g.Questions = append(g.Questions, q.Key())
			}
			for _, d := range q.Datapoints {
				if r.IntN(3) > 0 {
					g.Datapoints = append(g.Datapoints, q.Key()+":"+d.Code)
				}
			}
		}
	}
	return g
}

// allowedOf is what a grant leaves of a survey, as if there were nothing else.
func allowedOf(s *audience.Survey, g audience.Grant) *audience.Survey {
	has := func(list []string, code string) bool {
		return slices.Contains(list, "*") || slices.Contains(list, code)
	}
	left := *s
	left.Questions = nil
	for _, q := range s.Questions {
		points := q.Datapoints
		q.Datapoints = nil
		for _, d := range points {
			if has(g.Datapoints, q.Key()+":"+d.Code) {
				q.Datapoints = append(q.Datapoints, d)
			}
		}
		if !q.Hidden && has(g.Namespaces, q.Namespace) && has(g.Questions, q.Key()) &&
			len(q.Datapoints) >= min(1, len(points)) {
			left.Questions = append(left.Questions, q)
		}
	}
	return &left
}

// scanned is a question as the naive search sees it: what it finds of it, and how much each word counts.
type scanned struct {
	question audience.Question
	line     string
	worth    []int // of each word, 0: it isn't there
	score    int
}

// scan reads all texts of a question for the words.
func scan(s *audience.Survey, q audience.Question, sought []string) scanned {
	out := scanned{question: q, worth: make([]int, len(sought))}
	look := func(text string, worth int) (found bool) {
		for _, word := range words.Text(text) {
			for i, prefix := range sought {
				if strings.HasPrefix(word, prefix) {
					found = true
					out.worth[i] = max(out.worth[i], worth)
				}
				if word == prefix {
					out.worth[i] = max(out.worth[i], worth+1)
				}
			}
		}
		return found
	}
	note := func(found bool, name string) {
		if found {
			out.line += " " + name
		}
	}
	note(look(q.Code, 7), "code")
	note(look(q.Name, 9), "name")
	note(look(q.Description, 1), "description")
	for _, c := range s.Categories {
		note(in(s, c, q) && look(c.Name, 5), "category:"+c.ID)
	}
	for _, d := range q.Datapoints {
		note(look(cmp.Or(d.Name, d.Code), 3), d.Code+"="+d.Name)
	}
	for _, x := range q.Suffixes {
		note(look(x.Name, 3), fmt.Sprintf("/%d=%s", x.Code, x.Name))
	}
	return out
}

// in tells whether a question is in a category or in one below it.
func in(s *audience.Survey, c audience.Category, q audience.Question) bool {
	return slices.Contains(c.Questions, q.Key()) || slices.ContainsFunc(s.Categories, func(below audience.Category) bool {
		return below.Parent == c.ID && in(s, below, q)
	})
}

// naively searches a survey by reading all of it. Codes are no words that are sought here, so none is exact.
func naively(s *audience.Survey, search string) (lines []string) {
	sought := words.Query(search)
	var all []scanned
	with := make([]int, len(sought))
	for _, q := range s.Questions {
		found := scan(s, q, sought)
		for i, worth := range found.worth {
			with[i] += min(1, worth)
		}
		all = append(all, found)
	}
	var hits []scanned
	for _, found := range all {
		if len(sought) == 0 || slices.Contains(found.worth, 0) {
			continue
		}
		for i, worth := range found.worth {
			found.score += worth * bits.Len(uint(len(all)/with[i]))
		}
		hits = append(hits, found)
	}
	slices.SortStableFunc(hits, func(a, b scanned) int { return b.score - a.score })
	for _, hit := range hits {
		lines = append(lines, hit.question.Key()+hit.line)
	}
	return lines
}

// Whoever searches finds what a search through all texts finds that knows of nothing but what the grant leaves, in the
// same order.
func TestFindRandomly(t *testing.T) {
	found := 0
	for seed := range uint64(testsize.Of(40, 300, 10_000)) {
		r := rand.New(rand.NewPCG(seed, 17))
		s := randomSurvey(r)
		f := frameOf(t, s)
		for range 3 {
			grant := randomGrant(r, s)
			left := allowedOf(s, grant)
			for range 5 {
				search := randomText(r)
				if strings.TrimSpace(search) == "" || strings.HasPrefix(search, "q") && !strings.Contains(search, " ") {
					continue
				}
				want := naively(left, search)
				found += len(want)
				if d := gocmp.Diff(want, told(t, f.For(grant), catalogue.QuestionFilter{Search: search})); d != "" {
					t.Fatalf("seed %d, %q:\n%s", seed, search, d)
				}
			}
		}
	}
	if found < 100 {
		t.Errorf("only %d questions were found", found)
	}
}
