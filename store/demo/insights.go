package demo

import _ "embed"

//go:embed insights.json
var published string

// Insights is a file of insights about the demo survey, articles and charts as well as generic ones, in the format of
// the package insights. What the generic ones say is borne out by any seed with 10,000 respondents or more.
func Insights() []byte { return []byte(published) }
