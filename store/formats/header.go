package formats

import (
	"cmp"
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// responses are what survey tools write below a question that has one column, in place of an option.
var responses = []string{"response", "responses", "open-ended response", "multiple choice response",
	"réponse", "réponse ouverte", "respuesta",
	"respuesta abierta", "resposta", "resposta aberta", "antwort", "offene antwort", "antwoord",
	"open antwoord", "risposta",
	"risposta aperta", "svar", "åbent svar", "åpent svar", "öppet svar", "odpowiedź", "odpowiedź otwarta", "vastaus",
	"avoin vastaus", "yanıt", "açık uçlu yanıt", "ответ", "ответ в свободной форме", "відповідь",
	"відповідь у довільній формі", "回答", "自由回答", "开放式答案", "응답"}

// noName is how programs call a column that has no name.
var noName = regexp.MustCompile(`^(?i:unnamed: ?\d+(_level_\d+)?)$`)

// blank tells whether a cell of the first row names nothing.
func blank(cell string) bool {
	cell = strings.TrimSpace(cell)
	return cell == "" || noName.MatchString(cell)
}

// mostTitles is how many rows may stand above the names of the columns.
const mostTitles = 4

// titleRows is how many rows at the beginning are a title: with one cell at the most, the first, and above a row of
// names. Names are words, and none stands there twice. In wide tables two rows or more may be two cells each, of which
// one says what the other is, as "Export date" in front of a date does.
func titleRows(rows [][]string) int {
	if pairs := pairRows(rows); pairs > 0 {
		return pairs
	}
	for k := range min(len(rows)-1, mostTitles+1) {
		filled := 0
		for i, cell := range rows[k] {
			if blank(cell) {
				continue
			}
			if filled++; filled > 1 || i > 0 {
				break
			}
		}
		if filled == 0 || filled == 1 && !blank(rows[k][0]) {
			continue
		}
		names := isNames(rows[k]) || isTwoRows(rows[k], rows[k+1], rows[k+2:]) || isOptions(rows[k], rows[k+1], rows[k+2:])
		if k == 0 || filled == 1 || !names || isTwoRows(rows[0], rows[1], rows[2:]) {
			return 0
		}
		return k
	}
	return 0
}

// pairRows is how many rows of two cells each stand above a row of names, two at least. Names fill the columns of these
// cells, too, and none of them, nor what stands beside what is said, is an answer below.
func pairRows(rows [][]string) int {
	const least = 2
	pairs := 0
	for pairs < min(len(rows)-1, mostTitles) && isPair(rows[pairs]) {
		pairs++
	}
	if pairs < least || !isNames(rows[pairs]) || blank(rows[pairs][0]) || blank(rows[pairs][1]) {
		return 0
	}
	for _, row := range rows[pairs+1:] {
		for i, cell := range row {
			if i < len(rows[pairs]) && !blank(cell) && (cell == rows[pairs][i] || i == 1 &&
				slices.ContainsFunc(rows[:pairs], func(pair []string) bool { return pair[1] == cell })) {
				return 0
			}
		}
	}
	return pairs
}

// isPair tells whether something stands in the first two cells of a wide row, and in no other.
func isPair(row []string) bool {
	const wide = 8 // columns
	return len(row) >= wide && !blank(row[0]) && !blank(row[1]) &&
		!slices.ContainsFunc(row[2:], func(cell string) bool { return !blank(cell) })
}

// isNames tells whether the cells of a row may be the names of columns: mostly there, different, and no numbers.
func isNames(row []string) bool {
	seen, filled := map[string]bool{}, 0
	for _, cell := range row {
		cell = strings.TrimSpace(cell)
		if cell == "" {
			continue
		}
		if seen[cell] || measured(cell) {
			return false
		}
		seen[cell] = true
		filled++
	}
	return filled >= 2 && 2*filled > len(row)
}

// readHeader reads the rows that begin a file: the names of the columns, their labels where other rows have them, and
// how many rows that is.
func readHeader(rows [][]string, note func(string, ...any)) (names, labels []string, used int) {
	said := func() {}
	names, labels, used = readKnown(rows, func(text string, args ...any) { said = func() { note(text, args...) } })
	if k := stackedRows(rows); k > used {
		names, labels = joinStacked(rows[:k])
		note("the first %d rows are the names of the columns, and what they are; respondents begin in the next", k)
		return names, labels, k
	}
	said()
	return names, labels, used
}

// readKnown is readHeader for the headers that rules know.
func readKnown(rows [][]string, note func(string, ...any)) (names, labels []string, used int) {
	first, second, third := rows[0], []string(nil), []string(nil)
	if len(rows) > 1 {
		second = rows[1]
	}
	if len(rows) > 2 {
		third = rows[2]
	}
	rest := rows[min(len(rows), 2):]
	switch {
	case isQualtrics(first, second, third):
		note("the second row holds the questions and the third where they were imported from; respondents begin in " +
			"the fourth")
		return first, trimmed(second), 3
	case isImported(first, second):
		note("the second row holds where the columns were imported from; respondents begin in the third")
		return slices.Clone(first), nil, 2
	case len(rest) > 1 && isCodes(first, second, third, rest[1:]):
		note("the second and third row hold the questions and their options; respondents begin in the fourth")
		names, labels = joinCodes(first, second, third)
		return names, labels, 3
	case len(rest) > 1 && isVariables(first, second, third, rest[1:]):
		note("the first two rows hold the questions and their rows, and the third the names of the columns; respondents " +
			"begin in the fourth")
		return trimmed(third), joinAbove(first, second), 3
	case len(rest) > 1 && isTopics(first, second, third, rest[1:]):
		note("the second and third row hold topics and what of them each column is; respondents begin in the fourth")
		return trimmed(first), joinTopics(trimmed(first), second, third), 3
	case len(rest) > 1 && isParted(first, second, third, rest[1:]):
		note("the names of the columns stand in the second or the third row, and headings of several in the first; " +
			"respondents begin in the fourth")
		return joinParted(first, second, third, rest[1:]), nil, 3
	case isBegun(first, second):
		note("the first row holds what the names of the columns begin with, which stand in the second; respondents begin " +
			"in the third")
		return trimmed(second), nil, 2
	case isAgain(first, second, rest):
		note("the second row says the names of columns again, or their options; respondents begin in the third")
		return joinAgain(first, second), nil, 2
	case isQuestions(first, second, rest):
		note("the second row holds the questions; respondents begin in the third")
		return first, trimmed(second), 2
	case isTwoRows(first, second, rest):
		note("the first two rows are the names of the columns: questions, and their options below")
		return joinRows(first, second), nil, 2
	case isOptions(first, second, rest):
		note("the first two rows are the names of the columns: questions, and below them their options, which stand in " +
			"their columns where they were chosen, or questions of one column")
		return joinOptions(first, second, rest), nil, 2
	case isTitled(first, second, rest):
		note("the first row holds titles of sections, and the second the names of the columns; respondents begin in the " +
			"third")
		return trimmed(second), nil, 2
	case isNamed(first, second, rest):
		note("the first row holds the questions, and the second the names of the columns; respondents begin in the third")
		return trimmed(second), trimmed(first), 2
	}
	if k := headingRows(rows); k > 0 {
		note("rows of headings above the names of the columns: %d; respondents begin in the row behind the names", k)
		return joinHeadings(rows[:k+1], rows[k+1:]), nil, k + 1
	}
	if isStatements(first, second, rest) {
		note("the first two rows are the names of the columns: questions, and the statements of some below")
		return joinStatements(first, second), nil, 2
	}
	return slices.Clone(first), nil, 1
}

// isQualtrics tells whether two more rows stand under the header, of which the second is JSON that tells where columns
// were imported from.
func isQualtrics(first, second, third []string) bool {
	return len(second) == len(first) && isImported(first, third)
}

// isImported tells whether a row under the header tells where columns were imported from. Columns that somebody added
// have nothing there, or something else.
func isImported(first, row []string) bool {
	imported := 0
	for _, cell := range row {
		cell = strings.TrimSpace(cell)
		imported += count(strings.HasPrefix(cell, "{") && strings.Contains(cell, "ImportId"))
	}
	return len(row) == len(first) && imported >= 1 && 2*imported >= len(row)
}

// importedID is what Qualtrics calls a column: the number of a question, behind that of a round if it was asked in
// several, and before that of a row or an option; of a row of one side of a table, or of an option of a row.
var importedID = regexp.MustCompile(`^((?:\d+_)?QID\d+(?:#\d+)?(?:_\d+)?)[_-]\d+$`)

// importedQuestions are what Qualtrics calls the questions of columns, by the row that tells where they were imported
// from: "" for questions of one column, words beside "other" and what the tool measured.
func importedQuestions(row []string) []string {
	questions, columns := make([]string, len(row)), map[string]int{}
	for i, cell := range row {
		var from struct{ ImportID string }
		inPython := strings.ReplaceAll(cell, "'", `"`)
		if json.Unmarshal([]byte(cell), &from) != nil && json.Unmarshal([]byte(inPython), &from) != nil {
			continue
		}
		if m := importedID.FindStringSubmatch(from.ImportID); m != nil {
			questions[i] = m[1]
			columns[m[1]]++
		}
	}
	for i, question := range questions {
		if columns[question] < 2 {
			questions[i] = ""
		}
	}
	return questions
}

// isTwoRows tells by their content whether the second row goes on with the header. Below questions of one column stands
// "Response" or the like, below others an option of each column, also where the first row has gaps; below the
// respondent's id and what else every respondent has, nothing. A row with a number or a date where those below have
// some, too, is a respondent's.
func isTwoRows(first, second []string, below [][]string) bool {
	if len(first) != len(second) || len(first) < 2 {
		return false
	}
	response, gaps, options, lacking, like := 0, 0, 0, 0, 0
	for i := range first {
		cell := strings.TrimSpace(second[i])
		filled, same, numbers := 0, 0, 0
		for _, row := range below {
			if i >= len(row) || strings.TrimSpace(row[i]) == "" {
				continue
			}
			filled++
			same += count(strings.TrimSpace(row[i]) == cell)
			numbers += count(measured(row[i]))
		}
		switch {
		case isResponse(cell) && same == 0:
			response++
		case cell == "":
			lacking += count(len(below) > 0 && filled == len(below) && !blank(first[i]))
		case measured(cell) && 2*numbers >= filled:
			like += count(filled > 0)
		}
		if i > 0 && blank(first[i]) { // the first may be the numbers of the rows
			gaps++
			options += count(cell != "" && hasLetter(cell))
		}
	}
	switch {
	case response >= 2:
		return true
	case like > 0:
		return false
	case response == 1, lacking > 0 && isRepeated(first, second, below):
		return true
	}
	return gaps > 0 && options == gaps && (lacking > 0 || strings.TrimSpace(second[0]) == "")
}

// isRepeated tells whether the first row has questions again and again, above words of which no two are the same and
// none is one of several answers below: options.
func isRepeated(first, second []string, below [][]string) bool {
	const least = 3
	repeats, options := 0, map[string]bool{}
	for i := range first {
		name, cell := strings.TrimSpace(first[i]), strings.TrimSpace(second[i])
		before := i > 0 && name == strings.TrimSpace(first[i-1])
		if blank(name) || !before && (i+1 == len(first) || name != strings.TrimSpace(first[i+1])) {
			continue
		}
		if !before {
			clear(options)
		}
		same, filled := standing(cell, below, i)
		if !hasLetter(cell) || options[cell] || same > 0 && same < filled {
			return false
		}
		options[cell] = true
		repeats += count(before)
	}
	return repeats >= least
}

// isQuestions tells whether the second row holds the questions' words, and the first their codes: words of which none
// is an answer below, over columns of numbers, or with question marks behind many of them. It does not if it holds the
// codes of questions that are in the first, nor where either numbers the columns or says what kinds they are of.
func isQuestions(first, second []string, below [][]string) bool {
	if len(first) != len(second) || len(below) < 2 || saysNothing(trimmed(first)) || saysNothing(trimmed(second)) ||
		markedIn(trimmed(second)) > 0 && wholeQuestions(trimmed(first)) {
		return false
	}
	long, filled, over, asked, codes := 0, 0, 0, 0, 0
	other := map[string]bool{}   // words over columns of numbers, or of the same few words again and again
	amounts := map[string]bool{} // words over columns of numbers, with enough of them to tell
	told := map[string]bool{}    // and over all columns with enough answers to tell
	unnamed := false             // some stand below a column without a name
	for i := range first {
		cell := strings.TrimSpace(second[i])
		if cell == "" {
			continue
		}
		unnamed = unnamed || blank(first[i])
		asked += count(strings.Contains(cell, "?") && len(strings.Fields(cell)) >= 3)
		codes += count(!strings.Contains(strings.TrimSpace(first[i]), " "))
		if filled++; measured(cell) || len(first[i]) > 40 && strings.Contains(strings.TrimSpace(first[i]), " ") {
			return false // names of that length with spaces are questions themselves
		}
		long += count(len(strings.Fields(cell)) >= 3)
		numbers, any, texts := 0, 0, map[string]bool{}
		for _, row := range below {
			if i >= len(row) || strings.TrimSpace(row[i]) == "" {
				continue
			}
			if any++; strings.TrimSpace(row[i]) == cell {
				return false
			}
			texts[strings.TrimSpace(row[i])] = true
			numbers += count(measured(row[i]))
		}
		if any >= leastOver {
			told[cell] = true
		}
		number := any > 0 && numbers == any
		over += count(number)
		if number && any >= leastOver {
			amounts[cell] = true
		}
		if number || any >= leastOver && any >= 3*len(texts) {
			other[cell] = true
		}
	}
	asks := asked >= 3 && 4*asked >= filled && 4*codes >= 3*filled
	if len(other) >= leastOver && 4*len(other) >= 3*len(told) && 2*len(told) >= filled && 2*filled >= len(first) &&
		!unnamed {
		return true // no respondent has words of their own where all others have numbers or the same few words
	}
	if len(amounts) >= leastOver && 10*filled >= 9*len(first) && !unnamed {
		return true // nor in each of many columns in which all others have numbers
	}
	return filled >= 3 && 2*long >= filled && (2*over >= filled || asks) && 10*filled >= 9*len(first)
}

// leastOver is over how many columns of numbers words have to stand to be no respondent's.
const leastOver = 5

func count(is bool) int {
	if is {
		return 1
	}
	return 0
}

func isResponse(cell string) bool {
	return slices.Contains(responses, strings.ToLower(strings.TrimSpace(cell)))
}

// measured tells whether a cell holds a number, a date or a time: digits, and at most what stands between them.
func measured(cell string) bool {
	cell = strings.TrimSpace(cell)
	return strings.ContainsAny(cell, "0123456789") && strings.Trim(cell, "0123456789.,:/- TZ+AMPamp") == ""
}

// joinRows makes question[option] of two rows.
func joinRows(first, second []string) []string {
	first, second = trimmed(first), trimmed(second)
	names := make([]string, len(first))
	question := ""
	for i := range first {
		own := first[i]
		if blank(own) {
			own = ""
		}
		question = cmp.Or(own, question)
		several := i+1 < len(first) && (blank(first[i+1]) || first[i+1] == own) || own == "" || i > 0 && own == first[i-1]
		names[i] = question
		if several && second[i] != "" && !isResponse(second[i]) {
			names[i] = question + "[" + second[i] + "]"
		}
	}
	return names
}

// isOptions tells whether the first row holds questions of several columns, with gaps behind them, and the second their
// options, of which each, or a mark such as an x, is all that stands in its column, and the words of other questions,
// which stand nowhere below. A respondent's row would hold answers that others gave, too, beside other answers.
func isOptions(first, second []string, below [][]string) bool {
	if len(first) != len(second) || len(below) < 2 {
		return false
	}
	gaps, own, asked, answers := 0, 0, 0, 0
	for i := range first {
		cell := strings.TrimSpace(second[i])
		if cell == "" && !blank(first[i]) {
			continue
		}
		if cell == "" || measured(cell) {
			return false
		}
		gaps += count(blank(first[i]))
		same, filled := standing(cell, below, i)
		switch {
		case filled > 0 && same == filled, isMarked(below, i):
			own++
		case same > 0:
			answers++
		case filled > 0 && (strings.HasSuffix(cell, "?") || len(strings.Fields(cell)) >= 4):
			asked++
		}
	}
	return gaps >= 3 && own >= 3 && asked >= 1 && 10*answers <= own
}

// isMarked tells whether a column holds nothing but a mark of one character.
func isMarked(below [][]string, i int) bool {
	mark := ""
	for _, row := range below {
		if i >= len(row) || strings.TrimSpace(row[i]) == "" {
			continue
		}
		cell := strings.TrimSpace(row[i])
		if utf8.RuneCountInString(cell) > 1 || measured(cell) || mark != "" && cell != mark {
			return false
		}
		mark = cell
	}
	return mark != ""
}

// standing counts the rows with a cell in column i, and with anything there.
func standing(cell string, below [][]string, i int) (same, filled int) {
	for _, row := range below {
		if i < len(row) && strings.TrimSpace(row[i]) != "" {
			filled++
			same += count(strings.TrimSpace(row[i]) == cell)
		}
	}
	return same, filled
}

// joinOptions makes question[option] of two rows, where a question stands over several columns, side by side or not, or
// has gaps behind it. A cell of the second row under no question of its own belongs to the
// question before if it is an option, "other" or a row with the answers of the column before; else it is a question.
func joinOptions(first, second []string, below [][]string) []string {
	first, second = trimmed(first), trimmed(second)
	names := make([]string, len(first))
	times := map[string]int{}
	for _, name := range first {
		times[name]++
	}
	question := ""
	for i := range first {
		cell := second[i]
		if !blank(first[i]) {
			question = first[i]
			names[i] = question
			several := times[question] > 1 || i+1 < len(first) && blank(first[i+1])
			if cell != "" && !isResponse(cell) && several {
				names[i] = question + "[" + cell + "]"
			}
			continue
		}
		same, filled := standing(cell, below, i)
		option := same > 0 || filled == 0 || isMarked(below, i) || strings.EqualFold(cell, "other") ||
			i > 0 && alikeBelow(below, i-1, i)
		if question == "" || !option {
			question, names[i] = cell, cell
			continue
		}
		names[i] = question + "[" + cell + "]"
	}
	return names
}

// alikeBelow tells whether most of what stands in a column stands in another, too, and more than one thing does.
func alikeBelow(below [][]string, one, other int) bool {
	stands := func(at int) map[string]bool {
		texts := map[string]bool{}
		for _, row := range below {
			if at < len(row) && strings.TrimSpace(row[at]) != "" {
				texts[strings.TrimSpace(row[at])] = true
			}
		}
		return texts
	}
	a, b := stands(one), stands(other)
	both := 0
	for text := range a {
		both += count(b[text])
	}
	return both >= 2 && 2*both >= max(len(a), len(b))
}
