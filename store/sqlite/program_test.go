package sqlite

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/internal/blob"
)

// The example in the comment on program is what becomes of that query.
func TestProgramExample(t *testing.T) {
	got, want := strings.ReplaceAll(programExample(t), "\n\n", "\n"), commentExample(t, "program.go", "program")
	if diff := cmp.Diff(got, want); diff != "" {
		t.Errorf("the comment on program shows another than this (-is +comment):\n%s\n%s", diff, got)
	}
}

// commentExample is the indented lines of the comment on a type.
func commentExample(t *testing.T, file, name string) string {
	parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ParseComments)
	check(t, err)
	var b strings.Builder
	for _, d := range parsed.Decls {
		g, ok := d.(*ast.GenDecl)
		if !ok || g.Tok != token.TYPE || g.Specs[0].(*ast.TypeSpec).Name.Name != name {
			continue
		}
		for _, c := range g.Doc.List {
			if line, indented := strings.CutPrefix(c.Text, "//\t"); indented {
				b.WriteString(line + "\n")
			}
		}
	}
	return b.String()
}

// programExample prints a query, its graph and its program in a chunk.
func programExample(t *testing.T) string {
	sv := &audience.Survey{
		Waves: []audience.Wave{{Code: "w1"}, {Code: "w2"}}, Locations: []audience.Location{{Code: "uk"}, {Code: "us"}},
		Namespaces: []audience.Namespace{{Code: "core"}},
		Questions: []audience.Question{
			{Namespace: "core", Code: "sex", Datapoints: []audience.Datapoint{{Code: "m"}, {Code: "f"}}},
			{Namespace: "core", Code: "pet", Datapoints: []audience.Datapoint{{Code: "cat"}, {Code: "dog"}, {Code: "dragon"}}},
		}}
	all := audience.NewCover(4)
	for i := range 4 {
		all.Set(i)
	}
	r, names := &release{}, map[int64]string{}
	var err error
	r.frame, err = audience.NewFrame(1, sv, audience.Coverage{Fielded: []audience.Cover{all},
		Asked: [][]audience.Cover{{all, all}, {all, all, all}}})
	check(t, err)
	var columns []int64
	r.layout, columns, err = newLayout(nil).extend(sv)
	check(t, err)
	for i, name := range []string{"sex.m", "sex.f", "pet.cat", "pet.dog", "pet.dragon"} {
		names[columns[i]] = name
	}
	g, err := newGraph(r, []audience.Query{{Namespace: "core",
		Rows: []audience.Expr{audience.And{audience.Or{leaf("sex", "f"), leaf("pet", "cat")},
			audience.Not{X: audience.Locations{Codes: []string{"us"}}}, audience.Waves{Codes: []string{"w1", "w2"}}}},
		Columns: []audience.Expr{leaf("sex", "f"),
			audience.Answers{Question: "pet", Datapoints: []string{"cat", "dog", "dragon"}, Min: 2}},
		Strata: []audience.Cover{all}}}, nil)
	check(t, err)
	c := &chunk{id: 1, wave: "w2", samples: []blob.Sample{{Namespace: "core", Respondents: 80}},
		columns: columns[:4], counts: []int32{41, 39, 25, 30}}
	c.place([]run{{location: "uk", respondents: 70}, {location: "us", respondents: 10}})
	w := g.at(c, new(folding), func(weightName) int64 { return 1<<columnBits - 1 })
	f := new(folding)
	f.begin(g, &chunkWork{chunk: c, fieldworks: r.fieldworks(c)})

	var b strings.Builder
	b.WriteString("row     (sex.f or pet.cat) and not in us and in w1 or w2\n" +
		"column  sex.f\n" +
		"column  at least 2 of pet.cat, pet.dog, pet.dragon\n\n" +
		"node                      in the chunk\n")
	for i := range g.nodes {
		to := describe(&f.nodes[i].made, names)
		switch f.to(ref(i)) {
		case none:
			to = "no one"
		case everyone:
			to = "everyone"
		}
		fmt.Fprintf(&b, "%d  %-22s %s\n", i, describe(&g.nodes[i], names), to)
	}
	b.WriteString("\nstep                      slot\n")
	pr := &w.programs[0]
	for i := range pr.steps {
		s := &pr.steps[i]
		n := &node{op: s.op, args: s.args, min: s.min}
		if s.op == positive {
			n.column = w.wants[s.want].id & (1<<columnBits - 1)
		}
		if s.op == inLocations {
			n.codes = map[string]bool{s.runs[0].location: true}
		}
		fmt.Fprintf(&b, "%d  %-22s %d\n", i, describe(n, names), s.slot)
	}
	fmt.Fprintf(&b, "\nbase %s; rows %s; columns %s; %d slots\n", refs(pr.base), refs(pr.rows...), refs(pr.cols...),
		pr.slots)
	return b.String()
}

// describe writes a node in words; those that it is made of by their numbers.
func describe(n *node, names map[int64]string) string {
	codes := func() string {
		var list []string
		for _, c := range []string{"uk", "us", "w1", "w2"} {
			if n.codes[c] {
				list = append(list, c)
			}
		}
		return strings.Join(list, " or ")
	}
	switch n.op {
	case and:
		return strings.ReplaceAll(refs(n.args...), ", ", " and ")
	case or:
		return strings.ReplaceAll(refs(n.args...), ", ", " or ")
	case not:
		return "not " + refs(n.args...)
	case atLeast:
		return fmt.Sprintf("at least %d of %s", n.min, refs(n.args...))
	case positive:
		return names[n.column]
	}
	return "in " + codes()
}

func refs(list ...ref) string {
	var texts []string
	for _, r := range list {
		switch r {
		case none:
			texts = append(texts, "no one")
		case everyone:
			texts = append(texts, "everyone")
		default:
			texts = append(texts, fmt.Sprint(r))
		}
	}
	return strings.Join(texts, ", ")
}
