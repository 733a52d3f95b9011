package explorer

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// youngOrActive has everything in it that an expression can have.
var youngOrActive = object{"and": []object{
	{"or": []object{
		{"question": "core.age", "datapoints": []string{"age_1", "age_2"}},
		{"question": "core.devices_owned", "datapoints": []string{"devices_owned_1", "devices_owned_2", "devices_owned_4"},
			"min_count": 2},
	}},
	{"question": "core.gender", "datapoints": []string{"gender_1"}, "not": true},
}}

// written is a value as it stands in the address.
func written(value any) string {
	text, err := json.Marshal(value)
	if err != nil {
		panic(err)
	}
	return url.QueryEscape(string(text))
}

var raggedPeople = object{"or": []object{{"question": "core.gender", "datapoints": []string{"f"}},
	{"question": "core.brands", "datapoints": []string{"b1", "b2"}, "min_count": 2}}}

// Audience: how many they are, in all and by wave and market, is what the interface answers.
func TestAudience(t *testing.T) {
	for _, survey := range []struct {
		name   string
		of     func(*testing.T) store
		people object
	}{{"demo", demo, youngOrActive}, {"ragged", ragged, raggedPeople}} {
		t.Run(survey.name, func(t *testing.T) {
			s := survey.of(t).serve(t)
			for _, is := range sizes {
				p := open(t, s, is)
				p.goTo("/audience?audience=" + written(survey.people))
				p.settled()
				p.until(`document.querySelector(".size summary")`)
				p.click(`//summary[.="By wave and market"]`)
				p.shoot(fmt.Sprintf("audience-%s-%s", survey.name, is.name))
				p.fits()
				numbers := p.sizeHolds(s, survey.people)
				t.Logf("%s: %d numbers", is.name, numbers)
				if numbers < 20 {
					t.Errorf("%s: only %d numbers were held", is.name, numbers)
				}
			}
		})
	}
}

// sizeHolds holds the figures of an audience against the interface, which is asked here the other way round: the waves
// and the markets as rows, the audience as the column.
func (p *page) sizeHolds(s *server, people object) (numbers int) {
	p.Helper()
	names, rows := []string{""}, []object{{"expression": object{"question": "waves"}}}
	var codes []string
	for _, of := range []string{"waves", "locations"} {
		var list map[string][]struct{ Code, Name string }
		s.ask(p.T, "/v2/"+of+"/filter", object{}, &list)
		for _, one := range list[of] {
			names = append(names, one.Name)
			rows = append(rows, object{"expression": object{"question": of, "datapoints": []string{one.Code}}})
			if of == "waves" {
				codes = append(codes, one.Code)
			}
		}
	}
	var want struct{ Data []cell }
	s.ask(p.T, "/v2/query/crosstab?stream=false", object{"rows": rows, "waves": codes,
		"columns": []object{{"expression": people}}}, &want)
	var tiles []string
	p.eval(`[...document.querySelectorAll(".size .tiles dd")].map((n) => n.textContent)`, &tiles)
	all := want.Data[0]
	for i, f := range []struct {
		want     float64
		decimals int
	}{{all.Intersect.Size, 0}, {all.Intersect.Sample, 0}, {all.Audiences.Column.Intersect, 1}, {all.Base.Size, 0}} {
		if err := same(tiles[i], f.want, f.decimals); err != nil {
			p.Errorf("tile %d: %v", i, err)
		}
		numbers++
	}
	var base string
	p.eval(`document.querySelector(".size .tiles div:last-child dt span").textContent`, &base)
	if err := same(strings.TrimSuffix(base, " respondents"), all.Base.Sample, 0); err != nil {
		p.Errorf("base: %v", err)
	}
	numbers++
	var lines [][]string
	p.eval(`[...document.querySelectorAll("table.by tbody tr")].map((line) =>
		[line.querySelector("th").textContent.trim(), ...[...line.querySelectorAll(".number")].map((n) => n.textContent)])`, &lines)
	if len(lines) != len(names)-1 {
		p.Fatalf("%d waves and markets are shown of %d", len(lines), len(names)-1)
	}
	for i, line := range lines {
		c := want.Data[i+1]
		if line[0] != names[i+1] {
			p.Errorf("line %d is of %q, and not of %q", i, line[0], names[i+1])
		}
		if c.Base.Sample == 0 {
			if len(line) != 1 {
				p.Errorf("%s was not asked, and shows %q", line[0], line[1:])
			}
			continue
		}
		for k, want := range []float64{c.Audiences.Column.Intersect, c.Intersect.Size, c.Intersect.Sample} {
			if err := same(line[k+1], want, []int{1, 0, 0}[k]); err != nil {
				p.Errorf("%s: %v", line[0], err)
			}
			numbers++
		}
	}
	return numbers
}

