package formats

import (
	"bytes"
	standard "encoding/csv"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/crosswave/crosswave/store/formats/csv"
	"github.com/crosswave/crosswave/store/guess"
	"github.com/crosswave/crosswave/store/survey"
)

// delimiters may stand between the fields of a CSV file, the likeliest first.
var delimiters = []rune{',', ';', '\t', '|'}

// sniffed is how much of a CSV file is looked at to find out its delimiter and its header, in bytes.
const sniffed = 256 << 10

// openCSV opens a CSV file: in whatever encoding, with whatever delimiter, and with a header that needs repair.
func (f *File) openCSV(file *os.File, size int64, o Options) error {
	var notes []string
	note := func(format string, args ...any) { notes = append(notes, fmt.Sprintf(format, args...)) }
	data, encoding, err := f.decoded(file, size, o, note)
	if err != nil {
		return err
	}
	if encoding != "UTF-8" {
		note("the file is read as %s", encoding)
	}
	head := make([]byte, min(data.Size(), sniffed))
	if _, err := data.ReadAt(head, 0); err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	whole := int64(len(head)) == data.Size()
	head, marked := bytes.CutPrefix(head, []byte("\ufeff"))
	if bytes.IndexByte(head, 0) >= 0 {
		return &Error{Path: f.Path, Reason: "it is no survey file: SPSS (.sav, .zsav), Stata (.dta), Triple-S, " +
			"CSV, Excel (.xlsx, .xls) and Parquet are read"}
	}
	delimiter := o.Delimiter
	above, length := 0, 0 // lines above the header, and their bytes
	if hint, n := excelHint(head); n > 0 {
		if delimiter == 0 {
			delimiter = hint
		}
		above, length = 1, n
	}
	if lines, n := comments(head[length:]); lines > 0 {
		note("above the names of the columns stand %d lines of comments, which begin with #", lines)
		above, length = above+lines, length+n
	}
	if above > 0 {
		start := int64(length)
		if marked {
			start += 3
		}
		data, head = &spliced{head: bytes.Repeat([]byte{'\n'}, above), tail: data, at: start}, head[length:]
	}
	if delimiter == 0 {
		if delimiter = sniffDelimiter(head, whole); delimiter != ',' {
			note("fields are divided by %q", delimiter)
		}
	}
	if data, err = f.requoted(data, head, delimiter, o, note); err != nil {
		return err
	}
	f.Format = CSV
	f.Notes = func() []string { return notes }
	_, err = f.openText(data, csv.Options{Delimiter: delimiter}, o.Header, note)
	return err
}

// openText opens a text of fields, a line for each row, divided as o says, and returns its first rows, up to a thousand
// with the header.
func (f *File) openText(data csv.File, o csv.Options, said Header, note func(string, ...any)) (first [][]string,
	err error) {
	delimiter := o.Delimiter
	head, whole, err := beginning(data)
	if err != nil {
		return nil, err
	}
	data, labels, used, err := f.header(data, delimiter, said, note)
	if err != nil {
		return nil, err
	}
	if data, err = withoutAnalysis(data, delimiter, note); err != nil {
		return nil, err
	}
	if data, err = withoutSums(data, delimiter, note); err != nil {
		return nil, err
	}
	o.Longest, o.Added = int(f.longest()), used == 0
	table, err := csv.New(data, o)
	if err != nil {
		return nil, err
	}
	first = records(head, delimiter, whole, 1000)
	if o.LineBreak != 0 {
		for _, texts := range append(slices.Clone(first), labels, f.questions) {
			for i := range texts {
				texts[i] = strings.ReplaceAll(texts[i], string(rune(o.LineBreak)), " ")
			}
		}
	}
	f.Table = table
	names := table.Header()
	for i, name := range names {
		c := guess.Column{Name: name}
		if i < len(labels) && labels[i] != name {
			c.Label = labels[i]
		}
		if i < len(f.questions) {
			c.Question = f.questions[i]
		}
		f.Columns = append(f.Columns, c)
	}
	if places := decimalCommas(first, used, delimiter, len(names)); len(places) > 0 {
		var list []string
		for _, i := range places {
			list = append(list, names[i])
		}
		note("%s: numbers with a decimal comma (1,25), read as such", strings.Join(list, ", "))
		f.Table = &commaTable{table, places}
	}
	return first[min(used, len(first)):], nil
}

// longest is how many bytes a row may have: of a packed file, next to nothing may unpack to very long rows.
func (f *File) longest() int64 {
	if f.packed {
		return min(64<<20, max(1<<20, f.Size))
	}
	return 64 << 20
}

