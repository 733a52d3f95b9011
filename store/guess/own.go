package guess

import "strconv"

// Options that hold their own words, or their own number, beside a no.

// ownOrNo is the value of a column without labels that holds it beside one that says no, and nothing else: a text
// beside "No", or a number from 1 on beside 0; "" if it holds anything else. Whether it is an option's own, the columns
// around it tell.
func (c *column) ownOrNo() string {
	const most = 99 // options
	if c.many || c.Kind == Text || c.Kind == Date || c.Kind == Quantity || c.quantity || len(c.Labels) > 0 ||
		len(c.values) != 2 {
		return ""
	}
	no, yes := c.values[0].text, c.values[1].text
	if !isNo(no) {
		no, yes = yes, no
	}
	switch {
	case !isNo(no) || isYes(yes) && yes != "1" || isNo(yes):
		return ""
	case c.number:
		if n, err := strconv.Atoi(yes); err != nil || n < 1 || n > most || no != "0" {
			return ""
		}
	case yes == "1":
		return ""
	}
	return yes
}

// ownOrNo tells whether each column holds something of its own or a no, and no two of them the same: texts, or numbers
// that go up from one column to the next. Then that is what says that an option was chosen. The ticks become such.
func (g *guesser) ownOrNo(members []member, ticks map[int]tick) bool {
	const least = 3
	own, last, numbers := map[string]bool{}, 0, 0
	for _, m := range members {
		c := g.columns[m.at]
		if k := ticks[m.at].kind; k == blank || k == onlyNo || c.besideOther() {
			continue
		}
		text := c.ownOrNo()
		if text == "" || own[text] {
			return false
		}
		own[text] = true
		if c.number {
			n, _ := strconv.Atoi(text)
			if n <= last {
				return false
			}
			last = n
			numbers++
		}
	}
	if len(own) < least || numbers != 0 && numbers != len(own) {
		return false
	}
	for _, m := range members {
		if text := g.columns[m.at].ownOrNo(); text != "" {
			ticks[m.at] = tick{ownWords, text}
		}
	}
	return true
}
