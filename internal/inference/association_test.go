package inference

import (
	"cmp"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/crosswave/crosswave/internal/testsize"
)

// answered is a respondent who answered two questions; row and column are -1 for who did not.
type answered struct {
	fieldwork, row, column int
	weight                 int64
}

// crosses are the crosstabs, fieldwork by fieldwork, of respondents who count for so many people a unit of weight.
func crosses(people []answered, person []float64) []Crossed {
	out := make([]Crossed, len(person))
	cells := make([]map[[2]int]Moments, len(person))
	for h := range out {
		out[h].Person, cells[h] = person[h], map[[2]int]Moments{}
	}
	for _, r := range people {
		out[r.fieldwork].Respondents++
		if r.row >= 0 && r.column >= 0 {
			one := moments(1, r.weight, new(big.Int).Mul(big.NewInt(r.weight), big.NewInt(r.weight)))
			at := [2]int{r.row, r.column}
			cells[r.fieldwork][at] = cells[r.fieldwork][at].Add(one)
		}
	}
	for h := range out {
		for at, m := range cells[h] {
			out[h].Cells = append(out[h].Cells, CrossCell{at[0], at[1], m})
		}
		slices.SortFunc(out[h].Cells, func(a, b CrossCell) int {
			return cmp.Or(cmp.Compare(a.Row, b.Row), cmp.Compare(a.Column, b.Column))
		})
	}
	return out
}

// byRespondents is the reference: the covariance of the shares from the respondents one by one, and Δ of contrasts, as
// a table of cells by cells. It is nil where CᵀD⁻¹C can't be solved, or nothing varies.
func byRespondents(people []answered, person []float64) (test *Independence, cramersV float64) {
	rows, columns := 0, 0
	for _, r := range people {
		rows, columns = max(rows, r.row+1), max(columns, r.column+1)
	}
	cells := rows * columns
	p, total := make([]float64, cells), 0.0
	n, who := make([]float64, len(person)), make([]float64, len(person))
	for _, r := range people {
		n[r.fieldwork]++
		if r.row >= 0 && r.column >= 0 {
			p[r.row*columns+r.column] += person[r.fieldwork] * float64(r.weight)
			total += person[r.fieldwork] * float64(r.weight)
			who[r.fieldwork]++
		}
	}
	nu := 0.0
	for _, n := range who {
		nu += max(0, n-1)
	}
	for i := range p {
		p[i] /= total
	}
	square := 0.0
	for i := range rows {
		for j := range columns {
			row, column := 0.0, 0.0
			for k := range columns {
				row += p[i*columns+k]
			}
			for k := range rows {
				column += p[k*columns+j]
			}
			square += (p[i*columns+j] - row*column) * (p[i*columns+j] - row*column) / (row * column)
		}
	}
	cramersV = math.Sqrt(square / float64(min(rows, columns)-1))

	// What each respondent adds to the contrasts of the shares, over the shares: Cᵀ·D⁻¹·z. The covariance of its total is
	// that of the contrasts.
	contrasts := (rows - 1) * (columns - 1)
	contrast := func(k, cell int) float64 {
		a, b, i, j := k/(columns-1), k%(columns-1), cell/columns, cell%columns
		sign := 0.0
		switch {
		case i == a && j == b, i == rows-1 && j == columns-1:
			sign = 1
		case i == a && j == columns-1, i == rows-1 && j == b:
			sign = -1
		}
		return sign
	}
	of := func(r answered) []float64 {
		out := make([]float64, contrasts)
		if r.row < 0 || r.column < 0 {
			return out
		}
		for k := range out {
			for c := range p {
				if p[c] > 0 {
					in := 0.0
					if c == r.row*columns+r.column {
						in = 1
					}
					out[k] += contrast(k, c) / p[c] * (in - p[c]) / total * person[r.fieldwork] * float64(r.weight)
				}
			}
		}
		return out
	}
	means := make([][]float64, len(person))
	for h := range means {
		means[h] = make([]float64, contrasts)
	}
	var z [][]float64
	for _, r := range people {
		z = append(z, of(r))
		if n[r.fieldwork] > 1 {
			for k, x := range z[len(z)-1] {
				means[r.fieldwork][k] += x / n[r.fieldwork]
			}
		}
	}
	left, right := square2(contrasts), square2(contrasts)
	for i, r := range people {
		scale := 1.0
		if n[r.fieldwork] > 1 {
			scale = n[r.fieldwork] / (n[r.fieldwork] - 1)
		}
		for k := range contrasts {
			for l := range contrasts {
				right[k][l] += scale * (z[i][k] - means[r.fieldwork][k]) * (z[i][l] - means[r.fieldwork][l])
			}
		}
	}
	for k := range contrasts {
		for l := range contrasts {
			for c := range p {
				if p[c] > 0 {
					left[k][l] += contrast(k, c) / p[c] * contrast(l, c)
				}
			}
		}
	}
	if !solve(left, right) {
		return nil, cramersV
	}
	trace, ofSquare := 0.0, 0.0
	for k := range contrasts {
		trace += right[k][k]
		for l := range contrasts {
			ofSquare += right[k][l] * right[l][k]
		}
	}
	df := trace * trace / ofSquare
	return &Independence{square / trace, df, df * nu, FTail(square/trace, df, df*nu)}, cramersV
}

