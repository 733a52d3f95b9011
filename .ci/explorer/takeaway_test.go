package explorer

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// What is shown as "the same from a program" runs as it stands, and gives what is on screen.
func TestCommands(t *testing.T) {
	s := demo(t).serve(t)
	p := open(t, s, sizes[0])
	p.goTo("/table?rows=core.gender&columns=core.exercise&waves=q4_2025")
	p.settled()
	p.until(`document.querySelector(".crosstab td[data-column]")`)
	p.click(button("Take away"))
	var want []cell
	shown := p.cells()
	for _, language := range []string{"curl", "Go", "Command line"} {
		t.Run(language, func(t *testing.T) {
			p.click(`//dialog` + button(language))
			var command string
			p.eval(`document.querySelector("dialog pre.command").textContent`, &command)
			if strings.Contains(command, s.key) {
				t.Errorf("the command has the key in it")
			}
			out := runs(t, s, language, command)
			if language == "Go" {
				lines := strings.Split(strings.TrimSpace(out), "\n")
				for i, line := range lines {
					var row, column int
					var share, index float64
					if _, err := fmt.Sscan(line, &row, &column, &share, &index); err != nil {
						t.Fatalf("%q: %v", line, err)
					}
					holds(t, shown, i, share, index)
				}
				if len(lines) != 18 {
					t.Errorf("%d lines", len(lines))
				}
				return
			}
			want = nil
			for d := json.NewDecoder(strings.NewReader(out)); d.More(); {
				var c cell
				if err := d.Decode(&c); err != nil {
					t.Fatalf("%v in\n%s", err, out)
				}
				want = append(want, c)
			}
			if len(want) != 18 {
				t.Errorf("%d cells", len(want))
			}
			for i, c := range want {
				holds(t, shown, i, c.Audiences.Row.Intersect, c.Intersect.Index)
			}
		})
	}
}

// holds holds a cell of 3 × 6, the total beside them, against the figures of a command.
func holds(t *testing.T, shown []shownCell, i int, share, index float64) {
	t.Helper()
	at := shown[i/6*7+1+i%6]
	if err := same(at.Figures["column"], share, 1); err != nil {
		t.Errorf("%s × %s: %v", at.Row, at.Column, err)
	}
	if err := same(at.Figures["index"], index, 0); err != nil {
		t.Errorf("%s × %s: %v", at.Row, at.Column, err)
	}
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
