package survey

import (
	"fmt"
	"strings"
)

// Warnings is what will mislead.
type Warnings []Warning

// String gives the warnings as text of several lines under a heading, with lists cut to what one reads; "" if there are
// none.
func (ws Warnings) String() string {
	var b strings.Builder
	for kind := range ws.kinds {
		writeList(&b, grouped(kind), Warnings.line)
	}
	if b.Len() == 0 {
		return ""
	}
	return "What will mislead:\n" + b.String()
}

// kinds yields the warnings of each kind, which stand together.
func (ws Warnings) kinds(yield func(Warnings) bool) {
	for first := 0; first < len(ws); {
		last := first
		for last < len(ws) && ws[last].Kind == ws[first].Kind {
			last++
		}
		if !yield(ws[first:last]) {
			return
		}
		first = last
	}
}

// WarningLine is what is told on one line: all warnings of a kind, or one group of them and how many more groups there
// are.
type WarningLine struct {
	Kind WarningKind
	Text string
	More int // groups of the kind that the text does not tell of
}

// Lines gives a line for each kind of warnings there are, in their order.
func (ws Warnings) Lines() (list []WarningLine) {
	for kind := range ws.kinds {
		groups := grouped(kind)
		list = append(list, WarningLine{kind[0].Kind, groups[0].line(), len(groups) - 1})
	}
	return list
}

// grouped parts warnings of one kind by what is told on one line, in order of the first of each.
func grouped(ws Warnings) (groups []Warnings) {
	at := map[Warning]int{}
	places := map[string]string{} // of questions that are told of together if they have the same ones
	for _, w := range ws {
		if w.Kind == MissedWave || w.Kind == BandsOnly {
			places[w.Question] += w.fieldwork() + "\n"
		}
	}
	for _, w := range ws {
		key := Warning{}
		switch w.Kind {
		case UnlikeOtherWaves, FewRespondents:
			key.Namespace = w.Namespace
		case FewAnswers, WeightZeroAnswers:
			key.Question = w.Question
		case MissedWave, BandsOnly:
			key.Question = places[w.Question]
		}
		i, there := at[key]
		if !there {
			i = len(groups)
			at[key] = i
			groups = append(groups, nil)
		}
		groups[i] = append(groups[i], w)
	}
	return groups
}

// line is the text of warnings that are told together.
func (ws Warnings) line() string {
	all := make([]string, len(ws))
	for i, w := range ws {
		all[i] = w.item()
	}
	list := listed(all)
	switch w := ws[0]; w.Kind {
	case RowsLeftOut:
		return "rows left out, because the wave or the location is missing: " + list
	case WeightZero:
		return "respondents who weigh 0 and are in no figure: " + list
	case UnlikeOtherWaves:
		return w.Namespace + ": weights add up to far less or more than in the location's other waves: " + list
	case FewRespondents:
		return fmt.Sprintf("%s: fewer than %d respondents: %s", w.Namespace, fewRespondents, list)
	case FewAnswers:
		return w.Question + ": answered by so few that they may not have been asked: " + list
	case WeightZeroAnswers:
		return w.Question + ": answers by people of weight 0 only, so it is not taken as asked: " + list
	case MissedWave:
		questions, places := ws.together()
		return fmt.Sprintf("%s: not asked in %s, but before and after", questions, places)
	case BandsOnly:
		questions, places := ws.together()
		return fmt.Sprintf("%s: the bands are known and no numbers, so that figures of numbers leave out %s; import the "+
			"file again to have them", questions, places)
	case NotKept:
		return fmt.Sprintf("%s of the store: an earlier version took them in, and kept nothing of rows left out, "+
			"weights of 0 "+
			"and datapoints with few answers", list)
	}
	return string(ws[0].Kind)
}

// together lists the questions and the places of warnings of questions that have the same places.
func (ws Warnings) together() (string, string) {
	var questions, places []string
	for _, w := range ws {
		if w.Question == ws[0].Question {
			places = append(places, w.fieldwork())
		}
		if len(questions) == 0 || questions[len(questions)-1] != w.Question {
			questions = append(questions, w.Question)
		}
	}
	return listed(questions), listed(places)
}

// item is what a warning says beyond what it has in common with others on its line.
func (w Warning) item() string {
	place := w.fieldwork()
	switch w.Kind {
	case RowsLeftOut:
		if w.Wave == "" {
			return thousands(w.Count) + " without a wave"
		}
		return fmt.Sprintf("%s of wave %s", thousands(w.Count), w.Wave)
	case WeightZero:
		return fmt.Sprintf("%s of %s in wave %s", thousands(w.Count), thousands(w.Of), w.Wave)
	case UnlikeOtherWaves:
		return fmt.Sprintf("%s %s (others %s)", place, people(w.People), people(w.Others))
	case FewRespondents:
		return fmt.Sprintf("%s in %s", thousands(w.Count), place)
	case FewAnswers:
		return fmt.Sprintf("%s by %s of %s in %s", w.Datapoint, thousands(w.Count), thousands(w.Of), place)
	case WeightZeroAnswers:
		if w.Datapoint != "" {
			return w.Datapoint + " in " + place
		}
		return place
	case NotKept:
		return fmt.Sprintf("%s of %s pairs of wave and location", thousands(w.Count), thousands(w.Of))
	}
	return place
}

// fieldwork is a wave and a location, or what of them the codebook tells apart: a survey without a column for either
// has one, called all.
func (w Warning) fieldwork() string {
	switch {
	case w.Location == All || w.Location == "":
		return w.Wave
	case w.Wave == All:
		return w.Location
	}
	return w.Wave + " in " + w.Location
}

// listed joins texts, but not more than one reads.
func listed(texts []string) string {
	if more := len(texts) - examples; more > 0 {
		texts = append(texts[:examples:examples], fmt.Sprintf("%d more", more))
	}
	return strings.Join(texts, ", ")
}

// WarningsError is the error of an import that takes warnings for errors. Nothing was published.
type WarningsError struct{ Warnings Warnings }

func (e *WarningsError) Error() string {
	return "nothing was imported, because warnings count as errors. " + strings.TrimSuffix(e.Warnings.String(), "\n")
}
