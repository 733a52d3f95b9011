package charset

import (
	"strings"
	"unicode"
)

// Which encoding a text is in that names none and is no UTF-8: the one in which its characters are those of a language.

// alphabet is the letters of a language beside those of ASCII, small, and the encodings in which programs write them.
type alphabet struct {
	language, encodings, letters string
	// common are the eight or so that make up half of a text; "" where words are mostly in letters of ASCII.
	common string
}

var western = []alphabet{
	{"French", "windows-1252 macintosh IBM850", "àâæçèéêëîïôœùûüÿ", ""},
	{"German", "windows-1252 macintosh IBM850", "äöüßé", ""},
	{"Spanish", "windows-1252 macintosh IBM850", "áéíñóúü¿¡ºª", ""},
	{"Portuguese", "windows-1252 macintosh IBM850", "àáâãçéêíóôõúüºª", ""},
	{"Italian", "windows-1252 macintosh IBM850", "àèéìíîòóùú", ""},
	{"Catalan", "windows-1252 macintosh", "àçèéíïòóúü", ""},
	{"Dutch", "windows-1252 macintosh", "áèéêëïóöüĳ", ""},
	{"Swedish or Finnish", "windows-1252 macintosh IBM850", "äåöéüš", ""},
	{"Danish or Norwegian", "windows-1252 macintosh IBM850", "æøåéòôäöü", ""},
	{"Icelandic", "windows-1252", "áéíóúýþæöð", ""},
	{"Estonian", "windows-1252", "äõöüšž", ""},
}

var others = []alphabet{
	{"Polish", "windows-1250 iso-8859-2", "ąćęłńóśźż", ""},
	{"Czech", "windows-1250 iso-8859-2", "áčďéěíňóřšťúůýžöüä", ""},
	{"Slovak", "windows-1250 iso-8859-2", "áäčďéíĺľňóôŕšťúýžř", ""},
	{"Hungarian", "windows-1250 iso-8859-2", "áéíóöőúüű", ""},
	{"Romanian", "windows-1250", "ăâîşţ", ""},
	{"Croatian, Serbian or Slovene", "windows-1250 iso-8859-2", "čćđšž", ""},
	{"Turkish", "windows-1254", "çğıöşüâîûi̇", ""},
	{"Lithuanian", "windows-1257", "ąčęėįšųūž", ""},
	{"Latvian", "windows-1257", "āčēģīķļņšūž", ""},
	{"Russian", "windows-1251 koi8-r", "абвгдеёжзийклмнопрстуфхцчшщъыьэюя", "оеаинтср"},
	{"Ukrainian", "windows-1251", "абвгґдеєжзиіїйклмнопрстуфхцчшщьюя", "оаниіетр"},
	{"Bulgarian or Serbian", "windows-1251", "абвгдежзийклмнопрстуфхцчшщъьюяђјљњћџ", "аоиентср"},
	{"Greek", "windows-1253", "αβγδεζηθικλμνξοπρσςτυφχψωάέήίόύώϊϋΐΰ", "αοιετσνη"},
	{"Hebrew", "windows-1255", "אבגדהוזחטיכךלמםנןסעפףצץקרשת", "יוהלאתרמ"},
	{"Arabic", "windows-1256", "ءآأؤإئابةتثجحخدذرزسشصضطظعغفقكلمنهوىيپچژگ", "اليمنورت"},
	{"Thai", "windows-874", "กขฃคฅฆงจฉชซฌญฎฏฐฑฒณดตถทธนบปผฝพฟภมยรฤลฦวศษสหฬอฮะัาำิีึืฺุูเแโใไๅๆ็่้๊๋์ํ", "านรอกเงมย่้"},
}

// marksBeside are the signs that any language has beside its letters.
const marksBeside = "–—‘’‚“”„…«»€°§·•№´™®©±²³½¼%\u00a0\u00ad"

// wide is an encoding with two bytes or more for a character, and what tells that a text is in it: how many in a
// hundred of its characters beside ASCII are of a script, and how many of that are among the most common ones.
type wide struct {
	language, encoding string
	script             func(r rune) bool
	most               int
	common             string
	least              int
}

var wides = []wide{
	{"Chinese", "gb18030", han, 60, chinese, 25},
	{"Chinese", "big5", han, 60, traditional, 25},
	{"Japanese", "shift_jis", japanese, 90, kana, 25},
	{"Japanese", "euc-jp", japanese, 90, kana, 25},
	{"Korean", "euc-kr", hangul, 85, korean, 25},
}

func han(r rune) bool    { return unicode.Is(unicode.Han, r) }
func hangul(r rune) bool { return r >= 0xac00 && r <= 0xd7a3 }

// japanese tells whether a character is one that Japanese texts have: kana in full width, Chinese ones and signs.
func japanese(r rune) bool {
	return r >= 0x3000 && r <= 0x30ff || han(r) || r >= 0xff01 && r <= 0xff5e
}

const kana = "のにはをとがでたしいてなかるすこれまらもんあよくりきさけそうつちえわみせおやだどょっ" +
	"アイウエオカキクケコサシスセソタチツテトナニノハヒフヘホマミムメモラリルレロワンーッャュョ"

