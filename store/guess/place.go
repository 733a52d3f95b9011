package guess

import (
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// Words that say where respondents live, in names and questions, the largest places first; those that ask for the place
// where somebody lives; and those beside which something else is meant.
var (
	placeWords = strings.Fields(`
		country countries pais país pays land paese nation qcountry kraj kraju страна стране страны країна країні ülke
		ülkede ülkeniz negara ország χώρα
		state states estado estados uf bundesland bundesländer province provincia província provincie provinces
		область области областях регион регионе регионы край крае республика провинция provinsi académie académies
		région régions region regions regiao região regioes región regiones regione regioni reg hcal_region macrozona stdregion
		landesteil departamento departement département dep kanton canton prefecture territory territories
		estratopri governorate gobernorato wilaya voblast
		county borough boroughs județ județul ilçe ilçede i̇lçe kabupaten район районе district distrito distritos districts
		ubigeo comuna comunas municipio município municipality commune alcaldía districte
		город городе города населенный населённый місто місті şehirde şehriniz miasto mieście miejscowość
		miejscowości město městě kota
		oraș orașul localitate localitatea kaupunki kunta maakunta kommun gemeente stad πόλη
		macroregion subzona zona zone city ciudad cidade ville stadt città location locality localidad localidade residencia
		wohngegend gemeinde freguesia concelho bairro barrio quartier arrondissement village parish
		stadtteil stadtbezirk ortsteil wijk colonia
		zip zipcode postcode postalcode postal plz cep
		placeofresidence domicile residência departement depto dpto dptos prov mun ccaa wohnort wohnland woonplaats
		asuinpaikka domisili
		regio oblast voivodeship wojewodztwo województwo bolge bölge sehir şehir lan län fylke kommune landsdel megye
		okres geography 지역 거주지역 地区 省 省份 城市 都道府県`)
	// unspaced are those of them that may end a question without spaces.
	unspaced    = set("地区 省份 城市 都道府県 거주지역")
	livingWords = set(`live lives living lived reside resides residing residence located based vive vives viven vivís
		reside residen residência residencia mora wohnen wohnst wohnsitz leben lebst habitez habites habite vivez vivi
		risiede abita participez woont mieszka bor bosatt home domicilio domicílio zuhause moras moram vivi abiti risiedi
		résidez résides habitas habitan wohnhaft wonen zamieszkania mieszkasz zamieszkujesz проживаете проживаешь
		проживает проживания живете живёте живешь живёшь проживаєте живете мешкаєте yaşıyorsunuz yaşıyorsun yaşadığınız
		yaşadığın oturduğunuz ikamet tinggal domisili berdomisili bydlíte bydlíš žijete žiješ bydliště živite prebivate
		prebivališče prebivališča asut asutte asuinpaikka laksz lakik lakóhely locuiți locuiești κατοικείτε μένετε ζείτε`)
	// livingInside are parts of words that ask where somebody lives, in writings without spaces.
	livingInside = []string{"居住", "常住", "住んで", "お住まい", "거주", "所在"}
	dwelling     = set(`residence residencia residência résidence residenza wohnort wohnsitz domicilio domicílio domicile
		woonplaats zamieszkania проживания`)
	// anywhere are words for a place of any kind, which is where somebody lives beside a word for dwelling.
	anywhere = set("place lugar local lieu luogo ort plaats miejsce miejscowość место")
	// nearHome are words for parts of a country or a town, which are where somebody lives if that is asked.
	nearHome   = set("part area neighbourhood neighborhood suburb town village")
	whereWords = set(`where dónde donde onde wo où dove waar gdzie var где де nerede hol kde unde missä hvor hvar gdje
		kje`)
	working = set("work works working")
	// atWork are words for working in questions that ask for the place, which is one of a country and not of an
	// employer, as workPlaces are.
	atWork = set(`work works working practice practise practising trabaja trabajas trabajan trabalha trabalhas travaillez
		travailles exercez exerces arbeiten arbeitest arbeitet lavora lavori werkt pracuje pracujesz работаете работаешь
		çalışıyorsunuz çalıştığınız`)
	workPlaces = set(`country countries país pays land paese state estado bundesland province provincia província region
		regions région región região regione county city ciudad cidade ville stadt città kanton canton académie academie
		область области регион регионе городе город şehir şehirde il ilde`)
	answeringWords = set("responde respondes answering respondiendo reside você")
	yoursWords     = set(`your tu su votre ta ihr ihre dein deine sua seu tua teu vostra tuo suo jouw uw din ditt ваш ваша
		ваше твой твоя twoje twoja`)
	// wholeNames are names for places that are other words beside others.
	wholeNames = set("il i̇l ili i̇li ort")
	articles   = set("l la le el the die den das lo il o a")
	settings   = set(`urban rural periurban peri semi suburb suburban suburbs town village farm countryside campo pueblo
		urbana urbano dorf stadt campagne ville wieś wsi miasto miasteczko город село деревня посёлок поселок köy desa
		stad dorp cidade aldeia città paese`)
	askingWords = set(`what which where select choose please qué que cual cuál dónde donde en qual quale onde em welche
		welchem welchen welcher wo quel quelle où in dove waar gdzie var sélectionnez choisissez indiquez seleccione
		selecciona selecione escolha indique wählen jakim jakiej której którym каком какой какая какое где выберите hangi
		nerede`)
	noPlaces = set(`size tamaño tamanho größe groesse type tipo urban rural urbano mktsize townsize agglo population
		birth born grew origin procedencia nacimiento nació nacio naciste nacido nacida nascimento nasceu geburt naissance né
		ethnic health mind code_size brand friends family visited visit travel trip holiday destination dma market civil
		marital describe kind sort how long cuánto cuántos
		combien lange quanto quantos nationality nacionalidad nacionalidade nationalité staatsangehörigkeit citizenship
		citizen ciudadanía ancestry descent parents mother father win winner team favorite favourite prefer preferred
		best trade language languages idioma lengua sprache langue champion champions campeón campeon campeão ganará
		dream ideal desired target future office`)
	// anyThings are words for places of things, too, and theirs those that may stand beside them in a name that tells
	// where somebody lives.
	anyThings = set("location locations state area zone zona district")
	theirs    = set(`name code id label category geo geographic geographical geografica geográfica current home resp
		respondent household hh camp adm admin final rec recoded group survey interview own your`)
	// sides are those of politics, between which the centre lies.
	sides = set("left right izquierda derecha esquerda direita gauche droite sinistra destra links rechts")
	// company is with whom somebody lives, and in what.
	company = set(`parents padres eltern rodzicami rodzice genitori родителями family familia família familie famille
		famiglia spouse partner alone sozinho allein seul friends amigos rented rental alquilada alquiler dormitory
		dorm akademik akademiku house flat apartment farmhouse hus
		leilighet enebolig rekkehus bygd bygda landet talo kerrostalo omakotitalo rivitalo kaupunki maaseutu maaseudulla kos
		kost kontrakan kontrak asrama rumah wohnung mietwohnung eigentum`)
	// origins are what somebody is of, which countries may tell.
	origins = set(`ethnic ethnicity ethnie etnia nationality nacionalidad nationalité citizenship ancestry descent
		origin`)
	// former is what tells that another place is meant than that where somebody lives now.
	former = set(`previous previously former formerly anterior anteriormente vorher früher précédent precedente before
		grow job employer childhood were was lived antes during während durante pendant podczas`)
	compass = set(`north south east west northeast northwest southeast southwest northern southern eastern western midwest
		norte sur sul este oeste leste nordeste noreste noroeste sudeste sureste sudoeste suroeste centro nord sud est ouest
		süd ost nordost nordwest südost südwest noord zuid oost mitte central metropolitana metropolitan`)
)

// adminUnit is a name for the units into which statistics and relief work divide a country, or for a camp; and
// fromElsewhere are words beside it for another place than that of the interview.
var (
	adminUnit = regexp.MustCompile(`(?i)(?:^|[_ ./])adm(?:in)?_?[1-4](?:_?(?:p?code|name|label))?$|^t?nuts[_ ]?[1-3]$|` +
		`^(?:camp|settlement)(?:[_ ]name)?$|^(?:community|area)[_ ]name$`)
	fromElsewhere = set(`origin origins dest destination returnees return arrivals disp displacement former previous
		intended settle birth main`)
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

// onlyPlaces tells whether all answers of a column are names of places, and more than one is.
func (c *column) onlyPlaces() bool {
	all := c.choices()
	return len(all) >= 2 && !slices.ContainsFunc(all, func(o choice) bool { return !knownPlace(o.name) })
}

// placeRank is how well a column tells where respondents live, the best first; -1: it does not.
func (c *column) placeRank() (rank int, why Reason) {
	name, asked := words(c.code), words(c.wording)
	if len(c.code) > 60 || c.code == c.wording {
		name = nil // it is the question
	}
	if len(asked) == 0 && len(name) >= 5 && has(name, askingWords) {
		name, asked = nil, name // it is the question, written together
	}
	for len(asked) > 1 && strings.Trim(asked[0], digits) == "" {
		asked = asked[1:] // the question's number
	}
	lives := has(asked, livingWords)
	if c.saysElse() || c.kindsOfPlace(name) || c.kindsOfPlace(asked) {
		return -1, Reason{}
	}
	if c.many || c.elsewhere(name, asked) || has(asked, atWork) && !lives && !asksAtWork(asked) {
		return -1, Reason{}
	}
	// Much is asked about one's country, and not which it is.
	if at := placeIn(name); at >= 0 && at < slices.Index(placeWords, "state") && slices.ContainsFunc(name,
		func(w string) bool {
			return len(w) > 2 && w != placeWords[at] && w != "code" && w != "name" && !livingWords[w] && !dwelling[w]
		}) {
		name = nil
	}
	if has(name, anyThings) && slices.ContainsFunc(name, func(w string) bool {
		return len(w) > 2 && strings.Trim(w, digits) != "" && !anyThings[w] && !theirs[w] && !livingWords[w] &&
			!dwelling[w] && !slices.Contains(placeWords, w)
	}) {
		name = nil
	}
	if len(name) == 2 && doubtful[name[0]] && strings.Trim(name[1], digits) == "" && len(asked) > 0 {
		name = nil // a question's number, as UF9
	}
	const mostBeside = 1
	if at := placeIn(name); at >= 0 && cutShort[placeWords[at]] && len(name) > mostBeside+1 {
		name = nil
	}
	bareNumbers := c.number && (len(c.Labels) == 0 || c.onlyAsides())
	switch at := placeIn(name); {
	case !bareNumbers && (c.placeNames() || lives && len(asked) <= 4 && c.onlyPlaces()):
		return 0, Reason{Kind: ReasonPlaces}
	case at >= 0 && placeWords[at] == "dep" && slices.ContainsFunc(asked, depends.MatchString):
		return -1, Reason{}
	case at >= 0 && (!bareNumbers || c.integer && len(name) <= 4 && (len(name) == 1 || !doubtful[placeWords[at]])):
		return 100 + at + 100*btoi(bareNumbers), Reason{Kind: ReasonName}
	case adminUnit.MatchString(c.code) && !has(words(c.code), fromElsewhere) && (!bareNumbers || c.integer):
		return 250 + 10*btoi(bareNumbers), Reason{Kind: ReasonName}
	case len(name) == 1 && wholeNames[name[0]] && !c.number && len(c.values) > 5 && !c.setting():
		return 300, Reason{Kind: ReasonName}
	}
	if rank = c.placeAskedRank(asked, bareNumbers); rank < 0 {
		return -1, Reason{}
	}
	return rank, Reason{Kind: ReasonLabel, Text: c.wording}
}

// cutShort are words for places cut short, which are other words cut short in a name of more than one word beside them.
var cutShort = set("reg dep prov mun")

// depends begins what dep in a name may stand for, besides a department.
var depends = regexp.MustCompile(`^(?:depen|depre|dépen|dépre|abhäng)`)

// kindsOfPlace tells whether a name says no more than the kinds of place that somebody lives in, as "village - town"
// does.
func (c *column) kindsOfPlace(name []string) bool {
	for _, w := range name {
		if !settings[w] && w != "city" && w != "or" {
			return false
		}
	}
	return len(name) >= 2
}

// saysElse tells whether answers are yes and no, sides of politics, or with whom somebody lives: those are said of no
// place, whatever the name.
func (c *column) saysElse() bool {
	const few = 12
	list := c.choices()
	if len(list) > few {
		return false
	}
	if c.number && len(c.Labels) == 0 {
		return false // 0 and 1 are codes
	}
	no := slices.ContainsFunc(list, func(o choice) bool { return isNo(o.name) && o.name != "NO" && o.name != "ON" })
	if c.degreesOrYes(list) {
		return true
	}
	return slices.ContainsFunc(list, func(o choice) bool {
		return isYes(o.name) && (no && o.name != "SI" || utf8.RuneCountInString(o.name) > 2) || // SI is Slovenia's code
			has(words(o.name), sides) || has(words(o.name), company)
	})
}

// degreesOrYes tells whether two answers or more begin with a word for how much, as "Very easy" does, or one with a yes
// and a comma behind it and another with a no: "Yes, from the mains" and "No, none".
func (c *column) degreesOrYes(list []choice) bool {
	degree, yes, no := 0, false, false
	for _, o := range list {
		first, rest, comma := strings.Cut(o.name, ",")
		spoken := words(o.name)
		for len(spoken) > 1 && strings.Trim(spoken[0], digits) == "" {
			spoken = spoken[1:] // the number that the answer has
		}
		degree += btoi(len(spoken) > 1 && muchWords[spoken[0]])
		yes = yes || comma && isYes(first) && rest != ""
		no = no || len(spoken) > 1 && noWords[spoken[0]]
	}
	return degree >= 2 || yes && no
}

// muchWords are words for how much.
var muchWords = set(`very somewhat extremely fairly rather quite slightly muy bastante poco très assez peu sehr eher
	ziemlich wenig molto abbastanza muito pouco bardzo raczej очень`)

// elsewhere tells whether a name or a question is about something else than where respondents live.
func (c *column) elsewhere(name, asked []string) bool {
	return has(name, noPlaces) && !c.namesPart(asked) || has(name, working) || has(asked, noPlaces) ||
		slices.ContainsFunc([]map[string]bool{origins, personal}, func(m map[string]bool) bool {
			return has(name, m) || has(asked, m)
		})
}

// placeAskedRank is how well a question asks where respondents live, the best first; -1: it does not.
func (c *column) placeAskedRank(asked []string, bareNumbers bool) int {
	if c.ordered() != nil {
		return -1
	}
	lives := has(asked, livingWords)
	if at := placeIn(asked); at >= 0 && !bareNumbers && len(asked) <= 30 &&
		(len(asked) <= 4 || len(asked) <= 6 && answersFrom(asked) || lives && has(asked, askingWords) ||
			len(asked) <= 8 && has(asked, dwelling)) {
		return 300 + at
	}
	if len(asked) == 1 && placeIn(asked) >= 0 && !doubtful[asked[0]] && c.integer {
		return 700 // codes without labels
	}
	now := !has(asked, former)
	switch {
	case c.setting():
	case (asksForYours(c.wording) || inOneWord(asked)) && (!bareNumbers || c.integer):
		return 600 + 100*btoi(bareNumbers)
	case bareNumbers || !now:
	case len(asked) <= 5 && has(asked, anywhere) && has(asked, dwelling), len(asked) == 1 && dwelling[asked[0]]:
		return 500
	case lives && len(asked) <= 10 && !verbs[asked[0]] &&
		(has(asked, whereWords) || len(asked) > 1 && (asked[0] == "which" || asked[0] == "what") && nearHome[asked[1]]):
		return 500
	case asksAtWork(asked):
		return 800
	}
	return -1
}

// answersFrom tells whether a question begins with words for answering and a place from which that is done.
func answersFrom(asked []string) bool {
	return answeringWords[asked[0]] && has(asked, askingWords)
}

// placeIn is the first of the words for places that a list has, -1 if there is none.
func placeIn(list []string) int {
	return slices.IndexFunc(placeWords, func(w string) bool {
		return slices.Contains(list, w) || len(list) == 1 && unspaced[w] && utf8.RuneCountInString(list[0]) <= 8 &&
			strings.HasSuffix(list[0], w)
	})
}

// asksAtWork tells whether a question asks which part of a country somebody works in.
func asksAtWork(asked []string) bool {
	const longest = 12
	for i, word := range asked {
		if !askingWords[word] {
			continue
		}
		at := i + 1
		for at < len(asked) && articles[asked[at]] {
			at++
		}
		if at < len(asked) && workPlaces[asked[at]] {
			return len(asked) <= longest && has(asked[at:], atWork)
		}
	}
	return false
}

// asksForYours tells whether a question begins with one for a place of the respondent's and nothing behind it: What is
// your postcode? A city's problem is none.
func asksForYours(wording string) bool {
	const longest, most = 10, 3
	first, _, _ := strings.Cut(strings.TrimLeft(wording, " ¿"), "?")
	if at := strings.IndexAny(first, "/(:,;"); at >= 0 {
		first = first[:at]
	}
	list := words(first)
	at := slices.IndexFunc(list, func(w string) bool { return yoursWords[w] })
	if at < 1 || len(list) > longest || len(list)-at > most+1 || !has(list[:at], askingWords) {
		return false
	}
	return slices.Contains(placeWords, list[len(list)-1])
}

// inOneWord tells whether a question in a writing without spaces asks for a place where somebody lives.
func inOneWord(asked []string) bool {
	const longest = 20
	return len(asked) == 1 && utf8.RuneCountInString(asked[0]) <= longest &&
		slices.ContainsFunc(livingInside, func(part string) bool { return strings.Contains(asked[0], part) }) &&
		slices.ContainsFunc(placeWords, func(w string) bool { return unspaced[w] && strings.Contains(asked[0], w) })
}

// namesPart tells whether what is asked is no more than a part of a country, with so many answers in words that the
// size in the column's name is not that of a place: sizes are few.
func (c *column) namesPart(asked []string) bool {
	const most, fewest = 3, 10
	return len(asked) > 0 && len(asked) <= most && slices.Contains(placeWords, asked[len(asked)-1]) && !c.number &&
		len(c.values) >= fewest && len(c.Labels) == 0
}

// setting tells whether an answer is a kind of place, as a village is.
func (c *column) setting() bool {
	return slices.ContainsFunc(c.choices(), func(o choice) bool { return has(words(o.name), settings) })
}

// kindsOnly tells whether the answers in words are no names of places: all are kinds of place, as "rural area" is, or
// most are spots about a house.
func (c *column) kindsOnly() bool {
	if c.number || c.placeNames() {
		return false
	}
	answers, kinds, about := 0, 0, 0
	for _, o := range c.choices() {
		list := words(o.name)
		if aside(o.name) > 0 || len(list) == 0 {
			continue
		}
		answers++
		kinds += btoi(!slices.ContainsFunc(list, func(w string) bool { return !settings[w] && !anyThings[w] }))
		about += btoi(spots[strings.ToLower(o.name)])
	}
	return answers > 0 && (kinds == answers || 2*about > answers)
}

// spots are where something is in or about a house.
var spots = set("house yard home kitchen bathroom bedroom garden indoors outdoors inside outside")

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
		(c.placeNames() || c.placeAsked())) && (!c.number || c.integer) && !c.separated()
}

