package guess_test

import (
	"fmt"
	"testing"

	"github.com/crosswave/crosswave/store/guess"
)

// Where respondents live is told by a name, by a question that asks for it, or by answers that are names of places; a
// country that is asked about, a birthplace and a kind of place are something else.
func TestLocations(t *testing.T) {
	for _, c := range []struct {
		name, label string
		values      []string
		want        string
	}{
		{"region", "", []string{"1", "2", "3"}, "location"},
		{"NOM_COMUNA", "", []string{"ALGARROBO", "ANCUD", "ANGOL"}, "location"},
		{"reg", "REGIÃO", []string{"a", "b", "c"}, "location"},
		{"hh_reg", "", []string{"a", "b", "c"}, "location"},
		{"emo_reg_scan", "", []string{"Lab", "MRI", "None"}, "single emo_reg_scan"},
		{"q30", "", []string{"Ohio", "Texas", "Utah", "Iowa"}, "location"},
		{"S3", "", []string{"North", "North East", "South", "West"}, "location"},
		{"d3", "¿En qué departamento vives?", []string{"Áncash", "Apurímac", "Lima"}, "location"},
		{"In what country do you currently reside?", "", []string{"Chile", "Bolivia", "Elsewhere"}, "location"},
		{"q7", "Which country do you live in?", []string{"A", "B", "C"}, "location"},
		{"situ_pais", "", []string{"melhor", "igual", "pior"}, "single situ_pais"},
		{"q8", "How long have you lived in the city where you live now?", []string{"a", "b", "c"}, "single q8"},
		{"q9", "In which state were you born?", []string{"Ohio", "Texas", "Utah"}, "single q9"},
		{"estado_civil", "", []string{"soltero", "casado", "viudo"}, "single estado_civil"},
		{"region_size", "", []string{"small", "large", "huge"}, "single region_size"},
		{"meta_adm2_pcode", "", []string{"MW101", "MW102", "MW203"}, "location"},
		{"arrivals_origin_adm2", "", []string{"MW101", "MW102", "MW203"}, "single arrivals_origin_adm2"},
		{"Tnuts2", "", []string{"1", "2", "3"}, "location"},
		{"camp_name", "", []string{"Northend", "Southend"}, "location"},
		{"community_name", "", []string{"Northend", "Southend"}, "location"},
		{"Quartier", "", []string{"Eaux Claires", "Apecsy", "Rue Dix"}, "location"},
		{"location", "", []string{"house", "yard", "out of yard"}, "single location"},
		{"location", "", []string{"harlow", "cambridge", "ely"}, "location"},
		{"RP6", "Alguna persona cercana que no vive con Usted ha estado infectada", []string{"Si", "No", "No sabe"},
			"single RP6"},
		{"zone", "", []string{"Urban", "Rural", "Peri-urban"}, "single zone"},
		{"Area", "", []string{"Rural area", "Urban area", "Don't know"}, "single Area"},
		{"location", "", []string{"Home", "Ulm", "Genf", "Riga"}, "location"},
	} {
		f := repeated(60, "id|"+c.name+"|q", count(1), among(c.values...), among("a", "b")).file()
		f.Columns[1].Label = c.label
		if got := readings(guessed(t, f, guess.Options{}))[c.name]; got != c.want {
			t.Errorf("%s %q: read as %q, want %q", c.name, c.label, got, c.want)
		}
	}
}

// What is rated beside other things is no place, whatever it is called; countries in a row are places.
func TestRatedPlaces(t *testing.T) {
	for _, c := range []struct {
		answers []string
		want    bool
	}{
		{[]string{"Very strong", "Strong", "Moderate", "Weak", "Very weak"}, false},
		{[]string{"Chile", "Peru", "Bolivia"}, true},
	} {
		rated := among(c.answers...)
		f := repeated(60, "id|Culture|Language|Country|Weather|Food|Prices", count(1), rated, among(c.answers[1:]...),
			rated, rated, rated, rated).file()
		if got := readings(guessed(t, f, guess.Options{}))["Country"]; (got == "location") != c.want {
			t.Errorf("%q: Country is read as %s", c.answers, got)
		}
	}
}