// beginning is how a text begins, without a byte order mark, and whether that is all of it.
func beginning(data csv.File) (head []byte, whole bool, err error) {
	head = make([]byte, min(data.Size(), sniffed))
	if _, err := data.ReadAt(head, 0); err != nil && !errors.Is(err, io.EOF) {
		return nil, false, err
	}
	return bytes.TrimPrefix(head, []byte("\ufeff")), int64(len(head)) == data.Size(), nil
}

// excelHint reads a first line such as "sep=;", which tells Excel the delimiter, and gives its length.
func excelHint(head []byte) (delimiter rune, length int) {
	rest, found := bytes.CutPrefix(head, []byte("sep="))
	if !found || len(rest) < 2 || rest[0] >= 0x80 || rest[1] != '\r' && rest[1] != '\n' {
		return 0, 0
	}
	return rune(rest[0]), bytes.IndexByte(head, '\n') + 1
}

// comments counts the lines at the beginning that say something about the file, each behind a #, and their bytes; 0 if
// there are fewer than two, as one may be a title. They end where a line may be the header.
func comments(head []byte) (lines, length int) {
	for rest := head; ; lines++ {
		end := bytes.IndexByte(rest, '\n') + 1
		if end == 0 {
			return 0, 0
		}
		if rest[0] != '#' || beginsWithHeader(rest) {
			break
		}
		rest = rest[end:]
		length += end
	}
	if lines < 2 {
		return 0, 0
	}
	return lines, length
}

// beginsWithHeader tells whether the first line of a text, behind a #, has as many fields as the row below it, each
// with another name in it. Of two fields, none may have two words: a comma stands in sentences, too.
func beginsWithHeader(text []byte) bool {
	return slices.ContainsFunc(delimiters, func(d rune) bool {
		rows := records(text, d, true, 2)
		if len(rows) < 2 || len(rows[0]) < 2 || len(rows[0]) != len(rows[1]) {
			return false
		}
		seen := map[string]bool{}
		for _, field := range rows[0] {
			name := strings.TrimSpace(strings.TrimPrefix(field, "#"))
			if seen[name] || name == "" && field == "" || len(rows[0]) == 2 && strings.ContainsAny(name, " \t") {
				return false
			}
			seen[name] = true
		}
		return true
	})
}

// sniffDelimiter finds the delimiter by which the rows have the same number of fields, most of them; behind a title, if
// none does from the first row on.
func sniffDelimiter(head []byte, whole bool) rune {
	if tabbed(head, whole) {
		return '\t'
	}
	for _, titled := range []bool{false, true} {
		best, score := ',', 0.0
		for _, d := range delimiters {
			if s := divides(records(head, d, whole, 200), titled, inQuotes(head)); s > score {
				best, score = d, s
			}
		}
		if score > 0 {
			return best
		}
	}
	for _, d := range delimiters {
		if lacking(records(head, d, whole, 200)) {
			return d
		}
	}
	return ','
}

// tabbed tells whether all lines have as many tabs, two or more: then these divide them, whatever quotes in them say.
func tabbed(head []byte, whole bool) bool {
	const least = 3 // lines
	lines := bytes.Split(head, []byte("\n"))
	if last := lines[len(lines)-1]; !whole || len(last) == 0 {
		lines = lines[:len(lines)-1]
	}
	tabs := func(line []byte) int { return bytes.Count(line, []byte("\t")) }
	return len(lines) >= least && tabs(lines[0]) >= 2 && !slices.ContainsFunc(lines, func(line []byte) bool {
		return tabs(line) != tabs(lines[0])
	})
}

// lacking tells whether rows have as many fields as the first of them or fewer, as programs write them that leave out
// empty ones at the end: such a file is refused, and its first row tells how many there have to be.
func lacking(rows [][]string) bool {
	if len(rows) < 2 || len(rows[0]) < 3 {
		return false
	}
	width := len(rows[0])
	return !slices.ContainsFunc(rows, func(r []string) bool { return len(r) > width || 2*len(r) < width })
}

// divides scores how well a delimiter divides rows into as many fields each, 0 being not at all. titled says that a
// title of one field may stand above them, and quoted what stands at their beginnings.
func divides(rows [][]string, titled, quoted bool) float64 {
	for titled && len(rows) > 1 && len(rows[0]) == 1 {
		rows = rows[1:]
	}
	if len(rows) == 0 || len(rows[0]) < 2 {
		return 0
	}
	width := len(rows[0])
	switch {
	case dangling(rows) > 0:
		width--
	case rowNames(rows, quoted):
		width++
	}
	same := 0
	for _, r := range rows {
		if len(r) == width || len(r) == len(rows[0]) {
			same++
		}
	}
	share := float64(same) / float64(len(rows))
	if share <= 0.5 {
		return 0
	}
	return share*share*10 + min(1, float64(len(rows[0]))/50)
}

