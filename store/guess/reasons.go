package guess

import (
	"fmt"
	"strings"

	"github.com/crosswave/crosswave/store/survey/period"
)

// Reason is what the reading of a column rests on: what kind of reason it is, and the facts that its sentence tells.
// The zero value is no reason. Only the kind of a reason and its facts decide anything; how they are put into words is
// for people.
type Reason struct {
	Kind ReasonKind
	// Bond is what holds the columns together: of ReasonOptions and ReasonRows.
	Bond Bond
	// Text is the label of ReasonLabel, the set of ReasonSet, and what stands between the answers of ReasonSeparated.
	Text string
	// Respondents is how many have no date: of ReasonLacking.
	Respondents int64
	// Order is what is taken to come first: of ReasonUndecided.
	Order period.Order
	// Evidence is what speaks for a weight, in the order in which it was found: of ReasonEvidence.
	Evidence []Evidence
}

// ReasonKind is what kind of reason a Reason is.
type ReasonKind int

// The kinds of reasons.
const (
	NoReason ReasonKind = iota
	Said                // it was said in Options: nothing was guessed

	// Of respondent, weight, wave and location.

	ReasonFile        // the file says so
	ReasonName        // the column's name says so
	ReasonLabel       // its label Text says so
	ReasonUniqueName  // its name says so, and its values are all different
	ReasonUniqueID    // its name is made like that of an id, and its values are all different
	ReasonUniqueFirst // it is the first column, and its values are all different
	ReasonEvidence    // Evidence speaks for a weight
	ReasonYears       // its labels are years of the survey
	ReasonDates       // it has the dates of the interviews
	ReasonDatesLong   // … which went on for months
	ReasonOnlyDates   // it is the only column of dates
	ReasonPlaces      // its answers are names of places

	// Of questions.

	ReasonSet       // the file declares the set Text
	ReasonOptions   // Bond holds columns together, and each holds a yes or no
	ReasonRows      // Bond holds columns together, and they have the same answers
	ReasonMentions  // they hold what was mentioned first, second and so on
	ReasonGoesOn    // its name goes on with those of the question before it, and nobody answered
	ReasonLabels    // its values have labels
	ReasonOneValue  // it holds one value
	ReasonCodes     // its numbers are codes
	ReasonFewNumber // it holds few different whole numbers
	ReasonFewTexts  // it holds few different texts
	ReasonSeparated // its fields hold several answers with Text between them
	ReasonSeveral   // its question says that several answers may be chosen, as those do that Text divides
	ReasonNumbers   // it holds many different numbers
	ReasonCalled    // its name or label says that it is a quantity
	ReasonQuantity  // the file says that it is a quantity

	// Of columns that are not used.

	AnotherWeight    // it looks like another weight
	Empty            // it is empty
	ReasonNameless   // it has no name
	ReasonBytes      // it holds bytes that are no text
	ReasonAgain      // its answers are those of the columns that are named after it
	ReasonChosen     // its answers are the names of the columns behind it
	ReasonTool       // the survey tool wrote it
	ReasonFlag       // it tells of another column whether something was done to it
	ReasonDesign     // it tells how respondents were drawn
	ReasonTimes      // it holds dates or times
	ReasonOwnNumbers // every respondent has a number of their own
	ReasonOwnTexts   // every respondent has a text of their own
	ReasonMany       // it has too many answers
	ReasonDigits     // its numbers have too many digits
	ReasonID         // its name is that of an id, and most of its numbers differ
	ReasonManyCodes  // its numbers are codes, and too many
	ReasonFreeText   // it holds free text

	// Of dates that are a Check.

	ReasonLacking   // Respondents have no date
	ReasonUnnamed   // nothing says that the dates are those of the interviews
	ReasonOnePeriod // nearly all dates are in one period
	ReasonUndecided // nothing decides whether days or months come first, and Order is taken to
)

// Bond is what holds the columns of a question together.
type Bond int

