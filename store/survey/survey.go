// Package survey stands between survey files and engines. A file is a Source: it describes its survey and streams its
// respondents. An engine is a Store: it takes respondents in and publishes them all at once. Import is the one loop
// between the two; it owns everything that must not differ between files or engines: respondent identity, weight units,
// coverage, what is dropped and the report.
package survey

import (
	"context"
	"fmt"
	"iter"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/store/survey/decimal"
)

// Source is a survey file, opened. Both methods may be called more than once; each call reads from the start.
type Source interface {
	// Describe returns the survey as the file tells it.
	Describe(ctx context.Context) (*audience.Survey, error)
	// Respondents streams the file's respondents in the file's order. The indices in them are those of the Survey that
	// Describe returned and of its Layout. A batch and everything in it belongs to the source and is valid until the
	// iteration goes on; copy what is to be kept. An error ends the stream.
	Respondents(ctx context.Context) iter.Seq2[*Batch, error]
}

// Noter is a Source that tells how it understood its file: what was guessed, skipped or converted, a sentence each.
// Import asks when it has read the respondents, and lists it in its report.
type Noter interface {
	Notes() []string
}

// Batch is a run of respondents and what was noticed in reading them.
type Batch struct {
	Respondents []Respondent
	Skipped     int64      // rows left out, whose wave or location is missing, which the codebook lets pass
	SkippedOf   []int64    // of Skipped, those whose wave is known, by index into Survey.Waves; it may be shorter
	Empty       int64      // rows in which nothing stands: they are no respondents
	Unlisted    []Unlisted // answers that are none of the datapoints
	Done, Total int64      // how far the file is read, in a unit of the source's choice (bytes, rows); Total 0: not known
}

// any tells whether there is something in the batch.
func (b *Batch) any() bool { return len(b.Respondents) > 0 || b.Skipped > 0 || b.Empty > 0 }

// Respondent is one answered questionnaire.
type Respondent struct {
	Row      int64  // where it stands in the file, as an error message would say it: line or case number, from 1
	ID       string // unique in the file
	Wave     int    // index into Survey.Waves
	Location int    // index into Survey.Locations
	// Weights has an entry per namespace, in the Survey's order; 0 is not taking part.
	Weights []decimal.Decimal
	// Attributes are the attributes (Layout.Attribute) the respondent is positive on, each once, in any order.
	Attributes []int32
	// Numbers are the numbers the respondent gave, of questions of the kind audience.Number, each question once, in any
	// order. The bands they fall into are among the Attributes.
	Numbers []Given
	// Answered has a bit per item (Layout.Item): set where the respondent has a value that is not missing, whatever it is
	// and whatever the respondent weighs.
	Answered []uint64
}

// Given is the number that a respondent gave to a question.
type Given struct {
	Question int // index into Survey.Questions
	Value    decimal.Decimal
}

// Check finds what no Writer can take in: what is numbered otherwise than in the survey, which has so many attributes,
// negative weights, and numbers that are not one for each of some questions of numbers.
func (r *Respondent) Check(s *audience.Survey, attributes int) error {
	switch {
	case r.Wave < 0 || r.Wave >= len(s.Waves):
		return fmt.Errorf("row %d: wave %d is not one of the survey's %d", r.Row, r.Wave, len(s.Waves))
	case r.Location < 0 || r.Location >= len(s.Locations):
		return fmt.Errorf("row %d: location %d is not one of the survey's %d", r.Row, r.Location, len(s.Locations))
	case len(r.Weights) != len(s.Namespaces):
		return fmt.Errorf("row %d: %d weights for %d namespaces", r.Row, len(r.Weights), len(s.Namespaces))
	}
	for _, w := range r.Weights {
		if w.Sign() < 0 {
			return fmt.Errorf("row %d: the weight %s is negative", r.Row, w)
		}
	}
	for _, a := range r.Attributes {
		if a < 0 || int(a) >= attributes {
			return fmt.Errorf("row %d: attribute %d is not one of the survey's %d", r.Row, a, attributes)
		}
	}
	return r.checkNumbers(s)
}

