package main

import (
	"encoding/csv"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/crosswave/crosswave/crosstab"
)

// coffee imports the survey of examples/significance.
func coffee(t *testing.T) string {
	t.Helper()
	db := filepath.Join(t.TempDir(), "coffee.db")
	ok(t, "import", "--db", db, "../../examples/significance/survey.sav")
	return db
}

// The README shows what its commands print, which begins and ends as it says.
func TestReadmeShowsHowSure(t *testing.T) {
	alone(t)
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(readme), "\n## How sure a figure is\n")
	section, _, _ = strings.Cut(section, "\n## ")
	_, block, _ := strings.Cut(section, "```\n")
	block, _, _ = strings.Cut(block, "```\n")
	block = strings.ReplaceAll(block, "\\\n", "")
	db, printed := filepath.Join(t.TempDir(), "coffee.db"), ""
	for strings.HasPrefix(block, "$ ") {
		var command string
		command, block, _ = strings.Cut(block, "\n")
		args := strings.Fields(command)[2:]
		for i, arg := range args {
			if arg == "coffee.db" {
				args[i] = db
			}
			if strings.HasPrefix(arg, "examples/") {
				args[i] = "../../" + arg
			}
		}
		printed = ok(t, args...)
	}
	begins, ends, cut := strings.Cut(block, "…\n")
	if !cut || len(begins) < 500 || len(ends) < 500 || !strings.HasPrefix(printed, begins) ||
		!strings.HasSuffix(printed, ends) {
		t.Errorf("the README shows\n%s\nand its commands print\n%s", block, printed)
	}
}

