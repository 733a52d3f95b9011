package main

import (
	"context"
	"strings"
	"testing"

	"github.com/crosswave/crosswave/store/sqlite"
)

// Stores are opened for as many threads as the flag says, by commands that ask and by the one that serves.
func TestThreads(t *testing.T) {
	db := small(t)
	type threads interface {
		Stats(context.Context) (sqlite.Stats, error)
	}
	count := func(store any) int {
		t.Helper()
		st, err := store.(threads).Stats(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return st.Threads
	}
	s, err := asking{database: database{db}, threaded: threaded{3}}.begin(t.Context(), Main{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.end()
	if n := count(s.config.Store); n != 3 {
		t.Errorf("a question uses %d threads, not 3", n)
	}
	served, _, err := (&serveCommand{DB: db, Cache: 7, threaded: threaded{5}}).store(t.Context(), Main{})
	if err != nil {
		t.Fatal(err)
	}
	defer served.Close()
	st, err := served.Stats(t.Context())
	if err != nil || st.Cache.Budget != 7<<20 {
		t.Errorf("a server keeps %d bytes, %v", st.Cache.Budget, err)
	}
	if n := count(served); n != 5 {
		t.Errorf("a server uses %d threads, not 5", n)
	}
}

// A server counts with the kernel that it is told, and refuses one that does not run here.
func TestKernelFlag(t *testing.T) {
	db := small(t)
	served, _, err := (&serveCommand{DB: db, Kernel: "go"}).store(t.Context(), Main{})
	if err != nil {
		t.Fatal(err)
	}
	defer served.Close()
	if served.Kernel() != "go" {
		t.Errorf("%s counts, not go", served.Kernel())
	}
	code, _, errs := run(t, "", "serve", "--db", db, "--addr", "127.0.0.1:0", "--kernel", "mmx")
	if code != 1 || !strings.Contains(errs, `kernel "mmx" does not run on this machine: use one of`) {
		t.Errorf("exit %d: %s", code, errs)
	}
}

// The figures are the same on any number of threads, and a number that can't be is refused.
func TestThreadsChangeNothing(t *testing.T) {
	db := small(t)
	ask := func(args ...string) string {
		return ok(t, append([]string{"crosstab", "--db", db, "--rows", "sex", "--columns", "waves"}, args...)...)
	}
	if want, got := ask("--threads", "1"), ask("--threads", "7"); got != want {
		t.Errorf("%s\nis not\n%s", got, want)
	}
	t.Setenv("CROSSWAVE_CROSSTAB_THREADS", "none")
	if code, _, errs := run(t, "", "crosstab", "--db", db, "--rows", "sex"); code != 2 {
		t.Errorf("exit %d: %s", code, errs)
	}
}
