package guess

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
)

// What survey tools write beside the answers.

// tool leaves out what a survey tool writes about each response, where the names of all it writes are there.
func (g *guesser) tool() {
	has := func(name string) bool { _, there := g.at[name]; return there }
	for _, mark := range []string{"", "@"} { // SPSS lets no name begin with _
		if !has(mark+"_uuid") || !has(mark+"_submission_time") {
			continue
		}
		for _, i := range g.open() {
			if formNames[strings.Trim(strings.TrimPrefix(g.columns[i].Name, mark), "_")] &&
				strings.HasPrefix(g.columns[i].Name, mark+"_") {
				g.leave(i, Reason{Kind: ReasonTool})
			}
		}
	}
	// where a form was filled in, as programs on phones write it: degrees, height and how sure they are; and with what,
	// as Qualtrics does
	g.underOneName([]string{"latitude", "longitude", "altitude", "precision", "accuracy"}, 4)
	g.underOneName([]string{"_browser", "_version", "_operating system", "_resolution"}, 3)
	g.browsers()
	g.displayed()
	for _, mark := range []string{"", ".x", ".y"} { // R writes these behind names that two files have that it joins
		whole := (has("ResponseId"+mark) || has("ResponseId")) &&
			(has("RecordedDate"+mark) || has("DistributionChannel"+mark))
		if !whole && (!has("Progress") || !has("Finished") || !has("Duration (in seconds)") && !has("ResponseId")) {
			continue
		}
		for _, i := range g.open() {
			name, found := strings.CutSuffix(g.columns[i].Name, mark)
			if found && (toolNames[strings.ToLower(name)] || strings.HasPrefix(name, "Q_Re") || mark != "" &&
				technicalNames[strings.Join(words(name), "")]) {
				g.leave(i, Reason{Kind: ReasonTool})
			}
		}
	}
	g.formStates()
	g.timed()
	g.timers()
	g.textEntries()
	g.marksOfQuiz()
	g.limeColumns()
	g.states()
	g.questionTimes()
	names := map[string]bool{}
	for _, c := range g.columns {
		names[strings.ToLower(c.Name)] = true
	}
	for _, t := range []struct {
		has      bool
		wrote    *regexp.Regexp
		constant bool // only where it is the same for all respondents
	}{
		{names["q_viewer"] && (names["lastpage"] || names["maxpage"]), sosciNames, false},
		{names["antwort-quote"] && names["beantwortungsdauer (in s)"], easyNames, false},
		{g.efs(), efsNames, false},
		{names["network id"] && names["submit date (utc)"], typeformNames, false},
		{names["network id"] && names["submit date (utc)"], typeformResults, true},
		{names["is good for analysis"] && names["datetime of entering survey"], conjointlyNames, false},
	} {
		for _, i := range g.open() {
			if t.has && t.wrote.MatchString(g.columns[i].Name) && (!t.constant || len(g.columns[i].values) <= 1) {
				g.leave(i, Reason{Kind: ReasonTool})
			}
		}
	}
}

// chosenCount is what SoSci Survey calls the column in front of the options of a multiple choice.
var chosenCount = regexp.MustCompile(`(?i)(?:Ausweichoption \(negativ\) oder Anzahl ausgewählter Optionen|` +
	`Residual option \(negative\) or number of selected options)\s*$`)

// sosciOptions makes multiple choices of the columns of codes that SoSci Survey writes: AB01 has how many options were
// chosen, and AB01_01, AB01_02 and so on have 2 where one was, and 1 where it was not.
func (g *guesser) sosciOptions() {
	for _, i := range g.open() {
		c := g.columns[i]
		if !chosenCount.MatchString(c.Label) || len(c.Labels) > 0 {
			continue
		}
		var options []member
		for _, j := range g.open() {
			o := g.columns[j]
			number, found := strings.CutPrefix(o.Name, c.Name+"_")
			if !found || number == "" || strings.Trim(number, digits) != "" {
				continue
			}
			if o.many || len(o.Labels) > 0 || slices.ContainsFunc(o.values, func(v value) bool {
				return v.text != "1" && v.text != "2"
			}) {
				options = nil
				break
			}
			options = append(options, member{at: j})
		}
		if len(options) < 2 {
			continue
		}
		g.leave(i, Reason{Kind: ReasonTool})
		g.multi(c.Name, "", options, func(*column) string { return "2" }, Reason{Kind: ReasonOptions, Bond: ByName}, true)
	}
}