// recordSizes has the page write down, frame by frame, which audience it says it is, how many it says they are, and
// whether it says that it is still counting.
func (p *page) recordSizes() {
	p.Helper()
	p.eval(`void (function look() {
		const size = document.querySelector(".size");
		if (!size) return;
		const words = document.querySelector("header .words").textContent;
		(window.sizes_ ??= []).push([words, size.querySelector("dd").textContent, size.getAttribute("aria-busy") === "true"]);
		requestAnimationFrame(look);
	})()`, nil)
}

// sizesFollow holds that no frame showed the size of the audience before as that of the next.
func (p *page) sizesFollow() {
	p.Helper()
	p.painted()
	var frames [][3]any
	p.eval(`window.sizes_`, &frames)
	last := frames[len(frames)-1]
	if len(frames) < 3 || frames[0][0] == last[0] || frames[0][1] == last[1] {
		p.Fatalf("nothing has changed in %d frames: %v", len(frames), last)
	}
	for i, frame := range frames {
		if frame[2] == false && frame[0] == last[0] && frame[1] != last[1] {
			p.Errorf("frame %d of %d shows %v people of %v, who are %v", i, len(frames), frame[1], frame[0], last[1])
		}
	}
}

// tick ticks an answer in a dialog by its name.
func (p *page) tick(name string) {
	p.Helper()
	p.click(fmt.Sprintf(`//dialog//label[normalize-space()=%q]`, name))
}

