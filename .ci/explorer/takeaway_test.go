package explorer

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// taken is a view with what it takes away: what it shows of each part of the answer in its order, "" for what was not
// measured.
type taken struct {
	name, view, shows string
}

// takenOf are the views of a survey, on some questions of it.
func takenOf(rows, columns string, people object) []taken {
	whom := "?audience=" + written(people)
	return []taken{
		{"table", "/table?rows=" + rows + "&columns=" + columns, `[...document.querySelectorAll(".crosstab td[data-column]")].filter(
			(cell) => cell.dataset.column !== "0").map((cell) => cell.querySelector(".column .number")?.textContent ?? "")`},
		{"chart", "/chart?rows=" + rows + "&columns=" + columns, `[...document.querySelectorAll(".drawing text.value, .drawing text.tick")]
			.filter((text) => text.matches(".value") || /asked|withheld/.test(text.textContent))
			.map((text) => text.matches(".value") ? text.textContent : "")`},
		{"audience", "/audience" + whom, `[document.querySelectorAll(".size .tiles dd")[2].textContent,
			...[...document.querySelectorAll("table.by tbody tr")].map((line) => line.querySelector(".number")?.textContent ?? "")]`},
		{"profile", "/profile" + whom, `[...document.querySelectorAll(".ranking td.index")].map((n) => n.textContent)`},
		{"trend", "/trend?trend=" + rows, `[...document.querySelectorAll(".figures td:not(:first-child), .figures tbody td")].map(
			(cell) => cell.querySelector(".number")?.textContent ?? "")`},
	}
}

// What is shown as "the same from a program" runs as it stands, and gives what is on screen, in each view.
func TestCommands(t *testing.T) {
	for _, survey := range []struct {
		name          string
		of            func(*testing.T) store
		rows, columns string
		people        object
	}{
		{"demo", demo, "core.exercise", "core.gender", youngOrActive},
		{"ragged", ragged, "core.brands", "core.gender", raggedPeople},
		{"sav", sav, "", "", nil},
	} {
		t.Run(survey.name, func(t *testing.T) {
			s := survey.of(t).serve(t)
			if survey.people == nil {
				first := s.firstQuestions(t)
				survey.rows, survey.columns = first[0].key(), first[1].key()
				survey.people = object{"question": survey.rows, "datapoints": []string{first[0].Answers[0].Code}}
			}
			for _, view := range takenOf(survey.rows, survey.columns, survey.people) {
				t.Run(view.name, func(t *testing.T) { commandsHold(t, s, view) })
			}
		})
	}
}

// commandsHold runs all commands of a view, and holds what they give against what it shows.
func commandsHold(t *testing.T, s *server, view taken) {
	p := open(t, s, sizes[0])
	p.goTo(view.view)
	p.settled()
	p.openTakeAway()
	var shown []string
	p.eval(view.shows, &shown)
	for _, language := range []string{"curl", "Go", "Command line"} {
		p.click(`//dialog` + button(language))
		var command string
		p.eval(`document.querySelector("dialog pre.command").textContent`, &command)
		if strings.Contains(command, s.key) {
			t.Errorf("the command has the key in it")
		}
		out := runs(t, s, language, command)
		got := figuresOf(t, view.name, language, out)
		if len(got) != len(shown) {
			t.Fatalf("%s gives %d figures, and %d are shown", language, len(got), len(shown))
		}
		numbers := 0
		for i, value := range got {
			if shown[i] == "" {
				continue
			}
			if err := same(shown[i], value, decimals[view.name]); err != nil {
				t.Errorf("%s, figure %d: %v", language, i, err)
			}
			numbers++
		}
		t.Logf("%s: %d numbers", language, numbers)
		if numbers < 3 {
			t.Errorf("%s: only %d numbers were held", language, numbers)
		}
	}
}

// decimals are those that the figures of a view have.
var decimals = map[string]int{"table": 1, "chart": 1, "audience": 1, "trend": 1, "profile": 0}

