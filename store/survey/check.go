package survey

import (
	"fmt"
	"strings"
	"time"

	"github.com/crosswave/crosswave/audience"
)

// checker looks for what cannot be meant in a survey or a codebook and keeps the first it finds.
type checker struct{ err *CodebookError }

// fail records what is wrong at a place.
func (c *checker) fail(path, format string, args ...any) {
	if c.err == nil {
		c.err = &CodebookError{Path: path, Reason: fmt.Sprintf(format, args...)}
	}
}

func (c *checker) result() error {
	if c.err == nil {
		return nil
	}
	return c.err
}

// codes collects the codes of one kind of record.
type codes map[string]int

// add takes the code of record i, which must be there and be new.
func (c *checker) add(seen codes, path, what, code string, i int) {
	switch first, there := seen[code]; {
	case code == "":
		c.fail(path, "a %s has a code", what)
	case there:
		c.fail(path, "%s %q is listed twice (first as number %d)", what, code, first+1)
	default:
		seen[code] = i
	}
}

// checkSurvey tells whether a survey is sound: codes there and unique, references to what is listed, trees without
// cycles. The errors are *CodebookError; their paths are those of a codebook.
func checkSurvey(s *audience.Survey) error {
	c := &checker{}
	namespaces := c.namespaces(s)
	waves, locations, datasets := codes{}, codes{}, codes{}
	for i, w := range s.Waves {
		path := fmt.Sprintf("wave.values[%d]", i)
		c.add(waves, path+".code", "wave", w.Code, i)
		c.dates(path, w)
	}
	for i, l := range s.Locations {
		c.add(locations, fmt.Sprintf("location.values[%d].code", i), "location", l.Code, i)
	}
	for i, d := range s.Datasets {
		c.add(datasets, fmt.Sprintf("datasets[%d].code", i), "dataset", d.Code, i)
	}
	for i, d := range s.Datasets {
		path := fmt.Sprintf("datasets[%d]", i)
		c.refer(namespaces, path+".base_namespace_code", "namespace", d.BaseNamespace)
		c.refer(datasets, path+".parent", "dataset", d.Parent)
		c.tree(path+".parent", "dataset", datasets, d.Code, func(i int) string { return s.Datasets[i].Parent })
	}
	questions := codes{}
	for i := range s.Questions {
		q := &s.Questions[i]
		path := fmt.Sprintf("questions[%d]", i)
		c.refer(namespaces, path+".namespace", "namespace", q.Namespace)
		c.add(questions, path+".code", "question", q.Key(), i)
		for k, d := range q.Datasets {
			c.refer(datasets, fmt.Sprintf("%s.datasets[%d]", path, k), "dataset", d)
		}
		c.question(path, q, waves, locations)
	}
	c.categories(s, datasets)
	return c.result()
}

// refer checks that a reference, which may be left out, leads somewhere.
func (c *checker) refer(seen codes, path, what, code string) {
	if _, ok := seen[code]; !ok && code != "" {
		c.fail(path, "there is no %s %q", what, code)
	}
}

// tree checks that the record of a code is not among those it is in.
func (c *checker) tree(path, what string, all codes, code string, parent func(int) string) {
	at, ok := all[code]
	for steps := 0; ok; steps++ {
		if steps > len(all) {
			c.fail(path, "the %s is inside itself", what)
			return
		}
		at, ok = all[parent(at)]
	}
}

func (c *checker) namespaces(s *audience.Survey) codes {
	seen := codes{}
	if len(s.Namespaces) == 0 {
		c.fail("namespaces", "at least one namespace is needed here; the first is the default")
	}
	for i, n := range s.Namespaces {
		path := fmt.Sprintf("namespaces[%d]", i)
		c.add(seen, path+".code", "namespace", n.Code, i)
		if strings.Contains(n.Code, ".") {
			c.fail(path+".code", "the code of a namespace holds no dot")
		}
		if n.Universe != "" && n.Universe != "average" && n.Universe != "sum" {
			c.fail(path+".universe", "%q is no universe; average and sum are", n.Universe)
		}
	}
	for i, n := range s.Namespaces {
		path := fmt.Sprintf("namespaces[%d].base", i)
		c.refer(seen, path, "namespace", n.Base)
		c.tree(path, "namespace", seen, n.Code, func(i int) string { return s.Namespaces[i].Base })
	}
	return seen
}

