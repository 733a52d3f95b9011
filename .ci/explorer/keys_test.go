package explorer

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// Nothing here has a mouse: what is done is done by keys alone, and what is looked at is only looked at.

// focused tells whether something holds of the element that has the focus, which is called e.
func (p *page) focused(holds string) (yes bool) {
	p.Helper()
	p.eval(`((e) => Boolean(`+holds+`))(document.activeElement)`, &yes)
	return yes
}

// tabUntil presses Tab until something holds of the element that has the focus.
func (p *page) tabUntil(holds string) {
	p.Helper()
	for range 150 {
		p.press(kb.Tab)
		if p.focused(holds) {
			return
		}
	}
	p.shoot("failed-" + strings.ReplaceAll(p.Name(), "/", "-"))
	p.Fatalf("the focus does not come to where %s", holds)
}

// tabTo presses Tab until the focus is on what a selector finds.
func (p *page) tabTo(selector string) {
	p.Helper()
	p.tabUntil(fmt.Sprintf(`e.matches(%q)`, selector))
}

// onText is that the element with the focus has a text, and a selector finds it.
func onText(selector, text string) string {
	return fmt.Sprintf(`e.matches(%q) && e.textContent.replace(/\s+/g, " ").trim().startsWith(%q)`, selector, text)
}

// push goes to a button or a link by its text and presses Enter.
func (p *page) push(selector, text string) {
	p.Helper()
	p.tabUntil(onText(selector, text))
	p.press(kb.Enter)
}

// tickByKey goes to a box by the text beside it and presses the space bar.
func (p *page) tickByKey(text string) {
	p.Helper()
	p.tabUntil(fmt.Sprintf(`e.matches("dialog input") && e.closest("label")?.textContent.trim().startsWith(%q)`, text))
	p.press(" ")
}

// findByKey types words where one searches and chooses the question of a name.
func (p *page) findByKey(within, words, name string) {
	p.Helper()
	if !p.focused(fmt.Sprintf(`e.matches("%s input[type=search]")`, within)) {
		p.tabTo(within + " input[type=search]")
	}
	for p.focused(`e.value`) {
		p.press(kb.End, kb.Backspace)
	}
	p.press(words)
	p.until(fmt.Sprintf(`[...document.querySelectorAll("%s .found [role=status] ~ .questions .name")].some((n) =>
		n.textContent === %q)`, within, name))
	p.settled()
	p.tabUntil(fmt.Sprintf(`e.matches("%s .question") && e.querySelector(".name").textContent === %q`, within, name))
	p.press(kb.Enter)
}

// opened waits for a dialog, which must have the focus in it.
func (p *page) opened() {
	p.Helper()
	p.until(`document.querySelector("dialog[open]")?.contains(document.activeElement)`)
}

// shut waits until there is no dialog, and the focus is where something holds.
func (p *page) shut(holds string) {
	p.Helper()
	p.until(`!document.querySelector("dialog") && ((e) => ` + holds + `)(document.activeElement)`)
}

// choose goes through the choices of a list, up or down.
func (p *page) choose(label, key string, times int) {
	p.Helper()
	p.tabUntil(fmt.Sprintf(`e.matches("select") && e.getAttribute("aria-label") === %q`, label))
	for range times {
		p.press(key)
	}
}

