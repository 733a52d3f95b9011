package storetest

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// SECURITY.md has a line for each of the ten risks, with what it means, what is done, and tests, which are there.
func TestSecurityNamesItsTests(t *testing.T) {
	tests, n := testFunctions(t), 0
	name := regexp.MustCompile("`[a-z]+\\.(?:Test|Fuzz)\\w*`")
	for i, line := range strings.Split(pageText(t, "SECURITY.md"), "\n") {
		for _, test := range name.FindAllString(line, -1) {
			if !tests[strings.Trim(test, "`")] {
				t.Errorf("SECURITY.md:%d: there is no test %s", i+1, test)
			}
		}
		if !strings.HasPrefix(line, "| API") {
			continue
		}
		n++
		cells := strings.Split(strings.Trim(line, "| "), " | ")
		if len(cells) != 4 || !strings.HasPrefix(cells[0], fmt.Sprintf("API%d:2023 ", n)) {
			t.Errorf("SECURITY.md:%d: the line is not of four cells, the first with risk %d", i+1, n)
			continue
		}
		if rest := strings.Trim(name.ReplaceAllString(cells[3], ""), ", "); rest != "" || cells[3] == "" {
			t.Errorf("SECURITY.md:%d: the last cell names tests, written `package.TestName`, and nothing else: %s", i+1,
				cells[3])
		}
	}
	if n != 10 {
		t.Errorf("SECURITY.md has %d of the 10 risks", n)
	}
}

// fetching are the names of net, net/http and os/exec by which a program asks others.
func fetching() []string {
	return []string{"net.Dial", "net.DialTimeout", "net.Dialer", "net.Lookup", "net.Resolver", "http.Get", "http.Head",
		"http.Post", "http.PostForm", "http.Client", "http.DefaultClient", "http.Transport", "http.DefaultTransport",
		"http.NewRequest", "http.NewRequestWithContext", "httputil.ReverseProxy", "exec.Command", "exec.CommandContext"}
}

// Nothing that answers requests over an embedded store can fetch anything.
func TestNothingIsFetched(t *testing.T) {
	files, found := 0, 0
	for _, folder := range []string{"httpapi", "crosstab", "stats", "insights", "saved", "catalogue", "audience",
		"store/sqlite", "internal", "httpapi/client"} {
		err := fs.WalkDir(os.DirFS(root), folder, func(name string, d fs.DirEntry, err error) error {
			client := strings.HasPrefix(name, "httpapi/client")
			if err != nil || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") ||
				client != (folder == "httpapi/client") {
				return err
			}
			files++
			for _, use := range fetchingIn(t, name) {
				if client {
					found++ // which is to fetch
				} else {
					t.Errorf("%s uses %s", name, use)
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if files < 150 || found == 0 {
		t.Errorf("of %d files the client has %d uses", files, found)
	}
}

// fetchingIn lists what of fetching a file of the module uses.
func fetchingIn(t *testing.T, name string) (list []string) {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(root, filepath.FromSlash(name)), nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	ast.Inspect(file, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok {
			if x, ok := s.X.(*ast.Ident); ok && slices.Contains(fetching(), x.Name+"."+s.Sel.Name) {
				list = append(list, x.Name+"."+s.Sel.Name)
			}
		}
		return true
	})
	return list
}
