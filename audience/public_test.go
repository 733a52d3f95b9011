package audience_test

import (
	"encoding/json"
	"fmt"
	"go/importer"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// What can be named from outside can be used from outside: no exported function, method, field, constant or variable of
// a package that others import has a type of an internal package in it.
func TestNoInternalTypeIsPublic(t *testing.T) {
	list := exec.Command("go", "list", "-export", "-deps", "-json=ImportPath,Export,Name", module+"...")
	list.Env = append(os.Environ(), "CGO_ENABLED=0") // as everything is built: what is there need not be compiled again
	list.Stderr = os.Stderr
	out, err := list.Output()
	if err != nil {
		t.Fatal(err)
	}
	exports := map[string]string{}
	var ours []string
	for d := json.NewDecoder(strings.NewReader(string(out))); d.More(); {
		var p struct{ ImportPath, Export, Name string }
		if err := d.Decode(&p); err != nil {
			t.Fatal(err)
		}
		exports[p.ImportPath] = p.Export
		if strings.HasPrefix(p.ImportPath, module) && p.Name != "main" && !isInternal(p.ImportPath) {
			ours = append(ours, p.ImportPath)
		}
	}
	if len(ours) < 10 {
		t.Errorf("only %d packages were looked at", len(ours))
	}
	imports := importer.ForCompiler(token.NewFileSet(), "gc", func(path string) (io.ReadCloser, error) {
		return os.Open(exports[path])
	})
	for _, path := range ours {
		p, err := imports.Import(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, fault := range leaks(p) {
			t.Error(fault)
		}
	}
}

// The search above finds what there is to be found, in whatever way it is hidden.
func TestLeaks(t *testing.T) {
	inner := types.NewPackage(module+"internal/inner", "inner")
	hidden := types.NewNamed(types.NewTypeName(token.NoPos, inner, "Hidden", nil), types.NewStruct(nil, nil), nil)
	for name, c := range map[string]struct {
		of   types.Type
		want int
	}{
		"its own":                   {types.Typ[types.Int], 0},
		"a slice":                   {types.NewSlice(hidden), 1},
		"a map's elements":          {types.NewMap(types.Typ[types.String], types.NewPointer(hidden)), 1},
		"an exported field":         {structOf("Field", hidden), 1},
		"a field of its own":        {structOf("field", hidden), 0},
		"what a function takes":     {types.NewSignatureType(nil, nil, nil, tuple(hidden), nil, false), 1},
		"what a function gives":     {types.NewSignatureType(nil, nil, nil, nil, tuple(hidden), false), 1},
		"an interface's method":     {interfaceOf("Method", tuple(hidden)), 1},
		"an interface's own method": {interfaceOf("method", tuple(hidden)), 0},
	} {
		p := types.NewPackage(module+"outer", "outer")
		p.Scope().Insert(types.NewVar(token.NoPos, p, "Exported", c.of))
		p.Scope().Insert(types.NewVar(token.NoPos, p, "unexported", hidden))
		if got := leaks(p); len(got) != c.want {
			t.Errorf("%s: found %q, want %d", name, got, c.want)
		}
	}
}

func structOf(field string, of types.Type) types.Type {
	return types.NewStruct([]*types.Var{types.NewField(token.NoPos, nil, field, of, false)}, nil)
}

func interfaceOf(method string, takes *types.Tuple) types.Type {
	f := types.NewFunc(token.NoPos, nil, method, types.NewSignatureType(nil, nil, nil, takes, nil, false))
	return types.NewInterfaceType([]*types.Func{f}, nil)
}

func tuple(of types.Type) *types.Tuple {
	return types.NewTuple(types.NewParam(token.NoPos, nil, "", of))
}

func isInternal(path string) bool {
	return strings.HasPrefix(path, module) && slices.Contains(strings.Split(path, "/"), "internal")
}

// leaks lists what a package exports that has a type of an internal package in it.
func leaks(p *types.Package) (found []string) {
	for _, name := range p.Scope().Names() {
		if !token.IsExported(name) {
			continue
		}
		l := leak{seen: map[types.Type]bool{}}
		object := p.Scope().Lookup(name)
		if _, isType := object.(*types.TypeName); isType {
			l.declared(object.Type())
		} else {
			l.mentioned(object.Type())
		}
		for _, path := range l.found {
			found = append(found, fmt.Sprintf("%s.%s: %s can't be named outside the module", p.Path(), name, path))
		}
	}
	return found
}

// leak goes through the types behind one name.
type leak struct {
	seen  map[types.Type]bool
	found []string
}

// declared looks at what a type is and at the methods that can be called on it.
func (l *leak) declared(t types.Type) {
	if l.seen[t] {
		return
	}
	l.seen[t] = true
	if !types.IsInterface(t) {
		methods := types.NewMethodSet(types.NewPointer(t)) // those of embedded fields too
		for i := range methods.Len() {
			if m := methods.At(i).Obj(); m.Exported() {
				l.mentioned(m.Type())
			}
		}
	}
	l.mentioned(types.Unalias(t).Underlying())
}

// mentioned looks at a type as it stands in a declaration. What it names elsewhere is looked at there, unless it has no
// exported name.
func (l *leak) mentioned(t types.Type) {
	switch t := t.(type) {
	case *types.Alias:
		l.mentioned(types.Unalias(t))
	case *types.Named:
		switch {
		case t.Obj().Pkg() == nil: // error
		case isInternal(t.Obj().Pkg().Path()):
			l.found = append(l.found, t.String())
		case !t.Obj().Exported():
			l.declared(t)
		}
		for i := range t.TypeArgs().Len() {
			l.mentioned(t.TypeArgs().At(i))
		}
	case *types.Map:
		l.mentioned(t.Key())
		l.mentioned(t.Elem())
	case interface{ Elem() types.Type }: // pointer, slice, array, channel
		l.mentioned(t.Elem())
	case *types.Signature:
		for i := range t.TypeParams().Len() {
			l.mentioned(t.TypeParams().At(i).Constraint())
		}
		for _, list := range []*types.Tuple{t.Params(), t.Results()} {
			for i := range list.Len() {
				l.mentioned(list.At(i).Type())
			}
		}
	case *types.Struct:
		for i := range t.NumFields() {
			if t.Field(i).Exported() {
				l.mentioned(t.Field(i).Type())
			}
		}
	case *types.Interface:
		for i := range t.NumMethods() {
			if t.Method(i).Exported() {
				l.mentioned(t.Method(i).Type())
			}
		}
	}
}
