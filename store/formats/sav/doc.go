// Package sav reads SPSS system files (.sav and .zsav) and writes .sav.
//
// # What it knows
//
// The package is about the file format and nothing else: it has no idea of respondents, waves or weights beyond what a
// system file itself says. A file is a [Dictionary], which describes the variables, followed by the cases, one value
// per variable each.
//
// # Reading
//
// [Open] reads the whole dictionary and checks everything that can be checked without reading the data. [File.Cases]
// then streams the cases, as often as wanted and from several goroutines if wanted; memory does not grow with their
// number. A [Case] belongs to the loop: it is overwritten by the next.
//
// All text is UTF-8 whatever the encoding of the file, without the spaces that pad it there. Very long strings, which a
// file keeps in several pieces, are one variable. Names are the long ones.
//
// The reader is tolerant where nothing is lost by it: extension records it does not know are skipped, references to
// variables that are not there are dropped, and every such thing is listed in [File.Notes]. It is strict where a figure
// could come out wrong: a file that is encrypted, cut short or inconsistent is refused with a [FormatError], which
// names the place.
//
// Nothing is allocated on the word of a length field alone. What is held for a file is a small multiple of its
// dictionary and of one case, whatever its counts and its compressed blocks claim.
//
// # Writing
//
// [Write] takes a dictionary and a stream of rows. The text of a written file is UTF-8. Everything is checked before
// the first byte goes out, except the rows, which are checked as they come. [Dictionary.Fit] changes a dictionary so
// that it keeps to the limits of the format, and says what it changed.
//
// # Special values
//
// A file has one number that means "no value", system-missing; here it is the zero [Value]. Values that a variable
// declares as missing (user-missing) are ordinary values that [Missing.Has] recognises; the reader leaves them as they
// are, and [Case.Missing] tells them.
package sav
