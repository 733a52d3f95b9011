package guess

import "strings"

// drawnFirst are the names of what was drawn before respondents were, and drawnFrom those of what they may have been
// drawn from, but which may be strata of a society, or clusters that were found in answers, too.
var (
	drawnFirst = set(`psu psuid psucode psunumber psunum upm upmid usm ssu fpsu sdmvpsu varpsu vpsu rpsu
		primarysamplingunit unidadprimariademuestreo`)
	drawnFrom = set(`strata stratum stratumid stratumcode stratumnumber sdmvstra varstrat varstratum vstrat rstratum
		samplestratum samplingstratum samplingstrata cluster clusterid clusternumber clusterno conglomerado conglomerados
		pseudoconglomerado pseudoconglomerados`)
)

// ofDesign tells whether a column holds the numbers, without labels, of the units or the strata that respondents were
// drawn from: by its name or its label, and with more than a few of them where the name may mean other things.
func (c *column) ofDesign() bool {
	const few = 12
	if !c.number || !c.integer || len(c.Labels) > 0 || c.filled < c.rows() {
		return false
	}
	name, label := strings.Join(words(c.Name), ""), strings.Join(words(c.Label), "")
	first, from := drawnFirst[name] || drawnFirst[label], drawnFrom[name] || drawnFrom[label]
	return first || from && (c.many || len(c.values) > few)
}
