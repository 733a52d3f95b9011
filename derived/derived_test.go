package derived_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/derived"
	"github.com/crosswave/crosswave/store/naive"
	"github.com/crosswave/crosswave/store/storetest"
)

// shelf is a derived.Store in memory, with the audiences that were saved.
type shelf struct {
	questions map[string]derived.Question
	audiences []derived.Reader
	replaced  func() // called before a record is replaced
}

func (s *shelf) Derived(_ context.Context, code string) (derived.Question, error) {
	if q, there := s.questions[code]; there {
		return q, nil
	}
	return derived.Question{}, audience.ErrNotFound
}

func (s *shelf) DerivedFor(_ context.Context, user string) (list []derived.Question, err error) {
	for _, q := range s.questions {
		if q.User == user || q.Shared {
			list = append(list, q)
		}
	}
	slices.SortFunc(list, func(a, b derived.Question) int { return strings.Compare(a.Code, b.Code) })
	return list, nil
}

func (s *shelf) DerivedReaders(_ context.Context, _ string) ([]derived.Reader, error) {
	list := slices.Clone(s.audiences)
	for _, q := range s.questions {
		r := derived.Reader{Kind: derived.QuestionReader, User: q.User, Code: q.Code, Shared: q.Shared}
		for _, d := range q.Datapoints {
			r.Exprs = append(r.Exprs, d.Expr)
		}
		list = append(list, r)
	}
	slices.SortStableFunc(list, func(a, b derived.Reader) int { return strings.Compare(a.Code, b.Code) })
	return list, nil
}

func (s *shelf) InsertDerived(_ context.Context, q derived.Question) error {
	s.questions[q.Code] = q
	return nil
}

func (s *shelf) ReplaceDerived(_ context.Context, q derived.Question, version int64) error {
	if s.replaced != nil {
		s.replaced()
		s.replaced = nil
	}
	if s.questions[q.Code].Version != version {
		return derived.ErrConflict
	}
	s.questions[q.Code] = q
	return nil
}

func (s *shelf) DeleteDerived(_ context.Context, code string, version int64) error {
	if s.questions[code].Version != version {
		return derived.ErrConflict
	}
	delete(s.questions, code)
	return nil
}

// scene is a small survey with what was derived from it.
type scene struct {
	*testing.T
	*shelf
	survey *naive.Store
	quota  derived.Quota
	grant  audience.Grant
}

const sceneSurvey = `survey
  namespace core
  namespace panel on core
  wave w1 2024-01-01
  location uk
  question gender single f m
  question age single young old
  question panel.drinks multi tea coffee

respondents
  wave | location | core | panel | gender | age   | panel.drinks
  w1   | uk       | 1    | 10    | f      | young | tea
  w1   | uk       | 1    |       | f      | old   |
  w1   | uk       | 1    | 10    | m      | old   | coffee
`

func newScene(t *testing.T) *scene {
	t.Helper()
	s := &scene{T: t, shelf: &shelf{questions: map[string]derived.Question{}}, grant: audience.All()}
	s.fill(sceneSurvey)
	return s
}

// fill runs a script on a new survey.
func (s *scene) fill(script string) {
	s.Helper()
	s.survey = new(naive.Store)
	if err := storetest.RunScript(s.Context(), "scene", script, func() storetest.Engine { return s.survey }); err != nil {
		s.Fatal(err)
	}
}

// options are those of a caller with the scene's grant.
func (s *scene) options() derived.Options {
	f, err := s.survey.Frame(s.Context())
	if err != nil {
		s.Fatal(err)
	}
	return derived.Options{Frame: f.For(s.grant), Now: time.Unix(1_700_000_000, 0), Quota: s.quota}
}

// as is the survey as a user sees it.
func (s *scene) as(user string) audience.Store {
	return audience.Extend(audience.Restrict(s.survey, s.grant), func(ctx context.Context) (string, []audience.Definition,
		error) {
		return derived.Definitions(ctx, s, user)
	})
}

func (s *scene) frame(user string) *audience.Frame {
	f, err := s.as(user).Frame(s.Context())
	if err != nil {
		s.Fatal(err)
	}
	return f
}

// points makes datapoints of pairs of a code and an expression.
func points(t *testing.T, pairs ...string) *[]derived.Datapoint {
	t.Helper()
	var list []derived.Datapoint
	for i := 0; i < len(pairs); i += 2 {
		x, err := audience.Parse([]byte(pairs[i+1]))
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, derived.Datapoint{Code: pairs[i], Expr: x})
	}
	return &list
}

func ptr[T any](x T) *T { return &x }

