package audience

// Expr says who is in an audience. It is one of And, Or, Not, Answers, Waves, Locations, Everyone, Band, Slice and
// Cut; the set is closed, so that every engine can be complete. A nil Expr stands for everyone where a base audience is
// meant and is an error elsewhere.
//
// Expressions are plain values: build them as Go literals, read them with Parse, print them with Print. A pointer to a
// node, &Answers{…}, means what it points to, and a nil pointer is a nil Expr.
type Expr interface{ expr() }

// And is the respondents who are in every one of its parts. An empty And is everyone.
type And []Expr

// Or is the respondents who are in at least one of its parts. An empty Or is no one.
type Or []Expr

// Not is the respondents of the base who are not in X.
type Not struct{ X Expr }

// Answers is a leaf: the respondents who are positive on at least Min of the listed datapoints of one question.
type Answers struct {
	// Question is a question code, alone or with its namespace before the first dot ("core.q1"). Frame.Question tells
	// how it is looked up.
	Question string
	// Datapoints are datapoint codes of the question; none means all of them. A repeated code counts once.
	Datapoints []string
	// Suffixes are suffix codes of a grid question. With suffixes a datapoint is positive if any listed (datapoint,
	// suffix) pair is; without, if any pair is.
	Suffixes []int
	// Min is how many distinct datapoints must be positive; 0 means 1. More than there are is no one.
	Min int
	// Path is where the leaf was written, for messages ("rows[0].expression.and[1]"). It has no part in what the leaf
	// means.
	Path string
}

// Waves is the pseudo-question "waves": the respondents of the listed waves, of any wave if none is listed. Min above 1
// is no one, as nobody answers in two waves.
type Waves struct {
	Codes []string
	Min   int
	Path  string
}

// Locations is the pseudo-question "locations": the respondents of the listed locations, of any location if none is
// listed. Min above 1 is no one.
type Locations struct {
	Codes []string
	Min   int
	Path  string
}

// Everyone is all respondents.
type Everyone struct{}

// Cut is the respondents who are in every one of its parts, like And. But no part settles another: fieldwork in which
// any part is unknown or never is not covered, whatever the others are there. It is how a segment cuts an audience. It
// may stand only as a whole row, column or base of a Spec; engines never see it.
type Cut []Expr

// Slice is a leaf that programs make, and that nobody can write in a request: the respondents of whose number one
// binary digit is 1. The numbers of a question are whole numbers of its unit (Frame.Numbers) in two's complement, so
// that sums of numbers are sums of counts: each slice counts for 2^Bit, but the highest, those below 0, for -2^Bit.
// Outside the fieldwork in which its numbers are kept nobody has one.
type Slice struct {
	Question string // as in Answers
	Bit      int    // 0 to Numbers.Bits-1, or AnyNumber
	Path     string // as in Answers
}

// Value is a leaf that programs make, and that nobody can write in a request: the respondents whose number is one
// number. All values that numbers of a few binary digits can have, side by side in one table, are the distribution of
// the numbers. Outside the fieldwork in which its numbers are kept nobody has one.
type Value struct {
	Question string // as in Answers
	Number   int64  // in units of the question: one that Numbers.Bits have room for
	Path     string // as in Answers
}

// AnyNumber is the Bit of a Slice that is everyone who has a number.
const AnyNumber = -1

func (And) expr()       {}
func (Or) expr()        {}
func (Not) expr()       {}
func (Answers) expr()   {}
func (Waves) expr()     {}
func (Locations) expr() {}
func (Everyone) expr()  {}
func (Slice) expr()     {}
func (Value) expr()     {}
func (Cut) expr()       {}

// node is x as a value. Whatever looks at what an expression is asks it first, as a pointer to a node is an Expr too:
// Go gives pointers the methods of what they point to.
func node(x Expr) Expr {
	switch x := x.(type) {
	case *And:
		return pointee(x)
	case *Or:
		return pointee(x)
	case *Not:
		return pointee(x)
	case *Answers:
		return pointee(x)
	case *Waves:
		return pointee(x)
	case *Locations:
		return pointee(x)
	case *Everyone:
		return pointee(x)
	case *Band:
		return pointee(x)
	case *Slice:
		return pointee(x)
	case *Value:
		return pointee(x)
	case *Cut:
		return pointee(x)
	}
	return x
}

func pointee[T Expr](x *T) Expr {
	if x == nil {
		return nil
	}
	return *x
}

// Audience is an expression with a name, as requests and saved audiences carry it.
type Audience struct {
	ID   string // chosen by the caller or the UUID of a saved audience; may be empty
	Name string
	Expr Expr // nil: nothing was said
}

// flat is the parts of c, with those of the Cuts among them in their places.
func (c Cut) flat() []Expr {
	var parts []Expr
	for _, p := range c {
		if inner, ok := node(p).(Cut); ok {
			parts = append(parts, inner.flat()...)
		} else {
			parts = append(parts, p)
		}
	}
	return parts
}

// Walk visits x and every expression in it, parents first, left to right, all as values, never as pointers. It stops
// early if visit returns false.
func Walk(x Expr, visit func(Expr) bool) bool {
	if x = node(x); x == nil {
		return true
	}
	if !visit(x) {
		return false
	}
	var parts []Expr
	switch x := x.(type) {
	case And:
		parts = x
	case Or:
		parts = x
	case Cut:
		parts = x.flat()
	case Not:
		return Walk(x.X, visit)
	}
	for _, p := range parts {
		if !Walk(p, visit) {
			return false
		}
	}
	return true
}
