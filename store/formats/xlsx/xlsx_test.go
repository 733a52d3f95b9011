package xlsx_test

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/crosswave/crosswave/store/formats/cells"
	"github.com/crosswave/crosswave/store/formats/xlsx"
	"github.com/google/go-cmp/cmp"
)

// workbook packs the parts of a workbook: those given, and for the others a small sheet called Data.
func workbook(t testing.TB, parts map[string]string) []byte {
	t.Helper()
	all := map[string]string{
		"[Content_Types].xml": "<Types/>",
		"_rels/.rels":         relations("officeDocument", "xl/workbook.xml"),
		"xl/workbook.xml":     `<workbook><sheets><sheet name="Data" sheetId="1" r:id="rId1"/></sheets></workbook>`,
		"xl/_rels/workbook.xml.rels": relations("worksheet", "worksheets/sheet1.xml", "sharedStrings", "sharedStrings.xml",
			"styles", "styles.xml"),
		"xl/worksheets/sheet1.xml": sheet(`<row r="1"><c r="A1" t="inlineStr"><is><t>a</t></is></c></row>`),
	}
	for name, text := range parts {
		all[name] = text
	}
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	for name, text := range all {
		if text == "" {
			continue
		}
		w, err := z.Create(name)
		if err == nil {
			_, err = w.Write([]byte(text))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func relations(kindsAndTargets ...string) string {
	text := "<Relationships>"
	for i := 0; i < len(kindsAndTargets); i += 2 {
		text += fmt.Sprintf(`<Relationship Id="rId%d" Type="http://example/relationships/%s" Target="%s"/>`, i/2+1,
			kindsAndTargets[i], kindsAndTargets[i+1])
	}
	return text + "</Relationships>"
}

func sheet(rows string) string {
	return `<?xml version="1.0" encoding="UTF-8"?><worksheet><sheetData>` + rows + `</sheetData></worksheet>`
}

// read reads a sheet as lines such as "3: A=x C=1.5".
func read(data []byte, sheet int) (lines []string, n xlsx.Notices, err error) {
	book, err := xlsx.Open(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil, n, err
	}
	for row, err := range book.Rows(sheet, nil) {
		if err != nil {
			return lines, n, err
		}
		line := fmt.Sprintf("%d:", row.Number)
		for _, c := range row.Cells {
			line += fmt.Sprintf(" %s=%s", cells.ColumnName(c.Column), row.Text(c))
		}
		lines = append(lines, line)
	}
	return lines, book.Notices(), nil
}

// Every kind of cell is read as Excel shows it.
func TestCells(t *testing.T) {
	parts := map[string]string{
		"xl/sharedStrings.xml": `<sst><si><t>Plain</t></si><si><r><t>in </t></r><r><rPr><b/></rPr><t xml:space="preserve">` +
			`two runs</t></r><rPh sb="0" eb="1"><t>spoken</t></rPh></si><si/><si><t>a_x000D_` + "\n" + `b_x0041_</t></si></sst>`,
		"xl/styles.xml": `<styleSheet><numFmts><numFmt numFmtId="164" formatCode="yyyy\-mm\-dd"/><numFmt numFmtId="165" ` +
			`formatCode="[$-409]d/m/yy h:mm AM/PM;@"/><numFmt numFmtId="166" formatCode="0.0&quot; days&quot;"/>` +
			`<numFmt numFmtId="167" formatCode="[h]:mm"/><numFmt numFmtId="168" formatCode="mmmm"/></numFmts>` +
			`<cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/>` +
			`<xf numFmtId="164"/><xf numFmtId="165"/><xf numFmtId="166"/><xf numFmtId="167"/><xf numFmtId="20"/>` +
			`<xf numFmtId="168"/></cellXfs></styleSheet>`,
	}
	for _, c := range []struct {
		name, rows string
		want       []string
	}{
		{"an empty cell of a shared text", `<row><c t="s"/><c t="s"><v></v></c><c t="s"><v>1</v></c></row>`,
			[]string{"1: C=in two runs"}},
		{"shared texts", `<row><c t="s"><v>0</v></c><c t="s"><v>1</v></c><c t="s"><v>2</v></c><c t="s"><v>3</v></c></row>`,
			[]string{"1: A=Plain B=in two runs D=a  bA"}},
		{"texts in the cell", `<row><c t="inlineStr"><is><t>x &amp; y</t></is></c><c t="str"><f>A1</f><v>z</v></c></row>`,
			[]string{"1: A=x & y B=z"}},
		{"numbers", `<row><c><v>1</v></c><c><v>0.10000000000000001</v></c><c><v>2.8000000000000003</v></c><c><v>-5E-1</v></c>` +
			`<c><v>1E+20</v></c><c t="n"><v>1.5e-12</v></c><c><v>007</v></c></row>`,
			[]string{"1: A=1 B=0.1 C=2.8 D=-0.5 E=100000000000000000000 F=1.5e-12 G=7"}},
		{"dates", `<row><c s="1"><v>45382</v></c><c s="2"><v>45382.75</v></c><c s="3"><v>45382.75</v></c><c s="3"><v>45382</v>` +
			`</c><c s="4"><v>45382</v></c><c s="5"><v>1.5</v></c><c s="6"><v>0.75</v></c><c s="7"><v>1</v></c></row>`,
			[]string{"1: A=2024-03-31 B=2024-03-31 C=2024-03-31 18:00:00 D=2024-03-31 00:00:00 E=45382 F=36:00:00 " +
				"G=18:00:00 H=1900-01-01"}},
		{"a date that is none", `<row><c s="1"><v>-3</v></c><c s="1"><v>61</v></c><c s="1"><v>2958466</v></c></row>`,
			[]string{"1: A=-3 B=1900-03-01 C=2958466"}},
		{"truth", `<row><c t="b"><v>1</v></c><c t="b"><v>0</v></c></row>`, []string{"1: A=TRUE B=FALSE"}},
		{"a date as text", `<row><c t="d"><v>2024-03-31</v></c></row>`, []string{"1: A=2024-03-31"}},
		{"gaps", `<row r="2"><c r="B2"><v>1</v></c><c r="AA2"><v>2</v></c><c><v>3</v></c></row><row r="4"/><row><c><v>5</v>` +
			`</c></row>`, []string{"2: B=1 AA=2 AB=3", "5: A=5"}},
		{"nothing", "", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			parts["xl/worksheets/sheet1.xml"] = sheet(c.rows)
			got, _, err := read(workbook(t, parts), 0)
			if d := cmp.Diff(c.want, got); d != "" || err != nil {
				t.Error(d, err)
			}
		})
	}
}

// Other makers write prefixes, absolute paths, and dates counted from 1904.
func TestOtherMakers(t *testing.T) {
	data := workbook(t, map[string]string{
		"_rels/.rels":     relations("officeDocument", "/XL/book.xml"),
		"xl/workbook.xml": "", "xl/_rels/workbook.xml.rels": "", "xl/worksheets/sheet1.xml": "",
		"xl/book.xml": `<x:workbook><x:workbookPr date1904="true"/><x:sheets><x:sheet name="Chart" r:id="rId3"/><x:sheet ` +
			`name="Notes" state="hidden" r:id="rId1"/><x:sheet name="Data" r:id="rId2"/></x:sheets></x:workbook>`,
		"xl/_rels/book.xml.rels": relations("worksheet", "a.xml", "worksheet", `/xl\B.xml`, "chartsheet", "c.xml", "styles",
			"s.xml"),
		"xl/a.xml": sheet(""),
		"xl/b.xml": `<x:worksheet><x:sheetData><x:row r="1" hidden="1"><x:c r="A1" s="0"><x:v>43920</x:v></x:c><x:c r="B1" ` +
			`t="e"><x:v>#N/A</x:v></x:c><x:c r="C1"><x:f>1+1</x:f></x:c></x:row></x:sheetData></x:worksheet>`,
		"xl/s.xml": `<x:styleSheet><x:cellXfs><x:xf numFmtId="14"/></x:cellXfs></x:styleSheet>`,
	})
	book, err := xlsx.Open(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	if len(book.Sheets) != 2 || book.First() != 1 || book.Sheets[1].Name != "Data" {
		t.Fatalf("sheets are %+v, the first of them %d", book.Sheets, book.First())
	}
	got, notices, err := read(data, 1)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([]string{"1: A=2024-03-31"}, got); d != "" {
		t.Error(d)
	}
	want := xlsx.Notices{Errors: 1, FirstError: "B1 #N/A", Unknown: 1, FirstBlank: "C1", Hidden: 1}
	if d := cmp.Diff(want, notices); d != "" {
		t.Error(d)
	}
}

// What is damaged is told with its place.
func TestDamaged(t *testing.T) {
	nested := strings.Repeat("<a>", 100)
	for _, c := range []struct{ name, part, text, says string }{
		{"a text that is not there", "", `<row><c t="s"><v>3</v></c></row>`,
			`cell A1 (xl/worksheets/sheet1.xml): there is no text "3"`},
		{"no number", "", `<row r="7"><c r="B7"><v>x</v></c></row>`, `cell B7 (xl/worksheets/sheet1.xml): "x" is no number`},
		{"infinite", "", `<row><c><v>1e999</v></c></row>`, `"1e999" is no number`},
		{"no truth", "", `<row><c t="b"><v>maybe</v></c></row>`, `"maybe" is neither true nor false`},
		{"another kind", "", `<row><c t="q"><v>1</v></c></row>`, `of a kind "q"`},
		{"rows out of order", "", `<row r="3"/><row r="3"/>`, `row "3" comes after row 3`},
		{"cells out of order", "", `<row><c r="B1"/><c r="A1"/></row>`, `cell "A1" stands where a cell of row 1 right of B1`},
		{"a cell of another row", "", `<row><c r="A2"/></row>`, `cell "A2" stands where`},
		{"a row within a row", "", `<row r="2"><c r="A2"><row r="3"><v>1</v></c></row></row>`,
			"a row begins within row 2"},
		{"a cell within a cell", "", `<row><c r="B1"><c r="C1"><v>1</v></c></c></row>`,
			"cell B1 (xl/worksheets/sheet1.xml): a cell begins within it"},
		{"too many rows", "", `<row r="1048577"/>`, "more than 1048576 rows"},
		{"too many columns", "", `<row><c r="XFE1"/></row>`, "more than 16384 columns"},
		{"elements within each other", "", nested, "64 elements stand within each other"},
		{"a format that is none", "", `<row><c s="-1"><v>1</v></c></row>`, `"-1" is no number of a format`},
		{"cut", "xl/worksheets/sheet1.xml", "<worksheet><sheetData><row>", "it ends inside an element"},
		{"a document type", "xl/worksheets/sheet1.xml", `<!DOCTYPE x [<!ENTITY a "b">]><worksheet/>`, "document type"},
		{"no XML", "xl/workbook.xml", "hello <", "xl/workbook.xml: XML syntax error"},
		{"no sheets", "xl/workbook.xml", "<workbook/>", "there is no sheet with cells in it"},
		{"binary", "_rels/.rels", relations("officeDocument", "xl/workbook.bin"), ".xlsb"},
		{"a letter", "_rels/.rels", relations("officeDocument", "word/document.xml"), "a text or a presentation"},
		{"nothing", "_rels/.rels", relations("officeDocument", "gone.xml"), "there is no gone.xml in it"},
		{"one long text", "xl/sharedStrings.xml", "<sst><si><t>" + strings.Repeat("a", 2<<20) + "</t></si></sst>",
			"longer than 1 MiB"},
		{"much repetition", "xl/sharedStrings.xml",
			"<sst>" + strings.Repeat("<si><t>"+strings.Repeat("a", 1000_000)+"</t></si>", 17) + "</sst>",
			"the texts of the cells take more than 16 MB"},
		{"a long part", "xl/styles.xml",
			"<styleSheet>" + strings.Repeat("<!--"+strings.Repeat("a", 1000_000)+"-->", 17) + "</styleSheet>",
			"unpacks to more than such a part needs"},
	} {
		t.Run(c.name, func(t *testing.T) {
			part, text := c.part, c.text
			if part == "" {
				part, text = "xl/worksheets/sheet1.xml", sheet(c.text)
			}
			_, _, err := read(workbook(t, map[string]string{part: text}), 0)
			var own *xlsx.Error
			if !errors.As(err, &own) || !strings.Contains(err.Error(), c.says) {
				t.Errorf("%v, want an *Error that says %q", err, c.says)
			}
		})
	}
}

// A workbook with any byte changed, or cut anywhere, is read or refused by an *Error.
func TestDamagedAnywhere(t *testing.T) {
	whole := workbook(t, nil)
	check := func(what string, data []byte) {
		t.Helper()
		_, _, err := read(data, 0)
		if own := (*xlsx.Error)(nil); err != nil && !errors.As(err, &own) {
			t.Errorf("%s: %T %v", what, err, err)
		}
	}
	refused := 0
	for i := range whole {
		check(fmt.Sprintf("cut at %d", i), whole[:i])
		damaged := bytes.Clone(whole)
		damaged[i] ^= 0x55
		check(fmt.Sprintf("byte %d", i), damaged)
		if _, _, err := read(whole[:i], 0); err != nil {
			refused++
		}
	}
	if refused != len(whole) {
		t.Errorf("%d of %d files that are cut are refused", refused, len(whole))
	}
}

// FuzzRows reads any sheet: what is wrong with it is an *Error, and rows and cells come in order.
func FuzzRows(f *testing.F) {
	for _, rows := range []string{"", `<row r="2"><c r="B2" t="s"><v>0</v></c><c><v>1.5</v></c></row>`,
		`<row><c t="b"><v>1</v></c><c t="e"><v>#N/A</v></c><c t="inlineStr"><is><t>x</t></is></c></row>`,
		`<row><c s="0"><f>1</f></c></row><row r="1"/>`, `<row><c s="1"><v>45382.5</v></c></row>`} {
		f.Add(sheet(rows), `<sst><si><t>a_x000D_</t></si></sst>`, "yyyy-mm-dd")
	}
	f.Fuzz(func(t *testing.T, rows, texts, format string) {
		var code bytes.Buffer
		for _, c := range []byte(format) {
			fmt.Fprintf(&code, "&#%d;", c)
		}
		data := workbook(t, map[string]string{"xl/worksheets/sheet1.xml": rows, "xl/sharedStrings.xml": texts,
			"xl/styles.xml": `<styleSheet><numFmts><numFmt numFmtId="164" formatCode="` + code.String() +
				`"/></numFmts><cellXfs><xf/><xf numFmtId="164"/></cellXfs></styleSheet>`})
		book, err := xlsx.Open(bytes.NewReader(data), int64(len(data)))
		own := (*xlsx.Error)(nil)
		if err != nil {
			if !errors.As(err, &own) {
				t.Fatalf("%T %v", err, err)
			}
			return
		}
		last := 0
		for row, err := range book.Rows(0, nil) {
			if err != nil {
				if !errors.As(err, &own) {
					t.Fatalf("%T %v", err, err)
				}
				return
			}
			if row.Number <= last || len(row.Cells) == 0 {
				t.Fatalf("row %d with %d cells after row %d", row.Number, len(row.Cells), last)
			}
			last = row.Number
			column := -1
			for _, c := range row.Cells {
				if c.Column <= column || len(row.Text(c)) == 0 || bytes.ContainsAny(row.Text(c), "\n\r\t") {
					t.Fatalf("row %d: %q in column %d after column %d", row.Number, row.Text(c), c.Column, column)
				}
				column = c.Column
			}
		}
	})
}
