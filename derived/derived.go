// Package derived keeps derived questions: questions that nobody was asked, and whose answers are expressions over
// those that people were. A net is one ("any spirit"), a recode ("young", "old"), bands of a number, or several
// questions in one. Wherever a question's code may stand, that of a derived question may.
//
// The records are plain values. [Create], [Read], [Update], [Delete] and [List] work on a [Store], which replaces a
// record only if it still has the version that was read. [Definitions] are what a frame is extended with (see
// audience.Frame.Extend), for one user: their own questions and those that are shared.
//
// A code means one thing in a store: no two derived questions have the same, whoever they belong to, and none that of a
// question of the survey. Should the survey get a question of that code later, the code is the survey's: the derived
// question can't be used, and [Problems] tells so.
//
// A change makes a new version, which all that name the question read from then on. What others name can't be taken
// away from them: a question, or a datapoint, that is in use is not removed, nor made private.
package derived

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/crosswave/crosswave/audience"
)

// MostDatapoints is how many answers a derived question may have.
const MostDatapoints = 1000

var (
	// ErrNotYours is returned for a change to a question that another user shares.
	ErrNotYours = errors.New("the derived question belongs to another user, who shares it")
	// ErrConflict is returned by a Store whose record has another version than the one to be replaced, and by Update and
	// Delete if that never ends.
	ErrConflict = errors.New("the derived question was changed meanwhile")
	// ErrPrecondition is returned if the caller insists on versions and the current one is none of them.
	ErrPrecondition = errors.New("the derived question has another version than the one asked for")
	// ErrTaken is returned for a code that another question has, which need not be for the caller: one of the survey, or
	// a derived one.
	ErrTaken = errors.New("there is a question of that code: each has a code of its own")
)

// Question is a derived question.
type Question struct {
	Code        string // 1 to 64 letters, digits, - and _; it never changes
	Namespace   string // the deepest that its expressions use; it never changes
	Name        string
	Description string
	Datapoints  []Datapoint
	User        string // the owner; see saved.CheckUser
	Shared      bool
	Created     time.Time // UTC
	Updated     time.Time // UTC; each change moves it
	Version     int64     // from 1; each change makes it one more
}

// Datapoint is an answer of a derived question.
type Datapoint struct {
	Code string
	Name string
	JSON []byte // the expression as the user wrote it, on one line; nil: as audience.Print writes Expr
	Expr audience.Expr
}

// Definition is what a frame is extended with.
func (q *Question) Definition() audience.Definition {
	d := audience.Definition{Namespace: q.Namespace, Code: q.Code, Name: q.Name, Description: q.Description}
	for _, p := range q.Datapoints {
		d.Datapoints = append(d.Datapoints, audience.DefinedDatapoint{Code: p.Code, Name: p.Name, Expr: p.Expr})
	}
	return d
}

// Store keeps the records. Every change is on disk when the method returns. Implementations are safe for concurrent
// use.
type Store interface {
	// Derived returns the question with a code, whoever owns it; audience.ErrNotFound if there is none.
	Derived(ctx context.Context, code string) (Question, error)
	// DerivedFor lists the questions that a user owns or that are shared, by code.
	DerivedFor(ctx context.Context, user string) ([]Question, error)
	// DerivedReaders lists what may name the question with a code: saved audiences and derived questions whose
	// expressions hold it as a text, whoever owns them.
	DerivedReaders(ctx context.Context, code string) ([]Reader, error)
	// InsertDerived puts in a new question; ErrTaken if its code is there.
	InsertDerived(ctx context.Context, q Question) error
	// ReplaceDerived puts q in the place of the record with the same code if that has the given version, else returns
	// ErrConflict, also where there is no such record. The owner and the time of creation stay as they were, whatever q
	// says.
	ReplaceDerived(ctx context.Context, q Question, version int64) error
	// DeleteDerived removes the question if it has the given version, else returns ErrConflict.
	DeleteDerived(ctx context.Context, code string, version int64) error
}

// Reader is a record whose expressions may name a derived question.
type Reader struct {
	Kind   string // audience or question
	User   string // the owner
	Name   string
	Code   string // of a question
	Shared bool
	Exprs  []audience.Expr
}

// The kinds of a Reader.
const (
	AudienceReader = "audience"
	QuestionReader = "question"
)

