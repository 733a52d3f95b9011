package survey

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/crosswave/crosswave/store/survey/decimal"
)

// task is a block and what becomes of it.
type task struct {
	block Block
	batch Batch
	err   error // of the row after those in batch

	ids        []byte // the texts of the batch's ids, one after the other
	lengths    []int32
	weights    []decimal.Decimal
	attributes []int32
	answered   []uint64
	numbers    []Given
}

// begin readies the task for a block of a table of some size.
func (t *task) begin(b Block, size int64) {
	*t = task{block: b, ids: t.ids[:0], lengths: t.lengths[:0], weights: t.weights[:0], attributes: t.attributes[:0],
		answered: t.answered[:0], numbers: t.numbers[:0], batch: Batch{Respondents: t.batch.Respondents[:0],
			Unlisted: t.batch.Unlisted[:0], Done: b.Done(), Total: size}}
}

// worker makes respondents of the rows of blocks.
type worker struct {
	plan    *plan
	row     Row
	memos   []memo
	items   []int32                   // of each column
	numeric []int                     // the columns that a number may be read from again
	codes   []int32                   // of the row, for each column
	waves   map[string]fieldworkEntry // by the bytes of the field
	places  map[string]fieldworkEntry
	words   int // of answered items
	room    int // bytes for what columns remember
	number  [20]byte
}

// fieldworkEntry is what a text of the wave or location column comes to: an index, missingSkip, or an error.
type fieldworkEntry struct {
	index int
	wrong string
}

func newWorker(p *plan) *worker {
	w := &worker{
		plan:  p,
		waves: map[string]fieldworkEntry{}, places: map[string]fieldworkEntry{}, words: (p.layout.Items() + 63) / 64,
		room: leastRoom, memos: make([]memo, len(p.columns)), items: make([]int32, len(p.columns)),
		codes: make([]int32, len(p.columns)),
	}
	for i := range p.columns {
		w.memos[i] = newMemo(&p.columns[i], &w.room)
		w.items[i] = w.memos[i].item
		if w.memos[i].number >= 0 {
			w.numeric = append(w.numeric, i)
		}
	}
	return w
}

// read makes respondents of a block.
func (w *worker) read(t *task) {
	for t.err == nil {
		if t.err = t.block.Next(&w.row); t.err == nil {
			t.err = w.respondent(t)
		}
	}
	if t.err == io.EOF {
		t.err = nil
	}
	t.block.Release()
	// The ids are one string, to be allocated once.
	ids, at := string(t.ids), 0
	for i, n := range t.lengths {
		t.batch.Respondents[i].ID = ids[at : at+int(n)]
		at += int(n)
	}
}

// respondent makes a respondent of the row that was read.
func (w *worker) respondent(t *task) error {
	p := w.plan
	if err := w.row.check(len(p.header)); err != nil {
		return err
	}
	if w.row.Empty {
		t.batch.Empty++
		return nil
	}
	w.room += roomShare * int(w.row.Ends[len(p.header)]-w.row.Ends[0])
	r := Respondent{Row: w.row.Number}
	var err error
	if r.Wave, err = w.fieldwork(&p.wave, "wave", w.waves); err != nil {
		return err
	}
	if r.Location, err = w.fieldwork(&p.location, "location", w.places); err != nil {
		return err
	}
	if r.Wave == missingSkip || r.Location == missingSkip {
		t.batch.Skipped++
		if r.Wave != missingSkip {
			if more := r.Wave + 1 - len(t.batch.SkippedOf); more > 0 {
				t.batch.SkippedOf = append(t.batch.SkippedOf, make([]int64, more)...)
			}
			t.batch.SkippedOf[r.Wave]++
		}
		return nil
	}
	var id []byte
	if p.respondent < 0 {
		id = strconv.AppendInt(w.number[:0], r.Row, 10)
	} else {
		id = trim(w.row.Field(p.respondent))
	}
	switch {
	case len(id) == 0:
		return w.wrong(p.respondent, "the respondent has no id")
	case !utf8.Valid(id):
		return w.wrong(p.respondent, notUTF8)
	}
	first := len(t.weights)
	for i := range p.weights {
		plan := &p.weights[i]
		weight := one
		if plan.column >= 0 {
			var reason string
			if weight, reason = p.weight(plan, string(w.row.Field(plan.column))); reason != "" {
				return w.wrong(plan.column, reason)
			}
		}
		t.weights = append(t.weights, weight)
	}
	r.Weights = t.weights[first:len(t.weights):len(t.weights)]
	noticed := len(t.batch.Unlisted)
	if err := w.answers(t, &r); err != nil {
		t.batch.Unlisted = t.batch.Unlisted[:noticed] // what is told of a row that is wrong is what is wrong
		return err
	}
	t.ids = append(t.ids, id...)
	t.lengths = append(t.lengths, int32(len(id)))
	t.batch.Respondents = append(t.batch.Respondents, r)
	return nil
}

// one is the weight of respondents without weights.
var one = decimal.FromInt(1)

const notUTF8 = "the text is not UTF-8; the file must be saved as UTF-8"

func (w *worker) wrong(column int, reason string) error {
	return &Error{Row: w.row.Number, Column: w.plan.header[column], Reason: reason}
}

