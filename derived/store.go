package derived

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/crosswave/crosswave/audience"
)

// Create defines a new question of a user. A code and datapoints are required. Errors are those of Update, ErrTaken and
// *QuotaError.
func Create(ctx context.Context, st Store, o Options, user string, p Patch) (Question, error) {
	switch {
	case p.Code == nil:
		return Question{}, &audience.InvalidError{Path: "code", Reason: "a new question needs a code"}
	case p.Datapoints == nil:
		return Question{}, &audience.InvalidError{Path: "datapoints", Reason: "a new question needs datapoints"}
	}
	if err := checkCode(*p.Code); err != nil {
		return Question{}, err
	}
	if err := p.shape(Question{Code: *p.Code}); err != nil {
		return Question{}, err
	}
	all, err := st.DerivedFor(ctx, user)
	if err != nil {
		return Question{}, err
	}
	_, err = st.Derived(ctx, *p.Code)
	if err != nil && !errors.Is(err, audience.ErrNotFound) {
		return Question{}, err
	}
	if asked, several := o.Frame.Question(*p.Code); err == nil || asked >= 0 || several != nil {
		return Question{}, fmt.Errorf("%q: %w", *p.Code, ErrTaken)
	}
	q, err := p.apply(Question{Code: *p.Code, Name: *p.Code, User: user}, all, o)
	if err != nil {
		return Question{}, err
	}
	if err := o.Quota.check(all, &q, 0); err != nil {
		return Question{}, err
	}
	q.Created = q.Updated
	return q, st.InsertDerived(ctx, q)
}

// Read returns a question that the user owns or that is shared and that the caller may use; audience.ErrNotFound for
// any other. The frame is the caller's, extended by Definitions.
func Read(ctx context.Context, st Store, f *audience.Frame, user, code string) (Question, error) {
	q, err := st.Derived(ctx, code)
	if err == nil && !visible(f, user, &q) {
		err = fmt.Errorf("derived question %q: %w", code, audience.ErrNotFound)
	}
	if err != nil {
		return Question{}, err
	}
	return q, nil
}

// visible tells whether a user sees a question: their own, and of those that are shared what the frame has, which is
// the caller's.
func visible(f *audience.Frame, user string, q *Question) bool {
	return q.User == user || q.Shared && Usable(f, q)
}

// Usable tells whether a frame that was extended has a question.
func Usable(f *audience.Frame, q *Question) bool {
	i := f.QuestionIn(q.Namespace, q.Code)
	return i >= 0 && f.Derived(i)
}

// own is Read for someone who wants to change the question.
func own(ctx context.Context, st Store, f *audience.Frame, user, code string, versions []int64) (Question, error) {
	q, err := Read(ctx, st, f, user, code)
	switch {
	case err != nil:
		return q, err
	case q.User != user:
		return q, ErrNotYours
	case versions != nil && !slices.Contains(versions, q.Version):
		return q, fmt.Errorf("%w: it is at version %d", ErrPrecondition, q.Version)
	}
	return q, nil
}

// maxAttempts is how often a change is tried anew because another one came between.
const maxAttempts = 256

// Update applies a patch to a question of the user. versions, if not nil, are those that the caller insists on:
// ErrPrecondition if the current one is not among them. A patch of nothing writes nothing. Errors are
// audience.ErrNotFound, ErrNotYours, ErrPrecondition, ErrConflict, *QuotaError, *InUseError, and with the path of the
// member *audience.InvalidError, also for questions that read each other in a circle, *audience.EmptyError,
// *audience.ComplexError, *audience.UnavailableError and *audience.IncompatibleError.
func Update(ctx context.Context, st Store, o Options, user, code string, versions []int64, p Patch) (Question, error) {
	for range maxAttempts {
		all, err := st.DerivedFor(ctx, user)
		if err != nil {
			return Question{}, err
		}
		q, err := own(ctx, st, o.Frame.Extend(keyOf(all), definitions(all)), user, code, versions)
		if err != nil {
			return Question{}, err
		}
		changed, err := p.apply(q, all, o)
		switch {
		case err != nil:
			return Question{}, err
		case p.Empty():
			return q, nil
		}
		if err := o.Quota.check(all, &changed, Size(&q)); err != nil {
			return Question{}, err
		}
		if err := takenAway(ctx, st, &q, &changed); err != nil {
			return Question{}, err
		}
		if err = st.ReplaceDerived(ctx, changed, q.Version); !errors.Is(err, ErrConflict) {
			return changed, err
		}
	}
	return Question{}, ErrConflict
}

