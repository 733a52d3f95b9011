package main

import (
	"encoding/csv"
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Three of the six are women; what was asked in other namespaces is left out, and late was asked in Germany in w2 only.
func TestProfileTable(t *testing.T) {
	alone(t)
	want := `Sex: Women. Of 12 attributes 12 were tested, and 2 stand; 2 left out, as of
other respondents.
`
	got := ok(t, "profile", "--db", small(t), "--audience", "sex:f", "--min-sample", "1", "--limit", "3",
		"--false-discovery", "20")
	caption, rest, _ := strings.Cut(got, "\n\n")
	if d := cmp.Diff(want, caption+"\n"); d != "" {
		t.Error(d)
	}
	table, legend, _ := strings.Cut(rest, "\n\n")
	if d := cmp.Diff(profileTable, table+"\n"); d != "" {
		t.Error(d)
	}
	for _, text := range []string{"expected to do so by chance", "20 %", "likelihood ratio"} {
		if !strings.Contains(strings.Join(strings.Fields(legend), " "), text) {
			t.Errorf("the legend does not say %q:\n%s", text, legend)
		}
	}
}

const profileTable = `index  interval  audience %  rest %  datapoint %  sample        p  answer
────────────────────────────────────────────────────────────────────────────────
  0.0         –       0.0**   100.0        0.0**       0  0.024 ✓  Sex: Men
  0.0         –       0.0**    33.3        0.0**       0   0.23    Views: Price
                                                                   matters: Rather
  0.0         –       0.0**    33.3        0.0**       0   0.23    Views: Brand
                                                                   matters: Hardly
`

// A wide terminal has bars, and one with colours shades indices of enough respondents.
func TestProfileWithBars(t *testing.T) {
	alone(t)
	t.Setenv("COLUMNS", "120")
	args := []string{"profile", "--db", small(t), "--audience", "sex:f", "--min-sample", "1", "--limit", "1",
		"--false-discovery", "20", "--color", "always"}
	_, rest, _ := strings.Cut(ok(t, args...), "\n\n")
	table, _, _ := strings.Cut(rest, "\n\n")
	want := `index  interval  audience %  rest %  datapoint %  sample        p       100       answer
──────────────────────────────────────────────────────────────────────────────────────────────────────────────────
  0.0         –       0.0**   100.0        0.0**       0  0.024 ✓  ██████│        Sex: Men`
	if d := cmp.Diff(want, table); d != "" {
		t.Error(d)
	}
}

func TestProfileCSV(t *testing.T) {
	alone(t)
	db := small(t)
	text := ok(t, "profile", "--db", db, "--audience", "sex:f", "--min-sample", "1", "--limit", "0", "--format", "csv",
		"--order", "difference")
	records, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil || len(records) != 13 {
		t.Fatalf("%d lines: %v", len(records), err)
	}
	line := func(names ...string) map[string]string {
		for _, r := range records[1:] {
			if r[1] == names[0] && r[3] == names[1] && r[5] == names[2] {
				of := map[string]string{}
				for i, name := range records[0] {
					of[name] = r[i]
				}
				return of
			}
		}
		t.Fatalf("there is no %v", names)
		return nil
	}
	// 5 of the scale on price: 1 of 3 women, 1 of 3 men. In G² both have the same share: p is 1.
	for name, want := range map[string]string{"question_name": "Views", "datapoint_name": "Price matters",
		"suffix_name": "Yes", "index": "100", "audience_sample": "3", "positive_sample": "1", "datapoint_sample": "2",
		"difference": "0", "p": "1", "adjusted_p": "1", "stands": "false", "rest_effective_sample": "3",
		"waves": "w1;w2"} {
		if got := line("views", "price", "5")[name]; got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	// Nobody of the base is at 2 of brand but one man: an index of 0 has no interval.
	if got := line("views", "brand", "2"); got["index"] != "0" || got["index_low"] != "" || got["p"] == "" {
		t.Errorf("brand 2: %v", got)
	}
	// Late was asked of one woman and one man.
	if got := line("late", "y", ""); got["waves"] != "w2" || got["audience_sample"] != "1" || got["index"] != "200" {
		t.Errorf("late y: %v", got)
	}

	var reply struct {
		Meta struct{ Type string }
		Data []struct{ Question, Datapoint string }
	}
	text = ok(t, "profile", "--db", db, "--audience", `{"question": "sex", "datapoints": ["f"]}`, "--base", "waves:w2",
		"--questions", "late", "--waves", "w2", "--locations", "de", "--format", "json", "--limit", "1", "--order", "index",
		"--direction", "over")
	if err := json.Unmarshal([]byte(text), &reply); err != nil || reply.Meta.Type != "PROFILE" || len(reply.Data) != 1 ||
		reply.Data[0].Datapoint != "y" {
		t.Errorf("%v %s", err, text)
	}
}

// demonstrated is a small demo store.
func demonstrated(t *testing.T) string {
	t.Helper()
	db := filepath.Join(t.TempDir(), "demo.db")
	ok(t, "demo", "--once", "--db", db, "--respondents", "2000")
	return db
}

// By category each has its own ranking; what is in none comes last.
func TestProfileByCategory(t *testing.T) {
	alone(t)
	db := demonstrated(t)
	got := ok(t, "profile", "--db", db, "--audience", "gender:gender_1", "--by", "category", "--limit", "1",
		"--format", "csv")
	records, err := csv.NewReader(strings.NewReader(got)).ReadAll()
	if err != nil || records[0][0] != "category" || len(records) < 4 {
		t.Fatalf("%v\n%s", err, got)
	}
	seen := map[string]bool{}
	for _, r := range records[1:] {
		if seen[r[0]] {
			t.Errorf("%s is there twice", r[0])
		}
		seen[r[0]] = true
	}
	if !strings.Contains(ok(t, "profile", "--db", db, "--audience", "gender:gender_1", "--by", "category"),
		"\n"+records[1][0]+"\n") {
		t.Errorf("the table has no heading %s", records[1][0])
	}
}

func TestProfileFaults(t *testing.T) {
	alone(t)
	db := small(t)
	for _, test := range []struct {
		args []string
		want string
	}{
		{[]string{"--audience", "sex"}, "one audience is needed"},
		{[]string{"--audience", "sx:f"}, "did you mean"},
		{[]string{"--audience", "sex:f", "--base", "sex"}, "--base sex: one audience"},
		{[]string{"--audience", "sex:f", "--questions", "lat"}, "--questions: there is no question"},
		{[]string{"--audience", "sex:f", "--waves", "w3"}, "--waves"},
		{[]string{"--audience", "sex:f", "--locations", "fr"}, "--locations"},
		{[]string{"--audience", "sex:f", "--limit=-1"}, "--limit -1"},
		{[]string{"--audience", "sex:f", "--min-sample", "0"}, "--min-sample 0"},
		{[]string{"--audience", "sex:f", "--false-discovery", "0"}, "--false-discovery 0 %"},
		{[]string{"--audience", "sex:f", "--level", "50"}, "--level 50 %"},
		{[]string{"--audience", "sex:f", "--by", "category"}, "has no categories"},
		{[]string{"--audience", "sex:f", "--by", "category", "--format", "json"}, "for tables and csv"},
		{[]string{"--audience", "sex:f", "--by", "wave"}, "--by"},
	} {
		if code, _, errs := run(t, "", append([]string{"profile", "--db", db}, test.args...)...); code != 2 ||
			!strings.Contains(errs, test.want) {
			t.Errorf("%v: exit %d, %s; want %s", test.args, code, errs, test.want)
		}
	}
}
