package guess

import (
	"slices"
	"strings"
)

// Words that say where respondents live, in names and questions, the largest places first; those that ask for the place
// where somebody lives; and those beside which something else is meant.
var (
	placeWords = strings.Fields(`
		country countries pais país pays land paese nation qcountry kraj
		state states estado estados uf bundesland bundesländer province provincia província provincie provinces
		region regions regiao região regioes región regiones regione regioni reg hcal_region macrozona stdregion landesteil
		departamento departement département dep kanton canton prefecture territory territories
		county district distrito distritos districts ubigeo comuna comunas municipio município municipality commune
		macroregion subzona zona zone city ciudad cidade ville stadt città location locality localidad localidade residencia
		residência 지역 거주지역 地区 省 都道府県`)
	livingWords = set(`live lives living lived reside resides residing residence located based vive vives viven vivís
		reside residen residência residencia mora wohnen wohnst wohnsitz leben lebst habitez habites habite vivez vivi risiede
		abita participez woont mieszka bor bosatt`)
	askingWords = set(`what which where select choose please qué que cual cuál dónde donde en qual quale onde em welche welchem
		welchen welcher wo quel quelle où in dove waar gdzie var`)
	noPlaces = set(`size tamaño tamanho größe groesse type tipo urban rural urbano mktsize townsize agglo population birth born
		grew origin nacimiento nació nacio nascimento geburt naissance né ethnic health mind code_size brand visited visit
		travel trip holiday destination dma market work works civil
		marital describe kind sort how long cuánto cuántos combien lange quanto quantos`)
	compass = set(`north south east west northeast northwest southeast southwest northern southern eastern western midwest
		norte sur sul este oeste leste nordeste noreste noroeste sudeste sureste sudoeste suroeste centro nord sud est ouest
		süd ost nordost nordwest südost südwest noord zuid oost mitte central metropolitana metropolitan`)
)

// states and countries are places that are known by name, in small letters.
var places = lines(`alabama|alaska|arizona|arkansas|california|colorado|connecticut|delaware|florida|georgia|hawaii|idaho|
illinois|indiana|iowa|kansas|kentucky|louisiana|maine|maryland|massachusetts|michigan|minnesota|mississippi|missouri|montana|
nebraska|nevada|new hampshire|new jersey|new mexico|new york|north carolina|north dakota|ohio|oklahoma|oregon|pennsylvania|
rhode island|south carolina|south dakota|tennessee|texas|utah|vermont|virginia|washington|west virginia|wisconsin|wyoming|
new england|middle atlantic|pacific|mountain|district of columbia|alberta|british columbia|manitoba|new brunswick|ontario|
quebec|nova scotia|saskatchewan|newfoundland|baden-württemberg|bayern|berlin|brandenburg|bremen|hamburg|hessen|sachsen|
niedersachsen|nordrhein-westfalen|rheinland-pfalz|saarland|schleswig-holstein|thüringen|england|scotland|wales|
northern ireland|argentina|australia|austria|belgium|bolivia|brazil|brasil|canada|chile|china|colombia|costa rica|croatia|
czech republic|denmark|ecuador|egypt|estonia|finland|france|germany|deutschland|greece|hungary|iceland|india|indonesia|
ireland|israel|italy|japan|kenya|korea|latvia|lithuania|luxembourg|malaysia|mexico|méxico|morocco|netherlands|new zealand|
nigeria|norway|pakistan|paraguay|peru|perú|philippines|poland|portugal|romania|russia|saudi arabia|serbia|singapore|slovakia|
slovenia|south africa|south korea|spain|españa|sweden|switzerland|taiwan|thailand|turkey|ukraine|united kingdom|uk|
united states|united states of america|usa|uruguay|venezuela|vietnam|österreich|schweiz`)

func lines(text string) map[string]bool {
	m := map[string]bool{}
	for part := range strings.SplitSeq(strings.ReplaceAll(text, "\n", ""), "|") {
		m[part] = true
	}
	return m
}

// placeNames tells whether most answers of a column are names of places, or parts of a country by the compass.
func (c *column) placeNames() bool {
	known, all := 0, 0
	for _, o := range c.choices() {
		if c.unseen(o.value) || aside(o.name) > 0 {
			continue
		}
		all++
		name := strings.ToLower(strings.TrimSpace(o.name))
		list := words(name)
		known += btoi(places[name] || len(list) <= 5 && has(list, compass))
	}
	return all >= 3 && 10*known >= 6*all
}

// placeRank is how well a column tells where respondents live, the best first; -1: it does not.
func (c *column) placeRank() (rank int, why Reason) {
	name, asked := words(c.code), words(c.wording)
	if len(c.code) > 60 || c.code == c.wording {
		name = nil // it is the question
	}
	if c.many || has(name, noPlaces) || has(asked, noPlaces) || has(name, personal) || has(asked, personal) {
		return -1, ""
	}
	place := func(list []string) int {
		return slices.IndexFunc(placeWords, func(w string) bool { return slices.Contains(list, w) })
	}
	// Much is asked about one's country, and not which it is.
	if at := place(name); at >= 0 && at < slices.Index(placeWords, "state") && slices.ContainsFunc(name,
		func(w string) bool {
			return len(w) > 2 && w != placeWords[at] && w != "code" && w != "name"
		}) {
		name = nil
	}
	bareNumbers := c.number && len(c.Labels) == 0
	switch at := place(name); {
	case !bareNumbers && c.placeNames():
		return 0, "its answers are names of places"
	case at >= 0 && (!bareNumbers || c.integer && len(name) <= 4):
		return 100 + at + 100*btoi(bareNumbers), "its name says so"
	}
	if at := place(asked); at >= 0 && !bareNumbers && len(asked) <= 30 && c.ordered() == nil &&
		(len(asked) <= 4 || has(asked, livingWords) && has(asked, askingWords)) {
		return 300 + at, Reason("its label " + quoted(c.wording) + " says so")
	}
	return -1, ""
}

// ordered gives the places of the answers on a known scale, nil if they are on none.
func (c *column) ordered() map[string]int {
	var texts []string
	for _, o := range c.choices() {
		texts = append(texts, o.name)
	}
	return scaleOf(texts)
}

func quoted(text string) string { return `"` + short(text, 40) + `"` }

// guessLocation takes the column whose name is that of a place, else the one that tells best where respondents live.
func (g *guesser) guessLocation() (int, Reason) {
	will := func(c *column) bool {
		return c.groups(fewPlaces) && !has(words(c.Name), personal) && !has(words(c.Label), personal) && !c.tick().chosen()
	}
	if i := g.best(locationNames, will); i >= 0 {
		return g.because(i, locationNames)
	}
	best, least, why := -1, 0, Reason("")
	for _, i := range g.open() {
		c := g.columns[i]
		if !will(c) || len(c.values) < 2 {
			continue
		}
		if rank, because := c.placeRank(); rank >= 0 && (best < 0 || rank < least) {
			best, least, why = i, rank, because
		}
	}
	return best, why
}
