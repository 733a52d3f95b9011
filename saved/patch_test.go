package saved_test

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/saved"
	"github.com/google/go-cmp/cmp"
)

// Absent is kept, what was sent is set, and what follows from it follows.
func TestApply(t *testing.T) {
	const newer = "Gender: Men AND NOT Use: Television (Daily)"
	menWithout := audience.And{men, audience.Not{X: audience.Answers{Question: "use", Datapoints: []string{"tv"},
		Suffixes: []int{1}}}}
	for name, test := range map[string]struct {
		patch saved.Patch
		want  func(*saved.Audience)
	}{
		"name": {saved.Patch{Name: ptr("N")}, func(a *saved.Audience) { a.Name = "N" }},
		"name of 255 characters": {saved.Patch{Name: ptr(strings.Repeat("é", 255))},
			func(a *saved.Audience) { a.Name = strings.Repeat("é", 255) }},
		"position, any finite number": {saved.Patch{Position: ptr(-math.MaxFloat64)},
			func(a *saved.Audience) { a.Position = -math.MaxFloat64 }},
		"position 0": {saved.Patch{Position: ptr(0.0)}, func(a *saved.Audience) { a.Position = 0 }},
		"shared":     {saved.Patch{Shared: ptr(false)}, func(a *saved.Audience) { a.Shared = false }},
		"flags, each once": {saved.Patch{Flags: &[]string{"isP2", "curated", "isP2"}},
			func(a *saved.Audience) { a.Flags = []string{"isP2", "curated"} }},
		"no flags": {saved.Patch{Flags: &[]string{}},
			func(a *saved.Audience) { a.Flags = []string{} }},
		"folder, in lower case": {saved.Patch{FolderID: ptr(strings.ToUpper(uuidA))},
			func(a *saved.Audience) { a.FolderID, a.Folder = uuidA, 0 }},
		"no folder": {saved.Patch{FolderID: ptr(saved.NoFolder)},
			func(a *saved.Audience) { a.FolderID, a.Folder = saved.NoFolder, 0 }},
		"datasets that are set": {saved.Patch{Datasets: &[]string{"extra", "extra"}},
			func(a *saved.Audience) { a.Datasets, a.DatasetsSet = []string{"extra"}, true }},
		"datasets that are set to none": {saved.Patch{Datasets: &[]string{}}, func(*saved.Audience) {}},
		"expression with what follows it": {saved.Patch{Expression: expression(menWithout)},
			func(a *saved.Audience) { a.Description, a.Datasets = newer, []string{"gender", "use"} }},
		"expression and datasets": {saved.Patch{Expression: expression(menWithout), Datasets: &[]string{"extra"}},
			func(a *saved.Audience) { a.Description, a.Datasets, a.DatasetsSet = newer, []string{"extra"}, true }},
	} {
		t.Run(name, func(t *testing.T) {
			want := record()
			test.want(&want)
			want.Version, want.Updated = 5, noon
			if test.patch.Expression != nil {
				want.Expression = saved.Expression{JSON: audience.Print(menWithout), Expr: menWithout}
			}
			got, err := saved.Apply(record(), test.patch, options(t))
			if d := cmp.Diff(want, got); d != "" || err != nil {
				t.Errorf("%v\n%s", err, d)
			}
		})
	}
}

func TestApplyNothingChangesNothing(t *testing.T) {
	got, err := saved.Apply(record(), saved.Patch{}, options(t))
	if d := cmp.Diff(record(), got); d != "" || err != nil {
		t.Errorf("%v\n%s", err, d)
	}
	if !(saved.Patch{}).Empty() || (saved.Patch{Shared: ptr(false)}).Empty() {
		t.Error("a patch is empty if it has no member, whatever their values")
	}
}

// Datasets that the user set stay when the expression changes later.
func TestApplyKeepsDatasetsThatWereSet(t *testing.T) {
	a := record()
	a.DatasetsSet, a.Datasets = true, []string{"extra"}
	got, err := saved.Apply(a, saved.Patch{Expression: expression(men)}, options(t))
	if err != nil || cmp.Diff([]string{"extra"}, got.Datasets) != "" || got.Description != "Gender: Men" {
		t.Errorf("%v %v %q", err, got.Datasets, got.Description)
	}
}

