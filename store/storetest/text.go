package storetest

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/internal/script"
	"github.com/crosswave/crosswave/store/survey"
	"github.com/crosswave/crosswave/store/survey/decimal"
)

// How scripts write surveys and respondents down; the package comment explains it.

// readSurvey reads the lines of a "survey" step.
func readSurvey(lines script.Lines) (*audience.Survey, error) {
	s := &audience.Survey{}
	for _, line := range lines {
		word, rest := line.Cut()
		words := strings.Fields(rest)
		if len(words) == 0 {
			return nil, line.Errorf("%q of what? A code follows", word)
		}
		var err error
		switch word {
		case "namespace":
			err = readNamespace(s, line, words)
		case "wave":
			if len(words) > 2 {
				return nil, line.Errorf("a wave has a code and, if it is dated, its first day")
			}
			s.Waves = append(s.Waves, audience.Wave{Code: words[0], Start: strings.Join(words[1:], "")})
		case "location":
			for _, code := range words {
				s.Locations = append(s.Locations, audience.Location{Code: code})
			}
		case "question":
			err = readQuestion(s, line, words)
		case "asked":
			err = readAsked(s, line, words)
		default:
			return nil, line.Errorf("%q: a survey has lines namespace, wave, location, question and asked", word)
		}
		if err != nil {
			return nil, err
		}
	}
	return s, nil
}

func readNamespace(s *audience.Survey, line script.Line, words []string) error {
	n := audience.Namespace{Code: words[0]}
	for i := 1; i < len(words); i++ {
		switch {
		case words[i] == "sum":
			n.Universe = "sum"
		case words[i] == "on" && i+1 < len(words):
			i++
			n.Base = words[i]
		default:
			return line.Errorf("%q: after a namespace's code stand: on BASE, sum", words[i])
		}
	}
	s.Namespaces = append(s.Namespaces, n)
	return nil
}

func readQuestion(s *audience.Survey, line script.Line, words []string) error {
	if len(s.Namespaces) == 0 {
		return line.Errorf("namespaces come before questions")
	}
	q := audience.Question{Namespace: s.Namespaces[0].Code, Code: words[0]}
	if namespace, code, ok := strings.Cut(words[0], "."); ok {
		q.Namespace, q.Code = namespace, code
	}
	words = words[1:]
	if len(words) == 0 || !slices.Contains([]string{audience.Single, audience.Multi, audience.Grid,
		audience.Number}, words[0]) {
		return line.Errorf("after a question's code stands its kind: single, multi, grid or number")
	}
	q.Kind, words = words[0], words[1:]
	if len(words) > 0 && words[0] == "separate" {
		q.Separate, words = true, words[1:]
	}
	suffixes := false
	for _, word := range words {
		switch {
		case word == "/":
			suffixes = true
		case suffixes:
			code, err := strconv.Atoi(word)
			if err != nil {
				return line.Errorf("suffix %q is no whole number", word)
			}
			q.Suffixes = append(q.Suffixes, audience.Suffix{Code: code})
		default:
			q.Datapoints = append(q.Datapoints, audience.Datapoint{Code: word})
		}
	}
	if len(q.Datapoints) == 0 {
		return line.Errorf("a question has datapoints")
	}
	if grid := q.Kind == audience.Grid; grid != (len(q.Suffixes) > 0) {
		return line.Errorf(`a grid, and nothing else, has suffixes after "/"`)
	}
	s.Questions = append(s.Questions, q)
	return nil
}

// readAsked reads where a question or datapoint is declared to have been asked.
func readAsked(s *audience.Survey, line script.Line, words []string) error {
	code, datapoint, one := strings.Cut(words[0], ":")
	i := findQuestion(s, code)
	if i < 0 {
		return line.Errorf("there is no question %q", code)
	}
	asked := audience.Asked{}
	if !slices.Equal(words[1:], []string{"nowhere"}) {
		for _, word := range words[1:] {
			wave, location, ok := strings.Cut(word, "/")
			if !ok {
				return line.Errorf(`%q: fieldwork is written wave/location, "*" being all; or "nowhere"`, word)
			}
			asked = append(asked, audience.Fieldwork{Wave: star(wave), Location: star(location)})
		}
		if len(asked) == 0 {
			return line.Errorf(`asked where? wave/location, or "nowhere"`)
		}
	}
	if !one {
		s.Questions[i].Asked = asked
		return nil
	}
	j := findDatapoint(&s.Questions[i], datapoint)
	if j < 0 {
		return line.Errorf("question %q has no datapoint %q", code, datapoint)
	}
	s.Questions[i].Datapoints[j].Asked = asked
	return nil
}

