package sheet_test

import (
	"bytes"
	"context"
	"fmt"
	"log"
	"strings"

	"github.com/xuri/excelize/v2"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/crosstab"
	"github.com/crosswave/crosswave/crosstab/sheet"
	"github.com/crosswave/crosswave/store/demo"
	"github.com/crosswave/crosswave/store/naive"
)

// A crosstab of the generated survey as a workbook, which is read again here.
func Example() {
	ctx := context.Background()
	st, err := naive.Load(ctx, demo.New(demo.Config{Respondents: 1000}))
	if err != nil {
		log.Fatal(err)
	}
	gender := func(name, code string) audience.Audience {
		return audience.Audience{Name: name, Expr: audience.Answers{Question: "gender", Datapoints: []string{code}}}
	}
	request := crosstab.Request{Columns: []audience.Audience{gender("Women", "gender_1"), gender("Men", "gender_2")}}
	result, err := crosstab.Run(ctx, st, request)
	if err != nil {
		log.Fatal(err)
	}

	book, err := sheet.New()
	if err != nil {
		log.Fatal(err)
	}
	defer book.Close()
	if err := book.Add(ctx, sheet.Of("Gender", request, result)); err != nil {
		log.Fatal(err)
	}
	var file bytes.Buffer // an *os.File, say
	if err := book.Write(ctx, &file); err != nil {
		log.Fatal(err)
	}

	again, err := excelize.OpenReader(&file)
	if err != nil {
		log.Fatal(err)
	}
	defer again.Close()
	fmt.Println(strings.Join(again.GetSheetList(), ", "))
	rows, err := again.GetRows("Gender")
	if err != nil {
		log.Fatal(err)
	}
	for _, row := range rows[5:9] {
		fmt.Println(strings.Join(row, " | "))
	}
	// Output:
	// Contents, Gender, Notes
	// Base | base sample | 249 | 274
	//  | base size | 689,173,722 | 718,555,060
	//  | row % | 48.4% | 50.4%
	// Base | size | 689,173,722 | 718,555,060
}
