// Package audience is the language, the frame and the contract of Crosswave.
//
// # The language
//
// An audience is an expression over survey answers: And, Or, Not, Answers, Waves, Locations, Everyone. Parse reads it
// from JSON, Print writes it, Describe says it in words. Frame.Check finds every code in it that is not there or that
// the caller may not use.
//
// # The frame
//
// A Frame is all that is known before anything is counted: what was asked, in which wave and which location, of whom.
// It belongs to one version of a store.
//
// # The contract
//
// There is one compute verb, Count: for row audiences × column audiences, inside a base and some fieldwork, how many
// respondents and how many people are in each cell? An engine gets whole questions (Query) and answers with tables of
// exact integers that add up over disjoint respondents.
//
// # The figures
//
// Tabulate stands between the domains, which want figures, and the engine, which counts. It takes a frame, lets the
// caller form what it wants to know (Spec), decides which fieldwork each figure covers, makes one Count call for all of
// it and forms samples and sizes. Statistics, crosstabs, wave counts and insights are pure functions of what it
// returns.
package audience
