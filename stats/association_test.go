package stats_test

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/stats"
	"github.com/google/go-cmp/cmp"
)

// drinkers is a survey of 8 respondents in each of two waves, all of whom weigh the same: sex and drink are answered by
// 6 of w1 and by 8 of w2. Milk is asked about in w2 only, and nothing else in w3.
func drinkers() (*audience.Survey, string) {
	points := func(codes ...string) (ds []audience.Datapoint) {
		for _, c := range codes {
			ds = append(ds, audience.Datapoint{Code: c})
		}
		return ds
	}
	s := &audience.Survey{
		Namespaces: []audience.Namespace{{Code: "core"}, {Code: "shop", Base: "core"}, {Code: "diary", Base: "core"}},
		Waves:      []audience.Wave{{Code: "w1"}, {Code: "w2"}, {Code: "w3"}},
		Locations:  []audience.Location{{Code: "uk"}},
		Questions: []audience.Question{
			{Namespace: "core", Code: "sex", Kind: audience.Single, Datapoints: points("f", "m"),
				Asked: audience.Asked{{Wave: "w1"}, {Wave: "w2"}}},
			{Namespace: "core", Code: "drink", Kind: audience.Single, Datapoints: points("tea", "beer", "milk"),
				Asked: everywhere},
			{Namespace: "core", Code: "brands", Kind: audience.Multi, Datapoints: points("b1", "b2"), Asked: everywhere},
			{Namespace: "core", Code: "age", Kind: audience.Number, Datapoints: points("young", "old"), Asked: everywhere},
			{Namespace: "core", Code: "use", Kind: audience.Grid, Datapoints: points("tv", "web"),
				Suffixes: []audience.Suffix{{Code: 1}, {Code: 2}}, Asked: everywhere},
			{Namespace: "shop", Code: "visit", Kind: audience.Single, Datapoints: points("yes", "no"), Asked: everywhere},
			{Namespace: "diary", Code: "read", Kind: audience.Single, Datapoints: points("yes", "no"), Asked: everywhere},
			{Namespace: "core", Code: "only", Kind: audience.Single, Datapoints: points("one"), Asked: everywhere},
		},
	}
	s.Questions[1].Datapoints[2].Asked = audience.Asked{{Wave: "w2"}}
	return s, `
		w1 uk 10 1 1 sex:f drink:tea age:young use:tv:1 use:web:1 only:one
		w1 uk 10 1 0 sex:f drink:tea age:young use:tv:1 use:web:2
		w1 uk 10 1 0 sex:f drink:beer age:old use:tv:2 visit:yes
		w1 uk 10 1 1 sex:m drink:tea age:young age:old read:no
		w1 uk 10 1 0 sex:m drink:beer use:tv:2 visit:no
		w1 uk 10 1 0 sex:m drink:beer use:tv:2
		w1 uk 10 1 0 sex:m use:tv:1
		w1 uk 10 1 0 drink:tea
		w2 uk 10 0 0 sex:f drink:tea
		w2 uk 10 0 0 sex:f drink:tea
		w2 uk 10 0 0 sex:f drink:beer
		w2 uk 10 0 0 sex:f drink:milk
		w2 uk 10 0 0 sex:m drink:tea
		w2 uk 10 0 0 sex:m drink:beer
		w2 uk 10 0 0 sex:m drink:beer
		w2 uk 10 0 0 sex:m drink:milk
		w3 uk 10 0 0 drink:tea
	`
}

