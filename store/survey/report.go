package survey

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/internal/aligned"
	"github.com/crosswave/crosswave/store/survey/decimal"
)

// Report is what an import found and did. String gives it as text for people, its JSON is for programs.
type Report struct {
	Version uint64 `json:"version"` // of the store after it
	Rows    int64  `json:"rows"`    // read from the file
	// of them, left out because wave or location is missing and the codebook says skip
	Skipped     int64 `json:"skipped"`
	Empty       int64 `json:"empty"`       // of them, with nothing in any column: no respondents
	Respondents int64 `json:"respondents"` // taken in

	// Warnings are what of the import will mislead: of the file all, of what is stored what it makes so.
	Warnings Warnings `json:"warnings"`

	Fieldwork  []FieldworkReport `json:"fieldwork"`  // what the file brought, in the frame's order
	Namespaces []NamespaceReport `json:"namespaces"` // of the whole store after the import
	Numbers    []NumbersReport   `json:"numbers"`    // of the whole store, too: questions of which numbers are kept
	Withdrawn  []WaveReport      `json:"withdrawn"`  // waves that were taken out or replaced
	Changes    []string          `json:"changes"`    // names that the file changed in the catalogue
	Notes      []string          `json:"notes"`      // how the source understood its file, as it tells (Noter)

	Unlisted []UnlistedReport `json:"unlisted"` // answers that are none of the datapoints, by question
	// answers that were dropped: given where the question is declared as not asked
	Outside []OutsideReport `json:"outside"`
	// fieldwork of the file in which a question that others there were asked has few answers
	Sparse []SparseReport `json:"sparse"`
}

// FieldworkReport is the respondents of a wave in a location.
type FieldworkReport struct {
	Wave        string         `json:"wave"`
	Location    string         `json:"location"`
	Respondents int64          `json:"respondents"`
	Namespaces  []SampleReport `json:"namespaces"`
}

// SampleReport is the respondents who take part in a namespace.
type SampleReport struct {
	Code   string `json:"code"`
	Sample int64  `json:"sample"` // with a weight above 0
	Total  string `json:"total"`  // the sum of their weights, exactly: the people they stand for
}

// NamespaceReport is about the respondents and weights of a namespace.
type NamespaceReport struct {
	SampleReport
	Decimals int `json:"decimals"` // k: weights are counted in units of 10^-k people
	// Rounding is the largest share of itself by which a weight differs from a whole number of units: exact for the
	// weights of the file, for those that were stored before the most that it can be.
	Rounding float64 `json:"rounding"`
}

// NumbersReport is about the numbers of a question.
type NumbersReport struct {
	Question string `json:"question"`
	Decimals int    `json:"decimals"` // k: they are kept as whole numbers of 10^-k of the question's unit
	Bits     int    `json:"bits"`     // in two's complement
	// Rounding is the most, in the question's unit, that a number may differ by from a whole number of 10^-k: half of
	// that; 0 where none differs.
	Rounding float64 `json:"rounding"`
}

// WaveReport is the respondents of a wave.
type WaveReport struct {
	Wave        string `json:"wave"`
	Respondents int64  `json:"respondents"`
}

// UnlistedReport is about values of a question that are answers but none of its datapoints.
type UnlistedReport struct {
	Question string   `json:"question"`
	Count    int64    `json:"count"`
	Row      int64    `json:"row"`    // of the first
	Column   string   `json:"column"` // of the first
	Examples []string `json:"examples"`
}

// OutsideReport is about answers to a question in fieldwork in which it is declared as not asked.
type OutsideReport struct {
	Question    string          `json:"question"`
	Respondents int64           `json:"respondents"` // who gave one
	Row         int64           `json:"row"`         // of the first
	Fieldwork   []FieldworkCode `json:"fieldwork"`   // in the frame's order
	cover       audience.Cover  // by the file's numbers
}

// FieldworkCode is a wave and a location.
type FieldworkCode struct {
	Wave     string `json:"wave"`
	Location string `json:"location"`
}

// SparseReport is a question that few answered in a fieldwork in which it was asked.
type SparseReport struct {
	Question string `json:"question"`
	FieldworkCode
	Answered int64 `json:"answered"` // respondents of the question's namespace with a value
	Sample   int64 `json:"sample"`   // respondents of the namespace
}

