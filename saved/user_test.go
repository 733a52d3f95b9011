package saved_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/saved"
)

func TestUsers(t *testing.T) {
	for _, test := range []struct {
		user   string
		number int64  // 0: not its own
		err    string // what is wrong with it
	}{
		{"1", 1, ""},
		{"8", 8, ""},
		{"999999999999", saved.FirstUserNumber - 1, ""},
		{"1000000000000", 0, ""},
		{"18446744073709551617", 0, ""},
		{"0", 0, ""},
		{"-5", 0, ""},
		{"+5", 0, ""},
		{"05", 0, ""},
		{" 5", 0, ""},
		{"5.0", 0, ""},
		{"٥", 0, ""},
		{"alice@example.com", 0, ""},
		{"auth0|abc", 0, ""},
		{"\n", 0, ""},
		{strings.Repeat("é", 127) + "e", 0, ""},
		{"", 0, "user: a user has an id: any text that is not empty"},
		{strings.Repeat("é", 128), 0, "user: the id of a user has up to 255 bytes, this one has 256"},
		{"a\xff", 0, `user: the id of a user is UTF-8, and "a\xff" is not`},
		{"a\x00", 0, `user: "a\x00" holds a zero byte`},
	} {
		if n, own := saved.OwnNumber(test.user); n != test.number || own != (test.number != 0) {
			t.Errorf("%q has the number %d (%v), want %d", test.user, n, own, test.number)
		}
		err := saved.CheckUser(test.user)
		if (err == nil) != (test.err == "") || err != nil && err.Error() != test.err {
			t.Errorf("%q: %v, want %q", test.user, err, test.err)
		}
	}
}

// Nothing is saved for whom there is no id.
func TestCreateForNobody(t *testing.T) {
	st := newMemory()
	invalid := (*audience.InvalidError)(nil)
	_, err := saved.Create(t.Context(), st, options(t), "", saved.Patch{Name: ptr("Men"), Expression: expression(men)})
	if !errors.As(err, &invalid) || invalid.Path != "user" || len(st.records) > 0 {
		t.Errorf("%v, %d records", err, len(st.records))
	}
}
