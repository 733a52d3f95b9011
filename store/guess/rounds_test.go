package guess_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/crosswave/crosswave/store/guess"
)

// What was asked of each of several things in turns is a grid, whose rows are the things, where the names say of what.
func TestRounds(t *testing.T) {
	able, lacking := among("fully", "mostly", "hardly", "fully", "not at all"), among("money", "shops", "time", "")
	yes, times := among("well", "badly", "so so"), among("daily", "weekly", "never", "weekly")
	for _, c := range []struct {
		name    string
		columns string
		answers []func(int) string
		want    map[string]string
	}{
		{"a thing, and what is said of it behind its name",
			"id|food|food_lacking|water|water_lacking|health|health_lacking",
			[]func(int) string{count(1), able, lacking, able, lacking, able, lacking},
			map[string]string{"food": "grid question", "health": "grid question", "food_lacking": "grid lacking",
				"water_lacking": "grid lacking"}},
		{"a thing of which nothing else was asked stands between them",
			"id|food|food_lacking|school|water|water_lacking|health|health_lacking",
			[]func(int) string{count(1), able, lacking, able, able, lacking, able, lacking},
			map[string]string{"food": "grid question", "school": "grid question", "health": "grid question"}},
		{"words that begin with a capital, behind numbers of questions",
			"id|Q10_RichDataWell|Q11_RichDataOften|Q12_LicenceWell|Q13_LicenceOften|Q14_FormatWell|Q15_FormatOften",
			[]func(int) string{count(1), yes, times, yes, times, yes, times},
			map[string]string{"Q10_RichDataWell": "grid Well", "Q14_FormatWell": "grid Well",
				"Q11_RichDataOften": "grid Often", "Q15_FormatOften": "grid Often"}},
		{"the same answers to all, of no more things than questions",
			"id|peers_eat|peers_run|peers_rest|parents_eat|parents_run|parents_rest|partner_eat|partner_run|partner_rest",
			[]func(int) string{count(1), times, times, times, times, times, times, times, times, times},
			map[string]string{"peers_eat": "grid peers", "peers_rest": "grid peers", "partner_run": "grid partner"}},
		{"yes and no before what was done lately",
			"id|MOD|MOD_how|PKG|PKG_how|AUT|AUT_how",
			[]func(int) string{count(1), among("yes", "no"), times, among("yes", "no"), times, among("no", "yes"), times},
			map[string]string{"MOD": "single MOD", "PKG": "single PKG"}},
	} {
		got := readings(guessed(t, repeated(60, c.columns, c.answers...).file(), guess.Options{}))
		for column, want := range c.want {
			if got[column] != want {
				t.Errorf("%s: %s is read as %q, want %q", c.name, column, got[column], want)
			}
		}
	}
}

// … or where the words of the questions do, and the names tell nothing.
func TestRoundsInWords(t *testing.T) {
	able, lacking := among("1", "2", "3", "2"), among("10", "20", "30", "40", "20")
	f := repeated(60, "id|v12|v17|w3|x5|x9|k1", count(1), able, lacking, able, lacking, able, lacking).file()
	for i, thing := range []string{"electricity", "drinking water", "the internet"} {
		f.Columns[2*i+1].Label = "How well does " + thing + " work at home?"
		f.Columns[2*i+1].Labels = []guess.Label{{"1", "Well"}, {"2", "So so"}, {"3", "Badly"}}
		f.Columns[2*i+2].Label = "Who is to blame if " + thing + " fails?"
		f.Columns[2*i+2].Labels = []guess.Label{{"10", "The state"}, {"20", "The city"}, {"30", "Firms"}, {"40", "Nobody"}}
	}
	got := readings(guessed(t, f, guess.Options{}))
	one := got["v12"]
	if one != got["w3"] || one != got["x9"] || !strings.HasPrefix(one, "grid ") || got["v17"] == one {
		t.Errorf("they are read as %v", got)
	}
}

