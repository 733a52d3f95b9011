package survey

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/crosswave/crosswave/audience"
)

// commit publishes what was read on top of what is stored, or of what others have published meanwhile.
func (im *importer) commit(ctx context.Context, st Store, w Writer) error {
	for {
		change, err := im.change()
		if err != nil {
			return err
		}
		if im.options.Strict&StrictWarnings != 0 && len(im.report.Warnings) > 0 {
			return &WarningsError{im.report.Warnings}
		}
		im.report.Version, err = w.Commit(ctx, *change)
		if !errors.Is(err, audience.ErrChanged) {
			return err
		}
		overtaken := fmt.Errorf("another import was published first, and nothing was changed: %w", err)
		follower, able := w.(Follower)
		if !able || im.file == nil {
			return overtaken
		}
		if err := im.follow(ctx, st, follower); errors.Is(err, audience.ErrChanged) {
			return overtaken
		} else if err != nil {
			return err
		}
	}
}

// follow puts an import that was overtaken on top of what was published first. What was read of the file stays: it is
// known by the file's own numbers.
func (im *importer) follow(ctx context.Context, st Store, w Follower) error {
	base, err := later(ctx, st, im.base.Version())
	if err != nil {
		return err
	}
	if err := im.onto(base); err != nil {
		return err
	}
	for i, f := range im.tally.fieldwork {
		if n := im.stored[i]; f != nil && n > 0 {
			return &Error{Reason: im.twice(i, n) + "; another import, which was published first, brought it"}
		}
	}
	r, fresh := im.report, newReport()
	r.Warnings, r.Fieldwork, r.Namespaces, r.Numbers, r.Sparse = fresh.Warnings, fresh.Fieldwork, fresh.Namespaces,
		fresh.Numbers, fresh.Sparse
	for i := range r.Outside {
		r.Outside[i].Fieldwork = nil
	}
	return w.Follow(ctx, base, im.survey, im.drop)
}

// twice says that a fieldwork of the file has so many respondents in the store already.
func (im *importer) twice(fieldwork int, respondents int64) string {
	wave, location := fieldwork/len(im.file.Locations), fieldwork%len(im.file.Locations)
	return fmt.Sprintf("wave %q in location %q is in the store already, with %s: replace the wave, or leave such rows "+
		"out of the file", im.file.Waves[wave].Code, im.file.Locations[location].Code, plural(respondents, "respondent"))
}

// later waits for another release than that of a version: an import may learn that it was overtaken in the moment
// before the other one is published. If that dies in this moment, nothing ever is.
func later(ctx context.Context, st Store, version uint64) (*Release, error) {
	const tries, pause = 600, 100 * time.Millisecond
	for range tries {
		r, err := st.Release(ctx)
		if err != nil || r.Version() != version {
			return r, err
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(pause):
		}
	}
	return nil, audience.ErrChanged
}
