package explorer

import (
	"context"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// firstViews are what people open first, with what is there once a view is whole.
var firstViews = []struct{ name, view, whole string }{
	{"find", "/find", ".tree details"},
	{"question", "/find?question=core.exercise", ".answers .number"},
	{"table", "/table?rows=core.gender&columns=core.exercise", ".crosstab td[data-column]"},
}

// noting has a page note when a view is whole on screen, by the clock that starts as the page is gone to.
const noting = `(() => {
	const look = () => {
		if (!document.querySelector("WHOLE") || document.querySelector(".waiting, [aria-busy=true]")) return requestAnimationFrame(look);
		return requestAnimationFrame(() => setTimeout(() => (window.wholeAfter = performance.now())));
	};
	requestAnimationFrame(look);
})()`

// firstView opens a view in a new tab of a browser on a slowed processor, and gives the milliseconds until it was
// whole.
func firstView(t *testing.T, s *server, view, whole string, slowed float64) (p *page, after float64) {
	t.Helper()
	p = open(t, s, sizes[0])
	p.do(emulation.SetCPUThrottlingRate(slowed), chromedp.ActionFunc(func(ctx context.Context) error {
		_, err := cdppage.AddScriptToEvaluateOnNewDocument(strings.Replace(noting, "WHOLE", whole, 1)).Do(ctx)
		return err
	}))
	p.goTo(view)
	p.until(`window.wholeAfter`)
	p.eval(`window.wholeAfter`, &after)
	return p, after
}

// Nothing in a first view jumps, on a processor of a fourth of the speed either. How long it takes is told and fails
// nothing, as that depends on the machine and on what else it does; what it asks for, TestFirstViewAsksLittle tells.
func TestFirstView(t *testing.T) {
	s := demo(t).serve(t)
	for _, first := range firstViews {
		for _, slowed := range []float64{1, 4} {
			p, after := firstView(t, s, first.view, first.whole, slowed)
			var painted float64
			p.observe("largest-contentful-paint", "entries.at(-1).startTime", &painted)
			t.Logf("%s, slowed %v times: whole after %.0f ms, its largest part after %.0f ms", first.name, slowed, after,
				painted)
			p.steady()
		}
	}
}

// resource is what a page has loaded.
type resource struct {
	Name  string
	Bytes int  // as they were sent
	Asked bool // of the interface
}

// What the first view needs does not depend on how fast a machine is: how much is loaded, in how many requests, and how
// often those wait for others.
func TestFirstViewAsksLittle(t *testing.T) {
	s, g := demo(t).serve(t).gated(t)
	for _, first := range []struct {
		name, view, whole           string
		files, asked, bytes, rounds int
	}{
		{"find", "/find", ".tree details", 3, 5, 160_000, 3},
		{"question", "/find?question=core.exercise", ".answers .number", 3, 8, 160_000, 5},
		{"table", "/table?rows=core.gender&columns=core.exercise", ".crosstab td[data-column]", 3, 8, 160_000, 5},
	} {
		rounds := g.inRounds()
		p := open(t, s, sizes[0])
		p.goTo(first.view)
		p.whole(first.whole)
		var loaded []resource
		p.eval(`[...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")].map((entry) => ({
			name: new URL(entry.name).pathname, bytes: entry.transferSize, asked: entry.initiatorType === "fetch"
		})).filter(({name}) => !name.endsWith(".svg"))`, &loaded)
		files, asked, bytes := 0, 0, 0
		for _, one := range loaded {
			t.Logf("%s: %s, %d bytes", first.name, one.Name, one.Bytes)
			bytes += one.Bytes
			if one.Asked {
				asked++
			} else {
				files++
			}
		}
		waited := rounds()
		t.Logf("%s: %d files and %d questions in %d rounds, %d bytes", first.name, files, asked, waited, bytes)
		if files > first.files || asked > first.asked || bytes > first.bytes || waited > first.rounds {
			t.Errorf("%s needs more than %d files and %d questions in %d rounds, %d bytes", first.name, first.files, first.asked,
				first.rounds, first.bytes)
		}
	}
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

// steady holds the page to what has not jumped since it was opened.
func (p *page) steady() {
	p.Helper()
	var shifted float64
	p.observe("layout-shift", "entries.reduce((sum, e) => sum + (e.hadRecentInput ? 0 : e.value), 0)", &shifted)
	if shifted > 0.02 {
		var parts []string
		p.do(chromedp.Evaluate(`new Promise((done) => new PerformanceObserver((list) => done(list.getEntries().flatMap(
			({value, sources}) => sources.map(({node, previousRect: a, currentRect: b}) => [value.toFixed(3),
				node?.outerHTML?.slice(0, 90) ?? node?.textContent, a.x, a.y, a.width, a.height, "→", b.x, b.y, b.width, b.height]
				.join(" "))).slice(0, 20))).observe({type: "layout-shift", buffered: true}))`, &parts,
			func(e *runtime.EvaluateParams) *runtime.EvaluateParams { return e.WithAwaitPromise(true) }))
		p.Errorf("the page jumps by %.3f:\n%s", shifted, strings.Join(parts, "\n"))
	}
}
