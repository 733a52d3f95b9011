package survey

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/crosswave/crosswave/internal/script"
	"github.com/google/go-cmp/cmp"
)

// TestScripts runs the scripts in testdata/scripts. Their steps are:
//
//	codebook             the codebook of what follows, as JSON
//	data                 the CSV of what follows; "data ;" has another delimiter
//	read                 a table of the respondents that the two make, or error: …
//	import, import strict WHAT, append, replace WAVE…, withdraw WAVE…
//	                     imports into the script's store; beneath it the report, or error: …
//	warnings             what of all that is stored will mislead
//	stored               a table of what is stored
//	asked, fielded       what the frame says of datapoints and of namespaces
//	numbers              what it says of the numbers of questions
//	waves                the waves in order
func TestScripts(t *testing.T) {
	files, err := filepath.Glob("testdata/scripts/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			s, err := script.Parse(file, string(text))
			if err != nil {
				t.Fatal(err)
			}
			if s.Title == "" {
				t.Errorf("%s has no title that says what it promises", file)
			}
			run := scriptRun{store: &memory{}}
			for _, step := range s.Steps {
				got, err := run.step(step)
				if err != nil {
					t.Fatal(step.Errorf("%v", err))
				}
				if diff := cmp.Diff(normal(stepTexts(step.Lines)), normal(got)); diff != "" {
					t.Errorf("%v\n%s\nin all:\n  %s", step.Errorf("%s differs (-want +got):", step.Text), diff,
						strings.Join(got, "\n  "))
				}
			}
		})
	}
}

func stepTexts(lines script.Lines) []string {
	var list []string
	for _, l := range lines {
		list = append(list, l.Text)
	}
	return list
}

// normal takes away blanks that align cells, and empty lines.
func normal(lines []string) []string {
	list := []string{}
	for _, line := range lines {
		cells := strings.Split(line, "|")
		for i := range cells {
			cells[i] = strings.Join(strings.Fields(cells[i]), " ")
		}
		if text := strings.TrimSpace(strings.Join(cells, " | ")); text != "" {
			list = append(list, text)
		}
	}
	return list
}

type scriptRun struct {
	store     *memory
	codebook  *Codebook
	broken    error // of the codebook
	data      string
	delimiter rune
}

// step runs a step and gives what should stand beneath it.
func (s *scriptRun) step(step script.Step) ([]string, error) {
	word, rest := step.Cut()
	body := strings.Join(stepTexts(step.Lines), "\n")
	ctx := context.Background()
	switch word {
	case "codebook":
		s.codebook, s.broken = ReadCodebook([]byte(body))
		return stepTexts(step.Lines), nil
	case "data":
		s.data, s.delimiter = body+"\n", 0
		if rest != "" {
			s.delimiter = rune(rest[0])
		}
		return stepTexts(step.Lines), nil
	case "read":
		return s.read(ctx), nil
	case "import":
		strict, known := map[string]Strict{"": 0, "strict answers": StrictAnswers, "strict warnings": StrictWarnings,
			"strict all": StrictAll}[rest]
		if !known {
			return nil, fmt.Errorf("%q is no strictness", rest)
		}
		return s.imported(ctx, Options{Strict: strict}), nil
	case "append":
		return s.imported(ctx, Options{Mode: Append}), nil
	case "replace":
		return s.imported(ctx, Options{Mode: Replace, ReplaceWaves: strings.Fields(rest)}), nil
	case "withdraw":
		return reported(Withdraw(ctx, s.store, strings.Fields(rest))), nil
	case "warnings":
		return strings.Split(s.store.release.Warnings().String(), "\n"), nil
	case "stored":
		list := []string{"id | wave | location | weights | positive"}
		for _, p := range s.store.people {
			var weights []string
			for _, n := range s.store.release.Frame.Namespaces {
				weights = append(weights, p.Weights[n.Code])
			}
			list = append(list, strings.Join([]string{p.ID, p.Wave, p.Location, strings.Join(weights, " "),
				strings.Join(p.Positive, " ")}, " | "))
		}
		return list, nil
	case "asked", "fielded":
		return s.frame(word), nil
	case "numbers":
		f, list := s.store.release.Frame, []string{"question | unit | bits | where"}
		for i := range f.Questions {
			if n := f.Numbers(i); n.Bits > 0 {
				list = append(list, fmt.Sprintf("%s | 10^%d | %d | %s", f.Questions[i].Key(), -n.Decimals, n.Bits,
					where(f, n.Asked)))
			}
		}
		return list, nil
	case "waves":
		var list []string
		for _, w := range s.store.release.Frame.Waves {
			list = append(list, w.Code)
		}
		return []string{strings.Join(list, " ")}, nil
	}
	return nil, fmt.Errorf("%q is no step", word)
}

