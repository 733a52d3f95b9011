package guess_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/crosswave/crosswave/store/guess"
)

// What no rule holds together is judged by what it has in common, and the reading says so; where next to nothing is in
// common it stays apart, and amounts are no rows.
func TestJudged(t *testing.T) {
	for name, c := range map[string]struct {
		lines string
		want  []string // columns that are judged to be one grid
	}{
		"items that are numbered in front of the time": {`
			sex | | 1=boy 2=girl | 1 / 2 | single
			s1_1 | | 1=Not_true 2=Somewhat 3=True | 1 / 2 / 3 | grid
			s2_1 | | 1=Not_true 2=Somewhat 3=True | 2 / 3 / 1 | grid
			s3_1 | | 1=Not_true 2=Somewhat 3=True | 3 / 1 / 2 | grid
			s4_1 | | 1=Not_true 2=Somewhat 3=True | 1 / 3 / 2 | grid
			s5_1 | | 1=Not_true 2=Somewhat 3=True | 2 / 1 / 3 | grid
			s6_1 | | 1=Not_true 2=Somewhat 3=True | 3 / 2 / 1 | grid
			grade | | 1=first 2=second | 1 / 2 | single`,
			[]string{"s1_1", "s2_1", "s3_1", "s4_1", "s5_1", "s6_1"}},
		"whole questions": {`
			q4 | Do you like it here? | 1=kein 2=wenig 3=recht 4=arg | 1 / 2 / 3 / 4 | single
			noise | Would you move away if you could? | 1=no 2=perhaps 3=yes 4=surely | 2 / 3 / 4 / 1 | single
			q9 | How old are you? | 1=young 2=old | 1 / 2 | single`, nil},
		"amounts": {`
			boys | How many boys live here? | | 0 / 1 / 2 / 3 / 4 / 2 / 0 | number
			girls | How many girls live here? | | 0 / 1 / 2 / 3 / 4 / 5 / 0 | number
			dogs | How many dogs live here? | | 0 / 1 / 2 / 3 / 1 / 2 / 0 | number`, nil},
	} {
		t.Run(name, func(t *testing.T) {
			f, _ := convention(t, c.lines)
			var got []string
			for _, r := range guessed(t, f, guess.Options{}).Columns {
				if r.Why.Bond == guess.Judged {
					got = append(got, r.Column)
					if !strings.Contains(r.Why.String(), "in other surveys") {
						t.Errorf("%s: %s", r.Column, r.Why)
					}
				}
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("%q are judged, not %q", got, c.want)
			}
		})
	}
}
