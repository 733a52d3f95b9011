package formats

import (
	"bytes"
	"fmt"
	"io"
	"iter"
	"math"
	"slices"
	"strconv"
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
	another     // such as the largest
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
	another: listed(`median|mode|variance|count|n|min|max|minimum|maximum|mediana|moda|varianza|conteo|contagem|anzahl|` +
		`médiane|медиана|中位数`),
}

// statisticOf is the statistic that a text is the word for, whatever points stand in it.
func statisticOf(text string) statistic {
	plain := strings.ReplaceAll(strings.Trim(strings.TrimSpace(text), ":="), ".", " ")
	plain = strings.ToLower(strings.Join(strings.Fields(plain), " "))
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

// withoutSums leaves out the lines at the end of a text that sum up the others, and those between and behind them in
// which nothing stands: a word such as "Average" as the first that stands in the line, and the numbers that it comes to
// behind it. all gives all rows but the header; none of a text that is too long to be added up, in which such lines are
// respondents.
func withoutSums(data csv.File, delimiter rune, all func() [][]string, note func(string, ...any)) (csv.File, error) {
	const looked, most = 64 << 10, 12 // bytes, and lines that sum up
	start := max(0, data.Size()-looked)
	tail := make([]byte, data.Size()-start)
	if _, err := data.ReadAt(tail, start); err != nil && err != io.EOF {
		return nil, err
	}
	var closing [][]string // the last first
	words, end := 0, len(tail)
	for line, fields := range linesBack(tail, delimiter) {
		if empty := firstFilled(fields) < 0; !empty && !mayBeSum(fields) || words > most {
			break
		} else if !empty {
			words++
		}
		if closing = append(closing, fields); words > 0 {
			end = line
		}
	}
	if words == 0 || words > most {
		return data, nil
	}
	rows := all()
	if len(rows) <= len(closing) || !sumUp(closing, rows[:len(rows)-len(closing)]) {
		return data, nil
	}
	var said []string
	for _, fields := range slices.Backward(closing) {
		if at := firstFilled(fields); at >= 0 {
			said = append(said, fmt.Sprintf("%q", strings.TrimSpace(fields[at])))
		}
	}
	note("lines at the end that sum up the respondents are left out: %s", strings.Join(said, ", "))
	return io.NewSectionReader(data, 0, start+int64(end)), nil
}

// sumUp tells whether lines say what their words announce of the rows above them: three in five of the numbers of each
// mean, total and deviation, of which there is one at least.
func sumUp(lines, rows [][]string) bool {
	sums := make([]columnSum, 0)
	for _, row := range rows {
		for i, field := range row {
			if i == len(sums) {
				sums = append(sums, columnSum{})
			}
			if f, _, ok := plainNumber(field); ok {
				sums[i].add(f)
			}
		}
	}
	held := false
	for _, fields := range lines {
		at := firstFilled(fields)
		if at < 0 {
			continue
		}
		kind, right, numbers := statisticOf(fields[at]), 0, 0
		for i := at + 1; i < len(fields); i++ {
			said, decimals, ok := plainNumber(fields[i])
			if !ok {
				continue
			}
			if numbers++; i < len(sums) {
				right += count(sums[i].comesTo(kind, said, decimals))
			}
		}
		if kind != another && 5*right < 3*numbers {
			return false
		}
		held = held || kind != another
	}
	return held
}

// columnSum is what the numbers of a column come to.
type columnSum struct{ n, sum, squares float64 }

func (s *columnSum) add(f float64) { s.n, s.sum, s.squares = s.n+1, s.sum+f, s.squares+f*f }

// comesTo tells whether a statistic of the column is a number, rounded to so many decimals.
func (s *columnSum) comesTo(kind statistic, said float64, decimals int) bool {
	if s.n == 0 {
		return false
	}
	off := 1e-9 * math.Abs(said)
	if decimals > 0 { // a whole number near the mean is what respondents answer
		off += 0.5001 * math.Pow10(-decimals)
	}
	mean := s.sum / s.n
	switch squares := max(0, s.squares-s.n*mean*mean); kind {
	case meanOf:
		return math.Abs(mean-said) <= off
	case totalOf:
		return math.Abs(s.sum-said) <= off
	case deviationOf:
		return math.Abs(math.Sqrt(squares/s.n)-said) <= off || s.n > 1 && math.Abs(math.Sqrt(squares/(s.n-1))-said) <= off
	}
	return false
}

// plainNumber reads a number with a point or a comma before its decimals.
func plainNumber(field string) (f float64, decimals int, ok bool) {
	text := strings.TrimSpace(field)
	if strings.Count(text, ",") == 1 && !strings.Contains(text, ".") {
		text = strings.Replace(text, ",", ".", 1)
	}
	f, err := strconv.ParseFloat(text, 64)
	if at := strings.IndexByte(text, '.'); at >= 0 {
		decimals = len(text) - at - 1
	}
	return f, decimals, err == nil && !math.IsInf(f, 0) && !math.IsNaN(f)
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