// The items of an inventory are one grid, whatever words return in them.
func TestInventoryWithoutRounds(t *testing.T) {
	steps := func(k int) func(int) string { return func(i int) string { return fmt.Sprint((i*(k+3)+i/7+k)%5 + 1) } }
	columns := []func(int) string{count(1)}
	for k := range 8 {
		columns = append(columns, steps(k))
	}
	f := repeated(210, "id|B_1|B_2|B_3|B_4|B_5|B_6|B_7|B_8", columns...).file()
	for i := range 8 {
		f.Columns[i+1].Label = []string{"My boss", "My team", "This company", "The council"}[i/2] +
			[]string{" listens to what I say", " helps me if I need it"}[i%2]
		f.Columns[i+1].Labels = []guess.Label{{"1", "Never"}, {"2", "Seldom"}, {"3", "Now and then"}, {"4", "Often"},
			{"5", "Always"}}
	}
	got := readings(guessed(t, f, guess.Options{}))
	if got["B_1"] != "grid B" || got["B_2"] != got["B_1"] || got["B_8"] != got["B_1"] {
		t.Errorf("they are read as %v", got)
	}
}

// The options of a question of REDCap have its name and their codes, whatever else their names have in common.
func TestOptionsOfREDCap(t *testing.T) {
	yes, no := among("1", "0", "0", "1"), among("0", "0", "1")
	f := repeated(60, "id|a_1_1_locus___1|a_1_1_locus___2|a_1_1_sust___1|a_1_1_sust___2|a_2_1_locus___1|a_2_1_locus___2|"+
		"a_2_1_sust___1|a_2_1_sust___2|once___1", count(1), yes, no, yes, no, no, yes, among("0"), yes, yes).file()
	got := readings(guessed(t, f, guess.Options{}))
	for column, want := range map[string]string{"a_1_1_locus___1": "multi a_1_1_locus",
		"a_1_1_locus___2": "multi a_1_1_locus",
		"a_1_1_sust___2":  "multi a_1_1_sust", "a_2_1_sust___1": "multi a_2_1_sust", "once___1": "single once___1"} {
		if got[column] != want {
			t.Errorf("%s is read as %q, want %q", column, got[column], want)
		}
	}
}

// Columns called question#option are one question where several are, and so are pairs of the two as Python writes them.
func TestOptionsBehindAMark(t *testing.T) {
	yes, no := among("1", "0", "0", "1"), among("0", "0", "1")
	for names, want := range map[string]map[string]string{
		"id|q_play#tv|q_play#pc|q_like#rts|q_like#4x|q_like#other": {"q_play#tv": "multi q_play",
			"q_play#pc": "multi q_play", "q_like#rts": "multi q_like", "q_like#other": "multi q_like"},
		"id|('P21', 'r')|('P21', 'c_c++_c#')|('P23', 'sql')|('P23', \"l'image\")|('P23', 'other')": {
			"('P21', 'r')": "multi P21", "('P21', 'c_c++_c#')": "multi P21", "('P23', 'sql')": "multi P23",
			"('P23', \"l'image\")": "multi P23"},
	} {
		got := readings(guessed(t, repeated(60, names, count(1), yes, no, yes, no, no).file(), guess.Options{}))
		for column, want := range want {
			if got[column] != want {
				t.Errorf("%s is read as %q, want %q", column, got[column], want)
			}
		}
	}
}

// Decipher writes "NO TO: " before an option that was not chosen.
func TestNoToAnOption(t *testing.T) {
	both := func(option string) func(int) string { return among(option, "NO TO: "+option, "NO TO: "+option) }
	got := readings(guessed(t, repeated(60, "id|Q5r1|Q5r2|Q5r3|Q13r1|Q13r2", count(1),
		both("City"), both("Federal"), both("None of the above"), both("Posters"), both("Letters")).file(), guess.Options{}))
	for column, want := range map[string]string{"Q5r1": "multi Q5r", "Q5r3": "multi Q5r",
		"Q13r1": "multi Q13r", "Q13r2": "multi Q13r"} {
		if got[column] != want {
			t.Errorf("%s is read as %q, want %q", column, got[column], want)
		}
	}
}

// "other" right behind the name of a question whose options have numbers there is one of them.
func TestOtherBehindTheName(t *testing.T) {
	f := repeated(60, "id|learnt1|learnt2|learnt3|learntother|another", count(1), among("Y", ""), among("", "Y"),
		among("Y", "Y", ""), among("", "", "", "Y"), among("Y", "", "")).file()
	got := readings(guessed(t, f, guess.Options{}))
	if got["learntother"] != "multi learnt" || got["another"] != "single another" {
		t.Errorf("learntother is read as %q, another as %q", got["learntother"], got["another"])
	}
}
