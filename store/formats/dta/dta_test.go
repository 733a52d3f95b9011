package dta

import (
	"encoding/binary"
	"encoding/csv"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// everything is a file with a variable of every kind that a format has.
func everything(release int, order binary.ByteOrder) *made {
	m := &made{
		release: release, order: order, label: "Fruit, 2026", stamp: "30 Nov 2026 08:05",
		vars: []Variable{
			{Name: "id", Label: "Number", Type: Int, Format: "%8.0g"},
			{Name: "sex", Label: "What are you?", Type: Byte, Format: "%8.0g", Table: "sex"},
			{Name: "Sex", Label: "", Type: Long, Format: "%12.0g", Table: "sex"},
			{Name: "weight", Label: "Weight", Type: Float, Format: "%9.0g"},
			{Name: "size", Label: "Size", Type: Double, Format: "%9.0g", Table: "gone"},
			{Name: "day", Label: "Day", Type: Int, Format: "%d"},
			{Name: "town", Label: "Town", Type: Text, Width: 6, Format: "%9s"},
		},
		tables: []madeTable{{"none", []int32{1}, []string{"x"}}, {"sex", []int32{2, 1, -1},
			[]string{"Woman", "Man", "Skip"}}},
		notes: []string{"_dta note0", "sex _lang_l_fr Vous"},
		rows: [][]any{
			{1, 1, 2, 1.1, 1e-3, 0, "Oslo"},
			{-32767, -127, -2147483647, -0.25, 12345678901.5, 24174, "Bergen"},
			{SystemMissing, SystemMissing, SystemMissing, SystemMissing, SystemMissing, SystemMissing, ""},
		},
	}
	if release >= 113 {
		m.tables[1].codes, m.tables[1].labels = append(m.tables[1].codes, 2147483622, 2147483647, 2147483621),
			append(m.tables[1].labels, "Not asked", "Last", "Nothing")
		m.rows = append(m.rows, []any{Missing('a'), Missing('b'), Missing('c'), Missing('d'), Missing('e'), Missing('f'),
			"z "})
	}
	if release >= 117 {
		m.vars = append(m.vars, Variable{Name: "words", Label: "Words", Type: LongText, Format: "%9s"})
		m.long = []madeLong{{reference{8, 1}, longText, "long\x00"}, {reference{8, 3}, longText, "words are\x00"}}
		for i, ref := range []reference{{8, 1}, {}, {8, 3}, {8, 1}} {
			m.rows[i] = append(m.rows[i], ref)
		}
	}
	return m
}

func TestEveryFormat(t *testing.T) {
	for _, release := range releases {
		for name, order := range orders {
			t.Run(fmt.Sprint(release, name), func(t *testing.T) {
				f := opened(t, everything(release, order).encode())
				if f.Release != release || f.ByteOrder != order || f.Label != "Fruit, 2026" || f.Encoding != "UTF-8" {
					t.Errorf("%d, %v, %q, %q", f.Release, f.ByteOrder, f.Label, f.Encoding)
				}
				if at := time.Date(2026, 11, 30, 8, 5, 0, 0, time.UTC); release > 104 && f.Created != at {
					t.Error(f.Created)
				}
				want := [][]string{
					{"1", "1", "2", "1.1", "0.001", "1960-01-01", "Oslo"},
					{"-32767", "-127", "-2147483647", "-0.25", "12345678901.5", "2026-03-09", "Bergen"},
					{"", "", "", "", "", "", ""},
				}
				labels := []string{"2=Woman", "1=Man", "-1=Skip"}
				if release >= 113 {
					want = append(want, []string{".a", ".b", ".c", ".d", ".e", ".f", "z"})
					labels = append(labels, ".a=Not asked", ".z=Last")
				}
				if release >= 117 {
					for i, text := range []string{"long", "", "words are", "long"} {
						want[i] = append(want[i], text)
					}
				}
				if diff := cmp.Diff(want, cells(t, f)); diff != "" {
					t.Error(diff)
				}
				for _, i := range []int{1, 2} {
					var got []string
					for _, l := range f.Variables[i].Labels {
						got = append(got, l.Value()+"="+l.Label)
					}
					if diff := cmp.Diff(labels, got); diff != "" {
						t.Error(diff)
					}
				}
				if v := &f.Variables[4]; v.Name != "size" || v.Label != "Size" || v.Type != Double || v.Table != "gone" ||
					v.Labels != nil || v.Unit() != NoDate || f.Variables[5].Unit() != Days {
					t.Errorf("%+v", v)
				}
				if notes := fmt.Sprint(f.Notes()); !strings.Contains(notes, `variable "size" has the labels "gone"`) {
					t.Error(notes)
				}
			})
		}
	}
}

// Every missing value of every type, and the numbers beside them.
func TestMissingValues(t *testing.T) {
	vars := []Variable{{Name: "b"}, {Name: "i", Type: Int}, {Name: "l", Type: Long}, {Name: "f", Type: Float},
		{Name: "d", Type: Double}}
	for _, release := range []int{112, 113, 118} {
		for _, order := range orders {
			m := &made{release: release, order: order, vars: vars}
			last := 1
			m.rows = append(m.rows, []any{SystemMissing, SystemMissing, SystemMissing, SystemMissing, SystemMissing})
			if release > 112 {
				for c := Missing('a'); c <= 'z'; c++ {
					m.rows = append(m.rows, []any{c, c, c, c, c})
				}
				last = len(m.rows)
				m.rows = append(m.rows, []any{100, 32740, 2147483620, 1.7e38, 8.9e307})
			} else {
				m.rows = append(m.rows, []any{126, 32766, 2147483646, 1.7e38, 8.9e307})
			}
			m.rows = append(m.rows, []any{-127, -32767, -2147483647, -1.7e38, -8.9e307})
			f := opened(t, m.encode())
			for r, err := range f.Rows() {
				if err != nil {
					t.Fatal(err)
				}
				for i := range f.Variables {
					number, is := r.Float(i)
					want, _ := m.rows[r.Row-1][i].(Missing)
					if got := r.Missing(i); got != want || is != (want == 0) || is != (r.Row > int64(last)) {
						t.Errorf("format %d, row %d, variable %d: %g, %q, want %q", release, r.Row, i, number, got, want)
					}
				}
			}
		}
	}
	if a, none := Missing('a').String(), Missing(0).String(); a != ".a" || none != "" || SystemMissing.String() != "." {
		t.Error(a, none)
	}
}

// What no program of Stata's writes: numbers beyond those that are missing, infinite ones and none at all.
func TestNoNumbers(t *testing.T) {
	for _, bits := range []uint64{0x7fe0000000000001, 0x7ff0000000000000, 0x7ff8000000000001, 0xfff0000000000000,
		0xfff8000000000000} {
		var b [8]byte
		binary.LittleEndian.PutUint64(b[:], bits)
		if f, m := number(Double, b[:], binary.LittleEndian, true); m != SystemMissing {
			t.Errorf("%x: %g, %q", bits, f, m)
		}
	}
	for _, bits := range []uint32{0x7f000001, 0x7f800000, 0x7fc00000, 0xff800000, 0xffc00000} {
		var b [4]byte
		binary.LittleEndian.PutUint32(b[:], bits)
		if f, m := number(Float, b[:], binary.LittleEndian, true); m != SystemMissing {
			t.Errorf("%x: %g, %q", bits, f, m)
		}
	}
}

func TestNumbers(t *testing.T) {
	for _, c := range []struct {
		f      float64
		double string
		float  string
	}{
		{0, "0", "0"}, {-3, "-3", "-3"}, {0.1, "0.1", "0.1"}, {1e-7, "0.0000001", "0.0000001"},
		{1e20, "100000000000000000000", "100000002004087730000"}, {123456792, "123456792", "123456792"}, {2.5, "2.5", "2.5"},
	} {
		if got := string(AppendNumber(nil, c.f)); got != c.double {
			t.Errorf("%g: %s, want %s", c.f, got, c.double)
		}
		if got := string(appendFloat(nil, float64(float32(c.f)))); got != c.float {
			t.Errorf("%g as a float: %s, want %s", c.f, got, c.float)
		}
	}
}

func TestDates(t *testing.T) {
	for _, c := range []struct {
		format Format
		number float64
		want   string // "": it is no date
	}{
		{"%td", 0, "1960-01-01"}, {"%tdD_m_Y", -1, "1959-12-31"}, {"%d", 24174, "2026-03-09"},
		{"%-dD_m_CY", 59, "1960-02-29"},
		{"%td", 24174.9, "2026-03-09"}, {"%td", -679350, "0100-01-01"}, {"%td", -679351, ""}, {"%td", 2936549, "9999-12-31"},
		{"%td", 2936550, ""}, {"%td", 1e300, ""},
		{"%tc", 0, "1960-01-01T00:00:00"}, {"%tc", -1, "1959-12-31T23:59:59.999"}, {"%-tcNN/DD/CCYY_HH:MM", 2088639905500,
			"2026-03-09T01:45:05.5"}, {"%tc", 2088639905500.4, "2026-03-09T01:45:05.5"},
		{"%tcHH:MM:SS", 61200000, "17:00:00"}, {"%tchh:MM_am", 60000, "00:01:00"},
		{"%tcHH:MM", 86400000, "1960-01-02T00:00:00"},
		{"%tC", 0, "1960-01-01T00:00:00"}, {"%tC", 394416001000, "1972-07-01T00:00:00"},
		{"%tC", 2088639932500, "2026-03-09T01:45:05.5"},
		{"%tw", 0, "1960-01-01"}, {"%tw", 51, "1960-12-23"}, {"%tw", -1, "1959-12-24"}, {"%tw", 3441, "2026-03-05"},
		{"%tm", 0, "1960-01"}, {"%tm", 794, "2026-03"}, {"%tm", -1, "1959-12"}, {"%tmMon_CCYY", 794, "2026-03"},
		{"%tq", 265, "2026-04-01"}, {"%tq", -1, "1959-10-01"}, {"%th", 133, "2026-07-01"}, {"%th", -1, "1959-07-01"},
		{"%th", -1e9, ""}, {"%ty", 2026, ""}, {"%tbcal", 5, ""}, {"%tg", 5, ""}, {"%9.0g", 5, ""}, {"%t", 5, ""}, {"", 5, ""},
		{"%-9.2f", 5, ""},
	} {
		if got, ok := c.format.Unit().ISO(c.number); got != c.want || ok != (c.want != "") {
			t.Errorf("%s of %f: %q, %v, want %q", c.format, c.number, got, ok, c.want)
		}
	}
}

// The first leap second, and those before and after it.
func TestLeapSeconds(t *testing.T) {
	july := int64(394416000000) // the start of 1 July 1972
	if len(leapDays) != 27 {
		t.Error(len(leapDays))
	}
	years := "1972-07 1973 1974 1975 1976 1977 1978 1979 1980 1981-07 1982-07 1983-07 1985-07 1988 1990 1991 1992-07 " +
		"1993-07 1994-07 1996 1997-07 1999 2006 2009 2012-07 2015-07 2017"
	for i, text := range strings.Fields(years) {
		day, err := time.Parse("2006-01", text+"-01"[:max(0, 7-len(text))])
		if err != nil {
			t.Fatal(err)
		}
		if got := (day.Unix() - epoch) / 86400; got != leapDays[i] {
			t.Errorf("%s is day %d, not %d", text, got, leapDays[i])
		}
	}
	for ms, want := range map[int64]int64{july - 1: july - 1, july: july - 1, july + 999: july - 1, july + 1000: july,
		july + 2000: july + 1000} {
		if got := withoutLeaps(ms); got != want {
			t.Errorf("%d: %d, want %d", ms-july, got-july, want-july)
		}
	}
}

// A number of a date that has a label is no date.
func TestLabelledDates(t *testing.T) {
	f := opened(t, (&made{release: 118, order: orders["big"],
		vars: []Variable{{Name: "day", Type: Int, Format: "%td", Table: "why"},
			{Name: "b", Type: Int, Format: "%td", Table: "why"}},
		tables: []madeTable{{"why", []int32{-3, 2147483622}, []string{"error", "none"}}},
		rows:   [][]any{{-3, -4}, {24174, Missing('a')}}}).encode())
	if diff := cmp.Diff([][]string{{"-3", "1959-12-28"}, {"2026-03-09", ".a"}}, cells(t, f)); diff != "" {
		t.Error(diff)
	}
}

// The files that R's haven and foreign wrote of what testdata/make.R made up.
func TestOfR(t *testing.T) {
	for _, name := range []string{"haven12", "haven13", "haven14", "foreign6", "foreign10"} {
		t.Run(name, func(t *testing.T) {
			data, err := os.ReadFile("testdata/" + name + ".dta")
			if err != nil {
				t.Fatal(err)
			}
			text, err := os.ReadFile("testdata/" + name + ".csv")
			if err != nil {
				t.Fatal(err)
			}
			want, err := csv.NewReader(strings.NewReader(string(text))).ReadAll()
			if err != nil {
				t.Fatal(err)
			}
			f := opened(t, data)
			var header, labels []string
			for _, v := range f.Variables {
				header = append(header, v.Name)
				for _, l := range v.Labels {
					labels = append(labels, v.Name+" "+l.Value()+"="+l.Label)
				}
			}
			if diff := cmp.Diff(want, append([][]string{header}, cells(t, f)...)); diff != "" {
				t.Error(diff)
			}
			says := "group 1=low, group 2=high"
			if strings.HasPrefix(name, "haven") {
				says = "sex 1=Man, sex 2=Woman, sex .a=Not asked, sex .b=Refused, agree -1=I do not, agree 0=Neither, agree 1=I do"
			}
			if got := strings.ReplaceAll(strings.Join(labels, ", "), "don’t", "do not"); got != says {
				t.Error(got)
			}
		})
	}
}
