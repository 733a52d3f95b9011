package demo_test

import (
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/store/demo"
	"github.com/crosswave/crosswave/store/survey"
	"github.com/crosswave/crosswave/store/survey/decimal"
)

func question(t testing.TB, s *audience.Survey, code string) int {
	t.Helper()
	i := slices.IndexFunc(s.Questions, func(q audience.Question) bool { return q.Code == code })
	if i < 0 {
		t.Fatalf("no question %q", code)
	}
	return i
}

func TestSurveyHasTheQuestionsOfARealOne(t *testing.T) {
	s := describe(t, demo.New(demo.Config{}))
	kinds, wide, climbing := map[string]int{}, 0, 0
	for _, q := range s.Questions {
		kinds[q.Kind]++
		if n := len(q.Datapoints); q.Kind == audience.Multi && n >= 20 && n <= 50 {
			wide++
		}
		if q.Kind == audience.Grid && q.Suffixes[0].Code == 0 {
			climbing++
		}
		if (q.Kind == audience.Grid) != (len(q.Suffixes) > 0) {
			t.Errorf("%s: %s with %d suffixes", q.Code, q.Kind, len(q.Suffixes))
		}
		if len(q.Datapoints) < 2 || q.Name == "" || q.Description == "" || len(q.Datasets) == 0 {
			t.Errorf("%s: something is missing", q.Code)
		}
	}
	if len(s.Questions) < 40 || kinds[audience.Single] < 10 || kinds[audience.Number] < 5 ||
		kinds[audience.Grid] < 5 || wide < 5 || climbing == 0 {
		t.Errorf("%d questions: %v, %d wide multis", len(s.Questions), kinds, wide)
	}
	if n := len(s.Questions[question(t, s, demo.Wide)].Datapoints); n != 50 {
		t.Errorf("interests has %d datapoints, want 50", n)
	}
	options := 0
	for _, code := range demo.Profile() {
		options += len(s.Questions[question(t, s, code)].Datapoints)
	}
	if options != 50 {
		t.Errorf("the profile questions have %d datapoints, want 50", options)
	}
}

func TestSurveyHasWavesMarketsAndNamespaces(t *testing.T) {
	s := describe(t, demo.New(demo.Config{}))
	if len(s.Waves) != 8 || len(s.Locations) < 12 || len(s.Namespaces) != 2 || len(s.Datasets) < 2 {
		t.Fatalf("%d waves, %d locations, %d namespaces, %d datasets", len(s.Waves), len(s.Locations),
			len(s.Namespaces), len(s.Datasets))
	}
	if s.Namespaces[1].Base != s.Namespaces[0].Code {
		t.Errorf("the second namespace is built on %q", s.Namespaces[1].Base)
	}
	for i, w := range s.Waves {
		start, err := time.Parse(time.DateOnly, w.Start)
		end, err2 := time.Parse(time.DateOnly, w.End)
		if err != nil || err2 != nil || !end.After(start) {
			t.Errorf("wave %s is from %s to %s", w.Code, w.Start, w.End)
		}
		if i > 0 && start.AddDate(0, 0, -1).Format(time.DateOnly) != s.Waves[i-1].End {
			t.Errorf("wave %s starts on %s, the one before ends on %s", w.Code, w.Start, s.Waves[i-1].End)
		}
	}
	regions, isos := map[audience.Region]bool{}, map[string]bool{}
	for _, l := range s.Locations {
		regions[l.Region] = true
		isos[l.ISOCode] = len(l.ISOCode) == 2
	}
	if len(regions) < 3 || len(isos) != len(s.Locations) {
		t.Errorf("%d regions, ISO codes %v", len(regions), isos)
	}
}