// fieldwork finds the wave or location of the row; missingSkip if the row is to be left out.
func (w *worker) fieldwork(p *fieldworkPlan, what string, seen map[string]fieldworkEntry) (int, error) {
	if p.column < 0 {
		return 0, nil
	}
	field := w.row.Field(p.column)
	e, known := seen[string(field)]
	if !known {
		e = w.newEntry(p, what, field)
		if len(seen) < mostTexts {
			seen[string(field)] = e
		}
	}
	if e.wrong != "" {
		return 0, w.wrong(p.column, e.wrong)
	}
	return e.index, nil
}

func (w *worker) newEntry(p *fieldworkPlan, what string, field []byte) fieldworkEntry {
	v := readValue(string(field), false)
	if at, ok := p.values[v]; ok {
		return fieldworkEntry{index: at}
	}
	missing := w.plan.missing.missing(v)
	if !missing && p.by != "" {
		at, wrong := p.period(string(field))
		return fieldworkEntry{at, wrong}
	}
	switch {
	case !missing:
		return fieldworkEntry{wrong: fmt.Sprintf("the value %q is no %s; %s are listed", Clip(trim(field)), what, p.listed)}
	case p.missing == missingError:
		return fieldworkEntry{wrong: fmt.Sprintf(`the %s is missing; the codebook may name a code to use ("missing": `+
			`CODE) or leave such rows out ("missing": "skip")`, what)}
	}
	return fieldworkEntry{index: p.missing}
}

// answers reads the columns with answers.
func (w *worker) answers(t *task, r *Respondent) error {
	first, begin, given := len(t.answered), len(t.attributes), len(t.numbers)
	t.answered = append(t.answered, make([]uint64, w.words)...)
	answered := t.answered[first:len(t.answered):len(t.answered)]
	if lookUp(w.memos, w.codes, w.row.Data, w.row.Ends) {
		if err := w.strange(t, answered); err != nil {
			return err
		}
	} else {
		t.attributes = slices.Grow(t.attributes, len(w.codes))
		n := settle(w.codes, w.items, t.attributes[begin:begin+len(w.codes)], answered)
		t.attributes = t.attributes[:begin+n]
	}
	if len(w.plan.mentions) > 0 {
		t.attributes = t.attributes[:begin+w.plan.once(t.attributes[begin:])]
	}
	w.numbers(t)
	r.Attributes = t.attributes[begin:len(t.attributes):len(t.attributes)]
	r.Numbers = t.numbers[given:len(t.numbers):len(t.numbers)]
	r.Answered = answered
	return nil
}

// numbers reads the numbers of the columns whose texts came to one attribute, that of the band they are in, or to none.
func (w *worker) numbers(t *task) {
	for _, i := range w.numeric {
		if w.codes[i] < codeAnswered {
			continue
		}
		c := &w.memos[i]
		field := w.row.Field(int(c.index))
		d, is := wholeNumber(field)
		if !is {
			var err error
			if d, err = decimal.Parse(string(field), true); err != nil {
				continue // it is a code of a band
			}
		}
		if listed := c.plan.uses[0].listed; len(listed) > 0 {
			if _, told := listed[value{number: d, is: true}]; told {
				continue
			}
		}
		t.numbers = append(t.numbers, Given{c.number, d})
	}
}

// wholeNumber reads what most numbers are, a few digits, fast.
func wholeNumber(field []byte) (decimal.Decimal, bool) {
	if len(field) == 0 || len(field) > 18 {
		return decimal.Decimal{}, false
	}
	n := int64(0)
	for _, c := range field {
		if c -= '0'; c > 9 {
			return decimal.Decimal{}, false
		}
		n = 10*n + int64(c)
	}
	return decimal.FromInt(n), true
}

// settle notes the attributes and items that codes stand for, and returns the number of attributes. It does so without
// branches, because which of these a code is changes from field to field.
func settle(codes, items, attributes []int32, answered []uint64) int {
	n := 0
	items = items[:len(codes)]
	for i, code := range codes {
		bit := uint64(1)
		if code == codeMissing {
			bit = 0
		}
		answered[items[i]>>6] |= bit << (items[i] & 63)
		attributes[n] = code
		if code >= 0 {
			n++
		}
	}
	return n
}

// strange is settle for rows with texts that are new or come to more than one attribute.
func (w *worker) strange(t *task, answered []uint64) error {
	for i, code := range w.codes {
		c := &w.memos[i]
		var a *answer
		if code == codeUnknown {
			text := w.row.Field(int(c.index))
			if !utf8.Valid(text) {
				return w.wrong(int(c.index), notUTF8)
			}
			code, a = c.learn(text)
			w.codes[i] = code
		} else if code <= codeFirst {
			a = &c.answers[codeFirst-code]
		}
		if a != nil {
			for _, item := range a.items {
				answered[item>>6] |= 1 << (item & 63)
			}
			for _, u := range a.unlisted {
				t.batch.Unlisted = append(t.batch.Unlisted, Unlisted{Question: u.question, Column: c.plan.name,
					Value: u.value, Row: w.row.Number})
			}
			t.attributes = append(t.attributes, a.attributes...)
			t.numbers = append(t.numbers, a.numbers...)
			continue
		}
		if code != codeMissing {
			answered[c.item>>6] |= 1 << (c.item & 63)
		}
		if code >= 0 {
			t.attributes = append(t.attributes, code)
		}
	}
	return nil
}

// trim takes the blanks around a field away.
func trim(field []byte) []byte {
	if n := len(field); n > 0 && field[0] > ' ' && field[0] < utf8.RuneSelf && field[n-1] > ' ' &&
		field[n-1] < utf8.RuneSelf {
		return field
	}
	return bytes.TrimSpace(field)
}
