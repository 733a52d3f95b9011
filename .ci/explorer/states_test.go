package explorer

import (
	"fmt"
	"net/url"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"
)

// raggedViews are all views of the ragged survey, each with what it has when it is whole.
var raggedViews = []struct{ name, view, whole string }{
	{"find", "/find?question=core.brands", ".answers td.number"},
	{"table", "/table?rows=core.gender&columns=core.brands", ".crosstab td[data-column] .number"},
	{"chart", "/chart?rows=core.gender&columns=core.brands", ".drawing .value"},
	{"audience", "/audience?audience=" + written(raggedPeople), ".size table.by td.number"},
	{"profile", "/profile?audience=" + written(raggedPeople), ".ranking td.index"},
	{"trend", "/trend?trend=core.brands", ".figures td .number"},
}

// whole waits for a view to be whole, with nothing that says it can't be.
func (p *page) whole(what string) {
	p.Helper()
	p.until(fmt.Sprintf(`document.querySelector(%q) && !document.querySelector(".notice, .waiting, [aria-busy=true]")`, what))
}

// said waits for a notice with some words in it.
func (p *page) said(words ...string) {
	p.Helper()
	for _, one := range words {
		p.until(fmt.Sprintf(`[...document.querySelectorAll(".notice")].some((n) => n.textContent.includes(%q))`, one))
	}
}

// asksAnew has a view ask for something else, by what stands in the address.
func (p *page) asksAnew(parameter string) {
	p.Helper()
	p.eval(fmt.Sprintf(`void (location.hash += %q)`, parameter), nil)
}

// A server that is away or busy, and a key that is taken back, are told of in each view. Each goes on by itself when
// the server is back, where it was.
func TestStates(t *testing.T) {
	for i, v := range raggedViews {
		t.Run(v.name, func(t *testing.T) {
			of := ragged(t)
			taken := run(t, "key", "create", "--db", of.db, "--name", "taken back")
			s, g := of.serve(t).gated(t)
			p := open(t, s, sizes[i%3])
			p.allowed = []string{"ERR_EMPTY_RESPONSE", "ERR_CONNECTION", "429", "503", "401"}
			s.key, taken = taken, s.key // the page has the one that will be taken back
			p.goTo(v.view)
			p.whole(v.whole)

			g.away()
			p.asksAnew("&waves=w2")
			p.said("The server is away", "asks again by itself")
			p.fits()
			p.shoot("state-away-" + v.name)
			g.open()
			p.whole(v.whole) // without a click

			g.refuse(503, "0")
			p.asksAnew("&locations=north")
			p.said("The server is busy", "asks again by itself")
			g.open()
			p.whole(v.whole)

			g.refuse(429, "20")
			p.asksAnew(",south")
			p.said("The server is busy")
			p.shoot("state-busy-" + v.name)
			g.open()
			p.click(button("Try again")) // for whom twenty seconds are too long
			p.whole(v.whole)

			run(t, "key", "revoke", "--db", of.db, "2")
			p.asksAnew(",east")
			p.until(`document.querySelector("[role=alert]")?.textContent.includes("taken back")`)
			p.typeInto("input[name=key]", taken+kb.Enter)
			p.whole(v.whole)
			var address string
			p.eval(`location.hash`, &address)
			if want := "#" + v.view + "&waves=w2&locations=north,south,east"; address != want {
				t.Errorf("after all that the view is %s, and not %s", address, want)
			}
		})
	}
}

// An empty store says in each view how to fill it.
func TestEmptyStore(t *testing.T) {
	s := empty(t).serve(t)
	for i, v := range raggedViews {
		p := open(t, s, sizes[i%3])
		p.goTo(v.view)
		p.said("There is nothing here", "crosswave import")
		p.fits()
		p.shoot("state-empty-" + v.name)
	}
}

