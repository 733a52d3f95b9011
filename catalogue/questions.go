package catalogue

import (
	"cmp"
	"errors"
	"fmt"
	"strconv"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/internal/strictjson"
)

// QuestionFilter says which questions to list and how much of each.
type QuestionFilter struct {
	Questions []QuestionCode // none: all
	// Categories, Datapoints (with suffixes) and TaxonomyPaths include what is left out otherwise.
	Categories, Datapoints, TaxonomyPaths bool
	// Search is words that the questions must have, as Find tells; blank: none.
	Search string
	// Limit is how many to list at most, 0 for all, and Offset how many to leave out before them.
	Limit, Offset int
}

// QuestionCode picks a question, or all of a namespace where Question is "". Without a Namespace the code is looked up
// as in an expression, which may be written with its namespace ("core.q1").
type QuestionCode struct{ Namespace, Question string }

// QuestionRecord is a question as the catalogue lists it. Lists that were not asked for are nil and not written; all
// else is always written.
type QuestionRecord struct {
	Code          string `json:"code"`
	Name          string `json:"name"`
	Description   string `json:"description"`
	NamespaceCode string `json:"namespace_code"`
	Unit          string `json:"unit"`
	// Accessible tells whether the caller may use the question: it and at least one of its datapoints. Single
	// datapoints may still be closed.
	Accessible bool `json:"accessible"`
	// AttributeCount is datapoints × suffixes, or datapoints where there are no suffixes.
	AttributeCount int `json:"attribute_count"`
	// Derived tells that nobody was asked: the answers are expressions over other questions.
	Derived       bool     `json:"derived,omitempty"`
	Order         int      `json:"order"` // as declared, else the place in the survey, from 1
	Flags         []string `json:"flags"`
	KnowledgeBase string   `json:"knowledge_base"`
	Message       string   `json:"message"`
	Notice        string   `json:"notice"`
	Warning       string   `json:"warning"`

	Datapoints []DatapointRecord `json:"datapoints,omitzero"`
	Suffixes   []SuffixRecord    `json:"suffixes,omitzero"`
	Datasets   []DatasetRecord   `json:"datasets"`
	// those that list the question; their lineage leads up from there
	Categories    []CategoryRecord `json:"categories,omitzero"`
	TaxonomyPaths []TaxonomyPath   `json:"taxonomy_paths,omitzero"`
	// where the words of a search stand; nil without one
	Match *Match `json:"match,omitzero"`
}

// DatapointRecord is an answer code.
type DatapointRecord struct {
	Accessible bool   `json:"accessible"`
	Code       string `json:"code"`
	Name       string `json:"name"`
	Midpoint   *Value `json:"midpoint"` // null where the answer stands for no number
	Order      *Value `json:"order"`    // as declared, else the place in the question, from 1
}

// SuffixRecord is a second answer code of a grid.
type SuffixRecord struct {
	Code     string `json:"code"`
	Name     string `json:"name"`
	Midpoint *Value `json:"midpoint"`
	Order    *Value `json:"order"`
}

// Questions lists the questions that a filter picks, in the survey's order or that of a search, but for those that the
// survey hides. Codes that match nothing give no record; one that several namespaces answer to is an
// *audience.InvalidError that names them. Find tells how many there are, too.
func (c *Catalogue) Questions(filter QuestionFilter) ([]QuestionRecord, error) {
	found, err := c.Find(filter)
	return found.Questions, err
}

// picked is the set of questions that codes name, or nil for all.
func (c *Catalogue) picked(codes []QuestionCode) (map[int]bool, error) {
	if len(codes) == 0 {
		return nil, nil
	}
	set := map[int]bool{}
	for n, code := range codes {
		switch {
		case code.Question == "":
			for i := range c.frame.Questions {
				if c.frame.Questions[i].Namespace == code.Namespace {
					set[i] = true
				}
			}
		case code.Namespace != "":
			if i := c.frame.QuestionIn(code.Namespace, code.Question); i >= 0 {
				set[i] = true
			}
		default:
			if _, err := c.frame.Question(code.Question); err != nil {
				if several := (*audience.InvalidError)(nil); errors.As(err, &several) {
					err = &audience.InvalidError{Path: fmt.Sprintf("questions[%d].question", n), Reason: several.Reason}
				}
				return nil, err
			}
			if i := c.find(code.Question); i >= 0 {
				set[i] = true
			}
		}
	}
	return set, nil
}

func (c *Catalogue) question(i int, filter QuestionFilter) QuestionRecord {
	q := &c.frame.Questions[i]
	r := QuestionRecord{
		Code: q.Code, Name: q.Name, Description: q.Description, NamespaceCode: q.Namespace, Unit: q.Unit,
		Accessible:     c.accessible(i),
		AttributeCount: attributes(q), Derived: c.frame.Derived(i),
		Order: cmp.Or(q.Order, i+1), Flags: strictjson.List(q.Flags),
		KnowledgeBase: q.KnowledgeBase, Message: q.Message, Notice: q.Notice, Warning: q.Warning,
		Datasets: c.datasetRecords(c.datasetsOf(i)),
	}
	if filter.Datapoints {
		r.Datapoints, r.Suffixes = c.datapoints(i), suffixes(q)
	}
	if filter.Categories {
		r.Categories = []CategoryRecord{}
		for _, k := range c.shelves[i] {
			r.Categories = append(r.Categories, c.category(k, []int{i}))
		}
	}
	if filter.TaxonomyPaths {
		r.TaxonomyPaths = c.taxonomyPaths(i)
	}
	return r
}

// attributes is how many attributes a question has.
func attributes(q *audience.Question) int { return len(q.Datapoints) * max(1, len(q.Suffixes)) }

// accessible tells whether the caller may use question q: it and at least one of its datapoints.
func (c *Catalogue) accessible(q int) bool {
	if c.frame.HidesQuestion(q) {
		return false
	}
	for i := range c.frame.Questions[q].Datapoints {
		if !c.frame.HidesDatapoint(q, i) {
			return true
		}
	}
	return false
}

// datapoints lists the datapoints of question q.
func (c *Catalogue) datapoints(q int) []DatapointRecord {
	points := c.frame.Questions[q].Datapoints
	out, orders := make([]DatapointRecord, len(points)), make([]Value, len(points))
	for i, d := range points {
		orders[i] = orderOr(d.Order, i)
		out[i] = DatapointRecord{Accessible: !c.frame.HidesQuestion(q) && !c.frame.HidesDatapoint(q, i),
			Code: d.Code, Name: d.Name, Midpoint: value(d.Midpoint), Order: &orders[i]}
	}
	return out
}

func suffixes(q *audience.Question) []SuffixRecord {
	out, orders := make([]SuffixRecord, len(q.Suffixes)), make([]Value, len(q.Suffixes))
	for i, s := range q.Suffixes {
		orders[i] = orderOr(s.Order, i)
		out[i] = SuffixRecord{Code: strconv.Itoa(s.Code), Name: s.Name, Midpoint: value(s.Midpoint), Order: &orders[i]}
	}
	return out
}

// orderOr is the declared order, or else the place i, counted from 1.
func orderOr(declared *float64, i int) Value {
	if declared != nil {
		return Value{*declared}
	}
	return Value{float64(i + 1)}
}
