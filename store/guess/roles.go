package guess

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/store/survey"
	"github.com/crosswave/crosswave/store/survey/period"
)

// fieldwork is the column of waves or of locations and what is in it.
type fieldwork struct {
	column  string
	missing string   // code of what stands for no value
	values  []string // the value of each, in order
	names   []string

	by      period.By       // of waves: the column holds dates, and the first of values are …
	periods []period.Period // … the codes of these
	order   period.Order    // of the dates
}

// roles finds the columns that are no questions: who the respondents are, what they weigh, when and where they were
// asked.
func (g *guesser) roles() error {
	for _, name := range []string{g.options.Respondent, g.options.Weight, g.options.Wave, g.options.Location} {
		if i, err := g.find("", name); err == nil && name != "" && name != None {
			g.columns[i].named = true
		}
	}
	for _, role := range []struct {
		option, name string
		take         func(i int, why Reason) error
		guess        func() (int, Reason)
	}{
		{"respondent", g.options.Respondent, g.takeRespondent, g.guessRespondent},
		{"weight", g.options.Weight, g.takeWeight, g.guessWeight},
		{"wave", g.options.Wave, g.takeWave, g.guessWave},
		{"location", g.options.Location, g.takeLocation, g.guessLocation},
	} {
		i, why := -1, Reason{Kind: Said}
		switch role.name {
		case None:
		case "":
			i, why = role.guess()
		default:
			var err error
			if i, err = g.find(role.option, role.name); err != nil {
				return err
			}
		}
		if i >= 0 && g.columns[i].taken {
			return &OptionError{role.option, fmt.Sprintf("column %q is the %s already", g.columns[i].origin.Name,
				g.readings[i].As)}
		}
		if err := role.take(i, why); err != nil {
			return err
		}
	}
	g.otherWeights()
	return nil
}

// ranked are names of columns, the surest first.
var (
	respondentNames = strings.Fields(`
		respondentid respid uniqueid responseid caseid uuid respondent respno respnum respondentserial id serial
		recordid recordnumber recordno record case interviewid interviewnumber interview participantid participant
		panelistid memberid userid subjectid subject sysrespnum lfdn idnr intnr rid pid token key
		identifiant identificador identificativo identifikator identifikationsnummer idrespondent respondentno
		númeroderegistro numeroderegistro registro folio númerodecuestionario numerodecuestionario laufendenummer lfdnr
		fragebogennummer numéroquestionnaire numérodequestionnaire nrankiety númerodoquestionário iddelencuestado`)
	waveNames = strings.Fields(`wave surveywave waveid wavenumber waveno welle vague ola onda ronda round ` +
		`quarter qtr trimester fieldworkperiod surveyperiod period surveyyear fieldworkyear year surveymonth month`)
	locationNames = strings.Fields(`
		country countrycode countryname surveycountry countryofresidence market marketcode marketname land pays pais
		nation territory location locality region regioncode regionname state province bundesland city area`)
)

const ownWaveNames = 10 // the first so many of waveNames mean nothing else

// rank is the place of a column's name, or else of its label if that is short, among names; -1 if it is in none.
func (c *column) rank(ranked []string) int {
	if i := slices.Index(ranked, strings.Join(words(c.Name), "")); i >= 0 {
		return i
	}
	if label := words(c.Label); len(label) > 0 && len(label) <= 4 {
		if i := slices.Index(ranked, strings.Join(label, "")); i >= 0 {
			return len(ranked) + i
		}
	}
	return -1
}

// best finds the column with the best name among those that will do, the first of them in the file.
func (g *guesser) best(ranked []string, will func(*column) bool) int {
	best, rank := -1, 0
	for _, i := range g.open() {
		c := g.columns[i]
		if r := c.rank(ranked); r >= 0 && (best < 0 || r < rank) && will(c) {
			best, rank = i, r
		}
	}
	return best
}

// because says what a guess of a column by name rests on, -1 being none.
func (g *guesser) because(i int, names []string) (int, Reason) {
	switch {
	case i < 0:
		return -1, Reason{}
	case slices.Contains(names, strings.Join(words(g.columns[i].Name), "")):
		return i, Reason{Kind: ReasonName}
	}
	return i, Reason{Kind: ReasonLabel, Text: g.columns[i].Label}
}