func TestCategoriesAreTwoLevelsDeepAndHoldEveryQuestion(t *testing.T) {
	s := describe(t, demo.New(demo.Config{}))
	parents, shelved := map[string]string{}, map[string]bool{}
	for _, c := range s.Categories {
		parents[c.ID] = c.Parent
		for _, q := range c.Questions {
			shelved[q] = true
			if c.Parent == "" {
				t.Errorf("question %s is in category %s, which has children", q, c.Name)
			}
		}
	}
	tops := 0
	for id, parent := range parents {
		if parent == "" {
			tops++
		} else if p, ok := parents[parent]; !ok || p != "" {
			t.Errorf("category %s is in %q, which is no category of the first level", id, parent)
		}
	}
	if tops < 2 || len(parents) <= tops {
		t.Errorf("%d categories of the first level, %d in all", tops, len(parents))
	}
	for _, q := range s.Questions {
		code := q.Code
		if q.Namespace != s.Namespaces[0].Code {
			code = q.Namespace + "." + code
		}
		if !shelved[code] {
			t.Errorf("question %s is in no category", code)
		}
	}
}

// Every member of every record has a value somewhere that is not its zero value.
func TestEveryFieldOfTheCatalogueIsUsed(t *testing.T) {
	used := map[string]bool{}
	var visit func(v reflect.Value)
	visit = func(v reflect.Value) {
		switch v.Kind() {
		case reflect.Pointer:
			if !v.IsNil() {
				visit(v.Elem())
			}
		case reflect.Slice:
			for i := range v.Len() {
				visit(v.Index(i))
			}
		case reflect.Struct:
			for i := range v.NumField() {
				name := v.Type().Name() + "." + v.Type().Field(i).Name
				f := v.Field(i)
				if f.Kind() == reflect.Pointer && !f.IsNil() {
					f = f.Elem()
				}
				used[name] = used[name] || !f.IsZero()
				visit(f)
			}
		}
	}
	visit(reflect.ValueOf(describe(t, demo.New(demo.Config{}))))
	if len(used) < 50 {
		t.Fatalf("only %d fields were looked at", len(used))
	}
	for name, is := range used {
		if !is && name != "Question.Hidden" { // nobody could use such a one
			t.Errorf("%s is used nowhere", name)
		}
	}
}

func TestBrandsAreLetters(t *testing.T) {
	s := describe(t, demo.New(demo.Config{}))
	for _, q := range s.Questions {
		for _, d := range q.Datapoints {
			if i := strings.Index(d.Name, " brand "); i >= 0 && len(d.Name) != i+len(" brand A") {
				t.Errorf("%s: %q", q.Code, d.Name)
			}
		}
	}
}

func TestWeightsOfAFieldworkSumToThePopulation(t *testing.T) {
	alone(t)
	population := []string{ // by location
		"50200000", "62400000", "48900000", "36300000", "45100000", "29300000", "7700000",
		"252600000", "92800000", "157700000", "486500000", "93800000", "19900000", "41600000",
	}
	for _, respondents := range []int{shrunk, 30_000} {
		d := demo.New(demo.Config{Respondents: respondents})
		s := describe(t, d)
		type key struct{ wave, location, namespace int }
		sums, samples, distinct := map[key]*decimal.Sum{}, map[key]int{}, map[key]map[decimal.Decimal]bool{}
		decimals := make([][2]int, len(s.Waves))
		each(t, d, func(r *survey.Respondent) {
			for n, w := range r.Weights {
				if w.IsZero() {
					continue
				}
				k := key{r.Wave, r.Location, n}
				if sums[k] == nil {
					sums[k], distinct[k] = &decimal.Sum{}, map[decimal.Decimal]bool{}
				}
				sums[k].Add(w)
				samples[k]++
				distinct[k][w] = true
				decimals[r.Wave][n] = max(decimals[r.Wave][n], w.Decimals())
			}
			if r.Weights[0].Sign() <= 0 {
				t.Fatalf("respondent %s has the weight %s", r.ID, r.Weights[0])
			}
		})
		for k, sum := range sums {
			if got := sum.String(); got != population[k.location] {
				t.Errorf("%d respondents: weights of %s in %s, %s sum to %s, want %s", respondents,
					s.Namespaces[k.namespace].Code, s.Waves[k.wave].Code, s.Locations[k.location].Code, got, population[k.location])
			}
			if samples[k] < 10 || len(distinct[k]) < 5 {
				t.Errorf("%+v: %d respondents with %d weights", k, samples[k], len(distinct[k]))
			}
		}
		units := map[[2]int]bool{}
		for _, ds := range decimals {
			units[ds] = true
			if ds[0] < 2 || ds[0] > 4 {
				t.Errorf("%d decimals", ds[0])
			}
		}
		if len(units) < 4 {
			t.Errorf("decimals by wave are %v: too few kinds for an append to change the unit", decimals)
		}
	}
}

