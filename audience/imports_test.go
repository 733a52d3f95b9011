package audience_test

import (
	"encoding/json"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/crosswave/crosswave/"

// floor tells how high a package stands: imports point down.
func floor(path string) int {
	name := strings.TrimPrefix(path, module)
	switch top, _, _ := strings.Cut(name, "/"); {
	case top == "internal":
		return 0
	case top == "audience":
		return 1
	case slices.Contains([]string{"crosstab", "stats", "insights", "saved", "catalogue"}, top):
		return 2
	case strings.HasPrefix(name, "store/survey"):
		return 3
	case top == "store":
		return 4
	case top == "httpapi":
		return 5
	}
	return 6 // cmd, examples
}

type pkg struct {
	ImportPath string
	Imports    []string
	Deps       []string
}

// The import graph is as drawn: cmd → httpapi, store → domains → audience → internal. Domains know neither engines, nor
// HTTP, nor each other, and what an embedder links with them is the standard library and gjson.
func TestImports(t *testing.T) {
	out, err := exec.Command("go", "list", "-e", "-json=ImportPath,Imports,Deps", module+"...").Output()
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	for d := json.NewDecoder(strings.NewReader(string(out))); d.More(); seen++ {
		var p pkg
		if err := d.Decode(&p); err != nil {
			t.Fatal(err)
		}
		here := floor(p.ImportPath)
		for _, i := range p.Imports {
			if !strings.HasPrefix(i, module) {
				continue
			}
			there := floor(i)
			beside := there == here && (here == 0 || here == 3 || here == 4)
			if there > here || there == here && !beside || here == 5 && there >= 3 {
				t.Errorf("%s imports %s", p.ImportPath, i)
			}
		}
		if here == 1 || here == 2 {
			lean(t, p)
		}
	}
	if seen < 10 {
		t.Errorf("only %d packages were looked at", seen)
	}
}

// lean: an embeddable package links the standard library, packages of ours below it, and gjson.
func lean(t *testing.T, p pkg) {
	for _, d := range p.Deps {
		first, _, _ := strings.Cut(d, "/")
		if strings.Contains(first, ".") && !strings.HasPrefix(d, module) && !strings.HasPrefix(d, "github.com/tidwall/") {
			t.Errorf("%s links %s", p.ImportPath, d)
		}
	}
}
