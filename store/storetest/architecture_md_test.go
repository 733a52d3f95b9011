package storetest

import (
	"cmp"
	"context"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/store/naive"
	gocmp "github.com/google/go-cmp/cmp"
)

// listening is an engine that writes down what it is asked.
type listening struct {
	Engine
	heard strings.Builder
}

func (l *listening) Count(ctx context.Context, version uint64, qs []audience.Query) ([][]*audience.Table, error) {
	f, err := l.Frame(ctx)
	if err != nil {
		return nil, err
	}
	list := func(name string, xs []audience.Expr) {
		for i, x := range xs {
			fmt.Fprintf(&l.heard, "  %s %d: %s\n", name, i+1, audience.Print(x))
		}
	}
	for i, q := range qs {
		fmt.Fprintf(&l.heard, "query %d of namespace %s\n", i+1, q.Namespace)
		list("row", q.Rows)
		list("column", q.Columns)
		for j, s := range q.Strata {
			fmt.Fprintf(&l.heard, "  stratum %d: %s\n", j+1, coverText(f, s))
		}
	}
	return l.Engine.Count(ctx, version, qs)
}

// The example of the planner in ARCHITECTURE.md: what is asked gives the figures that it says, by the queries that it
// says.
func TestArchitectureShowsThePlan(t *testing.T) {
	page := pageText(t, "ARCHITECTURE.md")
	engine := &listening{Engine: new(naive.Store)}
	if err := RunScript(t.Context(), "ARCHITECTURE.md", fenced(t, page, "script"), func() Engine {
		return engine
	}); err != nil {
		t.Error(err)
	}
	if d := gocmp.Diff(fenced(t, page, "plan"), engine.heard.String()); d != "" {
		t.Error(d)
	}
}

// fenced is the one fenced block of a language.
func fenced(t *testing.T, page, language string) string {
	parts := strings.Split(page, "\n```"+language+"\n")
	if len(parts) != 2 {
		t.Fatalf("%d blocks of the language %s", len(parts)-1, language)
	}
	block, _, _ := strings.Cut(parts[1], "\n```\n")
	return block + "\n"
}

// What the pages at the top name is there: Go files, folders of packages, pages and their headings.
func TestPagesNameWhatIsThere(t *testing.T) {
	var goFiles []string
	tops := map[string]bool{} // folders at the top
	err := fs.WalkDir(os.DirFS(root), ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil || name == ".":
		case d.IsDir() && strings.HasPrefix(d.Name(), "."):
			return fs.SkipDir
		case d.IsDir() && !strings.Contains(name, "/"):
			tops[name] = true
		case strings.HasSuffix(name, ".go"):
			goFiles = append(goFiles, path.Base(name))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	goFile, span := regexp.MustCompile(`\b\w+\.go\b`), regexp.MustCompile("`([a-z]+/[a-z0-9/_.-]*)`")
	link := regexp.MustCompile(`\]\(([^)#]*)#?([^)]*)\)`)
	for _, page := range []string{"ARCHITECTURE.md", "README.md", "RUNNING.md", "CONTRIBUTING.md", "FIGURES.md"} {
		text := pageText(t, page)
		for _, name := range goFile.FindAllString(text, -1) {
			if !slices.Contains(goFiles, name) {
				t.Errorf("%s: there is no file %s", page, name)
			}
		}
		for _, found := range span.FindAllStringSubmatch(text, -1) {
			top, _, _ := strings.Cut(found[1], "/")
			if _, err := os.Stat(filepath.Join(root, found[1])); tops[top] && err != nil {
				t.Errorf("%s: there is no %s", page, found[1])
			}
		}
		for _, found := range link.FindAllStringSubmatch(text, -1) {
			to, heading := cmp.Or(found[1], page), found[2]
			if strings.Contains(to, "://") {
				continue
			}
			if _, err := os.Stat(filepath.Join(root, to)); err != nil {
				t.Errorf("%s: a link leads to %s, which is not there", page, to)
			} else if heading != "" && !slices.Contains(headings(pageText(t, to)), heading) {
				t.Errorf("%s: a link leads to the heading %s of %s, which is not there", page, heading, to)
			}
		}
	}
}

func pageText(t *testing.T, page string) string {
	text, err := os.ReadFile(filepath.Join(root, page))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// headings are the anchors of a page's headings: small letters, hyphens for blanks, no punctuation.
func headings(page string) (anchors []string) {
	for line := range strings.SplitSeq(page, "\n") {
		if title, ok := strings.CutPrefix(strings.TrimLeft(line, "#"), " "); ok && strings.HasPrefix(line, "#") {
			title = strings.ReplaceAll(strings.ToLower(title), " ", "-")
			anchors = append(anchors, regexp.MustCompile(`[^a-z0-9_-]`).ReplaceAllString(title, ""))
		}
	}
	return anchors
}