func TestRecontactIsSomeRespondentsWavesAndLocations(t *testing.T) {
	alone(t)
	d := demo.New(demo.Config{Respondents: shrunk})
	s := describe(t, d)
	layout := survey.NewLayout(s)
	waves, locations, n := map[int]bool{}, map[int]bool{}, 0
	first := slices.IndexFunc(s.Questions, func(q audience.Question) bool { return q.Namespace == "shopper" })
	each(t, d, func(r *survey.Respondent) {
		takesPart := !r.Weights[1].IsZero()
		if takesPart {
			waves[r.Wave], locations[r.Location] = true, true
			n++
		}
		answers := false
		for _, a := range r.Attributes {
			answers = answers || a >= layout.Attribute(first, 0, 0)
		}
		if answers != takesPart {
			t.Fatalf("respondent %s: answers to the recontact %v, taking part %v", r.ID, answers, takesPart)
		}
	})
	if len(waves) < 2 || len(waves) == len(s.Waves) || len(locations) < 3 || len(locations) == len(s.Locations) ||
		n < shrunk/20 || n > shrunk/2 {
		t.Errorf("%d waves, %d locations, %d respondents", len(waves), len(locations), n)
	}
}

func TestNothingIsOutsideTheLayout(t *testing.T) {
	alone(t)
	d := demo.New(demo.Config{Respondents: shrunk})
	s := describe(t, d)
	layout := survey.NewLayout(s)
	itemOf := make([]int, layout.Attributes())
	for q := range s.Questions {
		for p := range s.Questions[q].Datapoints {
			for x := range max(1, len(s.Questions[q].Suffixes)) {
				itemOf[layout.Attribute(q, p, x)] = layout.Item(q, p)
			}
		}
	}
	words := (layout.Items() + 63) / 64
	each(t, d, func(r *survey.Respondent) {
		if r.Wave < 0 || r.Wave >= len(s.Waves) || r.Location < 0 || r.Location >= len(s.Locations) ||
			len(r.Weights) != len(s.Namespaces) || len(r.Answered) != words {
			t.Fatalf("respondent %s does not fit the survey", r.ID)
		}
		if used := layout.Items() % 64; used > 0 && r.Answered[words-1]>>used != 0 {
			t.Fatalf("respondent %s has answered what is no item", r.ID)
		}
		before := int32(-1)
		for _, a := range r.Attributes {
			if a <= before || int(a) >= layout.Attributes() {
				t.Fatalf("respondent %s: attribute %d after %d of %d", r.ID, a, before, layout.Attributes())
			}
			if before = a; !answered(r, itemOf[a]) {
				t.Fatalf("respondent %s is positive on attribute %d of an item without answer", r.ID, a)
			}
		}
	})
}

func answered(r *survey.Respondent, item int) bool { return r.Answered[item>>6]>>(item&63)&1 != 0 }

func TestSinglesAreExclusiveAndProfileQuestionsComplete(t *testing.T) {
	alone(t)
	d := demo.New(demo.Config{Respondents: shrunk})
	s := describe(t, d)
	layout := survey.NewLayout(s)
	seen := make([]int, layout.Attributes())
	each(t, d, func(r *survey.Respondent) {
		for i := range s.Questions {
			q := &s.Questions[i]
			if q.Kind != audience.Single && q.Kind != audience.Number {
				continue
			}
			n := 0
			for _, a := range r.Attributes {
				if first := layout.Attribute(i, 0, 0); a >= first && a < first+int32(len(q.Datapoints)) {
					n++
					seen[a]++
				}
			}
			complete := q.Code == "age" || slices.Contains(demo.Profile(), q.Code)
			if n > 1 || complete && n == 0 || (n == 1) != answered(r, layout.Item(i, 0)) {
				t.Fatalf("respondent %s is positive on %d datapoints of %s", r.ID, n, q.Code)
			}
		}
	})
	for _, code := range append(demo.Profile(), "age") {
		i := question(t, s, code)
		for p, dp := range s.Questions[i].Datapoints {
			if seen[layout.Attribute(i, p, 0)] == 0 {
				t.Errorf("%s is nobody", dp.Code)
			}
		}
	}
}

