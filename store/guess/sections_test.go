package guess_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/crosswave/crosswave/store/guess"
)

// Words that name the sections of a questionnaire, in front of the names of all columns, hold no questions together: in
// each section stand some of several kinds, and the same grid has a beginning of its own.
func TestSectionsInNames(t *testing.T) {
	var header []string
	var columns []func(int) string
	add := func(name string, values ...string) {
		header, columns = append(header, name), append(columns, among(values...))
	}
	rows := map[string]bool{}
	for _, section := range []string{"nhd", "hlt", "fin", "att"} {
		name := func(word string) string { return "s24_" + section + "_" + word + section[:1] }
		add(name("know"), "1", "2", "3", "4", "5", "6")
		for k := range 3 {
			add(fmt.Sprint(name("work"), "_", "abc"[k:k+1]), "1", "2", "3", "4", "5")
			rows[header[len(header)-1]] = true
		}
		add(name("move"), "1", "2")
		add(name("fear"), "3", "1", "2", "3", "1")
		add(name("hope"), "1", "2", "3", "4")
		for k := range 4 {
			add(fmt.Sprint(name("kept"), k+1), "3", "2", "1", "4", "5", "6", "7")
			rows[header[len(header)-1]] = true
		}
	}
	table := repeated(420, strings.Join(append([]string{"id"}, header...), "|"), append([]func(int) string{count(1)},
		columns...)...)
	got := readings(guessed(t, table.file(), guess.Options{}))
	for _, name := range header {
		if read := got[name]; rows[name] != strings.HasPrefix(read, "grid ") || !rows[name] && read != "single "+name {
			t.Errorf("%s: read as %q", name, read)
		}
	}
}

// Columns of codes whose names begin with one word, each of which goes as far as its own scale does, are no grid.
func TestWordInFrontOfSeveralScales(t *testing.T) {
	f := repeated(420, "id|demo_sex|demo_class|demo_home|demo_work", count(1), among("1", "2", "3"),
		among("3", "4", "1", "2"), among("2", "1", "5", "4", "3"), among("1", "3", "2")).file()
	got := readings(guessed(t, f, guess.Options{}))
	for _, name := range []string{"demo_class", "demo_home"} {
		if got[name] != "single "+name {
			t.Errorf("%s: read as %q", name, got[name])
		}
	}
}

// Rows without a heading that stand in the order of letters are divided where that begins again; rows in no order are
// one grid.
func TestSortedRowsBeginAgain(t *testing.T) {
	for _, c := range []struct {
		rows  string
		parts int
	}{
		{"Ada Basic Cobol Eiffel Fortran Go Pascal Ant Bear Cow Dog Elk Apple Banana Cherry Date", 3},
		{"Dog Apple Fortran Cow Ant Basic Elk Go Cherry Ada Bear Date Banana Cobol Pascal Eiffel", 1},
		{"Ada Basic Cobol Dylan Eiffel Fortran Go Haskell Icon Java Klong Lisp Modula Other", 1},
	} {
		header, columns := []string{"id"}, []func(int) string{count(1)}
		for _, row := range strings.Fields(c.rows) {
			header, columns = append(header, "["+row+"]"), append(columns, among("Good", "Bad", "Not read", "Good"))
		}
		got := map[string]bool{}
		f := repeated(120, strings.Join(header, "|"), columns...).file()
		for _, r := range guessed(t, f, guess.Options{}).Columns[1:] {
			got[r.As+" "+r.Of] = true
		}
		if len(got) != c.parts {
			t.Errorf("%s: read as %v", c.rows, got)
		}
	}
}
