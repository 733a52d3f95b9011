package saved

import (
	"errors"

	"github.com/crosswave/crosswave/audience"
)

// What a caller may do with an audience's expression.
const (
	Accessible   = "accessible"
	Inaccessible = "inaccessible"        // some codes in it are not for this caller
	Unknown      = "containsUnknownData" // some codes in it are no longer there
)

// Permission tells whether the caller may count the audience: whole is the frame of all there is, mine the caller's. The codes that stand in the way are listed.
func Permission(a Audience, whole, mine *audience.Frame) (string, *audience.UnavailableError) {
	use := audience.Use{Origin: "expression", Expr: a.Expression.Expr}
	var missing *audience.UnavailableError
	if err := whole.Check(nil, nil, use); errors.As(err, &missing) {
		return Unknown, missing
	}
	if err := mine.Check(nil, nil, use); errors.As(err, &missing) {
		return Inaccessible, missing
	}
	return Accessible, nil
}
