package crosstab_test

import (
	"bytes"
	"encoding/csv"
	"flag"
	"fmt"
	"hash/fnv"
	"maps"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/audience/estimate"
	"github.com/crosswave/crosswave/crosstab"
	"github.com/crosswave/crosswave/internal/testsize"
	"github.com/crosswave/crosswave/store/sqlite"
	"github.com/crosswave/crosswave/store/survey"
)

var update = flag.Bool("update", false, "have R look at the fixed surveys again")

// askedOfR is what R is asked of a survey: a table for each group of cells that are counted over the same fieldwork in
// the same namespace, as testdata/statistics.R reads it.
type askedOfR struct {
	*ragged
	tables map[string]string // by name
	cells  []cellInR
}

// cellInR is a cell, and where R has it.
type cellInR struct {
	*crosstab.Cell
	table       string
	row, column int
}

// askR writes a survey down for R.
func askR(r *ragged) *askedOfR {
	a := &askedOfR{ragged: r, tables: map[string]string{}}
	type group struct {
		name          string
		rows, columns []int
		first         *crosstab.Cell
	}
	groups := map[string]*group{}
	for i := range r.cells {
		c := &r.cells[i]
		if c.Cover.Empty() {
			continue
		}
		key := fmt.Sprint(c.Namespace, c.Cover)
		g := groups[key]
		if g == nil {
			g = &group{name: fmt.Sprintf("%d-%d.%v.csv", r.seed, len(groups), level(r)), first: c}
			groups[key] = g
		}
		if !slices.Contains(g.rows, c.RowIndex) {
			g.rows = append(g.rows, c.RowIndex)
		}
		if !slices.Contains(g.columns, c.ColumnIndex) {
			g.columns = append(g.columns, c.ColumnIndex)
		}
		a.cells = append(a.cells, cellInR{c, g.name, c.RowIndex, c.ColumnIndex})
	}
	for _, g := range groups {
		text := a.table(g.first, g.rows, g.columns)
		if strings.Count(text, "\n") > 2 { // R has nothing to say of one respondent
			a.tables[g.name] = text
		}
	}
	a.cells = slices.DeleteFunc(a.cells, func(c cellInR) bool { return a.tables[c.table] == "" })
	return a
}

func level(r *ragged) float64 {
	if l := r.request.Statistics.Level; l != 0 {
		return l
	}
	return 95
}

// table is a line for each respondent whom the cells cover: all with a weight there, whether in the base or not.
func (a *askedOfR) table(c *crosstab.Cell, rows, columns []int) string {
	l := &linear{a.frame, a.store.Respondents(), c.Namespace}
	lists := [][]float64{l.weights(c.Cover, a.request.Base.Expr)}
	text := "h,v,b"
	for _, i := range rows {
		text += fmt.Sprintf(",r%d", i)
		lists = append(lists, l.weights(c.Cover, a.axis(a.request.Rows, i)))
	}
	for _, j := range columns {
		text += fmt.Sprintf(",c%d", j)
		lists = append(lists, l.weights(c.Cover, a.axis(a.request.Columns, j)))
	}
	var out strings.Builder
	fmt.Fprintln(&out, text)
	for i, v := range l.weights(c.Cover) {
		if v == 0 {
			continue
		}
		fmt.Fprintf(&out, "%d,%.17g", a.store.Respondents()[i].Fieldwork(a.frame), v)
		for _, list := range lists {
			in := 0
			if list[i] > 0 {
				in = 1
			}
			fmt.Fprintf(&out, ",%d", in)
		}
		fmt.Fprintln(&out)
	}
	return out.String()
}

// fromR is what R says of a figure.
type fromR struct {
	scale   float64 // what a standard error is told by
	numbers []float64
}

// key names a figure of a table.
func key(table, figure string, row, column, other int) string {
	return fmt.Sprint(table, ",", figure, ",", row, ",", column, ",", other)
}

// readR reads what R has printed.
func readR(t *testing.T, text []byte) map[string]fromR {
	t.Helper()
	r := csv.NewReader(bytes.NewReader(text))
	r.FieldsPerRecord = -1
	lines, err := r.ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]fromR{}
	for _, line := range lines {
		var x []float64
		for _, field := range line[5:] {
			n, err := strconv.ParseFloat(strings.Replace(field, "NA", "NaN", 1), 64)
			if err != nil {
				t.Fatal(err)
			}
			x = append(x, n)
		}
		out[strings.Join(line[:5], ",")] = fromR{x[0], x[1:]}
	}
	return out
}

