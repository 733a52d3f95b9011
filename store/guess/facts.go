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

// countWords say in names that something is counted.
var countWords = set("many number count size times rooms births years people persons members " +
	"hhsize n no num cantidad anzahl")

// twoOrThree tells whether a column that many answered holds the codes of two or three answers and nothing else.
func (c *column) twoOrThree() bool {
	const many, most = 30, 3
	return !c.many && !c.called() && !has(words(c.code), countWords) && c.integer && c.filled >= many &&
		c.least.Float64() == 1 && len(c.values) >= 2 && c.most.Float64() <= most && c.most.Float64() == float64(len(c.values))
}
