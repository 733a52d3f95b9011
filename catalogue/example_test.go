package catalogue_test

import (
	"fmt"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/catalogue"
)

func ExampleCatalogue_Find() {
	frame, err := audience.NewFrame(1, &audience.Survey{
		Namespaces: []audience.Namespace{{Code: "core"}},
		Questions: []audience.Question{
			{Namespace: "core", Code: "drinks", Name: "Drinks", Datapoints: []audience.Datapoint{
				{Code: "tea", Name: "Tea"}, {Code: "coffee", Name: "Café au lait"}}},
			{Namespace: "core", Code: "places", Name: "Cafés visited", Datapoints: []audience.Datapoint{
				{Code: "yes", Name: "Yes"}, {Code: "no", Name: "No"}}},
		},
	}, audience.Coverage{})
	if err != nil {
		fmt.Println(err)
		return
	}
	found, err := catalogue.New(frame).Find(catalogue.QuestionFilter{Search: "cafe", Limit: 10})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, q := range found.Questions {
		fmt.Println(q.Code, q.Match.Name, q.Match.Datapoints)
	}
	// Output:
	// places true []
	// drinks false [{coffee Café au lait}]
}
