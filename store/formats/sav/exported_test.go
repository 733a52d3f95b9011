package sav_test

import (
	"encoding/csv"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/crosswave/crosswave/internal/testsize"
	"github.com/crosswave/crosswave/store/demo"
	"github.com/crosswave/crosswave/store/formats"
	"github.com/crosswave/crosswave/store/formats/sav"
	"github.com/crosswave/crosswave/store/storetest"
	"github.com/crosswave/crosswave/store/survey"
)

// A survey that is exported as .sav is read by PSPP and by readstat with the dictionary and the data that were written,
// and what they read is what stands in the same survey exported as CSV. The surveys have two namespaces and three,
// questions that were asked in some waves and markets only, grids and sets.
func TestToolsReadExportedStores(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes some seconds, and the race detector, run with -short, has nothing to find in other programs")
	}
	example, err := storetest.OpenExampleA()
	if err != nil {
		t.Fatal(err)
	}
	for name, src := range map[string]survey.Source{"example-a": example,
		"demo": demo.New(demo.Config{Respondents: testsize.Of(0, 300, 3000)})} {
		for _, c := range []struct {
			ext         string
			compression sav.Compression
		}{{".sav", sav.Bytecode}, {".zsav", sav.Zlib}} {
			t.Run(name+c.ext, func(t *testing.T) {
				file, table := filepath.Join(t.TempDir(), "out"+c.ext), filepath.Join(t.TempDir(), "out.csv")
				for _, path := range []string{file, table} {
					if _, err := formats.Export(t.Context(), src, path, formats.ExportOptions{}); err != nil {
						t.Fatal(err)
					}
				}
				sav.CompareTools(t, file, c.compression)
				sameCells(t, table, sav.Tool(t, "readstat", file, "-"))
				showsSets(t, file)
			})
		}
	}
}

// sameCells compares two tables in CSV, of which the second has the answers that the first has in one field in a column
// each, and numbers to so many decimals.
func sameCells(t *testing.T, path, printed string) {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	want, got := rows(t, file), rows(t, strings.NewReader(printed))
	if len(want) != len(got) {
		t.Fatalf("%d rows, want %d", len(got), len(want))
	}
	several := 0
	for k, name := range want[0] {
		at := slices.Index(got[0], name)
		if at < 0 {
			t.Fatalf("there is no column %s", name)
		}
		for i := 1; i < len(want); i++ {
			answers := strings.Split(want[i][k], ";")
			several = max(several, len(answers))
			for n, answer := range answers {
				if n > 0 {
					at = slices.Index(got[0], fmt.Sprintf("%s_%d", name, n+1))
				}
				cell := got[i][at]
				if f, err := strconv.ParseFloat(answer, 64); err == nil && name != want[0][0] {
					_, decimals, _ := strings.Cut(cell, ".")
					answer = strconv.FormatFloat(f, 'f', len(decimals), 64)
				}
				if strings.TrimSuffix(cell, ".000000") != strings.TrimSuffix(answer, ".000000") {
					t.Fatalf("row %d, %s: %q, want %q", i, got[0][at], cell, answer)
				}
			}
			at = slices.Index(got[0], name)
		}
	}
	t.Logf("%d rows of %d columns are the same, up to %d answers in one", len(want)-1, len(want[0]), several)
}

func rows(t *testing.T, r io.Reader) [][]string {
	t.Helper()
	all, err := csv.NewReader(r).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// showsSets has PSPP print the multiple-response sets and the weight, and looks for those that the file has.
func showsSets(t *testing.T, path string) {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		t.Fatal(err)
	}
	f, err := sav.Open(file, info.Size(), sav.Options{})
	if err != nil {
		t.Fatal(err)
	}
	syntax := filepath.Join(t.TempDir(), "show.sps")
	commands := fmt.Sprintf("GET FILE='%s'.\nMRSETS /DISPLAY NAME=ALL.\nSHOW WEIGHT.\n", path)
	if err := os.WriteFile(syntax, []byte(commands), 0o600); err != nil {
		t.Fatal(err)
	}
	shown := sav.Tool(t, "pspp", "-O", "format=csv", syntax)
	if len(f.Sets) == 0 || f.Weight == "" || !strings.Contains(shown, f.Weight) {
		t.Errorf("%d sets, weight %q", len(f.Sets), f.Weight)
	}
	for _, s := range f.Sets {
		if want := fmt.Sprintf("%s,", s.Name); !strings.Contains(shown, want) {
			t.Errorf("PSPP does not show the set %s", s.Name)
		}
	}
}
