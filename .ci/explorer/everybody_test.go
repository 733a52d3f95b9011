package explorer

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// finding is what axe says that keeps people from using a page.
type finding struct {
	ID, Impact, Help string
	Nodes            []struct{ HTML, FailureSummary string }
}

// TestAxe looks at each view and dialog by axe's rules, in light and in dark; nothing in it jumps while it comes, or
// is wider than the screen.
func TestAxe(t *testing.T) {
	path := os.Getenv("CROSSWAVE_AXE")
	if path == "" {
		t.Skip("CROSSWAVE_AXE names no axe: use .ci/explorer/run")
	}
	axe, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	s := demo(t).serve(t)
	s.define(t, object{"code": "young", "name": "Young", "datapoints": []object{{"code": "yes", "name": "Yes",
		"expression": object{"question": "core.age", "datapoints": []string{"age_1"}}}}})
	const crossed = "/table?rows=core.gender,core.age&columns=core.exercise"
	for _, at := range []struct {
		name, view string
		clicks     []string
	}{
		{"find", "/find", nil},
		{"search", "/find?search=sport", nil},
		{"question", "/find?question=core.statements", nil},
		{"table", crossed + "&measures=column,row,index,size,sample", nil},
		{"letters", crossed + "&compare=columns", nil},
		{"base", crossed, []string{`//button[starts-with(normalize-space(), "Base")]`}},
		{"waves", crossed, []string{`//button[starts-with(normalize-space(), "Waves")]`}},
		{"item", crossed, []string{button("Gender")}},
		{"net", crossed, []string{button("Gender"), `//dialog//label[.="Woman"]`, button("Save as a question")}},
		{"derived", "/find?question=core.young", nil},
		{"item derived", "/table?rows=core.young", []string{button("Young")}},
		{"change", "/find?question=core.young", []string{button("Change"), `//summary[.="The same from a program"]`}},
		{"all derived", "/find", []string{button("Derived questions")}},
		{"comparison", crossed, []string{button("▲▼ with the rest")}},
		{"take away", crossed, []string{button("Take away")}},
		{"audience", "/audience?audience=" + written(youngOrActive), nil},
		{"audience in parts", "/audience?audience=" + written(youngOrActive), []string{`//summary[.="By wave and market"]`,
			`//summary[.="As text"]`}},
		{"answers", "/audience?audience=" + written(youngOrActive), []string{`//div[contains(@class, "leaf")]//button[@class="plain"]`}},
		{"save", "/audience?audience=" + written(youngOrActive), []string{button("Save")}},
		{"profile", "/profile?audience=" + written(youngOrActive), nil},
		{"whom", "/profile", nil},
		{"trend", "/trend?trend=core.assistant_b", nil},
		{"lines", "/trend?trend=core.exercise", []string{`//button[starts-with(normalize-space(), "Answers")]`}},
		{"bars", strings.Replace(crossed, "table", "chart", 1), nil},
		{"stacks", strings.Replace(crossed, "table", "chart", 1) + "&kind=stacked", nil},
		{"waves in columns", "/chart?kind=lines&rows=core.exercise&columns=waves", nil},
	} {
		for _, is := range sizes {
			if at.clicks != nil && is.width > 1000 {
				continue // a dialog is the same there
			}
			t.Run(at.name+" "+is.name, func(t *testing.T) {
				p := open(t, s, is)
				p.goTo(at.view)
				p.settled()
				p.steady()
				for _, selector := range at.clicks {
					p.click(selector)
					p.settled()
				}
				p.fits()
				var found []finding
				p.do(chromedp.Evaluate(string(axe), nil), chromedp.Evaluate(`axe.run(document, {resultTypes: ["violations"]}).then(
					({violations}) => violations)`, &found, func(e *runtime.EvaluateParams) *runtime.EvaluateParams {
					return e.WithAwaitPromise(true)
				}))
				for _, f := range found {
					if f.Impact == "serious" || f.Impact == "critical" {
						t.Errorf("%s, %s: %s", f.Impact, f.ID, f.Help)
						for _, node := range f.Nodes[:min(3, len(f.Nodes))] {
							t.Logf("%s\n%s", node.HTML, node.FailureSummary)
						}
					} else {
						t.Logf("%s, %s: %s", f.Impact, f.ID, f.Help)
					}
				}
			})
		}
	}
}

// A large table has no more on the page than fits on some screens, wherever one scrolls to, and its numbers hold there.
func TestLargeTable(t *testing.T) {
	s := demo(t).serve(t)
	rows := "core.statements,core.media_use,core.interests,core.supermarkets,core.drivers,core.sports_brands," +
		"core.bought,core.destinations,core.video_genres"
	p, through := scrolledTable(t, s, sizes[0], "/table?rows="+rows+"&columns=core.interests,core.age&measures=column")
	if through.lines < 300 || through.columns < 50 {
		t.Errorf("the table has %d lines and %d columns only", through.lines, through.columns)
	}
	var made int
	p.eval(`document.querySelectorAll(".crosstab tbody tr").length`, &made)
	if made > 80 {
		t.Errorf("%d lines are made at a time", made)
	}
	q := s.question(t, "core.video_genres")
	p.eval(`void (document.querySelector(".frame").scrollTop = 1e6)`, nil)
	p.until(fmt.Sprintf(`[...document.querySelectorAll(".crosstab tbody th")].at(-1).textContent.trim() === %q`,
		q.Answers[len(q.Answers)-1].Name))
	var want struct{ Data []cell }
	_, rowAudiences := q.answers()
	_, columnAudiences := s.question(t, "core.interests").answers()
	s.ask(t, "/v2/query/crosstab?stream=false", object{"rows": rowAudiences[len(rowAudiences)-1:],
		"columns": columnAudiences}, &want)
	shown := p.cells()
	last := shown[len(shown)-through.columns+1:]
	for i, c := range want.Data {
		if err := same(last[i+1].Figures["column"], c.Audiences.Row.Intersect, 1); err != nil {
			t.Errorf("%s × %s: %v", last[i+1].Row, last[i+1].Column, err)
		}
	}
	if len(want.Data) < 20 {
		t.Errorf("only %d numbers were held", len(want.Data))
	}
}
