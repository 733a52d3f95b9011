package dta

import "bytes"

// layout is how long the parts of a file are, by the number of its format.
type layout struct {
	release int
	tagged  bool // its sections stand between tags: 117 and later

	name, format, label int // bytes of a variable's name, display format and label
	title               int // … of the label of the file, or of the length in front of it
	stamp               int // … of the time when it was written
	sort                int // … of a place in the order of the rows
	extra               int // … of the length of a characteristic, 0: there are none
	variables, rows     int // … of how many there are
	longVariable        int // … of a variable's place in the reference to a long text
	spreadLabels        bool
	extended            bool // there are missing values besides "."
}

// The formats that are read. 120 and 121 of Stata 18 are those of 118 and 119 with variables that stand in other files.
const (
	oldest = 104
	newest = 119
)

// layoutOf is the layout of a format.
func layoutOf(release int) layout {
	l := layout{release: release, tagged: release >= 117, name: 33, format: 49, label: 81, title: 81, stamp: 18, sort: 2,
		extra: 4, variables: 2, rows: 4, longVariable: 4, extended: release >= 113}
	if release < 114 {
		l.format = 12
	}
	if release < 110 {
		l.name, l.extra = 9, 2
	}
	if release < 108 {
		l.label, l.title, l.spreadLabels = 32, 32, true
	}
	if release < 105 {
		l.format, l.stamp, l.extra = 7, 0, 0
	}
	if release >= 117 {
		l.title = 1
	}
	if release >= 118 {
		l.name, l.format, l.label, l.title, l.rows, l.longVariable = 129, 57, 321, 2, 8, 2
	}
	if release >= 119 {
		l.sort, l.variables, l.longVariable = 4, 4, 3
	}
	return l
}

// variable is how many bytes a file has for each of its variables, but for those of its rows.
func (l *layout) variable() int64 {
	types := 1
	if l.tagged {
		types = 2
	}
	return int64(types + 2*l.name + l.sort + l.format + l.label) // the table of its labels has a name, too
}

// opening is how files begin whose sections stand between tags.
const opening = "<stata_dta>"

// IsStata tells by how a file begins whether it is one of Stata's, also of a format that is not read.
func IsStata(head []byte) bool {
	if bytes.HasPrefix(head, []byte(opening)) {
		return true
	}
	return len(head) > 3 && head[0] >= 102 && head[0] <= 115 && (head[1] == 1 || head[1] == 2) && head[2] == 1
}
