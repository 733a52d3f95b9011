package formats_test

import (
	"encoding/json"
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/crosswave/crosswave/store/formats"
	"github.com/crosswave/crosswave/store/guess"
	"github.com/google/go-cmp/cmp"
)

// The same survey as .sav and as .dta (testdata/survey.R) is guessed the same and holds the same: what is user-missing
// in one is .a and .b in the other.
func TestStataIsReadAsSPSSIs(t *testing.T) {
	sources := map[string]string{}
	for _, name := range []string{"survey.sav", "survey.dta"} {
		f, err := formats.Open("testdata/"+name, formats.Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		m, err := f.Guess(t.Context(), guess.Options{})
		if err != nil {
			t.Fatal(err)
		}
		text, err := json.MarshalIndent(m.Codebook, "", "  ")
		if err != nil {
			t.Fatal(err)
		}
		var readings strings.Builder
		if _, err := m.WriteTo(&readings); err != nil {
			t.Fatal(err)
		}
		sources[name] = strings.NewReplacer(`".a"`, `"98"`, `".b"`, `"99"`).Replace(string(text)) + readings.String()
		if !strings.Contains(sources[name], `"99"`) {
			t.Errorf("%s: its missing values are not", name)
		}
	}
	if diff := cmp.Diff(sources["survey.sav"], sources["survey.dta"]); diff != "" {
		t.Error(diff)
	}
	spss, _ := open(t, "testdata/survey.sav", true)
	stata, _ := open(t, "testdata/survey.dta", true)
	sameSurvey(t, spss, stata)
	want, _ := stored(t, spss)
	got, report := stored(t, stata)
	if same(t, want, got); len(report.Unlisted) > 0 {
		t.Errorf("%+v", report.Unlisted)
	}
}

// A Stata file may be packed as any other, and its cells are the same then.
func TestStataPacked(t *testing.T) {
	data, err := os.ReadFile("testdata/survey.dta")
	if err != nil {
		t.Fatal(err)
	}
	var want [][]string
	for i, path := range []string{put(t, "f.dta", string(data)), put(t, "f.dta.gz", gzipped(t, string(data))),
		put(t, "f.zip", zipped(t, member{"data/Survey.DTA", string(data)}, member{"read.me", "x"}))} {
		f, err := formats.Open(path, formats.Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		rows := cells(t, f)
		if i == 0 {
			want = rows
		}
		if diff := cmp.Diff(want, rows); diff != "" || f.Format != formats.Stata || len(rows) != 61 {
			t.Errorf("%s: %s, %d rows, %s", path, f.Format, len(rows), diff)
		}
	}
}

// What is not read of Stata's formats is refused by what it is.
func TestStataRefused(t *testing.T) {
	for text, says := range map[string]string{
		"<stata_dta><header><release>121</release><byteorder>LSF</byteorder>": "the format of the file has the number 121",
		"\x67\x02\x01\x00": "the format of the file has the number 103",
		"\x73\x02\x01\x00": "damaged Stata file",
		"<stata_dta>":      "damaged Stata file",
	} {
		f, err := formats.Open(put(t, "f.dta", text), formats.Options{})
		if err == nil {
			f.Close()
		}
		var own *formats.Error
		if !errors.As(err, &own) || !strings.Contains(err.Error(), says) {
			t.Errorf("%v, want %q", err, says)
		}
	}
	if f, err := formats.Open("testdata/survey.dta", formats.Options{Sheet: "a"}); err == nil {
		f.Close()
		t.Error("a sheet of a Stata file is taken")
	}
	if _, err := formats.Open("testdata/survey.dta", formats.Options{Encoding: "klingon"}); err == nil ||
		!strings.Contains(err.Error(), "klingon") {
		t.Error(err)
	}
}

// wideDTA writes a Stata file of format 104 of so many variables, each a letter.
func wideDTA(variables int) func(t *testing.T) string {
	return func(t *testing.T) string {
		var b strings.Builder
		field := func(size int, text string) { b.WriteString(text + strings.Repeat("\x00", size-len(text))) }
		b.WriteString("\x68\x02\x01\x00" + string([]byte{byte(variables), byte(variables >> 8)}))
		rows := (megabyte-60*variables)/variables + 1
		field(4, string([]byte{byte(rows), byte(rows >> 8)}))
		field(32, "")
		b.WriteString(strings.Repeat("\x80", variables))
		for i := range variables {
			field(9, "v"+ownNumber(i))
		}
		field(2*(variables+1), "")
		field(7*variables, "")
		field(9*variables, "")
		field(32*variables, "")
		for row := range rows {
			for i := range variables {
				b.WriteByte(byte('a' + (row+i)%7))
			}
		}
		return put(t, "f.dta", b.String())
	}
}

// ownNumber is a number in the digits that a name of eight letters has room for.
func ownNumber(i int) string {
	const digits = "0123456789abcdefghijklmnopqrstuvwxyz"
	text := ""
	for ; i > 0 || text == ""; i /= len(digits) {
		text = digits[i%len(digits):][:1] + text
	}
	return text
}
