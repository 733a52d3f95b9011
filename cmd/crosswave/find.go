package main

import (
	"cmp"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/catalogue"
	"github.com/crosswave/crosswave/httpapi"
)

type findCommand struct {
	database
	readOnly
	Words  []string `arg:"" help:"${findwords}"`
	Limit  int      `default:"20" placeholder:"N" help:"How many questions to tell; 0: all."`
	Offset int      `default:"0" placeholder:"N" help:"How many of the best to leave out before them."`
	Format string   `default:"table" enum:"table,csv,json" help:"table, csv, or json (as the server answers)."`
}

// mostFound is how many questions an answer of the server has at most.
const mostFound = 1000

func (c *findCommand) Run(ctx context.Context, m Main) error {
	filter := catalogue.QuestionFilter{Search: strings.Join(c.Words, " "), Limit: c.Limit, Offset: c.Offset}
	switch {
	case strings.TrimSpace(filter.Search) == "":
		return usage("say which words to find")
	case c.Limit < 0:
		return usage("--limit %d: a number of questions is 0 or more; 0 is all", c.Limit)
	case c.Offset < 0:
		return usage("--offset %d: a number of questions is 0 or more", c.Offset)
	case c.Format == "json" && (c.Limit == 0 || c.Limit > mostFound):
		return usage("--limit %d is for tables and csv: the server's answer has 1 to %d questions", c.Limit, mostFound)
	}
	db, err := c.openStore(ctx, c.DB, m)
	if err != nil {
		return err
	}
	defer db.Close()
	if c.Format == "json" {
		return writeFoundJSON(ctx, httpapi.Config{Store: db}, filter, m)
	}
	frame, err := extended(ctx, db, us)
	if err != nil {
		return err
	}
	found, err := catalogue.New(frame).Find(filter)
	if invalid := (*audience.InvalidError)(nil); errors.As(err, &invalid) {
		return usage("%w", err)
	}
	if err != nil {
		return err
	}
	if c.Format == "csv" {
		return writeFoundCSV(found.Questions, m.Stdout)
	}
	_, err = io.WriteString(m.Stdout, foundText(found, c.Offset, m.width()))
	return err
}

// mostAnswers is how many of the answers found a table tells of a question.
const mostAnswers = 5

// foundText is a table of questions with the answers that were found, each by the code that one asks for it with.
func foundText(found catalogue.Found, offset, width int) string {
	if found.Total == 0 {
		return "No question has all of these words.\n"
	}
	rows := [][2]string{{"QUESTION", "NAME"}}
	for i := range found.Questions {
		q := &found.Questions[i]
		rows = append(rows, [2]string{audience.Key(q.NamespaceCode, q.Code), q.Name})
		rows = append(rows, foundAnswers(":", q.Match.Datapoints)...)
		rows = append(rows, foundAnswers("/", q.Match.Suffixes)...)
		for _, c := range q.Match.Categories {
			rows = append(rows, [2]string{"  in", c.Name})
		}
		if q.Match.Description {
			rows = append(rows, [2]string{"  asked", q.Description})
		}
	}
	first := 0
	for _, row := range rows {
		first = max(first, displayWidth(row[0])+columnsGap)
	}
	var b strings.Builder
	for _, row := range rows {
		for i, line := range wrap(row[1], max(width-first, narrowestName)) {
			if i > 0 {
				row[0] = ""
			}
			b.WriteString(strings.TrimRight(left(row[0], first)+line, " ") + "\n")
		}
	}
	if told := len(found.Questions); told < found.Total {
		fmt.Fprintf(&b, "\n%s of %s questions", grouped(float64(told), 0), grouped(float64(found.Total), 0))
		if next := offset + told; told > 0 && next < found.Total {
			fmt.Fprintf(&b, "; --offset %d goes on", next)
		}
		b.WriteString("\n")
	}
	return b.String()
}

// foundAnswers are the rows of datapoints or suffixes, and how many more there are.
func foundAnswers(before string, answers []catalogue.MatchedAnswer) (rows [][2]string) {
	for i, a := range answers {
		if i == mostAnswers {
			return append(rows, [2]string{"", fmt.Sprintf("… and %s more", grouped(float64(len(answers)-i), 0))})
		}
		rows = append(rows, [2]string{"  " + before + a.Code, cmp.Or(a.Name, a.Code)})
	}
	return rows
}

// foundHeader names the columns of --format csv; code, name and description tell whether a word stands there. Codes in
// one field, and names, stand with ; between them.
var foundHeader = []string{"namespace", "question", "question_name", "code", "name", "description", "categories",
	"datapoints", "datapoint_names", "suffixes", "suffix_names"}

func writeFoundCSV(questions []catalogue.QuestionRecord, out io.Writer) error {
	w := csv.NewWriter(out)
	w.Write(foundHeader)
	for i := range questions {
		q := &questions[i]
		var categories []string
		for _, c := range q.Match.Categories {
			categories = append(categories, c.ID)
		}
		fields := []string{q.NamespaceCode, q.Code, q.Name, strconv.FormatBool(q.Match.Code),
			strconv.FormatBool(q.Match.Name), strconv.FormatBool(q.Match.Description), strings.Join(categories, ";")}
		for _, answers := range [][]catalogue.MatchedAnswer{q.Match.Datapoints, q.Match.Suffixes} {
			var codes, names []string
			for _, a := range answers {
				codes, names = append(codes, a.Code), append(names, a.Name)
			}
			fields = append(fields, strings.Join(codes, ";"), strings.Join(names, ";"))
		}
		w.Write(fields)
	}
	w.Flush()
	return w.Error()
}

// writeFoundJSON asks the server's endpoint, so that its answer is what comes out.
func writeFoundJSON(ctx context.Context, config httpapi.Config, f catalogue.QuestionFilter, m Main) error {
	request := map[string]any{"search": f.Search, "limit": f.Limit, "offset": f.Offset}
	return asServer(ctx, config, "/v3/questions/filter", request, m.Stderr, m.Stdout)
}
