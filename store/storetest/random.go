package storetest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/internal/script"
	"github.com/crosswave/crosswave/store/survey"
)

// perStudy is how many queries and how many specs are asked of each random study.
const perStudy = 40

// randomChecks makes a check of each of 50 random studies, 5 if short: 2,000 queries and 2,000 specs.
func randomChecks(short bool) []check {
	studies := 50
	if short {
		studies = 5
	}
	var all []check
	for seed := range uint64(studies) {
		all = append(all, check{fmt.Sprintf("random/%d", seed), func(ctx context.Context, open func() Engine) error {
			return RunRandom(ctx, seed, open)
		}})
	}
	return all
}

// RunRandom asks an engine about the random study of that seed: counts are compared with a Reference, figures with an Oracle. A failure is told as a script that
// repeats it, cut down to what matters.
func RunRandom(ctx context.Context, seed uint64, open func() Engine) error {
	g := NewRandom(seed)
	c := &contest{ctx: ctx, seed: seed, open: open, engine: open(), reference: new(Reference), study: g.Study()}
	if err := g.load(ctx, c); err != nil {
		return fmt.Errorf("seed %d: %w\n%s", seed, err, c.study.Text())
	}
	f, err := c.reference.Frame(ctx)
	if err != nil {
		return err
	}
	for asked := 0; asked < perStudy; {
		var trials []trial
		for range g.between(1, 8) {
			trials = append(trials, g.asker(f).query())
		}
		asked += len(trials)
		if err := c.count(trials); err != nil {
			return err
		}
	}
	for asked := 0; asked < perStudy; {
		var trials []trial
		for range g.between(1, 3) {
			trials = append(trials, trial{spec: g.asker(f).spec()})
		}
		if seed%10 == 0 && asked == 0 {
			trials[0].spec = g.asker(f).motley()
		}
		asked += len(trials)
		if err := c.tabulate(g.asker(f).grant(), trials); err != nil {
			return err
		}
	}
	return nil
}

// load brings the study into both stores, in one import or wave by wave, with a wave that goes and comes back.
func (g Random) load(ctx context.Context, c *contest) error {
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
		for _, e := range []Engine{c.reference, c.engine} {
			if _, err := there.publish(ctx, e, added, drop, batch); err != nil {
				return err
			}
		}
	}
	want, err := c.reference.Frame(ctx)
	if err != nil {
		return err
	}
	got, err := c.engine.Frame(ctx)
	if err != nil {
		return err
	}
	return diffFrames(got, want)
}

// contest is an engine beside the reference, both holding a random study.
type contest struct {
	ctx       context.Context
	seed      uint64
	open      func() Engine
	engine    Engine
	reference *Reference
	study     *Study
}

// trial is a question to an engine (then with a namespace and strata) or to Tabulate.
type trial struct {
	spec      audience.Spec
	namespace string
	strata    []audience.Cover
}

func (t trial) query(f *audience.Frame) audience.Query {
	q := audience.Query{Namespace: t.namespace, Strata: t.strata}
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
		return c.report(err, trials, func(engine Engine, reference *Reference, t trial) error {
			return compareCounts(c.ctx, engine, reference, []audience.Query{t.query(f)})
		})
	}
	return nil
}

// tabulate compares the figures of several specs, asked at once by a caller with that grant.
func (c *contest) tabulate(g audience.Grant, trials []trial) error {
	if err := compareSpecs(c.ctx, c.engine, c.reference, g, trials); err != nil {
		return c.report(err, trials, func(engine Engine, reference *Reference, t trial) error {
			return compareSpecs(c.ctx, engine, reference, g, []trial{t})
		})
	}
	return nil
}

func compareSpecs(ctx context.Context, engine Engine, reference *Reference, g audience.Grant, trials []trial) error {
	oracle := reference.Oracle()
	oracle.Frame = g.Mark(oracle.Frame)
	var specs []audience.Spec
	var want [][][]audience.Cell
	var faults []string // kinds of errors, one of which is expected; which is told first is not for the oracle to say
	for _, t := range trials {
		specs = append(specs, t.spec)
		if hidden(oracle.Frame, t.spec) {
			faults = append(faults, "unavailable")
		}
		cells, err := oracle.Cells(t.spec)
		if err != nil {
			faults = append(faults, kind(err))
		}
		want = append(want, cells)
	}
	tabs, err := audience.Tabulate(ctx, audience.Restrict(engine, g), func(*audience.Frame) ([]audience.Spec, error) { return specs, nil })
	switch {
	case len(faults) > 0 && (err == nil || !slices.Contains(faults, kind(err))):
		return fmt.Errorf("Tabulate: the error is %v, expected is one that is %s", err, strings.Join(faults, " or "))
	case len(faults) > 0:
		return nil
	case err != nil:
		return fmt.Errorf("Tabulate: %w", err)
	}
	for i, tab := range tabs {
		if err := compareCells(tab, want[i]); err != nil {
			return fmt.Errorf("spec %d: %w", i, err)
		}
	}
	return nil
}