// Codes whose labels are years are waves if the name or the label says that they are those of the survey.
func TestLabelledYears(t *testing.T) {
	for _, c := range []struct{ name, label, want string }{
		{"SERIE", "Año de aplicación de la encuesta", "wave"},
		{"q2", "Anno di nascita", "single q2"},
		{"q2", "When did you move here?", "single q2"},
	} {
		f := repeated(60, "id|"+c.name+"|q", count(1), among("8", "9"), among("a", "b")).file()
		f.Columns[1].Label = c.label
		for i := range 10 {
			f.Columns[1].Labels = append(f.Columns[1].Labels, guess.Label{Value: fmt.Sprint(i), Text: fmt.Sprint(2010 + i)})
		}
		m := guessed(t, f, guess.Options{})
		if got := readings(m)[c.name]; got != c.want {
			t.Errorf("%s: read as %q", c.label, got)
		}
		if w := m.Codebook.Survey.Waves; c.want == "wave" && (len(w) != 2 || w[0].Start != "2018-01-01" ||
			w[0].Kind != "year") {
			t.Errorf("%+v", w)
		}
	}
}

// What the survey tool writes, what nobody was asked, and what respondents wrote beside "other" are no questions.
func TestColumnsThatAreNoQuestions(t *testing.T) {
	f := repeated(200, "id|lastpage|startlanguage|unasked|q1|q1_other", count(1), among("3", "4"), among("en", "de"),
		among(""), among("a", "b"), func(i int) string {
			if i%40 == 0 {
				return fmt.Sprint("something ", i%160)
			}
			return ""
		}).file()
	f.Columns[3].Labels = []guess.Label{{Value: "1", Text: "Yes"}, {Value: "2", Text: "No"}}
	got := readings(guessed(t, f, guess.Options{}))
	for _, name := range []string{"lastpage", "startlanguage", "unasked", "q1_other"} {
		if got[name] != "not used" {
			t.Errorf("%s: read as %q", name, got[name])
		}
	}
}

// Where respondents live is told by codes of countries, by a question for it that names no kind of place, and by names
// that are written in other ways; where they worked before, what they are and what they like is something else, and so
// are answers of two letters that are no codes.
func TestLocationsByAnswers(t *testing.T) {
	for _, c := range []struct {
		name, label string
		values      []string
		want        string
	}{
		{"q2", "", []string{"DE", "FR", "PL", "IT", "ES"}, "location"},
		{"q2", "", []string{"SI", "NO", "NC"}, "single q2"},
		{"q2", "", []string{"SÃO PAULO", "Ceará", "Bahia", "interior"}, "location"},
		{"q2", "", []string{"1. Región de Ñuble", "2. Región del Maule", "3. Los Ríos"}, "location"},
		{"q2", "", []string{"Iran, Islamic Republic of", "Korea (South)", "Viet Nam"}, "location"},
		{"q2", "Where do you live?", []string{"Alphaville", "Betatown", "Gammaburg"}, "location"},
		{"q2", "Where do you live?", []string{"In a town", "In a village", "On a farm"}, "single q2"},
		{"q2", "Where did you live before?", []string{"Alphaville", "Betatown", "Gammaburg"}, "single q2"},
		{"q2", "Country of residence of the respondent", []string{"A", "B", "C"}, "location"},
		{"q2", "What is your nationality?", []string{"Chile", "Peru", "Bolivia"}, "single q2"},
		{"q2", "Which team will win?", []string{"Chile", "Peru", "Bolivia"}, "single q2"},
		{"estratopri", "", []string{"1101", "1102", "1103", "1104"}, "location"},
	} {
		f := repeated(60, "id|"+c.name+"|q", count(1), among(c.values...), among("a", "b")).file()
		f.Columns[1].Label = c.label
		if got := readings(guessed(t, f, guess.Options{}))[c.name]; got != c.want {
			t.Errorf("%s %q %q: read as %q, want %q", c.name, c.label, c.values, got, c.want)
		}
	}
}