const (
	sparse   = 20 // fewer than one in so many have answered: under 5 %
	examples = 5  // values of a question that are shown
)

// newReport is an empty report; its JSON has no null in it.
func newReport() *Report {
	return &Report{
		Warnings: Warnings{}, Fieldwork: []FieldworkReport{}, Namespaces: []NamespaceReport{},
		Numbers: []NumbersReport{}, Withdrawn: []WaveReport{}, Changes: []string{},
		Notes:    []string{},
		Unlisted: []UnlistedReport{}, Outside: []OutsideReport{}, Sparse: []SparseReport{},
	}
}

// unlisted takes down values that are none of the datapoints.
func (im *importer) unlisted(list []Unlisted) {
	for _, u := range list {
		at := im.unlistedAt[u.Question]
		if at == 0 {
			im.report.Unlisted = append(im.report.Unlisted,
				UnlistedReport{Question: im.file.Questions[u.Question].Key(), Row: u.Row, Column: u.Column})
			at = len(im.report.Unlisted)
			im.unlistedAt[u.Question] = at
		}
		r := &im.report.Unlisted[at-1]
		r.Count++
		if text := Clip([]byte(u.Value)); len(r.Examples) < examples && !slices.Contains(r.Examples, text) {
			r.Examples = append(r.Examples, text)
		}
	}
}

// outside takes down that a respondent has answered a question outside the fieldwork in which it is declared as asked.
func (im *importer) outside(question int32, row int64, fieldwork int) {
	at := im.outsideAt[question]
	if at == 0 {
		im.report.Outside = append(im.report.Outside, OutsideReport{
			Question: im.file.Questions[question].Key(), Row: row, cover: audience.NewCover(len(im.tally.fieldwork)),
		})
		at = len(im.report.Outside)
		im.outsideAt[question] = at
	}
	r := &im.report.Outside[at-1]
	r.cover.Set(fieldwork)
	if im.outsideRow[question] != row {
		im.outsideRow[question] = row
		r.Respondents++
	}
}

// finish completes the report. from gives the number in the file of fieldwork of the frame.
func (im *importer) finish(frame *audience.Frame, facts []Facts, from map[int]int) {
	r := im.report
	im.warn(frame, facts, from)
	im.finishNamespaces(frame, facts)
	r.Numbers = append(r.Numbers, numberReports(frame, facts)...)
	for _, f := range facts {
		at := frame.At(frame.Wave(f.Wave), frame.Location(f.Location))
		number, new := from[at]
		if !new {
			continue
		}
		count := FieldworkReport{Wave: f.Wave, Location: f.Location, Respondents: f.Respondents}
		for i, n := range f.Namespaces {
			count.Namespaces = append(count.Namespaces, SampleReport{frame.Namespaces[i].Code, n.Sample, cmp.Or(n.Total, "0")})
		}
		r.Fieldwork = append(r.Fieldwork, count)
		im.finishSparse(frame, f, at)
		for i := range r.Outside {
			if o := &r.Outside[i]; o.cover.Has(number) {
				o.Fieldwork = append(o.Fieldwork, FieldworkCode{f.Wave, f.Location})
			}
		}
	}
	order := map[string]int{}
	for i := range frame.Questions {
		order[frame.Questions[i].Key()] = i
	}
	slices.SortFunc(r.Unlisted, func(a, b UnlistedReport) int { return order[a.Question] - order[b.Question] })
	slices.SortFunc(r.Outside, func(a, b OutsideReport) int { return order[a.Question] - order[b.Question] })
}