const chinese = "的一是不了在人有我他这个们中来上大为和国地到以说时要就出会可也你对生能而子那得于着下自之年过发后作里用道行" +
	"所然家种事成方多经么去法学如都同现当没动面起看定天分还进好小部其些主样理心她本前开但因只从想实日者意无力它与长把" +
	"机十民第公此已工使情明性知全三又关点正业外将两高间由问很最重并物手应向头文体相见被利什二等产或新己制身果加西月话" +
	"合回特代内信表化老给世位次度门任常先通教儿原东声提立及比员解水名真论处走义各入几口认条平系气题活更别女变四总何电" +
	"数安少报才结反受目太量再感建务做接必场件计管期市直资金指许统区保至社便空决展科司五基书非则满选择男您"

const traditional = "的一是不了在人有我他這個們中來上大為和國地到以說時要就出會可也你對生能而子那得於著下自之年過發後作裡用" +
	"道行所然家種事成方多經麼去法學如都同現當沒動面起看定天分還進好小部其些主樣理心她本前開但因只從想實日者意無力它" +
	"與長把機十民第公此已工使情明性知全三又關點正業外將兩高間由問很最重並物手應向頭文體相見被利什二等產或新己制身果" +
	"加西月話合回特代內信表化老給世位次度門任常先通教兒原東聲提立及比員解水名真論處走義各入幾口認條平系氣題活更別女" +
	"變四總何電數安少報才結反受目太量再感建務做接必場件計管期市直資金指許統區保至社便空決展科司五基書非則滿選擇男您"

const korean = "이다는가을에의한고로있지어사하기도나인그자를대부리시수일서정해아들과스보게라오상전원신제주동관학생문은안여" +
	"마면장구선소조세내으음습니까요남성용경"

// Guess finds out which encoding a text is in that is no UTF-8, and the language by which that was found. It is false
// if the text is best read as Windows-1252, or says too little.
func Guess(text []byte) (c Charset, language string, ok bool) {
	const enough, above = 5, 3 // characters, and in a hundred
	high := 0
	for _, b := range text {
		if b >= 0x80 {
			high++
		}
	}
	if high < enough {
		return c, "", false
	}
	for _, w := range wides {
		if c, err := Find(w.encoding); err == nil && w.is(c.runes(text)) {
			return c, w.language, true
		}
	}
	best, share, encoding := 0, 0, "windows-1252" // in a hundred characters
	read := map[string][]rune{}                   // the text in each encoding
	for _, list := range [][]alphabet{western, others} {
		for _, a := range list {
			for name := range strings.FieldsSeq(a.encodings) {
				if _, known := read[name]; !known {
					c, err := Find(name)
					if err != nil {
						continue
					}
					read[name] = c.runes(text)
				}
				covered, common := a.covers(read[name])
				if name == "windows-1252" && covered >= best || covered >= best+above ||
					share > 0 && common > share && covered+above > best {
					best, share, encoding, language = covered, common, name, a.language
				}
			}
		}
	}
	if c, err := Find(encoding); err == nil && encoding != "windows-1252" && best >= 97 {
		return c, language, true
	}
	return Charset{}, "", false
}

// runes decodes a text; what is no character becomes unicode.ReplacementChar.
func (c Charset) runes(text []byte) []rune {
	out, err := c.NewDecoder().Bytes(text)
	if err != nil {
		return nil
	}
	return []rune(string(out))
}

// is tells whether a text is in the encoding, as which it was read.
func (w *wide) is(text []rune) bool {
	const enough, wrong = 3, 200 // characters, and one of so many may be none
	all, bad, of, among := 0, 0, 0, 0
	for _, r := range text {
		switch {
		case r < 0x80:
			continue
		case r == unicode.ReplacementChar || r >= 0xe000 && r <= 0xf8ff || r >= 0xff61 && r <= 0xff9f:
			bad++
		case w.script(r):
			if of++; strings.ContainsRune(w.common, r) {
				among++
			}
		}
		all++
	}
	return of >= enough && wrong*bad <= all && 100*of >= w.most*all && 100*among >= w.least*of
}

// covers is how many in a hundred characters beside ASCII are of the alphabet, or signs beside it, and how many are the
// most common letters, if they are known; 0 if these are too few. A capital behind a small letter is none of it, nor a
// letter beside one of ASCII if the alphabet has no such.
func (a *alphabet) covers(text []rune) (covered, share int) {
	const half = 35 // in a hundred
	all, in, common, before := 0, 0, 0, ' '
	for i, r := range text {
		small := unicode.ToLower(r)
		inside := unicode.IsLower(before) && small != r
		if a.common != "" {
			inside = inside || latin(before) || i+1 < len(text) && latin(text[i+1])
		}
		switch {
		case r < 0x80:
		case !inside && strings.ContainsRune(a.letters, small), strings.ContainsRune(marksBeside, r):
			all, in = all+1, in+1
			if strings.ContainsRune(a.common, r) {
				common++
			}
		default:
			all++
		}
		before = r
	}
	if all == 0 || a.common != "" && 100*common < half*in {
		return 0, 0
	}
	return 100 * in / all, 100 * common / all
}

// latin tells whether a character is a letter of ASCII.
func latin(r rune) bool { return r < 0x80 && unicode.IsLetter(r) }
