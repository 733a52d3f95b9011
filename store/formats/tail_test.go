package formats_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/crosswave/crosswave/store/formats"
)

// Lines below the respondents that sum them up are no respondents, and answers that are such words are.
func TestLinesThatSumUp(t *testing.T) {
	const rows = "id,age,rating\n1,20,4\n2,31,5\n3,40,1\n"
	for _, c := range []struct {
		name, text string
		rows       int
		note       string
	}{
		{"an average", rows + "Average,30.3,3.3\n", 3, `"Average"`},
		{"several, below an empty line", rows + ",,\nAvg.,30.3,3.33\nStd. Dev.,10.0,2.1\nMax,40,5\n", 3,
			`"Avg.", "Std. Dev.", "Max"`},
		{"with an empty line behind them", rows + "Total,91,10\n,,\n", 3, `"Total"`},
		{"without a line end", rows + "Сумма,91,10", 3, `"Сумма"`},
		{"below answers in words", "id,sex,rating,x\n1,f,4,2\n2,m,5,1\n,Avg.,4.5,1.5\n", 2, `"Avg."`},
		{"commas before decimals", "id;age;rating\n1;20;4,5\n2;31;5\nMittelwert;25,5;4,75\n", 2, `"Mittelwert"`},
		{"a word and no numbers", rows + "Total,,\n", 4, ""},
		{"a word and other words", rows + "Total,91,good\n", 4, ""},
		{"what does not add up", rows + "Average,30,4\n", 4, ""},
		{"what is called as a sum, above a mean", "ever,a,b\nYes,1,2\nNo,2,4\nYes,4,3\nN,3,1\nn,2,5\nMean,2.4,3.0\n", 5, `"Mean"`},
		{"medians and the commonest", bare(12) + "Mean,,6.50,3.25,1.75\nMedian,,6.5,3.25,2\nMode,,1,0.5,2\n", 12, `"Mode"`},
		{"the largest alone", rows + "Max,40,5\n", 4, ""},
		{"another word", rows + "Anna,30,3\n", 4, ""},
		{"an answer", "rating,age,size\nGood,20,4\nPoor,31,5\nAverage,40,1\n", 3, ""},
		{"whole numbers near the mean", "id,boss,a,b\n1,Nice,3,4\n2,Mean,3,4\n3,Nice,4,3\n,Mean,3,4\n", 4, ""},
		{"an answer without an id", "id,fuel,cars\n1,gas,2\n2,Total,1\n,Total,2\n", 3, ""},
		{"a respondent between", rows + "Average,30.3,3.3\n4,50,2\n", 5, ""},
		{"means without a word", rows + ",30.33,3.33\n", 4, ""},
		{"means of three", bare(12) + ",,6.50,3.25,1.75\n", 12, `"6.50"`},
		{"means, and somebody below them", bare(12) + ",,6.50,3.25,1.75\n,,6,3,2\n", 14, ""},
		{"means and medians", wide(12) + ",,2.75,2.75,2.75,2.75,2.75\n,,2.5,2.5,2.5,2.5,2.5\n", 12, `"2.75", "2.5"`},
		{"ten means with one decimal", many(10) + ",2" + strings.Repeat(",2.5", 10) + "\n", 24, `"2"`},
		{"nine means with one decimal", many(9) + ",2" + strings.Repeat(",2.5", 9) + "\n", 25, ""},
		{"ten means, and a number that is none", many(11) + ",2" + strings.Repeat(",2.5", 10) + ",2.4\n", 25, ""},
		{"means for what somebody left out", wide(12) + ",44,2.75,2.75,2.75,2.75,5\n", 13, ""},
		{"totals without a word", bare(12) + ",,78,39,21\n", 12, `"78"`},
		{"how many there are", bare(12) + ",12,,,12\n", 12, `"12"`},
		{"numbers without an id", bare(12) + ",,6,3,2\n", 13, ""},
		{"numbers without an id above the means", bare(12) + ",,6,3,2\n,,6.4615,3.2308,1.7692\n", 13, `"6.4615"`},
		{"means where one is wrong", bare(12) + ",,6.50,3.26,1.75\n", 13, ""},
		{"ticks without an id", "id,a,b,c\n" + strings.Repeat("r,1,,1\nr,,1,1\n", 6) + ",1,1,1\n", 13, ""},
		{"prices that are the same everywhere", "id,a,b,c\n" + strings.Repeat("r,1.99,2.49,2.99\n", 12) + ",1.99,2.49,2.99\n",
			13, ""},
		{"a number that is how many there are", "id,a,b,c\n" + strings.Repeat("r,12,1,24\n", 12) + ",12,1,24\n", 13, ""},
		{"a list of codes", strings.ReplaceAll(bare(12), "red", "dark_red") + ",dark_red,,,\n,light_blue,,,\n", 12,
			`"dark_red", "light_blue"`},
		{"two that answered one question", bare(12) + ",red,,,\n,blue,,,\n", 14, ""},
		{"a list of numbers", bare(12) + ",,,,1\n,,,,2\n", 14, ""},
		{"comments that stand alone", bare(12) + ",too long,,,\n,nice,,,\n", 14, ""},
		{"the same answers that stand alone", bare(12) + ",red,,,\n,red,,,\n", 14, ""},
		{"answers that stand alone below a few", bare(9) + ",red,,,\n,blue,,,\n", 11, ""},
		{"answers that stand alone where others skip", bare(12) + "13,,,,\n,red,,,\n,blue,,,\n", 15, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			f, err := formats.Open(put(t, "f.csv", c.text), formats.Options{})
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			if got := len(cells(t, f)) - 1; got != c.rows {
				t.Errorf("%d respondents, want %d", got, c.rows)
			}
			notes := strings.Join(f.Notes(), "\n")
			if told := strings.Contains(notes, "sum up"); told != (c.note != "") || !strings.Contains(notes, c.note) {
				t.Errorf("the notes are %q, want %q", notes, c.note)
			}
		})
	}
}

