package sav

import (
	"bytes"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// builder makes files byte by byte, so that the reader is not only held against
// the writer of this package.
type builder struct {
	order byteOrder
	b     []byte
}

func (b *builder) text(s string, n int) *builder {
	b.b = append(b.b, s...)
	b.b = append(b.b, strings.Repeat(" ", n-len(s))...)
	return b
}

func (b *builder) ints(values ...int32) *builder {
	for _, v := range values {
		b.b = b.order.AppendUint32(b.b, uint32(v))
	}
	return b
}

func (b *builder) floats(values ...float64) *builder {
	for _, v := range values {
		b.b = b.order.AppendUint64(b.b, math.Float64bits(v))
	}
	return b
}

func (b *builder) bytes(values ...byte) *builder {
	b.b = append(b.b, values...)
	return b
}

func newFile(order byteOrder, compression, weight, cases int32) *builder {
	b := &builder{order: order}
	b.text("$FL2", 4).text("@(#) SPSS DATA FILE test", 60).ints(2, -1, compression, weight, cases).floats(100)
	return b.text("01 Jan 99", 9).text("10:20:30", 8).text("A label", 64).bytes(0, 0, 0)
}

// number adds a variable record; missing is its code and its values.
func (b *builder) number(name, label string, format int32, missing ...float64) *builder {
	code := int32(0)
	if len(missing) > 0 {
		code, missing = int32(missing[0]), missing[1:]
	}
	b.ints(2, 0, 0, code, format, format).text(name, 8)
	if label != "" {
		b.order.PutUint32(b.b[len(b.b)-24:], 1)
		b.ints(int32(len(label))).text(label, (len(label)+3)/4*4)
	}
	return b.floats(missing...)
}

func (b *builder) str(name string, width int, missing ...string) *builder {
	b.ints(2, int32(width), 0, int32(len(missing)), 1<<16|int32(width)<<8, 1<<16|int32(width)<<8).text(name, 8)
	for _, s := range missing {
		b.text(s, 8)
	}
	for range (width - 1) / 8 {
		b.ints(2, -1, 0, 0, 0, 0).text("", 8)
	}
	return b
}

// labels adds a list of value labels. A value is 8 bytes.
func (b *builder) labels(vars []int32, pairs ...string) *builder {
	b.ints(3, int32(len(pairs)/2))
	for i := 0; i < len(pairs); i += 2 {
		b.text(pairs[i], 8).bytes(byte(len(pairs[i+1]))).text(pairs[i+1], len(pairs[i+1])/8*8+7)
	}
	return b.ints(4, int32(len(vars))).ints(vars...)
}

// eight returns a number as it is in the file.
func (b *builder) eight(f float64) string {
	return string(b.order.AppendUint64(nil, math.Float64bits(f)))
}

func (b *builder) extension(subtype int32, text string) *builder {
	return b.ints(7, subtype, 1, int32(len(text))).text(text, len(text))
}

func (b *builder) counted(s string) string {
	return string(b.order.AppendUint32(nil, uint32(len(s)))) + s
}

func (b *builder) int(n int32) string { return string(b.order.AppendUint32(nil, uint32(n))) }

func (b *builder) end() *builder { return b.ints(999, 0) }

const f82 = 5<<16 | 8<<8 | 2

// describe shows all of a file as text.
func describe(t testing.TB, f *File) string {
	t.Helper()
	var b strings.Builder
	fmt.Fprintf(&b, "file %q of %q, %s, %s, %d cases", f.Label, f.Product, f.Created.Format("2006-01-02T15:04:05"),
		f.Encoding, f.NumCases)
	if f.Weight != "" {
		fmt.Fprintf(&b, ", weight %s", f.Weight)
	}
	b.WriteString("\n")
	for _, line := range f.Documents {
		fmt.Fprintf(&b, "document %s\n", line)
	}
	for _, a := range f.Attributes {
		fmt.Fprintf(&b, "attribute %s %q\n", a.Name, a.Values)
	}
	for _, v := range f.Variables {
		fmt.Fprintf(&b, "variable %s (%s) width %d %v", v.Name, v.Short, v.Width, v.Print)
		if v.Label != "" {
			fmt.Fprintf(&b, " %q", v.Label)
		}
		if v.Measure != MeasureUnknown || v.Align != Left || v.Columns != 0 || v.Role != Input {
			fmt.Fprintf(&b, " %v %v %d %v", v.Measure, v.Align, v.Columns, v.Role)
		}
		if v.Missing.Range {
			fmt.Fprintf(&b, " missing %g to %g", v.Missing.Low, v.Missing.High)
		}
		for _, x := range v.Missing.Values {
			fmt.Fprintf(&b, " missing %q", x)
		}
		b.WriteString("\n")
		for _, l := range v.Labels {
			fmt.Fprintf(&b, "  %q = %q\n", l.Value, l.Label)
		}
		for _, a := range v.Attributes {
			fmt.Fprintf(&b, "  attribute %s %q\n", a.Name, a.Values)
		}
	}
	for _, s := range f.Sets {
		fmt.Fprintf(&b, "set %s %v %q counts %q of %v", s.Name, s.Kind, s.Label, s.Counted, s.Variables)
		if s.CountedLabels {
			b.WriteString(", labels of counted values")
		}
		if s.LabelFromVariable {
			b.WriteString(", label of first variable")
		}
		b.WriteString("\n")
	}
	for c, err := range f.Cases() {
		if err != nil {
			fmt.Fprintf(&b, "error %v\n", err)
			break
		}
		b.WriteString("case")
		for i := range f.Variables {
			fmt.Fprintf(&b, " %q", c.Append(nil, i))
		}
		b.WriteString("\n")
	}
	for _, n := range f.Notes() {
		fmt.Fprintf(&b, "note %v\n", n)
	}
	return b.String()
}

// TestHandmade reads files that no writer of ours makes, in both byte orders.
func TestHandmade(t *testing.T) {
	for _, test := range []struct {
		name string
		opt  Options
		file func(b *builder) // after the header, up to the end
		head [3]int32         // compression, weight, number of cases
		want string
	}{
		{
			name: "old file without extensions and number of cases",
			head: [3]int32{1, 2, -1},
			file: func(b *builder) {
				b.str("NAME", 10).number("W", "Gr\xf6\xdfe", f82, -2, lowest, 0)
				b.labels([]int32{3}, b.eight(1), "eins", b.eight(2), "zw\xf6lf Zeichen")
				b.ints(6, 2).text("line one", 80).text("  line two", 80).end()
				b.bytes(253, 254, 101, 253, 253, 255, 0, 0).text("J\xfcrgen", 8).text("x8901234", 8).text("56", 8)
			},
			want: `
file "A label" of "SPSS DATA FILE test", 1999-01-01T10:20:30, windows-1252, -1 cases
document line one
document   line two
variable NAME (NAME) width 10 A10
variable W (W) width 0 F8.2 "Größe" missing -Inf to 0
  "1" = "eins"
  "2" = "zwölf Zeichen"
case "Jürgen" "1"
case "x890123456" ""
note the file names no encoding; its texts are read as windows-1252
note at byte 76: the weight variable has dictionary index 2, where no number begins; the file is taken as not weighted
`,
		},
		{
			name: "weight by dictionary index, dates, both missing codes",
			head: [3]int32{0, 4, 1},
			file: func(b *builder) {
				b.str("S", 9, "miss").number("D", "", 20<<16|11<<8).number("W", "", f82, -3, 5, math.MaxFloat64, 1)
				b.number("T", "", 25<<16|20<<8|1, 3, 1, 2, 3).end()
				b.text("Straße 1", 9).text("", 7).floats(13744944000, 2.5, 90061.5)
			},
			want: `
file "A label" of "SPSS DATA FILE test", 1999-01-01T10:20:30, windows-1252, 1 cases, weight W
variable S (S) width 9 A9 missing "miss"
variable D (D) width 0 DATE11
variable W (W) width 0 F8.2 missing 5 to +Inf missing "1"
variable T (T) width 0 DTIME20.1 missing "1" missing "2" missing "3"
case "StraÃŸe 1" "2018-05-06" "2.5" "25:01:01.5"
`,
		},
		{
			name: "encoding given by hand", opt: Options{Encoding: "utf8"},
			head: [3]int32{0, 0, 1},
			file: func(b *builder) { b.str("S", 9).end().text("Straße 1", 9).text("", 7) },
			want: `
file "A label" of "SPSS DATA FILE test", 1999-01-01T10:20:30, UTF-8, 1 cases
variable S (S) width 9 A9
case "Straße 1"
`,
		},
		{
			name: "unnamed encoding that can only be UTF-8",
			head: [3]int32{0, 0, 1},
			file: func(b *builder) {
				b.number("N", "größer", f82)
				b.ints(7, 3, 4, 8, 1, 2, 3, 4, 1, 1, 2, 2) // character code 2 says nothing
				b.end().floats(-1e-5)
			},
			want: `
file "A label" of "SPSS DATA FILE test", 1999-01-01T10:20:30, UTF-8, 1 cases
variable N (N) width 0 F8.2 "größer"
case "-0.00001"
note the file names no encoding; its texts are read as UTF-8
`,
		},
		{
			name: "Japanese by name, Central European by number",
			head: [3]int32{0, 0, 1},
			file: func(b *builder) {
				b.str("S", 8)
				b.ints(7, 3, 4, 8, 1, 2, 3, 4, 1, 1, 2, 1250)
				b.extension(20, "CP932")
				b.end().text("\x93\xfa\x96\x7b\x8c\xea", 8)
			},
			want: `
file "A label" of "SPSS DATA FILE test", 1999-01-01T10:20:30, shift_jis, 1 cases
variable S (S) width 8 A8
case "日本語"
`,
		},
		{
			name: "code page by number",
			head: [3]int32{0, 0, 1},
			file: func(b *builder) {
				b.str("S", 8)
				b.ints(7, 3, 4, 8, 1, 2, 3, 4, 1, 1, 2, 1250)
				b.end().text("\xb3\xf3d\x9f", 8)
			},
			want: `
file "A label" of "SPSS DATA FILE test", 1999-01-01T10:20:30, windows-1250, 1 cases
variable S (S) width 8 A8
case "łódź"
`,
		},
		{
			name: "no code page, and letters of Russian",
			head: [3]int32{0, 0, 1},
			file: func(b *builder) {
				b.number("S", "\xc2\xe0\xf8 \xe2\xee\xe7\xf0\xe0\xf1\xf2 \xe8 \xef\xee\xeb", f82)
				b.end().floats(1)
			},
			want: `
file "A label" of "SPSS DATA FILE test", 1999-01-01T10:20:30, windows-1251, 1 cases
variable S (S) width 0 F8.2 "Ваш возраст и пол"
case "1"
note the letters of its texts are those of Russian
note the file names no encoding; its texts are read as windows-1251
`,
		},
		{
			name: "long names, display, case numbers, attributes in several records",
			head: [3]int32{0, 0, -1},
			file: func(b *builder) {
				b.number("A", "", f82).number("B", "", f82).str("C", 3)
				b.ints(7, 11, 4, 6, 1, 0, 2, 1, 3, 2)
				b.extension(13, "A=First_Name\tB=second.name\tX=gone\tC=\t")
				b.ints(7, 16, 8, 2).floats(0, 0)
				b.order.PutUint64(b.b[len(b.b)-8:], 1)
				b.extension(17, "one('1'\n)two('a'\n'it's'\n)")
				b.extension(18, "first_name:x('y'\n)$@Role('2'\n)/C:$@Role('9'\n)")
				b.extension(18, "second.name:broken('y')")
				b.extension(24, "<xml/>").extension(99, "12345")
				b.end().floats(1, 2).text("abc", 8)
			},
			want: `
file "A label" of "SPSS DATA FILE test", 1999-01-01T10:20:30, windows-1252, 1 cases
attribute one ["1"]
attribute two ["a" "it's"]
variable First_Name (A) width 0 F8.2 nominal left 0 both
  attribute x ["y"]
variable second.name (B) width 0 F8.2 ordinal right 0 input
variable C (C) width 3 A3 scale centre 0 input
case "1" "2" "abc"
note at byte 538: skipped an extension record of subtype 24 (view settings), 6 bytes
note at byte 560: skipped an extension record of subtype 99 (unknown), 5 bytes
note at byte 312: long name "gone" for "X", which is no variable; skipped
note at byte 312: long name "C="; expected SHORT=Long; skipped
note at byte 438: role of variable "C" is "9"; expected 0 to 5; taken for 0 (input)
note at byte 499: attributes of variable "second.name": value of "broken" is 'y'); expected 'value' and a line feed; the rest is skipped
`,
		},
		{
			name: "sets with padded values, empty lines and mistakes",
			head: [3]int32{0, 0, 0},
			file: func(b *builder) {
				b.number("A1", "Label of A", f82).number("A2", "", f82).str("S1", 4).str("S2", 4)
				b.extension(13, "A1=alpha\tA2=beta\tS1=gamma\tS2=delta")
				b.extension(7, "\n\n$m=C 0  a1 a2\n\n\n$d=D8 1        6 my set a1 a2 gone\n$t=D3 Yes 4 a\nbc s1 "+
					"delta\n$bad=X1\n$b2=C 99 x a\n$no\n")
				b.extension(19, "$e=E 1 2 34 1 L a1 a2\n$f=E 11 1 5 0  a1 a2\n$g=E 12 1 5 0  a1\n$m=D1 x 0  a1 a2\n$h=D2 A  0  s1")
				b.end()
			},
			want: `
file "A label" of "SPSS DATA FILE test", 1999-01-01T10:20:30, windows-1252, 0 cases
variable alpha (A1) width 0 F8.2 "Label of A"
variable beta (A2) width 0 F8.2
variable gamma (S1) width 4 A4
variable delta (S2) width 4 A4
set $m dichotomy "" counts "x" of [alpha beta]
set $d dichotomy "my set" counts "1" of [alpha beta]
set $t dichotomy "a\nbc" counts "Yes" of [gamma delta]
set $e dichotomy "L" counts "34" of [alpha beta], labels of counted values
set $f dichotomy "Label of A" counts "5" of [alpha beta], labels of counted values, label of first variable
set $h dichotomy "" counts "A" of [gamma]
note at byte 370: multiple-response set "$d" has "gone", which is no variable; left out of the set
note at byte 370: multiple-response set "$bad": found kind 'X'; expected C, D or E; skipped
note at byte 370: multiple-response set "$b2": label: found "99"; expected a length in bytes, a space and a text of that length; skipped
note at byte 370: multiple-response set "$no": expected NAME= and a kind; skipped
note at byte 490: multiple-response set "$g": found " 12 " after E; expected 1 or 11; skipped
note at byte 490: multiple-response set "$m" counts "x"; expected a number
`,
		},
		{
			name: "labels and missing values of long strings, in two forms",
			head: [3]int32{0, 0, 0},
			file: func(b *builder) {
				b.str("L1", 20).str("L2", 20).str("S", 4)
				b.extension(21, b.counted("L1")+b.int(20)+b.int(2)+b.counted("a")+b.counted("A label")+
					b.counted(padded("b", 20))+b.counted("")+
					b.counted("GONE")+b.int(20)+b.int(0)+b.counted("L2")+b.int(20)+b.int(9))
				b.extension(22, b.counted("L1")+"\x02"+b.int(8)+padded("x", 8)+padded("y", 8)+
					b.counted("L2")+"\x03"+b.int(8)+padded("p", 8)+b.counted(padded("q", 8))+b.counted(padded("r", 8))+
					b.counted("S")+"\x07")
				b.end()
			},
			want: `
file "A label" of "SPSS DATA FILE test", 1999-01-01T10:20:30, windows-1252, 0 cases
variable L1 (L1) width 20 A20 missing "x" missing "y"
  "a" = "A label"
  "b" = ""
variable L2 (L2) width 20 A20 missing "p" missing "q" missing "r"
variable S (S) width 4 A4
note at byte 504: missing values of long strings: those of "S" make no sense; the rest is skipped
note at byte 400: value labels for "GONE", which is no variable; skipped
note at byte 400: value labels of long strings end inside those of "L2"; the rest is skipped
`,
		},
		{
			name: "value labels that contradict each other",
			head: [3]int32{0, 0, 0},
			file: func(b *builder) {
				b.number("A", "", f82).str("S", 12).str("T", 3)
				b.labels([]int32{1, 2, 3, 9, 0}, b.eight(1), "one", b.eight(1), "uno", b.eight(systemMissing), "none")
				b.labels([]int32{1}, b.eight(1), "eins", b.eight(2), "zwei")
				b.labels([]int32{4}, "abcXXXXX", "first", "abcYYYYY", "second")
				b.end()
			},
			want: `
file "A label" of "SPSS DATA FILE test", 1999-01-01T10:20:30, windows-1252, 0 cases
variable A (A) width 0 F8.2
  "1" = "one"
  "2" = "zwei"
variable S (S) width 12 A12
variable T (T) width 3 A3
  "abc" = "first"
note at byte 304: label of the system-missing value; skipped
note at byte 304: 1 labels for values that have one already; skipped
note at byte 304: value labels of at most 8 bytes for "S", a string of 12; skipped
note at byte 304: value labels name dictionary index 3, where no variable begins; skipped
note at byte 304: value labels name dictionary index 9, where no variable begins; skipped
note at byte 304: value labels name dictionary index 0, where no variable begins; skipped
note at byte 388: second list of value labels for "A"; the first goes first
note at byte 440: 1 labels for values that have one already; skipped
`,
		},
		{
			name: "names twice, none, and formats that are none",
			head: [3]int32{0, 0, 0},
			file: func(b *builder) {
				b.number("A", "", f82).number("A", "", 99<<16).number("A_2", "", 1<<16|8<<8).number("", "", 0).str("a", 3)
				b.end()
			},
			want: `
file "A label" of "SPSS DATA FILE test", 1999-01-01T10:20:30, windows-1252, 0 cases
variable A (A) width 0 F8.2
variable A_3 (A) width 0 F8.2
variable A_2 (A_2) width 0 F8.2
variable VAR4 (VAR4) width 0 F8.2
variable a_4 (a) width 3 A3
note at byte 208: variable "A" has display format 0x630000, which is none for its width 0; the usual one is used
note at byte 240: variable "A_2" has display format 0x10800, which is none for its width 0; the usual one is used
note at byte 272: variable without a name; called VAR4
note at byte 208: second variable called "A"; renamed to "A_3"
note at byte 304: second variable called "a"; renamed to "a_4"
`,
		},
		{
			name: "bytecode of zeros in a text, a system-missing of its own, more data than cases",
			head: [3]int32{1, 0, 2},
			file: func(b *builder) {
				b.str("S", 8).number("N", "", f82)
				b.ints(7, 4, 8, 3).floats(math.Inf(-1), math.MaxFloat64, -1)
				b.end()
				b.bytes(100, 253, 254, 1, 100, 251, 252, 0).floats(math.Inf(-1))
			},
			want: `
file "A label" of "SPSS DATA FILE test", 1999-01-01T10:20:30, windows-1252, 2 cases
variable S (S) width 8 A8
variable N (N) width 0 F8.2
case "" ""
case "" "-99"
note at byte 304: the data go on after the last of 2 cases; skipped
`,
		},
		{
			name: "very long strings: joined, slightly wide, and impossible ones",
			head: [3]int32{0, 0, 1},
			file: func(b *builder) {
				b.str("V", 255).str("V2", 48).str("W", 255).str("W2", 10)
				b.extension(13, "V=very\tV2=rest\tW=wide")
				b.extension(14, "V=00300\x00\tW=00300\x00\tX=00300\x00\tV=abc\x00\tW2=00900\x00\t")
				b.end()
				b.text(strings.Repeat("x", 255), 256).text(strings.Repeat("y", 45), 48)
				b.text("w", 256).text("z", 16)
			},
			want: `
file "A label" of "SPSS DATA FILE test", 1999-01-01T10:20:30, windows-1252, 1 cases
variable very (V) width 300 A300
variable wide (W) width 255 A255
variable W2 (W2) width 10 A10
case "` + strings.Repeat("x", 255) + strings.Repeat("y", 45) + `" "w" "z"
note at byte 2517: very long string "W=00300": piece 2 ("W2") has the width 10; expected 48; skipped
note at byte 2517: very long string "X=00300": there is no such variable; skipped
note at byte 2517: very long string "V=abc": expected NAME=WIDTH with a width up to 32767; skipped
note at byte 2517: very long string "W2=00900": it has 4 pieces, but only 1 variables are left; skipped
`,
		},
		{
			name: "very long string in pieces a little too narrow",
			head: [3]int32{0, 0, 1},
			file: func(b *builder) {
				b.str("V", 250).str("V2", 45).number("N", "", f82).extension(14, "V=00300").end()
				b.text(strings.Repeat("x", 255), 256).text(strings.Repeat("y", 45), 48).floats(7)
			},
			want: `
file "A label" of "SPSS DATA FILE test", 1999-01-01T10:20:30, windows-1252, 1 cases
variable V (V) width 300 A300
variable N (N) width 0 F8.2
case "` + strings.Repeat("x", 255) + strings.Repeat("y", 45) + `" "7"
`,
		},
		{
			name: "no variables", head: [3]int32{1, 0, 7},
			file: func(b *builder) { b.end() },
			want: `
file "A label" of "SPSS DATA FILE test", 1999-01-01T10:20:30, windows-1252, 0 cases
`,
		},
	} {
		for name, order := range orders {
			t.Run(test.name+"/"+name, func(t *testing.T) {
				b := newFile(order, test.head[0], test.head[1], test.head[2])
				test.file(b)
				f, err := openBytes(b.b, test.opt)
				if err != nil {
					t.Fatal(err)
				}
				got := "\n" + describe(t, f)
				if diff := cmp.Diff(test.want, got); diff != "" {
					t.Errorf("(-want +got):\n%s", diff)
				}
			})
		}
	}
}

// TestHandmadeWritten reads what was written byte by byte, and writes it with
// this package: all that is left must be the same.
func TestHandmadeWritten(t *testing.T) {
	b := newFile(orders["big"], 0, 2, 2)
	b.str("NAME", 10).number("W", "Gr\xf6\xdfe", f82, -2, lowest, 0)
	b.labels([]int32{3}, b.eight(1), "eins").end()
	b.text("J\xfcrgen", 16).floats(1).text("", 16).floats(systemMissing)
	_, tb := decode(t, b.b)
	var m memory
	if err := Write(&m, &tb.Dictionary, tb.rows(), WriteOptions{}); err != nil {
		t.Fatal(err)
	}
	f, again := decode(t, m.data)
	sameTable(t, again, tb)
	if !bytes.Contains(m.data, []byte("Jürgen")) || f.Encoding != "UTF-8" {
		t.Error("the file written is not in UTF-8")
	}
}
