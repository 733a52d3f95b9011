package clickhouse_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/store/demo"
	"github.com/crosswave/crosswave/store/sqlite"
	"github.com/crosswave/crosswave/store/survey"
)

// What was opened for moving before something else was published is not put in its place.
func TestMoveOfOldVersion(t *testing.T) {
	p := open(t, sqlite.Memory, modes[2].config(cluster(t)))
	load(t, p.embedded, 1000)
	old, err := p.embedded.Source(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer old.Close()
	f, err := p.Frame(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	wave := f.Waves[0].Code // as many respondents of it come in as go
	if _, err := survey.Import(t.Context(), demo.New(demo.Config{Seed: 2, Respondents: 1000, Only: []string{wave}}),
		p.embedded,
		survey.Options{Mode: survey.Replace, ReplaceWaves: []string{wave}}); err != nil {
		t.Fatal(err)
	}
	right := count(t, p.embedded, 5)
	if n, err := p.Move(t.Context(), old, nil); n != 0 || !errors.Is(err, audience.ErrChanged) {
		t.Errorf("%d respondents moved, error %v", n, err)
	}
	if diff := cmp.Diff(right, count(t, p.embedded, 5)); diff != "" {
		t.Errorf("a refused move changed what is published:\n%s", diff)
	}
}

// What was embedded is moved with every figure, and an embedded store that was moved refuses to count or import by
// itself.
func TestMove(t *testing.T) {
	config := modes[2].config(cluster(t))
	p := open(t, sqlite.Memory, config)
	load(t, p.embedded, 3000)
	f, err := p.Frame(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	right := count(t, p.embedded, 20)
	if _, err := p.Count(t.Context(), f.Version, []audience.Query{square(t, f, 1)}); err == nil {
		t.Error("ClickHouse counts respondents that are in the embedded store")
	}
	src, err := p.embedded.Source(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	n, err := p.Move(t.Context(), src, nil)
	src.Close()
	if err != nil || n != 3000 {
		t.Fatalf("%d respondents moved, error %v", n, err)
	}
	if diff := cmp.Diff(right, count(t, p, 20)); diff != "" {
		t.Errorf("moved, the counts differ (-embedded +ClickHouse):\n%s", diff)
	}
	f, _ = p.Frame(t.Context())
	if _, err := p.embedded.Count(t.Context(), f.Version, []audience.Query{square(t, f, 1)}); err == nil {
		t.Error("the embedded store counts what it no longer has")
	}
	if _, err := survey.Import(t.Context(), demo.New(demo.Config{Seed: 2, Respondents: 3000,
		Only: []string{f.Waves[0].Code}}), p.embedded,
		survey.Options{Mode: survey.Replace, ReplaceWaves: []string{f.Waves[0].Code}}); err == nil {
		t.Error("the embedded store took in respondents that belong to ClickHouse")
	}
	if diff := cmp.Diff(right, count(t, p, 20)); diff != "" {
		t.Errorf("after a refused import the counts differ:\n%s", diff)
	}
}
