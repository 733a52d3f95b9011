package guess

import (
	"cmp"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/store/survey"
)

// choice is a value that stands for an answer.
type choice struct {
	value, name string
	labelled    bool
}

// choices lists the values of a column that are answers: those with a label in the file's order, then the others that
// were seen, in theirs.
func (c *column) choices() []choice {
	if c.list != nil {
		return c.list
	}
	list := c.listChoices()
	if len(list) <= mostListed {
		c.list = slices.Clone(list)
	}
	return list
}

func (c *column) listChoices() []choice {
	list := []choice{}
	seen := map[string]bool{}
	for _, l := range c.Labels {
		v := canonical(l.Value)
		if seen[v] || v == "" || c.Missing != nil && c.Missing(strings.TrimSpace(l.Value)) {
			continue
		}
		seen[v] = true
		list = append(list, choice{v, cmp.Or(strings.TrimSpace(l.Text), v), true})
	}
	var rest []string
	for _, v := range c.values {
		if !seen[v.text] {
			rest = append(rest, v.text)
		}
	}
	labelled := len(list)
	list = append(list, unlabelled(rest)...)
	if 0 < labelled && labelled < len(list) {
		byNumber(list)
	}
	return list
}

// byNumber sorts answers of which all are numbers and only some have labels, such as the ends of a scale or "don't
// know": by their numbers. What stands beside a scale comes behind it if its number is beyond those without a label.
func byNumber(list []choice) {
	numbers, most := make(map[string]float64, len(list)), math.Inf(-1)
	for _, o := range list {
		number, err := strconv.ParseFloat(o.value, 64)
		if err != nil {
			return
		}
		if numbers[o.value] = number; !o.labelled {
			most = max(most, number)
		}
	}
	beside := func(o choice) int {
		return btoi(o.labelled && aside(o.name) > 0 && (numbers[o.value] < 0 || numbers[o.value] > most))
	}
	slices.SortStableFunc(list, func(a, b choice) int {
		return cmp.Or(beside(a)-beside(b), cmp.Compare(numbers[a.value], numbers[b.value]))
	})
}

// unlabelled are answers that values name themselves, in their order.
func unlabelled(texts []string) []choice {
	inOrder(texts)
	list := make([]choice, 0, len(texts))
	for _, text := range texts {
		list = append(list, choice{text, text, false})
	}
	return list
}

// bare is the number of values seen that have no label.
func bare(list []choice) (n int) {
	for _, c := range list {
		if !c.labelled {
			n++
		}
	}
	return n
}

// separated tells whether the values look like several answers in one field.
func (c *column) separated() bool {
	_, ok := c.separator()
	return ok
}

// separator tells what divides the answers of a column that holds several in one field.
func (c *column) separator() (string, bool) {
	if c.oneAnswer || c.number || c.date || c.filled == 0 || len(c.Labels) > 0 && c.Kind != Text || c.oneGiven() {
		return "", false
	}
	for i, s := range separators {
		p := c.pieces.by(i)
		if p == nil || p.off || len(p.list) == 0 || s == "," && c.amounts() {
			continue
		}
		if s == survey.ListSeparator && p.lists(c.values) {
			return s, true
		}
		if p.divided == 0 || s == survey.ListSeparator {
			continue
		}
		if s == "┋" && p.divided > 1 { // Wenjuanxing writes it between answers, and nobody else does
			return s, true
		}
		if seldom[s] {
			if p.mixed(c.values, s) {
				return s, true
			}
			continue
		}
		varies := p.at > p.least || p.at > 1 && len(p.list) > p.at // nobody gives another number where two are asked for
		if s != " " && varies && severalAsked.MatchString(c.Name+" "+c.Label) && p.recur(c.values, s) {
			return s, true
		}
		if !c.many && (s == "," && joinedBare(c.values) || s != " " && s != "\n" && sortedLists(c.values, s)) {
			return s, true
		}
		if 20*p.long > p.whole {
			continue
		}
		if s == "," && (p.combined(c.values, s) || !c.many && p.apart(c.values, s)) {
			return s, true
		}
		if p.long > 0 && !p.offered() {
			continue
		}
		if s == " " {
			return s, p.codes()
		}
		if s == "\n" { // lines are answers if they are the same again and again, and else a text of several lines
			if p.divided >= 2 && 2*p.all >= 3*int64(len(p.list)) && p.recur(c.values, s) {
				return s, true
			}
			continue
		}
		least := p.leastOften()
		if p.offered() && p.inOneOrder(c.values, s, func(piece int) bool { return p.times[piece] >= least }) {
			return s, true
		}
		if len(p.list) > fewPieces {
			continue
		}
		again := float64(p.all) / float64(len(p.list)) // times that a piece occurs
		enough := p.divided >= 2 || p.whole <= 3
		if s == "," {
			// A comma is often part of an answer: it divides if there are fewer pieces than values, and not always as
			// many of them.
			if enough && p.at > p.least && int64(len(p.list)) < p.whole && again >= 1.5 {
				return s, true
			}
			continue
		}
		if enough && (again >= 1.2 || int64(len(p.list)) <= p.whole) {
			return s, true
		}
	}
	return "", false
}

