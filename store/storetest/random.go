package storetest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/store/naive"
	"github.com/crosswave/crosswave/store/survey"
)

// perStudy is how many queries and how many specs are asked of each random study.
const perStudy = 40

// randomChecks makes a check of each of so many random studies.
func randomChecks(studies int) []check {
	var all []check
	for seed := range uint64(studies) {
		all = append(all, check{fmt.Sprintf("random/%d", seed), func(ctx context.Context, open func() Engine) error {
			return RunRandom(ctx, seed, open)
		}})
	}
	return all
}

// Failure is a random question that was answered wrongly, cut down to what matters.
type Failure struct {
	Seed   uint64 // of RunRandom
	Err    error  // what was wrong
	Script string // a study, a question and the right answer, for RunScript
	Whole  bool   // the script repeats it; otherwise it fails only on the study as it was loaded, in several imports
}

func (f *Failure) Error() string {
	note := "This script repeats it:"
	if !f.Whole {
		note = "It fails only as RunRandom loads the study, in several imports; the study and the question are:"
	}
	return fmt.Sprintf("seed %d: %v\n%s\n%s", f.Seed, f.Err, note, f.Script)
}

func (f *Failure) Unwrap() error { return f.Err }

// RunRandom asks an engine about the random study of that seed: counts are compared with a naive.Store, figures with an
// Oracle. A wrong answer is a *Failure.
func RunRandom(ctx context.Context, seed uint64, open func() Engine) error {
	g, engine := NewRandom(seed), open()
	c := &contest{ctx: ctx, seed: seed, engine: engine, reference: new(naive.Store), study: g.Study()}
	c.fill = func(st *Study) (audience.Store, *naive.Store, error) {
		engine, reference := open(), new(naive.Store)
		return engine, reference, errors.Join(st.Load(ctx, engine), st.Load(ctx, reference))
	}
	if err := g.load(ctx, c, engine); err != nil {
		return c.reportLoad(err, open)
	}
	return g.contend(c)
}

// contend asks perStudy queries and as many specs, a few at once.
func (g Random) contend(c *contest) error {
	f, err := c.reference.Frame(c.ctx)
	if err != nil {
		return err
	}
	for asked := 0; asked < perStudy; {
		var trials []trial
		for range g.between(1, 8) {
			trials = append(trials, g.slicer(f).query())
		}
		asked += len(trials)
		if err := c.count(trials); err != nil {
			return err
		}
	}
	if err := g.tabulate(c, f, perStudy, nil); err != nil {
		return err
	}
	return g.tabulate(c, f, perStudy/4, g.Derived(f))
}

// tabulate asks so many specs, which may name derived questions.
func (g Random) tabulate(c *contest, f *audience.Frame, most int, derived []audience.Definition) error {
	f = f.Extend(keyOf(derived), derived)
	for asked := 0; asked < most; {
		var trials []trial
		for range g.between(1, 3) {
			spec := g.slicer(f).spec()
			if g.chance(25) {
				spec.Measures = g.squares()
			}
			trials = append(trials, trial{spec: spec, derived: derived})
		}
		if c.seed%10 == 0 && asked == 0 {
			trials[0].spec = g.slicer(f).motley()
		}
		asked += len(trials)
		grant := g.asker(f).grant()
		for i := range trials {
			trials[i].grant = grant
		}
		if err := c.tabulate(trials); err != nil {
			return err
		}
	}
	return nil
}