// An expression comes back as it was written.
func TestApplyKeepsTheExpressionAsWritten(t *testing.T) {
	written := saved.Expression{JSON: []byte(`{"or":[{"question":"gender","options":["m"]}],"not":false}`),
		Expr: audience.Or{men}}
	got, err := saved.Apply(record(), saved.Patch{Expression: &written}, options(t))
	if err != nil || string(got.Expression.JSON) != string(written.JSON) {
		t.Errorf("%v %s", err, got.Expression.JSON)
	}
}

// The time of the update moves, in UTC, whatever the clock does.
func TestApplyMovesUpdated(t *testing.T) {
	for name, test := range map[string]struct{ now, want time.Time }{
		"later":                     {noon.Add(time.Second), noon.Add(time.Second)},
		"elsewhere":                 {noon.Add(time.Second).In(time.FixedZone("", 3600)), noon.Add(time.Second)},
		"finer than what is kept":   {noon.Add(time.Second + 1234*time.Nanosecond), noon.Add(time.Second + time.Microsecond)},
		"the same":                  {noon, noon.Add(time.Microsecond)},
		"hardly later":              {noon.Add(time.Nanosecond), noon.Add(time.Microsecond)},
		"earlier, as clocks can be": {noon.Add(-time.Hour), noon.Add(time.Microsecond)},
	} {
		a, w := record(), options(t)
		a.Updated, w.Now = noon, test.now
		got, err := saved.Apply(a, saved.Patch{Shared: ptr(true)}, w)
		if err != nil || !got.Updated.Equal(test.want) || got.Updated.Location() != time.UTC {
			t.Errorf("%s: %v, want %v (%v)", name, got.Updated, test.want, err)
		}
		if !got.Created.Equal(a.Created) {
			t.Errorf("%s: created moves too, to %v", name, got.Created)
		}
	}
}

// What is wrong is told with its place, first what is wrong with the patch itself, then codes, then namespaces; and
// nothing changes.
func TestApplyErrors(t *testing.T) {
	apart := expression(audience.And{audience.Answers{Question: "visit"}, audience.Answers{Question: "read"}})
	unknown := expression(audience.And{audience.Answers{Question: "nothing"}, audience.Answers{Question: "gender",
		Datapoints: []string{"f", "x", "y"}},
		audience.Waves{Codes: []string{"w9"}}, audience.Locations{Codes: []string{"e"}},
		audience.Answers{Question: "use", Suffixes: []int{9}}})
	for name, test := range map[string]struct {
		patch saved.Patch
		want  error
	}{
		"name, empty": {saved.Patch{Name: ptr("")}, &audience.InvalidError{Path: "name",
			Reason: "a name has 1 to 255 characters, this one has 0"}},
		"name, too long": {saved.Patch{Name: ptr(strings.Repeat("é", 256))}, &audience.InvalidError{Path: "name",
			Reason: "a name has 1 to 255 characters, this one has 256"}},
		"position, no number": {saved.Patch{Position: ptr(math.NaN())}, &audience.InvalidError{Path: "position",
			Reason: "a position is a finite number"}},
		"position, no end": {saved.Patch{Position: ptr(math.Inf(-1))}, &audience.InvalidError{Path: "position",
			Reason: "a position is a finite number"}},
		"flags": {saved.Patch{Flags: &[]string{"isP2", "isp2"}}, &audience.InvalidError{Path: "flags[1]",
			Reason: `"isp2" is no flag; authored, curated, isP2 are`}},
		"datasets": {saved.Patch{Datasets: &[]string{"extra", "none"}},
			&audience.InvalidError{Path: "datasets[1]", Reason: `there is no dataset "none"`}},
		"folder, short": {saved.Patch{FolderID: ptr(uuidA[1:])}, &audience.InvalidError{Path: "folder_id",
			Reason: `"` + uuidA[1:] + `" is no UUID: write it like ` + saved.NoFolder + `, which stands for no folder`}},
		"folder, no digits": {saved.Patch{FolderID: ptr("g" + uuidA[1:])}, &audience.InvalidError{Path: "folder_id",
			Reason: `"g` + uuidA[1:] + `" is no UUID: write it like ` + saved.NoFolder + `, which stands for no folder`}},
		"folder, no dashes": {saved.Patch{FolderID: ptr(strings.ReplaceAll(uuidA, "-", "a"))},
			&audience.InvalidError{Path: "folder_id",
				Reason: `"` + strings.ReplaceAll(uuidA, "-", "a") + `" is no UUID: write it like ` + saved.NoFolder +
					`, which stands for no folder`}},
		"expression, empty": {saved.Patch{Expression: expression(nil)}, &audience.EmptyError{Path: "expression"}},
		"expression, codes": {saved.Patch{Expression: unknown}, &audience.UnavailableError{
			Questions: []audience.UnavailableQuestion{{Code: "nothing", Origin: "expression"},
				{Code: "gender", Datapoints: []string{"x", "y"}, Origin: "expression"}},
			Waves: []string{"w9"}, Locations: []string{"e"}}},
		"expression, suffix": {saved.Patch{Expression: expression(audience.Answers{Question: "use", Suffixes: []int{9},
			Path: "expression.or[2]"})},
			&audience.InvalidError{Path: "expression.or[2].suffixes[0]", Reason: `question "use" has no suffix 9`}},
		"expression, namespaces": {saved.Patch{Expression: apart},
			&audience.IncompatibleError{Namespaces: []string{"shop", "diary"}, Path: "expression"}},
		"the patch before codes": {saved.Patch{Expression: unknown, Name: ptr("")},
			&audience.InvalidError{Path: "name", Reason: "a name has 1 to 255 characters, this one has 0"}},
		"datasets before codes": {saved.Patch{Expression: unknown, Datasets: &[]string{"none"}},
			&audience.InvalidError{Path: "datasets[0]", Reason: `there is no dataset "none"`}},
		"an empty one before all": {saved.Patch{Expression: expression(nil), Datasets: &[]string{"none"}},
			&audience.EmptyError{Path: "expression"}},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := saved.Apply(record(), test.patch, options(t))
			if d := cmp.Diff(test.want, err); d != "" {
				t.Error(d)
			}
			if d := cmp.Diff(record(), got); d != "" {
				t.Error("the record changes:\n" + d)
			}
		})
	}
}

