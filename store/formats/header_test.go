package formats_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/crosswave/crosswave/store/formats"
	"github.com/crosswave/crosswave/store/guess"
	"github.com/crosswave/crosswave/store/survey"
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
		{"Response in Ukrainian and in Finnish", "ID,Місто?,Miksi?\n ,Відповідь,Avoin vastaus\n7,Київ,siksi\n",
			[]string{"ID", "Місто?", "Miksi?"}, 1},
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
		{"labels below their names, over numbers and other columns in words",
			"Begun,Ended,Took,Done,Respondent,Q1,Q2,Q3,Q4\n" +
				"Start Date,End Date,Seconds,Share,Number,What I do,Where I live,My car,My bike\n" +
				strings.Repeat("9:00,9:10,600,100,1,ill,Rome,red,old\n9:20,9:25,300,50,2,well,Ulm,blue,new\n", 3) +
				"9:00,9:10,600,100,3,dead,Bonn,no,none\n",
			[]string{"Begun", "Ended", "Took", "Done", "Respondent", "Q1", "Q2", "Q3", "Q4"}, 7},
		{"topics below codes, and what of its topic each column is", "Q1,Q2,Q3_1,Q3_2,Q3_3\n" +
			"You,You,Water,Water,Water\nSex,Age,Taste,Smell,Color\n" + strings.Repeat("1,30,0,1,1\n2,40,1,0,1\n", 3),
			[]string{"Q1", "Q2", "Q3_1", "Q3_2", "Q3_3"}, 6},
		{"two respondents in words below names, and others in numbers", "Q1,Q2,Q3_1,Q3_2,Q3_3\n" +
			"f,old,yes,yes,yes\nm,young,no,no,no\n" + strings.Repeat("1,30,0,1,yes\n2,40,1,0,no\n", 3),
			[]string{"Q1", "Q2", "Q3_1", "Q3_2", "Q3_3"}, 8},
		{"a respondent in words that nobody else has, but for one", "Q1,Q2,Q3,Q4,Q5,Q6\nf,older,oh,hm,ill,Here\n" +
			strings.Repeat("f,old,yes,no,so,North\nm,new,no,yes,well,South\nm,old,no,no,so,East\n", 6),
			[]string{"Q1", "Q2", "Q3", "Q4", "Q5", "Q6"}, 19},
		{"respondents in words, of whom the first answered as others did", "Q1,Q2,Q3,Q4,Q5,Q6\n" +
			strings.Repeat("f,old,yes,no,so,North\nm,new,no,yes,well,South\nm,old,no,no,so,East\n", 6),
			[]string{"Q1", "Q2", "Q3", "Q4", "Q5", "Q6"}, 18},
		{"a respondent who said nothing in the first row", "id,q1,q2,q3,q4,q5\n" +
			"NA,NA,NA,NA,NA,NA\n" + strings.Repeat("1,2,30,Yes,No,No\n2,1,40,No,Yes,No\n", 6),
			[]string{"id", "q1", "q2", "q3", "q4", "q5"}, 13},
		{"names below what they begin with", ",,Q1,Q2,,,Q3\nplace,id,Q1,Q2-1,Q2-2,Q2-3,Q3\nA,1,yes,1,,1,30\nB,2,no,,1,,40\n",
			[]string{"place", "id", "Q1", "Q2-1", "Q2-2", "Q2-3", "Q3"}, 2},
		{"titles of sections above names", ",People,,Trust,,\nNo,Sex,Age,T1,T2,Opinion\n1,M,28,3,2,good\n2,F,31,2,2,bad\n" +
			"3,F,40,1,5,so\n", []string{"No", "Sex", "Age", "T1", "T2", "Opinion"}, 3},
		{"a respondent below names of which many lack", ",a,,b,,\n1,x,y,3,z,w\n2,x,u,2,z,v\n3,q,y,1,r,w\n4,q,y,1,r,w\n",
			[]string{"column_1", "a", "column_3", "b", "column_5", "column_6"}, 4},
		{"a respondent below names with gaps", "id,Q1,Q2,,,Q3\n1,Q1a,Q2b,Q2c,x,Q3\n2,Q1b,Q2a,x,x,Q3\n",
			[]string{"id", "Q1", "Q2", "column_4", "column_5", "Q3"}, 2},
		{"the question above each of its options", "ID,Drinks?,Drinks?,Drinks?,Drinks?,Age\n,Tea,Coffee,Milk,Rum,\n" +
			"1,1,0,0,0,30\n2,0,1,1,0,40\n3,0,1,0,1,25\n", []string{"ID", "Drinks?[Tea]", "Drinks?[Coffee]", "Drinks?[Milk]",
			"Drinks?[Rum]", "Age"}, 3},
		{"labels below codes and a column without a name, where some answer in their own words", "V1,Q1,Q2,Q3,Q4,Q5,Q6,\n" +
			"ResponseID,Norm,Need,Why?,How,Which,More,\n" +
			strings.Repeat("1,Yes,No,,No,No,No,\n2,No,Yes,,No,Yes,No,\n", 6) + "3,Yes,No,so,No,No,No,\n",
			[]string{"V1", "Q1", "Q2", "Q3", "Q4", "Q5", "Q6", "column_8"}, 13},
		{"names said again, and options below numbered names",
			"ID,Started,Lang,Q1 01—Drinks?,Q1 02—Drinks?,Q1 03—Drinks?,Age\n" +
				"ID,Started,Lang,Tea,Coffee,Milk,Multiple choice response\n1,2:30,en,Tea,,Milk,18-30\n2,2:40,de,,Coffee,,31-50\n",
			[]string{"ID", "Started", "Lang", "Q1 01—Drinks?[Tea]", "Q1 02—Drinks?[Coffee]", "Q1 03—Drinks?[Milk]", "Age"}, 2},
		{"questions over several columns, in turns, beside options below gaps",
			",Long,Short,Long,Short,Known?,,,\nID,All that bats can do,Bees,Cats,Cows,Ann,Bob,Cid,Dan\n" +
				"1,5,4,3,2,Ann,Bob,,Dan\n2,1,2,3,4,,Bob,Cid,Dan\n",
			[]string{"ID", "Long[All that bats can do]", "Short[Bees]", "Long[Cats]", "Short[Cows]", "Known?[Ann]",
				"Known?[Bob]", "Known?[Cid]", "Known?[Dan]"}, 2},
		{"names said again, and options below gaps",
			"ID,Started,Lang,Drinks?,,,Age\nID,Started,Lang,Tea,Coffee,Milk,Response\n" +
				"1,2:30,en,Tea,,Milk,18-30\n2,2:40,de,,Coffee,,31-50\n",
			[]string{"ID", "Started", "Lang", "Drinks?[Tea]", "Drinks?[Coffee]", "Drinks?[Milk]", "Age"}, 2},
		{"a respondent who chose options that say their columns' names",
			"ID,Tea,Coffee,Rum,Milk\n1,Tea,Coffee,Rum,\n2,,,,Milk\n",
			[]string{"ID", "Tea", "Coffee", "Rum", "Milk"}, 2},
		{"names in the second row or the third, below headings",
			",,,Do you agree?,,\n,,Your field?,It was clear,It was long," +
				"More?\nID,Date,,,,\n" + strings.Repeat("1,8/28/2020,Law,Yes,No,to learn\n2,8/29/2020,Art,No,Yes,none\n", 3),
			[]string{"ID", "Date", "Your field?", "Do you agree?[It was clear]", "Do you agree?[It was long]", "More?"}, 6},
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
		{"a title above groups of options that are marked", "Our readers,,,,,,,\n" +
			"Details,,,How did you hear of us?,,,Which do you read?,\nNumber,You are ...,How old are you now?," +
			"At work,By chance,Other,News,Tales\n1,a man,8 to 13,X,,,X,X\n2,a woman,14 to 18,,X,X,,X\n" +
			"3,a man,8 to 13,X,X,,X,\n", []string{"Details[Number]", "You are ...", "How old are you now?",
			"How did you hear of us?[At work]", "How did you hear of us?[By chance]", "How did you hear of us?[Other]",
			"Which do you read?[News]", "Which do you read?[Tales]"}, 3},
		{"the names below the questions and their rows", "\"\",What is to be done?,What is to be done?," +
			"What is to be done?,Do you agree?,Do you agree?\n\"\",Plan,Pay,Wait,A lot,A little\n" +
			"lfdn,v_1,v_2,v_3,v_4,v_5\n1,3,1,2,7,1\n2,1,1,4,5,2\n", []string{"lfdn", "v_1", "v_2", "v_3", "v_4", "v_5"}, 2},
		{"a respondent's words below questions and rows that stand again", "id,What is it?,What is it?,What is it?," +
			"And what was it?\nn,Plan,Pay,Wait,A lot\n1,red,blue,green,white\n2,red,red,blue,green\n",
			[]string{"id", "What is it?_1", "What is it?_2", "What is it?_3", "And what was it?"}, 3},
		{"names that only spaces tell apart", "id,Which one? [Other],Which  one? [Other],Which one? [Other]\n" +
			"1,a,b,c\n2,d,e,f\n", []string{"id", "Which one? [Other]_1", "Which one? [Other]_2", "Which one? [Other]_3"}, 2},
		{"the names of the columns below their questions", "P1. How old?,P2. Cars,P3. Rooms,Weight,P4. Children,Day\n" +
			"P1,P2,P3,FACTOR,P4,DAY\n" + strings.Repeat("30,1,4,1.2,0,15/04/2026\n41,0,3,0.8,2,16/04/2026\n", 3),
			[]string{"P1", "P2", "P3", "FACTOR", "P4", "DAY"}, 6},
		{"words below questions, which a respondent may have written",
			"How old are you?,How many cars?,Rooms?,Why so?,And how?\n" +
				"P1,P2,P3,P4,P5\n" + strings.Repeat("thirty,one,four,so,well\nforty,none,three,no,ill\n", 3),
			[]string{"How old are you?", "How many cars?", "Rooms?", "Why so?", "And how?"}, 7},
		{"sections and numbers above questions, and options that stand in their columns",
			"No,Place,Section 1: People,,,,Section 2,,,\n" +
				",,,1.2,1.3,1.1,2.1,2.2,,2.3\n,,How old?,How many men?,How many women?,Children?,Rooms?,Which fuel?,,Cars?\n" +
				strings.Repeat("1,A,38,1,5,2,4,Gas,Wood,1\n2,B,57,3,3,0,2,,Wood,2\n3,B,44,2,1,0,3,Gas,,0\n", 2),
			[]string{"No", "Place", "How old?", "How many men?", "How many women?", "Children?", "Rooms?", "Which fuel?",
				"column_9", "Cars?"}, 6},
		{"headings of three kinds above names that come again", "Staff,,,,,,,,\n,,Engineers,,,,Others,,\n" +
			",,Men,,Women,,Men,,\nFirm,All,Young,Old,Young,Old,Young,Old,Gone\n" +
			strings.Repeat("a,9,1,2,3,3,1,0,1\nb,8,2,2,1,0,0,3,2\nc,4,1,0,0,0,3,0,0\n", 2),
			[]string{"Firm", "All", "Staff - Engineers - Men[Young]", "Staff - Engineers - Men[Old]",
				"Staff - Engineers - Women[Young]", "Staff - Engineers - Women[Old]", "Staff - Others - Men[Young]",
				"Staff - Others - Men[Old]", "Gone"}, 6},
		{"options below the questions that are their headings, and what a section asks",
			"Number,Sex,,Age,Homes,,Section 2,,,,\n,M,F,,Own,Let,Rooms,Is it warm?,Years?,Why so?,\n" +
				strings.Repeat("1,1,,34,1,,4,1,3,good,\n2,,1,52,,1,3,0,2,dear,\n3,0,1,41,0,,5,1,8,near,too\n", 2),
			[]string{"Number", "Sex[M]", "Sex[F]", "Age", "Homes[Own]", "Homes[Let]", "Rooms", "Is it warm?", "Years?",
				"Why so?", "column_11"}, 6},
		{"respondents who said more and more", "a,,,,,,,\nx,y,,,,,,\nz,no,so,yes,well,ill,red,blue\n" +
			strings.Repeat("z,yes,so,no,ill,well,red,red\nx,no,no,no,well,ill,blue,red\n", 3),
			[]string{"a", "column_2", "column_3", "column_4", "column_5", "column_6", "column_7", "column_8"}, 8},
		{"numbers of a respondent that go up", "id,a,b,c,d,e,f\n1,2,3,4,5,6,7\n" +
			strings.Repeat("2,4,3,4,5,1,1\n3,1,1,2,2,3,3\n", 3),
			[]string{"id", "a", "b", "c", "d", "e", "f"}, 7},
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
		{"statements below the first of their columns, beside options that are told below",
			"Age,How do you find it?,,,,What do you drink?,,Why?\n,the food,the room,the bar,the sea,,,\n" +
				strings.Repeat("18,good,bad,good,bad,tea,,so\n30,bad,bad,good,good,,milk,no\n", 6),
			[]string{"Age", "How do you find it?[the food]", "How do you find it?[the room]", "How do you find it?[the bar]",
				"How do you find it?[the sea]", "What do you drink?", "column_7", "Why?"}, 12},
		{"a respondent who said alone what is said", "Age,How do you find it?,,,,,What do you drink?,\n,very good," +
			"very good,very good,very good,,,\n" +
			strings.Repeat("18,good,bad,good,bad,bad,tea,\n30,bad,bad,good,good,good,,milk\n", 6),
			[]string{"Age", "How do you find it?", "column_3", "column_4", "column_5", "column_6", "What do you drink?",
				"column_8"}, 13},
		{"a respondent who wrote his marks out", "Age,How do you find it?,,,,,What do you drink?,\n,5 (best),4 (good)," +
			"3 (so),1 (bad),,,\n" + strings.Repeat("18,5,4,3,2,1,tea,\n30,1,2,3,4,5,,milk\n", 6),
			[]string{"Age", "How do you find it?", "column_3", "column_4", "column_5", "column_6", "What do you drink?",
				"column_8"}, 13},
		{"options below, and what says that they were not chosen", "ID,What do you use?,,,Sex?\n,TV,Radio,Web,\n" +
			strings.Repeat("1,TV,Not selected,Web,m\n2,Not selected,Radio,Not selected,f\n", 6),
			[]string{"ID", "What do you use?[TV]", "What do you use?[Radio]", "What do you use?[Web]", "Sex?"}, 12},
		{"sections, questions and codes", "Id,Health,,,,,,Work,,,\n,Smoking,,Sport,,Food,,Hours,,Pay,\n" +
			"ID,SMK1,SMK2,SPT1,SPT2,FD1,FD2,HR1,HR2,PAY1,PAY2\n" +
			strings.Repeat("1,1,5,2,2,3,2,4,4,1,3\n2,3,3,3,2,1,2,2,5,2,4\n", 8),
			[]string{"ID", "SMK1", "SMK2", "SPT1", "SPT2", "FD1", "FD2", "HR1", "HR2", "PAY1", "PAY2"}, 16},
		{"where they were imported from, but for a column that was added", "id,Q1,age\nResponse ID,How?,\n" +
			"\"{\"\"ImportId\"\":\"\"a\"\"}\",\"{\"\"ImportId\"\":\"\"b\"\"}\",\n1,well,20\n", []string{"id", "Q1", "age"}, 1},
		{"respondents who named one brand", "No,Brands,,,,,,\n1,Nike,,,,,,\n2,Puma,,,,,,\n" +
			"3,Nike,Ben,Reebok,Mizuno,Asics,Fila,Kappa\n4,Fila,Nike,Ben,Kappa,Puma,Asics,Mizuno\n",
			[]string{"No", "Brands", "column_3", "column_4", "column_5", "column_6", "column_7", "column_8"}, 4},
		{"two lines above that say what and when", "Alias,survey_1,,,,,,\nExport Date,2024-10-17 01:10:50,,,,,,\n" +
			"Sex,Age,Town,Trust,Hope,Fear,Why,When\nf,20,A,1,2,3,so,now\nm,30,B,2,2,1,no,then\n",
			[]string{"Sex", "Age", "Town", "Trust", "Hope", "Fear", "Why", "When"}, 2},
		{"where they were imported from, and what somebody wrote above columns of their own",
			"id,Q1,Q2,codes\nResponse ID,How?,Why?,\n\"{\"\"ImportId\"\":\"\"a\"\"}\",\"{\"\"ImportId\"\":\"\"b\"\"}\"," +
				"\"{\"\"ImportId\"\":\"\"c\"\"}\",E8\n1,well,so,a\n", []string{"id", "Q1", "Q2", "codes"}, 1},
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
	below, err := formats.Open(put(t, "f.csv", "\"\",Do what?,Do what?,Do what?,Do what?,And why so?\n"+
		"\"\",Plan,Pay,Wait,Go,Reason\nlfdn,v_1,v_2,v_3,v_4,v_5\n1,3,1,2,7,1\n2,1,1,4,5,2\n"), formats.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer below.Close()
	if c := below.Columns; c[0].Label != "" || c[2].Label != "Do what?[Pay]" || c[5].Label != "And why so?" {
		t.Errorf("the labels of columns whose names stand below them are %q, %q and %q", c[0].Label, c[2].Label, c[5].Label)
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

// The row that tells where columns were imported from tells which are of one question.
func TestQuestionsOfTheTool(t *testing.T) {
	names, imported := "", ""
	for _, c := range [][2]string{{"id", "_recordId"}, {"a", "QID7_1"}, {"b", "QID7_2"}, {"b_why", "QID7_2_TEXT"},
		{"c", "QID8"}, {"d", "QID9-4"}, {"e", "QID9-5"}, {"first", "1_QID11_1"}, {"second", "2_QID11_1"},
		{"third", "2_QID11_3"},
		{"left", "QID12#1_1"}, {"left_2", "QID12#1_2"}, {"right", "QID12#2_1"}, {"row", "QID13_1_1"}, {"row_2", "QID13_1_2"},
		{"page", "QID14_FIRST_CLICK"}} {
		names += "," + c[0]
		if imported += ",{'ImportId': '" + c[1] + "'}"; c[0] == "c" { // as Qualtrics writes it
			names, imported = names+",e1,e2", imported+`,"{""ImportId"":""QID6_1"",""said"":""don't""}",`+
				`"{""ImportId"":""QID6_2""}"`
		}
	}
	f, err := formats.Open(put(t, "f.csv", names[1:]+"\n"+imported[1:]+"\n"+strings.Repeat("1,", 17)+"1\n"),
		formats.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	got := map[string]string{}
	for _, c := range f.Columns {
		if c.Question != "" {
			got[c.Name] = c.Question
		}
	}
	want := map[string]string{"a": "QID7", "b": "QID7", "d": "QID9", "e": "QID9", "e1": "QID6", "e2": "QID6",
		"second": "2_QID11", "third": "2_QID11", "left": "QID12#1", "left_2": "QID12#1", "row": "QID13_1",
		"row_2": "QID13_1"}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

// A first row that is a respondent's is told by its content, and is read as one; a header never is. What is said
// decides.
func TestFirstRowOfAnswers(t *testing.T) {
	answers := ""
	for i := range 12 {
		answers += fmt.Sprintf("2018/05/%d 7:0%d:45 PM GMT+1,%s,%s,%s,%d\n", 10+i, i%10, []string{"Yes", "No"}[i%2],
			[]string{"< 1 year", "1-2 years", "3-5 years"}[i%3], []string{"Firefox", "Chrome", "Edge"}[i%3], 20+i)
	}
	scale := strings.Repeat("4,5,4,4,1,2\n5,4,2,1,1,2\n4,4,3,4,1,5\n1,5,4,2,3,1\n", 5)
	ticked := strings.Repeat("1,Tea,,Milk\n2,,Coffee,\n3,Tea,No,Milk\n4,No,Coffee,No\n", 3)
	for _, c := range []struct {
		name, text string
		said       formats.Header
		unnamed    bool
		rows       int
	}{
		{"answers", answers, "", true, 12},
		{"answers below a mark of their encoding", "\ufeff" + answers, "", true, 12},
		{"answers below their names", "when,q1,q2,q3,age\n" + answers, "", false, 12},
		{"answers below names, one of which is lacking", ",q1,q2,q3,age\n" + answers, "", false, 12},
		{"files that were put together", "when,q1,q2,q3,age\n" + answers + "when,q1,q2,q3,age\n" + answers, "", false, 25},
		{"words that are no answer", "when,good,long,with,old\n" + answers, "", false, 12},
		{"numbers", scale, "", true, 20},
		{"numbers of questions", "1,2,3,4,5,6\n" + scale, "", false, 20},
		{"years", "2010,2010,2010,2015,2015,2015\n" + scale, "", false, 20},
		{"names above numbers", "a,b,c,d,e,f\n" + scale, "", false, 20},
		{"options that stand where they were chosen", "id,Tea,Coffee,Milk\n" + ticked, "", false, 12},
		{"answers of too few", strings.Join(strings.SplitAfter(answers, "\n")[:5], ""), "", false, 4},
		{"answers that are said to be names", answers, formats.HeaderThere, false, 11},
		{"names that are said to be answers", "when,q1,q2,q3,age\n" + answers, formats.NoHeader, false, 13},
	} {
		f, err := formats.Open(put(t, "f.csv", c.text), formats.Options{Header: c.said})
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		got := cells(t, f)
		none := c.unnamed || c.said == formats.NoHeader
		if f.Unnamed != c.unnamed || len(got)-1 != c.rows || none != (got[0][1] == "column_2") {
			t.Errorf("%s: found to be unnamed %v; %d respondents, want %d; %q", c.name, f.Unnamed, len(got)-1, c.rows, got[0])
		}
		if first, _, _ := strings.Cut(strings.TrimPrefix(c.text, "\ufeff"), "\n"); none && strings.Join(got[1],
			",") != first {
			t.Errorf("%s: the first respondent is %q", c.name, got[1])
		}
		for row, err := range survey.Rows(t.Context(), f.Table) {
			if err != nil || none && row.Number != 1 {
				t.Errorf("%s: the first respondent's row is %d, %v", c.name, row.Number, err)
			}
			break
		}
		notes := strings.Join(f.Notes(), "\n")
		if strings.Contains(notes, "the first row is a respondent's") != none {
			t.Errorf("%s: notes %q", c.name, notes)
		}
	}
}

// Rows that lack the fields behind their last answer, as spreadsheets write them, are refused by the delimiter that
// they have, and not by commas that stand in the names. So are rows with a field more than the header, but where R
// wrote the names of rows in front: it is not known which column has no name.
func TestRowsThatDiffer(t *testing.T) {
	for text, want := range map[string]string{
		"id\tTea, hot\tMilk, cold\tWords\n1\tyes\n2\tno\tyes\n3\tyes\n4\tno\tno\n": "2 fields, but the header names 4",
		"id,tea\n1,yes,3\n2,no,1\n3,no,2\n4,yes,5\n":                               "3 fields, but the header names 2",
		"\"id\",\"tea\"\n\"7\",1,3\n\"6\",2,1\n\"8\",1,2\n\"9\",1,5\n":             "3 fields, but the header names 2",
		"\"id\",\"tea\"\n\"7\",1,\n\"8\",2,\n\"9\",1,\n\"10\",1,\n":                "3 fields, but the header names 2",
	} {
		f, err := formats.Open(put(t, "a.csv", text), formats.Options{})
		if err == nil {
			_, err = f.Guess(t.Context(), guess.Options{})
			f.Close()
		}
		if err == nil || !strings.Contains(err.Error(), "row 2: the row has "+want+" columns") {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}
