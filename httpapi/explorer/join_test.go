package explorer

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// pageOf are files by their names, as pairs.
func pageOf(pairs ...string) map[string][]byte {
	bodies := map[string][]byte{}
	for i := 0; i < len(pairs); i += 2 {
		bodies[pairs[i]] = []byte(pairs[i+1])
	}
	return bodies
}

func TestJoinModules(t *testing.T) {
	bodies := pageOf(
		"main.js", "import { draw, far as distant } from \"./lib/draw.js\";\n"+
			"import {\n  one,\n} from \"./lib/few-things.js\";\ndraw(one, distant);\n",
		"lib/draw.js", "// Draws.\nimport once from \"../vendor/once.js\";\nexport { far } from \"./few-things.js\";\n"+
			"export async function draw(what) {\n  return once(what);\n}\n"+
			"export class Pen {}\nexport const ink = `\nimport (\n`;\n",
		"lib/few-things.js", "const one = 1;\nexport { one };\nexport const far = 9;\n",
		"vendor/once.js", "import{far as f}from\"../lib/few-things.js\";var n=f;function g(){}"+
			"export default function(n){return n}\n"+
			"//# sourceMappingURL=once.js.map\n",
		"vendor/README.md", "Not a module.\n")
	const want = `// lib/few-things.js
const $lib_few_things = (() => {
const one = 1;

const far = 9;
return { one, far };
})();
// vendor/once.js
const $vendor_once = (() => {
const { far: f } = $lib_few_things;var n=f;function g(){}const $default = function(n){return n}
return { default: $default };
})();
// lib/draw.js
const $lib_draw = (() => {
// Draws.
const { default: once } = $vendor_once;
const { far } = $lib_few_things;
async function draw(what) {
  return once(what);
}
class Pen {}
const ink = ` + "`\nimport (\n`" + `;
return { far, draw, Pen, ink };
})();
// main.js
const $main = (() => {
const { draw, far: distant } = $lib_draw;
const { one } = $lib_few_things;
draw(one, distant);
return {  };
})();
`
	script, err := joinModules(bodies, "main.js")
	if err != nil {
		t.Fatal(err)
	}
	_, got, _ := strings.Cut(string(script), "\n")
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the script is another (-want +got):\n%s", diff)
	}
}

// What would not run, or never, is not sent.
func TestJoinModulesRefuses(t *testing.T) {
	for _, test := range []struct {
		name, says string
		bodies     map[string][]byte
	}{
		{"a module that is not there", "there is no page/b.js",
			pageOf("main.js", "import { b } from \"./b.js\";\n")},
		{"modules in a circle", "page/main.js imports itself",
			pageOf("main.js", "import { b } from \"./b.js\";\n", "b.js", "import { a } from \"./main.js\";\n")},
		{"a module that nobody imports", "page/b.js is imported by no module", pageOf("main.js", "", "b.js", "")},
		{"exports that change", "export let", pageOf("main.js", "export let a = 1;\n")},
		{"exports of everything", "export *", pageOf("main.js", "export * from \"./b.js\";\n", "b.js", "")},
		{"imports of everything", "import *", pageOf("main.js", "import * as b from \"./b.js\";\n", "b.js", "")},
		{"an import that is not named", `import \"./b.js\"`, pageOf("main.js", "import \"./b.js\";\n", "b.js", "")},
		{"imports on demand", "import(", pageOf("main.js", "const b = await import(\"./b.js\");\n", "b.js", "")},
	} {
		t.Run(test.name, func(t *testing.T) {
			script, err := joinModules(test.bodies, "main.js")
			if err == nil || !strings.Contains(err.Error(), test.says) {
				t.Errorf("it is joined with the error %v to\n%s", err, script)
			}
		})
	}
}

func TestJoinSheets(t *testing.T) {
	bodies := pageOf("main.css", "/* All. */\n@import \"style/b.css\";\n@import \"style/a.css\";\n",
		"style/a.css", "a {}\n",
		"style/b.css", "b {}\n")
	got, err := joinSheets(bodies, "main.css")
	if diff := cmp.Diff("/* All. */\nb {}\na {}\n", string(got)); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
	bodies["style/c.css"] = []byte("c {}")
	if _, err := joinSheets(bodies, "main.css"); err == nil || !strings.Contains(err.Error(), "page/style/c.css") {
		t.Errorf("a sheet that is not imported gives %v", err)
	}
	delete(bodies, "style/c.css")
	delete(bodies, "style/a.css")
	if _, err := joinSheets(bodies, "main.css"); err == nil || !strings.Contains(err.Error(), "page/style/a.css") {
		t.Errorf("a sheet that is not there gives %v", err)
	}
}
