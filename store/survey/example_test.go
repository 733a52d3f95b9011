package survey_test

import (
	"context"
	"fmt"
	"log"
	"strings"

	"github.com/crosswave/crosswave/store/formats/csv"
	"github.com/crosswave/crosswave/store/naive"
	"github.com/crosswave/crosswave/store/survey"
)

// A codebook and a CSV file become a survey in a store. Any store does; this one keeps respondents in memory.
func Example() {
	codebook, err := survey.ReadCodebook([]byte(`{
	  "namespaces": [{"code": "core", "weight": {"column": "people"}}],
	  "respondent": {"column": "id"},
	  "wave": {"column": "when", "values": [{"value": "1", "code": "w1"}, {"value": "2", "code": "w2"}]},
	  "questions": [
	    {"code": "tea", "type": "single", "column": "tea", "datapoints": [{"code": "yes", "value": "1"}, {"code": "no", "value": "2"}]},
	    {"code": "age", "type": "number", "column": "age", "bands": [{"code": "young", "to": 39}, {"code": "old", "from": 40}]}]
	}`))
	if err != nil {
		log.Fatal(err)
	}
	data := "id,when,people,tea,age\n" +
		"a,1,1000.5,1,22\n" +
		"b,1,999.5,2,58\n" +
		"c,2,2000,3,\n"
	table, err := csv.New(strings.NewReader(data), csv.Options{})
	if err != nil {
		log.Fatal(err)
	}
	source, err := survey.NewSource(table, codebook, 0)
	if err != nil {
		log.Fatal(err)
	}
	report, err := survey.Import(context.Background(), source, new(naive.Store), survey.Options{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Print(report)
	// Output:
	// 3 rows read, 3 respondents taken in.
	// The store is at version 1.
	//
	// What will mislead:
	//   core: fewer than 30 respondents: 2 in w1, 1 in w2
	//
	//   wave  respondents  core sample  core total
	//   w1              2            2      2000.0
	//   w2              1            1      2000.0
	//                   3            3      4000.0
	//
	//   location  respondents  core sample  core total
	//   all                 3            3      4000.0
	//
	// In the store:
	//   namespace  sample  unit of weights  largest rounding
	//   core            3            10^-1              none
	//
	// Answers that are none of the datapoints; they count as answered, and for no datapoint:
	//   core.tea: 1, first in row 4, column "tea": "3"
}

// What cannot be meant in a codebook is refused with the path of the place.
func ExampleReadCodebook_error() {
	_, err := survey.ReadCodebook([]byte(`{
	  "namespaces": [{"code": "core"}],
	  "respondent": {"column": "id"},
	  "questions": [{"code": "tea", "type": "single", "column": "tea", "datapoints": [{"code": "yes", "valeu": "1"}]}]
	}`))
	fmt.Println(err)
	// Output: codebook: questions[0].datapoints[0].valeu: unknown member "valeu"; "value" is probably meant
}
