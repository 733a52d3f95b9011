package client

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
)

// Me is who asks, what they may use and how much of it.
type Me struct {
	UserID     int64 `json:"user_id"` // the user's number; 0: the server can't give one
	Everything bool  `json:"everything"`
	MinSample  int64 `json:"min_sample"` // the floor, in respondents; 0: none
	Grants     []struct {
		Of     string   `json:"of"`
		Codes  []string `json:"codes"`
		Usable int64    `json:"usable"`
		All    int64    `json:"all"`
		Words  string   `json:"words"`
	} `json:"grants"`
	Limits struct { // nil: none
		BodyBytes     *int64   `json:"body_bytes"`
		Rows          *int64   `json:"rows"`
		Columns       *int64   `json:"columns"`
		Cells         *int64   `json:"cells"`
		ResponseBytes *int64   `json:"response_bytes"`
		Nodes         *int64   `json:"nodes"`
		Levels        *int64   `json:"levels"`
		QuerySeconds  *float64 `json:"query_seconds"`
		Running       *int64   `json:"running"`
		Waiting       *int64   `json:"waiting"`
		WaitSeconds   *float64 `json:"wait_seconds"`
	} `json:"limits"`
	Quotas struct {
		Requests *struct {
			PerSecond float64 `json:"per_second"`
			Left      int64   `json:"left"`
		} `json:"requests"`
		SavedAudiences *Kept `json:"saved_audiences"` // nil: any number
		SavedBytes     *Kept `json:"saved_bytes"`
		Derived        *Kept `json:"derived_questions"`
		DerivedBytes   *Kept `json:"derived_bytes"`
	} `json:"quotas"`
	DataVersion int64 `json:"data_version"`
}

// Kept is how much of something a user may keep.
type Kept struct {
	Limit int64 `json:"limit"`
	Left  int64 `json:"left"`
}

// Me asks who the key belongs to.
func (c *Client) Me(ctx context.Context) (*Me, error) {
	return call[Me](ctx, c, http.MethodGet, "/v1/me", nil)
}

// Value is a number that an answer stands for, or its place in an order.
type Value struct {
	Value float64 `json:"value"`
}

// Question is a question of the catalogue. What a request does not include is nil.
type Question struct {
	Code           string         `json:"code"`
	Name           string         `json:"name"`
	Description    string         `json:"description"`
	Namespace      string         `json:"namespace_code"`
	Unit           string         `json:"unit"`
	Accessible     bool           `json:"accessible"`
	AttributeCount int64          `json:"attribute_count"`
	Derived        bool           `json:"derived,omitempty"` // nobody was asked: its answers are expressions
	Order          int64          `json:"order"`
	Flags          []string       `json:"flags"`
	KnowledgeBase  string         `json:"knowledge_base"`
	Message        string         `json:"message"`
	Notice         string         `json:"notice"`
	Warning        string         `json:"warning"`
	Datapoints     []Datapoint    `json:"datapoints,omitzero"`
	Suffixes       []Suffix       `json:"suffixes,omitzero"`
	Datasets       []Dataset      `json:"datasets"`
	Categories     []Category     `json:"categories,omitzero"`
	TaxonomyPaths  []TaxonomyPath `json:"taxonomy_paths,omitzero"`
	Match          *QuestionMatch `json:"match,omitzero"` // of what was searched for
}

// QuestionMatch says where in the texts of a question the words of a search stand.
type QuestionMatch struct {
	Code        bool                `json:"code"`
	Name        bool                `json:"name"`
	Description bool                `json:"description"`
	Categories  []CategoryReference `json:"categories"`
	Datapoints  []MatchedAnswer     `json:"datapoints"`
	Suffixes    []MatchedAnswer     `json:"suffixes"`
}

// MatchedAnswer is a datapoint or a suffix in whose name a word stands.
type MatchedAnswer struct {
	Code string `json:"code"`
	Name string `json:"name"`
}

// Datapoint is an answer of a question.
type Datapoint struct {
	Accessible bool `json:"accessible"`
	Suffix
}

// Suffix is a second answer code of a grid.
type Suffix struct {
	Code     string `json:"code"`
	Name     string `json:"name"`
	Midpoint *Value `json:"midpoint"`
	Order    *Value `json:"order"`
}