// Unlisted is a value that is an answer but none of the datapoints.
type Unlisted struct {
	Question int    // index into Survey.Questions
	Column   string // the file's column
	Value    string // as written
	Row      int64
}

// Layout numbers what respondents can be positive on. Attributes are numbered question by question, datapoint by
// datapoint, suffix by suffix, in the Survey's order. Items are what is asked on its own: a question, or each datapoint
// of a question whose datapoints are Separate.
type Layout struct {
	attributes []int32 // first attribute of question i; one more entry at the end
	items      []int32 // first item of question i; one more entry at the end
	suffixes   []int32 // max(1, suffixes) of question i
	separate   []bool
}

// NewLayout numbers the attributes and items of s.
func NewLayout(s *audience.Survey) *Layout {
	l := &Layout{}
	a, it := int32(0), int32(0)
	for i := range s.Questions {
		q := &s.Questions[i]
		l.attributes = append(l.attributes, a)
		l.items = append(l.items, it)
		l.suffixes = append(l.suffixes, int32(max(1, len(q.Suffixes))))
		l.separate = append(l.separate, q.Separate)
		a += int32(len(q.Datapoints) * max(1, len(q.Suffixes)))
		if q.Separate {
			it += int32(len(q.Datapoints))
		} else {
			it++
		}
	}
	l.attributes, l.items = append(l.attributes, a), append(l.items, it)
	return l
}

// Attributes is the number of attributes.
func (l *Layout) Attributes() int { return int(l.attributes[len(l.attributes)-1]) }

// Items is the number of items.
func (l *Layout) Items() int { return int(l.items[len(l.items)-1]) }

// Attribute numbers (question, datapoint, suffix), all by index; suffix is 0 where the question has none.
func (l *Layout) Attribute(question, datapoint, suffix int) int32 {
	return l.attributes[question] + int32(datapoint)*l.suffixes[question] + int32(suffix)
}

// Item numbers what (question, datapoint) was asked as.
func (l *Layout) Item(question, datapoint int) int {
	if l.separate[question] {
		return int(l.items[question]) + datapoint
	}
	return int(l.items[question])
}

// Answered has a bit for each item of sv that a frame says was asked in a fieldwork. It is what a respondent read back
// from a store counts as having answered, as stores do not keep who skipped what.
func (l *Layout) Answered(sv *audience.Survey, f *audience.Frame, wave, location string) []uint64 {
	at := f.At(f.Wave(wave), f.Location(location))
	items := make([]uint64, (l.Items()+63)/64)
	for i := range sv.Questions {
		q := &sv.Questions[i]
		n := f.QuestionIn(q.Namespace, q.Code)
		if n < 0 {
			continue
		}
		for j := range q.Datapoints {
			if d := f.Datapoint(n, q.Datapoints[j].Code); d >= 0 && f.Asked(n, d).Has(at) {
				item := l.Item(i, j)
				items[item>>6] |= 1 << (item & 63)
			}
		}
	}
	return items
}

// Release is what a store has published. The zero Release is that of a store into which nothing was imported yet.
type Release struct {
	Frame  *audience.Frame // with the survey; nil or of version 0 and with an empty survey: nothing is published yet
	Facts  []Facts         // of each fieldwork that has respondents, in the Frame's order
	Engine []byte          // of respondents kept elsewhere: as in the Change that published it
}

// Version is the version that is published; 0 if nothing is.
func (r *Release) Version() uint64 {
	if r == nil || r.Frame == nil {
		return 0
	}
	return r.Frame.Version
}

