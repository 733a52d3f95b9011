package formats

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"
	"math"
	"regexp"
	"slices"
	"strings"

	"github.com/crosswave/crosswave/store/formats/csv"
)

// Lines that somebody put below the respondents of a table.

// statistic is what a line may say of the lines above it.
type statistic int

const (
	noStatistic statistic = iota
	meanOf
	totalOf
	deviationOf // standard deviation, of a sample or of all
	middleOf    // the median or the commonest
	another     // the largest, how many there are, and so on
)

// statistics are words for what sums up numbers, in small letters and without points.
var statistics = map[statistic]map[string]bool{
	meanOf: listed(`mean|means|average|averages|avg|promedio|média|mittelwert|mittel|durchschnitt|moyenne|media|` +
		`gemiddelde|średnia|medelvärde|medel|gennemsnit|gjennomsnitt|keskiarvo|ortalama|среднее|rata-rata|trung bình|` +
		`平均|平均值|均值|평균`),
	totalOf: listed(`sum|total|totals|suma|soma|summe|gesamt|somme|somma|totale|totaal|razem|summa|yhteensä|toplam|` +
		`сумма|итого|всего|jumlah|tổng|合计|总计|合計|합계|총합`),
	deviationOf: listed(`std|std dev|stddev|stdev|st dev|sd|standard deviation|desviación estándar|desviacion estandar|` +
		`desv est|desvio padrão|standardabweichung|stdabw|écart-type|écart type|deviazione standard|dev standard|` +
		`standaardafwijking|odchylenie standardowe|standart sapma|标准差|標準偏差|표준편차`),
	middleOf: listed(`median|mode|mediana|moda|médiane|медиана|中位数`),
	another:  listed(`variance|count|n|min|max|minimum|maximum|varianza|conteo|contagem|anzahl`),
}

// statisticOf is the statistic that a text is the word for, whatever points stand in it.
func statisticOf(text string) statistic {
	plain := strings.ReplaceAll(strings.Trim(strings.TrimSpace(text), ":="), ".", " ")
	plain = strings.ToLower(inOneLine(plain))
	for s, words := range statistics {
		if words[plain] {
			return s
		}
	}
	return noStatistic
}

// listed is a set of words that are divided by a stroke.
func listed(list string) map[string]bool {
	set := map[string]bool{}
	for word := range strings.SplitSeq(list, "|") {
		set[word] = true
	}
	return set
}

// closing is a line at the end of a text.
type closing struct {
	start  int      // where it begins, from where the tail does
	fields []string // none filled: nothing stands in the line
}

// withoutSums leaves out the lines at the end of a text that are no respondents, and those between and behind them in
// which nothing stands: lines that sum up the others, as they say ("Average") or as their numbers show, and what
// somebody noted there, one cell a line. The first line has the names of the columns. A line that does not fit into
// what is looked at is a respondent.
func withoutSums(data csv.File, delimiter rune, note func(string, ...any)) (csv.File, error) {
	const most = 12 // lines in which anything stands
	tail, start, err := tailOf(data)
	if err != nil {
		return nil, err
	}
	var lines []closing
	filled := 0
	for line, fields := range linesBack(tail, delimiter) {
		if firstFilled(fields) >= 0 {
			if !mayBeSum(fields) && !isBare(fields) && !isAlone(fields) || filled == most {
				break
			}
			filled++
		}
		lines = append(lines, closing{line, fields})
	}
	if filled == 0 || data.Size() > mostAdded {
		return data, nil
	}
	slices.Reverse(lines)
	rows := &above{texts: map[int]bool{}}
	for _, line := range lines {
		if isAlone(line.fields) {
			rows.texts[firstFilled(line.fields)] = true
		}
	}
	err = rows.read(io.NewSectionReader(data, 0, start+int64(lines[0].start)), delimiter)
	if err != nil || rows.rows == 0 {
		return data, nil // what is wrong is told when the text is read
	}
	for i := range lines {
		if sums, notes := rows.sumUp(lines[i:]); sums || notes {
			said := "sum up the respondents"
			if notes {
				said = "have one cell each, or sum up the respondents,"
			}
			note("lines at the end that %s are left out: %s", said, texts(lines[i:]))
			return io.NewSectionReader(data, 0, start+int64(lines[i].start)), nil
		}
		rows.add(lines[i].fields)
	}
	return data, nil
}

// mostAdded is how many bytes a text may have that is added up.
const mostAdded = 256 << 20

// tailOf reads the end of a text, in which lines are looked for that are no respondents, and tells where it begins.
func tailOf(data csv.File) (tail []byte, start int64, err error) {
	const looked = 64 << 10 // bytes
	start = max(0, data.Size()-looked)
	tail = make([]byte, data.Size()-start)
	if _, err := data.ReadAt(tail, start); err != nil && err != io.EOF {
		return nil, 0, err
	}
	return tail, start, nil
}

