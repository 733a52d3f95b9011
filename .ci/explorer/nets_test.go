package explorer

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// netted are the questions that nets are made of: two answers of each, by their places, and what they are crossed with.
// Single tells that who gives one of the answers gives no other, so that a net is their sum.
var netted = []struct {
	name              string
	of                func(*testing.T) store
	question, columns string
	answers           [2]int
	single            bool
}{
	{"demo", demo, "core.exercise", "core.age", [2]int{0, 1}, true},
	// The one brand was asked everywhere, the other in the north alone, shops of some people and later.
	{"ragged", ragged, "core.brands", "shop.visit", [2]int{0, 2}, false},
	{"ragged single", ragged, "core.mood", "core.use", [2]int{0, 1}, true},
	{"ragged grid", ragged, "core.use", "core.use", [2]int{0, 1}, false}, // wherever on the scale
	{"sav", sav, "", "", [2]int{0, 1}, true},
}

// Two answers of a question are made one by hand, which is named and saved as a question beside those that are left
// alone. In the rows and the columns of the table and under Find it has the figures of the answers together.
func TestNets(t *testing.T) {
	for _, n := range netted {
		t.Run(n.name, func(t *testing.T) {
			s := n.of(t).serve(t)
			if n.question == "" {
				first := s.firstQuestions(t)
				n.question, n.columns = first[0].key(), first[1].key()
			}
			q := s.question(t, n.question)
			a, b := q.Answers[n.answers[0]], q.Answers[n.answers[1]]
			names, expressions := []string{"Either of two"}, []object{leafOf(q, a.Code, b.Code)}
			for _, answer := range q.Answers {
				if answer.Code != a.Code && answer.Code != b.Code {
					names, expressions = append(names, answer.Name), append(expressions, leafOf(q, answer.Code))
				}
			}
			for _, is := range sizes {
				p := open(t, s, is)
				code, called := "netted_"+is.name, "Netted "+is.name
				picture := strings.ReplaceAll(n.name, " ", "-") + "-" + is.name
				p.goTo(fmt.Sprintf("/table?rows=%s&columns=%s&measures=column,row,index,size,sample", n.question, n.columns))
				p.settled()
				p.click(inRows)
				p.tick(a.Name)
				p.tick(b.Name)
				p.click(`//dialog` + button("Save as a question"))
				p.fill(".called input", called)
				p.fill(".given li:first-child input", "Either of two")
				p.shoot("nets-form-" + picture)
				p.fits()
				p.click(saveButton)
				p.until(`!document.querySelector("dialog")`)
				p.until(fmt.Sprintf(`document.querySelector(".chip").textContent.includes(%q)`, called))
				p.until(fmt.Sprintf(`document.querySelector(".crosstab tbody")?.textContent.includes(%q)`, "Either of two"))
				p.settled()
				p.shoot("nets-table-" + picture)
				p.fits()

				columnNames, columns := s.question(t, n.columns).answers()
				numbers, blank := p.figuresHold(s, names, wrapped(expressions), columnNames, columns)
				if n.single {
					numbers += p.netIsSum(s, q, []string{a.Code, b.Code})
				}
				p.click(`//button[@aria-label="Swap rows and columns"]`)
				p.until(fmt.Sprintf(`document.querySelector(".crosstab .columns").textContent.includes(%q)`, "Either of two"))
				p.settled()
				turned, _ := p.figuresHold(s, columnNames, columns, names, wrapped(expressions))
				if turned < 20 {
					t.Errorf("%s: only %d numbers were held in the columns", is.name, turned)
				}
				if numbers < 20 {
					t.Errorf("%s: only %d numbers were held", is.name, numbers)
				}
				if derived := s.question(t, q.Namespace+"."+code); derived.Name != called {
					t.Errorf("%s: the question is called %q", is.name, derived.Name)
				}
				found := p.foundAndDefined(s, called, names[0], fmt.Sprintf("%s: %s or %s", q.Name, a.Name, b.Name))
				p.shoot("nets-find-" + picture)
				p.fits()
				t.Logf("%s: %d numbers in the rows, %d in the columns, %d cells without; %d under Find", is.name, numbers,
					turned, blank, found)
			}
		})
	}
}

