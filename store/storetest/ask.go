package storetest

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/internal/script"
	"github.com/crosswave/crosswave/store/survey/decimal"
)

// productUnit is the unit as the product works it out.
func productUnit(most int, largest, total string) (int, error) {
	sum, err := decimal.ParseSum(total)
	if err != nil {
		return 0, err
	}
	weight, err := decimal.Parse(largest, true)
	if err != nil {
		return 0, err
	}
	return decimal.Unit(most, weight, sum)
}

// asked is a question of a script and what is expected.
type asked struct {
	spec     audience.Spec
	strata   []script.Line
	grant    audience.Grant
	fault    *script.Line // the error that is expected
	expected *script.Table
	err      error // of reading an expression
}

// readQuestionLines reads the lines of a count or tabulate step: settings, then the table of what is expected, whose
// first column is "cell".
func readQuestionLines(lines script.Lines) (*asked, error) {
	a := &asked{grant: audience.All()}
	for i, line := range lines {
		word, rest := line.Cut()
		var x audience.Expr
		var err error
		switch word {
		case "base":
			x, err = expressions(line, rest)
			a.spec.Base = x
		case "row":
			x, err = expressions(line, rest)
			a.spec.Rows = append(a.spec.Rows, x)
		case "column":
			x, err = expressions(line, rest)
			a.spec.Columns = append(a.spec.Columns, x)
		case "namespace":
			a.spec.Namespace = rest
		case "waves":
			a.spec.Waves = strings.Fields(rest)
		case "locations":
			a.spec.Locations = strings.Fields(rest)
		case "last":
			if a.spec.LastWaves, err = strconv.Atoi(rest); err != nil {
				return nil, line.Errorf("last how many waves? %v", err)
			}
		case "measures":
			switch rest {
			case "squares":
				a.spec.Measures = audience.Squares
			case "pooled squares":
				a.spec.Measures = pooledSquares
			default:
				return nil, line.Errorf("%q can't be measured: squares and pooled squares can", rest)
			}
		case "stratum":
			a.strata = append(a.strata, line)
		case "grant":
			err = readGrant(&a.grant, line, strings.Fields(rest))
		case "error":
			a.fault = &lines[i]
		case "cell":
			a.expected, err = lines[i:].Table()
			return a, err
		default:
			return nil, line.Errorf("%q: the lines are base, row, column, namespace, waves, locations, last, "+
				"measures, stratum, grant, error and a table that begins with cell", word)
		}
		if e := (*script.Error)(nil); errors.As(err, &e) {
			return nil, err
		}
		if err != nil && a.err == nil {
			a.err = err
		}
	}
	if a.fault == nil {
		return nil, errors.New("nothing is expected: neither a table that begins with cell nor an error")
	}
	return a, nil
}

// readGrant reads what of one kind the caller may use, all else being free.
func readGrant(g *audience.Grant, line script.Line, words []string) error {
	if len(words) == 0 {
		return line.Errorf("grant of what? namespaces, questions, datapoints, locations or waves, and the codes; or " +
			"min_sample and a number")
	}
	switch words[0] {
	case "namespaces":
		g.Namespaces = words[1:]
	case "questions":
		g.Questions = words[1:]
	case "datapoints":
		g.Datapoints = words[1:]
	case "locations":
		g.Locations = words[1:]
	case "waves":
		g.Waves = words[1:]
	case "min_sample":
		n, err := strconv.ParseInt(strings.Join(words[1:], " "), 10, 64)
		if g.MinSample = n; err != nil || n < 1 {
			return line.Errorf("a floor is a number of respondents, 1 or more")
		}
	default:
		return line.Errorf("%q can't be granted", words[0])
	}
	return nil
}

