package explorer

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"
)

// derivedQuestion is a record of a derived question, as the interface gives it.
type derivedQuestion struct {
	Code, Name, Description string
	Namespace               string `json:"namespace_code"`
	Shared                  bool
	Version                 int
	Answers                 []struct {
		Code, Name string
		Expression json.RawMessage
	} `json:"datapoints"`
}

const derivedPath = "/v2/questions/derived"

// derived are the derived questions that a key sees, by code.
func (s *server) derived(t *testing.T) []derivedQuestion {
	t.Helper()
	var list struct{ Data []derivedQuestion }
	s.answer(t, "GET", derivedPath, nil, &list)
	return list.Data
}

// generation is a derived question of the ragged survey, as it is defined.
var generation = object{"code": "generation", "name": "Generation", "datapoints": []object{
	{"code": "young", "name": "Young", "expression": object{"question": "core.age", "datapoints": []string{"young"}}},
	{"code": "buyers", "name": "Northern or shop", "expression": object{"or": []object{
		{"question": "core.brands", "datapoints": []string{"b3"}},
		{"question": "shop.visit", "datapoints": []string{"s1"}}}}},
}}

// define defines a derived question, without the page.
func (s *server) define(t *testing.T, record object) {
	t.Helper()
	var defined derivedQuestion
	s.answer(t, "POST", derivedPath, record, &defined)
}

// warned waits until the dialog or the page warns of something in some words.
func (p *page) warned(words ...string) {
	p.Helper()
	for _, some := range words {
		p.until(fmt.Sprintf(`[...document.querySelectorAll(".warning[role=alert]")].some((n) =>
			n.textContent.includes(%q))`, some))
	}
}

// A derived question is looked at, changed and deleted by who defined it; what others have changed meanwhile is not
// written over, and what is in use stays.
func TestChangeDerived(t *testing.T) {
	s := ragged(t).serve(t)
	s.define(t, generation)
	p := open(t, s, sizes[0])
	p.allowed = append(p.allowed, "412", "409", "400")
	p.goTo("/find?question=shop.generation")
	p.until(`document.querySelectorAll(".definition td").length === 2`)
	p.settled()
	p.until(`document.querySelector(".definition td").textContent.trim() === "Age: 16–34"`)
	p.until(`document.querySelectorAll(".definition td")[1].textContent.trim() === ` +
		`"Brands bought: Northern brand or Shops visited: Corner shop"`)
	p.shoot("derived-definition")

	p.click(button("Change"))
	p.fill(".called input", "Generations")
	p.fill(".given li:first-child input", "The young")
	p.click(`//dialog//label[starts-with(normalize-space(), "Shared")]`)
	p.shoot("derived-change")
	p.click(saveButton)
	p.until(`!document.querySelector("dialog") && document.querySelector("h1").textContent === "Generations"`)
	p.until(`document.querySelector(".definition").textContent.includes("shared with everyone")`)
	now := s.derived(t)[0]
	if now.Name != "Generations" || !now.Shared || now.Version != 2 || now.Answers[0].Code != "young" ||
		now.Answers[0].Name != "The young" {
		t.Errorf("what is kept is %+v", now)
	}

	// Another answer, and other people for the first, whose figures follow.
	before := p.shares()
	p.click(button("Change"))
	p.click(`(//dialog//ul[@class="filters"]//button[@class="plain"])[1]`)
	p.tick("35 and older")
	p.click(`//dialog` + button("These people"))
	p.until(`document.querySelector(".given .plain").textContent.trim() === "Age: 16–34 or 35 and older"`)
	p.click(`//dialog` + button("+ None of these"))
	p.until(`document.querySelectorAll(".given li").length === 3`)
	p.click(saveButton)
	p.until(`!document.querySelector("dialog") && document.querySelectorAll(".definition td").length === 3`)
	p.until(`document.querySelectorAll(".answers tbody tr").length === 3`)
	p.settled()
	if after := p.shares(); after[0] == before[0] || after[0] != "100.0 %" {
		t.Errorf("whoever is young or old is %s, after %s", after[0], before[0])
	}

	// Somebody else changes it in between.
	p.click(button("Change"))
	p.fill(".called input", "Mine")
	var theirs derivedQuestion
	s.answer(t, "PATCH", derivedPath+"/generation", object{"name": "Theirs"}, &theirs)
	p.click(saveButton)
	p.warned("Somebody has changed it", "version 4")
	p.shoot("derived-changed")
	if name := s.derived(t)[0].Name; name != "Theirs" {
		t.Errorf("the other's change was written over by %q", name)
	}
	p.click(button("Read it again"))
	p.until(`document.querySelector(".called input").value === "Theirs"`)
	p.fill(".called input", "Ours")
	p.click(saveButton)
	p.until(`!document.querySelector("dialog") && document.querySelector("h1").textContent === "Ours"`)

	// What another question reads stays until that is gone.
	s.define(t, object{"code": "reader", "datapoints": []object{{"code": "x", "name": "X",
		"expression": object{"question": "generation", "datapoints": []string{"young"}}}}})
	p.click(button("Delete"))
	p.click(button("Delete it for good"))
	p.warned(`derived question "reader"`, "change those first")
	p.shoot("derived-in-use")
	p.click(button("Change"))
	p.click(`//dialog//button[@aria-label="Leave out The young"]`)
	p.click(saveButton)
	p.warned(`derived question "reader" reads this one`)
	p.click(`//dialog//button[@aria-label="Close"]`)
	p.goTo("/find?question=core.reader")
	p.until(`document.querySelector(".definition td")?.textContent.trim() === "Ours: The young"`)
	for _, key := range []string{"core.reader", "shop.generation"} {
		p.goTo("/find?question=" + key)
		p.until(`document.querySelector(".definition .actions")`)
		p.click(button("Delete"))
		p.click(button("Delete it for good"))
		p.until(`document.querySelector(".overview")`)
	}
	if left := s.derived(t); len(left) != 0 {
		t.Errorf("%+v is left", left)
	}
}

