package guess

import (
	"regexp"
	"slices"
	"strings"
)

// What a column says of an option.

// tick is what a column says if it tells whether an option was chosen.
type tick struct {
	kind tickKind
	yes  string // the value that means chosen; "" if none was seen
}

type tickKind int

const (
	noTick   tickKind = iota
	blank             // nothing was seen
	onlyNo            // only what means not chosen
	one               // one value and nothing else, which may mean chosen
	oneZero           // 1 beside 0 or -1, without a label
	yesNo             // yes beside no, in words or labels
	ownWords          // a text of its own beside "Not selected" or the like
)

// chosen tells whether the column says of an option that it was chosen or not.
func (t tick) chosen() bool { return t.kind > one }

// tick tells whether a column says yes or no to an option.
func (c *column) tick() tick {
	if c.chosenAs != "" {
		return tick{ownWords, c.chosenAs}
	}
	if c.many || c.Kind == Text || c.Kind == Date || c.quantity || len(c.Labels) > mostSteps ||
		len(c.values) > 4+len(c.Labels) || c.date && !c.number || c.against {
		return tick{}
	}
	if c.filled == 0 && len(c.Labels) == 0 {
		return tick{kind: blank}
	}
	if yes := c.letterOfYes(); yes != "" {
		return tick{yesNo, yes}
	}
	if letter := c.ownLetter(); letter != "" && len(c.values) > 1 {
		return tick{one, letter}
	}
	var rest, beside []choice
	asides, no, notChosen, bareNo := 0, false, false, false
	for _, o := range c.choices() {
		switch {
		case negative(o, c), c.denied(o), c.without(o), c.twoForZero(o), c.leftBlank(o):
			no = true
			notChosen = notChosen || unchosen(o.name) || c.leftBlank(o) || o.value == "0" && !c.number && len(c.Labels) == 0
			bareNo = bareNo || !o.labelled && c.number
		case aside(o.name) > 0 && o.labelled, o.labelled && o.value != "1" && c.unseen(o.value) && len(c.Labels) > 2,
			o.labelled && c.number && strings.HasPrefix(o.value, "-"):
			if !c.unseen(o.value) {
				asides++
				beside = append(beside, o)
			}
		default:
			rest = append(rest, o)
		}
	}
	if len(rest) == 0 && (bareNo || notChosen || no && len(c.Labels) == 2) && asides == 1 {
		rest, asides = beside, 0 // "none of these" is an option, too
	}
	if len(rest) == 0 && !no && asides == 1 && !c.number && strings.HasSuffix(c.code, beside[0].value) {
		rest, asides = beside, 0 // so is the "other" whose letter the column is called by
	}
	if len(rest) == 0 && no && asides == 0 {
		return tick{kind: onlyNo}
	}
	if own := c.ownOption(); own != "" && !no && asides == 0 {
		return tick{one, own}
	}
	if len(rest) != 1 || asides > 0 && !notChosen {
		return tick{}
	}
	y := rest[0]
	switch word := isYes(y.name) || isYes(y.value); {
	case !no:
		return tick{one, y.value}
	case notChosen && !word:
		return tick{ownWords, y.value}
	case bareNo && !y.labelled && c.number:
		switch {
		case y.value == "1":
			return tick{oneZero, y.value}
		case y.value == c.lastNumber():
			return tick{ownWords, y.value}
		}
		return tick{}
	case word:
		return tick{yesNo, y.value}
	case y.labelled || bareNo:
		return tick{ownWords, y.value}
	}
	return tick{}
}

// leftBlank tells whether an answer is that nothing was answered, and the other one of two labels, beside which nothing
// stands in the column, an option: one that the question names, or that its number in the name of the column does.
func (c *column) leftBlank(o choice) bool {
	if !o.labelled || len(c.Labels) != 2 || !notAnswered.MatchString(o.name) ||
		slices.ContainsFunc(c.values, func(v value) bool { return c.labels.names[v.text] == "" }) {
		return false
	}
	other := c.Labels[0]
	if canonical(other.Value) == o.value {
		other = c.Labels[1]
	}
	return canonical(other.Value) == c.lastNumber() ||
		strings.HasSuffix(strings.ToLower(c.Label), strings.ToLower(other.Text))
}

// notAnswered says of an option that was seen that it was not ticked.
var notAnswered = regexp.MustCompile(`(?i)^(?:not answered|unanswered|nicht beantwortet|no contestad[ao]|non répondu|` +
	`não respondid[ao]|niet beantwoord|ikke besvar(?:et|t))$`)

// ownOption is the answer of a column of words that is the option in its name, as in Drinks[Tea], where next to nobody
// has another one: such cells were moved there from their neighbours, or written by hand. It is "" if there is none.
func (c *column) ownOption() string {
	const few, seldom = 3, 50
	m := bracket.FindStringSubmatch(c.Name)
	if m == nil || c.number || len(c.Labels) > 0 || len(c.values) < 2 {
		return ""
	}
	own, others := value{}, int64(0)
	for _, v := range c.values {
		if strings.EqualFold(strings.TrimSpace(v.text), strings.TrimSpace(m[2])) {
			own = v
		} else {
			others += v.n
		}
	}
	if own.n == 0 || others > max(few, own.n/seldom) || own.n < 5*others {
		return ""
	}
	return own.text
}

// denied tells whether an answer is another one with "not" before it.
func (c *column) denied(o choice) bool {
	return slices.ContainsFunc(c.choices(), func(p choice) bool { return denies(o.name, p.name) })
}

// denies tells whether a text is another one with "not" before it.
func denies(no, yes string) bool {
	nots := []string{"not ", "no to: ", "no to ", "no: ", "no - ", "no ", "non ", "nicht ", "kein ", "keine ", "não ",
		"sin ", "sem ", "sans ", "pas de ", "ikke ", "ingen ", "inte ", "geen ", "niet ", "nie ", "не ", "нет ", "未",
		"没有"}
	low := strings.ToLower(no)
	for _, not := range nots {
		if rest, found := strings.CutPrefix(low, not); found && rest == strings.ToLower(yes) {
			return true
		}
	}
	return false
}

// lettersOfYes are those that stand for yes beside one for no, as people put them.
var lettersOfYes = set("s/n j/n o/n d/n t/n a/n ○/× o/x")

// letterOfYes is that of the two values of a column, where it holds no others, which is a letter or a sign for yes
// beside the other one; "" if there is none.
func (c *column) letterOfYes() string {
	if c.number || len(c.Labels) > 0 || len(c.values) != 2 {
		return ""
	}
	for k, yes := range c.values {
		if lettersOfYes[strings.ToLower(yes.text+"/"+c.values[1-k].text)] {
			return yes.text
		}
	}
	return ""
}

// unseen tells whether a value stands nowhere in the column.
func (c *column) unseen(text string) bool {
	return !slices.ContainsFunc(c.values, func(v value) bool { return v.text == text })
}

// negative tells whether an answer says no.
func negative(o choice, c *column) bool {
	if o.labelled || !c.number {
		return isNo(o.name)
	}
	return o.value == "0" || o.value == "-1" || (o.value == "-99" || o.value == "-999") && len(c.values) == 2 ||
		noAnswer(o.value)
}

// noAnswer tells whether a number is one of four nines or more below zero, which tools write for who was not asked and
// nobody takes for an answer.
func noAnswer(text string) bool {
	nines, found := strings.CutPrefix(text, "-")
	return found && len(nines) >= 4 && strings.Trim(nines, "9") == ""
}
