package explorer

import (
	"fmt"
	"path"
	"regexp"
	"strings"
)

// A browser that asks for each module by itself asks sixty times before there is anything on screen, so the server
// sends one script and one style sheet: those that the page names, with all in them that they import. The joining knows
// the ways to import and export that the modules are written in, and refuses others, so that nothing is sent that does
// not run.

// The ways to import and export. Libraries have been shrunk, and have them amid a line.
var (
	imports       = regexp.MustCompile(`(?m)^import ?(\w+|\{[^}]*\}) ?from ?"([^"]+)";`)
	reexports     = regexp.MustCompile(`(?m)^export (\{[^}]*\}) from "([^"]+)";`)
	exportedLists = regexp.MustCompile(`(?m)(^|[;}])export ?\{([^}]*)\};`)
	exportedOnes  = regexp.MustCompile(`(?m)^export ((?:async )?function|const|class) (\w+)`)
	exportedOnly  = regexp.MustCompile(`(?m)(^|[;}])export default `)
	notUnderstood = regexp.MustCompile(`(?m)(?:(?:^|[;}])(?:export[ {*]|import(?: [\w*"]|[{*"]))|\bimport\()[^\n]{0,40}`)
	sourceMaps    = regexp.MustCompile(`(?m)^//# sourceMappingURL=.*$`)
	sheets        = regexp.MustCompile(`(?m)^@import "([^"]+)";$`)
)

// joiner puts each module behind those that it imports.
type joiner struct {
	bodies map[string][]byte
	done   map[string]bool // false while what it imports is looked at
	script strings.Builder
}

// joinModules is the script of a module with all in it that it imports, each module as a function that is called once
// and gives what the module exports. The error names a module that can't be joined, or one that nothing imports.
func joinModules(bodies map[string][]byte, main string) ([]byte, error) {
	j := joiner{bodies: bodies, done: map[string]bool{}}
	j.script.WriteString("// The modules of the explorer in one. Each lies beside this as it was written, with the" +
		" licences of libraries in vendor.\n")
	if err := j.add(main); err != nil {
		return nil, err
	}
	for name := range bodies {
		if path.Ext(name) == ".js" && !j.done[name] {
			return nil, fmt.Errorf("page/%s is imported by no module", name)
		}
	}
	return []byte(j.script.String()), nil
}

// add writes a module behind those that it imports.
func (j *joiner) add(name string) error {
	if done, begun := j.done[name]; done {
		return nil
	} else if begun {
		return fmt.Errorf("page/%s imports itself, by others", name)
	}
	body, known := j.bodies[name]
	if !known {
		return fmt.Errorf("there is no page/%s to import", name)
	}
	j.done[name] = false
	text := sourceMaps.ReplaceAllString(string(body), "")
	for _, found := range append(imports.FindAllStringSubmatch(text, -1), reexports.FindAllStringSubmatch(text, -1)...) {
		if err := j.add(path.Join(path.Dir(name), found[2])); err != nil {
			return fmt.Errorf("page/%s: %w", name, err)
		}
	}
	text, exported := rewritten(text, path.Dir(name))
	if found := notUnderstood.FindString(text); found != "" {
		return fmt.Errorf("page/%s has %q, which can't be joined", name, found)
	}
	fmt.Fprintf(&j.script, "// %s\nconst %s = (() => {\n%s\nreturn { %s };\n})();\n", name, variable(name),
		strings.TrimSpace(text), strings.Join(exported, ", "))
	j.done[name] = true
	return nil
}

// rewritten is the text of a module in a folder as that of a function, and the members of what it gives.
func rewritten(text, folder string) (body string, exported []string) {
	text = reexports.ReplaceAllStringFunc(text, func(found string) string {
		part := reexports.FindStringSubmatch(found)
		exported = append(exported, members(part[1])...)
		return taken(part[1], path.Join(folder, part[2]))
	})
	text = imports.ReplaceAllStringFunc(text, func(found string) string {
		part := imports.FindStringSubmatch(found)
		return taken(part[1], path.Join(folder, part[2]))
	})
	text = exportedLists.ReplaceAllStringFunc(text, func(found string) string {
		part := exportedLists.FindStringSubmatch(found)
		exported = append(exported, members(part[2])...)
		return part[1]
	})
	text = exportedOnly.ReplaceAllStringFunc(text, func(found string) string {
		exported = append(exported, "default: $default")
		return exportedOnly.FindStringSubmatch(found)[1] + "const $default = "
	})
	text = exportedOnes.ReplaceAllStringFunc(text, func(found string) string {
		part := exportedOnes.FindStringSubmatch(found)
		exported = append(exported, part[2])
		return part[1] + " " + part[2]
	})
	return text, exported
}

// variable is what a module's exports are called in the script.
func variable(name string) string {
	return "$" + strings.NewReplacer("/", "_", "-", "_").Replace(strings.TrimSuffix(name, ".js"))
}

// taken takes what is imported of a module: "{ h, render as draw }", or the name of its default.
func taken(what, from string) string {
	if !strings.HasPrefix(what, "{") {
		what = "default as " + what
	}
	var names []string
	for _, one := range listed(what) {
		name, as, renamed := strings.Cut(one, " as ")
		if renamed {
			name += ": " + as
		}
		names = append(names, name)
	}
	return fmt.Sprintf("const { %s } = %s;", strings.Join(names, ", "), variable(from))
}

// members are those of an object for what is exported: "{ a as b, c }" are "b: a" and "c".
func members(list string) (members []string) {
	for _, one := range listed(list) {
		if name, as, renamed := strings.Cut(one, " as "); renamed {
			one = as + ": " + name
		}
		members = append(members, one)
	}
	return members
}

// listed are the parts of a list between braces, the last of which may end with a comma.
func listed(list string) (parts []string) {
	for part := range strings.SplitSeq(strings.Trim(list, "{} \n"), ",") {
		if part = strings.TrimSpace(part); part != "" {
			parts = append(parts, part)
		}
	}
	return parts
}

// joinSheets is a style sheet with those in it that it imports. The error names one that is not there, or that the
// sheet does not import.
func joinSheets(bodies map[string][]byte, main string) ([]byte, error) {
	var wrong error
	used := map[string]bool{main: true}
	joined := sheets.ReplaceAllStringFunc(string(bodies[main]), func(found string) string {
		name := path.Join(path.Dir(main), sheets.FindStringSubmatch(found)[1])
		body, known := bodies[name]
		if !known {
			wrong = fmt.Errorf("there is no page/%s for page/%s to import", name, main)
		}
		used[name] = true
		return strings.TrimSpace(string(body))
	})
	for name := range bodies {
		if path.Ext(name) == ".css" && !used[name] {
			wrong = fmt.Errorf("page/%s is not imported by page/%s", name, main)
		}
	}
	return []byte(joined), wrong
}