// kind is the kind of an error: unavailable, incompatible …
func kind(err error) string { return strings.Fields(faultText(err))[0] }

// hidden tells whether a spec uses a wave or location that is hidden.
func hidden(f *audience.Frame, s audience.Spec) bool {
	var uses []audience.Use
	for _, x := range slices.Concat([]audience.Expr{s.Base}, s.Rows, s.Columns) {
		uses = append(uses, audience.Use{Expr: x})
	}
	var found *audience.UnavailableError
	return errors.As(f.Check(s.Waves, s.Locations, uses...), &found)
}

// report shrinks what failed and tells it.
func (c *contest) report(failed error, trials []trial, try func(Engine, *Reference, trial) error) error {
	for _, t := range trials {
		err := try(c.engine, c.reference, t)
		if err == nil {
			continue
		}
		t, err = shrinkTrial(t, err, func(t trial) error { return try(c.engine, c.reference, t) })
		study := c.study
		again := func(st *Study) error {
			engine, reference := c.open(), new(Reference)
			if err := errors.Join(st.Load(c.ctx, engine), st.Load(c.ctx, reference)); err != nil {
				return nil // another fault than the one looked for
			}
			return try(engine, reference, t)
		}
		note := "It fails only as the study was loaded, in several imports."
		if e := again(study); e != nil {
			study, err = shrinkStudy(study, e, again)
			note = "It fails with this script."
		}
		return fmt.Errorf("seed %d: %w\n# %s\n%s%s", c.seed, err, note, study.Text(), t.text(study))
	}
	return fmt.Errorf("seed %d: %w (of the %d questions asked at once; one by one they are answered well)", c.seed, failed, len(trials))
}

// text writes a trial as a step of a script, with what is right.
func (t trial) text(st *Study) string {
	reference := new(Reference)
	if err := st.Load(context.Background(), reference); err != nil {
		return err.Error()
	}
	f := reference.Oracle().Frame
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, "  "+strings.TrimRight(format, " ")+"\n", args...) }
	b.WriteString("\n" + strings.TrimSpace(map[bool]string{true: "tabulate", false: "count "}[t.namespace == ""]+t.namespace) + "\n")
	if t.spec.Base != nil {
		line("base %s", expressionText(t.spec.Base))
	}
	for _, x := range t.spec.Rows {
		line("row %s", expressionText(x))
	}
	for _, x := range t.spec.Columns {
		line("column %s", expressionText(x))
	}
	if t.spec.Namespace != "" {
		line("namespace %s", t.spec.Namespace)
	}
	if len(t.spec.Waves) > 0 {
		line("waves %s", strings.Join(t.spec.Waves, " "))
	}
	if len(t.spec.Locations) > 0 {
		line("locations %s", strings.Join(t.spec.Locations, " "))
	}
	if t.spec.LastWaves > 0 {
		line("last %d", t.spec.LastWaves)
	}
	for _, s := range t.strata {
		line("stratum %s", strings.TrimPrefix(coverText(f, s), "nowhere"))
	}
	b.WriteString(t.expected(reference))
	return b.String()
}

func expressionText(x audience.Expr) string {
	cut, ok := x.(audience.Cut)
	if !ok {
		return string(audience.Print(x))
	}
	var parts []string
	for _, p := range cut {
		parts = append(parts, string(audience.Print(p)))
	}
	return strings.Join(parts, " ")
}

// expected is the table of what is right.
func (t trial) expected(reference *Reference) string {
	oracle := reference.Oracle()
	rows := [][]string{{"cell"}}
	if t.namespace != "" {
		tables, err := count(context.Background(), oracle.Frame, oracle.Respondents, t.query(oracle.Frame))
		if err != nil {
			return err.Error()
		}
		for s := range tables {
			rows[0] = append(rows[0], fmt.Sprint(s+1))
		}
		for i := range len(t.spec.Rows) + 1 {
			for j := range len(t.spec.Columns) + 1 {
				row := []string{fmt.Sprintf("%d %d", i, j)}
				for _, table := range tables {
					row = append(row, fmt.Sprintf("%d %d", table.At(i, j).Sample, table.At(i, j).Weight))
				}
				rows = append(rows, row)
			}
		}
		return script.Format("  ", rows)
	}
	cells, err := oracle.Cells(t.spec)
	if err != nil {
		return "  error " + faultText(err) + "\n"
	}
	rows[0] = append(rows[0], "base", "row", "column", "both", "namespace", "cover")
	figure := func(f audience.Figure) string { return fmt.Sprintf("%d %v", f.Sample, f.Size) }
	for i := range cells {
		for j, cell := range cells[i] {
			at := fmt.Sprintf("%d %d", min(i+1, len(t.spec.Rows)), min(j+1, len(t.spec.Columns)))
			rows = append(rows, []string{at, figure(cell.Base), figure(cell.Row), figure(cell.Column), figure(cell.Both), cell.Namespace, coverText(oracle.Frame, cell.Cover)})
		}
	}
	return script.Format("  ", rows)
}
