package guess

import "strings"

// places are names of countries and of parts of them, as they compare: in small letters, without accents.
var places = placesOf(
	// continents and parts of them
	`africa|asia|europe|europa|north america|south america|latin america|central america|oceania|australasia|antarctica|
	middle east|sub-saharan africa|caribbean|scandinavia|eastern europe|western europe|northern europe|southern europe|
	asia pacific|latam|apac|emea`,
	// countries
	`afghanistan|albania|algeria|andorra|angola|argentina|armenia|australia|austria|azerbaijan|bahamas|bahrain|bangladesh|
	barbados|belarus|belgium|belize|benin|bhutan|bolivia|bosnia and herzegovina|botswana|brazil|brunei|bulgaria|
	burkina faso|burundi|cambodia|cameroon|canada|cape verde|chad|chile|china|colombia|congo|costa rica|croatia|cuba|cyprus|
	czechia|czech republic|denmark|dominican republic|ecuador|egypt|el salvador|eritrea|estonia|ethiopia|fiji|finland|france|
	gabon|gambia|georgia|germany|ghana|greece|guatemala|guinea|guyana|haiti|honduras|hong kong|hungary|iceland|india|
	indonesia|iran|iraq|ireland|israel|italy|ivory coast|cote d'ivoire|jamaica|japan|jordan|kazakhstan|kenya|kosovo|kuwait|
	kyrgyzstan|laos|latvia|lebanon|lesotho|liberia|libya|liechtenstein|lithuania|luxembourg|macau|macedonia|
	north macedonia|madagascar|malawi|malaysia|maldives|mali|malta|mauritania|mauritius|mexico|moldova|monaco|mongolia|
	montenegro|morocco|mozambique|myanmar|namibia|nepal|netherlands|the netherlands|new zealand|nicaragua|niger|nigeria|
	north korea|norway|oman|pakistan|palestine|panama|papua new guinea|paraguay|peru|philippines|poland|portugal|puerto rico|
	qatar|romania|russia|russian federation|rwanda|saudi arabia|senegal|serbia|sierra leone|singapore|slovakia|slovenia|
	somalia|south africa|south korea|republic of korea|korea|south sudan|spain|sri lanka|sudan|suriname|swaziland|sweden|
	switzerland|syria|taiwan|tajikistan|tanzania|thailand|togo|trinidad and tobago|tunisia|turkey|turkiye|turkmenistan|
	uganda|ukraine|united arab emirates|uae|united kingdom|great britain|uk|united states|united states of america|usa|us|
	uruguay|uzbekistan|venezuela|vietnam|viet nam|yemen|zambia|zimbabwe`,
	// countries in other languages
	`alemania|belgica|brasil|canada|espana|estados unidos|francia|italia|inglaterra|reino unido|suiza|paises bajos|suecia|
	noruega|dinamarca|finlandia|polonia|grecia|turquia|japon|corea|alemanha|franca|espanha|suica|allemagne|belgique|bresil|
	espagne|etats-unis|royaume-uni|suisse|pays-bas|italie|suede|pologne|maroc|algerie|tunisie|deutschland|osterreich|schweiz|
	frankreich|italien|spanien|niederlande|belgien|danemark|schweden|polen|vereinigtes konigreich|turkei|tschechien|
	nederland|belgie|sverige|norge|suomi|germania|francia|svizzera|spagna|polska|republica dominicana`,
	// parts of the United States and of Canada
	`alabama|alaska|arizona|arkansas|california|colorado|connecticut|delaware|florida|georgia|hawaii|idaho|illinois|
	indiana|iowa|kansas|kentucky|louisiana|maine|maryland|massachusetts|michigan|minnesota|mississippi|missouri|montana|
	nebraska|nevada|new hampshire|new jersey|new mexico|new york|north carolina|north dakota|ohio|oklahoma|oregon|
	pennsylvania|rhode island|south carolina|south dakota|tennessee|texas|utah|vermont|virginia|washington|west virginia|
	wisconsin|wyoming|new england|middle atlantic|mid-atlantic|pacific|mountain|district of columbia|washington dc|
	washington, d.c.|alberta|british columbia|manitoba|new brunswick|newfoundland and labrador|newfoundland|nova scotia|
	ontario|prince edward island|quebec|saskatchewan|northwest territories|nunavut|yukon`,
	// of the United Kingdom, Ireland and Australia
	`england|scotland|wales|northern ireland|london|greater london|east midlands|west midlands|yorkshire|
	yorkshire and the humber|yorkshire and humberside|east anglia|east of england|leinster|munster|connacht|ulster|
	new south wales|victoria|queensland|south australia|western australia|tasmania|northern territory|
	australian capital territory`,
	// of Germany, Austria, Switzerland, the Netherlands and Belgium
	`baden-wurttemberg|bayern|berlin|brandenburg|bremen|hamburg|hessen|mecklenburg-vorpommern|niedersachsen|
	nordrhein-westfalen|rheinland-pfalz|saarland|sachsen|sachsen-anhalt|schleswig-holstein|thuringen|bavaria|hesse|
	lower saxony|north rhine-westphalia|saxony|thuringia|burgenland|karnten|niederosterreich|oberosterreich|salzburg|
	steiermark|tirol|vorarlberg|wien|zurich|bern|basel|genf|geneve|vaud|valais|ticino|aargau|st. gallen|luzern|drenthe|
	flevoland|friesland|gelderland|groningen|limburg|noord-brabant|noord-holland|overijssel|utrecht|zeeland|zuid-holland|
	flanders|wallonia|brussels|vlaanderen|wallonie|bruxelles|brussel`,
	// of France, Italy, Spain and Portugal
	`ile-de-france|auvergne-rhone-alpes|bourgogne-franche-comte|bretagne|centre-val de loire|corse|grand est|
	hauts-de-france|normandie|nouvelle-aquitaine|occitanie|pays de la loire|provence-alpes-cote d'azur|abruzzo|basilicata|
	calabria|campania|emilia-romagna|friuli-venezia giulia|friuli venezia giulia|lazio|liguria|lombardia|marche|molise|
	piemonte|puglia|sardegna|sicilia|toscana|trentino-alto adige|umbria|valle d'aosta|veneto|andalucia|aragon|asturias|
	baleares|islas baleares|canarias|islas canarias|cantabria|castilla y leon|castilla-la mancha|castilla la mancha|cataluna|
	catalunya|comunidad valenciana|extremadura|galicia|madrid|comunidad de madrid|murcia|navarra|pais vasco|la rioja|ceuta|
	melilla|algarve|alentejo|lisboa|acores|madeira|porto`,
	// of Latin America
	`acre|alagoas|amapa|amazonas|bahia|ceara|distrito federal|espirito santo|goias|maranhao|mato grosso|
	mato grosso do sul|minas gerais|para|paraiba|parana|pernambuco|piaui|rio de janeiro|rio grande do norte|
	rio grande do sul|rondonia|roraima|santa catarina|sao paulo|sergipe|tocantins|aguascalientes|baja california|
	baja california sur|campeche|chiapas|chihuahua|ciudad de mexico|cdmx|coahuila|colima|durango|guanajuato|guerrero|
	hidalgo|jalisco|estado de mexico|michoacan|morelos|nayarit|nuevo leon|oaxaca|puebla|queretaro|quintana roo|
	san luis potosi|sinaloa|sonora|tabasco|tamaulipas|tlaxcala|veracruz|yucatan|zacatecas|buenos aires|caba|catamarca|chaco|
	chubut|cordoba|corrientes|entre rios|formosa|jujuy|la pampa|mendoza|misiones|neuquen|rio negro|salta|san juan|
	san luis|santa cruz|santa fe|santiago del estero|tierra del fuego|tucuman|arica y parinacota|tarapaca|antofagasta|
	atacama|coquimbo|valparaiso|o'higgins|maule|nuble|biobio|bio bio|la araucania|araucania|los rios|los lagos|aysen|
	magallanes|metropolitana|region metropolitana|ancash|apurimac|arequipa|ayacucho|cajamarca|callao|cusco|huancavelica|
	huanuco|ica|junin|la libertad|lambayeque|lima|loreto|madre de dios|moquegua|pasco|piura|puno|san martin|tacna|tumbes|
	ucayali|antioquia|atlantico|bogota|bolivar|boyaca|caldas|caqueta|cauca|cesar|choco|cundinamarca|huila|la guajira|
	magdalena|meta|narino|norte de santander|quindio|risaralda|santander|sucre|tolima|valle del cauca`,
	// of elsewhere
	`aceh|sumatera utara|sumatera barat|riau|kepulauan riau|jambi|sumatera selatan|bengkulu|lampung|bangka belitung|
	dki jakarta|jakarta|jawa barat|jawa tengah|jawa timur|di yogyakarta|yogyakarta|banten|bali|nusa tenggara barat|
	nusa tenggara timur|kalimantan barat|kalimantan tengah|kalimantan selatan|kalimantan timur|kalimantan utara|
	sulawesi utara|sulawesi tengah|sulawesi selatan|sulawesi tenggara|sulawesi barat|gorontalo|maluku|maluku utara|papua|
	papua barat|bursa|antalya|adana|konya|gaziantep|kocaeli|mersin|diyarbakir|kayseri|eskisehir|samsun|denizli|trabzon|
	lagos|ogun|oyo|anambra|enugu|kaduna|kano|akwa ibom|cross river|kwara|ebonyi|abia|imo|москва|санкт-петербург|
	московская область|ленинградская область|свердловская область|новосибирская область|краснодарский край|татарстан|
	республика татарстан|нижегородская область|самарская область|ростовская область|челябинская область|
	mazowieckie|malopolskie|slaskie|wielkopolskie|dolnoslaskie|lodzkie|pomorskie|lubelskie|podkarpackie|
	marmara|ege|akdeniz|ic anadolu|karadeniz|dogu anadolu|guneydogu anadolu|istanbul|ankara|izmir|andhra pradesh|assam|
	bihar|delhi|gujarat|haryana|karnataka|kerala|madhya pradesh|maharashtra|odisha|punjab|rajasthan|tamil nadu|telangana|
	uttar pradesh|west bengal|gauteng|kwazulu-natal|western cape|eastern cape|free state|limpopo|mpumalanga|north west|
	northern cape|seoul|busan|daegu|incheon|gwangju|daejeon|ulsan|gyeonggi|서울|부산|대구|인천|광주|대전|울산|경기|강원|
	충북|충남|전북|전남|경북|경남|제주`,
)

