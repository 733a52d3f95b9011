package formats_test

import (
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/crosswave/crosswave/store/formats"
	"github.com/crosswave/crosswave/store/formats/sav"
	"github.com/crosswave/crosswave/store/guess"
	"github.com/crosswave/crosswave/store/naive"
	"github.com/crosswave/crosswave/store/survey"
	"github.com/google/go-cmp/cmp"
)

// datedRows are when eight respondents were asked: two in January, one in February, five in March.
var datedRows = []string{"2024-01-02 09:00:00", "2024-01-31 23:59:59", "2024-02-29 00:00:00", "2024-03-01 12:30:00",
	"2024-03-05 12:30:00", "2024-03-09 12:30:00", "2024-03-30 12:30:00", "2024-03-31 23:59:59"}

// datedSAV writes the rows to a system file, with dates of a format, which are seconds since the start of 14 October
// 1582.
func datedSAV(t *testing.T, format sav.Format) string {
	t.Helper()
	d := &sav.Dictionary{Variables: []sav.Variable{{Name: "v1", Label: "Date of the interview", Print: format},
		{Name: "brand", Width: 4}}}
	var rows iter.Seq2[[]sav.Value, error] = func(yield func([]sav.Value, error) bool) {
		for i, text := range datedRows {
			at, err := time.Parse(time.DateTime, text)
			seconds := float64(at.Unix() - time.Date(1582, 10, 14, 0, 0, 0, 0, time.UTC).Unix())
			if !yield([]sav.Value{sav.Number(seconds), sav.Text([]string{"Acme", "Zen"}[i%2])}, err) {
				return
			}
		}
	}
	path := filepath.Join(t.TempDir(), "dated.sav")
	out, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	if err := sav.Write(out, d, rows, sav.WriteOptions{}); err != nil {
		t.Fatal(err)
	}
	return path
}

// datedWorkbook writes the rows to a workbook whose cells have the format of a date (number 14) or of a date with a
// time (number 22), which are days since the end of 1899.
func datedWorkbook(t *testing.T, format int) string {
	t.Helper()
	var cells strings.Builder
	cells.WriteString(line("interview date", "brand"))
	for i, text := range datedRows {
		at, err := time.Parse(time.DateTime, text)
		if err != nil {
			t.Fatal(err)
		}
		days := at.Sub(time.Date(1899, 12, 30, 0, 0, 0, 0, time.UTC)).Hours() / 24
		fmt.Fprintf(&cells, `<row><c s="1"><v>%v</v></c><c t="str"><v>%s</v></c></row>`, days, []string{"Acme", "Zen"}[i%2])
	}
	return put(t, "dated.xlsx", zipped(t, member{"[Content_Types].xml", "<Types/>"},
		member{"xl/workbook.xml", `<workbook><sheets><sheet name="Data" r:id="a"/></sheets></workbook>`},
		member{"xl/_rels/workbook.xml.rels", `<Relationships><Relationship Id="a" Type="x/worksheet" Target="a.xml"/>` +
			`<Relationship Id="b" Type="x/styles" Target="b.xml"/></Relationships>`},
		member{"xl/a.xml", "<worksheet><sheetData>" + cells.String() + "</sheetData></worksheet>"},
		member{"xl/b.xml", fmt.Sprintf(`<styleSheet><cellXfs><xf numFmtId="0"/><xf numFmtId="%d"/></cellXfs></styleSheet>`,
			format)}))
}

// Dates of every format become the same waves, which are guessed, written in the codebook, and read by it.
func TestWavesOfDates(t *testing.T) {
	text := func(layout string) string {
		out := "Timestamp,brand\n"
		for i, row := range datedRows {
			at, err := time.Parse(time.DateTime, row)
			if err != nil {
				t.Fatal(err)
			}
			out += at.Format(layout) + "," + []string{"Acme", "Zen"}[i%2] + "\n"
		}
		return put(t, "dated.csv", out)
	}
	for name, path := range map[string]string{
		".sav, with a time":    datedSAV(t, sav.Format{Type: sav.FormatDATETIME, Width: 20}),
		".sav, as in the US":   datedSAV(t, sav.Format{Type: sav.FormatADATE, Width: 10}),
		".sav, months":         datedSAV(t, sav.Format{Type: sav.FormatMOYR, Width: 8}),
		".xlsx":                datedWorkbook(t, 14),
		".xlsx, with a time":   datedWorkbook(t, 22),
		"text, ISO":            text("2006-01-02T15:04:05Z"),
		"text, dots":           text("02.01.2006 15:04"),
		"text, as in the US":   text("1/2/2006 3:04 PM"),
		"text, two digits":     text("1/2/06"),
		"text, names of month": text("02-Jan-2006"),
	} {
		t.Run(name, func(t *testing.T) {
			f, err := formats.Open(path, formats.Options{})
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			m, err := f.Guess(t.Context(), guess.Options{})
			if err != nil {
				t.Fatal(err)
			}
			written, err := survey.WriteCodebook(m.Codebook)
			if err != nil {
				t.Fatal(err)
			}
			codebook, err := survey.ReadCodebook(written)
			if err != nil {
				t.Fatal(err)
			}
			source, err := f.Source(codebook)
			if err != nil {
				t.Fatal(err)
			}
			report, err := survey.Import(t.Context(), source, &naive.Store{}, survey.Options{})
			if err != nil {
				t.Fatal(err)
			}
			got := map[string]int64{}
			for _, w := range report.Fieldwork {
				got[w.Wave] = w.Respondents
			}
			if d := cmp.Diff(map[string]int64{"2024-01": 2, "2024-02": 1, "2024-03": 5}, got); d != "" {
				t.Error(d)
			}
		})
	}
}