// anAmount is a number with a comma before each three of its last digits, and perhaps a currency, a word or more of it.
var anAmount = regexp.MustCompile(`^[^\d,]*(\d{1,3})(?:,\d{3})*,\d(\d\d)(?:\D[^,]*)?$`)

// amounts tells whether most of the answers with a comma are numbers of thousands. Those with less before the first
// comma than between two, or with hundreds behind the last, are no codes of three digits with commas between them.
func (c *column) amounts() bool {
	commas, amounts, round := int64(0), int64(0), int64(0)
	for _, v := range c.values {
		if !strings.Contains(v.text, ",") {
			continue
		}
		commas += v.n
		if m := anAmount.FindStringSubmatch(v.text); m != nil {
			amounts += v.n
			if len(m[1]) < 3 || m[2] == "00" {
				round += v.n
			}
		}
	}
	return commas > 0 && 5*amounts >= 4*commas && 5*round >= 4*amounts
}

// draft is a question of the codebook to be.
type draft struct {
	at       int // of its first column
	question audience.Question
	columns  survey.QuestionColumns
}

// codeOf is a column's name as a code: as it is if it is short and in one piece, else its slug.
func codeOf(name string) string {
	if name != "" && len(name) <= 40 && !strings.ContainsFunc(name, func(r rune) bool {
		return r <= ' ' || strings.ContainsRune(`.,;:"'()[]{}<>|/\*?&=+$`, r)
	}) {
		return name
	}
	return slug(name)
}

// code takes a code for a question. What is reserved gets a number.
func (g *guesser) code(wish string) string {
	wish = codeOf(wish)
	if wish == "waves" || wish == "locations" {
		g.codes[wish] = true
	}
	return g.codes.take(wish, "question")
}

// datapoints are answers by value.
func datapoints(code string, list []choice) ([]audience.Datapoint, []survey.AnswerColumn) {
	points, columns := make([]audience.Datapoint, 0, len(list)), make([]survey.AnswerColumn, 0, len(list))
	codes := names{}
	for i, c := range list {
		part := slug(c.value)
		if strings.HasPrefix(c.value, "-") {
			part = "minus_" + part
		}
		if part == "" {
			part = strconv.Itoa(i + 1)
		}
		points = append(points, audience.Datapoint{Code: codes.take(code+"_"+part, ""), Name: c.name})
		columns = append(columns, survey.AnswerColumn{Value: c.value})
	}
	return points, columns
}

// suffixes are answers of a grid by value. Their codes are the values if those can be codes.
func suffixes(list []choice) ([]audience.Suffix, []string) {
	var out []audience.Suffix
	var values []string
	plain := !slices.ContainsFunc(list, func(c choice) bool {
		_, err := strconv.ParseUint(c.value, 10, 31)
		return err != nil
	})
	for i, c := range list {
		code := i + 1
		if plain {
			code, _ = strconv.Atoi(c.value)
		}
		out = append(out, audience.Suffix{Code: code, Name: c.name})
		values = append(values, c.value)
	}
	return out, values
}

// absent lists the values of columns that the file declares as missing and that were seen or have a label.
func absent(columns ...*column) []string {
	var list []string
	seen := map[string]bool{"": true}
	add := func(v string) {
		if !seen[v] {
			seen[v] = true
			list = append(list, v)
		}
	}
	for _, c := range columns {
		for _, v := range c.declared {
			add(v.text)
		}
		for _, l := range c.Labels {
			if c.Missing != nil && c.Missing(strings.TrimSpace(l.Value)) {
				add(canonical(l.Value))
			}
		}
	}
	inNaturalOrder(list)
	return list
}

// given is what stands in columns that are to be rows of one grid, which has one list of missing values: true is an
// answer that respondents gave, false a value that the file declares as missing.
type given map[string]bool

// agrees tells whether no answer given in c is missing in the columns so far, nor the other way about.
func (s given) agrees(c *column) bool {
	for _, v := range c.values {
		if given, there := s[v.text]; there && !given {
			return false
		}
	}
	return !slices.ContainsFunc(absent(c), func(v string) bool { return s[v] })
}

func (s given) add(c *column) {
	for _, v := range absent(c) {
		s[v] = false
	}
	for _, v := range c.values {
		s[v.text] = true
	}
}
