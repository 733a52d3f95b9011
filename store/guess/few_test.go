package guess_test

import (
	"strings"
	"testing"

	"github.com/crosswave/crosswave/store/guess"
	"github.com/google/go-cmp/cmp"
)

// Questions that few respondents answered, or of which nobody chose most options, are read as those of many are.
func TestFewRespondents(t *testing.T) {
	// at returns a column in which a text stands in the rows named by their letters, and nothing, or rest, elsewhere.
	at := func(letters, text, rest string) func(int) string {
		return func(i int) string {
			if strings.ContainsRune(letters, rune('a'+i)) {
				return text
			}
			return rest
		}
	}
	for _, c := range []struct {
		name, header string
		columns      []func(int) string
		want         string // of each column, between bars
	}{
		{"answers with a bare comma between them, some of which hold a comma", "Tools", []func(int) string{
			among("", "Costs, fees and taxes,Noise", "Noise,Dirt", "", "Costs, fees and taxes,Dirt", "none of that, really"),
		}, "multi Tools"},
		{"a crop and its kind", "Seeds", []func(int) string{among("maize,white", "maize,red", "beans,red", "beans,white",
			"peas")}, "single Seeds"},
		{"two words in any order, with a space behind the comma", "Fishing", []func(int) string{among("often, yes",
			"yes, never", "never, often")}, "single Fishing"},
		{"lists in alphabetical order, of which hardly two are the same", "Parts", []func(int) string{alphabetical},
			"multi Parts"},
		{"six lists in alphabetical order, of answers given twice", "Parts", []func(int) string{func(i int) string {
			return append([]string{"ant, bee, cat, dog", "eel, fox, gnu, hen", "ibis, jay, kite, lark", "ant, eel, ibis, kite",
				"bee, fox, jay, lark", "cat, dog, gnu, hen"}, make([]string, 30)...)[i]
		}}, "multi Parts"},
		{"several asked for, and nobody who chose two", "Tea? (check all that apply) | Ale? (check all that apply) | " +
			"Rum? (check all that apply) | Gin? (check all that apply) | Cocoa? (check all that apply) | Ale?_TEXT",
			[]func(int) string{among("hot", "hot;cold", "cold"), among("pale;dark", "dark", "pale"),
				among("white", "brown", "white;brown"), among("dry", "sloe", ""), among("Yes", "No"), among("old", "new")},
			"multi tea_check_all_that_apply | multi ale_check_all_that_apply | multi rum_check_all_that_apply | " +
				"multi gin_check_all_that_apply | single cocoa_check_all_that_apply | not used"},
		{"one option each, called as its column is, by one respondent most of them",
			"T_Any | T_AtlanticCarp | T_BlueCrab | T_Eel | T_Cod | T_Bass | T_Pike | fish",
			[]func(int) string{at("abcdefghi", "Anything", ""), at("d", "Atlantic carp spp.", ""), at("ek", "Blue crab", ""),
				at("", "", ""), at("", "", ""), at("m", "Bass", ""), at("n", "Pike - northern", ""), among("yes", "no")},
			"multi T | multi T | multi T | multi T | multi T | multi T | multi T | single fish"},
		{"ones under names that begin alike, in two of five columns",
			"ethnative | ethasian | ethblack | ethlatin | ethwhite | age",
			[]func(int) string{at("c", "1", ""), at("", "", ""), at("", "", ""), at("", "", ""), at("abdefgh", "1", ""),
				count(20)},
			"multi ethnative | multi ethnative | multi ethnative | multi ethnative | multi ethnative | number age"},
		{"0 and 1, and the last that nobody chose", "health | stigma | crime | tourism | cost | prison | other | party",
			[]func(int) string{among("0", "1"), among("1", "0", "0"), among("0", "0", "1", "1"), among("1", "1", "0", "0", "0"),
				among("0", "1", "1"), at("", "", "0"), at("", "", "0"), among("1", "2", "3")},
			strings.Repeat("multi health | ", 7) + "single party"},
		{"true and false, and one within that nobody chose", "radio | papers | web | friends | posters | talks | party",
			[]func(int) string{among("FALSE", "TRUE"), among("TRUE", "FALSE", "FALSE"), among("FALSE", "FALSE", "TRUE", "TRUE"),
				at("", "", "FALSE"), among("TRUE", "TRUE", "FALSE", "FALSE", "FALSE"), among("FALSE", "TRUE", "TRUE"),
				among("1", "2", "3")},
			"multi radio | multi radio | multi radio | multi radio | multi radio | multi radio | single party"},
	} {
		t.Run(c.name, func(t *testing.T) {
			table := repeated(30, "id | "+c.header, append([]func(int) string{count(1)}, c.columns...)...)
			want := map[string]string{"id": "respondent"}
			for i, as := range strings.Split(c.want, " | ") {
				want[table.header[i+1]] = as
			}
			if diff := cmp.Diff(want, readings(guessed(t, table.file(), guess.Options{}))); diff != "" {
				t.Errorf("-want +got\n%s", diff)
			}
		})
	}
}

// alphabetical returns lists of a few of many words, in order but for the last, behind which a respondent wrote more.
func alphabetical(i int) string {
	var list []string
	for k, word := range strings.Fields("ant bee cat dog eel fox gnu hen ibis jay kite lark") {
		if (i*1237+271)>>k&1 == 1 || k < 2 && i%7 == k {
			list = append(list, word)
		}
	}
	if i == 29 {
		list = append(list, "and what I caught")
	}
	return strings.Join(list, ", ")
}
