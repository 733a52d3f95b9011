package guess

import (
	"slices"
	"strconv"
	"strings"
)

// Options of several questions that have a stem in common.

// questionsOfOptions are the options of each question where names say that there are several. Those under one number
// are of several if one of them counts past 9: two digits behind a question's number may as well be one number.
func (g *guesser) questionsOfOptions(f *family, options []member) [][]member {
	const past = 9
	parts := g.countedBehind(options)
	long := func(part []member) bool { return len(part) > past }
	if parts != nil && (f.bond != ByName || slices.ContainsFunc(parts, long)) {
		return parts
	}
	if f.bond == ByName {
		if parts = g.askedOfEach(f, options); parts != nil {
			return parts
		}
		if parts = g.underOneMore(f.stem, options); parts != nil {
			return parts
		}
	}
	if f.bond == AskedAlike || f.bond == ByScale {
		if parts = g.upToLast(options); parts != nil {
			return parts
		}
	}
	return [][]member{options}
}

// upToLast divides options that only stand together behind each that stands last in a list, as "other" and "none" do,
// and those next to it that are in several lists, but for a number behind them; nil where the options do not end so, or
// a list has less than three.
func (g *guesser) upToLast(options []member) (lists [][]member) {
	const least = 3
	called := func(m member) string {
		return strings.TrimRight(strings.ToLower(g.columns[m.at].code), digits+joints)
	}
	times := map[string]int{}
	for _, m := range options {
		times[called(m)]++
	}
	from, last := 0, false // where a list begins, and whether one of those that stand last in it was met
	for k, m := range options {
		is := has(words(g.columns[m.at].code), lastOptions)
		if last = last || is; last && !is && times[called(m)] < 2 {
			lists, from, last = append(lists, options[from:k]), k, false
		}
	}
	if lists = append(lists, options[from:]); !last || len(lists) < 2 ||
		slices.ContainsFunc(lists, func(list []member) bool { return len(list) < least }) {
		return nil
	}
	return lists
}

// askedOfEach divides options that stand behind several words one after the other, as P15_phone_calls, P15_phone_games,
// P15_tablet_calls and P15_tablet_games do: the same was asked of each thing. What stands behind none of the words is a
// question of its own. Long names may have been cut off anywhere.
func (g *guesser) askedOfEach(f *family, options []member) [][]member {
	const deepest = 4 // words before that of the thing
	var names [][]string
	for _, m := range options {
		names = append(names, strings.FieldsFunc(strings.ToLower(g.columns[m.at].code), func(r rune) bool {
			return strings.ContainsRune(joints, r)
		}))
	}
	for depth := 1; depth <= deepest; depth++ {
		var parts [][]member
		var rest []member
		for from := 0; from < len(options); {
			things := thingsFrom(names[from:], depth)
			if len(things) < 2 {
				alone := from + 1
				if len(things) == 1 {
					alone = from + things[0]
				}
				rest = append(rest, options[from:alone]...)
				from = alone
				continue
			}
			for _, n := range things {
				parts = append(parts, options[from:from+n])
				from += n
			}
		}
		if len(parts) == 0 {
			continue
		}
		if len(rest) > 0 {
			parts = append(parts, g.questionsOfOptions(f, rest)...)
		}
		return parts
	}
	return nil
}

// thingsFrom tells how many names from the first on have the same word at a place and the same before it, how many
// behind those have another there and the same words behind it, and so on, as far as they end as the first ones do.
func thingsFrom(names [][]string, depth int) (things []int) {
	const least = 3 // names of a thing
	if len(names[0]) <= depth+1 {
		return nil
	}
	within := func(name []string) bool {
		return len(name) > depth+1 && slices.Equal(name[:depth], names[0][:depth])
	}
	var ends []string // of the first thing's names, sorted
	for from := 0; from < len(names) && within(names[from]); {
		n := 0
		for from+n < len(names) && within(names[from+n]) && names[from+n][depth] == names[from][depth] {
			n++
		}
		own := endings(names[from:from+n], depth)
		if n < least || from > 0 && !endAsThose(ends, own) {
			break
		}
		if from == 0 {
			ends = own
		}
		things = append(things, n)
		from += n
	}
	return things
}

// endings are what stands in names behind the word of a thing, sorted.
func endings(names [][]string, depth int) (ends []string) {
	for _, name := range names {
		ends = append(ends, strings.Join(name[depth+1:], "_"))
	}
	slices.Sort(ends)
	return ends
}

// endAsThose tells whether nearly all endings are others, or the beginnings of others, or begin as one of them.
func endAsThose(others, ends []string) bool {
	same := 0
	for _, end := range ends {
		at, _ := slices.BinarySearch(others, end)
		same += btoi(at < len(others) && strings.HasPrefix(others[at], end) || at > 0 && strings.HasPrefix(end, others[at-1]))
	}
	return 5*same >= 4*len(ends)
}

// countedBehind divides options all of whose names end with the number of a question and that of an option, which
// counts anew from 1 behind each question's: cu041 to cu0415 and cu051 to cu0512. Else there are no parts.
func (g *guesser) countedBehind(options []member) [][]member {
	const widest = 4 // digits of a question's number
	for width := 1; width <= widest; width++ {
		if parts := g.countedPast(options, width); len(parts) > 1 {
			return parts
		}
	}
	return nil
}

// countedPast is countedBehind where the questions' numbers have so many digits.
func (g *guesser) countedPast(members []member, width int) (parts [][]member) {
	const least = 3 // columns of a part
	question := ""
	for _, m := range members {
		code := g.columns[m.at].code
		cut := len(strings.TrimRight(code, digits)) + width
		if cut >= len(code) {
			return nil
		}
		last := len(parts) - 1
		if code[cut:] == "1" {
			question = code[:cut]
			parts = append(parts, nil)
			last++
		}
		if last < 0 || code[:cut] != question || code[cut:] != strconv.Itoa(len(parts[last])+1) {
			return nil
		}
		parts[last] = append(parts[last], m)
	}
	if slices.ContainsFunc(parts, func(part []member) bool { return len(part) < least }) {
		return nil
	}
	return parts
}
