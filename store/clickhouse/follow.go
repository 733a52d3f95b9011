package clickhouse

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/store/survey"
)

// Several imports of one store may be under way at the same time, on this machine or beside it, and each sends its
// respondents under numbers that stand for codes: so whichever is published first, what the others have sent must fit
// beside it. Each import therefore gives numbers to new codes on top of what those under way were given, and not only
// on top of what is published; the embedded store remembers them. One that is overtaken takes the other's publication
// for its base (Follow), and sends nothing anew.

// reserve notes an import, and gives numbers to those codes of its survey that have none.
func (s *Store) reserve(ctx context.Context, mine begun, sv *audience.Survey) (st *state, attributes []attribute,
	err error) {
	running, engine, err := s.here(ctx)
	if err != nil {
		return nil, nil, err
	}
	err = s.remember(ctx, func(m *memory) (err error) {
		if st, err = s.readState(engine); err != nil {
			return err
		}
		// What began after the list of those under way was read is none of it, but may be under way.
		others := slices.ContainsFunc(m.Begun, func(b begun) bool {
			return slices.Contains(running, b.Generation) && b.Generation != mine.Generation ||
				b.Generation > mine.Generation
		})
		if others && s.taking == nil && m.Given != nil {
			if given, err := readState(m.Given); err == nil && given.covers(st) {
				st.renumber(given)
			}
		}
		if attributes, err = st.extend(sv); err != nil {
			return err
		}
		m.Begun = append(m.Begun, mine)
		m.Given, err = st.given()
		return err
	})
	return st, attributes, err
}

// given writes which numbers stand for which codes, and nothing of what is published, for readState.
func (st *state) given() (json.RawMessage, error) {
	only := *st
	only.Published, only.Waves = 0, nil
	for _, w := range st.Waves {
		only.Waves = append(only.Waves, &wave{Code: w.Code, Number: w.Number})
	}
	return json.Marshal(&only)
}

// covers tells whether st gives all codes that have a number in other the same number.
func (st *state) covers(other *state) bool {
	if other.Width != 0 && st.Width != other.Width || st.Next < other.Next || st.Numbered < other.Numbered ||
		len(st.Columns) < len(other.Columns) || !begins(st.Locations, other.Locations) ||
		!begins(st.Namespaces, other.Namespaces) {
		return false
	}
	for _, w := range other.Waves {
		if mine := st.waves[w.Code]; mine == nil || mine.Number != w.Number {
			return false
		}
	}
	for key, q := range other.questions {
		mine := st.questions[key]
		if mine == nil || mine.Column != q.Column || q.Number != 0 && mine.Number != q.Number ||
			!mine.Points.Covers(q.Points) {
			return false
		}
	}
	return true
}

// begins tells whether a list begins with another.
func begins(list, with []string) bool {
	return len(list) >= len(with) && slices.Equal(list[:len(with)], with)
}

// renumber has st take over the numbers of another state, which covers it, and keep what it says is published.
func (st *state) renumber(from *state) {
	parts := map[string][]part{}
	for _, w := range st.Waves {
		parts[w.Code] = w.Parts
	}
	st.Waves = nil
	for _, w := range from.Waves {
		st.Waves = append(st.Waves, &wave{Code: w.Code, Number: w.Number, Parts: parts[w.Code]})
	}
	st.Locations, st.Namespaces, st.Questions = from.Locations, from.Namespaces, from.Questions
	st.Next, st.Columns, st.Width, st.Numbered = from.Next, from.Columns, from.Width, from.Numbered
	st.index()
}

// knows tells whether all codes of a survey have numbers. It changes st where they have not.
func (st *state) knows(sv *audience.Survey) bool {
	waves, locations, namespaces, next, numbered := len(st.Waves), len(st.Locations), len(st.Namespaces), st.Next,
		st.Numbered
	_, err := st.extend(sv)
	return err == nil && len(st.Waves) == waves && len(st.Locations) == locations && len(st.Namespaces) == namespaces &&
		st.Next == next && st.Numbered == numbered
}

// brought lists the imports that brought the published respondents of some waves.
func (st *state) brought(waves []string) (numbers []uint64) {
	for _, code := range waves {
		if w := st.waves[code]; w != nil {
			for _, p := range w.Parts {
				numbers = append(numbers, p.Number)
			}
		}
	}
	slices.Sort(numbers)
	return numbers
}

// Follow has an import that another overtook published on top of that one's release. It can't be if the other has
// replaced what this one is to replace, too, or began before imports remembered the numbers that they gave.
func (w *writer) Follow(ctx context.Context, base *survey.Release, sv *audience.Survey, drop []string) error {
	if w.finished || !w.arrived || base.Engine == nil {
		return audience.ErrChanged
	}
	st, err := w.store.readState(base.Engine)
	if err != nil {
		return err
	}
	switch {
	case !slices.Equal(st.brought(drop), w.base.brought(drop)):
		return audience.ErrChanged
	case w.state.covers(st):
		st.renumber(w.state)
	case !st.covers(w.state):
		return audience.ErrChanged
	}
	if !st.knows(sv) {
		return audience.ErrChanged
	}
	// The other may store answers in another format.
	if err := w.store.makeTables(ctx, st.columns(st.layout().with(layoutOf(w.format)))); err != nil {
		return err
	}
	if err := w.embedded.Follow(ctx, base, sv, drop); err != nil {
		return err
	}
	if w.base, err = w.store.readState(base.Engine); err != nil {
		return err
	}
	stored := map[int]*tally{}
	for i, t := range w.stored {
		code := w.survey.Waves[i].Code
		stored[slices.IndexFunc(sv.Waves, func(x audience.Wave) bool { return x.Code == code })] = t
	}
	w.state, w.survey, w.stored = st, sv, stored
	w.number()
	w.from.published = w.base.Published
	w.tried = false
	return nil
}

var _ survey.Follower = (*writer)(nil)
