package sav

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// These tests hold the files of this package against the readers of PSPP and of
// readstat (Debian packages of the same names). They skip where those are not
// installed.

// tool runs a program, which must not complain, and returns what it prints.
func tool(t *testing.T, name string, args ...string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		t.Skipf("%s is not installed (Debian: apt-get install pspp readstat): %v", name, err)
	}
	cmd := exec.Command(path, args...)
	cmd.Env = append(os.Environ(), "LC_ALL=C.UTF-8", "TZ=UTC")
	var out, complaints bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &complaints
	if err := cmd.Run(); err != nil {
		t.Fatalf("%s %v: %v\n%s", name, args, err, complaints.String())
	}
	if s := complaints.String(); s != "" && !strings.HasPrefix(s, "Converted ") {
		t.Errorf("%s %v complains: %s", name, args, s)
	}
	return out.String()
}

// toolTables returns tables with all there is in the format, and random ones.
func toolTables() map[string]*table {
	tables := map[string]*table{"everything": everything()}
	for seed := range uint64(8) {
		tables[fmt.Sprintf("random%d", seed)] = randomTable(random(1000 + seed))
	}
	for _, tb := range tables {
		tb.Dictionary.Label = strings.TrimRight(cutText(tb.Dictionary.Label, 60, ""), " ") // PSPP keeps no more
		for i := range tb.Dictionary.Variables {
			v := &tb.Dictionary.Variables[i]
			if v.Measure == MeasureUnknown {
				v.Measure = Ordinal // PSPP guesses unknown ones
			}
			if n := len(v.Missing.Values); v.Width > 8 && n > 1 {
				// PSPP 1.6 expects more than one missing value of a long string
				// not as SPSS writes them but as itself did by mistake.
				v.Missing.Values = v.Missing.Values[:1]
			}
		}
	}
	return tables
}

