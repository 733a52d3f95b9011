package charset

import (
	"strings"
	"unicode"
)

// Which encoding a text is in that names none and is no UTF-8: the one in which its characters are those of a
// language.

// alphabet is the letters of a language beside those of ASCII, small, and the encodings in which programs write them.
type alphabet struct {
	language, encodings, letters string
	// common are the eight or so that make up half of a text; "" where words are mostly in letters of ASCII.
	common string
	// signs tells that a text in this language, read as Windows-1252, has signs and other letters in it than the languages
	// of the west have together: what has none is of several of these.
	signs bool
	// before are what must stand behind some letters, as a, o or u stand behind ç.
	before map[rune]string
}

// western are the languages that Windows-1252 is for, and elsewhere are the encodings in which other systems wrote
// them.
var western = []alphabet{
	{language: "French", letters: "àâæçèéêëîïôœùûüÿ", before: cedilla},
	{language: "German", letters: "äöüßé"},
	{language: "Spanish", letters: "áéíñóúü¿¡ºª"},
	{language: "Portuguese", letters: "àáâãçéêíóôõúüºª", before: cedilla},
	{language: "Italian", letters: "àèéìíîòóùú"},
	{language: "Catalan", letters: "àçèéíïòóúü"},
	{language: "Dutch", letters: "áèéêëïóöüĳ"},
	{language: "Swedish or Finnish", letters: "äåöéü"},
	{language: "Danish or Norwegian", letters: "æøåéòôäöü"},
	{language: "Icelandic", letters: "áéíóúþæöð"},
	{language: "Estonian", letters: "äõöü"},
}

// cedilla is what letters stand before in languages of the west.
var cedilla = map[rune]string{'ç': "aouàáâãóôõúùûœ", 'õ': "e"}

// Letters that a language hardly has are left out where they are what other bytes look like: ä and ö of German words
// in Czech, ŕ for the à of Italian ones in Slovak, and above the š of all others in Finnish. Of two languages that
// have all letters of a text the first is taken.
var others = []alphabet{
	{language: "Lithuanian", encodings: "windows-1257", letters: "ąčęėįšųūž"},
	{language: "Latvian", encodings: "windows-1257", letters: "āčēģīķļņšūž"},
	{language: "Turkish", encodings: "windows-1254", letters: "çğıöşüâi̇"},
	{language: "Polish", encodings: "windows-1250 iso-8859-2", letters: "ąćęłńóśźż", signs: true},
	{language: "Czech", encodings: "windows-1250 iso-8859-2", letters: "áčďéěíňóřšťúůýž", signs: true},
	{language: "Slovak", encodings: "windows-1250 iso-8859-2", letters: "áäčďéíľňóôšťúýž", signs: true},
	{language: "Hungarian", encodings: "windows-1250 iso-8859-2", letters: "áéíóöőúüű"},
	{language: "Romanian", encodings: "windows-1250", letters: "ăâîşţ"},
	{language: "Croatian, Serbian or Slovene", encodings: "windows-1250 iso-8859-2", letters: "čćđšž", signs: true},
	{language: "Russian", encodings: "windows-1251 koi8-r", letters: "абвгдеёжзийклмнопрстуфхцчшщъыьэюя",
		common: "оеаинтср"},
	{language: "Ukrainian or Belarusian", encodings: "windows-1251", letters: "абвгґдеёєжзиіїйклмнопрстуўфхцчшщыьэюя",
		common: "оаниіетр"},
	{language: "Bulgarian or Serbian", encodings: "windows-1251", letters: "абвгдежзийклмнопрстуфхцчшщъьюяђјљњћџ",
		common: "аоиентср"},
	{language: "Greek", encodings: "windows-1253 iso-8859-7", letters: "αβγδεζηθικλμνξοπρσςτυφχψωάέήίόύώϊϋΐΰ",
		common: "αοιετσνη"},
	{language: "Hebrew", encodings: "windows-1255", letters: "אבגדהוזחטיכךלמםנןסעפףצץקרשת₪",
		common: "יוהלאתרמ"},
	{language: "Arabic", encodings: "windows-1256", letters: "ءآأؤإئابةتثجحخدذرزسشصضطظعغفقكلمنهوىيپچژگـًٌٍَُِّْ؟،؛",
		common: "اليمنورت"},
	{language: "Thai", encodings: "windows-874",
		letters: "กขฃคฅฆงจฉชซฌญฎฏฐฑฒณดตถทธนบปผฝพฟภมยรฤลฦวศษสหฬอฮะัาำิีึืฺุูเแโใไๅๆ็่้๊๋์ํ฿",
		common:  "านรอกเงมย่้"},
}

var elsewhere = []string{"macintosh", "IBM850"}

// try is a language in one of the encodings in which it is written.
type try struct {
	*alphabet
	encoding string
}

// tries are the languages in all encodings but Windows-1252, in the order in which they are tried.
func tries(yield func(try) bool) {
	for i := range others {
		for encoding := range strings.FieldsSeq(others[i].encodings) {
			if !yield(try{&others[i], encoding}) {
				return
			}
		}
	}
	for _, encoding := range elsewhere {
		for i := range western {
			if !yield(try{&western[i], encoding}) {
				return
			}
		}
	}
}

