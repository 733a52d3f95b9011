package httpapi

import (
	"net/http"

	"github.com/crosswave/crosswave/catalogue"
	"github.com/crosswave/crosswave/internal/strictjson"
)

// questions answers POST /v3/questions/filter.
func (c *call) questions() error {
	return c.listed("questions", func(cat *catalogue.Catalogue, body strictjson.Object) (any, error) {
		include := body.Get("include").Object("categories", "datapoints", "taxonomy_paths")
		filter := catalogue.QuestionFilter{Categories: include.Bool("categories"), Datapoints: include.Bool("datapoints"),
			TaxonomyPaths: include.Bool("taxonomy_paths")}
		for _, item := range body.Items("questions") {
			o := item.Object("namespace_code", "question")
			code := catalogue.QuestionCode{Namespace: o.Text("namespace_code"), Question: o.Text("question")}
			if code == (catalogue.QuestionCode{}) {
				item.Fail("name a namespace_code, a question or both")
			}
			filter.Questions = append(filter.Questions, code)
		}
		return cat.Questions(filter)
	}, "include", "questions")
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

// listed answers with the records that list finds, under a name. What list reads of the body, which has the members
// that are known, counts only if all of it is as it should be.
func (c *call) listed(name string, list func(*catalogue.Catalogue, strictjson.Object) (any, error),
	known ...string) error {
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
	records, err := list(catalogue.New(f), body)
	if wrong := body.Err(); wrong != nil {
		return wrong
	}
	if err != nil {
		return err
	}
	c.w.Header().Set("ETag", tag)
	return c.replyJSON(http.StatusOK, map[string]any{name: records})
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