func square2(n int) [][]float64 {
	out := make([][]float64, n)
	for i := range out {
		out[i] = make([]float64, n)
	}
	return out
}

// solve replaces b by the solution of a·x = b, by Gauss with pivots; false if there is none.
func solve(a, b [][]float64) bool {
	largest := 0.0
	for i := range a {
		largest = max(largest, a[i][i])
	}
	for k := range a {
		pivot := k
		for i := k; i < len(a); i++ {
			if math.Abs(a[i][k]) > math.Abs(a[pivot][k]) {
				pivot = i
			}
		}
		a[k], a[pivot], b[k], b[pivot] = a[pivot], a[k], b[pivot], b[k]
		if math.Abs(a[k][k]) < 1e-12*largest {
			return false
		}
		for i := range a {
			if i == k {
				continue
			}
			f := a[i][k] / a[k][k]
			for j := range a {
				a[i][j] -= f * a[k][j]
				b[i][j] -= f * b[k][j]
			}
		}
	}
	for k := range a {
		for j := range b[k] {
			b[k][j] /= a[k][k]
		}
	}
	return true
}

// within tells whether two numbers agree to a share of themselves.
func within(got, want, share float64) bool {
	return math.Abs(got-want) <= share*math.Abs(want)
}

// compareTests holds a test against another one.
func compareTests(t *testing.T, at string, got *Independence, want Independence, share float64) {
	t.Helper()
	if got == nil {
		t.Errorf("%s: there is no test, want %+v", at, want)
		return
	}
	// the logarithm of p is as far off as F is
	p := share * (1 + math.Abs(math.Log(max(want.P, 1e-300)))*10)
	if !within(got.F, want.F, share) || !within(got.DF, want.DF, share) ||
		!within(got.DFDenominator, want.DFDenominator, share) || !within(got.P, want.P, p) {
		t.Errorf("%s: the test is %+v, want %+v", at, *got, want)
	}
}

// Associations are those of R's survey package, as testdata/association.R had them printed.
func TestAssociationAsRSurvey(t *testing.T) {
	sets := map[string][]answered{}
	for _, line := range fixture(t, "answers.csv") {
		x := numbers(t, line)
		sets[line[0]] = append(sets[line[0]], answered{int(x[1]) - 1, int(x[3]) - 1, int(x[4]) - 1, int64(x[2])})
	}
	lines := fixture(t, "association.csv")
	if len(lines) != 15 {
		t.Fatalf("R has looked at %d sets", len(lines))
	}
	for _, line := range lines {
		want := numbers(t, line)
		people := sets[line[0]]
		person := make([]float64, people[len(people)-1].fieldwork+1)
		for h := range person {
			person[h] = 1
		}
		got := Associate(crosses(people, person))
		at := "set " + line[0]
		compareTests(t, at, got.Independence, Independence{want[1], want[2], want[3], want[4]}, 1e-9)
		if !within(*got.CramersV, want[5], 1e-12) {
			t.Errorf("%s: V is %v, want %v", at, *got.CramersV, want[5])
		}
	}
}

// The short form says what the covariance of the shares says, from each respondent, and the contrasts as they stand.
func TestAssociationAsOfRespondents(t *testing.T) {
	tested, absent := 0, 0
	for seed := range uint64(testsize.Of(100, 400, 4000)) {
		g := rand.New(rand.NewPCG(seed, 7))
		rows, columns, person := 2+g.IntN(4), 2+g.IntN(4), make([]float64, 1+g.IntN(5))
		var people []answered
		for h := range person {
			person[h] = []float64{1, 0.5, 1.0 / 3, 0.25}[g.IntN(4)]
			size, most := 1+g.IntN(60), g.IntN(rows*columns)
			for range size {
				r := answered{h, g.IntN(rows+1) - 1, g.IntN(columns+1) - 1, 1 + int64(g.IntN(50))}
				if seed%3 == 0 && g.IntN(12) > 0 { // most in one cell
					r.row, r.column = most/columns, most%columns
				}
				people = append(people, r)
			}
		}
		// each answer once at least, as those are left out that do not occur
		for i := range max(rows, columns) {
			people = append(people, answered{0, min(i, rows-1), min(i, columns-1), 1 + int64(g.IntN(9))})
		}
		got := Associate(crosses(people, person))
		want, v := byRespondents(people, person)
		at := fmt.Sprint("seed ", seed)
		if math.Abs(*got.CramersV-v) > 1e-12 {
			t.Errorf("%s: V is %v, want %v", at, *got.CramersV, v)
		}
		switch {
		case want == nil && got.Independence != nil:
			t.Errorf("%s: there is a test: %+v", at, *got.Independence)
		case want == nil:
			absent++
		default:
			tested++
			compareTests(t, at, got.Independence, *want, 1e-9)
		}
	}
	if tested < 60 || absent < 5 {
		t.Errorf("%d tables were tested, and %d have none: that is too few", tested, absent)
	}
}