func (s *scene) create(user string, shared bool, code string, pairs ...string) (derived.Question, error) {
	return derived.Create(s.Context(), s, s.options(), user, derived.Patch{Code: &code, Shared: &shared,
		Datapoints: points(s.T, pairs...)})
}

func (s *scene) define(user string, shared bool, code string, pairs ...string) derived.Question {
	s.Helper()
	q, err := s.create(user, shared, code, pairs...)
	if err != nil {
		s.Fatal(err)
	}
	return q
}

func (s *scene) update(user, code string, p derived.Patch, versions ...int64) (derived.Question, error) {
	return derived.Update(s.Context(), s, s.options(), user, code, versions, p)
}

func (s *scene) refused(err error, want string) {
	s.Helper()
	if err == nil || err.Error() != want {
		s.Errorf("the error is\n%v\nwant\n%s", err, want)
	}
}

const women, young = `{"question": "gender", "datapoints": ["f"]}`, `{"question": "age", "datapoints": ["young"]}`

func leaf(question, datapoint string) string {
	return fmt.Sprintf(`{"question": %q, "datapoints": [%q]}`, question, datapoint)
}

// A question comes out as it was put in, changes by versions, and goes.
func TestLife(t *testing.T) {
	s := newScene(t)
	q := s.define("1", false, "net", "x", women, "y", `{"and": [`+women+`, {"question": "drinks"}]}`)
	want := q
	if q.Namespace != "panel" || q.Name != "net" || q.Version != 1 || q.User != "1" || !q.Created.Equal(q.Updated) ||
		string(q.Datapoints[0].JSON) != `{"question":"gender","datapoints":["f"]}` {
		t.Errorf("%+v", q)
	}
	if got, err := derived.Read(t.Context(), s, s.frame("1"), "1", "net"); err != nil || cmp.Diff(want, got) != "" {
		t.Error(cmp.Diff(want, got), err)
	}
	q, err := s.update("1", "net", derived.Patch{Name: ptr("Net"), Description: ptr("Both."), Shared: ptr(true)}, 7, 1)
	if err != nil || q.Version != 2 || q.Name != "Net" || !q.Shared || !q.Updated.After(want.Updated) {
		t.Error(q, err)
	}
	if same, err := s.update("1", "net", derived.Patch{}); err != nil || cmp.Diff(q, same) != "" {
		t.Error(err, cmp.Diff(q, same))
	}
	before := s.frame("2")
	if _, err := s.update("1", "net", derived.Patch{Datapoints: points(t, "y", `{"question": "drinks"}`, "x", young)}); err != nil {
		t.Error(err)
	}
	if now := s.frame("2"); now == before || now != s.frame("2") {
		t.Error("a change makes a new frame, and nothing else does")
	}
	_, err = s.update("1", "net", derived.Patch{Name: ptr("Old")}, 2)
	s.refused(err, "the derived question has another version than the one asked for: it is at version 3")
	s.replaced = func() { // another change comes between
		other := s.questions["net"]
		other.Version, other.Description = 4, "between"
		s.questions["net"] = other
	}
	if q, err = s.update("1", "net", derived.Patch{Name: ptr("After")}); err != nil || q.Version != 5 || q.Description !=
		"between" {
		t.Error(q, err)
	}
	s.refused(derived.Delete(t.Context(), s, s.frame("1"), "1", "net", []int64{4}),
		"the derived question has another version than the one asked for: it is at version 5")
	if err := derived.Delete(t.Context(), s, s.frame("1"), "1", "net", []int64{5}); err != nil {
		t.Error(err)
	}
	if _, err := derived.Read(t.Context(), s, s.frame("1"), "1", "net"); !errors.Is(err, audience.ErrNotFound) {
		t.Error(err)
	}
	if key, list, err := derived.Definitions(t.Context(), s, "1"); key != "" || list != nil || err != nil {
		t.Error(key, list, err)
	}
}