// Options say what a change is held against and stamped with. Frame is required.
type Options struct {
	Frame *audience.Frame // what the caller may use, without derived questions
	Now   time.Time       // when the change is made
	Quota Quota           // what a user may keep
}

// Definitions are what a frame is extended with for a user, and a key that stands for just these, "" for none.
func Definitions(ctx context.Context, st Store, user string) (key string, list []audience.Definition, err error) {
	all, err := st.DerivedFor(ctx, user)
	if err != nil || len(all) == 0 {
		return "", nil, err
	}
	return keyOf(all), definitions(all), nil
}

// keyOf stands for just these questions at just these versions.
func keyOf(all []Question) string {
	var b strings.Builder
	for i := range all {
		fmt.Fprintf(&b, "%s@%d@%d ", all[i].Code, all[i].Version, all[i].Created.UnixNano())
	}
	return b.String()
}

func definitions(all []Question) []audience.Definition {
	list := make([]audience.Definition, len(all))
	for i := range all {
		list[i] = all[i].Definition()
	}
	return list
}

// Problem is a derived question that can't be used.
type Problem struct {
	Code  string
	Cause error // as audience.Frame.CheckDefinitions tells it
}

// Problems are those of the questions that can't be used in a frame beside each other: what they read is gone, or the
// survey has a question of their code by now.
func Problems(f *audience.Frame, all []Question) (list []Problem) {
	_, faults := f.CheckDefinitions(definitions(all))
	for i, fault := range faults {
		if fault != nil {
			list = append(list, Problem{all[i].Code, fault})
		}
	}
	return list
}

// InUseError is returned for a change that would take a question, or an answer of it, away from what names it.
type InUseError struct {
	Code       string
	Datapoints []string // that would be taken away; none: all of the question
	Names      []string // of what names it, of the caller's and of what is shared
	Others     bool     // something of other users does, too
}

func (e *InUseError) Error() string {
	what := fmt.Sprintf("derived question %q is in use", e.Code)
	if len(e.Datapoints) > 0 {
		what = fmt.Sprintf("of derived question %q the datapoints %s are in use", e.Code, strings.Join(e.Datapoints, ", "))
	}
	by := slices.Clone(e.Names)
	if e.Others {
		by = append(by, "records of other users")
	}
	return what + ", by " + strings.Join(by, ", ") + ": change those first"
}

// Quota bounds what one user may keep; 0 is no bound.
type Quota struct {
	Questions int
	Bytes     int64 // of all the user's derived questions together, as Size has them
}

// QuotaError is returned for a change that would have a user keep more than Options.Quota allows.
type QuotaError struct {
	Of    string // questions or bytes
	Limit int64
}

func (e *QuotaError) Error() string {
	what := "derived questions"
	if e.Of == "bytes" {
		what = "bytes of derived questions"
	}
	return fmt.Sprintf("a user may define at most %d %s: delete some that are not needed any more", e.Limit, what)
}

// Size is how many bytes a question counts for: those of its texts.
func Size(q *Question) int64 {
	n := len(q.Code) + len(q.Name) + len(q.Description)
	for _, p := range q.Datapoints {
		n += len(p.Code) + len(p.Name) + len(p.JSON)
	}
	return int64(n)
}

// SizeOf is how many derived questions a user owns, and how many bytes they come to, as a Quota counts them.
func SizeOf(ctx context.Context, st Store, user string) (questions int, bytes int64, err error) {
	all, err := st.DerivedFor(ctx, user)
	questions, bytes = sizeOf(all, user)
	return questions, bytes, err
}

func sizeOf(all []Question, user string) (questions int, bytes int64) {
	for i := range all {
		if all[i].User == user {
			questions++
			bytes += Size(&all[i])
		}
	}
	return questions, bytes
}

// check is a *QuotaError if the user, who sees these, would keep too much with q, that was of so many bytes before; 0
// is a new one. Two changes at the same moment may both find room for one.
func (quota Quota) check(all []Question, q *Question, before int64) error {
	more := Size(q) - before
	if before > 0 && more <= 0 {
		return nil
	}
	questions, bytes := sizeOf(all, q.User)
	switch {
	case quota.Questions > 0 && before == 0 && questions >= quota.Questions:
		return &QuotaError{"questions", int64(quota.Questions)}
	case quota.Bytes > 0 && bytes+more > quota.Bytes:
		return &QuotaError{"bytes", quota.Bytes}
	}
	return nil
}
