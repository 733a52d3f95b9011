package saved

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/crosswave/crosswave/audience"
)

// Patch is a partial update: nil members are kept.
type Patch struct {
	Name       *string
	Expression *Expression
	Datasets   *[]string
	Flags      *[]string
	Folder     *int64  // v1 number
	FolderID   *string // UUID; NoFolder takes the audience out of its folder
	Position   *float64
	Shared     *bool
}

// Empty tells whether the patch changes nothing.
func (p Patch) Empty() bool { return p == Patch{} }

// Apply returns a with p applied: what was not sent stays, the description and, unless they were set, the datasets follow the expression, the version and the time
// of the update move on. A patch of nothing changes nothing. Errors name the member: *audience.InvalidError, *audience.UnavailableError,
// *audience.IncompatibleError.
func Apply(a Audience, p Patch, w World) (Audience, error) {
	if p.Empty() {
		return a, nil
	}
	if err := p.check(w); err != nil {
		return a, err
	}
	set(&a.Name, p.Name)
	set(&a.Position, p.Position)
	set(&a.Shared, p.Shared)
	set(&a.FolderID, p.FolderID)
	if p.Flags != nil {
		a.Flags = once(*p.Flags)
	}
	if p.Expression != nil {
		a.Expression = *p.Expression
		a.Description = audience.Describe(a.Expression.Expr, w.Frame)
	}
	switch {
	case p.Datasets != nil:
		a.Datasets, a.DatasetsSet = once(*p.Datasets), true
	case p.Expression != nil && !a.DatasetsSet:
		a.Datasets = w.Datasets(a.Expression.Expr)
	}
	a.Updated = w.Now
	a.Version++
	return a, nil
}

func set[T any](to *T, from *T) {
	if from != nil {
		*to = *from
	}
}

func once(list []string) []string {
	out := []string{}
	for _, s := range list {
		if !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return out
}

func (p Patch) check(w World) error {
	if p.Name != nil {
		if n := utf8.RuneCountInString(*p.Name); n < 1 || n > 255 {
			return &audience.InvalidError{Path: "name", Reason: fmt.Sprintf("a name has 1 to 255 characters, this one has %d", n)}
		}
	}
	if p.Flags != nil {
		for i, f := range *p.Flags {
			if !slices.Contains(flags, f) {
				return &audience.InvalidError{Path: fmt.Sprintf("flags[%d]", i), Reason: fmt.Sprintf("%q is no flag: one of %s", f, strings.Join(flags, ", "))}
			}
		}
	}
	if p.Datasets != nil {
		for i, d := range *p.Datasets {
			if !w.Known(d) {
				return &audience.InvalidError{Path: fmt.Sprintf("datasets[%d]", i), Reason: fmt.Sprintf("there is no dataset %q", d)}
			}
		}
	}
	if p.FolderID != nil && !wellFormed(*p.FolderID) {
		return &audience.InvalidError{Path: "folder_id", Reason: fmt.Sprintf("%q is no UUID: write it like %s, or null for no folder", *p.FolderID, NoFolder)}
	}
	if p.Expression == nil {
		return nil
	}
	if p.Expression.Expr == nil {
		return &audience.EmptyError{Path: "expression"}
	}
	if err := w.Frame.Check(nil, nil, audience.Use{Origin: "expression", Expr: p.Expression.Expr}); err != nil {
		return err
	}
	return audience.Spec{Rows: []audience.Expr{p.Expression.Expr}}.Check(w.Frame)
}

// place settles which folder a patch means: folder and folder_id are two names of one.
func (p *Patch) place(ctx context.Context, st Store) error {
	if p.FolderID != nil {
		lower := strings.ToLower(*p.FolderID)
		p.FolderID = &lower
	}
	if p.Folder == nil {
		return nil
	}
	id := NoFolder
	if *p.Folder != 0 {
		f, err := st.Folder(ctx, *p.Folder)
		if errors.Is(err, audience.ErrNotFound) {
			return &audience.InvalidError{Path: "folder", Reason: fmt.Sprintf("there is no folder %d: a new folder is made by a folder_id that was not used before", *p.Folder)}
		}
		if err != nil {
			return err
		}
		id = f.ID
	}
	if p.FolderID != nil && *p.FolderID != id {
		return &audience.InvalidError{Path: "folder", Reason: fmt.Sprintf("folder %d is %s, and folder_id says %s: send one of them", *p.Folder, id, *p.FolderID)}
	}
	p.FolderID = &id
	return nil
}

// wellFormed tells whether s is a UUID in the usual form.
func wellFormed(s string) bool {
	if len(s) != len(NoFolder) {
		return false
	}
	for i, c := range []byte(s) {
		if NoFolder[i] == '-' && c != '-' || NoFolder[i] != '-' && !strings.ContainsRune("0123456789abcdefABCDEF", rune(c)) {
			return false
		}
	}
	return true
}
