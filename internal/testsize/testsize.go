// Package testsize says how much of what tests make up by themselves they make: random studies, spoilt bodies,
// interrupted imports. Everybody runs a few at each change, and CI runs many.
package testsize

import (
	"os"
	"testing"
)

// Variable is the environment variable that asks for whole tests, if it is "whole".
const Variable = "CROSSWAVE_TESTS"

// Of gives the number for tests that are run with -short, as under the race detector, where everything takes about ten
// times as long; for those that are run as usual; and for whole ones, which Variable asks for.
func Of(short, usual, whole int) int {
	switch {
	case testing.Short():
		return short
	case Whole():
		return whole
	}
	return usual
}

// Whole tells whether the tests are to be whole.
func Whole() bool { return !testing.Short() && os.Getenv(Variable) == "whole" }
