package httpapi

import (
	"embed"
	"net/http"
	"strings"

	"github.com/tidwall/gjson"
)

// The contract is written by hand in openapi/: about.md is its introduction, and each area has a file of paths and
// components, named like the file of its handlers. A test holds the paths against the route table and all responses of
// all tests against the schemas. In openapi/answers are the answers to the contract's examples on the demo store, which
// another test writes and compares.
//
//go:embed openapi
var contractFiles embed.FS

// contractAreas are the files of the contract, in the order in which they are put together.
var contractAreas = []string{"crosstab", "stats", "summary", "association", "profile", "statistics", "catalogue",
	"insights", "saved", "derived", "service"}

// contract puts the OpenAPI document together. Members keep the order and the layout that their files give them.
func contract(basePath string) []byte {
	sections := map[string][]string{}
	tags := "[]"
	for _, area := range contractAreas {
		file := gjson.ParseBytes(contractFile(area + ".json"))
		for _, name := range []string{"paths", "components.securitySchemes", "components.parameters",
			"components.headers", "components.responses", "components.schemas"} {
			file.Get(name).ForEach(func(key, value gjson.Result) bool {
				sections[name] = append(sections[name], key.Raw+": "+value.Raw)
				return true
			})
		}
		if v := file.Get("tags"); v.Exists() {
			tags = v.Raw
		}
	}
	answers, err := contractFiles.ReadDir("openapi/answers")
	if err != nil { // cannot happen: see contractFile
		return nil
	}
	for _, f := range answers {
		name, value := strings.TrimSuffix(f.Name(), ".json"), string(contractFile("answers/"+f.Name()))
		sections["components.examples"] = append(sections["components.examples"], quote(name)+
			`: {"summary": "On the demo store", "value": `+value+"}")
	}
	if basePath == "" {
		basePath = "/"
	}
	members := func(name string) string { return "{\n" + strings.Join(sections[name], ",\n") + "\n}" }
	return []byte(`{
"openapi": "3.1.0",
"info": {"title": "Crosswave", "version": "1.0.0", "license": {"name": "MIT", "identifier": "MIT"}, "description": ` + quote(string(contractFile("about.md"))) + `},
"servers": [{"url": ` + quote(basePath) + `}],
"security": [{"key": []}, {"bearer": []}],
"tags": ` + tags + `,
"paths": ` + members("paths") + `,
"components": {
"securitySchemes": ` + members("components.securitySchemes") + `,
"parameters": ` + members("components.parameters") + `,
"headers": ` + members("components.headers") + `,
"responses": ` + members("components.responses") + `,
"examples": ` + members("components.examples") + `,
"schemas": ` + members("components.schemas") + `
}
}
`)
}

func contractFile(name string) []byte {
	data, err := contractFiles.ReadFile("openapi/" + name)
	if err != nil { // cannot happen: the files are part of the program
		return nil
	}
	return data
}

// quote writes a text as JSON.
func quote(text string) string { return strings.TrimSpace(string(mustMarshal(text))) }

// openapi answers GET /openapi.json.
func (c *call) openapi() error { return c.reply(http.StatusOK, c.contract()) }

// docs answers GET /docs.
func (c *call) docs() error {
	page, err := c.page()
	if err != nil {
		return err
	}
	c.w.Header().Set("Content-Security-Policy", page.policy)
	c.send(c.w, "text/html; charset=utf-8", http.StatusOK, page.html)
	return nil
}
