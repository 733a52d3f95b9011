package storetest

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/store/naive"
	"github.com/crosswave/crosswave/store/survey"
)

// OpenCounter gives an engine that counts the respondents of a source, and nothing else, for one version: that of the
// frame. The source has the respondents by the numbers of the survey that it describes and of its Layout. Their
// weights become integers in the frame's units, rounded half away from zero, and they have no answers to what was not
// asked of them.
type OpenCounter func(f *audience.Frame, source survey.Source) (audience.Counter, error)

// TestCounter tests an engine that only counts, as one does that has its respondents in a way of its own: random
// studies of the kind that Test asks about, whose counts are compared with those of a naive.Store and whose figures
// with those of an Oracle. The engine may use t to clean up after itself.
func TestCounter(t *testing.T, open func(t *testing.T, f *audience.Frame, source survey.Source) audience.Counter) {
	t.Helper()
	studies := uint64(50)
	if testing.Short() {
		studies = 5
	}
	for seed := range studies {
		t.Run(fmt.Sprintf("random/%d", seed), func(t *testing.T) {
			err := RunRandomCounter(t.Context(), seed, func(f *audience.Frame, source survey.Source) (audience.Counter, error) {
				return open(t, f, source), nil
			})
			if err != nil {
				t.Fatal(err)
			}
		})
	}
}

// RunRandomCounter asks an engine that only counts about the random study of that seed. A wrong answer is a *Failure.
func RunRandomCounter(ctx context.Context, seed uint64, open OpenCounter) error {
	g := NewRandom(seed)
	c := &contest{ctx: ctx, seed: seed, study: g.Study()}
	c.fill = func(st *Study) (audience.Store, *naive.Store, error) {
		reference := new(naive.Store)
		if err := st.Load(ctx, reference); err != nil {
			return nil, nil, err
		}
		f, err := reference.Frame(ctx)
		if err != nil {
			return nil, nil, err
		}
		counter, err := open(f, st.asAsked(f).Source())
		return audience.Pair(reference, counter), reference, err
	}
	var err error
	if c.engine, c.reference, err = c.fill(c.study); err != nil {
		return err
	}
	if err := c.otherVersion(); err != nil {
		return fmt.Errorf("seed %d: %w", seed, err)
	}
	return g.contend(c)
}

// otherVersion asks for a version that is not there.
func (c *contest) otherVersion() error {
	f, err := c.engine.Frame(c.ctx)
	if err != nil {
		return err
	}
	if _, err := c.engine.Count(c.ctx, f.Version+1, probes(f, c.seed, 1)); !errors.Is(err, audience.ErrChanged) {
		return fmt.Errorf("its Count of version %d, which is not there: %v instead of audience.ErrChanged", f.Version+1, err)
	}
	return nil
}

// asAsked is the study without answers to what was not asked.
func (st *Study) asAsked(f *audience.Frame) *Study {
	as := naive.Attributes(st.Survey)
	out := &Study{Survey: st.Survey}
	for _, r := range st.Respondents {
		out.Respondents = append(out.Respondents, st.used(f, as, r))
	}
	return out
}
