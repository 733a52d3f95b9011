package httpapi

import (
	"net/http"

	"github.com/crosswave/crosswave/catalogue"
	"github.com/crosswave/crosswave/internal/strictjson"
)

// catalogue is what the caller may see of the survey, as it is now.
func (c *call) catalogue() (*catalogue.Catalogue, error) {
	f, err := c.restricted.Frame(c.ctx())
	if err != nil {
		return nil, err
	}
	return catalogue.New(f), nil
}

// questions answers POST /v3/questions/filter.
func (c *call) questions() error {
	body, err := c.body("include", "questions")
	if err != nil {
		return err
	}
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
	return c.listed(body, "questions", func(cat *catalogue.Catalogue) (any, error) { return cat.Questions(filter) })
}

// locations answers POST /v2/locations/filter.
func (c *call) locations() error {
	body, err := c.body("include", "namespaces", "waves")
	if err != nil {
		return err
	}
	regions := body.Get("include").Object("regions").Bool("regions")
	filter := fieldworkFilter(body)
	list := func(cat *catalogue.Catalogue) (any, error) { return cat.Locations(filter, regions), nil }
	return c.listed(body, "locations", list)
}

// waves answers POST /v2/waves/filter.
func (c *call) waves() error {
	body, err := c.body("namespaces", "locations")
	if err != nil {
		return err
	}
	filter := fieldworkFilter(body)
	return c.listed(body, "waves", func(cat *catalogue.Catalogue) (any, error) { return cat.Waves(filter), nil })
}

// namespaces answers POST /v2/namespaces/filter.
func (c *call) namespaces() error {
	body, err := c.body("namespaces", "waves", "locations")
	if err != nil {
		return err
	}
	filter := fieldworkFilter(body)
	return c.listed(body, "namespaces", func(cat *catalogue.Catalogue) (any, error) { return cat.Namespaces(filter), nil })
}

// categories answers POST /v2/categories/filter.
func (c *call) categories() error {
	body, err := c.body("categories")
	if err != nil {
		return err
	}
	ids := members(body.Get("categories"), "id")
	return c.listed(body, "categories", func(cat *catalogue.Catalogue) (any, error) { return cat.Categories(ids), nil })
}

// datasets answers POST /v2/datasets/filter.
func (c *call) datasets() error {
	body, err := c.body("datasets")
	if err != nil {
		return err
	}
	codes := members(body.Get("datasets"), "code")
	return c.listed(body, "datasets", func(cat *catalogue.Catalogue) (any, error) { return cat.Datasets(codes), nil })
}

// listed answers with the records that list finds, under a name.
func (c *call) listed(body strictjson.Object, name string, list func(*catalogue.Catalogue) (any, error)) error {
	if err := body.Err(); err != nil {
		return err
	}
	cat, err := c.catalogue()
	if err != nil {
		return err
	}
	records, err := list(cat)
	if err != nil {
		return err
	}
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