// Dataset is a named part of the catalogue.
type Dataset struct {
	Code              string              `json:"code"`
	Name              string              `json:"name"`
	Description       string              `json:"description"`
	BaseAudienceLabel string              `json:"base_audience_label"`
	BaseNamespace     string              `json:"base_namespace_code"`
	Depth             int64               `json:"depth"`
	Order             int64               `json:"order"`
	Syndicated        bool                `json:"is_syndicated"`
	ChildCategories   []CategoryReference `json:"child_categories"`
}

// CategoryReference names a category.
type CategoryReference struct {
	ID    string `json:"id"`
	Name  string `json:"name"`
	Order int64  `json:"order"`
}

// Category is a shelf of the catalogue.
type Category struct {
	CategoryReference
	Description     string              `json:"description"`
	AttributeCount  int64               `json:"attribute_count"`
	Lineage         []CategoryReference `json:"lineage"`
	ChildCategories []CategoryReference `json:"child_categories"`
	ChildQuestions  []struct {
		Namespace string `json:"namespace_code"`
		Code      string `json:"code"`
		Name      string `json:"name"`
	} `json:"child_questions"`
	Datasets             []Dataset      `json:"datasets"`
	DescendantAttributes []Attribute    `json:"descendant_attributes"`
	TaxonomyPaths        []TaxonomyPath `json:"taxonomy_paths"`
}

// Attribute is what a respondent can be positive on.
type Attribute struct {
	Namespace     string `json:"namespace_code"`
	Question      string `json:"question_code"`
	QuestionName  string `json:"question_name"`
	Datapoint     string `json:"datapoint_code"`
	DatapointName string `json:"datapoint_name"`
	Suffix        string `json:"suffix_code"`
	SuffixName    string `json:"suffix_name"`
}

// TaxonomyPath is where a question stands in a dataset.
type TaxonomyPath struct {
	CategoriesLineage []CategoryReference `json:"categories_lineage"`
	Dataset           Dataset             `json:"dataset"`
}

// QuestionFilter says which questions, and how much of each.
type QuestionFilter struct {
	Include   QuestionParts  `json:"include"`
	Questions []QuestionCode `json:"questions,omitempty"` // none: all
}

// QuestionParts are what else is told of a question.
type QuestionParts struct {
	Categories    bool `json:"categories,omitempty"`
	Datapoints    bool `json:"datapoints,omitempty"`
	TaxonomyPaths bool `json:"taxonomy_paths,omitempty"`
}

// QuestionCode names a question, or with a namespace alone all of that.
type QuestionCode struct {
	Namespace string `json:"namespace_code,omitempty"`
	Question  string `json:"question,omitempty"`
}

// Questions asks for questions of the catalogue.
func (c *Client) Questions(ctx context.Context, f QuestionFilter) ([]Question, error) {
	return listed[Question](ctx, c, "/v3/questions/filter", "questions", f)
}

// QuestionSearch is what to look for among questions, and which of those found to tell.
type QuestionSearch struct {
	QuestionFilter
	Search string `json:"search"` // words that questions must have, or the code of one; blank: any question
	// Limit is how many to tell at most, 0 for as many as the server gives, and Offset how many to pass over first.
	Limit  int64 `json:"limit,omitempty"`
	Offset int64 `json:"offset,omitempty"`
}

// QuestionPage is a part of the questions found, the best first.
type QuestionPage struct {
	Questions []Question `json:"questions"`
	Limit     int64      `json:"limit"`
	Offset    int64      `json:"offset"`
	Total     int64      `json:"total"` // on all pages
}

// Find searches the catalogue for questions.
func (c *Client) Find(ctx context.Context, s QuestionSearch) (*QuestionPage, error) {
	return call[QuestionPage](ctx, c, http.MethodPost, "/v3/questions/filter", s)
}

// listed asks for records that stand under a name.
func listed[T any](ctx context.Context, c *Client, path, name string, filter any) ([]T, error) {
	found, err := call[map[string][]T](ctx, c, http.MethodPost, path, filter)
	if err != nil {
		return nil, err
	}
	return (*found)[name], nil
}

// Code is a code in a filter.
type Code struct {
	Code string `json:"code"`
}

// FieldworkFilter cuts waves, locations and namespaces to those fielded together with these.
type FieldworkFilter struct {
	Namespaces []Code `json:"namespaces,omitempty"`
	Waves      []Code `json:"waves,omitempty"`
	Locations  []Code `json:"locations,omitempty"`
}

