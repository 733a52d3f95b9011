package demo

import (
	"strconv"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/store/survey"
)

// separate tells whether each point has a column of its own in the file.
func (s *spec) separate() bool {
	return s.Model == rate || s.Model == climb || s.Model == tick && !s.Column
}

func (s *spec) kind() string {
	switch s.Model {
	case years, count:
		return audience.Number
	case tick:
		return audience.Multi
	case rate, climb:
		return audience.Grid
	}
	return audience.Single
}

// namespace is the index of the question's namespace.
func (s *spec) namespace() int {
	if s.In == "" {
		return 0
	}
	return 1
}

// describe makes the survey of the questionnaire. It is made anew for everyone who asks, who may change it then.
func describe(qs []spec) *audience.Survey {
	s := &audience.Survey{Name: "Panorama, a generated survey", Namespaces: namespaces(), Categories: shelves(),
		Datasets: datasets()}
	for _, w := range waves() {
		s.Waves = append(s.Waves, w.Wave)
	}
	for _, m := range markets() {
		s.Locations = append(s.Locations, m.Location)
	}
	for i := range qs {
		q := qs[i].describe(i + 1)
		for c := range s.Categories {
			if s.Categories[c].ID != qs[i].Shelf {
				continue
			}
			code := q.Code
			if qs[i].In != "" {
				code = audience.Key(qs[i].In, code)
			}
			s.Categories[c].Questions = append(s.Categories[c].Questions, code)
			if q.Datasets == nil {
				q.Datasets = append(q.Datasets, s.Categories[c].Datasets...)
			}
		}
		s.Questions = append(s.Questions, q)
	}
	return s
}

func (s *spec) describe(order int) audience.Question {
	q := audience.Question{
		Namespace: namespaces()[s.namespace()].Code, Code: s.Code, Name: s.Name, Description: s.Text, Kind: s.kind(),
		Unit: s.Unit, Order: order, Flags: s.Flags,
		KnowledgeBase: s.Help, Message: s.Message, Notice: s.Notice, Warning: s.Warning, Datasets: s.Datasets,
		Separate: s.separate(),
	}
	if s.Declared {
		q.Asked = s.Asked.list()
	}
	add := func(name string) *audience.Datapoint {
		q.Datapoints = append(q.Datapoints, audience.Datapoint{Code: s.Code + "_" + strconv.Itoa(len(q.Datapoints)+1),
			Name: name})
		d := &q.Datapoints[len(q.Datapoints)-1]
		if s.Model == scale || s.Bands != nil {
			d.Order = new(float64(len(q.Datapoints)))
		}
		return d
	}
	for _, p := range s.Points {
		add(p.Name)
	}
	for _, b := range s.Bands {
		add(b.Name).Midpoint = new(float64(b.From+b.To) / 20) // the middle, in the question's unit
	}
	if s.None != "" {
		add(s.None)
	}
	for i, x := range s.Suffixes {
		suffix := audience.Suffix{Code: x.Code, Name: x.Name, Order: new(float64(i + 1))}
		if s.Midpoints {
			suffix.Midpoint = &x.Midpoint
		}
		q.Suffixes = append(q.Suffixes, suffix)
	}
	for _, b := range s.Limits {
		for _, p := range b.Points {
			if b.Nowhere {
				q.Datapoints[p-1].Asked = audience.Asked{}
			} else if s.Declared || !s.separate() { // else answers tell
				q.Datapoints[p-1].Asked = b.list()
			}
		}
	}
	return q
}

// list is the fieldwork as a survey declares it.
func (a asked) list() audience.Asked {
	codes := func(text string, all []string) []string {
		if text == "" {
			return []string{""}
		}
		var out []string
		for _, c := range all {
			if lists(text, c) {
				out = append(out, c)
			}
		}
		return out
	}
	var ws, ls []string
	for _, w := range waves() {
		ws = append(ws, w.Code)
	}
	for _, m := range markets() {
		ls = append(ls, m.Code)
	}
	var out audience.Asked
	for _, w := range codes(a.Waves, ws) {
		for _, l := range codes(a.Locations, ls) {
			out = append(out, audience.Fieldwork{Wave: w, Location: l})
		}
	}
	return out
}

// covers tells whether the fieldwork is among those asked.
func (a asked) covers(wave, location string) bool {
	return (a.Waves == "" || lists(a.Waves, wave)) && (a.Locations == "" || lists(a.Locations, location))
}

