package explorer

import (
	"fmt"
	"strings"
	"testing"
)

// segment is an entry of statistics by wave.
type segment struct {
	Datapoint, Segment string
	Waves              []string
	Metrics            struct {
		Share  float64 `json:"audience_percentage"`
		Sample float64 `json:"audience_sample"`
	}
}

var lineAudiences = []object{{"name": "Everyone", "expression": object{"question": "waves"}},
	{"name": "Women", "expression": object{"question": "core.gender", "datapoints": []string{"f"}}}}

// Trend: each point is what statistics by wave have, and a line is open where its answer was not asked.
func TestTrend(t *testing.T) {
	for _, test := range []struct {
		name      string
		of        func(*testing.T) store
		questions []string
		audiences []object
		gaps      bool
	}{
		{"demo", demo, []string{"core.exercise"}, nil, false},
		{"gap", demo, []string{"core.assistant_a"}, nil, true},
		{"ragged", ragged, []string{"core.brands", "core.mood", "core.mood_old", "core.use"}, nil, true},
		{"audiences", ragged, []string{"core.brands", "core.mood_old", "core.use"}, lineAudiences, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := test.of(t).serve(t)
			for _, is := range sizes {
				numbers, gaps := 0, 0
				for _, key := range test.questions {
					p := open(t, s, is)
					address := "/trend?trend=" + key
					if test.audiences != nil {
						address += "&audiences=" + written(test.audiences[0]) + "," + written(test.audiences[1])
					}
					p.goTo(address)
					p.settled()
					p.until(`document.querySelector(".figures td .number")`)
					p.shoot(fmt.Sprintf("trend-%s-%s-%s", test.name, strings.TrimPrefix(key, "core."), is.name))
					p.fits()
					some, without := p.trendHolds(s, key, test.audiences)
					numbers, gaps = numbers+some, gaps+without
				}
				t.Logf("%s: %d numbers, %d gaps", is.name, numbers, gaps)
				if numbers < 20 || test.gaps != (gaps > 0) {
					t.Errorf("%s: %d numbers were held, and %d gaps", is.name, numbers, gaps)
				}
			}
		})
	}
}

// trendHolds holds the figures below the lines, and the number of points that are drawn, against statistics by wave.
func (p *page) trendHolds(s *server, key string, audiences []object) (numbers, gaps int) {
	p.Helper()
	q := s.question(p.T, key)
	if audiences == nil {
		audiences = []object{{"expression": object{"question": "waves"}}}
	}
	var lines [][][]string
	p.eval(`[...document.querySelectorAll(".figures tbody tr")].map((line) => [...line.querySelectorAll("td")].map((cell) =>
		[...cell.querySelectorAll(".number, .sample")].map((n) => n.textContent)))`, &lines)
	answers := q.Answers[:min(len(q.Answers), 5)]
	if len(audiences) > 1 {
		answers = q.Answers[:1]
	}
	if len(lines) != len(answers)*len(audiences) {
		p.Fatalf("%d lines are drawn, and not %d × %d", len(lines), len(answers), len(audiences))
	}
	var codes []string
	for _, one := range answers {
		codes = append(codes, one.Code)
	}
	for a, audience := range audiences {
		var want struct{ Data []segment }
		s.ask(p.T, "/v2/query/stats", object{"question": key, "datapoints": codes, "splitter": "waves",
			"audiences": []object{{"expression": audience["expression"]}}}, &want)
		waves := len(want.Data) / len(codes)
		for i, entry := range want.Data {
			cell := lines[a*len(codes)+i/waves][i%waves]
			if len(entry.Waves) == 0 || entry.Metrics.Sample == 0 {
				gaps++
				if len(cell) != 0 {
					p.Errorf("%s in %s was not asked, and shows %q", entry.Datapoint, entry.Segment, cell)
				}
				continue
			}
			if len(cell) != 2 {
				p.Errorf("%s in %s was asked of %v, and shows nothing", entry.Datapoint, entry.Segment, entry.Metrics.Sample)
				continue
			}
			if err := same(cell[0], entry.Metrics.Share, 1); err != nil {
				p.Errorf("%s in %s: %v", entry.Datapoint, entry.Segment, err)
			}
			if err := same(cell[1], entry.Metrics.Sample, 0); err != nil {
				p.Errorf("%s in %s: %v", entry.Datapoint, entry.Segment, err)
			}
			numbers += 2
		}
	}
	var points int
	p.eval(`document.querySelectorAll(".drawing svg[role=img] g > title").length`, &points)
	if points != numbers/2 {
		p.Errorf("%d points are drawn of %d", points, numbers/2)
	}
	return numbers, gaps
}

// In the markets that all waves have, waves compare: the page says so, and the figures are those of matched counts.
func TestTrendMatched(t *testing.T) {
	s := demo(t).serve(t)
	p := open(t, s, sizes[0])
	p.goTo("/trend?trend=core.exercise&answers=exercise_1")
	p.settled()
	p.until(`document.querySelector(".trend .warning")?.textContent.includes("different markets")`)
	p.click(button("Same markets"))
	p.until(`!document.querySelector(".trend .warning")`)
	p.settled()
	var want struct {
		Waves []struct {
			Code               string
			Sample, Percentage float64
		} `json:"per_wave_count"`
	}
	s.ask(t, "/v3/query/audience_wave_counts", object{"matched": true,
		"expression": object{"question": "core.exercise", "datapoints": []string{"exercise_1"}}}, &want)
	var shown []string
	p.eval(`[...document.querySelectorAll(".figures td .number")].map((n) => n.textContent)`, &shown)
	if len(shown) != len(want.Waves) {
		t.Fatalf("%d waves are shown of %d", len(shown), len(want.Waves))
	}
	for i, wave := range want.Waves {
		if err := same(shown[i], wave.Percentage, 1); err != nil {
			t.Errorf("%s: %v", wave.Code, err)
		}
	}
}
