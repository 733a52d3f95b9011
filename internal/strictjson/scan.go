package strictjson

import (
	"bytes"
	"errors"
	"fmt"
	"hash/maphash"
	"strconv"
	"unicode"
	"unicode/utf8"

	"github.com/tidwall/gjson"
)

// Depth is the number of arrays and objects that Parse lets stand one inside another.
const Depth = 200

// scanner goes once over a text. It keeps what it is inside of on a stack of its own.
type scanner struct {
	data  []byte
	i     int // the next byte
	depth int // most containers open at once
	open  []container
	names []span   // the members seen of every open object, outermost object first
	table []uint32 // scratch of distinct: places in names, plus 1, by hash
	seed  maphash.Seed
}

// container is an array or object that is still open.
type container struct {
	array   bool
	escaped bool // an object with an escape in one of its names
	index   int  // of the array element at hand
	names   int  // where the names of an object begin in scanner.names
}

// span is the text of a member name, without its quotes.
type span struct{ start, end int }

// scan checks a whole text.
func scan(data []byte, depth int) error {
	s := scanner{data: data, depth: depth, open: make([]container, 0, 16), names: make([]span, 0, 32)}
	if bytes.HasPrefix(data, []byte("\ufeff")) {
		return s.fail(0, "the text begins with a byte order mark; JSON has none")
	}
	for {
		opened, err := s.value()
		if err != nil {
			return err
		}
		if opened {
			continue
		}
		if more, err := s.next(); err != nil || !more {
			return err
		}
	}
}

// value scans a scalar, an empty container, or the beginning of another up to its first value; opened tells that
// this value comes next.
func (s *scanner) value() (opened bool, err error) {
	s.space()
	if s.i >= len(s.data) {
		if len(s.open) == 0 {
			return false, s.fail(s.i, "the text is empty; a JSON value is expected")
		}
		return false, s.fail(s.i, "the text ends where a value is expected")
	}
	switch c := s.data[s.i]; c {
	case '"':
		_, err = s.text("string")
		return false, err
	case '{', '[':
		return s.enter(c == '[')
	case 't':
		return false, s.word("true")
	case 'f':
		return false, s.word("false")
	case 'n':
		return false, s.word("null")
	case '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
		return false, s.number()
	}
	return false, s.fail(s.i, "a value is expected, not %s", s.found())
}

// enter scans the beginning of an array or object.
func (s *scanner) enter(array bool) (opened bool, err error) {
	if len(s.open) >= s.depth {
		return false, s.fail(s.i, "nested more than %d levels deep", s.depth)
	}
	s.i++
	s.open = append(s.open, container{array: array, index: -1, names: len(s.names)})
	s.space()
	top := &s.open[len(s.open)-1]
	switch {
	case s.i < len(s.data) && s.data[s.i] == top.end():
		s.i++
		s.open = s.open[:len(s.open)-1]
		return false, nil
	case array:
		top.index = 0
		return true, nil
	}
	return true, s.member()
}

// member scans a member's name and colon.
func (s *scanner) member() error {
	s.space()
	if s.i >= len(s.data) {
		return s.failBetween("the text ends where a member name is expected")
	}
	if s.data[s.i] != '"' {
		return s.failBetween("a member name in double quotes is expected, not %s", s.found())
	}
	start := s.i + 1
	escaped, err := s.text("member name")
	if err != nil {
		return err
	}
	s.names = append(s.names, span{start, s.i - 1})
	if escaped {
		s.open[len(s.open)-1].escaped = true
	}
	s.space()
	if s.i >= len(s.data) {
		return s.fail(s.i, "the text ends where a colon is expected")
	}
	if s.data[s.i] != ':' {
		return s.fail(s.i, "a colon is expected after the member name, not %s", s.found())
	}
	s.i++
	return nil
}

// next goes from the end of a value to the beginning of the one after it, closing what ends between them. It returns
// false at the end of the text.
func (s *scanner) next() (more bool, err error) {
	for {
		s.space()
		if len(s.open) == 0 {
			if s.i < len(s.data) {
				return false, s.fail(s.i, "the text must end after its value; there is %s", s.found())
			}
			return false, nil
		}
		top := &s.open[len(s.open)-1]
		if s.i >= len(s.data) {
			return false, s.failBetween("the text ends inside %s; a comma or %c is expected", top, top.end())
		}
		switch c := s.data[s.i]; {
		case c == ',' && top.array:
			s.i++
			top.index++
			return true, nil
		case c == ',':
			s.i++
			return true, s.member()
		case c == ']' && top.array:
		case c == '}' && !top.array:
			if err := s.distinct(top); err != nil {
				return false, err
			}
			s.names = s.names[:top.names]
		default:
			return false, s.failBetween("a comma or %c is expected, not %s", top.end(), s.found())
		}
		s.i++
		s.open = s.open[:len(s.open)-1]
	}
}

