package clickhouse_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	ch "github.com/ClickHouse/clickhouse-go/v2"
	"github.com/google/go-cmp/cmp"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/internal/testsize"
	"github.com/crosswave/crosswave/store/clickhouse"
	"github.com/crosswave/crosswave/store/naive"
	"github.com/crosswave/crosswave/store/sqlite"
	"github.com/crosswave/crosswave/store/survey"
	"github.com/crosswave/crosswave/store/survey/decimal"
)

// spending is a wave of a survey with questions of numbers: each respondent has one line, the number of each question,
// "" being none.
type spending struct {
	wave  string
	lines [][]string
}

func (s spending) Describe(context.Context) (*audience.Survey, error) {
	sv := &audience.Survey{Namespaces: []audience.Namespace{{Code: "core"}}, Waves: []audience.Wave{{Code: s.wave}},
		Locations: []audience.Location{{Code: "uk"}, {Code: "fr"}}}
	for i := range s.lines[0] {
		sv.Questions = append(sv.Questions, audience.Question{Namespace: "core", Code: fmt.Sprint("q", i+1),
			Kind: audience.Number, Datapoints: []audience.Datapoint{{Code: "below"}, {Code: "above"}}})
	}
	return sv, nil
}

func (s spending) Respondents(ctx context.Context) iter.Seq2[*survey.Batch, error] {
	sv, _ := s.Describe(ctx)
	layout := survey.NewLayout(sv)
	return func(yield func(*survey.Batch, error) bool) {
		b := &survey.Batch{}
		for k, line := range s.lines {
			r := survey.Respondent{Row: int64(k + 1), ID: fmt.Sprint(k), Location: k % 2,
				Weights: []decimal.Decimal{decimal.FromInt(int64(1 + k%1000))}, Answered: make([]uint64, 1+layout.Items()/64)}
			for i, text := range line {
				d, err := decimal.Parse(text, true)
				if err != nil {
					continue
				}
				r.Numbers = append(r.Numbers, survey.Given{Question: i, Value: d})
				r.Attributes = append(r.Attributes, layout.Attribute(i, (1+d.Sign())/2, 0))
				item := layout.Item(i, 0)
				r.Answered[item>>6] |= 1 << (item & 63)
			}
			b.Respondents = append(b.Respondents, r)
		}
		yield(b, nil)
	}
}

// bandsAlone is a source as it was before numbers were kept.
type bandsAlone struct{ spending }

func (s bandsAlone) Respondents(ctx context.Context) iter.Seq2[*survey.Batch, error] {
	return func(yield func(*survey.Batch, error) bool) {
		for b, err := range s.spending.Respondents(ctx) {
			for k := range b.Respondents {
				b.Respondents[k].Numbers = nil
			}
			if !yield(b, err) {
				return
			}
		}
	}
}

// halves are numbers that are halves of some unit, on either side of 0, and what is beside them.
func halves(r *rand.Rand, questions, respondents int) (lines [][]string) {
	for range respondents {
		var line []string
		for range questions {
			text := fmt.Sprint(r.IntN(2000) - 1000)
			switch r.IntN(6) {
			case 0:
				text = ""
			case 1:
				text += "e-3"
			case 2:
				text += ".5"
			case 3:
				text += []string{".4999", ".5001", ".45", ".055", ".00005"}[r.IntN(5)]
			case 4:
				text = "0"
			}
			line = append(line, text)
		}
		lines = append(lines, line)
	}
	return lines
}

// digits is a query for everyone with two binary digits of the numbers of a question, pair by pair, and of two
// questions, with squares, fieldwork by fieldwork.
func digits(f *audience.Frame, questions ...int) (qs []audience.Query) {
	for _, i := range questions {
		q := audience.Query{Namespace: "core", Measures: audience.Squares}
		for bit := audience.AnyNumber; bit < f.Numbers(i).Bits; bit++ {
			q.Rows = append(q.Rows, audience.Slice{Question: f.Questions[i].Key(), Bit: bit})
		}
		q.Columns = q.Rows
		if other := f.Numbers(0).Bits; i > 0 && other > 0 {
			q.Columns = append(q.Columns[:len(q.Columns):len(q.Columns)], audience.Not{X: audience.And{
				audience.Slice{Question: f.Questions[0].Key(), Bit: other - 1},
				audience.Answers{Question: f.Questions[i].Key()}}})
		}
		apart(f, &q)
		qs = append(qs, q)
	}
	return qs
}

