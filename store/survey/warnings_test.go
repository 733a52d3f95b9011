package survey

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestIsUnlike tries totals at the edges of what is told of.
func TestIsUnlike(t *testing.T) {
	for _, c := range []struct {
		total  float64
		others []float64
		median float64
		want   bool
	}{
		{5, nil, 0, false},
		{5, []float64{10}, 10, false},
		{4.9, []float64{10}, 10, true},
		{21, []float64{10}, 10, false}, // it is told of the 10
		{20, []float64{10, 10, 10}, 10, false},
		{20.1, []float64{10, 10, 10}, 10, true},
		{21, []float64{30, 10, 1}, 10, true},
		{110, []float64{100, 1}, 50.5, false}, // twice 1, but not twice 100
		{0.4, []float64{100, 1}, 50.5, true},
		{0.6, []float64{100, 1}, 50.5, false},
		{100, []float64{1, 1}, 1, true},
	} {
		if median, is := isUnlike(c.total, c.others); median != c.median || is != c.want {
			t.Errorf("%g beside %v: median %g, %v", c.total, c.others, median, is)
		}
	}
}

// TestWarningsOfEarlierStores: of fieldwork that was imported before what may mislead was kept, what can be told is
// told.
func TestWarningsOfEarlierStores(t *testing.T) {
	m := &memory{}
	ctx := context.Background()
	first := "id,w,wave,place,s,m,n,ya,yb\n1,1,1,n,1,1,7,1,\n2,0,1,s,1,1,7,1,\n"
	if _, err := Import(ctx, open(t, plainBook, first, csvOptions{}), m, Options{}); err != nil {
		t.Fatal(err)
	}
	for i := range m.release.Facts {
		m.release.Facts[i].Noticed = nil
	}
	want := `What will mislead:
  core: fewer than 30 respondents: 1 in 1 in n
  2 of 2 pairs of wave and location of the store: an earlier version took them in, and kept nothing of rows ` +
		`left out, weights of 0 and datapoints with few answers
`
	if diff := cmp.Diff(want, m.release.Warnings().String()); diff != "" {
		t.Error(diff)
	}
	// An append does not tell of them again, and is no error for them.
	var more strings.Builder
	more.WriteString("id,w,wave,place,s,m,n,ya,yb\n")
	for i := range 30 {
		fmt.Fprintf(&more, "%d,%g,2,n,1,1,7,1,\n", i+10, 1./32)
	}
	report, err := Import(ctx, open(t, plainBook, more.String(), csvOptions{}), m,
		Options{Mode: Append, Strict: StrictWarnings})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(Warnings{}, report.Warnings); diff != "" {
		t.Error(diff)
	}
	if last := m.release.Warnings(); last[len(last)-1] != (Warning{Kind: NotKept, Count: 2, Of: 3}) {
		t.Errorf("%+v", last)
	}
	if got := (*Release)(nil).Warnings(); got == nil || len(got) > 0 || got.String() != "" {
		t.Errorf("%v of nothing", got)
	}
}

// TestWarningsError: whoever makes warnings errors gets the list.
func TestWarningsError(t *testing.T) {
	m := &memory{}
	text := "id,w,wave,place,s,m,n,ya,yb\n1,1,1,n,1,1,7,1,\n"
	_, err := Import(context.Background(), open(t, plainBook, text, csvOptions{}), m, Options{Strict: StrictAll})
	var warnings *WarningsError
	want := Warnings{{Kind: FewRespondents, Namespace: "core", Wave: "1", Location: "n", Count: 1}}
	if !errors.As(err, &warnings) || cmp.Diff(want, warnings.Warnings) != "" {
		t.Errorf("%v", err)
	}
	if m.release.Version() != 0 || m.aborted != 1 {
		t.Errorf("version %d, given up %d times", m.release.Version(), m.aborted)
	}
}

// TestWarningsAreCut: however much there is to tell, it is no more than one reads.
func TestWarningsAreCut(t *testing.T) {
	var ws Warnings
	for q := range 25 {
		for w := range 8 {
			ws = append(ws, Warning{Kind: FewAnswers, Question: fmt.Sprintf("core.q%d", q), Datapoint: "a",
				Wave: fmt.Sprintf("w%d", w), Location: "n", Count: 1, Of: 1234})
		}
	}
	lines := strings.Split(ws.String(), "\n")
	const line = "  core.q0: answered by so few that they may not have been asked: a by 1 of 1,234 in w0 in n, a by " +
		"1 of 1,234 in " +
		"w1 in n, a by 1 of 1,234 in w2 in n, a by 1 of 1,234 in w3 in n, a by 1 of 1,234 in w4 in n, 3 more"
	if len(lines) != 23 || lines[1] != line || lines[21] != "  and 5 more" {
		t.Errorf("%d lines\n%s", len(lines), strings.Join(lines, "\n"))
	}
}
