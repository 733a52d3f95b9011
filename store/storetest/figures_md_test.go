package storetest

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/crosstab"
	"github.com/crosswave/crosswave/internal/script"
	"github.com/crosswave/crosswave/stats"
	"github.com/crosswave/crosswave/store/naive"
)

// root is the folder of the module.
const root = "../.."

// rule is a rule of FIGURES.md.
type rule struct {
	name  string   // its heading, which is its anchor
	line  int      // of the heading
	shown []string // the scripts and tests that show it
}

// figuresPage reads the rules of FIGURES.md and its examples. An example is a fenced block of the language script; one
// that does not begin with a survey goes on where the one before it ended. All else is empty lines in it, so that the
// lines of an example have the numbers that they have on the page.
func figuresPage(t *testing.T) (rules []rule, examples []string) {
	t.Helper()
	var lines []string
	inside, shown, begins := false, false, false
	flush := func() {
		if len(lines) > 0 {
			examples = append(examples, strings.Join(lines, "\n")+"\n")
		}
	}
	for i, line := range strings.Split(pageText(t, "FIGURES.md"), "\n") {
		switch {
		case line == "```script":
			inside, begins = true, true
		case line == "```":
			inside = false
		case inside:
			if begins && line == "survey" {
				flush()
				lines = nil
			}
			begins = begins && (line == "" || line[0] == '#')
			for len(lines) < i {
				lines = append(lines, "")
			}
			lines = append(lines, line)
		case strings.HasPrefix(line, "### "):
			rules = append(rules, rule{name: line[len("### "):], line: i + 1})
		case strings.HasPrefix(line, "Shown by:"):
			shown = true
		}
		if line == "" {
			shown = false
		}
		if shown && len(rules) > 0 {
			last := &rules[len(rules)-1]
			for _, found := range regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(line, -1) {
				last.shown = append(last.shown, found[1])
			}
		}
	}
	flush()
	return rules, examples
}

