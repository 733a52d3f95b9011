package survey

import (
	"fmt"
	"slices"
	"strings"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/store/survey/decimal"
	"github.com/crosswave/crosswave/store/survey/period"
)

// Codebook tells how a table of one row per respondent is read as a survey: the survey itself, and for each of its
// records the column and the value that stand for it. ReadCodebook reads one from JSON, WriteCodebook writes it back,
// Check tells whether it is sound.
//
// # The JSON
//
//	{
//	  "name": "Sport 2024",
//	  "namespaces": [
//	    {"code": "core", "name": "Core study", "description": "…", "universe": "average",
//	     "weight": {"column": "weight_a"}},
//	    {"code": "stores", "base": "core", "weight": {"column": "weight_b", "missing": "zero"}}],
//	  "respondent": {"column": "id"},
//	  "wave": {"column": "Wave", "values": [
//	    {"value": "1", "code": "w1", "name": "Wave 1", "start": "2024-01-01", "end": "2024-03-31", "kind": "quarter"}]},
//	  "location": {"column": "locality", "missing": "loc_0", "values": [
//	    {"value": "1", "code": "loc_1", "name": "North", "id": "…", "iso_code": "",
//	     "region": {"id": "…", "code": "r1", "name": "…", "area": "…"}},
//	    {"value": "", "code": "loc_0", "name": "Not stated"}]},
//	  "missing": ["", "NA"],
//	  "questions": [
//	    {"code": "q1", "type": "single", "column": "q1", "name": "…", "description": "…", "order": 1, "flags": ["…"],
//	     "knowledge_base": "…", "message": "…", "notice": "…", "warning": "…", "hidden": false, "datasets": ["sport"],
//	     "datapoints": [{"code": "q1_1", "name": "Yes", "value": "1", "midpoint": 2.5, "order": 1}]},
//	    {"code": "q2", "type": "multi", "column": "q2", "separator": ";",
//	     "datapoints": [{"code": "q2_1", "value": "1"}]},
//	    {"code": "tool", "type": "multi", "datapoints": [{"code": "tool_git", "column": "tool_git", "value": "Yes"}]},
//	    {"code": "q3", "type": "multi", "columns": "q3_*", "value": "Yes"},
//	    {"code": "q5", "type": "grid",
//	     "suffixes": [{"code": "1", "name": "Never", "value": "1", "midpoint": 0, "order": 1}],
//	     "datapoints": [{"code": "q5_1", "name": "Football", "column": "q5_1"}]},
//	    {"code": "age", "type": "number", "column": "age", "unit": "years", "missing": ["99"], "asked": [{"wave": "w1"}],
//	     "bands": [{"code": "age_1", "name": "16–24", "from": 16, "to": 24, "midpoint": 20, "order": 1, "asked": []}]}],
//	  "categories": [{"id": "c1", "name": "Sport", "description": "…", "parent": "", "order": 1,
//	    "questions": ["q1"], "datasets": ["sport"]}],
//	  "datasets": [{"code": "sport", "name": "Sport", "description": "…", "url": "…", "base_audience_label": "…",
//	    "base_namespace_code": "core", "parent": "", "order": 1, "is_syndicated": true}]
//	}
//
// Respondent: the column "#row" stands for the number of the row, for files that have no ids.
//
// Namespaces: the first is the default of questions that name none. Without weight every respondent weighs 1. A weight
// that is missing is an error ("missing": "error", the default), 0 ("zero": the respondent does not take part) or 1
// ("one").
//
// Wave and location: left out, there is one, with the code "all". With values but no column, the one value listed is
// that of every row. A value that is not listed is an error, a missing one too, unless "missing" names the code to use
// instead or is "skip", which leaves the row out. A value that is listed is never missing here; in questions, what is
// missing is never an answer.
//
// A column of dates tells waves where the wave says "by": week, month, quarter or year, and has in place of dates the
// periods that they are in as its values: 2024-W07 (weeks are those of ISO 8601), 2024-03, 2024-Q2, 2024. Dates are
// 2024-12-31, 31.12.2024, 31-Dec-2024, Dec 31, 2024 and the like, a time of day behind them not being looked at.
// "dates" says what comes first in 03/04/2024, "day-first" or "month-first"; left out, a date that can be either is an
// error, and so is what is no date. Without "values" the waves are the periods of the dates in the data, whose codes
// are theirs; what is missing is an error then, or "skip".
//
//	"wave": {"column": "interviewed", "by": "month", "dates": "month-first", "values": [
//	  {"code": "2024-03", "name": "March 2024", "start": "2024-03-01", "end": "2024-03-31", "kind": "month"}]}
//
// Questions: a single question has a column with one value. A multi question has one column with a separator, from
// which missing pieces drop out, or a column per datapoint that is positive where it equals "value" (left out: 1, yes,
// true, y or t in any case). A value may have the separator in it, as "a cafe (blue, red)" has a comma, if what stands
// before it is no value. The separator "[]" says that the column holds lists as programs write them, ["a", "b"], ['a',
// 'b'], {a,b} or c("a", "b"). In place of the datapoints of a multi question or a grid with a column each, "columns"
// may give a pattern: each column that it matches, * being anything, is one, with the column's name as its code. Where
// columns hold what was mentioned first, second and so on, out of one list of answers, "mentions" of a multi question
// names them: ["first", "second"]; an answer that stands in several of them counts once. A grid
// has a column per datapoint, whose value is a suffix, or several with a separator. A
// number has a column and bands, both ends inclusive, an end left out being open; a value is in every band that holds
// it, and a band's midpoint is its middle unless it is given. The number itself is kept beside its bands, in one or
// not; it is below 2^40 on either side of 0. A question that needs no bands has one that is open at both ends. Where
// bands are known and numbers are not, or not of all, each band has in place of its ends a column that tells it: who
// has its "value" there (left out: 1, yes, true, y or t) is in the band; and the question has a column only for the
// numbers that are known. If it is that column itself, which needs a "value", this stands for the band and is no
// number, as 999 may for "not stated". A band whose midpoint is not within its ends stands for a code, as older files
// have it: of such a question no numbers are kept. Elsewhere "value" left out is the code. "missing" of a question
// adds to the missing values of all. "asked" lists the fieldwork in which a question or a datapoint was asked (a wave
// or location left out stands for all, [] for nowhere), a datapoint's own in place of its question's; left out, the
// answers tell.
//
// Of a question that is "hidden" everything is kept, and nobody can use it.
//
// Values compare as text without the blanks around it, spaces that do not break a line and byte order marks being
// spaces, but numbers (an optional sign, digits, an optional fraction; in
// columns of numbers and weights an optional exponent too) as numbers: 3, 3.0 and 03 are one. The empty text is always
// missing. Columns that no member names are not read.
//
// An unknown member is an error, and every error names the path of the place: questions[2].datapoints[0].value.
type Codebook struct {
	// Survey is what the codebook describes.
	Survey *audience.Survey
	// Respondent is the column of the respondents' ids, or RowNumber.
	Respondent string
	// Weights has an entry per namespace of the survey.
	Weights []WeightColumn
	// Wave and Location tell a respondent's wave and location. Their Values are those of the survey's waves and
	// locations, one by one.
	Wave, Location FieldworkColumn
	// Missing are the values that are no answer to any question, no wave, no location and no weight. The empty text
	// need not be listed.
	Missing []string
	// Questions has an entry per question of the survey.
	Questions []QuestionColumns
	// Derived are questions whose answers are expressions over the others. An import leaves them to whoever keeps such.
	Derived []audience.Definition
}

