package sss

import (
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"
)

const megabyte = 1 << 20

// hostile are files of about 1 MB each that ask for much more.
func hostile() map[string][2]string {
	fill := func(before, unit, after string) string {
		return before + strings.Repeat(unit, megabyte/len(unit)) + after
	}
	one := func(inside string) string {
		return survey("", variable("a", `type="multiple"`, position(1, 65536)+inside))
	}
	tags := func(format string) string { // one survey whose variables are all the unit
		return survey(format, strings.Repeat(`<variable type="multiple"><name>a</name><position start="1" `+
			`finish="65536"/><values><range from="1" to="65536"/></values></variable>`, 8))
	}
	csv := survey(`format="csv"`, variable("a", `type="logical"`, position(1, 1)))
	return map[string][2]string{
		"values": {one(fill("<values>", `<value code="1"/>`, "</values>")), "1"},
		"texts":  {one(fill(`<values><value code="1">`, "<text>a</text>", "</value></values>")), "1"},
		"ranges": {one(fill("<values>", `<range from="1" to="2"/>`, "</values>")), "1"},
		"variables": {survey("", fill("", `<variable type="logical"><name>a</name><position start="1"/></variable>`,
			"")), strings.Repeat("1\n", megabyte/200)},
		"breaks":     {one(`<values><value code="1">` + fill("", "<br/>", "") + "</value></values>"), "1"},
		"notes":      {survey("", fill("", "<x/>", logical)), "1"},
		"attributes": {survey("", "<x "+fill("", `a="" `, "")+"/>"+logical), "1"},
		"deep":       {fill("", "<a>", ""), ""},
		"directive":  {"<!DOCTYPE " + fill("", "<!a>", "") + ">" + survey("", logical)[21:], "1"},
		"bits":       {tags(""), strings.Repeat("1", megabyte)},
		"CSV bits":   {tags(`format="csv"`), strings.Repeat("1", megabyte)},
		"commas":     {csv, strings.Repeat(",", megabyte)},
		"quotes":     {csv, strings.Repeat(`"",`, megabyte/3)},
		"open quote": {csv, `"` + strings.Repeat("\n", megabyte)},
		"sub-fields": {survey("", variable("a", `type="multiple"`, position(1, 524288)+`<spread subfields="131072" `+
			`width="4"/>`)), strings.Repeat("0123456789abcdef", 1)[:10] + fill("", "1234", "")},
		"different sub-fields": {survey("", variable("a", `type="multiple" format="literal"`, position(1, 524280)+
			`<spread subfields="131070" width="4"/>`)),
			func() string {
				var b strings.Builder
				for i := range 131070 {
					fmt.Fprintf(&b, "%04x", i%65536)
				}
				return b.String()
			}()},
		"blank lines": {survey("", logical), strings.Repeat("\n", megabyte) + "1"},
		"skip":        {survey(`skip="16777216"`, logical), strings.Repeat("1\n", megabyte/2)},
	}
}

// What files of 1 MB make the reader hold, the files left out, stays under 64 MB.
func TestMemoryHeld(t *testing.T) {
	live := func() int64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return int64(m.HeapAlloc)
	}
	for name, files := range hostile() {
		t.Run(name, func(t *testing.T) {
			before := live()
			held := func(what string) {
				if n := live() - before; n > 64<<20 {
					t.Errorf("%s holds %d MB", what, n>>20)
				} else {
					t.Logf("%s: %d KB", what, n>>10)
				}
			}
			d, err := ParseDefinition(strings.NewReader(files[0]))
			if err != nil {
				held("the error")
				return
			}
			held("the definition")
			r, err := Open(d, strings.NewReader(files[1]), Options{Lenient: true})
			if err != nil {
				t.Fatal(err)
			}
			for _, err := range r.Cases() {
				held("a case")
				if err != nil {
					t.Log(err)
				}
				break
			}
			runtime.KeepAlive(r)
		})
	}
}

// repeated gives one record over and over, without holding more than one.
type repeated struct {
	record string
	n, at  int
}

func (r *repeated) Read(p []byte) (int, error) {
	n := 0
	for n < len(p) && r.n > 0 {
		k := copy(p[n:], r.record[r.at:])
		n += k
		if r.at += k; r.at == len(r.record) {
			r.at = 0
			r.n--
		}
	}
	if n == 0 {
		return 0, io.EOF
	}
	return n, nil
}

// Memory doesn't grow with the number of cases: the same is held after 100 and after 20,000.
func TestMemoryIsFlat(t *testing.T) {
	for _, format := range []string{"", `format="csv"`} {
		d, err := ParseDefinition(strings.NewReader(everyType(format)))
		if err != nil {
			t.Fatal(err)
		}
		record := "01A 1101 0402  1.40abc  120240229235959\n"
		if format != "" {
			record = "1,A,\"11010\",\"0402\",1.40,abc,1,20240229,235959\n"
		}
		r, err := Open(d, &repeated{record: record, n: 20000}, Options{})
		if err != nil {
			t.Fatal(err)
		}
		n, first := 0, uint64(0)
		for _, err := range r.Cases() {
			if err != nil {
				t.Fatal(err)
			}
			if n++; n == 100 || n == 20000 {
				var m runtime.MemStats
				runtime.GC()
				runtime.ReadMemStats(&m)
				if n == 100 {
					first = m.HeapAlloc
				} else if m.HeapAlloc > first+1<<20 {
					t.Errorf("%d bytes held after 100 cases, %d after 20,000", first, m.HeapAlloc)
				}
			}
		}
		if n != 20000 {
			t.Error(n, "cases")
		}
	}
}

// A record that is too long is refused before it is held whole.
func TestEndlessRecord(t *testing.T) {
	// a line without an end, a quote without one
	for format, start := range map[string]string{"": "", `format="csv"`: "\""} {
		d, err := ParseDefinition(strings.NewReader(survey(format, logical)))
		if err != nil {
			t.Fatal(err)
		}
		unit := "1"
		if start != "" {
			unit = "1\n"
		}
		source := io.MultiReader(strings.NewReader(start), &repeated{record: strings.Repeat(unit, 1<<12), n: 1 << 40})
		r, err := Open(d, source, Options{})
		if err != nil {
			t.Fatal(err)
		}
		for _, err = range r.Cases() {
			if err != nil {
				break
			}
		}
		var e *DataError
		if !errors.As(err, &e) || !strings.Contains(err.Error(), "more than 16 MiB") {
			t.Error(err)
		}
	}
}
