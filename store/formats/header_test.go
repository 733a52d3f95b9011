package formats_test

import (
	"strings"
	"testing"

	"github.com/crosswave/crosswave/store/formats"
	"github.com/google/go-cmp/cmp"
)

// A second row is part of the header, or a respondent, by what stands in it and below it.
func TestSecondHeaderRows(t *testing.T) {
	for _, c := range []struct {
		name, text string
		header     []string
		rows       int
	}{
		{"Response below every question", "Religion?,Sex?\nResponse,Response\nNone,Male\nOther,Female\n",
			[]string{"Religion?", "Sex?"}, 2},
		{"Response in one language and the other", "ID,Âge,Pourquoi ?\n,Réponse,Open-Ended Response\n7,30,parce que\n",
			[]string{"ID", "Âge", "Pourquoi ?"}, 1},
		{"options that begin with digits", "ID,Rate,,\n,1 - low,2,3 - high\n1,1 - low,,\n2,,2,\n",
			[]string{"ID", "Rate", "column_3", "column_4"}, 3}, // one that is nothing but a number leaves a doubt
		{"options below gaps", "ID,Drinks?,,Sex?\n,Tea,Coffee,Response\n1,Tea,,Male\n2,,Coffee,Female\n",
			[]string{"ID", "Drinks?[Tea]", "Drinks?[Coffee]", "Sex?"}, 2},
		{"gaps that a program named", "ID,Drinks?,Unnamed: 2\n,Tea,Coffee\n1,Tea,\n2,,Coffee\n",
			[]string{"ID", "Drinks?[Tea]", "Drinks?[Coffee]"}, 2},
		{"a respondent who wrote Response", "ID,Word\n1,Response\n2,Response\n3,Answer\n", []string{"ID", "Word"}, 3},
		{"a respondent without an id", "ID,a,b\n,x,y\n2,x,z\n", []string{"ID", "a", "b"}, 2},
		{"a respondent under a column without a name", "ID,a,\n1,x,y\n2,x,z\n", []string{"ID", "a", "column_3"}, 2},
		{"the questions below their codes", "id,q1,q2\nResponse number,How old are you?,How many cars do you have?\n" +
			"1,30,2\n2,40,1\n3,25,0\n", []string{"id", "q1", "q2"}, 3},
		{"the questions below their codes, answered in words", "id,q1,q2,q3\nResponse,How old are you now?," +
			"Do you have a car?,Do you like it there?\n1,18-24,Yes,No\n2,25-34,No,No\n3,25-34,Yes,Yes\n",
			[]string{"id", "q1", "q2", "q3"}, 3},
		{"labels below their codes, over numbers and words that stand again and again", "id,q1,q2,q3,q4,q5\n" +
			"number,Sex,Age,Tea,Coffee,Milk\n" + strings.Repeat("1,2,30,Yes,No,No\n2,1,40,No,Yes,No\n", 6),
			[]string{"id", "q1", "q2", "q3", "q4", "q5"}, 12},
		{"a respondent who said nothing in the first row", "id,q1,q2,q3,q4,q5\n" +
			"NA,NA,NA,NA,NA,NA\n" + strings.Repeat("1,2,30,Yes,No,No\n2,1,40,No,Yes,No\n", 6),
			[]string{"id", "q1", "q2", "q3", "q4", "q5"}, 13},
		{"the question above each of its options", "ID,Drinks?,Drinks?,Drinks?,Drinks?,Age\n,Tea,Coffee,Milk,Rum,\n" +
			"1,1,0,0,0,30\n2,0,1,1,0,40\n3,0,1,0,1,25\n", []string{"ID", "Drinks?[Tea]", "Drinks?[Coffee]", "Drinks?[Milk]",
			"Drinks?[Rum]", "Age"}, 3},
		{"a respondent who asks", "name,why,when,how\nAnn,Why do you ask?,in the morning,What is it about?\n" +
			"Bob,no reason,now,well\nCid,none,now,well\n", []string{"name", "why", "when", "how"}, 3},
		{"a title above the names", "The survey of 2020\nid,sex,age\n1,m,30\n2,f,40\n", []string{"id", "sex", "age"}, 2},
		{"a title and an empty row above them, as sheets have them",
			"The survey of 2020,,\n,,\nid,sex,age\n1,m,30\n2,f,40\n", []string{"id", "sex", "age"}, 2},
		{"a title above two rows of names", "Drinks of 2020\nID,Drinks?,,Sex?\n,Tea,Coffee,Response\n1,Tea,,Male\n" +
			"2,,Coffee,Female\n", []string{"ID", "Drinks?[Tea]", "Drinks?[Coffee]", "Sex?"}, 2},
		{"a title above two rows with many gaps", "Drinks of 2020\n\nID,Drinks?,,,,Sex?\n" +
			",Tea,Coffee,Milk,Juice,Response\n1,Tea,,,,Male\n2,,Coffee,,,Female\n", []string{"ID", "Drinks?[Tea]",
			"Drinks?[Coffee]", "Drinks?[Milk]", "Drinks?[Juice]", "Sex?"}, 2},
		{"a title with another delimiter below", "Umfrage\nid;sex;age\n1;m;30\n2;f;40\n", []string{"id", "sex", "age"}, 2},
		{"one column", "word\ngood\nbad\n", []string{"word"}, 2},
		{"no title, but numbers below a name", "id,,\n1,2,3\n2,3,4\n", []string{"id", "column_2", "column_3"}, 2},
		{"codes above questions and their options", "id,Q1_1,Q1_2,Q2\n,Which do you drink?,,How old are you?\n" +
			",Tea,Coffee,Response\n1,1,,2\n2,,2,1\n", []string{"id", "Q1_1", "Q1_2", "Q2"}, 2},
		{"codes above the first column of each question only", ",,Q1,Q2,Q3,,Q4,Q5\n" +
			"ID,Started,Sex?,Age?,Drinks?,,Well?,Why?\n#,Started,Response,Response,Tea,Coffee,Response,Response\n" +
			"1,10:00,1,2,1,,3,1\n2,10:05,2,2,,2,1,1\n",
			[]string{"ID", "Started", "Q1", "Q2", "Q3[Tea]", "Q3[Coffee]", "Q4", "Q5"}, 2},
		{"options that stand below themselves, and questions among them", ",Which do you drink?,,,,,Rate these,\n" +
			"#,Tea,Coffee,Milk,Other,How old are you?,Taste,Looks\n" +
			"a,Tea,,,,18-24,good,bad\nb,,Coffee,,rum,25-34,bad,good\nc,Tea,,Milk,,18-24,good,good\n",
			[]string{"#", "Which do you drink?[Tea]", "Which do you drink?[Coffee]", "Which do you drink?[Milk]",
				"Which do you drink?[Other]", "How old are you?", "Rate these[Taste]", "Rate these[Looks]"}, 3},
		{"a respondent who chose all options below gaps", "id,Which do you drink?,,,,Sex\n" +
			"1,Tea,Coffee,Milk,I drink too much of it,Male\n2,Tea,,,,Male\n3,,Coffee,Milk,,Female\n",
			[]string{"id", "Which do you drink?", "column_3", "column_4", "column_5", "Sex"}, 3},
		{"where they were imported from, but for a column that was added", "id,Q1,age\nResponse ID,How?,\n" +
			"\"{\"\"ImportId\"\":\"\"a\"\"}\",\"{\"\"ImportId\"\":\"\"b\"\"}\",\n1,well,20\n", []string{"id", "Q1", "age"}, 1},
		{"where they were imported from, without the questions", "id,Q1\n\"{\"\"ImportId\"\":\"\"a\"\"}\"," +
			"\"{\"\"ImportId\"\":\"\"b\"\"}\"\n1,well\n2,ill\n", []string{"id", "Q1"}, 2},
		{"where they were imported from, in Python's quotes",
			"id,Q1\nResponse ID,How?\n{'ImportId': 'a'},{'ImportId': 'b'}\n" +
				"1,well\n", []string{"id", "Q1"}, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			f, err := formats.Open(put(t, "f.csv", c.text), formats.Options{})
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			got := cells(t, f)
			if d := cmp.Diff(c.header, got[0]); d != "" || len(got)-1 != c.rows {
				t.Errorf("%d respondents, want %d; the header: %s", len(got)-1, c.rows, d)
			}
		})
	}
	f, err := formats.Open(put(t, "f.csv", "Drinks of 2020\nid,Q1_1,Q1_2,Q2\n,Which?,,How old?\n,Tea,Coffee,Response\n"+
		"1,1,,2\n2,,2,1\n"), formats.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if f.Title != "Drinks of 2020" || f.Columns[2].Label != "Which?[Coffee]" || f.Columns[3].Label != "How old?" {
		t.Errorf("the title is %q, the labels %q and %q", f.Title, f.Columns[2].Label, f.Columns[3].Label)
	}
	f, err = formats.Open(put(t, "f.csv", "id,q1,q2\nA code,How old are you?,How many cars?\n1,30,2\n2,40,1\n"),
		formats.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if f.Columns[1].Label != "How old are you?" || !strings.Contains(strings.Join(f.Notes(), "\n"), "begin in the third") {
		t.Errorf("the label is %q, notes %q", f.Columns[1].Label, f.Notes())
	}
}
