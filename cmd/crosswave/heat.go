package main

import (
	"math"
	"os"
	"strings"

	"golang.org/x/term"

	"github.com/crosswave/crosswave/crosstab"
	"github.com/crosswave/crosswave/stats"
)

// shading is the flag of commands whose tables show how far an index is from 100.
type shading struct {
	Color string `default:"auto" enum:"auto,always,never" placeholder:"auto" help:"${color}"`
}

// shades tells whether what is printed is coloured: on a terminal, unless NO_COLOR is set (no-color.org) or it has no
// colours; or as --color says.
func (s shading) shades(m Main) bool {
	switch s.Color {
	case "always":
		return true
	case "never":
		return false
	}
	file, ok := m.Stdout.(*os.File)
	return ok && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb" && term.IsTerminal(int(file.Fd()))
}

// hottest is the last of the steps by which an index is shaded.
const hottest = 4

// heat is how far an index is from 100, in steps: 1 from 110 on, 2 from 125, 3 from 150 and 4 from 200, and below 100
// where it is as many times less, which is from 90.9, 80, 66.7 and 50 down.
func heat(index float64) int {
	steps := [hottest]float64{110, 125, 150, 200}
	n := 0
	for i, above := range steps {
		switch {
		case index >= above:
			n = i + 1
		case index > 0 && 100*100/index >= above, index <= 0:
			n = -(i + 1)
		}
	}
	return n
}

// leastHeated is how many respondents the row and the column of a cell have at least whose index is shaded.
const leastHeated = 30

// heatNote says what shades are.
const heatNote = "Shaded: an index of 110, 125, 150 or 200 and above in blue, and as many times below 100 in orange, " +
	"where its row and its column have 30 respondents at least."

// attributeHeatNote is heatNote for profiles.
const attributeHeatNote = "Shaded: an index of 110, 125, 150 or 200 and above in blue, and as many times below 100 " +
	"in orange, where 30 respondents at least are in the audience, and positive."

// heatOf is the heat of a cell of a crosstab; none where its index is of few respondents.
func heatOf(c *crosstab.Cell) int {
	if min(c.Row.Sample, c.Column.Sample) < leastHeated {
		return 0
	}
	return heat(c.Intersect.Index)
}

// heatOfAttribute is the heat of an attribute of a profile; none where its index is of few respondents.
func heatOfAttribute(e *stats.ProfileEntry) int {
	if min(e.Metrics.Audience.Sample, e.Metrics.Datapoint.Sample) < leastHeated {
		return 0
	}
	return heat(e.Metrics.AudienceIndex)
}

// Shades of blue above 100 and of orange below, which those who see no red or no green tell apart, too: of the 256
// colours that terminals have. The darkest have white ink, the others black.
var (
	blues   = [hottest]string{"48;5;195;38;5;16", "48;5;153;38;5;16", "48;5;74;38;5;16", "48;5;25;38;5;231"}
	oranges = [hottest]string{"48;5;230;38;5;16", "48;5;222;38;5;16", "48;5;172;38;5;16", "48;5;130;38;5;231"}
)

// halfBar is how many columns of a terminal a bar takes at the most to either side of 100.
const halfBar = 6

// bar draws an index from 100 on, to the right or to the left, on a scale on which 50 is as far from 100 as 200, in
// halves of a column. At 25 and at 400 it is as long as there is room for.
func bar(index float64) string {
	far := halfBar * 2 * math.Log2(max(index, 1)/100) / 2 // in halves
	n := min(2*halfBar, int(math.Round(math.Abs(far))))
	whole, half := strings.Repeat("█", n/2), n%2 == 1
	switch {
	case index < 100 && half:
		return blanks(halfBar-n/2-1) + "▐" + whole + "│" + blanks(halfBar)
	case index < 100:
		return blanks(halfBar-n/2) + whole + "│" + blanks(halfBar)
	case half:
		return blanks(halfBar) + "│" + whole + "▌" + blanks(halfBar-n/2-1)
	}
	return blanks(halfBar) + "│" + whole + blanks(halfBar-n/2)
}

// shaded is a text in the colour of a heat.
func shaded(text string, heat int) string {
	switch {
	case heat > 0:
		return "\x1b[" + blues[heat-1] + "m" + text + "\x1b[0m"
	case heat < 0:
		return "\x1b[" + oranges[-heat-1] + "m" + text + "\x1b[0m"
	}
	return text
}