// What holds columns together.
const (
	NoBond       Bond = iota
	ByName            // their names begin alike
	ByWords           // their questions have the same words in common
	Unnamed           // the columns behind the first have no names of their own
	ByBranch          // their names differ in one part
	ByScale           // they stand together
	GoingOn           // their questions go on from one before
	SelfNamed         // each holds its own name or nothing
	Excluding         // nearly everyone chose one of them, and hardly anyone two
	AskedAlike        // they are 0 and 1, many in a row, and the same respondents were asked
	Judged            // they are as columns of one question are in many surveys
	NumberedAnew      // they are numbered from 1 on, and so are those beside them
	ByTool            // the tool that wrote the file says that they are one question
	Chosen            // the column before them holds the names of those that were chosen
)

// bondSentences puts bonds into words.
var bondSentences = map[Bond]string{
	ByName:   "their names begin alike",
	ByWords:  "their questions have the same words in common",
	Unnamed:  "the columns behind the first have no names of their own",
	ByBranch: "their names differ in one part",
	ByScale:  "they stand together",
	GoingOn:  "their questions go on from one before",

	NumberedAnew: "they are numbered from 1 on, and those beside them are again",

	ByTool:     "the tool that wrote the file says that they are one question",
	Chosen:     "the column before them holds the names of those that were chosen",
	SelfNamed:  "each holds its own name or nothing",
	Excluding:  "nearly everyone chose one of them, and hardly anyone two",
	AskedAlike: "they stand together, are 0 and 1, and the same respondents were asked",
	Judged: "they stand together, and what they have in common is what columns of one question have in common in other " +
		"surveys",
}

// String is the bond as the part of a sentence.
func (b Bond) String() string { return bondSentences[b] }

// reasonSentences puts reasons without facts into words.
var reasonSentences = map[ReasonKind]string{
	Said:              "it was said",
	ReasonFile:        "the file says so",
	ReasonName:        "its name says so",
	ReasonUniqueName:  "its name says so, and no value stands there twice",
	ReasonUniqueID:    "its name ends in id or begins with respondent, and no value stands there twice",
	ReasonUniqueFirst: "it is the first column, and no value stands there twice",
	ReasonYears:       "its labels are years, and its name or label says that they are those of the survey",
	ReasonDates:       "it has the dates of the interviews, as its name or label says",
	ReasonDatesLong:   "it has the dates of the interviews, as its name or label says, over months",
	ReasonOnlyDates:   "it is the only one of dates",
	ReasonPlaces:      "its answers are names of places",
	ReasonMentions:    "they hold what was mentioned first, second and so on, out of one list",
	ReasonGoesOn:      "nobody answered it, and its name goes on with those of the question",
	ReasonLabels:      "its values have labels",
	ReasonOneValue:    "it holds one value",
	ReasonCodes:       "its numbers are codes",
	ReasonFewNumber:   "it holds few different whole numbers",
	ReasonFewTexts:    "it holds few different texts",
	ReasonNumbers:     "it holds many different numbers",
	ReasonCalled:      "its name or label says that it is a quantity",
	ReasonQuantity:    "the file says that it is a quantity",
	AnotherWeight:     "it looks like another weight",
	Empty:             "it is empty",
	ReasonNameless:    "it has no name",
	ReasonBytes:       "it holds bytes that are no text",
	ReasonAgain:       "its answers are those of the columns that are named after it",
	ReasonChosen:      "its answers are the names of the columns behind it",
	ReasonTool:        "the survey tool wrote it, and not the respondent",
	ReasonFlag:        "it tells of the column that it is called after whether something was done to that",
	ReasonDesign:      "it tells how respondents were drawn, as its name says",
	ReasonTimes:       "dates and times are no answers to choose from",
	ReasonOwnNumbers:  "every respondent has a number of their own",
	ReasonOwnTexts:    "every respondent has a text of their own",
	ReasonMany:        "it has too many answers",
	ReasonDigits:      "its numbers have too many digits",
	ReasonID:          "its name is that of an id, and most of its numbers differ",
	ReasonManyCodes:   "its numbers are codes of places, people or the like",
	ReasonFreeText:    "it holds free text",
	ReasonUnnamed:     "nothing says that they are those of the interviews",
	ReasonOnePeriod:   "nearly all of them are in one of the periods",
}

