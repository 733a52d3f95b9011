package survey

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/internal/strictjson"
	"github.com/crosswave/crosswave/store/survey/decimal"
	"github.com/crosswave/crosswave/store/survey/period"
)

// ReadCodebook reads a codebook from JSON and checks it. What is wrong is a *CodebookError.
func ReadCodebook(data []byte) (*Codebook, error) {
	doc, err := strictjson.Parse(bytes.TrimPrefix(data, []byte("\ufeff")))
	if err != nil {
		return nil, codebookError(err)
	}
	c := readCodebook(doc)
	if err := doc.Err(); err != nil {
		return nil, codebookError(err)
	}
	if err := c.Check(); err != nil {
		return nil, err
	}
	c.midpoints()
	return c, nil
}

// codebookError gives an error of the JSON reader as one of the codebook.
func codebookError(err error) error {
	var e *strictjson.Error
	if !errors.As(err, &e) {
		return err
	}
	reason := e.Reason
	if e.Line > 0 {
		reason = fmt.Sprintf("%s (line %d, column %d)", reason, e.Line, e.Column)
	}
	return &CodebookError{Path: e.Path, Reason: reason}
}

func readCodebook(doc strictjson.Value) *Codebook {
	c := &Codebook{Survey: &audience.Survey{}}
	o := doc.Object("name", "namespaces", "respondent", "wave", "location", "missing", "questions", "categories",
		"datasets", "derived")
	if !doc.Exists() {
		doc.Fail("an object is expected, not null")
	}
	s := c.Survey
	s.Name = o.Text("name")
	for _, item := range o.Items("namespaces") {
		n, w := readNamespace(item)
		s.Namespaces, c.Weights = append(s.Namespaces, n), append(c.Weights, w)
	}
	c.Respondent = needText(needObject(o, "respondent").Object("column"), "column")
	c.Wave = readFieldwork(o.Get("wave"), []string{"by", "dates"}, []string{"code", "name", "start", "end", "kind"},
		func(o strictjson.Object) {
			s.Waves = append(s.Waves, audience.Wave{Code: o.Text("code"), Name: o.Text("name"), Start: o.Text("start"),
				End: o.Text("end"), Kind: o.Text("kind")})
		})
	if !o.Get("wave").Exists() {
		s.Waves = []audience.Wave{{Code: All, Name: "All waves"}}
	}
	c.Location = readFieldwork(o.Get("location"), nil, []string{"code", "name", "id", "iso_code", "region"},
		func(o strictjson.Object) {
			s.Locations = append(s.Locations, readLocation(o))
		})
	if !o.Get("location").Exists() {
		s.Locations = []audience.Location{{Code: All, Name: "All locations"}}
	}
	c.Missing = texts(o, "missing")
	for _, item := range o.Items("questions") {
		q, columns := readQuestion(item, s)
		s.Questions, c.Questions = append(s.Questions, q), append(c.Questions, columns)
	}
	for _, item := range o.Items("categories") {
		s.Categories = append(s.Categories, readCategory(item))
	}
	for _, item := range o.Items("datasets") {
		s.Datasets = append(s.Datasets, readDataset(item))
	}
	c.Derived = readDerived(o)
	return c
}

// All is the code of the one wave, and of the one location, of a survey that tells none apart.
const All = "all"

func readNamespace(v strictjson.Value) (audience.Namespace, WeightColumn) {
	o := v.Object("code", "name", "description", "base", "universe", "weight")
	n := audience.Namespace{
		Code: needText(o, "code"), Name: o.Text("name"), Description: o.Text("description"), Base: o.Text("base"),
		Universe: o.Text("universe"),
	}
	weight := o.Get("weight")
	if !weight.Exists() {
		return n, WeightColumn{}
	}
	o = weight.Object("column", "missing")
	w := WeightColumn{Column: needText(o, "column"), Missing: o.Text("missing")}
	if w.Missing == "error" {
		w.Missing = ""
	}
	return n, w
}

// readFieldwork reads wave or location; own are the members that the other of the two has not, known are those of a
// value beside "value", and read is called with each.
func readFieldwork(v strictjson.Value, own, known []string, read func(strictjson.Object)) FieldworkColumn {
	if !v.Exists() {
		v.Object("column") // an error if it is there and no object
		return FieldworkColumn{}
	}
	o := v.Object(append([]string{"column", "missing", "values"}, own...)...)
	a := FieldworkColumn{Column: o.Text("column"), Missing: o.Text("missing")}
	if slices.Contains(own, "by") {
		a.By, a.Dates = period.By(o.Text("by")), period.Order(o.Text("dates"))
	}
	items := o.Items("values")
	if a.By == "" { // periods that are not listed are those of the data
		items = needItems(o, "values", "value")
	}
	for _, item := range items {
		o := item.Object(append([]string{"value"}, known...)...)
		needText(o, "code")
		read(o)
		switch {
		case a.Column != "":
			a.Values = append(a.Values, valueOr(o, o.Text("code")))
		case o.Has("value"):
			o.Get("value").Fail("without a column there is no value to compare; name the column, or leave the value out")
		}
	}
	return a
}

