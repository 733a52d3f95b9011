package demo

import (
	"strconv"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/store/survey"
)

// separator stands between the answers in a column that holds several.
const separator = ";"

// The columns that hold no answers.
const (
	respondentColumn = "respondent"
	waveColumn       = "wave"
	locationColumn   = "location"
)

// weightColumn is the column of a namespace's weights, empty where a respondent does not take part.
func weightColumn(namespace string) string { return "weight_" + namespace }

// locationValue is how a location stands in the CSV.
func locationValue(location int) string { return strconv.Itoa(location + 1) }

// Codebook returns the codebook, as JSON, of the CSV that WriteCSV writes. The two hold the same survey as Describe and
// Respondents.
func (d *Demo) Codebook() ([]byte, error) {
	if d.err != nil {
		return nil, d.err
	}
	s := describe(d.specs)
	c := &survey.Codebook{Survey: s, Respondent: respondentColumn, Wave: survey.FieldworkColumn{Column: waveColumn},
		Location: survey.FieldworkColumn{Column: locationColumn}}
	for _, ns := range s.Namespaces {
		w := survey.WeightColumn{Column: weightColumn(ns.Code)}
		if ns.Base != "" {
			w.Missing = "zero"
		}
		c.Weights = append(c.Weights, w)
	}
	for _, w := range s.Waves {
		c.Wave.Values = append(c.Wave.Values, w.Code)
	}
	for l := range s.Locations {
		c.Location.Values = append(c.Location.Values, locationValue(l))
	}
	for i := range s.Questions {
		c.Questions = append(c.Questions, d.specs[i].columns(&s.Questions[i]))
	}
	return survey.WriteCodebook(c)
}

// columns tells where the answers to the question are in the CSV.
func (s *spec) columns(q *audience.Question) survey.QuestionColumns {
	var c survey.QuestionColumns
	if !q.Separate {
		c.Column = q.Code
	}
	if q.Kind == audience.Multi && !q.Separate || s.Model == climb {
		c.Separator = separator
	}
	for _, x := range q.Suffixes {
		c.Suffixes = append(c.Suffixes, strconv.Itoa(x.Code))
	}
	for i, dp := range q.Datapoints {
		var a survey.AnswerColumn
		switch {
		case s.Bands != nil:
			a.From, a.To = string(appendTenths(nil, s.Bands[i].From)), string(appendTenths(nil, s.Bands[i].To))
			if s.Bands[i].Open {
				a.To = ""
			}
		case q.Separate:
			a.Column = dp.Code
		default:
			a.Value = strconv.Itoa(i + 1)
		}
		c.Datapoints = append(c.Datapoints, a)
	}
	return c
}
