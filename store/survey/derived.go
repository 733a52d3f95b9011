package survey

import (
	"bytes"
	"encoding/json"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/internal/strictjson"
)

// derivedJSON is a derived question as codebooks have it.
type (
	derivedJSON struct {
		Code        string               `json:"code"`
		Name        string               `json:"name,omitempty"`
		Description string               `json:"description,omitempty"`
		Datapoints  []derivedDatapointOf `json:"datapoints"`
	}
	derivedDatapointOf struct {
		Code       string          `json:"code"`
		Name       string          `json:"name,omitempty"`
		Expression json.RawMessage `json:"expression"`
	}
)

func writeDerived(list []audience.Definition) (out []derivedJSON) {
	for _, d := range list {
		q := derivedJSON{Code: d.Code, Name: d.Name, Description: d.Description}
		for _, point := range d.Datapoints {
			q.Datapoints = append(q.Datapoints, derivedDatapointOf{point.Code, point.Name, audience.Print(point.Expr)})
		}
		out = append(out, q)
	}
	return out
}

// ReadDerived reads the derived questions that a codebook names, be it of a file or of a store, as WriteCodebook and
// WriteRecords write them; none if it names none. Whether they can be used is for a store to say, which has what they
// read. What is no such JSON is a *CodebookError.
func ReadDerived(data []byte) ([]audience.Definition, error) {
	doc, err := strictjson.Parse(bytes.TrimPrefix(data, []byte("\ufeff")))
	if err != nil {
		return nil, codebookError(err)
	}
	list := readDerived(doc.Object())
	if err := doc.Err(); err != nil {
		return nil, codebookError(err)
	}
	return list, nil
}

// readDerived reads the derived questions of a codebook's object.
func readDerived(o strictjson.Object) (list []audience.Definition) {
	parser := audience.Parser{Bands: true}
	for _, item := range o.Items("derived") {
		q := item.Object("code", "name", "description", "datapoints")
		d := audience.Definition{Code: needText(q, "code"), Name: q.Text("name"), Description: q.Text("description")}
		for _, item := range needItems(q, "datapoints", "datapoint") {
			o := item.Object("code", "name", "expression")
			point := audience.DefinedDatapoint{Code: needText(o, "code"), Name: o.Text("name")}
			v := o.Get("expression")
			var err error
			switch point.Expr, err = parser.Expr(v); {
			case err != nil:
				v.Fail("%v", err)
			case point.Expr == nil:
				v.Fail("the expression is empty: say who gives the answer")
			}
			d.Datapoints = append(d.Datapoints, point)
		}
		list = append(list, d)
	}
	return list
}
