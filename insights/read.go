package insights

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/internal/strictjson"
)

// File is what an insights file holds.
type File struct {
	Insights []Insight
	Generic  []Generic
}

// Read reads an insights file; the package's documentation shows one. Every error names its JSON path.
func Read(data []byte) (*File, error) {
	v, err := strictjson.Parse(data)
	if err != nil {
		return nil, err
	}
	if v.Null() {
		v.Fail("an object is expected, not null")
	}
	top := v.Object("insights", "generic")
	f := &File{}
	seen := map[string]bool{}
	for _, item := range top.Items("insights") {
		i := readInsight(item)
		once(item.Object().Get("id"), seen, "insight "+strconv.FormatInt(i.ID, 10))
		f.Insights = append(f.Insights, i)
	}
	for _, item := range top.Items("generic") {
		g, err := ReadGeneric(item.Raw(), item.Path())
		if err != nil {
			return nil, err
		}
		once(item.Object().Get("id"), seen, "generic insight "+g.ID)
		f.Generic = append(f.Generic, g)
	}
	if err := v.Err(); err != nil {
		return nil, err
	}
	return f, nil
}

// once sees to it that nothing is there twice.
func once(v strictjson.Value, seen map[string]bool, what string) {
	if seen[what] {
		v.Fail("%s is there twice", what)
	}
	seen[what] = true
}

// need reads a text that must be there and hold something.
func need(o strictjson.Object, name, what string) string {
	text := o.Text(name)
	if text == "" {
		o.Get(name).Fail("%s", what)
	}
	return text
}

func readInsight(v strictjson.Value) Insight {
	o := v.Object("id", "name", "description", "type", "category_ids", "images", "is_trending", "trending",
		"popularity", "published_at", "created_at", "updated_at")
	if !o.Get("id").Exists() {
		o.Get("id").Fail("an insight needs an id, an integer")
	}
	i := Insight{ID: o.Int("id"), Name: o.Text("name"), Description: o.Text("description"), Type: o.Text("type"),
		CategoryIDs: []int64{}, Images: []Image{},
		IsTrending: o.Bool("is_trending"), Trending: o.Float("trending"), Popularity: o.Float("popularity"),
		PublishedAt: readDate(o, "published_at"), CreatedAt: readDate(o, "created_at"), UpdatedAt: readDate(o, "updated_at")}
	for _, c := range o.Items("category_ids") {
		if c.Null() {
			c.Fail("a whole number is expected, not null")
		}
		i.CategoryIDs = append(i.CategoryIDs, c.Int())
	}
	for _, item := range o.Items("images") {
		p := item.Object("id", "is_main", "thumb_path", "page_thumb_path", "page_preview_thumb_path")
		i.Images = append(i.Images, Image{ID: p.Int("id"), IsMain: p.Bool("is_main"), ThumbPath: p.Text("thumb_path"),
			PageThumbPath: p.Text("page_thumb_path"), PagePreviewThumbPath: p.Text("page_preview_thumb_path")})
	}
	return i
}

func readDate(o strictjson.Object, name string) string {
	text := o.Text(name)
	if _, err := readMoment(text); err != nil && text != "" {
		o.Get(name).Fail("%q is no date; one is written 2024-01-31 or 2024-01-31T09:30:00Z", text)
	}
	return text
}

