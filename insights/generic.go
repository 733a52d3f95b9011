package insights

import "github.com/crosswave/crosswave/audience"

// metrics are the figures of an attribute. An insight names those that matter to it first.
var metrics = []string{"percentage", "index", "sample", "size"}

// Generic is a sentence about some attributes, and where it comes from. It holds no figures: those are counted when it
// is explored.
type Generic struct {
	ID      string   `json:"id"`
	Text    string   `json:"text"`
	Metrics []string `json:"metrics"`
	Origins Origins  `json:"origins"`
}

// Origins is what a generic insight is about.
type Origins struct {
	Attributes []OriginAttribute `json:"attributes"`
	Audiences  []OriginAudience  `json:"audiences"`
	Locations  []string          `json:"locations"` // codes; none: all there are
	Waves      []string          `json:"waves"`     // likewise
	Datasets   []string          `json:"datasets"`  // codes
}

// AttributeKey names an attribute. SuffixCode is "" where the question is no grid, or where any suffix is meant.
type AttributeKey struct {
	NamespaceCode string `json:"namespace_code"`
	QuestionCode  string `json:"question_code"`
	DatapointCode string `json:"datapoint_code"`
	SuffixCode    string `json:"suffix_code"`
}

// OriginAttribute is an attribute with the words for it.
type OriginAttribute struct {
	Key           AttributeKey `json:"attribute_key"`
	GeneratedText string       `json:"generated_text"` // "": made when it is read
}

// OriginAudience is an audience that an insight is about: a saved one, by its id, or one with an expression of its own,
// which readers never see.
type OriginAudience struct {
	ID          string        `json:"id"`
	Title       string        `json:"title"`
	Description string        `json:"description"`
	Expression  audience.Expr `json:"-"`
}