// efsNames are those of columns that EFS Survey, also called Unipark, writes beside the answers.
var efsNames = regexp.MustCompile(`(?i)^(?:external_lfdn|tester|dispcode|lastpage|quality|duration|ext_host|ip_addr|` +
	`browser|referer|device_type|participant_\w+|quota|quota_assignment|quota_rejected_id|page_history|hflip|vflip|` +
	`output_mode|javascript|flash|session_id|language|cleaned|ats|date_of_last_access|date_of_first_mail|rts\d+)$`)

// typeformNames are those of columns that Typeform writes beside the answers, and typeformResults those that may say
// what respondents came to in a quiz.
var (
	typeformNames   = regexp.MustCompile(`(?i)^(?:response type|(?:start|stage|submit) date \(utc\)|network id)$`)
	typeformResults = regexp.MustCompile(`(?i)^(?:tags|ending)$`)
)

// conjointlyNames are those of columns that Conjointly writes beside the answers.
var conjointlyNames = regexp.MustCompile(`(?i)^(?:assigned conjoint block|datetime of .*|length of interview.*|ip address|` +
	`device type|is touch enabled on device|browser string|locale|referrer url|is included in current report|` +
	`is good for analysis|status of response|is (?:low-quality|duplicate|unlicensed) (?:response|entry)|` +
	`(?:id of )?last answered question|statusoverridecookie|variable: (?:id|panel))$`)

// easyNames are those of columns that easyfeedback writes beside the answers.
var easyNames = regexp.MustCompile(`(?i)^(?:ist anonym|abgeschlossen|beendet|antwort-quote|sprache|startzeit|endzeit|` +
	`laufzeit|beantwortungsdauer \(in s\)|dauer für seite \d+ \(in s\))$`)

// sosciNames are those of columns that SoSci Survey writes beside the answers.
var sosciNames = regexp.MustCompile(`(?i)^(?:case|serial|ref|questnnr|mode|language|started|lastdata|status|finished|` +
	`q_viewer|lastpage|maxpage|missing|missrel|time_rsi|time_sum|deg_time|time\d{3})$`)

// limeQuestion and limeRow are names of columns as LimeSurvey gives them: of a question that nobody named, and of a row
// or an option of one.
var (
	limeQuestion = regexp.MustCompile(`^G\d{1,3}Q\d{4,}$`)
	limeRow      = regexp.MustCompile(`^\w+\[\w+\]`)
)

// limeQuestions finds questions of one column in a file that LimeSurvey wrote: rows and options have theirs in
// brackets.
func (g *guesser) limeQuestions() {
	if !slices.ContainsFunc(g.columns, func(c *column) bool { return limeRow.MatchString(c.code) }) {
		return
	}
	for _, c := range g.columns {
		c.alone = c.alone || limeQuestion.MatchString(c.code)
	}
}

// browsers leaves out columns in which browsers said what they are, as "Mozilla/5.0 (X11; Linux x86_64) …".
func (g *guesser) browsers() {
	for _, i := range g.open() {
		c := g.columns[i]
		if len(c.values) > 0 && !slices.ContainsFunc(c.values, func(v value) bool {
			return !strings.HasPrefix(v.text, "Mozilla/") && !strings.HasPrefix(v.text, "Opera/")
		}) {
			g.leave(i, Reason{Kind: ReasonTool})
		}
	}
}

// underOneName leaves out columns of the same name but for the ends, in any case and with R's points for spaces, if so
// many of these are there.
func (g *guesser) underOneName(ends []string, least int) {
	under := map[string][]int{}
	for _, i := range g.open() {
		for _, end := range ends {
			name := strings.ToLower(g.columns[i].Name)
			stem, found := strings.CutSuffix(name, end)
			if !found {
				stem, found = strings.CutSuffix(name, strings.ReplaceAll(end, " ", "."))
			}
			if found {
				under[stem] = append(under[stem], i)
			}
		}
	}
	for _, columns := range under {
		for _, i := range columns {
			if len(columns) >= least {
				g.leave(i, Reason{Kind: ReasonTool})
			}
		}
	}
}

// shuffles leaves out what tells the order in which something was shown, which is no answer, before it is taken for the
// rows of grids.
func (g *guesser) shuffles() {
	for _, i := range g.open() {
		if g.columns[i].shuffled() || g.rotates(g.columns[i]) {
			g.leave(i, Reason{Kind: ReasonTool})
		}
	}
}

// toolNames are names of columns that Qualtrics writes beside the answers, and that others may have, too.
var toolNames = set("status progress finished")

// formNames are names of columns that KoboToolbox writes beside the answers, but for the lines around them.
var formNames = set("id uuid submission_time validation_status notes status submitted_by version tags index")

// technical tells whether a column is one that survey tools add to the answers.
func (c *column) technical() bool {
	return technicalNames[strings.Join(words(c.code), "")] || technicalNames[strings.Join(words(c.wording), "")] ||
		timing.MatchString(c.Name) || c.anonymous() ||
		c.Name == "filter_$" && strings.HasSuffix(c.Label, "(FILTER)")
}