// question is a spec made ready for drawing answers.
type question struct {
	model     model
	key       uint64 // of its dice
	shopper   bool
	separate  bool
	none      bool
	whole     bool
	attribute int32 // its first
	suffixes  int32
	item      int // its first
	base      int // its first point's place in bases
	points    []answer
	of        loading
	cuts      []int32 // logits between the points, bands or suffixes that stand in an order
	bands     []band
	number    int    // which of the numbers it is
	route     int    // question, or -1
	among     uint64 // points of it, as bits from 1
	silent    uint32 // in 1/65536
}

// answer is a point of a question made ready: base is the logit (pick: the logarithm) of its share.
type answer struct {
	loading
	base int32
}

// notAsked stands in place of a base.
const notAsked = -1 << 30

// bases is where the points of all questions stand in one fieldwork before a respondent's traits move them, in 1/256
// logit, and which questions are asked there at all.
type bases struct {
	points []int32
	asked  []bool
}

// prepare readies the questions, and tells how many of them are numbers.
func prepare(specs []spec, layout *survey.Layout, t *tables) (qs []question, numbers int) {
	place := map[string]int{}
	base := 0
	for i := range specs {
		s := &specs[i]
		place[s.Code] = i
		q := question{
			model: s.Model, key: hash(s.Code), shopper: s.In != "", separate: s.separate(), none: s.None != "", whole: s.Whole,
			attribute: layout.Attribute(i, 0, 0), suffixes: int32(max(1, len(s.Suffixes))), item: layout.Item(i, 0),
			base: base, bands: s.Bands, of: s.Of.compact(), route: -1, silent: uint32(s.Silent) << 16 / 1000,
		}
		if s.Route.Question != "" {
			q.route = place[s.Route.Question]
			for _, p := range s.Route.Points {
				q.among |= 1 << p
			}
		}
		if s.Bands != nil {
			q.number = numbers
			numbers++
		}
		q.cut(s, t)
		for _, p := range s.Points {
			q.points = append(q.points, q.answer(&p, t))
		}
		base += max(1, len(s.Points))
		qs = append(qs, q)
	}
	return qs, numbers
}

// answer readies a point.
func (q *question) answer(p *point, t *tables) answer {
	a := answer{loading: p.Of.compact()}
	switch q.model {
	case pick:
		a.base = t.log(p.Share)
	case tick:
		a.base = t.logit(p.Share) * a.widen() / 64
	case rate, climb:
		a.base = int32(p.Share) * 256 / 100
	}
	return a
}

// cut finds the logits that cut people into the shares of what stands in an order.
func (q *question) cut(s *spec, t *tables) {
	var shares []int
	widen := q.of.widen()
	switch q.model {
	case scale:
		for _, p := range s.Points {
			shares = append(shares, p.Share)
		}
	case count:
		for _, b := range s.Bands {
			shares = append(shares, b.Share)
		}
	case rate, climb:
		widen = 72 // rows differ
		for _, x := range s.Suffixes {
			shares = append(shares, x.Share)
		}
	}
	sum := 0
	for _, share := range shares[:max(0, len(shares)-1)] {
		sum += share
		q.cuts = append(q.cuts, t.logit(sum)*widen/64)
	}
}

// newBases makes those of a fieldwork, of a survey that is the same whatever the seed.
func newBases(specs []spec, qs []question, wave, location int, waveCode, locationCode string) bases {
	b := bases{}
	for i := range specs {
		s := &specs[i]
		points := make([]int32, max(1, len(s.Points)))
		where := make([]bool, len(points))
		any := false
		for p := range points {
			points[p] = s.drift(p, wave, location)
			if p < len(qs[i].points) {
				points[p] += qs[i].points[p].base
			}
			where[p] = s.Asked.covers(waveCode, locationCode)
		}
		for _, bound := range s.Limits {
			for _, p := range bound.Points {
				where[p-1] = !bound.Nowhere && bound.covers(waveCode, locationCode)
			}
		}
		for p := range points {
			if !where[p] {
				points[p] = notAsked
			}
			any = any || where[p]
		}
		b.points = append(b.points, points...)
		b.asked = append(b.asked, any)
	}
	return b
}

// drift is what a point has of its own in a market and a wave.
func (s *spec) drift(point, wave, location int) int32 {
	h := mix(hash(s.Code) + uint64(point))
	market := mix(h + uint64(location) + 1)
	quarter := mix(market + uint64(wave) + 1)
	even := func(h uint64, spread int32) int32 { return int32(h&0xffff)*(2*spread+1)>>16 - spread }
	out := even(h, 4) * int32(2*wave-7)                    // a trend, ±0.1 logit to the end
	out += even(market, 60) + even(market>>16, 60)         // the market, ±0.5
	return out + even(quarter, 10) + even(quarter>>16, 10) // and the moment
}