// source opens the data.
func (s *scriptRun) source() (Source, error) {
	if s.broken != nil {
		return nil, s.broken
	}
	table, err := OpenText(s.data, s.delimiter, 0)
	if err != nil {
		return nil, err
	}
	return NewSource(table, s.codebook, 0)
}

func (s *scriptRun) read(ctx context.Context) []string {
	src, err := s.source()
	if err != nil {
		return []string{"error: " + err.Error()}
	}
	names, items := attributeNames(s.codebook.Survey), itemNames(s.codebook)
	list := []string{"row | id | wave | location | weights | positive | answered"}
	for batch, err := range src.Respondents(ctx) {
		if err != nil {
			return []string{"error: " + err.Error()}
		}
		for i := range batch.Respondents {
			r := &batch.Respondents[i]
			p := (&memoryWriter{survey: s.codebook.Survey, names: names}).person(r)
			var weights, answered []string
			for _, w := range r.Weights {
				weights = append(weights, w.String())
			}
			for item, name := range items {
				if r.Answered[item>>6]>>(item&63)&1 != 0 {
					answered = append(answered, name)
				}
			}
			list = append(list, fmt.Sprintf("%d | %s | %s | %s | %s | %s | %s", r.Row, p.ID, p.Wave, p.Location,
				strings.Join(weights, " "), strings.Join(p.Positive, " "), strings.Join(answered, " ")))
		}
	}
	return list
}

// itemNames writes every item as text: its question, with the datapoint if that was asked on its own.
func itemNames(c *Codebook) []string {
	layout := NewLayout(c.Survey)
	names := make([]string, layout.Items())
	for i := range c.Survey.Questions {
		q := &c.Survey.Questions[i]
		for j, d := range q.Datapoints {
			names[layout.Item(i, j)] = q.Code
			if q.Separate {
				names[layout.Item(i, j)] = q.Code + ":" + d.Code
			}
		}
	}
	return names
}

func (s *scriptRun) imported(ctx context.Context, o Options) []string {
	src, err := s.source()
	if err != nil {
		return []string{"error: " + err.Error()}
	}
	return reported(Import(ctx, src, s.store, o))
}

func reported(r *Report, err error) []string {
	if err != nil {
		return strings.Split("error: "+err.Error(), "\n")
	}
	return strings.Split(r.String(), "\n")
}

func (s *scriptRun) frame(what string) []string {
	f := s.store.release.Frame
	if what == "fielded" {
		list := []string{"namespace | unit | where"}
		for i, n := range f.Namespaces {
			list = append(list, fmt.Sprintf("%s | 10^%d | %s", n.Code, -f.Decimals(i), where(f, f.Fielded(i))))
		}
		return list
	}
	list := []string{"datapoint | where"}
	for i := range f.Questions {
		for j, d := range f.Questions[i].Datapoints {
			list = append(list, fmt.Sprintf("%s:%s | %s", f.Questions[i].Key(), d.Code, where(f, f.Asked(i, j))))
		}
	}
	return list
}
