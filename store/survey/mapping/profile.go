package mapping

import (
	"context"
	"fmt"
	"hash/maphash"
	"strings"
	"unicode/utf8"

	"github.com/crosswave/crosswave/internal/decimal"
)

const (
	mostValues = 512     // different values of a column that are kept
	mostText   = 1 << 16 // bytes of them
	mostHashes = 1 << 19 // values, of all columns together, that are compared to find out whether they repeat
	sampleSize = 1 << 10 // numbers of a column that are kept to cut them into bands
	longValue  = 200     // bytes of a value beyond which it is no answer code
)

// column is a Column with what was seen in it.
type column struct {
	Column
	labels map[string]string // by value
	taken  bool
	list   []choice // what choices gives, once asked
	key    string   // what labelKey gives, once asked
	broken bool     // there are values that are not UTF-8
	alone  bool     // it is one of several answers that a Set holds together, and no row of a grid

	filled, empty, missing int64   // rows with a value, without one, and with one that the file declares as missing
	values                 []value // different ones, as first seen, without those that are missing; not all of them if many is set
	declared               []value // that the file declares as missing, as seen
	marks                  []value // words for "no value", such as NA
	many                   bool    // more different values than are kept
	longest                int     // bytes of a value
	room, text             int     // different values that may be kept, and bytes of those that are
	repeats                bool    // a value stands in two rows
	unsure                 bool    // repeats may be wrong: not all values were compared

	number, integer, date bool            // what all values so far are
	bounded               bool            // least and most are set
	least, most           decimal.Decimal // of numbers
	decimals              int             // the most decimals of a number
	sum                   float64
	sample                []float64
	stride, skipped       int

	index  map[string]int // by text as it stands: in values, or one of the codes below
	last   string         // the text seen last, and its code
	code   int
	hashes map[uint64]struct{}
	pieces [len(separators)]pieces
}

// value is a value of a column.
type value struct {
	text string // numbers without what does not count: 3 for 3.0
	n    int64
	row  int64 // of the first
}

// What a text is if it is none of the values that are kept.
const (
	isEmpty = -1 - iota
	isMissing
	isMark
	isMore
)

// marks are the words that programs write where there is no value.
var marks = map[string]bool{"NA": true, "N/A": true, "n/a": true, "#N/A": true, "NULL": true, "null": true, "#NULL!": true, "NaN": true, "nan": true, "<NA>": true, ".": true}

// scan reads the file and tells what stands in its columns.
func scan(ctx context.Context, f *File) ([]*column, int64, error) {
	s := &scanner{seed: maphash.MakeSeed()}
	for i := range f.Columns {
		c := &column{Column: f.Columns[i], number: true, integer: true, date: true, stride: 1, code: isEmpty}
		c.room = mostValues + 2*len(c.Labels)
		if len(c.Labels) > 0 {
			c.labels = map[string]string{}
		}
		for _, l := range c.Labels {
			c.labels[canonical(l.Value)] = l.Text
		}
		s.columns = append(s.columns, c)
	}
	rows := int64(0)
	var text []byte
	for row, err := range f.Table.Rows(ctx) {
		if err != nil {
			return nil, 0, err
		}
		rows++
		for i, c := range s.columns {
			text = row.Append(text[:0], i)
			s.see(c, text, row.Number())
		}
	}
	for _, c := range s.columns {
		if c.filled == 0 {
			c.number, c.integer, c.date = false, false, false
		}
		c.index, c.hashes = nil, nil
	}
	return s.columns, rows, ctx.Err()
}

// scanner is a scan under way.
type scanner struct {
	columns []*column
	seed    maphash.Seed
	hashes  int
}

// see takes the text of a row.
func (s *scanner) see(c *column, text []byte, row int64) {
	if string(text) != c.last || c.code == isMore {
		code, known := c.index[string(text)]
		if !known {
			code = c.learn(string(text), row)
		}
		c.last, c.code = string(text), code
	}
	switch c.code {
	case isEmpty:
		c.empty++
	case isMissing:
		c.missing++
	case isMark:
		c.empty++
	case isMore:
		c.filled++
		c.more(strings.TrimSpace(string(text)))
		s.compare(c, text)
	default:
		c.filled++
		v := &c.values[c.code]
		if v.n++; v.n > 1 {
			c.repeats = true
		}
	}
}

