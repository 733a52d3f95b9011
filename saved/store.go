package saved

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"slices"

	"github.com/crosswave/crosswave/audience"
)

// Create saves a new audience of a user. A name and an expression are required.
func Create(ctx context.Context, st Store, w World, user int64, p Patch) (Audience, error) {
	switch {
	case p.Name == nil:
		return Audience{}, &audience.InvalidError{Path: "name", Reason: "a new audience needs a name"}
	case p.Expression == nil:
		return Audience{}, &audience.EmptyError{Path: "expression"}
	}
	if err := p.place(ctx, st); err != nil {
		return Audience{}, err
	}
	a, err := Apply(Audience{ID: newID(), User: user, FolderID: NoFolder, Flags: []string{}, Created: w.Now}, p, w)
	if err != nil {
		return Audience{}, err
	}
	return st.InsertSaved(ctx, a)
}

// Read returns an audience that the user owns or that is shared; audience.ErrNotFound for any other.
func Read(ctx context.Context, st Store, user int64, id string) (Audience, error) {
	a, err := st.Saved(ctx, id)
	if err != nil {
		return Audience{}, err
	}
	if a.User != user && !a.Shared {
		return Audience{}, fmt.Errorf("saved audience %s: %w", id, audience.ErrNotFound)
	}
	return a, nil
}

// own is Read for someone who wants to change the audience.
func own(ctx context.Context, st Store, user int64, id string, version int64) (Audience, error) {
	a, err := Read(ctx, st, user, id)
	switch {
	case err != nil:
		return a, err
	case a.User != user:
		return a, ErrNotYours
	case version != 0 && a.Version != version:
		return a, fmt.Errorf("%w: it is at version %d", ErrPrecondition, a.Version)
	}
	return a, nil
}

// maxAttempts is how often Update applies a patch anew because another update came between.
const maxAttempts = 100

// Update applies a patch to an audience of the user. version, if not 0, is the one the caller insists on: ErrPrecondition if it is not the current one. Otherwise
// updates that come between are kept and the patch is applied on top of them.
func Update(ctx context.Context, st Store, w World, user int64, id string, version int64, p Patch) (Audience, error) {
	if err := p.place(ctx, st); err != nil {
		return Audience{}, err
	}
	for range maxAttempts {
		a, err := own(ctx, st, user, id, version)
		if err != nil {
			return Audience{}, err
		}
		if p.Empty() {
			return a, nil
		}
		changed, err := Apply(a, p, w)
		if err != nil {
			return Audience{}, err
		}
		now, err := st.ReplaceSaved(ctx, changed, a.Version)
		if !errors.Is(err, ErrConflict) {
			return now, err
		}
	}
	return Audience{}, ErrConflict
}

// Delete removes an audience of the user; version as in Update.
func Delete(ctx context.Context, st Store, user int64, id string, version int64) error {
	for range maxAttempts {
		a, err := own(ctx, st, user, id, version)
		if err != nil {
			return err
		}
		if err := st.DeleteSaved(ctx, id, a.Version); !errors.Is(err, ErrConflict) {
			return err
		}
	}
	return ErrConflict
}

// Filter picks audiences from a list; the zero Filter picks all.
type Filter struct {
	FolderID string   // those in this folder; NoFolder: those in none
	Flags    []string // those that carry any of these
}

// List returns the audiences that the user owns or that are shared, by position, then id.
func List(ctx context.Context, st Store, user int64, f Filter) ([]Audience, error) {
	all, err := st.SavedFor(ctx, user)
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(all, func(a Audience) bool {
		return f.FolderID != "" && a.FolderID != f.FolderID ||
			len(f.Flags) > 0 && !slices.ContainsFunc(f.Flags, func(flag string) bool { return slices.Contains(a.Flags, flag) })
	}), nil
}

// newID makes a random UUID (RFC 9562, version 4).
func newID() string {
	var b [16]byte
	rand.Read(b[:]) // never fails
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}
