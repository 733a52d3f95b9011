package demo

import (
	"bufio"
	"context"
	"io"
	"strconv"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/store/survey"
)

// field is a column of the CSV that holds answers.
type field struct {
	name     string
	model    model
	separate bool
	item     int
	first    int32 // attributes from first to end-1 are answered in it
	end      int32
	number   int
	suffixes []audience.Suffix
}

// fields are the columns of answers, in the survey's order, which is that of the attributes.
func (d *Demo) fields(s *audience.Survey) []field {
	layout := survey.NewLayout(s)
	var fs []field
	for i := range s.Questions {
		q := &s.Questions[i]
		f := field{name: q.Code, model: d.specs[i].Model, separate: q.Separate, item: layout.Item(i, 0),
			number: d.questions[i].number, suffixes: q.Suffixes}
		suffixes := int32(max(1, len(q.Suffixes)))
		f.first = layout.Attribute(i, 0, 0)
		f.end = f.first + int32(len(q.Datapoints))*suffixes
		if !q.Separate {
			fs = append(fs, f)
			continue
		}
		for p, dp := range q.Datapoints {
			one := f
			one.name, one.item = dp.Code, layout.Item(i, p)
			one.first = layout.Attribute(i, p, 0)
			one.end = one.first + suffixes
			fs = append(fs, one)
		}
	}
	return fs
}

// WriteCSV writes the respondents as CSV, a row for each after a header; Codebook tells what stands in it. What was not
// asked or not answered is empty.
func (d *Demo) WriteCSV(ctx context.Context, w io.Writer) error {
	if d.err != nil {
		return d.err
	}
	s := describe(d.specs)
	fs := d.fields(s)
	out := bufio.NewWriterSize(w, 1<<18)
	line := []byte(respondentColumn + "," + waveColumn + "," + locationColumn)
	for _, ns := range s.Namespaces {
		line = append(append(line, ','), weightColumn(ns.Code)...)
	}
	for i := range fs {
		line = append(append(line, ','), fs[i].name...)
	}
	if _, err := out.Write(append(line, '\n')); err != nil {
		return err
	}
	for b, err := range d.blocks(ctx) {
		if err != nil {
			return err
		}
		for i := range b.batch.Respondents {
			r := &b.batch.Respondents[i]
			line = append(append(line[:0], r.ID...), ',')
			line = append(append(line, s.Waves[r.Wave].Code...), ',')
			line = append(line, locationValue(r.Location)...)
			for _, weight := range r.Weights {
				line = append(line, ',')
				if !weight.IsZero() {
					line = append(line, weight.String()...)
				}
			}
			line = appendAnswers(line, fs, r, b.numbers[i*d.numbers:(i+1)*d.numbers])
			if _, err := out.Write(append(line, '\n')); err != nil {
				return err
			}
		}
	}
	return out.Flush()
}

// appendAnswers appends the fields of a respondent, whose attributes are in order as they come from the drawer.
func appendAnswers(line []byte, fs []field, r *survey.Respondent, numbers []int16) []byte {
	left := r.Attributes
	for i := range fs {
		f := &fs[i]
		line = append(line, ',')
		n := 0
		for n < len(left) && left[n] < f.end {
			n++
		}
		positive := left[:n]
		left = left[n:]
		if r.Answered[f.item>>6]>>(f.item&63)&1 == 0 {
			continue
		}
		switch {
		case f.model == count || f.model == years:
			line = appendTenths(line, int(numbers[f.number]))
		case f.separate && f.suffixes == nil:
			line = append(line, '0'+byte(len(positive)))
		default:
			for k, a := range positive {
				if k > 0 {
					line = append(line, separator...)
				}
				value := int64(a - f.first + 1)
				if f.suffixes != nil {
					value = int64(f.suffixes[a-f.first].Code)
				}
				line = strconv.AppendInt(line, value, 10)
			}
		}
	}
	return line
}

// appendTenths appends a number of tenths, without a fraction where there is none.
func appendTenths(b []byte, tenths int) []byte {
	b = strconv.AppendInt(b, int64(tenths)/10, 10)
	if tenths%10 != 0 {
		b = append(b, '.', '0'+byte(tenths%10))
	}
	return b
}