func readLocation(o strictjson.Object) audience.Location {
	r := o.Get("region").Object("id", "code", "name", "area")
	return audience.Location{
		ID: o.Text("id"), Code: o.Text("code"), Name: o.Text("name"), ISOCode: o.Text("iso_code"),
		Region: audience.Region{ID: r.Text("id"), Code: r.Text("code"), Name: r.Text("name"), Area: r.Text("area")},
	}
}

// members are the members that only some types of questions have.
var members = map[string][]string{
	audience.Single: {"column", "datapoints"},
	audience.Multi:  {"column", "separator", "datapoints", "columns", "value", "mentions"},
	audience.Grid:   {"separator", "suffixes", "datapoints", "columns"},
	audience.Number: {"column", "bands"},
}

// questionMembers are the members of a question that tell nothing of columns, nor of its answers.
var questionMembers = []string{"code", "type", "namespace", "name", "description", "unit", "order", "flags",
	"knowledge_base", "message", "notice", "warning", "datasets", "hidden", "asked"}

// readTexts reads those members.
func readTexts(o strictjson.Object, s *audience.Survey) audience.Question {
	q := audience.Question{
		Namespace: o.Text("namespace"), Code: needText(o, "code"), Name: o.Text("name"), Description: o.Text("description"),
		Kind: needText(o, "type"), Unit: o.Text("unit"), Order: int(o.Int("order")), Flags: texts(o, "flags"),
		KnowledgeBase: o.Text("knowledge_base"), Message: o.Text("message"), Notice: o.Text("notice"),
		Warning: o.Text("warning"), Datasets: texts(o, "datasets"), Hidden: o.Bool("hidden"),
		Asked: readAsked(o.Get("asked")),
	}
	if q.Namespace == "" && len(s.Namespaces) > 0 {
		q.Namespace = s.Namespaces[0].Code
	}
	if members[q.Kind] == nil {
		o.Get("type").Fail("%q is no type of question; single, multi, grid and number are", q.Kind)
	}
	return q
}

func readQuestion(v strictjson.Value, s *audience.Survey) (audience.Question, QuestionColumns) {
	o := v.Object(append([]string{"missing", "column", "columns", "value", "mentions", "separator", "datapoints",
		"suffixes", "bands"}, questionMembers...)...)
	q := readTexts(o, s)
	own := members[q.Kind]
	for _, name := range []string{"column", "columns", "value", "mentions", "separator", "datapoints", "suffixes",
		"bands"} {
		if o.Has(name) && !slices.Contains(own, name) {
			o.Get(name).Fail("a question of type %s has no %s", q.Kind, name)
		}
	}
	c := QuestionColumns{Column: o.Text("column"), Columns: o.Text("columns"), Value: o.Text("value"),
		Mentions: texts(o, "mentions"), Separator: o.Text("separator"), Missing: texts(o, "missing")}
	answers := "datapoints"
	switch {
	case q.Kind == audience.Number:
		answers = "bands"
	case q.Kind == audience.Single:
		needText(o, "column")
	case q.Kind == audience.Multi && c.split() && c.Separator != "":
		o.Get("separator").Fail("a separator divides the values of one column: name the question's column, or leave " +
			"the separator out")
	case q.Kind == audience.Multi && c.Column != "" && len(c.Mentions) == 0:
		needText(o, "separator")
	case q.Kind == audience.Grid:
		for _, item := range needItems(o, "suffixes", "suffix") {
			suffix, value := readSuffix(item)
			q.Suffixes, c.Suffixes = append(q.Suffixes, suffix), append(c.Suffixes, value)
		}
	}
	q.Separate = q.Kind == audience.Grid || q.Kind == audience.Multi && c.split()
	var items []strictjson.Value
	if c.Columns == "" || o.Has(answers) {
		items = needItems(o, answers, answers[:len(answers)-1])
	}
	for _, item := range items {
		d, a := readDatapoint(item, q.Kind, c.split())
		q.Datapoints, c.Datapoints = append(q.Datapoints, d), append(c.Datapoints, a)
	}
	if q.Kind == audience.Number && !c.told() {
		needText(o, "column")
	}
	return q, c
}

