package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/crosswave/crosswave/store/formats"
	"github.com/crosswave/crosswave/store/formats/csv"
	"github.com/crosswave/crosswave/store/survey"
)

// Of the young 46.9 % go to Northwind, of those of 55 to 74 years 19.4 %: more than chance would explain, so that the
// young have the letter C there. A difference of 13.2 points from those between, B, may be chance.
func Example() {
	if err := run(context.Background(), "survey.sav", "brands", "age", os.Stdout); err != nil {
		fmt.Println(err)
	}
	// Output:
	// Where they buy coffee, by Age
	//
	//                            16–34         35–54         55–74  75 and older
	//                                A             B             C             D
	// Respondents                  149           126            99            26
	// Effective sample             142           119            94            25
	//
	// Northwind                 46.9 C          33.7         19.4*        13.3**
	// Old Mill                    14.7          25.5       38.3 A*        65.4**
	// Roast & Co                  31.8          22.7         31.9*        16.5**
	// At a kiosk                   5.8           2.0          0.0*         0.0**
	//
	// Percent of each column. A letter: significantly above that column at 95 % (Holm).
	// *: fewer than 100 respondents in the column; **: fewer than 30, not compared.
}

var update = flag.Bool("update", false, "write survey.sav anew")

const codebook = `{
 "namespaces": [{"code": "core", "name": "Coffee study", "weight": {"column": "weight"}}],
 "respondent": {"column": "id"},
 "wave": {"column": "wave", "values": [{"value": "2024", "code": "y2024", "name": "2024", "start": "2024-01-01"},
  {"value": "2025", "code": "y2025", "name": "2025", "start": "2025-01-01"}]},
 "location": {"column": "market", "values": [{"value": "north", "code": "north", "name": "North"},
  {"value": "south", "code": "south", "name": "South"}]},
 "questions": [
  {"code": "age", "name": "Age", "type": "single", "column": "age", "datapoints": [{"code": "a16", "name": "16–34"},
   {"code": "a35", "name": "35–54"}, {"code": "a55", "name": "55–74"}, {"code": "a75", "name": "75 and older"}]},
  {"code": "brands", "name": "Where they buy coffee", "type": "multi", "column": "brands", "separator": ";",
   "datapoints": [{"code": "northwind", "name": "Northwind"}, {"code": "oldmill", "name": "Old Mill"},
    {"code": "roast", "name": "Roast & Co"}, {"code": "kiosk", "name": "At a kiosk"}]}]
}`

// respondents are those of survey.sav as CSV: 400 of whom the younger go to Northwind and the older to the Old Mill.
func respondents() string {
	random := rand.NewPCG(2024, 2025)
	chance := func() float64 { return float64(random.Uint64()>>11) / (1 << 53) }
	ages := []struct {
		code   string
		share  float64
		weight float64
		brands [4]float64 // the chance of each
	}{
		{"a16", 0.36, 1.4, [4]float64{0.52, 0.14, 0.33, 0.06}}, {"a35", 0.34, 0.9, [4]float64{0.38, 0.27, 0.31, 0.03}},
		{"a55", 0.23, 0.8, [4]float64{0.21, 0.45, 0.29, 0}}, {"a75", 0.07, 0.5, [4]float64{0.12, 0.6, 0.3, 0}},
	}
	text := &strings.Builder{}
	text.WriteString("id,wave,market,weight,age,brands\n")
	for id := range 400 {
		wave, market := 2024+id%2, []string{"north", "south"}[id/2%2]
		age, at := ages[0], chance()
		for _, a := range ages {
			if age = a; at < a.share {
				break
			}
			at -= a.share
		}
		var brands []string
		for b, code := range []string{"northwind", "oldmill", "roast", "kiosk"} {
			if chance() < age.brands[b] {
				brands = append(brands, code)
			}
		}
		fmt.Fprintf(text, "%d,%d,%s,%.2f,%s,%s\n", id+1, wave, market, age.weight*(0.6+0.8*chance()), age.code,
			strings.Join(brands, ";"))
	}
	return text.String()
}

// survey.sav holds the respondents above, and nothing else but when it was written.
func TestSurveyFile(t *testing.T) {
	book, err := survey.ReadCodebook([]byte(codebook))
	if err != nil {
		t.Fatal(err)
	}
	table, err := csv.New(strings.NewReader(respondents()), csv.Options{})
	if err != nil {
		t.Fatal(err)
	}
	source, err := survey.NewSource(table, book, 0)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "survey.sav")
	if *update {
		path = "survey.sav"
	}
	if _, err := formats.Export(t.Context(), source, path, formats.ExportOptions{Overwrite: *update}); err != nil {
		t.Fatal(err)
	}
	if got, want := undated(t, path), undated(t, "survey.sav"); !bytes.Equal(got, want) {
		t.Error("survey.sav is not what the respondents make: write it with go test ./examples/significance -update")
	}
}

// undated is a file without the date and the time in its header.
func undated(t *testing.T, path string) []byte {
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	copy(text[92:109], strings.Repeat(" ", 17))
	return text
}