// A code that is hidden from the caller is as one that is not there.
func TestApplyRefusesHiddenCodes(t *testing.T) {
	w := options(t)
	w.Frame = w.Frame.For(audience.Grant{Namespaces: []string{"*"}, Questions: []string{"*"},
		Datapoints: []string{"gender:f"}, Waves: []string{"*"}, Locations: []string{"*"}})
	_, err := saved.Apply(record(), saved.Patch{Expression: expression(audience.Or{women, men})}, w)
	want := &audience.UnavailableError{Questions: []audience.UnavailableQuestion{{Code: "gender",
		Datapoints: []string{"m"}, Origin: "expression"}}}
	if d := cmp.Diff(error(want), err); d != "" {
		t.Error(d)
	}
	if _, err := saved.Apply(record(), saved.Patch{Expression: expression(women)}, w); err != nil {
		t.Error(err)
	}
	if _, err := saved.Apply(record(), saved.Patch{Name: ptr("Other members need no codes")}, w); err != nil {
		t.Error(err)
	}
}

// randomPatch sets each member with even chance.
func randomPatch(r *rand.Rand) (p saved.Patch) {
	some := func() bool { return r.IntN(2) == 0 }
	if some() {
		p.Name = ptr(strings.Repeat("n", 1+r.IntN(255)))
	}
	if some() {
		p.Expression = expression([]audience.Expr{women, men, audience.Or{women, men}, audience.Not{X: women},
			audience.Answers{Question: "visit"}}[r.IntN(5)])
	}
	if some() {
		p.Datasets = ptr([][]string{{}, {"extra"}, {"gender", "use"}}[r.IntN(3)])
	}
	if some() {
		p.Flags = ptr([][]string{{}, {"authored"}, {"curated", "isP2"}}[r.IntN(3)])
	}
	if some() {
		p.FolderID = ptr([]string{saved.NoFolder, uuidA, uuidB}[r.IntN(3)])
	}
	if some() {
		p.Position = ptr(r.NormFloat64() * 1e3)
	}
	if some() {
		p.Shared = ptr(some())
	}
	return p
}

