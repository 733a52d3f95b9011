// Package sss reads and writes Triple-S, the survey interchange format of the market research world: versions 1.1, 1.2
// and 2.0 of its XML form, with fixed-width or CSV data. It knows the format and nothing of what a survey is used for.
//
// # A survey in two files
//
// The definition (.sss or .xml) lists the variables of one record and where each stands in it; the data (.asc, .dat or
// .csv) holds one record per respondent, here called a case. [ParseDefinition] reads the first, [Open] joins it with
// the second, and [Reader.Cases] streams the cases: one is held at a time, so memory doesn't grow with their number.
//
//	def, err := sss.ParseDefinition(definition)
//	r, err := sss.Open(def, data, sss.Options{})
//	for c, err := range r.Cases() {
//		// c.Data[i] is what the case says of def.Record.Variables[i]
//	}
//	notes := r.Notes()
//
// [Write] is the other direction.
//
// # What a case says
//
// A [Datum] tells an answer from none: Present is false where the record has blanks. Zero is an answer, and so is "none
// of these" (a multiple whose positions are all 0). Numbers are never turned into floating point; they are decimal text
// with every decimal the file has. Codes are compared as whole numbers (07 is 7) unless the variable says its codes are
// literal.
//
// # What is refused, and what is put up with
//
// Refused, with a typed error that names the line or the row, the variable and the columns: hierarchies (several levels
// of records that belong together), the form of Triple-S from before XML, a definition that contradicts itself, and a
// field that cannot be read as its variable's type. [Options.Lenient] makes the last of these a note.
//
// Put up with and counted: codes and numbers that the definition doesn't list ([Reader.Notes]), and elements,
// attributes and values of the definition that nothing here uses or that break a rule without making the data
// unreadable ([Definition.Notes]). A note never changes an answer.
//
// # Encodings
//
// The definition's comes from its byte order mark, else from its XML prolog, else it is UTF-8. The data's comes, in
// this order, from Options, the data's byte order mark, the record element (encoding, data-file-encoding) and the
// definition's prolog. Where none of these says anything, or the prolog says UTF-16 and the data clearly isn't, each
// record is UTF-8 if it is valid as such and Windows-1252 otherwise. ISO-8859-1 is read as Windows-1252, which has all
// its text and more. DTDs are skipped, and nothing that they name is ever fetched.
//
// # Limits
//
// A definition may have 32 MiB and 64 levels of elements, a record 16 MiB, one bitstring 65,536 positions and all
// multiples together 524,288. They bound the memory that hostile files can claim; surveys stay far below.
package sss
