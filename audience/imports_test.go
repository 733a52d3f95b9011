package audience_test

import (
	"encoding/json"
	"os/exec"
	"path"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/crosswave/crosswave/"

// may says which rooms each room may import: those on its own floor that it needs, and those below. A room is a package
// with those below it, unless they are rooms of their own; the longest name that fits counts.
var may = map[string][]string{
	"internal": {"internal"},
	"audience": {"internal"},

	"audience/estimate": {"audience", "internal"},

	"catalogue": {"audience", "internal"},
	"crosstab":  {"audience", "audience/estimate", "internal"},
	"derived":   {"audience", "internal"},
	"insights":  {"audience", "internal"},
	"saved":     {"audience", "internal"},
	"stats":     {"audience", "audience/estimate", "internal"},

	"store/survey": {"audience", "internal", "store/survey"},
	"store/guess":  {"audience", "internal", "store/survey"},
	"store/demo":   {"audience", "internal", "store/survey"},
	"store/naive":  {"audience", "internal", "store/survey"},
	"store/formats": {"audience", "internal", "store/survey", "store/guess", "store/formats/cells", "store/formats/csv",
		"store/formats/dta", "store/formats/parquet", "store/formats/sav", "store/formats/sss", "store/formats/xls",
		"store/formats/xlsx"},
	"store/formats/cells":    {},
	"store/formats/csv":      {"audience", "internal", "store/survey"},
	"store/formats/dta":      {"internal", "store/formats/internal"},
	"store/formats/internal": {"internal"},
	"store/formats/parquet":  {"audience", "internal", "store/survey"},
	"store/formats/sav":      {"audience", "internal", "store/survey", "store/formats/internal"},
	"store/formats/sss":      {"audience", "internal", "store/survey"},
	"store/formats/xls":      {"internal", "store/formats/cells"},
	"store/formats/xlsx":     {"internal", "store/formats/cells"},
	"store/sqlite": {"audience", "catalogue", "derived", "insights", "saved", "internal", "store/survey", "store/sqlite",
		"store/naive"},
	"store/clickhouse": {"audience", "internal", "store/survey", "store/clickhouse"},
	"store/storetest": {"audience", "audience/estimate", "crosstab", "derived", "insights", "saved", "stats", "internal",
		"store/naive", "store/survey", "store/formats/csv"},

	"httpapi": {"audience", "audience/estimate", "catalogue", "crosstab", "derived", "insights", "saved", "stats",
		"internal"},

	// Leaves: they may link what is heavy, and nobody but cmd and examples imports them.
	"crosstab/sheet":   {"audience", "audience/estimate", "crosstab", "stats", "internal"},
	"httpapi/client":   {"audience", "internal"},
	"httpapi/compress": {},
	"httpapi/explorer": {"internal"},
	"httpapi/mcp":      {"audience", "catalogue", "crosstab", "insights", "saved", "stats", "internal"},
	"httpapi/metrics":  {"audience", "httpapi", "internal"},

	"cmd":      nil, // everything
	"examples": nil,
}

// room is the room that a package is in, "" if it is in none.
func room(importPath string) string {
	name := strings.TrimPrefix(importPath, module)
	for ; name != "."; name = path.Dir(name) {
		if _, there := may[name]; there {
			return name
		}
	}
	return ""
}

type pkg struct {
	ImportPath string
	Imports    []string
	Deps       []string
}

// The import graph is as drawn: cmd → httpapi, store → domains → audience → internal. Domains know neither engines, nor
// HTTP, nor each other; no format knows another.
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
		here := room(p.ImportPath)
		if here == "" {
			t.Errorf("%s is in no room of the house", p.ImportPath)
			continue
		}
		for _, i := range p.Imports {
			if strings.HasPrefix(i, module) && may[here] != nil && !slices.Contains(may[here], room(i)) {
				t.Errorf("%s imports %s", p.ImportPath, i)
			}
		}
		lean(t, here, p)
	}
	if seen < 10 {
		t.Errorf("only %d packages were looked at", seen)
	}
}

// heavy are modules that only these rooms may link, beside cmd and examples.
var heavy = map[string][]string{
	"github.com/prometheus/":    {"httpapi/metrics"},
	"github.com/xuri/excelize/": {"crosstab/sheet"},
	"github.com/klauspost/compress/": {"httpapi/compress", "httpapi/metrics", "store/formats", "store/formats/parquet",
		"store/clickhouse"},
}

// lean: whoever embeds a room links the standard library, packages of ours below it, and little else.
func lean(t *testing.T, room string, p pkg) {
	for prefix, rooms := range heavy {
		if may[room] != nil && !slices.Contains(rooms, room) && slices.ContainsFunc(p.Deps,
			func(d string) bool { return strings.HasPrefix(d, prefix) }) {
			t.Errorf("%s links %s", p.ImportPath, prefix)
		}
	}
	links := []string{"github.com/tidwall/"}
	switch room {
	case "audience", "audience/estimate", "catalogue", "crosstab", "derived", "insights", "saved", "stats":
		links = append(links, "gonum.org/v1/gonum/mathext") // tails of distributions
	case "httpapi":
		links = append(links, "gonum.org/v1/gonum/mathext", "golang.org/x/time/rate")
	case "store/survey", "store/naive":
	default:
		return
	}
	for _, d := range p.Deps {
		first, _, _ := strings.Cut(d, "/")
		if strings.Contains(first, ".") && !strings.HasPrefix(d, module) &&
			!slices.ContainsFunc(links, func(prefix string) bool { return strings.HasPrefix(d, prefix) }) {
			t.Errorf("%s links %s", p.ImportPath, d)
		}
	}
}
