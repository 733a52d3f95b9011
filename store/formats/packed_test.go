package formats_test

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/crosswave/crosswave/store/formats"
	"github.com/google/go-cmp/cmp"
)

// member is a file in an archive.
type member struct{ name, text string }

func zipped(t testing.TB, members ...member) string {
	t.Helper()
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	for _, m := range members {
		w, err := z.Create(m.name)
		if err == nil {
			_, err = w.Write([]byte(m.text))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func gzipped(t testing.TB, text string) string {
	t.Helper()
	var out bytes.Buffer
	z := gzip.NewWriter(&out)
	if _, err := z.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// workbook is a workbook with sheets, a name and the rows of each.
func workbook(t testing.TB, namesAndRows ...string) string {
	t.Helper()
	relations := `<Relationships>`
	sheets := `<workbook><sheets>`
	members := []member{{"[Content_Types].xml", "<Types/>"}}
	for i := 0; i < len(namesAndRows); i += 2 {
		relations += fmt.Sprintf(`<Relationship Id="r%d" Type="x/worksheet" Target="worksheets/%d.xml"/>`, i, i)
		sheets += fmt.Sprintf(`<sheet name=%q r:id="r%d"/>`, namesAndRows[i], i)
		members = append(members, member{fmt.Sprintf("xl/worksheets/%d.xml", i),
			"<worksheet><sheetData>" + namesAndRows[i+1] + "</sheetData></worksheet>"})
	}
	members = append(members, member{"xl/_rels/workbook.xml.rels", relations + "</Relationships>"},
		member{"xl/workbook.xml", sheets + "</sheets></workbook>"})
	return zipped(t, members...)
}

// sharedWorkbook is a workbook whose cells refer to so many texts: the first 100 of them, each with a number before it.
func sharedWorkbook(t testing.TB, texts int, text string) string {
	t.Helper()
	var shared, rows strings.Builder
	for i := range texts {
		fmt.Fprintf(&shared, "<si><t>%d%s</t></si>", i, text)
	}
	for i := range min(texts, 100) {
		fmt.Fprintf(&rows, `<row><c><v>%d</v></c><c t="s"><v>%d</v></c></row>`, i, i)
	}
	return zipped(t, member{"[Content_Types].xml", "<Types/>"},
		member{"xl/workbook.xml", `<workbook><sheets><sheet name="Data" r:id="a"/></sheets></workbook>`},
		member{"xl/_rels/workbook.xml.rels", `<Relationships><Relationship Id="a" Type="x/worksheet" Target="a.xml"/>` +
			`<Relationship Id="b" Type="x/sharedStrings" Target="b.xml"/></Relationships>`},
		member{"xl/a.xml", "<worksheet><sheetData>" + rows.String() + "</sheetData></worksheet>"},
		member{"xl/b.xml", "<sst>" + shared.String() + "</sst>"})
}

// line is a row of a workbook; "" is a cell without a value.
func line(fields ...string) string {
	text := "<row>"
	for _, f := range fields {
		text += `<c t="str"><v>` + f + `</v></c>`
	}
	return text + "</row>"
}

const tripleS = `<?xml version="1.0"?><sss version="2.0"><survey><record ident="A"><variable ident="1" type="single">` +
	`<name>a</name><position start="1"/><values><value code="1">One</value><value code="2">Two</value></values>` +
	`</variable></record></survey></sss>`

// A packed file reads as what is in it.
func TestPacked(t *testing.T) {
	text := "id,a\n1,x\n2,y\n"
	want := [][]string{{"id", "a"}, {"1", "x"}, {"2", "y"}}
	spss, err := os.ReadFile(smallSPSS(t))
	if err != nil {
		t.Fatal(err)
	}
	plain, err := formats.Open(put(t, "f.sav", string(spss)), formats.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer plain.Close()
	book := workbook(t, "Data", line("id", "a")+line("1", "x")+line("2", "y"))
	for _, c := range []struct {
		name, file, text string
		options          formats.Options
		format           formats.Format
		want             [][]string
		member           string
	}{
		{"gzip", "f.csv.gz", gzipped(t, text), formats.Options{}, formats.CSV, want, ""},
		{"gzip of SPSS", "f.sav.gz", gzipped(t, string(spss)), formats.Options{}, formats.SPSS, cells(t, plain), ""},
		{"gzip of a workbook", "f.gz", gzipped(t, book), formats.Options{}, formats.Excel, want, ""},
		{"gzip in two parts", "f.gz", gzipped(t, text[:7]) + gzipped(t, text[7:]), formats.Options{}, formats.CSV, want, ""},
		{"zip", "f.zip", zipped(t, member{"readme.txt", "hello"}, member{"data/", ""}, member{"data/f.CSV", text},
			member{"__MACOSX/data/._f.csv", "x"}, member{"manual.pdf", "%PDF"}), formats.Options{}, formats.CSV, want,
			"data/f.CSV"},
		{"zip of SPSS", "f.zip", zipped(t, member{"f.sav", string(spss)}), formats.Options{}, formats.SPSS,
			cells(t, plain), "f.sav"},
		{"zip of a workbook", "f.zip", zipped(t, member{"f.xlsx", book}), formats.Options{}, formats.Excel, want, "f.xlsx"},
		{"zip of a text", "f.zip", zipped(t, member{"f.txt", text}), formats.Options{}, formats.CSV, want, "f.txt"},
		{"Triple-S", "f.zip", zipped(t, member{"x/f.sss", tripleS}, member{"x/f.dat", "1\n2\n"}), formats.Options{},
			formats.TripleS, [][]string{{"a"}, {"1"}, {"2"}}, "x/f.sss"},
		{"Triple-S as XML", "f.zip", zipped(t, member{"F.XML", tripleS}, member{"f.CSV", "1\n2\n"}, member{"b.xml", "<b/>"}),
			formats.Options{}, formats.TripleS, [][]string{{"a"}, {"1"}, {"2"}}, "F.XML"},
		{"one of two", "f.zip", zipped(t, member{"a.csv", text}, member{"x/b.csv", "id\n3\n"}),
			formats.Options{Member: "b.csv"}, formats.CSV, [][]string{{"id"}, {"3"}}, "x/b.csv"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			c.options.TempDir = dir
			f, err := formats.Open(put(t, c.file, c.text), c.options)
			if err != nil {
				t.Fatal(err)
			}
			got := cells(t, f)
			if d := cmp.Diff(c.want, got); d != "" || f.Format != c.format || f.Member != c.member {
				t.Error(d, f.Format, f.Member)
			}
			if err := f.Close(); err != nil {
				t.Error(err)
			}
			if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
				t.Errorf("%v are left behind, %v", left, err)
			}
		})
	}
}

// A codebook in the archive is used, unless one lies beside the archive.
func TestPackedCodebook(t *testing.T) {
	book := func(title string) string {
		return `{"name": "` + title + `", "namespaces": [{"code": "core"}], "respondent": {"column": "id"}, "questions": [{"code": "a", "type": "single", ` +
			`"column": "a", "datapoints": [{"code": "x"}]}]}`
	}
	path := put(t, "f.zip", zipped(t, member{"s/f.csv", "id,a\n1,x\n"}, member{"s/f.csv.codebook.json", book("inside")}))
	f, err := formats.Open(path, formats.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if f.Codebook == nil || f.Codebook.Survey.Name != "inside" || !strings.Contains(f.CodebookFrom, "in the archive") {
		t.Fatalf("codebook %+v from %s", f.Codebook, f.CodebookFrom)
	}
	if err := os.WriteFile(formats.Beside(path), []byte(book("beside")), 0o600); err != nil {
		t.Fatal(err)
	}
	g, err := formats.Open(path, formats.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer g.Close()
	if g.Codebook.Survey.Name != "beside" {
		t.Errorf("codebook %s from %s", g.Codebook.Survey.Name, g.CodebookFrom)
	}
}

// Where several things may be meant, or the one that is named is not there, the error has all of them.
func TestChoice(t *testing.T) {
	two := zipped(t, member{"a.csv", "id\n1\n"}, member{"b.sav", "$FL2"}, member{"b.pdf", "%PDF"})
	book := workbook(t, "Data", line("id")+line("1"), "Codes", line("x")+line("2"))
	for _, c := range []struct {
		name, text string
		options    formats.Options
		want       formats.ChoiceError
	}{
		{"two files", two, formats.Options{}, formats.ChoiceError{Choice: "member", Names: []string{"a.csv", "b.sav"}}},
		{"another file", two, formats.Options{Member: "c.csv"},
			formats.ChoiceError{Choice: "member", Wanted: "c.csv", Names: []string{"a.csv", "b.sav", "b.pdf"}}},
		{"another sheet", book, formats.Options{Sheet: "Dta"},
			formats.ChoiceError{Choice: "sheet", Wanted: "Dta", Names: []string{"Data", "Codes"}}},
		{"a sheet of a CSV file", "id\n1\n", formats.Options{Sheet: "Data"},
			formats.ChoiceError{Choice: "sheet", Wanted: "Data"}},
		{"a member of a CSV file", "id\n1\n", formats.Options{Member: "a"},
			formats.ChoiceError{Choice: "member", Wanted: "a"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := put(t, "f.zip", c.text)
			_, err := formats.Open(path, c.options)
			var got *formats.ChoiceError
			if !errors.As(err, &got) {
				t.Fatal(err)
			}
			c.want.Path = path
			if d := cmp.Diff(c.want, *got); d != "" {
				t.Error(d)
			}
			for _, name := range c.want.Names {
				if !strings.Contains(err.Error(), name) {
					t.Errorf("%v does not name %s", err, name)
				}
			}
		})
	}
}

// A sheet that holds nothing, as one for charts does, is passed over unless it is named.
func TestEmptySheet(t *testing.T) {
	path := put(t, "f.xlsx", workbook(t, "Charts", "<row/>", "Data", line("a", "b")+line("1", "2")))
	f, err := formats.Open(path, formats.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if d := cmp.Diff([][]string{{"a", "b"}, {"1", "2"}}, cells(t, f)); d != "" || f.Sheet != "Data" {
		t.Error(d, f.Sheet)
	}
	if d := cmp.Diff([]string{`the sheet "Data" is read; not "Charts"`}, f.Notes()); d != "" {
		t.Error(d)
	}
	if _, err := formats.Open(path, formats.Options{Sheet: "Charts"}); err == nil {
		t.Error("an empty sheet was read")
	}
}

// What somebody counted below the responses to a form is no response, but what was typed in below them is.
func TestBelowResponses(t *testing.T) {
	form := line("Timestamp", "Sex", "Age", "Why", "And parents") + line("2024-05-01 10:00:00", "m", "20", "so") +
		line("2024-05-02 11:00:00", "f", "30", "no")
	for _, c := range []struct {
		name, below string
		rows        int
		note        string
	}{
		{"tables", "<row/>" + line("", "", "sums") + line("", "f", "1", "2") + line("Mean", "25"), 2,
			"rows below the responses are left out, in front of which no time stands: 3, the first of them row 5"},
		{"who answered another branch", line("", "x") + line("", "x"), 4, ""},
		{"who answered what nobody else did", line("", "", "", "", "well") + line("", "", "", "", "ill"), 4, ""},
		{"who answered one question", line("", "m") + line("", "f"), 4, ""},
		{"who has something else in front", line("Paper", "f?", "old") + line("", "?"), 4, ""},
		{"whole ones under a heading", line("", "", "On paper:") + line("", "f", "41", "maybe"), 4, ""},
		{"on paper", line("", "f", "41", "maybe") + line("", "m", "", "never"), 4, ""},
		{"most of them whole", line("", "?") + strings.Repeat(line("", "f", "41", "maybe"), 3), 6, ""},
		{"days written otherwise", line("13/05/2024 10:00:00", "f") + line("14/05/2024 10:00:00", "f", "41", "maybe"), 4, ""},
		{"cells further on", line("", "", "sum") + line("", "", "", "", "", "", "#N/A"), 2,
			"rows below the responses are left out, in front of which no time stands: 2, the first of them row 4"},
		{"then more of them", line("", "?") + line("2024-05-03 12:00:00", "f", "50", "no"), 4, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			f, err := formats.Open(put(t, "f.xlsx", workbook(t, "Answers", form+c.below)), formats.Options{})
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			if got := cells(t, f); len(got)-1 != c.rows || len(got[0]) != 5 {
				t.Errorf("%d responses of %d columns, want %d of 5", len(got)-1, len(got[0]), c.rows)
			}
			if notes := strings.Join(f.Notes(), "\n"); notes != c.note {
				t.Errorf("the notes are %q, want %q", notes, c.note)
			}
		})
	}
}

// What a form was answered is read although another sheet stands before it with a part of it. One with as many columns,
// or with a title above them, may be what it was made into by whoever is to read it.
func TestSheetOfForm(t *testing.T) {
	form := line("Sygnatura czasowa", "Sex", "Age", "Why") + line("42860.5", "m", "20", "so") +
		line("42861.5", "f", "30", "no")
	for _, c := range []struct{ name, first, want string }{
		{"a part", line("id", "answer") + line("1", "so") + line("1", "no"), "Answers"},
		{"a title", line("Our survey") + line("No", "Sex", "Age", "Why") + line("1", "m", "20", "so"), "First"},
		{"as many columns", line("id", "Sex", "Age", "Why") + line("1", "m", "20", "so"), "First"},
		{"another form", line("Timestamp", "Sex") + line("42860.5", "m"), "First"},
		{"nothing", "<row/>", "Answers"},
	} {
		f, err := formats.Open(put(t, "f.xlsx", workbook(t, "First", c.first, "Answers", form)), formats.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if f.Sheet != c.want {
			t.Errorf("%s: the sheet %q is read", c.name, f.Sheet)
		}
		if err := f.Close(); err != nil {
			t.Error(err)
		}
	}
	path := put(t, "f.xlsx", workbook(t, "First", line("id", "answer")+line("1", "so"), "Answers",
		line("Timestamp", "Sex", "Age", "Why")+line("often", "m", "20", "so")))
	f, err := formats.Open(path, formats.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if f.Sheet != "First" {
		t.Errorf("without times: the sheet %q is read", f.Sheet)
	}
}

// A sheet reads as the CSV file would that Excel makes of it: headers of two rows, gaps, quotes and lines in a cell,
// and rows keep their numbers. In names a space is between lines.
func TestWorkbook(t *testing.T) {
	path := put(t, "f.xlsx", workbook(t,
		"Data", `<row r="2">`+line("id", "Drinks,&#10;which?", "", "Note")[len("<row>"):]+line("", "Tea", "Coffee", "Open")+
			line("1", "Tea", "", "said &quot;no&quot;,&#10;twice")+`<row r="7"><c t="str"><v>2</v></c></row>`,
		"Codes", line("x", "y")+`<row><c t="e"><v>#N/A</v></c><c><v>1</v></c></row>`))
	f, err := formats.Open(path, formats.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	want := [][]string{{"id", "Drinks, which?[Tea]", "Drinks, which?[Coffee]", "Note"},
		{"1", "Tea", "", "said \"no\",\ntwice"},
		{"2", "", "", ""}}
	if d := cmp.Diff(want, cells(t, f)); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff([]string{`the sheet "Data" is read; not "Codes"`, "the first two rows are the names of the columns: " +
		"questions, and their options below"}, f.Notes()); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff([]int64{4, 7}, rowNumbers(t, f)); d != "" {
		t.Error(d)
	}
	codes, err := formats.Open(path, formats.Options{Sheet: "codes"})
	if err != nil {
		t.Fatal(err)
	}
	defer codes.Close()
	if d := cmp.Diff([][]string{{"x", "y"}, {"", "1"}}, cells(t, codes)); d != "" || codes.Sheet != "Codes" {
		t.Error(d, codes.Sheet)
	}
	if d := cmp.Diff("cells that hold an error are read as empty: 1, the first of them A2 #N/A",
		codes.Notes()[1]); d != "" {
		t.Error(d)
	}
}

// What cannot be unpacked is refused in words, and leaves nothing behind.
func TestPackedRefused(t *testing.T) {
	csv := "id,a\n" + strings.Repeat("1,x\n", 1000)
	damaged := []byte(gzipped(t, csv))
	damaged[len(damaged)-6] ^= 1
	encrypted := []byte(zipped(t, member{"f.csv", csv}))
	encrypted[bytes.Index(encrypted, []byte("PK\x01\x02"))+8] |= 1
	zeros := strings.Repeat("0", 1<<20)
	for _, c := range []struct{ name, text, says string }{
		{"a cut gzip", gzipped(t, csv)[:40], "unpacking it: unexpected EOF"},
		{"a damaged gzip", string(damaged), "unpacking it: gzip: invalid checksum"},
		{"a cut zip", zipped(t, member{"f.csv", csv})[:60], "it is a damaged zip archive or Excel workbook"},
		{"an encrypted zip", string(encrypted), `"f.csv" in it is encrypted`},
		{"packed twice", gzipped(t, gzipped(t, csv)), "packed once more"},
		{"a zip in a zip", zipped(t, member{"f.csv", zipped(t, member{"f.csv", csv})}), "packed once more"},
		{"a zip of other things", zipped(t, member{"f.pdf", "%PDF"}), "there is no survey file in the archive"},
		{"an empty zip", zipped(t), "there is no survey file in the archive"},
		{"an error inside", zipped(t, member{"f.sav", "$FL2@(#)"}), "f.zip: f.sav: "},
		{"Triple-S without data", zipped(t, member{"f.sss", tripleS}), "its data are not beside it: none of f.asc"},
		{"Triple-S in gzip", gzipped(t, tripleS), "its data are not beside it: none of f.asc"},
		{"OpenDocument", zipped(t, member{"mimetype", "application/vnd.oasis"}), "OpenDocument"},
		{"a damaged workbook", workbook(t, "Data", "<row><c><v>x</v></c></row>"),
			`cell A1 (xl/worksheets/0.xml): "x" is no number`},
		{"a workbook without rows", workbook(t, "Data", ""), "a first row with the names of the columns is expected"},
		{"7-Zip", "7z\xbc\xaf\x27\x1crest", "7-Zip"},
		{"a long dictionary", gzipped(t, "<sss>"+strings.Repeat(zeros, 20)),
			"what it says about its columns unpacks to too much"},
		{"a long definition", zipped(t, member{"f.sss", "<sss>" + strings.Repeat(zeros, 20)}),
			"what it says about its columns unpacks to too much"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			f, err := formats.Open(put(t, "f.zip", c.text), formats.Options{TempDir: dir})
			if err == nil {
				f.Close()
			}
			var own *formats.Error
			if !errors.As(err, &own) || !strings.Contains(err.Error(), c.says) {
				t.Errorf("%v, want an *Error that says %q", err, c.says)
			}
			if left, err := filepath.Glob(filepath.Join(dir, "*")); err != nil || len(left) > 0 {
				t.Errorf("%v are left behind, %v", left, err)
			}
		})
	}
}

// The data beside a Triple-S definition may be packed with gzip; plain ones come first. What is damaged names the file,
// and nothing is left behind.
func TestPackedDataBesideADefinition(t *testing.T) {
	path := put(t, "f.sss", tripleS)
	beside := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(filepath.Dir(path), name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	read := func() ([][]string, error) {
		t.Helper()
		dir := t.TempDir()
		f, err := formats.Open(path, formats.Options{TempDir: dir})
		var rows [][]string
		if err == nil {
			rows = cells(t, f)
			err = f.Close()
		}
		if left, failed := os.ReadDir(dir); failed != nil || len(left) > 0 {
			t.Errorf("%v are left behind, %v", left, failed)
		}
		return rows, err
	}
	beside("f.asc.gz", gzipped(t, "1\n2\n"))
	rows, err := read()
	if d := cmp.Diff([][]string{{"a"}, {"1"}, {"2"}}, rows); d != "" || err != nil {
		t.Error(d, err)
	}
	packed, err := formats.Hash(path)
	if err != nil {
		t.Error(err)
	}
	beside("f.asc.gz", gzipped(t, "1\n2\n")[:20])
	var own *formats.Error
	if _, err := read(); !errors.As(err, &own) || !strings.Contains(err.Error(), "f.asc.gz: unpacking it") {
		t.Errorf("%T %v", err, err)
	}
	beside("f.dat", "2\n")
	if rows, err := read(); err != nil || !cmp.Equal([][]string{{"a"}, {"2"}}, rows) {
		t.Error(rows, err)
	}
	if hash, err := formats.Hash(path); err != nil || hash == packed {
		t.Errorf("other data have the same hash; %v", err)
	}
}

// A definition may be packed by itself, with its data beside it, packed or not; and in an archive its data may be
// packed once more.
func TestPackedDefinitions(t *testing.T) {
	want := [][]string{{"a"}, {"1"}, {"2"}}
	for _, c := range []struct {
		name, file, text, beside string
		data                     string
	}{
		{"packed definition, plain data", "f.sss.gz", gzipped(t, tripleS), "f.asc", "1\n2\n"},
		{"both packed", "f.sss.gz", gzipped(t, tripleS), "f.asc.gz", gzipped(t, "1\n2\n")},
		{"packed under another name", "f.xml.GZ", gzipped(t, tripleS), "f.dat", "1\n2\n"},
		{"packed data in an archive", "f.zip", zipped(t, member{"s/f.sss", tripleS},
			member{"s/f.asc.gz", gzipped(t, "1\n2\n")}), "", ""},
		{"plain data come first in an archive", "f.zip", zipped(t, member{"f.asc.gz", gzipped(t, "2\n1\n")},
			member{"f.sss", tripleS}, member{"f.dat", "1\n2\n"}), "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := put(t, c.file, c.text)
			beside := filepath.Join(filepath.Dir(path), c.beside)
			if c.beside != "" {
				if err := os.WriteFile(beside, []byte(c.data), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			dir := t.TempDir()
			f, err := formats.Open(path, formats.Options{TempDir: dir})
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(want, cells(t, f)); d != "" || f.Format != formats.TripleS {
				t.Errorf("%s as %s", d, f.Format)
			}
			if err := f.Close(); err != nil {
				t.Error(err)
			}
			if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
				t.Errorf("%v are left behind, %v", left, err)
			}
			before, err := formats.Hash(path)
			if err != nil {
				t.Fatal(err)
			}
			if c.beside == "" {
				return
			}
			if err := os.WriteFile(beside, []byte("1\n"), 0o600); err != nil {
				t.Fatal(err)
			}
			if after, err := formats.Hash(path); err != nil || after == before {
				t.Errorf("other data have the same hash; %v", err)
			}
		})
	}
}

// FuzzPacked opens any bytes that begin as an archive: what is wrong with them is an *Error or a *ChoiceError.
func FuzzPacked(f *testing.F) {
	f.Add([]byte(zipped(f, member{"f.sss", tripleS}, member{"f.asc", "1\n"})))
	f.Add([]byte(zipped(f, member{"f.csv", "id\n1\n"}, member{"g.csv", "x"})))
	f.Add([]byte(workbook(f, "Data", line("id", "a")+line("1", "x"))))
	f.Add([]byte(gzipped(f, "id,a\n1,x\n")))
	f.Add([]byte(oldWorkbook("Data", append(oldLine(1, "id", "a"), oldLine(2, "1", "x")...))))
	f.Add([]byte(zipped(f, member{"f.sss", tripleS}, member{"f.asc.gz", gzipped(f, "1\n")})))
	f.Fuzz(func(t *testing.T, data []byte) {
		dir := t.TempDir()
		file, err := formats.Open(put(t, "f", string(data)), formats.Options{TempDir: dir})
		if err == nil {
			err = file.Close()
		}
		var own *formats.Error
		var choice *formats.ChoiceError
		if err != nil && !errors.As(err, &own) && !errors.As(err, &choice) {
			t.Fatalf("%T %v", err, err)
		}
		if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
			t.Fatalf("%v are left behind, %v", left, err)
		}
	})
}
