package saved

import (
	"context"
	"fmt"
)

// Quota bounds what one user may keep; 0 is no bound.
type Quota struct {
	Audiences int
	Bytes     int64 // of all the user's audiences together, as Size has them
}

// QuotaError is returned for a change that would have a user keep more than Options.Quota allows.
type QuotaError struct {
	Of    string // audiences or bytes
	Limit int64
}

func (e *QuotaError) Error() string {
	what := "audiences"
	if e.Of == "bytes" {
		what = "bytes of audiences"
	}
	return fmt.Sprintf("a user may save at most %d %s: delete some that are not needed any more", e.Limit, what)
}

// Size is how many bytes an audience counts for: those of its texts.
func Size(a *Audience) int64 {
	n := len(a.Name) + len(a.Description) + len(a.Expression.JSON)
	for _, d := range a.Datasets {
		n += len(d)
	}
	return int64(n)
}

// Sizer is a Store that tells how many audiences a user owns, and how many bytes they come to, without reading all of
// them. A Store need not be one; bytes may be a little off what Size comes to.
type Sizer interface {
	SavedSize(ctx context.Context, user string) (audiences int, bytes int64, err error)
}

// Pager is a Store that lists a page of what SavedFor lists without reading all of it: those that a filter picks, which
// List has checked, from Offset on, Limit of them or all, and how many it picks on all pages. A Store need not be one;
// one that embeds another and lists otherwise than that must be one itself.
type Pager interface {
	SavedPage(ctx context.Context, user string, f Filter) (page []Audience, total int, err error)
}

// check is a *QuotaError if the user would keep too much with a, that was of so many bytes before; 0 is a new one. Two
// changes at the same moment may both find room for one.
func (q Quota) check(ctx context.Context, st Store, user string, a *Audience, before int64) error {
	more := Size(a) - before
	if q == (Quota{}) || before > 0 && more <= 0 {
		return nil
	}
	n, bytes, err := SizeOf(ctx, st, user)
	switch {
	case err != nil:
		return err
	case q.Audiences > 0 && before == 0 && n >= q.Audiences:
		return &QuotaError{"audiences", int64(q.Audiences)}
	case q.Bytes > 0 && bytes+more > q.Bytes:
		return &QuotaError{"bytes", q.Bytes}
	}
	return nil
}

// SizeOf is how many audiences a user owns, and how many bytes they come to, as a Quota counts them. A Store that is no
// Sizer is read for it.
func SizeOf(ctx context.Context, st Store, user string) (audiences int, bytes int64, err error) {
	if s, ok := st.(Sizer); ok {
		return s.SavedSize(ctx, user)
	}
	all, err := st.SavedFor(ctx, user)
	for i := range all {
		if all[i].User == user {
			audiences++
			bytes += Size(&all[i])
		}
	}
	return audiences, bytes, err
}