// Delete removes a question of the user; the frame is as of Read, versions and errors are as of Update. One that
// anything names stays: *InUseError.
func Delete(ctx context.Context, st Store, f *audience.Frame, user, code string, versions []int64) error {
	for range maxAttempts {
		q, err := own(ctx, st, f, user, code, versions)
		if err != nil {
			return err
		}
		if err := inUse(ctx, st, &q, nil, func(Reader) bool { return true }); err != nil {
			return err
		}
		if err := st.DeleteDerived(ctx, code, q.Version); !errors.Is(err, ErrConflict) {
			return err
		}
	}
	return ErrConflict
}

// takenAway is an *InUseError if a change takes something away that is in use: datapoints from whoever names them, or
// all of the question from others, and from what its owner shares.
func takenAway(ctx context.Context, st Store, before, now *Question) error {
	var gone []string
	for _, d := range before.Datapoints {
		if !slices.ContainsFunc(now.Datapoints, func(left Datapoint) bool { return left.Code == d.Code }) {
			gone = append(gone, d.Code)
		}
	}
	if len(gone) > 0 {
		if err := inUse(ctx, st, before, gone, func(Reader) bool { return true }); err != nil {
			return err
		}
	}
	if before.Shared && !now.Shared {
		return inUse(ctx, st, before, nil, func(r Reader) bool {
			return r.User != before.User || r.Kind == QuestionReader && r.Shared
		})
	}
	return nil
}

// inUse is an *InUseError if anything of what counts names the question, or any of the datapoints if some are given.
// What others own is named to the question's owner if it's shared, else it is only told that there is something.
func inUse(ctx context.Context, st Store, q *Question, datapoints []string, counts func(Reader) bool) error {
	readers, err := st.DerivedReaders(ctx, q.Code)
	if err != nil {
		return err
	}
	used := &InUseError{Code: q.Code, Datapoints: datapoints}
	for _, r := range readers {
		switch {
		case r.Code == q.Code || !names(r.Exprs, q.Code, datapoints) || !counts(r):
		case r.User != q.User && !r.Shared:
			used.Others = true
		case r.Kind == AudienceReader:
			used.Names = append(used.Names, fmt.Sprintf("audience %q", r.Name))
		default:
			used.Names = append(used.Names, fmt.Sprintf("derived question %q", r.Code))
		}
	}
	if len(used.Names) == 0 && !used.Others {
		return nil
	}
	return used
}

// List returns the questions that the user owns, or that are shared and the caller may use, by code, limit of them from
// offset on, 0 being all, and how many there are on all pages. The frame is the caller's, extended by Definitions.
func List(ctx context.Context, st Store, f *audience.Frame, user string, limit, offset int) (page []Question, total int,
	err error) {
	switch {
	case limit < 0:
		return nil, 0, &audience.InvalidError{Path: "limit", Reason: fmt.Sprintf("%d is below 0", limit)}
	case offset < 0:
		return nil, 0, &audience.InvalidError{Path: "offset", Reason: fmt.Sprintf("%d is below 0", offset)}
	}
	all, err := st.DerivedFor(ctx, user)
	if err != nil {
		return nil, 0, err
	}
	all = slices.DeleteFunc(all, func(q Question) bool { return !visible(f, user, &q) })
	page = all[min(offset, len(all)):]
	if limit > 0 {
		page = page[:min(limit, len(page))]
	}
	return page, len(all), nil
}
