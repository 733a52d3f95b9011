package ask

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/crosswave/crosswave/audience"
)

// Answer is who gives an answer of a derived question, as a text says it: an audience as One reads it, an expression in
// which bands of numbers may stand, or one band, QUESTION:FROM..TO. Of a band FROM is in it and TO is not, and either
// may be left out. What is neither is an *Error.
func Answer(f *audience.Frame, text string) (audience.Expr, error) {
	x, found, err := expression(f, text, audience.Parser{Bands: true})
	if found {
		return x, err
	}
	a, err := One(f, text)
	if err == nil {
		return a.Expr, nil
	}
	x, found, wrong := band(f, text)
	switch {
	case !found:
		return nil, err
	case wrong != nil:
		return nil, &Error{text, wrong.Error()}
	}
	return x, nil
}

// band reads a band; found is false where the text does not end as one does.
func band(f *audience.Frame, text string) (x audience.Band, found bool, err error) {
	at := strings.LastIndex(text, ":")
	if at < 0 {
		return x, false, nil
	}
	from, to, found := strings.Cut(text[at+1:], "..")
	if !found {
		return x, false, nil
	}
	if x.From, err = end(from); err != nil {
		return x, true, err
	}
	if x.To, err = end(to); err != nil {
		return x, true, err
	}
	switch {
	case x.From == nil && x.To == nil:
		return x, true, errors.New("a band of numbers has an end, as age:16..25 and age:65.. have")
	case x.From != nil && x.To != nil && *x.From >= *x.To:
		return x, true, fmt.Errorf("the band ends at %s, and begins at %s: its end is above its beginning, and not in it",
			strings.TrimSpace(to), strings.TrimSpace(from))
	}
	q, err := Question(f, text[:at])
	switch x.Question = q.Question; {
	case err != nil:
		return x, true, err
	case len(q.Datapoints) > 0 || len(q.Suffixes) > 0:
		return x, true, errors.New("a band is of all numbers of a question, whatever its answers: leave them out")
	case x.Question == "waves" || x.Question == "locations":
		return x, true, fmt.Errorf("%s have no numbers", x.Question)
	}
	return x, true, nil
}

// end reads an end of a band; nil is open.
func end(text string) (*float64, error) {
	if text = strings.TrimSpace(text); text == "" {
		return nil, nil
	}
	x, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsNaN(x) || math.IsInf(x, 0) {
		return nil, fmt.Errorf("%q is no number: a band of numbers is FROM..TO, as in age:16..25", text)
	}
	return &x, nil
}
