// Package sheet writes crosstabs and profiles as workbooks (.xlsx), as researchers send them: a sheet a table, with a
// banner of columns, base rows, formats, a heat map of the index, letters and marks, ready for the printer; before them
// a sheet of contents with links, behind them a sheet of notes.
//
// A figure is a number in its cell, to the last digit that it has; what tells how sure it is has twelve, as over HTTP.
// Percentages stay from 0 to 100, and what stands behind them (%, marks of small bases and of differences) is in the
// format of the cell. A cell that was not measured has a dash, and one that is withheld says so. Texts are texts,
// whatever they begin with: nothing in a workbook is a formula.
//
// It is the only package that links excelize, and nothing that can do without workbooks imports it.
package sheet
