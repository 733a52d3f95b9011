package guess

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// Words that say where respondents live, in names and questions, the largest places first; those that ask for the place
// where somebody lives; and those beside which something else is meant.
var (
	placeWords = strings.Fields(`
		country countries pais país pays land paese nation qcountry kraj
		state states estado estados uf bundesland bundesländer province provincia província provincie provinces
		region regions regiao região regioes región regiones regione regioni reg hcal_region macrozona stdregion landesteil
		departamento departement département dep kanton canton prefecture territory territories
		estratopri governorate gobernorato wilaya voblast
		county district distrito distritos districts ubigeo comuna comunas municipio município municipality commune
		macroregion subzona zona zone city ciudad cidade ville stadt città location locality localidad localidade residencia
		wohngegend gemeinde freguesia concelho bairro barrio village parish
		zip zipcode postcode postal plz cep
		residência departement depto dpto dptos prov mun ccaa nuts wohnort wohnland woonplaats regio oblast voivodeship
		wojewodztwo województwo bolge bölge sehir şehir lan län fylke kommune landsdel megye okres geography
		지역 거주지역 地区 省 省份 城市 都道府県`)
	// unspaced are those of them that may end a question without spaces.
	unspaced    = set("地区 省份 城市 都道府県 거주지역")
	livingWords = set(`live lives living lived reside resides residing residence located based vive vives viven vivís
		reside residen residência residencia mora wohnen wohnst wohnsitz leben lebst habitez habites habite vivez vivi risiede
		abita participez woont mieszka bor bosatt home domicilio domicílio zuhause`)
	dwelling   = set("residence residencia residência residenza wohnort wohnsitz domicilio domicílio woonplaats")
	whereWords = set("where dónde donde onde wo où dove waar gdzie var")
	working    = set("work works working")
	settings   = set(`urban rural suburb suburban suburbs town village farm countryside campo pueblo urbana urbano dorf
		stadt campagne ville`)
	askingWords = set(`what which where select choose please qué que cual cuál dónde donde en qual quale onde em welche welchem
		welchen welcher wo quel quelle où in dove waar gdzie var`)
	noPlaces = set(`size tamaño tamanho größe groesse type tipo urban rural urbano mktsize townsize agglo population birth born
		grew origin nacimiento nació nacio nascimento geburt naissance né ethnic health mind code_size brand visited visit
		travel trip holiday destination dma market civil
		marital describe kind sort how long cuánto cuántos combien lange quanto quantos
		nationality nacionalidad nacionalidade nationalité staatsangehörigkeit citizenship citizen ciudadanía ancestry descent
		parents mother father win winner team favorite favourite prefer preferred best trade language languages idioma
		lengua sprache langue`)
	// former is what tells that another place is meant than that where somebody lives now.
	former = set(`previous previously former formerly anterior anteriormente vorher früher précédent precedente before grow
		job employer childhood were was lived antes`)
	compass = set(`north south east west northeast northwest southeast southwest northern southern eastern western midwest
		norte sur sul este oeste leste nordeste noreste noroeste sudeste sureste sudoeste suroeste centro nord sud est ouest
		süd ost nordost nordwest südost südwest noord zuid oost mitte central metropolitana metropolitan`)
)

// placeNames tells whether most answers of a column are names of places, or parts of a country by the compass.
func (c *column) placeNames() bool {
	known, coded, all := 0, 0, 0
	for _, o := range c.choices() {
		if c.unseen(o.value) || aside(o.name) > 0 {
			continue
		}
		all++
		list := words(o.name)
		known += btoi(knownPlace(o.name) || len(list) <= 5 && has(list, compass))
		coded += btoi(placeCodes[o.name])
	}
	return all >= 3 && 10*known >= 6*all || all >= 4 && 10*coded >= 9*all
}

