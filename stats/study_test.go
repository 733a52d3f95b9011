package stats_test

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/store/naive"
	"github.com/crosswave/crosswave/store/storetest"
	"github.com/crosswave/crosswave/store/survey"
	"github.com/crosswave/crosswave/store/survey/decimal"
)

// everywhere is declared coverage: all fieldwork.
var everywhere = audience.Asked{{}}

// shops is a survey of 13 respondents, to be added up by hand. fr joins in w2; the item b3 is asked in fr only;
// mood_old is replaced by mood in w2; shop and diary are built on core and have no respondents in common.
func shops() *audience.Survey {
	points := func(codes ...string) (ds []audience.Datapoint) {
		for _, c := range codes {
			ds = append(ds, audience.Datapoint{Code: c})
		}
		return ds
	}
	s := &audience.Survey{
		Namespaces: []audience.Namespace{{Code: "core"}, {Code: "shop", Base: "core"}, {Code: "diary", Base: "core",
			Universe: "sum"}},
		Waves:     []audience.Wave{{Code: "w1", Name: "Spring"}, {Code: "w2", Name: "Autumn"}},
		Locations: []audience.Location{{Code: "uk"}, {Code: "fr"}},
		Questions: []audience.Question{
			{Namespace: "core", Code: "sex", Datapoints: points("f", "m")},
			{Namespace: "core", Code: "brand", Datapoints: points("b1", "b2", "b3")},
			{Namespace: "core", Code: "use", Datapoints: points("tv", "web"), Suffixes: []audience.Suffix{{Code: 1},
				{Code: 2}, {Code: 3}}},
			{Namespace: "core", Code: "mood_old", Datapoints: points("good"), Asked: audience.Asked{{Wave: "w1"}}},
			{Namespace: "core", Code: "mood", Datapoints: points("good"), Asked: audience.Asked{{Wave: "w2"}}},
			{Namespace: "shop", Code: "visit", Datapoints: points("s1", "s2")},
			{Namespace: "diary", Code: "read", Datapoints: points("yes")},
			{Namespace: "shop", Code: "twice", Datapoints: points("x")},
			{Namespace: "diary", Code: "twice", Datapoints: points("x")},
		},
	}
	for i := range s.Questions {
		if s.Questions[i].Asked == nil {
			s.Questions[i].Asked = everywhere
		}
	}
	s.Questions[1].Datapoints[2].Asked = audience.Asked{{Location: "fr"}}
	return s
}

// respondents have a wave, a location, weights in core, shop and diary, and answers.
const respondents = `
	w1 uk 3  0 0  sex:f brand:b1 use:tv:1 mood_old:good
	w1 uk 1  0 2  sex:f brand:b2 use:tv:2 use:web:1
	w1 uk 2  0 1  sex:m brand:b1 brand:b2 use:web:3 diary.read:yes
	w1 uk 2  0 0  sex:m mood_old:good
	w2 uk 4  5 0  sex:f brand:b1 use:tv:3 mood:good shop.visit:s1
	w2 uk 2  3 1  sex:m brand:b2 shop.visit:s1 shop.visit:s2
	w2 uk 2  0 0  sex:m brand:b1 use:tv:1 mood:good
	w2 fr 10 9 0  sex:f brand:b3 use:tv:2 mood:good shop.visit:s2
	w2 fr 5  0 3  sex:m brand:b1 brand:b3 use:web:2 diary.read:yes
	w2 fr 5  4 0  sex:m
`

// store holds a survey and respondents, one a line.
func store(t testing.TB, s *audience.Survey, lines string) *naive.Store {
	st := &storetest.Study{Survey: s}
	layout := survey.NewLayout(s)
	for line := range strings.Lines(lines) {
		words := strings.Fields(line)
		if len(words) == 0 {
			continue
		}
		r := survey.Respondent{Row: int64(len(st.Respondents) + 1), Answered: make([]uint64, (layout.Items()+63)/64)}
		r.ID = fmt.Sprint(r.Row)
		r.Wave = slices.IndexFunc(s.Waves, func(w audience.Wave) bool { return w.Code == words[0] })
		r.Location = slices.IndexFunc(s.Locations, func(l audience.Location) bool { return l.Code == words[1] })
		answers := words[2+len(s.Namespaces):]
		for _, text := range words[2 : 2+len(s.Namespaces)] {
			weight, err := decimal.Parse(text, true)
			if err != nil {
				t.Fatal(err)
			}
			r.Weights = append(r.Weights, weight)
		}
		for _, a := range answers {
			r.Attributes = append(r.Attributes, attribute(t, s, layout, a))
		}
		st.Respondents = append(st.Respondents, r)
	}
	ref := new(naive.Store)
	if err := st.Load(context.Background(), ref); err != nil {
		t.Fatal(err)
	}
	return ref
}

// attribute numbers an answer: question:datapoint or question:datapoint:suffix.
func attribute(t testing.TB, s *audience.Survey, layout *survey.Layout, answer string) int32 {
	parts := strings.Split(answer, ":")
	q := slices.IndexFunc(s.Questions, func(q audience.Question) bool {
		return q.Code == parts[0] || q.Key() == parts[0]
	})
	if q < 0 {
		t.Fatalf("no question %q", answer)
	}
	d := slices.IndexFunc(s.Questions[q].Datapoints, func(d audience.Datapoint) bool { return d.Code == parts[1] })
	k := 0
	if len(parts) > 2 {
		k = slices.IndexFunc(s.Questions[q].Suffixes,
			func(s audience.Suffix) bool { return strconv.Itoa(s.Code) == parts[2] })
	}
	if d < 0 || k < 0 {
		t.Fatalf("no answer %q", answer)
	}
	return layout.Attribute(q, d, k)
}

// is is a leaf, written question:datapoint,datapoint.
func is(text string) audience.Expr {
	question, points, _ := strings.Cut(text, ":")
	var codes []string
	if points != "" {
		codes = strings.Split(points, ",")
	}
	return audience.Answers{Question: question, Datapoints: codes}
}

// called is an audience with an id.
func called(id string, x audience.Expr) audience.Audience { return audience.Audience{ID: id, Expr: x} }