func (g *guesser) guessRespondent() (int, Reason) {
	for _, i := range g.open() {
		if c := g.columns[i]; c.Serial {
			if c.unique() {
				return i, Reason{Kind: ReasonFile}
			}
			g.note("column %s: the file says that it identifies respondents, but values repeat or are missing, so "+
				"it is not used", c.origin.Name)
		}
	}
	will := func(c *column) bool {
		return c.unique() && !c.broken && !c.Weight && (!c.number || c.integer) && c.Kind != Date && c.longest <= longValue
	}
	if i := g.best(respondentNames, will); i >= 0 {
		return i, Reason{Kind: ReasonUniqueName}
	}
	for _, i := range g.open() {
		c := g.columns[i]
		list := words(c.Name)
		if will(c) && !c.unsure && len(list) > 0 && (list[0] == "resp" || list[0] == "respondent" ||
			list[0] == "id" && len(list) == 2 ||
			list[len(list)-1] == "id") {
			return i, Reason{Kind: ReasonUniqueID}
		}
	}
	const surely = 8 // the first so many of respondentNames mean nothing else
	if i := g.best(respondentNames[:surely], func(c *column) bool { return c.filled > 0 }); i >= 0 {
		g.note("column %s: its name is that of an id, but values repeat or are missing, so it is not used as such",
			g.columns[i].origin.Name)
		return -1, Reason{}
	}
	if open := g.open(); len(open) > 0 {
		c := g.columns[open[0]]
		if will(c) && !c.unsure && c.filled >= 10 && len(c.Labels) == 0 && !c.date && !c.timeAs(dateNames) {
			return open[0], Reason{Kind: ReasonUniqueFirst}
		}
	}
	return -1, Reason{}
}

// timeAs tells whether a column with one of some names holds times of day, behind dates that are not read.
func (c *column) timeAs(names []string) bool {
	return c.rank(names) >= 0 && !c.number && len(c.values) > 0 && timeOfDay.MatchString(c.values[0].text)
}

var timeOfDay = regexp.MustCompile(`\d:\d\d`)

func (g *guesser) takeRespondent(i int, why Reason) error {
	if i < 0 {
		g.respondent = survey.RowNumber
		g.note("respondents are known by the numbers of their rows: no column is surely their id")
		return nil
	}
	c := g.columns[i]
	g.respondent = c.origin.Name
	g.read(i, "respondent", "", why)
	g.note("column %s: read as the respondent's id, because %s", c.origin.Name, why)
	return nil
}

// fewPeriods and fewPlaces are how many waves and locations there may be.
const fewPeriods, fewPlaces = 150, 500

// groups tells whether a column divides the file into a few parts.
func (c *column) groups(most int) bool {
	n := len(c.values)
	return !c.many && n > 0 && n <= most && c.filled*4 >= 3*c.rows() && (c.filled >= 2*int64(n) || n <= 5) &&
		(!c.number || c.integer) && !c.separated()
}

var personal = set(`birth born dob origin visited abroad ago last holiday next prefer favourite favorite nacimiento
	nació nacido nascimento nasceu naissance né née geburt geburtsjahr geboren nascita nato
	geboorte urodzenia doğum married graduated graduate graduation
	graduating gradyear grad started arrived`)

func (g *guesser) guessWave() (int, Reason) {
	if g.options.WaveBy != "" {
		return g.datesToDivide()
	}
	i := g.best(waveNames, func(c *column) bool {
		if !c.groups(fewPeriods) || has(words(c.Name), personal) || has(words(c.Label), personal) {
			return false
		}
		if !slices.Contains(waveNames, strings.Join(words(c.Name), "")) { // the label says so: a year or a month may be any
			return slices.Contains(waveNames[:ownWaveNames], strings.Join(words(c.Label), ""))
		}
		if name := words(c.Name); name[len(name)-1] == "year" {
			return c.number && c.least.Float64() >= 1990 && c.most.Float64() <= 2100
		}
		return true
	})
	if i >= 0 {
		return g.because(i, waveNames)
	}
	for _, guess := range []func() (int, Reason){g.labelledYear, g.yearColumn, g.guessDates} {
		if i, why := guess(); i >= 0 {
			return i, why
		}
	}
	return -1, Reason{}
}

