package charset

import (
	"strings"
	"testing"
)

// texts are as they stand in surveys, each with the encodings in which it is written without a name.
var texts = []struct{ encodings, text string }{
	{"windows-1250 iso-8859-2", "Zdecydowanie się nie zgadzam;Raczej się zgadzam;Trudno powiedzieć;Płeć;Miejscowość;żona"},
	{"windows-1250 iso-8859-2", "Rozhodně souhlasím;Spíše ne;Jak často nakupujete?;Pohlaví;Věk;mužů;děti;říjen;ještě"},
	{"windows-1250 iso-8859-2", "Úplne súhlasím;Skôr nesúhlasím;Ako často nakupujete?;Vzdelanie;ľudia;mäso;dieťa;žena"},
	{"windows-1250 iso-8859-2", "Időbélyeg;Nő;Férfi;Egyáltalán nem értek egyet;Hány éves?;főiskola;gyűjtő;szülő"},
	{"windows-1250", "Deloc mulţumit;Foarte mulţumit;Câţi ani aveţi?;Bărbat;Oraş;învăţământ;să"},
	{"windows-1250 iso-8859-2", "Koliko često kupujete?;Uopće se ne slažem;žena;mušk.;učenik;šećer;đak"},
	{"windows-1254", "Zaman damgası;Kesinlikle katılmıyorum;Cinsiyetiniz;Kadın;Öğrenci;Yaşınız;İstanbul;Çalışıyor"},
	{"windows-1257", "Visiškai nesutinku;Kokia jūsų lytis?;Vyras;Moteris;Kiek metų?;šeima;žmonės;įmonė;mėnesių"},
	{"windows-1257", "Pilnīgi nepiekrītu;Cik bieži?;Vīrietis;Sieviete;Cik gadu?;ģimene;ļoti;ķermenis;šķiet;nākamā"},
	{"windows-1251 koi8-r", "Отметка времени;Полностью согласен;Скорее не согласен;Ваш пол;Мужской;Женский;Как часто?"},
	{"windows-1251", "Позначка часу;Повністю згоден;Скоріше не згоден;Ваша стать;Чоловіча;Жіноча;Як часто?;їжа"},
	{"windows-1253", "Χρονική σήμανση;Συμφωνώ απόλυτα;Διαφωνώ;Φύλο;Άνδρας;Γυναίκα;Πόσο συχνά;Ηλικία;ναι;όχι"},
	{"windows-1255", "מסכים מאוד;לא מסכים;מין;גבר;אישה;כמה פעמים בשבוע;גיל;באיזו מידה אתה מרוצה"},
	{"windows-1256", "أوافق بشدة;لا أوافق;الجنس;ذكر;أنثى;كم مرة في الأسبوع;العمر;إلى أي مدى أنت راض عن الخدمة"},
	{"windows-874", "เห็นด้วยอย่างยิ่ง;ไม่เห็นด้วย;เพศ;ชาย;หญิง;อายุ;ท่านมีความพึงพอใจต่อการให้บริการเพียงใด"},
	{"gb18030", "时间戳记;非常同意;不同意;您的性别;男;女;您每周使用多少次?;您对服务的满意程度"},
	{"big5", "時間戳記;非常同意;不同意;您的性別;男;女;您每週使用多少次?;您對服務的滿意程度"},
	{"shift_jis euc-jp", "タイムスタンプ;とてもそう思う;そう思わない;性別;男性;女性;週に何回利用しますか;サービスに満足していますか"},
	{"euc-kr", "타임스탬프;매우 그렇다;그렇지 않다;성별;남성;여성;일주일에 몇 번 이용하십니까;서비스에 만족하십니까"},
	{"windows-1251 koi8-r", "ПОЛ;ВОЗРАСТ;ОБРАЗОВАНИЕ;МУЖСКОЙ;ЖЕНСКИЙ;СОГЛАСИЕ;СКОРЕЕ НЕТ"},
	{"windows-1253 iso-8859-7", "Άνδρας;Άλλο;ναι;όχι;Έχετε παιδιά;Πόσο;Άγαμος;άλλη ηλικία"},
	{"windows-1257", "Dzimums;vīrietis;Izglītība;vidējā;dažreiz;vienmēr;Rīga"},
	{"windows-1254", "Medeni durum;Evli;Bekâr;Boşanmış;Kadın;Eğitim"},
	{"windows-1256", "أحياناً;دائماً;راضٍ جداً;هل تعمل؟;العمر؛ الجنس"},
	{"windows-1250", "Včasih;nikoli;pogosto;moški;ženska;študent;osnovna šola"},
	{"shift_jis euc-jp", "頻度;全くない;たまに;よくある;会社員;東京都;大阪府;北海道;職業;公務員"},
	{"macintosh", "männlich;weiblich;täglich;Häufigkeit;nie;wöchentlich;Größe"},
	{"macintosh IBM850", "Tout à fait d'accord;Plutôt pas d'accord;Êtes-vous marié?;Âge;Fréquence;très;déjà;où;français"},
	{"macintosh IBM850", "Stimme überhaupt nicht zu;Für Männer und Frauen;häufig;täglich;größer;höchstens;Übung"},
	{"macintosh IBM850", "¿Con qué frecuencia?;Sí;Algún día;año;niños;educación;después;jamás;él;pingüino;según;él"},
}

