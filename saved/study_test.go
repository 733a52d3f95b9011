package saved_test

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/saved"
)

// frame knows two waves, two places and four questions, of three namespaces.
func frame(t testing.TB) *audience.Frame {
	t.Helper()
	f, err := audience.NewFrame(1, &audience.Survey{
		Waves:      []audience.Wave{{Code: "w1", Name: "Spring"}, {Code: "w2", Name: "Autumn"}},
		Locations:  []audience.Location{{Code: "n", Name: "North"}, {Code: "s", Name: "South"}},
		Namespaces: []audience.Namespace{{Code: "core"}, {Code: "shop", Base: "core"}, {Code: "diary", Base: "core"}},
		Questions: []audience.Question{
			{Namespace: "core", Code: "gender", Name: "Gender", Datapoints: []audience.Datapoint{
				{Code: "f", Name: "Women"}, {Code: "m", Name: "Men"}}},
			{Namespace: "core", Code: "use", Name: "Use", Datapoints: []audience.Datapoint{
				{Code: "tv", Name: "Television"}}, Suffixes: []audience.Suffix{{Code: 1, Name: "Daily"}}},
			{Namespace: "shop", Code: "visit", Name: "Visits", Datapoints: []audience.Datapoint{{Code: "s1", Name: "Market"}}},
			{Namespace: "diary", Code: "read", Name: "Reads", Datapoints: []audience.Datapoint{{Code: "yes", Name: "Yes"}}},
		},
		Datasets: []audience.Dataset{{Code: "gender"}, {Code: "use"}, {Code: "shop.visit"}, {Code: "extra"}},
	}, audience.Coverage{})
	if err != nil {
		t.Fatal(err)
	}
	return f
}

var (
	noon  = time.Date(2025, 1, 1, 12, 0, 0, 0, time.UTC)
	women = audience.Answers{Question: "gender", Datapoints: []string{"f"}}
	men   = audience.Answers{Question: "gender", Datapoints: []string{"m"}}
	uuidA = "aaaaaaaa-0000-4000-8000-00000000000a"
	uuidB = "bbbbbbbb-0000-4000-8000-00000000000b"
)

// options are those where every question is of the dataset with its own code.
func options(t testing.TB) saved.Options {
	return saved.Options{
		Frame: frame(t),
		Datasets: func(x audience.Expr) []string {
			codes := []string{}
			audience.Walk(x, func(x audience.Expr) bool {
				if leaf, ok := x.(audience.Answers); ok && !slices.Contains(codes, leaf.Question) {
					codes = append(codes, leaf.Question)
				}
				return true
			})
			return codes
		},
		Now: noon,
	}
}

func ptr[T any](x T) *T { return &x }

func expression(x audience.Expr) *saved.Expression { return &saved.Expression{Expr: x} }

// record is an audience with a value in every member.
func record() saved.Audience {
	return saved.Audience{
		ID: uuidA, V1ID: 7, User: "1", UserNumber: 1, Name: "Women", Description: "Gender: Women",
		Expression: saved.Expression{JSON: audience.Print(women), Expr: women},
		Datasets:   []string{"gender"}, Flags: []string{"authored"}, FolderID: uuidB, Folder: 3, Position: 2.5, Shared: true,
		Created: noon.Add(-time.Hour), Updated: noon.Add(-time.Minute), Version: 4,
	}
}

// memory is a Store that keeps its records in memory, as a Store must.
type memory struct {
	mu       sync.Mutex
	records  map[string]saved.Audience
	folders  map[int64]owned // by number
	users    map[string]int64
	v1       int64
	replaces int
	// between, if set, is called before each change: what comes between its reading and its writing.
	between func()
}

func newMemory() *memory {
	return &memory{records: map[string]saved.Audience{}, folders: map[int64]owned{}, users: map[string]int64{}}
}

func (m *memory) Saved(_ context.Context, id string) (saved.Audience, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	a, ok := m.records[id]
	if !ok {
		return a, fmt.Errorf("saved audience %s: %w", id, audience.ErrNotFound)
	}
	return a, nil
}

func (m *memory) SavedFor(_ context.Context, user string) ([]saved.Audience, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	var as []saved.Audience
	for _, a := range m.records {
		if a.User == user || a.Shared {
			as = append(as, a)
		}
	}
	slices.SortFunc(as, func(a, b saved.Audience) int {
		if a.Position != b.Position {
			return int(a.Position - b.Position)
		}
		return slices.Compare([]byte(a.ID), []byte(b.ID))
	})
	return as, nil
}

// owned is a folder of a user.
type owned struct {
	user string
	id   string
}

func (m *memory) place(a *saved.Audience) {
	asked := a.Folder
	if a.Folder = 0; a.FolderID == saved.NoFolder {
		return
	}
	for v1, f := range m.folders {
		if f == (owned{a.User, a.FolderID}) {
			a.Folder = v1
			return
		}
	}
	if _, taken := m.folders[asked]; taken || asked <= 0 {
		for asked = 1; m.folders[asked] != (owned{}); asked++ {
		}
	}
	m.folders[asked] = owned{a.User, a.FolderID}
	a.Folder = asked
}

func (m *memory) InsertSaved(_ context.Context, a saved.Audience) (saved.Audience, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.v1++
	a.V1ID = m.v1
	a.UserNumber = m.number(a.User)
	m.place(&a)
	m.records[a.ID] = a
	return a, nil
}

func (m *memory) ReplaceSaved(_ context.Context, a saved.Audience, version int64) (saved.Audience, error) {
	if m.between != nil {
		m.between()
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.replaces++
	if m.records[a.ID].Version != version {
		return saved.Audience{}, saved.ErrConflict
	}
	m.place(&a)
	m.records[a.ID] = a
	return a, nil
}

func (m *memory) DeleteSaved(_ context.Context, id string, version int64) error {
	if m.between != nil {
		m.between()
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.records[id].Version != version {
		return saved.ErrConflict
	}
	delete(m.records, id)
	return nil
}

func (m *memory) Folders(_ context.Context, user string) (list []saved.Folder, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for v1, f := range m.folders {
		if f.user == user {
			list = append(list, saved.Folder{ID: f.id, V1: v1})
		}
	}
	return list, nil
}

func (m *memory) UserNumber(_ context.Context, user string) (int64, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.number(user), saved.CheckUser(user)
}

func (m *memory) number(user string) int64 {
	if n, own := saved.OwnNumber(user); own {
		return n
	}
	if m.users[user] == 0 {
		m.users[user] = saved.FirstUserNumber + int64(len(m.users))
	}
	return m.users[user]
}