// dangling is how many rows are the header where a delimiter stands behind the last name of each of them, and no row
// below has a field for it; 0 where that is not so.
func dangling(rows [][]string) int {
	n := len(rows[0])
	for header := 1; header <= 2 && header < len(rows) && n > 1; header++ {
		if last := rows[header-1]; len(last) != n || strings.TrimSpace(last[n-1]) != "" {
			return 0
		}
		if !slices.ContainsFunc(rows[header:], func(row []string) bool { return len(row) != n-1 }) {
			return header
		}
	}
	return 0
}

// rowNames tells whether each row has one field more than the header: R writes the names of rows so, in front and under
// no name. Those are numbers that go up, in quotes as the names of columns are (quoted tells that); where they are not,
// the last column may be the one without a name.
func rowNames(rows [][]string, quoted bool) bool {
	const least = 3
	if len(rows) <= least || !quoted {
		return false
	}
	before, last := 0, false
	for _, row := range rows[1:] {
		number, err := strconv.Atoi(row[0])
		if err != nil || number <= before || len(row) != len(rows[0])+1 {
			return false
		}
		before = number
		last = last || row[len(row)-1] != ""
	}
	return last // else a delimiter stands behind each row
}

// byteAt is the byte at a place of a file, 0 if there is none.
func byteAt(data csv.File, at int64) byte {
	var b [1]byte
	if n, _ := data.ReadAt(b[:], at); n < 1 {
		return 0
	}
	return b[0]
}

// inQuotes tells whether the first line of a text begins with a quote, and the second.
func inQuotes(head []byte) bool {
	end := bytes.IndexByte(head, '\n')
	return end >= 0 && head[0] == '"' && end+1 < len(head) && head[end+1] == '"'
}

// rowNamesName is what the names of rows are called.
const rowNamesName = "row_names"

// records reads up to so many rows from the beginning of a file, of which the last is left out if it may be cut.
func records(head []byte, delimiter rune, whole bool, most int) [][]string {
	r := newReader(bytes.NewReader(head), delimiter)
	var rows [][]string
	for len(rows) < most {
		row, err := r.Read()
		if err != nil {
			if !whole && len(rows) > 1 {
				rows = rows[:len(rows)-1]
			}
			break
		}
		rows = append(rows, row)
	}
	return rows
}

func newReader(r io.Reader, delimiter rune) *standard.Reader {
	c := standard.NewReader(r)
	c.Comma, c.FieldsPerRecord, c.LazyQuotes = delimiter, -1, true
	return c
}

// header reads the names of the columns, and their labels where a second row has them, and gives the data with a header
// of names that are there and differ. Rows keep their numbers; used is how many rows of the file are its header and a
// title above it, 0 if none is.
func (f *File) header(data csv.File, delimiter rune, said Header, note func(string, ...any)) (_ csv.File,
	labels []string, used int, err error) {
	start := int64(0)
	mark := make([]byte, 3)
	if n, _ := data.ReadAt(mark, 0); n == 3 && string(mark) == "\ufeff" {
		start = 3
	}
	most := min(16<<20, f.longest())
	r := newReader(io.NewSectionReader(data, start, min(data.Size()-start, most)), delimiter)
	var rows [mostTitles + mostHeadings + 1][]string
	var ends [len(rows)]int64
	for i := range rows {
		if rows[i], err = r.Read(); err != nil {
			break
		}
		if len(rows[i]) > mostColumns {
			return nil, nil, 0, f.tooWide()
		}
		if ends[i] = start + r.InputOffset(); i == 0 && r.InputOffset() == most && data.Size()-start > most {
			return nil, nil, 0, &Error{Path: f.Path, Reason: fmt.Sprintf("its first row is longer than %d MiB", most>>20)}
		}
	}
	if rows[0] == nil {
		return nil, nil, 0,
			&Error{Path: f.Path, Reason: "a first row with the names of the columns is expected, and then a row a respondent"}
	}
	quoted := byteAt(data, start) == '"' && byteAt(data, ends[0]) == '"'
	all := below(rows[:], r)
	titles := titleRows(all)
	if titles > 0 {
		f.Title = strings.TrimSpace(strings.Join(all[0], " "))
		note("above the names of the columns stands a title: %q", survey.Clip([]byte(f.Title)))
	}
	all = all[titles:]
	names, labels, used, whole := f.named(all, quoted && titles == 0, said, note)
	if used += titles; used == 1 && whole {
		return data, labels, used, nil
	}
	var b bytes.Buffer
	w := standard.NewWriter(&b)
	w.Comma = delimiter
	if err := w.Write(names); err != nil {
		return nil, nil, 0, err
	}
	w.Flush()
	if used == 0 {
		return &spliced{head: b.Bytes(), tail: data, at: start}, labels, used, nil
	}
	consumed := make([]byte, ends[used-1])
	if _, err := data.ReadAt(consumed, 0); err != nil && !errors.Is(err, io.EOF) {
		return nil, nil, 0, err
	}
	for range bytes.Count(consumed, []byte{'\n'}) - 1 {
		b.WriteByte('\n')
	}
	return &spliced{head: b.Bytes(), tail: data, at: ends[used-1]}, labels, used, nil
}

