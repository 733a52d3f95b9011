package explorer

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"
)

// figure is a percentage, a size or whatever stands in an answer.
type audienceFigures struct {
	Size, Sample, Percentage float64
	Intersect                float64 `json:"intersect_percentage"`
}

// cell is a cell of a crosstab, as the interface gives it.
type cell struct {
	Audiences struct{ Row, Column audienceFigures }
	Base      struct{ Size, Sample float64 }
	Intersect struct{ Size, Sample, Percentage, Index float64 }
}

// question is a record of the catalogue.
type question struct {
	Code      string
	Namespace string `json:"namespace_code"`
	Name      string
	Answers   []struct{ Code, Name string } `json:"datapoints"`
	Scale     []struct{ Code, Name string } `json:"suffixes"`
}

type object = map[string]any

// question looks up a question by its key.
func (s *server) question(t *testing.T, key string) question {
	t.Helper()
	namespace, code, _ := strings.Cut(key, ".")
	var found struct{ Questions []question }
	s.ask(t, "/v3/questions/filter", object{"include": object{"datapoints": true},
		"questions": []object{{"namespace_code": namespace, "question": code}}}, &found)
	if len(found.Questions) != 1 {
		t.Fatalf("%d questions %s", len(found.Questions), key)
	}
	return found.Questions[0]
}

// answers are the audiences of a question's answers, by their names.
func (q question) answers() (names []string, audiences []object) {
	for _, d := range q.Answers {
		of := object{"question": q.Namespace + "." + q.Code, "datapoints": []string{d.Code}}
		if len(q.Scale) == 0 {
			names, audiences = append(names, d.Name), append(audiences, object{"expression": of})
			continue
		}
		for _, suffix := range q.Scale {
			names = append(names, suffix.Name)
			audiences = append(audiences, object{"expression": object{"question": of["question"],
				"datapoints": of["datapoints"], "suffixes": []string{suffix.Code}}})
		}
	}
	return names, audiences
}

// number reads a figure as people do: "1,234", "12.3 %", "+4.5".
func number(text string) (float64, error) {
	text = strings.TrimSuffix(strings.TrimSpace(text), " %")
	return strconv.ParseFloat(strings.ReplaceAll(text, ",", ""), 64)
}

// same holds a figure that is shown against the one that was answered, which it is rounded from.
func same(shown string, want float64, decimals int) error {
	got, err := number(shown)
	if err != nil {
		return err
	}
	if math.Abs(got-want) > 0.5*math.Pow10(-decimals)*(1+1e-9) {
		return fmt.Errorf("%q is shown for %v", shown, want)
	}
	return nil
}
