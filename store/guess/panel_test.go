package guess_test

import (
	"fmt"
	"testing"

	"github.com/crosswave/crosswave/store/guess"
)

// Answers with a semicolon behind each are several in a field, also where no two respondents chose the same ones;
// sentences with semicolons are none.
func TestCombinations(t *testing.T) {
	offered := []string{"Python", "Teaching", "Data", "Law", "Writing", "Maps"}
	several := func(i int) string {
		text := ""
		for k, option := range offered {
			if (i+1)>>k&1 == 1 {
				text += option + ";"
			}
		}
		return text
	}
	sentences := func(i int) string { return fmt.Sprintf("I think %d; or is it %d times; or %d more", i, i*i, i+100) }
	got := readings(guessed(t, repeated(24, "id|What matters?|Why is that so?", count(1), several, sentences).file(),
		guess.Options{}))
	if got["What matters?"] != "multi what_matters" || got["Why is that so?"] != "not used" {
		t.Errorf("read as %v", got)
	}
}

// In a file of one wave of a panel all names end alike. What they end with is none of the words behind a stem, and what
// stands before it is a name in which a letter or a word tells the options.
func TestWavesMark(t *testing.T) {
	header, cells := "id", []func(int) string{count(1)}
	for k := range 24 {
		header += fmt.Sprintf("|%s_W26", []string{"AGE", "SEX", "INC", "EDU"}[k%4]+string(rune('A'+k/4)))
		cells = append(cells, among("red", "green", "blue", fmt.Sprint("shade ", k)))
	}
	header += "|GAMES_PUZZLE_W26|GAMES_SPORT_W26|GAMES_NONE_W26|SATISF_W26|SATISFY_W26"
	cells = append(cells, among("1", "0", "0"), among("0", "1", "0"), among("0", "0", "1"), among("1", "2", "9"),
		among("2", "9", "1"))
	got := readings(guessed(t, repeated(60, header, cells...).file(), guess.Options{}))
	for column, want := range map[string]string{"GAMES_PUZZLE_W26": "multi GAMES", "GAMES_SPORT_W26": "multi GAMES",
		"GAMES_NONE_W26": "multi GAMES", "SATISF_W26": "single SATISF_W26", "SATISFY_W26": "single SATISFY_W26"} {
		if got[column] != want {
			t.Errorf("%s: read as %q, want %q", column, got[column], want)
		}
	}
}
