package survey

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/crosswave/crosswave/audience"
)

// ConflictError is a survey that cannot be appended to the one that is stored, because they mean different things by
// one code.
type ConflictError struct {
	Record string // question "core.q1"
	Reason string // what each says
}

func (e *ConflictError) Error() string {
	return e.Record + ": " + e.Reason +
		". What is stored stays as it is: use another code in the file, or make a new store"
}

// merger makes one survey of the one that is stored and the one of a file. Records are added; of those that both have,
// texts that the file gives replace the stored ones, and what tells how answers count must agree.
type merger struct {
	changes []string // names that change, for the report
	err     error
}

func mergeSurveys(stored, file *audience.Survey) (*audience.Survey, []string, error) {
	m := &merger{changes: []string{}}
	out := &audience.Survey{
		Name: stored.Name,
		Namespaces: mergeLists(stored.Namespaces, file.Namespaces,
			func(n *audience.Namespace) string { return n.Code }, m.namespace),
		Waves: mergeLists(stored.Waves, file.Waves, func(w *audience.Wave) string { return w.Code }, m.wave),
		Locations: mergeLists(stored.Locations, file.Locations, func(l *audience.Location) string { return l.Code },
			m.location),
		Questions: mergeLists(stored.Questions, file.Questions, (*audience.Question).Key, m.question),
		Datasets: mergeLists(stored.Datasets, file.Datasets, func(d *audience.Dataset) string { return d.Code },
			m.dataset),
	}
	latest(&out.Name, file.Name)
	// The default namespace stays the default.
	if at := slices.IndexFunc(out.Namespaces,
		func(n audience.Namespace) bool { return n.Code == stored.Namespaces[0].Code }); at > 0 {
		first := out.Namespaces[at]
		out.Namespaces = slices.Insert(slices.Delete(out.Namespaces, at, at+1), 0, first)
	}
	if m.err != nil {
		return nil, nil, m.err
	}
	if err := m.categories(out, stored, file); err != nil {
		return nil, nil, err
	}
	return out, m.changes, checkSurvey(out)
}

// mergeLists adds to what is stored what is new in the file: behind the record that it follows in the file, or before
// the one that follows it.
func mergeLists[T any](stored, file []T, key func(*T) string, merge func(to, from *T)) []T {
	at := map[string]int{}
	for i := range stored {
		at[key(&stored[i])] = i
	}
	out := slices.Clone(stored)
	behind := make([][]T, len(stored))
	var before []T // of the file's first that is stored
	first, last := -1, -1
	for i := range file {
		j, there := at[key(&file[i])]
		switch {
		case there:
			merge(&out[j], &file[i])
			if last = j; first < 0 {
				first = j
			}
		case last < 0:
			before = append(before, file[i])
		default:
			behind[last] = append(behind[last], file[i])
		}
	}
	var all []T
	for i := range out {
		if i == first {
			all = append(all, before...)
		}
		all = append(append(all, out[i]), behind[i]...)
	}
	if first < 0 {
		all = append(all, before...)
	}
	return all
}

// latest replaces a member by what the file says, if it says something.
func latest[T comparable](to *T, from T) {
	var none T
	if from != none {
		*to = from
	}
}

// latestList is latest for lists.
func latestList(to *[]string, from []string) {
	if len(from) > 0 {
		*to = slices.Clone(from)
	}
}

// name is latest for the names that tell what an answer means, and takes down the change.
func (m *merger) name(record string, to *string, from string) {
	if from != "" && *to != "" && *to != from {
		m.changes = append(m.changes, fmt.Sprintf("%s is now named %q, before %q", record, from, *to))
	}
	latest(to, from)
}

// agree notes a conflict if both say something and not the same.
func (m *merger) agree(record, what, stored, file string) {
	if stored != file && m.err == nil {
		m.err = &ConflictError{record, fmt.Sprintf("%s is %q in the store and %q in the file", what, stored, file)}
	}
}

func (m *merger) namespace(to, from *audience.Namespace) {
	record := fmt.Sprintf("namespace %q", to.Code)
	m.agree(record, "its base", to.Base, from.Base)
	m.agree(record, "its universe", universe(to), universe(from))
	m.name(record, &to.Name, from.Name)
	latest(&to.Description, from.Description)
}

