package background

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// nice is the nice value of the calling goroutine's thread.
func nice(t *testing.T) int {
	t.Helper()
	now, err := syscall.Getpriority(syscall.PRIO_PROCESS, 0)
	if err != nil {
		t.Fatal(err)
	}
	return 20 - now
}

// lowThreads is how many threads of this process have a nice value above one, but for its first, which never ends:
// where a goroutine would end it, it sleeps from then on.
func lowThreads(t *testing.T, than int) (n int) {
	t.Helper()
	stats, err := filepath.Glob("/proc/self/task/*/stat")
	if err != nil || len(stats) == 0 {
		t.Skip("the system does not list threads: ", err)
	}
	first := filepath.Join("/proc/self/task", strconv.Itoa(os.Getpid()), "stat")
	for _, file := range stats {
		if file == first {
			continue
		}
		text, err := os.ReadFile(file)
		if err != nil {
			continue // it has ended
		}
		_, after, _ := strings.Cut(string(text), ") ")
		if value, err := strconv.Atoi(strings.Fields(after)[16]); err == nil && value > than {
			n++
		}
	}
	return n
}

// What is lowered stands back with those that follow it, nothing else does, and afterwards no thread is left that does.
func TestLower(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	usual := nice(t)
	if usual+1 > lowest {
		t.Skip("the tests have the lowest priority already")
	}
	low := min(usual+steps, lowest)
	var threads Threads
	threads.Do(t.Context(), func(ctx context.Context) {
		if got := nice(t); got != usual {
			t.Errorf("before: %d, want %d", got, usual)
		}
		Follow(ctx)()
		Lower(ctx)
		Lower(ctx) // which is lowered once
		if got := nice(t); got != low {
			t.Errorf("lowered: %d, want %d", got, low)
		}
		var all sync.WaitGroup
		for range 3 {
			all.Go(func() {
				defer Follow(ctx)()
				if got := nice(t); got != low {
					t.Errorf("who follows: %d, want %d", got, low)
				}
			})
		}
		for range 20 {
			all.Go(func() {
				if got := nice(t); got != usual {
					t.Errorf("who does not: %d, want %d", got, usual)
				}
				runtime.Gosched()
			})
		}
		all.Wait()
		if n := threads.lowered.Load(); n != 1 {
			t.Errorf("%d threads stand back, want 1", n)
		}
	})
	threads.Do(t.Context(), func(ctx context.Context) {
		defer Follow(ctx)()
		if got := nice(t); got != usual {
			t.Errorf("the next: %d, want %d", got, usual)
		}
	})
	Lower(t.Context())
	defer Follow(t.Context())()
	if got := nice(t); got != usual {
		t.Errorf("elsewhere: %d, want %d", got, usual)
	}
	if n := threads.lowered.Load(); n != 0 {
		t.Errorf("%d threads stand back in the end", n)
	}
	for left := -1; left != 0; { // threads end a moment after their goroutines
		if left = lowThreads(t, usual); left > 0 {
			time.Sleep(time.Millisecond)
		}
	}
}

// No more threads stand back than may, and what is more is done all the same.
func TestMostThreads(t *testing.T) {
	var threads Threads
	threads.lowered.Store(mostThreads)
	threads.Do(t.Context(), func(ctx context.Context) {
		before := nice(t)
		Lower(ctx)
		if got := nice(t); got != before {
			t.Errorf("%d, want %d", got, before)
		}
	})
	if n := threads.lowered.Load(); n != mostThreads {
		t.Errorf("%d threads stand back, want %d", n, mostThreads)
	}
}

// A panic that is a bug has the stack that it had where it was.
func TestPanicTellsWhere(t *testing.T) {
	for _, bug := range []func(){func() { panic("a bug") }, func() { _ = make([]int, 0)[len(os.Args)] }} {
		func() {
			defer func() {
				p, ok := recover().(*Panic)
				if !ok || p.Value == nil || !strings.Contains(p.Error(), "TestPanicTellsWhere") {
					t.Errorf("the panic is %v", p)
				}
			}()
			new(Threads).Do(t.Context(), func(context.Context) { bug() })
		}()
	}
}

// What ends the work ends it for who asked: a panic with its value, and the end of a goroutine.
func TestEnds(t *testing.T) {
	var threads Threads
	want := errors.New("wrong")
	for _, lower := range []bool{false, true} {
		func() {
			defer func() {
				if got := recover(); got != want {
					t.Errorf("the panic is %v, want %v", got, want)
				}
			}()
			threads.Do(t.Context(), func(ctx context.Context) {
				if lower {
					Lower(ctx)
				}
				panic(want)
			})
		}()
		ended := make(chan bool)
		go func() {
			returned := false
			defer func() { ended <- !returned && recover() == nil }()
			threads.Do(t.Context(), func(ctx context.Context) {
				if lower {
					Lower(ctx)
				}
				runtime.Goexit()
			})
			returned = true
		}()
		if !<-ended {
			t.Error("who asked goes on after the end of its goroutine")
		}
	}
	if n := threads.lowered.Load(); n != 0 {
		t.Errorf("%d threads stand back in the end", n)
	}
}
