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

// Reopener is an engine that can be closed and opened again, as after the end of its process. The suite then looks whether everything is still there.
type Reopener interface {
	Engine
	Reopen(ctx context.Context) (Engine, error)
}

// Test runs the conformance suite. open gives an empty engine at each call; the engine may use t to clean up after itself.
//
// The parts are: scripts, whose numbers a reader can add up by hand; random studies, whose counts are compared with those of a Reference and whose figures
// with those of an Oracle; and what an engine does when it is appended to, cut, changed by two at once, or given up on. With -short fewer random questions are asked.
func Test(t *testing.T, open func(t *testing.T) Engine) {
	for _, c := range checks(testing.Short()) {
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

func checks(short bool) []check {
	all := scriptChecks()
	all = append(all, behaviours(short)...)
	all = append(all, importChecks(short)...)
	all = append(all, exampleChecks()...)
	return append(all, randomChecks(short)...)
}