// anonymous tells whether a column is the one in which Microsoft Forms writes that nobody is named, whatever its
// language calls an address.
func (c *column) anonymous() bool {
	return len(c.values) == 1 && strings.EqualFold(c.values[0].text, "anonymous") && c.filled == c.rows() && c.filled > 1
}

// rotates tells whether a column says in which order the answers to a question were read out, by its name: there is
// such a question, and the orders have numbers.
func (g *guesser) rotates(c *column) bool {
	m := rotation.FindStringSubmatch(c.code)
	return m != nil && c.number && c.integer && slices.ContainsFunc(g.columns, func(o *column) bool {
		rest, found := strings.CutPrefix(strings.ToLower(o.code), strings.ToLower(m[1]))
		return found && (rest == "" || !strings.ContainsAny(rest[:1], digits))
	})
}

// rotation begins the name of a column with the order in which the answers to a question were read out.
var rotation = regexp.MustCompile(`(?i)^rota(?:cion|ción|tion|cao|ção)[_. ](\pL*\d+)`)

// shuffled tells whether a column says in which order a respondent was shown the answers or the questions: by its name
// and its words, which are no question.
func (c *column) shuffled() bool {
	return c.code != c.wording && has(words(c.code), orderWords) && orderOf.MatchString(c.wording)
}

var (
	orderWords = set("order orden reihenfolge ordre ordem rnd rand random randomization randomisation rotation rot ro")
	orderOf    = regexp.MustCompile(`(?i)^(?:\[[^\]]*\]\s*)?(?:(?:forward|backward|or|display|presentation)\s+)*` +
		`(?:order|rotation|random(?:is|iz)ation)(?: of\b|:)`)
)

var technicalNames = set(`lastpage lastpageseen startlanguage seed
	refurl referrerurl ipaddr ipaddress latitude longitude vlat vlong
	locationlatitude locationlongitude useragent sessionid collectorid submitdate startdate datestamp enddate recordeddate
	interviewtime totaltime totalseconds tempstotal durationinseconds externalreference distributionchannel userlanguage
	recipientlastname recipientfirstname recipientemail referer 来源 来源详情 来自ip 所用时间 dernièrepage languededépart
	urlréférente têtedesérie letzteseite startsprache gesamtzeit zufallsstartwert últimapágina lenguajeinicial
	semilla ultimapagina linguainiziale urldiprovenienza urldiriferimento urldereferencia urlreferencia verweisurl
	refererurl weiterleitungsurl begintaal verwijzerurl ostatniastrona językpoczątkowy początkowyjęzyk
	longitud latitud totaaltijd laatstepagina starttaal collectornm collectorname overallstatus
	collectionstatus interviewlength interviewduration surveyduration durationseconds timetaken responsetime surveytime
	timetakentocompleteseconds deviceid subscriberid simserial devicephonenum emailaddress`)

// lastPages is how LimeSurvey calls the column of the last page that was seen, and limeWords what else it writes beside
// the answers that could be a question's name elsewhere.
var (
	lastPages = set("lastpage dernièrepage letzteseite últimapágina ultimapagina laatstepagina ostatniastrona sisteside " +
		"sistasida")
	limeWords = set("seme tempototale tiempototal ziarno idiomainicial semente tempototal")
)

// limeColumns leaves out what LimeSurvey writes beside the answers and words alone do not tell.
func (g *guesser) limeColumns() {
	name := func(c *column) string { return strings.Join(words(c.code), "") }
	if !slices.ContainsFunc(g.columns, func(c *column) bool { return lastPages[name(c)] }) {
		return
	}
	for _, i := range g.open() {
		if limeWords[name(g.columns[i])] {
			g.leave(i, Reason{Kind: ReasonTool})
		}
	}
}

// textEntry is the end of a name of what respondents wrote beside an option, as Qualtrics and 1KA give it: Q1_8_TEXT.
var textEntry = regexp.MustCompile(`_TEXT$|^[A-Za-z]{1,3}\d+[a-z]?_\d+_text$`)

// comment is the beginning of a name of what respondents wrote beside an option of LimeSurvey, F3[SQ001comment], as it
// is or as SPSS and R spell it, in two parts, which are the name of the option.
var comment = regexp.MustCompile(`^(\pL[\pL\d_]*(?:\[|[_.])[\pL\d_]*[\pL\d])comment(\]|[_.]?$)`)

