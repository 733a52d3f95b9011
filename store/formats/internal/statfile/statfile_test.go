package statfile

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/crosswave/crosswave/internal/charset"
	"github.com/crosswave/crosswave/store/formats/internal/readtest"
)

var errBad = errors.New("bad file")

func scan(file io.ReaderAt, size int64) *Scanner {
	return &Scanner{File: file, Size: size, Order: binary.LittleEndian, Format: Format{Name: "a file", Damaged: errBad,
		Negative: "%s: %d is no length", Short: "%s: %d, but %d left", Long: "%s: %d, at most %d"}}
}

// Whatever is read and passed over, and from wherever, it is what stands there.
func TestScanner(t *testing.T) {
	data := make([]byte, 3*window)
	for i := range data {
		data[i] = byte(i * i >> 3)
	}
	s := scan(bytes.NewReader(data), int64(len(data)))
	at := 0
	for _, n := range []int{0, 1, 8, window / 4, window/4 + 1, 3, -window / 4, window - 1, 7, -window, 1, window} {
		if n < 0 {
			at, s.Pos = at+n, s.Pos+int64(n)
			continue
		}
		if got := s.Bytes(int64(n), "it"); !bytes.Equal(got, data[at:at+n]) || s.Err != nil {
			t.Fatalf("%d bytes at %d: %v", n, at, s.Err)
		}
		s.Skip(5, "it")
		at += n + 5
	}
	if s.Left() != int64(len(data)-at) {
		t.Errorf("%d left at %d of %d", s.Left(), at, len(data))
	}
}

func TestScannerRefuses(t *testing.T) {
	for _, c := range []struct {
		read func(s *Scanner)
		says string
	}{
		{func(s *Scanner) { s.Bytes(-1, "it") }, "bad file: at byte 2: it: -1 is no length"},
		{func(s *Scanner) { s.Skip(9, "it") }, "bad file: at byte 2: it: 9, but 8 left"},
		{func(s *Scanner) { s.Size = 1 << 40; s.Bytes(1<<30, "it") },
			"bad file: at byte 2: it: 1073741824, at most 268435456"},
		{func(s *Scanner) { s.Size = 20; s.Bytes(10, "it") },
			"bad file: at byte 10: the file ends; expected 10 more bytes"},
	} {
		s := scan(strings.NewReader("0123456789"), 10)
		s.Skip(2, "the beginning")
		c.read(s)
		b := []byte("x")
		if s.Read(b, "more"); b[0] != 0 || s.Bytes(1, "more") != nil {
			t.Errorf("%s: then %q is read", c.says, b)
		}
		var fe *FormatError
		if !errors.As(s.Err, &fe) || !errors.Is(s.Err, errBad) || s.Err.Error() != c.says {
			t.Errorf("%v\nwant %s", s.Err, c.says)
		}
	}
	s := scan(readtest.Failing{Reader: bytes.NewReader(make([]byte, 10)), From: 5}, 10)
	s.Bytes(10, "it")
	if want := "reading a file at byte 0: disk broken"; !errors.Is(s.Err, readtest.ErrDisk) || s.Err.Error() != want {
		t.Errorf("%v, want %s", s.Err, want)
	}
}

func TestNotes(t *testing.T) {
	var n Notes
	noted := false
	for range 2 {
		n.Once(&noted, 0, "once")
	}
	for i := range MostNotes + 2 {
		n.Add(int64(i+1), "%d", i)
	}
	list := All[Note](&n)
	if got := fmt.Sprint(list[:2], len(list), list[MostNotes]); got != "[once at byte 1: 0] 201 3 more notes left out" {
		t.Error(got)
	}
}

func TestDecode(t *testing.T) {
	for _, c := range []struct {
		in, text, want string
		ok             bool
	}{
		{"UTF-8", "plain", "plain", true},
		{"UTF-8", "Köln", "Köln", true},
		{"UTF-8", "K\xf6\xf6ln", "K\uFFFDln", false},
		{"windows-1250", "plain", "plain", true},
		{"windows-1250", "\xa3\xf3d\x9f", "Łódź", true},
		{"windows-1253", "\xe1\xff", "α\uFFFD", false},
	} {
		e, err := FindEncoding(c.in)
		if err != nil {
			t.Fatal(err)
		}
		if got, ok := Decode(e, []byte(c.text)); got != c.want || ok != c.ok {
			t.Errorf("%s, %q: %q, %v", c.in, c.text, got, ok)
		}
	}
	for text, want := range map[string]int{"": 0, "a": 0, "ö": 0, "a\xc3": 1, "a\xe2\x82": 2, "\xf0\x9f\x98": 3,
		"\x82": 0} {
		if got := CutRune([]byte(text)); got != want {
			t.Errorf("of %q, %d bytes are cut", text, got)
		}
	}
}

func TestSample(t *testing.T) {
	const greek = "\xca\xe1\xeb\xe7\xec\xdd\xf1\xe1 \xea\xfc\xf3\xec\xe5" // in windows-1253
	for _, c := range []struct {
		texts       string
		onlyInvalid bool
		ascii, utf8 bool
		guess       string
		language    bool
	}{
		{"plain", false, true, true, "windows-1252", false},
		{"Καλημέρα", true, false, true, "windows-1252", false},
		{"Köln|" + greek, true, false, false, "windows-1253", true},
		{"caf\xe9", false, false, false, "windows-1252", false},
	} {
		s := Sample{Valid: utf8.Valid, OnlyInvalid: c.onlyInvalid}
		for text := range strings.SplitSeq(c.texts, "|") {
			s.See([]byte(text))
		}
		guess, language := s.Guess()
		if s.ASCII() != c.ascii || s.UTF8() != c.utf8 || guess.ReadAs() != c.guess || (language != "") != c.language {
			t.Errorf("%q: %v, %v, %s by %q", c.texts, s.ASCII(), s.UTF8(), guess.ReadAs(), language)
		}
	}
	var n Notes
	n.Guessed(charset.Windows1252(), "")
	n.Guessed(charset.UTF8(), "Greek")
	if got, want := fmt.Sprint(All[Note](&n)), "[the file names no encoding; its texts are read as "+
		"windows-1252 the letters of "+
		"its texts are those of Greek the file names no encoding; its texts are read as UTF-8]"; got != want {
		t.Error(got)
	}
}