// associated is the association of two questions of drinkers.
func associated(t *testing.T, q stats.AssociationQuery) *stats.Association {
	t.Helper()
	s, lines := drinkers()
	out, err := stats.Associate(t.Context(), store(t, s, lines), q)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// axisOf is a question, with a datapoint after a colon.
func axisOf(text string) stats.AssociationAxis {
	question, datapoint, grid := strings.Cut(text, ":")
	a := stats.AssociationAxis{Question: question}
	if grid {
		a.Datapoints = []string{datapoint}
	}
	return a
}

// Of 4 women and men each in w2, 2 and 1 drink tea, 1 and 2 beer, 1 and 1 milk: each cell is expected to have 3/16 (tea
// and beer) or 1/8 of them, so φ² = 4·(1/16)²/(3/16) = 1/12, which is V². All weigh the same in one fieldwork of 8, and
// women and men are as many: so Δ is 1/(8 − 1) on its diagonal of two contrasts, and F = (1/12)/(2/7) = 7/24. R has the
// same.
func TestAssociation(t *testing.T) {
	got := associated(t, stats.AssociationQuery{Rows: axisOf("sex"), Columns: axisOf("drink"), Waves: []string{"w2"},
		Coverage: true})
	if got.Sample != 8 || got.EffectiveSample != 8 || math.Abs(*got.CramersV-math.Sqrt(1.0/12)) > 1e-15 {
		t.Errorf("the association is %+v", got)
	}
	want := stats.Independence{F: 7.0 / 24, DF: 2, DFDenominator: 14, P: 0.75144747810816}
	near := func(a, b float64) bool { return math.Abs(a-b) <= 1e-13*b }
	if test := got.Independence; test == nil || !near(test.F, want.F) || !near(test.DF, want.DF) ||
		!near(test.DFDenominator, want.DFDenominator) || !near(test.P, want.P) {
		t.Errorf("the test is %+v, want %+v", test, want)
	}
	covers := &audience.Covered{Namespace: "core", Waves: []string{"w2"}, Locations: []string{"uk"}, Complete: true,
		PartlyAsked: []audience.DatapointKey{}}
	if d := cmp.Diff(covers, got.Coverage); d != "" {
		t.Error(d)
	}
}

// An answer that was asked about in a part of the fieldwork was given by no one elsewhere: milk is a column, and w1 is
// covered all the same. w3, where sex was not asked, is not.
func TestAssociationWhereAnAnswerWasNotAsked(t *testing.T) {
	got := associated(t, stats.AssociationQuery{Rows: axisOf("sex"), Columns: axisOf("drink"), Coverage: true})
	// 14 respondents of 2 fieldworks; women drink 4 tea, 2 beer, 1 milk, men 2, 4 and 1: φ² = 4·(1/14)²/(3/14) = 2/21
	if got.Sample != 14 || math.Abs(*got.CramersV-math.Sqrt(2.0/21)) > 1e-15 ||
		math.Abs(got.Independence.DFDenominator/got.Independence.DF-12) > 1e-12 {
		t.Errorf("the association is %+v, %+v", got, got.Independence)
	}
	covers := &audience.Covered{Namespace: "core", Waves: []string{"w1", "w2"}, Locations: []string{"uk"},
		PartlyAsked: []audience.DatapointKey{{Namespace: "core", Question: "drink", Datapoint: "milk"}}}
	if d := cmp.Diff(covers, got.Coverage); d != "" {
		t.Error(d)
	}
}

// A question against itself, one datapoint of a grid, questions of namespaces that build on each other, a base, and
// what leaves nothing to be told.
func TestAssociationOfKinds(t *testing.T) {
	women := audience.Audience{Expr: is("sex:f")}
	for _, c := range []struct {
		rows, columns string
		base          audience.Audience
		waves         []string
		sample        int64
		v             float64 // below 0: absent
		tested        bool
	}{
		{"sex", "sex", audience.Audience{}, nil, 15, 1, true},
		{"drink", "drink", audience.Audience{}, []string{"w2"}, 8, 1, false},
		{"use:tv", "drink", audience.Audience{}, nil, 5, 1, true},
		{"use:tv", "use:web", audience.Audience{}, nil, 2, -1, false},
		{"visit", "sex", audience.Audience{}, nil, 2, 1, false},
		{"visit", "sex", women, nil, 1, -1, false},
		{"sex", "drink", women, nil, 7, -1, false},
		{"only", "sex", audience.Audience{}, nil, 1, -1, false},
		{"sex", "drink", audience.Audience{}, []string{"w3"}, 0, -1, false},
		{"visit", "drink", audience.Audience{}, []string{"w2"}, 0, -1, false},
	} {
		got := associated(t, stats.AssociationQuery{Rows: axisOf(c.rows), Columns: axisOf(c.columns), Base: c.base,
			Waves: c.waves})
		v := -1.0
		if got.CramersV != nil {
			v = *got.CramersV
		}
		if got.Sample != c.sample || math.Abs(v-c.v) > 1e-4 || c.tested != (got.Independence != nil) {
			t.Errorf("%s × %s, base %v, waves %v: %d respondents, V %v, %+v", c.rows, c.columns, c.base.Expr, c.waves,
				got.Sample, v, got.Independence)
		}
	}
}

// What can't be associated is told with its place.
func TestAssociationErrors(t *testing.T) {
	axis := func(question string, datapoints ...string) stats.AssociationAxis {
		return stats.AssociationAxis{Question: question, Datapoints: datapoints}
	}
	sex := axis("sex")
	for _, c := range []struct {
		rows, columns stats.AssociationAxis
		base          audience.Expr
		most          int
		want          string
	}{
		{axis(""), sex, nil, 0, "rows.question: a question code is required"},
		{sex, axis("waves"), nil, 0, `columns.question: "waves" is no question of the survey`},
		{sex, axis("brands"), nil, 0, `columns.question: question "brands" can have several answers: an association is of ` +
			`two with one answer each`},
		{axis("age"), sex, nil, 0, `rows.question: question "age" has respondents with several answers: an association is ` +
			`of two with one answer each`},
		{sex, axis("age"), nil, 0, `columns.question: question "age" has respondents with several answers: an association ` +
			`is of two with one answer each`},
		{axis("use"), sex, nil, 0, `rows.datapoints: question "use" is a grid: name the one datapoint whose suffixes are ` +
			`the answers`},
		{axis("use", "tv", "web"), sex, nil, 0, `rows.datapoints: question "use" is a grid: name the one datapoint whose ` +
			`suffixes are the answers`},
		{axis("drink", "tea"), sex, nil, 0, `rows.datapoints: question "drink" is no grid, all of its answers count: leave ` +
			`some out by the base audience`},
		{axis("sax"), axis("drink", "wine"), is("locations:fr"), 0, `not available: question "sax" (in rows); datapoints ` +
			`wine of question "drink" (in columns); question "locations" (in base_audience)`},
		{axis("visit"), axis("read"), nil, 0, "namespaces shop and diary have no common respondents: use one of them, or " +
			"one that is built on the other"},
		{axis("drink"), sex, audience.And{is("visit"), is("read")}, 0, "base_audience: namespaces shop and diary have no " +
			"common respondents: use one of them, or one that is built on the other"},
		{axis("drink"), sex, nil, 5, "3 × 2 answers are more than the 5 cells that one request may ask for"},
	} {
		s, lines := drinkers()
		_, err := stats.Associate(t.Context(), store(t, s, lines), stats.AssociationQuery{Rows: c.rows, Columns: c.columns,
			Base: audience.Audience{Expr: c.base}, MostCells: c.most})
		if err == nil || err.Error() != c.want {
			t.Errorf("%v × %v: the error is\n%v, want\n%s", c.rows, c.columns, err, c.want)
		}
	}
}

// Questions with very many answers are refused before anything is counted.
func TestAssociationIsBounded(t *testing.T) {
	s := &audience.Survey{Namespaces: []audience.Namespace{{Code: "core"}}}
	for i := range 100 {
		s.Locations = append(s.Locations, audience.Location{Code: fmt.Sprint("l", i)})
	}
	s.Waves = []audience.Wave{{Code: "w"}}
	for q, answers := range []int{600, 401, 200, 150} {
		question := audience.Question{Namespace: "core", Code: fmt.Sprint("q", q), Kind: audience.Single, Asked: everywhere}
		for i := range answers {
			question.Datapoints = append(question.Datapoints, audience.Datapoint{Code: fmt.Sprint(i)})
		}
		s.Questions = append(s.Questions, question)
	}
	lines := ""
	for i := range 100 {
		lines += fmt.Sprintf("w l%d 1 q0:%d q2:%d q3:%d\n", i, i, i, i)
	}
	st := store(t, s, lines)
	for _, c := range []struct{ rows, columns, want string }{
		{"q0", "q1", "the two questions have 1001 answers, more than the 1000 that an association may have together"},
		{"q2", "q3", "200 × 150 answers in 100 waves and locations are 3035100 counts, more than the 2097152 that an " +
			"association may have: ask for fewer waves or locations"},
	} {
		_, err := stats.Associate(t.Context(), st, stats.AssociationQuery{Rows: axisOf(c.rows), Columns: axisOf(c.columns)})
		var complex *audience.ComplexError
		if !errors.As(err, &complex) || err.Error() != c.want {
			t.Errorf("%s × %s: the error is %v, want %s", c.rows, c.columns, err, c.want)
		}
	}
}
