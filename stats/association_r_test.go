package stats_test

import (
	"bytes"
	"encoding/csv"
	"flag"
	"fmt"
	"hash/fnv"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/crosswave/crosswave/internal/testsize"
	"github.com/crosswave/crosswave/stats"
	"github.com/crosswave/crosswave/store/sqlite"
	"github.com/crosswave/crosswave/store/survey"
	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "have R look at the fixed surveys again")

// name is how a pair is called towards R.
func (r *raggedPairs) name(pair int) string { return fmt.Sprintf("%d-%d.csv", r.seed, pair) }

// runR has R look at the pairs of surveys.
func runR(t *testing.T, surveys []*raggedPairs) []byte {
	t.Helper()
	script, err := filepath.Abs("testdata/association.R")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for _, r := range surveys {
		for i := range r.pairs {
			if err := os.WriteFile(filepath.Join(dir, r.name(i)), []byte(r.pairs[i].table()), 0o666); err != nil {
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
	*testing.T
	compared, absent int
	largest          map[string]float64
}

func (b *besideR) near(at, what string, got, want, tolerance float64) {
	b.compared++
	off := math.Abs(got-want) / tolerance
	if got == want {
		off = 0
	}
	b.largest[what] = max(b.largest[what], off)
	if !(off <= 1) {
		b.Errorf("%s: %s is %v, R has %v; that may be off by %v", at, what, got, want, tolerance)
	}
}

// pair compares a pair with what R says of it: F, its degrees of freedom, those of its denominator, p and V.
func (b *besideR) pair(at string, p *raggedPair, r []float64) {
	const tolerance = 1e-9
	shares, sample, effective := p.shares()
	if p.found.Sample != sample || math.Abs(p.found.EffectiveSample-effective) > 1e-9*effective {
		b.Errorf("%s: %d respondents, of %v effectively, want %d of %v", at, p.found.Sample, p.found.EffectiveSample, sample,
			effective)
	}
	square := sample > 0 && len(shares) > 1 && len(shares[0]) > 1
	if square != (p.found.CramersV != nil) {
		b.Errorf("%s: V is there: %v", at, p.found.CramersV != nil)
	}
	if p.found.CramersV != nil {
		b.near(at, "V", *p.found.CramersV, r[4], tolerance)
	}
	test := p.found.Independence
	if test == nil {
		b.absent++
		if square && p.freedom() > 0 && solvable(shares) && r[0] < 1e12 {
			b.Errorf("%s: there is no test, R has %v", at, r)
		}
		return
	}
	if !square || p.freedom() < 1 || !solvable(shares) {
		b.Errorf("%s: the test is %+v, and should be none", at, *test)
	}
	if math.IsNaN(r[0]) || math.IsInf(r[0], 0) {
		return
	}
	b.near(at, "F", test.F, r[0], tolerance*max(1e-6, r[0]))
	b.near(at, "df", test.DF, r[1], tolerance*r[1])
	b.near(at, "the denominator's df", test.DFDenominator, r[2], tolerance*r[2])
	if r[3] > 1e-300 { // p changes by as much as F and the degrees of freedom do, times its logarithm
		b.near(at, "p", test.P, r[3], tolerance*r[3]*max(1, -math.Log(r[3])))
	}
}

// beside compares surveys with what R has printed of them.
func beside(t *testing.T, surveys []*raggedPairs, printed []byte) *besideR {
	t.Helper()
	lines, err := csv.NewReader(bytes.NewReader(printed)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	said := map[string][]float64{}
	for _, line := range lines {
		for _, field := range line[1:] {
			x, err := strconv.ParseFloat(field, 64)
			if err != nil {
				x = math.NaN() // NA
			}
			said[line[0]] = append(said[line[0]], x)
		}
	}
	b := &besideR{T: t, largest: map[string]float64{}}
	for _, r := range surveys {
		for i := range r.pairs {
			at := r.name(i)
			if len(said[at]) != 5 {
				t.Fatalf("R says of %s: %v", at, said[at])
			}
			b.pair(at, &r.pairs[i], said[at])
		}
	}
	t.Logf("%d surveys, %d figures, %d pairs without a test; the largest deviations, as shares of what is allowed: %v",
		len(surveys), b.compared, b.absent, b.largest)
	return b
}

// associatedEmbedded compares what the embedded engine has of a survey with what the naive one has.
func associatedEmbedded(t *testing.T, r *raggedPairs) {
	t.Helper()
	db, err := sqlite.Open(t.Context(), sqlite.Memory, sqlite.Config{})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := survey.Import(t.Context(), r.study.Source(), db, survey.Options{}); err != nil {
		t.Fatal(err)
	}
	for i := range r.pairs {
		found, err := stats.Associate(t.Context(), db, r.pairs[i].query)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(r.pairs[i].found, found); d != "" {
			t.Errorf("%s: naive (-) and embedded (+):\n%s", r.name(i), d)
		}
	}
}

// fixedSeeds are how many surveys have what R says of them in testdata/association.csv; the others' are looked at live.
const fixedSeeds, perSurvey = 10, 6

// The associations of random ragged surveys are those of R's survey package: as R has printed them once.
func TestAssociationAsRHadIt(t *testing.T) {
	const file = "testdata/association.csv"
	var surveys []*raggedPairs
	written := fnv.New64()
	for seed := range uint64(fixedSeeds) {
		r := newRaggedPairs(t, seed, perSurvey)
		surveys = append(surveys, r)
		for i := range r.pairs {
			fmt.Fprintln(written, r.pairs[i].table())
		}
	}
	head := fmt.Sprintf("surveys,%d,0,0,0,0\n", written.Sum64()>>11)
	if *update {
		if err := os.WriteFile(file, append([]byte(head), runR(t, surveys)...), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	printed, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.HasPrefix(printed, []byte(head)) {
		t.Fatalf("the surveys of the seeds are others than R was told of: go test -run TestAssociationAsRHadIt -update " +
			"has R, with its package survey, look at them again")
	}
	if b := beside(t, surveys, printed); b.compared < 100 || b.absent < 3 {
		t.Errorf("only %d figures were compared, and %d pairs are without a test", b.compared, b.absent)
	}
}

// The associations of random ragged surveys are those that R's survey package has now, on either engine.
func TestAssociationAsR(t *testing.T) {
	if testing.Short() {
		t.Skip("R takes its time to begin, and what it has printed once is compared anyway")
	}
	if err := exec.Command("Rscript", "-e", "library(survey)").Run(); err != nil {
		t.Skipf("Rscript with the package survey is needed (Debian: r-base-core and r-cran-survey): %v", err)
	}
	var surveys []*raggedPairs
	for seed := range uint64(testsize.Of(0, 8, 150)) {
		r := newRaggedPairs(t, fixedSeeds+seed, perSurvey)
		associatedEmbedded(t, r)
		surveys = append(surveys, r)
	}
	if b := beside(t, surveys, runR(t, surveys)); testsize.Whole() && b.compared < 1000 {
		t.Errorf("only %d figures were compared", b.compared)
	}
}