func star(code string) string {
	if code == "*" {
		return ""
	}
	return code
}

// findQuestion finds a question by its code, which has the namespace before it unless that is the default.
func findQuestion(s *audience.Survey, code string) int {
	return slices.IndexFunc(s.Questions, func(q audience.Question) bool { return columnOf(s, &q) == code })
}

func findDatapoint(q *audience.Question, code string) int {
	return slices.IndexFunc(q.Datapoints, func(d audience.Datapoint) bool { return d.Code == code })
}

// columnOf is how a script names a question.
func columnOf(s *audience.Survey, q *audience.Question) string {
	if q.Namespace == s.Namespaces[0].Code {
		return q.Code
	}
	return q.Key()
}

// readRespondents reads a table of respondents: columns wave, location, the namespaces' codes (weights) and question
// codes.
func readRespondents(s *audience.Survey, step script.Step) ([]survey.Respondent, error) {
	table, err := step.Table()
	if err != nil {
		return nil, err
	}
	for _, name := range []string{"wave", "location"} {
		if table.Column(name) < 0 {
			return nil, table.Head.Errorf("a table of respondents has a column %q", name)
		}
	}
	layout := survey.NewLayout(s)
	var rs []survey.Respondent
	for _, row := range table.Rows {
		r := survey.Respondent{
			Row:      int64(row.Number),
			ID:       fmt.Sprintf("%s:%d", row.Script, row.Number),
			Weights:  make([]decimal.Decimal, len(s.Namespaces)),
			Answered: make([]uint64, (layout.Items()+63)/64),
		}
		for i, cell := range row.Cells {
			if err := readCell(s, layout, &r, table.Columns[i], cell); err != nil {
				return nil, row.Errorf("%s: %v", table.Columns[i], err)
			}
		}
		rs = append(rs, r)
	}
	return rs, nil
}

func readCell(s *audience.Survey, layout *survey.Layout, r *survey.Respondent, column, cell string) error {
	if column == "wave" {
		r.Wave = slices.IndexFunc(s.Waves, func(w audience.Wave) bool { return w.Code == cell })
		return listedOr(r.Wave, cell)
	}
	if column == "location" {
		r.Location = slices.IndexFunc(s.Locations, func(l audience.Location) bool { return l.Code == cell })
		return listedOr(r.Location, cell)
	}
	if n := slices.IndexFunc(s.Namespaces, func(n audience.Namespace) bool { return n.Code == column }); n >= 0 {
		if cell == "" {
			return nil
		}
		if _, ok := shortDecimal(cell); !ok {
			return fmt.Errorf("%q is no number", cell)
		}
		weight, err := decimal.Parse(cell, true)
		r.Weights[n] = weight
		return err
	}
	i := findQuestion(s, column)
	if i < 0 {
		return fmt.Errorf("the column is neither wave nor location, and no namespace or question of the survey")
	}
	return readAnswers(&s.Questions[i], i, layout, r, cell)
}

func listedOr(i int, code string) error {
	if i < 0 {
		return fmt.Errorf("%q is not listed in the survey", code)
	}
	return nil
}

// readAnswers reads the answers to question i: nothing where it was not asked, "-" for an answer that is none of the
// datapoints, else the datapoints, of a grid with a suffix each, and the number that was given, as "=12.5". A question
// that is separate was asked about the datapoints that are there, "!code" being a no.
func readAnswers(q *audience.Question, i int, layout *survey.Layout, r *survey.Respondent, cell string) error {
	for _, word := range strings.Fields(cell) {
		if word == "-" && !q.Separate {
			setItem(r, layout.Item(i, 0))
			continue
		}
		if number, is := strings.CutPrefix(word, "="); is && q.Kind == audience.Number {
			if _, ok := shortDecimal(number); !ok {
				return fmt.Errorf("%q is no number", number)
			}
			setItem(r, layout.Item(i, 0))
			value, err := decimal.Parse(number, true)
			if err != nil {
				return err
			}
			r.Numbers = append(r.Numbers, survey.Given{Question: i, Value: value})
			continue
		}
		code, suffix, graded := strings.Cut(word, ":")
		code, no := strings.CutPrefix(code, "!")
		j := findDatapoint(q, code)
		switch {
		case j < 0:
			return fmt.Errorf("%q is no datapoint of the question", code)
		case no && (!q.Separate || graded):
			return fmt.Errorf("%q: only a question that is separate has a no for a datapoint, without a suffix", word)
		case graded != (len(q.Suffixes) > 0) && !no:
			return fmt.Errorf("%q: a suffix follows the datapoints of a grid, as in a:1, and of no other question", word)
		}
		setItem(r, layout.Item(i, j))
		k := 0
		if graded {
			k = slices.IndexFunc(q.Suffixes, func(s audience.Suffix) bool { return strconv.Itoa(s.Code) == suffix })
			if k < 0 {
				return fmt.Errorf("%q is no suffix of the question", suffix)
			}
		}
		if a := layout.Attribute(i, j, k); !no && !slices.Contains(r.Attributes, a) {
			r.Attributes = append(r.Attributes, a)
		}
	}
	return nil
}