// Each rule of FIGURES.md names what shows it: a script, which is there, or a test, which is there. Each script of this
// package is named by a rule.
func TestFiguresNameTheirTests(t *testing.T) {
	rules, _ := figuresPage(t)
	if len(rules) < 40 {
		t.Fatalf("FIGURES.md has only %d rules: headings of the third level", len(rules))
	}
	tests := testFunctions(t)
	name, seen := regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`), map[string]bool{}
	named := map[string]bool{}
	for _, r := range rules {
		at := fmt.Sprintf("FIGURES.md:%d: rule %s", r.line, r.name)
		switch {
		case !name.MatchString(r.name):
			t.Errorf("%s: a rule's name is words of small letters and digits, with hyphens between them", at)
		case seen[r.name]:
			t.Errorf("%s: another rule has the same name", at)
		case len(r.shown) == 0:
			t.Errorf("%s: a line is missing that begins with \"Shown by:\" and names scripts and tests", at)
		}
		seen[r.name] = true
		for _, what := range r.shown {
			named[what] = true
			if !slices.Contains(scriptNames(), what) && !tests[what] && !isFile(what) {
				t.Errorf("%s: %s is neither a script of store/storetest, nor a file of the module, nor a test, which "+
					"is written package.TestName", at, what)
			}
		}
	}
	for _, script := range scriptNames() {
		if !named[script] {
			t.Errorf("%s is named by no rule of FIGURES.md", script)
		}
	}
}

func isFile(name string) bool {
	info, err := os.Stat(filepath.Join(root, filepath.FromSlash(name)))
	return err == nil && info.Mode().IsRegular() && strings.Contains(name, "testdata/")
}

// testFunctions finds the tests of the module: package.TestName, a package being called by the last part of its path.
func testFunctions(t *testing.T) map[string]bool {
	declared := regexp.MustCompile(`(?m)^func ((?:Test|Fuzz|Example)\w*)\(`)
	found := map[string]bool{}
	err := fs.WalkDir(os.DirFS(root), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && name != "." && strings.HasPrefix(d.Name(), ".") {
			return fs.SkipDir
		}
		if !strings.HasSuffix(name, "_test.go") {
			return nil
		}
		text, err := os.ReadFile(filepath.Join(root, name))
		for _, f := range declared.FindAllStringSubmatch(string(text), -1) {
			found[path.Base(path.Dir(name))+"."+f[1]] = true
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// The examples of FIGURES.md are worked out as they say.
func TestFiguresExamples(t *testing.T) {
	_, examples := figuresPage(t)
	if len(examples) < 10 {
		t.Fatalf("FIGURES.md has only %d examples: blocks of the language script", len(examples))
	}
	for i, text := range examples {
		t.Run(strconv.Itoa(i+1), func(t *testing.T) {
			if err := runExample(t.Context(), text); err != nil {
				t.Error(err)
			}
		})
	}
}

// An example with a wrong number, wherever it stands, is found out.
func TestFiguresExamplesCanFail(t *testing.T) {
	_, examples := figuresPage(t)
	whole := strings.Join(examples, "\n")
	for _, step := range []string{"crosstab", "stats", "wavecounts", "association"} {
		if !strings.Contains(whole, "\n"+step) {
			t.Errorf("no example has a step %s", step)
		}
	}
	last := regexp.MustCompile(`(?m)^(  [^|\n]*\|.*?)\d+ *$`)
	for i, text := range examples {
		places := last.FindAllStringSubmatchIndex(text, -1)
		for _, p := range places[max(0, len(places)-1):] {
			wrong := text[:p[3]] + "77777" + text[p[1]:]
			if err := runExample(t.Context(), wrong); err == nil {
				t.Errorf("example %d passes with a wrong number in its last line", i+1)
			}
		}
	}
}

// runExample runs an example: a script, whose steps crosstab, stats, wavecounts, profile and association, which are
// the examples' own, are asked of what the store holds at the end.
func runExample(ctx context.Context, text string) error {
	const name = "FIGURES.md"
	s, err := script.Parse(name, text)
	if err != nil {
		return err
	}
	var ours []script.Step
	lines := strings.Split(text, "\n")
	for i, step := range s.Steps {
		switch word, _ := step.Cut(); word {
		case "crosstab", "stats", "wavecounts", "profile", "association":
			ours = append(ours, step)
			end := len(lines)
			if i+1 < len(s.Steps) {
				end = s.Steps[i+1].Number - 1
			}
			for n := step.Number - 1; n < end; n++ {
				lines[n] = ""
			}
		}
	}
	store := new(naive.Store)
	if err := RunScript(ctx, name, strings.Join(lines, "\n"), func() Engine { return store }); err != nil {
		return err
	}
	for _, step := range ours {
		if err := runOurs(ctx, store, step); err != nil {
			return err
		}
	}
	return nil
}

// pageQuestion is a step of an example's own: what is asked and the table of what is expected.
type pageQuestion struct {
	words       map[string][]string
	expressions map[string][]audience.Audience
	expected    *script.Table
}

func readOurs(step script.Step) (*pageQuestion, error) {
	q := &pageQuestion{words: map[string][]string{}, expressions: map[string][]audience.Audience{}}
	for i, line := range step.Lines {
		word, rest := line.Cut()
		switch word {
		case "row", "column", "audience", "base":
			x, err := expressions(line, rest)
			if err != nil {
				return nil, line.Errorf("%v", err)
			}
			list := q.expressions[word]
			q.expressions[word] = append(list, audience.Audience{ID: strconv.Itoa(len(list) + 1), Expr: x})
		case "waves", "locations", "datapoints", "suffixes", "splitter", "segments", "segmented_base", "matched",
			"statistics", "level", "compare", "correction", "low_base", "questions", "min_sample", "order_by", "direction",
			"limit":
			q.words[word] = line.Words()[1:]
		default:
			var err error
			q.expected, err = step.Lines[i:].Table()
			return q, err
		}
	}
	return nil, step.Errorf("nothing is expected: a table is missing")
}

func (q *pageQuestion) base() (base audience.Audience) {
	if list := q.expressions["base"]; len(list) > 0 {
		base = list[0]
	}
	return base
}

// pageAnswer is a row of what was found: its name and its figures by the names that they have on the wire.
type pageAnswer struct {
	name    string
	figures map[string]any // float64, int64 or string
}

func runOurs(ctx context.Context, store audience.Store, step script.Step) error {
	q, err := readOurs(step)
	if err != nil {
		return err
	}
	var got []pageAnswer
	switch word, about := step.Cut(); word {
	case "crosstab":
		got, err = q.crosstab(ctx, store)
	case "stats":
		got, err = q.stats(ctx, store, about)
	case "wavecounts":
		got, err = q.waveCounts(ctx, store)
	case "association":
		got, err = q.association(ctx, store, about)
	case "profile":
		got, err = q.profile(ctx, store)
	}
	if err != nil {
		return step.Errorf("%v", err)
	}
	return expectAnswers(q.expected, got)
}

func expectAnswers(want *script.Table, got []pageAnswer) error {
	if len(want.Rows) != len(got) {
		return want.Head.Errorf("%d rows are expected, and there are %d: %v", len(want.Rows), len(got), got)
	}
	for i, row := range want.Rows {
		if row.Cells[0] != got[i].name {
			return row.Errorf("it is %s, not %s", got[i].name, row.Cells[0])
		}
		for c, column := range want.Columns[1:] {
			text, figure := row.Cells[1+c], got[i].figures[column]
			var err error
			switch figure := figure.(type) {
			case float64:
				err = number(text, figure)
			case int64:
				if text != strconv.FormatInt(figure, 10) {
					err = fmt.Errorf("%d instead of %s", figure, text)
				}
			case string:
				if text != figure {
					err = fmt.Errorf("%q instead of %q", figure, text)
				}
			default:
				err = fmt.Errorf("there is no such figure")
			}
			if err != nil {
				return row.Errorf("%s: %v", column, err)
			}
		}
	}
	return nil
}

func (q *pageQuestion) crosstab(ctx context.Context, store audience.Store) (got []pageAnswer, err error) {
	sure, err := q.statistics()
	if err != nil {
		return nil, err
	}
	table, err := crosstab.Run(ctx, store, crosstab.Request{Rows: q.expressions["row"], Columns: q.expressions["column"],
		Base: q.base(), Waves: q.words["waves"], Locations: q.words["locations"], Coverage: true, Matched: q.has("matched"),
		Statistics: sure})
	if err != nil {
		return nil, err
	}
	for c := range table.Cells() {
		figures := map[string]any{
			"base.size": c.Base.Size, "base.sample": c.Base.Sample,
			"intersect.size": c.Intersect.Size, "intersect.sample": c.Intersect.Sample,
			"intersect.percentage": c.Intersect.Percentage, "intersect.index": c.Intersect.Index,
		}
		for name, axis := range map[string]crosstab.Axis{"row": c.Row, "column": c.Column} {
			figures[name+".size"], figures[name+".sample"] = axis.Size, axis.Sample
			figures[name+".percentage"] = axis.Percentage
			figures[name+".intersect_percentage"] = axis.IntersectPercentage
		}
		sureOfCell(figures, c.Statistics, len(q.expressions["column"]))
		got = append(got, pageAnswer{fmt.Sprintf("%d %d", c.RowIndex, c.ColumnIndex), covering(figures, c.Coverage)})
	}
	return got, nil
}

func (q *pageQuestion) has(word string) bool {
	_, has := q.words[word]
	return has
}

// covering adds what a figure covers to what is known of it.
func covering(figures map[string]any, c *audience.Covered) map[string]any {
	var partly []string
	for _, d := range c.PartlyAsked {
		partly = append(partly, audience.Key(d.Namespace, d.Question)+":"+d.Datapoint)
	}
	figures["coverage.namespace"] = c.Namespace
	figures["coverage.waves"], figures["coverage.locations"] = strings.Join(c.Waves, " "), strings.Join(c.Locations, " ")
	figures["coverage.complete"] = strconv.FormatBool(c.Complete)
	figures["coverage.partly_asked"] = strings.Join(partly, " ")
	figures["coverage.locations_differ"] = strconv.FormatBool(c.LocationsDiffer)
	return figures
}

func (q *pageQuestion) stats(ctx context.Context, store audience.Store, code string) (got []pageAnswer, err error) {
	r := stats.Request{Question: code, Datapoints: q.words["datapoints"], Segments: q.words["segments"],
		Splitter: strings.Join(q.words["splitter"], ""), Audiences: q.expressions["audience"], Base: q.base(),
		Waves: q.words["waves"], Locations: q.words["locations"], SegmentedBase: q.has("segmented_base"), Coverage: true}
	for _, text := range q.words["suffixes"] {
		suffix, err := strconv.Atoi(text)
		if err != nil {
			return nil, err
		}
		r.Suffixes = append(r.Suffixes, suffix)
	}
	if r.Statistics, err = q.statistics(); err != nil {
		return nil, err
	}
	result, err := stats.Run(ctx, store, r)
	if err != nil {
		return nil, err
	}
	for e := range result.Entries() {
		m := e.Metrics
		name := strings.Join(strings.Fields(e.Datapoint+" "+e.Segment+" "+e.Audience), " ")
		got = append(got, pageAnswer{name, covering(sureOfEntry(map[string]any{
			"waves":         strings.Join(e.Waves, " "),
			"positive_size": m.Positive.Size, "positive_sample": m.Positive.Sample,
			"audience_size": m.Audience.Size, "audience_sample": m.Audience.Sample,
			"datapoint_size": m.Datapoint.Size, "datapoint_sample": m.Datapoint.Sample,
			"audience_percentage": m.AudiencePercentage, "datapoint_percentage": m.DatapointPercentage,
			"audience_index": m.AudienceIndex,
		}, e.Statistics), e.Coverage)})
	}
	return got, nil
}

func (q *pageQuestion) waveCounts(ctx context.Context, store audience.Store) (got []pageAnswer, err error) {
	if len(q.expressions["audience"]) != 1 {
		return nil, fmt.Errorf("wave counts are of one audience")
	}
	sure, err := q.statistics()
	if err != nil {
		return nil, err
	}
	r, err := stats.WaveCounts(ctx, store, stats.WaveRequest{Expression: q.expressions["audience"][0].Expr,
		Waves: q.words["waves"], Locations: q.words["locations"], Coverage: true, Matched: q.has("matched"),
		Statistics: sure})
	if err != nil {
		return nil, err
	}
	for _, w := range r.Waves {
		got = append(got, pageAnswer{w.Code, covering(sureOfWave(map[string]any{"sample": w.Sample,
			"percentage": w.Percentage, "size": ""}, w.Statistics), w.Coverage)})
	}
	all := map[string]any{"sample": r.Audience.Sample, "size": r.Audience.Size, "percentage": r.Percentage}
	if sure != nil {
		sureOfWave(all, new(stats.WaveStatistics)) // waves alone have any
	}
	return append(got, pageAnswer{"all", covering(all, r.Coverage)}), nil
}

// association tells of two questions, whose codes are what it is about.
func (q *pageQuestion) association(ctx context.Context, store audience.Store, about string) ([]pageAnswer, error) {
	rows, columns, _ := strings.Cut(about, " ")
	found, err := stats.Associate(ctx, store, stats.AssociationQuery{Rows: stats.AssociationAxis{Question: rows},
		Columns: stats.AssociationAxis{Question: columns}, Base: q.base(), Waves: q.words["waves"],
		Locations: q.words["locations"], Coverage: true})
	if err != nil {
		return nil, err
	}
	figures := map[string]any{"sample": found.Sample, "effective_sample": found.EffectiveSample}
	for _, name := range []string{"cramers_v", "f", "df", "df_denominator", "p"} {
		figures[name] = absent
	}
	if found.CramersV != nil {
		figures["cramers_v"] = *found.CramersV
	}
	if test := found.Independence; test != nil {
		figures["f"], figures["df"], figures["df_denominator"], figures["p"] = test.F, test.DF, test.DFDenominator, test.P
	}
	return []pageAnswer{{about, covering(figures, found.Coverage)}}, nil
}
