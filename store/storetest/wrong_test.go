package storetest

import (
	"context"
	"errors"
	"math/big"
	"slices"
	"strings"
	"testing"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/internal/testsize"
	"github.com/crosswave/crosswave/store/naive"
	"github.com/crosswave/crosswave/store/survey"
)

// wrong is an engine with one fault: a naive.Store, changed where a function is set.
type wrong struct {
	*naive.Store
	frame   func(*audience.Frame, *audience.Survey, *audience.Coverage) // what it says is there
	version func(uint64) uint64
	expr    func(*audience.Frame, audience.Expr) audience.Expr // how it understands each expression
	query   func(*audience.Frame, *audience.Query)
	tables  func(audience.Query, []*audience.Table)
	count   func(*wrong, context.Context, uint64, []audience.Query) ([][]*audience.Table, error)
	writer  func(*writer) survey.Writer
	after   func(before, now []naive.Respondent, f *audience.Frame) // each commit
}

func (w *wrong) Frame(ctx context.Context) (*audience.Frame, error) {
	f, err := w.Store.Frame(ctx)
	if err == nil && w.version != nil {
		f = f.WithVersion(w.version(f.Version))
	}
	if err != nil || w.frame == nil {
		return f, err
	}
	return altered(f, func(s *audience.Survey, c *audience.Coverage) { w.frame(f, s, c) }), nil
}

func (w *wrong) Count(ctx context.Context, version uint64, qs []audience.Query) ([][]*audience.Table, error) {
	if w.count != nil {
		return w.count(w, ctx, version, qs)
	}
	f, err := w.Store.Frame(ctx)
	if err != nil {
		return nil, err
	}
	changed := slices.Clone(qs)
	for i := range changed {
		q := &changed[i]
		if w.expr != nil {
			q.Base = rewrite(f, q.Base, w.expr)
			q.Rows, q.Columns = rewriteAll(f, q.Rows, w.expr), rewriteAll(f, q.Columns, w.expr)
		}
		if w.query != nil {
			w.query(f, q)
		}
	}
	out, err := w.Store.Count(ctx, version, changed)
	if err == nil && w.tables != nil {
		for i := range out {
			w.tables(qs[i], out[i])
		}
	}
	return out, err
}

func (w *wrong) Begin(ctx context.Context, base *survey.Release, s *audience.Survey) (survey.Writer, error) {
	in, err := w.Store.Begin(ctx, base, s)
	if err != nil {
		return nil, err
	}
	if w.writer != nil {
		in = w.writer(&writer{engine: w, base: base, survey: s})
	}
	if w.after != nil {
		in = &afterwards{in, w}
	}
	return in, nil
}

// afterwards spoils what was committed.
type afterwards struct {
	survey.Writer
	engine *wrong
}

func (w *afterwards) Commit(ctx context.Context, c survey.Change) (uint64, error) {
	before := w.engine.Respondents()
	v, err := w.Writer.Commit(ctx, c)
	if err != nil {
		return v, err
	}
	f, err := w.engine.Store.Frame(ctx)
	if err == nil {
		w.engine.after(before, w.engine.Respondents(), f) // which are those of the store, and no copies
	}
	return v, err
}

// rewrite changes an expression from its leaves upwards.
func rewrite(f *audience.Frame, x audience.Expr, change func(*audience.Frame,
	audience.Expr) audience.Expr) audience.Expr {
	switch y := x.(type) {
	case nil:
		return nil
	case audience.And:
		x = audience.And(rewriteAll(f, y, change))
	case audience.Or:
		x = audience.Or(rewriteAll(f, y, change))
	case audience.Not:
		x = audience.Not{X: rewrite(f, y.X, change)}
	}
	return change(f, x)
}

func rewriteAll(f *audience.Frame, xs []audience.Expr, change func(*audience.Frame,
	audience.Expr) audience.Expr) []audience.Expr {
	var out []audience.Expr
	for _, x := range xs {
		out = append(out, rewrite(f, x, change))
	}
	return out
}

// leaf changes only leaves of questions.
func leaf(change func(*audience.Frame, audience.Answers) audience.Expr) func(*audience.Frame,
	audience.Expr) audience.Expr {
	return func(f *audience.Frame, x audience.Expr) audience.Expr {
		if a, ok := x.(audience.Answers); ok {
			return change(f, a)
		}
		return x
	}
}

// minCountOnPairs counts (datapoint, suffix) pairs where two datapoints are wanted.
func minCountOnPairs(f *audience.Frame, a audience.Answers) audience.Expr {
	_, q := question(f, a)
	if !q.Grid() || a.Min != 2 {
		return a
	}
	var pairs []audience.Expr
	for _, d := range a.Datapoints {
		for _, s := range q.Suffixes {
			if len(a.Suffixes) == 0 || slices.Contains(a.Suffixes, s.Code) {
				pairs = append(pairs, audience.Answers{Question: a.Question, Datapoints: []string{d},
					Suffixes: []int{s.Code}, Min: 1})
			}
		}
	}
	var two audience.Or
	for i := range pairs {
		for j := range i {
			two = append(two, audience.And{pairs[i], pairs[j]})
		}
	}
	return two
}

// writer keeps what is added until it is committed, so that a fault can change it.
type writer struct {
	engine *wrong
	base   *survey.Release
	survey *audience.Survey
	added  []survey.Respondent
	closed bool
}

func (w *writer) Add(ctx context.Context, rs []survey.Respondent) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if w.closed {
		return errors.New("the import is over")
	}
	for _, r := range rs {
		r.Weights, r.Attributes = slices.Clone(r.Weights), slices.Clone(r.Attributes)
		r.Numbers = slices.Clone(r.Numbers)
		w.added = append(w.added, r)
	}
	return nil
}

