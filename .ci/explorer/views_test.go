package explorer

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"
)

// surveys are what the views are tried on: for each a question to find by some words, and two to cross.
var surveys = []struct {
	name          string
	of            func(*testing.T) store
	found         []string // words, and the question that is looked for by them
	rows, columns string
	unmeasured    bool // some of what is crossed was never asked together
}{
	{name: "demo", of: demo, found: []string{"interested", "core.interests", "exercise", "core.exercise"},
		rows: "core.age", columns: "core.exercise"},
	{name: "ragged", of: ragged, found: []string{"screens", "core.use", "brands", "core.brands", "mood", "core.mood",
		"gender", "core.gender"}, rows: "core.brands,core.mood", columns: "core.mood_old", unmeasured: true},
	{name: "sav", of: sav},
}

// answer is an entry of statistics.
type answer struct {
	Datapoint string
	Metrics   struct {
		Share  float64 `json:"audience_percentage"`
		Size   float64 `json:"positive_size"`
		Sample float64 `json:"positive_sample"`
	}
}

// Find: words are typed, a question is chosen, and it shows what people said and where it was asked; one after the
// other, on the same page.
func TestFind(t *testing.T) {
	for _, survey := range surveys {
		t.Run(survey.name, func(t *testing.T) {
			s := survey.of(t).serve(t)
			found := survey.found
			if found == nil {
				for _, q := range s.firstQuestions(t) {
					found = append(found, q.Name, q.key())
				}
			}
			for _, is := range sizes {
				p := open(t, s, is)
				p.goTo("/find")
				p.settled()
				numbers := 0
				for i := 0; i < len(found) && i < 12; i += 2 {
					if i > 0 {
						p.allQuestions()
					}
					numbers += p.find(s, found[i], found[i+1])
					if i == 0 {
						p.shoot(fmt.Sprintf("find-%s-%s", survey.name, is.name))
					}
				}
				t.Logf("%s: %d numbers", is.name, numbers)
				if numbers < 20 {
					t.Errorf("%s: only %d numbers were held", is.name, numbers)
				}
			}
		})
	}
}

// allQuestions goes back to where one searches, with nothing typed there.
func (p *page) allQuestions() {
	p.Helper()
	var hidden bool
	p.eval(`getComputedStyle(document.querySelector("aside")).display === "none"`, &hidden)
	if hidden {
		p.click(`//button[contains(@class, "back")]`)
	}
	p.eval(`document.querySelector("aside input[type=search]").select()`, nil)
	p.press(kb.Backspace)
	p.until(`!document.querySelector(".found [role=status]")`)
}

// find goes the way of somebody who looks for a question, and holds the numbers that are shown; it tells how many.
func (p *page) find(s *server, words, key string) (numbers int) {
	p.Helper()
	q := s.question(p.T, key)
	p.search("aside", words)
	p.click(fmt.Sprintf(`//ul[@class="questions"]//button[span[1][normalize-space()=%q]]`, q.Name))
	p.until(fmt.Sprintf(`document.querySelector("h1")?.textContent === %q`, q.Name))
	p.until(`document.querySelectorAll(".answers .number").length > 0 && document.querySelector(".map td[title]")`)
	p.settled()
	p.fits()
	p.steady()

	var stats struct{ Data []answer }
	s.ask(p.T, "/v2/query/stats", object{"question": key}, &stats)
	var shown [][]string
	p.eval(`[...document.querySelectorAll(".answers tbody tr")].map((line) =>
		[line.querySelector("th").textContent.trim(), ...[...line.querySelectorAll(".number")].map((n) => n.textContent)])`, &shown)
	if len(shown) != len(stats.Data) {
		p.Fatalf("%d answers are shown of %d", len(shown), len(stats.Data))
	}
	for i, entry := range stats.Data {
		if shown[i][0] != q.Answers[i].Name {
			p.Errorf("answer %d is %q, and not %q", i, shown[i][0], q.Answers[i].Name)
		}
		if len(shown[i]) == 1 {
			continue // not asked anywhere
		}
		for k, want := range []float64{entry.Metrics.Share, entry.Metrics.Size, entry.Metrics.Sample} {
			if err := same(shown[i][k+1], want, []int{1, 0, 0}[k]); err != nil {
				p.Errorf("%s: %v", q.Answers[i].Name, err)
			}
			numbers++
		}
	}
	p.mapHolds(s, key)
	return numbers
}

// mapHolds holds the squares of the map.
func (p *page) mapHolds(s *server, key string) {
	var waves struct {
		Data []struct {
			Wave     string `json:"wave_code"`
			Coverage struct{ Locations []string }
		}
	}
	s.ask(p.T, "/v2/query/audience_wave_counts?coverage=true", object{"question": key}, &waves)
	want := 0
	for _, wave := range waves.Data {
		want += len(wave.Coverage.Locations)
	}
	var squares int
	p.eval(`document.querySelectorAll(".map .square.yes").length`, &squares)
	if squares != want {
		p.Errorf("%d squares are filled of %d", squares, want)
	}
	var told string
	p.eval(`document.querySelector(".where [role=status]").textContent`, &told)
	if !strings.Contains(told, fmt.Sprintf("In %d of ", len(waves.Data))) {
		p.Errorf("the map says %q of %d waves", told, len(waves.Data))
	}
}

// key is how a question is known.
func (q question) key() string { return q.Namespace + "." + q.Code }

// firstQuestions are those of a survey that has no codebook of its own.
func (s *server) firstQuestions(t *testing.T) []question {
	t.Helper()
	var found struct{ Questions []question }
	s.ask(t, "/v3/questions/filter", object{"include": object{"datapoints": true}}, &found)
	var some []question
	for _, q := range found.Questions {
		if len(q.Answers) > 1 && len(q.Scale) == 0 {
			some = append(some, q)
		}
	}
	if len(some) < 2 {
		t.Fatalf("%d questions with answers", len(some))
	}
	return some
}

// fits holds the page to the width of the screen: what is wider scrolls within itself.
func (p *page) fits() {
	p.Helper()
	var over float64
	p.eval("document.documentElement.scrollWidth - document.documentElement.clientWidth", &over)
	if over > 0 {
		var wide []string
		p.eval(`[...document.querySelectorAll("main *")].filter((e) => !e.closest(".scrolls, .frame, .scope, .toggles") &&
			e.getBoundingClientRect().right > document.documentElement.clientWidth).map((e) => e.outerHTML.slice(0, 80))`, &wide)
		p.Errorf("the page is %v pixels wider than the screen by %q", over, wide)
	}
}