// Facts is what the import loop remembers of a fieldwork, so that an append need not read it again. Engines keep it as
// it is (JSON).
type Facts struct {
	Wave        string           `json:"wave"`
	Location    string           `json:"location"`
	Respondents int64            `json:"respondents"`
	Namespaces  []NSFacts        `json:"namespaces"`         // in the order of Survey.Namespaces
	Answered    map[string]int64 `json:"answered,omitempty"` // question key → respondents with a weight and a value
	// question key → what is kept of its numbers; without those of which none are: nobody gave one, or the fieldwork was
	// imported before they were kept
	Numbers map[string]NumberFacts `json:"numbers,omitempty"`
	Noticed *Noticed               `json:"noticed,omitempty"` // nil: imported before it was kept
}

// Noticed is what of a fieldwork may mislead and cannot be told from its other facts; Release.Warnings tells it.
// Questions are named by their keys.
type Noticed struct {
	// Skipped are rows of the file that were left out, by the code of their wave, "" for those without. They are noted
	// with the first fieldwork of that wave in the file; where it has none, with the first of the file.
	Skipped    map[string]int64 `json:"skipped,omitempty"`
	WeightZero int64            `json:"weight_zero,omitempty"` // respondents who weigh 0 in every namespace
	// question → datapoint → respondents with a value, where they are so few that it may not have been asked
	FewAnswers map[string]map[string]int64 `json:"few_answers,omitempty"`
	// question → datapoints that only people of weight 0 have a value for; "" is the whole question
	WeightZeroAnswers map[string][]string `json:"weight_zero_answers,omitempty"`
}

// NSFacts is about the weights of one namespace in one fieldwork.
type NSFacts struct {
	Sample   int64  `json:"sample"`             // respondents with a weight above 0
	Decimals int    `json:"decimals"`           // the most decimals of any weight
	Largest  string `json:"largest,omitempty"`  // decimal text
	Smallest string `json:"smallest,omitempty"` // the smallest above 0
	Total    string `json:"total,omitempty"`    // exact
}

// Store is an engine as the import loop sees it.
type Store interface {
	// Release returns what is published.
	Release(ctx context.Context) (*Release, error)
	// Begin opens an import on top of base, which may be nil: a store with nothing in it. Respondents will be numbered by
	// s (waves, locations, namespaces, Layout).
	Begin(ctx context.Context, base *Release, s *audience.Survey) (Writer, error)
}

// Fragile is a Store that may have lost respondents, as one that keeps them on several machines. Import asks it before
// it begins.
type Fragile interface {
	// Intact is an error unless all respondents of base are there, but for those of some waves, given by their codes.
	Intact(ctx context.Context, base *Release, but []string) error
}

// Writer takes in the respondents of one import. Nothing of it is visible before Commit, nor after Abort or a crash at
// any moment.
type Writer interface {
	// Add takes respondents in any order of wave and location. It keeps nothing of rs after it returns.
	Add(ctx context.Context, rs []Respondent) error
	// Commit publishes: the waves in change.Drop are withdrawn and what was added is put in. From then on all weights,
	// those stored before too, are counted in the units of change.Frame, and the store's Frame is that of the version that
	// Commit returns. The error is audience.ErrChanged if base is no longer what is published.
	Commit(ctx context.Context, change Change) (version uint64, err error)
	// Abort gives up and removes what was added. It does nothing after Commit.
	Abort() error
}

// Follower is a Writer whose import can go on when another was published first. So of several that bring different
// waves at the same time all come through, and none sends its respondents twice.
type Follower interface {
	Writer
	// Follow is called after Commit has returned audience.ErrChanged. It has what was added published by the next Commit
	// on top of base, and numbered by s, which has all codes of the file. The error is audience.ErrChanged, and the import
	// can only be given up, if that can't be, as where respondents in waves of drop, given by their codes, are others than
	// they were.
	Follow(ctx context.Context, base *Release, s *audience.Survey, drop []string) error
}

// Change is what an import makes of a store.
type Change struct {
	Frame *audience.Frame // with the survey; without a version
	Facts []Facts
	Drop  []string // codes of waves whose respondents, as of base, go
	// Engine is what an engine that keeps respondents elsewhere has to know to count this version, in a form of its
	// own. The embedded store publishes it together with the rest and counts nothing itself then. Import leaves it nil.
	Engine []byte
}