// ReadGeneric reads one generic insight, as Read does and WriteGeneric writes it; path begins the paths of errors.
func ReadGeneric(text, path string) (Generic, error) {
	v, err := strictjson.Parse([]byte(text))
	if err != nil {
		return Generic{}, err
	}
	v = v.At(path)
	o := v.Object("id", "text", "metrics", "origins")
	g := Generic{ID: need(o, "id", "a generic insight needs an id, a text"),
		Text: need(o, "text", "a generic insight needs a text"), Metrics: o.Texts("metrics")}
	seen := map[string]bool{}
	for i, m := range o.Items("metrics") {
		if !slices.Contains(metrics, g.Metrics[i]) {
			m.Fail("%q is none of percentage, index, sample, size", g.Metrics[i])
		}
		once(m, seen, "metric "+g.Metrics[i])
	}
	origins := o.Get("origins").Object("attributes", "audiences", "locations", "waves", "datasets")
	g.Origins = Origins{Locations: origins.Texts("locations"), Waves: origins.Texts("waves"),
		Datasets: origins.Texts("datasets")}
	for _, item := range origins.Items("attributes") {
		a := readAttribute(item)
		k := a.Key
		once(item.Object().Get("attribute_key"), seen, fmt.Sprintf("attribute %s.%s.%s.%s", k.NamespaceCode,
			k.QuestionCode, k.DatapointCode, k.SuffixCode))
		g.Origins.Attributes = append(g.Origins.Attributes, a)
	}
	for _, item := range origins.Items("audiences") {
		a, err := readAudience(item)
		if err != nil {
			return Generic{}, err
		}
		once(item.Object().Get("id"), seen, "audience "+a.ID)
		g.Origins.Audiences = append(g.Origins.Audiences, a)
	}
	if err := v.Err(); err != nil {
		return Generic{}, err
	}
	return g, nil
}

func readAttribute(v strictjson.Value) OriginAttribute {
	o := v.Object("attribute_key", "generated_text")
	k := o.Get("attribute_key").Object("namespace_code", "question_code", "datapoint_code", "suffix_code")
	a := OriginAttribute{GeneratedText: o.Text("generated_text"),
		Key: AttributeKey{NamespaceCode: k.Text("namespace_code"),
			QuestionCode:  need(k, "question_code", "an attribute needs a question_code"),
			DatapointCode: need(k, "datapoint_code", "an attribute needs a datapoint_code"),
			SuffixCode:    k.Text("suffix_code")}}
	if _, ok := a.Key.suffix(); a.Key.SuffixCode != "" && !ok {
		k.Get("suffix_code").Fail("%q is no suffix code: a whole number from 0 to %d, written as a text",
			a.Key.SuffixCode, 1<<31-1)
	}
	return a
}

// suffix is the suffix code as expressions have it.
func (k AttributeKey) suffix() (code int, ok bool) {
	n, err := strconv.ParseUint(k.SuffixCode, 10, 31)
	return int(n), err == nil && strconv.FormatUint(n, 10) == k.SuffixCode
}

func readAudience(v strictjson.Value) (OriginAudience, error) {
	o := v.Object("id", "title", "description", "expression")
	a := OriginAudience{ID: need(o, "id", "an origin audience needs an id: that of a saved audience, or any with an "+
		"expression"),
		Title: o.Text("title"), Description: o.Text("description")}
	expression := o.Get("expression")
	x, err := new(audience.Parser).Expr(expression)
	if err == nil && x == nil && expression.Exists() {
		err = &audience.EmptyError{Path: expression.Path()}
	}
	a.Expression = x
	return a, err
}

// WriteGeneric writes g as ReadGeneric reads it.
func WriteGeneric(g Generic) ([]byte, error) {
	// A member named again here hides the one that is embedded.
	type withExpression struct {
		OriginAudience
		Expression json.RawMessage `json:"expression,omitempty"`
	}
	type origins struct {
		Origins
		Audiences []withExpression `json:"audiences"`
	}
	out := struct {
		Generic
		Origins origins `json:"origins"`
	}{g, origins{Origins: g.Origins}}
	for _, a := range g.Origins.Audiences {
		w := withExpression{OriginAudience: a}
		if a.Expression != nil {
			w.Expression = audience.Print(a.Expression)
		}
		out.Origins.Audiences = append(out.Origins.Audiences, w)
	}
	return json.Marshal(out)
}

// Check tells which of the file's generic insights can't be explored in a survey, and why: codes that are not there,
// namespaces without common respondents. Saved audiences are not looked at. The frame is that of all there is.
func (f *File) Check(frame *audience.Frame) error {
	var faults []error
	for _, g := range f.Generic {
		if _, err := g.spec(frame, g.Origins.Audiences); err != nil {
			faults = append(faults, fmt.Errorf("generic insight %s: %w", g.ID, err))
		}
	}
	return errors.Join(faults...)
}
