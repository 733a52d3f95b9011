package survey

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sort"
	"strings"

	"github.com/crosswave/crosswave/audience"
)

// memory is a store of respondents as text, for tests of the import loop.
type memory struct {
	release Release
	people  []person
	aborted int   // imports given up
	refuse  error // what Add returns
}

// person is a respondent as a reader would write one down.
type person struct {
	ID, Wave, Location string
	Weights            map[string]string
	Positive           []string // question:datapoint, question:datapoint:suffix or question=number, sorted
}

func (m *memory) Release(context.Context) (*Release, error) {
	r := m.release
	return &r, nil
}

func (m *memory) Begin(_ context.Context, base *Release, s *audience.Survey) (Writer, error) {
	return &memoryWriter{store: m, base: base.Version(), survey: s, names: attributeNames(s)}, nil
}

type memoryWriter struct {
	store  *memory
	base   uint64
	survey *audience.Survey
	names  []string
	people []person
	done   bool
}

// attributeNames writes every attribute of a survey as text.
func attributeNames(s *audience.Survey) []string {
	layout := NewLayout(s)
	names := make([]string, layout.Attributes())
	for i := range s.Questions {
		q := &s.Questions[i]
		for j, d := range q.Datapoints {
			for k := range max(1, len(q.Suffixes)) {
				name := q.Key() + ":" + d.Code
				if len(q.Suffixes) > 0 {
					name += fmt.Sprint(":", q.Suffixes[k].Code)
				}
				names[layout.Attribute(i, j, k)] = name
			}
		}
	}
	return names
}

func (w *memoryWriter) Add(_ context.Context, rs []Respondent) error {
	if w.store.refuse != nil {
		return w.store.refuse
	}
	for _, r := range rs {
		w.people = append(w.people, w.person(&r))
	}
	return nil
}

func (w *memoryWriter) person(r *Respondent) person {
	p := person{ID: r.ID, Wave: w.survey.Waves[r.Wave].Code, Location: w.survey.Locations[r.Location].Code,
		Weights: map[string]string{}}
	for i, weight := range r.Weights {
		p.Weights[w.survey.Namespaces[i].Code] = weight.String()
	}
	for _, a := range r.Attributes {
		p.Positive = append(p.Positive, w.names[a])
	}
	for _, n := range r.Numbers {
		p.Positive = append(p.Positive, w.survey.Questions[n.Question].Key()+"="+n.Value.String())
	}
	slices.Sort(p.Positive)
	return p
}

func (w *memoryWriter) Commit(_ context.Context, c Change) (uint64, error) {
	if w.base != w.store.release.Version() {
		return 0, audience.ErrChanged
	}
	m := w.store
	m.people = slices.DeleteFunc(m.people, func(p person) bool { return slices.Contains(c.Drop, p.Wave) })
	m.people = append(m.people, w.people...)
	m.release.Frame, m.release.Facts = c.Frame.WithVersion(m.release.Version()+1), c.Facts
	w.done = true
	return m.release.Version(), nil
}

func (w *memoryWriter) Abort() error {
	if !w.done {
		w.store.aborted++
		w.done = true
	}
	return nil
}

// dump writes down all that was published, so that it can be compared: frame, facts and respondents in order of their
// ids.
func (m *memory) dump() string {
	var b strings.Builder
	f := m.release.Frame
	for _, w := range f.Waves {
		fmt.Fprintf(&b, "wave %s %q %s %s\n", w.Code, w.Name, w.Start, w.End)
	}
	for i, n := range f.Namespaces {
		fmt.Fprintf(&b, "namespace %s: unit %d, fielded %s\n", n.Code, f.Decimals(i), where(f, f.Fielded(i)))
	}
	for i := range f.Questions {
		q := &f.Questions[i]
		for j, d := range q.Datapoints {
			fmt.Fprintf(&b, "%s:%s asked %s\n", q.Key(), d.Code, where(f, f.Asked(i, j)))
		}
		n := f.Numbers(i)
		fmt.Fprintf(&b, "%s: %d bits of 10^%d, asked %s\n", q.Key(), n.Bits, -n.Decimals, where(f, n.Asked))
	}
	for _, x := range m.release.Facts {
		fmt.Fprintf(&b, "facts %s %s %d %+v", x.Wave, x.Location, x.Respondents, x.Namespaces)
		for _, key := range slices.Sorted(maps.Keys(x.Answered)) {
			fmt.Fprintf(&b, " %s=%d", key, x.Answered[key])
		}
		for _, key := range slices.Sorted(maps.Keys(x.Numbers)) {
			fmt.Fprintf(&b, " %s: %+v", key, x.Numbers[key])
		}
		b.WriteString("\n")
	}
	people := slices.Clone(m.people)
	sort.Slice(people, func(i, j int) bool { return people[i].ID < people[j].ID })
	for _, p := range people {
		fmt.Fprintf(&b, "%+v\n", p)
	}
	return b.String()
}

// where lists the fieldwork of a cover: w1:north w2:south.
func where(f *audience.Frame, c audience.Cover) string {
	var list []string
	for i := range c.All() {
		w, l := f.Fieldwork(i)
		list = append(list, f.Waves[w].Code+":"+f.Locations[l].Code)
	}
	return strings.Join(list, " ")
}

var errRefused = errors.New("the disk is full")
