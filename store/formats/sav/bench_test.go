package sav

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// benchmarkFile writes a survey of n cases and 500 numbers: codes, ages, and one
// weight in fifty.
func benchmarkFile(b *testing.B, n int, c Compression) string {
	b.Helper()
	var d Dictionary
	for i := range 500 {
		d.Variables = append(d.Variables, Variable{Name: fmt.Sprint("q", i)})
	}
	rng := random(1)
	row := make([]Value, len(d.Variables))
	rows := func(yield func([]Value, error) bool) {
		for range n {
			for i := range row {
				switch {
				case i%50 == 0:
					row[i] = Number(rng.Float64())
				case rng.IntN(8) == 0:
					row[i] = Value{}
				default:
					row[i] = Number(float64(rng.IntN(90)))
				}
			}
			if !yield(row, nil) {
				return
			}
		}
	}
	path := filepath.Join(b.TempDir(), "bench.sav")
	if c == Zlib {
		path = filepath.Join(b.TempDir(), "bench.zsav")
	}
	file, err := os.Create(path)
	if err != nil {
		b.Fatal(err)
	}
	if err := Write(file, &d, rows, WriteOptions{Compression: c}); err != nil {
		b.Fatal(err)
	}
	if err := file.Close(); err != nil {
		b.Fatal(err)
	}
	return path
}

const benchmarkCases = 100_000

func openPath(b *testing.B, path string) *File {
	b.Helper()
	file, err := os.Open(path)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { file.Close() })
	info, err := file.Stat()
	if err != nil {
		b.Fatal(err)
	}
	f, err := Open(file, info.Size(), Options{})
	if err != nil {
		b.Fatal(err)
	}
	return f
}

// BenchmarkRead reads 100,000 cases of 500 numbers.
func BenchmarkRead(b *testing.B) {
	for _, c := range compressions {
		b.Run(c.String(), func(b *testing.B) {
			path := benchmarkFile(b, benchmarkCases, c)
			for b.Loop() {
				f := openPath(b, path)
				var sum float64
				for c, err := range f.Cases() {
					if err != nil {
						b.Fatal(err)
					}
					for i := range f.Variables {
						if x, ok := c.Float(i); ok {
							sum += x
						}
					}
				}
			}
		})
	}
}

// BenchmarkCSV makes a CSV of the same file, as readstat does in
// BenchmarkReadstatCSV: the two are to be compared within one run.
func BenchmarkCSV(b *testing.B) {
	path := benchmarkFile(b, benchmarkCases, Bytecode)
	for b.Loop() {
		f := openPath(b, path)
		var line []byte
		for c, err := range f.Cases() {
			if err != nil {
				b.Fatal(err)
			}
			line = line[:0]
			for i := range f.Variables {
				line = append(c.Append(line, i), ',')
			}
			line[len(line)-1] = '\n'
			if _, err := io.Discard.Write(line); err != nil {
				b.Fatal(err)
			}
		}
	}
}

func BenchmarkReadstatCSV(b *testing.B) {
	readstat, err := exec.LookPath("readstat")
	if err != nil {
		b.Skipf("readstat is not installed: %v", err)
	}
	path := benchmarkFile(b, benchmarkCases, Bytecode)
	for b.Loop() {
		cmd := exec.Command(readstat, path, "-")
		cmd.Stdout = io.Discard
		if err := cmd.Run(); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkWrite writes 10,000 cases of 500 numbers.
func BenchmarkWrite(b *testing.B) {
	for _, c := range compressions {
		b.Run(c.String(), func(b *testing.B) {
			for b.Loop() {
				benchmarkFile(b, 10_000, c)
			}
		})
	}
}
