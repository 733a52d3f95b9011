package storetest

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/saved"
)

// SavedReopener is a saved.Store that can be closed and opened again, as after the end of its process. TestSaved then
// looks whether everything is still there.
type SavedReopener interface {
	saved.Store
	ReopenSaved(ctx context.Context) (saved.Store, error)
}

// TestSaved is the conformance suite of a saved.Store: that what is put in comes out, and to whom; that of changes that
// come at once none is lost; and that numbers of audiences, folders and users are given once. open gives an empty store
// at each call; it may use t to clean up after itself.
func TestSaved(t *testing.T, open func(t *testing.T) saved.Store) {
	t.Helper()
	for _, c := range savedChecks() {
		t.Run(c.name, func(t *testing.T) {
			if err := c.on(t.Context(), open(t)); err != nil {
				t.Fatal(err)
			}
		})
	}
}

// savedCheck is one test of the suite of a saved.Store.
type savedCheck struct {
	name string
	run  func(*savedScene)
}

// on runs the check on an empty store. The error says all that the store did wrong.
func (c savedCheck) on(ctx context.Context, st saved.Store) error {
	s := &savedScene{ctx: ctx, st: st}
	c.run(s)
	return errors.Join(s.faults...)
}

func savedChecks() []savedCheck {
	return []savedCheck{
		{"saved/not_there", savedNotThere},
		{"saved/comes_back", savedComesBack},
		{"saved/extremes", savedExtremes},
		{"saved/inserted_once", savedInsertedOnce},
		{"saved/keeps_whose_it_is", savedKeepsWhoseItIs},
		{"saved/seen_by", savedSeenBy},
		{"saved/compares_and_sets", savedComparesAndSets},
		{"saved/audience_numbers", savedAudienceNumbers},
		{"saved/folders", savedFolders},
		{"saved/folders_stay", savedFoldersStay},
		{"saved/users", savedUsers},
		{"saved/users_told_apart", savedUsersToldApart},
		{"saved/concurrent_updates", savedConcurrentUpdates},
		{"saved/concurrent_inserts", savedConcurrentInserts},
		{"saved/cancelled", savedCancelled},
		{"saved/reopened", savedReopened},
	}
}

// savedScene is a store under test, and what was found wrong with it so far.
type savedScene struct {
	ctx    context.Context
	st     saved.Store
	mu     sync.Mutex
	faults []error
}

// wrong notes a fault. A check goes on after one, as long as that means something.
func (s *savedScene) wrong(format string, args ...any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.faults = append(s.faults, fmt.Errorf(format, args...))
}

func (s *savedScene) insert(a saved.Audience) saved.Audience {
	out, err := s.st.InsertSaved(s.ctx, a)
	if err != nil {
		s.wrong("InsertSaved of audience %s: %w", a.ID, err)
	}
	return out
}

// replace puts a in the place of the version before its own.
func (s *savedScene) replace(a saved.Audience) saved.Audience {
	out, err := s.st.ReplaceSaved(s.ctx, a, a.Version-1)
	if err != nil {
		s.wrong("ReplaceSaved of audience %s: %w", a.ID, err)
	}
	return out
}

func (s *savedScene) remove(a saved.Audience) {
	if err := s.st.DeleteSaved(s.ctx, a.ID, a.Version); err != nil {
		s.wrong("DeleteSaved of audience %s: %w", a.ID, err)
	}
}

// is compares an audience with what it must be; how says where it comes from.
func (s *savedScene) is(how string, got, want saved.Audience) {
	if g, w := savedText(got), savedText(want); g != w {
		s.wrong("%s gives\n%s\ninstead of\n%s", how, g, w)
	}
}

// holds reads an audience and compares it with what it must be.
func (s *savedScene) holds(want saved.Audience) {
	got, err := s.st.Saved(s.ctx, want.ID)
	if err != nil {
		s.wrong("Saved of audience %s: %w", want.ID, err)
		return
	}
	s.is("Saved", got, want)
}