// repeated is so many respondents of one weight in each cell of a table, in one fieldwork.
func repeated(weight int64, table ...[]int) (people []answered) {
	for i, row := range table {
		for j, n := range row {
			for range n {
				people = append(people, answered{0, i, j, weight})
			}
		}
	}
	return people
}

// What has no test, and what V is then.
func TestAssociationAtTheEdges(t *testing.T) {
	one := []float64{1}
	for _, c := range []struct {
		name   string
		people []answered
		v      float64 // below 0: absent
		test   bool
	}{
		{"no one", nil, -1, false},
		{"one answer to one of the questions", repeated(1, []int{3, 4, 5}), -1, false},
		{"one answer to either", repeated(1, []int{9}), -1, false},
		{"the same question, its answers as frequent", repeated(1, []int{5, 0}, []int{0, 5}), 1, false},
		{"the same question, its answers not as frequent", repeated(1, []int{5, 0}, []int{0, 6}), 1, true},
		{"the same question with three answers", repeated(1, []int{5, 0, 0}, []int{0, 6, 0}, []int{0, 0, 4}), 1, false},
		{"two respondents are one degree of freedom", repeated(1, []int{1, 0}, []int{0, 1}), 1, false},
		{"a ring of nobody", repeated(1, []int{0, 0, 4}, []int{0, 0, 5}, []int{3, 2, 2}), 0.5406, false},
		{"a ring of six cells", repeated(1, []int{0, 0, 4}, []int{3, 0, 0}, []int{0, 2, 0}), 1, false},
		{"cells of nobody, and no ring", repeated(1, []int{0, 0, 4}, []int{0, 5, 5}, []int{3, 2, 2}), 0.5051, true},
	} {
		got := Associate(crosses(c.people, one))
		v := -1.0
		if got.CramersV != nil {
			v = *got.CramersV
		}
		if math.Abs(v-c.v) > 1e-4 {
			t.Errorf("%s: V is %v, want %v", c.name, v, c.v)
		}
		if c.test != (got.Independence != nil) {
			t.Errorf("%s: the test is %+v", c.name, got.Independence)
		}
		if want := int64(len(c.people)); got.Sample != want || math.Abs(got.Effective-float64(want)) > 1e-9 {
			t.Errorf("%s: %d respondents, of %v effectively", c.name, got.Sample, got.Effective)
		}
	}

	// one respondent a fieldwork leaves no degree of freedom
	people := repeated(1, []int{1, 1}, []int{1, 2})
	for h := range people {
		people[h].fieldwork = h
	}
	got := Associate(crosses(people, []float64{1, 1, 1, 1, 1}))
	if got.Independence != nil || got.CramersV == nil {
		t.Errorf("without degrees of freedom there are %+v", got)
	}
}

// Questions that have nothing to do with each other: F is 0 and p is 1, in spite of rounding.
func TestIndependent(t *testing.T) {
	got := Associate(crosses(repeated(3, []int{2, 4, 6}, []int{3, 6, 9}), []float64{1.0 / 30}))
	if *got.CramersV != 0 || got.Independence == nil || got.Independence.F != 0 || got.Independence.P != 1 {
		t.Errorf("there is an association: V %v, %+v", *got.CramersV, got.Independence)
	}
}

// With equal weights in one fieldwork of which all have answered, a table of two by two has F = χ²·(n − 1)/n over what
// remains of the odds: here by hand.
func TestTwoByTwo(t *testing.T) {
	got := Associate(crosses(repeated(10, []int{3, 1}, []int{1, 3}), []float64{0.5}))
	// p is 3/8 and 1/8, each expected 1/4: φ² = 4·(1/8)²/(1/4) = 1/4, and V = 1/2. D⁻¹C is (8/3, −8, −8, 8/3),
	// CᵀD⁻¹C = 64/3. The contrast's variance is 1/7·Σ p·(8/3 or −8)², the mean being 0: 1/7·(3/4·64/9 + 1/4·64) = 64/21,
	// so that Δ = (64/21)/(64/3) = 1/7.
	want := Independence{F: 7.0 / 4, DF: 1, DFDenominator: 7, P: FTail(7.0/4, 1, 7)}
	compareTests(t, "two by two", got.Independence, want, 1e-14)
	if *got.CramersV != 0.5 {
		t.Errorf("V is %v, want ½", *got.CramersV)
	}
}

