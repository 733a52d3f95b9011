package guess

import (
	"regexp"
	"slices"
	"strings"
)

// What respondents wrote beside an answer, in a column of its own.

// writing tells whether a column is called as the field in which respondents write what is not among the options.
func (c *column) writing() bool {
	option := c.option
	if m := bracket.FindStringSubmatch(c.Name); m != nil && option == "" {
		option = m[2]
	} else if o := lastOption.FindStringSubmatch(c.wording); o != nil && option == "" {
		option = o[2]
	}
	list := words(option)
	return len(list) > 0 && besides[list[0]] && len(list) <= 4 || strings.HasSuffix(c.Name, "_TEXT") ||
		otherText.MatchString(c.Name)
}

// otherText is the end of the name of what was written beside "other", as in Drinks_OtherText.
var otherText = regexp.MustCompile(`(?i)[._]other[._]?te?xt$`)

// besideOther tells whether a column called so holds nothing, or words that are not those of the option.
func (c *column) besideOther() bool {
	if len(c.Labels) > 0 || c.number || !c.writing() {
		return false
	}
	return len(c.values) != 1 || !strings.Contains(strings.ToLower(c.Name+c.wording), strings.ToLower(c.values[0].text))
}

// specified tells whether a column of words holds what respondents wrote beside "other".
func (c *column) specified() bool {
	n := int64(len(c.values))
	named := has(words(c.code), besides) || has(words(c.wording), besides)
	if len(c.Labels) == 0 && 10*c.filled <= c.rows() && c.besideSome() && n > 1 {
		return true // whatever they wrote again and again
	}
	return len(c.Labels) == 0 && 2*n >= c.filled && 10*c.filled <= c.rows() &&
		(named || n == c.filled && 50*c.filled <= c.rows())
}

// writtenBeside tells whether a column of words is called as another with a word behind it that says that it is what
// respondents wrote beside an answer to that, as q5_text beside q5 is, and the answers are on no scale.
func (g *guesser) writtenBeside(i int) bool {
	c := g.columns[i]
	m := behindQuestion.FindStringSubmatch(c.Name)
	if m == nil || len(c.Labels) > 0 || len(c.values) < 2 || c.tick().chosen() || c.ordered() != nil {
		return false
	}
	return slices.ContainsFunc(g.columns, func(o *column) bool { return o != c && strings.EqualFold(o.Name, m[1]) })
}

var behindQuestion = regexp.MustCompile(`(?i)^(.*[\pL\d])[_. ]*(?:_literals?|_verbatim|_te?xt|_open|_oth(?:er)?|` +
	`_otr[ao]|_spec(?:ify)?|_desc)$`)

// besideSome tells whether a column's name or question says that it holds what was written beside an answer: that it is
// a text, or what "other" is to be specified.
func (c *column) besideSome() bool {
	const most = 6 // words of a question that asks for no more
	asked := words(c.wording)
	return has(words(c.code), specifying) || len(asked) <= most && has(asked, specifying)
}

var specifying = set(`specify specified text txt literal literals verbatim especifique especifica especificar précisez
	preciser angeben`)

var besides = set(`other others specify specified text txt otro otra otros otras outro outra autre autres sonstiges
	andere anderes especifique especifica especificar précisez preciser angeben o`)
