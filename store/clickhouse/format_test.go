package clickhouse

import "testing"

// Answers are stored as words where all servers are of a version that counts them well, and there are not too many.
func TestFormatFor(t *testing.T) {
	for _, c := range []struct {
		versions []string
		words    int
		want     Format
	}{
		{[]string{"18.16.1"}, 12, Arrays},
		{[]string{"21.12.4.1"}, 12, Arrays},
		{[]string{"22.1.2.2"}, 12, Words},
		{[]string{"26.7.1.1-testing"}, 12, Words},
		{[]string{"22.1.2.2", "26.7.1.1", "100.1"}, 12, Words},
		{[]string{"26.7.1.1", "18.16.1"}, 12, Arrays},
		{[]string{"26.7.1.1", ""}, 12, Words},
		{[]string{"", "18.16.1"}, 12, Arrays},
		{[]string{"26.7.1.1"}, mostWords, Words},
		{[]string{"26.7.1.1"}, mostWords + 1, Arrays},
		{[]string{"9.9"}, 12, Arrays},
		{[]string{"unknown"}, 12, Arrays},
		{[]string{"26"}, 0, Words},
	} {
		if got := formatFor(c.versions, c.words); got != c.want {
			t.Errorf("servers of %q, %d words: %q, not %q", c.versions, c.words, got, c.want)
		}
	}
}
