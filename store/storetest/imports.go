package storetest

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/store/naive"
	"github.com/crosswave/crosswave/store/survey"
)

// Source is the study as a survey file that has been opened.
func (st *Study) Source() survey.Source { return source{st} }

type source struct{ study *Study }

func (s source) Describe(ctx context.Context) (*audience.Survey, error) {
	return s.study.Survey, ctx.Err()
}

func (s source) Respondents(ctx context.Context) iter.Seq2[*survey.Batch, error] {
	return func(yield func(*survey.Batch, error) bool) {
		total := int64(len(s.study.Respondents))
		done := int64(0)
		for lot := range slices.Chunk(s.study.Respondents, 50) {
			done += int64(len(lot))
			if err := ctx.Err(); err != nil {
				yield(nil, err)
				return
			}
			// The batch belongs to the source: whoever keeps something of it finds it spoilt.
			b := &survey.Batch{Done: done, Total: total}
			for _, r := range lot {
				r.Weights, r.Attributes, r.Answered = slices.Clone(r.Weights), slices.Clone(r.Attributes), slices.Clone(r.Answered)
				r.Numbers = slices.Clone(r.Numbers)
				b.Respondents = append(b.Respondents, r)
			}
			if !yield(b, nil) {
				return
			}
			for i := range b.Respondents {
				clear(b.Respondents[i].Weights)
				clear(b.Respondents[i].Attributes)
				clear(b.Respondents[i].Answered)
				clear(b.Respondents[i].Numbers)
			}
		}
	}
}

// withinFieldwork is f with coverage cut to fieldwork that the study has respondents of.
func (st *Study) withinFieldwork(f *audience.Frame) *audience.Frame {
	there := st.where(f, func(*survey.Respondent) bool { return true })
	return altered(f, func(_ *audience.Survey, c *audience.Coverage) {
		for _, asked := range c.Asked {
			for j := range asked {
				asked[j] = asked[j].And(there)
			}
		}
	})
}

// altered is a copy of f with some of its records or coverage changed, which must not make it one that can't be.
func altered(f *audience.Frame, alter func(*audience.Survey, *audience.Coverage)) *audience.Frame {
	s, c := *f.Survey, f.Coverage()
	s.Namespaces = slices.Clone(s.Namespaces)
	c.Fielded, c.Decimals, c.Asked = slices.Clone(c.Fielded), slices.Clone(c.Decimals), slices.Clone(c.Asked)
	for i := range c.Asked {
		c.Asked[i] = slices.Clone(c.Asked[i])
	}
	c.Numbers = slices.Clone(c.Numbers)
	alter(&s, &c)
	g, err := audience.NewFrame(f.Version, &s, c)
	if err != nil {
		panic(err) // what tests alter is fit for a frame
	}
	return g
}

// importChecks fill the engine by survey.Import: the scripts once more, and so many random studies.
func importChecks(studies int) []check {
	var all []check
	for _, c := range scriptNames() {
		text := scriptText(c)
		if strings.Contains(text, "\nwithdraw") {
			continue // Withdraw takes the waves themselves away; scripts go on with them
		}
		all = append(all, check{"import/" + strings.TrimSuffix(c, ".txt"), func(ctx context.Context,
			open func() Engine) error {
			return runScript(&run{ctx: ctx, engine: open(), reference: new(naive.Store), imports: true}, c, text)
		}})
	}
	for seed := range uint64(studies) {
		all = append(all, check{fmt.Sprintf("import/random_%d", seed), func(ctx context.Context, open func() Engine) error {
			if err := importRandom(ctx, seed, open); err != nil {
				return fmt.Errorf("seed %d: %w\n%s", seed, err, NewRandom(seed).Study().Text())
			}
			return nil
		}})
	}
	return all
}

// importRandom imports a random study wave by wave, replaces a wave by itself, and imports the whole at once. Either
// way the store must hold what the study makes of itself.
func importRandom(ctx context.Context, seed uint64, open func() Engine) error {
	st := NewRandom(seed).Study()
	var codes []string // of the waves that have respondents
	for _, w := range st.Survey.Waves {
		if len(st.waves(w.Code)) > 0 {
			codes = append(codes, w.Code)
		}
	}
	if len(codes) == 0 {
		return nil
	}
	reference := new(naive.Store)
	if err := st.Load(ctx, reference); err != nil {
		return err
	}
	compare := func(e Engine) error {
		f, err := e.Frame(ctx)
		if err != nil {
			return err
		}
		want, err := reference.Frame(ctx)
		if err != nil {
			return err
		}
		if err := diffFrames(f, st.withinFieldwork(want)); err != nil {
			return err
		}
		return compareCounts(ctx, e, reference, probes(want, seed, 10))
	}
	whole := open()
	if _, err := survey.Import(ctx, st.Source(), whole, survey.Options{}); err != nil {
		return fmt.Errorf("imported at once: %w", err)
	}
	if err := compare(whole); err != nil {
		return fmt.Errorf("imported at once: %w", err)
	}
	steps := open()
	for _, code := range codes {
		part := &Study{Survey: st.Survey, Respondents: st.waves(code)}
		if _, err := survey.Import(ctx, part.Source(), steps, survey.Options{Mode: survey.Append}); err != nil {
			return fmt.Errorf("wave %s appended: %w", code, err)
		}
	}
	if err := compare(steps); err != nil {
		return fmt.Errorf("imported wave by wave: %w", err)
	}
	part := &Study{Survey: st.Survey, Respondents: st.waves(codes[0])}
	if _, err := survey.Import(ctx, part.Source(), steps, survey.Options{Mode: survey.Replace,
		ReplaceWaves: codes[:1]}); err != nil {
		return fmt.Errorf("wave %s replaced by itself: %w", codes[0], err)
	}
	if err := compare(steps); err != nil {
		return fmt.Errorf("wave %s replaced by itself: %w", codes[0], err)
	}
	return nil
}
