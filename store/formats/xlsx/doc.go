// Package xlsx reads the sheets of Excel workbooks (.xlsx, .xlsm), whoever made them, row by row.
//
// [Open] reads what a workbook says of its sheets and formats, and [Book.Rows] streams the rows of one of them as text:
// texts as they are, numbers with the 15 digits that Excel shows, dates and times by the format of their cell (as
// 2024-03-31, 2024-03-31 18:30:00 or 18:30:00), truth as TRUE and FALSE. A formula is what it came to when the
// workbook was saved. Errors such as #N/A are no values; they are counted, and [Notices] tells of them. Line breaks
// in a cell are line feeds.
//
// Memory does not grow with the number of rows. The texts that a workbook keeps in one place for all cells are held, up
// to 16 MiB or twelve times the size of the file: what would take more is refused, and so is a part that unpacks to
// next to nothing but repetition. Everything that is wrong with a workbook is an [Error], which names the part and the
// cell.
package xlsx
