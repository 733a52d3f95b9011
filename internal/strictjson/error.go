package strictjson

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"

	"github.com/crosswave/crosswave/internal/spelling"
	"github.com/tidwall/gjson"
)

// Error says what is wrong with a JSON text and where.
type Error struct {
	// Path leads to the value: rows[3].expression.and[0].datapoint. It is "" for the whole text. Names that are no
	// plain identifiers are written ["a b"]; very long ones are cut.
	Path string
	// Line and Column are the place of a syntax error, counted from 1, columns in characters; 0 for other errors.
	Line, Column int
	// Reason says what is wrong and what would be right.
	Reason string
	// Syntax is set if the text is refused as JSON, and not set if it is good JSON of another shape than asked.
	Syntax bool
}

// Error gives path, reason and, for syntax errors, line and column, in one line.
func (e *Error) Error() string {
	text := e.Reason
	if e.Path != "" {
		text = e.Path + ": " + text
	}
	if e.Line > 0 {
		text += fmt.Sprintf(" (line %d, column %d)", e.Line, e.Column)
	}
	return text
}

// longest is the number of characters that messages and paths show of a name.
const longest = 80

// cut shortens a name that would drown its message.
func cut(name string) string {
	if len(name) <= longest {
		return name
	}
	n := 0
	for i := range name {
		if n == longest {
			return name[:i] + "…"
		}
		n++
	}
	return name
}

// quote writes a name as JSON writes it, cut to a readable length.
func quote(name string) string { return string(gjson.AppendJSONString(nil, cut(name))) }

// appendName appends the step from an object to its member.
func appendName(path []byte, name string) []byte {
	if !identifier(name) || len(name) > longest {
		path = append(path, '[')
		path = gjson.AppendJSONString(path, cut(name))
		return append(path, ']')
	}
	if len(path) > 0 {
		path = append(path, '.')
	}
	return append(path, name...)
}

// appendIndex appends the step from an array to its element.
func appendIndex(path []byte, index int) []byte {
	return append(strconv.AppendInt(append(path, '['), int64(index), 10), ']')
}

// identifier tells whether a path can show the name as it is.
func identifier(name string) bool {
	for i, r := range name {
		if r != '_' && !unicode.IsLetter(r) && (i == 0 || !unicode.IsDigit(r)) {
			return false
		}
	}
	return name != ""
}

// unknown is the reason for a member that is not among the known ones: it names the one that was probably meant, or
// else all of them.
func unknown(name string, known []string) string {
	best, distance := "", len(name)
	if len(name) <= longest {
		for _, k := range known {
			d := spelling.Distance([]byte(strings.ToLower(name)), []byte(strings.ToLower(k)))
			if d < distance && d <= (1+max(len(name), len(k)))/4 && 2*d < min(len(name), len(k)) {
				best, distance = k, d
			}
		}
	}
	if best != "" {
		return fmt.Sprintf("unknown member %s; %s is probably meant", quote(name), quote(best))
	}
	return fmt.Sprintf("unknown member %s; known here: %s", quote(name), strings.Join(known, ", "))
}
