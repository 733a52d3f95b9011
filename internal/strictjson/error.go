package strictjson

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"

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
	var b strings.Builder
	if e.Path != "" {
		b.WriteString(e.Path)
		b.WriteString(": ")
	}
	b.WriteString(e.Reason)
	if e.Line > 0 {
		fmt.Fprintf(&b, " (line %d, column %d)", e.Line, e.Column)
	}
	return b.String()
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
	path = append(path, '[')
	path = strconv.AppendInt(path, int64(index), 10)
	return append(path, ']')
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
			d := edits(strings.ToLower(name), strings.ToLower(k))
			if d < distance && d <= (1+max(len(name), len(k)))/4 && 2*d < min(len(name), len(k)) {
				best, distance = k, d
			}
		}
	}
	if best != "" {
		return fmt.Sprintf("unknown member %s; %s is probably meant", quote(name), quote(best))
	}
	var b strings.Builder
	for i, k := range known {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(k)
	}
	return fmt.Sprintf("unknown member %s; known here: %s", quote(name), b.String())
}

// edits is the number of bytes to insert, delete, replace or swap with their neighbour to make a of b (the optimal
// string alignment distance).
func edits(a, b string) int {
	before, last, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		for j := 1; j <= len(b); j++ {
			change := last[j-1]
			if a[i-1] != b[j-1] {
				change++
			}
			row[j] = min(change, last[j]+1, row[j-1]+1)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last, row = last, row, before
	}
	return last[len(b)]
}
