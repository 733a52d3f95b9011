package storetest

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/saved"
)

func savedNotThere(s *savedScene) {
	a := savedAudience(1, "7")
	if _, err := s.st.Saved(s.ctx, a.ID); !errors.Is(err, audience.ErrNotFound) {
		s.wrong("Saved of what is not there: %v instead of audience.ErrNotFound", err)
	}
	if _, err := s.st.ReplaceSaved(s.ctx, a, 0); !errors.Is(err, saved.ErrConflict) {
		s.wrong("ReplaceSaved of what is not there: %v instead of saved.ErrConflict", err)
	}
	if err := s.st.DeleteSaved(s.ctx, a.ID, 1); !errors.Is(err, saved.ErrConflict) {
		s.wrong("DeleteSaved of what is not there: %v instead of saved.ErrConflict", err)
	}
	s.lists("7")
	s.has("7")
}

// savedComesBack puts one in, changes all of it that can change, and takes it out.
func savedComesBack(s *savedScene) {
	want := savedAudience(1, "7")
	want.FolderID = savedID(20)
	got := s.insert(want)
	want.V1ID, want.UserNumber, want.Folder = got.V1ID, 7, 1
	if got.V1ID < 1 {
		s.wrong("InsertSaved gives the V1ID %d", got.V1ID)
	}
	s.is("InsertSaved", got, want)
	s.holds(want)
	s.lists("7", want)

	x := audience.Answers{Question: "gender", Datapoints: []string{"m"}}
	want.Name, want.Description, want.Datasets, want.DatasetsSet, want.Flags = "Men", "", nil, false, nil
	want.Expression = saved.Expression{JSON: []byte(`{"question":"gender","options":["m"],"not":false}`), Expr: x}
	want.FolderID, want.Position, want.Shared = savedID(21), 0.1, true
	want.Updated, want.Version = want.Updated.Add(time.Microsecond), 2
	got = s.replace(want)
	want.Folder = 2
	s.is("ReplaceSaved", got, want)
	s.holds(want)
	s.lists("7", want)

	want.FolderID, want.Version = saved.NoFolder, 3
	got = s.replace(want)
	want.Folder = 0
	s.is("ReplaceSaved", got, want)
	s.remove(want)
	if _, err := s.st.Saved(s.ctx, want.ID); !errors.Is(err, audience.ErrNotFound) {
		s.wrong("Saved of what was deleted: %v instead of audience.ErrNotFound", err)
	}
	s.lists("7")
}

// savedExtremes: what the largest requests may hold is kept, and expressions that were saved under wider limits are
// read.
func savedExtremes(s *savedScene) {
	const levels = 90
	deep := strings.Repeat(`{"and":[`, levels) + `{"question":"gender"}` + strings.Repeat(`]}`, levels)
	x, err := (&audience.Parser{MaxLevels: 2 * levels}).Parse([]byte(deep))
	if err != nil {
		s.wrong("a deep expression: %w", err)
		return
	}
	var all []saved.Audience
	for i, position := range []float64{-math.MaxFloat64, -1e-9, 0, math.SmallestNonzeroFloat64, 0.1, 1 << 53,
		math.MaxFloat64} {
		a := savedAudience(i+1, "7")
		a.Position = position
		a.Expression = saved.Expression{JSON: []byte(deep), Expr: x}
		a.Name = strings.Repeat("\U0010ffff", 255)
		a.Description = strings.Repeat("very ", 20_000) + "long"
		a.Created = time.Date(1, 1, 1, 0, 0, i, 0, time.UTC).AddDate(1900+50*i, 0, 0)
		got := s.insert(a)
		a.V1ID, a.UserNumber = got.V1ID, 7
		s.is("InsertSaved", got, a)
		all = append(all, a)
	}
	s.lists("7", all...)
}

func savedInsertedOnce(s *savedScene) {
	first := s.insert(savedAudience(1, "7"))
	again := savedAudience(1, "8")
	again.Name = "Taken"
	if _, err := s.st.InsertSaved(s.ctx, again); err == nil {
		s.wrong("InsertSaved of an id that is there is no error")
	}
	s.holds(first)
	s.lists("8")
}

