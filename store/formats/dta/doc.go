// Package dta reads Stata files (.dta) of formats 104 to 119, which Stata 4 to 18 write, in either byte order. It only
// reads: surveys are exported in other formats.
//
// # What it knows
//
// The package is about the file format and nothing else. A file has variables with names, labels and display formats,
// tables of labels for whole numbers that variables share, and rows with a value per variable each.
//
// # Reading
//
// [Open] reads everything but the rows, and checks everything that can be checked without them. [File.Rows] then
// streams the rows, as often as wanted and from several goroutines if wanted; memory does not grow with their number.
// A [Row] belongs to the loop: it is overwritten by the next. Long texts (strL) stand behind the rows in a file; where
// they are is looked up when the first row is read, in no more than 16 MB of memory however many there are.
//
// All text is UTF-8 whatever the encoding of the file, without the spaces at its end. Formats before 118 name no
// encoding: it is UTF-8 where all texts are valid in it, otherwise that in which their letters are those of a language,
// or that of Western European Windows. A text of a file in UTF-8 that is not valid there is read in the latter, too.
//
// The reader is tolerant where nothing is lost by it: characteristics (notes, labels in other languages), the order of
// the rows and labels that no variable has are skipped, and what was repaired is listed in [File.Notes]. It is strict
// where a figure could come out wrong: a file that is cut short or inconsistent is refused with a [FormatError], which
// names the place.
//
// Nothing is allocated on the word of a length field alone. What is held for a file is a small multiple of what it says
// about its variables and of one row, whatever its counts claim.
//
// # Values
//
// A number is a value, or one of 27 missing ones: "." is system-missing, and .a to .z are missing for a reason that may
// have a label. Files before format 113 have "." alone. Dates are as ISO 8601 has them by the display format of their
// variable; see [Format.ISO].
package dta