func setItem(r *survey.Respondent, item int) { r.Answered[item/64] |= 1 << (item % 64) }

// Text writes the study as a script does.
func (st *Study) Text() string {
	s := st.Survey
	var b strings.Builder
	b.WriteString("survey\n")
	for _, n := range s.Namespaces {
		b.WriteString("  namespace " + n.Code)
		if n.Base != "" {
			b.WriteString(" on " + n.Base)
		}
		if n.Universe == "sum" {
			b.WriteString(" sum")
		}
		b.WriteString("\n")
	}
	for _, w := range s.Waves {
		b.WriteString("  " + strings.TrimSpace("wave "+w.Code+" "+w.Start) + "\n")
	}
	for _, l := range s.Locations {
		b.WriteString("  location " + l.Code + "\n")
	}
	for i := range s.Questions {
		writeQuestion(&b, s, &s.Questions[i])
	}
	b.WriteString("\nrespondents\n" + st.respondentsText())
	return b.String()
}

func writeQuestion(b *strings.Builder, s *audience.Survey, q *audience.Question) {
	name := columnOf(s, q)
	fmt.Fprintf(b, "  question %s %s", name, q.Kind)
	if q.Separate {
		b.WriteString(" separate")
	}
	for _, d := range q.Datapoints {
		b.WriteString(" " + d.Code)
	}
	for i, suffix := range q.Suffixes {
		if i == 0 {
			b.WriteString(" /")
		}
		fmt.Fprintf(b, " %d", suffix.Code)
	}
	b.WriteString("\n")
	writeAsked(b, name, q.Asked)
	for _, d := range q.Datapoints {
		writeAsked(b, name+":"+d.Code, d.Asked)
	}
}

func writeAsked(b *strings.Builder, name string, asked audience.Asked) {
	if asked == nil {
		return
	}
	b.WriteString("  asked " + name)
	if len(asked) == 0 {
		b.WriteString(" nowhere")
	}
	for _, a := range asked {
		wave, location := a.Wave, a.Location
		if wave == "" {
			wave = "*"
		}
		if location == "" {
			location = "*"
		}
		b.WriteString(" " + wave + "/" + location)
	}
	b.WriteString("\n")
}

func (st *Study) respondentsText() string {
	s := st.Survey
	head := []string{"wave", "location"}
	for _, n := range s.Namespaces {
		head = append(head, n.Code)
	}
	for i := range s.Questions {
		head = append(head, columnOf(s, &s.Questions[i]))
	}
	rows := [][]string{head}
	layout := survey.NewLayout(s)
	for i := range st.Respondents {
		r := &st.Respondents[i]
		row := []string{s.Waves[r.Wave].Code, s.Locations[r.Location].Code}
		for _, weight := range r.Weights {
			row = append(row, plain(rational(weight.String())))
		}
		for q := range s.Questions {
			row = append(row, answersText(&s.Questions[q], q, layout, r))
		}
		rows = append(rows, row)
	}
	return script.Format("  ", rows)
}

func answersText(q *audience.Question, i int, layout *survey.Layout, r *survey.Respondent) string {
	var words []string
	for j, d := range q.Datapoints {
		item, positive := layout.Item(i, j), false
		for k := range max(1, len(q.Suffixes)) {
			if !slices.Contains(r.Attributes, layout.Attribute(i, j, k)) {
				continue
			}
			positive = true
			if len(q.Suffixes) > 0 {
				words = append(words, fmt.Sprintf("%s:%d", d.Code, q.Suffixes[k].Code))
			} else {
				words = append(words, d.Code)
			}
		}
		if q.Separate && !positive && r.Answered[item/64]>>(item%64)&1 == 1 {
			words = append(words, "!"+d.Code)
		}
	}
	for _, n := range r.Numbers {
		if n.Question == i {
			words = append(words, "="+plain(rational(n.Value.String())))
		}
	}
	if item := layout.Item(i, 0); len(words) == 0 && !q.Separate && r.Answered[item/64]>>(item%64)&1 == 1 {
		return "-"
	}
	return strings.Join(words, " ")
}