// texts are how lines begin.
func texts(lines []closing) string {
	var said []string
	for _, line := range lines {
		if at := firstFilled(line.fields); at >= 0 {
			said = append(said, fmt.Sprintf("%q", strings.TrimSpace(line.fields[at])))
		}
	}
	return strings.Join(said, ", ")
}

// above is what is known of the rows of a text above some lines.
type above struct {
	rows    int64
	columns []columnSum
	texts   map[int]bool // the columns whose texts are kept
}

// shortLines reads a text as long as no line of it is too long to be that of a respondent. A line may end within
// quotes.
type shortLines struct {
	io.Reader
	length int
	quoted bool
}

// errLongLine ends the reading of a text that is not added up.
var errLongLine = errors.New("a line is too long")

func (r *shortLines) Read(p []byte) (int, error) {
	const longest = 1 << 20 // bytes
	n, err := r.Reader.Read(p)
	for _, b := range p[:n] {
		switch r.length++; {
		case b == '"':
			r.quoted = !r.quoted
		case b == '\n' && !r.quoted:
			r.length = 0
		case r.length > longest:
			return 0, errLongLine
		}
	}
	return n, err
}

// read adds up the rows of a text behind the names of its columns.
func (t *above) read(text io.Reader, delimiter rune) error {
	r := newReader(&shortLines{Reader: text}, delimiter)
	r.ReuseRecord = true
	for named := false; ; named = true {
		switch fields, err := r.Read(); {
		case err == io.EOF:
			return nil
		case err != nil:
			return err
		case len(fields) > mostColumns:
			return errLongLine
		case named:
			t.add(fields)
		}
	}
}

// add adds a row in which anything stands.
func (t *above) add(fields []string) {
	if firstFilled(fields) < 0 {
		return
	}
	const most = 2000 // columns of which medians may be asked for
	t.rows++
	for i, field := range fields {
		if i == len(t.columns) {
			t.columns = append(t.columns, columnSum{})
		}
		t.columns[i].filled += int64(count(strings.TrimSpace(field) != ""))
		if f, _, ok := plainNumber(field); ok {
			if t.columns[i].add(f); i < most {
				t.columns[i].count(f)
			}
		} else if t.texts[i] {
			t.columns[i].keep(strings.TrimSpace(field))
		}
	}
}

// always is how many columns are filled in every row; none of a few rows.
func (t *above) always() (n int) {
	const least = 10
	for i := range t.columns {
		n += count(t.rows >= least && t.columns[i].filled == t.rows)
	}
	return n
}

// sumUp tells whether all lines are no respondents: whether they sum up the rows, or hold one cell each that lists
// answers.
func (t *above) sumUp(lines []closing) (sums, notes bool) {
	listed := t.lists(lines)
	for _, line := range lines {
		fields := line.fields
		at := firstFilled(fields)
		switch {
		case at < 0:
		case mayBeSum(fields):
			kind := statisticOf(fields[at])
			if !t.says(kind, fields[at+1:], at+1) {
				return false, false
			}
			sums = sums || kind != another && kind != middleOf
		case isBare(fields) && (t.saysBare(fields) || sums && t.saysMiddle(fields)):
			sums = true
		case listed && isAlone(fields):
			notes = true
		default:
			return false, false
		}
	}
	return sums, notes
}

// code is an answer as programs write it, such as piped_water.
var code = regexp.MustCompile(`^[a-z0-9]+(?:_[a-z0-9]+)+$`)

// lists tells whether the lines with one cell each, two or more of them, all in one column, list the codes of answers
// that stand in it, half of them at least and each once, while five columns are filled in every row above. Most have to
// look as codes do: what else stands alone may be what respondents answered.
func (t *above) lists(lines []closing) bool {
	const least, filled = 2, 5
	column, known, codes, seen := -1, 0, 0, map[string]bool{}
	for _, line := range lines {
		if !isAlone(line.fields) {
			continue
		}
		at := firstFilled(line.fields)
		text := strings.TrimSpace(line.fields[at])
		_, _, number := plainNumber(text)
		if number || seen[text] || column >= 0 && at != column || at >= len(t.columns) {
			return false
		}
		codes += count(code.MatchString(text))
		column, seen[text] = at, true
		known += count(t.columns[at].texts[text])
	}
	return len(seen) >= least && 2*known >= len(seen) && 2*codes > len(seen) && t.always() >= filled
}

// says tells whether three in five numbers of a line, whose first field is that of a column, are a statistic of the
// rows.
func (t *above) says(kind statistic, fields []string, first int) bool {
	right, numbers := 0, 0
	for i, field := range fields {
		said, decimals, ok := plainNumber(field)
		if !ok {
			continue
		}
		if numbers++; first+i < len(t.columns) {
			right += count(t.columns[first+i].comesTo(kind, said, decimals))
		}
	}
	return 5*right >= 3*numbers
}

