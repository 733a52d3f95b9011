package httpapi

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html/template"
	"net/url"
	"slices"
	"strings"

	"github.com/tidwall/gjson"
)

// docsPage is GET /docs: the page, and the policy by which a browser runs and loads what is on it and nothing else.
type docsPage struct {
	html   []byte
	policy string
}

// contractPage renders an OpenAPI document as a page that stands by itself: nothing is loaded from elsewhere, and what
// its one script may ask is the service that it comes from.
func contractPage(document []byte, basePath string) (*docsPage, error) {
	t, err := template.New("page.html").Parse(string(contractFile("page.html")))
	if err != nil {
		return nil, err
	}
	shown := newPage(gjson.ParseBytes(document), basePath)
	// The script is not read as markup by programs that take the page for XML.
	shown.Script = template.JS("//<![CDATA[\n" + string(contractFile("page.js")) + "//]]>\n")
	var b bytes.Buffer
	if err := t.Execute(&b, shown); err != nil {
		return nil, err
	}
	return &docsPage{b.Bytes(), "default-src 'none'; style-src " + hashOf(b.Bytes(), "style") + "; script-src " +
			hashOf(b.Bytes(), "script") + "; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"},
		nil
}

// hashOf names what stands in an element of the page as a policy does (Content Security Policy Level 3, section 2.3.1).
func hashOf(page []byte, element string) string {
	_, rest, _ := bytes.Cut(page, []byte("<"+element+">"))
	text, _, _ := bytes.Cut(rest, []byte("</"+element+">"))
	sum := sha256.Sum256(text)
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

// page is what the template shows.
type page struct {
	Title, BasePath string
	Script          template.JS
	About           template.HTML
	Groups          []pageGroup
	Schemas         []pageSchema
}

type pageGroup struct {
	Name       string
	About      template.HTML
	Operations []pageOperation
}

type pageOperation struct {
	ID, Method, Path, Summary string
	About                     template.HTML
	Open                      bool   // needs no key
	Curl                      string // a command that can be run as it stands where URL and KEY (and ID) are set
	Try                       string // its path and query
	Example                   string // the body, indented; "" is none
	Parameters                []pageField
	Body                      []pageField
	Answers                   []pageAnswer
}

type pageAnswer struct {
	Status, MediaTypes string
	About              template.HTML
	Headers, Fields    []pageField
	Example            string
	Error              bool
	Schema             template.HTML // of an error's body
}

type pageSchema struct {
	Name   string
	About  template.HTML
	Type   template.HTML
	Fields []pageField
}

// pageField is a row of a table of members; those of nested objects follow theirs, one deeper.
type pageField struct {
	Name     string
	Depth    int
	Required bool
	Type     template.HTML
	About    template.HTML
}

// pager makes a page of a document.
type pager struct{ doc gjson.Result }

func newPage(doc gjson.Result, basePath string) *page {
	p := pager{doc}
	out := &page{Title: doc.Get("info.title").String(), BasePath: basePath,
		About: prose(doc.Get("info.description").String())}
	for _, tag := range doc.Get("tags").Array() {
		out.Groups = append(out.Groups, pageGroup{Name: tag.Get("name").String(),
			About: prose(tag.Get("description").String())})
	}
	doc.Get("paths").ForEach(func(path, item gjson.Result) bool {
		item.ForEach(func(method, op gjson.Result) bool {
			tag := op.Get("tags.0").String()
			if i := slices.IndexFunc(out.Groups, func(g pageGroup) bool { return g.Name == tag }); i >= 0 {
				out.Groups[i].Operations = append(out.Groups[i].Operations,
					p.operation(strings.ToUpper(method.String()), path.String(), op))
			}
			return true
		})
		return true
	})
	doc.Get("components.schemas").ForEach(func(name, schema gjson.Result) bool {
		out.Schemas = append(out.Schemas, pageSchema{Name: name.String(),
			About: prose(schema.Get("description").String()), Type: p.typeOf(schema), Fields: p.fields(schema, 0)})
		return true
	})
	return out
}

// resolve follows a reference.
func (p pager) resolve(v gjson.Result) gjson.Result {
	if ref := v.Get("$ref").String(); ref != "" {
		return p.doc.Get(strings.ReplaceAll(strings.TrimPrefix(ref, "#/"), "/", "."))
	}
	return v
}

func (p pager) operation(method, path string, op gjson.Result) pageOperation {
	o := pageOperation{ID: op.Get("operationId").String(), Method: method, Path: path,
		Summary: op.Get("summary").String(), About: prose(op.Get("description").String()),
		Open: op.Get("security").Exists() && len(op.Get("security").Array()) == 0}
	for _, v := range op.Get("parameters").Array() {
		v = p.resolve(v)
		about := prose(v.Get("description").String())
		o.Parameters = append(o.Parameters, pageField{Name: v.Get("name").String(), Required: v.Get("required").Bool(),
			Type: escaped("in the " + v.Get("in").String()), About: about})
	}
	body := op.Get(`requestBody.content.application/json`)
	o.Body = p.fields(body.Get("schema"), 0)
	o.Try = target(o, op)
	o.Example = indented(body.Get("example"))
	o.Curl = curl(o, body.Get("example"))
	op.Get("responses").ForEach(func(status, v gjson.Result) bool {
		o.Answers = append(o.Answers, p.answer(status.String(), p.resolve(v)))
		return true
	})
	return o
}

func (p pager) answer(status string, v gjson.Result) pageAnswer {
	a := pageAnswer{Status: status, About: inline(v.Get("description").String()), Error: status >= "400"}
	v.Get("headers").ForEach(func(name, header gjson.Result) bool {
		header = p.resolve(header)
		a.Headers = append(a.Headers, pageField{Name: name.String(), Type: p.typeOf(header.Get("schema")),
			About: inline(header.Get("description").String())})
		return true
	})
	var types []string
	v.Get("content").ForEach(func(name, content gjson.Result) bool {
		if types = append(types, name.String()); len(types) > 1 { // the same, framed otherwise
			return true
		}
		schema := content.Get("schema")
		if a.Error {
			a.Schema = p.typeOf(schema)
		} else {
			a.Fields = p.fields(schema, 0)
			a.Example = p.resolve(content.Get("examples.demo")).Get("value").Raw
		}
		return true
	})
	a.MediaTypes = strings.Join(types, " or ")
	return a
}

// fields lists the members of a schema. A schema with a name of its own has a table of its own and is only listed where
// it is the whole of a body.
func (p pager) fields(schema gjson.Result, depth int) (out []pageField) {
	if depth == 0 {
		schema = p.resolve(schema)
	}
	if items := schema.Get("items"); items.Exists() {
		return p.fields(items, max(1, depth))
	}
	required := schema.Get("required").Array()
	schema.Get("properties").ForEach(func(name, v gjson.Result) bool {
		about := v.Get("description").String()
		if about == "" {
			about = p.resolve(v).Get("description").String()
		}
		if def := v.Get("default"); def.Exists() {
			about += " Default: `" + def.String() + "`."
		}
		out = append(out, pageField{Name: name.String(), Depth: depth, Type: p.typeOf(v), About: inline(about),
			Required: slices.ContainsFunc(required, func(r gjson.Result) bool { return r.String() == name.String() })})
		out = append(out, p.fields(v, depth+1)...)
		return true
	})
	return out
}

// typeOf says what a schema takes, in words, with a link where it has a name.
func (p pager) typeOf(schema gjson.Result) template.HTML {
	if ref := schema.Get("$ref").String(); ref != "" {
		name := template.HTMLEscapeString(ref[strings.LastIndex(ref, "/")+1:])
		return template.HTML(`<a href="#schema-` + name + `">` + name + `</a>`)
	}
	var types []string
	for _, t := range orOne(schema.Get("type")) {
		if t.String() != "null" {
			types = append(types, t.String())
		}
	}
	alternatives := schema.Get("anyOf")
	if one := schema.Get("oneOf"); one.Exists() {
		alternatives = one
	}
	switch {
	case alternatives.Exists():
		var parts []string
		for _, s := range alternatives.Array() {
			parts = append(parts, string(p.typeOf(s)))
		}
		return template.HTML(strings.Join(parts, " or "))
	case schema.Get("items").Exists():
		return "array of " + p.typeOf(schema.Get("items"))
	case schema.Get("enum").Exists():
		var values []string
		for _, v := range schema.Get("enum").Array() {
			values = append(values, "<code>"+template.HTMLEscapeString(v.String())+"</code>")
		}
		return template.HTML(strings.Join(values, ", "))
	}
	return escaped(strings.Join(types, " or "))
}

// orOne is the elements of a list, or the one value that stands in its place.
func orOne(v gjson.Result) []gjson.Result {
	if v.IsArray() {
		return v.Array()
	}
	return []gjson.Result{v}
}

// listed is a value as the query of an address has it: a list divided by commas.
func listed(value gjson.Result) string {
	var texts []string
	for _, v := range orOne(value) {
		texts = append(texts, v.String())
	}
	return strings.Join(texts, ",")
}

// curl writes the command that sends the example.
func curl(o pageOperation, example gjson.Result) string {
	command := fmt.Sprintf(`curl -s "$URL%s"`, o.Try)
	if o.Method != "GET" && (o.Method != "POST" || !example.Exists()) {
		command += " -X " + o.Method
	}
	if !o.Open {
		command += ` -H "Authorization: $KEY"`
	}
	if example.Exists() {
		body := strings.ReplaceAll(strings.Join(strings.Fields(example.Raw), " "), "'", `'\''`)
		command += " -H 'Content-Type: application/json' \\\n  -d '" + body + "'"
	}
	return command
}

// indented is an example as one would type it; "" if there is none.
func indented(example gjson.Result) string {
	var b bytes.Buffer
	if !example.Exists() || json.Indent(&b, []byte(example.Raw), "", "  ") != nil {
		return ""
	}
	return b.String()
}

// target is the path of an endpoint with the example of each parameter, or, for an id, what a shell would put there.
func target(o pageOperation, op gjson.Result) string {
	path, query := o.Path, url.Values{}
	for _, v := range op.Get("parameters").Array() {
		name, value := v.Get("name").String(), v.Get("example")
		switch in := v.Get("in").String(); {
		case in == "path" && v.Get("schema.format").String() == "uuid":
			path = strings.ReplaceAll(path, "{"+name+"}", "$"+strings.ToUpper(name))
		case in == "path":
			path = strings.ReplaceAll(path, "{"+name+"}", url.PathEscape(value.String()))
		case in == "query" && value.Exists():
			query.Set(name, listed(value))
		}
	}
	if len(query) > 0 {
		path += "?" + query.Encode()
	}
	return path
}

func escaped(text string) template.HTML { return template.HTML(template.HTMLEscapeString(text)) }

// prose renders the little of Markdown that the contract is written in: paragraphs, lists, headings, code and bold.
func prose(text string) template.HTML {
	var b strings.Builder
	for block := range strings.SplitSeq(strings.TrimSpace(text), "\n\n") {
		switch {
		case block == "":
		case strings.HasPrefix(block, "## "):
			fmt.Fprintf(&b, "<h3>%s</h3>\n", inline(block[3:]))
		case strings.HasPrefix(block, "- "):
			b.WriteString("<ul>\n")
			for line := range strings.SplitSeq(block, "\n") {
				fmt.Fprintf(&b, "<li>%s</li>\n", inline(strings.TrimPrefix(line, "- ")))
			}
			b.WriteString("</ul>\n")
		default:
			fmt.Fprintf(&b, "<p>%s</p>\n", inline(block))
		}
	}
	return template.HTML(b.String())
}

// inline renders code and bold within a line.
func inline(text string) template.HTML {
	var b strings.Builder
	for i, part := range strings.Split(text, "`") {
		if i%2 == 1 {
			b.WriteString("<code>" + template.HTMLEscapeString(part) + "</code>")
			continue
		}
		for k, words := range strings.Split(part, "**") {
			if k%2 == 1 {
				b.WriteString("<strong>" + template.HTMLEscapeString(words) + "</strong>")
			} else {
				b.WriteString(template.HTMLEscapeString(words))
			}
		}
	}
	return template.HTML(b.String())
}