// written returns the path of a table's file.
func written(t *testing.T, tb *table, c Compression) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "in.sav")
	if c == Zlib {
		path = filepath.Join(t.TempDir(), "in.zsav")
	}
	if err := os.WriteFile(path, encode(t, tb, WriteOptions{Compression: c}, orders["little"]), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func readBack(t *testing.T, path string) *table {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	_, tb := decode(t, data)
	return tb
}

// TestPSPPConvert has PSPP read a file and write it again, and compares the
// whole dictionary and all data.
func TestPSPPConvert(t *testing.T) {
	for name, tb := range toolTables() {
		for _, c := range compressions {
			t.Run(fmt.Sprint(name, "/", c), func(t *testing.T) {
				comparePSPP(t, &table{filled(tb.Dictionary), tb.Rows}, written(t, tb, c))
			})
		}
	}
}

// comparePSPP has PSPP read the file of a table and write it again, and compares the whole dictionary and all data.
func comparePSPP(t *testing.T, tb *table, in string) {
	t.Helper()
	out := filepath.Join(t.TempDir(), "out.sav")
	tool(t, "pspp-convert", in, out)
	got, want := readBack(t, out), *tb
	asPSPP(&got.Dictionary)
	asPSPP(&want.Dictionary)
	if diff := tableDiff(&want, got); diff != "" {
		t.Errorf("differs after PSPP (-want +got):\n%s", diff)
	}
}

// tableDiff tells where two tables differ. Rows are only shown if they do: showing takes long.
func tableDiff(want, got *table) string {
	if slices.EqualFunc(want.Rows, got.Rows, slices.Equal[[]Value]) {
		return gocmp.Diff(&want.Dictionary, &got.Dictionary, values, cmpopts.EquateEmpty())
	}
	return gocmp.Diff(want, got, values, cmpopts.EquateEmpty())
}

// asPSPP takes out of a dictionary what PSPP does not keep: it writes a product
// and a time of its own, and makes its own order of labels, sets and short names.
func asPSPP(d *Dictionary) {
	d.Product, d.Created = "", time.Time{}
	d.Variables = slices.Clone(d.Variables)
	for i := range d.Variables {
		v := &d.Variables[i]
		v.Short = ""
		v.Labels = slices.Clone(v.Labels)
		slices.SortFunc(v.Labels, func(a, b ValueLabel) int {
			return cmp.Or(cmp.Compare(a.Value.number, b.Value.number), cmp.Compare(a.Value.text, b.Value.text))
		})
		v.Attributes = byName(v.Attributes)
	}
	d.Attributes = byName(d.Attributes)
	d.Sets = slices.Clone(d.Sets)
	slices.SortFunc(d.Sets, func(a, b Set) int { return cmp.Compare(a.Name, b.Name) })
}

func byName(attrs []Attribute) []Attribute {
	return slices.SortedFunc(slices.Values(attrs), func(a, b Attribute) int { return cmp.Compare(a.Name, b.Name) })
}

// TestPSPPDictionary compares what PSPP prints of the dictionary.
func TestPSPPDictionary(t *testing.T) {
	in := written(t, everything(), Bytecode)
	syntax := filepath.Join(filepath.Dir(in), "show.sps")
	commands := fmt.Sprintf("GET FILE='%s'.\nDISPLAY DICTIONARY.\nMRSETS /DISPLAY NAME=ALL.\nSHOW WEIGHT.\nDISPLAY "+
		"ATTRIBUTES.\n", in)
	if err := os.WriteFile(syntax, []byte(commands), 0o600); err != nil {
		t.Fatal(err)
	}
	got := tool(t, "pspp", "-O", "format=csv", syntax)
	for _, want := range []string{
		"respondent_number,1,Number,Scale,None,6,Right,F5.1,F6.2,\n",
		"weight,4,,Scale,Input,6,Right,F5.1,F6.2,-1\n",
		"range,5,Range,Nominal,Input,6,Right,F5.1,F6.2,LOWEST THRU -1; 99\n",
		"open,6,Open,Nominal,Input,6,Right,F5.1,F6.2,1000 THRU HIGHEST\n",
		"when,7,Date,Nominal,Input,6,Right,DATETIME23.2,DATE11,\n",
		"letter,8,,Nominal,Input,12,Left,A1,A1,\"\"\"x\"\"; \"\"y\"\"; \"\"z\"\"\"\n",
		"nine,10,,Nominal,Input,12,Left,A9,A9,\"\"\"eightbyt\"\"\"\n",
		"very_long_two,12,,Nominal,Split,12,Left,A1335,A1335,\n",
		"Apples,.0,No\n,1.0,\"Yes, größer €\"\n",
		"nine,,Nothing\n,ninebytes,Nine\n",
		"$cats,,Categories,,\"choice_b\nchoice_a\ngröße\"\n",
		"$fruit,Fruit\twith tab,Dichotomies,1,\"choice_a\nchoice_b\"\n",
		"$source,Apples,Dichotomies,-12,\"choice_a\nrange\"\n",
		"$texts,Of texts – counted,Dichotomies,a,\"letter\neight\"\n",
		"(dataset),origin[1],here\n,origin[2],there\n,quote,it's 'so'\nvery_long_two,note[1],a\n,note[2],b\n",
		"weight",
	} {
		if !strings.Contains(strings.ReplaceAll(got, "\"Fruit\twith tab\"", "Fruit\twith tab"), want) {
			t.Errorf("PSPP does not show %q in:\n%s", want, got)
		}
	}
}

// TestReadstat has readstat read a file and write it again as .sav and as CSV.
func TestReadstat(t *testing.T) {
	for name, tb := range toolTables() {
		for _, c := range compressions {
			t.Run(fmt.Sprint(name, "/", c), func(t *testing.T) {
				compareReadstat(t, tb, written(t, tb, c), c)
			})
		}
	}
}

// compareReadstat has readstat read the file of a table and write it again, and compares what it knows of the
// dictionary, and all data.
func compareReadstat(t *testing.T, tb *table, in string, c Compression) {
	t.Helper()
	compareCSV(t, tb, tool(t, "readstat", in, "-"))
	// readstat 1.1 crashes when it writes a weighted file, PSPP's as well.
	want := *tb
	want.Dictionary.Weight = ""
	in = written(t, &want, c)
	out := filepath.Join(filepath.Dir(in), "out.sav")
	tool(t, "readstat", in, out)
	got := readBack(t, out)
	want.Dictionary = filled(want.Dictionary)
	asReadstat(&got.Dictionary)
	asReadstat(&want.Dictionary)
	if diff := tableDiff(&want, got); diff != "" {
		t.Errorf("differs after readstat (-want +got):\n%s", diff)
	}
}

// asReadstat takes out of a dictionary what readstat does not write, although it
// reads it: missing values and widths of short strings, labels of long ones,
// formats, alignments, and the end of value labels over 120 bytes.
func asReadstat(d *Dictionary) {
	asPSPP(d)
	d.Documents, d.Attributes, d.Sets = nil, nil, nil
	for i := range d.Variables {
		v := &d.Variables[i]
		v.Attributes, v.Role, v.Print, v.Write, v.Align = nil, Input, Format{}, Format{}, Left
		if v.Width > 0 {
			v.Missing = Missing{}
			if v.Width <= 255 {
				v.Width = (v.Width + 7) / 8 * 8
			}
		}
		if v.Width > 8 {
			v.Labels = nil
		}
		for k, l := range v.Labels {
			v.Labels[k].Label = strings.TrimRight(cutText(l.Label, 117, ""), " ")
		}
	}
}

// TestGeneratedRewritten reads the large generated file, writes it in every
// compression, and expects readstat to make the same table of all of them, and
// PSPP the same tables of the dictionary as of the original.
func TestGeneratedRewritten(t *testing.T) {
	original := fixture(t, "sav-generated/example_a_mrsets.sav")
	f := openFixture(t, "sav-generated/example_a_mrsets.sav")
	wantTable := tool(t, "readstat", original, "-")
	show := func(path string) string {
		syntax := filepath.Join(t.TempDir(), "show.sps")
		commands := fmt.Sprintf("GET FILE='%s'.\nDISPLAY DICTIONARY.\nMRSETS /DISPLAY NAME=ALL.\nSHOW "+
			"WEIGHT.\nFREQUENCIES q1.\n", path)
		if err := os.WriteFile(syntax, []byte(commands), 0o600); err != nil {
			t.Fatal(err)
		}
		return strings.ReplaceAll(tool(t, "pspp", "-O", "format=csv", syntax), syntax, "show.sps")
	}
	wantShown := show(original)
	for _, c := range compressions {
		t.Run(c.String(), func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "again.sav")
			if c == Zlib {
				path = filepath.Join(t.TempDir(), "again.zsav")
			}
			file, err := os.Create(path)
			if err != nil {
				t.Fatal(err)
			}
			defer file.Close()
			if err := Write(file, &f.Dictionary, f.Rows(), WriteOptions{Compression: c}); err != nil {
				t.Fatal(err)
			}
			if err := file.Close(); err != nil {
				t.Fatal(err)
			}
			if tool(t, "readstat", path, "-") != wantTable {
				t.Error("readstat makes another table of the file")
			}
			if diff := gocmp.Diff(wantShown, show(path)); diff != "" {
				t.Errorf("PSPP shows it differently (-original +rewritten):\n%s", diff)
			}
		})
	}
}

