package guess_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/crosswave/crosswave/store/guess"
)

// aroundOne gives numbers from 0.5 to 1.5, 1 on average.
func aroundOne(i int) string { return fmt.Sprintf("%.4f", 0.5+float64(i%101)/100+float64(i%7-3)/1e4) }

// A column is the weight by all that speaks for it, and not by its name alone; what comes near is named as a question
// with the flag that would take it.
func TestWeightsByEvidence(t *testing.T) {
	around := aroundOne
	people := func(i int) string { return fmt.Sprintf("%.2f", 900+float64(i*37%1000)) }
	exact := func(i int) string { return fmt.Sprintf("%.4f", 900+float64(i*37%1000)/7) }
	kilograms := func(i int) string { return fmt.Sprintf("%.1f", 46+float64(i*7%60)/2) }
	half := func(i int) string {
		if i%2 == 0 {
			return ""
		}
		return around(i)
	}
	for _, c := range []struct {
		name, label string
		values      func(int) string
		beside      string // another column
		want        string // weight, not used, number or single
		question    bool   // the flag is named
	}{
		{"ponderador", "", around, "", "weight", false},
		{"PONDERACION", "Ponderación", around, "", "weight", false},
		{"PONDI1", "", exact, "", "weight", false},
		{"pondha", "", exact, "", "number", false},
		{"fexp", "", people, "", "weight", false},
		{"factor", "Factor de expansión", people, "", "weight", false},
		{"fact_exp", "", people, "", "weight", false},
		{"perwt", "", people, "", "weight", false},
		{"pervgt", "", people, "", "weight", false},
		{"redressement", "", around, "", "weight", false},
		{"poids", "", around, "", "weight", false},
		{"con", "", func(i int) string { return fmt.Sprintf("24E1%04d", i) }, "", "not used", false}, // as good as infinite
		{"V9", "Gewichtungsfaktor", around, "", "weight", false},
		{"w1", "Post-stratification", around, "", "weight", false},
		{"wt", "가중치", around, "", "weight", false},
		{"pon", "", around, "", "weight", false},
		{"pon", "", among("0.6", "1.8", "3.1", "0.9"), "", "not used", true},
		{"weight", "", kilograms, "", "number", true},
		{"weight", "", kilograms, "height", "number", true},
		{"peso", "", kilograms, "talla", "number", true},
		{"weight", "Weight in kg", kilograms, "", "number", false},
		{"body_weight", "", around, "", "number", false},
		{"weight", "", half, "", "not used", true},
		{"factor", "", among("1", "2", "3"), "", "single", false},
		{"factor", "", func(i int) string { return fmt.Sprint(60 + i*37%480) }, "", "number", true}, // households
		{"factor", "", func(i int) string { return fmt.Sprint(60 + i*37%320) }, "", "number", false},
		{"svywt", "", exact, "", "weight", false},
		{"weighted_score", "", around, "", "number", true}, // what was weighted is no weight
		{"NatRep", "Weighted Sample", around, "", "weight", false},
		{"Outsourced", "Base: All respondents (Weighted)", around, "", "weight", false},
		{"PESOS", "Pesos", around, "", "weight", false},
		{"PESOS", "Gasto del mes", people, "", "not used", false},
		{"dens", "Population-weighted density (persons per km2), all respondents", people, "", "number", false},
		{"inc", "Income relative to weighted population mean", around, "", "number", true},
		{"gasto", "Gasto en pesos", people, "", "not used", false}, // of money, and another for each
		{"base_weighted_n", "", people, "", "not used", false},
		{"wstep3", "", people, "", "weight", false},
		{"fcqweight", "", among("1.333", "2.667", "3", "3.333", "4"), "height", "not used", true}, // the mean of a scale
		{"wt", "", kilograms, "waist", "number", true},
		{"x", "", around, "", "number", true}, // nothing is called so, but the numbers look like it
	} {
		table := repeated(101*5, "id|"+c.name+"|q|"+c.beside, count(1), c.values, among("a", "b"), among("150", "180"))
		if c.beside == "" {
			table = repeated(101*5, "id|"+c.name+"|q", count(1), c.values, among("a", "b"))
		}
		f := table.file()
		f.Columns[1].Label = c.label
		m := guessed(t, f, guess.Options{})
		got, _, _ := strings.Cut(readings(m)[c.name], " "+c.name)
		asked := strings.Contains(strings.Join(m.Notes, "\n"), "is it the weight? ") &&
			strings.Contains(strings.Join(m.Notes, "\n"), "--weight "+c.name+" would")
		if got != c.want || asked != c.question {
			t.Errorf("%s %q beside %q: read as %q, asked: %t\n%s", c.name, c.label, c.beside, got, asked,
				strings.Join(m.Notes, "\n"))
		}
		if m.Codebook.Weights[0].Missing != "" {
			t.Errorf("%s: respondents are dropped", c.name)
		}
	}
}

// Two columns that are like a weight in their numbers alone are asked about; three are something that was measured.
func TestNumbersLikeWeights(t *testing.T) {
	for _, names := range []string{"x", "x|y", "x|y|z"} {
		columns := strings.Split(names, "|")
		cells := []func(int) string{count(1)}
		for range columns {
			cells = append(cells, aroundOne)
		}
		m := guessed(t, repeated(505, "id|"+names+"|q", append(cells, among("a", "b"))...).file(), guess.Options{})
		asked := strings.Contains(strings.Join(m.Notes, "\n"), "is it the weight? ")
		if want := len(columns) < 3; asked != want {
			t.Errorf("%s: asked about: %t, want %t", names, asked, want)
		}
	}
}

// Of three columns or more that are called weights of a kind each none is taken, as nothing says which is the one to
// use, and the likeliest is named.
func TestWeightsOfSeveralKinds(t *testing.T) {
	for _, names := range []string{"svywt|pswt", "svywt|pswt|basewt_adj"} {
		columns := strings.Split(names, "|")
		cells := []func(int) string{count(1)}
		for k := range columns {
			cells = append(cells, func(i int) string { return fmt.Sprintf("%.4f", 900+float64((i+k)*37%1000)/7) })
		}
		m := guessed(t, repeated(505, "id|"+names+"|q", append(cells, among("a", "b"))...).file(), guess.Options{})
		got, _, _ := strings.Cut(readings(m)["svywt"], " svywt")
		asked := strings.Contains(strings.Join(m.Notes, "\n"), "--weight svywt would")
		if several := len(columns) > 2; (got == "weight") == several || asked != several {
			t.Errorf("%s: svywt is read as %q, asked: %t", names, got, asked)
		}
	}
}
