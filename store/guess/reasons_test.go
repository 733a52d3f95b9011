package guess_test

import (
	"testing"

	"github.com/crosswave/crosswave/store/guess"
	"github.com/crosswave/crosswave/store/survey/period"
)

// Every kind of reason and of evidence has a sentence of its own, and no reason has none.
func TestReasonSentences(t *testing.T) {
	if text := (guess.Reason{}).String(); text != "" {
		t.Errorf("no reason is told as %q", text)
	}
	seen := map[string]bool{"": true}
	for kind := guess.Said; kind <= guess.ReasonUndecided; kind++ {
		r := guess.Reason{Kind: kind, Bond: guess.ByName, Text: "tea", Respondents: 3,
			Evidence: []guess.Evidence{{Kind: guess.EvidenceMean, Points: 3}, {Kind: guess.EvidenceTotal, Points: 2}}}
		if text := r.String(); seen[text] {
			t.Errorf("reason %d is told as %q, as another one is", kind, text)
		} else {
			seen[text] = true
		}
	}
	evidence := map[string]bool{"": true}
	for kind := guess.EvidenceCalled; kind <= guess.EvidenceLacking; kind++ {
		if text := (guess.Evidence{Kind: kind, Respondents: 2}).String(); evidence[text] {
			t.Errorf("evidence %d is told as %q, as another one is", kind, text)
		} else {
			evidence[text] = true
		}
	}
}

func TestReasonFacts(t *testing.T) {
	for _, c := range []struct {
		reason guess.Reason
		want   string
	}{
		{guess.Reason{Kind: guess.ReasonLabel, Text: "the   country"}, `its label "the country" says so`},
		{guess.Reason{Kind: guess.ReasonSet, Text: "$drinks"}, "the file declares the set $drinks"},
		{guess.Reason{Kind: guess.ReasonSeparated, Text: ";"}, `its fields hold several answers with ";" between them`},
		{guess.Reason{Kind: guess.ReasonOptions, Bond: guess.ByWords},
			"their questions have the same words in common and each holds a yes or no"},
		{guess.Reason{Kind: guess.ReasonRows, Bond: guess.Unnamed},
			"the columns behind the first have no names of their own and they have the same answers"},
		{guess.Reason{Kind: guess.ReasonLacking, Respondents: 1}, "1 respondent without a date"},
		{guess.Reason{Kind: guess.ReasonUndecided, Order: period.MonthFirst}, "nothing in its dates decides whether days " +
			"or months come first; months are taken to: 03/04/2024 is March 4"},
		{guess.Reason{Kind: guess.ReasonEvidence, Evidence: []guess.Evidence{{Kind: guess.EvidenceCalled, Points: 3},
			{Kind: guess.EvidenceLacking, Points: -3, Respondents: 7}}},
			"its name or label says so, 7 respondents have none"},
	} {
		if got := c.reason.String(); got != c.want {
			t.Errorf("told as %q, want %q", got, c.want)
		}
	}
}
