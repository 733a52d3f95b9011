package main

import (
	"fmt"
	"io"
	"iter"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/crosswave/crosswave/store/formats"
	"github.com/crosswave/crosswave/store/formats/sav"
	"github.com/crosswave/crosswave/store/guess"
	"github.com/crosswave/crosswave/store/sqlite"
	"github.com/crosswave/crosswave/store/survey"
)

// wideSPSS writes a .sav of so many cases and variables: an id, a weight, and answers from 1 to 7.
func wideSPSS(b *testing.B, cases, variables int) string {
	b.Helper()
	d := &sav.Dictionary{Weight: "weight", Variables: []sav.Variable{{Name: "id"}, {Name: "weight"}}}
	var labels []sav.ValueLabel
	for k := range 7 {
		labels = append(labels, sav.ValueLabel{Value: sav.Number(float64(k + 1)), Label: fmt.Sprintf("Answer %d", k+1)})
	}
	for i := range variables - 2 {
		d.Variables = append(d.Variables, sav.Variable{Name: fmt.Sprintf("q%d", i+1), Labels: labels})
	}
	path := filepath.Join(b.TempDir(), "wide.sav")
	f, err := os.Create(path)
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	var rows iter.Seq2[[]sav.Value, error] = func(yield func([]sav.Value, error) bool) {
		row := make([]sav.Value, variables)
		x := uint32(1)
		for i := range cases {
			row[0], row[1] = sav.Number(float64(i+1)), sav.Number(float64(x%2000)/1000+0.001)
			for k := 2; k < variables; k++ {
				x = x*1664525 + 1013904223
				row[k] = sav.Number(float64(x>>24%7 + 1))
			}
			if !yield(row, nil) {
				return
			}
		}
	}
	if err := sav.Write(f, d, rows, sav.WriteOptions{}); err != nil {
		b.Fatal(err)
	}
	return path
}

// BenchmarkSAV100000x500 is what a .sav of 100,000 cases and 500 variables takes: to guess a codebook for it, to read
// its respondents by that, and to import it into a store, guess included. ReadstatCSV is readstat making a CSV of the
// same file: they are to be compared within one run.
func BenchmarkSAV100000x500(b *testing.B) {
	const cases, variables = 100_000, 500
	path := wideSPSS(b, cases, variables)
	f, err := formats.Open(path, formats.Options{})
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	m, err := f.Guess(b.Context(), guess.Options{})
	if err != nil {
		b.Fatal(err)
	}
	src, err := f.Source(m.Codebook)
	if err != nil {
		b.Fatal(err)
	}
	run := func(name string, once func(b *testing.B) error) {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if err := once(b); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(cases*float64(b.N)/b.Elapsed().Seconds(), "cases/s")
		})
	}
	run("Guess", func(b *testing.B) error {
		_, err := f.Guess(b.Context(), guess.Options{})
		return err
	})
	run("Respondents", func(b *testing.B) error {
		for _, err := range src.Respondents(b.Context()) {
			if err != nil {
				return err
			}
		}
		return nil
	})
	run("Import", func(b *testing.B) error {
		db, err := sqlite.Open(b.Context(), filepath.Join(b.TempDir(), "s.db"), sqlite.Config{})
		if err != nil {
			return err
		}
		defer db.Close()
		m, err := f.Guess(b.Context(), guess.Options{})
		if err != nil {
			return err
		}
		src, err := f.Source(m.Codebook)
		if err != nil {
			return err
		}
		_, err = survey.Import(b.Context(), src, db, survey.Options{})
		return err
	})
	readstat, err := exec.LookPath("readstat")
	if err != nil {
		b.Logf("readstat is not installed: %v", err)
		return
	}
	run("ReadstatCSV", func(b *testing.B) error {
		cmd := exec.CommandContext(b.Context(), readstat, path, "-")
		cmd.Stdout = io.Discard
		return cmd.Run()
	})
}
