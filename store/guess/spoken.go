package guess

import (
	"fmt"
	"regexp"
	"strings"
)

// What columns are called is what nearly all rules go by, and in some files that is not what their names are: programs
// number the columns and say in the labels what was asked, or put points and strokes in place of the spaces of a whole
// sentence. Such a file is read as if its columns were called by the words, and what it is told of is told by the names
// that it has.

// spoken returns the file with columns that are called by words, as far as their names are numbers or words without
// spaces; the file itself if they are not.
func (f *File) spoken() *File {
	var name func(c *Column) string
	switch mark := f.joinedWords(); {
	case f.numberedOnly():
		name = func(c *Column) string { return strings.Join(strings.Fields(c.Label), " ") }
	case mark != "":
		name = func(c *Column) string { return withSpaces(c.Name, mark) }
	default:
		return f
	}
	out := *f
	out.Columns = make([]Column, len(f.Columns))
	now, taken, times := map[string]string{}, map[string]bool{}, map[string]int{}
	for i := range f.Columns {
		c := f.Columns[i]
		if words := name(&c); words != "" && words != c.Name {
			c.Name, c.Label = words, ""
		}
		for plain := c.Name; taken[c.Name]; {
			times[plain]++
			c.Name = fmt.Sprintf("%s_%d", plain, times[plain])
		}
		taken[c.Name] = true
		now[f.Columns[i].Name] = c.Name
		out.Columns[i] = c
	}
	out.Sets = make([]Set, len(f.Sets))
	for k, s := range f.Sets {
		columns := make([]string, len(s.Columns))
		for i, column := range s.Columns {
			columns[i] = now[column]
		}
		s.Columns, s.Joined = columns, now[s.Joined]
		out.Sets[k] = s
	}
	return &out
}

// serialName is a name that is a number, whatever letters stand before it.
var serialName = regexp.MustCompile(`^([\pL_.]{0,12}?)0*(\d{1,6})$`)

// numberedOnly tells whether names number the columns, one after the other from the first to the last, and the labels
// say what each holds, in whole sentences or several of them as a question and its row or option: where they name no
// more than options, numbers that go on hold these together better.
func (f *File) numberedOnly() bool {
	const least = 8
	serial, labelled, sentences, columns, last := 0, 0, 0, 0, -1
	stems := map[string]int{}
	for i := range f.Columns {
		c := &f.Columns[i]
		if c.Virtual {
			continue
		}
		columns++
		m := serialName.FindStringSubmatch(c.Name)
		if m == nil {
			last = -1
			continue
		}
		n := atoi(m[2])
		stems[strings.ToLower(m[1])]++
		serial += btoi(last < 0 || n == last+1)
		last = n
		labelled += btoi(c.Label != "" && !strings.EqualFold(c.Label, c.Name))
		sentences += btoi(len(strings.Fields(c.Label)) > 3)
	}
	most := 0
	for _, n := range stems {
		most = max(most, n)
	}
	return columns >= least && (2*sentences >= columns || f.questionsInLabels()) && 10*most >= 9*columns &&
		10*serial >= 9*columns && 10*labelled >= 9*columns
}

// questionsInLabels tells whether a quarter of the columns have labels that say the same as that of the one before or
// behind up to a mark, and something of their own behind it, as "How often? [Tea]" does.
func (f *File) questionsInLabels() bool {
	const fewest, letters = 4, 8 // columns, and bytes of a question
	question := func(i int) string {
		if i < 0 || i >= len(f.Columns) {
			return ""
		}
		label := strings.TrimSpace(f.Columns[i].Label)
		if at := lastDivider(strings.TrimRight(label, "?. ")); at > letters {
			return label[:at]
		}
		return ""
	}
	n := 0
	for i := range f.Columns {
		q := question(i)
		n += btoi(q != "" && (q == question(i-1) || q == question(i+1)))
	}
	return n >= fewest && 4*n >= len(f.Columns)
}

// joinedWords is the mark that stands for the spaces in the names of most columns, which are whole sentences; "" if
// there is none.
func (f *File) joinedWords() string {
	const fewest = 4 // words
	columns, with := 0, map[string]int{}
	for i := range f.Columns {
		name := f.Columns[i].Name
		if f.Columns[i].Virtual {
			continue
		}
		columns++
		if f.Columns[i].Label != "" || strings.ContainsAny(name, " /") {
			return ""
		}
		for _, mark := range []string{"_", "."} {
			with[mark] += btoi(lettered(name, mark) >= fewest)
		}
	}
	for _, mark := range []string{"_", "."} {
		if 2*with[mark] > columns {
			return mark
		}
	}
	return ""
}

// lettered is how many words of letters a name has between marks.
func lettered(name, mark string) (n int) {
	for word := range strings.SplitSeq(name, mark) {
		n += btoi(len(word) > 1 && onlyLetters(word))
	}
	return n
}

var (
	runOfMarks = regexp.MustCompile(`\.{2,}|_{2,}`)
	again      = regexp.MustCompile(`^(.*\pL)([._]\d{1,2})$`)
)

// withSpaces is a name of words with the spaces that marks stand for. Three or more of them stood for signs that divide
// a question from its rows, as do "? [" and " - "; two for a comma and a space.
func withSpaces(name, mark string) string {
	const few = 3 // words
	if lettered(name, mark) < few {
		return name
	}
	end := ""
	if m := again.FindStringSubmatch(name); m != nil {
		name, end = m[1], m[2]
	}
	if mark == "." {
		if rest, found := strings.CutPrefix(name, "X"); found && rest != "" && strings.ContainsAny(rest[:1], digits+".") {
			name = strings.TrimLeft(rest, ".") // no name of R begins with a digit
		}
	}
	name = runOfMarks.ReplaceAllStringFunc(strings.Trim(name, mark), func(s string) string {
		if len(s) > 2 {
			return " - "
		}
		return ", "
	})
	return strings.ReplaceAll(name, mark, " ") + end
}