// figuresOf reads what a command printed: the indexes of a profile, the column percentages of a table.
func figuresOf(t *testing.T, view, language, out string) (figures []float64) {
	t.Helper()
	if language == "Go" {
		for line := range strings.Lines(out) {
			fields := strings.Fields(line)
			at := map[bool]int{true: 3, false: 2}[view == "profile"]
			value, err := number(fields[at])
			if err != nil {
				t.Fatalf("%q: %v", line, err)
			}
			figures = append(figures, value)
		}
		return figures
	}
	if view == "profile" {
		var answer struct{ Data []attribute }
		if err := json.Unmarshal([]byte(out), &answer); err != nil {
			t.Fatalf("%v in\n%s", err, out)
		}
		for _, one := range answer.Data {
			figures = append(figures, one.Metrics.Index)
		}
		return figures
	}
	for d := json.NewDecoder(strings.NewReader(out)); d.More(); {
		var c cell
		if err := d.Decode(&c); err != nil {
			t.Fatalf("%v in\n%s", err, out)
		}
		figures = append(figures, c.Audiences.Row.Intersect)
	}
	return figures
}

// runs runs a command as who has copied it does.
func runs(t *testing.T, s *server, language, command string) string {
	t.Helper()
	shell := exec.Command("bash", "-euc", command)
	if language == "Go" {
		file := filepath.Join(t.TempDir(), "main.go")
		if err := os.WriteFile(file, []byte(command), 0o644); err != nil {
			t.Fatal(err)
		}
		shell = exec.Command("go", "run", file)
		shell.Dir = root // where the client is
	}
	shell.Env = append(os.Environ(), "URL="+s.url, "KEY="+s.key, "DB="+s.db,
		"PATH="+filepath.Dir(os.Getenv("CROSSWAVE_BINARY"))+":"+os.Getenv("PATH"))
	out, err := shell.Output()
	if err != nil {
		said := ""
		if failed, ok := err.(*exec.ExitError); ok {
			said = string(failed.Stderr)
		}
		t.Fatalf("%v: %s\n%s", err, said, command)
	}
	return string(out)
}

// The text for sheets has all that is on screen, with all digits; what was not measured is empty there.
func TestTSV(t *testing.T) {
	s := ragged(t).serve(t)
	p := open(t, s, sizes[2])
	p.goTo("/table?rows=core.brands,core.mood&columns=core.mood_old,shop.visit&measures=column,sample")
	p.settled()
	p.until(`document.querySelector(".crosstab td[data-column]")`)
	p.click(button("Take away"))
	file := p.download(func() { p.click(`//dialog` + button("TSV")) })
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	fields := map[string][]string{}
	for line := range strings.Lines(string(text)) {
		f := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		fields[strings.Join(f[:3], "|")] = f[3:]
	}
	columns := []string{"Total", "Good", "Bad", "Corner shop", "Market"}
	if got := strings.Join(fields["||"], ","); got != strings.Join(columns, ",") {
		t.Errorf("the columns are %q", got)
	}
	numbers := 0
	for i, at := range p.cells() {
		group := "Brands bought"
		if i >= 15 {
			group = "Mood"
		}
		for measure, title := range map[string]string{"column": "Column %", "sample": "Respondents"} {
			got := fields[group+"|"+at.Row+"|"+title][i%5]
			if at.Class == "unmeasured" {
				if got != "" {
					t.Errorf("%s × %s was not measured, and is %q", at.Row, at.Column, got)
				}
				continue
			}
			value, err := number(got)
			if err == nil {
				err = same(at.Figures[measure], value, map[string]int{"column": 1}[measure])
			}
			if err != nil {
				t.Errorf("%s × %s: %v", at.Row, at.Column, err)
			}
			numbers++
		}
	}
	if numbers < 20 {
		t.Errorf("only %d numbers were held", numbers)
	}
}
