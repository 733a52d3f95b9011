package guess

import (
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// How long pages and questions took, as survey tools write it beside the answers.

// timed leaves out how long pages or questions took, where three columns or more are called by a word for time and a
// place in the questionnaire, and by nothing else, and hold many different numbers.
func (g *guesser) timed() {
	const least, different = 3, 12
	var list, perhaps []int
	groups := false
	asked := map[string]bool{}
	for _, c := range g.columns {
		code, _, _ := strings.Cut(c.code, "[")
		asked[code] = true
	}
	for _, i := range g.open() {
		c := g.columns[i]
		if timing.MatchString(c.wording) {
			g.leave(i, Reason{Kind: ReasonTool})
			continue
		}
		before, of, found := strings.Cut(c.Name, ": ")
		if found && c.filled == 0 && has(words(before), groupWords) && has(words(before), timeWords) {
			groups = true // in exports of which the times of groups are empty
		}
		if found && c.number && !c.integer && of != "" && len(words(before)) <= mostWords {
			grouped := has(words(before), groupWords)
			if groups = groups || grouped; grouped || asked[strings.TrimSpace(of)] {
				list = append(list, i) // how long the question of that name took, or its group, in any language
				continue
			} else if !strings.Contains(strings.TrimSpace(of), " ") {
				perhaps = append(perhaps, i)
			}
		}
		if !c.number || len(c.Labels) > 0 || c.Kind == Date || !c.many && len(c.values) <= different ||
			c.wording != "" && c.wording != c.code {
			continue
		}
		times, others := 0, 0
		for _, w := range words(c.code) {
			switch {
			case timeWords[w]:
				times++
			case !pageWords[w] && strings.Trim(w, digits) != "" && utf8.RuneCountInString(w) > 1:
				others++
			}
		}
		if times > 0 && others == 0 {
			list = append(list, i)
		}
	}
	if groups && len(perhaps) >= least { // the codes of the questions are not those of the columns
		list = append(list, perhaps...)
	}
	for _, i := range list {
		if len(list) >= least {
			g.leave(i, Reason{Kind: ReasonTool})
		}
	}
}

// groupWords are words for a group of questions.
var groupWords = set("group groupe gruppe grupo gruppo grupa groep группы csoport grup ryhmä gruppen")

// timeWords are words for how long something took, and pageWords those for where it stands.
var (
	timeWords = set("time timer timers timing timings duration durations dauer zeit tiempo tempo durée duree seconds " +
		"secs sec rt rts millis ms")
	pageWords = set("page pages seite screen intro block section group question frage pregunta item first last click " +
		"submit total sum start end taken spent count module modules part in out")
)

// timing is the name of a column with how long a page or a question took, as LimeSurvey and Qualtrics write it.
var timing = regexp.MustCompile(`^(?:group|question)Time_?\d+$|^(?:(?:group|question)Time\d+\. |\w+Time\. )?` +
	`(?:Group|Question|Gruppen|Fragen|Groep|Vraag) ?(?:time|tijd|zeit):|` +
	`(?:^(?i:timing) ?- ?|_)(?i:First[ ._]?Click|Last[ ._]?Click|Page[ ._]?Submit|Click[ ._]?Count)$`)

// questionTime is how LimeSurvey calls the column with how long a question took, by the question's code, and groupTime
// the one with how long a group of them did.
var (
	questionTime = regexp.MustCompile(`^\pL[\pL\d_]*Time$`)
	groupTime    = regexp.MustCompile(`^groupTime\d+$`)
)

// questionTimes leaves out how long questions took, where a column with the time of their group stands before them, and
// one is called as the question, or begins so.
func (g *guesser) questionTimes() {
	first := slices.IndexFunc(g.columns, func(c *column) bool { return groupTime.MatchString(c.Name) })
	if first < 0 {
		return
	}
	begun := g.beginnings()
	for i, c := range g.columns[first:] {
		if !c.taken && c.number && len(c.Labels) == 0 && questionTime.MatchString(c.Name) &&
			begun[strings.TrimSuffix(c.Name, "Time")] {
			g.leave(first+i, Reason{Kind: ReasonTool})
		}
	}
}

// beginnings are the names of all columns, and what stands in them before a part of a question.
func (g *guesser) beginnings() map[string]bool {
	const longest = 40 // bytes of a question's code
	begun := map[string]bool{}
	for _, c := range g.columns {
		begun[c.Name] = true
		for i, r := range c.Name[:min(len(c.Name), longest)] {
			if strings.ContainsRune(joints+"[(", r) {
				begun[c.Name[:i]] = true
			}
		}
	}
	return begun
}
