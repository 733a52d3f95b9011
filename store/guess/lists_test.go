package guess_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/store/guess"
)

// chosen makes fields with what each of 60 respondents chose of four answers: one of them, or two that follow each
// other, or the first and the last.
func chosen(answers [4]string, join func(list ...string) string) func(i int) string {
	a, b, c, d := answers[0], answers[1], answers[2], answers[3]
	var fields []string
	for _, list := range [][]string{{a}, {b}, {c}, {d}, {a, b}, {b, c}, {c, d}, {a, d}, {a, b, c}, {b}} {
		fields = append(fields, join(list...))
	}
	return among(fields...)
}

// joinedBy puts a separator between answers.
func joinedBy(separator string) func(list ...string) string {
	return func(list ...string) string { return strings.Join(list, separator) }
}

// Several answers in a field, however tools put them there: the separator is found, and each answer is one.
func TestSeparators(t *testing.T) {
	plain := [4]string{"Radio", "Television", "Friends and family", "Posters"}
	quoted := func(quote, between string) func(list ...string) string {
		return func(list ...string) string {
			return "[" + quote + strings.Join(list, quote+between+quote) + quote + "]"
		}
	}
	for _, c := range []struct {
		name      string
		answers   [4]string
		join      func(list ...string) string
		separator string
	}{
		{"semicolons", plain, joinedBy(";"), ";"},
		{"as SharePoint writes them", plain, joinedBy(";#"), ";#"},
		{"commas of Chinese and Japanese", plain, joinedBy("、"), "、"},
		{"wide commas", plain, joinedBy("，"), "，"},
		{"commas of Arabic", plain, joinedBy("، "), "،"},
		{"strokes", plain, joinedBy("/"), "/"},
		{"strokes between blanks", [4]string{"TV/radio", "Web/apps", "Friends", "Posters"}, joinedBy(" / "), " / "},
		{"plus signs", plain, joinedBy(" + "), " + "},
		{"ampersands", plain, joinedBy(" & "), " & "},
		{"lines of web pages", plain, joinedBy("<br>"), "<br>"},
		{"JSON", plain, quoted(`"`, `,`), "[]"},
		{"JSON with commas in the answers", [4]string{"Yes, always", "Yes, at times", "Seldom", "Never"},
			quoted(`"`, `, `), "[]"},
		{"Python", plain, quoted(`'`, `, `), "[]"},
		{"numbers of Python", [4]string{"1", "2", "3", "7"}, quoted("", ", "), "[]"},
		{"PostgreSQL", [4]string{"tea", "milk", "beer", "water"},
			func(list ...string) string { return "{" + strings.Join(list, ",") + "}" }, "[]"},
		{"sets of Python", plain, func(list ...string) string { return "{'" + strings.Join(list, "', '") + "'}" }, "[]"},
		{"R, where one answer stands alone", plain, func(list ...string) string {
			if len(list) == 1 {
				return list[0]
			}
			return `c("` + strings.Join(list, `", "`) + `")`
		}, "[]"},
		{"commas in the answers", [4]string{"Yes, always", "Yes, at times", "Seldom", "Never, or hardly"},
			joinedBy(", "), ","},
		{"commas in one answer of three parts", [4]string{"At home, alone, at night", "At work", "Elsewhere", "Nowhere"},
			joinedBy(", "), ","},
	} {
		m := guessed(t, repeated(60, "id|q|x", count(1), chosen(c.answers, c.join), among("a", "b")).file(), guess.Options{})
		question := m.Codebook.Survey.Questions[0]
		var names []string
		for _, d := range question.Datapoints {
			names = append(names, d.Name)
		}
		slices.Sort(names)
		want := slices.Sorted(slices.Values(c.answers[:]))
		if question.Kind != audience.Multi || m.Codebook.Questions[0].Separator != c.separator || !slices.Equal(names, want) {
			t.Errorf("%s: read as %s of %q divided by %q", c.name, question.Kind, names, m.Codebook.Questions[0].Separator)
		}
	}
}

// What looks like a separator and divides nothing.
func TestNoSeparators(t *testing.T) {
	for _, c := range []struct {
		name   string
		values []string
	}{
		{"strokes within answers", []string{"TV/radio", "Web/apps", "Friends", "Posters"}},
		{"both of two, as an answer of its own", []string{"Dogs", "Cats", "Dogs & Cats"}},
		{"pronouns", []string{"She/Her", "He/Him", "They/Them", "She/They"}},
		{"ranges", []string{"1 - 5", "5 - 10", "10 - 20", "20"}},
		{"no answer", []string{"Yes", "No", "Yes/No", "N/A or other"}},
		{"answers of two words in brackets", []string{"[A] Yes", "[B] No", "[C] Other"}},
		{"a word in brackets in place of what was written", []string{"[MASKED]", "[NOTHING]"}},
		{"places", []string{"Paris, France", "Lyon, France", "Rome, Italy"}},
	} {
		m := guessed(t, repeated(60, "id|q|x", count(1), among(c.values...), among("a", "b")).file(), guess.Options{})
		if got := readings(m)["q"]; !strings.HasPrefix(got, "single") {
			t.Errorf("%s: read as %s", c.name, got)
		}
	}
}