// Two questions are crossed, a cell is looked at and a dialog opened and closed.
func TestKeyboard(t *testing.T) {
	s := demo(t).serve(t)
	p := open(t, s, sizes[0])
	p.goTo("/table")
	p.settled()
	for _, words := range []string{"gender", "exercise"} {
		p.findByKey("aside", words, strings.ToUpper(words[:1])+words[1:])
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
	p.opened()
	p.press(kb.Escape)
	p.shut(`e.textContent.trim() === "Take away"`)
}

// An audience is built of and, or, not and at least so many, and goes to the profile.
func TestKeysAudience(t *testing.T) {
	s := demo(t).serve(t)
	p := open(t, s, sizes[0])
	p.goTo("/audience")
	p.settled()
	p.findByKey("aside", "gender", "Gender")
	p.opened()
	p.tickByKey("Woman")
	p.push("dialog button", "These people")
	p.shut(`e.matches("aside .question")`)
	p.until(`document.querySelectorAll(".piece.leaf").length === 1`)

	p.press(kb.Escape)
	for range 20 { // back to where one searches
		if p.focused(`e.matches("aside input[type=search]")`) {
			break
		}
		p.do(chromedp.KeyEvent(kb.Tab, chromedp.KeyModifiers(input.ModifierShift)))
	}
	p.findByKey("aside", "devices owned", "Devices owned")
	p.opened()
	p.tickByKey("Laptop")
	p.tickByKey("Smartphone")
	p.tabTo("dialog input[type=number]")
	p.press(kb.ArrowUp)
	p.push("dialog button", "These people")
	p.shut(`e.matches("aside .question")`)
	p.until(`[...document.querySelectorAll(".piece.leaf")].at(-1).textContent.includes("at least 2 of Smartphone, Laptop")`)

	p.push("button", "+ Group")
	p.until(`document.querySelectorAll(".piece.group").length === 2`)
	p.tabUntil(`e.matches(".piece .piece.group .link")`) // + Question, into the group
	p.press(kb.Enter)
	p.opened()
	p.findByKey("dialog", "exercise", "Exercise")
	p.until(`document.querySelector("dialog .choices")`)
	p.opened()
	p.tickByKey("Every day")
	p.push("dialog button", "These people")
	p.shut(`e.matches(".piece .piece.group .link")`)
	p.until(`document.querySelectorAll(".piece.leaf").length === 3`)

	p.tabUntil(`e.matches("[aria-pressed]") && e.closest(".piece.leaf")?.textContent.includes("Gender")`)
	p.press(" ")
	p.until(`document.querySelector(".piece.leaf.not")`)
	p.tabTo(".piece .piece.group select") // any of the group within, which becomes all
	p.press(kb.ArrowUp)
	p.tabTo("section > .piece.group > .how select") // all of the whole, which becomes any
	p.press(kb.ArrowDown)
	p.until(`document.querySelector("section > .piece.group").getAttribute("aria-label") === "Any of these"`)
	p.settled()
	p.push("summary", "By wave and market")
	p.push("summary", "As text")
	var text string
	p.eval(`document.querySelector("textarea").value`, &text)
	built := p.heldText(text)
	p.shoot("keys-audience")
	numbers := p.sizeHolds(s, built)
	t.Logf("%d numbers of %s", numbers, strings.Join(strings.Fields(text), " "))
	if numbers < 20 {
		t.Errorf("only %d numbers were held", numbers)
	}
	p.push("button", "Who are they?")
	p.until(`document.querySelectorAll(".ranking tbody tr").length > 3`)
	p.settled()
	p.rankingHolds(s, object{"audience": object{"expression": built}, "limit": 50})
}

// heldText is the expression that was built, which has one of everything.
func (p *page) heldText(text string) (built object) {
	p.Helper()
	want := object{"or": []object{
		{"question": "core.gender", "datapoints": []string{"gender_1"}, "not": true},
		{"question": "core.devices_owned", "datapoints": []string{"devices_owned_1", "devices_owned_2"}, "min_count": 2},
		{"and": []object{{"question": "core.exercise", "datapoints": []string{"exercise_1"}}}},
	}}
	var got, again any
	if err := json.Unmarshal([]byte(text), &got); err != nil {
		p.Fatal(err)
	}
	written, err := json.Marshal(want)
	if err != nil {
		p.Fatal(err)
	}
	if err := json.Unmarshal(written, &again); err != nil {
		p.Fatal(err)
	}
	if fmt.Sprint(got) != fmt.Sprint(again) {
		p.Errorf("the text is %v, and not %v", got, again)
	}
	return want
}

// Who are they: people are chosen, and the list is ranked and made longer.
func TestKeysProfile(t *testing.T) {
	s := demo(t).serve(t)
	p := open(t, s, sizes[0])
	p.goTo("/profile")
	p.settled()
	p.findByKey("main", "gender", "Gender")
	p.until(`document.querySelector(".choices")`)
	p.tabUntil(`e.matches("input[type=checkbox]") && e.closest("label").textContent.trim() === "Woman"`)
	p.press(" ")
	p.push("button", "Add")
	p.until(`document.querySelectorAll(".ranking tbody tr").length > 3`)
	p.settled()
	women := object{"expression": object{"question": "core.gender", "datapoints": []string{"gender_1"}}}
	p.rankingHolds(s, object{"audience": women, "limit": 50})
	p.choose("Rank by", kb.ArrowDown, 2)
	p.until(`location.hash.includes("rank=difference")`)
	p.choose("Direction", kb.ArrowDown, 1)
	p.until(`location.hash.includes("side=over")`)
	p.settled()
	p.push("button", "Show 50 more")
	p.until(`document.querySelectorAll(".ranking tbody tr").length > 50`)
	p.settled()
	numbers := p.rankingHolds(s, object{"audience": women, "limit": 100, "order_by": "difference", "direction": "over"})
	if numbers < 20 {
		t.Errorf("only %d numbers were held", numbers)
	}
}

// Trend: a question is chosen, its answers, an audience beside everyone, and the same markets.
func TestKeysTrend(t *testing.T) {
	s := demo(t).serve(t)
	p := open(t, s, sizes[0])
	p.goTo("/trend")
	p.settled()
	p.findByKey("main", "exercise", "Exercise")
	p.until(`document.querySelector(".figures td .number")`)
	p.settled()
	numbers, _ := p.trendHolds(s, "core.exercise", nil)
	p.push("button", "Answers")
	p.opened()
	for _, name := range []string{"2–3 times a week", "Once a week"} {
		p.tickByKey(name)
	}
	p.push("dialog button", "Draw these")
	p.shut(onText("button", "Answers"))
	p.until(`document.querySelectorAll(".figures tbody tr").length === 3`)
	p.push("button", "+ Audience")
	p.opened()
	p.findByKey("dialog", "gender", "Gender")
	p.until(`document.querySelector("dialog .choices")`)
	p.tickByKey("Woman")
	p.push("dialog button", "Add")
	p.shut(onText("button", "+ Audience"))
	p.until(`document.querySelectorAll(".figures tbody tr").length === 6`)
	p.push("button", "Same markets")
	p.until(`location.hash.includes("matched=yes")`)
	p.settled()
	p.shoot("keys-trend")
	if numbers < 20 {
		t.Errorf("only %d numbers were held", numbers)
	}
}

// Chart: two questions are chosen, what is drawn and how; and its picture is taken away, and the command for it.
func TestKeysChart(t *testing.T) {
	s := demo(t).serve(t)
	p := open(t, s, sizes[0])
	p.goTo("/chart")
	p.settled()
	for i, words := range []string{"exercise", "gender"} {
		axis := []string{"Rows", "Columns"}[i]
		p.tabUntil(fmt.Sprintf(`e.matches(".axis .add") && e.closest(".axis").getAttribute("aria-label") === %q`, axis))
		p.press(kb.Enter)
		p.opened()
		if !p.focused(`e.matches("input[type=search]")`) {
			t.Errorf("the focus is not where one searches")
		}
		p.findByKey("dialog", words, strings.ToUpper(words[:1])+words[1:])
		p.shut(`e.matches(".axis .add")`)
	}
	p.until(`document.querySelectorAll(".drawing .value").length > 12`)
	p.settled()
	numbers := p.chartHolds(s, "core.exercise", "core.gender", "bars", "column")
	p.choose("Figure", kb.ArrowDown, 2)
	p.until(`location.hash.includes("figure=index")`)
	p.settled()
	numbers += p.chartHolds(s, "core.exercise", "core.gender", "bars", "index")
	p.push("button", "Lines")
	p.until(`location.hash.includes("kind=lines")`)
	p.settled()
	if numbers < 20 {
		t.Errorf("only %d numbers were held", numbers)
	}

	p.push("button", "Take away")
	p.opened()
	p.tabUntil(onText("dialog button", "SVG"))
	file := p.download(func() { p.press(kb.Enter) })
	if filepath.Ext(file) != ".svg" {
		t.Errorf("the file is %s", file)
	}
	p.push("dialog button", "Command line")
	p.until(`document.querySelector("pre.command").textContent.startsWith("crosswave query")`)
	p.press(kb.Escape)
	p.shut(`e.textContent.trim() === "Take away"`)
}

// The focus goes into each dialog, stays in it wherever one tabs, and comes back to what opened it.
func TestKeysDialogs(t *testing.T) {
	s := demo(t).serve(t)
	const crossed = "/table?rows=core.gender&columns=core.exercise"
	of := "?audience=" + written(youngOrActive)
	for _, v := range []struct {
		view    string
		openers []string
	}{
		{crossed, []string{`Base`, `Waves`, `Markets`, `+ Add`, `Gender`, `▲▼ with the rest`, `Take away`}},
		{strings.Replace(crossed, "table", "chart", 1), []string{`Base`, `+ Add`, `Take away`}},
		{"/find?question=core.gender", []string{`Base`, `Waves`, `Markets`}},
		{"/audience" + of, []string{`Saved audiences`, `Save`, `+ Question`, `Age: 16–24`, `Base`}},
		{"/profile" + of, []string{`Choose others`, `Base`, `Take away`}},
		{"/trend?trend=core.exercise", []string{`Another question`, `Answers`, `+ Audience`, `Markets`, `Take away`}},
	} {
		p := open(t, s, sizes[0])
		p.goTo(v.view)
		p.settled()
		for _, opener := range v.openers {
			on := onText("main button", opener)
			if opener == "Save" {
				on = `e.matches("header .primary")`
			}
			p.tabUntil(on)
			p.press(kb.Enter)
			p.opened()
			p.settled()
			for range 25 {
				p.press(kb.Tab)
				// Between the last and the first lies what the browser has itself.
				if !p.focused(`e === document.body || e.closest("dialog")`) {
					t.Errorf("%s: %s: the focus leaves the dialog", v.view, opener)
				}
			}
			p.press(kb.Escape)
			p.shut(on)
		}
	}
}
