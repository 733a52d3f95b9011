package stats

import (
	"errors"
	"fmt"

	"github.com/crosswave/crosswave/audience"
)

// The splitters that are no questions.
const (
	Waves     = "waves"
	Locations = "locations"
)

// splitter is what cuts audiences into segments.
type splitter struct {
	codes []string                            // of the segments that are made, in the catalogue's order
	leaf  func(codes ...string) audience.Expr // who is in any of the segments
	uses  []audience.Use                      // the codes to be checked
	fault error                               // what is wrong with the request if all its codes can be used
}

// choice is a code that a splitter has.
type choice struct {
	code string
	made bool // unless the request limits the segments to others
}

// wavesOf lists the waves, oldest first. Those are made that are requested, or all that the caller may use.
func wavesOf(f *audience.Frame, requested []string) []choice {
	among := set(requested)
	out := make([]choice, len(f.Waves))
	for i, w := range f.Waves {
		out[i] = choice{w.Code, !f.HidesWave(i) && (len(among) == 0 || among[w.Code])}
	}
	return out
}

// locationsOf lists the locations in the catalogue's order, like wavesOf.
func locationsOf(f *audience.Frame, requested []string) []choice {
	among := set(requested)
	out := make([]choice, len(f.Locations))
	for i, l := range f.Locations {
		out[i] = choice{l.Code, !f.HidesLocation(i) && (len(among) == 0 || among[l.Code])}
	}
	return out
}

// made lists the codes of those choices that are made and, if any are, among the limits.
func made(choices []choice, limits []string) []string {
	among := set(limits)
	var codes []string
	for _, c := range choices {
		if c.made && (len(among) == 0 || among[c.code]) {
			codes = append(codes, c.code)
		}
	}
	return codes
}

func set(codes []string) map[string]bool {
	m := make(map[string]bool, len(codes))
	for _, c := range codes {
		m[c] = true
	}
	return m
}

// split looks up the request's splitter. A segment that is none of the splitter's codes is a fault; one that the caller
// may not use is among the uses.
func (r *Request) split(f *audience.Frame) splitter {
	switch r.Splitter {
	case "":
		return splitter{}
	case Waves:
		return r.segment(wavesOf(f, r.Waves), "there is no wave %q: with this splitter segments are wave codes",
			func(codes ...string) audience.Expr { return audience.Waves{Codes: codes} })
	case Locations:
		return r.segment(locationsOf(f, r.Locations),
			"there is no location %q: with this splitter segments are location codes",
			func(codes ...string) audience.Expr { return audience.Locations{Codes: codes} })
	}
	leaf := func(codes ...string) audience.Expr { return audience.Answers{Question: r.Splitter, Datapoints: codes} }
	i, err := f.Question(r.Splitter)
	switch {
	case err != nil: // several namespaces have it
		var invalid *audience.InvalidError
		if errors.As(err, &invalid) {
			err = &audience.InvalidError{Path: "splitter", Reason: invalid.Reason}
		}
		return splitter{leaf: leaf, fault: err}
	case i < 0 || f.HidesQuestion(i):
		return splitter{leaf: leaf, uses: []audience.Use{{Origin: "splitter", Expr: leaf()}}}
	}
	var choices []choice
	for _, d := range f.Questions[i].Datapoints {
		choices = append(choices, choice{d.Code, true}) // one that is hidden is refused, as in any expression
	}
	return r.segment(choices, "the splitter has no datapoint %q: segments are datapoint codes of it", leaf)
}

// segment limits the choices of a splitter to the segments that the request names. Foreign is what is wrong with a code
// that is none of the choices.
func (r *Request) segment(choices []choice, foreign string, leaf func(codes ...string) audience.Expr) splitter {
	s := splitter{codes: made(choices, r.Segments), leaf: leaf}
	if len(r.Segments) == 0 {
		s.uses = []audience.Use{{Origin: "splitter", Expr: leaf()}}
		return s
	}
	known := make(map[string]bool, len(choices))
	for _, c := range choices {
		known[c.code] = true
	}
	var named []string
	for i, code := range r.Segments {
		if known[code] {
			named = append(named, code)
		} else if s.fault == nil {
			s.fault = &audience.InvalidError{Path: fmt.Sprintf("segments[%d]", i), Reason: fmt.Sprintf(foreign, code)}
		}
	}
	if len(named) > 0 {
		s.uses = []audience.Use{{Origin: "segments", Expr: leaf(named...)}}
	}
	return s
}
