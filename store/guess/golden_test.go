package guess_test

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/crosswave/crosswave/store/formats"
	"github.com/crosswave/crosswave/store/guess"
	"github.com/crosswave/crosswave/store/naive"
	"github.com/crosswave/crosswave/store/survey"
	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "rewrite what is expected; the difference is to be read")

// Exports as tools for surveys make them: how they are read, and the codebook that is made, are those of the golden
// files; and they are imported without an answer that is none of the datapoints.
func TestExports(t *testing.T) {
	paths, err := filepath.Glob("testdata/*.*")
	if err != nil {
		t.Fatal(err)
	}
	tested := 0
	for _, path := range paths {
		if strings.HasSuffix(path, ".golden") {
			continue
		}
		tested++
		t.Run(filepath.Base(path), func(t *testing.T) {
			f, err := formats.Open(path, formats.Options{})
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			m, err := f.Guess(t.Context(), guess.Options{})
			if err != nil {
				t.Fatal(err)
			}
			readBack(t, m.Codebook)
			var got bytes.Buffer
			if _, err := m.WriteTo(&got); err != nil {
				t.Fatal(err)
			}
			text, err := survey.WriteCodebook(m.Codebook)
			if err != nil {
				t.Fatal(err)
			}
			got.WriteString("\n" + string(text))
			golden := strings.TrimSuffix(path, filepath.Ext(path)) + ".golden"
			if *update {
				if err := os.WriteFile(golden, got.Bytes(), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(string(want), got.String()); d != "" {
				t.Error(d)
			}
			src, err := f.Source(m.Codebook, m.Notes...)
			if err != nil {
				t.Fatal(err)
			}
			report, err := survey.Import(t.Context(), src, &naive.Store{}, survey.Options{Strict: survey.StrictAnswers})
			if err != nil {
				t.Fatal(err)
			}
			if report.Rows != m.Rows || len(report.Notes) == 0 {
				t.Errorf("%d rows imported, %d inspected; notes %q", report.Rows, m.Rows, report.Notes)
			}
		})
	}
	if tested < 7 {
		t.Errorf("only %d files were tried", tested)
	}
}