func universe(n *audience.Namespace) string { return cmp.Or(n.Universe, audience.Average) }

func (m *merger) wave(to, from *audience.Wave) {
	record := fmt.Sprintf("wave %q", to.Code)
	if to.Start != "" && from.Start != "" {
		m.agree(record, "its start", to.Start, from.Start)
	}
	if to.End != "" && from.End != "" {
		m.agree(record, "its end", to.End, from.End)
	}
	m.name(record, &to.Name, from.Name)
	latest(&to.Start, from.Start)
	latest(&to.End, from.End)
	latest(&to.Kind, from.Kind)
}

func (m *merger) location(to, from *audience.Location) {
	m.name(fmt.Sprintf("location %q", to.Code), &to.Name, from.Name)
	latest(&to.ID, from.ID)
	latest(&to.ISOCode, from.ISOCode)
	latest(&to.Region.ID, from.Region.ID)
	latest(&to.Region.Code, from.Region.Code)
	latest(&to.Region.Name, from.Region.Name)
	latest(&to.Region.Area, from.Region.Area)
}

func (m *merger) question(to, from *audience.Question) {
	record := fmt.Sprintf("question %q", to.Key())
	m.agree(record, "its type", to.Kind, from.Kind)
	m.agree(record, "the list of its suffix codes", suffixCodes(to), suffixCodes(from))
	m.name(record, &to.Name, from.Name)
	latest(&to.Description, from.Description)
	latest(&to.Unit, from.Unit)
	latest(&to.Order, from.Order)
	latestList(&to.Flags, from.Flags)
	latest(&to.KnowledgeBase, from.KnowledgeBase)
	latest(&to.Message, from.Message)
	latest(&to.Notice, from.Notice)
	latest(&to.Warning, from.Warning)
	latestList(&to.Datasets, from.Datasets)
	latest(&to.Hidden, from.Hidden)
	to.Separate = from.Separate // it tells how the answers that are added stand
	to.Datapoints = mergeLists(to.Datapoints, from.Datapoints, func(d *audience.Datapoint) string { return d.Code },
		func(to, from *audience.Datapoint) {
			m.name(fmt.Sprintf("datapoint %q of %s", to.Code, record), &to.Name, from.Name)
			latest(&to.Midpoint, from.Midpoint)
			latest(&to.Order, from.Order)
		})
	code := func(s *audience.Suffix) string { return fmt.Sprint(s.Code) }
	to.Suffixes = mergeLists(to.Suffixes, from.Suffixes, code, func(to, from *audience.Suffix) {
		m.name(fmt.Sprintf("suffix %d of %s", to.Code, record), &to.Name, from.Name)
		latest(&to.Midpoint, from.Midpoint)
		latest(&to.Order, from.Order)
	})
}

// suffixCodes lists the suffix codes in order of number.
func suffixCodes(q *audience.Question) string {
	var codes []int
	for _, s := range q.Suffixes {
		codes = append(codes, s.Code)
	}
	slices.Sort(codes)
	return fmt.Sprint(codes)
}

func (m *merger) dataset(to, from *audience.Dataset) {
	m.name(fmt.Sprintf("dataset %q", to.Code), &to.Name, from.Name)
	latest(&to.Description, from.Description)
	latest(&to.URL, from.URL)
	latest(&to.BaseAudienceLabel, from.BaseAudienceLabel)
	latest(&to.BaseNamespace, from.BaseNamespace)
	latest(&to.Parent, from.Parent)
	latest(&to.Order, from.Order)
	latest(&to.Syndicated, from.Syndicated)
}

