package catalogue

import (
	"slices"

	"github.com/crosswave/crosswave/audience"
)

// DatasetRecord is a dataset as the catalogue lists it.
type DatasetRecord struct {
	Code              string        `json:"code"`
	Name              string        `json:"name"`
	Description       string        `json:"description"`
	BaseAudienceLabel string        `json:"base_audience_label"`
	BaseNamespaceCode string        `json:"base_namespace_code"`
	Depth             int           `json:"depth"` // how many datasets it is part of, one inside the other
	Order             int           `json:"order"` // as declared, 0 if it is not
	IsSyndicated      bool          `json:"is_syndicated"`
	ChildCategories   []CategoryRef `json:"child_categories"` // the topmost categories that name it, by order
}

// Datasets lists datasets in the survey's order; no codes means all. Codes that match nothing give no record.
func (c *Catalogue) Datasets(codes []string) []DatasetRecord {
	out := []DatasetRecord{}
	for i := range c.datasets {
		if picks(codes, c.datasets[i].Code) {
			out = append(out, c.datasets[i])
		}
	}
	return out
}

// datasetRecords is the records of datasets in the order of their codes; codes without a record are left out.
func (c *Catalogue) datasetRecords(codes []string) []DatasetRecord {
	out := []DatasetRecord{}
	for _, code := range codes {
		if i, ok := c.byDataset[code]; ok {
			out = append(out, c.datasets[i])
		}
	}
	return out
}

// dataset makes the record of dataset i.
func (c *Catalogue) dataset(i int) DatasetRecord {
	d := &c.frame.Datasets[i]
	r := DatasetRecord{Code: d.Code, Name: d.Name, Description: d.Description, BaseAudienceLabel: d.BaseAudienceLabel,
		BaseNamespaceCode: d.BaseNamespace, Order: d.Order, IsSyndicated: d.Syndicated}
	seen := map[int]bool{i: true}
	for up, ok := c.byDataset[d.Parent]; ok && !seen[up]; up, ok = c.byDataset[c.frame.Datasets[up].Parent] {
		seen[up] = true
		r.Depth++
	}
	var top []int
	for k := range c.categories {
		names := func(k int) bool { return slices.Contains(c.frame.Categories[k].Datasets, d.Code) }
		if names(k) && !slices.ContainsFunc(c.categories[k].above, names) {
			top = append(top, k)
		}
	}
	c.inOrder(top)
	r.ChildCategories = c.refs(top)
	return r
}

// DatasetsOf is the codes of the datasets that the questions of an expression are in, in the order of first use.
func (c *Catalogue) DatasetsOf(x audience.Expr) []string {
	codes := []string{}
	audience.Walk(x, func(x audience.Expr) bool {
		if leaf, ok := x.(audience.Answers); ok {
			if q := c.find(leaf.Question); q >= 0 {
				codes = addOnce(codes, c.datasetsOf(q))
			}
		}
		return true
	})
	return codes
}

// datasetsOf is the codes of the datasets that question i is in: those it names, or where it names none those of its
// categories; of a derived question those of the questions that it reads.
func (c *Catalogue) datasetsOf(i int) []string {
	if c.frame.Derived(i) {
		var all audience.Or
		for _, d := range c.frame.Definition(i).Datapoints {
			all = append(all, d.Expr)
		}
		return c.DatasetsOf(all)
	}
	if own := c.frame.Questions[i].Datasets; len(own) > 0 {
		return own
	}
	var codes []string
	for _, k := range c.shelves[i] {
		codes = addOnce(codes, c.categories[k].datasets)
	}
	return codes
}
