package storetest

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/saved"
)

// savedAudienceNumbers: each audience has a V1ID above those before, also when those are gone.
func savedAudienceNumbers(s *savedScene) {
	last := int64(0)
	for n := range 5 {
		a := s.insert(savedAudience(n, "7"))
		if a.V1ID <= last {
			s.wrong("the V1ID %d is given after %d", a.V1ID, last)
		}
		last = a.V1ID
		if n > 1 {
			s.remove(a)
		}
	}
}

// savedFolders: folders of one id that two users have are two, each with a number of its own: the one that is asked for
// if it is free, else the lowest that is.
func savedFolders(s *savedScene) {
	a, b := savedID(20), savedID(21)
	for n, test := range []struct {
		user, folder string
		asked, want  int64
	}{
		{"1", a, 0, 1}, {"2", a, 0, 2}, {"1", a, 9, 1}, {"2", a, 1, 2}, {"1", b, 4, 4}, {"2", b, 4, 3}, {"3", b, 0, 5},
		{"3", a, 1 << 53, 1 << 53}, {"alice", a, -1, 6}, {"alice", b, 1 << 53, 7},
	} {
		in := savedAudience(n, test.user)
		in.FolderID, in.Folder = test.folder, test.asked
		if got := s.insert(in); got.Folder != test.want || got.FolderID != test.folder {
			s.wrong("InsertSaved of user %s into folder %s, asking for number %d, gives number %d of %s instead of %d",
				test.user, test.folder, test.asked, got.Folder, got.FolderID, test.want)
		}
	}
	s.has("1", saved.Folder{ID: a, V1: 1}, saved.Folder{ID: b, V1: 4})
	s.has("2", saved.Folder{ID: a, V1: 2}, saved.Folder{ID: b, V1: 3})
	s.has("3", saved.Folder{ID: b, V1: 5}, saved.Folder{ID: a, V1: 1 << 53})
	s.has("alice", saved.Folder{ID: a, V1: 6}, saved.Folder{ID: b, V1: 7})
	s.has("nobody")
}

// savedFoldersStay: a folder that is empty is there, and nobody else gets its number.
func savedFoldersStay(s *savedScene) {
	in := savedAudience(1, "1")
	in.FolderID = savedID(20)
	in = s.insert(in)
	s.remove(in)
	s.has("1", saved.Folder{ID: savedID(20), V1: 1})
	other := savedAudience(2, "2")
	other.FolderID = savedID(20)
	if got := s.insert(other); got.Folder != 2 {
		s.wrong("a new folder has number %d, and 2 is the lowest that was never given", got.Folder)
	}
	back := savedAudience(3, "1")
	back.FolderID, back.Folder = savedID(20), 9
	if got := s.insert(back); got.Folder != 1 {
		s.wrong("a folder that was empty has number %d instead of 1", got.Folder)
	}
}

// savedUsers: whole numbers are their own, others get one each from saved.FirstUserNumber on, by whichever method they
// are heard of first.
func savedUsers(s *savedScene) {
	for user, want := range map[string]int64{"1": 1, "8": 8, "999999999999": 999_999_999_999} {
		if got := s.number(user); got != want {
			s.wrong("UserNumber of %q gives %d instead of %d", user, got, want)
		}
	}
	seen := map[int64]string{}
	for n, user := range []string{"alice@example.com", "auth0|abc", "0", "-5", "08", "+8", "1000000000000",
		"99999999999999999999", strings.Repeat("x", saved.MaxUserBytes), "'; --", "a%", "\U0010ffff\n"} {
		number := int64(0)
		if n%2 == 0 {
			number = s.number(user)
		}
		a := s.insert(savedAudience(n, user))
		if a.User != user || number != 0 && a.UserNumber != number || s.number(user) != a.UserNumber {
			s.wrong("an audience of user %q, whose number is %d, is of %q, %d", user, s.number(user), a.User, a.UserNumber)
		}
		if before, there := seen[a.UserNumber]; there || a.UserNumber < saved.FirstUserNumber {
			s.wrong("user %q has number %d, which is that of %q or below the first", user, a.UserNumber, before)
		}
		seen[a.UserNumber] = user
		s.holds(a)
		s.lists(user, a)
	}
	invalid := (*audience.InvalidError)(nil)
	for _, user := range []string{"", "a\x00", "\xff", strings.Repeat("x", saved.MaxUserBytes+1)} {
		if _, err := s.st.UserNumber(s.ctx, user); !errors.As(err, &invalid) {
			s.wrong("UserNumber of %.10q: %v instead of the error of saved.CheckUser", user, err)
		}
	}
}