// textEntries leaves out what respondents wrote in fields beside an option.
func (g *guesser) textEntries() {
	for _, i := range g.open() {
		switch c := g.columns[i]; {
		case c.number, len(c.Labels) > 0:
		case g.commentOn(c) && c.filled == 0:
			g.leave(i, Reason{Kind: Empty})
		case g.commentOn(c), textEntry.MatchString(c.Name) && c.filled > 0:
			g.leave(i, Reason{Kind: ReasonFreeText})
		}
	}
}

// commentOn tells whether a column is called as a comment on an option that there is, whatever words stand behind it.
func (g *guesser) commentOn(c *column) bool {
	m := comment.FindStringSubmatch(c.Name)
	return m != nil && slices.ContainsFunc(g.columns, func(o *column) bool {
		return o.Name == m[1]+m[2] || m[2] == "]" && strings.HasPrefix(o.Name, m[1]+m[2])
	})
}

// states leaves out how far respondents came, as Qualtrics writes it, under names that R may have put in small letters.
func (g *guesser) states() {
	var found []int
	names, share := map[string]bool{}, false // share tells that Progress holds which share was answered
	for _, i := range g.open() {
		if name := strings.ToLower(g.columns[i].Name); toolNames[name] {
			found = append(found, i)
			names[name] = true
			share = share || name == "progress" && g.columns[i].number
		}
	}
	if !share || len(names) < len(toolNames) {
		return
	}
	for _, i := range found {
		g.leave(i, Reason{Kind: ReasonTool})
	}
}

// instrumentState is how REDCap calls the last column of an instrument, by its name or where labels are exported, and
// instrumentStates are what it writes there, as numbers or as words.
var (
	instrumentState  = regexp.MustCompile(`^(?:(.+)_complete|Complete\?(?:\.\d+)?)$`)
	instrumentStates = map[string]bool{"0": true, "1": true, "2": true,
		"Incomplete": true, "Unverified": true, "Complete": true}
)

// formStates leaves out how far each instrument came, as REDCap writes it behind the answers: in words that nothing
// else is told in, or as numbers where the tool shows by another column.
func (g *guesser) formStates() {
	redcap := slices.ContainsFunc(g.columns, func(c *column) bool {
		return strings.HasPrefix(c.Name, "redcap_") || redcapOption.MatchString(c.Name)
	})
	for _, i := range g.open() {
		c := g.columns[i]
		m := instrumentState.FindStringSubmatch(c.Name)
		if m == nil || len(c.values) == 0 || slices.ContainsFunc(c.values, func(v value) bool {
			return !instrumentStates[v.text] && !instrumentStates[c.labels.names[v.text]]
		}) {
			continue
		}
		_, timed := g.at[m[1]+"_timestamp"]
		timed = timed && m[1] != ""
		worded := !c.number || len(c.Labels) > 0
		if worded && len(c.values) > 1 || redcap || timed {
			g.leave(i, Reason{Kind: ReasonTool})
		}
	}
}

// points are what a quiz of Google Forms writes behind each question: those that were won, if any could be, of all.
var points = regexp.MustCompile(`^(?:--|\d+(?:[.,]\d+)?) / \d+$`)

// marksOfQuiz leaves out what a quiz of Google Forms writes beside the answers: behind each question a column of the
// same name with a word in brackets for the points, behind that one for the comment, and the points of all of them.
func (g *guesser) marksOfQuiz() {
	scored := func(i int) bool {
		c := g.columns[i]
		return !c.taken && !c.number && len(c.values) > 0 && !slices.ContainsFunc(c.values, func(v value) bool {
			return !points.MatchString(v.text)
		})
	}
	asked := func(i int) string { return cmp.Or(g.columns[i].origin.Label, g.columns[i].origin.Name) }
	beside := func(i, question int) bool {
		rest, found := strings.CutPrefix(asked(i), asked(question)+" [")
		return found && strings.HasSuffix(rest, "]")
	}
	var marks, totals []int
	for i := range g.columns {
		switch {
		case !scored(i):
		case i > 0 && beside(i, i-1):
			comment := i+1 < len(g.columns) && beside(i+1, i-1)
			if comment && scored(i+1) {
				return // what is rated, out of so many
			}
			if marks = append(marks, i); comment && !g.columns[i+1].taken {
				marks = append(marks, i+1)
			}
		case len(marks) == 0: // in front of the first question
			totals = append(totals, i)
		}
	}
	if len(marks) == 0 {
		return
	}
	for _, i := range append(marks, totals...) {
		g.leave(i, Reason{Kind: ReasonTool})
	}
}

// sosci tells whether SoSci Survey wrote the file.
func (g *guesser) sosci() bool {
	names := map[string]bool{}
	for _, c := range g.columns {
		names[c.origin.Name] = true
	}
	return names["QUESTNNR"] && (names["CASE"] || names["SERIAL"]) && names["STARTED"]
}
