package httpapi

import (
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"
)

// What runs and waits is told by lane, and what it holds.
func TestLoad(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f, ctx := newField(t, Limits{Running: 1, RunningEach: 1, Memory: 100}), t.Context()
		var load Load
		want := func(want LoadNow) {
			t.Helper()
			if d := cmp.Diff(want, load.Now()); d != "" {
				t.Error(d)
			}
		}
		want(LoadNow{}) // no handler has it
		load.turns.Store(f.turns)
		f.ask(ctx, "a0", asked{user: "a", lane: long, bytes: 10})
		f.ask(ctx, "a1", asked{user: "a", lane: long, bytes: 10})
		f.ask(ctx, "b0", asked{user: "b", lane: long, bytes: 10})
		f.ask(ctx, "c0", asked{user: "c", lane: short, bytes: 5})
		f.ask(ctx, "c1", asked{user: "c", lane: short, bytes: 90}) // for which there is no room
		want(LoadNow{Short: LaneLoad{1, 1}, Long: LaneLoad{1, 2}, Bytes: 15})
		resting, _ := f.turn("a0")
		resting.rest()
		synctest.Wait()
		want(LoadNow{Short: LaneLoad{1, 1}, Long: LaneLoad{1, 1}, Bytes: 25})
		for _, name := range []string{"a0", "a1", "b0", "c0", "c1"} {
			f.end(name)
		}
		want(LoadNow{})
	})
}