// Location is a market.
type Location struct {
	ID         string `json:"id"`
	Code       string `json:"code"`
	ISOCode    string `json:"iso_code"`
	Name       string `json:"name"`
	Accessible bool   `json:"accessible"`
	Namespaces []struct {
		Code  string   `json:"code"`
		Waves []string `json:"wave_codes"`
	} `json:"namespaces"`
	Region *struct {
		ID   string `json:"id"`
		Code string `json:"code"`
		Name string `json:"name"`
		Area string `json:"area"`
	} `json:"region,omitempty"`
}

// Locations asks for locations, with their regions if that is wanted. The filter has no Locations here.
func (c *Client) Locations(ctx context.Context, f FieldworkFilter, regions bool) ([]Location, error) {
	type include struct {
		Regions bool `json:"regions,omitempty"`
	}
	return listed[Location](ctx, c, "/v2/locations/filter", "locations", struct {
		Include include `json:"include"`
		FieldworkFilter
	}{include{regions}, f})
}

// Wave is a period of fieldwork.
type Wave struct {
	Code       string `json:"code"`
	Name       string `json:"name"`
	Accessible bool   `json:"accessible"`
	Start      string `json:"date_start"`
	End        string `json:"date_end"`
	Kind       string `json:"kind"`
	Namespaces []struct {
		Code      string   `json:"code"`
		Locations []string `json:"location_codes"`
	} `json:"namespaces"`
}

// Waves asks for waves, oldest first. The filter has no Waves here.
func (c *Client) Waves(ctx context.Context, f FieldworkFilter) ([]Wave, error) {
	return listed[Wave](ctx, c, "/v2/waves/filter", "waves", f)
}

// Namespace is a questionnaire with its own respondents.
type Namespace struct {
	Code        string   `json:"code"`
	Name        string   `json:"name"`
	Description string   `json:"description"`
	Accessible  bool     `json:"accessible"`
	Base        string   `json:"base_namespace_code"`
	Universe    string   `json:"universe"`
	Waves       []string `json:"wave_codes"`
	Locations   []string `json:"location_codes"`
}

// Namespaces asks for namespaces.
func (c *Client) Namespaces(ctx context.Context, f FieldworkFilter) ([]Namespace, error) {
	return listed[Namespace](ctx, c, "/v2/namespaces/filter", "namespaces", f)
}

// Categories asks for categories by their ids; none: all.
func (c *Client) Categories(ctx context.Context, ids ...string) ([]Category, error) {
	type id struct {
		ID string `json:"id"`
	}
	list := []id{}
	for _, x := range ids {
		list = append(list, id{x})
	}
	return listed[Category](ctx, c, "/v2/categories/filter", "categories", map[string][]id{"categories": list})
}

// Datasets asks for datasets by their codes; none: all.
func (c *Client) Datasets(ctx context.Context, codes ...string) ([]Dataset, error) {
	list := []Code{}
	for _, code := range codes {
		list = append(list, Code{code})
	}
	return listed[Dataset](ctx, c, "/v2/datasets/filter", "datasets", map[string][]Code{"datasets": list})
}

// Insight is one that analysts published.
type Insight struct {
	ID          int64   `json:"id"`
	Name        string  `json:"name"`
	Description string  `json:"description"`
	Type        string  `json:"type,omitempty"`        // of one that was asked for by its id
	CategoryIDs []int64 `json:"category_ids,omitzero"` // likewise
	Images      []Image `json:"images"`
}

// Image is a picture of an insight.
type Image struct {
	ID          int64  `json:"id"`
	Main        bool   `json:"is_main"`
	Thumb       string `json:"thumb_path"`
	PageThumb   string `json:"page_thumb_path"`
	PagePreview string `json:"page_preview_thumb_path"`
}

// InsightFilter says which insights.
type InsightFilter struct {
	Filters struct {
		Categories []int64  `json:"categories,omitempty"`
		Trending   *bool    `json:"is_trending,omitempty"`
		Types      []string `json:"types,omitempty"`
	} `json:"filters"`
	Limit   int    `json:"limit,omitempty"`
	Offset  int    `json:"offset,omitempty"`
	Order   string `json:"order,omitempty"`
	OrderBy string `json:"order_by,omitempty"`
}