func (c *container) String() string {
	if c.array {
		return "an array"
	}
	return "an object"
}

func (c *container) end() byte {
	if c.array {
		return ']'
	}
	return '}'
}

// space skips white space.
func (s *scanner) space() {
	for s.i < len(s.data) {
		switch s.data[s.i] {
		case ' ', '\n', '\t', '\r':
			s.i++
		default:
			return
		}
	}
}

// word scans true, false or null.
func (s *scanner) word(word string) error {
	if !bytes.HasPrefix(s.data[s.i:], []byte(word)) {
		return s.fail(s.i, "a value is expected, not %s", s.found())
	}
	s.i += len(word)
	return nil
}

// number scans a number and sees to it that it is finite.
func (s *scanner) number() error {
	start := s.i
	if s.data[s.i] == '-' {
		s.i++
	}
	first := s.i
	if s.digits() == 0 {
		return s.fail(s.i, "a digit is expected, not %s", s.found())
	}
	if s.data[first] == '0' && s.i > first+1 {
		return s.fail(start, "a number has no leading zeros")
	}
	if s.i < len(s.data) && s.data[s.i] == '.' {
		s.i++
		if s.digits() == 0 {
			return s.fail(s.i, "a digit is expected after the decimal point, not %s", s.found())
		}
	}
	exponent := 0
	if s.i < len(s.data) && s.data[s.i]|0x20 == 'e' {
		s.i++
		if s.i < len(s.data) && (s.data[s.i] == '+' || s.data[s.i] == '-') {
			s.i++
		}
		if exponent = s.digits(); exponent == 0 {
			return s.fail(s.i, "a digit is expected in the exponent, not %s", s.found())
		}
	}
	// Fewer than 200 digits and an exponent below 100 stay below 1e308.
	if s.i-start < 200 && exponent <= 2 {
		return nil
	}
	if _, err := strconv.ParseFloat(string(s.data[start:s.i]), 64); errors.Is(err, strconv.ErrRange) {
		return s.fail(start, "the number %s is too large; at most about 1.8e308 is", cut(string(s.data[start:s.i])))
	}
	return nil
}

// digits skips digits and counts them.
func (s *scanner) digits() int {
	start := s.i
	for s.i < len(s.data) && s.data[s.i]-'0' <= 9 {
		s.i++
	}
	return s.i - start
}

// plain holds the bytes that stand for themselves in a string and need no further look.
var plain = func() (t [256]bool) {
	for c := ' '; c < utf8.RuneSelf; c++ {
		t[c] = c != '"' && c != '\\'
	}
	return t
}()

// text scans a string from quote to quote and tells whether there are escapes in it.
func (s *scanner) text(what string) (escaped bool, err error) {
	start, data := s.i, s.data
	i := s.i + 1
	for {
		for i < len(data) && plain[data[i]] {
			i++
		}
		if i >= len(data) {
			return false, s.fail(start, "the %s that begins here does not end", what)
		}
		switch c := data[i]; {
		case c == '"':
			s.i = i + 1
			return escaped, nil
		case c == '\\':
			escaped = true
			n, reason := escape(data[i:])
			if reason != "" {
				return false, s.fail(i, "%s", reason)
			}
			i += n
		case c < ' ':
			return false, s.fail(i, `a control character (0x%02X) stands in a %s; it is written \u%04x`, c, what, c)
		default:
			r, n := utf8.DecodeRune(data[i:])
			if r == utf8.RuneError && n == 1 {
				return false, s.fail(i, "the byte 0x%02X is not UTF-8; JSON is UTF-8 text", c)
			}
			i += n
		}
	}
}

// escape gives the length of the escape sequence at the beginning of b, or the reason why it is none.
func escape(b []byte) (int, string) {
	if len(b) < 2 {
		return 0, "the text ends inside an escape"
	}
	switch b[1] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return 2, ""
	case 'u':
	default:
		return 0, `unknown escape; \" \\ \/ \b \f \n \r \t and \u with four hexadecimal digits are known`
	}
	u, ok := hex(b)
	switch {
	case !ok:
		return 0, `four hexadecimal digits are expected after \u`
	case u < 0xD800 || u > 0xDFFF:
		return 6, ""
	case u < 0xDC00:
		if low, ok := hex(b[6:]); ok && 0xDC00 <= low && low <= 0xDFFF {
			return 12, ""
		}
	}
	return 0, "the escape is half of a surrogate pair; the other half is missing"
}

