package guess_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/crosswave/crosswave/store/guess"
)

// Copies of items with the answers turned round are a grid of their own and divide none, wherever they stand. What only
// looks like one by its name is a row as the others are.
func TestTurnedCopies(t *testing.T) {
	taken := func(item, i int) int { return 1 + (i*(item+2)+i*i/(item+3))%6 }
	for _, c := range []struct {
		name, columns string
		copies        string // of which columns it is said that they are none of the grid
	}{
		{"behind each", "cg_1 cg_2 cg_2R cg_3 cg_4 cg_4R cg_5 cg_6", "cg_2R cg_4R"},
		{"with the mark before the number", "cg_1 cg_2 cgR_2 cg_3 cg_4 cgR_4 cg_5 cg_6", "cgR_2 cgR_4"},
		{"behind all", "cg_1 cg_2 cg_3 cg_4 cg_5 cg_6 cg_2_rev cg_4_rev", "cg_2_rev cg_4_rev"},
		{"items that are called so", "cg_1 cg_2 cg_3r cg_4 cg_5r cg_6", ""},
	} {
		names := strings.Fields(c.columns)
		cells := []func(int) string{count(1)}
		for _, name := range names {
			item := int(name[strings.IndexAny(name, "123456")] - '0')
			copied := strings.Contains(" "+c.copies+" ", " "+name+" ")
			cells = append(cells, func(i int) string {
				if copied {
					return fmt.Sprint(7 - taken(item, i))
				}
				return fmt.Sprint(taken(item, i))
			})
		}
		got := readings(guessed(t, repeated(120, "id|"+strings.Join(names, "|"), cells...).file(), guess.Options{}))
		for _, name := range names {
			want := "grid cg"
			if strings.Contains(" "+c.copies+" ", " "+name+" ") {
				want = "grid cg_R"
			}
			if got[name] != want {
				t.Errorf("%s: %s is read as %q, want %q", c.name, name, got[name], want)
			}
		}
	}
}
