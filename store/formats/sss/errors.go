package sss

import (
	"errors"
	"fmt"
	"strconv"
)

var (
	// ErrHierarchy is what a definition of several levels of records is refused with (elements hierarchy, level and
	// parent of Triple-S 2.0). The definitions that its levels name can each be read on their own.
	ErrHierarchy = errors.New("this is the definition of a hierarchy, whose levels are surveys of their own; " +
		"only surveys of one level can be read: open the definition of one level instead")

	// ErrNotXML is what a file is refused with that is not XML, such as a definition in the Triple-S form from before it.
	ErrNotXML = errors.New("this is not XML; Triple-S definitions are read in their XML form, versions 1.1 to 2.0")
)

// DefinitionError says what is wrong in a definition and where.
type DefinitionError struct {
	Line     int    // of the definition file, from 1; 0 if it concerns no line
	Variable string // its name, or its ident while it has none; empty if it concerns no variable
	Err      error
}

func (e *DefinitionError) Error() string {
	s := "triple-s definition"
	if e.Line > 0 {
		s += ", line " + strconv.Itoa(e.Line)
	}
	if e.Variable != "" {
		s += ", variable " + e.Variable
	}
	return s + ": " + e.Err.Error()
}

func (e *DefinitionError) Unwrap() error { return e.Err }

// DataError says what is wrong in the data and where.
type DataError struct {
	// line of the data file on which the record starts, from 1, header records included; for Write the number of the case
	Row      int
	Variable string // empty if it concerns the whole record
	Column   int    // first character (fixed) or number of the field (CSV), from 1; 0 if it concerns the whole record
	Finish   int    // last character or field; equal to Column for one
	CSV      bool   // whether columns are fields
	Value    string // what stands there, shortened
	Err      error
}

func (e *DataError) Error() string {
	s := "triple-s data, row " + strconv.Itoa(e.Row)
	if e.Variable != "" {
		s += ", variable " + e.Variable
	}
	if e.Column > 0 {
		unit := "column"
		if e.CSV {
			unit = "field"
		}
		if e.Finish > e.Column {
			s += fmt.Sprintf(", %ss %d-%d", unit, e.Column, e.Finish)
		} else {
			s += fmt.Sprintf(", %s %d", unit, e.Column)
		}
	}
	if e.Value != "" {
		s += ": " + strconv.Quote(e.Value)
		return s + " " + e.Err.Error()
	}
	return s + ": " + e.Err.Error()
}

func (e *DataError) Unwrap() error { return e.Err }

// NoteKind is what a Note of the data is about.
type NoteKind string

const (
	// Unlisted is a code, number, date or time that the definition doesn't list. It stays in the case; only a mark in a
	// bitstring at a position of no listed value is left out, as the standard asks.
	Unlisted NoteKind = "unlisted"

	// Unreadable is a field that cannot be read as its variable's type and was taken for missing (Options.Lenient).
	Unreadable NoteKind = "unreadable"

	// BlankRecord is an empty line before the end of fixed data. It is no case.
	BlankRecord NoteKind = "blank record"

	// ByteColumns says that the positions were found to count bytes of UTF-8 instead of characters: records are as long as
	// described only then. Row is the first that shows it; records before it read the same either way.
	ByteColumns NoteKind = "byte columns"
)

// Note is something in the data that was put up with, counted.
type Note struct {
	Kind     NoteKind
	Variable string // empty if it concerns whole records
	Count    int    // how many values or records
	Row      int    // the first of them, as in DataError
	Value    string // what stands there, shortened
}

func (n Note) String() string {
	s := string(n.Kind)
	if n.Variable != "" {
		s = n.Variable + ": " + s
	}
	s += fmt.Sprintf(", %d, first in row %d", n.Count, n.Row)
	if n.Value != "" {
		s += ": " + strconv.Quote(n.Value)
	}
	return s
}

// shorten keeps messages readable and their memory small.
func shorten(s string) string {
	const most = 40
	n := 0
	for i := range s {
		if n++; n > most {
			return s[:i] + "…"
		}
	}
	return s
}