// A real server is stopped under the page and started again, on the same survey at the same address.
func TestServerComesBack(t *testing.T) {
	s := ragged(t).serve(t)
	p := open(t, s, sizes[0])
	p.allowed = []string{"ERR_CONNECTION", "ERR_EMPTY_RESPONSE"}
	p.goTo("/table?rows=core.gender")
	p.settled()
	s.stop()
	p.click(button("Row %")) // asks nothing
	p.whole(`.crosstab td[data-column] .row`)
	p.asksAnew("&columns=core.brands")
	p.said("Is it running")
	at, err := url.Parse(s.url)
	if err != nil {
		t.Fatal(err)
	}
	start(t, s.store, "serve", "--db", s.db, "--addr", at.Host)
	p.whole(`.crosstab td[data-column="2"] .number`)
}

// A page that is opened while the server is busy, and one whose key was never good, come to what was asked for.
func TestBeginsLate(t *testing.T) {
	s, g := ragged(t).serve(t).gated(t)
	p := open(t, s, sizes[0])
	p.allowed = []string{"503", "401"}
	p.goTo("/find?question=core.brands")
	p.whole(".answers td.number")
	g.refuse(503, "0")
	p.eval(`document.querySelector("button.quiet").click()`, nil) // signs out
	p.typeInto("input[name=key]", s.key+kb.Enter)
	p.said("The server is busy")
	g.open()
	p.whole(".answers td.number")

	good := s.key
	s.key = "crosswave_never"
	p.goTo("/find?question=core.brands")
	p.until(`document.querySelector("[role=alert]")?.textContent.includes("does not know this key")`)
	p.typeInto("input[name=key]", good+kb.Enter)
	p.whole(".answers td.number")
}

// What is taken away or saved while the server is away says so where it was wanted, and can be tried again there.
func TestTakeAwayStates(t *testing.T) {
	s, g := ragged(t).serve(t).gated(t)
	for _, v := range raggedViews[1:] {
		p := open(t, s, sizes[0])
		p.allowed = []string{"ERR_EMPTY_RESPONSE", "ERR_CONNECTION", "429"}
		p.goTo(v.view)
		p.whole(v.whole)
		p.openTakeAway()
		g.away()
		p.click(`//dialog` + button("CSV"))
		p.said("The server is away", "Wait a moment, and try again")
		p.shoot("state-taking-" + v.name)
		g.refuse(429, "60")
		p.click(`//dialog` + button("Try again"))
		p.said("The server is busy")
		g.open()
		file := p.download(func() { p.click(`//dialog` + button("Try again")) })
		if !strings.HasSuffix(file, ".csv") {
			t.Errorf("%s: the file is %s", v.name, file)
		}
		p.until(`!document.querySelector("dialog .notice")`)
	}
}

// A saved audience that can't be opened, and one that can't be saved, say why; both can be done later.
func TestSavedStates(t *testing.T) {
	s, g := ragged(t).serve(t).gated(t)
	p := open(t, s, sizes[0])
	p.allowed = []string{"ERR_EMPTY_RESPONSE", "ERR_CONNECTION"}
	p.goTo("/audience?audience=" + written(raggedPeople))
	p.settled()
	p.click(`//header` + button("Save"))
	p.typeInto(".saving input[type=text]", "Some people")
	g.away()
	p.click(`//dialog` + button("Save"))
	p.until(`document.querySelector("dialog .warning")?.textContent.includes("Is it running")`)
	g.open()
	p.click(`//dialog` + button("Save"))
	p.until(`!document.querySelector("dialog") && document.querySelector("h1").textContent === "Some people"`)
	p.click(button("New"))
	p.until(`document.querySelector(".saved .question")`)
	g.away()
	p.click(`//div[@class="saved"]//button[contains(., "Some people")]`)
	p.said("The server is away", "Wait a moment, and try again")
	g.open()
	p.click(button("Try again"))
	p.until(`document.querySelector("h1").textContent === "Some people" && !document.querySelector(".notice")`)
}

// openTakeAway opens the dialog of what a view has to take away.
func (p *page) openTakeAway() {
	p.Helper()
	p.eval(`void document.querySelector("details.by")?.setAttribute("open", "")`, nil)
	p.click(button("Take away"))
	p.until(`document.querySelector("dialog pre.command")`)
}
