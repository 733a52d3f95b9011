package main

import (
	"fmt"
	"slices"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/crosstab"
)

// figures is what a cell must be.
type figures struct {
	row                    string
	base, inRow, tea, both audience.Figure
	namespace              string
	fieldwork              int // places in waves that it covers
	percentage, index      float64
}

// wanted is what the cells of ask must be, worked out from the rule in people. Of the 125 respondents of each place in
// each wave 50 drink tea, 63 buy the brand a and 25 of those drink tea, 50 buy b (25), and in the north, the only place
// where they are asked, 10 buy c (5). A respondent stands for 1.5 people in the north, 2 in the south and 2.5 in the
// east: averaged over waves and added up, 750. Of each 125 the first 100 are in the shop's panel, in w2 and w3, for 10
// people each; 40 of them drink tea, 25 visit often (10), 25 seldom (10), 50 neither (20).
func wanted() []figures {
	f := func(sample int64, size float64) audience.Figure { return audience.Figure{Sample: sample, Size: size} }
	core, shop := f(1000, 750), f(600, 3000)
	return []figures{
		{"a", core, f(504, 378), f(400, 300), f(200, 150), "core", 8, 20, 100 * 150. * 750 / (378 * 300)},
		{"b", core, f(400, 300), f(400, 300), f(200, 150), "core", 8, 20, 125},
		{"c", f(375, 187.5), f(30, 15), f(150, 75), f(15, 7.5), "core", 3, 4, 125},
		{"often", shop, f(150, 750), f(240, 1200), f(60, 300), "shop", 6, 10, 100},
		{"seldom", shop, f(150, 750), f(240, 1200), f(60, 300), "shop", 6, 10, 100},
		{"neither", shop, f(300, 1500), f(240, 1200), f(120, 600), "shop", 6, 20, 100},
	}
}

// check holds cells to what is wanted.
func check(cells []crosstab.Cell) error {
	var got []figures
	written := func(f audience.Figure) audience.Figure { return audience.Figure{Sample: f.Sample, Size: f.Size} }
	for _, c := range cells {
		got = append(got, figures{c.Row.Audience, written(c.Base), written(c.Row.Figure), written(c.Column.Figure),
			written(c.Intersect.Figure), c.Namespace, c.Cover.Len(), c.Intersect.Percentage, c.Intersect.Index})
	}
	if want := wanted(); !slices.Equal(got, want) {
		return fmt.Errorf("the cells are\n%v\nbut should be\n%v", got, want)
	}
	return nil
}
