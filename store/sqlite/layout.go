package sqlite

import (
	"fmt"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/store/survey/numbering"
)

// Each attribute has a column, which is known by an id that stays what it is from version to version, whatever the
// survey's order: the question's number in the upper 20 of its 40 bits, the attribute's number within the question in
// the lower 20. Where the columns stand in the file, rows.go tells.
const (
	numberBits   = 20
	columnBits   = 40
	maxQuestions = 1<<20 - 2 // the last question is no survey's, see firstOwnColumn and firstBitmaps
	maxNumber    = 1<<numberBits - 1
)

// blobID joins the id of a chunk and what is below it, in the lowest 40 bits: a column's id, by which the cache knows
// it, or that of a row of table answers, which is that of a column only if this has the row to itself.
func blobID(chunk, column int64) int64 { return chunk<<columnBits | column }

// columnTable is every attribute that was ever stored and its column. It is part of what is published: JSON.
type columnTable []*columnQuestion

type columnQuestion struct {
	Namespace string            `json:"namespace"`
	Question  string            `json:"question"`
	Number    int64             `json:"number"`
	Points    numbering.Numbers `json:"datapoints"`
}

// column is the id of the column of an attribute, given its number within the question.
func (q *columnQuestion) column(number uint32) int64 { return q.Number<<numberBits | int64(number) }

// layout looks columns up by codes. It is immutable.
type layout struct {
	table     columnTable
	questions map[string]*columnQuestion // by namespace.code
	next      int64                      // number of the next question
}

func newLayout(t columnTable) *layout {
	l := &layout{table: t, questions: make(map[string]*columnQuestion, len(t))}
	for _, q := range t {
		l.questions[audience.Key(q.Namespace, q.Question)] = q
		l.next = max(l.next, q.Number+1)
	}
	return l
}

// extend returns a layout that has columns for all attributes of sv, too, and the columns of sv's attributes in the
// order of survey.Layout.
func (l *layout) extend(sv *audience.Survey) (*layout, []int64, error) {
	table := make(columnTable, len(l.table))
	for i, q := range l.table {
		c := *q
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
			cq = &columnQuestion{Namespace: q.Namespace, Question: q.Code, Number: out.next}
			out.next++
			out.questions[key] = cq
			out.table = append(out.table, cq)
		}
		next := cq.Points.After()
		var numbers []uint32
		cq.Points, numbers = cq.Points.Extend(q, func() uint32 { next++; return next - 1 })
		if next > maxNumber {
			return nil, nil, fmt.Errorf("question %s has %d attributes; a question can hold %d", key, next, maxNumber)
		}
		for _, n := range numbers {
			columns = append(columns, cq.column(n))
		}
	}
	return out, columns, nil
}

// columnsOf are the columns that a leaf of an expression is about, a list for each of its datapoints that has any.
func (r *release) columnsOf(x audience.Answers) ([][]int64, error) {
	leaf, err := numbering.Find(r.frame, x)
	if err != nil {
		return nil, err
	}
	q := r.layout.questions[leaf.Question.Key()]
	if q == nil { // of which no respondents were ever stored
		return nil, nil
	}
	var lists [][]int64
	for _, numbers := range q.Points.Of(leaf) {
		list := make([]int64, len(numbers))
		for i, n := range numbers {
			list[i] = q.column(n)
		}
		lists = append(lists, list)
	}
	return lists, nil
}
