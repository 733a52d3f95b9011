package saved_test

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/saved"
	"github.com/google/go-cmp/cmp"
)

func TestCreate(t *testing.T) {
	st, w := newMemory(), options(t)
	w.NewID = func() string { return uuidA }
	got, err := saved.Create(t.Context(), st, w, "5", saved.Patch{Name: ptr("Men"), Expression: expression(men)})
	want := saved.Audience{ID: uuidA, V1ID: 1, User: "5", UserNumber: 5, Name: "Men", Description: "Gender: Men",
		Expression: saved.Expression{JSON: audience.Print(men), Expr: men},
		Datasets:   []string{"gender"}, Flags: []string{}, FolderID: saved.NoFolder, Created: noon, Updated: noon, Version: 1}
	if d := cmp.Diff(want, got); d != "" || err != nil {
		t.Errorf("%v\n%s", err, d)
	}
	if kept, err := st.Saved(t.Context(), uuidA); err != nil || cmp.Diff(want, kept) != "" {
		t.Errorf("%v, kept: %v", err, kept)
	}
}

func TestCreateNeeds(t *testing.T) {
	for want, p := range map[string]saved.Patch{
		"name: a new audience needs a name":                    {Expression: expression(men)},
		"name: a name has 1 to 255 characters, this one has 0": {Expression: expression(men), Name: ptr("")},
		"expression: the expression is empty":                  {Name: ptr("Nobody")},
		"not available: question \"nothing\" (in expression)": {Name: ptr("Nobody"),
			Expression: expression(audience.Answers{Question: "nothing"})},
		"folder: there is no folder 1: a new folder is made by a": {Name: ptr("Men"), Expression: expression(men),
			Folder: ptr(int64(1))},
	} {
		st, w := newMemory(), options(t)
		w.NewID = func() string { t.Error("an id for nothing"); return uuidA }
		if _, err := saved.Create(t.Context(), st, w, "1", p); err == nil || !strings.HasPrefix(err.Error(), want) ||
			len(st.records) > 0 {
			t.Errorf("%v, want %s; %d records", err, want, len(st.records))
		}
	}
}

// Ids are random UUIDs unless the World makes them.
func TestCreateMakesIDs(t *testing.T) {
	form := regexp.MustCompile(`^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`)
	st, seen := newMemory(), map[string]bool{}
	for range 100 {
		a, err := saved.Create(t.Context(), st, options(t), "1", saved.Patch{Name: ptr("Men"), Expression: expression(men)})
		if err != nil || !form.MatchString(a.ID) || seen[a.ID] {
			t.Fatalf("%v %q", err, a.ID)
		}
		seen[a.ID] = true
	}
}

