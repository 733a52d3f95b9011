package guess

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/crosswave/crosswave/store/survey"
	"github.com/crosswave/crosswave/store/survey/decimal"
)

const (
	mostValues = 512     // different values of a column that are kept
	mostText   = 1 << 16 // bytes of them
	fewValues  = 32      // that are looked through one by one
	mostListed = 32      // answers that are kept in their order, and not found out again
	mostHashes = 1 << 19 // values, of all columns together, that are compared to find out whether they repeat
	sampleSize = 1 << 10 // numbers of a column that are kept to cut them into bands
	longValue  = 200     // bytes of a value beyond which it is no answer code
)

// column is a Column with what was seen in it. A file may have thousands of columns with next to nothing in them, so
// what few need is behind pointers.
type column struct {
	*Column         // called by words, as [File.spoken] tells
	origin  *Column // as the file has it
	header
	labels *labelling
	list   []choice // what choices gives, once asked, if it is short
	taken  bool
	named  bool // an option says what it is
	// quantity tells that the numbers are some to calculate with, because those of other columns of the question are
	quantity bool
	// renumbered tells that the numbers are codes of the steps of a scale, however far they go, because those of other
	// columns of the question are the same.
	renumbered bool
	beside     []string // numbers far from the others that stand beside them, and not among them
	against    bool     // its -1 is the other end of a scale from 0 to 1, as forAndAgainst finds
	broken     bool     // there are values that are not UTF-8
	alone      bool     // it is one of several answers that a Set holds together, or a copy, and no row of a grid
	copy       bool     // of another column, with the answers turned round
	chosenAs   string   // its name, which says that it was chosen, as namesOrNot finds
	// oneAnswer tells that what stands between the words of a field divides no answers, as hardly anyone gave two
	oneAnswer bool
	toChoose  choosing // how many answers its words ask for, once looked at

	many    bool // more different values than are kept
	repeats bool // a value stands in two rows
	unsure  bool // repeats may be wrong: not all values were compared

	number, integer, date bool      // what all values so far are
	calendar              *calendar // of dates; nil: none was seen
	daysLeft              *int      // how many days all columns together may still keep
	bounded               bool      // least and most are set

	filled, empty, missing int64 // rows with a value, without one, and with one that the file declares as missing
	lost                   int64 // of missing, those with a code that was taken for no answer
	silent                 int   // the number of the columns that as many left without an answer, as inAllOptions finds
	// different ones, as first seen, without those that are missing; not all of them if many is set
	values   []value
	declared []value // that the file declares as missing, as seen
	marks    []value // words for "no value", such as NA
	longest  int     // bytes of a value
	text     int     // bytes of the values that are kept

	least, most decimal.Decimal // of numbers
	decimals    int             // the most decimals of a number
	sum         float64
	sample      *sample // of numbers, where values are many

	index  map[string]int // by text as it stands: in values, or one of the codes below; nil as long as values tell all
	last   int            // what the text seen last is
	hashes map[uint64]struct{}
	pieces divisions
}

// labelling is what columns that share their labels have in common.
type labelling struct {
	labels []Label
	names  map[string]string // of values
	idle   map[string]bool   // values whose labels say that there is no answer, or none besides those before
}

// value is a value of a column.
type value struct {
	text string // numbers without what does not count: 3 for 3.0
	n    int64
}

// What a text is if it is none of the values that are kept.
const (
	isEmpty = -1 - iota
	isMissing
	isMark
	isMore
	isNew // it was not seen before, or not kept
)

// marks are the words that programs write where there is no value.
var marks = map[string]bool{"NA": true, "N/A": true, "n/a": true, "#N/A": true, "NULL": true, "null": true,
	"#NULL!": true, "na": true, "NaN": true, "nan": true, "<NA>": true, ".": true, "##N/A##": true, "(空)": true,
	"(跳过)": true, "(blank)": true, "(skip)": true}

// trim lets go of the room that lists have for what will not come any more: where columns are many, it is a third of
// what they hold.
func (c *column) trim() {
	c.values = slices.Clone(c.values)
	for _, one := range c.pieces {
		p := one.pieces
		p.list, p.times = slices.Clone(p.list), slices.Clone(p.times)
	}
}

// labellingOf gives the labelling of a list of labels, one for all columns that have the very list.
func labellingOf(labels []Label, shared map[*Label]*labelling) *labelling {
	if len(labels) == 0 {
		return &labelling{}
	}
	if l := shared[&labels[0]]; l != nil && len(l.labels) == len(labels) {
		return l
	}
	l := &labelling{labels: labels, names: make(map[string]string, len(labels)), idle: map[string]bool{}}
	for _, label := range labels {
		l.names[canonical(label.Value)] = label.Text
		if aside(label.Text) > 0 || nothingMore.MatchString(label.Text) {
			l.idle[canonical(label.Value)] = true
		}
	}
	shared[&labels[0]] = l
	return l
}