// What is clicked again and again: the first question in the rows, and what saves a form.
const (
	inRows     = `//div[@aria-label="Rows"]//span[contains(@class, "chip")]/button[1]`
	saveButton = `//dialog//button[@type="submit"]`
)

// leafOf is who gives any of some answers.
func leafOf(q question, codes ...string) object {
	return object{"question": q.key(), "datapoints": codes}
}

// wrapped are expressions as audiences.
func wrapped(expressions []object) (audiences []object) {
	for _, x := range expressions {
		audiences = append(audiences, object{"expression": x})
	}
	return audiences
}

// fill puts a text in the place of what a field has, as who selects all of it and types does.
func (p *page) fill(selector, text string) {
	p.Helper()
	p.until(fmt.Sprintf(`document.querySelector(%q)`, selector))
	p.do(chromedp.SetValue(selector, text, chromedp.ByQuery))
	p.eval(fmt.Sprintf(`void document.querySelector(%q).dispatchEvent(new Event("input", {bubbles: true}))`, selector),
		nil)
}

// netIsSum holds people and respondents of the first row, which is a net, against the sums of its answers' cells.
func (p *page) netIsSum(s *server, q question, codes []string) (numbers int) {
	p.Helper()
	var rows []object
	for _, code := range codes {
		rows = append(rows, object{"expression": leafOf(q, code)})
	}
	var want struct{ Data []cell }
	s.ask(p.T, "/v2/query/crosstab?stream=false", object{"rows": rows,
		"columns": []object{{"expression": object{"question": "waves"}}}}, &want)
	var size, sample float64
	for _, c := range want.Data {
		size, sample = size+c.Intersect.Size, sample+c.Intersect.Sample
	}
	total := p.cells()[0]
	for name, sum := range map[string]float64{"size": size, "sample": sample} {
		if err := same(total.Figures[name], sum, 0); err != nil {
			p.Errorf("the net's %s is not the sum of its answers': %v", name, err)
		}
		numbers++
	}
	if math.IsNaN(size) || sample == 0 {
		p.Errorf("the net is of %v respondents", sample)
	}
	return numbers
}

// foundAndDefined looks for a derived question by its name, and holds what is told of it: how it is made, and what
// people said. It tells how many numbers were held.
func (p *page) foundAndDefined(s *server, called, net, words string) (numbers int) {
	p.Helper()
	p.goTo("/find")
	p.settled()
	p.search("aside", called)
	p.click(fmt.Sprintf(`//ul[@class="questions"]//button[starts-with(normalize-space(), %q)]`, called))
	p.until(fmt.Sprintf(`document.querySelector("h1")?.textContent === %q && document.querySelector(".definition td")`,
		called))
	p.until(`document.querySelector(".answers .number") && document.querySelector(".map td[title]")`)
	p.settled()
	p.until(fmt.Sprintf(`document.querySelector(".definition td").textContent.trim() === %q`, words))
	var told [][2]string
	p.eval(`[...document.querySelectorAll(".definition tr")].map((line) =>
		[...line.children].map((one) => one.textContent.trim()))`, &told)
	if told[0][0] != net {
		p.Errorf("the net is called %q", told[0][0])
	}
	var key string
	p.eval(`document.querySelector("h1 ~ p code").textContent`, &key)
	var stats struct{ Data []answer }
	s.ask(p.T, "/v2/query/stats", object{"question": key}, &stats)
	var shown [][]string
	p.eval(`[...document.querySelectorAll(".answers tbody tr")].map((line) =>
		[...line.querySelectorAll(".number")].map((n) => n.textContent))`, &shown)
	if len(shown) != len(stats.Data) || len(shown) != len(told) {
		p.Fatalf("%d answers are shown, %d told of, of %d", len(shown), len(told), len(stats.Data))
	}
	for i, entry := range stats.Data {
		for k, figure := range shown[i] {
			want := []float64{entry.Metrics.Share, entry.Metrics.Size, entry.Metrics.Sample}[k]
			if err := same(figure, want, []int{1, 0, 0}[k]); err != nil {
				p.Errorf("%s: %v", told[i][0], err)
			}
			numbers++
		}
	}
	return numbers
}
