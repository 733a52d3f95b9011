package survey

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"

	"github.com/crosswave/crosswave/audience"
)

// Relabel gives the records of a store other names and texts, another order and other categories, and hides questions
// or shows them again, without importing anything: to is the whole survey as it shall be. It is published as a new
// version, or, with an error, nothing is. changes names the records that differ; with none of them nothing is
// published, and the version is the one that there is.
//
// No figure changes by it: what would change one, such as a code, a kind, an answer more or less, a midpoint, where
// something was asked or the order of waves, is a *CodebookError with its path in the JSON of WriteRecords. The error
// is audience.ErrChanged if something else was published meanwhile.
func Relabel(ctx context.Context, st Store, to *audience.Survey) (version uint64, changes []string, err error) {
	base, err := st.Release(ctx)
	if err != nil {
		return 0, nil, err
	}
	if base.Version() == 0 {
		return 0, nil, errors.New("the store holds no survey yet, whose codebook could be changed")
	}
	r := &relabeller{from: base.Frame, to: to.Clone()}
	r.survey()
	if err := r.result(); err != nil {
		return 0, nil, err
	}
	if err := checkSurvey(r.to); err != nil {
		return 0, nil, err
	}
	if len(r.changes) == 0 {
		return base.Version(), nil, nil
	}
	frame, err := audience.NewFrame(0, r.to, r.coverage())
	if err != nil {
		return 0, nil, err
	}
	facts := slices.Clone(base.Facts)
	slices.SortFunc(facts, func(a, b Facts) int {
		return cmp.Or(frame.Wave(a.Wave)-frame.Wave(b.Wave), frame.Location(a.Location)-frame.Location(b.Location))
	})
	w, err := st.Begin(ctx, base, r.to)
	if err != nil {
		return 0, nil, err
	}
	version, err = w.Commit(ctx, Change{Frame: frame, Facts: facts})
	if err != nil {
		return 0, nil, abort(w, err)
	}
	return version, r.changes, nil
}

// relabeller compares a survey with the one that is stored.
type relabeller struct {
	checker
	from    *audience.Frame
	to      *audience.Survey
	changes []string

	locations, questions []int   // of from, by the places in to
	datapoints           [][]int // of each question in to
}

// matched finds each record of a list among those that are stored, which must be the same. name is that of a kind, such
// as question; path tells the place of a list, and member what in a record is its code.
func matched[T any](r *relabeller, path, name, member string, from, to []T, key func(*T) string) []int {
	at := map[string]int{}
	for i := range from {
		at[key(&from[i])] = i
	}
	list, seen := make([]int, len(to)), map[string]bool{}
	moved := false
	for i := range to {
		code := key(&to[i])
		place, there := at[code]
		here := fmt.Sprintf("%s[%d].%s", path, i, member)
		switch {
		case !there:
			r.fail(here, "there is no %s %q in the store: none can be added, nor can its code be changed", name, code)
		case seen[code]:
			r.fail(here, "%s %q is listed twice", name, code)
		}
		seen[code] = true
		list[i] = place
		moved = moved || place != i
	}
	for i := range from {
		if code := key(&from[i]); !seen[code] {
			r.fail(path, "%s %q is missing: none can be taken out", name, code)
		}
	}
	if moved && r.err == nil {
		r.changes = append(r.changes, "the order of "+path)
	}
	return list
}

// same refuses a member that differs and bears on figures.
func (r *relabeller) same(path string, from, to any) {
	if !reflect.DeepEqual(from, to) {
		r.fail(path, "it differs from what is stored, and a figure would change by it")
	}
}

// changed notes a record that differs.
func (r *relabeller) changed(what, code string, from, to any) {
	if !reflect.DeepEqual(from, to) {
		r.changes = append(r.changes, fmt.Sprintf("%s %q", what, code))
	}
}

