package sav

import (
	"cmp"
	"compress/gzip"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
)

func readCSV(t testing.TB, r io.Reader) [][]string {
	t.Helper()
	c := csv.NewReader(r)
	c.FieldsPerRecord = -1
	rows, err := c.ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	if len(rows) > 0 {
		rows[0][0] = strings.TrimPrefix(rows[0][0], "\uFEFF")
	}
	return rows
}

func fixtureCSV(t testing.TB, name string) [][]string {
	t.Helper()
	file, err := os.Open(fixture(t, name))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	return readCSV(t, file)
}

// cells returns the cases of a file as a CSV would have them, the names first.
func cells(t testing.TB, f *File, cell func(c *Case, i int) string) [][]string {
	t.Helper()
	var names []string
	for i := range f.Variables {
		names = append(names, f.Variables[i].Name)
	}
	rows := [][]string{names}
	for c, err := range f.Cases() {
		if err != nil {
			t.Fatal(err)
		}
		var row []string
		for i := range f.Variables {
			row = append(row, cell(c, i))
		}
		rows = append(rows, row)
	}
	return rows
}

// The cells of pyreadstat's tables.

func iso(c *Case, i int) string { return string(c.Append(nil, i)) }

func number(c *Case, i int) string { return c.Value(i).String() }

func noMissing(missing string, shown func(*Case, int) string) func(*Case, int) string {
	return func(c *Case, i int) string {
		if c.Missing(i) {
			return missing
		}
		return shown(c, i)
	}
}

func labelled(c *Case, i int) string {
	if label, ok := c.file.Variables[i].ValueLabel(c.Value(i)); ok {
		return label
	}
	return iso(c, i)
}

// plain brings the ways to write a number or a time in those tables to one:
// 1.10 and 1.1, 13744944000.0 and 13744944000, 0:00:00.000000 and 00:00:00.
func plain(rows [][]string) [][]string {
	out := make([][]string, len(rows))
	for i, row := range rows {
		for _, s := range row {
			if f, err := strconv.ParseFloat(s, 64); err == nil && s != "NaN" {
				s = string(AppendNumber(nil, f))
			}
			s = strings.TrimSuffix(s, ".000000")
			if len(s) == len("0:00:00") && s[1] == ':' {
				s = "0" + s
			}
			out[i] = append(out[i], s)
		}
	}
	return out
}

func TestPyreadstatTables(t *testing.T) {
	repeat := func(n int) func([][]string) [][]string {
		return func(rows [][]string) [][]string {
			out := rows[:1:1]
			for range n {
				out = append(out, rows[1:]...)
			}
			return out
		}
	}
	for _, test := range []struct {
		sav, csv string
		cell     func(*Case, int) string
		change   func([][]string) [][]string // of the table
	}{
		{"sample.sav", "sample.csv", iso, nil},
		{"sample.zsav", "sample.csv", iso, nil},
		{"sample.sav", "sample_nodate_spss.csv", number, nil},
		{"sample_large.sav", "sample.csv", iso, repeat(97)},
		{"sample_missing.sav", "sample_missing_user.csv", nullable(false), nil},
		{"sample_missing.sav", "sample_missing.csv", nullable(true), nil},
		{"missing_test.sav", "missing_sav_formatted.csv", iso, nil},
		{"missing_test.sav", "missing_sav_unformatted.csv", noMissing("NaN", iso), nil},
		{"missing_test.sav", "missing_sav_labeled.csv", labelled, nil},
		{"missing_char.sav", "missing_char_formatted.csv", iso, nil},
		{"missing_char.sav", "missing_char_unformatted.csv", noMissing("NaN", iso), nil},
	} {
		t.Run(test.sav+"/"+test.csv, func(t *testing.T) {
			f := openFixture(t, "pyreadstat/"+test.sav)
			want := fixtureCSV(t, "pyreadstat/"+test.csv)
			if test.change != nil {
				want = test.change(want)
			}
			if diff := gocmp.Diff(plain(want), plain(cells(t, f, test.cell))); diff != "" {
				t.Errorf("differs from the table (-want +got):\n%s", diff)
			}
			for _, note := range f.Notes() {
				t.Errorf("unexpected note: %v", note)
			}
		})
	}
}

// nullable shows system-missing as #NULL!, and with all user-missing too; the
// table it is for leaves the missing values of texts as they are.
func nullable(all bool) func(*Case, int) string {
	return func(c *Case, i int) string {
		if v := c.Value(i); v.SystemMissing() || all && c.file.Variables[i].Numeric() && c.Missing(i) {
			return "#NULL!"
		}
		return iso(c, i)
	}
}

