package storetest

import (
	"bytes"
	"context"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/big"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/internal/script"
	"github.com/crosswave/crosswave/store/naive"
	"github.com/crosswave/crosswave/store/survey"
	"github.com/crosswave/crosswave/store/survey/decimal"
)

//go:embed testdata/scripts/*.txt
var scripts embed.FS

// scriptNames lists the scripts, in order.
func scriptNames() []string {
	files, err := scripts.ReadDir("testdata/scripts")
	if err != nil {
		panic(err) // the embedded folder is there
	}
	var names []string
	for _, file := range files {
		names = append(names, file.Name())
	}
	return names
}

func scriptText(name string) string {
	text, err := scripts.ReadFile(path.Join("testdata/scripts", name))
	if err != nil {
		panic(err) // it was listed
	}
	return string(text)
}

// scriptChecks makes a check of each script.
func scriptChecks() []check {
	var all []check
	for _, name := range scriptNames() {
		all = append(all, check{"script/" + strings.TrimSuffix(name, ".txt"), func(ctx context.Context,
			open func() Engine) error {
			return RunScript(ctx, name, scriptText(name), open)
		}})
	}
	return all
}

// RunScript runs a script on an engine that open gives, and on a naive.Store beside it. The engine's answers must be
// the script's and the naive.Store's.
func RunScript(ctx context.Context, name, text string, open func() Engine) error {
	return runScript(&run{ctx: ctx, engine: open(), reference: new(naive.Store)}, name, text)
}

func runScript(r *run, name, text string) error {
	s, err := script.Parse(name, text)
	if err != nil {
		return err
	}
	for _, step := range s.Steps {
		if err := r.step(step); err != nil {
			if e := (*script.Error)(nil); errors.As(err, &e) {
				return err
			}
			return step.Errorf("%v", err)
		}
	}
	return nil
}

// run is a script being run.
type run struct {
	ctx       context.Context
	engine    Engine
	reference *naive.Store
	study     *Study
	imports   bool // the engine is filled by survey.Import, not by the study
	derived   []audience.Definition
}

func (r *run) step(step script.Step) error {
	word, about := step.Cut()
	switch {
	case word == "unit":
		return r.units(step)
	case word == "survey":
		s, err := readSurvey(step.Lines)
		r.study = &Study{Survey: s}
		return err
	case r.study == nil:
		return step.Errorf("a script says what the survey is before anything else")
	}
	switch word {
	case "respondents", "append":
		return r.take(step, nil)
	case "replace", "withdraw":
		return r.take(step, strings.Fields(about))
	case "refused":
		return r.refused(step, about)
	case "decimals":
		return r.decimals(step, strings.Fields(about))
	case "fielded", "asked":
		return r.covered(step, strings.Fields(about))
	case "numbers":
		return r.numbers(step, strings.Fields(about))
	case "derived":
		return r.derive(step, about)
	case "count":
		return r.count(step, about)
	case "tabulate":
		return r.tabulate(step)
	}
	return step.Errorf("%q: the steps are survey, respondents, append, replace, withdraw, refused, decimals, "+
		"fielded, asked, numbers, derived, count, tabulate and unit", word)
}

// take puts respondents into both stores, in place of those of the waves to drop.
func (r *run) take(step script.Step, drop []string) error {
	if len(step.Lines) == 0 && !strings.HasPrefix(step.Text, "withdraw") {
		return step.Errorf("a table of respondents is expected")
	}
	added, next, err := r.next(step, drop)
	if err != nil {
		return err
	}
	if _, err := next.publish(r.ctx, r.reference, added, drop, 0); err != nil {
		return step.Errorf("%v", err)
	}
	if err := r.fill(next, added, drop); err != nil {
		return step.Errorf("%v", err)
	}
	r.study = next
	return r.sameFrames()
}

