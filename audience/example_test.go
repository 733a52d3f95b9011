package audience_test

import (
	"fmt"

	"github.com/crosswave/crosswave/audience"
)

func ExampleParse() {
	x, err := audience.Parse([]byte(`{"and": [{"question": "gender", "datapoints": ["f"]}, {"question": "sport", ` +
		`"min_count": 2}]}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%s\n", audience.Print(x))

	// A typo must never widen an audience.
	_, err = audience.Parse([]byte(`{"and": [{"question": "gender", "datapoint": ["f"]}]}`))
	fmt.Println(err)
	// Output:
	// {"and":[{"question":"gender","datapoints":["f"]},{"question":"sport","min_count":2}]}
	// and[0].datapoint: unknown member "datapoint"; "datapoints" is probably meant
}

func ExamplePrint() {
	// Who is in wave w1 and gave at least two answers, and everyone of the north.
	fmt.Printf("%s\n", audience.Print(audience.Or{
		audience.And{audience.Waves{Codes: []string{"w1"}}, audience.Answers{Question: "core.q3", Min: 2}},
		audience.Locations{Codes: []string{"north"}},
	}))
	// Output:
	// {"or":[{"and":[{"question":"waves","datapoints":["w1"]},{"question":"core.q3","min_count":2}]},{"question":"locations","datapoints":["north"]}]}
}
