package dta

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// longFile has long texts, each row referring to one.
func longFile(release int, rows []reference, long []madeLong) *made {
	m := &made{release: release, order: orders["big"], vars: []Variable{{Name: "a", Type: LongText}}, long: long}
	for _, ref := range rows {
		m.rows = append(m.rows, []any{ref})
	}
	return m
}

func TestLongTexts(t *testing.T) {
	for _, release := range []int{117, 118, 119} {
		rows := []reference{{}, {1, 2}, {1, 3}, {1, 2}, {1, 5}, {1, 1000}, {1, 7}}
		f := opened(t, longFile(release, rows, []madeLong{{reference{1, 2}, longText, "two \x00"},
			{reference{1, 3}, longBinary, "\x89PNG\x00"}, {reference{1, 5}, longText, strings.Repeat("ä", 20_000) + "\x00"},
			{reference{1, 7}, longText, "no end"}, {reference{1, 1000}, longText, "\xff\x00"}}).encode())
		want := [][]string{{""}, {"two"}, {""}, {"two"}, {strings.Repeat("ä", 16_383)}, {"ÿ"}, {"no end"}}
		if diff := cmp.Diff(want, cells(t, f)); diff != "" {
			t.Error(diff)
		}
		for _, says := range []string{`row 3, variable "a": a file stands there`,
			`row 5, variable "a": a text of 40000 bytes`, `row 6, variable "a": text is not valid UTF-8; it is read as "ÿ"`} {
			if notes := fmt.Sprint(f.Notes()); !strings.Contains(notes, says) {
				t.Errorf("%s\nwant %s", notes, says)
			}
		}
	}
}

// So many long texts that not all places are kept, in the order of the rows and in another.
func TestManyLongTexts(t *testing.T) {
	const most = 8
	open := func(m *made) *File {
		f := opened(t, m.encode())
		f.long.most = most
		return f
	}
	for _, n := range []int{0, 1, 7, 8, 9, 100} {
		var rows []reference
		var long []madeLong
		for i := range n {
			ref := reference{1, uint64(i + 1)}
			rows, long = append(rows, ref), append(long, madeLong{ref, longText, fmt.Sprint(i+1, "\x00")})
		}
		rows = append(rows, rows...)
		f := open(longFile(118, rows, long))
		for i, row := range cells(t, f) {
			if row[0] != fmt.Sprint(i%n+1) {
				t.Errorf("of %d, row %d: %q", n, i, row[0])
			}
		}
		if len(f.long.index) > most {
			t.Errorf("%d places are kept", len(f.long.index))
		}
		for i := range n / 2 {
			long[i], long[n-1-i] = long[n-1-i], long[i]
		}
		f = open(longFile(118, rows, long))
		var err error
		for r, e := range f.Rows() {
			if err = e; e == nil && string(r.Append(nil, 0)) != fmt.Sprint((int(r.Row)-1)%n+1) && r.err == nil {
				t.Errorf("of %d in another order, row %d: %q", n, r.Row, r.Append(nil, 0))
			}
		}
		if n <= most && err != nil || n > most && !errors.Is(err, ErrUnsupported) {
			t.Errorf("of %d in another order: %v", n, err)
		}
	}
}

// A text that is not there is an error of its row, and the last thing a loop gets.
func TestNoLongText(t *testing.T) {
	for _, c := range []struct {
		change func(b []byte) []byte
		says   string
	}{
		{func(b []byte) []byte { return b }, `row 2, variable "a": it refers to a long text of variable 1 and row 9, which ` +
			`is not there`},
		{func(b []byte) []byte { return []byte(strings.Replace(string(b), "GSO", "GSX", 1)) },
			`row 1, variable "a": the long texts: found "GSX"; expected GSO`},
		{func(b []byte) []byte {
			return []byte(strings.Replace(string(b), "\x82\x00\x00\x00\x04", "\x82\x7f\x00\x00\x04", 1))
		},
			`row 1, variable "a": the long texts: 2130706436 bytes are needed`},
	} {
		m := longFile(118, []reference{{1, 1}, {1, 9}, {1, 1}}, []madeLong{{reference{1, 1}, longText, "one\x00"}})
		f := opened(t, c.change(m.encode()))
		for range 2 {
			var last error
			for r, err := range f.Rows() {
				if last = err; err == nil {
					r.Append(nil, 0)
				}
			}
			var fe *FormatError
			if !errors.As(last, &fe) || !strings.Contains(fe.Problem, c.says) {
				t.Errorf("%v, want %s", last, c.says)
			}
		}
	}
}

func TestEncodings(t *testing.T) {
	for _, c := range []struct {
		name     string
		release  int
		encoding string // that is given
		label    string
		town     string
		want     string // both
		in       string // what it is found to be in
		notes    string
	}{
		{"ASCII", 115, "", "Town", "Rom", "Town Rom", "UTF-8", "[]"},
		{"UTF-8", 115, "", "Stadt Köln", "Köln", "Stadt Köln Köln", "UTF-8", "[]"},
		{"cut UTF-8", 115, "", "Stadt Köln", "Halle\xc3", "Stadt Köln Halle", "UTF-8", "[]"},
		{"Windows", 115, "", "caf\xe9 \x93x\x94", "K\xf6ln", "café “x” Köln", "windows-1252",
			"[the file names no encoding; its texts are read as windows-1252]"},
		{"Windows at the end", 115, "", "Town", "caf\xe9", "Town café", "windows-1252", "read as windows-1252"},
		{"said", 115, "windows-1250", "\xa3\xf3d\x9f", "\xb3", "Łódź ł", "windows-1250", "[]"},
		{"UTF-8 by format", 118, "", "Łódź", "ł", "Łódź ł", "UTF-8", "[]"},
		{"Windows against the format", 118, "", "Łódź", "K\xf6ln", "Łódź Köln", "UTF-8",
			`row 1, variable "a": text is not valid UTF-8; it is read as "Köln"`},
		{"a label against the format", 118, "", "don\x92t", "ł", "don’t ł", "UTF-8",
			`the label of a variable is not valid UTF-8: it is read as "don’t"`},
		{"a broken character", 118, "", "Łódź \xff", "ł", "Łódź \uFFFD ł", "UTF-8", "is not valid UTF-8"},
		{"said against the format", 118, "windows-1252", "K\xf6ln", "\xe9", "Köln é", "windows-1252", "[]"},
	} {
		t.Run(c.name, func(t *testing.T) {
			f, err := openBytes((&made{release: c.release, order: orders["little"],
				vars: []Variable{{Name: "a", Label: c.label, Type: Text, Width: 9}}, rows: [][]any{{c.town}}}).encode(),
				Options{Encoding: c.encoding})
			if err != nil {
				t.Fatal(err)
			}
			if got := f.Variables[0].Label + " " + cells(t, f)[0][0]; got != c.want || f.Encoding != c.in {
				t.Errorf("%q, %s", got, f.Encoding)
			}
			if notes := fmt.Sprint(f.Notes()); !strings.Contains(notes, c.notes) {
				t.Error(notes)
			}
		})
	}
	for _, name := range []string{"UTF-16", "klingon"} {
		if _, err := openBytes(everything(115, orders["big"]).encode(), Options{Encoding: name}); err == nil ||
			!strings.Contains(err.Error(), name) {
			t.Errorf("encoding %s: %v", name, err)
		}
	}
}
