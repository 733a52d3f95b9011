package sss

import (
	"bytes"
	"fmt"
	"math/big"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// samples returns the folder of third-party Triple-S files, which the project may read in tests but not hold.
func samples(tb testing.TB) string {
	dir := os.Getenv("CROSSWAVE_TESTDATA")
	if dir == "" {
		tb.Skip("CROSSWAVE_TESTDATA is not set: the Triple-S samples are not part of the project")
	}
	return filepath.Join(dir, "fixtures", "triple-s")
}

// sum is what reading a whole survey gives, as numbers that a program of a few lines gets from the same files by
// position alone.
type sum struct {
	Version           string
	Variables, Labels int
	Cases             int
	Present           map[Type]int
	Quantities        string // their sum, exactly
	Text              int    // characters, without blanks at the end
	Picks             int    // of singles and multiples
	Logicals          int    // that are 1
	Dates, Times      int64  // sum of YYYYMMDD and HHMMSS
	Notes, Definition string
	DataEncoding      string
}

func sumUp(tb testing.TB, definition, data []byte) (sum, *Definition, []*Case) {
	d, err := ParseDefinition(bytes.NewReader(definition))
	if err != nil {
		tb.Fatal(err)
	}
	r, err := Open(d, bytes.NewReader(data), Options{})
	if err != nil {
		tb.Fatal(err)
	}
	s := sum{Version: d.Version, Variables: len(d.Record.Variables), Present: map[Type]int{}}
	for _, v := range d.Record.Variables {
		for _, value := range v.Values {
			if value.Label.String() != "" {
				s.Labels++
			}
		}
	}
	total := new(big.Rat)
	number := func(text string) int64 {
		n, ok := new(big.Int).SetString(text, 10)
		if !ok {
			tb.Fatalf("%q is no number", text)
		}
		return n.Int64()
	}
	var cases []*Case
	for c, err := range r.Cases() {
		if err != nil {
			tb.Fatal(err)
		}
		s.Cases++
		cases = append(cases, c.Clone())
		for i, v := range d.Record.Variables {
			a := c.Data[i]
			if !a.Present {
				continue
			}
			s.Present[v.Type]++
			switch v.Type {
			case Quantity:
				q, ok := new(big.Rat).SetString(a.Text)
				if !ok {
					tb.Fatalf("%q is no number", a.Text)
				}
				total.Add(total, q)
			case Character:
				s.Text += len([]rune(a.Text))
			case Single, Multiple:
				s.Picks += len(a.Picks)
			case Logical:
				s.Logicals += int(number(a.Text))
			case Date:
				s.Dates += number(a.Text)
			case Time:
				s.Times += number(a.Text)
			}
		}
	}
	s.Quantities = total.RatString()
	s.Notes, s.Definition, s.DataEncoding = fmt.Sprint(r.Notes()), strings.Join(d.Notes, "\n"), r.Encoding()
	return s, d, cases
}

func TestSamples(t *testing.T) {
	dir := samples(t)
	for _, c := range []struct {
		definition, data string
		want             sum
	}{
		{"sample-1.sss", "sample-1.asc", sum{Version: "1.2", Variables: 8, Labels: 20, Cases: 3,
			Present:    map[Type]int{Single: 5, Multiple: 6, Character: 2, Quantity: 6, Logical: 3},
			Quantities: "1072", Text: 34, Picks: 17, Logicals: 2, Notes: "[]", DataEncoding: "ISO-8859-1"}},
		{"sample-2.sss", "sample-2.csv", sum{Version: "2.0", Variables: 65, Labels: 557, Cases: 1,
			Present:    map[Type]int{Single: 29, Multiple: 3, Character: 19, Quantity: 6},
			Quantities: "20394951", Text: 400, Picks: 40, Notes: "[]", DataEncoding: "UTF-8"}},
		{"sample-3.sss", "sample-3.dat", sum{Version: "2.0", Variables: 200, Labels: 270, Cases: 98,
			Present:    map[Type]int{Single: 60, Character: 130, Quantity: 295, Logical: 532, Date: 199, Time: 199},
			Quantities: "28958/5", Text: 391, Picks: 60, Logicals: 107, Dates: 4009925515, Times: 27395700, Notes: "[]",
			DataEncoding: "UTF-8"}},
		{"sample-4.sss", "sample-4.asc", sum{Version: "2.0", Variables: 3, Labels: 9, Cases: 10,
			Present: map[Type]int{Single: 20, Quantity: 10}, Quantities: "55", Picks: 20, Notes: "[]",
			DataEncoding: "UTF-8 or windows-1252"}},
		{"sample-5.sss", "sample-5.asc", sum{Version: "2.0", Variables: 3, Labels: 9, Cases: 10,
			Present: map[Type]int{Single: 20, Quantity: 10}, Quantities: "55", Picks: 20, DataEncoding: "UTF-8 or windows-1252",
			Notes:      `[typtel: unlisted, 3, first in row 8: "3"]`,
			Definition: `variable typtel: code "T" is not a whole number, though the format isn't literal: compared as text`}},
	} {
		t.Run(c.definition, func(t *testing.T) {
			definition, err := os.ReadFile(filepath.Join(dir, c.definition))
			if err != nil {
				t.Fatal(err)
			}
			data, err := os.ReadFile(filepath.Join(dir, c.data))
			if err != nil {
				t.Fatal(err)
			}
			got, d, cases := sumUp(t, definition, data)
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
			// and the same once more from what Write makes of it, as it lies and laid out anew in CSV
			for _, format := range []Format{d.Record.Format, CSV} {
				again := *d
				again.Version, again.Encoding, again.Record.Format, again.Record.Encoding = "2.0", "UTF-8", format, ""
				if format == CSV {
					again.Record.Variables = append([]Variable(nil), again.Record.Variables...)
					again.Record.Variables[0].Start = 0
				}
				var def, dat bytes.Buffer
				if err := Write(&def, &dat, &again, stream(cases)); err != nil {
					t.Fatal(err)
				}
				written, _, _ := sumUp(t, def.Bytes(), dat.Bytes())
				got.Version, got.DataEncoding, got.Notes = "2.0", "UTF-8", written.Notes // rows are others
				got.Definition, written.Definition = "", ""
				if diff := cmp.Diff(got, written); diff != "" {
					t.Error(format, diff)
				}
			}
		})
	}
}