func (im *importer) finishNamespaces(frame *audience.Frame, facts []Facts) {
	for i, n := range frame.Namespaces {
		k := frame.Decimals(i)
		out := NamespaceReport{SampleReport: SampleReport{Code: n.Code}, Decimals: k}
		total := &decimal.Sum{}
		for _, f := range facts {
			out.Sample += f.Namespaces[i].Sample
			addText(total, f.Namespaces[i].Total)
		}
		out.Total = total.String()
		for _, f := range im.kept {
			if w := f.Namespaces[i]; w.Sample > 0 && w.Decimals > k {
				if smallest, err := decimal.Parse(w.Smallest, true); err == nil {
					out.Rounding = max(out.Rounding, bound(smallest, k))
				}
			}
		}
		if im.file != nil {
			if at := slices.Index(im.remap.namespaces, i); at >= 0 {
				out.Rounding = max(out.Rounding, im.tally.weights[at].rounding(k))
			}
		}
		im.report.Namespaces = append(im.report.Namespaces, out)
	}
}

// finishSparse reports the questions that few answered in a fieldwork of the file.
func (im *importer) finishSparse(frame *audience.Frame, f Facts, at int) {
	for i := range frame.Questions {
		q := &frame.Questions[i]
		here := false
		for j := range q.Datapoints {
			here = here || frame.Asked(i, j).Has(at)
		}
		if !here {
			continue
		}
		answered, sample := f.Answered[q.Key()], f.Namespaces[frame.Namespace(q.Namespace)].Sample
		if sparse*answered < sample {
			im.report.Sparse = append(im.report.Sparse, SparseReport{q.Key(), FieldworkCode{f.Wave, f.Location},
				answered, sample})
		}
	}
}

// addText adds a number that may be left out.
func addText(sum *decimal.Sum, text string) {
	if n, err := decimal.ParseSum(text); err == nil && text != "" {
		sum.AddSum(n)
	}
}

// String gives the report as text of several lines, with lists cut to what one reads.
func (r *Report) String() string {
	var b strings.Builder
	r.summary(&b)
	if len(r.Warnings) > 0 {
		b.WriteString("\n" + r.Warnings.String())
	}
	if len(r.Fieldwork) > 0 {
		b.WriteString(r.counts("wave", func(f *FieldworkReport) string { return f.Wave }))
		b.WriteString(r.counts("location", func(f *FieldworkReport) string { return f.Location }))
	}
	b.WriteString(r.units())
	b.WriteString(r.numbers())
	for _, w := range r.Withdrawn {
		fmt.Fprintf(&b, "\nWave %s was taken out with %s.\n", w.Wave, plural(w.Respondents, "respondent"))
	}
	section(&b, "Names that changed", r.Changes, func(c string) string { return c })
	section(&b, "How the file was read", r.Notes, func(n string) string { return n })
	section(&b, "Answers that are none of the datapoints; they count as answered, and for no datapoint", r.Unlisted,
		func(u UnlistedReport) string {
			quoted := make([]string, len(u.Examples))
			for i, e := range u.Examples {
				quoted[i] = strconv.Quote(e)
			}
			return fmt.Sprintf("%s: %s, first in row %d, column %q: %s", u.Question, thousands(u.Count), u.Row, u.Column,
				strings.Join(quoted, ", "))
		})
	section(&b, "Answers where the question is declared as not asked; they are not used", r.Outside,
		func(o OutsideReport) string {
			places := make([]string, len(o.Fieldwork))
			for i, f := range o.Fieldwork {
				places[i] = f.Wave + " in " + f.Location
			}
			return fmt.Sprintf("%s: of %s, first in row %d: %s", o.Question, plural(o.Respondents, "respondent"), o.Row,
				listed(places))
		})
	section(&b, "Questions that fewer than 5 % answered where they were asked; check whether they were asked there "+
		"at all", r.Sparse, func(s SparseReport) string {
		return fmt.Sprintf("%s: %s of %s in wave %s, location %s", s.Question, thousands(s.Answered),
			thousands(s.Sample), s.Wave, s.Location)
	})
	return b.String()
}

// WriteTo writes the report as text.
func (r *Report) WriteTo(w io.Writer) (int64, error) {
	n, err := io.WriteString(w, r.String())
	return int64(n), err
}

func (r *Report) summary(b *strings.Builder) {
	if r.Rows > 0 {
		fmt.Fprintf(b, "%s read, %s taken in", plural(r.Rows, "row"), plural(r.Respondents, "respondent"))
		if r.Skipped > 0 {
			fmt.Fprintf(b, ", %s left out because the wave or the location is missing", plural(r.Skipped, "row"))
		}
		if r.Empty > 0 {
			fmt.Fprintf(b, ", %s left out because nothing stands in any column", plural(r.Empty, "row"))
		}
		b.WriteString(".\n")
	}
	fmt.Fprintf(b, "The store is at version %d.\n", r.Version)
}

