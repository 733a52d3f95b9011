package formats_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/crosswave/crosswave/store/formats"
)

// A table is read although a sheet with figures and charts here and there stands before it. One that is full is no such
// sheet, nor is one that has names above its columns, few of which anybody answered.
func TestSheetBehindCharts(t *testing.T) {
	names := []string{"ID", "Start", "Sex", "Age", "Town", "Job", "Tea", "Milk"}
	rows := func(n int, row ...string) string { return strings.Repeat(line(row...), n) }
	table := line(names...) + rows(20, "1", "9:00", "m", "20", "Ulm", "yes", "no", "1")
	figures := line("", "75 % drink tea", "", "", "", "", "", "of all") + rows(19, "", "", "", "60 %")
	for _, c := range []struct{ name, first, second, want string }{
		{"figures before the table", figures, table, "Second"},
		{"a table before another", table, table, "First"},
		{"names above columns of few answers", line(names...) + rows(19, "1"), table, "First"},
		{"answers below a title", line("Our survey") + table, table, "First"},
		{"figures before a table of a few columns", figures, line(names[:4]...) + rows(20, "1", "2", "3", "4"), "First"},
		{"figures before a few rows", figures, line(names...) + rows(3, "1", "9:00", "m", "20", "Ulm", "yes", "no", "1"),
			"First"},
		{"figures before more of them", figures, line(names...) + rows(19, "", "", "5"), "First"},
	} {
		f, err := formats.Open(put(t, "f.xlsx", workbook(t, "First", c.first, "Second", c.second)), formats.Options{})
		if err != nil {
			t.Fatal(err)
		}
		note := fmt.Sprintf("the sheet %q is read", c.want)
		if notes := strings.Join(f.Notes(), "\n"); f.Sheet != c.want || !strings.Contains(notes, note) {
			t.Errorf("%s: the sheet %q is read, and the notes are %q", c.name, f.Sheet, notes)
		}
		if err := f.Close(); err != nil {
			t.Error(err)
		}
	}
}
