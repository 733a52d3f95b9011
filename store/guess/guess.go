package guess

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/crosswave/crosswave/store/survey"
	"github.com/crosswave/crosswave/store/survey/period"
)

// File is a survey file as its reader presents it: a table, and what the file says about the columns beside their
// names.
type File struct {
	Title   string // of the survey, if the file has one
	Size    int64  // of the file in bytes, 0 if it is not known
	Unnamed bool   // its first row was found to be a respondent's, so that no column has a name of its own
	Table   survey.Table
	Columns []Column        // as Table.Header names them
	Sets    []Set           // multiple-response questions that the file declares
	Notes   func() []string // what the reader has noticed so far, a sentence each; nil: it notices nothing
}

// Column is a column of a file with what the file says about it. Only Name must be there.
type Column struct {
	Name  string
	Label string // the question's words
	// Question is what the tool that wrote the file calls the question of the column, the same for all of its columns;
	// "": it does not say.
	Question string

	Kind    Kind
	Labels  []Label           // what values stand for, in the file's order
	Missing func(string) bool // tells of a value whether the file declares it as missing; nil: none is
	Serial  bool              // the file says that it identifies respondents
	Weight  bool              // the file says that it is the weight
	Virtual bool              // it is made of other columns, and read only where a Set or a codebook names it
}

// Kind is what a file says the values of a column are.
type Kind int

const (
	Unknown  Kind = iota // the values tell
	Quantity             // numbers to calculate with
	Text                 // words that respondents wrote, or names
	Date                 // dates or times
)

// Label is what a value stands for.
type Label struct{ Value, Text string }

// Set is a multiple-response question that the file declares: a column per option, or one column that holds all that
// was chosen.
type Set struct {
	Name, Label string
	Columns     []string // a column per option …
	Options     []string // … what each stands for …
	Value       string   // … and the value that means chosen; "": 1, yes, true, y or t

	Joined    string  // in place of Columns: the column that holds the values of what was chosen …
	Separator string  // … what stands between them …
	Labels    []Label // … and what they stand for
}

// None in Options says that the file has no such column, whatever it looks like.
const None = "-"

// Options overrule what would be guessed. The zero value guesses everything.
type Options struct {
	Respondent, Wave, Location, Weight string // a column's name, or None

	// WaveBy says that the wave's column holds dates, and how long the waves are that they are put into; "" finds out.
	WaveBy period.By
	// Dates is what comes first in these dates where both are numbers; "" finds out.
	Dates  period.Order
	Grids  []Grid
	Multis []Multi
}

// Grid makes columns the datapoints of one grid.
type Grid struct {
	Code    string   // of the question; "": what the columns' names have in common
	Columns []string // names; * stands for anything in them
}

// Multi makes columns the options of one multiple choice.
type Multi struct {
	Code    string   // of the question; "": what the columns' names have in common
	Columns []string // names; * stands for anything in them
}

// Result is a codebook for a file and how it came about.
type Result struct {
	Codebook *survey.Codebook
	Columns  []Reading // in the order of the file
	Notes    []string  // every guess that bears on figures, a sentence each
	Rows     int64     // of the file that are respondents

	told    []told   // of which Notes are the texts
	perhaps []string // columns that may be the weight, the likeliest first

	maybeWave *waveQuestion // a column that may tell the waves
	unsure    string        // the column of dates of which nothing decides what comes first
}

// Reading is how a column is read.
type Reading struct {
	Column string
	Label  string
	As     string // respondent, weight, wave, location, single, multi, grid, number, set or not used
	Of     string // the question's code, if it is part of one
	Values string // what the column holds, in short
	Why    Reason
}

// NotUsed as Reading.As is a column that is no part of the codebook.
const NotUsed = "not used"

// OptionError is an option that names no column, or one that cannot be used so.
type OptionError struct {
	Option string // wave, wave-by, dates, location, weight, respondent, grid, multi
	Reason string
}

func (e *OptionError) Error() string { return e.Option + ": " + e.Reason }

