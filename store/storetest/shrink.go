package storetest

import (
	"iter"
	"slices"

	"github.com/crosswave/crosswave/audience"
)

// shrinkTrial makes a failing trial smaller, step by step, as long as it fails.
func shrinkTrial(t trial, err error, try func(trial) error) (trial, error) {
	for budget := 400; budget > 0; {
		smaller := false
		for _, s := range simpler(t) {
			budget--
			if e := try(s); e != nil {
				t, err, smaller = s, e, true
				break
			}
		}
		if !smaller {
			break
		}
	}
	return t, err
}

// simpler lists trials that ask for a little less.
func simpler(t trial) []trial {
	var all []trial
	with := func(change func(*trial)) {
		s := t
		s.spec.Rows, s.spec.Columns, s.strata = slices.Clone(t.spec.Rows), slices.Clone(t.spec.Columns),
			slices.Clone(t.strata)
		change(&s)
		all = append(all, s)
	}
	// Of long lists a half goes at once: each try is counted by the naive reference.
	if n := len(t.spec.Rows); n > 3 {
		with(func(s *trial) { s.spec.Rows = s.spec.Rows[:n/2] })
		with(func(s *trial) { s.spec.Rows = s.spec.Rows[n/2:] })
	}
	if n := len(t.spec.Columns); n > 3 {
		with(func(s *trial) { s.spec.Columns = s.spec.Columns[:n/2] })
		with(func(s *trial) { s.spec.Columns = s.spec.Columns[n/2:] })
	}
	for i := range t.spec.Rows {
		with(func(s *trial) { s.spec.Rows = slices.Delete(s.spec.Rows, i, i+1) })
	}
	for i := range t.spec.Columns {
		with(func(s *trial) { s.spec.Columns = slices.Delete(s.spec.Columns, i, i+1) })
	}
	for i := range t.strata {
		with(func(s *trial) { s.strata = slices.Delete(s.strata, i, i+1) })
	}
	if t.spec.Base != nil {
		with(func(s *trial) { s.spec.Base = nil })
	}
	if len(t.spec.Waves) > 0 {
		with(func(s *trial) { s.spec.Waves = nil })
	}
	if len(t.spec.Locations) > 0 {
		with(func(s *trial) { s.spec.Locations = nil })
	}
	if t.spec.Namespace != "" {
		with(func(s *trial) { s.spec.Namespace = "" })
	}
	if t.spec.LastWaves > 0 {
		with(func(s *trial) { s.spec.LastWaves = 0 })
	}
	if t.spec.Measures != 0 {
		with(func(s *trial) { s.spec.Measures = 0 })
	}
	for i, x := range t.spec.Rows {
		for _, y := range simplerExprs(x) {
			with(func(s *trial) { s.spec.Rows[i] = y })
		}
	}
	for i, x := range t.spec.Columns {
		for _, y := range simplerExprs(x) {
			with(func(s *trial) { s.spec.Columns[i] = y })
		}
	}
	for _, y := range simplerExprs(t.spec.Base) {
		with(func(s *trial) { s.spec.Base = y })
	}
	return all
}

// simplerExprs lists expressions that say a little less than x.
func simplerExprs(x audience.Expr) (all []audience.Expr) {
	switch x := x.(type) {
	case audience.And:
		return simplerLists(x, func(parts []audience.Expr) audience.Expr { return audience.And(parts) })
	case audience.Or:
		return simplerLists(x, func(parts []audience.Expr) audience.Expr { return audience.Or(parts) })
	case audience.Cut:
		return simplerLists(x, func(parts []audience.Expr) audience.Expr { return audience.Cut(parts) })
	case audience.Not:
		all = append(all, x.X)
		for _, y := range simplerExprs(x.X) {
			all = append(all, audience.Not{X: y})
		}
	case audience.Answers:
		return simplerAnswers(x)
	case audience.Waves:
		for codes := range oneLess(x.Codes) {
			all = append(all, audience.Waves{Codes: codes, Min: x.Min})
		}
	case audience.Locations:
		for codes := range oneLess(x.Codes) {
			all = append(all, audience.Locations{Codes: codes, Min: x.Min})
		}
	}
	return all
}

// oneLess goes through the lists that have one element less, if any is left.
func oneLess[T any](list []T) iter.Seq[[]T] {
	return func(yield func([]T) bool) {
		for i := range list {
			if len(list) > 1 && !yield(slices.Delete(slices.Clone(list), i, i+1)) {
				return
			}
		}
	}
}

// simplerLists: one of the parts alone, the list without a part, the list with a part simpler.
func simplerLists(parts []audience.Expr, join func([]audience.Expr) audience.Expr) []audience.Expr {
	all := slices.Clone(parts)
	for fewer := range oneLess(parts) {
		all = append(all, join(fewer))
	}
	for i, p := range parts {
		for _, y := range simplerExprs(p) {
			changed := slices.Clone(parts)
			changed[i] = y
			all = append(all, join(changed))
		}
	}
	return all
}

func simplerAnswers(x audience.Answers) []audience.Expr {
	var all []audience.Expr
	if len(x.Suffixes) > 0 {
		y := x
		y.Suffixes = nil
		all = append(all, y)
	}
	if x.Min > 1 {
		y := x
		y.Min--
		all = append(all, y)
	}
	for codes := range oneLess(x.Datapoints) {
		y := x
		y.Datapoints = codes
		all = append(all, y)
	}
	return all
}

// shrinkStudy leaves respondents out of a study as long as it fails, halves first, then single ones.
func shrinkStudy(st *Study, err error, try func(*Study) error) (*Study, error) {
	budget := 150
	for lot := len(st.Respondents) / 2; lot > 0 && budget > 0; {
		smaller := false
		for from := 0; from < len(st.Respondents) && budget > 0; {
			s := st.clone()
			s.Respondents = slices.Delete(s.Respondents, from, min(from+lot, len(s.Respondents)))
			budget--
			if e := try(s); e != nil {
				st, err, smaller = s, e, true
			} else {
				from += lot
			}
		}
		if !smaller || lot > len(st.Respondents) {
			lot /= 2
		}
	}
	return st, err
}
