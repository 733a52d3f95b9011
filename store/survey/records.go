package survey

import (
	"bytes"
	"encoding/json"
	"strconv"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/internal/strictjson"
)

// recordsJSON is a survey as a codebook has it, without what tells columns and values.
type recordsJSON struct {
	Name       string               `json:"name,omitempty"`
	Namespaces []audience.Namespace `json:"namespaces"`
	Wave       fieldworkJSON        `json:"wave"`
	Location   fieldworkJSON        `json:"location"`
	Questions  []questionJSON       `json:"questions"`
	Categories []audience.Category  `json:"categories,omitempty"`
	Datasets   []audience.Dataset   `json:"datasets,omitempty"`
	Derived    []derivedJSON        `json:"derived,omitempty"`
}

// WriteRecords writes what a survey says about its records as JSON for people to read and edit: a codebook without the
// columns and values of a file, and beside it derived questions. ReadRecords gives it back, but for Separate, which
// only columns tell, and ReadDerived these.
func WriteRecords(s *audience.Survey, derived ...audience.Definition) ([]byte, error) {
	out := recordsJSON{Name: s.Name, Namespaces: s.Namespaces, Questions: []questionJSON{}, Categories: s.Categories,
		Datasets: s.Datasets, Derived: writeDerived(derived)}
	for _, w := range s.Waves {
		out.Wave.Values = append(out.Wave.Values, waveJSON{nil, w})
	}
	for _, l := range s.Locations {
		out.Location.Values = append(out.Location.Values, locationJSON{nil, l})
	}
	for i := range s.Questions {
		q := &s.Questions[i]
		places := QuestionColumns{Datapoints: make([]AnswerColumn, len(q.Datapoints))}
		for _, suffix := range q.Suffixes {
			places.Suffixes = append(places.Suffixes, strconv.Itoa(suffix.Code))
		}
		if q.Kind == audience.Single || q.Kind == audience.Multi {
			for j, d := range q.Datapoints {
				places.Datapoints[j].Value = d.Code
			}
			places.Column = q.Code // so that a value that is the code need not be written
		}
		record := writeQuestion(q, &places)
		record.Column = ""
		out.Questions = append(out.Questions, record)
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	err := e.Encode(out)
	return b.Bytes(), err
}

// ReadRecords reads what WriteRecords writes, as it is: without a check whether codes are unique, and so on. What is no
// such JSON is a *CodebookError.
func ReadRecords(data []byte) (*audience.Survey, error) {
	doc, err := strictjson.Parse(bytes.TrimPrefix(data, []byte("\ufeff")))
	if err != nil {
		return nil, codebookError(err)
	}
	s := &audience.Survey{}
	o := doc.Object("name", "namespaces", "wave", "location", "questions", "categories", "datasets",
		"derived")
	if !doc.Exists() {
		doc.Fail("an object is expected, not null")
	}
	s.Name = o.Text("name")
	for _, item := range needItems(o, "namespaces", "namespace") {
		n, w := readNamespace(item)
		if s.Namespaces = append(s.Namespaces, n); w.Column != "" {
			item.Fail("a store has no column of weights: leave it out")
		}
	}
	for _, item := range needItems(o.Get("wave").Object("values"), "values", "value") {
		o := item.Object("code", "name", "start", "end", "kind")
		s.Waves = append(s.Waves, audience.Wave{Code: needText(o, "code"), Name: o.Text("name"), Start: o.Text("start"),
			End: o.Text("end"), Kind: o.Text("kind")})
	}
	for _, item := range needItems(o.Get("location").Object("values"), "values", "value") {
		o := item.Object("code", "name", "id", "iso_code", "region")
		needText(o, "code")
		s.Locations = append(s.Locations, readLocation(o))
	}
	for _, item := range o.Items("questions") {
		s.Questions = append(s.Questions, readRecord(item, s))
	}
	for _, item := range o.Items("categories") {
		s.Categories = append(s.Categories, readCategory(item))
	}
	for _, item := range o.Items("datasets") {
		s.Datasets = append(s.Datasets, readDataset(item))
	}
	if err := doc.Err(); err != nil {
		return nil, codebookError(err)
	}
	return s, nil
}

// readRecord reads a question without columns.
func readRecord(v strictjson.Value, s *audience.Survey) audience.Question {
	o := v.Object(append([]string{"datapoints", "suffixes", "bands"}, questionMembers...)...)
	q := readTexts(o, s)
	answers := "datapoints"
	if q.Kind == audience.Number {
		answers = "bands"
	}
	for _, item := range o.Items("suffixes") {
		suffix, _ := readSuffix(item)
		q.Suffixes = append(q.Suffixes, suffix)
	}
	for _, item := range needItems(o, answers, answers[:len(answers)-1]) {
		o := item.Object("code", "name", "midpoint", "order", "asked")
		q.Datapoints = append(q.Datapoints, audience.Datapoint{Code: needText(o, "code"), Name: o.Text("name"),
			Midpoint: number(o, "midpoint"), Order: number(o, "order"), Asked: readAsked(o.Get("asked"))})
	}
	return q
}
