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

// spec is a question: what the catalogue says of it and how it is answered.
type spec struct {
	code, name, text string
	shelf            string // category id
	in               string // namespace; "" is core
	model            model

	points   []point
	bands    []band   // of a number, in place of points
	suffixes []suffix // of a grid
	of       of       // scale, count, rate, climb: what moves the figure

	column bool   // tick: all answers stand in one column of the file
	none   string // tick: name of one more point, for those who ticked nothing; a column needs it

	asked    asked   // where the question is asked
	declared bool    // the survey declares where; otherwise answers have to tell
	limits   []bound // points that are not asked where the question is
	route    route   // who is asked
	silent   int     // thousandths who are asked and give no answer

	unit, help, message, notice, warning string
	flags                                []string
	datasets                             []string // nil: those of the shelf
	midpoints                            bool     // the suffixes' midpoints mean something
	whole                                bool     // count: whole numbers only
}

// point is an answer: its share is in thousandths of those asked and of its loading moves it. In rate and climb the
// share is how far the point stands above the question's suffixes, in hundredths of a logit.
type point struct {
	name  string
	share int
	of    of
}

// band is a run of numbers, both ends inclusive, and its share in thousandths of those asked. An open band has no upper
// end in the codebook; no number above to is drawn all the same.
type band struct {
	name     string
	from, to int // in tenths of the question's unit
	open     bool
	share    int
}

// suffix is a second answer: its share is in thousandths where the point's is 0.
type suffix struct {
	code     int
	name     string
	share    int
	midpoint float64
}

// asked is fieldwork: waves and locations as codes with spaces between; "" is all.
type asked struct{ waves, locations string }

// bound says of some points where they are asked, in place of what the question says.
type bound struct {
	points []int // from 1
	asked
	nowhere bool // declared, but asked nowhere
}

// route asks only those who gave one of the points, from 1, of an earlier single question.
type route struct {
	question string
	points   []int
}

// questionnaire is all questions, in catalogue order.
func questionnaire() []spec {
	var qs []spec
	for _, part := range [][]spec{profile(), attitudes(), media(), genres(), devices(), deviceUse(), purchases(),
		brands(), doingSport(), followingSport(), table(), away(), recontact()} {
		qs = append(qs, part...)
	}
	return qs
}

// frequencies are the suffixes of grids that ask how often; the midpoints are days a month.
func frequencies() []suffix {
	return []suffix{
		{1, "Every day", 180, 30}, {2, "4–6 days a week", 140, 21.5}, {3, "2–3 days a week", 170, 10.75},
		{4, "Once a week", 140, 4.3}, {5, "Less often", 200, 1.5}, {6, "Never", 170, 0},
	}
}

// agreement is the suffixes of grids of statements.
func agreement() []suffix {
	return []suffix{
		{5, "Strongly agree", 160, 2}, {4, "Agree", 290, 1}, {3, "Neither agree nor disagree", 280, 0},
		{2, "Disagree", 180, -1}, {1, "Strongly disagree", 90, -2},
	}
}

// often is the points of questions that ask how often something is bought or done.
func often() []point {
	return []point{
		{"Every day or nearly", 70, of{}}, {"2–3 times a week", 170, of{}}, {"Once a week", 210, of{}},
		{"2–3 times a month", 210, of{}}, {"Less often", 190, of{}}, {"Never", 150, of{}},
	}
}

// Waves by their place, for the questions that are asked in some.
const (
	firstHalf  = "q1_2024 q2_2024 q3_2024 q4_2024"
	secondHalf = "q1_2025 q2_2025 q3_2025 q4_2025"
	oddWaves   = "q1_2024 q3_2024 q1_2025 q3_2025"
	fromThird  = "q3_2024 q4_2024 q1_2025 q2_2025 q3_2025 q4_2025"
	fromSixth  = "q2_2025 q3_2025 q4_2025"
)

// Markets by region, likewise.
const (
	europe    = "s2_44 s2_49 s2_33 s2_34 s2_39 s2_48 s2_46"
	americas  = "s2_1 s2_52 s2_55"
	asia      = "s2_91 s2_81 s2_61"
	beyond    = "s2_52 s2_55 s2_91 s2_27"
	wellToDo  = "s2_44 s2_49 s2_33 s2_46 s2_1 s2_81 s2_61"
	english   = "s2_44 s2_1 s2_61 s2_27"
	northSide = "s2_44 s2_49 s2_48 s2_46 s2_1 s2_81"
)
