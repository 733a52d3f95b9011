package guess_test

import (
	"context"
	"fmt"
	"log"
	"strings"

	"github.com/crosswave/crosswave/store/formats/csv"
	"github.com/crosswave/crosswave/store/guess"
)

// Of a CSV file nothing is known but the names of its columns, and what stands in them.
func ExampleCodebook() {
	table, err := csv.New(strings.NewReader("respondent_id,year,weight,tea[green],tea[black],age\n"+
		"1,2024,0.5,1,0,22\n2,2024,1.5,0,1,58\n3,2025,1,1,1,31\n4,2025,1,0,0,47\n"), csv.Options{})
	if err != nil {
		log.Fatal(err)
	}
	file := &guess.File{Table: table}
	for _, name := range table.Header() {
		file.Columns = append(file.Columns, guess.Column{Name: name})
	}
	result, err := guess.Codebook(context.Background(), file, guess.Options{Location: guess.None})
	if err != nil {
		log.Fatal(err)
	}
	for _, c := range result.Columns { // survey.WriteCodebook(result.Codebook) writes it out, to be edited
		fmt.Printf("%s: %s %s, because %s\n", c.Column, c.As, c.Of, c.Why)
	}
	fmt.Println(result.Notes[2])
	// Output:
	// respondent_id: respondent , because its name says so, and no value stands there twice
	// year: wave , because its name says so
	// weight: weight , because its name or label says so, its mean is near 1, every respondent has one
	// tea[green]: multi tea, because their names begin alike and each holds a yes or no
	// tea[black]: multi tea, because their names begin alike and each holds a yes or no
	// age: number age, because its name or label says that it is a quantity
	// column year: read as the wave, because its name says so
}
