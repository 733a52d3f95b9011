package sqlite

import (
	"bytes"
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/store/naive"
	"github.com/crosswave/crosswave/store/storetest"
	"github.com/crosswave/crosswave/store/survey"
)

// Figures without a respondent are those that the naive engine has of a file without them, be it the first or the last
// to be removed; and their fingerprint is in no file afterwards.
func TestRemoveRespondent(t *testing.T) {
	alone(t)
	for name, st := range ragged(t) {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "store.db")
			s := openStore(t, path, Config{ChunkRespondents: 64})
			_, err := survey.Import(t.Context(), st.Source(), s, survey.Options{})
			check(t, err)
			for range 3 {
				gone := st.Respondents[len(st.Respondents)/2]
				st = &storetest.Study{Survey: st.Survey, Respondents: slices.DeleteFunc(slices.Clone(st.Respondents),
					func(r survey.Respondent) bool { return r.ID == gone.ID })}
				done, err := s.RemoveRespondent(t.Context(), gone.ID)
				check(t, err)
				if wave := st.Survey.Waves[gone.Wave].Code; done.Removed != 1 || cmp.Diff([]string{wave}, done.Waves) != "" ||
					len(done.Unknown) > 0 {
					t.Errorf("%+v", done)
				}
				var want naive.Store
				_, err = survey.Import(t.Context(), st.Source(), &want, survey.Options{})
				check(t, err)
				asked, err := want.Frame(t.Context())
				check(t, err)
				f, err := s.Frame(t.Context())
				check(t, err)
				if d := cmp.Diff(asked.Coverage(), f.Coverage()); d != "" {
					t.Error(d)
				}
				if d := cmp.Diff(everyMargin(t, &want), everyMargin(t, s)); d != "" {
					t.Error(d)
				}
				if _, err := s.RemoveRespondent(t.Context(), gone.ID); !errors.Is(err, audience.ErrNotFound) {
					t.Error("removed twice:", err)
				}
				id, err := s.ID(t.Context())
				check(t, err)
				print := binary.LittleEndian.AppendUint64(nil, fingerprint(id, gone.ID))
				for _, file := range []string{path, path + "-wal"} {
					if text, err := os.ReadFile(file); err != nil || bytes.Contains(text, print) {
						t.Error("it is still in", file, err)
					}
				}
			}
			found, err := s.Check(t.Context(), CheckOptions{})
			check(t, err)
			if len(found.Damages) > 0 {
				t.Error(found.Damages)
			}
		})
	}
}

// Of a store that was written before fingerprints were kept nobody can be removed, and it is told of which waves; those
// that are imported again can be looked through.
func TestRemoveOfFormat11(t *testing.T) {
	path := filepath.Join(t.TempDir(), "store.db")
	unpack(t, "testdata/format11.db.gz", path)
	s := openStore(t, path, Config{})
	done, err := s.RemoveRespondent(t.Context(), "1")
	if !errors.Is(err, audience.ErrNotFound) || cmp.Diff([]string{"w1", "w2"}, done.Unknown) != "" {
		t.Errorf("%+v %v", done, err)
	}
	keys, err := s.ListKeys(t.Context())
	check(t, err)
	if len(keys) != 2 || keys[0].User != "alice" {
		t.Errorf("%+v", keys)
	}
	found, err := s.Check(t.Context(), CheckOptions{})
	check(t, err)
	if len(found.Damages) > 0 || found.Respondents == 0 {
		t.Errorf("%+v", found)
	}
}

// Whoever was the only one of a wave, or of the store, can be removed, too.
func TestRemoveTheOnlyRespondent(t *testing.T) {
	st := synthetic(3, 40)
	one := slices.IndexFunc(st.Respondents, func(r survey.Respondent) bool { return r.Wave == 1 })
	only := st.Respondents[one]
	for name, others := range map[string][]survey.Respondent{"of a wave": slices.DeleteFunc(slices.Clone(st.Respondents),
		func(r survey.Respondent) bool { return r.Wave == 1 }), "of a store": nil} {
		t.Run(name, func(t *testing.T) {
			s := openStore(t, Memory, Config{})
			all := &storetest.Study{Survey: st.Survey, Respondents: append(slices.Clone(others), only)}
			_, err := survey.Import(t.Context(), all.Source(), s, survey.Options{})
			check(t, err)
			done, err := s.RemoveRespondent(t.Context(), only.ID)
			check(t, err)
			if done.Removed != 1 {
				t.Errorf("%+v", done)
			}
			if n := rows(t, s, "chunk"); others == nil && n != 0 {
				t.Errorf("%d chunks", n)
			}
			for i, n := range everyMargin(t, s) {
				if others == nil && n != (audience.Count{}) {
					t.Error(i, n)
				}
			}
		})
	}
}
