package main

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"log/slog"
	"math"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/crosstab/sheet"
	"github.com/crosswave/crosswave/httpapi"
	"github.com/crosswave/crosswave/internal/testsize"
	"github.com/crosswave/crosswave/store/sqlite"
)

// opened is a workbook, to be read.
func opened(t testing.TB, workbook []byte) *excelize.File {
	t.Helper()
	f, err := excelize.OpenReader(bytes.NewReader(workbook))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

func readFile(t testing.TB, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// linesOf are the lines of a table's sheet by the rows of the table, the base rows first, and by their names.
func linesOf(t testing.TB, rows [][]string) (list []map[string][]string) {
	t.Helper()
	for _, row := range rows[min(3, len(rows)):] {
		row = append(row, make([]string, 40)...)
		switch {
		case row[1] == "":
		case row[0] != "":
			list = append(list, map[string][]string{row[1]: row[2:]})
		default:
			list[len(list)-1][row[1]] = row[2:]
		}
	}
	return list
}

// figure is a figure of a crosstab: what a line of a sheet calls it, and a column of CSV.
type figure struct{ line, column string }

var bookFigures = []figure{{"size", "size"}, {"sample", "sample"}, {"column %", "column_percentage"},
	{"row %", "row_percentage"}, {"index", "index"}, {"interval from", "column_percentage_low"},
	{"interval to", "column_percentage_high"}}

// sameAsCSV holds a sheet against the CSV of the same table with its totals, and returns how many figures it compared.
// Numbers may differ by so small a part of them.
func sameAsCSV(t testing.TB, rows [][]string, text string, apart float64) (compared int) {
	t.Helper()
	records, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	header, records := records[0], records[1:]
	list := linesOf(t, rows)
	columns := len(records) / len(list)
	equal := func(place, got, want string) {
		x, err := strconv.ParseFloat(got, 64)
		y, errWant := strconv.ParseFloat(want, 64)
		if err != nil || errWant != nil || math.Abs(x-y) > apart*math.Abs(y) {
			t.Errorf("%s is %q, want %q", place, got, want)
		}
		compared++
	}
	for n, record := range records {
		field := func(name string) string { return record[slices.Index(header, name)] }
		i, j := n/columns, n%columns
		name := field("row_name") + " × " + field("column_name") + ": "
		if i == 0 {
			if field("base_sample") != "0" {
				equal(name+"base sample", list[0]["base sample"][j], field("column_sample"))
				equal(name+"base size", list[0]["base size"][j], field("column_size"))
			}
			continue
		}
		for _, f := range bookFigures {
			line, told := list[i][f.line]
			at := slices.Index(header, f.column)
			switch {
			case !told || at < 0 || record[at] == "":
			case field("base_sample") == "0":
				if got := line[j]; got != unmeasured {
					t.Errorf("%s%s is %q", name, f.line, got)
				}
			default:
				equal(name+f.line, line[j], record[at])
			}
		}
		if at := slices.Index(header, "higher_than"); at >= 0 && list[i]["above"] != nil {
			if got := strings.ReplaceAll(list[i]["above"][j], " ", ";"); got != record[at] {
				t.Errorf("%sthe letters are %q, want %q", name, got, record[at])
			}
		}
	}
	return compared
}

var raggedTables = []struct {
	name string
	args []string
}{
	{"Brands", []string{"--rows", "brands", "--rows", "visit", "--columns", "gender", "--columns", "waves", "--columns",
		"locations"}},
	{"Sure", []string{"--rows", "brands", "--rows", "mood_old", "--columns", "gender", "--columns", "age", "--stats",
		"--level", "60", "--compare", "columns,rest,previous"}},
	{"Alone", []string{"--rows", "visit", "--base", "answered"}},
}

// A workbook of a ragged survey has the figures of the command's other formats, to the last digit.
func TestWorkbook(t *testing.T) {
	alone(t)
	db, _ := raggedStore(t)
	for _, table := range raggedTables {
		args := append([]string{"crosstab", "--db", db}, table.args...)
		out := filepath.Join(t.TempDir(), "tables.xlsx")
		if said := ok(t, append(args, "--out", out)...); said != "" {
			t.Errorf("it says %q", said)
		}
		f := opened(t, readFile(t, out))
		rows, err := f.GetRows("Crosstab", excelize.Options{RawCellValue: true})
		if err != nil {
			t.Fatal(err)
		}
		if n := sameAsCSV(t, rows, ok(t, append(args, "--format", "csv")...), 0); n < 10 {
			t.Errorf("%s: only %d figures were compared", table.name, n)
		}
		if code, _, errs := run(t, "", append(args, "--out", out)...); code != 1 || !strings.Contains(errs, "--force") {
			t.Errorf("it is replaced: exit %d, %s", code, errs)
		}
		ok(t, append(args, "--out", out, "--force")...)
	}
	for _, c := range []struct{ args, says string }{
		{"--out tables.csv", "a workbook is called NAME.xlsx"},
		{"--out tables.xlsx --format csv", "leave out --format csv"},
		{"--force", "--force replaces the file of --out"},
	} {
		args := append([]string{"crosstab", "--db", db, "--rows", "gender"}, strings.Fields(c.args)...)
		if code, _, errs := run(t, "", args...); code != 2 || !strings.Contains(errs, c.says) {
			t.Errorf("%s: exit %d, %s", c.args, code, errs)
		}
	}
}

// raggedPlan is a plan of raggedTables.
const raggedPlan = `{"tables": [
	{"name": "Brands", "rows": ["brands", "visit"], "columns": ["gender", "waves", "locations"]},
	{"name": "Sure", "rows": ["brands", "mood_old"], "columns": ["gender", "age"],
		"statistics": {"level": 60, "compare": ["columns", "rest", "previous"]}},
	{"name": "Alone", "rows": ["visit"], "base": "answered"}]}`

// raggedBook writes it.
func raggedBook(t testing.TB, db string) string {
	t.Helper()
	out := filepath.Join(t.TempDir(), "book.xlsx")
	if code, said, errs := run(t, raggedPlan, "book", "--db", db, "-", out); code != 0 || said != out+": 3 tables\n" {
		t.Fatalf("exit %d: %s%s", code, said, errs)
	}
	return out
}

// A tab book has each table of its plan on a sheet, with the figures of the crosstab command.
func TestBook(t *testing.T) {
	alone(t)
	db, _ := raggedStore(t)
	out := raggedBook(t, db)
	f := opened(t, readFile(t, out))
	if got := strings.Join(f.GetSheetList(), ","); got != "Contents,Brands,Sure,Alone,Notes" {
		t.Error(got)
	}
	for _, table := range raggedTables {
		rows, err := f.GetRows(table.name, excelize.Options{RawCellValue: true})
		if err != nil {
			t.Fatal(err)
		}
		sameAsCSV(t, rows, ok(t, append([]string{"crosstab", "--db", db, "--format", "csv"}, table.args...)...), 0)
	}
	if code, _, errs := run(t, raggedPlan, "book", "--db", db, "-", out); code != 1 || !strings.Contains(errs, "--force") {
		t.Errorf("it is replaced: exit %d, %s", code, errs)
	}
	for _, c := range []struct{ plan, out, says string }{
		{`{"tables": [{"rows": ["brnds"]}]}`, out, "-: tables[0].rows[0]: brnds: there is no question"},
		{raggedPlan, "book.csv", "a workbook is called NAME.xlsx"},
	} {
		if code, _, errs := run(t, c.plan, "book", "--db", db, "-", c.out); code != 2 || !strings.Contains(errs, c.says) {
			t.Errorf("exit %d, %s", code, errs)
		}
	}
	incompatible := `{"tables": [{"rows": ["gender"]}, {"rows": ["visit"], "columns": ["read"]}]}`
	fresh := filepath.Join(t.TempDir(), "none.xlsx")
	if code, _, errs := run(t, incompatible, "book", "--db", db, "-", fresh); code != 1 ||
		!strings.Contains(errs, "tables[1]: ") {
		t.Errorf("exit %d, %s", code, errs)
	}
	if _, err := os.Stat(fresh); err == nil {
		t.Error("a book that failed is there")
	}
}

// Over HTTP, a workbook for somebody with a floor has the figures of the stream, and says what is withheld.
func TestWorkbookOverHTTP(t *testing.T) {
	alone(t)
	path, _ := raggedStore(t)
	db, err := sqlite.Open(t.Context(), path, sqlite.Config{})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	grant := audience.All()
	grant.MinSample = 2
	api, err := httpapi.New(httpapi.Config{Store: db, Encoders: encoders(), Log: slog.New(slog.DiscardHandler),
		Authorize: func(context.Context, string) (httpapi.Caller, error) {
			return httpapi.Caller{User: "1", Grant: grant}, nil
		}})
	if err != nil {
		t.Fatal(err)
	}
	answered := func(path, accept, body string) *httptest.ResponseRecorder {
		r := httptest.NewRequest(http.MethodPost, path, strings.NewReader(body))
		r.Header.Set("Accept", accept)
		w := httptest.NewRecorder()
		api.ServeHTTP(w, r)
		if w.Code != http.StatusOK {
			t.Fatal(w.Code, w.Body)
		}
		return w
	}
	body := `{"rows": [{"id": "b1", "expression": {"question": "brands", "datapoints": ["b1"]}},
		{"id": "b3", "expression": {"question": "brands", "datapoints": ["b3"]}}],
		"columns": [{"id": "f", "expression": {"question": "gender", "datapoints": ["f"]}},
		{"id": "m", "expression": {"question": "gender", "datapoints": ["m"]}}]}`
	w := answered("/v2/query/crosstab", sheet.MediaType, body)
	if got := w.Header().Get("Content-Type"); got != sheet.MediaType || w.Header().Get("X-Cell-Count") != "4" {
		t.Error(got, w.Header())
	}
	rows, err := opened(t, w.Body.Bytes()).GetRows("Crosstab", excelize.Options{RawCellValue: true})
	if err != nil {
		t.Fatal(err)
	}
	list, n, hidden := linesOf(t, rows), 0, 0
	for line := range strings.Lines(answered("/v2/query/crosstab", "*/*", body).Body.String()) {
		var cell struct {
			Intersect struct{ Size, Index float64 }
			Withheld  bool
		}
		if err := json.Unmarshal([]byte(line), &cell); err != nil {
			t.Fatal(err)
		}
		block, j := list[1+n/2], n%2
		n++
		if cell.Withheld {
			hidden++
			if block["size"][j] != "withheld" || block["index"][j] != "withheld" {
				t.Errorf("cell %d is withheld, and is %q", n, block["size"][j])
			}
			continue
		}
		if block["size"][j] != number(cell.Intersect.Size) || block["index"][j] != number(cell.Intersect.Index) {
			t.Errorf("cell %d: %s %s, want %+v", n, block["size"][j], block["index"][j], cell)
		}
	}
	if n != 4 || hidden == 0 {
		t.Errorf("%d cells, %d of them withheld", n, hidden)
	}
	profile := `{"audience": {"expression": {"question": "gender", "datapoints": ["f"]}}, "questions": ["brands"],
		"min_sample": 2}`
	rows, err = opened(t, answered("/v2/query/profile", sheet.MediaType, profile).Body.Bytes()).GetRows("Profile",
		excelize.Options{RawCellValue: true})
	if err != nil {
		t.Fatal(err)
	}
	told, err := csv.NewReader(answered("/v2/query/profile", "text/csv", profile).Body).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for i, record := range told[1:] {
		row := rows[4+i]
		if record[len(record)-1] == "true" {
			if row[2] != "withheld" {
				t.Errorf("%v is withheld", row)
			}
			continue
		}
		if row[0] != record[2] || row[1] != record[4] || row[2] != record[8] || row[5] != record[11] ||
			row[9] != record[19] || row[10] != record[20] {
			t.Errorf("%v\nwant %v", row, record)
		}
	}
}

// LibreOffice reads a book as it is meant, with the 15 digits that it keeps of a number.
func TestLibreOffice(t *testing.T) {
	office, err := exec.LookPath("soffice")
	switch {
	case !testsize.Whole():
		t.Skipf("it starts LibreOffice: %s=whole does", testsize.Variable)
	case err != nil:
		t.Skipf("soffice is not installed (Debian: apt-get install libreoffice-calc): %v", err)
	}
	db, _ := raggedStore(t)
	home := t.TempDir()
	out := raggedBook(t, db)
	// Fields by commas, UTF-8, numbers as they are and not as they are shown, a file a sheet.
	as := "csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,false,false,false,false,-1"
	cmd := exec.CommandContext(t.Context(), office, "-env:UserInstallation=file://"+home, "--headless", "--convert-to", as,
		"--outdir", home, out)
	if said, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, said)
	}
	for _, table := range raggedTables {
		r := csv.NewReader(bytes.NewReader(readFile(t, filepath.Join(home, "book-"+table.name+".csv"))))
		r.FieldsPerRecord = -1
		rows, err := r.ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		n := sameAsCSV(t, rows, ok(t, append([]string{"crosstab", "--db", db, "--format", "csv"}, table.args...)...), 1e-14)
		if n < 10 {
			t.Errorf("%s: only %d figures were compared", table.name, n)
		}
	}
}