// next is the study with the respondents of a step, and these.
func (r *run) next(step script.Step, drop []string) ([]survey.Respondent, *Study, error) {
	next := &Study{Survey: r.study.Survey}
	for _, old := range r.study.Respondents {
		if !slices.Contains(drop, next.Survey.Waves[old.Wave].Code) {
			next.Respondents = append(next.Respondents, old)
		}
	}
	if len(step.Lines) == 0 {
		return nil, next, nil
	}
	added, err := readRespondents(next.Survey, step)
	next.Respondents = append(next.Respondents, added...)
	return added, next, err
}

// fill makes the engine hold the study.
func (r *run) fill(next *Study, added []survey.Respondent, drop []string) error {
	if !r.imports {
		_, err := next.publish(r.ctx, r.engine, added, drop, 0)
		return err
	}
	o := survey.Options{Mode: survey.Append}
	if len(drop) > 0 {
		o = survey.Options{Mode: survey.Replace, ReplaceWaves: drop}
	}
	_, err := survey.Import(r.ctx, (&Study{Survey: next.Survey, Respondents: added}).Source(), r.engine, o)
	return err
}

// refused takes respondents that no store may take: refused append TEXT. The error holds the text, and the store stays
// as it was.
func (r *run) refused(step script.Step, text string) error {
	added, next, err := r.next(step, nil)
	if err != nil {
		return err
	}
	before, err := r.engine.Release(r.ctx)
	if err != nil {
		return err
	}
	if err := r.fill(next, added, nil); err == nil || !strings.Contains(err.Error(), text) {
		return step.Errorf("the error is %v", err)
	}
	after, err := r.engine.Release(r.ctx)
	if err == nil && after.Version() != before.Version() {
		err = step.Errorf("a new version was published")
	}
	return err
}

// sameFrames compares what the engine says is published with what the reference says. An import says where something
// was asked of fieldwork that there is, and declarations speak of other fieldwork too, which no figure covers.
func (r *run) sameFrames() error {
	want, err := r.reference.Frame(r.ctx)
	if err != nil {
		return err
	}
	got, err := r.engine.Frame(r.ctx)
	if err != nil {
		return err
	}
	if r.imports {
		want = r.study.withinFieldwork(want)
	}
	return diffFrames(got, want)
}

// decimals looks at the unit of a namespace: decimals NAMESPACE K.
func (r *run) decimals(step script.Step, words []string) error {
	f, err := r.engine.Frame(r.ctx)
	if err != nil {
		return err
	}
	if len(words) != 2 || f.Namespace(words[0]) < 0 {
		return step.Errorf("decimals NAMESPACE K is expected")
	}
	if got := strconv.Itoa(f.Decimals(f.Namespace(words[0]))); got != words[1] {
		return step.Errorf("the weights of namespace %s are in units of 10^-k with k = %s, not %s", words[0], got, words[1])
	}
	return nil
}

// covered looks at where a namespace was fielded (fielded NAMESPACE FIELDWORK…) or a datapoint asked (asked
// QUESTION:DATAPOINT FIELDWORK…).
func (r *run) covered(step script.Step, words []string) error {
	f, err := r.engine.Frame(r.ctx)
	if err != nil {
		return err
	}
	if len(words) == 0 {
		return step.Errorf("a code is expected")
	}
	var got audience.Cover
	if n := f.Namespace(words[0]); n >= 0 && strings.HasPrefix(step.Text, "fielded") {
		got = f.Fielded(n)
	} else {
		code, datapoint, _ := strings.Cut(words[0], ":")
		q, err := f.Question(code)
		if err != nil || q < 0 || f.Datapoint(q, datapoint) < 0 {
			return step.Errorf("there is no datapoint %q of question %q", datapoint, code)
		}
		got = f.Asked(q, f.Datapoint(q, datapoint))
	}
	want, err := readCover(f, words[1:])
	if err != nil {
		return err
	}
	if !got.Equal(want) {
		return step.Errorf("it is %s", coverText(f, got))
	}
	return nil
}

