package sss

import (
	"cmp"
	"path/filepath"
	"slices"
	"strings"
)

// Format is how the records of the data are laid out.
type Format string

const (
	Fixed Format = "fixed" // positions are characters of the line; also what the empty Format means
	CSV   Format = "csv"   // positions are numbers of comma-separated fields
)

// Type is what a variable holds.
type Type string

const (
	Single    Type = "single"    // one of the codes
	Multiple  Type = "multiple"  // any number of the codes
	Quantity  Type = "quantity"  // a decimal number
	Character Type = "character" // text
	Logical   Type = "logical"   // 1 or 0
	Date      Type = "date"      // 2.0 only
	Time      Type = "time"      // time of day; 2.0 only
)

// Use is the part a variable plays in the survey, where the definition says so.
type Use string

const (
	Serial Use = "serial" // identifies the respondent
	Weight Use = "weight" // the respondent's weight
)

// Definition is everything a definition file says. The data of a Definition built by hand goes through Write.
type Definition struct {
	// Version of Triple-S: 1.1, 1.2 or 2.0. Write writes 1.2 for the first two and 2.0 for everything else.
	Version string

	// Encoding is the IANA name of the encoding that the definition says it is in; empty if it says none, which for
	// Write, that writes both files in it, means UTF-8.
	Encoding string

	// Languages and Modes are those the texts are said to be in, in the order of the file.
	Languages []string
	Modes     []string

	Date, Time, Origin, User string // as they stand in the file; no form is prescribed
	Name, SurveyVersion      string
	Title                    Text
	Record                   Record

	// Notes says what in the file was put up with or not used, in the order of the file, at most 100 lines. Write
	// ignores it.
	Notes []string
}

// DataFiles returns where the data may lie of a definition that was read from the file at path, the likeliest first:
// the file that the definition names, and the standard's names for it, all in the definition's own folder. A folder
// that it names is somebody else's, and left out.
func (d *Definition) DataFiles(path string) []string {
	folder, name := filepath.Split(path)
	stem := strings.TrimSuffix(name, filepath.Ext(name))
	extensions := []string{".asc", ".dat", ".csv", ".txt"}
	if d.Record.Format == CSV {
		extensions = []string{".csv", ".dat", ".asc", ".txt"}
	}
	var files []string
	if href := d.Record.Href[strings.LastIndexAny(d.Record.Href, `/\:`)+1:]; href != "" && href != "." && href != ".." {
		files = append(files, filepath.Join(folder, href))
	}
	for _, e := range extensions {
		files = append(files, filepath.Join(folder, stem+e), filepath.Join(folder, stem+strings.ToUpper(e)))
	}
	unique := files[:0]
	for _, f := range files {
		if f != filepath.Clean(path) && !slices.Contains(unique, f) {
			unique = append(unique, f)
		}
	}
	return unique
}

// Record describes the one kind of record that the data consists of.
type Record struct {
	Ident string // one letter, by the standard
	Href  string // name of the data file, where given; often a path on somebody's machine

	Format Format

	// Skip is the number of records before the first case: lines of fixed data, CSV records otherwise. Write writes one
	// record of variable names for any number above 0 in CSV data, and none in fixed data.
	Skip int

	// Encoding of the data where the record says one (attribute encoding of later versions, or data-file-encoding). Write
	// ignores it.
	Encoding string

	Variables []Variable // in the order of the file
}

// Variable is one variable and its place in the record.
type Variable struct {
	Ident   string // unique number; Write numbers variables that have none
	Name    string // unique, whatever the case of letters
	Label   Text
	Type    Type
	Use     Use
	Literal bool // the codes of a single (or of a spread multiple) are text, compared as it stands

	// Start and Finish are the first and last place, from 1: characters in fixed data, fields in CSV data. Start 0 in
	// any variable makes Write place all of them one after another.
	Start, Finish int

	Filter string // name of the logical variable that says who was asked; empty for everyone
	Spread Spread // of a multiple; the zero Spread is a bitstring
	Size   int    // characters a character variable may have; 0 if not said
	Ranges []Range
	Values []Value
}

