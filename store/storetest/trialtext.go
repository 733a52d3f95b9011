package storetest

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/internal/script"
	"github.com/crosswave/crosswave/store/naive"
)

// text writes a study and a trial as a script, with what is right.
func (t trial) text(st *Study) (string, error) {
	reference := new(naive.Store)
	if err := st.Load(context.Background(), reference); err != nil {
		return "", err
	}
	oracle := NewOracle(reference)
	lines := []string{""}
	for _, d := range t.derived {
		lines = append(lines, "derived "+d.Code)
		for _, point := range d.Datapoints {
			lines = append(lines, "  "+point.Code+" "+expressionText(point.Expr))
		}
		lines = append(lines, "")
	}
	if t.namespace != "" {
		lines = append(lines, "count "+t.namespace)
	} else {
		lines = append(lines, "tabulate")
	}
	say := func(words ...string) { lines = append(lines, "  "+strings.TrimSpace(strings.Join(words, " "))) }
	if t.spec.Base != nil {
		say("base", expressionText(t.spec.Base))
	}
	for _, x := range t.spec.Rows {
		say("row", expressionText(x))
	}
	for _, x := range t.spec.Columns {
		say("column", expressionText(x))
	}
	if t.spec.Namespace != "" {
		say("namespace", t.spec.Namespace)
	}
	if len(t.spec.Waves) > 0 {
		say("waves", strings.Join(t.spec.Waves, " "))
	}
	if len(t.spec.Locations) > 0 {
		say("locations", strings.Join(t.spec.Locations, " "))
	}
	if t.spec.LastWaves > 0 {
		say("last", strconv.Itoa(t.spec.LastWaves))
	}
	switch t.spec.Measures {
	case audience.Squares:
		say("measures squares")
	case pooledSquares:
		say("measures pooled squares")
	}
	for _, s := range t.strata {
		say("stratum", strings.TrimPrefix(coverText(oracle.Frame, s), "nowhere"))
	}
	if t.namespace == "" {
		for _, g := range []struct {
			kind  string
			codes []string
		}{{"namespaces", t.grant.Namespaces}, {"questions", t.grant.Questions}, {"waves", t.grant.Waves},
			{"locations", t.grant.Locations}} {
			if !slices.Contains(g.codes, "*") {
				say("grant", g.kind, strings.Join(g.codes, " "))
			}
		}
		oracle.Frame = oracle.Frame.For(t.grant).Extend(keyOf(t.derived), t.derived)
	}
	expected, err := t.expected(oracle, reference)
	return st.Text() + strings.Join(lines, "\n") + "\n" + expected, err
}

func expressionText(x audience.Expr) string {
	cut, ok := x.(audience.Cut)
	if !ok {
		return string(audience.Print(written(x)))
	}
	var parts []string
	for _, p := range cut {
		parts = append(parts, string(audience.Print(written(p))))
	}
	return strings.Join(parts, " ")
}

// expected is the table of what is right.
func (t trial) expected(o *Oracle, reference *naive.Store) (string, error) {
	if t.namespace != "" {
		return t.expectedCounts(o.Frame, reference)
	}
	if hidden(o.Frame, t.spec) {
		return "", nil
	}
	cells, err := o.Cells(t.spec)
	if err != nil {
		return "  error " + faultText(err) + "\n", nil
	}
	rows := [][]string{{"cell", "base", "row", "column", "both", "namespace", "cover"}}
	figure := func(exact Figure) string {
		f := exact.Figure()
		return strconv.FormatInt(f.Sample, 10) + " " + strconv.FormatFloat(f.Size, 'f', -1, 64)
	}
	for i := range cells {
		for j, c := range cells[i] {
			at := fmt.Sprintf("%d %d", min(i+1, len(t.spec.Rows)), min(j+1, len(t.spec.Columns)))
			rows = append(rows, []string{at, figure(c.Base), figure(c.Row), figure(c.Column), figure(c.Both),
				c.Namespace, coverText(o.Frame, c.Cover)})
		}
	}
	return script.Format("  ", rows), nil
}

// countText is what is counted of a cell: sample and weight in whole units and, where they are measured, the sum of
// squared weights.
func countText(t *audience.Table, i, j int) string {
	c := t.At(i, j)
	text := fmt.Sprintf("%d %d", c.Sample, c.Weight)
	if t.Squares != nil {
		text += " " + integer(t.Moments(i, j).Squares).String()
	}
	return text
}

func (t trial) expectedCounts(f *audience.Frame, reference *naive.Store) (string, error) {
	counted, err := reference.Count(context.Background(), f.Version, []audience.Query{t.query(f)})
	if err != nil {
		return "", err
	}
	tables := counted[0]
	rows := [][]string{{"cell"}}
	for s := range tables {
		rows[0] = append(rows[0], strconv.Itoa(s+1))
	}
	for i := range len(t.spec.Rows) + 1 {
		for j := range len(t.spec.Columns) + 1 {
			row := []string{fmt.Sprintf("%d %d", i, j)}
			for _, table := range tables {
				row = append(row, countText(table, i, j))
			}
			rows = append(rows, row)
		}
	}
	return script.Format("  ", rows), nil
}
