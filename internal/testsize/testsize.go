// Package testsize says how much of what tests make up by themselves they make: random studies, spoilt bodies,
// interrupted imports. Everybody runs a few at each change, and CI runs many.
package testsize

import (
	"os"
	"testing"
)

// Variable is the environment variable that asks for whole tests, if it is "whole", and for those that start no
// servers and leave out what takes long and is much like others, if it is "quick".
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

// Quick tells whether what needs a server is left to whole tests, also where one is installed, and what takes long.
func Quick() bool { return os.Getenv(Variable) == "quick" }
