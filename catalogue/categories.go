package catalogue

import (
	"slices"
	"strconv"

	"github.com/crosswave/crosswave/audience"
)

// CategoryRecord is a category as the catalogue lists it.
type CategoryRecord struct {
	ID          string `json:"id"`
	Name        string `json:"name"`
	Description string `json:"description"`
	Order       int    `json:"order"` // as declared, 0 if it is not
	// AttributeCount counts the attributes of all questions in the category and in those below it, each question once.
	AttributeCount  int             `json:"attribute_count"`
	Lineage         []CategoryRef   `json:"lineage"`          // the categories it is in, the topmost first
	ChildCategories []CategoryRef   `json:"child_categories"` // those directly in it, by order
	ChildQuestions  []QuestionRef   `json:"child_questions"`  // those it lists itself
	Datasets        []DatasetRecord `json:"datasets"`         // those it names and those that the categories above it name
	// DescendantAttributes are the attributes of all questions in the category and below it; inside a question record
	// those of that question.
	DescendantAttributes []Attribute `json:"descendant_attributes"`
	// to the category: one per dataset, which ends with the category itself
	TaxonomyPaths []TaxonomyPath `json:"taxonomy_paths"`
}

// TaxonomyPath is a way from a dataset down to a question or a category: the categories one goes through, the topmost
// first.
type TaxonomyPath struct {
	CategoriesLineage []CategoryRef `json:"categories_lineage"`
	Dataset           DatasetRecord `json:"dataset"`
}

// Categories lists categories in the survey's order; no ids means all. Ids that match nothing give no record.
func (c *Catalogue) Categories(ids []string) []CategoryRecord {
	out := []CategoryRecord{}
	for i := range c.frame.Categories {
		if picks(ids, c.frame.Categories[i].ID) {
			out = append(out, c.category(i, c.descendants(i)))
		}
	}
	return out
}

// category makes the record of category i; attributes are listed of the given questions.
func (c *Catalogue) category(i int, listed []int) CategoryRecord {
	cat, at := &c.frame.Categories[i], &c.categories[i]
	r := CategoryRecord{ID: cat.ID, Name: cat.Name, Description: cat.Description, Order: cat.Order,
		Lineage: c.refs(at.above), ChildCategories: c.refs(at.children), ChildQuestions: []QuestionRef{},
		Datasets: c.datasetRecords(at.datasets), DescendantAttributes: []Attribute{}, TaxonomyPaths: []TaxonomyPath{}}
	for _, k := range at.questions {
		q := &c.frame.Questions[k]
		r.ChildQuestions = append(r.ChildQuestions, QuestionRef{NamespaceCode: q.Namespace, Code: q.Code, Name: q.Name})
	}
	for _, k := range c.descendants(i) {
		r.AttributeCount += attributes(&c.frame.Questions[k])
	}
	for _, k := range listed {
		r.DescendantAttributes = appendAttributes(r.DescendantAttributes, &c.frame.Questions[k])
	}
	for _, d := range r.Datasets {
		r.TaxonomyPaths = append(r.TaxonomyPaths, TaxonomyPath{CategoriesLineage: c.down(i), Dataset: d})
	}
	return r
}

func appendAttributes(out []Attribute, q *audience.Question) []Attribute {
	for _, d := range q.Datapoints {
		a := Attribute{NamespaceCode: q.Namespace, QuestionCode: q.Code, QuestionName: q.Name, DatapointCode: d.Code,
			DatapointName: d.Name}
		if len(q.Suffixes) == 0 {
			out = append(out, a)
		}
		for _, s := range q.Suffixes {
			a.SuffixCode, a.SuffixName = strconv.Itoa(s.Code), s.Name
			out = append(out, a)
		}
	}
	return out
}

// descendants is the questions in category i and in those below it, each once: its own first, then those of its
// children by order.
func (c *Catalogue) descendants(i int) []int {
	var questions []int
	listed, seen := map[int]bool{}, map[int]bool{}
	var walk func(int)
	walk = func(i int) {
		if seen[i] {
			return
		}
		seen[i] = true
		for _, q := range c.categories[i].questions {
			if !listed[q] {
				listed[q] = true
				questions = append(questions, q)
			}
		}
		for _, child := range c.categories[i].children {
			walk(child)
		}
	}
	walk(i)
	return questions
}

func (c *Catalogue) refs(categories []int) []CategoryRef {
	out := []CategoryRef{}
	for _, i := range categories {
		out = append(out, c.ref(i))
	}
	return out
}

func (c *Catalogue) ref(i int) CategoryRef {
	cat := &c.frame.Categories[i]
	return CategoryRef{ID: cat.ID, Name: cat.Name, Order: cat.Order}
}

// down is the way from the topmost category to category i.
func (c *Catalogue) down(i int) []CategoryRef {
	return append(c.refs(c.categories[i].above), c.ref(i))
}

// taxonomyPaths is the ways to question i: for each of its datasets each category that lists it. A category that is in
// datasets is on the ways from those only.
func (c *Catalogue) taxonomyPaths(i int) []TaxonomyPath {
	out := []TaxonomyPath{}
	for _, d := range c.datasetRecords(c.datasetsOf(i)) {
		for _, k := range c.shelves[i] {
			if in := c.categories[k].datasets; len(in) == 0 || slices.Contains(in, d.Code) {
				out = append(out, TaxonomyPath{CategoriesLineage: c.down(k), Dataset: d})
			}
		}
	}
	return out
}
