// Package xls reads the sheets of old Excel workbooks (.xls), whoever made them, row by row: those of Excel 97 to 2003
// and of Excel 5.0 and 95.
//
// [Open] reads what a workbook says of its sheets and formats, and [Book.Rows] streams the rows of one of them as text,
// just as package xlsx does with those of newer workbooks: texts as they are, numbers with the 15 digits that Excel
// shows, dates and times by the format of their cell (as 2024-03-31, 2024-03-31 18:30:00 or 18:30:00), truth as TRUE
// and FALSE. A formula is what it came to when the workbook was saved. Errors such as #N/A are no values; they are
// counted, and [Notices] tells of them. Line breaks in a cell are line feeds.
//
// Rows come in order even where the cells stand in none, as programs leave them that write a column after the other.
// What is encrypted is refused, and so are workbooks of Excel 4 and before, and Office files of other kinds.
//
// Memory does not grow with the number of rows, but where cells stand in no order: then eight bytes a cell are held.
// The texts that a workbook keeps in one place for all cells are held, too. What would take more than 16 MiB or twelve
// times the size of the file for either is refused. Everything that is wrong with a workbook is an [Error], which names
// the part and the cell. One sheet is read at a time, or several by turns.
//
// How the file is laid out is in Microsoft's [MS-CFB] and [MS-XLS], and for Excel 5.0 and 95 in OpenOffice's
// documentation of the format.
package xls
