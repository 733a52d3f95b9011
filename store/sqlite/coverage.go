package sqlite

import (
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/crosswave/crosswave/audience"
)

// storedCoverage is what a Frame knows beyond the survey, as JSON: where namespaces were fielded and datapoints asked.
// A cover stands once in it, as most datapoints were asked where their neighbours were.
type storedCoverage struct {
	Namespaces []storedNamespace `json:"namespaces"` // in the survey's order
	Asked      [][]int           `json:"asked"`      // of each question's datapoints: index into Covers
	Numbers    []storedNumbers   `json:"numbers,omitempty"`
	Covers     [][]uint64        `json:"covers"`
}

type storedNamespace struct {
	Code     string `json:"code"`
	Decimals int    `json:"decimals,omitempty"`
	Fielded  int    `json:"fielded"` // index into Covers
}

// storedNumbers is how the numbers of a question are kept.
type storedNumbers struct {
	Question int `json:"question"` // index into the survey's
	Decimals int `json:"decimals,omitempty"`
	Bits     int `json:"bits"`
	Asked    int `json:"asked"` // index into Covers
	// Both are 0 where an earlier version of the format was written, which did not say.
	Least    int64 `json:"least,omitempty"`
	Greatest int64 `json:"greatest,omitempty"`
}

func storeCoverage(f *audience.Frame) *storedCoverage {
	s := &storedCoverage{Asked: make([][]int, len(f.Questions))}
	seen := map[string]int{}
	cover := func(c audience.Cover) int {
		key := make([]byte, 0, 8*len(c))
		for _, w := range c {
			key = binary.LittleEndian.AppendUint64(key, w)
		}
		i, ok := seen[string(key)]
		if !ok {
			i = len(s.Covers)
			seen[string(key)] = i
			s.Covers = append(s.Covers, c)
		}
		return i
	}
	for i, n := range f.Namespaces {
		s.Namespaces = append(s.Namespaces, storedNamespace{n.Code, f.Decimals(i), cover(f.Fielded(i))})
	}
	for i := range f.Questions {
		s.Asked[i] = make([]int, len(f.Questions[i].Datapoints))
		for j := range s.Asked[i] {
			s.Asked[i][j] = cover(f.Asked(i, j))
		}
		if n := f.Numbers(i); n.Bits > 0 {
			s.Numbers = append(s.Numbers, storedNumbers{i, n.Decimals, n.Bits, cover(n.Asked),
				n.Least, n.Greatest})
		}
	}
	return s
}

// frame is the Frame of a version with this coverage, of which sv is the survey.
func (s *storedCoverage) frame(version uint64, sv *audience.Survey) (*audience.Frame, error) {
	c := audience.Coverage{Asked: make([][]audience.Cover, len(s.Asked))}
	bad := len(s.Namespaces) != len(sv.Namespaces) || len(s.Asked) != len(sv.Questions)
	cover := func(i int) audience.Cover {
		if i < 0 || i >= len(s.Covers) {
			bad = true
			return nil
		}
		return s.Covers[i]
	}
	for i, n := range s.Namespaces {
		bad = bad || n.Code != sv.Namespaces[i].Code
		c.Fielded, c.Decimals = append(c.Fielded, cover(n.Fielded)), append(c.Decimals, n.Decimals)
	}
	for i, asked := range s.Asked {
		bad = bad || len(asked) != len(sv.Questions[i].Datapoints)
		for _, at := range asked {
			c.Asked[i] = append(c.Asked[i], cover(at))
		}
	}
	if len(s.Numbers) > 0 {
		c.Numbers = make([]audience.Numbers, len(sv.Questions))
	}
	for _, n := range s.Numbers {
		if bad = bad || n.Question < 0 || n.Question >= len(sv.Questions) || n.Bits < 1 || n.Bits > 41; bad {
			break
		}
		kept := audience.Numbers{Decimals: n.Decimals, Bits: n.Bits, Asked: cover(n.Asked), Least: n.Least,
			Greatest: n.Greatest}
		c.Numbers[n.Question] = kept
		bad = bad || !kept.Fits(kept.Least) || !kept.Fits(kept.Greatest) || kept.Least > kept.Greatest
	}
	if bad {
		return nil, &DamagedError{"the coverage"}
	}
	return audience.NewFrame(version, sv, c)
}

// weightNames are the weights that the namespaces of a Frame are counted with.
func weightNames(f *audience.Frame) []weightName {
	names := make([]weightName, len(f.Namespaces))
	for i, n := range f.Namespaces {
		names[i] = weightName{n.Code, f.Decimals(i)}
	}
	return names
}

// storedFrame is what stood in the place of a storedCoverage up to format 4, as far as it is not in the survey as well.
type storedFrame struct {
	Waves      []audience.Wave   `json:"waves"`
	Namespaces []storedNamespace `json:"namespaces"`
	Questions  []struct {
		Namespace  string `json:"namespace"`
		Code       string `json:"code"`
		Datapoints []struct {
			Code  string `json:"code"`
			Asked int    `json:"asked"`
		} `json:"datapoints"`
	} `json:"questions"`
	Covers [][]uint64 `json:"covers"`
}

// coverage is the same for the survey that was stored beside it, which had the frame's order but for the waves: they
// are put in order.
func (s *storedFrame) coverage(sv *audience.Survey) (*storedCoverage, error) {
	audience.SortWaves(sv.Waves)
	same := slices.EqualFunc(s.Waves, sv.Waves, func(a, b audience.Wave) bool { return a.Code == b.Code }) &&
		len(s.Questions) == len(sv.Questions)
	out := &storedCoverage{Namespaces: s.Namespaces, Covers: s.Covers, Asked: make([][]int, len(s.Questions))}
	for i := 0; same && i < len(s.Questions); i++ {
		q, is := &s.Questions[i], &sv.Questions[i]
		same = q.Namespace == is.Namespace && q.Code == is.Code && len(q.Datapoints) == len(is.Datapoints)
		for j, d := range q.Datapoints {
			same = same && d.Code == is.Datapoints[j].Code
			out.Asked[i] = append(out.Asked[i], d.Asked)
		}
	}
	if !same {
		return nil, fmt.Errorf("the frame and the survey of the published version do not go together: %w",
			&DamagedError{"the frame"})
	}
	return out, nil
}