// load brings the study into both stores, in one import or wave by wave, with a wave that goes and comes back.
func (g Random) load(ctx context.Context, c *contest, engine Engine) error {
	batch := []int{0, 1, 7, 64, 100}[g.IntN(5)]
	var codes []string
	for _, w := range c.study.Survey.Waves {
		codes = append(codes, w.Code)
	}
	g.Shuffle(len(codes), func(i, j int) { codes[i], codes[j] = codes[j], codes[i] })
	lots := [][]string{codes}
	switch g.IntN(4) {
	case 0:
		lots = slices.Collect(slices.Chunk(codes, 1))
	case 1, 2:
		back := slices.IndexFunc(codes, func(code string) bool { return len(c.study.waves(code)) > 0 })
		if back >= 0 {
			lots = append(slices.Collect(slices.Chunk(codes, g.between(1, len(codes)))), codes[back:back+1], codes[back:back+1])
		}
	}
	there := &Study{Survey: c.study.Survey}
	for i, lot := range lots {
		var drop []string
		added := c.study.waves(lot...)
		if i > 0 && len(lot) == 1 && len(there.waves(lot...)) > 0 { // it is there: it is withdrawn first, then comes back
			drop = lot
			if i == len(lots)-2 {
				added = nil
			}
			there.Respondents = slices.DeleteFunc(slices.Clone(there.Respondents), func(r survey.Respondent) bool {
				return there.Survey.Waves[r.Wave].Code == lot[0]
			})
		}
		there.Respondents = append(there.Respondents, added...)
		for _, e := range []Engine{c.reference, engine} {
			if _, err := there.publish(ctx, e, added, drop, batch); err != nil {
				return err
			}
		}
	}
	return sameFrames(ctx, c.engine, c.reference)
}

// contest is an engine beside the reference, both holding a random study.
type contest struct {
	ctx       context.Context
	seed      uint64
	engine    audience.Store
	reference *naive.Store
	study     *Study
	fill      func(*Study) (audience.Store, *naive.Store, error) // makes others of another study
}

// trial is a question to an engine (then with a namespace and strata) or to Tabulate (with a grant).
type trial struct {
	spec      audience.Spec
	namespace string
	strata    []audience.Cover
	grant     audience.Grant
	derived   []audience.Definition // that it may name
}

// fits tells whether a store has what the trial asks for: numbers have fewer digits when respondents are left out.
func (t trial) fits(ctx context.Context, st audience.Store) bool {
	f, err := extended(st, t.derived).Frame(ctx)
	var invalid *audience.InvalidError
	return err == nil && !errors.As(f.Check(nil, nil, uses(t.spec)...), &invalid)
}

func (t trial) query(f *audience.Frame) audience.Query {
	q := audience.Query{Namespace: t.namespace, Strata: t.strata, Measures: t.spec.Measures}
	if t.spec.Base != nil {
		q.Base = formed(f, t.spec.Base)
	}
	for _, x := range t.spec.Rows {
		q.Rows = append(q.Rows, formed(f, x))
	}
	for _, x := range t.spec.Columns {
		q.Columns = append(q.Columns, formed(f, x))
	}
	return q
}

// count compares the counts of several queries, asked at once.
func (c *contest) count(trials []trial) error {
	f, err := c.reference.Frame(c.ctx)
	if err != nil {
		return err
	}
	var qs []audience.Query
	for _, t := range trials {
		qs = append(qs, t.query(f))
	}
	if err := compareCounts(c.ctx, c.engine, c.reference, qs); err != nil {
		return c.report(err, trials, func(engine audience.Store, reference *naive.Store, t trial) error {
			return compareCounts(c.ctx, engine, reference, []audience.Query{t.query(f)})
		})
	}
	return nil
}

// tabulate compares the figures of several specs, asked at once by a caller with one grant.
func (c *contest) tabulate(trials []trial) error {
	if err := compareSpecs(c.ctx, c.engine, c.reference, trials); err != nil {
		return c.report(err, trials, func(engine audience.Store, reference *naive.Store, t trial) error {
			return compareSpecs(c.ctx, engine, reference, []trial{t})
		})
	}
	return nil
}