// categories merges the categories. A question in them keeps its code as it was written unless, with the questions of
// both, that would mean another one or several: then it gets its namespace.
func (m *merger) categories(out, stored, file *audience.Survey) error {
	frame, err := audience.NewFrame(0, out, audience.Coverage{})
	if err != nil {
		return err
	}
	qualify := func(s *audience.Survey) ([]audience.Category, error) {
		own, err := audience.NewFrame(0, s, audience.Coverage{})
		if err != nil {
			return nil, err
		}
		categories := slices.Clone(s.Categories)
		for i := range categories {
			categories[i].Questions = slices.Clone(categories[i].Questions)
			for j, code := range categories[i].Questions {
				at, err := own.Question(code)
				if err != nil || at < 0 {
					return nil, fmt.Errorf("category %q: there is no question %q", categories[i].ID, code)
				}
				key := own.Questions[at].Key()
				if now, err := frame.Question(code); err != nil || now < 0 || frame.Questions[now].Key() != key {
					categories[i].Questions[j] = key
				}
			}
		}
		return categories, nil
	}
	mine, err := qualify(stored)
	if err != nil {
		return err
	}
	theirs, err := qualify(file)
	if err != nil {
		return err
	}
	question := func(code *string) string {
		if at, err := frame.Question(*code); err == nil && at >= 0 {
			return frame.Questions[at].Key()
		}
		return *code
	}
	itself := func(code *string) string { return *code }
	nothing := func(to, from *string) {}
	out.Categories = mergeLists(mine, theirs, func(c *audience.Category) string { return c.ID },
		func(to, from *audience.Category) {
			m.name(fmt.Sprintf("category %q", to.ID), &to.Name, from.Name)
			latest(&to.Description, from.Description)
			latest(&to.Parent, from.Parent)
			latest(&to.Order, from.Order)
			to.Questions = mergeLists(to.Questions, from.Questions, question, nothing)
			to.Datasets = mergeLists(to.Datasets, from.Datasets, itself, nothing)
		})
	return nil
}

// remap renumbers respondents of a file for the merged survey.
type remap struct {
	waves, locations, namespaces []int // of the survey, by those of the file
	attributes, items            []int32
	questions                    []int
	weights, words               int  // of a respondent
	same                         bool // namespaces, questions, attributes and items have the same numbers
}

func newRemap(file, survey *audience.Survey) *remap {
	from, to := NewLayout(file), NewLayout(survey)
	m := &remap{attributes: make([]int32, from.Attributes()), items: make([]int32, from.Items()),
		weights: len(survey.Namespaces), words: (to.Items() + 63) / 64}
	m.waves = places(file.Waves, survey.Waves, func(w audience.Wave) string { return w.Code })
	m.locations = places(file.Locations, survey.Locations, func(l audience.Location) string { return l.Code })
	m.namespaces = places(file.Namespaces, survey.Namespaces, func(n audience.Namespace) string { return n.Code })
	m.questions = places(file.Questions, survey.Questions, func(q audience.Question) string { return q.Key() })
	m.same = len(file.Namespaces) == len(survey.Namespaces) && from.Attributes() == to.Attributes() &&
		from.Items() == to.Items()
	for i, n := range m.namespaces {
		m.same = m.same && i == n
	}
	for i, at := range m.questions {
		m.same = m.same && i == at
		a, b := &file.Questions[i], &survey.Questions[at]
		datapoints := places(a.Datapoints, b.Datapoints, func(d audience.Datapoint) string { return d.Code })
		suffixes := places(a.Suffixes, b.Suffixes, func(s audience.Suffix) string { return fmt.Sprint(s.Code) })
		if len(suffixes) == 0 {
			suffixes = []int{0}
		}
		for j, d := range datapoints {
			item, itemTo := from.Item(i, j), to.Item(at, d)
			m.items[item] = int32(itemTo)
			m.same = m.same && item == itemTo
			for k, x := range suffixes {
				attribute, attributeTo := from.Attribute(i, j, k), to.Attribute(at, d, x)
				m.attributes[attribute] = attributeTo
				m.same = m.same && attribute == attributeTo
			}
		}
	}
	return m
}

// places tells where each of a list stands in a list that has them all.
func places[T any](from, to []T, key func(T) string) []int {
	at := make(map[string]int, len(to))
	for i, x := range to {
		at[key(x)] = i
	}
	list := make([]int, len(from))
	for i, x := range from {
		list[i] = at[key(x)]
	}
	return list
}