// WeightColumn tells where the weights of a namespace are.
type WeightColumn struct {
	Column  string // "": every respondent weighs 1
	Missing string // what a missing weight is: "" an error, "zero", "one"
}

// FieldworkColumn tells how waves or locations are told apart.
type FieldworkColumn struct {
	Column  string   // "": every row is of the one wave or location there is
	Missing string   // what a missing value is: "" an error, "skip", or the code to use
	Values  []string // per wave or location; nil if there is no column

	// By says of waves that the column holds dates, and Values the codes of their periods; "": it holds the values.
	// Without waves and Values, the periods of the data's dates are the waves.
	By    period.By
	Dates period.Order // what comes first in dates that don't tell; "": such a date is an error
}

// Skip as FieldworkColumn.Missing leaves out rows without a value.
const Skip = "skip"

// QuestionColumns tells where the answers to a question are.
type QuestionColumns struct {
	Column string // of a single or number question, or of a multi question in one column
	// between the answers in a column: multi in one column (needed), grid (if a datapoint can have several suffixes);
	// ListSeparator if they are lists as programs write them
	Separator string
	// Columns of a multi question or a grid stands for a datapoint for each column whose name it matches, in the order of
	// the table, * being anything; Value is what stands for the answer in those of a multi question. There are no
	// Datapoints then: Expand makes them.
	Columns, Value string
	// Mentions are the columns of a multi question that hold one answer each, out of the same list: what was mentioned
	// first, second and so on. The answers in any of them are those of the question.
	Mentions   []string
	Missing    []string       // values that are no answer, beside Codebook.Missing
	Datapoints []AnswerColumn // per datapoint of the question
	Suffixes   []string       // per suffix of a grid: the value that stands for it
}