// placeAsked tells whether a question asks where the respondent lives.
func (c *column) placeAsked() bool {
	rank, why := c.placeRank()
	return rank >= 0 && why.Kind == ReasonLabel
}

// besideAlike tells whether a column stands among many with its labels, with the same few numbers from 1 on or with the
// same few words that are no names of places, as rows of a grid do and places do not.
func (g *guesser) besideAlike(i int) bool {
	const least, steps = 5, 10
	c := g.columns[i]
	row := func(o *column) bool {
		coded := len(o.Labels) == 0 && o.number && o.integer && o.least.Float64() == 1 && o.most.Float64() <= steps &&
			c.number && o.most.Cmp(c.most) == 0
		worded := len(o.Labels) == 0 && !o.number && len(o.values) <= steps && !o.placeNames()
		return (len(o.Labels) >= 3 || coded || worded) && o.scale()
	}
	if !row(c) {
		return false
	}
	shape := newShape()
	shape.add(c)
	run := 1
	for _, step := range []int{-1, 1} {
		for j := i + step; j >= 0 && j < len(g.columns) && run < least; j += step {
			if o := g.columns[j]; !row(o) || !shape.fits(o) {
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
		named := slices.Contains(locationNames, strings.Join(words(c.Name), "")) || !has(words(c.Name), origins)
		asked := words(c.Label)
		if has(asked, livingWords) { // lately: "during the last six months"
			asked = slices.DeleteFunc(asked, func(w string) bool { return w == "last" })
		}
		return c.placesMany() && named && !c.kindsOnly() && !has(words(c.Name), personal) && !has(asked, personal) &&
			!c.tick().chosen()
	}
	if i := g.best(locationNames, will); i >= 0 && !g.besideAlike(i) {
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