// sameDigits sees to it that a store counts digits of numbers as respondent by respondent they are.
func sameDigits(t *testing.T, ref *naive.Store, st audience.Store, questions ...int) {
	t.Helper()
	f, err := st.Frame(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	g, err := ref.Frame(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for i := range f.Questions {
		if diff := cmp.Diff(g.Numbers(i), f.Numbers(i)); diff != "" {
			t.Fatalf("the numbers of question %s (-naive +engine): %s", f.Questions[i].Key(), diff)
		}
	}
	want, err := ref.Count(t.Context(), g.Version, digits(g, questions...))
	if err != nil {
		t.Fatal(err)
	}
	got, err := st.Count(t.Context(), f.Version, digits(f, questions...))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Fatalf("counts (-naive +engine):\n%s", diff)
	}
}

// Binary digits of numbers are counted as they are in the frame's unit, in either format, through appends and a
// replacement that make the unit larger and smaller, of more questions than a pair of columns holds, in every mode;
// and the numbers come back.
func TestNumbers(t *testing.T) {
	heavy(t)
	for i, mode := range modes {
		t.Run(mode.name, func(t *testing.T) {
			config := mode.config(cluster(t))
			if i > 0 && mode.name != "words" && !testsize.Whole() {
				t.Skip("it is run with one server and in words, and in each mode in whole tests, with CROSSWAVE_TESTS=whole")
			}
			r := rand.New(rand.NewPCG(3, 3))
			const questions = 18
			p, ref := open(t, sqlite.Memory, config), &naive.Store{}
			imported := func(src survey.Source, o survey.Options) {
				t.Helper()
				for _, st := range []survey.Store{p, ref} {
					if _, err := survey.Import(t.Context(), src, st, o); err != nil {
						t.Fatal(err)
					}
				}
				sameDigits(t, ref, p, 0, questions-1)
			}
			imported(spending{"w1", halves(r, questions, 300)}, survey.Options{})
			few := halves(r, questions, 100) // the largest leave one decimal, none, and all
			few[0][0], few[1][1] = "-109951162777.55", "1099511627775.4"
			imported(spending{"w2", few}, survey.Options{Mode: survey.Append})
			fine := halves(r, questions, 100)
			fine[0][0], fine[0][questions-1] = "1e-9", "-2.12345678901234567895"
			imported(spending{"w3", fine}, survey.Options{Mode: survey.Append})
			imported(spending{"w2", halves(r, questions, 50)},
				survey.Options{Mode: survey.Replace, ReplaceWaves: []string{"w2"}})

			embedded, err := p.embedded.Source(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			defer embedded.Close()
			source, err := p.Source(t.Context(), embedded)
			if err != nil {
				t.Fatal(err)
			}
			defer source.Close()
			back, err := naive.Load(t.Context(), source)
			if err != nil {
				t.Fatal(err)
			}
			sameDigits(t, back, p, 0, questions-1)
		})
	}
}

// Numbers are copied with all else of a store.
func TestMoveNumbers(t *testing.T) {
	heavy(t)
	path := filepath.Join(t.TempDir(), "store.db")
	embedded, err := sqlite.Open(t.Context(), path, sqlite.Config{})
	if err != nil {
		t.Fatal(err)
	}
	src, ref := spending{"w1", halves(rand.New(rand.NewPCG(4, 4)), 3, 200)}, &naive.Store{}
	for _, st := range []survey.Store{embedded, ref} {
		if _, err := survey.Import(t.Context(), src, st, survey.Options{}); err != nil {
			t.Fatal(err)
		}
	}
	if err := embedded.Close(); err != nil {
		t.Fatal(err)
	}
	p := open(t, path, clickhouse.Config{Addresses: addresses(cluster(t)), Threads: 1})
	from, err := p.embedded.Source(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer from.Close()
	if _, err := p.Move(t.Context(), from, nil); err != nil {
		t.Fatal(err)
	}
	sameDigits(t, ref, p, 0, 1, 2)
}

// A table that was made before numbers were kept is asked as it is. The first import with numbers gives it columns for
// them; what was there has none.
func TestTableWithoutNumbers(t *testing.T) {
	heavy(t)
	for _, mode := range modes {
		t.Run(mode.name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(5, 5))
			p, ref := open(t, sqlite.Memory, mode.config(cluster(t))), &naive.Store{}
			first, second := bandsAlone{spending{"w1", halves(r, 2, 60)}}, spending{"w2", halves(r, 2, 60)}
			for _, st := range []survey.Store{p, ref} {
				if _, err := survey.Import(t.Context(), first, st, survey.Options{}); err != nil {
					t.Fatal(err)
				}
			}
			withoutNumbers(t, p)
			sameBands(t, ref, p)
			for _, st := range []survey.Store{p, ref} {
				if _, err := survey.Import(t.Context(), second, st, survey.Options{Mode: survey.Append}); err != nil {
					t.Fatal(err)
				}
			}
			sameBands(t, ref, p)
			sameDigits(t, ref, p, 0, 1)
		})
	}
}

// Words that were imported while numbers stood in lists are asked as they are, beside what came since, and are given
// back; once they are converted, or replaced, their numbers stand in columns of their own.
func TestWordsWithLists(t *testing.T) {
	heavy(t)
	r := rand.New(rand.NewPCG(6, 6))
	p, ref := open(t, sqlite.Memory, clickhouse.Config{Addresses: addresses(cluster(t)), Database: "listed",
		Format: clickhouse.Words}), &naive.Store{}
	imported := func(src survey.Source, o survey.Options) {
		t.Helper()
		for _, st := range []survey.Store{p, ref} {
			if _, err := survey.Import(t.Context(), src, st, o); err != nil {
				t.Fatal(err)
			}
		}
		sameDigits(t, ref, p, 0, 1)
	}
	imported(spending{"w1", halves(r, 2, 80)}, survey.Options{})
	withLists(t, p)
	sameDigits(t, ref, p, 0, 1)
	imported(spending{"w2", halves(r, 2, 60)}, survey.Options{Mode: survey.Append})
	source := func() *clickhouse.Source {
		embedded, err := p.embedded.Source(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { embedded.Close() })
		source, err := p.Source(t.Context(), embedded)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { source.Close() })
		return source
	}
	back, err := naive.Load(t.Context(), source())
	if err != nil {
		t.Fatal(err)
	}
	sameDigits(t, back, p, 0, 1)
	for _, format := range []clickhouse.Format{clickhouse.Words, clickhouse.Arrays} {
		if done, err := p.Converted(t.Context(), format); done || err != nil {
			t.Errorf("they are taken for %s that need no conversion, error %v", format, err)
		}
	}
	if n, err := p.Convert(t.Context(), source(), clickhouse.Words, nil); err != nil || n != 140 {
		t.Fatalf("%d respondents are converted, error %v", n, err)
	}
	if done, err := p.Converted(t.Context(), clickhouse.Words); !done || err != nil {
		t.Errorf("they are not taken for words once they are converted, error %v", err)
	}
	sameDigits(t, ref, p, 0, 1)
	imported(spending{"w1", halves(r, 2, 70)}, survey.Options{Mode: survey.Replace, ReplaceWaves: []string{"w1"}})
}

