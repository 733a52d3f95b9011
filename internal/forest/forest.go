// Package forest tells how likely something is from numbers that speak for it and against it, by trees of decisions
// that were learnt from examples.
//
// A [Forest] is many small trees. Each asks after some of the numbers, called clues, and ends in points for or against;
// the sum of all points, and of those that all begin with, is the logarithm of the odds. [Learn] grows trees one after
// the other, each on what those before it got wrong (gradient boosting with second derivatives, as J. H. Friedman and
// T. Chen and C. Guestrin describe it).
//
// A forest is written as text that one can read: a line for each tree, its decisions in the order in which they are
// asked, each with what follows if it is so and then with what follows if it is not.
package forest

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Forest is trees of decisions. The zero value finds everything as likely as not.
type Forest struct {
	start float64 // what all begin with, in points
	trees [][]node
}

// node is a decision of a tree, or one of its ends.
type node struct {
	clue   int     // that it asks after; -1: it is an end
	below  float64 // the clue is less than that: go on with the node behind this one
	rest   int     // else with that one
	points float64 // of an end
}

// Points is the logarithm of the odds, by as many clues as the forest was learnt with: above 0 where it is likelier
// than not, 2.2 where it is nine times as likely. It is a sum of few numbers, the same on every machine.
func (f *Forest) Points(clues []float64) float64 {
	points := f.start
	for _, tree := range f.trees {
		at := 0
		for tree[at].clue >= 0 {
			if clues[tree[at].clue] < tree[at].below {
				at++
			} else {
				at = tree[at].rest
			}
		}
		points += tree[at].points
	}
	return points
}

// Likely is the probability, from 0 to 1, whose odds have that logarithm.
func Likely(points float64) float64 { return 1 / (1 + math.Exp(-points)) }

// Text writes a forest, with the names of its clues, which hold neither blanks nor <.
func (f *Forest) Text(clues []string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n", number(f.start))
	for _, tree := range f.trees {
		for i, n := range tree {
			if i > 0 {
				b.WriteByte(' ')
			}
			if n.clue < 0 {
				b.WriteString(number(n.points))
			} else {
				fmt.Fprintf(&b, "%s<%s", clues[n.clue], number(n.below))
			}
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func number(f float64) string { return strconv.FormatFloat(f, 'g', -1, 64) }

// Parse reads what Text wrote with these clues. An error names the line.
func Parse(text string, clues []string) (*Forest, error) {
	places := make(map[string]int, len(clues))
	for i, name := range clues {
		places[name] = i
	}
	f := &Forest{}
	line := 0
	for words := range strings.Lines(text) {
		p := parser{words: strings.Fields(words), clues: places}
		if line++; line == 1 {
			f.start = p.number(p.next())
		} else {
			p.tree()
			f.trees = append(f.trees, p.nodes)
		}
		if p.err == nil && len(p.words) > 0 {
			p.err = fmt.Errorf("%q stands behind the end", p.words[0])
		}
		if p.err != nil {
			return nil, fmt.Errorf("line %d: %w", line, p.err)
		}
	}
	if line == 0 {
		return nil, fmt.Errorf("line 1: there is none")
	}
	return f, nil
}

// parser reads a line.
type parser struct {
	words []string
	clues map[string]int
	nodes []node
	depth int
	err   error
}

// mostDepth is how many decisions may follow one another: a forest of more is none of Learn's.
const mostDepth = 100

func (p *parser) next() string {
	if len(p.words) == 0 {
		if p.err == nil {
			p.err = fmt.Errorf("the line ends too early")
		}
		return ""
	}
	word := p.words[0]
	p.words = p.words[1:]
	return word
}

func (p *parser) number(word string) float64 {
	f, err := strconv.ParseFloat(word, 64)
	if p.err == nil && (err != nil || math.IsNaN(f) || math.IsInf(f, 0)) {
		p.err = fmt.Errorf("%q is no number", word)
	}
	return f
}

// tree reads a decision and what follows it, or an end.
func (p *parser) tree() {
	word := p.next()
	if p.depth++; p.err == nil && p.depth > mostDepth {
		p.err = fmt.Errorf("more than %d decisions follow one another", mostDepth)
	}
	if p.err != nil {
		return
	}
	name, below, decides := strings.Cut(word, "<")
	if !decides {
		p.nodes = append(p.nodes, node{clue: -1, points: p.number(word)})
		p.depth--
		return
	}
	clue, known := p.clues[name]
	if !known {
		p.err = fmt.Errorf("there is no clue %q", name)
		return
	}
	at := len(p.nodes)
	p.nodes = append(p.nodes, node{clue: clue, below: p.number(below)})
	p.tree()
	p.nodes[at].rest = len(p.nodes)
	p.tree()
	p.depth--
}

// Clues are the clues that the forest asks after, by how often it does, most often first.
func (f *Forest) Clues() []int {
	asked := map[int]int{}
	for _, tree := range f.trees {
		for _, n := range tree {
			if n.clue >= 0 {
				asked[n.clue]++
			}
		}
	}
	var list []int
	for clue := range asked {
		list = append(list, clue)
	}
	slices.SortFunc(list, func(a, b int) int {
		if asked[a] != asked[b] {
			return asked[b] - asked[a]
		}
		return a - b
	})
	return list
}
