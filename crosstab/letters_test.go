package crosstab_test

import (
	"testing"

	"github.com/crosswave/crosswave/crosstab"
)

func TestLetter(t *testing.T) {
	for column, want := range map[int]string{1: "A", 2: "B", 26: "Z", 27: "AA", 52: "AZ", 53: "BA", 60: "BH", 702: "ZZ",
		703: "AAA"} {
		if got := crosstab.Letter(column); got != want {
			t.Errorf("column %d is %s, not %s", column, got, want)
		}
	}
}