// savedUsersToldApart: ids are users byte by byte, whatever a database takes to be equal.
func savedUsersToldApart(s *savedScene) {
	users := []string{"alice", "Alice", "alice ", " alice", "alic\u00e9", "alice\u0301", "straße", "strasse", "08", "8"}
	var all []saved.Audience
	for n, user := range users {
		all = append(all, s.insert(savedAudience(n, user)))
	}
	for n, user := range users {
		s.lists(user, all[n])
		for m := range n {
			if all[m].UserNumber == all[n].UserNumber {
				s.wrong("users %q and %q have one number, %d", users[m], user, all[n].UserNumber)
			}
		}
	}
}

// atOnce runs a function several times at once and waits for all.
func atOnce(times int, do func(k int)) {
	var all sync.WaitGroup
	for k := range times {
		all.Go(func() { do(k) })
	}
	all.Wait()
}

// savedConcurrentUpdates: of writers who each set what they read to one more, none undoes another.
func savedConcurrentUpdates(s *savedScene) {
	start := savedAudience(1, "7")
	start.Position = 0
	s.insert(start)
	const writers, tries = 6, 1000
	updates := 15
	if testing.Short() {
		updates = 4
	}
	atOnce(writers, func(k int) {
		done := 0
		for try := 0; done < updates && try < tries; try++ {
			a, err := s.st.Saved(s.ctx, start.ID)
			if err != nil {
				s.wrong("Saved among writers: %w", err)
				return
			}
			a.Position++
			a.Version++
			a.FolderID, a.Folder = savedID(100+k*updates+done), 0
			switch _, err := s.st.ReplaceSaved(s.ctx, a, a.Version-1); {
			case err == nil:
				done++
			case !errors.Is(err, saved.ErrConflict):
				s.wrong("ReplaceSaved among writers: %w", err)
				return
			}
		}
		if done < updates {
			s.wrong("a writer got through %d times in %d tries", done, tries)
		}
	})
	a, err := s.st.Saved(s.ctx, start.ID)
	if err != nil || a.Position != float64(writers*updates) || a.Version != int64(writers*updates+1) {
		s.wrong("after %d updates, each of one more, the position is %v and the version %d (%v)", writers*updates,
			a.Position, a.Version, err)
	}
	folders, err := s.st.Folders(s.ctx, "7")
	if err != nil || len(folders) != writers*updates {
		s.wrong("%d updates into folders of their own made %d folders (%v)", writers*updates, len(folders), err)
	}
}

// savedConcurrentInserts: those who come at once share a new folder and a new number of their user; audiences have
// numbers of their own.
func savedConcurrentInserts(s *savedScene) {
	const rounds, writers = 5, 8
	v1 := map[int64]bool{}
	for round := range rounds {
		made := make([]saved.Audience, writers)
		user := fmt.Sprint("new in round ", round)
		atOnce(writers, func(k int) {
			a := savedAudience(round*writers+k, user)
			a.FolderID = savedID(1000 + round)
			if k%4 == 3 {
				s.number(user)
			}
			made[k] = s.insert(a)
		})
		for _, a := range made {
			if v1[a.V1ID] || a.UserNumber != made[0].UserNumber || a.Folder != made[0].Folder || a.Folder == 0 {
				s.wrong("of those put in at once one has V1ID %d, user %d and folder %d, another %d, %d and %d", a.V1ID,
					a.UserNumber, a.Folder, made[0].V1ID, made[0].UserNumber, made[0].Folder)
			}
			v1[a.V1ID] = true
		}
		s.has(user, saved.Folder{ID: savedID(1000 + round), V1: made[0].Folder})
	}
}

// savedReopened: all is there after the store was closed, and no number is given twice.
func savedReopened(s *savedScene) {
	store, ok := s.st.(SavedReopener)
	if !ok {
		return
	}
	first, gone := savedAudience(1, "alice"), savedAudience(2, "bob")
	first.FolderID, gone.FolderID = savedID(20), savedID(21)
	first, gone = s.insert(first), s.insert(gone)
	s.remove(gone)
	carol := s.number("carol")
	again, err := store.ReopenSaved(s.ctx)
	if err != nil {
		s.wrong("reopening: %w", err)
		return
	}
	s.st = again
	s.holds(first)
	s.lists("alice", first)
	s.lists("bob")
	s.has("alice", saved.Folder{ID: savedID(20), V1: 1})
	s.has("bob", saved.Folder{ID: savedID(21), V1: 2})
	next := savedAudience(3, "dave")
	next.FolderID = savedID(20)
	next = s.insert(next)
	if next.V1ID <= gone.V1ID || next.Folder != 3 {
		s.wrong("after it was reopened the V1ID %d follows %d, and a new folder has number %d instead of 3", next.V1ID,
			gone.V1ID, next.Folder)
	}
	for user, want := range map[string]int64{"alice": first.UserNumber, "bob": gone.UserNumber, "carol": carol,
		"dave": next.UserNumber} {
		if got := s.number(user); got != want || user != "dave" && got == next.UserNumber {
			s.wrong("user %q had number %d, has %d after it was reopened, and a new one %d", user, want, got, next.UserNumber)
		}
	}
}
