package clickhouse

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/store/survey/decimal"
	"github.com/crosswave/crosswave/store/survey/numbering"
)

// state is what the embedded store publishes for this engine: which rows count, and which numbers stand for which
// codes. Numbers stay what they are from version to version. It is written as JSON.
type state struct {
	Format     int         `json:"format"`
	Table      string      `json:"table"`               // with its database
	Published  uint64      `json:"published,omitempty"` // number of the import that published this; 0 in format 2
	Waves      []*wave     `json:"waves"`
	Locations  []string    `json:"locations"`  // the number is the index
	Namespaces []string    `json:"namespaces"` // likewise; columns are named by it
	Questions  []*question `json:"questions"`
	Next       uint32      `json:"next"`               // number of the next attribute
	Columns    []int       `json:"columns"`            // attributes in each column d0, d1, …
	Width      int         `json:"width"`              // attributes that a column takes before the next is begun
	Numbered   uint32      `json:"numbered,omitempty"` // questions of numbers so far; the last was given this number

	waves     map[string]*wave
	locations map[string]uint16
	questions map[string]*question // by namespace.code
}

// The format that is written, and the first that is read: in it imports were known by their generations alone. Up to
// format 3 there were no numbers, only from format 5 on some answers are words, and only in format 6 some numbers have
// columns of their own: each is written where there are any.
const (
	stateFormat = 6
	listedWords = 5
	arraysOnly  = 4
	firstFormat = 2
)

// mostAttributes is how many attributes a store can have had in its life. The keys of statements have 24 bits for them,
// and half of the numbers in these are for other rows and columns.
const mostAttributes = 1 << 23

// wave is a wave of which respondents were stored at any time.
type wave struct {
	Code   string `json:"code"`
	Number uint16 `json:"number"`
	Parts  []part `json:"parts,omitempty"` // those that are published
}

// part describes the respondents of a wave that one import brought.
type part struct {
	Number      uint64    `json:"generation"` // of the import, as in column gen of the servers' table
	Respondents int64     `json:"respondents"`
	Words       bool      `json:"words,omitempty"` // its answers are stored as words
	Apart       bool      `json:"apart,omitempty"` // and the numbers of each question in columns of their own
	Weights     []weights `json:"weights"`         // by namespace number; none beyond the end
	Numbers     []given   `json:"numbers,omitempty"`
}

// weights describes the weights above 0 that respondents of a part have in one namespace.
type weights struct {
	Decimals []int  `json:"decimals,omitempty"` // the values in column e, ascending; none: no one has a weight
	Largest  string `json:"largest,omitempty"`
	Smallest string `json:"smallest,omitempty"`
	Total    string `json:"total,omitempty"`
}

// question tells under which numbers, and in which column, the answers to a question are stored.
type question struct {
	Namespace string            `json:"namespace"`
	Code      string            `json:"code"`
	Column    int               `json:"column"` // of the table: the question's answers are in it, with those of others
	Points    numbering.Numbers `json:"datapoints"`
	Number    uint32            `json:"number,omitempty"` // of a question of numbers, from 1
}

// readState reads what was published; nil is a state with nothing in it.
func readState(data []byte) (*state, error) {
	st := &state{Format: stateFormat}
	if data != nil {
		if err := json.Unmarshal(data, st); err != nil {
			return nil, fmt.Errorf("what the store says of its respondents in ClickHouse can't be read: %w", err)
		}
		if st.Format < firstFormat || st.Format > stateFormat {
			return nil, fmt.Errorf("what the store says of its respondents in ClickHouse is of format %d; this "+
				"program knows %d to %d", st.Format, firstFormat, stateFormat)
		}
		st.Format = stateFormat
	}
	st.index()
	return st, nil
}

func (st *state) index() {
	st.waves, st.locations, st.questions = map[string]*wave{}, map[string]uint16{}, map[string]*question{}
	for _, w := range st.Waves {
		st.waves[w.Code] = w
	}
	for i, code := range st.Locations {
		st.locations[code] = uint16(i)
	}
	for _, q := range st.Questions {
		st.questions[audience.Key(q.Namespace, q.Code)] = q
	}
}

