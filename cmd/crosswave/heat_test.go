package main

import (
	"math"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/crosswave/crosswave/audience/estimate"
)

// A step is as far above 100 as its counterpart is below, which is as many times less.
func TestHeat(t *testing.T) {
	for index, want := range map[float64]int{100: 0, 109.9: 0, 110: 1, 125: 2, 149.9: 2, 150: 3, 200: 4, 5000: 4,
		91: 0, 90.9: -1, 80.1: -1, 80: -2, 66.7: -2, 66.6: -3, 50: -4, 0.1: -4, 0: -4} {
		if got := heat(index); got != want {
			t.Errorf("%v has heat %d, want %d", index, got, want)
		}
	}
}

// A bar is as far from 100 at 50 as at 200, and never longer than there is room for.
func TestBar(t *testing.T) {
	for index, want := range map[float64]string{100: "      │      ", 200: "      │███   ", 50: "   ███│      ",
		400: "      │██████", 25: "██████│      ", 100000: "      │██████", 0: "██████│      ",
		112: "      │▌     ", 88: "     ▐│      ", 140: "      │█▌    ", 71.4: "    ▐█│      "} {
		if got := bar(index); got != want {
			t.Errorf("%v is drawn as %q, want %q", index, got, want)
		}
	}
}

// Colours are asked for, or are those of a terminal that has them; the environment variable NO_COLOR has none.
func TestShades(t *testing.T) {
	t.Setenv("NO_COLOR", "")
	t.Setenv("TERM", "xterm-256color")
	terminal, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Skipf("there is no terminal to print to: %v", err)
	}
	defer terminal.Close()
	for _, c := range []struct {
		color, name, value string
		terminal, want     bool
	}{
		{"auto", "", "", true, true}, {"auto", "", "", false, false}, {"", "", "", true, true},
		{"auto", "NO_COLOR", "1", true, false}, {"auto", "TERM", "dumb", true, false}, {"never", "", "", true, false},
		{"always", "NO_COLOR", "1", false, true},
	} {
		t.Run(strings.Join([]string{c.color, c.name, c.value}, " "), func(t *testing.T) {
			if c.name != "" {
				t.Setenv(c.name, c.value)
			}
			m := Main{Stdout: new(strings.Builder)}
			if c.terminal {
				m.Stdout = terminal
			}
			if got := (shading{c.color}).shades(m); got != c.want {
				t.Errorf("it is shaded: %v, want %v", got, c.want)
			}
		})
	}
}

// Indices alone have colours, nothing moves by them, and those of few respondents have none.
func TestTableInColor(t *testing.T) {
	alone(t)
	x := told(t, estimate.Options{Level: 95})
	for j := range x.columns {
		c := &x.cells[1][j]
		c.Row.Sample, c.Column.Sample = 30, 30
		c.Intersect.Index = []float64{100, 125, 80, 400}[j]
	}
	x.cells[1][3].Column.Sample = 29
	colored := newTable(x, 0, 80, true).text()
	want := "      index            100.0        \x1b[48;5;153;38;5;16m125.0\x1b[0m" +
		"         \x1b[48;5;222;38;5;16m80.0\x1b[0m        400.0\n"
	if !strings.Contains(colored, want) {
		t.Errorf("there is no line %q in\n%s", want, colored)
	}
	plain := strings.NewReplacer("\x1b[48;5;153;38;5;16m", "", "\x1b[48;5;222;38;5;16m", "",
		"\x1b[0m", "").Replace(colored)
	plain, _, _ = strings.Cut(plain, "Shaded:")
	if d := cmp.Diff(newTable(x, 0, 80, false).text(), plain); d != "" {
		t.Error(d)
	}
}

// A trend is drawn from 0; a wave in which nobody was asked is open.
func TestTrendIsDrawn(t *testing.T) {
	none := math.NaN()
	for want, shares := range map[string]trend{"": nil, "···": {none, none, none}, "·▁▁": {none, 0, 0},
		"▁█·▅▂": {0, 80, none, 48, 0.1}, "██▇": {100, 99, 84}} {
		if got := shares.String(); got != want {
			t.Errorf("%v is drawn as %q, want %q", shares, got, want)
		}
	}
	if x, found := (trend{1, 2, none}).latest(); x != 2 || !found {
		t.Errorf("the latest share is %v, %v", x, found)
	}
	if _, found := (trend{none}).latest(); found {
		t.Error("what was never asked has a latest share")
	}
}