// TestDates holds Format.ISO against the dates of a table, which has them in
// three forms.
func TestDates(t *testing.T) {
	start := time.Date(1582, 10, 14, 0, 0, 0, 0, time.UTC)
	rows := fixtureCSV(t, "pyreadstat/dates.csv")
	for _, row := range rows[1:] {
		at, err := time.Parse("2006-01-02T15:04:05.000000", row[1])
		if err != nil {
			t.Fatal(err)
		}
		seconds := float64(at.Unix() - start.Unix())
		date, _ := Format{Type: FormatSDATE}.ISO(seconds)
		dtime, _ := Format{Type: FormatDATETIME}.ISO(seconds)
		clock, _ := Format{Type: FormatTIME}.ISO(float64(at.Sub(at.Truncate(24*time.Hour)) / time.Second))
		got := []string{date, dtime + ".000000", clock}
		if diff := gocmp.Diff(row, got); diff != "" {
			t.Errorf("%v seconds (-want +got):\n%s", seconds, diff)
		}
	}
	if len(rows) < 50 {
		t.Errorf("only %d rows", len(rows))
	}
}

func TestVeryLongStringsWhole(t *testing.T) {
	long := func(start, fill string, n int) string {
		return start + strings.Repeat(fill, n-len(start))
	}
	for name, want := range map[string][][]string{
		"pspp/v13.sav": {
			{"N", "A255", "A258", "A2000"},
			{"1", long("a1", "A", 255), long("b1", "B", 258), long("c1", "C", 2000)},
			{"2", long("a2", "X", 255), long("b2", "Y", 258), long("c2", "Z", 2000)},
		},
		"pspp/v14.sav": {
			{"vl255", "vl256", "vl1335", "vl2000"},
			{long("", "M", 255), long("", "M", 256), long("", "M", 1335), long("", "M", 2000)},
		},
		"pyreadstat/test_width.sav": {
			{"ResponseId", "StartDate", "Duration__in_seconds_", "Finished"},
			{"R_0001xAxQxIo2PVH", "2020-07-13 23:19:55", "944", "2"},
			{"R_000FDoYPxMzjq4Z", "2020-07-30 23:02:47", "884", "2"},
			{"R_001AFk53LGl8w9T", "2020-07-17 08:45:48", "2014", "2"},
			{"R_001YoDDgdWzjhS5", "2020-08-18 20:04:52", "2611", "2"},
			{"R_009Epx1c3tVU8IZ", "2020-08-03 15:10:34", "957", "2"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			f := openFixture(t, name)
			if diff := gocmp.Diff(want, cells(t, f, iso)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestOtherScripts(t *testing.T) {
	f := openFixture(t, "pyreadstat/hebrews.sav")
	if got := f.Variables[0].Name; got != "ותק_ב" || f.Label != "jamovi data set" || f.NumCases != 99 {
		t.Errorf("name %q, label %q, %d cases", got, f.Label, f.NumCases)
	}
	f = openFixture(t, "pyreadstat/tegulu.sav")
	// The file cuts the text inside its last character.
	want := [][]string{{"record", "Q16br9oe_Q24br9oe"}, {"210", "నేను గతంలో వాడిన బ"}}
	if diff := gocmp.Diff(want, cells(t, f, iso)); diff != "" || f.Variables[1].Width != 512 {
		t.Errorf("width %d (-want +got):\n%s", f.Variables[1].Width, diff)
	}
}

func TestSetsOfSPSS(t *testing.T) {
	f := openFixture(t, "pyreadstat/simple_alltypes.sav")
	want := []Set{
		{Name: "$categorical_array", Variables: []string{"ca_subvar_1", "ca_subvar_2", "ca_subvar_3"}},
		{Name: "$mymrset", Label: "My multiple response set", Kind: Dichotomy, Counted: Number(1),
			Variables: []string{"bool1", "bool2", "bool3"}},
	}
	if diff := gocmp.Diff(want, f.Sets, values); diff != "" {
		t.Errorf("sets (-want +got):\n%s", diff)
	}
	if m := f.Variable("z").Missing; !m.Has(Number(-999)) || !m.Has(Number(0)) || m.Has(Number(0.5)) ||
		!m.Has(Number(999)) || m.Has(Value{}) {
		t.Errorf("missing values of z: %+v", m)
	}
	notes := f.Notes()
	if len(notes) != 1 ||
		notes[0].String() != "at byte 1941: skipped an extension record of subtype 24 (view settings), 306 bytes" {
		t.Errorf("notes: %v", notes)
	}
}

func TestEncryptedRefused(t *testing.T) {
	data, err := os.ReadFile(fixture(t, "pspp/hotel-encrypted.sav"))
	if err != nil {
		t.Fatal(err)
	}
	_, err = openBytes(data, Options{})
	const want = `encrypted SPSS file: at byte 8: found "ENCRYPTEDSAV"; expected a file saved without a password. ` +
		`Save it again without encryption`
	if !errors.Is(err, ErrEncrypted) || err.Error() != want {
		t.Errorf("got %v\nwant %s", err, want)
	}
}

// TestGeneratedFiles compares every cell of the large generated files with what
// readstat makes of them, in as many digits as it writes.
func TestGeneratedFiles(t *testing.T) {
	packed, err := os.Open(fixture(t, "sav-generated/example_a_mrsets.readstat.csv.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer packed.Close()
	unpacked, err := gzip.NewReader(packed)
	if err != nil {
		t.Fatal(err)
	}
	want := readCSV(t, unpacked)
	for _, name := range []string{"example_a_mrsets.sav", "example_a_mrsets.zsav"} {
		t.Run(name, func(t *testing.T) {
			f := openFixture(t, "sav-generated/"+name)
			if int(f.NumCases) != len(want)-1 {
				t.Fatalf("%d cases; expected %d", f.NumCases, len(want)-1)
			}
			for i, v := range f.Variables {
				if v.Name != want[0][i] {
					t.Fatalf("variable %d is %q; expected %q", i, v.Name, want[0][i])
				}
			}
			different := 0
			for c, err := range f.Cases() {
				if err != nil {
					t.Fatal(err)
				}
				for i, cell := range want[c.Row] {
					got := c.Text(i)
					if x, ok := c.Float(i); ok {
						_, decimals, _ := strings.Cut(cell, ".")
						got = strconv.FormatFloat(x, 'f', len(decimals), 64)
					}
					if got != cell && different < 10 {
						different++
						t.Errorf("case %d, %s: %q; expected %q", c.Row, f.Variables[i].Name, got, cell)
					}
				}
			}
		})
	}
}

// TestGeneratedDictionary compares the dictionary with the tables that PSPP
// prints of it.
func TestGeneratedDictionary(t *testing.T) {
	f := openFixture(t, "sav-generated/example_a_mrsets.sav")
	tables := psppTables(fixtureCSV(t, "sav-generated/pspp-output.csv"))
	got := [][]string{{"Name", "Position", "Label", "Measurement Level", "Role", "Width", "Alignment", "Print Format",
		"Write Format", "Missing Values"}}
	var labels [][]string
	for i, v := range f.Variables {
		missing := ""
		for _, x := range v.Missing.Values {
			missing += x.String()
		}
		got = append(got, []string{v.Name, strconv.Itoa(i + 1), v.Label, title(v.Measure), title(v.Role),
			strconv.Itoa(v.Columns),
			title(v.Align), v.Print.String(), v.Write.String(), missing})
		for _, l := range v.Labels {
			labels = append(labels, []string{v.Label, l.Value.String(), l.Label})
		}
	}
	if diff := gocmp.Diff(tables["Variables"], got); diff != "" {
		t.Errorf("variables (-PSPP +got):\n%s", diff)
	}
	var wantLabels [][]string
	variable := ""
	for _, row := range tables["Value Labels"][1:] {
		if len(row) == 3 {
			variable = cmp.Or(row[0], variable)
			wantLabels = append(wantLabels, []string{variable, strings.TrimSuffix(row[1], "[a]"),
				strings.TrimSuffix(row[2], "[a]")})
		}
	}
	if diff := gocmp.Diff(wantLabels, labels); diff != "" {
		t.Errorf("value labels (-PSPP +got):\n%s", diff)
	}
	var sets [][]string
	for _, s := range f.Sets {
		encoding, counted := "Categories", ""
		if s.Kind == Dichotomy {
			encoding, counted = "Dichotomies", s.Counted.String()
		}
		sets = append(sets, []string{s.Name, s.Label, encoding, counted, strings.Join(s.Variables, "\n")})
	}
	if diff := gocmp.Diff(tables["Multiple Response Sets"][1:], sets); diff != "" {
		t.Errorf("sets (-PSPP +got):\n%s", diff)
	}
	if f.Weight != "weight_a" || f.Label != "Quantipy Example Data (A), MIT, (c) 2014 YouGov Plc" || len(f.Sets) != 5 {
		t.Errorf("weight %q, label %q, %d sets", f.Weight, f.Label, len(f.Sets))
	}
}

func title(s fmt.Stringer) string {
	text := s.String()
	return strings.ToUpper(text[:1]) + text[1:]
}

// psppTables cuts the output of PSPP into its tables.
func psppTables(rows [][]string) map[string][][]string {
	tables, name := map[string][][]string{}, ""
	for _, row := range rows {
		if head, ok := strings.CutPrefix(row[0], "Table: "); ok {
			name = head
			continue
		}
		tables[name] = append(tables[name], row)
	}
	return tables
}