// saysBare tells whether the numbers of a line without a word sum up the rows, most of which have something in the
// first column, where the line has nothing: means and deviations with decimals of three columns in which answers
// differ, or totals and counts of two, beyond all that was answered there, where every row has something in the first
// column. A mean that is a whole number says nothing, and what stands in columns without anything else is no matter. Of
// means with one decimal ten are enough. Two in five of ten means or more may be wrong, as answers may have been
// corrected since: then they have decimals, too, or are next to the mean.
func (t *above) saysBare(fields []string) bool {
	const exact, surely, least, rows, near = 3, 10, 2, 10, 0.25
	if t.rows < rows || 10*t.columns[0].filled < 9*t.rows { // and so there are columns
		return false
	}
	means, rough, counts, wrong, own := 0, 0, 0, 0, 0
	for i, field := range fields {
		said, decimals, ok := plainNumber(field)
		if !ok || i >= len(t.columns) || t.columns[i].filled == 0 {
			continue
		}
		c := &t.columns[i]
		switch whole := said == math.Trunc(said); {
		case !whole && decimals >= 2 && c.least < c.most &&
			(c.comesTo(meanOf, said, decimals) || c.comesTo(deviationOf, said, decimals)):
			means++
		case !whole && decimals == 1 && c.least < c.most && c.comesTo(meanOf, said, decimals):
			rough++
		case whole && (float64(c.filled) == said || c.comesTo(totalOf, said, 0)) && (c.n == 0 || said > c.most):
			counts++
		case whole && (c.comesTo(meanOf, said, 0) || c.comesTo(meanOf, said, 1)):
		case c.n == 0 || whole && math.Abs(said-c.sum/c.n) > near:
			own++ // what somebody answered
		default:
			wrong++
		}
	}
	if own > 0 || wrong > 0 {
		return own == 0 && means >= surely && 2*means >= 3*wrong
	}
	return means >= exact || means+rough >= surely || counts >= least && t.columns[0].filled == t.rows
}

// saysMiddle tells whether all numbers of a line without a word, five at least, are the medians of their columns.
func (t *above) saysMiddle(fields []string) bool {
	const least = 5
	n := 0
	for i, field := range fields {
		if said, _, ok := plainNumber(field); ok {
			if i >= len(t.columns) || t.columns[i].median() != said {
				return false
			}
			n++
		}
	}
	return n >= least
}

// filledAt are the places of the fields in which anything stands.
func filledAt(fields []string) (list []int) {
	for i, field := range fields {
		if strings.TrimSpace(field) != "" {
			list = append(list, i)
		}
	}
	return list
}

// isBare tells whether nothing but numbers stands in a line, two of them at least, and nothing in its first field.
func isBare(fields []string) bool {
	at := filledAt(fields)
	return len(at) > 1 && at[0] > 0 && !slices.ContainsFunc(at, func(i int) bool {
		_, _, ok := plainNumber(fields[i])
		return !ok
	})
}

// isAlone tells whether a line has one cell in which anything stands, and not the first.
func isAlone(fields []string) bool {
	at := filledAt(fields)
	return len(at) == 1 && at[0] > 0
}

// linesBack gives the lines of the end of a text with where each begins, the last first. It ends in front of what may
// not be a whole row: the first line, and one with half a quotation.
func linesBack(tail []byte, delimiter rune) iter.Seq2[int, []string] {
	return func(yield func(int, []string) bool) {
		for at := len(tail); at > 0; {
			line := bytes.LastIndexByte(bytes.TrimSuffix(tail[:at], []byte("\n")), '\n') + 1
			if line == 0 || bytes.Count(tail[line:at], []byte(`"`))%2 == 1 {
				return
			}
			fields, err := newReader(bytes.NewReader(tail[line:at]), delimiter).Read()
			if err != nil && err != io.EOF || !yield(line, fields) {
				return
			}
			at = line
		}
	}
}

// firstFilled is the place of the first field in which anything stands; -1: there is none.
func firstFilled(fields []string) int {
	return slices.IndexFunc(fields, func(field string) bool { return strings.TrimSpace(field) != "" })
}

// mayBeSum tells whether a line begins with a word for what sums up numbers, and goes on with nothing but numbers, two
// of them at least.
func mayBeSum(fields []string) bool {
	const least = 2
	at := firstFilled(fields)
	if at < 0 || statisticOf(fields[at]) == noStatistic {
		return false
	}
	numbers := 0
	for _, field := range fields[at+1:] {
		if field = strings.TrimSpace(field); field == "" {
			continue
		}
		if !measured(strings.TrimPrefix(strings.TrimSuffix(field, "%"), "-")) {
			return false
		}
		numbers++
	}
	return numbers >= least
}
