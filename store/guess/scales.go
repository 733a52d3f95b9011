package guess

import "strings"

// scales are answers in their order, in the languages of many surveys: the place of each wording on each scale.
var scales = scalesOf([][]string{
	{"strongly disagree|disagree strongly|completely disagree|totally disagree", "disagree",
		"tend to disagree|disagree somewhat|somewhat disagree", "slightly disagree|disagree slightly",
		"neither agree nor disagree|neither agree or disagree|neither|neutral|undecided",
		"slightly agree|agree slightly", "tend to agree|agree somewhat|somewhat agree", "agree",
		"strongly agree|agree strongly|completely agree|totally agree"},
	{"extremely dissatisfied|completely dissatisfied", "very dissatisfied|highly dissatisfied", "dissatisfied",
		"somewhat dissatisfied|slightly dissatisfied|fairly dissatisfied",
		"neither satisfied nor dissatisfied|neither|neutral", "somewhat satisfied|slightly satisfied|fairly satisfied",
		"satisfied", "very satisfied|highly satisfied", "extremely satisfied|completely satisfied"},
	{"extremely unlikely", "very unlikely", "unlikely", "somewhat unlikely|fairly unlikely|slightly unlikely",
		"neither likely nor unlikely|neither|neutral",
		"somewhat likely|fairly likely|slightly likely", "likely", "very likely", "extremely likely"},
	{"never|no, never", "almost never|hardly ever|very rarely|very seldom", "rarely|seldom|yes, rarely",
		"occasionally|yes, occasionally", "sometimes|yes, sometimes", "quite often|fairly often|regularly",
		"often|frequently|yes, often|yes, frequently", "usually|most of the time", "very often|very frequently",
		"almost always|nearly always", "always|constantly|all the time"},
	{"not at all|not at all important|not important", "not very|not very important|unimportant",
		"slightly|slightly important|a little|a little important",
		"somewhat|somewhat important|moderately|moderately important|neutral",
		"fairly|fairly important|quite|important", "very|very important", "extremely|extremely important"},
	{"terrible|very poor|very bad", "poor|bad", "fair|average|ok|neutral", "good", "very good", "excellent"},
	{"very low", "low", "medium|moderate|average|normal", "high", "very high"},
	{"yes", "maybe", "no"},
	{"none of the time", "a little of the time|rarely", "some of the time", "about half the time|half of the time",
		"a good bit of the time", "much of the time", "most of the time", "all of the time"},
	{"not at all", "several days", "more than half the days", "nearly every day"},
	{"not at all true|not true at all|never true", "a little true|slightly true", "somewhat true", "moderately true",
		"mostly true", "very true", "completely true|extremely true|always true"},
	{"definitely would not", "probably would not", "might or might not|not sure|unsure", "probably would",
		"definitely would"},
	{"much less than|much less than before", "less than|less than before",
		"the same|about the same|no change|as before|same",
		"more than|more than before", "much more than|much more than before"},
	{"greatly reduced|greatly decreased", "reduced|decreased", "about the same|the same|no change|unchanged|stable",
		"increased", "greatly increased"},
	{"not a priority", "low priority", "medium priority", "high priority", "essential|top priority"},
	{"much worse", "worse", "somewhat worse|a little worse", "the same|about the same|no change",
		"somewhat better|a little better", "better", "much better"},
	{"never", "less than once a year", "once a year|yearly|annually",
		"less than once a month|less often", "once every few months|every few months",
		"once a quarter|quarterly", "once a month|monthly", "once a fortnight|once every few weeks|every few weeks",
		"once a week|weekly", "several times a week|a few times a week", "once a day|daily|every day",
		"several times a day|more than once a day|multiple times a day|many times a day"},
	{"definitely not|certainly not", "probably not|unlikely", "maybe|might or might not|possibly|undecided|not sure",
		"probably|probably yes|likely", "definitely|definitely yes|certainly"},
	{"no", "rather no|mostly no|more no than yes", "rather yes|mostly yes|more yes than no", "yes"},
	{"none at all|none|not at all|nothing", "not very much|only a little|a little|very little|a little bit",
		"some|somewhat",
		"quite a lot|a fair amount|quite a bit|a moderate amount", "a lot|much|very much|a great deal"},
	{"strongly oppose|strongly opposed", "oppose|opposed|somewhat oppose", "neither|neutral|neither support nor oppose",
		"support|favor|favour|somewhat support|somewhat favor", "strongly support|strongly favor|strongly favour"},
	{"very negative", "negative|somewhat negative", "neutral|neither|neither positive nor negative",
		"positive|somewhat positive", "very positive"},
	{"very difficult|very hard", "difficult|hard|somewhat difficult", "neutral|neither easy nor difficult|moderate",
		"easy|somewhat easy", "very easy"},
	{"very unimportant", "unimportant|somewhat unimportant", "neutral|neither", "important|somewhat important",
		"very important", "extremely important"},
	{"none|no problem|not at all|no", "mild|mildly", "moderate|moderately", "severe|severely", "extreme|very severe"},
	{"none|no experience|no knowledge|never used", "novice|beginner|basic", "intermediate", "advanced|proficient",
		"expert"},
	{"decreased a lot|much less", "decreased|less|decreased a little|somewhat less",
		"stayed the same|the same|no change|" +
			"same", "increased|more|increased a little|somewhat more", "increased a lot|much more"},
	{"never", "rarely", "yearly", "monthly", "weekly", "daily"},
	{"never", "some days|on some days", "most days|on most days", "every day|daily"},

	{"totalmente en desacuerdo|muy en desacuerdo|completamente en desacuerdo|fuertemente en desacuerdo",
		"en desacuerdo|bastante en desacuerdo", "algo en desacuerdo|parcialmente en desacuerdo|poco de acuerdo",
		"ni de acuerdo ni en desacuerdo|ni en desacuerdo ni de acuerdo|neutral|neutro|indiferente|indeciso",
		"algo de acuerdo|parcialmente de acuerdo", "de acuerdo|bastante de acuerdo",
		"totalmente de acuerdo|muy de acuerdo|completamente de acuerdo|fuertemente de acuerdo"},
	{"nunca", "casi nunca", "rara vez|raramente|pocas veces|raras veces", "ocasionalmente|de vez en cuando",
		"a veces|algunas veces|regularmente", "a menudo|frecuentemente|con frecuencia|muchas veces|" +
			"la mayoría de las veces|" +
			"normalmente", "muy a menudo|muy frecuentemente|muy frecuente", "casi siempre", "siempre"},
	{"nada|en absoluto|ninguno|ninguna", "muy poco|muy poca", "poco|poca", "algo|regular|más o menos|moderadamente",
		"bastante", "mucho|mucha", "muchísimo|totalmente|completamente"},
	{"pésimo|pésima|muy malo|muy mala|muy mal", "malo|mala|mal",
		"regular|ni bueno ni malo|ni bien ni mal|normal|aceptable",
		"bueno|buena|bien", "muy bueno|muy buena|muy bien", "excelente"},
	{"muy insatisfecho|muy insatisfecha|totalmente insatisfecho|nada satisfecho|nada satisfecha",
		"insatisfecho|insatisfecha|poco satisfecho|poco satisfecha|algo insatisfecho",
		"ni satisfecho ni insatisfecho|neutral|neutro|indiferente",
		"satisfecho|satisfecha|algo satisfecho|algo satisfecha",
		"muy satisfecho|muy satisfecha|totalmente satisfecho"},
	{"inexistente|nulo|nula", "insuficiente|escaso|escasa", "suficiente|adecuado|adecuada", "abundante"},
	{"muy bajo|muy baja", "bajo|baja", "medio|media|regular|moderado|moderada", "alto|alta", "muy alto|muy alta"},

	{"discordo totalmente|discordo completamente|discordo fortemente",
		"discordo|discordo em parte|discordo parcialmente",
		"nem concordo nem discordo|não concordo nem discordo|nem discordo nem concordo|neutro|indiferente|indeciso",
		"concordo|concordo em parte|concordo parcialmente",
		"concordo totalmente|concordo completamente|concordo fortemente"},
	{"nunca", "quase nunca", "raramente|poucas vezes", "ocasionalmente|de vez em quando",
		"às vezes|as vezes|algumas vezes",
		"frequentemente|muitas vezes|com frequência|geralmente", "muito frequentemente", "quase sempre", "sempre"},
	{"nada|nenhum|nenhuma", "muito pouco|muito pouca", "pouco|pouca", "mais ou menos|médio|moderadamente|razoável",
		"bastante", "muito|muita", "muitíssimo|totalmente|extremamente"},
	{"péssimo|péssima|muito ruim|muito mau", "ruim|mau|má", "regular|razoável|nem bom nem ruim", "bom|boa",
		"muito bom|muito boa|ótimo|ótima", "excelente"},
	{"muito insatisfeito|muito insatisfeita|totalmente insatisfeito", "insatisfeito|insatisfeita",
		"nem satisfeito nem insatisfeito|neutro|indiferente", "satisfeito|satisfeita",
		"muito satisfeito|muito satisfeita|totalmente satisfeito"},
	{"muito baixo|muito baixa", "baixo|baixa", "médio|média|moderado", "alto|alta", "muito alto|muito alta"},

	{"pas du tout d'accord|tout à fait en désaccord|fortement en désaccord|totalement en désaccord",
		"plutôt pas d'accord|pas d'accord|en désaccord|plutôt en désaccord",
		"ni d'accord ni pas d'accord|ni d'accord, ni pas d'accord|ni en accord ni en désaccord|neutre|sans opinion",
		"plutôt d'accord|d'accord", "tout à fait d'accord|entièrement d'accord|fortement d'accord|totalement d'accord"},
	{"jamais", "presque jamais|très rarement", "rarement", "occasionnellement|de temps en temps", "parfois|quelquefois",
		"souvent|régulièrement|fréquemment", "très souvent", "presque toujours|quotidiennement|tous les jours", "toujours"},
	{"pas du tout", "très peu|plutôt pas", "peu|un peu", "moyennement|modérément", "assez|plutôt", "beaucoup|très",
		"énormément|tout à fait|extrêmement"},
	{"très mauvais|très mauvaise|très mal", "mauvais|mauvaise|mal", "moyen|moyenne|passable|ni bon ni mauvais",
		"assez bien|assez bon|assez bonne", "bon|bonne|bien", "très bon|très bonne|très bien", "excellent|excellente"},
	{"très insatisfait|pas du tout satisfait|très insatisfaite",
		"insatisfait|plutôt insatisfait|peu satisfait|insatisfaite",
		"ni satisfait ni insatisfait|neutre", "satisfait|plutôt satisfait|satisfaite", "très satisfait|très satisfaite"},
	{"non|non, pas du tout|non, jamais", "plutôt non", "plutôt oui", "oui|oui, tout à fait"},

	{"stimme überhaupt nicht zu|stimme gar nicht zu|stimme absolut nicht zu|trifft überhaupt nicht zu|" +
		"trifft gar nicht zu|" +
		"lehne stark ab|stimme nicht zu", "stimme eher nicht zu|stimme weniger zu|trifft eher nicht zu|trifft kaum zu|" +
		"trifft nicht zu|lehne ab", "teils/teils|teils teils|teils-teils|teils, teils|weder noch|neutral|unentschieden|" +
		"stimme teils zu|trifft teils zu|stimme weder zu noch lehne ich ab",
		"stimme eher zu|trifft eher zu|stimme teilweise zu|trifft teilweise zu", "stimme zu|trifft zu",
		"stimme voll und ganz zu|stimme voll zu|stimme völlig zu|stimme vollkommen zu|stimme stark zu|" +
			"trifft voll und ganz zu|trifft voll zu|trifft völlig zu|trifft genau zu"},
	{"nie|niemals", "fast nie", "selten", "gelegentlich|ab und zu", "manchmal", "häufig|oft|regelmäßig",
		"sehr häufig|sehr oft",
		"meistens|fast immer", "immer"},
	{"gar nicht|überhaupt nicht|nicht", "sehr wenig|eher nicht", "wenig|kaum|ein wenig",
		"etwas|teilweise|mittelmäßig|mittel",
		"eher|ziemlich|einigermaßen", "sehr|stark|viel", "äußerst|sehr stark|sehr viel|voll und ganz"},
	{"sehr schlecht", "schlecht|eher schlecht", "mittelmäßig|mittel|teils/teils|neutral|befriedigend", "gut|eher gut",
		"sehr gut"},
	{"sehr unzufrieden", "unzufrieden|eher unzufrieden", "teils/teils|neutral|weder zufrieden noch unzufrieden|" +
		"weder noch",
		"zufrieden|eher zufrieden", "sehr zufrieden"},
	{"nein|nein, gar nicht", "eher nein", "eher ja", "ja|ja, sehr"},
	{"unwichtig|völlig unwichtig|sehr unwichtig", "eher unwichtig|weniger wichtig", "teils/teils|neutral|weder noch",
		"eher wichtig", "wichtig", "sehr wichtig"},

	{"per niente d'accordo|totalmente in disaccordo|fortemente in disaccordo|completamente in disaccordo",
		"poco d'accordo|in disaccordo", "né d'accordo né in disaccordo|neutrale|indifferente|incerto",
		"abbastanza d'accordo|d'accordo", "molto d'accordo|totalmente d'accordo|completamente d'accordo|" +
			"fortemente d'accordo"},
	{"mai", "quasi mai", "raramente", "qualche volta|a volte|talvolta", "spesso", "molto spesso", "quasi sempre",
		"sempre"},
	{"per niente|per nulla|affatto", "poco", "abbastanza|mediamente", "molto", "moltissimo|del tutto"},

	{"helemaal oneens|helemaal mee oneens|zeer mee oneens|helemaal niet mee eens", "oneens|mee oneens|niet mee eens",
		"neutraal|niet eens, niet oneens|niet mee eens, niet mee oneens|niet eens/niet oneens", "eens|mee eens",
		"helemaal eens|helemaal mee eens|zeer mee eens"},
	{"nooit", "bijna nooit|zelden", "soms|af en toe", "regelmatig|vaak", "heel vaak|zeer vaak", "bijna altijd|meestal",
		"altijd"},

	{"helt uenig|sterkt uenig|meget uenig", "uenig|delvis uenig|litt uenig",
		"verken enig eller uenig|hverken enig eller " +
			"uenig|nøytral|neutral|både og", "enig|delvis enig|litt enig", "helt enig|sterkt enig|meget enig"},
	{"slet ikke godt|dårligt|dårlig", "ikke ret godt|ikke særlig godt", "nogenlunde|nogenlunde godt", "godt|god",
		"meget godt|meget god"},
	{"aldri|aldrig", "nesten aldri|næsten aldrig|nästan aldrig", "sjelden|sjældent|sällan",
		"av og til|noen ganger|nogle " +
			"gange|ibland|en gang imellem", "ofte|ofta", "veldig ofte|meget ofte|mycket ofta", "nesten alltid|næsten altid|" +
			"nästan alltid", "alltid|altid"},
	{"tar helt avstånd|instämmer inte alls|håller inte alls med|stämmer inte alls",
		"instämmer inte|tar delvis avstånd|" +
			"instämmer delvis inte|stämmer dåligt", "varken eller|neutral|varken instämmer eller tar avstånd",
		"instämmer|instämmer " +
			"delvis|stämmer ganska bra|håller delvis med", "instämmer helt|instämmer helt och hållet|stämmer helt|" +
			"håller helt med"},
	{"täysin eri mieltä", "jokseenkin eri mieltä|osittain eri mieltä|eri mieltä",
		"ei samaa eikä eri mieltä|en samaa enkä " +
			"eri mieltä|neutraali", "jokseenkin samaa mieltä|osittain samaa mieltä|samaa mieltä", "täysin samaa mieltä"},
	{"en koskaan|ei koskaan", "harvoin", "joskus|silloin tällöin", "usein", "aina"},

	{"zdecydowanie nie|zdecydowanie się nie zgadzam|całkowicie się nie zgadzam",
		"raczej nie|raczej się nie zgadzam|nie " +
			"zgadzam się|nie", "trudno powiedzieć|ani tak, ani nie|ani się zgadzam, ani nie zgadzam|nie mam zdania",
		"raczej tak|raczej się zgadzam|zgadzam się|tak", "zdecydowanie tak|zdecydowanie się zgadzam|" +
			"całkowicie się zgadzam"},
	{"nigdy", "prawie nigdy|bardzo rzadko", "rzadko", "czasami|czasem|niekiedy", "często",
		"bardzo często|prawie zawsze|" +
			"zazwyczaj", "zawsze"},
	{"rozhodně ne|rozhodne nie|určite nie|určitě ne|rozhodně nesouhlasím|rozhodne nesúhlasím|vůbec nesouhlasím",
		"spíše ne|skôr nie|spíše nesouhlasím|skôr nesúhlasím|nesouhlasím|nesúhlasím",
		"nevím|neviem|ani ano, ani ne|neutrální|" +
			"neutrálne|ani súhlasím, ani nesúhlasím|ani souhlasím, ani nesouhlasím", "spíše ano|skôr áno|spíše souhlasím|" +
			"skôr súhlasím|souhlasím|súhlasím", "rozhodně ano|rozhodne áno|určite áno|určitě ano|rozhodně souhlasím|" +
			"rozhodne súhlasím|úplne súhlasím|zcela souhlasím"},
	{"nikdy", "téměř nikdy|takmer nikdy", "zřídka|zriedka|málokdy", "někdy|niekedy|občas", "často",
		"velmi často|veľmi často",
		"téměř vždy|takmer vždy", "vždy"},
	{"egyáltalán nem értek egyet", "inkább nem értek egyet|nem értek egyet",
		"egyet is értek meg nem is|semleges|közömbös",
		"inkább egyetértek|egyetértek", "teljesen egyetértek|teljes mértékben egyetértek"},
	{"soha", "szinte soha|nagyon ritkán", "ritkán", "néha|időnként", "gyakran", "nagyon gyakran|szinte mindig",
		"mindig"},

	{"полностью не согласен|совершенно не согласен|абсолютно не согласен|категорически не согласен",
		"не согласен|скорее не " +
			"согласен", "нейтрально|затрудняюсь ответить|ни согласен, ни не согласен|отчасти согласен, отчасти нет",
		"согласен|скорее согласен", "полностью согласен|совершенно согласен|абсолютно согласен"},
	{"нет|точно нет|определенно нет", "скорее нет|скорее нет, чем да", "скорее да|скорее да, чем нет", "да|точно да|" +
		"определенно да"},
	{"никогда", "почти никогда", "редко", "иногда", "часто", "очень часто|почти всегда", "всегда"},

	{"kesinlikle katılmıyorum|hiç katılmıyorum|tamamen katılmıyorum", "katılmıyorum", "kararsızım|ne katılıyorum ne " +
		"katılmıyorum|orta|kısmen katılıyorum", "katılıyorum", "kesinlikle katılıyorum|tamamen katılıyorum"},
	{"hiçbir zaman|asla", "nadiren", "bazen|ara sıra", "sık sık|genellikle|çoğunlukla|çoğu zaman", "her zaman|daima"},
	{"sangat tidak setuju", "tidak setuju", "netral|ragu-ragu|kurang setuju", "setuju", "sangat setuju"},
	{"tidak pernah", "jarang", "kadang-kadang|kadang", "sering", "sangat sering", "selalu"},
	{"hoàn toàn không đồng ý|rất không đồng ý", "không đồng ý", "trung lập|bình thường", "đồng ý",
		"hoàn toàn đồng ý|rất đồng ý"},

	{"非常不同意|完全不同意|强烈不同意|十分不同意", "不同意|比较不同意|不太同意|有点不同意", "一般|中立|不确定|不好说|普通",
		"同意|比较同意|有点同意|基本同意", "非常同意|完全同意|强烈同意|十分同意"},
	{"非常不满意|很不满意", "不满意|比较不满意|不太满意", "一般|普通", "满意|比较满意|基本满意", "非常满意|很满意"},
	{"非常不符合|完全不符合", "不符合|比较不符合|不太符合", "一般|不确定", "符合|比较符合|基本符合", "非常符合|完全符合"},
	{"从不|从来不|从未|没有", "很少|偶尔", "有时|有时候", "经常|常常", "总是|一直|非常频繁"},
	{"全くそう思わない|まったくそう思わない", "そう思わない|あまりそう思わない", "どちらともいえない|どちらとも言えない", "そう思う|" +
		"ややそう思う", "とてもそう思う|非常にそう思う|強くそう思う"},
	{"전혀 그렇지 않다|매우 그렇지 않다", "그렇지 않다|별로 그렇지 않다|그렇지 않은 편이다", "보통이다|보통", "그렇다|그런 편이다|대체로 그렇다",
		"매우 그렇다"},
})