// marksBeside are the signs that any language has beside its letters. Of these marksWithin stand within words, too,
// and marksApart next to no letter.
const (
	marksBeside = "–—‘’‚“”„…«»€°§·•№´™®©±²³½¼¾%\u00a0\u00ad£¢¥ƒ×÷µ‰†‡¿¡¬¦¨ºª"
	marksWithin = "–—‘’“”…•·´½\u00a0\u00ad"
	marksApart  = "¾¼±×÷¬¦¨ƒ‰†‡"
)

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
	{"Japanese", "shift_jis", japanese, 90, kana, 12},
	{"Japanese", "euc-jp", japanese, 90, kana, 12},
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
	const enough, above, most, sure = 5, 3, 92, 97 // characters, and in a hundred
	high := 0
	for _, b := range text {
		if b >= 0x80 {
			high++
		}
	}
	if high < enough {
		return c, "", false
	}
	if c, language, ok := guessWide(text); ok {
		return c, language, true
	}
	windows := Windows1252()
	best, share, encoding := 0, 0, "" // in a hundred characters
	as := windows.runes(text)
	for _, a := range western {
		covered, _ := a.covers(as)
		best = max(best, covered)
	}
	if best >= most { // with a few words of another language, or names
		return Charset{}, "", false
	}
	mixed, _ := westernLetters().covers(as)
	read := map[string][]rune{} // the text in each encoding
	for t := range tries {
		if t.signs && mixed >= sure {
			continue
		}
		if _, known := read[t.encoding]; !known {
			c, err := Find(t.encoding)
			if err != nil {
				continue
			}
			read[t.encoding] = c.runes(text)
		}
		covered, common := t.covers(read[t.encoding])
		if covered >= best+above || covered > best && t.language == language ||
			share > 0 && common > share && covered+above > best {
			best, share, encoding, language = covered, common, t.encoding, t.language
		}
	}
	if c, err := Find(encoding); err == nil && encoding != "" && best >= sure {
		return c, language, true
	}
	return Charset{}, "", false
}

// westernLetters are those of all languages of the west.
func westernLetters() *alphabet {
	var all strings.Builder
	for _, a := range western {
		all.WriteString(a.letters)
	}
	return &alphabet{letters: all.String()}
}

// guessWide finds out whether a text is in an encoding with several bytes for a character: of those that it may be
// in, the one in which most are common.
func guessWide(text []byte) (best Charset, language string, ok bool) {
	most := 0
	for _, w := range wides {
		c, err := Find(w.encoding)
		if err != nil {
			continue
		}
		if among := w.among(c.runes(text)); among > most {
			best, language, most = c, w.language, among
		}
	}
	return best, language, most > 0
}

// runes decodes a text; what is no character becomes unicode.ReplacementChar.
func (c Charset) runes(text []byte) []rune {
	out, err := c.NewDecoder().Bytes(text)
	if err != nil {
		return nil
	}
	return []rune(string(out))
}

// among is how many in a hundred characters of a text that was read as the encoding are common ones; 0 if it is not in
// it. Most stand next to no letter of ASCII: what looks like such a character in a text of another language is letters
// within its words.
func (w *wide) among(text []rune) int {
	const enough, wrong = 3, 200 // characters; one of so many may be none
	all, bad, of, common, within, before := 0, 0, 0, 0, 0, ' '
	for i, r := range text {
		switch {
		case r < 0x80:
			before = r
			continue
		case r == unicode.ReplacementChar || r >= 0xe000 && r <= 0xf8ff || r >= 0xff61 && r <= 0xff9f:
			bad++
		case w.script(r):
			if of++; strings.ContainsRune(w.common, r) {
				common++
			}
			if latin(before) || i+1 < len(text) && latin(text[i+1]) {
				within++
			}
		}
		all, before = all+1, r
	}
	if of < enough || 2*within > of || wrong*bad > all || 100*of < w.most*all || 100*common < w.least*of {
		return 0
	}
	return 100 * common / of
}

// covers is how many in a hundred characters beside ASCII are of the alphabet, or signs beside it, and how many are
// the most common letters, if they are known; 0 if these are too few. A capital behind a small letter is none of it,
// nor a sign between two letters, nor a letter beside one of ASCII if the alphabet has no such.
func (a *alphabet) covers(text []rune) (covered, share int) {
	const half = 35 // in a hundred
	all, in, common, before := 0, 0, 0, ' '
	for i, r := range text {
		if r < 0x80 {
			before = r
			continue
		}
		small, after := unicode.ToLower(r), ' '
		if i+1 < len(text) {
			after = text[i+1]
		}
		letter := strings.ContainsRune(a.letters, small) && !strings.ContainsRune(marksBeside, r)
		inside := unicode.IsLower(before) && small != r ||
			a.before[small] != "" && !strings.ContainsRune(a.before[small], unicode.ToLower(after))
		if a.common != "" {
			inside = inside || letter && (latin(before) || latin(after))
		}
		if !letter && !strings.ContainsRune(marksWithin, r) {
			one, other := unicode.IsLetter(before), unicode.IsLetter(after)
			inside = one && other || (one || other) && strings.ContainsRune(marksApart, r) && !unicode.IsDigit(before)
		}
		if all++; !inside && (strings.ContainsRune(a.letters, small) || strings.ContainsRune(marksBeside, r)) {
			in++
			if strings.ContainsRune(a.common, small) {
				common++
			}
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
