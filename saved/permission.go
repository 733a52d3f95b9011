package saved

import (
	"errors"
	"slices"

	"github.com/crosswave/crosswave/audience"
)

// What a caller may do with an audience's expression.
const (
	Accessible   = "accessible"
	Inaccessible = "inaccessible"        // some codes in it are not for this caller
	Unknown      = "containsUnknownData" // some codes in it are no longer there
)

// Permission tells whether the caller may count the audience: whole is the frame of all there is, mine the caller's.
// The codes that stand in the way are listed: a question whose suffixes are gone, or to whose code several namespaces
// answer by now, is listed whole.
func Permission(a Audience, whole, mine *audience.Frame) (string, *audience.UnavailableError) {
	if missing := unavailable(a.Expression.Expr, whole); missing != nil {
		return Unknown, missing
	}
	if missing := unavailable(a.Expression.Expr, mine); missing != nil {
		return Inaccessible, missing
	}
	return Accessible, nil
}

// unavailable lists the codes of x that f does not have or hides; nil if there are none.
func unavailable(x audience.Expr, f *audience.Frame) *audience.UnavailableError {
	found := new(audience.UnavailableError)
	errors.As(f.Check(nil, nil, audience.Use{Origin: "expression", Expr: x}), &found)
	audience.Walk(x, func(x audience.Expr) bool {
		leaf, ok := x.(audience.Answers)
		if !ok {
			return true
		}
		fault := (*audience.InvalidError)(nil)
		listed := func(q audience.UnavailableQuestion) bool { return q.Code == leaf.Question }
		if errors.As(f.Check(nil, nil, audience.Use{Expr: leaf}), &fault) && !slices.ContainsFunc(found.Questions, listed) {
			found.Questions = append(found.Questions, audience.UnavailableQuestion{Code: leaf.Question, Origin: "expression"})
		}
		return true
	})
	if found.Empty() {
		return nil
	}
	return found
}