// TestReadstatMetadata compares names and labels with what readstat extracts. It
// extracts none for long strings, whoever wrote them; those PSPP has to confirm.
func TestReadstatMetadata(t *testing.T) {
	type category struct {
		Code  any
		Label string
	}
	type variable struct {
		Type, Name, Label string
		Categories        []category
	}
	for name, tb := range toolTables() {
		t.Run(name, func(t *testing.T) {
			for i := range tb.Dictionary.Variables {
				// It gives up at missing values of strings, and writes invalid
				// JSON for open ranges.
				tb.Dictionary.Variables[i].Missing = Missing{}
			}
			in := written(t, tb, Bytecode)
			out := filepath.Join(filepath.Dir(in), "out.json")
			if _, err := exec.LookPath("extract_metadata"); err != nil {
				t.Skip("extract_metadata is not installed (Debian: apt-get install readstat)")
			}
			if text, err := exec.Command("extract_metadata", in, out).CombinedOutput(); err != nil {
				t.Fatalf("extract_metadata: %v\n%s", err, text)
			}
			text, err := os.ReadFile(out)
			if err != nil {
				t.Fatal(err)
			}
			var got struct{ Variables []variable }
			if err := json.Unmarshal(text, &got); err != nil {
				t.Fatalf("%v in %s", err, text)
			}
			var want []variable
			for i := range tb.Dictionary.Variables {
				v := &tb.Dictionary.Variables[i]
				x := variable{Type: "NUMERIC", Name: v.Name, Label: v.Label}
				if !v.Numeric() {
					x.Type = "STRING"
				}
				for _, l := range v.Labels {
					if v.Width > 8 {
						break
					}
					code := any(l.Value.text)
					if f, ok := l.Value.Float(); ok {
						code, _ = strconv.ParseFloat(strconv.FormatFloat(f, 'f', 6, 64), 64)
					}
					x.Categories = append(x.Categories, category{code, l.Label})
				}
				want = append(want, x)
			}
			if diff := gocmp.Diff(want, got.Variables, cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("(-want +readstat):\n%s", diff)
			}
		})
	}
}

// compareCSV compares the data with the table that readstat prints.
func compareCSV(t *testing.T, tb *table, text string) {
	t.Helper()
	rows := readCSV(t, strings.NewReader(text))
	if len(rows) != len(tb.Rows)+1 {
		t.Fatalf("readstat prints %d rows; expected %d", len(rows)-1, len(tb.Rows))
	}
	for i, row := range tb.Rows {
		for k, x := range row {
			cell, want := rows[i+1][k], x.String()
			if f, ok := x.Float(); ok {
				_, decimals, _ := strings.Cut(cell, ".")
				want = strconv.FormatFloat(f, 'f', len(decimals), 64)
			}
			if cell != want {
				t.Errorf("row %d, %s: readstat has %q; expected %q", i+1, tb.Dictionary.Variables[k].Name, cell, want)
			}
		}
	}
}
