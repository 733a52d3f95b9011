package sav_test

import (
	"bytes"
	"fmt"
	"log"

	"github.com/crosswave/crosswave/store/formats/sav"
)

// small is a small survey, written to memory.
func small() []byte {
	d := sav.Dictionary{
		Label: "Fruit, 2026",
		Variables: []sav.Variable{
			{Name: "respondent", Width: 4},
			{Name: "age", Label: "Age in years", Measure: sav.Scale,
				Missing: sav.Missing{Values: []sav.Value{sav.Number(99)}}},
			{Name: "fruit_apple", Label: "Apples"},
			{Name: "fruit_pear", Label: "Pears"},
			{Name: "interview", Print: sav.Format{Type: sav.FormatDATE, Width: 11}},
		},
		Sets: []sav.Set{{Name: "$fruit", Label: "Fruit eaten", Kind: sav.Dichotomy, Counted: sav.Number(1),
			Variables: []string{"fruit_apple", "fruit_pear"}}},
	}
	rows := func(yield func([]sav.Value, error) bool) {
		yes, no, none := sav.Number(1), sav.Number(0), sav.Value{}
		for _, row := range [][]sav.Value{
			{sav.Text("r1"), sav.Number(34), yes, no, sav.Number(13994294400)},
			{sav.Text("r2"), sav.Number(99), yes, yes, none},
		} {
			if !yield(row, nil) {
				return
			}
		}
	}
	var file bytes.Buffer
	if err := sav.Write(&file, &d, rows, sav.WriteOptions{Cases: 2}); err != nil {
		log.Fatal(err)
	}
	return file.Bytes()
}

// A file is opened for reading at any place; an os.File with its size does.
func Example() {
	data := small()
	f, err := sav.Open(bytes.NewReader(data), int64(len(data)), sav.Options{})
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
	d := sav.Dictionary{Variables: []sav.Variable{{Name: "1st choice"}, {Name: "age"}, {Name: "AGE"}}}
	for _, note := range d.Fit() {
		fmt.Println(note)
	}
	// Output:
	// variable "1st choice": name has '1'; expected letters, digits and . _ $ # @, with a letter or @ first; renamed to "V1st_choice"
	// second variable "AGE"; renamed to "AGE_1"
}

func ExampleFormat_ISO() {
	for _, f := range []sav.Format{{Type: sav.FormatADATE}, {Type: sav.FormatDATETIME}, {Type: sav.FormatTIME},
		{Type: sav.FormatMOYR}} {
		text, ok := f.ISO(13744980610.5)
		fmt.Println(f.Type, text, ok)
	}
	// Output:
	// ADATE 2018-05-06 true
	// DATETIME 2018-05-06T10:10:10.5 true
	// TIME 3818050:10:10.5 true
	// MOYR 2018-05 true
}
