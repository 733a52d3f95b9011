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

// Items as they were counted in the end, of which some were turned round, are one grid beside the items as they were
// answered, and a turned item among the others is a row where what was answered stands behind them all.
func TestItemsCountedInTheEnd(t *testing.T) {
	taken := func(item, i int) int { return 1 + (i*(item+2)+i*i/(item+3))%6 }
	for columns, want := range map[string][]string{
		"cg_1 cg_2 cg_3 cg_4 cgR_1 cgR_2! cgR_3 cgR_4!": {"cgR_1", "cgR_2", "cgR_3", "cgR_4"},
		"cg1 cg2r! cg3 cg4 cg5 age cg2":                 {"cg1", "cg2r", "cg3", "cg4", "cg5"},
	} {
		var names []string
		cells := []func(int) string{count(1)}
		for _, name := range strings.Fields(columns) {
			name, turned := strings.CutSuffix(name, "!")
			item := int(name[max(0, strings.IndexAny(name, "12345"))] - '0')
			names = append(names, name)
			cells = append(cells, func(i int) string {
				switch {
				case name == "age":
					return fmt.Sprint(20 + i%50)
				case turned:
					return fmt.Sprint(7 - taken(item, i))
				}
				return fmt.Sprint(taken(item, i))
			})
		}
		got := readings(guessed(t, repeated(120, "id|"+strings.Join(names, "|"), cells...).file(), guess.Options{}))
		for _, name := range want {
			if !strings.HasPrefix(got[name], "grid") || got[name] != got[want[0]] {
				t.Errorf("%s: %s is read as %q", columns, name, got[name])
			}
		}
	}
}
