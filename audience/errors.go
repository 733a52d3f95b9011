package audience

import (
	"errors"
	"fmt"
	"strings"
)

// ErrChanged is what a Counter returns when the version asked for is gone. Tabulate tries again on the new one.
var ErrChanged = errors.New("the store has changed")

// ErrNotFound is returned for a record that is not there, or that the caller may not see.
var ErrNotFound = errors.New("not found")

// ErrReadOnly is returned for a change to a store that is opened for reading only, or that can't be written to.
var ErrReadOnly = errors.New("the store is opened for reading only")

// ErrFull is returned for a change to a store that has no room left on its disk. Nothing of the change is there; what
// was there can be read.
var ErrFull = errors.New("there is no room left where the store lies")

// ErrNoAnswer is what the errors of a store are (errors.Is) that can't serve for now, but may a while later: its
// servers can't be reached, hang, lack memory, refuse to work, or belong to another store. The text of such an error
// says what whoever runs the store has to do. A time limit that was reached is context.DeadlineExceeded instead.
var ErrNoAnswer = errors.New("the store can't answer for now")

// InvalidError is a request that says something that cannot be meant.
type InvalidError struct {
	Path   string // where: rows[3].expression.and[0].datapoints; "" is the whole request
	Reason string // what is wrong and what would be right
}

func (e *InvalidError) Error() string { return at(e.Path, e.Reason) }

// EmptyError is an audience that does not say who it is.
type EmptyError struct {
	Path string
	ID   string // of the saved audience that it names and that is not there, or not for the caller; "" if it names none
}

func (e *EmptyError) Error() string {
	if e.ID != "" {
		return at(e.Path, fmt.Sprintf("there is no saved audience %q that you may read: check the id, or send an expression",
			e.ID))
	}
	return at(e.Path, `the expression is empty: say who the audience is, or ask for everyone with {"question": "waves"}`)
}

// ComplexError is a request that costs more than the configured limits allow.
type ComplexError struct {
	Path   string
	Reason string
}

func (e *ComplexError) Error() string { return at(e.Path, e.Reason) }

// UnavailableError lists every code of a request that does not exist or that the caller may not use; which of the two
// is not told.
type UnavailableError struct {
	Questions []UnavailableQuestion
	Locations []string // as written, in order of first use
	Waves     []string
}

// UnavailableQuestion is a question that may not be used, whole or in part.
type UnavailableQuestion struct {
	Code       string   // as written
	Datapoints []string // those that may not be used; none: the whole question
	Origin     string   // path of the first use: rows[0], base_audience, question …
}

func (e *UnavailableError) Error() string {
	var parts []string
	for _, q := range e.Questions {
		s := fmt.Sprintf("question %q (in %s)", q.Code, q.Origin)
		if len(q.Datapoints) > 0 {
			s = fmt.Sprintf("datapoints %s of question %q (in %s)", strings.Join(q.Datapoints, ", "), q.Code, q.Origin)
		}
		parts = append(parts, s)
	}
	if len(e.Locations) > 0 {
		parts = append(parts, "locations "+strings.Join(e.Locations, ", "))
	}
	if len(e.Waves) > 0 {
		parts = append(parts, "waves "+strings.Join(e.Waves, ", "))
	}
	return "not available: " + strings.Join(parts, "; ")
}

// Empty tells whether no code is listed.
func (e *UnavailableError) Empty() bool {
	return len(e.Questions)+len(e.Locations)+len(e.Waves) == 0
}

// IncompatibleError is a figure that uses namespaces of which neither is built on the other: no respondent is in both.
type IncompatibleError struct {
	Namespaces []string
	Path       string
}

func (e *IncompatibleError) Error() string {
	return at(e.Path, fmt.Sprintf("namespaces %s have no common respondents: use one of them, or one that is built "+
		"on the other", strings.Join(e.Namespaces, " and ")))
}

// Renamed gives the path of an error of Spec.Check, which knows of base, rows[0] and so on, the name that a request has
// for it: pairs of old and new. Other errors it returns as they are.
func Renamed(err error, names ...string) error {
	rename := strings.NewReplacer(names...).Replace
	var (
		namespaces *IncompatibleError
		invalid    *InvalidError
		empty      *EmptyError
	)
	switch {
	case errors.As(err, &namespaces):
		return &IncompatibleError{Namespaces: namespaces.Namespaces, Path: rename(namespaces.Path)}
	case errors.As(err, &invalid):
		return &InvalidError{Path: rename(invalid.Path), Reason: invalid.Reason}
	case errors.As(err, &empty):
		return &EmptyError{Path: rename(empty.Path), ID: empty.ID}
	}
	return err
}

func at(path, reason string) string {
	if path == "" {
		return reason
	}
	return path + ": " + reason
}