// many is 24 rows of an answer whose mean, 2.04, comes to 2 with one decimal, and of so many more of a mean of 2.5.
func many(columns int) string {
	text := "id,first"
	for i := range columns {
		text += fmt.Sprintf(",q%d", i+1)
	}
	for row := range 24 {
		text += fmt.Sprintf("\n%d,%d", row+1, 2+row/23) + strings.Repeat(fmt.Sprintf(",%d", row%4+1), columns)
	}
	return text + "\n"
}

// Tables that were made of the answers below a line that sums them up are left out with it; respondents below such a
// line, and lines of words that sum up nothing, are not.
func TestTablesBelow(t *testing.T) {
	const tables = "Age,How many,Share,,,,\n20,1,0.08,,,,\n,,,,,a,12\nTotal,12,1,,,,\n"
	const sums = "TOTAL,25.5,2.75,2.75,2.75,2.75,33\n"
	for _, c := range []struct {
		name, text string
		rows       int
	}{
		{"tables", wide(12) + sums + tables, 12},
		{"no line that sums up", wide(12) + tables, 16},
		{"numbers that do not add up", wide(12) + "TOTAL,25.4,2.7,2.7,2.75,2.7,30\n" + tables, 17},
		{"no word for it", wide(12) + "Nobody,25.5,2.75,2.75,2.75,2.75,33\n" + tables, 17},
		{"few rows", wide(9) + "TOTAL,24,2.67,2.67,2.67,2.67,24\n" + tables, 14},
		{"a respondent below", wide(12) + sums + tables + "r12,32,1,2,3,,\n", 18},
		{"respondents below who answered little", wide(12) + sums + "r12,32,1,,,,\nr13,40,,,2,,\nr14,,5,,,,\n", 16},
	} {
		f, err := formats.Open(put(t, "f.csv", c.text), formats.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if got := len(cells(t, f)) - 1; got != c.rows {
			t.Errorf("%s: %d respondents, want %d", c.name, got, c.rows)
		}
		f.Close()
	}
}

// wide is a table of so many respondents with an age and five answers from 1 to 5, the same in all columns.
func wide(n int) string {
	text := "id,age,a,b,c,d,e\n"
	for i := range n {
		text += fmt.Sprintf("r%d,%d%s\n", i, 20+i, strings.Repeat(fmt.Sprintf(",%d", 1+i%5), 5))
	}
	return text
}

// bare is a table of so many respondents: an id, a color, the number of the respondent, half of it and 1 or 2 in
// fours.
func bare(n int) string {
	text := "id,color,a,b,c\n"
	for i := 1; i <= n; i++ {
		text += fmt.Sprintf("r%d,red,%d,%v,%d\n", i, i, float64(i)/2, 1+min(1, i%4))
	}
	return text
}