// runR has R look at tables.
func runR(t *testing.T, asked []*askedOfR) []byte {
	t.Helper()
	script, err := filepath.Abs("testdata/statistics.R")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for _, a := range asked {
		for name, text := range a.tables {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
		}
	}
	var stderr bytes.Buffer
	command := exec.CommandContext(t.Context(), "Rscript", script, dir)
	command.Stderr = &stderr
	out, err := command.Output()
	if err != nil {
		t.Fatalf("%v: %s", err, stderr.String())
	}
	return out
}

// besideR counts what was compared with R, and how far it was off at most, by what it may be off.
type besideR struct {
	t        *testing.T
	said     map[string]fromR
	compared int
	largest  map[string]float64
}

// near compares a number with R's.
func (b *besideR) near(at, what string, got, want, tolerance float64) {
	b.compared++
	off := math.Abs(got-want) / tolerance
	if got == want {
		off = 0
	}
	b.largest[what] = max(b.largest[what], off)
	if !(off <= 1) {
		b.t.Errorf("%s: %s is %v, R has %v; that may be off by %v", at, what, got, want, tolerance)
	}
}

// Tolerances: of standard errors by their scale, √Σ g²Q; of tests and of ends of intervals; and of variances that R
// forms of variances and covariances, by those.
const (
	ofErrors      = 1e-9
	ofTests       = 1e-7
	ofCovariances = 1e-13
)

// percentage compares the interval of a percentage with R's.
func (b *besideR) percentage(at string, got *estimate.Interval) {
	r, is := b.said[at]
	if is != (got != nil) {
		b.t.Errorf("%s: there is an interval: %v; in R: %v", at, got != nil, is)
	}
	if !is || got == nil {
		return
	}
	se := r.numbers[1]
	b.near(at, "the standard error", got.StandardError/100, se, ofErrors*r.scale+1e-15)
	loose := ofTests
	if se > 1e-15 {
		loose += ofErrors * r.scale / se
	}
	for i, end := range []float64{got.Low, got.High} {
		if want := r.numbers[4+i]; !math.IsNaN(want) {
			b.near(at, "an end", end/100, want, loose)
		}
	}
}

// size compares the interval of a size with R's.
func (b *besideR) size(at string, got *estimate.Interval) {
	r := b.said[at]
	b.near(at, "the standard error", got.StandardError, r.numbers[1], ofErrors*r.scale+1e-300)
	for i, end := range []float64{got.Low, got.High} {
		if want := r.numbers[3+i]; !math.IsNaN(want) {
			b.near(at, "an end", end, want, ofTests*max(math.Abs(want), r.scale)+1e-300)
		}
	}
}

// index compares the interval of an index with R's: its logarithm's.
func (b *besideR) index(at string, index float64, got *estimate.Interval) {
	r, is := b.said[at]
	endless := is && !(r.numbers[4] < math.MaxFloat64) // so few told it that its interval has no end, or R none at all
	if is != (got != nil) && !endless {
		b.t.Errorf("%s: there is an interval: %v; in R: %v", at, got != nil, is)
	}
	if !is || got == nil {
		return
	}
	se, crude := r.numbers[1], r.numbers[5]
	b.near(at, "the index", index, r.numbers[0], 1e-9*index)
	may := ofErrors*r.scale*r.scale + ofCovariances*crude*crude
	b.near(at, "the variance of the logarithm", math.Pow(got.StandardError/index, 2), se*se, may)
	for i, end := range []float64{got.Low, got.High} {
		want := math.Log(r.numbers[3+i] / index)
		if !math.IsNaN(want) && !math.IsInf(want, 0) && se > 1e-6*crude {
			b.near(at, "the logarithm of an end", math.Log(end/index), want, ofTests*max(1, math.Abs(want)))
		}
	}
}

// difference compares a test with R's.
func (b *besideR) difference(at string, got *estimate.Difference) {
	r, is := b.said[at]
	if !is {
		if got != nil {
			b.t.Errorf("%s: R has no difference, here it is %+v", at, *got)
		}
		return
	}
	se, df, crude := r.numbers[1], r.numbers[2], r.numbers[6]
	switch is := se > ofErrors*crude; { // all that is below is rounding
	case got == nil && is:
		b.t.Errorf("%s: there is no difference, R's is %v", at, r.numbers)
	case got != nil && !is:
		b.t.Errorf("%s: the difference is %+v, R has a standard error of %v", at, *got, se)
	}
	if got == nil {
		return
	}
	b.near(at, "the difference", got.Difference/100, r.numbers[0], 1e-9)
	b.near(at, "the standard error", got.StandardError/100, se, ofErrors*r.scale)
	b.near(at, "the variance", math.Pow(got.StandardError/100, 2), math.Pow(r.numbers[5], 2),
		ofErrors*r.scale*r.scale+ofCovariances*crude*crude)
	if want := r.numbers[3]; !math.IsNaN(want) {
		b.near(at, "t", got.T, want, ofTests*max(1, math.Abs(want))+ofErrors*math.Abs(want)*crude/se)
	}
	if want := r.numbers[4]; df >= 1 && !math.IsNaN(want) {
		b.near(at, "df", got.DF, df, 1e-9)
		b.near(at, "p", got.P, want, ofTests)
	}
}