// A question at the end of a survey that a third did not come to is a location all the same, and those who have none
// are kept.
func TestLocationOfSome(t *testing.T) {
	table := repeated(60, "id|country|q", count(1), among("Chile", "Peru", ""), among("a", "b"))
	m := guessed(t, table.file(), guess.Options{})
	if got := readings(m)["country"]; got != "location" {
		t.Errorf("read as %q", got)
	}
	whole(t, table, m)
}

// Where respondents live is asked in many languages and ways: as what is theirs, where they work in a country, and in
// one word. A place that they want, that is another's, or that is a kind of place is something else.
func TestLocationsInManyWords(t *testing.T) {
	towns := []string{"Alphaville", "Betatown", "Gammaburg", "Deltaport", "Epsilon", "Zetahaven"}
	for _, c := range []struct {
		name   string
		values []string
		want   bool
	}{
		{"In which region do you live?", towns, true},
		{"In which region do you currently work?", towns, true},
		{"WhichRegionAreYouCurrentlyWorkingIn", towns, true},
		{"Sélectionnez l'académie dans laquelle vous exercez.", towns, true},
		{"Région académique", towns, true},
		{"Wo wohnen Sie?", towns, true},
		{"Hvor mener du at du bor (omtrentlig)?", towns, true},
		{"Responde de qual Comarca/Município?", towns, true},
		{"Hvor bor du?", []string{"Hus", "Leilighet", "Rekkehus"}, false},
		{"Asuinpaikka", []string{"Kerrostalo", "Omakotitalo", "Rivitalo"}, false},
		{"Provincia", towns, true},
		{"¿En qué ciudad vives?", towns, true},
		{"¿Cuál es tu Municipio/Delegación? (Si vienes de fuera, solo tu estado)", towns, true},
		{"What is your term time postcode?", towns, true},
		{"What is your current location?", towns, true},
		{"What is your country of residence?", []string{"1", "2", "3", "4"}, false}, // numbers without labels
		{"What is your country?", []string{"1", "2", "3", "4"}, true},
		{"İl", towns, true},
		{"Область", towns, true},
		{"В каком городе Вы проживаете?", towns, true},
		{"Yaşadığınız şehir", towns, true},
		{"1、您当前居住的省份", towns, true},
		{"お住まいの都道府県を教えてください", towns, true},
		{"Place of residence", towns, true},
		{"Domicile", towns, true},
		{"Vives en el:", []string{"Estado de México", "Ciudad de México"}, true},
		{"Vives en el:", []string{"Centro viejo", "Ciudad de México"}, false},
		{"Place of residence during the pandemic", towns, false},
		{"Miejsce zamieszkania", []string{"Wieś", "Miasto do 50 tys.", "Miasto powyżej 50 tys."}, false},
		{"What is the state of your work?", towns, false},
		{"In which department do you work?", towns, false},
		{"¿En qué departamento trabajas?", towns, false},
		{"What is your dream city?", towns, false},
		{"What is your city's biggest problem?", towns, false},
		{"What is the name of your city mayor?", towns, false},
		{"Which country will be the champion?", []string{"Chile", "Peru", "Bolivia"}, false},
		{"Ethnicity", []string{"Chile", "Peru", "Bolivia"}, false},
		{"In which country did you work before?", towns, false},
	} {
		f := repeated(60, "id|"+c.name+"|q", count(1), among(c.values...), among("a", "b")).file()
		if got := readings(guessed(t, f, guess.Options{}))[c.name]; (got == "location") != c.want {
			t.Errorf("%q: read as %q", c.name, got)
		}
	}
	f := repeated(60, "id|mktsize_2|ethnic_2|q", count(1), func(i int) string { return fmt.Sprintf("Ward %c", 'a'+i%20) },
		among("Chile", "Peru", "Bolivia"), among("a", "b")).file()
	f.Columns[1].Label, f.Columns[2].Label = "London Borough", "Country"
	if got := readings(guessed(t, f, guess.Options{})); got["mktsize_2"] != "location" || got["ethnic_2"] == "location" {
		t.Errorf("read as %q", got)
	}
}