func (c *checker) dates(path string, w audience.Wave) {
	for _, date := range []struct{ name, text string }{{"start", w.Start}, {"end", w.End}} {
		if _, err := time.Parse(time.DateOnly, date.text); err != nil && date.text != "" {
			c.fail(path+"."+date.name, "%q is no date; one is written 2024-01-31", date.text)
		}
	}
	if w.Start != "" && w.End != "" && w.End < w.Start {
		c.fail(path+".end", "the wave ends on %s, before it starts on %s", w.End, w.Start)
	}
}

func (c *checker) question(path string, q *audience.Question, waves, locations codes) {
	if q.Code == "" {
		c.fail(path+".code", "a question has a code")
	}
	if q.Code == "waves" || q.Code == "locations" {
		c.fail(path+".code", "%q is reserved and can be no question's code", q.Code)
	}
	if _, known := members[q.Kind]; !known {
		c.fail(path+".type", "%q is no type of question; single, multi, grid and number are", q.Kind)
	}
	c.asked(path, q.Asked, waves, locations)
	answers := path + ".datapoints"
	if q.Kind == audience.Number {
		answers = path + ".bands"
	}
	seen := codes{}
	for j, d := range q.Datapoints {
		path := fmt.Sprintf("%s[%d]", answers, j)
		c.add(seen, path+".code", "datapoint", d.Code, j)
		c.asked(path, d.Asked, waves, locations)
	}
	suffixes := map[int]bool{}
	for j, s := range q.Suffixes {
		path := fmt.Sprintf("%s.suffixes[%d].code", path, j)
		switch {
		case s.Code < 0 || s.Code > 1<<31-1:
			c.fail(path, "a suffix code is a whole number from 0 to %d", 1<<31-1)
		case suffixes[s.Code]:
			c.fail(path, "suffix %d is listed twice", s.Code)
		}
		suffixes[s.Code] = true
	}
	if (len(q.Suffixes) > 0) != (q.Kind == audience.Grid) {
		c.fail(path+".suffixes", "a grid has suffixes, and no other question has")
	}
}

func (c *checker) asked(path string, asked audience.Asked, waves, locations codes) {
	for i, f := range asked {
		c.refer(waves, fmt.Sprintf("%s.asked[%d].wave", path, i), "wave", f.Wave)
		c.refer(locations, fmt.Sprintf("%s.asked[%d].location", path, i), "location", f.Location)
	}
}

func (c *checker) categories(s *audience.Survey, datasets codes) {
	ids := codes{}
	for i, k := range s.Categories {
		c.add(ids, fmt.Sprintf("categories[%d].id", i), "category", k.ID, i)
	}
	var frame *audience.Frame
	if c.err == nil && len(s.Categories) > 0 {
		var err error
		if frame, err = audience.NewFrame(0, s, audience.Coverage{}); err != nil {
			c.fail("", "%v", err)
		}
	}
	for i, k := range s.Categories {
		path := fmt.Sprintf("categories[%d]", i)
		c.refer(ids, path+".parent", "category", k.Parent)
		c.tree(path+".parent", "category", ids, k.ID, func(i int) string { return s.Categories[i].Parent })
		for j, code := range k.Questions {
			if c.err != nil {
				return
			}
			path := fmt.Sprintf("%s.questions[%d]", path, j)
			if at, err := frame.Question(code); err != nil {
				c.fail(path, "%v", err)
			} else if at < 0 {
				c.fail(path, "there is no question %q", code)
			}
		}
		for j, code := range k.Datasets {
			c.refer(datasets, fmt.Sprintf("%s.datasets[%d]", path, j), "dataset", code)
		}
	}
}
