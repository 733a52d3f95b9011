package explorer

import (
	"fmt"
	"os"
	goruntime "runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// finding is what axe says that keeps people from using a page.
type finding struct {
	ID, Impact, Help string
	Nodes            []struct{ HTML, FailureSummary string }
}

// TestAxe looks at each view and dialog by axe's rules, in light and in dark.
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
				for _, selector := range at.clicks {
					p.click(selector)
					p.settled()
				}
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

// tabTo presses Tab until the focus is on what a selector finds.
func (p *page) tabTo(selector string) {
	p.Helper()
	for range 60 {
		p.press(kb.Tab)
		var there bool
		p.eval(fmt.Sprintf(`document.activeElement.matches(%q)`, selector), &there)
		if there {
			return
		}
	}
	p.Fatalf("the focus does not come to %s", selector)
}

// Two questions are crossed, a cell is looked at and a dialog opened and closed, without a mouse.
func TestKeyboard(t *testing.T) {
	s := demo(t).serve(t)
	p := open(t, s, sizes[0])
	p.goTo("/table")
	p.settled()
	for _, words := range []string{"gender", "exercise"} {
		p.tabTo("input[type=search]")
		p.eval(`document.activeElement.select()`, nil)
		p.press(words)
		p.until(`document.querySelector("aside .found [role=status]")?.textContent.includes("question")`)
		p.until(fmt.Sprintf(`document.querySelector("aside .question .name").textContent.toLowerCase() === %q`, words))
		p.tabTo("aside .question")
		p.press(kb.Enter)
		p.until(fmt.Sprintf(`[...document.querySelectorAll(".chip")].some((c) => c.textContent.toLowerCase().includes(%q))`, words))
	}
	p.settled()
	p.tabTo("td[data-column]")
	p.press(kb.ArrowDown, kb.ArrowRight, kb.ArrowRight)
	p.until(`document.querySelector(".tip strong")?.textContent === "Man × 2–3 times a week"`)
	p.shoot("keyboard")
	p.press(kb.Escape)
	p.tabTo(".options .primary")
	p.press(kb.Enter)
	p.until(`document.querySelector("dialog[open]")`)
	p.press(kb.Escape)
	p.until(`!document.querySelector("dialog") && document.activeElement.textContent.trim() === "Take away"`)
}

// A large table has no more on the page than fits on some screens, wherever one scrolls to, and its numbers hold there.
func TestLargeTable(t *testing.T) {
	s := demo(t).serve(t)
	p := open(t, s, sizes[0])
	rows := "core.statements,core.media_use,core.interests,core.supermarkets,core.drivers,core.sports_brands," +
		"core.bought,core.destinations,core.video_genres"
	p.goTo("/table?rows=" + rows + "&columns=core.interests,core.age&measures=column")
	p.settled()
	p.until(`document.querySelectorAll(".crosstab td[data-column]").length > 100`)
	var lines, columns, made int
	p.eval(`Number(document.querySelector("[role=grid]").getAttribute("aria-rowcount"))`, &lines)
	p.eval(`Number(document.querySelector("[role=grid]").getAttribute("aria-colcount"))`, &columns)
	if lines < 300 || columns < 50 {
		t.Errorf("the table has %d lines and %d columns only", lines, columns)
	}
	var slow []float64
	p.do(chromedp.Evaluate(`new Promise((done) => {
		const frame = document.querySelector(".frame"), times = [];
		let last = performance.now();
		const turn = (now) => {
			times.push(now - last);
			last = now;
			frame.scrollTop += 90;
			if (times.length < 120) requestAnimationFrame(turn); else done(times.sort((a, b) => a - b));
		};
		requestAnimationFrame(turn);
	})`, &slow, func(e *runtime.EvaluateParams) *runtime.EvaluateParams { return e.WithAwaitPromise(true) }))
	t.Logf("%d × %d: a frame of scrolling takes %.0f ms, the slowest of ten %.0f ms", lines, columns, slow[len(slow)/2],
		slow[len(slow)*9/10])
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
	last := shown[len(shown)-columns+1:]
	for i, c := range want.Data {
		if err := same(last[i+1].Figures["column"], c.Audiences.Row.Intersect, 1); err != nil {
			t.Errorf("%s × %s: %v", last[i+1].Row, last[i+1].Column, err)
		}
	}
	if len(want.Data) < 20 {
		t.Errorf("only %d numbers were held", len(want.Data))
	}
}

// The first view is there within a second on a processor of a fourth of the speed, and nothing in it jumps.
func TestFirstView(t *testing.T) {
	s := demo(t).serve(t)
	best := 1e9
	for range 3 {
		p := open(t, s, sizes[0])
		p.do(emulation.SetCPUThrottlingRate(4))
		p.goTo("/find")
		p.settled()
		p.until(`document.querySelector(".tree details")`)
		var painted, shifted float64
		p.observe("largest-contentful-paint", "entries.at(-1).startTime", &painted)
		p.observe("layout-shift", "entries.reduce((sum, {value}) => sum + value, 0)", &shifted)
		t.Logf("the largest part is painted after %.0f ms; layout shift %.4f", painted, shifted)
		if best = min(best, painted); shifted > 0.02 {
			t.Errorf("the page jumps: %v", shifted)
		}
	}
	if best > 1000 && !busy(t) {
		t.Errorf("the first view takes %.0f ms at the best of three", best)
	}
}

// busy tells whether the machine has other work than this, so that times say nothing.
func busy(t *testing.T) bool {
	text, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return false
	}
	load, err := strconv.ParseFloat(strings.Fields(string(text))[0], 64)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("the load of the machine is %.1f, on %d processors", load, goruntime.NumCPU())
	return load > 2*float64(goruntime.NumCPU())
}

// observe gives what an expression makes of the entries that the browser has noted of a kind.
func (p *page) observe(kind, expression string, out *float64) {
	p.Helper()
	p.do(chromedp.Evaluate(strings.NewReplacer("KIND", kind, "WHAT", expression).Replace(`new Promise((done) => {
		const late = setTimeout(() => done(0), 300); // where there are none
		new PerformanceObserver((list) => {
			const entries = list.getEntries();
			clearTimeout(late);
			done(WHAT);
		}).observe({type: "KIND", buffered: true});
	})`), out, func(e *runtime.EvaluateParams) *runtime.EvaluateParams { return e.WithAwaitPromise(true) }))
}
