package formats

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"

	"github.com/crosswave/crosswave/internal/charset"
	"github.com/crosswave/crosswave/store/formats/csv"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"
)

// decoded gives the text of a CSV file as UTF-8: the file itself if it is that, else a converted copy.
func (f *File) decoded(file io.ReaderAt, size int64, o Options, note func(string, ...any)) (csv.File, string, error) {
	head := make([]byte, min(size, 1<<16))
	if _, err := file.ReadAt(head, 0); err != nil && !errors.Is(err, io.EOF) {
		return nil, "", err
	}
	c, err := detect(file, size, head[:min(len(head), 4096)], o.Encoding, note)
	if err != nil {
		return nil, "", &Error{Path: f.Path, Err: err}
	}
	zeros := !c.IsUTF16() && charset.FewZeros(head)
	if zeros {
		note("bytes that are zero, which stand here and there, are read as spaces")
	}
	doubled := !c.IsUTF16() && charset.DoubledReturns(head)
	if doubled {
		note("lines end in two carriage returns and a line feed")
	}
	if c.IsUTF8() && !charset.OnlyReturns(head) && !zeros && !doubled {
		return io.NewSectionReader(file, 0, size), c.ReadAs(), nil
	}
	out, err := f.copied(o, func(w *bufio.Writer) error {
		bytes := o.watched(io.NewSectionReader(file, 0, size), size)
		if zeros {
			bytes = charset.Spaces(bytes)
		}
		if doubled {
			bytes = charset.SingleReturns(bytes)
		}
		text := transform.NewReader(bytes, c.NewDecoder())
		_, err := io.Copy(w, charset.LineFeeds(head, text))
		return err
	})
	if err != nil {
		return nil, "", fmt.Errorf("converting it from %s: %w", c.ReadAs(), err)
	}
	return out, c.ReadAs(), nil
}

// detect finds out the encoding of a text file that begins with head. wish names one, or "".
func detect(file io.ReaderAt, size int64, head []byte, wish string, note func(string, ...any)) (
	charset.Charset, error) {
	if wish != "" {
		return charset.Find(wish)
	}
	if c, _ := charset.Mark(head); c.IsUTF16() {
		return charset.Find(c.Name) // which takes the mark away
	}
	if order, ok := halves(head); ok {
		return charset.UTF16(order), nil
	}
	good, bad, first, err := census(io.NewSectionReader(file, 0, size))
	switch {
	case err == nil && bad == 0:
		return charset.UTF8(), nil
	case err == nil && good > 10*bad:
		err = fmt.Errorf("line %d is not in UTF-8, while %d characters of the file are: name the encoding, or save "+
			"the file anew as UTF-8", first, good)
	case err == nil:
		lines, err := foreignLines(io.NewSectionReader(file, 0, size))
		if err != nil {
			return charset.Charset{}, err
		}
		if c, language, ok := charset.Guess(lines); ok {
			note("its letters are those of texts in %s: if they are not, another encoding has to be named",
				language)
			return c, nil
		}
	}
	return charset.Windows1252(), err
}

// foreignLines are lines with more than ASCII, whole ones, of the first megabyte: some 64 KB of them at the most.
func foreignLines(r io.Reader) (lines []byte, err error) {
	const most, longest = 1 << 16, 1 << 20
	text, err := io.ReadAll(io.LimitReader(r, longest))
	for len(text) > 0 && len(lines) < most {
		end := 1 + bytes.IndexByte(text, '\n')
		if end == 0 {
			end = len(text)
		}
		if line := text[:end]; bytes.IndexFunc(line, func(r rune) bool { return r >= utf8.RuneSelf }) >= 0 {
			lines = append(lines, line...)
		}
		text = text[end:]
	}
	return lines, err
}

// halves tells UTF-16 without a byte order mark by the halves of its characters that are 0.
func halves(head []byte) (unicode.Endianness, bool) {
	var zeros [2]int
	for i, b := range head {
		if b == 0 {
			zeros[i&1]++
		}
	}
	n := len(head) / 2
	switch {
	case n < 4:
	case zeros[1] > n*7/10 && zeros[0] < n/10:
		return unicode.LittleEndian, true
	case zeros[0] > n*7/10 && zeros[1] < n/10:
		return unicode.BigEndian, true
	}
	return unicode.LittleEndian, false
}

// census counts the characters of more than one byte and the bytes that are none in UTF-8; first is the line of the
// first such byte.
func census(r io.Reader) (good, bad, first int64, err error) {
	in := bufio.NewReaderSize(r, 1<<18)
	line := int64(1)
	for {
		b, err := in.Peek(1 << 18)
		if len(b) == 0 {
			if err == io.EOF {
				err = nil
			}
			return good, bad, first, err
		}
		n := 0
		for n < len(b) {
			c := b[n]
			if c < utf8.RuneSelf {
				if c == '\n' {
					line++
				}
				n++
				continue
			}
			if len(b)-n < utf8.UTFMax && err == nil && n > 0 && !utf8.FullRune(b[n:]) {
				break // the rest of it comes with the next bytes
			}
			if _, size := utf8.DecodeRune(b[n:]); size > 1 {
				good++
				n += size
				continue
			}
			if bad++; bad == 1 {
				first = line
			}
			n++
		}
		if _, err := in.Discard(n); err != nil {
			return good, bad, first, err
		}
	}
}
