package formats

import (
	"bufio"
	"encoding/csv"
	"os"
	"strconv"
	"strings"
)

// writeCSV writes a CSV file in UTF-8: codes of answers, 1 and 0 for options, and nothing where nothing was answered.
func (e *exporter) writeCSV(path string) error {
	p := &e.plan
	at := p.names(func(name string) string { return strings.Join(strings.Fields(name), " ") })
	if err := e.write(path, func(f *os.File) error { return e.csvRows(f, at) }); err != nil {
		return err
	}
	return e.writeCodebook(path, p.codebook(at))
}

func (e *exporter) csvRows(f *os.File, at *places) error {
	p := &e.plan
	buffer := bufio.NewWriterSize(f, 1<<18)
	w := csv.NewWriter(buffer)
	row := []string{at.respondent, at.wave, at.location}
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
			row = append(row, p.columns[k].text(&r.answers[k]))
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

// text is what stands in a field.
func (c *exportColumn) text(a *cell) string {
	switch {
	case !a.answered:
		return ""
	case c.flag && len(a.picks) > 0:
		return "1"
	case c.flag:
		return "0"
	case len(a.picks) == 0:
		return strconv.Itoa(c.otherCode())
	case len(a.picks) == 1:
		return strconv.Itoa(c.options[a.picks[0]].code)
	}
	var b strings.Builder
	for i, pick := range a.picks {
		if i > 0 {
			b.WriteString(separator)
		}
		b.WriteString(strconv.Itoa(c.options[pick].code))
	}
	return b.String()
}