// withLists makes of a store in words, all of one import, what it was before numbers had columns of their own.
func withLists(t *testing.T, p *pair) {
	t.Helper()
	release, engine := engineOf(t, p)
	if engine["format"] != 6.0 {
		t.Fatalf("the state is of format %v", engine["format"])
	}
	engine["format"] = 5
	questions := 0
	for _, w := range engine["waves"].([]any) {
		for _, part := range w.(map[string]any)["parts"].([]any) {
			delete(part.(map[string]any), "apart")
		}
	}
	var keys, values []string
	for _, q := range engine["questions"].([]any) {
		if number, _ := q.(map[string]any)["number"].(float64); number > 0 {
			questions++
			of := func(text string) string { return strings.ReplaceAll(text, "#", fmt.Sprint(number)) }
			given := of("arrayFilter((x, y) -> y, [@], [l# != 0 OR m# != 0 OR h# != 0])")
			code := "toInt64(l#) + toInt64(m#) * 256 + toInt64(bitAnd(h#, 281474976710655)) * 65536"
			keys = append(keys, strings.ReplaceAll(given, "@", of("bitShiftRight(h#, 48) + toUInt64(#) * 4294967296")))
			values = append(values, strings.ReplaceAll(given, "@",
				of("if(bitAnd(l#, 1) = 1, intDiv("+code+" - 1, 2), -intDiv("+code+", 2))")))
		}
	}
	table := engine["table"].(string)
	for _, address := range p.config.Addresses {
		server, err := ch.Open(&ch.Options{Addr: []string{address}})
		if err != nil {
			t.Fatal(err)
		}
		var kept []string
		for _, name := range columns(t, server, table) {
			if !strings.Contains("lmh", name[:1]) {
				kept = append(kept, name)
			}
		}
		for _, sql := range []string{
			fmt.Sprintf("CREATE TABLE %s_listed ENGINE = MergeTree PARTITION BY (wave, gen) ORDER BY (loc, id) AS SELECT id, "+
				"wave, gen, loc, %s, arrayConcat(%s) AS n0, arrayConcat(%s) AS v0 FROM %s", table, strings.Join(kept, ", "),
				strings.Join(keys, ", "), strings.Join(values, ", "), table),
			"DROP TABLE " + table, fmt.Sprintf("RENAME TABLE %s_listed TO %s", table, table),
		} {
			err = errors.Join(err, server.Exec(t.Context(), sql))
		}
		if err := errors.Join(err, server.Close()); err != nil {
			t.Fatal(err)
		}
	}
	if questions != 2 {
		t.Fatalf("%d questions have numbers", questions)
	}
	republish(t, p, release, engine)
}

