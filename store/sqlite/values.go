package sqlite

import (
	"context"

	"github.com/crosswave/crosswave/internal/kernel"
)

// A table whose rows are the values of a question's numbers is counted by their digits: of a respondent they say the
// row at once, so that no row needs a bitmap of its own.

// fewValues is up to how many rows are counted as if they were any others.
const fewValues = 3

// values are rows of a program that are values of one question.
type values struct {
	any    ref     // everyone who has a number
	digits []ref   // the lowest first
	rows   []int32 // of each number that the digits say, the row of the table; negative if it is in none
}

// isValue tells whether a ref comes to a value whose digits the kernel can take.
func (f *folding) isValue(r ref) bool {
	if r = f.to(r); r < 0 {
		return false
	}
	made := &f.nodes[r].made
	return made.op == valued && len(made.args)-1 <= kernel.MaxDigits
}

// values finds the values among the rows of a query, whose places in the program are left to them.
func (f *folding) values(pr *program, q *query) {
	var rows []int // those of one question, as they come
	var of *ref
	done := func() {
		if len(rows) <= fewValues {
			for _, i := range rows {
				pr.rows[i] = f.visit(pr, q.rows.refs[i])
			}
		} else {
			pr.values = append(pr.values, f.valuesOf(pr, q, rows))
		}
		rows = rows[:0]
	}
	for i, r := range q.rows.refs {
		if f.isValue(r) {
			if first := &f.nodes[f.to(r)].made.args[0]; first != of {
				done()
				of = first
			}
			rows = append(rows, i)
		}
	}
	done()
}

// valuesOf makes the values of some rows of one question.
func (f *folding) valuesOf(pr *program, q *query, rows []int) values {
	args := f.nodes[f.to(q.rows.refs[rows[0]])].made.args
	v := values{any: f.visit(pr, args[0]), rows: make([]int32, 1<<(len(args)-1))}
	for _, digit := range args[1:] {
		v.digits = append(v.digits, f.visit(pr, digit))
	}
	for n := range v.rows {
		v.rows[n] = -1
	}
	for _, i := range rows {
		v.rows[f.nodes[f.to(q.rows.refs[i])].made.number] = int32(i)
	}
	return v
}

// countValues counts the rows of a block that are values.
func (e *evaluator) countValues(ctx context.Context, pr *program, mask []uint64, weights kernel.Weights) error {
	stride := len(pr.cols)
	for i := range pr.values {
		v := &pr.values[i]
		given := e.given[:len(mask)]
		kernel.And(given, mask, e.value(v.any, len(mask)))
		e.rows = e.gather(e.rows[:0], v.digits, len(mask))
		across := even(len(e.cols))
		for c := 0; c < len(e.cols); c += across {
			if err := ctx.Err(); err != nil {
				return err
			}
			at, squares := pr.firstCol+c, []kernel.Square(nil)
			if pr.squares {
				squares = e.squares[at:]
			}
			e.kernel.Digits(&e.scratch, e.counts[at:], squares, stride, e.rows, v.rows,
				e.cols[c:min(c+across, len(e.cols))], given, weights)
		}
	}
	return nil
}