// degrees are how much of something that each answer names, as in "not important" and "very important".
var degrees = scalesOf([][]string{
	{"not at all", "not", "not very|not too|not so|not that", "slightly|a little|a bit|only slightly", "somewhat",
		"moderately|fairly|reasonably", "quite|mostly|rather|pretty", "very|highly",
		"extremely|completely|totally|absolutely"},
	{"nada|en absoluto", "muy poco", "poco", "algo|moderadamente|medianamente|más o menos", "bastante", "muy|mucho",
		"extremadamente|totalmente|completamente"},
	{"nada", "muito pouco", "pouco", "mais ou menos|moderadamente|medianamente", "bastante", "muito",
		"extremamente|totalmente"},
	{"pas du tout", "pas|pas très|plutôt pas", "peu|un peu", "moyennement|modérément", "assez|plutôt", "très",
		"extrêmement|tout à fait"},
	{"gar nicht|überhaupt nicht", "nicht|eher nicht", "wenig|weniger|kaum", "etwas|teilweise|mäßig|mittelmäßig",
		"eher|ziemlich", "sehr", "äußerst|extrem"},
	{"per niente|per nulla", "poco", "abbastanza|mediamente", "molto", "moltissimo|estremamente"},
	{"helemaal niet", "niet", "een beetje|enigszins|niet zo", "redelijk|tamelijk", "erg|zeer|heel"},
	{"ikke|slet ikke|inte alls|ikke i det hele tatt", "litt|lidt|lite|mindre", "noe|noget|ganske|nokså",
		"svært|meget|mycket|veldig"},
	{"wcale nie|zupełnie nie", "mało|niezbyt", "trochę|średnio", "dość|raczej", "bardzo"},
	{"совсем не|совершенно не", "не|не очень", "немного|отчасти", "довольно|скорее", "очень"},
})

// scalesOf gives each wording of a step its place: the steps of a scale are in order, with | between the wordings.
func scalesOf(lists [][]string) []map[string]int {
	out := make([]map[string]int, 0, len(lists))
	for _, steps := range lists {
		scale := map[string]int{}
		for place, step := range steps {
			for wording := range strings.SplitSeq(step, "|") {
				if _, there := scale[wording]; !there {
					scale[wording] = place
				}
			}
		}
		out = append(out, scale)
	}
	return out
}