// What is wrong with a question is told with its place; nothing is written then.
func TestRefused(t *testing.T) {
	s := newScene(t)
	s.define("1", false, "net", "x", women)
	for name, c := range map[string]struct {
		patch derived.Patch
		want  string
	}{
		"no code":       {derived.Patch{Datapoints: points(t, "x", women)}, "code: a new question needs a code"},
		"no datapoints": {derived.Patch{Code: ptr("d")}, "datapoints: a new question needs datapoints"},
		"none of them": {derived.Patch{Code: ptr("d"), Datapoints: points(t)},
			"datapoints: a derived question has 1 to 1000 datapoints"},
		"a dot": {derived.Patch{Code: ptr("core.d"), Datapoints: points(t, "x", women)},
			`code: "core.d": the code of a derived question has 1 to 64 letters, digits, - and _`},
		"no name": {derived.Patch{Code: ptr("d"), Name: ptr(""), Datapoints: points(t, "x", women)},
			"name: a name has 1 to 255 characters"},
		"long": {derived.Patch{Code: ptr("d"), Description: ptr(strings.Repeat("x", 4097)),
			Datapoints: points(t, "x", women)}, "description: a description has up to 4,096 characters"},
		"unnamed": {derived.Patch{Code: ptr("d"), Datapoints: points(t, "x", women, "", women)},
			"datapoints[1].code: a datapoint's code has 1 to 255 characters"},
		"reserved": {derived.Patch{Code: ptr("waves"), Datapoints: points(t, "x", women)},
			`code: "waves" is reserved and can be no question's code`},
		"unknown": {derived.Patch{Code: ptr("d"), Datapoints: points(t, "x", leaf("nobody", "y"))},
			`not available: question "nobody" (in datapoints[0].expression)`},
		"itself": {derived.Patch{Code: ptr("d"), Datapoints: points(t, "x", leaf("d", "x"))},
			`datapoints: derived question "d" reads itself`},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := derived.Create(t.Context(), s, s.options(), "1", c.patch)
			if err == nil || err.Error() != c.want {
				t.Errorf("%v, want %s", err, c.want)
			}
		})
	}
	s.define("1", false, "reader", "x", leaf("net", "x"))
	_, err := s.update("1", "net", derived.Patch{Datapoints: points(t, "x", leaf("reader", "x"))})
	s.refused(err, `datapoints: derived questions read each other in a circle: "net" reads "reader" reads "net"`)
	_, err = s.update("1", "net", derived.Patch{Code: ptr("other")})
	s.refused(err, `code: the code of a question stays "net": define another question with the new one`)
	_, err = s.update("1", "net", derived.Patch{Datapoints: points(t, "x", leaf("drinks", "tea"))})
	s.refused(err, `datapoints: the question is of namespace "core", and its expressions use "panel": a question of `+
		`another namespace needs another code`)
	s.quota = derived.Quota{Questions: 2}
	_, err = s.create("1", false, "third", "x", women)
	s.refused(err, "a user may define at most 2 derived questions: delete some that are not needed any more")
	s.define("2", false, "third", "x", women)
	s.quota = derived.Quota{Bytes: 200}
	_, err = s.update("1", "net", derived.Patch{Description: ptr(strings.Repeat("x", 200))})
	s.refused(err, "a user may define at most 200 bytes of derived questions: delete some that are not needed any more")
	if len(s.questions) != 3 || s.questions["net"].Version != 1 {
		t.Errorf("%+v", s.questions)
	}
}

// A code is one question's in the whole store, whoever may see that.
func TestCodesAreTaken(t *testing.T) {
	s := newScene(t)
	s.define("1", false, "net", "x", women)
	s.grant.Questions = []string{"gender"}
	for _, code := range []string{"net", "age", "drinks"} {
		_, err := s.create("2", false, code, "x", women)
		if !errors.Is(err, derived.ErrTaken) {
			t.Error(code, err)
		}
		s.refused(err, fmt.Sprintf("%q: there is a question of that code: each has a code of its own", code))
	}
}

// Who may not use what a question reads has no such question, and neither has who is not its owner unless it is shared.
func TestWhoSees(t *testing.T) {
	s := newScene(t)
	s.define("1", false, "mine", "x", women)
	s.define("1", true, "shared", "x", young)
	s.define("1", true, "through", "x", `{"and": [`+leaf("shared", "x")+`, `+women+`]}`)
	seen := func(user string) string {
		var codes []string
		list, total, err := derived.List(t.Context(), s, s.frame(user), user, 0, 0)
		for _, q := range list {
			codes = append(codes, q.Code)
		}
		if err != nil || total != len(list) {
			t.Error(total, err)
		}
		for i := range s.frame(user).Questions {
			if f := s.frame(user); f.Derived(i) {
				codes = append(codes, ":"+f.Questions[i].Code)
			}
		}
		return strings.Join(codes, " ")
	}
	for user, want := range map[string]string{"1": "mine shared through :mine :shared :through",
		"2": "shared through :shared :through"} {
		if got := seen(user); got != want {
			t.Errorf("user %s sees %s", user, got)
		}
	}
	s.grant.Questions = []string{"gender"}
	for user, want := range map[string]string{"1": "mine shared through :mine", "2": ""} {
		if got := seen(user); got != want {
			t.Errorf("user %s, who may use genders alone, sees %s", user, got)
		}
	}
	for _, code := range []string{"mine", "shared", "nothing"} {
		if _, err := derived.Read(t.Context(), s, s.frame("2"), "2", code); !errors.Is(err, audience.ErrNotFound) {
			t.Error(code, err)
		}
		if _, err := s.update("2", code, derived.Patch{Name: ptr("x")}); !errors.Is(err, audience.ErrNotFound) {
			t.Error(code, err)
		}
	}
	s.grant = audience.All()
	if _, err := s.update("2", "shared", derived.Patch{Name: ptr("x")}); !errors.Is(err, derived.ErrNotYours) {
		t.Error(err)
	}
	if err := derived.Delete(t.Context(), s, s.frame("2"), "2", "shared", nil); !errors.Is(err, derived.ErrNotYours) {
		t.Error(err)
	}
	if err := derived.Delete(t.Context(), s, s.frame("2"), "2", "mine", nil); !errors.Is(err, audience.ErrNotFound) {
		t.Error(err)
	}
	_, err := s.create("1", true, "leak", "x", leaf("mine", "x"))
	s.refused(err, `shared: the question reads "mine", which is not shared: share that first`)
	page, total, err := derived.List(t.Context(), s, s.frame("1"), "1", 1, 1)
	if err != nil || total != 3 || len(page) != 1 || page[0].Code != "shared" {
		t.Error(page, total, err)
	}
}

