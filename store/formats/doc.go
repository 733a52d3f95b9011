// Package formats opens survey files of every format that the project reads, and writes those it writes.
//
// [Open] looks at what a file holds, not at its name: SPSS system files (.sav, .zsav), Stata files (.dta of Stata 4 to
// 18), Triple-S definitions with the data beside them, CSV in any common encoding and with any common separator, sheets
// of Excel workbooks (.xlsx, and .xls of Excel 5.0 to 2003), and Parquet; each packed with gzip, as the one survey file
// of a zip archive, or not at all. Whatever the format, an opened [File] is a table of texts with what the format says
// about its columns. A codebook makes a survey of it ([File.Source]); package guess makes one ([File.Guess]), unless
// the file brings one along ([File.Codebook]). A sheet of a workbook that describes the columns of the one that is
// read, as codebooks and lists of variables do, gives them their labels, and those of their values.
//
// What a Stata file has in place of an answer, .a to .z, stands so in the table, and is missing as values are that an
// SPSS file declares as missing; "." is no value.
//
// [Export] is the other direction: it writes any [survey.Source] as .sav, as Triple-S or as CSV, each with the codebook
// that reads it back: inside the .sav, beside the others as FILE.codebook.json. Every figure survives the way there and
// back.
package formats
