package formats_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/crosswave/crosswave/store/formats"
	"github.com/crosswave/crosswave/store/guess"
	"github.com/crosswave/crosswave/store/naive"
	"github.com/crosswave/crosswave/store/survey"
)

// A file that comes without a codebook is opened, understood and imported.
func Example() {
	dir, err := os.MkdirTemp("", "survey")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "survey.csv")
	text := "respondent_id,wave,gender,brands_known,brand_tea,brand_coffee\n1,2023 Q4,Female,Alpha;Beta,1,0\n2,2024 " +
		"Q1,Male,Beta,0,0\n3,2024 Q1,Female,Alpha;Beta,1,1\n"
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		log.Fatal(err)
	}

	ctx := context.Background()
	f, err := formats.Open(path, formats.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer f.Close()
	m, err := f.Guess(ctx, guess.Options{}) // survey.WriteCodebook(m.Codebook) writes it out, to be edited
	if err != nil {
		log.Fatal(err)
	}
	for _, c := range m.Columns {
		fmt.Printf("%s: %s\n", c.Column, c.As)
	}
	src, err := f.Source(m.Codebook, m.Notes...)
	if err != nil {
		log.Fatal(err)
	}
	report, err := survey.Import(ctx, src, &naive.Store{}, survey.Options{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(report.Respondents, "respondents;", report.Notes[0])
	// Output:
	// respondent_id: respondent
	// wave: wave
	// gender: single
	// brands_known: multi
	// brand_tea: multi
	// brand_coffee: multi
	// 3 respondents; column respondent_id: read as the respondent's id, because its name says so, and no value stands there twice
}
