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
	Order             int           `json:"order"`
	IsSyndicated      bool          `json:"is_syndicated"`
	ChildCategories   []CategoryRef `json:"child_categories"` // the topmost categories in it
}

// Datasets lists datasets in the survey's order; no codes means all. Codes that match nothing give no record.
func (c *Catalogue) Datasets(codes []string) []DatasetRecord {
	out := []DatasetRecord{}
	for i := range c.survey.Datasets {
		if picks(codes, c.survey.Datasets[i].Code) {
			out = append(out, c.dataset(i))
		}
	}
	return out
}

// datasetRecords is the records of datasets in the order of their codes; codes without a record are left out.
func (c *Catalogue) datasetRecords(codes []string) []DatasetRecord {
	out := []DatasetRecord{}
	for _, code := range codes {
		if i, ok := c.datasets[code]; ok {
			out = append(out, c.dataset(i))
		}
	}
	return out
}

func (c *Catalogue) dataset(i int) DatasetRecord {
	d := &c.survey.Datasets[i]
	r := DatasetRecord{Code: d.Code, Name: d.Name, Description: d.Description, BaseAudienceLabel: d.BaseAudienceLabel,
		BaseNamespaceCode: d.BaseNamespace, Order: d.Order, IsSyndicated: d.Syndicated}
	for seen, up := map[string]bool{d.Code: true}, d.Parent; up != "" && !seen[up]; r.Depth++ {
		seen[up] = true
		parent, ok := c.datasets[up]
		if !ok {
			break
		}
		up = c.survey.Datasets[parent].Parent
	}
	var top []int
	for k := range c.survey.Categories {
		if slices.Contains(c.survey.Categories[k].Datasets, d.Code) && !slices.Contains(c.aboveDatasets(k), d.Code) {
			top = append(top, k)
		}
	}
	r.ChildCategories = c.refs(top)
	return r
}

// aboveDatasets is the datasets that the categories above category i name.
func (c *Catalogue) aboveDatasets(i int) (codes []string) {
	for _, k := range c.above(i) {
		codes = append(codes, c.survey.Categories[k].Datasets...)
	}
	return codes
}

// HasDataset tells whether there is a dataset with that code.
func (c *Catalogue) HasDataset(code string) bool {
	_, ok := c.datasets[code]
	return ok
}

// DatasetsOf is the codes of the datasets that the questions of an expression are in, in the order of first use.
func (c *Catalogue) DatasetsOf(x audience.Expr) []string {
	codes := []string{}
	audience.Walk(x, func(x audience.Expr) bool {
		leaf, ok := x.(audience.Answers)
		if !ok {
			return true
		}
		if i, err := c.frame.Question(leaf.Question); err == nil && i >= 0 {
			for _, code := range c.datasetsOf(&c.survey.Questions[c.questions[c.frame.Questions[i].Key()]]) {
				if !slices.Contains(codes, code) {
					codes = append(codes, code)
				}
			}
		}
		return true
	})
	return codes
}
