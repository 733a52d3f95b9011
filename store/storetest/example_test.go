package storetest_test

import (
	"context"
	"fmt"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/store/naive"
	"github.com/crosswave/crosswave/store/storetest"
	"github.com/crosswave/crosswave/store/survey"
)

const tea = `# Two of three drink tea, who stand for 30 of 60 people.

survey
  namespace core
  wave w1
  location uk
  question tea single yes no

respondents
  wave | location | core | tea
  w1   | uk       | 10   | yes
  w1   | uk       | 20   | yes
  w1   | uk       | 30   | no

tabulate
  row {"question": "tea", "datapoints": ["yes"]}
  cell | base | both | percent
  1 0  | 3 60 | 2 30 | 50
`

// A script is run on an engine, and says what is wrong with it.
func ExampleRunScript() {
	open := func() storetest.Engine { return new(naive.Store) }
	fmt.Println(storetest.RunScript(context.Background(), "tea.txt", tea, open))
	fmt.Println(storetest.RunScript(context.Background(), "tea.txt", tea+"  1 0  | 3 60 | 2 40 |\n", open))
	// Output:
	// <nil>
	// tea.txt:19: both of cell 1 0: 30 instead of 40
}

// The oracle's cells are what Tabulate must give.
func ExampleOracle() {
	ctx, store := context.Background(), new(naive.Store)
	file, err := storetest.OpenExampleA()
	if err != nil {
		fmt.Println(err)
		return
	}
	if _, err := survey.Import(ctx, file, store, survey.Options{}); err != nil {
		fmt.Println(err)
		return
	}
	cells, err := storetest.NewOracle(store).Cells(audience.Spec{
		Rows:  []audience.Expr{audience.Answers{Question: "gender", Datapoints: []string{"gender_1"}}},
		Waves: []string{"w1", "w2"},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	c := cells[0][0]
	fmt.Printf("%d respondents, %.1f people; men: %d, %.1f\n", c.Base.Sample, c.Base.Figure().Size, c.Both.Sample,
		c.Both.Figure().Size)
	// Output:
	// 3290 respondents, 1673.1 people; men: 1578, 804.1
}