// readCover reads fieldwork written wave/location, "*" being all.
func readCover(f *audience.Frame, words []string) (audience.Cover, error) {
	c := audience.NewCover(f.Size())
	for _, word := range words {
		wave, location, ok := strings.Cut(word, "/")
		if !ok || star(wave) != "" && f.Wave(wave) < 0 || star(location) != "" && f.Location(location) < 0 {
			return nil, fmt.Errorf("%q: fieldwork is written wave/location, with codes of the survey or *", word)
		}
		c = c.Or(declared(f, audience.Asked{{Wave: star(wave), Location: star(location)}}))
	}
	return c, nil
}

func coverText(f *audience.Frame, c audience.Cover) string {
	var words []string
	for i := range c.All() {
		w, l := f.Fieldwork(i)
		words = append(words, f.Waves[w].Code+"/"+f.Locations[l].Code)
	}
	if len(words) == 0 {
		return "nowhere"
	}
	return strings.Join(words, " ")
}

// units looks at the rule of units alone: a table decimals | largest | total | k, which may be "refused".
func (r *run) units(step script.Step) error {
	table, err := step.Table()
	if err != nil {
		return err
	}
	if !slices.Equal(table.Columns, []string{"decimals", "largest", "total", "k"}) {
		return table.Head.Errorf("the columns are decimals | largest | total | k")
	}
	for _, row := range table.Rows {
		most, err := strconv.Atoi(row.Cells[0])
		if err != nil || most > 1000 {
			return row.Errorf("the decimals are a whole number, 1000 at the most: %q", row.Cells[0])
		}
		largest, err := fraction(row.Cells[1])
		if err != nil {
			return row.Errorf("%v", err)
		}
		total, err := fraction(row.Cells[2])
		if err != nil {
			return row.Errorf("%v", err)
		}
		text := func(k int, ok bool) string {
			if !ok {
				return "refused"
			}
			return strconv.Itoa(k)
		}
		if got := text(unit(most, largest, total)); got != row.Cells[3] {
			return row.Errorf("k is %s", got)
		}
		k, err := productUnit(most, row.Cells[1], row.Cells[2])
		if got := text(k, err == nil); got != row.Cells[3] {
			return row.Errorf("the product's k is %s, error %v", got, err)
		}
	}
	return nil
}

// expressions reads the JSON expressions on a line; several of them cut each other.
func expressions(line script.Line, text string) (audience.Expr, error) {
	d := json.NewDecoder(strings.NewReader(text))
	var parts audience.Cut
	for {
		var raw json.RawMessage
		if err := d.Decode(&raw); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, line.Errorf("an expression: %v", err)
		}
		x, err := (&audience.Parser{Bands: true}).Parse(bytes.TrimSpace(raw))
		if err != nil {
			return nil, err
		}
		parts = append(parts, read(x))
	}
	switch len(parts) {
	case 0:
		return nil, line.Errorf("an expression in JSON is expected")
	case 1:
		return parts[0], nil
	}
	return parts, nil
}

// number compares what is written in a script (a sum of decimals and fractions, such as 10.5 or 7/2+1/3) with a figure.
func number(text string, got float64) error {
	want := new(big.Rat)
	for part := range strings.SplitSeq(text, "+") {
		x, err := fraction(part)
		if err != nil {
			return err
		}
		want.Add(want, x)
	}
	if w, _ := want.Float64(); !close9(got, w) {
		return fmt.Errorf("%v instead of %s", got, text)
	}
	return nil
}

// fraction reads a decimal number, or two that are divided.
func fraction(text string) (*big.Rat, error) {
	above, below, divided := strings.Cut(text, "/")
	x, ok := shortDecimal(above)
	if divided {
		y, also := shortDecimal(below)
		if ok = ok && also && y.Sign() != 0; ok {
			x.Quo(x, y)
		}
	}
	if !ok {
		return nil, fmt.Errorf("%q is no number", text)
	}
	return x, nil
}

// shortDecimal reads a decimal number that takes little time to work with.
func shortDecimal(text string) (*big.Rat, bool) {
	d, err := decimal.Parse(text, true)
	if err != nil || len(text) > 80 || d.Decimals() > 60 || d.Decimals() < -60 {
		return nil, false
	}
	return rational(d.String()), true
}
