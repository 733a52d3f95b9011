package guess

import "strings"

// factWords stand in names of facts about respondents and what they did, of which no two are rows of one question only
// because the codes of both go equally far.
var factWords = set(`sex gender age edad alter âge idade yaş wiek возраст пол sexo geschlecht genre sesso edu educ
	education educación bildung schooling school degree income ingreso ingresos renda einkommen salary wage marital
	married estadocivil civil status kids children hijos filhos kinder household hogar region región area zone site
	ward dept department job work occupation employment tenure class grade year years month months week day days night
	hours cond condition group grp block order session judge sample stage wave round rooms cars cows race ethnicity
	religion guardian mother father anne baba medu fedu faculty semester size number count score scores total sum code
	id`)

// fact tells whether a name holds a word for a fact about a respondent, or is one with what something is counted by.
func (c *column) fact() bool {
	for _, w := range words(c.code) {
		if factWords[w] || factWords[strings.TrimRight(w, digits)] || strings.HasPrefix(w, "age") && len(w) <= 8 ||
			strings.HasPrefix(w, "edu") {
			return true
		}
	}
	return c.called()
}