// stock has an audience of user 1 that is shared and one that is not.
func stock(t *testing.T) (st *memory, shared, private saved.Audience) {
	st = newMemory()
	make := func(name string, share bool) saved.Audience {
		a, err := saved.Create(t.Context(), st, options(t), "1", saved.Patch{Name: ptr(name), Expression: expression(women),
			Shared: ptr(share)})
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
	return st, make("Shared", true), make("Private", false)
}

// The owner reads and changes; others read what is shared, may not change it, and do not find the rest.
func TestOwnership(t *testing.T) {
	for _, test := range []struct {
		user         string
		shared       bool
		read, change error
	}{
		{"1", true, nil, nil},
		{"1", false, nil, nil},
		{"2", true, nil, saved.ErrNotYours},
		{"2", false, audience.ErrNotFound, audience.ErrNotFound},
	} {
		st, a, private := stock(t)
		if !test.shared {
			a = private
		}
		name := fmt.Sprintf("user %s, shared %v", test.user, test.shared)
		got, err := saved.Read(t.Context(), st, test.user, strings.ToUpper(a.ID))
		if !errors.Is(err, test.read) || err == nil && cmp.Diff(a, got) != "" || err != nil &&
			cmp.Diff(saved.Audience{}, got) != "" {
			t.Errorf("%s: read %v %v", name, got, err)
		}
		for _, p := range []saved.Patch{{}, {Name: ptr("New")},
			{Expression: expression(audience.Answers{Question: "nothing"})}} {
			_, err := saved.Update(t.Context(), st, options(t), test.user, a.ID, nil, p)
			unavailable := (*audience.UnavailableError)(nil)
			if p.Expression != nil && test.change == nil {
				if !errors.As(err, &unavailable) {
					t.Errorf("%s: update %v", name, err)
				}
			} else if !errors.Is(err, test.change) {
				t.Errorf("%s: update %v", name, err)
			}
		}
		if err := saved.Delete(t.Context(), st, test.user, a.ID, nil); !errors.Is(err, test.change) {
			t.Errorf("%s: delete %v", name, err)
		}
		if _, err := st.Saved(t.Context(), a.ID); (err != nil) != (test.change == nil) {
			t.Errorf("%s: after delete %v", name, err)
		}
	}
}

func TestUpdateOfNothingWritesNothing(t *testing.T) {
	st, a, _ := stock(t)
	got, err := saved.Update(t.Context(), st, options(t), "1", a.ID, nil, saved.Patch{})
	if d := cmp.Diff(a, got); d != "" || err != nil || st.replaces > 0 {
		t.Errorf("%v, %d writes\n%s", err, st.replaces, d)
	}
}

// versions are those that the caller insists on.
func TestUpdateVersions(t *testing.T) {
	for _, test := range []struct {
		versions []int64
		want     error
	}{{nil, nil}, {[]int64{1}, nil}, {[]int64{7, 1}, nil}, {[]int64{2}, saved.ErrPrecondition},
		{[]int64{}, saved.ErrPrecondition}} {
		st, a, _ := stock(t)
		for _, p := range []saved.Patch{{}, {Name: ptr("New")}} {
			if _, err := saved.Update(t.Context(), st, options(t), "1", a.ID, test.versions, p); !errors.Is(err, test.want) {
				t.Errorf("%v: %v", test.versions, err)
			}
		}
		st, a, _ = stock(t)
		if err := saved.Delete(t.Context(), st, "1", a.ID, test.versions); !errors.Is(err, test.want) {
			t.Errorf("delete %v: %v", test.versions, err)
		}
	}
}

// Who insists on a version does not write over what came between.
func TestUpdateInsistsToTheEnd(t *testing.T) {
	st, a, _ := stock(t)
	st.between = func() {
		st.between = nil
		if _, err := saved.Update(t.Context(), st, options(t), "1", a.ID, nil,
			saved.Patch{Name: ptr("Between")}); err != nil {
			t.Error(err)
		}
	}
	if _, err := saved.Update(t.Context(), st, options(t), "1", a.ID, []int64{1},
		saved.Patch{Position: ptr(1.0)}); !errors.Is(err, saved.ErrPrecondition) {
		t.Error(err)
	}
	if now, _ := st.Saved(t.Context(), a.ID); now.Name != "Between" || now.Position != 0 || now.Version != 2 {
		t.Error(now)
	}
}

// What comes between is kept, and the patch comes on top of it.
func TestUpdateOnTopOfAnother(t *testing.T) {
	st, a, _ := stock(t)
	st.between = func() {
		st.between = nil
		if _, err := saved.Update(t.Context(), st, options(t), "1", a.ID, nil, saved.Patch{Name: ptr("Between"),
			Position: ptr(1.0)}); err != nil {
			t.Error(err)
		}
	}
	now, err := saved.Update(t.Context(), st, options(t), "1", a.ID, nil, saved.Patch{Position: ptr(2.0)})
	if err != nil || now.Name != "Between" || now.Position != 2 || now.Version != 3 {
		t.Error(now, err)
	}
}

// An audience that goes, or is shared no more, between reading and writing is not written.
func TestUpdateOfWhatGoes(t *testing.T) {
	st, a, _ := stock(t)
	st.between = func() {
		st.between = nil
		if err := saved.Delete(t.Context(), st, "1", a.ID, nil); err != nil {
			t.Error(err)
		}
	}
	if _, err := saved.Update(t.Context(), st, options(t), "1", a.ID, nil, saved.Patch{Name: ptr("Late")}); !errors.Is(err,
		audience.ErrNotFound) || len(st.records) != 1 {
		t.Error(err, st.records)
	}
}

// A conflict without end is told.
func TestUpdateGivesUp(t *testing.T) {
	st, a, _ := stock(t)
	st.between = func() {
		st.mu.Lock()
		defer st.mu.Unlock()
		r := st.records[a.ID]
		r.Version++
		st.records[a.ID] = r
	}
	if _, err := saved.Update(t.Context(), st, options(t), "1", a.ID, nil,
		saved.Patch{Name: ptr("Never")}); !errors.Is(err, saved.ErrConflict) {
		t.Error(err)
	}
	if err := saved.Delete(t.Context(), st, "1", a.ID, nil); !errors.Is(err, saved.ErrConflict) {
		t.Error(err)
	}
}

// Eight writers of one audience: each change is there, once.
func TestConcurrentUpdates(t *testing.T) {
	st, a, _ := stock(t)
	const writers, updates = 8, 200
	var all sync.WaitGroup
	seen := make([]map[int64]bool, writers)
	for k := range writers {
		seen[k] = map[int64]bool{}
		all.Go(func() {
			for range updates {
				for { // adds one to the position
					now, err := saved.Read(context.Background(), st, "1", a.ID)
					if err != nil {
						t.Error(err)
						return
					}
					now, err = saved.Update(context.Background(), st, options(t), "1", a.ID, []int64{now.Version},
						saved.Patch{Position: ptr(now.Position + 1)})
					if err == nil {
						seen[k][now.Version] = true
						break
					}
					if !errors.Is(err, saved.ErrPrecondition) {
						t.Error(err)
						return
					}
				}
			}
		})
	}
	all.Wait()
	now, err := st.Saved(t.Context(), a.ID)
	if err != nil || now.Position != writers*updates || now.Version != writers*updates+1 {
		t.Errorf("position %v, version %d after %d updates (%v)", now.Position, now.Version, writers*updates, err)
	}
	versions := map[int64]bool{}
	for _, mine := range seen {
		for v := range mine {
			if versions[v] {
				t.Errorf("version %d was given out twice", v)
			}
			versions[v] = true
		}
	}
}

// folder and folder_id name one folder.
func TestFolders(t *testing.T) {
	st, a, b := stock(t)
	update := func(id string, p saved.Patch) (saved.Audience, error) {
		return saved.Update(t.Context(), st, options(t), "1", id, nil, p)
	}
	for _, test := range []struct {
		name   string
		id     string
		patch  saved.Patch
		folder string // afterwards
		v1     int64
		err    string
	}{
		{"a new one gets the next number", a.ID, saved.Patch{FolderID: ptr(strings.ToUpper(uuidA))}, uuidA, 1, ""},
		{"and the next the next", b.ID, saved.Patch{FolderID: ptr(uuidB)}, uuidB, 2, ""},
		{"one that is there keeps its", b.ID, saved.Patch{FolderID: ptr(uuidA)}, uuidA, 1, ""},
		{"by its number", a.ID, saved.Patch{Folder: ptr(int64(2))}, uuidB, 2, ""},
		{"both, and they agree", a.ID, saved.Patch{Folder: ptr(int64(1)), FolderID: ptr(strings.ToUpper(uuidA))}, uuidA,
			1, ""},
		{"both, and they do not", a.ID, saved.Patch{Folder: ptr(int64(2)), FolderID: ptr(uuidA)}, uuidA, 1,
			"folder: folder 2 is " + uuidB + ", and folder_id says " + uuidA + ": send one of them"},
		{"a number that is none, with an id of another", a.ID, saved.Patch{Folder: ptr(int64(3)), FolderID: ptr(uuidB)},
			uuidA,
			1, "folder: there is no folder 3: a new folder is made by a folder_id that was not used before"},
		{"a number too large for a new one", a.ID, saved.Patch{Folder: ptr(int64(1 << 53)), FolderID: ptr("c" + uuidA[1:])},
			uuidA, 1, "folder: there is no folder 9007199254740992: a new folder is made by a folder_id that was " +
				"not used before"},
		{"a number that is none", a.ID, saved.Patch{Folder: ptr(int64(-1))}, uuidA, 1,
			"folder: there is no folder -1: a new folder is made by a folder_id that was not used before"},
		{"other members keep it", a.ID, saved.Patch{Name: ptr("New")}, uuidA, 1, ""},
		{"number 0 takes it out", a.ID, saved.Patch{Folder: ptr(int64(0))}, saved.NoFolder, 0, ""},
		{"the nil UUID does", b.ID, saved.Patch{FolderID: ptr(saved.NoFolder)}, saved.NoFolder, 0, ""},
		{"both do", b.ID, saved.Patch{Folder: ptr(int64(0)), FolderID: ptr(saved.NoFolder)}, saved.NoFolder, 0, ""},
		{"out and in at once", b.ID, saved.Patch{Folder: ptr(int64(1)), FolderID: ptr(saved.NoFolder)}, saved.NoFolder,
			0, "folder: folder 1 is " + uuidA + ", and folder_id says " + saved.NoFolder + ": send one of them"},
		{"what else is wrong comes first", b.ID, saved.Patch{Folder: ptr(int64(9)), FolderID: ptr("x")}, saved.NoFolder,
			0, `folder_id: "x" is no UUID: write it like ` + saved.NoFolder + ", which stands for no folder"},
	} {
		_, err := update(test.id, test.patch)
		if (err == nil) != (test.err == "") || err != nil && err.Error() != test.err {
			t.Errorf("%s: %v", test.name, err)
		}
		if now, _ := st.Saved(t.Context(), test.id); now.FolderID != test.folder || now.Folder != test.v1 {
			t.Errorf("%s: %s, %d", test.name, now.FolderID, now.Folder)
		}
	}
}

// Rule saved-folders: a folder belongs to its user. Another's folder_id is as one not seen before, another's number is
// unknown, and a new folder takes the number sent beside it if that is free.
func TestFoldersBelongToTheirUser(t *testing.T) {
	st := newMemory()
	mine := map[string]saved.Audience{}
	for _, user := range []string{"1", "2"} {
		a, err := saved.Create(t.Context(), st, options(t), user, saved.Patch{Name: ptr("Women"), Shared: ptr(true),
			Expression: expression(women)})
		if err != nil {
			t.Fatal(err)
		}
		mine[user] = a
	}
	uuidC := "cccccccc" + uuidA[8:]
	for _, test := range []struct {
		name   string
		user   string
		patch  saved.Patch
		folder string // afterwards
		v1     int64
		err    string
	}{
		{"with a number that is free", "1", saved.Patch{Folder: ptr(int64(5)), FolderID: ptr(uuidA)}, uuidA, 5, ""},
		{"another's number", "2", saved.Patch{Folder: ptr(int64(5))}, saved.NoFolder, 0,
			"folder: there is no folder 5: a new folder is made by a folder_id that was not used before"},
		{"another's id", "2", saved.Patch{FolderID: ptr(uuidA)}, uuidA, 1, ""},
		{"with another's number", "2", saved.Patch{Folder: ptr(int64(5)), FolderID: ptr(uuidB)}, uuidB, 2, ""},
		{"with a number of one's own", "2", saved.Patch{Folder: ptr(int64(1)), FolderID: ptr(uuidC)}, uuidB, 2,
			"folder: folder 1 is " + uuidA + ", and folder_id says " + uuidC + ": send one of them"},
		{"back by the number", "2", saved.Patch{Folder: ptr(int64(1))}, uuidA, 1, ""},
		{"the other's is what it was", "1", saved.Patch{Folder: ptr(int64(5)), FolderID: ptr(uuidA)}, uuidA, 5, ""},
	} {
		_, err := saved.Update(t.Context(), st, options(t), test.user, mine[test.user].ID, nil, test.patch)
		if (err == nil) != (test.err == "") || err != nil && err.Error() != test.err {
			t.Errorf("%s: %v", test.name, err)
		}
		if now, _ := st.Saved(t.Context(), mine[test.user].ID); now.FolderID != test.folder || now.Folder != test.v1 {
			t.Errorf("%s: %s, %d", test.name, now.FolderID, now.Folder)
		}
	}
	for _, user := range []string{"1", "2"} { // both are shared
		list, _, err := saved.List(t.Context(), st, user, saved.Filter{FolderID: uuidA})
		if err != nil || len(list) != 1 || list[0].User != user {
			t.Errorf("user %s finds %v in the folder (%v)", user, list, err)
		}
	}
}

// Rule saved-audience: datasets that follow from the expression go on following when they are sent back, and do so
// again when none are sent.
func TestDatasetsSentBack(t *testing.T) {
	derived, set := record(), record()
	set.Datasets, set.DatasetsSet = []string{"extra"}, true
	several := record()
	several.Expression.Expr = audience.And{women, audience.Answers{Question: "use"}}
	several.Datasets = []string{"gender", "use"}
	gone := record()
	gone.Datasets = []string{"dropped"}
	for name, test := range map[string]struct {
		from  saved.Audience
		patch saved.Patch
		want  []string
		set   bool
	}{
		"as they are": {derived, saved.Patch{Datasets: &[]string{"gender", "gender"}},
			[]string{"gender"}, false},
		"in another order": {several, saved.Patch{Datasets: &[]string{"use", "gender"}},
			[]string{"gender", "use"}, false},
		"others": {derived, saved.Patch{Datasets: &[]string{"extra", "extra"}}, []string{"extra"},
			true},
		"one more": {derived, saved.Patch{Datasets: &[]string{"gender", "extra"}},
			[]string{"gender", "extra"}, true},
		"none":                    {derived, saved.Patch{Datasets: &[]string{}}, []string{"gender"}, false},
		"none after others":       {set, saved.Patch{Datasets: &[]string{}}, []string{"gender"}, false},
		"those that would follow": {set, saved.Patch{Datasets: &[]string{"gender"}}, []string{"gender"}, false},
		"those that were set":     {set, saved.Patch{Datasets: &[]string{"extra"}}, []string{"extra"}, true},
		"with another expression": {derived, saved.Patch{Datasets: &[]string{"gender"},
			Expression: expression(audience.Answers{Question: "use"})}, []string{"use"}, false},
		"set, with another expression": {set, saved.Patch{Datasets: &[]string{"extra"},
			Expression: expression(audience.Answers{Question: "use"})}, []string{"extra"}, true},
		"one that is gone, sent back": {gone, saved.Patch{Datasets: &[]string{"dropped"}}, []string{"gender"}, false},
	} {
		got, err := saved.Apply(test.from, test.patch, options(t))
		if d := cmp.Diff(test.want, got.Datasets); d != "" || err != nil || got.DatasetsSet != test.set {
			t.Errorf("%s: %v, set: %v\n%s", name, err, got.DatasetsSet, d)
		}
	}
}

func TestList(t *testing.T) {
	st, w := newMemory(), options(t)
	n := 0
	w.NewID = func() string { n++; return fmt.Sprintf("00000000-0000-4000-8000-%012d", n) }
	for i, p := range []saved.Patch{
		{Position: ptr(3.0), Flags: &[]string{"authored"}, FolderID: ptr(uuidA)},
		{Position: ptr(-1.0), Flags: &[]string{"curated", "isP2"}},
		{Position: ptr(3.0), Shared: ptr(true)},
		{Flags: &[]string{"isP2"}, FolderID: ptr(uuidA)},
	} {
		p.Name, p.Expression = ptr(fmt.Sprint(i+1)), expression(women)
		if _, err := saved.Create(t.Context(), st, w, "1", p); err != nil {
			t.Fatal(err)
		}
	}
	for _, test := range []struct {
		user   string
		filter saved.Filter
		want   string // names, or the error
	}{
		{"1", saved.Filter{}, "2 4 1 3"},
		{"2", saved.Filter{}, "3"},
		{"1", saved.Filter{FolderID: strings.ToUpper(uuidA)}, "4 1"},
		{"1", saved.Filter{FolderID: saved.NoFolder}, "2 3"},
		{"1", saved.Filter{FolderID: uuidB}, ""},
		{"1", saved.Filter{Flags: []string{"isP2"}}, "2 4"},
		{"1", saved.Filter{Flags: []string{"curated", "authored"}}, "2 1"},
		{"1", saved.Filter{Flags: []string{"isP2", "authored"}, FolderID: uuidA}, "4 1"},
		{"1", saved.Filter{Flags: []string{"isP2", "starred"}}, `flags[1]: "starred" is no flag; authored, curated, isP2 are`},
		{"1", saved.Filter{FolderID: "a"}, `folder_id: "a" is no UUID: write it like ` + saved.NoFolder +
			", which stands for no folder"},
	} {
		list, _, err := saved.List(t.Context(), st, test.user, test.filter)
		var names []string
		for _, a := range list {
			names = append(names, a.Name)
		}
		got := strings.Join(names, " ")
		if err != nil {
			got = err.Error()
		}
		if got != test.want {
			t.Errorf("user %s, %+v: %s, want %s", test.user, test.filter, got, test.want)
		}
	}
}

func Example() {
	ctx := context.Background()
	st := newMemory()
	f, err := audience.NewFrame(1, &audience.Survey{
		Namespaces: []audience.Namespace{{Code: "core"}},
		Questions: []audience.Question{{Namespace: "core", Code: "gender", Name: "Gender",
			Datapoints: []audience.Datapoint{{Code: "f", Name: "Women"}}}},
	}, audience.Coverage{})
	if err != nil {
		fmt.Println(err)
		return
	}
	o := saved.Options{Frame: f, Datasets: func(audience.Expr) []string { return nil }, Now: time.Now()}
	name, women := "Women", audience.Answers{Question: "gender", Datapoints: []string{"f"}}
	a, err := saved.Create(ctx, st, o, "1", saved.Patch{Name: &name, Expression: &saved.Expression{Expr: women}})
	if err != nil {
		fmt.Println(err)
		return
	}
	position := 2.5
	a, err = saved.Update(ctx, st, o, "1", a.ID, []int64{a.Version}, saved.Patch{Position: &position})
	fmt.Println(a.Name, a.Description, a.Position, a.Version, err)
	// Output: Women Gender: Women 2.5 2 <nil>
}
