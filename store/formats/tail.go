package formats

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/crosswave/crosswave/store/formats/csv"
)

// Lines that somebody put below the respondents of a table.

// sums are what begins a line that sums up the lines above it, in small letters and without points.
var sums = listed(`mean|means|average|averages|avg|median|mode|std|std dev|stddev|stdev|st dev|sd|standard deviation|` +
	`variance|sum|total|totals|count|min|max|minimum|maximum|promedio|mediana|moda|desviación estándar|` +
	`desviacion estandar|desv est|varianza|suma|conteo|média|desvio padrão|soma|contagem|mittelwert|mittel|durchschnitt|` +
	`summe|gesamt|anzahl|standardabweichung|stdabw|moyenne|médiane|somme|écart-type|écart type|media|somma|totale|` +
	`deviazione standard|dev standard|gemiddelde|totaal|standaardafwijking|średnia|odchylenie standardowe|razem|` +
	`medelvärde|medel|summa|gennemsnit|gjennomsnitt|keskiarvo|yhteensä|ortalama|toplam|standart sapma|среднее|медиана|` +
	`сумма|итого|всего|rata-rata|jumlah|trung bình|tổng|平均|平均值|均值|合计|总计|标准差|中位数|合計|標準偏差|` +
	`평균|합계|총합|표준편차`)

// listed is a set of words that are divided by a stroke.
func listed(list string) map[string]bool {
	set := map[string]bool{}
	for word := range strings.SplitSeq(list, "|") {
		set[word] = true
	}
	return set
}

// withoutSums leaves out the lines at the end of a text that sum up the others, and those between and behind them in
// which nothing stands: a word such as "Average" in a column in which the respondents have numbers, dates or nothing,
// and numbers behind it. above is how the text begins, and header how many of these rows have the names of columns.
func withoutSums(data csv.File, delimiter rune, above [][]string, header int,
	note func(string, ...any)) (csv.File, error) {
	const looked, most = 64 << 10, 12 // bytes, and lines that sum up
	start := max(0, data.Size()-looked)
	tail := make([]byte, data.Size()-start)
	if _, err := data.ReadAt(tail, start); err != nil && err != io.EOF {
		return nil, err
	}
	var found []string
	end := len(tail) // of what is left
	for at := end; at > 0 && len(found) <= most; {
		line := bytes.LastIndexByte(bytes.TrimSuffix(tail[:at], []byte("\n")), '\n') + 1
		if line == 0 {
			break // the first line that was read may be the rest of one
		}
		fields, err := newReader(bytes.NewReader(tail[line:at]), delimiter).Read()
		if err != nil && err != io.EOF || bytes.Count(tail[line:at], []byte(`"`))%2 == 1 {
			break
		}
		if slices.ContainsFunc(fields, func(field string) bool { return strings.TrimSpace(field) != "" }) {
			word := sumOf(fields, above[min(header, len(above)):])
			if word == "" {
				break
			}
			found = append(found, fmt.Sprintf("%q", word))
		}
		if at = line; len(found) > 0 {
			end = line
		}
	}
	if len(found) == 0 || len(found) > most {
		return data, nil
	}
	slices.Reverse(found)
	note("lines at the end that sum up the respondents are left out: %s", strings.Join(found, ", "))
	return io.NewSectionReader(data, 0, start+int64(end)), nil
}

// sumOf is the word with which a line sums up the rows above it; "" if it does not.
func sumOf(fields []string, rows [][]string) string {
	const least = 2 // numbers behind it
	at := slices.IndexFunc(fields, func(field string) bool { return strings.TrimSpace(field) != "" })
	word := strings.TrimSpace(fields[at])
	if !sumsUp(word) {
		return ""
	}
	numbers := 0
	for _, field := range fields[at+1:] {
		if field = strings.TrimSpace(field); field == "" {
			continue
		}
		if !measured(field) && !strings.HasSuffix(field, "%") && !strings.HasPrefix(field, "-") {
			return ""
		}
		numbers++
	}
	if numbers < least || len(rows) == 0 || told(fields, at, rows) {
		return "" // it is what a respondent answered
	}
	return word
}

// told tells whether the word at a place of a line may be an answer: words stand there in the rows above it, and the
// first column, which holds something different in each of those, holds something in the line.
func told(fields []string, at int, rows [][]string) bool {
	texts, first := false, map[string]bool{}
	for _, row := range rows {
		if sumOfWords(row, at) {
			continue // a line that sums up, too
		}
		texts = texts || at < len(row) && strings.TrimSpace(row[at]) != "" && !measured(row[at])
		if text := strings.TrimSpace(row[0]); text == "" || first[text] {
			first = nil
		} else if first != nil {
			first[text] = true
		}
	}
	return texts && (first == nil || at == 0)
}

// sumOfWords tells whether nothing stands in front of a place of a row, and in it a word that sums up, or nothing at
// all stands there and behind it.
func sumOfWords(row []string, at int) bool {
	if at >= len(row) {
		return true
	}
	before := slices.ContainsFunc(row[:at], func(field string) bool { return strings.TrimSpace(field) != "" })
	return !before && (sumsUp(row[at]) || strings.TrimSpace(row[at]) == "")
}

// sumsUp tells whether a text is a word for what sums up numbers, whatever points stand in it.
func sumsUp(text string) bool {
	plain := strings.ReplaceAll(strings.Trim(strings.TrimSpace(text), ":="), ".", " ")
	return sums[strings.ToLower(strings.Join(strings.Fields(plain), " "))]
}
