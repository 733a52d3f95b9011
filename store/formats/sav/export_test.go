package sav

import "testing"

// CompareTools sees to it that PSPP and readstat read a file as this package does, for tests of files that other
// packages write.
func CompareTools(t *testing.T, path string, c Compression) {
	t.Helper()
	tb := readBack(t, path)
	comparePSPP(t, tb, path)
	compareReadstat(t, tb, path, c)
}

// Tool runs a program, which must not complain, and returns what it prints; the test is skipped where it is not
// installed.
var Tool = tool
