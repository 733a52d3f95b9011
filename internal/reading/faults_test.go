package reading

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

// longest is the last column of a line, where a tab counts one.
const longest = 120

// faults tells which lines of the files of one folder, by their names, are too long and which comments name another
// function than the one they stand above.
func faults(files map[string]string) (list []string, err error) {
	set, parsed := token.NewFileSet(), map[string]*ast.File{}
	functions := map[string]bool{}
	for name, text := range files {
		f, err := parser.ParseFile(set, name, text, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		parsed[name] = f
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok {
				functions[fn.Name.Name] = true
			}
		}
	}
	for name, f := range parsed {
		free := unbroken(set, f)
		for i, line := range strings.Split(files[name], "\n") {
			if n := utf8.RuneCountInString(line); n > longest && !free[i+1] {
				list = append(list, fmt.Sprintf("%s:%d: the line has %d columns; it ends by column %d", name, i+1, n, longest))
			}
		}
		for _, d := range f.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok {
				continue
			}
			first, _, _ := strings.Cut(strings.TrimSpace(fn.Doc.Text()), " ")
			first = strings.TrimSuffix(strings.TrimRight(first, ":,"), "'s")
			if first == "" {
				continue
			}
			about := functions[first] || unicode.IsLower(rune(first[0])) // one that is no more, unless it begins a sentence
			sentence := isTest(fn.Name.Name) && !isTest(first)           // what is tested may begin it
			if first != fn.Name.Name && about && !sentence {
				list = append(list, fmt.Sprintf("%s: the comment above %s is about %s", set.Position(fn.Doc.Pos()), fn.Name.Name,
					first))
			}
		}
	}
	slices.Sort(list)
	return list, nil
}

func isTest(name string) bool {
	return strings.HasPrefix(name, "Test") || strings.HasPrefix(name, "Fuzz") || strings.HasPrefix(name, "Benchmark")
}

// unbroken gives the lines that can't be broken: those of raw strings, which hold data, and of what examples print. The
// tags of fields are no data.
func unbroken(set *token.FileSet, f *ast.File) map[int]bool {
	lines := map[int]bool{}
	add := func(n ast.Node) {
		for line := set.Position(n.Pos()).Line; line <= set.Position(n.End()).Line; line++ {
			lines[line] = true
		}
	}
	tags := map[*ast.BasicLit]bool{}
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Field:
			tags[n.Tag] = true
		case *ast.BasicLit:
			if strings.HasPrefix(n.Value, "`") && !tags[n] {
				add(n)
			}
		}
		return true
	})
	for _, c := range f.Comments {
		if strings.HasPrefix(c.Text(), "Output:") {
			add(c)
		}
	}
	return lines
}

func TestFaults(t *testing.T) {
	long := strings.Repeat("ä", longest)
	got, err := faults(map[string]string{
		"a.go": "package a\n\n// " + long[6:] + "\n\n// b does.\nfunc a() {\n\t_ = `" + long + "`\n}\n",
		"b.go": "package a\n\n// b is b.\nfunc b() {}\n\n// " + long + "\ntype c struct {\n\td int `" + long + "`\n}\n",
		"c_test.go": "package a_test\n\nfunc Example() {\n\t// Output:\n\t// " + long + "\n}\n\n" +
			"// b may begin a sentence.\nfunc TestA() {}\n\n// TestA may not.\nfunc TestB() {}\n",
	})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"a.go:5:1: the comment above a is about b",
		"b.go:6: the line has 123 columns; it ends by column 120",
		"b.go:8: the line has 129 columns; it ends by column 120",
		"c_test.go:11:1: the comment above TestB is about TestA",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
