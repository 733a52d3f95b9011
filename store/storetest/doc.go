// Package storetest holds stores to their contracts. An engine passes [Test] or it is wrong, a store of saved audiences
// [TestSaved] and one of insights [TestInsights].
//
// # The suite
//
//	func TestConformance(t *testing.T) {
//		storetest.Test(t, func(t *testing.T) storetest.Engine { return open(t) })
//	}
//
// Its parts are scripts whose numbers a reader can add up by hand, one per rule; random studies, queries and specs,
// whose counts are compared with those of the [naive.Store] and whose figures, formed by audience.Tabulate from what
// the engine counts, with those of the [Oracle], bit for bit; the same scripts and studies filled in by survey.Import;
// and what a store does when it is appended to, cut, changed by two at once, given up on, cancelled or closed. An
// engine that only counts, and takes no respondents in, is tested by [TestCounter].
//
// # The reference and the oracle
//
// [naive.Store] is an engine that looks at every respondent for every cell. [Oracle] forms figures from respondents by
// the rules alone: which fieldwork a figure covers, in which namespace it is counted, how its size is averaged. Neither
// shares code with what they are compared with, save expressions, frames and the look-up of a question's code.
//
// # Scripts
//
// A script is lines, as package script reads them: a step in the first column, its lines indented beneath, comments
// after #. It begins with what there is:
//
//	survey
//	  namespace core                  the first is the default
//	  namespace panel on core sum     built on core; its weights are divided over waves already
//	  wave w1 2024-01-01              its first day, or nothing
//	  location uk fr
//	  question q single yes no        kinds: single, multi, grid, number; then the datapoints
//	  question panel.p multi separate a b     separate: each datapoint has a column of its own
//	  question g grid a b / 1 2 3     suffixes after the /
//	  asked q w1/* w2/fr              declared coverage, * being all; or "nowhere"
//	  asked q:yes */*                 a datapoint's own
//
// and who answered:
//
//	respondents
//	  wave | location | core | panel | q   | panel.p | g
//	  w1   | uk       | 1.5  | 20    | yes | a !b    | a:1 b:3
//	  w2   | fr       | 2    |       | -   |         |
//
// Columns of namespaces hold weights, nothing being 0. Columns of questions hold the datapoints the respondent is
// positive on, with a suffix each in a grid; nothing is no answer, "-" an answer that is none of the datapoints, "!b" a
// no to a separate datapoint, "=12.5" a number that is given, whatever the datapoints. The steps append, replace WAVE
// and withdraw WAVE change what there is, and "refused TEXT" is an append that fails with an error that holds the text.
//
// "tabulate" asks for figures. Expressions are JSON; several on a line cut each other. It ends with what is expected, a
// table or an error:
//
//	tabulate
//	  base {"question": "q"}
//	  row {"question": "panel.p", "datapoints": ["a"]}
//	  column {"question": "waves", "datapoints": ["w1"]}
//	  locations uk                    also: waves, last N, namespace CODE
//	  grant waves w1 w2               what the caller may use; all else is free
//	  grant min_sample 30             the floor; figures of a cell that is withheld are written withheld
//	  cell | base   | row | column | both  | percent | namespace | cover
//	  1 1  | 3 7/2  |     |        | 1 1.5 | 300/7   | panel     | w1/uk w2/*
//
//	tabulate
//	  row {"question": "r"}
//	  error unavailable r
//
// Rows and columns count from 1; an axis with nothing on it has 0. A figure is a sample and a size, which may be
// written as a sum of fractions; percent is the share of the base that is in both; an empty cell of the table expects
// nothing.
//
// "derived CODE" adds a derived question, which "tabulate" can ask about from then on; each line is a datapoint's code
// and its expression.
//
// "count NAMESPACE" asks the engine itself, with base, row, column and stratum lines; its table has a column per
// stratum, of sample and weight in whole units, row 0 and column 0 being everyone in the base. With a line "measures
// squares", which tabulate takes, too, each stratum is one fieldwork, and the sum of squared weights follows; with
// "measures pooled squares" it follows, too, and strata are of any fieldwork. "decimals NAMESPACE K", "fielded
// NAMESPACE FIELDWORK…", "asked QUESTION:DATAPOINT FIELDWORK…" and "numbers QUESTION K BITS FIELDWORK…" look at the
// frame, and "unit" is a table decimals | largest | total | k of the rule of units alone.
//
// An [audience.Slice] or [audience.Value], which no request can name, is written as one datapoint of its question: "bit
// 3", "any number" or "number 17".
package storetest
