package audience

import (
	"context"
	"testing"
)

// fourfold is a store of one fieldwork whose respondents are cut into four parts by a row and a column: both, the row
// only, the column only, neither. Each weighs as many people as there are parts before it, and one.
type fourfold struct {
	frame *Frame
	parts [4]int64
}

func (s *fourfold) Frame(context.Context) (*Frame, error) { return s.frame, nil }

func (s *fourfold) Count(_ context.Context, _ uint64, qs []Query) ([][]*Table, error) {
	out := make([][]*Table, len(qs))
	for i := range qs {
		t := qs[i].NewTable()
		for at := range t.Counts {
			row, column := at/(t.Columns+1) > 0, at%(t.Columns+1) > 0
			for part, n := range s.parts {
				if (!row || part < 2) && (!column || part%2 == 0) {
					t.Counts[at].add(Count{Sample: n, Weight: n * int64(part+1)})
				}
			}
		}
		for range qs[i].Strata {
			out[i] = append(out[i], t)
		}
	}
	return out, nil
}

// crossing is a survey of one wave and one location with two questions.
func crossing(t *testing.T) *Frame {
	t.Helper()
	s := &Survey{Waves: []Wave{{Code: "w"}}, Locations: []Location{{Code: "l"}}, Namespaces: []Namespace{{Code: "core"}}}
	all := Cover{1}
	c := Coverage{Fielded: []Cover{all}, Decimals: []int{0}}
	for _, code := range []string{"r", "c"} {
		s.Questions = append(s.Questions, Question{Code: code, Namespace: "core", Datapoints: []Datapoint{{Code: "1"}}})
		c.Asked = append(c.Asked, []Cover{all})
	}
	f, err := NewFrame(1, s, c)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// cellWith is the cell of r × c as it is told to who has a floor.
func (s *fourfold) cellWith(t *testing.T, st Store, floor int64) Cell {
	t.Helper()
	grant := All()
	grant.MinSample = floor
	tabs, err := Tabulate(t.Context(), Restrict(st, grant), func(*Frame) ([]Spec, error) {
		return []Spec{{Rows: []Expr{Answers{Question: "r", Min: 1}}, Columns: []Expr{Answers{Question: "c", Min: 1}}}}, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return tabs[0].Cell(1, 1)
}

// The rule of the floor, case by case: what the four parts are, and what is told with a floor of 30.
func TestFloor(t *testing.T) {
	f := crossing(t)
	for _, c := range []struct {
		name                           string
		both, inRow, inColumn, neither int64
		withheld                       bool
	}{
		{"plenty", 30, 30, 30, 30, false},
		{"few in both", 29, 30, 30, 30, true},
		{"few in the row only", 30, 29, 30, 30, true},
		{"few in the column only", 30, 30, 29, 30, true},
		{"few in neither", 30, 30, 30, 29, true},
		{"one in neither", 30, 30, 30, 1, true},
		{"nobody in both", 0, 30, 30, 30, false},
		{"nobody in the row only: who is in the row is in the column", 30, 0, 30, 30, false},
		{"nobody in neither", 30, 30, 30, 0, false},
		{"row and column are the base", 30, 0, 0, 0, false},
		{"a base below the floor", 29, 0, 0, 0, true},
		{"a row of nobody", 0, 0, 30, 30, true},
		{"a column of nobody", 0, 30, 0, 30, true},
		{"nobody at all", 0, 0, 0, 0, true},
	} {
		st := &fourfold{f, [4]int64{c.both, c.inRow, c.inColumn, c.neither}}
		open := st.cellWith(t, st, 0)
		if open.Withheld || open.Base.Sample != c.both+c.inRow+c.inColumn+c.neither || open.Both.Sample != c.both {
			t.Errorf("%s: without a floor the cell is %+v", c.name, open)
		}
		got := st.cellWith(t, st, 30)
		if got.Withheld != c.withheld {
			t.Errorf("%s: withheld is %v", c.name, got.Withheld)
		}
		want := open
		if c.withheld {
			want = Cell{Namespace: "core", Cover: open.Cover, Withheld: true}
		}
		if !got.Base.Equal(want.Base) || !got.Row.Equal(want.Row) ||
			!got.Column.Equal(want.Column) || !got.Both.Equal(want.Both) || !got.Cover.Equal(want.Cover) {
			t.Errorf("%s: %+v instead of %+v", c.name, got, want)
		}
	}
}

// Whoever adds and takes away what a cell tells comes upon no group of 1 to floor - 1 respondents: of all cells with up
// to seven respondents in a part, by all sums of the four samples, each taken up to three times, that count each
// respondent once or not at all.
func TestFloorWithstandsSubtraction(t *testing.T) {
	const floor, times = 5, 3
	f, told := crossing(t), 0
	groups := map[[4]int]bool{} // which parts a sum can be made of
	for base := -times; base <= times; base++ {
		for row := -times; row <= times; row++ {
			for column := -times; column <= times; column++ {
				for both := -times; both <= times; both++ {
					counts := [4]int{base + row + column + both, base + row, base + column, base}
					if min(counts[0], counts[1], counts[2], counts[3]) >= 0 && max(counts[0], counts[1], counts[2], counts[3]) == 1 {
						groups[counts] = true
					}
				}
			}
		}
	}
	if len(groups) != 15 {
		t.Fatalf("%d groups can be told apart instead of 15", len(groups))
	}
	for i := range int64(8 * 8 * 8 * 8) {
		st := &fourfold{f, [4]int64{i % 8, i / 8 % 8, i / 64 % 8, i / 512}}
		c := st.cellWith(t, st, floor)
		if c.Withheld {
			if c.Base.Sample != 0 || c.Row.Sample != 0 || c.Column.Sample != 0 || c.Both.Sample != 0 || c.Base.Size != 0 {
				t.Fatalf("parts %v: withheld, but told is %+v", st.parts, c)
			}
			continue
		}
		told++
		for g := range groups {
			n := int64(0)
			for part := range g {
				n += int64(g[part]) * st.parts[part]
			}
			if 0 < n && n < floor {
				t.Fatalf("parts %v are told, and with them that there are %d in %v", st.parts, n, g)
			}
		}
	}
	// Each part is nobody or one of 5, 6 and 7, of the 4⁴ cells but those without a row, 4², those without a column, and
	// those without either, 4.
	if want := 256 - 16 - 16 + 4; told != want {
		t.Errorf("%d cells are told instead of %d", told, want)
	}
}

// Callers with other floors share a memory and a version, and each is told what it may be.
func TestFloorsShareNoAnswers(t *testing.T) {
	st := &fourfold{crossing(t), [4]int64{10, 20, 30, 40}}
	memory := Remember(st, 1<<20)
	for range 3 {
		for floor, withheld := range map[int64]bool{0: false, 10: false, 11: true, 30: true} {
			if got := st.cellWith(t, memory, floor); got.Withheld != withheld || withheld == (got.Both.Sample == 10) {
				t.Errorf("with a floor of %d: %+v", floor, got)
			}
		}
	}
}

// A restriction within another one lowers no floor, and a grant with a floor is not a whole one.
func TestFloorsAddUp(t *testing.T) {
	low, high := All(), All()
	low.MinSample, high.MinSample = 5, 20
	if low.Whole() || !All().Whole() {
		t.Error("a grant with a floor allows everything")
	}
	f := crossing(t)
	for _, c := range []struct {
		first, then Grant
		want        int64
	}{{All(), All(), 0}, {low, All(), 5}, {All(), low, 5}, {low, high, 20}, {high, low, 20}} {
		got := f.For(c.first).For(c.then)
		if got.Floor() != c.want || got.WithVersion(2).Floor() != c.want {
			t.Errorf("floors %d and %d: %d instead of %d", c.first.MinSample, c.then.MinSample, got.Floor(), c.want)
		}
		if v, err := Restrict(Restrict(&fourfold{frame: f}, c.first), c.then).Frame(t.Context()); err != nil ||
			v.Floor() != c.want {
			t.Errorf("stores with floors %d and %d: %d instead of %d, %v", c.first.MinSample, c.then.MinSample, v.Floor(),
				c.want, err)
		}
	}
}