// The columns that --stats adds. Intervals, differences and p-values are those of R's survey package; a total is
// compared with nothing.
func TestCSVTellsHowSure(t *testing.T) {
	alone(t)
	db := coffee(t)
	args := []string{"crosstab", "--db", db, "--rows", "brands:oldmill", "--columns", "age:a16,a35,a55", "--format", "csv"}
	plain := ok(t, args...)
	lines, err := csv.NewReader(strings.NewReader(ok(t, append(args, "--stats", "--compare", "columns,rest,previous",
		"--level-low", "90", "--correction", "holm")...))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var without strings.Builder
	w := csv.NewWriter(&without)
	for _, l := range lines {
		w.Write(l[:len(csvHeader)])
	}
	if w.Flush(); without.String() != plain {
		t.Errorf("the columns that are there without --stats are\n%s\nwith it, not\n%s", without.String(), plain)
	}
	field := func(line int, name string) string { return lines[line][slices.Index(lines[0], name)] }
	for _, c := range []struct {
		line int // 1 to 4 are the row of the total, 5 is the total of the Old Mill, 6 to 8 those of the three ages
		name string
		want float64
	}{
		{6, "column_percentage_low", 9.360673}, {6, "column_percentage_high", 21.653977},
		{7, "column_percentage_low", 17.97911}, {7, "column_percentage_high", 34.25496},
		{8, "column_percentage_low", 28.50529}, {8, "column_percentage_high", 48.90076},
		{7, "previous_p", 0.0312}, {8, "previous_p", 0.0459},
	} {
		got, err := strconv.ParseFloat(field(c.line, c.name), 64)
		if err != nil || math.Abs(got-c.want) > 6e-5 {
			t.Errorf("line %d, %s: %v instead of %v, %v", c.line, c.name, got, c.want, err)
		}
	}
	var texts []string
	for i := 5; i < len(lines); i++ {
		texts = append(texts, strings.Join([]string{field(i, "column_name"), field(i, "column_percentage_quality"),
			field(i, "letter"), field(i, "higher_than"), field(i, "lower_than"), field(i, "higher_than_low"),
			field(i, "lower_than_low"), field(i, "rest_significant"), field(i, "previous_significant")}, "|"))
	}
	if d := cmp.Diff([]string{"Total|ok|||||||", "16–34|ok|A||C||B|lower|", "35–54|ok|B|||A|C||",
		"55–74|caution|C|A||B||higher|"},
		texts); d != "" {
		t.Error(d)
	}
	for _, name := range crosstab.StatisticsHeader() {
		test := strings.HasPrefix(name, "rest_") || strings.HasPrefix(name, "previous_")
		if total := field(5, name); test && total != "" {
			t.Errorf("the total has %s: %s", name, total)
		}
		if !slices.ContainsFunc(lines[6:], func(l []string) bool { return l[slices.Index(lines[0], name)] != "" }) &&
			name != "previous_significant" {
			t.Errorf("%s is empty in every cell", name)
		}
	}
}

// What --help says of the flags that ask how sure figures are.
func TestHelpOfStatistics(t *testing.T) {
	_, flags, _ := strings.Cut(ok(t, "crosstab", "--help"), "\n      --stats")
	flags, _, _ = strings.Cut(flags, "\n      --format")
	want := `      --stats                      Tell how sure figures are: effective
                                   samples, intervals, marks of small bases,
                                   and what differs significantly
                                   ($CROSSWAVE_CROSSTAB_STATS).
      --level=PERCENT              The level of confidence of intervals and
                                   tests, above 50 and below 100; 95 unless
                                   given ($CROSSWAVE_CROSSTAB_LEVEL).
      --level-low=PERCENT          A lower level, at which letters are
                                   small; there are none unless given
                                   ($CROSSWAVE_CROSSTAB_LEVEL_LOW).
      --compare=WHAT,...           What is compared: columns (each with each
                                   other; letters), rest (each with the rest
                                   of the base; ▲▼), previous (each with
                                   the one before, for waves; ▲▼); none.
                                   Several with commas. columns unless given
                                   ($CROSSWAVE_CROSSTAB_COMPARE).
      --correction="none"          How p-values are corrected for the number
                                   of tests: none, bonferroni, holm, fdr
                                   ($CROSSWAVE_CROSSTAB_CORRECTION).
      --low-base="sample"          The rule by which percentages of few
                                   respondents are marked: sample (by --withhold
                                   and --caution) or nchs (Data Presentation
                                   Standards for Proportions of the US
                                   National Center for Health Statistics)
                                   ($CROSSWAVE_CROSSTAB_LOW_BASE).
      --withhold=N                 Below how many respondents a percentage
                                   is better withheld; 30 unless given
                                   ($CROSSWAVE_CROSSTAB_WITHHOLD).
      --caution=N                  Below how many respondents a percentage
                                   is read with caution; 100 unless given
                                   ($CROSSWAVE_CROSSTAB_CAUTION).
      --color=auto                 Whether indices are shaded: always, never,
                                   or auto, which is on a terminal unless
                                   NO_COLOR is set ($CROSSWAVE_CROSSTAB_COLOR).`
	if d := cmp.Diff(want, "      --stats"+flags); d != "" {
		t.Error(d)
	}
}

// A table that tells how sure it is, is no wider than the terminal, either, and has all columns.
func TestSureTablesFitTheTerminal(t *testing.T) {
	alone(t)
	db := coffee(t)
	for _, width := range []int{40, 57, 80, 200} {
		t.Setenv("COLUMNS", strconv.Itoa(width))
		out := ok(t, "crosstab", "--db", db, "--rows", "brands", "--columns", "age", "--columns", "brands", "--stats",
			"--compare", "columns,rest,previous", "--level-low", "80")
		intervals := 0
		for line := range strings.Lines(out) {
			line = strings.TrimSuffix(line, "\n")
			if got := displayWidth(line); got > width || strings.HasSuffix(line, " ") {
				t.Errorf("with %d a line is %d wide: %q", width, got, line)
			}
			intervals += strings.Count(line, "–") * strings.Count(line, "interval ")
		}
		if intervals != 4*9 {
			t.Errorf("with %d there are %d intervals of 4 rows and 9 columns", width, intervals)
		}
	}
}

// The server's stream holds the same statistics as csv, of all cells but the totals.
func TestJSONTellsHowSure(t *testing.T) {
	alone(t)
	db := coffee(t)
	args := []string{"crosstab", "--db", db, "--rows", "brands", "--columns", "age", "--stats", "--compare",
		"columns,rest,previous", "--level", "90", "--level-low", "80", "--correction", "fdr", "--withhold", "26", "--caution",
		"130", "--format"}
	lines, err := csv.NewReader(strings.NewReader(ok(t, append(args, "csv")...))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	type interval struct {
		StandardError *float64 `json:"standard_error"`
		Low, High     *float64
		Quality       string
	}
	type difference struct {
		Difference, T, DF, P *float64
		AdjustedP            *float64 `json:"adjusted_p"`
	}
	var cells []struct {
		Statistics struct {
			Row struct {
				IntersectPercentage interval `json:"intersect_percentage"`
			}
			Column struct {
				EffectiveSample float64 `json:"effective_sample"`
			}
			Intersect      struct{ Index interval }
			Rest, Previous difference
			Columns        struct {
				HigherThan []int `json:"higher_than"`
				Pairs      []struct {
					ColumnIndex int `json:"column_index"`
				}
			}
		}
	}
	if err := json.Unmarshal([]byte(ok(t, append(args, "json")...)), &cells); err != nil {
		t.Fatal(err)
	}
	text := func(x *float64) string {
		if x == nil {
			return ""
		}
		return strconv.FormatFloat(*x, 'g', -1, 64)
	}
	var got, want [][]string
	for _, c := range cells {
		s := c.Statistics
		p := s.Row.IntersectPercentage
		got = append(got, []string{text(&s.Column.EffectiveSample), text(p.StandardError), text(p.Low), text(p.High),
			p.Quality, text(s.Intersect.Index.High), text(s.Rest.T), text(s.Rest.AdjustedP), text(s.Previous.P),
			strings.ReplaceAll(crosstab.Compared{Higher: s.Columns.HigherThan}.Letters(), " ", ";")})
		if len(s.Columns.Pairs) == 0 {
			t.Error("a cell has no pairs, which say what is significant at the lower level")
		}
	}
	for _, l := range lines[1:] {
		if l[2] == "Total" || l[5] == "Total" {
			continue
		}
		var fields []string
		for _, name := range []string{"column_effective_sample", "column_percentage_standard_error", "column_percentage_low",
			"column_percentage_high", "column_percentage_quality", "index_high", "rest_t", "rest_adjusted_p", "previous_p",
			"higher_than"} {
			field := l[slices.Index(lines[0], name)]
			if x, err := strconv.ParseFloat(field, 64); err == nil {
				field = text(&x)
			}
			fields = append(fields, field)
		}
		want = append(want, fields)
	}
	if d := cmp.Diff(want, got); d != "" || len(got) != 16 {
		t.Error(d)
	}
}
