package words

import "sync"

// letter is what some letters are written as without their accents: one letter, or two or three.
type letter struct{ plain, accented string }

// letters are all that have accents, in small letters: those that Unicode takes apart into a letter and marks, and
// those that it does not, but that are typed so where a keyboard lacks them: ł, ø, đ, ß, æ, the Turkish ı. Blends such
// as ﬁ, which texts from printed pages have, are their letters.
func letters() []letter {
	return []letter{
		{"a", "àáâãäåāăąǎǟǡǻȁȃȧḁạảấầẩẫậắằẳẵặ"}, {"ae", "æǣǽ"}, {"b", "ƀɓḃḅḇ"}, {"c", "çćĉċčȼḉ"}, {"d", "ðďđɖɗḋḍḏḑḓ"},
		{"dz", "ǆǳ"}, {"e", "èéêëēĕėęěȅȇȩḕḗḙḛḝẹẻẽếềểễệ"}, {"f", "ƒḟ"}, {"ff", "ﬀ"}, {"ffi", "ﬃ"}, {"ffl", "ﬄ"},
		{"fi", "ﬁ"}, {"fl", "ﬂ"}, {"g", "ĝğġģǥǧǵḡ"}, {"h", "ĥħȟḣḥḧḩḫẖ"}, {"i", "ìíîïĩīĭįıǐȉȋɨḭḯỉị"}, {"ij", "ĳ"},
		{"j", "ĵǰȷ"}, {"k", "ķĸƙǩḱḳḵ"}, {"l", "ĺļľŀłƚḷḹḻḽ"}, {"lj", "ǉ"}, {"m", "ḿṁṃ"}, {"n", "ñńņňŋǹṅṇṉṋ"}, {"nj", "ǌ"},
		{"o", "òóôõöøōŏőơǒǫǭǿȍȏȫȭȯȱṍṏṑṓọỏốồổỗộớờởỡợ"}, {"oe", "œ"}, {"p", "ṕṗ"}, {"r", "ŕŗřȑȓṙṛṝṟ"}, {"s", "śŝşšſșṡṣṥṧṩẛ"},
		{"ss", "ß"}, {"st", "ﬅﬆ"}, {"t", "ţťŧțṫṭṯṱẗ"}, {"th", "þ"}, {"u", "ùúûüũūŭůűųưǔǖǘǚǜȕȗʉṳṵṷṹṻụủứừửữự"}, {"v", "ṽṿ"},
		{"w", "ŵẁẃẅẇẉẘ"}, {"x", "ẋẍ"}, {"y", "ýÿŷƴȳẏẙỳỵỷỹ"}, {"z", "źżžƶẑẓẕ"}, {"ʒ", "ǯ"}, {"\u02b9", "\u0374"},
		{"α", "άἀἁἂἃἄἅἆἇὰάᾀᾁᾂᾃᾄᾅᾆᾇᾰᾱᾲᾳᾴᾶᾷ"}, {"ε", "έἐἑἒἓἔἕὲέ"}, {"η", "ήἠἡἢἣἤἥἦἧὴήᾐᾑᾒᾓᾔᾕᾖᾗῂῃῄῆῇ"},
		{"ι", "ΐίϊἰἱἲἳἴἵἶἷὶίιῐῑῒΐῖῗ"}, {"ο", "όὀὁὂὃὄὅὸό"}, {"ρ", "ῤῥ"}, {"σ", "ς"}, {"υ", "ϒϓϔΰϋύὐὑὒὓὔὕὖὗὺύῠῡῢΰῦῧ"},
		{"ω", "ώὠὡὢὣὤὥὦὧὼώᾠᾡᾢᾣᾤᾥᾦᾧῲῳῴῶῷ"}, {"а", "ӑӓ"}, {"г", "ѓ"}, {"е", "ѐёӗ"}, {"ж", "ӂӝ"}, {"з", "ӟ"}, {"и", "йѝӣӥ"},
		{"к", "ќ"}, {"о", "ӧ"}, {"у", "ўӯӱӳ"}, {"ч", "ӵ"}, {"ы", "ӹ"}, {"э", "ӭ"}, {"і", "ї"}, {"ѵ", "ѷ"}, {"ә", "ӛ"},
		{"ө", "ӫ"}, {"ا", "آأإ"}, {"و", "ؤ"}, {"ي", "ئ"}, {"ہ", "ۂ"}, {"ے", "ۓ"}, {"ە", "ۀ"},
	}
}

// plainOf has what each accented letter is without its accents. It is made when it is first needed.
var plainOf = sync.OnceValue(func() map[rune]string {
	of := map[rune]string{}
	for _, l := range letters() {
		for _, r := range l.accented {
			of[r] = l.plain
		}
	}
	return of
})