// An audience is built by mouse, changed as text, saved, opened again and put into a table; what others have changed
// meanwhile is not written over.
func TestBuildAudience(t *testing.T) {
	s := demo(t).serve(t)
	p := open(t, s, sizes[0])
	p.goTo("/audience")
	p.settled()
	p.search("aside", "gender")
	p.click(`//aside//ul[@class="questions"]//button[starts-with(normalize-space(), "Gender")]`)
	p.tick("Woman")
	p.click(button("These people"))
	p.until(`document.querySelector(".piece.leaf")?.textContent.includes("Gender: Woman")`)
	p.eval(`document.querySelector("aside input[type=search]").select()`, nil)
	p.search("aside", "devices owned")
	p.until(`document.querySelector("aside .question .name")?.textContent === "Devices owned"`)
	p.click(`//aside//ul[@class="questions"]//button[starts-with(normalize-space(), "Devices owned")]`)
	p.tick("Laptop")
	p.tick("Smartphone")
	p.do(chromedp.SetValue("dialog input[type=number]", "2"))
	p.eval(`void document.querySelector("dialog input[type=number]").dispatchEvent(new Event("input", {bubbles: true}))`, nil)
	p.click(button("These people"))
	p.until(`document.querySelectorAll(".piece.leaf").length === 2`)
	p.settled()
	p.recordSizes()
	p.click(`(//div[contains(@class, "leaf")])[1]` + button("not"))
	p.settled()
	p.sizesFollow()
	p.click(`//summary[.="As text"]`)
	var text string
	p.eval(`document.querySelector("textarea").value`, &text)
	var got, want any
	built := object{"and": []object{{"question": "core.gender", "datapoints": []string{"gender_1"}, "not": true},
		{"question": "core.devices_owned", "datapoints": []string{"devices_owned_1", "devices_owned_2"}, "min_count": 2}}}
	if err := json.Unmarshal([]byte(text), &got); err != nil {
		t.Fatal(err)
	}
	again, _ := json.Marshal(built)
	json.Unmarshal(again, &want)
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("the text is %v, and not %v", got, want)
	}
	p.until(`!document.querySelector("[aria-busy=true]")`)
	p.click(`//summary[.="By wave and market"]`)
	p.sizeHolds(s, built)

	young := `{"question": "core.age", "datapoints": ["age_1"]}`
	p.do(chromedp.SetValue("textarea", young))
	p.eval(`void document.querySelector("textarea").dispatchEvent(new Event("input", {bubbles: true}))`, nil)
	p.click(button("Use this text"))
	p.until(`document.querySelector(".piece.leaf").textContent.includes("Age: 16–24")`)
	p.click(`//header` + button("Save"))
	p.typeInto(".saving input[type=text]", "The young")
	p.click(`//dialog` + button("Save"))
	p.until(`!document.querySelector("dialog") && document.querySelector("h1").textContent === "The young"`)
	saved := s.saved(t)
	if len(saved) != 1 || saved[0].Name != "The young" || saved[0].Expression.Question != "core.age" {
		t.Fatalf("what is saved is %+v", saved)
	}
	p.shoot("audience-saved")

	var changed savedAudience
	s.answer(t, "PATCH", "/v2/saved/audiences/"+saved[0].ID, object{"name": "The youngest"}, &changed)
	p.allowed = append(p.allowed, "412")
	p.click(`//header` + button("Save"))
	p.click(button("Save the changes"))
	p.until(`document.querySelector("dialog .warning")?.textContent.includes("Somebody has changed it")`)
	if now := s.saved(t); now[0].Name != "The youngest" {
		t.Errorf("the other's change was written over by %q", now[0].Name)
	}
	p.click(`//dialog//button[@aria-label="Close"]`)
	p.click(button("Saved audiences"))
	p.click(`//dialog//button[contains(., "The youngest")]`)
	p.until(`document.querySelector("h1").textContent === "The youngest"`)
	p.click(button("In columns"))
	p.until(`document.querySelector(".crosstab .columns")?.textContent.includes("The youngest")`)
}

type savedAudience struct {
	ID, Name   string
	Expression struct{ Question string }
}

// saved are the audiences that the user keeps.
func (s *server) saved(t *testing.T) []savedAudience {
	t.Helper()
	var list struct{ Data []savedAudience }
	s.answer(t, "GET", "/v2/saved/audiences", nil, &list)
	return list.Data
}

// answer asks by any method, and takes what is not an error.
func (s *server) answer(t *testing.T, method, path string, body, out any) {
	t.Helper()
	text, err := json.Marshal(body)
	if err != nil {
		t.Fatal(err)
	}
	if body == nil {
		text = nil
	}
	request, err := http.NewRequest(method, s.url+path, bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Authorization", s.key)
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	if response.StatusCode >= 300 {
		t.Fatalf("%s %s: %d", method, path, response.StatusCode)
	}
	if err := json.NewDecoder(response.Body).Decode(out); err != nil {
		t.Fatal(err)
	}
}

// A link to an expression that the survey does not have says so.
func TestUnknownAudience(t *testing.T) {
	s := ragged(t).serve(t)
	p := open(t, s, sizes[0])
	p.allowed = append(p.allowed, "403")
	p.goTo("/audience?audience=" + written(object{"question": "core.nothing", "datapoints": []string{"x"}}))
	p.until(`document.querySelector("[role=alert]")`)
	var said string
	p.eval(`document.querySelector("[role=alert]").textContent`, &said)
	if !strings.Contains(said, "nothing") {
		t.Errorf("it says %q", said)
	}
}
