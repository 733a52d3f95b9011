package derived

import (
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/crosswave/crosswave/audience"
)

// Patch is what is said of a question: all of a new one, or what is to change. Nil members are kept.
type Patch struct {
	Code        *string // of a new question; another than that it has is an error
	Name        *string // 1 to 255 characters; a new question has its code for a name if none is given
	Description *string // up to 4,096 characters
	Datapoints  *[]Datapoint
	Shared      *bool
}

// Empty tells whether the patch changes nothing of a question.
func (p Patch) Empty() bool {
	return p.Name == nil && p.Description == nil && p.Datapoints == nil && p.Shared == nil
}

// apply returns q with p applied; all are what the user sees, which an expression may name. Errors name the member:
// *audience.InvalidError, *audience.EmptyError and *audience.ComplexError for what can't be meant, also for questions
// that read each other in a circle, *audience.UnavailableError for codes that are not there or not for the caller, and
// *audience.IncompatibleError.
func (p Patch) apply(q Question, all []Question, o Options) (Question, error) {
	if err := p.shape(q); err != nil {
		return q, err
	}
	set(&q.Name, p.Name)
	set(&q.Description, p.Description)
	set(&q.Shared, p.Shared)
	if p.Datapoints != nil {
		q.Datapoints = slices.Clone(*p.Datapoints)
		for i := range q.Datapoints {
			if q.Datapoints[i].JSON == nil {
				q.Datapoints[i].JSON = audience.Print(q.Datapoints[i].Expr)
			}
		}
		if err := check(&q, all, o); err != nil {
			return q, err
		}
	}
	if q.Shared {
		if err := sharable(&q, all); err != nil {
			return q, err
		}
	}
	q.Updated = after(q.Updated, o.Now)
	q.Version++
	return q, nil
}

func set[T any](to *T, from *T) {
	if from != nil {
		*to = *from
	}
}

// shape finds what is wrong with a patch of q whatever there is to be read.
func (p Patch) shape(q Question) error {
	invalid := func(path, format string, args ...any) error {
		return &audience.InvalidError{Path: path, Reason: fmt.Sprintf(format, args...)}
	}
	switch {
	case p.Code != nil && *p.Code != q.Code:
		return invalid("code", "the code of a question stays %q: define another question with the new one", q.Code)
	case p.Name != nil && (*p.Name == "" || utf8.RuneCountInString(*p.Name) > 255):
		return invalid("name", "a name has 1 to 255 characters")
	case p.Description != nil && utf8.RuneCountInString(*p.Description) > 4096:
		return invalid("description", "a description has up to 4,096 characters")
	case p.Datapoints == nil:
		return nil
	case len(*p.Datapoints) == 0 || len(*p.Datapoints) > MostDatapoints:
		return invalid("datapoints", "a derived question has 1 to %d datapoints", MostDatapoints)
	}
	for i, d := range *p.Datapoints {
		at := fmt.Sprintf("datapoints[%d]", i)
		switch {
		case d.Code == "" || utf8.RuneCountInString(d.Code) > 255:
			return invalid(at+".code", "a datapoint's code has 1 to 255 characters")
		case utf8.RuneCountInString(d.Name) > 255:
			return invalid(at+".name", "a name has up to 255 characters")
		}
	}
	return nil
}

// checkCode tells whether a new question may have a code.
func checkCode(code string) error {
	letter := func(r rune) bool {
		return r == '-' || r == '_' || '0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z'
	}
	if code == "" || len(code) > 64 || strings.ContainsFunc(code, func(r rune) bool { return !letter(r) }) {
		return &audience.InvalidError{Path: "code",
			Reason: fmt.Sprintf("%q: the code of a derived question has 1 to 64 letters, digits, - and _", code)}
	}
	return nil
}

// check looks at the expressions of q, beside all that the user sees, and gives a new question its namespace. What
// could be used before has to be usable after.
func check(q *Question, all []Question, o Options) error {
	list := definitions(all)
	at := slices.IndexFunc(all, func(other Question) bool { return other.Code == q.Code })
	_, before := o.Frame.CheckDefinitions(list)
	if at < 0 {
		at = len(list)
		list, before = append(list, q.Definition()), append(before, nil)
	} else {
		list[at] = q.Definition()
	}
	f, faults := o.Frame.CheckDefinitions(list)
	if faults[at] != nil {
		return faults[at]
	}
	for i, fault := range faults {
		if fault != nil && before[i] == nil {
			return &audience.InvalidError{Path: "datapoints", Reason: fmt.Sprintf("derived question %q reads this one, and "+
				"could no longer be used: %v", list[i].Code, fault)}
		}
	}
	i, err := f.Question(q.Code)
	if err != nil {
		return err
	}
	q.Namespace = f.Questions[i].Namespace
	return nil
}

// sharable tells whether all that q reads is shared.
func sharable(q *Question, all []Question) error {
	for _, other := range all {
		if !other.Shared && other.Code != q.Code && names(q.expressions(), other.Code, nil) {
			return &audience.InvalidError{Path: "shared", Reason: fmt.Sprintf("the question reads %q, which is not shared: "+
				"share that first", other.Code)}
		}
	}
	return nil
}

func (q *Question) expressions() (all []audience.Expr) {
	for _, d := range q.Datapoints {
		all = append(all, d.Expr)
	}
	return all
}

// names tells whether any of the expressions names a question by its code, with or without a namespace: any of the
// datapoints, or of no matter which if none is listed.
func names(all []audience.Expr, code string, datapoints []string) (found bool) {
	for _, x := range all {
		audience.Walk(x, func(x audience.Expr) bool {
			leaf, ok := x.(audience.Answers)
			if _, bare, dotted := strings.Cut(leaf.Question, "."); ok && (leaf.Question == code || dotted && bare == code) {
				found = found || len(datapoints) == 0 || slices.ContainsFunc(leaf.Datapoints, func(d string) bool {
					return slices.Contains(datapoints, d)
				})
			}
			return !found
		})
	}
	return found
}

// tick is the precision of timestamps: what common readers of RFC 3339 can take.
const tick = time.Microsecond

// after is the time of a change that follows one at last: now, or just after last if the clock has not moved on since.
func after(last, now time.Time) time.Time {
	now = now.UTC().Truncate(tick)
	if !now.After(last) {
		return last.Add(tick)
	}
	return now
}
