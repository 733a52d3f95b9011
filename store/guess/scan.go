package guess

import (
	"context"
	"hash/maphash"
	"maps"
	"math"

	"github.com/crosswave/crosswave/store/survey"
)

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