// Answers that are bands of numbers are told as such.
func TestBandsInWords(t *testing.T) {
	s := demo(t).serve(t)
	band := func(code string, ends object) object {
		ends["question"] = "gaming_hours"
		return object{"code": code, "name": code, "expression": ends}
	}
	s.define(t, object{"code": "gamers", "datapoints": []object{band("few", object{"to": 4}),
		band("some", object{"from": 4, "to": 12.5}), band("many", object{"from": 12.5})}})
	p := open(t, s, sizes[0])
	p.goTo("/find?question=core.gamers")
	p.until(`document.querySelectorAll(".definition td").length === 3`)
	p.settled()
	var said []string
	p.eval(`[...document.querySelectorAll(".definition td")].map((td) => td.textContent.trim().split(": ")[1])`, &said)
	if want := []string{"below 4", "from 4 to below 12.5", "12.5 or more"}; !slices.Equal(said, want) {
		t.Errorf("the bands are told as %q, want %q", said, want)
	}
}

// shares are the percentages of the answers to the question on screen.
func (p *page) shares() (texts []string) {
	p.Helper()
	p.eval(`[...document.querySelectorAll(".answers .bar .number")].map((n) => n.textContent)`, &texts)
	return texts
}

// What keeps a question from being defined is told in words.
func TestDeriveRefused(t *testing.T) {
	t.Run("code that is taken", func(t *testing.T) {
		p := open(t, ragged(t).serve(t), sizes[2])
		p.allowed = append(p.allowed, "409")
		p.netForm("Age")
		p.fill(".called input.code", "gender")
		p.click(saveButton)
		p.warned("there is a question of that code", "Give it another code")
		p.shoot("derived-taken")
		p.fits()
		p.fill(".called input.code", "sex_and_more")
		p.click(saveButton)
		p.until(`!document.querySelector("dialog")`)
		if list := p.server.derived(t); len(list) != 1 || list[0].Code != "sex_and_more" {
			t.Errorf("what is defined is %+v", list)
		}
	})
	t.Run("too many", func(t *testing.T) {
		s := ragged(t).serve(t, "--derived-questions", "1")
		p := open(t, s, sizes[0])
		p.allowed = append(p.allowed, "403")
		p.netForm("Age")
		p.until(`document.querySelector("dialog .warning")?.textContent.includes("room for 1 more")`)
		s.define(t, generation)
		p.click(saveButton)
		p.warned("at most 1 derived questions", "who runs the server")
	})
	t.Run("server away", func(t *testing.T) {
		s := ragged(t).serve(t)
		p := open(t, s, sizes[0])
		p.allowed = []string{"ERR_CONNECTION_REFUSED", "ERR_CONNECTION_RESET", "ERR_EMPTY_RESPONSE"}
		p.netForm("Age")
		p.settled()
		s.stop()
		p.click(saveButton)
		p.warned("Is it running")
	})
}

