package sss

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
)

// bigSurvey is a survey of 500 variables, in the mix of a usual one: 300 singles, 100 multiples of 10 codes, 60
// quantities with decimals, 20 logicals, 10 texts, 10 dates. It returns the two files with so many cases.
func bigSurvey(tb testing.TB, format Format, cases int) (definition, data []byte) {
	d := &Definition{Encoding: "UTF-8", Record: Record{Format: format}}
	values := func(n int) []Value {
		vs := make([]Value, n)
		for i := range vs {
			vs[i] = Value{Code: fmt.Sprint(i + 1), Label: Text{Plain: fmt.Sprintf("Answer %d", i+1)}}
		}
		return vs
	}
	add := func(n int, v Variable) {
		for range n {
			v.Name = fmt.Sprintf("v%d", len(d.Record.Variables)+1)
			d.Record.Variables = append(d.Record.Variables, v)
		}
	}
	add(300, Variable{Type: Single, Values: values(12)})
	add(100, Variable{Type: Multiple, Values: values(10)})
	add(60, Variable{Type: Quantity, Ranges: []Range{{"0.00", "999.99"}}})
	add(20, Variable{Type: Logical})
	add(10, Variable{Type: Character, Size: 20})
	add(10, Variable{Type: Date})
	random := rand.New(rand.NewPCG(3, 4))
	made := make([]*Case, cases)
	for i := range made {
		c := &Case{Data: make([]Datum, len(d.Record.Variables))}
		for j, v := range d.Record.Variables {
			switch a := &c.Data[j]; {
			case random.IntN(5) == 0:
			case v.Type == Single:
				*a = picks(fmt.Sprint(1 + random.IntN(12)))
			case v.Type == Multiple:
				a.Present = true
				for k := range 10 {
					if random.IntN(4) == 0 {
						a.Picks = append(a.Picks, Pick{Code: fmt.Sprint(k + 1)})
					}
				}
			case v.Type == Quantity:
				*a = text(fmt.Sprintf("%d.%02d", random.IntN(1000), random.IntN(100)))
			case v.Type == Logical:
				*a = text(fmt.Sprint(random.IntN(2)))
			case v.Type == Character:
				*a = text("some words")
			case v.Type == Date:
				*a = text(fmt.Sprintf("2024%02d%02d", 1+random.IntN(12), 1+random.IntN(28)))
			}
		}
		made[i] = c
	}
	var def, dat bytes.Buffer
	if err := Write(&def, &dat, d, stream(made)); err != nil {
		tb.Fatal(err)
	}
	return def.Bytes(), dat.Bytes()
}

// BenchmarkRead reads 2,000 cases of 500 variables.
func BenchmarkRead(b *testing.B) {
	const cases = 2000
	for _, format := range []Format{Fixed, CSV} {
		b.Run(string(format), func(b *testing.B) {
			definition, data := bigSurvey(b, format, cases)
			d, err := ParseDefinition(bytes.NewReader(definition))
			if err != nil {
				b.Fatal(err)
			}
			b.SetBytes(int64(len(data)))
			b.ReportAllocs()
			for b.Loop() {
				r, err := Open(d, bytes.NewReader(data), Options{})
				if err != nil {
					b.Fatal(err)
				}
				n := 0
				for _, err := range r.Cases() {
					if err != nil {
						b.Fatal(err)
					}
					n++
				}
				if n != cases {
					b.Fatal(n, "cases")
				}
			}
			b.ReportMetric(float64(cases*500*b.N)/b.Elapsed().Seconds(), "answers/s")
		})
	}
}

// BenchmarkWrite writes what BenchmarkRead reads, in the places it has.
func BenchmarkWrite(b *testing.B) {
	const cases = 2000
	for _, format := range []Format{Fixed, CSV} {
		b.Run(string(format), func(b *testing.B) {
			definition, data := bigSurvey(b, format, cases)
			_, d, read := sumUp(b, definition, data)
			b.SetBytes(int64(len(data)))
			b.ReportAllocs()
			for b.Loop() {
				if err := Write(io.Discard, io.Discard, d, stream(read)); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(cases*500*b.N)/b.Elapsed().Seconds(), "answers/s")
		})
	}
}

// BenchmarkParseDefinition reads the definition of BenchmarkRead.
func BenchmarkParseDefinition(b *testing.B) {
	definition, _ := bigSurvey(b, Fixed, 1)
	b.SetBytes(int64(len(definition)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := ParseDefinition(strings.NewReader(string(definition))); err != nil {
			b.Fatal(err)
		}
	}
}
