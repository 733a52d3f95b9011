package httpapi_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
)

// A client that was made for an earlier document goes on with a later one if it may still send what it sent, and if all
// that it reads is still there and of the same type. So schemas of requests may only become wider and those of answers
// only narrower, but for new members of answers, and for new words where a member has a list of words.

// document is an OpenAPI document as the JSON that it is.
type document map[string]any

func readDocument(text []byte) (d document, err error) {
	return d, json.Unmarshal(text, &d)
}

// direction tells who reads what a schema describes.
type direction string

const (
	inRequest direction = "request"
	inAnswer  direction = "answer"
)

// breaks lists what in a new document breaks a promise of an old one, each with its place.
func breaks(old, new document) []string {
	c := &comparison{old: old, new: new, seen: map[string]bool{}}
	c.keys()
	for path, item := range object(old["paths"]) {
		for method, op := range object(item) {
			place := strings.ToUpper(method) + " " + path
			now, there := object(object(object(new["paths"])[path]))[method]
			if !there {
				c.add(place, "is gone")
				continue
			}
			c.operation(place, object(op), object(now))
		}
	}
	slices.Sort(c.broken)
	return slices.Compact(c.broken)
}

type comparison struct {
	old, new document
	seen     map[string]bool // pairs of schemas that are compared already, by name and direction
	broken   []string
}

func (c *comparison) add(place, format string, args ...any) {
	c.broken = append(c.broken, place+": "+fmt.Sprintf(format, args...))
}

// keys compares how a key is sent.
func (c *comparison) keys() {
	if !reflect.DeepEqual(c.old["security"], c.new["security"]) {
		c.add("the document", "another key is needed")
	}
	schemes := object(object(c.new["components"])["securitySchemes"])
	for name, scheme := range object(object(c.old["components"])["securitySchemes"]) {
		was, is := maps.Clone(object(scheme)), maps.Clone(object(schemes[name]))
		delete(was, "description")
		delete(is, "description")
		if !reflect.DeepEqual(was, is) {
			c.add("the document", "the key %s is sent otherwise", name)
		}
	}
}

// operation compares two of one path and method.
func (c *comparison) operation(place string, old, new map[string]any) {
	if old["operationId"] != new["operationId"] {
		c.add(place, "has another operationId")
	}
	if !reflect.DeepEqual(old["security"], new["security"]) {
		c.add(place, "needs another key")
	}
	was, is := c.parameters(c.old, old), c.parameters(c.new, new)
	for name, p := range was {
		if is[name] == nil {
			c.add(place, "the parameter %s is gone", name)
			continue
		}
		c.schema(inRequest, place+" "+name, p["schema"], is[name]["schema"])
	}
	for name, p := range is {
		if p["required"] == true && (was[name] == nil || was[name]["required"] != true) {
			c.add(place, "the parameter %s is required now", name)
		}
	}
	body, bodyNow := c.deref(c.old, old["requestBody"]), c.deref(c.new, new["requestBody"])
	if bodyNow["required"] == true && body["required"] != true {
		c.add(place, "a body is required now")
	}
	c.contents(inRequest, place, body, bodyNow)
	answers := object(new["responses"])
	for status, r := range object(old["responses"]) {
		place := place + " " + status
		was, is := c.deref(c.old, r), c.deref(c.new, answers[status])
		if answers[status] == nil {
			c.add(place, "is gone")
			continue
		}
		c.contents(inAnswer, place, was, is)
		for name, h := range object(was["headers"]) {
			header, now := c.deref(c.old, h), c.deref(c.new, object(is["headers"])[name])
			if len(now) == 0 || header["required"] == true && now["required"] != true {
				c.add(place, "the header %s is gone, or may be", name)
				continue
			}
			c.schema(inAnswer, place+" "+name, header["schema"], now["schema"])
		}
	}
}

// parameters are those of an operation by where they are and their name.
func (c *comparison) parameters(d document, op map[string]any) map[string]map[string]any {
	out := map[string]map[string]any{}
	list, _ := op["parameters"].([]any)
	for _, p := range list {
		one := c.deref(d, p)
		out[fmt.Sprint(one["in"], " ", one["name"])] = one
	}
	return out
}

// contents compares the media types of a body.
func (c *comparison) contents(dir direction, place string, old, new map[string]any) {
	now := object(new["content"])
	for media, content := range object(old["content"]) {
		if now[media] == nil {
			c.add(place, "%s is gone", media)
			continue
		}
		c.schema(dir, place, object(content)["schema"], object(now[media])["schema"])
	}
}

// told are keywords that say nothing that a program could rely on.
var told = []string{"description", "title", "example", "examples", "$comment"}

// bounds are keywords of a least or most number, and whether it is the least.
var bounds = map[string]bool{"minimum": true, "exclusiveMinimum": true, "minLength": true, "minItems": true,
	"minProperties": true, "maximum": false, "exclusiveMaximum": false, "maxLength": false, "maxItems": false,
	"maxProperties": false}

// schema compares two schemas, keyword by keyword. What has no rule of its own must be as it was.
func (c *comparison) schema(dir direction, place string, was, is any) {
	pair := fmt.Sprint(dir, object(was)["$ref"], object(is)["$ref"])
	if object(was)["$ref"] != nil && object(is)["$ref"] != nil {
		if c.seen[pair] {
			return
		}
		c.seen[pair] = true
	}
	old, new := c.deref(c.old, was), c.deref(c.new, is)
	keywords := maps.Clone(old)
	maps.Copy(keywords, new)
	for keyword := range keywords {
		o, n := old[keyword], new[keyword]
		least, bound := bounds[keyword]
		switch {
		case slices.Contains(told, keyword), keyword == "oneOf", keyword == "anyOf":
		case keyword == "properties":
			c.properties(dir, place, object(o), object(n))
		case keyword == "required":
			c.required(dir, place, list(o), list(n))
		case keyword == "type":
			c.types(dir, place, list(o), list(n))
		case keyword == "enum", keyword == "const":
			c.words(dir, place, keyword, o, n)
		case keyword == "items" && o != nil && n != nil:
			c.schema(dir, place+"[]", o, n)
		case keyword == "additionalProperties":
			c.additional(dir, place, o, n)
		case bound:
			c.bound(dir, place, keyword, least, o, n)
		case !reflect.DeepEqual(o, n):
			c.add(place, "%s was %v and is %v", keyword, o, n)
		}
	}
	c.variants(dir, place, was, is)
}

