package stats_test

import (
	"context"
	"fmt"
	"log"
	"testing"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/stats"
)

// shopSurvey is a store of a few respondents; any audience.Store will do.
func shopSurvey() audience.Store { return store(new(testing.B), shops(), respondents) }

// How women and men differ in what they buy, wave by wave.
func ExampleRun() {
	res, err := stats.Run(context.Background(), shopSurvey(), stats.Request{
		Question:   "brand",
		Datapoints: []string{"b1"},
		Splitter:   stats.Waves,
		Audiences: []audience.Audience{
			{ID: "women", Expr: audience.Answers{Question: "sex", Datapoints: []string{"f"}}},
			{ID: "men", Expr: audience.Answers{Question: "sex", Datapoints: []string{"m"}}},
		},
	})
	if err != nil {
		log.Fatal(err)
	}
	for e := range res.Entries() {
		fmt.Printf("%s, %s in %s: %.1f %%, index %.0f, of %d asked\n", e.Datapoint, e.Audience, e.Segment,
			e.Metrics.AudiencePercentage, e.Metrics.AudienceIndex, e.Metrics.Audience.Sample)
	}
	// Output:
	// b1, women in w1: 75.0 %, index 120, of 2 asked
	// b1, men in w1: 50.0 %, index 80, of 2 asked
	// b1, women in w2: 28.6 %, index 73, of 2 asked
	// b1, men in w2: 50.0 %, index 127, of 4 asked
}

// How far sex and drinks go together.
func ExampleAssociate() {
	survey, respondents := drinkers()
	found, err := stats.Associate(context.Background(), store(new(testing.B), survey, respondents), stats.AssociationQuery{
		Rows:    stats.AssociationAxis{Question: "sex"},
		Columns: stats.AssociationAxis{Question: "drink"},
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("Cramér's V %.2f, of %d respondents\n", *found.CramersV, found.Sample)
	if test := found.Independence; test != nil {
		fmt.Printf("F %.2f with %.2f and %.2f degrees of freedom, p %.2f\n", test.F, test.DF, test.DFDenominator, test.P)
	}
	// Output:
	// Cramér's V 0.31, of 14 respondents
	// F 0.58 with 2.00 and 24.00 degrees of freedom, p 0.57
}

// A question that began in the second wave: the first has no entry.
func ExampleWaveCounts() {
	counts, err := stats.WaveCounts(context.Background(), shopSurvey(), stats.WaveRequest{
		Expression: audience.Answers{Question: "mood", Datapoints: []string{"good"}},
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%.1f %% of %.0f people\n", counts.Percentage, counts.Base.Size)
	for _, w := range counts.Waves {
		fmt.Printf("%s: %d respondents, %.1f %%\n", w.Name, w.Sample, w.Percentage)
	}
	// Output:
	// 57.1 % of 28 people
	// Autumn: 3 respondents, 57.1 %
}
