package survey

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/crosswave/crosswave/audience"
)

// following is a memory whose imports can go on when another was published first.
type following struct {
	*memory
	refuse error // what Follow returns
}

type followingWriter struct {
	*memoryWriter
	store *following
}

func (f *following) Begin(ctx context.Context, base *Release, s *audience.Survey) (Writer, error) {
	w, err := f.memory.Begin(ctx, base, s)
	return &followingWriter{w.(*memoryWriter), f}, err
}

func (w *followingWriter) Follow(_ context.Context, base *Release, _ *audience.Survey, _ []string) error {
	w.base = base.Version()
	return w.store.refuse
}

// An import that is overtaken goes on from what was published first, with the same report and the same release as if it
// had begun after it, unless the two don't go together.
func TestOvertaken(t *testing.T) {
	book := func(waves, questions string) string {
		text := `{"namespaces": [{"code": "core", "weight": {"column": "weight"}}], "respondent": {"column": "id"},
		  "wave": {"column": "w", "values": [`
		for i, wave := range strings.Fields(waves) {
			text += fmt.Sprintf(`%s{"code": %q}`, []string{"", ","}[min(i, 1)], wave)
		}
		text += `]}, "questions": [`
		for i, q := range strings.Fields(questions) {
			text += fmt.Sprintf(`%s{"code": %q, "type": "single", "column": "a",
			  "datapoints": [{"code": "1"}, {"code": "2"}]}`, []string{"", ","}[min(i, 1)], q)
		}
		return text + `]}`
	}
	first := "id,w,weight,a\n1,1,1,1\n"
	for _, c := range []struct {
		name                string
		overtaker, book     string
		overtaking, text    string
		overtakes, overtook Options
		refuse              error
		says                string // of the error; none: it is published
	}{
		{name: "other waves", overtaker: book("2 1", "z q"), overtaking: "id,w,weight,a\n2,2,0.25,1\n3,2,1,7\n",
			book: book("1 3", "q y"), text: "id,w,weight,a\n4,3,2.5,2\n5,3,1,\n"},
		{name: "a wave is replaced", overtaker: book("2", "q"), overtaking: "id,w,weight,a\n2,2,1,1\n",
			book: book("1", "q"), text: "id,w,weight,a\n4,1,3,2\n",
			overtook: Options{Mode: Replace, ReplaceWaves: []string{"1"}}},
		{name: "the same wave", overtaker: book("2", "q"), overtaking: "id,w,weight,a\n2,2,1,1\n",
			book: book("2", "q"), text: "id,w,weight,a\n4,2,3,2\n", says: "with 1 respondent"},
		{name: "another meaning", overtaker: strings.Replace(book("2", "x"), `"single"`, `"multi", "separator": "|"`, 1),
			overtaking: "id,w,weight,a\n2,2,1,1\n", book: book("3", "x"), text: "id,w,weight,a\n4,3,3,2\n",
			says: `its type is "multi" in the store`},
		{name: "the engine can't", overtaker: book("2", "q"), overtaking: "id,w,weight,a\n2,2,1,1\n",
			book: book("3", "q"), text: "id,w,weight,a\n4,3,3,2\n", refuse: audience.ErrChanged,
			says: "another import was published first, and nothing was changed"},
		{name: "the engine fails", overtaker: book("2", "q"), overtaking: "id,w,weight,a\n2,2,1,1\n",
			book: book("3", "q"), text: "id,w,weight,a\n4,3,3,2\n", refuse: errors.New("no more"), says: "no more"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.overtakes.Mode == Create {
				c.overtakes.Mode = Append
			}
			if c.overtook.Mode == Create {
				c.overtook.Mode = Append
			}
			begun := func() *following {
				m := &following{memory: &memory{}, refuse: c.refuse}
				if _, err := Import(t.Context(), open(t, book("1", "q"), first, csvOptions{}), m, Options{}); err != nil {
					t.Fatal(err)
				}
				return m
			}
			bring := func(m Store, book, text string, o Options) (*Report, error) {
				return Import(t.Context(), open(t, book, text, csvOptions{}), m, o)
			}
			alone, together := begun(), begun()
			during := c.overtook
			done := false
			during.Progress = func(Progress) {
				if done {
					return
				}
				done = true
				if _, err := bring(together, c.overtaker, c.overtaking, c.overtakes); err != nil {
					t.Error(err)
				}
			}
			got, err := bring(together, c.book, c.text, during)
			if _, err := bring(alone, c.overtaker, c.overtaking, c.overtakes); err != nil {
				t.Fatal(err)
			}
			if c.says != "" {
				if err == nil || !strings.Contains(err.Error(), c.says) || together.aborted != 1 ||
					errors.Is(err, audience.ErrChanged) != errors.Is(c.refuse, audience.ErrChanged) {
					t.Errorf("the error is %v, %d given up", err, together.aborted)
				}
			} else {
				want, failed := bring(alone, c.book, c.text, c.overtook)
				if err := errors.Join(err, failed); err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(want, got, cmp.AllowUnexported(OutsideReport{})); diff != "" {
					t.Errorf("the report (-alone +overtaken):\n%s", diff)
				}
			}
			if diff := cmp.Diff(alone.people, together.people); diff != "" {
				t.Errorf("respondents (-alone +overtaken):\n%s", diff)
			}
			if diff := cmp.Diff(alone.release.Facts, together.release.Facts); diff != "" {
				t.Errorf("facts (-alone +overtaken):\n%s", diff)
			}
			if diff := cmp.Diff(alone.release.Frame.Survey, together.release.Frame.Survey); diff != "" {
				t.Errorf("survey (-alone +overtaken):\n%s", diff)
			}
			if diff := cmp.Diff(alone.release.Frame.Coverage(), together.release.Frame.Coverage()); diff != "" {
				t.Errorf("coverage (-alone +overtaken):\n%s", diff)
			}
		})
	}
}
