package decimal

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"strings"
	"testing"
)

func TestAppend(t *testing.T) {
	for _, test := range []struct {
		text string
		want []byte
	}{
		{"0", []byte{0, 0}},
		{"1", []byte{0, 1}},
		{"-1", []byte{1, 1}},
		{"1.25", []byte{3 << 2, 125}},
		{"1200", []byte{4 << 2, 12}},
		{"-0.5", []byte{1<<2 | 1, 5}},
		{"1e20", []byte{0x80 | 40<<2&0x7f, 1, 1}},
		{"-18446744073709551616", append([]byte{3, 20}, "18446744073709551616"...)},
	} {
		if got := must(t, test.text).Append([]byte{9}); !bytes.Equal(got, append([]byte{9}, test.want...)) {
			t.Errorf("%s is written % x, want 09 % x", test.text, got, test.want)
		}
	}
}

func TestReadRefuses(t *testing.T) {
	long := func(head uint64, digits string) []byte {
		b := binary.AppendUvarint(nil, head)
		b = binary.AppendUvarint(b, uint64(len(digits)))
		return append(b, digits...)
	}
	for name, b := range map[string][]byte{
		"nothing":                      nil,
		"no mantissa":                  {0},
		"cut head":                     {0x80},
		"cut mantissa":                 {0, 0x80},
		"head in too many bytes":       {0x80, 0, 1},
		"mantissa in too many bytes":   {0, 0x81, 0},
		"mantissa of more than 64 bit": {0, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 2},
		"zero with an exponent":        {4, 0},
		"negative zero":                {1, 0},
		"trailing zero":                {0, 10},
		"exponent too large":           append(binary.AppendUvarint(nil, (2*MaxExponent+1)<<2), 1),
		"exponent far too large":       append(binary.AppendUvarint(nil, 1<<63), 1),
		"digits that fit":              long(2, "18446744073709551615"),
		"digits with a leading zero":   long(2, "018446744073709551617"),
		"digits with a trailing zero":  long(2, "184467440737095516170"),
		"no digits":                    long(2, ""),
		"letters":                      long(2, "1844674407370955161x"),
		"cut digits":                   long(2, "18446744073709551617")[:15],
		"too many digits":              long(2, strings.Repeat("1", MaxExponent+1)),
		"count beyond the end":         {2, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1},
	} {
		if d, n, err := Read(b); err == nil || n != 0 || d != (Decimal{}) {
			t.Errorf("%s (% .20x) is read as %s, %d bytes", name, b, d, n)
		}
	}
}

// FuzzRead: whatever Read takes is exactly what Append writes.
func FuzzRead(f *testing.F) {
	for _, s := range []string{"0", "1.25", "-1200", "1e-300", "18446744073709551616",
		"-1234567890123456789012345678901234567890.5"} {
		f.Add(must(f, s).Append(nil))
	}
	f.Add([]byte{0x80, 0, 1})
	f.Fuzz(func(t *testing.T, b []byte) {
		d, n, err := Read(b)
		if err != nil {
			return
		}
		checkCanonical(t, d)
		if again := d.Append(nil); !bytes.Equal(again, b[:n]) {
			t.Fatalf("% x is read as %s, which is written % x", b[:n], d, again)
		}
	})
}

func ExampleDecimal_Append() {
	d, _ := Parse("1.25", false)
	b := d.Append(nil)
	again, n, err := Read(b)
	fmt.Printf("% x %v %d %v\n", b, again, n, err)
	// Output: 0c 7d 1.25 2 <nil>
}

func BenchmarkAppend(b *testing.B) {
	d, room := must(b, "1.0834"), make([]byte, 0, 16)
	for b.Loop() {
		room = d.Append(room[:0])
	}
}

func BenchmarkRead(b *testing.B) {
	written := must(b, "1.0834").Append(nil)
	for b.Loop() {
		Read(written)
	}
}
