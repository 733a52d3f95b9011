package guess

import "context"

// Pair is two columns of a file that may be of one question, and what tells whether they are.
type Pair struct {
	Before, At int
	Clues      []float64
}

// Pairs gives what is judged by a forest, and the names of the clues.
func Pairs(ctx context.Context, f *File) (clues []string, list []Pair, err error) {
	g, err := begin(ctx, f, Options{})
	if err != nil {
		return nil, nil, err
	}
	set := newClueSet()
	for j, numbers := range g.pairs(set) {
		list = append(list, Pair{j.before, j.at, append([]float64(nil), numbers...)})
	}
	return set.names(), list, nil
}

// SureEnough is how many points columns need that no rule holds together.
const SureEnough = sureEnough
