package survey_test

import (
	"testing"

	"github.com/crosswave/crosswave/store/survey"
)

// Spaces that do not break a line and byte order marks are spaces, inside a value and around it.
func TestPlain(t *testing.T) {
	for text, want := range map[string]string{
		"Strongly\u00a0agree": "Strongly agree", "\ufeffYes": "Yes", "1\u202f000": "1 000", " a b\t": "a b",
		"é\u2007x ": "é x",
		"\u00a0":    "", "": "",
	} {
		if got := survey.Plain(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