// What is named stays; who owns it is told of what they may know.
func TestInUse(t *testing.T) {
	s := newScene(t)
	s.define("1", true, "net", "x", women, "y", young)
	saved := func(user, name string, shared bool, text string) {
		x, err := audience.Parse([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		s.audiences = append(s.audiences, derived.Reader{Kind: derived.AudienceReader, User: user, Name: name, Shared: shared,
			Exprs: []audience.Expr{x}})
	}
	saved("1", "Other", false, leaf("nets", "x"))
	s.define("1", false, "reader", "x", leaf("net", "x"))
	s.refused(derived.Delete(t.Context(), s, s.frame("1"), "1", "net", nil),
		`derived question "net" is in use, by derived question "reader": change those first`)
	saved("1", "Mine", false, leaf("core.net", "x"))
	saved("2", "Secret", false, `{"not": true, "and": [{"question": "net"}]}`)
	saved("2", "Known", true, leaf("net", "y"))
	s.refused(derived.Delete(t.Context(), s, s.frame("1"), "1", "net", nil), `derived question "net" is in use, by audience "Mine", `+
		`audience "Known", derived question "reader", records of other users: change those first`)
	_, err := s.update("1", "net", derived.Patch{Datapoints: points(t, "x", women)})
	s.refused(err, `of derived question "net" the datapoints y are in use, by audience "Known": change those first`)
	_, err = s.update("1", "net", derived.Patch{Datapoints: points(t, "y", women)})
	s.refused(err, `datapoints: derived question "reader" reads this one, and could no longer be used: not available: `+
		`datapoints x of question "net" (in datapoints[0].expression)`)
	_, err = s.update("1", "net", derived.Patch{Shared: ptr(false)})
	s.refused(err, `derived question "net" is in use, by audience "Known", records of other users: change those first`)
	s.audiences = s.audiences[:2]
	if q, err := s.update("1", "net", derived.Patch{Shared: ptr(false), Datapoints: points(t, "x", women)}); err != nil {
		t.Error(q, err)
	}
}

// Of a code that the survey has by now the survey's question is meant, and what reads the derived one says so.
func TestSurveyWins(t *testing.T) {
	s := newScene(t)
	s.define("1", false, "net", "x", women)
	s.define("1", false, "reader", "z", leaf("net", "x"))
	s.define("1", false, "fine", "x", young)
	later := strings.Replace(sceneSurvey, "question age", "question panel.net single x\n  question age", 1)
	later = strings.NewReplacer(" | age   |", " | age   | panel.net |", " | young |", " | young | x |",
		" | old   |", " | old   | |").Replace(later)
	s.fill(later)
	f := s.frame("1")
	if at, err := f.Question("net"); err != nil || f.Derived(at) || f.Questions[at].Namespace != "panel" {
		t.Error(at, err)
	}
	all, err := s.DerivedFor(t.Context(), "1")
	if err != nil {
		t.Fatal(err)
	}
	var told []string
	for _, p := range derived.Problems(s.options().Frame, all) {
		told = append(told, p.Code+": "+p.Cause.Error())
	}
	if diff := cmp.Diff([]string{`net: code: the survey has a question "net" itself`,
		`reader: datapoints: the question is of namespace "core", and its expressions use "panel": a question of another ` +
			`namespace needs another code`}, told); diff != "" {
		t.Error(diff)
	}
}
