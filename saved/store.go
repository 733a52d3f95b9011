package saved

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/crosswave/crosswave/audience"
)

// Create saves a new audience of a user. A name and an expression are required. Errors are those of Apply and
// CheckUser, and *QuotaError.
func Create(ctx context.Context, st Store, o Options, user string, p Patch) (Audience, error) {
	switch {
	case p.Name == nil:
		return Audience{}, &audience.InvalidError{Path: "name", Reason: "a new audience needs a name"}
	case p.Expression == nil:
		return Audience{}, &audience.EmptyError{Path: "expression"}
	}
	if err := CheckUser(user); err != nil {
		return Audience{}, err
	}
	p, err := p.place(ctx, st, user)
	if err != nil {
		return Audience{}, err
	}
	a, err := Apply(Audience{User: user, FolderID: NoFolder, Flags: []string{}}, p, o)
	if err != nil {
		return Audience{}, err
	}
	a.Created, a.ID = a.Updated, newID()
	if o.NewID != nil {
		a.ID = o.NewID()
	}
	if err := o.Quota.check(ctx, st, user, &a, 0); err != nil {
		return Audience{}, err
	}
	return st.InsertSaved(ctx, a)
}

// Read returns an audience that the user owns or that is shared; audience.ErrNotFound for any other.
func Read(ctx context.Context, st Store, user string, id string) (Audience, error) {
	a, err := st.Saved(ctx, strings.ToLower(id))
	if err == nil && a.User != user && !a.Shared {
		err = fmt.Errorf("saved audience %s: %w", a.ID, audience.ErrNotFound)
	}
	if err != nil {
		return Audience{}, err
	}
	return a, nil
}

// own is Read for someone who wants to change the audience.
func own(ctx context.Context, st Store, user string, id string, versions []int64) (Audience, error) {
	a, err := Read(ctx, st, user, id)
	switch {
	case err != nil:
		return a, err
	case a.User != user:
		return a, ErrNotYours
	case versions != nil && !slices.Contains(versions, a.Version):
		return a, fmt.Errorf("%w: it is at version %d", ErrPrecondition, a.Version)
	}
	return a, nil
}

// maxAttempts is how often a change is tried anew because another one came between. Each time one of those who compete
// gets through, so that even many of them are never all turned away.
const maxAttempts = 256

// Update applies a patch to an audience of the user. versions, if not nil, are those that the caller insists on:
// ErrPrecondition if the current one is not among them. Otherwise updates that come between are kept and the patch is
// applied on top of them. A patch of nothing writes nothing. Errors are audience.ErrNotFound, ErrNotYours,
// ErrPrecondition, ErrConflict, *QuotaError and those of Apply.
func Update(ctx context.Context, st Store, o Options, user string, id string, versions []int64, p Patch) (Audience,
	error) {
	p, err := p.place(ctx, st, user)
	if err != nil {
		return Audience{}, err
	}
	for range maxAttempts {
		a, err := own(ctx, st, user, id, versions)
		if err != nil {
			return Audience{}, err
		}
		if p.Empty() {
			return a, nil
		}
		changed, err := Apply(a, p, o)
		if err != nil {
			return Audience{}, err
		}
		if err := o.Quota.check(ctx, st, user, &changed, Size(&a)); err != nil {
			return Audience{}, err
		}
		now, err := st.ReplaceSaved(ctx, changed, a.Version)
		if !errors.Is(err, ErrConflict) {
			return now, err
		}
	}
	return Audience{}, ErrConflict
}

// Delete removes an audience of the user; versions and errors as of Update.
func Delete(ctx context.Context, st Store, user string, id string, versions []int64) error {
	for range maxAttempts {
		a, err := own(ctx, st, user, id, versions)
		if err != nil {
			return err
		}
		if err := st.DeleteSaved(ctx, a.ID, a.Version); !errors.Is(err, ErrConflict) {
			return err
		}
	}
	return ErrConflict
}

// Filter picks audiences from a list; the zero Filter picks all.
type Filter struct {
	FolderID string   // those in this folder of the user; NoFolder: those in none
	Flags    []string // those that carry any of these
	// Of those that are picked, a page is listed: as many as Limit from Offset on. Limit 0 is all.
	Limit, Offset int
}

// List returns the audiences that the user owns or that are shared, by position, then id, those of one page, and how
// many there are on all pages. A folder id that is no UUID, a flag that there is not and a page below 0 are
// *audience.InvalidError.
func List(ctx context.Context, st Store, user string, f Filter) (page []Audience, total int, err error) {
	f.FolderID = strings.ToLower(f.FolderID)
	if f.FolderID != "" {
		if err := checkUUID("folder_id", f.FolderID); err != nil {
			return nil, 0, err
		}
	}
	if err := checkFlags(f.Flags); err != nil {
		return nil, 0, err
	}
	switch {
	case f.Limit < 0:
		return nil, 0, &audience.InvalidError{Path: "limit", Reason: fmt.Sprintf("%d is below 0", f.Limit)}
	case f.Offset < 0:
		return nil, 0, &audience.InvalidError{Path: "offset", Reason: fmt.Sprintf("%d is below 0", f.Offset)}
	}
	if p, ok := st.(Pager); ok {
		return p.SavedPage(ctx, user, f)
	}
	all, err := st.SavedFor(ctx, user)
	if err != nil {
		return nil, 0, err
	}
	all = slices.DeleteFunc(all, func(a Audience) bool { return !f.picks(user, &a) })
	page = all[min(f.Offset, len(all)):]
	if f.Limit > 0 {
		page = page[:min(f.Limit, len(page))]
	}
	return page, len(all), nil
}

func (f *Filter) picks(user string, a *Audience) bool {
	return (f.FolderID == "" || f.FolderID == a.FolderID && (a.User == user || f.FolderID == NoFolder)) &&
		(len(f.Flags) == 0 || slices.ContainsFunc(f.Flags, func(flag string) bool { return slices.Contains(a.Flags, flag) }))
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

// newID makes a random UUID (RFC 9562, version 4).
func newID() string {
	var b [16]byte
	rand.Read(b[:]) // never fails
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}
