package survey

import (
	"bytes"
	"encoding/json"
	"strconv"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/store/survey/decimal"
	"github.com/crosswave/crosswave/store/survey/period"
)

// WriteCodebook writes a codebook as JSON for people to read and edit. What is the default is left out. ReadCodebook
// gives it back. The codebook is checked before: what is wrong is a *CodebookError.
func WriteCodebook(c *Codebook) ([]byte, error) {
	if err := c.Check(); err != nil {
		return nil, err
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(writeCodebook(c)); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// The JSON of a codebook is that of the survey's records with what tells their columns and values. A member named again
// here hides the one that is embedded.
type (
	codebookJSON struct {
		Name       string              `json:"name,omitempty"`
		Namespaces []namespaceJSON     `json:"namespaces"`
		Respondent columnJSON          `json:"respondent"`
		Wave       *fieldworkJSON      `json:"wave,omitempty"`
		Location   *fieldworkJSON      `json:"location,omitempty"`
		Missing    []string            `json:"missing,omitempty"`
		Questions  []questionJSON      `json:"questions"`
		Categories []audience.Category `json:"categories,omitempty"`
		Datasets   []audience.Dataset  `json:"datasets,omitempty"`
		Derived    []derivedJSON       `json:"derived,omitempty"`
	}
	namespaceJSON struct {
		audience.Namespace
		Weight *columnJSON `json:"weight,omitempty"`
	}
	columnJSON struct {
		Column  string `json:"column"`
		Missing string `json:"missing,omitempty"`
	}
	fieldworkJSON struct {
		Column  string       `json:"column,omitempty"`
		By      period.By    `json:"by,omitempty"`
		Dates   period.Order `json:"dates,omitempty"`
		Missing string       `json:"missing,omitempty"`
		Values  []any        `json:"values,omitempty"` // waveJSON or locationJSON
	}
	waveJSON struct {
		Value *string `json:"value,omitempty"`
		audience.Wave
	}
	locationJSON struct {
		Value *string `json:"value,omitempty"`
		audience.Location
	}
	questionJSON struct {
		audience.Question
		Kind       string          `json:"kind,omitempty"`     // hidden: it is Type
		Separate   bool            `json:"separate,omitempty"` // hidden: the columns tell
		Asked      audience.Asked  `json:"asked,omitzero"`
		Type       string          `json:"type"`
		Column     string          `json:"column,omitempty"`
		Columns    string          `json:"columns,omitempty"`
		Value      string          `json:"value,omitempty"`
		Mentions   []string        `json:"mentions,omitempty"`
		Separator  string          `json:"separator,omitempty"`
		Missing    []string        `json:"missing,omitempty"`
		Suffixes   []suffixJSON    `json:"suffixes,omitempty"`
		Datapoints []datapointJSON `json:"datapoints,omitempty"`
		Bands      []datapointJSON `json:"bands,omitempty"`
	}
	datapointJSON struct {
		audience.Datapoint
		Asked  audience.Asked  `json:"asked,omitzero"`
		Column string          `json:"column,omitempty"`
		Value  *string         `json:"value,omitempty"`
		From   json.RawMessage `json:"from,omitempty"`
		To     json.RawMessage `json:"to,omitempty"`
	}
	suffixJSON struct {
		audience.Suffix
		Code  string  `json:"code"`
		Value *string `json:"value,omitempty"`
	}
)

func writeCodebook(c *Codebook) *codebookJSON {
	s := c.Survey
	out := &codebookJSON{
		Name: s.Name, Namespaces: []namespaceJSON{}, Respondent: columnJSON{Column: c.Respondent}, Missing: c.Missing,
		Questions: []questionJSON{}, Categories: s.Categories, Datasets: s.Datasets, Derived: writeDerived(c.Derived),
	}
	for i, n := range s.Namespaces {
		j := namespaceJSON{Namespace: n}
		if w := c.Weights[i]; w.Column != "" {
			j.Weight = &columnJSON{w.Column, w.Missing}
		}
		out.Namespaces = append(out.Namespaces, j)
	}
	out.Wave = &fieldworkJSON{Column: c.Wave.Column, By: c.Wave.By, Dates: c.Wave.Dates, Missing: c.Wave.Missing}
	out.Location = &fieldworkJSON{Column: c.Location.Column, Missing: c.Location.Missing}
	for i, w := range s.Waves {
		out.Wave.Values = append(out.Wave.Values, waveJSON{c.Wave.value(i, w.Code), w})
	}
	for i, l := range s.Locations {
		out.Location.Values = append(out.Location.Values, locationJSON{c.Location.value(i, l.Code), l})
	}
	for i := range s.Questions {
		out.Questions = append(out.Questions, writeQuestion(&s.Questions[i], &c.Questions[i]))
	}
	return out
}

// value is the value of record i, nil if it need not be written.
func (a *FieldworkColumn) value(i int, code string) *string {
	if a.Column == "" {
		return nil
	}
	return unless(a.Values[i], code)
}

// unless is the text, nil if it is what stands for it when left out.
func unless(text, otherwise string) *string {
	if text == otherwise {
		return nil
	}
	return &text
}

func writeQuestion(q *audience.Question, c *QuestionColumns) questionJSON {
	out := questionJSON{Question: *q, Asked: q.Asked, Type: q.Kind, Column: c.Column, Columns: c.Columns, Value: c.Value,
		Mentions: c.Mentions, Separator: c.Separator, Missing: c.Missing}
	for j, s := range q.Suffixes {
		code := strconv.Itoa(s.Code)
		out.Suffixes = append(out.Suffixes, suffixJSON{s, code, unless(c.Suffixes[j], code)})
	}
	for j, d := range q.Datapoints {
		a := c.Datapoints[j]
		w := datapointJSON{Datapoint: d, Asked: d.Asked, Column: a.Column}
		switch {
		case q.Kind == audience.Number:
			w.From, w.To, w.Value = writeEnd(a.From), writeEnd(a.To), unless(a.Value, "")
			b := readBand(a)
			if m := b.middle(); m != nil && d.Midpoint != nil && *m == *d.Midpoint {
				w.Midpoint = nil
			}
			out.Bands = append(out.Bands, w)
			continue
		case q.Kind == audience.Grid:
		case c.split():
			w.Value = unless(a.Value, "")
		default:
			w.Value = unless(a.Value, d.Code)
		}
		out.Datapoints = append(out.Datapoints, w)
	}
	return out
}

// writeEnd writes an end that was checked as a JSON number.
func writeEnd(text string) json.RawMessage {
	if text == "" {
		return nil
	}
	d, _ := decimal.Parse(text, true)
	return json.RawMessage(d.String())
}