func (w *writer) Commit(ctx context.Context, c survey.Change) (uint64, error) {
	if w.closed {
		return 0, errors.New("the import is over")
	}
	in, err := w.engine.Store.Begin(ctx, w.base, w.survey)
	if err != nil {
		return 0, err
	}
	if err := in.Add(ctx, w.added); err != nil {
		return 0, err
	}
	v, err := in.Commit(ctx, c)
	w.closed = err == nil
	return v, err
}

func (w *writer) Abort() error {
	w.closed, w.added = true, nil
	return nil
}

// show makes visible what was added, be it committed or not.
func (w *writer) show(ctx context.Context) error {
	release, err := w.engine.Store.Release(ctx)
	if err != nil || release.Version() == 0 {
		return err
	}
	all := slices.Clone(w.engine.Respondents())
	for _, r := range w.added {
		alone := new(naive.Store)
		in, err := alone.Begin(ctx, nil, w.survey)
		if err != nil {
			return err
		}
		if err := in.Add(ctx, []survey.Respondent{r}); err != nil {
			return err
		}
		if _, err := in.Commit(ctx, survey.Change{Frame: release.Frame}); err == nil { // else its wave is a new one
			all = append(all, alone.Respondents()...)
		}
	}
	w.added = nil
	w.engine.Store, err = naive.New(release, all)
	return err
}

// hooks is a writer with a fault.
type hooks struct {
	*writer
	add    func(*writer, context.Context, []survey.Respondent) error
	commit func(*writer, context.Context, survey.Change) (uint64, error)
	abort  func(*writer) error
}

func (h *hooks) Add(ctx context.Context, rs []survey.Respondent) error {
	if h.add != nil {
		return h.add(h.writer, ctx, rs)
	}
	return h.writer.Add(ctx, rs)
}

func (h *hooks) Commit(ctx context.Context, c survey.Change) (uint64, error) {
	if h.commit != nil {
		return h.commit(h.writer, ctx, c)
	}
	return h.writer.Commit(ctx, c)
}

func (h *hooks) Abort() error {
	if h.abort != nil {
		return h.abort(h.writer)
	}
	return h.writer.Abort()
}

func writing(h hooks) func(*writer) survey.Writer {
	return func(w *writer) survey.Writer {
		hw := h
		hw.writer = w
		return &hw
	}
}

// lazy keeps what it is handed until Commit.
type lazy struct {
	*writer
	kept [][]survey.Respondent
}

func (l *lazy) Add(_ context.Context, rs []survey.Respondent) error {
	l.kept = append(l.kept, rs)
	return nil
}

func (l *lazy) Commit(ctx context.Context, c survey.Change) (uint64, error) {
	for _, rs := range l.kept {
		if err := l.writer.Add(ctx, rs); err != nil {
			return 0, err
		}
	}
	return l.writer.Commit(ctx, c)
}

// forgetful can be reopened, and then lacks what was published last.
type forgetful struct{ *naive.Store }

func (f *forgetful) Reopen(ctx context.Context) (Engine, error) {
	release, err := f.Release(ctx)
	if err != nil {
		return nil, err
	}
	all := f.Respondents()
	f.Store, err = naive.New(release, all[:len(all)-1])
	return f, err
}

// reweigh sets the integers of weights another way.
func reweigh(now []naive.Respondent, f *audience.Frame, units func(weight *big.Rat, k int) int64) {
	for i := range now {
		for k, n := range f.Namespaces {
			if w := now[i].Weights[n.Code]; w != nil && w.Sign() > 0 {
				now[i].Units[n.Code] = units(w, f.Decimals(k))
			}
		}
	}
}

// TestWrongEngines runs the suite on engines with a fault each. Each must fail the check that is about what it does
// wrong.
func TestWrongEngines(t *testing.T) {
	if testing.Short() {
		t.Skip("wrong engines count one after the other, and dozens of them take long")
	}
	all := Suite{Studies: 5}.checks()
	for name, c := range wrongEngines() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, by := range c.by {
				var err error
				for _, check := range all {
					if (check.name == by || by == "random" && strings.HasPrefix(check.name, "random/")) && err == nil {
						err = check.run(t.Context(), c.open)
					}
				}
				if err == nil {
					t.Errorf("%s did not notice", by)
				}
				t.Logf("%s: %.200v", by, err)
			}
		})
	}
}

// TestFailuresRepeat takes the scripts that failures on random studies are told as. They must fail on the wrong engine
// and pass on the right one.
func TestFailuresRepeat(t *testing.T) {
	if testing.Short() {
		t.Skip("each wrong engine is asked until it fails, by one goroutine")
	}
	if testsize.Quick() {
		t.Skip("each wrong engine is asked again: it is unless CROSSWAVE_TESTS is quick")
	}
	for name, c := range wrongEngines() {
		if !slices.Contains(c.by, "random") {
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for seed := range uint64(5) {
				var failure *Failure
				err := RunRandom(t.Context(), seed, c.open)
				if !errors.As(err, &failure) || !failure.Whole {
					continue
				}
				if err := RunScript(t.Context(), "failure", failure.Script, c.open); err == nil {
					t.Errorf("the wrong engine passes\n%s", failure)
				}
				if err := RunScript(t.Context(), "failure", failure.Script, func() Engine { return new(naive.Store) }); err != nil {
					t.Errorf("%v\n%s", err, failure)
				}
				if n := strings.Count(failure.Script, "\n"); n > 60 {
					t.Errorf("a script of %d lines is not cut down\n%s", n, failure)
				}
				return
			}
		})
	}
}

type wrongEngine struct {
	open func() Engine
	by   []string // the checks that must notice
}
