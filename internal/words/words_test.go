package words

import (
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/text/unicode/norm"
)

func TestPlain(t *testing.T) {
	for text, want := range map[string]string{
		"":                        "",
		"Smoking, how often?":     "smoking, how often?",
		"Café Crème":              "cafe creme",
		"Cafe\u0301":              "cafe",
		"Straße GROẞ":             "strasse gross",
		"Işık IĞDIR İzmir":        "isik igdir izmir",
		"Łódź żółw":               "lodz zolw",
		"Smørrebrød på Æbeløgade": "smorrebrod pa aebelogade",
		"Þórður œuvre Ðakovo":     "thordur oeuvre dakovo",
		"Đurđa ŋ ħ ŧ":             "durda n h t",
		"Việt Nam phở":            "viet nam pho",
		"ΚΑΛΗΜΈΡΑ καλημέρας ᾧ":   "καλημερα καλημερασ ω",
		"Ёлка чай":               "елка чаи",
		"أحمد مُحَمَّد":          "احمد محمد",
		"שָׁלוֹם":                "שלום",
		"ＡＢＣ１２３":                 "abc123",
		"ﬁne oﬀer":               "fine offer",
		"soft\u00ADhy\u200Dphen": "softhyphen",
		"L’Oréal":                "l'oreal",
		"서울":                     norm.NFD.String("서울"),
		"हिन्दी":                 "हिन्दी",
		"\xff1":                  "\ufffd1",
	} {
		if got := Plain(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// What Unicode writes as a letter and marks is that letter, composed or not, throughout the scripts that are known.
func TestPlainAsUnicode(t *testing.T) {
	ranges := []struct{ first, last rune }{{0x20, 0x24F}, {0x370, 0x3FF}, {0x400, 0x482}, {0x48A, 0x52F}, {0x5D0, 0x5EA},
		{0x620, 0x64A}, {0x6C0, 0x6D3}, {0x1E00, 0x1FFF}, {firstSyllable, lastSyllable}}
	seen := 0
	for _, of := range ranges {
		for r := of.first; r <= of.last; r++ {
			if !unicode.IsLetter(r) {
				continue
			}
			seen++
			composed, apart := string(r), norm.NFD.String(string(r))
			if Plain(composed) != Plain(apart) {
				t.Errorf("%U %s is %q, and %q taken apart", r, composed, Plain(composed), Plain(apart))
			}
			if slices.ContainsFunc([]rune(Plain(composed)), dropped) {
				t.Errorf("%U %s is %q, with an accent", r, composed, Plain(composed))
			}
		}
	}
	if seen < 12_000 {
		t.Errorf("only %d letters were looked at", seen)
	}
}

// Each letter of the list is there once, is small and becomes something that stays as it is.
func TestLetters(t *testing.T) {
	seen := map[rune]bool{}
	for _, l := range letters() {
		for _, r := range l.accented {
			if seen[r] || unicode.ToLower(r) != r || Plain(l.plain) != l.plain || Plain(string(r)) != l.plain {
				t.Errorf("%U %c is %q", r, r, Plain(string(r)))
			}
			seen[r] = true
		}
	}
}

func TestWords(t *testing.T) {
	for text, want := range map[string]struct{ text, query string }{
		"":                       {"", ""},
		" – !? ":                 {"", ""},
		"How often do you, Sir?": {"how often do you sir", "how often do you sir"},
		"of the day of":          {"of the day of", "of the day"},
		"16–34 (young)":          {"16 34 young", "16 34 young"},
		"E-mail":                 {"e mail email", "e mail"},
		"McDonald's":             {"mcdonald s mcdonalds", "mcdonalds"},
		"L’Oréal":                {"l oreal loreal", "loreal"},
		"H&M":                    {"h m hm", "hm"},
		"U.S. of A.":             {"u s us of a", "us of a"},
		"media_use_1":            {"media use 1 mediause1", "media use 1"},
		"M&S-Bank":               {"m s bank msbank ms", "ms bank"},
		"-e- 'n' .5":             {"e n 5", "e n 5"},
		"a--b":                   {"a b", "a b"},
		"rock & roll":            {"rock roll", "rock roll"},
		"清涼飲料":                   {"清涼 涼飲 飲料 料", "清涼 涼飲 飲料"},
		"料":                      {"料", "料"},
		"コーヒーを飲む":                {"コー ーヒ ヒー ーを を飲 飲む む", "コー ーヒ ヒー ーを を飲 飲む"},
		"LINEで話す":                {"line で話 話す す", "line で話 話す"},
		"ที่นี่":                 {"ที่นี่ นี่", "ที่นี่"},
		"a\u0e31b":               {"a\u0e31b", "a\u0e31b"},
		"हिन्दी में":             {"हिन्दी में", "हिन्दी में"},
	} {
		if d := cmp.Diff(want.text, strings.Join(Text(text), " ")); d != "" {
			t.Errorf("%q as a text:\n%s", text, d)
		}
		if d := cmp.Diff(want.query, strings.Join(Query(text), " ")); d != "" {
			t.Errorf("%q as a query:\n%s", text, d)
		}
	}
}

// FuzzWords: whatever a text is, its words are plain, have nothing but letters, digits and marks, are looked for each
// once, are the same words again when they are written one after the other, and find the text that they are of.
func FuzzWords(f *testing.F) {
	for _, text := range []string{"", "Café 16–34", "L’Oréal E-mail H&M U.S.", "M&S-Bank_1.2'3", "Straße İI",
		"清涼飲料とコーヒー", "ที่นี่ abc", "\xffa\u0301b\u00ad-c", "서울-1", "a\u0e31ก", "e｀"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		plain := Plain(text)
		if Plain(plain) != plain || !utf8.ValidString(plain) {
			t.Errorf("%q is %q, and that is %q", text, plain, Plain(plain))
		}
		found, sought := Text(text), Query(text)
		for i, word := range sought {
			if !slices.Contains(found, word) {
				t.Errorf("%q does not find itself: %q is not in %q", text, word, found)
			}
			if slices.Contains(sought[:i], word) {
				t.Errorf("%q is looked for by %q", text, sought)
			}
		}
		for _, word := range found {
			if word == "" || Plain(word) != word || strings.ContainsFunc(word, func(r rune) bool {
				return !unicode.IsLetter(r) && !unicode.IsNumber(r) && !unicode.IsMark(r)
			}) {
				t.Errorf("%q has the word %q", text, word)
			}
		}
		if again := Query(strings.Join(sought, " ")); !slices.Equal(again, sought) {
			t.Errorf("%q is looked for by %q, and those by %q", text, sought, again)
		}
	})
}
