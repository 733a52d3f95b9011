package guess_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/crosswave/crosswave/store/guess"
)

// Many things that few respondents rated are one grid, though not all steps of the scale are taken in each; under
// codes with numbers they are not, nor where each ends at another number.
func TestFewRespondentsRate(t *testing.T) {
	const respondents = 26
	things := strings.Fields("Java Python Ruby Rust React Angular Vue Django Rails Cloud Linux Windows Networks Tableau")
	for _, c := range []struct {
		name string
		of   func(k int) string
		top  func(k int) int
		as   string
	}{
		{"things", func(k int) string { return things[k] }, func(k int) int { return 5 - k%5/3 }, "grid Java"},
		{"codes", func(k int) string { return fmt.Sprintf("%c%d", 'A'+k, k%3) }, func(k int) int { return 5 - k%5/3 },
			"single"},
		{"other ends", func(k int) string { return things[k] }, func(k int) int { return 4 + k%5 }, "single"},
	} {
		t.Run(c.name, func(t *testing.T) {
			header, columns := "id", []func(int) string{count(1)}
			for k := range things {
				header += "|" + c.of(k)
				columns = append(columns, func(i int) string { return fmt.Sprint(c.top(k) - (i*(k+3)+i/4)%3) })
			}
			got := readings(guessed(t, repeated(respondents, header, columns...).file(), guess.Options{}))
			for k := range things {
				if as := got[c.of(k)]; !strings.HasPrefix(as, c.as) {
					t.Errorf("%s is read as %q, not %q", c.of(k), as, c.as)
				}
			}
		})
	}
}
