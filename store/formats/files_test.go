package formats_test

import (
	"errors"
	"fmt"
	"maps"
	"math/big"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/store/formats"
	"github.com/crosswave/crosswave/store/formats/sav"
	"github.com/crosswave/crosswave/store/guess"
	"github.com/crosswave/crosswave/store/naive"
	"github.com/crosswave/crosswave/store/survey"
	"github.com/google/go-cmp/cmp"
)

// put writes a file.
func put(t testing.TB, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// cells reads a table whole: its header and its rows.
func cells(t testing.TB, f *formats.File) [][]string {
	t.Helper()
	out := [][]string{f.Table.Header()}
	for row, err := range survey.Rows(t.Context(), f.Table) {
		if err != nil {
			t.Fatal(err)
		}
		var line []string
		for i := range f.Table.Header() {
			line = append(line, string(row.Field(i)))
		}
		out = append(out, line)
	}
	return out
}

func utf16Text(text string, big, mark bool) string {
	var b strings.Builder
	if mark {
		text = "\ufeff" + text
	}
	for _, u := range utf16.Encode([]rune(text)) {
		if big {
			b.WriteByte(byte(u >> 8))
		}
		b.WriteByte(byte(u))
		if !big {
			b.WriteByte(byte(u >> 8))
		}
	}
	return b.String()
}

// A CSV file is read whatever its encoding, delimiter, line ends and header.
func TestCSVOfEveryKind(t *testing.T) {
	plain := "id;Straße\r\n1;grün\r\n2;weiß\r\n"
	want := [][]string{{"id", "Straße"}, {"1", "grün"}, {"2", "weiß"}}
	latin := strings.NewReplacer("ß", "\xdf", "ü", "\xfc").Replace(plain)
	for _, c := range []struct {
		name, text string
		want       [][]string
		notes      string
	}{
		{"utf-8", plain, want, "fields are divided by ';'"},
		{"utf-8 with a mark", "\ufeff" + plain, want, ""},
		{"latin-1", latin, want, "read as windows-1252"},
		{"windows-1252", "a,b\nx,5 \x80\n", [][]string{{"a", "b"}, {"x", "5 €"}}, "read as windows-1252"},
		{"Polish Windows", "id,p\xb3e\xe6\n1,kobieta\n2,m\xea\xbfczyzna\n3,\xbfona\n", [][]string{{"id", "płeć"},
			{"1", "kobieta"}, {"2", "mężczyzna"}, {"3", "żona"}}, "its letters are those of texts in Polish"},
		{"Chinese Windows", "id,\xd0\xd4\xb1\xf0\n1,\xc4\xd0\n2,\xc5\xae\n", [][]string{{"id", "性别"}, {"1", "男"},
			{"2", "女"}}, "read as gb18030"},
		{"utf-16", utf16Text(plain, false, true), want, "read as UTF-16"},
		{"utf-16, big end first", utf16Text(plain, true, true), want, "read as UTF-16"},
		{"utf-16 without a mark", utf16Text(strings.Repeat(plain, 1), false, false), want, "read as UTF-16"},
		{"utf-16, big end first, without a mark", utf16Text(plain, true, false), want, "read as UTF-16"},
		{"tabs", "a\tb\n1\t2,5\n", [][]string{{"a", "b"}, {"1", "2,5"}}, `fields are divided by '\t'`},
		{"bars", "a|b\n1|2;3\n", [][]string{{"a", "b"}, {"1", "2;3"}}, "fields are divided by '|'"},
		{"commas, with others in the fields", "a,b\n1,x;y\n2,x;z\n", [][]string{{"a", "b"}, {"1", "x;y"}, {"2", "x;z"}}, ""},
		{"quoted delimiters", "a;b\n\"1,2\";\"x,\ny\"\n\"3,4\";z\n", [][]string{{"a", "b"}, {"1,2", "x,\ny"},
			{"3,4", "z"}}, "fields are divided by ';'"},
		{"one column", "a\n1\n2\n", [][]string{{"a"}, {"1"}, {"2"}}, ""},
		{"a hint to Excel", "sep=;\na;b\n1;2\n", [][]string{{"a", "b"}, {"1", "2"}}, ""},
		{"comments", "# A survey, 2021\n#\n# Contact: us, please\na,b\n1,2\n", [][]string{{"a", "b"}, {"1", "2"}},
			"stand 3 lines of comments"},
		{"comments behind a hint to Excel", "sep=;\n# A survey\n# of 2021\na;b\n1;2\n", [][]string{{"a", "b"}, {"1", "2"}},
			"stand 2 lines of comments"},
		{"a header with a # below comments", "# A survey\n# of 2021\n#id,b\n1,2\n", [][]string{{"#id", "b"}, {"1", "2"}},
			"stand 2 lines of comments"},
		{"two rows behind a #", "#,Q1,Q2\n# of response,How old?,Where?\n1,30,x\n2,40,y\n",
			[][]string{{"#", "Q1", "Q2"}, {"# of response", "How old?", "Where?"}, {"1", "30", "x"}, {"2", "40", "y"}}, ""},
		{"names of two words behind a #, below a comment",
			"# A survey\n#\n#Respondent ID,Age group,Sex\n1,30,m\n2,40,f\n",
			[][]string{{"#Respondent ID", "Age group", "Sex"}, {"1", "30", "m"}, {"2", "40", "f"}},
			"stand 2 lines of comments"},
		{"numbers behind a #", "#,b\n#1,2\n#2,3\n", [][]string{{"#", "b"}, {"#1", "2"}, {"#2", "3"}}, ""},
		{"lines of an old Macintosh", "a,b\r1,2\r3,4\r", [][]string{{"a", "b"}, {"1", "2"}, {"3", "4"}}, ""},
		{"lines of a Macintosh with line feeds in quotes", "a,b\r1,\"x\ny\"\r3,4\r",
			[][]string{{"a", "b"}, {"1", "x\ny"}, {"3", "4"}}, ""},
		{"returns in quotes, and line feeds", "a,b\n1,\"x\ry\"\n3,4\n",
			[][]string{{"a", "b"}, {"1", "x\ry"}, {"3", "4"}}, ""},
		{"zeros in empty fields", "a,b,c\n" + strings.Repeat("1,yes,no\n", 10) + "2,\x00,no\n3,yes,\x00\n",
			append(append([][]string{{"a", "b", "c"}}, slices.Repeat([][]string{{"1", "yes", "no"}}, 10)...),
				[]string{"2", " ", "no"}, []string{"3", "yes", " "}), "bytes that are zero"},
		{"two carriage returns in front of line feeds",
			"a,b\r\r\n\"x\",2\r\r\n3,\"y\r\nz\"\r\r\n4,\"\"\r\r\n" + strings.Repeat("7,w\r\r\n", 9),
			append([][]string{{"a", "b"}, {"x", "2"}, {"3", "y\r\nz"}, {"4", ""}},
				slices.Repeat([][]string{{"7", "w"}}, 9)...), "two carriage returns"},
		{"names of rows, as R writes them", "\"a\";\"b\"\n\"1\";5;\"x\"\n\"2\";6;\"y\"\n\"3\";7;\"x\"\n",
			[][]string{{"row_names", "a", "b"}, {"1", "5", "x"}, {"2", "6", "y"}, {"3", "7", "x"}},
			"as R writes the names of rows"},
		{"columns of one name", "a,b,a\n1,2,3\n", [][]string{{"a_1", "b", "a_2"}, {"1", "2", "3"}}, "are called a_1, a_2"},
		{"columns without a name", "a,,\n1,2,3\n", [][]string{{"a", "column_2", "column_3"}, {"1", "2", "3"}},
			"are called column_2, column_3"},
		{"decimal commas", "a;w\n1;0,875\n2;1,1\n3;12\n4;\n", [][]string{{"a", "w"}, {"1", "0.875"}, {"2", "1.1"},
			{"3", "12"}, {"4", ""}}, "w: numbers with a decimal comma"},
		{"decimal commas, one digit before", "u;v;w;x\n0,125;0,375;0,875;2,75\n;;1,125;3,5\n;;;3\n;;;1,25\n;;;4\n",
			[][]string{{"u", "v", "w", "x"}, {"0.125", "0.375", "0.875", "2.75"}, {"", "", "1.125", "3.5"},
				{"", "", "", "3"}, {"", "", "", "1.25"}, {"", "", "", "4"}}, "u, v, w, x: numbers with a decimal comma"},
		{"two codes beside one column of fractions", "a;w;x\n1;0,875;2,75\n2;1,125;3,5\n3;2,5;3\n4;;1,25\n5;;4\n",
			[][]string{{"a", "w", "x"}, {"1", "0.875", "2,75"}, {"2", "1.125", "3,5"}, {"3", "2.5", "3"}, {"4", "", "1,25"},
				{"5", "", "4"}}, "w: numbers with a decimal comma"},
		{"two codes beside decimal commas", "a;w;x\n1;0,875;2,5\n2;1,125;3,5\n3;2,5;5\n4;;1,2\n5;;4\n",
			[][]string{{"a", "w", "x"}, {"1", "0.875", "2,5"}, {"2", "1.125", "3,5"}, {"3", "2.5", "5"}, {"4", "", "1,2"},
				{"5", "", "4"}}, "w: numbers with a decimal comma"},
		{"decimal commas below questions",
			"q1;q2;q3\nHow old are you?;What do you weigh?;How far is it?\n30;60,25;1,5\n41;70,5;2,25\n25;80,125;0,75\n",
			[][]string{{"q1", "q2", "q3"}, {"30", "60.25", "1.5"}, {"41", "70.5", "2.25"}, {"25", "80.125", "0.75"}},
			"q2, q3: numbers with a decimal comma"},
		{"decimal commas in quotes between commas",
			"a,w,q\n1,\"0,43\",\"1,2\"\n2,\"0,25\",\"2,3\"\n3,\"2,07\",\"0,10\"\n4,\"0,50\",3\n",
			[][]string{{"a", "w", "q"}, {"1", "0.43", "1,2"}, {"2", "0.25", "2,3"}, {"3", "2.07", "0,10"}, {"4", "0.50", "3"}},
			"w: numbers with a decimal comma"},
		{"fractions without a zero, with an exponent and of tens, beside others",
			"w;q;x;h;c\n0,875;,5;1,5E-05;17,5;1,2\n1,125;1,5; ;180;11,2\n1,25;,25;,3;165,34;3\n",
			[][]string{{"w", "q", "x", "h", "c"}, {"0.875", ".5", "1.5E-05", "17.5", "1,2"},
				{"1.125", "1.5", " ", "180", "11,2"},
				{"1.25", ".25", ".3", "165.34", "3"}}, "w, q, x, h: numbers with a decimal comma"},
		{"codes with commas between them are no numbers", "a;q\n1;1,2\n2;2,3\n", [][]string{{"a", "q"}, {"1", "1,2"},
			{"2", "2,3"}}, ""},
		{"decimal commas, two digits behind", "a;w\n1;0,85\n2;1,2\n3;-3\n", [][]string{{"a", "w"}, {"1", "0.85"},
			{"2", "1.2"}, {"3", "-3"}}, "w: numbers with a decimal comma"},
		{"decimal commas, four digits before", "a;w\n1;1250,125\n2;900,500\n", [][]string{{"a", "w"}, {"1", "1250.125"},
			{"2", "900.500"}}, "w: numbers with a decimal comma"},
		{"thousands are no fractions", "a;w\n1;1,250\n2;12,500\n3;900\n", [][]string{{"a", "w"}, {"1", "1,250"},
			{"2", "12,500"}, {"3", "900"}}, ""},
		{"fractions beside others", "w;q;x\n0,875;101,205;12,500\n1,125;101,102;1,250\n", [][]string{{"w", "q", "x"},
			{"0.875", "101,205", "12.500"}, {"1.125", "101,102", "1.250"}}, "w, x: numbers with a decimal comma"},
		{"codes of three digits are no fractions", "a;q\n1;101,205\n2;101\n", [][]string{{"a", "q"}, {"1", "101,205"},
			{"2", "101"}}, ""},
		{"quotes that are words, between tabs", "a\tb\n\n1\tI say \"no\"\r\n2\t\"no\" it is\n\t\"\n",
			[][]string{{"a", "b"}, {"1", `I say "no"`}, {"2", `"no" it is`}, {"", `"`}},
			"quotes are read as part of the words"},
		{"quotes that are words and not closed, between tabs, beside commas",
			"#\tWhat?\tlast\n1\t\"no, it\tx\n2\tno, so\tno\n3\t\"a, b\tso\n4\tc, d\tso\n",
			[][]string{{"#", "What?", "last"}, {"1", `"no, it`, "x"}, {"2", "no, so", "no"}, {"3", `"a, b`, "so"},
				{"4", "c, d", "so"}}, "quotes are read as part of the words"},
		{"quotes with a stroke before them, as R writes them", "\"a\";\"b\"\n\"1\";\"say \\\"no\\\"; or\"\n\"2\";\"x\"\n",
			[][]string{{"a", "b"}, {"1", `say "no"; or`}, {"2", "x"}}, `quotes in fields are written as \"`},
		{"… and one at the end of other words",
			"\"a\"\t\"b\"\n\"say \\\"no\\\"\"\t\"c:\\\"\n\"c:\\\"\t\"x\"\n\"d:\\\"\t\"e:\\\"",
			[][]string{{"a", "b"}, {`say "no"`, `c:\`}, {`c:\`, "x"}, {`d:\`, `e:\`}}, `quotes in fields are written as \"`},
		{"spaces in names that are no usual ones", "a\u00a0b;c\n1;2\n", [][]string{{"a b", "c"}, {"1", "2"}}, ""},
		{"questions below long codes", "id;Q021AS_OD-FamiliaritySebastopolOpenGovernment;Q022\n" +
			"Response number;How familiar are you with it?;How many do you know?\n1;3;2\n2;4;1\n3;2;0\n",
			[][]string{{"id", "Q021AS_OD-FamiliaritySebastopolOpenGovernment", "Q022"}, {"1", "3", "2"}, {"2", "4", "1"},
				{"3", "2", "0"}}, "the second row holds the questions"},
		{"a stroke at the end of a field in quotes", "a,b\n\"c:\\\",\"x\"\n\"d\",\"y\"\n",
			[][]string{{"a", "b"}, {`c:\`, "x"}, {"d", "y"}}, ""},
		{"quotes around fields with tabs in them", "a\tb\n1\t\"x\ty\"\n\"2\"\t\"say \"\"no\"\"\"\n",
			[][]string{{"a", "b"}, {"1", "x\ty"}, {"2", `say "no"`}}, ""},
		{"cells that a spreadsheet is to take for text", "a;b\n=\"1\";=\"x;\n=\"\"y\"\"\"\n=\"2\";=2\n3;=\"\"\n4;4\n",
			[][]string{{"a", "b"}, {"1", "x;\n=\"y\""}, {"2", "=2"}, {"3", ""}, {"4", "4"}}, `cells written as ="2" are read as 2`},
		{"a delimiter behind the last name, and none behind the rows",
			"id;q1;q2;\nResponse number;How old are you?;How many cars do you have?;\n1;30;2\n2;40;1\n3;25;0\n",
			[][]string{{"id", "q1", "q2"}, {"1", "30", "2"}, {"2", "40", "1"}, {"3", "25", "0"}},
			"the second row holds the questions"},
		{"a delimiter behind the last name of one row", "a;b;\n1;2\n3;4\n",
			[][]string{{"a", "b"}, {"1", "2"}, {"3", "4"}}, ""},
		{"two rows of header", "id,Drinks?,,Age\n,Tea,Coffee,Open\n1,Tea,,30\n",
			[][]string{{"id", "Drinks?[Tea]", "Drinks?[Coffee]", "Age"}, {"1", "Tea", "", "30"}},
			"the first two rows are the names"},
		{"three rows of header",
			"id,Q1\nResponse ID,How?\n\"{\"\"ImportId\"\":\"\"a\"\"}\",\"{\"\"ImportId\"\":\"\"b\"\"}\"\n1,well\n",
			[][]string{{"id", "Q1"}, {"1", "well"}}, "respondents begin in the fourth"},
	} {
		t.Run(c.name, func(t *testing.T) {
			f, err := formats.Open(put(t, "f.csv", c.text), formats.Options{})
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			if d := cmp.Diff(c.want, cells(t, f)); d != "" {
				t.Error(d)
			}
			if notes := strings.Join(f.Notes(), "\n"); !strings.Contains(notes, c.notes) {
				t.Errorf("notes are %q, want %q", notes, c.notes)
			}
		})
	}
}

// A header of several rows and a repaired one leave the rows their numbers.
func TestRowsKeepTheirNumbers(t *testing.T) {
	for name, text := range map[string]string{
		"two rows":  "id,Drinks?,,Age\n,Tea,Coffee,Open\n1,Tea,,30\n1,,,40\n",
		"repaired":  "id,x,x,\"y\nz\"\n1,,,\n1,,,\n",
		"excel":     "sep=,\nid,a,a,a\n1,,,\n1,,,\n",
		"two marks": "\ufeffid,a,a\n\n1,,\n1,,\n",
	} {
		f, err := formats.Open(put(t, "f.csv", text), formats.Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		if d := cmp.Diff([]int64{3, 4}, rowNumbers(t, f)); d != "" {
			t.Errorf("%s: %s", name, d)
		}
	}
}

// rowNumbers are the numbers of the rows of a table.
func rowNumbers(t testing.TB, f *formats.File) (numbers []int64) {
	t.Helper()
	for row, err := range survey.Rows(t.Context(), f.Table) {
		if err != nil {
			t.Fatal(err)
		}
		numbers = append(numbers, row.Number)
	}
	return numbers
}

func TestRefused(t *testing.T) {
	for _, c := range []struct{ name, text, says string }{
		{"empty", "", "it is empty"},
		{"Excel", "PK\x03\x04rest", "a damaged zip archive or Excel workbook"},
		{"gzip", "\x1f\x8brest", "unpacking it"},
		{"a store", "SQLite format 3\x00rest", "give it as --db"},
		{"JSON", `{"questions": []}`, "it is JSON"},
		{"a portable file", strings.Repeat("ASCII SPSS PORT FILE", 3), "portable file"},
		{"an encrypted file", "\x1c\x00\x00\x00\x00\x00\x00\x00ENCRYPTEDSAV" + strings.Repeat("x", 20), "without a password"},
		{"anything else", "a\x00\x01\x02b", "it is no survey file"},
		{"zeros in every field", strings.Repeat("a,\x00,b\n", 9), "it is no survey file"},
		{"Triple-S without data", `<?xml version="1.0"?><sss version="2.0"><survey><record ident="A"><variable ` +
			`ident="1" type="logical"><name>a</name><position start="1"/></variable></record></survey></sss>`,
			"its data are not beside it: none of f.asc"},
		{"XML of another kind", "<?xml version=\"1.0\"?><html/>", "f.file"},
		{"cut", "$FL2@(#)", "ends inside its header"},
		{"a damaged Parquet file", "PAR1xxxxPAR1", "Parquet"},
		{"a few bytes that are not UTF-8", strings.Repeat("é,ü\n", 20) + "x\xff,y\n", "line 21 is not in UTF-8"},
		{"a header alone is read", "\n\n", "a first row with the names of the columns is expected"},
	} {
		t.Run(c.name, func(t *testing.T) {
			f, err := formats.Open(put(t, "f.file", c.text), formats.Options{})
			if err == nil {
				f.Close()
			}
			var own *formats.Error
			if !errors.As(err, &own) || !strings.Contains(err.Error(), c.says) {
				t.Errorf("%v, want %q", err, c.says)
			}
		})
	}
	if _, err := formats.Open(t.TempDir(), formats.Options{}); err == nil ||
		!strings.Contains(err.Error(), "no regular file") {
		t.Error(err)
	}
	if _, err := formats.Open(filepath.Join(t.TempDir(), "gone"), formats.Options{}); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
}

// A copy in UTF-8 that was made to read a file is gone when the file is closed.
func TestConvertedCopyIsRemoved(t *testing.T) {
	dir := t.TempDir()
	f, err := formats.Open(put(t, "f.csv", "a,b\n\xe4,1\n"), formats.Options{TempDir: dir})
	if err != nil {
		t.Fatal(err)
	}
	if list, _ := os.ReadDir(dir); len(list) != 1 {
		t.Errorf("%d files while it is open", len(list))
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	if list, _ := os.ReadDir(dir); len(list) != 0 {
		t.Errorf("%d files are left", len(list))
	}
}

// A codebook beside a file is used, and one that is none is an error that says which file it is.
func TestCodebookBeside(t *testing.T) {
	path := put(t, "s.csv", "id,q\n1,a\n2,b\n")
	f, err := formats.Open(path, formats.Options{})
	if err != nil {
		t.Fatal(err)
	}
	m, err := f.Guess(t.Context(), guess.Options{})
	if err != nil {
		t.Fatal(err)
	}
	f.Close()
	m.Codebook.Survey.Questions[0].Name = "By hand"
	text, err := survey.WriteCodebook(m.Codebook)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(formats.Beside(path), text, 0o644); err != nil {
		t.Fatal(err)
	}
	if f, err = formats.Open(path, formats.Options{}); err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if f.Codebook == nil || f.Codebook.Survey.Questions[0].Name != "By hand" || !strings.Contains(f.CodebookFrom,
		"s.csv.codebook.json") {
		t.Errorf("%+v from %q", f.Codebook, f.CodebookFrom)
	}
	if err := os.WriteFile(formats.Beside(path), []byte("{"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := formats.Open(path, formats.Options{}); err == nil ||
		!strings.Contains(err.Error(), "s.csv.codebook.json: codebook:") {
		t.Error(err)
	}
}

// The codebook inside a .sav counts as long as nobody has changed what the values mean: then labels and sets are all
// there is to go by.
func TestCodebookInsideGoesStale(t *testing.T) {
	a := exampleA(t)
	path := filepath.Join(t.TempDir(), "a.sav")
	if _, err := formats.Export(t.Context(), a, path, formats.ExportOptions{}); err != nil {
		t.Fatal(err)
	}
	rewrite := func(change func(*sav.Dictionary)) *formats.File {
		t.Helper()
		in, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer in.Close()
		info, err := in.Stat()
		if err != nil {
			t.Fatal(err)
		}
		s, err := sav.Open(in, info.Size(), sav.Options{})
		if err != nil {
			t.Fatal(err)
		}
		d := s.Dictionary
		change(&d)
		to := filepath.Join(t.TempDir(), "b.sav")
		out, err := os.Create(to)
		if err != nil {
			t.Fatal(err)
		}
		defer out.Close()
		if err := sav.Write(out, &d, s.Rows(), sav.WriteOptions{}); err != nil {
			t.Fatal(err)
		}
		f, err := formats.Open(to, formats.Options{})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { f.Close() })
		return f
	}
	if f := rewrite(func(d *sav.Dictionary) { d.Label = "Saved again" }); f.Codebook == nil {
		t.Error("the codebook is not found after the file was saved again")
	}
	f := rewrite(func(d *sav.Dictionary) {
		v := d.Variable("gender")
		v.Labels = []sav.ValueLabel{{Value: sav.Number(1), Label: "Female"}, {Value: sav.Number(2), Label: "Male"}}
	})
	if f.Codebook != nil {
		t.Error("the codebook is used though the labels are others")
	}
	m, err := f.Guess(t.Context(), guess.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, q := range m.Codebook.Survey.Questions {
		if q.Code == "gender" && q.Datapoints[0].Name != "Female" {
			t.Errorf("gender is %+v", q.Datapoints)
		}
	}
}

// What others read in an exported .sav, its labels, sets and weight, is the survey, too: guessed without the codebook
// inside, the answers are the same, and the numbers, if not their bands.
func TestExportIsReadWithoutItsCodebook(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes some seconds, and what it exports and imports is also in TestRoundTrip")
	}
	for name, src := range sources(t) {
		for _, ext := range []string{".sav", ".sss"} {
			t.Run(name+ext, func(t *testing.T) {
				path := filepath.Join(t.TempDir(), "out"+ext)
				if _, err := formats.Export(t.Context(), src, path, formats.ExportOptions{}); err != nil {
					t.Fatal(err)
				}
				own, _ := open(t, path, false)
				f, err := formats.Open(path, formats.Options{})
				if err != nil {
					t.Fatal(err)
				}
				defer f.Close()
				want, _ := stored(t, own)
				guessed, m := open(t, path, true)
				got, _ := stored(t, guessed)
				ws, gs := want.Respondents(), got.Respondents()
				if len(ws) != len(gs) {
					t.Fatalf("%d respondents, want %d", len(gs), len(ws))
				}
				a, b := answerPlaces(f.Codebook, inExport), answerPlaces(m.Codebook, inExport)
				bands := func(c *survey.Codebook, places map[naive.Answer]string) map[string]string {
					maps.DeleteFunc(places, func(x naive.Answer, _ string) bool {
						i := slices.IndexFunc(c.Survey.Questions, func(q audience.Question) bool { return q.Key() == x.Question })
						return c.Survey.Questions[i].Kind == audience.Number && c.Questions[i].Column != ""
					})
					columns := map[string]string{}
					for i, q := range c.Survey.Questions {
						if q.Kind == audience.Number {
							columns[q.Key()] = c.Questions[i].Column
						}
					}
					return columns
				}
				columns, guessedColumns := bands(f.Codebook, a), bands(m.Codebook, b)
				maps.DeleteFunc(columns, func(_, column string) bool { // of a few whole numbers each is guessed to be an answer
					return !slices.Contains(slices.Collect(maps.Values(guessedColumns)), column)
				})
				both := map[string]bool{}
				for _, place := range b {
					both[place] = true
				}
				shared, numbers, inA := 0, 0, map[string]bool{}
				for _, place := range a {
					inA[place] = true
					if both[place] {
						shared++
					}
				}
				if shared < len(a)*9/10 {
					t.Errorf("%d of %d answers are found", shared, len(a))
				}
				for i := range ws {
					if ws[i].Units["core"] != gs[i].Units["core"] {
						t.Fatalf("respondent %d weighs %d, want %d", i+1, gs[i].Units["core"], ws[i].Units["core"])
					}
					w, g := map[string]bool{}, map[string]bool{}
					for answer := range ws[i].Positive {
						if both[a[answer]] {
							w[a[answer]] = true
						}
					}
					for answer := range gs[i].Positive {
						if inA[b[answer]] {
							g[b[answer]] = true
						}
					}
					if !maps.Equal(w, g) {
						t.Fatalf("respondent %d: %s", i+1, clip(cmp.Diff(w, g)))
					}
					given := inColumns(ws[i].Numbers, columns)
					guessed := inColumns(gs[i].Numbers, guessedColumns)
					maps.DeleteFunc(guessed, func(column, _ string) bool { // those of other namespaces, which some have
						return strings.HasPrefix(column, "weight_")
					})
					if d := cmp.Diff(given, guessed); d != "" {
						t.Fatalf("respondent %d: %s", i+1, clip(d))
					}
					numbers += len(given)
				}
				if numbers < len(ws)/2 {
					t.Errorf("%d respondents have %d numbers: this is no test of them", len(ws), numbers)
				}
			})
		}
	}
}

// inColumns names numbers by the columns of their questions.
func inColumns(numbers map[string]*big.Rat, columns map[string]string) map[string]string {
	out := map[string]string{}
	for key, number := range numbers {
		if column, there := columns[key]; there {
			out[column] = number.RatString()
		}
	}
	return out
}

func TestExportErrors(t *testing.T) {
	src := exampleA(t)
	dir := t.TempDir()
	if _, err := formats.Export(t.Context(), src, filepath.Join(dir, "a.xlsx"), formats.ExportOptions{}); err == nil ||
		!strings.Contains(err.Error(), ".sav, .zsav, .sss (Triple-S) and .csv") {
		t.Error(err)
	}
	path := filepath.Join(dir, "a.csv")
	if err := os.WriteFile(path, []byte("mine"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := formats.Export(t.Context(), src, path, formats.ExportOptions{}); err == nil ||
		!strings.Contains(err.Error(), "is there already") {
		t.Error(err)
	}
	// A Triple-S definition would come with data under a name that is taken: nothing of it may be left.
	if _, err := formats.Export(t.Context(), src, filepath.Join(dir, "a.sss"), formats.ExportOptions{}); err == nil {
		t.Error("the data of another survey were replaced")
	}
	list, err := os.ReadDir(dir)
	if err != nil || len(list) != 1 {
		t.Errorf("%d files are there, %v", len(list), err)
	}
	if text, _ := os.ReadFile(path); string(text) != "mine" {
		t.Errorf("the file holds %q", clip(string(text)))
	}
	done, err := formats.Export(t.Context(), src, path, formats.ExportOptions{Overwrite: true})
	if err != nil || fmt.Sprint(done.Files) != fmt.Sprint([]string{path, path + ".codebook.json"}) {
		t.Errorf("%+v, %v", done, err)
	}
}

// FuzzOpen opens any bytes and, if they are a survey file, guesses and imports it: what is wrong with it is an error in
// words.
func FuzzOpen(f *testing.F) {
	f.Add([]byte("id,q[a],q[b]\n1,Y,\n2,,Y\n"))
	f.Add([]byte("sep=;\nid;\xfc;w\n1;a;0,875\n"))
	f.Add([]byte(utf16Text("a\tb\n1\tx\n", false, true)))
	f.Add([]byte("id,Drinks?,,Age\n,Tea,Coffee,Open\n1,Tea,,30\n"))
	f.Add([]byte("id,Q1\nResponse ID,How?\n\"{\"\"ImportId\"\":\"\"a\"\"}\",\"{\"\"ImportId\"\":\"\"b\"\"}\"\n1,well\n"))
	f.Add([]byte("a,,a\r1,\"2\r\",3\r"))
	f.Add([]byte("a\tb\n1\tI say \"no\"\r\n\n\"\t2"))
	stata, err := os.ReadFile("dta/testdata/foreign6.dta")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(stata)
	f.Add([]byte("a;b;\n=\"1\";=\"x\"\n=\"2\";=\"y\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		dir := t.TempDir()
		path := filepath.Join(dir, "f")
		if err := os.WriteFile(path, data, 0o644); err != nil {
			t.Fatal(err)
		}
		file, err := formats.Open(path, formats.Options{TempDir: dir})
		if err != nil {
			var own *formats.Error
			if !errors.As(err, &own) {
				t.Fatalf("%T: %v", err, err)
			}
			return
		}
		defer file.Close()
		m, err := file.Guess(t.Context(), guess.Options{})
		if err != nil {
			var own *formats.Error
			if !errors.As(err, &own) {
				t.Fatalf("%T: %v", err, err)
			}
			return
		}
		if _, err := file.Source(m.Codebook); err != nil {
			t.Fatal(err)
		}
	})
}
