package main

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/saved"
)

// shelf is a store of saved audiences: a saved.Store in memory.
type shelf struct {
	mu      sync.Mutex
	records map[string]saved.Audience
	numbers map[string]int64 // of users whose ids are not their numbers
	folders map[int64]folder
	last    int64 // the V1ID that was given last
}

type folder struct{ user, id string }

func newShelf() *shelf {
	return &shelf{records: map[string]saved.Audience{}, numbers: map[string]int64{}, folders: map[int64]folder{}}
}

func (s *shelf) Saved(_ context.Context, id string) (saved.Audience, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	a, ok := s.records[id]
	if !ok {
		return a, fmt.Errorf("audience %s: %w", id, audience.ErrNotFound)
	}
	return a, nil
}

func (s *shelf) SavedFor(_ context.Context, user string) ([]saved.Audience, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var list []saved.Audience
	for _, a := range s.records {
		if a.User == user || a.Shared {
			list = append(list, a)
		}
	}
	slices.SortFunc(list, func(a, b saved.Audience) int {
		return cmp.Or(cmp.Compare(a.Position, b.Position), cmp.Compare(a.ID, b.ID))
	})
	return list, nil
}

func (s *shelf) InsertSaved(_ context.Context, a saved.Audience) (saved.Audience, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, there := s.records[a.ID]; there {
		return saved.Audience{}, fmt.Errorf("there is an audience %s already", a.ID)
	}
	number, err := s.number(a.User)
	if err != nil {
		return saved.Audience{}, err
	}
	s.last++
	a.V1ID, a.UserNumber = s.last, number
	s.place(&a)
	s.records[a.ID] = a
	return a, nil
}

func (s *shelf) ReplaceSaved(_ context.Context, a saved.Audience, version int64) (saved.Audience, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	old, there := s.records[a.ID]
	if !there || old.Version != version {
		return saved.Audience{}, saved.ErrConflict
	}
	a.V1ID, a.User, a.UserNumber, a.Created = old.V1ID, old.User, old.UserNumber, old.Created
	s.place(&a)
	s.records[a.ID] = a
	return a, nil
}

func (s *shelf) DeleteSaved(_ context.Context, id string, version int64) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if a, there := s.records[id]; !there || a.Version != version {
		return saved.ErrConflict
	}
	delete(s.records, id)
	return nil
}

func (s *shelf) Folders(_ context.Context, user string) (list []saved.Folder, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, v1 := range slices.Sorted(maps.Keys(s.folders)) {
		if f := s.folders[v1]; f.user == user {
			list = append(list, saved.Folder{ID: f.id, V1: v1})
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
	if n, own := saved.OwnNumber(user); own {
		return n, nil
	}
	if err := saved.CheckUser(user); err != nil {
		return 0, err
	}
	if _, given := s.numbers[user]; !given {
		s.numbers[user] = saved.FirstUserNumber + int64(len(s.numbers))
	}
	return s.numbers[user], nil
}

// place gives an audience the number of its folder, and makes that if its owner has none of the id.
func (s *shelf) place(a *saved.Audience) {
	wanted := a.Folder
	if a.Folder = 0; a.FolderID == saved.NoFolder {
		return
	}
	for v1, f := range s.folders {
		if f == (folder{a.User, a.FolderID}) {
			a.Folder = v1
			return
		}
	}
	if _, taken := s.folders[wanted]; taken || wanted <= 0 {
		for wanted = 1; ; wanted++ {
			if _, taken := s.folders[wanted]; !taken {
				break
			}
		}
	}
	s.folders[wanted] = folder{a.User, a.FolderID}
	a.Folder = wanted
}