// String is the reason as the part of a sentence behind "because"; "" if there is none.
func (r Reason) String() string {
	switch r.Kind {
	case ReasonLabel:
		return `its label "` + short(r.Text, 40) + `" says so`
	case ReasonEvidence:
		return evidenceSentence(r.Evidence)
	case ReasonSet:
		return "the file declares the set " + r.Text
	case ReasonOptions:
		return r.Bond.String() + " and each holds a yes or no"
	case ReasonRows:
		return r.Bond.String() + " and they have the same answers"
	case ReasonSeparated:
		return fmt.Sprintf("its fields hold several answers with %q between them", r.Text)
	case ReasonSeveral:
		return fmt.Sprintf("its question says that several answers may be chosen, between which %q stands in others", r.Text)
	case ReasonLacking:
		return fmt.Sprintf("%s without a date", plural(int(r.Respondents), "respondent"))
	case ReasonUndecided:
		taken := "days are taken to: 03/04/2024 is 3 April"
		if r.Order == period.MonthFirst {
			taken = "months are taken to: 03/04/2024 is March 4"
		}
		return "nothing in its dates decides whether days or months come first; " + taken
	}
	return reasonSentences[r.Kind]
}

// Evidence is one thing that speaks for a column being the weight, or against it.
type Evidence struct {
	Kind   EvidenceKind
	Points int // above 0: it speaks for it; below 0: against it
	// Respondents is how many have no weight: of EvidenceLacking.
	Respondents int64
}

// EvidenceKind is what a piece of Evidence is about.
type EvidenceKind int

// The kinds of evidence.
const (
	EvidenceCalled       EvidenceKind = iota // the column's name or label says so
	EvidenceCalledOther                      // its name or label says something else
	EvidenceNoWeights                        // its values are not those of weights
	EvidenceSame                             // all its values are the same
	EvidenceMean                             // its mean is near 1
	EvidenceAround                           // its values lie around 1
	EvidenceTotal                            // its total is that of many people
	EvidenceBeyond                           // its total is more people than there are
	EvidenceSmall                            // it holds few small whole numbers
	EvidenceMeasured                         // its values are as large as those of a measurement
	EvidenceStrata                           // many respondents share each of its few values, which have many decimals
	EvidenceManyDecimals                     // its values have three decimals or more
	EvidenceDecimals                         // its values have two decimals
	EvidenceWhole                            // its values are whole numbers
	EvidenceLabels                           // its values have labels
	EvidenceSizes                            // the file has heights or other sizes of bodies
	EvidenceComplete                         // every respondent has one
	EvidenceOneOfSeveral                     // others are called weights of another kind
	EvidenceLacking                          // Respondents have none
)

// evidenceSentences puts evidence without facts into words.
var evidenceSentences = map[EvidenceKind]string{
	EvidenceCalled:       "its name or label says so",
	EvidenceCalledOther:  "its name or label says something else",
	EvidenceNoWeights:    "its values are not those of weights",
	EvidenceSame:         "all its values are the same",
	EvidenceMean:         "its mean is near 1",
	EvidenceAround:       "its values lie around 1",
	EvidenceTotal:        "its total is that of many people",
	EvidenceBeyond:       "its total is more people than there are",
	EvidenceSmall:        "it holds few small whole numbers",
	EvidenceMeasured:     "its values are as large as those of a measurement",
	EvidenceStrata:       "many respondents share each of its few values",
	EvidenceManyDecimals: "its values have many decimals",
	EvidenceDecimals:     "its values have decimals",
	EvidenceWhole:        "its values are whole numbers",
	EvidenceLabels:       "its values have labels",
	EvidenceSizes:        "the file has heights or other sizes",
	EvidenceComplete:     "every respondent has one",
	EvidenceOneOfSeveral: "others are called weights of another kind",
}

// String is the piece of evidence as the part of a sentence.
func (e Evidence) String() string {
	if e.Kind == EvidenceLacking {
		return fmt.Sprintf("%d respondents have none", e.Respondents)
	}
	return evidenceSentences[e.Kind]
}

// evidenceSentence puts several pieces of evidence into one sentence.
func evidenceSentence(list []Evidence) string {
	var texts []string
	for _, e := range list {
		texts = append(texts, e.String())
	}
	return strings.Join(texts, ", ")
}
