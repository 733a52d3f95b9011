package demo_test

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/internal/testsize"
	"github.com/crosswave/crosswave/store/demo"
	"github.com/crosswave/crosswave/store/survey"
)

// shrunk is the size at which every promise must still hold.
const shrunk = 5000

func describe(t testing.TB, d *demo.Demo) *audience.Survey {
	t.Helper()
	s, err := d.Describe(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// each calls f with every respondent of the stream.
func each(t testing.TB, d *demo.Demo, f func(*survey.Respondent)) {
	t.Helper()
	for b, err := range d.Respondents(context.Background()) {
		if err != nil {
			t.Fatal(err)
		}
		for i := range b.Respondents {
			f(&b.Respondents[i])
		}
	}
}

// put writes all of a respondent but the row, which tells of the stream.
func put(h hash.Hash, r *survey.Respondent) {
	b := append([]byte(r.ID), 0, byte(r.Wave), byte(r.Location))
	for _, w := range r.Weights {
		b = w.Append(b)
	}
	for _, a := range r.Attributes {
		b = binary.LittleEndian.AppendUint32(b, uint32(a))
	}
	for _, word := range r.Answered {
		b = binary.LittleEndian.AppendUint64(b, word)
	}
	h.Write(b)
}

// digest is the hash of the stream.
func digest(t testing.TB, c demo.Config) string {
	h := sha256.New()
	each(t, demo.New(c), func(r *survey.Respondent) { put(h, r) })
	return hex.EncodeToString(h.Sum(nil)[:16])
}

func TestSameSeedAndSizeGiveTheSameRespondents(t *testing.T) {
	sizes := []int{1, 100, 511, 513, shrunk}
	if !testing.Short() {
		sizes = append(sizes, 12_345)
	}
	for _, size := range sizes {
		want := digest(t, demo.Config{Seed: 7, Respondents: size, Workers: 1})
		for _, workers := range []int{0, 1, 2, 3, 8} {
			if got := digest(t, demo.Config{Seed: 7, Respondents: size, Workers: workers}); got != want {
				t.Errorf("%d respondents by %d workers: %s, by one %s", size, workers, got, want)
			}
		}
		if other := digest(t, demo.Config{Seed: 8, Respondents: size}); other == want {
			t.Errorf("%d respondents are the same with another seed", size)
		}
	}
	// A second stream of one Demo, also after one that was left early.
	d := demo.New(demo.Config{Respondents: testsize.Of(600, 3000, 3000)})
	for range d.Respondents(context.Background()) {
		break
	}
	var sums [2]string
	for i := range sums {
		h := sha256.New()
		each(t, d, func(r *survey.Respondent) { put(h, r) })
		sums[i] = hex.EncodeToString(h.Sum(nil))
	}
	if sums[0] != sums[1] {
		t.Error("two streams of one Demo differ")
	}
}

// The digest stands here so that another machine, Go version or change of the code that changes respondents does not go
// unnoticed. Whoever changes the questionnaire on purpose puts the new one here.
func TestRespondentsAreTheSameOnEveryMachine(t *testing.T) {
	const want = "a53676ff7fc71c3c6bab2610a8998e2b"
	if got := digest(t, demo.Config{Seed: 1, Respondents: 2000}); got != want {
		t.Errorf("digest %s, want %s", got, want)
	}
}

func TestOnlyStreamsTheSameRespondentsAsTheWhole(t *testing.T) {
	alone(t)
	for _, only := range [][]string{{"q3_2024"}, {"q4_2025", "q1_2024"}, {"q1_2024", "q2_2024", "q3_2024", "q4_2024",
		"q1_2025", "q2_2025", "q3_2025", "q4_2025"}} {
		whole, part := sha256.New(), sha256.New()
		d := demo.New(demo.Config{Seed: 3, Respondents: shrunk})
		s := describe(t, d)
		each(t, d, func(r *survey.Respondent) {
			if slices.Contains(only, s.Waves[r.Wave].Code) {
				put(whole, r)
			}
		})
		n := int64(0)
		some := demo.New(demo.Config{Seed: 3, Respondents: shrunk, Only: only})
		each(t, some, func(r *survey.Respondent) {
			put(part, r)
			if n++; r.Row != n {
				t.Fatalf("row %d stands at %d", r.Row, n)
			}
		})
		if string(whole.Sum(nil)) != string(part.Sum(nil)) {
			t.Errorf("%v: respondents differ from those of the whole", only)
		}
		if n == 0 {
			t.Errorf("%v: nobody", only)
		}
	}
}

func TestStreamTellsHowFarItIs(t *testing.T) {
	d := demo.New(demo.Config{Respondents: shrunk})
	ids, rows := map[string]bool{}, int64(0)
	for b, err := range d.Respondents(context.Background()) {
		if err != nil {
			t.Fatal(err)
		}
		for i := range b.Respondents {
			r := &b.Respondents[i]
			if ids[r.ID] {
				t.Fatalf("id %q twice", r.ID)
			}
			ids[strings.Clone(r.ID)] = true
			if rows++; r.Row != rows {
				t.Fatalf("row %d stands at %d", r.Row, rows)
			}
		}
		if b.Done != rows || b.Total != shrunk {
			t.Fatalf("done %d of %d after %d of %d", b.Done, b.Total, rows, shrunk)
		}
	}
	if rows != shrunk {
		t.Errorf("%d respondents, want %d", rows, shrunk)
	}
}

func TestZeroConfigIsASensibleDefault(t *testing.T) {
	alone(t)
	n := 0
	each(t, demo.New(demo.Config{}), func(*survey.Respondent) { n++ })
	if n != 40_000 {
		t.Errorf("%d respondents, want 40000", n)
	}
}

func TestConfigThatCannotBeMetIsAnError(t *testing.T) {
	for _, c := range []struct {
		config demo.Config
		want   string
	}{
		{demo.Config{Respondents: -1}, "demo survey: Respondents is -1, not within 0 to 1000000000"},
		{demo.Config{Only: []string{"q1_2024", "q9_2024"}},
			`demo survey: Only lists "q9_2024", which is no wave; they are q1_2024 to q4_2025`},
	} {
		d := demo.New(c.config)
		_, describe := d.Describe(context.Background())
		_, codebook := d.Codebook()
		csv := d.WriteCSV(context.Background(), &strings.Builder{})
		var stream error
		for _, err := range d.Respondents(context.Background()) {
			stream = err
		}
		for _, err := range []error{describe, codebook, csv, stream} {
			if err == nil || err.Error() != c.want {
				t.Errorf("%+v: %v, want %s", c.config, err, c.want)
			}
		}
	}
}

func TestCancelEndsTheStreamWithTheReason(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	batches, last := 0, error(nil)
	for _, err := range demo.New(demo.Config{}).Respondents(ctx) {
		if last = err; err == nil {
			batches++
			cancel()
		}
	}
	if batches != 1 || !errors.Is(last, context.Canceled) {
		t.Errorf("%d batches and %v after cancel", batches, last)
	}
}

// A survey ten times the size allocates the ids of its blocks and little else.
func TestMemoryIsFlat(t *testing.T) {
	alone(t)
	allocated := func(respondents int) uint64 {
		d := demo.New(demo.Config{Respondents: respondents, Workers: 1})
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		each(t, d, func(*survey.Respondent) {})
		runtime.ReadMemStats(&after)
		return after.TotalAlloc - before.TotalAlloc
	}
	small, large := allocated(4000), allocated(40_000)
	if perRespondent := float64(large-min(small, large)) / 36_000; perRespondent > 64 {
		t.Errorf("%.0f bytes for each further respondent", perRespondent)
	}
}

func TestTinySurveysHaveNobodyInSomeFieldwork(t *testing.T) {
	for n := 1; n < 200; n += 7 {
		got := 0
		each(t, demo.New(demo.Config{Respondents: n}), func(*survey.Respondent) { got++ })
		if got != n {
			t.Errorf("%d respondents, want %d", got, n)
		}
	}
}

func BenchmarkRespondents(b *testing.B) {
	for _, workers := range []int{1, 2} {
		b.Run(fmt.Sprint("workers=", workers), func(b *testing.B) {
			d := demo.New(demo.Config{Respondents: 100_000, Workers: workers})
			b.ReportAllocs()
			for b.Loop() {
				each(b, d, func(*survey.Respondent) {})
			}
			b.ReportMetric(float64(b.N)*100_000/b.Elapsed().Seconds(), "respondents/s")
		})
	}
}

func BenchmarkNew(b *testing.B) {
	for b.Loop() {
		demo.New(demo.Config{})
	}
}

// alone leaves a test out of the short ones, as run under the race detector: what the survey says is made by one
// goroutine for each run of respondents, which other tests have several of.
func alone(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("figures of large surveys take long, and are the same in short tests")
	}
}
