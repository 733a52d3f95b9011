package ask

import (
	"errors"
	"strings"

	"github.com/crosswave/crosswave/audience"
)

// Explain says in the words of this package which codes of an expression do not exist, if that is what err tells. Other
// errors it returns as they are.
func Explain(f *audience.Frame, err error) error {
	var unavailable *audience.UnavailableError
	if !errors.As(err, &unavailable) {
		return err
	}
	var texts []string
	for _, u := range unavailable.Questions {
		i, err := f.Question(u.Code)
		if err != nil || i < 0 {
			texts = append(texts, questions(f).missing(u.Code).Error())
			continue
		}
		for _, d := range u.Datapoints {
			texts = append(texts, question(f, i).datapoints.missing(d).Error())
		}
	}
	for _, l := range unavailable.Locations {
		texts = append(texts, locations(f).datapoints.missing(l).Error())
	}
	for _, w := range unavailable.Waves {
		texts = append(texts, waves(f).datapoints.missing(w).Error())
	}
	if len(texts) == 0 {
		return err
	}
	return errors.New(strings.Join(texts, "; "))
}
