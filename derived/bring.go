package derived

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/crosswave/crosswave/audience"
)

// Bring puts the derived questions of a codebook into a store, as shared ones: those whose codes are new as a user's
// own, those that are shared already as changes of them. It tells the codes of those that it defined or changed. A code
// that a question has which is not shared is ErrTaken; other errors are those of Create and Update. What can be brought
// is, whatever becomes of the rest, in whichever order they read each other.
func Bring(ctx context.Context, st Store, o Options, user string, list []audience.Definition) (brought []string,
	err error) {
	left := slices.Clone(list)
	for {
		var again []audience.Definition
		var wrong []error
		for _, d := range left {
			changed, err := bring(ctx, st, o, user, d)
			switch {
			case err != nil:
				again, wrong = append(again, d), append(wrong, fmt.Errorf("derived question %q: %w", d.Code, err))
			case changed:
				brought = append(brought, d.Code)
			}
		}
		if len(again) == 0 || len(again) == len(left) {
			return brought, errors.Join(wrong...)
		}
		left = again
	}
}

// bring puts one question into a store, and tells whether anything changed by that.
func bring(ctx context.Context, st Store, o Options, user string, d audience.Definition) (changed bool, err error) {
	shared, points := true, []Datapoint{}
	for _, p := range d.Datapoints {
		points = append(points, Datapoint{Code: p.Code, Name: p.Name, JSON: audience.Print(p.Expr), Expr: p.Expr})
	}
	p := Patch{Code: &d.Code, Description: &d.Description, Datapoints: &points, Shared: &shared}
	if d.Name != "" {
		p.Name = &d.Name
	}
	q, err := st.Derived(ctx, d.Code)
	switch {
	case errors.Is(err, audience.ErrNotFound):
		_, err = Create(ctx, st, o, user, p)
		return err == nil, err
	case err != nil:
		return false, err
	case !q.Shared:
		return false, ErrTaken
	case (d.Name == "" || q.Name == d.Name) && q.Description == d.Description && slices.EqualFunc(q.Datapoints, points,
		func(a, b Datapoint) bool {
			return a.Code == b.Code && a.Name == b.Name && string(audience.Print(a.Expr)) == string(b.JSON)
		}):
		return false, nil
	}
	_, err = Update(ctx, st, o, q.User, d.Code, nil, p)
	return err == nil, err
}
