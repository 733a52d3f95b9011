package storetest

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/saved"
)

// shelf is a saved.Store in memory with one fault, or none.
type shelf struct {
	fault string
	*books
}

// books are what a shelf has written down.
type books struct {
	mu      sync.Mutex
	records map[string]saved.Audience
	numbers map[string]int64
	folders map[int64][2]string // user and id
	last    int64
}

func newShelf(fault string) *shelf {
	return &shelf{fault, &books{records: map[string]saved.Audience{}, numbers: map[string]int64{},
		folders: map[int64][2]string{}}}
}

// has tells whether the shelf has a fault.
func (s *shelf) has(fault string) bool { return s.fault == fault }

func (s *shelf) Saved(_ context.Context, id string) (saved.Audience, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	a, ok := s.records[id]
	if !ok && !s.has("not found is nil") {
		return a, fmt.Errorf("audience %s: %w", id, audience.ErrNotFound)
	}
	if s.has("times are local") {
		a.Created = a.Created.In(time.FixedZone("east", 3600))
	}
	if s.has("expressions are printed anew") && ok {
		a.Expression.JSON = audience.Print(a.Expression.Expr)
	}
	return a, nil
}

func (s *shelf) SavedFor(_ context.Context, user string) ([]saved.Audience, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var list []saved.Audience
	for _, a := range s.records {
		mine := a.User == user || s.has("users are told apart by letters alone") && strings.EqualFold(a.User, user)
		if mine || a.Shared || s.has("another's unshared audience is shown") {
			list = append(list, a)
		}
	}
	slices.SortFunc(list, func(a, b saved.Audience) int {
		if s.has("the order is that of positions cut to integers") {
			return cmp.Or(cmp.Compare(int64(a.Position), int64(b.Position)), cmp.Compare(a.ID, b.ID))
		}
		if s.has("equal positions are by number") {
			return cmp.Or(cmp.Compare(a.Position, b.Position), cmp.Compare(a.V1ID, b.V1ID))
		}
		return cmp.Or(cmp.Compare(a.Position, b.Position), cmp.Compare(a.ID, b.ID))
	})
	return list, nil
}

func (s *shelf) InsertSaved(_ context.Context, a saved.Audience) (saved.Audience, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, there := s.records[a.ID]; there && !s.has("an id is put in twice") {
		return saved.Audience{}, fmt.Errorf("there is an audience %s already", a.ID)
	}
	number, err := s.number(a.User)
	if err != nil {
		return saved.Audience{}, err
	}
	s.last++
	if s.has("numbers of audiences are used again") {
		s.last = int64(len(s.records)) + 1
	}
	a.V1ID, a.UserNumber = s.last, number
	s.place(&a)
	s.records[a.ID] = a
	return a, nil
}

func (s *shelf) ReplaceSaved(_ context.Context, a saved.Audience, version int64) (saved.Audience, error) {
	s.mu.Lock()
	old, there := s.records[a.ID]
	if s.has("updates are lost") { // between looking and writing
		s.mu.Unlock()
		time.Sleep(time.Microsecond)
		s.mu.Lock()
	}
	defer s.mu.Unlock()
	if s.has("a folder is made in a conflict") {
		s.place(&a)
	}
	if (!there || old.Version != version) && !s.has("versions are not compared") {
		return saved.Audience{}, saved.ErrConflict
	}
	if !s.has("audiences change hands") {
		a.V1ID, a.User, a.UserNumber, a.Created = old.V1ID, old.User, old.UserNumber, old.Created
	}
	s.place(&a)
	s.records[a.ID] = a
	return a, nil
}

func (s *shelf) DeleteSaved(_ context.Context, id string, version int64) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	a, there := s.records[id]
	if !there || a.Version != version {
		return saved.ErrConflict
	}
	delete(s.records, id)
	if s.has("folder numbers are used again") {
		delete(s.folders, a.Folder)
	}
	return nil
}

