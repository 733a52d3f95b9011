package forest

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// examples are some of which it is so where one of two clues is above a half, but not where both are; the third clue
// says nothing.
func examples(n int) (list []Example) {
	r := rand.New(rand.NewPCG(1, 2))
	for range n {
		clues := []float64{r.Float64(), r.Float64(), r.Float64()}
		list = append(list, Example{Clues: clues, Is: (clues[0] > 0.5) != (clues[1] > 0.5)})
	}
	return list
}

// What was learnt is told of examples that nothing was learnt from, too, and by the clues that tell it.
func TestLearn(t *testing.T) {
	f := Learn(examples(2000), Options{})
	wrong := 0
	asked := examples(3000)[2000:]
	for _, e := range asked {
		if (f.Points(e.Clues) > 0) != e.Is {
			wrong++
		}
	}
	if wrong > 20 { // near the edges
		t.Errorf("%d of %d are wrong", wrong, len(asked))
	}
	if order := f.Clues(); len(order) < 2 || order[0] == 2 || order[1] == 2 {
		t.Errorf("the clues are asked after in the order %v", order)
	}
}

// The same examples give the same forest, byte by byte.
func TestSameForest(t *testing.T) {
	names := []string{"a", "b", "c"}
	if d := cmp.Diff(Learn(examples(500), Options{}).Text(names), Learn(examples(500), Options{}).Text(names)); d != "" {
		t.Error(d)
	}
}

// Weights count as so many examples, and what all say alike is as likely as they say.
func TestWeights(t *testing.T) {
	list := []Example{{Clues: []float64{1}, Is: true, Weight: 30}, {Clues: []float64{1}, Weight: 10}}
	got := Likely(Learn(list, Options{}).Points([]float64{1}))
	if got < 0.74 || got > 0.76 {
		t.Errorf("%v, not 3 in 4", got)
	}
	if got := Likely(Learn(nil, Options{}).Points(nil)); got != 0.5 {
		t.Errorf("of nothing %v was learnt", got)
	}
}

// A forest is read back as it was written.
func TestText(t *testing.T) {
	text := "0.25\na<0.5 -1 b<2 0.5 1.5\n-0.125\n"
	f, err := Parse(text, []string{"a", "b"})
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(text, f.Text([]string{"a", "b"})); d != "" {
		t.Error(d)
	}
	for clues, want := range map[[2]float64]float64{{0, 9}: -0.875, {0.5, 1}: 0.625, {0.5, 2}: 1.625} {
		if got := f.Points(clues[:]); got != want {
			t.Errorf("%v: %v points, not %v", clues, got, want)
		}
	}
}

// What is no forest is refused, and the error names the line.
func TestRefused(t *testing.T) {
	for text, want := range map[string]string{
		"":                "line 1: there is none",
		"x\n":             `line 1: "x" is no number`,
		"0\na<1 2\n":      "line 2: the line ends too early",
		"0\nc<1 2 3\n":    `line 2: there is no clue "c"`,
		"0\na<y 2 3\n":    `line 2: "y" is no number`,
		"0\n1\na<1 2 NaN": `line 3: "NaN" is no number`,
		"0\n1 2\n":        `line 2: "2" stands behind the end`,
		"0\n" + strings.Repeat("a<1 ", 101) + "\n": "line 2: more than 100 decisions follow one another",
	} {
		if _, err := Parse(text, []string{"a", "b"}); err == nil || err.Error() != want {
			t.Errorf("%.20q: %v, want %q", text, err, want)
		}
	}
}

// FuzzParse: whatever is read is written and read back as the same.
func FuzzParse(f *testing.F) {
	for _, text := range []string{"", "0", "0.25\na<0.5 -1 b<2 0.5 1.5\n", "0\na<1 2", "1e9\nb<-1 a<0 1 2 3\n\n"} {
		f.Add(text)
	}
	clues := []string{"a", "b"}
	f.Fuzz(func(t *testing.T, text string) {
		forest, err := Parse(text, clues)
		if err != nil {
			return
		}
		written := forest.Text(clues)
		again, err := Parse(written, clues)
		if err != nil {
			t.Fatalf("%q: %v", written, err)
		}
		if d := cmp.Diff(written, again.Text(clues)); d != "" {
			t.Error(d)
		}
		forest.Points([]float64{0.5, 1})
	})
}
