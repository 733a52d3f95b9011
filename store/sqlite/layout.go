package sqlite

import (
	"fmt"
	"slices"

	"github.com/crosswave/crosswave/audience"
)

// Attributes have columns: numbers that stay what they are from version to version, whatever the survey's order. A
// column is question·2^20 + number within the question, so a question's columns stand together; with the chunk's id
// above it is the key of a blob.
const (
	numberBits   = 20
	columnBits   = 40
	maxQuestions = 1<<20 - 2 // the last question is the cache's own, see weights.go
	maxNumber    = 1<<numberBits - 1
)

// blobID is the key in table answers of a chunk's column.
func blobID(chunk, column int64) int64 { return chunk<<columnBits | column }

// columnTable is every attribute that was ever stored and its column. It is part of what is published: JSON.
type columnTable []*columnQuestion

type columnQuestion struct {
	Namespace string            `json:"namespace"`
	Question  string            `json:"question"`
	Number    int64             `json:"number"`
	Points    []columnDatapoint `json:"datapoints"`

	points map[string]int // by code, indices into Points
}

type columnDatapoint struct {
	Code     string  `json:"code"`
	Suffixes []int   `json:"suffixes"` // codes; noSuffix for the attribute without
	Numbers  []int64 `json:"numbers"`  // one per suffix
}

// layout looks columns up by codes.
type layout struct {
	table     columnTable
	questions map[string]*columnQuestion // by namespace.code
	next      int64                      // number of the next question
}

func newLayout(t columnTable) *layout {
	l := &layout{table: t, questions: make(map[string]*columnQuestion, len(t))}
	for _, q := range t {
		q.points = make(map[string]int, len(q.Points))
		for i, p := range q.Points {
			q.points[p.Code] = i
		}
		l.questions[audience.Key(q.Namespace, q.Question)] = q
		l.next = max(l.next, q.Number+1)
	}
	return l
}

// column appends the column of an attribute, if it has one.
func (q *columnQuestion) column(columns []int64, datapoint string, suffix int) []int64 {
	i, ok := q.points[datapoint]
	if !ok {
		return columns
	}
	p := &q.Points[i]
	if j := slices.Index(p.Suffixes, suffix); j >= 0 {
		columns = append(columns, q.Number<<numberBits|p.Numbers[j])
	}
	return columns
}

// extend returns the layout with columns for all attributes of sv, and the column of each attribute by its number in
// sv's survey.Layout. What l holds is not changed.
func (l *layout) extend(sv *audience.Survey) (*layout, []int64, error) {
	table := make(columnTable, len(l.table))
	for i, q := range l.table {
		c := *q
		c.Points = slices.Clone(q.Points)
		table[i] = &c
	}
	out := newLayout(table)
	var columns []int64
	for i := range sv.Questions {
		q := &sv.Questions[i]
		key := q.Key()
		cq := out.questions[key]
		if cq == nil {
			if out.next > maxQuestions {
				return nil, nil, fmt.Errorf("question %s: the store has had %d questions, which is all it can hold", key, out.next)
			}
			cq = &columnQuestion{Namespace: q.Namespace, Question: q.Code, Number: out.next, points: map[string]int{}}
			out.next++
			out.questions[key] = cq
			out.table = append(out.table, cq)
		}
		var err error
		if columns, err = cq.extend(columns, q); err != nil {
			return nil, nil, err
		}
	}
	return out, columns, nil
}

func (c *columnQuestion) extend(columns []int64, q *audience.Question) ([]int64, error) {
	next := int64(0)
	for _, p := range c.Points {
		for _, n := range p.Numbers {
			next = max(next, n+1)
		}
	}
	wanted := suffixCodes(len(q.Suffixes), func(i int) int { return q.Suffixes[i].Code })
	for _, d := range q.Datapoints {
		i, ok := c.points[d.Code]
		if !ok {
			i = len(c.Points)
			c.points[d.Code] = i
			c.Points = append(c.Points, columnDatapoint{Code: d.Code})
		}
		p := &c.Points[i]
		p.Suffixes, p.Numbers = slices.Clone(p.Suffixes), slices.Clone(p.Numbers)
		for _, s := range wanted {
			j := slices.Index(p.Suffixes, s)
			if j < 0 {
				j = len(p.Suffixes)
				p.Suffixes, p.Numbers = append(p.Suffixes, s), append(p.Numbers, next)
				next++
			}
			columns = append(columns, c.Number<<numberBits|p.Numbers[j])
		}
	}
	if next > maxNumber {
		return nil, fmt.Errorf("question %s.%s has %d attributes; a question can hold %d", q.Namespace, q.Code, next,
			maxNumber)
	}
	return columns, nil
}

// noSuffix stands for the suffix of an attribute that has none; suffix codes are not negative.
const noSuffix = -1

// suffixCodes are the suffixes that each datapoint of a question with n suffixes has columns for.
func suffixCodes(n int, code func(int) int) []int {
	if n == 0 {
		return []int{noSuffix}
	}
	codes := make([]int, n)
	for i := range codes {
		codes[i] = code(i)
	}
	return codes
}

// columnsOf are the columns of one leaf, a list per datapoint. Codes must be of the Frame.
func (r *release) columnsOf(x audience.Answers) ([][]int64, error) {
	i, err := r.frame.Question(x.Question)
	if err == nil && i < 0 {
		err = &audience.InvalidError{Path: x.Path, Reason: fmt.Sprintf("question %q is not in the store", x.Question)}
	}
	if err != nil {
		return nil, err
	}
	q := &r.frame.Questions[i]
	for _, s := range x.Suffixes {
		if q.Suffix(s) < 0 {
			return nil, &audience.InvalidError{Path: x.Path, Reason: fmt.Sprintf("question %q has no suffix %d", x.Question, s)}
		}
	}
	suffixes := x.Suffixes
	if len(suffixes) == 0 {
		suffixes = suffixCodes(len(q.Suffixes), func(i int) int { return q.Suffixes[i].Code })
	}
	codes := x.Datapoints
	if len(codes) == 0 {
		for _, d := range q.Datapoints {
			codes = append(codes, d.Code)
		}
	}
	cq := r.layout.questions[q.Key()]
	points := make([][]int64, 0, len(codes))
	seen := make(map[string]bool, len(codes))
	for _, code := range codes {
		if seen[code] {
			continue
		}
		seen[code] = true
		if q.Datapoint(code) < 0 {
			return nil, &audience.InvalidError{Path: x.Path, Reason: fmt.Sprintf("question %q has no datapoint %q",
				x.Question, code)}
		}
		var columns []int64
		if cq != nil {
			for _, suffix := range suffixes {
				columns = cq.column(columns, code, suffix)
			}
		}
		points = append(points, columns)
	}
	return points, nil
}