func TestGuess(t *testing.T) {
	for _, c := range texts {
		for name := range strings.FieldsSeq(c.encodings) {
			charset, err := Find(name)
			if err != nil {
				t.Fatal(err)
			}
			written, err := charset.NewEncoder().String(c.text)
			if err != nil {
				t.Fatalf("%s in %s: %v", c.text, name, err)
			}
			guessed, _, ok := Guess([]byte(written))
			if !ok {
				t.Errorf("%s in %s is not recognised", c.text, name)
				continue
			}
			if read, err := guessed.NewDecoder().String(written); err != nil || read != c.text {
				t.Errorf("%s in %s is read as %s: %s (%v)", c.text, name, guessed.Name, read, err)
			}
		}
	}
}

// What Western Europe writes on Windows is not taken for anything else, nor what is too little or no text.
func TestGuessNothing(t *testing.T) {
	for _, text := range []string{
		"Tout à fait d'accord;Plutôt pas d'accord;Êtes-vous marié?;Âge;Fréquence;très;déjà;où;français;cœur",
		"Stimme überhaupt nicht zu;Für Männer und Frauen;häufig;täglich;größer;höchstens;Übung;Café;10 €",
		"¿Con qué frecuencia?;Sí;Algún día;año;niños;educación;después;jamás;pingüino;ª",
		"Não concordo nem discordo;Às vezes;educação;opções;você;português;à noite;avó;lingüiça",
		"È d'accordo?;perché;città;più;così;Né d'accordo né in disaccordo;età;già",
		"Håller inte alls med;Hur ofta äter du?;kön;ålder;sällan;någon gång;två",
		"Svært uenig;Både og;Kjønn;Når;født;år;gå;få;køn",
		"Þú;æði;ósammála;mjög;börn;ár;konur eða karlar;já;við",
		"Don’t know – “other” … it’s the respondents’ own • words",
		"Tout à fait;häufig;mañana;Não;è;Størrelse", // of several languages
		"na\u00efve café", // too little
		"Größe in m²;5 µm;½;±3 °C;£20;©",
		"Under £10,000;£10,000 to £19,999;£20,000–£29,999;over £30,000;£5;£6",
		"10 × 15 cm;13 × 18 cm;2× a week;3×;4×;f/2.8;¥5000;0¢;§ 15;¾ or more;50 µg;‰",
		"Kjønn;Bjørn;både og;José;Bjørn;bjørn;Kjønn;bjørn;García",
		strings.Repeat("männlich;täglich;", 20) + "Café Crème;Après-Ski",
		"Età;comodità;qualità;città;perché;Häagen",
		"Zürich;Genève;Graubünden;männlich;Zürich;Bern",
		"English;Español;Português;Français;Deutsch;Español;Português",
		"Søren;Muñoz;Müller;Smith;Søren;Müller;García;Jørgensen",
		"18–24;25–34;Mon–Fri;Work–life balance;Don’t know;London–Paris;Yes—always;well…maybe;Tea•Coffee",
		"Very\u00a0good;Quite\u00a0good;1½h;½hr;2½h;Don‘t know;täglich;nie",
		"lundi–vendredi;samedi–dimanche;Âge;18–25",
		"març;Molt feliç;Sí;Gens feliç;maig",
		"Samþykki;Já;Nei;Samþykkir;Mjög",
	} {
		written, err := Windows1252().NewEncoder().String(text)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		if c, language, ok := Guess([]byte(written)); ok {
			read, _ := c.NewDecoder().String(written)
			t.Errorf("%s is read as %s (%s): %s", text, c.Name, language, read)
		}
	}
	noise := make([]byte, 1<<12)
	for i := range noise {
		noise[i] = byte(i*i*7 + i>>3)
	}
	if c, language, ok := Guess(noise); ok {
		t.Errorf("noise is read as %s (%s)", c.Name, language)
	}
}

func FuzzGuess(f *testing.F) {
	for _, c := range texts {
		f.Add([]byte(c.text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		if c, language, ok := Guess(text); ok && (c.Name == "" || language == "" || c.ReadAs() == "windows-1252") {
			t.Errorf("%q by %q", c.Name, language)
		}
	})
}
