package catalogue

import (
	"cmp"
	"context"
	"slices"

	"github.com/crosswave/crosswave/audience"
)

// Store is what the catalogue is read from. The Frame may be that of a restricted store: what it marks Hidden is listed as not accessible.
type Store interface {
	audience.Framer
	// Survey returns what is recorded about the survey.
	Survey(ctx context.Context) (*Survey, error)
}

// Catalogue answers questions about one version of a survey, as one caller may use it. It is immutable.
type Catalogue struct {
	survey *Survey
	frame  *audience.Frame

	categories map[string]int   // by id
	datasets   map[string]int   // by code
	questions  map[string]int   // by key: index into survey.Questions
	shelves    map[string][]int // question key → the categories that list it, in the survey's order
	contents   [][]string       // category → the keys of the questions it lists itself
	children   map[string][]int // category id → the categories in it
}

// Load reads the catalogue from a store.
func Load(ctx context.Context, st Store) (*Catalogue, error) {
	f, err := st.Frame(ctx)
	if err != nil {
		return nil, err
	}
	s, err := st.Survey(ctx)
	if err != nil {
		return nil, err
	}
	return New(s, f), nil
}

// New makes a catalogue of a survey's records and its frame.
func New(s *Survey, f *audience.Frame) *Catalogue {
	c := &Catalogue{survey: s, frame: f, categories: map[string]int{}, datasets: map[string]int{}, questions: map[string]int{},
		shelves: map[string][]int{}, contents: make([][]string, len(s.Categories)), children: map[string][]int{}}
	for i := range s.Questions {
		c.questions[s.Questions[i].key()] = i
	}
	for i, d := range s.Datasets {
		c.datasets[d.Code] = i
	}
	for i, cat := range s.Categories {
		c.categories[cat.ID] = i
		c.children[cat.Parent] = append(c.children[cat.Parent], i)
		for _, code := range cat.Questions {
			if q, err := f.Question(code); err == nil && q >= 0 {
				key := f.Questions[q].Key()
				c.contents[i] = append(c.contents[i], key)
				c.shelves[key] = append(c.shelves[key], i)
			}
		}
	}
	for _, list := range c.children {
		slices.SortStableFunc(list, func(a, b int) int { return cmp.Compare(s.Categories[a].Order, s.Categories[b].Order) })
	}
	return c
}

func (q *Question) key() string { return q.Namespace + "." + q.Code }

// Value is a number that a record may lack; nil pointers to it are written as null.
type Value struct {
	Value float64 `json:"value"`
}

func value(x *float64) *Value {
	if x == nil {
		return nil
	}
	return &Value{*x}
}

// CategoryRef names a category. It is the element of every list of categories inside another record: lineage, child_categories, categories_lineage.
type CategoryRef struct {
	ID    string `json:"id"`
	Name  string `json:"name"`
	Order int    `json:"order"`
}

// QuestionRef names a question: the element of child_questions.
type QuestionRef struct {
	NamespaceCode string `json:"namespace_code"`
	Code          string `json:"code"`
	Name          string `json:"name"`
}

// Attribute names an attribute: the element of descendant_attributes. SuffixCode is "" where the question is no grid.
type Attribute struct {
	NamespaceCode string `json:"namespace_code"`
	QuestionCode  string `json:"question_code"`
	QuestionName  string `json:"question_name"`
	DatapointCode string `json:"datapoint_code"`
	DatapointName string `json:"datapoint_name"`
	SuffixCode    string `json:"suffix_code"`
	SuffixName    string `json:"suffix_name"`
}

// texts is a list as records show it: never null.
func texts(list []string) []string {
	if list == nil {
		return []string{}
	}
	return list
}

// picks tells whether a code is among those asked for; none asked for is all.
func picks(asked []string, code string) bool { return len(asked) == 0 || slices.Contains(asked, code) }