func (s *shelf) Folders(_ context.Context, user string) (list []saved.Folder, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, v1 := range slices.Sorted(maps.Keys(s.folders)) {
		if f := s.folders[v1]; f[0] == user || s.has("folders of all are listed") {
			list = append(list, saved.Folder{ID: f[1], V1: v1})
		}
	}
	return list, nil
}

func (s *shelf) UserNumber(_ context.Context, user string) (int64, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.number(user)
}

func (s *shelf) number(user string) (int64, error) {
	if n, own := saved.OwnNumber(user); own && !s.has("all users are numbered") {
		return n, nil
	}
	if err := saved.CheckUser(user); err != nil && !s.has("any user will do") {
		return 0, err
	}
	if s.has("users are trimmed") {
		user = strings.TrimSpace(user)
	}
	if _, given := s.numbers[user]; !given {
		s.numbers[user] = saved.FirstUserNumber + int64(len(s.numbers))
		if s.has("users are counted from 1") {
			s.numbers[user] = 1 + int64(len(s.numbers))
		}
	}
	return s.numbers[user], nil
}

// place gives an audience the number of its folder.
func (s *shelf) place(a *saved.Audience) {
	wanted := a.Folder
	if a.Folder = 0; a.FolderID == saved.NoFolder {
		return
	}
	for v1, f := range s.folders {
		if f[1] == a.FolderID && (f[0] == a.User || s.has("folders are shared by users")) {
			a.Folder = v1
			return
		}
	}
	if _, taken := s.folders[wanted]; taken || wanted <= 0 || s.has("no number of a folder can be asked for") {
		for wanted = 1; s.folders[wanted] != [2]string{}; wanted++ {
		}
	}
	s.folders[wanted] = [2]string{a.User, a.FolderID}
	a.Folder = wanted
}

// ReopenSaved forgets what a store with that fault did not write down.
func (s *shelf) ReopenSaved(context.Context) (saved.Store, error) {
	again := newShelf(s.fault)
	again.records, again.last = s.records, s.last
	if !s.has("users are forgotten") {
		again.numbers = s.numbers
	}
	if !s.has("folders are forgotten") {
		again.folders = s.folders
	}
	if s.has("the next number is that after the last there is") {
		again.last = 0
		for _, a := range s.records {
			again.last = max(again.last, a.V1ID)
		}
	}
	return again, nil
}

func TestRightShelf(t *testing.T) {
	TestSaved(t, func(*testing.T) saved.Store { return newShelf("") })
}

// A saved.Store with a fault is caught by the check that is there for it.
func TestWrongShelves(t *testing.T) {
	for fault, want := range map[string]string{
		"not found is nil":                                "not_there",
		"times are local":                                 "comes_back",
		"expressions are printed anew":                    "comes_back",
		"an id is put in twice":                           "inserted_once",
		"audiences change hands":                          "keeps_whose_it_is",
		"another's unshared audience is shown":            "seen_by",
		"the order is that of positions cut to integers":  "extremes",
		"equal positions are by number":                   "seen_by",
		"versions are not compared":                       "compares_and_sets",
		"a folder is made in a conflict":                  "compares_and_sets",
		"numbers of audiences are used again":             "audience_numbers",
		"folders are shared by users":                     "folders",
		"folders of all are listed":                       "folders",
		"no number of a folder can be asked for":          "folders",
		"folder numbers are used again":                   "folders_stay",
		"all users are numbered":                          "users",
		"any user will do":                                "users",
		"users are counted from 1":                        "users",
		"users are told apart by letters alone":           "users_told_apart",
		"users are trimmed":                               "users_told_apart",
		"updates are lost":                                "concurrent_updates",
		"users are forgotten":                             "reopened",
		"folders are forgotten":                           "reopened",
		"the next number is that after the last there is": "reopened",
	} {
		t.Run(fault, func(t *testing.T) {
			checks := savedChecks()
			c := checks[slices.IndexFunc(checks, func(c savedCheck) bool { return c.name == "saved/"+want })]
			if c.on(t.Context(), newShelf(fault)) == nil {
				t.Errorf("%s does not notice", c.name)
			}
		})
	}
}
