package audience

import (
	"errors"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"
)

// inSlices tells whether a whole number is in an expression of slices.
func inSlices(t *testing.T, x Expr, number int64) bool {
	t.Helper()
	switch x := x.(type) {
	case Slice:
		return x.Bit == AnyNumber || number>>x.Bit&1 == 1
	case Not:
		return !inSlices(t, x.X, number)
	case And:
		for _, p := range x {
			if !inSlices(t, p, number) {
				return false
			}
		}
		return true
	case Or:
		for _, p := range x {
			if inSlices(t, p, number) {
				return true
			}
		}
		return false
	}
	t.Fatalf("a band is written with a %T", x)
	return false
}

// A number reaches another if it is that or more: all numbers of few digits against all, and of 41 digits random ones
// against what is near them.
func TestBandsAreSlices(t *testing.T) {
	try := func(bits int, least, number int64) {
		s := sliced{question: "core.q", bits: bits}
		if got := inSlices(t, s.reaching(big.NewInt(least)), number); got != (number >= least) {
			t.Fatalf("%d bits: %d reaches %d: %v", bits, number, least, got)
		}
	}
	for bits := 1; bits <= 6; bits++ {
		half := int64(1) << (bits - 1)
		for least := -half - 2; least <= half+2; least++ {
			for number := -half; number < half; number++ {
				try(bits, least, number)
			}
		}
	}
	g := rand.New(rand.NewPCG(17, 41))
	for range 2000 {
		number := g.Int64N(1<<41) - 1<<40
		for _, least := range []int64{number - 1, number, number + 1, number ^ 1<<g.IntN(40), g.Int64N(1<<41) - 1<<40} {
			try(41, least, number)
		}
	}
	for _, c := range []struct {
		end      float64
		decimals int
		want     string
	}{{18, 0, "18"}, {18, 2, "1800"}, {17.005, 2, "1701"}, {-17.005, 2, "-1700"}, {0.1, 1, "1"}, {0.1, 0, "1"},
		{-0.1, 0, "0"}, {1e20, 1, "1000000000000000000000"}, {5e-324, 3, "1"}} {
		if got := unitsFrom(c.end, c.decimals).String(); got != c.want {
			t.Errorf("%v is reached at %s units of 10^-%d, want %s", c.end, got, c.decimals, c.want)
		}
	}
}

// Bands are read, written and told, where they may stand and nowhere else.
func TestBands(t *testing.T) {
	f := ragged(t)
	c := f.Coverage()
	c.Numbers = []Numbers{{Decimals: 2, Bits: 9, Asked: f.fieldwork(func(w, _ int) bool { return w == 0 })}}
	f, err := NewFrame(f.Version, f.Survey, c)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ text, printed, described string }{
		{`{"question": "q", "from": 18, "to": 25.50}`, `{"question":"q","from":18,"to":25.5}`, ": from 18 to below 25.5"},
		{`{"question": "q", "from": -1e0, "to": null}`, `{"question":"q","from":-1}`, ": -1 or more"},
		{`{"question": "q", "to": 1000000, "not": true, "datapoints": null}`, `{"question":"q","to":1e+06,"not":true}`,
			": below 1000000"},
	} {
		x, err := (&Parser{Bands: true}).Parse([]byte(c.text))
		if err != nil {
			t.Fatal(err)
		}
		if got := string(Print(x)); got != c.printed {
			t.Errorf("%s is written %s, want %s", c.text, got, c.printed)
		}
		if again, err := (&Parser{Bands: true}).Parse(Print(x)); err != nil || string(Print(again)) != c.printed {
			t.Errorf("%s is read %s (%v)", c.printed, Print(again), err)
		}
		if got := Describe(x, f); !strings.HasSuffix(got, c.described) {
			t.Errorf("%s is %q", c.text, got)
		}
		if err := f.Check(nil, nil, Use{"rows[0]", x}); err != nil {
			t.Errorf("%s: %v", c.text, err)
		}
		if b, err := f.bind("rows[0]", x); err != nil || !b.reach.Equal(f.Numbers(0).Asked) {
			t.Errorf("%s is measured in %v (%v)", c.text, b.reach, err)
		}
		var invalid *InvalidError
		if _, err := Parse([]byte(c.text)); !errors.As(err, &invalid) || invalid.Path != "from" && invalid.Path != "to" {
			t.Errorf("%s where no bands may stand: %v", c.text, err)
		}
	}
	for text, path := range map[string]string{
		`{"question": "q", "from": 5, "to": 5}`:             "to",
		`{"question": "q", "from": "5"}`:                    "from",
		`{"question": "q", "from": 1e999}`:                  "from",
		`{"question": "q", "from": 5, "datapoints": ["1"]}`: "datapoints",
		`{"question": "q", "from": 5, "min_count": 1}`:      "min_count",
		`{"from": 5}`:                    "from",
		`{"question": "waves", "to": 5}`: "",
		`{"or": [{"question": "q", "to": 5}, {"question": "", "to": 5}]}`: "or[1].question",
	} {
		var invalid *InvalidError
		if x, err := (&Parser{Bands: true}).Parse([]byte(text)); !errors.As(err, &invalid) || invalid.Path != path {
			t.Errorf("%s: %v, %v", text, x, err)
		}
	}
	var invalid *InvalidError
	old := Band{Question: "old", From: new(1.0), Path: "rows[0]"}
	if err := f.Check(nil, nil, Use{"rows[0]", old}); !errors.As(err, &invalid) || invalid.Path != "rows[0].question" {
		t.Errorf("a band of a question without numbers: %v", err)
	}
	grant := All()
	grant.Datapoints, grant.Questions = []string{"q:1"}, nil
	var unavailable *UnavailableError
	if err := f.For(grant).Check(nil, nil, Use{"rows[0]", &Band{Question: "q", To: new(1.0)}}); !errors.As(err,
		&unavailable) {
		t.Errorf("a band of a question of which a caller may use one answer: %v", err)
	}
}
