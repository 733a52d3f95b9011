package strictjson

import (
	"bytes"
	"encoding/json"
	"fmt"
	"iter"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/tidwall/gjson"
)

// Parse reads a JSON text of at most [Depth] levels. The error is an [*Error]. The Value keeps nothing of data.
func Parse(data []byte) (Value, error) { return ParseDepth(data, Depth) }

// ParseDepth is Parse with another limit to nesting; at depth 0 only scalars pass.
func ParseDepth(data []byte, depth int) (Value, error) {
	if err := scan(data, depth); err != nil {
		return Value{}, err
	}
	return Value{doc: new(document), raw: strings.Trim(string(data), " \t\r\n"), index: whole}, nil
}

// document is what the values of one text have in common.
type document struct{ err *Error }

// Value is a value in a document, or the place where one could be. Copies are as good as the original. The texts it
// gives share the memory of the document.
//
// The zero Value is absent, and is part of no document: errors at it are recorded nowhere.
type Value struct {
	doc   *document
	up    *place // the container; nil at the top
	raw   string // as written; "" if absent
	name  string // of a member, or the whole path
	index int    // of an array element, or member or whole
}

// Values of Value.index for what is no array element.
const (
	member = -1 - iota // name is the name of a member
	whole              // name is the whole path
)

// place is the way to a container. Paths are made of it when somebody asks.
type place struct {
	up    *place
	name  string
	index int
}

func (v Value) place() *place { return &place{v.up, v.name, v.index} }

func (p *place) append(path []byte) []byte {
	if p.up != nil {
		path = p.up.append(path)
	}
	switch p.index {
	case whole:
		return append(path, p.name...)
	case member:
		return appendName(path, p.name)
	}
	return appendIndex(path, p.index)
}

// Path is the way to the value from the top of the document, "" for the top itself: rows[3].expression.
func (v Value) Path() string { return string(v.place().append(nil)) }

// At gives the same value known under another path, which then begins the paths of everything inside it.
func (v Value) At(path string) Value {
	v.up, v.name, v.index = nil, path, whole
	return v
}

// Err gives the first error met in the document, an [*Error], or nil. After it all reads give zero values.
func (v Value) Err() error {
	if v.failed() {
		return v.doc.err
	}
	return nil
}

func (v Value) failed() bool { return v.doc != nil && v.doc.err != nil }

// Fail records that something is wrong with this value, unless there is an error already. The text says what would be
// right; the path is put before it.
func (v Value) Fail(format string, args ...any) {
	if v.doc != nil && v.doc.err == nil {
		v.doc.err = &Error{Path: v.Path(), Reason: fmt.Sprintf(format, args...)}
	}
}

// Exists tells whether the value is there and not null.
func (v Value) Exists() bool { return v.raw != "" && v.raw[0] != 'n' && !v.failed() }

// Null tells whether the value is there and written as null.
func (v Value) Null() bool { return v.raw == "null" && !v.failed() }

// Raw gives the value as it is written, "" if it is absent. It does so after errors too.
func (v Value) Raw() string { return v.raw }

// Compact gives the value as it is written but without white space between its parts; nil if it is absent. It does so
// after errors too.
func (v Value) Compact() []byte {
	if v.raw == "" {
		return nil
	}
	var b bytes.Buffer
	if err := json.Compact(&b, []byte(v.raw)); err != nil { // cannot happen: it was read as JSON
		return []byte(v.raw)
	}
	return b.Bytes()
}

// kind names the type of a value that is there.
func (v Value) kind() string {
	switch v.raw[0] {
	case '{':
		return "an object"
	case '[':
		return "an array"
	case '"':
		return "a string"
	case 't', 'f':
		return "a boolean"
	case 'n':
		return "null"
	}
	return "a number"
}

// is tells whether there is a value to read, of the type asked for; it is an error if the value has another.
func (v Value) is(kind string) bool {
	if !v.Exists() {
		return false
	}
	if k := v.kind(); k != kind {
		v.Fail("%s is expected, not %s", kind, k)
		return false
	}
	return true
}

// Text reads a string.
func (v Value) Text() string {
	if !v.is("a string") {
		return ""
	}
	if text := v.raw[1 : len(v.raw)-1]; strings.IndexByte(text, '\\') < 0 {
		return text
	}
	return gjson.Parse(v.raw).Str
}

// Bool reads true or false.
func (v Value) Bool() bool { return v.is("a boolean") && v.raw == "true" }

// Int reads a whole number, in whatever way JSON may write it: 100, 100.0, 1e2.
func (v Value) Int() int64 {
	if !v.is("a number") {
		return 0
	}
	n, whole, fits := integer(v.raw)
	if !whole {
		v.Fail("a whole number is expected, not %s", cut(v.raw))
	} else if !fits {
		v.Fail("a whole number from %d to %d is expected, not %s", math.MinInt64, math.MaxInt64, cut(v.raw))
	}
	return n
}

