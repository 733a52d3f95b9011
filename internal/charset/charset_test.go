package charset

import (
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

// A name is found in whatever case, what it decodes is what files mean by it, and what it encodes is exact.
func TestFind(t *testing.T) {
	for _, c := range []struct{ name, want, bytes, text string }{
		{"utf8", "UTF-8", "\xc3\xa9", "é"},
		{" Windows-1252 ", "windows-1252", "\x80", "€"},
		{"latin1", "ISO-8859-1", "\x80", "€"},
		{"ASCII", "windows-1252", "\xe9", "é"},
		{"cp932", "Shift_JIS", "\x82\xa0", "あ"},
		{"cp850", "IBM850", "\x82", "é"},
		{"windows-1251", "windows-1251", "\xc4", "Д"},
		{"cp10007", "x-mac-cyrillic", "\x84", "Д"},
		{"unicode", "UTF-16", "\xff\xfe\xe9\x00", "é"},
		{"UTF-16BE", "UTF-16BE", "\x00\xe9", "é"},
	} {
		got, err := Find(c.name)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		text, err := got.NewDecoder().String(c.bytes)
		if got.Name != c.want || text != c.text || err != nil {
			t.Errorf("%s is %s and reads %q, %v; want %s, %q", c.name, got.Name, text, err, c.want, c.text)
		}
	}
	latin, _ := Find("ISO-8859-1")
	if latin.ReadAs() != "windows-1252" || UTF8().ReadAs() != "UTF-8" {
		t.Error(latin.ReadAs(), UTF8().ReadAs())
	}
	if _, err := latin.NewEncoder().String("€"); err == nil {
		t.Error("Latin-1 has no euro sign, but encodes it")
	}
	for _, name := range []string{"", "klingon", "replacement"} {
		if c, err := Find(name); err == nil {
			t.Errorf("%q is %s", name, c.Name)
		}
	}
}

// Line ends and zeros are mended whatever pieces a text comes in.
func TestMended(t *testing.T) {
	for _, c := range []struct {
		name, text, want string
		mend             func(io.Reader) io.Reader
	}{
		{"returns alone", "a\rb\r\r", "a\nb\n\n", func(r io.Reader) io.Reader { return LineFeeds([]byte("a\rb"), r) }},
		{"two returns", "a\r\r\nb\r\r\n\r\nc\rd\r\r\r\n\r", "a\r\nb\r\n\r\nc\rd\r\n\r", SingleReturns},
		{"zeros", "a,\x00,b", "a, ,b", Spaces},
	} {
		whole, err := io.ReadAll(c.mend(strings.NewReader(c.text)))
		if string(whole) != c.want || err != nil {
			t.Errorf("%s: %q, %v; want %q", c.name, whole, err, c.want)
		}
		pieces, err := io.ReadAll(iotest.OneByteReader(c.mend(iotest.HalfReader(strings.NewReader(c.text)))))
		if string(pieces) != c.want || err != nil {
			t.Errorf("%s, in pieces: %q, %v; want %q", c.name, pieces, err, c.want)
		}
	}
	few := "id,name\n" + strings.Repeat("1,somebody\n", 10) + "2,\x00\n"
	for text, want := range map[string]bool{few: true, "a,\x00,b": false, few + "\x01": false, "a,b": false, "": false} {
		if FewZeros([]byte(text)) != want {
			t.Errorf("few zeros in %q: %v", text, !want)
		}
	}
	for text, want := range map[string]bool{"a\rb\r": true, "a\r\"b\nc\"\rd": true, "a\r\nb": false, "a\nb\rc": false,
		"a\"b\nc\"\r": false, "a\"b\r\nc\"d": false, "": false} {
		if OnlyReturns([]byte(text)) != want {
			t.Errorf("returns alone at the ends of %q: %v", text, !want)
		}
	}
	for text, want := range map[string]bool{"a\r\r\nb\r\r\n": true, "a\r\nb\r\r\n": false, "a\r\r": false} {
		if DoubledReturns([]byte(text)) != want {
			t.Errorf("two returns at the ends of %q: %v", text, !want)
		}
	}
}
