package main

import (
	"fmt"
	"io"
	"slices"

	"github.com/crosswave/crosswave/store/guess"
	"github.com/crosswave/crosswave/store/survey"
)

// mostChecks is how many lines stand on top of a report.
const mostChecks = 8

// check is a line on top of a report: what may be wrong, and the flag that settles it.
type check struct {
	kind       any // a guess.CheckKind or a survey.WarningKind
	text, flag string
}

// worstFirst are the kinds of checks, those that move figures most first: respondents that are lost and weights, then
// what is taken as asked, then guesses that show in the tables.
func worstFirst() []any {
	return []any{survey.RowsLeftOut, survey.WeightZero, guess.CheckLost, guess.CheckHeader, guess.CheckWeight,
		guess.CheckOther, guess.CheckUnweighted, survey.UnlikeOtherWaves, survey.WeightZeroAnswers,
		survey.FewAnswers, guess.CheckWave, guess.CheckOrder, guess.CheckDates, guess.CheckLocation,
		guess.CheckMissing, survey.BandsOnly, survey.MissedWave, guess.CheckGrid, guess.CheckMulti,
		survey.FewRespondents, guess.CheckLeft, survey.NotKept}
}

// checksOf puts together what was guessed of a file and what will mislead in what became of it.
func checksOf(guesses []guess.Check, warnings survey.Warnings) []check {
	settles := map[survey.WarningKind]string{
		survey.RowsLeftOut: "--codebook FILE", survey.WeightZero: "--weight COLUMN",
		survey.UnlikeOtherWaves: "--replace-wave CODE", survey.FewRespondents: "--replace-wave CODE",
		survey.FewAnswers:        "--codebook FILE",
		survey.WeightZeroAnswers: "--weight COLUMN", survey.MissedWave: "--codebook FILE",
		survey.BandsOnly: "--replace-wave CODE", survey.NotKept: "--replace-wave CODE",
	}
	var list []check
	zero := false
	for _, w := range warnings.Lines() {
		text := w.Text
		if w.More > 0 {
			text = fmt.Sprintf("%s; %d more below", text, w.More)
		}
		zero = zero || w.Kind == survey.WeightZero
		list = append(list, check{w.Kind, text, settles[w.Kind]})
	}
	for _, g := range guesses {
		if g.Kind != guess.CheckLost || !zero { // which is told with their number
			list = append(list, check{g.Kind, g.String(), g.Flag})
		}
	}
	order := worstFirst()
	slices.SortStableFunc(list, func(a, b check) int { return slices.Index(order, a.kind) - slices.Index(order, b.kind) })
	return list
}

// writeChecks writes the worst of the checks, if there are any.
func writeChecks(list []check, out io.Writer) error {
	if len(list) == 0 {
		return nil
	}
	rows := [][]string{}
	for _, c := range list[:min(len(list), mostChecks)] {
		rows = append(rows, []string{"  " + c.flag, c.text})
	}
	_, err := fmt.Fprintf(out, "Check these, each of which a flag settles:\n%s\n", listed(rows, len(rows[0])))
	return err
}
