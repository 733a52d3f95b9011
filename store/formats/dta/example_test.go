package dta_test

import (
	"fmt"
	"log"
	"os"

	"github.com/crosswave/crosswave/store/formats/dta"
)

// A file is opened for reading at any place; an os.File with its size does.
func Example() {
	file, err := os.Open("testdata/haven14.dta")
	if err != nil {
		log.Fatal(err)
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		log.Fatal(err)
	}
	f, err := dta.Open(file, info.Size(), dta.Options{})
	if err != nil {
		log.Fatal(err)
	}
	sex := &f.Variables[1]
	fmt.Println(f.Label+":", f.NumRows, "rows;", sex.Name+":", sex.Label)
	for _, l := range sex.Labels {
		fmt.Println("-", l.Value(), l.Label)
	}
	for r, err := range f.Rows() {
		if err != nil {
			log.Fatal(err)
		}
		if m := r.Missing(1); m != 0 {
			fmt.Printf("row %d: %s\n", r.Row, m)
		}
	}
	// Output:
	// Made up: 12 rows; sex: What are you?
	// - 1 Man
	// - 2 Woman
	// - .a Not asked
	// - .b Refused
	// row 3: .
	// row 5: .a
	// row 9: .b
}