// yearNames are names of columns with the year of the interview; "year" is one of waves.
var yearNames = strings.Fields(`interviewyear yearofinterview intyear yearint surveyyr yearofsurvey yearofthesurvey
	yearoffieldwork yr jahr erhebungsjahr befragungsjahr jahrderbefragung jahrdererhebung
	año ano anno année annee jaar år rok
	añoencuesta añodeencuesta añodelaencuesta anodapesquisa annoindagine annéeenquête annéedelenquête`)

// yearColumn finds a column of years, one for everyone and several in all, that has the name of the survey's year.
func (g *guesser) yearColumn() (int, Reason) {
	i := g.best(yearNames, func(c *column) bool {
		return c.number && c.integer && len(c.values) >= 2 && c.groups(fewPeriods) && c.empty+c.missing == 0 &&
			c.least.Float64() >= 1990 && c.most.Float64() <= 2100 && !has(words(c.Name), personal) &&
			!has(words(c.Label), personal)
	})
	return g.because(i, yearNames)
}

// yearWords say of a year that it is that of the survey.
var yearWords = set("year año ano année jahr jaar anno survey encuesta encuestas pesquisa enquête umfrage befragung " +
	"serie wave onda ola vague welle edición edition fieldwork aplicación")

// labelledYear finds a column whose answers are years, by their labels, and whose name or label says that they are
// those of the survey.
func (g *guesser) labelledYear() (int, Reason) {
	for _, i := range g.open() {
		c := g.columns[i]
		if len(c.Labels) == 0 || len(c.values) < 2 || !c.groups(fewPeriods) || has(words(c.Name), personal) ||
			has(words(c.Label), personal) || !has(words(c.Name), yearWords) && !has(words(c.Label), yearWords) {
			continue
		}
		years := !slices.ContainsFunc(c.choices(), func(o choice) bool {
			p, ok := parsePeriod(o.name)
			return !c.unseen(o.value) && (!o.labelled || !ok || p.kind != "year" || p.start < "1990")
		})
		if years {
			return i, Reason{Kind: ReasonYears}
		}
	}
	return -1, Reason{}
}

func (g *guesser) takeLocation(i int, why Reason) error {
	return g.takeFieldwork(&g.location, "location", i, why)
}

// takeFieldwork reads a column as that of waves or locations. Every value that stands in it is listed, those that are
// missing elsewhere too, because a respondent must have a wave and a location.
func (g *guesser) takeFieldwork(a *fieldwork, what string, i int, why Reason) error {
	if i < 0 {
		g.note("all respondents are of one %s: no column tells it", what)
		return nil
	}
	c := g.columns[i]
	if c.many || len(c.values)+len(c.declared) == 0 {
		return &OptionError{what, fmt.Sprintf("column %q (%s) cannot be the %s: there must be at least one value, "+
			"and at most %d", c.origin.Name, c.summary(), what, mostValues)}
	}
	a.column = c.origin.Name
	listed := slices.Clone(c.values)
	twoLetters := !slices.ContainsFunc(c.values, func(v value) bool { return len(v.text) != 2 })
	lacking := c.empty
	for _, v := range c.marks {
		if v.text == "NA" && twoLetters && len(c.values) > 0 { // Namibia, not "not available"
			listed = append(listed, v)
			lacking -= v.n
		}
	}
	seen := map[string]bool{}
	for _, v := range slices.Concat(listed, c.declared) {
		seen[v.text] = true
	}
	add := func(v, name string) {
		if seen[v] {
			a.values, a.names = append(a.values, v), append(a.names, name)
			seen[v] = false
		}
	}
	for _, l := range c.Labels {
		if v := canonical(l.Value); strings.TrimSpace(l.Text) != "" {
			add(v, strings.TrimSpace(l.Text))
		}
	}
	maps.DeleteFunc(seen, func(_ string, left bool) bool { return !left })
	rest := slices.Sorted(maps.Keys(seen))
	inOrder(rest)
	for _, v := range rest {
		name := v
		if _, err := strconv.ParseFloat(v, 64); err == nil && len(v) < 4 {
			name = strings.ToUpper(what[:1]) + what[1:] + " " + v
		}
		add(v, name)
	}
	g.read(i, what, "", why)
	g.note("column %s: read as the %s, because %s", c.origin.Name, what, why)
	g.unstated(a, c, lacking, what)
	return nil
}