// InsightPage is some of the insights that a filter finds.
type InsightPage struct {
	Insights []Insight `json:"insights"`
	Limit    int64     `json:"limit"`
	Offset   int64     `json:"offset"`
	Order    string    `json:"order"`
	OrderBy  string    `json:"order_by"`
	Total    int64     `json:"total"`
}

// Insights asks for insights.
func (c *Client) Insights(ctx context.Context, f InsightFilter) (*InsightPage, error) {
	return call[InsightPage](ctx, c, http.MethodPost, "/v3/insights/filter", f)
}

// Insight asks for one.
func (c *Client) Insight(ctx context.Context, id int64) (*Insight, error) {
	return call[Insight](ctx, c, http.MethodGet, "/v3/insights/"+strconv.FormatInt(id, 10), nil)
}

// Explore asks for the detailed view of an insight, as the contract's ExploreView has it.
func (c *Client) Explore(ctx context.Context, id string) (json.RawMessage, error) {
	view, err := call[json.RawMessage](ctx, c, http.MethodGet,
		"/v1/insights-api/generic/insights/"+url.PathEscape(id), nil)
	if err != nil {
		return nil, err
	}
	return *view, nil
}

// savedPath is where saved audiences are.
const savedPath = "/v2/saved/audiences"

// Saved is a saved audience.
type Saved struct {
	ID          string          `json:"id"`
	V1ID        int64           `json:"v1_id"`
	UserID      int64           `json:"user_id"` // the owner's number
	Name        string          `json:"name"`
	Description string          `json:"description"`
	Expression  json.RawMessage `json:"expression"`
	Datasets    []string        `json:"datasets"`
	Flags       []string        `json:"flags"`
	FolderID    string          `json:"folder_id"`
	Position    float64         `json:"position"`
	Shared      bool            `json:"shared"`
	Permissions struct {
		Overall string          `json:"audience_overall"` // accessible, inaccessible or containsUnknownData
		Meta    json.RawMessage `json:"meta"`
	} `json:"permissions"`
	Sharings struct {
		Everyone bool `json:"everyone,omitempty"`
	} `json:"sharings"`
	CreatedAt string `json:"created_at"`
	UpdatedAt string `json:"updated_at"`
}

// SavedPatch is what of a saved audience is set; nil leaves a member as it is.
type SavedPatch struct {
	Name       *string         `json:"name,omitempty"`
	Expression json.RawMessage `json:"expression,omitempty"`
	Datasets   *[]string       `json:"datasets,omitempty"`
	Flags      *[]string       `json:"flags,omitempty"`
	FolderID   *string         `json:"folder_id,omitempty"`
	Position   *float64        `json:"position,omitempty"`
	Shared     *bool           `json:"shared,omitempty"`
}

// Save creates a saved audience. Name and Expression are required.
func (c *Client) Save(ctx context.Context, p SavedPatch) (*Saved, error) {
	return call[Saved](ctx, c, http.MethodPost, savedPath, p)
}

// Saved reads a saved audience.
func (c *Client) Saved(ctx context.Context, id string) (*Saved, error) {
	return call[Saved](ctx, c, http.MethodGet, savedPath+"/"+url.PathEscape(id), nil)
}

// ListSaved lists the caller's saved audiences and those shared with them, by their position. It asks for one page
// after the other; what is saved, moved or deleted meanwhile may be missed, or told twice.
func (c *Client) ListSaved(ctx context.Context) (all []Saved, err error) {
	type meta struct {
		Total int `json:"total"`
	}
	for {
		found, err := call[Answer[meta, []Saved]](ctx, c, http.MethodGet, fmt.Sprintf("%s?offset=%d", savedPath, len(all)),
			nil)
		if err != nil {
			return nil, err
		}
		all = append(all, found.Data...)
		if len(found.Data) == 0 || len(all) >= found.Meta.Total {
			return all, nil
		}
	}
}

// ChangeSaved changes a saved audience.
func (c *Client) ChangeSaved(ctx context.Context, id string, p SavedPatch) (*Saved, error) {
	return call[Saved](ctx, c, http.MethodPatch, savedPath+"/"+url.PathEscape(id), p)
}

// DeleteSaved deletes a saved audience.
func (c *Client) DeleteSaved(ctx context.Context, id string) error {
	_, err := call[struct{}](ctx, c, http.MethodDelete, savedPath+"/"+url.PathEscape(id), nil)
	return err
}
