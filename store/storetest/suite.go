package storetest

import (
	"context"
	"testing"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/store/survey"
)

// Engine is what the suite tests: it takes respondents in and counts them.
type Engine interface {
	audience.Store
	survey.Store
}

// Reopener is an engine that can be closed and opened again, as after the end of its process. The suite then looks
// whether everything is still there.
type Reopener interface {
	Engine
	Reopen(ctx context.Context) (Engine, error)
}

// Test runs the conformance suite. open gives an empty engine at each call; the engine may use t to clean up after
// itself.
//
// The parts are: scripts, whose numbers a reader can add up by hand; random studies, whose counts are compared with
// those of a naive.Store and whose figures with those of an Oracle; and what an engine does when it is appended to,
// cut, changed by two at once, or given up on.
func Test(t *testing.T, open func(t *testing.T) Engine) {
	t.Helper()
	Suite{}.Test(t, open)
}

// Suite says how much of what is random the conformance suite asks. The zero value is what Test runs.
type Suite struct {
	// Studies is the number of random studies, each of which is asked 40 queries and 40 specs; 0 is 50, or 5 with
	// -short. What else is made at random grows with it: an engine that takes milliseconds to answer is asked about
	// fewer.
	Studies int
}

// Test runs the suite: see the function Test.
func (s Suite) Test(t *testing.T, open func(t *testing.T) Engine) {
	if s.Studies == 0 {
		s.Studies = 50
		if testing.Short() {
			s.Studies = 5
		}
	}
	for _, c := range s.checks() {
		t.Run(c.name, func(t *testing.T) {
			if err := c.run(t.Context(), func() Engine { return open(t) }); err != nil {
				t.Fatal(err)
			}
		})
	}
}

// check is one test of the suite. The error says what the engine did wrong.
type check struct {
	name string
	run  func(ctx context.Context, open func() Engine) error
}

func (s Suite) checks() []check {
	all := scriptChecks()
	all = append(all, behaviours(max(2000, 200*s.Studies))...)
	all = append(all, importChecks(max(5, s.Studies*2/5))...)
	all = append(all, exampleChecks()...)
	return append(all, randomChecks(s.Studies)...)
}
