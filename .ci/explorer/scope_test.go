package explorer

import (
	"fmt"
	"testing"
)

// Answers are added up to a net, a base is set, and waves and markets are chosen, all by hand; every figure is then the
// one that the interface gives for the same.
func TestNetAndScope(t *testing.T) {
	s := demo(t).serve(t)
	p := open(t, s, sizes[0])
	p.goTo("/table?rows=core.gender&columns=core.exercise")
	p.settled()
	tick := func(name string) {
		p.click(fmt.Sprintf(`//dialog//label[starts-with(normalize-space(), %q)]//input`, name))
	}
	p.click(button("Gender"))
	p.until(`document.querySelector("dialog .choices")`)
	tick("Woman")
	tick("Man")
	p.click(`//dialog` + button("Add as a net"))
	p.click(`//dialog` + button("Done"))
	p.click(`//button[starts-with(normalize-space(), "Base")]`)
	p.search("dialog", "age")
	p.click(`//dialog//button[starts-with(normalize-space(), "Age")]`)
	p.until(`document.querySelector("dialog .choices")`)
	tick("16–24")
	tick("25–34")
	p.click(`//dialog` + button("Add"))
	p.click(`//dialog//button[@aria-label="Close"]`)
	p.click(`//button[starts-with(normalize-space(), "Waves")]`)
	tick("Q3 2025")
	tick("Q4 2025")
	p.click(`//dialog` + button("Count these"))
	p.click(`//button[starts-with(normalize-space(), "Markets")]`)
	tick("United Kingdom")
	tick("Germany")
	p.click(`//dialog` + button("Count these"))
	p.settled()
	p.until(`document.querySelectorAll(".crosstab td[data-column]").length === 28`)
	p.settled()
	p.shoot("net-and-scope")

	_, rows := s.question(t, "core.gender").answers()
	net := object{"expression": object{"question": "core.gender", "datapoints": []string{"gender_1", "gender_2"}}}
	_, columns := s.question(t, "core.exercise").answers()
	everyone := object{"expression": object{"question": "waves"}}
	var want struct{ Data []cell }
	s.ask(t, "/v2/query/crosstab?stream=false", object{"rows": append(rows, net),
		"columns": append([]object{everyone}, columns...), "waves": []string{"q3_2025", "q4_2025"},
		"locations": []string{"s2_44", "s2_49"}, "base_audience": object{"expression": object{"question": "core.age",
			"datapoints": []string{"age_1", "age_2"}}}}, &want)
	shown := p.cells()
	if len(shown) != len(want.Data) || shown[21].Row != "Net: Woman or Man" {
		t.Fatalf("%d cells are shown of %d, of which the last row is %s", len(shown), len(want.Data), shown[21].Row)
	}
	for i, c := range want.Data {
		at := shown[i]
		if err := same(at.Figures["column"], c.Audiences.Row.Intersect, 1); err != nil {
			t.Errorf("%s × %s: %v", at.Row, at.Column, err)
		}
		if err := same(at.Figures["index"], c.Intersect.Index, 0); err != nil {
			t.Errorf("%s × %s: %v", at.Row, at.Column, err)
		}
	}
}