func readDatapoint(v strictjson.Value, kind string, split bool) (audience.Datapoint, AnswerColumn) {
	known := []string{"code", "name", "midpoint", "order", "asked"}
	switch {
	case kind == audience.Number:
		known = append(known, "from", "to", "column", "value")
	case kind == audience.Grid:
		known = append(known, "column")
	case split:
		known = append(known, "column", "value")
	default:
		known = append(known, "value")
	}
	o := v.Object(known...)
	d := audience.Datapoint{
		Code: needText(o, "code"), Name: o.Text("name"), Midpoint: number(o, "midpoint"), Order: number(o, "order"),
		Asked: readAsked(o.Get("asked")),
	}
	var a AnswerColumn
	switch {
	case kind == audience.Number:
		a.From, a.To, a.Column, a.Value = readEnd(o, "from"), readEnd(o, "to"), o.Text("column"), valueOr(o, "")
	case kind == audience.Grid:
		a.Column = needText(o, "column")
	case split:
		a.Column, a.Value = needText(o, "column"), valueOr(o, "")
		if o.Has("value") && readValue(a.Value, false).empty() {
			o.Get("value").Fail("the empty text is always missing and no answer; leave the value out for 1, yes, true, y and t")
		}
	default:
		a.Value = valueOr(o, d.Code)
	}
	return d, a
}

func readSuffix(v strictjson.Value) (audience.Suffix, string) {
	o := v.Object("code", "name", "value", "midpoint", "order")
	at := o.Get("code")
	code, ok := suffixCode(at)
	if !ok {
		at.Fail("a suffix code is a whole number from 0 to %d", 1<<31-1)
	}
	s := audience.Suffix{Code: code, Name: o.Text("name"), Midpoint: number(o, "midpoint"), Order: number(o, "order")}
	return s, valueOr(o, strconv.Itoa(code))
}

// suffixCode reads a suffix code, which is written as a string or as a number.
func suffixCode(v strictjson.Value) (int, bool) {
	raw := v.Raw()
	if raw != "" && raw[0] == '"' {
		code, err := strconv.ParseUint(v.Text(), 10, 31)
		return int(code), err == nil
	}
	code := v.Int()
	return int(code), v.Exists() && code >= 0 && code < 1<<31
}

func readAsked(v strictjson.Value) audience.Asked {
	items := v.Items()
	if items == nil {
		return nil
	}
	asked := audience.Asked{}
	for _, item := range items {
		o := item.Object("wave", "location")
		asked = append(asked, audience.Fieldwork{Wave: o.Text("wave"), Location: o.Text("location")})
	}
	return asked
}

func readCategory(v strictjson.Value) audience.Category {
	o := v.Object("id", "name", "description", "parent", "order", "questions", "datasets")
	return audience.Category{
		ID: needText(o, "id"), Name: o.Text("name"), Description: o.Text("description"), Parent: o.Text("parent"),
		Order: int(o.Int("order")), Questions: texts(o, "questions"), Datasets: texts(o, "datasets"),
	}
}

func readDataset(v strictjson.Value) audience.Dataset {
	o := v.Object("code", "name", "description", "url", "base_audience_label", "base_namespace_code", "parent", "order",
		"is_syndicated")
	return audience.Dataset{
		Code: needText(o, "code"), Name: o.Text("name"), Description: o.Text("description"), URL: o.Text("url"),
		BaseAudienceLabel: o.Text("base_audience_label"), BaseNamespace: o.Text("base_namespace_code"),
		Parent: o.Text("parent"),
		Order:  int(o.Int("order")), Syndicated: o.Bool("is_syndicated"),
	}
}

// readEnd reads the end of a band exactly: as canonical decimal text.
func readEnd(o strictjson.Object, name string) string {
	v := o.Get(name)
	v.Float() // sees to it that it is a number
	if !v.Exists() {
		return ""
	}
	d, err := decimal.Parse(v.Raw(), true)
	if err != nil {
		v.Fail("%v", err)
	}
	return d.String()
}

// number reads a number that may be left out.
func number(o strictjson.Object, name string) *float64 {
	f := o.Float(name)
	if !o.Get(name).Exists() {
		return nil
	}
	return &f
}

// texts reads a list of strings; an empty one is nil.
func texts(o strictjson.Object, name string) []string {
	if list := o.Texts(name); len(list) > 0 {
		return list
	}
	return nil
}

// valueOr reads the member "value", or gives what stands for it if it is left out.
func valueOr(o strictjson.Object, otherwise string) string {
	if v := o.Get("value"); v.Exists() {
		return v.Text()
	}
	return otherwise
}

// needText reads a string that must be there and hold something.
func needText(o strictjson.Object, name string) string {
	text := o.Text(name)
	if text == "" {
		o.Get(name).Fail("a %s is needed here", name)
	}
	return text
}

// needItems reads an array that must be there and hold at least one of what it is of.
func needItems(o strictjson.Object, name, what string) []strictjson.Value {
	items := o.Items(name)
	if len(items) == 0 {
		o.Get(name).Fail("at least one %s is needed here", what)
	}
	return items
}

func needObject(o strictjson.Object, name string) strictjson.Value {
	v := o.Get(name)
	if !v.Exists() {
		v.Fail("a %s is needed here: an object with the name of its column", name)
	}
	return v
}