// lists compares the ids of those whom a user is shown.
func (s *savedScene) lists(user string, want ...saved.Audience) {
	list, err := s.st.SavedFor(s.ctx, user)
	if err != nil {
		s.wrong("SavedFor of user %q: %w", user, err)
		return
	}
	ids := func(list []saved.Audience) string {
		var out []string
		for _, a := range list {
			out = append(out, a.ID)
		}
		return strings.Join(out, " ")
	}
	if got, want := ids(list), ids(want); got != want {
		s.wrong("SavedFor of user %q gives the audiences %s instead of %s", user, got, want)
		return
	}
	for i, a := range list {
		s.is(fmt.Sprintf("SavedFor of user %q", user), a, want[i])
	}
	if p, ok := s.st.(saved.Pager); ok {
		for i := range want {
			page, total, err := p.SavedPage(s.ctx, user, saved.Filter{Limit: 2, Offset: i})
			if got, want := ids(page), ids(want[i:min(i+2, len(want))]); err != nil || got != want || total != len(list) {
				s.wrong("SavedPage of user %q from %d on gives %s of %d (%v) instead of %s of %d", user, i, got, total, err, want,
					len(list))
			}
		}
	}
}

// has compares the folders of a user.
func (s *savedScene) has(user string, want ...saved.Folder) {
	list, err := s.st.Folders(s.ctx, user)
	if err != nil || fmt.Sprint(list) != fmt.Sprint(want) {
		s.wrong("Folders of user %q gives %v (%v) instead of %v", user, list, err, want)
	}
}

// number asks for the number of a user.
func (s *savedScene) number(user string) int64 {
	n, err := s.st.UserNumber(s.ctx, user)
	if err != nil {
		s.wrong("UserNumber of %q: %w", user, err)
	}
	return n
}

// savedID is the id of an audience or of a folder.
func savedID(n int) string {
	return fmt.Sprintf("%08x-0000-4000-8000-%012x", n*0x9e3779b1&0xffffffff, n)
}

// savedAudience is an audience with a value in every member that the store does not give. Names are whatever can be
// written in JSON.
func savedAudience(n int, user string) saved.Audience {
	x := audience.And{audience.Answers{Question: "core.gender", Datapoints: []string{"f"}},
		audience.Not{X: audience.Answers{Question: "use", Datapoints: []string{"tv"}, Suffixes: []int{1, 2}}}}
	return saved.Audience{
		ID: savedID(n), User: user, Name: "Women, \"most\" of\tthem\x00 \\ – ✓ 😀", Description: "Gender: Women's",
		Expression: saved.Expression{JSON: audience.Print(x), Expr: x},
		Datasets:   []string{"a", "b,\"c\"{}"}, DatasetsSet: true, Flags: []string{"authored", "isP2"},
		FolderID: saved.NoFolder, Position: 2.5,
		Created: time.Date(2025, 1, 1, 12, 0, 0, 1000, time.UTC),
		Updated: time.Date(2025, 6, 30, 23, 59, 59, 999_999_000, time.UTC), Version: 1,
	}
}

// savedText is an audience with all its members, for comparing and for showing. Times are in UTC or differ.
func savedText(a saved.Audience) string {
	expr := "none"
	if a.Expression.Expr != nil {
		expr = string(audience.Print(a.Expression.Expr))
	}
	return fmt.Sprintf("  id %s, v1 %d, of user %q, %d\n  %q: %q\n  expression %q, read as %q\n  datasets %q, set %v; "+
		"flags %q\n  folder %s, %d; position %v, shared %v\n  created %s, updated %s, version %d",
		a.ID, a.V1ID, a.User, a.UserNumber, a.Name, a.Description, a.Expression.JSON, expr, a.Datasets, a.DatasetsSet,
		a.Flags, a.FolderID, a.Folder, a.Position, a.Shared, a.Created.Format(time.RFC3339Nano),
		a.Updated.Format(time.RFC3339Nano), a.Version)
}