func TestNoneOfTheseIsForThoseWhoTickedNothing(t *testing.T) {
	alone(t)
	d := demo.New(demo.Config{Respondents: shrunk})
	s := describe(t, d)
	layout := survey.NewLayout(s)
	var nones []int
	for i, q := range s.Questions {
		if n := q.Datapoints[len(q.Datapoints)-1].Name; q.Kind == audience.Multi && strings.HasPrefix(n, "No") {
			nones = append(nones, i)
		} else if q.Kind == audience.Multi && !q.Separate {
			t.Errorf("%s stands in one column and has no datapoint for nothing, so that nothing is no answer", q.Code)
		}
	}
	said := 0
	each(t, d, func(r *survey.Respondent) {
		for _, i := range nones {
			last := len(s.Questions[i].Datapoints) - 1
			first, none := layout.Attribute(i, 0, 0), layout.Attribute(i, last, 0)
			ticked, is := false, false
			for _, a := range r.Attributes {
				ticked = ticked || a >= first && a < none
				is = is || a == none
			}
			if answered(r, layout.Item(i, last)) != (ticked != is) || ticked && is {
				t.Fatalf("respondent %s, %s: something %v, nothing %v", r.ID, s.Questions[i].Code, ticked, is)
			}
			if is {
				said++
			}
		}
	})
	if len(nones) < 5 || said == 0 {
		t.Errorf("%d questions, nothing ticked %d times", len(nones), said)
	}
}

func TestGridsHaveOneSuffixOrThoseBelow(t *testing.T) {
	alone(t)
	d := demo.New(demo.Config{Respondents: shrunk})
	s := describe(t, d)
	layout := survey.NewLayout(s)
	each(t, d, func(r *survey.Respondent) {
		on := map[int32]bool{}
		for _, a := range r.Attributes {
			on[a] = true
		}
		for i := range s.Questions {
			q := &s.Questions[i]
			for p := range q.Datapoints {
				if q.Kind != audience.Grid || !answered(r, layout.Item(i, p)) {
					continue
				}
				var suffixes []int
				for x := range q.Suffixes {
					if on[layout.Attribute(i, p, x)] {
						suffixes = append(suffixes, q.Suffixes[x].Code)
					}
				}
				switch {
				case len(suffixes) == 1:
				case q.Suffixes[0].Code != 0 || len(suffixes) == 0 || suffixes[0] != 1 ||
					suffixes[len(suffixes)-1] != len(suffixes):
					t.Fatalf("respondent %s, %s: suffixes %v", r.ID, q.Datapoints[p].Code, suffixes)
				}
			}
		}
	})
}

func TestInterestsAreBetween2And40Percent(t *testing.T) {
	alone(t)
	d := demo.New(demo.Config{Respondents: 20_000})
	s := describe(t, d)
	layout := survey.NewLayout(s)
	i := question(t, s, demo.Wide)
	first := layout.Attribute(i, 0, 0)
	var weight, sample [50]float64
	total, n := 0.0, 0.0
	each(t, d, func(r *survey.Respondent) {
		w := r.Weights[0].Float64()
		total, n = total+w, n+1
		for _, a := range r.Attributes {
			if a >= first && a < first+50 {
				weight[a-first] += w
				sample[a-first]++
			}
		}
	})
	low, high := math.Inf(1), 0.0
	for p := range weight {
		for _, share := range []float64{weight[p] / total, sample[p] / n} {
			low, high = min(low, share), max(high, share)
			if share < 0.02 || share > 0.4 {
				t.Errorf("%s: %.1f %%", s.Questions[i].Datapoints[p].Name, 100*share)
			}
		}
	}
	if low > 0.05 || high < 0.3 {
		t.Errorf("shares from %.3f to %.3f do not spread", low, high)
	}
}
