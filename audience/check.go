package audience

import "fmt"

// Use is an expression and the part of a request that uses it.
type Use struct {
	Origin string // rows[0], columns[1], base_audience, audiences[0], question, splitter, segments, expression …
	Expr   Expr
}

// Check looks up every code that a request uses: the waves and locations it is limited to, and the codes in its
// expressions. If any does not exist or is hidden, the error is an *UnavailableError that lists them all with the
// origin of their first use. Only then are other faults told, the first of them: an *InvalidError for a question code
// that several namespaces have, for suffixes of a question that is no grid and for unknown suffixes.
func (f *Frame) Check(waves, locations []string, uses ...Use) error {
	c := newChecker(f)
	c.waves(waves)
	c.locations(locations)
	for _, u := range uses {
		c.use(u.Origin, u.Expr)
	}
	if !c.found.Empty() {
		return c.found
	}
	return c.fault
}

type checker struct {
	frame *Frame
	found *UnavailableError
	fault error           // the first fault that is no unavailable code
	seen  map[string]bool // what found lists already
	entry map[string]int  // question code as written → its place in found.Questions
}

func newChecker(f *Frame) *checker {
	return &checker{frame: f, found: new(UnavailableError), seen: map[string]bool{}, entry: map[string]int{}}
}

// once tells whether a code of some kind is seen for the first time.
func (c *checker) once(kind, code string) bool {
	key := kind + "\x00" + code
	if c.seen[key] {
		return false
	}
	c.seen[key] = true
	return true
}

func (c *checker) waves(codes []string) {
	for _, code := range codes {
		if w := c.frame.Wave(code); (w < 0 || c.frame.HidesWave(w)) && c.once("wave", code) {
			c.found.Waves = append(c.found.Waves, code)
		}
	}
}

func (c *checker) locations(codes []string) {
	for _, code := range codes {
		if l := c.frame.Location(code); (l < 0 || c.frame.HidesLocation(l)) && c.once("location", code) {
			c.found.Locations = append(c.found.Locations, code)
		}
	}
}

func (c *checker) use(origin string, x Expr) {
	Walk(x, func(x Expr) bool {
		switch x := x.(type) {
		case Waves:
			c.waves(x.Codes)
		case Locations:
			c.locations(x.Codes)
		case Answers:
			c.answers(origin, x)
		case Band:
			c.band(origin, x)
		case Slice:
			c.slice(origin, x)
		case Value:
			c.value(origin, x)
		}
		return true
	})
}

func (c *checker) answers(origin string, x Answers) {
	i, err := c.frame.Question(x.Question)
	switch {
	case err != nil:
		c.fail(x.Path, "question", err.Error())
		return
	case i < 0 || c.frame.HidesQuestion(i):
		c.add(origin, x.Question, nil)
		return
	}
	q := &c.frame.Questions[i]
	if missing := c.frame.unusable(i, x.Datapoints); len(missing) > 0 {
		c.add(origin, x.Question, missing)
	}
	for k, code := range x.Suffixes {
		if !q.Grid() {
			c.fail(x.Path, "suffixes", fmt.Sprintf("question %q is no grid and has no suffixes: leave them out", x.Question))
			return
		}
		if q.Suffix(code) < 0 {
			c.fail(x.Path, fmt.Sprintf("suffixes[%d]", k), fmt.Sprintf("question %q has no suffix %d", x.Question, code))
			return
		}
	}
}

// slice checks a leaf of numbers: they tell of all the question's bands, so the caller must be allowed to use each.
func (c *checker) slice(origin string, x Slice) {
	n, known := c.numbers(origin, x.Question, x.Path)
	if known && (n.Bits == 0 || x.Bit < AnyNumber || x.Bit >= n.Bits) {
		c.fail(x.Path, "bit", fmt.Sprintf("question %q has numbers of %d bits, and none of them is bit %d", x.Question,
			n.Bits, x.Bit))
	}
}

// value checks the other leaf of numbers alike.
func (c *checker) value(origin string, x Value) {
	if n, known := c.numbers(origin, x.Question, x.Path); known && !n.Fits(x.Number) {
		c.fail(x.Path, "number", fmt.Sprintf("question %q has numbers of %d bits, which have no room for %d", x.Question,
			n.Bits, x.Number))
	}
}

// numbers are those of a question of which a leaf tells; false if the leaf is refused for the question.
func (c *checker) numbers(origin, question, path string) (Numbers, bool) {
	c.answers(origin, Answers{Question: question, Path: path})
	i, err := c.frame.Question(question)
	if err != nil || i < 0 || c.frame.HidesQuestion(i) {
		return Numbers{}, false
	}
	return c.frame.Numbers(i), true
}

// unusable lists those of the codes that the question does not have or that are hidden; with no codes given, all that
// are hidden.
func (f *Frame) unusable(question int, codes []string) []string {
	var missing []string
	for _, code := range codes {
		if d := f.Datapoint(question, code); d < 0 || f.HidesDatapoint(question, d) {
			missing = append(missing, code)
		}
	}
	if len(codes) == 0 && f.hidden != nil {
		for i, d := range f.Questions[question].Datapoints {
			if f.HidesDatapoint(question, i) {
				missing = append(missing, d.Code)
			}
		}
	}
	return missing
}

// add enters a question, or some of its datapoints, under the code as written. An entry for the whole question takes in
// all others.
func (c *checker) add(origin, code string, points []string) {
	i, there := c.entry[code]
	if !there {
		i = len(c.found.Questions)
		c.entry[code] = i
		c.found.Questions = append(c.found.Questions, UnavailableQuestion{Code: code, Origin: origin})
	}
	entry := &c.found.Questions[i]
	if len(points) == 0 || there && len(entry.Datapoints) == 0 {
		entry.Datapoints = nil
		return
	}
	for _, p := range points {
		if c.once("datapoint of "+code, p) {
			entry.Datapoints = append(entry.Datapoints, p)
		}
	}
}

func (c *checker) fail(path, member, reason string) {
	if c.fault != nil {
		return
	}
	if path != "" {
		member = path + "." + member
	}
	c.fault = &InvalidError{Path: member, Reason: reason}
}
