package main

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestWrap(t *testing.T) {
	for _, c := range []struct {
		text  string
		width int
		want  []string
	}{
		{"", 5, []string{""}},
		{"Every day or nearly", 11, []string{"Every day", "or nearly"}},
		{"  two\n  lines ", 20, []string{"two lines"}},
		{"unbreakably", 4, []string{"unbr", "eaka", "bly"}},
		{"well-known", 6, []string{"well-", "known"}},
		{"日本語を話す人", 6, []string{"日本語", "を話す", "人"}},
		{"a 日本語", 6, []string{"a", "日本語"}},
		{"e\u0301te\u0301 na\u0308h", 4, []string{"e\u0301te\u0301", "na\u0308h"}},
		{"👨‍👩‍👧 family", 6, []string{"👨‍👩‍👧", "family"}},
		{"👨‍👩‍👧👨‍👩‍👧", 2, []string{"👨‍👩‍👧", "👨‍👩‍👧"}},
		{"日", 1, []string{"日"}}, // which has no room
		{"red\x1b[31m", 10, []string{"red[31m"}},
	} {
		if d := cmp.Diff(c.want, wrap(c.text, c.width)); d != "" {
			t.Errorf("%q at %d: %s", c.text, c.width, d)
		}
	}
}

func TestDisplayWidth(t *testing.T) {
	for text, want := range map[string]int{"": 0, "abc": 3, "日本": 4, "e\u0301": 1, "👨‍👩‍👧": 2, "–": 1, "16–24": 5,
		"ｱ": 1} {
		if got := displayWidth(text); got != want {
			t.Errorf("%q takes %d columns, want %d", text, got, want)
		}
	}
	if got := left("日", 4) + "|" + right("e\u0301", 3); got != "日  |  e\u0301" {
		t.Errorf("%q", got)
	}
}

// A table is no wider than the terminal, which COLUMNS tells, and has every column whatever the width.
func TestTablesFitTheTerminal(t *testing.T) {
	alone(t)
	db := store(t)
	args := []string{"crosstab", "--db", db, "--rows", "q1", "--columns", "q9", "--columns", "waves",
		"--columns", "ethnicity"}
	figures := 0
	for _, width := range []struct {
		columns string
		most    int
	}{{"500", 500}, {"132", 132}, {"", 80}, {"80", 80}, {"47", 47}, {"10", narrowest}} {
		t.Setenv("COLUMNS", width.columns)
		out := ok(t, args...)
		n := 0
		for line := range strings.Lines(out) {
			line = strings.TrimSuffix(line, "\n")
			if got := displayWidth(line); got > width.most || strings.HasSuffix(line, " ") {
				t.Errorf("with %q a line is %d wide: %q", width.columns, got, line)
			}
			if _, values, found := strings.Cut(line, "sample "); found {
				n += len(strings.Fields(values))
			}
		}
		if figures == 0 {
			figures = n
		}
		if n != figures || n < 50 {
			t.Errorf("with %q there are %d samples, not %d", width.columns, n, figures)
		}
	}
}