// placeCodes are the codes of two letters of countries, and of states of the United States and of Brazil.
var placeCodes = set(`AE AR AT AU BD BE BG BO BR CA CH CL CN CO CR CY CZ DE DK EC EE EG ES FI FR GB GH GR HK HR HU ID IE IL
	IN IS IT JP KE KR LT LU LV MA MT MX MY NG NL NO NZ PE PH PK PL PT PY RO RS RU SA SE SG SI SK TH TN TR TW UA UG UK US UY
	VE VN ZA AL AK AZ AR CA CO CT DE FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH NJ NM NY NC ND OH OK OR
	PA RI SC SD TN TX UT VT VA WA WV WI WY DC AC AM AP BA CE DF ES GO MG PB PR RJ RN RO RR RS SP SE TO`)

func placesOf(texts ...string) map[string]bool {
	m := map[string]bool{}
	for _, text := range texts {
		for part := range strings.SplitSeq(text, "|") {
			m[strings.TrimSpace(part)] = true
		}
	}
	return m
}

// plain are letters without their accents.
var plain = strings.NewReplacer("á", "a", "à", "a", "â", "a", "ã", "a", "ä", "a", "å", "a",
	"é", "e", "è", "e", "ê", "e", "ë", "e", "í", "i", "ì", "i",
	"î", "i", "ï", "i", "ó", "o", "ò", "o", "ô", "o", "õ", "o", "ö", "o", "ú", "u", "ù", "u",
	"û", "u", "ü", "u", "ñ", "n", "ç", "c", "ł", "l", "ś", "s", "ş", "s", "ğ", "g", "ı", "i", "’", "'", "i̇", "i")

// placeName is a name of a place as places has it: without a number, or what kind of place it is, before it, or words
// in brackets behind it.
func placeName(text string) string {
	text = plain.Replace(strings.ToLower(strings.Join(strings.Fields(text), " ")))
	text = strings.TrimLeft(text, "0123456789.)-–_: ")
	if at := strings.IndexAny(text, "(["); at > 0 {
		text = strings.TrimSpace(text[:at])
	}
	for _, kind := range []string{"region de la ", "region del ", "region de ", "departamento de ", "provincia de ",
		"estado de ", "region ", "state of "} {
		if rest, found := strings.CutPrefix(text, kind); found && places[rest] {
			return rest
		}
	}
	return text
}

// knownPlace tells whether a text is the name of a place.
func knownPlace(text string) bool {
	name := placeName(text)
	if before, _, found := strings.Cut(name, ","); found && !places[name] {
		name = strings.TrimSpace(before) // Iran, Islamic Republic of
	}
	return places[name]
}