// savedKeepsWhoseItIs: the owner, the number and the time of creation are what they were, whatever a change says.
func savedKeepsWhoseItIs(s *savedScene) {
	want := s.insert(savedAudience(1, "alice"))
	change := want
	change.User, change.UserNumber, change.V1ID = "bob", 8, want.V1ID+5
	change.Created, change.Name, change.Version = want.Created.Add(time.Hour), "New", 2
	change.FolderID = savedID(20)
	got := s.replace(change)
	want.Name, want.Version, want.FolderID, want.Folder = "New", 2, savedID(20), 1
	s.is("ReplaceSaved by another's name", got, want)
	s.holds(want)
	s.lists("bob")
	s.has("alice", saved.Folder{ID: savedID(20), V1: 1})
	s.has("bob")
}

// savedSeenBy: users are shown their own and what is shared, by position, then id, and nothing of other users.
func savedSeenBy(s *savedScene) {
	make := func(n int, user string, position float64, shared bool) saved.Audience {
		a := savedAudience(n, user)
		a.ID = strings.Repeat("0", 7) + string(rune('a'+n)) + savedID(1)[8:]
		a.Position, a.Shared = position, shared
		return s.insert(a)
	}
	d, c := make(3, "alice", 2, false), make(2, "alice", 2, true)
	b, a := make(1, "8", -1, false), make(0, "8", 2, true)
	e := make(4, "Alice", 1e300, false)
	for range 2 {
		s.lists("alice", a, c, d)
		s.lists("8", b, a, c)
		s.lists("Alice", a, c, e)
		s.lists("nobody", a, c)
		s.lists("", a, c)
	}
	c.Shared, c.Version = false, 2
	s.replace(c)
	s.lists("8", b, a)
	s.lists("alice", a, c, d)
}

// savedComparesAndSets: a change of another version than the current one is a conflict and changes nothing.
func savedComparesAndSets(s *savedScene) {
	want := s.insert(savedAudience(1, "7"))
	late := want
	late.Name, late.FolderID, late.Version = "Late", savedID(20), 3
	for _, version := range []int64{0, 2, -1, math.MaxInt64} {
		if _, err := s.st.ReplaceSaved(s.ctx, late, version); !errors.Is(err, saved.ErrConflict) {
			s.wrong("ReplaceSaved of version %d where there is 1: %v instead of saved.ErrConflict", version, err)
		}
		if err := s.st.DeleteSaved(s.ctx, want.ID, version); !errors.Is(err, saved.ErrConflict) {
			s.wrong("DeleteSaved of version %d where there is 1: %v instead of saved.ErrConflict", version, err)
		}
	}
	s.holds(want)
	s.has("7")
	want.Name, want.Version = "Second", 2
	s.replace(want)
	if _, err := s.st.ReplaceSaved(s.ctx, late, 1); !errors.Is(err, saved.ErrConflict) {
		s.wrong("ReplaceSaved of version 1 where there is 2: %v instead of saved.ErrConflict", err)
	}
	s.holds(want)
}

// savedCancelled: a change that was given up before it began either fails with the context's error, and was not made,
// or is made whole, as where nothing takes time.
func savedCancelled(s *savedScene) {
	first, second := s.insert(savedAudience(1, "7")), s.insert(savedAudience(2, "7"))
	ctx, cancel := context.WithCancel(s.ctx)
	cancel()
	change := first
	change.Name, change.FolderID, change.Version = "Late", savedID(20), 2
	now, replaced := s.st.ReplaceSaved(ctx, change, 1)
	third, inserted := s.st.InsertSaved(ctx, savedAudience(3, "7"))
	deleted := s.st.DeleteSaved(ctx, second.ID, 1)
	for what, err := range map[string]error{"ReplaceSaved": replaced, "InsertSaved": inserted, "DeleteSaved": deleted} {
		if err != nil && !errors.Is(err, context.Canceled) {
			s.wrong("%s with a context that was cancelled: %w", what, err)
		}
	}
	if replaced == nil {
		first = now
	}
	left := []saved.Audience{first}
	if deleted != nil {
		left = append(left, second)
	}
	if inserted == nil {
		left = append(left, third)
	}
	slices.SortFunc(left, func(a, b saved.Audience) int { return strings.Compare(a.ID, b.ID) })
	s.lists("7", left...)
	if folders, err := s.st.Folders(s.ctx, "7"); err != nil || (len(folders) > 0) != (replaced == nil) {
		s.wrong("ReplaceSaved with a context that was cancelled (%v) leaves the folders %v (%v)", replaced, folders, err)
	}
}
