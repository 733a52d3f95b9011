package main

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/crosswave/crosswave/store/guess"
	"github.com/crosswave/crosswave/store/survey"
	"github.com/google/go-cmp/cmp"
)

// On top of a report stand at most eight lines, the worst first, each with the flag that settles it.
func TestWorstFirst(t *testing.T) {
	var guesses []guess.Check
	for _, kind := range []guess.CheckKind{guess.CheckLost, guess.CheckWeight, guess.CheckOther, guess.CheckWave,
		guess.CheckLocation, guess.CheckMissing, guess.CheckGrid, guess.CheckMulti, guess.CheckLeft} {
		guesses = append(guesses, guess.Check{Kind: kind, Names: []string{"x"},
			Why: guess.Reason{Kind: guess.Said}, Flag: "--" + string(kind)})
	}
	warnings := survey.Warnings{{Kind: survey.WeightZero, Wave: "w1", Count: 3, Of: 9},
		{Kind: survey.FewRespondents, Namespace: "core", Wave: "w1", Location: "de", Count: 3},
		{Kind: survey.FewRespondents, Namespace: "shop", Wave: "w1", Location: "de", Count: 3}}
	var out bytes.Buffer
	if err := writeChecks(checksOf(guesses, warnings), &out); err != nil {
		t.Fatal(err)
	}
	var flags []string
	for line := range strings.Lines(out.String()) {
		if fields := strings.Fields(line); len(fields) > 1 && strings.HasPrefix(fields[0], "--") {
			flags = append(flags, fields[0])
		}
	}
	want := []string{"--weight", "--weight", "--other", "--wave", "--location", "--missing", "--grid", "--multi"}
	if d := cmp.Diff(want, flags); d != "" {
		t.Errorf("%s\n%s", d, out.String())
	}
	out.Reset()
	if err := writeChecks(checksOf(nil, warnings), &out); err != nil {
		t.Fatal(err)
	}
	if want := "core: fewer than 30 respondents: 3 in w1 in de; 1 more below"; !strings.Contains(out.String(), want) {
		t.Errorf("no %q in\n%s", want, out.String())
	}
	out.Reset()
	if err := writeChecks(nil, &out); err != nil || out.Len() > 0 {
		t.Error(out.String(), err)
	}
	seen := map[string]bool{}
	for _, kind := range worstFirst() {
		name := fmt.Sprintf("%T %v", kind, kind)
		if seen[name] {
			t.Errorf("%s stands there twice", name)
		}
		seen[name] = true
	}
}
