package charset

import "testing"

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