// count asks the engine itself: a table of counts per stratum.
func (r *run) count(step script.Step, namespace string) error {
	a, err := readQuestionLines(step.Lines)
	if err != nil {
		return err
	}
	if a.err != nil {
		return a.err
	}
	f, err := r.engine.Frame(r.ctx)
	if err != nil {
		return err
	}
	if f.Namespace(namespace) < 0 {
		return step.Errorf("there is no namespace %q", namespace)
	}
	if err := f.Check(nil, nil, uses(a.spec)...); err != nil {
		return step.Errorf("%v", err)
	}
	t := trial{spec: a.spec, namespace: namespace}
	for _, line := range a.strata {
		c, err := readCover(f, line.Words()[1:])
		if err != nil {
			return line.Errorf("%v", err)
		}
		if n := c.Len(); a.spec.Measures == audience.Squares && n != 1 {
			return line.Errorf("the stratum has %d fieldworks: where squares are measured it has one", n)
		}
		t.strata = append(t.strata, c)
	}
	q := t.query(f)
	if err := compareCounts(r.ctx, r.engine, r.reference, []audience.Query{q}); err != nil {
		return err
	}
	tables, err := r.engine.Count(r.ctx, f.Version, []audience.Query{q})
	if err != nil || a.expected == nil {
		return err
	}
	return a.expectCounts(tables[0])
}

// expectCounts compares a table with a column per stratum, each cell of it "SAMPLE WEIGHT" in whole units, and with
// squares "SAMPLE WEIGHT SQUARES".
func (a *asked) expectCounts(tables []*audience.Table) error {
	if len(a.expected.Columns) != 1+len(tables) {
		return a.expected.Head.Errorf("a column for each of the %d strata is expected beside cell", len(tables))
	}
	for _, row := range a.expected.Rows {
		i, j, err := place(row)
		if err != nil {
			return err
		}
		for s, t := range tables {
			if i > t.Rows || j > t.Columns {
				return row.Errorf("there is no such cell")
			}
			if got := countText(t, i, j); got != strings.Join(strings.Fields(row.Cells[1+s]), " ") {
				return row.Errorf("stratum %d: the count is %s, not %s", s+1, got, row.Cells[1+s])
			}
		}
	}
	return nil
}

// place reads the row and the column of a cell.
func place(row script.Row) (i, j int, err error) {
	if _, err := fmt.Sscanf(row.Cells[0], "%d %d", &i, &j); err != nil || i < 0 || j < 0 {
		return 0, 0, row.Errorf("%q is no cell: the number of the row and of the column are expected", row.Cells[0])
	}
	return i, j, nil
}

// tabulate asks for figures. They must be the script's and the oracle's.
func (r *run) tabulate(step script.Step) error {
	a, err := readQuestionLines(step.Lines)
	if err != nil {
		return err
	}
	var tab *audience.Crosstab
	if a.err == nil {
		var tabs []*audience.Crosstab
		tabs, a.err = audience.Tabulate(r.ctx, extended(audience.Restrict(r.engine, a.grant), r.derived),
			func(f *audience.Frame) ([]audience.Spec, error) {
				return []audience.Spec{a.spec}, a.spec.Check(f)
			})
		if a.err == nil {
			tab = tabs[0]
		}
	}
	if a.fault != nil {
		return a.expectFault()
	}
	if a.err != nil {
		return a.err
	}
	oracle := NewOracle(r.reference)
	oracle.Frame = oracle.Frame.For(a.grant).Extend(keyOf(r.derived), r.derived)
	cells, err := oracle.Cells(a.spec)
	if err != nil {
		return fmt.Errorf("the oracle: %w", err)
	}
	if err := compareCells(tab, cells); err != nil {
		return err
	}
	if a.spec.Measures.Has(audience.Squares) {
		if err := compareSections(oracle, tab, cells); err != nil {
			return err
		}
	}
	return a.expectCells(tab, cells)
}