// sameBands sees to it that a store counts bands as respondent by respondent they are.
func sameBands(t *testing.T, ref *naive.Store, st audience.Store) {
	t.Helper()
	f, err := st.Frame(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	q := audience.Query{Namespace: "core"}
	for i := range f.Questions {
		for _, a := range f.PerDatapoint(i) {
			q.Rows = append(q.Rows, a.Expr)
		}
	}
	apart(f, &q)
	g, err := ref.Frame(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	want, err := ref.Count(t.Context(), g.Version, []audience.Query{q})
	if err != nil {
		t.Fatal(err)
	}
	got, err := st.Count(t.Context(), f.Version, []audience.Query{q})
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Fatalf("error %v, counts (-naive +engine):\n%s", err, diff)
	}
}

// withoutNumbers makes of a store, all of one import, what it was before numbers were kept: its tables have no columns
// for them, and its state is of format 3, which knows of none.
func withoutNumbers(t *testing.T, p *pair) {
	t.Helper()
	release, engine := engineOf(t, p)
	engine["format"] = 3
	delete(engine, "numbered")
	for _, q := range engine["questions"].([]any) {
		delete(q.(map[string]any), "number")
	}
	table := engine["table"].(string)
	for _, address := range p.config.Addresses {
		server, err := ch.Open(&ch.Options{Addr: []string{address}})
		if err != nil {
			t.Fatal(err)
		}
		tables := []string{table}
		if p.config.Cluster != "" {
			tables = append(tables, table+"_all")
		}
		drop := "DROP COLUMN l1, DROP COLUMN m1, DROP COLUMN h1, DROP COLUMN l2, DROP COLUMN m2, DROP COLUMN h2"
		if p.config.Format == clickhouse.Arrays {
			drop = "DROP COLUMN n0, DROP COLUMN v0"
		}
		for _, name := range tables {
			err = errors.Join(err, server.Exec(t.Context(), "ALTER TABLE "+name+" "+drop))
		}
		if err := errors.Join(err, server.Close()); err != nil {
			t.Fatal(err)
		}
	}
	republish(t, p, release, engine)
}