// Codebook reads the whole file once and makes a codebook for it: the one that WriteCodebook would write and
// ReadCodebook read back. Memory does not grow with the number of rows, and is bounded by the size of the file: what
// has next to no data for its columns or its answers is refused. Errors are those of the table, *OptionError,
// *survey.Error, and *survey.CodebookError where an option leads nowhere.
func Codebook(ctx context.Context, f *File, o Options) (*Result, error) {
	g, err := begin(ctx, f, o)
	if err != nil {
		return nil, err
	}
	if g.hold() {
		if err := g.judge(); err != nil {
			return nil, err
		}
		g.tool()
		g.limeQuestions()
		g.shuffles()
		g.sets()
		g.sosciOptions()
		g.mentions()
		g.numberedPicks()
		g.byTool()
		g.stepsAnew()
		g.begin, g.wholeFile = g.beginning()
		g.blocks, g.letter = g.blocksOf(), g.letterInFront()
		g.countsOfPeople()
		g.countsBesideCodes()
		g.bracketed()
		g.optionsBehind()
		g.labelled()
		g.onlyRows()
		g.runs(ctx)
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		g.turnedRows()
		g.zerosAndOnes()
		g.onlyOnes()
		g.textEach()
		g.onesAndTwos()
		g.judged()
		g.numberedAlike()
		g.furtherOptions()
		g.unfilled()
		g.rest()
	}
	return g.finish()
}

// begin reads the file, and finds respondents, weight, wave and location, and the grids and multiple choices that the
// options name.
func begin(ctx context.Context, f *File, o Options) (*guesser, error) {
	if most := f.mostColumns(); int64(len(f.Columns)) > most {
		return nil, &survey.Error{Reason: fmt.Sprintf("the file has %d columns; a codebook is guessed for up to %d "+
			"in a file of its size", len(f.Columns), most)}
	}
	named := f.Columns
	f = f.spoken()
	g := &guesser{file: f, options: o, at: map[string]int{}, asks: map[string]int{}, codes: names{},
		turned: map[int]bool{}, parts: map[string]int{}, numberings: map[string]bool{}, continuing: map[string]bool{},
		rowNumbers: map[string]bool{}, sections: map[string]bool{}, walked: map[string]int{},
		hasQuestion: map[string]bool{}, fields: map[int]fields{}, asking: -1}
	for i := range f.Columns {
		g.at[f.Columns[i].Name] = i
	}
	for i := range f.Columns {
		g.at[named[i].Name] = i
		if label := f.Columns[i].Label; strings.Contains(label, " ") {
			if _, there := g.asks[label]; !there {
				g.asks[label] = i
			}
		}
	}
	g.ranked = f.ranks()
	g.inWords = len(g.ranked)
	g.ranked = append(g.ranked, f.picks(g.ranked)...)
	seen, err := scan(ctx, f, g.ranked, g.inWords)
	if err != nil {
		return nil, err
	}
	rows := seen.rows
	g.columns, g.repeated, g.skipped, g.sample = seen.columns, seen.repeated, seen.skipped, seen.sample
	for i, c := range g.columns {
		c.forgetLabels()
		if c.origin = &named[i]; c.code == c.Name && c.origin.Label == "" {
			c.code = c.origin.Name
		}
	}
	if g.rows = rows.all; g.rows == 0 {
		return nil, &survey.Error{Reason: "the file has no respondents: there is no row behind the names of the columns"}
	}
	g.wavesMark()
	g.shortened()
	g.optionsInTens()
	g.rowsInTwoDigits()
	g.reversals()
	g.turnedCopies()
	g.formGroups()
	g.wordSections()
	g.readings = make([]Reading, len(f.Columns))
	g.locate = func(i int, wrong func(string) string) error { return firstWrong(ctx, f, g.columns[i], i, wrong) }
	if f.Notes != nil {
		for _, text := range f.Notes() {
			g.notes = append(g.notes, told{text: text})
		}
	}
	if rows.left > 0 {
		g.note("%s with nothing in any column, the first of them row %d: left out, as a spreadsheet leaves such rows behind",
			plural(int(rows.left), "row"), rows.firstLeft)
	}
	if rows.empty > 0 {
		g.note("%s with nothing in any column, the first of them row %d: each counts as a respondent who answered nothing",
			plural(int(rows.empty), "row"), rows.firstEmpty)
	}
	if err := g.roles(); err != nil {
		return nil, err
	}
	g.unanswered()
	g.forAndAgainst()
	if err := g.forcedGrids(); err != nil {
		return nil, err
	}
	return g, g.forcedMultis()
}

