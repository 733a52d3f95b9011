package catalogue

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/crosswave/crosswave/audience"
)

// QuestionFilter says which questions to list and how much of each.
type QuestionFilter struct {
	Questions []QuestionCode // none: all
	// Categories, Datapoints (with suffixes) and TaxonomyPaths include what is left out otherwise.
	Categories, Datapoints, TaxonomyPaths bool
}

// QuestionCode picks a question, or all of a namespace where Question is "". Without a namespace the code is looked up as in an expression.
type QuestionCode struct{ Namespace, Question string }

// QuestionRecord is a question as the catalogue lists it. Lists that were not asked for are nil and not written; all else is always written.
type QuestionRecord struct {
	Code          string `json:"code"`
	Name          string `json:"name"`
	Description   string `json:"description"`
	NamespaceCode string `json:"namespace_code"`
	Unit          string `json:"unit"`
	// Accessible tells whether the caller may use the question; single datapoints may still be closed.
	Accessible bool `json:"accessible"`
	// AttributeCount is datapoints × suffixes, or datapoints where there are no suffixes.
	AttributeCount int      `json:"attribute_count"`
	Order          int      `json:"order"` // as declared, else the place in the survey, from 1
	Flags          []string `json:"flags"`
	KnowledgeBase  string   `json:"knowledge_base"`
	Message        string   `json:"message"`
	Notice         string   `json:"notice"`
	Warning        string   `json:"warning"`

	Datapoints    []DatapointRecord `json:"datapoints,omitzero"`
	Suffixes      []SuffixRecord    `json:"suffixes,omitzero"`
	Datasets      []DatasetRecord   `json:"datasets"`
	Categories    []CategoryRecord  `json:"categories,omitzero"`
	TaxonomyPaths []TaxonomyPath    `json:"taxonomy_paths,omitzero"`
}

// DatapointRecord is an answer code.
type DatapointRecord struct {
	Accessible bool   `json:"accessible"`
	Code       string `json:"code"`
	Name       string `json:"name"`
	Midpoint   *Value `json:"midpoint"`
	Order      *Value `json:"order"` // as declared, else the place in the question, from 1
}

// SuffixRecord is a second answer code of a grid.
type SuffixRecord struct {
	Code     string `json:"code"`
	Name     string `json:"name"`
	Midpoint *Value `json:"midpoint"`
	Order    *Value `json:"order"`
}

// Questions lists the questions that a filter picks, in the survey's order. Codes that match nothing give no record.
func (c *Catalogue) Questions(filter QuestionFilter) []QuestionRecord {
	out := []QuestionRecord{}
	picked := c.picked(filter.Questions)
	for i := range c.survey.Questions {
		if picked == nil || picked[i] {
			out = append(out, c.question(i, filter))
		}
	}
	return out
}

// picked is the set of questions that codes name, or nil for all.
func (c *Catalogue) picked(codes []QuestionCode) map[int]bool {
	if len(codes) == 0 {
		return nil
	}
	set := map[int]bool{}
	for _, code := range codes {
		switch {
		case code.Question == "":
			for i := range c.survey.Questions {
				if c.survey.Questions[i].Namespace == code.Namespace {
					set[i] = true
				}
			}
		case code.Namespace != "":
			if i, ok := c.questions[code.Namespace+"."+code.Question]; ok {
				set[i] = true
			}
		default:
			if q, err := c.frame.Question(code.Question); err == nil && q >= 0 {
				set[c.questions[c.frame.Questions[q].Key()]] = true
			}
		}
	}
	return set
}

func (c *Catalogue) question(i int, filter QuestionFilter) QuestionRecord {
	q := &c.survey.Questions[i]
	framed := c.framed(q)
	r := QuestionRecord{
		Code: q.Code, Name: q.Name, Description: q.Description, NamespaceCode: q.Namespace, Unit: q.Unit,
		Accessible: framed != nil && !framed.Hidden, AttributeCount: q.attributes(), Order: cmp.Or(q.Order, i+1), Flags: texts(q.Flags),
		KnowledgeBase: q.KnowledgeBase, Message: q.Message, Notice: q.Notice, Warning: q.Warning,
		Datasets: c.datasetRecords(c.datasetsOf(q)),
	}
	if filter.Datapoints {
		r.Datapoints, r.Suffixes = datapoints(q, framed), suffixes(q)
	}
	if filter.Categories {
		r.Categories = []CategoryRecord{}
		for _, cat := range c.shelves[q.key()] {
			r.Categories = append(r.Categories, c.category(cat, []string{q.key()}))
		}
	}
	if filter.TaxonomyPaths {
		r.TaxonomyPaths = c.taxonomyPaths(q)
	}
	return r
}

// framed is the question as the frame knows it, nil if it does not.
func (c *Catalogue) framed(q *Question) *audience.Question {
	if i, err := c.frame.Question(q.key()); err == nil && i >= 0 {
		return &c.frame.Questions[i]
	}
	return nil
}

func (q *Question) attributes() int { return len(q.Datapoints) * max(1, len(q.Suffixes)) }

func datapoints(q *Question, framed *audience.Question) []DatapointRecord {
	out := []DatapointRecord{}
	for i, d := range q.Datapoints {
		open := false
		if framed != nil {
			at := framed.Datapoint(d.Code)
			open = at >= 0 && !framed.Hidden && !framed.Datapoints[at].Hidden
		}
		out = append(out, DatapointRecord{Accessible: open, Code: d.Code, Name: d.Name, Midpoint: value(d.Midpoint), Order: orderOr(d.Order, i)})
	}
	return out
}

func suffixes(q *Question) []SuffixRecord {
	out := []SuffixRecord{}
	for i, s := range q.Suffixes {
		out = append(out, SuffixRecord{Code: strconv.Itoa(s.Code), Name: s.Name, Midpoint: value(s.Midpoint), Order: orderOr(s.Order, i)})
	}
	return out
}

func orderOr(declared *float64, i int) *Value {
	if declared != nil {
		return &Value{*declared}
	}
	return &Value{float64(i + 1)}
}

// datasetsOf is the codes of the datasets a question is in: its own, or where it names none those of its categories and the categories above them.
func (c *Catalogue) datasetsOf(q *Question) []string {
	if len(q.Datasets) > 0 {
		return q.Datasets
	}
	var codes []string
	for _, cat := range c.shelves[q.key()] {
		for _, code := range c.datasetsOfCategory(cat) {
			if !slices.Contains(codes, code) {
				codes = append(codes, code)
			}
		}
	}
	return codes
}
