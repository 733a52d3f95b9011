package catalogue

import (
	"slices"
	"strconv"
)

// CategoryRecord is a category as the catalogue lists it.
type CategoryRecord struct {
	ID          string `json:"id"`
	Name        string `json:"name"`
	Description string `json:"description"`
	Order       int    `json:"order"`
	// AttributeCount counts the attributes of all questions in the category and in those below it, each question once.
	AttributeCount  int             `json:"attribute_count"`
	Lineage         []CategoryRef   `json:"lineage"`          // the categories it is in, the topmost first
	ChildCategories []CategoryRef   `json:"child_categories"` // by order
	ChildQuestions  []QuestionRef   `json:"child_questions"`  // those it lists itself
	Datasets        []DatasetRecord `json:"datasets"`
	// DescendantAttributes are the attributes of all questions in the category and below it; inside a question record those of that question.
	DescendantAttributes []Attribute    `json:"descendant_attributes"`
	TaxonomyPaths        []TaxonomyPath `json:"taxonomy_paths"`
}

// TaxonomyPath is a way from a dataset down to a record: the categories from the topmost to the one that holds it.
type TaxonomyPath struct {
	CategoriesLineage []CategoryRef `json:"categories_lineage"`
	Dataset           DatasetRecord `json:"dataset"`
}

// Categories lists categories in the survey's order; no ids means all. Ids that match nothing give no record.
func (c *Catalogue) Categories(ids []string) []CategoryRecord {
	out := []CategoryRecord{}
	for i := range c.survey.Categories {
		if picks(ids, c.survey.Categories[i].ID) {
			out = append(out, c.category(i, c.descendants(i)))
		}
	}
	return out
}

// category makes the record of category i; attributes are listed of the questions with the given keys.
func (c *Catalogue) category(i int, listed []string) CategoryRecord {
	cat := &c.survey.Categories[i]
	r := CategoryRecord{ID: cat.ID, Name: cat.Name, Description: cat.Description, Order: cat.Order,
		Lineage: c.refs(c.above(i)), ChildCategories: c.refs(c.children[cat.ID]), ChildQuestions: []QuestionRef{},
		Datasets: c.datasetRecords(c.datasetsOfCategory(i)), DescendantAttributes: []Attribute{}, TaxonomyPaths: []TaxonomyPath{}}
	for _, key := range c.contents[i] {
		q := &c.survey.Questions[c.questions[key]]
		r.ChildQuestions = append(r.ChildQuestions, QuestionRef{NamespaceCode: q.Namespace, Code: q.Code, Name: q.Name})
	}
	for _, key := range c.descendants(i) {
		r.AttributeCount += c.survey.Questions[c.questions[key]].attributes()
	}
	for _, key := range listed {
		r.DescendantAttributes = appendAttributes(r.DescendantAttributes, &c.survey.Questions[c.questions[key]])
	}
	for _, d := range r.Datasets {
		r.TaxonomyPaths = append(r.TaxonomyPaths, TaxonomyPath{CategoriesLineage: c.refs(append(c.above(i), i)), Dataset: d})
	}
	return r
}

func appendAttributes(out []Attribute, q *Question) []Attribute {
	for _, d := range q.Datapoints {
		a := Attribute{NamespaceCode: q.Namespace, QuestionCode: q.Code, QuestionName: q.Name, DatapointCode: d.Code, DatapointName: d.Name}
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

// above is the categories that category i is in, the topmost first. A survey whose categories form a ring is cut where it closes.
func (c *Catalogue) above(i int) []int {
	var up []int
	for seen := map[int]bool{i: true}; ; {
		parent, ok := c.categories[c.survey.Categories[i].Parent]
		if !ok || seen[parent] {
			slices.Reverse(up)
			return up
		}
		seen[parent] = true
		up = append(up, parent)
		i = parent
	}
}

// descendants is the keys of the questions in category i and in those below it, each once.
func (c *Catalogue) descendants(i int) []string {
	var keys []string
	seen, listed := map[int]bool{}, map[string]bool{}
	var walk func(int)
	walk = func(i int) {
		if seen[i] {
			return
		}
		seen[i] = true
		for _, key := range c.contents[i] {
			if !listed[key] {
				listed[key] = true
				keys = append(keys, key)
			}
		}
		for _, child := range c.children[c.survey.Categories[i].ID] {
			walk(child)
		}
	}
	walk(i)
	return keys
}

func (c *Catalogue) refs(list []int) []CategoryRef {
	out := []CategoryRef{}
	for _, i := range list {
		cat := &c.survey.Categories[i]
		out = append(out, CategoryRef{ID: cat.ID, Name: cat.Name, Order: cat.Order})
	}
	return out
}

// datasetsOfCategory is the codes of the datasets a category is in: its own and those of the categories above it.
func (c *Catalogue) datasetsOfCategory(i int) []string {
	var codes []string
	for _, k := range append(c.above(i), i) {
		for _, code := range c.survey.Categories[k].Datasets {
			if !slices.Contains(codes, code) {
				codes = append(codes, code)
			}
		}
	}
	return codes
}

// taxonomyPaths is the ways to a question: for each of its datasets each category that lists it. A category that names datasets is on the ways from those only.
func (c *Catalogue) taxonomyPaths(q *Question) []TaxonomyPath {
	out := []TaxonomyPath{}
	for _, d := range c.datasetRecords(c.datasetsOf(q)) {
		for _, cat := range c.shelves[q.key()] {
			if in := c.datasetsOfCategory(cat); len(in) == 0 || slices.Contains(in, d.Code) {
				out = append(out, TaxonomyPath{CategoriesLineage: c.refs(append(c.above(cat), cat)), Dataset: d})
			}
		}
	}
	return out
}