// learn tells what a text is that was not seen before, or is not kept.
func (c *column) learn(raw string, row int64) int {
	text := strings.TrimSpace(raw)
	keep := func(list *[]value, code int) int {
		v := canonical(text)
		for i := range *list {
			if (*list)[i].text == v {
				(*list)[i].n++
				return code
			}
		}
		if len(*list) < c.room && len(v) <= longValue {
			*list = append(*list, value{v, 1, row})
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
	case marks[text] && c.labels[text] == "":
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
	if len(c.values) == c.room || c.text+len(v) > mostText+256*len(c.Labels) || len(v) > 4*longValue {
		c.overflow()
		return isMore
	}
	c.text += len(v)
	c.values = append(c.values, value{v, 0, row})
	c.observe(v)
	c.remember(raw, len(c.values)-1)
	return len(c.values) - 1
}

// remember keeps what a text is, up to a few times as many as there are values.
func (c *column) remember(raw string, code int) {
	if c.index == nil {
		c.index = map[string]int{}
	}
	if len(c.index) < 4*c.room {
		c.index[raw] = code
	}
}

// overflow gives up keeping all values. What is learnt of numbers goes on.
func (c *column) overflow() {
	if c.many {
		return
	}
	c.many = true
	for _, v := range c.values {
		for range v.n {
			c.take(v.text)
		}
	}
	for text, code := range c.index {
		if code >= 0 {
			delete(c.index, text)
		}
	}
}

// more takes a value of a column that has many.
func (c *column) more(text string) {
	c.observe(text)
	c.take(text)
}

// observe learns from a value what all values are.
func (c *column) observe(text string) {
	c.longest = max(c.longest, len(text))
	if c.date && !looksDate(text) {
		c.date = false
	}
	if c.number {
		if d, err := decimal.Parse(text, true); err == nil {
			c.integer = c.integer && d.Decimals() <= 0
			if _, special := c.labels[text]; !special {
				c.bounds(d)
			}
			return
		}
		c.number, c.integer, c.sample = false, false, nil
		for i := range max(0, len(c.values)-1) { // those before, which were numbers
			c.split(c.values[i].text)
		}
	}
	c.split(text)
}

// split tries what the value comes to if it is several, divided by one separator or another.
func (c *column) split(text string) {
	for i := range c.pieces {
		c.pieces[i].split(text, separators[i])
	}
}

// bounds widens the range of numbers, those without a label.
func (c *column) bounds(d decimal.Decimal) {
	if !c.bounded || d.Cmp(c.least) < 0 {
		c.least = d
	}
	if !c.bounded || d.Cmp(c.most) > 0 {
		c.most = d
	}
	c.bounded = true
	c.decimals = max(c.decimals, d.Decimals())
}

// take puts a number into the sample: every so manieth of the file, those with a label left out.
func (c *column) take(text string) {
	if !c.number {
		return
	}
	if _, special := c.labels[text]; special {
		return
	}
	d, err := decimal.Parse(text, true)
	if err != nil {
		return
	}
	f := d.Float64()
	c.sum += f
	if c.skipped++; c.skipped < c.stride {
		return
	}
	c.skipped = 0
	if len(c.sample) == sampleSize {
		for i := range sampleSize / 2 {
			c.sample[i] = c.sample[2*i+1]
		}
		c.sample = c.sample[:sampleSize/2]
		c.stride *= 2
	}
	c.sample = append(c.sample, f)
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
	trimmed := strings.TrimSpace(string(text))
	hash := maphash.String(s.seed, canonical(trimmed))
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

// canonical is the text of a value as values compare: of a number, without what does not count.
func canonical(text string) string {
	text = strings.TrimSpace(text)
	if text != "" && text[0] <= '9' {
		if d, err := decimal.Parse(text, false); err == nil {
			return d.String()
		}
	}
	return text
}

// mean is the mean of a column of numbers.
func (c *column) mean() float64 {
	sum := c.sum
	if !c.many {
		for _, v := range c.values {
			if d, err := decimal.Parse(v.text, true); err == nil {
				sum += d.Float64() * float64(v.n)
			}
		}
	}
	return sum / float64(max(1, c.filled))
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
		parts = append(parts, fmt.Sprintf("numbers from %s to %s", c.least, c.most))
	case c.many && !c.repeats && !c.unsure:
		parts = append(parts, "all different")
	case c.many:
		parts = append(parts, fmt.Sprintf("more than %d different", c.room))
	default:
		var texts []string
		for _, o := range c.choices() {
			text := o.name
			if text != o.value && utf8.RuneCountInString(o.value) < 12 {
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

// separators may stand between answers in one field, the surest first.
var separators = [...]string{";", "|", ","}

const mostPieces = 200

// pieces is what the values of a column come to if they are divided.
type pieces struct {
	count     map[string]int64 // occurrences, by piece; nil: too many, or none divided
	divided   int64            // values with more than one piece
	whole     int64            // values in all
	all       int64            // pieces in all
	least, at int              // pieces of a value: the fewest and the most
	off       bool
}

// split takes a value.
func (p *pieces) split(text, separator string) {
	if p.off {
		return
	}
	if p.count == nil {
		p.count = map[string]int64{}
	}
	n := 0
	for piece := range strings.SplitSeq(text, separator) {
		if piece = canonical(piece); piece == "" {
			continue
		}
		n++
		p.all++
		if p.count[piece]++; len(p.count) > mostPieces || len(piece) > longValue {
			p.off, p.count = true, nil
			return
		}
	}
	if n > 1 || strings.HasSuffix(strings.TrimSpace(text), separator) {
		p.divided++
	}
	p.whole++
	if p.whole == 1 || n < p.least {
		p.least = n
	}
	p.at = max(p.at, n)
}