// netForm opens the form of a net of all answers to a question.
func (p *page) netForm(name string) {
	p.Helper()
	p.goTo("/table?rows=core." + strings.ToLower(name))
	p.settled()
	p.click(inRows)
	p.click(`//dialog` + button("All"))
	p.click(`//dialog` + button("Save as a question"))
	p.until(`document.querySelectorAll(".given li").length === 1`)
}

// Others use what is shared and see how it is made, but don't change it; what a key does not grant all of is told of as
// such to its owner, and is no question to others.
func TestSharedDerived(t *testing.T) {
	of := ragged(t)
	s := of.serve(t)
	s.define(t, generation)
	other := *s
	other.key = run(t, "key", "create", "--db", of.db, "--user", "7")
	p := open(t, &other, sizes[0])
	p.goTo("/table?rows=shop.generation&columns=core.gender")
	p.settled()
	p.until(`document.querySelector(".warning")?.textContent.includes("shop.generation")`)
	var shared derivedQuestion
	s.answer(t, "PATCH", derivedPath+"/generation", object{"shared": true}, &shared)
	p.goTo("/find?question=shop.generation")
	p.until(`document.querySelector(".definition")?.textContent.includes("shared by another user")`)
	p.settled()
	var buttons int
	p.eval(`document.querySelectorAll(".definition button").length`, &buttons)
	if buttons != 0 {
		t.Errorf("what another user defined has %d buttons", buttons)
	}
	p.goTo("/table?rows=shop.generation&columns=core.gender&measures=column,row,index,size,sample")
	p.settled()
	p.until(`document.querySelectorAll(".crosstab td[data-column]").length > 4`)
	p.settled()
	names, columns := s.question(t, "core.gender").answers()
	var rows []object
	for _, point := range generation["datapoints"].([]object) {
		rows = append(rows, object{"expression": point["expression"]})
	}
	numbers, blank := p.figuresHold(s, []string{"Young", "Northern or shop"}, rows, names, columns)
	t.Logf("%d numbers, %d cells without", numbers, blank)
	if numbers < 20 {
		t.Errorf("only %d numbers were held", numbers)
	}

	narrow := *s
	narrow.key = run(t, "key", "create", "--db", of.db, "--questions", "core.gender,core.age")
	p = open(t, &narrow, sizes[0])
	p.goTo("/find")
	p.settled()
	p.click(button("Derived questions"))
	p.until(`document.querySelector("dialog .warning")?.textContent.includes("can't be used")`)
	p.settled()
	p.shoot("derived-unusable")
	p.click(`//dialog` + button("Delete"))
	p.click(`//dialog` + button("Delete it for good"))
	p.until(`document.querySelector("dialog").textContent.includes("There is none yet")`)
	if left := s.derived(t); len(left) != 0 {
		t.Errorf("%+v is left", left)
	}
}

// A question is defined from nothing: an answer of one question, one of another, and all others.
func TestDefineOne(t *testing.T) {
	s := ragged(t).serve(t)
	p := open(t, s, sizes[2])
	p.goTo("/find")
	p.settled()
	p.click(button("Derived questions"))
	p.click(`//dialog` + button("Define one"))
	p.fill(".called input", "Who buys where")
	for _, one := range []struct{ question, answer string }{{"Brands", "Northern brand"},
		{"Shops visited", "Corner shop"}} {
		p.click(`//dialog` + button("+ Of another question"))
		p.search("dialog dialog dialog", one.question)
		p.click(fmt.Sprintf(`//dialog//dialog//ul[@class="questions"]//button[starts-with(normalize-space(), %q)]`,
			one.question))
		p.tick(one.answer)
		p.click(`//dialog` + button("These people"))
		p.until(fmt.Sprintf(`[...document.querySelectorAll(".given li input")].at(-1)?.value === %q`, one.answer))
	}
	p.shoot("derived-define-phone")
	p.fits()
	p.click(saveButton)
	p.until(`document.querySelector("h1")?.textContent === "Who buys where"`)
	p.settled()
	list := s.derived(t)
	if len(list) != 1 || list[0].Code != "who_buys_where" || list[0].Namespace != "shop" || len(list[0].Answers) != 2 ||
		list[0].Answers[1].Code != "corner_shop" {
		t.Errorf("what is defined is %+v", list)
	}
}

