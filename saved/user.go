package saved

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/crosswave/crosswave/audience"
)

// MaxUserBytes is how long the id of a user may be, in bytes.
const MaxUserBytes = 255

// FirstUserNumber is the first of the numbers that a Store gives to users whose ids are not their own numbers. There is
// room below it for those who count their users, and all that follow can be read as floating-point numbers.
const FirstUserNumber = 1_000_000_000_000

// CheckUser tells whether a text can be the id of a user: 1 to MaxUserBytes bytes of UTF-8 without a zero byte, which
// not every database keeps. Any other is an *audience.InvalidError of the path "user". Nothing else is read into an id:
// " a", "A" and "a" are three users, and "7" and "07" are two.
func CheckUser(user string) error {
	reason := ""
	switch {
	case user == "":
		reason = "a user has an id: any text that is not empty"
	case len(user) > MaxUserBytes:
		reason = fmt.Sprintf("the id of a user has up to %d bytes, this one has %d", MaxUserBytes, len(user))
	case !utf8.ValidString(user):
		reason = fmt.Sprintf("the id of a user is UTF-8, and %q is not", user)
	case strings.ContainsRune(user, 0):
		reason = fmt.Sprintf("%q holds a zero byte", user)
	default:
		return nil
	}
	return &audience.InvalidError{Path: "user", Reason: reason}
}

// OwnNumber is the number of a user whose id is one: a whole number from 1 to FirstUserNumber - 1 in decimals, without
// zeros or a sign before it. No other user ever gets that number, so it needs no record. For other ids ok is false.
func OwnNumber(user string) (number int64, ok bool) {
	number, err := strconv.ParseInt(user, 10, 64)
	if err != nil || number < 1 || number >= FirstUserNumber || strconv.FormatInt(number, 10) != user {
		return 0, false
	}
	return number, true
}