// find tells what a text is that was seen before, or isNew.
func (c *column) find(text []byte) int {
	switch {
	case len(text) == 0:
		return isEmpty
	case c.last >= 0 && string(text) == c.values[c.last].text: // mostly
		return c.last
	case c.index != nil:
		if code, known := c.index[string(text)]; known {
			return code
		}
	case !c.many:
		for i := range c.values {
			if c.values[i].text == string(text) {
				return i
			}
		}
	}
	return isNew
}

// learn tells what a text is that was not seen before, or is not kept.
func (c *column) learn(raw string, marks map[string]bool) int {
	text := survey.Plain(raw)
	keep := func(list *[]value, code int) int {
		v := canonical(text)
		for i := range *list {
			if (*list)[i].text == v {
				(*list)[i].n++
				return code
			}
		}
		if len(*list) < c.room() && len(v) <= longValue {
			*list = append(*list, value{v, 1})
			c.remember(raw, code)
		}
		return code
	}
	switch {
	case text == "":
		c.remember(raw, isEmpty)
		return isEmpty
	case c.Missing != nil && c.Missing(text):
		return keep(&c.declared, isMissing)
	case marks[text]:
		return keep(&c.marks, isMark)
	case !utf8.ValidString(text):
		c.broken = true
		c.overflow()
		return isMore
	case c.many:
		return isMore
	}
	v := canonical(text)
	for i := range c.values { // another way to write a number
		if c.values[i].text == v {
			c.remember(raw, i)
			return i
		}
	}
	if len(c.values) == c.room() || c.text+len(v) > mostText+256*len(c.Labels) || len(v) > 4*longValue {
		c.overflow()
		return isMore
	}
	c.text += len(v)
	c.values = append(c.values, value{v, 0})
	c.observe(v)
	c.remember(raw, len(c.values)-1)
	return len(c.values) - 1
}

// room is how many different values may be kept.
func (c *column) room() int { return mostValues + 2*len(c.Labels) }

// remember keeps what a text is, up to a few times as many as there are values. Nothing need be kept as long as the
// values are few and written in one way each.
func (c *column) remember(raw string, code int) {
	if c.index == nil {
		if code >= 0 && len(c.values) <= fewValues && c.values[code].text == raw {
			return
		}
		c.index = map[string]int{}
		for i := range c.values {
			c.index[c.values[i].text] = i
		}
	}
	if len(c.index) < 4*c.room() {
		c.index[raw] = code
	}
}

// overflow gives up keeping all values. What is learnt of numbers goes on.
func (c *column) overflow() {
	if c.many {
		return
	}
	c.many, c.last = true, isMore
	for _, v := range c.values {
		for range v.n {
			c.take(v.text)
		}
	}
	maps.DeleteFunc(c.index, func(_ string, code int) bool { return code >= 0 })
}

// more takes a value of a column that has many.
func (c *column) more(text string) {
	c.observe(text)
	c.take(text)
}

// observe learns from a value what all values are.
func (c *column) observe(text string) {
	c.longest = max(c.longest, len(text))
	if c.date && !c.dated(text) {
		c.date = false
		c.forgetDays()
	}
	if c.number {
		if d, err := decimal.Parse(text, true); err == nil {
			c.integer = c.integer && d.Decimals() <= 0
			if _, special := c.labels.names[text]; !special {
				c.bounds(d)
			}
			return
		}
		c.number, c.integer, c.sample = false, false, nil
	}
	for i := range separators {
		c.split(i, text)
	}
}

// unique tells whether every row has a value that no other row has, as far as that was found out.
func (c *column) unique() bool { return c.filled > 0 && c.empty+c.missing == 0 && !c.repeats }

// summary tells in short what stands in the column.
func (c *column) summary() string {
	var parts []string
	switch {
	case c.filled == 0:
		return "empty"
	case c.broken:
		return "bytes that are no text"
	case c.number && (c.many || len(c.values) > 12 && len(c.Labels) == 0):
		parts = append(parts, fmt.Sprintf("numbers from %s to %s", shown(c.least.String()), shown(c.most.String())))
	case c.many && !c.repeats && !c.unsure:
		parts = append(parts, "all different")
	case c.many && len(c.values) < c.room(): // it was one of them, or all together, that there is no room for
		parts = append(parts, "long texts")
	case c.many:
		parts = append(parts, fmt.Sprintf("more than %d different", c.room()))
	default:
		var texts []string
		for _, o := range c.choices() {
			text := shown(o.name)
			if o.name != o.value && utf8.RuneCountInString(o.value) < 12 {
				text = o.value + " " + text
			}
			texts = append(texts, short(text, 24))
		}
		if len(texts) > 5 {
			texts = append(texts[:4], fmt.Sprintf("… (%d)", len(texts)))
		}
		parts = append(parts, strings.Join(texts, ", "))
	}
	if c.empty+c.missing > 0 {
		parts = append(parts, fmt.Sprintf("%d missing", c.empty+c.missing))
	}
	return strings.Join(parts, "; ")
}

// short cuts a text for a table.
func short(text string, most int) string {
	text = strings.Join(strings.Fields(text), " ")
	if utf8.RuneCountInString(text) <= most {
		return text
	}
	return string([]rune(text)[:most-1]) + "…"
}
