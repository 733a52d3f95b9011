package guess

import (
	"iter"
	"maps"
	"strings"
)

// Labels that differ in what stands in brackets behind them.

// unasked are labels of who was not asked, of which there may be several with the reasons in brackets.
var unasked = map[string]bool{"inap": true, "inapplicable": true, "not applicable": true, "not asked": true,
	"n/a": true, "filter": true, "missing": true, "trifft nicht zu": true, "no aplica": true, "sans objet": true}

// toldApart tells whether the labels of a column, and those before, differ in more than what stands in brackets, as
// "Yes (always)" and "Yes (at times)" do not, or say that somebody was not asked.
func (s *shape) toldApart(c *column) bool {
	apart := func(labels iter.Seq[string]) bool {
		seen := map[string]bool{}
		for text := range labels {
			text, _, _ = strings.Cut(text, " (")
			if text = strings.Trim(text, " ."); seen[text] && !unasked[text] {
				return false
			}
			seen[text] = true
		}
		return true
	}
	return apart(maps.Values(s.labels)) && apart(func(yield func(string) bool) {
		for _, o := range c.choices() {
			if o.labelled && !yield(plainLabel(c, o.name)) {
				return
			}
		}
	})
}

// alikeInBrackets tells whether two labels say the same but for what stands in brackets behind one of them or both, as
// "True (correct)" and "True" do, and "Not asked (women)" and "Not asked (in towns)".
func alikeInBrackets(a, b string) bool {
	a, _, one := strings.Cut(a, " (")
	b, _, other := strings.Cut(b, " (")
	return (one || other) && strings.Trim(a, " .") == strings.Trim(b, " .") && strings.Trim(a, " .") != ""
}
