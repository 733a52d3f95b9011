package spss_test

import (
	"bytes"
	"fmt"
	"log"

	"github.com/crosswave/crosswave/store/survey/spss"
)

// small is a small survey, written to memory.
func small() []byte {
	d := spss.Dictionary{
		Label: "Fruit, 2026",
		Variables: []spss.Variable{
			{Name: "respondent", Width: 4},
			{Name: "age", Label: "Age in years", Measure: spss.Scale,
				Missing: spss.Missing{Values: []spss.Value{spss.Number(99)}}},
			{Name: "fruit_apple", Label: "Apples"},
			{Name: "fruit_pear", Label: "Pears"},
			{Name: "interview", Print: spss.Format{Type: spss.FormatDATE, Width: 11}},
		},
		Sets: []spss.Set{{Name: "$fruit", Label: "Fruit eaten", Kind: spss.Dichotomy, Counted: spss.Number(1),
			Variables: []string{"fruit_apple", "fruit_pear"}}},
	}
	rows := func(yield func([]spss.Value, error) bool) {
		yes, no, none := spss.Number(1), spss.Number(0), spss.Value{}
		for _, row := range [][]spss.Value{
			{spss.Text("r1"), spss.Number(34), yes, no, spss.Number(13994294400)},
			{spss.Text("r2"), spss.Number(99), yes, yes, none},
		} {
			if !yield(row, nil) {
				return
			}
		}
	}
	var file bytes.Buffer
	if err := spss.Write(&file, &d, rows, spss.WriteOptions{Cases: 2}); err != nil {
		log.Fatal(err)
	}
	return file.Bytes()
}

// A file is opened for reading at any place; an os.File with its size does.
func Example() {
	data := small()
	f, err := spss.Open(bytes.NewReader(data), int64(len(data)), spss.Options{})
	if err != nil {
		log.Fatal(err)
	}
	for _, s := range f.Sets {
		fmt.Println(s.Label)
		for _, name := range s.Variables {
			fmt.Println("-", f.CategoryLabel(&s, name))
		}
	}
	age := f.Index("age")
	for c, err := range f.Cases() {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("case %d:", c.Row)
		for i := range f.Variables {
			fmt.Printf(" %q", c.Append(nil, i))
		}
		if c.Missing(age) {
			fmt.Print(" (age missing)")
		}
		fmt.Println()
	}
	// Output:
	// Fruit eaten
	// - Apples
	// - Pears
	// case 1: "r1" "34" "1" "0" "2026-03-31"
	// case 2: "r2" "99" "1" "1" "" (age missing)
}

// Names and labels from elsewhere are made to fit the format first.
func ExampleDictionary_Fit() {
	d := spss.Dictionary{Variables: []spss.Variable{{Name: "1st choice"}, {Name: "age"}, {Name: "AGE"}}}
	for _, note := range d.Fit() {
		fmt.Println(note)
	}
	// Output:
	// variable "1st choice": name has '1'; expected letters, digits and . _ $ # @, with a letter or @ first; renamed to "V1st_choice"
	// second variable "AGE"; renamed to "AGE_1"
}

func ExampleFormat_ISO() {
	for _, f := range []spss.Format{{Type: spss.FormatADATE}, {Type: spss.FormatDATETIME}, {Type: spss.FormatTIME}, {Type: spss.FormatMOYR}} {
		text, ok := f.ISO(13744980610.5)
		fmt.Println(f.Type, text, ok)
	}
	// Output:
	// ADATE 2018-05-06 true
	// DATETIME 2018-05-06T10:10:10.5 true
	// TIME 3818050:10:10.5 true
	// MOYR 2018-05 true
}