// hold tells whether the labels of all columns can be compared in the memory that a file of its size may take: a few
// labels in the file may be those of thousands of columns. If not, there are too many answers.
func (g *guesser) hold() bool {
	labels := int64(0)
	for _, c := range g.columns {
		if c.labels != nil {
			labels += int64(len(c.labels.labels))
		}
	}
	if labels <= 5*g.file.mostAnswers() {
		return true
	}
	g.answers = labels
	return false
}

// A codebook takes memory for every column and every answer, and a file can name many in few bytes. Those of surveys
// have more than 100 bytes of data per column, and more than a few per answer.
const (
	columnSize, leastColumns = 64, 1 << 14
	answerSize, leastAnswers = 10, 100_000
)

// mostColumns is for how many columns a codebook is guessed: one per 64 bytes of the file, or 16,384 if those are more.
func (f *File) mostColumns() int64 { return max(leastColumns, f.Size/columnSize) }

// mostAnswers is how many answers a guessed codebook may have: one per 10 bytes of the file, or 100,000 if those are
// more.
func (f *File) mostAnswers() int64 { return max(leastAnswers, f.Size/answerSize) }

// guesser is a guess under way.
type guesser struct {
	file    *File
	options Options
	at      map[string]int // of a column, by name
	asks    map[string]int // … and by a label of words; of several with the same, the first
	columns []*column
	rows    int64

	readings []Reading
	notes    []told
	perhaps  []string // columns that may be the weight

	maybeWave *waveQuestion // a column that may tell the waves
	unsure    string        // the column of dates of which nothing decides what comes first
	// locate finds the first row of a column of which wrong has something to say, as an error
	locate func(column int, wrong func(text string) string) error

	codes   names // of questions
	drafts  []draft
	answers int64 // of drafts, and of those that were left out because there are too many

	respondent string
	weight     survey.WeightColumn
	ranked     [][]int           // columns that may hold what was mentioned first, second and so on
	inWords    int               // how many of those say so in words; the others only have numbers
	repeated   []int64           // rows in which two columns hold one answer: by joined set of the file, then by ranked
	skipped    []int64           // of the same groups, rows in which one has an answer and one before it has none
	sample     *crossing         // what columns say in some of the rows
	joints     []joint           // columns that may be of one question, in order
	weights    map[int]*evidence // of columns that may be weights
	fields     map[int]fields    // of columns that were read as several answers in each
	wave       fieldwork
	location   fieldwork
	turned     map[int]bool    // columns that were tried as those that take turns
	walked     map[string]int  // by a finder, up to which column in vain
	asking     int             // the last of those columns that were found to be whole questions of their own
	numberings map[string]bool // whether numbers behind a stem are those of questions
	rowNumbers map[string]bool // whether rows are numbered behind letters and the number of a question
	words      map[string]int  // behind how many numbers words stand
	divided    []numberedName  // the names of the columns
	triedTimes int             // the last of those columns that were looked at as a part of a form that repeats
	continuing map[string]bool // whether the number at the end of a stem is that of a question among others
	sectioned  map[string]bool // which numbers are those of sections; nil until somebody asks
	sections   map[string]bool // whether names with the same letters are those of questions of a section

	hasQuestion map[string]bool // numbers of sections in which there is a question of several columns
	askedPairs  *bool           // whether the file asks the same questions twice; nil: nobody wanted to know
	dividers    map[string]int  // what divides answers where several may be chosen, in how many columns; likewise
	begin       string          // what nearly all names begin with
	wholeFile   string          // what all names begin with, and tells nothing
	blocks      map[string]bool // what names begin with that numbers blocks of questions
	letter      string          // with a stroke, what most names begin with that numbers nothing, as Q- does
	parts       map[string]int  // how many columns are options of one of that name, as optionOf tells
	spoken      int             // how many of those are called by words, and not by numbers
	singles     []string        // columns read as a single choice by their values alone, for the notes
}

