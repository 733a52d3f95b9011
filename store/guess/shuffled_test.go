package guess_test

import (
	"errors"
	"io"
	"math/rand/v2"
	"path/filepath"
	"testing"

	"github.com/crosswave/crosswave/store/formats"
	"github.com/crosswave/crosswave/store/guess"
	"github.com/crosswave/crosswave/store/survey"
	"github.com/google/go-cmp/cmp"
)

// The order in which respondents stand tells nothing of how columns are to be read, by whichever rule.
func TestShuffledConventions(t *testing.T) {
	if testing.Short() {
		t.Skip("all cases are read in order by TestConventions")
	}
	for name, lines := range conventions(t) {
		f, want := convention(t, lines)
		shuffle(f.Table.(*table))
		got := readings(guessed(t, f, guess.Options{}))
		for _, c := range f.Columns[1:] {
			if got[c.Name] != want[c.Name] {
				t.Errorf("%s: %s: read as %q, want %q", name, c.Name, got[c.Name], want[c.Name])
			}
		}
	}
}

// The columns of the files in the tree are read as they were when the rows are shuffled.
func TestShuffledRows(t *testing.T) {
	if testing.Short() {
		t.Skip("whole files take a while")
	}
	paths, err := filepath.Glob(treeFolder + "/*.[cs][sa]v")
	if err != nil || len(paths) < 15 {
		t.Fatalf("%d files: %v", len(paths), err)
	}
	for _, path := range paths {
		t.Run(filepath.Base(path), func(t *testing.T) {
			f, err := formats.Open(path, formats.Options{})
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			in := f.File
			want := guessed(t, &in, guess.Options{})
			all := &table{header: f.Table.Header(), rows: rowsOf(t, f.Table)}
			shuffle(all)
			in.Table = all
			if diff := cmp.Diff(readings(want), readings(guessed(t, &in, guess.Options{}))); diff != "" {
				t.Errorf("-in order +shuffled\n%s", diff)
			}
		})
	}
}

// shuffle puts the rows of a table into another order, always the same.
func shuffle(all *table) {
	r := rand.New(rand.NewPCG(1, 2))
	r.Shuffle(len(all.rows), func(i, j int) { all.rows[i], all.rows[j] = all.rows[j], all.rows[i] })
}

// rowsOf reads a table.
func rowsOf(t *testing.T, table survey.Table) (rows [][]string) {
	t.Helper()
	for b, err := range table.Blocks(t.Context(), nil) {
		if err != nil {
			t.Fatal(err)
		}
		var row survey.Row
		for err = b.Next(&row); err == nil; err = b.Next(&row) {
			var cells []string
			for i := range table.Header() {
				cells = append(cells, string(row.Field(i)))
			}
			rows = append(rows, cells)
		}
		if !errors.Is(err, io.EOF) {
			t.Fatal(err)
		}
		b.Release()
	}
	return rows
}
