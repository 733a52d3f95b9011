// Package stats tells who answered what: the datapoints of one question by segment and audience (Run), its numbers
// likewise (Summary), and an audience by wave (WaveCounts); what sets an audience apart, over all attributes (Profile);
// and how far two questions go together (Associate).
//
// All need only an audience.Store and count all of a request at once, from one version of the store.
//
// # Statistics
//
// An entry is one datapoint × segment × audience. It says how many of the audience are positive on the datapoint, and
// compares that with the base:
//
//	positive   base ∩ audience ∩ segment ∩ datapoint
//	audience   base ∩ audience ∩ segment
//	datapoint  base ∩ datapoint
//
// All three are counted over the fieldwork in which each of base, audience, segment and datapoint was asked. The
// splitter makes the segments: each is a wave, a location, or a datapoint of a second question. With
// Request.SegmentedBase the segment cuts the base too, so that an index compares within the segment. FIGURES.md has an
// example of each figure that can be added up by hand.
//
// # Summaries
//
// An entry is one segment × audience, and tells of those who have a number: mean, standard deviation, least and largest
// number and quantiles. Having a number takes the place of the datapoint in what an entry covers. All of it is made of
// whole numbers and rounded once.
//
// # Profiles
//
// A profile has an entry for every attribute: a datapoint, in a grid each datapoint with each suffix. Each is tested
// against the rest of the base, and they are ranked. Attributes that were never asked where the audience was have no
// entry.
//
// # Wave counts
//
// A wave that has no fieldwork in which the audience was asked has no entry: not asked must not look like 0 %.
//
// # Associations
//
// Those who answered both questions are counted pair of answers by pair of answers, fieldwork by fieldwork. The figures
// are of the fieldwork in which both questions were asked, even where one of the answers was not.
package stats