// Two patches that set different members give the same in either order, and the one that sets both at once gives it
// too: nothing of one is lost by the other.
func TestApplyLosesNothing(t *testing.T) {
	const seed = 7
	r := rand.New(rand.NewPCG(seed, 0))
	w := options(t)
	same := func(x, y saved.Audience) string {
		x.Version, y.Version, x.Updated, y.Updated = 0, 0, time.Time{}, time.Time{}
		return cmp.Diff(x, y)
	}
	apply := func(a saved.Audience, p saved.Patch) saved.Audience {
		t.Helper()
		out, err := saved.Apply(a, p, w)
		if err != nil {
			t.Fatal(err)
		}
		if !p.Empty() && (out.Version != a.Version+1 || !out.Updated.After(a.Updated)) {
			t.Fatalf("version %d → %d, updated %v → %v", a.Version, out.Version, a.Updated, out.Updated)
		}
		return out
	}
	for i := range 2000 {
		all := randomPatch(r)
		one, other := split(r, all)
		whole := apply(record(), all)
		if d := same(whole, apply(apply(record(), one), other)); d != "" {
			t.Fatalf("seed %d, %d: in two parts\n%s", seed, i, d)
		}
		if d := same(whole, apply(apply(record(), other), one)); d != "" {
			t.Fatalf("seed %d, %d: in two parts, the second first\n%s", seed, i, d)
		}
		if d := same(whole, apply(whole, all)); d != "" {
			t.Fatalf("seed %d, %d: twice\n%s", seed, i, d)
		}
	}
}

// split deals the members of a patch out to two.
func split(r *rand.Rand, p saved.Patch) (one, other saved.Patch) {
	to := func() *saved.Patch {
		if r.IntN(2) == 0 {
			return &one
		}
		return &other
	}
	to().Name = p.Name
	to().Expression = p.Expression
	to().Datasets = p.Datasets
	to().Flags = p.Flags
	to().FolderID = p.FolderID
	to().Position = p.Position
	to().Shared = p.Shared
	return one, other
}

func TestPermission(t *testing.T) {
	whole := frame(t)
	mine := whole.For(audience.Grant{Namespaces: []string{"core"}, Questions: []string{"*"},
		Datapoints: []string{"gender:f", "use:tv", "visit:s1"}, Waves: []string{"w2"}, Locations: []string{"*"}})
	several, err := audience.NewFrame(1, &audience.Survey{
		Namespaces: []audience.Namespace{{Code: "core"}, {Code: "a"}, {Code: "b"}},
		Questions:  []audience.Question{{Namespace: "a", Code: "visit"}, {Namespace: "b", Code: "visit"}},
	}, audience.Coverage{})
	if err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct {
		x     audience.Expr
		whole *audience.Frame
		want  string
		codes *audience.UnavailableError
	}{
		"all of it mine": {women, whole, saved.Accessible, nil},
		"a datapoint not": {audience.Or{women, men}, whole, saved.Inaccessible,
			&audience.UnavailableError{Questions: []audience.UnavailableQuestion{{Code: "gender",
				Datapoints: []string{"m"}, Origin: "expression"}}}},
		"a namespace not": {audience.Answers{Question: "visit"}, whole, saved.Inaccessible,
			&audience.UnavailableError{Questions: []audience.UnavailableQuestion{{Code: "visit", Origin: "expression"}}}},
		"a wave not": {audience.Waves{Codes: []string{"w1", "w2"}}, whole, saved.Inaccessible,
			&audience.UnavailableError{Waves: []string{"w1"}}},
		"gone": {audience.And{men, audience.Answers{Question: "old"}}, whole, saved.Unknown,
			&audience.UnavailableError{Questions: []audience.UnavailableQuestion{{Code: "old", Origin: "expression"}}}},
		"a place gone": {audience.Locations{Codes: []string{"e"}}, whole, saved.Unknown,
			&audience.UnavailableError{Locations: []string{"e"}}},
		"a suffix gone": {audience.Answers{Question: "use", Suffixes: []int{1, 2}}, whole, saved.Unknown,
			&audience.UnavailableError{Questions: []audience.UnavailableQuestion{{Code: "use", Origin: "expression"}}}},
		"no longer clear": {audience.Answers{Question: "visit"}, several, saved.Unknown,
			&audience.UnavailableError{Questions: []audience.UnavailableQuestion{{Code: "visit", Origin: "expression"}}}},
		"gone in two ways": {audience.Or{audience.Answers{Question: "use", Datapoints: []string{"x"}},
			audience.Answers{Question: "use", Suffixes: []int{2}}}, whole, saved.Unknown,
			&audience.UnavailableError{Questions: []audience.UnavailableQuestion{{Code: "use",
				Datapoints: []string{"x"}, Origin: "expression"}}}},
		"everyone is there": {audience.Waves{}, whole, saved.Accessible, nil},
	} {
		t.Run(name, func(t *testing.T) {
			got, codes := saved.Permission(saved.Audience{Expression: saved.Expression{Expr: test.x}}, test.whole, mine)
			if got != test.want {
				t.Errorf("%s, want %s", got, test.want)
			}
			if d := cmp.Diff(test.codes, codes); d != "" {
				t.Error(d)
			}
		})
	}
}