// unstated puts respondents without a wave or location under one of their own.
func (g *guesser) unstated(a *fieldwork, c *column, lacking int64, what string) {
	if lacking > 0 {
		a.values, a.names, a.missing = append(a.values, ""), append(a.names, "Not stated"), "not_stated"
		g.note("column %s: %d respondents have no %s and are put under %q", c.origin.Name, lacking, what, "Not stated")
	}
}

// codes are codes for the values, by their names.
func (a *fieldwork) codes() []string {
	taken := names{}
	if a.missing != "" {
		taken[a.missing] = true
	}
	var list []string
	for i, v := range a.values {
		code := a.missing
		switch {
		case i < len(a.periods):
			code = taken.take(a.periods[i].Code, "")
		case v != "":
			code = taken.take(slug(a.names[i]), "value_"+strconv.Itoa(i+1))
		}
		list = append(list, code)
	}
	return list
}

// waves lists the waves, with dates where every name or value is that of a period.
func (a *fieldwork) waves() []audience.Wave {
	if a.column == "" {
		return []audience.Wave{{Code: survey.All, Name: "All waves"}}
	}
	var list []audience.Wave
	dated := true
	for i, code := range a.codes() {
		w := audience.Wave{Code: code, Name: a.names[i]}
		if i < len(a.periods) {
			w.Start, w.End, w.Kind = a.periods[i].Start, a.periods[i].End, string(a.by)
		} else if a.values[i] != "" && a.by == "" {
			p, ok := parsePeriod(a.names[i])
			if !ok {
				p, ok = parsePeriod(a.values[i])
			}
			dated = dated && ok
			w.Start, w.End, w.Kind = p.start, p.end, p.kind
		}
		list = append(list, w)
	}
	for i := range list {
		if !dated && a.by == "" {
			list[i].Start, list[i].End, list[i].Kind = "", "", ""
		}
	}
	return list
}

// places lists the locations, with ISO codes where the values are two capitals each.
func (a *fieldwork) places() []audience.Location {
	if a.column == "" {
		return []audience.Location{{Code: survey.All, Name: "All locations"}}
	}
	iso := !slices.ContainsFunc(a.values, func(v string) bool {
		return v != "" && (len(v) != 2 || strings.ToUpper(v) != v || v[0] < 'A' || v[0] > 'Z' || v[1] < 'A' || v[1] > 'Z')
	})
	var list []audience.Location
	for i, code := range a.codes() {
		l := audience.Location{Code: code, Name: a.names[i]}
		if iso {
			l.ISOCode = a.values[i]
		}
		list = append(list, l)
	}
	return list
}

// columnOf is the column as the codebook has it.
func (a *fieldwork) columnOf() survey.FieldworkColumn {
	return survey.FieldworkColumn{Column: a.column, Missing: a.missing, Values: a.values, By: a.by,
		Dates: a.order}
}

// codebook puts what was found together.
func (g *guesser) codebook() *survey.Codebook {
	s := &audience.Survey{
		Name: strings.TrimSpace(g.file.Title), Namespaces: []audience.Namespace{{Code: "core", Name: "Core study"}},
		Waves: g.wave.waves(), Locations: g.location.places(),
	}
	c := &survey.Codebook{
		Survey: s, Respondent: g.respondent, Weights: []survey.WeightColumn{g.weight},
		Wave: g.wave.columnOf(), Location: g.location.columnOf(),
	}
	seen := map[string]bool{}
	var lacking []string
	for i, column := range g.columns {
		for _, m := range column.marks {
			if column.taken && !seen[m.text] {
				seen[m.text] = true
				c.Missing = append(c.Missing, m.text)
			}
		}
		if len(column.marks) > 0 && g.readings[i].Of != "" {
			lacking = append(lacking, column.origin.Name)
		}
	}
	slices.Sort(c.Missing)
	if len(lacking) > 0 {
		g.note("%s: read as no answer, because programs write that where there is none (in %s)", listed(c.Missing),
			listed(lacking))
	}
	s.Questions, c.Questions = slices.Grow(s.Questions, len(g.drafts)), slices.Grow(c.Questions, len(g.drafts))
	for _, d := range g.drafts {
		d.question.Namespace = "core"
		s.Questions, c.Questions = append(s.Questions, d.question), append(c.Questions, d.columns)
	}
	g.drafts = nil
	return c
}