// survey compares all figures of a survey.
func (b *besideR) survey(a *askedOfR) {
	there := map[[2]int]string{} // the tables of cells
	for _, c := range a.cells {
		there[[2]int{c.row, c.column}] = c.table
	}
	for _, c := range a.cells {
		s := c.Statistics
		at := func(figure string) string { return key(c.table, figure, c.row, c.column, 0) }
		b.percentage(at("row"), s.Row.Percentage)
		b.percentage(at("column"), s.Column.Percentage)
		b.percentage(at("both"), s.Intersect.Percentage)
		b.percentage(at("of_column"), s.Row.IntersectPercentage)
		b.percentage(at("of_row"), s.Column.IntersectPercentage)
		b.size(at("size"), s.Intersect.Size)
		b.index(at("index"), c.Intersect.Index, s.Intersect.Index)
		b.difference(at("rest"), s.Rest)
		pairs := map[int]*estimate.Difference{}
		if s.Columns != nil {
			for i := range s.Columns.Pairs {
				pairs[s.Columns.Pairs[i].ColumnIndex] = &s.Columns.Pairs[i].Difference
			}
		}
		for k := c.column + 1; k <= len(a.request.Columns) && c.column > 0; k++ {
			if there[[2]int{c.row, k}] == c.table { // else they cover different fieldwork, which R knows nothing of
				b.difference(key(c.table, "columns", c.row, c.column, k), pairs[k])
			}
		}
	}
}

// beside compares surveys with what R has printed of them.
func beside(t *testing.T, asked []*askedOfR, printed []byte) *besideR {
	t.Helper()
	b := &besideR{t: t, said: readR(t, printed), largest: map[string]float64{}}
	for _, a := range asked {
		b.survey(a)
	}
	t.Logf("%d surveys, %d figures; the largest deviations, as shares of what is allowed: %v", len(asked), b.compared,
		b.largest)
	return b
}

// embedded compares what the embedded engine has of a survey with what the naive one has.
func embedded(t *testing.T, r *ragged) {
	t.Helper()
	db, err := sqlite.Open(t.Context(), sqlite.Memory, sqlite.Config{})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := survey.Import(t.Context(), r.study.Source(), db, survey.Options{}); err != nil {
		t.Fatal(err)
	}
	cells, err := crossed(t.Context(), db, r.request)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(r.cells, cells, cmp.Comparer(audience.Figure.Equal)); d != "" {
		t.Errorf("seed %d: naive (-) and embedded (+):\n%s", r.seed, d)
	}
}

// fixedSeeds are how many surveys have what R says of them in testdata/statistics.csv; the others' are looked at live.
const fixedSeeds = 10

// The figures of random ragged surveys are as sure as R's survey package has them: as R has printed it once.
func TestAsRHadIt(t *testing.T) {
	const file = "testdata/statistics.csv"
	var asked []*askedOfR
	written := fnv.New64()
	for seed := range uint64(fixedSeeds) {
		a := askR(newRagged(t, seed))
		asked = append(asked, a)
		for _, name := range slices.Sorted(maps.Keys(a.tables)) {
			fmt.Fprintln(written, a.tables[name])
		}
	}
	head := fmt.Sprintf("surveys,,,,,%d\n", written.Sum64()>>11)
	if *update {
		if err := os.WriteFile(file, append([]byte(head), runR(t, asked)...), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	printed, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.HasPrefix(printed, []byte(head)) {
		t.Fatalf("the surveys of the seeds are others than R was told of: go test -run TestAsRHadIt -update has R, with " +
			"its package survey, look at them again")
	}
	if b := beside(t, asked, printed); b.compared < 1000 {
		t.Errorf("only %d figures were compared", b.compared)
	}
}

// The figures of random ragged surveys are as sure as R's survey package says now, on either engine.
func TestAsR(t *testing.T) {
	if err := exec.Command("Rscript", "-e", "library(survey)").Run(); err != nil {
		t.Skipf("Rscript with the package survey is needed (Debian: r-base-core and r-cran-survey): %v", err)
	}
	var asked []*askedOfR
	for seed := range uint64(testsize.Of(2, 8, 120)) {
		r := newRagged(t, fixedSeeds+seed)
		embedded(t, r)
		asked = append(asked, askR(r))
	}
	if b := beside(t, asked, runR(t, asked)); testsize.Whole() && b.compared < 10000 {
		t.Errorf("only %d figures were compared", b.compared)
	}
}
