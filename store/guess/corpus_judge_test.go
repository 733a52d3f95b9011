package guess_test

import (
	"fmt"
	"slices"
	"strings"

	"github.com/crosswave/crosswave/store/guess"
)

// judge compares how a file is read with its truth.
type judge struct {
	scores
	names []string
	want  *known
	got   []guess.Reading // in the order of names
	whole []bool          // columns that stand in a question that is read as it is
	wrong []string
}

// wrongly notes columns that are read as something else.
func (j *judge) wrongly(columns []int, what string) {
	const most = 6
	var names []string
	for _, at := range columns[:min(len(columns), most)] {
		names = append(names, fmt.Sprintf("%.40s", j.names[at]))
	}
	more := ""
	if len(columns) > most {
		more = fmt.Sprintf(" … (%d columns)", len(columns))
	}
	j.wrong = append(j.wrong, what+": "+strings.Join(names, ", ")+more)
}

// roles scores weight, wave and location.
func (j *judge) roles() {
	for _, role := range []string{"weight", "wave", "location"} {
		at := slices.IndexFunc(j.got, func(r guess.Reading) bool { return r.As == role })
		perhaps := at >= 0 && (j.want.also[at] || j.want.as[at] == role+" perhaps")
		right := at >= 0 && j.want.as[at] == role
		if perhaps && !right {
			continue
		}
		open := at >= 0 && j.want.as[at] == "" && role != "weight"
		j.count(role, btoi(right), btoi(at >= 0 && !open), btoi(j.want.roles[role]))
		switch {
		case open:
		case at >= 0 && !right:
			j.wrongly([]int{at}, fmt.Sprintf("read as %s, is %s", role, said(j.want.as[at])))
		case at < 0 && j.want.roles[role]:
			j.wrongly([]int{slices.Index(j.want.as, role)}, "is the "+role+", read as "+
				j.got[slices.Index(j.want.as, role)].As)
		}
	}
}

func said(as string) string {
	if as == "" {
		return "left open"
	}
	return as
}

// questions scores multi and grid.
func (j *judge) questions() {
	j.whole = make([]bool, len(j.names))
	for _, g := range j.want.groups {
		right := j.match(&g)
		if g.as != "numeric grid" {
			j.count(countedAs(g.as), right, 0, len(g.columns))
		}
		if right < len(g.columns) && g.as != "numeric grid" {
			j.wrongly(g.columns, fmt.Sprintf("%s %s of %d columns, %d of them read so, as: %s", g.as, g.name,
				len(g.columns), right, j.pieces(&g)))
		}
	}
	for at, r := range j.got {
		if (r.As == "multi" || r.As == "grid") && j.want.as[at] != "" && j.want.as[at] != "numeric grid" {
			as := r.As
			if j.want.as[at] == either {
				as = countedAs(either)
			}
			j.count(as, 0, 1, 0)
		}
	}
	j.alone()
}

// alone scores the columns of multi and grid each for itself.
func (j *judge) alone() {
	for at, r := range j.got {
		want, as := j.want.as[at], r.As
		if want == "" || want == "numeric grid" {
			continue
		}
		if want == either && (as == "multi" || as == "grid") {
			as = countedAs(either)
		}
		for _, kind := range []string{"multi", "grid"} {
			read, is := as == kind, countedAs(want) == kind
			j.count(columnsOf+kind, btoi(read && is), btoi(read), btoi(is))
		}
	}
}

// either is a question that is right as a multiple choice and as a grid.
const either = "multi or grid"

// countedAs is the kind as which columns of a truth are counted: whatever may be either is a grid, as which of the two
// it is read says nothing.
func countedAs(as string) string {
	if as == either {
		return "grid"
	}
	return as
}

// match finds the guessed question that is the one of the truth, and says how many columns they have in common.
func (j *judge) match(g *group) (common int) {
	shared := map[string][]int{}
	for _, at := range g.columns {
		if r := &j.got[at]; r.As == "multi" || r.As == "grid" {
			shared[r.As+" "+r.Of] = append(shared[r.As+" "+r.Of], at)
		}
	}
	for question, columns := range shared {
		as, of, _ := strings.Cut(question, " ")
		if !strings.Contains(g.as, as) || len(columns)*2 <= len(g.columns) {
			continue
		}
		size := 0
		for at := range j.got {
			if j.got[at].As == as && j.got[at].Of == of && j.want.as[at] != "" {
				size++
			}
		}
		if len(columns)*2 > size {
			for _, at := range columns {
				j.whole[at] = true
			}
			return len(columns)
		}
	}
	return 0
}

// pieces tells as what the columns of a question are read.
func (j *judge) pieces(g *group) string {
	counts, order := map[string]int{}, []string{}
	for _, at := range g.columns {
		what := j.got[at].As
		if what == "multi" || what == "grid" {
			what += " " + j.got[at].Of
		}
		if counts[what]++; counts[what] == 1 {
			order = append(order, what)
		}
	}
	var list []string
	for _, what := range order[:min(len(order), 4)] {
		list = append(list, fmt.Sprintf("%s %d×", what, counts[what]))
	}
	return strings.Join(list, ", ")
}

// columns scores single and number, and notes columns that are read as what they are not.
func (j *judge) columns() {
	apart, order := map[string][]int{}, []string{}
	for at, r := range j.got {
		want := j.want.as[at]
		switch {
		case want == "single":
			j.count("single", btoi(r.As == "single"), 0, 1)
		case want == "number", want == "numeric grid":
			whole := want == "numeric grid" && j.whole[at]
			j.count("number", btoi(r.As == "number" || whole), btoi(whole), 1)
		}
		if (r.As == "number" || r.As == "single") && !slices.Contains(uncounted[r.As], want) {
			j.count(r.As, 0, 1, 0)
		}
		if j.unlike(at) {
			what := want + " read as " + r.As
			if r.As == "multi" || r.As == "grid" {
				what += " " + r.Of
			}
			if apart[what] = append(apart[what], at); len(apart[what]) == 1 {
				order = append(order, what)
			}
		}
	}
	for _, what := range order {
		j.wrongly(apart[what], what)
	}
}

// uncounted are what columns may be that are read as single or number without counting for its precision.
var uncounted = map[string][]string{
	"number": {"", "single or number", "wave perhaps", "weight perhaps", "location perhaps"},
	"single": {"", "single or number", "wave perhaps", "location perhaps", "location", "grid", "multi", "multi or grid",
		"numeric grid"},
}

// unlike tells of a column whether it is read as what it is not. Those of multi and grid are told by the question.
func (j *judge) unlike(at int) bool {
	as := j.got[at].As
	switch want := j.want.as[at]; want {
	case "", "weight", "another weight", "wave", "multi", "grid", "multi or grid", "wave perhaps", "weight perhaps",
		"location perhaps":
		return as == "weight" && want == "another weight"
	case "location":
		return as == "multi" || as == "grid" || as == "number"
	case "single", "number":
		return as != want
	case "single or number":
		return as != "single" && as != "number"
	case "numeric grid":
		return as != "number" && !j.whole[at]
	case "respondent", "date", "open end", "nothing":
		return as != "not used" && as != "respondent" && as != "wave"
	}
	return false
}