// AnswerColumn tells how an answer shows.
type AnswerColumn struct {
	Column string // its own: of a grid, of a multi question that has no column, or of a number's band
	// Value stands for the answer: single, multi and bands with a column. In a column of its own, "" stands for 1, yes,
	// true, y and t in any case.
	Value string
	// From and To are the ends of a number's band without a column, both in it, as decimal numbers; "" is open.
	From, To string
}

// split tells whether the question's answers stand in one column each.
func (q *QuestionColumns) split() bool { return q.Column == "" && len(q.Mentions) == 0 }

// Expand gives the codebook with datapoints in place of patterns of columns, those of the table with this header. label
// gives the name of a datapoint by its column's; nil, or "", leaves the column's. A pattern that matches none, or a
// column that is named in another datapoint of its question, is a *CodebookError.
func (c *Codebook) Expand(header []string, label func(column string) string) (*Codebook, error) {
	if !slices.ContainsFunc(c.Questions, func(q QuestionColumns) bool { return q.Columns != "" }) {
		return c, nil
	}
	out, s := *c, *c.Survey
	out.Survey, out.Questions, s.Questions = &s, slices.Clone(c.Questions), slices.Clone(s.Questions)
	for i := range out.Questions {
		q, columns := &s.Questions[i], &out.Questions[i]
		if columns.Columns == "" {
			continue
		}
		for _, name := range header {
			if !matches(columns.Columns, name) {
				continue
			}
			d := audience.Datapoint{Code: name, Name: name}
			if label != nil && label(name) != "" {
				d.Name = label(name)
			}
			q.Datapoints = append(q.Datapoints, d)
			columns.Datapoints = append(columns.Datapoints, AnswerColumn{Column: name, Value: columns.Value})
		}
		if len(q.Datapoints) == 0 {
			return nil, &CodebookError{fmt.Sprintf("questions[%d].columns", i), fmt.Sprintf("no column is called %s",
				columns.Columns)}
		}
		columns.Columns, columns.Value = "", ""
	}
	return &out, out.Check()
}

// matches tells whether a name is what a pattern says, whatever the case of its letters.
func matches(pattern, name string) bool {
	pattern, name = strings.ToLower(pattern), strings.ToLower(name)
	first, rest, found := strings.Cut(pattern, "*")
	if !found {
		return pattern == name
	}
	name, begins := strings.CutPrefix(name, first)
	if !begins {
		return false
	}
	parts := strings.Split(rest, "*")
	for _, part := range parts[:len(parts)-1] {
		_, after, there := strings.Cut(name, part)
		if !there {
			return false
		}
		name = after
	}
	return strings.HasSuffix(name, parts[len(parts)-1])
}

// RowNumber in the place of the column of respondents' ids stands for the number of the row.
const RowNumber = "#row"

// CodebookError is something in a codebook that cannot be meant.
type CodebookError struct {
	Path   string // questions[2].datapoints[0].value; "" is the whole codebook
	Reason string // what is wrong and what would be right
}

func (e *CodebookError) Error() string {
	if e.Path == "" {
		return "codebook: " + e.Reason
	}
	return "codebook: " + e.Path + ": " + e.Reason
}

// value is the text of a field as values compare: numbers by what they are, other texts without the blanks around them.
type value struct {
	text   string
	number decimal.Decimal
	is     bool // a number
}

// blanks are characters that look like a space, or like nothing: spaces that do not break a line, and byte order marks,
// which files that were joined have in the middle.
var blanks = strings.NewReplacer("\u00a0", " ", "\u202f", " ", "\u2007", " ", "\ufeff", " ")

// Plain is the text of a value as values compare: with ordinary spaces in place of those that do not break a line
// and of byte order marks, and without the blanks around it.
func Plain(text string) string {
	for i := range len(text) {
		if text[i] >= 0x80 {
			text = blanks.Replace(text)
			break
		}
	}
	return strings.TrimSpace(text)
}

// readValue reads a value. An exponent makes a number only where it is allowed.
func readValue(text string, exponent bool) value {
	text = Plain(text)
	if text != "" && (text[0] <= '9') { // a digit, a sign or a point
		if d, err := decimal.Parse(text, exponent); err == nil {
			return value{number: d, is: true}
		}
	}
	return value{text: text}
}

// empty tells whether there is nothing in the field.
func (v value) empty() bool { return v == value{} }

// values is a set of values that are missing.
type values map[value]bool

func newValues(exponent bool, lists ...[]string) values {
	set := values{}
	for _, list := range lists {
		for _, text := range list {
			set[readValue(text, exponent)] = true
		}
	}
	return set
}

// missing tells whether v is the empty text or one of the set.
func (set values) missing(v value) bool { return v.empty() || len(set) > 0 && set[v] }