func (r *relabeller) survey() {
	from, to := r.from.Survey, r.to
	r.changed("the name", to.Name, from.Name, to.Name)
	inOrder := func(path, name string, places []int) {
		if !slices.IsSorted(places) {
			r.fail(path, "the order of %s differs from what is stored, and a figure would change by it", name)
		}
	}
	places := matched(r, "namespaces", "namespace", "code", from.Namespaces, to.Namespaces,
		func(n *audience.Namespace) string { return n.Code })
	inOrder("namespaces", "namespaces", places)
	for i, place := range places {
		if r.err != nil {
			return
		}
		a, b := from.Namespaces[place], to.Namespaces[i]
		path := fmt.Sprintf("namespaces[%d]", i)
		r.same(path+".base", a.Base, b.Base)
		r.same(path+".universe", universe(&a), universe(&b))
		r.changed("namespace", b.Code, a, b)
	}
	audience.SortWaves(to.Waves)
	places = matched(r, "wave.values", "wave", "code", from.Waves, to.Waves,
		func(w *audience.Wave) string { return w.Code })
	inOrder("wave.values", "waves, which is that of their dates,", places)
	for i, place := range places {
		if r.err == nil {
			r.changed("wave", to.Waves[i].Code, from.Waves[place], to.Waves[i])
		}
	}
	r.locations = matched(r, "location.values", "location", "code", from.Locations, to.Locations,
		func(l *audience.Location) string { return l.Code })
	r.questions = matched(r, "questions", "question", "code", from.Questions, to.Questions, (*audience.Question).Key)
	if r.err != nil {
		return
	}
	for i, place := range r.locations {
		r.changed("location", to.Locations[i].Code, from.Locations[place], to.Locations[i])
	}
	for i, place := range r.questions {
		r.question(fmt.Sprintf("questions[%d]", i), &from.Questions[place], &to.Questions[i])
	}
	if len(from.Categories)+len(to.Categories) > 0 && !reflect.DeepEqual(from.Categories, to.Categories) {
		r.changes = append(r.changes, "categories")
	}
	if len(from.Datasets)+len(to.Datasets) > 0 && !reflect.DeepEqual(from.Datasets, to.Datasets) {
		r.changes = append(r.changes, "datasets")
	}
}

func (r *relabeller) question(path string, from, to *audience.Question) {
	to.Separate = from.Separate // the JSON does not tell
	r.same(path+".type", from.Kind, to.Kind)
	r.same(path+".asked", from.Asked, to.Asked)
	answers := ".datapoints"
	if to.Kind == audience.Number {
		answers = ".bands"
	}
	before := len(r.changes)
	places := matched(r, path+answers, "datapoint", "code", from.Datapoints, to.Datapoints,
		func(d *audience.Datapoint) string { return d.Code })
	suffixes := matched(r, path+".suffixes", "suffix", "code", from.Suffixes, to.Suffixes,
		func(s *audience.Suffix) string { return fmt.Sprint(s.Code) })
	r.changes = r.changes[:before] // the question is named below
	if r.err != nil {
		return
	}
	for j, place := range places {
		here := fmt.Sprintf("%s%s[%d]", path, answers, j)
		r.same(here+".midpoint", from.Datapoints[place].Midpoint, to.Datapoints[j].Midpoint)
		r.same(here+".asked", from.Datapoints[place].Asked, to.Datapoints[j].Asked)
	}
	for j, place := range suffixes {
		r.same(fmt.Sprintf("%s.suffixes[%d].midpoint", path, j), from.Suffixes[place].Midpoint, to.Suffixes[j].Midpoint)
	}
	r.datapoints = append(r.datapoints, places)
	r.changed("question", to.Key(), *from, *to)
}

// coverage is that of the stored survey, by the places in the new one.
func (r *relabeller) coverage() audience.Coverage {
	from := r.from.Coverage()
	to := audience.Coverage{Decimals: slices.Clone(from.Decimals)}
	for _, c := range from.Fielded {
		to.Fielded = append(to.Fielded, r.cover(c))
	}
	for i, place := range r.questions {
		var asked []audience.Cover
		for _, datapoint := range r.datapoints[i] {
			asked = append(asked, r.cover(r.from.Asked(place, datapoint)))
		}
		numbers := r.from.Numbers(place)
		numbers.Asked = r.cover(numbers.Asked)
		to.Asked, to.Numbers = append(to.Asked, asked), append(to.Numbers, numbers)
	}
	return to
}

// cover is a cover of the stored survey, with locations at their new places. Waves stay where they are.
func (r *relabeller) cover(c audience.Cover) audience.Cover {
	if c == nil {
		return nil
	}
	out := audience.NewCover(r.from.Size())
	for w := range r.from.Waves {
		for l, place := range r.locations {
			if c.Has(r.from.At(w, place)) {
				out.Set(r.from.At(w, l))
			}
		}
	}
	return out
}