// expectCells compares the table of a script with the figures.
func (a *asked) expectCells(tab *audience.Crosstab, cells [][]Cell) error {
	for _, row := range a.expected.Rows {
		i, j, err := place(row)
		if err != nil {
			return err
		}
		if (i == 0) != (len(a.spec.Rows) == 0) || (j == 0) != (len(a.spec.Columns) == 0) || i > max(1, len(cells)) ||
			j > len(cells[0]) {
			return row.Errorf("there is no such cell: rows and columns count from 1, or are 0 on an axis with nothing on it")
		}
		cell := tab.Cell(i, j)
		for c, name := range a.expected.Columns[1:] {
			if want := row.Cells[1+c]; want != "" {
				if err := expectColumn(tab.Frame, &cell, name, want); err != nil {
					return row.Errorf("%s of cell %s: %v", name, row.Cells[0], err)
				}
			}
		}
	}
	return nil
}

func expectColumn(f *audience.Frame, cell *audience.Cell, name, want string) error {
	if cell.Withheld && name != "namespace" && name != "cover" {
		if want != "withheld" {
			return fmt.Errorf("it is withheld")
		}
		return nil
	}
	switch name {
	case "base":
		return expectFigure(cell.Base, want)
	case "row":
		return expectFigure(cell.Row, want)
	case "column":
		return expectFigure(cell.Column, want)
	case "both":
		return expectFigure(cell.Both, want)
	case "percent": // of the base
		percent := 0.0 // of an empty base
		if cell.Base.Size != 0 {
			percent = cell.Both.Percentage(cell.Base)
		}
		return number(want, percent)
	case "namespace":
		if cell.Namespace != want {
			return fmt.Errorf("%s instead of %s", cell.Namespace, want)
		}
		return nil
	case "cover":
		var words []string
		if want != "nowhere" {
			words = strings.Fields(want)
		}
		c, err := readCover(f, words)
		if err == nil && !c.Equal(cell.Cover) {
			err = fmt.Errorf("%s instead of %s", coverText(f, cell.Cover), want)
		}
		return err
	}
	return fmt.Errorf("the columns are cell, base, row, column, both, percent, namespace and cover")
}

// expectFigure compares "SAMPLE SIZE".
func expectFigure(got audience.Figure, want string) error {
	words := strings.Fields(want)
	if len(words) != 2 {
		return fmt.Errorf("%q: a sample and a size are expected", want)
	}
	if s := strconv.FormatInt(got.Sample, 10); s != words[0] {
		return fmt.Errorf("a sample of %s instead of %s", s, words[0])
	}
	return number(words[1], got.Size)
}

// expectFault compares the error with the line "error KIND DETAILS".
func (a *asked) expectFault() error {
	if a.err == nil {
		return a.fault.Errorf("there is no error")
	}
	_, want := a.fault.Cut()
	if got := faultText(a.err); got != strings.Join(strings.Fields(want), " ") {
		return a.fault.Errorf("the error is %s (%v)", got, a.err)
	}
	return nil
}

// faultText is the kind of an error and where it is or what it lists.
func faultText(err error) string {
	var invalid *audience.InvalidError
	var empty *audience.EmptyError
	var complex *audience.ComplexError
	var unavailable *audience.UnavailableError
	var incompatible *audience.IncompatibleError
	words := []string{"other"}
	switch {
	case errors.As(err, &invalid):
		words = []string{"invalid", invalid.Path}
	case errors.As(err, &empty):
		words = []string{"empty", empty.Path}
	case errors.As(err, &complex):
		words = []string{"complex", complex.Path}
	case errors.As(err, &incompatible):
		words = append([]string{"incompatible"}, slices.Sorted(slices.Values(incompatible.Namespaces))...)
	case errors.As(err, &unavailable):
		words = []string{"unavailable"}
		for _, q := range unavailable.Questions {
			words = append(words, strings.TrimSuffix(q.Code+":"+strings.Join(q.Datapoints, ","), ":"))
		}
		for _, l := range unavailable.Locations {
			words = append(words, "location:"+l)
		}
		for _, w := range unavailable.Waves {
			words = append(words, "wave:"+w)
		}
	}
	return strings.TrimSpace(strings.Join(words, " "))
}