// named reads the rows that begin a file, behind a title: what the columns are called, and how many rows that is, none
// if the first is a respondent's. quoted tells that the first two begin with quotes, and whole that nothing of it is to
// be written anew if it is one row.
func (f *File) named(rows [][]string, quoted bool, said Header, note func(string, ...any)) (names, labels []string,
	used int, whole bool) {
	cut := 0
	named := said != NoHeader && rowNames(rows, quoted)
	if named {
		rows = slices.Clone(rows)
		rows[0] = append([]string{rowNamesName}, rows[0]...)
		note("each row has one field more than the header, as R writes the names of rows: they are called %s", rowNamesName)
	}
	if said == NoHeader || said == HeaderFound && isAnswers(rows) {
		f.Unnamed = said == HeaderFound
		names = make([]string, len(rows[0]))
		note("the first row is a respondent's, and no row has the names of the columns")
	} else {
		cut = dangling(rows)
		for i := range cut {
			rows[i] = rows[i][:len(rows[i])-1]
		}
		names, labels, used = readHeader(rows, note)
		if used > 1 && isImported(rows[0], rows[used-1]) {
			f.questions = importedQuestions(rows[used-1])
		}
	}
	names = slices.Clone(names)
	spaced := false // a space in a name is no usual one
	for i := range names {
		spaced = spaced || strings.ContainsFunc(names[i], func(r rune) bool { return r != ' ' && unicode.IsSpace(r) })
		names[i] = inOneLine(names[i]) // lines and spaces tell no two names apart
	}
	repaired := unlike(names)
	if len(repaired) > 0 {
		note("columns without a name, or with that of another, are called %s",
			strings.Join(repaired[:min(len(repaired), 8)], ", "))
	}
	return names, labels, used, len(repaired)+cut == 0 && !named && !spaced
}

// below is rows at the beginning of a file, and as many behind them as it takes to tell what is no header.
func below(first [][]string, r *standard.Reader) [][]string {
	rows := slices.Clone(first)
	for len(rows) < 50 {
		row, err := r.Read()
		if err != nil {
			break
		}
		rows = append(rows, row)
	}
	return slices.DeleteFunc(rows, func(row []string) bool { return row == nil })
}

func trimmed(list []string) []string {
	list = slices.Clone(list)
	for i := range list {
		list[i] = strings.TrimSpace(list[i])
	}
	return list
}

// unlike gives names to columns that have none and numbers to those with the same one, and lists the new names.
func unlike(names []string) (repaired []string) {
	count, taken := map[string]int{}, map[string]bool{}
	for _, name := range names {
		count[name]++
		taken[name] = true
	}
	for i, name := range names {
		if name != "" && count[name] == 1 {
			continue
		}
		base, n := name+"_", 1
		if name == "" {
			base, n = "column_", i+1
		}
		for taken[base+strconv.Itoa(n)] {
			n++
		}
		names[i] = base + strconv.Itoa(n)
		taken[names[i]] = true
		repaired = append(repaired, names[i])
	}
	return repaired
}

// spliced is data whose beginning is another.
type spliced struct {
	head []byte
	tail csv.File
	at   int64 // where the tail begins
}

func (s *spliced) Size() int64 { return int64(len(s.head)) + s.tail.Size() - s.at }

func (s *spliced) ReadAt(p []byte, offset int64) (n int, err error) {
	if offset < int64(len(s.head)) {
		if n = copy(p, s.head[offset:]); n == len(p) {
			return n, nil
		}
	}
	m, err := s.tail.ReadAt(p[n:], offset+int64(n)-int64(len(s.head))+s.at)
	return n + m, err
}
