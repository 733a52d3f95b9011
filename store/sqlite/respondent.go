package sqlite

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/store/survey"
)

// RemoveReport tells what RemoveRespondent removed.
type RemoveReport struct {
	Removed int64    `json:"removed"` // respondents, as a store may have one of an id in each file that was imported
	Waves   []string `json:"waves"`   // they were of
	// Unknown are waves with respondents whose ids are not known, as they were imported before stores kept fingerprints
	// of ids: whoever is to be removed may be among them. To import them again is what helps.
	Unknown []string `json:"unknown"`
	Version uint64   `json:"version"` // that is published now
}

// RemoveRespondent removes the respondents with an id, as it stood in their file, from every wave, and publishes what
// is left: figures are then what they would be had the id not been in the files. (Stores do not keep who skipped what,
// so a question stays measured where the respondent was the only one with a value. A wave without anyone else is
// withdrawn.) An id that there is none of is audience.ErrNotFound, and the report tells which waves could not be looked
// through.
//
// The chunks of the waves that the respondents were of are written anew, so it takes as long as importing those waves
// does. It is an import (another that is published meanwhile makes it audience.ErrChanged; then what it withdrew before
// stays so, and it can be called again); questions are answered all the time. Then the file is compacted (see Compact),
// so that nothing of them is left in it or in its log. What this does not reach: chunks that other processes count in,
// which go when those are done; backups and survey files; and what the file system or the disk keep of blocks that were
// overwritten.
func (s *Store) RemoveRespondent(ctx context.Context, id string) (*RemoveReport, error) {
	if s.write == nil {
		return nil, audience.ErrReadOnly
	}
	report, err := s.withdrawRespondent(ctx, id)
	if err == nil {
		err = s.replaceWaves(ctx, id)
	}
	if err != nil {
		return report, err
	}
	f, err := s.Frame(ctx)
	if err != nil {
		return report, err
	}
	report.Version = f.Version
	_, err = s.Compact(ctx)
	return report, err
}

// withdrawRespondent finds whom to remove, and withdraws the waves that nobody else is in.
func (s *Store) withdrawRespondent(ctx context.Context, id string) (*RemoveReport, error) {
	source, err := s.Source(ctx)
	if err != nil {
		return nil, err
	}
	without, report, err := s.withoutRespondent(ctx, source, id)
	if err = errors.Join(err, source.Close()); err == nil && report.Removed == 0 {
		err = fmt.Errorf("respondent %q: %w", id, audience.ErrNotFound)
	}
	if err != nil {
		return report, err
	}
	if alone := slices.DeleteFunc(slices.Clone(report.Waves), func(wave string) bool {
		return without.left[wave] > 0
	}); len(alone) > 0 {
		_, err = survey.Withdraw(ctx, s, alone)
	}
	return report, err
}

// replaceWaves puts what is left of waves in their place.
func (s *Store) replaceWaves(ctx context.Context, id string) error {
	source, err := s.Source(ctx)
	if err != nil {
		return err
	}
	without, report, err := s.withoutRespondent(ctx, source, id)
	if err == nil && report.Removed > 0 {
		_, err = survey.Import(ctx, without, keepingPrints{s},
			survey.Options{Mode: survey.Replace, ReplaceWaves: report.Waves})
	}
	return errors.Join(err, source.Close())
}

// withoutRespondent finds whom to remove, and what is then left.
func (s *Store) withoutRespondent(ctx context.Context, source *Source, id string) (*remaining, *RemoveReport, error) {
	if source.release.engine != nil {
		return nil, nil, errElsewhere
	}
	name, err := s.ID(ctx)
	if err != nil {
		return nil, nil, err
	}
	report := &RemoveReport{Waves: []string{}, Unknown: []string{}, Version: source.Version()}
	out := &remaining{source: source, prints: map[int64][]uint64{}, left: map[string]int{}, gone: fingerprint(name, id)}
	for _, c := range source.release.chunks {
		prints, err := s.readIDs(ctx, name, c)
		if err != nil {
			return nil, report, err
		}
		out.prints[c.id] = prints
		if (prints == nil || slices.Contains(prints, 0)) && !slices.Contains(report.Unknown, c.wave) {
			report.Unknown = append(report.Unknown, c.wave)
		}
		out.left[c.wave] += c.respondents
		for _, print := range prints {
			if print != out.gone {
				continue
			}
			report.Removed++
			out.left[c.wave]--
			if !slices.Contains(report.Waves, c.wave) {
				report.Waves = append(report.Waves, c.wave)
			}
		}
	}
	order := func(a, b string) int { return source.release.frame.Wave(a) - source.release.frame.Wave(b) }
	slices.SortFunc(report.Waves, order)
	slices.SortFunc(report.Unknown, order)
	out.waves = report.Waves
	return out, report, nil
}

// remaining is a source of the respondents of some waves but for those with a fingerprint. Ids are running numbers,
// each with the fingerprint that the respondent has behind a colon.
type remaining struct {
	source *Source
	waves  []string
	gone   uint64
	prints map[int64][]uint64 // by chunk
	left   map[string]int     // respondents by wave
}

// Describe returns the survey as it is stored, so that what was asked where is worked out once more.
func (r *remaining) Describe(context.Context) (*audience.Survey, error) {
	return r.source.release.frame.Survey.Clone(), nil
}

// Respondents streams those that stay.
func (r *remaining) Respondents(ctx context.Context) iter.Seq2[*survey.Batch, error] {
	return func(yield func(*survey.Batch, error) bool) {
		e, err := newExtraction(r.source)
		if err != nil {
			yield(nil, err)
			return
		}
		for _, c := range r.source.release.chunks {
			if !slices.Contains(r.waves, c.wave) {
				continue
			}
			rs, err := e.chunk(ctx, c)
			if err != nil {
				yield(nil, err)
				return
			}
			if rs = r.stay(rs, r.prints[c.id]); len(rs) > 0 && !yield(&survey.Batch{Respondents: rs}, nil) {
				return
			}
		}
	}
}

// stay are those who do not go, with their ids.
func (r *remaining) stay(rs []survey.Respondent, prints []uint64) []survey.Respondent {
	kept := rs[:0]
	for i := range rs {
		print := uint64(0)
		if prints != nil {
			print = prints[i]
		}
		if print != r.gone {
			rs[i].ID += ":" + strconv.FormatUint(print, 16)
			kept = append(kept, rs[i])
		}
	}
	return kept
}

// keepingPrints is a store that takes the ids of remaining.
type keepingPrints struct{ *Store }

func (k keepingPrints) Begin(ctx context.Context, base *survey.Release, sv *audience.Survey) (survey.Writer, error) {
	w, err := k.Store.Begin(ctx, base, sv)
	if own, ok := w.(*writer); ok && err == nil {
		own.print = func(id string) uint64 {
			_, print, _ := strings.Cut(id, ":")
			n, _ := strconv.ParseUint(print, 16, 64) // written by this file
			return n
		}
	}
	return w, err
}
