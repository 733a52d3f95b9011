package demo

// model is how answers to a question are drawn.
type model uint8

const (
	gender model = iota + 1 // single: by quota
	years                   // number: age, by quota
	pick                    // single: one of the points, each with a share and a loading of its own
	scale                   // single: one of the points in their order, by one figure that the question's loading moves
	count                   // number: a band as in scale, and a number in it
	tick                    // multi: each point on its own
	rate                    // grid: one suffix for each point, as in scale; the point's share and loading move it
	climb                   // grid: as rate, but a suffix brings those before it along, save the first, which stands alone
)

// spec is a question, as questionnaire.json has it: what the catalogue says of it and how it is answered.
type spec struct {
	Code, Name, Text string
	Shelf            string // category id
	In               string // namespace; "" is core
	Model            model

	Points   []point
	Bands    []band   // of a number, in place of points
	Suffixes []suffix // of a grid
	Of       of       // scale, count, rate, climb: what moves the figure

	Column bool   // tick: all answers stand in one column of the file
	None   string // tick: name of one more point, for those who ticked nothing; a column needs it

	Asked    asked   // where the question is asked
	Declared bool    // the survey declares where; otherwise answers have to tell
	Limits   []bound // points that are not asked where the question is
	Route    route   // who is asked
	Silent   int     // thousandths who are asked and give no answer

	Unit, Help, Message, Notice, Warning string
	Flags                                []string
	Datasets                             []string // nil: those of the shelf
	Midpoints                            bool     // the suffixes' midpoints mean something
	Whole                                bool     // count: whole numbers only
}

// point is an answer: its share is in thousandths of those asked and of its loading moves it. In rate and climb the
// share is how far the point stands above the question's suffixes, in hundredths of a logit.
type point struct {
	Name  string
	Share int
	Of    of
}

// band is a run of numbers, both ends inclusive, and its share in thousandths of those asked. An open band has no upper
// end in the codebook; no number above to is drawn all the same.
type band struct {
	Name     string
	From, To int // in tenths of the question's unit
	Open     bool
	Share    int
}

// suffix is a second answer: its share is in thousandths where the point's is 0.
type suffix struct {
	Code     int
	Name     string
	Share    int
	Midpoint float64
}

// asked is fieldwork: waves and locations as codes with spaces between; "" is all.
type asked struct{ Waves, Locations string }

// bound says of some points where they are asked, in place of what the question says.
type bound struct {
	Points []int // from 1
	asked
	Nowhere bool // declared, but asked nowhere
}

// route asks only those who gave one of the points, from 1, of an earlier single question.
type route struct {
	Question string
	Points   []int
}