func compareSpecs(ctx context.Context, engine audience.Store, reference *naive.Store, trials []trial) error {
	g, oracle := trials[0].grant, NewOracle(reference)
	oracle.Frame = oracle.Frame.For(g).Extend(keyOf(trials[0].derived), trials[0].derived)
	var specs []audience.Spec
	var want [][][]Cell
	var faults []string // kinds of errors, one of which is expected; which is told first is not for the oracle to say
	for _, t := range trials {
		spec, err := throughText(t.spec)
		if err != nil {
			return err
		}
		specs = append(specs, spec)
		if hidden(oracle.Frame, t.spec) {
			faults = append(faults, "unavailable")
			if t.derived != nil { // which are not there
				continue
			}
		}
		cells, err := oracle.Cells(t.spec)
		if err != nil {
			faults = append(faults, kind(err))
		}
		want = append(want, cells)
	}
	tabs, err := audience.Tabulate(ctx, extended(audience.Restrict(engine, g), trials[0].derived),
		func(*audience.Frame) ([]audience.Spec, error) { return specs, nil })
	switch {
	case len(faults) > 0 && (err == nil || !slices.Contains(faults, kind(err))):
		return fmt.Errorf("calling Tabulate: the error is %v, expected is one that is %s", err, strings.Join(faults, " or "))
	case len(faults) > 0:
		return nil
	case err != nil:
		return fmt.Errorf("calling Tabulate: %w", err)
	}
	for i, tab := range tabs {
		err := compareCells(tab, want[i])
		if err == nil && tab.Spec.Measures.Has(audience.Squares) {
			err = compareSections(oracle, tab, want[i])
		}
		if err != nil {
			return fmt.Errorf("spec %d: %w", i, err)
		}
	}
	return nil
}

// throughText writes the rows as JSON and reads them again, which must change nothing.
func throughText(s audience.Spec) (audience.Spec, error) {
	rows := slices.Clone(s.Rows)
	for i, x := range rows {
		if _, cut := x.(audience.Cut); cut {
			continue
		}
		y, err := (&audience.Parser{Bands: true}).Parse(audience.Print(written(x)))
		if err != nil {
			return s, fmt.Errorf("%s: %w", audience.Print(x), err)
		}
		rows[i] = read(y)
	}
	s.Rows = rows
	return s, nil
}

// kind is the kind of an error: unavailable, incompatible …
func kind(err error) string { return strings.Fields(faultText(err))[0] }

// hidden tells whether a spec uses a wave or location that is hidden.
func hidden(f *audience.Frame, s audience.Spec) bool {
	var found *audience.UnavailableError
	return errors.As(f.Check(s.Waves, s.Locations, uses(s)...), &found)
}

// uses lists the expressions of a spec.
func uses(s audience.Spec) []audience.Use {
	all := []audience.Use{{Origin: "base", Expr: s.Base}}
	for i, x := range s.Rows {
		all = append(all, audience.Use{Origin: fmt.Sprintf("rows[%d]", i), Expr: x})
	}
	for i, x := range s.Columns {
		all = append(all, audience.Use{Origin: fmt.Sprintf("columns[%d]", i), Expr: x})
	}
	return all
}

// reportLoad tells what went wrong in filling the engine.
func (c *contest) reportLoad(failed error, open func() Engine) error {
	again := func(st *Study) error {
		engine, reference := open(), new(naive.Store)
		if err := st.Load(c.ctx, reference); err != nil {
			return nil // another fault than the one looked for
		}
		if err := st.Load(c.ctx, engine); err != nil {
			return err
		}
		return sameFrames(c.ctx, engine, reference)
	}
	err := again(c.study)
	if err == nil {
		return &Failure{Seed: c.seed, Err: failed, Script: c.study.Text()}
	}
	study, err := shrinkStudy(c.study, err, again)
	return &Failure{Seed: c.seed, Err: err, Script: study.Text(), Whole: true}
}

// report shrinks what failed and tells it.
func (c *contest) report(failed error, trials []trial, try func(audience.Store, *naive.Store, trial) error) error {
	for _, t := range trials {
		err := try(c.engine, c.reference, t)
		if err == nil {
			continue
		}
		t, err = shrinkTrial(t, err, func(t trial) error { return try(c.engine, c.reference, t) })
		study := c.study
		again := func(st *Study) error {
			engine, reference, err := c.fill(st)
			if err != nil || !t.fits(c.ctx, reference) {
				return nil // another fault than the one looked for
			}
			return try(engine, reference, t)
		}
		whole := false
		if e := again(study); e != nil {
			study, err = shrinkStudy(study, e, again)
			whole = true
		}
		text, e := t.text(study)
		return &Failure{Seed: c.seed, Err: errors.Join(err, e), Script: text, Whole: whole}
	}
	return fmt.Errorf("seed %d: %w (of the %d questions asked at once; one by one they are answered well)", c.seed,
		failed, len(trials))
}
