package explorer

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// attribute is an entry of a profile, as the interface gives it.
type attribute struct {
	Namespace, Question, Datapoint string
	Metrics                        struct {
		Index  float64 `json:"audience_index"`
		Share  float64 `json:"audience_percentage"`
		Sample float64 `json:"positive_sample"`
	}
	Rest     struct{ Percentage float64 }
	Adjusted *float64 `json:"adjusted_p"`
	Stands   bool
}

// Who are they: each figure of the ranked list is the interface's, and what does not stand is drawn pale.
func TestProfile(t *testing.T) {
	for _, survey := range []struct {
		name   string
		of     func(*testing.T) store
		people object
	}{{"demo", demo, youngOrActive}, {"ragged", ragged, raggedPeople}, {"sav", sav, nil}} {
		t.Run(survey.name, func(t *testing.T) {
			s := survey.of(t).serve(t)
			people := survey.people
			if people == nil {
				first := s.firstQuestions(t)[0]
				people = object{"question": first.key(), "datapoints": []string{first.Answers[0].Code}}
			}
			for _, is := range sizes {
				p := open(t, s, is)
				p.goTo("/profile?audience=" + written(people))
				p.settled()
				p.until(`document.querySelectorAll(".ranking tbody tr").length > 3`)
				p.shoot(fmt.Sprintf("profile-%s-%s", survey.name, is.name))
				p.fits()
				numbers := p.rankingHolds(s, object{"audience": object{"expression": people}, "limit": 50})
				t.Logf("%s: %d numbers", is.name, numbers)
				if numbers < 20 {
					t.Errorf("%s: only %d numbers were held", is.name, numbers)
				}
			}
		})
	}
}

// rankingHolds holds the list on screen against the answer to a request.
func (p *page) rankingHolds(s *server, request object) (numbers int) {
	p.Helper()
	var want struct{ Data []attribute }
	s.ask(p.T, "/v2/query/profile", request, &want)
	var shown []struct {
		Answer, P     string
		Pale          bool
		Figures, Bars []string
	}
	p.eval(`[...document.querySelectorAll(".ranking tbody tr")].map((line) => ({
		answer: line.querySelector(".answer").textContent,
		pale: line.classList.contains("unsure"),
		figures: [".index", ".share", ".rest", ".sample"].map((name) => line.querySelector(name).textContent),
		bars: [...line.querySelectorAll("rect")].map((bar) => bar.getAttribute("class")),
		p: line.querySelector(".p").textContent.trim(),
	}))`, &shown)
	if len(shown) != len(want.Data) {
		p.Fatalf("%d attributes are shown of %d", len(shown), len(want.Data))
	}
	for i, w := range want.Data {
		at := shown[i]
		q := s.question(p.T, w.Namespace+"."+w.Question)
		is := func(a struct{ Code, Name string }) bool { return a.Code == w.Datapoint }
		name := q.Answers[slices.IndexFunc(q.Answers, is)].Name
		if !strings.HasPrefix(at.Answer, name) {
			p.Errorf("line %d is of %q, and not of %q", i, at.Answer, name)
		}
		if at.Pale == w.Stands {
			p.Errorf("%s: pale is %v, and it stands is %v", at.Answer, at.Pale, w.Stands)
		}
		bar := map[bool]string{true: "above", false: "below"}[w.Metrics.Index >= 100]
		if !slices.Equal(at.Bars, []string{bar}) {
			p.Errorf("%s: the index is %v, and its bar is %q", at.Answer, w.Metrics.Index, at.Bars)
		}
		for k, want := range []float64{w.Metrics.Index, w.Metrics.Share, w.Rest.Percentage, w.Metrics.Sample} {
			if err := same(at.Figures[k], want, []int{0, 1, 1, 0}[k]); err != nil {
				p.Errorf("%s: %v", at.Answer, err)
			}
			numbers++
		}
		if (w.Adjusted == nil) != (at.P == "not tested") {
			p.Errorf("%s: p is %q for %v", at.Answer, at.P, w.Adjusted)
		} else if w.Adjusted != nil && *w.Adjusted >= 0.001 {
			if err := same(at.P, *w.Adjusted, 3); err != nil {
				p.Errorf("%s: %v", at.Answer, err)
			}
			numbers++
		}
	}
	return numbers
}

// The list is ranked anew, cut to a category and made longer, and each time it is what the interface answers.
func TestProfileChoices(t *testing.T) {
	s := demo(t).serve(t)
	p := open(t, s, sizes[0])
	p.goTo("/profile?audience=" + written(youngOrActive))
	p.settled()
	people := object{"expression": youngOrActive}
	p.do(selectOption(`select[aria-label='Rank by']`, "difference"))
	p.until(`location.hash.includes("rank=difference")`)
	p.settled()
	p.rankingHolds(s, object{"audience": people, "limit": 50, "order_by": "difference"})
	p.do(selectOption(`select[aria-label='Direction']`, "over"))
	p.until(`location.hash.includes("side=over")`)
	p.settled()
	p.click(button("Show 50 more"))
	p.until(`document.querySelectorAll(".ranking tbody tr").length === 100`)
	p.settled()
	p.rankingHolds(s, object{"audience": people, "limit": 100, "order_by": "difference", "direction": "over"})
	p.do(selectOption(`select[aria-label='Category']`, categoryOf(t, s, "Sport")))
	p.until(`document.querySelectorAll(".ranking tbody tr").length === 50 && location.hash.includes("shelf=")`)
	p.settled()
	var titles []string
	p.eval(`[...new Set([...document.querySelectorAll(".ranking th .faint")].map((n) => n.textContent))]`, &titles)
	if slices.Contains(titles, "Age") || len(titles) < 2 {
		t.Errorf("the category has %q", titles)
	}
}

func categoryOf(t *testing.T, s *server, name string) string {
	t.Helper()
	var list struct {
		Categories []struct {
			ID, Name string
			Lineage  []any
		}
	}
	s.ask(t, "/v2/categories/filter", object{}, &list)
	for _, c := range list.Categories {
		if c.Name == name && len(c.Lineage) == 0 {
			return c.ID
		}
	}
	t.Fatalf("there is no category %s", name)
	return ""
}