// attribute is where the positives of an attribute are: its number in a column.
type attribute struct {
	number uint32
	column int
}

// extend gives numbers to all codes of a survey that have none yet, and returns its attributes by their number in
// survey.Layout. It changes st.
func (st *state) extend(sv *audience.Survey) ([]attribute, error) {
	const most = 1<<16 - 1
	for _, w := range sv.Waves {
		if st.waves[w.Code] == nil {
			n := &wave{Code: w.Code, Number: uint16(len(st.Waves))}
			st.Waves = append(st.Waves, n)
			st.waves[w.Code] = n
		}
	}
	for _, l := range sv.Locations {
		if _, there := st.locations[l.Code]; !there {
			st.locations[l.Code] = uint16(len(st.Locations))
			st.Locations = append(st.Locations, l.Code)
		}
	}
	if len(st.Waves) > most || len(st.Locations) > most {
		return nil, fmt.Errorf("the store has had %d waves and %d locations; %d of each is all it can hold",
			len(st.Waves), len(st.Locations), most)
	}
	for _, n := range sv.Namespaces {
		if !slices.Contains(st.Namespaces, n.Code) {
			st.Namespaces = append(st.Namespaces, n.Code)
		}
	}
	return st.number(sv)
}

// number gives numbers to the attributes of a survey that have none yet, and returns all of them in the order of
// survey.Layout. It changes st unless there is an error.
func (st *state) number(sv *audience.Survey) ([]attribute, error) {
	next := st.Next
	extended, lists := make([]numbering.Numbers, len(sv.Questions)), make([][]uint32, len(sv.Questions))
	fresh := make([]int, len(sv.Questions)) // how many of each question's attributes get their numbers now
	for i := range sv.Questions {
		q, had, from := &sv.Questions[i], numbering.Numbers{}, next
		if known := st.questions[audience.Key(q.Namespace, q.Code)]; known != nil {
			had = known.Points
		}
		extended[i], lists[i] = had.Extend(q, func() uint32 { next++; return next - 1 })
		fresh[i] = int(next - from)
	}
	if next > mostAttributes {
		return nil, fmt.Errorf("the store has had %d attributes and %d more are to come; %d is all it can hold",
			st.Next, next-st.Next, mostAttributes)
	}
	if st.Width == 0 {
		st.Width = max(narrowest, int(next)/manyColumns)
	}
	st.Next = next
	var all []attribute
	for i := range sv.Questions {
		q := &sv.Questions[i]
		to := st.questions[audience.Key(q.Namespace, q.Code)]
		if to == nil {
			to = &question{Namespace: q.Namespace, Code: q.Code, Column: st.column(len(lists[i]))}
			st.Questions = append(st.Questions, to)
			st.questions[audience.Key(q.Namespace, q.Code)] = to
		}
		to.Points = extended[i]
		if q.Kind == audience.Number && to.Number == 0 {
			st.Numbered++
			to.Number = st.Numbered
		}
		st.Columns[to.Column] += fresh[i]
		for _, n := range lists[i] {
			all = append(all, attribute{n, to.Column})
		}
	}
	return all, nil
}

// A table reads only the columns that it asks about, so answers are spread over columns, all of a question in one: the
// narrower a column, the less is read, but each is files of its own in every part of the table. A column takes at least
// narrowest attributes, more if a survey would need more than manyColumns.
const (
	narrowest   = 64
	manyColumns = 64
)

// column returns the column for the answers to a new question with so many attributes: the last one if it has room, or
// else another one.
func (st *state) column(attributes int) int {
	last := len(st.Columns) - 1
	if last < 0 || st.Columns[last] > 0 && st.Columns[last]+attributes > st.Width {
		st.Columns = append(st.Columns, 0)
		last++
	}
	return last
}

// drop takes published parts of waves away.
func (st *state) drop(waves []string) {
	for _, code := range waves {
		if w := st.waves[code]; w != nil {
			w.Parts = nil
		}
	}
}