// counts is a table of what the file brought, by wave or by location.
func (r *Report) counts(what string, code func(*FieldworkReport) string) string {
	type line struct {
		respondents int64
		samples     []int64
		totals      []*decimal.Sum
	}
	head := []string{what, "respondents"}
	for _, n := range r.Fieldwork[0].Namespaces {
		head = append(head, n.Code+" sample", n.Code+" total")
	}
	newLine := func() *line {
		l := &line{samples: make([]int64, len(r.Fieldwork[0].Namespaces))}
		for range l.samples {
			l.totals = append(l.totals, &decimal.Sum{})
		}
		return l
	}
	var order []string
	lines, all := map[string]*line{}, newLine()
	for i := range r.Fieldwork {
		f := &r.Fieldwork[i]
		if lines[code(f)] == nil {
			lines[code(f)] = newLine()
			order = append(order, code(f))
		}
		for _, l := range []*line{lines[code(f)], all} {
			l.respondents += f.Respondents
			for k, n := range f.Namespaces {
				l.samples[k] += n.Sample
				addText(l.totals[k], n.Total)
			}
		}
	}
	rows := [][]string{head}
	write := func(name string, l *line) {
		row := []string{name, thousands(l.respondents)}
		for k := range l.samples {
			row = append(row, thousands(l.samples[k]), strconv.FormatFloat(l.totals[k].Float64(), 'f', 1, 64))
		}
		rows = append(rows, row)
	}
	for _, name := range order {
		write(name, lines[name])
	}
	if len(order) > 1 {
		write("", all)
	}
	return "\n" + aligned.Table(rows, "  ", 1)
}

// units is a table of the namespaces of the store.
func (r *Report) units() string {
	rows := [][]string{{"namespace", "sample", "unit of weights", "largest rounding"}}
	for _, n := range r.Namespaces {
		rounding := "none"
		if n.Rounding > 0 {
			rounding = fmt.Sprintf("%.1e of the weight", n.Rounding)
		}
		rows = append(rows, []string{n.Code, thousands(n.Sample), fmt.Sprintf("10^%d", -n.Decimals), rounding})
	}
	return "\nIn the store:\n" + aligned.Table(rows, "  ", 1)
}

// numbers is a table of the questions whose numbers were rounded.
func (r *Report) numbers() string {
	rows := [][]string{{"question", "unit of numbers", "largest rounding"}}
	for _, n := range r.Numbers {
		if n.Rounding > 0 {
			rows = append(rows, []string{n.Question, fmt.Sprintf("10^%d", -n.Decimals), fmt.Sprintf("%.1e", n.Rounding)})
		}
	}
	if len(rows) == 1 {
		return ""
	}
	return "\nNumbers that are kept rounded, because the largest leave no room for all decimals:\n" +
		aligned.Table(rows, "  ", 1)
}

// section writes a list under a heading, if there is something on it.
func section[T any](b *strings.Builder, heading string, list []T, line func(T) string) {
	if len(list) == 0 {
		return
	}
	fmt.Fprintf(b, "\n%s:\n", heading)
	writeList(b, list, line)
}

// writeList writes a list, a line each, but not more than one reads.
func writeList[T any](b *strings.Builder, list []T, line func(T) string) {
	const most = 20
	for i, item := range list {
		if i == most {
			fmt.Fprintf(b, "  and %d more\n", len(list)-most)
			return
		}
		fmt.Fprintf(b, "  %s\n", line(item))
	}
}

// thousands writes a count with commas: 8,255.
func thousands(n int64) string {
	text := strconv.FormatInt(n, 10)
	for at := len(text) - 3; at > 0; at -= 3 {
		text = text[:at] + "," + text[at:]
	}
	return text
}

// plural writes how many there are of something: 1 row, 2 rows.
func plural(n int64, what string) string {
	if n != 1 {
		what += "s"
	}
	return thousands(n) + " " + what
}
