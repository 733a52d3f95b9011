package main

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The page for whoever runs a server has each flag of it with its variable, none that it doesn't have, and names no
// others elsewhere but those of the commands that it shows.
func TestRunningHasEveryFlag(t *testing.T) {
	text, err := os.ReadFile("../../RUNNING.md")
	if err != nil {
		t.Fatal(err)
	}
	help := strings.Join(strings.Fields(ok(t, "serve", "--help")), " ")
	var want, got []string
	for _, found := range regexp.MustCompile(` --([a-z][a-z-]*)\b.*?\(\$([A-Z_]+)\)`).FindAllStringSubmatch(
		strings.ReplaceAll(strings.ReplaceAll(help, "--help", ""), "--version", ""), -1) {
		want = append(want, "--"+found[1]+" "+found[2])
	}
	for _, found := range regexp.MustCompile("(?m)^\\| `(--[a-z-]+)` \\| `([A-Z_]+)` \\|").FindAllStringSubmatch(
		string(text), -1) {
		got = append(got, found[1]+" "+found[2])
	}
	slices.Sort(want)
	slices.Sort(got)
	if d := cmp.Diff(want, got); d != "" || len(want) < 30 {
		t.Error(d)
	}
	for _, found := range regexp.MustCompile("`(--[a-z-]+)").FindAllStringSubmatch(string(text), -1) {
		if !strings.Contains(help, " "+found[1]) && found[1] != "--overwrite" {
			t.Errorf("serve has no %s", found[1])
		}
	}
}
