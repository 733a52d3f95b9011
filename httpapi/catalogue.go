package httpapi

import (
	"net/http"

	"github.com/crosswave/crosswave/catalogue"
	"github.com/crosswave/crosswave/internal/strictjson"
)

// mostFound is how many questions a page has at most, and unless less is asked for.
const mostFound = 1000

// questionPage is an answer with questions. How they were cut is told to who cuts them, and to nobody else: all there
// are is what they were before there were pages.
type questionPage struct {
	Questions []catalogue.QuestionRecord `json:"questions"`
	Limit     *int                       `json:"limit,omitempty"`
	Offset    *int                       `json:"offset,omitempty"`
	Total     *int                       `json:"total,omitempty"`
}

// questions answers POST /v3/questions/filter.
func (c *call) questions() error {
	return c.records(func(cat *catalogue.Catalogue, body strictjson.Object) (any, error) {
		filter, paged := questionFilter(body)
		if body.Err() != nil { // which is told then
			return nil, nil
		}
		found, err := cat.Find(filter)
		page := questionPage{Questions: found.Questions}
		if paged {
			page.Limit, page.Offset, page.Total = &filter.Limit, &filter.Offset, &found.Total
		}
		return page, err
	}, "include", "questions", "search", "limit", "offset")
}

// questionFilter reads which questions are asked for, and whether they come in pages.
func questionFilter(body strictjson.Object) (filter catalogue.QuestionFilter, paged bool) {
	include := body.Get("include").Object("categories", "datapoints", "taxonomy_paths")
	filter = catalogue.QuestionFilter{Categories: include.Bool("categories"), Datapoints: include.Bool("datapoints"),
		TaxonomyPaths: include.Bool("taxonomy_paths"), Search: body.Text("search"), Offset: int(body.Int("offset"))}
	for _, item := range body.Items("questions") {
		o := item.Object("namespace_code", "question")
		code := catalogue.QuestionCode{Namespace: o.Text("namespace_code"), Question: o.Text("question")}
		if code == (catalogue.QuestionCode{}) {
			item.Fail("name a namespace_code, a question or both")
		}
		filter.Questions = append(filter.Questions, code)
	}
	limit := body.Get("limit")
	if paged = limit.Exists() || body.Get("search").Exists() || body.Get("offset").Exists(); !paged {
		return filter, false
	}
	filter.Limit = mostFound
	if limit.Exists() {
		if filter.Limit = int(limit.Int()); filter.Limit < 1 || filter.Limit > mostFound {
			limit.Fail("%d is not within 1 to %d", filter.Limit, mostFound)
		}
	}
	return filter, true
}

// locations answers POST /v2/locations/filter.
func (c *call) locations() error {
	return c.listed("locations", func(cat *catalogue.Catalogue, body strictjson.Object) (any, error) {
		regions := body.Get("include").Object("regions").Bool("regions")
		return cat.Locations(fieldworkFilter(body), regions), nil
	}, "include", "namespaces", "waves")
}

// waves answers POST /v2/waves/filter.
func (c *call) waves() error {
	return c.listed("waves", func(cat *catalogue.Catalogue, body strictjson.Object) (any, error) {
		return cat.Waves(fieldworkFilter(body)), nil
	}, "namespaces", "locations")
}

// namespaces answers POST /v2/namespaces/filter.
func (c *call) namespaces() error {
	return c.listed("namespaces", func(cat *catalogue.Catalogue, body strictjson.Object) (any, error) {
		return cat.Namespaces(fieldworkFilter(body)), nil
	}, "namespaces", "waves", "locations")
}

// categories answers POST /v2/categories/filter.
func (c *call) categories() error {
	return c.listed("categories", func(cat *catalogue.Catalogue, body strictjson.Object) (any, error) {
		return cat.Categories(members(body.Get("categories"), "id")), nil
	}, "categories")
}

// datasets answers POST /v2/datasets/filter.
func (c *call) datasets() error {
	return c.listed("datasets", func(cat *catalogue.Catalogue, body strictjson.Object) (any, error) {
		return cat.Datasets(members(body.Get("datasets"), "code")), nil
	}, "datasets")
}

// listed answers with the records that list finds, under a name.
func (c *call) listed(name string, list func(*catalogue.Catalogue, strictjson.Object) (any, error),
	known ...string) error {
	return c.records(func(cat *catalogue.Catalogue, body strictjson.Object) (any, error) {
		records, err := list(cat, body)
		return map[string]any{name: records}, err
	}, known...)
}

// records answers with what list makes of the catalogue. What it reads of the body, which has the members that are
// known, counts only if all of it is as it should be.
func (c *call) records(list func(*catalogue.Catalogue, strictjson.Object) (any, error), known ...string) error {
	body, err := c.body(known...)
	if err != nil {
		return err
	}
	f, err := c.restricted.Frame(c.ctx()) // what the caller may see of the survey, as it is now
	if err != nil {
		return err
	}
	tag := c.recordsTag(f)
	if matches(c.r.Header.Values("If-None-Match"), tag) { // it was answered before, so nothing can be wrong with it
		return c.notModified(tag)
	}
	answer, err := list(catalogue.New(f), body)
	if wrong := body.Err(); wrong != nil {
		return wrong
	}
	if err != nil {
		return err
	}
	c.w.Header().Set("ETag", tag)
	return c.replyJSON(http.StatusOK, answer)
}

func fieldworkFilter(body strictjson.Object) catalogue.FieldworkFilter {
	return catalogue.FieldworkFilter{
		Namespaces: members(body.Get("namespaces"), "code"),
		Waves:      members(body.Get("waves"), "code"),
		Locations:  members(body.Get("locations"), "code"),
	}
}

// members reads a list of objects with one member each, each value once: [{"code": "a"}, {"code": "b"}].
func members(v strictjson.Value, name string) []string {
	var out []string
	for _, item := range v.Items() {
		member := item.Object(name).Get(name)
		if !member.Exists() {
			member.Fail("%s is required here", name)
		}
		out = append(out, member.Text())
	}
	return strictjson.Once(out)
}