// A large table, with cells of nobody and without, is what the contrasts say, too.
func TestAssociationOfManyAnswers(t *testing.T) {
	for _, holes := range []bool{false, true} {
		g := rand.New(rand.NewPCG(5, 6))
		rows, columns := testsize.Of(5, 11, 14), testsize.Of(6, 13, 15)
		var people []answered
		for i := range testsize.Of(400, 1800, 4000) {
			r := answered{g.IntN(3), g.IntN(rows), g.IntN(columns), 1 + int64(g.ExpFloat64()*1e6)}
			if i < rows*columns {
				r.row, r.column = i/columns, i%columns
			}
			if !holes || r.row != r.column || r.row > 3*rows/4 {
				people = append(people, r)
			}
		}
		person := []float64{0.5, 1, 0.2}
		want, _ := byRespondents(people, person)
		compareTests(t, fmt.Sprint("with holes: ", holes), Associate(crosses(people, person)).Independence, *want, 1e-9)
	}
}

// Weights of 10⁹ ± 1 are as equal weights, but for what little they differ.
func TestAssociationOfWeightsNearlyTheSame(t *testing.T) {
	people := repeated(1e9, []int{30, 12, 5}, []int{11, 22, 33})
	equal := Associate(crosses(people, []float64{1}))
	for i := range people {
		people[i].weight += int64(i%3) - 1
	}
	compareTests(t, "nearly the same", Associate(crosses(people, []float64{1})).Independence, *equal.Independence, 1e-6)

	// Fieldworks whose respondents are all in one cell vary by nothing but their weights.
	var apart []answered
	for h, at := range [][2]int{{0, 0}, {0, 1}, {1, 0}, {1, 1}} {
		for i := range 20 + 10*h {
			apart = append(apart, answered{h, at[0], at[1], 1e9 + int64(i%3) - 1})
		}
	}
	person := []float64{1, 1, 1, 1}
	want, _ := byRespondents(apart, person)
	compareTests(t, "a cell a fieldwork", Associate(crosses(apart, person)).Independence, *want, 1e-5)
	for i := range apart {
		apart[i].weight = 1e9
	}
	if got := Associate(crosses(apart, person)); got.Independence != nil {
		t.Errorf("nothing varies, and yet there is %+v", *got.Independence)
	}
}

// Whatever the table: V is a share, p a probability, and the degrees of freedom are at most those of the table.
func FuzzAssociate(f *testing.F) {
	f.Add([]byte{0, 0, 0, 9, 0, 0, 1, 3, 1, 1, 0, 200, 1, 1, 1, 7}, uint8(3))
	f.Add([]byte{0, 0, 0, 1, 0, 1, 1, 1, 0, 2, 2, 1}, uint8(0))
	f.Fuzz(func(t *testing.T, text []byte, power uint8) {
		var people []answered
		person := []float64{1, 0.5, 1.0 / 3}
		for ; len(text) >= 4; text = text[4:] {
			weight := int64(1 + int(text[3])<<(power%32)) // below 2^40
			people = append(people, answered{int(text[0] % 3), int(text[1]%6) - 1, int(text[2]%6) - 1, weight})
		}
		got := Associate(crosses(people, person))
		if v := got.CramersV; v != nil && !(*v >= 0 && *v <= 1) {
			t.Errorf("V is %v", *v)
		}
		if i := got.Independence; i != nil &&
			!(i.F >= 0 && i.P >= 0 && i.P <= 1 && i.DF >= 1 && i.DF <= 16 && i.DFDenominator >= i.DF) {
			t.Errorf("the test is %+v", *i)
		}
		if again := Associate(crosses(people, person)); fmt.Sprint(got.Independence) != fmt.Sprint(again.Independence) {
			t.Errorf("%v and then %v", got.Independence, again.Independence)
		}
	})
}

func BenchmarkAssociate(b *testing.B) {
	for _, answers := range []int{5, 50, 100} {
		b.Run(fmt.Sprint(answers), func(b *testing.B) {
			g := rand.New(rand.NewPCG(1, 2))
			person := make([]float64, 160)
			var people []answered
			for i := range 400000 {
				h := i % len(person)
				person[h] = 1
				people = append(people, answered{h, g.IntN(answers), g.IntN(answers), 1 + int64(g.IntN(1000))})
			}
			crossed := crosses(people, person)
			b.ReportAllocs()
			for b.Loop() {
				if Associate(crossed).Independence == nil {
					b.Fatal("there is no test")
				}
			}
		})
	}
}
