package guess

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// Exports in words write a text for who was not asked beside the words for chosen and not chosen: "no firm owner"
// beside "Selected" and "Not selected". It looks as an answer does that excludes the options, such as "none of these",
// and whoever takes the one for the other changes every share. So it takes the same respondents in several options,
// and more.

// notAskedWords say in themselves that a question was not put, beside words for chosen and not chosen. Who gives no
// answer was asked.
var notAskedWords = regexp.MustCompile(`(?i)^\W*(?:(?:question )?not (?:asked|applicable|shown|reached|administered)|` +
	`inapplicable|filter(?:ed)?\b|skip(?:ped)?\b|nicht (?:gefragt|zutreffend)|trifft nicht zu|übersprungen|` +
	`non (?:posée|concerné|applicable|pertinente)|no (?:aplica|corresponde)|não (?:se aplica|perguntado))`)

// besideChosen is a column of the words for chosen and not chosen, one of each, and other texts.
type besideChosen struct {
	chosen, not string
	others      []value
}

// besideChosen tells what stands in a column beside the words for chosen and not chosen; false if these do not, or a
// plain no stands beside them.
func (c *column) besideChosen() (b besideChosen, is bool) {
	const most = 6 // values
	if c.many || c.number || len(c.Labels) > 0 || len(c.values) > most {
		return b, false
	}
	for _, v := range c.values {
		switch {
		case unchosen(v.text) && !dashes(v.text) && b.not == "":
			b.not = v.text
		case isNo(v.text):
			return b, false
		case (isYes(v.text) || c.denies(v.text)) && b.chosen == "":
			b.chosen = v.text
		default:
			b.others = append(b.others, v)
		}
	}
	return b, b.not != "" && b.chosen != ""
}

// denies tells whether another answer is a text with "not" before it.
func (c *column) denies(text string) bool {
	return slices.ContainsFunc(c.values, func(v value) bool {
		_, rest, found := strings.Cut(strings.ToLower(v.text), " ")
		return found && unchosen(v.text) && rest == strings.ToLower(text)
	})
}

// besideNotChosen takes words for missing that stand for who was not asked beside those for chosen and not chosen: the
// same respondents have them in three columns or more, and the words say it, or an earlier question tells these
// respondents from all others, as the filter does. Options that nobody or everybody chose, and those where a few more
// or less have the words, lose them with the others.
func (g *guesser) besideNotChosen() {
	const enough, few, apart = 3, 3, 20 // columns, respondents, and one of so many
	type said struct {
		text  string
		whose uint64
	}
	columns, first := map[said]int{}, map[said]int{}
	options := map[int]besideChosen{}
	for _, i := range g.open() {
		b, is := g.columns[i].besideChosen()
		if !is {
			continue
		}
		options[i] = b
		for _, v := range b.others {
			k := said{v.text, v.whose}
			if columns[k]++; columns[k] == 1 {
				first[k] = i
			}
		}
	}
	notAsked := map[said]bool{}
	for k, n := range columns {
		notAsked[k] = n >= enough && (notAskedWords.MatchString(k.text) || g.filters(k.whose, first[k]))
	}
	words, beside := map[string]int64{}, map[string]bool{} // how many have them, and those for chosen and not chosen
	for _, i := range slices.Sorted(maps.Keys(options)) {
		for _, v := range options[i].others {
			if v.n >= few && notAsked[said{v.text, v.whose}] {
				words[v.text], beside[options[i].chosen], beside[options[i].not] = v.n, true, true
			}
		}
	}
	var taken []string
	for _, i := range g.open() {
		c := g.columns[i]
		var lost []string
		other := c.many || c.number || len(c.Labels) > 0 || len(words) == 0
		for _, v := range c.values {
			n, is := words[v.text]
			if is = is && apart*max(n-v.n, v.n-n) <= n; is {
				lost = append(lost, v.text)
			}
			_, aside := options[i]
			other = other || !is && !beside[v.text] && !aside
		}
		if !other && len(lost) < len(c.values) && c.lose(lost) {
			taken = append(taken, fmt.Sprintf("%s (%s)", c.origin.Name, quoted(lost)))
		}
	}
	if len(taken) > 0 {
		g.note("%s: read as no answer, as it stands beside the words for chosen and not chosen, for the same respondents in "+
			"other columns, who were not asked", listed(taken))
	}
}

// filters tells whether an answer to a question before a column tells some respondents from all others, or whether just
// these have none to it.
func (g *guesser) filters(whose uint64, before int) bool {
	for _, c := range g.columns[:before] {
		if c.many || c.filled == 0 {
			continue
		}
		blank := g.everybody
		for _, v := range slices.Concat(c.values, c.declared) {
			if v.whose == whose {
				return true
			}
			blank -= v.whose
		}
		if blank == whose {
			return true
		}
	}
	return false
}

// quoted lists texts.
func quoted(texts []string) string {
	all := make([]string, len(texts))
	for i, text := range texts {
		all[i] = fmt.Sprintf("%q", text)
	}
	return strings.Join(all, ", ")
}
