package formats

import (
	"bufio"
	"encoding/csv"
	"os"
	"strconv"
)

// writeCSV writes a CSV file in UTF-8: codes of answers, 1 and 0 for options, numbers as they are, and nothing where
// nothing was answered.
func (e *exporter) writeCSV(path string) error {
	p := &e.plan
	at := p.names(inOneLine)
	if err := e.write(path, func(f *os.File) error { return e.csvRows(f, at) }); err != nil {
		return err
	}
	return e.writeCodebook(path, p.codebook(at))
}

func (e *exporter) csvRows(f *os.File, at *places) error {
	p := &e.plan
	buffer := bufio.NewWriterSize(f, 1<<18)
	w := csv.NewWriter(buffer)
	row, codes := []string{at.respondent, at.wave, at.location}, []int(nil)
	for _, name := range at.weights {
		if name != "" {
			row = append(row, name)
		}
	}
	if err := w.Write(append(row, at.columns...)); err != nil {
		return err
	}
	for r, err := range e.records {
		if err != nil {
			return err
		}
		row = append(row[:0], r.ID, strconv.Itoa(p.waves[r.Wave].code), strconv.Itoa(p.location[r.Location].code))
		for i, name := range at.weights {
			if name != "" {
				text := r.Weights[i].String()
				if r.Weights[i].IsZero() {
					text = ""
				}
				row = append(row, text)
			}
		}
		for k := range p.columns {
			if a := &r.answers[k]; a.answered && p.columns[k].number {
				row = append(row, a.number.Plain())
				continue
			}
			codes = p.columns[k].codes(codes[:0], &r.answers[k])
			row = append(row, joined(codes))
		}
		if err := w.Write(row); err != nil {
			return err
		}
	}
	w.Flush()
	if err := w.Error(); err != nil {
		return err
	}
	return buffer.Flush()
}

// joined is codes in one field.
func joined(codes []int) (text string) {
	for i, code := range codes {
		if i > 0 {
			text += separator
		}
		text += strconv.Itoa(code)
	}
	return text
}
