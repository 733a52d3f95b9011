package guess

import (
	"context"
	"fmt"
	"hash/maphash"
	"maps"
	"math"
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

// rowCount is how many rows a file has.
type rowCount struct {
	all         int64 // of respondents
	empty, left int64 // in which no column has anything: of respondents, and of those that are none
	// the numbers of the first such, as Row.Number gives them
	firstEmpty, firstLeft int64
}

// scanned is what a scan tells.
type scanned struct {
	columns  []*column
	rows     rowCount
	repeated []int64 // rows in which two columns of a group have one answer
	skipped  []int64 // rows in which a column of a group has an answer and one before it has none
	sample   *crossing
}

// scan reads the file and tells what stands in its columns, and in how many rows two columns of a group have one
// answer, or one has none before another that has: those of each joined set, and behind them those of each of the
// groups that are given. Of groups behind so many it is not looked on where one in eight rows or more have one answer
// twice: there may be many, and to compare their columns takes long.
func scan(ctx context.Context, f *File, groups [][]int, whole int) (*scanned, error) {
	s := &scanner{seed: maphash.MakeSeed(), marks: maps.Clone(marks)}
	shared := map[*Label]*labelling{}
	for i := range f.Columns {
		s.columns = append(s.columns, &column{Column: &f.Columns[i],
			header: readHeader(f.Columns[i].Name, f.Columns[i].Label), labels: labellingOf(f.Columns[i].Labels, shared),
			number: true, integer: true, date: true, last: isEmpty})
		s.answers(s.columns[i])
	}
	out := &scanned{columns: s.columns, sample: newCrossing(len(s.columns))}
	rows := &out.rows
	days := mostDays
	for _, c := range s.columns {
		c.daysLeft = &days
	}
	const often, few = 100, 8
	sets, repeated := s.joined(f), make([]int64, len(f.Sets)+len(groups))
	skipped := make([]int64, len(repeated))
	for k, group := range groups {
		for _, i := range group {
			sets[len(f.Sets)+k] = append(sets[len(f.Sets)+k], s.columns[i])
		}
	}
	for row, err := range survey.Rows(ctx, f.Table) {
		if err != nil {
			return nil, err
		}
		if row.Empty {
			if rows.left == 0 {
				rows.firstLeft = row.Number
			}
			rows.left++
			continue
		}
		rows.all++
		empty := true
		for i, c := range s.columns {
			s.see(c, row.Field(i))
			empty = empty && c.last == isEmpty
		}
		if empty {
			if rows.empty == 0 {
				rows.firstEmpty = row.Number
			}
			rows.empty++
		}
		out.sample.take(s.columns)
		for k, set := range sets {
			if twice(set) {
				repeated[k]++
			}
			skipped[k] += int64(btoi(skips(set)))
			if k >= len(f.Sets)+whole && repeated[k] > often+rows.all/few {
				sets[k], repeated[k] = nil, math.MaxInt64
			}
		}
	}
	for _, c := range s.columns {
		if c.filled == 0 {
			c.number, c.integer, c.date = false, false, false
		}
		c.index, c.hashes = nil, nil
		c.daysLeft = nil
		c.trim()
	}
	out.repeated, out.skipped = repeated, skipped
	return out, ctx.Err()
}

// trim lets go of the room that lists have for what will not come any more: where columns are many, it is a third of
// what they hold.
func (c *column) trim() {
	c.values = slices.Clone(c.values)
	for _, one := range c.pieces {
		p := one.pieces
		p.list, p.times = slices.Clone(p.list), slices.Clone(p.times)
	}
}

// joined lists the columns that each joined set is made of.
func (s *scanner) joined(f *File) map[int][]*column {
	byName := map[string]*column{}
	for _, c := range s.columns {
		byName[c.Name] = c
	}
	sets := map[int][]*column{}
	for k, set := range f.Sets {
		for _, name := range set.Columns {
			if c := byName[name]; c != nil && set.Joined != "" {
				sets[k] = append(sets[k], c)
			}
		}
	}
	return sets
}

// twice tells whether two of the columns hold the same answer in this row.
func twice(columns []*column) bool {
	for i, c := range columns {
		if c.last < 0 || !c.picked(c.values[c.last].text) {
			continue
		}
		for _, o := range columns[:i] {
			if o.last >= 0 && o.values[o.last].text == c.values[c.last].text {
				return true
			}
		}
	}
	return false
}

// skips tells whether a column has an answer in this row though one of those before it has none.
func skips(columns []*column) bool {
	none := false
	for _, c := range columns {
		answered := c.last >= 0 && !c.fills(c.values[c.last].text) || c.last == isMore || c.last == isNew
		if answered && none {
			return true
		}
		none = none || !answered
	}
	return false
}

// answers takes the labelled answers of a column from the marks of the file: a codebook has one list of words for "no
// value", so a word that is one in another column would be lost in this one.
func (s *scanner) answers(c *column) {
	if len(c.Labels) == 0 {
		return
	}
	for mark := range s.marks {
		if c.labels.names[mark] != "" && (c.Missing == nil || !c.Missing(mark)) {
			delete(s.marks, mark)
		}
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

// scanner is a scan under way.
type scanner struct {
	columns []*column
	marks   map[string]bool // those of the file
	seed    maphash.Seed
	hashes  int
}

// see takes the text of a row.
func (s *scanner) see(c *column, text []byte) {
	c.last = c.find(text)
	if c.last == isNew {
		c.last = c.learn(string(text), s.marks)
	}
	switch c.last {
	case isEmpty, isMark:
		c.empty++
	case isMissing:
		c.missing++
	case isMore:
		c.filled++
		c.more(survey.Plain(string(text)))
		s.compare(c, text)
	default:
		c.filled++
		v := &c.values[c.last]
		if v.n++; v.n > 1 {
			c.repeats = true
		}
	}
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

// compare finds out whether values of a column with many of them repeat.
func (s *scanner) compare(c *column, text []byte) {
	if c.repeats || c.unsure {
		return
	}
	if c.hashes == nil {
		c.hashes = map[uint64]struct{}{}
		for _, v := range c.values {
			c.hashes[maphash.String(s.seed, v.text)] = struct{}{}
		}
		s.hashes += len(c.hashes)
	}
	hash := maphash.String(s.seed, canonical(string(text)))
	if _, there := c.hashes[hash]; there {
		c.repeats = true
	} else if s.hashes < mostHashes {
		c.hashes[hash] = struct{}{}
		s.hashes++
		return
	} else {
		c.unsure = true
	}
	s.hashes -= len(c.hashes)
	c.hashes = nil
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