// hex reads \uXXXX.
func hex(b []byte) (u rune, ok bool) {
	if len(b) < 6 || b[0] != '\\' || b[1] != 'u' {
		return 0, false
	}
	for _, c := range b[2:6] {
		switch {
		case '0' <= c && c <= '9':
			c -= '0'
		case 'a' <= c|0x20 && c|0x20 <= 'f':
			c = c | 0x20 - 'a' + 10
		default:
			return 0, false
		}
		u = u<<4 | rune(c)
	}
	return u, true
}

// few is the number of members up to which comparing each with each is faster than hashing.
const few = 8

// distinct sees to it that no two members of the innermost object, which ends here, have the same name. It looks at
// an object's names together, so one table serves all objects one after the other.
func (s *scanner) distinct(object *container) error {
	names := s.names[object.names:]
	if len(names) <= few {
		for i := 1; i < len(names); i++ {
			for j := range i {
				if s.same(object, names[i], names[j]) {
					return s.duplicate(object.names + i)
				}
			}
		}
		return nil
	}
	size := 4 * few
	for size < 2*len(names) {
		size *= 2
	}
	if len(s.table) < size {
		if s.table == nil {
			s.seed = maphash.MakeSeed()
		}
		s.table = make([]uint32, size)
	}
	table := s.table[:size]
	clear(table)
	for i, name := range names {
		h := int(maphash.Bytes(s.seed, s.decode(object, name))) & (size - 1)
		for ; table[h] != 0; h = (h + 1) & (size - 1) {
			if s.same(object, name, names[table[h]-1]) {
				return s.duplicate(object.names + i)
			}
		}
		table[h] = uint32(i + 1)
	}
	return nil
}

// same tells whether two member names of the object are equal once decoded.
func (s *scanner) same(object *container, a, b span) bool {
	if object.escaped {
		return bytes.Equal(s.decode(object, a), s.decode(object, b))
	}
	return a.end-a.start == b.end-b.start && string(s.data[a.start:a.end]) == string(s.data[b.start:b.end])
}

// decode gives a member name without escapes.
func (s *scanner) decode(object *container, name span) []byte {
	text := s.data[name.start:name.end]
	if object.escaped && bytes.IndexByte(text, '\\') >= 0 {
		return []byte(gjson.ParseBytes(s.data[name.start-1 : name.end+1]).Str)
	}
	return text
}

// duplicate is the error for the name at a place in s.names that was there before.
func (s *scanner) duplicate(place int) error {
	s.names = s.names[:place+1] // the path is that of this member
	return s.fail(s.names[place].start-1, "this member is there twice; an object has each name once")
}

// failBetween makes the error for the next byte where that belongs to the innermost array or object, not to one of the
// values in it.
func (s *scanner) failBetween(format string, args ...any) error {
	top := &s.open[len(s.open)-1]
	top.index = -1
	s.names = s.names[:top.names]
	return s.fail(s.i, format, args...)
}

// fail makes the error for the byte at offset, inside what is open now.
func (s *scanner) fail(offset int, format string, args ...any) error {
	var path []byte
	for i := range s.open {
		object := &s.open[i]
		if object.array {
			if object.index >= 0 {
				path = appendIndex(path, object.index)
			}
			continue
		}
		end := len(s.names)
		if i+1 < len(s.open) {
			end = s.open[i+1].names
		}
		if end > object.names {
			path = appendName(path, string(s.decode(object, s.names[end-1])))
		}
	}
	before := s.data[:offset]
	start := bytes.LastIndexByte(before, '\n') + 1
	return &Error{
		Path:   string(path),
		Line:   bytes.Count(before, []byte{'\n'}) + 1,
		Column: utf8.RuneCount(before[start:]) + 1,
		Reason: fmt.Sprintf(format, args...),
		Syntax: true,
	}
}

// found describes what stands at the next byte, for a message.
func (s *scanner) found() string {
	if s.i >= len(s.data) {
		return "the end of the text"
	}
	rest := s.data[s.i:]
	word := 0
	for word < len(rest) && word < 20 && (rest[word]|0x20 >= 'a' && rest[word]|0x20 <= 'z') {
		word++
	}
	if word > 1 {
		return string(rest[:word])
	}
	r, n := utf8.DecodeRune(rest)
	switch {
	case r == utf8.RuneError && n == 1:
		return fmt.Sprintf("the byte 0x%02X, which is not UTF-8", rest[0])
	case r == '\'':
		return "a single quote"
	case r == '"':
		return "a string"
	case !unicode.IsPrint(r):
		return fmt.Sprintf("%U", r)
	}
	return "'" + string(r) + "'"
}
