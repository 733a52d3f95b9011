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

// Read reads an insights file: {"insights": [Insight …], "generic": [Generic …]} with the members of those types by their JSON names, an origin audience
// having an id (of a saved audience) or an expression. Unknown members and repeated ids are errors; an error names its JSON path.
func Read(data []byte) (*File, error) {
	v, err := strictjson.Parse(data)
	if err != nil {
		return nil, err
	}
	top := v.Object("insights", "generic")
	f := &File{}
	ids := map[string]bool{}
	for _, item := range top.Items("insights") {
		i := readInsight(item)
		once(item, ids, "insight "+strconv.FormatInt(i.ID, 10))
		f.Insights = append(f.Insights, i)
	}
	for _, item := range top.Items("generic") {
		g, err := ReadGeneric(item.Raw(), item.Path())
		if err != nil {
			return nil, err
		}
		once(item, ids, "generic insight "+g.ID)
		f.Generic = append(f.Generic, g)
	}
	return f, v.Err()
}

func once(v strictjson.Value, seen map[string]bool, what string) {
	if seen[what] {
		v.Fail("%s is there twice", what)
	}
	seen[what] = true
}

func readInsight(v strictjson.Value) Insight {
	o := v.Object("id", "name", "description", "type", "category_ids", "images", "is_trending", "trending", "popularity", "published_at", "created_at", "updated_at")
	if !o.Get("id").Exists() {
		v.Fail("an insight needs an id, an integer")
	}
	i := Insight{ID: o.Int("id"), Name: o.Text("name"), Description: o.Text("description"), Type: o.Text("type"), CategoryIDs: []int64{}, Images: []Image{},
		IsTrending: o.Bool("is_trending"), Trending: o.Float("trending"), Popularity: o.Float("popularity"),
		PublishedAt: o.Text("published_at"), CreatedAt: o.Text("created_at"), UpdatedAt: o.Text("updated_at")}
	for _, c := range o.Items("category_ids") {
		i.CategoryIDs = append(i.CategoryIDs, c.Int())
	}
	for _, item := range o.Items("images") {
		p := item.Object("id", "is_main", "thumb_path", "page_thumb_path", "page_preview_thumb_path")
		i.Images = append(i.Images, Image{ID: p.Int("id"), IsMain: p.Bool("is_main"), ThumbPath: p.Text("thumb_path"),
			PageThumbPath: p.Text("page_thumb_path"), PagePreviewThumbPath: p.Text("page_preview_thumb_path")})
	}
	return i
}

// ReadGeneric reads one generic insight, as Read does and WriteGeneric writes it; path begins the paths of errors.
func ReadGeneric(text, path string) (Generic, error) {
	v, err := strictjson.Parse([]byte(text))
	if err != nil {
		return Generic{}, err
	}
	v = v.At(path)
	o := v.Object("id", "text", "metrics", "origins")
	g := Generic{ID: o.Text("id"), Text: o.Text("text"), Metrics: o.Texts("metrics")}
	if g.ID == "" {
		v.Fail("a generic insight needs an id, a text")
	}
	for _, m := range g.Metrics {
		if !slices.Contains(metrics, m) {
			o.Get("metrics").Fail("%q is none of percentage, index, sample, size", m)
		}
	}
	origins := o.Get("origins").Object("attributes", "audiences", "locations", "waves", "datasets")
	g.Origins = Origins{Locations: origins.Texts("locations"), Waves: origins.Texts("waves"), Datasets: origins.Texts("datasets")}
	for _, item := range origins.Items("attributes") {
		g.Origins.Attributes = append(g.Origins.Attributes, readAttribute(item))
	}
	for _, item := range origins.Items("audiences") {
		a, err := readAudience(item)
		if err != nil {
			return g, err
		}
		g.Origins.Audiences = append(g.Origins.Audiences, a)
	}
	return g, v.Err()
}

func readAttribute(v strictjson.Value) OriginAttribute {
	o := v.Object("attribute_key", "generated_text")
	key := o.Get("attribute_key")
	k := key.Object("namespace_code", "question_code", "datapoint_code", "suffix_code")
	a := OriginAttribute{GeneratedText: o.Text("generated_text"), Key: AttributeKey{NamespaceCode: k.Text("namespace_code"),
		QuestionCode: k.Text("question_code"), DatapointCode: k.Text("datapoint_code"), SuffixCode: k.Text("suffix_code")}}
	if a.Key.QuestionCode == "" || a.Key.DatapointCode == "" {
		key.Fail("an attribute needs a question_code and a datapoint_code")
	}
	if a.Key.SuffixCode != "" {
		if _, err := a.Key.suffix(); err != nil {
			key.Fail("%v", err)
		}
	}
	return a
}

// suffix is the suffix code as expressions have it.
func (k AttributeKey) suffix() (int, error) {
	n, err := strconv.ParseUint(k.SuffixCode, 10, 31)
	if err != nil {
		return 0, fmt.Errorf("suffix_code %q is no whole number", k.SuffixCode)
	}
	return int(n), nil
}

func readAudience(v strictjson.Value) (OriginAudience, error) {
	o := v.Object("id", "title", "description", "expression")
	a := OriginAudience{ID: o.Text("id"), Title: o.Text("title"), Description: o.Text("description")}
	x, err := new(audience.Parser).Expr(o.Get("expression"))
	if err != nil {
		return a, err
	}
	a.Expression = x
	if a.ID == "" {
		v.Fail("an origin audience needs an id: that of a saved audience, or any with an expression")
	}
	return a, nil
}

// WriteGeneric writes g as ReadGeneric reads it.
func WriteGeneric(g Generic) ([]byte, error) {
	type withExpression struct {
		ID          string          `json:"id"`
		Title       string          `json:"title"`
		Description string          `json:"description"`
		Expression  json.RawMessage `json:"expression,omitempty"`
	}
	var as []withExpression
	for _, a := range g.Origins.Audiences {
		w := withExpression{ID: a.ID, Title: a.Title, Description: a.Description}
		if a.Expression != nil {
			w.Expression = audience.Print(a.Expression)
		}
		as = append(as, w)
	}
	return json.Marshal(map[string]any{"id": g.ID, "text": g.Text, "metrics": g.Metrics, "origins": map[string]any{
		"attributes": g.Origins.Attributes, "audiences": as, "locations": g.Origins.Locations, "waves": g.Origins.Waves, "datasets": g.Origins.Datasets}})
}

// Check lists what in the file is not in the survey, so that whoever imports it hears of it: such insights can't be explored.
func (f *File) Check(frame *audience.Frame) error {
	var faults []error
	for _, g := range f.Generic {
		if err := frame.Check(g.Origins.Waves, g.Origins.Locations, g.uses(g.Origins.Audiences)...); err != nil {
			faults = append(faults, fmt.Errorf("generic insight %s: %w", g.ID, err))
		}
	}
	return errors.Join(faults...)
}
