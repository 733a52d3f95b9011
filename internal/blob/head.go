package blob

import "encoding/binary"

// Head is what is known of a chunk without its columns.
type Head struct {
	Wave    string
	Runs    []Run    // one after the other
	Samples []Sample // of the namespaces in which anybody has a weight above 0
	Columns []int64  // those stored, ascending
	Counts  []int32  // respondents positive on each
	Numbers []Numbers
	Sharing []Sharing
	// PerRow is how many bitmaps stand in a row of the store, but in the last; 0: each column has a row of its own.
	PerRow int
	Digits []int64 // questions of which the bitmaps are those of digits (see Digit), ascending; none if PerRow is 0
}

// Run is how many respondents of the chunk are of a location.
type Run struct {
	Location    string
	Respondents int
}

// Sample is how many respondents of the chunk have a weight above 0 in a namespace.
type Sample struct {
	Namespace   string
	Respondents int
}

// Numbers is what is known of the numbers that respondents of the chunk gave to a question.
type Numbers struct {
	Question        int64 // ascending
	Respondents     int
	Least, Greatest string // as decimal text
}

// Sharing is how answers share the respondents of a chunk: all that anybody in it gave to a question.
type Sharing struct {
	Question  int64 // ascending
	Exclusive bool  // nobody gave two of them
	// Complete are the samples, by index and ascending, in which nobody gave none of them. It is not known of answers
	// that do not exclude each other.
	Complete []int
}

// Limits are what a head may hold.
type Limits struct {
	Run     int   // respondents of a location
	Columns int64 // the number of a column is below
	// and that of a question
	Questions int64
}

// Append writes the head behind b.
func (h *Head) Append(b []byte) []byte {
	b = binary.AppendUvarint(AppendText(b, h.Wave), uint64(len(h.Runs)))
	for _, r := range h.Runs {
		b = binary.AppendUvarint(AppendText(b, r.Location), uint64(r.Respondents))
	}
	b = binary.AppendUvarint(b, uint64(len(h.Samples)))
	for _, s := range h.Samples {
		b = binary.AppendUvarint(AppendText(b, s.Namespace), uint64(s.Respondents))
	}
	b = binary.AppendUvarint(b, uint64(len(h.Columns)))
	last := int64(0)
	for i, column := range h.Columns {
		b = binary.AppendUvarint(b, uint64(column-last))
		b = binary.AppendUvarint(b, uint64(h.Counts[i]))
		last = column
	}
	if len(h.Numbers)+len(h.Sharing)+h.PerRow == 0 {
		return b // as heads ended before there were numbers
	}
	b = binary.AppendUvarint(b, uint64(len(h.Numbers)))
	last = 0
	for _, n := range h.Numbers {
		b = binary.AppendUvarint(b, uint64(n.Question-last))
		b = binary.AppendUvarint(b, uint64(n.Respondents))
		b = AppendText(AppendText(b, n.Least), n.Greatest)
		last = n.Question
	}
	if len(h.Sharing)+h.PerRow == 0 {
		return b // as they ended after that
	}
	b = binary.AppendUvarint(b, uint64(len(h.Sharing)))
	last = 0
	for _, s := range h.Sharing {
		b = s.append(b, last)
		last = s.Question
	}
	if h.PerRow == 0 {
		return b // as they ended after that
	}
	b = binary.AppendUvarint(binary.AppendUvarint(b, uint64(h.PerRow)), uint64(len(h.Digits)))
	last = 0
	for _, question := range h.Digits {
		b = binary.AppendUvarint(b, uint64(question-last))
		last = question
	}
	return b
}

// append writes how answers share respondents, of a question behind the last: 0 where they do not exclude each other,
// else one more than the samples in which they are complete, and these.
func (s *Sharing) append(b []byte, last int64) []byte {
	b = binary.AppendUvarint(b, uint64(s.Question-last))
	if !s.Exclusive {
		return append(b, 0)
	}
	b = binary.AppendUvarint(b, uint64(1+len(s.Complete)))
	for _, i := range s.Complete {
		b = binary.AppendUvarint(b, uint64(i))
	}
	return b
}

// ReadHead reads what Append wrote; false means that it is no head within the limits.
func ReadHead(data []byte, limits Limits) (Head, bool) {
	r := reader{data: data}
	h := Head{Wave: r.text()}
	respondents := 0
	h.Runs = make([]Run, r.count())
	for i := range h.Runs {
		h.Runs[i] = Run{r.text(), r.most(limits.Run - respondents)}
		respondents += h.Runs[i].Respondents
	}
	h.Samples = make([]Sample, r.count())
	for i := range h.Samples {
		h.Samples[i] = Sample{r.text(), r.most(respondents)}
	}
	n := r.count()
	h.Columns, h.Counts = make([]int64, n), make([]int32, n)
	last, ok := int64(0), true
	for i := range n {
		before := last
		last += int64(r.most(int(limits.Columns)))
		h.Columns[i], h.Counts[i] = last, int32(r.most(respondents))
		ok = ok && (i == 0 || last > before) && last < limits.Columns
	}
	if len(r.data) > 0 {
		h.Numbers, last = make([]Numbers, r.count()), 0
		ok = ok && len(h.Numbers)+len(r.data) > 0
		for i := range h.Numbers {
			last += int64(r.most(int(limits.Questions)))
			h.Numbers[i] = Numbers{last, r.most(respondents), r.text(), r.text()}
		}
		ok = ok && last < limits.Questions
	}
	if len(r.data) > 0 {
		h.Sharing, last = make([]Sharing, r.count()), 0
		ok = ok && len(h.Sharing)+len(r.data) > 0
		for i := range h.Sharing {
			last += int64(r.most(int(limits.Questions)))
			h.Sharing[i] = r.sharing(last, len(h.Samples))
		}
		ok = ok && last < limits.Questions
	}
	if len(r.data) > 0 {
		h.PerRow, h.Digits, last = r.most(limits.Run), make([]int64, r.count()), 0
		ok = ok && h.PerRow > 0
		for i := range h.Digits {
			before := last
			last += int64(r.most(int(limits.Questions)))
			h.Digits[i] = last
			ok = ok && (i == 0 || last > before)
		}
		ok = ok && last < limits.Questions
	}
	return h, ok && !r.bad && len(r.data) == 0
}

// sharing reads how answers to a question share respondents, of whom there are so many samples.
func (r *reader) sharing(question int64, samples int) Sharing {
	s := Sharing{Question: question}
	n := r.most(1 + samples)
	if s.Exclusive = n > 0; !s.Exclusive {
		return s
	}
	least := 0
	for range n - 1 {
		i := r.most(max(0, samples-1))
		r.bad = r.bad || i < least
		s.Complete, least = append(s.Complete, i), i+1
	}
	return s
}
