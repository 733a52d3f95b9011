package sqlite

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/derived"
	"github.com/crosswave/crosswave/saved"
)

// derivedOf is a derived question with a value in every member.
func derivedOf(code, user string, shared bool) derived.Question {
	x, y := audience.Answers{Question: "gender", Datapoints: []string{"f"}}, audience.Not{X: audience.Waves{}}
	return derived.Question{Code: code, Namespace: "core", Name: "A \"net\" <&> \x00 – ✓", Description: "Of two.",
		User: user, Shared: shared, Created: time.Date(2025, 1, 1, 12, 0, 0, 1000, time.UTC),
		Updated: time.Date(2025, 6, 30, 23, 59, 59, 999_999_000, time.UTC), Version: 1,
		Datapoints: []derived.Datapoint{
			{Code: "a b", Name: "✓", JSON: []byte(`{"question":"gender","options":["f"],"min_count":0}`), Expr: x},
			{Code: "none", JSON: audience.Print(y), Expr: y}}}
}

// What is put in comes out, to whom it should, and after the end of the process; changes compare the version.
func TestDerivedRecords(t *testing.T) {
	path := filepath.Join(t.TempDir(), "store.db")
	s := openStore(t, path, Config{})
	list := func(user string, want ...derived.Question) {
		t.Helper()
		got, err := s.DerivedFor(t.Context(), user)
		check(t, err)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("user %s: %s", user, diff)
		}
	}
	list("1")
	b, a, other := derivedOf("b", "1", false), derivedOf("a", "1", true), derivedOf("c", "alice", false)
	for _, q := range []derived.Question{b, a, other} {
		check(t, s.InsertDerived(t.Context(), q))
		if err := s.InsertDerived(t.Context(), derivedOf(q.Code, "2", true)); !errors.Is(err, derived.ErrTaken) {
			t.Error(err)
		}
	}
	check(t, s.Close())
	s = openStore(t, path, Config{})
	list("1", a, b)
	list("alice", a, other)
	list("nobody", a)
	late := other
	late.Name, late.Version = "Late", 3
	for _, version := range []int64{0, 2, -1} {
		if err := s.ReplaceDerived(t.Context(), late, version); !errors.Is(err, derived.ErrConflict) {
			t.Error(err)
		}
		if err := s.DeleteDerived(t.Context(), "c", version); !errors.Is(err, derived.ErrConflict) {
			t.Error(err)
		}
	}
	other.Name, other.Shared, other.Version, other.Updated = "New", true, 2, other.Updated.Add(time.Microsecond)
	other.Datapoints, other.Namespace, other.Description = other.Datapoints[:1], "shop", ""
	changed := other
	changed.User, changed.Created = "7", time.Unix(0, 0)
	check(t, s.ReplaceDerived(t.Context(), changed, 1))
	list("alice", a, other)
	list("1", a, b, other)
	check(t, s.DeleteDerived(t.Context(), "c", 2))
	if _, err := s.Derived(t.Context(), "c"); !errors.Is(err, audience.ErrNotFound) {
		t.Error(err)
	}
	for what, err := range map[string]error{"replaced": s.ReplaceDerived(t.Context(), other, 2),
		"deleted": s.DeleteDerived(t.Context(), "c", 2)} {
		if !errors.Is(err, derived.ErrConflict) {
			t.Error(what, err)
		}
	}
	noDamage(t, s)
}

// Of changes that come at once none is lost.
func TestDerivedAtOnce(t *testing.T) {
	s := openStore(t, Memory, Config{})
	check(t, s.InsertDerived(t.Context(), derivedOf("q", "1", false)))
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for done := 0; done < 10; {
				q, err := s.Derived(t.Context(), "q")
				if err != nil {
					t.Error(err)
					return
				}
				version := q.Version
				q.Version++
				q.Description += "x"
				if err = s.ReplaceDerived(t.Context(), q, version); err == nil {
					done++
				} else if !errors.Is(err, derived.ErrConflict) {
					t.Error(err)
					return
				}
			}
		})
	}
	all.Wait()
	if q, err := s.Derived(t.Context(), "q"); err != nil || q.Version != 41 || strings.Count(q.Description, "x") != 40 {
		t.Error(q, err)
	}
}

// What may name a question is found, also where its code is written with escapes.
func TestDerivedReaders(t *testing.T) {
	s := openStore(t, Memory, Config{})
	for i, text := range []string{`{"question":"net"}`, `{"question":"core.net"}`, `{"question":"gender"}`,
		`{"question":"\u006eet"}`} {
		a := audienceOf(fmt.Sprint(i), "alice")
		x, err := audience.Parse([]byte(text))
		check(t, err)
		a.Name, a.Shared, a.Expression = text, i == 1, saved.Expression{JSON: []byte(text), Expr: x}
		insert(t, s, a)
		q := derivedOf(fmt.Sprint("q", i), "7", i == 0)
		q.Datapoints[1] = derived.Datapoint{Code: "x", JSON: []byte(text), Expr: x}
		check(t, s.InsertDerived(t.Context(), q))
	}
	readers, err := s.DerivedReaders(t.Context(), "net")
	check(t, err)
	var told []string
	for _, r := range readers {
		told = append(told, fmt.Sprint(r.Kind, " ", r.User, " ", r.Code, " ", r.Shared, " ",
			string(audience.Print(r.Exprs[len(r.Exprs)-1]))))
	}
	want := []string{`audience alice  false {"question":"net"}`, `audience alice  true {"question":"core.net"}`,
		`audience alice  false {"question":"net"}`, `question 7 q0 true {"question":"net"}`,
		`question 7 q1 false {"question":"core.net"}`, `question 7 q3 false {"question":"net"}`}
	if diff := cmp.Diff(want, told); diff != "" {
		t.Error(diff)
	}
}

// A store of format 13 knew no derived questions. It opens, is sound, and keeps some from then on; a check tells of
// those that can't be used, which is no damage.
func TestStoreOfFormat13(t *testing.T) {
	path := filepath.Join(t.TempDir(), "store.db")
	unpack(t, "testdata/format13.db.gz", path)
	s := openStore(t, path, Config{})
	if list, err := s.SavedFor(t.Context(), "alice"); err != nil || len(list) != 3 {
		t.Error(len(list), err)
	}
	if list, err := s.DerivedFor(t.Context(), "alice"); err != nil || len(list) != 0 {
		t.Error(list, err)
	}
	noDamage(t, s)
	q := derivedOf("net", "alice", true)
	q.Datapoints = q.Datapoints[:1]
	q.Datapoints[0].Expr = audience.Answers{Question: "gender", Datapoints: []string{"f"}}
	q.Datapoints[0].JSON = audience.Print(q.Datapoints[0].Expr)
	check(t, s.InsertDerived(t.Context(), q))
	q.Code, q.Datapoints[0].JSON = "age", []byte(`{"question":"net"}`)
	check(t, s.InsertDerived(t.Context(), q))
	noDamage(t, s)
	r, err := s.Check(t.Context(), CheckOptions{Cells: -1})
	check(t, err)
	want := []string{`derived question "age": code: the survey has a question "age" itself`}
	if diff := cmp.Diff(want, r.Unusable); diff != "" {
		t.Error(diff)
	}
}