// live tells whether the respondents of a wave that came with an import, both given by their numbers, are published.
func (st *state) live(wave uint16, number uint64) bool {
	for _, w := range st.Waves {
		if w.Number == wave {
			return slices.ContainsFunc(w.Parts, func(p part) bool { return p.Number == number })
		}
	}
	return false
}

// check sees to it that a frame can be answered for: its waves are those of the published respondents, and no weight
// and no sum leaves the range of exact integers.
func (st *state) check(f *audience.Frame) error {
	for _, w := range st.Waves {
		if len(w.Parts) > 0 && f.Wave(w.Code) < 0 {
			return fmt.Errorf("the frame has no wave %q, of which there are respondents", w.Code)
		}
	}
	if err := st.checkNumbers(f); err != nil {
		return err
	}
	for number, code := range st.Namespaces {
		n := f.Namespace(code)
		total := &decimal.Sum{}
		for _, w := range st.Waves {
			for _, p := range w.Parts {
				if number >= len(p.Weights) || len(p.Weights[number].Decimals) == 0 {
					continue
				}
				if n < 0 {
					return fmt.Errorf("the frame has no namespace %q, which respondents of wave %q have weights in", code, w.Code)
				}
				if err := p.Weights[number].within(f.Decimals(n), total); err != nil {
					return fmt.Errorf("namespace %q, wave %q: %w", code, w.Code, err)
				}
			}
		}
		if n < 0 {
			continue
		}
		limit, _ := decimal.Parse(fmt.Sprintf("%de%d", int64(1)<<62, -f.Decimals(n)), true)
		if total.Cmp(limit) >= 0 {
			return fmt.Errorf("namespace %q: the sum of all weights, %s, is too large to be counted in units of "+
				"10^%d people", code, total, -f.Decimals(n))
		}
	}
	return nil
}

// within checks weights against a unit and adds them up.
func (w *weights) within(decimals int, total *decimal.Sum) error {
	for _, text := range []string{w.Largest, w.Smallest} {
		d, err := decimal.Parse(text, true)
		if err != nil {
			return err
		}
		if units, ok := d.Scaled(decimals); !ok || units <= 0 || units >= 1<<40 {
			return fmt.Errorf("a weight of %s can't be counted in units of 10^%d people", d, -decimals)
		}
	}
	sum, err := decimal.ParseSum(w.Total)
	if err == nil {
		total.AddSum(sum)
	}
	return err
}

// attributes finds the numbers of the attributes that a leaf of an expression is about, a list for each of its
// datapoints that has any, and the column that they are in. What is in the store f tells.
func (st *state) attributes(f *audience.Frame, x audience.Answers) (lists [][]uint32, column int, err error) {
	leaf, err := numbering.Find(f, x)
	if err != nil {
		return nil, 0, err
	}
	q := st.questions[leaf.Question.Key()]
	if q == nil { // of which no respondents were ever stored
		return nil, 0, nil
	}
	return q.Points.Of(leaf), q.Column, nil
}

// namespace is the number of a namespace, or -1.
func (st *state) namespace(code string) int { return slices.Index(st.Namespaces, code) }

// weightColumns are the names of the two columns that hold the weights of a namespace.
func weightColumns(number int) (mantissa, decimals string) {
	return fmt.Sprintf("w%d", number), fmt.Sprintf("e%d", number)
}

// answerColumn is the name of a column that holds answers.
func answerColumn(number int) string { return fmt.Sprintf("d%d", number) }

func join[T any](list []T, text func(T) string) string { return joined(list, ", ", text) }

func joined[T any](list []T, between string, text func(T) string) string {
	parts := make([]string, len(list))
	for i, x := range list {
		parts[i] = text(x)
	}
	return strings.Join(parts, between)
}

func numbers[T int | uint16 | uint32 | int64 | uint64](list []T) string {
	return join(list, func(n T) string { return fmt.Sprint(n) })
}
