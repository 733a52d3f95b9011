// Package stats tells who answered what: the datapoints of one question by segment and audience (Run), and an audience
// by wave (WaveCounts).
//
// Both need only an audience.Store and count all of a request at once, from one version of the store.
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
// Each of these is measured where all of them were asked. A segment comes of the splitter: a wave, a location, or a
// datapoint of a second question. With Request.SegmentedBase it cuts the base too, so that an index compares within the
// segment.
//
// # Wave counts
//
// A wave that has no fieldwork in which the audience was asked has no entry: not asked must not look like 0 %.
package stats
