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

// The young are told apart from the older by what they watch and do not read. That as many have a cat or a bicycle is
// told by their not being there; nor are boats, which hardly anyone has.
func Example() {
	if err := run(context.Background(), "survey.sav", "age", "a16", os.Stdout); err != nil {
		fmt.Println(err)
	}
	// Output:
	// Age: 16–34: of 14 answers that were tested, 11 set them apart
	//
	//                                of them  of rest   index          p  index: 25 to 400
	// Reads a newspaper                7.1 %   45.4 %      22      7e-25  ████████████│
	// Writes letters                   1.7 %   11.9 %      19      1e-06  ████████████│
	// A garden                        14.7 %   42.8 %      44      7e-13       ███████│
	// A car                           31.9 %   78.3 %      51      2e-28        ██████│
	// Watches short videos            81.6 %   27.8 %     180      1e-37              │█████
	// Listens to podcasts             38.7 %   17.8 %     157      5e-08              │████
	// A game console                  58.6 %   30.8 %     147      8e-11              │███
	// Streams music                   74.9 %   47.4 %     133      7e-11              │██
	// Listens to the radio            38.5 %   55.7 %      77      7e-05            ██│
	//
	// p is corrected: of 100 answers that are listed, 5 may be expected to be so by chance.
}

var update = flag.Bool("update", false, "write survey.sav anew")

// things are what respondents may do or have, and how many of the young and of all others do.
var things = []struct {
	question, code, name string
	young, older         float64
}{
	{"media", "video", "Watches short videos", 0.8, 0.25}, {"media", "music", "Streams music", 0.72, 0.5},
	{"media", "news", "Reads a newspaper", 0.08, 0.45}, {"media", "radio", "Listens to the radio", 0.4, 0.55},
	{"media", "podcast", "Listens to podcasts", 0.35, 0.2}, {"media", "letters", "Writes letters", 0.02, 0.12},
	{"owns", "console", "A game console", 0.55, 0.3}, {"owns", "car", "A car", 0.3, 0.75},
	{"owns", "bicycle", "A bicycle", 0.5, 0.48}, {"owns", "garden", "A garden", 0.15, 0.4},
	{"owns", "cat", "A cat", 0.25, 0.25}, {"owns", "boat", "A boat", 0.01, 0.02},
}

// codebook says how the columns of respondents are a survey.
func codebook() string {
	points := map[string][]string{}
	for _, x := range things {
		points[x.question] = append(points[x.question], fmt.Sprintf(`{"code": %q, "name": %q}`, x.code, x.name))
	}
	return `{
 "namespaces": [{"code": "core", "name": "Leisure study", "weight": {"column": "weight"}}],
 "respondent": {"column": "id"},
 "wave": {"column": "wave", "values": [{"value": "2025", "code": "y2025", "name": "2025"}]},
 "location": {"column": "market", "values": [{"value": "north", "code": "north", "name": "North"},
  {"value": "south", "code": "south", "name": "South"}]},
 "questions": [
  {"code": "age", "name": "Age", "type": "single", "column": "age", "datapoints": [{"code": "a16", "name": "16–34"},
   {"code": "a35", "name": "35 and older"}]},
  {"code": "media", "name": "Media", "type": "multi", "column": "media", "separator": ";", "datapoints": [` +
		strings.Join(points["media"], ", ") + `]},
  {"code": "owns", "name": "Owns", "type": "multi", "column": "owns", "separator": ";", "datapoints": [` +
		strings.Join(points["owns"], ", ") + `]}]
}`
}

// respondents are those of survey.sav as CSV: 600, of whom two fifths are young.
func respondents() string {
	random := rand.NewPCG(2025, 13)
	chance := func() float64 { return float64(random.Uint64()>>11) / (1 << 53) }
	text := &strings.Builder{}
	text.WriteString("id,wave,market,weight,age,media,owns\n")
	for id := range 600 {
		age, weight := "a35", 1.1
		if chance() < 0.4 {
			age, weight = "a16", 0.8
		}
		said := map[string][]string{}
		for _, x := range things {
			share := x.older
			if age == "a16" {
				share = x.young
			}
			if chance() < share {
				said[x.question] = append(said[x.question], x.code)
			}
		}
		fmt.Fprintf(text, "%d,2025,%s,%.2f,%s,%s,%s\n", id+1, []string{"north", "south"}[id%2], weight*(0.6+0.8*chance()),
			age, strings.Join(said["media"], ";"), strings.Join(said["owns"], ";"))
	}
	return text.String()
}

// survey.sav holds the respondents above, and nothing else but when it was written.
func TestSurveyFile(t *testing.T) {
	book, err := survey.ReadCodebook([]byte(codebook()))
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
		t.Error("survey.sav is not what the respondents make: write it with go test ./examples/profile -update")
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

// A bar is as far from 100 at 50 as at 200, and never longer than there is room for.
func TestBar(t *testing.T) {
	for index, want := range map[float64]string{
		100: "            │", 200: "            │██████", 50: "      ██████│", 400: "            │████████████",
		0: "████████████│", 9000: "            │████████████", 25: "████████████│", 103: "            │",
	} {
		if got := bar(index); got != want {
			t.Errorf("%v: %q, want %q", index, got, want)
		}
	}
}