// read notes how column i is read; it is taken from then on.
func (g *guesser) read(i int, as, of string, why Reason) {
	c := g.columns[i]
	g.readings[i] = Reading{Column: c.origin.Name, Label: c.origin.Label, As: as, Of: of, Values: c.summary(), Why: why}
	if c.taken = true; as == "multi" || as == "grid" {
		g.inSection(c.code)
	}
	c.values, c.list, c.sample, c.pieces = nil, nil, nil, nil
}

// leave notes that column i is not used.
func (g *guesser) leave(i int, why Reason) { g.read(i, NotUsed, "", why) }

// add takes a question, unless there are too many answers by now.
func (g *guesser) add(d draft) {
	g.answers += int64(len(d.question.Datapoints) + len(d.question.Suffixes) + len(d.columns.Missing))
	if g.answers <= g.file.mostAnswers() {
		g.drafts = append(g.drafts, d)
	}
}

// note adds a sentence to those that the report lists.
func (g *guesser) note(format string, args ...any) {
	g.notes = append(g.notes, told{format, args, fmt.Sprintf(format, args...)})
}

// find is the place of a column that an option names, whatever the case of its letters.
func (g *guesser) find(option, name string) (int, error) {
	if i, ok := g.at[name]; ok {
		return i, nil
	}
	found := -1
	for i := range g.columns {
		if strings.EqualFold(g.columns[i].origin.Name, strings.TrimSpace(name)) {
			if found >= 0 {
				return 0, &OptionError{option, fmt.Sprintf("%q may be column %q or %q; the name is to be given as "+
					"it is written", name, g.columns[found].origin.Name, g.columns[i].origin.Name)}
			}
			found = i
		}
	}
	if found < 0 {
		return 0, &OptionError{option, fmt.Sprintf("there is no column %q; %s", name, g.near(name))}
	}
	return found, nil
}

// near names columns that may have been meant, or the first ones.
func (g *guesser) near(name string) string {
	var list []string
	for _, c := range g.columns {
		if n := strings.ToLower(name); !c.Virtual && (strings.Contains(strings.ToLower(c.origin.Name), n) ||
			strings.Contains(strings.ToLower(c.origin.Label), n)) {
			list = append(list, fmt.Sprintf("%q", c.origin.Name))
		}
	}
	if len(list) == 0 {
		for _, c := range g.columns {
			list = append(list, fmt.Sprintf("%q", c.origin.Name))
		}
	}
	if len(list) > 8 {
		list = append(list[:8], "…")
	}
	return "there are " + strings.Join(list, ", ")
}

// open lists the columns that are not taken yet, and by no option, and are no virtual ones.
func (g *guesser) open() []int {
	var list []int
	for i, c := range g.columns {
		if !c.taken && !c.named && !c.Virtual {
			list = append(list, i)
		}
	}
	return list
}

// finish puts the codebook together.
func (g *guesser) finish() (*Result, error) {
	if most := g.file.mostAnswers(); g.answers > most {
		return nil, &survey.Error{Reason: fmt.Sprintf("its codebook would have more than %d answers, which is too "+
			"many for a file of its size", most)}
	}
	slices.SortStableFunc(g.drafts, func(a, b draft) int { return a.at - b.at })
	c := g.codebook()
	if len(g.singles) > 0 {
		g.note("%s: read as a single choice each, because few different values stand there", listed(g.singles))
	}
	if err := c.Check(); err != nil {
		return nil, err
	}
	kept := g.readings[:0]
	for i, r := range g.readings {
		if !g.columns[i].Virtual || r.As != "" {
			kept = append(kept, r)
		}
	}
	m := &Result{Codebook: c, Columns: kept, Rows: g.rows, told: g.notes, perhaps: g.perhaps,
		maybeWave: g.maybeWave, unsure: g.unsure}
	for _, n := range g.notes {
		m.Notes = append(m.Notes, n.text)
	}
	return m, nil
}

// listed names things, and how many more there are.
func listed(list []string) string {
	const most = 12
	if len(list) > most {
		return fmt.Sprintf("%s and %d more", strings.Join(list[:most], ", "), len(list)-most)
	}
	return strings.Join(list, ", ")
}
