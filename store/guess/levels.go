package guess

import "regexp"

// numberedInParts is a code with the number of a section, that of a question in it and perhaps that of a row, with
// points between them, as Q9.4 and Q9.5.1 are.
var numberedInParts = regexp.MustCompile(`^(\pL{0,3}\d{1,2}\.)(\d{1,2})(\.\d{1,2})?(?:\D|$)`)

// ofSection tells whether a stem is the number of a section, as Q9. is of Q9.1, Q9.2, Q9.5.1 and Q9.5.2: what follows
// is the number of a question then.
func (g *guesser) ofSection(s stem) bool {
	if s.behind != '_' || !numberedInParts.MatchString(s.text+"1") {
		return false
	}
	if g.sectioned == nil {
		g.sectioned = sectionsOf(g.columns)
	}
	return g.sectioned[s.text]
}

// sectionsOf tells which numbers are those of sections: two questions or more of theirs have rows with numbers of their
// own, and two or more have none. Where that is so of one, it is so of all whose columns have several kinds of answers.
func sectionsOf(all []*column) map[string]bool {
	const least, kinds = 2, 3
	columns := map[string][]*column{}
	inRows, whole := map[string]map[string]bool{}, map[string]map[string]bool{} // questions, by the section
	for _, c := range all {
		m := numberedInParts.FindStringSubmatch(c.code)
		if m == nil {
			continue
		}
		section, question := m[1], m[2]
		if columns[section] == nil {
			inRows[section], whole[section] = map[string]bool{}, map[string]bool{}
		}
		columns[section] = append(columns[section], c)
		if m[3] != "" {
			inRows[section][question] = true
		} else {
			whole[section][question] = true
		}
	}
	sections, known := map[string]bool{}, false
	for section := range columns {
		sections[section] = len(inRows[section]) >= least && len(whole[section]) >= least
		known = known || sections[section]
	}
	for section, list := range columns {
		sections[section] = sections[section] || known && severalKinds(list, kinds)
	}
	return sections
}
