package catalogue

import (
	"cmp"
	"slices"

	"github.com/crosswave/crosswave/audience"
)

// Catalogue answers questions about one version of a survey, as one caller may use it. It is immutable, and so are its
// answers: they share memory with the survey and with each other.
type Catalogue struct {
	frame      *audience.Frame
	categories []shelf // of the survey's categories, one by one
	shelves    [][]int // question → the categories that list it, in the survey's order
	datasets   []DatasetRecord
	byDataset  map[string]int // code → index into datasets
}

// shelf is what is known of a category beyond its record: how it stands among the others.
type shelf struct {
	above     []int    // the categories it is in, the topmost first
	children  []int    // the categories in it, by order
	questions []int    // those it lists itself
	datasets  []string // codes: those it names and those that the categories above it name
}

// New is the catalogue of a frame: what the frame hides is listed as not accessible. It is made once for each frame.
func New(f *audience.Frame) *Catalogue { return audience.Derive(f, arranged) }

// arranged makes the catalogue of a frame.
func arranged(f *audience.Frame) *Catalogue {
	c := &Catalogue{frame: f, categories: make([]shelf, len(f.Categories)), shelves: make([][]int, len(f.Questions)),
		byDataset: make(map[string]int, len(f.Datasets))}
	c.arrange()
	for i, d := range f.Datasets {
		c.byDataset[d.Code] = i
	}
	for i := range f.Datasets {
		c.datasets = append(c.datasets, c.dataset(i))
	}
	return c
}

// arrange finds out how the categories stand among each other and what they hold.
func (c *Catalogue) arrange() {
	byID := make(map[string]int, len(c.categories))
	for i := range c.frame.Categories {
		byID[c.frame.Categories[i].ID] = i
	}
	for i := range c.frame.Categories {
		cat, at := &c.frame.Categories[i], &c.categories[i]
		at.above = c.above(i, byID)
		if parent, ok := byID[cat.Parent]; ok {
			c.categories[parent].children = append(c.categories[parent].children, i)
		}
		for _, k := range append(slices.Clone(at.above), i) {
			at.datasets = addOnce(at.datasets, c.frame.Categories[k].Datasets)
		}
		for _, code := range cat.Questions {
			if q := c.find(code); q >= 0 {
				if !c.frame.Questions[q].Hidden { // nobody is told of those
					at.questions = append(at.questions, q)
				}
				c.shelves[q] = append(c.shelves[q], i)
			}
		}
	}
	for i := range c.categories {
		c.inOrder(c.categories[i].children)
	}
}

// above is the categories that category i is in, the topmost first. Should categories form a ring, it is cut where it
// closes.
func (c *Catalogue) above(i int, byID map[string]int) []int {
	var up []int
	for seen := map[int]bool{i: true}; ; {
		parent, ok := byID[c.frame.Categories[i].Parent]
		if !ok || seen[parent] {
			slices.Reverse(up)
			return up
		}
		seen[parent] = true
		up = append(up, parent)
		i = parent
	}
}

// inOrder sorts categories by their order; ties stay as the survey lists them.
func (c *Catalogue) inOrder(categories []int) {
	slices.SortStableFunc(categories, func(a, b int) int {
		return cmp.Compare(c.frame.Categories[a].Order,
			c.frame.Categories[b].Order)
	})
}

// find is the question that a code names, looked up as in an expression; -1 if there is none or if several answer to
// it.
func (c *Catalogue) find(code string) int {
	i, err := c.frame.Question(code)
	if err != nil {
		return -1
	}
	return i
}

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

// CategoryRef names a category. It is the element of every list of categories inside another record: lineage,
// child_categories, categories_lineage.
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

// Attribute names an attribute: the element of descendant_attributes. SuffixCode and SuffixName are "" where the
// question is no grid.
type Attribute struct {
	NamespaceCode string `json:"namespace_code"`
	QuestionCode  string `json:"question_code"`
	QuestionName  string `json:"question_name"`
	DatapointCode string `json:"datapoint_code"`
	DatapointName string `json:"datapoint_name"`
	SuffixCode    string `json:"suffix_code"`
	SuffixName    string `json:"suffix_name"`
}

// addOnce appends those of more that the list does not hold.
func addOnce[T comparable](list, more []T) []T {
	for _, x := range more {
		if !slices.Contains(list, x) {
			list = append(list, x)
		}
	}
	return list
}

// picks tells whether a code is among those asked for; none asked for is all.
func picks(asked []string, code string) bool { return len(asked) == 0 || slices.Contains(asked, code) }
