package stats_test

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"hash/fnv"
	"maps"
	"math"
	"math/big"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/crosswave/crosswave/audience/estimate"
	"github.com/crosswave/crosswave/internal/inference"
	"github.com/crosswave/crosswave/internal/testsize"
	"github.com/crosswave/crosswave/stats"
	"github.com/crosswave/crosswave/store/naive"
	"github.com/crosswave/crosswave/store/storetest"
)

// summaryInR is a table that R is asked about, as testdata/summary.R reads it: the numbers of an entry and of another
// audience, and what the summary says of them.
type summaryInR struct {
	a, b       *numbered
	metrics    *stats.SummaryMetrics // nil: only the difference is compared
	interval   *estimate.Interval
	difference *estimate.Difference
}

// text is a line for each respondent who is covered, with a number or without.
func (q *summaryInR) text() string {
	var out strings.Builder
	fmt.Fprintln(&out, "h,v,x,a,b")
	for i := range q.a.oracle.Respondents {
		r := &q.a.oracle.Respondents[i]
		share := q.a.share(r, q.a.namespace, q.a.cover)
		if share == nil {
			continue
		}
		x := "NA"
		if q.a.numbers[i] != nil {
			x = fmt.Sprintf("%.17g", rounded(q.a.numbers[i]))
		}
		in := func(n *numbered) int {
			if n != nil && n.people[i] != nil {
				return 1
			}
			return 0
		}
		fmt.Fprintf(&out, "%d,%.17g,%s,%d,%d\n", r.Fieldwork(q.a.oracle.Frame), rounded(share), x, in(q.a), in(q.b))
	}
	return out.String()
}

// askSummaries makes tables of random summaries of a random study.
func askSummaries(t *testing.T, seed uint64) map[string]*summaryInR {
	g := storetest.NewRandom(seed)
	study := g.Study()
	numbersEverywhere(g, study.Survey)
	ref := new(naive.Store)
	if err := study.Load(t.Context(), ref); err != nil {
		t.Fatal(err)
	}
	o := storetest.NewOracle(ref)
	a := &asker{Rand: g.Rand, frame: o.Frame}
	tables := map[string]*summaryInR{}
	for i := range 6 {
		r := a.summary()
		r.Quantiles = []float64{0, 2.5, 33.3, 50, 100}
		r.Statistics = &estimate.Options{Pairs: true, Compare: []estimate.Compare{estimate.Rest, estimate.Audiences,
			estimate.Segments}}
		res, err := stats.Summary(t.Context(), ref, r)
		if err != nil {
			continue // others look at errors
		}
		s := &summarised{T: t, name: fmt.Sprintf("%d-%d", seed, i), oracle: o, request: r, level: inference.NewLevel(95)}
		s.numbers, _ = numbersOf(o, r)
		for e := range res.Entries() {
			s.entries = append(s.entries, e)
		}
		s.tablesForR(tables)
	}
	return tables
}

// tablesForR enters the tables of a summary, a few of each kind.
func (s *summarised) tablesForR(tables map[string]*summaryInR) {
	all, rests := s.respondents()
	for i, n := range all {
		if n.mean == nil || i >= 6 {
			continue
		}
		e := &s.entries[i]
		tables[fmt.Sprintf("%s-%d.csv", s.name, i)] = &summaryInR{n, rests[i], &e.Metrics, e.Statistics.Mean,
			e.Statistics.Rest}
		pairs := slices.Concat(pairsOf(e.Statistics.Audiences), pairsOf(e.Statistics.Segments))
		for j := i + 1; j < min(len(all), i+4); j++ {
			other := all[j]
			if other.mean == nil || other.namespace != n.namespace || !other.cover.Equal(n.cover) {
				continue // R knows nothing of different fieldwork
			}
			at := slices.IndexFunc(pairs, func(p stats.Pair) bool {
				return p.Other == s.entries[j].Audience || p.Other == s.entries[j].Segment
			})
			same := e.Segment == s.entries[j].Segment && e.Audience != s.entries[j].Audience && len(s.request.Audiences) > 0 ||
				e.Segment != s.entries[j].Segment && e.Audience == s.entries[j].Audience
			if same && at >= 0 {
				tables[fmt.Sprintf("%s-%d-%d.csv", s.name, i, j)] = &summaryInR{a: n, b: other,
					difference: &pairs[at].Difference}
			}
		}
	}
}

func pairsOf(c *stats.Comparisons) []stats.Pair {
	if c == nil {
		return nil
	}
	return c.Pairs
}

