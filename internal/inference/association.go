package inference

import "math"

// Crossed is the crosstab of two questions in one fieldwork.
type Crossed struct {
	Respondents int64       // of the fieldwork, whether they answered the questions or not
	Person      float64     // how many people a unit of weight stands for
	Cells       []CrossCell // row by row, none twice; those of nobody may be left out
}

// CrossCell is those who gave one answer to the question of the rows and one to that of the columns.
type CrossCell struct {
	Row, Column int // the answers, counted from 0
	Moments
}

// Association says how far two questions with one answer each go together.
type Association struct {
	Sample    int64   // respondents who answered both
	Effective float64 // Kish's effective sample of them; 0 of no one
	// Independence is the test of whether they have nothing to do with each other; nil where there is none: where one of
	// the questions has a single answer, where there are no degrees of freedom, where nothing can vary, and where whole
	// contrasts are of cells with no one in them.
	Independence *Independence
	CramersV     *float64 // from 0 to 1; nil where one of the questions has a single answer
}

// Independence is Rao and Scott's test of second order, as an F.
type Independence struct {
	F             float64
	DF            float64 // degrees of freedom, which need not be whole
	DFDenominator float64
	P             float64 // the probability of an F at least as large
}

// negligibleAssociation is the φ² below which two questions are independent, but for rounding.
const negligibleAssociation = 1e-24

// Associate says how far the questions of a crosstab go together. The answers that count are those that anybody gave.
func Associate(crossed []Crossed) Association {
	t := addUp(crossed)
	out := Association{Sample: t.sample}
	if t.sample == 0 {
		return out
	}
	out.Effective = float64(t.total*t.total) / t.squares
	if t.rows < 2 || t.columns < 2 {
		return out
	}
	square := t.square()
	v := min(1, math.Sqrt(square/float64(min(t.rows, t.columns)-1)))
	out.CramersV = &v
	freedom := float64(t.sample - t.fieldworks)
	if freedom < 1 {
		return out
	}
	m := newInteraction(t.rows, t.columns, t.shares)
	if m == nil {
		return out
	}
	trace, traceOfSquare, is := m.design(t.crossed).traces()
	if !is {
		return out
	}
	df := max(1, min(float64(trace*trace)/traceOfSquare, float64((t.rows-1)*(t.columns-1))))
	test := Independence{F: square / trace, DF: df, DFDenominator: float64(df * freedom)}
	test.P = FTail(test.F, test.DF, test.DFDenominator)
	out.Independence = &test
	return out
}

// tallied is a crosstab of the answers that occur.
type tallied struct {
	crossed            []Crossed // with the answers numbered anew, and people as shares of all
	rows, columns      int
	shares             []float64 // of all people, by cell, row by row
	sample, fieldworks int64     // respondents, and fieldworks in which there are any
	total, squares     float64   // people, and the sum of their squared weights
}

// addUp adds up the fieldworks.
func addUp(crossed []Crossed) *tallied {
	t := &tallied{}
	var rows, columns numbering
	for _, h := range crossed {
		for _, c := range h.Cells {
			if c.Sample > 0 {
				rows.note(c.Row)
				columns.note(c.Column)
			}
		}
	}
	t.rows, t.columns = rows.number(), columns.number()
	t.shares = make([]float64, t.rows*t.columns)
	for _, h := range crossed {
		here := Crossed{Respondents: h.Respondents, Person: h.Person}
		square := float64(h.Person * h.Person)
		for _, c := range h.Cells {
			if c.Sample <= 0 {
				continue
			}
			c.Row, c.Column = rows[c.Row], columns[c.Column]
			here.Cells = append(here.Cells, c)
			people := float64(h.Person * float64(c.Weight))
			t.shares[c.Row*t.columns+c.Column] += people
			t.squares += float64(square * c.Squares())
			t.sample += c.Sample
		}
		if len(here.Cells) > 0 {
			t.crossed = append(t.crossed, here)
			t.fieldworks++
		}
	}
	for _, people := range t.shares {
		t.total += people
	}
	for i := range t.shares {
		t.shares[i] /= t.total
	}
	for i := range t.crossed {
		t.crossed[i].Person /= t.total
	}
	return t
}

// numbering gives each of some numbers its place among them.
type numbering []int

// note notes that there is a number.
func (n *numbering) note(i int) {
	for len(*n) <= i {
		*n = append(*n, 0)
	}
	(*n)[i] = 1
}

// number finds the places, and how many there are.
func (n numbering) number() (places int) {
	for i, there := range n {
		n[i] = places
		places += there
	}
	return places
}

// square is φ²: how far the shares of the cells are from what they would be if the questions were independent,
// Σ (p − e)²/e.
func (t *tallied) square() float64 {
	rows, columns := make([]float64, t.rows), make([]float64, t.columns)
	for i := range rows {
		for j := range columns {
			rows[i] += t.shares[i*t.columns+j]
			columns[j] += t.shares[i*t.columns+j]
		}
	}
	sum := 0.0
	for i := range rows {
		for j := range columns {
			expected := float64(rows[i] * columns[j])
			apart := t.shares[i*t.columns+j] - expected
			sum += float64(apart*apart) / expected
		}
	}
	if sum < negligibleAssociation {
		return 0
	}
	return sum
}