func (c *comparison) properties(dir direction, place string, old, new map[string]any) {
	for name, p := range old {
		if new[name] == nil {
			c.add(place+"."+name, "is gone from the %s", dir)
			continue
		}
		c.schema(dir, place+"."+name, p, new[name])
	}
}

// required: what is to be sent becomes no more, and what is always there no less.
func (c *comparison) required(dir direction, place string, old, new []any) {
	more, less, what := new, old, "is required now"
	if dir == inAnswer {
		more, less, what = old, new, "may be left out now"
	}
	for _, name := range more {
		if !slices.Contains(less, name) {
			c.add(fmt.Sprint(place, ".", name), "%s", what)
		}
	}
}

// types: none is any. An integer is a number to whoever sends it; who reads may have taken it for one. An answer may
// get a type where none was told, and keeps all of several.
func (c *comparison) types(dir direction, place string, old, new []any) {
	narrow, wide := old, new
	if dir == inAnswer {
		narrow, wide = new, old
	}
	for _, t := range narrow {
		if len(wide) > 0 && !slices.Contains(wide, t) &&
			!(dir == inRequest && t == "integer" && slices.Contains(wide, any("number"))) {
			c.add(place, "the type was %v and is %v in the %s", old, new, dir)
			return
		}
	}
	if len(narrow) == 0 && len(wide) > 0 || dir == inAnswer && len(old) > len(new) {
		c.add(place, "the type was %v and is %v in the %s", old, new, dir)
	}
}

// words: each of the old is a word still. A list may become longer; there may be none where there was none, or in a
// request no more.
func (c *comparison) words(dir direction, place, keyword string, o, n any) {
	switch {
	case keyword == "const" && o != nil && n != nil && !reflect.DeepEqual(o, n):
		c.add(place, "was %v and is %v", o, n)
	case o == nil && dir == inRequest, n == nil && dir == inAnswer:
		c.add(place, "%s was %v and is %v in the %s", keyword, o, n, dir)
	case keyword == "enum" && o != nil && n != nil:
		for _, word := range list(o) {
			if !slices.Contains(list(n), word) {
				c.add(place, "%v is no word any more", word)
			}
		}
	}
}

// additional: members that a request may have beside those named stay so. Answers may have new ones.
func (c *comparison) additional(dir direction, place string, o, n any) {
	schema, now := object(o), object(n)
	switch {
	case schema != nil && now != nil:
		c.schema(dir, place+".*", o, n)
	case dir == inRequest && (o == nil || o == true || schema != nil) && n != nil && n != true,
		dir == inAnswer && schema != nil:
		c.add(place, "other members are not as they were in the %s", dir)
	}
}

func (c *comparison) bound(dir direction, place, keyword string, least bool, o, n any) {
	if dir == inAnswer {
		o, n = n, o
	}
	was, bounded := o.(float64)
	is, stays := n.(float64)
	if stays && (!bounded || least && is > was || !least && is < was) {
		c.add(place, "%s was %v and is %v in the %s, or the other way", keyword, o, n, dir)
	}
}

// variants: each variant of what may be sent is still one, each that is read was one, and none is gone.
func (c *comparison) variants(dir direction, place string, was, is any) {
	old, new := c.variantsOf(c.old, was), c.variantsOf(c.new, is)
	if old == nil && new == nil {
		return
	}
	fits := func(o, n any) bool {
		trial := &comparison{old: c.old, new: c.new, seen: maps.Clone(c.seen)}
		trial.schema(dir, place, o, n)
		return len(trial.broken) == 0
	}
	if old == nil { // it was one thing: itself without variants
		old = []any{c.deref(c.old, was)}
	}
	if new == nil {
		new = []any{c.deref(c.new, is)}
	}
	for i, o := range old {
		if !slices.ContainsFunc(new, func(n any) bool { return fits(o, n) }) {
			c.add(place, "variant %d is gone from the %s", i, dir)
		}
	}
	for i, n := range new {
		if dir == inAnswer && !slices.ContainsFunc(old, func(o any) bool { return fits(o, n) }) {
			c.add(place, "variant %d is new in the %s", i, dir)
		}
	}
}

func (c *comparison) variantsOf(d document, schema any) []any {
	s := c.deref(d, schema)
	return append(list(s["oneOf"]), list(s["anyOf"])...)
}

// deref follows a reference within a document.
func (c *comparison) deref(d document, v any) map[string]any {
	m := object(v)
	for {
		ref, ok := m["$ref"].(string)
		if !ok {
			return m
		}
		m = map[string]any(d)
		for part := range strings.SplitSeq(strings.TrimPrefix(ref, "#/"), "/") {
			m = object(m[part])
		}
	}
}

// object is a value as an object; nil if it is none.
func object(v any) map[string]any {
	m, _ := v.(map[string]any)
	return m
}

// list is a value as an array: its items, or itself alone.
func list(v any) []any {
	switch v := v.(type) {
	case nil:
		return nil
	case []any:
		return v
	}
	return []any{v}
}
