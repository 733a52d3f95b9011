package survey_test

import (
	"context"
	"io/fs"
	"os"
	"testing"

	"github.com/crosswave/crosswave/store/naive"
	"github.com/crosswave/crosswave/store/storetest"
	"github.com/crosswave/crosswave/store/survey"
	"github.com/google/go-cmp/cmp"
)

// TestExampleA imports the example survey. The counts and sums of its report were worked out with another program, in
// exact decimals.
func TestExampleA(t *testing.T) {
	src, err := storetest.OpenExampleA()
	if err != nil {
		t.Fatal(err)
	}
	report, err := survey.Import(context.Background(), src, new(naive.Store), survey.Options{})
	if err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile("testdata/example-a.txt")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), report.String()); diff != "" {
		t.Error(diff)
	}
}

// TestExampleACodebook writes its codebook and reads it back.
func TestExampleACodebook(t *testing.T) {
	text, err := fs.ReadFile(storetest.ExampleA(), "codebook.json")
	if err != nil {
		t.Fatal(err)
	}
	c, err := survey.ReadCodebook(text)
	if err != nil {
		t.Fatal(err)
	}
	written, err := survey.WriteCodebook(c)
	if err != nil {
		t.Fatal(err)
	}
	back, err := survey.ReadCodebook(written)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(c, back); diff != "" {
		t.Error(diff)
	}
}