// What is shown as the same from a program defines the question as the page does, and changes it.
func TestDeriveCommands(t *testing.T) {
	s := demo(t).serve(t)
	p := open(t, s, sizes[0])
	p.goTo("/table?rows=core.gender")
	p.settled()
	p.click(inRows)
	p.tick("Woman")
	p.tick("Man")
	p.click(`//dialog` + button("Save as a question"))
	p.click(`//dialog//summary[.="The same from a program"]`)
	p.runsEach(s, func(code string) { p.fill(".called input.code", code) })
	list := s.derived(t)
	if len(list) != 3 {
		t.Fatalf("%d questions are defined", len(list))
	}
	for _, q := range list {
		if q.Name != "Gender in nets" || fmt.Sprint(q.Answers) != fmt.Sprint(list[0].Answers) || q.Version != 1 {
			t.Errorf("one of what is defined is %+v", q)
		}
	}
	p.goTo("/find?question=core.by_curl")
	p.until(`document.querySelector(".definition .actions")`)
	p.click(button("Change"))
	p.click(`//dialog//summary[.="The same from a program"]`)
	p.runsEach(s, func(name string) { p.fill(".called input", name) })
	for _, q := range s.derived(t) {
		if q.Code == "by_curl" && (q.Name != "by_command_line" || q.Version != 4) {
			t.Errorf("what was changed three times is %+v", q)
		}
	}
}

// runsEach runs the command of each language, after something was changed in the form.
func (p *page) runsEach(s *server, change func(text string)) {
	p.Helper()
	for _, language := range []string{"curl", "Go", "Command line"} {
		p.click(`//dialog` + button(language))
		change("by_" + strings.ToLower(strings.ReplaceAll(language, " ", "_")))
		p.until(fmt.Sprintf(`document.querySelector("dialog .toggles [aria-pressed=true]").textContent.trim() === %q`,
			language))
		var command string
		p.eval(`document.querySelector("dialog pre.command").textContent`, &command)
		if out := runs(p.T, s, language, command); !strings.Contains(out, "core") {
			p.Errorf("%s says %q", language, out)
		}
	}
}

// A net is made, named and saved without a mouse; Escape closes one dialog after the other, and brings the focus back.
func TestKeysNet(t *testing.T) {
	s := demo(t).serve(t)
	p := open(t, s, sizes[0])
	p.goTo("/table?rows=core.gender&columns=core.exercise")
	p.settled()
	p.tabTo(".chip button")
	p.press(kb.Enter)
	p.until(`document.querySelectorAll("dialog .choices input").length > 1`)
	p.tabTo("dialog .choices input")
	p.press(" ")
	p.tabTo("dialog .choices input")
	p.press(" ")
	for p.focus() != "Save as a question" {
		p.tabTo("dialog footer button")
	}
	p.press(kb.Enter)
	p.until(`document.activeElement.matches(".called input")`)
	p.press(kb.Escape)
	p.until(`document.querySelectorAll("dialog").length === 1`)
	if at := p.focus(); at != "Save as a question" {
		t.Errorf("the focus is back at %q", at)
	}
	p.press(kb.Enter)
	p.until(`document.activeElement.matches(".called input")`)
	p.eval(`document.activeElement.select()`, nil)
	p.press("Both", kb.Enter)
	p.until(`!document.querySelector("dialog") && document.querySelector(".chip").textContent.includes("Both")`)
	if list := s.derived(t); len(list) != 1 || list[0].Code != "both" || list[0].Answers[0].Name != "Woman or Man" {
		t.Errorf("what is defined is %+v", list)
	}
}

// focus is the text of what has the focus.
func (p *page) focus() (text string) {
	p.Helper()
	p.eval(`document.activeElement.textContent.trim()`, &text)
	return text
}
