package survey

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/crosswave/crosswave/audience"
)

// wide is a codebook and a CSV file of so many rows and questions of one value each.
func wide(rows, questions int) (*Codebook, []byte) {
	r := rand.New(rand.NewPCG(1, 2))
	var c, d bytes.Buffer
	c.WriteString(`{"namespaces": [{"code": "core", "weight": {"column": "w"}}], "respondent": {"column": "id"},
		"wave": {"column": "wave", "values": [{"code": "1"}, {"code": "2"}]},
		"location": {"column": "place", "values": [{"code": "1"}, {"code": "2"}, {"code": "3"}]}, "questions": [`)
	d.WriteString("id,w,wave,place")
	for q := range questions {
		if q > 0 {
			c.WriteString(",")
		}
		fmt.Fprintf(&c, `{"code": "q%d", "type": "single", "column": "q%d", "datapoints": [`, q, q)
		for k := 1; k <= 20; k++ {
			if k > 1 {
				c.WriteString(",")
			}
			fmt.Fprintf(&c, `{"code": "q%d_%d", "value": "%d"}`, q, k, k)
		}
		c.WriteString("]}")
		fmt.Fprintf(&d, ",q%d", q)
	}
	c.WriteString("]}")
	d.WriteString("\n")
	for i := range rows {
		fmt.Fprintf(&d, "%d,%.6f,%d,%d", 1000000+i, 0.5+2*r.Float64(), 1+i%2, 1+r.IntN(3))
		for range questions {
			fmt.Fprintf(&d, ",%d", 1+r.IntN(12))
		}
		d.WriteString("\n")
	}
	codebook, err := ReadCodebook(c.Bytes())
	if err != nil {
		panic(err)
	}
	return codebook, d.Bytes()
}

func wideSource(b *testing.B, codebook *Codebook, data []byte, goroutines int) Source {
	table, err := OpenText(string(data), 0, 0)
	if err != nil {
		b.Fatal(err)
	}
	src, err := NewSource(table, codebook, goroutines)
	if err != nil {
		b.Fatal(err)
	}
	return src
}

// BenchmarkCSV reads respondents of 500 questions of one value each.
func BenchmarkCSV(b *testing.B) {
	const rows = 20_000
	codebook, data := wide(rows, 500)
	for _, n := range []int{1, 2} {
		b.Run(fmt.Sprintf("goroutines=%d", n), func(b *testing.B) {
			src := wideSource(b, codebook, data, n)
			b.SetBytes(int64(len(data)))
			b.ReportAllocs()
			for b.Loop() {
				count := 0
				for batch, err := range src.Respondents(context.Background()) {
					if err != nil {
						b.Fatal(err)
					}
					count += len(batch.Respondents)
				}
				if count != rows {
					b.Fatal(count)
				}
			}
			b.ReportMetric(rows*float64(b.N)/b.Elapsed().Seconds(), "rows/s")
		})
	}
}

// BenchmarkImport is BenchmarkCSV with the import loop, into a store that takes everything and keeps nothing.
func BenchmarkImport(b *testing.B) {
	const rows = 20_000
	codebook, data := wide(rows, 500)
	src := wideSource(b, codebook, data, 0)
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		report, err := Import(context.Background(), src, discard{}, Options{})
		if err != nil || report.Respondents != rows {
			b.Fatal(report, err)
		}
	}
	b.ReportMetric(rows*float64(b.N)/b.Elapsed().Seconds(), "rows/s")
}

// discard is a store and a writer that keeps nothing.
type discard struct{}

func (discard) Release(context.Context) (*Release, error) { return &Release{}, nil }
func (discard) Begin(context.Context, *Release, *audience.Survey) (Writer, error) {
	return discard{}, nil
}
func (discard) Add(context.Context, []Respondent) error        { return nil }
func (discard) Commit(context.Context, Change) (uint64, error) { return 1, nil }
func (discard) Abort() error                                   { return nil }