// summariesInR has R look at tables.
func summariesInR(t *testing.T, tables map[string]*summaryInR) []byte {
	t.Helper()
	script, err := filepath.Abs("testdata/summary.R")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for name, q := range tables {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(q.text()), 0o666); err != nil {
			t.Fatal(err)
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

// besideSummaries counts what was compared with R.
type besideSummaries struct {
	t        *testing.T
	compared int
}

func (b *besideSummaries) near(at string, got, want, tolerance float64) {
	b.compared++
	if !(math.Abs(got-want) <= tolerance) && got != want {
		b.t.Errorf("%s is %v, R has %v; that may be off by %v", at, got, want, tolerance)
	}
}

// figure compares a line of R's.
func (b *besideSummaries) figure(at string, q *summaryInR, figure string, scale float64, x []float64) {
	at += ": " + figure
	size := math.Abs(x[0])
	switch m := q.metrics; {
	case figure == "difference":
		b.difference(at, q, scale, x)
	case m == nil:
	case figure == "mean":
		b.near(at, *m.Mean, x[0], 1e-9*max(size, scale))
		b.near(at+", the standard error", q.interval.StandardError, x[1], 1e-9*scale+1e-13*size)
		for i, end := range []float64{q.interval.Low, q.interval.High} {
			if want := x[3+i]; !math.IsNaN(want) {
				b.near(at+", an end", end, want, 1e-7*max(math.Abs(want), scale))
			}
		}
	case figure == "deviation":
		largest := max(math.Abs(*m.Min), math.Abs(*m.Max))
		b.near(at, *m.StandardDeviation, x[0], 1e-9*x[0]+1e-7*largest*1e-7)
	case figure == "quantiles":
		for i, quantile := range m.Quantiles {
			if q.told(quantile.Percent) {
				b.near(fmt.Sprint(at, " at ", quantile.Percent), quantile.Value, x[i], 1e-12*math.Abs(x[i]))
			}
		}
	}
}

// told tells whether R finds a quantile as it is here: not where it is below the share of the smallest respondent, whom
// R skips, nor where a sum of weights is as large as it asks for, but for rounding.
func (q *summaryInR) told(percent float64) bool {
	var order []int
	for i, share := range q.a.people {
		if share != nil {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(i, j int) int { return q.a.numbers[i].Cmp(q.a.numbers[j]) })
	sum, total := new(big.Rat), rounded(q.a.total)
	for k, i := range order {
		reached := 100 * rounded(sum.Add(sum, q.a.people[i])) / total
		if k == 0 && percent <= reached+1e-9 || percent < 100 && math.Abs(reached-percent) < 1e-9 {
			return false
		}
	}
	return true
}

// largest is the largest number, whatever its sign.
func (n *numbered) largest() float64 {
	largest := 0.0
	for i, share := range n.people {
		if share != nil {
			largest = max(largest, math.Abs(rounded(n.numbers[i])))
		}
	}
	return largest
}

// difference compares a test with R's.
func (b *besideSummaries) difference(at string, q *summaryInR, scale float64, x []float64) {
	got := q.difference
	se, df, crude := x[1], x[2], x[5]
	rounding := 1e-14 * max(q.a.largest(), q.b.largest()) // R's, of means of large numbers
	if is := se > 1e-9*crude+rounding; is != (got != nil) {
		b.t.Errorf("%s is %v, R has a standard error of %v of %v", at, got, se, crude)
	}
	if got == nil {
		return
	}
	b.near(at, got.Difference, x[0], 1e-9*max(math.Abs(x[0]), crude)+rounding)
	b.near(at+", the standard error", got.StandardError, se, 1e-9*scale+1e-9*crude+rounding)
	lost := rounding / se
	if want := x[3]; !math.IsNaN(want) {
		b.near(at+", t", got.T, want, (1e-7+lost)*max(1, math.Abs(want))+1e-9*math.Abs(want)*crude/se)
	}
	if want := x[4]; df >= 1 && !math.IsNaN(want) {
		b.near(at+", df", got.DF, df, 1e-9)
		b.near(at+", p", got.P, want, 1e-7+lost)
	}
}

// summariesBeside compares tables with what R has printed of them.
func summariesBeside(t *testing.T, tables map[string]*summaryInR, printed []byte) *besideSummaries {
	t.Helper()
	r := csv.NewReader(bytes.NewReader(printed))
	r.FieldsPerRecord = -1
	lines, err := r.ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	b := &besideSummaries{t: t}
	for _, line := range lines {
		if tables[line[0]] == nil {
			continue
		}
		var x []float64
		for _, field := range line[2:] {
			n, err := strconv.ParseFloat(strings.Replace(field, "NA", "NaN", 1), 64)
			if err != nil {
				t.Fatal(err)
			}
			x = append(x, n)
		}
		b.figure(line[0], tables[line[0]], line[1], x[0], x[1:])
	}
	t.Logf("%d tables, %d figures", len(tables), b.compared)
	return b
}

// fixedStudies are how many studies have what R says of them in testdata/summary.csv; the others' are looked at live.
const fixedStudies = 40

// Means, their intervals and differences, standard deviations and quantiles are as R's survey package has printed them
// once.
func TestSummariesAsRHadThem(t *testing.T) {
	if testing.Short() {
		t.Skip("fixtures of many tables take long")
	}
	const file = "testdata/summary.csv"
	tables := map[string]*summaryInR{}
	for seed := range uint64(fixedStudies) {
		maps.Copy(tables, askSummaries(t, 7000+seed))
	}
	written := fnv.New64()
	for _, name := range slices.Sorted(maps.Keys(tables)) {
		fmt.Fprintln(written, tables[name].text())
	}
	head := fmt.Sprintf("tables,,%d\n", written.Sum64()>>11)
	if *update {
		if err := os.WriteFile(file, append([]byte(head), summariesInR(t, tables)...), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	printed, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.HasPrefix(printed, []byte(head)) {
		t.Fatalf("the studies of the seeds are others than R was told of: go test -run TestSummariesAsRHadThem -update has " +
			"R, with its package survey, look at them again")
	}
	if b := summariesBeside(t, tables, printed); b.compared < 1000 {
		t.Errorf("only %d figures were compared", b.compared)
	}
}

// Summaries are as R's survey package says now.
func TestSummariesAsR(t *testing.T) {
	if err := exec.Command("Rscript", "-e", "library(survey)").Run(); err != nil {
		t.Skipf("Rscript with the package survey is needed (Debian: r-base-core and r-cran-survey): %v", err)
	}
	tables := map[string]*summaryInR{}
	for seed := range uint64(testsize.Of(2, 10, 160)) {
		maps.Copy(tables, askSummaries(t, 8000+seed))
	}
	if b := summariesBeside(t, tables, summariesInR(t, tables)); testsize.Whole() && b.compared < 4000 {
		t.Errorf("only %d figures were compared", b.compared)
	}
}
