package clickhouse

import (
	"context"
	"errors"
	"fmt"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/store/survey"
)

// Convert stores the published respondents, which src reads back, anew with their answers in a format, and publishes
// that in the place of what was there: survey, frame and all else stay as they are, and every figure keeps its bytes.
// Until the last questions of before are answered, respondents take room in both formats. It returns how many there
// are. With an error nothing has changed; it is audience.ErrChanged if something was published since src was opened.
func (s *Store) Convert(ctx context.Context, src *Source, format Format, progress func(survey.Progress)) (int64,
	error) {
	if format != Arrays && format != Words {
		return 0, fmt.Errorf("respondents are converted to %s or to %s, and not to %q", Arrays, Words, format)
	}
	base, err := s.embedded.Release(ctx)
	if err != nil {
		return 0, err
	}
	switch {
	case base.Engine == nil:
		return 0, errors.New("the store has no respondents in ClickHouse that could be converted")
	case src.version.frame.Version != base.Version():
		return 0, audience.ErrChanged
	}
	w, err := s.begin(ctx, base, base.Engine, src.survey, format)
	if err != nil {
		return 0, err
	}
	n, err := w.move(ctx, base, src, progress)
	if err != nil {
		return 0, errors.Join(err, w.Abort())
	}
	return n, nil
}

// Converted tells whether all published respondents are stored as Convert would store them in a format. In words they
// may not be, as numbers were kept in lists there at first.
func (s *Store) Converted(ctx context.Context, format Format) (bool, error) {
	_, st, _, err := s.published(ctx)
	if err != nil {
		return false, err
	}
	for _, w := range st.Waves {
		for i := range w.Parts {
			if w.Parts[i].layout() != layoutOf(format) {
				return false, nil
			}
		}
	}
	return true, nil
}

// Formats counts the published respondents by the format that their answers are stored in.
func (s *Store) Formats(ctx context.Context) (map[Format]int64, error) {
	_, st, _, err := s.published(ctx)
	if err != nil {
		return nil, err
	}
	all := map[Format]int64{}
	for _, w := range st.Waves {
		for _, p := range w.Parts {
			all[p.format()] += p.Respondents
		}
	}
	return all, nil
}