// Spread says that a multiple is stored as the codes chosen, each in a sub-field, instead of as one 0 or 1 per code.
type Spread struct {
	Subfields int
	Width     int // characters of a sub-field; 0 if it follows from the position
}

// Range is a run of listed values: numbers, codes, dates or times, both ends included.
type Range struct{ From, To string }

// Value is a code with a label. A quantity may have some too, for numbers of special meaning (999: not stated).
type Value struct {
	Code  string // as it stands in the file
	Label Text
	Score string // number to calculate with instead of the code, as in the file; empty if none
}

// Text is a text for people. Runs of white space count as one space; a line break (element br) is "\n".
type Text struct {
	Plain    string    // what stands outside text elements
	Variants []Variant // the text elements, in the order of the file; empty ones are left out
}

// Variant is a text for one language, one mode, or both.
type Variant struct {
	Language string // as in the file (en, fr-FR); empty for every language
	Mode     string // interview, analysis, or empty for every mode
	Text     string
}

// String returns the text to show in analysis, in the first language of the file: Pick("", "analysis").
func (t Text) String() string { return t.Pick("", "analysis") }

// Pick returns the text for a language and a mode; both may be empty. The language decides first: the one asked for,
// else one with the same primary part (fr for fr-FR), else texts of no language, else the language that comes first in
// the file. Among these the mode decides: the one asked for, else none, else analysis, else interview. Among equals the
// first in the file wins; the plain text comes before the others.
func (t Text) Pick(language, mode string) string {
	if len(t.Variants) == 0 {
		return t.Plain
	}
	first := ""
	for _, v := range t.Variants {
		first = cmp.Or(first, v.Language)
	}
	best, most := "", -1
	consider := func(v Variant) {
		score := 10 * languageScore(v.Language, language, first)
		switch {
		case mode != "" && strings.EqualFold(v.Mode, mode):
			score += 3
		case v.Mode == "":
			score += 2
		case v.Mode == "analysis":
			score++
		}
		if score > most {
			best, most = v.Text, score
		}
	}
	if t.Plain != "" {
		consider(Variant{Text: t.Plain})
	}
	for _, v := range t.Variants {
		consider(v)
	}
	return best
}

func languageScore(have, want, first string) int {
	switch {
	case want != "" && strings.EqualFold(have, want):
		return 4
	case want != "" && have != "" && strings.EqualFold(primary(have), primary(want)):
		return 3
	case have == "":
		return 2
	case have == first:
		return 1
	}
	return 0
}

func primary(language string) string {
	p, _, _ := strings.Cut(strings.ReplaceAll(language, "_", "-"), "-")
	return p
}

// Case is one record of the data: what one respondent answered.
type Case struct {
	// Row is the line of the data file on which the record starts, from 1, header records included. Write ignores it.
	Row int

	// Data has an entry per variable, in the order of Record.Variables.
	Data []Datum
}

// Datum is what a case says of one variable. The zero Datum is missing: the field is blank.
type Datum struct {
	// Present tells an answer from a missing one. A multiple can be present with no Picks: none of the codes.
	Present bool

	// Text is the answer of every type but multiple: a whole number or literal text (single), a decimal number without
	// leading zeros but with all its decimals (quantity), text without trailing blanks (character), 1 or 0 (logical),
	// YYYYMMDD (date), HHMMSS (time).
	Text string

	// Picks are the codes chosen: at most one of a single, in the order of the record for a spread multiple and
	// ascending for a bitstring. A variable of another type has one where the answer equals one of its Values.
	Picks []Pick
}

// Pick is a code chosen.
type Pick struct {
	Code string // as listed; as a whole number without leading zeros, or literal text, where it isn't listed
	// Index of the code in Variable.Values; -1 if it isn't there. Write ignores it.
	Index int32
}

// Clone returns a copy that stays as it is when the next case is read.
func (c *Case) Clone() *Case {
	data := make([]Datum, len(c.Data))
	for i, d := range c.Data {
		d.Picks = append([]Pick(nil), d.Picks...)
		data[i] = d
	}
	return &Case{Row: c.Row, Data: data}
}