// Where a question asks for all that apply, fields of pieces that come again and again hold several answers, though
// every respondent gave them in a way of their own; under another question they may be sentences.
func TestEveryFieldOfItsOwn(t *testing.T) {
	sites := []string{"Mail", "News", "Films", "Games", "Maps"}
	field := func(i int) string {
		var list []string
		for k, site := range sites {
			if (i+1)>>k&1 == 1 {
				list = append(list, site)
			}
		}
		return strings.Join(list, ", ")
	}
	for question, as := range map[string]string{"Select all of the sites that you use": "multi", "Your day": "not used"} {
		m := guessed(t, repeated(30, "id|"+question+"|x", count(1), field, among("a", "b")).file(), guess.Options{})
		if got := readings(m)[question]; !strings.HasPrefix(got, as) {
			t.Errorf("%s: read as %q, not %q", question, got, as)
		}
	}
}

// What Wenjuanxing writes between answers divides them, whatever some respondents wrote behind theirs.
func TestDividedByWenjuanxing(t *testing.T) {
	field := func(i int) string {
		list := []string{"Purpose┋Reasons", "Purpose┋Risks", "Purpose", "(blank)", "Reasons┋Risks"}
		if text := list[i%len(list)]; i%3 > 0 {
			return text
		}
		return fmt.Sprintf("Purpose┋Others[%s %d]", strings.Repeat("what we told them, ", 12), i)
	}
	m := guessed(t, repeated(60, "id|9. What did it say?|x", count(1), field, among("a", "b")).file(), guess.Options{})
	if got := readings(m)["9. What did it say?"]; !strings.HasPrefix(got, "multi") {
		t.Fatalf("read as %q", got)
	}
	var names []string
	for _, d := range m.Codebook.Survey.Questions[0].Datapoints {
		names = append(names, d.Name)
	}
	if want := []string{"Purpose", "Reasons", "Risks"}; !slices.Equal(names, want) {
		t.Errorf("the answers are %q, not %q", names, want)
	}
}

// Answers that are chosen together and apart are two, and those that a few respondents happened to choose together are.
func TestAnswersApart(t *testing.T) {
	fields := []string{"Radio", "Television", "Radio, Television", "Posters", "Posters, Radio"}
	rare := among(append(slices.Repeat(fields, 6), "Radio, Letters, Flyers")...)
	m := guessed(t, repeated(62, "id|q|x", count(1), rare, among("a", "b")).file(), guess.Options{})
	var names []string
	for _, d := range m.Codebook.Survey.Questions[0].Datapoints {
		names = append(names, d.Name)
	}
	if want := []string{"Flyers", "Letters", "Posters", "Radio", "Television"}; !slices.Equal(names, want) {
		t.Errorf("the answers are %q, not %q", names, want)
	}
}

// Where answers stand behind commas without a space, one with a space is part of an answer, of rare ones, too; not if
// all commas have one, or some stand in numbers.
func TestCommasWithoutSpaces(t *testing.T) {
	for _, c := range []struct {
		fields []string
		want   []string
	}{
		{append(slices.Repeat([]string{"Law, State,Arts, Music", "Arts, Music", "Law, State", "Sport", "Sport,Law, State"},
			12), "Dance, Film,Sport", "Sport,Arts, Music,Dance, Film"), []string{"Arts, Music", "Dance, Film", "Law, State",
			"Sport"}},
		{[]string{"Law, Arts", "Arts, Music", "Law", "Sport", "Sport, Law", "Music, Sport"},
			[]string{"Arts", "Law", "Music", "Sport"}},
		{[]string{"Under 1,000, Sport", "Sport", "Law, Sport", "Law", "Under 1,000, Law"},
			[]string{"Law", "Sport", "Under 1,000"}},
	} {
		m := guessed(t, repeated(62, "id|Which do you study? Select all that apply|x", count(1), among(c.fields...),
			among("a", "b")).file(), guess.Options{})
		var names []string
		for _, d := range m.Codebook.Survey.Questions[0].Datapoints {
			names = append(names, d.Name)
		}
		if !slices.Equal(names, c.want) {
			t.Errorf("%q: the answers are %q", c.fields, names)
		}
	}
}

// Answers of whole sentences are those of a closed question, though many wrote their own beside them; short words that
// some wrote alike are not.
func TestClosedQuestionWithOthers(t *testing.T) {
	for _, c := range []struct {
		answers []string
		as      string
	}{
		{[]string{"A mix of the first and the second one", "Only where nobody else can do it",
			"As much as it takes to know"}, "single q"},
		{[]string{"teacher", "student", "nurse"}, "not used"},
	} {
		f := repeated(150, "id|q", count(1), func(i int) string {
			if i%3 == 0 {
				return fmt.Sprintf("What I myself think of it, in %d words", 7*i)
			}
			return c.answers[i%len(c.answers)]
		}).file()
		if got := readings(guessed(t, f, guess.Options{}))["q"]; got != c.as {
			t.Errorf("%q: read as %q, want %q", c.answers, got, c.as)
		}
	}
}