// integer gives the value of a JSON number if it is whole and fits; 0 else.
func integer(raw string) (n int64, whole, fits bool) {
	digits, exponent := raw, 0
	if at := strings.IndexAny(raw, "eE"); at >= 0 {
		digits = raw[:at]
		exponent, _ = strconv.Atoi(raw[at+1:]) // the nearest int, if it is out of range
		exponent = max(exponent, math.MinInt32)
	}
	sign := ""
	if digits[0] == '-' {
		sign, digits = "-", digits[1:]
	}
	before, after, _ := strings.Cut(digits, ".")
	exponent -= len(after)
	digits = strings.TrimLeft(before+after, "0")
	exponent += len(digits)
	digits = strings.TrimRight(digits, "0")
	exponent -= len(digits)
	switch {
	case digits == "":
		return 0, true, true
	case exponent < 0:
		return 0, false, false
	case len(digits)+exponent > 19:
		return 0, true, false
	}
	n, err := strconv.ParseInt(sign+digits+strings.Repeat("0", exponent), 10, 64)
	if err != nil {
		return 0, true, false
	}
	return n, true, true
}

// Float reads a number, rounded to the nearest float64; it is finite.
func (v Value) Float() float64 {
	if !v.is("a number") {
		return 0
	}
	f, _ := strconv.ParseFloat(v.raw, 64)
	return f
}

// Items reads an array; nil if it is absent or null. Paths of the elements end in [0], [1] ….
func (v Value) Items() []Value {
	if !v.is("an array") {
		return nil
	}
	here := v.place()
	items := []Value{}
	gjson.Parse(v.raw).ForEach(func(_, item gjson.Result) bool {
		items = append(items, Value{doc: v.doc, up: here, raw: item.Raw, index: len(items)})
		return true
	})
	return items
}

// Texts reads an array of strings. An element that is null is an error.
func (v Value) Texts() []string {
	return v.list(func(item Value) string {
		if item.Null() {
			item.Fail("a string is expected, not null")
		}
		return item.Text()
	})
}

// Codes reads an array of strings and whole numbers, these as decimal text: ["a", 7] gives "a", "7". An element that
// is null is an error.
func (v Value) Codes() []string {
	return v.list(func(item Value) string {
		switch kind := item.kind(); kind {
		case "a string":
			return item.Text()
		case "a number":
			return strconv.FormatInt(item.Int(), 10)
		default:
			item.Fail("a string or a whole number is expected, not %s", kind)
			return ""
		}
	})
}

// list reads an array; nil if there was an error.
func (v Value) list(read func(Value) string) []string {
	items := v.Items()
	if items == nil {
		return nil
	}
	texts := make([]string, len(items))
	for i, item := range items {
		texts[i] = read(item)
	}
	if v.failed() {
		return nil
	}
	return texts
}

// Object reads an object whose members are among the known ones: another member is an error that names it. With none
// named, members of any name are let pass. If the value is absent or null, so are all members.
func (v Value) Object(known ...string) Object {
	o := Object{at: v}
	if !v.is("an object") {
		return o
	}
	o.fields = &fields{up: v.place()}
	gjson.Parse(v.raw).ForEach(func(name, value gjson.Result) bool {
		o.fields.list = append(o.fields.list, field{name.Str, value.Raw})
		return true
	})
	if len(known) > 0 {
		for _, f := range o.fields.list {
			if !slices.Contains(known, f.name) {
				o.Get(f.name).Fail("%s", unknown(f.name, known))
				return o
			}
		}
	}
	return o
}

// Object is an object's members. Those of an Object that was read from an absent or null value are all absent.
type Object struct {
	at     Value
	fields *fields // nil if there is no object
}

type fields struct {
	up    *place
	list  []field
	index map[string]int // of a large list; made when first needed
}

type field struct{ name, raw string }

// many is the number of members from which looking them up in a map is faster than comparing.
const many = 24

// find gives a member as written, "" if it is absent.
func (f *fields) find(name string) string {
	if len(f.list) < many {
		for i := range f.list {
			if f.list[i].name == name {
				return f.list[i].raw
			}
		}
		return ""
	}
	if f.index == nil {
		f.index = make(map[string]int, len(f.list))
		for i := range f.list {
			f.index[f.list[i].name] = i
		}
	}
	if i, ok := f.index[name]; ok {
		return f.list[i].raw
	}
	return ""
}

// Get gives a member. One that is absent does not exist but has the path it would have.
func (o Object) Get(name string) Value {
	if o.fields == nil {
		return Value{doc: o.at.doc, up: o.at.place(), name: name, index: member}
	}
	return Value{doc: o.at.doc, up: o.fields.up, raw: o.fields.find(name), name: name, index: member}
}

// Has tells whether a member is there, be it null.
func (o Object) Has(name string) bool {
	return o.fields != nil && !o.at.failed() && o.fields.find(name) != ""
}

// Members gives all members in order of appearance, those that are null too.
func (o Object) Members() iter.Seq2[string, Value] {
	return func(yield func(string, Value) bool) {
		if o.fields == nil {
			return
		}
		for _, f := range o.fields.list {
			if o.at.failed() || !yield(f.name, Value{doc: o.at.doc, up: o.fields.up, raw: f.raw, name: f.name, index: member}) {
				return
			}
		}
	}
}

// Err is the Err of any value of the document.
func (o Object) Err() error { return o.at.Err() }

// Text is short for Get(name).Text(), as the others are for theirs.
func (o Object) Text(name string) string    { return o.Get(name).Text() }
func (o Object) Bool(name string) bool      { return o.Get(name).Bool() }
func (o Object) Int(name string) int64      { return o.Get(name).Int() }
func (o Object) Float(name string) float64  { return o.Get(name).Float() }
func (o Object) Texts(name string) []string { return o.Get(name).Texts() }
func (o Object) Codes(name string) []string { return o.Get(name).Codes() }
func (o Object) Items(name string) []Value  { return o.Get(name).Items() }