// placeRank is how well a column tells where respondents live, the best first; -1: it does not.
func (c *column) placeRank() (rank int, why Reason) {
	name, asked := words(c.code), words(c.wording)
	if len(c.code) > 60 || c.code == c.wording {
		name = nil // it is the question
	}
	lives := has(asked, livingWords)
	other := has(name, noPlaces) || has(name, personal) || has(name, working)
	if c.many || other || has(asked, noPlaces) || has(asked, personal) || has(asked, working) && !lives {
		return -1, Reason{}
	}
	place := func(list []string) int {
		return slices.IndexFunc(placeWords, func(w string) bool {
			return slices.Contains(list, w) || len(list) == 1 && unspaced[w] && utf8.RuneCountInString(list[0]) <= 8 &&
				strings.HasSuffix(list[0], w)
		})
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
		return 0, Reason{Kind: ReasonPlaces}
	case at >= 0 && (!bareNumbers || c.integer && len(name) <= 4 && (len(name) == 1 || !doubtful[placeWords[at]])):
		return 100 + at + 100*btoi(bareNumbers), Reason{Kind: ReasonName}
	}
	if at := place(asked); at >= 0 && !bareNumbers && len(asked) <= 30 && c.ordered() == nil &&
		(len(asked) <= 4 || lives && has(asked, askingWords) || len(asked) <= 8 && has(asked, dwelling)) {
		return 300 + at, Reason{Kind: ReasonLabel, Text: c.wording}
	}
	now := lives && !has(asked, former) && len(asked) <= 10 && has(asked, whereWords) && !verbs[asked[0]]
	if now && !bareNumbers && c.ordered() == nil && !c.setting() {
		return 500, Reason{Kind: ReasonLabel, Text: c.wording}
	}
	return -1, Reason{}
}

// setting tells whether an answer is a kind of place, as a village is.
func (c *column) setting() bool {
	return slices.ContainsFunc(c.choices(), func(o choice) bool { return has(words(o.name), settings) })
}

// ordered gives the places of the answers on a known scale, nil if they are on none.
func (c *column) ordered() map[string]int {
	var texts []string
	for _, o := range c.choices() {
		texts = append(texts, o.name)
	}
	return scaleOf(texts)
}

// placesMany tells whether a column divides the file into places. A question at the end of a survey is not answered by
// all, and small surveys may have come to many countries.
func (c *column) placesMany() bool {
	if c.groups(fewPlaces) {
		return true
	}
	n := int64(len(c.values))
	return !c.many && n > 1 && n <= fewPlaces && 2*c.filled >= c.rows() && (c.filled >= 2*n || 3*c.filled >= 4*n &&
		c.placeNames()) && (!c.number || c.integer) && !c.separated()
}

// besideAlike tells whether a column stands among many with its labels, as rows of a grid do and places do not.
func (g *guesser) besideAlike(i int) bool {
	const least = 5
	c := g.columns[i]
	if len(c.Labels) < 3 || !c.scale() {
		return false
	}
	shape := newShape()
	shape.add(c)
	run := 1
	for _, step := range []int{-1, 1} {
		for j := i + step; j >= 0 && j < len(g.columns) && run < least; j += step {
			if o := g.columns[j]; len(o.Labels) < 3 || !o.scale() || !shape.fits(o) {
				break
			}
			run++
		}
	}
	return run >= least
}

// guessLocation takes the column whose name is that of a place, else the one that tells best where respondents live.
func (g *guesser) guessLocation() (int, Reason) {
	will := func(c *column) bool {
		return c.placesMany() && !has(words(c.Name), personal) && !has(words(c.Label), personal) && !c.tick().chosen()
	}
	if i := g.best(locationNames, will); i >= 0 {
		return g.because(i, locationNames)
	}
	best, least, why := -1, 0, Reason{}
	for _, i := range g.open() {
		c := g.columns[i]
		if !will(c) || len(c.values) < 2 {
			continue
		}
		if rank, because := c.placeRank(); rank >= 0 && (best < 0 || rank < least) && !g.besideAlike(i) {
			best, least, why = i, rank, because
		}
	}
	return best, why
}
