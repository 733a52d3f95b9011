package demo

import (
	"bytes"
	"cmp"
	_ "embed"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// Wide is the code of a multi-choice question with 50 datapoints, of between 2 % and 40 % of people. With Profile it
// makes a crosstab of 50 × 50 to measure with.
const Wide = "interests"

// Profile lists the codes of single-choice questions that everyone is asked in every fieldwork and answers with exactly
// one datapoint. Together they have 50.
func Profile() []string {
	return []string{"gender", "education", "income", "employment", "area", "household", "children", "housing",
		"relationship", "transport"}
}

// questionnaireFile is all questions, in catalogue order, and sets of waves and of locations that they name. The type
// spec tells what its members mean.
//
//go:embed questionnaire.json
var questionnaireFile []byte

// questionnaire reads the questions.
func questionnaire() ([]spec, error) {
	var file struct {
		Sets      map[string]string
		Questions []spec
	}
	d := json.NewDecoder(bytes.NewReader(questionnaireFile))
	d.DisallowUnknownFields()
	if err := d.Decode(&file); err != nil {
		return nil, fmt.Errorf("demo survey: the questionnaire: %w", err)
	}
	for i := range file.Questions {
		s := &file.Questions[i]
		s.Asked.expand(file.Sets)
		for b := range s.Limits {
			s.Limits[b].expand(file.Sets)
		}
	}
	return file.Questions, nil
}

// expand puts the codes of a set in place of its name.
func (a *asked) expand(sets map[string]string) {
	for _, codes := range []*string{&a.Waves, &a.Locations} {
		words := strings.Fields(*codes)
		for i, w := range words {
			words[i] = cmp.Or(sets[w], w)
		}
		*codes = strings.Join(words, " ")
	}
}

// UnmarshalText reads the name of a model.
func (m *model) UnmarshalText(text []byte) error {
	i := slices.Index([]string{"gender", "years", "pick", "scale", "count", "tick", "rate", "climb"}, string(text))
	if i < 0 {
		return fmt.Errorf("%q is no model", text)
	}
	*m = gender + model(i)
	return nil
}

// UnmarshalJSON reads an object of the traits' names and factors.
func (o *of) UnmarshalJSON(text []byte) error {
	names := []string{"age", "female", "mid", "later", "income", "educ", "tech", "sport", "family", "social", "green",
		"thrift", "food", "travel", "status", "home", "city"}
	var factors map[string]int8
	if err := json.Unmarshal(text, &factors); err != nil {
		return err
	}
	for name, factor := range factors {
		t := slices.Index(names, name)
		if t < 0 {
			return fmt.Errorf("%q is no trait", name)
		}
		o[t] = factor
	}
	return nil
}
